"""The average curves of two modalities at one point: the difference of their rates, reader by reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.arguments import one_rate
from rocsteady.errors import UsageError
from rocsteady.inference.comparing.results import Difference
from rocsteady.inference.readers.curves.errors import covariance_of
from rocsteady.inference.readers.curves.points import HELD_AND_FREE
from rocsteady.inference.readers.tables import tested
from rocsteady.uncertainty.intervals import Interval
from rocsteady.uncertainty.obuchowski_rockette import single_modality
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.inference.readers.curves.curve import ReaderAverageCurve

Floats = NDArray[np.float64]


def difference_at(
    a: ReaderAverageCurve, b: ReaderAverageCurve, given: dict[str, Any], confidence_level: float
) -> Difference:
    """The rate of one curve less that of another where both hold the same; see ``ReaderAverageCurve.less``.

    The differences of the readers are one modality in Obuchowski and Rockette's analysis, which for a study
    of two modalities is the same as comparing them.
    """
    _require_alike(a, b)
    ((name, value),) = given.items()
    one_rate(name, value)
    at = np.array([a._place(given)])
    sign = 1.0 if a.hold == "fpr" else -1.0  # a specificity is one less an FPR
    values = sign * (a._both_ends(at)[0] - b._both_ends(at)[0])
    mean, error, df = single_modality(
        values.T, _covariance(a, b, at), readers=a.readers_are, cases=a.cases_are
    )
    difference, error, df = float(mean[0]), float(error[0]), float(df[0])
    statistic, pvalue, interval = tested(difference, error, df, confidence_level)
    own = [_own(curve, given, confidence_level) for curve in (a, b)]
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
        problem, found = "this is compared with another average curve of the study.", type(b).__name__
    elif a.hold != b.hold:
        problem, found = "both curves must hold the same rate.", f"{a.hold} and {b.hold}"
    elif a.readers != b.readers:
        problem = "the curves are of different readers, so there is no difference within a reader."
        found = f"{', '.join(a.readers[:4])} and {', '.join(b.readers[:4])}"
    elif not a._cases.is_of(b._cases) or a._draws != b._draws or a.random != b.random:
        problem, found = "the curves are not of one study, or not made in the same way.", f"{a!r} and {b!r}"
    else:
        return
    raise UsageError("RS002", problem, f"found: {found}", "both of one comparison:  .average_curve(modality)")


def _covariance(a: ReaderAverageCurve, b: ReaderAverageCurve, at: Floats) -> Floats:
    if a.cases_are == "fixed":
        return np.zeros((at.size, len(a.readers), len(a.readers)))
    return covariance_of(a._drawn(at) - b._drawn(at))


def _own(curve: ReaderAverageCurve, given: dict[str, Any], level: float) -> tuple[float, Interval]:
    """The sensitivity or specificity of one curve, with its interval."""
    point = curve.at(**given, confidence_level=level)
    if curve.hold == "fpr":
        return float(point.tpr), point.interval
    low, high = 1 - point.interval.high, 1 - point.interval.low
    return float(1 - point.fpr), Interval(low, high, level, point.interval.method)
