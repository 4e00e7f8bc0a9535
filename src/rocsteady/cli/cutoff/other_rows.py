"""``--cutoff-from``: the rows that choose must be others than those that judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.errors import fail

if TYPE_CHECKING:
    from rocsteady.cli.cutoff.criteria import Wanted
    from rocsteady.scores import ScoreSet


def require_something_to_choose(asked: list[Wanted]) -> None:
    """RS002 if all cut-offs were given, so that another file has nothing to choose."""
    if asked and all(one.is_given for one in asked):
        raise fail("RS002.nothing-to-choose", points=" --at ".join(one.text for one in asked))


def require_other_file(file: str, cutoff_from: str) -> None:
    """RS002 if both names mean the same file; before anything is read."""
    if file == cutoff_from == "-":
        raise fail("RS002.both-standard-input")
    try:
        is_same = Path(file).samefile(cutoff_from)
    except (OSError, ValueError):  # whatever is wrong with a file is said when it is read
        return
    if is_same:
        raise fail("RS002.same-rows", file=file, cutoff_from=cutoff_from, n_rows=None)


def require_other_rows(score_set: ScoreSet, chosen_on: ScoreSet) -> None:
    """RS002 if both files hold the same rows, in whatever order: a copy flatters as the file itself does."""
    import numpy as np

    ours, theirs = score_set.columns, chosen_on.columns
    if ours.n_rows != theirs.n_rows or ours.are_counts != theirs.are_counts:
        return
    if all(np.array_equal(one, other) for one, other in zip(_sorted(ours), _sorted(theirs), strict=True)):
        raise fail("RS002.same-rows", file=None, cutoff_from=None, n_rows=ours.n_rows)


def _sorted(columns: Any) -> tuple[Any, Any, Any]:
    """Which rows are positive, their scores, and how many they are, in an order of no file's own."""
    import numpy as np

    is_positive = columns.labels == columns.positive
    order = np.lexsort((is_positive, columns.scores))
    weights = columns.weights if columns.are_counts else is_positive
    return is_positive[order], columns.scores[order], weights[order]
