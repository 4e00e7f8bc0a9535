"""What a shell offers when Tab is pressed: columns of the file that was typed, figures, methods, codes.

Choices are completed by typer itself. What is offered here may come from a file, and a shell puts it into a
command line: only names without any character that a shell could take for something else are offered.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence

_HARMLESS = re.compile(r"[\w.][\w.-]*")
METHODS = (
    "pooled", "threshold", "vertical", "horizontal", "diagonal", "radial", "tangent", "binormal",
    "alarm-rate", "costs",
)  # fmt: skip
"""Names behind ``--method``; a test holds them to those of the library, which is too slow to ask for them."""


def complete_columns(incomplete: str) -> list[str]:
    """The columns of FILE, if it was typed already and is a table in text or Parquet."""
    names = {name for file in _files_typed() for name in columns_of(file)}
    return sorted(name for name in names if name.startswith(incomplete) and _HARMLESS.fullmatch(name))


def _files_typed() -> list[str]:
    """The files on the command line. The parser does not say: it stumbles over the option without a value."""
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    try:
        words = shlex.split(typed)
    except ValueError:  # a quote that is still open
        words = typed.split()
    return [word for word in words[2:] if os.path.isfile(word)]


def complete_methods(incomplete: str) -> list[str]:
    """Averages by their names."""
    return [name for name in METHODS if name.startswith(incomplete)]


def complete_codes(incomplete: str) -> Iterator[tuple[str, str]]:
    """Codes of messages with their titles."""
    from rocsteady.errors import catalogue

    for code, entry in catalogue().items():
        if code.startswith(incomplete.upper()):
            yield code, entry.title


def columns_of(file: str) -> Sequence[str]:
    """The header of a file; nothing where that takes more than a look."""
    from rocsteady.scores.files import located, read_header

    try:
        with located(file) as found:
            if found.kind in ("CSV", "TSV"):
                return read_header(found)
            if found.kind == "Parquet":
                import duckdb

                with duckdb.connect() as database:
                    rows = database.execute(
                        "DESCRIBE SELECT * FROM read_parquet(?, hive_partitioning = false)", [found.pattern]
                    ).fetchall()
                return [str(row[0]) for row in rows]
    except Exception:  # whatever it is, nobody wants a traceback between two keystrokes
        return []
    return []
