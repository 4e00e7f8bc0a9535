"""Blocks on a terminal, with rich. Never through rich's markup: names are data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table as Grid
from rich.text import Text as Line

from rocsteady.show.document import Block, Command, Facts, Figure, Heading, Items, Note, Table, flat
from rocsteady.showing import tables_of
from rocsteady.text import (
    NUMBERS,
    At,
    Cut,
    Item,
    Level,
    Measure,
    P,
    Text,
    Value,
    Words,
    shell,
    thousands,
    words_of,
)

if TYPE_CHECKING:
    from rich.console import ConsoleOptions

_PLAINER = {
    "−": "-", "–": "-", "×": "x", "≥": ">=", "≤": "<=", "“": '"', "”": '"', "’": "'", "…": "...",
    "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "∞": "inf", "→": "->",
    "ᵃ": "(a)", "ᵇ": "(b)", "⋮": ":",
}  # fmt: skip
"""What is written where the encoding of a terminal lacks a sign."""
_DIM = "bright_black"
_PRINTED = 100
"""Letters in a line of what ``print`` shows."""
_ROOM = 20
"""Letters that values need beside their names."""
_FEW = 3
"""Rows of a table that may stand on its side."""
_LINES = 2
"""Of a heading, where there is room."""
_TIE = "\ue000"
"""Stands for a space at which no line ends; no user's name has it, as it is not printable."""


def show(
    blocks: Sequence[Block], words: Words, console: Console | None = None, *, is_apart: bool = True
) -> None:
    """Print blocks, ``is_apart`` with an empty line behind each.

    Pictures need a page; every number of theirs stands in a table.
    """
    console = console or Console(highlight=False)
    for block in flat(blocks):
        if not isinstance(block, Figure):
            for part in renderables(block, words, console):
                console.print(_Whole(part), soft_wrap=isinstance(block, Command))
            if is_apart:
                console.print()


def printed(value: Any) -> str:
    """What ``print`` shows of a value that prints as tables: text of any width, without colours."""
    to = Console(file=StringIO(), width=_PRINTED, color_system=None, highlight=False)
    show(tables_of(value), words_of(value), to)
    text: str = to.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(own.rstrip() for own in text.rstrip().split("\n"))


@dataclass(frozen=True)
class _Whole:
    """What rich prints of a part, in which numbers keep to their units: rich would break at any space."""

    part: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for segment in console.render(self.part, options):
            yield Segment(segment.text.replace(_TIE, " "), segment.style, segment.control)


def _tied(piece: str, value: object) -> str:
    """A number with its sign and its unit in one."""
    if isinstance(value, P | Cut | Level):
        return piece.replace(" ", _TIE)
    return piece.replace(" %", f"{_TIE}%") if isinstance(value, (*NUMBERS, At, Measure)) else piece


def renderables(block: Block, words: Words, console: Console) -> Iterator[RenderableType]:
    """What rich prints of a block."""
    match block:
        case Text():
            yield line(block, words, console)
        case Heading(text):
            yield Line("", "bold").append_text(line(text, words, console))
        case Note(code, text):
            yield Line.assemble((f"{code} ", "bold yellow"), line(text, words, console))
        case Command(arguments):
            yield Line(legible(f"  → {shell(arguments)}", console), "cyan", no_wrap=True, overflow="ignore")
        case Items(texts):
            for text in texts:
                yield Line.assemble(legible("– ", console), line(text, words, console))
        case Facts(rows):
            yield _facts(rows, words, console)
        case Table():
            yield from _table(block, words, console)
        case _:
            raise TypeError(f"the terminal cannot show a {type(block).__name__}")


def _table(table: Table, words: Words, console: Console) -> Iterator[RenderableType]:
    """In the widest form that fits: intervals beside their values, under them, or a line for each cell."""
    if table.caption is not None:
        yield Line("", _DIM).append_text(line(table.caption, words, console))
    kept = [i for i in range(len(table.columns)) if any(row[i] is not None for row in table.rows)]
    if table.rows and len(kept) < len(table.columns):  # a column of nothing takes room that numbers need
        rows_kept = tuple(tuple(row[i] for i in kept) for row in table.rows)
        columns = tuple(table.heads[i] for i in kept)
        table = replace(table, columns=columns, rows=rows_kept, over=())
    shown = table.shown()
    if len(shown) < len(table.rows):
        table = replace(table, marked=shown.index(table.marked) if table.marked in shown else None)
    rows = [table.rows[i] for i in shown]
    gaps = {k for k in range(1, len(shown)) if shown[k] > shown[k - 1] + 1}
    grid = _fitting(table, rows, gaps, words, console)
    yield _records(table, rows, words, console) if grid is None else grid
    if len(rows) < len(table.rows):
        yield Line(f"and {thousands(len(table.rows) - len(rows))} more", _DIM)
    for note in table.notes:
        yield line(note, words, console)


def _fitting(
    table: Table, rows: Sequence[Sequence[Item]], gaps: set[int], words: Words, console: Console
) -> RenderableType | None:
    """The first form that fits with no cell broken, perhaps on its side, else the first that fits at all."""
    room: ConsoleOptions = console.options.update(width=10_000)
    forms = (("cell", _LINES), ("cell", 0), ("tall", _LINES), ("tall", 0))
    grids = [_grid(table, rows, gaps, words, how, console, n_lines) for how, n_lines in forms]
    sizes = [console.measure(grid, options=room) for grid in grids]
    whole = (grid for grid, size in zip(grids, sizes, strict=True) if size.maximum <= console.width)
    # rich rounds the widths of its columns up, and would cut what is then too wide
    least = console.width - len(table.columns)
    broken = (grid for grid, size in zip(grids, sizes, strict=True) if size.minimum <= least)
    ways = ("cell", "tall") if len(rows) <= _FEW else ()
    turned = (_turned(table, rows, words, how, console) for how in ways)
    fitting = (own for own in turned if own is not None)
    return next(whole, None) or next(fitting, None) or next(broken, None)


def _grid(
    table: Table,
    rows: Sequence[Sequence[Item]],
    gaps: set[int],
    words: Words,
    how: str,
    console: Console,
    n_lines: int,
) -> RenderableType:
    """Words may wrap, numbers never; rich would cut a heading that is wider than its numbers.

    Headings of numbers take ``n_lines`` lines at most; with 0 as many as they need to be narrow.
    """
    cells = [[line(value, words, console, how) for value in row] for row in rows]
    lines = box.SIMPLE_HEAD if can_show("─", console) else box.ASCII2
    grid = Grid(box=lines, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    has_over = bool(table.over) and all(map(table.is_numeric, range(len(table.columns))))
    titles = [line(head, words, console) for head in (table.columns if has_over else table.heads)]
    widths = [
        max(_widest(row[i] for row in cells), _narrowest(title, n_lines, console))
        for i, title in enumerate(titles)
    ]
    if has_over and n_lines:
        _widen(widths, table, words, console, n_lines)
    for i, (title, width) in enumerate(zip(titles, widths, strict=True)):
        if table.is_numeric(i):
            folded = Line("\n").join(title.wrap(console, width))
            grid.add_column(folded, justify="right", no_wrap=True, min_width=width)
        else:
            least = max((_longest_word(own) for own in [title, *(row[i] for row in cells)]), default=0)
            grid.add_column(title, min_width=min(least, 24), overflow="fold")
    for i, row in enumerate(cells):
        if i in gaps:
            grid.add_row(*[legible("⋮", console)] * len(row), style=_DIM)
        grid.add_row(*row, style="bold" if i == table.marked else "")
    return Group(_above(table, widths, words, console), grid) if has_over else grid


def _narrowest(title: Line, n_lines: int, console: Console) -> int:
    """The least width in which no word of a heading is broken, and it takes so many lines at most."""
    least = _longest_word(title)
    if not n_lines:
        return least
    start = max(least, -(-title.cell_len // n_lines))
    widths = range(start, title.cell_len + 1)
    return next((own for own in widths if len(title.wrap(console, own)) <= n_lines), start)


def _widen(widths: list[int], table: Table, words: Words, console: Console, n_lines: int) -> None:
    """Make room for headings over several columns."""
    i = 0
    for text, n in table.over:
        least = _narrowest(line(text, words, console), n_lines, console)
        for k in range(max(least - sum(widths[i : i + n]) - 2 * (n - 1), 0)):
            widths[i + k % n] += 1
        i += n


def _above(table: Table, widths: list[int], words: Words, console: Console) -> Grid:
    """The headings over several columns of numbers, in the middle of them."""
    above, i = Grid.grid(padding=(0, 2, 0, 0)), 0
    texts = []
    for text, n in table.over:
        width = sum(widths[i : i + n]) + 2 * (n - 1)
        above.add_column(width=width, justify="center", vertical="bottom")
        texts.append(line(text, words, console))
        i += n
    above.add_row(*texts, style="bold")
    return above


def _widest(lines: Iterable[Line]) -> int:
    return max((own.cell_len for each in lines for own in each.split()), default=0)


def _longest_word(text: Line) -> int:
    return max(map(len, text.plain.split()), default=0)


def _turned(
    table: Table, rows: Sequence[Sequence[Item]], words: Words, how: str, console: Console
) -> Grid | None:
    """A table on its side, a column for each row; None where numbers would be broken."""
    heads = [line(head, words, console) for head in table.heads]
    cells = [[line(value, words, console, how) for value in row] for row in rows]
    usual = [_widest_line(row) for row in cells]
    least = [
        max(
            _longest_word(cell) if isinstance(value, Text) else _widest_line([cell])
            for value, cell in zip(*own, strict=True)
        )
        for own in zip(rows, cells, strict=True)
    ]
    room = console.width - max(head.cell_len for head in heads) - 2 * len(rows)
    if not rows or sum(least) > room:
        return None
    more = min((room - sum(least)) // len(rows), max(map(int.__sub__, usual, least)))
    grid = Grid(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style=_DIM)
    for i, (whole, own) in enumerate(zip(usual, least, strict=True)):
        style = "bold" if i == table.marked and len(rows) > 1 else ""
        grid.add_column(width=whole if sum(usual) <= room else min(own + more, whole), style=style)
    for i, head in enumerate(heads):
        if any(row[i] is not None for row in rows):
            grid.add_row(head, *(row[i] for row in cells))
    return grid


def _widest_line(lines: Iterable[Line]) -> int:
    return max((part.cell_len for own in lines for part in own.split("\n")), default=0)


def _records(table: Table, rows: Sequence[Sequence[Item]], words: Words, console: Console) -> Line:
    """The fallback for narrow terminals: a line for each cell, nothing is cut."""
    heads = [line(head, words, console) for head in table.heads]
    width = max(head.cell_len for head in heads)
    lines: list[Line] = []
    for i, row in enumerate(rows):
        lines += [Line()] if i else []
        for head, value in zip(heads, row, strict=True):
            if value is None:
                continue
            cell = line(value, words, console)
            is_short = width + cell.cell_len + 4 <= console.width
            gap = " " * (width - head.cell_len + 2) if is_short else "\n    "
            lines.append(Line.assemble("  ", (head.plain, _DIM), gap, cell))
    return Line("\n").join(lines)


def _facts(rows: Sequence[tuple[Text, Item, Text | None]], words: Words, console: Console) -> Grid:
    """A row for each; where values would have no room beside the names, they stand below them."""
    names = [line(name, words, console) for name, _, _ in rows]
    is_beside = max((own.cell_len for own in names), default=0) + 2 + _ROOM <= console.width
    grid = Grid.grid(padding=(0, 2, 0, 0))
    if is_beside:
        grid.add_column(no_wrap=True, style=_DIM)
    grid.add_column(overflow="fold")
    for name, (_, value, more) in zip(names, rows, strict=True):
        said = line(value, words, console, "")
        if more is not None:
            said = Line.assemble(said, "  ", line(more, words, console))
        if is_beside:
            grid.add_row(name, said)
        else:
            grid.add_row(Line(name.plain, _DIM))
            grid.add_row(Padding(said, (0, 0, 0, 2)))
    return grid


def line(item: Item, words: Words, console: Console, how: str = "cell") -> Line:
    """A text or a value as rich prints it."""
    if item is None:
        return Line()
    if isinstance(item, Text):
        return Line.assemble(
            *(
                (_tied(legible(piece, console), value), _style(value, words))
                for piece, value in item.spans(words)
            )
        )
    if isinstance(item, int):
        return Line(thousands(item))
    return Line(_tied(legible(item.spell(words, how), console), item), _style(item, words))


def _style(value: Value | None, words: Words) -> str:
    """Models have no colour on a terminal: nobody knows what is behind the letters."""
    return ""


def can_show(sign: str, console: Console) -> bool:
    """Whether a terminal's encoding has a sign."""
    try:
        sign.encode(console.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def legible(text: str, console: Console) -> str:
    """Text with plainer signs for those that the encoding of the terminal lacks."""
    if text.isascii():
        return text
    for sign, plainer in _PLAINER.items():
        if sign in text and not can_show(sign, console):
            text = text.replace(sign, plainer)
    return text
