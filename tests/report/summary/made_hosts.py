"""Small simulated hosts for the tests of a report's parts."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import rocsteady as rs
from rocsteady.report.summary.comparing import comparison as comparing
from rocsteady.report.summary.comparing.comparison import ComparisonPart
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import Text, plain_text
from rocsteady.report.summary.settings import Settings

NAMES = ("baseline", "candidate", "third", "fourth")
SHIFTS = (0.1, 1.5, 0.3, 0.2)


def hosts(
    n: int = 10, *, models: int = 2, seed: int = 6, unit: str = "host", sizes: Any = None
) -> rs.ScoreSet:
    """Hosts of 12 attacks and 36 normal cases; the level of the second model moves between them."""
    rng = np.random.default_rng(seed)
    sizes = np.full(n, 48) if sizes is None else np.asarray(sizes)
    host = np.repeat(np.arange(n), sizes)
    labels = np.concatenate([np.arange(size) < size // 4 for size in sizes])
    common = rng.normal(size=host.size)
    scores = {
        name: 0.6 * common
        + 0.8 * rng.normal(size=host.size)
        + 1.8 * labels
        + shift * rng.normal(size=n)[host]
        for name, shift in zip(NAMES[:models], SHIFTS, strict=False)
    }
    words = np.where(labels, "attack", "normal")
    given: Any = scores if models > 1 else scores["baseline"]
    groups = [f"{unit}-{i:02d}" for i in host]
    return rs.ScoreSet.from_arrays(words, given, groups, positive="attack", unit=unit)


def material(scores: rs.ScoreSet, deployment: rs.Deployment | None = None, **settings: Any) -> Material:
    """With few resamples."""
    return Material(scores, deployment, Settings(**{"n_resamples": 200, **settings}))


@cache
def compared(deployment: rs.Deployment | None, words: str = "ml") -> tuple[Material, ComparisonPart]:
    """Two models on ten hosts, compared once for all tests."""
    own = material(two_models(), deployment, words=words)
    part = comparing.make(own)
    assert part is not None
    return own, part


@cache
def two_models() -> rs.ScoreSet:
    """Ten hosts."""
    return hosts()


def said(text: Text | None) -> str:
    """A sentence as plain text."""
    return plain_text(text or "")
