"""``winner_map``: who wins where, with confidence for the whole range at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Floats
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import Method, Pooled
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.uncertainty import runs_of
from rocsteady.errors import DataError, Option, Remedy, fail, warn
from rocsteady.inference.compare_cases import cases_for, fewest_cases, judged, largest_deviations
from rocsteady.inference.compare_sides import Side, warn_of_skew
from rocsteady.inference.matching import (
    Paired,
    chosen_pairs,
    paired_models,
    rows_in_order,
    unequal_rows,
)
from rocsteady.inference.winner_axes import Axis, axis_of, leaders, sign_changes
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.points.paired_tests import ratio_of
from rocsteady.results import Result, TableResult, read_only
from rocsteady.scores.design import Design
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Drawn, Told
from rocsteady.statistics.groups import SignFlips, error_factor, normal_maxima, sign_flips
from rocsteady.statistics.resampling import Readings, resampled_cases
from rocsteady.words import counted, plural, printable

_MANY_LEVELS = 30


_LOST_BY_LEVELS = 0.03
"""Of the AUC, where all groups share a threshold: then their levels of scores differ much."""


FEWEST_TO_TUNE = 20
"""Cases of the rarer class in the median group; with fewer, its best threshold is much a matter of luck."""


@dataclass(frozen=True)
class Region:
    """A part of the declared range.

    Attributes
    ----------
    low, high : float
        From where to where. A region that somebody wins starts and ends at positions that were compared, so
        what lies between two regions is undecided.
    winner : str or None
        The model that is better at every position in it; None where that is undecided.
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
        Confidence limits that hold at all positions, and for all pairs of models, at once. NaN where
        positions were left out, infinite where there are too few groups, the difference itself where all
        groups differ by the same.
    crossings : tuple of float
        Where the mean difference changes its sign; exact, not on a grid.
    """

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

    def __repr__(self) -> str:
        return f"PairDifference({printable(self.a)} less {printable(self.b)})"


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
        The least of their limits. As these hold at all positions and for all pairs at once, so do the least:
        the model wins where ``lower`` is above 0.
    """

    model: str
    advantage: Floats
    lower: Floats
    upper: Floats

    def __repr__(self) -> str:
        positions = counted(self.advantage.size, "position")
        return f"Lead({printable(self.model)}: ahead at {int((self.advantage > 0).sum())} of {positions})"


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
    random : str
        What is: "groups", or the "cases" of these very ones.
    position : float64 array
        Where the models were compared, fixed beforehand: rates, ratios of costs (false negative to false
        positive) or shares of cases called positive.
    pairs : tuple of PairDifference
        Every pair of models.
    winner : tuple of str or None
        At every position, the model that is better than all others; None where that is undecided.
    regions : tuple of Region
        The declared range in parts, from its lower to its upper end.
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
    excluded : tuple of (float, float)
        Parts of the range without limits, because no spread is seen: the models do not differ there in any
        group, or all differ by the same and are too few to decide by that.
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
    random: str
    position: Floats
    pairs: tuple[PairDifference, ...]
    winner: tuple[str | None, ...]
    regions: tuple[Region, ...]
    crossings: tuple[float, ...]
    pvalue: float
    smallest_pvalue: float
    confidence_level: float
    excluded: tuple[tuple[float, float], ...]
    prevalence: float | None
    method: str
    undefined: tuple[str, ...]
    test_train_ratio: float
    design: Design
    _axis: Axis
    _has_cases: bool

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
    def _only_pair(self) -> PairDifference:
        if len(self.pairs) > 1:
            raise fail(
                "RS065.several-pairs", n_models=len(self.models), n_pairs=len(self.pairs), models=self.models
            )
        return self.pairs[0]

    @property
    def winners(self) -> tuple[str, ...]:
        """The models that win somewhere, in the order of the range."""
        return tuple(dict.fromkeys(r.winner for r in self.regions if r.winner is not None))

    @property
    def is_decided(self) -> bool:
        """Whether one model wins at every position."""
        return None not in self.winner and len(self.winners) == 1

    def lead(self, model: str) -> Lead:
        """How far a model is ahead of the best of all others, with limits for the whole range at once."""
        one_of("model", model, self.models)
        ahead = [pair for pair in self.pairs if pair.a == model]
        behind = [pair for pair in self.pairs if pair.b == model]
        return Lead(
            model,
            np.min([pair.advantage for pair in ahead] + [-pair.advantage for pair in behind], axis=0),
            np.min([pair.lower for pair in ahead] + [-pair.upper for pair in behind], axis=0),
            np.min([pair.upper for pair in ahead] + [-pair.lower for pair in behind], axis=0),
        )

    def winner_at(self, position: float) -> str | None:
        """Who wins at a position: the model whose region holds it, None where that is undecided."""
        return next((r.winner for r in self.regions if r.winner and r.low <= position <= r.high), None)

    def _columns(self) -> dict[str, Any]:
        pairs, n = self.pairs, self.position.size
        limits = {
            name: np.concatenate([getattr(pair, name) for pair in pairs]).tolist()
            for name in ("advantage", "lower", "upper")
        }
        return {
            "position": self.position.tolist() * len(pairs),
            "a": [pair.a for pair in pairs for _ in range(n)],
            "b": [pair.b for pair in pairs for _ in range(n)],
            **limits,
            "winner": list(self.winner) * len(pairs),
        }

    def __repr__(self) -> str:
        wins = sum(region.winner is not None for region in self.regions)
        said = f"{counted(wins, 'region')} decided" if wins else "nothing decided"
        models = " and ".join(printable(name) for name in self.models)
        if len(self.models) > 2:
            models = counted(len(self.models), "model")
        return (
            f"WinnerMap({models} over {self.over}, {counted(self.n_groups, printable(self.unit))}: {said}, "
            f"p = {self.pvalue:.3g})"
        )


def regions_of(position: Floats, winner: tuple[str | None, ...]) -> tuple[Region, ...]:
    """The range in parts; between two winners that follow each other nobody has won yet.

    Examples
    --------
    >>> import numpy as np
    >>> at = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    >>> [(r.low, r.high, r.winner) for r in regions_of(at, ("x", "x", None, "y", "x"))]
    [(0.0, 0.25, 'x'), (0.25, 0.75, None), (0.75, 0.75, 'y'), (0.75, 1.0, None), (1.0, 1.0, 'x')]
    """
    low, high = float(position[0]), float(position[-1])
    starts = [0] + [i for i in range(1, len(winner)) if winner[i] != winner[i - 1]]
    stops = [*starts[1:], len(winner)]
    won = [
        Region(float(position[i]), float(position[j - 1]), winner[i])
        for i, j in zip(starts, stops, strict=True)
        if winner[i] is not None
    ]
    found: list[Region] = []
    for region in won:
        before = found[-1].high if found else low
        if region.low > before:
            found.append(Region(before, region.low, None))
        found.append(region)
    last = found[-1].high if found else low
    return tuple(found if found and last == high else [*found, Region(last, high, None)])


def is_too_few(smallest_pvalue: float, confidence_level: float) -> bool:
    """Whether no p-value that so many groups can give is small enough.

    >>> is_too_few(0.0625, 0.95), is_too_few(0.03125, 0.95)
    (True, False)
    """
    return smallest_pvalue > 1 - confidence_level + 1e-12


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

    At every position of the range the models are compared group by group. The limits of the mean difference
    hold at all positions, and for all pairs of models, at once, so regions may be read off them: a model
    wins where all of its lower limits are above 0.

    Parameters
    ----------
    score_set : ScoreSet
        Two or more models, scored on the same groups.
    a, b : str, optional
        Two of the models; all of them if neither is given.
    over : {"fpr", "tpr", "costs", "alerts"}
        What the map runs along: a false positive rate (the higher TPR wins), a true positive rate (the lower
        FPR wins), ratios of costs (thresholds are tuned to the costs, and the cheaper model wins), or alert
        budgets (at the same share of cases called positive, the higher TPR wins).
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
    undefined : {"raise", "drop"}
        What to do about groups of one class.
    unmatched : {"raise", "drop"}
        What to do about groups, and named cases, that some model has no scores for.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    WinnerMap
        ``.regions``, ``.crossings``, ``.reading``; ``.advantage`` with ``.lower`` and ``.upper``.

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
    Random groups: maximum of t, signs of whole groups flipped (Westfall & Young 1993, Romano & Wolf 2005).
    Flips are exact where differences are symmetric. Fewer than six groups cannot decide anything at 95 %
    (RS275). Where all groups differ by the same, the limits are that difference if the flips decide it.

    Random cases: cases are resampled within group and class, the same ones for all models; the limits are
    those of the difference curve of :func:`rocsteady.compare`. Three or more models share the error among
    their pairs (Bonferroni). Only over ``fpr`` and ``tpr``: over costs such limits were measured to hold in
    40 % to 96 % of datasets of 20 to 200 cases of a class, over alerts in 43 % of datasets of 20 where models
    cross, so both are refused (RS064).

    Each map holds by itself: two maps are not adjusted for each other.

    Measured with two crossing models, 8 and 20 groups of 60 + 60 cases whose difficulty differs, 400 samples:
    the limits held at all positions in 0.94 to 0.98 of the maps, over fpr, costs and alerts and under one
    threshold for all; a region named the wrong winner in 0 to 0.018 of them.

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
        one_of(
            "random", random, ("groups", "cases"), elsewhere=dict.fromkeys(("datasets", "folds"), "groups")
        )
    level = open_share("confidence_level", confidence_level)
    n_resamples = resamples_asked(n_resamples)
    seed = whole_number("seed", seed, least=0, example=0)
    models = _paired_averages(
        score_set, a, b, axis, random=random, undefined=undefined, unmatched=unmatched, threads=threads
    )
    axis, n_groups = models.axis, models.averages[0].n_groups
    ratio = ratio_of(test_train_ratio, score_set.design)
    if models.random == "cases":
        if test_train_ratio is not None and ratio:
            raise fail("RS002.ratio-of-cases")
        ratio = 0.0
        draws = {"n_resamples": n_resamples, "seed": seed, "threads": threads}
        return _assembled(models, _judged_over_cases(models, draws, level), level, ratio)
    pairs = list(combinations([axis.worth(own) for own in models.averages], 2))
    differences = np.concatenate([first - second for first, second in pairs], axis=1)
    how: dict[str, Any] = {"confidence_level": level, "n_resamples": n_resamples, "seed": seed}
    if ratio:  # groups that share training cases cannot be flipped
        flips = normal_maxima(differences, error_factor=error_factor(n_groups, ratio), **how)
    else:
        flips = sign_flips(differences, **how)
        if is_too_few(flips.smallest_pvalue, level):
            needed = int(np.ceil(1 - np.log2(1 - level) - 1e-9))
            own, smallest = models.averages[0], flips.smallest_pvalue
            warn("RS275.map", n=n_groups, unit=own.unit, level=100 * level, smallest=smallest, needed=needed)
    _warn_if_skewed(models)
    _warn_if_tuned_on_few(models)
    _warn_if_levels_scatter(models)
    return _assembled(models, _judged_over_groups(flips, len(pairs)), level, ratio)


def _assembled(models: _Models, found: _Judged, level: float, ratio: float) -> WinnerMap:
    axis = models.axis
    positions, paths = axis.positions, [axis.path(own) for own in models.averages]
    ends = sorted(axis.place(end) for end in (axis.low, axis.high))
    pairs = tuple(
        PairDifference(
            a=models.names[i],
            b=models.names[j],
            advantage=read_only(found.advantage[number].copy()),
            lower=read_only(found.lower[number].copy()),
            upper=read_only(found.upper[number].copy()),
            crossings=_positions(axis, sign_changes(paths[i], paths[j], ends[0], ends[1])),
        )
        for number, (i, j) in enumerate(combinations(range(len(paths)), 2))
    )
    winner = _winners(models.names, pairs)
    crossings = pairs[0].crossings
    if len(pairs) > 1:
        places = [axis.place(own) for pair in pairs for own in pair.crossings]
        crossings = _positions(axis, leaders(paths, places, *ends))
    return WinnerMap(
        over=axis.over,
        models=models.names,
        unit=models.averages[0].unit,
        n_groups=models.averages[0].n_groups,
        random=models.random,
        position=read_only(positions),
        pairs=pairs,
        winner=winner,
        regions=regions_of(positions, winner),
        crossings=crossings,
        pvalue=found.pvalue,
        smallest_pvalue=found.smallest_pvalue,
        confidence_level=level,
        excluded=runs_of(positions, np.asarray(np.isnan(found.lower).any(axis=0))),
        prevalence=axis.prevalence,
        method=str(axis.method),
        undefined=models.undefined,
        test_train_ratio=ratio,
        design=models.averages[0].design,
        _axis=axis,
        _has_cases=models.has_cases,
    )


def _positions(axis: Axis, places: tuple[float, ...]) -> tuple[float, ...]:
    """Places on a path as positions, in rising order."""
    return tuple(sorted(axis.position(place) for place in places))


def _winners(names: tuple[str, ...], pairs: tuple[PairDifference, ...]) -> tuple[str | None, ...]:
    """At every position the model that is better than each of the others."""
    wins = {name: np.ones(pairs[0].advantage.size, dtype=np.bool_) for name in names}
    for pair in pairs:
        wins[pair.a] &= pair.decided > 0
        wins[pair.b] &= pair.decided < 0
    table = np.array([wins[name] for name in names])
    return tuple(names[int(np.argmax(own))] if own.any() else None for own in table.T)


def _warn_if_skewed(models: _Models) -> None:
    """RS278, once, where the differences of some pair of models are too skewed for flips of signs."""
    for first, second in combinations(models.aucs, 2):
        shared = [group for group in first if group in second]
        a, b = (np.array([aucs[group] for group in shared]) for aucs in (first, second))
        if warn_of_skew(a, b, models.averages[0].unit):
            return


def _warn_if_tuned_on_few(models: _Models) -> None:
    """RS282 where groups tune their own thresholds to the costs on few cases of a class."""
    own, axis = models.sets[0], models.axis
    if axis.over != "costs" or axis.is_shared:
        return
    fewest = float(np.median(np.minimum(own.n_positives, own.n_negatives)))
    if fewest < FEWEST_TO_TUNE:
        unit = models.averages[0].unit
        warn("RS282.tuned", unit=unit, fewest=fewest)


def _warn_if_levels_scatter(models: _Models) -> None:
    """RS283 where one threshold is set for few groups whose levels of scores differ."""
    n_groups = models.averages[0].n_groups
    if not models.axis.is_shared or n_groups >= _MANY_LEVELS:
        return
    lost = [
        float(np.mean(list(aucs.values()))) - own.auc
        for aucs, own in zip(models.aucs, models.averages, strict=True)
    ]
    if max(lost) > _LOST_BY_LEVELS:
        unit, name = models.averages[0].unit, models.names[int(np.argmax(lost))]
        warn("RS283.levels", unit=unit, n=n_groups, lost=max(lost), name=name, needed=_MANY_LEVELS)


# The models, each averaged over the groups that all of them have
# ---------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Models:
    """Averages of several models over the same groups, in the same order.

    Attributes
    ----------
    axis : Axis
        What they are compared along.
    names : tuple of str
        The models.
    sets : tuple of ScoreSet
        Their scores.
    averages : tuple of Average
        One for each.
    aucs : tuple of mapping
        Of each model, the AUC of every group that has a curve.
    undefined : tuple of str
        Groups without one, and why.
    random : str
        "groups" or "cases"; if cases, their rows stand in the same order in all models.
    has_cases : bool
        Whether cases are named.
    """

    axis: Axis
    names: tuple[str, ...]
    sets: tuple[ScoreSet, ...]
    averages: tuple[Average, ...]
    aucs: tuple[dict[str, float], ...]
    undefined: tuple[str, ...]
    random: str
    has_cases: bool


def _paired_averages(
    score_set: Any,
    a: str | None,
    b: str | None,
    axis: Axis,
    *,
    random: str | None,
    undefined: str,
    unmatched: str,
    threads: int | None,
) -> _Models:
    """The average of each model; RS060, RS062 or RS063 where they cannot be paired, RS064 over what."""
    pairs = chosen_pairs(score_set, a, b)
    if (a is None) != (b is None) and len(pairs) > 1:
        named = str(b if a is None else a)
        others = [name for pair in pairs for name in pair if name != named]
        raise fail("RS065.half-named", named=named, others=others)
    names = tuple(dict.fromkeys(name for pair in pairs for name in pair))
    is_pooled = isinstance(axis.method, Pooled)
    paired = _matched(score_set, names, undefined, unmatched, all_rows_count=is_pooled)
    n_groups = len(paired.groups)
    chosen = random or ("groups" if n_groups > 1 else "cases")
    if chosen == "groups" and n_groups < 2:
        raise fail("RS064.one-group", n=n_groups, unit=paired.unit)
    if chosen == "cases":
        axis = axis.of_one() if n_groups == 1 else axis
        _require_cases(paired, axis)
        paired = replace(paired, sets=tuple(rows_in_order(paired.sets, paired.names)))
    drop = "drop" if is_pooled else undefined
    made = tuple(average(own, axis.method, undefined=drop, threads=threads) for own in paired.sets)
    # Pooling keeps groups of one class, which have no curve.
    curves = [
        roc_curves(own, undefined="drop", threads=threads) if is_pooled else None for own in paired.sets
    ]
    aucs = [
        (mean.members, mean._groups.auc) if own is None else (own.names, own.auc)
        for own, mean in zip(curves, made, strict=True)
    ]
    by_group = tuple(dict(zip(groups, values.tolist(), strict=True)) for groups, values in aucs)
    return _Models(axis, names, paired.sets, made, by_group, paired.undefined, chosen, paired.has_cases)


def _require_cases(paired: Paired, axis: Axis) -> None:
    """RS038, RS063 or RS064 if cases cannot be resampled."""
    is_one = len(paired.groups) < 2
    unit = paired.unit
    if any(own.columns.weights is not None for own in paired.sets):
        raise fail("RS038.cases", scores=paired.sets[0], unit=None if is_one else unit)
    unlike = unequal_rows(paired)
    if unlike:
        random = None if is_one else "groups"
        raise fail("RS063.order", groups=unlike, unit=unit, paired=None, random=random)
    groups = [] if is_one else [(f"or let the {plural(unit)} be random:  ", Option("random", "groups"))]
    if axis.over in ("costs", "alerts"):
        raise fail("RS064.map-over", over=axis.over, unit=unit, n=len(paired.groups), ways=groups)
    if not axis.takes_cases:
        usual, method = axis.own_method.label, axis.method.label
        raise fail("RS064.map-under", over=axis.over, method=method, usual=usual, ways=groups)


def _matched(
    score_set: Any, names: tuple[str, ...], undefined: str, unmatched: str, **options: Any
) -> Paired:
    try:
        return paired_models(score_set, names, undefined=undefined, unmatched=unmatched, **options)
    except DataError as error:
        # Its models are paired: a map has no room for that remedy.
        kept = tuple(remedy for remedy in error.remedies if not _names("paired", remedy))
        error.remedies = kept or (
            "a map pairs the models; as independent sets:  compare(score_set, paired=False)",
        )
        raise


def _names(option: str, remedy: Remedy) -> bool:
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    return any(isinstance(part, Option) and part.name == option for part in parts)


# Limits for all positions and pairs of models at once
# ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Judged:
    """Differences of all pairs of models, with limits for all positions and pairs at once.

    Attributes
    ----------
    advantage, lower, upper : float64 arrays of (n_pairs, n)
        Limits are NaN where none are known, infinite where there are too few groups.
    pvalue, smallest_pvalue : float
        Of no difference anywhere; the first is NaN where no position has limits though models differ.
    """

    advantage: Floats
    lower: Floats
    upper: Floats
    pvalue: float
    smallest_pvalue: float


def _judged_over_groups(flips: SignFlips, n_pairs: int) -> _Judged:
    """From flipped signs of the groups' differences, those of all pairs one after the other.

    Where all groups differ by the same there is no spread to make limits of, but the flips can still say
    that so many groups do not agree by chance. If they do, the limits are the difference itself.
    """
    half = flips.half_width.copy()
    with np.errstate(invalid="ignore"):
        is_sure = flips.adjusted <= 1 - flips.confidence_level + 1e-12
    half[(flips.standard_error == 0) & (flips.mean != 0) & is_sure] = 0.0
    mean, half = (values.reshape(n_pairs, -1) for values in (flips.mean, half))
    return _Judged(mean, mean - half, mean + half, flips.pvalue, flips.smallest_pvalue)


def _judged_over_cases(models: _Models, draws: dict[str, Any], level: float) -> _Judged:
    """The differences of all pairs, each with the share of the error that is its own (Bonferroni)."""
    axis = models.axis
    sides = [
        Side(name, own, axis.method, draws["threads"])
        for name, own in zip(models.names, models.sets, strict=True)
    ]
    worth = [axis.worth(own).mean(axis=0) for own in models.averages]
    drawn = [_drawn(axis, side, draws) for side in sides]
    pairs = list(combinations(range(len(sides)), 2))
    found = []
    for i, j in pairs:
        largest = largest_deviations(
            (sides[i], sides[j]),
            axis.positions,
            axis.over,
            paired=True,
            n_draws=draws["n_resamples"],
            seed=draws["seed"],
        )
        found.append(
            judged(
                worth[i] - worth[j],
                drawn[i] - drawn[j],
                largest,
                1 - (1 - level) / len(pairs),
                fewest_cases=fewest_cases((sides[i], sides[j])),
            )
        )
    difference, half = (np.array([getattr(own, name) for own in found]) for name in ("mean", "half_width"))
    kept = np.isfinite(half)  # cases without a spread say nothing of a difference
    pvalue = math.nan if difference.any() else 1.0
    if kept.any():
        pvalue = float(np.array([own.adjusted for own in found])[kept].min())
    return _Judged(
        difference,
        difference - half,
        difference + half,
        pvalue if math.isnan(pvalue) else min(1.0, len(pairs) * pvalue),
        min(1.0, len(pairs) * found[0].smallest_pvalue),
    )


def _drawn(axis: Axis, side: Side, draws: dict[str, Any]) -> Floats:
    """What resampled cases make a model worth at all positions; the same seed draws the same cases."""
    at = axis.positions
    rates = resampled_cases(
        cases_for(side),
        Readings(tpr_at=at) if axis.over == "fpr" else Readings(fpr_at=at),
        shared=axis.is_shared,
        **draws,
    )
    return rates if axis.over == "fpr" else -rates
