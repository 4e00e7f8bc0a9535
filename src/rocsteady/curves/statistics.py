"""What is read off a curve, as values: the area, a part of it, a rate at the other, rates at a threshold.

A statistic is read off one curve or off an average, and named to whatever resamples, compares or tests it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import one_of, rate_range, rates, real_numbers, yes_or_no
from rocsteady.curves.partial import partial_area, standardize
from rocsteady.errors import UsageError
from rocsteady.uncertainty.resampling import Readings

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Numbers = float | tuple[float, ...]


class Readable(Protocol):
    """A curve or an average: what a statistic is read off."""

    @property
    def fpr(self) -> Floats:
        """False positive rates of the vertices."""

    @property
    def tpr(self) -> Floats:
        """True positive rates of the vertices."""

    @property
    def auc(self) -> float:
        """Area under it."""

    def tpr_at(self, fpr: ArrayLike) -> Any:
        """TPR at FPR, the best on a jump."""

    def fpr_at(self, tpr: ArrayLike) -> Any:
        """FPR at TPR, the best on a jump."""


class Statistic:
    """Something to read off a curve."""

    @property
    def label(self) -> str:
        """What it is called in a sentence, for example ``"TPR at FPR 0.05"``."""
        raise TypeError(f"{type(self).__name__} has no words")

    @property
    def is_scalar(self) -> bool:
        """Whether one number is read."""
        return True

    @property
    def names(self) -> tuple[str, ...]:
        """What every number read is called, in the order of ``np.ravel(statistic.read(curve))``."""
        return (self.label,)

    @property
    def raw(self) -> Statistic:
        """What is counted for it, and turned into it by :meth:`resampled`: mostly itself."""
        return self

    def read(self, curve: Any) -> Any:
        """Its value on a curve or an average: a float, or an array where several were asked for."""
        raise TypeError(f"{type(self).__name__} is not read off curves")

    def readings(self, vertices: Integers | None = None) -> Readings:
        """What the resampling kernels read for it; ``vertices`` are where frozen thresholds are."""
        raise TypeError(f"{type(self).__name__} is not read off resamples")

    def resampled(self, values: Floats) -> Floats:
        """What the kernels read, ``(n_resamples, n)``, as this statistic gives it."""
        return values


@dataclass(frozen=True)
class Auc(Statistic):
    """The area under the curve; ``"auc"`` for short."""

    @property
    def label(self) -> str:
        """``"AUC"``."""
        return "AUC"

    def read(self, curve: Readable) -> float:
        """The area."""
        return curve.auc

    def readings(self, vertices: Integers | None = None) -> Readings:
        """The area."""
        return Readings(auc=True)


@dataclass(frozen=True)
class PartialAuc(Statistic):
    """The area under a range of FPR, or right of the curve in a range of TPR.

    Parameters
    ----------
    fpr, tpr : pair of floats
        The range, ``low < high``; give one of the two.
    standardized : bool
        McClish's rescaling: 1/2 for the diagonal, 1 for the perfect curve.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    >>> round(rs.PartialAuc(fpr=(0, 0.1)).read(curve), 6), rs.PartialAuc(fpr=(0, 0.1)).label
    (0.07, 'partial AUC over FPR 0 to 0.1')
    """

    fpr: Sequence[float] | None = None
    tpr: Sequence[float] | None = None
    standardized: bool = False

    def __post_init__(self) -> None:
        if (self.fpr is None) == (self.tpr is None):
            raise UsageError(
                "RS002",
                "a partial AUC needs one range, of fpr or of tpr.",
                f"found: fpr={self.fpr!r}, tpr={self.tpr!r}",
                "PartialAuc(fpr=(0, 0.1))",
                "PartialAuc(tpr=(0.9, 1))",
            )
        for name in ("fpr", "tpr"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, rate_range(name, getattr(self, name)))
        object.__setattr__(self, "standardized", yes_or_no("standardized", self.standardized))

    @property
    def range(self) -> tuple[float, float]:
        """The range, of whichever rate."""
        low, high = self.fpr or self.tpr or (0.0, 1.0)
        return low, high

    @property
    def label(self) -> str:
        """Which rate, from where to where."""
        low, high = self.range
        kind = "standardised partial AUC" if self.standardized else "partial AUC"
        return f"{kind} over {'TPR' if self.fpr is None else 'FPR'} {low:g} to {high:g}"

    def read(self, curve: Readable) -> float:
        """The area; RS152 where a standardised one is below that of the diagonal."""
        if hasattr(curve, "partial_auc"):  # a curve of counts sums in integers
            area = float(curve.partial_auc(fpr=self.fpr, tpr=self.tpr))
        elif self.fpr is not None:
            area = partial_area(curve.fpr, curve.tpr, *self.range)
        else:
            area = partial_area(curve.tpr, 1 - curve.fpr, *self.range)
        return standardize(area, *self.range, above=self.fpr is None) if self.standardized else area

    def readings(self, vertices: Integers | None = None) -> Readings:
        """The raw area."""
        if self.fpr is None:
            return Readings(partial_tpr=[self.range])
        return Readings(partial_fpr=[self.range])

    def resampled(self, values: Floats) -> Floats:
        """Raw areas as this statistic gives them: standardised if it is, without a warning."""
        if not self.standardized:
            return values
        low, high = self.range
        room = high + low if self.fpr is None else (1 - high) + (1 - low)
        return np.asarray(1 - (1 - values / (high - low)) / room)


@dataclass(frozen=True)
class TprAt(Statistic):
    """The true positive rate at one or several false positive rates; on a jump its top.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    >>> round(rs.TprAt(0.25).read(curve), 3), rs.TprAt([0, 0.25]).names
    (0.833, ('TPR at FPR 0', 'TPR at FPR 0.25'))
    """

    fpr: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "fpr", _frozen(rates("fpr", self.fpr), "TprAt(0.05)"))

    @property
    def is_scalar(self) -> bool:
        """Whether one rate was given."""
        return not isinstance(self.fpr, tuple)

    @property
    def names(self) -> tuple[str, ...]:
        """One for each rate."""
        return tuple(f"TPR at FPR {rate:g}" for rate in np.atleast_1d(self.fpr))

    @property
    def label(self) -> str:
        """Which rates."""
        return self.names[0] if self.is_scalar else f"TPR at {len(self.fpr)} FPRs"

    def read(self, curve: Readable) -> Any:
        """A float for one rate, an array for several."""
        return curve.tpr_at(self.fpr)

    def readings(self, vertices: Integers | None = None) -> Readings:
        """TPRs at these FPRs."""
        return Readings(tpr_at=np.atleast_1d(self.fpr))


@dataclass(frozen=True)
class FprAt(Statistic):
    """The false positive rate at one or several true positive rates; on a jump its left end.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.FprAt(0.5).read(rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1]))
    0.0
    """

    tpr: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "tpr", _frozen(rates("tpr", self.tpr), "FprAt(0.9)"))

    @property
    def is_scalar(self) -> bool:
        """Whether one rate was given."""
        return not isinstance(self.tpr, tuple)

    @property
    def names(self) -> tuple[str, ...]:
        """One for each rate."""
        return tuple(f"FPR at TPR {rate:g}" for rate in np.atleast_1d(self.tpr))

    @property
    def label(self) -> str:
        """Which rates."""
        return self.names[0] if self.is_scalar else f"FPR at {len(self.tpr)} TPRs"

    def read(self, curve: Readable) -> Any:
        """A float for one rate, an array for several."""
        return curve.fpr_at(self.tpr)

    def readings(self, vertices: Integers | None = None) -> Readings:
        """FPRs at these TPRs."""
        return Readings(fpr_at=np.atleast_1d(self.tpr))


@dataclass(frozen=True)
class RatesAt(Statistic):
    """Both rates at one or several frozen thresholds: an array of all FPRs, then all TPRs.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    >>> rs.RatesAt(0.7).read(curve).tolist(), rs.RatesAt(0.7).names
    ([0.5, 1.0], ('FPR at threshold 0.7', 'TPR at threshold 0.7'))
    >>> rs.RatesAt([0.8, 0.7]).read(curve).shape
    (2, 2)
    """

    threshold: Any

    def __post_init__(self) -> None:
        numbers = real_numbers("threshold", self.threshold, example=0.5)
        if np.isnan(numbers).any():
            raise UsageError("RS042", "a threshold must be a number.", "found: nan", "RatesAt(0.5)")
        object.__setattr__(self, "threshold", _frozen(numbers, "RatesAt(0.5)"))

    @property
    def is_scalar(self) -> bool:
        """Never: two rates are read."""
        return False

    @property
    def names(self) -> tuple[str, ...]:
        """FPR at every threshold, then TPR."""
        at = np.atleast_1d(self.threshold)
        return tuple(f"{rate} at threshold {number:g}" for rate in ("FPR", "TPR") for number in at)

    @property
    def label(self) -> str:
        """Which thresholds."""
        if isinstance(self.threshold, tuple):
            return f"rates at {len(self.threshold)} thresholds"
        return f"rates at threshold {self.threshold:g}"

    def read(self, curve: Any) -> Floats:
        """``(2,)`` for one threshold, ``(2, n)`` for several; the FPRs come first."""
        found = curve.rates_at(self.threshold)
        return np.array([found.fpr, found.tpr])

    def readings(self, vertices: Integers | None = None) -> Readings:
        """Rates at the vertices where the thresholds are, ``(n,)`` or ``(n_groups, n)``: first all FPRs."""
        if vertices is None:
            raise TypeError("frozen thresholds are read at vertices")
        return Readings(frozen=vertices)


def statistic_of(given: Any) -> Statistic:
    """The statistic that is meant: ``"auc"``, or a value as it is.

    Examples
    --------
    >>> statistic_of("auc").label, statistic_of(TprAt(0.1)).label
    ('AUC', 'TPR at FPR 0.1')
    """
    if isinstance(given, Statistic):
        return given
    if isinstance(given, type) and issubclass(given, Statistic):
        raise UsageError(
            "RS002",
            f"{given.__name__} needs to be told where.",
            "found: the class itself",
            _EXAMPLES,
        )
    if isinstance(given, str) and given.casefold() in _AUC:
        one_of("statistic", given, ("auc",), elsewhere=dict.fromkeys(_AUC, "auc"))
        return Auc()
    raise UsageError(
        "RS001", "this is not a statistic of a curve.", f"found: {given!r:.60}", "statistic='auc'", _EXAMPLES
    )


_AUC = ("auc", "roc_auc", "roc-auc", "auroc", "area")
_EXAMPLES = "for example  TprAt(0.05), FprAt(0.9), PartialAuc(fpr=(0, 0.1)), RatesAt(0.5)"


def _frozen(numbers: Floats, example: str) -> Numbers:
    """A float or a tuple of floats: a statistic is a value, compared and hashed by what it says."""
    if numbers.ndim > 1 or not numbers.size:
        raise UsageError(
            "RS042", "give one number or a list of numbers.", f"found: shape {numbers.shape}", example
        )
    return tuple(numbers.tolist()) if numbers.ndim else float(numbers)
