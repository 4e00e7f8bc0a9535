"""``winner_map``: who wins where, with confidence for the whole range at once."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.bands import runs_of
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import Method
from rocsteady.errors import fail, warn
from rocsteady.inference.comparing.skewness import is_skewed, warn_of_skew
from rocsteady.inference.winner_map.axes import Axis
from rocsteady.inference.winner_map.declared import axis_of
from rocsteady.inference.winner_map.judging import Judged, judged_over_groups
from rocsteady.inference.winner_map.over_cases import Drawing, judged_over_cases
from rocsteady.inference.winner_map.paired import PairedAverages, paired_averages
from rocsteady.inference.winner_map.reading import is_too_few
from rocsteady.inference.winner_map.result import PairDifference, WinnerMap, regions_of
from rocsteady.inference.winner_map.sign_changes import Path, leaders, sign_changes
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.points.paired_tests import ratio_of
from rocsteady.results import read_only
from rocsteady.statistics.groups import SignFlips, error_factor, normal_maxima, sign_flips

Floats = NDArray[np.float64]

_MANY_LEVELS = 30
_LOST_BY_LEVELS = 0.03
"""Of the AUC, where all groups share a threshold: then their levels of scores differ much."""
FEWEST_TO_TUNE = 20
"""Cases of the rarer class in the median group; with fewer, its best threshold is much a matter of luck."""


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
    models = paired_averages(
        score_set, a, b, axis, random=random, undefined=undefined, unmatched=unmatched, threads=threads
    )
    axis, n_groups = models.axis, models.averages[0].n_groups
    ratio = ratio_of(test_train_ratio, score_set.design)
    if models.random == "cases":
        if test_train_ratio is not None and ratio:
            raise fail("RS002.ratio-of-cases")
        ratio = 0.0
        drawing = Drawing(n_resamples, seed, threads)
        return _assembled(models, judged_over_cases(models, drawing, level), level, ratio)
    differences = _differences([axis.worth(own) for own in models.averages])
    how: dict[str, Any] = {"confidence_level": level, "n_resamples": n_resamples, "seed": seed}
    if ratio:  # groups that share training cases cannot be flipped
        flips = normal_maxima(differences, error_factor=error_factor(n_groups, ratio), **how)
    else:
        flips = sign_flips(differences, **how)
        _warn_if_few(flips, models.averages[0], level)
    _warn_if_skewed(models)
    _warn_if_tuned_on_few(models)
    _warn_if_levels_scatter(models)
    n_pairs = len(models.names) * (len(models.names) - 1) // 2
    return _assembled(models, judged_over_groups(flips, n_pairs), level, ratio)


def _differences(worth: list[Floats]) -> Floats:
    """Of all pairs of models, one after the other: ``(n_groups, n_pairs * n)``."""
    return np.concatenate([first - second for first, second in combinations(worth, 2)], axis=1)


def _assembled(models: PairedAverages, found: Judged, level: float, ratio: float) -> WinnerMap:
    axis = models.axis
    positions, paths = axis.positions, [axis.path(own) for own in models.averages]
    pairs = tuple(
        _pair(axis, models.names, paths, found, number, which)
        for number, which in enumerate(combinations(range(len(paths)), 2))
    )
    winner = _winners(models.names, pairs)
    ends = sorted(axis.place(end) for end in (axis.low, axis.high))
    crossings = pairs[0].crossings
    if len(pairs) > 1:
        places = [axis.place(own) for pair in pairs for own in pair.crossings]
        crossings = _positions(axis, leaders(paths, places, *ends))
    return WinnerMap(
        over=axis.over,
        models=models.names,
        unit=models.averages[0].unit,
        n_groups=models.averages[0].n_groups,
        random=found.random,
        position=read_only(positions),
        pairs=pairs,
        winner=winner,
        regions=regions_of(positions, winner),
        crossings=crossings,
        pvalue=found.pvalue,
        smallest_pvalue=found.smallest_pvalue,
        confidence_level=level,
        excluded=runs_of(positions, found.left_out),
        prevalence=axis.prevalence,
        method=str(axis.method),
        undefined=models.undefined,
        test_train_ratio=ratio,
        _axis=axis,
        _has_cases=models.has_cases,
        design=models.averages[0].design,
    )


def _pair(
    axis: Axis,
    names: tuple[str, ...],
    paths: list[Path],
    found: Judged,
    number: int,
    which: tuple[int, int],
) -> PairDifference:
    first, second = which
    ends = sorted(axis.place(end) for end in (axis.low, axis.high))
    return PairDifference(
        a=names[first],
        b=names[second],
        advantage=read_only(found.advantage[number].copy()),
        lower=read_only(found.lower[number].copy()),
        upper=read_only(found.upper[number].copy()),
        crossings=_positions(axis, sign_changes(paths[first], paths[second], ends[0], ends[1])),
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


def _warn_if_skewed(models: PairedAverages) -> None:
    """RS278, once, where the differences of some pair of models are too skewed for flips of signs."""
    for first, second in combinations(models.aucs, 2):
        shared = [group for group in first if group in second]
        a, b = (np.array([aucs[group] for group in shared]) for aucs in (first, second))
        if is_skewed(a, b):
            warn_of_skew(a, b, models.averages[0].unit)
            return


def _warn_if_tuned_on_few(models: PairedAverages) -> None:
    """RS282 where groups tune their own thresholds to the costs on few cases of a class."""
    own, axis = models.sets[0], models.axis
    if axis.over != "costs" or axis.is_shared:
        return
    fewest = float(np.median(np.minimum(own.n_positives, own.n_negatives)))
    if fewest < FEWEST_TO_TUNE:
        unit = models.averages[0].unit
        warn("RS282.tuned", unit=unit, fewest=fewest)


def _warn_if_levels_scatter(models: PairedAverages) -> None:
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


def _warn_if_few(flips: SignFlips, own: Average, level: float) -> None:
    """RS275 where no difference, however large, could be decided."""
    if not is_too_few(flips.smallest_pvalue, level):
        return
    needed = int(np.ceil(1 - np.log2(1 - level) - 1e-9))
    warn(
        "RS275.map",
        n=own.n_groups,
        unit=own.unit,
        level=100 * level,
        smallest=flips.smallest_pvalue,
        needed=needed,
    )
