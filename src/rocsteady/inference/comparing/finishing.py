"""From an estimate and its error to a result: statistic, limits, p-value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.comparing.asked import Question
from rocsteady.inference.comparing.results import Difference, DifferenceCurve
from rocsteady.inference.comparing.sides import Side
from rocsteady.inference.comparing.wording import ranges
from rocsteady.results import read_only
from rocsteady.statistics.groups import SignFlips
from rocsteady.statistics.intervals import Interval, ratio_to_error, t_quantile, two_sided_pvalue

Floats = NDArray[np.float64]

_NO_DIFFERENCE = 1e-13
"""Of two rates or areas: what rounding leaves of equal ones."""


class Comparing(Protocol):
    """What both kinds of comparison know."""

    sides: tuple[Side, Side]
    question: Question
    unit: str

    @property
    def n_groups(self) -> Any:
        """How many groups."""

    @property
    def random(self) -> str:
        """What is random, in words."""

    @property
    def test(self) -> str:
        """Which test, in words."""


def difference_of(
    of: Comparing,
    quantity: str,
    means: Sequence[float],
    *,
    error: float,
    df: float,
    own: Sequence[Interval],
    flip_pvalue: float = float("nan"),
    held: str = "",
    lower_is_better: bool = False,
    test: str = "",
    smallest_pvalue: float = 0.0,
) -> Difference:
    """The difference of two values with this standard error and these degrees of freedom.

    ``own`` are the intervals of the two values themselves.
    """
    level = of.question.confidence_level
    difference = float(means[0] - means[1])
    if abs(difference) <= _NO_DIFFERENCE and not error > _NO_DIFFERENCE:
        difference, error = 0.0, error if np.isnan(error) else 0.0
    statistic = ratio_to_error(difference, error)
    pvalue = float(two_sided_pvalue(statistic, df)) if not np.isnan(df) else float("nan")
    if difference == 0 and error == 0:
        pvalue = 1.0
    pvalue = max(pvalue, smallest_pvalue)
    half = float(t_quantile(df, level)) * error if error > 0 else error
    return Difference(
        quantity=quantity,
        a=of.sides[0].name,
        b=of.sides[1].name,
        a_value=float(means[0]),
        b_value=float(means[1]),
        difference=difference,
        standard_error=error,
        interval=Interval(difference - half, difference + half, level, "z" if np.isinf(df) else "t"),
        statistic=statistic,
        df=float(df),
        pvalue=pvalue,
        flip_pvalue=flip_pvalue,
        adjusted_pvalue=pvalue,
        method=test or of.test,
        random=of.random,
        held=held,
        lower_is_better=lower_is_better,
        a_interval=own[0],
        b_interval=own[1],
    )


def curve_of(
    of: Comparing,
    at: Floats,
    over: str,
    means: tuple[Floats, Floats],
    found: SignFlips,
    *,
    pointwise: Floats,
    test: str,
) -> DifferenceCurve:
    """The difference curve with limits of both kinds."""
    half = found.half_width
    difference = np.where(np.abs(found.mean) <= _NO_DIFFERENCE, 0.0, found.mean)
    sign = -1.0 if over == "tpr" else 1.0  # along the horizontal, less of the FPR is more
    values = [read_only(0.0 + sign * mean) for mean in means]
    return DifferenceCurve(
        a=of.sides[0].name,
        b=of.sides[1].name,
        unit=of.unit,
        n_groups=of.n_groups,
        n_cases=_n_cases(of),
        over=over,
        range=(float(at[0]), float(at[-1])),
        position=read_only(at),
        a_value=values[0],
        b_value=values[1],
        difference=read_only(difference),
        standard_error=found.standard_error,
        lower=read_only(difference - pointwise),
        upper=read_only(difference + pointwise),
        simultaneous_lower=read_only(difference - half),
        simultaneous_upper=read_only(difference + half),
        adjusted=found.adjusted,
        statistic=found.statistic,
        pvalue=found.pvalue,
        smallest_pvalue=found.smallest_pvalue,
        factor=found.factor,
        excluded=ranges(at, found.left_out),
        confidence_level=of.question.confidence_level,
        method=test,
        random=of.random,
    )


def _n_cases(of: Comparing) -> int | tuple[int, int]:
    """Of the groups that have a curve; of each model where they are not as many."""
    a, b = (int((own.n_positives + own.n_negatives).sum()) for own in (side.curved for side in of.sides))
    return a if a == b else (a, b)
