"""Figures of averages: in ROC space, and as error rates on normal-deviate axes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady.cli.averages import BandKind, Made, Settings, make, sentences_about
from rocsteady.cli.plot.options import BandChoice
from rocsteady.cli.plot.panels import Drawn, figure_of, of_models, scores_of, together
from rocsteady.cli.points import costs_as_place, places_of
from rocsteady.words import counted, listed, percent, printable

if TYPE_CHECKING:
    from rocsteady.averaging.base import AveragePoint
    from rocsteady.cli.plot.asked import Asked
    from rocsteady.scores import ScoreSet


def settings_of(asked: Asked) -> Settings:
    """How averages are made; bands are the figure's matter."""
    return Settings(BandKind.NONE, asked.confidence_level, None, asked.group_weights, asked.seed)


def draw_average(score_set: ScoreSet, asked: Asked) -> Drawn:
    """The average of every model, with its members, bands and points."""
    from rocsteady.plots.average import average
    from rocsteady.plots.averages import averages

    made = _made(score_set, asked)
    band = asked.band or BandChoice.BOTH
    options: Any = {
        "curves": asked.has_curves,
        "band": None if band is BandChoice.NONE else band.value,
        "confidence_level": asked.confidence_level,
        "seed": asked.seed,
        **asked.look,
        **asked.roc,
    }
    points = {own.model: [_point(reading.found) for reading in own.readings] for own in made}
    if len(made) == 1:
        axes: Any = average(made[0].average, at=points[made[0].model], **options)
    else:
        axes = averages({own.model: own.average for own in made}, at=points, **options)
    read = [{"model": own.model, **reading.to_dict()} for own in made for reading in own.readings]
    told = [_what(made, asked, bands=True), *sentences_about(made, asked.deployment)]
    return Drawn(figure_of(axes), told, read)


def draw_det(score_set: ScoreSet, asked: Asked) -> Drawn:
    """Both error rates of every model's average, or of its curve where there is one group."""
    from rocsteady.plots.det import det

    if len(score_set.groups) == 1:
        from rocsteady.curves.curve_set import roc_curves

        curves: Any = {name: roc_curves(own)[0] for name, own in scores_of(score_set, asked).items()}
        told = [f"Drawn: the DET curve{'s' if len(curves) > 1 else ''}{of_models(list(curves))}."]
    else:
        made = _made(score_set, asked)
        curves = {own.model: own.average for own in made}
        told = [_what(made, asked, bands=False), *sentences_about(made, asked.deployment)]
    return Drawn(figure_of(det(together(curves), **asked.look, **asked.vocabulary)), told)


def _made(score_set: ScoreSet, asked: Asked) -> list[Made]:
    places = places_of(list(asked.at), asked.declared)
    if asked.deployment is not None:
        places += costs_as_place(asked.deployment, places)
    if asked.method is None:
        raise TypeError("neither a method nor a deployment")
    made = []
    for name, own in scores_of(score_set, asked).items():
        (one,) = make(own, asked.method, settings_of(asked), places)
        made.append(replace(one, model=name))
    return made


def _point(found: Any) -> AveragePoint:
    """What was read, as a point of the average that a figure marks."""
    from rocsteady.averaging.base import AveragePoint

    if isinstance(found, AveragePoint):
        return found
    level = found.fpr_interval.confidence_level
    return AveragePoint(
        found.fpr, found.tpr, None, found.fpr_interval, found.tpr_interval, level, found.reading
    )


def _kinds(band: BandChoice, n_groups: int) -> list[str]:
    """The bands that there are: none around one curve, and with few groups none over the whole curve."""
    from rocsteady.averaging.base import FEWEST_GROUPS

    if n_groups < 2 or band is BandChoice.NONE:
        return []
    if band is not BandChoice.BOTH:
        return [band.value]
    return ["pointwise", "simultaneous"][: 1 + (n_groups >= FEWEST_GROUPS)]


def _what(made: list[Made], asked: Asked, *, bands: bool) -> str:
    first = made[0].average
    several = "s" if len(made) > 1 else ""
    over = f" over {counted(first.n_groups, printable(first.unit))}"
    level = percent(asked.confidence_level).replace(".0 ", " ")
    kinds = _kinds(asked.band or BandChoice.BOTH, first.n_groups) if bands else []
    around = f", with {listed(kinds)} {level} bands" if kinds else ""
    whose = of_models([own.model for own in made])
    return f"Drawn: the {first.method.label} average{several}{whose}{over}{around}."
