"""One AUC for many datasets, with an interval that says what it takes as random."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import mostly_alike
from rocsteady.averaging.members import Asker, Members, members_of
from rocsteady.counting.table import MOST_PAIRS, Moments, cluster_counts, curve_moments
from rocsteady.curves.uncertainty import quiet_intervals, refuse_weights, warn_flat, warn_separated
from rocsteady.errors import Option, fail, warn
from rocsteady.inference.summaries import folds
from rocsteady.inference.summaries.logits import (
    effects_hold,
    logits_of,
    other_methods,
    shared_variances,
    warn_about_fit,
    warn_if_alike,
)
from rocsteady.inference.summaries.random_effects import (
    HETEROGENEITY,
    INTERVALS,
    predicted_limits,
    random_effects,
)
from rocsteady.inference.summaries.readings import random_words, reading_of
from rocsteady.inference.summaries.results import AucSummary, GroupAucs, LogitScale
from rocsteady.options import SCALES, one_of, open_share, whole_number
from rocsteady.points.paired_tests import ratio_of
from rocsteady.results import read_only
from rocsteady.scores.design import ask_once
from rocsteady.scores.score_set import takes_frames, warn_of_clusters
from rocsteady.statistics.delong import delong_variance
from rocsteady.statistics.groups import is_skewed, limits_of_mean, two_sided_quantile
from rocsteady.statistics.intervals import Interval, normal_quantile, separated_limits

Floats = NDArray[np.float64]

ASKER = Asker(
    takes="a summary is made of a ScoreSet, a CurveSet, or a list of RocCurve or Scores.",
    lacks="there are no AUCs to summarize.",
    of_one="a summary is of one",
    call="summarize_auc({})",
    usual="score_set",
)
METHODS = ("t", "random-effects", "cv-influence", "nadeau-bengio")
ELSEWHERE = {"cvauc": "cv-influence", "meta-analysis": "random-effects", "meta": "random-effects"}
ELSEWHERE |= {"corrected-t": "nadeau-bengio", "reml": "random-effects", "influence": "cv-influence"}
_TAU = {
    "dersimonian-laird": "dersimonian-laird",
    "dl": "dersimonian-laird",
    "d-l": "dersimonian-laird",
    "moments": "dersimonian-laird",
}
_FEWEST_PER_CLASS = 20
"""Cases of a class in a fold below which intervals from influence curves were measured to be too narrow."""


@dataclass(frozen=True)
class _Given:
    """What was handed over, looked at once."""

    members: Members
    shared: folds.SharedCases | None
    level: float
    scale: str = "logit"

    @property
    def n(self) -> int:
        return len(self.members)

    def summary(self, method: str, weight: Floats, errors: Floats, **values: Any) -> AucSummary:
        """The result, with its words."""
        members, shared = self.members, self.shared
        all_share = shared is not None and shared.fewest == len(members) > 1
        trained = bool(values.get("test_train_ratio"))
        made = AucSummary(
            method=method,
            random=random_words(method, members.unit, all_share=all_share, shares_training=trained),
            per_group=GroupAucs(
                names=members.names,
                auc=members.auc,
                standard_error=read_only(errors),
                interval=_own_intervals(members, self.level),
                weight=read_only(weight),
                unit=members.unit,
            ),
            undefined=members.undefined,
            design=members.design,
            **values,
        )
        return replace(made, reading=reading_of(made, shared))

    @property
    def equal_weights(self) -> Floats:
        return np.full(self.n, 1 / self.n)


@takes_frames
def summarize_auc(
    x: object,
    method: str = "t",
    *,
    heterogeneity: str = "reml",
    interval: str = "guarded",
    test_train_ratio: float | None = None,
    repeats: int | None = None,
    scale: str = "logit",
    confidence_level: float = 0.95,
    undefined: str = "raise",
    threads: int | None = None,
) -> AucSummary:
    """One AUC for many datasets, folds or readers, and how sure it is.

    The methods differ in what they take as random, so choose by what another study would draw anew:

    ``"t"``
        Other groups of the same kind; of folds of a cross-validation, other cases to train and to test on.
        The mean AUC with Student's t, as ``average(x, "vertical")`` has it.
        Nothing is assumed about the cases, which makes it the safe choice unless a few groups differ much
        near AUC 1.
    ``"random-effects"``
        Other groups, and other cases in each. A normal model on the logit scale: large groups count more,
        though never as much as their size where groups differ, and chance is told apart from true
        differences. The centre is the median AUC of groups, not the mean.
    ``"cv-influence"``
        Other cases for the same trained models (LeDell, Petersen & van der Laan 2015): the mean of the fold
        AUCs, with the sum of every case's influence as its variance. With named cases (``case=``) repeats of
        the cross-validation and several rows of a patient are allowed for.
    ``"nadeau-bengio"``
        Other cases to train and to test on. Folds share training data, so their spread understates the
        variance; 1 / n becomes 1 / n + (test cases / training cases).

    Parameters
    ----------
    x : ScoreSet, CurveSet, or sequence of RocCurve or Scores
        Of one model; of several choose with ``score_set.model(name)``. Or a table, with the columns of
        :meth:`ScoreSet.from_frame`: ``label=``, ``score=``, ``group=`` ...
    method : {"t", "random-effects", "cv-influence", "nadeau-bengio"}
        See above.
    heterogeneity : {"reml", "dersimonian-laird"}
        How random effects estimate tau.
    interval : {"guarded", "hartung-knapp"}
        Of random effects. "guarded": that of the centre is never narrower than if all true AUCs were equal,
        and that of a new group allows for what is not known of tau. "hartung-knapp": neither, as in other
        software.
    test_train_ratio : float, optional
        For ``"t"`` and ``"nadeau-bengio"``: test cases over training cases. Without it as the design of the
        scores has it (0 for none); ``"nadeau-bengio"`` takes groups of which nothing is known for the folds
        of one cross-validation, and it is 1 / (k - 1) for k folds in each repeat.
    repeats : int, optional
        How often the cross-validation was repeated, for ``"nadeau-bengio"`` and ``"cv-influence"``. Named
        cases tell it; else once.
    scale : {"logit", "linear"}
        Of the interval of a mean ("t", "nadeau-bengio"), as in :meth:`Average.at`.
    confidence_level : float
        Between 0 and 1.
    undefined : {"raise", "drop"}
        What to do about groups of one class.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    AucSummary

    Warns
    -----
    RocsteadyWarning
        RS285 AUCs of 0 or 1 in random effects, RS286 groups that share cases or seem to, RS287 no spread at
        all, RS288 a prediction from a spread that is hardly known, RS289 data on which the interval misses
        too often, RS151 all AUCs are 0 or 1, RS154 influence curves that are flat.

    Notes
    -----
    Random effects: y = logit(AUC) with variance SE**2 / (AUC (1 - AUC))**2, SE being DeLong's; the standard
    error is that of Hartung, Knapp, Sidik & Jonkman with n - 1 degrees of freedom, as in metafor with
    ``test="knha"``, or the common effect's where that is larger (it is where Q is below its degrees of
    freedom). I squared is tau**2 over tau**2 plus the variance of a typical group; with "dersimonian-laird"
    that is (Q - df) / Q.

    A new group: the prediction interval of random effects is for its true AUC. It averages over all values of
    tau by the confidence that the Q profile gives them (Viechtbauer 2007; Nagashima, Noma & Furukawa 2019),
    with variances within groups that do not depend on a group's own AUC. Measured with 5 to 30 groups of 20
    to 200 cases a class, AUCs of 0.75 to 0.96 and tau from 0.15 to 0.8 (``simulations/auc_summaries.py``), it
    covered 0.93 to 1.00 where 0.95 is promised. With tau taken as known and n - 2 degrees of freedom
    (Higgins, Thompson & Spiegelhalter 2009; ``interval="hartung-knapp"``, RS288) it was 0.76 to 0.98. The
    prediction of ``"t"`` is for the AUC that would be seen in a new group, and covered its true AUC 0.92 to
    1.00. Folds of a cross-validation and random splits are parts of one data set: no other one is predicted,
    and ``prediction_interval`` is None.

    Influence curves: the variance of the mean is the sum over folds of their variances (each with the share
    of positives and the number of cases of that fold), divided by the squared number of folds. For folds of
    equal size and prevalence that is the number of the R package cvAUC, which uses the prevalence of all
    folds together and counts a tie as a loss in the influence curve.

    Measured with ten folds and 95 %: influence curves cover 0.88 to 0.92 with 100 cases, 0.93 with 400, 0.95
    with 2,000; Student's t over folds 0.91 to 0.95; Nadeau & Bengio 0.97 to 0.99.

    References
    ----------
    Hartung & Knapp (2001), Statistics in Medicine 20, 3875-3889. LeDell, Petersen & van der Laan (2015),
    Electronic Journal of Statistics 9, 1583-1607. Nadeau & Bengio (2003), Machine Learning 52, 239-281.
    Bouckaert & Frank (2004), PAKDD, LNCS 3056, 3-12.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from rocsteady.simulate import ShiftedDatasets
    >>> population = ShiftedDatasets("C-1", separation=1.2, separation_sd=0.3)
    >>> sites = population.draw(12, n_positives=100, n_negatives=150, seed=1, unit="site")
    >>> rs.summarize_auc(sites)
    AucSummary(t, 12 sites: AUC 0.7904, 0.7464 to 0.8285)
    >>> by_effects = rs.summarize_auc(sites, "random-effects")
    >>> by_effects
    AucSummary(random-effects, 12 sites: AUC 0.7959, 0.7493 to 0.8357)
    >>> round(by_effects.i_squared, 3), by_effects.prediction_interval
    (0.817, Interval(0.6132 to 0.9079, confidence level 0.95, prediction))
    >>> rs.summarize_auc(sites, "cv-influence").random
    'the cases, the trained models being fixed'
    """
    if isinstance(method, str) and method.casefold() in _TAU:
        raise fail("RS001.heterogeneity", method=method, meant=_TAU[method.casefold()])
    one_of("method", method, METHODS, elsewhere=ELSEWHERE)
    one_of("heterogeneity", heterogeneity, HETEROGENEITY, elsewhere=_TAU)
    one_of("interval", interval, INTERVALS, elsewhere={"knha": "hartung-knapp", "hksj": "hartung-knapp"})
    one_of("scale", scale, SCALES)
    level = open_share("confidence_level", confidence_level)
    if repeats is not None:
        repeats = whole_number("repeats", repeats, least=1, example=5)
    users = (
        ("test_train_ratio", test_train_ratio, ("t", "nadeau-bengio")),
        ("repeats", repeats, ("nadeau-bengio", "cv-influence")),
    )
    for name, value, methods in users:
        if value is not None and method not in methods:
            ways = [("folds that share training data:  ", Option("method", "nadeau-bengio"))]
            raise fail("RS002.together", name=name, other=f"method {method!r}", value=value, ways=ways)
    members = members_of(x, undefined=undefined, threads=threads, asker=ASKER)
    if len(members) < 2 and method != "cv-influence":
        n_undefined = len(members.undefined) or None
        raise fail("RS066.single", n=len(members), unit=members.unit, n_undefined=n_undefined)
    if members.curves.is_weighted and method in ("random-effects", "cv-influence"):
        raise refuse_weights(method, max(2, len(members)))
    if members.score_set is not None and method == "cv-influence":
        warn_of_clusters(members.score_set, f"summarize_auc by {method}")
    given = _Given(members, folds.shared_cases(members), level, scale)
    if members.score_set is not None and method in ("t", "random-effects"):
        ask_once(members.score_set)
    if method == "t":
        return _by_t(given, ratio_of(test_train_ratio, members.design))
    if method == "random-effects":
        return _by_random_effects(given, heterogeneity, interval)
    if method == "cv-influence":
        return _by_influence(given, repeats)
    return _by_splits(given, test_train_ratio, repeats)


def _warn_shared(members: Members, shared: folds.SharedCases | None, *, also_if_all: bool) -> None:
    """RS286 if groups share cases; those that all groups have are no surprise where readers are random."""
    if shared is None or shared.most == 1 or members.design.shares_training:
        return
    if shared.fewest < len(members) or also_if_all:
        n, unit = len(members), members.unit
        warn("RS286.shared", unit=unit, fewest=shared.fewest, most=shared.most, n=n)


def _by_t(given: _Given, ratio: float) -> AucSummary:
    if not ratio:
        _warn_shared(given.members, given.shared, also_if_all=False)
    mean, sd = _mean_and_sd(given)
    _warn_of_means(given, mean, sd, is_widened=ratio > 0)
    n, level = given.n, given.level
    error = sd * np.sqrt(1 / n + ratio)
    wide = two_sided_quantile("t", level, n - 1) * sd * np.sqrt(1 + 1 / n)
    return given.summary(
        "t",
        given.equal_weights,
        _own_errors(given.members),
        estimate=mean,
        standard_error=float(error),
        interval=_interval_of_mean(given, mean, error, "t"),
        df=float(n - 1),
        prediction_interval=None
        if ratio or given.members.design.shares_training
        else Interval(float(mean - wide), float(mean + wide), level, "prediction"),
        test_train_ratio=ratio or None,
    )


def _interval_of_mean(given: _Given, mean: float, error: float, method: str) -> Interval:
    """As the vertical average has it: on the logit scale, and from the cases where AUCs agree."""
    members = given.members
    n_cases = None if members.is_weighted else np.minimum(members.n_positives, members.n_negatives)
    low, high = limits_of_mean(
        mean,
        error,
        mostly_alike(members.auc[:, None])[0],
        given.equal_weights,
        n_cases,
        given.level,
        df=given.n - 1,
        scale=given.scale,
        repeats=members.design.repeats,
    )
    return Interval(float(low), float(high), given.level, method)


def _mean_and_sd(given: _Given) -> tuple[float, float]:
    auc = given.members.auc
    mean = float(auc[0] + (auc - auc[0]).mean())  # exactly the AUC that all share, if they do
    sd = float(auc.std(ddof=1)) if (auc != auc[0]).any() else 0.0
    if sd == 0:
        warn("RS287.equal", n=given.n, unit=given.members.unit, auc=mean)
    return mean, sd


def _warn_of_means(given: _Given, mean: float, sd: float, *, is_widened: bool = False) -> None:
    """RS289 if the AUCs are lopsided, RS286 if they differ less than by chance."""
    members = given.members
    has_variances = _can_be_counted(members)
    if is_skewed(members.auc, is_widened=is_widened, scale=given.scale):
        holds = has_variances and effects_hold(members, _moments(members))
        ways = other_methods(members, "random-effects" if holds else "")
        warn("RS289.skewed", unit=members.unit, mean=mean, sd=sd, n=given.n, ways=ways)
    if has_variances and sd > 0 and (given.shared is None or given.shared.most == 1):
        warn_if_alike(
            members, delong_variance(_moments(members)), is_known=given.shared is not None or is_widened
        )


def _can_be_counted(members: Members) -> bool:
    """Whether DeLong's variances are known: not with weights, nor with more pairs than can be counted."""
    pairs = members.n_positives.astype(np.float64) * members.n_negatives
    return not members.curves.is_weighted and bool(pairs.max() < MOST_PAIRS)


def _own_errors(members: Members) -> Floats:
    """DeLong's standard errors for the table; NaN where they are not known."""
    if not _can_be_counted(members):
        return np.full(len(members), np.nan)
    return np.sqrt(delong_variance(_moments(members)))


def _own_intervals(members: Members, level: float) -> Interval:
    """The guarded interval of every AUC by itself; NaN where it is not known, without a word about that."""
    if not _can_be_counted(members):
        unknown = read_only(np.full(len(members), np.nan))
        return Interval(unknown, unknown, level, "guarded")
    made = quiet_intervals(_moments(members), level)
    return Interval(read_only(made.low), read_only(made.high), level, made.method)


def _moments(members: Members) -> Moments:
    table, scores = members.table, members.score_set
    moments = curve_moments(table.true_positives, table.false_positives, table.offsets)
    if scores is None or scores._together is None:
        return moments
    clusters = cluster_counts(scores, threads=members.threads)
    return replace(moments, clusters=tuple(clusters[member] for member in members.chosen))


def _by_random_effects(given: _Given, heterogeneity: str, kind: str) -> AucSummary:
    from scipy.special import expit

    members, level = given.members, given.level
    _warn_shared(members, given.shared, also_if_all=True)
    moments = _moments(members)
    values, variances, errors = logits_of(members, moments)
    fitted = random_effects(values, variances, heterogeneity)
    if kind == "guarded":
        fitted = fitted.guarded()
    warn_about_fit(members, variances, fitted, kind)
    low, high = fitted.limits(level)
    prediction = None
    if not members.design.shares_training:
        wide = fitted.prediction_limits(level)
        if kind == "guarded":
            new = predicted_limits(values, shared_variances(moments, values, variances), level)
            wide = min(new[0], low), max(new[1], high)
        prediction = Interval(*wide, level, "prediction")
    scale = LogitScale(
        fitted.center, fitted.standard_error, Interval(low, high, level, "random-effects"), prediction
    )
    return given.summary(
        "random-effects",
        fitted.weights,
        errors,
        estimate=float(expit(fitted.center)),
        standard_error=float(fitted.standard_error * expit(fitted.center) * expit(-fitted.center)),
        interval=_as_aucs(scale.interval),
        df=float(fitted.df),
        prediction_interval=None if prediction is None else _as_aucs(prediction),
        tau=fitted.tau,
        i_squared=fitted.i_squared,
        q=fitted.q,
        heterogeneity_pvalue=fitted.pvalue,
        heterogeneity=heterogeneity,
        logit=scale,
    )


def _as_aucs(logits: Interval) -> Interval:
    from scipy.special import expit

    return replace(logits, low=float(expit(logits.low)), high=float(expit(logits.high)))


def _by_influence(given: _Given, repeats: int | None) -> AucSummary:
    members, level = given.members, given.level
    folds.require_cases_of_repeats(members, repeats, given.shared)
    if repeats is not None and given.shared is not None:
        repeats = folds.repeats_of(members, repeats, given.shared)
    moments = _moments(members)
    fewest = int(min(moments.n_positives.min(), moments.n_negatives.min()))
    error = float(np.sqrt(folds.influence_variance(members, moments, given.shared)))
    mean = float(members.auc[0] + (members.auc - members.auc[0]).mean())
    half = normal_quantile(level) * error
    low, high = max(mean - half, 0.0), min(mean + half, 1.0)
    interval = Interval(low, high, level, "cv-influence")
    if mean in (0, 1):
        warn_separated(given.n, mean)
        positives, negatives = (_distinct_cases(given, is_positive=own) for own in (True, False))
        limits = separated_limits(np.array(mean), positives, negatives, level)
        low, high = (float(limit) for limit in limits)
        interval = Interval(low, high, level, "separated")
    elif error == 0:  # all scores of every fold are equal, or folds are perfect one way or the other
        warn_flat(1, mean)
    elif fewest < _FEWEST_PER_CLASS:
        ways = other_methods(members, "t")
        warn("RS289.influence", unit=members.unit, fewest=fewest, needed=_FEWEST_PER_CLASS, ways=ways)
    return given.summary(
        "cv-influence",
        given.equal_weights,
        np.sqrt(folds.fold_variances(moments)),
        estimate=mean,
        standard_error=error,
        interval=interval,
        df=float("inf"),
        repeats=repeats,
    )


def _distinct_cases(given: _Given, *, is_positive: bool) -> int:
    """How many different cases of a class there are in all folds."""
    members, shared = given.members, given.shared
    if shared is None or members.score_set is None:
        return int((members.n_positives if is_positive else members.n_negatives).sum())
    columns = members.score_set.columns
    own = (columns.labels[shared.rows] == columns.positive) == is_positive
    return int(np.unique(shared.codes[own]).size)


def _by_splits(given: _Given, test_train_ratio: float | None, repeats: int | None) -> AucSummary:
    members, n = given.members, given.n
    if test_train_ratio is None and repeats is None and members.design.shares_training:
        ratio, repeats = members.design.test_train_ratio, members.design.repeats
    elif test_train_ratio is None:
        repeats = folds.repeats_of(members, repeats, given.shared)
        ratio = 1 / max((n + len(members.undefined)) // repeats - 1, 1)
    else:
        ratio = ratio_of(test_train_ratio)
    mean, sd = _mean_and_sd(given)
    _warn_of_means(given, mean, sd, is_widened=True)
    error = float(sd * np.sqrt(1 / n + ratio))
    return given.summary(
        "nadeau-bengio",
        given.equal_weights,
        _own_errors(members),
        estimate=mean,
        standard_error=error,
        interval=_interval_of_mean(given, mean, error, "nadeau-bengio"),
        df=float(n - 1),
        test_train_ratio=ratio,
        repeats=repeats,
    )
