"""Thresholds set on some rows and tried on others."""
