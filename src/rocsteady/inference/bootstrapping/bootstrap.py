"""``bootstrap``: resamples of cases, groups or clusters, and what is read off them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.averaging.members import Members
from rocsteady.averaging.methods import Method, Pooled, method_of
from rocsteady.curves.from_scores import described
from rocsteady.curves.measures import Auc, FprAt, PartialAuc, Statistic, TprAt, statistic_of
from rocsteady.curves.uncertainty import warn_separated, warn_short
from rocsteady.errors import fail
from rocsteady.inference.bootstrapping import words
from rocsteady.inference.bootstrapping.cautions import (
    warn_few,
    warn_few_beyond,
    warn_few_misplaced,
    warn_flat,
    warn_of_levels,
    warn_redrawn,
    warn_single,
    warn_skewed,
)
from rocsteady.inference.bootstrapping.drawing import Drawn, Wanted, drawn_cases, drawn_groups
from rocsteady.inference.bootstrapping.given import class_sizes, in_order_of_names, sample_of
from rocsteady.inference.bootstrapping.limits import ELSEWHERE, KINDS, Resamples
from rocsteady.inference.bootstrapping.naming import several_rows, warn_of_rows_drawn_singly
from rocsteady.inference.bootstrapping.patients import drawn_clusters
from rocsteady.inference.bootstrapping.result import Bootstrap, interval_from, shaped
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.results import Result, read_only
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.statistics.resampling import Progress

_RANDOM = ("cases", "groups", "clusters")
_RULES = {"logit": "logit", "percentile": "bootstrap"}  # whose coverage was measured; others are as Wald's


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
    statistic : "auc" or Statistic
        Or ``PartialAuc(fpr=(0, 0.1))``, ``TprAt(0.05)``, ``FprAt(0.9)``, ``RatesAt(threshold)``; several
        rates at once, ``TprAt(np.linspace(0.02, 0.5, 100))``, have a ``.band()``.
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
    >>> found = rs.bootstrap(folds, rs.TprAt(0.1))
    >>> found.random[:25], rs.bootstrap(folds, rs.TprAt(0.1), random="cases").random[:35]
    ('the 10 folds, drawn whole', 'the cases, drawn within each class ')

    Forty patients with two rows each: patients are drawn, with both rows.

    >>> patients, sick = np.repeat(np.arange(40), 2), np.repeat(np.arange(40) % 2, 2)
    >>> found = rs.bootstrap(rs.Scores(sick, stream.normal(sick, 1)), clusters=patients)
    >>> found.random
    'the 40 clusters, each drawn with all its rows'

    One threshold for all, chosen anew in every resample; and a band around the whole curve.

    >>> print(rs.bootstrap(folds, rs.TprAt(0.1), average="pooled").reading.split(" (")[0])
    The TPR at FPR 0.1 of the pooled average of 10 folds is 0.5200
    >>> rs.bootstrap(folds, rs.TprAt(np.linspace(0.02, 0.5, 50))).band("simultaneous")
    Band(simultaneous, confidence level 0.95, fpr 0.02 to 0.5)
    """
    _refuse_two_arrays(x, statistic)
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
    if drawn_units is None:
        drawn_units = "groups" if len(members) > 1 else "clusters" if several_rows(members) else "cases"
    if drawn_units == "cases":
        warn_of_rows_drawn_singly(members)
    if drawn_units != "clusters":
        members = in_order_of_names(members)
    wanted = Wanted(read, method, n_resamples, seed, threads, progress)
    design = _design(drawn_units, members, clusters, wanted)
    warn_single(members, design.kind, design.drawn.resamples)
    return _result(design, members, wanted, level, interval)


@dataclass(frozen=True, eq=False)
class _Design:
    """What was drawn, and its resamples."""

    kind: str
    random: str
    drawn: Drawn


def _refuse_two_arrays(x: object, statistic: object) -> None:
    """RS002 for labels and scores as two arguments, as other functions take them."""
    if isinstance(x, Scores | ScoreSet | Result) or isinstance(statistic, str):
        return
    if np.ndim(statistic) == 1:  # type: ignore[arg-type]
        found = f"{described(x)} and {described(statistic)}"
        raise fail("RS002.bootstrap-of", found=found, ways=["bootstrap(Scores(labels, scores))"])


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


_ELSEWHERE = {"datasets": "groups", "folds": "groups", "rows": "cases", "instances": "cases"}
_ELSEWHERE |= {"patients": "clusters", "stratified": "cases", "cluster": "clusters", "case": "cases"}
_ELSEWHERE |= {
    "dataset": "groups",
    "fold": "groups",
    "group": "groups",
    "row": "cases",
    "patient": "clusters",
}


def _design(kind: str, members: Members, clusters: object, wanted: Wanted) -> _Design:
    if kind == "clusters":
        drawn, said = drawn_clusters(members, clusters, wanted)
        return _Design(kind, said, drawn)
    if kind == "groups":
        if len(members) < 2:
            raise fail("RS057.one-group", unit=members.unit, name=members.names[0])
        return _Design(kind, words.random_groups(members), drawn_groups(members, wanted))
    return _Design(kind, words.random_cases(members), drawn_cases(members, wanted))


def _result(design: _Design, members: Members, wanted: Wanted, level: float, kind: str) -> Bootstrap:
    resamples, statistic = design.drawn.resamples, wanted.statistic
    shape: tuple[int, ...] = () if statistic.is_scalar else _shape(statistic, resamples)
    separated = _separated(members, design, wanted, resamples)
    if separated is None:
        warn_flat(resamples, statistic)
    if design.kind == "groups" and resamples.n_drawn < FEWEST_GROUPS and kind in ("percentile", "basic"):
        warn_few(resamples, kind)
    if design.kind == "groups" and isinstance(statistic, Auc | PartialAuc):
        warn_of_levels(resamples, members, wanted.method)
        warn_skewed(resamples, members, kind)
    if design.kind == "clusters" and isinstance(statistic, Auc):
        warn_few_misplaced(resamples, kind)
    warn_redrawn(design.drawn.n_redrawn, wanted.n_resamples)
    made = interval_from(resamples, kind, level, shape, separated)
    if design.kind == "cases" and len(members) == 1 and isinstance(statistic, Auc):
        rule = _RULES.get(kind, "delong")
        warn_short(rule, *class_sizes(members), resamples.estimate, call="roc_curve(x).auc_interval(")
    if design.kind == "cases" and len(members) == 1 and isinstance(statistic.raw, TprAt | FprAt):
        warn_few_beyond(statistic.raw, members, resamples, kind)
    is_one = len(members) == 1
    subject = words.subject_of(statistic, wanted.method, members)
    estimate = shaped(resamples.estimate, shape)
    return Bootstrap(
        statistic=statistic,
        average="curve" if is_one else "mean" if wanted.method is None else str(wanted.method),
        estimate=estimate,
        values=read_only(resamples.values.reshape(-1, *shape)),
        standard_error=shaped(resamples.standard_error, shape),
        bias=shaped((resamples.values - resamples.estimate).mean(axis=0), shape),
        interval=made,
        random=design.random,
        n_resamples=wanted.n_resamples,
        n_redrawn=design.drawn.n_redrawn,
        seed=wanted.seed,
        reading=words.reading_of(subject, estimate, made, design.random, wanted.n_resamples),
        _drawn=design.drawn,
        _separated=separated,
    )


def _shape(statistic: Statistic, resamples: Resamples) -> tuple[int, ...]:
    is_pair = isinstance(getattr(statistic, "threshold", None), tuple)
    return (2, resamples.estimate.size // 2) if is_pair else (resamples.estimate.size,)


def _separated(
    members: Members, design: _Design, wanted: Wanted, resamples: Resamples
) -> tuple[int, int] | None:
    """Independent units of either class where one curve has an AUC of 0 or 1, with RS151."""
    if len(members) > 1 or design.kind == "groups" or not isinstance(wanted.statistic, Auc):
        return None
    auc = float(resamples.estimate[0])
    if auc not in (0.0, 1.0):
        return None
    warn_separated(1, auc)
    if design.kind == "clusters":
        n = max(1, int(resamples.n_drawn))
        return n, n
    n_positives, n_negatives = class_sizes(members)
    return int(n_positives[0]), int(n_negatives[0])
