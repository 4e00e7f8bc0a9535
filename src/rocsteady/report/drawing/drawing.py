"""A report's drawing: what every section 2 of the page shows and moves."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import GroupPoints
from rocsteady.errors import RocsteadyWarning
from rocsteady.report.drawing.scores import Densities, ScoreAxis, axis_of, densities_of, strips_of
from rocsteady.report.drawing.thinning import Line, thinned, thinned_to
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.modes.modes import read

Floats = NDArray[np.float64]
Shorts = NDArray[np.uint16]
Edges = tuple[Line, Line]

MOST_FAINT = 300
"""Single curves that are drawn."""
_LINE, _FAINT, _BAND = 0.0005, 0.001, 0.001
_ROOM_OF_FAINT = 60_000


@dataclass(frozen=True, eq=False)
class ModelDrawing:
    """What is drawn of one model under every average.

    Attributes
    ----------
    faint : tuple of (fpr, tpr)
        Curves of single groups.
    densities : Densities
    strips : float64 array (n_shown, 6)
        5, 25, 50, 75 and 95 % of each shown group's negatives and the median of its positives; NaN where it
        lacks a class.
    score_axis : ScoreAxis
    """

    faint: tuple[Line, ...]
    densities: Densities
    strips: Floats
    score_axis: ScoreAxis


@dataclass(frozen=True, eq=False)
class ModeDrawing:
    """What is drawn of one model under one average.

    Attributes
    ----------
    line : (fpr, tpr)
        The average.
    pointwise, simultaneous : ((fpr, tpr), (fpr, tpr)) or None
        Lower and upper edge of its bands.
    own_fpr, own_tpr, own_threshold : uint16 arrays (n_shown, K)
        The shown groups at every position of the slider: rates from 0 to 1, thresholds over the score axis.
    """

    line: Line
    pointwise: Edges | None
    simultaneous: Edges | None
    own_fpr: Shorts
    own_tpr: Shorts
    own_threshold: Shorts


@dataclass(frozen=True, eq=False)
class Drawing:
    """What the page draws.

    Attributes
    ----------
    shown : intp array
        Which groups have a dot and a strip, of ``score_set.groups``.
    names : tuple of str
        Theirs.
    n_groups : int
        Of all groups.
    n_faint : int
        How many single curves are drawn of each model.
    models : tuple of ModelDrawing
    lines : dict
        A :class:`ModeDrawing` by key of the mode and number of the model.
    """

    shown: NDArray[np.intp]
    names: tuple[str, ...]
    n_groups: int
    n_faint: int
    models: tuple[ModelDrawing, ...]
    lines: dict[tuple[str, int], ModeDrawing]


def draw(material: Material) -> Drawing:
    """Everything that the page draws."""
    material.settings.say("drawing")
    names = tuple(material.score_set.groups[i] for i in material.shown)
    with warnings.catch_warnings():
        # What bands have to say stands in their caption.
        warnings.simplefilter("ignore", RocsteadyWarning)
        models = tuple(_model(material, name, names) for name in material.names)
        lines = {
            (key, i): _mode(material, key, name, names, models[i].score_axis)
            for key in material.keys
            for i, name in enumerate(material.names)
        }
    return Drawing(
        shown=material.shown,
        names=names,
        n_groups=len(material.score_set.groups),
        n_faint=max(len(own.faint) for own in models),
        models=models,
        lines=lines,
    )


def _model(material: Material, name: str, names: tuple[str, ...]) -> ModelDrawing:
    own = material.of_model(name)
    densities = densities_of(own)
    room = _ROOM_OF_FAINT // len(material.names)
    faint = () if material.is_alone else tuple(thinned_to(_faint(material, name), _FAINT, most=room))
    return ModelDrawing(faint, densities, strips_of(own, names), axis_of(densities))


def _faint(material: Material, name: str) -> list[Line]:
    curves = material.curves(name)
    chosen = np.arange(len(curves))
    if chosen.size > MOST_FAINT:
        chosen = np.random.default_rng(material.settings.seed).choice(chosen, MOST_FAINT, replace=False)
    return [(curves[int(i)].fpr, curves[int(i)].tpr) for i in np.sort(chosen)]


def _mode(material: Material, key: str, name: str, names: tuple[str, ...], axis: ScoreAxis) -> ModeDrawing:
    average = material.average(key, name)
    (line,) = thinned([(average.fpr, average.tpr)], _LINE)
    found = read(material, key, name)
    pointwise, simultaneous = (None if band is None else _edges(band) for band in found.bands)
    own = _of_shown(found.own, material.curves(name).names, names)
    return ModeDrawing(
        line=line,
        pointwise=pointwise,
        simultaneous=simultaneous,
        own_fpr=_short(own.fpr),
        own_tpr=_short(own.tpr),
        own_threshold=axis.quantised(own.thresholds),
    )


def _of_shown(own: GroupPoints, groups: tuple[str, ...], names: tuple[str, ...]) -> GroupPoints:
    """The rows of the shown groups; one that the model lacks stands in the corner, and its strip is empty."""
    place = {group: i for i, group in enumerate(groups)}
    index = np.array([place.get(name, -1) for name in names], dtype=np.intp)
    return GroupPoints(
        *(np.where(index[:, None] < 0, 0.0, rate[index]) for rate in (own.fpr, own.tpr, own.thresholds))
    )


def _short(rates: Floats) -> Shorts:
    return np.round(65535 * np.clip(rates, 0.0, 1.0)).astype(np.uint16)


def _edges(band: Any) -> Edges | None:
    """Both edges where they are known, thinned; None where they are nowhere."""
    sides = []
    for edge in (band.lower, band.upper):
        fpr, tpr = np.clip(edge.fpr, 0.0, 1.0), np.clip(edge.tpr, 0.0, 1.0)
        known = ~(np.isnan(fpr) | np.isnan(tpr))
        if known.sum() < 2:
            return None
        sides.append((fpr[known], tpr[known]))
    lower, upper = thinned(sides, _BAND)
    return lower, upper
