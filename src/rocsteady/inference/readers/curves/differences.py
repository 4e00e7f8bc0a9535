"""The average curves of two modalities at one point: the difference of their rates, reader by reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail
from rocsteady.inference.comparing.results import Difference
from rocsteady.inference.readers.curves.errors import covariance_of
from rocsteady.inference.readers.curves.points import HELD_AND_FREE
from rocsteady.inference.readers.tables import tested
from rocsteady.statistics.intervals import Interval
from rocsteady.statistics.obuchowski_rockette import single_modality
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.inference.readers.curves.curve import ReaderAverageCurve

Floats = NDArray[np.float64]


def difference_at(
    a: ReaderAverageCurve, b: ReaderAverageCurve, held_at: float, confidence_level: float
) -> Difference:
    """The rate of one curve less that of another where both hold the same; see ``ReaderAverageCurve.less``.

    The differences of the readers are one modality in Obuchowski and Rockette's analysis, which for a study
    of two modalities is the same as comparing them.
    """
    _require_alike(a, b)
    at = np.array([held_at])
    sign = 1.0 if a.hold == "fpr" else -1.0  # a specificity is one less an FPR
    values = sign * (a._both_ends(at)[0] - b._both_ends(at)[0])
    mean, error, df = single_modality(
        values.T, _covariance(a, b, at), readers=a.readers_are, cases=a.cases_are
    )
    difference, error, df = float(mean[0]), float(error[0]), float(df[0])
    statistic, pvalue, interval = tested(difference, error, df, confidence_level)
    own = [_own(curve, held_at, confidence_level) for curve in (a, b)]
    held, free = HELD_AND_FREE[a.hold]
    shown = 1 - at[0] if a.hold == "fpr" else at[0]
    return Difference(
        quantity=f"mean {free} at {held} {shown:.4g}",
        a=a.modality,
        b=b.modality,
        a_value=own[0][0],
        b_value=own[1][0],
        difference=difference,
        standard_error=error,
        interval=interval,
        statistic=statistic,
        df=df,
        pvalue=pvalue,
        flip_pvalue=float("nan"),
        adjusted_pvalue=pvalue,
        method="Obuchowski-Rockette, bootstrap of cases" if a.cases_are == "random" else "paired t",
        random=a.random,
        held=f"at {held} {shown:.4g} (every {printable(a.unit)} meets it)",
        lower_is_better=False,
        a_interval=own[0][1],
        b_interval=own[1][1],
    )


def _require_alike(a: ReaderAverageCurve, b: ReaderAverageCurve) -> None:
    """RS002 unless both hold the same rate, of the same readers and study, with the same things random."""
    if not isinstance(b, type(a)):
        raise fail("RS002.curves-apart", what="different kinds", found=[a, type(b).__name__])
    if a.hold != b.hold:
        raise fail("RS002.curves-apart", what="different rates", found=[a.hold, b.hold])
    if a.readers != b.readers:
        readers = [", ".join(own.readers[:4]) for own in (a, b)]
        raise fail("RS002.curves-apart", what="different readers", found=readers)
    if not a._cases.is_of(b._cases) or a._draws != b._draws or a.random != b.random:
        raise fail("RS002.curves-apart", what="different studies", found=[a, b])


def _covariance(a: ReaderAverageCurve, b: ReaderAverageCurve, at: Floats) -> Floats:
    if a.cases_are == "fixed":
        return np.zeros((at.size, len(a.readers), len(a.readers)))
    return covariance_of(a._drawn(at) - b._drawn(at))


def _own(curve: ReaderAverageCurve, at: float, level: float) -> tuple[float, Interval]:
    """The sensitivity or specificity of one curve, with its interval."""
    point = curve.at({curve.hold: at}, confidence_level=level)
    if curve.hold == "fpr":
        return float(point.tpr), point.interval
    low, high = 1 - point.interval.high, 1 - point.interval.low
    return float(1 - point.fpr), Interval(low, high, level, point.interval.method)
