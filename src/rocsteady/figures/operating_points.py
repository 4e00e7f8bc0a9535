"""One measure against another at every operating point, with error bars; some points with both intervals.

Sections pass :func:`picture` an :class:`~rocsteady.points.tables.OperatingPointTable`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import drawn_cut, of_kind
from rocsteady.figures.spec import (
    GUIDE,
    INK,
    LOOKS,
    Axis,
    Entry,
    Key,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Region,
    evenly,
    share_axis,
)
from rocsteady.figures.style import TEXT_SIZE
from rocsteady.options import one_of, open_share
from rocsteady.points.tables import (
    MeasureLike,
    MeasurePair,
    OperatingPointTable,
    PointMeasure,
    PointTests,
    point_index,
)
from rocsteady.text import (
    FNR,
    FPR,
    PRECISION,
    TPR,
    Count,
    Item,
    Level,
    Model,
    Name,
    Quantity,
    Quote,
    Rate,
    Scale,
    Text,
    joined,
    phrase,
    words_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BARS = ("standard_error", "interval", "none")
MOST_BARS = 40
"""Points with bars and markers of their own; of more, the curve goes through all and bars stand at some."""
_QUANTITIES = {
    "fpr": FPR,
    "tpr": TPR,
    "fnr": FNR,
    "precision": PRECISION,
    "ppv": PRECISION,
    "recall": Quantity("recall", Scale.SHARE),
}
_NAMES = {
    "tnr": "true negative rate",
    "npv": "negative predictive value",
    "f1": "F1",
    "mcc": "Matthews correlation",
    "alarm_rate": "share called positive",
    "balanced_accuracy": "balanced accuracy",
}
_LOOKS = LOOKS[1:]
"""Of the points that are marked, in turn; the first look is that of all points."""
_TOO_MANY = 60
"""Open marks around so many points would be one blot."""


def operating_points(
    table: OperatingPointTable | PointTests,
    x: MeasureLike = "fpr",
    y: MeasureLike = "tpr",
    *,
    at: int | Sequence[int] = (),
    ellipse: float | None = None,
    comparison: PointTests | None = None,
    bars: str = "standard_error",
    confidence_level: float = 0.95,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw one measure against another at every operating point, as means over folds with error bars.

    Parameters
    ----------
    table : OperatingPointTable, or PointTests
        From :func:`rocsteady.average_operating_points` or :func:`rocsteady.average_multiclass_points`; or
        ``table.compare_to(...)``, which knows its table.
    x, y : str, Cost or function
        Any measure: ``"fpr"`` and ``"tpr"`` give a ROC curve, ``"recall"`` and ``"precision"`` that curve.
    at : int or sequence of int
        Numbers of up to five points, such as ``table.nearest(fpr=0.05)``, that are marked with Student's t
        interval of either measure by itself.
    ellipse : float, optional
        For example 0.95: the points of ``at`` and the chosen one also have the region that holds both means
        at once with this confidence, by Hotelling. There is none for fewer than three folds.
    comparison : optional
        From ``table.compare_to(...)``: its chosen point becomes a cross, those that do not differ
        significantly are circled.
    bars : {"standard_error", "interval", "none"}
        Of all points: one standard error of the mean to each side, or Student's t interval, each by itself.
    confidence_level : float
        Of the intervals.
    words : {"ml", "medical", "biometric"}
        What error rates are called.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 if a measure has a value for each class, the axes are in space, the comparison is of another
        table, or an ellipse has no point; RS001 and RS042 for words and numbers that are none.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
    >>> axes = operating_points(rs.average_operating_points(folds), at=2)
    >>> [text.get_text() for text in axes.get_legend().get_texts()][:2]
    ['threshold 3', 'FPR 25.0 %, TPR 75.0 %']
    """
    one_of("bars", bars, BARS)
    level = open_share("confidence_level", confidence_level)
    if isinstance(table, PointTests):
        comparison = table if comparison is None else comparison
    table = given_table(table._table if isinstance(table, PointTests) else table)
    require_own_comparison(comparison, table)
    made = picture(
        table, x, y, at=_given_points(at, table), ellipse=ellipse, comparison=comparison, bars=bars,
        confidence_level=level,
    )  # fmt: skip
    return draw(made.titled(title), words_of(table, words), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(
    table: OperatingPointTable,
    x: MeasureLike = "fpr",
    y: MeasureLike = "tpr",
    *,
    at: Sequence[int] = (),
    ellipse: float | None = None,
    comparison: PointTests | None = None,
    bars: str = "standard_error",
    confidence_level: float = 0.95,
    model: str = "",
) -> Picture:
    """The figure as a description; ``model`` is the one whose colour the points have."""
    for name in (x, y):
        own = table.measure(name)
        if own.mean.ndim > 1:
            raise fail("RS002.axis", measure=own.name, n=own.mean.shape[1])
    pair, look = table.between(x, y), (Model(model) if model else LOOKS[0])
    if ellipse is not None:
        open_share("ellipse", ellipse)
        if not at and comparison is None:
            way = "at=table.nearest(fpr=0.05)"
            raise fail(
                "RS002.kind", name="at", kind="the point that the ellipse is of", found="none", ways=[way]
            )
    marks = _points(pair, bars, confidence_level, look)
    entries: list[Entry] = []
    notes: list[Entry] = []
    if comparison is not None:
        chosen, alike, words = neighbourhood(comparison)
        here = Points(
            pair.x.mean[[chosen]], pair.y.mean[[chosen]], look=INK, marker="X", size=7, name="chosen"
        )
        is_crowded = pair.y.mean.size > _TOO_MANY
        others = Points(
            pair.x.mean[alike], pair.y.mean[alike], marker="o", size=3.6 if is_crowded else 7.5,
            is_open=not is_crowded, name="alike",
        )  # fmt: skip
        marks += [*_region(pair, chosen, ellipse, look), others, here]
        entries.append(Entry(_at(table, pair, chosen, "chosen: {point}"), here, _rates(pair, chosen)))
        notes.append(Entry(words, others))
    for place, hue in zip(at, _LOOKS, strict=False):
        marks += _region(pair, place, ellipse, hue)
        across, up = (own.interval(confidence_level) for own in (pair.x, pair.y))
        sample = Points(pair.x.mean[[place]], pair.y.mean[[place]], look=hue, size=6, name="marked")
        limits = [(own.low[[place]], own.high[[place]]) for own in (across, up)]
        marks.append(replace(sample, x_limits=limits[0], y_limits=limits[1], bar=INK))
        entries.append(Entry(_at(table, pair, place, "{point}"), sample, _rates(pair, place)))
    is_curve = (pair.x.name, pair.y.name) == ("fpr", "tpr")
    if is_curve:
        marks.insert(0, Line((0, 1), (0, 1), look=GUIDE, width=1.0, name="chance"))
    notes += (Entry(own) for own in _notes(table, bars, confidence_level, ellipse, is_marked=bool(at)))
    panel = Panel(
        _axis(pair.x),
        _axis(pair.y),
        tuple(marks),
        key=Key(tuple(entries), tuple(notes), corners=("lower right",) if is_curve else ()),
        aspect=1.0,
    )
    described = joined([_name(pair.y), phrase(" against "), _name(pair.x)], "")
    return Picture((panel,), description=described)


# What was given -----------------------------------------------------------------------------------------


def given_table(table: object) -> OperatingPointTable:
    """The table, if it is one; RS002 otherwise."""
    two = "two classes:  rs.average_operating_points(score_set)"
    several = "several:  rs.average_multiclass_points(scores, class_weights)"
    return of_kind(OperatingPointTable, table, "a table of operating points", two, several)


def require_own_comparison(comparison: object, table: OperatingPointTable) -> None:
    """RS002 if it is no comparison, or was made in another table: nobody compared the points around it."""
    if comparison is None:
        return
    ways = ["of the table that is drawn:  comparison=table.compare_to(index)"]
    if not isinstance(comparison, PointTests):
        found = described(comparison)
        raise fail("RS002.kind", name="comparison", kind="a PointTests", found=found, ways=ways)
    own = comparison._table
    is_same = own is table or (
        (own.classes, own.folds) == (table.classes, table.folds)
        and np.array_equal(own.confusion.matrix, table.confusion.matrix)
    )
    if not is_same:
        raise fail("RS002.elsewhere", name="comparison", found=own, ways=ways)


def _given_points(at: object, table: OperatingPointTable) -> list[int]:
    """Numbers of points; RS042 if they are none, or too many."""
    is_list = isinstance(at, Sequence | np.ndarray) and not isinstance(at, str)
    several: Any = at if is_list else [at]
    if len(several) > len(_LOOKS):
        way = "at=[table.nearest(fpr=0.05)]"
        raise fail("RS042.room", most=len(_LOOKS), what="marked points", n=len(several), ways=[way])
    return [point_index(own, table.n_points, "at") for own in several]


# Marks and words ----------------------------------------------------------------------------------------


def neighbourhood(comparison: PointTests) -> tuple[int, NDArray[np.bool_], Text]:
    """The chosen point, which others do not differ from it significantly, and words for these."""
    others = np.array(comparison.indistinguishable, dtype=bool)
    others[comparison.index] = False
    named = len(comparison.measures) == 1
    what = _short(comparison.measures[0]) if named else None
    n = Count(int(others.sum()), of=others.size - 1)
    said = (
        "{what} not significantly different at {alpha}: {n}"
        if named
        else "not significantly different at {alpha}: {n}"
    )
    return int(comparison.index), others, phrase(said, what=what, alpha=Level(comparison.alpha), n=n)


def _points(pair: MeasurePair, bars: str, level: float, look: Any) -> list[Mark]:
    """The curve through all points, and some of many with bars: thinned by rank, ends included."""
    some = evenly(range(pair.y.mean.size), MOST_BARS)
    some += [] if some[-1] == pair.y.mean.size - 1 else [pair.y.mean.size - 1]
    line = Line(pair.x.mean, pair.y.mean, look=look, width=0.8, alpha=0.5, dash=(), name="line")
    x, y = (pair.x.mean[some], pair.y.mean[some])
    dots = Points(x, y, look=look, size=3.4, marker="o", bar_width=0.8, name="points")
    if bars != "none":
        across, up = (_bars(own, bars, level, some) for own in (pair.x, pair.y))
        dots = replace(dots, x_limits=across, y_limits=up)
    return [line, dots]


def _bars(measure: PointMeasure, bars: str, level: float, places: list[int]) -> tuple[Any, Any]:
    """Ends of the bars; NaN, which draws nothing, where fewer than two folds have the measure."""
    if bars == "standard_error":
        ends = measure.mean - measure.standard_error, measure.mean + measure.standard_error
    else:
        found = measure.interval(level)
        ends = np.minimum(found.low, measure.mean), np.maximum(found.high, measure.mean)
    if measure.is_share:
        ends = np.clip(ends[0], 0, 1), np.clip(ends[1], 0, 1)
    return ends[0][places], ends[1][places]


def _region(pair: MeasurePair, place: int, ellipse: float | None, look: Any) -> list[Mark]:
    if ellipse is None:
        return []
    found = pair.ellipse(place, ellipse)
    return (
        [Region(found.x, found.y, look=look, alpha=0.12, outline=0.8, name="region")]
        if np.isfinite(found.x).all()
        else []
    )


def _axis(measure: PointMeasure) -> Axis:
    label = phrase("{name:axis}", name=_name(measure))
    return share_axis(label) if measure.is_share else Axis(label)


def _name(measure: PointMeasure) -> Item:
    """What a measure is called: rates by the vocabulary, others by our words, functions by their own."""
    name = _NAMES.get(measure.name, measure.name.replace("_", " "))
    return (
        Name(_QUANTITIES[measure.name]) if measure.name in _QUANTITIES else Quote(name[:1].upper() + name[1:])
    )


def _short(name: str) -> Item:
    quantity = _QUANTITIES.get(name)
    return Name(quantity) if quantity else Quote(name.replace("_", " "))


def _at(table: OperatingPointTable, pair: MeasurePair, place: int, template: str) -> Text:
    """Which point it is."""
    if table.thresholds is None:
        return phrase(template, point=phrase("point {place}", place=place))
    return phrase(template, point=phrase("{threshold} {cut}", cut=drawn_cut(table.thresholds[place])))


def _rates(pair: MeasurePair, place: int) -> Text:
    """Where a point lies."""
    parts = []
    for own in (pair.x, pair.y):
        quantity = _QUANTITIES.get(own.name) or Quantity(
            own.name, Scale.SHARE if own.is_share else Scale.NUMBER
        )
        mean = Rate(quantity, float(own.mean[place]))
        parts.append(phrase("{name} {mean}", name=_short(own.name), mean=mean))
    return joined(parts)


def _notes(
    table: OperatingPointTable, bars: str, level: float, ellipse: float | None, *, is_marked: bool
) -> list[Item]:
    """How many folds were averaged over, and what bars and ellipses are."""
    n = table.n_folds  # one has no spread, two have no region
    notes: list[Item] = [phrase("mean of {folds}", folds=Count(n, table.unit))]
    if n > 1 and bars == "standard_error":
        notes.append(phrase("bars: ±1 standard error"))
    if n > 1 and bars == "interval":
        notes.append(phrase("bars: {level} CI (t, pointwise)", level=Level(level)))
    elif n > 1 and is_marked:
        notes.append(phrase("black bars: {level} CI (t)", level=Level(level)))
    if ellipse is not None and n > 2:
        notes.append(phrase("ellipse: {level}, both at once", level=Level(ellipse)))
    return notes
