"""Ctrl-C: what it may not cut in two, and how libraries pass it on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back() -> Iterator[None]:
    """Let a few files be written as a whole: a Ctrl-C that comes meanwhile counts when they are there."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if came:
            before(came[0], None)


def is_interrupt(error: BaseException) -> bool:
    """Whether an error is how a library passes on Ctrl-C."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None or str(error) == "Query interrupted"  # DuckDB's words
