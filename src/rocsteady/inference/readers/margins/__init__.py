"""Not inferior, or equivalent, within a margin."""
