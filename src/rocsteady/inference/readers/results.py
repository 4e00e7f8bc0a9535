"""What a comparison of modalities in a reader study found."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.differences import BEHIND_A_TEST, Difference, difference_columns
from rocsteady.inference.readers.study import ReaderRatings, reader_column
from rocsteady.results import TableResult, plain
from rocsteady.showing import Drawn
from rocsteady.statistics.intervals import Interval
from rocsteady.statistics.obuchowski_rockette import Components, limits_of_mean
from rocsteady.words import counted, printable

if TYPE_CHECKING:
    from rocsteady.inference.readers.curves.curve import ReaderAverageCurve
    from rocsteady.inference.readers.margins.results import Equivalence, NonInferiority

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class PerModality(TableResult):
    """The mean of every modality over its readers, each from its own data alone.

    Attributes
    ----------
    modalities : tuple of str
        Their names.
    quantity : str
        What was averaged: ``"mean AUC"``.
    value, standard_error, df, low, high : float64 arrays
        The mean and its interval, by t with Hillis' degrees of freedom (infinite: normal). Limits are not
        clipped to [0, 1], as the established programs print them; near 1 they cover too little, and
        ``logit_intervals`` do not. A mean without error has the bound for separated classes where every AUC
        is 0 or 1 (cases random), and no limits (NaN) elsewhere. Two intervals that overlap do not say that
        there is no difference.
    ms_reader, var, cov2 : float64 arrays
        Mean square of readers; mean variance, and mean covariance of two readers, over samples of cases. NaN
        under U-statistics.
    n_readers : int64 array
        Readers of each.
    confidence_level : float
        Of the limits.
    largest : float or None
        The most that the measure can be; None where nobody knows.
    """

    _not_for_papers: ClassVar = ("standard_error", "df", "ms_reader", "var", "cov2")

    modalities: tuple[str, ...]
    quantity: str
    value: Floats
    standard_error: Floats
    df: Floats
    low: Floats
    high: Floats
    ms_reader: Floats
    var: Floats
    cov2: Floats
    n_readers: Integers
    confidence_level: float
    largest: float | None = field(default=1.0, kw_only=True)

    def __len__(self) -> int:
        return len(self.modalities)

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The limits of each modality as an interval."""
        return self._intervals(self.low, self.high, ["z" if np.isinf(df) else "t" for df in self.df])

    @property
    def logit_intervals(self) -> tuple[Interval, ...]:
        """Intervals made on the logit scale, which stay in the range of the measure, and hold near its ends.

        Plain ones for a measure whose range nobody knows.
        """
        if self.largest is None:
            return self.intervals
        low, high = limits_of_mean(
            self.value, self.standard_error, self.df, self.confidence_level, "logit", largest=self.largest
        )
        known = self.standard_error == 0
        low, high = np.where(known, self.low, low), np.where(known, self.high, high)
        return self._intervals(low, high, ["logit"] * len(self))

    def _intervals(self, low: Floats, high: Floats, methods: Sequence[str]) -> tuple[Interval, ...]:
        """Limits as intervals; ways of their own where there is no error."""
        without = ["none" if np.isnan(own) else "separated" for own in self.low]
        found = zip(low.tolist(), high.tolist(), methods, without, self.standard_error, strict=True)
        level = self.confidence_level
        return tuple(Interval(a, b, level, how if error else other) for a, b, how, other, error in found)

    def _columns(self) -> dict[str, Any]:
        names = ("value", "standard_error", "df", "low", "high", "ms_reader", "var", "cov2", "n_readers")
        return {"modality": list(self.modalities)} | {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        shown = zip(self.modalities, self.value.tolist(), strict=True)
        values = ", ".join(f"{printable(name)} {value:.4f}" for name, value in shown)
        return f"{type(self).__name__}({self.quantity}: {values})"


@dataclass(frozen=True, eq=False, repr=False)
class PerReader(TableResult):
    """Every reader by themselves: one row for each reader and pair of modalities.

    Cases are random here, whatever is random in the comparison: what would this very reader show on other
    cases? The standard error is ``sqrt(2 (Var - Cov1))``, with Var and Cov1 of the reader averaged over all
    modalities. Readers who read one modality only have no row. Errors, limits and p-values are NaN where
    that variance is unknown: with one case of a class, or where an unbiased Var is below Cov1.

    Attributes
    ----------
    unit : str
        The word for a reader.
    reader, a, b : tuple of str
        Who, and the two modalities.
    a_value, b_value, difference, standard_error, low, high, statistic, pvalue : float64 arrays
        The difference is a less b; z and its two-sided p-value, not adjusted.
    confidence_level : float
        Of the limits.
    """

    _not_for_papers: ClassVar = BEHIND_A_TEST

    unit: str
    reader: tuple[str, ...]
    a: tuple[str, ...]
    b: tuple[str, ...]
    a_value: Floats
    b_value: Floats
    difference: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    statistic: Floats
    pvalue: Floats
    confidence_level: float

    def __len__(self) -> int:
        return len(self.reader)

    def _columns(self) -> dict[str, Any]:
        names = ("a_value", "b_value", "difference", "standard_error", "low", "high", "statistic", "pvalue")
        word = reader_column(self.unit, ("a", "b", *names))
        who = {word: list(self.reader), "a": list(self.a), "b": list(self.b)}
        return who | {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        readers = counted(len(set(self.reader)), printable(self.unit))
        return f"PerReader({readers}, {counted(len(self), 'difference')})"


@dataclass(frozen=True, eq=False, repr=False)
class ReaderComparison(Drawn, TableResult, figure="reader_values"):
    """Modalities of a reader study compared, made by :func:`rocsteady.compare_readers`.

    Attributes
    ----------
    modalities, readers : tuple of str
        Their names.
    unit : str
        The word for a reader.
    n_cases, n_positives, n_negatives : int
        Cases that anyone read.
    design : str
        Who read what: ``"fully crossed"``, ...
    measure, covariance, method : str
        What was measured; how covariances over cases were estimated; which analysis.
    readers_are, cases_are : {"random", "fixed"}
        What the result is about: others like these, or these very ones.
    random : str
        The same in words.
    values : (t, r) float64 array
        The measure of each modality and reader; NaN where a reader did not read the modality.
    means : (t,) float64 array
        Of each modality over its readers.
    components : Components or None
        Mean squares, covariances, variance components. None where cells are missing.
    statistic, df, pvalue : float
        Of the test that all modalities have the same mean: F with the pair ``df``, or chi-square (fixed
        readers) with one number. A difference without any error has no p-value (NaN) and no interval.
    error_term : float
        What the mean square of modalities was divided by.
    differences : tuple of Difference
        Of all pairs of modalities, the earlier less the later.
    per_modality : PerModality
        The mean of each, with an interval.
    per_reader : PerReader
        The differences of each reader.
    covariances : (t, r, t, r) float64 array
        Of the values, over samples of cases.
    confidence_level, adjust, n_resamples, seed
        What was asked for.
    notes : tuple of str
        What to know about the design and the components.
    ratings : ReaderRatings
        What was analysed.
    """

    _not_for_papers: ClassVar = BEHIND_A_TEST

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    unit: str
    n_cases: int
    n_positives: int
    n_negatives: int
    design: str
    measure: str
    covariance: str
    method: str
    readers_are: str
    cases_are: str
    random: str
    values: Floats
    means: Floats
    components: Components | None
    statistic: float
    df: Any
    pvalue: float
    error_term: float
    differences: tuple[Difference, ...]
    per_modality: PerModality
    per_reader: PerReader
    covariances: Floats
    confidence_level: float
    adjust: str | None
    n_resamples: int
    seed: int
    notes: tuple[str, ...]
    ratings: ReaderRatings

    @property
    def difference(self) -> float:
        """The mean of the first modality less that of the second; NaN for more than two."""
        return self.differences[0].difference if len(self.differences) == 1 else float("nan")

    @property
    def standard_error(self) -> float:
        """Of the difference; NaN for more than two modalities."""
        return self.differences[0].standard_error if len(self.differences) == 1 else float("nan")

    @property
    def interval(self) -> Interval:
        """Of the difference; NaN limits for more than two modalities: see ``differences``."""
        if len(self.differences) == 1:
            return self.differences[0].interval
        return Interval(float("nan"), float("nan"), self.confidence_level, "several modalities")

    @property
    def reading(self) -> str:
        """What was found, the effect first, and what is random."""
        from rocsteady.inference.readers.wording import of_comparison

        return of_comparison(self)

    @property
    def methods(self) -> str:
        """The paragraph of a paper that says what was done."""
        from rocsteady.inference.readers.methods_text import methods_of

        return methods_of(self)

    def non_inferior(
        self, margin: float, *, new: str | None = None, reference: str | None = None, alpha: float = 0.025
    ) -> NonInferiority:
        """Whether one modality is worse by less than ``margin``: :func:`rocsteady.non_inferior`."""
        from rocsteady.inference.readers.margins.testing import non_inferior

        return non_inferior(self, margin, new=new, reference=reference, alpha=alpha)

    def equivalent(
        self, margin: float, *, modalities: tuple[str, str] | None = None, alpha: float = 0.025
    ) -> Equivalence:
        """Whether two modalities differ by less than ``margin``: :func:`rocsteady.equivalent`."""
        from rocsteady.inference.readers.margins.testing import equivalent

        return equivalent(self, margin, modalities=modalities, alpha=alpha)

    def average_curve(self, modality: str | None = None, *, hold: str = "fpr") -> ReaderAverageCurve:
        """The average curve of the readers of a modality, whose area is their mean AUC."""
        from rocsteady.inference.readers.curves.average import average_curve

        return average_curve(
            self.ratings,
            modality,
            hold=hold,
            readers=self.readers_are,
            cases=self.cases_are,
            confidence_level=self.confidence_level,
            n_resamples=self.n_resamples,
            seed=self.seed,
        )

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data that JSON can carry, without the ratings."""
        names = [field.name for field in dataclasses.fields(self) if field.name != "ratings"]
        data = {name: plain(getattr(self, name)) for name in names}
        return data | {"reading": self.reading, "methods": self.methods}

    def _columns(self) -> dict[str, Any]:
        columns = difference_columns(self.differences)
        columns.pop("flip_pvalue")
        return columns

    def __repr__(self) -> str:
        sizes = f"{counted(len(self.readers), printable(self.unit))}, {counted(self.n_cases, 'case')}"
        both = (("readers", self.readers_are), ("cases", self.cases_are))
        random = f"{' and '.join(word for word, are in both if are == 'random')} random"
        if len(self.differences) > 1:
            what = "F" if isinstance(self.df, tuple) else "chi2"
            found = f"{what} {self.statistic:.4g}, p {self.pvalue:.3g}"
            return f"ReaderComparison({len(self.modalities)} modalities, {sizes}, {random}: {found})"
        (own,) = self.differences
        of = f"{printable(own.a)} less {printable(own.b)}"
        found = f"{own.quantity} {own.difference:+.4f}, p {own.pvalue:.3g}"
        return f"ReaderComparison({of}, {sizes}, {random}: {found})"
