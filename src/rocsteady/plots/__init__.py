"""Parts that the old page still draws with."""
