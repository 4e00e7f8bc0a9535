"""What is known of thresholds that were tried on new rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.operating_points.cutoffs.criteria import Criterion, TargetRate
from rocsteady.operating_points.realised.crossfit import Tried
from rocsteady.operating_points.realised.spread import RATES, Attained
from rocsteady.operating_points.realised.words import reading_of
from rocsteady.options import one_of, one_rate
from rocsteady.results import Result, TableResult
from rocsteady.scores.labels import Classes
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, percent, printable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Promised(Result):
    """What thresholds promise on the rows they are set on, on average over groups.

    Attributes
    ----------
    fpr, tpr, value : float
        Rates, and what the criterion reports there (a cost per case for :class:`MinimumCost`).
    """

    fpr: float
    tpr: float
    value: float

    def __repr__(self) -> str:
        return f"Promised(fpr {self.fpr:.4f}, tpr {self.tpr:.4f}, value {self.value:.4g})"


@dataclass(frozen=True, eq=False, repr=False)
class Realised(TableResult):
    """What thresholds did on rows they had not seen.

    Attributes
    ----------
    target : Criterion
        What thresholds were set for.
    threshold, split, weigh : str
        As asked for.
    n_parts, n_repeats, seed : int
        As asked for; ``n_repeats`` as it came to be.
    by_case : bool
        Whether all rows of a case went to the same part, since groups share cases.
    groups : tuple of str
        The groups that were tried.
    undefined : tuple of str
        Groups left out, and why.
    fpr, tpr, value : Attained
        What was attained on new rows: ``.mean`` with ``.interval``, ``.sd`` over groups and its parts.
        ``value`` is what the criterion reports: a cost per case, Youden's J, the rate that is free.
    share_over_budget : float
        Share of groups that miss the target on the rows a threshold is tried on: FPR above, TPR below it. For
        criteria without a target: that do worse than the rows promised which their threshold was set on.
    share_over_budget_interval : Interval
        Of that share, groups being random, by the Bayesian bootstrap; it has a width also where all groups
        agree.
    promise : Promised
        What thresholds promise if they are set on all rows: the reading of the curves.
    promise_on_part : Promised
        The same if they are set on some of the rows, as they were here.
    exchangeable_rate : float
        For own thresholds at a :class:`TargetRate`, if only chance tells new rows from old: the most FPR that
        is to be expected (less with few positives), or the least TPR (more if positives are tied); NaN
        otherwise. See :func:`realise`.
    exchangeable_rate_all_rows : float
        The same for thresholds set on all rows.
    thresholds : float64 array
        Of every group (row) in every trial (column).
    reading : str
        The result in plain words.
    """

    target: Criterion
    threshold: str
    split: str
    weigh: str
    n_parts: int
    n_repeats: int
    seed: int
    by_case: bool
    confidence_level: float
    unit: str
    classes: Classes
    groups: tuple[str, ...]
    undefined: tuple[str, ...]
    fpr: Attained
    tpr: Attained
    value: Attained
    share_over_budget: float
    share_over_budget_interval: Interval
    promise: Promised
    promise_on_part: Promised
    exchangeable_rate: float
    exchangeable_rate_all_rows: float
    n_positives: NDArray[Any]
    n_negatives: NDArray[Any]
    _tried: Tried
    _over: Floats

    @property
    def reading(self) -> str:
        """The result in plain words."""
        return reading_of(self)

    @property
    def thresholds(self) -> Floats:
        """The thresholds of every group (row) in every trial (column)."""
        return self._tried.thresholds

    def quantile(self, share: float, rate: str = "fpr") -> float:
        """What this share of groups stays at or below, on the rows a threshold is tried on.

        The scatter of a small number of test rows is in it: it is what one would see, not what one would see
        with very many rows.

        Parameters
        ----------
        share : float
            For example 0.9.
        rate : {"fpr", "tpr", "value"}
            Of what.
        """
        share, rate = one_rate("share", share), one_of("rate", rate, RATES)
        return float(np.quantile(getattr(self, rate)._per_trial, share))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry (infinities as strings, NaN as None)."""
        classes = {"positive": self.classes.positive, "negative": self.classes.negative}
        return super().to_dict() | {
            "target": str(self.target),
            "classes": classes,
            "reading": self.reading,
        }

    def _columns(self) -> Mapping[str, Any]:
        t = self._tried
        with np.errstate(invalid="ignore", over="ignore"):  # thresholds may be infinite, or nearly so
            middle = np.mean(t.thresholds, axis=1)
        return {
            self.unit: np.array(self.groups, dtype=object),
            "n_positives": self.n_positives,
            "n_negatives": self.n_negatives,
            "threshold_mean": middle,
            "threshold_min": np.min(t.thresholds, axis=1),
            "threshold_max": np.max(t.thresholds, axis=1),
            "promised_fpr": mean_of_trials(t.promised_fpr),
            "promised_tpr": mean_of_trials(t.promised_tpr),
            "promised_value": mean_of_trials(t.promised_value),
            "attained_fpr": self.fpr.per_group,
            "attained_tpr": self.tpr.per_group,
            "attained_value": self.value.per_group,
            "share_over_budget": np.mean(self._over, axis=1),
        }

    def __repr__(self) -> str:
        found = f"fpr {self.fpr.mean:.4f}, tpr {self.tpr.mean:.4f}"
        missed = "over budget" if isinstance(self.target, TargetRate) else "worse than promised"
        over = f"{percent(self.share_over_budget)} {missed}"
        groups = counted(len(self.groups), printable(self.unit))
        return f"Realised({self.threshold} thresholds, {groups}: {found}, {over})"


def mean_of_trials(rates: Floats) -> Floats:
    """The mean of each row; rounding does not take it above the budget that every trial kept."""
    return np.asarray(np.clip(np.mean(rates, axis=1), np.min(rates, axis=1), np.max(rates, axis=1)))
