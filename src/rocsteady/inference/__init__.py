"""Comparisons: is one classifier better than another, and how sure is that."""
