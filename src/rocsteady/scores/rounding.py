"""Scores that become ties, or infinite, when they are rounded to floats: counted, and said."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.caller import caller_level
from rocsteady.errors import counted, warn
from rocsteady.words import grouped

if TYPE_CHECKING:
    from rocsteady.scores.arrays import Source

_SMALLEST = "2.2250738585072014e-308"
"""Below it floats have fewer digits."""
_SOME_ROWS = "rowid < 100000 OR rowid % 97 = 0"


def could_be_rounded(text: str) -> str:
    """SQL that is true of all texts that may be another number as a float, and of few others.

    Up to 15 digits a float is a number of its own, and so is one that is spelled as the shortest text for it:
    what programs write. Spelling them again is slow, so of ordinary texts of 16 to 18 digits some are looked
    at: those of one program are alike. Texts beyond the range of floats may be short, but have an exponent.
    """
    has_exponent = f"contains({text}, 'e') OR contains({text}, 'E')"
    number = f"TRY_CAST({text} AS DOUBLE)"
    tests = (
        f"strlen({text}) > 15 OR {has_exponent}",
        f"{_SOME_ROWS} OR {has_exponent} OR NOT contains({text}, '.') OR strlen({text}) > 20",
        f"strlen({text}) > 15 OR isinf({number}) OR abs({number}) < {_SMALLEST}",
        f"{text} <> CAST({number} AS VARCHAR)",
        f"regexp_matches({text}, '^[^eE]*[1-9]')",  # not zero
    )
    sql = "true"
    for test in reversed(tests):  # in CASE, later tests see only rows that passed the earlier ones
        sql = f"CASE WHEN {test} THEN {sql} ELSE false END"
    return sql


def warn_of_rounded_text(database: Any, role: str, source: Source) -> None:
    """RS107 for different texts of the table ``clean`` that are one float, or an infinite one."""
    rows = f"SELECT TRY_CAST({role}_ AS DOUBLE) AS number, {role}_ AS text FROM clean"
    several = (
        f"SELECT number FROM ({rows}) GROUP BY number "
        "HAVING min(hash(text)) <> max(hash(text)) OR isinf(number)"
    )
    found = database.execute(
        f"SELECT number, array_agg(DISTINCT text) FROM ({rows}) WHERE number IN ({several}) GROUP BY number"
    ).fetchall()
    warn_of_rounding(dict(found), role, source)


def warn_of_rounding(become: Mapping[float, Iterable[Any]], role: str, source: Source) -> None:
    """RS107 if different values become one float, or finite ones an infinite one."""
    kept = {number: _different(values) for number, values in become.items() if number == number}  # noqa: PLR0124
    ties = {number: own for number, own in kept.items() if len(own) > 1 and math.isfinite(number)}
    infinite = [(number, value) for number in sorted(kept) if math.isinf(number) for value in kept[number]]
    if not ties and not infinite:
        return
    said, shown, ways = [], [], []
    if ties:
        n_values = sum(map(len, ties.values()))
        said.append(f"{counted(n_values, 'different score')} become {grouped(len(ties))} as floats")
        first = min(ties)
        shown.append(f"{' and '.join(map(_cut, ties[first][:2]))} are both {first!r}")
        ways.append(
            "floats have 16 digits: subtract an offset, or write all scores as integers of up to 64 bits, "
            "which are compared exactly"
        )
    if infinite:
        said.append(f"{counted(len(infinite), 'finite score')} become{'s' * (len(infinite) == 1)} infinite")
        shown.append(f"{_cut(infinite[0][1])} is {infinite[0][0]!r}")
        ways.append("floats end at 1.8e308: divide all scores by one number, or take their logarithms")
    warn(
        "RS107",
        f"{source.column(role)}: {' and '.join(said)}{source.place}.",
        f"for example {'; '.join(shown)}",
        *ways,
        stacklevel=caller_level(),
    )


def warn_of_rounded_items(
    items: Sequence[Any], numbers: NDArray[Any], role: str, source: Source, *, decimals: bool
) -> None:
    """RS107 for Python's numbers that became these; without decimals only large integers can be rounded."""
    if role != "score" or numbers.dtype.kind != "f":
        return
    rows = range(numbers.size) if decimals else np.flatnonzero(np.abs(numbers) >= 2.0**53).tolist()
    become: dict[float, set[Any]] = {}
    for row in rows:
        become.setdefault(float(numbers[row]), set()).add(items[row])
    several = {number: own for number, own in become.items() if len(own) > 1 or math.isinf(number)}
    warn_of_rounding(several, role, source)


def _different(values: Iterable[Any]) -> Sequence[Any]:
    """One of each finite number among texts, decimals and integers; 0.5 and 0.50 are one."""
    found: dict[Any, Any] = {}
    for value in values:
        plain = value.item() if isinstance(value, np.generic) else value
        try:
            number = Decimal(repr(plain) if isinstance(plain, float) else plain)
        except InvalidOperation:  # an exponent that even decimals do not have
            number = value
        if not isinstance(number, Decimal) or number.is_finite():
            found.setdefault(number, plain)
    return sorted(found.values(), key=str)


def _cut(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
