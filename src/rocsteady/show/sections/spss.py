"""SPSS's tables in its order, headings and digits; how a curve is made; and a lesson of all that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rocsteady.curves.spss import Construction, SpssTables
from rocsteady.figures.cutoffs import MARKS as CUTOFF_MARKS
from rocsteady.figures.cutoffs import picture as cutoffs_picture
from rocsteady.figures.densities import picture as densities_picture
from rocsteady.figures.roc import MOST_STEPS
from rocsteady.figures.roc import picture as curve_picture
from rocsteady.show.document import Beside, Block, Figure, Heading, Section, Table
from rocsteady.show.sections import points
from rocsteady.show.sentences import spss as sentences
from rocsteady.study import Study
from rocsteady.text import FPR, TPR, Count, Item, Model, Name, Quote, Rate, Spss, Text, phrase

_MOST_ROWS = 41
"""Of a table that is shown whole; of a longer one its ends, and what is around the cut-offs."""
_FIRST = 4
_AROUND = 8
_MOST_CUTS = 3
"""Cut-offs in one picture of the scores."""
_MOST_MARKS = len(CUTOFF_MARKS)


def tables(found: SpssTables) -> list[Block]:
    """All tables, with their footnotes."""
    return [*groups(found), *cases(found), *area(found), *coordinates(found)]


def groups(found: SpssTables) -> list[Block]:
    """Group Statistics: means with two decimals more than the variable has, deviations with three.

    SPSS writes the variable beside its first group.
    """
    own, places = found.groups, found.decimals
    rows: list[tuple[Item, ...]] = []
    for i, name in enumerate(own.names):
        numbers = (own.n[i], 0), (own.mean[i], places + 2), (own.sd[i], places + 3)
        spelled = (Spss(float(x), n) for x, n in (*numbers, (own.standard_error[i], places + 3)))
        rows.append((None if i else Quote(found.variable), Quote(name), *spelled))
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


def coordinates(found: SpssTables, *, most: tuple[int, ...] | None = None) -> list[Block]:
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


def construction(found: Construction, *, most: tuple[int, ...] | None = None) -> list[Block]:
    """How the curve is made, a row for each step."""
    columns = (found.tp, found.fp, found.tn, found.fn, found.tpr, found.fpr)
    rows: list[tuple[Item, ...]] = []
    scores = sentences.scores(found)
    for i, (tp, fp, tn, fn, tpr, fpr) in enumerate(zip(*(own.tolist() for own in columns), strict=True)):
        counts = (Count(n) for n in (tp, fp, tn, fn))
        rows.append((scores[i], sentences.cases_at(found, i), *counts, Rate(TPR, tpr), Rate(FPR, fpr)))
    named: tuple[Text, ...] = tuple(phrase("{name}", name=Name(own)) for own in (TPR, FPR))
    heads = (phrase("score"), phrase("cases"), *map(phrase, ("TP", "FP", "TN", "FN")), *named)
    about = sentences.ABOUT_CONSTRUCTION
    return [Table(about, heads, tuple(rows), name="construction", most=most)]


# A lesson -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lesson:
    """A study of one dataset, and what its columns are called.

    Attributes
    ----------
    study : Study
    state : str
        The column of labels.
    variables : sequence of str
        The column of scores of each model.
    decimals : int
        Of the scores, in SPSS.
    """

    study: Study
    state: str = ""
    variables: tuple[str, ...] = ()
    decimals: int = 2

    def spss(self, model: str) -> SpssTables:
        """The tables of a model."""
        return self.study.spss(model, variable=self.variable(model), state=self.state, decimals=self.decimals)

    def variable(self, model: str) -> str:
        """The column of its scores."""
        return dict(zip(self.study.models, self.variables, strict=False)).get(model, "")

    def rows(self, model: str, *, is_printed: bool = False) -> tuple[int, ...] | None:
        """The steps of a long table that are shown at first; ``is_printed`` in the order of SPSS."""
        made = self.study.construction(model)
        n = made.n_steps
        if n < _MOST_ROWS:
            return None
        places = points.places(self.study)[:_MOST_CUTS]
        steps = [made.step_at(self.study.cutoff(model, own).threshold) for own in places]
        if is_printed and made.higher_is_positive:
            steps = [n - own for own in steps]
        near = {row for own in steps for row in range(own - _AROUND, own + _AROUND + 1)}
        return tuple(sorted(near & {*range(n + 1)} | {*range(_FIRST), n}))

    def sections(self) -> Iterator[tuple[Section, list[Block]]]:
        """The parts of the lesson, each with its blocks for every model."""
        for ident, make in _PARTS.items():
            part = Section(ident, sentences.LINKS[ident], sentences.TITLES[ident], lambda _: [])
            blocks: list[Block] = []
            for model in self.study.models:
                name = [Heading(phrase("{own}", own=Model(model)))] if len(self.study.models) > 1 else []
                blocks += [*name, *make(self, model)]
            yield part, blocks

    def blocks(self) -> list[Block]:
        """All parts one after the other."""
        return [block for own, made in self.sections() for block in (Heading(own.title), *made)]


def _scores(lesson: Lesson, model: str) -> list[Block]:
    """Both classes along the scores, with the cut-offs that are looked at."""
    study = lesson.study
    cuts = [study.cutoff(model, place) for place in points.places(study)[:_MOST_CUTS]]
    options: dict[str, Any] = {"curve": False, "kind": "overlaid", "variable": lesson.variable(model)}
    picture = densities_picture(study.densities(model), thresholds=cuts, **options)
    tables = lesson.spss(model)
    figure = Figure(picture, sentences.ABOUT_SCORES)
    return [Beside(((figure,), (*groups(tables), *cases(tables))))]


def _steps(lesson: Lesson, model: str) -> list[Block]:
    """The table, and the curve with an arrow for each step."""
    found, curve = lesson.study.construction(model), lesson.study.curves(model)[0]
    picture = curve_picture({model: curve}, steps=found.n_steps <= MOST_STEPS)
    figure = Figure(picture, sentences.about_steps(found))
    table = construction(found, most=lesson.rows(model))
    return [Beside(((figure,), tuple(table)))] if found.n_steps <= MOST_STEPS else [figure, *table]


def _area(lesson: Lesson, model: str) -> list[Block]:
    """SPSS's, and the interval to report."""
    found = lesson.spss(model)
    weights = [sentences.FREQUENCIES] if found.is_weighted else []
    return [*area(found), sentences.own_interval(*lesson.study.area(model)), *weights]


def _coordinates(lesson: Lesson, model: str) -> list[Block]:
    return coordinates(lesson.spss(model), most=lesson.rows(model, is_printed=True))


def _cutoff(lesson: Lesson, model: str) -> list[Block]:
    """Where they lie on the curve, and the 2 x 2 table of each."""
    study, named = lesson.study, lesson.variable(model)
    cuts = {place: study.cutoff(model, place) for place in points.places(study)}
    seen = list(cuts.values())[:_MOST_MARKS]
    picture = cutoffs_picture(study.curves(model)[0], seen, model=model)
    found: list[Block] = [Figure(picture, sentences.about_cutoffs(cuts))]
    for place, cut in cuts.items():
        found += [sentences.at(place, cut, named), *points.two_by_two(study, model, place)]
    return found


_PARTS: dict[str, Callable[[Lesson, str], list[Block]]] = {
    "scores": _scores,
    "construction": _steps,
    "area": _area,
    "coordinates": _coordinates,
    "cutoff": _cutoff,
}
