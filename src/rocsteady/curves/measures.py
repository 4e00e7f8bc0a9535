"""What is read off a curve, as values: the area, a part of it, a rate at the other, rates at a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Floats, Integers
from rocsteady.curves.readings import partial_area
from rocsteady.errors import fail, warn
from rocsteady.options import (
    one_of,
    one_rate,
    one_threshold,
    rate_range,
    rates,
    threshold_numbers,
    yes_or_no,
)
from rocsteady.places import ON_CURVES, is_place, place_of
from rocsteady.statistics.resampling import Readings

_AUC = ("auc", "roc_auc", "roc-auc", "auroc", "area")


class Statistic:
    """Something to read off a curve or an average."""

    @property
    def is_scalar(self) -> bool:
        """Whether one number is read."""
        return True

    @property
    def label(self) -> str:
        """What it is called in a sentence, for example ``"TPR at FPR 0.05"``."""
        raise TypeError(f"{type(self).__name__} has no words")

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

    def read(self, curve: Any) -> float:
        """The area."""
        return float(curve.auc)

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
    >>> round(rs.PartialAuc(fpr=(0, 0.1), standardized=True).read(curve), 6)
    0.842105
    """

    fpr: Sequence[float] | None = None
    tpr: Sequence[float] | None = None
    standardized: bool = False

    def __post_init__(self) -> None:
        if (self.fpr is None) == (self.tpr is None):
            raise fail("RS002.partial-auc", fpr=self.fpr, tpr=self.tpr)
        name = "tpr" if self.fpr is None else "fpr"
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

    def read(self, curve: Any) -> float:
        """The area; RS152 where a standardised one is below that of the diagonal.

        It is given all the same: hiding it would hide how bad the classifier is.
        """
        fpr, tpr, whole = curve.fpr, curve.tpr, 1
        if hasattr(curve, "partial_auc"):  # a curve of counts sums in integers
            fpr, tpr, whole = curve.false_positives, curve.true_positives, curve.n_negatives
        along, across = (fpr, tpr) if self.fpr is not None else (tpr, whole - fpr)
        low, high = self.range
        area = partial_area(along, across, low, high)
        found = float(self.resampled(area))
        if not np.isfinite(found):
            raise fail("RS042.narrow-range", low=low, high=high)
        if self.standardized and found < 0.5 - 1e-12:  # by more than rounding
            under = (high - low) * (high + low) / 2
            chance = under if self.tpr is None else high - low - under
            warn("RS152", area=area, chance=chance, standardized=found)
        return found

    def readings(self, vertices: Integers | None = None) -> Readings:
        """The raw area."""
        return Readings(partial_tpr=[self.range]) if self.fpr is None else Readings(partial_fpr=[self.range])

    def resampled(self, values: Any) -> Any:
        """Raw areas as this statistic gives them: standardised if it is, without a warning."""
        if not self.standardized:
            return values
        # Twice (best - chance) / (high - low); a difference would be rounded to 0 in a narrow range.
        low, high = self.range
        room = high + low if self.fpr is None else (1 - high) + (1 - low)
        return 1 - (1 - values / (high - low)) / room


class _RatesThere(Statistic):
    """The rates that are free where a rate or a threshold is held, at one or several values."""

    _free: ClassVar[tuple[str, ...]]
    _held: ClassVar[str]
    _example: ClassVar[float]

    def __post_init__(self) -> None:
        given, example = getattr(self, self._held), f"{type(self).__name__}({self._example})"
        numbers = threshold_numbers(given, example) if self._held == "threshold" else rates(self._held, given)
        if numbers.ndim > 1 or not numbers.size:
            raise fail("RS042.one-or-list", shape=numbers.shape, example=example)
        # A statistic is a value, compared and hashed by what it says.
        object.__setattr__(self, self._held, tuple(numbers.tolist()) if numbers.ndim else numbers.item())

    @property
    def _at(self) -> Any:
        return getattr(self, self._held)

    @property
    def _place(self) -> str:
        return self._held if self._held == "threshold" else self._held.upper()

    @property
    def is_scalar(self) -> bool:
        """Whether one rate is read."""
        return len(self._free) == 1 and not isinstance(self._at, tuple)

    @property
    def names(self) -> tuple[str, ...]:
        """One for each rate; of both rates, first the FPR at every threshold."""
        at = np.atleast_1d(self._at)
        return tuple(f"{rate.upper()} at {self._place} {number:g}" for rate in self._free for number in at)

    @property
    def label(self) -> str:
        """Which rates, and where."""
        free = self._free[0].upper() if len(self._free) == 1 else "rates"
        if isinstance(self._at, tuple):
            return f"{free} at {len(self._at)} {self._place}s"
        return f"{free} at {self._place} {self._at:g}"

    def read(self, curve: Any) -> Any:
        """A float for one rate, an array for several."""
        return getattr(curve, f"{self._free[0]}_at")(self._at)

    def readings(self, vertices: Integers | None = None) -> Readings:
        """The rates at these places."""
        at = np.atleast_1d(self._at)
        return Readings(tpr_at=at) if self._held == "fpr" else Readings(fpr_at=at)


@dataclass(frozen=True)
class TprAt(_RatesThere):
    """The true positive rate at one or several false positive rates; on a jump its top.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1])
    >>> round(rs.TprAt(0.25).read(curve), 3), rs.TprAt([0, 0.25]).names
    (0.833, ('TPR at FPR 0', 'TPR at FPR 0.25'))
    """

    fpr: Any
    _free, _held, _example = ("tpr",), "fpr", 0.05


@dataclass(frozen=True)
class FprAt(_RatesThere):
    """The false positive rate at one or several true positive rates; on a jump its left end.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.FprAt(0.5).read(rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1]))
    0.0
    """

    tpr: Any
    _free, _held, _example = ("fpr",), "tpr", 0.9


@dataclass(frozen=True)
class RatesAt(_RatesThere):
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
    _free, _held, _example = ("fpr", "tpr"), "threshold", 0.5

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
    """The statistic that is meant: ``"auc"``, a value as it is, or what is free at a place.

    Examples
    --------
    >>> statistic_of("auc").label, statistic_of(TprAt(0.1)).label, statistic_of({"specificity": 0.9}).label
    ('AUC', 'TPR at FPR 0.1', 'TPR at FPR 0.1')
    """
    if isinstance(given, Statistic):
        return given
    if is_place(given):
        place = place_of(given, among=ON_CURVES)
        return {"fpr": TprAt, "tpr": FprAt, "threshold": RatesAt}[place.kind](place.value)
    if isinstance(given, type) and issubclass(given, Statistic):
        raise fail("RS002.no-place", kind=given.__name__)
    if isinstance(given, str) and given.casefold() in _AUC:
        one_of("statistic", given, ("auc",), elsewhere=dict.fromkeys(_AUC, "auc"))
        return Auc()
    raise fail("RS001.statistic", found=given)


# Sensitivity and specificity as one number each: at a value of the other, or at a threshold
# ------------------------------------------------------------------------------------------


class _RateAtPlace(Statistic):
    """One rate at a place: what :func:`statistic_of` reads there, in the words of medicine."""

    _rate: ClassVar[str]
    _other: ClassVar[str]
    threshold: float | None

    def __post_init__(self) -> None:
        kind, given = type(self).__name__, getattr(self, self._other)
        if (given is None) == (self.threshold is None):
            raise fail(
                "RS002.one-place-of", kind=kind, rate=self._other, given=given, threshold=self.threshold
            )
        if given is not None:
            object.__setattr__(self, self._other, one_rate(self._other, given))
            return
        object.__setattr__(self, "threshold", one_threshold(self.threshold, f"{kind}(threshold=3)"))

    @property
    def _place(self) -> tuple[str, float]:
        name = self._other if self.threshold is None else "threshold"
        return name, getattr(self, name)

    @property
    def label(self) -> str:
        """Where it is read."""
        name, value = self._place
        return f"{self._rate} at {name} {value:g}"

    @property
    def raw(self) -> Statistic:
        """The TPR at an FPR, the FPR at a TPR, or both rates at the threshold."""
        return statistic_of(dict([self._place]))

    def read(self, curve: Any) -> float:
        """The rate."""
        return float(self.resampled(np.reshape(self.raw.read(curve), (1, -1)))[0, 0])

    def readings(self, vertices: Integers | None = None) -> Readings:
        """What :attr:`raw` reads."""
        return self.raw.readings(vertices)

    def resampled(self, values: Floats) -> Floats:
        """The TPR, or 1 less the FPR, among the rates that were read."""
        return values[:, -1:] if self._rate == "sensitivity" else 1 - values[:, :1]


@dataclass(frozen=True)
class SensitivityAt(_RateAtPlace):
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


@dataclass(frozen=True)
class SpecificityAt(_RateAtPlace):
    """The specificity (1 - FPR) at a sensitivity, or at a threshold; as :class:`SensitivityAt`.

    Where the curve runs straight right at the sensitivity, the left end is read: the best that it can have.

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
