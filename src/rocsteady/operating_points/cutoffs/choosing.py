"""Choosing a cut-off: the best threshold of a curve, all that tie with it, and how far it may be moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.shared import SharedThresholdAverage
from rocsteady.calling import welcomes
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import fail, warn
from rocsteady.operating_points.cutoffs.criteria import (
    Criterion,
    MinimumCost,
    TargetRate,
    criterion_of,
    optimal_vertices,
)
from rocsteady.operating_points.cutoffs.thresholds import (
    ThresholdInterval,
    midpoint_of,
    require_threshold,
    thresholds_alike,
)
from rocsteady.operating_points.cutoffs.two_by_two import TwoByTwo, table_at, without_intervals
from rocsteady.operating_points.cutoffs.vertices import Vertices, curve_of, vertices_of
from rocsteady.options import one_rate
from rocsteady.places import RATES, Where, keyword_place
from rocsteady.results import Result, read_only
from rocsteady.scores.scores import Scores
from rocsteady.showing import Drawn
from rocsteady.words import grouped, percent

if TYPE_CHECKING:
    from rocsteady.operating_points.cutoffs.correcting import CorrectedCutoff
    from rocsteady.operating_points.cutoffs.intervals import CutoffIntervals

Curve = RocCurve | SharedThresholdAverage


@dataclass(frozen=True, eq=False, repr=False)
class AppliedCutoff(Drawn, Result, figure="cutoffs"):
    """A cut-off that was chosen elsewhere, on these rows.

    Attributes
    ----------
    threshold, rule : float, str
        Unchanged from where it was chosen.
    fpr, tpr : float
        Its rates here. Unless these are the rows it was chosen on, nothing flatters them.
    value : float
        What the criterion gives here; a cost at the prevalence that it was chosen for.
    criterion : Criterion
        What the threshold was chosen for.
    """

    threshold: float
    fpr: float
    tpr: float
    value: float
    rule: str
    criterion: Criterion
    _curve: Curve

    def two_by_two(
        self, prevalence: float | None = None, *, confidence_level: float = 0.95, method: str = "wilson"
    ) -> TwoByTwo:
        """The 2x2 table here, as of any threshold that was given beforehand.

        Parameters
        ----------
        prevalence : float, optional
            Share of positives where the cut-off will be used; by default the share among these rows, which
            the result says.
        confidence_level : float
            Between 0 and 1.
        method : {"wilson", "clopper-pearson"}
            Of shares of cases. Weighted rows and averages of groups have none: their cases are not counted
            one by one.
        """
        return table_at(self._curve, self.threshold, self.rule, prevalence, confidence_level, method)

    @property
    def reading(self) -> str:
        """The rates in a sentence."""
        return (
            f"On these rows {_decision(self)}: TPR {percent(self.tpr)}, "
            f"FPR {percent(self.fpr)}; the threshold was chosen elsewhere, for {self.criterion.aim}."
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain data that JSON can carry."""
        return super().to_dict() | {"criterion": str(self.criterion), "reading": self.reading}

    def __repr__(self) -> str:
        return f"AppliedCutoff(score {self.rule} {self.threshold:g}: fpr {self.fpr:.4f}, tpr {self.tpr:.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class Cutoff(Drawn, Result, figure="cutoffs"):
    """The threshold that is best by a criterion, made by :func:`rocsteady.choose_cutoff`.

    The rates are those of the rows it was chosen on, and flatter it. ``.corrected()`` has what to expect on
    new rows, ``.on(other)`` the rates of other rows.

    Attributes
    ----------
    threshold : float
        An observed score, or an infinite one that calls nothing positive.
    fpr, tpr : float
        Its rates.
    index : int
        The vertex of the curve; the first of ``all_optima``.
    value : float
        Youden: TPR - FPR. Closest: the squared distance. Cost: the expected cost per case. EER: how far FPR
        and FNR are apart. Target: the rate that was free.
    all_optima : intp array
        All vertices that are as good, strictest first.
    threshold_interval : ThresholdInterval
        All thresholds that give the same decisions on these rows. Of a convex hull only the threshold itself
        is known to.
    midpoint : float
        Midway to the next score, as SPSS prints cut-offs; NaN on a convex hull.
    rule : str
        ``">="`` or ``"<="``: what is called positive (``">"`` or ``"<"`` if not even an infinite score is).
    criterion : Criterion
        What was optimised; a plain one equals its name.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> cutoff = rs.choose_cutoff(curve, "youden")
    >>> cutoff
    Cutoff(youden, score >= 0.8: fpr 0.0000, tpr 0.6667; 1 other vertex as good)
    >>> cutoff.threshold_interval, cutoff.midpoint, cutoff.all_optima.tolist()
    ((0.7, 0.8], 0.75, [2, 4])
    """

    threshold: float
    fpr: float
    tpr: float
    index: int
    value: float
    all_optima: NDArray[np.intp]
    threshold_interval: ThresholdInterval
    midpoint: float
    rule: str
    criterion: Criterion
    _curve: Curve
    _drawn: dict[Any, Any] = field(
        default_factory=dict
    )  # what was chosen in resamples, by their number and seed

    def on(self, other: Curve | Scores) -> AppliedCutoff:
        """The same threshold on other rows: choose on one set of rows, report on another.

        Parameters
        ----------
        other : RocCurve, Scores, or a threshold or pooled average
            Of rows that had no say in the choice.
        """
        there: Curve = curve_of(other)
        vertices = vertices_of(there)
        if vertices.higher_is_positive != vertices_of(self._curve).higher_is_positive:
            raise fail(
                "RS002.other-end",
                rule=self.rule,
                threshold=self.threshold,
                higher_is_positive=vertices.higher_is_positive,
            )
        rates = there.rates_at(self.threshold, rule=self.rule)
        value = self.criterion.value(rates.fpr, rates.tpr)
        return AppliedCutoff(
            self.threshold, rates.fpr, rates.tpr, float(value), self.rule, self.criterion, there
        )

    def corrected(
        self, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
    ) -> CorrectedCutoff:
        """What to expect of this threshold on new rows, with intervals of both rates.

        In every resample the cut-off is chosen again; what that adds to its rates is taken off. See
        :func:`rocsteady.operating_points.cutoffs.correcting.corrected`.
        """
        from rocsteady.operating_points.cutoffs.correcting import corrected

        return corrected(self, confidence_level=confidence_level, n_resamples=n_resamples, seed=seed)

    def two_by_two(
        self,
        prevalence: float | None = None,
        *,
        confidence_level: float = 0.95,
        method: str | None = None,
        n_resamples: int = 2000,
        seed: int = 0,
    ) -> TwoByTwo:
        """The 2x2 table at the threshold, with predictive values and likelihood ratios.

        The rows are those the cut-off was chosen on, which flatters all measures; ``table.corrected`` has
        what to expect on new rows, and the intervals are for that.

        Parameters
        ----------
        prevalence : float, optional
            Share of positives where the cut-off will be used; by default the share among these rows, which
            the result says.
        confidence_level : float
            Between 0 and 1.
        method : {"wilson", "clopper-pearson"}, optional
            As if the threshold had been given beforehand. By default the intervals know that it was chosen on
            these rows: they are those of :meth:`corrected`, and of what follows from its rates.
        n_resamples, seed : int
            Of :meth:`corrected`. Without resamples (0) nothing is corrected, and there are no intervals.
        """
        if method is None:
            return self._table(prevalence, confidence_level, n_resamples, seed)
        table = table_at(self._curve, self.threshold, self.rule, prevalence, confidence_level, method)
        return replace(table, note=f"{table.note}; the rows that the cut-off was chosen on flatter it")

    def _table(self, prevalence: float | None, level: float, n_resamples: int, seed: int) -> TwoByTwo:
        """The table with corrected measures; of what cannot be drawn again without them."""
        if prevalence is not None:
            one_rate("prevalence", prevalence)
        curve = self._curve
        at = curve, self.threshold, self.rule, prevalence, level, "clopper-pearson"
        is_lost = isinstance(curve, RocCurve) and (
            curve._is_hull or (curve.is_weighted and curve._rows is None)
        )
        if n_resamples == 0 or is_lost:
            why = "cases cannot be drawn again" if is_lost else "nothing was drawn again"
            return without_intervals(
                table_at(*at), f"{why}, so there are no intervals that know of the choice"
            )
        return table_at(*at, corrected=self.corrected(level, n_resamples, seed))

    def intervals(
        self,
        confidence_level: float = 0.95,
        n_resamples: int = 2000,
        seed: int = 0,
        *,
        method: str | None = None,
    ) -> CutoffIntervals:
        """Intervals of the threshold and of its rates, which know that the cut-off was chosen on these rows.

        Of a target rate from order statistics, else the cut-off is chosen anew in every resample; see
        :func:`rocsteady.operating_points.cutoffs.intervals.cutoff_intervals`.
        """
        from rocsteady.operating_points.cutoffs.intervals import cutoff_intervals

        return cutoff_intervals(
            self, confidence_level=confidence_level, n_resamples=n_resamples, seed=seed, method=method
        )

    @property
    def reading(self) -> str:
        """The cut-off in a sentence."""
        n = self.all_optima.size - 1
        ties = f" (so {'does' if n == 1 else 'do'} {_others(n)}{self._more()})" if n else ""
        return (
            f"{_decision(self).capitalize()}: TPR {percent(self.tpr)} and FPR "
            f"{percent(self.fpr)}; on these rows that gives {self.criterion.aim}{ties}, and the rows that a "
            f"cut-off is chosen on flatter it."
        )

    def _more(self) -> str:
        """What a looser vertex of a tie has for the same price."""
        most = float(self._curve.tpr[self.all_optima[-1]])
        is_free = isinstance(self.criterion, TargetRate) and self.criterion.tpr is not None
        return f", up to TPR {percent(most)}" if is_free and most > self.tpr else ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data that JSON can carry."""
        return super().to_dict() | {
            "criterion": str(self.criterion),
            "closed": self.threshold_interval.closed,
            "reading": self.reading,
        }

    def __repr__(self) -> str:
        ties = f"; {_others(self.all_optima.size - 1)} as good" if self.all_optima.size > 1 else ""
        rates = f"fpr {self.fpr:.4f}, tpr {self.tpr:.4f}"
        return f"Cutoff({self.criterion}, score {self.rule} {self.threshold:g}: {rates}{ties})"


def _others(n: int) -> str:
    return f"{grouped(n)} other {'vertex' if n == 1 else 'vertices'}"


def _decision(cutoff: Cutoff | AppliedCutoff) -> str:
    if cutoff.fpr == cutoff.tpr == 0:
        return "nothing is called positive"
    rule = f"score {cutoff.rule} {cutoff.threshold:.6g}"
    if cutoff.fpr == cutoff.tpr == 1:
        return f"everything is called positive ({rule})"
    return f"{rule} is called positive"


def _target(criterion: object, where: Mapping[str, Any]) -> object:
    """The criterion, or the rate that stands in its place."""
    if criterion is not None and not where:
        return criterion
    if criterion is not None:
        raise fail("RS002.one-criterion", given=", ".join(["criterion", *where]))
    example = "choose_cutoff(curve, fpr=0.05)"
    return keyword_place(None, where, among=RATES, task="choose a cut-off by", example=example)


@welcomes("choose_cutoff(roc_curve(labels, scores), 'youden')")
def choose_cutoff(
    curve: Curve | Scores,
    criterion: object = None,
    **where: Unpack[Where],
) -> Cutoff:
    """The threshold of a curve that is best by a criterion.

    Best vertices are decided without rounding and all of them are returned; the strictest is taken.

    Parameters
    ----------
    curve : RocCurve, Scores, or a threshold or pooled average
        Averages whose groups have thresholds of their own have no cut-off (RS071).
    criterion : str or Criterion
        ``"youden"``, ``"closest"``, ``"eer"``,
        ``MinimumCost(false_positive=..., false_negative=..., prevalence=...)``, ``TargetRate(fpr=...)`` or
        ``TargetRate(tpr=...)``, for which also ``{"fpr": 0.05}`` may stand. The prevalence of a cost is by
        default that of all rows together.
    **where
        One rate in place of a criterion, a target as ``TargetRate`` has it: ``fpr``, ``fmr``,
        ``specificity``, ``tpr``, ``sensitivity``, ``fnr`` or ``fnmr``.

    Returns
    -------
    Cutoff
        With ``.threshold``, its rates, ``.all_optima``, ``.threshold_interval``, ``.corrected()``,
        ``.two_by_two()``, ``.intervals()`` and ``.on(other)``.

    Warns
    -----
    RocsteadyWarning
        RS240 if a target is kept only by calling nothing or everything positive; RS241 if that is the best
        by another criterion.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> rs.choose_cutoff(curve, rs.TargetRate(tpr=0.9)).threshold
    0.6
    >>> rs.choose_cutoff(curve, specificity=0.9).threshold
    0.8
    """
    own: Curve = curve_of(curve)
    vertices = vertices_of(own)
    chosen = criterion_of(_target(criterion, where))
    if isinstance(chosen, MinimumCost):
        chosen = chosen.at_prevalence(vertices.prevalence)
    optima = optimal_vertices(
        chosen, vertices.true_positives, vertices.false_positives, exact_rates=vertices.exact_rates
    )
    index = int(optima[0])
    require_threshold(vertices, index)
    _warn_if_trivial(vertices, chosen, index)
    interval, is_beyond = thresholds_alike(vertices, index)
    inclusive, strict = (">=", ">") if vertices.higher_is_positive else ("<=", "<")
    return Cutoff(
        threshold=float(vertices.thresholds[index]),
        fpr=float(vertices.fpr[index]),
        tpr=float(vertices.tpr[index]),
        index=index,
        value=_value(vertices, chosen, index),
        all_optima=read_only(optima),
        threshold_interval=interval,
        midpoint=midpoint_of(vertices, index),
        rule=strict if is_beyond else inclusive,
        criterion=chosen,
        _curve=own,
    )


def _value(vertices: Vertices, criterion: Criterion, index: int) -> float:
    """The criterion's value; from counts it is rounded once."""
    rates: list[Any] = [vertices.fpr[index].item(), vertices.tpr[index].item()]
    counts = vertices.false_positives, vertices.true_positives
    if counts[0].dtype.kind in "iu":
        rates = [Fraction(count[index].item(), count[-1].item()) for count in counts]
    return float(criterion.value(*rates))


def _warn_if_trivial(vertices: Vertices, criterion: Criterion, index: int) -> None:
    """RS240 or RS241 if nothing, or everything, is called positive."""
    fpr, tpr = vertices.fpr, vertices.tpr
    at = fpr[index] + tpr[index]
    if at not in (0, 2):
        return
    is_all = bool(at == 2)
    between = np.flatnonzero((fpr + tpr > 0) & (fpr + tpr < 2))
    if isinstance(criterion, TargetRate) and not np.any(criterion.permits(fpr[between], tpr[between])):
        if not between.size:
            warn("RS240.equal", is_all=is_all)
            return
        is_fpr = criterion.tpr is None
        best = between[0] if is_fpr else between[-1]
        warn("RS240.target", is_all=is_all, is_fpr=is_fpr, fpr=fpr[best], tpr=tpr[best])
        return
    warn("RS241.trivial", is_all=is_all, aim=criterion.aim)
