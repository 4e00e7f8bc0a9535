"""What each of several models is worth by itself, the best one first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.results import Result
from rocsteady.statistics.intervals import Interval
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.inference.comparing.results import Comparison, Difference


@dataclass(frozen=True, eq=False, repr=False)
class Standing(Result):
    """One model's own value of one quantity.

    Attributes
    ----------
    quantity, model : str
        What was measured, of which model.
    value, interval : float, Interval
        The value, and its interval under what is random. Whether two models differ is not read from these:
        the differences between them have intervals and tests of their own.
    """

    quantity: str
    model: str
    value: float
    interval: Interval

    def __repr__(self) -> str:
        low, high = self.interval.low, self.interval.high
        limits = "" if np.isnan(low) else f" ({low:.4f} to {high:.4f})"
        return f"Standing({printable(self.model)}, {self.quantity}: {self.value:.4f}{limits})"


def standings_of(pairs: Sequence[Comparison]) -> tuple[Standing, ...]:
    """Every model's own values, quantity by quantity, the best first.

    A model compared over other groups with one model than with another (some had none) has no single value,
    and is left out.
    """
    found: list[Standing] = []
    for column in zip(*(pair.differences for pair in pairs), strict=True):
        values: dict[str, list[tuple[float, Interval]]] = {}
        for own in column:
            values.setdefault(own.a, []).append((own.a_value, own.a_interval))
            values.setdefault(own.b, []).append((own.b_value, own.b_interval))
        single = [
            Standing(_common(column), model, *own[0])
            for model, own in values.items()
            if all(value == own[0][0] for value, _ in own)
        ]
        sign = 1 if column[0].lower_is_better else -1
        found += sorted(single, key=lambda standing: sign * standing.value)
    return tuple(found)


def _common(column: Sequence[Difference]) -> str:
    """The quantity without values that only some models have."""
    names = dict.fromkeys(own.quantity for own in column)
    return next(iter(names)) if len(names) == 1 else f"{column[0].quantity.split(' at ')[0]} at thresholds"


def leader(pairs: Sequence[Comparison]) -> tuple[list[Standing], list[str]]:
    """The models by the area that was asked about, best first; and those that the best is not told from.

    Under one threshold for all groups that is the area under the shared average, not the mean AUC of groups
    that each have their own. Both are empty where models have no single value.
    """
    areas = [pair.area or pair.auc for pair in pairs]
    quantity = areas[0].quantity
    ordered = [own for own in standings_of(pairs) if own.quantity == quantity]
    if len(ordered) < len({name for pair in pairs for name in (pair.a, pair.b)}):
        return [], []
    best = ordered[0].model
    near = [
        pair.b if pair.a == best else pair.a
        for pair, area in zip(pairs, areas, strict=True)
        if best in (pair.a, pair.b) and not area.is_decided
    ]
    return ordered, near
