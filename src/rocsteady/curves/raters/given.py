"""Ratings as they were handed over: two raters, the same items, a decision and a score for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.arguments import real_numbers
from rocsteady.curves.given import described
from rocsteady.curves.smroc.digits import telling
from rocsteady.curves.smroc.rows import stretched
from rocsteady.errors import ColumnError, DataError, Option, UsageError, counted
from rocsteady.scores.arrays import Column, Source, index_of, no_rows, read_column, require_one_index
from rocsteady.scores.columns import check_missing_scores, score_array
from rocsteady.scores.labels import Classes, code_labels, explain_labels
from rocsteady.words import listed, printable

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Ratings:
    """Checked ratings.

    Attributes
    ----------
    names : tuple of two str
        Of the raters.
    items : tuple
        Names of the items; their numbers if they have none.
    decisions : bool array of shape (items, 2)
        Whether each rater said yes.
    scores : float64 array of shape (items, 2)
        From 0 to 1.
    classes : Classes
        The words for yes and no.
    """

    names: tuple[str, str]
    items: tuple[Any, ...]
    decisions: Flags
    scores: Floats
    classes: Classes


def given_ratings(
    decisions: object, scores: object, *, positive: object, names: object, items: object, scale: object
) -> Ratings:
    """Check what was handed over.

    Raises
    ------
    UsageError, ColumnError, DataError, LabelError
        RS002 for anything but two raters, RS049 for a name that occurs twice, RS013 for unequal lengths,
        RS010 without items, RS035 for an item without a name, RS031 and RS023 for missing scores and
        decisions, RS087 for scores beyond the ends of the scale.
    """
    decided, scored = _two_raters(decisions, "decisions"), _two_raters(scores, "scores")
    raters = _rater_names(decided, scored, names)
    sources = [_source(name) for name in raters]
    keys = (
        list(decided) if isinstance(decided, dict) else [0, 1]
    )  # scores may name the raters in another order
    said = [read_column(decided[keys[k]], "label", sources[k]) for k in (0, 1)]
    rated = [read_column(scored[keys[k]], "score", sources[k]) for k in (0, 1)]
    n_items = _require_equal_lengths(raters, said, rated, items)
    indexes = {
        f"{what}[{own!r}]": column.index
        for what, both in (("decisions", said), ("scores", rated))
        for own, column in zip(raters, both, strict=True)
    }
    require_one_index({**indexes, "items": index_of(items)})
    low, high = _given_scale(scale)
    columns = [_unit_scores(rated[k], raters[k], sources[k], low, high) for k in (0, 1)]
    flags, classes = _yes_or_no(said, positive, raters)
    return Ratings(raters, _item_names(items, n_items), flags, np.column_stack(columns), classes)


def _two_raters(value: Any, what: str) -> Any:
    """By name, or in order."""
    found: dict[Any, Any] | Sequence[Any] | None = None
    if isinstance(value, Mapping):
        found = dict(value)
    elif hasattr(type(value), "columns") and hasattr(type(value), "__len__"):  # not a lazy frame
        found = {name: value[name] for name in value.columns}
    elif isinstance(value, list | tuple) and all(
        isinstance(entry, Iterable) and not isinstance(entry, str | bytes) for entry in value
    ):
        found = value
    if found is None:
        raise UsageError(
            "RS002",
            f"{what} must be those of two raters.",
            f"found: {described(value)}",
            f"{what}={{'Anna': anna, 'Jan': jan}}, or a pair of arrays:  {what}=(anna, jan)",
        )
    if len(found) != 2:
        raise _not_two(found, what)
    return found


def _not_two(found: dict[Any, Any] | Sequence[Any], what: str) -> UsageError:
    names = list(found)[:2] if isinstance(found, dict) and len(found) > 2 else []
    ways = [f"{what}={{'Anna': anna, 'Jan': jan}}"]
    if names:
        said, rated = (
            f"{{name: {each}[name] for name in {tuple(names)!r}}}" for each in ("decisions", "scores")
        )
        ways = [
            f"two at a time:  rater_agreement({said}, {rated})",
            "all pairs of names:  itertools.combinations(decisions, 2)",
        ]
    whose = f": {listed([printable(str(name)) for name in found])}" if isinstance(found, dict) else ""
    return UsageError(
        "RS002",
        "agreement is between two raters.",
        f"found: {what} of {counted(len(found), 'rater')}{whose}",
        *ways,
    )


def _rater_names(decided: Any, scored: Any, names: Any) -> tuple[str, str]:
    if isinstance(decided, dict) != isinstance(scored, dict):
        raise UsageError(
            "RS002",
            "decisions and scores must name the raters in the same way.",
            "found: one by name, the other in order",
            "decisions={'Anna': ..., 'Jan': ...}, scores={'Anna': ..., 'Jan': ...}",
        )
    if isinstance(decided, dict):
        if set(decided) != set(scored):
            raise UsageError(
                "RS002",
                "decisions and scores are of different raters.",
                f"found: decisions of {listed([str(n) for n in decided])}, "
                f"scores of {listed([str(n) for n in scored])}",
                "use the same names in both",
            )
        if names is not None:
            raise UsageError(
                "RS002", "the raters have names already.", f"found: {names!r:.60}", "leave out  names"
            )
        named = list(decided)
    else:
        named = ["rater 1", "rater 2"] if names is None else _listed_names(names)
    first, second = (printable(str(name)) for name in named)
    if first == second:
        raise UsageError(
            "RS049", "both raters have the same name.", f"found: {first!r}", Option("names", ["A", "B"])
        )
    return first, second


def _listed_names(names: Any) -> list[Any]:
    found = list(names) if isinstance(names, Iterable) and not isinstance(names, str | bytes) else [names]
    if len(found) != 2:
        raise UsageError(
            "RS002",
            "names must be those of two raters.",
            f"found: {names!r:.60}",
            Option("names", ["Anna", "Jan"]),
        )
    return found


def _source(rater: str) -> Source:
    return Source(row=lambda row: f"row {row} of {rater}")


def _require_equal_lengths(
    raters: tuple[str, str], said: list[Column], rated: list[Column], items: object
) -> int:
    lengths = {len(column) for column in (*said, *rated)}
    if len(lengths) > 1:
        counts = [
            f"{name}: {counted(len(said[k]), 'decision')} and {counted(len(rated[k]), 'score')}"
            for k, name in enumerate(raters)
        ]
        raise ColumnError(
            "RS013",
            "both raters need one decision and one score for every item.",
            "found: " + "; ".join(counts),
            "keep the items that both have rated, in the same order",
        )
    (n_items,) = lengths
    if n_items == 0:
        raise no_rows()
    return n_items


def _item_names(items: Any, n_items: int) -> tuple[Any, ...]:
    if items is None:
        return tuple(range(1, n_items + 1))
    column = read_column(items, "item")
    _require_names(column)
    named = tuple(column.array.tolist())
    if len(named) != n_items:
        raise ColumnError(
            "RS013",
            "items and ratings have different lengths.",
            f"found: {counted(len(named), 'item')}, {counted(n_items, 'rating')} of each rater",
            "pass one name for every item",
        )
    times = Counter(str(name) for name in named)
    twice = [word for word, n in times.items() if n > 1]
    if twice:
        raise UsageError(
            "RS049",
            f"{counted(len(twice), 'item')} occur{'s' if len(twice) == 1 else ''} more than once.",
            f"found: {listed([printable(word) for word in twice])}",
            "keep one rating of each item, or leave out  items",
        )
    return named


def _require_names(column: Column) -> None:
    """RS035 if an item has none."""
    array = column.array
    missing = np.zeros(array.size, bool) if column.missing is None else column.missing
    if array.dtype.kind in "fcmM":
        missing = missing | (np.isnat(array) if array.dtype.kind in "mM" else np.isnan(array))
    if missing.any():
        n = int(missing.sum())
        raise DataError(
            "RS035",
            f"{counted(n, 'item')} {'has' if n == 1 else 'have'} no name.",
            f"first at row {int(np.argmax(missing))}",
            "name every item, or leave out  items",
        )


def _given_scale(scale: Any) -> tuple[float, float]:
    ends = real_numbers("scale", scale, example=(0, 1))
    if ends.shape != (2,) or not np.isfinite(ends).all() or not ends[0] < ends[1]:
        raise UsageError(
            "RS042", "scale must be a pair low < high.", f"found: {scale!r:.60}", Option("scale", (1, 5))
        )
    return float(ends[0]), float(ends[1])


def _unit_scores(column: Column, rater: str, source: Source, low: float, high: float) -> Floats:
    numbers = score_array(column, source).astype(np.float64)
    check_missing_scores(numbers, source)
    outside = (numbers < low) | (numbers > high)
    if outside.any():
        first = int(np.argmax(outside))
        found = map(float, (numbers[first], numbers.min(), numbers.max()))
        beyond, lowest, highest = (telling(number, low, high) for number in found)
        raise DataError(
            "RS087",
            f"{rater}: a score lies outside the scale from {low:g} to {high:g}.",
            f"found: {beyond} in row {first}; scores from {lowest} to {highest}",
            ["name the ends of the scale that both raters used:  ", Option("scale", (1, 5))],
        )
    return stretched(numbers, low, high)


def _yes_or_no(said: list[Column], positive: object, raters: tuple[str, str]) -> tuple[Flags, Classes]:
    """Decisions of both, coded together: one rater alone may have said only yes, or only no."""
    n_items = len(said[0])
    arrays = [column.array for column in said]
    if not all(array.dtype.kind in "biuf" for array in arrays):
        arrays = [array.astype(object) for array in arrays]  # NumPy would spell the number 1 as text
    gaps = [np.zeros(n_items, bool) if column.missing is None else column.missing for column in said]
    missing = np.concatenate(gaps)
    both = Column(np.concatenate(arrays), missing if missing.any() else None)
    source = Source(row=lambda row: f"row {row % n_items} of {raters[row // n_items]}")
    coded = code_labels(both, positive, source)
    is_yes, is_no = coded.array == coded.positive, coded.array == coded.negative
    if not np.all(is_yes | is_no):
        explain_labels(both, positive, source)
    return is_yes.reshape(2, n_items).T, coded.classes
