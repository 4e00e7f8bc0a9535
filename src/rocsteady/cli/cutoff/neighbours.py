"""Which other cut-offs a sample cannot tell apart from the chosen one, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.cli.console import plain_table, show, show_first_fitting
from rocsteady.cli.cutoff.words import BEYOND, apart, calls_nothing, decision, level_words, share
from rocsteady.words import counted, grouped, plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.cli.cutoff.making import Made, Settings, Shown
    from rocsteady.points.tables import Neighbourhood, PointTests

_MOST_ROWS = 12


def show_neighbours(found: Neighbourhood, one: Shown, made: Made) -> None:
    """The neighbourhood: a sentence, and a table of the nearest cut-offs."""
    table = found.table
    unit, n_others = printable(made.score_set.unit), table.n_points - 1
    by = [
        f"{grouped(int(comparison.indistinguishable.sum()) - 1)} by their {name}"
        for name, comparison in (("FPR", found.by_fpr), ("TPR", found.by_tpr))
    ]
    show(
        f"Neighbours: of {counted(n_others, 'other cut-off')}, {' and '.join(by)} cannot be told apart from "
        f"it with these {counted(table.n_folds, unit)}. They are the scores next to it, and others ever "
        f"further away by rank, up to both ends."
    )
    show()
    wide, narrow = (_rows(found, one, is_wide=is_wide) for is_wide in (True, False))
    show_first_fitting(wide, narrow)
    first, last = found.span
    if len(found.around(_MOST_ROWS)) <= last - first:
        show("Not all of them are shown.")


def tests_words(unit: str, settings: Settings, ratio: float) -> str:
    """How cut-offs were tested, and what a test that does not reject does not mean."""
    level = level_words(1 - settings.confidence_level)
    shared = "; corrected for training data that folds share (Nadeau and Bengio)" if ratio else ""
    return (
        f"Neighbours: paired t tests over {plural(unit)} at {level}, each for itself"
        f"{shared}. A cut-off that cannot be told apart is not equal: a "
        f"stricter one calls fewer positive, but these rows cannot say by how much."
    )


def _rows(found: Neighbourhood, one: Shown, *, is_wide: bool) -> Table:
    """The cut-offs around the chosen one: those that cannot be told apart, and one on each side that can."""
    table = found.table
    told = ["told apart by TPR", "by FPR"] if is_wide else ["by TPR", "by FPR"]
    made = plain_table("cut-off", "TPR", "FPR", *told)
    tpr, fpr = table.measure("tpr").mean, table.measure("fpr").mean
    assert table.thresholds is not None
    around = found.around(_MOST_ROWS)
    written = apart(*table.thresholds[around].tolist())
    for text, i in zip(written, around, strict=True):
        is_chosen = i == found.index
        marks = [_mark(comparison, i) for comparison in (found.by_tpr, found.by_fpr)]
        decided = decision(one.rule, one.threshold, one.alike) if is_chosen else f"{one.rule} {text}"
        if calls_nothing(float(table.thresholds[i]), float(tpr[i]), float(fpr[i])):
            decided = BEYOND
        made.add_row(
            decided,
            share(float(tpr[i])),
            share(float(fpr[i])),
            *(["chosen", ""] if is_chosen else marks),
        )
    return made


def _mark(comparison: PointTests, point: int) -> str:
    if comparison.indistinguishable[point]:
        return "cannot"
    return "" if point in comparison.untested else "yes"
