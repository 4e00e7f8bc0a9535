"""Two models side by side: a line for every group, and their difference on the same scale.

The right-hand axes are the left-hand ones counted from the second model's value, so that the length of the
difference can be compared with the spread of the groups by eye (Gardner and Altman).

Sections pass :func:`picture` a :class:`~rocsteady.inference.differences.Difference` and, where models are
paired and the measure is one of groups, what each group has with each model: the AUCs of
``comparison.per_group``, or the rates of ``study.groups(model)`` at the declared place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.figures.spec import (
    QUIET,
    Axis,
    Entry,
    Key,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Segments,
    evenly,
    short_names,
)
from rocsteady.inference.differences import Difference, Measure
from rocsteady.text import (
    AREA,
    AUC,
    FPR,
    MEAN_AUC,
    TPR,
    Count,
    Gap,
    Level,
    Model,
    Name,
    Quantity,
    Quote,
    Scale,
    phrase,
)

if TYPE_CHECKING:
    pass

_MOST_LINES = 300
"""Groups that are drawn; of more, so many, evenly chosen in their order."""
_MOST_MARKERS = 60
"""More groups have smaller marks."""


def quantity_of(difference: Difference) -> Quantity:
    """What a difference is of."""
    measure = difference.facts.measure
    if measure == Measure.AUC:
        return AUC if difference.facts.is_one_dataset else MEAN_AUC
    return {Measure.AREA: AREA, Measure.FPR: FPR, Measure.TPR: TPR}[measure]


def picture(
    difference: Difference,
    *,
    groups: Sequence[str] = (),
    a: ArrayLike = (),
    b: ArrayLike = (),
    unit: str = "",
) -> Picture:
    """The figure as a description; ``a`` and ``b`` are what each of the groups has with the two models."""
    quantity, models = quantity_of(difference), (difference.a, difference.b)
    values = [np.asarray(own, dtype=float) for own in (a, b)]
    both = np.isfinite(values[0]) & np.isfinite(values[1]) if len(groups) else np.zeros(0, dtype=bool)
    first, second = (own[both] for own in values) if len(groups) else (np.zeros(0), np.zeros(0))
    means = (difference.a_value, difference.b_value)
    low, high = difference.interval.low, difference.interval.high
    ends = np.concatenate([first, second, means, means[1] + np.array([low, high])])
    ends = ends[np.isfinite(ends)]
    room = 0.05 * float(np.ptp(ends)) or 0.02
    bottom, top = float(ends.min()) - room, float(ends.max()) + room
    per = 100.0 if quantity.scale is Scale.SHARE else 1.0
    seen = evenly(range(len(first)), _MOST_LINES)
    threads = Segments(
        np.zeros(len(seen)), first[seen], np.ones(len(seen)), second[seen], look=QUIET, width=0.7, alpha=0.45,
        dash=(), name="group",
    )  # fmt: skip
    size = 4.0 if len(seen) <= _MOST_MARKERS else 2.0
    marks: list[Mark] = [threads] if seen else []
    for place, (name, own) in enumerate(zip(models, (first, second), strict=True)):
        if seen:
            marks.append(
                Points(np.full(len(seen), place), own[seen], look=Model(name), size=size, name="value")
            )
    for place, (name, mean, interval) in enumerate(
        zip(models, means, (difference.a_interval, difference.b_interval), strict=True)
    ):
        aside = place + (-0.16 if place == 0 else 0.16)
        limits = ([interval.low], [interval.high])
        marks.append(
            Points([aside], [mean], y_limits=limits, look=Model(name), size=7, bar_width=1.8, name="mean")
        )
    names = tuple(Quote(own) for own in short_names(models, 14))
    across = Axis(None, -0.45, 1.45, ticks=(0.0, 1.0), names=names)
    label = phrase("{name:axis} (%)" if per > 1 else "{name:axis}", name=Name(quantity))
    left = Panel(across, Axis(label, bottom, top, per=per), tuple(marks), aspect=1.15, wide=1.0)
    gap = [
        Line((-0.6, 0.6), (0, 0), look=Model(difference.b), width=1.0, dash=(2, 1.5), name="second"),
        Line(
            (-0.6, 0.6),
            (means[0] - means[1],) * 2,
            look=Model(difference.a),
            width=1.0,
            dash=(2, 1.5),
            name="first",
        ),
        Points(
            [0.0],
            [difference.difference],
            y_limits=([low], [high]),
            size=6,
            marker="o",
            bar_width=1.8,
            name="difference",
        ),
    ]
    what = phrase("difference (points)" if per > 1 else "difference")
    right = Panel(
        Axis(None, -0.6, 0.6, ticks=(0.0,), names=(what,)),
        Axis(None, bottom - means[1], top - means[1], per=per),
        tuple(gap),
        aspect=2.3,
        wide=0.5,
    )
    level = Level(difference.interval.confidence_level)
    sides = dict(zip(("a", "b"), map(Quote, short_names(models, 22)), strict=True))
    sample = Points([], [], y_limits=([], []), marker="o", size=5)
    shown_gap = Gap(quantity, difference.difference, difference.interval)
    entries = [Entry(phrase("{a} − {b}", **sides), sample, phrase("{gap}", gap=shown_gap))]
    notes = [
        Entry(phrase("beside the groups: means, {level} CI" if seen else "bars: {level} CI", level=level))
    ]
    if seen:
        own_unit = unit or getattr(difference.facts, "unit", "group")
        count = Count(len(seen), own_unit, of=None if len(seen) == len(first) else len(first))
        notes.insert(0, Entry(phrase("lines: {groups}", groups=count), threads))
    described = phrase("{name} of both models, and their difference", name=Name(quantity))
    return Picture(
        (left, right), key=Key(tuple(entries), tuple(notes), corners=()), columns=2, description=described
    )
