"""What the terminal sees: blocks, messages in three parts, nothing that a file could smuggle in."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rocsteady.errors import Line, RocsteadyError, RocsteadyWarning, in_shell
from rocsteady.words import printable

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from rocsteady.show.document import Block
    from rocsteady.text import Text, Words

WIDTH_OF_FILES = 100
"""Columns of prose in a file or a pipe, and at most on a terminal, which says how many it has."""
PATIENCE = 2.0
"""Seconds of silence before a terminal is told that something is going on."""
_NARROW = 60
_ARGUMENTS = {"n_resamples": "--resamples", "n_points": "--grid", "confidence_level": "--confidence-level"}
_ARGUMENTS |= {"half_width": "--half-width", "times_cases": "--cases", "n_readers": "--groups"}
_ARGUMENTS |= {
    name: f"--{name}"
    for name in (
        "prevalence", "seed", "at", "tolerance", "memory", "margin", "rate", "difference", "power",
        "assurance", "groups",
    )
}  # fmt: skip
_COLOURS = {"error": "bold red", "warning": "yellow"}


# Streams ------------------------------------------------------------------------------------------------


def never_fail_to_encode() -> None:
    """A terminal that cannot show a character gets its escape instead of a crash."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def keep_standard_input() -> None:
    """Write standard input down, so that it can be read more than once."""
    import io
    import shutil
    import tempfile

    copy = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the stream on it
    shutil.copyfileobj(sys.stdin.buffer, copy)
    copy.seek(0)
    sys.stdin = io.TextIOWrapper(copy)


def is_colourless() -> bool:
    """Whether somebody asked for plain text: NO_COLOR says something, whatever that is."""
    return bool(os.environ.get("NO_COLOR"))


def console(*, stderr: bool = False) -> Console:
    """A rich console that adds nothing of its own: no markup, no highlighting, no emoji."""
    from rich.console import Console

    # Under NO_COLOR rich would still send bold and dim as escape codes.
    colours: Any = {"color_system": None} if is_colourless() else {}
    return Console(stderr=stderr, markup=False, highlight=False, emoji=False, **colours)


# Results, on standard output ----------------------------------------------------------------------------


def show_blocks(blocks: Sequence[Block], words: Words, *, is_apart: bool = True) -> None:
    """Blocks on standard output; a file or a pipe gets no trailing blanks.

    ``is_apart``: with an empty line behind each.
    """
    from rocsteady.show.terminal import show

    screen = console()
    if screen.is_terminal:
        show(blocks, words, screen, is_apart=is_apart)
        return
    with screen.capture() as captured:
        show(blocks, words, screen, is_apart=is_apart)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


# The rest, on standard error ----------------------------------------------------------------------------


def say(sentence: str | Text, words: Words | None = None, *, indent: int = 0) -> None:
    """A sentence, in lines of bearable length."""
    if not isinstance(sentence, str):
        from rocsteady.text import ML

        sentence = sentence.plain(words or ML)
    screen = console(stderr=True)
    text = " " * indent + printable(sentence)
    screen.print("\n".join(_wrapped(text, screen, indent=indent)), soft_wrap=True)


def say_written(path: Path, n_bytes: int, seconds: float) -> None:
    """Which file was written, how large it is, and how long that took; on one line however long."""
    from rich.text import Text

    from rocsteady.text import ML, Seconds, Size

    more = f"  {Size(n_bytes).spell(ML)}, {Seconds(seconds).spell(ML)}"
    console(stderr=True).print(Text.assemble(printable(str(path)), (more, "bright_black")), soft_wrap=True)


def show_message(message: RocsteadyError | RocsteadyWarning, words: Words | None = None) -> None:
    """An error or a warning: the problem, what was found, what to type."""
    from rich.text import Text

    if words is not None:
        message = message.told(words.rate)
    argument = str(message.facts.get("name", ""))
    if argument in _ARGUMENTS and message.problem.startswith(f"{argument} "):  # an argument is an option here
        message = message.but(problem=f"{_ARGUMENTS[argument]}{message.problem.removeprefix(argument)}")
    kind = "warning" if isinstance(message, RocsteadyWarning) else "error"
    screen = console(stderr=True)
    problem, *found = message.but(remedies=()).lines()
    head = f"{kind} {message.code} "
    hanging = len(head) if screen.width >= _NARROW else 2  # under the text, where there is room for that
    first, *continued = _wrapped(head + problem, screen, indent=hanging)
    text = Text.assemble((kind, _COLOURS[kind]), (f" {message.code} ", "bright_black"), first[len(head) :])
    for line in continued:
        text.append(f"\n{line}")
    for line in found:
        for piece in _wrapped(line, screen, indent=4):
            text.append(f"\n{piece}", style="bright_black")
    for remedy in message.remedies:
        advice = f"  {arrow(screen)} {printable(in_shell(remedy))}"
        # A broken command cannot be copied.
        is_whole = isinstance(remedy, Line)
        text.append("\n" + "\n".join([advice] if is_whole else _wrapped(advice, screen, indent=4)))
    screen.print(text, soft_wrap=True)


def arrow(screen: Console) -> str:
    """An arrow that the terminal can show."""
    try:
        "→".encode(screen.encoding)
    except (UnicodeEncodeError, LookupError):
        return "->"
    return "→"


def _wrapped(line: str, screen: Console, *, indent: int) -> list[str]:
    """Lines that fit; broken only at blanks, so that a path or an option can be copied."""
    from rocsteady.text import unbroken

    leading = len(line) - len(line.lstrip())
    pieces = textwrap.wrap(
        unbroken(line),
        min(max(screen.width, 20), WIDTH_OF_FILES) if screen.is_terminal else WIDTH_OF_FILES,
        subsequent_indent=" " * max(indent, leading),
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )
    return [piece.replace("\u00a0", " ") for piece in pieces] or [line]


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """Say what takes so long, on a terminal and after two seconds; what comes next is told to what is given.

    Under NO_COLOR, and on a terminal that cannot move its cursor, it is said once.
    """
    import threading

    from rich.text import Text

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    doing = [what]
    status = None
    if not (is_colourless() or screen.is_dumb_terminal):
        # Text, since a status takes brackets for markup; the spinner is plain ASCII.
        status = screen.status(Text(printable(what)), spinner="line")
    timer = threading.Timer(PATIENCE, status.start if status else lambda: say(f"{doing[-1]} ..."))
    timer.daemon = True

    def tell(next_step: str) -> None:
        doing.append(next_step)
        if status:
            status.update(Text(printable(next_step)))

    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        timer.join()  # it may be just about to start what is stopped here
        if status:
            status.stop()
