"""Sensitivity and specificity as one number each: at a value of the other, or at a threshold.

They are the statistics of :mod:`rocsteady.curves.statistics` under medical names. Specificity is ``1 - FPR``.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.arguments import one_number, one_rate
from rocsteady.curves.statistics import FprAt, RatesAt, Statistic, TprAt
from rocsteady.errors import UsageError
from rocsteady.uncertainty.resampling import Readings

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class _RateAt(Statistic):
    """One rate at a rate or at a threshold."""

    _rate: ClassVar[str]
    _other: ClassVar[str]

    def __post_init__(self) -> None:
        _checked(self, self._other)

    @property
    def label(self) -> str:
        """Where it is read."""
        return f"{self._rate} at {_where(self, self._other)}"

    @property
    def names(self) -> tuple[str, ...]:
        """The label."""
        return (self.label,)

    def readings(self, vertices: Integers | None = None) -> Readings:
        """What :attr:`raw` reads."""
        return self.raw.readings(vertices)


@dataclass(frozen=True)
class SensitivityAt(_RateAt):
    """The sensitivity (TPR) at a specificity, or at a threshold.

    Parameters
    ----------
    specificity : float
        Where the curve rises straight up there, the top is read: the best that this specificity affords.
    threshold : float
        Ratings at or beyond it are called positive. Give one of the two.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    >>> round(rs.SensitivityAt(specificity=0.75).read(curve), 3)
    0.833
    >>> rs.SensitivityAt(threshold=0.7).read(curve), rs.SensitivityAt(threshold=0.7).label
    (1.0, 'sensitivity at threshold 0.7')
    """

    specificity: float | None = None
    threshold: float | None = None
    _rate, _other = "sensitivity", "specificity"

    @property
    def raw(self) -> Statistic:
        """The TPR at an FPR, or both rates at the threshold."""
        return RatesAt(self.threshold) if self.specificity is None else TprAt(complement(self.specificity))

    def read(self, curve: Any) -> float:
        """The rate."""
        return float(np.ravel(self.raw.read(curve))[-1])

    def resampled(self, values: Floats) -> Floats:
        """The TPR among the rates that were read."""
        return values[:, -1:]


@dataclass(frozen=True)
class SpecificityAt(_RateAt):
    """The specificity (1 - FPR) at a sensitivity, or at a threshold.

    Parameters
    ----------
    sensitivity : float
        Where the curve runs straight right there, the left end is read: the best that this sensitivity can
        have.
    threshold : float
        Ratings at or beyond it are called positive. Give one of the two.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    >>> rs.SpecificityAt(sensitivity=1).read(curve), rs.SpecificityAt(threshold=0.8).read(curve)
    (0.5, 1.0)
    >>> rs.SpecificityAt(sensitivity=0.9).label
    'specificity at sensitivity 0.9'
    """

    sensitivity: float | None = None
    threshold: float | None = None
    _rate, _other = "specificity", "sensitivity"

    @property
    def raw(self) -> Statistic:
        """The FPR at a TPR, or both rates at the threshold."""
        return RatesAt(self.threshold) if self.sensitivity is None else FprAt(self.sensitivity)

    def read(self, curve: Any) -> float:
        """The rate."""
        return 1 - float(np.ravel(self.raw.read(curve))[0])

    def resampled(self, values: Floats) -> Floats:
        """1 less the FPR among the rates that were read."""
        return 1 - values[:, :1]


def complement(rate: float) -> float:
    """``1 - rate`` as it is written down: of 0.9 it is 0.1, where floats would miss a jump at FPR 0.1.

    >>> complement(0.9), 1 - 0.9
    (0.1, 0.09999999999999998)
    """
    return float(1 - Decimal(repr(rate)))


def _checked(statistic: Any, rate: str) -> None:
    """Exactly one of the two places, as a float."""
    kind = type(statistic).__name__
    given = getattr(statistic, rate)
    if (given is None) == (statistic.threshold is None):
        raise UsageError(
            "RS002",
            f"{kind} needs one place: a {rate} or a threshold.",
            f"found: {rate}={given!r}, threshold={statistic.threshold!r}",
            f"{kind}({rate}=0.9)",
            f"{kind}(threshold=3)",
        )
    if given is not None:
        object.__setattr__(statistic, rate, one_rate(rate, given))
        return
    threshold = one_number("threshold", statistic.threshold, example=3)
    if np.isnan(threshold):
        raise UsageError("RS042", "a threshold must be a number.", "found: nan", f"{kind}(threshold=3)")
    object.__setattr__(statistic, "threshold", threshold)


def _where(statistic: Any, rate: str) -> str:
    given = getattr(statistic, rate)
    return f"threshold {statistic.threshold:g}" if given is None else f"{rate} {given:g}"
