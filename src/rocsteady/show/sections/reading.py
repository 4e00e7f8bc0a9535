"""Reading the curve: one figure that follows a slider.

Every number, mark and sentence is made here, from the core's own readings at all positions of the slider; the
script of the page only looks them up. Without script, and on paper, the first position is shown.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import AtCosts
from rocsteady.averaging.radial_tangent import RadialAverage, TangentAverage
from rocsteady.averaging.shared_threshold import SharedThresholdAverage
from rocsteady.curves.roc import RocCurve, cases_at
from rocsteady.errors import RocsteadyWarning
from rocsteady.figures.spec import evenly
from rocsteady.figures.style import LOOKS
from rocsteady.show.document import Block, Own, Table
from rocsteady.show.sections import reading_geometry as geometry
from rocsteady.show.sections.uses import Use, opened, uses
from rocsteady.show.sentences import reading as sentences
from rocsteady.show.sentences import uses as of_uses
from rocsteady.study import Study
from rocsteady.text import (
    AREA,
    FPR,
    TPR,
    At,
    Cut,
    Item,
    Limits,
    Model,
    Name,
    Quote,
    Range,
    Rate,
    Text,
    Words,
    phrase,
)

MOST_BUTTONS = 4
"""Models that are chosen by buttons; of more, one is chosen from a list."""
MOST_MARKS, FEWEST_SHOWN = 100, 24
"""Groups with a dot and a row, of all models together; of more, so many are shown, evenly chosen."""
_MOST_VERTICES = 24_000
"""Of all single curves together."""
_ROWS = 9
"""Of the table beside the figure."""
_RATES = (
    *(
        0,
        0.001,
        0.002,
        0.005,
        0.01,
        0.015,
        0.02,
        0.03,
        0.04,
        0.05,
        0.06,
        0.08,
        0.1,
        0.12,
        0.15,
        0.2,
        0.25,
        0.3,
    ),
    *(0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1),
)
_FINER = (
    *(
        0.003,
        0.007,
        0.025,
        0.035,
        0.07,
        0.09,
        0.11,
        0.13,
        0.14,
        0.16,
        0.17,
        0.18,
        0.19,
        0.22,
        0.24,
        0.26,
        0.28,
    ),
    *(0.32, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95),
)
"""Rates at which a use is read, and more of them for the declared one."""
_RATIOS = (1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100)
_N_THRESHOLDS = {True: 60, False: 36}
_LIMITS = ("fpr_low", "fpr_high", "tpr_low", "tpr_high")
_NUMBERS = ("fpr", "tpr", *_LIMITS, "threshold_low", "threshold_high")
_USUAL: dict[str, tuple[str, Any]] = {
    "vertical": ("fpr", 0.05), "horizontal": ("tpr", 0.9), "alerts": ("alerts", 0.05),
    "diagonal": ("balance", 0.0), "radial": ("ratio", (1.0, 1.0)), "cost": ("costs", (1.0, 1.0)),
}  # fmt: skip
_SLANTED = frozenset({"diagonal", "radial", "alerts"})
_FINE = 250
"""Positions of a band on a log axis."""


def make(study: Study) -> list[Block]:
    """The slider with its sentence and its figures; where no use was declared, all averages side by side."""
    study.say("reading the curve")
    with warnings.catch_warnings():
        # Near the corners of every curve groups are alike; what is said of the declared point stands with it.
        warnings.simplefilter("ignore", RocsteadyWarning)
        page = Page(study)
        return [Own("reading", page.data(), instead=page.instead(), script=page.script())]


# One model under one use -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Reading:
    """One model under one use at all positions of the slider.

    `numbers` are arrays over the positions, NaN where nothing is known; ``own_*`` have a row for each group.
    """

    use: Use
    model: str
    average: Average
    places: Sequence[At]
    start: int
    numbers: dict[str, Floats]
    own_fpr: Floats
    own_tpr: Floats
    own_threshold: Floats
    groups: tuple[str, ...]

    def rate(self, name: str, at: int) -> Rate:
        """A rate at a position, with its interval."""
        low, high = (float(self.numbers[f"{name}_{end}"][at]) for end in ("low", "high"))
        level = self.use.study.confidence_level
        limits = Limits(max(low, 0.0), min(high, 1.0), level) if low < high else None
        return Rate({"fpr": FPR, "tpr": TPR}[name], float(self.numbers[name][at]), limits)

    @property
    def is_shared(self) -> bool:
        """Whether one threshold is held."""
        return self.use.question == "shared"

    def sentence(self, at: int) -> Text:
        """What a position means."""
        is_alone = self.use.study.is_alone
        singles = None
        if self.is_shared and not is_alone:
            singles = Range(TPR, *_ends(self.own_tpr, at)), Range(FPR, *_ends(self.own_fpr, at))
        return sentences.means(
            self.use.key,
            self.places[at],
            self.rate("fpr", at),
            self.rate("tpr", at),
            singles=singles,
            thresholds=None if self.is_shared else self.thresholds(at),
            model=Model(self.model) if is_alone else None,
        )

    def thresholds(self, at: int) -> Range:
        """Those that groups have there."""
        return sentences.run(*(float(self.numbers[f"threshold_{end}"][at]) for end in ("low", "high")))

    def cells(self, at: int) -> tuple[Item, ...]:
        """A row of the table beside the figure."""
        found = self.thresholds(at)
        needed = () if self.is_shared else (Cut(found.low) if found.low == found.high else found,)
        return (phrase("{at}", at=self.places[at]), *needed, self.rate("fpr", at), self.rate("tpr", at))

    @cached_property
    def rows(self) -> list[int]:
        """Positions of that table, the first one shown among them."""
        last = len(self.places) - 1
        return sorted({*(round(last * k / (_ROWS - 1)) for k in range(_ROWS)), self.start})

    @property
    def area(self) -> float:
        """Under the average."""
        return float(self.average.auc)


def read(use: Use, model: str) -> Reading:
    """A model under a use, read at all positions at once."""
    study = use.study
    average = study.average(model, use.method)
    places, start = _places(use, model, average)
    at, own_at = _positions(use, places)
    own = average.group_points(own_at)
    known = ~(np.isnan(own.fpr[:, 0]) | np.isnan(own.tpr[:, 0]))  # of pooled groups some have one class
    own_fpr, own_tpr, thresholds = own.fpr[known], own.tpr[known], own.thresholds[known]
    numbers = {name: np.full(len(places), np.nan) for name in _NUMBERS}
    curves = study.curves(model)
    if len(curves) == 1:
        numbers |= _of_one_curve(use, curves[0], at, own_fpr[0], own_tpr[0])
    else:
        numbers |= _of_groups(use, average, places, at)
        numbers |= _of_readers(use, model, average, at)
    numbers |= {"threshold_low": thresholds.min(axis=0), "threshold_high": thresholds.max(axis=0)}
    groups = tuple(name for name, is_known in zip(average.members, known, strict=True) if is_known)
    return Reading(use, model, average, places, start, numbers, own_fpr, own_tpr, thresholds, groups)


def _of_groups(use: Use, average: Any, places: Sequence[At], at: Floats) -> dict[str, Floats]:
    """The average and its limits over groups."""
    asked: dict[str, Any] = {"confidence_level": use.study.confidence_level}
    if isinstance(average, RadialAverage):
        parts = np.array([own.value for own in places], dtype=float)
        point = average.at_error_ratio(parts[:, 0], parts[:, 1], **asked)
    elif isinstance(average, TangentAverage):
        points = [
            average.at_costs(
                false_positive=own.value[0],
                false_negative=own.value[1],
                prevalence=use.study.prevalence,
                **asked,
            )
            for own in places
        ]
        found = {name: np.array([float(getattr(own, name)) for own in points]) for name in ("fpr", "tpr")}
        for name in _LIMITS:
            rate, _, end = name.partition("_")
            found[name] = np.array([float(getattr(getattr(own, f"{rate}_interval"), end)) for own in points])
        return found
    else:
        held = {"vertical": "fpr", "horizontal": "tpr"}.get(use.key, "alerts")
        point = average.at(**{"threshold" if use.question == "shared" else held: at}, **asked)
    found = {"fpr": np.asarray(point.fpr), "tpr": np.asarray(point.tpr)}
    for rate in ("fpr", "tpr"):
        interval = getattr(point, f"{rate}_interval")
        if interval is not None:
            found |= {f"{rate}_low": np.asarray(interval.low), f"{rate}_high": np.asarray(interval.high)}
    return found


def _of_readers(use: Use, model: str, average: Average, at: Floats) -> dict[str, Floats]:
    """Limits for other readers and other cases, where a rate is held and all readers were analysed."""
    held = {"vertical": "fpr", "horizontal": "tpr"}.get(use.key)
    curve = use.study.reader_curve(model, held) if held else None
    if curve is None or set(curve.readers) != set(average.members):
        return {}
    interval = curve.at({str(held): at}, confidence_level=use.study.confidence_level).interval
    free = "tpr" if held == "fpr" else "fpr"
    return {f"{free}_low": np.asarray(interval.low), f"{free}_high": np.asarray(interval.high)}


def _of_one_curve(use: Use, curve: RocCurve, at: Floats, fpr: Floats, tpr: Floats) -> dict[str, Floats]:
    """A single curve and its limits over cases; along a slanted line none are known."""
    level, found = use.study.confidence_level, {"fpr": fpr, "tpr": tpr}
    if use.question == "shared":
        along = np.searchsorted(curve.fpr + curve.tpr, fpr + tpr - 1e-12)
        of_tpr, of_fpr, _ = cases_at(curve, np.minimum(along, curve.fpr.size - 1))
        for name, own, rates in (("fpr", of_fpr, fpr), ("tpr", of_tpr, tpr)):
            found[f"{name}_low"], found[f"{name}_high"] = own.limits(rates, level)
    elif use.key in ("vertical", "horizontal") and not curve.is_weighted:
        free = "tpr" if use.key == "vertical" else "fpr"
        interval = getattr(curve, f"{free}_interval")(at, confidence_level=level)
        found[f"{free}_low"], found[f"{free}_high"] = interval.low, interval.high
    return found


# Where the slider stops --------------------------------------------------------------------------------


def _places(use: Use, model: str, average: Average) -> tuple[list[At], int]:
    """Values that people would say, finer where rates are small, and exactly those that were asked for."""
    study = use.study
    if isinstance(average, SharedThresholdAverage):
        return _thresholds(use, model, average)
    kind, usual = _USUAL[use.key]
    own = [place.value for place in study.places if place.kind == kind and not place.is_count]
    if kind == "balance" and any(place.kind == "eer" for place in study.places):
        own.append(0.0)
    first = own[0] if own else _near(use, usual)
    grid = {"fpr": _rates, "tpr": _detections, "alerts": _rates, "balance": _balances}.get(kind, _pairs)(use)
    by = _quotient if kind in ("ratio", "costs") else float
    each = {by(value): value for value in [*grid, *own, first]}
    values = [each[key] for key in sorted(each)]
    return [At(kind, value) for value in values], values.index(each[by(first)])


def _near(use: Use, usual: Any) -> Any:
    """Where a use that was not declared is read first: at the declared place if it is of its kind."""
    if use.key == "vertical" and use.study.shown_place.kind == "fpr":
        return use.study.shown_place.value
    if use.key == "cost" and use.study.deployment is not None and use.study.deployment.typical_costs:
        return use.study.deployment.typical_costs
    return usual


def _rates(use: Use) -> list[float]:
    lowest = use.study.shown_place.value if use.study.shown_place.kind == "fpr" else 0.05
    rare = [own * 10.0**-k for k in (3, 4, 5, 6) for own in (1, 2, 5) if 0 < lowest < 0.02]
    return [round(own, 9) for own in (*_RATES, *(_FINER if use.is_declared else ()), *rare)]


def _detections(use: Use) -> list[float]:
    return [round(1 - own, 9) for own in _rates(use)]


def _balances(use: Use) -> list[float]:
    near = (0.01 * k for k in range(-15, 16) if use.is_declared or not k % 3)
    return [round(own, 2) for own in (*(0.1 * k for k in range(-9, 10)), *near)]


def _pairs(use: Use) -> list[tuple[float, float]]:
    return [*((1.0, float(own)) for own in _RATIOS), *((float(own), 1.0) for own in _RATIOS)]


def _quotient(pair: Any) -> float:
    return float(pair[0] / pair[1]) if pair[1] else float("inf")


def _positions(use: Use, places: Sequence[At]) -> tuple[Floats, Floats]:
    """What is held, as the average reads it, and as it reads its groups."""
    values = np.array([own.value for own in places], dtype=float)
    match use.key:
        case "diagonal":
            values = (values + 1) / 2
        case "radial":
            return values, values[:, 0] / values.sum(axis=1)
        case "cost":
            costs = [AtCosts(own[0], own[1], use.study.prevalence).expected for own in values.tolist()]
            return values, np.array([misses / (misses + alarms) for misses, alarms in costs])
    return values, values


def _thresholds(use: Use, model: str, average: SharedThresholdAverage) -> tuple[list[At], int]:
    """Thresholds that cover the curve evenly, finer at low rates, and those of the places asked for."""
    study, thresholds = use.study, average.thresholds
    low = [own for own in _rates(use) if own <= 0.1]
    vertices = np.concatenate(
        [
            np.searchsorted(average.fpr + average.tpr, np.linspace(0, 2, _N_THRESHOLDS[use.is_declared])),
            np.searchsorted(average.fpr, low, side="right") - 1,
        ]
    )
    vertices = np.unique(vertices.clip(1, thresholds.size - 1))  # the first is beyond every score
    beside = np.append(thresholds, np.nan)[vertices + 1].tolist()
    found = {
        Cut(own, None if np.isnan(below) else below).shortest
        for own, below in zip(thresholds[vertices].tolist(), beside, strict=True)
    }
    shared = [own for own in study.places if own.kind not in _NOT_SHARED] or [study.shown_place]
    asked = [_threshold_of(study, model, use, own) for own in shared if own.kind not in _NOT_SHARED]
    known = [own for own in asked if np.isfinite(own)]
    first = known[0] if known else float(thresholds[min(1, thresholds.size - 1)])
    values = sorted({*(own for own in found if np.isfinite(own)), *known, first})
    return [At("threshold", own) for own in values], values.index(first)


_NOT_SHARED = ("balance", "ratio")
"""Places that no threshold for all groups is chosen for."""


def _threshold_of(study: Study, model: str, use: Use, place: Any) -> float:
    """The one threshold of a place, as it is said."""
    if place.kind == "threshold":
        return float(place.value[model] if isinstance(place.value, dict) else place.value)
    found: Any = study.point(model, place, use.method)
    value = float(found.threshold)
    thresholds = study.average(model, use.method).thresholds  # type: ignore[attr-defined]
    (at,) = np.flatnonzero(thresholds == value)[:1] if (thresholds == value).any() else (thresholds.size,)
    beside = float(thresholds[at + 1]) if at + 1 < thresholds.size else None
    return Cut(value, beside).shortest


def _ends(own: Floats, at: int) -> tuple[float, float]:
    return float(own[:, at].min()), float(own[:, at].max())


# The part of the page -----------------------------------------------------------------------------------


class Page:
    """What stands in the page, and what its script looks up."""

    def __init__(self, study: Study) -> None:
        self.study, self.words = study, study.words
        self._made: dict[Any, Any] = {}
        self.uses = uses(study)
        self.first = opened(self.uses)
        self.readings = {(use.key, model): read(use, model) for use in self.uses for model in study.models}
        self.n_groups = len(study.curves(study.models[0]))
        names = {name: None for model in study.models for name in study.curves(model).names}
        self.shown = tuple(evenly(list(names), max(MOST_MARKS // len(study.models), FEWEST_SHOWN)))
        start = self.opened if self.first else self.readings[self.uses[0].key, study.models[0]]
        self.labels = tuple(Quote(name).spell(self.words) for name in self.shown)
        self.plane = geometry.Plane(1.0 if study.place is None else float(start.numbers["fpr"][start.start]))

    @property
    def opened(self) -> Reading:
        """What the page opens with."""
        return self.readings[(self.first or self.uses[0]).key, self.study.models[0]]

    def instead(self) -> tuple[Block, ...]:
        """For a terminal and a notebook: what the declared setting means."""
        if self.first is None:
            return (self._all_averages(),)
        return tuple(
            self.readings[self.first.key, model].sentence(self._start(model)) for model in self.study.models
        )

    def _start(self, model: str) -> int:
        assert self.first is not None
        return self.readings[self.first.key, model].start

    # What Python draws: the page as it opens, as it prints, and as it is without script

    def data(self) -> dict[str, Any]:
        """For the template."""
        study, own = self.study, self.opened
        is_read = self.first is not None
        is_declared = own.use.is_declared
        model = study.models[0]
        scores = self._scores(model)
        level, n_shown = study.confidence_level, min(self.n_groups, len(self.shown))
        about, n_thin = (n_shown, self.n_groups, study.unit), self._faint(model).count("M")
        return {
            "is_read": is_read,
            "live": sentences.ALL
            if not is_read
            else sentences.LIVE_ALONE
            if study.is_alone
            else sentences.LIVE,
            "held": self._held(own.use),
            "value": own.places[own.start],
            "last": len(own.places) - 1,
            "at": self._turned(own, own.start),
            "exploring": of_uses.exploring(own.use.answers if is_declared else None),
            "back": of_uses.back(is_declared=is_declared, is_alone=study.is_alone),
            "tick": sentences.tick(is_declared=study.place is not None),
            "way_back": sentences.way_back(is_declared=study.place is not None),
            "sentence": own.sentence(own.start),
            "random": sentences.random(level, is_alone=study.is_alone, is_reader_study=study.is_reader_study),
            "models": [Model(name) for name in study.models] if len(study.models) > 1 else [],
            "has_buttons": len(study.models) <= MOST_BUTTONS,
            "zoom": None if self.plane.zoom == 1 else sentences.zoom(self.plane.zoom),
            "plane": self.plane,
            "m": geometry,
            "axes": (phrase("{rate:axis} (%)", rate=Name(FPR)), phrase("{rate:axis} (%)", rate=Name(TPR))),
            "faint": self._faint(model),
            "lines": self._lines(own.use if is_read else None, model),
            "band": self._band(own) if is_read else "",
            "note": sentences.note(own.use.name if is_read else None, self.n_groups, study.unit),
            "dots": self._dots(own) if is_read else [],
            "point": self._marks(own, own.start),
            "scores": scores,
            "row": geometry.row_height(len(self.shown)),
            "groups": self.labels,
            "score_axis": sentences.score_axis(model, is_alone=study.is_alone),
            "outside": self._outside(model),
            "roc_caption": sentences.roc_caption(level, n_thin, *about)
            if is_read or study.is_alone
            else sentences.all_caption(n_thin, self.n_groups, study.unit),
            "strip_caption": sentences.strip_caption(*about),
            "about_table": sentences.ABOUT_TABLE,
            "table": self._table(own) if is_read else self._all_averages(),
            "is_tied": own.is_shared,
        }

    def _held(self, use: Use) -> Text:
        return sentences.held(is_shared=use.question == "shared", is_alone=self.study.is_alone)

    def _table(self, own: Reading) -> Table:
        """The numbers of one reading, at some settings."""
        needed = () if own.is_shared else (phrase("{Threshold}"),)
        rates = tuple(phrase("{rate}", rate=Name(rate)) for rate in (FPR, TPR))
        columns = (self._held(own.use), *needed, *rates)
        who = (
            phrase("{name}, {model}", name=own.use.name, model=Model(own.model))
            if own.model
            else own.use.name
        )
        rows = tuple(own.cells(at) for at in own.rows)
        return Table(who, columns, rows, marked=own.rows.index(own.start))

    def _all_averages(self) -> Table:
        """Every average of the first model, each at one setting."""
        rates = tuple(phrase("{rate}", rate=Name(rate)) for rate in (FPR, TPR))
        columns = (phrase("average"), phrase("AUC"), phrase("read at"), *rates)
        rows = []
        for model in self.study.models:
            for use in self.uses:
                own = self.readings[use.key, model]
                name = phrase("{use}, {model}", use=use.name, model=Model(model)) if model else use.name
                rates_there = (own.rate("fpr", own.start), own.rate("tpr", own.start))
                rows.append(
                    (name, Rate(AREA, own.area), phrase("{at}", at=own.places[own.start]), *rates_there)
                )
        return Table(None, columns, tuple(rows))

    def _lines(self, use: Use | None, model: str) -> list[tuple[str, Text, int, str]]:
        """Kind, words, look and path of every bold line: one of each model, or one of each average."""
        models, is_alone = self.study.models, self.study.is_alone
        if use is not None:
            return [
                (
                    self._path(use.key, name),
                    self._key(use.key, name),
                    self.words.look(name) % len(LOOKS),
                    name,
                )
                for name in models
            ]
        return [
            (
                self._path(own.key, model),
                sentences.key_line(own.name, self.readings[own.key, model].area, is_alone=is_alone),
                k,
                "",
            )
            for k, own in enumerate(self.uses[: len(LOOKS)])
        ]

    def _key(self, key: str, name: str) -> Text:
        area = self.readings[key, name].area
        is_alone = self.study.is_alone
        return sentences.key_line(phrase("{model:short}", model=Model(name)), area, is_alone=is_alone)

    def _path(self, key: str, model: str) -> str:
        average = self.readings[key, model].average
        return str(self._once(("path", key, model), lambda: self.plane.line(average.fpr, average.tpr)))

    def _once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What the page and its script both show."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def _band(self, own: Reading) -> str:
        """The limits around an average, each point by itself."""
        return str(self._once(("band", own.use.key, own.model), lambda: self.plane.band(self._limits(own))))

    def _limits(self, own: Reading) -> Any:
        average: Any = own.average
        level, curves = self.study.confidence_level, self.study.curves(own.model)
        if len(curves) == 1:
            return None if curves[0].is_weighted else curves[0].band(level, fpr=(0.0, 1.0))
        held = {"vertical": "fpr", "horizontal": "tpr"}.get(own.use.key)
        readers = self.study.reader_curve(own.model, held) if held else None
        if readers is not None and set(readers.readers) == set(average.members):
            return readers.band(level)
        at = np.append(0.0, np.geomspace(self.plane.low, 1.0, _FINE)) if self.plane.is_log else None
        return average.band(level, fpr=(0.0, 1.0), at=at)

    def _marks(self, own: Reading, at: int) -> dict[str, Any]:
        """Where the point, its interval and the line of all groups stand."""
        n = {name: float(own.numbers[name][at]) for name in ("fpr", "tpr", *_LIMITS)}
        fpr, tpr = ([n[name], n[f"{name}_low"], n[f"{name}_high"]] for name in ("fpr", "tpr"))
        key = own.use.key
        slope = None
        if key == "alerts":
            slope = (-self.study.prevalence, 1 - self.study.prevalence)
        return {
            "point": self._placed([n["fpr"], n["tpr"]]),
            "bars": [
                self._placed(own_bar) for own_bar in geometry.bars(fpr, tpr, is_slanted=key in _SLANTED)
            ],
            "guide": []
            if self.plane.is_log and key not in ("vertical", "horizontal")
            else self._placed(geometry.guide(key, n["fpr"], n["tpr"], slope)),
        }

    def _placed(self, rates: Sequence[float]) -> list[int]:
        """Pairs of rates on the grid of the plane, downwards."""
        own = np.array(rates, dtype=float)
        own[::2], own[1::2] = self.plane.across(own[::2]), 1 - own[1::2]
        found: list[int] = np.rint(geometry.UNITS * own).astype(int).tolist()
        return found

    def _dots(self, own: Reading) -> list[tuple[str, list[int] | None, float | None]]:
        """Every shown group: where it stands, and how far along the axis of scores its threshold is."""
        rows = {name: i for i, name in enumerate(own.groups)}
        found: list[tuple[str, list[int] | None, float | None]] = []
        scores, at = self._scores(own.model), own.start
        for name, label in zip(self.shown, self.labels, strict=True):
            i = rows.get(name)
            if i is None:
                found.append((label, None, None))
                continue
            place = self._placed([float(own.own_fpr[i, at]), float(own.own_tpr[i, at])])
            found.append((label, place, round(float(scores.place(own.own_threshold[i, at])), 4)))
        return found

    def _faint(self, model: str) -> str:
        """Single curves, as many as there is room for."""
        return str(self._once(("faint", model), lambda: self._single_curves(model)))

    def _single_curves(self, model: str) -> str:
        if self.study.is_alone:
            return ""
        curves, most = self.study.curves(model), _MOST_VERTICES // len(self.study.models)
        lines, n = [], 0
        for i in evenly(range(len(curves))):
            line = self.plane.line(curves[int(i)].fpr, curves[int(i)].tpr)
            n += line.count("l") + line.count("h") + line.count("v")
            if n > most:
                break
            lines.append(line)
        return "".join(lines)

    def _scores(self, model: str) -> geometry.Scores:
        study = self.study
        found: geometry.Scores = self._once(
            ("drawn scores", model),
            lambda: geometry.Scores(study.densities(model), study.quantiles(model), self.shown),
        )
        return found

    def _outside(self, model: str) -> Text | None:
        found = self.study.densities(model).outside
        return sentences.outside(sum(own.n_positives for own in found), sum(own.n_negatives for own in found))

    # What the script looks up

    def script(self) -> dict[str, Any]:
        """Everything that another answer, another model or another position shows."""
        study, words = self.study, self.words
        return {
            "models": [Model(name).spell(words) for name in study.models],
            "looks": [words.look(name) % len(LOOKS) for name in study.models],
            "lead": (sentences.LIVE_ALONE if study.is_alone else sentences.LIVE).plain(words),
            "first": "" if self.first is None else self.first.key,
            "plane": {"left": geometry.LEFT, "top": geometry.TOP, "side": geometry.SIDE,
                      "units": geometry.UNITS,
                      "zoom": self.plane.zoom},
            "scores": {"left": geometry.SCORES_LEFT, "across": geometry.ACROSS, "top": geometry.DENSITY_TOP,
                       "bottom": geometry.DENSITY_TOP + geometry.DENSITY_HEIGHT,
                       "row": geometry.row_height(len(self.shown)), "quanta": geometry.QUANTA,
                       "n": len(self.shown)},
            "drawn": [self._of_model(name) for name in study.models],
            "uses": [self._of_use(use) for use in self.uses],
        }  # fmt: skip

    def _of_model(self, name: str) -> dict[str, Any]:
        """What is drawn of a model under every use."""
        scores, outside = self._scores(name), self._outside(name)
        return {
            "faint": self._faint(name),
            "areas": scores.areas,
            "strips": scores.strips,
            "ticks": scores.ticks,
            "axis": sentences.score_axis(name, is_alone=self.study.is_alone).plain(self.words),
            "outside": "" if outside is None else outside.plain(self.words),
            "averages": [[path, text.plain(self.words)] for path, text, *_ in self._lines(None, name)]
            if self.first is None
            else [],
        }

    def _of_use(self, use: Use) -> dict[str, Any]:
        words = self.words
        return {
            "key": use.key,
            "question": use.question,
            "name": use.name.plain(words),
            "meaning": use.meaning.plain(words),
            "held": self._held(use).plain(words),
            "note": sentences.note(use.name, self.n_groups, self.study.unit).plain(words),
            "readings": [self._of_reading(self.readings[use.key, name]) for name in self.study.models],
        }

    def _of_reading(self, own: Reading) -> dict[str, Any]:
        words, positions = self.words, range(len(own.places))
        rows = {name: i for i, name in enumerate(own.groups)}
        index = np.array([rows.get(name, -1) for name in self.shown], dtype=np.intp)
        table = self._table(own)
        marks = [self._marks(own, at) for at in positions]
        of_shown = [
            np.where(index[:, None] < 0, 0.0, rates[index])
            for rates in (
                self.plane.across(own.own_fpr),
                own.own_tpr,
                self._scores(own.model).place(own.own_threshold),
            )
        ]
        return {
            "start": own.start,
            "turned": self._is_turned(own),
            "labels": [place.spell(words) for place in own.places],
            "sentence": _woven([own.sentence(at) for at in positions], words),
            "key": self._key(own.use.key, own.model).plain(words),
            "line": self._path(own.use.key, own.model),
            "band": self._band(own),
            "points": [mark["point"] for mark in marks],
            "bars": [[end for bar in mark["bars"] for end in bar] for mark in marks],
            "guides": [mark["guide"] for mark in marks],
            "beyond": [
                sentences.beyond(Rate(FPR, fpr)).plain(words) if fpr > self.plane.zoom else ""
                for fpr in own.numbers["fpr"].tolist()
            ],
            "absent": np.flatnonzero(index < 0).tolist(),
            "own": [geometry.packed(rates) for rates in of_shown],
            "caption": table.caption.plain(words) if table.caption else "",
            "heads": [head.plain(words) for head in table.columns],
            "rows": [[_spelled(item, words) for item in row] for row in table.rows],
            "marked": own.rows.index(own.start),
            "numbers": [_plain(own.numbers[name], name) for name in _NUMBERS],
        }  # fmt: skip

    def _is_turned(self, own: Reading) -> bool:
        """Whether more of what is held, by the name it has here, is less of the rate."""
        return own.places[0].kind in self.words.turned

    def _turned(self, own: Reading, at: int) -> int:
        return len(own.places) - 1 - at if self._is_turned(own) else at


def _woven(texts: Sequence[Text], words: Words) -> list[Any]:
    """Sentences that differ in their numbers, piece by piece: a text for all or one for each; if strong.

    Of sentences that are built otherwise the whole is one piece.
    """
    spans = [list(_apart(own.spans(words))) for own in texts]
    if len({tuple(is_strong for _, is_strong in own) for own in spans}) > 1:
        return [[["".join(piece for piece, _ in own) for own in spans], 0]]
    woven: list[Any] = []
    for column in zip(*spans, strict=True):
        pieces = [piece for piece, _ in column]
        woven.append([pieces[0] if len(set(pieces)) == 1 else pieces, int(column[0][1])])
    return woven


def _apart(spans: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, bool]]:
    """Pieces, and whether they are strong: a number is, its interval is not."""
    for piece, value in spans:
        if isinstance(value, Rate | Range | Cut):
            number, gap, limits = piece.partition(" (")
            yield number, True
            yield gap + limits, False
        else:
            yield piece, False


def _spelled(item: Item, words: Words) -> str:
    if item is None:
        return ""
    if isinstance(item, Text):
        return item.plain(words)
    return str(item) if isinstance(item, int) else item.spell(words, "cell")


def _plain(numbers: Floats, name: str) -> list[float | None]:
    """Numbers of the file of curves; thresholds keep all their digits, or rows would change sides."""
    shown = numbers if name.startswith("threshold") else np.round(numbers, 5)
    return [own if np.isfinite(own) else None for own in shown.tolist()]
