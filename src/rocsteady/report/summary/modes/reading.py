"""What an average says at all positions of its slider: rates, their limits, and where single groups stand."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import Average, AveragePoint, GroupPoints
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.radial_tangent import RadialAverage, TangentAverage
from rocsteady.curves.roc import RocCurve, cases_at
from rocsteady.errors import RocsteadyWarning
from rocsteady.options import How
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.report.summary.modes.bands import MANY_CASES, Bands, bands_of
from rocsteady.report.summary.modes.positions import Positions, positions_of
from rocsteady.report.summary.modes.sentences import Teller
from rocsteady.report.summary.phrases import Phrase, plain_text
from rocsteady.report.summary.points.reading import within_range
from rocsteady.report.summary.reader_study import area_limits, rate_limits
from rocsteady.results import plain
from rocsteady.statistics.groups import mostly_alike, spread
from rocsteady.statistics.limits import Interval

Floats = NDArray[np.float64]

_HELD = {"threshold": "threshold", "pooled": "threshold", "vertical": "fpr", "horizontal": "tpr"}
_HELD |= {"diagonal": "alerts", "alerts": "alerts"}


@dataclass(frozen=True, eq=False)
class MeanPoints:
    """Points of an average with their limits, each by itself; what is random is the groups.

    A rate that all groups share has NaN for limits.
    """

    fpr: Floats
    tpr: Floats
    fpr_low: Floats
    fpr_high: Floats
    tpr_low: Floats
    tpr_high: Floats


@dataclass(frozen=True, eq=False)
class ModeReading:
    """One model under one average, at every position of the slider.

    Attributes
    ----------
    model : str
    auc : float
        Area under the average.
    auc_interval : (float, float)
        Its limits; NaN where they are not known.
    positions : float64 array (K,)
        What is held fixed, rising.
    labels : tuple of str
        The same as they are written.
    start : int
        Which position is shown first: the declared point, or an example.
    fpr, tpr : float64 arrays (K,)
        The point of the average.
    fpr_low, fpr_high, tpr_low, tpr_high : float64 arrays (K,)
        Limits of each; NaN where a rate is held, or nothing is known.
    threshold_low, threshold_high : float64 arrays (K,)
        The smallest and the largest threshold in use; the same where it is shared.
    fpr_least, fpr_most, tpr_least, tpr_most : float64 arrays (K,)
        Of single groups.
    sentences : tuple of Phrase (K)
        What the point means.
    """

    model: str
    auc: float
    auc_interval: tuple[float, float]
    positions: Floats
    labels: tuple[str, ...]
    start: int
    fpr: Floats
    tpr: Floats
    fpr_low: Floats
    fpr_high: Floats
    tpr_low: Floats
    tpr_high: Floats
    threshold_low: Floats
    threshold_high: Floats
    fpr_least: Floats
    fpr_most: Floats
    tpr_least: Floats
    tpr_most: Floats
    sentences: tuple[Phrase, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values; of the sentences the one at the start."""
        names = [name for name in self.__dataclass_fields__ if name != "sentences"]
        data = {name: plain(getattr(self, name)) for name in names}
        return data | {"sentence": plain_text(self.sentences[self.start])}


@dataclass(frozen=True, eq=False)
class Read:
    """An average that was read: what the summary says of it, and what a drawing needs of its groups."""

    reading: ModeReading
    own: GroupPoints
    bands: Bands


def read_mode(material: Material, key: str, name: str) -> Read:
    """Read one model's average at all of its positions."""
    average, positions = material.average(key, name), positions_of(material, key, name)
    with warnings.catch_warnings():
        # That most groups coincide near the corners is so in every set; it is said where a point is declared.
        warnings.simplefilter("ignore", RocsteadyWarning)
        own = _with_curves(average.group_points(positions.at))
        curves = material.curves(name)
        if len(curves) == 1:
            points = _of_one_curve(material, curves[0], key, positions, own)
            interval = _area_of_one_curve(material, curves[0])
        else:
            points = _of_groups(material, key, average, positions, own)
            interval = average.auc_interval(**_asked(material))
            points = _with_random_cases(material, key, name, positions, points)
        bands = bands_of(material, key, name)  # now, while the resampled curves are at hand
    teller = Teller(material, key, name, average, _met_again(material, key, average))
    span = (own.thresholds, own.fpr, own.tpr)
    low, high = zip(*((rate.min(axis=0), rate.max(axis=0)) for rate in span), strict=True)
    area = area_limits(material, name, float(average.auc))  # in a reader study cases are random, too
    limits = ("fpr_low", "fpr_high", "tpr_low", "tpr_high")
    numbers = {
        "fpr": points.fpr,
        "tpr": points.tpr,
        **{end: np.clip(getattr(points, end), 0.0, 1.0) for end in limits},
        "threshold_low": low[0],
        "threshold_high": high[0],
        "fpr_least": low[1],
        "fpr_most": high[1],
        "tpr_least": low[2],
        "tpr_most": high[2],
    }
    reading = ModeReading(
        model=name,
        auc=float(average.auc),
        auc_interval=area or within_range(float(interval.low), float(interval.high)),
        positions=positions.values,
        labels=positions.labels,
        start=positions.start,
        sentences=teller.all(positions, numbers),
        **numbers,
    )
    return Read(reading, own, bands)


def _asked(material: Material) -> dict[str, Any]:
    return {"confidence_level": material.settings.confidence_level}


def _met_again(material: Material, key: str, average: Any) -> AveragePoint | None:
    """The average where the declared rate is met, with the interval of a threshold that is set anew."""
    place = material.declared_place
    is_read = key in SHARED_KEYS and key == material.key and average.n_groups > 1
    is_read &= material.settings.cutoff_from is None  # else the threshold is given, and kept
    if not is_read or isinstance(place, str) or next(iter(place)) not in ("fpr", "tpr"):
        return None
    found: AveragePoint = average.at(**place, **_asked(material))
    return found


def _with_curves(points: GroupPoints) -> GroupPoints:
    """Only groups that have a curve: those of one class count in pooling, but have no point."""
    has_both = ~(np.isnan(points.fpr[:, 0]) | np.isnan(points.tpr[:, 0]))
    if has_both.all():
        return points
    return GroupPoints(points.fpr[has_both], points.tpr[has_both], points.thresholds[has_both])


def _with_random_cases(
    material: Material, key: str, name: str, positions: Positions, points: MeanPoints
) -> MeanPoints:
    """The same with limits for other readers and other cases, where a reader study has them."""
    limits = rate_limits(material, key, name, positions.at)
    if limits is None:
        return points
    low, high = limits
    if key == "vertical":
        return replace(points, tpr_low=low, tpr_high=high)
    return replace(points, fpr_low=low, fpr_high=high)


def _of_groups(
    material: Material, key: str, average: Any, positions: Positions, own: GroupPoints
) -> MeanPoints:
    """The average and its limits over groups."""
    level = material.settings.confidence_level
    if key not in _HELD:
        return mean_points(average, own, confidence_level=level)
    point = average.at(**{_HELD[key]: positions.at}, confidence_level=level)
    nothing = np.full(positions.at.shape, np.nan)
    limits = []
    for interval in (point.fpr_interval, point.tpr_interval):
        limits += [nothing, nothing] if interval is None else [interval.low, interval.high]
    return MeanPoints(point.fpr, point.tpr, *limits)


def _of_one_curve(
    material: Material, curve: RocCurve, key: str, positions: Positions, own: GroupPoints
) -> MeanPoints:
    """A single curve and its limits over cases; along a slanted line none are known."""
    fpr, tpr = own.fpr[0], own.tpr[0]
    nothing = np.full(fpr.shape, np.nan)
    asked = _of_cases(material, curve)
    if key in SHARED_KEYS:
        level = material.settings.confidence_level
        along = np.searchsorted(curve.fpr + curve.tpr, fpr + tpr - 1e-12)
        of_tpr, of_fpr, _ = cases_at(curve, np.minimum(along, curve.fpr.size - 1))
        return MeanPoints(fpr, tpr, *of_fpr.limits(fpr, level), *of_tpr.limits(tpr, level))
    if key == "vertical" and asked:
        found = curve.tpr_interval(positions.at, **asked)
        return MeanPoints(fpr, tpr, nothing, nothing, found.low, found.high)
    if key == "horizontal" and asked:
        found = curve.fpr_interval(positions.at, **asked)
        return MeanPoints(fpr, tpr, found.low, found.high, nothing, nothing)
    return MeanPoints(fpr, tpr, nothing, nothing, nothing, nothing)


def _area_of_one_curve(material: Material, curve: RocCurve) -> Interval:
    asked = _of_cases(material, curve)
    if not asked:
        return Interval(math.nan, math.nan, material.settings.confidence_level, "bootstrap")
    with material.catching():  # whether it covers what it promises is to be known
        return curve.auc_interval(**asked)


def _of_cases(material: Material, curve: RocCurve) -> dict[str, Any]:
    """How intervals over cases are asked for; nothing for more weighted ones than can be drawn again."""
    if not curve.is_weighted:
        return {"confidence_level": material.settings.confidence_level}
    return {} if curve.thresholds.size > MANY_CASES else _asked(material) | {"method": "bootstrap"}


def mean_points(average: Average, points: GroupPoints, *, confidence_level: float = 0.95) -> MeanPoints:
    """The mean of the groups' points, with Student's t: along the direction, or of each rate by itself.

    Of averages along a direction, of the radial and of the tangent average: those whose groups count the same
    on both axes.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [9, 4, 3, 2]), ([1, 1, 0, 0], [8, 6, 6, 1])])
    >>> average = rs.average(folds, "radial")
    >>> found = mean_points(average, average.group_points([0.5]))
    >>> found.fpr.tolist(), average.at_error_ratio(1, 1).fpr
    ([0.375], 0.375)
    """
    how = How(confidence_level)
    if isinstance(average, DirectionalAverage):
        return _limits_along(average, points, how)
    if not isinstance(average, RadialAverage | TangentAverage):
        raise TypeError(f"groups do not count the same on both axes of the {average.method.label} average")
    rates = [
        spread(rate, average.weights, average.design.test_train_ratio) for rate in (points.fpr, points.tpr)
    ]
    limits: list[Floats] = []
    for name, own in zip(("fpr", "tpr"), rates, strict=True):
        alike = mostly_alike(getattr(points, name))
        limits += average._limits(name, own.mean, own.standard_error, how, alike)
    return MeanPoints(rates[0].mean, rates[1].mean, *limits)


def _limits_along(average: DirectionalAverage, points: GroupPoints, how: How) -> MeanPoints:
    direction = average.direction
    c, s = direction.cosine, direction.sine
    at = c * points.fpr[0] + s * points.tpr[0]
    values = c * points.tpr - s * points.fpr
    found = spread(values, average.weights, average.design.test_train_ratio)
    fpr, tpr = average._turned_back(at, found.mean)
    low, high = average._limits_along(at, found.mean, found.standard_error, how, mostly_alike(values))
    (fpr_high, tpr_low), (fpr_low, tpr_high) = (average._turned_back(at, side) for side in (low, high))
    nothing = np.full(at.shape, np.nan)
    if direction.is_vertical:
        fpr_low = fpr_high = nothing
    if direction.is_horizontal:
        tpr_low = tpr_high = nothing
    return MeanPoints(fpr, tpr, fpr_low, fpr_high, tpr_low, tpr_high)
