"""Half-widths and power over a grid of designs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.inference.planning.designs import Components, power, promised_half_width
from rocsteady.results import TableResult, read_only
from rocsteady.words import counted, plural, printable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PlanTable(TableResult):
    """What designs would give: one entry of every array for each pair of groups and cases.

    Attributes
    ----------
    n_groups : int64 array
        How many groups.
    times_cases : float64 array
        How many times the present cases every group has; infinite is what cases alone cannot beat.
    n_positives, n_negatives : float64 arrays
        Cases of each class in a group of mean size.
    half_width : float64 array
        Of the interval for the mean.
    half_width_low, half_width_high : float64 arrays
        The same at the limits of the variance between groups: how rough the plan is. NaN for a single group.
    power : float64 array
        Chance that a test finds the difference; NaN for a single model.
    unit : str
        The word for a group.
    """

    n_groups: NDArray[np.int64]
    times_cases: Floats
    n_positives: Floats
    n_negatives: Floats
    half_width: Floats
    half_width_low: Floats
    half_width_high: Floats
    power: Floats
    unit: str

    def __len__(self) -> int:
        return self.n_groups.size

    def __repr__(self) -> str:
        n, cases = np.unique(self.n_groups).size, np.unique(self.times_cases).size
        least, most = self.half_width.min(), self.half_width.max()
        of = f"{counted(n, 'number')} of {plural(printable(self.unit))}, {counted(cases, 'number')} of cases"
        return f"PlanTable({of}: half-widths {least:.3g} to {most:.3g})"

    def _columns(self) -> Mapping[str, Any]:
        names = [name for name in self.__dataclass_fields__ if name != "unit"]
        unknown = ("power", "half_width_low", "half_width_high")
        names = [n for n in names if n not in unknown or not np.isnan(getattr(self, n)).all()]
        return {name: getattr(self, name) for name in names}


def make_table(
    components: tuple[Components, Components, Components],
    designs: tuple[list[int], list[float]],
    sizes: tuple[float, float],
    difference: float | None,
    level: tuple[float, float | None],
    unit: str,
) -> PlanTable:
    """The table of all pairs; ``components`` are the estimate and the limits, ``level`` has the assurance."""
    confidence_level, assurance = level
    pairs = [(n, times) for n in designs[0] for times in designs[1]]
    widths = np.array(
        [
            [promised_half_width(parts, times, n, confidence_level, assurance) for n, times in pairs]
            for parts in components
        ]
    )
    chances = [
        np.nan
        if difference is None
        else power(difference, components[0].variance(times), n, confidence_level)
        for n, times in pairs
    ]
    groups, times_cases = np.array(pairs, dtype=np.float64).T
    low, high = widths[1:]
    return PlanTable(
        n_groups=read_only(groups.astype(np.int64)),
        times_cases=read_only(times_cases),
        n_positives=read_only(sizes[0] * times_cases),
        n_negatives=read_only(sizes[1] * times_cases),
        half_width=read_only(widths[0].copy()),
        half_width_low=read_only(low.copy()),
        half_width_high=read_only(high.copy()),
        power=read_only(np.array(chances)),
        unit=unit,
    )
