"""A value as HTML for one cell of a notebook.

No script, no style sheet, no request, and whatever the value holds fewer than 60 000 bytes, so that it
survives sites that show notebooks. Colours are those of the text around it, so it reads on dark pages too.
Everything that came from data is escaped here.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Any

import numpy as np

from rocsteady.averaging.base import Average
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.report.notebook.notes import notes_of
from rocsteady.report.notebook.pictures import picture_of, takes_long
from rocsteady.report.notebook.rows import ROWS, Rows, rows_of
from rocsteady.report.svg import svg
from rocsteady.report.tables.making import html_table, our_heading
from rocsteady.report.tables.rows import (
    columns_for_papers,
    measures_in_words,
    names_from_data,
    names_in_headings,
)
from rocsteady.words import counted, printable

MOST_COLUMNS = 14
LONGEST_NAME = 32
"""Letters of a cell."""
MOST_BYTES = {"name": 800, "sentence": 3_000, "caption": 600, "note": 300, "table": 14_000}
"""Of texts on the page; a quotation mark takes six."""
MOST_NOTES = 6
"""Under each heading."""
MOST_HEADINGS = 4
FAILED = "a part of this page could not be made"
_NUMBERS = int | float | np.number | np.bool_ | None
_UPPER = {"low": "high", "lower": "upper"}
_BESIDE_A_NUMBER = re.compile(r"(?<=\d) (?=%|\d{3}(?!\d))")
"""Blanks at which a number would break: ``10 000``, ``95 %``."""
_NO_FORMULAS = "tex2jax_ignore mathjax_ignore"
"""Notebooks typeset what stands between two dollar signs, unless told not to."""
_QUIET = "opacity:.75;font-size:90%"


def page(value: object) -> str:
    """The value in a notebook: a sentence, a picture where there is a curve, some rows, notes folded away."""
    met: list[object] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")  # what was said when the value was made is told again, in the notes
        sentence, *beside = (_part(own, value, met) for own in (_sentence, _picture, _table))
    met += [entry.message for entry in caught if isinstance(entry.message, RocsteadyWarning)]
    return (
        f'<div class="{_NO_FORMULAS}" style="max-width:60em">{sentence}'
        f'<div style="display:flex;flex-wrap:wrap;gap:1em 2em;align-items:flex-start">{"".join(beside)}</div>'
        f"{_notes(notes_of(value, met))}</div>"
    )


def _part(made: Callable[[object], str], value: object, met: list[object]) -> str:
    """A part of the page; one that fails is missing and says so, and the others stay."""
    try:
        return made(value)
    except Exception as error:  # a cell that shows a value must not end in a traceback
        met.append(f"{FAILED}: {type(error).__name__}: {error}")
        return ""


def _sentence(value: object) -> str:
    """What the value means, under what it is."""
    what = f'<p style="margin:0 0 .4em"><code>{_text(repr(value), "name")}</code></p>'
    reading = getattr(value, "reading", "")
    sentence = " ".join(filter(None, [reading if isinstance(reading, str) else "", _area(value)]))
    if not sentence:
        return what
    return f'{what}<p style="margin:0 0 .6em">{_text(sentence, "sentence")}</p>'


def _area(value: object) -> str:
    """The area under a curve and how sure it is."""
    if not isinstance(value, Average | RocCurve) or takes_long(value):
        return ""
    try:
        interval = value.auc_interval()
    except RocsteadyError:  # of a weighted curve or a hull there is none by formula; the area stands above
        return ""
    if np.isnan(interval.low):
        return ""
    level = f"{100 * interval.confidence_level:g} % interval"
    low, high = np.clip([interval.low, interval.high], 0, 1)  # as in figures: no area lies outside
    return f"AUC {value.auc:.3f} ({level} {low:.3f} to {high:.3f})."


def _picture(value: object) -> str:
    picture = picture_of(value)
    if picture is None:
        return ""
    caption = _text(picture.title, "caption")
    return (
        f'<figure style="margin:0;max-width:286px">{svg(picture)}'
        f'<figcaption style="{_QUIET}">{caption}</figcaption></figure>'
    )


def _table(value: object) -> str:
    try:
        rows = rows_of(value)
    except RocsteadyError:  # as the picture: a reading that is refused is not shown
        return ""
    if rows is None:
        return ""
    written, n_shown = _written(value, rows, rows.n_shown), rows.n_shown
    if len(written.encode()) > MOST_BYTES["table"]:
        written, n_shown = _written(value, rows, ROWS), ROWS
    n_columns = len(columns_for_papers(value, dict(rows.columns)))
    more = [(rows.n_rows - n_shown, "more row"), (n_columns - len(_whole_pairs(value, rows)), "more column")]
    words = " and ".join(counted(n, noun) for n, noun in more if n > 0)
    rest = f'<p style="margin:.3em 0;{_QUIET}">and {words}</p>' if words else ""
    return f'<div style="overflow-x:auto;max-width:100%">{written}{rest}</div>'


def _written(value: object, rows: Rows, n_shown: int) -> str:
    """So many rows as a table."""
    names = names_in_headings(value, dict(rows.columns))
    spelled = partial(our_heading, from_data=names_from_data(value), names=names)
    shown = {name: _cut_all(rows.columns[name][:n_shown]) for name in _whole_pairs(value, rows)}
    return html_table(measures_in_words(shown), level=rows.level, spelled=lambda name: _cut(spelled(name)))


def _whole_pairs(value: object, rows: Rows) -> list[str]:
    """The first columns, without a lower limit whose upper limit would be missing."""
    names = list(columns_for_papers(value, dict(rows.columns)))
    kept = names[:MOST_COLUMNS]
    ends = {name: "_".join(_UPPER.get(word, word) for word in name.split("_")) for name in kept}
    return [name for name in kept if ends[name] in kept or ends[name] not in names]


def _notes(found: Mapping[str, list[str]]) -> str:
    folded = []
    for title, texts in list(found.items())[:MOST_HEADINGS]:
        entries = [_text(text, "note") for text in texts[:MOST_NOTES]]
        if len(texts) > MOST_NOTES:
            entries.append(f"and {counted(len(texts) - MOST_NOTES, 'other')}")
        items = "".join(f"<li>{entry}</li>" for entry in entries)
        folded.append(f"<details><summary>{_text(title, 'note')}</summary><ul>{items}</ul></details>")
    return "".join(folded)


def _text(text: str, what: str) -> str:
    """Text for the page: what no browser shows is spelled out, and what does not fit is cut off."""
    room = MOST_BYTES[what]
    shown = _BESIDE_A_NUMBER.sub("\N{NO-BREAK SPACE}", printable(text[:room]))
    letters = [escape(letter) for letter in shown]
    fits = np.cumsum([len(letter.encode()) for letter in letters]) <= room - len("…".encode())
    if fits.all() and len(text) <= room:
        return "".join(letters)
    return "".join(letters[: int(fits.sum())]) + "…"


def _cut(text: object) -> str:
    """The name of a column, or a cell: the table escapes it."""
    plain = printable(str(text)[: LONGEST_NAME + 1])
    return plain if len(plain) <= LONGEST_NAME else plain[: LONGEST_NAME - 1] + "…"


def _cut_all(column: Any) -> Any:
    """A column whose texts are short; numbers stay what they are."""
    return [entry if isinstance(entry, _NUMBERS) else _cut(entry) for entry in column]
