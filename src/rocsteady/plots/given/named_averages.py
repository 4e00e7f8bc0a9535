"""Averages that are drawn together: their names, and whether one figure can hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocsteady.averaging.base import Average, AveragePoint
from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.places import NAMES


def given_averages(averages: object, names: object = None) -> dict[str, Average]:
    """The averages by name; RS002 if there are none, have no names, or do not belong together.

    Averages of one kind need names; those of different kinds are named by these.
    """
    found = _by_name(averages, names)
    _require_one_unit(found)
    _require_one_plane(found)
    _require_one_kind(found)
    return found


def is_mixed(averages: Mapping[str, Average]) -> bool:
    """Whether they are of different kinds."""
    return len({own.method.label for own in averages.values()}) > 1


def _by_name(averages: object, names: object) -> dict[str, Average]:
    if isinstance(averages, Mapping):
        keys, values = list(averages), list(averages.values())
        if names is not None:
            raise fail("RS002.named-already", names=names)
    elif isinstance(averages, Average):
        keys, values = _names_of([averages], names), [averages]
    elif isinstance(averages, Sequence) and not isinstance(averages, str | bytes):
        values = list(averages)
        keys = _names_of(values, names)
    else:
        keys, values = [], []
    if not values or not all(isinstance(own, Average) for own in values):
        wrong = next((own for own in values if not isinstance(own, Average)), averages)
        way = "rs.plot.averages({'baseline': average_a, 'candidate': average_b})"
        raise fail("RS002.drawn-from", what="averages and their names", found=described(wrong), ways=[way])
    if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(values):
        raise fail("RS002.average-names", names=keys)
    return dict(zip(keys, values, strict=True))


def _names_of(values: list[Any], names: object) -> list[Any]:
    """Those given; without any, averages of different kinds are named by these."""
    if names is None:
        kinds = [own.method.label for own in values if isinstance(own, Average)]
        if len(set(kinds)) < len(kinds):
            raise fail("RS002.average-names", names=kinds)
        return kinds
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != len(values):
        raise fail("RS002.average-names", names=names)
    return list(names)


def _require_one_unit(averages: Mapping[str, Average]) -> None:
    units = list(dict.fromkeys(own.unit for own in averages.values()))
    if len(units) > 1:
        raise fail("RS002.units-drawn", units=units)


def _require_one_plane(averages: Mapping[str, Average]) -> None:
    """A smROC average has shares of credit where others have rates."""
    if len({own.averaged.is_smroc for own in averages.values()}) > 1:
        raise fail("RS002.planes-drawn", averages=[f"{name}: {own!r:.60}" for name, own in averages.items()])


def _require_one_kind(averages: Mapping[str, Average]) -> None:
    """Different kinds in one plot only where their names say which is which."""
    if not is_mixed(averages):
        return
    silent = {
        name: own.method
        for name, own in averages.items()
        if own.method.name.casefold() not in name.casefold() and own.method.label not in name
    }
    if silent:
        kinds = [f"{name}: {own.method.label}" for name, own in averages.items()]
        raise fail("RS002.kinds-drawn", kinds=kinds)


def places_of(at: object, names: Sequence[str]) -> dict[str, Any]:
    """What to mark, for each average: the same for all, or a mapping from their names."""
    if isinstance(at, Mapping) and not _is_place(at):
        unknown = [name for name in at if name not in names]
        if unknown:
            raise fail("RS002.points-by-name", unknown=unknown, first=names[0])
        return {name: at.get(name, ()) for name in names}
    several = [at] if isinstance(at, AveragePoint) else at
    if len(names) > 1 and isinstance(several, Sequence):
        own = [point for point in several if isinstance(point, AveragePoint)]
        if own:
            raise fail("RS002.point-of-average", point=own[0], first=names[0])
    return dict.fromkeys(names, at)


def _is_place(at: Mapping[Any, Any]) -> bool:
    """Whether it is one place, such as ``{"fpr": 0.05}``, and no mapping from names."""
    return all(str(key) in NAMES for key in at) and not any(
        isinstance(value, Mapping | AveragePoint) for value in at.values()
    )
