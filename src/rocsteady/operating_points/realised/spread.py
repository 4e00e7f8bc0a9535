"""What trials of thresholds add up to: means with intervals, the spread over groups and its parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import warn
from rocsteady.operating_points.cutoffs.criteria import Closest, Criterion, EqualErrors, TargetRate, Youden
from rocsteady.operating_points.realised.crossfit import Plan, Tried, values_of
from rocsteady.results import Result, read_only
from rocsteady.statistics.groups import degrees_of_freedom, spread, t_limits
from rocsteady.statistics.intervals import Interval, t_quantile

Floats = NDArray[np.float64]
_Named = dict[str, Floats]

RATES = ("fpr", "tpr", "value")
_UNEVEN = 1.5
"""Standard deviation of the groups' FPRs over their mean; from about here on intervals were seen to fail."""
_DRAWS = 20_000
"""Weights of groups that are drawn for the interval of a share."""
_BEYOND = 0.5
"""How many groups are imagined at the far end of a share: more would cover more, and say less."""
_ROUNDING = 1e-12
"""Values that differ by less are the same: they were summed from different counts."""


@dataclass(frozen=True, eq=False, repr=False)
class Attained(Result):
    """A rate, or a value, attained on new rows.

    Attributes
    ----------
    mean : float
        Over groups, of each group's mean over trials.
    interval : Interval
        Of the mean, by Student's t; groups are random. NaN for a single group.
    standard_error : float
        Of the mean.
    sd : float
        Spread over groups of what is seen in one trial.
    sd_of_test_rows : float
        The part of it that a small number of test rows makes (binomial); NaN for a value that is no rate.
    sd_between : float
        The rest: how much the groups differ at the thresholds they use; 0 if the test rows explain it all.
    per_group : float64 array
        Each group's mean over trials.
    weights : float64 array
        What each group counts in the mean.
    """

    mean: float
    interval: Interval
    standard_error: float
    sd: float
    sd_of_test_rows: float
    sd_between: float
    per_group: Floats
    weights: Floats
    _per_trial: Floats

    def __repr__(self) -> str:
        limits = f"{self.interval.low:.4f} to {self.interval.high:.4f}"
        return f"Attained(mean {self.mean:.4f} ({limits}), sd {self.sd:.4f} over groups)"


def attained_rates(
    plan: Plan, tried: Tried, confidence_level: float, ratio: float = 0.0
) -> dict[str, Attained]:
    """FPR, TPR and value on the rows that thresholds were tried on; ``ratio`` is that of the design."""
    n_positives, n_negatives = tried.n_positives, tried.n_negatives
    trials = _rates(plan.criterion, tried.false_positives, tried.true_positives, n_negatives, n_positives)
    # Every repeat tries every row once: the mean over rows weighs parts of unlike size as they should be.
    counts = (tried.false_positives, tried.true_positives, n_negatives, n_positives)
    of_groups = _rates(plan.criterion, *(numbers.sum(axis=1) for numbers in counts))
    if isinstance(plan.criterion, Closest | EqualErrors):  # curved: the value at mean rates is no mean value
        of_groups["value"] = trials["value"].mean(axis=1)
    sizes = {"fpr": tried.effective_negatives, "tpr": tried.effective_positives}
    if isinstance(plan.criterion, TargetRate):
        sizes["value"] = sizes["tpr" if plan.criterion.tpr is None else "fpr"]
    rows = {"fpr": n_negatives, "tpr": n_positives, "value": n_positives + n_negatives}
    found = {}
    for name, values in of_groups.items():
        own = rows[name].sum(axis=1) if plan.weigh == "rows" else np.ones(len(values))
        weights = own / own.sum()
        scale = "linear" if name == "value" else "logit"
        mean, interval, error = weighted_mean_interval(values, weights, confidence_level, ratio, scale)
        spreads = spread_over_groups(trials[name], sizes.get(name))
        arrays = map(read_only, (values, weights, trials[name]))
        found[name] = Attained(mean, interval, error, *spreads, *arrays)
    return found


def _rates(criterion: Criterion, fp: Floats, tp: Floats, n_negatives: Floats, n_positives: Floats) -> _Named:
    fpr, tpr = fp / n_negatives, tp / n_positives
    value = values_of(criterion, fpr, tpr, n_positives / (n_positives + n_negatives))
    return {"fpr": fpr, "tpr": tpr, "value": value}


def warn_if_few_carry(fpr: Attained, unit: str) -> None:
    """RS258 if the FPRs of the groups are so unlike that few groups make their mean."""
    mean, sd = fpr.per_group.mean(), fpr.per_group.std(ddof=min(1, fpr.per_group.size - 1))
    if sd > _UNEVEN * mean:
        half = np.sort(fpr.per_group)[::-1].cumsum() >= fpr.per_group.sum() / 2
        few = int(half.argmax()) + 1
        warn("RS258.few-carry", unit=unit, n=few, n_groups=fpr.per_group.size)


def weighted_mean_interval(
    values: Floats, weights: Floats, confidence_level: float, ratio: float = 0.0, scale: str = "logit"
) -> tuple[float, Interval, float]:
    """The mean over groups, its t interval and its standard error."""
    found = spread(values[:, None], weights, ratio)
    mean, error = float(found.mean[0]), float(found.standard_error[0])
    half = t_quantile(degrees_of_freedom(weights), confidence_level) * error
    low, high = (float(limit) for limit in t_limits(mean, half, scale))
    return mean, Interval(low, high, confidence_level, "logit t" if scale == "logit" else "t"), error


def share_interval(shares: Floats, confidence_level: float) -> Interval:
    """An interval for the mean over groups of what share of trials something happened in.

    Such shares are skewed, and with halves mostly one of two: a t interval is far too narrow where all groups
    happen to agree, down to no width at all. So the groups are weighed at random (the Bayesian bootstrap),
    with half a group of share 0 among them for the lower limit, and of share 1 for the upper. Of groups that
    all have 0 or 1 that lies between the intervals of Jeffreys and of Clopper and Pearson.

    Examples
    --------
    >>> import numpy as np
    >>> share_interval(np.zeros(10), 0.95)
    Interval(0.0000 to 0.2269, confidence level 0.95, bayesian bootstrap)
    """
    tail = (1 - confidence_level) / 2
    method = "bayesian bootstrap"
    if shares.size < 2:
        return Interval(np.nan, np.nan, confidence_level, method)
    stream = np.random.default_rng(0)  # of its own: the limits depend on the shares only, in any order
    weight = beyond = np.zeros(_DRAWS)
    for share, n_groups in zip(*np.unique(shares, return_counts=True), strict=True):
        drawn = stream.standard_gamma(n_groups, size=_DRAWS)
        weight, beyond = weight + drawn, beyond + share * drawn
    imagined = stream.standard_gamma(_BEYOND, size=_DRAWS)
    low = np.quantile(beyond / (weight + imagined), tail)
    high = np.quantile((beyond + imagined) / (weight + imagined), 1 - tail)
    return Interval(float(low), float(high), confidence_level, method)


def spread_over_groups(of_trial: Floats, sizes: Floats | None) -> tuple[float, float, float]:
    """Standard deviation over groups in a trial, the part of the test rows, and what is left.

    Parameters
    ----------
    of_trial : float64 array
        Rates, ``(n_groups, n_trials)``.
    sizes : float64 array, optional
        Test rows behind each rate; without them only the first number is known.

    Examples
    --------
    Two groups of very many rows: all of the spread is real.

    >>> import numpy as np
    >>> spread_over_groups(np.array([[0.1], [0.3]]), np.array([[1e12], [1e12]]))[2].__round__(6)
    0.141421
    """
    n_groups, unknown = len(of_trial), float("nan")
    if n_groups < 2:
        return unknown, unknown, unknown
    whole = float(of_trial.var(axis=0, ddof=1).mean())
    # One test row is 0 or 1 whatever its rate, and tells nothing of its own scatter.
    is_known = np.zeros(n_groups, dtype=np.bool_) if sizes is None else ~(sizes < 2).any(axis=1)
    if sizes is None or is_known.sum() < 2:
        return float(np.sqrt(whole)), unknown, unknown
    known, n = of_trial[is_known], sizes[is_known]
    of_rows = float(np.mean(known * (1 - known) / (n - 1)))
    between = max(float(known.var(axis=0, ddof=1).mean()) - of_rows, 0.0)
    return float(np.sqrt(whole)), float(np.sqrt(of_rows)), float(np.sqrt(between))


def over_budget(criterion: Criterion, tried: Tried, fpr: Floats, tpr: Floats, value: Floats) -> Floats:
    """Whether a group missed the target in a trial: 1 or 0."""
    if isinstance(criterion, TargetRate):  # what may be chosen keeps the target
        return np.asarray(~np.asarray(criterion.permits(fpr, tpr)), dtype=np.float64)
    promised = tried.promised_value
    worse = promised - value if isinstance(criterion, Youden) else value - promised
    return np.asarray(worse > _ROUNDING * np.maximum(np.abs(promised), 1.0), dtype=np.float64)
