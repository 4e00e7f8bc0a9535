"""How the values of readers and modalities move together with the cases: the error covariances of a study."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import Auc, RatesAt, SensitivityAt, Statistic
from rocsteady.errors import fail, warn
from rocsteady.inference.readers.measuring import (
    CurveMeasure,
    decided_at,
    is_rate_at_rate,
    reader_of,
    readings_of,
)
from rocsteady.options import one_of
from rocsteady.statistics import reader_covariance
from rocsteady.statistics.delong import values_without_each
from rocsteady.statistics.reader_covariance import case_order, drawn_readings, unbiased
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.inference.readers.study import ReaderRatings

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

COVARIANCES = ("delong", "jackknife", "unbiased", "bootstrap")
FEWEST_CASES = 10
"""Of a class in every cell: with fewer, a variance estimated from them is mostly luck (RS218)."""
MOST_LOST = 0.05
"""Share of resamples that may lack a class in some cell."""
ELSEWHERE = {"ustat": "unbiased", "u-statistics": "unbiased", "gallas": "unbiased", "jack": "jackknife"}


def default_covariance(measure: Statistic) -> str:
    """How covariances are estimated if nobody says.

    DeLong's for the AUC, the bootstrap for a rate at a rate, which leaving out single cases does not move
    enough; the jackknife for everything else.

    Examples
    --------
    >>> from rocsteady.curves.measures import PartialAuc, TprAt
    >>> [default_covariance(measure) for measure in (Auc(), PartialAuc(fpr=(0, 0.2)), TprAt(0.1))]
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
    one_of("covariance", method, COVARIANCES, elsewhere=ELSEWHERE)
    _require_measure(measure, method)
    study = Cells.of(ratings)
    _require_independent(study, method)
    if undefined == "nan":
        study = study.with_several()
    else:
        _require_several(ratings, study)
        _caution_of_few(ratings, study)
    _caution(measure, method)
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
    """The cells that hold ratings, cases in the order of their names; patients are numbered alike."""

    ratings: Floats
    truth: Mask
    clusters: Integers | None
    is_cell: Mask
    higher_is_positive: bool

    def is_touched(self, which: Mask | None = None) -> Mask:
        """Which cases, or patients, a cell has, ``(k, n)``; of some cases only."""
        is_read = ~np.isnan(self.ratings)
        if which is not None:
            is_read &= which
        if self.clusters is None:
            return is_read
        n = int(self.clusters.max()) + 1
        return reader_covariance.sums_of_patients(is_read.astype(np.int64), self.clusters, n) > 0

    @property
    def n_of_class(self) -> tuple[Integers, Integers]:
        """Positives and negatives of every cell."""
        is_read = ~np.isnan(self.ratings)
        return is_read[:, self.truth].sum(axis=1), is_read[:, ~self.truth].sum(axis=1)

    def has_several(self, which: Mask) -> Mask:
        """Which cells have two cases, or two patients, of some."""
        return np.asarray(self.is_touched(which).sum(axis=1) > 1)

    def with_several(self) -> Cells:
        """Only the cells that have two of each class."""
        kept = self.has_several(self.truth) & self.has_several(~self.truth)
        is_cell = self.is_cell.copy()
        is_cell[is_cell] = kept
        return replace(self, ratings=self.ratings[kept], is_cell=is_cell)

    @classmethod
    def of(cls, study: ReaderRatings) -> Cells:
        """Of a study: so a shuffled file is drawn alike."""
        order = case_order(study.cases)
        flat = study.ratings.reshape(-1, len(study.cases))[:, order]
        is_cell = np.asarray(~np.isnan(flat).all(axis=1))
        return cls(
            flat[is_cell], study.truth[order], _patients(study, order), is_cell, study.higher_is_positive
        )


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
        return unbiased(study.ratings, study.truth)
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
    if not isinstance(measure.raw, RatesAt):
        return None
    return truth if isinstance(measure, SensitivityAt) else ~truth


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
        n_lost, n = int(lost.sum()), draws.n_resamples
        raise fail("RS030.lost", n=n_lost, n_resamples=n)
    kept = values[:, ~lost]
    found = reader_covariance.products(reader_covariance.around_means(kept)) / (kept.shape[1] - 1)
    return np.where(reader_covariance.have_common(study.is_touched()), found, 0.0)


def _require_measure(measure: Statistic, method: str) -> None:
    """RS030 where the estimate knows another measure only."""
    if method in ("delong", "unbiased") and not isinstance(measure, Auc):
        raise fail(
            "RS030.auc-only",
            covariance=_word(method),
            measure=measure.label,
            known=default_covariance(measure),
        )
    if method == "bootstrap" and isinstance(measure, CurveMeasure):
        raise fail("RS030.function", measure=measure.label)


def _require_independent(study: Cells, method: str) -> None:
    """RS030 where patients have several cases and the estimate counts pairs of independent ones."""
    if method == "unbiased" and study.clusters is not None:
        n_patients = int(study.clusters.max()) + 1
        raise fail("RS030.patients", n=study.truth.size, n_patients=n_patients)


def _require_several(ratings: ReaderRatings, study: Cells) -> None:
    """RS030 where a cell has one case, or one patient, of a class."""
    words = ratings.classes.positive, ratings.classes.negative
    for which, n_cases, word in zip((study.truth, ~study.truth), study.n_of_class, words, strict=True):
        lonely = np.flatnonzero(~study.has_several(which))
        if not lonely.size:
            continue
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


def _caution(measure: Statistic, method: str) -> None:
    """RS217 for the jackknife of a rate at a rate."""
    if method == "jackknife" and is_rate_at_rate(measure):
        warn("RS217.jackknife", measure=measure.label)


def _caution_of_few(ratings: ReaderRatings, study: Cells) -> None:
    """RS218 for few cases of a class."""
    words = ratings.classes.positive, ratings.classes.negative
    fewest = [int(n.min()) for n in study.n_of_class]
    few = [f"{n} of class {printable(w)}" for n, w in zip(fewest, words, strict=True) if n < FEWEST_CASES]
    if few:
        warn("RS218.few", unit=ratings.unit, fewest=", ".join(few))


def _word(method: str) -> str:
    return {"delong": "DeLong"}.get(method, method)
