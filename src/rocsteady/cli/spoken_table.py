"""A table whose rates are in the words that were asked for."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from rocsteady.cli.vocabulary import harmless, speech

_FOLDED = 12
"""Columns that a name has at least; a longer one is folded."""


class SpokenTable(Table):
    """A rich table that says its headings and cells in the words of ``--words``.

    Where a field names the rest of a rate, numbers under the heading of that rate, or in its row, are turned
    round, and with them the intervals beside or below. Not in tables of differences, whose signs would
    then be those of the other rate.
    """

    def __init__(self, *headings: str, **look: Any) -> None:
        super().__init__(**look)
        self._said: list[tuple[list[Any], Any]] = []
        self._turned_columns: set[int] = set()
        self._row_is_turned = False
        self._turns = "difference" not in headings
        own = speech() if self._turns else None
        for index, heading in enumerate(headings):
            goes_on = index - 1 in self._turned_columns and "interval" in heading
            if own is not None and (own.is_turned(heading) or goes_on):
                self._turned_columns.add(index)
            # Numbers are never broken; a long name is folded, since an ellipsis may not be in the encoding.
            self.add_column(
                Text(self._label(heading)),
                justify="right" if index else "left",
                no_wrap=index > 0,
                overflow="fold",
            )

    def add_row(self, *cells: Any, **look: Any) -> None:
        """A row; its first cell says what it is about."""
        own, cells = speech(), tuple(harmless(cell) if isinstance(cell, str) else cell for cell in cells)
        if own is None or not cells:
            self._add(list(cells), look)
            return
        label, *others = cells
        goes_on = isinstance(label, str) and label.startswith("  ")
        begins = self._turns and own.is_turned(str(label))
        self._row_is_turned = begins or (goes_on and self._row_is_turned)
        turned = {*range(1, len(cells))} if self._row_is_turned else self._turned_columns
        written = [
            cell if not isinstance(cell, str) else own.turn(cell) if index in turned else own(cell)
            for index, cell in enumerate(others, start=1)
        ]
        if isinstance(label, str):
            label = own.turn(label) if 0 in turned else self._label(label)
        self._add([label, *written], look)

    def _add(self, cells: list[Any], look: dict[str, Any]) -> None:
        self._said.append((cells, look.get("style")))
        super().add_row(*cells, **look)

    @property
    def least_width(self) -> int:
        """Columns of a terminal below which rows would be cut; what may be folded is folded."""
        least = 2 * (len(self.columns) - 1)
        for index, column in enumerate(self.columns):
            cells = [column.header, *(cells[index] for cells, _ in self._said if index < len(cells))]
            lines = [line for cell in cells for line in str(cell).split("\n")]
            if column.no_wrap:
                least += max(map(cell_len, lines))
            else:
                words = [word for line in lines for word in line.split()]
                least += min(max(map(cell_len, words), default=0), _FOLDED)
        return least

    def tall(self) -> Table:
        """The same with a line for each number, for terminals that are too narrow for a row."""
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
        headings = [str(column.header) for column in self.columns]
        for cells, style in self._said:
            table.add_row(cells[0] if cells else "", style=style)
            for heading, cell in zip(headings[1:], cells[1:], strict=False):
                if cell:
                    table.add_row(f"  {heading}", cell, style=style)
        return table

    def _label(self, text: str) -> str:
        text, own = harmless(text), speech()
        if own is None:
            return text
        return own.turned_heading(text) if self._turns and own.is_turned(text) else own(text)
