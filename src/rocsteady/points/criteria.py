"""What a cut-off is chosen for, as values, and the vertices that are best by it, decided without rounding.

A criterion is a loss that depends on the counts at a vertex, and is exact where the counts are. For integer
counts losses are integers. Where they are not (weights, averages, costs with long decimals), floats only find
the vertices that come near the best; those few are compared as fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from math import gcd
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Array, Counts, Indices
from rocsteady.averaging.methods import cost
from rocsteady.curves.readings import exact_integers
from rocsteady.errors import Option, fail, near_match
from rocsteady.options import one_number, one_rate
from rocsteady.places import RATES, is_place, place_of
from rocsteady.showing import said


class Criterion:
    """What a cut-off is chosen for. A plain one equals its name: ``Youden() == "youden"``."""

    name: ClassVar[str]

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """What is to be as small as possible; exact if the counts are integers or fractions."""
        raise TypeError(f"{type(self).__name__} does not say what it minimises")

    def float_losses(self, tpr: Any, fpr: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Losses of order 1 from rates, to find what comes near the best; totals serve for a prevalence."""
        return self.losses(tpr, fpr, 1.0, 1.0)

    def value(self, fpr: Any, tpr: Any) -> Any:
        """What a cut-off reports as its ``.value``."""
        raise TypeError(f"{type(self).__name__} has no value")

    def permits(self, fpr: Any, tpr: Any) -> Any:
        """Whether rates, each rounded once, may be chosen at all."""
        return np.ones(np.shape(fpr), dtype=np.bool_)

    def at_prevalence(self, prevalence: Fraction) -> Criterion:
        """The criterion with the sample's prevalence filled in, if it was to use that."""
        return self

    @property
    def aim(self) -> str:
        """What was optimised, in a sentence: "the largest TPR - FPR"."""
        return said("points.aim", self)

    def __str__(self) -> str:
        shown = [f for f in fields(self) if not f.name.startswith("_")]  # type: ignore[arg-type]
        said = [f"{f.name}={getattr(self, f.name)!r}" for f in shown if getattr(self, f.name) is not None]
        return f"{type(self).__name__}({', '.join(said)})" if said else self.name

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Criterion | str) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return str(self) if "(" in str(self) else f"{type(self).__name__}()"


@dataclass(frozen=True, eq=False, repr=False)
class Youden(Criterion):
    """The largest TPR - FPR (Youden's J): the tangent at 45 degrees, not the point closest to (0, 1)."""

    name: ClassVar[str] = "youden"

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

    def value(self, fpr: Any, tpr: Any) -> Any:
        """Expected cost per case; the sample's prevalence must have been filled in."""
        if self.share is None:
            raise TypeError("the prevalence of the sample is not known here")
        of_misses, of_alarms = self.expected(self.share)
        return (1 - Fraction(tpr)) * of_misses + Fraction(fpr) * of_alarms

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


def written(number: float) -> Fraction:
    """The decimal that a float is written as: 0.1 is one tenth.

    >>> written(0.1)
    Fraction(1, 10)
    """
    return Fraction(repr(float(number)))


ExactRates = Callable[[Indices], tuple[Sequence[Fraction], Sequence[Fraction]]]

_MOST = 2**62
_ROUNDING = 1e-14
"""How far from the best the loss of an optimal vertex may seem to be, from rates by one division each."""
_SUMMED_ROUNDING = 1e-9
"""The same where rates are sums of very many shares."""
_PLACES = 12

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
        place = place_of(criterion, among=RATES, task="choose a cut-off at")
        return TargetRate(**{place.kind: place.value})
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

    Parameters
    ----------
    criterion : Criterion or str
        What is optimised.
    true_positives, false_positives : int64 or float64 arrays
        From the leading 0 to the totals: counts, sums of weights, or the rates of an average.
    exact_rates : callable, optional
        The exact TPR and FPR of some vertices, where the numbers given are rounded sums.

    Examples
    --------
    >>> import numpy as np
    >>> optimal_vertices("youden", np.array([0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 2])).tolist()
    [1, 3]
    """
    chosen = criterion_of(criterion)
    tp, fp = np.asarray(true_positives), np.asarray(false_positives)
    n_positives, n_negatives = tp[-1].item(), fp[-1].item()
    fpr, tpr = fp / n_negatives, tp / n_positives
    is_counted = tp.dtype.kind in "iu" and fp.dtype.kind in "iu"
    if is_counted and _largest_loss(chosen, n_positives, n_negatives) < _MOST:
        candidates = np.flatnonzero(chosen.permits(fpr, tpr))
        losses = chosen.losses(tp[candidates], fp[candidates], n_positives, n_negatives)
        best: Indices = candidates[losses == losses.min()]
        return _undominated(chosen, best, tp[best])
    margin = _ROUNDING if exact_rates is None else _SUMMED_ROUNDING
    rates = exact_rates or _by_counts(tp, fp)
    candidates = _permitted(chosen, fpr, tpr, rates, margin)
    losses = np.asarray(chosen.float_losses(tpr[candidates], fpr[candidates], n_positives, n_negatives))
    near: Indices = candidates[losses <= losses.min() + margin]
    if near.size == 1:
        return near
    share = _share(n_positives, n_negatives)
    of_tpr, of_fpr = (np.array(list(part), dtype=object) for part in rates(near))
    losses = chosen.at_prevalence(share).losses(of_tpr, of_fpr, Fraction(1), Fraction(1))
    is_best = losses == losses.min()
    return _undominated(chosen, near[is_best], of_tpr[is_best])


def _undominated(criterion: Criterion, best: Indices, tpr: Counts) -> Indices:
    """Of vertices that reach a TPR at the same FPR those with the largest TPR; others are not better."""
    return best[tpr == tpr[-1]] if isinstance(criterion, TargetRate) and criterion.held == "tpr" else best


def _largest_loss(criterion: Criterion, n_positives: int, n_negatives: int) -> int:
    """No loss is larger: it is found in a corner of the square, and nothing on the way to it is either."""
    corners = [(tp, fp) for tp in (0, n_positives) for fp in (0, n_negatives)]
    return max(abs(int(criterion.losses(*corner, n_positives, n_negatives))) for corner in corners)


def _permitted(criterion: Criterion, fpr: Counts, tpr: Counts, rates: ExactRates, margin: float) -> Indices:
    """The vertices that may be chosen, each exact rate rounded once."""
    if not isinstance(criterion, TargetRate):
        return np.arange(fpr.size)
    permitted = np.asarray(criterion.permits(fpr, tpr))
    kept = fpr if criterion.held == "fpr" else tpr
    unsure = np.flatnonzero(np.abs(kept - criterion.rate) <= margin)
    if unsure.size:
        of_tpr, of_fpr = rates(unsure)
        permitted[unsure] = [
            bool(criterion.permits(float(x), float(y))) for x, y in zip(of_fpr, of_tpr, strict=True)
        ]
    return np.flatnonzero(permitted)


def _share(n_positives: float, n_negatives: float) -> Fraction:
    return Fraction(n_positives) / (Fraction(n_positives) + Fraction(n_negatives))


def _by_counts(tp: Counts, fp: Counts) -> ExactRates:
    """Exact rates from counts, or from sums of weights taken as they are."""

    def rates(vertices: Indices) -> tuple[list[Fraction], list[Fraction]]:
        both = []
        for counts in (tp, fp):
            *some, total = exact_integers(counts[np.append(vertices, counts.size - 1)]).tolist()
            both.append([Fraction(int(count), int(total)) for count in some])
        return both[0], both[1]

    return rates


def strictest_optima(criterion: object, true_positives: Counts, false_positives: Counts) -> Indices:
    """The first best vertex of many curves at once, one curve per row.

    Integer counts are compared as integers where their losses fit 64 bits. Otherwise losses are rounded to 12
    places, so that sums in another order, on another machine, do not choose another vertex of a tie. Where
    one error is so dear that all of the other weigh less than one of it, the dear one decides alone, and the
    other only between vertices that have equally many of it.

    Examples
    --------
    >>> import numpy as np
    >>> tp, fp = np.array([[0, 1, 2, 2], [0, 0, 1, 2]]), np.array([[0, 0, 1, 2], [0, 1, 1, 2]])
    >>> strictest_optima("youden", tp, fp).tolist()
    [1, 0]
    """
    chosen = criterion_of(criterion)
    tp, fp = np.asarray(true_positives), np.asarray(false_positives)
    n_positives, n_negatives = tp[:, -1:], fp[:, -1:]
    is_counted = tp.dtype.kind in "iu" and fp.dtype.kind in "iu"
    if is_counted and _largest_loss(chosen, int(n_positives.max()), int(n_negatives.max())) < _MOST:
        losses = chosen.losses(tp, fp, n_positives, n_negatives)
        never: Any = np.iinfo(np.int64).max
    else:
        losses = _float_losses(chosen, tp, fp, is_counted)
        never = np.inf
    if isinstance(chosen, TargetRate):
        slack = 0.0 if never != np.inf else 2 * 10.0**-_PLACES
        permitted = chosen.permits(fp / n_negatives - slack, tp / n_positives + slack)
        losses = np.where(permitted, losses, never)
    if isinstance(chosen, TargetRate) and chosen.held == "tpr":
        rates = tp if is_counted else np.round(tp / n_positives, _PLACES)
        return np.asarray(np.where(losses == losses.min(axis=1, keepdims=True), rates, -1).argmax(axis=1))
    return np.asarray(losses.argmin(axis=1))


def _float_losses(criterion: Criterion, tp: Counts, fp: Counts, is_counted: bool) -> Array:
    """Rounded losses of many curves; of lopsided costs the cheap error, where the dear one is least."""
    n_positives, n_negatives = tp[:, -1:], fp[:, -1:]
    tpr, fpr = tp / n_positives, fp / n_negatives
    if isinstance(criterion, MinimumCost):
        share = criterion.share
        if share is None:
            share = _share(n_positives[0, 0].item(), n_negatives[0, 0].item())
        of_misses, of_alarms = criterion.expected(share)
        steps = (int(n_positives.max()), int(n_negatives.max())) if is_counted else (10**_PLACES,) * 2
        misses, alarms = np.round(1 - tpr, _PLACES), np.round(fpr, _PLACES)
        for dear, cheap, is_lopsided in (
            (misses, alarms, of_alarms * steps[0] < of_misses),
            (alarms, misses, of_misses * steps[1] < of_alarms),
        ):
            if is_lopsided:
                return np.where(dear == dear.min(axis=1, keepdims=True), cheap, np.inf)
    return np.asarray(np.round(criterion.float_losses(tpr, fpr, n_positives, n_negatives), _PLACES))
