"""The interval of one model's own value, beside that of the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.table import cluster_counts, delong_moments
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.uncertainty import quiet_intervals
from rocsteady.inference.comparing.sides import Side
from rocsteady.places import Place
from rocsteady.statistics.delong import delong_variance
from rocsteady.statistics.groups import t_limits
from rocsteady.statistics.intervals import Interval, logit_limits, normal_quantile, t_quantile, wilson_limits

Floats = NDArray[np.float64]


def about(value: float, error: float, df: float, level: float) -> Interval:
    """``value ± t * error`` (z with infinite ``df``) on the logit scale; no limits where nothing varies.

    Examples
    --------
    >>> about(0.9, 0.1, 7, 0.95)
    Interval(0.3941 to 0.9920, confidence level 0.95, logit t)
    >>> about(1.0, 0.0, 7, 0.95)
    Interval(nan to nan, confidence level 0.95, logit t)
    """
    kind = "z" if np.isinf(df) else "t"
    if not (error > 0 and df > 0):
        return Interval(float("nan"), float("nan"), level, f"logit {kind}")
    half = t_quantile(df, level) * error
    low, high = t_limits(value, half)
    return Interval(float(low), float(high), level, f"logit {kind}")


def of_auc(side: Side, level: float) -> Interval:
    """Of the mean AUC of fixed groups whose cases are random; of one dataset, the one that is safe near 1."""
    moments = replace(delong_moments(side.curved), clusters=cluster_counts(side.curved))
    if side.aucs.size == 1:
        made = quiet_intervals(moments, level)
        return Interval(float(made.low[0]), float(made.high[0]), level, made.method)
    mean = side.aucs.mean()
    error = np.sqrt(delong_variance(moments).sum()) / side.aucs.size
    if not (error > 0 and 0 < mean < 1):
        return about(float(mean), float("nan"), np.inf, level)
    low, high = logit_limits(mean, normal_quantile(level) * error)
    return Interval(float(low), float(high), level, "logit")


def at_budget(side: Side, place: Place, value: float, draws: Floats, level: float) -> Interval:
    """Of a rate where the other is held, cases random: score limits of one curve, else from the resamples."""
    if len(side.scores) > 1:
        return about(value, float(np.std(draws, ddof=1)), np.inf, level)
    (curve,) = roc_curves(side.curved, threads=side.threads)
    at = place.of(side.name)
    read = curve.tpr_interval if place.kind == "fpr" else curve.fpr_interval
    return read(at, method="score", confidence_level=level)


def of_share(value: float, sizes: Sequence[int], variance: float, level: float) -> Interval:
    """Of a rate at a frozen threshold, cases random: Wilson's of one dataset, else by its variance."""
    if len(sizes) > 1:
        return about(value, float(np.sqrt(variance)), np.inf, level)
    low, high = wilson_limits(np.array(value), sizes[0], normal_quantile(level))
    return Interval(float(low), float(high), level, "wilson")
