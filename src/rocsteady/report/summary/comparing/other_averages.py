"""The same question under every average: what each model has there, and how far the best are apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rocsteady.advice.advise import Contest, common_groups
from rocsteady.advice.deployment import Line
from rocsteady.advice.readings import Draws, Quantity, area_of, difference, read_at
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.errors import RocsteadyError
from rocsteady.report.summary.comparing.at_point import compared_at, is_settled, point_of
from rocsteady.report.summary.comparing.measure import measure_of
from rocsteady.report.summary.comparing.setting import Setting, catching, test_train_ratio
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.results import Result

NAMES = {
    "threshold": "Threshold average",
    "pooled": "Pooled",
    "vertical": "Vertical average",
    "horizontal": "Horizontal average",
    "diagonal": "Diagonal average",
    "radial": "Radial average",
    "alerts": "Alarm-rate average",
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
        Whether this is the average that the deployment asks for; whether the difference is told from none. Of
        three or more models the two were picked among several, and the decision allows for that.
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


def rows_of(material: Material, place: Line | None) -> tuple[Row, ...]:
    """Every average that can be made, read at one place; without a place, its area."""
    told = _told(material, place)
    found = []
    with catching(material):
        for key in material.keys:
            setting = Setting(key, place, test_train_ratio(material))
            try:
                if is_settled(setting):
                    found.append(_settled(material, setting))
                else:
                    own = told[key] if key in told else _row(material, key, place)
                    found.append(_allowing_for_picking(material, own, place))
            except RocsteadyError:
                continue  # integers that no float can tell apart, or no group that all models have
    return tuple(found)


def _settled(material: Material, setting: Setting) -> Row:
    """What ``rs.compare`` says, so that a difference has one interval wherever it is told."""
    names, place = material.names, setting.place
    averages = common_averages(material, setting.key, names)
    values = {name: _value(own, place) for name, own in averages.items()}
    a, b = names[:2]
    if len(names) > 2:
        sign = 1 if place is None or place.higher_is_better else -1
        a, b = sorted(names, key=lambda name: -sign * values[name])[:2]
    own = compared_at(material, setting, a, b, point_of(setting)).differences[0]
    if len(names) == 2:
        values = {a: own.a_value, b: own.b_value}
    gap = own.difference, own.interval.low, own.interval.high
    made = _made(material, setting.key, tuple(values[name] for name in names), (a, b), gap, place)
    is_sure = not own.pvalue * _n_rivals(material) > 1 - material.settings.confidence_level
    return replace(made, is_decided=made.is_decided and is_sure)


def _n_rivals(material: Material) -> int:
    """How many comparisons are allowed for: the best of three may be ahead of either other by luck."""
    return max(len(material.names) - 1, 1)


def _allowing_for_picking(material: Material, row: Row, place: Line | None) -> Row:
    """The row, called decided only if a wider interval leaves out zero too, where two of many were picked."""
    n_rivals = _n_rivals(material)
    if n_rivals == 1 or not row.is_decided:
        return row
    read = quantities(material, row.key, place, material.names)
    level = 1 - (1 - material.settings.confidence_level) / n_rivals
    _, gap = difference(read[row.a], read[row.b], level)
    return replace(row, is_decided=bool(gap.low > 0 or gap.high < 0))


def _value(own: Average, place: Line | None) -> float:
    if place is None:
        return float(own.auc)
    if place.held == "alerts":
        return float(own.at(alerts=place.target).tpr)
    return float(own.tpr_at(place.target) if place.held == "fpr" else own.fpr_at(place.target))


def _told(material: Material, place: Line | None) -> dict[str, Row]:
    """What the advice for the declared deployment has found already, at the same place."""
    deployment = material.deployment
    if deployment is None or place != deployment.line or material.advice is None:
        return {}
    by_method = {str(own.method): own for own in material.advice.contests}
    found = {}
    for key in material.keys:
        contest = by_method.get(str(material.method(key)))
        if contest is not None and contest.line == place:
            found[key] = _of_contest(material, key, contest, place)
    return found


def _of_contest(material: Material, key: str, found: Contest, place: Line | None) -> Row:
    names = material.names
    best, second = list(found.values)[:2]
    a, b = (best, second) if len(names) > 2 else names
    # A contest counts how far the best is ahead; a row has the first less the second.
    sign = (1 if a == best else -1) * (1 if place is None or place.higher_is_better else -1)
    gap = sign * found.difference
    low, high = sorted(sign * end for end in (found.interval.low, found.interval.high))
    return _made(material, key, tuple(found.values[name] for name in names), (a, b), (gap, low, high), place)


def _made(
    material: Material,
    key: str,
    values: tuple[float, ...],
    models: tuple[str, str],
    gap: tuple[float, float, float],
    place: Line | None,
) -> Row:
    difference, low, high = (0.0 + number for number in gap)
    if not (place is not None and place.free == "cost"):
        low, high = clipped(low, high)
    return Row(
        key=key,
        name=NAMES[key],
        values=values,
        a=models[0],
        b=models[1],
        difference=difference,
        low=low,
        high=high,
        is_declared=key == material.declared_key,
        is_decided=bool(low > 0 or high < 0),
    )


def clipped(low: float, high: float, least: float = -1.0) -> tuple[float, float]:
    """Limits within what there can be; NaN stays.

    >>> clipped(-2.4, 0.5), clipped(-0.1, float("nan"), least=0.0)
    ((-1.0, 0.5), (0.0, nan))
    """
    low, high = (limit if math.isnan(limit) else min(max(limit, least), 1.0) for limit in (low, high))
    return low, high


def _row(material: Material, key: str, place: Line | None) -> Row:
    names = material.names
    read = quantities(material, key, place, names)
    a, b = names[:2]
    if len(names) > 2:
        sign = -1 if measure_of(material, place, key).lower_is_better else 1
        a, b = sorted(names, key=lambda name: -sign * read[name].value)[:2]
    gap, interval = difference(read[a], read[b], material.settings.confidence_level)
    values = tuple(read[name].value for name in names)
    return _made(material, key, values, (a, b), (gap, interval.low, interval.high), place)


def quantities(material: Material, key: str, place: Line | None, names: Sequence[str]) -> dict[str, Quantity]:
    """What an average of every model has at a place, over the groups that all of them have.

    All see the same resamples of groups, so that differences are paired.
    """
    averages = common_averages(material, key, names)
    found = {}
    for name, own in averages.items():
        draws = Draws(own.n_groups, material.settings.seed)
        is_read = place is not None and place.threshold is None
        found[name] = (
            read_at(place, own, own, draws) if is_read and place is not None else area_of(own, draws)
        )
    return found


def common_averages(material: Material, key: str, names: Sequence[str]) -> dict[str, Average]:
    """An average of every model, over the groups that all of them have."""
    own = {name: material.average(key, name) for name in names}
    first = next(iter(own.values())).members
    if all(each.members == first for each in own.values()):
        return own
    sets = {name: material.of_model(name) for name in names}
    shared = common_groups(sets)
    method: Any = material.method(key)
    return {name: average(rows.take(shared), method) for name, rows in sets.items()}
