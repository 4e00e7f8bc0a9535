"""``bootstrap``: draw again what is random, and see how a statistic scatters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Mask
from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.averaging.members import Members
from rocsteady.averaging.methods import Method, Pooled, Threshold, method_of
from rocsteady.calling import welcomes
from rocsteady.curves.from_scores import described
from rocsteady.curves.measures import Auc, PartialAuc, Statistic, statistic_of
from rocsteady.curves.uncertainty import (
    FEWEST_CASES,
    Band,
    BandEdge,
    Held,
    runs_of,
    warn_of_few,
    warn_separated,
    warn_short,
)
from rocsteady.errors import fail, warn
from rocsteady.inference.resamples import (
    ELSEWHERE,
    KINDS,
    Random,
    Resamples,
    Wanted,
    class_sizes,
    drawn_cases,
    drawn_clusters,
    drawn_groups,
    in_order_of_names,
    limits,
    sample_of,
    several_rows,
)
from rocsteady.options import How, one_of, open_share, resamples_asked, whole_number
from rocsteady.results import Result, TableResult, plain, read_only
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.showing import Told, said
from rocsteady.statistics.intervals import Interval, separated_limits
from rocsteady.statistics.resampling import Progress, half_width, sup_t_factor
from rocsteady.words import grouped

_RANDOM = ("cases", "groups", "clusters")


_ELSEWHERE = {"datasets": "groups", "folds": "groups", "rows": "cases", "instances": "cases"}


_ELSEWHERE |= {"patients": "clusters", "stratified": "cases", "cluster": "clusters", "case": "cases"}
_ELSEWHERE |= {
    "dataset": "groups",
    "fold": "groups",
    "group": "groups",
    "row": "cases",
    "patient": "clusters",
}


_RULES = {"logit": "logit", "percentile": "bootstrap"}  # whose coverage was measured; others are as Wald's


_MANY_REDRAWN = 0.05


_NEAR_ONE, _NEAR_ONE_LOGIT, _MANY_GROUPS = 0.07, 0.03, 30
_FEW_MISPLACED, _ALL_IN_ONE = 5, 1.5
_FEWEST_BEYOND = (3, 1)  # on the logit scale; with two the interval covered 90 to 93 %, with one 81 to 89 %
_MUCH_BIAS = 0.15  # standard errors; intervals that promise 95 % were measured to cover 84 to 92 % beyond it


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
    _random: Random
    _method: Method | None
    _kind: str
    _separated: tuple[int, int] | None = None  # independent units of either class, where the AUC is 0 or 1

    @property
    def random(self) -> str:
        """What was taken as random, in words."""
        return said("inference.drawn", self._random)

    def interval_of(self, kind: str, confidence_level: float | None = None) -> Interval:
        """An interval of another kind or level, from the same resamples.

        Parameters
        ----------
        kind : {"percentile", "basic", "normal", "t", "logit"}
            As in :func:`rocsteady.bootstrap`.
        confidence_level : float, optional
            That of ``.interval`` if not given.
        """
        level = self._level(confidence_level)
        return _interval(self._resamples, kind, level, np.shape(self.estimate), self._separated)

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
        level = self._level(confidence_level)
        if self.statistic.hold not in ("fpr", "tpr") or self.statistic.is_scalar:
            raise fail("RS002.band", statistic=self.statistic.label)
        return _band(self, kind, level)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry, without the single resamples."""
        names = ["average", "estimate", "standard_error", "bias", "interval", "random", "n_resamples"]
        names += ["n_redrawn", "seed", "reading"]
        read = {"statistic": self.statistic.label, "names": list(self.statistic.names)}
        return read | {name: plain(getattr(self, name)) for name in names}

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"statistic": list(self.statistic.names)}
        for name in ("estimate", "standard_error", "bias"):
            columns[name] = np.ravel(getattr(self, name))
        return columns | {"low": np.ravel(self.interval.low), "high": np.ravel(self.interval.high)}

    def __repr__(self) -> str:
        resamples = f"{grouped(self.n_resamples)} resamples"
        if np.ndim(self.estimate):
            return f"Bootstrap({self.statistic.label}, {resamples})"
        low, high = self.interval.low, self.interval.high
        level = f"{100 * self.interval.confidence_level:g} %"
        found = f"{self.estimate:.4f}, {level} CI {low:.4f} to {high:.4f}"
        return f"Bootstrap({self.statistic.label} {found}, {resamples})"


def _interval(
    resamples: Resamples, kind: str, level: float, shape: tuple[int, ...], separated: tuple[int, int] | None
) -> Interval:
    """The interval of one kind; at an AUC of 0 or 1 the exact bound for separated classes."""
    one_of("interval", kind, KINDS, elsewhere=ELSEWHERE)
    if kind == "t" and not resamples.draws_whole:
        raise fail("RS002.t-of-cases")
    how = f"bootstrap, {kind}"
    if separated is not None:
        low, high = separated_limits(resamples.estimate, *separated, level)
        how = "separated"
    else:
        low, high = limits(resamples, kind, level)
    return Interval(_shaped(low, shape), _shaped(high, shape), level, how)


def _shaped(flat: Floats, shape: tuple[int, ...]) -> Any:
    """A float for one reading, else the array in the shape of the estimate."""
    return float(flat[0]) if shape == () else np.reshape(flat, shape)


def _band(found: Bootstrap, kind: str, level: float) -> Band:
    estimate = np.asarray(found.estimate)
    is_tpr, at = found.statistic.hold == "fpr", np.asarray(found.statistic.at)
    order = np.argsort(at, kind="stable")
    if kind == "pointwise":
        factor, left_out = float("nan"), np.zeros(at.size, dtype=np.bool_)
        interval = found.interval_of(found._kind, level)
        low, high = interval.low, interval.high
    else:
        half, factor, left_out = _simultaneous(found, level)
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
        _about=found.random,
    )


def _simultaneous(found: Bootstrap, level: float) -> tuple[Floats, float, Mask]:
    resamples, parts = found._resamples, found._resamples.parts
    if parts is not None and resamples.draws_whole:
        n_groups = parts.shape[0]
        asked = How(level, n_resamples=max(found.n_resamples, 2), seed=found.seed)
        return half_width(parts, np.full(n_groups, 1 / n_groups), asked)
    error = resamples.standard_error
    factor = sup_t_factor(resamples.values - resamples.estimate, error, level)
    half = np.where(error > 0, factor * error, np.nan)
    return half, factor, ~(error > 0)


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
        datasets' own values; that is what a directional average reads along its direction. ``"pooled"``,
        ``"threshold"`` and the others are made anew in every resample, and a target rate is met again.
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
        With ``.estimate``, ``.interval``, ``.standard_error``, ``.bias``, ``.values``, ``.random``,
        ``.reading``, ``.interval_of(kind)`` and ``.band()``.

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
    ('the 10 folds, drawn whole', 'the cases, drawn within each class ')

    Forty patients with two rows each: patients are drawn, with both rows.

    >>> patients, sick = np.repeat(np.arange(40), 2), np.repeat(np.arange(40) % 2, 2)
    >>> found = rs.bootstrap(rs.Scores(sick, stream.normal(sick, 1)), clusters=patients)
    >>> found.random
    'the 40 clusters, each drawn with all its rows'

    One threshold for all, chosen anew in every resample; and a band around the whole curve.

    >>> print(rs.bootstrap(folds, {"fpr": 0.1}, average="pooled").reading.split(" (")[0])
    The TPR at FPR 0.1 of the pooled average of 10 folds is 0.5200
    >>> rs.bootstrap(folds, {"fpr": np.linspace(0.02, 0.5, 50)}).band("simultaneous")
    Band(simultaneous, confidence level 0.95, fpr 0.02 to 0.5)
    """
    is_known = isinstance(x, Scores | ScoreSet | Result) or isinstance(statistic, str)
    if not is_known and np.ndim(statistic) == 1:  # type: ignore[arg-type]
        found = f"{described(x)} and {described(statistic)}"
        raise fail("RS002.bootstrap-of", found=found, ways=["bootstrap(Scores(labels, scores))"])
    read = statistic_of(statistic)
    level = open_share("confidence_level", confidence_level)
    one_of("interval", interval, KINDS, elsewhere=ELSEWHERE)
    method = None if average is None or average == "mean" else method_of(average)
    n_resamples = resamples_asked(n_resamples)
    seed = whole_number("seed", seed, least=0, example=0)
    if progress is not None and not callable(progress):
        way, found = "progress=lambda done, total: ...", f"{progress!r:.60}"
        raise fail("RS002.kind", name="progress", kind="a function", found=found, ways=[way])
    drawn_units = _what_is_random(random, clusters)
    members = sample_of(x, undefined=undefined, all_rows_count=isinstance(method, Pooled), threads=threads)
    several, rows = several_rows(members), members.score_set
    if drawn_units is None:
        drawn_units = "groups" if len(members) > 1 else "clusters" if several else "cases"
    if drawn_units == "cases" and several and rows is not None:
        warn(
            "RS104.singly",
            of="case" if rows.clusters is None else rows.clusters.unit,
            n=several,
            unit=members.unit,
        )
    if drawn_units == "cases" and interval == "t":
        raise fail("RS002.t-of-cases")
    if drawn_units != "clusters":
        members = in_order_of_names(members)
    wanted = Wanted(read, method, n_resamples, seed, threads, progress)
    what = Random(drawn_units, len(members), members.unit)
    if drawn_units == "clusters":
        resamples, what = drawn_clusters(members, clusters, wanted)
    elif drawn_units == "groups":
        if len(members) < 2:
            raise fail("RS057.one-group", unit=members.unit, name=members.names[0])
        resamples = drawn_groups(members, wanted)
    else:
        resamples = drawn_cases(members, wanted)
    separated = _warn(resamples, members, drawn_units, wanted, interval)
    shape: tuple[int, ...] = ()
    if not read.is_scalar:
        is_pair = read.rate == "both" and isinstance(read.at, tuple)
        shape = (2, resamples.estimate.size // 2) if is_pair else (resamples.estimate.size,)
    return Bootstrap(
        statistic=read,
        average="curve" if len(members) == 1 else "mean" if method is None else str(method),
        estimate=_shaped(resamples.estimate, shape),
        values=read_only(resamples.values.reshape(-1, *shape)),
        standard_error=_shaped(resamples.standard_error, shape),
        bias=_shaped((resamples.values - resamples.estimate).mean(axis=0), shape),
        interval=_interval(resamples, interval, level, shape, separated),
        n_resamples=n_resamples,
        n_redrawn=resamples.n_redrawn,
        seed=seed,
        _resamples=resamples,
        _random=what,
        _method=method,
        _kind=interval,
        _separated=separated,
    )


def _what_is_random(random: object, clusters: object) -> str | None:
    """What is to be drawn, None for the usual; RS056 for groups and cases at once, RS058 for single rows."""
    both = isinstance(random, list | tuple | set | frozenset) or random == "both"
    if both or (random == "groups" and clusters is not None):
        raise fail("RS056.both", random=random, has_clusters=clusters is not None)
    if random is None:
        return None if clusters is None else "clusters"
    chosen = one_of("random", random, _RANDOM, elsewhere=_ELSEWHERE)
    if chosen == "cases" and clusters is not None:
        raise fail("RS058.singly")
    return chosen


def _warn(
    resamples: Resamples, members: Members, random: str, wanted: Wanted, kind: str
) -> tuple[int, int] | None:
    """What has to be said of resamples, and of intervals of a kind from them.

    Gives the independent units of either class where one curve has an AUC of 0 or 1.
    """
    statistic, is_one = wanted.statistic, len(members) == 1
    if random == "clusters":
        warn_in_one_cluster(resamples)
    if random == "cases":
        _warn_single(members)
    separated = None
    auc = float(resamples.estimate[0])
    if is_one and random != "groups" and isinstance(statistic, Auc) and auc in (0.0, 1.0):
        warn_separated(1, auc)
        n = (resamples.n_drawn,) * 2 if random == "clusters" else [own[0] for own in class_sizes(members)]
        separated = max(1, int(n[0])), max(1, int(n[1]))
    elif (resamples.values == resamples.values[:1]).all() and resamples.values.shape[0] > 1:
        warn("RS271.flat", statistic=statistic.label, estimate=resamples.estimate[0])
    if random == "groups" and resamples.n_drawn < FEWEST_GROUPS and kind in ("percentile", "basic"):
        warn("RS272.few", kind=kind, needed=FEWEST_GROUPS, n=resamples.n_drawn)
    if random == "groups" and isinstance(statistic, Auc | PartialAuc):
        _warn_of_levels(resamples, members, wanted.method)
        _warn_skewed(resamples, members, kind)
    if random == "clusters" and isinstance(statistic, Auc) and kind != "logit":
        misplaced = resamples.n_drawn * min(auc, 1 - auc)
        if 0 < misplaced < _FEW_MISPLACED:  # the logit scale copes with that
            warn("RS272.misplaced", kind=kind, n=resamples.n_drawn, auc=auc)
    warn_redrawn(resamples.n_redrawn, wanted.n_resamples)
    if random == "cases" and is_one and isinstance(statistic, Auc):
        rule = _RULES.get(kind, "delong")
        warn_short(rule, *class_sizes(members), resamples.estimate, call="roc_curve(x).auc_interval(")
    if random == "cases" and is_one and statistic.hold in ("fpr", "tpr"):
        _warn_few_beyond(statistic, members, resamples, kind)
    return separated


def _warn_skewed(resamples: Resamples, members: Members, kind: str) -> None:
    """RS272 where few areas near 0 or 1 scatter to one side."""
    share = float(resamples.estimate[0]) / resamples.width
    near = _NEAR_ONE_LOGIT if kind == "logit" else _NEAR_ONE
    if len(members) < _MANY_GROUPS and 0 < min(share, 1 - share) < near:
        warn(
            "RS272.skewed",
            known=None if kind == "logit" else "logit",
            is_logit=kind == "logit",
            n=len(members),
            unit=members.unit,
            estimate=resamples.estimate[0],
            kind=kind,
        )


def _warn_few_beyond(statistic: Statistic, members: Members, resamples: Resamples, kind: str) -> None:
    """RS295 where few cases of one dataset are beyond the threshold that a rate sets."""
    n_positives, n_negatives = class_sizes(members)
    if statistic.hold == "fpr":
        held, sizes, name = np.atleast_1d(statistic.at), (n_negatives, n_positives), "FPR"
    else:
        held, sizes, name = 1 - np.atleast_1d(statistic.at), (n_positives, n_negatives), "TPR"
    of = Held(np.asarray(held, dtype=np.float64), resamples.estimate, *sizes, read=np.asarray)
    function = "tpr_interval(fpr=...)" if name == "FPR" else "fpr_interval(tpr=...)"
    fewest = FEWEST_CASES if kind in ("percentile", "basic") else _FEWEST_BEYOND
    warn_of_few(of, name, f"an interval that keeps its level there:  roc_curve(x).{function}", fewest=fewest)


def _warn_of_levels(resamples: Resamples, members: Members, method: Method | None) -> None:
    """RS272 where resampled areas are so much too large that few groups cannot tell the area of all."""
    bias = float((resamples.values - resamples.estimate).mean())
    error = float(resamples.standard_error[0])
    if isinstance(method, Pooled | Threshold) and error > 0 and abs(bias) > _MUCH_BIAS * error:
        warn("RS272.levels", unit=members.unit, n=len(members), bias=bias, errors=abs(bias) / error)


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
    positives, negatives = class_sizes(members)
    single = (np.asarray(positives) == 1) | (np.asarray(negatives) == 1)
    if not single.any():
        return
    first = int(np.flatnonzero(single)[0])
    n_positives, n_negatives = int(positives[first]), int(negatives[first])
    name = None if len(members) == 1 else members.names[first]
    warn("RS274.case", n_positives=n_positives, n_negatives=n_negatives, name=name)
