"""Figures of single curves and of single groups: no average, so nothing needs to be declared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rocsteady.cli.deployment import costs_of
from rocsteady.cli.plot.panels import (
    Drawn,
    about,
    figure_of,
    of_models,
    panels,
    require_groups,
    scores_of,
    together,
)
from rocsteady.cli.points import places_of
from rocsteady.errors import fail
from rocsteady.words import counted, grouped, number_of, percent, plural, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocsteady.cli.plot.asked import Asked
    from rocsteady.curves.curve_set import CurveSet
    from rocsteady.places import Place
    from rocsteady.scores import ScoreSet
    from rocsteady.statistics.limits import Interval

_MOST_SAID = 12
"""Points of curves that are told one by one."""
_MOST_GROUPS = 1000
"""Of a matrix of all pairs."""


def draw_curves(score_set: ScoreSet, asked: Asked) -> Drawn:
    """The ROC curve of every group."""
    from rocsteady.plots.roc import roc

    marked = places_of(
        asked.at, asked.declared, among=("fpr", "tpr", "threshold"), task="mark on single curves"
    )
    places = {place.said: place for place in marked}
    options: Any = {
        "band": None if asked.band is None else asked.band.value,
        "at": list(places.values()),
        "confidence_level": asked.confidence_level,
        "seed": asked.seed,
        **asked.roc,
    }
    sets = curves_of(score_set, asked)
    drawn = _of_curves(sets, score_set.unit, asked, partial(roc, **options), "ROC curve")
    said, points = read_curves(sets, places, asked.confidence_level)
    if len(said) > _MOST_SAID:
        said = [*said[:_MOST_SAID], f"All {grouped(len(said))} of these points:  --json"]
    return replace(drawn, sentences=drawn.sentences + said, points=points)


def read_curves(
    sets: dict[str, CurveSet], places: dict[str, Place], level: float
) -> tuple[list[str], list[dict[str, Any]]]:
    """What every curve has at the points that are marked on it, as sentences and as plain data."""
    from rocsteady.plots.given.of_curve import points_of_curve
    from rocsteady.results import plain_fields

    said, data = [], []
    for model, curves in sets.items():
        for group, curve in zip(curves.names, curves, strict=True):
            whose = ", ".join(name for name in (model, group if len(curves) > 1 else "") if name)
            for text, place in places.items():
                (point,) = points_of_curve(curve, place, level)
                rates = (("FPR", point.fpr, point.fpr_interval), ("TPR", point.tpr, point.tpr_interval))
                said.append(about(whose, f"at {text}, {' and '.join(_rate(*rate) for rate in rates)}."))
                data.append({"model": model, "group": group, "at": text, **plain_fields(point)})
    return said, data


def _rate(name: str, rate: float, interval: Interval | None) -> str:
    if interval is None:
        return f"{name} {percent(rate)}"
    level = percent(interval.confidence_level).replace(".0 ", " ")
    low, high = percent(float(interval.low)), percent(float(interval.high))
    return f"{name} {percent(rate)} ({level} CI {low} to {high})"


def draw_precision_recall(score_set: ScoreSet, asked: Asked) -> Drawn:
    """Precision against recall, of every group."""
    from rocsteady.plots.precision_recall import precision_recall

    draw = partial(precision_recall, **asked.vocabulary)
    return _of_curves(curves_of(score_set, asked), score_set.unit, asked, draw, "precision-recall curve")


def draw_cost(score_set: ScoreSet, asked: Asked) -> Drawn:
    """What the best threshold costs, of every group; where the declared costs lie."""
    from rocsteady.plots.cost_curve import cost_curve

    draw = partial(cost_curve, **_where(asked))
    return _of_curves(curves_of(score_set, asked), score_set.unit, asked, draw, "cost curve")


def _where(asked: Asked) -> dict[str, Any]:
    """The declared costs on the axis of a cost curve: a place, or a range of them."""
    costs: Any = costs_of(asked.declared.costs)
    prevalence = asked.declared.prevalence
    if costs is None and prevalence is None:
        return {}
    if costs is None or prevalence is None:
        option, example = ("costs", "1:20") if costs is None else ("prevalence", "0.03")
        raise fail("RS091.needed", what="a place on the axis", option=option, example=example)
    pairs: Any = costs if isinstance(costs[0], tuple) else (costs,)
    places = sorted(_probability_cost(alarm, miss, prevalence) for alarm, miss in pairs)
    return {"at": places} if len(places) == 1 else {"between": tuple(places)}


def _probability_cost(false_positive: float, false_negative: float, prevalence: float) -> float:
    from rocsteady.averaging.methods import AtCosts

    of_misses, of_alarms = AtCosts(false_positive, false_negative, prevalence).expected
    return of_misses / (of_misses + of_alarms)


def curves_of(score_set: ScoreSet, asked: Asked) -> dict[str, CurveSet]:
    """The curves of every model, by its name."""
    from rocsteady.curves.curve_set import roc_curves

    return {name: roc_curves(own, undefined="drop") for name, own in scores_of(score_set, asked).items()}


def _of_curves(
    sets: dict[str, CurveSet], unit: str, asked: Asked, draw: Callable[..., Any], what: str
) -> Drawn:
    """One curve of each model together, or the curves of all groups in a panel for each model."""
    n = sum(map(len, sets.values()))
    figure: Figure
    if n == len(sets):
        single = {name: own[0] for name, own in sets.items()}
        figure = figure_of(draw(together(single), **asked.look))
        each = ""
    else:
        figure = panels(sets, draw, asked)
        each = f", one for each {printable(unit)}"
    curves = f"the {what}" if n == 1 else f"{grouped(n)} {what}s"
    return Drawn(figure, [f"Drawn: {curves}{of_models(list(sets))}{each}."])


def draw_forest(score_set: ScoreSet, asked: Asked) -> Drawn:
    """The AUC of every group with its interval, and the summary of all by random effects."""
    from rocsteady.inference.summarize import summarize_auc
    from rocsteady.plots.forest import auc_range, forest

    require_groups(score_set, "the curve by itself:  --figure curves")
    if score_set.columns.weights is not None:
        raise fail("RS038.figure")
    found = {
        name: summarize_auc(own, "random-effects", confidence_level=asked.confidence_level, undefined="drop")
        for name, own in scores_of(score_set, asked).items()
    }
    first = next(iter(found.values()))
    groups = counted(len(first.per_group.names), printable(score_set.unit))
    told = [f"Drawn: the AUCs of {groups}{of_models(list(found))}, with the summary by random effects."]
    told += [about(name, own.reading) for name, own in found.items()]
    return Drawn(panels(found, partial(forest, limits=_common(map(auc_range, found.values()))), asked), told)


def _common(ranges: Iterable[tuple[float, float]]) -> tuple[float, float] | None:
    """What all panels show, so that they can be compared; None for the range of the only one."""
    lows, highs = zip(*ranges, strict=True)
    low, high = min(lows), max(highs)
    return (low, high) if len(lows) > 1 and low < high else None


def draw_densities(score_set: ScoreSet, asked: Asked) -> Drawn:
    """The scores of both classes, a threshold through them, and the curve with the same point."""
    from rocsteady.curves.densities import score_densities
    from rocsteady.plots.densities import densities

    thresholds = [_threshold(text) for text in asked.at]
    found = {name: score_densities(own) for name, own in scores_of(score_set, asked).items()}
    draw = partial(densities, thresholds=thresholds, **asked.vocabulary)
    curves = "ROC curve" if len(found) == 1 else "ROC curves"
    told = [f"Drawn: the scores of both classes{of_models(list(found))}, and their {curves}."]
    return Drawn(panels(found, draw, asked, wide=2), told)


def _threshold(text: str) -> float:
    name, equals, value = (part.strip() for part in text.partition("="))
    number = number_of(value if equals else name, may_be_percent=False)
    if (equals and name not in ("t", "threshold")) or math.isnan(number):
        raise fail("RS092.cutoff", text=text, known=["t="], ways=["--at t=0.5"])
    return number


def draw_cross_auc(score_set: ScoreSet, asked: Asked) -> Drawn:
    """Positives of each group against negatives of each group."""
    from rocsteady.inference.comparability import comparability, cross_auc
    from rocsteady.plots.cross_auc import colour_range
    from rocsteady.plots.cross_auc import cross_auc as heat_map

    require_groups(score_set)
    _require_room(score_set)
    is_weighted = score_set.columns.weights is not None  # then there is no test, only the matrix
    options: Any = {"confidence_level": asked.confidence_level, "seed": asked.seed}
    found = {
        name: (own, cross_auc(own), None if is_weighted else comparability(own, **options))
        for name, own in scores_of(score_set, asked).items()
    }

    limits = _common(colour_range(matrix) for _, matrix, _ in found.values())

    def draw(given: Any, **look: Any) -> Any:
        own, matrix, comparable = given
        named: Any = {"names": own.groups, "unit": own.unit, "comparability": comparable}
        return heat_map(matrix, limits=limits, **named, **look)

    unit = printable(score_set.unit)
    told = [
        f"Drawn: the AUC of the positives of every {unit} against the negatives of every {unit}"
        f"{of_models(list(found))}."
    ]
    told += [about(name, own.reading) for name, (_, _, own) in found.items() if own is not None]
    return Drawn(panels(found, draw, asked), told)


def _require_room(score_set: ScoreSet) -> None:
    """RS042 for so many groups that their pairs are too many to see, and to count."""
    n = len(score_set.groups)
    if n > _MOST_GROUPS:
        way = "what it would say, in numbers:  rocsteady advise --deploy shared --json"
        raise fail("RS042.room", most=_MOST_GROUPS, what=plural(score_set.unit), n=n, ways=[way])
