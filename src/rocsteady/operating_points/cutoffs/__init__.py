"""Choosing a cut-off, and how sure it is."""
