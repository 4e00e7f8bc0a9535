"""What a summary of AUCs over groups holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.results import Result, TableResult
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.showing import Drawn
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, printable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class GroupAucs(TableResult):
    """The AUC of every group and what it counts in a summary.

    Attributes
    ----------
    names : tuple of str
        The groups.
    auc, standard_error : float64 array
        Of each; DeLong's standard error, or what was used in its place (NaN if weighted).
    interval : Interval
        Of each by itself, its cases being random: limits as arrays, those of ``RocCurve.auc_interval()`` at
        the level of the summary. NaN with weights.
    weight : float64 array
        What each counts; they sum to one.
    unit : str
        The word for a group.
    """

    names: tuple[str, ...]
    auc: Floats
    standard_error: Floats
    interval: Interval
    weight: Floats
    unit: str

    def __len__(self) -> int:
        return len(self.names)

    def _columns(self) -> dict[str, Any]:
        numbers = {
            "auc": self.auc,
            "standard_error": self.standard_error,
            "low": self.interval.low,
            "high": self.interval.high,
            "weight": self.weight,
        }
        word = self.unit if self.unit not in numbers else "group"
        return {word: list(self.names)} | numbers

    def __repr__(self) -> str:
        groups = counted(len(self), printable(self.unit))
        return f"GroupAucs({groups}, AUC {self.auc.min():.4f} to {self.auc.max():.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class LogitScale(Result):
    """The same summary before it was brought back from the logit scale, ``log(AUC / (1 - AUC))``.

    Attributes
    ----------
    estimate, standard_error : float
        The centre and its standard error.
    interval : Interval
        Of the centre.
    prediction_interval : Interval or None
        Of the true value of a new group.
    """

    estimate: float
    standard_error: float
    interval: Interval
    prediction_interval: Interval | None

    def __repr__(self) -> str:
        return f"LogitScale({self.estimate:.4f}, standard error {self.standard_error:.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class AucSummary(Drawn, TableResult, figure="forest"):
    """One AUC for many groups, made by :func:`rocsteady.summarize_auc`.

    Attributes
    ----------
    estimate : float
        The mean AUC of the groups; for random effects the median AUC of the groups there are or could be.
    standard_error : float
        Of the estimate. For random effects by the delta method: the interval is made on the logit scale, see
        ``logit``.
    interval : Interval
        Of the estimate; limits of ``"t"`` and ``"nadeau-bengio"`` are not clipped to [0, 1].
    df : float
        Degrees of freedom of the interval; infinite for a normal one.
    prediction_interval : Interval or None
        Where the AUC of a new group is expected: for ``"t"`` the AUC that would be seen in it, for random
        effects its true AUC. None for folds and random splits, which are parts of one data set, and for the
        other methods.
    tau : float or None
        Standard deviation of the groups' true AUCs on the logit scale.
    i_squared : float or None
        The share of an AUC's variance that is between groups, for a group of typical size.
    q, heterogeneity_pvalue : float or None
        Cochran's test of whether the true AUCs differ at all.
    logit : LogitScale or None
        Random effects on the scale they were computed on.
    method, heterogeneity : str
        What was done; how tau was estimated, or None.
    test_train_ratio : float or None
        What ``"t"`` and ``"nadeau-bengio"`` added to 1 / n; None for nothing.
    repeats : int or None
        How often the cross-validation was taken to be repeated.
    design : Design
        How the scores came about.
    random : str
        What the interval takes as random.
    per_group : GroupAucs
        Every group; also the rows of :meth:`to_frame`.
    undefined : tuple of str
        Groups without a curve, and why.
    reading : str
        What the numbers say.
    """

    estimate: float
    standard_error: float
    interval: Interval
    df: float
    method: str
    random: str
    per_group: GroupAucs
    undefined: tuple[str, ...]
    reading: str = ""
    prediction_interval: Interval | None = None
    tau: float | None = None
    i_squared: float | None = None
    q: float | None = None
    heterogeneity_pvalue: float | None = None
    heterogeneity: str | None = None
    logit: LogitScale | None = None
    test_train_ratio: float | None = None
    repeats: int | None = None
    design: Design = ASSUMED

    @property
    def n_groups(self) -> int:
        """How many groups are in it."""
        return len(self.per_group)

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self.per_group.unit

    def _columns(self) -> dict[str, Any]:
        return self.per_group._columns()

    def __repr__(self) -> str:
        groups = counted(self.n_groups, printable(self.unit))
        limits = f"{self.interval.low:.4f} to {self.interval.high:.4f}"
        return f"AucSummary({self.method}, {groups}: AUC {self.estimate:.4f}, {limits})"
