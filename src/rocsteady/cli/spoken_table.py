"""A table whose rates are in the words that were asked for."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from rocsteady.cli.vocabulary import harmless, speech


class SpokenTable(Table):
    """A rich table that says its headings and cells in the words of ``--words``.

    Where a field names the rest of a rate, numbers under the heading of that rate, or in its row, are turned
    round, and with them the intervals beside or below. Not in tables of differences, whose signs would
    then be those of the other rate.
    """

    def __init__(self, *headings: str, **look: Any) -> None:
        super().__init__(**look)
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
            super().add_row(*cells, **look)
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
        super().add_row(label, *written, **look)

    def _label(self, text: str) -> str:
        text, own = harmless(text), speech()
        if own is None:
            return text
        return own.turned_heading(text) if self._turns and own.is_turned(text) else own(text)
