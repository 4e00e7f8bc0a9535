"""Cells: how many positives and negatives have scores between two values; what a data engine hands over."""
