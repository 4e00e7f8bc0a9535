"""The 2x2 table at a threshold: rates, predictive values and likelihood ratios, with intervals.

References
----------
Wilson (1927), J. Am. Stat. Assoc. 22, 209-212. Clopper & Pearson (1934), Biometrika 26, 404-413.
Simel, Samsa & Matchar (1991), J. Clin. Epidemiol. 44, 763-770 (likelihood ratios).
Mercaldo, Lau & Zhou (2007), Stat. Med. 26, 2170-2183 (predictive values at a prevalence).
Zou & Donner (2008), Stat. Med. 27, 1693-1702 (sums of two proportions).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, inf, isnan, log, nan, sqrt
from typing import TYPE_CHECKING, Any

from rocsteady.averaging.shared import PooledAverage, SharedThresholdAverage
from rocsteady.curves.readings import vertex_at
from rocsteady.curves.roc import RocCurve, cases_at, clusters_of
from rocsteady.operating_points.cutoffs.vertices import group_table, vertices_of
from rocsteady.options import one_of, one_rate, open_share
from rocsteady.results import TableResult
from rocsteady.statistics.intervals import Interval, clopper_pearson, t_quantile, wilson_limits
from rocsteady.words import percent

if TYPE_CHECKING:
    from rocsteady.operating_points.cutoffs.correcting import CorrectedCutoff

MEASURES = ("sensitivity", "specificity", "ppv", "npv", "lr_positive", "lr_negative", "accuracy")
_CLUSTERED = (
    "rows that belong together are not independent: sensitivity and specificity have Wilson's limits of as "
    "many independent cases as would have the same variance; of the other measures no such limits are known"
)
METHODS = ("wilson", "clopper-pearson")
_ELSEWHERE = {"exact": "clopper-pearson", "score": "wilson", "clopper": "clopper-pearson"}
_COUNTED = "cases are random, of each class as many as there are; the prevalence is taken as known"
_CROSS_SECTION = "cases are random; predictive values hold where positives are as frequent as in these rows"
_CHOSEN = "the cut-off is chosen again in every resample, and intervals are without what choosing adds"


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
class TwoByTwo(TableResult):
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

    tp: Any
    fp: Any
    fn: Any
    tn: Any
    sensitivity: float
    specificity: float
    ppv: float
    npv: float
    lr_positive: float
    lr_negative: float
    accuracy: float
    prevalence: float
    is_sample_prevalence: bool
    sensitivity_interval: Interval | None
    specificity_interval: Interval | None
    ppv_interval: Interval | None
    npv_interval: Interval | None
    lr_positive_interval: Interval | None
    lr_negative_interval: Interval | None
    accuracy_interval: Interval | None
    note: str
    corrected: Measures | None = None

    def _columns(self) -> dict[str, Any]:
        intervals = [getattr(self, f"{name}_interval") for name in MEASURES]
        return {
            "measure": list(MEASURES),
            "value": [getattr(self, name) for name in MEASURES],
            "corrected": [getattr(self.corrected, name, nan) for name in MEASURES],
            "low": [nan if interval is None else interval.low for interval in intervals],
            "high": [nan if interval is None else interval.high for interval in intervals],
        }

    @property
    def reading(self) -> str:
        """Predictive values in a sentence, with the prevalence they are for."""
        whose = "that of these rows" if self.is_sample_prevalence else "as given"
        return (
            f"At a prevalence of {percent(self.prevalence)} ({whose}), {percent(self.ppv)} of positive calls "
            f"and {percent(self.npv)} of negative calls are right; a positive call multiplies the odds by "
            f"{self.lr_positive:.3g}, a negative one by {self.lr_negative:.3g}."
        )

    def __repr__(self) -> str:
        cells = (
            f"tp {self.tp:g}, fp {self.fp:g}, fn {self.fn:g}, tn {self.tn:g}; " if self.tp is not None else ""
        )
        rates = f"sensitivity {self.sensitivity:.4f}, specificity {self.specificity:.4f}"
        return f"TwoByTwo({cells}{rates}, prevalence {self.prevalence:.4g})"


def table_at(
    curve: RocCurve | SharedThresholdAverage,
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
        share = curve.n_positives / (curve.n_positives + curve.n_negatives)
    else:
        share = float(vertices_of(curve).prevalence)
    table = two_by_two(
        _cells_of(curve, threshold, rule),
        fpr=rates.fpr,
        tpr=rates.tpr,
        sample_prevalence=share,
        prevalence=prevalence,
        confidence_level=confidence_level,
        method=method,
        note="mean rates of groups are no shares of cases; their intervals are in average.at(threshold=...)",
    )
    if corrected is not None:
        return _with_corrected(table, corrected, confidence_level, prevalence)
    if not isinstance(curve, RocCurve) or clusters_of(curve) is None:
        return table
    level = open_share("confidence_level", confidence_level)
    vertex, _ = vertex_at(curve.thresholds, threshold, rule, curve.higher_is_positive)
    shares = (table.sensitivity, table.specificity)
    limits = [own.limits(share, level) for own, share in zip(cases_at(curve, vertex), shares, strict=True)]
    intervals = [Interval(float(low), float(high), level, "wilson") for low, high in limits]
    return replace(table, sensitivity_interval=intervals[0], specificity_interval=intervals[1])


def without_intervals(table: TwoByTwo, note: str) -> TwoByTwo:
    """The same measures, with the reason why none has an interval."""
    nothing: dict[str, Any] = dict.fromkeys(f"{name}_interval" for name in MEASURES)
    return replace(table, **nothing, note=note)


def _with_corrected(
    table: TwoByTwo, found: CorrectedCutoff, level: float, prevalence: float | None
) -> TwoByTwo:
    """The table with what to expect on new rows, and intervals for that."""
    from rocsteady.operating_points.cutoffs.correcting import rate_interval

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
    which = "" if not found._of_groups else "; of other measures of groups there are none"
    note = f"{found.random} are random; {_CHOSEN}{which}"
    return replace(table, **made, corrected=Measures(**values), note=note)


def _cells_of(curve: RocCurve | SharedThresholdAverage, threshold: float, rule: str) -> Cells | None:
    """The cases in the four cells; None where rates are means over groups."""
    if isinstance(curve, RocCurve):
        vertex, _ = vertex_at(curve.thresholds, threshold, rule, curve.higher_is_positive)
        tp, fp = curve.true_positives[vertex].item(), curve.false_positives[vertex].item()
        why = "sums of weights are no numbers of cases, so there are no binomial intervals"
        totals = curve.n_positives, curve.n_negatives
        if not curve.is_weighted:
            why = "" if clusters_of(curve) is None else _CLUSTERED
        return Cells(tp, fp, totals[0] - tp, totals[1] - fp, why)
    if not isinstance(curve, PooledAverage) or curve.method.balanced:
        return None
    table = group_table(curve)
    tp = fp = 0
    for start, stop in zip(table.offsets[:-1], table.offsets[1:], strict=True):
        vertex, _ = vertex_at(table.thresholds[start:stop], threshold, rule, table.higher_is_positive)
        tp += table.true_positives[start + vertex].item()
        fp += table.false_positives[start + vertex].item()
    why = "rows of one group are no independent cases; intervals over groups are in average.at(threshold=...)"
    if len(table) == 1:
        is_weighted = table.true_positives.dtype.kind == "f"
        why = (
            "sums of weights are no numbers of cases, so there are no binomial intervals"
            if is_weighted
            else ""
        )
    n_positives, n_negatives = table.n_positives.sum().item(), table.n_negatives.sum().item()
    return Cells(tp, fp, n_positives - tp, n_negatives - fp, why)


@dataclass(frozen=True)
class Cells:
    """The four cells, and what may be said about them."""

    tp: Any
    fp: Any
    fn: Any
    tn: Any
    why_no_intervals: str = ""


def two_by_two(
    cells: Cells | None,
    *,
    fpr: float,
    tpr: float,
    sample_prevalence: float,
    prevalence: float | None,
    confidence_level: float,
    method: str,
    note: str = "",
) -> TwoByTwo:
    """The table; ``cells`` is None where only rates are known, ``note`` then says why."""
    level = open_share("confidence_level", confidence_level)
    method = one_of("method", method, METHODS, elsewhere=_ELSEWHERE)
    share = sample_prevalence if prevalence is None else one_rate("prevalence", prevalence)
    values = _measures(cells, fpr, tpr, share)
    intervals: dict[str, Interval | None] = dict.fromkeys(MEASURES)
    if cells is not None and not cells.why_no_intervals:
        if prevalence is None:  # plain shares of cases, by one division
            values["ppv"] = _ratio(cells.tp, cells.tp + cells.fp)
            values["npv"] = _ratio(cells.tn, cells.tn + cells.fn)
            values["accuracy"] = (cells.tp + cells.tn) / (cells.tp + cells.fp + cells.fn + cells.tn)
        intervals |= _intervals(cells, values, share if prevalence is not None else None, level, method)
        note = _CROSS_SECTION if prevalence is None else _COUNTED
    elif cells is not None:
        note = cells.why_no_intervals
    counts: dict[str, Any] = {name: getattr(cells, name, None) for name in ("tp", "fp", "fn", "tn")}
    measured: dict[str, Any] = values | {f"{name}_interval": own for name, own in intervals.items()}
    return TwoByTwo(
        **counts, **measured, prevalence=share, is_sample_prevalence=prevalence is None, note=note
    )


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
    z = t_quantile(inf, level)
    tp, fp, fn, tn = cells.tp, cells.fp, cells.fn, cells.tn
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
    made["accuracy"] = _weighted_sum(
        values["accuracy"],
        [
            (share, values["sensitivity"], made["sensitivity"]),
            (1 - share, values["specificity"], made["specificity"]),
        ],
        level,
        method,
    )
    return made


def share_interval(part: int, whole: int, confidence_level: float, method: str) -> Interval:
    """The interval of a share of cases; NaN for a share of nothing.

    >>> share_interval(81, 263, 0.95, "wilson")
    Interval(0.2553 to 0.3662, confidence level 0.95, wilson)
    >>> share_interval(0, 20, 0.95, "clopper-pearson")
    Interval(0.0000 to 0.1684, confidence level 0.95, clopper-pearson)
    """
    if whole == 0:
        return Interval(nan, nan, confidence_level, method)
    if method == "clopper-pearson":
        low, high = clopper_pearson(part / whole, whole, 1 - confidence_level)
    else:
        low, high = wilson_limits(part / whole, whole, t_quantile(inf, confidence_level))
    return Interval(float(low), float(high), confidence_level, method)


def _log_normal(ratio: float, cells: tuple[Any, ...], z: float, level: float) -> Interval:
    """A likelihood ratio ``(a / (a + c)) / (b / (b + d))`` by Simel's standard error of its logarithm."""
    if isnan(ratio):
        return Interval(nan, nan, level, "log-normal")
    center, method = ratio, "log-normal"
    if 0 in cells:
        cells, method = tuple(cell + 0.5 for cell in cells), "log-normal, 1/2 added"
        a, b, c, d = cells
        center = (a / (a + c)) / (b / (b + d))
    a, b, c, d = cells
    half = z * sqrt(1 / a - 1 / (a + c) + 1 / b - 1 / (b + d))
    low, high = center * exp(-half), center * exp(half)
    return Interval(min(low, ratio), max(high, ratio), level, method)


def _logit(value: float, share: float, cells: tuple[Any, ...], z: float, level: float) -> Interval:
    """A predictive value on the logit scale; ``a / (a + c)`` are called right, ``b / (b + d)`` wrong."""
    from scipy.special import expit

    if isnan(value) or share in (0, 1):  # at a prevalence of 0 or 1 nothing is left to be unsure about
        return Interval(value, value, level, "logit")
    method = "logit"
    if 0 in cells:
        cells, method = tuple(cell + 0.5 for cell in cells), "logit, 1/2 added"
    a, b, c, d = cells
    center = log(share) + log(a / (a + c)) - log(1 - share) - log(b / (b + d))
    half = z * sqrt(c / (a * (a + c)) + d / (b * (b + d)))
    low, high = (float(expit(edge)) for edge in (center - half, center + half))
    return Interval(min(low, value), max(high, value), level, method)


def _weighted_sum(
    value: float, parts: list[tuple[float, float, Interval]], level: float, method: str
) -> Interval:
    """A weighted sum of two independent shares, from their intervals (square and add)."""
    below = sqrt(sum((weight * (rate - own.low)) ** 2 for weight, rate, own in parts))
    above = sqrt(sum((weight * (own.high - rate)) ** 2 for weight, rate, own in parts))
    return Interval(max(value - below, 0.0), min(value + above, 1.0), level, method)
