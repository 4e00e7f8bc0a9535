"""A bar on a terminal's standard error while a paper is computed; a line when it starts anywhere else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from papers.cli.papers import Progress
from rocsteady.cli.console import PATIENCE, console, is_colourless, say
from rocsteady.words import printable


@contextmanager
def progress_bar(name: str, patience: str, *, quiet: bool = False) -> Iterator[Progress | None]:
    """A function to be told ``(done, total, what is being done)``; None where nobody would see it.

    ``patience`` says how long it may take, until that can be seen. The bar appears after two seconds, and it
    leaves nothing behind. Until it is told how much there is to do, it only moves.
    """
    screen = console(stderr=True)
    if quiet or is_colourless() or not screen.is_terminal:  # a bar moves by escape codes
        if not quiet:
            say(f"{name}: about {patience}.")
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.table import Column

    # Words are of any length: on a narrow terminal they are cut, and the bar stays as it is.
    words = Column(ratio=1, no_wrap=True, overflow="crop")
    columns = (
        BarColumn(bar_width=20, table_column=Column(min_width=20)),
        TextColumn("{task.percentage:>3.0f} %", table_column=Column(min_width=5, no_wrap=True)),
        TimeElapsedColumn(table_column=Column(min_width=7, no_wrap=True)),
        TimeRemainingColumn(compact=True, table_column=Column(min_width=5, no_wrap=True)),
        TextColumn("{task.description}", markup=False, table_column=words),
    )
    bar = Progress(*columns, console=screen, transient=True, expand=True)
    task = bar.add_task(f"{name}, about {patience}", total=None)

    def tell(done: int, total: int, doing: str) -> None:
        described = f"{name}: {printable(doing)}" if doing else name
        bar.update(task, completed=done, total=total, description=described)

    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        timer.join()  # it may be just about to start what is stopped here
        bar.stop()
