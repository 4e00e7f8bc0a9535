"""``--cutoff-from``: the rows that choose must be others than those that judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.errors import UsageError, counted
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.cli.cutoff.criteria import Wanted
    from rocsteady.scores import ScoreSet

_REMEDIES = ("choose on other rows:  --cutoff-from OTHER", "or leave out  --cutoff-from")


def require_something_to_choose(asked: list[Wanted]) -> None:
    """RS002 if all cut-offs were given, so that another file has nothing to choose."""
    if asked and all(one.is_given for one in asked):
        raise UsageError(
            "RS002",
            "--cutoff-from says where a cut-off is chosen, and here all of them are given.",
            f"found: --at {' --at '.join(one.text for one in asked)}",
            "leave out  --cutoff-from",
            "or say what to choose by:  --at youden",
        )


def require_other_file(file: str, cutoff_from: str) -> None:
    """RS002 if both names mean the same file; before anything is read."""
    if file == cutoff_from == "-":
        raise UsageError(
            "RS002",
            "both files are standard input, which can be read once.",
            "",
            "name the file to choose on:  --cutoff-from FILE",
        )
    try:
        is_same = Path(file).samefile(cutoff_from)
    except (OSError, ValueError):  # whatever is wrong with a file is said when it is read
        return
    if is_same:
        raise UsageError(
            "RS002",
            "the file of --cutoff-from is the other file: its rows would choose the cut-off and judge it.",
            f"found: {printable(file)} and {printable(cutoff_from)}",
            *_REMEDIES,
        )


def require_other_rows(score_set: ScoreSet, chosen_on: ScoreSet) -> None:
    """RS002 if both files hold the same rows, in whatever order: a copy flatters as the file itself does."""
    import numpy as np

    ours, theirs = score_set.columns, chosen_on.columns
    if ours.n_rows != theirs.n_rows or ours.are_counts != theirs.are_counts:
        return
    if all(np.array_equal(one, other) for one, other in zip(_sorted(ours), _sorted(theirs), strict=True)):
        raise UsageError(
            "RS002",
            "the file of --cutoff-from has the same rows: they would choose the cut-off and judge it.",
            f"found: {counted(ours.n_rows, 'row')} in both, with the same labels and scores",
            *_REMEDIES,
        )


def _sorted(columns: Any) -> tuple[Any, Any, Any]:
    """Which rows are positive, their scores, and how many they are, in an order of no file's own."""
    import numpy as np

    is_positive = columns.labels == columns.positive
    order = np.lexsort((is_positive, columns.scores))
    weights = columns.weights if columns.are_counts else is_positive
    return is_positive[order], columns.scores[order], weights[order]
