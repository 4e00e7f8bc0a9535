"""Limits of one reader or system, and of the mean of readers, by what the measure can be at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import Auc, PartialAuc, Statistic
from rocsteady.inference.readers.measuring import CurveMeasure
from rocsteady.statistics.intervals import Interval, separated_limits
from rocsteady.statistics.obuchowski_rockette import limits_of_mean

if TYPE_CHECKING:
    from rocsteady.inference.readers.study import ReaderRatings

SEPARATED, NONE = "separated", "none"


def largest_value(measure: Statistic) -> float | None:
    """The most that a measure can be: 1 for areas and rates, the width of a part; None if nobody knows.

    Examples
    --------
    >>> import rocsteady as rs
    >>> largest_value(rs.TprAt(0.1)), largest_value(rs.PartialAuc(fpr=(0, 0.25)))
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


def class_sizes(ratings: ReaderRatings, modality: int, reader: int) -> tuple[int, int]:
    """Cases of each class in one cell; patients where cases have them."""
    sizes = []
    for side in (ratings.truth, ~ratings.truth):
        chosen = ratings.is_read[modality, reader] & side
        clusters = ratings.clusters
        sizes.append(int(chosen.sum()) if clusters is None else np.unique(clusters[chosen]).size)
    return sizes[0], sizes[1]


def interval_of_one(
    value: float, error: float, level: float, sizes: tuple[int, int], measure: Statistic
) -> Interval:
    """The interval of one reader or system, over cases.

    An area of 0 or 1 has the bound for separated classes of these sizes; other values without error have
    none.
    """
    return interval_of_mean(value, error, np.inf, level, sizes, measure, "logit", cases_are_random=True)


def interval_of_mean(
    mean: float,
    error: float,
    df: float,
    level: float,
    sizes: tuple[int, int],
    measure: Statistic,
    kind: str,
    *,
    cases_are_random: bool,
) -> Interval:
    """The interval of a mean of readers: on the logit scale, scaled by the largest value, or plain.

    Where nothing varies there are no limits. Only if cases are random, and every area is 0 or 1, there is
    the bound that one reader has who read the fewest cases: ``sizes`` of each class.
    """
    if error == 0 and cases_are_random and isinstance(measure, Auc) and mean in (0.0, 1.0):
        low, high = separated_limits(np.array(mean), *sizes, level)
        return Interval(float(low), float(high), level, SEPARATED)
    if not error > 0:
        return Interval(float("nan"), float("nan"), level, NONE)
    largest = largest_value(measure)
    low, high = limits_of_mean(mean, error, df, level, kind, largest=largest)
    if kind == "logit" and largest is not None and 0 < mean < largest:
        return Interval(float(low), float(high), level, "logit")
    return Interval(float(low), float(high), level, "z" if np.isinf(df) else "t")


def smallest_sizes(ratings: ReaderRatings, modality: int, readers: NDArray[np.intp]) -> tuple[int, int]:
    """Of these readers, those of the one who read the fewest cases of the rarer class."""
    return min((class_sizes(ratings, modality, int(j)) for j in readers), key=min)


def note_of_nothing(interval: Interval, whose: str, error: float = 0.0) -> str:
    """What to know about a mean that has no error, or one that is not known."""
    if np.isnan(error):
        return f"The variance of the mean of {whose} came out below 0, which says nothing: it has no interval"
    if interval.method == SEPARATED:
        return (
            f"Nothing varies in the mean of {whose}: its limits are the bound for separated classes, which "
            "one reader would have, and how much readers differ is not seen"
        )
    return f"Nothing varies in the mean of {whose}, so it has no interval"
