"""Names in a file of text that differ only by blanks at their ends: taken as one, and said."""

from __future__ import annotations

from typing import Any

from rocsteady.caller import caller_level
from rocsteady.errors import counted, warn
from rocsteady.scores.arrays import Source
from rocsteady.words import grouped, listed, printable

NAMES = ("group", "model", "case", "cluster", "repeat")
"""The roles whose text is a name. Labels are two words that everybody knows."""
_MOST_SHOWN = 3


def as_it_stood(role: str) -> str:
    """SQL for a name with blanks at its ends, before they were trimmed; NULL for all others."""
    return f"CASE WHEN {role}_ <> trim({role}_) THEN {role}_ END AS {role}_blank"


def warn_of_merged_names(database: Any, roles: list[str], source: Source) -> None:
    """RS105 for names that only blanks at their ends told apart, from the columns of :func:`as_it_stood`."""
    for role in roles:
        if not database.execute(f"SELECT 1 FROM clean WHERE {role}_blank IS NOT NULL LIMIT 1").fetchall():
            continue
        forms = (
            f"SELECT {role}_, coalesce({role}_blank, {role}_) AS form, count(*) AS n FROM clean "
            f"WHERE {role}_ IS NOT NULL GROUP BY ALL"
        )
        columns = "array_agg(form ORDER BY n DESC, form), array_agg(n ORDER BY n DESC, form)"
        merged = database.execute(
            f"SELECT {role}_, {columns} FROM ({forms}) GROUP BY {role}_ HAVING count(*) > 1 ORDER BY {role}_"
        ).fetchall()
        if merged:
            _warn(source, source.columns[role], merged)


def _warn(source: Source, column: str, merged: list[tuple[str, list[str], list[int]]]) -> None:
    shown = [
        listed([f'"{printable(form)}" ({counted(n, "row")})' for form, n in zip(forms, counts, strict=True)])
        for _, forms, counts in merged[:_MOST_SHOWN]
    ]
    more = f"; and {grouped(len(merged) - _MOST_SHOWN)} more" if len(merged) > _MOST_SHOWN else ""
    warn(
        "RS105",
        f'names in the column "{printable(column)}" differ only by blanks at their ends{source.place}; they '
        "are taken as one.",
        "; ".join(shown) + more,
        "right as it is if somebody typed the blanks by mistake",
        "if they are different, give them names that differ in more",
        stacklevel=caller_level(),
    )
