"""``bootstrap``: draw again what is random, and see how a statistic scatters.

Statistics are values of :mod:`rocsteady.curves.statistics`.

Cases are drawn, or whole groups, or clusters with all their rows. Never groups and cases: the spread between
groups already holds the noise of the cases in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.averaging.average import average as average_of
from rocsteady.averaging.average import members_of
from rocsteady.averaging.base import FEWEST_GROUPS, Average, Members
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import (
    AlongDirection,
    Horizontal,
    Method,
    Pooled,
    Threshold,
    Vertical,
    method_of,
)
from rocsteady.averaging.shared_threshold import SharedThresholdAverage, rates_of_groups, vertices_of_groups
from rocsteady.calling import welcomes
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.from_scores import described
from rocsteady.curves.intervals import (
    FEWEST_CASES,
    Band,
    BandEdge,
    Held,
    runs_of,
    warn_of_few,
    warn_short,
)
from rocsteady.curves.readings import Path, vertex_at
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.statistics import Auc, PartialAuc, Statistic, statistic_of
from rocsteady.errors import fail, warn
from rocsteady.inference.matching import by_name
from rocsteady.options import How, one_of, open_share
from rocsteady.results import Result, TableResult
from rocsteady.scores.columns import (
    Cases,
    Clusters,
    Columns,
    factorize,
    index_of,
    read_column,
    require_one_index,
    word,
)
from rocsteady.scores.design import Random
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.showing import Said, Told
from rocsteady.statistics.folds import error_factor
from rocsteady.statistics.groups import weighted_mean
from rocsteady.statistics.limits import Interval, logit_limits, separated_limits, t_quantile, trapezoids
from rocsteady.statistics.resampling import (
    Progress,
    RankedCases,
    Readings,
    drawn_counts,
    drawn_means,
    expanded_percentiles,
    half_width,
    ranked_cases,
    resampled_cases,
    resampled_groups,
    sup_t_factor,
)
from rocsteady.words import printable

KINDS = ("percentile", "basic", "normal", "t", "logit")
_KINDS_ELSEWHERE = {
    **{"perc": "percentile", "quantile": "percentile", "expanded": "percentile", "bca": "percentile"},
    **{"pivotal": "basic", "wald": "normal", "norm": "normal", "student": "t"},
}
_RANDOM = (Random.CASES, Random.GROUPS, Random.CLUSTERS)
_RANDOM_ELSEWHERE = {
    **dict.fromkeys(("dataset", "datasets", "fold", "folds", "group"), "groups"),
    **dict.fromkeys(("row", "rows", "case", "instances", "stratified"), "cases"),
    **dict.fromkeys(("patient", "patients", "cluster"), "clusters"),
}
_RULES = {"logit": "logit", "percentile": "bootstrap"}  # whose coverage was measured; others are as Wald's
_MANY_REDRAWN = 0.05
_NEAR_ONE, _NEAR_ONE_LOGIT, _MANY_GROUPS = 0.07, 0.03, 30
_FEW_MISPLACED, _ALL_IN_ONE = 5, 1.5
_FEWEST_BEYOND = (3, 1)  # on the logit scale; with two the interval covered 90 to 93 %, with one 81 to 89 %
_MUCH_BIAS = 0.15  # standard errors; intervals that promise 95 % were measured to cover 84 to 92 % beyond it


@dataclass(frozen=True, eq=False)
class Resamples:
    """What was read off the data, ``(n,)``, and off every resample, ``(n_resamples, n)``."""

    estimate: Floats
    values: Floats
    n_drawn: float = np.inf  # groups or clusters of equal weight; infinite where single cases were drawn
    df: float = np.inf  # of t intervals
    width: float = 1.0  # the largest value that the statistic can have
    ratio: float = 0.0  # what the design adds to the variance of a mean over groups, as a share of theirs
    redrawn: Integers | None = None  # draws of each resample that lacked a class and were made again
    parts: Floats | None = None  # what groups add to the readings, if known
    separated: tuple[int, int] | None = None  # independent units of either class, at an AUC of 0 or 1

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

    def limits(self, kind: str, confidence_level: float) -> tuple[Floats, Floats]:
        """Lower and upper limits of every reading; at an AUC of 0 or 1 the exact bound."""
        if self.separated is not None:
            return separated_limits(self.estimate, *self.separated, confidence_level)
        factor = np.nan
        if kind in ("normal", "t", "logit"):
            is_t = kind != "normal" and self.draws_whole
            factor = t_quantile(self.df, confidence_level, "t" if is_t else "normal")
        if kind in ("normal", "t"):
            half = factor * self.standard_error
            return self.estimate - half, self.estimate + half
        if self.draws_whole:
            low, high = expanded_percentiles(
                self.values, confidence_level, n_groups=self.n_drawn, df=self.df, ratio=self.ratio
            )
        else:
            outside = (1 - confidence_level) / 2
            low, high = np.quantile(self.values, [outside, 1 - outside], axis=0)
        if kind == "basic":
            return 2 * self.estimate - high, 2 * self.estimate - low
        if kind == "logit":  # which keeps limits inside; percentiles for an estimate that is 0 or 1 itself
            share = self.estimate / self.width
            inside = (share > 0) & (share < 1)
            error = factor * self.standard_error[inside] / self.width
            low, high = np.array(low), np.array(high)
            low[inside], high[inside] = (self.width * own for own in logit_limits(share[inside], error))
        return low, high

    def half_width(self, confidence_level: float, seed: int) -> tuple[Floats, float, Mask]:
        """Half the width of a simultaneous band, its factor in standard errors, and where there is none."""
        if self.parts is not None and self.draws_whole:
            n_groups = self.parts.shape[0]
            how = How(confidence_level, n_resamples=max(self.values.shape[0], 2), seed=seed)
            return half_width(self.parts, np.full(n_groups, 1 / n_groups), how)
        error = self.standard_error
        factor = sup_t_factor(self.values - self.estimate, error, confidence_level)
        return np.where(error > 0, factor * error, np.nan), factor, ~(error > 0)


@dataclass(frozen=True, eq=False, repr=False)
class Bootstrap(Told, TableResult, sentence="inference.bootstrap"):
    """What :func:`rocsteady.bootstrap` found.

    Attributes
    ----------
    statistic : Statistic
        What was read.
    average : str
        What it was read off: ``"curve"`` for one dataset, ``"mean"`` for the mean of the groups' own values,
        or the method of the average.
    estimate : float or array
        Read off the data.
    values : array
        Read off every resample; the first axis are the resamples.
    standard_error, bias : float or array
        The spread of the resamples (times the root of M / (M - 1) where M groups were drawn, which resamples
        scatter too little by), and their mean less the estimate.
    interval : Interval
        The confidence interval asked for; not clipped to [0, 1].
    n_resamples, n_redrawn, seed : int
        Of the resamples; draws without one of the classes were drawn again.
    """

    statistic: Statistic
    average: str
    estimate: Any
    values: Floats
    standard_error: Any
    bias: Any
    interval: Interval
    n_resamples: int
    n_redrawn: int
    seed: int
    _resamples: Resamples
    _method: Method | None
    _kind: str
    _random: Random
    _groups: tuple[int, str]  # how many, and the word for one
    _clusters: tuple[int, str] | None = None
    _are_crossed: bool | None = None  # whether all groups have the same clusters; None if drawn from all rows

    _line = "{statistic.label}{_found}, {n_resamples:thousands} resamples"
    _told = ("random",)
    _untold = ("values",)

    @property
    def _found(self) -> str:
        if np.ndim(self.estimate):
            return ""
        return f" {self.estimate:.4f}, {100 * self.interval.confidence_level:g} % CI {self.interval:.4f}"

    random = Said("inference.drawn")
    """What was taken as random, in words."""

    def interval_of(self, kind: str, confidence_level: float | None = None) -> Interval:
        """An interval of another kind or level, from the same resamples.

        Parameters
        ----------
        kind : {"percentile", "basic", "normal", "t", "logit"}
            As in :func:`rocsteady.bootstrap`.
        confidence_level : float, optional
            That of ``.interval`` if not given.
        """
        return _interval(self._resamples, kind, self._level(confidence_level), np.shape(self.estimate))

    def _level(self, given: float | None) -> float:
        return self.interval.confidence_level if given is None else open_share("confidence_level", given)

    def band(self, kind: str = "pointwise", confidence_level: float | None = None) -> Band:
        """The intervals as a band around the curve, for rates at several rates, ``{"fpr": [...]}``.

        Parameters
        ----------
        kind : {"pointwise", "simultaneous"}
            Limits of each point by itself; or limits that hold the whole curve at once, over the rates that
            were asked for. Those are as many standard errors as the largest deviation of the resamples has.
            Where groups were drawn every resample has its own standard error (maths: studentised).
        confidence_level : float, optional
            That of ``.interval`` if not given.
        """
        one_of("kind", kind, ("pointwise", "simultaneous"))
        level, read = self._level(confidence_level), self.statistic
        if read.hold not in ("fpr", "tpr") or read.is_scalar:
            raise fail("RS002.band", statistic=read.label)
        is_tpr, at = read.hold == "fpr", np.asarray(read.at)
        estimate, order = np.asarray(self.estimate), np.argsort(at, kind="stable")
        if kind == "pointwise":
            factor, left_out = float("nan"), np.zeros(at.size, dtype=np.bool_)
            interval = self.interval_of(self._kind, level)
            low, high = interval.low, interval.high
        else:
            half, factor, left_out = self._resamples.half_width(level, self.seed)
            low, high = estimate - half, estimate + half
        worse, better = (low, high) if is_tpr else (high, low)

        def edge(value: Floats) -> BandEdge:
            pair = (at[order], value[order])
            return BandEdge(*(pair if is_tpr else pair[::-1]))

        return Band(
            lower=edge(worse),
            upper=edge(better),
            middle=edge(estimate),
            kind=kind,
            confidence_level=level,
            factor=factor,
            fpr=(float(at.min()), float(at.max())) if is_tpr else None,
            excluded=runs_of(at[order], left_out[order]),
            _sentence="inference.bootstrap_band",
            _about=self,
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry, without the single resamples."""
        read = {"statistic": self.statistic.label, "names": list(self.statistic.names)}
        return super().to_dict() | read

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"statistic": list(self.statistic.names)}
        for name in ("estimate", "standard_error", "bias"):
            columns[name] = np.ravel(getattr(self, name))
        return columns | {"low": np.ravel(self.interval.low), "high": np.ravel(self.interval.high)}


def _interval(resamples: Resamples, kind: str, level: float, shape: tuple[int, ...]) -> Interval:
    one_of("interval", kind, KINDS, elsewhere=_KINDS_ELSEWHERE)
    if kind == "t" and not resamples.draws_whole:
        raise fail("RS002.t-of-cases")
    low, high = (_shaped(own, shape) for own in resamples.limits(kind, level))
    return Interval(low, high, level, f"bootstrap, {kind}" if resamples.separated is None else "separated")


def _shaped(flat: Floats, shape: tuple[int, ...]) -> Any:
    """A float for one reading, else the array in the shape of the estimate."""
    return float(flat[0]) if shape == () else np.reshape(flat, shape)


@welcomes("bootstrap(Scores(labels, scores))", "bootstrap(score_set)")
def bootstrap(
    x: object,
    statistic: str | Statistic = "auc",
    *,
    random: str | None = None,
    clusters: object = None,
    average: str | Method | None = None,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    interval: str = "logit",
    seed: int = 0,
    undefined: str = "raise",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Bootstrap:
    """Draw again what is random, and see how a statistic scatters.

    Parameters
    ----------
    x : Scores, ScoreSet, RocCurve, CurveSet, or sequence of Scores or RocCurve
        One dataset or many, of one model. Labels and scores: ``Scores(labels, scores)``.
    statistic : "auc", PartialAuc or dict
        Or ``PartialAuc(fpr=(0, 0.1))``, or a place: ``{"fpr": 0.05}`` for the TPR there, ``{"tpr": 0.9}``,
        ``{"specificity": 0.9}`` for the sensitivity, ``{"threshold": 3}`` for both rates, with ``"rate"`` for
        one of them. Rates at several places, ``{"fpr": np.linspace(0.02, 0.5, 100)}``, have a ``.band()``.
    random : {"cases", "groups", "clusters"}, optional
        What is drawn with replacement. ``"groups"`` (the default for many datasets): whole datasets, to speak
        about all datasets of which yours are a sample. ``"cases"`` (the default for one): cases, within their
        dataset and class, to speak about these very datasets. ``"clusters"`` (the default if they are named,
        and for one dataset whose named cases or clusters have several rows): all rows of a patient together.
        Never groups and cases: the spread between groups already holds the noise of their cases, which would
        be counted twice (RS056).
    clusters : array-like, optional
        The patient, user or site of every row; for many datasets one array for each, or a dict by name. If
        left out, those of ``ScoreSet.from_frame(..., cluster=)``; without them each named case is one.
        Clusters that are the same in all datasets are drawn for all at once, others within each.
    average : str or Method, optional
        What the statistic is read off where there are many datasets. By default ``"mean"``, the mean of the
        datasets' own values. ``"pooled"``, ``"threshold"`` and the others are made anew in every resample,
        and a target rate is met again.
    n_resamples, seed : int
        The same seed gives the same resamples on any machine, whatever the order of the rows and groups.
    confidence_level : float
        Between 0 and 1.
    interval : {"logit", "percentile", "basic", "normal", "t"}
        ``"logit"``: the estimate and its standard error on the logit scale, with Student's t where groups or
        clusters are drawn. In simulations it covers best in every design here. ``"percentile"``: where groups
        or clusters are drawn taken further out, as far as Student's t is wider than they scatter (expanded
        percentiles). ``"normal"`` and ``"t"``: the estimate and its standard error as they are. ``"basic"``
        covers least and is there for comparison.
    undefined : {"raise", "drop"}
        What to do about groups with one class; they count in the pooled curve all the same.
    threads : int, optional
        Changes the time only.
    progress : callable, optional
        Called with (done, total), at most ten times a second. Ctrl-C ends the work at once.

    Returns
    -------
    Bootstrap

    Warns
    -----
    RocsteadyWarning
        RS104 if rows of one case are drawn one by one, RS151 at an AUC of 0 or 1, RS155 where its interval
        may cover too little, RS270 for fewer than 100 resamples, RS271 if all are equal, RS272 for few
        groups, RS273 if many had to be drawn again, RS274 for a class with one case, RS295 where few cases
        set the threshold of a rate.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> scores = rs.Scores([1, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.4, 0.3, 0.2, 0.1])
    >>> rs.bootstrap(scores)
    Bootstrap(AUC 0.7812, 95 % CI 0.3237 to 0.9638, 2 000 resamples)

    Ten folds: the folds are drawn, or the cases in these very folds.

    >>> stream, labels = np.random.default_rng(1), np.arange(60) % 2
    >>> folds = rs.ScoreSet.from_folds([(labels, stream.normal(labels, 1)) for _ in range(10)])
    >>> found = rs.bootstrap(folds, {"fpr": 0.1})
    >>> found.random[:25], rs.bootstrap(folds, {"fpr": 0.1}, random="cases").random[:35]
    ('The 10 folds are treated ', 'The cases are treated as a random s')

    Forty patients with two rows each: patients are drawn, with both rows.

    >>> patients, sick = np.repeat(np.arange(40), 2), np.repeat(np.arange(40) % 2, 2)
    >>> found = rs.bootstrap(rs.Scores(sick, stream.normal(sick, 1)), clusters=patients)
    >>> found.random
    'The 40 clusters are treated as a random sample; each is drawn with all its rows.'

    One threshold for all, chosen anew in every resample; and a band around the whole curve.

    >>> print(rs.bootstrap(folds, {"fpr": 0.1}, average="pooled").reading.split(" (")[0])
    The TPR at FPR 10 % of the pooled average of 10 folds is 52.0 %
    >>> rs.bootstrap(folds, {"fpr": np.linspace(0.02, 0.5, 50)}).band("simultaneous")
    Band(simultaneous, confidence level 0.95, fpr 0.02 to 0.5)
    """
    is_known = isinstance(x, Scores | ScoreSet | Result) or isinstance(statistic, str)
    if not is_known and np.ndim(statistic) == 1:  # type: ignore[arg-type]
        found = f"{described(x)} and {described(statistic)}"
        raise fail("RS002.bootstrap-of", found=found, ways=["bootstrap(Scores(labels, scores))"])
    read = statistic_of(statistic)
    how = How(confidence_level, n_resamples=n_resamples, seed=seed, threads=threads)
    one_of("interval", interval, KINDS, elsewhere=_KINDS_ELSEWHERE)
    method = None if average is None or average == "mean" else method_of(average)
    if progress is not None and not callable(progress):
        way, found = "progress=lambda done, total: ...", f"{progress!r:.60}"
        raise fail("RS002.kind", name="progress", kind="a function", found=found, ways=[way])
    what = _what_is_random(random, clusters)
    members = _sample_of(x, undefined=undefined, all_rows_count=isinstance(method, Pooled), threads=threads)
    rows = members.score_set
    together = None if rows is None else rows._together
    if what is None:
        what = Random.GROUPS if len(members) > 1 else Random.CLUSTERS if together else Random.CASES
    if what is Random.CASES and together and rows is not None:
        several = together.with_several_rows(rows.columns.offsets).size
        warn("RS104.singly", of=getattr(together, "unit", "case"), n=several, unit=members.unit)
    if what is Random.CASES and interval == "t":
        raise fail("RS002.t-of-cases")
    if what is not Random.CLUSTERS:
        members = _in_order_of_names(members)
    draw = Draw(members, read, method, how, progress)
    named = n_clusters = are_crossed = None
    if what is Random.CLUSTERS:
        named = _clusters_of(members.score_set, clusters, len(members))
        resamples, n_clusters, are_crossed = draw.clusters(named)
    elif what is Random.GROUPS:
        if len(members) < 2:
            raise fail("RS057.one-group", unit=members.unit, name=members.names[0])
        resamples = draw.groups()
    else:
        resamples = draw.cases()
    resamples = _looked_at(resamples, draw, what, interval)
    shape: tuple[int, ...] = ()
    if not read.is_scalar:
        is_pair = read.rate == "both" and isinstance(read.at, tuple)
        shape = (2, resamples.estimate.size // 2) if is_pair else (resamples.estimate.size,)
    return Bootstrap(
        statistic=read,
        average="curve" if len(members) == 1 else "mean" if method is None else str(method),
        estimate=_shaped(resamples.estimate, shape),
        values=resamples.values.reshape(-1, *shape),
        standard_error=_shaped(resamples.standard_error, shape),
        bias=_shaped((resamples.values - resamples.estimate).mean(axis=0), shape),
        interval=_interval(resamples, interval, confidence_level, shape),
        n_resamples=n_resamples,
        n_redrawn=resamples.n_redrawn,
        seed=seed,
        _resamples=resamples,
        _method=method,
        _kind=interval,
        _random=what,
        _groups=(len(members), members.unit),
        _clusters=None if named is None else (n_clusters or len(named), named.unit),
        _are_crossed=are_crossed,
    )


def _what_is_random(random: object, clusters: object) -> Random | None:
    """What is to be drawn, None for the usual; RS056 for groups and cases at once, RS058 for single rows."""
    both = isinstance(random, list | tuple | set | frozenset) or random == "both"
    if both or (random == "groups" and clusters is not None):
        raise fail("RS056.both", random=random, has_clusters=clusters is not None)
    if random is None:
        return None if clusters is None else Random.CLUSTERS
    chosen = Random(one_of("random", random, _RANDOM, elsewhere=_RANDOM_ELSEWHERE))
    if chosen is Random.CASES and clusters is not None:
        raise fail("RS058.singly")
    return chosen


# What is drawn, and what is read off it
# --------------------------------------


@dataclass(frozen=True, eq=False)
class Draw:
    """Whose cases are drawn, what is read, off which average (None: the groups' own values), how often."""

    members: Members
    statistic: Statistic
    method: Method | None
    how: How
    progress: Progress | None = None

    @property
    def _draws(self) -> dict[str, Any]:
        """What the kernels are told."""
        return self.how.draws | {"progress": self.progress}

    @property
    def _width(self) -> float:
        """The largest value that the statistic can have."""
        raw = isinstance(self.statistic, PartialAuc) and not self.statistic.standardized
        return self.statistic.range[1] - self.statistic.range[0] if raw else 1.0  # type: ignore[attr-defined]

    @cached_property
    def _whole(self) -> Average:
        """The average of groups that are known already."""
        members = self.members
        given = members.curves if members.score_set is None else members.score_set
        assert self.method is not None
        return average_of(given, self.method, undefined="drop", threads=members.threads)

    def cases(self) -> Resamples:
        """Cases drawn within their group and class; the groups stay as they are."""
        statistic, method, members = self.statistic, self.method, self.members
        shared = not (len(members) == 1 or self._reads_mean)
        if shared and not isinstance(method, Pooled | Threshold):
            raise fail("RS002.drawn-cases", average="this" if method is None else f"the {method.label}")
        cases = _cases_of(members, shared=shared)
        if shared and (isinstance(method, Threshold) or method.balanced):  # type: ignore[union-attr]
            cases = cases.counting_alike()
        estimate = weighted_mean(self.group_values, np.full(len(members), 1 / len(members)))
        if shared:
            estimate = np.ravel(statistic.read(self._whole))
        values = resampled_cases(cases, self._readings(shared=shared), shared=shared, **self._draws)
        return Resamples(estimate, statistic.resampled(values), width=self._width)

    def groups(self) -> Resamples:
        """Whole groups drawn with replacement, and the average made anew."""
        if self._reads_mean:
            values, n_groups = self.group_values, len(self.members)
            weights = np.full(n_groups, 1 / n_groups)
            drawn: list[Any] = []
            for counts in drawn_counts(n_groups, self.how.n_resamples, self.how.seed):
                drawn += [
                    *(values[0] + drawn_means(values - values[0], weights, counts))
                ]  # exact if all agree
                self._tell(len(drawn))
            mean = weighted_mean(values, weights)
            return Resamples(
                mean, np.array(drawn), float(n_groups), n_groups - 1.0, self._width, parts=values
            )
        if isinstance(self.method, Pooled | Threshold):
            return self.shared_curve()
        assert self.method is not None
        if self.statistic.hold == "threshold":
            raise fail("RS084.bootstrap", method=self.method.label, unit=self.members.unit)
        statistic, whole = self.statistic, self._whole
        # Resampled curves know some positions only. What that changes in the average it changes in them.
        shift = np.ravel(statistic.read(whole)) - np.ravel(statistic.read(Polyline(*whole._sampled())))
        found: list[Any] = []
        for fpr, tpr in whole._resampled(self.how):
            found += [np.ravel(statistic.read(Polyline(x, y))) for x, y in zip(fpr, tpr, strict=True)]
            self._tell(len(found))
        least = -np.inf if getattr(statistic, "standardized", False) else 0.0
        read = np.clip(np.array(found) + shift, least, self._width)
        return self._of_average(read[~np.isnan(read).any(axis=1)])

    def _tell(self, done: int) -> None:
        if self.progress is not None:
            self.progress(done, self.how.n_resamples)

    def shared_curve(self) -> Resamples:
        """The one curve of all groups drawn; a budget is met again in every resample."""
        is_pooled = isinstance(self.method, Pooled) and not self.method.balanced
        average = "pooled" if is_pooled else "threshold"
        cases, readings = _cases_of(self.members, shared=True), self._readings(shared=True)
        found = resampled_groups(cases, readings, average=average, **self._draws)
        return self._of_average(self.statistic.resampled(found.values), found.redrawn)

    def _of_average(self, values: Floats, redrawn: Integers | None = None) -> Resamples:
        whole = self._whole
        units = whole.effective_groups, whole.degrees_of_freedom
        ratio, exact = whole.design.test_train_ratio, np.ravel(self.statistic.read(whole))
        return Resamples(exact, values, *units, self._width, ratio, redrawn)

    def clusters(self, named: Clusters) -> tuple[Resamples, int | None, bool | None]:
        """Clusters drawn within fixed groups; how many, if not all; whether all groups have the same.

        They are drawn for all groups at once if all have the same, else within each.
        """
        members, scores, is_pooled = self.members, self.members.score_set, isinstance(self.method, Pooled)
        assert scores is not None
        _require_several(named)
        if len(members) == 1 or is_pooled:
            if isinstance(self.method, Pooled) and self.method.balanced:
                raise fail("RS058.average", method=self.method)
            drawn = drawn_rows(scores, named, self.statistic, self.how, self.progress)
            if len(members) == 1:  # integers know an AUC of exactly 1
                drawn = replace(drawn, estimate=self.group_values[0])
            return drawn, None, None
        if not self._reads_mean:
            raise fail("RS058.average", method=self.method)
        starts, stops = scores.columns.offsets[members.chosen], scores.columns.offsets[members.chosen + 1]
        own = [np.unique(named.codes[i:j], return_inverse=True) for i, j in zip(starts, stops, strict=True)]
        are_crossed = all(np.array_equal(names, own[0][0]) for names, _ in own)
        together = np.concatenate([names for names, _ in own])
        if not are_crossed and np.unique(together).size < together.size:  # some groups share some of them
            raise fail("RS058.half-crossed", unit=members.unit)
        found: list[Resamples] = []
        places = np.argsort(by_name(members.names)).tolist()
        for place, member, (names, codes) in zip(places, members.chosen, own, strict=True):
            clusters = Clusters(codes.reshape(-1), range(names.size))
            _require_several(clusters)
            how, progress = self.how, _share_of(self.progress, len(found), len(own))
            if not are_crossed:  # draws of their own, else the same for all groups
                state = np.random.SeedSequence((how.seed, place)).generate_state(1, np.uint64)
                how = how.with_seed(int(state[0]))
            only = replace(scores, columns=scores[int(member)].columns, cases=None, clusters=None)
            found.append(drawn_rows(only, clusters, self.statistic, how, progress))
        redrawn = np.array([drawn.redrawn for drawn in found])
        if are_crossed and (redrawn != redrawn[0]).any():
            raise fail("RS058.class-left-out", unit=members.unit)
        sizes = [part.n_drawn for part in found], [part.df for part in found]
        n_drawn, df = (float(min(size) if are_crossed else sum(size)) for size in sizes)
        estimate, values = self.group_values.mean(axis=0), np.mean([part.values for part in found], axis=0)
        resamples = Resamples(estimate, values, n_drawn, df, self._width, redrawn=redrawn.sum(axis=0))
        return resamples, own[0][0].size if are_crossed else together.size, are_crossed

    def _readings(self, *, shared: bool) -> Readings:
        """What kernels read; frozen thresholds at their vertices, of every group or of one curve of all."""
        if self.statistic.hold != "threshold":
            return self.statistic.readings()
        table, at = self.members.table, np.atleast_1d(self.statistic.at)
        if not shared:
            return self.statistic.readings(vertices_of_groups(table, at, None))
        whole = self._whole
        assert isinstance(whole, SharedThresholdAverage)
        found, _ = vertex_at(whole.thresholds, at, None, table.higher_is_positive, whole._exact)
        return self.statistic.readings(found.astype(np.int64))

    @cached_property
    def group_values(self) -> Floats:
        """The statistic of every group's own curve, ``(n_groups, n)``."""
        statistic, members = self.statistic, self.members
        if isinstance(statistic, Auc):
            return members.auc[:, None]
        at, weights = np.atleast_1d(statistic.at), np.full(len(members), 1 / len(members))
        if statistic.hold == "fpr":
            return statistic.resampled(DirectionalAverage(Vertical(), weights, members)._values(at))
        if statistic.hold == "tpr":
            return statistic.resampled(0.0 - DirectionalAverage(Horizontal(), weights, members)._values(at))
        if statistic.hold == "threshold":
            return statistic.resampled(np.concatenate(rates_of_groups(members.table, at, None), axis=1))
        return np.array([np.ravel(statistic.read(curve)) for curve in members.curves])

    @property
    def _reads_mean(self) -> bool:
        """Whether the average's statistic is the mean of the groups' own."""
        statistic, method = self.statistic, self.method
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


@dataclass(frozen=True, eq=False)
class Polyline(Path):
    """A resampled average: what a statistic is read off."""

    fpr: Floats
    tpr: Floats

    @property
    def auc(self) -> float:
        """Area under it."""
        return trapezoids(self.fpr, self.tpr)


def _share_of(progress: Progress | None, number: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, n: progress(number * n + done, total * n)


# What is resampled: groups with their rows, or with their counts where rows are gone
# -----------------------------------------------------------------------------------


def _sample_of(x: Any, *, undefined: str, all_rows_count: bool, threads: int | None) -> Members:
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
        whole = _set_of_rows(x.columns, x.classes, alone, (x.name or "set 1",))
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


def _set_of_rows(
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


def _in_order_of_names(members: Members) -> Members:
    """The same groups, short names first, so that a shuffled table is resampled alike."""
    scores, table = members.score_set, members._table
    order = by_name(members.names if scores is None else scores.names)
    if (order == np.arange(order.size)).all():
        return members
    own = by_name(members.names)
    names = tuple(members.names[i] for i in own)
    table = None if table is None else table.keep(own)
    if scores is None:
        return replace(members, names=names, _table=table)
    chosen = np.sort(np.argsort(order)[members.chosen])
    scores = scores.take(scores.group_index[order])
    return replace(members, names=names, score_set=scores, chosen=chosen, _table=table)


def _cases_of(members: Members, *, shared: bool) -> RankedCases:
    """The cases of the groups, ranked within their groups or together, in an order that rows do not set.

    Cases of a group and class stand strictest first, so a table that is sorted otherwise is resampled alike.
    """
    scores, table = members.score_set, members.table
    if scores is not None and scores.columns.weights is not None:
        cases = ranked_cases(scores.take(scores.group_index[members.chosen]), shared=shared)
        made: dict[str, Any] = {}
        for side, groups, ranks, weights in cases.by_class():  # equal ranks by their weight
            order = np.lexsort((weights, ranks, groups))  # type: ignore[arg-type]
            made |= {f"{side}_ranks": ranks[order], f"{side}_weights": weights[order]}  # type: ignore[index]
        return replace(cases, **made)
    if table.true_positives.dtype.kind == "f":
        raise fail("RS038.counts", function="Scores")
    starts, sizes = table.offsets[:-1], np.diff(table.offsets)
    vertex = np.arange(table.thresholds.size)
    ranks = vertex - np.repeat(starts, sizes) - 1
    if shared:
        inside = np.ones(vertex.size, dtype=np.bool_)
        inside[starts] = False  # beyond everything, which no case is
        levels = table.thresholds if table.exact is None else table.exact
        places = np.unique(levels[inside], return_inverse=True)[1].reshape(-1)
        ranks[inside] = places.max() - places if table.higher_is_positive else places
    ends, columns = table.offsets[1:] - 1, []
    for counts in (table.true_positives, table.false_positives):
        steps = np.diff(counts, prepend=0)
        steps[starts] = 0
        columns.append((np.repeat(ranks, steps), np.append(0, np.cumsum(counts[ends]))))
    (positives, positive_offsets), (negatives, negative_offsets) = columns
    return RankedCases(positives, negatives, positive_offsets, negative_offsets)


def _class_sizes(members: Members) -> tuple[Any, Any]:
    """Cases of either class in every group; a weighted row is one case."""
    if members.score_set is not None:
        return members.score_set.n_positives[members.chosen], members.score_set.n_negatives[members.chosen]
    return members.n_positives, members.n_negatives


# Clusters: rows that belong together, of one patient or user, are drawn together
# -------------------------------------------------------------------------------


def drawn_rows(
    scores: Scores | ScoreSet,
    named: Clusters,
    statistic: Statistic,
    how: How,
    progress: Progress | None = None,
) -> Resamples:
    """The curve of all rows, whose clusters are drawn whole.

    Two models with the same rows, clusters and seed are resampled together.
    """
    names = tuple(map(str, range(len(named))))
    made = _set_of_rows(scores.columns, scores.classes, named.codes, names, "cluster")
    members = members_of(made, all_rows_count=True, threads=how.threads)
    return Draw(members, statistic, Pooled(), how, progress).shared_curve()


def _clusters_of(scores: ScoreSet | None, clusters: Any, n_groups: int) -> Clusters:
    """The clusters of all rows of the set: as they were named here, else as in the set, else its cases."""
    if scores is None:
        raise fail("RS058.curves", n=n_groups)
    if clusters is not None:
        is_weighted = scores.columns.weights is not None
        return _numbered(_flat(scores, clusters), scores.columns.n_rows, is_weighted=is_weighted)
    known = _known_clusters(scores.clusters, scores.cases)
    if known is None:
        raise fail("RS058.unnamed")
    return known


def _numbered(clusters: Any, n_rows: int, *, is_weighted: bool = False) -> Clusters:
    """Clusters that were named row by row, in the order of their names; RS013 or RS058 if they do not fit."""
    column = read_column(clusters, "clusters")
    n = len(column)
    if n != n_rows:
        raise fail("RS013.clusters", name=None, n_clusters=n, n_rows=n_rows, is_weighted=is_weighted)
    factor = factorize(column)
    if factor.gaps is not None:
        raise fail("RS058.missing", n=int(factor.gaps.sum()), row=int(factor.gaps.argmax()))
    return _in_order(factor.codes, factor.values, "cluster")


def _known_clusters(clusters: Clusters | None, cases: Cases | None) -> Clusters | None:
    """The clusters that a set knows; without them every case with all its rows is one. None for neither."""
    named = cases if clusters is None else clusters
    if named is None:
        return None
    present, codes = np.unique(named.codes, return_inverse=True)
    unit = "case" if clusters is None else printable(clusters.unit)
    return _in_order(codes.reshape(-1), [named.values[code] for code in present.tolist()], unit)


def _in_order(codes: Integers, names: Sequence[Any], unit: str) -> Clusters:
    """Numbered by their names, so that the order of the rows does not matter."""
    numbers = np.empty(len(names), dtype=np.int64)
    numbers[sorted(range(len(names)), key=lambda i: word(names[i]))] = np.arange(len(names))
    return Clusters(numbers[codes], range(len(names)), unit)


def _require_several(named: Clusters) -> None:
    """RS057 where all rows belong together."""
    if len(named) < 2:
        raise fail("RS057.one-cluster", n=named.codes.size)


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


def clusters_of_both(both: Sequence[Scores], clusters: Any, *, paired: bool) -> list[Clusters]:
    """The clusters of either classifier's rows; none where rows are taken as cases of their own."""
    made: list[Clusters] = []
    if clusters is None:
        known = [(own._clusters, own._cases) for own in both]
        if paired:  # some of them may not know the cases or the patients
            columns = zip(*known, strict=True)
            patients, cases = (next((own for own in of if own is not None), None) for of in columns)
            known = [(patients, cases)] * len(both)
        found = [_known_clusters(*own) for own in known]
        if not any(own is not None and len(own) < own.codes.size for own in found):
            return []
        for own, named in zip(both, found, strict=True):
            n = own.columns.n_rows
            made.append(Clusters(np.arange(n), range(n), "row") if named is None else named)
    elif not paired and (
        not isinstance(clusters, list | tuple) or len(clusters) != 2 or np.ndim(clusters[0]) != 1
    ):
        raise fail("RS058.two-sets")
    else:
        for own, part in zip(both, [clusters] if paired else clusters, strict=False):
            made.append(_numbered(part, own.columns.n_rows))
            require_one_index({"label": own._index, "cluster": index_of(part)})
        made *= len(both) if paired else 1
    for named in made:
        _require_several(named)
    return made


# What has to be said of resamples
# --------------------------------


def _looked_at(resamples: Resamples, draw: Draw, random: Random, kind: str) -> Resamples:
    """The same, after warnings of what intervals of a kind from them do not know."""
    statistic, members, is_one = draw.statistic, draw.members, len(draw.members) == 1
    if random is Random.CLUSTERS:
        warn_in_one_cluster(resamples)
    if random is Random.CASES:
        _warn_single(members)
    auc, n = float(resamples.estimate[0]), resamples.n_drawn
    if is_one and random is not Random.GROUPS and isinstance(statistic, Auc) and auc in (0.0, 1.0):
        warn("RS151.separated", n=1, auc=auc)
        sizes = [n, n] if random is Random.CLUSTERS else [own[0] for own in _class_sizes(members)]
        resamples = replace(resamples, separated=(max(1, int(sizes[0])), max(1, int(sizes[1]))))
    elif (resamples.values == resamples.values[:1]).all() and resamples.values.shape[0] > 1:
        warn("RS271.flat", statistic=statistic.label, estimate=resamples.estimate[0])
    if random is Random.GROUPS:
        if n < FEWEST_GROUPS and kind in ("percentile", "basic"):
            warn("RS272.few", kind=kind, needed=FEWEST_GROUPS, n=n)
        if isinstance(statistic, Auc | PartialAuc):
            _warn_of_areas(resamples, members, draw.method, kind)
    has_few = isinstance(statistic, Auc) and 0 < n * min(auc, 1 - auc) < _FEW_MISPLACED
    if random is Random.CLUSTERS and has_few and kind != "logit":  # whose scale copes with that
        warn("RS272.misplaced", kind=kind, n=n, auc=auc)
    warn_redrawn(resamples.n_redrawn, draw.how.n_resamples)
    if random is Random.CASES and is_one and isinstance(statistic, Auc):
        rule = _RULES.get(kind, "delong")
        warn_short(rule, *_class_sizes(members), resamples.estimate, call="roc_curve(x).auc_interval(")
    if random is Random.CASES and is_one and statistic.hold in ("fpr", "tpr"):
        _warn_few_beyond(statistic, members, resamples, kind)
    return resamples


def _warn_of_areas(resamples: Resamples, members: Members, method: Method | None, kind: str) -> None:
    """RS272 where resampled areas are much too large, or few areas near 0 or 1 scatter to one side."""
    estimate, error = float(resamples.estimate[0]), float(resamples.standard_error[0])
    facts: dict[str, Any] = {"unit": members.unit, "n": len(members)}
    bias = float((resamples.values - resamples.estimate).mean())
    if isinstance(method, Pooled | Threshold) and error > 0 and abs(bias) > _MUCH_BIAS * error:
        warn("RS272.levels", bias=bias, errors=abs(bias) / error, **facts)
    share, is_logit = estimate / resamples.width, kind == "logit"
    near = _NEAR_ONE_LOGIT if is_logit else _NEAR_ONE
    if len(members) < _MANY_GROUPS and 0 < min(share, 1 - share) < near:
        facts |= {"known": None if is_logit else "logit", "is_logit": is_logit, "kind": kind}
        warn("RS272.skewed", estimate=resamples.estimate[0], **facts)


def _warn_few_beyond(statistic: Statistic, members: Members, resamples: Resamples, kind: str) -> None:
    """RS295 where few cases of one dataset are beyond the threshold that a rate sets."""
    sizes, at = _class_sizes(members), np.atleast_1d(statistic.at)
    is_fpr = statistic.hold == "fpr"
    held = np.asarray(at if is_fpr else 1 - at, dtype=np.float64)
    of = Held(held, resamples.estimate, *(sizes[::-1] if is_fpr else sizes), read=np.asarray)
    function = "tpr_interval(fpr=...)" if is_fpr else "fpr_interval(tpr=...)"
    way = f"an interval that keeps its level there:  roc_curve(x).{function}"
    fewest = FEWEST_CASES if kind in ("percentile", "basic") else _FEWEST_BEYOND
    warn_of_few(of, "FPR" if is_fpr else "TPR", way, fewest=fewest)


def warn_redrawn(n_redrawn: int, n_resamples: int) -> None:
    """RS273 where many draws lacked a class."""
    share = n_redrawn / (n_redrawn + n_resamples)
    if share > _MANY_REDRAWN:
        warn("RS273.redrawn", share=share, n=n_redrawn, n_resamples=n_resamples)


def warn_in_one_cluster(resamples: Resamples) -> None:
    """RS274 for a class that is nearly all in one cluster."""
    if resamples.n_drawn < _ALL_IN_ONE:
        warn("RS274.cluster", n=resamples.n_drawn)


def _warn_single(members: Members) -> None:
    """RS274 for a class with one case."""
    positives, negatives = _class_sizes(members)
    single = (np.asarray(positives) == 1) | (np.asarray(negatives) == 1)
    if not single.any():
        return
    first = int(np.flatnonzero(single)[0])
    sizes = {"n_positives": int(positives[first]), "n_negatives": int(negatives[first])}
    warn("RS274.case", name=None if len(members) == 1 else members.names[first], **sizes)
