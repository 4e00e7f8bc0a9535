"""Folds share training cases: what that does to the error of a mean over them, said once for all.

Means, differences, tests, bands, bootstraps and plans over groups come here with a ``ratio``: test cases over
training cases, which follows from the design of the scores (:mod:`rocsteady.scores.design`) or is given.

References
----------
Nadeau & Bengio (2003), Machine Learning 52, 239-281.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsteady.errors import Option, Remedy, fail
from rocsteady.options import one_number
from rocsteady.scores.design import Design


def ratio_of(test_train_ratio: object, design: Design | None = None) -> float:
    """What is added to 1 / n: for None what the design has, for a number itself."""
    if test_train_ratio is None:
        return 0.0 if design is None else design.test_train_ratio
    example = round(1 / 9, 6)
    if isinstance(test_train_ratio, str):  # 'cv' would have to guess how many folds a repeat has
        ratio = np.nan
    else:
        ratio = one_number("test_train_ratio", test_train_ratio, example=example)
    if not 0 <= ratio < np.inf:
        where = "test cases over training cases, not negative"
        ways: list[Remedy] = [
            ("of ten folds, repeated or not  ", Option("test_train_ratio", example)),
            "or say what the groups are, and leave it out:  design='cross-validation'",
        ]
        raise fail("RS042", name="test_train_ratio", where=where, found=test_train_ratio, ways=ways)
    return ratio


def share_of_variance(independent: Any, ratio: float) -> Any:
    """The variance of a mean over groups, as a share of the variance between them.

    ``independent`` is that of groups which share nothing: 1 / n, or ``sum(w**2)`` of weights.

    >>> share_of_variance(1 / 10, 1 / 9).__round__(3)
    0.211
    """
    return independent + ratio


def error_factor(n_groups: float, ratio: float) -> float:
    """What groups that share training cases multiply the standard error of a mean by.

    >>> round(error_factor(50, 1 / 9), 3)
    2.56
    """
    return float(np.sqrt(n_groups * share_of_variance(1 / n_groups, ratio)))
