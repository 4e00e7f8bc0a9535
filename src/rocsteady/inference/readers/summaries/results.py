"""What is said of each modality by itself: the mean of its readers, and how much they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.readers.results import PerModality
from rocsteady.inference.readers.study import reader_column, with_modality
from rocsteady.inference.readers.wording import interval_words, said
from rocsteady.results import Result, TableResult
from rocsteady.showing import Drawn
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, number, plural, printable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class ModalityMeans(PerModality):
    """The mean of every modality over its readers, with limits of a kind that was chosen.

    Attributes
    ----------
    kind : {"logit", "t"}
        How the limits were asked for: on the logit scale, or plainly, as other programs print them.
    methods : tuple of str
        How those of each modality were made: ``"logit"``, ``"t"``, ``"z"``; ``"separated"`` for the bound
        where every AUC is 0 or 1, ``"none"`` where nothing varies and there are no limits.
    """

    kind: str = "logit"
    methods: tuple[str, ...] = ()

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The limits of each modality as an interval."""
        limits = zip(self.low.tolist(), self.high.tolist(), self.methods, strict=True)
        return tuple(Interval(low, high, self.confidence_level, method) for low, high, method in limits)


@dataclass(frozen=True, eq=False, repr=False)
class ReaderValues(TableResult):
    """Every reader with every modality: one row for each. Cases are random here, the reader is this one.

    Attributes
    ----------
    unit, measure : str
        The word for a reader; what was measured.
    modality, reader : tuple of str
        Of each row.
    value, standard_error, low, high : float64 arrays
        The error is over cases. Limits are made on the logit scale, scaled by the largest area for partial
        ones, and plainly for functions of a curve; at an AUC of 0 or 1 they are the bound for separated
        classes. NaN where cases are fixed or nothing varies.
    n_cases : int64 array
        Cases that the reader read with the modality.
    confidence_level : float
        Of the limits.
    """

    unit: str
    measure: str
    modality: tuple[str, ...]
    reader: tuple[str, ...]
    value: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    n_cases: Integers
    confidence_level: float

    def __len__(self) -> int:
        return len(self.reader)

    def _columns(self) -> dict[str, Any]:
        names = ("value", "standard_error", "low", "high", "n_cases")
        word = reader_column(self.unit, ("modality", *names))
        who = {"modality": list(self.modality), word: list(self.reader)}
        return who | {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return f"ReaderValues({self.measure}, {counted(len(self), 'value')})"


@dataclass(frozen=True, eq=False, repr=False)
class ReaderSummary(Drawn, TableResult, figure="reader_values"):
    """The mean of the readers of each modality, each from its own data alone.

    Attributes
    ----------
    modalities, readers : tuple of str
        Their names.
    unit, measure : str
        The word for a reader; what was measured.
    values : (t, r) float64 array
        Of each reader with each modality; NaN where there is none.
    per_modality : ModalityMeans
        The means with their errors, degrees of freedom and limits; mean squares and covariances.
    reader_sd : (t,) float64 array
        How much readers differ beyond the luck of their cases: the root of the variance component
        ``MS(R) - Var + Cov2``, 0 where that is negative, NaN for one reader.
    per_reader : ReaderValues
        The readers one by one.
    n_cases, n_positives, n_negatives : (t,) int64 arrays
        Cases that were read with each modality.
    designs : tuple of str
        Who read what, of each modality.
    covariance : str
        How covariances over cases were estimated.
    readers_are, cases_are : {"random", "fixed"}
        What the result is about.
    random : str
        The same in words.
    confidence_level : float
        Of all limits.
    notes : tuple of str
        What to know about the data.
    """

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    unit: str
    measure: str
    values: Floats
    per_modality: ModalityMeans
    reader_sd: Floats
    per_reader: ReaderValues
    n_cases: Integers
    n_positives: Integers
    n_negatives: Integers
    designs: tuple[str, ...]
    covariance: str
    readers_are: str
    cases_are: str
    random: str
    confidence_level: float
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.modalities)

    @property
    def means(self) -> Floats:
        """The mean of each modality."""
        return self.per_modality.value

    @property
    def reading(self) -> str:
        """Each mean with its interval, how much readers differ, and what is random."""
        parts = [_of_modality(self, i) for i in range(len(self))]
        parts += [f"{note.rstrip('.')}." for note in self.notes]
        if len(self) > 1:
            parts.append(
                "Two intervals that overlap do not say that there is no difference: compare_readers."
            )
        return " ".join([*parts, said(self.random)])

    def _columns(self) -> dict[str, Any]:
        low, high = (reduce(self.values, axis=1) for reduce in (np.nanmin, np.nanmax))
        added = {"reader_sd": self.reader_sd, "lowest": low, "highest": high, "n_cases": self.n_cases}
        return dict(self.per_modality._columns()) | added

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry."""
        return Result.to_dict(self) | {"reading": self.reading}

    def __repr__(self) -> str:
        sizes = f"{counted(len(self), 'modality')}, {counted(len(self.readers), printable(self.unit))}"
        if len(self) > 1:
            return f"ReaderSummary({self.per_modality.quantity}, {sizes})"
        interval = self.per_modality.intervals[0]
        limits = f" ({interval.low:.4f} to {interval.high:.4f})" if np.isfinite(interval.low) else ""
        readers = counted(len(self.readers), printable(self.unit))
        return f"ReaderSummary({self.per_modality.quantity} {self.means[0]:.4f}{limits}, {readers})"


def _of_modality(found: ReaderSummary, i: int) -> str:
    """``film: mean AUC 0.816 (95 % CI ...) of 6 readers, who run from ... to ...``"""
    own = found.values[i][~np.isnan(found.values[i])]
    limits = interval_words(found.per_modality.intervals[i])
    value = f"{number(float(found.means[i]))}{f' ({limits})' if limits else ''}"
    who = with_modality(found.modalities[i])
    unit = printable(found.unit)
    if own.size == 1:
        return f"The {found.measure} of the {unit}{who} is {value}."
    text = f"The mean {found.measure} of {counted(own.size, unit)}{who} is {value}"
    if own.min() == own.max():
        return f"{text}; the {plural(unit)} are all alike."
    spread = f"{number(float(own.min()))} to {number(float(own.max()))}"
    sd = float(found.reader_sd[i])
    if np.isnan(sd):
        return f"{text}; the {plural(unit)} run from {spread}."
    beyond = (
        f"with an sd of {number(sd)} beyond the luck of their cases"
        if sd > 0
        else "no more than the luck of their cases explains"
    )
    return f"{text}; the {plural(unit)} run from {spread}, {beyond}."
