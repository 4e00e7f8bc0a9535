"""Two models side by side: a line for every group, and their difference on the same scale.

The right-hand axes are the left-hand ones counted from the second model's value, so that the length of the
difference can be compared with the spread of the groups by eye (Gardner and Altman).

Sections pass :func:`picture` a :class:`~rocsteady.inference.differences.Difference` and, where models are
paired and the measure is one of groups, what each group has with each model: the AUCs of
``comparison.per_group``, or the rates of ``study.groups(model)`` at the declared place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
    Item,
    Level,
    Model,
    Name,
    Quantity,
    Quote,
    Scale,
    phrase,
)

_MOST_LINES = 300
"""Groups that are drawn; of more, so many, evenly chosen in their order."""
_MOST_MARKERS = 60
"""More groups have smaller marks."""
_ASIDE, _STEM = 0.16, 1.9
"""How far beside the groups a mean stands, and where the difference does."""


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
    means, values = (difference.a_value, difference.b_value), [np.asarray(own, dtype=float) for own in (a, b)]
    is_known = np.isfinite(values[0] + values[1]) if len(groups) else np.zeros(0, dtype=bool)
    seen = evenly(np.flatnonzero(is_known).tolist(), _MOST_LINES)
    first, second = (own[seen] if seen else np.zeros(0) for own in values)
    low, high = difference.interval.low, difference.interval.high
    own_limits = (difference.a_interval, difference.b_interval)
    ends = np.concatenate([first, second, means, means[1] + np.array([low, high])])
    ends = np.concatenate([ends, [own.low for own in own_limits], [own.high for own in own_limits]])
    ends = ends[np.isfinite(ends)]
    room = 0.04 * float(np.ptp(ends)) or 0.02
    bottom, top = float(ends.min()) - room, float(ends.max()) + room
    per = 100.0 if quantity.scale is Scale.SHARE else 1.0
    sides = np.zeros(len(seen)), np.ones(len(seen))
    threads = Segments(sides[0], first, sides[1], second, look=QUIET, width=0.7, alpha=0.4, name="group")
    marks: list[Mark] = [threads] if seen else []
    size = 4.0 if len(seen) <= _MOST_MARKERS else 2.0
    for place, (name, own) in enumerate(zip(models, (first, second), strict=True)):
        if seen:
            marks.append(Points(np.full(len(seen), place), own, look=Model(name), size=size, name="value"))
    for place, (name, mean, limits) in enumerate(zip(models, means, own_limits, strict=True)):
        aside = place + (_ASIDE if place else -_ASIDE) * bool(seen)
        marks.append(
            Line((aside, _STEM), (mean, mean), look=Model(name), width=0.9, dash=(2, 1.5), name="mean")
        )
        interval = ([limits.low], [limits.high])
        marks.append(
            Points([aside], [mean], None, interval, look=Model(name), size=7, bar_width=1.8, name="mean")
        )
    look: dict[str, Any] = {
        "marker": "o",
        "size": 6,
        "bar_width": 1.8,
        "is_right": True,
        "name": "difference",
    }
    stem = Points([_STEM], [difference.difference], None, ([low], [high]), **look)
    names: tuple[Item, ...] = (*map(Quote, short_names(models, 14)), phrase("difference"))
    label = phrase("{name:axis} (%)" if per > 1 else "{name:axis}", name=Name(quantity))
    what = Name(quantity)
    apart = phrase("difference of {what:axis} (points)" if per > 1 else "difference", what=what)
    one, other = map(Quote, short_names(models, 22))
    gap = Gap(quantity, difference.difference, difference.interval)
    said = phrase("{name}, {a} − {b}: {gap}", name=Name(quantity), a=one, b=other, gap=gap)
    notes = [Entry(said, stem)]
    level = Level(difference.interval.confidence_level)
    if seen:
        n, n_all = len(seen), int(is_known.sum())
        count = Count(n, unit or getattr(difference.facts, "unit", "group"), of=n_all if n < n_all else None)
        notes.append(
            Entry(phrase("{groups}; beside them means, {level} CI", groups=count, level=level), threads)
        )
    else:
        notes.append(Entry(phrase("bars: {level} CI", level=level)))
    panel = Panel(
        Axis(None, -0.4, _STEM + 0.35, ticks=(0.0, 1.0, _STEM), names=names),
        Axis(label, bottom, top, per=per),
        (*marks, stem),
        key=Key(notes=tuple(notes), corners=()),
        aspect=0.85,
        right=Axis(apart, bottom - means[1], top - means[1], per=per),
    )
    described = phrase("{name} of both models, and their difference", name=Name(quantity))
    return Picture((panel,), description=described)
