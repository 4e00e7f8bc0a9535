"""What every group shows, and how much of it is the luck of its cases: of one model, or of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.table import curve_moments, delong_covariance
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.measures import RatesAt
from rocsteady.curves.readings import vertex_at
from rocsteady.errors import fail
from rocsteady.inference.bootstrapping.given import by_name
from rocsteady.inference.comparing.matching import members_only
from rocsteady.inference.planning.group_noise import reading_of, variance_of
from rocsteady.inference.planning.measures import Measure, classes_that_matter, is_auc
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.delong import delong_components, delong_variance
from rocsteady.statistics.resampling import RankedCases, ranked_cases, resampled_cases

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroupReadings:
    """One number for each group.

    Attributes
    ----------
    values : float64 array
        The reading of every group, or the first model's less the second's.
    variances : float64 array
        What the cases of every group give it; NaN where a class has a single case.
    means : tuple of float
        The mean of every model.
    method : str
        Where the variances come from.
    """

    values: Floats
    variances: Floats
    means: tuple[float, ...]
    method: str


@dataclass(frozen=True)
class Drawing:
    """How cases are resampled, if they are."""

    n_resamples: int
    seed: int
    threads: int | None = None


def read_groups(
    sets: Sequence[ScoreSet], curves: Sequence[CurveSet], measure: Measure, drawing: Drawing | None
) -> GroupReadings:
    """Read every group of one model, or of two whose cases line up.

    All groups have both classes; ``curves`` are those of the sets. Formulas serve without ``drawing``.
    """
    if drawing is not None:
        return _resampled(sets, curves, measure, drawing)
    if is_auc(measure):
        return _areas(sets, curves)
    if not measure.rate:
        raise fail("RS002.no-formula", measure=measure.label)
    rows = []
    for members in zip(*sets, strict=True):
        read = [reading_of(own, measure) for own in members]
        rows.append([*(reading.value for reading in read), variance_of(read)])
    table = np.array(rows)
    rates = table[:, :-1]
    method = (
        "binomial variance"
        if isinstance(measure.statistic, RatesAt)
        else "binomial variance and slope of the curve"
    )
    return GroupReadings(_differences(rates), table[:, -1], _means(rates), method)


def _means(rates: Floats) -> tuple[float, ...]:
    return tuple(float(mean) for mean in rates.mean(axis=0))


def _differences(rates: Floats) -> Floats:
    return np.asarray(rates[:, 0] - rates[:, 1] if rates.shape[1] == 2 else rates[:, 0])


def _areas(sets: Sequence[ScoreSet], curves: Sequence[CurveSet]) -> GroupReadings:
    """AUCs with DeLong's variances; of a difference, from placements case by case."""
    areas = np.column_stack([own.auc for own in curves])
    if len(sets) == 1:
        table = curves[0].table
        variances = delong_variance(curve_moments(table.true_positives, table.false_positives, table.offsets))
        return GroupReadings(areas[:, 0], variances, _means(areas), "DeLong's variance")
    differences, variances = np.empty(len(areas)), np.empty(len(areas))
    for i, members in enumerate(zip(*sets, strict=True)):
        m = delong_covariance(members)
        spreads = m.positive_difference[0, 1], m.negative_difference[0, 1]
        variances[i] = delong_components(*spreads, m.n_positives, m.n_negatives).sum()
        differences[i] = (int(m.wins[0]) - int(m.wins[1])) / (2 * m.n_positives * m.n_negatives)
    return GroupReadings(differences, variances, _means(areas), "DeLong's variance of paired cases")


def _resampled(
    sets: Sequence[ScoreSet], curves: Sequence[CurveSet], measure: Measure, drawing: Drawing
) -> GroupReadings:
    """Cases are drawn again within every group and class, for two models the same ones.

    Groups are drawn apart, so the variance of the mean over groups is the mean variance of one, over their
    number: one number serves all groups. A single case of a class is drawn again and again and shows no luck,
    so groups that have one are left out of it.
    """
    rates = np.array([[measure.read(curve) for curve in own] for own in curves]).T
    variances = np.full(len(rates), np.nan)
    method = "bootstrap of the cases"
    can_tell = _has_two_cases(sets[0], measure)
    if not can_tell.any():
        return GroupReadings(_differences(rates), variances, _means(rates), method)
    order = by_name(sets[0].groups)
    order = order[can_tell[order]]
    cases = _in_own_order([ranked_cases(members_only(own, order)) for own in sets], sets)
    drawn = []
    for ranked, own in zip(cases, curves, strict=True):
        readings = measure.statistic.readings(_vertices(own, measure, order))
        values = resampled_cases(
            ranked, readings, n_resamples=drawing.n_resamples, seed=drawing.seed, threads=drawing.threads
        )
        drawn.append(measure.statistic.resampled(values)[:, measure.column])
    of_mean = (drawn[0] - drawn[1] if len(drawn) == 2 else drawn[0]).var(ddof=1)
    variances[can_tell] = float(of_mean) * order.size
    return GroupReadings(_differences(rates), variances, _means(rates), method)


def _has_two_cases(own: ScoreSet, measure: Measure) -> NDArray[np.bool_]:
    """Whether each group has two cases of every class that the measure depends on."""
    sizes = {"positives": own.n_positives, "negatives": own.n_negatives}
    few = [sizes[name] < 2 for name in classes_that_matter(measure)]
    return np.asarray(~np.logical_or.reduce(few), dtype=np.bool_)


def _vertices(curves: CurveSet, measure: Measure, order: NDArray[np.intp]) -> NDArray[np.int64] | None:
    """Where every curve has a frozen threshold."""
    if not isinstance(measure.statistic, RatesAt):
        return None
    at = measure.statistic.threshold
    own = [vertex_at(curve.thresholds, at, None, curve.higher_is_positive)[0] for curve in curves]
    return np.array(own, dtype=np.int64)[order, None]


def _in_own_order(cases: list[RankedCases], sets: Sequence[ScoreSet]) -> list[RankedCases]:
    """The same cases, ordered by their ranks: a shuffled table is resampled alike.

    Draws go by position, so all models keep one order; which of them comes first in it is a matter of names.
    """
    by_model = [cases[i] for i in sorted(range(len(sets)), key=lambda i: sets[i].models)]
    orders = []
    for name in ("positive", "negative"):
        offsets = getattr(cases[0], f"{name}_offsets")
        group = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
        keys = [getattr(own, f"{name}_ranks") for own in by_model]
        orders.append(np.lexsort((*keys[::-1], group)))
    return [
        replace(
            own,
            positive_ranks=own.positive_ranks[orders[0]],
            negative_ranks=own.negative_ranks[orders[1]],
        )
        for own in cases
    ]
