"""How the scores of both classes are spread: counts and shares in bins, with the curve they belong to."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.arrays import Counts, Floats
from rocsteady.counting.table import count_table
from rocsteady.curves.curve_set import refuse_undefined
from rocsteady.curves.from_scores import given_scores, is_score_set, roc_curve
from rocsteady.curves.readings import Rates
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail
from rocsteady.options import one_number, one_of, real_numbers, whole_number, yes_or_no
from rocsteady.results import Result, TableResult, read_only
from rocsteady.scores.columns import Columns
from rocsteady.scores.labels import NO_WORDS, Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.showing import Drawn, Said, Told, said
from rocsteady.words import counted


def _curves_of_set(score_set: ScoreSet, per_group: bool) -> tuple[RocCurve, RocCurve, dict[str, Any]]:
    """The curve that counts all cases, the one in which every group may count once, and facts about groups.

    RS002 if scores are of several models, RS032 if a class is missing.
    """
    if len(score_set.models) > 1:
        raise fail("RS002.densities", found=score_set, model=score_set.models[0])
    has_both, c = score_set.has_curve, score_set.columns
    if not has_both.any() and (
        per_group or not (score_set.n_positives.any() and score_set.n_negatives.any())
    ):
        raise refuse_undefined(score_set)
    facts: dict[str, Any] = {"unit": score_set.unit, "classes": score_set.classes}
    if not per_group:
        counts = _pooled(c, c.weights)
        return counts, counts, facts | {"n_groups": len(score_set), "undefined": ()}
    facts |= {"n_groups": int(has_both.sum()), "undefined": score_set.undefined}
    group = np.repeat(np.arange(c.n_groups), np.diff(c.offsets))
    rows = np.flatnonzero(has_both[group])
    kept = c.taken(rows, np.array([0, rows.size], dtype=np.int64))
    weights = np.ones(rows.size) if kept.weights is None else kept.weights
    cell = 2 * group[rows] + (kept.labels == kept.positive)
    # Where every group counts once, a row counts for its share of its class in its group.
    shares = weights / np.bincount(cell, weights=weights)[cell]
    return _pooled(kept, kept.weights), _pooled(kept, shares), facts


def _pooled(columns: Columns, weights: Floats | None) -> RocCurve:
    """One curve of all rows."""
    together = replace(columns, offsets=np.array([0, columns.n_rows], dtype=np.int64), weights=weights)
    return RocCurve._of_table(count_table(Scores.of_columns(together, NO_WORDS)))


# Which bins the scores of both classes are counted in
# ----------------------------------------------------

MOST_VALUES = 40
"""Different scores that get a bar each."""
_FEWEST, _MOST = 16, 60
"""Bins that are chosen by themselves."""
_MOST_ASKED = 10_000
_FENCE = 4.0
"""Inner ranges beyond which a score is far out."""
_MOST_HIDDEN = 0.01
"""Share of a class that may lie outside the bins at either end."""
_CLOSEST = 1e-12
"""Of the largest place on a scale: scores that differ by less have the same."""
_WORTH_CUTTING = 3.0
"""How many times wider the whole range must be before its ends are cut off."""


class Scale(NamedTuple):
    """How scores are spaced: from scores to the spacing, and back; between which scores must lie."""

    name: str
    forward: Callable[[Floats], Floats]
    backward: Callable[[Floats], Floats]
    lowest: float = -math.inf
    highest: float = math.inf


SCALES = {
    "linear": Scale("linear", np.asarray, np.asarray),
    "log": Scale("log", np.log10, lambda power: np.power(10.0, power), 0.0),
    "log-odds": Scale(
        "log-odds", lambda p: np.log(p) - np.log1p(-p), lambda odds: 1 / (1 + np.exp(-odds)), 0.0, 1.0
    ),
}


def _chosen_bins(
    values: Floats, shares: list[Floats], n_cases: list[float], bins: Any, scale: Scale
) -> tuple[Floats, Floats]:
    """Ends of the bins that were asked for, or that suit the scores; alike where a bar stands for a value.

    ``values`` are the different scores, rising; ``shares`` how much of each class has them, in any unit;
    ``n_cases`` how many cases of each class there are.
    """
    _require_on_scale(values, scale)
    has_place = np.isfinite(values) & (values > scale.lowest) & (values < scale.highest)
    values, shares = values[has_place], [own[has_place] for own in shares]
    if isinstance(bins, str) and bins == "values":
        if values.size > 50 * MOST_VALUES:
            raise fail("RS042.many-values", most=50 * MOST_VALUES, n=values.size)
        return values, values
    if isinstance(bins, str):
        raise fail("RS042.bins", found=bins)
    if bins is not None and np.ndim(bins):
        edges = real_numbers("bins", bins, example=30)
        is_list = edges.ndim == 1 and 2 <= edges.size <= _MOST_ASKED + 1
        if not (is_list and np.isfinite(edges).all() and (np.diff(edges) > 0).all()):
            raise fail("RS042.bin-ends", most=_MOST_ASKED + 1, found=bins)
        _require_on_scale(edges, scale)
        if not (scale.lowest < edges[0] and edges[-1] < scale.highest):
            raise fail("RS042.bins-end", scale=scale.name, low=edges[0], high=edges[-1])
        return edges[:-1], edges[1:]
    n_bins = 0 if bins is None else whole_number("bins", bins, least=1, example=30)
    if n_bins > _MOST_ASKED:
        raise fail("RS042.many-bins", most=_MOST_ASKED, found=n_bins)
    if values.size < 2 or (not n_bins and _is_counted_by_value(values, n_cases, scale)):
        return values, values
    places = scale.forward(values)
    if scale.name != "linear" and places[-1] - places[0] <= _CLOSEST * np.max(np.abs(places)):
        raise fail("RS042.too-close", scale=scale.name, low=float(values[0]), high=float(values[-1]))
    if n_bins:
        edges = np.asarray(scale.backward(_even(places[0], places[-1], n_bins)))
        edges[0], edges[-1] = values[0], values[-1]
        edges = np.unique(edges)
    else:
        low, high = _range(places, shares, n_cases)
        # At most four times the cube root of the cases of the smaller class.
        most = int(np.clip(math.ceil(4 * max(min(n_cases), 1.0) ** (1 / 3)), _FEWEST, _MOST))
        edges = np.unique(scale.backward(round_edges(low, high, most)))
        inside = values[(places >= low) & (places <= high)]
        # There and back again may have moved an end by its last digit.
        edges[0], edges[-1] = min(edges[0], inside[0]), max(edges[-1], inside[-1])
    return edges[:-1], edges[1:]


def _require_on_scale(values: Floats, scale: Scale) -> None:
    """RS042 if a score has no place on the scale; its two ends are infinitely far away, but legal."""
    finite = values[np.isfinite(values)]
    outside = finite[(finite < scale.lowest) | (finite > scale.highest)]
    if outside.size:
        where = "from 0 to 1" if scale.highest == 1 else "of 0 or more"
        raise fail("RS042.off-scale", scale=scale.name, where=where, found=outside[0])


def _is_counted_by_value(values: Floats, n_cases: list[float], scale: Scale) -> bool:
    """Whether several scores are so few, or so often the same, that each has a bar of its own."""
    if scale.name != "linear":
        return False
    is_whole = bool((values == np.floor(values)).all()) and values[-1] / 2 - values[0] / 2 < MOST_VALUES / 2
    return is_whole or (values.size <= MOST_VALUES and 3 * values.size <= sum(n_cases))


def _range(places: Floats, shares: list[Floats], n_cases: list[float]) -> tuple[float, float]:
    """From where to where bins are worth having, both classes considered."""
    fences = [_fences(places, own, n) for own, n in zip(shares, n_cases, strict=True) if own.any()]
    low = max(min(fence[0] for fence in fences), places[0])
    high = min(max(fence[1] for fence in fences), places[-1])
    if low < high and places[-1] / 8 - places[0] / 8 > _WORTH_CUTTING * (high / 8 - low / 8):
        inside = places[(places >= low) & (places <= high)]
        return float(inside[0]), float(inside[-1])
    return float(places[0]), float(places[-1])


def _fences(places: Floats, shares: Floats, n_cases: float) -> tuple[float, float]:
    """Beyond which a class has few cases, far from its bulk."""
    hidden = max(_MOST_HIDDEN, 1 / max(n_cases, 1))
    low, high = _quantile(places, shares, hidden), _quantile(places, shares, 1 - hidden)
    for tail in (0.25, 0.1, 0.05):
        left, right = _quantile(places, shares, tail), _quantile(places, shares, 1 - tail)
        if right > left:
            far = _FENCE * (right / 2 - left / 2) * 2
            return min(low, left - far), max(high, right + far)
    return low, high


def _quantile(places: Floats, shares: Floats, at: float) -> float:
    """The place with no more than ``at`` of a class below it, and no more than the rest above."""
    sums = np.cumsum(shares)
    # Above the middle the larger of two candidates would call the only far case of a class typical of it.
    side = "right" if at < 0.5 else "left"
    aim = at * sums[-1] * (1 + 1e-12 if at < 0.5 else 1 - 1e-12)
    vertex = int(np.searchsorted(sums, aim, side=side))  # type: ignore[call-overload]
    return float(places[min(vertex, places.size - 1)])


def round_edges(low: float, high: float, most: int) -> Floats:
    """Multiples of 1, 2 or 5 times a power of ten from ``low`` down to ``high`` up, in at most so many bins.

    >>> round_edges(0.03, 0.97, 12).tolist()
    [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    """
    width = high / most - low / most
    largest = max(abs(low), abs(high))
    if not (math.isfinite(width) and width > 1e-12 * largest and width > 1e-300 and largest < 1e300):
        return _even(low, high, most)
    power = math.floor(math.log10(width))
    digit = next(own for own in (1, 2, 5, 10) if own * 10.0**power >= width * (1 - 1e-12))
    step = digit * 10.0**power
    first, last = math.floor(low / step), math.ceil(high / step)
    # As text: 3 * 0.1 is not the 0.3 that scores are.
    edges = np.array([float(f"{digit * place}e{power}") for place in range(first, max(last, first + 1) + 1)])
    return edges[(edges > -math.inf) & (edges < math.inf)]


def _even(low: ArrayLike, high: ArrayLike, n_bins: int) -> Floats:
    """Evenly spaced ends; no difference is taken that may overflow."""
    part = np.linspace(0, 1, n_bins + 1)
    return np.asarray(np.multiply(low, 1 - part) + np.multiply(high, part))


# How the scores of both classes are spread: counts and shares in bins, with the curve they belong to
# ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class OutsideScores(Result):
    """Scores that no bin holds.

    Attributes
    ----------
    where : str
        For example ``"above 12"`` or ``"at -inf"``.
    side : {"low", "high"}
        Beyond which end of the bins.
    n_positives, n_negatives : int (float with weights)
        Cases there.
    positive_share, negative_share : float
        What share of each class they are.
    """

    where: str
    side: str
    n_positives: Any
    n_negatives: Any
    positive_share: float
    negative_share: float

    def __repr__(self) -> str:
        return f"OutsideScores({self.where}: {said('curves.cases_outside', self)})"


@dataclass(frozen=True, eq=False, repr=False)
class ScoreDensities(Told, Drawn, TableResult, figure="densities", sentence="curves.score_densities"):
    """How the scores of each class are spread, made by :func:`score_densities`.

    Attributes
    ----------
    low, high : float64 array
        Ends of the bins, rising. A bin holds the scores from ``low`` up to but not ``high`` (where low scores
        are positive: above ``low`` up to ``high``), the outermost also its own end, so that what lies beyond
        an end of a bin is what a threshold there calls positive. A bar that stands for one value has two
        ends alike.
    positives, negatives : int64 array (float64 with weights)
        Cases in each bin.
    positive_share, negative_share : float64 array
        What share of its class a bin holds; with ``per_group`` the mean over groups of their own shares.
    is_discrete : bool
        Whether each bar stands for one value.
    scale : {"linear", "log", "log-odds"}
        Along which bins that were not given are evenly wide.
    outside : tuple of OutsideScores
        What no bin holds: scores far from all others, and infinite ones.
    curve : RocCurve
        The curve of the same scores, counted in the same way: with ``per_group`` the threshold average.
    per_group : bool
        Whether every group counts once, instead of every case.
    n_groups, unit : int, str
        How many groups there are, and the word for one.
    undefined : tuple of str
        Groups that were left out because they lack a class, and why; only with ``per_group``.
    classes : Classes
        The words for the classes.
    """

    low: Floats
    high: Floats
    positives: Counts
    negatives: Counts
    positive_share: Floats
    negative_share: Floats
    is_discrete: bool
    scale: str
    outside: tuple[OutsideScores, ...]
    per_group: bool
    n_groups: int
    unit: str
    undefined: tuple[str, ...]
    classes: Classes
    curve: RocCurve

    @property
    def higher_is_positive(self) -> bool:
        """Whether high scores speak for the positive class."""
        return self.curve.higher_is_positive

    def rates_at(self, threshold: ArrayLike, rule: str | None = None) -> Rates:
        """The share of each class that a threshold calls positive; see :meth:`RocCurve.rates_at`."""
        return self.curve.rates_at(threshold, rule)

    def place(self, score: ArrayLike) -> Floats:
        """Where a score stands along the scale: itself, its logarithm (of base 10) or its log-odds."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(SCALES[self.scale].forward(np.asarray(score, dtype=np.float64)))

    @property
    def positive_density(self) -> Floats:
        """Share of the positives in each bin over its width along the scale; of a single value its share."""
        return self.positive_share / self._widths()

    @property
    def negative_density(self) -> Floats:
        """Share of the negatives in each bin over its width along the scale; of a single value its share."""
        return self.negative_share / self._widths()

    @property
    def is_even(self) -> bool:
        """Whether all bins are as wide along the scale, so that shares show the shape."""
        widths = self._widths()
        return bool(np.allclose(widths, widths[:1], rtol=1e-6, atol=0.0))

    def smooth(self, bandwidth: float | None = None) -> SmoothDensities:
        """Gaussian kernel estimates of both densities along the scale.

        Scores that no bin holds are left out: the area under a curve is the share of the class in the bins.
        An estimate is above 0 a little beyond the outermost bins. Where all scores lie between 0 and 1 it
        stays there, too: what would lie beyond an end is reflected.

        Parameters
        ----------
        bandwidth : float, optional
            Standard deviation of the kernel, in units of the scale; by default that of Silverman's rule,
            0.9 min(sd, inner range / 1.349) n^(-1/5), for each class by itself.

        Returns
        -------
        SmoothDensities

        Raises
        ------
        UsageError
            RS042 for a bandwidth that is not above 0, and where each bar stands for one value: a kernel
            would show scores between them, which there are not.

        References
        ----------
        B. W. Silverman, Density estimation for statistics and data analysis, Chapman and Hall 1986, sections
        2.10 and 3.4.2.

        Examples
        --------
        >>> import rocsteady as rs
        >>> labels, scores = rs.simulate.binormal(300, 300, separation=1.5, seed=1)
        >>> rs.score_densities(labels, scores).smooth()
        SmoothDensities(513 places, bandwidths 0.253 of positives, 0.28 of negatives)
        """
        if bandwidth is not None:
            bandwidth = one_number("bandwidth", bandwidth, example=0.2)
            if not (bandwidth > 0 and math.isfinite(bandwidth)):
                ways = [Option("bandwidth", 0.2)]
                raise fail("RS042", name="bandwidth", where="above 0", found=bandwidth, ways=ways)
        if self.is_discrete:
            raise fail("RS042.not-smooth", n=self.low.size)
        low, high = float(self.place(self.low[0])), float(self.place(self.high[-1]))
        half = high / 2 - low / 2  # of a range that may be no float
        values = self.place(self.curve.thresholds[1:])
        is_inside = (values >= low) & (values <= high)
        along = (values[is_inside] / 2 - low / 2) / half
        shares = [np.diff(own)[is_inside] for own in (self.curve.tpr, self.curve.fpr)]
        n_cases = float(self.positives.sum()), float(self.negatives.sum())
        widths = [
            _silverman(along, own, n) if bandwidth is None else bandwidth / 2 / half
            for own, n in zip(shares, n_cases, strict=True)
        ]
        ends = (-math.inf, math.inf)
        if self.scale == "linear" and values.min() >= 0 and values.max() <= 1:
            ends = (0.5 * (0 - low) / half, 0.5 * (1 - low) / half)
        grid, positive, negative = _kernel_densities(along, shares, widths, ends)
        with np.errstate(over="ignore"):  # of a range that is hardly one, or hardly a float
            place, up, down = 2 * (low / 2 + grid * half), positive / 2 / half, negative / 2 / half
        first, second = (2 * half * width for width in widths)
        return SmoothDensities(read_only(place), read_only(up), read_only(down), first, second)

    def _widths(self) -> Floats:
        if self.is_discrete:
            return np.ones(self.low.size)
        return np.asarray(self.place(self.high) - self.place(self.low))

    what_counts = Said("curves.what_counts")
    """What counts once: ``"23 hosts, each counting once"`` or ``"18 590 cases of 23 hosts"``."""

    _in_frame = "low, high, positives, negatives, positive_share, negative_share"
    _untold = ("curve",)

    def __repr__(self) -> str:
        n = self.low.size
        what = [counted(n, "value" if self.is_discrete else "bin")]
        if n:
            what[0] += f" from {self.low[0]:.4g} to {self.high[-1]:.4g}"
        what.append(self.what_counts)
        hidden = sum(own.n_positives + own.n_negatives for own in self.outside)
        if hidden:
            what.append(f"{said('curves.number_of', hidden, 'case')} outside")
        return f"ScoreDensities({', '.join(what)})"


@dataclass(frozen=True, eq=False, repr=False)
class SmoothDensities(TableResult):
    """Kernel estimates of the densities of both classes, made by :meth:`ScoreDensities.smooth`.

    Attributes
    ----------
    place : float64 array
        Rising, along the scale of the densities: scores, their logarithms or their log-odds.
    positive, negative : float64 array
        Densities there, in shares of the class for a unit of the scale.
    positive_bandwidth, negative_bandwidth : float
        Standard deviations of the kernels.
    """

    place: Floats
    positive: Floats
    negative: Floats
    positive_bandwidth: float
    negative_bandwidth: float

    _line = (
        "{place:count place}, bandwidths {positive_bandwidth:.3g} of positives, "
        "{negative_bandwidth:.3g} of negatives"
    )
    _in_frame = "place, positive, negative"


_N_CELLS = 512
"""Between the ends of a kernel estimate; its curve has a place at each end of a cell."""
_NARROW = 0.02
"""Bandwidth, as a share of the range, of a class whose cases all have one score."""


def _silverman(values: Floats, shares: Floats, n: float) -> float:
    """A bandwidth for values from 0 to 1 with these shares of a class of n cases."""
    total = float(shares.sum())
    if not total:
        return _NARROW
    order = np.argsort(values)
    at, sums = values[order], np.cumsum(shares[order]) / total
    mean = float((shares * values).sum() / total)
    sd = math.sqrt(float((shares * (values - mean) ** 2).sum() / total) * n / max(n - 1.0, 1.0))
    first, third = at[np.searchsorted(sums, [0.25, 0.75]).clip(max=at.size - 1)]
    inner = float(third - first) / 1.349
    return 0.9 * (min(sd, inner) if inner > 0 else sd) * n**-0.2 or _NARROW


def _kernel_densities(
    values: Floats, shares: list[Floats], widths: list[float], ends: tuple[float, float]
) -> tuple[Floats, ...]:
    """A grid, and the density of each class there: shares of values from 0 to 1, spread by the kernel.

    A value between two places of the grid counts at both, at the nearer one more. What the kernel takes
    beyond the ``ends`` of the scale is reflected.
    """
    room, n = 3.0 * max(*widths, 1 / _N_CELLS), _N_CELLS + 1
    low, high = max(-room, ends[0]), min(1 + room, ends[1])
    grid = np.linspace(low, high, n)
    step = float(grid[1] - grid[0])
    left = np.clip(((values - grid[0]) / step).astype(np.intp), 0, _N_CELLS - 1)
    part = (values - grid[left]) / step
    away = step * np.arange(-_N_CELLS, n)
    found = []
    for own, width in zip(shares, widths, strict=True):
        mass = np.bincount(left, own * (1 - part), n) + np.bincount(left + 1, own * part, n)
        kernel = np.exp(-0.5 * (away / max(width, step / 2)) ** 2)  # narrower than a cell, it keeps its mass
        spread = np.convolve(mass, kernel / (kernel.sum() * step))
        density = spread[_N_CELLS : _N_CELLS + n]
        if low == ends[0]:
            density = density + spread[_N_CELLS::-1]
        if high == ends[1]:
            density = density + spread[: -n - 1 : -1]
        found.append(density)
    return grid, *found


def score_densities(
    labels: object,
    scores: object = None,
    *,
    bins: object = None,
    scale: str = "linear",
    per_group: bool = False,
    positive: object = None,
    sample_weight: object = None,
    higher_is_positive: bool = True,
) -> ScoreDensities:
    """Count how the scores of the two classes are spread, in bins that suit them.

    Scores that take few values get a bar for each. Otherwise bins have round ends, and a few scores far from
    all others do not stretch them: at most one in a hundred cases of a class, or one, lies outside at either
    end, and ``.outside`` says how many. Infinite scores are counted there too.

    Parameters
    ----------
    labels : ScoreSet, Scores, RocCurve, or array-like
        The scores of one model; or labels, followed by scores, as for :func:`rocsteady.roc_curve`. A set of
        groups is counted together.
    scores : array-like, optional
        One per label.
    bins : int, array-like or "values", optional
        How many bins from the lowest to the highest score, their ends, or one bar for each value.
    scale : {"linear", "log", "log-odds"}
        Along which bins are evenly wide: scores, logarithms of scores that are not negative, or log-odds of
        scores between 0 and 1, which spreads out probabilities close to 0 and 1. Scores of exactly 0 (or 1)
        have no place on such a scale and are in ``.outside``.
    per_group : bool
        True: every group counts once, as in the threshold average; groups that lack a class are left out.
        False: every case counts once, as in the pooled curve.
    positive, sample_weight, higher_is_positive
        As in :func:`rocsteady.roc_curve`, where labels and scores are given.

    Returns
    -------
    ScoreDensities

    Raises
    ------
    UsageError
        RS002 for several models, or anything else that has no scores; RS042 for bins that are none, or scores
        that have no place on the scale.
    DataError
        RS024 or RS032 if a class is missing.

    Examples
    --------
    >>> import rocsteady as rs
    >>> ratings = rs.score_densities([1, 1, 1, 0, 0, 0], [5, 4, 4, 4, 2, 1])
    >>> ratings
    ScoreDensities(4 values from 1 to 5, 6 cases)
    >>> ratings.low.tolist(), ratings.positives.tolist(), ratings.negatives.tolist()
    ([1.0, 2.0, 4.0, 5.0], [0, 0, 2, 1], [1, 1, 1, 0])
    >>> rs.score_densities([1, 0, 1, 0], [0.9, 0.2, 0.6, 0.4], bins=[0, 0.5, 1]).positive_share.tolist()
    [0.0, 1.0]
    """
    one_of("scale", scale, tuple(SCALES))
    per_group = yes_or_no("per_group", per_group)
    facts: dict[str, Any] = {"n_groups": 1, "unit": "group", "undefined": (), "classes": NO_WORDS}
    if is_score_set(labels) and scores is None:
        counted_once, curve, facts = _curves_of_set(labels, per_group)
    elif isinstance(labels, RocCurve) and scores is None:
        counted_once = curve = labels
    else:
        given = given_scores("score_densities", labels, scores, positive, sample_weight, higher_is_positive)
        counted_once = curve = roc_curve(given)
        facts["classes"] = given.classes
    if facts["n_groups"] == 1:  # which counts once in any case
        per_group, curve = False, counted_once
    # Vertices are counted into bins: two integers may share a value as floats.
    along = SCALES[scale]
    values, place = np.unique(counted_once.thresholds[1:], return_inverse=True)
    counts, weighed = (
        [_summed(np.maximum(np.diff(own), 0), place.ravel(), values.size) for own in cumulated]
        for cumulated in (
            (counted_once.true_positives, counted_once.false_positives),
            (curve.true_positives, curve.false_positives),
        )
    )
    low, high = _chosen_bins(values, weighed, [float(own.sum()) for own in counts], bins, along)
    is_discrete = np.array_equal(low, high)
    bin_of = _bin_of(values, low, high, curve.higher_is_positive, along)
    inside = (bin_of >= 0) & (bin_of < low.size)
    in_bins = [read_only(_summed(own[inside], bin_of[inside], low.size)) for own in (*counts, *weighed)]
    return ScoreDensities(
        low=read_only(low.copy()),
        high=read_only(high.copy()),
        positives=in_bins[0],
        negatives=in_bins[1],
        positive_share=read_only(in_bins[2] / curve.n_positives),
        negative_share=read_only(in_bins[3] / curve.n_negatives),
        is_discrete=is_discrete,
        scale=scale,
        outside=_outside(values, counts, weighed, (low, high), bin_of, along),
        per_group=per_group,
        **facts,
        curve=curve,
    )


def _summed(counts: Counts, place: NDArray[np.intp], n: int) -> Counts:
    sums = np.zeros(n, dtype=counts.dtype)
    np.add.at(sums, place, counts)
    return sums


def _bin_of(
    values: Floats, low: Floats, high: Floats, higher_is_positive: bool, scale: Scale
) -> NDArray[np.intp]:
    """The bin of each value; -1 below all of them, their number above all."""
    n = low.size
    if np.array_equal(low, high):
        found = np.searchsorted(low, values)
        is_below = found == 0 if n else values <= scale.lowest  # without bins only ends of the scale are left
        return np.where(np.isin(values, low), found, np.where(is_below, -1, n))
    edges = np.append(low, high[-1])
    found = np.searchsorted(edges, values, side="right" if higher_is_positive else "left") - 1
    found[values == edges[0]], found[values == edges[-1]] = 0, n - 1
    # The ends of a scale are infinitely far away, whatever ends were given for the bins.
    found[values == scale.lowest], found[values == scale.highest] = -1, n
    return np.asarray(found)


def _outside(
    values: Floats,
    counts: list[Counts],
    weighed: list[Counts],
    bins: tuple[Floats, Floats],
    bin_of: NDArray[np.intp],
    scale: Scale,
) -> tuple[OutsideScores, ...]:
    """Cases in no bin: below and above all of them, at the end of a scale, at either infinity."""
    is_end = ~np.isfinite(values) | (values == scale.lowest) | (values == scale.highest)
    found = []
    for side, beyond in (("low", bin_of < 0), ("high", bin_of >= bins[0].size)):
        alone = [(f"at {values[own]:g}", [int(own)]) for own in np.flatnonzero(beyond & is_end)]
        rest = np.flatnonzero(beyond & ~is_end).tolist()
        if rest:
            alone.append((f"below {bins[0][0]:.4g}" if side == "low" else f"above {bins[1][-1]:.4g}", rest))
        for where, chosen in sorted(alone, key=lambda own: own[1]):
            n_positives, n_negatives = (own[chosen].sum().item() for own in counts)
            own_shares = (float(own[chosen].sum() / own.sum()) for own in weighed)
            found.append(OutsideScores(where, side, n_positives, n_negatives, *own_shares))
    return tuple(found)


# Where the scores of every group lie
# -----------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class ScoreQuantiles(TableResult):
    """Quantiles of the scores of every group and class, made by :func:`score_quantiles`.

    Attributes
    ----------
    unit : str
        The word for a group.
    groups : tuple of str
        Their names.
    shares : tuple of float
        Of which the quantiles are.
    positives, negatives : (groups, shares) float64 array
        Scores that were given, none between two of them; NaN where a group lacks the class.
    higher_is_positive : bool
        Whether high scores speak for the positive class.
    """

    unit: str
    groups: tuple[str, ...]
    shares: tuple[float, ...]
    positives: Floats
    negatives: Floats
    higher_is_positive: bool

    _line = "{groups:count {unit}}, quantiles {shares:list}"

    def _columns(self) -> dict[str, Any]:
        both = (("positives", self.positives), ("negatives", self.negatives))
        columns: dict[str, Any] = {self.unit: self.groups}
        for name, values in both:
            columns |= {f"{name} {share:g}": values[:, k] for k, share in enumerate(self.shares)}
        return columns


def score_quantiles(
    score_set: ScoreSet, shares: tuple[float, ...] = (0.05, 0.25, 0.5, 0.75, 0.95)
) -> ScoreQuantiles:
    """Quantiles of the scores of each class in every group, weights counted.

    Parameters
    ----------
    score_set : ScoreSet
        Of one model.
    shares : tuple of float
        Rising, from 0 to 1.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 1, 0, 0, 0], [4, 2, 3, 1, 2]), ([1, 0], [9, 7])])
    >>> score_quantiles(folds, (0.5,)).negatives.tolist()
    [[2.0], [7.0]]
    """
    c = score_set.columns
    group = np.repeat(np.arange(c.n_groups), np.diff(c.offsets))
    scores = np.asarray(c.scores, dtype=np.float64)
    order = np.lexsort((scores, group))
    is_positive = (c.labels == c.positive)[order]
    found = {}
    for name, chosen in (("positives", order[is_positive]), ("negatives", order[~is_positive])):
        ends = np.searchsorted(group[chosen], np.arange(c.n_groups + 1))
        weights = np.ones(chosen.size) if c.weights is None else c.weights[chosen]
        sums = np.concatenate([[0.0], np.cumsum(weights)])
        totals = sums[ends[1:]] - sums[ends[:-1]]
        aims = sums[ends[:-1], None] + np.asarray(shares) * totals[:, None]
        place = np.searchsorted(sums[1:], aims * (1 - 1e-12), side="left")
        place = np.clip(place, ends[:-1, None], np.maximum(ends[1:, None] - 1, 0))
        quantiles = np.full(aims.shape, np.nan)
        has_any = totals > 0
        quantiles[has_any] = scores[chosen][place[has_any]]
        found[name] = read_only(quantiles)
    return ScoreQuantiles(
        score_set.unit,
        score_set.groups,
        tuple(shares),
        **found,
        higher_is_positive=score_set.higher_is_positive,
    )
