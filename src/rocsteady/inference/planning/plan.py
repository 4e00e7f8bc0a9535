"""How many more groups, or cases in each, for a wanted half-width or to tell two models apart."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from rocsteady.curves.measures import FprAt, RatesAt
from rocsteady.errors import Option, fail, warn
from rocsteady.inference.planning import designs, wording
from rocsteady.inference.planning.checks import require_noise, warn_of_ends, warn_of_fineness
from rocsteady.inference.planning.designs import Components, Target
from rocsteady.inference.planning.given import Groups, groups_of
from rocsteady.inference.planning.group_readings import Drawing, GroupReadings, read_groups
from rocsteady.inference.planning.measures import Measure, classes_that_matter, measure_of
from rocsteady.inference.planning.plan_table import PlanTable
from rocsteady.inference.planning.results import CasesNeeded, Plan, positive
from rocsteady.options import one_number, one_of, open_share, resamples_asked, whole_number
from rocsteady.results import read_only
from rocsteady.scores.score_set import warn_of_clusters
from rocsteady.statistics.groups import error_factor
from rocsteady.statistics.intervals import Interval, t_quantile
from rocsteady.words import plural

__all__ = ["CasesNeeded", "Plan", "PlanTable", "plan"]


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
        that threshold; or a value such as ``TprAt(0.05)``.
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
    drawing = None
    if one_of("within", within, ("formula", "bootstrap")) == "bootstrap":
        seed = whole_number("seed", seed, least=0, example=0)
        drawing = Drawing(resamples_asked(n_resamples), seed, threads)
    groups = groups_of(score_set, models, undefined=undefined, unmatched=unmatched)
    warn_of_clusters(groups.sets[0], "a plan")
    if assurance is not None and (groups.is_one or groups.design.shares_training):
        raise fail("RS068.assurance", unit=groups.unit, assurance=assurance, are_folds=not groups.is_one)
    warn_of_fineness(groups, wanted)
    found = read_groups(groups.sets, groups.curves, wanted, drawing)
    require_noise(groups, found, wanted)
    warn_of_ends(groups, found, wanted)
    made = _made(groups, found, wanted, target, is_seen=difference is None)
    if groups.is_one and groups.models:
        made = replace(made, correlation=_correlation(groups, found, wanted, drawing))
    made = replace(made, average=_average(wanted), is_assumed_average=not groups.is_one)
    _warn_of_difference(made)
    _warn_of_folds(made)
    return replace(made, reading=wording.reading(made, groups.sets[0].classes))


def _average(measure: Measure) -> str:
    """The average whose reading is planned for."""
    if isinstance(measure.statistic, RatesAt):
        return "threshold"
    return "horizontal" if isinstance(measure.statistic, FprAt) else "vertical"


def _warn_of_difference(made: Plan) -> None:
    """RS297: nobody said which difference matters."""
    if not made.models or not made.is_seen_difference or made.half_width_wanted is not None:
        return
    warn("RS297.seen", estimate=made.estimate, half_width=made.half_width)


def _warn_of_folds(made: Plan) -> None:
    """RS296: folds are parts of the same cases."""
    if not made.design.shares_training:
        return
    of_repeats = made.half_width_of_repeats
    word = "repeats" if made.design.kind == "cross-validation" else plural(made.unit)
    warn(
        "RS296.folds",
        unit=made.unit,
        n_groups=made.n_groups,
        half_width=wording.short(made.half_width),
        of_twice=wording.short(made.half_width_at(times_cases=2)),
        parts=word,
        least=wording.short(of_repeats),
    )


def _correlation(groups: Groups, found: GroupReadings, measure: Measure, drawing: Drawing | None) -> float:
    """Of the two models' numbers over samples of cases; NaN where one of them does not vary."""
    alone = [
        read_groups([own], [curves], measure, drawing).variances[0]
        for own, curves in zip(groups.sets, groups.curves, strict=True)
    ]
    scale = 2 * math.sqrt(alone[0] * alone[1])
    together = float(alone[0] + alone[1] - found.variances[0])
    return min(max(together / scale, -1.0), 1.0) if scale > 0 else math.nan


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


def _made(groups: Groups, found: GroupReadings, measure: Measure, target: Target, *, is_seen: bool) -> Plan:
    """The numbers of the plan."""
    n, level = len(groups.names), target.confidence_level
    estimate = float(found.values.mean())
    seen, parts, limits = _variances(found, level)
    whole = seen.within if groups.is_one else designs.variance_seen(found.values)
    of_repeats = math.nan
    if groups.design.shares_training and n > 1:
        ratio = groups.design.test_train_ratio
        of_repeats = t_quantile(1, level, "normal") * math.sqrt(whole * ratio)
        whole *= error_factor(n, ratio) ** 2
        seen, parts, limits = _by_cases_alone(whole)
    difference = None
    if groups.models:
        difference = abs(estimate) if is_seen else target.difference
        target = replace(target, difference=difference)
    has_target = target.half_width is not None or difference is not None
    return Plan(
        measure=measure.label,
        models=groups.models,
        estimate=estimate,
        means=found.means,
        between=seen.between,
        within=parts.within,
        between_interval=Interval(*limits, level, "chi-square"),
        between_planned=parts.between if parts.df else math.nan,
        n_groups=n,
        n_positives=float(groups.n_positives.mean()),
        n_negatives=float(groups.n_negatives.mean()),
        half_width=designs.half_width(whole, n, level, None),
        floor=designs.promised_half_width(parts, math.inf, n, level, target.assurance),
        half_width_wanted=target.half_width,
        power_wanted=target.power,
        difference=difference,
        power=None if difference is None else designs.power(difference, parts.variance(), n, level),
        detectable=None if difference is None else _detectable(target, parts, n),
        **(_needed(groups, measure, target, parts, limits) if has_target else dict.fromkeys(_NEEDED)),
        confidence_level=level,
        assurance=target.assurance,
        method=found.method,
        random=_random(groups),
        unit=groups.unit,
        undefined=groups.undefined,
        values=read_only(found.values),
        variances=read_only(found.variances),
        classes_that_matter=classes_that_matter(measure),
        is_seen_difference=is_seen,
        design=groups.design,
        half_width_of_repeats=of_repeats,
    )


def _random(groups: Groups) -> str:
    if groups.is_one:
        return "cases"
    if groups.design.shares_training:
        return "cases that models are trained and tested on"
    return f"{plural(groups.unit)}, and cases within each"


def _variances(found: GroupReadings, level: float) -> tuple[Components, Components, tuple[float, float]]:
    """As seen, for looking ahead, and limits of what lies between groups; a single group shows only noise."""
    if found.values.size == 1:
        return _by_cases_alone(float(found.variances[0]))
    seen = designs.split_variance(found.values, found.variances)
    parts = designs.planned_components(found.values, seen.within)
    return seen, parts, designs.between_range(found.values, parts.within, level)


def _by_cases_alone(variance: float) -> tuple[Components, Components, tuple[float, float]]:
    """The same where nothing is known of what lies between groups."""
    return Components(math.nan, variance), Components(0.0, variance), (math.nan, math.nan)


_NEEDED = ("groups_needed", "groups_range", "groups_at_least", "cases_needed")


def _detectable(target: Target, parts: Components, n_groups: int) -> float:
    needed = designs.errors_apart(n_groups, target.confidence_level, target.power)
    return needed * math.sqrt(parts.variance() / n_groups)


def _needed(
    groups: Groups, measure: Measure, target: Target, parts: Components, limits: tuple[float, float]
) -> dict[str, Any]:
    """Groups and cases that reach the target."""
    n = len(groups.names)
    factor = target.times_cases(parts, n)
    matter = classes_that_matter(measure)
    sizes = {"positives": groups.n_positives.mean(), "negatives": groups.n_negatives.mean()}
    cases = {
        name: float(math.ceil(factor * size * (1 - 1e-12))) if math.isfinite(factor) else math.inf
        for name, size in sizes.items()
    }
    kept = {name: cases[name] if name in matter else float(size) for name, size in sizes.items()}
    needed = CasesNeeded(factor, **kept)
    if not parts.df:
        return dict.fromkeys(_NEEDED) | {"cases_needed": needed}
    least, most = (target.groups(Components(between, parts.within), n) for between in limits)
    return {
        "groups_needed": _whole(target.groups(parts, n)),
        "groups_range": (_whole(least), _whole(most)),
        "groups_at_least": _whole(target.groups(parts, n, math.inf)),
        "cases_needed": needed,
    }


def _whole(number: float) -> float:
    return int(number) if math.isfinite(number) else number
