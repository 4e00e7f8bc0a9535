"""What a plan holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import Option, fail
from rocsteady.inference.planning import designs
from rocsteady.inference.planning.designs import Components
from rocsteady.inference.planning.plan_table import PlanTable, make_table
from rocsteady.options import one_number, whole_number
from rocsteady.results import Result
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, plural, printable

Floats = NDArray[np.float64]


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
class Plan(Result):
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
    reading : str
        All this in plain sentences.
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
    correlation: float = math.nan
    average: str = "vertical"
    is_assumed_average: bool = False
    design: Design = ASSUMED
    half_width_of_repeats: float = math.nan
    reading: str = ""

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
        seen = designs.variance_of_half_width(self.half_width, self.n_groups, self.confidence_level)
        return Components(self.between_planned, self.within, seen, self.n_groups - 1)

    def half_width_at(self, n_groups: int | None = None, *, times_cases: float = 1.0) -> float:
        """The half-width that so many groups would have, with so many times the present cases in each."""
        n = self._number_of_groups(n_groups)
        times = positive("times_cases", times_cases, 2.0)
        return designs.promised_half_width(self._components, times, n, self.confidence_level, self.assurance)

    def power_at(self, n_groups: int | None = None, *, times_cases: float = 1.0) -> float:
        """The chance that a test then finds the difference; RS002 for a plan of one model."""
        if self.difference is None:
            raise fail("RS002.power-of-one")
        n = self._number_of_groups(n_groups)
        variance = self._components.variance(positive("times_cases", times_cases, 2.0))
        return designs.power(self.difference, variance, n, self.confidence_level)

    def table(
        self, groups: Sequence[int] | None = None, times_cases: Sequence[float] | None = None
    ) -> PlanTable:
        """Half-widths, and for two models power, of many designs.

        Parameters
        ----------
        groups : sequence of int, optional
            Numbers of groups; by default the present one, some larger ones, and the one that is needed.
        times_cases : sequence of float, optional
            How many times the present cases; by default 1, 2, 4, 10 and infinitely many, for a single group
            the factor that is needed in place of the last.
        """
        if groups is None:
            several = {self.n_groups * k for k in (1, 2, 4, 10)} | self._finite_need()
            groups = [self.n_groups] if self.plans_cases else sorted(several)
        numbers = [self._number_of_groups(n, "groups") for n in groups]
        factors = self._usual_factors() if times_cases is None else times_cases
        low, high = self.between_interval.low, self.between_interval.high
        parts = (self._components, Components(low, self.within), Components(high, self.within))
        return make_table(
            parts,
            (numbers, [positive("times_cases", factor, 2.0) for factor in factors]),
            (self.n_positives, self.n_negatives),
            self.difference,
            (self.confidence_level, self.assurance),
            self.unit,
        )

    def _usual_factors(self) -> list[float]:
        if not self.plans_cases:
            return [1.0, 2.0, 4.0, 10.0, math.inf]
        needed = math.inf if self.cases_needed is None else self.cases_needed.factor
        return sorted({1.0, 2.0, 4.0, 10.0} | ({needed} if 0 < needed < 1000 else set()))

    def _finite_need(self) -> set[int]:
        needed = self.groups_needed
        return {int(needed)} if needed is not None and needed < 100 * self.n_groups else set()


def positive(name: str, value: object, example: float) -> float:
    """``value`` as a number above 0, else a coded error."""
    number = one_number(name, value, example)
    if not number > 0:
        raise fail("RS042", name=name, where="above 0", found=value, ways=[Option(name, example)])
    return number
