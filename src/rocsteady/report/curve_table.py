"""One row per curve: whose it is, how many cases it rests on, its AUC and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.curves.curve_set import roc_curves
from rocsteady.results import Result
from rocsteady.scores import ScoreSet
from rocsteady.words import counted


@dataclass(frozen=True)
class CurveRow(Result):
    """One group as one model scored it.

    ``auc``, ``low`` and ``high`` are NaN where a class is missing; the limits also where rows have weights.
    """

    group: str
    model: str
    n_positives: int
    n_negatives: int
    auc: float
    low: float
    high: float

    @property
    def has_curve(self) -> bool:
        """Whether both classes are there."""
        return self.n_positives > 0 and self.n_negatives > 0


@dataclass(frozen=True, repr=False)
class CurveTable(Result):
    """All curves of a score set.

    Attributes
    ----------
    unit : str
        The word for a group.
    rows : tuple of CurveRow
        Models first, as in the score set; groups without a curve are among them.
    mean_auc : dict
        For each model (``""`` if none are named) the mean AUC of its curves.
    n_curves : dict
        For each model the number of curves in that mean.
    confidence_level : float
    """

    unit: str
    rows: tuple[CurveRow, ...]
    mean_auc: dict[str, float]
    n_curves: dict[str, int]
    confidence_level: float

    def __repr__(self) -> str:
        n_curves = sum(self.n_curves.values())
        return f"CurveTable({counted(len(self.rows), 'row')}, {counted(n_curves, 'curve')})"

    def by_group(self) -> dict[str, dict[str, CurveRow]]:
        """The rows by group, then by model."""
        table: dict[str, dict[str, CurveRow]] = {}
        for row in self.rows:
            table.setdefault(row.group, {})[row.model] = row
        return table


def curve_table(score_set: ScoreSet, *, confidence_level: float = 0.95) -> CurveTable:
    """Tabulate the curves of a score set with the AUC of each and its interval.

    Examples
    --------
    >>> from rocsteady.scores import ScoreSet
    >>> folds = ScoreSet.from_folds([([0, 1, 0, 1], [1, 4, 2, 2]), ([0, 0], [2, 6])])
    >>> table = curve_table(folds)
    >>> table
    CurveTable(2 rows, 1 curve)
    >>> table.rows[0].auc, table.rows[1].has_curve
    (0.875, False)
    """
    curves = roc_curves(score_set, undefined="drop")
    has_curve = score_set.has_curve
    values = np.full((len(score_set), 3), np.nan)
    values[has_curve, 0] = curves.auc
    if not curves.is_weighted:
        interval = curves.auc_interval(confidence_level, "guarded")
        values[has_curve, 1], values[has_curve, 2] = interval.low, interval.high
    models = score_set.models or ("",)
    members = [has_curve & (score_set.model_index == index) for index in range(len(models))]
    return CurveTable(
        unit=score_set.unit,
        rows=tuple(_row(score_set, models, member, values[member]) for member in range(len(score_set))),
        mean_auc={
            name: float(values[own, 0].mean()) for name, own in zip(models, members, strict=True) if own.any()
        },
        n_curves={name: int(own.sum()) for name, own in zip(models, members, strict=True)},
        confidence_level=confidence_level,
    )


def _row(score_set: ScoreSet, models: tuple[str, ...], member: int, values: Any) -> CurveRow:
    return CurveRow(
        score_set.groups[score_set.group_index[member]],
        models[score_set.model_index[member]],
        int(score_set.n_positives[member]),
        int(score_set.n_negatives[member]),
        *values.tolist(),
    )
