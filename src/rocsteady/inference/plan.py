"""How many more groups, or cases in each, for a wanted half-width or to tell two models apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Integers
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.curves.from_scores import described, is_score_set, refuse_counts
from rocsteady.errors import DataError, Option, fail, warn
from rocsteady.inference.group_noise import GroupReadings, Measure, measure_of, read_groups
from rocsteady.inference.matching import chosen_pairs, members_only, paired_models, unequal_rows
from rocsteady.inference.sample_size import (
    Components,
    Target,
    between_range,
    errors_apart,
    planned_components,
    positive,
    promised_half_width,
    split_variance,
    variance_of_half_width,
    variance_seen,
)
from rocsteady.inference.sample_size import half_width as half_width_of
from rocsteady.inference.sample_size import power as power_of
from rocsteady.options import one_number, one_of, open_share, resamples_asked, whole_number
from rocsteady.results import Result, TableResult, read_only
from rocsteady.scores.columns import require_single_cases
from rocsteady.scores.design import Design
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet, warn_of_clusters
from rocsteady.showing import Told
from rocsteady.statistics.groups import error_factor
from rocsteady.statistics.intervals import Interval, t_quantile
from rocsteady.words import counted, listed, plural, printable

FEW_GROUPS = 6
"""With fewer, the standard deviation between groups is known to no better than a factor of two or three."""
_FEWEST_BEYOND = 5
"""Cases that set a threshold: with fewer, it is the luck of a handful."""


@dataclass(frozen=True, eq=False, repr=False)
class CasesNeeded(Result):
    """Cases that every group needs.

    Attributes
    ----------
    factor : float
        Times the present cases; infinite where no number suffices, below 1 where fewer would do.
    positives, negatives : float
        In a group of mean size; a class that the number does not depend on stays as it is.
    """

    factor: float
    positives: float
    negatives: float

    def __repr__(self) -> str:
        if math.isinf(self.factor):
            return "CasesNeeded(no number of cases suffices)"
        cases = f"{self.positives:.0f} positives, {self.negatives:.0f} negatives"
        return f"CasesNeeded({self.factor:.3g} × now: {cases})"


@dataclass(frozen=True, eq=False, repr=False)
class PlanTable(TableResult):
    """What designs would give: one entry of every array for each pair of groups and cases.

    Attributes
    ----------
    n_groups : int64 array
        How many groups.
    times_cases : float64 array
        How many times the present cases every group has; infinite is what cases alone cannot beat.
    n_positives, n_negatives : float64 arrays
        Cases of each class in a group of mean size.
    half_width : float64 array
        Of the interval for the mean.
    half_width_low, half_width_high : float64 arrays
        The same at the limits of the variance between groups: how rough the plan is. NaN for a single group.
    power : float64 array
        Chance that a test finds the difference; NaN for a single model.
    unit : str
        The word for a group.
    """

    n_groups: Integers
    times_cases: Floats
    n_positives: Floats
    n_negatives: Floats
    half_width: Floats
    half_width_low: Floats
    half_width_high: Floats
    power: Floats
    unit: str

    def __len__(self) -> int:
        return self.n_groups.size

    def __repr__(self) -> str:
        n, cases = np.unique(self.n_groups).size, np.unique(self.times_cases).size
        least, most = self.half_width.min(), self.half_width.max()
        of = f"{counted(n, 'number')} of {plural(printable(self.unit))}, {counted(cases, 'number')} of cases"
        return f"PlanTable({of}: half-widths {least:.3g} to {most:.3g})"

    def _columns(self) -> Mapping[str, Any]:
        names = [name for name in self.__dataclass_fields__ if name != "unit"]
        unknown = ("power", "half_width_low", "half_width_high")
        names = [n for n in names if n not in unknown or not np.isnan(getattr(self, n)).all()]
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Told, Result, sentence="planning.plan"):
    """What is known now, and what more groups or more cases would give.

    Attributes
    ----------
    measure : str
        The number that is planned for, in words.
    models : tuple of str
        The two whose difference it is, or nothing.
    estimate : float
        Its mean over groups; of two models the first less the second.
    means : tuple of float
        The mean over groups of every model.
    between, within : float
        Variance of one group's number: between groups (NaN for a single group and for folds, which do not
        show it, and so are its limits), and by the luck of its cases at their present number. Of folds all
        of it, times what training cases that they share add.
    between_interval : Interval
        Of the variance between groups: how rough the plan is.
    between_planned : float
        The variance between groups that all looking ahead uses: as often too large as too small. The unbiased
        one of few groups is more often too small.
    n_groups : int
        Groups there are.
    n_positives, n_negatives : float
        Cases of each class in a group, on average.
    half_width : float
        Of the interval for the mean now.
    floor : float
        The half-width that more cases in these groups cannot beat.
    half_width_wanted, power_wanted : float or None
        The target.
    difference : float or None
        The true difference that a test is to find; None for one model.
    power, detectable : float or None
        The chance that a test finds it now; the difference that would be found now with the wanted chance.
    groups_needed : int, float or None
        Groups that reach the target with as many cases in each; infinite if none do; None without a target,
        for a single group, and for folds, of which more do not help.
    groups_range : pair of float, or None
        The same at the limits of the variance between groups.
    groups_at_least : int, float or None
        Groups below which no number of cases reaches it.
    cases_needed : CasesNeeded or None
        Cases with which the present groups reach it.
    confidence_level, assurance : float
        Of the interval; the chance that a half-width comes out no wider (None: its root mean square). It
        counts that a pilot of few groups is itself uncertain.
    average : str
        The average that is planned for: "vertical" (every group meets an FPR itself; its mean AUC, too),
        "horizontal" (a TPR), "threshold" or "pooled" (one threshold for all groups).
    is_assumed_average : bool
        Whether nobody declared how scores will be used, so that every group may set its own threshold.
    design : Design
        How the scores came about.
    half_width_of_repeats : float
        Of a cross-validation: the half-width that endless repeats of it could not beat; else NaN.
    method : str
        Where the variance within groups comes from.
    random : str
        What is random.
    unit : str
        The word for a group.
    undefined : tuple of str
        Groups left out, and why.
    values, variances : float64 arrays
        What every group shows, and the variance that its cases give it.
    classes_that_matter : tuple of str
        ``"positives"``, ``"negatives"``: of which class more cases help.
    is_seen_difference : bool
        Whether the difference to find is the one seen, for lack of a better.
    correlation : float
        Of the two models' numbers over samples of cases, for two models on a single group; else NaN. For the
        AUC it is what :func:`plan_auc` asks for.
    """

    measure: str
    models: tuple[str, ...]
    estimate: float
    means: tuple[float, ...]
    between: float
    within: float
    between_interval: Interval
    between_planned: float
    n_groups: int
    n_positives: float
    n_negatives: float
    half_width: float
    floor: float
    half_width_wanted: float | None
    power_wanted: float
    difference: float | None
    power: float | None
    detectable: float | None
    groups_needed: float | None
    groups_range: tuple[float, float] | None
    groups_at_least: float | None
    cases_needed: CasesNeeded | None
    confidence_level: float
    assurance: float | None
    method: str
    random: str
    unit: str
    undefined: tuple[str, ...]
    values: Floats
    variances: Floats
    classes_that_matter: tuple[str, ...]
    is_seen_difference: bool
    correlation: float
    average: str
    is_assumed_average: bool
    design: Design
    half_width_of_repeats: float
    _classes: Classes

    def __repr__(self) -> str:
        what = f"{self.measure}, {printable(' less '.join(self.models))}" if self.models else self.measure
        groups = counted(self.n_groups, printable(self.unit))
        now = f"{self.estimate:.4f} ± {self.half_width:.4f}"
        return f"Plan({what}: {now} from {groups}{self._needs()})"

    def _needs(self) -> str:
        wanted = f"power {self.power_wanted:g}"
        if self.half_width_wanted is not None:
            wanted = f"± {self.half_width_wanted:g}"
        if self.groups_needed is not None:
            needed = f"{self.groups_needed:g}" if math.isfinite(self.groups_needed) else "no number of"
            return f"; for {wanted} {needed} {plural(printable(self.unit))}"
        if self.cases_needed is None:
            return ""
        factor = self.cases_needed.factor
        return f"; for {wanted} {f'{factor:.3g} × the' if math.isfinite(factor) else 'no number of'} cases"

    def _number_of_groups(self, given: int | None, name: str = "n_groups") -> int:
        """So many groups, the present ones unless said; RS068 for others than the only one there is."""
        if self.design.shares_training:
            if given is not None and whole_number(name, given, least=1, example=1) != self.n_groups:
                raise fail("RS068.folds", unit=self.unit, name=name, n=given)
            return self.n_groups
        if self.n_groups > 1:
            return self.n_groups if given is None else whole_number(name, given, least=2, example=20)
        if given is not None and whole_number(name, given, least=1, example=1) != 1:
            raise fail("RS068.one-group", unit=self.unit, name=name, n=given)
        return 1

    @property
    def plans_cases(self) -> bool:
        """Whether cases alone are planned for: of a single group, and of folds, which share theirs."""
        return self.n_groups == 1 or self.design.shares_training

    @property
    def _components(self) -> Components:
        if self.plans_cases:
            return Components(0.0, self.within)
        seen = variance_of_half_width(self.half_width, self.n_groups, self.confidence_level)
        return Components(self.between_planned, self.within, seen, self.n_groups - 1)

    def half_width_at(self, n_groups: int | None = None, *, times_cases: float = 1.0) -> float:
        """The half-width that so many groups would have, with so many times the present cases in each."""
        n = self._number_of_groups(n_groups)
        times = positive("times_cases", times_cases, 2.0)
        return promised_half_width(self._components, times, n, self.confidence_level, self.assurance)

    def power_at(self, n_groups: int | None = None, *, times_cases: float = 1.0) -> float:
        """The chance that a test then finds the difference; RS002 for a plan of one model."""
        if self.difference is None:
            raise fail("RS002.power-of-one")
        n = self._number_of_groups(n_groups)
        variance = self._components.variance(positive("times_cases", times_cases, 2.0))
        return power_of(self.difference, variance, n, self.confidence_level)

    def table(
        self, groups: Sequence[int] | None = None, times_cases: Sequence[float] | None = None
    ) -> PlanTable:
        """Half-widths, and for two models power, of many

        Parameters
        ----------
        groups : sequence of int, optional
            Numbers of groups; by default the present one, some larger ones, and the one that is needed.
        times_cases : sequence of float, optional
            How many times the present cases; by default 1, 2, 4, 10 and infinitely many, for a single group
            the factor that is needed in place of the last.
        """
        if groups is None:
            groups = [self.n_groups]
            if not self.plans_cases:
                needed = math.inf if self.groups_needed is None else self.groups_needed
                several = {self.n_groups * k for k in (1, 2, 4, 10)}
                groups = sorted(several | ({int(needed)} if needed < 100 * self.n_groups else set()))
        if times_cases is None:
            times_cases = [1.0, 2.0, 4.0, 10.0, math.inf]
            if self.plans_cases:
                needed = math.inf if self.cases_needed is None else self.cases_needed.factor
                times_cases = sorted({*times_cases[:-1]} | ({needed} if 0 < needed < 1000 else set()))
        numbers = [self._number_of_groups(n, "groups") for n in groups]
        factors = [positive("times_cases", factor, 2.0) for factor in times_cases]
        pairs = [(n, times) for n in numbers for times in factors]
        level, limits = self.confidence_level, self.between_interval
        now = self._components
        widths = [
            np.array([promised_half_width(parts, times, n, level, self.assurance) for n, times in pairs])
            for parts in (now, Components(limits.low, self.within), Components(limits.high, self.within))
        ]
        chances = np.full(len(pairs), np.nan)
        if self.difference is not None:
            chances[:] = [power_of(self.difference, now.variance(times), n, level) for n, times in pairs]
        n_groups, times = np.array(pairs, dtype=np.float64).T.copy()
        return PlanTable(
            n_groups=read_only(n_groups.astype(np.int64)),
            times_cases=read_only(times),
            n_positives=read_only(self.n_positives * times),
            n_negatives=read_only(self.n_negatives * times),
            half_width=read_only(widths[0]),
            half_width_low=read_only(widths[1]),
            half_width_high=read_only(widths[2]),
            power=read_only(chances),
            unit=self.unit,
        )


def plan(
    score_set: Any,
    *,
    measure: object = "auc",
    rate: str | None = None,
    models: Any = None,
    half_width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
    assurance: float | None = None,
    within: str = "formula",
    undefined: str = "raise",
    unmatched: str = "raise",
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> Plan:
    """Plan how many more groups, or cases in each, would settle a question.

    The variance of one group's number is split into what lies between groups and what is the luck of the
    cases in each. More cases reduce only the second part, more groups both. A single group is planned by its
    cases alone.

    Parameters
    ----------
    score_set : ScoreSet
        What there is now: a pilot of several groups, or of one.
    measure : "auc", dict or statistic
        What is averaged over groups: the AUC, ``{"fpr": 0.05}`` for the TPR at that FPR (every group meets
        the budget itself), ``{"tpr": 0.9}`` for the FPR at that TPR, ``{"threshold": 0.5}`` for a rate at
        that threshold.
    rate : {"tpr", "fpr"}, optional
        Which rate at a threshold; the TPR unless said.
    models : pair of str, optional
        Two models on the same cases; the plan is then for their difference, first less second.
    half_width : float, optional
        Wanted of the interval for the mean (for the difference, with two models).
    difference, power : float, optional
        Without ``half_width``, two models are to be told apart by a paired t test over groups: a true
        difference of this size is to be found with this chance: the smallest that would matter. Without it
        the difference seen takes its place, and RS297 says so; it is as uncertain as the pilot.
    confidence_level : float
        Of the interval; one less it is the level of the test.
    assurance : float, optional
        The chance that the half-width comes out no wider than wanted, counting that the pilot is uncertain
        itself. Without it a plan is for the root mean square of the half-width, and about half of all studies
        come out a little wider.
    within : {"formula", "bootstrap"}
        Luck of the cases by DeLong's variance, or a binomial one plus, where a budget is met on the same
        cases, the slope of the curve times the luck of the threshold; or by resampling cases in every group.
    undefined, unmatched : {"raise", "drop"}
        What to do with groups of one class, and with groups and cases that one of two models has not scored.
    n_resamples, seed, threads
        Of the bootstrap.

    Returns
    -------
    Plan

    Warns
    -----
    RS290, RS291, RS292, RS293
        Groups of a single case; very few groups; a point finer than the cases show; groups that share cases.
    RS296, RS297
        Folds, of which more do not help; two models without a difference to find.

    Raises
    ------
    DataError
        RS068 for what a single group or folds cannot tell: the chance of a half-width (``assurance``), other
        numbers of groups. RS069 if no group has two cases of a class.

    Notes
    -----
    What is random: groups are, drawn from all such groups, each counting once, and cases within each. New
    groups are taken to be like those here, in size as well. No deployment is known here: every group may set
    its own threshold, which the reading says (``average``).

    Folds of a cross-validation, and random splits, are parts of the same cases: more of them are not planned
    for. Their half-width is that of the mean with shared training cases (Nadeau & Bengio), and all of its
    variance is taken to fall like one over the number of cases. Repeats take only the luck of the split out
    (``half_width_of_repeats``).

    Of a single group the cases alone are random: the interval is normal, as that of :func:`compare_auc` for
    two models, the variance of more cases in the ratio of these is taken to fall like one over their number,
    and nothing is known of how much groups differ (``between`` is NaN).

    Between groups is what is left of the variance seen when the luck of the cases is taken off, at least 0.
    From few groups it is rough, and so is all that follows: ``between_interval`` has its chi-square limits,
    ``groups_range`` and the table carry them on. They take the groups' numbers as normal. Looking ahead uses
    ``between_planned``, which is as often too large as too small, so a new study of the same size is promised
    a slightly wider interval than this one has.

    How sure. In simulations (``simulations/planner.py``; groups of 40 positives and 100 negatives, 2,000
    replicates) the half-width promised from known variances was met within 9 %, with 5 to 30 groups and up to
    four times the cases. The median promise of pilots of 5, 10 and 30 groups was within 10 % too, not every
    single one: over all measures the middle 80 % lay between 0.36 and 1.9 times what was met (5 groups), and
    between 0.61 and 1.31 times (30 groups). The stated range, of 95 %, held it in 92 % to 97 %, from 5 groups
    in 88 % to 96 %: it takes the luck of the cases as known. With an assurance of 0.8, studies as large as
    pilots of 5, 10 and 20 groups ask for were no wider than wanted in 77 % to 84 % (56 % to 76 % if the
    variance that a pilot shows were taken as known). A test had a power of 0.81 to 0.84 where 0.8 was
    promised. The formula for the luck of the cases was within 8 % of the truth; the bootstrap gave up to 26 %
    too much for a rate at the other rate.

    Of a single dataset of 40 positives and 100 negatives the median half-width promised was 0.97 to 1.02
    times what was met for an AUC, a difference of AUCs and a rate at a threshold, now and with four times the
    cases, and 0.89 to 0.97 times for a rate at the other rate: there half of the plans are too hopeful by
    more than that. A test had a power of 0.79 to 0.82 where 0.8 was promised.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 1, 1, 0, 0, 0], [9, 8, 5, 6, 2, 1 + k]) for k in range(6)]
    >>> folds += [([1, 1, 1, 0, 0, 0], [9, 3, 2, 6, 4, 1 + k]) for k in range(6)]
    >>> found = rs.plan(rs.ScoreSet.from_folds(folds, unit="site", design="independent"), half_width=0.1)
    >>> found
    Plan(AUC: 0.6343 ± 0.1575 from 12 sites; for ± 0.1 29 sites)
    >>> found.between, found.cases_needed
    (0.0, CasesNeeded(2.76 × now: 9 positives, 9 negatives))

    One dataset, two models on its cases:

    >>> sick = [1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> both = {"a": [9, 8, 7, 3, 6, 4, 2, 1, 0], "b": [9, 2, 3, 7, 8, 6, 5, 1, 0]}
    >>> rs.plan(rs.ScoreSet.from_arrays(sick, both), models=("a", "b"), difference=0.2).cases_needed
    CasesNeeded(10.8 × now: 44 positives, 54 negatives)
    """
    wanted = measure_of(measure, rate)
    target = target_of(models, half_width, difference, power, confidence_level, assurance)
    draws: dict[str, Any] | None = None
    if one_of("within", within, ("formula", "bootstrap")) == "bootstrap":
        seed = whole_number("seed", seed, least=0, example=0)
        draws = {"n_resamples": resamples_asked(n_resamples), "seed": seed, "threads": threads}
    pilot = pilot_of(score_set, models, undefined=undefined, unmatched=unmatched)
    warn_of_clusters(pilot.sets[0], "a plan")
    if assurance is not None and (pilot.is_one or pilot.design.shares_training):
        raise fail("RS068.assurance", unit=pilot.unit, assurance=assurance, are_folds=not pilot.is_one)
    _warn_of_fineness(pilot, wanted)
    found = read_groups(pilot.sets, pilot.curves, wanted, draws)
    _require_noise(pilot, found, wanted)
    _warn_of_ends(pilot, found, wanted)
    correlation = math.nan
    if pilot.is_one and pilot.models:
        own, other = (
            read_groups([scores], [curves], wanted, draws).variances[0]
            for scores, curves in zip(pilot.sets, pilot.curves, strict=True)
        )
        if own * other > 0:
            together = float(own + other - found.variances[0]) / (2 * math.sqrt(own * other))
            correlation = min(max(together, -1.0), 1.0)
    average = "horizontal" if wanted.statistic.hold == "tpr" else "vertical"
    if wanted.statistic.hold == "threshold":
        average = "threshold"
    made = planned(
        pilot,
        found,
        wanted,
        target,
        average,
        is_seen_difference=difference is None,
        is_assumed_average=not pilot.is_one,
        correlation=correlation,
    )
    if made.models and made.is_seen_difference and half_width is None:
        warn("RS297.seen", estimate=made.estimate, half_width=made.half_width)
    if made.design.shares_training:
        warn(
            "RS296.folds",
            unit=made.unit,
            n_groups=made.n_groups,
            half_width=f"{made.half_width:.2g}",
            of_twice=f"{made.half_width_at(times_cases=2):.2g}",
            parts="repeats" if made.design.kind == "cross-validation" else plural(made.unit),
            least=f"{made.half_width_of_repeats:.2g}",
        )
    return made


def target_of(
    models: Any, half_width: Any, difference: Any, power: Any, confidence_level: Any, assurance: Any
) -> Target:
    """What is wanted; RS042 and RS002 for what cannot be."""
    if difference is not None:
        if models is None or half_width is not None:
            raise fail("RS002.difference-to-find", is_width=models is not None)
        number = one_number("difference", difference, 0.02)
        if number == 0 or not math.isfinite(number):
            where, ways = "a number other than 0", [Option("difference", 0.02)]
            raise fail("RS042", name="difference", where=where, found=difference, ways=ways)
        difference = abs(number)
    return Target(
        None if half_width is None else positive("half_width", half_width, 0.02),
        math.nan if difference is None else difference,
        open_share("power", power),
        open_share("confidence_level", confidence_level),
        None if assurance is None else open_share("assurance", assurance),
    )


# The pilot, and whether it is large enough to plan from
# ------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pilot:
    """Groups with both classes: of one model, or of two on the same cases, in the same order."""

    models: tuple[str, ...]
    sets: tuple[ScoreSet, ...]
    curves: tuple[CurveSet, ...]
    undefined: tuple[str, ...]

    @property
    def unit(self) -> str:
        """The word for a group."""
        return self.sets[0].unit

    @property
    def design(self) -> Design:
        """How the scores came about."""
        return self.sets[0].design

    @property
    def names(self) -> tuple[str, ...]:
        """Of the groups."""
        return self.sets[0].groups

    @property
    def is_one(self) -> bool:
        """Whether there is a single group, whose cases alone are random."""
        return len(self.names) == 1


def pilot_of(score_set: Any, models: Any, *, undefined: str, unmatched: str) -> Pilot:
    """The groups of one model, or of two; RS002, RS044 and RS060 for what no plan can be made from."""
    refuse_counts(score_set, "plan")
    if not is_score_set(score_set):
        ways = [
            "plan(ScoreSet.from_arrays(labels, scores, groups))",
            "without data, from numbers alone:  plan_auc(0.8)",
        ]
        raise fail("RS002.set-of-scores", function="plan", found=described(score_set), ways=ways)
    require_single_cases(score_set.columns, "a plan needs")
    if score_set.columns.weights is not None:
        raise fail("RS038.counted", function="plan", scores=score_set)
    if models is None:
        found = _of_one(score_set, undefined)
    else:
        found = _of_two(score_set, models, undefined=undefined, unmatched=unmatched)
    if found.is_one and found.undefined:  # a single dataset is no surprise to whoever has one
        warn("RS291.single", unit=found.unit, name=found.names[0], undefined=found.undefined)
    elif 1 < len(found.names) < FEW_GROUPS and not found.design.shares_training:
        warn("RS291.few", unit=found.unit, n=len(found.names), needed=FEW_GROUPS)
    own = found.sets[0]
    if own.cases is not None and not own.design.shares_training:
        # The luck of cases that are in several groups does not average out over groups.
        groups = np.repeat(np.arange(len(own)), np.diff(own.columns.offsets))
        pairs = np.unique(groups * np.int64(len(own.cases)) + own.cases.codes)
        n_cases = np.unique(pairs % len(own.cases)).size
        if n_cases < pairs.size:
            warn("RS293.shared", n_cases=n_cases, unit=own.unit, n=len(own), n_readings=int(pairs.size))
    return found


def _of_one(score_set: ScoreSet, undefined: str) -> Pilot:
    if len(score_set.models) > 1:
        a, b = score_set.models[:2]
        raise fail("RS044.plan", n=len(score_set.models), models=score_set.models, two=(a, b), first=a)
    curves = roc_curves(score_set, undefined=undefined)
    kept = members_only(score_set, np.flatnonzero(score_set.has_curve))
    return Pilot((), (kept,), (curves,), curves.undefined)


def _of_two(score_set: ScoreSet, models: Any, *, undefined: str, unmatched: str) -> Pilot:
    if isinstance(models, str) or not isinstance(models, Sequence) or len(models) != 2:
        found, ways = f"{models!r:.60}", [Option("models", ("old", "new"))]
        raise fail("RS002.kind", name="models", kind="the two models to compare", found=found, ways=ways)
    (pair,) = chosen_pairs(score_set, *models)
    try:
        paired = paired_models(score_set, pair, undefined=undefined, unmatched=unmatched)
    except DataError as error:
        error.remedies = tuple(remedy for remedy in error.remedies if "paired" not in str(remedy))
        raise  # a plan has no unpaired form, so that is not what to type
    unlike = [] if paired.has_cases else unequal_rows(paired)
    if unlike:
        raise fail("RS063.order", groups=unlike, unit=paired.unit, paired=None, random=None)
    curves = tuple(roc_curves(own) for own in paired.sets)
    return Pilot(paired.names, paired.sets, curves, paired.undefined)


def _warn_of_fineness(pilot: Pilot, measure: Measure) -> None:
    """RS292 if a handful of cases set the threshold."""
    statistic = measure.statistic
    if statistic.hold not in ("fpr", "tpr"):
        return
    is_fpr, rate = statistic.hold == "fpr", statistic.at
    sizes, word = (
        (pilot.sets[0].n_negatives, "negatives") if is_fpr else (pilot.sets[0].n_positives, "positives")
    )
    beyond = float(np.median(sizes)) * min(rate, 1 - rate)
    if beyond < _FEWEST_BEYOND:
        is_end = not 0 < rate < 1
        warn(
            "RS292.beyond",
            measure=measure.label,
            n=float(np.median(sizes)),
            cases=word,
            beyond=beyond,
            unit=None if pilot.is_one else pilot.unit,
            needed=None if is_end else math.ceil(_FEWEST_BEYOND / min(rate, 1 - rate)),
            is_end=is_end,
        )


def _warn_of_ends(pilot: Pilot, found: GroupReadings, measure: Measure) -> None:
    """RS292 if most groups read exactly 0 or 1, where no case shows any luck; of one, two models too."""
    if pilot.is_one:
        at_end = [mean for mean in found.means if mean in (0, 1)]
        if found.variances[0] == 0 and at_end:
            means = listed([f"{mean:.4g}" for mean in found.means])
            warn("RS292.perfect", measure=measure.label, end=at_end[0], means=means)
    elif not pilot.models:
        is_end = (found.variances == 0) & ((found.values == 0) | (found.values == 1))
        n, n_groups = int(is_end.sum()), is_end.size
        if n > n_groups / 2:
            warn("RS292.ends", measure=measure.label, unit=pilot.unit, n=n, n_groups=n_groups)


def _require_noise(pilot: Pilot, found: GroupReadings, measure: Measure) -> None:
    """RS069 if no group tells its own noise, RS290 if some do not."""
    unknown = np.isnan(found.variances)
    if not unknown.any():
        return
    names = [name for name, is_small in zip(pilot.names, unknown, strict=True) if is_small]
    if pilot.is_one:
        raise fail(
            "RS069.one-case",
            measure=measure.label,
            n_positives=int(pilot.sets[0].n_positives[0]),
            n_negatives=int(pilot.sets[0].n_negatives[0]),
        )
    if unknown.all():
        raise fail("RS069.small", unit=pilot.unit, measure=measure.label, names=names)
    n_groups = len(unknown)
    warn("RS290.small", unit=pilot.unit, n_groups=n_groups, measure=measure.label, names=names)


# From readings of groups to a plan
# ---------------------------------


def planned(
    pilot: Pilot,
    found: GroupReadings,
    measure: Measure,
    target: Target,
    average: str,
    *,
    is_seen_difference: bool = True,
    is_assumed_average: bool = False,
    correlation: float = math.nan,
) -> Plan:
    """The numbers of the plan."""
    n, level, design = len(pilot.names), target.confidence_level, pilot.design
    estimate = float(found.values.mean())
    of_repeats, unknown = math.nan, (math.nan, math.nan)
    if pilot.is_one or design.shares_training:  # cases alone: nothing is known of what lies between groups
        whole = float(found.variances[0]) if pilot.is_one else variance_seen(found.values)
        if not pilot.is_one:
            of_repeats = t_quantile(1, level, "normal") * math.sqrt(whole * design.test_train_ratio)
            whole *= error_factor(n, design.test_train_ratio) ** 2
        between, parts, limits = math.nan, Components(0.0, whole), unknown
    else:
        whole = variance_seen(found.values)
        seen = split_variance(found.values, found.variances)
        between, parts = seen.between, planned_components(found.values, seen.within)
        limits = between_range(found.values, parts.within, level)
    difference = None
    if pilot.models:
        difference = abs(estimate) if is_seen_difference else target.difference
        target = replace(target, difference=difference)
    own = pilot.sets[0]
    n_positives, n_negatives = float(own.n_positives.mean()), float(own.n_negatives.mean())
    matter = measure.classes_that_matter
    needed: dict[str, Any] = dict.fromkeys(_NEEDED)
    if target.half_width is not None or difference is not None:
        needed = _needed(target, parts, limits, n, (n_positives, n_negatives), matter)
    random = f"{plural(pilot.unit)}, and cases within each"
    if pilot.is_one or design.shares_training:
        random = "cases" if pilot.is_one else "cases that models are trained and tested on"
    return Plan(
        measure=measure.label,
        models=pilot.models,
        estimate=estimate,
        means=found.means,
        between=between,
        within=parts.within,
        between_interval=Interval(*limits, level, "chi-square"),
        between_planned=parts.between if parts.df else math.nan,
        n_groups=n,
        n_positives=n_positives,
        n_negatives=n_negatives,
        half_width=half_width_of(whole, n, level, None),
        floor=promised_half_width(parts, math.inf, n, level, target.assurance),
        half_width_wanted=target.half_width,
        power_wanted=target.power,
        difference=difference,
        **_chances(difference, target, parts, n),
        **needed,
        confidence_level=level,
        assurance=target.assurance,
        method=found.method,
        random=random,
        unit=pilot.unit,
        undefined=pilot.undefined,
        values=read_only(found.values),
        variances=read_only(found.variances),
        classes_that_matter=matter,
        is_seen_difference=is_seen_difference,
        correlation=correlation,
        average=average,
        is_assumed_average=is_assumed_average,
        design=design,
        half_width_of_repeats=of_repeats,
        _classes=own.classes,
    )


_NEEDED = ("groups_needed", "groups_range", "groups_at_least", "cases_needed")


def _chances(difference: float | None, target: Target, parts: Components, n: int) -> dict[str, Any]:
    """The power of a test now, and what it would find with the wanted one."""
    if difference is None:
        return {"power": None, "detectable": None}
    level, variance = target.confidence_level, parts.variance()
    errors = errors_apart(n, level, target.power)
    return {
        "power": power_of(difference, variance, n, level),
        "detectable": errors * math.sqrt(variance / n),
    }


def _needed(
    target: Target,
    parts: Components,
    limits: tuple[float, float],
    n: int,
    sizes: tuple[float, float],
    matter: tuple[str, ...],
) -> dict[str, Any]:
    """Groups and cases that reach the target; cases alone where nothing lies between groups."""
    factor = target.times_cases(parts, n)
    cases = [
        size
        if name not in matter
        else float(math.ceil(factor * size * (1 - 1e-12)))
        if math.isfinite(factor)
        else math.inf
        for name, size in zip(("positives", "negatives"), sizes, strict=True)
    ]
    needed = CasesNeeded(factor, *cases)
    if not parts.df:
        return dict.fromkeys(_NEEDED) | {"cases_needed": needed}
    low, high = (Components(between, parts.within) for between in limits)
    groups = [
        target.groups(own, n, times)
        for own, times in ((parts, 1.0), (low, 1.0), (high, 1.0), (parts, math.inf))
    ]
    whole = [int(number) if math.isfinite(number) else number for number in groups]
    return dict(zip(_NEEDED, (whole[0], (whole[1], whole[2]), whole[3], needed), strict=True))


def rescaled(made: Plan, half_width: float, n_groups: int | None = None) -> Plan:
    """The same plan, in which so many groups as there are have this half-width.

    The two parts of the variance keep their ratio; all that follows from them is computed anew. An interval
    by another way than the plan's (resampled, corrected for folds) is then where its designs start from.

    Parameters
    ----------
    made : Plan
    half_width : float
        Of the interval now, above 0.
    n_groups : int, optional
        How many groups it is of; those of the plan unless said.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 1, 1, 0, 0, 0], [9, 8, 5, 6, 2, 1 + k]) for k in range(6)]
    >>> folds += [([1, 1, 1, 0, 0, 0], [9, 3, 2, 6, 4, 1 + k]) for k in range(6)]
    >>> sites = rs.ScoreSet.from_folds(folds, unit="site", design="independent")
    >>> found = rescaled(rs.plan(sites, half_width=0.1), 0.2)
    >>> round(found.half_width_at(), 6), round(found.half_width_at(48) / found.half_width_at(12), 3)
    (0.2, 0.457)
    """
    factor = (half_width / made.half_width_at(n_groups)) ** 2
    now = made._components
    parts = Components(factor * now.between, factor * now.within, factor * now.seen, now.df)
    limits = made.between_interval
    limits = replace(limits, low=factor * limits.low, high=factor * limits.high)
    n, level, gap = made.n_groups, made.confidence_level, made.difference
    wanted = math.nan if gap is None else gap
    target = Target(made.half_width_wanted, wanted, made.power_wanted, level, made.assurance)
    needed: dict[str, Any] = {}
    if made.cases_needed is not None:
        sizes = made.n_positives, made.n_negatives
        needed = _needed(target, parts, (limits.low, limits.high), n, sizes, made.classes_that_matter)
    return replace(
        made,
        between=factor * made.between,
        within=parts.within,
        between_interval=limits,
        between_planned=factor * made.between_planned,
        half_width=math.sqrt(factor) * made.half_width,
        floor=math.sqrt(factor) * made.floor,
        **_chances(gap, target, parts, n),
        **needed,
    )
