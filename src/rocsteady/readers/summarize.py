"""``summarize_readers``: how well readers do with one modality, or with each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Floats, Integers
from rocsteady.curves.measures import Auc, PartialAuc, Statistic
from rocsteady.options import one_of
from rocsteady.readers.covariance import CurveMeasure, Settings, values, warn_of_reversed
from rocsteady.readers.study import ReaderRatings, reader_column, reader_ratings
from rocsteady.results import TableResult, read_only
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Drawn, Told, notes
from rocsteady.statistics.intervals import Interval, separated_limits
from rocsteady.statistics.obuchowski_rockette import (
    KINDS,
    ROUNDING,
    components,
    limits_of_mean,
    single_modality,
)
from rocsteady.words import counted, printable

SEPARATED, NONE = "separated", "none"
"""How limits were made where nothing varies: the bound for separated classes, or not at all."""


# What results have in common
# ---------------------------


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
        The mean and its interval, with Hillis' degrees of freedom (infinite: normal). Plain limits are not
        clipped to [0, 1], as the established programs print them; near 1 they cover too little, and
        ``logit_intervals`` do not. A mean without error has the bound for separated classes where every AUC
        is 0 or 1 (cases random), and no limits (NaN) elsewhere. Two intervals that overlap do not say that
        there is no difference.
    methods : tuple of str
        How the limits of each were made: ``"logit"``, ``"t"``, ``"z"``; ``"separated"`` for the bound where
        every AUC is 0 or 1, ``"none"`` where there are no limits.
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
    methods: tuple[str, ...]
    ms_reader: Floats
    var: Floats
    cov2: Floats
    n_readers: Integers
    confidence_level: float
    largest: float | None

    def __len__(self) -> int:
        return len(self.modalities)

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The limits of each modality as an interval."""
        limits = zip(self.low.tolist(), self.high.tolist(), self.methods, strict=True)
        return tuple(Interval(low, high, self.confidence_level, method) for low, high, method in limits)

    @property
    def logit_intervals(self) -> tuple[Interval, ...]:
        """Intervals made on the logit scale, which stay in the range of the measure, and hold near its ends.

        Plain ones for a measure whose range nobody knows.
        """
        if self.largest is None:
            return self.intervals
        level = self.confidence_level
        low, high = limits_of_mean(
            self.value, self.standard_error, self.df, level, "logit", largest=self.largest
        )
        return tuple(
            Interval(float(low[i]), float(high[i]), level, "logit") if self.standard_error[i] else own
            for i, own in enumerate(self.intervals)
        )

    def _columns(self) -> dict[str, Any]:
        return {"modality": list(self.modalities)} | dict(super()._columns())

    def __repr__(self) -> str:
        shown = zip(self.modalities, self.value.tolist(), strict=True)
        means = ", ".join(f"{printable(name)} {value:.4f}" for name, value in shown)
        return f"PerModality({self.quantity}: {means})"


@dataclass(frozen=True, eq=False, repr=False)
class StudyResult(Told, Drawn, TableResult, figure="reader_values"):
    """What all results of a reader study have.

    Attributes
    ----------
    modalities, readers : tuple of str
        Their names.
    unit : str
        The word for a reader.
    measure, covariance : str
        What was measured; how covariances over cases were estimated.
    readers_are, cases_are : {"random", "fixed"}
        What the result is about: others like these, or these very ones.
    random : str
        The same in words.
    values : (t, r) float64 array
        The measure of each modality and reader; NaN where a reader did not read the modality.
    confidence_level, adjust, n_resamples, seed
        What was asked for.
    notes : tuple of str
        What to know about the data, the design and the components.
    """

    _told: ClassVar[tuple[str, ...]] = ("notes",)
    _kind: ClassVar[str]

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    unit: str
    measure: str
    covariance: str
    readers_are: str
    cases_are: str
    random: str
    values: Floats
    confidence_level: float
    adjust: str | None
    n_resamples: int
    seed: int
    _settings: Settings

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know about the data, the design and the components."""
        return notes(f"readers.notes_of_{self._kind}", self)


def per_modality_of(
    settings: Settings,
    cells: Sequence[tuple[ReaderRatings, int]],
    found: tuple[Any, Any, Any],
    parts: tuple[Any, Any, Any],
    quantity: str,
    kind: str,
) -> PerModality:
    """Modality by modality: means, standard errors and degrees of freedom; MS(R), Var and Cov2; limits.

    ``cells`` are the studies that the modalities are of, and which one in each.
    """
    mean, error, df = (np.asarray(own, dtype=np.float64) for own in found)
    readers = [np.flatnonzero(ratings.cells[i]) for ratings, i in cells]
    limits = [
        interval_of(settings, *cell, own, float(m), float(e), float(d), kind)
        for cell, own, m, e, d in zip(cells, readers, mean, error, df, strict=True)
    ]
    ms_reader, var, cov2 = (read_only(np.array(own, dtype=np.float64)) for own in parts)
    return PerModality(
        modalities=tuple(ratings.modalities[i] for ratings, i in cells),
        quantity=quantity,
        value=read_only(mean),
        standard_error=read_only(error),
        df=read_only(df),
        low=read_only(np.array([interval.low for interval in limits])),
        high=read_only(np.array([interval.high for interval in limits])),
        methods=tuple(interval.method for interval in limits),
        ms_reader=ms_reader,
        var=var,
        cov2=cov2,
        n_readers=read_only(np.array([own.size for own in readers])),
        confidence_level=settings.confidence_level,
        largest=largest_value(settings.measure),
    )


def interval_of(
    settings: Settings,
    ratings: ReaderRatings,
    modality: int,
    readers: Any,
    mean: float,
    error: float,
    df: float = np.inf,
    kind: str = "logit",
) -> Interval:
    """The interval of a mean of readers, or of one: on the logit scale, by the largest value, or plain.

    Where nothing varies there are no limits. Only if cases are random, and every area is 0 or 1, there is
    the bound for separated classes that one reader has: the one with the fewest cases of the rarer class.
    """
    level, measure = settings.confidence_level, settings.measure
    if error == 0 and settings.cases == "random" and isinstance(measure, Auc) and mean in (0.0, 1.0):
        sizes = min((_class_sizes(ratings, modality, int(j)) for j in readers), key=min)
        low, high = separated_limits(np.array(mean), *sizes, level)
        return Interval(float(low), float(high), level, SEPARATED)
    if not error > 0:
        return Interval(float("nan"), float("nan"), level, NONE)
    largest = largest_value(measure)
    low, high = limits_of_mean(mean, error, df, level, kind, largest=largest)
    if kind == "logit" and largest is not None and 0 < mean < largest:
        return Interval(float(low), float(high), level, "logit")
    return Interval(float(low), float(high), level, "z" if np.isinf(df) else "t")


def _class_sizes(ratings: ReaderRatings, modality: int, reader: int) -> tuple[int, int]:
    """Cases of each class in one cell; patients where cases have them."""
    sizes = []
    for side in (ratings.truth, ~ratings.truth):
        chosen = ratings.is_read[modality, reader] & side
        clusters = ratings.clusters
        sizes.append(int(chosen.sum()) if clusters is None else np.unique(clusters[chosen]).size)
    return sizes[0], sizes[1]


def largest_value(measure: Statistic) -> float | None:
    """The most that a measure can be: 1 for areas and rates, the width of a part; None if nobody knows.

    Examples
    --------
    >>> largest_value(Auc()), largest_value(PartialAuc(fpr=(0, 0.25)))
    (1.0, 0.25)
    """
    if isinstance(measure, CurveMeasure):
        return None
    if isinstance(measure, PartialAuc) and not measure.standardized:
        low, high = measure.range
        return high - low
    return 1.0


def root_of_variance(variance: float) -> float:
    """A standard error; NaN where the variance is unknown, or came out negative as an unbiased one may."""
    return float(np.sqrt(variance)) if variance >= 0 else float("nan")


# Each modality by itself
# -----------------------


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
        numbers = dict(super()._columns())
        word = reader_column(self.unit, ("modality", *numbers))
        return {"modality": list(self.modality), word: list(self.reader)} | numbers

    def __repr__(self) -> str:
        return f"ReaderValues({self.measure}, {counted(len(self), 'value')})"


@dataclass(frozen=True, eq=False, repr=False)
class ReaderSummary(StudyResult, sentence="readers.summary"):
    """The mean of the readers of each modality, each from its own data alone; see :class:`StudyResult`.

    Attributes
    ----------
    per_modality : PerModality
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
    """

    _kind: ClassVar = "summary"

    per_modality: PerModality
    reader_sd: Floats
    per_reader: ReaderValues
    n_cases: Integers
    n_positives: Integers
    n_negatives: Integers
    designs: tuple[str, ...]
    _studies: tuple[ModalityStudy, ...]

    def __len__(self) -> int:
        return len(self.modalities)

    @property
    def means(self) -> Floats:
        """The mean of each modality."""
        return self.per_modality.value

    def _columns(self) -> dict[str, Any]:
        low, high = (reduce(self.values, axis=1) for reduce in (np.nanmin, np.nanmax))
        added = {"reader_sd": self.reader_sd, "lowest": low, "highest": high, "n_cases": self.n_cases}
        return self.per_modality._columns() | added

    def __repr__(self) -> str:
        readers = counted(len(self.readers), printable(self.unit))
        if len(self) > 1:
            return f"ReaderSummary({self.per_modality.quantity}, {counted(len(self), 'modality')}, {readers})"
        interval = self.per_modality.intervals[0]
        limits = f" ({interval.low:.4f} to {interval.high:.4f})" if np.isfinite(interval.low) else ""
        return f"ReaderSummary({self.per_modality.quantity} {self.means[0]:.4f}{limits}, {readers})"


@dataclass(frozen=True, eq=False)
class ModalityStudy:
    """What was measured of one modality: its readers' values, and their covariances over cases."""

    ratings: ReaderRatings
    values: Floats
    covariance: Floats


def summarize_readers(
    score_set: ScoreSet,
    *,
    modalities: Any = None,
    readers: str = "random",
    cases: str = "random",
    covariance: str | None = None,
    measure: Any = "auc",
    interval: str = "logit",
    confidence_level: float = 0.95,
    missing: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderSummary:
    """Say how well the readers of a modality do: their mean with an interval, and how much they differ.

    Each modality is analysed from its own data alone. To compare modalities that share readers or cases, use
    :func:`rocsteady.compare_readers`: what they share cancels out there.

    Parameters
    ----------
    score_set : ScoreSet
        Readers are groups, and cases are named. Models, if there are any, are modalities.
    modalities : sequence of str, optional
        Which ones; all of them if left out.
    readers, cases : {"random", "fixed"}
        What the result is to hold for: other readers and cases like these, or these very ones. A single
        reader can only be fixed.
    covariance, measure, n_resamples, seed, threads
        As for :func:`rocsteady.compare_readers`.
    interval : {"logit", "t"}
        How limits of the means are made. ``"t"``: plainly, as other programs do; near 1 they cover too little
        (0.89 to 0.93 in place of 0.95 at mean AUCs of 0.9 and more, with 5 readers and 50 + 50 cases).
        ``"logit"``: the same standard error and degrees of freedom on the logit scale; 0.93 to 0.97. Partial
        areas are divided by the largest possible one first (over FPRs to 0.2 they covered 0.96 in 400 studies
        each at AUCs of 0.75 and 0.9, the plain ones 0.95 and 0.93); a function of a curve has plain limits.
    confidence_level : float
        Between 0 and 1.
    missing : {"raise", "drop"}
        What to do about readers who lack a class in a modality.

    Returns
    -------
    ReaderSummary
        With ``.per_modality``, ``.per_reader``, ``.reader_sd`` and ``.reading``.

    Notes
    -----
    With random readers and cases the squared standard error is ``(MS(R) + max(r Cov2, 0)) / r`` and t has
    Hillis' degrees of freedom (Hillis 2007, section 5.3). Plain limits are not clipped to [0, 1].

    Where every AUC is 1 no formula sees anything vary. The limits are then the bound for separated classes
    that one reader has, ``alpha ** (1 / n)`` with n cases of the rarer class. It comes from the cases alone:
    how much readers differ is not seen, and a note says so. Other means that do not vary have no limits.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import reader_study
    >>> columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality"}
    >>> study = rs.ScoreSet.from_frame(reader_study(), **columns, case="case", positive="cancer")
    >>> found = rs.summarize_readers(study, modalities=["film"])
    >>> found
    ReaderSummary(mean AUC 0.8161 (0.7218 to 0.8836), 6 readers)
    >>> print(found.reading.split(". ")[0])
    The mean AUC of 6 readers with film is 0.816 (95 % CI 0.722 to 0.884); the readers run from 0.728 to \
0.878, with an sd of 0.059 beyond the luck of their cases
    """
    settings = Settings(
        readers=readers,
        cases=cases,
        measure=measure,
        covariance=covariance,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        threads=threads,
    )
    one_of("interval", interval, KINDS, elsewhere={"normal": "t", "plain": "t", "wald": "t", "z": "t"})
    options: dict[str, Any] = {"least_modalities": 1, "function": "summarize_readers"}
    chosen = reader_ratings(
        score_set, modalities=modalities, allow_missing_cells=True, need_common_cases=False, **options
    ).modalities
    ratings = [reader_ratings(score_set, modalities=[name], missing=missing, **options) for name in chosen]
    return summarize_ratings(ratings, settings, interval)


def summarize_ratings(ratings: Sequence[ReaderRatings], settings: Settings, interval: str) -> ReaderSummary:
    """What :func:`summarize_readers` gives, for ratings of one modality each that are checked."""
    settings.require_readers(min(ratings, key=lambda own: len(own.readers)))
    studies, rows = [], []
    for own in ratings:
        found, errors = values(own, settings.measure)[0], settings.covariances_of(own)
        of = components(found[None], errors)
        study = ModalityStudy(own, found, errors[0, :, 0])
        studies.append(study)
        rows.append(
            (
                *single_modality(found, study.covariance, readers=settings.readers, cases=settings.cases),
                *(of.ms_reader, of.var, of.cov2),
            )
        )
        warn_of_reversed(own, found[None], errors, settings.measure)
    mean, error, df, ms_reader, var, cov2 = np.array(rows, dtype=np.float64).T
    readers = tuple(dict.fromkeys(name for own in ratings for name in own.readers))
    quantity = settings.quantity(max(own.values.size for own in studies))
    cells = [(own, 0) for own in ratings]
    per_modality = per_modality_of(
        settings, cells, (mean, error, df), (ms_reader, var, cov2), quantity, interval
    )
    with_patients = next((own for own in ratings if own.clusters is not None), ratings[0])
    return ReaderSummary(
        **settings.facts(),
        modalities=per_modality.modalities,
        readers=readers,
        unit=ratings[0].unit,
        random=settings.what_is_random(with_patients, len(readers)),
        values=_table(studies, readers),
        per_modality=per_modality,
        reader_sd=read_only(_reader_sd(per_modality)),
        per_reader=_per_reader(studies, settings),
        n_cases=read_only(np.array([len(own.cases) for own in ratings])),
        n_positives=read_only(np.array([own.n_positives for own in ratings])),
        n_negatives=read_only(np.array([own.n_negatives for own in ratings])),
        designs=tuple(own.design for own in ratings),
        _settings=settings,
        _studies=tuple(studies),
    )


def _reader_sd(per: PerModality) -> Floats:
    component = per.ms_reader - per.var + per.cov2
    is_nothing = component <= ROUNDING * np.maximum(per.ms_reader, per.var)
    found = np.sqrt(np.where(is_nothing, 0.0, component))
    return np.where(per.n_readers == 1, np.nan, found)


def _table(studies: Sequence[ModalityStudy], readers: Sequence[str]) -> Floats:
    table = np.full((len(studies), len(readers)), np.nan)
    for row, own in zip(table, studies, strict=True):
        row[[readers.index(name) for name in own.ratings.readers]] = own.values
    return read_only(table)


def _per_reader(studies: Sequence[ModalityStudy], settings: Settings) -> ReaderValues:
    rows = [(own, j) for own in studies for j in range(own.values.size)]
    is_random = settings.cases == "random"
    errors = [root_of_variance(float(own.covariance[j, j])) if is_random else np.nan for own, j in rows]
    limits = [
        interval_of(settings, own.ratings, 0, [j], float(own.values[j]), error)
        for (own, j), error in zip(rows, errors, strict=True)
    ]
    return ReaderValues(
        unit=studies[0].ratings.unit,
        measure=settings.measure.label,
        modality=tuple(own.ratings.modalities[0] for own, _ in rows),
        reader=tuple(own.ratings.readers[j] for own, j in rows),
        value=read_only(np.array([float(own.values[j]) for own, j in rows])),
        standard_error=read_only(np.array(errors)),
        low=read_only(np.array([interval.low for interval in limits])),
        high=read_only(np.array([interval.high for interval in limits])),
        n_cases=read_only(np.array([int(own.ratings.is_read[0, j].sum()) for own, j in rows])),
        confidence_level=settings.confidence_level,
    )
