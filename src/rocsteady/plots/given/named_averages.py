"""Averages that are drawn together: their names, and whether one figure can hold them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocsteady.averaging.base import Average, AveragePoint
from rocsteady.curves.given import described
from rocsteady.errors import UsageError
from rocsteady.plots.given.of_average import PLACES
from rocsteady.plots.parts.vocabulary import rate_of
from rocsteady.words import listed, printable


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
            raise UsageError(
                "RS002",
                "the averages have their names already.",
                f"found: names={names!r:.60}",
                "rs.plot.averages(list(averages.values()), names=names)",
            )
    elif isinstance(averages, Average):
        keys, values = _names_of([averages], names), [averages]
    elif isinstance(averages, Sequence) and not isinstance(averages, str | bytes):
        values = list(averages)
        keys = _names_of(values, names)
    else:
        keys, values = [], []
    if not values or not all(isinstance(own, Average) for own in values):
        wrong = next((own for own in values if not isinstance(own, Average)), averages)
        raise UsageError(
            "RS002",
            "this figure is drawn from averages and their names.",
            f"found: {described(wrong)}",
            "rs.plot.averages({'baseline': average_a, 'candidate': average_b})",
        )
    if not all(isinstance(key, str) for key in keys) or len(set(keys)) < len(values):
        raise _no_names(keys)
    return dict(zip(keys, values, strict=True))


def _names_of(values: list[Any], names: object) -> list[Any]:
    """Those given; without any, averages of different kinds are named by these."""
    if names is None:
        kinds = [own.method.label for own in values if isinstance(own, Average)]
        if len(set(kinds)) < len(kinds):
            raise _no_names(kinds)
        return kinds
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) != len(values):
        raise _no_names(names)
    return list(names)


def _no_names(found: object) -> UsageError:
    return UsageError(
        "RS002",
        "every average needs a name of its own.",
        f"found: {found!r:.80}",
        "names=['baseline', 'candidate']",
        "or  rs.plot.averages({'baseline': average_a, 'candidate': average_b})",
    )


def _require_one_unit(averages: Mapping[str, Average]) -> None:
    units = list(dict.fromkeys(own.unit for own in averages.values()))
    if len(units) > 1:
        raise UsageError(
            "RS002",
            "averages over different groups are not drawn into one plot: they answer different questions.",
            f"found: averages over {listed([printable(unit) for unit in units])}",
            "side by side:  rs.plot.averages(of_hosts, ax=left); rs.plot.averages(of_folds, ax=right)",
        )


def _require_one_plane(averages: Mapping[str, Average]) -> None:
    """A smROC average has shares of credit where others have rates."""
    if len({tuple(own._axes.values()) for own in averages.values()}) > 1:
        raise UsageError(
            "RS002",
            "smROC averages and ROC averages have different axes.",
            f"found: {listed([f'{printable(name)}: {own!r:.60}' for name, own in averages.items()], most=2)}",
            "side by side:  rs.plot.averages(smroc, ax=left); rs.plot.averages(roc, ax=right)",
        )


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
        kinds = [f"{printable(name)}: {own.method.label}" for name, own in averages.items()]
        raise UsageError(
            "RS002",
            "averages of different kinds are not compared: one might seem better for how it was averaged.",
            f"found: {listed(kinds)}",
            "the same for all:  rs.average(score_set.model(name), 'vertical')",
            "if the kinds are what is compared, name them:  {'vertical': average_a, 'threshold': average_b}",
        )


def places_of(at: object, names: Sequence[str]) -> dict[str, Any]:
    """What to mark, for each average: the same for all, or a mapping from their names."""
    if isinstance(at, Mapping) and not _is_place(at):
        unknown = [name for name in at if name not in names]
        if unknown:
            raise UsageError(
                "RS002",
                "points are given for all averages, or by their names.",
                f"found: {listed([printable(str(name)) for name in unknown])}",
                "for all:  at=[{'fpr': 0.05}]",
                f"by name:  at={{{names[0]!r}: {{'threshold': 0.5}}}}",
            )
        return {name: at.get(name, ()) for name in names}
    several = [at] if isinstance(at, AveragePoint) else at
    if len(names) > 1 and isinstance(several, Sequence):
        own = [point for point in several if isinstance(point, AveragePoint)]
        if own:
            raise UsageError(
                "RS002",
                "a point belongs to one average.",
                f"found: {own[0]!r}",
                f"at={{{names[0]!r}: point}}",
                "the same place on all:  at=[{'fpr': 0.05}]",
            )
    return dict.fromkeys(names, at)


def _is_place(at: Mapping[Any, Any]) -> bool:
    """Whether it is one place, such as ``{"fpr": 0.05}``, and no mapping from names."""
    return all(rate_of(str(key), 0.5)[0] in PLACES for key in at) and not any(
        isinstance(value, Mapping | AveragePoint) for value in at.values()
    )
