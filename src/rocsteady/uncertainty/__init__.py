"""Variances, intervals and tests of areas, as functions of arrays."""
