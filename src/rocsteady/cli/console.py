"""What the terminal sees: messages in three parts, plain tables, nothing that a file could smuggle in."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rocsteady.cli.vocabulary import harmless, spoken
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.words import printable

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console, RenderableType
    from rich.table import Table

    from rocsteady.show.document import Block
    from rocsteady.text import Text, Words

_BLANK_IN_NUMBER = re.compile(
    r"(?<=\d) (?=\d{3}\b|%)|(?<=[<>]=) (?=\S)|(?<= [<>]) (?=\S)|(?<=\bp) (?=[<=])|(?<=\bp =) (?=\S)"
)
_ARROW = "  -> "  # as errors.lines() writes it
WIDTH_OF_FILES = 100
"""Columns of prose in a file or a pipe, and at most on a terminal, which says how many it has."""
LONGEST_NAME = 24
"""Columns that a group's or a class's name may take in a table; wide characters take two."""
PATIENCE = 2.0
"""Seconds of silence before a terminal is told that something is going on."""

_ARGUMENTS = {"n_resamples": "--resamples", "n_points": "--grid", "confidence_level": "--confidence-level"}
_ARGUMENTS |= {name: f"--{name}" for name in ("prevalence", "seed", "at", "tolerance", "memory", "margin")}
_COLOURS = {"error": "bold red", "warning": "yellow"}


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


def show(renderable: RenderableType = "") -> None:
    """Print a result, prose in lines of bearable length; a file or a pipe gets no trailing blanks."""
    screen = console()
    if isinstance(renderable, str):
        screen.print("\n".join(_wrapped(harmless(spoken(renderable)), screen, indent=0)), soft_wrap=True)
        return
    renderable = _legible(renderable, screen)
    if screen.is_terminal:
        screen.print(renderable)
        return
    with screen.capture() as captured:
        screen.print(renderable)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def _legible(renderable: RenderableType, screen: Console) -> RenderableType:
    """A table as it is, or with a line for each number where its rows would be cut."""
    from rocsteady.cli.spoken_table import SpokenTable

    if isinstance(renderable, SpokenTable) and renderable.least_width > screen.width:
        return renderable.tall()
    return renderable


def say(sentence: str | Text, words: Words | None = None, *, indent: int = 0) -> None:
    """A sentence on standard error, in lines of bearable length: standard output has the result."""
    screen = console(stderr=True)
    if not isinstance(sentence, str):
        from rocsteady.text import ML

        sentence = sentence.plain(words or ML)
    text = " " * indent + harmless(spoken(sentence))
    screen.print("\n".join(_wrapped(text, screen, indent=indent)), soft_wrap=True)


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


def show_command(command: str) -> None:
    """Print something to type, on one line however long: a broken line cannot be copied."""
    screen = console()
    screen.print(f"  {arrow(screen)} {harmless(command)}", soft_wrap=True)


def show_first_fitting(*renderables: RenderableType) -> None:
    """Print the first of several layouts that the terminal has room for, else the last."""
    screen = console()
    boundless = screen.options.update(width=10_000)  # else a table that is too wide says that it fits
    fitting = (r for r in renderables if screen.measure(r, options=boundless).maximum <= screen.width)
    show(next(fitting, renderables[-1]))


def plain_table(*headings: str) -> Table:
    """A table without lines: the first column is text, the others are numbers."""
    from rocsteady.cli.spoken_table import SpokenTable

    return SpokenTable(*headings, box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bright_black")


def fitting_name(name: str, most: int = LONGEST_NAME) -> str:
    """A name for a table: one that takes too many columns loses its middle, since names differ at both ends.

    >>> fitting_name("customer-of-the-western-region-0017", 20)
    'customer-o…gion-0017'
    """
    from rich.cells import cell_len, set_cell_size

    if cell_len(name) <= most:
        return name
    mark = "…" if can_show("…", console()) else "..."
    left = most - len(mark)
    first = set_cell_size(name, left - left // 2).rstrip()
    return first + mark + set_cell_size(name[::-1], left // 2).rstrip()[::-1]


def show_blocks(blocks: Sequence[Block], words: Words, *, is_apart: bool = True) -> None:
    """Blocks on standard output; a file or a pipe gets no trailing blanks.

    ``is_apart``: with an empty line behind each.
    """
    from rocsteady.show.terminal import show as show_in

    screen = console()
    if screen.is_terminal:
        show_in(blocks, words, screen, is_apart=is_apart)
        return
    with screen.capture() as captured:
        show_in(blocks, words, screen, is_apart=is_apart)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def say_written(path: Path, n_bytes: int, seconds: float) -> None:
    """Which file was written, how large it is, and how long that took; on one line however long."""
    from rich.text import Text

    from rocsteady.text import ML, Size

    took = f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"
    more = f"  {Size(n_bytes).spell(ML)}, {took}"
    console(stderr=True).print(Text.assemble(printable(str(path)), (more, "bright_black")), soft_wrap=True)


def show_message(message: RocsteadyError | RocsteadyWarning, words: Words | None = None) -> None:
    """Print an error or a warning on standard error: the problem, what was found, what to type."""
    from rich.text import Text

    message = message if words is None else message.told(words.rate)
    argument = str(message.facts.get("name", ""))
    if argument in _ARGUMENTS and message.problem.startswith(f"{argument} "):  # an argument is an option here
        message = message.but(problem=f"{_ARGUMENTS[argument]}{message.problem.removeprefix(argument)}")
    kind = "warning" if isinstance(message, RocsteadyWarning) else "error"
    screen = console(stderr=True)
    problem, *rest = (printable(spoken(line)) for line in message.lines(shell=True))
    head = f"{kind} {message.code} "
    hanging = len(head) if screen.width >= 60 else 2  # under the text, where there is room for that
    first, *continued = _wrapped(head + problem, screen, indent=hanging)
    text = Text.assemble((kind, _COLOURS[kind]), (f" {message.code} ", "bright_black"), first[len(head) :])
    for line in continued:
        text.append(f"\n{line}")
    for line in rest:
        if line.startswith(_ARROW):
            advice = f"  {arrow(screen)} {line.removeprefix(_ARROW)}"
            text.append("\n" + "\n".join(_wrapped(advice, screen, indent=4)))
        else:
            for piece in _wrapped(line, screen, indent=4):
                text.append(f"\n{piece}", style="bright_black")
    screen.print(text, soft_wrap=True)


def show_warnings(messages: Iterable[RocsteadyWarning], *, written: Path | None = None) -> None:
    """Print warnings, one after the other; before them, which file was ``written``."""
    if written is not None:
        say(f"{written}  written.")
    for message in messages:
        show_message(message)


def arrow(screen: Console) -> str:
    """An arrow that the terminal can show."""
    return "→" if can_show("→", screen) else "->"


def dash(screen: Console) -> str:
    """What stands where a value is missing."""
    return "–" if can_show("–", screen) else "-"


def can_show(character: str, screen: Console) -> bool:
    """Whether the encoding of the terminal has this character."""
    try:
        character.encode(screen.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _wrapped(line: str, screen: Console, *, indent: int) -> list[str]:
    """Lines that fit; broken only at blanks, so that a path or an option can be copied."""
    leading = len(line) - len(line.lstrip())
    whole = _BLANK_IN_NUMBER.sub("\u00a0", line)  # "18 590", "5 %", ">= 0.2" and "p = 0.04" stay whole
    pieces = textwrap.wrap(
        whole,
        min(max(screen.width, 20), WIDTH_OF_FILES) if screen.is_terminal else WIDTH_OF_FILES,
        subsequent_indent=" " * max(indent, leading),
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )
    return [piece.replace("\u00a0", " ") for piece in pieces] or [line]
