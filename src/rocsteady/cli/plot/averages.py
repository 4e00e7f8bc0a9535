"""Figures of averages: in ROC space, and as error rates on normal-deviate axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rocsteady.cli.averages import BandKind, Made, Settings, make, sentences_about
from rocsteady.cli.plot.curves import curves_of, read_curves
from rocsteady.cli.plot.panels import Drawn, figure_of, of_models, scores_of, together
from rocsteady.cli.points import costs_as_place, places_of
from rocsteady.errors import UsageError
from rocsteady.words import counted, listed, percent, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocsteady.cli.plot.asked import Asked
    from rocsteady.places import Kind
    from rocsteady.scores import ScoreSet


def settings_of(asked: Asked) -> Settings:
    """How averages are made; bands are the figure's matter."""
    return Settings(BandKind.NONE, asked.confidence_level, None, asked.group_weights, asked.seed)


def draw_average(score_set: ScoreSet, asked: Asked) -> Drawn:
    """The average of every model, with its members, bands and points."""
    from rocsteady.plots.average import average
    from rocsteady.plots.averages import averages

    made = _made(score_set, asked)
    options: Any = {
        # What is not said is left to the figure: many models have neither members nor all bands.
        **({} if asked.has_curves else {"curves": False}),
        **({} if asked.band is None else {"band": asked.band.value}),
        "confidence_level": asked.confidence_level,
        "seed": asked.seed,
        **asked.look,
        **asked.roc,
    }
    points = {own.model: [reading.found for reading in own.readings] for own in made}
    if len(made) == 1:
        axes: Any = average(made[0].average, at=points[made[0].model], **options)
    else:
        axes = averages({own.model: own.average for own in made}, at=points, **options)
    read = [{"model": own.model, **reading.to_dict()} for own in made for reading in own.readings]
    figure = figure_of(axes)
    told = [_what(made, asked, _kinds(figure)), *sentences_about(made, asked.deployment)]
    return Drawn(figure, told, read)


def draw_det(score_set: ScoreSet, asked: Asked) -> Drawn:
    """Both error rates of every model's average, or of its curve where there is one group."""
    from rocsteady.plots.det import det

    is_single = len(score_set.groups) == 1
    on_curves: tuple[Kind, ...] = ("fpr", "tpr", "threshold", "eer")  # equal errors are marked anyway
    among = on_curves if is_single else (*on_curves, "alerts")
    try:
        marked = places_of(asked.at, asked.declared, among=among, task="mark on a DET curve")
    except UsageError as error:
        if error.code != "RS092":
            raise
        ways = ["--at fpr=0.1%", "what errors cost:  --figure cost"]
        raise error.but(remedies=ways) from None
    places = {place.said: place for place in marked if place.kind != "eer"}
    options: Any = {
        "at": list(places.values()),
        "confidence_level": asked.confidence_level,
        "seed": asked.seed,
        "zoom": asked.zoom,
        **asked.look,
        **asked.vocabulary,
    }
    if is_single:
        sets = curves_of(score_set, asked)
        curves: Any = {name: own[0] for name, own in sets.items()}
        told = [f"Drawn: the DET curve{'s' if len(curves) > 1 else ''}{of_models(list(curves))}."]
        said, read = read_curves(sets, places, asked.confidence_level)
        told += said
    else:
        made = _made(score_set, asked)
        curves = {own.model: own.average for own in made}
        told = [_what(made, asked), *sentences_about(made, asked.deployment)]
        read = [{"model": own.model, **reading.to_dict()} for own in made for reading in own.readings]
    return Drawn(figure_of(det(together(curves), **options)), told, read)


def _made(score_set: ScoreSet, asked: Asked) -> list[Made]:
    places, prevalence = places_of(asked.at, asked.declared), asked.declared.prevalence
    if asked.deployment is not None:
        places += costs_as_place(asked.deployment, places)
        prevalence = asked.deployment.prevalence
    if asked.method is None:
        raise TypeError("neither a method nor a deployment")
    made = []
    for name, own in scores_of(score_set, asked).items():
        (one,) = make(own, asked.method, settings_of(asked), places, prevalence)
        made.append(replace(one, model=name))
    return made


def _kinds(figure: Figure) -> list[str]:
    """The bands that were drawn: there is none around one curve, and with few groups not every one."""
    labels = {own.get_label() for axes in figure.axes for own in axes.collections}
    return [kind for kind in ("pointwise", "simultaneous", "prediction") if f"_{kind}" in labels]


def _what(made: list[Made], asked: Asked, kinds: Sequence[str] = ()) -> str:
    first = made[0].average
    several = "s" if len(made) > 1 else ""
    over = f" over {counted(first.n_groups, printable(first.unit))}"
    level = percent(asked.confidence_level).replace(".0 ", " ")
    around = f", with {listed(list(kinds))} {level} bands" if kinds else ""
    whose = of_models([own.model for own in made])
    return f"Drawn: the {first.method.label} average{several}{whose}{over}{around}."
