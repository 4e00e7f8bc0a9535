"""How rows were counted, where they were, and how certain that leaves the numbers of a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.report.summary.points.places import kind_of
from rocsteady.report.summary.points.words import place_label, shown_name
from rocsteady.results import plain_fields
from rocsteady.words import counted

if TYPE_CHECKING:
    from rocsteady.averaging.base import AverageBounds
    from rocsteady.counting.counted import CountedScores
    from rocsteady.report.summary.material import Material

_ENGINES = {"duckdb": "DuckDB", "polars": "Polars", "dask": "Dask", "spark": "Spark"}


@dataclass(frozen=True)
class AreaBounds:
    """Between which values the area under one average certainly lies, of one model."""

    key: str
    model: str
    auc: float
    low: float
    high: float


@dataclass(frozen=True)
class PointBounds:
    """Between which values an operating point certainly lies; None for the rate that is held."""

    label: str
    model: str
    fpr: tuple[float, float] | None
    tpr: tuple[float, float] | None


@dataclass(frozen=True)
class CountingPart:
    """How rows were counted.

    Attributes
    ----------
    engine : str
        What read the rows.
    n_rows, n_cells : int
        Rows that were counted, and what was kept of them.
    auc_bound : float
        How far the AUC of any group can be from the one shown; 0 where curves are exact.
    rate_bound : float
        How far a rate of any group can be where the other is held. The curve that is drawn need not halve the
        distance between the bounds, so it is the whole of it.
    threshold_bound : float
        How far both rates of any group can be at a given threshold; 0 where every distinct score was counted.
    areas : tuple of AreaBounds
        Of the averages; empty where they are exact.
    points : tuple of PointBounds
        Of the operating points of the average that is shown first; empty where it is exact.
    short, sentence, methods : str
        The same in a few words, in sentences, and for a paper.
    """

    engine: str
    n_rows: int
    n_cells: int
    auc_bound: float
    rate_bound: float
    threshold_bound: float
    areas: tuple[AreaBounds, ...]
    points: tuple[PointBounds, ...]
    short: str
    sentence: str
    methods: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self)


def make(material: Material) -> CountingPart | None:
    """The part; None where rows were read one by one."""
    if material.given.counted_from is None:
        return None
    found: CountingPart = material.once(("counting",), lambda: _made(material, material.given.counted_from))
    return found


def threshold_bound(counts: CountedScores) -> float:
    """How far a rate of any group can be off at a threshold: the largest share of a class in one cell.

    Of a cell of one class it is half of that, as its rows are spread.
    """
    cells, widest = counts.cells, 0.0
    inside = ~cells.is_tied & counts.has_curve[cells.member]
    is_spread = ~cells.is_mixed & (counts.how.binning is None)
    known = np.where(is_spread, 0.5, 1.0)[inside]
    for own, totals in ((cells.positives, cells.n_positives), (cells.negatives, cells.n_negatives)):
        if inside.any():
            widest = max(widest, float((known * own[inside] / totals[cells.member[inside]]).max()))
    return widest


def _made(material: Material, counts: CountedScores) -> CountingPart:
    material.settings.say("what is certain of the counts")
    short, sentence, methods = _words(counts, shown_name(material.unit), is_grouped=material.is_grouped)
    areas, points = _bounds(material, counts)
    return CountingPart(
        engine=counts.how.engine,
        n_rows=counts.n_rows,
        n_cells=len(counts.cells),
        auc_bound=counts.auc_bound,
        rate_bound=2 * counts.rate_bound,
        threshold_bound=threshold_bound(counts),
        areas=areas,
        points=points,
        short=short,
        sentence=sentence,
        methods=methods,
    )


def _bounds(
    material: Material, counts: CountedScores
) -> tuple[tuple[AreaBounds, ...], tuple[PointBounds, ...]]:
    """Bounds of every average that is not known exactly, and of the points of the one that is shown first."""
    from rocsteady.averaging.average import average

    if counts.knows_thresholds or material.left_out:
        return (), ()
    found, points = [], []
    for key in material.keys:
        for name in material.names:
            own = counts.model(name) if len(counts.models) > 1 else counts
            made = average(own, material.average(key, name).method, undefined="drop")
            if made.bounds is not None:
                low, high = made.auc_bounds.low, made.auc_bounds.high
                found.append(AreaBounds(key, name, float(material.average(key, name).auc), low, high))
                points += _points(material, made.bounds, name) if key == material.key else []
    return tuple(found), tuple(points)


def _points(material: Material, known: AverageBounds, name: str) -> list[PointBounds]:
    found = []
    for place in material.places:
        kind = kind_of(place)
        if isinstance(place, str) or kind not in ("fpr", "tpr", "threshold", "alerts"):
            continue
        is_own = material.key not in ("threshold", "pooled")
        if is_own and kind == "threshold":  # every group has its own
            continue
        question = "own" if is_own else "shared" if material.key == "threshold" else "pooled"
        label = place_label(place, material.wording, question if material.is_grouped else "single")
        bounds = known.at(kind, place[kind])
        ends = [None if own is None else (float(own.low), float(own.high)) for own in bounds.values()]
        found.append(PointBounds(label, name, *ends))
    return found


def _words(counts: CountedScores, unit: str, *, is_grouped: bool) -> tuple[str, str, str]:
    """In a few words, in sentences, and for a paper."""
    n_cells, rows = counted(len(counts.cells), "cell"), counted(counts.n_rows, "row")
    engine = _ENGINES.get(counts.how.engine, "")
    by = f" by {engine}" if engine else ""
    of_any, no_auc = (f" of any {unit}", f"AUC of a {unit}") if is_grouped else ("", "AUC")
    if counts.knows_thresholds:
        return (
            "every distinct score by itself: exact",
            f"Rows were not read one by one but counted{by}, every distinct score by itself: curves, "
            "averages and rates are exact. What needs single cases is left out.",
            "Empirical ROC curves were used, neither smoothed nor thinned; they were made from "
            f"counts{by} of every distinct score.",
        )
    inside = f"At a given threshold rates can be off by up to {threshold_bound(counts):.2g}"
    if counts.is_exact:
        return (
            "in cells: single curves exact, rates at a threshold not",
            f"Rows were not read one by one but counted{by}: {rows} in {n_cells}, the commoner class "
            "between the scores of the rarer one. Single curves and their AUCs are exact. "
            f"{inside}, because how the rows of a cell are spread is not known; so can averages with one "
            "threshold for all.",
            f"ROC curves are exact; they were made from counts{by} of {rows} in {n_cells}. "
            f"{inside}, and so can averages at a shared threshold.",
        )
    auc, rate = f"{counts.auc_bound:.2g}", f"{2 * counts.rate_bound:.2g}"
    of_one = f" of a {unit}" if is_grouped else ""
    held = f"no {no_auc} can be off by more than {auc}, and no rate{of_one} where the other is held by "
    held = f"{held}more than {rate}"
    if is_grouped:
        inside += (
            ". With one threshold for all, a mean where the other is held can be off by more, within bounds "
        )
        inside += "that are told"
    return (
        f"in cells: AUC{of_any} within \u00b1 {auc}, bounds of rates {rate} apart",
        f"Rows were not read one by one but counted{by}: {rows} in {n_cells} between neighbouring scores. "
        f"Curves run through the middle of what the counts allow: {held}. {inside}. This is certain, and "
        "comes on top of the intervals, which are about chance.",
        f"ROC curves were made from counts{by} of {rows} in {n_cells} between neighbouring scores, and run "
        f"through the middle of their bounds: {held}. {inside}. Intervals do not include this.",
    )
