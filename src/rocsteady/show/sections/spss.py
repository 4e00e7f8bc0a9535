"""SPSS's tables of a curve in its order, headings and digits; how the curve is made; and a lesson of both."""

from __future__ import annotations

from rocsteady.curves.spss import Construction, SpssTables
from rocsteady.show.document import Block, Table
from rocsteady.show.sentences import spss as sentences
from rocsteady.text import FPR, TPR, Count, Cut, Item, Name, Quote, Rate, Spss, Text, phrase

_MOST = 40
"""Rows of a long table that a page or a terminal shows at first."""


def tables(found: SpssTables, *, most: int | None = None) -> list[Block]:
    """All tables, with their footnotes."""
    return [*groups(found), *cases(found), *area(found), *coordinates(found, most=most)]


def groups(found: SpssTables) -> list[Block]:
    """Group Statistics: means with two decimals more than the variable has, deviations with three."""
    own, places = found.groups, found.decimals
    rows: list[tuple[Item, ...]] = []
    for i, name in enumerate(own.names):
        numbers = (own.n[i], 0), (own.mean[i], places + 2), (own.sd[i], places + 3)
        spelled = (Spss(float(x), n) for x, n in (*numbers, (own.standard_error[i], places + 3)))
        rows.append((Quote(found.variable if i == 0 else ""), Quote(name), *spelled))
    heads = (phrase(""), phrase("{state}", state=Quote(found.state)), *sentences.OF_GROUPS)
    return [Table(sentences.GROUPS, heads, tuple(rows))]


def cases(found: SpssTables) -> list[Block]:
    """Case Processing Summary: how many cases, and which direction and class are positive."""
    own = zip(sentences.OF_CASES, reversed(found.groups.n.tolist()), strict=True)
    rows = tuple((name, Spss(float(n), 0)) for name, n in own)
    heads = (phrase("{state}", state=Quote(found.state)), sentences.VALID)
    notes = (sentences.direction(found), sentences.state(found))
    return [Table(sentences.CASES, heads, rows, notes=notes)]


def area(found: SpssTables) -> list[Block]:
    """Area Under the Curve; the null test's own standard error is not among the numbers."""
    own = found.area
    numbers = (own.area, own.standard_error, own.pvalue, own.interval.low, own.interval.high)
    over = ((phrase(""), 3), (sentences.level(own.interval.confidence_level), 2))
    row = tuple(Spss(x, 3) for x in numbers)
    notes = (*sentences.ties(found, of_area=True), sentences.NONPARAMETRIC, sentences.NULL)
    title = sentences.captioned(sentences.AREA, found)
    return [Table(title, sentences.OF_AREA, (row,), over=over, notes=notes)]


def coordinates(found: SpssTables, *, most: int | None = None) -> list[Block]:
    """Coordinates of the Curve, the smallest cut-off first."""
    own = found.coordinates
    columns = (own.cutoffs.tolist(), own.sensitivity.tolist(), own.one_minus_specificity.tolist())
    rows = tuple(
        (Spss(cutoff, found.decimals + 2), Spss(tpr, 3), Spss(fpr, 3))
        for cutoff, tpr, fpr in zip(*columns, strict=True)
    )
    heads = (sentences.rule(found), *sentences.RATES)
    notes = (*sentences.ties(found, of_area=False), sentences.CUT_OFFS)
    title = sentences.captioned(sentences.COORDINATES, found)
    return [Table(title, heads, rows, name="coordinates", most=most, notes=notes)]


def construction(found: Construction, *, most: int | None = None) -> list[Block]:
    """How the curve is made, a row for each step."""
    columns = (found.tp, found.fp, found.tn, found.fn, found.tpr, found.fpr)
    rows: list[tuple[Item, ...]] = []
    for i, (tp, fp, tn, fn, tpr, fpr) in enumerate(zip(*(own.tolist() for own in columns), strict=True)):
        counts = (Count(n) for n in (tp, fp, tn, fn))
        cut = Cut(float(found.thresholds[i]))
        rows.append((cut, sentences.cases_at(found, i), *counts, Rate(TPR, tpr), Rate(FPR, fpr)))
    named: tuple[Text, ...] = tuple(phrase("{name}", name=Name(own)) for own in (TPR, FPR))
    heads = (phrase("{threshold}"), phrase("cases"), *map(phrase, ("TP", "FP", "TN", "FN")), *named)
    about = sentences.ABOUT_CONSTRUCTION
    return [Table(about, heads, tuple(rows), name="construction", most=most)]
