"""How the scores of both classes are spread: counts and shares in bins, with the curve they belong to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import one_of, yes_or_no
from rocsteady.counting.results import Result, TableResult, read_only
from rocsteady.curves.density_bins import SCALES, Bins, Scale, chosen_bins
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.given import given_scores, is_score_set
from rocsteady.curves.heaped_scores import Spread, spread_of_set
from rocsteady.curves.reading import Rates
from rocsteady.curves.roc import RocCurve
from rocsteady.scores.labels import NO_WORDS, Classes
from rocsteady.showing import Drawn
from rocsteady.words import counted, listed, plural, printable

Floats = NDArray[np.float64]
Counts = NDArray[Any]


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
        return f"OutsideScores({self.where}: {self._cases()})"

    def _cases(self) -> str:
        both = ((self.n_positives, "positive"), (self.n_negatives, "negative"))
        return " and ".join(_number_of(n, word) for n, word in both if n > 0)


@dataclass(frozen=True, eq=False, repr=False)
class ScoreDensities(Drawn, TableResult, figure="densities"):
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
    _curve: RocCurve

    @property
    def curve(self) -> RocCurve:
        """The ROC curve that goes with these shares."""
        return self._curve

    @property
    def higher_is_positive(self) -> bool:
        """Whether high scores speak for the positive class."""
        return self._curve.higher_is_positive

    def rates_at(self, threshold: ArrayLike, rule: str | None = None) -> Rates:
        """The share of each class that a threshold calls positive; see :meth:`RocCurve.rates_at`."""
        return self._curve.rates_at(threshold, rule)

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

    def _widths(self) -> Floats:
        if self.is_discrete:
            return np.ones(self.low.size)
        return np.asarray(self.place(self.high) - self.place(self.low))

    @property
    def what_counts(self) -> str:
        """What counts once: ``"23 hosts, each counting once"`` or ``"18 590 cases of 23 hosts"``."""
        unit = printable(self.unit)
        if self.per_group:
            return f"{counted(self.n_groups, unit)}, each counting once"
        totals = (self._curve.n_positives, self._curve.n_negatives)
        if self._curve.is_weighted:
            cases = f"cases of weight {sum(totals):.6g}"
        else:
            cases = counted(int(sum(totals)), "case")
        return cases if self.n_groups == 1 else f"{cases} of {counted(self.n_groups, unit)}"

    @property
    def reading(self) -> str:
        """What the shares are shares of, and what is not in the bins."""
        unit, n = printable(self.unit), self.low.size
        bins = counted(n, "value") if self.is_discrete else counted(n, "bin")
        if n:
            bins += f" of scores from {self.low[0]:.4g} to {self.high[-1]:.4g}"
        sentences = (
            [f"Shares of each class in {bins} ({self.what_counts})."] if n else ["No score is finite."]
        )
        if self.outside:
            sentences.append(f"Outside lie {listed([f'{o._cases()} {o.where}' for o in self.outside])}.")
        if self.undefined:
            sentences.append(f"{counted(len(self.undefined), unit)} of one class left out.")
        return " ".join(sentences)

    def to_dict(self) -> dict[str, Any]:
        """The shares as plain data that JSON can carry."""
        return super().to_dict() | {"outside": [own.to_dict() for own in self.outside]}

    def _columns(self) -> dict[str, Any]:
        names = ("low", "high", "positives", "negatives", "positive_share", "negative_share")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        n = self.low.size
        what = [counted(n, "value" if self.is_discrete else "bin")]
        if n:
            what[0] += f" from {self.low[0]:.4g} to {self.high[-1]:.4g}"
        what.append(self.what_counts)
        hidden = sum(own.n_positives + own.n_negatives for own in self.outside)
        if hidden:
            what.append(f"{_number_of(hidden, 'case')} outside")
        return f"ScoreDensities({', '.join(what)})"


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
    if is_score_set(labels) and scores is None:
        spread = spread_of_set(labels, per_group)
    elif isinstance(labels, RocCurve) and scores is None:
        spread = Spread(labels, labels, 1, "group", (), NO_WORDS)
    else:
        given = given_scores(
            "score_densities",
            labels,
            scores,
            positive=positive,
            sample_weight=sample_weight,
            higher_is_positive=higher_is_positive,
        )
        curve = roc_curve(given)
        spread = Spread(curve, curve, 1, "group", (), given.classes)
    return _binned(spread, bins, SCALES[scale], per_group)


def _binned(spread: Spread, bins: object, scale: Scale, per_group: bool) -> ScoreDensities:
    """Count the vertices of the curves into bins."""
    values, place = np.unique(spread.counts.thresholds[1:], return_inverse=True)
    counts = [_per_value(own, place, values.size) for own in _both(spread.counts)]
    weighed = [_per_value(own, place, values.size) for own in _both(spread.curve)]
    found = chosen_bins(values, weighed, [float(own.sum()) for own in counts], bins, scale)
    bin_of = _bin_of(values, found, spread.counts.higher_is_positive, scale)
    n_bins = found.low.size
    inside = (bin_of >= 0) & (bin_of < n_bins)
    in_bins = [_summed(own[inside], bin_of[inside], n_bins) for own in (*counts, *weighed)]
    shares = [own / total[-1] for own, total in zip(in_bins[2:], _both(spread.curve), strict=True)]
    return ScoreDensities(
        low=read_only(found.low.copy()),
        high=read_only(found.high.copy()),
        positives=read_only(in_bins[0]),
        negatives=read_only(in_bins[1]),
        positive_share=read_only(shares[0]),
        negative_share=read_only(shares[1]),
        is_discrete=found.is_discrete,
        scale=scale.name,
        outside=_outside(values, counts, weighed, found, bin_of, scale),
        per_group=per_group,
        n_groups=spread.n_groups,
        unit=spread.unit,
        undefined=spread.undefined,
        classes=spread.classes,
        _curve=spread.curve,
    )


def _both(curve: RocCurve) -> tuple[Counts, Counts]:
    return curve.true_positives, curve.false_positives


def _per_value(cumulated: Counts, place: NDArray[np.intp], n_values: int) -> Counts:
    """Cases of a class at each different score; two integers may share one as floats."""
    return _summed(np.maximum(np.diff(cumulated), 0), place.ravel(), n_values)


def _summed(counts: Counts, place: NDArray[np.intp], n: int) -> Counts:
    sums = np.zeros(n, dtype=counts.dtype)
    np.add.at(sums, place, counts)
    return sums


def _bin_of(values: Floats, bins: Bins, higher_is_positive: bool, scale: Scale) -> NDArray[np.intp]:
    """The bin of each value; -1 below all of them, their number above all."""
    n = bins.low.size
    if bins.is_discrete:
        found = np.searchsorted(bins.low, values)
        is_one = np.isin(values, bins.low)
        is_below = found == 0 if n else values <= scale.lowest  # without bins only ends of the scale are left
        return np.where(is_one, found, np.where(is_below, -1, n))
    edges = np.append(bins.low, bins.high[-1])
    found = np.searchsorted(edges, values, side="right" if higher_is_positive else "left") - 1
    found[values == edges[0]], found[values == edges[-1]] = 0, n - 1
    # The ends of a scale are infinitely far away, whatever ends were given for the bins.
    found[values == scale.lowest], found[values == scale.highest] = -1, n
    return np.asarray(found)


def _outside(
    values: Floats,
    counts: list[Counts],
    weighed: list[Counts],
    bins: Bins,
    bin_of: NDArray[np.intp],
    scale: Scale,
) -> tuple[OutsideScores, ...]:
    """Cases in no bin: below and above all of them, at the end of a scale, at either infinity."""
    n = bins.low.size
    is_end = ~np.isfinite(values) | (values == scale.lowest) | (values == scale.highest)
    found = []
    for side, beyond in (("low", bin_of < 0), ("high", bin_of >= n)):
        alone = [(f"at {values[own]:g}", [int(own)]) for own in np.flatnonzero(beyond & is_end)]
        rest = np.flatnonzero(beyond & ~is_end).tolist()
        if rest:
            alone.append(
                (f"below {bins.low[0]:.4g}" if side == "low" else f"above {bins.high[-1]:.4g}", rest)
            )
        for where, chosen in sorted(alone, key=lambda own: own[1]):
            n_positives, n_negatives = (own[chosen].sum().item() for own in counts)
            own_shares = (float(own[chosen].sum() / own.sum()) for own in weighed)
            found.append(OutsideScores(where, side, n_positives, n_negatives, *own_shares))
    return tuple(found)


def _number_of(n: float, word: str) -> str:
    return counted(n, word) if isinstance(n, int) else f"weight {n:.4g} of {plural(word)}"
