"""What a cut-off is chosen for, as values: a plain criterion has a name, the others say their numbers.

A criterion is a loss that depends on the counts at a vertex, and is exact where the counts are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from math import gcd
from typing import Any, ClassVar

import numpy as np

from rocsteady.averaging.methods import cost
from rocsteady.errors import Option, fail
from rocsteady.options import one_rate


class Criterion:
    """What a cut-off is chosen for. A plain one equals its name: ``Youden() == "youden"``."""

    name: ClassVar[str]
    _aim: ClassVar[str]

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
        return self._aim

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
    _aim: ClassVar[str] = "the largest TPR - FPR (Youden's J)"

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
    _aim: ClassVar[str] = "the point closest to FPR 0 and TPR 1"

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
    _aim: ClassVar[str] = "the smallest difference between FPR and FNR"

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
            object.__setattr__(self, name, cost(name, a_number(name, getattr(self, name), 1)) + 0.0)
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", a_rate("prevalence", self.prevalence))
        if not any(self.expected(Fraction(1, 2))):
            raise fail("RS081.nothing-matters", costs=self)

    def expected(self, sample_prevalence: Fraction) -> tuple[Fraction, Fraction]:
        """Expected cost of missing every positive, and of a false alarm on every negative.

        Costs and prevalence are taken as the decimals that they are written as: 0.1 is one tenth.
        """
        share = sample_prevalence if self.prevalence is None else written(self.prevalence)
        return share * written(self.false_negative), (1 - share) * written(self.false_positive)

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Expected cost, times a constant."""
        of_miss, of_alarm = self._factors
        if self.prevalence is not None or self._of_sample is not None:
            of_miss, of_alarm = of_miss * n_negatives, of_alarm * n_positives
        return (n_positives - tp) * of_miss + fp * of_alarm

    @property
    def _factors(self) -> tuple[Any, Any]:
        """Whole numbers in the ratio of the costs: of a case at the sample's prevalence, else of a rate."""
        if self.prevalence is None and self._of_sample is None:
            pair = written(self.false_negative), written(self.false_positive)
        else:
            pair = self.expected(self._of_sample or Fraction(0))
        whole = [part * pair[0].denominator * pair[1].denominator for part in pair]
        common = gcd(*map(int, whole)) or 1
        return int(whole[0]) // common, int(whole[1]) // common

    def float_losses(self, tpr: Any, fpr: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Expected cost, as a share of that of being wrong about everything."""
        if self.prevalence is None and self._of_sample is None:
            most = max(self.false_positive, self.false_negative)
            of_misses = self.false_negative / most * np.asarray(n_positives, dtype=np.float64)
            of_alarms = self.false_positive / most * np.asarray(n_negatives, dtype=np.float64)
            share: Any = of_misses / (of_misses + of_alarms)
        else:
            pair = self.expected(self._of_sample or Fraction(0))
            share = float(pair[0] / sum(pair))
        return (1 - tpr) * share + fpr * (1 - share)

    def value(self, fpr: Any, tpr: Any) -> Any:
        """Expected cost per case; the sample's prevalence must have been filled in."""
        if self.prevalence is None and self._of_sample is None:
            raise TypeError("the prevalence of the sample is not known here")
        of_misses, of_alarms = self.expected(self._of_sample or Fraction(0))
        return (1 - exact(tpr)) * of_misses + exact(fpr) * of_alarms

    def at_prevalence(self, prevalence: Fraction) -> MinimumCost:
        """With the sample's prevalence where none was given."""
        if self.prevalence is not None or self._of_sample is not None:
            return self
        filled = replace(self)
        object.__setattr__(filled, "_of_sample", prevalence)
        return filled

    @property
    def aim(self) -> str:
        """In a sentence."""
        share = "the sample's prevalence" if self.prevalence is None else f"prevalence {self.prevalence:g}"
        if self.prevalence is None and self._of_sample is not None:
            share += f" ({float(self._of_sample):.3g})"
        costs = f"{self.false_positive:g} for a false positive and {self.false_negative:g} for a miss"
        return f"the smallest expected cost ({costs}, {share})"


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
        object.__setattr__(self, name, a_rate(name, rate))

    def permits(self, fpr: Any, tpr: Any) -> Any:
        """Whether the rate is kept."""
        return fpr <= self.fpr if self.tpr is None else tpr >= self.tpr

    def losses(self, tp: Any, fp: Any, n_positives: Any, n_negatives: Any) -> Any:
        """Positives not found, or false positives."""
        return n_positives - tp if self.tpr is None else fp

    def value(self, fpr: Any, tpr: Any) -> Any:
        """The rate that was free."""
        return tpr if self.tpr is None else fpr

    @property
    def aim(self) -> str:
        """In a sentence."""
        if self.tpr is None:
            return f"the largest TPR with FPR at most {self.fpr:g}"
        return f"the smallest FPR with TPR at least {self.tpr:g}"


def a_number(name: str, value: Any, example: float) -> Any:
    """``value`` unless it is True or False, which would count as 1 and 0."""
    if isinstance(value, bool | np.bool_):
        raise fail("RS042", name=name, where="a number", found=value, ways=[Option(name, example)])
    return value


def a_rate(name: str, value: Any) -> float:
    """``value`` as a rate; 0, never -0."""
    return one_rate(name, a_number(name, value, 0.1)) + 0.0


def written(number: float) -> Fraction:
    """The decimal that a float is written as: 0.1 is one tenth.

    >>> written(0.1)
    Fraction(1, 10)
    """
    return Fraction(repr(float(number)))


def exact(rate: Any) -> Any:
    """A rate as a fraction."""
    return rate if isinstance(rate, Fraction) else Fraction(float(rate))
