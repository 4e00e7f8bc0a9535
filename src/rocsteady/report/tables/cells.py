"""Columns as they are printed: numbers rounded alike, limits beside what they limit, p-values as in papers.

Cells are text with a few typographic characters (a minus sign, an en dash, an infinity, a thin space between
thousands); a format writes these in its own way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

import numpy as np

MINUS, NOTHING, INFINITY, THIN, TIMES = "\u2212", "\u2013", "\u221e", "\u202f", "\u00d7"

_JOINERS = "\u200c\u200d"
"""Without which letters of some scripts, and some pictures, are others."""
_NEGLIGIBLE = 1e-12
"""Below which a difference of rates is a rounding error of floats."""
_PAIRS = (("low", "high"), ("lower", "upper"))
_NOT_LIMITED = ("standard_error", "sd", "bias", "statistic", "df", "weight", "var", "threshold")
_SHORT = {"pvalue": "p", "fpr": "FPR", "tpr": "TPR", "fnr": "FNR", "auc": "AUC", "sd": "SD", "eer": "EER"}
_SHORT |= {"ppv": "PPV", "npv": "NPV", "lr": "LR"}
_FEWEST_OF_PVALUES = 2
"""Decimals; with none every p-value would be < 1."""
_MOST_DECIMALS = 6
"""With which a small number is still easily read; others have a power of ten."""


@dataclass(frozen=True)
class PrintedColumn:
    """A column of a table: its heading, its cells, and whether they are numbers."""

    heading: str
    cells: tuple[str, ...]
    is_number: bool


def printed(
    columns: Mapping[str, Any],
    *,
    digits: int,
    level: float | None,
    headings: Mapping[str, str],
    spelled: Callable[[str], str],
) -> list[PrintedColumn]:
    """All columns as they are printed, limits joined to the column that they limit.

    ``headings`` has the words for some columns; the others have their names, as ``spelled`` spells them.
    """
    values = {name: _plain_list(list(column)) for name, column in columns.items()}
    limits, taken = _limits(values)
    interval = "interval" if level is None else f"{100 * level:g}{THIN}% interval"
    found = []
    for name, column in values.items():
        words = spelled(name)
        if name in limits:
            low, high = (values[own] for own in limits[name])
            words, cells, is_number = f"{words} ({interval})", _with_limits(column, low, high, digits), True
        elif other := taken.get(name):
            stem = _stem(name)
            words = f"{spelled(stem)} ({interval})" if stem else interval
            cells, is_number = _ranges(column, values[other], digits), True
        elif name in taken:
            continue
        else:
            is_number = _is_number(column)
            cells = _numbers(name, column, digits) if is_number else [_text(own, digits) for own in column]
        found.append(PrintedColumn(on_one_line(headings.get(name) or words), tuple(cells), is_number))
    return found


def _plain_list(column: Sequence[Any]) -> list[Any]:
    """Python's own values: None for NaN and whatever else stands for nothing; days without their midnight."""
    found = [_plain(own) for own in column]
    if all(own is None or (isinstance(own, datetime) and own.time() == time()) for own in found):
        return [None if own is None else own.date() for own in found]
    return found


def _plain(value: Any) -> Any:
    if value is np.ma.masked:
        return None
    if isinstance(value, np.datetime64 | np.timedelta64):  # of nanoseconds Python has none
        return value.astype(f"{value.dtype.kind}8[us]").item()
    if isinstance(value, np.generic):
        value = float(value) if isinstance(value, np.floating) else value.item()
    try:
        is_missing = bool(value != value)  # noqa: PLR0124 - NaN and NaT differ from themselves
    except (TypeError, ValueError):  # pandas.NA has no truth, an array has several
        is_missing = np.ndim(value) == 0
    return None if is_missing else value


def _is_number(column: Sequence[Any]) -> bool:
    found = [own for own in column if own is not None]
    return bool(found) and all(isinstance(own, int | float) and not isinstance(own, bool) for own in found)


def _text(value: Any, digits: int) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _numbers("", [value], digits)[0]
    return on_one_line(str(value))


def on_one_line(text: str) -> str:
    """Text without what would end a row, or has no picture: line breaks, tabs, control characters."""
    words = re.sub(rf"[^\S{THIN}]+", " ", text).strip(f" {_JOINERS}")  # a thin space is our own
    return "".join(c for c in words if c.isprintable() or c in THIN + _JOINERS)


def heading(name: str, from_data: Collection[str] = ()) -> str:
    """The name of one of our columns in words; of names that come from data not a letter is changed."""
    if name in from_data:
        return name
    for own in sorted(from_data, key=len, reverse=True):
        if name.startswith(f"{own} "):
            return f"{own} {heading(name.removeprefix(f'{own} '))}"
        if name.endswith(f" {own}"):
            return f"{heading(name.removesuffix(f' {own}'))} {own}"
    name = "adjusted_pvalue" if name == "adjusted" else name.removeprefix("n_")
    return " ".join(_SHORT.get(word, word) for word in re.split("[_ ]", name))


# -- which limits belong to which column ------------------------------------------------------------------


def _limits(
    values: Mapping[str, list[Any]],
) -> tuple[dict[str, tuple[str, str]], dict[str, str | None]]:
    """For each column that has limits, the names of their columns; and what becomes of these.

    The columns of limits are not printed (None), but for a pair that limits no column of the table: its first
    column is printed together with its second.
    """
    found: dict[str, tuple[str, str]] = {}
    taken: dict[str, str | None] = {}
    pairs = _pairs(values)
    others = {name: own for name, own in values.items() if not any(name in pair for pair in pairs)}
    for low, high in pairs:
        owner = _owner(low, high, values, others)
        if owner is None and not _stem(low) and list(values).index(high) != list(values).index(low) + 1:
            continue  # low, medium and high are names of something else
        taken |= {low: None, high: None}
        if owner is None or owner in found:
            is_known = any(own is not None for own in (*values[low], *values[high]))
            taken[low] = high if is_known else None
        elif not _says_nothing(values[owner], values[low], values[high]):
            found[owner] = (low, high)
    return found, taken


def _says_nothing(column: Sequence[Any], low: Sequence[Any], high: Sequence[Any]) -> bool:
    """Whether no limit is known, or all are the value itself, as of the rate that is held fixed."""
    return all(None in (a, b) or a == value == b for value, a, b in zip(column, low, high, strict=True))


def _pairs(values: Mapping[str, list[Any]]) -> list[tuple[str, str]]:
    """Columns ``low`` and ``high``, ``auc_low`` and ``auc_high``, ``lower_tpr`` and ``upper_tpr``."""
    pairs = []
    for low, high in _PAIRS:
        for name in values:
            words = name.split("_")
            other = "_".join(high if word == low else word for word in words)
            if low in (words[0], words[-1]) and other in values and _are_limits(values[name], values[other]):
                pairs.append((name, other))
    return pairs


def _are_limits(*columns: Sequence[Any]) -> bool:
    """Whether all are numbers, or nothing."""
    return all(_is_number(own) or all(cell is None for cell in own) for own in columns)


def _owner(
    low: str, high: str, values: Mapping[str, list[Any]], others: Mapping[str, list[Any]]
) -> str | None:
    """The column that limits are of: the one they are named after, else the nearest estimate before them.

    ``others`` are the columns that are no limits themselves. What lies between its limits is preferred.
    """
    stem, names = _stem(low), list(values)
    before = [own for own in names[: names.index(low)][::-1] if own in others]
    if stem:
        nearest = [own for own in before[:1] if own.startswith(stem) and _is_estimate(own, values[own])]
        named = (*nearest, stem, f"{stem}_value")  # auc_low after auc_difference
        return next((own for own in named if _is_number(others.get(own, []))), None)
    estimates = [own for own in before if _is_estimate(own, values[own])]
    inside = (own for own in estimates if _is_between(values[own], values[low], values[high]))
    return next(iter((*inside, *estimates)), None)


def _is_between(column: Sequence[Any], low: Sequence[Any], high: Sequence[Any]) -> bool:
    known = [own for own in zip(low, column, high, strict=True) if None not in own]
    return all(min(a, b) <= value <= max(a, b) for a, value, b in known)


def _stem(low: str) -> str:
    """What the name of a limit says besides: ``auc`` of ``auc_low``."""
    return "_".join(word for word in low.split("_") if word not in ("low", "lower"))


def _is_estimate(name: str, column: Sequence[Any]) -> bool:
    is_other = name.endswith(_NOT_LIMITED) or name.startswith("n_") or _is_pvalue(name)
    return not is_other and _is_number(column) and any(isinstance(own, float) for own in column)


def _with_limits(column: Sequence[Any], low: Sequence[Any], high: Sequence[Any], digits: int) -> list[str]:
    """``0.931 (0.917 to 0.945)``; without the brackets where a limit is not known."""
    low, high = _in_order(low, high)
    numbers = _numbers("", [*column, *low, *high], digits, is_fixed=True)
    n = len(column)
    rows = zip(numbers[:n], numbers[n : 2 * n], numbers[2 * n :], strict=True)
    return [value if NOTHING in (a, b) else f"{value} ({a} to {b})" for value, a, b in rows]


def _ranges(low: Sequence[Any], high: Sequence[Any], digits: int) -> list[str]:
    """``0.917 to 0.945``."""
    low, high = _in_order(low, high)
    numbers = _numbers("", [*low, *high], digits, is_fixed=True)
    rows = zip(numbers[: len(low)], numbers[len(low) :], strict=True)
    return [NOTHING if NOTHING in (a, b) else f"{a} to {b}" for a, b in rows]


def _in_order(low: Sequence[Any], high: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The smaller limit first: the lower edge of a band is the worse one, and has the higher FPR."""
    pairs = [(a, b) if None in (a, b) or a <= b else (b, a) for a, b in zip(low, high, strict=True)]
    return [a for a, _ in pairs], [b for _, b in pairs]


# -- numbers ----------------------------------------------------------------------------------------------


def _is_pvalue(name: str) -> bool:
    return name.lower() in ("p", "p-value", "p_value", "adjusted") or name.lower().endswith("pvalue")


def _numbers(name: str, column: Sequence[Any], digits: int, *, is_fixed: bool = False) -> list[str]:
    """Numbers of a column, all with the same number of decimals.

    Among rates, counts and scores one that would be rounded to zero keeps its first digits, unless decimals
    are fixed: beside its limits, and among differences, zero says no more than that there is little.
    """
    if _is_pvalue(name):
        return [_pvalue(own, digits) for own in column]
    if all(isinstance(own, int) for own in column if own is not None):
        return [NOTHING if own is None else _whole(own) for own in column]
    finite = [own for own in column if own is not None and math.isfinite(own)]
    decimals, is_fixed = _decimals(name, finite, digits), is_fixed or min(finite, default=0) < 0
    return [_number(own, decimals, is_fixed=is_fixed) for own in column]


def _decimals(name: str, column: Sequence[float], digits: int) -> int:
    """How many decimals the numbers of a column get; -1 for numbers so small that they need powers of ten."""
    largest = max(map(abs, column), default=0.0)
    if largest > 1 and all(own == int(own) for own in column):  # ratings, degrees of freedom
        return 0
    if name == "df":
        return min(digits, 1)
    before_the_point = len(f"{largest:.0f}")
    if before_the_point > 3:
        return max(0, digits + 3 - before_the_point)
    if not 0 < largest < 10.0**-digits or largest <= _NEGLIGIBLE or not digits:
        return digits
    needed = digits - 1 - math.floor(math.log10(largest))
    return needed if needed <= digits + 4 else -1


def _whole(value: int) -> str:
    return f"{value:,}".replace(",", THIN).replace("-", MINUS)


def _number(value: float | None, decimals: int, *, is_fixed: bool = False) -> str:
    if value is None:
        return NOTHING
    if math.isinf(value):
        return INFINITY if value > 0 else MINUS + INFINITY
    if decimals < 0 or abs(value) >= 1e15:
        return _scientific(value, 3) if value else "0"
    rounded = f"{value:,.{decimals}f}"
    if float(rounded.replace(",", "")) == 0:
        rounded = f"{0:.{decimals}f}" if is_fixed else _small(value, decimals)
    return rounded.replace(",", THIN).replace("-", MINUS)


def _small(value: float, decimals: int) -> str:
    """A number that would be rounded to zero: a rate of 2 in a million is not none."""
    if abs(value) <= _NEGLIGIBLE:
        return f"{0:.{decimals}f}"
    needed = 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{needed}f}" if needed <= _MOST_DECIMALS else _scientific(value, 2)


def _scientific(value: float, digits: int) -> str:
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa} {TIMES} 10^{int(exponent)}".replace("-", MINUS)


def _pvalue(value: float | None, digits: int) -> str:
    if value is None:
        return NOTHING
    digits = max(digits, _FEWEST_OF_PVALUES)
    smallest = 10.0**-digits
    return f"< {smallest:.{digits}f}" if 0 <= value < smallest else _number(value, digits)
