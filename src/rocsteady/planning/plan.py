"""``plan``: how much data a study needs. And the plan of an AUC, from numbers alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from numbers import Real
from typing import Any, ClassVar, overload

import numpy as np

from rocsteady.calling import welcomes
from rocsteady.curves.from_scores import is_score_set
from rocsteady.errors import Either, Option, fail
from rocsteady.inference.matching import is_like_a_reader_study
from rocsteady.options import one_number, one_of, open_share, whole_number
from rocsteady.planning.groups import Plan, Planned, plan_groups, positive, ratio_of
from rocsteady.planning.readers import ReaderPlan, plan_readers
from rocsteady.readers.compare import ReaderComparison
from rocsteady.results import Tabular
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.limits import t_quantile
from rocsteady.statistics.power import AUC_VARIANCES, MOST, fewest, rejection_chance


@overload
def plan(pilot: float, **options: Any) -> AucPlan: ...
@overload
def plan(pilot: ReaderComparison | Mapping[Any, Any], **options: Any) -> ReaderPlan: ...
@overload
def plan(pilot: ScoreSet, **options: Any) -> Any: ...
@welcomes()  # type: ignore[misc]  # which options go with what, it says itself
def plan(
    pilot: Any,
    *,
    measure: object = "auc",
    half_width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
    # groups
    rate: str | None = None,
    models: Any = None,
    assurance: float | None = None,
    within: str = "formula",
    undefined: str = "raise",
    unmatched: str = "raise",
    method: str | None = None,
    # an AUC
    null: float | None = None,
    other_auc: float | None = None,
    correlation: float | None = None,
    n_positives: int | None = None,
    n_negatives: int | None = None,
    ratio: float | None = None,
    variance: str = "binormal",
    # a reader study
    margin: float | None = None,
    test: str | None = None,
    n_readers: int | Sequence[int] | None = None,
    n_cases: int | None = None,
    readers: str | None = None,
    cases: str | None = None,
    modalities: Any = None,
    covariance: str | None = None,
    missing: str = "raise",
    # what is drawn
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> Plan | AucPlan | ReaderPlan:
    """Plan how much data would settle a question: more groups, more cases in each, or more readers.

    What there is decides what is planned. From a ``ScoreSet``: groups, and cases in each; of a single group
    its cases alone. From a number, the AUC that is expected: cases of one dataset, without any data. From a
    ``ReaderComparison``, a mapping of variance components, or a ``ScoreSet`` of readers: a reader study of
    two modalities. A ``ScoreSet`` is one of readers if its design says "readers", if an option of reader
    studies is given, or if it has several models, ``models`` does not choose two, and groups share cases.

    Parameters
    ----------
    pilot : ScoreSet, ReaderComparison, dict or float
        What there is now. Variance components of a published study are ``modality_reader``, ``var``,
        ``cov1``, ``cov2``, ``cov3``, ``n_cases`` and, if known, ``n_readers`` (``VarTR``, ``KStar`` and the
        like are understood).
    measure : "auc", dict or statistic
        What is measured in every group, or of every reader whose ratings are given: the AUC,
        ``{"fpr": 0.05}`` for the TPR at that FPR (every group meets the budget itself), ``{"tpr": 0.9}``,
        ``{"threshold": 0.5}``.
    half_width : float, optional
        Wanted of the interval (for the difference, with two models). Not of reader studies.
    difference, power : float, optional
        Else a test is to find a true difference of this size with this chance. The smallest that would
        matter; without it the one seen, which is as uncertain as the pilot. For a ``margin`` it is 0 unless
        said, and for non-inferiority that of the new modality less the reference.
    confidence_level : float
        Of the interval; one less it is the level of two-sided tests. One-sided tests have half of it.

    rate : {"tpr", "fpr"}, optional
        Groups: which rate at a threshold; the TPR unless said.
    models : pair of str, optional
        Groups: two models on the same cases; planned is their difference, first less second.
    assurance : float, optional
        Groups: the chance that the half-width comes out no wider than wanted, counting that the pilot is
        uncertain itself. Without it about half of all studies come out a little wider.
    within : {"formula", "bootstrap"}
        Groups: the luck of the cases by DeLong's variance, or a binomial one plus, where a budget is met on
        the same cases, the slope of the curve times the luck of the threshold; or by resampling cases.
    undefined, unmatched : {"raise", "drop"}
        Groups: what to do with those of one class, and with groups and cases that one model has not scored.
    method : {"threshold", "pooled"}, optional
        Groups: one threshold for all of them is set to meet the rate of ``measure`` on average, every group
        counting once or every row. By default every group meets it itself.

    null, other_auc : float, optional
        An AUC: the fixed one that it is tested against, 0.5 unless said; or that of another model on the
        same cases.
    correlation : float, optional
        An AUC: of the two AUCs over samples of cases, needed with ``other_auc``. Take it from a pilot,
        ``compare_auc(labels, scores_a, scores_b).correlation``; 0 for separate samples.
    n_positives, n_negatives : int, optional
        An AUC: given cases, to read the power and the half-width; of one of them the other follows.
    ratio : float, optional
        An AUC, or a reader study: negatives for each positive; 1, or that of the pilot unless said. For
        readers it needs the ratings of a fully crossed pilot, and AUCs.
    variance : {"binormal", "hanley-mcneil", "obuchowski"}
        An AUC: exact for normal scores with equal spread; for exponential scores; for a curve fitted to
        ratings (as in pROC's ``power.roc.test``). The last two ask for more cases where the AUC is high.

    margin, test : float, {"difference", "non-inferiority", "equivalence"}, optional
        Readers: what is to be shown; with a margin non-inferiority unless said.
    n_readers : int or sequence of int, optional
        Readers: numbers of them to plan for; 3 to 20 unless said.
    n_cases : int, optional
        Readers: a number of cases, to read how many readers it needs.
    readers, cases : {"random", "fixed"}, optional
        Readers: what is random in the planned study; both unless said.
    modalities, covariance, missing
        Readers: how a pilot that is handed over as ratings is compared; see :func:`compare_readers`.
    n_resamples, seed, threads
        Where something is drawn.

    Returns
    -------
    Plan, AucPlan or ReaderPlan
        Numbers that are needed, what is known now, ``power_at``, ``table`` (not of an AUC), ``to_frame``, and
        a ``reading``.

    Warns
    -----
    RS290, RS291, RS292, RS293
        Groups of a single case; very few groups; a point finer than the cases show; groups that share cases.
    RS296, RS297
        Folds, of which more do not help; two models without a difference to find.
    RS223
        Modalities that do not differ within readers, so that a plan is too hopeful.

    Raises
    ------
    DataError, UsageError
        RS068 for what a single group or folds cannot tell; RS069 if no group has two cases of a class; RS039
        for a reader study that nothing can be planned from; RS002 for options of another kind of plan.

    Notes
    -----
    Groups are random, each counting once, and cases within each; new groups are like those here. Between
    groups is what is left of the variance when the luck of the cases is taken off. From few groups it is
    rough: ``between_interval``, ``groups_range`` and the table say how rough. Of a single group the cases
    alone are random, and nothing is known of how much groups differ. Folds of a cross-validation are parts
    of the same cases: their half-width counts shared training cases (Nadeau & Bengio), and only more cases
    help.

    For an AUC power is that of a normal test; below 10 cases of a class it is rough. For readers it is that
    of the F test of Obuchowski and Rockette with the degrees of freedom of Hillis (Hillis, Obuchowski &
    Berbaum 2011), for fixed readers a chi-square; components below 0 count as 0. With few readers more cases
    are not always better: the degrees of freedom fall with the luck of the cases.

    Promises of single pilots scatter widely (``docs/coverage.md``, "Plans").

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 1, 1, 0, 0, 0], [9, 8, 5, 6, 2, 1 + k]) for k in range(6)]
    >>> folds += [([1, 1, 1, 0, 0, 0], [9, 3, 2, 6, 4, 1 + k]) for k in range(6)]
    >>> found = rs.plan(rs.ScoreSet.from_folds(folds, unit="site", design="independent"), half_width=0.1)
    >>> found
    Plan(AUC: 0.6343 ± 0.1575, 12 sites, 29 needed)
    >>> found.between, found.cases_needed
    (0.0, CasesNeeded(2.76 × now, 9 positives, 9 negatives))

    One dataset, two models on its cases; then no data at all:

    >>> sick = [1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> both = {"a": [9, 8, 7, 3, 6, 4, 2, 1, 0], "b": [9, 2, 3, 7, 8, 6, 5, 1, 0]}
    >>> rs.plan(rs.ScoreSet.from_arrays(sick, both), models=("a", "b"), difference=0.2).cases_needed
    CasesNeeded(10.8 × now, 44 positives, 54 negatives)
    >>> rs.plan(0.8, null=0.7)
    AucPlan(0.8 against 0.7: 96 positives, 96 negatives, power 0.802, half-width 0.0617)
    >>> rs.plan(0.8, other_auc=0.75, correlation=0.6, n_positives=100, ratio=4).power.__round__(3)
    0.585

    A reader study from a published one (Van Dyke et al., 5 readers and 114 cases):

    >>> published = {"modality_reader": 0.00020040, "var": 0.00080229, "cov1": 0.00034661,
    ...              "cov2": 0.00034407, "cov3": 0.00023903, "n_cases": 114, "n_readers": 5}
    >>> plan = rs.plan(published, difference=0.05, n_readers=6)
    >>> plan
    ReaderPlan(the mean over readers, difference 0.05, power 0.8: 170 cases for 6 readers)
    >>> plan.readers_for(114), round(plan.power_at(10, 165), 3)
    (11.0, 0.896)
    """
    options = {name: value for name, value in locals().items() if name != "pilot"}
    defaults: dict[str, Any] = plan.__wrapped__.__kwdefaults__  # type: ignore[attr-defined]
    given = [
        name
        for name, value in options.items()
        if value is not defaults[name]
        and not (isinstance(value, str | int | float) and value == defaults[name])
    ]
    if isinstance(pilot, Real) or (isinstance(pilot, np.ndarray) and pilot.ndim == 0):
        kind = "an AUC"
    elif isinstance(pilot, ReaderComparison | Mapping):
        kind = "a reader study"
    else:
        kind = "a reader study" if _is_of_readers(pilot, given) else "groups"
    takes = _OPTIONS[kind]
    for name in given:
        if name not in takes:
            ways: list[Any] = [Either(f"leave out  {name}", f"leave out  --{name.replace('_', '-')}")]
            if is_score_set(pilot) and kind == "a reader study":
                typed = ", ".join(own for own in given if own in _OF_READERS)
                instead = f"leave out  {typed}" if typed else "score_set.with_design('independent')"
                ways.append(f"for a plan of groups:  {instead}")
            raise fail("RS002.together", name=name, other=f"a plan of {kind}", value=options[name], ways=ways)
    made: Plan | AucPlan | ReaderPlan = _KINDS[kind](pilot, **{name: options[name] for name in takes})
    return made


def _is_of_readers(pilot: Any, given: Sequence[str]) -> bool:
    """By its design, by what is asked, or because groups of several models share their cases."""
    if _OF_READERS.intersection(given) or not is_score_set(pilot):
        return bool(_OF_READERS.intersection(given))
    is_like_one = len(pilot.models) > 1 and "models" not in given and is_like_a_reader_study(pilot)
    return pilot.design.kind == "readers" or is_like_one


# One AUC, or two, from numbers alone
# -----------------------------------


_LEAVE_HALF_WIDTH = Either(
    "leave out  half_width, or the numbers of cases", "leave out  --half-width, or the numbers of cases"
)
_TIMES = (1, 2, 4, 10)
"""How many times its cases the rows of a plan have."""


@dataclass(frozen=True, eq=False, repr=False)
class AucPlan(Planned, Tabular, sentence="planning.auc"):
    """Cases for one AUC or for a difference of two, and what they give.

    Attributes
    ----------
    auc, other : float
        The AUC expected; what it is held against, a fixed number or the AUC of another model.
    is_paired : bool
        Whether ``other`` is a model's, on the same cases.
    correlation : float
        Of the two AUCs over samples of cases; NaN for a fixed number.
    n_positives, n_negatives : float
        Cases of each class, whole numbers.
    variance : str
        The formula.
    confidence_level : float
        One less it is the level of the two-sided test.
    """

    auc: float
    other: float
    correlation: float
    n_positives: float
    n_negatives: float
    variance: str
    confidence_level: float

    _line = (
        "{auc:g} against {other:g}{is_paired:? on the same cases}: {n_positives:.0f} positives, "
        "{n_negatives:.0f} negatives, power {power:.3f}, half-width {half_width:.4f}"
    )
    _told: ClassVar = ("is_paired", "power", "half_width", "standard_error", "random")

    @property
    def is_paired(self) -> bool:
        """Whether ``other`` is a model's, on the same cases."""
        return not math.isnan(self.correlation)

    @property
    def standard_error(self) -> float:
        """Of the AUC, or of the difference."""
        own = self._variance_of(self.auc)
        if not self.is_paired:
            return math.sqrt(own)
        other = self._variance_of(self.other)
        return math.sqrt(own + other - 2 * self.correlation * math.sqrt(own * other))

    @property
    def half_width(self) -> float:
        """Of the interval for the AUC, or for the difference."""
        return self._quantile * self.standard_error

    @property
    def power(self) -> float:
        """Chance that the test rejects."""
        null = math.sqrt(self._variance_of(self.other))
        if self.is_paired:  # where nothing differs, both are the one in the middle
            null = math.sqrt(2 * (1 - self.correlation) * self._variance_of((self.auc + self.other) / 2))
        gap, expected = abs(self.auc - self.other), self.standard_error
        return rejection_chance(gap / expected, self._quantile * null / expected, np.ones(1), np.ones(1))

    @property
    def _quantile(self) -> float:
        return float(t_quantile(np.inf, self.confidence_level))

    def _variance_of(self, auc: float) -> float:
        return AUC_VARIANCES[self.variance](auc, self.n_positives, self.n_negatives)

    def power_at(self, n_positives: int, n_negatives: int) -> float:
        """The chance with so many cases of each class."""
        cases = _given_cases(n_positives, n_negatives, None)
        return replace(self, n_positives=cases[0], n_negatives=cases[1]).power

    def _columns(self) -> Mapping[str, Any]:
        """These cases, and 2, 4 and 10 times as many."""
        sizes = np.array([[times * self.n_positives, times * self.n_negatives] for times in _TIMES])
        rows = [replace(self, n_positives=n, n_negatives=others) for n, others in sizes.tolist()]
        n_positives, n_negatives = sizes.astype(np.int64).T
        return {
            "times_cases": list(_TIMES),
            "n_positives": n_positives,
            "n_negatives": n_negatives,
            "half_width": [own.half_width for own in rows],
            "power": [own.power for own in rows],
        }


def plan_auc(
    auc: Any,
    *,
    null: float | None,
    other_auc: float | None,
    correlation: float | None,
    n_positives: int | None,
    n_negatives: int | None,
    ratio: float | None,
    half_width: float | None,
    power: float,
    confidence_level: float,
    variance: str,
) -> AucPlan:
    """What :func:`plan` does with a number."""
    level = open_share("confidence_level", confidence_level)
    one_of("variance", variance, tuple(AUC_VARIANCES), elsewhere={"hanley": "hanley-mcneil"})
    if other_auc is not None and null is not None:
        raise fail("RS002.together", name="null", other="other_auc", value=null, ways=["leave one out"])
    if other_auc is None and correlation is not None:
        raise fail("RS002.correlation-of-one", correlation=correlation)
    if other_auc is not None and correlation is None:
        raise fail("RS002.no-correlation")
    r = math.nan if correlation is None else one_number("correlation", correlation, 0.5)
    if correlation is not None and not -1 < r < 1:
        example, where = [Option("correlation", 0.5)], "above -1 and below 1"
        raise fail("RS042", name="correlation", where=where, found=correlation, ways=example)
    name, against = ("other_auc", other_auc) if other_auc is not None else ("null", null)
    against = 0.5 if against is None else open_share(name, against)
    asked = AucPlan(open_share("auc", auc), against, r, 2.0, 2.0, variance, level)
    wanted = open_share("power", power)
    if n_positives is None and n_negatives is None:
        per_positive = 1.0 if ratio is None else ratio_of(ratio, MOST)
        return _needed_cases(asked, per_positive, half_width, wanted, is_default=null is None)
    if half_width is not None:
        other, ways = "numbers of cases", [_LEAVE_HALF_WIDTH]
        raise fail("RS002.together", name="half_width", other=other, value=half_width, ways=ways)
    cases = _given_cases(n_positives, n_negatives, ratio)
    return replace(asked, n_positives=cases[0], n_negatives=cases[1])


def _given_cases(n_positives: Any, n_negatives: Any, ratio: Any) -> tuple[float, float]:
    if n_positives is not None and n_negatives is not None and ratio is not None:
        other, ways = "both numbers of cases", ["leave out  ratio"]
        raise fail("RS002.together", name="ratio", other=other, value=ratio, ways=ways)
    per_positive = 1.0 if ratio is None else ratio_of(ratio, MOST)
    sizes = {"n_positives": n_positives, "n_negatives": n_negatives}
    known = {name: whole_number(name, n, least=2, example=100) for name, n in sizes.items() if n is not None}
    positives = known.get("n_positives", _rounded_up(known.get("n_negatives", 0) / per_positive))
    negatives = known.get("n_negatives", _rounded_up(positives * per_positive))
    return float(max(positives, 2)), float(max(negatives, 2))


def _rounded_up(cases: float) -> int:
    """The whole number that is enough, but for rounding: 84 / 0.7 is 120, not 121."""
    return math.ceil(cases * (1 - 1e-12))


def _needed_cases(
    asked: AucPlan, ratio: float, half_width: Any, power: float, *, is_default: bool
) -> AucPlan:
    """The fewest cases of the rarer class that reach what is wanted, and those of the other."""
    width = None if half_width is None else positive("half_width", half_width, 0.05)
    if width is None and asked.auc == asked.other:
        name = "other_auc" if asked.is_paired else "null"
        ways: list[Option] = [Option(name, 0.7 if asked.auc != 0.7 else 0.6)]
        ways += [Option("half_width", 0.05)] if is_default else []
        raise fail("RS042.equal-aucs", auc=asked.auc, other=asked.other, ways=ways)

    def with_cases(n: float) -> AucPlan:
        other = float(_rounded_up(n * ratio if ratio >= 1 else n / ratio))
        sizes = (float(n), other) if ratio >= 1 else (other, float(n))
        return replace(asked, n_positives=sizes[0], n_negatives=sizes[1])

    def is_enough(n: int) -> bool:
        of = with_cases(n)
        return of.half_width <= width if width else of.power >= power

    rarer = fewest(is_enough, 2)
    if math.isinf(rarer):
        raise fail(
            "RS042.too-many-cases",
            most=MOST,
            half_width=width,
            power=None if width else power,
            auc=asked.auc,
            other=asked.other,
        )
    return with_cases(rarer)


_KINDS: dict[str, Any] = {"an AUC": plan_auc, "groups": plan_groups, "a reader study": plan_readers}
_OPTIONS = {kind: [*signature(own).parameters][1:] for kind, own in _KINDS.items()}
_OF_READERS = set(_OPTIONS["a reader study"]) - {*_OPTIONS["groups"], *_OPTIONS["an AUC"]}
"""The options of every kind of plan are those that its function takes; and those of reader studies alone."""
