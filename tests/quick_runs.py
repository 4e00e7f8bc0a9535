"""Reproductions with very few replicates, computed once for all tests that only look at them."""

from __future__ import annotations

from functools import cache

import pytest

from papers.averaging_roc import run as averaging
from papers.operating_points import run as points
from papers.paper import Reproduction
from papers.slides.run import reproduce_slides

FEW_POINTS = {"N_REPLICATES_QUICK": 25, "N_LARGE_SAMPLES_QUICK": 3, "N_DRAWS_QUICK": 2, "N_TESTS_QUICK": 2000}


@cache
def averaged() -> Reproduction:
    """Hogan and Adams."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(averaging, "N_REPLICATES_QUICK", 4)
        return averaging.reproduce_averaging(quick=True)


@cache
def slides() -> Reproduction:
    """Sakellaropoulos."""
    return reproduce_slides(quick=True)


@cache
def without_digits() -> Reproduction:
    """Paclik and others, where no folder of data is named."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("ROCSTEADY_DATA", raising=False)
        for name, n in FEW_POINTS.items():
            patch.setattr(points, name, n)
        return points.reproduce_operating_points(quick=True)


@cache
def with_digits(folder: str) -> Reproduction:
    """Paclik and others, with the data of Figure 3 and studies enough for verdicts."""
    with pytest.MonkeyPatch.context() as patch:
        for name, n in {**FEW_POINTS, "N_REPLICATES_QUICK": 200}.items():
            patch.setattr(points, name, n)
        return points.reproduce_operating_points(quick=True, data=folder)
