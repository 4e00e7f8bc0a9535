"""``winner_map``: who wins where, with confidence for the whole range at once.

What a model is worth at a position is the larger the better, in units a reader knows: the true positive rate
where the false positive rate or the number of alerts is held, the false positive rate (negative) where the
true positive rate is, and the expected cost per case (negative) where every group is tuned to the costs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, groupby
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Floats, Indices
from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import (
    AtAlarmRate,
    Horizontal,
    Method,
    Pooled,
    Tangent,
    Threshold,
    Vertical,
    method_of,
)
from rocsteady.averaging.radial_tangent import TangentAverage
from rocsteady.averaging.shared_threshold import SharedThresholdAverage, rates_of_groups
from rocsteady.calling import welcomes
from rocsteady.curves.intervals import runs_of
from rocsteady.curves.readings import hull_vertices, read_path
from rocsteady.errors import Option, fail, warn
from rocsteady.inference.compare_over_cases import (
    fewest_cases,
    judged,
    largest_deviations,
    read_resamples,
    require_cases,
)
from rocsteady.inference.compare_over_groups import Side, warn_of_skew
from rocsteady.inference.matching import (
    Paired,
    chosen_pairs,
    common_groups,
    paired_models,
    rows_in_order,
)
from rocsteady.options import (
    How,
    one_of,
    open_share,
    rate_range,
    real_numbers,
)
from rocsteady.results import Result, TableResult
from rocsteady.scores.design import Design, Random
from rocsteady.showing import Drawn, Told
from rocsteady.statistics.folds import ratio_of
from rocsteady.statistics.group_permutation import max_t
from rocsteady.statistics.resampling import Readings
from rocsteady.words import counted, plural

_OVER = ("fpr", "tpr", "costs", "alerts")
_USUAL = {"fpr": (0.02, 0.5), "tpr": (0.5, 0.98), "costs": ((1.0, 2.0), (1.0, 20.0))}
_NEEDS_PREVALENCE = ("costs", "alerts")
_N_POSITIONS = 200
_NOTHING = 1e-12
"""Of the largest value: a smaller difference is a rounding error, and must not seem to change sides."""
_UNITS = 2.0**30
"""Rates are rounded to these parts, so that hulls of sums are found in whole numbers."""
_MANY_LEVELS = 30
_LOST_BY_LEVELS = 0.03
"""Of the AUC, where all groups share a threshold: then their levels of scores differ much."""
_FEWEST_TO_TUNE = 20
"""Cases of the rarer class in the median group; with fewer, its best threshold is much a matter of luck."""


@dataclass(frozen=True)
class Region:
    """A part of the declared range, from ``low`` to ``high``.

    A region that somebody wins starts and ends at positions that were compared, so what lies between two is
    undecided: its ``winner`` is None.
    """

    low: float
    high: float
    winner: str | None


@dataclass(frozen=True, eq=False, repr=False)
class PairDifference(Result):
    """The difference of two models at every position of a winner map.

    Attributes
    ----------
    a, b : str
        The models.
    advantage : float64 array
        Mean over groups, positive where ``a`` is better: TPR gained, FPR saved, or cost per case saved. (A
        difference from :func:`rocsteady.compare` is ``a`` less ``b`` in what was measured, also of FPRs.)
    lower, upper : float64 array
        Confidence limits for all positions, and all pairs of models, at once. NaN where positions were left
        out, infinite with too few groups, the difference itself where all groups differ by the same.
    crossings : tuple of float
        Where the mean difference changes its sign; exact, not on a grid.
    """

    _line = "{a} - {b}"
    a: str
    b: str
    advantage: Floats
    lower: Floats
    upper: Floats
    crossings: tuple[float, ...]

    @property
    def decided(self) -> NDArray[np.int8]:
        """1 where ``a`` is better, -1 where ``b`` is, 0 where that is undecided."""
        return np.asarray((self.lower > 0).astype(np.int8) - (self.upper < 0).astype(np.int8))


@dataclass(frozen=True, eq=False, repr=False)
class Lead(Result):
    """How far a model is ahead of the best of all others, at every position of a winner map.

    Attributes
    ----------
    model : str
        The model.
    advantage : float64 array
        The least of its mean advantages over the others: negative where another one is ahead.
    lower, upper : float64 array
        The least of their limits, which hold together, too: the model wins where ``lower`` is above 0.
    """

    model: str
    advantage: Floats
    lower: Floats
    upper: Floats

    _line = "{model}: ahead at {_n_ahead} of {advantage:count position}"

    @property
    def _n_ahead(self) -> int:
        return int((self.advantage > 0).sum())


@dataclass(frozen=True, eq=False, repr=False)
class WinnerMap(Told, Drawn, TableResult, figure="winner_map", sentence="winner_maps.winner_map"):
    """Who wins where, from :func:`rocsteady.winner_map`.

    Attributes
    ----------
    over : str
        "fpr", "tpr", "costs" or "alerts".
    models : tuple of str
        Two or more.
    unit, n_groups : str, int
        The word for a group, and how many were compared.
    random : Random
        What is: "groups", or the "cases" of these very ones.
    position : float64 array
        Where the models were compared, fixed beforehand: rates, ratios of costs (false negative to false
        positive) or shares of cases called positive.
    pairs : tuple of PairDifference
        Every pair of models.
    crossings : tuple of float
        Where the best model by its mean changes; exact.
    pvalue : float
        Of the hypothesis that no two models differ anywhere on the range (largest t). NaN where nothing can
        be said: cases that show no spread, however they are resampled.
    smallest_pvalue : float
        That so many groups, or resamples, can give. Nothing can be decided where it is above ``1 -
        confidence_level``.
    confidence_level : float
        Of all limits at once.
    prevalence : float or None
        Share of positives, where it matters.
    method : str
        The average whose groups were compared.
    undefined : tuple of str
        Groups without a curve, and why.
    test_train_ratio : float
        What was added to 1 / n for folds that share training cases; 0 for none.
    design : Design
        How the scores came about.
    """

    over: str
    models: tuple[str, ...]
    unit: str
    n_groups: int
    random: Random
    position: Floats
    pairs: tuple[PairDifference, ...]
    crossings: tuple[float, ...]
    pvalue: float
    smallest_pvalue: float
    confidence_level: float
    prevalence: float | None
    method: str
    undefined: tuple[str, ...]
    test_train_ratio: float
    design: Design
    _axis: Axis
    _has_cases: bool

    _told: ClassVar[tuple[str, ...]] = ("winner", "regions", "excluded")
    _line = "{_who} over {over}, {n_groups:count {unit}}: {_decided}, p = {pvalue:.3g}"

    @cached_property
    def winner(self) -> tuple[str | None, ...]:
        """At every position, the model that is better than all others; None where that is undecided."""
        wins = {name: np.ones(self.position.size, dtype=np.bool_) for name in self.models}
        for pair in self.pairs:
            wins[pair.a] &= pair.decided > 0
            wins[pair.b] &= pair.decided < 0
        columns = np.array(list(wins.values())).T
        return tuple(self.models[int(won.argmax())] if won.any() else None for won in columns)

    @property
    def regions(self) -> tuple[Region, ...]:
        """The declared range in parts, from its lower to its upper end."""
        return regions_of(self.position, self.winner)

    @property
    def excluded(self) -> tuple[tuple[float, float], ...]:
        """Parts of the range without limits, because no spread is seen.

        The models do not differ there in any group, or all differ by the same and are too few to decide by
        that.
        """
        unknown = np.any([np.isnan(pair.lower) for pair in self.pairs], axis=0)
        return runs_of(self.position, np.asarray(unknown))

    @property
    def _only_pair(self) -> PairDifference:
        """The difference of two models; RS065 for more."""
        if len(self.pairs) > 1:
            n_models, n_pairs = len(self.models), len(self.pairs)
            raise fail("RS065.several-pairs", n_models=n_models, n_pairs=n_pairs, models=self.models)
        return self.pairs[0]

    @property
    def a(self) -> str:
        """The first of two models."""
        return self._only_pair.a

    @property
    def b(self) -> str:
        """The second of two models."""
        return self._only_pair.b

    @property
    def advantage(self) -> Floats:
        """Of two models: the mean over groups, positive where the first is better (not always a less b)."""
        return self._only_pair.advantage

    @property
    def lower(self) -> Floats:
        """Of two models: the lower confidence limit, for all positions at once."""
        return self._only_pair.lower

    @property
    def upper(self) -> Floats:
        """Of two models: the upper confidence limit, for all positions at once."""
        return self._only_pair.upper

    @property
    def winners(self) -> tuple[str, ...]:
        """The models that win somewhere, in the order of the range."""
        return tuple(dict.fromkeys(r.winner for r in self.regions if r.winner is not None))

    @property
    def is_decided(self) -> bool:
        """Whether one model wins at every position."""
        return None not in self.winner and len(self.winners) == 1

    @property
    def can_decide(self) -> bool:
        """Whether some p-value that so many groups, or resamples, can give is small enough."""
        return self.smallest_pvalue <= 1 - self.confidence_level + 1e-12

    def lead(self, model: str) -> Lead:
        """How far a model is ahead of the best of all others, with limits for the whole range at once."""
        one_of("model", model, self.models)
        own = [(p.advantage, p.lower, p.upper) for p in self.pairs if p.a == model]
        own += [(-p.advantage, -p.upper, -p.lower) for p in self.pairs if p.b == model]
        return Lead(model, *np.min(own, axis=0))

    def winner_at(self, position: float) -> str | None:
        """Who wins at a position: the model whose region holds it, None where that is undecided."""
        return next((r.winner for r in self.regions if r.winner and r.low <= position <= r.high), None)

    def _columns(self) -> dict[str, Any]:
        pairs, n = self.pairs, self.position.size
        limits = ("advantage", "lower", "upper")
        return {
            "position": self.position.tolist() * len(pairs),
            "a": [pair.a for pair in pairs for _ in range(n)],
            "b": [pair.b for pair in pairs for _ in range(n)],
            **{name: np.concatenate([getattr(pair, name) for pair in pairs]).tolist() for name in limits},
            "winner": list(self.winner) * len(pairs),
        }

    @property
    def _who(self) -> str:
        return " and ".join(self.models) if len(self.models) == 2 else counted(len(self.models), "model")

    @property
    def _decided(self) -> str:
        wins = sum(region.winner is not None for region in self.regions)
        return f"{counted(wins, 'region')} decided" if wins else "nothing decided"


@welcomes("winner_map(score_set)", "winner_map(score_set, 'a', 'b')")
def winner_map(
    score_set: Any,
    a: str | None = None,
    b: str | None = None,
    *,
    over: str = "fpr",
    fpr: tuple[float, float] | None = None,
    tpr: tuple[float, float] | None = None,
    costs: Any = None,
    prevalence: float | None = None,
    alerts: tuple[float, float] | None = None,
    method: str | Method | None = None,
    random: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    test_train_ratio: float | None = None,
    undefined: str = "raise",
    unmatched: str = "raise",
    threads: int | None = None,
) -> WinnerMap:
    """Say which of two or more models wins where on a declared range, and where that is undecided.

    At every position the models are compared group by group. The limits of the mean difference hold at all
    positions, and for all pairs of models, at once: a model wins where all of its lower limits are above 0.

    Parameters
    ----------
    score_set : ScoreSet
        Two or more models, scored on the same groups.
    a, b : str, optional
        Two of the models; all of them if neither is given.
    over : {"fpr", "tpr", "costs", "alerts"}
        What the map runs along: a false positive rate (the higher TPR wins), a true positive rate (the lower
        FPR), ratios of costs (the cheaper model, tuned to them), or alert budgets (the higher TPR at the same
        share of cases called positive).
    fpr, tpr, alerts : (float, float), optional
        The range. (0.02, 0.5) for ``fpr`` and (0.5, 0.98) for ``tpr`` unless said; near the corners most
        curves coincide.
    costs : pair of pairs, optional
        Two pairs ``(false_positive, false_negative)``: the ends of the range, ((1, 2), (1, 20)) unless said.
        Expected costs are in units in which a false positive costs what it does in the first pair.
    prevalence : float
        Share of positives where the models will be used; needed over costs and alerts.
    method : str or Method, optional
        The average that is compared. Unless said every group sets its own threshold: "vertical" over ``fpr``,
        "horizontal" over ``tpr``, tuned to each ratio of costs, or to each budget of alerts. With "threshold"
        or "pooled" all share one, chosen anew in other groups; what a group adds is then linearised.
    random : {"groups", "cases"}, optional
        What is a random sample. "groups": the conclusion is about more groups of this kind, and each is one
        observation. "cases": it is about more cases in these very groups. Groups unless said, where there are
        two or more; with a single one it must be cases.
    confidence_level : float
        Of all limits at once.
    n_resamples, seed : int
        Of random sign flips, or of resampled cases; with up to 14 random groups all flips are tried, and
        neither matters.
    test_train_ratio : float, optional
        As in :func:`rocsteady.compare`: where groups share training cases the limits become wider.
    undefined, unmatched : {"raise", "drop"}
        What to do about groups of one class; about groups, and named cases, that some model did not score.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    WinnerMap

    Raises
    ------
    UsageError
        RS060 without two models, RS064 if what is random does not fit the data, RS065 if the range does not
        fit, RS091 without a needed prevalence.
    DataError
        RS062 and RS063 where the models did not score the same groups or cases.

    Warns
    -----
    RocsteadyWarning
        RS275 with too few groups for the confidence level: fewer than six at 95 %. RS278 where differences
        between groups are so skewed that the limits hold less often than they promise. RS282 where groups
        tune their own thresholds to costs on fewer than 20 cases of a class. RS283 where fewer than 30 groups
        share a threshold and their levels of scores differ much.

    Notes
    -----
    Random groups: the maximum of t, signs of whole groups flipped (Westfall & Young 1993, Romano & Wolf
    2005), which is exact where differences are symmetric. Where all groups differ by the same, the limits
    are that difference if the flips decide it. Random cases, over ``fpr`` and ``tpr`` only (RS064): cases
    are resampled within group and class, the same ones for all models; the limits are those of the
    difference curve of :func:`rocsteady.compare`, and three or more models share the error among their
    pairs (Bonferroni). Two maps are not adjusted for each other.

    Over costs thresholds are tuned on the rows on which they are judged, which is optimistic for all models:
    much so where every group has its own and few cases of a class (RS282), little where all share one.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.tile([1] * 40 + [0] * 40, 8)
    >>> scores = {"old": rng.normal(size=640) + sick, "new": rng.normal(size=640) + 2 * sick}
    >>> both = rs.ScoreSet.from_arrays(sick, scores, np.repeat(np.arange(8), 80), unit="site")
    >>> found = rs.winner_map(both, fpr=(0.1, 0.4))
    >>> found
    WinnerMap(old and new over fpr, 8 sites: 1 region decided, p = 0.00781)
    >>> found.winner_at(0.2), found.crossings
    ('new', ())
    """
    ranges = {"fpr": fpr, "tpr": tpr, "costs": costs, "alerts": alerts}
    axis = axis_of(over, ranges, prevalence, method)
    if random is not None:
        also = dict.fromkeys(("datasets", "folds"), "groups")
        one_of("random", random, ("groups", "cases"), elsewhere=also)
    how = How(confidence_level, n_resamples=n_resamples, seed=seed)
    chosen = chosen_pairs(score_set, a, b)
    if (a is None) != (b is None) and len(chosen) > 1:
        named = str(b if a is None else a)
        raise fail("RS065.half-named", named=named, others=[n for own in chosen for n in own if n != named])
    names = tuple(dict.fromkeys(name for own in chosen for name in own))
    is_pooled = isinstance(axis.method, Pooled)
    can_drop = unmatched == "raise" and common_groups([score_set.model(name) for name in names])
    way = "a map pairs the models; as independent sets:  compare(score_set, paired=False)"
    options: dict[str, Any] = {"undefined": undefined, "unmatched": unmatched, "all_rows_count": is_pooled}
    paired = paired_models(score_set, names, ways=() if can_drop else (way,), **options)
    n_groups, sets = len(paired.groups), paired.sets
    what = Random(random or ("groups" if n_groups > 1 else "cases"))
    if what is Random.GROUPS and n_groups < 2:
        raise fail("RS064.one-group", n=n_groups, unit=paired.unit)
    ratio = ratio_of(test_train_ratio, score_set.design)
    if what is Random.CASES:
        if n_groups == 1 and axis.method != axis.own_method:  # of a single group every average is its curve
            axis = replace(axis, method=axis.own_method)
        _require_cases(paired, axis)
        if ratio and test_train_ratio is not None:
            raise fail("RS002.ratio-of-cases")
        ratio, sets = 0.0, tuple(rows_in_order(sets, names))
    sides = [
        Side(name, own, axis.method, threads, paired.defined) for name, own in zip(names, sets, strict=True)
    ]
    averages = [side.average for side in sides]
    worth = [axis.worth(own) for own in averages]
    *limits, pvalue, smallest = (
        _over_groups(worth, ratio, how) if what is Random.GROUPS else _over_cases(axis, sides, worth, how)
    )
    pairs, crossings = _pairs(axis, names, averages, *limits)
    made = WinnerMap(
        over=axis.over,
        models=names,
        unit=paired.unit,
        n_groups=averages[0].n_groups,
        random=what,
        position=axis.positions,
        pairs=pairs,
        crossings=crossings,
        pvalue=pvalue,
        smallest_pvalue=smallest,
        confidence_level=how.confidence_level,
        prevalence=axis.prevalence,
        method=str(axis.method),
        undefined=paired.undefined,
        test_train_ratio=ratio,
        design=averages[0].design,
        _axis=axis,
        _has_cases=paired.has_cases,
    )
    if what is Random.GROUPS:
        if not ratio and not made.can_decide:
            needed = int(np.ceil(1 - np.log2(1 - how.confidence_level) - 1e-9))
            level = 100 * how.confidence_level
            warn("RS275.map", n=n_groups, unit=paired.unit, level=level, smallest=smallest, needed=needed)
        _warn_of_groups(axis, sides)
    return made


def _require_cases(paired: Paired, axis: Axis) -> None:
    """RS038, RS063 or RS064 if cases cannot be resampled."""
    n_groups, unit = len(paired.groups), paired.unit
    random, shown = ("groups", unit) if n_groups > 1 else (None, None)
    require_cases(paired, shown, paired=None, random=random)
    groups = [(f"or let the {plural(unit)} be random:  ", Option("random", random))] if random else []
    if axis.over in _NEEDS_PREVALENCE:
        raise fail("RS064.map-over", over=axis.over, unit=unit, n=n_groups, ways=groups)
    if not (axis.is_shared or isinstance(axis.method, type(axis.own_method))):
        usual, method = axis.own_method.label, axis.method.label
        raise fail("RS064.map-under", over=axis.over, method=method, usual=usual, ways=groups)


def _pairs(
    axis: Axis, names: Sequence[str], averages: Sequence[Average], mean: Floats, lower: Floats, upper: Floats
) -> tuple[tuple[PairDifference, ...], tuple[float, ...]]:
    """Every pair, and where the best mean changes."""
    paths = [axis.path(own) for own in averages]
    ends = sorted(axis.place(end) for end in (axis.low, axis.high))
    changes = [sign_changes(own, other, *ends) for own, other in combinations(paths, 2)]
    crossings = [tuple(sorted(map(axis.position, own))) for own in changes]
    two = combinations(names, 2)
    pairs = tuple(
        PairDifference(a, b, gained.copy(), low.copy(), high.copy(), crossed)
        for (a, b), gained, low, high, crossed in zip(two, mean, lower, upper, crossings, strict=True)
    )
    if len(pairs) == 1:
        return pairs, crossings[0]
    places = [axis.place(own) for pair in pairs for own in pair.crossings]
    return pairs, tuple(sorted(map(axis.position, leaders(paths, places, *ends))))


def regions_of(position: Floats, winner: tuple[str | None, ...]) -> tuple[Region, ...]:
    """The range in parts; between two winners that follow each other nobody has won yet.

    Examples
    --------
    >>> import numpy as np
    >>> at = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    >>> [(r.low, r.high, r.winner) for r in regions_of(at, ("x", "x", None, "y", "x"))]
    [(0.0, 0.25, 'x'), (0.25, 0.75, None), (0.75, 0.75, 'y'), (0.75, 1.0, None), (1.0, 1.0, 'x')]
    """
    found: list[Region] = []
    before, high = float(position[0]), float(position[-1])
    for name, run in groupby(range(len(winner)), key=lambda i: winner[i]):
        if name is not None:
            places = position[list(run)]
            low, last = float(places[0]), float(places[-1])
            if low > before:
                found.append(Region(before, low, None))
            found.append(Region(low, last, name))
            before = last
    return tuple(found if found and before == high else [*found, Region(before, high, None)])


def _warn_of_groups(axis: Axis, sides: Sequence[Side]) -> None:
    """RS278, RS282 and RS283: differences too skewed for flips, tuned on few cases, levels that scatter."""
    first, n_groups = sides[0].scores, sides[0].average.n_groups
    any(warn_of_skew(own.aucs, other.aucs, first.unit) for own, other in combinations(sides, 2))
    if axis.over == "costs" and not axis.is_shared:
        fewest = float(np.median(np.minimum(first.n_positives, first.n_negatives)))
        if fewest < _FEWEST_TO_TUNE:
            warn("RS282.tuned", unit=first.unit, fewest=fewest)
    lost = [float(side.aucs.mean()) - side.average.auc for side in sides]
    if axis.is_shared and n_groups < _MANY_LEVELS and max(lost) > _LOST_BY_LEVELS:
        name = sides[int(np.argmax(lost))].name
        warn("RS283.levels", unit=first.unit, n=n_groups, lost=max(lost), name=name, needed=_MANY_LEVELS)


# Limits for all positions and pairs of models at once
# ----------------------------------------------------

_Limits = tuple[Floats, Floats, Floats, float, float]
"""Advantage, lower and upper limits, ``(n_pairs, n)``: NaN where none are known, infinite with too few
groups; the p-value of no difference anywhere, NaN without any limits, and the smallest that there can be."""


def _over_groups(worth: Sequence[Floats], ratio: float, how: How) -> _Limits:
    """From flipped signs of the groups' differences, those of all pairs one after the other.

    Where all groups differ by the same there is no spread to make limits of, but the flips can still say
    that so many groups do not agree by chance. If they do, the limits are the difference itself.
    """
    differences = np.concatenate([first - second for first, second in combinations(worth, 2)], axis=1)
    found = max_t(differences, how, ratio=ratio)
    half = found.half_width.copy()
    with np.errstate(invalid="ignore"):
        is_sure = found.adjusted <= 1 - how.confidence_level + 1e-12
    half[(found.standard_error == 0) & (found.mean != 0) & is_sure] = 0.0
    mean, half = (values.reshape(-1, worth[0].shape[1]) for values in (found.mean, half))
    return mean, mean - half, mean + half, found.pvalue, found.smallest_pvalue


def _over_cases(axis: Axis, sides: Sequence[Side], worth: Sequence[Floats], how: How) -> _Limits:
    """The differences of all pairs, each with the share of the error that is its own (Bonferroni)."""
    at, is_fpr = axis.positions, axis.over == "fpr"
    readings = Readings(tpr_at=at) if is_fpr else Readings(fpr_at=at)
    drawn, seed, n = [], how.seed, how.n_resamples
    for side in sides:  # the same seed draws the same cases
        drawn.append((1 if is_fpr else -1) * read_resamples(side, readings, n_resamples=n, seed=seed))
    means = [own.mean(axis=0) for own in worth]
    pairs, found = list(combinations(range(len(sides)), 2)), []
    for i, j in pairs:
        both = sides[i], sides[j]
        largest = largest_deviations(both, at, axis.over, paired=True, n_draws=n, seed=seed)
        level, fewest = 1 - (1 - how.confidence_level) / len(pairs), fewest_cases(both)
        found.append(judged(means[i] - means[j], drawn[i] - drawn[j], largest, level, fewest_cases=fewest))
    difference, half = (np.array([getattr(own, name) for own in found]) for name in ("mean", "half_width"))
    kept = np.isfinite(half)  # cases without a spread say nothing of a difference
    pvalue = math.nan if difference.any() else 1.0
    if kept.any():
        pvalue = min(1.0, len(pairs) * float(np.array([own.adjusted for own in found])[kept].min()))
    smallest = min(1.0, len(pairs) * found[0].smallest_pvalue)
    return difference, difference - half, difference + half, pvalue, smallest


# What a map runs along
# ---------------------

Path = tuple[Floats, Floats]
"""Places, not falling, and the worth there: straight between points, two of them at a jump."""


@dataclass(frozen=True)
class Axis:
    """What a map runs along, from one position to a larger one: rates, ratios of costs, shares of alerts."""

    over: str
    low: float
    high: float
    method: Method  # the average whose groups are compared
    prevalence: float | None = None  # where the classifier will be used, where that matters
    false_positive: float = 1.0  # what one costs; expected costs are in its unit

    @property
    def is_shared(self) -> bool:
        """Whether all groups have one threshold."""
        return isinstance(self.method, Threshold | Pooled)

    @property
    def own_method(self) -> Method:
        """The average whose groups have thresholds of their own, each set by what the axis holds."""
        usual = {"fpr": Vertical(), "tpr": Horizontal(), "costs": Tangent()}
        return usual.get(self.over) or AtAlarmRate(prevalence=float(self.prevalence or 0.0))

    @property
    def positions(self) -> Floats:
        """Where groups are compared: fixed beforehand, both ends among them."""
        spaced = np.geomspace if self.over == "costs" else np.linspace
        return spaced(self.low, self.high, _N_POSITIONS)

    def worth(self, average: Average) -> Floats:
        """What every group is worth at all positions, or adds: ``(n_groups, n)``."""
        at, positives = self.positions, float(self.prevalence or 0.0)
        if self.over == "costs":
            misses = positives * self.false_positive * at
            alarms = np.full(misses.shape, (1 - positives) * self.false_positive)
            if isinstance(average, SharedThresholdAverage):
                return -_added_costs(average, misses, alarms)
            assert isinstance(average, TangentAverage)
            corners = average._best_corners(misses / (misses + alarms))
            hulls = average._hulls
            return np.asarray(-(misses * (1 - hulls.tpr[corners]) + alarms * hulls.fpr[corners]))
        if self.over == "alerts":
            if isinstance(average, SharedThresholdAverage):
                mean = average._free_at(at, "alerts", "tpr", positives)
                return np.asarray(mean + average._linearised(at, "alerts", prevalence=positives))
            assert isinstance(average, DirectionalAverage)
            along = at * average.direction.length
            return np.asarray(average._turned_back(along, average._values(along))[1])
        if isinstance(average, DirectionalAverage):
            direction = average.direction
            if direction.is_vertical if self.over == "fpr" else direction.is_horizontal:
                return average._values(at)
        read, sign = (average.tpr_at, 1.0) if self.over == "fpr" else (average.fpr_at, -1.0)
        return np.asarray(sign * (read(at) + average._linearised(at, self.over)))

    def path(self, average: Average) -> Path:
        """What the average is worth, exactly, in places of its own."""
        positives = float(self.prevalence or 0.0)
        if self.over == "costs":
            return _cost_path(average, positives)
        if self.over == "alerts":
            if isinstance(average, SharedThresholdAverage):
                return _alert_path(average, positives)
            assert isinstance(average, DirectionalAverage)
            return average._path[0] / average.direction.length, average.tpr
        return (average.fpr, average.tpr) if self.over == "fpr" else (average.tpr, -average.fpr)

    def place(self, position: float) -> float:
        """The place on a path: for a ratio of costs the share of a false positive in both."""
        return 1 / (1 + position) if self.over == "costs" else position

    def position(self, place: float) -> float:
        """The position that belongs to a place on a path."""
        return (1 - place) / place if self.over == "costs" else place


def axis_of(over: str, ranges: dict[str, Any], prevalence: float | None, method: str | Method | None) -> Axis:
    """The axis; RS001, RS042, RS065, RS081, RS091 or RS094 if the range is none.

    ``ranges`` has what was given for everything that a map can run over, None where nothing was.
    """
    over = one_of("over", over, _OVER)
    others = [name for name, value in ranges.items() if value is not None and name != over]
    if others:  # it would be ignored without a word
        raise fail("RS065.other-range", over=over, name=others[0], value=ranges[others[0]])
    if prevalence is not None and over not in _NEEDS_PREVALENCE:
        raise fail("RS065.prevalence", over=over, prevalence=prevalence)
    given, false_positive = ranges[over] if ranges[over] is not None else _USUAL.get(over), 1.0
    if over in _NEEDS_PREVALENCE:
        if prevalence is None:
            raise fail("RS091.map", over=over)
        prevalence = open_share("prevalence", prevalence)
    if over == "costs":
        low, high, false_positive = _ratios(given)
    elif given is None:
        raise fail("RS065.alerts")
    elif over == "alerts" and np.ndim(np.asarray(given, dtype=object)) == 0:
        raise fail("RS042.one-budget", given=given)
    else:
        low, high = rate_range(over, given)
    axis = Axis(over, low, high, Vertical(), prevalence, false_positive)
    own = axis.own_method
    axis = replace(axis, method=own if method is None else method_of(method))
    if over in _NEEDS_PREVALENCE and axis.method != own and not axis.is_shared:
        raise fail("RS065.method", over=over, label=own.label, method=method)
    return axis


def _ratios(given: Any) -> tuple[float, float, float]:
    """The smallest and largest ratio, false negative to false positive, and what a false positive costs."""
    numbers = real_numbers("costs", given, example=((1, 2), (1, 20)))
    if numbers.shape != (2, 2):
        raise fail("RS094.range", given=given)
    if not ((numbers > 0) & (numbers < float("inf"))).all():
        raise fail("RS081.range", given=given)
    pairs = numbers[:, 0].tolist(), (numbers[:, 1] / numbers[:, 0]).tolist()
    low, high = sorted(pairs[1])
    if low == high:
        raise fail("RS094.range", given=given)
    return low, high, float(pairs[0][0])


# One threshold for all groups
# ----------------------------
#
# For each ratio of costs the threshold is where the mean cost is least. To choose it again in other groups
# has no effect of first order, as the cost is flat there; so a group adds its own cost at that threshold. At
# a budget of alerts it adds its true positive rate less the slope of the average times its excess of alerts.


def _hull_of(average: SharedThresholdAverage) -> Indices:
    """Vertices of the average that are best at some costs."""
    tpr, fpr = (np.rint(_UNITS * rates).astype(np.int64) for rates in (average.tpr, average.fpr))
    return hull_vertices(tpr, fpr)


def _falling_slopes(fpr: Floats, tpr: Floats) -> Floats:
    """Of the pieces of a hull, made to fall where rounding did not let them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.nan_to_num(np.diff(tpr) / np.diff(fpr), nan=np.inf, posinf=np.inf)
    return np.asarray(np.minimum.accumulate(slopes))


def _added_costs(average: SharedThresholdAverage, misses: Floats, alarms: Floats) -> Floats:
    """What every group adds to the mean cost, ``(n_groups, n)``; their plain mean is that of the average."""
    hull = _hull_of(average)
    slopes = _falling_slopes(average.fpr[hull], average.tpr[hull])
    best = hull[np.searchsorted(-slopes, -alarms / misses, side="left")]  # the strictest of equals
    vertices, place = np.unique(best, return_inverse=True)
    fpr, tpr = rates_of_groups(average._groups.table, average.thresholds[vertices], None)
    fpr_weights, tpr_weights = average._axis_weights
    added = []
    for rates, mean, weights in (
        (fpr, average.fpr[vertices], fpr_weights),
        (tpr, average.tpr[vertices], tpr_weights),
    ):
        # The first threshold is beyond everything, also beyond a score that is itself infinite.
        own = np.where(vertices == 0, 0.0, rates)
        added.append((mean + weights.size * weights[:, None] * (own - mean))[:, place])
    return np.asarray(misses * (1 - added[1]) + alarms * added[0])


def _alert_path(average: SharedThresholdAverage, prevalence: float) -> Path:
    """The share of alerts along the average, never falling, and its true positive rate."""
    return average._alert_shares(prevalence), average.tpr


def _cost_path(average: Average, positives: float) -> Path:
    """Minus the least cost of the average: straight in the share of the costs that false alarms have."""
    fpr, tpr = average.fpr, average.tpr
    if isinstance(average, SharedThresholdAverage):
        corners = _hull_of(average)
        fpr, tpr = fpr[corners], tpr[corners]
    p, q = positives, 1 - positives
    slopes = _falling_slopes(fpr, tpr)
    with np.errstate(invalid="ignore"):
        shares = np.where(np.isinf(slopes), 1.0, p * slopes / (q + p * slopes))
    places = np.unique(np.concatenate([shares, [0.0, 1.0]]))
    misses, alarms = p * (1 - places), q * places
    with np.errstate(divide="ignore", invalid="ignore"):
        wanted = np.where(misses > 0, alarms / misses, np.inf)
    best = np.searchsorted(-slopes, -wanted, side="left")
    return places, -(misses * (1 - tpr[best]) + alarms * fpr[best])


# Where the better of two averages changes: on their straight pieces, not on a grid
# ---------------------------------------------------------------------------------


def sign_changes(first: Path, second: Path, low: float, high: float) -> tuple[float, ...]:
    """Places between ``low`` and ``high`` where the better of two paths changes, in rising order.

    Where both run together before they change places it is the end of that stretch. To touch is not to cross.

    Examples
    --------
    >>> import numpy as np
    >>> rising = np.array([0.0, 1.0]), np.array([0.0, 1.0])
    >>> jumping = np.array([0.0, 0.25, 0.25, 1.0]), np.array([0.5, 0.5, 0.75, 0.75])
    >>> sign_changes(rising, jumping, 0.0, 1.0)
    (0.75,)
    """
    bends = np.concatenate([first[0], second[0], [low, high]])
    places = np.unique(bends[(bends >= low) & (bends <= high)])
    # Both ends at every place where either path bends; what they come from at the lower end is no part of it.
    worth = np.stack(
        [[read_path(*own, places, end=end) for end in ("first", "last")] for own in (first, second)]
    )
    difference = (worth[0] - worth[1]).T.ravel()[1:]
    difference[np.abs(difference) <= _NOTHING * np.abs(worth).max(initial=0.0)] = 0.0
    at = np.repeat(places, 2)[1:]
    standing = np.flatnonzero(difference)
    turns = np.flatnonzero(np.sign(difference[standing[1:]]) != np.sign(difference[standing[:-1]]))
    found = []
    for before, after in zip(standing[turns], standing[turns + 1], strict=True):
        if after > before + 1:  # both run together in between
            found.append(float(at[after - 1]))
            continue
        share = difference[before] / (difference[before] - difference[after])
        found.append(float(at[before] + share * (at[after] - at[before])))
    return tuple(found)


def leaders(paths: Sequence[Path], changes: Sequence[float], low: float, high: float) -> tuple[float, ...]:
    """Those of the places where pairs of paths change sides at which the best of all changes."""
    edges = np.unique(np.array([low, *changes, high]))
    middles = (edges[1:] + edges[:-1]) / 2
    if not middles.size:
        return ()
    worth = np.array([read_path(*own, middles, end="last") for own in paths])
    is_best = worth >= worth.max(axis=0) - _NOTHING * np.abs(worth).max(initial=0.0)
    found, alive = [], is_best[:, 0]
    for place, best in zip(edges[1:-1], is_best.T[1:], strict=True):
        if not (alive & best).any():  # whoever leads does so until somebody is ahead
            found.append(float(place))
            alive = best
        alive = alive & best
    return tuple(found)
