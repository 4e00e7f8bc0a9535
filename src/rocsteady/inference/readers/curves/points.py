"""Points of a reader study's average curve: a rate at the other, how sure it is, and what that means.

Intervals are made on the logit scale, where rates near 0 and 1 scatter evenly, around the middle of the jump
if readers' curves jump at that very rate: its top is where the luckiest of neighbouring thresholds would be.
They reach to the top at least, which is the estimate.
Measured on Roe and Metz's model (1000 studies each of 1, 3, 5 and 10 readers, 25 + 25 and 50 + 50 cases, AUC
.7 to .95, ratings of 5 steps and continuous) 95 % intervals cover 91 to 98 % where two cases or more are
left to be missed; on the raw scale around the top of the jump they cover 84 to 95 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.readings import scalar_or_array
from rocsteady.errors import warn
from rocsteady.inference.readers.study import with_modality
from rocsteady.results import TableResult
from rocsteady.statistics.intervals import Interval, separated_limits
from rocsteady.statistics.obuchowski_rockette import limits_of_mean
from rocsteady.words import class_cases, counted, percent, printable

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

FEW_BEYOND = 1.0
"""Cases beyond each reader's threshold; up to so many, 95 % intervals of ordinal ratings cover 88 to 92 %."""
FEW_LEFT = 1.0
"""Cases of the other class missed (or caught) by the average reader; with fewer they cover 30 to 93 %."""

HELD_AND_FREE = {"fpr": ("specificity", "sensitivity"), "tpr": ("sensitivity", "specificity")}
"""By the rate that a curve holds: the words for it and for the other one."""


@dataclass(frozen=True, eq=False, repr=False)
class Held:
    """Readers' rates where the other rate is held.

    Attributes
    ----------
    at : float64 array
        The held rates.
    values : (r, n) float64 array
        What every reader has there, at the better end of a jump.
    mean, standard_error, df : float64 arrays
        Of the readers' mean; the error is Obuchowski and Rockette's.
    middle : float64 array
        The mean at the middle of jumps: around it intervals are made.
    n_held, n_free : int
        Cases (patients) of the class whose rate is held, and of the other; of the reader with fewest.
    """

    at: Floats
    values: Floats
    mean: Floats
    standard_error: Floats
    df: Floats
    middle: Floats
    n_held: int
    n_free: int

    def few_beyond(self) -> Mask:
        """Where hardly a case of the held class is beyond the readers' thresholds."""
        return np.asarray(self.n_held * np.minimum(self.at, 1 - self.at) <= FEW_BEYOND + 1e-9)

    def few_left(self) -> Mask:
        """Where the average reader misses hardly a case of the other class, or catches hardly one."""
        return np.asarray(self.n_free * np.minimum(self.mean, 1 - self.mean) < FEW_LEFT - 1e-9)

    def limits(self, confidence_level: float) -> tuple[Floats, Floats]:
        """Limits of the mean, at each position by itself; inside [0, 1], and around the better end too."""
        m = self.middle
        limits = limits_of_mean(m, self.standard_error, self.df, confidence_level)
        # No case is left to vary: the bound on what n cases without an exception leave possible.
        bounds = separated_limits(m, self.n_free, self.n_free, confidence_level)
        is_edge = ((m <= 0) | (m >= 1)) & ~np.isnan(self.standard_error)
        low, high = (np.where(is_edge, *pair) for pair in zip(bounds, limits, strict=True))
        return np.minimum(low, self.mean), np.maximum(high, self.mean)


@dataclass(frozen=True, eq=False, repr=False)
class ReaderCurvePoint(TableResult):
    """A point of the average curve of one modality, with its interval.

    Attributes
    ----------
    modality : str
        Whose curve.
    hold : {"fpr", "tpr"}
        Which rate is the same for every reader.
    fpr, tpr : float (or array)
        The point; at a jump of the average its better end.
    interval : Interval
        Of the rate that is not held, under what is random; inside [0, 1].
    standard_error, df : float (or array)
        Of that rate: Obuchowski and Rockette's for a single modality.
    values : array
        That rate for every reader; ``(r,)``, or ``(r, n)``.
    readers : tuple of str
        Who they are.
    random : str
        What is random, in words.
    reading : str
        What the point means.
    """

    modality: str
    hold: str
    fpr: Any
    tpr: Any
    interval: Interval
    standard_error: Any
    df: Any
    values: Floats
    readers: tuple[str, ...]
    random: str
    reading: str

    @property
    def sensitivity(self) -> Any:
        """The true positive rate."""
        return self.tpr

    @property
    def specificity(self) -> Any:
        """One less the false positive rate."""
        return 1 - self.fpr

    @property
    def tpr_interval(self) -> Interval | None:
        """Of the sensitivity; None if it is held."""
        return self.interval if self.hold == "fpr" else None

    @property
    def fpr_interval(self) -> Interval | None:
        """Of the false positive rate; None if it is held."""
        return self.interval if self.hold == "tpr" else None

    def _columns(self) -> dict[str, Any]:
        names = ("fpr", "tpr", "standard_error", "df")
        columns: dict[str, Any] = {name: np.atleast_1d(getattr(self, name)) for name in names}
        limits = {"low": self.interval.low, "high": self.interval.high}
        return columns | {name: np.atleast_1d(limit) for name, limit in limits.items()}

    def __repr__(self) -> str:
        name = printable(self.modality)
        if np.ndim(self.fpr):
            return f"ReaderCurvePoint({name}, at {counted(np.size(self.fpr), 'position')})"
        limits = f" ({self.interval.low:.4f} to {self.interval.high:.4f})"
        fpr, tpr = ("", limits) if self.hold == "fpr" else (limits, "")
        return f"ReaderCurvePoint({name}: fpr {self.fpr:.4f}{fpr}, tpr {self.tpr:.4f}{tpr})"


def point_of(curve: Any, held: Held, given: Any, confidence_level: float) -> ReaderCurvePoint:
    """The point of a :class:`ReaderAverageCurve` where ``curve.hold`` has the given value."""
    shape = np.shape(given)

    def shaped(values: Any) -> Any:
        return scalar_or_array(np.reshape(values, shape), given)

    low, high = map(shaped, held.limits(confidence_level))
    rates = {curve.hold: shaped(held.at), "tpr" if curve.hold == "fpr" else "fpr": shaped(held.mean)}
    interval = Interval(low, high, confidence_level, "logit")
    return ReaderCurvePoint(
        modality=curve.modality,
        hold=curve.hold,
        fpr=rates["fpr"],
        tpr=rates["tpr"],
        interval=interval,
        standard_error=shaped(held.standard_error),
        df=shaped(held.df),
        values=held.values.reshape(len(curve.readers), *shape),
        readers=curve.readers,
        random=curve.random,
        reading=_in_words(curve, rates, interval),
    )


def _in_words(curve: Any, rates: dict[str, Any], interval: Interval) -> str:
    if np.ndim(interval.low):
        return str(curve.reading)
    unit, n = printable(curve.unit), len(curve.readers)
    held, free = HELD_AND_FREE[curve.hold]
    share, value, limits = 1 - rates["fpr"], rates["tpr"], (interval.low, interval.high)
    if curve.hold == "tpr":
        share, value, limits = value, share, (1 - interval.high, 1 - interval.low)
    who = f"the mean {free} of the {counted(n, unit)}" if n > 1 else f"the {free} of the {unit}"
    place = f"At a {held} of {percent(share)}" + (f" for every {unit}" if n > 1 else "")
    said = f"{place}, {who}{with_modality(curve.modality)} is {percent(value)}"
    if np.isnan(limits[0]):
        return f"{said}."
    level = f"{100 * interval.confidence_level:g} %"
    return f"{said} ({level} CI {percent(limits[0])} to {percent(limits[1])}); {curve.random}."


def warn_of(curve: Any, held: Held) -> None:
    """RS220 and RS221 where intervals of this curve may cover less than promised."""
    beyond, left = held.few_beyond() & (curve.cases_are == "random"), held.few_left()
    unit = printable(curve.unit)
    words = [
        class_cases(curve.classes.negative, is_positive=False),
        class_cases(curve.classes.positive, is_positive=True),
    ]
    of_held, of_free = words if curve.hold == "fpr" else words[::-1]
    if beyond.any():
        at = float(held.at[beyond][0])
        n = held.n_held * min(at, 1 - at)
        warn(
            "RS220.beyond",
            cases=of_held,
            rate=curve.hold.upper(),
            at=at,
            n=n,
            n_held=held.n_held,
            unit=unit,
            hold=curve.hold,
            farther=min(2 / held.n_held, 0.5),
        )
    elif left.any():
        share = float(held.mean[left][0])
        word, rest = ("negative", 1 - share) if share >= 0.5 else ("positive", share)
        warn(
            "RS221.left",
            cases=of_free,
            word=word,
            rate=curve.hold.upper(),
            at=held.at[left][0],
            n=rest * held.n_free,
            n_free=held.n_free,
            unit=unit,
        )
