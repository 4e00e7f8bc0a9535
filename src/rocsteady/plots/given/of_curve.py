"""What of a single curve is drawn: its line, its bands, its points, its area with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rocsteady.averaging.binormal import BinormalFit
from rocsteady.curves.from_scores import described
from rocsteady.curves.intervals import Band, quiet_intervals
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail
from rocsteady.options import one_number, one_of, one_rate
from rocsteady.places import ON_CURVES, RATES, Place, places_of
from rocsteady.plots.parts.curve_lines import Path
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
from rocsteady.statistics.limits import Interval

KINDS = ("both", "pointwise", "simultaneous", "none")
_SMOOTH = 201
"""Points of a fitted curve, on either side of the middle."""


@dataclass(frozen=True)
class CurvePoint:
    """A place on a curve, drawn as points of an average are."""

    fpr: float
    tpr: float
    threshold: float | None
    fpr_interval: Interval | None
    tpr_interval: Interval | None
    confidence_level: float


def line_of(curve: RocCurve | BinormalFit) -> Any:
    """The vertices of a curve; a fitted one is smooth."""
    if isinstance(curve, RocCurve):
        return curve
    low = np.concatenate([[0.0], np.geomspace(1e-7, 0.5, _SMOOTH)])
    fpr = np.concatenate([low, 1 - low[-2::-1]])
    return Path(fpr, np.asarray(curve.tpr_at(fpr)))


def has_interval(curve: RocCurve | BinormalFit) -> bool:
    """Whether the area has an interval by formula: not with weights, and not of a hull."""
    return isinstance(curve, BinormalFit) or not (curve.is_weighted or curve._is_hull)


def area_interval(curve: RocCurve | BinormalFit, confidence_level: float) -> Interval | None:
    """The interval of the area, without a word where it is a bound; None where there is none."""
    if not has_interval(curve):
        return None
    if isinstance(curve, BinormalFit):
        return curve.auc_interval
    found = quiet_intervals(curve._moments("guarded"), confidence_level)
    low, high = float(found.low[0]), float(found.high[0])
    return Interval(low, high, confidence_level, found.method) if np.isfinite(low) else None


def bands_of_curves(
    curves: Sequence[RocCurve | BinormalFit],
    band: object,
    *,
    confidence_level: float,
    seed: int,
    furthest: float = 1.0,
    lowest: float | None = None,
) -> list[list[Band]]:
    """The bands of every curve: made by a word, or given, one for each curve.

    Limits of each point are made for what is in view: up to ``furthest``, from ``lowest`` on a log scale.
    """
    if band is None or (isinstance(band, str) and band == "none"):
        return [[] for _ in curves]
    if isinstance(band, str):
        word = one_of("band", band, KINDS)
        kinds = ("pointwise", "simultaneous") if word == "both" else (word,)
        view = _ranges(furthest, lowest)
        return [
            [own for kind in kinds for own in _bands_of(curve, kind, confidence_level, seed, view)]
            for curve in curves
        ]
    given = [band] if isinstance(band, Band) else band
    if not isinstance(given, Sequence) or not all(isinstance(own, Band) for own in given):
        ways = [Option("band", "pointwise"), "band=curve.band(kind='simultaneous')"]
        raise fail("RS002.kind", name="band", kind="a word or a Band", found=described(band), ways=ways)
    if len(curves) == 1:
        return [list(given)]
    if len(given) != len(curves):
        way, found = "band=[curve.band() for curve in curves]", described(given)
        raise fail("RS013.one-each", name="band", of="curve", n=len(curves), found=found, ways=[way])
    return [[own] for own in given]


def _bands_of(
    curve: RocCurve | BinormalFit, kind: str, level: float, seed: int, view: list[tuple[float, float]]
) -> list[Band]:
    """One band, or several that follow each other: a grid that is fine at 0.1 is coarse at 0.001."""
    if isinstance(curve, BinormalFit):
        return [curve.band(level, kind)]
    ranges = view if kind == "pointwise" else [(0.0, 1.0)]
    return [curve.band(level, kind, fpr=own, seed=seed) for own in ranges]


def _ranges(furthest: float, lowest: float | None) -> list[tuple[float, float]]:
    """What is in view, decade by decade on a log scale."""
    if lowest is None or lowest >= furthest:
        return [(0.0, furthest)]
    n_decades = int(np.ceil(np.log10(furthest / lowest) - 1e-9))
    ends = np.append(lowest * 10.0 ** np.arange(n_decades), furthest).tolist()
    return list(pairwise(ends))


def points_of_curve(curve: RocCurve | BinormalFit, at: object, confidence_level: float) -> list[CurvePoint]:
    """The places that were asked for, with intervals where the curve has any."""
    if isinstance(at, Cutoff | AppliedCutoff):
        return [CurvePoint(at.fpr, at.tpr, at.threshold, None, None, confidence_level)]
    if isinstance(at, Sequence) and not isinstance(at, str):
        return [point for one in at for point in points_of_curve(curve, one, confidence_level)]
    among = ON_CURVES if isinstance(curve, RocCurve) else RATES
    return [_point(curve, own, confidence_level) for own in places_of(at, among=among, task="mark")]


def _point(curve: RocCurve | BinormalFit, place: Place, level: float) -> CurvePoint:
    sure, name, value = has_interval(curve), place.kind, place.value
    if name == "fpr":
        fpr = one_rate("fpr", value)
        interval = curve.tpr_interval(fpr, level) if sure else None
        return CurvePoint(fpr, float(curve.tpr_at(fpr)), None, None, interval, level)
    if name == "tpr":
        tpr = one_rate("tpr", value)
        interval = curve.fpr_interval(tpr, level) if sure else None
        return CurvePoint(float(curve.fpr_at(tpr)), tpr, None, interval, None, level)
    rates = curve.rates_at(one_number("threshold", value))  # type: ignore[union-attr]
    return CurvePoint(float(rates.fpr), float(rates.tpr), float(rates.threshold), None, None, level)
