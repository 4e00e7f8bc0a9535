"""Paclik and others, operating points with variances: computed again."""
