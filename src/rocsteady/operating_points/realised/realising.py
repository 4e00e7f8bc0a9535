"""Realised deployment: set the threshold on some rows, see what it does on others.

A vertical or horizontal average assumes that every group hits its target rate on the very rows the rate is
read from. In use a threshold is set on the rows at hand, and meets new ones.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import fail
from rocsteady.operating_points.cutoffs.criteria import criterion_of
from rocsteady.operating_points.realised.crossfit import CasesApart, Plan, Promise, Tried, try_own, try_shared
from rocsteady.operating_points.realised.groups import TriedGroups
from rocsteady.operating_points.realised.results import Promised, Realised, mean_of_trials
from rocsteady.operating_points.realised.spread import (
    RATES,
    attained_rates,
    over_budget,
    share_interval,
    warn_if_few_carry,
)
from rocsteady.options import one_of, open_share, whole_number

__all__ = ["Promised", "Realised", "realise"]

Floats = NDArray[np.float64]


def realise(
    score_set: object,
    target: object,
    *,
    threshold: str = "own",
    split: str = "rows",
    weigh: str = "groups",
    n_parts: int = 2,
    n_repeats: int | None = None,
    seed: int = 0,
    undefined: str = "raise",
    confidence_level: float = 0.95,
) -> Realised:
    """Set thresholds on some rows, try them on the others, and compare with what the curve promised.

    The rows of every group are dealt into parts at random, each class by itself. A threshold is set on all
    parts but one and tried on that one; each part in turn, so that a repeat tries every row once; and all
    again ``n_repeats`` times. Attained rates are means over these trials. Where groups share cases (readers
    who judge the same patients), a shared threshold is set on some cases and tried on others.

    Parameters
    ----------
    score_set : ScoreSet, or sequence of Scores
        Of one model; the groups.
    target : TargetRate, mapping, MinimumCost, "youden", "closest" or "eer"
        What a threshold is set for, as for :func:`choose_cutoff`; ``{"specificity": 0.95}`` is a target, too.
        Of several best thresholds the strictest is set, but at ``TargetRate(fpr=)`` the loosest, which uses
        the whole budget; see the notes.
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
    n_repeats : int, optional
        How often rows are dealt anew: by default 10 times, and more often with fewer than 40 groups (400
        times with one), unless that makes more than 16 million rows.
    seed : int
        The same seed gives the same result. How a group is dealt depends on the seed and its name, not on
        other groups or the order of rows; where cases are dealt, on the seed and the names of cases.
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
    RS259
        Groups share cases, but some have too few of a class to deal cases as wholes.

    Notes
    -----
    What is random. Groups are: intervals are for the mean over all groups of which these are a sample, for
    thresholds set on as many rows as here. Under a shared threshold they take the thresholds as they were
    set: they are for the population's mean rate at those thresholds. The mean over repeats only takes the
    luck of the split out of a group's number.

    What is not tried. Rows are dealt at random, so those a threshold is tried on are like those it was set
    on. Rows of next month may not be: drift is not in these numbers.

    How sure. In simulations (a budget of 1 %, 200 negatives and 100 positives per group; 5, 10 and 50 groups,
    600 samples each) intervals of 95 % for the mean FPR and TPR covered 94 % to 97 % with own thresholds, and
    94 % to 98 % with a shared one where a score means the same in all groups. That of the share over budget
    covered 95 % to 99 % with a shared threshold, and 99 % or more with own ones: halves make it wider than it
    had to be. One falls short. Where score levels shift between groups, few groups have most of the false
    alarms under a shared threshold, and the interval for the mean FPR covered 66 %, 72 % and 84 %; RS258
    warned in 53 %, 79 % and all of these samples, and in none where nothing shifts.

    Folds. Where the groups are the folds of a cross-validation, ``threshold="shared", split="groups",
    n_parts=len(score_set), n_repeats=1`` sets a threshold on all folds but one and tries it on that one.

    Half of the rows. A threshold set on half of the rows is further off than one set on all of them, so the
    result is a little worse than deployment with all rows will be; ``n_parts=10`` comes closer.

    Which threshold. Who has a budget of false alarms sets the threshold by the negatives: as loose as the
    budget allows. (:func:`choose_cutoff` names the strictest of equally good ones, the score of the last
    positive within the budget; with few positives that leaves most of the budget unused.) Who has to reach a
    TPR sets it by the positives: as strict as that allows. In both cases no other threshold comes closer to
    the rate that is held. The number set is a score that was seen, the last one called positive; all
    thresholds down to the next score would decide the same on these rows, and call more of the new ones
    positive. In a simulation (1000 negatives and 4 positives per group, d' = 3, a budget of 1 %) curves
    promise a TPR of 75 %; thresholds set so attained 73 % at an FPR of 1.01 %, the strictest ones 43 % at
    0.26 %.

    What chance alone does. Let a threshold keep FPR <= x on n negatives, k = floor(n x) of which may be
    beyond it. It is the lowest score above the (k+1)-th highest negative: that of the k-th, or of a positive
    between the two. So if new negatives are exchangeable with these (as they are where parts are dealt at
    random), the expected FPR is at least k / (n + 1) (less if negatives are tied) and at most
    (k + 1) / (n + 1): 0.99 % to 1.98 % for a budget of 1 % on 100 negatives. With positives at FPR
    0 = q_0 < q_1 < q_2 < ... it is k / (n + 1) plus the sum over j >= 1 of
    P(Bin(n, q_j) = k) q_j (1 - (q_{j-1} / q_j)^(k + 1)) / (k + 1), which tends to the upper bound as
    positives fill the gaps. At TPR >= y, k = ceil(m y) of m positives must be found, and the expected TPR is
    k / (m + 1), more if positives are tied. Neither holds for weighted rows.

    Spread. ``.sd`` is the spread over groups of what was seen on the test rows. Few test rows scatter by
    themselves: ``.sd_of_test_rows`` is the binomial part (root of the mean of p (1 - p) / (n - 1)), and
    ``.sd_between`` what is left: real differences between groups at the thresholds they use.

    Cases. Where the cases of rows are named and several groups share them, a shared threshold is set on some
    cases and tried on the others, in all groups: it meets no case that it was set on. Own thresholds meet no
    rows of other groups, so every group is dealt by itself. With ``split="groups"`` other groups (readers)
    are held out, not other cases.

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
    Realised(own thresholds, 40 hosts: fpr 0.0346, tpr 0.8678, 44.7 % over budget)
    >>> round(own.promise.fpr, 4), round(own.exchangeable_rate, 4)
    (0.03, 0.0396)
    >>> rs.realise(hosts, rs.TargetRate(tpr=0.9), threshold="shared", split="groups")
    Realised(shared thresholds, 40 hosts: fpr 0.1781, tpr 0.8905, 31.2 % over budget)
    """
    criterion = criterion_of(target)
    one_of("threshold", threshold, ("own", "shared"))
    one_of("split", split, ("rows", "groups"))
    one_of("weigh", weigh, ("groups", "rows"))
    confidence_level = open_share("confidence_level", confidence_level)
    n_parts = whole_number("n_parts", n_parts, least=2, example=2)
    if n_repeats is not None:
        n_repeats = whole_number("n_repeats", n_repeats, least=1, example=10)
    seed = whole_number("seed", seed, least=0, example=0)
    if threshold == "own" and split == "groups":
        raise fail("RS002.own-of-held-out")
    groups = TriedGroups.of(score_set, undefined, split, n_parts)
    plan = Plan(criterion, weigh, n_parts, n_repeats or groups.repeats(n_parts, split), seed)
    return _result(groups, plan, *_try(groups, plan, threshold, split), (threshold, split), confidence_level)


def _try(groups: TriedGroups, plan: Plan, threshold: str, split: str) -> tuple[Tried, Promise, bool]:
    """All trials, and whether cases were dealt as wholes."""
    given = (groups.score_set.columns, groups.offsets, groups.names, plan)
    if threshold == "own":
        groups.warn_if_repeated()
        groups.warn_if_coarse(plan)
        return *try_own(*given), False
    if split == "groups":
        return *try_shared(*given, split=split), False
    cases = groups.shared_cases()
    if cases is not None:
        try:
            return *try_shared(*given, split=split, cases=cases), True
        except CasesApart:
            groups.warn_of_cases_apart(plan.n_parts)
    groups.warn_if_repeated()
    return *try_shared(*given, split=split), False


def _result(
    groups: TriedGroups,
    plan: Plan,
    tried: Tried,
    promise: Promise,
    by_case: bool,
    asked: tuple[str, str],
    confidence_level: float,
) -> Realised:
    found = attained_rates(plan, tried, confidence_level, groups.score_set.design.test_train_ratio)
    over = over_budget(plan.criterion, tried, *(found[name]._per_trial for name in RATES))
    warn_if_few_carry(found["fpr"], groups.score_set.unit)
    shares = np.mean(over, axis=1)
    by_class = {name: found[name].weights for name in RATES}
    on_part = [mean_of_trials(getattr(tried, f"promised_{name}")) for name in RATES]
    is_own = asked[0] == "own"
    return Realised(
        target=plan.criterion,
        threshold=asked[0],
        split=asked[1],
        weigh=plan.weigh,
        n_parts=plan.n_parts,
        n_repeats=plan.n_repeats,
        seed=plan.seed,
        by_case=by_case,
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
    named = zip(RATES, per_group, strict=True)
    means = {name: np.clip(weights[name] @ rates, rates.min(), rates.max()) for name, rates in named}
    return Promised(**{name: float(mean) for name, mean in means.items()})
