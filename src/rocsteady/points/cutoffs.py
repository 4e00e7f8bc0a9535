"""Cut-offs: the best threshold of a curve, all that tie with it, how far it may be moved, its 2x2 table.

References
----------
Wilson (1927), J. Am. Stat. Assoc. 22, 209-212. Clopper & Pearson (1934), Biometrika 26, 404-413.
Simel, Samsa & Matchar (1991), J. Clin. Epidemiol. 44, 763-770 (likelihood ratios).
Mercaldo, Lau & Zhou (2007), Stat. Med. 26, 2170-2183 (predictive values at a prevalence).
Zou & Donner (2008), Stat. Med. 27, 1693-1702 (sums of two proportions).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import exp, inf, isnan, log, nan, sqrt
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np

from rocsteady.arrays import Indices
from rocsteady.averaging.shared import PooledAverage
from rocsteady.calling import welcomes
from rocsteady.curves.readings import alike_thresholds, spss_coordinates, vertex_at
from rocsteady.curves.roc import RocCurve, cases_at, clusters_of
from rocsteady.errors import fail, warn
from rocsteady.options import one_of, one_rate, open_share
from rocsteady.places import RATES, Where, is_place, keyword_place
from rocsteady.points.criteria import (
    Criterion,
    MinimumCost,
    TargetRate,
    criterion_of,
    optimal_vertices,
)
from rocsteady.points.cutoff_intervals import (
    CorrectedCutoff,
    CutoffIntervals,
    corrected_together,
    cutoff_intervals,
    rate_interval,
    share_interval,
)
from rocsteady.points.vertices import (
    Chosen,
    Curve,
    OfCriterion,
    Vertices,
    curve_of,
    group_table,
    vertices_of,
)
from rocsteady.results import TableResult, read_only
from rocsteady.scores.scores import Scores
from rocsteady.showing import Drawn, Told, said
from rocsteady.statistics.intervals import Interval, t_quantile
from rocsteady.words import grouped

# The 2x2 table
# -------------

MEASURES = ("sensitivity", "specificity", "ppv", "npv", "lr_positive", "lr_negative", "accuracy")
METHODS = ("wilson", "clopper-pearson")
_ELSEWHERE = {"exact": "clopper-pearson", "score": "wilson", "clopper": "clopper-pearson"}


class Basis(Enum):
    """What the intervals of a 2x2 table rest on, or why there are none."""

    CASES = "cases that count one by one"
    CLUSTERS = "rows that belong together"
    WEIGHTS = "sums of weights"
    ROWS_OF_GROUPS = "all rows of groups"
    MEAN_RATES = "mean rates of groups"
    CHOSEN_AGAIN = "cases, with the cut-off chosen again in every resample"
    CHOSEN_AGAIN_IN_GROUPS = "groups, with the cut-off chosen again in every resample"
    NOT_DRAWN = "a cut-off chosen here, and no resamples asked for"
    CANNOT_BE_DRAWN = "a cut-off chosen here, on what cannot be drawn again"


@dataclass(frozen=True)
class Measures:
    """The measures of a 2x2 table, as they are expected on new rows."""

    sensitivity: float
    specificity: float
    ppv: float
    npv: float
    lr_positive: float
    lr_negative: float
    accuracy: float


@dataclass(frozen=True, eq=False, repr=False)
class TwoByTwo(Told, TableResult, Measures, sentence="points.two_by_two"):
    """Decisions against the truth at one threshold.

    Attributes
    ----------
    tp, fp, fn, tn : int, or float for weights, or None
        Cases; None on an average of groups, whose rates are means and not shares of cases.
    sensitivity, specificity : float
        Share of positives called positive, of negatives called negative.
    ppv, npv : float
        Share of true ones among the calls of positive, and of negative, at ``prevalence``.
    lr_positive, lr_negative : float
        Likelihood ratios ``tpr / fpr`` and ``fnr / tnr``: by what a call multiplies the odds.
    accuracy : float
        Share of cases called right, at ``prevalence``.
    prevalence : float
        Share of positives that predictive values and accuracy are for.
    is_sample_prevalence : bool
        Whether that is the share among these rows, because no other was given.
    sensitivity_interval, ... : Interval or None
        One for each measure. Wilson's or Clopper & Pearson's for shares of cases, log-normal for likelihood
        ratios, logit for predictive values at a prevalence that was given (which is taken as known). At the
        prevalence of the rows predictive values and accuracy are plain shares of cases. Where a cell is 0,
        one half is added to every cell of a log-normal or logit interval.
        Where the cut-off was chosen on these rows, all are for the corrected measures: Clopper & Pearson's at
        corrected rates, and the same formulas at cases that have these rates.
    corrected : Measures or None
        What to expect on new rows, where the cut-off was chosen on these; see ``cutoff.corrected()``.
    note : str
        What the intervals stand for, or why there are none.
    """

    _told: ClassVar = ("note",)

    tp: Any
    fp: Any
    fn: Any
    tn: Any
    prevalence: float
    is_sample_prevalence: bool
    sensitivity_interval: Interval | None
    specificity_interval: Interval | None
    ppv_interval: Interval | None
    npv_interval: Interval | None
    lr_positive_interval: Interval | None
    lr_negative_interval: Interval | None
    accuracy_interval: Interval | None
    corrected: Measures | None = None
    _basis: Basis = Basis.MEAN_RATES
    _random: str = "cases"
    _is_flattered: bool = False

    @property
    def note(self) -> str:
        """What the intervals stand for, or why there are none."""
        return said("points.table_note", self)

    def _columns(self) -> dict[str, Any]:
        intervals = [getattr(self, f"{name}_interval") for name in MEASURES]
        return {
            "measure": list(MEASURES),
            "value": [getattr(self, name) for name in MEASURES],
            "corrected": [getattr(self.corrected, name, nan) for name in MEASURES],
            "low": [nan if interval is None else interval.low for interval in intervals],
            "high": [nan if interval is None else interval.high for interval in intervals],
        }

    def __repr__(self) -> str:
        cells = (
            f"tp {self.tp:g}, fp {self.fp:g}, fn {self.fn:g}, tn {self.tn:g}; " if self.tp is not None else ""
        )
        rates = f"sensitivity {self.sensitivity:.4f}, specificity {self.specificity:.4f}"
        return f"TwoByTwo({cells}{rates}, prevalence {self.prevalence:.4g})"


class Cells(NamedTuple):
    """The cases in the four cells."""

    tp: Any
    fp: Any
    fn: Any
    tn: Any


def table_at(
    curve: Curve,
    threshold: float,
    rule: str,
    prevalence: float | None,
    confidence_level: float,
    method: str,
    corrected: CorrectedCutoff | None = None,
) -> TwoByTwo:
    """The table of a curve, or of an average with a shared threshold.

    ``corrected`` is what resamples say about a cut-off that was chosen on the same rows. Cases may be counted
    at another threshold than it has, nearby: what choosing adds is taken to be the same there.
    """
    rates = curve.rates_at(threshold, rule=rule)
    if isinstance(curve, RocCurve):
        cells, basis = _cells_of_curve(curve, threshold, rule)
        share = curve.n_positives / (curve.n_positives + curve.n_negatives)
    else:
        cells, basis = _pooled(curve, threshold, rule)
        share = float(vertices_of(curve).prevalence)
    table = two_by_two(
        cells,
        fpr=rates.fpr,
        tpr=rates.tpr,
        sample_prevalence=share,
        prevalence=prevalence,
        confidence_level=confidence_level,
        method=method,
        basis=basis,
    )
    if corrected is not None:
        return _with_corrected(table, corrected, confidence_level, prevalence)
    if not isinstance(curve, RocCurve) or clusters_of(curve) is None:
        return table
    level = open_share("confidence_level", confidence_level)
    vertex, _ = vertex_at(curve.thresholds, threshold, rule, curve.higher_is_positive)
    shares = (table.sensitivity, table.specificity)
    limits = [
        own.limits(share, level) for own, share in zip(cases_at(curve, vertex)[:2], shares, strict=True)
    ]
    intervals = [Interval(float(low), float(high), level, "wilson") for low, high in limits]
    return replace(table, sensitivity_interval=intervals[0], specificity_interval=intervals[1])


def _cells_of_curve(curve: RocCurve, threshold: float, rule: str) -> tuple[Cells | None, Basis]:
    vertex, _ = vertex_at(curve.thresholds, threshold, rule, curve.higher_is_positive)
    tp, fp = curve.true_positives[vertex].item(), curve.false_positives[vertex].item()
    basis = Basis.CASES if clusters_of(curve) is None else Basis.CLUSTERS
    cells = Cells(tp, fp, curve.n_positives - tp, curve.n_negatives - fp)
    return cells, Basis.WEIGHTS if curve.is_weighted else basis


def _pooled(curve: Any, threshold: float, rule: str) -> tuple[Cells | None, Basis]:
    """The cases of all groups together; none where rates are means over groups."""
    if not isinstance(curve, PooledAverage) or curve.method.balanced:
        return None, Basis.MEAN_RATES
    table = group_table(curve)
    tp = fp = 0
    for start, stop in zip(table.offsets[:-1], table.offsets[1:], strict=True):
        vertex, _ = vertex_at(table.thresholds[start:stop], threshold, rule, table.higher_is_positive)
        tp += table.true_positives[start + vertex].item()
        fp += table.false_positives[start + vertex].item()
    cells = Cells(tp, fp, table.n_positives.sum().item() - tp, table.n_negatives.sum().item() - fp)
    if len(table) > 1:
        return cells, Basis.ROWS_OF_GROUPS
    return cells, Basis.WEIGHTS if table.true_positives.dtype.kind == "f" else Basis.CASES


def two_by_two(
    cells: Cells | None,
    *,
    fpr: float,
    tpr: float,
    sample_prevalence: float,
    prevalence: float | None,
    confidence_level: float,
    method: str,
    basis: Basis = Basis.CASES,
) -> TwoByTwo:
    """The table; ``cells`` is None where only rates are known."""
    level = open_share("confidence_level", confidence_level)
    method = one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
    share = sample_prevalence if prevalence is None else one_rate("prevalence", prevalence)
    values = _measures(cells, fpr, tpr, share)
    intervals: dict[str, Interval | None] = dict.fromkeys(MEASURES)
    if cells is not None and basis is Basis.CASES:
        if prevalence is None:  # plain shares of cases, by one division
            values["ppv"] = _ratio(cells.tp, cells.tp + cells.fp)
            values["npv"] = _ratio(cells.tn, cells.tn + cells.fn)
            values["accuracy"] = (cells.tp + cells.tn) / sum(cells)
        intervals |= _intervals(cells, values, share if prevalence is not None else None, level, method)
    counts: dict[str, Any] = dict.fromkeys(Cells._fields) if cells is None else cells._asdict()
    measured: dict[str, Any] = values | {f"{name}_interval": own for name, own in intervals.items()}
    is_sample = prevalence is None
    return TwoByTwo(**counts, **measured, prevalence=share, is_sample_prevalence=is_sample, _basis=basis)


def _without_intervals(table: TwoByTwo, basis: Basis) -> TwoByTwo:
    nothing: dict[str, Any] = dict.fromkeys(f"{name}_interval" for name in MEASURES)
    return replace(table, **nothing, _basis=basis)


def _with_corrected(
    table: TwoByTwo, found: CorrectedCutoff, level: float, prevalence: float | None
) -> TwoByTwo:
    """The table with what to expect on new rows, and intervals for that."""
    fpr, tpr = (
        min(max(here - (apparent - expected), 0.0), 1.0)
        for here, apparent, expected in (
            (1 - table.specificity, found.apparent_fpr, found.fpr),
            (table.sensitivity, found.apparent_tpr, found.tpr),
        )
    )
    values = _measures(None, fpr, tpr, table.prevalence)
    of_fpr, of_tpr = found._cases
    intervals: dict[str, Interval | None] = dict.fromkeys(MEASURES)
    sensitivity = rate_interval(tpr, table.sensitivity, of_tpr, level)
    specificity = rate_interval(1 - fpr, table.specificity, of_fpr, level)
    if not found._of_groups and sensitivity is not None and specificity is not None:
        cells = Cells(of_tpr * tpr, of_fpr * fpr, of_tpr * (1 - tpr), of_fpr * (1 - fpr))
        is_counted = (
            isinstance(table.tp, int) and of_tpr == table.tp + table.fn and of_fpr == table.fp + table.tn
        )
        share = None if prevalence is None and is_counted else table.prevalence
        intervals |= _intervals(cells, values, share, level, "clopper-pearson")
    intervals |= {"sensitivity": sensitivity, "specificity": specificity}
    made: dict[str, Any] = {f"{name}_interval": own for name, own in intervals.items()}
    basis = Basis.CHOSEN_AGAIN_IN_GROUPS if found._of_groups else Basis.CHOSEN_AGAIN
    return replace(table, **made, corrected=Measures(**values), _basis=basis, _random=found.random)


def _measures(cells: Cells | None, fpr: float, tpr: float, share: float) -> dict[str, float]:
    """Every measure from the rates, at a prevalence."""
    fnr, specificity = 1 - tpr, 1 - fpr
    if cells is not None:  # by one division each
        fnr, specificity = cells.fn / (cells.tp + cells.fn), cells.tn / (cells.fp + cells.tn)
    return {
        "sensitivity": tpr,
        "specificity": specificity,
        "ppv": _ratio(share * tpr, share * tpr + (1 - share) * fpr),
        "npv": _ratio((1 - share) * specificity, (1 - share) * specificity + share * fnr),
        "lr_positive": _ratio(tpr, fpr),
        "lr_negative": _ratio(fnr, specificity),
        "accuracy": share * tpr + (1 - share) * specificity,
    }


def _ratio(part: float, whole: float) -> float:
    """NaN for 0 / 0, infinite for a positive part of nothing."""
    if whole == 0:
        return nan if part == 0 else inf
    return part / whole


def _intervals(
    cells: Cells, values: dict[str, float], share: float | None, level: float, method: str
) -> dict[str, Interval]:
    """The interval of every measure; ``share`` is a prevalence that was given, None for that of the rows."""
    z = t_quantile(np.inf, level)
    tp, fp, fn, tn = cells
    made = {
        "sensitivity": share_interval(tp, tp + fn, level, method),
        "specificity": share_interval(tn, tn + fp, level, method),
        "lr_positive": _log_normal(values["lr_positive"], (tp, fp, fn, tn), z, level),
        "lr_negative": _log_normal(values["lr_negative"], (fn, tn, tp, fp), z, level),
    }
    if share is None:
        made["ppv"] = share_interval(tp, tp + fp, level, method)
        made["npv"] = share_interval(tn, tn + fn, level, method)
        made["accuracy"] = share_interval(tp + tn, tp + fp + fn + tn, level, method)
        return made
    made["ppv"] = _logit(values["ppv"], share, (tp, fp, fn, tn), z, level)
    made["npv"] = _logit(values["npv"], 1 - share, (tn, fn, fp, tp), z, level)
    # A weighted sum of two independent shares, from their intervals (square and add).
    parts = [
        (weight, values[name], made[name])
        for weight, name in ((share, "sensitivity"), (1 - share, "specificity"))
    ]
    below = sqrt(sum((weight * (rate - own.low)) ** 2 for weight, rate, own in parts))
    above = sqrt(sum((weight * (own.high - rate)) ** 2 for weight, rate, own in parts))
    accuracy = values["accuracy"]
    made["accuracy"] = Interval(max(accuracy - below, 0.0), min(accuracy + above, 1.0), level, method)
    return made


def _with_half(cells: tuple[Any, ...], method: str) -> tuple[tuple[Any, ...], str]:
    """One half added to every cell where one is 0."""
    return (tuple(cell + 0.5 for cell in cells), f"{method}, 1/2 added") if 0 in cells else (cells, method)


def _log_normal(ratio: float, cells: tuple[Any, ...], z: float, level: float) -> Interval:
    """A likelihood ratio ``(a / (a + c)) / (b / (b + d))`` by Simel's standard error of its logarithm."""
    if isnan(ratio):
        return Interval(nan, nan, level, "log-normal")
    (a, b, c, d), method = _with_half(cells, "log-normal")
    center = (a / (a + c)) / (b / (b + d)) if 0 in cells else ratio
    half = z * sqrt(1 / a - 1 / (a + c) + 1 / b - 1 / (b + d))
    low, high = center * exp(-half), center * exp(half)
    return Interval(min(low, ratio), max(high, ratio), level, method)


def _logit(value: float, share: float, cells: tuple[Any, ...], z: float, level: float) -> Interval:
    """A predictive value on the logit scale; ``a / (a + c)`` are called right, ``b / (b + d)`` wrong."""
    from scipy.special import expit

    if isnan(value) or share in (0, 1):  # at a prevalence of 0 or 1 nothing is left to be unsure about
        return Interval(value, value, level, "logit")
    (a, b, c, d), method = _with_half(cells, "logit")
    center = log(share) + log(a / (a + c)) - log(1 - share) - log(b / (b + d))
    half = z * sqrt(c / (a * (a + c)) + d / (b * (b + d)))
    low, high = (float(expit(edge)) for edge in (center - half, center + half))
    return Interval(min(low, value), max(high, value), level, method)


# The cut-off
# -----------


class _Ends(NamedTuple):
    low: float
    high: float


class ThresholdInterval(_Ends):
    """All thresholds that decide alike: a pair ``(low, high)`` that knows which ends belong to it.

    Attributes
    ----------
    low, high : float
        The ends; the interval can be unpacked.
    closed : {"low", "high", "both"}
        Which ends are such thresholds themselves. Where high scores are positive that is the high end, where
        low scores are it is the low end, and an end that calls everything positive always.

    Examples
    --------
    >>> interval = ThresholdInterval(0.4, 0.7, "high")
    >>> interval, 0.7 in interval, 0.4 in interval
    ((0.4, 0.7], True, False)
    """

    closed: str

    def __new__(cls, low: float, high: float, closed: str = "high") -> ThresholdInterval:
        """A pair with its closed ends."""
        made = super().__new__(cls, low, high)
        made.closed = closed
        return made

    def __contains__(self, threshold: object) -> bool:
        at: Any = threshold
        above = at >= self.low if self.closed in ("low", "both") else at > self.low
        below = at <= self.high if self.closed in ("high", "both") else at < self.high
        return bool(above and below)

    def __repr__(self) -> str:
        start = "[" if self.closed in ("low", "both") else "("
        stop = "]" if self.closed in ("high", "both") else ")"
        return f"{start}{self.low!r}, {self.high!r}{stop}"


@dataclass(frozen=True, eq=False, repr=False)
class AppliedCutoff(Told, Drawn, OfCriterion, sentence="points.applied", figure="cutoffs"):
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

    def __repr__(self) -> str:
        return f"AppliedCutoff(score {self.rule} {self.threshold:g}: fpr {self.fpr:.4f}, tpr {self.tpr:.4f})"


@dataclass(frozen=True, eq=False, repr=False)
class Cutoff(Told, Drawn, Chosen, sentence="points.cutoff", figure="cutoffs"):
    """The threshold that is best by a criterion, made by :func:`rocsteady.choose_cutoff`.

    The rates are those of the rows it was chosen on, and flatter it. ``.corrected()`` has what to expect on
    new rows, ``.on(other)`` the rates of other rows.

    Attributes
    ----------
    threshold : float
        An observed score, or an infinite one that calls nothing positive.
    rule : str
        ``">="`` or ``"<="``: what is called positive (``">"`` or ``"<"`` if not even an infinite score is).
    fpr, tpr : float
        Its rates.
    value : float
        Youden: TPR - FPR. Closest: the squared distance. Cost: the expected cost per case. EER: how far FPR
        and FNR are apart. Target: the rate that was free.
    criterion : Criterion
        What was optimised; a plain one equals its name.
    index : int
        The vertex of the curve; the first of ``all_optima``.
    all_optima : intp array
        All vertices that are as good, strictest first.
    threshold_interval : ThresholdInterval
        All thresholds that give the same decisions on these rows. Of a convex hull only the threshold itself
        is known to.
    midpoint : float
        Midway to the next score, as SPSS prints cut-offs; NaN on a convex hull.

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

    all_optima: Indices
    threshold_interval: ThresholdInterval
    midpoint: float

    def on(self, other: Curve | Scores) -> AppliedCutoff:
        """The same threshold on other rows: choose on one set of rows, report on another.

        Parameters
        ----------
        other : RocCurve, Scores, or a threshold or pooled average
            Of rows that had no say in the choice.
        """
        there: Curve = curve_of(other)
        higher = vertices_of(there).higher_is_positive
        if higher != vertices_of(self._curve).higher_is_positive:
            raise fail("RS002.other-end", rule=self.rule, threshold=self.threshold, higher_is_positive=higher)
        rates = there.rates_at(self.threshold, rule=self.rule)
        value = float(self.criterion.value(rates.fpr, rates.tpr))
        return AppliedCutoff(
            self.threshold, rates.fpr, rates.tpr, value, self.rule, self.criterion, _curve=there
        )

    def corrected(
        self, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
    ) -> CorrectedCutoff:
        """What to expect of this threshold on new rows, with intervals of both rates.

        In every resample the cut-off is chosen again; what that adds to its rates is taken off. The intervals
        cover the population's rates at this very threshold. (:meth:`intervals` is about the threshold that is
        best in the population.) See simulations/cutoffs.py for how often.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.
        n_resamples, seed : int
            The same seed gives the same numbers on any machine. On a curve the cases of either class are
            random; patients, where rows of a ScoreSet name them (``cluster=``) and some have several. On an
            average groups are random, and are drawn whole.

        Warns
        -----
        RocsteadyWarning
            RS242 for the average of a single group: its rates are not corrected, and have no interval.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(0)
        >>> labels = np.repeat([0, 1], 40)
        >>> cutoff = rs.choose_cutoff(rs.roc_curve(labels, rng.normal(size=80) + labels), "youden")
        >>> found = cutoff.corrected()
        >>> found.apparent_value > found.value
        True
        """
        how = {"confidence_level": confidence_level, "n_resamples": n_resamples, "seed": seed}
        return corrected_together([self], **how)[0]  # type: ignore[arg-type]

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
        curve = self._curve
        at = curve, self.threshold, self.rule, prevalence, confidence_level
        if method is not None:
            return replace(table_at(*at, method), _is_flattered=True)
        if prevalence is not None:
            one_rate("prevalence", prevalence)
        is_lost = isinstance(curve, RocCurve) and (
            curve._is_hull or (curve.is_weighted and curve._rows is None)
        )
        if n_resamples == 0 or is_lost:
            basis = Basis.CANNOT_BE_DRAWN if is_lost else Basis.NOT_DRAWN
            return _without_intervals(table_at(*at, "clopper-pearson"), basis)
        return table_at(*at, "clopper-pearson", self.corrected(confidence_level, n_resamples, seed))

    def intervals(
        self,
        confidence_level: float = 0.95,
        n_resamples: int = 2000,
        seed: int = 0,
        *,
        method: str | None = None,
    ) -> CutoffIntervals:
        """Intervals of the threshold and of its rates, which know that the cut-off was chosen on these rows.

        What they cover is the threshold that would be chosen if the whole population were known, and the
        population's rates there: the largest TPR - FPR, the point closest to (0, 1), equal error rates, the
        smallest expected cost at the same prevalence, or the target rate exactly kept. They do not tell what
        *this* threshold will attain on other rows: :meth:`on` does. The smoothed intervals take off what the
        choice adds to the rates, so they are not centred at the rates of these rows, but hold them.

        Parameters
        ----------
        confidence_level : float
            Between 0 and 1.
        n_resamples, seed : int
            The same seed gives the same intervals on any machine; exact intervals use neither. On a curve the
            cases are random, of each class as many as there are, so neither class dies out. On an average the
            groups are random and are drawn whole.
        method : {"smoothed", "percentile", "exact"}, optional
            For curves. By default exact for a :class:`TargetRate`, from order statistics; else smoothed where
            no score is shared by more than 5 % of a class, and percentile where one is: heavily tied scores
            are steps, and steps are not to be smoothed. Weighted rows have percentiles only.

        Warns
        -----
        RocsteadyWarning
            RS242 for fewer than eight groups; RS243 for a class with one case; RS244 where the sample does
            not bound the cut-off.

        Notes
        -----
        A rate with fewer than five cases on one side of the cut-off has at least the exact binomial limits:
        where no positive is missed, no resample misses one, and their spread tells nothing. The threshold has
        no limit on a side where calling everything, or nothing, positive is within the limits of the rates.
        How often the intervals cover is said at the head of :mod:`rocsteady.points.cutoff_intervals`, with
        the populations where they fall short.
        """
        return cutoff_intervals(self, confidence_level, n_resamples, seed, method)

    def to_dict(self) -> dict[str, Any]:
        """The cut-off as plain data that JSON can carry (infinities as strings, NaN as None)."""
        return super().to_dict() | {"closed": self.threshold_interval.closed}

    def __repr__(self) -> str:
        ties = f"; {other_vertices(self.all_optima.size - 1)} as good" if self.all_optima.size > 1 else ""
        rates = f"fpr {self.fpr:.4f}, tpr {self.tpr:.4f}"
        return f"Cutoff({self.criterion}, score {self.rule} {self.threshold:g}: {rates}{ties})"


def other_vertices(n: int) -> str:
    """``1 other vertex``."""
    return f"{grouped(n)} other {'vertex' if n == 1 else 'vertices'}"


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
    index, u = int(optima[0]), vertices.thresholds
    if (0 < index < u.size - 1 and u[index + 1] == u[index]) or (index > 1 and u[index - 1] == u[index]):
        raise alike_thresholds(u[index])  # another score has the same threshold as a float
    _warn_if_trivial(vertices, chosen, index)
    interval, is_beyond = _thresholds_alike(vertices, index)
    inclusive, strict = (">=", ">") if vertices.higher_is_positive else ("<=", "<")
    return Cutoff(
        threshold=float(u[index]),
        rule=strict if is_beyond else inclusive,
        fpr=float(vertices.fpr[index]),
        tpr=float(vertices.tpr[index]),
        value=_value(vertices, chosen, index),
        criterion=chosen,
        index=index,
        _curve=own,
        all_optima=read_only(optima),
        threshold_interval=interval,
        midpoint=_midpoint(vertices, index),
    )


def _target(criterion: object, where: Mapping[str, Any]) -> object:
    """The criterion, or the rate that stands in its place."""
    if criterion is not None and where:
        raise fail("RS002.one-criterion", given=", ".join(["criterion", *where]))
    if criterion is not None and not is_place(criterion):
        return criterion
    return keyword_place(
        criterion, where, among=RATES, task="choose a cut-off at", call="choose_cutoff(curve, {})"
    )


def _thresholds_alike(vertices: Vertices, index: int) -> tuple[ThresholdInterval, bool]:
    """The thresholds that decide alike, and whether the chosen one has to exclude even infinite scores."""
    u, tp, fp = vertices.thresholds, vertices.true_positives, vertices.false_positives
    own, beyond_all = float(u[index]), float(u[0])
    if vertices.is_hull:
        return ThresholdInterval(own, own, "both"), index == 0 and bool(u[1] == u[0])
    same = np.flatnonzero((tp == tp[index]) & (fp == fp[index]))  # steps of counts may be empty
    first, last = int(same[0]), int(same[-1])
    if first == last == 0 and u[1] == u[0]:  # a score is infinite itself: only "beyond it" calls nothing
        return ThresholdInterval(beyond_all, beyond_all, "both"), True
    is_loosest = last == u.size - 1
    strict_end, loose_end = float(u[first]), -beyond_all if is_loosest else float(u[last + 1])
    if vertices.higher_is_positive:
        return ThresholdInterval(loose_end, strict_end, "both" if is_loosest else "high"), False
    return ThresholdInterval(strict_end, loose_end, "both" if is_loosest else "low"), False


def _midpoint(vertices: Vertices, index: int) -> float:
    """SPSS's cut-off of a vertex, which needs the score beside it only."""
    if vertices.is_hull:
        return nan
    u = vertices.thresholds
    beside = u[max(index, 1) : index + 2]
    nothing = np.zeros(beside.size + 1)
    rising = spss_coordinates(np.append(u[0], beside), nothing, nothing, vertices.higher_is_positive).cutoffs
    strictest_first = rising[::-1] if vertices.higher_is_positive else rising
    return float(strictest_first[min(index, 1)])


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
        is_fpr = criterion.held == "fpr"
        best = between[0] if is_fpr else between[-1]
        warn("RS240.target", is_all=is_all, is_fpr=is_fpr, fpr=fpr[best], tpr=tpr[best])
        return
    warn("RS241.trivial", is_all=is_all, aim=criterion.aim)
