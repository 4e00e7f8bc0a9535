"""A value in one cell of a notebook: what it is and means, a small picture, some rows, notes folded away.

No script, no style sheet, no request, and fewer than 60 000 bytes whatever the value holds, so that it
survives sites that show notebooks. Everything that came from data is escaped by the templates.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
from markupsafe import Markup

from rocsteady.answers import Answers
from rocsteady.averaging.base import Average
from rocsteady.averaging.directional import DirectionalAverage, SmrocAverage
from rocsteady.class_study import ClassStudy
from rocsteady.curves.readings import CostCurve, DetCurve, PrecisionRecallCurve
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.smroc import SmrocCurve, SmrocCurves
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.inference.differences import Comparison
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
from rocsteady.readers.curves import ReaderAverageCurve
from rocsteady.scores.score_set import ScoreSet
from rocsteady.show.document import Table, flat
from rocsteady.show.html import fragment, templates
from rocsteady.show.tables import html, rows_of
from rocsteady.showing import Printed, tables_of
from rocsteady.text import (
    AUC,
    FPR,
    TPR,
    Count,
    Item,
    Level,
    Limits,
    Name,
    Quote,
    Rate,
    Text,
    Words,
    phrase,
    say,
    words_of,
)
from rocsteady.words import counted, printable

READ_AT = (0.01, 0.05, 0.1, 0.2, 0.5)
"""False positive rates at which a curve is read: its first vertices would say nothing."""
FAILED = "a part of this page could not be made"
_LEVEL = 0.95
_LONGEST = 32
"""Letters of a cell."""
_MOST_NOTES = 6
_MOST_BYTES = {
    "what": 800,
    "sentence": 4000,
    "note": 300,
    "notes": 8000,
    "table": 12_000,
    "printed": 16_000,
    "picture": 30_000,
}
ALL_ROWS = 10
"""So many are few enough to be shown all."""
_SHAPES = ((ALL_ROWS, 14), (5, 14), (5, 8), (5, 4), (3, 2))
"""Rows and columns of the table, until it is small enough."""
_MOST_FAINT, _MOST_VERTICES = (24, 8, 0), 80
_MOST_SMROC = 4
_MOST_RESAMPLED = 2000
"""Groups; a page should not make its reader wait."""
_WIDTH = 340.0
"""Pixels, of a square figure."""


def page(value: object) -> str:
    """The value as HTML; a part that fails is missing and says so, and the others stay."""
    words = words_of(value)
    met: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")  # what was said when the value was made is told again, in the notes
        if isinstance(value, Answers):
            return _of_study(value)
        what, sentence, picture, (table, n_columns) = (
            _part(make, value, words, met, nothing)
            for make, nothing in ((_what, ""), (_sentence, ""), (_picture, ""), (_table, ("", 0)))
        )
    met += [str_of(own.message) for own in caught if isinstance(own.message, RocsteadyWarning)]
    parts = {"what": what, "sentence": sentence, "picture": picture, "table": table, "n_columns": n_columns}
    return templates().get_template("notebook.html").render(**parts, notes=_notes(value, met)).strip()


def _of_study(study: Answers) -> str:
    """The answer, as on the page."""
    is_of_classes = isinstance(study, ClassStudy)
    sections = import_module(f"rocsteady.show.sections.{'classes' if is_of_classes else 'answer'}")
    answer = sections.answer if is_of_classes else sections.make
    return f'<div class="tex2jax_ignore mathjax_ignore">{fragment(answer(study), study.words)}</div>'


def _part(
    make: Callable[[Any, Words], Any], value: object, words: Words, met: list[str], nothing: Any
) -> Any:
    try:
        return make(value, words)
    except RocsteadyError:  # a reading that is refused is not shown
        return nothing
    except Exception as error:  # a cell that shows a value must not end in a traceback
        met.append(f"{FAILED}: {type(error).__name__}: {error}")
        return nothing


def _cut(text: str, what: str) -> str:
    """Printable, and of so many bytes as it is escaped."""
    room = _MOST_BYTES[what]
    shown = printable(text[:room])
    sizes = np.cumsum([_size(letter) for letter in shown])
    if (shown and sizes[-1] > room) or len(text) > room:
        return f"{shown[: int((sizes <= room - 3).sum())]}…"
    return shown


def _size(text: str) -> int:
    """Of text that is escaped."""
    return sum(5 if letter in "\"'<>&" else len(letter.encode()) for letter in text)


def _what(value: object, words: Words) -> str:
    return _cut(repr(value), "what")


def _sentence(value: object, words: Words) -> str:
    """What the value means, and the area under a curve with its interval."""
    reading = getattr(value, "reading", "")
    said = [reading if isinstance(reading, str) else ""]
    if isinstance(value, Average | RocCurve) and not _takes_long(value):
        with suppress(RocsteadyError):  # of a weighted curve or a hull there is none by formula
            said.append(_area(value).plain(words))
    return _cut(" ".join(filter(None, said)), "sentence")


def _area(curve: Average | RocCurve) -> Text:
    if isinstance(curve, SmrocAverage):  # its sentence has it
        return phrase("")
    interval = curve.auc_interval()
    low, high = np.clip([interval.low, interval.high], 0, 1).tolist()
    area = Rate(AUC, curve.auc, Limits(low, high, interval.confidence_level))
    return say("AUC {area}.", area=area) if np.isfinite(low) else phrase("")


def _takes_long(value: object) -> bool:
    """Whether bands and areas take seconds: those without a formula resample all groups."""
    is_formula = not isinstance(value, Average) or isinstance(value, DirectionalAverage)
    return not is_formula and value.n_groups > _MOST_RESAMPLED  # type: ignore[attr-defined]


# The picture


def _picture(value: object, words: Words) -> str:
    """The value's figure, small, with as many faint curves as there is room for."""
    described = picture_of(value)
    if described is None:
        return ""
    from rocsteady.figures.spec import Faint
    from rocsteady.figures.svg import svg

    width = _WIDTH if described.panels[0].aspect == 1 else None
    for most in _MOST_FAINT:
        panels = []
        for own in described.panels:
            marks = (_thin(mark, most) if isinstance(mark, Faint) else mark for mark in own.marks)
            panels.append(replace(own, marks=tuple(marks)))
        drawn = svg(replace(described, panels=tuple(panels)), words, width=width)
        if len(drawn.encode()) <= _MOST_BYTES["picture"]:
            return Markup(drawn)  # escaped by ElementTree
    return ""


def _thin(mark: Any, most: int) -> Any:
    """So many of faint curves, each with few vertices, evenly spaced along it."""
    kept = []
    for i in _evenly(len(mark.paths), most):
        x, y = (np.asarray(own, dtype=float) for own in mark.paths[i])
        along = np.append(0, np.nancumsum(np.abs(np.diff(x)) + np.abs(np.diff(y))))
        places = np.unique(np.searchsorted(along, np.linspace(0, along[-1], _MOST_VERTICES)))
        kept.append((x[places], y[places]))
    return replace(mark, paths=kept)


def picture_of(value: Any) -> Any:
    """The figure that is made for a value, as a description; None where it has none."""
    name = getattr(type(value), "_figure", None)
    if name is None:
        return None
    figure = import_module(f"rocsteady.figures.{name}")
    shown: tuple[Any, ...] = (value,)
    options: dict[str, Any] = {}
    match value:
        case Average():
            options["bands"] = [value.band()] if value.n_groups > 1 and not _takes_long(value) else []
        case RocCurve():
            with suppress(RocsteadyError):  # weights and hulls have no band by formula
                options["bands"] = [[value.band()]]
        case SmrocCurves():
            shown = (list(value[:_MOST_SMROC]),)
        case SmrocCurve() | ReaderAverageCurve():
            shown = ([value],)
        case DetCurve() | CostCurve() | PrecisionRecallCurve():
            shown = ({"": value},)
        case Cutoff() | AppliedCutoff():
            shown = value._curve, [value]
        case Comparison() if value.curve is None:
            return None
    return figure.picture(*shown, **options)


def _evenly(n: int, most: int) -> list[int]:
    return [int(own) for own in np.unique(np.linspace(0, n - 1, min(n, most)).round())]


# The table


def _table(value: object, words: Words) -> tuple[str, int]:
    """Some rows, and how many columns are not among them."""
    if isinstance(value, Printed):
        return _printed(value, words), 0
    found = _rows(value)
    if found is None:
        return "", 0
    made, n_more = found
    n_all = len(made.rows) + n_more
    for n_rows, n_columns in _SHAPES[n_all > ALL_ROWS :]:
        rows = tuple(row[:n_columns] for row in made.rows[:n_rows])
        kept = Table(None, made.columns[:n_columns], rows)
        shown = html(kept, words, n_more=n_all - len(rows), longest=_LONGEST)
        if len(shown.encode()) <= _MOST_BYTES["table"]:
            break
    return Markup(shown), max(len(made.columns) - n_columns, 0)  # escaped by the template


def _printed(value: Printed, words: Words) -> str:
    """The tables that the value prints as, each with its first rows and its footnotes."""
    for n_rows, _ in _SHAPES:
        parts = []
        for block in flat(tables_of(value)):
            if isinstance(block, Table):
                n, rows = len(block.rows), block.rows[: ALL_ROWS if len(block.rows) <= ALL_ROWS else n_rows]
                caption = None if block.caption is None else _short(block.caption, words)
                kept = replace(block, caption=caption, columns=block.heads, rows=rows, over=())
                parts += [html(kept, words, n_more=n - len(rows), longest=_LONGEST)]
            parts += [_PARAGRAPH.format(_short(own, words).plain()) for own in getattr(block, "notes", ())]
            if isinstance(block, Text):
                parts.append(_PARAGRAPH.format(_short(block, words).plain()))
        shown = Markup("").join(map(Markup, parts))  # escaped by the template, and by Markup
        if len(shown.encode()) <= _MOST_BYTES["printed"]:
            return shown
    return ""


_PARAGRAPH = Markup('<p style="margin:.2em 0 .8em;font-size:90%">{}</p>')


def _short(text: Text, words: Words) -> Text:
    return phrase("{text}", text=Quote(_cut(text.plain(words), "note")))


def _rows(value: Any) -> tuple[Table, int] | None:
    """What a curve reads at five rates; of scores the groups; of everything else its rows."""
    at = np.array(READ_AT)
    found: Any = value
    if isinstance(value, RocCurve):
        return _of_curve(value), 0
    if isinstance(value, ScoreSet):
        return _of_scores(value)
    if isinstance(value, Average):
        found = value.at(fpr=at, confidence_level=_LEVEL)
    elif isinstance(value, ReaderAverageCurve):
        found = value.at(fpr=at) if value.hold == "fpr" else value.at(tpr=1 - at)
    return rows_of(found, most=ALL_ROWS) if callable(getattr(found, "_columns", None)) else None


def _of_curve(curve: RocCurve) -> Table:
    try:
        interval = curve.tpr_interval(np.array(READ_AT), _LEVEL)
    except RocsteadyError:  # weights and hulls have none by formula
        interval = None
    limits: list[Any] = [None] * len(READ_AT)
    if interval is not None:
        ends = zip(np.ravel(interval.low).tolist(), np.ravel(interval.high).tolist(), strict=True)
        limits = [Limits(low, high, _LEVEL) for low, high in ends]
    head = phrase("{tpr}" if interval is None else "{tpr} ({level} CI)", level=Level(_LEVEL))
    values = zip(READ_AT, np.ravel(curve.tpr_at(np.array(READ_AT))).tolist(), limits, strict=True)
    rows = tuple((Rate(FPR, at), Rate(TPR, tpr, own)) for at, tpr, own in values)
    return Table(None, (phrase("{fpr}", fpr=Name(FPR)), head), rows)


def _of_scores(scores: ScoreSet) -> tuple[Table, int]:
    has_models = len(scores.models) > 1
    heads = [phrase("model")] if has_models else []
    heads += [phrase("{unit}", unit=Quote(scores.unit)), phrase("{positives}"), phrase("{negatives}")]
    rows: list[tuple[Item, ...]] = []
    for i in range(min(len(scores), ALL_ROWS)):
        name: list[Item] = [Quote(scores.models[scores.model_index[i]])] if has_models else []
        counts = Count(int(scores.n_positives[i])), Count(int(scores.n_negatives[i]))
        rows.append((*name, Quote(scores.groups[scores.group_index[i]]), *counts))
    return Table(None, tuple(heads), tuple(rows)), len(scores) - len(rows)


# Notes


def str_of(warning: object) -> str:
    """A warning in one line."""
    if not isinstance(warning, RocsteadyWarning):
        return str(warning)
    return " ".join(filter(None, [warning.code, warning.problem, warning.found]))


def _notes(value: object, met: list[str]) -> list[tuple[str, list[str], int]]:
    """Titles, what is under each, and how many are left out."""
    room, found = _MOST_BYTES["notes"], []
    for title, texts in _known(value, met):
        few = [_cut(text, "note") for text in texts[:_MOST_NOTES]]
        size = sum(map(_size, few))
        if size <= room:
            room -= size
            found.append((title, few, len(texts) - len(few)))
    return found


def _known(value: object, met: list[str]) -> Iterator[tuple[str, list[str]]]:
    """What else to know: warnings, reasons, groups without a curve, columns taken by name, rows left out."""
    warned = list(dict.fromkeys([*map(str_of, _kept(value, "warnings")), *met]))
    groups = [
        ("warning", "", warned),
        ("note", "", [str(own) for own in _kept(value, "notes")]),
        ("reason", "", [str(own) for own in _kept(value, "because")]),
        ("", "undefined", [str(own) for own in _kept(value, "undefined")]),
    ]
    if isinstance(value, ScoreSet):
        taken = [f"{role}: {column}" for role, column in value.columns_chosen.items()]
        groups.append(("column", "taken by name", taken))
        causes = [f"{cause}: {counted(n, 'row')}" for cause, n in value.dropped.causes.items()]
        groups.append(("cause", "of dropped rows", causes))
    for noun, rest, texts in groups:
        if texts:
            yield f"{counted(len(texts), noun) if noun else len(texts)} {rest}".strip(), texts


def _kept(value: object, name: str) -> tuple[object, ...]:
    kept = getattr(value, name, ())
    return tuple(kept) if isinstance(kept, tuple | list) else ()
