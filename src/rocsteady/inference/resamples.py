"""What a bootstrap draws: cases, whole groups, or clusters with all their rows; and limits from resamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Indices, Integers
from rocsteady.averaging.average import average
from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.members import Members, members_of
from rocsteady.averaging.methods import AlongDirection, Horizontal, Method, Pooled, Threshold, Vertical
from rocsteady.averaging.shared import SharedThresholdAverage, only_members, rates_of_groups
from rocsteady.counting.table import CountTable
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.measures import Auc, PartialAuc, Statistic
from rocsteady.curves.readings import read_path, vertex_at
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import fail
from rocsteady.options import How
from rocsteady.results import Result
from rocsteady.scores import columns
from rocsteady.scores.columns import Columns, factorize, index_of, read_column, require_one_index, word
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.statistics.groups import error_factor, weighted_mean
from rocsteady.statistics.intervals import logit_limits, t_quantile
from rocsteady.statistics.resampling import (
    Progress,
    RankedCases,
    drawn_counts,
    drawn_means,
    expanded_percentiles,
    ranked_cases,
    resampled_cases,
    resampled_groups,
)
from rocsteady.words import printable

KINDS = ("percentile", "basic", "normal", "t", "logit")
ELSEWHERE = {"perc": "percentile", "quantile": "percentile", "pivotal": "basic", "wald": "normal"}
ELSEWHERE |= {"norm": "normal", "student": "t", "expanded": "percentile", "bca": "percentile"}


@dataclass(frozen=True, eq=False)
class Resamples:
    """Readings of resamples, flat.

    Attributes
    ----------
    estimate : float64 array of (n,)
        What was read off the data.
    values : float64 array of (n_resamples, n)
        What was read off every resample.
    n_drawn : float
        How many groups or clusters of equal weight were drawn; infinite where single cases were.
    df : float
        Degrees of freedom of their t intervals.
    width : float
        The largest value that the statistic can have; 1 but for a raw partial area.
    ratio : float
        What the design adds to the variance of a mean over groups, as a share of that between groups.
    redrawn : int64 array or None
        How many draws of each resample lacked a class and were made again.
    parts : float64 array of (n_groups, n), or None
        What groups add to the readings, if known.
    """

    estimate: Floats
    values: Floats
    n_drawn: float = np.inf
    df: float = np.inf
    width: float = 1.0
    ratio: float = 0.0
    redrawn: Integers | None = None
    parts: Floats | None = None

    @property
    def n_redrawn(self) -> int:
        """Draws of all resamples that were thrown away for lack of a class."""
        return 0 if self.redrawn is None else int(self.redrawn.sum())

    @property
    def draws_whole(self) -> bool:
        """Whether groups or clusters were drawn, and not single cases."""
        return bool(np.isfinite(self.n_drawn))

    @property
    def standard_error(self) -> Floats:
        """The spread of the resamples, which few groups make too small by M / (M - 1); NaN for one group."""
        spread: Floats = np.std(self.values - self.values[0], axis=0, ddof=1)  # exactly 0 where all agree
        if not self.draws_whole:
            return spread
        if not self.n_drawn > 1:
            return np.full(spread.shape, np.nan)
        few = np.sqrt(self.n_drawn / (self.n_drawn - 1))
        return np.asarray(spread * few * error_factor(self.n_drawn, self.ratio))


def limits(found: Resamples, kind: str, confidence_level: float) -> tuple[Floats, Floats]:
    """Lower and upper limits of every reading."""
    if kind in ("percentile", "basic"):
        low, high = _percentiles(found, confidence_level)
        return (low, high) if kind == "percentile" else (2 * found.estimate - high, 2 * found.estimate - low)
    is_t = kind != "normal" and found.draws_whole
    factor = t_quantile(found.df, confidence_level, "t" if is_t else "normal")
    if kind == "logit":
        return _logit(found, factor, confidence_level)
    half = factor * found.standard_error
    return found.estimate - half, found.estimate + half


def _percentiles(found: Resamples, confidence_level: float) -> tuple[Floats, Floats]:
    if found.draws_whole:
        return expanded_percentiles(
            found.values, confidence_level, n_groups=found.n_drawn, df=found.df, ratio=found.ratio
        )
    outside = (1 - confidence_level) / 2
    low, high = np.quantile(found.values, [outside, 1 - outside], axis=0)
    return low, high


def _logit(found: Resamples, factor: float, confidence_level: float) -> tuple[Floats, Floats]:
    """Made on the logit scale, so they stay inside; percentiles for an estimate that is 0 or 1 itself."""
    share = found.estimate / found.width
    inside = (share > 0) & (share < 1)
    low, high = map(np.array, _percentiles(found, confidence_level))
    own = share[inside]
    limits = logit_limits(own, factor * found.standard_error[inside] / found.width)
    low[inside], high[inside] = (found.width * limit for limit in limits)
    return low, high


@dataclass(frozen=True)
class Random:
    """What was drawn: "cases", whole "groups", or "clusters" with all their rows.

    ``is_crossed`` says of clusters whether all groups have the same ones, so that they were drawn for all at
    once; None where the rows of all groups were drawn together.
    """

    kind: str
    n_groups: int
    unit: str
    n_clusters: int = 0
    cluster_unit: str = ""
    is_crossed: bool | None = None


@dataclass(frozen=True, eq=False)
class Wanted:
    """What is read, off which average (None: the mean of the groups' own values), how often."""

    statistic: Statistic
    method: Method | None
    n_resamples: int
    seed: int
    threads: int | None = None
    progress: Progress | None = None

    @property
    def how(self) -> dict[str, Any]:
        """What the kernels are told."""
        return {name: getattr(self, name) for name in ("n_resamples", "seed", "threads", "progress")}

    @property
    def width(self) -> float:
        """The largest value that the statistic can have."""
        raw = isinstance(self.statistic, PartialAuc) and not self.statistic.standardized
        return self.statistic.range[1] - self.statistic.range[0] if raw else 1.0  # type: ignore[attr-defined]


# What is resampled: groups with their rows, or with their counts where rows are gone
# -----------------------------------------------------------------------------------


def sample_of(x: Any, *, undefined: str, all_rows_count: bool, threads: int | None) -> Members:
    """The groups to resample; weighted curves bring their rows along."""
    if isinstance(x, RocCurve):
        x = [x]
    if isinstance(x, tuple) and len(x) == 2 and all(np.ndim(part) == 1 for part in x):
        way = "labels and scores:  bootstrap(Scores(labels, scores))"
        raise fail("RS002.bootstrap-of", found="a pair of arrays", ways=[way])
    if isinstance(x, Sequence) and x and all(isinstance(entry, RocCurve) for entry in x):
        if any(curve._is_hull for curve in x):
            raise fail("RS002.hull-unsure")
        if all(curve._rows is not None for curve in x):
            x = [curve._rows for curve in x]
    if isinstance(x, Sequence) and not isinstance(x, ScoreSet) and len(x) == 1 and isinstance(x[0], Scores):
        x = x[0]
    if isinstance(x, Scores):
        named, patients = x._cases, x._clusters
        alone = np.zeros(x.columns.n_rows, dtype=np.int64)
        whole = set_of_rows(x.columns, x.classes, alone, (x.name or "set 1",))
        x = replace(whole, cases=named, clusters=patients)
    if isinstance(x, Result) and not isinstance(x, CurveSet):
        way = "an average is made again in every resample; name it:  bootstrap(score_set, average='vertical')"
        raise fail("RS002.bootstrap-of", found=repr(x), ways=[way])
    members = members_of(
        x, undefined=undefined, all_rows_count=all_rows_count, threads=threads, function="bootstrap"
    )
    if isinstance(x, CurveSet) and x._rows is not None and x._members is not None:
        return replace(members, score_set=x._rows, chosen=np.asarray(x._members, dtype=np.intp))
    return members


def set_of_rows(
    columns: Columns, classes: Classes, codes: Integers, names: tuple[str, ...], unit: str = "set"
) -> ScoreSet:
    """Rows that were checked already as a set, brought together by the number of their group."""
    order = np.argsort(codes, kind="stable")
    brought = replace(
        columns,
        scores=columns.scores[order],
        labels=columns.labels[order],
        offsets=np.append(0, np.cumsum(np.bincount(codes, minlength=len(names)))),
        weights=None if columns.weights is None else columns.weights[order],
    )
    return ScoreSet(brought, classes, names, np.arange(len(names)), unit=unit)


def in_order_of_names(members: Members) -> Members:
    """The same groups, short names first, so that a shuffled table is resampled alike."""
    whole = members.names if members.score_set is None else members.score_set.names
    order = by_name(whole)
    if (order == np.arange(order.size)).all():
        return members
    chosen_names, table, scores = by_name(members.names), members._table, members.score_set
    if table is not None:  # that of the chosen groups
        rows, offsets = _gathered(table.offsets, chosen_names)
        columns = (table.thresholds[rows], table.true_positives[rows], table.false_positives[rows])
        exact = None if table.exact is None else table.exact[rows]
        table = CountTable(*columns, offsets, table.higher_is_positive, exact)
    if scores is not None:
        c = scores.columns
        rows, offsets = _gathered(c.offsets, order)
        weights = None if c.weights is None else c.weights[rows]
        c = replace(c, scores=c.scores[rows], labels=c.labels[rows], weights=weights, offsets=offsets)
        group_index = scores.group_index[order]
        scores = replace(scores, columns=c, cases=None, clusters=None, group_index=group_index)
        place = np.argsort(order)
        chosen = np.sort(place[members.chosen])
    else:
        chosen = members.chosen
    names = tuple(members.names[i] for i in chosen_names)
    return replace(members, names=names, score_set=scores, chosen=chosen, _table=table)


def by_name(names: Sequence[str]) -> Indices:
    """The order of names: short ones first, so that "fold 10" follows "fold 9"."""
    return np.array(sorted(range(len(names)), key=lambda i: (len(names[i]), names[i])), dtype=np.intp)


def _gathered(offsets: Integers, order: Indices) -> tuple[Integers, Integers]:
    """Rows of blocks in another order, and where each block then starts."""
    sizes = np.diff(offsets)[order]
    starts = np.append(0, np.cumsum(sizes))
    rows = np.arange(starts[-1]) + np.repeat(offsets[:-1][order] - starts[:-1], sizes)
    return rows, starts.astype(np.int64)


def cases_of(members: Members, *, shared: bool, drawn_singly: bool = True) -> RankedCases:
    """The cases of the groups, ranked within their groups or together, in an order that rows do not set.

    Cases of a group and class stand strictest first, so a table that is sorted otherwise is resampled alike.
    Where groups are drawn whole, only weights could tell, by how their sums are rounded.
    """
    scores = members.score_set
    if scores is None:
        cases = _from_counts(members, shared=shared)
    else:
        if members.chosen.size < len(scores):
            scores = only_members(scores, members.chosen)
        cases = ranked_cases(scores, shared=shared)
    if not drawn_singly and cases.positive_weights is None:
        return cases
    return replace(
        cases,
        **_sorted("positive", cases.positive_ranks, cases.positive_offsets, cases.positive_weights),
        **_sorted("negative", cases.negative_ranks, cases.negative_offsets, cases.negative_weights),
    )


def _sorted(side: str, ranks: Integers, offsets: Integers, weights: Floats | None) -> dict[str, Any]:
    """Ranks of one class, rising within every group, and equal ones by their weight."""
    groups = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
    if weights is None:
        span = int(ranks.max(initial=0)) + 1
        return {f"{side}_ranks": np.sort(groups * span + ranks) - groups * span}
    order = np.lexsort((weights, ranks, groups))
    return {f"{side}_ranks": ranks[order], f"{side}_weights": weights[order]}


def _from_counts(members: Members, *, shared: bool) -> RankedCases:
    """One case for each count of curves that have no rows."""
    table = members.table
    if table.true_positives.dtype.kind == "f":
        raise fail("RS038.counts", function="Scores")
    starts, sizes = table.offsets[:-1], np.diff(table.offsets)
    vertex = np.arange(table.thresholds.size)
    ranks = vertex - np.repeat(starts, sizes) - 1
    if shared:
        strict = -table.thresholds if table.higher_is_positive else table.thresholds
        inside = np.ones(vertex.size, dtype=np.bool_)
        inside[starts] = False  # beyond everything, which no case is
        ranks[inside] = np.unique(strict[inside], return_inverse=True)[1]
    columns = []
    for counts in (table.true_positives, table.false_positives):
        steps = np.diff(counts, prepend=0)
        steps[starts] = 0
        columns.append((np.repeat(ranks, steps), np.append(0, np.cumsum(counts[table.offsets[1:] - 1]))))
    (positive, positive_offsets), (negative, negative_offsets) = columns
    return RankedCases(positive, negative, positive_offsets, negative_offsets)


def class_sizes(members: Members) -> tuple[Any, Any]:
    """Cases of either class in every group; a weighted row is one case."""
    if members.score_set is not None:
        return members.score_set.n_positives[members.chosen], members.score_set.n_negatives[members.chosen]
    return members.n_positives, members.n_negatives


# The value of a statistic in every group, and where frozen thresholds are
# ------------------------------------------------------------------------


def own_vertices(members: Members, statistic: Statistic) -> Integers | None:
    """Where every group has the frozen thresholds, ``(n_groups, n)``; None for other statistics."""
    if statistic.hold != "threshold":
        return None
    table, at = members.table, np.atleast_1d(statistic.at)
    blocks = zip(table.offsets[:-1], table.offsets[1:], strict=True)
    found = [vertex_at(table.thresholds[i:j], at, None, table.higher_is_positive)[0] for i, j in blocks]
    return np.array(found, dtype=np.int64)


def shared_vertices(thresholds: Floats, statistic: Statistic, *, higher_is_positive: bool) -> Integers | None:
    """Where the one curve of all groups has the frozen thresholds."""
    if statistic.hold != "threshold":
        return None
    vertex, _ = vertex_at(thresholds, np.atleast_1d(statistic.at), None, higher_is_positive)
    return np.asarray(vertex, dtype=np.int64)


def group_values(members: Members, statistic: Statistic) -> Floats:
    """The statistic of every group's own curve, ``(n_groups, n)``."""
    if isinstance(statistic, Auc):
        return members.auc[:, None]
    at = np.atleast_1d(statistic.at)
    if statistic.hold == "fpr":
        return statistic.resampled(_values_along(members, Vertical(), at))
    if statistic.hold == "tpr":
        return statistic.resampled(0.0 - _values_along(members, Horizontal(), at))
    if statistic.hold == "threshold":
        return statistic.resampled(np.concatenate(rates_of_groups(members.table, at, None), axis=1))
    return np.array([np.ravel(statistic.read(curve)) for curve in members.curves])


def _values_along(members: Members, method: AlongDirection, at: Floats) -> Floats:
    """What every group is worth at positions along a direction."""
    weights = np.full(len(members), 1 / len(members))
    return DirectionalAverage(method, weights, members)._values(at)


def is_mean_of_groups(statistic: Statistic, method: Method | None) -> bool:
    """Whether the average's statistic is the mean of the groups' own."""
    if method is None:
        return True
    if not isinstance(method, AlongDirection):
        return False
    if isinstance(statistic, Auc):
        return True
    hold = statistic.hold
    if isinstance(statistic, PartialAuc):
        hold = "fpr" if statistic.tpr is None else "tpr"
    elif method.jumps_to_mid:
        return False
    return (method.direction.is_vertical and hold == "fpr") or (
        method.direction.is_horizontal and hold == "tpr"
    )


class Polyline:
    """A resampled average: what a statistic is read off."""

    def __init__(self, fpr: Floats, tpr: Floats) -> None:
        self.fpr, self.tpr = fpr, tpr

    @property
    def auc(self) -> float:
        """Area under it."""
        return float(np.sum(np.diff(self.fpr) * (self.tpr[1:] + self.tpr[:-1])) / 2)

    def tpr_at(self, fpr: Any) -> Floats:
        """The upper end of a jump."""
        return read_path(self.fpr, self.tpr, np.asarray(fpr), end="last")

    def fpr_at(self, tpr: Any) -> Floats:
        """The left end of a jump."""
        return read_path(self.tpr, self.fpr, np.asarray(tpr), end="first")


# Draws of cases, and of whole groups
# -----------------------------------
#
# Never of both: the spread between groups already holds the noise of the cases in them.


def drawn_cases(members: Members, wanted: Wanted) -> Resamples:
    """Cases drawn within their group and class; the groups stay as they are."""
    statistic, method = wanted.statistic, wanted.method
    if len(members) == 1 or is_mean_of_groups(statistic, method):
        cases = cases_of(members, shared=False)
        readings = statistic.readings(own_vertices(members, statistic))
        values = resampled_cases(cases, readings, **wanted.how)
        parts = group_values(members, statistic)
        estimate = weighted_mean(parts, np.full(len(members), 1 / len(members)))
        return Resamples(estimate, statistic.resampled(values), width=wanted.width)
    if not isinstance(method, Pooled | Threshold):
        raise fail("RS002.drawn-cases", average="this" if method is None else f"the {method.label}")
    whole = _shared_average(members, method)
    cases = cases_of(members, shared=True)
    if isinstance(method, Threshold) or method.balanced:
        cases = _counting_alike(cases)
    vertices = shared_vertices(whole.thresholds, statistic, higher_is_positive=members.higher_is_positive)
    values = resampled_cases(cases, statistic.readings(vertices), shared=True, **wanted.how)
    estimate = np.ravel(statistic.read(whole))
    return Resamples(estimate, statistic.resampled(values), width=wanted.width)


def drawn_groups(members: Members, wanted: Wanted) -> Resamples:
    """Whole groups drawn with replacement, and the average made anew."""
    statistic, method = wanted.statistic, wanted.method
    if is_mean_of_groups(statistic, method):
        return _means_of_groups(group_values(members, statistic), wanted)
    if isinstance(method, Pooled | Threshold):
        return shared_curve_of_groups(members, method, wanted)
    assert method is not None
    if statistic.hold == "threshold":
        raise fail("RS084.bootstrap", method=method.label, unit=members.unit)
    return _any_average(members, method, wanted)


def _means_of_groups(values: Floats, wanted: Wanted) -> Resamples:
    """Means of the groups' own values."""
    n_groups = values.shape[0]
    weights = np.full(n_groups, 1 / n_groups)
    blocks, done = [], 0
    for counts in drawn_counts(n_groups, wanted.n_resamples, wanted.seed):
        blocks.append(values[0] + drawn_means(values - values[0], weights, counts))  # exact where all agree
        done += counts.shape[0]
        if wanted.progress is not None:
            wanted.progress(done, wanted.n_resamples)
    return Resamples(
        weighted_mean(values, weights),
        np.concatenate(blocks),
        float(n_groups),
        n_groups - 1.0,
        wanted.width,
        parts=values,
    )


def shared_curve_of_groups(members: Members, method: Pooled | Threshold, wanted: Wanted) -> Resamples:
    """The one curve of all groups drawn; a budget is met again in every resample."""
    statistic = wanted.statistic
    whole = _shared_average(members, method)
    vertices = shared_vertices(whole.thresholds, statistic, higher_is_positive=members.higher_is_positive)
    is_pooled = isinstance(method, Pooled) and not method.balanced
    found = resampled_groups(
        cases_of(members, shared=True, drawn_singly=False),
        statistic.readings(vertices),
        average="pooled" if is_pooled else "threshold",
        **wanted.how,
    )
    return Resamples(
        np.ravel(statistic.read(whole)),
        statistic.resampled(found.values),
        whole.effective_groups,
        whole.degrees_of_freedom,
        wanted.width,
        whole.design.test_train_ratio,
        found.redrawn,
    )


def _any_average(members: Members, method: Method, wanted: Wanted) -> Resamples:
    """An average whose curve is made anew from the points that its groups have."""
    statistic, whole = wanted.statistic, _average_of(members, method)
    exact = np.ravel(statistic.read(whole))
    # Resampled curves know some positions only. What that changes in the average itself it changes in them.
    shift = exact - np.ravel(statistic.read(Polyline(*whole._sampled())))
    values: list[Any] = []
    for fpr, tpr in whole._resampled(How(n_resamples=wanted.n_resamples, seed=wanted.seed)):
        values += [np.ravel(statistic.read(Polyline(x, y))) for x, y in zip(fpr, tpr, strict=True)]
        if wanted.progress is not None:
            wanted.progress(len(values), wanted.n_resamples)
    least = -np.inf if getattr(statistic, "standardized", False) else 0.0
    read = np.clip(np.array(values) + shift, least, wanted.width)
    read = read[~np.isnan(read).any(axis=1)]
    return Resamples(
        exact,
        read,
        whole.effective_groups,
        whole.degrees_of_freedom,
        wanted.width,
        whole.design.test_train_ratio,
    )


def _average_of(members: Members, method: Method) -> Average:
    """The average of groups that are known already."""
    given = members.curves if members.score_set is None else members.score_set
    return average(given, method, undefined="drop", threads=members.threads)


def _shared_average(members: Members, method: Pooled | Threshold) -> SharedThresholdAverage:
    whole = _average_of(members, method)
    assert isinstance(whole, SharedThresholdAverage)
    return whole


def _counting_alike(cases: RankedCases) -> RankedCases:
    """Weights of the cases that make every group count the same in each class."""
    made = {}
    for side in ("positive", "negative"):
        offsets, weights = getattr(cases, f"{side}_offsets"), getattr(cases, f"{side}_weights")
        groups = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
        weights = np.ones(groups.size) if weights is None else weights
        made[f"{side}_weights"] = weights / np.bincount(groups, weights, minlength=offsets.size - 1)[groups]
    return replace(cases, **made)


# Draws of clusters: rows that belong together, of one patient or user, are drawn together
# ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Clusters:
    """The cluster of every row as a number, in the order of their names; how many; what they are called."""

    codes: Integers
    n: int
    unit: str = "cluster"


def clusters_of(members: Members, clusters: Any) -> Clusters:
    """The clusters of all rows of the set: as they were named here, else as in the set, else its cases."""
    scores = members.score_set
    if scores is None:
        raise fail("RS058.curves", n=len(members))
    if clusters is not None:
        is_weighted = scores.columns.weights is not None
        return numbered(_flat(scores, clusters), scores.columns.n_rows, is_weighted=is_weighted)
    known = by_name_of_rows(scores.clusters, scores.cases)
    if known is None:
        raise fail("RS058.unnamed")
    return known


def numbered(clusters: Any, n_rows: int, *, is_weighted: bool = False) -> Clusters:
    """Clusters that were named row by row; RS013 or RS058 if they do not fit the rows.

    They are numbered by their names, so that the order of the rows does not matter.

    Examples
    --------
    >>> numbered(["b", "a", "b"], 3).codes.tolist()
    [1, 0, 1]
    """
    column = read_column(clusters, "clusters")
    if len(column) != n_rows:
        n_clusters = len(column)
        raise fail("RS013.clusters", name=None, n_clusters=n_clusters, n_rows=n_rows, is_weighted=is_weighted)
    factor = factorize(column)
    if factor.gaps is not None:
        raise fail("RS058.missing", n=int(factor.gaps.sum()), row=int(factor.gaps.argmax()))
    return Clusters(_by_name(factor.codes, factor.values), len(factor.values))


def by_name_of_rows(clusters: columns.Clusters | None, cases: columns.Cases | None) -> Clusters | None:
    """The clusters that a set knows; without them every case with all its rows is one. None for neither."""
    named: columns.Cases | None = cases if clusters is None else clusters
    if named is None:
        return None
    present, codes = np.unique(named.codes, return_inverse=True)
    names = [named.values[code] for code in present.tolist()]
    unit = "case" if clusters is None else printable(clusters.unit)
    return Clusters(_by_name(codes.reshape(-1), names), len(names), unit)


def _by_name(codes: Integers, names: Sequence[Any]) -> Integers:
    in_order = sorted(range(len(names)), key=lambda i: word(names[i]))
    numbers = np.empty(len(names), dtype=np.int64)
    numbers[in_order] = np.arange(len(names))
    return numbers[codes]


def several_rows(members: Members) -> int:
    """How many clusters (without them: cases) have several rows in one group; 0 where none are named."""
    scores = members.score_set
    named = None if scores is None else scores.cases if scores.clusters is None else scores.clusters
    if scores is None or named is None:
        return 0
    return int(named.with_several_rows(scores.columns.offsets).size)


def require_several(n_clusters: int, n_rows: int) -> None:
    """RS057 where all rows belong together."""
    if n_clusters < 2:
        raise fail("RS057.one-cluster", n=n_rows)


def _flat(scores: ScoreSet, clusters: Any) -> Any:
    """Clusters row by row: one array for a single group, else one for each group."""
    if isinstance(clusters, Mapping):
        missing = [name for name in scores.names if name not in clusters]
        if missing:
            raise fail("RS058.groups-without", missing=missing, unit=scores.unit)
        clusters = [clusters[name] for name in scores.names]
    if len(scores) == 1 and not (_is_nested(clusters) and len(clusters) == 1):
        return clusters
    sizes = np.diff(scores.columns.offsets)
    if not _is_nested(clusters) or len(clusters) != len(scores):
        raise fail("RS058.one-array", n=len(scores), unit=scores.unit)
    arrays = [np.asarray(part) for part in clusters]
    for name, array, size in zip(scores.names, arrays, sizes, strict=True):
        if array.shape != (size,):
            n = array.size
            raise fail("RS013.clusters", name=name, n_clusters=n, n_rows=size, is_weighted=False)
    if len({array.dtype.kind for array in arrays}) > 1:
        arrays = [array.astype(object) for array in arrays]
    return np.concatenate(arrays)


def _is_nested(clusters: Any) -> bool:
    if isinstance(clusters, str | bytes) or not isinstance(clusters, Sequence) or not clusters:
        return False
    return all(np.ndim(part) == 1 for part in clusters)


def drawn_clusters(members: Members, clusters: Any, wanted: Wanted) -> tuple[Resamples, Random]:
    """Whole clusters drawn with replacement within fixed groups; and what was drawn."""
    named = clusters_of(members, clusters)
    scores = members.score_set
    assert scores is not None
    require_several(named.n, named.codes.size)
    if len(members) == 1 or isinstance(wanted.method, Pooled):
        if isinstance(wanted.method, Pooled) and wanted.method.balanced:
            raise fail("RS058.average", method=wanted.method)
        drawn = drawn_rows(scores, named, wanted)
        if len(members) == 1:  # integers know an AUC of exactly 1
            drawn = replace(drawn, estimate=group_values(members, wanted.statistic)[0])
        return drawn, Random("clusters", len(members), members.unit, named.n, named.unit)
    if not is_mean_of_groups(wanted.statistic, wanted.method):
        raise fail("RS058.average", method=wanted.method)
    return _within_groups(members, scores, named, wanted)


def drawn_rows(scores: Scores | ScoreSet, named: Clusters, wanted: Wanted) -> Resamples:
    """The curve of all rows, whose clusters are drawn whole.

    Two models with the same rows, clusters and seed are resampled together.
    """
    names = tuple(map(str, range(named.n)))
    made = set_of_rows(scores.columns, scores.classes, named.codes, names, "cluster")
    members = members_of(made, all_rows_count=True, threads=wanted.threads)
    return shared_curve_of_groups(members, Pooled(), wanted)


def _within_groups(
    members: Members, scores: ScoreSet, named: Clusters, wanted: Wanted
) -> tuple[Resamples, Random]:
    """The mean over groups; clusters drawn for all groups at once if all have the same, else within each."""
    starts, stops = scores.columns.offsets[members.chosen], scores.columns.offsets[members.chosen + 1]
    own = [np.unique(named.codes[i:j], return_inverse=True) for i, j in zip(starts, stops, strict=True)]
    is_crossed = _are_crossed([names for names, _ in own], members)
    found: list[Resamples] = []
    numbered = np.argsort(by_name(members.names))
    for number, member, (names, numbers) in zip(numbered.tolist(), members.chosen, own, strict=True):
        require_several(names.size, numbers.size)
        # The same draws for all groups, or draws of their own.
        seed = wanted.seed
        if not is_crossed:
            seed = int(np.random.SeedSequence((wanted.seed, number)).generate_state(1, np.uint64)[0])
        progress = _share_of(wanted.progress, len(found), len(own))
        part = scores[int(member)].columns
        only = replace(scores, columns=part, cases=None, clusters=None)
        numbers_of_names = Clusters(numbers.reshape(-1), names.size)
        found.append(drawn_rows(only, numbers_of_names, replace(wanted, seed=seed, progress=progress)))
    redrawn = np.array([drawn.redrawn for drawn in found])
    if is_crossed and (redrawn != redrawn[0]).any():
        raise fail("RS058.class-left-out", unit=members.unit)
    sizes = [part.n_drawn for part in found], [part.df for part in found]
    n_drawn, df = (float(min(size) if is_crossed else sum(size)) for size in sizes)
    resamples = Resamples(
        group_values(members, wanted.statistic).mean(axis=0),
        np.mean([part.values for part in found], axis=0),
        n_drawn,
        df,
        wanted.width,
        redrawn=redrawn.sum(axis=0),
    )
    n_clusters = own[0][0].size if is_crossed else sum(names.size for names, _ in own)
    return resamples, Random("clusters", len(members), members.unit, n_clusters, named.unit, is_crossed)


def _are_crossed(clusters: list[Integers], members: Members) -> bool:
    """Whether all groups have the same clusters; RS058 if some do and some do not."""
    if all(np.array_equal(names, clusters[0]) for names in clusters):
        return True
    together = np.concatenate(clusters)
    if np.unique(together).size == together.size:
        return False
    raise fail("RS058.half-crossed", unit=members.unit)


def _share_of(progress: Progress | None, number: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, n: progress(number * n + done, total * n)


def clusters_of_both(both: Sequence[Scores], clusters: Any, *, paired: bool) -> list[Clusters] | None:
    """The clusters of either classifier's rows; None where rows are taken as cases of their own."""
    if clusters is None:
        if paired:  # one of them may not know the cases or the patients
            patients, cases = (_first_known(both, field) for field in ("_clusters", "_cases"))
            named = [by_name_of_rows(patients, cases)] * 2
        else:
            named = [by_name_of_rows(own._clusters, own._cases) for own in both]
        if not any(own is not None and own.n < own.codes.size for own in named):
            return None
        made = [
            Clusters(np.arange(rows.columns.n_rows), rows.columns.n_rows, "row") if own is None else own
            for own, rows in zip(named, both, strict=True)
        ]
    elif paired:
        made = [_numbered(clusters, both[0])] * 2
    else:
        if not isinstance(clusters, list | tuple) or len(clusters) != 2 or np.ndim(clusters[0]) != 1:
            raise fail("RS058.two-sets")
        made = [_numbered(part, own) for part, own in zip(clusters, both, strict=True)]
    for own in made:
        require_several(own.n, own.codes.size)
    return made


def _numbered(clusters: Any, own: Scores) -> Clusters:
    named = numbered(clusters, own.columns.n_rows)
    require_one_index({"label": own._index, "cluster": index_of(clusters)})
    return named


def _first_known(both: Sequence[Scores], field: str) -> Any:
    return next((known for own in both if (known := getattr(own, field)) is not None), None)
