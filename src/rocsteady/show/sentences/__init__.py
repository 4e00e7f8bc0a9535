"""What results mean, in words: one chapter a folder of the core, written from the facts of a result."""
