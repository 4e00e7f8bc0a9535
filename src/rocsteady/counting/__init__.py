"""Scores in, counts at every threshold out."""
