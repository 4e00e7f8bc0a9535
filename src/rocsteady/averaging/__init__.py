"""From many curves one, exactly: one small file for each way of averaging."""
