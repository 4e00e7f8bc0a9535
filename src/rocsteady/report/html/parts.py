"""What sections are built from: headings, tables, figures with their tables, keys of models, tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import unescape

from rocsteady.report.html.tags import (
    LONGEST_STRONG,
    NOTHING,
    Child,
    Markup,
    joined,
    named,
    phrase,
    tag,
    text,
)
from rocsteady.report.summary.phrases import Text

N_LOOKS = 9
"""Models that differ by colour, dash and marker; the classes m0 to m8 of the style sheet."""
LONGEST_NAME = 40
"""Letters of a name in a table cell, a key or a button; the whole name is its tooltip."""
# Drawn around 0, about 10 wide; the order is that of the classes.
_MARKERS = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "M-4.4 -4.4h8.8v8.8h-8.8z",
    "M0 -6L6 0L0 6L-6 0z",
    "M0 -5.6L5.6 4.6H-5.6z",
    "M0 5.6L5.6 -4.6H-5.6z",
    "M-2 -5.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5v-4h3.5z",
    "M-5.5 -3L-3 -5.5L0 -2.6L3 -5.5L5.5 -3L2.6 0L5.5 3L3 5.5L0 2.6L-3 5.5L-5.5 3L-2.6 0z",
    "M0 -6L1.5 -2L6 -2L2.4 .8L3.8 5.2L0 2.6L-3.8 5.2L-2.4 .8L-6 -2L-1.5 -2z",
    "M-2.7 -5.2h5.4L5.6 0L2.7 5.2h-5.4L-5.6 0z",
)


def look(model: int) -> str:
    """The class of a model's colour, dash and marker, by its place among the models.

    >>> look(0), look(10)
    ('m0', 'm1')
    """
    return f"m{model % N_LOOKS}"


def marker(model: int, x: float, y: float, *, size: float = 10, class_: str = "mark") -> Markup:
    """The marker of a model at a place of a picture.

    >>> marker(1, 10, 20)
    '<path class="mark m1" transform="translate(10 20)" d="M-4.4 -4.4h8.8v8.8h-8.8z"></path>'
    """
    scale = "" if size == 10 else f" scale({size / 10:.3g})"
    place = f"translate({x:.6g} {y:.6g}){scale}"
    return tag("path", class_=f"{class_} {look(model)}", transform=place, d=_MARKERS[model % N_LOOKS])


def model_key(model: int, name: str, *, longest: int = LONGEST_NAME) -> Markup:
    """The name of a model in its colour, after a piece of its line with its marker."""
    line = tag("path", class_=f"line {look(model)}", d="M0 6h28")
    drawn = [line, marker(model, 14, 6, size=8)]
    picture = tag("svg", drawn, viewBox="0 0 28 12", aria_hidden="true", class_="key")
    return tag("span", picture, named(name, longest=longest), class_=f"model {look(model)}")


def section(ident: str, title: Child, *children: Child, is_titled: bool = True) -> Markup:
    """A section with its heading, which the style sheet numbers; that of an untitled one is only read out."""
    heading = tag("h2", title, id=f"{ident}-title", class_=None if is_titled else "unseen")
    # The first one is where the skip link leads: the keyboard has to arrive there too.
    skipped_to = None if is_titled else -1
    return tag("section", heading, *children, id=ident, aria_labelledby=f"{ident}-title", tabindex=skipped_to)


def sentence(words: Text, class_: str | None = None, *, models: Sequence[str] = ()) -> Markup:
    r"""A paragraph made of a phrase, strong names of models in their colours; nothing for an empty one.

    >>> sentence(("The ", "candidate", " finds ", "68 %", "."), models=("baseline", "candidate"))
    '<p>The <strong class="model m1"><bdi>candidate</bdi></strong> finds <strong>68\xa0%</strong>.</p>'
    """
    if not words:
        return NOTHING
    pieces = (words,) if isinstance(words, str) else words
    shown = [
        tag("strong", named(piece, longest=LONGEST_STRONG), class_=f"model {look(models.index(piece))}")
        if k % 2 and piece in models
        else phrase(("", piece) if k % 2 else piece)
        for k, piece in enumerate(pieces)
    ]
    return tag("p", shown, class_=class_)


def headed(words: str) -> str:
    """Words that start a heading.

    >>> headed("attack cases")
    'Attack cases'
    """
    return words[:1].upper() + words[1:]


def declared() -> Markup:
    """The mark of what was declared before the data were seen."""
    return tag("span", "declared", class_="tag declared")


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    title : Child
        Its heading.
    is_text : bool
        Words start at the left, numbers end at the right.
    sort : str
        The column can be sorted: "number" or "text".
    kind : str
        A class of the whole column, by which the style sheet can leave it out where there is no room.
    """

    title: Child
    is_text: bool = False
    sort: str = ""
    kind: str = ""


@dataclass(frozen=True)
class Row:
    """A row of a table; the first cell is its heading. Where a cell above reaches down, the cell is None."""

    cells: Sequence[Child]
    class_: str = ""


def table(
    caption: Child,
    columns: Sequence[Column | str],
    rows: Iterable[Row | Sequence[Child]],
    *,
    above: Sequence[tuple[Child, int]] = (),
    class_: str = "",
    shows_caption: bool = False,
    **attributes: str | bool,
) -> Markup:
    """A table that screen readers can follow, in a box that scrolls where it is wider than the page.

    Parameters
    ----------
    caption : Child
        What the table shows: always read out, and seen when ``shows_caption``.
    columns : sequence of Column or str
    rows : iterable of Row or sequence of Child
        A cell that is markup of a ``td`` or a ``th`` is taken as it is, see :func:`reaching`.
    above : sequence of (Child, int)
        Headings over so many columns each; None over columns that need none.
    """
    own = [column if isinstance(column, Column) else Column(column) for column in columns]
    seen = tag("span", joined(caption), class_="caption")  # which stays in sight when the table is scrolled
    said = tag("caption", seen) if shows_caption else tag("caption", caption, class_="unseen")
    kinds = any(column.kind for column in own)
    cols = tag("colgroup", [tag("col", class_=column.kind or None) for column in own]) if kinds else None
    upper = tag("tr", [_upper(title, n) for title, n in above], class_="above") if above else None
    head = tag("thead", upper, tag("tr", [_heading(column) for column in own]))
    body = tag("tbody", [_row(row, own) for row in rows])
    # A box that scrolls has to be reached by keyboard, and then it has to say what it is.
    return tag(
        "div",
        tag("table", said, cols, head, body, class_=class_ or None, **attributes),
        class_="scroll",
        tabindex=0,
        role="group",
        aria_label=_plain(caption),
    )


def reaching(cell: Child, n_rows: int) -> Markup:
    """The heading of several rows, which reaches down beside them.

    >>> reaching("5 %", 2)
    '<th scope="rowgroup" rowspan="2">5 %</th>'
    """
    return tag("th", cell, scope="rowgroup", rowspan=n_rows)


def _upper(title: Child, n: int) -> Markup:
    return tag("td", colspan=n) if title is None else tag("th", title, scope="colgroup", colspan=n)


def _heading(column: Column) -> Markup:
    class_ = "text" if column.is_text else None
    title = column.title
    if isinstance(title, str) and not isinstance(title, Markup):
        title = joined(title.replace(" %", "\N{NO-BREAK SPACE}%"))
    if not column.sort:
        return tag("th", title, scope="col", class_=class_)
    button = tag("button", title, type="button", data_sort=column.sort)
    return tag("th", button, scope="col", aria_sort="none", class_=class_)


def _row(row: Row | Sequence[Child], columns: Sequence[Column]) -> Markup:
    own = row if isinstance(row, Row) else Row(row)
    pairs = enumerate(zip(own.cells, columns, strict=True))
    cells = [_cell(k, cell, column) for k, (cell, column) in pairs if cell is not None]
    return tag("tr", cells, class_=own.class_ or None)


def _cell(k: int, cell: Child, column: Column) -> Markup:
    if isinstance(cell, Markup) and cell.startswith(("<td", "<th")):
        return cell
    class_ = "text" if column.is_text else None
    return tag("td", cell, class_=class_) if k else tag("th", cell, scope="row", class_=class_)


def figure(picture: Child, caption: Child = None, *, twin: Child = None, class_: str = "") -> Markup:
    """A picture with what to see in it, and the table of its numbers to open below."""
    below = tag("figcaption", joined(caption)) if caption else None
    return tag("figure", picture, below, twin, class_=class_ or None)


def twin(numbers: Child, words: str = "The numbers of this figure") -> Markup:
    """A table that stands beside a figure, folded away."""
    return folded(words, numbers)


def folded(words: Child, *children: Child, is_open: bool = False) -> Markup:
    """Something to open; on paper it stays as it is."""
    return tag("details", tag("summary", words), *children, open=is_open)


def _plain(caption: Child) -> str:
    """A caption without its markup, for an attribute."""
    return unescape(re.sub(r"<[^>]*>", "", text(caption)))
