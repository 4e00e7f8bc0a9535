"""One AUC for many datasets, with an interval that says what it takes as random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rocsteady import _kernels
from rocsteady.arrays import Floats, Integers
from rocsteady.averaging.average import members_of
from rocsteady.averaging.base import Members
from rocsteady.calling import welcomes
from rocsteady.counting.table import MOST_PAIRS, Moments, cluster_counts
from rocsteady.curves.intervals import auc_shares, quiet_intervals
from rocsteady.errors import Option, Remedy, fail, warn
from rocsteady.inference.matching import groups_of_cases
from rocsteady.options import SCALES, one_of, open_share, whole_number
from rocsteady.results import Result, TableResult
from rocsteady.scores.design import ASSUMED, Design, Random, ask_once
from rocsteady.scores.score_set import takes_frames, warn_of_clusters
from rocsteady.showing import Drawn, Said, Told
from rocsteady.statistics.delong import delong_variance, hanley_mcneil_variance
from rocsteady.statistics.folds import ratio_of
from rocsteady.statistics.groups import is_skewed, limits_of_mean, mean_and_error, mostly_alike
from rocsteady.statistics.limits import Interval, separated_limits, t_quantile
from rocsteady.statistics.random_effects import (
    HETEROGENEITY,
    INTERVALS,
    RandomEffects,
    predicted_limits,
    random_effects,
    tau_squared_by_moments,
)

METHODS = ("t", "random-effects", "cv-influence", "nadeau-bengio")
_ELSEWHERE = {
    "cvauc": "cv-influence",
    "influence": "cv-influence",
    "corrected-t": "nadeau-bengio",
    "meta-analysis": "random-effects",
    "meta": "random-effects",
    "reml": "random-effects",
}
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

    _line = "{names:count {unit}}, AUC {_lowest:.4f} to {_highest:.4f}"
    _in_frame = "{0.unit}=names, auc, standard_error, interval.low, interval.high, weight"

    def __len__(self) -> int:
        return len(self.names)

    @property
    def _lowest(self) -> float:
        return float(self.auc.min())

    @property
    def _highest(self) -> float:
        return float(self.auc.max())


@dataclass(frozen=True, eq=False, repr=False)
class LogitScale(Result):
    """The same summary before it was brought back from the logit scale, ``log(AUC / (1 - AUC))``: the centre,
    its standard error and interval, and that of the true value of a new group.
    """

    estimate: float
    standard_error: float
    interval: Interval
    prediction_interval: Interval | None

    _line = "{estimate:.4f}, standard error {standard_error:.4f}"


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
    _elsewhere: ClassVar = {"auc": "estimate"}
    _line = "{method}, {n_groups:count {unit}}: AUC {estimate:.4f}, {interval}"

    @property
    def _random(self) -> Random:
        """What another study would have anew."""
        if self.method == "nadeau-bengio" or (self.method == "t" and self.test_train_ratio):
            return Random.SPLITS
        return Random.CASES if self.method == "cv-influence" else Random.GROUPS

    random = Said("inference.random_of_summary")
    """What the interval takes as random."""

    @property
    def n_groups(self) -> int:
        """How many groups are in it."""
        return len(self.per_group)

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self.per_group.unit

    def _columns(self) -> Mapping[str, Any]:
        return self.per_group._columns()


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

    The methods differ in what they take as random; choose by what another study would draw anew:

    ``"t"``
        Other groups of the same kind; of folds of a cross-validation, other cases to train and to test on.
        The mean AUC with Student's t, as ``average(x, "vertical")`` has it. Nothing is assumed about the
        cases, which makes it the safe choice unless a few groups differ much near AUC 1.
    ``"random-effects"``
        Other groups, and other cases in each. A normal model on the logit scale: large groups count more,
        though never as much as their size where groups differ, and chance is told apart from true
        differences. The centre is the median AUC of groups, not the mean. Not for folds of a
        cross-validation: training cases that they share are not allowed for (RS286).
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
        RS285 AUCs of 0 or 1 in random effects, RS286 groups that share cases or seem to, and random effects
        of folds that share training cases, RS287 no spread at all, RS288 a prediction from a spread that is
        hardly known, RS289 data on which the interval misses too often, RS151 all AUCs are 0 or 1, RS154
        influence curves that are flat.

    Notes
    -----
    Random effects: y = logit(AUC) with variance SE**2 / (AUC (1 - AUC))**2, SE being DeLong's; the standard
    error is that of Hartung, Knapp, Sidik & Jonkman with n - 1 degrees of freedom, as in metafor with
    ``test="knha"``, or the common effect's where that is larger. I squared is tau**2 over tau**2 plus the
    variance of a typical group; with "dersimonian-laird" that is (Q - df) / Q. The prediction interval is for
    the true AUC of a new group, and averages over all values of tau by the confidence that the Q profile
    gives them (Viechtbauer 2007; Nagashima, Noma & Furukawa 2019); with ``interval="hartung-knapp"`` tau is
    taken as known, with n - 2 degrees of freedom. That of ``"t"`` is for the AUC that would be seen.

    Influence curves: the variance of the mean is the sum of the folds' own, over the squared number of folds.
    For folds of equal size and prevalence that is the number of the R package cvAUC, which uses the
    prevalence of all folds together and counts a tie as a loss.

    How often the intervals hold is measured in ``docs/coverage.md``.

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
    'The cases are treated as a random sample; the trained models are fixed.'
    """
    if isinstance(method, str) and method.casefold() in _TAU:
        raise fail("RS001.heterogeneity", method=method, meant=_TAU[method.casefold()])
    one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
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
    groups = _Groups(members, method, level)
    if method == "random-effects":
        found, weights, errors = groups.by_random_effects(heterogeneity, interval)
    else:
        weights = np.full(groups.n, 1 / groups.n)
        if method == "cv-influence":
            found, variances = groups.by_influence(repeats), groups.fold_variances()
        else:
            found = groups.by_t(test_train_ratio, repeats, scale)
            variances = np.full(groups.n, np.nan) if groups.moments is None else groups.variances
        errors = np.sqrt(variances)
    if groups.moments is None:
        own = Interval(np.full(groups.n, np.nan), np.full(groups.n, np.nan), level, "guarded")
    else:
        own = quiet_intervals(groups.moments, level)
    return AucSummary(
        method=method,
        per_group=GroupAucs(members.names, members.auc, errors, own, weights, members.unit),
        undefined=members.undefined,
        design=members.design,
        _all_share=groups.cases is not None and groups.cases.fewest == groups.n > 1,
        **found,
    )


class _Cases(NamedTuple):
    """The case of every row of the groups with a curve, from 0; where those rows are; groups a case is in."""

    codes: Integers
    rows: Integers
    fewest: int
    most: int


class _Groups:
    """The groups of a summary, whose fields each method finds; RS066 and RS038 for what it cannot use."""

    def __init__(self, members: Members, method: str, level: float) -> None:
        self.members, self.method, self.level = members, method, level
        self.n, self.unit, self.auc = len(members), members.unit, members.auc
        self.shares_training = members.design.shares_training
        scores = members.score_set
        if self.n < 2 and method != "cv-influence":
            n_undefined = len(members.undefined) or None
            raise fail("RS066.single", n=self.n, unit=self.unit, n_undefined=n_undefined)
        if members.curves.is_weighted and method in ("random-effects", "cv-influence"):
            raise fail("RS038.formulas", method=method, n=self.n)
        if scores is not None and method == "cv-influence":
            warn_of_clusters(scores, f"summarize_auc by {method}")
        if scores is not None and method in ("t", "random-effects"):
            ask_once(scores)

    @property
    def mean(self) -> float:
        """Exactly the AUC that all share, if they do."""
        return float(mean_and_error(self.auc[:, None])[0][0])

    @cached_property
    def moments(self) -> Moments | None:
        """Placements of every group; None with weights, and with more pairs than can be counted."""
        members, scores = self.members, self.members.score_set
        pairs = members.n_positives.astype(np.float64) * members.n_negatives
        if members.curves.is_weighted or not pairs.max() < MOST_PAIRS:
            return None
        moments = members.curves._moments
        if scores is None or scores._together is None:
            return moments
        clusters = cluster_counts(scores, threads=members.threads)
        return replace(moments, clusters=tuple(clusters[member] for member in members.chosen))

    @property
    def counted(self) -> Moments:
        """The same where they are needed."""
        return self.members.curves._moments if self.moments is None else self.moments  # RS047

    @cached_property
    def variances(self) -> Floats:
        """DeLong's, of every AUC."""
        return delong_variance(self.counted)

    @cached_property
    def cases(self) -> _Cases | None:
        """Which rows are about the same case; None where cases are not known."""
        scores = self.members.score_set
        if scores is None or scores.cases is None:
            return None
        sizes = np.diff(scores.columns.offsets)
        kept = np.zeros(sizes.size, dtype=np.bool_)
        kept[self.members.chosen] = True
        rows = np.flatnonzero(np.repeat(kept, sizes))
        groups = np.repeat(np.arange(sizes.size), sizes)[rows]
        _, codes = np.unique(scores.cases.codes[rows], return_inverse=True)
        times = groups_of_cases(codes, groups)
        return _Cases(codes, rows, int(times.min()), int(times.max()))

    # The mean of groups, by Student's t

    def by_t(self, test_train_ratio: float | None, repeats: int | None, scale: str) -> dict[str, Any]:
        """Groups are random; a ratio is added to 1 / n for training cases that they share."""
        members, auc, n, mean = self.members, self.auc, self.n, self.mean
        if self.method == "t":
            ratio = ratio_of(test_train_ratio, members.design)
            if not ratio:
                self._warn_shared(also_if_all=False)
        elif test_train_ratio is not None:
            ratio = ratio_of(test_train_ratio)
        elif repeats is None and self.shares_training:
            ratio, repeats = members.design.test_train_ratio, members.design.repeats
        else:  # as of one cross-validation
            repeats = self._repeats(repeats)
            ratio = 1 / max((n + len(members.undefined)) // repeats - 1, 1)
        is_widened = ratio > 0 or self.method != "t"
        sd = float(auc.std(ddof=1)) if (auc != auc[0]).any() else 0.0
        if sd == 0:
            warn("RS287.equal", n=n, unit=self.unit, auc=mean)
        if is_skewed(auc, is_widened=is_widened, scale=scale):
            ways = self._other_methods("random-effects" if self._effects_hold() else "")
            warn("RS289.skewed", unit=self.unit, mean=mean, sd=sd, n=n, ways=ways)
        if self.moments is not None and sd > 0 and (self.cases is None or self.cases.most == 1):
            # Where single cases, or perfect groups, leave open how much chance explains, nothing is said.
            variances = self.variances
            q = (n - 1) * float(auc.var(ddof=1) / variances.mean()) if (variances > 0).all() else np.inf
            if q < _MUCH_LESS * (n - 1):
                self._is_too_alike(q, are_known=self.cases is not None or is_widened)
        error = float(mean_and_error(auc[:, None], ratio)[1][0])
        # As the vertical average has it: on the logit scale, and from the cases where AUCs agree.
        low, high = limits_of_mean(
            mean,
            error,
            mostly_alike(auc[:, None])[0],
            np.full(n, 1 / n),
            None if members.cases is None else np.minimum(*members.cases),
            self.level,
            df=n - 1,
            scale=scale,
            repeats=members.design.repeats,
        )
        found: dict[str, Any] = {"estimate": mean, "standard_error": error, "df": float(n - 1)}
        found |= {"interval": Interval(float(low), float(high), self.level, self.method), "repeats": repeats}
        if not (ratio or self.shares_training or self.method != "t"):
            wide = t_quantile(n - 1, self.level) * sd * np.sqrt(1 + 1 / n)
            prediction = Interval(float(mean - wide), float(mean + wide), self.level, "prediction")
            found |= {"prediction_interval": prediction}
        return found | {"test_train_ratio": (ratio or None) if self.method == "t" else ratio}

    def _repeats(self, repeats: int | None) -> int:
        """How often the cross-validation was repeated: as named, else as its cases tell, else once.

        RS067 if the folds, the cases and the repeats do not agree.
        """
        n_folds, cases = self.n + len(self.members.undefined), self.cases
        if cases is not None:
            tested = f"{cases.most}" if cases.fewest == cases.most else f"{cases.fewest} to {cases.most}"
            found = {"tested": tested, "n": self.n, "unit": self.unit}
            # A fold of one class has no curve, and its cases are then missing from one repeat.
            if cases.fewest < cases.most and not self.members.undefined:
                raise fail("RS067.uneven", **found)
            if repeats not in (None, cases.most):
                raise fail("RS067.other-number", most=cases.most, repeats=repeats, **found)
            repeats = cases.most
        repeats = repeats or 1
        if n_folds % repeats or n_folds // repeats < 2:
            is_in_all = cases is not None and cases.most == n_folds
            raise fail("RS067.folds", n=n_folds, unit=self.unit, repeats=repeats, is_in_all=is_in_all)
        return repeats

    def _warn_shared(self, *, also_if_all: bool) -> None:
        """RS286 if groups share cases; those that all have are no surprise where readers are random."""
        cases = self.cases
        if cases is None or cases.most == 1 or self.shares_training:
            return
        if cases.fewest < self.n or also_if_all:
            warn("RS286.shared", unit=self.unit, fewest=cases.fewest, most=cases.most, n=self.n)

    def _is_too_alike(self, q: float, *, are_known: bool) -> bool:
        """Whether Q is smaller than chance makes it; RS286 then."""
        from scipy.special import chdtr

        share = float(chdtr(self.n - 1, q))
        is_said = self.shares_training and self.method == "random-effects"  # by RS286.training
        if share < _TOO_ALIKE and not is_said:
            facts = {"df": self.n - 1, "percentage": 100 * share, "are_known": are_known}
            warn("RS286.alike", unit=self.unit, q=q, **facts)
        return share < _TOO_ALIKE

    def _other_methods(self, method: str, why: str = "") -> list[Remedy]:
        """The method to take; where that one would only send back, that none holds, and which errs least."""
        if method and not (method == "t" and is_skewed(self.auc)):
            return [[why, Option("method", method)]]
        closing: list[Remedy] = [f"no method keeps its level here; more cases in each {self.unit} would help"]
        if not is_skewed(self.auc, is_widened=True):
            closing.append(["nearest to it for folds, being wider:  ", Option("method", "nadeau-bengio")])
        return closing

    def _effects_hold(self) -> bool:
        """Whether random effects would do without a warning that sends back to the mean; tau by moments."""
        if self.moments is None or not (self.variances > 0).all():
            return False
        values, variances, _ = self._logits()
        return not self._bias(variances, tau_squared_by_moments(values, variances))[2]

    # Random effects on the logit scale

    def by_random_effects(self, heterogeneity: str, kind: str) -> tuple[dict[str, Any], Floats, Floats]:
        """Every group has a true value of its own; with weights and the standard errors of the groups."""
        from scipy.special import expit

        if self.shares_training:
            design = self.members.design
            warn("RS286.training", unit=self.unit, n=self.n, ratio=design.test_train_ratio)
        self._warn_shared(also_if_all=True)
        values, variances, errors = self._logits()
        fitted = random_effects(values, variances, heterogeneity)
        if kind == "guarded":
            fitted = fitted.guarded()
        self._warn_about_fit(variances, fitted, kind)
        low, high = fitted.limits(self.level)
        interval, prediction = Interval(low, high, self.level, "random-effects"), None
        if not self.shares_training:
            wide = fitted.prediction_limits(self.level)
            if kind == "guarded":
                new = predicted_limits(values, _shared_variances(self.counted, values, variances), self.level)
                wide = min(new[0], low), max(new[1], high)
            prediction = Interval(*wide, self.level, "prediction")

        intervals = [
            own and replace(own, low=float(expit(own.low)), high=float(expit(own.high)))
            for own in (interval, prediction)
        ]
        found = {
            "estimate": float(expit(fitted.center)),
            "standard_error": float(fitted.standard_error * expit(fitted.center) * expit(-fitted.center)),
            "interval": intervals[0],
            "df": float(fitted.df),
            "prediction_interval": intervals[1],
            "tau": fitted.tau,
            "i_squared": fitted.i_squared,
            "q": fitted.q,
            "heterogeneity_pvalue": fitted.pvalue,
            "heterogeneity": heterogeneity,
            "logit": LogitScale(fitted.center, fitted.standard_error, interval, prediction),
        }
        return found, fitted.weights, errors

    def _logits(self) -> tuple[Floats, Floats, Floats]:
        """Logits of the AUCs, their variances, and the standard errors of the AUCs themselves.

        RS285 where an AUC of 0 or 1 loses half a pair, or where a variance is not DeLong's.
        """
        moments, variance = self.counted, self.variances
        auc, complement = auc_shares(moments)
        separated = (auc == 0) | (complement == 0)
        half = 0.5 / (moments.n_positives.astype(np.float64) * moments.n_negatives + 1)
        auc, complement = (
            np.where(separated, np.clip(share, half, 1 - half), share) for share in (auc, complement)
        )
        replaced = ~(variance > 0)
        if replaced.any():
            n, n_separated = int(replaced.sum()), int(separated.sum())
            ways = self._other_methods("t", "if they are many, the mean AUC is safer:  ")
            facts = {"n_groups": self.n, "n_separated": n_separated, "n_others": n - n_separated}
            warn("RS285.replaced", n=n, unit=self.unit, ways=ways, **facts)
            # Of the better side: the formula's model has AUCs above 1/2, and turned scores are no surer.
            better = np.maximum(auc, complement)
            instead = hanley_mcneil_variance(better, moments.n_positives, moments.n_negatives)
            variance = np.where(replaced, instead, variance)
        return np.log(auc) - np.log(complement), variance / (auc * complement) ** 2, np.sqrt(variance)

    def _warn_about_fit(self, variances: Floats, fitted: RandomEffects, interval: str) -> None:
        """RS286 to RS289: too little spread to believe in or predict from, groups too small for so many."""
        if fitted.standard_error == 0:
            warn("RS287.equal", n=self.n, unit=self.unit, auc=float(self.auc[0]))
            return
        is_too_alike = self._is_too_alike(fitted.q, are_known=False)
        is_known = interval != "hartung-knapp" or fitted.i_squared >= _LEAST_KNOWN
        if not (is_known or is_too_alike or self.n < 3):
            warn("RS288.unknown", unit=self.unit, i_squared=round(fitted.i_squared, 3), n=self.n)
        typical, error, is_biased = self._bias(variances, fitted.tau**2)
        if is_biased:
            ways = self._other_methods("t")
            warn("RS289.centre", unit=self.unit, typical=typical, error=error, ways=ways)

    def _bias(self, variances: Floats, tau_squared: float) -> tuple[float, float, bool]:
        """Typical errors of a group's logit and of the centre; whether groups are too small for so many."""
        # Not the Hartung-Knapp error, which is tiny by chance now and then.
        error = float(1 / np.sqrt((1 / (variances + tau_squared)).sum()))
        typical = float(np.sqrt(np.median(variances)))
        odds = self.members.n_positives / self.members.n_negatives
        is_rare = np.median(np.minimum(odds, 1 / odds)) < _RARE
        bias = _LOGIT_BIAS_IF_RARE if is_rare else _LOGIT_BIAS
        return typical, error, bool(bias * typical**2 > _WORST_BIAS * error)

    # Influence of cases on folds

    def by_influence(self, repeats: int | None) -> dict[str, Any]:
        """Cases are random, the trained models being fixed."""
        if self.cases is None and repeats is not None and repeats > 1:
            raise fail("RS067.unnamed", unit=self.unit, n=self.n, repeats=repeats)
        if self.cases is not None and repeats is not None:
            repeats = self._repeats(repeats)
        moments, mean = self.counted, self.mean
        fewest = int(min(moments.n_positives.min(), moments.n_negatives.min()))
        error = float(np.sqrt(self._influence_variance()))
        half = t_quantile(np.inf, self.level) * error
        interval = Interval(max(mean - half, 0.0), min(mean + half, 1.0), self.level, "cv-influence")
        if mean in (0, 1):
            warn("RS151.separated", n=self.n, auc=mean)
            low, high = separated_limits(np.array(mean), *self._distinct_cases(), self.level)
            interval = Interval(float(low), float(high), self.level, "separated")
        elif error == 0:  # all scores of every fold are equal, or folds are perfect one way or the other
            warn("RS154.flat", n=1, auc=mean)
        elif fewest < _FEWEST_PER_CLASS:
            ways = self._other_methods("t")
            warn("RS289.influence", unit=self.unit, fewest=fewest, needed=_FEWEST_PER_CLASS, ways=ways)
        found = {"estimate": mean, "standard_error": error, "interval": interval}
        return found | {"df": float("inf"), "repeats": repeats}

    def _distinct_cases(self) -> tuple[int, int]:
        """How many different positives and negatives there are in all folds."""
        members, scores, cases = self.members, self.members.score_set, self.cases
        if cases is None or scores is None:
            return int(members.n_positives.sum()), int(members.n_negatives.sum())
        is_positive = scores.columns.labels[cases.rows] == scores.columns.positive
        return np.unique(cases.codes[is_positive]).size, np.unique(cases.codes[~is_positive]).size

    def fold_variances(self) -> Floats:
        """The influence-curve variance of every AUC: DeLong's with the divisor n instead of n - 1."""
        m = self.counted
        positives, negatives = m.n_positives.astype(float), m.n_negatives.astype(float)
        within = m.positive_spread / positives + m.negative_spread / negatives
        return np.asarray(within / (2 * positives * negatives) ** 2)

    def _influence_variance(self) -> float:
        """The variance of the mean AUC of the folds, its cases being random.

        An AUC is nearly a sum over its cases: a case adds the difference between its placement and the AUC,
        divided by the number of cases of its class. What a case adds to the mean of all folds is squared and
        summed; rows of the same case are added up before, so that repeats, and patients with several rows,
        count once.
        """
        cases, scores = self.cases, self.members.score_set
        if cases is None or scores is None or cases.codes.size == int(cases.codes.max()) + 1:
            return float(self.fold_variances().sum()) / self.n**2
        c, rows = scores.columns, cases.rows
        doubled = _kernels.kernels.placements(
            c.scores, c.labels, c.offsets, c.positive, c.negative, c.higher_is_positive,
            _kernels.thread_count(self.members.threads),
        )[rows]  # fmt: skip
        folds = np.repeat(np.arange(len(scores)), np.diff(c.offsets))[rows]
        is_positive = c.labels[rows] == c.positive
        own = np.where(is_positive, scores.n_positives[folds], scores.n_negatives[folds])
        rivals = np.where(is_positive, scores.n_negatives[folds], scores.n_positives[folds])
        placement = doubled / (2 * rivals)
        wins = np.bincount(folds[is_positive], weights=placement[is_positive], minlength=len(scores))
        added = (placement - (wins / np.maximum(scores.n_positives, 1))[folds]) / own / self.n
        return float((np.bincount(cases.codes, weights=added) ** 2).sum())


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
