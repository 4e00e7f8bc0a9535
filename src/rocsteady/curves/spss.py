"""What is taught of a curve: SPSS's tables of it, and how it is made, step by step.

Here are the numbers; headings, footnotes and digits of SPSS are in ``show/sections/spss.py``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rocsteady.arrays import Counts, Floats
from rocsteady.curves.intervals import NullTest, is_short
from rocsteady.curves.readings import Coordinates
from rocsteady.errors import Option, fail, warn
from rocsteady.options import open_share, whole_number
from rocsteady.results import Result, TableResult
from rocsteady.scores.labels import NO_WORDS
from rocsteady.showing import Printed
from rocsteady.statistics.limits import Interval, t_quantile

USUAL_DECIMALS = 2
"""Of a numeric variable in SPSS, unless somebody changes them in its Variable View."""
MOST_DECIMALS = 12


@dataclass(frozen=True, eq=False, repr=False)
class SpssGroups(TableResult):
    """SPSS's table "Group Statistics": the negatives, then the positives.

    Attributes
    ----------
    names : tuple of str
        The classes.
    n : int64 array
    mean, sd, standard_error : float64 array
        Of the scores; the standard error is that of the mean. NaN for the spread of a single case.
    """

    names: tuple[str, ...]
    n: Counts
    mean: Floats
    sd: Floats
    standard_error: Floats

    _line = "{n:count group}"
    _in_frame = "group=names, n, mean, sd, standard_error"


@dataclass(frozen=True, eq=False, repr=False)
class SpssArea(TableResult):
    """SPSS's table "Area Under the Curve".

    Attributes
    ----------
    area : float
    standard_error : float
        "Under the nonparametric assumption": Hanley & McNeil's with Q1 and Q2 counted.
    interval : Interval
        The area and so many of these standard errors to either side, cut at 0 and 1.
    null_test : NullTest
        Of "true area = 0.5". Its standard error is another one, that under this hypothesis, which SPSS does
        not print: the area less 0.5 over ``standard_error`` is not its statistic.
    """

    area: float
    standard_error: float
    interval: Interval
    null_test: NullTest

    _line = "{area:.3f}, standard error {standard_error:.4f}, p = {pvalue:.3g}"
    _told: ClassVar = ("pvalue",)
    _in_frame = "area, standard_error, pvalue, interval.low, interval.high"

    @property
    def pvalue(self) -> float:
        """SPSS's "Asymptotic Sig."."""
        return self.null_test.pvalue


@dataclass(frozen=True, eq=False, repr=False)
class SpssTables(Printed, Result, tables="spss.tables"):
    """The tables that SPSS prints of a ROC curve; ``print`` shows them as SPSS does.

    Attributes
    ----------
    groups : SpssGroups
        "Group Statistics".
    area : SpssArea
        "Area Under the Curve".
    coordinates : Coordinates
        "Coordinates of the Curve".
    variable, state : str
        What SPSS calls the test result variable and the state variable.
    positive, negative : str
        The classes.
    has_ties : bool
        Whether a score occurs in both classes, of which SPSS warns.
    higher_is_positive : bool
        Whether larger scores speak for the positive class.
    is_weighted : bool
        Whether rows had weights, which SPSS takes for frequencies.
    decimals : int
        Those of the test result variable in SPSS: means and cut-offs have two more, deviations three.
    """

    groups: SpssGroups
    area: SpssArea
    coordinates: Coordinates
    variable: str
    state: str
    positive: str
    negative: str
    has_ties: bool
    higher_is_positive: bool
    is_weighted: bool
    decimals: int

    _line = "{variable}: {groups.n[1]} {positive}, {groups.n[0]} {negative}, area {area.area:.3f}"


@dataclass(frozen=True, eq=False, repr=False)
class Construction(Printed, TableResult, tables="spss.construction"):
    """How a curve is made: one step for each distinct score, the strictest threshold first.

    Cases with the same score are one step, whatever their classes: no threshold lies between them.

    Attributes
    ----------
    thresholds : float64 array
        The distinct scores; the first is infinite and calls nothing positive.
    positives, negatives : int64 array (float64 if weighted)
        Cases with that score.
    tp, fp, tn, fn : int64 array (float64 if weighted)
        Decisions at the threshold.
    fpr, tpr : float64 array
        The point of the curve.
    positive, negative : str
        The classes.
    higher_is_positive : bool
    """

    thresholds: Floats
    positives: Counts
    negatives: Counts
    tp: Counts
    fp: Counts
    tn: Counts
    fn: Counts
    fpr: Floats
    tpr: Floats
    positive: str
    negative: str
    higher_is_positive: bool

    _line = "{n_steps:count step}, {tied} with cases of both classes"
    _in_frame = "thresholds, positives, negatives, tp, fp, tn, fn, fpr, tpr"

    @property
    def n_steps(self) -> int:
        """Distinct scores."""
        return self.thresholds.size - 1

    def step_at(self, threshold: float) -> int:
        """The step of a threshold: the row with its decisions."""
        passed = self.thresholds >= threshold if self.higher_is_positive else self.thresholds <= threshold
        return max(int(np.count_nonzero(passed)) - 1, 0)

    @property
    def tied(self) -> int:
        """Steps with cases of both classes, which are diagonal."""
        return int(np.count_nonzero((self.positives > 0) & (self.negatives > 0)))


def spss_tables(
    curve: Any,
    *,
    variable: str,
    state: str,
    positive: str,
    negative: str,
    decimals: int,
    confidence_level: float,
) -> SpssTables:
    """The tables of a curve: its counts tell the scores of its cases."""
    level = open_share("confidence_level", confidence_level)
    decimals = whole_number("decimals", decimals, least=0, example=USUAL_DECIMALS)
    if decimals > MOST_DECIMALS:
        where = f"a whole number from 0 to {MOST_DECIMALS}"
        raise fail("RS042", name="decimals", where=where, found=decimals, ways=[Option("decimals", 2)])
    names = (
        ("variable", variable, curve.name or "score"),
        ("state", state, "label"),
        *zip(("positive", "negative"), (positive, negative), _class_names(curve), strict=True),
    )
    called = {name: _text(name, given) or usual for name, given, usual in names}
    rows = _with_frequencies(_require_scores(curve))
    error = rows.auc_standard_error("nonparametric")
    low, high = map(float, spss_limits(rows.auc, error, level))
    if rows.auc in (0, 1):
        warn("RS151.spss", auc=rows.auc)
    n_positives, n_negatives = rows.n_positives, rows.n_negatives
    if is_short("nonparametric", n_positives, n_negatives, rows.auc).any():
        warn("RS155.spss", n_positives=n_positives, n_negatives=n_negatives, auc=rows.auc)
    limits, made = Interval(low, high, level, "nonparametric"), construction(rows)
    return SpssTables(
        groups=_groups(made, (called["negative"], called["positive"])),
        area=SpssArea(float(rows.auc), error, limits, rows.auc_null_test("nonparametric")),
        coordinates=rows.coordinates(),
        **called,
        has_ties=made.tied > 0,
        higher_is_positive=curve.higher_is_positive,
        is_weighted=curve.is_weighted,
        decimals=decimals,
    )


def spss_limits(auc: Any, standard_error: Any, confidence_level: float) -> tuple[Any, Any]:
    """SPSS's limits of an area: normal, symmetric, cut at 0 and 1; of separated classes they have no width.

    >>> round(float(spss_limits(0.955, 0.0072, 0.95)[1]), 3)
    0.969
    """
    half = t_quantile(np.inf, confidence_level) * standard_error
    return np.clip(auc - half, 0, 1), np.clip(auc + half, 0, 1)


def construction(curve: Any, positive: str = "", negative: str = "") -> Construction:
    """The steps of a curve."""
    called = {"positive": _text("positive", positive), "negative": _text("negative", negative)}
    usual = zip(called, _class_names(_require_scores(curve)), strict=True)
    tp, fp = curve.true_positives, curve.false_positives
    return Construction(
        curve.thresholds,
        np.diff(tp, prepend=tp[:1]),
        np.diff(fp, prepend=fp[:1]),
        tp, fp, fp[-1] - fp, tp[-1] - tp,
        curve.fpr,
        curve.tpr,
        **{name: called[name] or own for name, own in usual},
        higher_is_positive=curve.higher_is_positive,
    )  # fmt: skip


def _class_names(curve: Any) -> tuple[str, str]:
    """What the labels called the classes; nothing but that where only counts are known."""
    classes = curve._classes or NO_WORDS
    return str(classes.positive), str(classes.negative)


def _text(name: str, given: Any) -> str:
    """RS002 unless it is a text."""
    if not isinstance(given, str):
        raise fail(
            "RS002.kind", name=name, kind="a text", found=f"{given!r:.60}", ways=[Option(name, str(given))]
        )
    return given


def _require_scores(curve: Any) -> Any:
    """RS406 for counts in cells, where single scores are needed; RS002 for a hull, which left some out."""
    if curve.bounds is not None:
        raise fail("RS406.teaching", curve=curve)
    if curve._is_hull:
        raise fail("RS002.hull-rows")
    return curve


def _with_frequencies(curve: Any) -> Any:
    """A weighted curve as SPSS weights cases: a row counts so many times; RS038 for parts of a case."""
    if not curve.is_weighted:
        return curve
    weights = None if curve._rows is None else curve._rows.sample_weight
    counts = (curve.true_positives, curve.false_positives)
    whole = all((own == np.rint(own)).all() for own in (*counts, *(() if weights is None else (weights,))))
    if not whole or max(own[-1] for own in counts) > 2**53:
        raise fail("RS038.frequencies", curve=curve)
    tp, fp = (own.astype(np.int64) for own in counts)
    return replace(curve, true_positives=tp, false_positives=fp, _rows=None)


def _groups(made: Construction, names: tuple[str, str]) -> SpssGroups:
    """Mean and spread of either class: every score as often as it occurs."""
    rows = [_mean_and_sd(made.thresholds[1:], own[1:]) for own in (made.negatives, made.positives)]
    n, mean, sd = (np.array(column) for column in zip(*rows, strict=True))
    return SpssGroups(names, n, mean, sd, sd / np.sqrt(n))


def _mean_and_sd(scores: Floats, counts: Counts) -> tuple[int, float, float]:
    """In units of the largest score, so that no sum overflows; an infinite score leaves no spread."""
    occurs = counts > 0
    scores, counts = scores[occurs].astype(np.float64), counts[occurs]
    if not np.isfinite(scores).all():
        with np.errstate(invalid="ignore"):  # inf - inf
            return int(counts.sum()), float(scores.sum()), np.nan
    n, unit = int(counts.sum()), math.ldexp(1.0, math.frexp(float(np.abs(scores).max()))[1] - 1)
    own = scores / unit
    mean = float((own * counts).sum()) / n
    squares = float((counts * (own - mean) ** 2).sum())
    return n, mean * unit, math.sqrt(squares / (n - 1)) * unit if n > 1 else np.nan
