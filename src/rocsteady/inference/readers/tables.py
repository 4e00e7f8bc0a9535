"""The tables of a reader study: differences of modalities, modality by modality, reader by reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import FprAt, Statistic
from rocsteady.inference.differences import Difference
from rocsteady.inference.readers.asked import U_STATISTICS, Asked
from rocsteady.inference.readers.results import PerModality, PerReader
from rocsteady.inference.readers.study import ReaderRatings
from rocsteady.inference.readers.summaries.limits import (
    NONE,
    interval_of_mean,
    largest_value,
    smallest_sizes,
)
from rocsteady.inference.readers.wording import random_words
from rocsteady.operating_points.tables.significance import adjusted
from rocsteady.statistics.intervals import Interval, ratio_to_error, t_quantile, two_sided_pvalue
from rocsteady.statistics.obuchowski_rockette import ROUNDING, Components

Floats = NDArray[np.float64]

_NAMES = {"delong": "DeLong"}


@dataclass(frozen=True, eq=False)
class Study:
    """Ratings, what was asked, and what was measured."""

    ratings: ReaderRatings
    wanted: Asked
    theta: Floats
    sigma: Floats
    of: Components | None

    @property
    def quantity(self) -> str:
        """What is compared: the mean over readers, or what the one reader has."""
        label = self.wanted.measure.label
        return label if len(self.ratings.readers) == 1 else f"mean {label}"

    @property
    def random(self) -> str:
        """What is random, in words."""
        wanted, ratings = self.wanted, self.ratings
        patients = ratings.clusters is not None
        return random_words(
            ratings.unit, wanted.readers, wanted.cases, len(ratings.readers), patients=patients
        )

    @property
    def test(self) -> str:
        """Which test, in words."""
        if self.wanted.method == U_STATISTICS:
            return "U-statistics"
        if self.wanted.cases == "fixed":
            return "Obuchowski-Rockette"  # no covariance over cases enters
        return f"Obuchowski-Rockette, {_NAMES.get(self.wanted.covariance, self.wanted.covariance)} covariance"


@dataclass(frozen=True, eq=False)
class Analysis:
    """Means, their errors, the errors of their differences, and the test that all are alike."""

    means: Floats
    mean_errors: Floats
    mean_dfs: Floats
    difference_errors: dict[tuple[int, int], tuple[float, float]]
    statistic: float
    df: Any
    pvalue: float
    error_term: float
    notes: tuple[str, ...] = ()


def differences_of(study: Study, analysis: Analysis, intervals: Sequence[Interval]) -> tuple[Difference, ...]:
    """Of all pairs; p-values as they are, and adjusted for the number of pairs."""
    found = [
        _difference(study, analysis, pair, errors, intervals)
        for pair, errors in analysis.difference_errors.items()
    ]
    of_family = adjusted(np.array([own.pvalue for own in found]), study.wanted.adjust)
    return tuple(replace(own, adjusted_pvalue=float(p)) for own, p in zip(found, of_family, strict=True))


def _difference(
    study: Study,
    analysis: Analysis,
    pair: tuple[int, int],
    errors: tuple[float, float],
    intervals: Sequence[Interval],
) -> Difference:
    (a, b), (error, df) = pair, errors
    a_value, b_value = (float(analysis.means[i]) for i in pair)
    difference = a_value - b_value
    if abs(difference) <= ROUNDING * max(abs(a_value), abs(b_value)):
        difference = 0.0
    statistic, pvalue, interval = tested(difference, error, df, study.wanted.confidence_level)
    return Difference(
        quantity=study.quantity,
        a=study.ratings.modalities[a],
        b=study.ratings.modalities[b],
        a_value=a_value,
        b_value=b_value,
        difference=difference,
        standard_error=error,
        interval=interval,
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        flip_pvalue=float("nan"),
        adjusted_pvalue=pvalue,
        method=study.test,
        random=study.random,
        held="",
        lower_is_better=lower_is_better(study.wanted.measure),
        a_interval=intervals[a],
        b_interval=intervals[b],
    )


def tested(difference: float, error: float, df: float, level: float) -> tuple[float, float, Interval]:
    """Statistic, two-sided p-value and interval of a difference; normal where ``df`` is infinite.

    A difference without any error has nothing to be held against: its p-value and limits are NaN.
    """
    statistic = ratio_to_error(difference, error)
    if error == 0 and difference:
        return statistic, float("nan"), Interval(float("nan"), float("nan"), level, NONE)
    pvalue = 1.0 if difference == 0 else float(two_sided_pvalue(statistic, df))
    half = float(t_quantile(df, level)) * error if error else 0.0
    kind = "z" if np.isinf(df) else "t"
    return statistic, pvalue, Interval(difference - half, difference + half, level, kind)


def lower_is_better(measure: Statistic) -> bool:
    """Whether less of the measure is better, as of false positive rates."""
    return isinstance(measure, FprAt)


def per_modality_of(study: Study, analysis: Analysis) -> PerModality:
    """Modality by modality, each with an interval from its own data."""
    level, nothing = study.wanted.confidence_level, np.full(len(analysis.means), np.nan)
    low, high = _limits_of_means(study, analysis)
    own = study.of
    return PerModality(
        modalities=study.ratings.modalities,
        quantity=study.quantity,
        value=analysis.means,
        standard_error=analysis.mean_errors,
        df=analysis.mean_dfs,
        low=low,
        high=high,
        ms_reader=nothing if own is None else own.ms_reader_each,
        var=nothing if own is None else own.var_each,
        cov2=nothing if own is None else own.cov2_each,
        n_readers=study.ratings.cells.sum(axis=1),
        confidence_level=level,
        largest=largest_value(study.wanted.measure),
    )


def _limits_of_means(study: Study, analysis: Analysis) -> tuple[Floats, Floats]:
    """Plain limits; means without error have those of separated classes, or none."""
    ratings, wanted = study.ratings, study.wanted
    half = t_quantile(analysis.mean_dfs, wanted.confidence_level) * analysis.mean_errors
    low, high = np.asarray(analysis.means - half), np.asarray(analysis.means + half)
    for i in np.flatnonzero(np.asarray(analysis.mean_errors) == 0):
        interval = interval_of_mean(
            float(analysis.means[i]),
            0.0,
            np.inf,
            wanted.confidence_level,
            smallest_sizes(ratings, int(i), np.flatnonzero(ratings.cells[i])),
            wanted.measure,
            "t",
            cases_are_random=wanted.cases == "random",
        )
        low[i], high[i] = interval.low, interval.high
    return low, high


def per_reader_of(study: Study) -> PerReader:
    """Reader by reader, for readers with two modalities or more; cases are random."""
    ratings, theta, level = study.ratings, study.theta, study.wanted.confidence_level
    rows = []
    for j, reader in enumerate(ratings.readers):
        read = np.flatnonzero(~np.isnan(theta[:, j])).tolist()
        own = study.sigma[np.ix_(read, [j], read, [j])][:, 0, :, 0]
        error = _own_error(own)
        rows += [(reader, a, b, theta[a, j], theta[b, j], error) for a, b in combinations(read, 2)]
    a_value, b_value, errors = (np.array([row[k] for row in rows], dtype=np.float64) for k in (3, 4, 5))
    difference = a_value - b_value
    statistic = np.array([ratio_to_error(d, e) for d, e in zip(difference, errors, strict=True)])
    half = float(t_quantile(np.inf, level)) * errors
    half[(errors == 0) & (difference != 0)] = np.nan  # nothing to hold it against
    return PerReader(
        ratings.unit,
        tuple(row[0] for row in rows),
        tuple(ratings.modalities[row[1]] for row in rows),
        tuple(ratings.modalities[row[2]] for row in rows),
        a_value,
        b_value,
        difference,
        errors,
        difference - half,
        difference + half,
        statistic,
        np.where(np.isinf(statistic), np.nan, two_sided_pvalue(statistic)),
        level,
    )


def _own_error(own: Floats) -> float:
    """``sqrt(2 (Var - Cov1))`` of one reader, from the covariances of their modalities.

    0 where nothing but rounding is left, as of identical ratings. An unbiased Var below Cov1 says nothing:
    NaN, as where Var is unknown.
    """
    t = len(own)
    if t < 2:
        return float("nan")
    var = own.trace() / t
    cov1 = (own.sum() - own.trace()) / (t * (t - 1))
    excess = var - cov1
    if abs(excess) <= ROUNDING * abs(var):
        return 0.0
    return float(np.sqrt(2 * excess)) if excess > 0 else float("nan")
