"""Several classes: the answer, errors beside equal weights, mistakes, the search, areas, the data."""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np

from rocsteady.class_study import CHOSEN, EQUAL, ClassStudy
from rocsteady.figures.class_errors import picture as errors_picture
from rocsteady.show.citing import program_version, spelled
from rocsteady.show.document import Beside, Block, Command, Facts, Figure, Fold, Heading, Items, Table
from rocsteady.show.sections import class_surface
from rocsteady.show.sections import data as data_section
from rocsteady.show.sentences import classes as sentences
from rocsteady.show.sentences import methods as method_sentences
from rocsteady.text import (
    AUC,
    ERROR,
    PRECISION,
    Count,
    Group,
    Item,
    Limits,
    Number,
    Quote,
    Rate,
    Reference,
    Text,
    paragraph,
    phrase,
    say,
)

_MOST_POINTS, _MOST_FOLDS = 12, 12
"""Rows that a table of the page has at first."""
_MOST_PAIRED = 12
"""Classes whose pairs are tabled."""
_MOST_IN_COLUMNS = 8
"""Classes whose errors each have a column in the table of points."""

Row = tuple[Text, Item, Text | None]


def meta(study: ClassStudy) -> list[Text]:
    """What the page is about, below its title."""
    rows = study.scores
    return sentences.meta(rows.n_rows, len(rows.folds), study.unit, study.confidence_level, rows.design)


# The answer --------------------------------------------------------------------------------------------


def answer(study: ClassStudy) -> list[Block]:
    """The largest class error to expect, the weights, and beside them the errors of all points."""
    stacked = study.errors.stacked
    here, there = int(np.nanargmax(stacked[CHOSEN])), int(np.nanargmax(stacked[EQUAL]))
    equal = Rate(ERROR, float(stacked[EQUAL, there])), study.class_words[there]
    nested = None if study.given is not None else study.search.nested
    worst = Rate(ERROR, float(stacked[CHOSEN, here])), study.class_words[here]
    if nested is None:
        lead = sentences.on_these_rows(study.origin, *worst, *equal, study.limits)
    else:
        place = int(np.nanargmax(nested.stacked))
        largest = Rate(ERROR, float(nested.stacked[place])), study.class_words[place]
        lead = sentences.expected(*largest, *equal, study.unit, study.limits)
    found = [lead, *([sentences.best_possible(_searched(study))] if study.given is not None else [])]
    beside = EQUAL, sentences.EQUAL
    figure = Figure(errors_picture(study.table, comparison=study.comparison, beside=beside))
    return [Beside(((*found, Facts(tuple(_facts(study)))), (figure,)))]


def _searched(study: ClassStudy) -> Rate:
    return Rate(ERROR, study.search.best.max_error)


def _facts(study: ClassStudy) -> list[Row]:
    """The numbers to act on."""
    stacked, names = study.errors.stacked, study.class_words
    nested = None if study.given is not None else study.search.nested
    shown = sentences.weights(names, study.weights, study.digits)
    rows: list[Row] = [(say("class weights"), shown, sentences.ORIGINS[study.origin])]
    for name, most in study.limits.items():
        place = names.index(name)
        elsewhere = None if nested is None else Rate(ERROR, float(nested.stacked[place]))
        here = Rate(ERROR, float(stacked[CHOSEN, place]))
        rows.append((sentences.constraint(name, most), sentences.kept(name, most, here, elsewhere), None))
    for title, point in ((say("largest class error, these cases"), CHOSEN), (say("equal weights"), EQUAL)):
        place = int(np.nanargmax(stacked[point]))
        value, which = Rate(ERROR, float(stacked[point, place])), sentences.a_class(names[place])
        rows.append((title, value, which))
    if nested is not None:
        place = int(np.nanargmax(nested.stacked))
        value = Rate(ERROR, float(nested.stacked[place]))
        rows.insert(-1, (say("the same on other {units}"), value, sentences.a_class(names[place])))
    area = study.auc("hand-till")
    rows.append((say("AUC (Hand and Till)"), Rate(AUC, area.mean, study.auc_interval("hand-till")), None))
    return rows


# Errors ------------------------------------------------------------------------------------------------


def errors(study: ClassStudy) -> list[Block]:
    """The error of every class at the weights in use, beside that of equal weights."""
    found, limits, level = study.errors, study.error_intervals, study.confidence_level
    nested = None if study.given is not None else study.search.nested
    is_folded = len(study.scores.folds) > 1
    rows = []
    for c, name in enumerate(study.class_words):
        row: list[Item] = [Quote(name), Number(float(study.weights[c]), study.digits)]
        row.append(Rate(ERROR, float(found.stacked[CHOSEN, c])))
        if is_folded:
            interval = Limits(float(limits.low[CHOSEN, c]), float(limits.high[CHOSEN, c]), level)
            row.append(Rate(ERROR, float(found.mean[CHOSEN, c]), interval))
            row.append(Rate(ERROR, float(found.standard_error[CHOSEN, c])))
        row += [] if nested is None else [Rate(ERROR, float(nested.stacked[c]))]
        row.append(Rate(ERROR, float(found.stacked[EQUAL, c])))
        rows.append(tuple(row))
    heads = sentences.heads_of_errors(is_folded=is_folded, has_nested=nested is not None)
    n_folds = len(study.scores.folds)
    caption = sentences.about_errors(n_folds, study.unit, level, has_nested=nested is not None)
    return [Table(caption, tuple(heads), tuple(rows), name="class-errors"), sentences.rounded(study.digits)]


# Mistakes ----------------------------------------------------------------------------------------------


def confusion(study: ClassStudy) -> list[Block]:
    """The confusion matrix with totals, recall and precision, and the commonest mistake."""
    found, names = study.confusion(), study.class_words
    counts = np.asarray(found.counts)
    rows: list[tuple[Item, ...]] = []
    for c, name in enumerate(names):
        cells = [Count(float(own)) for own in (*counts[c], found.row_totals[c])]
        rates = Rate(sentences.RECALL, float(found.recall[c])), Rate(PRECISION, float(found.precision[c]))
        rows.append((Quote(name), *cells, *rates))
    totals = [Count(float(own)) for own in (*found.column_totals, found.total)]
    rows.append((sentences.TOTAL, *totals, None, None))
    wrong = counts - np.diag(np.diag(counts))
    i, j = np.unravel_index(int(wrong.argmax()), wrong.shape)
    said = sentences.confused(names[i], names[j], int(wrong[i, j]), float(wrong[i, j] / found.row_totals[i]))
    caption = sentences.about_confusion(len(study.scores.folds), study.unit)
    return [said, Table(caption, sentences.heads_of_confusion(names), tuple(rows), name="confusion")]


# The search --------------------------------------------------------------------------------------------


def search(study: ClassStudy) -> list[Block]:
    """How weights were found, what no weights can beat, and which others are as good."""
    found, said = study.search, []
    said.append(sentences.searched(found))
    if study.exact is not None:
        said.append(sentences.exact(study.exact, found))
    if study.free is not None:
        bound = study.exact if study.is_exact and study.exact is not None else found
        limited = [study.class_words.index(name) for name in study.limits]
        said.append(sentences.cost_of_constraint(study.free.best, bound.best, limited))
    if found.nested is None:
        said.append(sentences.no_nested(study.refused.get("nested")))
    elif study.is_exact:
        said.append(sentences.OTHERS_BY_GREEDY)
    return [paragraph(*said), *_nested(study), *_neighbourhood(study)]


def _nested(study: ClassStudy) -> list[Block]:
    """The weights that were chosen without each fold, and what they do there; folded."""
    nested = study.search.nested
    if nested is None:
        return []
    names = study.class_words
    rows: list[tuple[Item, ...]] = [
        (Group(fold), sentences.weights(names, weights), *(Rate(ERROR, float(own)) for own in errors))
        for fold, weights, errors in zip(nested.folds, nested.class_weights, nested.errors, strict=True)
    ]
    table = Table(None, sentences.heads_of_nested(names), tuple(rows), name="nested", most=_MOST_FOLDS)
    return [Fold(sentences.NESTED_TITLE, (table,))]


def _neighbourhood(study: ClassStudy) -> list[Block]:
    """Which points cannot be told apart from the one in use, and by which classes the others differ."""
    tests = study.comparison
    if tests is None:
        return []
    names, n_folds = study.class_words, len(study.scores.folds)
    separated = np.asarray(tests.separated_by)
    by_class = dict(zip(names, separated.sum(axis=0).tolist(), strict=True))
    n_alike = tests.neighbourhood.size - 1
    said = sentences.neighbourhood(n_alike, study.table.n_points - 1, by_class, tests, study.unit, n_folds)
    equal = sentences.equal_weights([names[c] for c in np.flatnonzero(separated[EQUAL])])
    has_columns = len(names) <= _MOST_IN_COLUMNS
    heads = [say("point"), *(sentences.errors_of(names) if has_columns else ()), *sentences.HEADS_OF_POINTS]
    mean = study.errors.mean
    rows = []
    for k in range(study.table.n_points):
        own = [Rate(ERROR, float(x)) for x in mean[k]]
        summary = Rate(ERROR, float(np.nanmax(mean[k]))), Rate(ERROR, float(np.nanmean(mean[k])))
        rows.append((_named(k), *(own if has_columns else ()), *summary, _differs(study, k)))
    caption = sentences.about_points(n_folds, study.unit)
    table = Table(caption, tuple(heads), tuple(rows), name="class-weights", sorts=True, most=_MOST_POINTS)
    return [paragraph(said, equal), Fold(sentences.POINTS_TITLE, (table,))]


def _named(point: int) -> Item:
    own = {CHOSEN: sentences.IN_USE, EQUAL: sentences.EQUAL}.get(point)
    return (
        phrase("{n}", n=Count(point + 1))
        if own is None
        else phrase("{n}: {own}", n=Count(point + 1), own=own)
    )


def _differs(study: ClassStudy, point: int) -> Item:
    tests = study.comparison
    assert tests is not None
    if point == CHOSEN:
        return None
    if point in tests.untested:
        return sentences.NOT_TESTED
    found = np.flatnonzero(tests.separated_by[point]).tolist()
    if not found:
        return sentences.NOT_DIFFERENT
    return sentences.classes(study.class_words[c] for c in found)


# Three errors in space ---------------------------------------------------------------------------------


def surface(study: ClassStudy) -> list[Block]:
    """The errors of three classes at points spread over all trade-offs; none of two classes."""
    if study.scores.n_classes < 3:
        return []
    return [class_surface.block(study.table, study.comparison, words=study.words)]


# Areas -------------------------------------------------------------------------------------------------


def areas(study: ClassStudy) -> list[Block]:
    """Hand and Till's AUC and its pairs; every class against all others."""
    found, level, names = study.auc("hand-till"), study.confidence_level, study.class_words
    said = sentences.hand_till(found, study.auc_interval("hand-till"))
    is_of_all = len(found.folds) == 1 < len(study.scores.folds) and not found.undefined
    left_out = sentences.left_out(found.undefined, study.unit, is_of_all=is_of_all)
    rest, (low, high) = study.auc("one-versus-rest"), study.part_intervals("one-versus-rest")
    rows: list[tuple[Item, ...]] = [
        (Quote(name), Rate(AUC, float(rest.parts[c]), Limits(float(low[c]), float(high[c]), level)))
        for c, name in enumerate(names)
    ]
    mean = Rate(AUC, rest.mean, study.auc_interval("one-versus-rest"))
    rows.append((sentences.MEAN, mean))
    blocks: list[Block] = [
        paragraph(said, left_out),
        Table(
            sentences.about_one_versus_rest(level),
            (say("class"), phrase("AUC")),
            tuple(rows),
            name="one-versus-rest",
        ),
    ]
    return [*blocks, *_pairs(study)]


def _pairs(study: ClassStudy) -> list[Block]:
    """How well each pair of classes is told apart, folded."""
    names = study.class_words
    if not 2 < len(names) <= _MOST_PAIRED:
        return []
    found, level, (low, high) = (
        study.auc("hand-till"),
        study.confidence_level,
        study.part_intervals("hand-till"),
    )
    rows = [
        (
            Quote(name),
            *(
                None
                if i == j
                else Rate(AUC, float(found.parts[i, j]), Limits(float(low[i, j]), float(high[i, j]), level))
                for j in range(len(names))
            ),
        )
        for i, name in enumerate(names)
    ]
    heads = (say("class"), *(phrase("{name:short}", name=Quote(own)) for own in names))
    table = Table(sentences.about_pairs(level), heads, tuple(rows), name="pairs")
    return [Fold(sentences.PAIRS_TITLE, (table,))]


# Data and methods --------------------------------------------------------------------------------------


def data(study: ClassStudy) -> list[Block]:
    """What was read, what the outputs are, cases of each class, and every warning once; to be made last."""
    found = study.check
    blocks: list[Block] = [Items(tuple(sentences.data(found, study.scores.source, study.unit)))]
    rows: list[tuple[Item, ...]] = [
        (Group(fold), *(Count(int(n)) for n in own), Count(int(own.sum())))
        for fold, own in zip(found.folds, found.cases, strict=True)
    ]
    if len(found.folds) < 2:
        rows = [(sentences.TOTAL, *row[1:]) for row in rows]
    else:
        together = found.cases.sum(axis=0)
        rows.append((sentences.TOTAL, *(Count(int(n)) for n in together), Count(found.n_rows)))
    heads = sentences.heads_of_cases(study.class_words)
    blocks.append(Table(sentences.ABOUT_CASES, heads, tuple(rows), name="cases", most=_MOST_FOLDS + 1))
    findings = data_section.each_once(found.findings, study.warnings)
    names = (*found.folds, *study.class_words)
    return [*blocks, *data_section.notes(findings, study, names)]


def methods(study: ClassStudy) -> list[Block]:
    """Text to paste, references, and how to make it again; folded."""
    rows, n_folds = study.scores, len(study.scores.folds)
    has_nested = study.given is None and study.search.nested is not None
    text, keys = method_sentences.together(
        [
            sentences.used(study.class_words, rows.n_rows, n_folds, study.unit, rows.design),
            sentences.deciding(study.origin, study.limits),
            sentences.judging(
                n_folds, study.unit, study.confidence_level, rows.design, has_nested=has_nested
            ),
            sentences.ranking(),
            (method_sentences.software(program_version(), study.seed), ()),
        ]
    )
    references = (phrase("{text}", text=Reference(spelled(key))) for key in keys)
    blocks: list[Block] = [text, Heading(method_sentences.REFERENCES_TITLE), Items(tuple(references))]
    if study.command:
        blocks += [Heading(method_sentences.AGAIN_TITLE), Command(tuple(shlex.split(study.command)))]
    return [Fold(method_sentences.TITLE, tuple(blocks))]


MAKERS: dict[str, Any] = {
    "answer": answer,
    "errors": errors,
    "confusion": confusion,
    "search": search,
    "surface": surface,
    "areas": areas,
    "data": data,
    "methods": methods,
}
"""In the order of the page."""
SHORT = ("answer", "errors", "confusion", "data")
