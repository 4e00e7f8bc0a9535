"""Variances, intervals, tests and resampling, as functions of arrays: no idea of curves."""
