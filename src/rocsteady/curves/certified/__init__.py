"""Curves of rows that were counted in cells: where they lie is certain within bounds."""
