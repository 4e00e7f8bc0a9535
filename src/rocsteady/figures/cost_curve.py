"""Cost curves: what the best threshold costs, for every mixture of costs and prevalence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.methods import AtCosts
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.readings import CostCurve
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import Option, fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import crowd_marks, drawn_cut, hues_of, is_crowd, named_curves, unit_of
from rocsteady.figures.spec import (
    Axis,
    Entry,
    Faint,
    Floats,
    Key,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Span,
    rounded,
    short_names,
)
from rocsteady.figures.style import GUIDE, LOOKS, QUIET, TEXT_SIZE
from rocsteady.options import rate_range, rates, yes_or_no
from rocsteady.text import Model, Quantity, Quote, Range, Rate, Scale, joined, phrase, tick, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Drawable = CostCurve | RocCurve

NORMALISED_COST = Quantity("normalised cost", Scale.AREA, lower_is_better=True)
_PROBABILITY_COST = Quantity("probability cost")
_WAY = "rs.plot.cost_curve(curve.cost_curve())"
_MOST_MARKS, _MOST_LINES = 4, 60
_TOP = 0.52
"""Nothing that is worth drawing costs more than a half."""


def cost_curve(
    curves: Drawable | CurveSet | Sequence[Drawable] | Mapping[str, Drawable],
    *,
    between: tuple[float | AtCosts, float | AtCosts] | None = None,
    at: float | AtCosts | Sequence[float | AtCosts] = (),
    lines: bool = True,
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw the normalised cost of the best threshold over the probability cost.

    The probability cost is the share of the possible cost that positives could cause, ``p * c_fn / (p * c_fn
    + (1 - p) * c_fp)``. The dotted triangle is what calling everything negative (its left side) or everything
    positive (its right side) costs: a classifier is of use where its line runs below.

    Parameters
    ----------
    curves : CostCurve or RocCurve, a sequence or a mapping from names, or CurveSet
        ``curve.cost_curve()``, or the ROC curve that has it; at most six. A set of more curves is drawn alike
        and faint, at most 300 of them.
    between : (float, float) or (AtCosts, AtCosts), optional
        The probability costs that matter to you, shaded.
    at : float or AtCosts, or sequence of them
        Probability costs at which the costs are marked; at most four. The key has them, and of a single curve
        its best threshold. ``rs.AtCosts(1, 20, 0.03)`` stands for the costs of both errors and a prevalence.
    lines : bool
        Whether the cost lines of single thresholds are drawn under a single curve, faint; at most 60.
    title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but such curves; RS042 for more than can be distinguished, a range or a size that
        is none.

    References
    ----------
    Drummond & Holte (2006), Machine Learning 65, 95-130.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1])
    >>> axes = cost_curve(curve.cost_curve(), at=0.3)
    >>> [text.get_text() for text in axes.get_legend().get_texts()][1]
    'at 0.3: cost 0.100, threshold 0.8'
    """
    marked = np.atleast_1d(rates("at", probability_costs(at))).ravel()
    if marked.size > _MOST_MARKS:
        ways = [Option("at", [0.1, 0.3])]
        raise fail("RS042.room", most=_MOST_MARKS, what="probability costs", n=marked.size, ways=ways)
    limits = None if between is None else rate_range("between", probability_costs(between))
    yes_or_no("lines", lines)
    made = picture(curves, at=marked, between=limits, lines=lines).titled(title)
    return draw(made, words_of(curves), text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(
    curves: Any,
    *,
    at: Sequence[float] | Floats = (),
    between: tuple[float, float] | None = None,
    lines: bool = True,
    model: str = "",
) -> Picture:
    """Curves by name, with the probability costs that are marked and those that are shaded.

    A set of many curves is drawn faintly.
    """
    if is_crowd(curves):
        crowd, crowd_note = crowd_marks(curves, _path, unit_of(curves), Model(model) if model else LOOKS[0])
        return _picture([crowd], [], [crowd_note], between)
    several = named_curves(curves, (CostCurve, RocCurve), what="cost curves", way=_WAY)
    found = {name: own.cost_curve() if isinstance(own, RocCurve) else own for name, own in several}
    marks: list[Mark] = []
    entries: list[Entry] = []
    notes: list[Entry] = []
    places = np.asarray(at, dtype=float)
    if len(found) == 1 and lines:
        (own,) = found.values()
        # Of every threshold that is best somewhere: its FPR at 0, its FNR at 1.
        both = [((0.0, 1.0), ends) for ends in zip(own.fpr.tolist(), own.fnr.tolist(), strict=True)]
        few = (
            both
            if len(both) <= _MOST_LINES
            else [both[k * len(both) // _MOST_LINES] for k in range(_MOST_LINES)]
        )
        marks.append(Faint(few, look=QUIET, alpha=0.3, name="members"))
    for name, short, hue in zip(found, short_names(list(found), 60), hues_of(list(found)), strict=True):
        own = found[name]
        marks.append(Line(*_path(own), look=hue, name="average"))
        costs = [Rate(NORMALISED_COST, float(own.at(place))) for place in places]
        marks.append(Points(places, [cost.value for cost in costs], look=hue, name="point"))
        text = phrase("{cost}", cost=Rate(NORMALISED_COST, float(own.normalized_cost.max())))
        told = [
            phrase("{cost} at {place}", cost=cost, place=_plain(place))
            for cost, place in zip(costs, places, strict=True)
        ]
        detail = joined(told) if told and len(found) > 1 else None
        entries.append(
            Entry(
                phrase("{name}  {text}", name=Quote(short), text=text) if short else text,
                Line((), (), look=hue),
                detail,
            )
        )
        if len(found) == 1:
            for cost, place in zip(costs, places, strict=True):
                cut = drawn_cut(own.threshold_at(place))
                words = phrase(
                    "at {place}: cost {cost}, {threshold} {cut}", place=_plain(place), cost=cost, cut=cut
                )
                notes.append(Entry(words, Points((), (), look=hue)))
    return _picture(marks, entries, notes, between)


def _picture(
    marks: Sequence[Mark],
    entries: Sequence[Entry],
    notes: Sequence[Entry],
    between: tuple[float, float] | None,
) -> Picture:
    shaded: list[Mark] = []
    notes = list(notes)
    if between is not None:
        span = Span(*between, look=QUIET, alpha=0.16, name="between")
        shaded, shown = [span], Range(_PROBABILITY_COST, *between)
        notes.append(Entry(phrase("probability cost {range}", range=shown), span))
    trivial = Line((0, 0.5, 1), (0, 0.5, 0), look=GUIDE, width=1.0, name="trivial")
    notes.append(Entry(phrase("all called negative, or all positive"), Line((), (), look=GUIDE, width=1.0)))
    panel = Panel(
        x=Axis(phrase("Probability cost (share due to positives)"), 0, 1),
        y=Axis(phrase("Normalised cost"), 0, _TOP, ticks=(0, 0.25, 0.5), bounds=(0, 0.5)),
        marks=(*shaded, trivial, *marks),
        key=Key(
            tuple(entries), tuple(notes), phrase("highest normalised cost") if entries else None, corners=()
        ),
        aspect=_TOP,
    )
    return Picture((panel,), description=phrase("Cost curves"))


def _plain(place: float) -> Quote:
    return Quote(tick(rounded(place, 4)))


def probability_costs(given: Any) -> Any:
    """Numbers as they are; costs as the share of the possible cost that positives could cause."""
    if isinstance(given, AtCosts):
        of_misses, of_alarms = given.expected
        return of_misses / (of_misses + of_alarms)
    return [probability_costs(own) for own in given] if isinstance(given, list | tuple) else given


def _path(curve: Any) -> tuple[Floats, Floats]:
    own = curve.cost_curve() if isinstance(curve, RocCurve) else curve
    return own.probability_cost, own.normalized_cost
