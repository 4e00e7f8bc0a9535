"""One AUC for many datasets, with an interval that says what it takes as random."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rocsteady import _kernels
from rocsteady.arrays import Floats, Integers
from rocsteady.averaging.members import Members, members_of
from rocsteady.calling import welcomes
from rocsteady.counting.table import MOST_PAIRS, Moments, cluster_counts, curve_moments
from rocsteady.curves.uncertainty import (
    auc_shares,
    quiet_intervals,
    warn_flat,
    warn_separated,
)
from rocsteady.errors import Option, Remedy, fail, warn
from rocsteady.options import SCALES, one_of, open_share, whole_number
from rocsteady.points.paired_tests import ratio_of
from rocsteady.results import Result, TableResult, read_only
from rocsteady.scores.design import ASSUMED, Design, ask_once
from rocsteady.scores.score_set import takes_frames, warn_of_clusters
from rocsteady.showing import Drawn, Told, said
from rocsteady.statistics.delong import delong_variance, hanley_mcneil_variance
from rocsteady.statistics.groups import is_skewed, limits_of_mean, mostly_alike
from rocsteady.statistics.intervals import Interval, separated_limits, t_quantile
from rocsteady.statistics.random_effects import (
    HETEROGENEITY,
    INTERVALS,
    RandomEffects,
    predicted_limits,
    random_effects,
)
from rocsteady.words import counted, printable

METHODS = ("t", "random-effects", "cv-influence", "nadeau-bengio")


ELSEWHERE = {"cvauc": "cv-influence", "meta-analysis": "random-effects", "meta": "random-effects"}
ELSEWHERE |= {"corrected-t": "nadeau-bengio", "reml": "random-effects", "influence": "cv-influence"}
_TAU = dict.fromkeys(("dersimonian-laird", "dl", "d-l", "moments"), "dersimonian-laird")


_FEWEST_PER_CLASS = 20
"""Cases of a class in a fold below which intervals from influence curves were measured to be too narrow."""


_LOGIT_BIAS, _LOGIT_BIAS_IF_RARE, _WORST_BIAS = 0.18, 0.3, 0.4
"""Bias of the centre per variance of a group's logit, and if a class is rare; the share of its standard error
that is too much. From simulations: see RS289."""


_RARE = 1 / 3
"""Cases of the rarer class per case of the other."""


_TOO_ALIKE = 0.01
"""Cochran's Q is among the lowest of this share."""


_MUCH_LESS = 0.8
"""Of its mean: DeLong's variance of tiny groups is a little too large, which thousands of them would show."""


_LEAST_KNOWN = 0.5
"""I squared below which predictions with a known tau were measured to hold far too little: see RS288."""


@dataclass(frozen=True, eq=False, repr=False)
class GroupAucs(TableResult):
    """The AUC of every group and what it counts in a summary.

    Attributes
    ----------
    names : tuple of str
        The groups.
    auc, standard_error : float64 array
        Of each; DeLong's standard error, or what was used in its place (NaN if weighted).
    interval : Interval
        Of each by itself, its cases being random: limits as arrays, those of ``RocCurve.auc_interval()`` at
        the level of the summary. NaN with weights.
    weight : float64 array
        What each counts; they sum to one.
    unit : str
        The word for a group.
    """

    names: tuple[str, ...]
    auc: Floats
    standard_error: Floats
    interval: Interval
    weight: Floats
    unit: str

    def __len__(self) -> int:
        return len(self.names)

    def _columns(self) -> dict[str, Any]:
        numbers = {
            "auc": self.auc,
            "standard_error": self.standard_error,
            "low": self.interval.low,
            "high": self.interval.high,
            "weight": self.weight,
        }
        word = self.unit if self.unit not in numbers else "group"
        return {word: list(self.names)} | numbers

    def __repr__(self) -> str:
        groups = counted(len(self), printable(self.unit))
        return f"GroupAucs({groups}, AUC {self.auc.min():.4f} to {self.auc.max():.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class LogitScale(Result):
    """The same summary before it was brought back from the logit scale, ``log(AUC / (1 - AUC))``.

    Attributes
    ----------
    estimate, standard_error : float
        The centre and its standard error.
    interval : Interval
        Of the centre.
    prediction_interval : Interval or None
        Of the true value of a new group.
    """

    estimate: float
    standard_error: float
    interval: Interval
    prediction_interval: Interval | None

    def __repr__(self) -> str:
        return f"LogitScale({self.estimate:.4f}, standard error {self.standard_error:.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class AucSummary(Told, Drawn, TableResult, figure="forest", sentence="inference.auc_summary"):
    """One AUC for many groups, made by :func:`rocsteady.summarize_auc`.

    Attributes
    ----------
    estimate : float
        The mean AUC of the groups; for random effects the median AUC of the groups there are or could be.
    standard_error : float
        Of the estimate. For random effects by the delta method: the interval is made on the logit scale, see
        ``logit``.
    interval : Interval
        Of the estimate; limits of ``"t"`` and ``"nadeau-bengio"`` are not clipped to [0, 1].
    df : float
        Degrees of freedom of the interval; infinite for a normal one.
    prediction_interval : Interval or None
        Where the AUC of a new group is expected: for ``"t"`` the AUC that would be seen in it, for random
        effects its true AUC. None for folds and random splits, which are parts of one data set, and for the
        other methods.
    tau : float or None
        Standard deviation of the groups' true AUCs on the logit scale.
    i_squared : float or None
        The share of an AUC's variance that is between groups, for a group of typical size.
    q, heterogeneity_pvalue : float or None
        Cochran's test of whether the true AUCs differ at all.
    logit : LogitScale or None
        Random effects on the scale they were computed on.
    method, heterogeneity : str
        What was done; how tau was estimated, or None.
    test_train_ratio : float or None
        What ``"t"`` and ``"nadeau-bengio"`` added to 1 / n; None for nothing.
    repeats : int or None
        How often the cross-validation was taken to be repeated.
    design : Design
        How the scores came about.
    per_group : GroupAucs
        Every group; also the rows of :meth:`to_frame`.
    undefined : tuple of str
        Groups without a curve, and why.
    """

    estimate: float
    standard_error: float
    interval: Interval
    df: float
    method: str
    per_group: GroupAucs
    undefined: tuple[str, ...]
    prediction_interval: Interval | None = None
    tau: float | None = None
    i_squared: float | None = None
    q: float | None = None
    heterogeneity_pvalue: float | None = None
    heterogeneity: str | None = None
    logit: LogitScale | None = None
    test_train_ratio: float | None = None
    repeats: int | None = None
    design: Design = ASSUMED
    _all_share: bool = False  # whether every case is in every group
    _told: ClassVar[tuple[str, ...]] = ("random",)

    @property
    def random(self) -> str:
        """What the interval takes as random."""
        return said("inference.random_of_summary", self)

    @property
    def n_groups(self) -> int:
        """How many groups are in it."""
        return len(self.per_group)

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self.per_group.unit

    def _columns(self) -> dict[str, Any]:
        return self.per_group._columns()

    def __repr__(self) -> str:
        groups = counted(self.n_groups, printable(self.unit))
        limits = f"{self.interval.low:.4f} to {self.interval.high:.4f}"
        return f"AucSummary({self.method}, {groups}: AUC {self.estimate:.4f}, {limits})"


@takes_frames
@welcomes("summarize_auc(score_set)")
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
    members = members_of(x, undefined=undefined, threads=threads, function="summarize_auc")
    _require_usable(members, method)
    shared = _shared_cases(members)
    moments = _moments(members, needed=method in ("random-effects", "cv-influence"))
    weights, errors = np.full(len(members), 1 / len(members)), np.full(len(members), np.nan)
    if moments is not None:
        errors = np.sqrt(delong_variance(moments))
    if method == "random-effects":
        assert moments is not None
        found, weights, errors = _by_random_effects(members, moments, shared, heterogeneity, interval, level)
    elif method == "cv-influence":
        assert moments is not None
        found = _by_influence(members, moments, shared, repeats, level)
        errors = np.sqrt(_fold_variances(moments))
    elif method == "t":
        ratio = ratio_of(test_train_ratio, members.design)
        if not ratio:
            _warn_shared(members, shared, also_if_all=False)
        found = _by_t(members, moments, shared, ratio, level, scale, is_widened=ratio > 0)
        found["test_train_ratio"] = ratio or None
    else:
        ratio, repeats = _ratio_and_repeats(members, shared, test_train_ratio, repeats)
        found = _by_t(members, moments, shared, ratio, level, scale, is_widened=True)
        found |= {"test_train_ratio": ratio, "repeats": repeats, "prediction_interval": None}
        found["interval"] = replace(found["interval"], method=method)
    return AucSummary(
        method=method,
        per_group=GroupAucs(
            names=members.names,
            auc=members.auc,
            standard_error=read_only(errors),
            interval=_own_intervals(members, moments, level),
            weight=read_only(weights),
            unit=members.unit,
        ),
        undefined=members.undefined,
        design=members.design,
        _all_share=shared is not None and shared.fewest == len(members) > 1,
        **found,
    )


def _require_usable(members: Members, method: str) -> None:
    """RS066 and RS038 for what a method cannot use; RS104 and the question after the design where it may."""
    if len(members) < 2 and method != "cv-influence":
        n_undefined = len(members.undefined) or None
        raise fail("RS066.single", n=len(members), unit=members.unit, n_undefined=n_undefined)
    if members.curves.is_weighted and method in ("random-effects", "cv-influence"):
        raise fail("RS038.formulas", method=method, n=len(members))
    if members.score_set is not None and method == "cv-influence":
        warn_of_clusters(members.score_set, f"summarize_auc by {method}")
    if members.score_set is not None and method in ("t", "random-effects"):
        ask_once(members.score_set)


def _warn_shared(members: Members, shared: _SharedCases | None, *, also_if_all: bool) -> None:
    """RS286 if groups share cases; those that all groups have are no surprise where readers are random."""
    if shared is None or shared.most == 1 or members.design.shares_training:
        return
    if shared.fewest < len(members) or also_if_all:
        n, unit = len(members), members.unit
        warn("RS286.shared", unit=unit, fewest=shared.fewest, most=shared.most, n=n)


def _moments(members: Members, *, needed: bool) -> Moments | None:
    """Placements of every group; unless needed, None with weights or more pairs than can be counted."""
    pairs = members.n_positives.astype(np.float64) * members.n_negatives
    if not needed and (members.curves.is_weighted or not pairs.max() < MOST_PAIRS):
        return None
    table, scores = members.table, members.score_set
    moments = curve_moments(table.true_positives, table.false_positives, table.offsets)
    if scores is None or scores._together is None:
        return moments
    clusters = cluster_counts(scores, threads=members.threads)
    return replace(moments, clusters=tuple(clusters[member] for member in members.chosen))


def _own_intervals(members: Members, moments: Moments | None, level: float) -> Interval:
    """The guarded interval of every AUC by itself; NaN where it is not known, without a word about that."""
    if moments is None:
        unknown = read_only(np.full(len(members), np.nan))
        return Interval(unknown, unknown, level, "guarded")
    made = quiet_intervals(moments, level)
    return Interval(read_only(made.low), read_only(made.high), level, made.method)


# The mean of groups, by Student's t
# ----------------------------------


def _by_t(
    members: Members,
    moments: Moments | None,
    shared: _SharedCases | None,
    ratio: float,
    level: float,
    scale: str,
    *,
    is_widened: bool,
) -> dict[str, Any]:
    """Groups are random; ``ratio`` is added to 1 / n for training cases that they share."""
    auc, n, unit = members.auc, len(members), members.unit
    mean = _mean(auc)
    sd = float(auc.std(ddof=1)) if (auc != auc[0]).any() else 0.0
    if sd == 0:
        warn("RS287.equal", n=n, unit=unit, auc=mean)
    if is_skewed(auc, is_widened=is_widened, scale=scale):
        holds = moments is not None and _effects_hold(members, moments)
        ways = _other_methods(members, "random-effects" if holds else "")
        warn("RS289.skewed", unit=unit, mean=mean, sd=sd, n=n, ways=ways)
    if moments is not None and sd > 0 and (shared is None or shared.most == 1):
        _warn_if_alike(members, delong_variance(moments), is_known=shared is not None or is_widened)
    error = float(sd * np.sqrt(1 / n + ratio))
    # As the vertical average has it: on the logit scale, and from the cases where AUCs agree.
    low, high = limits_of_mean(
        mean,
        error,
        mostly_alike(auc[:, None])[0],
        np.full(n, 1 / n),
        None if members.is_weighted else np.minimum(members.n_positives, members.n_negatives),
        level,
        df=n - 1,
        scale=scale,
        repeats=members.design.repeats,
    )
    prediction = None
    if not (ratio or members.design.shares_training):
        wide = t_quantile(n - 1, level) * sd * np.sqrt(1 + 1 / n)
        prediction = Interval(float(mean - wide), float(mean + wide), level, "prediction")
    return {
        "estimate": mean,
        "standard_error": error,
        "interval": Interval(float(low), float(high), level, "t"),
        "df": float(n - 1),
        "prediction_interval": prediction,
    }


def _mean(auc: Floats) -> float:
    """Exactly the AUC that all share, if they do."""
    return float(auc[0] + (auc - auc[0]).mean())


def _ratio_and_repeats(
    members: Members, shared: _SharedCases | None, ratio: float | None, repeats: int | None
) -> tuple[float, int | None]:
    """Test over training cases, as given, as the design has it, or as of one cross-validation."""
    if ratio is not None:
        return ratio_of(ratio), repeats
    if repeats is None and members.design.shares_training:
        return members.design.test_train_ratio, members.design.repeats
    repeats = _repeats_of(members, repeats, shared)
    return 1 / max((len(members) + len(members.undefined)) // repeats - 1, 1), repeats


def _warn_if_alike(members: Members, variances: Floats, *, is_known: bool) -> None:
    """RS286 if AUCs differ less than by chance, on their own scale."""
    from scipy.special import chdtr

    df = members.auc.size - 1
    if not (variances > 0).all():  # single cases, perfect groups: how much chance explains is not known
        return
    q = df * float(members.auc.var(ddof=1) / variances.mean())
    share = float(chdtr(df, q))
    if share < _TOO_ALIKE and q < _MUCH_LESS * df:
        _warn_of_alike(members, q, share, is_known=is_known)


def _warn_of_alike(members: Members, q: float, share: float, *, is_known: bool) -> None:
    df, percentage = len(members) - 1, 100 * share
    warn("RS286.alike", unit=members.unit, q=q, df=df, percentage=percentage, are_known=is_known)


def _other_methods(members: Members, method: str, why: str = "") -> list[Remedy]:
    """The method to take; where that one would only send back, that none holds, and which errs least."""
    if method and not (method == "t" and is_skewed(members.auc)):
        return [[why, Option("method", method)]]
    closing: list[Remedy] = [f"no method keeps its level here; more cases in each {members.unit} would help"]
    if not is_skewed(members.auc, is_widened=True):
        closing.append(["nearest to it for folds, being wider:  ", Option("method", "nadeau-bengio")])
    return closing


# Random effects on the logit scale
# ---------------------------------


def _by_random_effects(
    members: Members,
    moments: Moments,
    shared: _SharedCases | None,
    heterogeneity: str,
    kind: str,
    level: float,
) -> tuple[dict[str, Any], Floats, Floats]:
    """Every group has a true value of its own; with weights and the standard errors of the groups."""
    from scipy.special import expit

    _warn_shared(members, shared, also_if_all=True)
    values, variances, errors = _logits_of(members, moments)
    fitted = random_effects(values, variances, heterogeneity)
    if kind == "guarded":
        fitted = fitted.guarded()
    _warn_about_fit(members, variances, fitted, kind)
    low, high = fitted.limits(level)
    prediction = None
    if not members.design.shares_training:
        wide = fitted.prediction_limits(level)
        if kind == "guarded":
            new = predicted_limits(values, _shared_variances(moments, values, variances), level)
            wide = min(new[0], low), max(new[1], high)
        prediction = Interval(*wide, level, "prediction")
    scale = LogitScale(
        fitted.center, fitted.standard_error, Interval(low, high, level, "random-effects"), prediction
    )
    found = {
        "estimate": float(expit(fitted.center)),
        "standard_error": float(fitted.standard_error * expit(fitted.center) * expit(-fitted.center)),
        "interval": _as_aucs(scale.interval),
        "df": float(fitted.df),
        "prediction_interval": None if prediction is None else _as_aucs(prediction),
        "tau": fitted.tau,
        "i_squared": fitted.i_squared,
        "q": fitted.q,
        "heterogeneity_pvalue": fitted.pvalue,
        "heterogeneity": heterogeneity,
        "logit": scale,
    }
    return found, fitted.weights, errors


def _as_aucs(logits: Interval) -> Interval:
    from scipy.special import expit

    return replace(logits, low=float(expit(logits.low)), high=float(expit(logits.high)))


def _logits_of(members: Members, moments: Moments) -> tuple[Floats, Floats, Floats]:
    """Logits of the AUCs, their variances, and the standard errors of the AUCs themselves.

    RS285 where an AUC of 0 or 1 loses half a pair, or where a variance is not DeLong's.
    """
    auc, complement = auc_shares(moments)
    separated = (auc == 0) | (complement == 0)
    half = 0.5 / (moments.n_positives.astype(np.float64) * moments.n_negatives + 1)
    auc, complement = (
        np.where(separated, np.clip(share, half, 1 - half), share) for share in (auc, complement)
    )
    variance = delong_variance(moments)
    replaced = ~(variance > 0)
    if replaced.any():
        warn(
            "RS285.replaced",
            n=int(replaced.sum()),
            n_groups=len(members),
            unit=members.unit,
            n_separated=int(separated.sum()),
            n_others=int(replaced.sum()) - int(separated.sum()),
            ways=_other_methods(members, "t", "if they are many, the mean AUC is safer:  "),
        )
        # Of the better side: the formula's model has AUCs above 1/2, and turned scores are no surer.
        better = np.maximum(auc, complement)
        instead = hanley_mcneil_variance(better, moments.n_positives, moments.n_negatives)
        variance = np.where(replaced, instead, variance)
    return np.log(auc) - np.log(complement), variance / (auc * complement) ** 2, np.sqrt(variance)


def _shared_variances(moments: Moments, values: Floats, variances: Floats) -> Floats:
    """Variances of logits from what all groups show of the scatter of cases, for the sizes of each.

    A group's own variance goes with its AUC: near 1 a good group seems unsure, counts little, and how much
    groups differ comes out too small. Here placements have the same variance in all groups, and the slope
    of the logit is that at the mean AUC. ``variances`` serve where no placement scatters.
    """
    from scipy.special import expit

    positives, negatives = moments.n_positives.astype(np.float64), moments.n_negatives.astype(np.float64)
    squares = (
        moments.positive_spread / (positives * (2 * negatives) ** 2),
        moments.negative_spread / (negatives * (2 * positives) ** 2),
    )
    with np.errstate(invalid="ignore"):  # a single case of a class in every group
        of_positives, of_negatives = (
            own.sum() / (n - 1).sum() for own, n in zip(squares, (positives, negatives), strict=True)
        )
    if not of_positives + of_negatives > 0:
        return variances
    slope = float(expit(values).mean() * expit(-values).mean())
    return np.asarray((of_positives / positives + of_negatives / negatives) / slope**2)


def _warn_about_fit(members: Members, variances: Floats, fitted: RandomEffects, interval: str) -> None:
    """RS286 to RS289: too little spread to believe in or to predict from, groups too small for so many."""
    if fitted.standard_error == 0:
        warn("RS287.equal", n=len(members), unit=members.unit, auc=float(members.auc[0]))
        return
    alike = fitted.less_than_chance
    if alike < _TOO_ALIKE:
        _warn_of_alike(members, fitted.q, alike, is_known=False)
    elif interval == "hartung-knapp" and len(members) > 2 and fitted.i_squared < _LEAST_KNOWN:
        warn("RS288.unknown", unit=members.unit, i_squared=round(fitted.i_squared, 3), n=len(members))
    typical, error, is_biased = _bias(members, variances, fitted.tau)
    if is_biased:
        ways = _other_methods(members, "t")
        warn("RS289.centre", unit=members.unit, typical=typical, error=error, ways=ways)


def _bias(members: Members, variances: Floats, tau: float) -> tuple[float, float, bool]:
    """Typical errors of a group's logit and of the centre; whether groups are too small for so many."""
    # Not the Hartung-Knapp error, which is tiny by chance now and then.
    error = float(1 / np.sqrt((1 / (variances + tau**2)).sum()))
    typical = float(np.sqrt(np.median(variances)))
    odds = members.n_positives / members.n_negatives
    is_rare = np.median(np.minimum(odds, 1 / odds)) < _RARE
    bias = _LOGIT_BIAS_IF_RARE if is_rare else _LOGIT_BIAS
    return typical, error, bool(bias * typical**2 > _WORST_BIAS * error)


def _effects_hold(members: Members, moments: Moments) -> bool:
    """Whether random effects would do without a warning that sends back to the mean; tau by moments."""
    auc, complement = auc_shares(moments)
    variance = delong_variance(moments)
    if not ((variance > 0) & (auc > 0) & (complement > 0)).all():
        return False
    variances = variance / (auc * complement) ** 2
    fitted = random_effects(np.log(auc) - np.log(complement), variances, "dersimonian-laird")
    return not _bias(members, variances, fitted.tau)[2]


# Influence of cases on folds
# ---------------------------


def _by_influence(
    members: Members, moments: Moments, shared: _SharedCases | None, repeats: int | None, level: float
) -> dict[str, Any]:
    """Cases are random, the trained models being fixed."""
    if shared is None and repeats is not None and repeats > 1:
        raise fail("RS067.unnamed", unit=members.unit, n=len(members), repeats=repeats)
    if repeats is not None and shared is not None:
        repeats = _repeats_of(members, repeats, shared)
    fewest = int(min(moments.n_positives.min(), moments.n_negatives.min()))
    error = float(np.sqrt(_influence_variance(members, moments, shared)))
    mean = _mean(members.auc)
    half = t_quantile(np.inf, level) * error
    low, high = max(mean - half, 0.0), min(mean + half, 1.0)
    interval = Interval(low, high, level, "cv-influence")
    if mean in (0, 1):
        warn_separated(len(members), mean)
        positives, negatives = (_distinct_cases(members, shared, is_positive=own) for own in (True, False))
        limits = separated_limits(np.array(mean), positives, negatives, level)
        low, high = (float(limit) for limit in limits)
        interval = Interval(low, high, level, "separated")
    elif error == 0:  # all scores of every fold are equal, or folds are perfect one way or the other
        warn_flat(1, mean)
    elif fewest < _FEWEST_PER_CLASS:
        ways = _other_methods(members, "t")
        warn("RS289.influence", unit=members.unit, fewest=fewest, needed=_FEWEST_PER_CLASS, ways=ways)
    return {
        "estimate": mean,
        "standard_error": error,
        "interval": interval,
        "df": float("inf"),
        "repeats": repeats,
    }


def _distinct_cases(members: Members, shared: _SharedCases | None, *, is_positive: bool) -> int:
    """How many different cases of a class there are in all folds."""
    if shared is None or members.score_set is None:
        return int((members.n_positives if is_positive else members.n_negatives).sum())
    columns = members.score_set.columns
    own = (columns.labels[shared.rows] == columns.positive) == is_positive
    return int(np.unique(shared.codes[own]).size)


@dataclass(frozen=True, eq=False)
class _SharedCases:
    """In how many groups and rows the cases of a set are.

    Attributes
    ----------
    codes : int64 array
        The case of every row of the groups that have a curve, numbered from 0 without gaps.
    rows : int64 array
        Where those rows are in the set.
    fewest, most : int
        Groups that a case is in.
    """

    codes: Integers
    rows: Integers
    fewest: int
    most: int

    @property
    def any_twice(self) -> bool:
        """Whether some case has several rows, in one group or in several."""
        return self.codes.size > int(self.codes.max()) + 1


def _shared_cases(members: Members) -> _SharedCases | None:
    """Which rows are about the same case; None where cases are not known."""
    score_set = members.score_set
    if score_set is None or score_set.cases is None:
        return None
    sizes = np.diff(score_set.columns.offsets)
    kept = np.zeros(sizes.size, dtype=np.bool_)
    kept[members.chosen] = True
    rows = np.flatnonzero(np.repeat(kept, sizes))
    groups = np.repeat(np.arange(sizes.size), sizes)[rows]
    _, codes = np.unique(score_set.cases.codes[rows], return_inverse=True)
    pairs = np.unique(codes.astype(np.int64) * sizes.size + groups) // sizes.size
    n_groups = np.bincount(pairs)
    return _SharedCases(codes, rows, int(n_groups.min()), int(n_groups.max()))


def _repeats_of(members: Members, repeats: int | None, shared: _SharedCases | None) -> int:
    """How often the cross-validation was repeated: as named, else as its cases tell, else once.

    RS067 if the folds, the cases and the repeats do not agree.
    """
    n_folds = len(members) + len(members.undefined)
    if shared is not None:
        _require_same_number(members, repeats, shared)
        repeats = shared.most
    repeats = repeats or 1
    if n_folds % repeats or n_folds // repeats < 2:
        is_in_all = shared is not None and shared.most == n_folds
        raise fail("RS067.folds", n=n_folds, unit=members.unit, repeats=repeats, is_in_all=is_in_all)
    return repeats


def _require_same_number(members: Members, repeats: int | None, shared: _SharedCases) -> None:
    # A fold of one class has no curve, and its cases are then missing from one repeat.
    is_even = shared.fewest == shared.most or bool(members.undefined)
    if is_even and repeats in (None, shared.most):
        return
    tested = f"{shared.most}" if shared.fewest == shared.most else f"{shared.fewest} to {shared.most}"
    found = {"tested": tested, "n": len(members), "unit": members.unit}
    if is_even:
        raise fail("RS067.other-number", most=shared.most, repeats=repeats, **found)
    raise fail("RS067.uneven", **found)


def _influence_variance(members: Members, moments: Moments, shared: _SharedCases | None) -> float:
    """The variance of the mean AUC of the folds, its cases being random.

    An AUC is nearly a sum over its cases: a case adds the difference between its placement and the AUC,
    divided by the number of cases of its class. What a case adds to the mean of all folds is squared and
    summed; rows of the same case are added up before, so that repeats, and patients with several rows,
    count once.
    """
    n_folds = moments.wins.size
    if shared is None or not shared.any_twice:
        return float(_fold_variances(moments).sum()) / n_folds**2
    added = _influence(members, shared.rows) / n_folds
    return float((np.bincount(shared.codes, weights=added) ** 2).sum())


def _fold_variances(moments: Moments) -> Floats:
    """The influence-curve variance of every AUC: DeLong's with the divisor n instead of n - 1."""
    positives, negatives = moments.n_positives.astype(float), moments.n_negatives.astype(float)
    within = moments.positive_spread / positives + moments.negative_spread / negatives
    return np.asarray(within / (2 * positives * negatives) ** 2)


def _influence(members: Members, rows: Integers) -> Floats:
    """What every one of the rows adds to the AUC of its fold."""
    score_set = members.score_set
    assert score_set is not None
    c = score_set.columns
    doubled = _kernels.kernels.placements(
        c.scores, c.labels, c.offsets, c.positive, c.negative, c.higher_is_positive,
        _kernels.thread_count(members.threads),
    )[rows]  # fmt: skip
    folds = np.repeat(np.arange(len(score_set)), np.diff(c.offsets))[rows]
    is_positive = c.labels[rows] == c.positive
    own = np.where(is_positive, score_set.n_positives[folds], score_set.n_negatives[folds])
    rivals = np.where(is_positive, score_set.n_negatives[folds], score_set.n_positives[folds])
    placement = doubled / (2 * rivals)
    wins = np.bincount(folds[is_positive], weights=placement[is_positive], minlength=len(score_set))
    return np.asarray((placement - (wins / np.maximum(score_set.n_positives, 1))[folds]) / own)
