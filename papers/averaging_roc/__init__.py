"""Hogan and Adams, "On Averaging ROC Curves": figures 1 and 2, both scenarios, the three deployments."""
