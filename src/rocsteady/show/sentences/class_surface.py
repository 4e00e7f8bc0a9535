"""The surface of class errors that turns: its caption, its keys, and what is said of every point."""

from __future__ import annotations

from collections.abc import Sequence

from rocsteady.points.tables import OperatingPointTable, PointTests
from rocsteady.text import ERROR, Count, Level, Quote, Rate, Text, joined, phrase, say

LABEL = phrase("Errors of three classes at every operating point")
KIND = phrase("three-dimensional plot")
HELP = say(
    "Drag the box or press the arrow keys to turn it; Home returns to the first view. Point at a point, or "
    "press Page Up and Page Down, to read it in the table."
)
AXES = (phrase("First axis"), phrase("Second axis"), phrase("Upright axis"))
TURNS = (phrase("Turn left"), phrase("Turn right"), phrase("Tip up"), phrase("Tip down"))
RESET, BEFORE, AFTER = phrase("Reset the view"), phrase("Previous point"), phrase("Next point")
HEADS = (phrase("class"), phrase("error"), phrase("standard error"))
WEIGHT, AGAINST = phrase("weight"), phrase("p vs chosen")


def caption(table: OperatingPointTable, n_drawn: int) -> Text:
    """What the points are, and how many of them are drawn."""
    of = None if n_drawn == table.n_points else table.n_points
    folds, points = Count(len(table.folds), table.unit), Count(n_drawn, "operating point", of=of)
    return say("Mean errors over {folds} at {points}.", folds=folds, points=points)


def legend(comparison: PointTests | None) -> list[tuple[str, Text]]:
    """What every kind of point is."""
    rows = [("spot", phrase("operating point; the nearer, the larger and darker"))]
    if comparison is None:
        return rows
    alike = "not statistically different from the chosen one (level {alpha})"
    return [
        *rows,
        ("chosen", phrase("chosen point")),
        ("alike", phrase(alike, alpha=Level(comparison.alpha))),
    ]


def title(place: int, n_points: int, kind: str) -> Text:
    """Which point it is, and how it compares: ``kind`` is "chosen", "alike", "different" or ""."""
    said = {
        "chosen": "Point {place} of {n}: the chosen one",
        "alike": "Point {place} of {n}: not statistically different from the chosen one",
        "different": "Point {place} of {n}: statistically different from the chosen one",
    }
    return phrase(said.get(kind, "Point {place} of {n}"), place=Count(place + 1), n=Count(n_points))


def spoken(named: Text, classes: Sequence[str], errors: Sequence[float]) -> Text:
    """What is read out of a point."""
    parts = [
        phrase("{name} {error}", name=Quote(name), error=Rate(ERROR, error))
        for name, error in zip(classes, errors, strict=True)
    ]
    return say("{point}. Errors: {errors}.", point=named, errors=joined(parts))
