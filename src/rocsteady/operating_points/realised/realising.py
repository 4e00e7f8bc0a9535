"""Realised deployment: set the threshold on some rows, see what it does on others.

A vertical or horizontal average assumes that every group hits its target rate on the very rows the rate is
read from. In use a threshold is set on the rows at hand, and meets new ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.arguments import one_of, one_rate, open_share, whole_number
from rocsteady.counting.results import Result, TableResult
from rocsteady.errors import Option, UsageError
from rocsteady.operating_points.cutoffs.criteria import Criterion, criterion_of
from rocsteady.operating_points.realised.crossfit import Plan, Promise, Tried, try_own, try_shared
from rocsteady.operating_points.realised.groups import TriedGroups
from rocsteady.operating_points.realised.spread import (
    RATES,
    Attained,
    attained_rates,
    over_budget,
    share_interval,
    warn_if_few_carry,
)
from rocsteady.operating_points.realised.words import reading_of
from rocsteady.scores.labels import Classes
from rocsteady.uncertainty.intervals import Interval
from rocsteady.words import counted, percent

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        As asked for.
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
            "promised_fpr": np.mean(t.promised_fpr, axis=1),
            "promised_tpr": np.mean(t.promised_tpr, axis=1),
            "promised_value": np.mean(t.promised_value, axis=1),
            "attained_fpr": self.fpr.per_group,
            "attained_tpr": self.tpr.per_group,
            "attained_value": self.value.per_group,
            "share_over_budget": np.mean(self._over, axis=1),
        }

    def __repr__(self) -> str:
        found = f"fpr {self.fpr.mean:.4f}, tpr {self.tpr.mean:.4f}"
        over = f"{percent(self.share_over_budget)} over budget"
        return (
            f"Realised({self.threshold} thresholds, {counted(len(self.groups), self.unit)}: {found}, {over})"
        )


def realise(
    score_set: object,
    target: object,
    *,
    threshold: str = "own",
    split: str = "rows",
    weigh: str = "groups",
    n_parts: int = 2,
    n_repeats: int = 10,
    seed: int = 0,
    undefined: str = "raise",
    confidence_level: float = 0.95,
) -> Realised:
    """Set thresholds on some rows, try them on the others, and compare with what the curve promised.

    The rows of every group are dealt into parts at random, each class by itself. A threshold is set on all
    parts but one and tried on that one; each part in turn, so that a repeat tries every row once; and all
    again ``n_repeats`` times. Attained rates are means over these trials.

    Parameters
    ----------
    score_set : ScoreSet, or sequence of Scores
        Of one model; the groups.
    target : TargetRate, MinimumCost, "youden", "closest" or "eer"
        What a threshold is set for, as for :func:`choose_cutoff`; of several best thresholds the strictest.
    threshold : {"own", "shared"}
        Every group sets its own, or there is one for all.
    split : {"rows", "groups"}
        For a shared threshold. "rows": set on some rows of all groups, tried on other rows of the same
        groups. "groups": set on some of the groups, tried on the others: what a new group would see.
    weigh : {"groups", "rows"}
        What counts equally, in setting a shared threshold (on the threshold average or on the pooled curve)
        and in all means: the groups, or the rows.
    n_parts : int
        2 sets thresholds on half of the rows; 10 on nine tenths, and leaves one tenth to try them on. A group
        needs as many cases of each class.
    n_repeats, seed : int
        How often rows are dealt anew; the same seed gives the same result. How a group is dealt depends on
        the seed and its name, not on other groups or the order of rows.
    undefined : {"raise", "drop"}
        What to do with groups of one class.
    confidence_level : float
        Of the intervals.

    Returns
    -------
    Realised

    Warns
    -----
    RS255
        Groups with fewer cases of a class than there are parts are left out.
    RS256
        The target is finer than the rows of some groups can show.
    RS257
        A group has several rows of the same case.
    RS258
        Few groups have most of the false alarms, and the interval for the mean FPR is too narrow.

    Notes
    -----
    What is random. Groups are: intervals are for the mean over all groups of which these are a sample, for
    thresholds set on as many rows as here. Under a shared threshold they take the thresholds as they were
    set: they are for the population's mean rate at those thresholds. The mean over repeats only takes the
    luck of the split out of a group's number.

    What is not tried. Rows are dealt at random, so those a threshold is tried on are like those it was set
    on. Rows of next month may not be: drift is not in these numbers.

    How sure. In simulations (a budget of 1 %, 200 negatives and 100 positives per group; 5, 10 and 50 groups)
    intervals of 95 % for the mean FPR and TPR covered 94 % to 96 % with own thresholds, and 95 % to 97 % with
    a shared one where a score means the same in all groups. That of the share over budget covered 95 % to
    99 % with a shared threshold, and 99 % or more with own ones: halves make it wider than it had to be. One
    falls short. Where score levels shift between groups, few groups have most of the false alarms under a
    shared threshold, and the interval for the mean FPR covered 68 %, 72 % and 85 %; RS258 warned in 55 %,
    78 % and all of these samples, and in none where nothing shifts.

    Folds. Where the groups are the folds of a cross-validation, ``threshold="shared", split="groups",
    n_parts=len(score_set), n_repeats=1`` sets a threshold on all folds but one and tries it on that one.

    Half of the rows. A threshold set on half of the rows is further off than one set on all of them, so the
    result is a little worse than deployment with all rows will be; ``n_parts=10`` comes closer.

    What chance alone does. Let a threshold keep FPR <= x on n negatives, k = floor(n x) of which may be
    beyond it. It lies above the (k+1)-th highest negative, so if new negatives are exchangeable with these
    (as they are where parts are dealt at random), the expected FPR is at most (k + 1) / (n + 1): 1.98 % for a
    budget of 1 % on 100 negatives. The threshold is the score of a positive, the last one above that
    negative, so with few positives it is lower: with positives at FPR q_1 < q_2 < ... it is the sum over j of
    (q_j - q_{j-1}) P(Bin(n, q_j) <= k), which tends to the bound as positives fill the gaps. At TPR >= y,
    k = ceil(m y) of m positives must be found, and the expected TPR is k / (m + 1), more if positives are
    tied. Neither holds for weighted rows.

    Spread. ``.sd`` is the spread over groups of what was seen on the test rows. Few test rows scatter by
    themselves: ``.sd_of_test_rows`` is the binomial part (root of the mean of p (1 - p) / (n - 1)), and
    ``.sd_between`` what is left: real differences between groups at the thresholds they use.

    Weights. A row goes to one part with all its weight. So a row of weight 3 is not the same as three rows,
    which would be dealt apart.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import ShiftedDatasets
    >>> hosts = ShiftedDatasets("C-2a", separation=3).draw(40, 100, 200, seed=1, unit="host")
    >>> budget = rs.TargetRate(fpr=0.03)
    >>> own = rs.realise(hosts, budget)
    >>> own
    Realised(own thresholds, 40 hosts: fpr 0.0325, tpr 0.8602, 39.9 % over budget)
    >>> round(own.promise.fpr, 4), round(own.exchangeable_rate, 4)
    (0.0263, 0.0396)
    >>> rs.realise(hosts, rs.TargetRate(tpr=0.9), threshold="shared", split="groups")
    Realised(shared thresholds, 40 hosts: fpr 0.1781, tpr 0.8905, 31.2 % over budget)
    """
    criterion = criterion_of(target)
    one_of("threshold", threshold, ("own", "shared"))
    one_of("split", split, ("rows", "groups"))
    one_of("weigh", weigh, ("groups", "rows"))
    confidence_level = open_share("confidence_level", confidence_level)
    plan = Plan(
        criterion,
        weigh,
        whole_number("n_parts", n_parts, least=2, example=2),
        whole_number("n_repeats", n_repeats, least=1, example=10),
        whole_number("seed", seed, least=0, example=0),
    )
    if threshold == "own" and split == "groups":
        raise UsageError(
            "RS002",
            "a group that is held out has no rows to set its own threshold on.",
            "found: threshold='own', split='groups'",
            Option("split", "rows"),
            Option("threshold", "shared"),
        )
    groups = TriedGroups.of(score_set, undefined, split, plan.n_parts)
    given = (groups.score_set.columns, groups.offsets, groups.names, plan)
    if threshold == "own":
        groups.warn_if_coarse(plan)
        tried, promise = try_own(*given)
    else:
        tried, promise = try_shared(*given, split=split)
    return _result(groups, plan, tried, promise, (threshold, split), confidence_level)


def _result(
    groups: TriedGroups,
    plan: Plan,
    tried: Tried,
    promise: Promise,
    asked: tuple[str, str],
    confidence_level: float,
) -> Realised:
    found = attained_rates(plan, tried, confidence_level)
    over = over_budget(plan.criterion, tried, *(found[name]._per_trial for name in RATES))
    warn_if_few_carry(found["fpr"], groups.score_set.unit)
    shares = np.mean(over, axis=1)
    by_class = {name: found[name].weights for name in RATES}
    on_part = [np.mean(getattr(tried, f"promised_{name}"), axis=1) for name in RATES]
    is_own = asked[0] == "own"
    return Realised(
        target=plan.criterion,
        threshold=asked[0],
        split=asked[1],
        weigh=plan.weigh,
        n_parts=plan.n_parts,
        n_repeats=plan.n_repeats,
        seed=plan.seed,
        confidence_level=confidence_level,
        unit=groups.score_set.unit,
        classes=groups.score_set.classes,
        groups=groups.names,
        undefined=groups.undefined,
        **found,
        share_over_budget=float(shares.mean()),
        share_over_budget_interval=share_interval(shares, confidence_level),
        promise=_promised([getattr(promise, name) for name in RATES], by_class),
        promise_on_part=_promised(on_part, by_class),
        exchangeable_rate=groups.exchangeable_rate(plan, all_rows=False) if is_own else np.nan,
        exchangeable_rate_all_rows=groups.exchangeable_rate(plan, all_rows=True) if is_own else np.nan,
        n_positives=groups.n_positives,
        n_negatives=groups.n_negatives,
        _tried=tried,
        _over=over,
    )


def _promised(per_group: list[Floats], weights: Mapping[str, Floats]) -> Promised:
    means = {name: float(weights[name] @ of_group) for name, of_group in zip(RATES, per_group, strict=True)}
    return Promised(**means)
