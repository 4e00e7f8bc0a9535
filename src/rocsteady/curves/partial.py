"""Areas of a part of a curve, raw and standardised.

References
----------
McClish (1989), Medical Decision Making 9, 190-195. Dodd & Pepe (2003), Biometrics 59, 614-623.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.caller import caller_level
from rocsteady.curves.area import doubled_area, unit_scaled
from rocsteady.errors import UsageError, warn

Counts = NDArray[Any]


def partial_area(along: Counts, across: Counts, low: float, high: float) -> float:
    """The area under the path between two values of the rate ``along / along[-1]``.

    ``across`` counts the other class, out of ``max(across)``. Whole segments are summed in integers; only the
    two cut ends are interpolated.
    """
    along, across = unit_scaled(along), unit_scaled(across)
    n_along, n_across = along[-1].item(), across.max().item()
    held = along / n_along
    # From the last vertex at `low` (or the first beyond it) to the first at `high` (or the last before it).
    first = int(np.searchsorted(held, low, side="right"))
    first -= bool(held[first - 1] == low)
    last = int(np.searchsorted(held, high, side="left"))
    last -= bool(held[last] != high)

    def height(at: float, segment: int) -> float:
        """The path's height between vertices ``segment - 1`` and ``segment``."""
        share = (at - held[segment - 1]) / (held[segment] - held[segment - 1])
        rise = across[segment] - across[segment - 1]
        return float((across[segment - 1] + share * rise) / n_across)

    if first > last:  # both ends within one segment
        return (high - low) * (height(low, first) + height(high, first)) / 2
    area = doubled_area(along[first : last + 1], across[first : last + 1]) / (2 * n_along * n_across)
    if held[first] > low:
        area += (held[first] - low) * (height(low, first) + across[first] / n_across) / 2
    if held[last] < high:
        area += (high - held[last]) * (across[last] / n_across + height(high, last + 1)) / 2
    return min(float(area), high - low)


def standardize(area: float, low: float, high: float, *, above: bool) -> float:
    """McClish's rescaling: 1/2 for the diagonal, 1 for the perfect curve.

    Below the diagonal the number is given all the same, with a warning (RS152): hiding it would hide how bad
    the classifier is. ``above`` as in :func:`diagonal_area`.
    """
    # Of (best - chance) / (high - low) the double: not a difference, which a narrow range would round to 0.
    room = high + low if above else (1 - high) + (1 - low)
    standardized = 1 - (1 - area / (high - low)) / room
    if not np.isfinite(standardized):
        raise UsageError(
            "RS042",
            "the range is too narrow for a standardised area.",
            f"found: {low!r} to {high!r}",
            "take a wider range, or the raw area:  standardized=False",
        )
    chance = diagonal_area(low, high, above=above)
    if standardized < 0.5 - 1e-12:  # by more than rounding
        warn(
            "RS152",
            f"the partial area {area:.4g} is below that of the diagonal, {chance:.4g}.",
            f"standardised value: {standardized:.4g} (below 0.5)",
            "read it together with the raw area: standardized=False",
            stacklevel=caller_level(),
        )
    return standardized


def diagonal_area(low: float, high: float, *, above: bool) -> float:
    """What the diagonal has in the range: under it (an FPR range) or right of it (a TPR range, ``above``)."""
    under = (high - low) * (high + low) / 2
    return (high - low) - under if above else under
