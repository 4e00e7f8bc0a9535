"""Which groups thresholds can be tried in, and what chance alone would do there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Floats, Indices, Integers, Mask
from rocsteady.averaging.members import Asker, Members, members_of
from rocsteady.errors import Option, Remedy, RocsteadyError, fail, warn
from rocsteady.options import one_of, one_rate, open_share, whole_number
from rocsteady.points.criteria import Closest, Criterion, EqualErrors, TargetRate, Youden, criterion_of
from rocsteady.points.trials import CasesApart, Plan, Tried, try_own, try_shared, values_of
from rocsteady.results import Result, TableResult, read_only
from rocsteady.scores.columns import Cases
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Told
from rocsteady.statistics.groups import degrees_of_freedom, spread, t_limits, two_sided_quantile
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, percent, printable

_ASKER = Asker(
    takes="thresholds are tried on the rows of a ScoreSet, or of a list of Scores.",
    lacks="there are no scores to try thresholds on.",
    of_one="thresholds are tried for one",
    call="realise({}, TargetRate(fpr=0.01))",
    usual="score_set",
)
_FEWEST_REPEATS = 10
_ENOUGH = 400
"""Groups times repeats: the luck of the split is then small beside what is printed."""
_MOST_CELLS = 2**24
"""Rows times repeats: a single group of very many rows is not dealt hundreds of times for nothing."""


@dataclass(frozen=True, eq=False)
class TriedGroups:
    """The groups that can be tried."""

    score_set: ScoreSet
    names: tuple[str, ...]
    chosen: Indices
    undefined: tuple[str, ...]

    @classmethod
    def of(cls, given: object, undefined: str, split: str, n_parts: int) -> TriedGroups:
        """Those of what was handed over that have enough cases."""
        members = members_of(given, undefined=undefined, asker=_ASKER)
        score_set = members.score_set
        if score_set is None:
            raise fail("RS002.realise-curves", n=len(members), call=_ASKER.typed())
        fewest = np.minimum(score_set.n_positives, score_set.n_negatives)[members.chosen]
        is_small = (fewest < n_parts) & (split == "rows")
        names = tuple(name for name, small in zip(members.names, is_small, strict=True) if not small)
        reasons = _reasons(members, is_small, n_parts)
        if len(names) < (n_parts if split == "groups" else 1):
            raise _nothing_left(members, split, n_parts, reasons)
        if reasons:
            warn("RS255.left-out", unit=members.unit, n=len(reasons), reasons=reasons, n_parts=n_parts)
        return cls(score_set, names, members.chosen[~is_small], members.undefined + reasons)

    def shared_cases(self) -> Integers | None:
        """The case of each row of the set, whatever the order of rows; None if no case is in two groups."""
        cases = self.score_set.cases
        if cases is None:
            return None
        pairs = self._cases_of_groups(cases)
        if np.bincount(pairs % len(cases)).max() == 1:
            return None
        by_name = sorted(
            range(len(cases)), key=lambda i: (str(cases.values[i]), type(cases.values[i]).__name__)
        )
        place = np.empty(len(cases), dtype=np.int64)
        place[by_name] = np.arange(len(cases))
        return place[cases.codes]

    def _cases_of_groups(self, cases: Cases) -> Integers:
        """Every case of every group that is tried, once."""
        pairs = np.concatenate(
            [
                group * np.int64(len(cases)) + cases.codes[start:stop]
                for group, (start, stop) in enumerate(self.offsets)
            ]
        )
        pairs.sort()  # mostly sorted already, and much faster than the hashes of np.unique
        return np.asarray(pairs[np.append(True, pairs[1:] != pairs[:-1])])

    def warn_if_repeated(self) -> None:
        """RS257 if rows are dealt one by one where a group has several of the same case."""
        cases = self.score_set.cases
        if cases is None:
            return
        again = sum(stop - start for start, stop in self.offsets) - self._cases_of_groups(cases).size
        if again:
            warn("RS257.several-rows", n=again)

    def warn_of_cases_apart(self, n_parts: int) -> None:
        """RS259 where cases that several groups share had to be dealt in every group by itself."""
        unit = self.score_set.unit
        fewest = int(np.minimum(self.n_positives, self.n_negatives).min())
        parts = [Option("n_parts", 2)] if n_parts > 2 else []
        warn("RS259.dealt-singly", unit=unit, n_parts=n_parts, fewest=fewest, ways=parts)

    def repeats(self, n_parts: int, split: str) -> int:
        """How often rows are dealt if nobody says: more often where there are few groups."""
        n_groups = len(self.names)
        if split == "groups" and n_parts == n_groups:
            return 1  # every deal holds out the same groups, one by one
        n_rows = sum(stop - start for start, stop in self.offsets)
        affordable = max(_FEWEST_REPEATS, _MOST_CELLS // n_rows)
        return min(max(_FEWEST_REPEATS, -(-_ENOUGH // n_groups)), affordable)

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """First row and end of every group."""
        ends = self.score_set.columns.offsets
        return list(zip(ends[self.chosen].tolist(), ends[self.chosen + 1].tolist(), strict=True))

    @property
    def n_positives(self) -> Integers:
        """Positive rows of every group."""
        return read_only(self.score_set.n_positives[self.chosen])

    @property
    def n_negatives(self) -> Integers:
        """Negative rows of every group."""
        return read_only(self.score_set.n_negatives[self.chosen])

    def _rows_to_set_on(self, criterion: TargetRate, n_parts: int) -> list[Integers]:
        """The two numbers of cases (one more or less) that a part leaves to meet a target on."""
        n = self.n_negatives if criterion.held == "fpr" else self.n_positives
        return [n - n // n_parts, n + (-n // n_parts)]

    def warn_if_coarse(self, plan: Plan) -> None:
        """RS256 if some groups can keep the target only by an empty or a full count."""
        criterion = plan.criterion
        if not isinstance(criterion, TargetRate) or self.score_set.columns.weights is not None:
            return
        target, fewest = criterion.rate, np.minimum(*self._rows_to_set_on(criterion, plan.n_parts))
        kind, kept = "negative", "no false alarm at all"
        is_coarse = (1 / fewest > target) & (target > 0)
        if criterion.held == "tpr":
            kind, kept = "positive", "no positive missed"
            is_coarse = ((fewest - 1) / fewest < target) & (target < 1)
        if is_coarse.any():
            unit, n = self.score_set.unit, int(is_coarse.sum())
            names = [name for name, coarse in zip(self.names, is_coarse, strict=True) if coarse]
            warn(
                "RS256.coarse",
                aim=criterion.aim,
                unit=unit,
                n=n,
                kept=kept,
                kind=kind,
                fewest=int(fewest[is_coarse].min()),
                names=names,
            )

    def exchangeable_rate(self, plan: Plan, *, all_rows: bool) -> float:
        """What FPR or TPR chance alone lets new rows have, on average over groups; NaN without a target."""
        criterion = plan.criterion
        if not isinstance(criterion, TargetRate) or self.score_set.columns.weights is not None:
            return float("nan")
        n = self.n_negatives if criterion.held == "fpr" else self.n_positives
        sizes = self._rows_to_set_on(criterion, plan.n_parts)
        if all_rows:
            rates = expected_rate(criterion, n)
        else:  # n % n_parts parts are one row larger, and leave one row less
            rest = n % plan.n_parts
            larger, smaller = (expected_rate(criterion, size) for size in sizes)
            rates = (rest * smaller + (plan.n_parts - rest) * larger) / plan.n_parts
        weights = n / n.sum() if plan.weigh == "rows" else np.full(n.size, 1 / n.size)
        return float(weights @ rates)


def _reasons(members: Members, is_small: Mask, n_parts: int) -> tuple[str, ...]:
    assert members.score_set is not None
    by_class = (("positive", members.score_set.n_positives), ("negative", members.score_set.n_negatives))
    reasons = []
    for i in np.flatnonzero(is_small):
        few = [
            counted(int(n[members.chosen[i]]), word) for word, n in by_class if n[members.chosen[i]] < n_parts
        ]
        reasons.append(f"{members.names[i]}: {' and '.join(few)}, too few to split")
    return tuple(reasons)


def _nothing_left(members: Members, split: str, n_parts: int, reasons: tuple[str, ...]) -> RocsteadyError:
    n, unit = len(members), members.unit
    if split == "groups":
        return fail("RS079.few-groups", n=n, unit=unit, n_parts=n_parts, names=members.names)
    ways: list[Remedy] = [*([Option("n_parts", 2)] if n_parts > 2 else []), "give more rows"]
    if n > 1:
        both = (Option("threshold", "shared"), ", ", Option("split", "groups"))
        ways.append(["hold out whole groups:  ", *both])
    return fail("RS079.small-groups", unit=unit, n_parts=n_parts, reasons=reasons, ways=ways)


def expected_rate(criterion: TargetRate, n: Integers) -> Floats:
    """The most FPR (the least TPR) of new rows, on average, of a threshold that keeps the target on n cases.

    Examples
    --------
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


_Named = dict[str, Floats]

RATES = ("fpr", "tpr", "value")
_UNEVEN = 1.5
"""Standard deviation of the groups' FPRs over their mean; from about here on intervals were seen to fail."""
_DRAWS = 20_000
"""Weights of groups that are drawn for the interval of a share."""
_BEYOND = 0.5
"""How many groups are imagined at the far end of a share: more would cover more, and say less."""
_ROUNDING = 1e-12
"""Values that differ by less are the same: they were summed from different counts."""


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

    mean: float
    interval: Interval
    standard_error: float
    sd: float
    sd_of_test_rows: float
    sd_between: float
    per_group: Floats
    weights: Floats
    _per_trial: Floats

    def __repr__(self) -> str:
        limits = f"{self.interval.low:.4f} to {self.interval.high:.4f}"
        return f"Attained(mean {self.mean:.4f} ({limits}), sd {self.sd:.4f} over groups)"


def attained_rates(
    plan: Plan, tried: Tried, confidence_level: float, ratio: float = 0.0
) -> dict[str, Attained]:
    """FPR, TPR and value on the rows that thresholds were tried on; ``ratio`` is that of the design."""
    n_positives, n_negatives = tried.n_positives, tried.n_negatives
    trials = _rates(plan.criterion, tried.false_positives, tried.true_positives, n_negatives, n_positives)
    # Every repeat tries every row once: the mean over rows weighs parts of unlike size as they should be.
    counts = (tried.false_positives, tried.true_positives, n_negatives, n_positives)
    of_groups = _rates(plan.criterion, *(numbers.sum(axis=1) for numbers in counts))
    if isinstance(plan.criterion, Closest | EqualErrors):  # curved: the value at mean rates is no mean value
        of_groups["value"] = trials["value"].mean(axis=1)
    sizes = {"fpr": tried.effective_negatives, "tpr": tried.effective_positives}
    if isinstance(plan.criterion, TargetRate):
        sizes["value"] = sizes["tpr" if plan.criterion.held == "fpr" else "fpr"]
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


def _rates(criterion: Criterion, fp: Floats, tp: Floats, n_negatives: Floats, n_positives: Floats) -> _Named:
    fpr, tpr = fp / n_negatives, tp / n_positives
    value = values_of(criterion, fpr, tpr, n_positives / (n_positives + n_negatives))
    return {"fpr": fpr, "tpr": tpr, "value": value}


def warn_if_few_carry(fpr: Attained, unit: str) -> None:
    """RS258 if the FPRs of the groups are so unlike that few groups make their mean."""
    mean, sd = fpr.per_group.mean(), fpr.per_group.std(ddof=min(1, fpr.per_group.size - 1))
    if sd > _UNEVEN * mean:
        half = np.sort(fpr.per_group)[::-1].cumsum() >= fpr.per_group.sum() / 2
        few = int(half.argmax()) + 1
        warn("RS258.few-carry", unit=unit, n=few, n_groups=fpr.per_group.size)


def weighted_mean_interval(
    values: Floats, weights: Floats, confidence_level: float, ratio: float = 0.0, scale: str = "logit"
) -> tuple[float, Interval, float]:
    """The mean over groups, its t interval and its standard error."""
    found = spread(values[:, None], weights, ratio)
    mean, error = float(found.mean[0]), float(found.standard_error[0])
    half = two_sided_quantile("t", confidence_level, degrees_of_freedom(weights)) * error
    low, high = (float(limit) for limit in t_limits(mean, half, scale))
    return mean, Interval(low, high, confidence_level, "logit t" if scale == "logit" else "t"), error


def share_interval(shares: Floats, confidence_level: float) -> Interval:
    """An interval for the mean over groups of what share of trials something happened in.

    Such shares are skewed, and with halves mostly one of two: a t interval is far too narrow where all groups
    happen to agree, down to no width at all. So the groups are weighed at random (the Bayesian bootstrap),
    with half a group of share 0 among them for the lower limit, and of share 1 for the upper. Of groups that
    all have 0 or 1 that lies between the intervals of Jeffreys and of Clopper and Pearson.

    Examples
    --------
    >>> import numpy as np
    >>> share_interval(np.zeros(10), 0.95)
    Interval(0.0000 to 0.2269, confidence level 0.95, bayesian bootstrap)
    """
    tail = (1 - confidence_level) / 2
    method = "bayesian bootstrap"
    if shares.size < 2:
        return Interval(np.nan, np.nan, confidence_level, method)
    stream = np.random.default_rng(0)  # of its own: the limits depend on the shares only, in any order
    weight = beyond = np.zeros(_DRAWS)
    for share, n_groups in zip(*np.unique(shares, return_counts=True), strict=True):
        drawn = stream.standard_gamma(n_groups, size=_DRAWS)
        weight, beyond = weight + drawn, beyond + share * drawn
    imagined = stream.standard_gamma(_BEYOND, size=_DRAWS)
    low = np.quantile(beyond / (weight + imagined), tail)
    high = np.quantile((beyond + imagined) / (weight + imagined), 1 - tail)
    return Interval(float(low), float(high), confidence_level, method)


def spread_over_groups(of_trial: Floats, sizes: Floats | None) -> tuple[float, float, float]:
    """Standard deviation over groups in a trial, the part of the test rows, and what is left.

    Parameters
    ----------
    of_trial : float64 array
        Rates, ``(n_groups, n_trials)``.
    sizes : float64 array, optional
        Test rows behind each rate; without them only the first number is known.

    Examples
    --------
    Two groups of very many rows: all of the spread is real.

    >>> import numpy as np
    >>> spread_over_groups(np.array([[0.1], [0.3]]), np.array([[1e12], [1e12]]))[2].__round__(6)
    0.141421
    """
    n_groups, unknown = len(of_trial), float("nan")
    if n_groups < 2:
        return unknown, unknown, unknown
    whole = float(of_trial.var(axis=0, ddof=1).mean())
    # One test row is 0 or 1 whatever its rate, and tells nothing of its own scatter.
    is_known = np.zeros(n_groups, dtype=np.bool_) if sizes is None else ~(sizes < 2).any(axis=1)
    if sizes is None or is_known.sum() < 2:
        return float(np.sqrt(whole)), unknown, unknown
    known, n = of_trial[is_known], sizes[is_known]
    of_rows = float(np.mean(known * (1 - known) / (n - 1)))
    between = max(float(known.var(axis=0, ddof=1).mean()) - of_rows, 0.0)
    return float(np.sqrt(whole)), float(np.sqrt(of_rows)), float(np.sqrt(between))


def over_budget(criterion: Criterion, tried: Tried, fpr: Floats, tpr: Floats, value: Floats) -> Floats:
    """Whether a group missed the target in a trial: 1 or 0."""
    if isinstance(criterion, TargetRate):  # what may be chosen keeps the target
        return np.asarray(~np.asarray(criterion.permits(fpr, tpr)), dtype=np.float64)
    promised = tried.promised_value
    worse = promised - value if isinstance(criterion, Youden) else value - promised
    return np.asarray(worse > _ROUNDING * np.maximum(np.abs(promised), 1.0), dtype=np.float64)


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
        return super().to_dict() | {"target": str(self.target), "classes": classes}

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
    tried, promise, by_case = _try(groups, plan, threshold, split)
    scores = groups.score_set
    found = attained_rates(plan, tried, confidence_level, scores.design.test_train_ratio)
    over = over_budget(criterion, tried, *(found[name]._per_trial for name in RATES))
    warn_if_few_carry(found["fpr"], scores.unit)
    shares = np.mean(over, axis=1)
    on_part = [mean_of_trials(getattr(tried, f"promised_{name}")) for name in RATES]
    by_chance = [groups.exchangeable_rate(plan, all_rows=whole) for whole in (False, True)]
    return Realised(
        target=criterion,
        threshold=threshold,
        split=split,
        weigh=weigh,
        n_parts=n_parts,
        n_repeats=plan.n_repeats,
        seed=seed,
        by_case=by_case,
        confidence_level=confidence_level,
        unit=scores.unit,
        classes=scores.classes,
        groups=groups.names,
        undefined=groups.undefined,
        **found,
        share_over_budget=float(shares.mean()),
        share_over_budget_interval=share_interval(shares, confidence_level),
        promise=_promised(promise, found),
        promise_on_part=_promised(on_part, found),
        exchangeable_rate=by_chance[0] if threshold == "own" else np.nan,
        exchangeable_rate_all_rows=by_chance[1] if threshold == "own" else np.nan,
        n_positives=groups.n_positives,
        n_negatives=groups.n_negatives,
        _tried=tried,
        _over=over,
    )


def _try(groups: TriedGroups, plan: Plan, threshold: str, split: str) -> tuple[Tried, Floats, bool]:
    """All trials, what thresholds promise, and whether cases were dealt as wholes."""
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


def _promised(per_group: Iterable[Floats], found: Mapping[str, Attained]) -> Promised:
    named = zip(RATES, per_group, strict=True)
    means = {name: np.clip(found[name].weights @ rates, rates.min(), rates.max()) for name, rates in named}
    return Promised(**{name: float(mean) for name, mean in means.items()})
