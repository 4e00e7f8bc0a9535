"""Whether AUCs scatter so much to one side that intervals from their mean and spread miss."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_WORST = {"linear": 0.13, "logit": 0.4}
"""Squared skewness per group from which Student's t was measured to be off by 0.02: see RS289."""
_WORST_IF_WIDENED = 1.0
"""The same for Nadeau & Bengio's, which is about half as wide again."""


def is_skewed(aucs: Floats, *, is_widened: bool = False, scale: str = "logit") -> bool:
    """Whether AUCs near 0 or 1 differ so much that their distribution must be lopsided.

    >>> is_skewed(np.array([0.99, 0.8, 1.0, 0.98])), is_skewed(np.array([0.79, 0.7, 0.8, 0.78]))
    (True, False)
    """
    n, mean = aucs.size, float(aucs.mean())
    if n < 3 or not 0 < mean < 1:
        return False
    skewness = (
        3 * abs(2 * mean - 1) * float(aucs.std(ddof=1)) / (mean * (1 - mean))
    )  # of normal logits, nearly
    return skewness**2 > (_WORST_IF_WIDENED if is_widened else _WORST[scale]) * max(n, 10)
