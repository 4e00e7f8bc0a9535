"""Ten cases: the slide's table, column by column, and what the order of three tied scores does to an area.

The slide applies a threshold "at each unique value", which makes one step of the three cases at 0.85. Its
table makes three, the positive one first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from papers.checks import Check, exact
from papers.reproduction import Tabulated
from papers.slides import printed
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.roc import RocCurve
from rocsteady.results import Result

SECTION = "Ten cases"
TIED = 0.85
FIRST, LAST, ONE_STEP = "positive first", "negatives first", "one step"
ORDERS = (FIRST, "positive in the middle", LAST)
CELLS = ("TP", "FP", "TN", "FN", "TPR", "FPR")


@dataclass(frozen=True)
class Column:
    """A column of the slide's table beside what its threshold gives.

    Attributes
    ----------
    threshold : float
        From the slide.
    shown, counted : tuple
        TP, FP, TN, FN, TPR and FPR: printed, and counted with ``>=``.
    """

    threshold: float
    shown: tuple[float, ...]
    counted: tuple[float, ...]

    @property
    def agrees(self) -> bool:
        """Whether all six numbers are the same."""
        return bool(np.allclose(self.shown, self.counted, rtol=0, atol=1e-12))


@dataclass(frozen=True, eq=False, repr=False)
class TenCases(Result):
    """The ten cases.

    Attributes
    ----------
    columns : tuple of Column
        The slide's eleven.
    printed_area : float
        Under the points of its table.
    areas : mapping
        With the tied cases in one step, and one after the other in each order.
    arrows : tuple of int
        TP, FP, FN and TN at 0.76.
    """

    columns: tuple[Column, ...]
    printed_area: float
    areas: Mapping[str, float]
    arrows: tuple[int, ...]
    _curves: Mapping[str, RocCurve]

    @property
    def curves(self) -> Mapping[str, RocCurve]:
        """The curve in one step, and those of each order."""
        return self._curves

    @property
    def unreachable(self) -> tuple[Column, ...]:
        """The columns that no threshold gives."""
        return tuple(column for column in self.columns if not column.agrees)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {**super().to_dict(), "areas": dict(self.areas)}

    def __repr__(self) -> str:
        return f"TenCases(AUC {self.areas[ONE_STEP]:.2f}, {len(self.unreachable)} columns unreachable)"


def ten_cases() -> TenCases:
    """Count every column, and step through the tied cases in every order."""
    labels, scores = np.array(printed.TEN_LABELS), np.array(printed.TEN_SCORES)
    curve = roc_curve(labels, scores, positive="+")
    columns = []
    for threshold, *shown in printed.TEN_COLUMNS:
        columns.append(Column(threshold, tuple(shown), _counted(curve, threshold)))
    curves = {ONE_STEP: curve}
    tied = np.flatnonzero(scores == TIED)
    for place, name in enumerate(ORDERS):
        apart = scores.copy()
        positive = tied[labels[tied] == "+"]
        negatives = tied[labels[tied] == "-"]
        ranked = np.insert(negatives, place, positive)
        apart[ranked] -= 0.001 * np.arange(ranked.size)  # apart from each other, past no other case
        curves[name] = roc_curve(labels, apart, positive="+")
    points = np.array([column.shown[4:] for column in columns])[::-1]
    tp, fp, tn, fn = _counted(curve, printed.ARROWS[0])[:4]
    return TenCases(
        tuple(columns),
        float(np.sum(np.diff(points[:, 1]) * (points[1:, 0] + points[:-1, 0]) / 2)),
        {name: own.auc for name, own in curves.items()},
        tuple(int(count) for count in (tp, fp, fn, tn)),
        curves,
    )


def _counted(curve: RocCurve, threshold: float) -> tuple[float, ...]:
    rates = curve.rates_at(threshold)
    tp, fp = round(rates.tpr * curve.n_positives), round(rates.fpr * curve.n_negatives)
    return tp, fp, curve.n_negatives - fp, curve.n_positives - tp, rates.tpr, rates.fpr


def checks(found: TenCases, expected: Mapping[str, Any]) -> list[Check]:
    """Every cell of every column that a threshold gives; the areas."""
    results = []
    for column in found.columns:
        if column.threshold == TIED and column in found.unreachable:
            continue  # two of three have a threshold of their own on the slide only
        for name, shown, counted in zip(CELLS, column.shown, column.counted, strict=True):
            results.append(exact(SECTION, f">= {column.threshold:.2f}: {name}", shown, counted))
    results.append(exact(SECTION, "columns that no threshold gives", 2, len(found.unreachable)))
    for name, area in expected["areas"].items():
        results.append(exact(SECTION, f"area, {name}", area, found.areas[name]))
    results.append(
        exact(SECTION, "area under the slide's table", expected["printed area"], found.printed_area)
    )
    mean = float(np.mean([found.areas[name] for name in ORDERS]))
    results.append(exact(SECTION, "mean over the orders is the one step", expected["areas"][ONE_STEP], mean))
    return results


def tabulated(found: TenCases) -> list[Tabulated]:
    """The slide's table turned, with what each threshold gives; and the areas."""
    rows = []
    for column in found.columns:
        tp, fp, tn, fn, tpr, fpr = column.counted
        cells = (f"{tp:g}", f"{fp:g}", f"{tn:g}", f"{fn:g}", f"{tpr:.1f}", f"{fpr:.1f}")
        point = "" if column.agrees else f"TP {column.shown[0]:g}, FP {column.shown[1]:g}"
        rows.append((f">= {column.threshold:.2f}", *cells, point))
    areas = [(name, f"{area:.2f}") for name, area in found.areas.items()]
    return [
        Tabulated(
            "Ten cases: what each threshold of the slide's table gives, and what the slide shows where that "
            "is something else.",
            ("threshold", *CELLS, "slide shows"),
            (("", tuple(rows)),),
        ),
        Tabulated(
            "Ten cases: the area, with the three cases at 0.85 in one step, or one at a time.",
            ("cases at 0.85", "area"),
            (("", tuple(areas)),),
        ),
    ]
