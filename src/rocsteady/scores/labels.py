"""Labels: which rows are positive. Named, never guessed.

Labels True/False, 0/1 and -1/1 speak for themselves; for all others ``positive`` names one label or several.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Array
from rocsteady.errors import LabelError, Option, RocsteadyError, fail
from rocsteady.options import LARGEST_EXACT
from rocsteady.scores.columns import (
    ARRAYS,
    Column,
    Factor,
    Source,
    factorize,
    missing_values,
    role_kind,
    shown,
    word,
)
from rocsteady.words import counted, grouped, near_match

MISSING_WORDS = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None")
"""What text files write for a number or a label that is missing."""
_SHOWN = 8
"""So many labels are listed."""


@dataclass(frozen=True)
class Classes:
    """The words for the two classes, for sentences: ``Classes(positive='attack', negative='normal')``."""

    positive: str
    negative: str
    negative_is_a_label: bool = field(default=True, compare=False, repr=False)


NO_WORDS = Classes("positive", "negative")
"""Where nobody has said what the classes are."""


def code_labels(
    labels: Column | Factor, positive: object, source: Source = ARRAYS, scores: Array | None = None
) -> tuple[NDArray[np.uint8], Classes]:
    """1 for a positive row, 0 for a negative one, and the words for the two classes; else RS020 to RS023.

    The ``scores``, one row for each model, tell whether labels were passed in their place.
    """
    if isinstance(positive, np.ndarray) and positive.ndim == 0:
        positive = positive[()]  # it looks like a collection, but is none
    if isinstance(labels, Column) and labels.missing is None and labels.array.dtype.kind in "biuf":
        coded = _code_numbers(labels.array, positive)
        if coded is not None:
            return coded
    found = factorize(labels)
    if any(isinstance(value, Decimal) for value in found.values):  # labels are compared as numbers
        values = [float(own) if isinstance(own, Decimal) else own for own in found.values]
        found = found.called([whole(own) for own in values])
    if found.gaps is not None:
        meant = next((label for label in _listed(positive)[0] if label in MISSING_WORDS), None)
        if meant is not None and source.text_labels:  # dropping the rows would drop the class that is meant
            facts = {"n": np.count_nonzero(found.gaps), "total": len(found), "place": source.place}
            raise fail("RS023.word", first=source.row(int(found.gaps.argmax())), word=meant, **facts)
        raise missing_values(found.gaps, "label", source)
    try:
        is_wanted, classes = classes_among(found, positive, source)
    except LabelError as error:
        raise _misplaced(found, scores, source) or error from None
    return np.asarray(is_wanted, dtype=np.uint8)[found.codes], classes


def _code_numbers(array: Array, positive: object) -> tuple[NDArray[np.uint8], Classes] | None:
    """The fast way, for at most two numbers that need no explanation; None if they are others."""
    wanted: Any = 1 if positive is None else positive
    if array.size == 0 or not isinstance(wanted, numbers.Real | np.bool_):
        return None
    if isinstance(wanted, np.float16):
        wanted = float(wanted)  # in 16 bits the limits overflow
    if not -LARGEST_EXACT < cast("float", wanted) < LARGEST_EXACT:
        return None  # NumPy would compare large integers with floats as floats
    with np.errstate(over="ignore"):
        if array.dtype.kind == "f" and float(array.dtype.type(wanted)) != float(wanted):
            return None  # 0.1 is another number in 32 bits
    is_positive = array == wanted
    others = int(is_positive.argmin())
    if is_positive[others]:  # there are none
        other: Any = 0 if wanted != 0 else 1
    else:
        other = array[others].item()
        n_positives = np.count_nonzero(is_positive)
        if n_positives + np.count_nonzero(array == other) < array.size:
            return None  # a third label, or NaN
        if (positive is None or n_positives == 0) and not _need_no_name((wanted, other)):
            return None
    read: Any = bool if array.dtype.kind == "b" else int
    one, two = (str(read(own)) if float(own).is_integer() else str(own) for own in (wanted, other))
    return is_positive.view(np.uint8), Classes(one, two)


def whole(value: Any) -> Any:
    """1.0 as 1: they are one label, with one name."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _need_no_name(labels: Sequence[Any]) -> bool:
    """Whether these are True/False, 0/1 or -1/1, or one of such a pair."""
    if not all(isinstance(label, numbers.Real | np.bool_) for label in labels):
        return False
    return all(label in (0, 1) for label in labels) or all(label in (-1, 1) for label in labels)


def classes_among(found: Factor, positive: object, source: Source = ARRAYS) -> tuple[list[bool], Classes]:
    """Which of the distinct labels are positive, and the words for the two classes; else RS020 to RS022."""
    wanted, several = _listed(positive)
    if not wanted:
        raise fail("RS020.empty")
    if positive is None:
        if not _need_no_name(found.values):
            if len(found.values) > 2:
                raise _too_many(None, found, source)
            column = source.column("label") if source.columns else None
            facts = {"place": source.place, "labels": _table(found)}
            raise fail("RS020", column=column, **facts, **_examples(found))
        wanted = [1]
    same = [[_same(value, label, source) for label in wanted] for value in found.values]
    absent = [label for i, label in enumerate(wanted) if not any(row[i] for row in same)]
    is_wanted = [any(row) for row in same]
    if absent and not _need_no_name([*found.values, *wanted]):
        raise _not_found(absent[0], found, is_wanted, source, several=several)
    if not several and len(found.values) > 2:
        raise _too_many(positive, found, source)
    own, others = (
        [word(v) for v, yes in zip(found.values, is_wanted, strict=True) if yes is side]
        for side in (True, False)
    )
    own = own or [word(label) for label in wanted]
    positives, negatives = (" or ".join(side) if len(side) <= 3 else "other" for side in (own, others))
    partner = {"1": "0", "0": "1", "True": "False", "False": "True", "-1": "1"}.get(positives, "other")
    return is_wanted, Classes(positives, negatives or partner, len(others) == 1)


def _listed(positive: Any) -> tuple[list[Any], bool]:
    """The labels that are named, and whether by a collection; a dictionary is none."""
    several = isinstance(positive, Iterable) and not isinstance(positive, str | bytes | dict)
    return list(positive) if several else [positive], several


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
    return source.text_labels and one_spelling(value) == one_spelling(label)


def one_spelling(label: object) -> str:
    """One spelling for labels that were text in a file: '1', 1 and 1.0 are alike, and true and True.

    >>> [one_spelling(label) for label in ("01", 1.0, "2.50", True, "cat ")]
    ['1', '1', '2.5', 'true', 'cat']
    """
    text = word(label).strip()
    folded, number = text.casefold(), _number(text)
    return str(number) if number is not None else folded if folded in ("true", "false") else text


def typed_labels(texts: Sequence[str]) -> Sequence[Any]:
    """Distinct labels read as text: numbers if all are numbers, True and False if all are, else text.

    Numbers that would lose digits stay text: two of them could become one label.
    """
    values: list[Any] = [_number(text) for text in texts]
    if any(value is None for value in values):
        values = [{"true": True, "false": False}.get(text.casefold()) for text in texts]
    if any(value is None for value in values):
        return texts
    is_exact = all(isinstance(value, int) for value in values) or all(abs(value) <= 2**53 for value in values)
    return values if is_exact else texts


def _number(text: str) -> int | float | None:
    """The number that a text spells, None if it spells none or has more digits than a number holds."""
    try:
        number = float(text)
    except ValueError:
        return None
    if "_" in text or not math.isfinite(number) or len(re.findall(r"\d", text.lstrip("+-0."))) > 15:
        return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
    return whole(number)  # type: ignore[no-any-return]


# What messages say of labels
# ---------------------------


def _table(found: Factor) -> str:
    """``attack (2 664 rows), normal (15 889 rows)``."""
    counts = found.counts
    if counts is None:
        counts = np.bincount(found.codes[found.codes >= 0], minlength=len(found.values))
    order = sorted(range(len(found.values)), key=lambda i: word(found.values[i]))
    listed = [f"{shown(found.values[i])} ({counted(int(counts[i]), 'row')})" for i in order[:_SHOWN]]
    more = len(order) - _SHOWN
    return ", ".join(listed) + (f" and {grouped(more)} more" if more > 0 else "")


def _misplaced(found: Factor, scores: Array | None, source: Source) -> RocsteadyError | None:
    """RS022 if the labels seem to be scores, or the false positive rates of a curve; else None."""
    values = found.values
    are_numbers = all(isinstance(own, numbers.Real) for own in values)
    if scores is None or len(values) <= 2 or not are_numbers or all(own % 1 == 0 for own in values):
        return None
    each = np.atleast_2d(scores)
    pairs = (np.asarray(values)[found.codes], *each)
    if all(own[0] == 0 and own[-1] == 1 and (np.diff(own) >= 0).all() for own in pairs):
        return fail("RS022.curve")
    swapped = [i for i, own in enumerate(each) if np.unique(own).size == 2]
    if not swapped:
        return None
    ways: list[Any] = ["labels first, then scores, as in  roc_curve(labels, scores)"]
    if source.columns:
        columns = [own for role, own in source.columns.items() if role_kind(role) == "score"]
        ways = [["the classes:  ", Option("label", columns[swapped[0]])]]
        ways += [["the numbers:  ", Option("score", source.columns["label"])]]
    two = [word(own) for own in np.unique(each[swapped[0]])]
    return fail("RS022.swapped", n=len(values), two=two, ways=ways)


def _plain(value: Any) -> Any:
    """A value whose repr can be typed."""
    if isinstance(value, np.datetime64):
        return word(value)
    return value.item() if isinstance(value, np.generic) else value


def _examples(found: Factor) -> dict[str, Any]:
    """Two values of ``positive``; of more than two labels, lists of one against all others."""
    known = [_plain(value) for value in sorted(found.values, key=word)]
    if len(known) == 1:
        return {"one": None, "other": None, "single": shown(known[0])}
    one, other = (value if len(known) == 2 else [value] for value in known[:2])
    return {"one": one, "other": other, "single": None}


def _not_found(
    label: object, found: Factor, is_wanted: list[bool], source: Source, *, several: bool
) -> RocsteadyError:
    """RS021 for a label that no row has: the one that was meant, the others that were named, or examples."""
    close = near_match(word(label), map(word, found.values))
    named = [_plain(v) for v, yes in zip(found.values, is_wanted, strict=True) if yes]
    meant = [v for v in map(_plain, found.values) if word(v) == close and v not in named]
    is_near = bool(meant) and (several or len(found.values) > 2)
    examples = _examples(found)
    if is_near or named:
        examples = dict.fromkeys(examples)
    hint = ""
    if any(word(v) == word(label) for v in found.values):
        kinds = [
            "text" if isinstance(own, str) else f"of type {type(own).__name__}"
            for own in (label, found.values[0])
        ]
        hint = f"\n{label!r} is {kinds[0]}, the labels are {kinds[1]}"
    return fail(
        "RS021",
        column=source.column("label") if source.columns else None,
        label=shown(label),
        place=source.place,
        labels=_table(found) + hint,
        meant=[*named, *meant[:1]] if is_near else None,
        named=named if named and not is_near else None,
        **examples,
    )


def _too_many(positive: object, found: Factor, source: Source) -> RocsteadyError:
    """RS022, with the labels as examples of positive ones: that which was named, then from the last on."""
    values = [_plain(v) for v in sorted(found.values, key=word, reverse=True)]
    likely = sorted(values, key=lambda v: positive is None or not _same(v, positive, source))
    return fail(
        "RS022",
        subject=f"{source.column('label')} has" if source.columns else "there are",
        n=len(found.values),
        labels=_table(found),
        one=likely[:1],
        two=sorted(likely[:2], key=word),
    )
