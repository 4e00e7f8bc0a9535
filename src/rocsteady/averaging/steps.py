"""Small groups climb in large steps (RS317).

The top of a step is optimistic (errata H8). More groups do not cure it: the interval tightens around a value
that lies above the truth. Where groups share a threshold, the slope of the average at it, which an interval
needs, is hardly known if hardly a case of each group lies beyond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.methods import Pooled, Threshold
from rocsteady.errors import Option, Remedy
from rocsteady.words import counted, plural

if TYPE_CHECKING:
    from rocsteady.averaging.along_direction import DirectionalAverage
    from rocsteady.averaging.base import Average

_FEWEST_BEYOND = 5
"""Cases of the held class beyond the place: with fewer an interval of 95 % was measured to cover 0.74."""
_FEWEST_SHARED = 2
"""The same for a threshold that is shared and set again: 0.91 to 0.92 with one of 50 negatives beyond."""
_USUAL = 0.1
"""Where a whole curve is judged."""


def told_of_few_beyond(average: Average, held: str, at: NDArray[Any]) -> tuple[str, str, Remedy] | None:
    """What RS317 says of a reading where the shared threshold is set again."""
    groups = average._groups
    if groups.is_weighted or len(groups) < 2 or not isinstance(average.method, Pooled | Threshold):
        return None
    middle = float(np.median(groups.n_negatives if held == "fpr" else groups.n_positives))
    beyond = at if held == "fpr" else 1 - at
    few = (beyond > 0) & (beyond < 1) & (beyond * middle < _FEWEST_SHARED - 1e-9)
    if not few.any():
        return None
    share, word = float(beyond[few][0]), "negative" if held == "fpr" else "positive"
    return (
        f"hardly a case of each {average.unit} lies beyond this threshold, so the interval is too narrow.",
        f"{counted(int(middle), word)} in the middle {average.unit}, {share * middle:.2g} of them beyond",
        f"read it where more {word}s lie beyond, or with larger {plural(average.unit)}",
    )


def told_of_steps(
    average: DirectionalAverage, at: NDArray[Any] | None = None
) -> tuple[str, str, Remedy] | None:
    """What RS317 says of a vertical or a horizontal average at these rates, or of its whole curve."""
    direction = average.direction
    if average.method.jumps_to_mid or not (direction.is_vertical or direction.is_horizontal):
        return None
    groups, is_vertical = average._groups, direction.is_vertical
    if groups.is_weighted or len(groups) < 2:  # a single group has no interval over groups
        return None
    middle = float(np.median(groups.n_negatives if is_vertical else groups.n_positives))
    beyond = np.asarray(_USUAL) if at is None else at if is_vertical else 1 - at
    few = (beyond > 0) & (beyond < 1) & (beyond * middle < _FEWEST_BEYOND - 1e-9)
    if not few.any():
        return None
    units, word = plural(average.unit), "negative" if is_vertical else "positive"
    share = float(np.atleast_1d(beyond)[np.atleast_1d(few)][0])
    return (
        f"the {average.method.label} average reads the better end of steps, which is optimistic in {units} "
        "this small.",
        f"{counted(int(middle), word)} in the middle {average.unit}, {share * middle:.2g} of them beyond a "
        f"rate of {share:.3g} (errata H8)",
        ("read the middle of the steps when you average:  ", Option("at_jumps", "mid")),
    )
