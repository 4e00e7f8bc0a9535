"""Tables in sections that suit any terminal: headings have the whole line, names are not cut to pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from papers.cli.printing import plain_table, show_first_fitting
from rocsteady.words import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.measure import Measurement

READABLE = 28
"""Columns that names must have at least: with fewer, columns of numbers are left out or put below."""
_BETWEEN, _INDENT = 2, 2


@dataclass(frozen=True)
class Row:
    """A name and its numbers; ``style`` is that of the whole row."""

    cells: tuple[str, ...]
    style: str | None = None


@dataclass(frozen=True)
class Sections:
    """Headings of columns, and rows under headings of their own, which may be empty."""

    headings: tuple[str, ...]
    sections: tuple[tuple[str, tuple[Row, ...]], ...]

    def without(self, *headings: str) -> Sections:
        """The same without some columns."""
        kept = [i for i, heading in enumerate(self.headings) if heading not in headings]
        sections = tuple(
            (title, tuple(Row(tuple(row.cells[i] for i in kept), row.style) for row in rows))
            for title, rows in self.sections
        )
        return Sections(tuple(self.headings[i] for i in kept), sections)

    def widths(self) -> list[int]:
        """How wide each column is, if nothing is folded."""
        from rich.cells import cell_len

        widths = [cell_len(heading) for heading in self.headings]
        for title, rows in self.sections:
            for row in rows:
                own = [cell_len(printable(cell)) for cell in row.cells]
                own[0] += _INDENT if title else 0
                widths = list(map(max, widths, own))
        return widths


def show_sections(table: Sections, *narrower: Sections) -> None:
    """Print the first layout that the terminal has room for; if there is none, numbers below their names.

    Of several layouts the first must have room for whole names; in the others long names are folded.
    """
    layouts = (table, *narrower)
    columns = [_InColumns(own, folds=not narrower or own is not table) for own in layouts]
    show_first_fitting(*columns, _Below(layouts[-1]))


@dataclass(frozen=True)
class _InColumns:
    """Columns of the same widths in all sections; ``folds`` says whether names may take several lines."""

    table: Sections
    folds: bool

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        first, *others = self.table.widths()
        least = min(first, READABLE) if self.folds else first
        width = least + self._beside(others)
        return Measurement(width, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        from rich.text import Text

        first, *others = self.table.widths()
        room = options.max_width - self._beside(others)
        widths = [min(first, room), *others]
        yield self._part(widths, (), "", with_headings=True)
        for title, rows in self.table.sections:
            if title:
                yield Text(printable(title), style="bold")
            yield self._part(widths, rows, title)

    def _beside(self, others: Sequence[int]) -> int:
        """What the columns of numbers take; Rich before 14 also pads the last of them."""
        return sum(width + _BETWEEN for width in others) + _BETWEEN

    def _part(
        self, widths: Sequence[int], rows: Sequence[Row], title: str, *, with_headings: bool = False
    ) -> RenderableType:
        from rich.padding import Padding
        from rich.text import Text

        part = plain_table(*self.table.headings)
        part.show_header = with_headings
        for column, width in zip(part.columns, widths, strict=True):
            column.width = width
        for row in rows:
            first, *others = map(printable, row.cells)
            name = Padding(Text(first), (0, 0, 0, _INDENT if title else 0))
            part.add_row(name, *map(Text, others), style=row.style)
        return part


@dataclass(frozen=True)
class _Below:
    """Every name on lines of its own, its numbers below it, each with the heading of its column."""

    table: Sections

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        return Measurement(1, options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        from rich.padding import Padding
        from rich.text import Text

        for title, rows in self.table.sections:
            if title:
                yield Text(printable(title), style="bold")
            for row in rows:
                name, *numbers = map(printable, row.cells)
                said = ", ".join(
                    f"{heading} {number}".strip()
                    for heading, number in zip(self.table.headings[1:], numbers, strict=True)
                )
                yield Padding(Text(name, style=row.style or ""), (0, 0, 0, _INDENT if title else 0))
                yield Padding(Text(said, style=row.style or ""), (0, 0, 0, 2 * _INDENT))
