"""What a cut-off is chosen for, as values, and the vertices that are best by it, decided without rounding.

A criterion is a class: a loss that depends on the counts at a vertex, exact where the counts are, what it
reports and what it is called; one that needs no numbers is a class here, and its name in ``PLAIN``. For
integer counts losses are integers. Where they are not (weights, averages, costs with long decimals, ratios),
floats only find the vertices that come near the best; those few are compared as fractions. So are the values
of a function of the four counts, unless it gives floats of its own.

References
----------
Matthews (1975), Biochim. Biophys. Acta 405, 442-451. Cohen (1960), Educ. Psychol. Meas. 20, 37-46.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate
from math import gcd, inf, lcm, nan, sqrt
from numbers import Rational
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
from rocsteady.errors import Option, RocsteadyError, fail, near_match
from rocsteady.options import Choice, one_number, one_of, one_rate, open_share
from rocsteady.places import CUTOFFS, MAXIMA, RATES, TARGETS, Kind, Place, is_place, place_of
from rocsteady.points.measures import TwoClassConfusion, function_of_counts, own_values
from rocsteady.scores.scores import Scores
from rocsteady.showing import Said
from rocsteady.words import listed


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
    range: ClassVar[tuple[float, float]] = (-inf, inf)
    """Between what its value lies."""
    margin: ClassVar[float] = 0.0
    """How far off a loss from rates may be beyond what their rounding makes it."""

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

    def permits(self, fpr: Any, tpr: Any, prevalence: Any = nan) -> Any:
        """Whether rates, each rounded once, may be chosen at all; ``prevalence`` is that of the rows."""
        return np.ones(np.shape(fpr), dtype=np.bool_)

    def at_prevalence(self, prevalence: Fraction, n_cases: float | None = None) -> Criterion:
        """The criterion with the sample's prevalence and size filled in, if it was to use them."""
        return self

    aim = Said("points.aim")
    """What was optimised, in a sentence: "the largest TPR - FPR"."""


@dataclass(frozen=True, eq=False, repr=False)
class Youden(Criterion):
    """The largest TPR - FPR (Youden's J): the tangent at 45 degrees, not the point closest to (0, 1)."""

    name: ClassVar[str] = "youden"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
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
    range: ClassVar[tuple[float, float]] = (0.0, 2.0)
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
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
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
    range: ClassVar[tuple[float, float]] = (0.0, inf)
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

    def at_prevalence(self, prevalence: Fraction, n_cases: float | None = None) -> MinimumCost:
        """With the sample's prevalence where none was given."""
        if self.share is not None:
            return self
        filled = replace(self)
        object.__setattr__(filled, "_of_sample", prevalence)
        return filled


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TargetRate(Criterion):
    """The best vertex that keeps a rate or a predictive value; none is interpolated, a threshold attains it.

    What is kept is rounded to a float once before it is compared with the target, so 3 of 10 keeps a target
    of 0.3, and a rate read from the curve is attained by its own vertex. A PPV is not defined where nothing
    is called positive, an NPV where everything is; such vertices keep neither.

    Attributes
    ----------
    fpr : float, optional
        Largest TPR with FPR not above this.
    tpr : float, optional
        Smallest FPR with TPR not below this, and there the largest TPR. Give one of the four.
    ppv : float, optional
        Largest TPR with PPV (precision) not below this.
    npv : float, optional
        Smallest FPR (largest specificity) with NPV not below this, and there the largest TPR.
    prevalence : float, optional
        Share of positives that a predictive value is meant for; by default the share in the rows at hand.

    Examples
    --------
    >>> TargetRate(fpr=0.05), TargetRate(ppv=0.9, prevalence=0.02)
    (TargetRate(fpr=0.05), TargetRate(ppv=0.9, prevalence=0.02))
    """

    name: ClassVar[str] = "target"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    fpr: float | None = None
    tpr: float | None = None
    ppv: float | None = None
    npv: float | None = None
    prevalence: float | None = None
    _of_sample: Fraction | None = field(default=None, init=False)  # what None stands for

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in TARGETS if getattr(self, name) is not None}
        if len(given) != 1:
            raise fail("RS002.one-target", given=listed([f"{own}={given[own]}" for own in given]) or "none")
        ((name, rate),) = given.items()
        object.__setattr__(self, name, one_rate(name, rate) + 0.0)  # 0, never -0
        if self.prevalence is not None:
            if name in RATES:
                criterion = f"TargetRate({name}={rate})"
                raise fail("RS002.no-prevalence", criterion=criterion, prevalence=self.prevalence)
            object.__setattr__(self, "prevalence", open_share("prevalence", self.prevalence))

    @property
    def kept(self) -> Kind:
        """What is kept: "fpr", "tpr", "ppv" or "npv"."""
        return next(name for name in TARGETS if getattr(self, name) is not None)

    @property
    def held(self) -> str | None:
        """Which rate is kept, "fpr" or "tpr", so that the other one is free; none for a predictive value."""
        return self.kept if self.kept in RATES else None

    @property
    def is_budget(self) -> bool:  # type: ignore[override]
        """Whether it depends on both rates which vertices keep it."""
        return self.held is None

    @property
    def needs_prevalence(self) -> bool:  # type: ignore[override]
        """Whether the share of positives matters."""
        return self.held is None

    @property
    def is_whole(self) -> bool:  # type: ignore[override]
        """Whether counts alone decide."""
        return self.held is not None

    @property
    def is_gain(self) -> bool:  # type: ignore[override]
        """Whether a larger value is better; of rates it is asked whether they are kept."""
        return self.kept == "ppv"

    @property
    def is_of_tpr(self) -> bool:
        """Whether the TPR is made large, and not the FPR small."""
        return self.kept in ("fpr", "ppv")

    @property
    def rate(self) -> float:
        """The rate that is kept."""
        return float(getattr(self, self.kept))

    @property
    def share(self) -> Fraction | None:
        """The share of positives that it is meant for; None for that of rows that are not known yet."""
        return self._of_sample if self.prevalence is None else written(self.prevalence)

    def at_prevalence(self, prevalence: Fraction, n_cases: float | None = None) -> TargetRate:
        """With the sample's prevalence where none was given."""
        if self.held or self.share is not None:
            return self
        filled = replace(self)
        object.__setattr__(filled, "_of_sample", prevalence)
        return filled

    def attained(self, fpr: Any, tpr: Any, prevalence: Any = nan) -> Any:
        """What is kept, at rates; NaN where it is not defined."""
        if self.held:
            return fpr if self.held == "fpr" else tpr
        if isinstance(fpr, Fraction):
            share: Any = self.share
            right, wrong = self._parts(fpr, tpr, share)
            return right / (right + wrong) if right + wrong else nan
        share = prevalence if self.share is None else float(self.share)
        right, wrong = self._parts(np.asarray(fpr, dtype=np.float64), tpr, share)
        whole = right + wrong
        return np.divide(right, whole, out=np.full(np.shape(whole), nan), where=whole > 0)

    def _parts(self, fpr: Any, tpr: Any, share: Any) -> tuple[Any, Any]:
        """Of those called positive (PPV) or negative (NPV) the right and the wrong ones."""
        if self.kept == "ppv":
            return share * tpr, (1 - share) * fpr
        return (1 - share) * (1 - fpr), share * (1 - tpr)

    def permits(self, fpr: Any, tpr: Any, prevalence: Any = nan, slack: float = 0.0) -> Any:
        """Whether it is kept."""
        found = self.attained(fpr, tpr, prevalence)
        return found <= self.rate + slack if self.kept == "fpr" else found >= self.rate - slack

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Positives not found, or false positives."""
        return n_positives - tp if self.is_of_tpr else fp

    def value(self, fpr: Any, tpr: Any) -> Any:
        """The rate that was free: the TPR, or the FPR."""
        return tpr if self.is_of_tpr else fpr


@dataclass(frozen=True, eq=False, repr=False)
class Maximum(Criterion):
    """The largest value of a measure of the 2x2 table; without a prevalence ``Maximum("f1") == "f1"``.

    Attributes
    ----------
    measure : str or function
        ``"f1"``, ``"accuracy"``, ``"balanced_accuracy"``, ``"mcc"`` (Matthews' correlation; 0 where all or
        none are called positive, its limit) or ``"kappa"`` (Cohen's); or a function of the four counts, which
        it names ``tp``, ``fp``, ``fn`` and ``tn``, or of the confusion matrix, as of
        :meth:`OperatingPointTable.measure`. It may take arrays or numbers; where it is not a number (0 / 0) a
        vertex is no candidate.
    prevalence : float, optional
        Share of positives where the cut-off will be used; by default the share in the rows at hand. A
        function then sees as many cases as there are, with that share of positives.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> rs.choose_cutoff(curve, Maximum("f1")).threshold
    0.6
    >>> rs.choose_cutoff(curve, Maximum(lambda tp, fp: 2 * tp - 5 * fp)).threshold
    0.8
    """

    is_whole: ClassVar[bool] = False
    is_gain: ClassVar[bool] = True
    is_curved: ClassVar[bool] = True
    needs_prevalence: ClassVar[bool] = True
    margin: ClassVar[float] = 1e-9
    measure: Any
    prevalence: float | None = field(default=None, kw_only=True)
    _of_sample: Fraction | None = field(default=None, init=False)
    _n_cases: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if not callable(self.measure) or isinstance(self.measure, type):
            name = one_of("measure", self.measure, tuple(_SCORES), elsewhere=_SCORES_ELSEWHERE)
            object.__setattr__(self, "measure", name)
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", open_share("prevalence", self.prevalence))

    @property
    def name(self) -> str:  # type: ignore[override]
        """Of the measure."""
        own = self.measure
        return own if isinstance(own, str) else str(getattr(own, "__name__", type(own).__name__))

    @property
    def goal(self) -> str:  # type: ignore[override]
        """What is optimised."""
        return f"the largest {self.name}"

    @property
    def range(self) -> tuple[float, float]:  # type: ignore[override]
        """Between what the measure lies."""
        if not isinstance(self.measure, str):
            return -inf, inf
        return (-1.0, 1.0) if self.measure in ("mcc", "kappa") else (0.0, 1.0)

    @cached_property
    def _typed(self) -> str:
        shown = repr(self.measure) if isinstance(self.measure, str) else self.name
        at = "" if self.prevalence is None else f", prevalence={self.prevalence!r}"
        return self.name if isinstance(self.measure, str) and not at else f"Maximum({shown}{at})"

    def __repr__(self) -> str:
        return self._typed if self._is_special else f"Maximum({self.measure!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(self.measure, str) or not isinstance(other, Maximum):
            return super().__eq__(other)
        return self.measure is other.measure and self.prevalence == other.prevalence

    __hash__ = Criterion.__hash__

    @property
    def share(self) -> Fraction | None:
        """The share of positives that it is meant for; None for that of rows that are not known yet."""
        return self._of_sample if self.prevalence is None else written(self.prevalence)

    def at_prevalence(self, prevalence: Fraction, n_cases: float | None = None) -> Maximum:
        """With the sample's prevalence where none was given, and with its size."""
        filled = replace(self)
        object.__setattr__(filled, "_of_sample", prevalence if self._of_sample is None else self._of_sample)
        object.__setattr__(filled, "_n_cases", n_cases if self._n_cases is None else self._n_cases)
        return filled

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Minus the measure, of rates as fractions; minus its square with its sign for the correlation."""
        assert self.share is not None
        if isinstance(self.measure, str):
            score = _SCORES[self.measure]
            return np.array([-score(y, x, self.share) for y, x in zip(tp, fp, strict=True)], dtype=object)
        exact = self._exactly(fp, tp, self.share)
        if exact is None:
            return self.float_losses(tp.astype(np.float64), fp.astype(np.float64), 1.0, 1.0)
        return np.array([-value for value in exact], dtype=object)

    def float_losses(self, tpr: Any, fpr: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Minus the measure; infinite where it is not defined."""
        n = n_positives + n_negatives
        values = self._values(fpr, tpr, n_positives / n, n)
        return np.where(np.isnan(values), np.inf, -values)

    def value(self, fpr: Any, tpr: Any) -> Any:
        """The measure; the sample's prevalence must have been filled in."""
        if self.share is None:
            raise TypeError("the prevalence of the sample is not known here")
        if isinstance(self.measure, str) and isinstance(fpr, Fraction):
            exact = _SCORES[self.measure](tpr, fpr, self.share)
            return _root(float(exact)) if self.measure == "mcc" else exact
        return float(self._values(float(fpr), float(tpr), nan)[()])

    def values(self, fpr: Floats, tpr: Floats, prevalence: Floats) -> Floats:
        """The measure of arrays of rates."""
        return self._values(fpr, tpr, prevalence)

    def _values(self, fpr: Any, tpr: Any, prevalence: Any, n_cases: Any = 1.0) -> Floats:
        share = prevalence if self.share is None else float(self.share)
        fpr, tpr = np.asarray(fpr, dtype=np.float64), np.asarray(tpr, dtype=np.float64)
        if isinstance(self.measure, str):
            found = _SCORES[self.measure](tpr, fpr, share)
            return np.asarray(_root(found) if self.measure == "mcc" else found)
        n = n_cases if self._n_cases is None else self._n_cases
        sizes = n * share, n * (1 - share)
        counts = (_whole(rate * size) for rate, size in zip((tpr, fpr), sizes, strict=True))
        tp, fp = (np.atleast_2d(each) for each in counts)
        positives, negatives = (_whole(np.broadcast_to(size, (len(tp), 1))) for size in sizes)
        confusion = TwoClassConfusion(_SIDES, tp, fp, positives, negatives)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            found = own_values(self._function, confusion, self.name, is_one=True)
        return found.reshape(np.broadcast(fpr, tpr).shape)

    @cached_property
    def _function(self) -> Callable[[Any], Any]:
        return function_of_counts(self.measure, self.name)

    def _exactly(self, fpr: Any, tpr: Any, share: Fraction) -> list[Rational] | None:
        """What a function gives of fractions; None unless it gives fractions."""
        n = Fraction(1 if self._n_cases is None else self._n_cases)
        sizes = n * share, n * (1 - share)
        found = []
        for y, x in zip(tpr, fpr, strict=True):
            try:
                value = self._function(TwoClassConfusion(_SIDES, y * sizes[0], x * sizes[1], *sizes))
            except Exception:  # whatever a function does that was not written for fractions
                return None
            if not isinstance(value, Rational):
                return None
            found.append(value)
        return found


_SIDES = ("negative", "positive")


def _whole(counts: Any) -> Floats:
    """Rates times totals, as the whole numbers that they were."""
    nearest = np.rint(counts)
    is_whole = np.abs(counts - nearest) <= 1e-9 * np.maximum(nearest, 1)
    return np.asarray(np.where(is_whole, nearest, counts))


def _mcc_squared(tpr: Any, fpr: Any, share: Any) -> Any:
    """The square of Matthews' correlation, with its sign."""
    called, apart = share * tpr + (1 - share) * fpr, tpr - fpr
    if isinstance(called, Fraction):
        scale: Any = called * (1 - called) or Fraction(1)
    else:
        scale = np.where((called <= 0) | (called >= 1), 1.0, called * (1 - called))
    return apart * abs(apart) * share * (1 - share) / scale


def _kappa(tpr: Any, fpr: Any, share: Any) -> Any:
    called = share * tpr + (1 - share) * fpr
    return 2 * share * (1 - share) * (tpr - fpr) / (called * (1 - share) + share * (1 - called))


def _root(signed_square: Any) -> Any:
    if isinstance(signed_square, float):
        return sqrt(signed_square) if signed_square >= 0 else -sqrt(-signed_square)
    return np.clip(np.sign(signed_square) * np.sqrt(np.abs(signed_square)), -1.0, 1.0)


_SCORES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "f1": lambda tpr, fpr, share: 2 * share * tpr / (share * tpr + (1 - share) * fpr + share),
    "accuracy": lambda tpr, fpr, share: share * tpr + (1 - share) * (1 - fpr),
    "balanced_accuracy": lambda tpr, fpr, share: (tpr + 1 - fpr) / 2,
    "mcc": _mcc_squared,
    "kappa": _kappa,
}
"""Of TPR, FPR and the share of positives, in floats or in fractions; of the correlation the signed square."""
_SCORES_ELSEWHERE = {"f1_score": "f1", "f-score": "f1", "f_measure": "f1", "dice": "f1", "acc": "accuracy"}
_SCORES_ELSEWHERE |= {"matthews": "mcc", "matthews_corrcoef": "mcc", "phi": "mcc", "bac": "balanced_accuracy"}
_SCORES_ELSEWHERE |= {"accuracy_score": "accuracy", "cohen": "kappa", "cohen_kappa_score": "kappa"}


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
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    goal: ClassVar[str] = "the largest TPR within a budget of alerts"
    needs_prevalence: ClassVar[bool] = True
    is_budget: ClassVar[bool] = True
    is_whole: ClassVar[bool] = False
    is_gain: ClassVar[bool] = True
    share: float
    _of_sample: Fraction = field(default=Fraction(0), init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "share", one_rate("alerts", self.share) + 0.0)

    def at_prevalence(self, prevalence: Fraction, n_cases: float | None = None) -> AlertBudget:
        """With the share of positives among these cases."""
        filled = replace(self)
        object.__setattr__(filled, "_of_sample", prevalence)
        return filled

    def permits(self, fpr: Any, tpr: Any, prevalence: Any = nan) -> Any:
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
PLAIN |= {name: Maximum(name) for name in _SCORES}
"""The criteria that need no numbers, by name."""

_ELSEWHERE = {"j": "youden", "youden-index": "youden", "best": "youden", "closest.topleft": "closest"}
_ELSEWHERE |= {"topleft": "closest", "equal-error-rate": "eer", "equal_error_rate": "eer"}
_VALUES = {"cost": "MinimumCost(false_positive=1, false_negative=20)", "target": "TargetRate(fpr=0.05)"}
_VALUES |= {"fpr": "TargetRate(fpr=0.05)", "tpr": "TargetRate(tpr=0.9)", "minimum-cost": _VALUES["cost"]}
_VALUES |= dict.fromkeys(("ppv", "precision"), "TargetRate(ppv=0.9)") | {"npv": "TargetRate(npv=0.99)"}
_ELSEWHERE |= _SCORES_ELSEWHERE


def criterion_at(place: Place, prevalence: float | None = None) -> Criterion | None:
    """What a threshold is chosen for at a place; None where it is given, or no threshold is there.

    >>> from rocsteady.places import place_of
    >>> criterion_at(place_of({"precision": 0.9}, among=("ppv",)), prevalence=0.02)
    TargetRate(ppv=0.9, prevalence=0.02)
    """
    kind, value = place.kind, place.value
    if kind in RATES:
        return TargetRate(**{kind: value})
    if kind in TARGETS:
        return TargetRate(**{kind: value}, prevalence=prevalence)
    if kind == "costs":
        return MinimumCost(false_positive=value[0], false_negative=value[1], prevalence=prevalence)
    if kind == "alerts":
        return AlertBudget(share=value)
    if kind in MAXIMA:
        return Maximum(kind, prevalence=prevalence)
    return PLAIN.get("eer" if kind == "balance" and value == 0 else kind)


_CHOSEN: tuple[Kind, ...] = tuple(kind for kind in CUTOFFS if kind != "threshold")
"""Places that a threshold is chosen for."""


def criterion_of(criterion: object) -> Criterion:
    """The criterion that a name, a value or a place stands for, else RS001."""
    if isinstance(criterion, Criterion):
        return criterion
    if is_place(criterion):
        found = criterion_at(place_of(criterion, among=_CHOSEN, task="choose a cut-off at"))
        assert found is not None
        return found
    if isinstance(criterion, str) and criterion in PLAIN:
        return PLAIN[criterion]
    if isinstance(criterion, type) and issubclass(criterion, Criterion):
        name = criterion.__name__
        example = _VALUES.get(getattr(criterion, "name", ""), name + "()")
        raise fail("RS001.kind-of-criterion", name=name, example=example)
    known = f"{', '.join(map(repr, PLAIN))}, MinimumCost, TargetRate, Maximum, or a threshold"
    remedies: list[Any] = [*(Option("criterion", name) for name in PLAIN), *dict.fromkeys(_VALUES.values())]
    if isinstance(criterion, str):
        folded = criterion.casefold()
        meant = _ELSEWHERE.get(folded) or near_match(folded, PLAIN)
        if folded in _VALUES:
            remedies = [_VALUES[folded]]
        elif meant:
            remedies = [Option("criterion", meant)]
    raise fail("RS001.choice", name="criterion", value=criterion, known=known, ways=remedies)


def with_prevalence(criterion: Criterion, prevalence: float | None) -> Criterion:
    """The criterion for a population with this share of positives; RS002 where that says nothing."""
    if prevalence is None:
        return criterion
    share = open_share("prevalence", prevalence)
    facts = {"criterion": repr(criterion), "prevalence": prevalence}
    if criterion.held or not hasattr(criterion, "prevalence"):
        raise fail("RS002.no-prevalence", **facts)
    if criterion.prevalence is not None:
        raise fail("RS002.prevalence-twice", **facts)
    return replace(criterion, prevalence=share)  # type: ignore[type-var]


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
    if chosen.needs_prevalence:
        chosen = chosen.at_prevalence(_share(n_positives, n_negatives), n_positives + n_negatives)
    fpr, tpr = fp / n_negatives, tp / n_positives
    permitted = np.asarray(chosen.permits(fpr, tpr))
    if _fit(chosen, tp, fp, n_positives, n_negatives):
        near: Indices = np.flatnonzero(permitted)
        losses = chosen.losses(tp[near], fp[near], n_positives, n_negatives)
        of_tpr = tp[near]
    else:
        margin = _ROUNDING if exact_rates is None else _SUMMED_ROUNDING
        exactly = exact_rates or partial(_by_counts, tp, fp)
        if isinstance(chosen, TargetRate):  # what is attained is rounded once
            around = margin if chosen.held else _SUMMED_ROUNDING
            unsure = np.flatnonzero(np.abs(chosen.attained(fpr, tpr) - chosen.rate) <= around)
            pairs = zip(*exactly(unsure), strict=True) if unsure.size else ()
            permitted[unsure] = [_keeps(chosen, x, y) for y, x in pairs]
            if not permitted.any():
                raise _unattained(chosen, fpr, tpr)
        near = np.flatnonzero(permitted)
        losses = np.asarray(chosen.float_losses(tpr[near], fpr[near], n_positives, n_negatives))
        if np.isposinf(losses).all():
            raise fail("RS073.nowhere", name=chosen.name)
        near = near[losses <= losses.min() + max(margin, chosen.margin)]
        if near.size == 1:
            return near
        of_tpr, of_fpr = (np.array(list(part), dtype=object) for part in exactly(near))
        losses = chosen.losses(of_tpr, of_fpr, Fraction(1), Fraction(1))
    is_best: Mask = losses == losses.min()
    if isinstance(chosen, TargetRate) and not chosen.is_of_tpr:  # at the same FPR the largest TPR
        is_best &= of_tpr == of_tpr[is_best][-1]
    return np.asarray(near[is_best])


def _keeps(target: TargetRate, fpr: Fraction, tpr: Fraction) -> bool:
    """Whether what exact rates attain, rounded once, keeps a target."""
    attained = float(target.attained(fpr, tpr))
    return bool(attained <= target.rate if target.kept == "fpr" else attained >= target.rate)


def _unattained(target: TargetRate, fpr: Floats, tpr: Floats) -> RocsteadyError:
    """RS007: the best that there is, rounded down to what can be asked for."""
    best = float(np.nanmax(target.attained(fpr, tpr)))
    can_be = float(np.floor(best * 1e4 * (1 + 1e-12)) / 1e4)
    facts = {
        "kept": target.kept.upper(),
        "rate": target.rate,
        "best": best,
        "prevalence": float(target.share or 0),
    }
    return fail("RS007.target", **facts, ways=[Option(target.kept, can_be)])


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
    target = chosen if isinstance(chosen, TargetRate) else None
    if _fit(chosen, tp, fp, int(n_positives.max()), int(n_negatives.max())):
        losses, never = chosen.losses(tp, fp, n_positives, n_negatives), np.iinfo(np.int64).max
    else:
        losses = chosen.rounded_losses(tp, fp)
    if chosen.held:
        slack = 2 * 10.0**-PLACES if never == np.inf else 0.0
        permitted = chosen.permits(fp / n_negatives - slack, tp / n_positives + slack)
        losses = np.where(permitted, losses, never)
    elif chosen.is_budget:
        at = fp / n_negatives, tp / n_positives, n_positives / (n_positives + n_negatives)
        permitted = chosen.permits(*at) if target is None else target.permits(*at, slack=2 * 10.0**-PLACES)
        losses = np.where(permitted, losses, never)
        if target is not None and not (some := permitted.any(axis=1)).all():  # what comes nearest
            attained = target.attained(*at)[~some]
            losses[~some] = -np.round(np.where(np.isnan(attained), -1.0, attained), PLACES)
    if target is not None and not target.is_of_tpr:
        rates = tp if _are_whole(tp, fp) else np.round(tp / n_positives, PLACES)
        return np.asarray(np.where(losses == losses.min(axis=1, keepdims=True), rates, -1).argmax(axis=1))
    return np.asarray(losses.argmin(axis=1))


# The vertices of a curve, or of an average that has thresholds
# --------------------------------------------------------------

Curve = RocCurve | SharedThresholdAverage


class HasPoints:
    """What has operating points of its own to choose from: a table, which no curve has to know."""

    def _best_by(self, criterion: object, prevalence: float | None, where: Mapping[str, Any]) -> Any:
        raise NotImplementedError


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
