"""Paclik and others: ROC curves and surfaces with variances at each operating point, reproduced."""
