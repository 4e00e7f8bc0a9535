"""Keys: their words, and where they stand without covering what they explain."""
