"""Write docs/commands.md: every command and option, from the commands themselves.

    python docs/make_commands.py            write the page
    python docs/make_commands.py --check    exit 1 if it would change

What typer prints for --help depends on its release and on the width of the terminal; this page does not.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints

import typer

from rocsteady.cli import outcome
from rocsteady.cli.app import app

PAGE = Path(__file__).with_name("commands.md")
EXIT_CODES = {
    outcome.DONE: "done",
    outcome.REQUIREMENT_FAILED: "a `--require` does not hold",
    outcome.USAGE: "usage, column or label: something was typed that does not fit",
    outcome.DATA: "the data cannot be analysed, or a file cannot be read or written",
    outcome.STRICT: "there are warnings, under `--strict`",
    outcome.BUG: "a fault of rocsteady itself, with a file to send",
    outcome.INTERRUPTED: "interrupted (Ctrl-C)",
    outcome.TERMINATED: "terminated (SIGTERM)",
}
SHARED = ("--json", "--quiet", "--strict", "--words", "--require", "--seed", "--confidence-level", "--output")
INTRODUCTION = """\
# Commands

Made by docs/make_commands.py from the commands themselves. `rocsteady COMMAND --help` says the same.

Results go to standard output; progress, warnings and errors to standard error. `--json` prints JSON on
standard output and nothing else, with a `schema_version`. `--quiet` leaves errors, and the number or the
table that a script would read. Messages have a code, what was found and what to type; `rocsteady explain`
says more of a code.

`NO_COLOR=1` sends no escape codes at all. In CSV files names that a spreadsheet would take for a formula have
an apostrophe before them. `--at` takes rates by the names of any field: `fpr=5%`, `specificity=95%`,
`fmr=0.1%`, `fnmr=2%`.
"""
COMPLETION = """\
## Completion in the shell

    rocsteady --install-completion      for the shell it is typed in: bash, zsh, fish, PowerShell
    rocsteady --show-completion         what would be installed, to look at it first

Tab then completes commands, options, choices, codes behind `explain`, and behind `-g`, `-y`, `-s` and their
like the columns of the file that was typed before them. Names with characters that a shell might take for
something else are not offered.
"""


def page() -> str:
    """The whole page."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    parts = [INTRODUCTION, _table_of_commands(commands), _exit_codes(), _shared(commands), COMPLETION]
    parts += [_command(name, command) for name, command in commands.items()]
    return "\n".join(parts)


def _table_of_commands(commands: dict[str, Any]) -> str:
    rows = [f"| [{name}](#{name}) | {_escaped(_summary(own))} |" for name, own in commands.items()]
    return "\n".join(["| command | what it does |", "|---|---|", *rows, ""])


def _exit_codes() -> str:
    rows = [f"| {code} | {words} |" for code, words in EXIT_CODES.items()]
    return "\n".join(["## Exit codes", "", "| code | meaning |", "|---|---|", *rows, ""])


def _shared(commands: dict[str, Any]) -> str:
    """Which command has which of the options that several have."""
    lines = ["## Options that several commands have", "", f"| | {' | '.join(commands)} |"]
    lines.append("|---" * (len(commands) + 1) + "|")
    for option in SHARED:
        has = [any(option in own.opts for own in command.params) for command in commands.values()]
        lines.append(f"| `{option}` | {' | '.join('x' if own else '' for own in has)} |")
    return "\n".join([*lines, ""])


def _summary(command: Any) -> str:
    return inspect.cleandoc(command.help).split("\n\n")[0].replace("\n", " ")


def _command(name: str, command: Any) -> str:
    text = "\n\n".join(part.replace("\n", " ") for part in inspect.cleandoc(command.help).split("\n\n"))
    arguments = [own for own in command.params if own.param_type_name == "argument"]
    usage = " ".join(["rocsteady", name, "[OPTIONS]", *map(_argument, arguments)])
    lines = [f"## {name}", "", text, "", f"    {usage}", ""]
    kinds = get_type_hints(inspect.unwrap(command.callback))
    for own in arguments:
        lines += [f"`{_bare(own)}`: {_escaped(_said(own))}", ""]
    for panel, options in _panels(command):
        lines += [f"| {panel} | |", "|---|---|"]
        lines += [f"| {_typed(own, kinds[own.name])} | {_escaped(_said(own))} |" for own in options]
        lines.append("")
    return "\n".join(lines)


def _panels(command: Any) -> Iterator[tuple[str, list[Any]]]:
    """Options under the headings of the help, in the order in which they come there."""
    panels: dict[str, list[Any]] = {}
    for own in command.params:
        if own.param_type_name == "option" and not getattr(own, "hidden", False) and "--help" not in own.opts:
            panels.setdefault(getattr(own, "rich_help_panel", None) or "Options", []).append(own)
    yield from panels.items()


def _argument(own: Any) -> str:
    return _bare(own) if own.required else f"[{_bare(own)}]"


def _bare(own: Any) -> str:
    return str(own.metavar or own.name.upper()).strip("[]")


def _typed(own: Any, kind: Any) -> str:
    """``-g``, ``--group COLUMN``: the names, and what stands behind them."""
    names = ", ".join(f"`{name}`" for name in sorted([*own.opts, *own.secondary_opts], key=len))
    if own.is_flag:
        return names
    if own.metavar:
        return f"{names} {_escaped(own.metavar)}"
    (plain,) = (one for one in get_args(kind) or (kind,) if one is not type(None))
    if issubclass(plain, Enum):
        return f"{names} {_escaped('|'.join(choice.value for choice in plain))}"
    return f"{names} {'N' if plain is int else 'NUMBER'}"


def _said(own: Any) -> str:
    """The help, with the default where it is shown."""
    default = getattr(own.default, "value", own.default)
    is_shown = bool(own.show_default) and not getattr(own, "is_flag", False) and default not in (None, "")
    return f"{own.help} Default: {default}." if is_shown else own.help


def _escaped(text: str) -> str:
    return text.replace("|", r"\|").replace("<", "&lt;")


def main() -> None:
    """Write the page, or compare."""
    text = page()
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != text:
            raise SystemExit("docs/commands.md is not what the commands are: python docs/make_commands.py")
        return
    PAGE.write_text(text, encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
