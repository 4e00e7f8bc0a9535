"""``winner_map``: who wins where, with confidence for the whole range at once."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.bands import runs_of
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import Method
from rocsteady.counting.arguments import open_share, resamples_asked, whole_number
from rocsteady.counting.caller import caller_level
from rocsteady.counting.results import read_only
from rocsteady.errors import warn
from rocsteady.inference.comparing.skewness import is_skewed, warn_of_skew
from rocsteady.inference.winner_map.axes import Axis
from rocsteady.inference.winner_map.declared import axis_of
from rocsteady.inference.winner_map.paired import PairedAverages, paired_averages
from rocsteady.inference.winner_map.reading import is_too_few
from rocsteady.inference.winner_map.result import PairDifference, WinnerMap, regions_of
from rocsteady.inference.winner_map.sign_changes import Path, leaders, sign_changes
from rocsteady.operating_points.tables.significance import ratio_of
from rocsteady.uncertainty.sign_flips import SignFlips, sign_flips
from rocsteady.words import counted

Floats = NDArray[np.float64]


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
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    test_train_ratio: float | str | None = None,
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
        FPR wins), ratios of costs (every group is tuned to the costs, and the cheaper model wins), or alert
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
        The average that is compared over a rate: "vertical" over ``fpr`` and "horizontal" over ``tpr`` unless
        said, where every group sets its own threshold. With "threshold" or "pooled" all share one, chosen
        anew in other groups; what a group adds to the difference is then linearised.
    confidence_level : float
        Of all limits at once.
    n_resamples, seed : int
        Of random sign flips; with up to 14 groups all flips are tried, and neither matters.
    test_train_ratio : float or "cv", optional
        For folds of a cross-validation, as in :func:`rocsteady.compare`: they share training cases, and the
        limits become wider (Nadeau & Bengio 2003).
    undefined : {"raise", "drop"}
        What to do about groups of one class.
    unmatched : {"raise", "drop"}
        What to do about groups, and named cases, that some model has no scores for.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    WinnerMap
        ``.regions``, ``.crossings``, ``.reading``; ``.difference`` with ``.lower`` and ``.upper``.

    Raises
    ------
    UsageError
        RS060 without two models, RS065 if the range does not fit, RS091 without a needed prevalence.
    DataError
        RS062 and RS063 where the models did not score the same groups or cases.

    Warns
    -----
    RocsteadyWarning
        RS275 with too few groups for the confidence level: fewer than six at 95 %. RS278 where differences
        between groups are so skewed that the limits hold less often than they promise.

    Notes
    -----
    What is random is the groups (maximum of t, signs of whole groups flipped; Westfall & Young 1993, Romano &
    Wolf 2005). Flips are exact where differences are symmetric. Fewer than six groups cannot decide anything
    at 95 % (RS275). Each map holds by itself: two maps are not adjusted for each other.

    Measured with two crossing models, 8 and 20 groups of 60 + 60 cases whose difficulty differs, 400 samples:
    the limits held at all positions in 0.94 to 0.98 of the maps, over fpr, costs and alerts and under one
    threshold for all; a region named the wrong winner in 0 to 0.018 of them.

    Over costs every group is tuned on the rows on which it is judged, which is optimistic for both models.

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
    level = open_share("confidence_level", confidence_level)
    n_resamples = resamples_asked(n_resamples)
    seed = whole_number("seed", seed, least=0, example=0)
    models = paired_averages(
        score_set, a, b, axis.method, undefined=undefined, unmatched=unmatched, threads=threads
    )
    n_groups = models.averages[0].n_groups
    ratio = ratio_of(test_train_ratio, n_groups)
    flips = sign_flips(
        _differences([axis.worth(own) for own in models.averages]),
        confidence_level=level,
        n_resamples=n_resamples,
        seed=seed,
        error_factor=float(np.sqrt(1 + n_groups * ratio)),
    )
    _warn_if_few(flips, models.averages[0], level)
    _warn_if_skewed(models)
    return _assembled(axis, models, flips, ratio)


def _differences(worth: list[Floats]) -> Floats:
    """Of all pairs of models, one after the other: ``(n_groups, n_pairs * n)``."""
    return np.concatenate([first - second for first, second in combinations(worth, 2)], axis=1)


def _assembled(axis: Axis, models: PairedAverages, flips: SignFlips, ratio: float) -> WinnerMap:
    positions, paths = axis.positions, [axis.path(own) for own in models.averages]
    pairs = tuple(
        _pair(axis, models.names, paths, flips, number, which)
        for number, which in enumerate(combinations(range(len(paths)), 2))
    )
    winner = _winners(models.names, pairs)
    ends = sorted(axis.place(end) for end in (axis.low, axis.high))
    crossings = pairs[0].crossings
    if len(pairs) > 1:
        places = [axis.place(own) for pair in pairs for own in pair.crossings]
        crossings = _positions(axis, leaders(paths, places, *ends))
    left_out = np.asarray(flips.left_out.reshape(len(pairs), -1).any(axis=0))
    return WinnerMap(
        over=axis.over,
        models=models.names,
        unit=models.averages[0].unit,
        n_groups=models.averages[0].n_groups,
        position=read_only(positions),
        pairs=pairs,
        winner=winner,
        regions=regions_of(positions, winner),
        crossings=crossings,
        pvalue=flips.pvalue,
        smallest_pvalue=flips.smallest_pvalue,
        confidence_level=flips.confidence_level,
        excluded=runs_of(positions, left_out),
        prevalence=axis.prevalence,
        method=str(axis.method),
        undefined=models.undefined,
        test_train_ratio=ratio,
        _axis=axis,
    )


def _pair(
    axis: Axis,
    names: tuple[str, ...],
    paths: list[Path],
    flips: SignFlips,
    number: int,
    which: tuple[int, int],
) -> PairDifference:
    n = axis.positions.size
    own = slice(number * n, (number + 1) * n)
    mean, half = flips.mean[own], flips.half_width[own]
    first, second = which
    ends = sorted(axis.place(end) for end in (axis.low, axis.high))
    return PairDifference(
        a=names[first],
        b=names[second],
        difference=read_only(mean.copy()),
        lower=read_only(mean - half),
        upper=read_only(mean + half),
        crossings=_positions(axis, sign_changes(paths[first], paths[second], ends[0], ends[1])),
    )


def _positions(axis: Axis, places: tuple[float, ...]) -> tuple[float, ...]:
    """Places on a path as positions, in rising order."""
    return tuple(sorted(axis.position(place) for place in places))


def _winners(names: tuple[str, ...], pairs: tuple[PairDifference, ...]) -> tuple[str | None, ...]:
    """At every position the model that is better than each of the others."""
    wins = {name: np.ones(pairs[0].difference.size, dtype=np.bool_) for name in names}
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


def _warn_if_few(flips: SignFlips, own: Average, level: float) -> None:
    """RS275 where no difference, however large, could be decided."""
    if not is_too_few(flips.smallest_pvalue, level):
        return
    needed = int(np.ceil(1 - np.log2(1 - level) - 1e-9))
    alone = ["cases of a single one:  compare(score_set, random='cases')"] if own.n_groups == 1 else []
    groups = counted(own.n_groups, own.unit)
    warn(
        "RS275",
        f"{groups} cannot decide anything at {100 * level:g} %.",
        f"the smallest p-value of {groups} is {flips.smallest_pvalue:.3g}",
        f"compare {counted(needed, own.unit)} or more",
        *alone,
        stacklevel=caller_level(),
    )
