"""The settings of the reproduction: what the slides give, and what they leave open and was chosen here.

The slides give the two populations of the SPSS example, its size and the ten cases. Of the populations that
the threshold 4.5 divides, and of the two models that cross, they show a figure and no number; the seeds of
the SPSS example are not given either. Those are chosen here.
"""

from __future__ import annotations

from papers.slides.normals import TwoNormals

EXAMPLE = TwoNormals(1.32, 0.16, 1.72, 0.18, "blood substance")
"""Healthy subjects and patients with hepatitis, as the slides give them."""

THRESHOLD = 4.5
DIVIDED = TwoNormals(3.0, 1.0, 6.0, 1.5, "two populations")
"""Chosen: the slide names the threshold only."""
N_DIVIDED = 10_000
"""Cases of each population that are counted against the areas."""

MODELS = (TwoNormals(0.0, 1.0, 1.6, 1.6, "M1"), TwoNormals(0.0, 1.0, 1.1, 0.7, "M2"))
"""Chosen so that M1 is ahead at small FPRs, M2 at large ones, and M2 has the larger area."""
N_MODELS = 100
"""Cases of each class in the sample of the two models."""
SMALL_FPR, LARGE_FPR = 0.05, 0.5

GUESSES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""How often a guesser says "positive"."""
RARE, COMMON = 100, 900
"""Positives and negatives of a sample in which equal rates are unequal counts."""
PLAUSIBLE = 0.01
"""A printed number is that of a sample if numbers at least as far out are more frequent than this."""
