"""The same question under every average: what each model has there, and how far the best are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rocsteady.advice.alternatives import common_groups, only_groups
from rocsteady.advice.places import Place
from rocsteady.advice.readings import Quantity, Reader, difference, draws_of
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.counting.results import Result
from rocsteady.errors import RocsteadyError
from rocsteady.report.summary.comparing_measure import measure_of
from rocsteady.report.summary.material import SHARED_KEYS, Material

NAMES = {
    "threshold": "Threshold average",
    "pooled": "Pooled",
    "vertical": "Vertical average",
    "horizontal": "Horizontal average",
    "diagonal": "Diagonal average",
    "radial": "Radial average",
    "alerts": "Average at an alert rate",
    "cost": "Tangent average (tuned to costs)",
    "cost-direction": "Average along the direction of costs",
}


@dataclass(frozen=True, eq=False)
class Row(Result):
    """What one average says of the models.

    Attributes
    ----------
    key, name : str
        The average.
    values : tuple of float
        Of every model, in the order of the models; numbers are as computed.
    a, b : str
        Two models: the two that there are, or the best and the next.
    difference, low, high : float
        The first less the second, with its interval over groups (not widened for having picked the best).
    is_declared, is_decided : bool
        Whether this is the average that the deployment asks for; whether the interval leaves out zero.
    """

    key: str
    name: str
    values: tuple[float, ...]
    a: str
    b: str
    difference: float
    low: float
    high: float
    is_declared: bool
    is_decided: bool

    @property
    def question(self) -> str:
        """Whether one threshold is shared: "shared" or "own"."""
        return "shared" if self.key in SHARED_KEYS else "own"


def rows_of(material: Material, place: Place | None) -> tuple[Row, ...]:
    """Every average that can be made, read at one place; without a place, its area."""
    found = []
    with material.catching():
        for key in material.keys:
            try:
                found.append(_row(material, key, place))
            except RocsteadyError:
                continue  # integers that no float can tell apart, or no group that all models have
    return tuple(found)


def _row(material: Material, key: str, place: Place | None) -> Row:
    names = material.names
    read = quantities(material, key, place, names)
    a, b = names[:2]
    if len(names) > 2:
        sign = -1 if measure_of(material, place, key).lower_is_better else 1
        a, b = sorted(names, key=lambda name: -sign * read[name].value)[:2]
    gap = difference(read[a], read[b], material.settings.confidence_level)
    low, high = gap.interval.low, gap.interval.high
    return Row(
        key=key,
        name=NAMES[key],
        values=tuple(read[name].value for name in names),
        a=a,
        b=b,
        difference=gap.value,
        low=low,
        high=high,
        is_declared=key == material.declared_key,
        is_decided=bool(low > 0 or high < 0),
    )


def quantities(
    material: Material, key: str, place: Place | None, names: Sequence[str]
) -> dict[str, Quantity]:
    """What an average of every model has at a place, over the groups that all of them have.

    All see the same resamples of groups, so that differences are paired.
    """
    averages = _averages(material, key, names)
    found = {}
    for name, own in averages.items():
        reader = Reader(own, draws_of(own.n_groups, material.settings.seed))
        is_read = place is not None and place.threshold is None
        found[name] = reader.value(place, own) if is_read and place is not None else reader.auc()
    return found


def _averages(material: Material, key: str, names: Sequence[str]) -> dict[str, Average]:
    own = {name: material.average(key, name) for name in names}
    first = next(iter(own.values())).members
    if all(each.members == first for each in own.values()):
        return own
    sets = {name: material.of_model(name) for name in names}
    shared = common_groups(sets)
    method: Any = material.method(key)
    return {name: average(only_groups(rows, shared), method) for name, rows in sets.items()}
