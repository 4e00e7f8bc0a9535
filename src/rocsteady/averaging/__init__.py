"""From many curves one, exactly: methods as values, and a chapter for each family of them."""
