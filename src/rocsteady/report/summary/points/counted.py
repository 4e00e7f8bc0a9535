"""Cases counted at an operating point: the 2x2 table of medicine, and how many errors biometrics has seen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.points.cutoffs import table_at
from rocsteady.points.measures import TwoByTwo, two_by_two
from rocsteady.report.summary.points.places import prevalence_of
from rocsteady.report.summary.points.reading import at_own_thresholds
from rocsteady.report.summary.vocabulary import bare_percent, count, percent
from rocsteady.results import plain_fields

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.points.reading import Reading

_MEASURES = {
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "ppv": "positive predictive value",
    "npv": "negative predictive value",
    "lr_positive": "positive likelihood ratio",
    "lr_negative": "negative likelihood ratio",
    "accuracy": "accuracy",
}
_FEWEST_ERRORS = 30
_RULE_OF_THREE = 0.95


@dataclass(frozen=True)
class Counts:
    """Cases called positive and negative, of either class; sums of weights where rows have them."""

    tp: float
    fp: float
    fn: float
    tn: float


@dataclass(frozen=True)
class Measure:
    """One measure of a 2x2 table: its value, what to expect on new rows, limits (NaN if none); as shown."""

    name: str
    value: float
    low: float
    high: float
    text: str
    limits_text: str
    corrected: float
    corrected_text: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self)


@dataclass(frozen=True)
class TwoByTwoPart:
    """Decisions against the truth at one operating point.

    Attributes
    ----------
    cell : str
        The cut-off that cases are counted at, as it is shown.
    tp, fp, fn, tn : float
        All cases in the average, counted; whatever group they are in.
    measures : tuple of Measure
        From the mean rates of groups, not from the counts, which large groups dominate.
    prevalence : float
        That predictive values and accuracy are for.
    is_sample_prevalence : bool
        Whether that is the share among these rows, because no other was said.
    note : str
        What is counted, and what intervals stand for.
    """

    cell: str
    tp: float
    fp: float
    fn: float
    tn: float
    measures: tuple[Measure, ...]
    prevalence: float
    is_sample_prevalence: bool
    note: str

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self)


def counts_at(material: Material, name: str, reading: Reading) -> Counts:
    """All cases of the groups in an average, at the threshold of each."""
    own = material.of_model(name)
    assert reading.own is not None
    by_group = dict(zip(reading.groups, reading.own.thresholds[:, 0].tolist(), strict=True))
    names = [own.groups[i] for i in own.group_index.tolist()]
    of_member = np.array([by_group.get(group, math.nan) for group in names])
    c = own.columns
    at = np.repeat(of_member, np.diff(c.offsets))
    called = (c.scores >= at if c.higher_is_positive else c.scores <= at) & _is_reached(at, reading)
    is_positive = c.labels == c.positive
    known = ~np.isnan(at)
    weights = np.ones(c.n_rows, dtype=np.int64) if c.weights is None else c.weights
    weights = weights.astype(np.int64) if c.are_counts else weights
    cells = [
        weights[known & (called == is_called) & (is_positive == of_class)].sum().item()
        for is_called, of_class in ((True, True), (True, False), (False, True), (False, False))
    ]
    return Counts(*cells)


def _is_reached(at: Any, reading: Reading) -> Any:
    """Not where a threshold is beyond every score: an infinite score is not called positive by that."""
    nothing = reading.fpr == reading.tpr == 0
    return ~(np.isinf(at) & nothing)


def two_by_two_part(material: Material, name: str, reading: Reading) -> TwoByTwoPart:
    """The table of one operating point."""
    deployment, level = material.deployment, material.settings.confidence_level
    said = None if deployment is None else deployment.prevalence
    reading, where = _at_one_threshold(material, reading)
    seen = counts_at(material, name, reading)
    curves = material.curves(name)
    if len(curves) == 1:
        rule = ">=" if material.score_set.higher_is_positive else "<="
        made = table_at(curves[0], reading.threshold, rule, said, level, "wilson", reading.corrected)
        note = f"{where}Intervals: {made.note}."
    else:
        share, _ = prevalence_of(material, name)
        fpr, tpr = _attained(material, name, reading)
        made = two_by_two(
            None,
            fpr=fpr,
            tpr=tpr,
            sample_prevalence=share,
            prevalence=said,
            confidence_level=level,
            method="wilson",
        )
        note = where + _note(material, reading)
    own = f"of each {material.unit}"
    return TwoByTwoPart(
        cell=material.wording.cutoff(reading.threshold) if reading.is_shared else own,
        tp=seen.tp,
        fp=seen.fp,
        fn=seen.fn,
        tn=seen.tn,
        measures=tuple(_measure(made, field, title) for field, title in _MEASURES.items()),
        prevalence=float(made.prevalence),
        is_sample_prevalence=made.is_sample_prevalence,
        note=note,
    )


def _at_one_threshold(material: Material, reading: Reading) -> tuple[Reading, str]:
    """The nearer of two thresholds, where the point lies between them: cases are counted at one."""
    between = reading.between
    if between is None or reading.own is None:
        return reading, ""
    nearest = between.nearest(reading.held, reading.fpr if reading.held == "fpr" else reading.tpr)
    own = replace(reading.own, thresholds=np.full_like(reading.own.thresholds, nearest))
    rates = (between.strict_fpr, between.strict_tpr)
    if nearest == between.loose:
        rates = (between.loose_fpr, between.loose_tpr)
    found = replace(reading, threshold=nearest, own=own, fpr=rates[0], tpr=rates[1])
    cutoff = material.wording.cutoff(nearest)
    at = cutoff if math.isfinite(nearest) else f"a cut-off {cutoff}"
    return found, f"At {at}, the nearer of the two. "


def _attained(material: Material, name: str, reading: Reading) -> tuple[float, float]:
    """Mean rates at thresholds that can be set: a point between two of a group's own belongs to neither."""
    if reading.is_shared or reading.own is None:
        return reading.fpr, reading.tpr
    found = at_own_thresholds(material.average(reading.key, name), reading.own.thresholds[:, 0])
    return found.fpr, found.tpr


def _note(material: Material, reading: Reading) -> str:
    units = material.wording.units
    whose = (
        "at this cut-off" if reading.is_shared else f"each {material.wording.unit} at a cut-off of its own"
    )
    what = "Counts" if not material.score_set.columns.has_weights else "Counts (sums of row weights)"
    if reading.key == "pooled":
        return f"{what}: all rows, {whose}. Intervals over {units} are in the table above."
    said = (
        f"{what}: all rows of the {units}, {whose}. The measures are those of the average "
        f"{material.wording.unit}, so they differ from shares of the counts where {units} differ in size."
    )
    if not reading.is_shared:
        said += (
            f" Both are at cut-offs that can be set, so they differ from the row above where that lies "
            f"between two cut-offs of a {material.wording.unit}."
        )
    return said


def _measure(table: TwoByTwo, field: str, title: str) -> Measure:
    value, interval = float(getattr(table, field)), getattr(table, f"{field}_interval")
    low, high = (math.nan, math.nan) if interval is None else (float(interval.low), float(interval.high))
    new = float(getattr(table.corrected, field, math.nan))
    write = _ratio if field.startswith("lr_") else _percent
    limits = ""
    if not math.isnan(low):
        limits = (
            f"{_ratio(low)} to {_ratio(high)}"
            if write is _ratio
            else f"{bare_percent(low, 1)} to {bare_percent(high, 1)} %"
        )
    return Measure(title, value, low, high, write(value), limits, new, "" if math.isnan(new) else write(new))


def _percent(share: float) -> str:
    return percent(share, 1)


def _ratio(number: float) -> str:
    """A likelihood ratio."""
    if math.isnan(number):
        return "undefined"
    return "infinite" if math.isinf(number) else f"{number:.3g}"


def error_notes(material: Material, name: str, reading: Reading) -> tuple[str, ...]:
    """How many errors an error rate rests on: the rule of 3 where none was seen, a word where few were.

    Both take comparisons for independent, which those of one person are not: they are the least that is to
    be said.
    """
    if material.score_set.columns.has_weights or reading.own is None:
        return ()
    seen, level = counts_at(material, name, reading), material.settings.confidence_level
    found = []
    for rate, n_errors, n_cases, cases in (
        ("FMR", seen.fp, seen.fp + seen.tn, material.wording.negatives),
        ("FNMR", seen.fn, seen.fn + seen.tp, material.wording.positives),
    ):
        kind = "false match" if rate == "FMR" else "false non-match"
        if n_errors == 0:
            bound = -math.log(1 - level) / n_cases
            rule = f", about 3/{count(n_cases)} (rule of 3)" if level == _RULE_OF_THREE else ""
            found.append(
                f"No {kind} among {count(n_cases)} {cases}: with {100 * level:g} % confidence the {rate} is "
                f"below {percent(min(bound, 1.0), 1)}{rule}, if comparisons are independent."
            )
        elif n_errors < _FEWEST_ERRORS:
            plural = kind if n_errors == 1 else f"{kind}es"
            found.append(
                f"The {rate} rests on {count(n_errors)} {plural} among {count(n_cases)} {cases}, fewer than "
                f"{_FEWEST_ERRORS}."
            )
    return tuple(found)
