"""Every figure of a study, by its name: the values of the report, drawn for a paper or a slide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rocsteady.averaging.base import Average, AveragePoint
from rocsteady.averaging.directional import SmrocAverage
from rocsteady.averaging.methods import AtCosts, Method
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail
from rocsteady.figures.average import picture as average_picture
from rocsteady.figures.averages import picture as averages_picture
from rocsteady.figures.cost_curve import picture as cost_picture
from rocsteady.figures.cost_curve import probability_costs
from rocsteady.figures.cross_auc import colour_range
from rocsteady.figures.cross_auc import picture as cross_picture
from rocsteady.figures.cutoffs import picture as cutoffs_picture
from rocsteady.figures.densities import MOST_SPREADS
from rocsteady.figures.densities import picture as densities_picture
from rocsteady.figures.densities import stacked as stacked_densities
from rocsteady.figures.det import picture as det_picture
from rocsteady.figures.difference import picture as difference_picture
from rocsteady.figures.forest import auc_range
from rocsteady.figures.forest import picture as forest_picture
from rocsteady.figures.operating_points import picture as points_picture
from rocsteady.figures.precision_recall import picture as precision_picture
from rocsteady.figures.reader_curves import picture as reader_curves_picture
from rocsteady.figures.reader_values import picture as readers_picture
from rocsteady.figures.roc import area_interval, crowd_picture, of_few_steps
from rocsteady.figures.roc import picture as roc_picture
from rocsteady.figures.roc_space import (
    View,
    bands_of_average,
    bands_of_curves,
    is_crowd,
    missing_band_notes,
    points_of_curve,
)
from rocsteady.figures.smroc import means_picture
from rocsteady.figures.smroc import picture as smroc_picture
from rocsteady.figures.spec import Picture
from rocsteady.figures.style import LOOKS, Hue
from rocsteady.figures.winner_map import picture as winner_picture
from rocsteady.options import one_of
from rocsteady.places import ON_CURVES, RATES, Place
from rocsteady.study import Study
from rocsteady.text import Model, joined

_MOST_PANELS, _PER_ROW, _TOGETHER, _FEW = 12, 3, 4, 2
_MOST_GROUPS = 1000
"""Of a matrix of all pairs."""


@dataclass(frozen=True)
class Drawn:
    """How a figure of a study is drawn.

    Attributes
    ----------
    method : Method, optional
        The average, in place of that of the deployment.
    curves : bool
        Whether the curves of single groups are there.
    band : str, optional
        ``"both"``, ``"pointwise"``, ``"simultaneous"``, ``"prediction"`` or ``"none"``; by default the usual.
    zoom, xscale
        As in :func:`rocsteady.plot.average`.
    steps : bool
        Whether a single curve is drawn step by step.
    kind : {"mirrored", "overlaid", "smooth"}
        Of the densities of scores; over each other, those of few groups stand under each other.
    standalone : str, optional
        Of a reader study: a model that scored each case once.
    costs : pair, or pair of pairs, optional
        Of a false positive and a false negative, at the ``prevalence``; by default those of the deployment.
    """

    method: Method | None = None
    curves: bool = True
    band: str | None = None
    zoom: Any = None
    xscale: str = "linear"
    steps: bool = False
    kind: str = "mirrored"
    standalone: str | None = None
    costs: Any = None
    prevalence: float | None = None

    def view(self, negatives: Any, points: Sequence[Any] = ()) -> View:
        """What is in view; it follows the points unless said."""
        if self.zoom is None and self.xscale == "linear":
            return View.at(points, negatives)
        return View.of(self.zoom, self.xscale, negatives)


def picture(study: Study, figure: str = "average", drawn: Drawn | None = None, title: str = "") -> Picture:
    """A figure of all models of a study; RS001 for a name that there is not."""
    name = one_of("figure", figure, tuple(FIGURES), elsewhere=IN_PYTHON)
    return FIGURES[name](study, drawn or Drawn()).titled(title)


# Several pictures as one --------------------------------------------------------------------------------


def beside(pictures: Mapping[str, Picture]) -> Picture:
    """Pictures of models side by side, each under its name; RS042 for more than there is room for."""
    several = list(pictures.items())
    if len(several) == 1:
        return several[0][1]
    if len(several) > _MOST_PANELS:
        way = Option("models", list(pictures)[:2])
        raise fail(
            "RS042.room", most=_MOST_PANELS, what="panels", n=len(several), ways=[["some of them:  ", way]]
        )
    first = several[0][1]
    across = min(len(several), max(_PER_ROW // first.columns, 1))
    panels = [
        replace(
            panel,
            title=Model(name) if k == 0 and name else panel.title,
            key=panel.key or (own.key if k == 0 else None),
        )
        for name, own in several
        for k, panel in enumerate(own.panels)
    ]
    columns, width = across * first.columns, across * first.width
    return replace(first, panels=tuple(panels), title=None, key=None, columns=columns, width=width)


def _in_panels(study: Study, make: Callable[[str], Picture]) -> Picture:
    return beside({name: make(name) for name in study.models})


# Curves -------------------------------------------------------------------------------------------------


def _averages(study: Study, drawn: Drawn) -> Picture:
    """The average of each model, with its curves, bands and points; of one dataset its curve."""
    if study.is_alone:
        return _curves(study, drawn if drawn.band is not None else replace(drawn, band="both"))
    made = {name: study.average(name, drawn.method) for name in study.models}
    if len(made) > _MOST_PANELS:
        return beside({name: _one_average(study, name, own, drawn, "none") for name, own in made.items()})
    is_few = len(made) <= _FEW or len(made) > _TOGETHER
    usual = "both" if is_few else "pointwise"
    if len(made) == 1:
        ((name, own),) = made.items()
        return _one_average(study, name, own, drawn, drawn.band or usual)
    points = {name: list(_points(study, name, drawn)) for name in made}
    negatives = [_members(own).n_negatives.max() for own in made.values()]
    view = drawn.view(negatives, [own for several in points.values() for own in several])
    options: Any = {"confidence_level": study.confidence_level, "seed": study.seed}
    band = drawn.band or usual
    notes = [note for own in made.values() for note in missing_band_notes(own, band)]
    return averages_picture(
        made,
        points=points,
        bands={name: bands_of_average(own, band, view, **options) for name, own in made.items()},
        areas={name: study.average_area(name, drawn.method) for name in made},
        curves=drawn.curves and is_few,
        view=view,
        is_apart=len(made) > _TOGETHER,
        notes=notes[:1],
    )


def _one_average(study: Study, name: str, own: Average, drawn: Drawn, band: str) -> Picture:
    points = list(_points(study, name, drawn))
    view = drawn.view(_members(own).n_negatives, points)
    options: Any = {"confidence_level": study.confidence_level, "seed": study.seed}
    return average_picture(
        own,
        look=_hue(name),
        curves=drawn.curves,
        bands=bands_of_average(own, band, view, **options),
        points=points,
        view=view,
        area=study.average_area(name, drawn.method),
        notes=missing_band_notes(own, band),
    )


def _points(study: Study, name: str, drawn: Drawn) -> Iterator[Any]:
    """What is marked on an average."""
    for place in study.places:
        found = study.point(name, place, drawn.method)
        if isinstance(found, AveragePoint):
            yield found
        else:
            yield from points_of_curve(None, found, study.confidence_level)


def _curves(study: Study, drawn: Drawn) -> Picture:
    """The ROC curve of every group; of one dataset those of all models together."""
    places = [own for own in study.places if own.kind in ON_CURVES]
    _require_places(study, ON_CURVES)
    if drawn.band is not None:
        one_of("band", drawn.band, ("both", "pointwise", "simultaneous", "none"))

    def make(curves: Mapping[str, RocCurve]) -> Picture:
        if drawn.steps:
            curves = of_few_steps(curves)
        several = list(curves.values())
        level, band = study.confidence_level, drawn.band
        points = [points_of_curve(own, places, level) for own in several]
        view = drawn.view([own.n_negatives for own in several], [own for each in points for own in each])
        options: Any = {"confidence_level": level, "seed": study.seed}
        return roc_picture(
            curves,
            bands=bands_of_curves(several, band, view, **options),
            points=points,
            areas=[area_interval(own, level) for own in several],
            view=view,
            steps=drawn.steps,
        )

    if study.is_alone:
        return make(_together(study))

    def one(name: str) -> Picture:
        own = study.curves(name)
        if is_crowd(own) and not drawn.steps:
            return crowd_picture(own, view=drawn.view(own.n_negatives), model=name)
        return make(_named(study, name))

    return _in_panels(study, one)


def _det(study: Study, drawn: Drawn) -> Picture:
    """Both error rates of each model's average, or of its curve where there is one dataset."""
    places = [own for own in study.places if own.kind != "eer"]  # which is marked anyway
    if study.is_alone:
        _require_places(study, (*ON_CURVES, "eer"))
        curves: Any = _together(study)
        points: Any = [points_of_curve(own, places, study.confidence_level) for own in curves.values()]
    else:
        curves = {name: study.average(name, drawn.method) for name in study.models}
        points = [[study.point(name, own, drawn.method) for own in places] for name in curves]
    return det_picture(curves, points=points, members=drawn.curves, zoom=drawn.zoom)


def _precision_recall(study: Study, drawn: Drawn) -> Picture:
    """Precision over recall, of every group."""
    return _of_curves(study, lambda curves, name: precision_picture(curves, model=name))


def _costs(study: Study, drawn: Drawn) -> Picture:
    """What the best threshold costs, of every group; where the declared costs lie."""
    use = study.deployment
    costs = drawn.costs or (None if use is None else use.costs)
    prevalence = drawn.prevalence or (None if use is None else use.prevalence)
    if (costs is None) != (prevalence is None):
        lacking, example = ("prevalence", "0.03") if prevalence is None else ("costs", "1:20")
        raise fail("RS091.needed", what="a mark on a cost curve", option=lacking, example=example)
    pairs: Any = () if costs is None else costs if isinstance(costs[0], tuple) else (costs,)
    marked = [probability_costs(AtCosts(a, b, prevalence or 0.0)) for a, b in pairs]
    between = (min(marked), max(marked)) if len(marked) == 2 else None
    at = [] if between else marked
    return _of_curves(study, lambda curves, name: cost_picture(curves, at=at, between=between, model=name))


def _of_curves(study: Study, make: Callable[[Any, str], Picture]) -> Picture:
    """Curves of one dataset together, else a panel for each model."""
    if study.is_alone:
        return make(_together(study), "")

    def one(name: str) -> Picture:
        own = study.curves(name)
        return make(own if is_crowd(own) else _named(study, name), name)

    return _in_panels(study, one)


def _together(study: Study) -> dict[str, RocCurve]:
    return {name: study.curves(name)[0] for name in study.models}


def _named(study: Study, name: str) -> dict[str, RocCurve]:
    own = study.curves(name)
    names = [own.groups[i] for i in own.group_index.tolist()]  # groups of one class have no curve
    return dict(zip(names, own, strict=True))


def _hue(name: str) -> Hue:
    return Model(name) if name else LOOKS[0]


def _members(own: Average) -> Any:
    return own._groups


# Scores and groups --------------------------------------------------------------------------------------


def _densities(study: Study, drawn: Drawn) -> Picture:
    """The scores of both classes, thresholds through them, and the curve with the same points."""
    if not study.is_shared:  # then no threshold is that of a place
        _require_places(study, ("threshold",))

    kind = drawn.kind
    if kind != "mirrored" and len(study.models) == 1 and 1 < len(study.scores.groups) < MOST_SPREADS:
        (name,) = study.models
        thresholds = [study.cutoff(name, own) for own in study.places]
        spreads = {own: study.densities(name, own) for own in _named(study, name)}
        spreads |= {f"all {study.words.lookup('units')}": study.densities(name)}
        return stacked_densities(spreads, thresholds=thresholds, curve=False, model=name, kind=kind)

    def make(name: str) -> Picture:
        thresholds = [study.cutoff(name, own) for own in study.places]
        return densities_picture(study.densities(name), thresholds=thresholds, model=name, kind=kind)

    return _in_panels(study, make)


def _forest(study: Study, drawn: Drawn) -> Picture:
    """The AUC of every group with its interval, and the mean; one scale for all models."""
    _require_groups(study)
    ends = [auc_range(study.auc(name)) for name in study.models]
    limits = _common(ends)
    return _in_panels(study, lambda name: forest_picture(study.auc(name), model=name, limits=limits))


def _cross_auc(study: Study, drawn: Drawn) -> Picture:
    """Positives of each group against negatives of each group; one scale for all models."""
    _require_groups(study)
    n = len(study.scores.groups)
    if n > _MOST_GROUPS:
        way = "what it would say, in numbers:  rocsteady advise --deploy shared --json"
        raise fail("RS042.room", most=_MOST_GROUPS, what=study.words.lookup("units"), n=n, ways=[way])
    limits = _common([colour_range(study.cross_auc(name)) for name in study.models])

    def make(name: str) -> Picture:
        found, names = study.comparability(name), study.of(name).groups
        return cross_picture(
            study.cross_auc(name), names=names, unit=study.unit, comparability=found, limits=limits
        )

    return _in_panels(study, make)


def _common(ends: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """What all panels show, so that they can be compared; None for the range of the only one."""
    low, high = min(own[0] for own in ends), max(own[1] for own in ends)
    return (low, high) if len(ends) > 1 and low < high else None


# Thresholds ---------------------------------------------------------------------------------------------


def _cutoffs(study: Study, drawn: Drawn) -> Picture:
    """The chosen thresholds on the curve, with the intervals they have if chosen again."""
    given = next((own for own in study.places if own.kind == "threshold"), None)
    if given is not None:
        raise fail("RS092.given-cutoff", text=given.said or f"t={given.value}")
    places = study.places or tuple(Place(own) for own in ("youden", "closest", "eer"))

    def make(name: str) -> Picture:
        chosen: Any = [study.cutoff(name, place) for place in places]
        again: Any = [study.cutoff_intervals(name, place) for place in places]
        level = study.confidence_level
        return cutoffs_picture(
            study.shared_curve(name), chosen, intervals=again, confidence_level=level, model=name
        )

    return _in_panels(study, make)


def _points_of(study: Study, drawn: Drawn) -> Picture:
    """Operating points with their spread over groups; which are not statistically different from one."""
    _require_groups(study, "the curve by itself:  --figure cutoffs")
    if len(study.places) > 1:
        given = [own.said or own.kind for own in study.places]
        raise fail("RS042.one-point", given=", ".join(given), first=given[0])

    def make(name: str) -> Picture:
        level: Any = {"bars": "interval", "confidence_level": study.confidence_level, "model": name}
        near = study.neighbours(name) if study.places else None
        if near is None:
            return points_picture(study.operating_points(name), **level)
        free = near.by_fpr if study.places[0].kind == "tpr" else near.by_tpr  # what is not held
        return points_picture(near.table, comparison=free, **level)

    return _in_panels(study, make)


# Models against each other ------------------------------------------------------------------------------


def _difference(study: Study, drawn: Drawn) -> Picture:
    """By how much the first of two models is better, along the curve; a panel for each pair."""
    _require_models(study)
    names = study.models
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    found = {f"{a} − {b}": study.compare(a, b, _declared(study, drawn)) for a, b in pairs}
    known = {name: own for name, own in found.items() if own.curve is not None}
    if not known:
        raise fail("RS064.along-the-curve")
    return beside({name: difference_picture(own) for name, own in known.items()})


def _winners(study: Study, drawn: Drawn) -> Picture:
    """Who is better where, and where that is undecided."""
    _require_models(study)
    _require_groups(study, "of one dataset:  --figure difference")
    how = _declared(study, drawn)
    two: Any = study.models if len(study.models) == 2 else (None, None)
    ranges: dict[str, Any] = {} if how is None else {"method": how}
    return winner_picture(study.winner_map(*two, **ranges))


def _declared(study: Study, drawn: Drawn) -> Method | str | None:
    """The average that was asked for; without a declared use the vertical one."""
    return drawn.method or (None if study.deployment is not None or study.is_alone else "vertical")


def _readers(study: Study, drawn: Drawn) -> Picture:
    """What every reader had with every modality, and the average curves of the readers."""
    found = None if drawn.standalone is not None else study.readers
    if found is None:  # where that is not possible, it says what is lacking
        return readers_picture(study.standalone(drawn.standalone))
    curves = [study.reader_curve(name) for name in study.models]
    known = [own for own in curves if own is not None]
    bands = [own.band(study.confidence_level) for own in known]
    left, right = readers_picture(found), reader_curves_picture(known, bands=bands)
    panels = tuple(
        replace(own.panels[0], key=own.panels[0].key or own.key, wide=own.width / right.width)
        for own in (left, right)
    )
    what = joined([left.description, right.description], "; ")
    width = left.width + right.width
    return replace(left, panels=panels, key=None, columns=2, width=width, description=what)


def _smroc(study: Study, drawn: Drawn) -> Picture:
    """The averaged smROC curve of each model whose scores are probabilities."""
    found = {name: study.smroc(name) for name in study.models}
    known = {name: own for name, own in found.items() if own is not None}
    if not known:
        raise fail("RS042.no-smroc")
    return smroc_of(study, known)


def smroc_of(study: Study, known: Mapping[str, SmrocAverage]) -> Picture:
    """Mean smROC curves with their bands; of one dataset the curves, beside the ordinary ones."""
    if all(own.n_groups == 1 for own in known.values()):
        return smroc_picture([replace(own.curves[0], name=name or None) for name, own in known.items()])
    level = study.confidence_level
    bands = {
        name: [own.band(kind="pointwise", confidence_level=level)]
        for name, own in known.items()
        if own.n_groups > 1
    }
    areas = {name: found.interval for name in known if (found := study.smroc_area(name)) is not None}
    return means_picture(known, bands=bands, areas=areas)


# What does not fit --------------------------------------------------------------------------------------


def _require_groups(study: Study, *remedies: str) -> None:
    """RS064 if fewer than two groups have both classes, for figures of how groups differ."""
    if study.is_alone:
        raise fail("RS064.groups-differ", unit=study.unit, n=1, ways=remedies)


def _require_models(study: Study) -> None:
    if len(study.models) < 2:
        raise fail("RS060.one-model", model=study.models[0] or None, n=study.scores.columns.n_rows)


def _require_places(study: Study, among: Sequence[str]) -> None:
    """RS092 for a place that is not marked on these."""
    for place in study.places:
        if place.kind not in among:
            example = "--at t=0.5" if "fpr" not in among else "--at fpr=0.05"
            known = [f"{own}=" for own in among if own in (*RATES, "threshold")]
            raise fail("RS092.cutoff", text=place.said or place.kind, known=known, ways=[example])


FIGURES: dict[str, Callable[[Study, Drawn], Picture]] = {
    "average": _averages,
    "curves": _curves,
    "forest": _forest,
    "densities": _densities,
    "det": _det,
    "cost": _costs,
    "precision-recall": _precision_recall,
    "difference": _difference,
    "winners": _winners,
    "cross-auc": _cross_auc,
    "points": _points_of,
    "cutoffs": _cutoffs,
    "readers": _readers,
    "smroc": _smroc,
}
IN_PYTHON = {
    "roc": "curves",
    "averages": "average",
    "cost_curve": "cost",
    "precision_recall": "precision-recall",
    "winner_map": "winners",
    "cross_auc": "cross-auc",
    "operating_points": "points",
    "reader_values": "readers",
    "reader_curves": "readers",
}
"""Names of ``rs.plot`` that are others here."""

__all__ = ["FIGURES", "IN_PYTHON", "Drawn", "beside", "picture"]
