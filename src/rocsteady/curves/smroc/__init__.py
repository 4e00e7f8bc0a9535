"""The smROC curve: magnitudes of scores as well as their order (Klement et al.)."""
