"""What has to be said about resamples: too few, all equal, skewed, drawn again."""

from __future__ import annotations

import numpy as np

from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.averaging.members import Members
from rocsteady.averaging.methods import Method, Pooled, Threshold
from rocsteady.curves.measures import FprAt, Statistic, TprAt
from rocsteady.curves.uncertainty import FEWEST_CASES, Held, warn_of_few
from rocsteady.errors import warn
from rocsteady.inference.bootstrapping.given import class_sizes
from rocsteady.inference.bootstrapping.limits import Resamples

_MANY_REDRAWN = 0.05
_NEAR_ONE, _NEAR_ONE_LOGIT, _MANY_GROUPS = 0.07, 0.03, 30
_FEW_MISPLACED, _ALL_IN_ONE = 5, 1.5
_FEWEST_BEYOND = (3, 1)  # on the logit scale; with two the interval covered 90 to 93 %, with one 81 to 89 %
_MUCH_BIAS = 0.15  # standard errors; intervals that promise 95 % were measured to cover 84 to 92 % beyond it


def warn_flat(resamples: Resamples, statistic: Statistic) -> None:
    """RS271 where no resample differs from another."""
    if (resamples.values == resamples.values[:1]).all() and resamples.values.shape[0] > 1:
        warn("RS271.flat", statistic=statistic.label, estimate=resamples.estimate[0])


def warn_few(resamples: Resamples, kind: str) -> None:
    """RS272 for percentiles of few groups."""
    warn("RS272.few", kind=kind, needed=FEWEST_GROUPS, n=resamples.n_drawn)


def warn_skewed(resamples: Resamples, members: Members, kind: str) -> None:
    """RS272 where few areas near 0 or 1 scatter to one side."""
    share = float(resamples.estimate[0]) / resamples.width
    near = _NEAR_ONE_LOGIT if kind == "logit" else _NEAR_ONE
    if len(members) < _MANY_GROUPS and 0 < min(share, 1 - share) < near:
        warn(
            "RS272.skewed",
            known=None if kind == "logit" else "logit",
            is_logit=kind == "logit",
            n=len(members),
            unit=members.unit,
            estimate=resamples.estimate[0],
            kind=kind,
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
        warn("RS272.misplaced", kind=kind, n=resamples.n_drawn, auc=auc)


def warn_of_levels(resamples: Resamples, members: Members, method: Method | None) -> None:
    """RS272 where resampled areas are so much too large that few groups cannot tell the area of all."""
    bias = float((resamples.values - resamples.estimate).mean())
    error = float(resamples.standard_error[0])
    if isinstance(method, Pooled | Threshold) and error > 0 and abs(bias) > _MUCH_BIAS * error:
        warn("RS272.levels", unit=members.unit, n=len(members), bias=bias, errors=abs(bias) / error)


def warn_redrawn(n_redrawn: int, n_resamples: int) -> None:
    """RS273 where many draws lacked a class."""
    share = n_redrawn / (n_redrawn + n_resamples)
    if share > _MANY_REDRAWN:
        warn("RS273.redrawn", share=share, n=n_redrawn, n_resamples=n_resamples)


def warn_in_one_cluster(resamples: Resamples) -> None:
    """RS274 for a class that is nearly all in one cluster."""
    if resamples.n_drawn < _ALL_IN_ONE:
        warn("RS274.cluster", n=resamples.n_drawn)


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
        n_positives, n_negatives = int(positives[first]), int(negatives[first])
        name = None if len(members) == 1 else members.names[first]
        warn("RS274.case", n_positives=n_positives, n_negatives=n_negatives, name=name)
