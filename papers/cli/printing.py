"""Lines and tables on standard output, for the commands that repeat papers."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING

from rocsteady.cli.console import WIDTH_OF_FILES, console
from rocsteady.words import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


def show(renderable: RenderableType = "") -> None:
    """Print a result, prose in lines of bearable length; a file or a pipe gets no trailing blanks."""
    screen = console()
    if isinstance(renderable, str):
        width = min(max(screen.width, 20), WIDTH_OF_FILES) if screen.is_terminal else WIDTH_OF_FILES
        lines = [
            piece
            for line in renderable.split("\n")
            for piece in textwrap.wrap(
                printable(line), width, break_long_words=False, break_on_hyphens=False,
                subsequent_indent=" " * (len(line) - len(line.lstrip())),
            ) or [""]
        ]  # fmt: skip
        screen.print("\n".join(lines), soft_wrap=True)
        return
    if screen.is_terminal:
        screen.print(renderable)
        return
    with screen.capture() as captured:
        screen.print(renderable)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def show_first_fitting(*renderables: RenderableType) -> None:
    """Print the first of several layouts that the terminal has room for, else the last."""
    screen = console()
    boundless = screen.options.update(width=10_000)  # else a table that is too wide says that it fits
    fitting = (r for r in renderables if screen.measure(r, options=boundless).maximum <= screen.width)
    show(next(fitting, renderables[-1]))


def plain_table(*headings: str) -> Table:
    """A table without lines: the first column is text, the others are numbers."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bright_black")
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index else "left", no_wrap=index > 0, overflow="fold")
    return table
