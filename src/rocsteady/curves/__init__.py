"""Counts in, curves and their readings out."""
