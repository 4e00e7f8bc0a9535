"""What the comparison of a standalone system with readers found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail
from rocsteady.inference.comparing.results import BEHIND_A_TEST, Difference
from rocsteady.inference.comparing.wording import number
from rocsteady.inference.readers.study import reader_column
from rocsteady.inference.readers.wording import interval_words, said, spoken
from rocsteady.results import Result, TableResult
from rocsteady.showing import Drawn
from rocsteady.words import counted, listed, plural, printable

if TYPE_CHECKING:
    from rocsteady.inference.readers.margins.results import Equivalence, NonInferiority
    from rocsteady.inference.readers.study import ReaderRatings

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class StandaloneReaders(TableResult):
    """A standalone system against each reader by itself: cases are random, the reader is this one.

    Attributes
    ----------
    standalone, unit : str
        The name of the system; the word for a reader.
    modalities, readers : tuple of str
        Of each row.
    value, standalone_value : float64 arrays
        Of the reader, and of the system on the cases that were read with that modality.
    difference, standard_error, low, high, z, pvalue : float64 arrays
        The system less the reader, with its error over cases. NaN where cases are fixed. P-values are not
        adjusted for the number of readers.
    confidence_level : float
        Of the limits.
    """

    _not_for_papers: ClassVar = (*BEHIND_A_TEST, "z")

    standalone: str
    unit: str
    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    value: Floats
    standalone_value: Floats
    difference: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    z: Floats
    pvalue: Floats
    confidence_level: float

    def _columns(self) -> dict[str, Any]:
        names = ("value", "standalone_value", "difference", "standard_error", "low", "high", "z", "pvalue")
        word = reader_column(self.unit, ("modality", *names))
        readers = {"modality": list(self.modalities), word: list(self.readers)}
        return readers | {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        rows = counted(len(self.readers), printable(self.unit))
        return f"StandaloneReaders({printable(self.standalone)} against {rows})"


@dataclass(frozen=True, eq=False, repr=False)
class StandaloneComparison(Drawn, TableResult, figure="reader_values"):
    """A standalone system (AI, CAD) against the mean of the readers of each modality.

    Attributes
    ----------
    standalone : str
        The name of the system.
    modalities, readers : tuple of str
        Those of the readers.
    unit : str
        The word for a reader.
    measure : str
        What was measured: ``"AUC"``.
    n_cases, n_positives, n_negatives : int
        Cases that were read and scored.
    design : str
        Which readers read what; the system scored all of it.
    values : (t, r) float64 array
        Of each reader with each modality; NaN where a reader has none.
    means : (t,) float64 array
        Of the readers of each modality.
    standalone_values : (t,) float64 array
        Of the system, on the cases that were read with the modality.
    differences : tuple of Difference
        For each modality the system less the mean of its readers. ``a_interval`` is that of the system by
        itself, over cases; ``b_interval`` that of the mean of the readers. Both are made on the logit scale,
        or plainly where the measure has no largest value; where nothing varies they are the bound for
        separated classes, or NaN.
    ms_reader, var, cov2 : (t,) float64 arrays
        The mean square of readers, and the mean variance and covariance over cases, all of the differences
        between the system and the readers.
    per_reader : StandaloneReaders
        The system against each reader.
    covariance : str
        How covariances over cases were estimated.
    readers_are, cases_are : {"random", "fixed"}
        What the result is about.
    random : str
        The same in words.
    adjust : str or None
        How p-values were adjusted where there are several modalities.
    confidence_level, n_resamples, seed
        What was asked for.
    notes : tuple of str
        What was left out, and what else to know.
    """

    _not_for_papers: ClassVar = BEHIND_A_TEST

    standalone: str
    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    unit: str
    measure: str
    n_cases: int
    n_positives: int
    n_negatives: int
    design: str
    values: Floats
    means: Floats
    standalone_values: Floats
    differences: tuple[Difference, ...]
    ms_reader: Floats
    var: Floats
    cov2: Floats
    per_reader: StandaloneReaders
    covariance: str
    readers_are: str
    cases_are: str
    random: str
    adjust: str | None
    confidence_level: float
    n_resamples: int
    seed: int
    notes: tuple[str, ...]
    _ratings: ReaderRatings

    @property
    def ratings(self) -> ReaderRatings:
        """The ratings, the system as the first reader."""
        return self._ratings

    @property
    def difference(self) -> Difference:
        """Where there is one modality: the system less the mean of its readers."""
        return self._of(None)

    def non_inferior(
        self, margin: float, *, modality: str | None = None, alpha: float = 0.025
    ) -> NonInferiority:
        """Test whether the system is not worse than the readers by a margin.

        Parameters
        ----------
        margin : float
            Above 0, chosen before the data were seen.
        modality : str, optional
            Against whose readers; needed where there are several.
        alpha : float
            Level of the one-sided test.
        """
        from rocsteady.inference.readers.margins.testing import non_inferior

        return non_inferior(self._of(modality), margin, new=self.standalone, alpha=alpha)

    def equivalent(self, margin: float, *, modality: str | None = None, alpha: float = 0.025) -> Equivalence:
        """Test whether the system and the readers differ by less than a margin, either way."""
        from rocsteady.inference.readers.margins.testing import equivalent

        return equivalent(self._of(modality), margin, alpha=alpha)

    def _of(self, modality: str | None) -> Difference:
        modality = None if modality is None else str(modality)
        if modality is None and len(self.modalities) == 1:
            return self.differences[0]
        if modality not in self.modalities:
            raise fail("RS040.which", modality=modality, modalities=self.modalities, unit=self.unit)
        return self.differences[self.modalities.index(modality)]

    @property
    def reading(self) -> str:
        """Each comparison in words, how many readers the system is better than, and what is random."""
        parts = [_begun(own.reading) for own in self.differences]
        parts.append(_of_system(self))
        parts += [f"{note.rstrip('.')}." for note in self.notes]
        return " ".join([*parts, said(self.random)])

    @property
    def methods(self) -> str:
        """The paragraph of a paper that says what was done."""
        from rocsteady.inference.readers.methods_text import standalone_methods

        return standalone_methods(self)

    def _columns(self) -> dict[str, Any]:
        names = ("difference", "standard_error", "statistic", "df", "pvalue", "adjusted_pvalue")
        return {
            "standalone": [self.standalone] * len(self.differences),
            "modality": list(self.modalities),
            "standalone_value": [own.a_value for own in self.differences],
            "mean_of_readers": [own.b_value for own in self.differences],
            **{name: [getattr(own, name) for own in self.differences] for name in names},
            "low": [own.interval.low for own in self.differences],
            "high": [own.interval.high for own in self.differences],
        }

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry."""
        return Result.to_dict(self) | {"reading": self.reading, "methods": self.methods}

    def __repr__(self) -> str:
        first = self.differences[0]
        units = plural(printable(self.unit))
        own = f"{printable(self.standalone)} {first.a_value:.4f}, {units} {first.b_value:.4f}"
        more = f" and {len(self.differences) - 1} more" if len(self.differences) > 1 else ""
        return f"StandaloneComparison({self.measure}, {own}, p {first.pvalue:.3g}{more})"


def _begun(sentence: str) -> str:
    """``The average reader ...`` at the beginning; names stay as they are."""
    return f"T{sentence[1:]}" if sentence.startswith("the average ") else sentence


def _of_system(found: StandaloneComparison) -> str:
    """``AI has an AUC of 0.838 (95 % CI ...) by itself; it exceeds 3 of 6 readers with film.``"""
    name = printable(found.standalone)
    limits = [interval_words(own.a_interval) for own in found.differences]
    values = [
        f"{number(alone)}{f' ({own})' if own else ''}"
        for alone, own in zip(found.standalone_values.tolist(), limits, strict=True)
    ]
    if len(set(values)) == 1:
        alone = values[0]
    else:  # modalities had other cases
        alone = listed([f"{own} on the cases of {_modality(found, i)}" for i, own in enumerate(values)])
    exceeded = listed([_exceeded(found, i) for i in range(len(found.modalities))])
    verb = "is better than" if found.differences[0].lower_is_better else "exceeds"
    return f"By itself, {name} has {alone}; it {verb} {exceeded}."


def _modality(found: StandaloneComparison, i: int) -> str:
    return printable(spoken(found.modalities[i]))


def _exceeded(found: StandaloneComparison, i: int) -> str:
    """``3 of 6 readers with film``; who is level with the system is said apart."""
    values, alone = found.values[i][~np.isnan(found.values[i])], found.standalone_values[i]
    is_better = values > alone if found.differences[i].lower_is_better else values < alone
    n_above, n_alike = int(is_better.sum()), int((values == alone).sum())
    alike = f" (and is level with {n_alike})" if n_alike else ""
    where = f" with {_modality(found, i)}" if len(found.modalities) > 1 else ""
    return f"{n_above or 'none'} of {counted(values.size, printable(found.unit))}{where}{alike}"
