"""What has to be said about resamples: too few, all equal, skewed, drawn again."""

from __future__ import annotations

import numpy as np

from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.averaging.given import Members
from rocsteady.averaging.methods import Method, Pooled, Threshold
from rocsteady.caller import caller_level
from rocsteady.curves.rate_intervals import FEWEST_CASES, Held, warn_of_few
from rocsteady.curves.statistics import FprAt, Statistic, TprAt
from rocsteady.errors import Option, warn
from rocsteady.inference.bootstrapping.given import class_sizes
from rocsteady.inference.bootstrapping.limits import Resamples
from rocsteady.words import counted, grouped, percent, plural

_MANY_REDRAWN = 0.05
_NEAR_ONE, _NEAR_ONE_LOGIT, _MANY_GROUPS = 0.07, 0.03, 30
_FEW_MISPLACED, _ALL_IN_ONE = 5, 1.5
_FEWEST_BEYOND = (3, 1)  # on the logit scale; with two the interval covered 90 to 93 %, with one 81 to 89 %
_MUCH_BIAS = 0.15  # standard errors; intervals that promise 95 % were measured to cover 84 to 92 % beyond it


def warn_flat(resamples: Resamples, statistic: Statistic) -> None:
    """RS271 where no resample differs from another."""
    if (resamples.values == resamples.values[:1]).all() and resamples.values.shape[0] > 1:
        warn(
            "RS271",
            "all resamples are equal, so the interval has no width.",
            f"{statistic.label} is {resamples.estimate[0]:.4g} in each of them; separated classes, equal "
            "scores, or groups that are alike",
            "do not read it as certainty: nothing that could vary was seen to vary",
            stacklevel=caller_level(),
        )


def warn_few(resamples: Resamples, kind: str) -> None:
    """RS272 for percentiles of few groups."""
    warn(
        "RS272",
        f"{kind} intervals of fewer than {FEWEST_GROUPS} groups or clusters are too narrow.",
        f"found: {resamples.n_drawn:.3g} of equal weight",
        ("use  ", Option("interval", "logit")),
        stacklevel=caller_level(),
    )


def warn_skewed(resamples: Resamples, members: Members, kind: str) -> None:
    """RS272 where few areas near 0 or 1 scatter to one side."""
    share = float(resamples.estimate[0]) / resamples.width
    near = _NEAR_ONE_LOGIT if kind == "logit" else _NEAR_ONE
    if len(members) < _MANY_GROUPS and 0 < min(share, 1 - share) < near:
        remedy = "report the single groups beside their mean"
        warn(
            "RS272",
            f"areas near 0 or 1 scatter to one side, and {counted(len(members), members.unit)} are few to "
            "tell how far.",
            f"found: {resamples.estimate[0]:.4g}, interval by the {kind} method",
            remedy if kind == "logit" else ("use  ", Option("interval", "logit")),
            stacklevel=caller_level(),
        )


def warn_few_beyond(statistic: TprAt | FprAt, members: Members, resamples: Resamples, kind: str) -> None:
    """RS295 where few cases of one dataset are beyond the threshold that a rate sets."""
    n_positives, n_negatives = class_sizes(members)
    if isinstance(statistic, TprAt):
        held, sizes, name = np.atleast_1d(statistic.fpr), (n_negatives, n_positives), "FPR"
    else:
        held, sizes, name = 1 - np.atleast_1d(statistic.tpr), (n_positives, n_negatives), "TPR"
    of = Held(np.asarray(held, dtype=np.float64), resamples.estimate, *sizes, read=np.asarray)
    function = "tpr_interval(fpr=...)" if name == "FPR" else "fpr_interval(tpr=...)"
    fewest = FEWEST_CASES if kind in ("percentile", "basic") else _FEWEST_BEYOND
    warn_of_few(of, name, f"an interval that keeps its level there:  roc_curve(x).{function}", fewest=fewest)


def warn_few_misplaced(resamples: Resamples, kind: str) -> None:
    """RS272 where few clusters of a class have cases on the wrong side; the logit scale copes with that."""
    auc = float(resamples.estimate[0])
    misplaced = resamples.n_drawn * min(auc, 1 - auc)
    if kind != "logit" and 0 < misplaced < _FEW_MISPLACED:
        warn(
            "RS272",
            f"{kind} intervals of few clusters with misplaced cases are too narrow.",
            f"found: {resamples.n_drawn:.3g} clusters of equal weight, AUC {auc:.4g}",
            ("use  ", Option("interval", "logit")),
            stacklevel=caller_level(),
        )


def warn_of_levels(resamples: Resamples, members: Members, method: Method | None) -> None:
    """RS272 where resampled areas are so much too large that few groups cannot tell the area of all."""
    bias = float((resamples.values - resamples.estimate).mean())
    error = float(resamples.standard_error[0])
    if isinstance(method, Pooled | Threshold) and error > 0 and abs(bias) > _MUCH_BIAS * error:
        warn(
            "RS272",
            f"scores of these {plural(members.unit)} lie on such different levels that {len(members)} are "
            "few for an interval of an area under one threshold.",
            f"a {members.unit} drawn twice is compared with itself: resampled areas are off by {bias:+.3g}, "
            f"{abs(bias) / error:.2g} standard errors",
            "how far they lie apart:  comparability(score_set)",
            ("own thresholds do not compare groups:  ", Option("average", "vertical")),
            stacklevel=caller_level(),
        )


def warn_redrawn(n_redrawn: int, n_resamples: int) -> None:
    """RS273 where many draws lacked a class."""
    share = n_redrawn / (n_redrawn + n_resamples)
    if share > _MANY_REDRAWN:
        warn(
            "RS273",
            f"{percent(share)} of the draws had no case of one class and were drawn again.",
            f"found: {grouped(n_redrawn)} draws thrown away for {counted(n_resamples, 'resample')}",
            "the interval holds for samples with both classes; collect groups that have the rarer one",
            stacklevel=caller_level(),
        )


def warn_in_one_cluster(resamples: Resamples) -> None:
    """RS274 for a class that is nearly all in one cluster."""
    if resamples.n_drawn < _ALL_IN_ONE:
        warn(
            "RS274",
            "nearly all rows of a class are in one cluster, so there is no interval to rely on.",
            f"found: as sure as {resamples.n_drawn:.3g} clusters of equal weight",
            "collect clusters that have cases of that class",
            stacklevel=caller_level(),
        )


def warn_single(members: Members, kind: str, resamples: Resamples) -> None:
    """RS274 for a class with one case, or in one cluster."""
    if kind == "clusters":
        warn_in_one_cluster(resamples)
    if kind != "cases":
        return
    positives, negatives = class_sizes(members)
    single = (np.asarray(positives) == 1) | (np.asarray(negatives) == 1)
    if single.any():
        first = int(np.flatnonzero(single)[0])
        which = "" if len(members) == 1 else f" in {members.names[first]}"
        warn(
            "RS274",
            "a class with a single case cannot be resampled; the interval shows the other's spread only.",
            f"found: {counted(int(positives[first]), 'positive')}, "
            f"{counted(int(negatives[first]), 'negative')}{which}",
            "collect cases of that class",
            stacklevel=caller_level(),
        )
