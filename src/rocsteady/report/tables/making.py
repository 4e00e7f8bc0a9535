"""One function from a value to a table that can be published."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import Option, fail
from rocsteady.options import one_of, whole_number
from rocsteady.report.tables.cells import heading, on_one_line, printed
from rocsteady.report.tables.formats import PrintedTable, as_html, as_latex, as_markdown, as_text
from rocsteady.report.tables.rows import (
    columns_for_papers,
    columns_of,
    is_ours,
    level_of,
    measures_in_words,
    names_from_data,
    names_in_headings,
)

_WRITERS = {"markdown": as_markdown, "latex": as_latex, "html": as_html, "text": as_text}
_ELSEWHERE = {"md": "markdown", "tex": "latex", "github": "markdown", "pipe": "markdown", "txt": "text"}

_PASTED = ("docx", "doc", "word", "odt", "rtf")

_MOST_DIGITS = 15
"""Which is what a float has."""


def table(
    value: Any,
    format: str = "markdown",
    *,
    columns: Sequence[str] | Mapping[str, str] | None = None,
    digits: int = 3,
    caption: str = "",
    label: str = "",
    n_rows: int | None = None,
) -> str:
    r"""The rows of a value as a table for a paper, a page or a letter.

    Numbers of a column have the same number of decimals and stand at the right; only a rate or a score that
    would be rounded to zero, and has no limits, keeps its first digits. Limits stand beside what they limit,
    ``0.931 (0.917 to 0.945)``. P-values have two decimals at least, and below the last one are written
    ``< 0.001``; counts have their thousands apart; what is not known is an en dash, an infinite threshold ∞.
    Names are escaped.

    Parameters
    ----------
    value : result, list or mapping of results, data frame, mapping of columns
        Whatever has rows: those of ``.to_frame()``. Of several results each is a row (or several); in a
        mapping their names come first.
    format : {"markdown", "latex", "html", "text"}
        LaTeX needs the package booktabs. For Word paste what a browser shows of the HTML.
    columns : sequence of str, or mapping
        Which columns, by their names in the frame, in this order; a mapping also has their headings. Limits
        are joined if they are among them. By default all; of comparisons those that a paper shows, without
        statistics and standard errors, and with the names of the two models as headings.
    digits : int
        Decimals, up to 15; fewer where a column has numbers of a thousand and more.
    caption : str
        Above the table, as plain text.
    label : str
        The name for references: ``\label`` in LaTeX, ``id`` in HTML; the others have no place for it.
    n_rows : int
        How many rows at most: the first and the last ones. All, if not given.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        RS002 if the value has no rows; RS001 for an unknown format or column, or a label that would break
        references; RS042 for a number that is too small or too large.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([0, 1, 0, 1, 1], [1, 4, 2, 3, 2]), ([0, 1, 1, 0, 0], [1, 2, 6, 3, 4])]
    >>> curves = rs.roc_curves(rs.ScoreSet.from_folds(folds))
    >>> print(rs.table(curves, "text", columns=["fold", "n_positives", "auc", "low", "high"], digits=2))
    fold    positives  AUC (95 % interval)
    ------  ---------  -------------------
    fold 1          3  0.92 (0.05 to 1.00)
    fold 2          2  0.67 (0.00 to 1.00)
    """
    _require_format(format)
    found = columns_of(value)
    spelled: Callable[[str], str] = str
    if is_ours(value):
        spelled = partial(
            our_heading, from_data=names_from_data(value), names=names_in_headings(value, found)
        )
        found = measures_in_words(found if columns is not None else columns_for_papers(value, found))
    found, headings = _chosen(found, columns)
    return _written(
        found,
        format,
        digits=_given_digits(digits),
        level=level_of(value),
        headings=headings,
        spelled=spelled,
        caption=on_one_line(_given_text("caption", caption)),
        label=_given_label(_given_text("label", label)),
        n_rows=n_rows,
    )


def our_heading(name: str, from_data: Collection[str], names: Mapping[str, str]) -> str:
    """The heading of a column of ours; some are the names of models."""
    return names.get(name) or heading(name, from_data)


def _require_format(format: object) -> None:
    """RS001 for a format that there is not; one of a word processor is HTML that is pasted."""
    if isinstance(format, str) and format.casefold().removeprefix(".") in _PASTED:
        raise fail("RS001.word-processor", format=format)
    one_of("format", format, tuple(_WRITERS), elsewhere=_ELSEWHERE)


def html_table(columns: Mapping[str, Any], *, level: float | None, spelled: Callable[[str], str]) -> str:
    """Columns of a result as an HTML table, for the page of a notebook; ``spelled`` spells their names."""
    return _written(columns, "html", level=level, spelled=spelled)


def _written(
    columns: Mapping[str, Any],
    format: str,
    *,
    level: float | None,
    spelled: Callable[[str], str],
    digits: int = 3,
    n_rows: int | None = None,
    headings: Mapping[str, str] | None = None,
    caption: str = "",
    label: str = "",
) -> str:
    n = len(next(iter(columns.values()), ()))
    most = n if n_rows is None else whole_number("n_rows", n_rows, least=1, example=10)
    shown = np.arange(n)
    first = n
    if n > most:
        first = most - most // 2
        shown = np.r_[:first, n - most // 2 : n]
    cut = {name: _taken(column, shown) for name, column in columns.items()}
    cells = printed(cut, digits=digits, level=level, headings=headings or {}, spelled=spelled)
    return _WRITERS[format](PrintedTable(cells, n - shown.size, first, caption, label))


def _taken(column: Any, rows: NDArray[np.int64]) -> list[Any]:
    # A pandas column would look for labels.
    own = column if isinstance(column, np.ndarray | list | tuple) else list(column)
    return [own[i] for i in rows]


def _chosen(
    found: Mapping[str, Any], columns: Sequence[str] | Mapping[str, str] | None
) -> tuple[dict[str, Any], dict[str, str]]:
    """The columns that were asked for, and the headings given to them."""
    if columns is None:
        return dict(found), {}
    if isinstance(columns, str) or not isinstance(columns, Sequence | Mapping) or not columns:
        kind = "a list of names, or a mapping of names to headings"
        ways = [Option("columns", list(found)[:3])]
        raise fail("RS002.kind", name="columns", kind=kind, found=f"{columns!r:.60}", ways=ways)
    names = [one_of("columns", name, tuple(found)) for name in columns]
    named = {name: str(columns[name] or "") for name in names} if isinstance(columns, Mapping) else {}
    return {name: found[name] for name in names}, named


def _given_digits(digits: object) -> int:
    number = whole_number("digits", digits, least=0, example=3)
    if number <= _MOST_DIGITS:
        return number
    ways = [Option("digits", 3)]
    raise fail("RS042", name="digits", where=f"at most {_MOST_DIGITS}", found=number, ways=ways)


def _given_text(name: str, text: object) -> str:
    """RS002 unless it is text; None is none."""
    if text is None or isinstance(text, str):
        return text or ""
    ways = [Option(name, str(text))]
    raise fail("RS002.kind", name=name, kind="a text", found=f"{text!r:.60}", ways=ways)


def _given_label(label: str) -> str:
    """RS001 for what would break a reference."""
    if re.fullmatch(r"[\w:.+/-]*", label):
        return label
    raise fail("RS001.table-label", label=label, signs=": . + / - _")
