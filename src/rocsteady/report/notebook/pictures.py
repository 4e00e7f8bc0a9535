"""Which small picture belongs to a value: its curve, with what it holds around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import Average
from rocsteady.averaging.binormal import BinormalFit
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.densities import ScoreDensities
from rocsteady.curves.intervals import Band
from rocsteady.curves.readings import CostCurve, DetCurve, PrecisionRecallCurve
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.smroc import MidProfile, SmrocCurve, SmrocCurves
from rocsteady.errors import RocsteadyError
from rocsteady.inference.differences import Comparison, DifferenceCurve
from rocsteady.inference.winner_map import WinnerMap
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
from rocsteady.points.tables import OperatingPointTable
from rocsteady.readers.curves import ReaderAverageCurve
from rocsteady.report.svg import MOST_FAINT, Axis, Picture, evenly
from rocsteady.words import class_cases, counted

Floats = NDArray[np.float64]

_CREDIT_AXES = (Axis("share of all debit"), Axis("share of all credit"))
_OVER = {
    "fpr": "false positive rate",
    "tpr": "true positive rate",
    "position": "position",
    "alerts": "share called positive",
}
_ERROR_RATES = (0.001, 0.01, 0.05, 0.2, 0.5)
_DEVIATES = (-3.3, 0.6)
"""The ends of normal-deviate axes: rates of 0.05 % and 73 %."""
_MOST_RESAMPLED = 2_000
"""Groups; a page should not make its reader wait."""
_FLAT = 0.001
"""The least height of an axis around a difference of zero."""


def picture_of(value: object) -> Picture | None:
    """The picture of a value, or None where there is no curve to draw."""
    for kind, drawn in _PICTURES:
        if isinstance(value, kind):
            try:
                return drawn(value)
            except RocsteadyError:  # a curve that refuses a reading is shown without its picture
                return None
    return None


def _of_average(average: Average) -> Picture:
    shown, words = _some(average.curves, counted(average.n_groups, average.unit))
    axes = (Axis("false positive rate"), Axis("true positive rate"))
    if average.averaged.is_smroc:
        axes = (Axis("debit share"), Axis("credit share"))
    curve = Picture([(average.fpr, average.tpr)], shown, axes=axes)
    title = f"{average.method.label} average and {words}"
    if average.n_groups < 2:
        return replace(curve, title=title)
    if takes_long(average):
        return replace(
            curve, title=f"{title}; so many are resampled only when asked:  .band()  .auc_interval()"
        )
    band = average.band()
    return replace(curve, bands=[_sides(band)], title=f"{title}; band: {_level(band)}")


def takes_long(value: object) -> bool:
    """Whether bands and areas take seconds: those without a formula resample all groups."""
    if not isinstance(value, Average) or isinstance(value, DirectionalAverage):
        return False
    return value.n_groups > _MOST_RESAMPLED


def _some(
    curves: Sequence[RocCurve] | Sequence[SmrocCurve], owners: str
) -> tuple[list[tuple[Floats, Floats]], str]:
    """Some of the curves, and how many of how many they are."""
    chosen = [curves[int(i)] for i in evenly(len(curves), MOST_FAINT)]
    how_many = "" if len(chosen) == len(curves) else f"{len(chosen)} of "
    return [(curve.fpr, curve.tpr) for curve in chosen], f"{how_many}the curves of {owners}"


def _sides(band: Band) -> Any:
    return (band.lower.fpr, band.lower.tpr), (band.upper.fpr, band.upper.tpr)


def _level(band: Band) -> str:
    return f"{band.kind}, {100 * band.confidence_level:g} %"


def _of_curve(curve: RocCurve) -> Picture:
    picture = Picture([(curve.fpr, curve.tpr)], title="ROC curve")
    try:
        band = curve.band()
    except RocsteadyError:  # weights and hulls have no band by formula
        return picture
    return replace(picture, bands=[_sides(band)], title=f"ROC curve; band: {_level(band)}")


def _of_curves(curves: CurveSet) -> Picture:
    owners = counted(len(curves), curves.unit)
    if len(curves.models) > 1:
        owners = f"{counted(len(curves.models), 'model')} ({counted(len(curves), 'curve')})"
    shown, words = _some(curves, owners)
    return Picture(faint=shown, title=words)


def _of_smroc(curve: SmrocCurve) -> Picture:
    chance = [curve.chance_path]
    return Picture([(curve.fpr, curve.tpr)], chance, axes=_CREDIT_AXES, title="smROC curve; faint: chance")


def _of_smrocs(curves: SmrocCurves) -> Picture:
    shown, words = _some(curves, counted(len(curves), curves.unit))
    return Picture(faint=shown, axes=_CREDIT_AXES, title=words)


def _of_band(band: Band) -> Picture:
    return Picture([(band.middle.fpr, band.middle.tpr)], bands=[_sides(band)], title=f"band: {_level(band)}")


def _of_reader_curve(curve: ReaderAverageCurve) -> Picture:
    shown, words = _some(curve.reader_curves, counted(len(curve.reader_curves), curve.unit))
    title = f"{curve.method} average and {words}"
    return Picture([(curve.fpr, curve.tpr)], shown, title=title)


def _of_det(curve: DetCurve) -> Picture:
    from scipy.special import ndtri

    low, high = _DEVIATES
    ticks = tuple((float(ndtri(rate)), f"{100 * rate:g} %") for rate in _ERROR_RATES)
    axes = tuple(Axis(word, low, high, ticks) for word in ("false positive rate", "false negative rate"))
    deviates = (curve.fpr_deviate, curve.fnr_deviate)
    inside = np.logical_and.reduce([(low <= at) & (at <= high) for at in deviates])
    path = tuple(np.where(inside, at, np.nan) for at in deviates)
    equal = ((low, low), (high, high))
    return Picture([path], reference=equal, axes=axes, title="DET curve; dotted: equal errors")  # type: ignore[list-item, arg-type]


def _of_costs(curve: CostCurve) -> Picture:
    axes = (Axis("probability cost"), _axis_from_zero("normalised cost", [0.5]))
    triangle = (np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 0.0]))
    path = (curve.probability_cost, curve.normalized_cost)
    title = "cost curve; faint: nothing or everything called positive"
    return Picture([path], [triangle], reference=None, axes=axes, title=title)


def _of_precision(curve: PrecisionRecallCurve) -> Picture:
    axes = (Axis("recall"), Axis("precision"))
    return Picture([(curve.recall, curve.precision)], reference=None, axes=axes, title="precision and recall")


def _of_profile(profile: MidProfile) -> Picture:
    axes = (Axis("Mid"), Axis("smAUC"))
    paths = [(profile.mid, profile.auc)], [(profile.mid, profile.chance_auc)]
    if profile.after is not None:  # constant on each piece
        across = np.column_stack([profile.after, profile.mid]).ravel()
        paths = [(across, np.repeat(profile.auc, 2))], [(across, np.repeat(profile.chance_auc, 2))]
    own = [(profile.own_mid, profile.own_auc)] if np.isfinite(profile.own_auc) else []
    title = "smAUC for every Mid; faint: chance"
    return Picture(*paths, points=own, reference=None, axes=axes, title=title)


def _of_difference(curve: DifferenceCurve) -> Picture:
    limits = [(curve.lower, curve.upper), (curve.simultaneous_lower, curve.simultaneous_upper)]
    level = f"{100 * curve.confidence_level:g} %"
    title = f"{curve.a} less {curve.b}; bands: pointwise and simultaneous, {level}"
    return _around_zero(_OVER[curve.over], curve.position, curve.difference, limits, title)


def _of_winner_map(found: WinnerMap) -> Picture | None:
    if len(found.models) > 2 or found.over not in _OVER:  # costs have an axis of their own
        return None
    title = (
        f"{found.a} better above 0, {found.b} below; band: simultaneous, {100 * found.confidence_level:g} %"
    )
    return _around_zero(
        _OVER[found.over], found.position, found.advantage, [(found.lower, found.upper)], title
    )


def _around_zero(
    over: str, position: Floats, difference: Floats, limits: Sequence[tuple[Floats, Floats]], title: str
) -> Picture:
    """A difference over positions, with its bands; dotted: none."""
    low, high = float(position[0]), float(position[-1])
    seen = np.concatenate([difference, *(side for pair in limits for side in pair)])
    across = Axis(over, low, high, ((low, f"{low:g}"), (high, f"{high:g}")))
    axes = (across, _axis_from_zero("difference", seen[np.isfinite(seen)]))
    bands = [((position, below), (position, above)) for below, above in limits]
    none = ((low, 0.0), (high, 0.0))
    return Picture([(position, difference)], bands=bands, reference=none, axes=axes, title=title)


def _of_comparison(comparison: Comparison) -> Picture | None:
    return None if comparison.curve is None else _of_difference(comparison.curve)


def _axis_from_zero(label: str, values: Sequence[float] | Floats) -> Axis:
    """An axis that holds the values and zero, with ticks at its ends and at zero."""
    low, high = float(min([0.0, *values])), float(max([_FLAT, *values]))
    ticks = dict.fromkeys([low, 0.0, high])
    if low < 0 and -low < (high - low) / 12:  # too close to zero to be written beside it
        ticks.pop(low)
    return Axis(label, low, high, tuple((at, f"{at:.2g}") for at in ticks))


def _of_cutoff(cutoff: Cutoff | AppliedCutoff) -> Picture:
    curve, title = cutoff._curve, f"score {cutoff.rule} {cutoff.threshold:g}"
    return Picture([(curve.fpr, curve.tpr)], points=[(cutoff.fpr, cutoff.tpr)], title=title)


def _of_points(table: OperatingPointTable) -> Picture | None:
    if not table.has_positive or table.thresholds is None:
        return None
    path = tuple(table.measure(name).mean for name in ("fpr", "tpr"))
    return Picture([path], title=f"mean rates of {counted(table.n_folds, table.unit)}")  # type: ignore[list-item]


def _of_densities(found: ScoreDensities) -> Picture | None:
    if found.is_discrete:  # bars of single values have no width to draw at this size
        return None
    across = np.column_stack([found.place(found.low), found.place(found.high)]).ravel()
    what, heights = "share per bin", (found.positive_share, found.negative_share)
    if not found.is_even:
        what, heights = "density", (found.positive_density, found.negative_density)
    paths = [(across, np.repeat(own, 2)) for own in heights]
    low, high = float(across[0]), float(across[-1])
    scale = "score" if found.scale == "linear" else f"score ({found.scale} scale)"
    axes = (
        Axis(scale, low, high, ((low, f"{low:.3g}"), (high, f"{high:.3g}"))),
        replace(_axis_from_zero(what, np.concatenate([y for _, y in paths])), ticks=((0.0, "0"),)),
    )
    words = [class_cases(found.classes.positive, is_positive=True)]
    words.append(class_cases(found.classes.negative, is_positive=False))
    return Picture(paths, reference=None, axes=axes, title=f"solid: {words[0]}; dashed: {words[1]}")


def _of_fit(fit: BinormalFit) -> Picture:
    band = fit.band()
    return replace(_of_band(band), title=f"binormal curve; band: {_level(band)}")


_PICTURES: tuple[tuple[type, Callable[[Any], Picture | None]], ...] = (
    (Average, _of_average),
    (RocCurve, _of_curve),
    (CurveSet, _of_curves),
    (SmrocCurve, _of_smroc),
    (SmrocCurves, _of_smrocs),
    (Band, _of_band),
    (BinormalFit, _of_fit),
    (ReaderAverageCurve, _of_reader_curve),
    (DetCurve, _of_det),
    (CostCurve, _of_costs),
    (PrecisionRecallCurve, _of_precision),
    (MidProfile, _of_profile),
    (DifferenceCurve, _of_difference),
    (Comparison, _of_comparison),
    (WinnerMap, _of_winner_map),
    (Cutoff, _of_cutoff),
    (AppliedCutoff, _of_cutoff),
    (OperatingPointTable, _of_points),
    (ScoreDensities, _of_densities),
)
