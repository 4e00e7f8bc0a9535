"""Limits around a curve: of a rate at the other, where both are uncertain; and the bands they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rocsteady.arrays import Floats, Mask
from rocsteady.errors import Remedy, warn
from rocsteady.results import TableResult
from rocsteady.showing import Told
from rocsteady.statistics.intervals import (
    clopper_pearson,
    t_quantile,
    wilson_limits,
)
from rocsteady.words import counted

FEWEST_CASES = (10, 5)
"""Cases on either side of a threshold, of the class that sets it and of the other, below which percentiles of
resamples do not keep their level."""


class EffectiveCases(NamedTuple):
    """How many independent cases would make a rate as sure as clusters do, and their degrees of freedom."""

    n: Any
    df: float = np.inf

    def limits(self, share: Any, level: float) -> tuple[Floats, Floats]:
        """Wilson's limits, with Student's t where there are clusters."""
        return wilson_limits(np.asarray(share), self.n, t_quantile(self.df, level))


class Held(NamedTuple):
    """A rate that is held at some values, and the one that is read there.

    Attributes
    ----------
    at, value : float64 arrays
        The held rates, and the curve's own readings there.
    n_held, n_read : float
        How many cases either is a share of.
    read : callable
        The reading that leaves whole numbers of cases of the held class beyond the threshold.
    clustered : pair of EffectiveCases, optional
        Of the held rate and of the one that is read, where rows belong together.
    correlation : float64 array
        Of the two rates at one threshold: a cluster may have rows of both classes.
    """

    at: Floats
    value: Floats
    n_held: float
    n_read: float
    read: Callable[[Floats], Any]
    clustered: tuple[EffectiveCases, EffectiveCases] | None = None
    correlation: Any = 0.0


def score_limits(held: Held, level: float) -> tuple[Floats, Floats]:
    """Score limits of the rate at a known threshold, widened by how far the threshold may be off.

    Two distances from the estimate, to the limit of the rate and to the reading at the limit of the held
    rate, are combined like standard errors (Zou & Donner 2008). Where rows belong together both limits are of
    as many cases as would have the same variance, and errors of the two rates that go together cancel.
    """
    value = _expected(held, held.at)
    of_held, of_read = held.clustered or (EffectiveCases(held.n_held), EffectiveCases(held.n_read))
    own = of_read.limits(value, level)
    moved = [_expected(held, limit) for limit in of_held.limits(held.at, level)]
    below, above = (
        np.sqrt(np.maximum(a**2 + b**2 - 2 * held.correlation * a * b, 0.0))
        for a, b in ((value - own[0], value - moved[0]), (own[1] - value, moved[1] - value))
    )
    low, high = np.maximum(value - below, 0.0), np.minimum(value + above, 1.0)
    return np.minimum(low, held.value), np.maximum(high, held.value)


def _expected(held: Held, at: Floats) -> Floats:
    """The reading where the held rate is expected to be ``at``, between whole numbers of cases.

    A threshold at the k-th of n cases leaves a share of k / (n + 1) beyond it on average, so the best reading
    that a sample affords at k / n, just before the next case, is that of a rate nearer to (k + 1) / (n + 1).
    Left uncorrected, limits at k = 3 cover 83 % instead of 95 %.
    """
    beyond = (held.n_held + 1) * at - 1
    least = np.floor(np.round(beyond, 9))
    share = beyond - least
    ends = [
        np.where(k < 0, 0.0, np.where(k > held.n_held, 1.0, held.read(np.clip(k, 0, held.n_held))))
        for k in (least, least + 1)
    ]
    return np.asarray(ends[0] + share * (ends[1] - ends[0]))


def exact_limits(held: Held, alpha: float) -> tuple[Floats, Floats]:
    """Clopper-Pearson limits at the strictest and the loosest threshold that order statistics leave; wide.

    The cases of the held class beyond the true threshold are binomial. Half of alpha is spent on them, half
    on the rate.
    """
    from scipy.special import bdtr, bdtrik

    ends = []
    for share in (alpha / 4, 1 - alpha / 4):
        n = held.n_held
        beyond = np.ceil(bdtrik(share, n, held.at))
        fewer = np.maximum(beyond - 1, 0)
        beyond = np.where(bdtr(fewer, n, held.at) >= share, fewer, beyond)
        ends.append(np.where(held.at == 0, 0, np.where(held.at == 1, n, np.nan_to_num(beyond))))
    least, most = ends
    strict, loose = held.read(np.maximum(least - 1, 0)), held.read(np.minimum(most, held.n_held))
    low = clopper_pearson(strict, held.n_read, alpha / 2)[0]
    high = clopper_pearson(loose, held.n_read, alpha / 2)[1]
    return np.where(least > 0, low, 0.0), np.where(most >= held.n_held, 1.0, high)


def few_cases(held: Held, fewest: tuple[int, int] = FEWEST_CASES) -> Mask:
    """Where too few cases stand on one side of the threshold for resamples."""
    is_few = _rarer(held.at, held.n_held) < fewest[0]
    return np.asarray(is_few | (_rarer(held.value, held.n_read) < fewest[1]))


def _rarer(share: Floats, n: float) -> Floats:
    """Cases on the side where fewer are, whole numbers freed of rounding."""
    return np.round(n * np.minimum(share, 1 - share), 9)


def warn_of_few(held: Held, name: str, *remedies: Remedy, fewest: tuple[int, int] = FEWEST_CASES) -> None:
    """RS295 where too few cases stand on one side of the threshold."""
    is_few = few_cases(held, fewest)
    if is_few.any():
        first = int(np.argmax(is_few))
        warn(
            "RS295",
            name=name,
            at=held.at[first] if name == "FPR" else 1 - held.at[first],
            setting=_rarer(held.at, held.n_held)[first],
            others=_rarer(held.value, held.n_read)[first],
            fewest=fewest,
            ways=remedies,
        )


# Bands: limits around a curve or an average
# ------------------------------------------

Range = tuple[float, float]


def runs_of(at: Floats, chosen: Mask) -> tuple[Range, ...]:
    """Runs of chosen positions, each as its first and last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]])))
    return tuple((float(at[i]), float(at[j - 1])) for i, j in zip(edges[::2], edges[1::2], strict=True))


@dataclass(frozen=True, eq=False, repr=False)
class BandEdge(TableResult):
    """One side of a band, as a polyline; not clipped to the unit square."""

    fpr: Floats
    tpr: Floats

    def __repr__(self) -> str:
        return f"BandEdge({counted(self.fpr.size, 'point')})"


@dataclass(frozen=True, eq=False, repr=False)
class Band(Told, TableResult):
    """Limits around a curve or an average.

    Attributes
    ----------
    lower, upper : BandEdge
        The worse and the better side, point by point; the same number of points as ``middle``.
    middle : BandEdge
        The curve or average at the same positions.
    kind : str
        "pointwise", "simultaneous" or "prediction".
    confidence_level : float
        Of each point, of the whole band, or of one more group's curve at each point.
    factor : float
        What the standard error was multiplied by; NaN where there is no such factor, as with percentiles.
    fpr : (float, float) or None
        The declared range, where there is one.
    excluded : tuple of (float, float)
        Ranges of false positive rates left out: because most curves coincide there, or too few cases of one
        curve are on one side of the threshold to resample them.
    reading : str
        What the band promises.
    """

    lower: BandEdge
    upper: BandEdge
    middle: BandEdge
    kind: str
    confidence_level: float
    factor: float
    fpr: Range | None
    excluded: tuple[Range, ...]
    _sentence: str  # of show.sentences
    _about: Any  # what that sentence is about besides

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        for name in ("middle", "lower", "upper"):
            edge = getattr(self, name)
            prefix = "" if name == "middle" else f"{name}_"
            columns |= {f"{prefix}fpr": edge.fpr, f"{prefix}tpr": edge.tpr}
        return columns

    def __repr__(self) -> str:
        over = "" if self.fpr is None else f", fpr {self.fpr[0]:g} to {self.fpr[1]:g}"
        return f"Band({self.kind}, confidence level {self.confidence_level:g}{over})"


@dataclass(frozen=True, eq=False, repr=False)
class CurveBand(Band):
    """Limits around one curve.

    Attributes
    ----------
    method : str
        How they were made; the others as in :class:`Band`.
    """

    method: str = "score"

    def __repr__(self) -> str:
        return super().__repr__().replace("Band(", "CurveBand(")[:-1] + f", {self.method})"
