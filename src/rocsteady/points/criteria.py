"""What a cut-off is chosen for, as values, and the vertices that are best by it, decided without rounding.

A criterion is a class: a loss that depends on the counts at a vertex, exact where the counts are, what it
reports and what it is called; one that needs no numbers is a class here, and its name in ``PLAIN``. For
integer counts losses are integers. Where they are not (weights, averages, costs with long decimals, ratios),
floats only find the vertices that come near the best; those few are compared as fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import gcd, lcm
from operator import mul
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Array, Counts, Floats, Indices, Mask
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import cost
from rocsteady.averaging.shared_threshold import SharedThresholdAverage, vertices_of_groups
from rocsteady.counting.table import CountTable
from rocsteady.curves.from_scores import described
from rocsteady.curves.intervals import ranked_rows
from rocsteady.curves.readings import exact_integers
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail, near_match
from rocsteady.options import Choice, one_number, one_rate
from rocsteady.places import RATES, is_place, place_of
from rocsteady.scores.scores import Scores
from rocsteady.showing import Said


class Criterion(Choice):
    """What a cut-off is chosen for. A plain one equals its name: ``Youden() == "youden"``."""

    goal: ClassVar[str] = ""
    """What is optimised, within a sentence; where numbers belong to it, `show/sentences/points.py` has it."""
    is_whole: ClassVar[bool] = True
    """Whether losses of integer counts are integers."""
    is_gain: ClassVar[bool] = False
    """Whether a larger value is better."""
    is_curved: ClassVar[bool] = False
    """Whether the value at mean rates is not the mean of the values."""
    needs_prevalence: ClassVar[bool] = False
    """Whether the share of positives matters, so that :meth:`at_prevalence` is to be called."""
    is_budget: ClassVar[bool] = False
    """Whether some vertices are beyond a budget of both rates."""

    @property
    def held(self) -> str | None:
        """Which rate is kept: "fpr", "tpr", or none."""
        return None

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """What is to be as small as possible; exact if the counts are integers or fractions."""
        raise NotImplementedError

    def float_losses(self, tpr: Any, fpr: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Losses of order 1 from rates, to find what comes near the best; totals serve for a prevalence."""
        return self.losses(tpr, fpr, 1.0, 1.0)

    def rounded_losses(self, tp: Counts, fp: Counts) -> Array:
        """The same of many curves, one per row; sums in another order choose no other vertex of a tie."""
        totals = tp[:, -1:], fp[:, -1:]
        losses = self.float_losses(tp / totals[0], fp / totals[1], *totals)
        return np.asarray(np.round(losses, PLACES))

    def value(self, fpr: Any, tpr: Any) -> Any:
        """What a cut-off reports as its ``.value``."""
        raise NotImplementedError

    def values(self, fpr: Floats, tpr: Floats, prevalence: Floats) -> Floats:
        """The same of arrays of rates; ``prevalence`` is that of the rows."""
        return np.asarray(self.value(fpr, tpr))

    def permits(self, fpr: Any, tpr: Any) -> Any:
        """Whether rates, each rounded once, may be chosen at all."""
        return np.ones(np.shape(fpr), dtype=np.bool_)

    def at_prevalence(self, prevalence: Fraction) -> Criterion:
        """The criterion with the sample's prevalence filled in, if it was to use that."""
        return self

    aim = Said("points.aim")
    """What was optimised, in a sentence: "the largest TPR - FPR"."""


@dataclass(frozen=True, eq=False, repr=False)
class Youden(Criterion):
    """The largest TPR - FPR (Youden's J): the tangent at 45 degrees, not the point closest to (0, 1)."""

    name: ClassVar[str] = "youden"
    goal: ClassVar[str] = "the largest TPR - FPR (Youden's J)"
    is_gain: ClassVar[bool] = True

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """``FPR - TPR``, times both totals."""
        return fp * n_positives - tp * n_negatives

    def value(self, fpr: Any, tpr: Any) -> Any:
        """J."""
        return tpr - fpr


@dataclass(frozen=True, eq=False, repr=False)
class Closest(Criterion):
    """The vertex closest to (0, 1): the smallest ``FPR**2 + (1 - TPR)**2``."""

    name: ClassVar[str] = "closest"
    goal: ClassVar[str] = "the point closest to FPR 0 and TPR 1"
    is_curved: ClassVar[bool] = True

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """The squared distance, times the squares of both totals."""
        return (fp * n_positives) ** 2 + ((n_positives - tp) * n_negatives) ** 2

    def value(self, fpr: Any, tpr: Any) -> Any:
        """The squared distance."""
        return fpr**2 + (1 - tpr) ** 2


@dataclass(frozen=True, eq=False, repr=False)
class EqualErrors(Criterion):
    """The vertex with the smallest difference of the two error rates.

    It is a threshold that can be set. The equal error rate of :meth:`RocCurve.eer` is where the line between
    two vertices has both rates equal, which often no threshold does.
    """

    name: ClassVar[str] = "eer"
    goal: ClassVar[str] = "the smallest difference between FPR and FNR"
    is_curved: ClassVar[bool] = True

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """``|FPR - FNR|``, times both totals."""
        return abs(fp * n_positives - (n_positives - tp) * n_negatives)

    def value(self, fpr: Any, tpr: Any) -> Any:
        """How far the two error rates are apart."""
        return abs(fpr - (1 - tpr))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class MinimumCost(Criterion):
    """The smallest expected cost per case; the best vertex is a corner of the convex hull.

    Attributes
    ----------
    false_positive, false_negative : float
        Cost of each error; not negative, not both 0.
    prevalence : float, optional
        Share of positives where the cut-off will be used; by default the share in the rows at hand, which is
        rarely the one that will be met.

    Examples
    --------
    >>> MinimumCost(false_positive=1, false_negative=20, prevalence=0.03)
    MinimumCost(false_positive=1.0, false_negative=20.0, prevalence=0.03)
    """

    name: ClassVar[str] = "cost"
    needs_prevalence: ClassVar[bool] = True
    false_positive: float
    false_negative: float
    prevalence: float | None = None
    _of_sample: Fraction | None = field(default=None, init=False)  # what None stands for

    def __post_init__(self) -> None:
        for name in ("false_positive", "false_negative"):
            own = cost(name, one_number(name, getattr(self, name), example=1))
            object.__setattr__(self, name, own + 0.0)  # 0, never -0
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", one_rate("prevalence", self.prevalence) + 0.0)
        if not any(self.expected(Fraction(1, 2) if self.share is None else self.share)):
            raise fail("RS081.nothing-matters", costs=self)

    @property
    def share(self) -> Fraction | None:
        """The share of positives that costs are meant for; None for that of rows that are not known yet."""
        return self._of_sample if self.prevalence is None else written(self.prevalence)

    def expected(self, share: Fraction) -> tuple[Fraction, Fraction]:
        """Expected cost of missing every positive, and of a false alarm on every negative.

        Costs and prevalence are taken as the decimals that they are written as: 0.1 is one tenth.
        """
        return share * written(self.false_negative), (1 - share) * written(self.false_positive)

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Expected cost, times a constant."""
        pair = written(self.false_negative), written(self.false_positive)  # of a case
        if self.share is not None:
            pair = self.expected(self.share)  # of a rate
        whole = [int(part * pair[0].denominator * pair[1].denominator) for part in pair]
        common = gcd(*whole) or 1
        of_miss, of_alarm = (part // common for part in whole)
        if self.share is not None:
            of_miss, of_alarm = of_miss * n_negatives, of_alarm * n_positives
        return (n_positives - tp) * of_miss + fp * of_alarm

    def float_losses(self, tpr: Any, fpr: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Expected cost, as a share of that of being wrong about everything."""
        if self.share is None:
            most = max(self.false_positive, self.false_negative)
            of_misses = self.false_negative / most * np.asarray(n_positives, dtype=np.float64)
            of_alarms = self.false_positive / most * np.asarray(n_negatives, dtype=np.float64)
            weight: Any = of_misses / (of_misses + of_alarms)
        else:
            pair = self.expected(self.share)
            weight = float(pair[0] / sum(pair))
        return (1 - tpr) * weight + fpr * (1 - weight)

    def rounded_losses(self, tp: Counts, fp: Counts) -> Array:
        """Rounded losses of many curves; of lopsided costs the cheap error, where the dear one is least."""
        n_positives, n_negatives = tp[:, -1:], fp[:, -1:]
        share = self.share
        if share is None:
            share = _share(n_positives[0, 0].item(), n_negatives[0, 0].item())
        of_misses, of_alarms = self.expected(share)
        steps = (int(n_positives.max()), int(n_negatives.max())) if _are_whole(tp, fp) else (10**PLACES,) * 2
        misses, alarms = np.round(1 - tp / n_positives, PLACES), np.round(fp / n_negatives, PLACES)
        for dear, cheap, is_lopsided in (
            (misses, alarms, of_alarms * steps[0] < of_misses),
            (alarms, misses, of_misses * steps[1] < of_alarms),
        ):
            if is_lopsided:
                return np.where(dear == dear.min(axis=1, keepdims=True), cheap, np.inf)
        return super().rounded_losses(tp, fp)

    def value(self, fpr: Any, tpr: Any) -> Any:
        """Expected cost per case; the sample's prevalence must have been filled in."""
        if self.share is None:
            raise TypeError("the prevalence of the sample is not known here")
        of_misses, of_alarms = self.expected(self.share)
        return (1 - Fraction(tpr)) * of_misses + Fraction(fpr) * of_alarms

    def values(self, fpr: Floats, tpr: Floats, prevalence: Floats) -> Floats:
        """Expected costs per case."""
        share = prevalence if self.share is None else float(self.share)
        of_misses, of_alarms = self.false_negative * (1 - tpr), self.false_positive * fpr
        return np.asarray(share * of_misses + (1 - share) * of_alarms)

    def at_prevalence(self, prevalence: Fraction) -> MinimumCost:
        """With the sample's prevalence where none was given."""
        if self.share is not None:
            return self
        filled = replace(self)
        object.__setattr__(filled, "_of_sample", prevalence)
        return filled


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TargetRate(Criterion):
    """The best vertex that keeps a rate; nothing is interpolated, so a threshold attains it.

    A rate of the curve is rounded to a float once before it is compared with the target, so 3 of 10 keeps a
    target of 0.3, and a rate read from the curve is attained by its own vertex.

    Attributes
    ----------
    fpr : float, optional
        Largest TPR with FPR not above this.
    tpr : float, optional
        Smallest FPR with TPR not below this, and there the largest TPR. Give one of the two.

    Examples
    --------
    >>> TargetRate(fpr=0.05)
    TargetRate(fpr=0.05)
    """

    name: ClassVar[str] = "target"
    fpr: float | None = None
    tpr: float | None = None

    def __post_init__(self) -> None:
        given = {name: rate for name, rate in (("fpr", self.fpr), ("tpr", self.tpr)) if rate is not None}
        if len(given) != 1:
            raise fail("RS002.one-target", fpr=self.fpr, tpr=self.tpr)
        ((name, rate),) = given.items()
        object.__setattr__(self, name, one_rate(name, rate) + 0.0)  # 0, never -0

    @property
    def held(self) -> str:
        """Which rate is kept: "fpr" or "tpr"; the other one is free."""
        return "fpr" if self.tpr is None else "tpr"

    @property
    def rate(self) -> float:
        """The rate that is kept."""
        return float(getattr(self, self.held))

    def permits(self, fpr: Any, tpr: Any) -> Any:
        """Whether the rate is kept."""
        return fpr <= self.fpr if self.tpr is None else tpr >= self.tpr

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Positives not found, or false positives."""
        return n_positives - tp if self.tpr is None else fp

    def value(self, fpr: Any, tpr: Any) -> Any:
        """The rate that was free."""
        return tpr if self.tpr is None else fpr


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AlertBudget(Criterion):
    """The loosest vertex that calls at most this share of the cases positive, so that most are found.

    Attributes
    ----------
    share : float
        Of all cases.

    Examples
    --------
    >>> AlertBudget(share=0.01)
    AlertBudget(share=0.01)
    """

    name: ClassVar[str] = "alerts"
    goal: ClassVar[str] = "the largest TPR within a budget of alerts"
    needs_prevalence: ClassVar[bool] = True
    is_budget: ClassVar[bool] = True
    is_whole: ClassVar[bool] = False
    is_gain: ClassVar[bool] = True
    share: float
    _of_sample: Fraction = field(default=Fraction(0), init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", one_rate("alerts", self.share) + 0.0)

    def at_prevalence(self, prevalence: Fraction) -> AlertBudget:
        """With the share of positives among these cases."""
        filled = replace(self)
        object.__setattr__(filled, "_of_sample", prevalence)
        return filled

    def permits(self, fpr: Any, tpr: Any) -> Any:
        """Whether no more are called positive; the rounding of a share is no alert."""
        common = float(self._of_sample)
        return common * tpr + (1 - common) * fpr <= self.share * (1 + _ROUNDING) + _ROUNDING

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Alerts that are left over, but for a constant, times both totals."""
        return -(self._of_sample * tp * n_negatives + (1 - self._of_sample) * fp * n_positives)

    def float_losses(self, tpr: Any, fpr: Any, n_positives: Any, n_negatives: Any) -> Any:
        """The same of rates."""
        common = float(self._of_sample)
        return -(common * tpr + (1 - common) * fpr)

    def value(self, fpr: Any, tpr: Any) -> Any:
        """The positives that are found."""
        return tpr


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GivenThreshold(Criterion):
    """A threshold that was given, and so not chosen; :func:`choose_cutoff` applies it."""

    name: ClassVar[str] = "threshold"
    goal: ClassVar[str] = "the threshold that was given"
    threshold: float

    def value(self, fpr: Any, tpr: Any) -> Any:
        """Nothing is optimised."""
        return float("nan")


def written(number: float) -> Fraction:
    """The decimal that a float is written as: 0.1 is one tenth."""
    return Fraction(repr(float(number)))


ExactRates = Callable[[Indices], Sequence[Sequence[Fraction]]]

_MOST = 2**62
_ROUNDING = 1e-14
"""How far from the best the loss of an optimal vertex may seem to be, from rates by one division each."""
_SUMMED_ROUNDING = 1e-9
"""The same where rates are sums of very many shares."""
PLACES = 12
"""Of rounded losses, and of sums of shares: sums in another order, on another machine, are then the same."""

PLAIN: dict[str, Criterion] = {c.name: c for c in (Youden(), Closest(), EqualErrors())}
"""The criteria that need no numbers, by name."""

_ELSEWHERE = {"j": "youden", "youden-index": "youden", "best": "youden", "closest.topleft": "closest"}
_ELSEWHERE |= {"topleft": "closest", "equal-error-rate": "eer", "equal_error_rate": "eer"}
_VALUES = {"cost": "MinimumCost(false_positive=1, false_negative=20)", "target": "TargetRate(fpr=0.05)"}
_VALUES |= {"fpr": "TargetRate(fpr=0.05)", "tpr": "TargetRate(tpr=0.9)", "minimum-cost": _VALUES["cost"]}


def criterion_of(criterion: object) -> Criterion:
    """The criterion that a name, a value or a rate to keep stands for, else RS001."""
    if isinstance(criterion, Criterion):
        return criterion
    if is_place(criterion):
        place = place_of(criterion, among=(*RATES, "alerts"), task="choose a cut-off at")
        return (
            AlertBudget(share=place.value)
            if place.kind == "alerts"
            else TargetRate(**{place.kind: place.value})
        )
    if isinstance(criterion, str) and criterion in PLAIN:
        return PLAIN[criterion]
    if isinstance(criterion, type) and issubclass(criterion, Criterion):
        name = criterion.__name__
        example = _VALUES.get(getattr(criterion, "name", ""), name + "()")
        raise fail("RS001.kind-of-criterion", name=name, example=example)
    known = f"{', '.join(map(repr, PLAIN))}, MinimumCost, TargetRate"
    remedies: list[Any] = [*(Option("criterion", name) for name in PLAIN), *dict.fromkeys(_VALUES.values())]
    if isinstance(criterion, str):
        folded = criterion.casefold()
        meant = _ELSEWHERE.get(folded) or near_match(folded, PLAIN)
        if folded in _VALUES:
            remedies = [_VALUES[folded]]
        elif meant:
            remedies = [Option("criterion", meant)]
    raise fail("RS001.choice", name="criterion", value=criterion, known=known, ways=remedies)


def optimal_vertices(
    criterion: object,
    true_positives: Counts,
    false_positives: Counts,
    *,
    exact_rates: ExactRates | None = None,
) -> Indices:
    """All best vertices of one curve, strictest first.

    From the leading 0 to the totals: counts, sums of weights, or the rates of an average. ``exact_rates`` are
    the exact TPR and FPR of some vertices, where the numbers given are rounded sums.

    >>> import numpy as np
    >>> optimal_vertices("youden", np.array([0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 2])).tolist()
    [1, 3]
    """
    chosen = criterion_of(criterion)
    tp, fp = np.asarray(true_positives), np.asarray(false_positives)
    n_positives, n_negatives = tp[-1].item(), fp[-1].item()
    fpr, tpr = fp / n_negatives, tp / n_positives
    permitted = np.asarray(chosen.permits(fpr, tpr))
    if _fit(chosen, tp, fp, n_positives, n_negatives):
        near: Indices = np.flatnonzero(permitted)
        losses = chosen.losses(tp[near], fp[near], n_positives, n_negatives)
        of_tpr = tp[near]
    else:
        margin = _ROUNDING if exact_rates is None else _SUMMED_ROUNDING
        exactly = exact_rates or partial(_by_counts, tp, fp)
        if isinstance(chosen, TargetRate):  # each exact rate is rounded once
            kept = fpr if chosen.held == "fpr" else tpr
            unsure = np.flatnonzero(np.abs(kept - chosen.rate) <= margin)
            pairs = zip(*exactly(unsure), strict=True) if unsure.size else ()
            permitted[unsure] = [bool(chosen.permits(float(x), float(y))) for y, x in pairs]
        near = np.flatnonzero(permitted)
        losses = np.asarray(chosen.float_losses(tpr[near], fpr[near], n_positives, n_negatives))
        near = near[losses <= losses.min() + margin]
        if near.size == 1:
            return near
        of_tpr, of_fpr = (np.array(list(part), dtype=object) for part in exactly(near))
        known = chosen.at_prevalence(_share(n_positives, n_negatives))
        losses = known.losses(of_tpr, of_fpr, Fraction(1), Fraction(1))
    is_best: Mask = losses == losses.min()
    if chosen.held == "tpr":  # of those that reach it at the same FPR the ones with the largest TPR
        is_best &= of_tpr == of_tpr[is_best][-1]
    return np.asarray(near[is_best])


def _are_whole(tp: Counts, fp: Counts) -> bool:
    return tp.dtype.kind in "iu" and fp.dtype.kind in "iu"


def _fit(criterion: Criterion, tp: Counts, fp: Counts, n_positives: int, n_negatives: int) -> bool:
    """Whether losses are integers of 64 bits; none is larger than in a corner of the square."""
    if not (criterion.is_whole and _are_whole(tp, fp)):
        return False
    corners = [(a, b, n_positives, n_negatives) for a in (0, n_positives) for b in (0, n_negatives)]
    return max(abs(int(criterion.losses(*corner))) for corner in corners) < _MOST


def _share(n_positives: Any, n_negatives: Any) -> Fraction:
    return Fraction(n_positives) / (Fraction(n_positives) + Fraction(n_negatives))


def _by_counts(tp: Counts, fp: Counts, vertices: Indices) -> list[list[Fraction]]:
    """Exact rates from counts, or from sums of weights taken as they are."""
    ends = [exact_integers(own[np.append(vertices, own.size - 1)]).tolist() for own in (tp, fp)]
    return [[Fraction(int(count), int(total)) for count in some] for *some, total in ends]


def strictest_optima(criterion: object, true_positives: Counts, false_positives: Counts) -> Indices:
    """The first best vertex of many curves at once, one curve per row.

    Integer counts are compared as integers where their losses fit 64 bits. Otherwise losses are rounded to 12
    places, so that sums in another order, on another machine, do not choose another vertex of a tie.

    >>> import numpy as np
    >>> tp, fp = np.array([[0, 1, 2, 2], [0, 0, 1, 2]]), np.array([[0, 0, 1, 2], [0, 1, 1, 2]])
    >>> strictest_optima("youden", tp, fp).tolist()
    [1, 0]
    """
    chosen = criterion_of(criterion)
    tp, fp = np.asarray(true_positives), np.asarray(false_positives)
    n_positives, n_negatives = tp[:, -1:], fp[:, -1:]
    never: Any = np.inf
    if _fit(chosen, tp, fp, int(n_positives.max()), int(n_negatives.max())):
        losses, never = chosen.losses(tp, fp, n_positives, n_negatives), np.iinfo(np.int64).max
    else:
        losses = chosen.rounded_losses(tp, fp)
    if chosen.held:
        slack = 2 * 10.0**-PLACES if never == np.inf else 0.0
        permitted = chosen.permits(fp / n_negatives - slack, tp / n_positives + slack)
        losses = np.where(permitted, losses, never)
    elif chosen.is_budget:
        losses = np.where(chosen.permits(fp / n_negatives, tp / n_positives), losses, never)
    if chosen.held == "tpr":
        rates = tp if _are_whole(tp, fp) else np.round(tp / n_positives, PLACES)
        return np.asarray(np.where(losses == losses.min(axis=1, keepdims=True), rates, -1).argmax(axis=1))
    return np.asarray(losses.argmin(axis=1))


# The vertices of a curve, or of an average that has thresholds
# --------------------------------------------------------------

Curve = RocCurve | SharedThresholdAverage


def require_thresholds(curve: object) -> None:
    """RS071 or RS002 for anything but a curve, or an average that has thresholds."""
    if isinstance(curve, Curve):
        return
    if isinstance(curve, Average):
        raise fail("RS071.no-cutoff", method=curve.method.label, unit=curve.unit)
    ways = [
        "choose_cutoff(roc_curve(labels, scores), 'youden')",
        "choose_cutoff(average(score_set, 'threshold'), 'youden')",
    ]
    kind = "a RocCurve, or a threshold or pooled average"
    raise fail("RS002.kind", name="curve", kind=kind, found=described(curve), ways=ways)


def group_table(average: SharedThresholdAverage) -> CountTable:
    """The counts of every group behind an average, groups of one class among them if they count."""
    return average._groups.table


def is_high_positive(curve: Curve) -> bool:
    """Whether high scores are positive."""
    return (curve if isinstance(curve, RocCurve) else group_table(curve)).higher_is_positive


def counts_of(curve: Curve) -> tuple[Counts, Counts]:
    """True and false positives at every vertex: counts, sums of weights, or the rates of an average."""
    if isinstance(curve, RocCurve):
        return curve.true_positives, curve.false_positives
    return curve.tpr, curve.fpr


def prevalence_of(curve: Curve) -> Fraction:
    """The share of positives among all rows, or in their weight, which takes time."""
    if not isinstance(curve, RocCurve):
        table = group_table(curve)
        positives, negatives = (
            int(counts.sum()) if counts.dtype.kind in "iu" else sum(map(Fraction, counts.tolist()))
            for counts in (table.n_positives, table.n_negatives)
        )
        return _share(positives, negatives)
    rows = curve._rows
    if rows is None or rows.sample_weight is None:
        return _share(curve.n_positives, curve.n_negatives)
    weights = exact_integers(rows.sample_weight)
    return _share(weights[rows.is_positive].sum(), weights[~rows.is_positive].sum())


def exact_rates_of(curve: Curve) -> ExactRates | None:
    """TPR and FPR at some vertices as fractions, where the numbers of a curve are rounded sums."""
    if not isinstance(curve, RocCurve):
        return partial(_rates_of_groups, curve)
    return partial(_rates_of_rows, curve._rows) if curve.is_weighted and curve._rows is not None else None


def _rates_of_rows(rows: Scores, vertices: Indices) -> list[list[Fraction]]:
    both = []
    for ranks, weights in zip(*ranked_rows(rows), strict=True):
        added = [0] * (vertices.size + 1)
        first = np.searchsorted(vertices, ranks + 1, side="left")  # the first vertex that counts a row
        for place, weight in zip(first.tolist(), exact_integers(weights).tolist(), strict=True):
            added[place] += weight
        *counts, total = accumulate(added)
        both.append([Fraction(count, total) for count in counts])
    return both


def _rates_of_groups(average: SharedThresholdAverage, vertices: Indices) -> list[list[Fraction]]:
    table = group_table(average)
    own = vertices_of_groups(table, average.thresholds[vertices], None)
    own[:, vertices == 0] = 0  # the first is beyond everything, also beyond inf
    rows = table.offsets[:-1, None] + own
    of_negatives, of_positives = average._given_weights
    return [
        _exact_means(table.true_positives[rows], table.n_positives, of_positives),
        _exact_means(table.false_positives[rows], table.n_negatives, of_negatives),
    ]


def _exact_means(counts: Counts, totals: Counts, weights: Floats) -> list[Fraction]:
    """``sum(w * count / total) / sum(w)`` at every vertex, over one common denominator."""
    exact = {weight: Fraction(weight) for weight in set(weights.tolist())}
    pairs: list[tuple[float, Any]] = list(zip(weights.tolist(), totals.tolist(), strict=True))
    columns: list[list[Any]]
    whole = sum((exact[weight] * n for weight, n in Counter(weights.tolist()).items()), Fraction(0))
    if counts.dtype.kind in "iu":  # groups of one size and weight share a factor, so their counts add up
        kinds: dict[tuple[float, Any], int] = {}
        of_group = np.array([kinds.setdefault(pair, len(kinds)) for pair in pairs])
        summed = np.zeros((len(kinds), counts.shape[1]), dtype=np.int64)
        np.add.at(summed, of_group, counts)
        pairs, columns = list(kinds), summed.T.tolist()
    else:
        columns = [[Fraction(count) for count in column] for column in counts.T.tolist()]
    shares = [exact[weight] / Fraction(total) if weight else Fraction(0) for weight, total in pairs]
    denominator = lcm(*(share.denominator for share in shares))
    factors = [share.numerator * (denominator // share.denominator) for share in shares]
    return [Fraction(sum(map(mul, factors, column))) / (denominator * whole) for column in columns]
