"""What every command keeps: the files it reads, and its word about the file it writes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from rocsteady.cli.console import say
from rocsteady.errors import fail
from rocsteady.words import printable

_READ = ("file", "cutoff_from", "add")
"""The parameters that name what is read; a command without the first writes into a folder."""


class CarefulCommand(TyperCommand):
    """A command that drops no value it was given, never writes over what it reads, and says what is left."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take in what was typed; RS002 if an option that takes one value was given several."""
        if not ctx.resilient_parsing:  # which completes what is being typed
            require_one_value(self.make_parser(ctx), list(args))
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; RS003 if it would write over what it reads."""
        require_level(ctx.params.get("confidence_level"))
        given = ctx.params.get("output") if "file" in ctx.params else None
        if given is None:
            return super().invoke(ctx)
        output = Path(given)  # which older typers have as text here
        require_name(output)
        require_other_than(output, [ctx.params.get(name) for name in _READ])
        before = _state(output)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            left = "was not changed" if _state(output) == before else "is written"
            say(f"interrupted; {printable(str(output))} {left}")
            raise


def require_one_value(parser: Any, args: list[str]) -> None:
    """RS002 for an option with two different values: the last would be taken, and the others dropped."""
    options = {id(own): own for own in (*parser._long_opt.values(), *parser._short_opt.values())}.values()
    single = {own.dest: own.obj for own in options if own.action in ("store", "store_const")}
    for option in options:
        option.action = option.action.replace("store", "append")
    given, _, _ = parser.parse_args(args)
    for dest, option in single.items():
        values = list(dict.fromkeys(given.get(dest) or ()))
        if len(values) < 2:
            continue
        name = next(own for own in option.opts if own.startswith("--"))
        typed = [f"{name} {printable(str(value))}" for value in values]
        if option.is_flag:
            typed = [(option.opts if value else option.secondary_opts)[0] for value in values]
        remedies = ["leave out all but one of them"]
        if option.metavar == "COLUMN":
            remedies.append(f"or write the columns into one, and name that:  {name} COLUMN")
        raise fail("RS002.option-twice", option=name, n=len(values), given=typed, ways=remedies)


def require_level(level: float | None) -> None:
    """RS042 for a level that would be shown as 100 %, or is out of range; no sample is as sure as that."""
    if level is not None and 0 < level < 1 and round(100 * level, 4) == 100:
        ways = ["--confidence-level 0.999"]
        raise fail("RS042", name="--confidence-level", where="at most 0.999999", found=level, ways=ways)


def require_name(output: Path) -> None:
    """RS002 if the name is empty: as a path that is the folder one is in."""
    if output == Path():
        raise fail("RS002.output-name")


def require_other_than(output: Path, read: list[str | None]) -> None:
    """RS003 if the file to be written is one that is read, under this name or another."""
    for name in read:
        if name is not None and _is_same(output, name):
            read_from = "standard input" if name == "-" else printable(name)
            raise fail("RS003.read", output=printable(str(output)), read=read_from)


def _is_same(output: Path, name: str) -> bool:
    with suppress(OSError, ValueError):  # one of them is not there, is no path, or has no number
        read = os.fstat(sys.stdin.fileno()) if name == "-" else os.stat(name)
        return os.path.samestat(read, os.stat(output))
    return False


def _state(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is replaced."""
    with suppress(OSError, ValueError):
        found = os.stat(path)
        return found.st_ino, found.st_mtime_ns, found.st_size
    return None
