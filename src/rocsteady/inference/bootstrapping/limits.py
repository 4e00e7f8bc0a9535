"""From resamples to limits: percentiles, basic, normal, t and logit intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.statistics.groups import error_factor
from rocsteady.statistics.intervals import logit_limits, t_quantile
from rocsteady.statistics.resampling import expanded_percentiles

Floats = NDArray[np.float64]

KINDS = ("percentile", "basic", "normal", "t", "logit")
ELSEWHERE = {"perc": "percentile", "quantile": "percentile", "pivotal": "basic", "wald": "normal"}
ELSEWHERE |= {"norm": "normal", "student": "t", "expanded": "percentile", "bca": "percentile"}


@dataclass(frozen=True, eq=False)
class Resamples:
    """Readings of resamples, flat.

    Attributes
    ----------
    estimate : float64 array of (n,)
        What was read off the data.
    values : float64 array of (n_resamples, n)
        What was read off every resample.
    n_drawn : float
        How many groups or clusters of equal weight were drawn; infinite where single cases were.
    df : float
        Degrees of freedom of their t intervals.
    width : float
        The largest value that the statistic can have; 1 but for a raw partial area.
    ratio : float
        What the design adds to the variance of a mean over groups, as a share of that between groups.
    """

    estimate: Floats
    values: Floats
    n_drawn: float = np.inf
    df: float = np.inf
    width: float = 1.0
    ratio: float = 0.0

    @property
    def draws_whole(self) -> bool:
        """Whether groups or clusters were drawn, and not single cases."""
        return bool(np.isfinite(self.n_drawn))

    @property
    def standard_error(self) -> Floats:
        """The spread of the resamples, which few groups make too small by M / (M - 1); NaN for one group."""
        spread: Floats = np.std(self.values - self.values[0], axis=0, ddof=1)  # exactly 0 where all agree
        if not self.draws_whole:
            return spread
        if not self.n_drawn > 1:
            return np.full(spread.shape, np.nan)
        few = np.sqrt(self.n_drawn / (self.n_drawn - 1))
        return np.asarray(spread * few * error_factor(self.n_drawn, self.ratio))


def limits(found: Resamples, kind: str, confidence_level: float) -> tuple[Floats, Floats]:
    """Lower and upper limits of every reading."""
    if kind in ("percentile", "basic"):
        low, high = _percentiles(found, confidence_level)
        return (low, high) if kind == "percentile" else (2 * found.estimate - high, 2 * found.estimate - low)
    is_t = kind != "normal" and found.draws_whole
    factor = t_quantile(found.df, confidence_level, "t" if is_t else "normal")
    if kind == "logit":
        return _logit(found, factor, confidence_level)
    half = factor * found.standard_error
    return found.estimate - half, found.estimate + half


def _percentiles(found: Resamples, confidence_level: float) -> tuple[Floats, Floats]:
    if found.draws_whole:
        return expanded_percentiles(
            found.values, confidence_level, n_groups=found.n_drawn, df=found.df, ratio=found.ratio
        )
    outside = (1 - confidence_level) / 2
    low, high = np.quantile(found.values, [outside, 1 - outside], axis=0)
    return low, high


def _logit(found: Resamples, factor: float, confidence_level: float) -> tuple[Floats, Floats]:
    """Made on the logit scale, so they stay inside; percentiles for an estimate that is 0 or 1 itself."""
    share = found.estimate / found.width
    inside = (share > 0) & (share < 1)
    low, high = map(np.array, _percentiles(found, confidence_level))
    own = share[inside]
    limits = logit_limits(own, factor * found.standard_error[inside] / found.width)
    low[inside], high[inside] = (found.width * limit for limit in limits)
    return low, high
