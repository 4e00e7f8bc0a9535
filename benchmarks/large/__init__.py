"""The benchmark of tables larger than memory."""
