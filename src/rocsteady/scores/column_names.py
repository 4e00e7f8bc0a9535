"""Which column is what: the names a caller gave, or the conventional ones, checked against the table.

A role is what a column is for: label, score, group, model, case, cluster, repeat, weight. Where each model
has a score column of its own, the roles are score_0, score_1 and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rocsteady.errors import ColumnError, Option, Remedy, UsageError, near_match
from rocsteady.scores.arrays import no_rows
from rocsteady.words import printable

CONVENTIONS: Mapping[str, tuple[str, ...]] = {
    "label": ("label", "y_true", "target", "is_positive"),  # the last: of ScoreSet.to_frame()
    "score": ("score", "y_score", "y_prob"),
    "group": ("fold", "group", "dataset", "reader"),
    "model": ("model",),  # rows of two models must not end on one curve because nobody named the column
}
_COLUMNS_SHOWN = 30


def role_kind(role: str) -> str:
    """``score`` for ``score_0`` and its like; other roles are their own kind."""
    return "score" if role.startswith("score_") else role


def read_names(given: Mapping[str, object], required: Iterable[str] = ()) -> dict[str, str]:
    """The column names that a caller gave, by role; a list of scores becomes score_0, score_1, ...

    Parameters
    ----------
    given : mapping
        Role to what the caller passed; None for nothing, except in the roles that are ``required``.

    Raises
    ------
    UsageError
        RS002 if an argument is no column name, or several scores do not go with the other arguments.
    """
    names: dict[str, str] = {}
    for role, value in given.items():
        several = _listed(value)
        if several is None or role != "score":
            if value is not None or role in required:
                names[role] = _require_name(value, role)
            continue
        for i, name in enumerate(several):
            names[f"score_{i}"] = _require_name(name, role)
        _require_wide(several, given.get("model"))
    return names


def _listed(value: object) -> list[Any] | None:
    """What a list, a tuple or a pandas Index holds; None for anything else."""
    if isinstance(value, list | tuple):
        return list(value)
    is_index = type(value).__name__ == "Index" and hasattr(value, "tolist")
    return value.tolist() if is_index else None  # type: ignore[attr-defined]


def _require_name(value: Any, role: str) -> str:
    # pandas calls columns by numbers, too; whether this table does will turn out.
    if isinstance(value, str) or (isinstance(value, int | np.integer) and not isinstance(value, bool)):
        return value  # type: ignore[return-value]
    remedy: Remedy = ["pass the column's name:  ", Option(role, "...")]
    several = _listed(value) or []
    if len(several) == 1 and isinstance(several[0], str):
        remedy = ["pass the name itself:  ", Option(role, several[0])]
    elif len(several) > 1 and role in ("group", "model", "case", "cluster", "repeat"):
        remedy = f"join them into one column first:  {several[0]} + ' ' + {several[1]}"
    raise UsageError("RS002", f"{role} must be the name of one column.", _described(value), remedy)


def _described(value: object) -> str:
    text = repr(value)
    return f"found: {text if len(text) <= 60 and text.isprintable() else type(value).__name__}"


def _require_wide(scores: list[Any], model: object) -> None:
    """RS002 unless a list of score columns names models, each once, and nothing else does."""
    if not scores:
        raise UsageError(
            "RS002",
            "score names no column.",
            "an empty list",
            ["name at least one:  ", Option("score", ["a", "b"])],
        )
    double = next((name for name, n in Counter(scores).items() if n > 1), None)
    if double is not None:
        raise UsageError(
            "RS002",
            f'the score column "{printable(str(double))}" is named twice.',
            f"score columns: {list_columns(scores)}",
            "name each column once",
        )
    if model is not None:
        raise UsageError(
            "RS002",
            "several score columns are several models, so there can be no model column.",
            f'score columns: {list_columns(scores)}; model column "{printable(str(model))}"',
            "leave out  model,  or name one score column",
        )


def choose_columns(
    names: Sequence[str], given: Mapping[str, str], file: str
) -> tuple[dict[str, str], dict[str, str]]:
    """Column names by role: all of them, and those that were taken for their conventional names.

    Raises
    ------
    ColumnError
        RS014 if a column has to be named, RS011 and RS012 if one is missing or doubled.
    """
    roles = dict(given)
    kinds = {role_kind(role) for role in roles}
    chosen: dict[str, str] = {}
    for role, conventional in CONVENTIONS.items():
        if role in kinds:
            continue
        candidates = [
            name for name in dict.fromkeys(names) if name in conventional and name not in roles.values()
        ]
        if role == "model" and candidates and "score_0" in roles:
            raise _models_twice(candidates[0], file)
        if len(candidates) == 1:
            chosen[role] = candidates[0]
        elif candidates or role in ("label", "score"):
            require_columns(names, roles, file)  # a misspelt name is the better explanation
            raise _unnamed(role, candidates, names, file)
    everything = roles | chosen
    order = ("label", "score", "group", "model", "case", "cluster", "repeat", "weight")
    ordered = dict(sorted(everything.items(), key=lambda item: order.index(role_kind(item[0]))))
    require_columns(names, ordered, file)
    return ordered, chosen


def _models_twice(column: str, file: str) -> UsageError:
    return UsageError(
        "RS002",
        f"several score columns are several models, and {printable(file)} has a model column as well.",
        f'column "{column}"',
        ["if it holds groups, say so:  ", Option("group", column)],
        "else name one score column, or leave that column out of the file",
    )


def _unnamed(role: str, candidates: list[str], names: Sequence[str], file: str) -> ColumnError:
    found = f"columns: {list_columns(names)}"
    remedy: list[str | Option] = [
        "name it:  ",
        Option(role, "..."),
        "   (text files name columns in their first line)",
    ]
    if candidates:
        found += f"\nmore than one could be it: {', '.join(candidates)}"
        remedy = ["use  "]
        for name in candidates:
            remedy += [Option(role, name), "   or   "]
        remedy.pop()
    return ColumnError("RS014", f"the {role} column of {printable(file)} has to be named.", found, remedy)


def require_columns(present: Sequence[Any], named: Mapping[str, str], file: str = "") -> None:
    """RS011 for a column that is not there, RS012 for one that is there twice."""
    counts = Counter(present)
    place = f" in {printable(file)}" if file else ""
    for role, name in named.items():
        shown = printable(str(name))
        if counts[name] > 1:
            raise ColumnError(
                "RS012",
                f'{counts[name]} columns are called "{shown}"{place}.',
                f"columns: {list_columns(present)}",
                "rename all but one of them",
            )
        if name not in counts:
            raise ColumnError(
                "RS011",
                f'no column "{shown}"{place}.',
                f"columns: {list_columns(present)}",
                _instead(role, name, counts),
            )
    if not counts:
        raise no_rows()


def _instead(role: str, name: object, present: Iterable[Any]) -> Remedy:
    close = near_match(str(name), map(str, present))
    if role_kind(role) != role:  # one of several: the others stay as they are
        return "name one of these columns" if close is None else f"did you mean  {close!r} ?"
    if close is None:
        return ["name one of these columns:  ", Option(role, "...")]
    return ["did you mean  ", Option(role, close), " ?"]


def list_columns(columns: Iterable[Any]) -> str:
    """``fold, y_true, y_prob``; a long list is cut."""
    names = [printable(str(column)) for column in columns]
    more = len(names) - _COLUMNS_SHOWN
    return ", ".join(names[:_COLUMNS_SHOWN]) + (f" and {more} more" if more > 0 else "") or "none"
