"""How scores are spread, to be drawn: densities of both classes, and a strip for every shown group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.densities import round_edges, score_densities
from rocsteady.report.summary.vocabulary import MINUS
from rocsteady.scores.score_set import ScoreSet
from rocsteady.show.sentences.curves import cases_outside

Floats = NDArray[np.float64]

STRIP = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Of the negatives; the median of the positives follows."""
_MOST_TICKS = 6


@dataclass(frozen=True, eq=False)
class Densities:
    """How the scores of both classes are spread; every group counts the same.

    Attributes
    ----------
    edges : float64 array (B + 1)
        Of the bins, rising; around each value where scores take few.
    negative, positive : float64 arrays (B,)
        Height over each bin: the share of the class in it, by its width.
    is_discrete : bool
        Whether each bin stands for one value.
    outside : tuple of str
        What no bin holds, in words: infinite scores, and a few far away.
    """

    edges: Floats
    negative: Floats
    positive: Floats
    is_discrete: bool
    outside: tuple[str, ...]


@dataclass(frozen=True)
class ScoreAxis:
    """Where an axis of scores begins and ends, and its marks with their words."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def quantised(self, scores: Floats) -> NDArray[np.uint16]:
        """Scores as 0 to 65535 from end to end; what lies beyond stands at the end."""
        share = (np.clip(scores, self.low, self.high) - self.low) / (self.high - self.low)
        return np.round(65535 * share).astype(np.uint16)


def densities_of(own: ScoreSet) -> Densities:
    """The densities of one model."""
    found = score_densities(own, per_group=True)
    edges = _around(found.low) if found.is_discrete else np.append(found.low, found.high[-1])
    if not found.low.size:  # infinite scores only
        edges, nothing = np.array([0.0, 1.0]), np.zeros(1)
        heights = nothing, nothing
    else:
        widths = np.diff(edges)
        heights = found.negative_share / widths, found.positive_share / widths
    outside = tuple(f"{own.where}: {cases_outside(own).plain()}" for own in found.outside)
    return Densities(edges, *heights, found.is_discrete, outside)


def _around(values: Floats) -> Floats:
    """Edges of bins that hold one value each."""
    if values.size < 2:
        return np.array([values[0] - 0.5, values[0] + 0.5]) if values.size else values
    middles = (values[1:] + values[:-1]) / 2
    ends = values[[0, -1]] + np.array([-1, 1]) * (values[[1, -1]] - values[[0, -2]]) / 2
    return np.concatenate([ends[:1], middles, ends[1:]])


def axis_of(densities: Densities) -> ScoreAxis:
    """An axis as wide as the densities."""
    low, high = float(densities.edges[0]), float(densities.edges[-1])
    if not high > low:
        high = float(np.nextafter(low, np.inf))
    ticks = [tick for tick in round_edges(low, high, _MOST_TICKS).tolist() if low <= tick <= high]
    return ScoreAxis(low, high, tuple((tick, f"{tick + 0.0:g}".replace("-", MINUS)) for tick in ticks))


def strips_of(own: ScoreSet, names: tuple[str, ...]) -> Floats:
    """Quantiles of the negatives and the median of the positives, ``(n, 6)``; NaN where there are none."""
    member = {own.groups[group]: i for i, group in enumerate(own.group_index.tolist())}
    found = np.full((len(names), len(STRIP) + 1), np.nan)
    for row, name in enumerate(names):
        if name not in member:
            continue
        start, stop = own.columns.offsets[member[name] : member[name] + 2]
        scores = own.columns.scores[start:stop]
        weights = None if own.columns.weights is None else own.columns.weights[start:stop]
        is_positive = own.columns.labels[start:stop] == own.columns.positive
        for chosen, at, place in (
            (~is_positive, STRIP, slice(0, -1)),
            (is_positive, (0.5,), slice(-1, None)),
        ):
            if chosen.any():
                found[row, place] = _quantiles(
                    scores[chosen], None if weights is None else weights[chosen], at
                )
    return found


def _quantiles(scores: NDArray[np.generic], weights: Floats | None, at: tuple[float, ...]) -> Floats:
    """The smallest scores that so large a share is at or below; never between two, which may be infinite."""
    order = np.argsort(scores, kind="stable")
    reached = np.arange(1, order.size + 1) if weights is None else np.cumsum(weights[order])
    place = np.searchsorted(reached, np.array(at) * reached[-1] * (1 - 1e-12))
    return np.asarray(scores[order[np.minimum(place, order.size - 1)]], dtype=np.float64)
