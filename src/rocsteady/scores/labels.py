"""Labels: which rows are positive. Named, never guessed.

Labels True/False, 0/1 and -1/1 speak for themselves; for all others ``positive`` names one label or several.
Numeric labels stay as they are and are only given their two codes, because at ten million rows looking at
them twice is what costs; :func:`explain_labels` takes the careful look once a kernel has met a stray one.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady._kernels import kernels
from rocsteady.errors import LabelError, Option, Remedy, counted, near_match
from rocsteady.scores.arrays import ARRAYS, Array, Column, Source, in_one_piece, thousands
from rocsteady.scores.grouping import Factor, factorize, shown, word
from rocsteady.scores.text import MISSING_WORDS

_KERNEL_LABELS = frozenset(
    map(np.dtype, (np.bool_, np.int8, np.uint8, np.int32, np.int64, np.float32, np.float64))
)
_EXACT_IN_FLOAT = 2.0**53
_RARER, _LONG_ENOUGH, _MOST_SLIPS = 20, 4, 3
"""A slip is so many times rarer than what was meant, of so many letters; so many are told."""
_SHOWN = 8


@dataclass(frozen=True)
class Classes:
    """The words for the two classes, for sentences: ``Classes(positive='attack', negative='normal')``."""

    positive: str
    negative: str


NO_WORDS = Classes("positive", "negative")
"""Where nobody has said what the classes are."""


@dataclass(frozen=True, eq=False)
class CodedLabels:
    """Labels in a type the kernels take, their two codes and the words for them."""

    array: Array
    positive: float
    negative: float
    classes: Classes


def code_labels(column: Column, positive: object, source: Source = ARRAYS) -> CodedLabels:
    """Give labels their two codes.

    Numeric labels are neither copied nor searched beyond the first of each kind, so a third label may
    remain; the kernels refuse it, and :func:`explain_labels` then says which.

    Raises
    ------
    LabelError
        RS020 to RS023.
    """
    if column.missing is not None:
        raise _missing_labels(column, source, positive)
    positive = _without_shape(positive)
    if column.array.dtype in _KERNEL_LABELS and column.array.dtype.isnative:
        coded = _code_numbers(column, positive, source)
        if coded is not None:
            return coded
    return _code_values(column, positive, source)


def explain_labels(column: Column, positive: object, source: Source = ARRAYS) -> None:
    """Look at every label and raise what is wrong with them; return if nothing is."""
    _code_values(column, _without_shape(positive), source)


def _without_shape(positive: object) -> object:
    """The label in an array without dimensions, which looks like a collection but is none."""
    return positive[()] if isinstance(positive, np.ndarray) and positive.ndim == 0 else positive


def _code_numbers(column: Column, positive: object, source: Source) -> CodedLabels | None:
    """The fast way, for numeric labels and at most one positive number; None if it does not apply."""
    array = column.array
    wanted = 1.0 if positive is None else _as_code(positive, array)
    if wanted is None:
        return None
    array = in_one_piece(array)
    other = kernels.other_label(array, wanted)
    if other is None:
        other = _partner(wanted)
    elif not abs(other) < _EXACT_IN_FLOAT or (positive is None and other not in (0, -1)):
        return None  # NaN, too large, or not one of the pairs that need no explanation
    elif positive is not None and _is_absent(wanted, other, array):
        return None
    classes = Classes(*(_number_word(code, array) for code in (wanted, other)))
    return CodedLabels(array, wanted, other, classes)


def _is_absent(wanted: float, other: float, array: Array) -> bool:
    """Whether all labels are ``other``, and the two are no pair that would make them one class of it."""
    return not _needs_no_name((wanted, other)) and kernels.other_label(array, other) is None


def _as_code(positive: object, array: Array) -> float | None:
    """``positive`` as a float, if it is one number that the labels' type can hold."""
    if not isinstance(positive, numbers.Real | np.bool_):
        return None
    try:
        if not abs(float(positive)) < _EXACT_IN_FLOAT:
            return None
    except OverflowError:
        return None
    code = float(positive)
    if array.dtype.kind == "b":
        return code if code in (0.0, 1.0) else None
    if array.dtype.kind in "iu":
        limits = np.iinfo(array.dtype)
        return code if code.is_integer() and limits.min <= code <= limits.max else None
    return code if float(array.dtype.type(code)) == code else None


def _partner(code: float) -> float:
    """A label that is not there, for labels that are all alike."""
    return 0.0 if code != 0 else 1.0


def _needs_no_name(labels: Iterable[Any]) -> bool:
    """Whether these are True/False, 0/1 or -1/1, or one of such a pair."""
    known = list(labels)
    if not all(isinstance(label, numbers.Real | np.bool_) for label in known):
        return False
    return all(label in (0, 1) for label in known) or all(label in (-1, 1) for label in known)


def _number_word(code: float, array: Array) -> str:
    if array.dtype.kind == "b":
        return str(bool(code))
    return str(int(code)) if code.is_integer() else str(code)


def _code_values(column: Column, positive: object, source: Source) -> CodedLabels:
    """The careful way: count every distinct label."""
    found = factorize(column)
    if found.missing.any():
        raise _missing_labels(Column(column.array, found.missing), source, positive)
    is_wanted, classes = classes_among(found, positive, source)
    codes = np.asarray(is_wanted, dtype=np.uint8)[found.codes]
    return CodedLabels(codes, 1.0, 0.0, classes)


def classes_among(found: Factor, positive: object, source: Source = ARRAYS) -> tuple[list[bool], Classes]:
    """Which of the distinct labels are positive, and the words for the two classes.

    Raises
    ------
    LabelError
        RS020 to RS022.
    """
    wanted = _wanted_labels(positive)
    if wanted is None:
        if not _needs_no_name(found.values):
            raise _unnamed(found, source) if len(found.values) <= 2 else _too_many(None, found, source)
        wanted = [1]
    is_wanted = [any(_same(value, label, source) for label in wanted) for value in found.values]
    absent = [label for label in wanted if not any(_same(v, label, source) for v in found.values)]
    if absent and not _needs_no_name([*found.values, *wanted]):
        raise _not_found(absent[0], wanted if _names_several(positive) else None, found, source)
    if not _names_several(positive) and len(found.values) > 2:
        raise _too_many(positive, found, source)
    return is_wanted, _classes(found, is_wanted, wanted)


def _names_several(positive: object) -> bool:
    """Whether ``positive`` is a collection of labels; a dictionary is none."""
    return isinstance(positive, Iterable) and not isinstance(positive, str | bytes | dict)


def _wanted_labels(positive: object) -> list[Any] | None:
    if positive is None:
        return None
    if not _names_several(positive):
        return [positive]
    wanted: list[Any] = list(positive)  # type: ignore[call-overload]
    if not wanted:
        raise LabelError(
            "RS020",
            "positive names no label.",
            "an empty list",
            ["name at least one:  ", Option("positive", ["a", "b"])],
        )
    return wanted


def _same(value: Any, label: Any, source: Source) -> bool:
    """Whether a label found is the label named."""
    if isinstance(value, np.datetime64 | np.timedelta64):
        try:
            return bool(type(value)(label) == value)
        except (TypeError, ValueError):
            return False
    try:
        if bool(value == label):
            return True
    except (TypeError, ValueError, ArithmeticError):  # a signalling NaN may not even be compared
        return False
    return source.text_labels and _text(value) == _text(label)


def _text(label: object) -> str:
    """One spelling for labels that were text in a file: '1', 1 and 1.0 are alike, and true and True."""
    text = word(label).strip()
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return str(int(text)) if len(text) < 1000 else text  # not as a float, which has 16 digits
    try:
        number = float(text)
    except ValueError:
        return text.casefold() if text.casefold() in ("true", "false") else text
    if not math.isfinite(number):
        return text
    return str(int(number)) if number.is_integer() else repr(number)


def _classes(found: Factor, is_wanted: list[bool], wanted: list[Any]) -> Classes:
    sides = []
    for side in (True, False):
        words = [word(v) for v, yes in zip(found.values, is_wanted, strict=True) if yes is side]
        sides.append(words)
    positives, negatives = sides
    positive_word = _joined(positives or [word(label) for label in wanted])
    if not negatives:
        pair = {"1": "0", "0": "1", "True": "False", "False": "True", "-1": "1"}
        negatives = [pair.get(positive_word, "other")]
    return Classes(positive_word, _joined(negatives))


def _joined(words: list[str]) -> str:
    return " or ".join(words) if len(words) <= 3 else "other"


def _missing_labels(column: Column, source: Source, positive: object) -> LabelError:
    assert column.missing is not None
    rows = np.flatnonzero(column.missing)
    remedy: Remedy = "drop those rows before this call"
    if source.columns:
        remedy = ["drop those rows:  ", Option("on_missing", "drop"), "   (they are counted)"]
    wanted = list(positive) if _names_several(positive) else [positive]  # type: ignore[call-overload]
    asked = next((label for label in wanted if label in MISSING_WORDS), None)
    if asked is not None and source.text_labels:  # dropping the rows would drop the class that is meant
        remedy = f'in a file of text "{asked}" means a missing label: give that class another name in it'
    return LabelError(
        "RS023",
        f"{thousands(rows.size)} of {counted(len(column), 'label')} "
        f"{'is' if rows.size == 1 else 'are'} missing{source.place}.",
        f"first at {source.row(int(rows[0]))}",
        remedy,
    )


def _table(found: Factor) -> str:
    """``labels found: attack (2 664 rows), normal (15 889 rows)``."""
    counts = found.rows_of_values
    order = sorted(range(len(found.values)), key=lambda i: word(found.values[i]))
    listed = [f"{shown(found.values[i])} ({counted(int(counts[i]), 'row')})" for i in order[:_SHOWN]]
    more = len(order) - _SHOWN
    return "labels found: " + ", ".join(listed) + (f" and {thousands(more)} more" if more > 0 else "")


def _choices(values: Iterable[Any]) -> Remedy:
    """``use positive='a'   or   positive='b'``; of more than two labels, a list of one against all others."""
    known = [_plain(value) for value in sorted(values, key=word)]
    parts: list[str | Option] = ["use  "]
    for value in known[:2]:
        parts += [Option("positive", value if len(known) <= 2 else [value]), "   or   "]
    return parts[:-1]


def _several(found: Factor, source: Source, positive: object = None) -> Remedy:
    """An example of naming several labels: two, the named one among them."""
    example = _likely(found, source, positive)[:2]
    return [
        "name the positive ones; all others become negative:  ",
        Option("positive", sorted(example, key=word)),
    ]


def _likely(found: Factor, source: Source, positive: object) -> list[Any]:
    """The labels as examples of a positive one: that which was named, then from the last on."""
    values = [_plain(v) for v in sorted(found.values, key=word)]
    named = [] if positive is None else [v for v in values if _same(v, positive, source)]
    return named + [v for v in reversed(values) if v not in named]


def _plain(value: Any) -> Any:
    """A value whose repr can be typed."""
    if isinstance(value, np.datetime64):
        return word(value)
    return value.item() if isinstance(value, np.generic) else value


def _unnamed(found: Factor, source: Source) -> LabelError:
    of_column = f" of {source.column('label')}" if source.columns else ""
    return LabelError(
        "RS020",
        f"the positive label{of_column} has to be named{source.place}.",
        _table(found),
        _choices(found.values),
    )


def _not_found(label: object, listed: list[Any] | None, found: Factor, source: Source) -> LabelError:
    """RS021 for a label that no row has; ``listed`` is all that the caller named, if it was a list."""
    close = near_match(word(label), map(word, found.values))
    meant = next((v for v in found.values if word(v) == close), None)
    remedy = _choices(found.values)
    if len(found.values) == 1 and meant is None:
        remedy = "the column has one class only; a curve needs rows of two"
    elif listed is not None:
        remedy = _rest_of(listed, label, meant, found, source)
    elif len(found.values) > 2 and meant is not None:
        remedy = ["did you mean  ", Option("positive", [_plain(meant)]), " ?"]
    rows = f"row of {source.column('label')}" if source.columns else "row"
    hint = ""
    if any(word(v) == word(label) for v in found.values):
        hint = f"\n{label!r} is {_kind(label)}, the labels are {_kind(found.values[0])}"
    return LabelError(
        "RS021", f'no {rows} has the label "{shown(label)}"{source.place}.', _table(found) + hint, remedy
    )


def _rest_of(listed: list[Any], label: object, meant: Any, found: Factor, source: Source) -> Remedy:
    """The list with the label that was meant, or without the one that is not there."""
    known = [v for v in listed if any(_same(value, v, source) for value in found.values)]
    if meant is not None and not any(_same(meant, v, source) for v in known):
        return ["did you mean  ", Option("positive", [*map(_plain, known), _plain(meant)]), " ?"]
    if not known:
        return _several(found, source) if len(found.values) > 2 else _choices(found.values)
    return ["leave it out:  ", Option("positive", list(map(_plain, known)))]


def _kind(label: object) -> str:
    return "text" if isinstance(label, str) else f"of type {type(label).__name__}"


def _slips(found: Factor) -> list[Remedy]:
    """Rare labels that look like frequent ones: to be mended before anything else is tried."""
    counts = found.rows_of_values.tolist()
    known = [(v, n) for v, n in zip(found.values, counts, strict=True) if isinstance(v, str)]
    alike = []
    for label, n in sorted(known, key=lambda own: own[1])[:_SHOWN]:
        meant = next((own for own, many in known if many >= _RARER * n and _is_slip(label, own)), None)
        if meant is not None:
            alike.append(f'"{shown(label)}" looks like "{shown(meant)}"')
    return [f"mend the file: {', '.join(alike[:_MOST_SLIPS])}"] if alike else []


def _is_slip(label: str, meant: str) -> bool:
    """Whether two words are one but for case and blanks, for two letters swapped, or for one letter."""
    a, b = label.strip().casefold(), meant.strip().casefold()
    if a == b:
        return True
    if not (a.isalpha() and b.isalpha()) or min(len(a), len(b)) < _LONG_ENOUGH or abs(len(a) - len(b)) > 1:
        return False
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    a, b = a[same:], b[same:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[1::-1], a[2:]) == (b[:2], b[2:])


def _too_many(positive: object, found: Factor, source: Source) -> LabelError:
    subject = f"{source.column('label')} has" if source.columns else "there are"
    return LabelError(
        "RS022",
        f"{subject} {len(found.values)} labels; a ROC curve needs two classes.",
        _table(found),
        *_slips(found),
        [
            "one label against all others, as a list of one:  ",
            Option("positive", _likely(found, source, positive)[:1]),
        ],
        _several(found, source, positive),
    )
