"""Confidence limits of an AUC and two-sided p-values, as functions of arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import Result
from rocsteady.errors import counted

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Result):
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        The limits (arrays where several quantities were asked for at once).
    confidence_level : float
        For example 0.95.
    method : str
        How it was made; ``"separated"`` for the bound used at an AUC of exactly 0 or 1.
    """

    low: Any
    high: Any
    confidence_level: float
    method: str

    def __repr__(self) -> str:
        if np.ndim(self.low):
            limits = counted(np.size(self.low), "interval")
        else:
            limits = f"{self.low:.4f} to {self.high:.4f}"
        return f"Interval({limits}, confidence level {self.confidence_level:g}, {self.method})"


def normal_quantile(confidence_level: float) -> float:
    """The normal quantile of a two-sided interval, 1.96 for 0.95."""
    from scipy.special import ndtri

    return float(-ndtri((1 - confidence_level) / 2))


def wald_limits(auc: Floats, standard_error: Floats, confidence_level: float) -> tuple[Floats, Floats]:
    """``AUC ± z * SE``, clipped to [0, 1] (as pROC clips)."""
    half = normal_quantile(confidence_level) * standard_error
    return np.clip(auc - half, 0, 1), np.clip(auc + half, 0, 1)


def logit_limits(
    auc: Floats, complement: Floats, standard_error: Floats, confidence_level: float
) -> tuple[Floats, Floats]:
    """Limits made on the logit scale, so they stay inside (0, 1).

    ``complement`` is 1 - AUC, given apart because near AUC 1 the subtraction would lose it.
    """
    from scipy.special import expit

    with np.errstate(divide="ignore", invalid="ignore"):  # AUC 0 and 1 are for separated_limits
        center = np.log(auc) - np.log(complement)
        half = normal_quantile(confidence_level) * standard_error / (auc * complement)
        return expit(center - half), expit(center + half)


def separated_limits(
    auc: Floats, n_positives: Any, n_negatives: Any, confidence_level: float
) -> tuple[Floats, Floats]:
    """Limits at an AUC of exactly 0 or 1, where every standard error is zero.

    Seeing no inversion among n cases of the rarer class bounds the AUC from below by ``alpha ** (1 / n)``:
    were it lower, n cases without an inversion would have a probability below alpha.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = separated_limits(np.array(1.0), 20, 50, 0.95)
    >>> round(float(low), 4), float(high)
    (0.8609, 1.0)
    """
    rarer = np.minimum(n_positives, n_negatives)
    bound = (1 - confidence_level) ** (1 / np.asarray(rarer, dtype=np.float64))
    return np.where(auc == 1, bound, 0.0), np.where(auc == 1, 1.0, 1 - bound)


def mean_limits(values: Floats, confidence_level: float) -> tuple[float, float]:
    """Limits of the mean that some independent values scatter around, by Student's t; NaN for a single one.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = mean_limits(np.array([0.7, 0.8, 0.9]), 0.95)
    >>> round(low, 4), round(high, 4)
    (0.5516, 1.0484)
    """
    from scipy.special import stdtrit

    if values.size < 2:
        return np.nan, np.nan
    mean, df = values.mean(), values.size - 1
    half = stdtrit(df, (1 + confidence_level) / 2) * values.std(ddof=1) / np.sqrt(values.size)
    return float(mean - half), float(mean + half)


def satterthwaite_df(variances: Any, dfs: Any) -> Floats:
    """Degrees of freedom of sums of independent variances along the first axis; infinite where all are 0.

    A difference of AUCs has a variance from the positives, ``n_positives - 1`` degrees of freedom, and one
    from the negatives (Satterthwaite 1946). With ten positives and a thousand negatives nearly all of it
    comes from nine degrees of freedom, and the normal distribution rejects too often.

    Examples
    --------
    >>> import numpy as np
    >>> float(satterthwaite_df([0.004, 0.0], [9, 999])), float(satterthwaite_df([0.0, 0.0], [9, 999]))
    (9.0, inf)
    """
    parts = np.asarray(variances, dtype=np.float64)
    freedom = np.asarray(dfs, dtype=np.float64).reshape(-1, *[1] * (parts.ndim - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        # Sorted, so that changing places of the classifiers changes no digit.
        total, lost = (np.sort(own, axis=0).sum(axis=0) for own in (parts, parts**2 / freedom))
        return np.asarray(np.where(total == 0, np.inf, total**2 / lost))


def two_sided_pvalue(statistic: Any, df: float = np.inf) -> Any:
    """Two-sided p-value of a z (``df`` infinite) or t statistic."""
    from scipy.special import ndtr, stdtr

    tail = ndtr(-np.abs(statistic)) if np.isinf(df) else stdtr(df, -np.abs(statistic))
    return 2 * tail


def ratio_to_error(difference: float, standard_error: float) -> float:
    """``difference / standard_error``, where nothing over nothing is no evidence: 0, not NaN."""
    if standard_error == 0:
        return 0.0 if difference == 0 else float(np.copysign(np.inf, difference))
    return difference / standard_error
