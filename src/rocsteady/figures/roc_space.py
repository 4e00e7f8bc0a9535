"""What figures of curves share: axes of a ROC plot; bands, points and crowds as marks; their words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from rocsteady.averaging.base import FEWEST_GROUPS, Average, AveragePoint
from rocsteady.averaging.binormal import BinormalFit
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.from_scores import described
from rocsteady.curves.intervals import Band as Limits
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail
from rocsteady.figures.spec import (
    Axis,
    Band,
    Entry,
    Faint,
    Floats,
    Line,
    Mark,
    Panel,
    Points,
    Segments,
    evenly,
    rounded,
)
from rocsteady.figures.style import ALPHAS, GUIDE, INK, LOOKS, MOST_FAINT, QUIET, Hue
from rocsteady.options import one_number, one_of, one_rate, real_numbers
from rocsteady.places import ON_CURVES, RATES, Place, places_of
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
from rocsteady.statistics.limits import Interval
from rocsteady.text import (
    FPR,
    TPR,
    At,
    Count,
    Cut,
    Item,
    Level,
    Model,
    Name,
    Quantity,
    Quote,
    Range,
    Rate,
    Scale,
    Text,
    joined,
    phrase,
    plural,
)

Kind = TypeVar("Kind")

BANDS = ("both", "pointwise", "simultaneous", "prediction", "none")
SCALES = ("linear", "log")
DEBIT, CREDIT = Quantity("share of debit", Scale.SHARE), Quantity("share of credit", Scale.SHARE)
"""What stands for the rates in a smROC plot."""
LONGEST_UNIT = 18
_LOG_BELOW = 0.02
"""Declared false positive rates below this need a log axis."""
_FEWEST_DRAWN = 3
"""Groups of which a figure has a band."""
_FINE = 400
"""Corners of an average in view that all have limits; of more, a grid has half as many."""
_SMOOTH = 201
"""Points of a fitted curve, on either side of the middle."""
_GAP, _FURTHEST = 1.8, 2.0
"""Points between intervals of which one would hide another, and from an interval to its place at most."""


# What was handed over -----------------------------------------------------------------------------------


def of_kind(kind: type[Kind], given: object, what: str, *ways: str) -> Kind:
    """What was given, if it is of this kind; RS002 otherwise, with the ways to call the figure."""
    if isinstance(given, kind):
        return given
    raise fail("RS002.drawn-from", what=what, found=described(given), ways=ways)


def named_curves(
    given: object, kinds: tuple[type, ...], *, what: str, way: str, most: int = len(LOOKS)
) -> list[tuple[str, Any]]:
    """Names and values, in order; several without a name are numbered, a single one has an empty name.

    RS002 for anything but a value, several, or a mapping from names; RS042 for none of them, or too many.
    """
    if isinstance(given, kinds):
        found: list[tuple[str, Any]] = [(_own_name(given), given)]
    elif isinstance(given, Mapping):
        found = [(str(name), value) for name, value in given.items()]
    elif isinstance(given, Sequence) and not isinstance(given, str | bytes):
        found = [(_own_name(value) or f"curve {k}", value) for k, value in enumerate(given, start=1)]
    else:
        raise fail("RS002.drawn-from", what=what, found=described(given), ways=[way])
    for _, value in found:
        if not isinstance(value, kinds):
            raise fail("RS002.drawn-from", what=what, found=described(value), ways=[way])
    require_room(found, most, "curves")
    return found


def require_room(
    found: Sequence[Any], most: int, what: str, ways: Sequence[Any] = ("some of them:  list(curves)[:4]",)
) -> None:
    """RS042 for none of them, or more than can be distinguished."""
    if not 0 < len(found) <= most:
        raise fail("RS042.room", most=most, what=what, n=len(found), ways=list(ways))


def _own_name(value: Any) -> str:
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else ""


def is_crowd(given: object) -> bool:
    """Whether it is a set of more curves than can be distinguished: they are drawn alike, and faint."""
    return isinstance(given, CurveSet) and len(given) > len(LOOKS)


def hues_of(names: Sequence[str]) -> list[Hue]:
    """The look of each: several by their names, a single one without a name by the first look."""
    return [Model(name) if name else LOOKS[0] for name in names]


# Axes ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """What of the ROC plot is in view."""

    furthest: float = 1.0
    bottom: float = 0.0
    lowest: float | None = None  # where a log scale starts; without it the scale is even

    @classmethod
    def of(cls, zoom: object, xscale: str, n_negatives: Any = ()) -> View:
        """As it was asked for; RS001 and RS042 for what is no scale, and no zoom."""
        furthest, bottom = given_zoom(zoom)
        if one_of("xscale", xscale, SCALES) == "linear":
            return cls(furthest, bottom)
        return cls(furthest, bottom, min(lowest_rate(n_negatives), furthest / 10))

    @classmethod
    def at(cls, points: Iterable[Any], n_negatives: Any = ()) -> View:
        """That in which these points can be read: on a log axis where an FPR is below 2 %."""
        rates = [float(own) for point in points for own in np.ravel(point.fpr)]
        known = [own for own in rates if math.isfinite(own) and own > 0]
        if not known or min(known) >= _LOG_BELOW:
            return cls()
        return cls(lowest=min(lowest_rate(n_negatives), _round_below(min(known) / 5)))

    def panel(
        self, marks: Iterable[Mark], *, axes: tuple[Item, Item] | None = None, chance: bool = True
    ) -> Panel:
        """Square axes of both rates, over the line of chance."""
        across, up = axes or (named(FPR), named(TPR))
        guide = (Line((0, 1), (0, 1), look=GUIDE, width=1.0, name="chance"),) if chance else ()
        return Panel(
            x=Axis(across, self.lowest or 0.0, self.furthest, "linear" if self.lowest is None else "log"),
            y=Axis(up, self.bottom, 1.0),
            marks=(*guide, *marks),
            aspect=1.0,
        )

    @property
    def corners(self) -> tuple[str, ...]:
        """Where a key may stand, the best first: above curves that a log scale has bent."""
        return ("lower right",) if self.lowest is None else ("lower right", "upper left")

    def holds(self, point: Any) -> bool:
        """Whether a single point is in view; one left of a log scale is drawn at its edge."""
        return float(point.fpr) <= self.furthest and float(point.tpr) >= self.bottom


def given_zoom(zoom: object) -> tuple[float, float]:
    """The largest false positive rate and the smallest true positive rate in view; RS042 if there are none.

    >>> given_zoom(0.2), given_zoom((0.1, 0.5)), given_zoom(None)
    ((0.2, 0.0), (0.1, 0.5), (1.0, 0.0))
    """
    if zoom is None:
        return 1.0, 0.0
    numbers = real_numbers("zoom", zoom, example=0.2)  # type: ignore[arg-type]
    is_pair = numbers.shape == (2,)
    furthest, bottom = map(float, numbers if is_pair else (numbers if numbers.ndim == 0 else math.nan, 0.0))
    if isinstance(zoom, bool) or not (0 < furthest <= 1 > bottom >= 0):
        where = "the largest FPR in view, or that and the smallest TPR"
        ways = [Option("zoom", 0.2), Option("zoom", (0.2, 0.5))]
        raise fail("RS042", name="zoom", where=where, found=zoom, ways=ways)
    return furthest, bottom


def lowest_rate(n_negatives: Any) -> float:
    """Where a log scale starts: at or below one false alarm of the largest group, a round number.

    >>> lowest_rate([40, 350]), lowest_rate(20000)
    (0.002, 5e-05)
    """
    return _round_below(1 / float(np.max(np.atleast_1d(n_negatives), initial=10.0)))


def _round_below(rate: float) -> float:
    exponent = math.floor(math.log10(rate) + 1e-9)
    step = max(step for step in (1, 2, 5) if step * 10.0**exponent <= rate * (1 + 1e-9))
    return float(f"{step}e{exponent}")


def named(quantity: Quantity) -> Text:
    """The name of a quantity as it stands at an axis."""
    return phrase("{name:axis}", name=Name(quantity))


# Bands --------------------------------------------------------------------------------------------------


def bands_of_average(
    average: Average, band: object, view: View, *, confidence_level: float = 0.95, seed: int = 0
) -> list[Limits]:
    """The bands that were asked for; none that the groups are too few for.

    Of fewer than eight groups there is none over a range at once, of one or two none at all: Student's t with
    one degree of freedom fills the square.
    """
    if band is None or isinstance(band, Limits):
        return [] if band is None else [band]
    asked: Any = {"confidence_level": confidence_level, "seed": seed}
    if isinstance(band, Sequence) and not isinstance(band, str):
        return [own for one in band for own in bands_of_average(average, one, view, **asked)]
    word = one_of("band", band, BANDS)
    found = []
    for kind in {"both": ("pointwise", "simultaneous"), "none": ()}.get(word, (word,)):
        if average.n_groups < (FEWEST_GROUPS if kind == "simultaneous" else _FEWEST_DRAWN):
            continue
        far = view.furthest
        if kind == "simultaneous":  # over the usual range, unless less than that is in view
            declared, at = (0.02, 0.5) if far > 0.1 else (far / 50, far), None
        else:
            declared, at = (0.0, far), _places(average, view)
        found.append(average.band(confidence_level, kind, fpr=declared, at=at, seed=seed))
    return found


def _places(average: Average, view: View) -> Any:
    """Where limits are wanted so that they are as fine as what is in view; None for the whole square."""
    if view.furthest == 1 and view.lowest is None:
        return None
    corners = np.unique(average.fpr[average.fpr <= view.furthest])
    if corners.size <= _FINE:
        return np.append(corners, view.furthest)
    if view.lowest is None:
        return np.linspace(0, view.furthest, _FINE // 2)
    return np.append([0.0], np.geomspace(view.lowest, view.furthest, _FINE // 2))


def bands_of_curves(
    curves: Sequence[RocCurve | BinormalFit], band: object, view: View, *, confidence_level: float, seed: int
) -> list[list[Limits]]:
    """The bands of every curve: made by a word, or given, one for each curve."""
    if band is None or (isinstance(band, str) and band == "none"):
        return [[] for _ in curves]
    if isinstance(band, str):
        word = one_of("band", band, tuple(own for own in BANDS if own != "prediction"))
        kinds = ("pointwise", "simultaneous") if word == "both" else (word,)
        return [
            [own for kind in kinds for own in _bands_of(curve, kind, confidence_level, seed, view)]
            for curve in curves
        ]
    given = [band] if isinstance(band, Limits) else band
    if not isinstance(given, Sequence) or not all(isinstance(own, Limits) for own in given):
        ways = [Option("band", "pointwise"), "band=curve.band(kind='simultaneous')"]
        raise fail("RS002.kind", name="band", kind="a word or a Band", found=described(band), ways=ways)
    if len(curves) == 1:
        return [list(given)]
    if len(given) != len(curves):
        way, found = "band=[curve.band() for curve in curves]", described(given)
        raise fail("RS013.one-each", name="band", of="curve", n=len(curves), found=found, ways=[way])
    return [[own] for own in given]


def _bands_of(curve: RocCurve | BinormalFit, kind: str, level: float, seed: int, view: View) -> list[Limits]:
    """One band, or several that follow each other: a grid that is fine at 0.1 is coarse at 0.001."""
    if isinstance(curve, BinormalFit):
        return [curve.band(level, kind)]
    ranges = [(0.0, 1.0)]
    if kind == "pointwise":
        ranges = [(0.0, view.furthest)]
        if view.lowest is not None and view.lowest < view.furthest:
            n_decades = int(np.ceil(np.log10(view.furthest / view.lowest) - 1e-9))
            ranges = list(pairwise([*(view.lowest * 10.0**k for k in range(n_decades)), view.furthest]))
    return [curve.band(level, kind, fpr=own, seed=seed) for own in ranges]


def band_marks(bands: Sequence[Limits], hue: Hue) -> list[Mark]:
    """Bands, the widest kind first: where a narrower one lies on it, that is the darker one."""
    order = list(ALPHAS)
    return [
        Band(
            (own.lower.fpr, own.lower.tpr),
            (own.upper.fpr, own.upper.tpr),
            look=hue,
            alpha=ALPHAS[own.kind],
            name=own.kind,
        )
        for own in sorted(bands, key=lambda own: -order.index(own.kind))
    ]


def band_notes(bands: Iterable[Limits], unit: str, hue: Hue = QUIET) -> list[Entry]:
    """What each kind of band holds, once."""
    by_kind: dict[str, Limits] = {}
    for own in bands:
        if np.isfinite(own.lower.tpr + own.upper.tpr + own.lower.fpr + own.upper.fpr).any():
            before = by_kind.get(own.kind)
            left_out = (*before.excluded, *own.excluded) if before else own.excluded
            by_kind[own.kind] = replace(own, excluded=left_out)
    return [
        Entry(band_text(by_kind[kind], unit), Band(((), ()), ((), ()), look=hue, alpha=ALPHAS[kind]))
        for kind in sorted(by_kind)
    ]


def band_text(band: Limits, unit: str = "group") -> Text:
    """A band in a key: what it holds, and where."""
    level = Level(band.confidence_level)
    if band.kind == "prediction":
        return phrase("{level}: one more {unit}", level=level, unit=Quote(unit))
    if band.kind == "pointwise":
        return phrase("{level}: each point by itself", level=level)
    few = (
        phrase("too few cases")
        if unit == "case"
        else phrase("most {unit} coincide", unit=Quote(plural(unit)))
    )
    return phrase("{level}: {where}", level=level, where=at_once(FPR, band.fpr, band.excluded, why=few))


def at_once(
    rate: Quantity | None,
    declared: tuple[float, float] | None,
    excluded: Sequence[tuple[float, float]] = (),
    *,
    why: Text | None = None,
) -> Text:
    """A band that holds over a range at once: where it does, and why not elsewhere.

    >>> at_once(FPR, (0.02, 0.5)).plain()
    'FPR 2 to 50 % at once'
    >>> at_once(FPR, (0.02, 0.5), [(0.14, 0.5)], why=phrase("most folds coincide")).plain()
    'FPR 2 to 14 % at once; elsewhere most folds coincide'
    """
    if declared is None:
        return phrase("whole curve at once")
    parts = [declared] if rate is None else _left(declared, excluded)
    is_named = 0 < len(parts) <= 2
    shown = [phrase("{range}", range=Range(rate or FPR, *own)) for own in (parts if is_named else [declared])]
    where = phrase("{name} {ranges} at once", name=Name(rate or FPR), ranges=joined(shown, " and "))
    if rate is None:
        where = phrase("the whole range at once")
    elif len(parts) > 2:
        where = phrase("{n} parts of {where}", n=len(parts), where=where)
    if why is None or parts in ([], [declared]):
        return where
    return phrase("{where}; elsewhere {why}", where=where, why=why)


def _left(
    declared: tuple[float, float], excluded: Sequence[tuple[float, float]]
) -> list[tuple[float, float]]:
    """The parts of a range between those that are excluded; a gap that nobody sees is none."""
    parts, start = [], declared[0]
    narrowest = 0.01 * (declared[1] - declared[0])
    for low, high in sorted(own for own in excluded if own[1] - own[0] >= narrowest):
        if low > start:
            parts.append((start, low))
        start = max(start, high)
    return [*parts, (start, declared[1])] if start < declared[1] else parts


# Points -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CurvePoint:
    """A place on a curve, drawn as points of an average are."""

    fpr: float
    tpr: float
    threshold: float | None
    fpr_interval: Interval | None
    tpr_interval: Interval | None
    confidence_level: float
    held: str
    rate: Any = None


def points_of_average(average: Average, at: object, *, confidence_level: float = 0.95) -> list[AveragePoint]:
    """The points that were asked for; RS092 for what is no place.

    ``at`` is a place such as ``{"fpr": 0.05}``, a point that was made of the average, or several of these.
    """
    if isinstance(at, AveragePoint):
        return [at]
    if isinstance(at, Sequence) and not isinstance(at, str):
        level: Any = {"confidence_level": confidence_level}
        return [point for one in at for point in points_of_average(average, one, **level)]
    return [average.at(place, confidence_level=confidence_level) for place in places_of(at, task="mark")]


def points_of_curve(curve: Any, at: object, confidence_level: float) -> list[CurvePoint]:
    """The places that were asked for, with intervals where the curve has any."""
    if isinstance(at, Cutoff | AppliedCutoff):
        return [CurvePoint(at.fpr, at.tpr, at.threshold, None, None, confidence_level, "threshold")]
    if isinstance(at, Sequence) and not isinstance(at, str):
        return [point for one in at for point in points_of_curve(curve, one, confidence_level)]
    among = ON_CURVES if isinstance(curve, RocCurve) else RATES
    return [_curve_point(curve, own, confidence_level) for own in places_of(at, among=among, task="mark")]


def _curve_point(curve: Any, place: Place, level: float) -> CurvePoint:
    sure, name, value = has_interval(curve), place.kind, place.value
    if name == "fpr":
        fpr = one_rate("fpr", value)
        interval = curve.tpr_interval(fpr, level) if sure else None
        return CurvePoint(fpr, float(curve.tpr_at(fpr)), None, None, interval, level, name)
    if name == "tpr":
        tpr = one_rate("tpr", value)
        interval = curve.fpr_interval(tpr, level) if sure else None
        return CurvePoint(float(curve.fpr_at(tpr)), tpr, None, interval, None, level, name)
    rates = curve.rates_at(one_number("threshold", value))
    return CurvePoint(float(rates.fpr), float(rates.tpr), float(rates.threshold), None, None, level, name)


def has_interval(curve: Any) -> bool:
    """Whether a curve's area and rates have intervals by formula: not with weights, and not of a hull."""
    if isinstance(curve, BinormalFit):
        return True
    return isinstance(curve, RocCurve) and not (curve.is_weighted or curve._is_hull)


def path_of(curve: Any) -> tuple[Floats, Floats]:
    """The vertices of a curve; a fitted one is smooth."""
    if not isinstance(curve, BinormalFit):
        return curve.fpr, curve.tpr
    low = np.concatenate([[0.0], np.geomspace(1e-7, 0.5, _SMOOTH)])
    fpr = np.concatenate([low, 1 - low[-2::-1]])
    return fpr, np.asarray(curve.tpr_at(fpr))


def point_marks(points: Sequence[Sequence[Any]], hues: Sequence[Hue]) -> list[Mark]:
    """The points of each curve with their intervals, in its look; of a single curve these are in ink.

    Every marker is where its point is. Intervals at one rate that would hide each other stand a little apart.
    """
    bar = INK if len(points) == 1 else None
    crowd: dict[tuple[str, float], int] = {}
    for own in points:
        for point in own:
            crowd[_place(point)] = crowd.get(_place(point), 0) + 1
    before: dict[tuple[str, float], int] = {}
    marks: list[Mark] = []
    for own, hue in zip(points, hues, strict=False):
        for point in own:
            place = _place(point)
            before[place] = before.get(place, 0) + 1
            aside = 0.0
            if place[0] and crowd[place] > 1:
                gap = min(_GAP, 2 * _FURTHEST / (crowd[place] - 1))
                aside = gap * (before[place] - 1 - (crowd[place] - 1) / 2)
            marks += _marks_of(point, hue, bar, (aside, 0.0) if place[0] == "fpr" else (0.0, -aside))
    return marks


def _place(point: Any) -> tuple[str, float]:
    """The rate that is fixed at a point, and its value there."""
    if np.ndim(point.fpr) == 0:
        for name, value, interval in (
            ("fpr", point.fpr, point.fpr_interval),
            ("tpr", point.tpr, point.tpr_interval),
        ):
            if interval is None:
                return name, float(value)
    return "", math.nan


def _marks_of(point: Any, hue: Hue, bar: Hue | None, shift: tuple[float, float]) -> list[Mark]:
    x, y = (np.atleast_1d(np.asarray(own, dtype=float)) for own in (point.fpr, point.tpr))
    across, up = (_limits_of(own) for own in (point.fpr_interval, point.tpr_interval))
    marker = Points(x, y, look=hue, name="point", bar=bar, shift=shift)
    if across is not None and up is not None and point.threshold is None:
        # Both move together, along one direction.
        bars = Segments(
            across[1], up[0], across[0], up[1], look=bar or hue, width=1.1, dash=(), name="interval"
        )
        return [bars, marker]
    return [replace(marker, x_limits=across, y_limits=up)]


def drawn_cut(threshold: Any, beside: float | None = None) -> Cut:
    """A threshold in a key: with four digits where nothing is known of the scores beside it.

    >>> from rocsteady.text import ML
    >>> [drawn_cut(own).spell(ML) for own in (0.6427707719036541, 2, 1e-7)]
    ['0.6428', '2', '1e−07']
    """
    value = float(threshold)
    if beside is not None and math.isfinite(beside):
        return Cut(value, beside)
    return Cut(rounded(value, 4))


def _limits_of(interval: Interval | None) -> tuple[Floats, Floats] | None:
    """Of every position; no rate lies outside 0 and 1."""
    if interval is None:
        return None
    low, high = (
        np.atleast_1d(np.clip(np.asarray(end, dtype=float), 0, 1)) for end in (interval.low, interval.high)
    )
    return low, high


def point_text(point: Any, *, is_smroc: bool = False, view: View | None = None) -> Text:
    """A point in a key: where it was asked for, and the rates that are free there, with their limits."""
    if np.ndim(point.fpr):
        n, level = int(np.size(point.fpr)), Level(point.confidence_level)
        return phrase("{n}, {level} intervals", n=Count(n, "point"), level=level)
    across, up = (DEBIT, CREDIT) if is_smroc else (FPR, TPR)
    rates = {
        "fpr": (across, Rate(across, float(point.fpr), point.fpr_interval)),
        "tpr": (up, Rate(up, float(point.tpr), point.tpr_interval)),
    }
    held = point.held if point.held in rates else ""
    place: Item = place_text(point, is_smroc=is_smroc)
    free = [
        phrase("{name} {rate:cell}", name=Name(q), rate=rate)
        for key, (q, rate) in rates.items()
        if key != held
    ]
    found = joined(free) if place is None else phrase("{place}: {rates}", place=place, rates=joined(free))
    if view is not None and not view.holds(point):
        return phrase("{point}, outside these axes", point=found)
    return found


def place_text(point: Any, *, is_smroc: bool = False) -> Item:
    """Where a point was read, as far as that is one number."""
    if point.held in ("fpr", "tpr"):
        value = round(float(getattr(point, point.held)), 12)
        if not is_smroc:
            return At(point.held, value)
        quantity = DEBIT if point.held == "fpr" else CREDIT
        return phrase("{name} {value}", name=Name(quantity), value=Level(value))
    if point.held == "costs":
        return At("costs", (point.costs.false_positive, point.costs.false_negative))
    if point.held == "threshold" and point.threshold is not None and np.ndim(point.threshold) == 0:
        return phrase("{threshold} {cut}", cut=drawn_cut(point.threshold, getattr(point, "beside", None)))
    if point.held == "eer" or (point.held in ("alerts", "ratio") and point.rate is not None):
        return At(point.held, point.rate)
    return None


# Averages, crowds ---------------------------------------------------------------------------------------


def unit_of(value: Any) -> str:
    """The word for a group; a long one would not fit into a key."""
    unit = str(value.unit)
    return unit if len(unit) <= LONGEST_UNIT else "group"


def kind_text(average: Average) -> Text:
    """The kind of average and how many groups are in it.

    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> kind_text(rs.average(rs.ScoreSet.from_folds(folds), "vertical")).plain()
    'vertical average, 2 folds'
    """
    groups = Count(average.n_groups, unit_of(average))
    if average.n_groups == 1:
        return phrase("{groups}: nothing is averaged", groups=groups)
    of_what = " of smROC curves" if average.averaged.is_smroc else ""
    return phrase("{kind} average" + of_what + ", {groups}", kind=Quote(average.method.label), groups=groups)


def crowd_text(n_all: int, unit: str, *, most: int = MOST_FAINT) -> Text:
    """How many curves are drawn faintly, of how many.

    >>> crowd_text(10000, "host").plain(), crowd_text(23, "host").plain()
    ('300 of 10 000 hosts', '23 hosts')
    """
    return phrase("{n}", n=Count(min(n_all, most), unit, of=n_all if n_all > most else None))


def crowd_marks(
    crowd: Any, transform: Any, unit: str, hue: Hue = LOOKS[0], *, most: int = MOST_FAINT
) -> tuple[Faint, Entry]:
    """A crowd of curves as faint lines, of which few are made; and what the key says of it."""
    paths = [transform(crowd[k]) for k in evenly(range(len(crowd)), most)]
    sample = Faint((), look=hue, alpha=0.6, width=0.8)
    return Faint(paths, look=hue, name="members"), Entry(crowd_text(len(crowd), unit, most=most), sample)


def missing_band_notes(average: Average, band: object) -> list[Entry]:
    """Why a band that was asked for is missing."""
    if band not in ("both", "simultaneous", "pointwise", "prediction"):
        return []
    unit = unit_of(average)
    if average.n_groups < 2:
        return [Entry(phrase("one {unit}: no band", unit=Quote(unit)))]
    if average.n_groups < _FEWEST_DRAWN:
        return [Entry(phrase("too few {units} for a band", units=Quote(plural(unit))))]
    if average.n_groups < FEWEST_GROUPS and band in ("both", "simultaneous"):
        return [Entry(phrase("too few {units} for a band over a range", units=Quote(plural(unit))))]
    return []
