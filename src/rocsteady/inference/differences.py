"""What a comparison found: differences, a difference curve, the groups one by one, and who leads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, TypeVar, overload

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.averaging.methods import Method
from rocsteady.errors import fail
from rocsteady.places import Place
from rocsteady.results import Result, TableResult, columns_of, decides
from rocsteady.scores.design import ASSUMED, Design, Random
from rocsteady.showing import Drawn, Said, Told, said
from rocsteady.statistics.group_permutation import SignedRanks
from rocsteady.statistics.limits import Interval
from rocsteady.words import counted, printable

BEHIND_A_TEST = ("standard_error", "statistic", "df", "flip_pvalue", "method")
"""Columns of differences that stay in the frame: a printed table has the interval and the p-value."""


class Measure(StrEnum):
    """What was measured of both models."""

    AUC = "AUC"  # of one dataset, or the mean of those of groups
    AREA = "area"  # under the average, where that is another
    SMAUC = "smAUC"  # of one dataset, or the mean of those of groups
    FPR = "FPR"
    TPR = "TPR"


class Budget(StrEnum):
    """Who meets a rate that is held; where cases are random, again in every resample."""

    KEPT = "kept"  # nobody: thresholds stay as they are
    OWN = "own"  # every group, with a threshold of its own
    SHARED = "shared"  # all groups together, with one threshold


class Test(StrEnum):
    """Where a p-value comes from."""

    __test__ = False  # is none of pytest's

    T = "t"  # paired over groups, or Welch's
    DELONG = "DeLong"
    INFLUENCE = "influence"  # what each case adds, squared and summed
    PROPORTIONS = "proportions"
    BOOTSTRAP = "bootstrap"
    FLIPS = "flips"  # of the signs of whole groups, or of their residuals: the largest t of all positions
    NORMAL_MAXIMA = "normal maxima"  # of groups that share training cases, whose signs cannot be flipped


@dataclass(frozen=True, eq=False)
class Compared:
    """What a difference of two models is of, where, by which test, and what it rests on.

    Attributes
    ----------
    a, b, unit : str
        The models and the word for a group.
    n_groups : int or (int, int)
        How many groups; of each model where they are not paired.
    random : Random
        What is random: groups, cases, or cases that come in clusters.
    paired : bool
        Whether differences are taken within groups, or within cases.
    method : Method
        The average.
    design : Design
        How the scores came about.
    test_train_ratio : float
        What is added to 1 / n for folds that share training cases.
    by_name : bool
        Whether cases are named.
    n_clusters, cluster_unit : int, str
        How many clusters, where these are random, and the word for one.
    measure, test : Measure, Test
        What was measured, and where the p-value comes from.
    place, budget : Place or None, Budget or None
        Where, and who meets what is held there. Rates without a place are at thresholds of every group's own.
    df, n_flips : float, int
        Degrees of freedom of the test; flips of signs drawn at random, 0 for all.
    """

    chapter: ClassVar = "comparing"
    """Of the sentences that are written from these facts."""

    a: str
    b: str
    unit: str
    n_groups: Any
    random: Random
    paired: bool
    method: Method
    design: Design
    test_train_ratio: float = 0.0
    by_name: bool = True
    n_clusters: int = 0
    cluster_unit: str = "case"
    measure: Measure = Measure.AUC
    test: Test = Test.T
    place: Place | None = None
    budget: Budget | None = None
    df: float = float("inf")
    n_flips: int = 0

    @property
    def is_one_dataset(self) -> bool:
        """Whether there is one group of each model."""
        return self.n_groups in (1, (1, 1))


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Told, Result, sentence="comparing.difference"):
    """One quantity of two models, and how sure their difference is.

    Attributes
    ----------
    a, b : str
        The models.
    a_value, b_value, difference : float
        Of each model, and the first less the second, also where less is better: ``better`` says who is.
    a_interval, b_interval : Interval
        Of each model's own value, under what is random. Two that overlap do not say that there is no
        difference: that is what ``interval`` is for. NaN limits where nothing varies.
    standard_error, interval : float, Interval
        Of the difference.
    statistic, df, pvalue : float
        t (or z, with infinite ``df``) and its two-sided p-value. No difference at all has 0 and 1.
    flip_pvalue : float
        The p-value of the same difference by flipping signs: exact for symmetric differences of up to 14
        groups. NaN where there is no such test.
    adjusted_pvalue : float
        For the number of pairs of models that were compared; ``pvalue`` for one pair.
    lower_is_better : bool
        Whether the lower value is the better one, as of false positive rates.
    facts : Compared, or those of a reader study
        What was measured where, what is random, which test.
    """

    _not_for_papers: ClassVar = BEHIND_A_TEST
    _line = "{quantity}, {a} - {b}: {difference:+.4f}{interval:(+.4f)}, p {pvalue:.3g}"
    _told = ("quantity", "method", "random", "held")
    _untold = ("facts",)

    a: str
    b: str
    a_value: float
    b_value: float
    difference: float
    standard_error: float
    interval: Interval
    statistic: float
    df: float
    pvalue: float
    flip_pvalue: float
    adjusted_pvalue: float
    lower_is_better: bool
    a_interval: Interval
    b_interval: Interval
    facts: Any

    def _said(self, what: str) -> str:
        return said(f"{self.facts.chapter}.{what}", self.facts)

    @property
    def quantity(self) -> str:
        """What was measured: ``"AUC"``, ``"TPR at FPR 0.05"``."""
        return self._said("quantity")

    @property
    def method(self) -> str:
        """Which test."""
        return self._said("test")

    @property
    def random(self) -> str:
        """What is random, in words: a sample of datasets, or the cases of fixed ones."""
        return self._said("random")

    @property
    def held(self) -> str:
        """What is held fixed and who meets it; empty for areas."""
        return self._said("held")

    @property
    def unit(self) -> str:
        """The word for a group."""
        return str(self.facts.unit)

    @property
    def is_decided(self) -> bool:
        """Whether the (adjusted) p-value is significant at the confidence level."""
        return decides(self.adjusted_pvalue, 1 - self.interval.confidence_level)

    @property
    def tests_disagree(self) -> bool:
        """Whether one of the two tests is significant and the other is not, though it could be."""
        alpha = 1 - self.interval.confidence_level
        if np.isnan(self.flip_pvalue) or self.adjusted_pvalue != self.pvalue:
            return False
        if self.pvalue <= alpha < self.flip_pvalue:  # of n groups, 2 in 2 ** n ways to flip signs decide
            return bool(2.0 ** (1 - int(np.max(self.facts.n_groups))) <= alpha)
        return bool(self.flip_pvalue <= alpha < self.pvalue)

    @property
    def better(self) -> str | None:
        """The model with the better value, however unsure; None if they are alike."""
        gain = -self.difference if self.lower_is_better else self.difference
        return self.a if gain > 0 else self.b if gain < 0 else None


@dataclass(frozen=True, eq=False, repr=False)
class DifferenceCurve(Told, Drawn, TableResult, figure="difference", sentence="comparing.curve"):
    """The difference of two average curves, position by position.

    Attributes
    ----------
    a, b, unit : str
        The models and the word for a group.
    n_groups : int or (int, int)
        How many; of each model where they are not paired.
    n_cases : int or (int, int)
        How many; of each model where they are not as many.
    over : str
        What a position is: ``"fpr"``, ``"tpr"``, or ``"position"`` along another direction.
    range : (float, float)
        The declared range of positions.
    position, difference, standard_error : float64 arrays
        The difference is taken along the averaging direction and is positive where the first model is the
        better one: TPR at an FPR, or how much lower the FPR is at a TPR.
    a_value, b_value : float64 arrays
        What the two curves are worth there: TPR over FPR, FPR over TPR.
    lower, upper : float64 arrays
        Limits of each position by itself.
    simultaneous_lower, simultaneous_upper : float64 arrays
        Limits that hold over the whole range at once. NaN where left out, infinite where there are too few
        groups for the confidence level.
    adjusted : float64 array
        P-value of each position, adjusted for all of them.
    statistic, pvalue : float
        The largest absolute t, and the p-value that the curves differ nowhere in the range.
    smallest_pvalue : float
        The smallest that so few groups (or resamples) can give.
    factor : float
        What standard errors were multiplied by for the simultaneous limits.
    excluded : tuple of (float, float)
        Positions without simultaneous limits, because nothing varies there.
    confidence_level : float
        Of both kinds of limits.
    facts : Compared
        What is random, and which test.
    """

    _told = ("method", "random")
    _untold = ("facts",)
    _line = "{a} - {b} over {over} {range[0]:.3g} to {range[1]:.3g}, p {pvalue:.3g}"
    _in_frame = (
        "{0.over}=position, a_value, b_value, difference, standard_error, lower, upper, "
        "simultaneous_lower, simultaneous_upper, adjusted"
    )

    a: str
    b: str
    unit: str
    n_groups: Any
    n_cases: Any
    over: str
    range: tuple[float, float]
    position: Floats
    a_value: Floats
    b_value: Floats
    difference: Floats
    standard_error: Floats
    lower: Floats
    upper: Floats
    simultaneous_lower: Floats
    simultaneous_upper: Floats
    adjusted: Floats
    statistic: float
    pvalue: float
    smallest_pvalue: float
    factor: float
    excluded: tuple[tuple[float, float], ...]
    confidence_level: float
    facts: Compared

    method = Said("comparing.test_of_curve", of="facts")
    """How limits were made."""

    random = Said("comparing.random", of="facts")
    """What is random, in words."""


OF_DIFFERENCES = (
    "quantity, a, b, a_value, b_value, difference, standard_error, interval.low, interval.high, "
    "a_low=a_interval.low, a_high=a_interval.high, b_low=b_interval.low, b_high=b_interval.high, "
    "statistic, df, pvalue, flip_pvalue, adjusted_pvalue, method"
)
"""The columns of a table with a row for each difference."""


class OfTwoModels:
    """What all comparisons of two models tabulate and print alike."""

    _not_for_papers: ClassVar = BEHIND_A_TEST
    _of_each: ClassVar = "differences"
    _in_frame: ClassVar = OF_DIFFERENCES
    n_groups: Any
    unit: str

    @property
    def _groups(self) -> str:
        sizes = (self.n_groups,) if isinstance(self.n_groups, int) else self.n_groups
        return " and ".join(counted(n, printable(self.unit)) for n in sizes)


@dataclass(frozen=True, eq=False, repr=False)
class GroupDifferences(TableResult):
    """The AUCs of two models, group by group."""

    _line = "{a} better in {_n_better} of {groups:count {unit}}"

    unit: str
    a: str
    b: str
    groups: tuple[str, ...]
    a_auc: Floats
    b_auc: Floats

    _in_frame = "{0.unit}=groups, {0.a} AUC=a_auc, {0.b} AUC=b_auc, difference"

    @property
    def difference(self) -> Floats:
        """The first less the second."""
        return self.a_auc - self.b_auc

    @property
    def _n_better(self) -> int:
        return int((self.difference > 0).sum())


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(OfTwoModels, Told, Drawn, TableResult, figure="difference", sentence="comparing.comparison"):
    """Two models compared, made by :func:`rocsteady.compare`.

    Attributes
    ----------
    a, b, unit : str
        The models and the word for a group.
    n_groups : int or (int, int)
        How many groups; of each model where they are not paired.
    method : Method or None
        The average that is compared; None where none was named, and only AUCs are.
    random : {"groups", "cases"}
        What is random.
    paired : bool
        Whether differences are taken within groups (or within cases).
    auc : Difference
        Of the mean AUC of the groups.
    area : Difference or None
        Of the area under the average, where that is not the mean AUC of the groups: pooled, threshold,
        radial, tangent and binormal averages.
    at : tuple of Difference
        At the operating points asked for; two, FPR and TPR, for each threshold.
    curve : DifferenceCurve or None
        Over the declared range; None without an average.
    wilcoxon : SignedRanks or None
        Of the groups' differences in AUC: whether they are symmetric about 0, not whether their mean is 0.
        None for groups that are fixed, not paired or not independent.
    per_group : GroupDifferences or None
        The groups one by one, where they are paired.
    undefined : tuple of str
        Groups left out, and why.
    test_train_ratio : float
        What was added to 1 / n for folds that share training cases; 0 for none.
    auc_correlation : float
        Of the two AUCs over samples of cases, as :func:`rocsteady.plan` takes it; NaN where groups are
        random or the models are not paired.
    design : Design
        How the scores came about.
    """

    _elsewhere: ClassVar = {
        **dict.fromkeys(("pvalue", "p", "p_value", "pval"), "auc.pvalue"),
        **dict.fromkeys(("statistic", "t", "z"), "auc.statistic"),
        **dict.fromkeys(("interval", "ci", "conf_int"), "auc.interval"),
        "difference": "auc.difference",
    }
    _line = "{a} - {b}, {_groups}, {random} random: AUC {auc.difference:+.4f}, p {auc.pvalue:.3g}"

    a: str
    b: str
    unit: str
    n_groups: Any
    method: Method | None
    random: str
    paired: bool
    auc: Difference
    area: Difference | None
    at: tuple[Difference, ...]
    curve: DifferenceCurve | None
    wilcoxon: SignedRanks | None
    per_group: GroupDifferences | None
    undefined: tuple[str, ...]
    test_train_ratio: float
    auc_correlation: float
    design: Design = ASSUMED

    @property
    def differences(self) -> tuple[Difference, ...]:
        """All of them: of the AUC, of the area where it is another, at the operating points."""
        return (self.auc, *(() if self.area is None else (self.area,)), *self.at)


@dataclass(frozen=True, eq=False, repr=False)
class Standing(Result):
    """One model's own value of one quantity.

    Attributes
    ----------
    quantity, model : str
        What was measured, of which model.
    value, interval : float, Interval
        The value, and its interval under what is random. Whether two models differ is not read from these:
        the differences between them have intervals and tests of their own.
    """

    _line = "{model}, {quantity}: {value:.4f}{interval:(.4f)}"

    quantity: str
    model: str
    value: float
    interval: Interval


P = TypeVar("P", bound=Any)


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(TableResult, Sequence[P]):
    """Several pairs of models, each with its ``differences``: by position, or by the names of the two."""

    _not_for_papers: ClassVar = BEHIND_A_TEST
    _told: ClassVar[tuple[str, ...]] = ("standings", "comparisons")
    _line = "{_pairs:count pair} of {models:count model}, adjusted: {adjust}"

    models: tuple[str, ...]
    adjust: str | None
    _pairs: tuple[P, ...]

    def __len__(self) -> int:
        return len(self._pairs)

    @overload
    def __getitem__(self, key: int | tuple[str, str]) -> P: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[P]: ...
    def __getitem__(self, key: Any) -> P | Sequence[P]:
        if not isinstance(key, tuple):
            chosen: P | Sequence[P] = self._pairs[key]
            return chosen
        for pair in self._pairs:
            if (pair.a, pair.b) == key:
                return pair
        known = ", ".join(f"({pair.a!r}, {pair.b!r})" for pair in self._pairs[:6])
        raise fail("RS001.comparison", pair=key, known=known)

    def __iter__(self) -> Iterator[P]:
        return iter(self._pairs)

    @property
    def unit(self) -> str:
        """The word for a group."""
        return str(self._pairs[0].unit)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """What each model is worth by itself: quantity by quantity, the best first."""
        return standings_of(self._pairs)

    @property
    def comparisons(self) -> tuple[P, ...]:
        """The pairs, as plain data has them."""
        return self._pairs

    def _columns(self) -> dict[str, Any]:
        return columns_of((own for pair in self for own in pair.differences), OF_DIFFERENCES)


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Told, Pairs[Comparison], sentence="comparing.comparisons"):
    """Several pairs of models, made by :func:`rocsteady.compare`; a sequence of :class:`Comparison`.

    Attributes
    ----------
    models : tuple of str
        All that were compared.
    adjust : str or None
        How p-values were adjusted for the number of pairs: each quantity is a family of its own.
    """

    _told = ("standings", "curve_pvalues", "comparisons")

    _adjusted_curves: tuple[float, ...]

    @property
    def curve_pvalues(self) -> Floats:
        """Of the difference curves, adjusted for the number of pairs."""
        return np.array(self._adjusted_curves)

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The pairs, as plain data has them."""
        return self._pairs


@dataclass(frozen=True, eq=False, repr=False)
class PointComparison(Result):
    """What :func:`compare_at` found.

    Attributes
    ----------
    differences : tuple of Difference
        One; at a threshold two, of the FPR and of the TPR.
    n_groups : int or (int, int)
        How many groups; of each model where they are not paired.
    random : {"groups", "cases"}
        What is random.
    paired : bool
        Whether differences are taken within groups (or within cases).
    groups : tuple of str
        The groups that were compared, where they are paired.
    """

    _line = "{random} random: {differences}"

    differences: tuple[Difference, ...]
    n_groups: Any
    random: str
    paired: bool
    groups: tuple[str, ...]


def standings_of(pairs: Sequence[Comparison]) -> tuple[Standing, ...]:
    """Every model's own values, quantity by quantity, the best first.

    A model compared over other groups with one model than with another (some had none) has no single value,
    and is left out.
    """
    columns = zip(*(pair.differences for pair in pairs), strict=True)
    return tuple(own for column in columns for own in _standings_of(column))


def _standings_of(column: Sequence[Difference]) -> list[Standing]:
    values: dict[str, list[tuple[float, Interval]]] = {}
    for own in column:
        values.setdefault(own.a, []).append((own.a_value, own.a_interval))
        values.setdefault(own.b, []).append((own.b_value, own.b_interval))
    single = [
        Standing(_common(column), model, *own[0])
        for model, own in values.items()
        if all(value == own[0][0] for value, _ in own)
    ]
    sign = 1 if column[0].lower_is_better else -1
    return sorted(single, key=lambda standing: sign * standing.value)


def _common(column: Sequence[Difference]) -> str:
    """The quantity without values that only some models have."""
    names = dict.fromkeys(own.quantity for own in column)
    return next(iter(names)) if len(names) == 1 else column[0]._said("quantity_at_thresholds")


@dataclass(frozen=True)
class Lead:
    """Who is first of several models, and over whom that is significant.

    Attributes
    ----------
    ordered : tuple of Standing
        All models, the best first.
    near : tuple of str
        Those over which the lead is not significant.
    untested : tuple of str
        Those that the first was not compared with.
    """

    ordered: tuple[Standing, ...]
    near: tuple[str, ...]
    untested: tuple[str, ...]


def leader(pairs: Sequence[Comparison], of: Callable[[Comparison], Difference] | None = None) -> Lead | None:
    """The models by what was asked about; None where they have no single value.

    Without ``of`` that is the area: under one threshold for all groups the area under the shared average, not
    the mean AUC of groups that each have their own.
    """
    asked = [(pair.area or pair.auc) if of is None else of(pair) for pair in pairs]
    ordered = _standings_of(asked)
    if len(ordered) < len({name for pair in pairs for name in (pair.a, pair.b)}):
        return None
    best = ordered[0].model
    tested = {own.b if own.a == best else own.a: own for own in asked if best in (own.a, own.b)}
    near = tuple(name for name, own in tested.items() if not own.is_decided)
    untested = tuple(own.model for own in ordered[1:] if own.model not in tested)
    return Lead(tuple(ordered), near, untested)
