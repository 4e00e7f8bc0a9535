"""Thresholds set on some rows and tried on others: in every group by itself, or one for all groups.

Rows are dealt into parts at random: within every group and class, or whole cases or groups at a time. Every
group has a stream of random numbers of its own, made of the seed and the group's name. How its rows are dealt
does then not depend on the other groups, nor on the order of groups or rows; and since rows are dealt by
rank, it does not change when all scores are transformed alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Array, Floats, Indices, Integers, Mask
from rocsteady.averaging.average import members_of
from rocsteady.calling import welcomes
from rocsteady.errors import Option, Remedy, fail, warn
from rocsteady.options import one_of, one_rate, open_share, whole_number
from rocsteady.points.criteria import (
    PLACES,
    AlertBudget,
    Criterion,
    Maximum,
    MinimumCost,
    TargetRate,
    criterion_of,
    strictest_optima,
)
from rocsteady.results import Result, TableResult, read_only
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Told, said
from rocsteady.statistics.groups import mean_share_interval, spread_over_groups, weighted_mean_interval
from rocsteady.statistics.limits import Interval

Parts = NDArray[np.unsignedinteger[Any]]

RATES = ("fpr", "tpr", "value")
_FEWEST_REPEATS = 10
_ENOUGH = 400
"""Groups times repeats: the luck of the split is then small beside what is printed."""
_MOST_CELLS = 2**24
"""Rows times repeats: a single group of very many rows is not dealt hundreds of times for nothing."""

# The results
# -----------


@dataclass(frozen=True, eq=False, repr=False)
class Attained(Result):
    """A rate, or a value, attained on new rows.

    Attributes
    ----------
    mean : float
        Over groups, of each group's mean over trials.
    interval : Interval
        Of the mean, by Student's t; groups are random. NaN for a single group.
    standard_error : float
        Of the mean.
    sd : float
        Spread over groups of what is seen in one trial.
    sd_of_test_rows : float
        The part of it that a small number of test rows makes (binomial); NaN for a value that is no rate.
    sd_between : float
        The rest: how much the groups differ at the thresholds they use; 0 if the test rows explain it all.
    per_group : float64 array
        Each group's mean over trials.
    weights : float64 array
        What each group counts in the mean.
    """

    _line = "mean {mean:.4f} ({interval:.4f}), sd {sd:.4f} over groups"

    mean: float
    interval: Interval
    standard_error: float
    sd: float
    sd_of_test_rows: float
    sd_between: float
    per_group: Floats
    weights: Floats
    _per_trial: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Promised(Result):
    """What thresholds promise on the rows they are set on, on average over groups.

    Attributes
    ----------
    fpr, tpr, value : float
        Rates, and what the criterion reports there (a cost per case for :class:`MinimumCost`).
    """

    _line = "fpr {fpr:.4f}, tpr {tpr:.4f}, value {value:.4g}"

    fpr: float
    tpr: float
    value: float


class _Tried(NamedTuple):
    """What happened in every group (row) at every trial (column); NaN where it was not tried."""

    thresholds: Floats  # set on the other rows
    promised_fpr: Floats  # what those rows say
    promised_tpr: Floats
    promised_value: Floats
    true_positives: Floats  # of the rows it was tried on: counts, or sums of weights
    false_positives: Floats
    n_positives: Floats
    n_negatives: Floats
    effective_positives: Floats  # with weights, how many rows of equal weight would scatter as much (Kish)
    effective_negatives: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Realised(Told, TableResult, sentence="points.realised"):
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

    _line = (
        "{threshold} thresholds, {groups:count {unit}}: fpr {fpr.mean:.4f}, tpr {tpr.mean:.4f}, "
        "{share_over_budget:percent} {_over_what}"
    )

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
    _tried: _Tried
    _over: Floats

    @property
    def thresholds(self) -> Floats:
        """The thresholds of every group (row) in every trial (column)."""
        return self._tried.thresholds

    @property
    def _over_what(self) -> str:
        if isinstance(self.target, TargetRate):
            return "over budget" if self.target.held else "below target"
        return "worse than promised"

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
        return super().to_dict() | {"classes": classes}

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
            "promised_fpr": _mean_of_trials(t.promised_fpr),
            "promised_tpr": _mean_of_trials(t.promised_tpr),
            "promised_value": _mean_of_trials(t.promised_value),
            "attained_fpr": self.fpr.per_group,
            "attained_tpr": self.tpr.per_group,
            "attained_value": self.value.per_group,
            "share_over_budget": np.mean(self._over, axis=1),
        }


def _mean_of_trials(rates: Floats) -> Floats:
    """The mean of each row; rounding does not take it above the budget that every trial kept."""
    return np.asarray(np.clip(np.mean(rates, axis=1), np.min(rates, axis=1), np.max(rates, axis=1)))


# Set here, tried there
# ---------------------


@welcomes("realise(score_set, {'fpr': 0.05})")
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
    parts but one and tried on that one; each part in turn, and all again ``n_repeats`` times. Attained rates
    are means over these trials. Where groups share cases (readers who judge the same patients), a shared
    threshold is set on some cases and tried on others.

    Parameters
    ----------
    score_set : ScoreSet, or sequence of Scores
        Of one model; the groups.
    target : str, Criterion or mapping
        What a threshold is set for, as for :func:`choose_cutoff`. Of several best thresholds the strictest is
        set, but at ``TargetRate(fpr=)`` the loosest, which uses the whole budget.
    threshold : {"own", "shared"}
        Every group sets its own, or there is one for all.
    split : {"rows", "groups"}
        For a shared threshold: set on some rows of all groups, or on some of the groups and tried on the
        others, which is what a new group would see.
    weigh : {"groups", "rows"}
        What counts equally, in setting a shared threshold and in all means.
    n_parts : int
        2 sets thresholds on half of the rows; 10 on nine tenths. A group needs as many cases of each class.
    n_repeats : int, optional
        How often rows are dealt anew: by default 10 times, and more often with fewer than 40 groups (400
        times with one), unless that makes more than 16 million rows.
    seed : int
        How a group is dealt depends on the seed and its name, not on other groups or the order of rows; where
        cases are dealt, on the seed and the names of cases.
    undefined : {"raise", "drop"}
        What to do with groups of one class.
    confidence_level : float
        Of the intervals.

    Returns
    -------
    Realised

    Warns
    -----
    RS255, RS256, RS257, RS258, RS259
        Groups with fewer cases of a class than parts are left out; the target is finer than the rows of some
        groups can show; a group has several rows of a case; few groups have most of the false alarms, and
        the interval for the mean FPR is too narrow; some groups have too few shared cases to deal as wholes.

    Notes
    -----
    Groups are random: intervals are for the mean over all groups of which these are a sample, for thresholds
    set on as many rows as here, a shared one as it was set. The rows tried are like those a threshold was set
    on: drift is not in these numbers. How often intervals cover: docs/coverage.md. What is set, dealt and to
    be expected by chance: docs/operating_points.md.

    A threshold that keeps FPR <= x on n negatives, k = floor(n x), lets at most a share (k + 1) / (n + 1) of
    exchangeable new ones pass, and at least k / (n + 1) if negatives are not tied: 0.99 % to 1.98 % for a
    budget of 1 % on 100 negatives. At TPR >= y on m positives it is at least ceil(m y) / (m + 1).

    Folds of a cross-validation: ``threshold="shared", split="groups", n_parts=len(score_set), n_repeats=1``.

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
    scores, left_out = _that_can_be_split(score_set, undefined, split, n_parts)
    if _is_of_all_rows(criterion, threshold):  # those of a part have almost the same share of positives
        n_positives, n_negatives = (
            Fraction(float(n.sum())) for n in (scores.n_positives, scores.n_negatives)
        )
        n_cases = n_positives + n_negatives
        criterion = criterion.at_prevalence(n_positives / n_cases, float(n_cases))
    if n_repeats is None:  # more often where there are few groups
        affordable = max(_FEWEST_REPEATS, _MOST_CELLS // scores.columns.n_rows)
        n_repeats = min(max(_FEWEST_REPEATS, -(-_ENOUGH // len(scores))), affordable)
        if split == "groups" and n_parts == len(scores):
            n_repeats = 1  # every deal holds out the same groups, one by one
    plan = _Plan(scores, criterion, threshold, split, weigh, n_parts, n_repeats, seed)
    by_case = _dealt_by_case(plan)
    if threshold == "own":
        _warn_if_coarse(plan)
    tried, promise = _try(plan, by_case)
    found = _attained(plan, tried, confidence_level)
    over = _over_budget(criterion, tried, found)
    alarms = found["fpr"].per_group
    if alarms.std(ddof=min(1, alarms.size - 1)) > _UNEVEN * alarms.mean():  # few groups make their mean
        half = np.sort(alarms)[::-1].cumsum() >= alarms.sum() / 2
        warn("RS258.few-carry", unit=scores.unit, n=int(half.argmax()) + 1, n_groups=len(scores))
    shares = np.mean(over, axis=1)
    by_chance = _exchangeable_rates(plan)
    promised = []
    for of_groups in (promise, [_mean_of_trials(rates) for rates in tried[1:4]]):
        means = [
            float(np.clip(found[name].weights @ rates, rates.min(), rates.max()))
            for name, rates in zip(RATES, of_groups, strict=True)
        ]
        promised.append(Promised(*means))
    return Realised(
        target=criterion,
        threshold=threshold,
        split=split,
        weigh=weigh,
        n_parts=n_parts,
        n_repeats=n_repeats,
        seed=seed,
        by_case=by_case is not None,
        confidence_level=confidence_level,
        unit=scores.unit,
        classes=scores.classes,
        groups=scores.names,
        undefined=left_out,
        **found,
        share_over_budget=float(shares.mean()),
        share_over_budget_interval=mean_share_interval(shares, confidence_level),
        promise=promised[0],
        promise_on_part=promised[1],
        exchangeable_rate=by_chance[0],
        exchangeable_rate_all_rows=by_chance[1],
        n_positives=scores.n_positives,
        n_negatives=scores.n_negatives,
        _tried=tried,
        _over=over,
    )


def _is_of_all_rows(criterion: Criterion, threshold: str) -> bool:
    """Whether the share of positives that matters is that of all rows, and not that of a group."""
    if isinstance(criterion, AlertBudget):
        return True
    is_of_counts = isinstance(criterion, Maximum) and callable(criterion.measure)
    is_weighed = criterion.needs_prevalence and not isinstance(criterion, MinimumCost)
    return is_of_counts or (threshold == "shared" and is_weighed)


class _Plan(NamedTuple):
    """Which groups are tried, for what, and how often."""

    scores: ScoreSet
    criterion: Criterion
    threshold: str
    split: str
    weigh: str
    n_parts: int
    n_repeats: int
    seed: int

    def sizes_to_set_on(self) -> tuple[Integers, list[Integers]]:
        """Cases of the class that a target holds, and the two numbers that a part leaves."""
        n = self.scores.n_negatives if self.criterion.held == "fpr" else self.scores.n_positives
        return n, [n - n // self.n_parts, n + (-n // self.n_parts)]


def _that_can_be_split(
    given: object, undefined: str, split: str, n_parts: int
) -> tuple[ScoreSet, tuple[str, ...]]:
    """The groups that have enough cases, else RS079; and those that have not, with the reason (RS255)."""
    members = members_of(given, undefined=undefined, function="realise")
    scores, unit = members.score_set, members.unit
    if scores is None:
        raise fail("RS002.realise-curves", n=len(members))
    scores = scores.take(scores.group_index[members.chosen])
    sizes = {"positive": scores.n_positives, "negative": scores.n_negatives}
    is_small = (np.minimum(*sizes.values()) < n_parts) & (split == "rows")
    reasons = []
    for i in np.flatnonzero(is_small):
        few = {side: int(n[i]) for side, n in sizes.items() if n[i] < n_parts}
        reasons.append(said("points.too_few_to_split", scores.names[i], few))
    if split == "groups" and len(scores) < n_parts:
        raise fail("RS079.few-groups", n=len(scores), unit=unit, n_parts=n_parts, names=scores.names)
    if is_small.all():
        ways: list[Remedy] = [*([Option("n_parts", 2)] if n_parts > 2 else []), "give more rows"]
        if len(scores) > 1:
            both = (Option("threshold", "shared"), ", ", Option("split", "groups"))
            ways.append(["hold out whole groups:  ", *both])
        raise fail("RS079.small-groups", unit=unit, n_parts=n_parts, reasons=reasons, ways=ways)
    if reasons:
        warn("RS255.left-out", unit=unit, n=len(reasons), reasons=tuple(reasons), n_parts=n_parts)
    return scores.take(scores.group_index[~is_small]), members.undefined + tuple(reasons)


def _try(plan: _Plan, by_case: Parts | None) -> tuple[_Tried, Floats]:
    """All trials, and what thresholds promise.

    Groups that share a threshold are tried together: each by itself, or all of them.
    """
    n_groups = len(plan.scores)
    together = [range(i, i + 1) for i in range(n_groups)] if plan.threshold == "own" else [range(n_groups)]
    n_trials = plan.n_repeats * (plan.n_parts if plan.split == "rows" else 1)
    found, promised = np.full((10, n_groups, n_trials), np.nan), np.empty((3, n_groups))
    for members in together:
        rows = _Rows(plan, members)
        promised[:, members] = rows.set_on(np.ones((1, rows.group.size), dtype=np.bool_))[1]
        parts = _dealt(plan, rows, members) if by_case is None else by_case[:, rows.order]
        for trials, tested in _splits(parts, plan.n_parts, len(members)):
            best, promises = rows.set_on(~tested)
            sizes, beyond = rows.counts(tested), rows.counts(tested, stop=rows.ends[best])
            numbers = [beyond, sizes, rows.effective_sizes(tested, sizes)]
            fields = [rows.thresholds[best, None], *promises[:, :, None]]
            fields += [of[:, :, is_positive] for of in numbers for is_positive in (1, 0)]
            own = np.stack(np.broadcast_arrays(*fields)).swapaxes(1, 2)
            if plan.split == "groups":  # a group is tried in one of the parts
                held_out, repeat = sizes[0].any(axis=1), trials[0] // plan.n_parts
                found[:, held_out, repeat] = own[:, held_out, 0]
            else:
                found[:, members.start : members.stop, trials] = own
    return _Tried(*map(read_only, found)), promised


def _dealt_by_case(plan: _Plan) -> Parts | None:
    """The part of each row in every repeat where all rows of a case go to one; None if they need not.

    RS257 for groups with several rows of a case that are dealt singly, RS259 where cases cannot be dealt.
    """
    scores, columns, is_shared = plan.scores, plan.scores.columns, plan.threshold == "shared"
    cases = scores.cases
    if cases is None or plan.split == "groups":
        return None
    group = np.repeat(np.arange(len(scores)), np.diff(columns.offsets))
    pairs = group * np.int64(len(cases)) + cases.codes
    pairs.sort()  # mostly sorted already, and much faster than the hashes of np.unique
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    if is_shared and np.bincount(pairs % len(cases)).max() > 1:
        names = [(str(case), type(case).__name__) for case in cases.values]
        place = _places_by_name(names)[cases.codes]  # by name, whatever the order of rows
        # Cases are moved for one group after the other, by name too.
        cells = 2 * _places_by_name(scores.names)[group] + (columns.labels == columns.positive)
        case, stream = np.unique(place, return_inverse=True)[1], stream_of(plan.seed, "")
        dealt = deal_cases(case, cells, plan.n_parts, plan.n_repeats, stream)
        if dealt is not None:
            return dealt
        fewest = int(np.minimum(scores.n_positives, scores.n_negatives).min())
        ways = [Option("n_parts", 2)] if plan.n_parts > 2 else []
        warn("RS259.dealt-singly", unit=scores.unit, n_parts=plan.n_parts, fewest=fewest, ways=ways)
    if group.size > pairs.size:
        warn("RS257.several-rows", n=group.size - pairs.size)
    return None


def _places_by_name(names: Sequence[Any]) -> Integers:
    """The place that every name has among all of them, sorted."""
    place = np.empty(len(names), dtype=np.int64)
    place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return place


def _warn_if_coarse(plan: _Plan) -> None:
    """RS256 if some groups can keep the target only by an empty or a full count."""
    criterion: Any = plan.criterion
    if not criterion.held or plan.scores.columns.weights is not None:
        return
    is_fpr, fewest = criterion.held == "fpr", np.minimum(*plan.sizes_to_set_on()[1])
    rate = criterion.rate if is_fpr else 1 - criterion.rate
    is_coarse = (1 / fewest > rate) if is_fpr else ((fewest - 1) / fewest < criterion.rate)
    if rate > 0 and is_coarse.any():
        names = [name for name, coarse in zip(plan.scores.names, is_coarse, strict=True) if coarse]
        facts = {"held": criterion.held, "at": criterion.rate}
        facts |= {"n": len(names), "fewest": int(fewest[is_coarse].min())}
        warn("RS256.coarse", **facts, unit=plan.scores.unit, is_fpr=is_fpr, names=names)


# What chance alone does
# ----------------------


def _exchangeable_rates(plan: _Plan) -> tuple[float, float]:
    """What FPR or TPR chance alone lets new rows have if thresholds are set as here, and on all rows."""
    criterion, k = plan.criterion, plan.n_parts
    is_known = plan.threshold == "own" and plan.scores.columns.weights is None
    if not (is_known and isinstance(criterion, TargetRate) and criterion.held):
        return float("nan"), float("nan")
    n, sizes = plan.sizes_to_set_on()
    larger, smaller = (expected_rate(criterion, size) for size in sizes)
    # n % k parts are one row larger, and leave one row less.
    of_part = (n % k * smaller + (k - n % k) * larger) / k
    weights = n / n.sum() if plan.weigh == "rows" else np.full(n.size, 1 / n.size)
    return float(weights @ of_part), float(weights @ expected_rate(criterion, n))


def expected_rate(criterion: TargetRate, n: Integers) -> Floats:
    """The most FPR (the least TPR) of new rows, on average, of a threshold that keeps the target on n cases.

    >>> import numpy as np
    >>> expected_rate(TargetRate(fpr=0.01), np.array([100, 200])).round(4).tolist()
    [0.0198, 0.0149]
    >>> expected_rate(TargetRate(tpr=0.9), np.array([100])).round(4).tolist()
    [0.8911]
    """
    # A count is compared as the rate it is rounded to, as thresholds are.
    if criterion.held == "fpr":
        k = np.floor(n * criterion.rate)
        k += (k + 1) / n <= criterion.rate
        k -= k / n > criterion.rate
        return np.asarray(np.minimum((k + 1) / (n + 1), 1.0))
    k = np.ceil(n * criterion.rate)
    k -= (k - 1) / n >= criterion.rate
    k += k / n < criterion.rate
    return np.asarray(np.maximum(k, 0) / (n + 1))


# What was attained, over groups
# ------------------------------

_UNEVEN = 1.5
"""Standard deviation of the groups' FPRs over their mean; from about here on intervals were seen to fail."""
_ROUNDING = 1e-12
"""Values that differ by less are the same: they were summed from different counts."""


def _attained(plan: _Plan, tried: _Tried, confidence_level: float) -> dict[str, Attained]:
    """FPR, TPR and value on the rows that thresholds were tried on."""
    criterion, ratio = plan.criterion, plan.scores.design.test_train_ratio

    def rates(fp: Floats, tp: Floats, n_negatives: Floats, n_positives: Floats) -> dict[str, Floats]:
        fpr, tpr = fp / n_negatives, tp / n_positives
        value = criterion.values(fpr, tpr, n_positives / (n_positives + n_negatives))
        return {"fpr": fpr, "tpr": tpr, "value": value}

    n_positives, n_negatives = tried.n_positives, tried.n_negatives
    counts = (tried.false_positives, tried.true_positives, n_negatives, n_positives)
    trials = rates(*counts)
    # Every repeat tries every row once: the mean over rows weighs parts of unlike size as they should be.
    of_groups = rates(*(numbers.sum(axis=1) for numbers in counts))
    if criterion.is_curved:
        of_groups["value"] = trials["value"].mean(axis=1)
    sizes = {"fpr": tried.effective_negatives, "tpr": tried.effective_positives}
    if criterion.held:
        sizes["value"] = sizes["tpr" if criterion.held == "fpr" else "fpr"]
    rows = {"fpr": n_negatives, "tpr": n_positives, "value": n_positives + n_negatives}
    found = {}
    for name, values in of_groups.items():
        own = rows[name].sum(axis=1) if plan.weigh == "rows" else np.ones(len(values))
        weights = own / own.sum()
        scale = "linear" if name == "value" else "logit"
        mean, interval, error = weighted_mean_interval(values, weights, confidence_level, ratio, scale)
        spreads = spread_over_groups(trials[name], sizes.get(name))
        arrays = map(read_only, (values, weights, trials[name]))
        found[name] = Attained(mean, interval, error, *spreads, *arrays)
    return found


def _over_budget(criterion: Criterion, tried: _Tried, found: Mapping[str, Attained]) -> Floats:
    """Whether a group missed the target in a trial: 1 or 0."""
    fpr, tpr, value = (found[name]._per_trial for name in RATES)
    if isinstance(criterion, TargetRate):  # what may be chosen keeps the target
        common = tried.n_positives / (tried.n_positives + tried.n_negatives)
        return np.asarray(~np.asarray(criterion.permits(fpr, tpr, common)), dtype=np.float64)
    promised = tried.promised_value
    worse = promised - value if criterion.is_gain else value - promised
    return np.asarray(worse > _ROUNDING * np.maximum(np.abs(promised), 1.0), dtype=np.float64)


# Dealing rows
# ------------

_BLOCK = 2**21
"""Cells held at once; bounds the memory and does not change the answer."""
_MOVES = 20
"""For each class of each group, how many cases are moved before it is said that cases cannot be dealt."""


def stream_of(seed: int, name: str) -> np.random.Generator:
    """The random numbers of a group: the same whatever other groups there are."""
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    words = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4)]
    return np.random.default_rng(np.random.SeedSequence([seed, *words]))


def deal(n: int, n_parts: int, n_repeats: int, stream: np.random.Generator) -> Parts:
    """The part of each of n cases in every repeat, ``(n_repeats, n)``.

    The parts of a repeat differ in size by one case at most; chance decides which are the larger ones.

    >>> import numpy as np
    >>> dealt = deal(5, 2, 3, np.random.default_rng(0))
    >>> np.sort([np.bincount(parts) for parts in dealt], axis=1).tolist()
    [[2, 3], [2, 3], [2, 3]]
    """
    first = stream.integers(n_parts, size=(n_repeats, 1))
    parts = (np.arange(n) + first) % n_parts
    return stream.permuted(parts.astype(np.min_scalar_type(n_parts)), axis=1)


def deal_rows(is_positive: Mask, n_parts: int, n_repeats: int, stream: np.random.Generator) -> Parts:
    """The part of each row of a group in every repeat; each class is dealt by itself."""
    parts = np.empty((n_repeats, is_positive.size), dtype=np.min_scalar_type(n_parts))
    n_positives = int(np.count_nonzero(is_positive))
    parts[:, is_positive] = deal(n_positives, n_parts, n_repeats, stream)
    parts[:, ~is_positive] = deal(is_positive.size - n_positives, n_parts, n_repeats, stream)
    return parts


def deal_groups(names: Sequence[str], n_parts: int, n_repeats: int, seed: int) -> Parts:
    """The part of each group in every repeat, whatever their order."""
    return deal(len(names), n_parts, n_repeats, stream_of(seed, ""))[:, _places_by_name(names)]


def deal_cases(
    cases: Integers, cells: Integers, n_parts: int, n_repeats: int, stream: np.random.Generator
) -> Parts | None:
    """The part of each row in every repeat where all rows of a case share one; None if that cannot be.

    Cases (from 0) are dealt by class. Where that leaves a cell (twice the group of a row, and one more for a
    positive) without rows in some part, cases of it are moved there, one by one.

    >>> import numpy as np
    >>> cases, is_positive = np.tile(np.arange(6), 2), np.tile([0, 0, 0, 1, 1, 1], 2)
    >>> dealt = deal_cases(cases, 2 * np.repeat([0, 1], 6) + is_positive, 2, 5, np.random.default_rng(0))
    >>> bool((dealt[:, :6] == dealt[:, 6:]).all())
    True
    """
    has_positive = np.bincount(cases, weights=cells % 2) > 0
    of_cases = deal_rows(has_positive, n_parts, n_repeats, stream)
    if all(_mended(parts, cases, cells, n_parts, stream) for parts in of_cases):
        return np.asarray(of_cases[:, cases])
    return None


def _mended(
    parts: Parts, cases: Integers, cells: Integers, n_parts: int, stream: np.random.Generator
) -> bool:
    """Move cases until every cell has rows in every part; False if that was not found."""
    n_cells = int(cells.max()) + 1
    for _ in range(_MOVES * n_cells):
        counts = np.bincount(cells * n_parts + parts[cases], minlength=n_cells * n_parts)
        table = counts.reshape(n_cells, n_parts)
        lacking = np.argwhere(table == 0)
        if not lacking.size:
            return True
        cell, part = lacking[stream.integers(len(lacking))]
        of_cell = np.unique(cases[cells == cell])
        # From any part that can spare one: always from the fullest, moves could go round in a circle.
        movable = of_cell[table[cell, parts[of_cell]] > 1]
        if not movable.size:
            return False
        parts[stream.choice(movable)] = part
    return False


def _dealt(plan: _Plan, rows: _Rows, members: range) -> Parts:
    """The part of each of these rows in every repeat, rows of every group and class by themselves."""
    if plan.split == "groups":
        return deal_groups(plan.scores.names, plan.n_parts, plan.n_repeats, plan.seed)[:, rows.group]
    parts = np.empty((plan.n_repeats, rows.group.size), dtype=np.min_scalar_type(plan.n_parts))
    by_group = np.argsort(rows.group, kind="stable")
    ends = np.cumsum(np.bincount(rows.group))
    for member, own in zip(members, np.split(by_group, ends[:-1]), strict=True):
        stream = stream_of(plan.seed, plan.scores.names[member])
        parts[:, own] = deal_rows(rows.is_positive[own], plan.n_parts, plan.n_repeats, stream)
    return parts


def _splits(parts: Parts, n_parts: int, n_groups: int) -> Iterator[tuple[Indices, Mask]]:
    """Splits by number, and which rows are tried in each: part 0 of a repeat, part 1, ...

    Those of a group in blocks, so that very many rows need no more memory; of several groups one by one.
    """
    n_splits, n = len(parts) * n_parts, parts.shape[1]
    at_once = max(1, _BLOCK // max(n, 1)) if n_groups == 1 else 1
    for start in range(0, n_splits, at_once):
        splits = np.arange(start, min(start + at_once, n_splits))
        yield splits, parts[splits // n_parts] == (splits % n_parts).astype(parts.dtype)[:, None]


# Setting thresholds
# ------------------

_MOST_SHARES = 2**31
"""Shares of groups are counted in integers if they add up to no more: products of two sums fit 64 bits."""


def vertices_to_set(criterion: Criterion, true_positives: Array, false_positives: Array) -> Indices:
    """The best vertex of many curves at once; a false-alarm budget is used up, else the strictest best.

    Who has a budget of false alarms sets the threshold by the negatives: as loose as the budget allows. The
    strictest threshold with as many hits would be the score of the last positive within the budget, and with
    few positives leave most of it unused. Who has to reach a TPR sets it by the positives: as strict as that
    allows. Both come as close to the rate that is held as the rows allow.

    A vertex may be that of a row that is not counted; the one returned is the first with these counts, which
    is the score of a counted row.

    >>> import numpy as np
    >>> tp, fp = np.array([[0, 0, 1, 1, 1, 1, 2]]), np.array([[0, 1, 1, 2, 3, 4, 4]])
    >>> vertices_to_set(TargetRate(fpr=0.75), tp, fp).tolist()
    [4]
    >>> vertices_to_set(TargetRate(tpr=0.5), tp, fp).tolist()
    [2]
    """
    tp, fp = true_positives, false_positives
    if not criterion.held:
        return strictest_optima(criterion, tp, fp)
    slack = 0.0 if fp.dtype.kind in "iu" else 2 * 10.0**-PLACES  # as where the strictest is looked for
    if criterion.held == "tpr":
        return np.asarray(criterion.permits(0.0, tp / tp[:, -1:] + slack).argmax(axis=1))
    last = np.count_nonzero(criterion.permits(fp / fp[:, -1:] - slack, 1.0), axis=1) - 1
    each = np.arange(last.size)
    before = (tp < tp[each, last, None]) | (fp < fp[each, last, None])
    return np.asarray(np.count_nonzero(before, axis=1))


class _Rows:
    """The rows of groups that share a threshold, strictest score first."""

    def __init__(self, plan: _Plan, members: range) -> None:
        columns = plan.scores.columns
        own = slice(columns.offsets[members.start], columns.offsets[members.stop])
        scores = columns.scores[own]
        weights = None if columns.weights is None else columns.weights[own]
        # Tied rows are not alike if their weights are not: then their order must not be the table's.
        order = np.argsort(scores, kind="stable") if weights is None else np.lexsort((weights, scores))
        self.order = order[::-1] if columns.higher_is_positive else order  # the place that each row had
        self.weights = None if weights is None else weights[self.order]
        ranked = scores[self.order]
        self.ends = np.append(0, np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)) + 1)
        beyond_all = np.inf if columns.higher_is_positive else -np.inf
        # 0.0 is added because a score may be -0.0.
        self.thresholds = np.append(beyond_all, ranked[self.ends[1:] - 1].astype(np.float64) + 0.0)
        self.is_positive = (columns.labels[own] == columns.positive)[self.order]
        sizes = np.diff(columns.offsets[members.start : members.stop + 1])
        self.group = np.repeat(np.arange(len(members)), sizes)[self.order]
        self.cell = 2 * self.group + self.is_positive  # negatives of group 0, its positives, ...
        self.n_cells, self.plan = 2 * len(members), plan

    def counts(self, chosen: Mask, weights: Floats | None = None, stop: Integers | None = None) -> Floats:
        """Rows (or weight) in every cell among the chosen of each split, ``(n_splits, n_groups, 2)``.

        ``stop`` says for each split how many of the strictest rows are looked at.
        """
        weights = self.weights if weights is None else weights
        if stop is not None:
            chosen = chosen & (np.arange(self.cell.size) < stop[:, None])
        cells = (self.cell + self.n_cells * np.arange(len(chosen))[:, None])[chosen]
        of_chosen = None if weights is None else np.broadcast_to(weights, chosen.shape)[chosen]
        counted = np.bincount(cells, of_chosen, minlength=self.n_cells * len(chosen))
        return counted.reshape(len(chosen), -1, 2).astype(np.float64)

    def effective_sizes(self, chosen: Mask, sizes: Floats) -> Floats:
        """How many rows of equal weight would scatter as much as those of every cell (Kish)."""
        if self.weights is None:
            return sizes
        scaled = self.weights / self.weights.max()
        sums, squares = self.counts(chosen, scaled), self.counts(chosen, scaled**2)
        return np.divide(sums**2, squares, out=np.zeros_like(sums), where=squares > 0)

    def set_on(self, chosen: Mask) -> tuple[Indices, Floats]:
        """The best vertex on the chosen rows of every split; the mean FPR, TPR and value there."""
        criterion, sizes = self.plan.criterion, self.counts(chosen)
        best = vertices_to_set(criterion, *self._curves(chosen, sizes))
        beyond = self.counts(chosen, stop=self.ends[best])
        if self.plan.weigh == "rows":
            beyond, sizes = (counts.sum(axis=1, keepdims=True) for counts in (beyond, sizes))
        is_set = sizes[0].sum(axis=1) > 0
        sizes = sizes[:, is_set]
        rates, prevalence = beyond[:, is_set] / sizes, sizes[:, :, 1] / sizes.sum(axis=2)
        fpr, tpr = rates[:, :, 0].mean(axis=1), rates[:, :, 1].mean(axis=1)
        if criterion.is_curved:
            value = criterion.values(fpr, tpr, prevalence.mean(axis=1))
        else:  # groups may differ in prevalence
            value = criterion.values(rates[:, :, 0], rates[:, :, 1], prevalence).mean(axis=1)
        return best, np.stack([fpr, tpr, value])

    def _curves(self, chosen: Mask, sizes: Floats) -> tuple[Array, Array]:
        """What the criterion sees at every threshold: counts, or sums of the groups' shares."""
        if self.n_cells == 2:
            return self._beyond(chosen, self.weights)
        shares = self._shares(sizes[0])
        of_row = shares.ravel()[self.cell] * (1 if self.weights is None else self.weights)
        tp, fp = self._beyond(chosen, None if (shares == 1).all() and self.weights is None else of_row)
        if tp.dtype.kind == "f" and self.plan.criterion.held:
            tp, fp = (np.round(sums / sums[:, -1:], PLACES) for sums in (tp, fp))
        return tp, fp

    def _shares(self, sizes: Floats) -> Array:
        """What a row of each cell counts."""
        if self.plan.weigh == "rows":
            return np.ones(sizes.shape, dtype=np.int64)
        whole = sizes
        if isinstance(self.plan.criterion, MinimumCost) and self.plan.criterion.share is None:
            whole = np.repeat(sizes.sum(axis=1, keepdims=True), 2, axis=1)
        is_set = whole > 0
        if self.weights is None:
            common = lcm(*np.unique(whole[is_set]).astype(np.int64).tolist())
            if common * len(whole) < _MOST_SHARES:
                exact = np.zeros(whole.shape, dtype=np.int64)
                exact[is_set] = common // whole[is_set].astype(np.int64)
                return exact
        return np.divide(1.0, whole, out=np.zeros_like(whole), where=is_set)

    def _beyond(self, chosen: Mask, weights: Array | None) -> tuple[Array, Array]:
        """True and false positives among the chosen rows of each split at every threshold."""
        found = []
        for own in (chosen & self.is_positive, chosen & ~self.is_positive):
            kind: Any = np.int64 if weights is None else weights.dtype
            running = np.zeros((own.shape[0], own.shape[1] + 1), dtype=kind)
            np.cumsum(own if weights is None else np.where(own, weights, 0), axis=1, out=running[:, 1:])
            # Without ties every row ends a threshold, and nothing has to be picked.
            found.append(running if self.ends.size == running.shape[1] else running[:, self.ends])
        return found[0], found[1]
