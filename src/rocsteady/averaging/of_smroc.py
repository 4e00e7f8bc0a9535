"""Averages of smROC curves: along a direction, as of any curves, but of shares of credit instead of rates.

Only directions are offered. Every other way of averaging rests on what a threshold does to cases (counts that
can be pooled, error rates, costs), and a smROC curve has no such thing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging import sentences
from rocsteady.averaging.along_direction import DirectionalAverage
from rocsteady.averaging.base import plain_values
from rocsteady.averaging.given import Members, one_model, weights_of
from rocsteady.averaging.methods import AlongDirection, AtAlarmRate, AtCosts, Method
from rocsteady.averaging.own_thresholds import own_thresholds
from rocsteady.counting.arguments import one_of, rates
from rocsteady.counting.table import CountTable
from rocsteady.curves.reading import read_path, scalar_or_array
from rocsteady.curves.smroc.messages import refuse_undefined_areas
from rocsteady.errors import UsageError
from rocsteady.scores.labels import NO_WORDS, Classes
from rocsteady.words import counted, percent, plural, printable

if TYPE_CHECKING:
    from rocsteady.curves.smroc.curve import SmrocCurve
    from rocsteady.uncertainty.intervals import Interval

Floats = NDArray[np.float64]

_WHY_NOT = {
    "pooled": "its cases are worth what their own curve's Mid makes them, so there are no counts to pool",
    "binormal": "its axes are not the rates of two normal distributions",
    "threshold": "its height at a threshold is not the rate of a decision",
    "radial": "its axes have no error rates whose ratio could be held",
    "tangent": "its points are not decisions that could have a cost",
    "cost": "its points are not decisions that could have a cost",
    "alarm-rate": "its points do not tell how many cases are called positive",
}


@dataclass(frozen=True, eq=False)
class SmrocMembers(Members):
    """The groups of an average of smROC curves; the counts of the table are sums of credit and debit."""

    _curves: tuple[SmrocCurve, ...] = ()

    @property
    def is_weighted(self) -> bool:
        """Credit and debit are no numbers of cases."""
        return True

    @property
    def chosen_curves(self) -> list[SmrocCurve]:
        """The curves that are averaged."""
        return [self._curves[i] for i in self.chosen]

    @cached_property
    def n_positives(self) -> NDArray[Any]:
        """Positives (or their weight) of every group."""
        return np.array([curve.n_positives for curve in self.chosen_curves])

    @cached_property
    def n_negatives(self) -> NDArray[Any]:
        """Negatives (or their weight) of every group."""
        return np.array([curve.n_negatives for curve in self.chosen_curves])

    @cached_property
    def auc(self) -> Floats:
        """The smAUC of every group."""
        return np.array([curve.auc for curve in self.chosen_curves])


@dataclass(frozen=True, eq=False, repr=False)
class SmrocAverage(DirectionalAverage):
    """The mean of smROC curves along a direction; an exact polyline whose area is the mean smAUC.

    ``.fpr`` is a share of all debit and ``.tpr`` a share of all credit, as on :class:`SmrocCurve`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> average = rs.average(rs.smroc_curves(rs.ScoreSet.from_folds(folds), mid=0.5), "vertical")
    >>> average
    SmrocAverage(vertical, 2 folds, smAUC 0.7452, chance about 0.5000)
    """

    _groups: SmrocMembers
    _axes: ClassVar[dict[str, str]] = {"fpr": "debit share", "tpr": "credit share"}
    _fpr_word: ClassVar[str] = "debit share"
    _words_of_points: ClassVar[tuple[str, str]] = ("debit share", "credit share")

    @property
    def curves(self) -> list[SmrocCurve]:  # type: ignore[override]
        """The smROC curves in the average, in the order of ``members``."""
        return self._groups.chosen_curves

    @cached_property
    def chance_auc(self) -> float:
        """About the mean smAUC that the same scores would have with labels dealt at random."""
        return float(self.weights @ [curve.chance_auc for curve in self._groups.chosen_curves])

    def chance_tpr_at(self, fpr: ArrayLike) -> Any:
        """About the mean credit share, at a debit share, of labels dealt at random (vertical averages).

        It is what the average is to be read against; the diagonal is not. The area under it is
        ``chance_auc``.
        """
        if not self.direction.is_vertical:
            raise _no_reading("chance curve along this direction", "average(curves, 'vertical')")
        at = rates("fpr", fpr)
        paths = [curve.chance_path for curve in self._groups.chosen_curves]
        found = self.weights @ np.array([read_path(x, y, np.ravel(at), end="last") for x, y in paths])
        return scalar_or_array(found.reshape(at.shape), fpr)

    @property
    def equal_error_rate(self) -> float:
        """Refused (RS089): the axes are not error rates."""
        raise _no_reading("equal error rate", "average(roc_curves(score_set), 'diagonal')")

    def minimum_cost(self, *, false_positive: float, false_negative: float, prevalence: float) -> float:
        """Refused (RS089): the points are not decisions."""
        raise _no_reading("costs", "average(roc_curves(score_set), 'tangent').minimum_cost(...)")

    def expected_cost(self) -> Floats:
        """Refused (RS089): the points are not decisions."""
        raise _no_reading("costs", "average(roc_curves(score_set), AtCosts(...)).expected_cost()")

    def _held(self, name: str, value: ArrayLike) -> Floats | None:
        held = "fpr" if self.direction.is_vertical else "tpr" if self.direction.is_horizontal else None
        return rates(name, value) if name == held else None

    def _why_not(self, name: str) -> str:
        if name == "rate":
            return "a smROC curve does not tell how many cases are called positive"
        low, high = own_thresholds(self._groups, fpr=0.05)
        own = f"every {self.unit} has its own threshold"
        return f"{own}; at a debit share of 0.05 they run from {low:.4g} to {high:.4g}"

    @property
    def reading(self) -> str:
        """What the curve means: what is held fixed and what varies."""
        groups, units = counted(len(self.members), self.unit), plural(self.unit)
        held, free = "the share of debit", "the share of credit varies"
        if self.direction.is_horizontal:
            held, free = "the share of credit", "the share of debit varies"
        elif not self.direction.is_vertical:
            cosine, sine = self.direction.cosine, self.direction.sine
            held = f"{cosine:.3f} times the share of debit plus {sine:.3f} times the share of credit"
            free = "both shares vary along one direction"
        return (
            f"Mean over the smROC curves of {groups}: every {self.unit} is read where {held} is the same for "
            f"all; {free} between {units}, and the mean is what the curve shows. Its area is the mean smAUC, "
            f"{self.auc:.3f}; labels dealt at random would give about {self.chance_auc:.3f}."
        )

    def _describe_point(
        self,
        name: str,
        value: Any,
        fpr: Any,
        tpr: Any,
        intervals: dict[str, Interval | None],
        thresholds: tuple[float, float] | None,
    ) -> str:
        if np.ndim(fpr):
            return self.reading
        spent, earned = f"{percent(fpr)} of its debit", f"{percent(tpr)} of its credit"
        who = sentences.average_unit(self)
        if name == "fpr":
            said = f"Where every {self.unit} has spent {spent}, {who} has earned {earned}"
        else:
            said = f"Where every {self.unit} has earned {earned}, {who} has spent {spent}"
        interval = intervals["tpr" if name == "fpr" else "fpr"]
        return sentences.joined(
            f"{said}{sentences.within(interval)}.", _scores_met(thresholds), sentences.what_is_random(self)
        )

    def to_dict(self) -> dict[str, Any]:
        """The average as plain data that JSON can carry."""
        return super().to_dict() | plain_values({"chance_auc": self.chance_auc})

    def __repr__(self) -> str:
        groups = counted(len(self.members), printable(self.unit))
        left_out = f", {len(self.undefined)} without a curve" if self.undefined else ""
        areas = f"smAUC {self.auc:.4f}, chance about {self.chance_auc:.4f}"
        return f"SmrocAverage({self.method}, {groups}{left_out}, {areas})"


def _scores_met(thresholds: tuple[float, float] | None) -> str:
    if thresholds is None:
        return ""
    low, high = map(sentences.threshold_word, thresholds)
    return f"The score met there is {low}." if low == high else f"Scores met there run from {low} to {high}."


def _no_reading(what: str, instead: str) -> UsageError:
    found = "its axes are shares of credit and debit, not rates of decisions"
    return UsageError("RS089", f"an average of smROC curves has no {what}.", found, instead)


def is_smroc(x: object) -> bool:
    """Whether it is a smROC curve or only such; the module of their class is loaded if there are any."""
    kind = getattr(sys.modules.get("rocsteady.curves.smroc.curve"), "SmrocCurve", ())
    if isinstance(x, kind):
        return True
    if not isinstance(x, Sequence) or isinstance(x, str | bytes):
        return False
    return len(x) > 0 and all(isinstance(entry, kind) for entry in x)


def smroc_average(
    x: Any, method: Method, *, group_weights: object, undefined: str, threads: int | None
) -> SmrocAverage:
    """The average of smROC curves, or RS089 for a method that has no meaning for them."""
    one_of("undefined", undefined, ("raise", "drop"))
    if not isinstance(method, AlongDirection) or isinstance(method, AtAlarmRate | AtCosts):
        raise _no_method(method)
    groups = _members(x, undefined, threads)
    groups, weights = groups.weighing(weights_of(groups, group_weights))  # type: ignore[assignment]
    return SmrocAverage(method, weights, groups)


def _no_method(method: Method) -> UsageError:
    is_named = not isinstance(method, AtCosts | AtAlarmRate)
    kind = method.name if is_named else "cost" if isinstance(method, AtCosts) else "alarm-rate"
    return UsageError(
        "RS089",
        f"a smROC curve has no {kind} average.",
        _WHY_NOT[kind],
        "along a direction:  average(curves, 'vertical')",
        f"of the ordinary ROC curves:  average([curve.roc() for curve in curves], {_typed(method)})",
    )


def _typed(method: Method) -> str:
    return str(method) if "(" in str(method) else repr(str(method))


def _members(x: Any, undefined: str, threads: int | None) -> SmrocMembers:
    from rocsteady.curves.smroc.curve import SmrocCurve
    from rocsteady.curves.smroc.curve_set import SmrocCurves

    unit, classes = "curve", NO_WORDS
    without: tuple[str, ...] = ()
    if isinstance(x, SmrocCurves):
        one_model(list(dict.fromkeys(x.models)))
        unit, without, classes = x.unit, x.undefined, x.classes or NO_WORDS
    curves = [x] if isinstance(x, SmrocCurve) else list(x)
    if len({curve.higher_is_positive for curve in curves}) > 1:
        raise UsageError(
            "RS002",
            "in some curves high scores are positive, in others low ones.",
            f"found: {counted(len(curves), 'curve')}",
            "make all of them with the same  higher_is_positive=...",
        )
    named = [(curve.name or f"curve {i}", curve) for i, curve in enumerate(curves, start=1)]
    defined = [(name, curve) for name, curve in named if curve.auc == curve.auc]
    nameless = tuple(f"{name}: smAUC is undefined" for name, curve in named if curve.auc != curve.auc)
    if not defined or (nameless and undefined == "raise"):
        raise refuse_undefined_areas(nameless, len(curves), unit, "[curve.with_mid(0.5) for curve in curves]")
    return _of(defined, unit, (*without, *nameless), classes, threads)


def _of(
    named: list[tuple[str, SmrocCurve]],
    unit: str,
    undefined: tuple[str, ...],
    classes: Classes,
    threads: int | None,
) -> SmrocMembers:
    curves = tuple(curve for _, curve in named)
    table = CountTable(
        np.concatenate([curve.thresholds for curve in curves]),
        np.concatenate([curve.credit_up for curve in curves]),
        np.concatenate([curve.credit_right for curve in curves]),
        np.concatenate([[0], np.cumsum([curve.thresholds.size for curve in curves])]).astype(np.int64),
        curves[0].higher_is_positive,
    )
    return SmrocMembers(
        names=tuple(name for name, _ in named),
        undefined=undefined,
        unit=unit,
        classes=classes,
        score_set=None,
        chosen=np.arange(len(curves)),
        threads=threads,
        _table=table,
        _curves=curves,
    )
