"""What is measured of every reader with every modality, and how these values move together with the cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.curves.measures import Auc, PartialAuc, Statistic, statistic_of
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, Remedy, UsageError, fail, warn
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.points.paired_tests import adjusted
from rocsteady.readers.study import ReaderRatings, read_by_one_of_its_own
from rocsteady.showing import notes, said
from rocsteady.statistics import reader_covariance
from rocsteady.statistics.delong import Leveled, Read, values_without_each
from rocsteady.statistics.reader_covariance import case_order, drawn_readings, placed
from rocsteady.statistics.resampling import Readings
from rocsteady.words import listed, named, plural, printable

OBUCHOWSKI_ROCKETTE, U_STATISTICS = "obuchowski-rockette", "u-statistics"
CENTRED = "centred"
"""What U-statistics do by default; ``"unbiased"`` is theirs without centring."""
_OTHER_METHODS = {
    **dict.fromkeys(("or", "orh", "dbm", "dbmh", "obuchowski", "anova"), OBUCHOWSKI_ROCKETTE),
    **dict.fromkeys(("bdg", "imrmc", "gallas", "ustat", "one-shot"), U_STATISTICS),
}
COVARIANCES = ("delong", "jackknife", "unbiased", "bootstrap")
_OTHER_COVARIANCES = {
    "ustat": "unbiased",
    "u-statistics": "unbiased",
    "gallas": "unbiased",
    "jack": "jackknife",
}
FEWEST_READERS = 4
"""With fewer, how much readers differ is hardly seen (RS213)."""
FEWEST_CASES = 10
"""Of a class in every cell: with fewer, a variance estimated from them is mostly luck (RS218)."""


MOST_LOST = 0.05
"""Share of resamples that may lack a class in some cell."""


_EXAMPLES = (
    "for example  PartialAuc(fpr=(0, 0.1)), {'specificity': 0.9}, {'threshold': 3, 'rate': 'sensitivity'}"
)


LARGEST = 1e100
"""Of a measure: squares of larger numbers, and of ones as small, are not numbers any more."""


_CLEARLY = 3.0
"""Standard errors over cases below 1/2: of readers who guess, one in 700 is so far off."""
_FEWEST_AT_ZERO = 5
"""Cases of the rarer class at an AUC of 0, which has no error: fewer are told apart by guessing, too."""


# How a study is analysed
# -----------------------


@dataclass(frozen=True)
class Settings:
    """How the analysis of a reader study is wanted, checked.

    Attributes
    ----------
    readers, cases : {"random", "fixed"}
        What the result is to hold for: others like these, or these very ones.
    measure : Statistic
        What is read off every reader's curve.
    covariance : str
        How the covariances of the error over cases are estimated.
    method, adjust, confidence_level, n_resamples, seed, threads
        As for :func:`rocsteady.compare_readers`.
    """

    readers: str = "random"
    cases: str = "random"
    measure: Any = "auc"
    covariance: Any = None
    confidence_level: float = 0.95
    method: str = OBUCHOWSKI_ROCKETTE
    adjust: str | None = "holm"
    n_resamples: int = 2000
    seed: int = 0
    threads: int | None = None

    def __post_init__(self) -> None:
        what_is_random(self.readers, self.cases)
        one_of("method", self.method, (OBUCHOWSKI_ROCKETTE, U_STATISTICS), elsewhere=_OTHER_METHODS)
        adjusted(np.array([0.5]), self.adjust)  # refuses an unknown way before anything is computed
        covariance = self.covariance
        if covariance is not None:
            one_of("covariance", covariance, COVARIANCES, elsewhere=_OTHER_COVARIANCES)
        if self.is_by_u_statistics:
            self._require_what_u_statistics_do()
            covariance = covariance or CENTRED
        measure = measure_of(self.measure)
        object.__setattr__(self, "measure", measure)
        object.__setattr__(self, "covariance", covariance or default_covariance(measure))
        open_share("confidence_level", self.confidence_level)
        resamples_asked(self.n_resamples)
        whole_number("seed", self.seed, least=0, example=0)

    @property
    def is_by_u_statistics(self) -> bool:
        """Whether the analysis is Gallas', not Obuchowski and Rockette's."""
        return self.method == U_STATISTICS

    def _require_what_u_statistics_do(self) -> None:
        """RS002 unless readers and cases are random, the measure is the AUC and nothing is estimated."""
        for name, wanted in (("readers", "random"), ("cases", "random"), ("measure", "auc")):
            value = getattr(self, name)
            if value != wanted:
                ways = [("or leave it:  ", Option(name, wanted))]
                raise fail("RS002.u-statistics", name=name, value=value, ways=ways)
        if self.covariance not in (None, "unbiased"):
            raise fail("RS002.u-covariance", covariance=self.covariance, analysis=OBUCHOWSKI_ROCKETTE)

    def quantity(self, n_readers: int) -> str:
        """What is compared: the mean over readers, or what the one reader has."""
        label: str = self.measure.label
        return label if n_readers == 1 else f"mean {label}"

    def what_is_random(self, ratings: ReaderRatings, n_readers: int) -> str:
        """What is random, in words."""
        has_patients = ratings.clusters is not None
        return said("readers.random_words", ratings.unit, self.readers, self.cases, n_readers, has_patients)

    def facts(self) -> dict[str, Any]:
        """What a result says of how it was made."""
        names = ("covariance", "confidence_level", "adjust", "n_resamples", "seed")
        are = {"measure": self.measure.label, "readers_are": self.readers, "cases_are": self.cases}
        return {name: getattr(self, name) for name in names} | are

    def covariances_of(self, ratings: ReaderRatings) -> Floats:
        """Of the values over cases; NaN where there are too few, if the analysis does without."""
        does_without = self.is_by_u_statistics or self.cases == "fixed"
        return error_covariance(
            ratings,
            self.measure,
            "unbiased" if self.covariance == CENTRED else self.covariance,
            n_resamples=self.n_resamples,
            seed=self.seed,
            threads=self.threads,
            undefined="nan" if does_without else "raise",
        )

    def require_readers(self, ratings: ReaderRatings) -> None:
        """RS027 if readers are random and a modality has one, who says nothing of others; RS213 if few."""
        n_readers = ratings.cells.sum(axis=1)
        fewest = int(n_readers.min())
        if self.readers == "fixed" or fewest >= FEWEST_READERS:
            return
        if fewest > 1:
            each = " in a modality" if ratings.is_nested else ""
            fixed = None if self.is_by_u_statistics else "fixed"
            warn("RS213.few", n=fewest, unit=printable(ratings.unit), each=each, fixed=fixed)
            return
        unit = printable(ratings.unit)
        # What cannot be asked together with fixed readers has to be said as well.
        fixed_readers: tuple[Any, ...] = (Option("readers", "fixed"),)
        if self.cases == "fixed":
            fixed_readers += (", ", Option("cases", "random"))
        if self.is_by_u_statistics:
            fixed_readers += (", ", Option("method", OBUCHOWSKI_ROCKETTE))
        if len(ratings.readers) == 1:
            found = f"one {unit}, {printable(named(ratings.unit, ratings.readers[0]))}"
            ways: list[Remedy] = [
                (f"about this very {unit}, on other cases (DeLong's test):  ", *fixed_readers),
                ("if there were several, name the column that says who read:  ", Option("group", "...")),
            ]
        else:
            few = [printable(ratings.modalities[i]) for i in np.flatnonzero(n_readers < 2)]
            found = f"one {unit} with {listed(few)}, and each {unit} read with one modality only"
            ways = [(f"about these very {plural(unit)}, on other cases:  ", *fixed_readers)]
            alone = read_by_one_of_its_own(ratings)
            if alone and n_readers.max() > 1:
                system = f"compare_standalone(score_set, {alone[0]!r})"
                ways.insert(0, f"one score of its own for each case:  {system}")
        raise fail("RS027.one-reader", unit=unit, found=found, ways=ways)


def what_is_random(readers: str, cases: str) -> None:
    """RS001 or RS002 unless readers, cases or both are random."""
    for name, value in (("readers", readers), ("cases", cases)):
        one_of(name, value, ("random", "fixed"))
    if readers == cases == "fixed":
        raise fail("RS002.nothing-random")


# What is measured
# ----------------


@dataclass(frozen=True)
class CurveMeasure(Statistic):
    """Any function that takes a curve and gives a number; what it raises is passed on."""

    function: Callable[[RocCurve], float]

    @property
    def label(self) -> str:
        """The name of the function."""
        name = str(getattr(self.function, "__name__", "measure"))
        return "measure" if name == "<lambda>" else name.replace("_", " ")

    def read(self, curve: Any) -> float:
        """What the function gives; RS002 if that is not one number."""
        value = self.function(curve)
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not np.isfinite(number) or (number and not 1 / LARGEST < abs(number) < LARGEST):
            raise fail("RS002.measure", value=value, curve=curve)
        return number


def measure_of(given: Any) -> Statistic:
    """The measure that is meant: ``"auc"``, a statistic of one number, or a function of a curve.

    Examples
    --------
    >>> measure_of("auc").label, measure_of({"specificity": 0.9}).label
    ('AUC', 'sensitivity at specificity 0.9')
    """
    if callable(given) and not isinstance(given, type):
        return CurveMeasure(given)
    try:
        measure = statistic_of(given)
    except UsageError as error:
        if error.code != "RS001":
            raise
        raise fail("RS001.measure", given=given, examples=_EXAMPLES) from None
    if not measure.is_scalar:
        raise fail("RS002.scalar", measure=measure.label, examples=_EXAMPLES)
    return measure


def is_rate_at_rate(measure: Statistic) -> bool:
    """Whether one rate is read where the other has a given value."""
    return measure.hold in ("fpr", "tpr")


def values(ratings: ReaderRatings, measure: Statistic) -> Floats:
    """The measure of every reader with every modality, ``(t, r)``; NaN where nothing was read."""
    flat = ratings.ratings.reshape(-1, len(ratings.truth))
    if isinstance(measure, Auc):
        return placed(flat, ratings.truth).auc.reshape(ratings.ratings.shape[:2])
    found = np.full(len(flat), np.nan)
    for number, own in enumerate(flat):
        is_read = ~np.isnan(own)
        if not is_read.any():
            continue
        cell = Leveled.of(own[is_read], ratings.truth[is_read])
        tp, fp = cell.counts()
        if tp[0, -1] and fp[0, -1]:
            curve = _curve(cell, tp[0], fp[0], higher_is_positive=ratings.higher_is_positive)
            found[number] = measure.read(curve)
    return found.reshape(ratings.ratings.shape[:2])


def readings_of(measure: Statistic, ratings: Floats, *, higher_is_positive: bool = True) -> Readings:
    """What the resampling kernels read of one cell, whose ratings point upwards."""
    if measure.hold != "threshold":
        return measure.readings()
    levels = np.unique(ratings[~np.isnan(ratings)])
    return measure.readings(np.array([_vertex(measure, levels, higher_is_positive)], dtype=np.int64))


def reader_of(measure: Statistic, *, higher_is_positive: bool = True) -> Read:
    """What reads the measure off many curves of counts at once; AUCs have quicker ways (``placed``)."""

    def read(cell: Leveled, tp: Integers, fp: Integers) -> Floats:
        if not measure.hold and not isinstance(measure, PartialAuc):
            return _one_by_one(measure, cell, tp, fp, higher_is_positive=higher_is_positive)
        with np.errstate(divide="ignore", invalid="ignore"):  # a class that died out: NaN
            x, y = fp / fp[:, -1:], tp / tp[:, -1:]
        if isinstance(measure, PartialAuc):
            held, free = (x, y) if measure.tpr is None else (y, 1 - x)
            found = _area_over(held, free, *measure.range)[:, None]
        elif measure.hold == "fpr":
            found = _read_last(x, y, float(measure.at))[:, None]
        elif measure.hold == "tpr":
            found = _read_first(y, x, float(measure.at))[:, None]
        else:
            vertex = _vertex(measure, cell.levels, higher_is_positive)
            found = np.stack([x[:, vertex], y[:, vertex]], axis=1)
        return measure.resampled(found)[:, 0]

    return read


def decided_at(measure: Statistic, ratings: Floats, *, higher_is_positive: bool = True) -> Floats:
    """Ratings as two values, which make short curves, if a threshold is all that counts; else as they are."""
    if measure.hold != "threshold":
        return ratings
    threshold = float(measure.at) if higher_is_positive else -float(measure.at)
    return np.where(np.isnan(ratings), np.nan, np.where(ratings >= threshold, np.inf, -np.inf))


def _vertex(measure: Statistic, levels: Floats, higher_is_positive: bool) -> int:
    """How many of the distinct ratings, pointing upwards, the threshold calls positive."""
    threshold = float(measure.at) if higher_is_positive else -float(measure.at)
    return int((levels >= threshold).sum())


def _curve(cell: Leveled, tp: Integers, fp: Integers, *, higher_is_positive: bool) -> RocCurve:
    """The curve with the ratings as they were given; ratings that no case has are left out."""
    kept = np.append(True, (np.diff(tp) > 0) | (np.diff(fp) > 0))
    thresholds = np.append(np.inf, cell.levels)
    if not higher_is_positive:
        thresholds = 0.0 - thresholds
    return RocCurve(thresholds[kept], tp[kept], fp[kept], higher_is_positive=higher_is_positive)


def _one_by_one(
    measure: Statistic, cell: Leveled, tp: Integers, fp: Integers, *, higher_is_positive: bool
) -> Floats:
    found = np.full(len(tp), np.nan)
    for number, (own_tp, own_fp) in enumerate(zip(tp, fp, strict=True)):
        if own_tp[-1] and own_fp[-1]:
            curve = _curve(cell, own_tp, own_fp, higher_is_positive=higher_is_positive)
            found[number] = measure.read(curve)
    return found


def _area_over(held: Floats, free: Floats, low: float, high: float) -> Floats:
    """Areas under many paths over a range of what is held."""
    reached = np.flatnonzero((held[:, 1:] >= low).any(axis=0) & (held[:, :-1] <= high).any(axis=0))
    near = slice(reached[0], reached[-1] + 2) if reached.size else slice(0, 1)
    held, free = held[:, near], free[:, near]
    start, stop = held[:, :-1], held[:, 1:]
    run = stop - start
    a, b = np.clip(start, low, high), np.clip(stop, low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(run > 0, np.diff(free) / run, 0.0)
    heights = 2 * free[:, :-1] + slope * ((a - start) + (b - start))
    return np.asarray(((b - a) * heights).sum(axis=1) / 2)


def _read_last(held: Floats, free: Floats, at: float) -> Floats:
    """What is free where many paths have ``held == at``, the last point met there."""
    before = (held <= at).sum(axis=1) - 1
    return _between(held, free, before, before, at)


def _read_first(held: Floats, free: Floats, at: float) -> Floats:
    """The same, the first point met there."""
    vertex = (held < at).sum(axis=1).clip(0, held.shape[1] - 1)
    return _between(held, free, np.maximum(vertex - 1, 0), vertex, at)


def _between(held: Floats, free: Floats, before: Integers, vertex: Integers, at: float) -> Floats:
    """The vertex itself if it has ``at``, else between the one before and the next."""
    rows = np.arange(len(held))
    after = np.minimum(before + 1, held.shape[1] - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (at - held[rows, before]) / (held[rows, after] - held[rows, before])
    start, stop = free[rows, before], free[rows, after]
    between = np.clip(start + share * (stop - start), np.minimum(start, stop), np.maximum(start, stop))
    return np.where(held[rows, vertex] == at, free[rows, vertex], between)


# How values move with the cases
# ------------------------------


def default_covariance(measure: Statistic) -> str:
    """How covariances are estimated if nobody says.

    DeLong's for the AUC, the bootstrap for a rate at a rate, which leaving out single cases does not move
    enough; the jackknife for everything else.

    Examples
    --------
    >>> measures = Auc(), PartialAuc(fpr=(0, 0.2)), measure_of({"fpr": 0.1})
    >>> [default_covariance(measure) for measure in measures]
    ['delong', 'jackknife', 'bootstrap']
    """
    if isinstance(measure, Auc):
        return "delong"
    return "bootstrap" if is_rate_at_rate(measure) else "jackknife"


def error_covariance(
    ratings: ReaderRatings,
    measure: Statistic,
    method: str | None = None,
    *,
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
    undefined: str = "raise",
) -> Floats:
    """Covariances of the values of all cells over the cases, ``(t, r, t, r)``; NaN where nothing was read.

    Parameters
    ----------
    ratings : ReaderRatings
        Any two cells may share all cases, some or none; cells without a common case have the covariance 0.
        With ``ratings.clusters`` patients are what is random, each with all cases.
    measure : Statistic
        Of one number.
    method : {"delong", "jackknife", "unbiased", "bootstrap"}, optional
        By default :func:`default_covariance`.
    n_resamples, seed, threads
        Of the bootstrap: cases are drawn within their class, patients whole, the same for all cells.
    undefined : {"raise", "nan"}
        What to do about a cell with one case (or patient) of a class, or none: RS030, or NaN for that cell,
        without a warning of few cases.

    Raises
    ------
    UsageError
        RS030 if the estimate is not for this measure or these cases.

    Notes
    -----
    The jackknife leaves out every case (or patient) that the measure depends on. A sensitivity at a threshold
    is a share of the positives, so only positives are left out, and the result is the usual covariance of
    shares; likewise a specificity and the negatives.
    """
    method = default_covariance(measure) if method is None else method
    one_of("covariance", method, COVARIANCES, elsewhere=_OTHER_COVARIANCES)
    _require_measure(measure, method)
    study = Cells.of(ratings)
    if method == "unbiased" and study.clusters is not None:  # it counts pairs of independent cases
        raise fail("RS030.patients", n=study.truth.size, n_patients=int(study.clusters.max()) + 1)
    if undefined == "nan":
        has_several = [study.n_touched(positive=positive) > 1 for positive in (True, False)]
        study = study.only(has_several[0] & has_several[1])
    else:
        _require_cases(ratings, study)
    if method == "jackknife" and is_rate_at_rate(measure):
        warn("RS217.jackknife", measure=measure.label)
    draws = Draws(n_resamples, seed, threads)
    whole = np.full((study.is_cell.size,) * 2, np.nan)
    if study.is_cell.any():
        whole[np.ix_(study.is_cell, study.is_cell)] = _estimated(study, measure, method, draws)
    return whole.reshape(ratings.ratings.shape[:2] * 2)


@dataclass(frozen=True)
class Draws:
    """How cases are drawn."""

    n_resamples: int = 2000
    seed: int = 0
    threads: int | None = None


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells that hold ratings, cases in the order of their names: so a shuffled file is drawn alike.

    Attributes
    ----------
    ratings : (k, c) float64 array
        Higher for the positive class; NaN where there is none.
    truth : (c,) bool array
        Whether a case is positive.
    names : tuple of str
        Of the cases.
    clusters : (c,) int64 array or None
        The patient of each case, numbered in order of appearance.
    is_cell : (t r,) bool array
        Which cells of the study these are.
    higher_is_positive : bool
        Which way the ratings ran before.
    """

    ratings: Floats
    truth: Mask
    names: tuple[str, ...]
    clusters: Integers | None
    is_cell: Mask
    higher_is_positive: bool

    @classmethod
    def of(cls, study: ReaderRatings) -> Cells:
        """Of a study."""
        order = case_order(study.cases)
        flat = study.ratings.reshape(-1, len(study.cases))[:, order]
        is_cell = np.asarray(~np.isnan(flat).all(axis=1))
        names = tuple(study.cases[i] for i in order.tolist())
        patients = _patients(study, order)
        return cls(flat[is_cell], study.truth[order], names, patients, is_cell, study.higher_is_positive)

    def only(self, kept: Mask) -> Cells:
        """Some of these cells; all cases stay, so that they meet the same draws."""
        is_cell = self.is_cell.copy()
        is_cell[is_cell] = kept
        return replace(self, ratings=self.ratings[kept], is_cell=is_cell)

    def is_of(self, other: Cells) -> bool:
        """Whether both are of the same cases and patients."""
        if self.names != other.names or not np.array_equal(self.truth, other.truth):
            return False
        if self.clusters is None or other.clusters is None:
            return self.clusters is other.clusters
        return np.array_equal(self.clusters, other.clusters)

    @property
    def is_read(self) -> Mask:
        """Whether there is a rating, ``(k, c)``."""
        return ~np.isnan(self.ratings)

    def is_touched(self, which: Mask | None = None) -> Mask:
        """Which cases, or patients, a cell has, ``(k, n)``; of some cases only."""
        is_read = self.is_read if which is None else self.is_read & which
        if self.clusters is None:
            return is_read
        n = int(self.clusters.max()) + 1
        return reader_covariance.sums_of_patients(is_read.astype(np.int64), self.clusters, n) > 0

    def n_touched(self, *, positive: bool) -> Integers:
        """How many cases, or patients, of a class every cell has."""
        return np.asarray(self.is_touched(self.truth == positive).sum(axis=1))

    @property
    def n_of_class(self) -> tuple[Integers, Integers]:
        """Positives and negatives of every cell."""
        return self.is_read[:, self.truth].sum(axis=1), self.is_read[:, ~self.truth].sum(axis=1)

    def with_common(self, covariance: Floats) -> Floats:
        """Covariances ``(..., k, k)``, 0 for cells that share no case and no patient."""
        return np.where(reader_covariance.have_common(self.is_touched()), covariance, 0.0)


def _patients(study: ReaderRatings, order: Integers) -> Integers | None:
    """Numbers of the patients in order of appearance; None if every case is one."""
    if study.clusters is None:
        return None
    _, first, codes = np.unique(study.clusters[order], return_index=True, return_inverse=True)
    if first.size == order.size:
        return None
    number = np.empty(first.size, dtype=np.int64)
    number[np.argsort(first)] = np.arange(first.size)
    return np.asarray(number[codes.reshape(-1)])


def _estimated(study: Cells, measure: Statistic, method: str, draws: Draws) -> Floats:
    """Covariances of the cells that hold ratings, ``(k, k)``."""
    if method == "unbiased":
        return reader_covariance.unbiased(study.ratings, study.truth)
    if method == "delong":
        return reader_covariance.delong(study.ratings, study.truth, study.clusters)
    if method == "bootstrap":
        return _bootstrapped(study, measure, draws)
    if isinstance(measure, Auc):
        return reader_covariance.jackknife(study.ratings, study.truth, study.clusters)
    read = reader_of(measure, higher_is_positive=study.higher_is_positive)
    decided = decided_at(measure, study.ratings, higher_is_positive=study.higher_is_positive)
    left_out = values_without_each(decided, study.truth, read, study.clusters)
    return reader_covariance.of_left_out(left_out, study.is_touched(_decisive(measure, study.truth)))


def _decisive(measure: Statistic, truth: Mask) -> Mask | None:
    """The cases that a measure depends on, if those are of one class; else None."""
    if measure.hold != "threshold":
        return None
    return truth if measure.rate in ("tpr", "sensitivity") else ~truth


def _bootstrapped(study: Cells, measure: Statistic, draws: Draws) -> Floats:
    columns, redrawn = [], []
    for own in study.ratings:
        readings = readings_of(measure, own, higher_is_positive=study.higher_is_positive)
        drawn = drawn_readings(own, study.truth, readings, clusters=study.clusters, **vars(draws))
        columns.append(measure.resampled(drawn.values)[:, 0])
        redrawn.append(drawn.redrawn)
    values = np.array(columns)
    # A resample is one of all readers at once where it was drawn equally often for each of them.
    lost = np.isnan(values).any(axis=0) | (np.array(redrawn) != redrawn[0]).any(axis=0)
    if lost.mean() > MOST_LOST:
        raise fail("RS030.lost", n=int(lost.sum()), n_resamples=draws.n_resamples)
    around = reader_covariance.around_means(values[:, ~lost])
    return study.with_common(reader_covariance.products(around) / (around.shape[1] - 1))


def _require_measure(measure: Statistic, method: str) -> None:
    """RS030 where the estimate knows another measure only."""
    if method in ("delong", "unbiased") and not isinstance(measure, Auc):
        word = "DeLong" if method == "delong" else method
        known = default_covariance(measure)
        raise fail("RS030.auc-only", covariance=word, measure=measure.label, known=known)
    if method == "bootstrap" and isinstance(measure, CurveMeasure):
        raise fail("RS030.function", measure=measure.label)


def _require_cases(ratings: ReaderRatings, study: Cells) -> None:
    """RS030 where a cell has one case, or one patient, of a class; RS218 where it has few."""
    words = ratings.classes.positive, ratings.classes.negative
    few = []
    for positive, n_cases, word in zip((True, False), study.n_of_class, words, strict=True):
        lonely = np.flatnonzero(study.n_touched(positive=positive) < 2)
        if lonely.size:
            cell = int(np.flatnonzero(study.is_cell)[lonely[0]])
            modality, reader = divmod(cell, len(ratings.readers))
            raise fail(
                "RS030.one-case",
                is_patient=study.clusters is not None,
                unit=ratings.unit,
                reader=ratings.readers[reader],
                modality=ratings.modalities[modality],
                n=int(n_cases[lonely[0]]),
                label=word,
            )
        if n_cases.min() < FEWEST_CASES:
            few.append(f"{int(n_cases.min())} of class {printable(word)}")
    if few:
        warn("RS218.few", unit=ratings.unit, fewest=", ".join(few))


# Whether ratings seem to run the other way: AUCs that are clearly below one half
# -------------------------------------------------------------------------------


def below_half(
    ratings: ReaderRatings, values: Floats, covariances: Floats, measure: Any
) -> tuple[Mask, Mask]:
    """Modalities whose mean AUC, ``(t,)``, and single cells of the others whose AUC is clearly below 1/2.

    ``values`` and ``covariances`` are ``(t, r)`` and ``(t, r, t, r)``, over cases; NaN where unknown. Nothing
    is said of other measures than the AUC.
    """
    means = np.zeros(len(values), dtype=np.bool_)
    if not isinstance(measure, Auc):
        return means, np.zeros(values.shape, dtype=np.bool_)
    fewest = np.minimum(*((ratings.is_read & side).sum(axis=2) for side in (ratings.truth, ~ratings.truth)))
    for i, own in enumerate(~np.isnan(values)):
        if own.any():  # for these very readers
            variance = covariances[i, own][:, i, own].mean()
            means[i] = _is_below(values[i, own].mean(), variance, fewest[i, own].min())
    cells = _is_below(values, np.einsum("ijij->ij", covariances), fewest)
    return means, cells & ~means[:, None]


def _is_below(value: Floats, variance: Floats, n_rarer: Integers) -> Mask:
    error = np.sqrt(np.maximum(variance, 0.0))
    is_none = (value == 0) & (n_rarer >= _FEWEST_AT_ZERO)
    with np.errstate(invalid="ignore"):  # NaN: not known to be below
        return np.asarray(np.where(variance > 0, value < 0.5 - _CLEARLY * error, is_none))


def warn_of_reversed(ratings: ReaderRatings, values: Floats, covariances: Floats, measure: Statistic) -> None:
    """RS219 where the AUC of a cell, or the mean of a modality, is clearly below 1/2."""
    below = below_half(ratings, values, covariances, measure)
    if not any(own.any() for own in below):
        return
    cells = notes("readers.values_below_half", ratings, values, *below)
    if below[0].all():
        warn("RS219.all", cells=cells, turned=not ratings.higher_is_positive)
    else:
        warn("RS219.some", cells=cells)
