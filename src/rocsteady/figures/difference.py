"""The difference of two curves, with limits of each point by itself and of a whole range at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import fail
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import at_once, of_kind
from rocsteady.figures.spec import (
    Axis,
    Band,
    Entry,
    Floats,
    Key,
    Label,
    Line,
    Mark,
    Panel,
    Picture,
    Rule,
    short_names,
)
from rocsteady.figures.style import LOOKS, QUIET, TEXT_SIZE, Hue
from rocsteady.inference.differences import Comparison, Comparisons, DifferenceCurve
from rocsteady.scores.design import Random
from rocsteady.text import FPR, TPR, Count, Item, Level, Model, Name, Quote, Text, phrase, plural, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RATES = {"fpr": FPR, "tpr": TPR}
_ROOM = 0.14
"""Share of the height kept free above and below what is drawn, for the words there."""


def difference(
    found: Comparison | DifferenceCurve,
    *,
    words: str = "ml",
    title: str = "",
    text_size: float = TEXT_SIZE,
    ax: Axes | None = None,
) -> Axes:
    """Draw by how much the first of two models is better, position by position.

    The darker band holds at each point by itself, the lighter one over the whole range at once; with too few
    groups there is none that does.

    Parameters
    ----------
    found : Comparison or DifferenceCurve
        ``rs.compare(score_set, "a", "b", method="vertical")``, or its ``.curve``.
    words, title, text_size, ax
        As in every figure, see :mod:`rocsteady.plot`.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    UsageError
        RS002 for anything but a comparison of two models; RS001 for words not known; RS042 for a size
        that is none.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.tile([1] * 40 + [0] * 40, 8)
    >>> scores = {"old": rng.normal(size=640) + sick, "new": rng.normal(size=640) + 2 * sick}
    >>> both = rs.ScoreSet.from_arrays(sick, scores, np.repeat(np.arange(8), 80))
    >>> axes = difference(rs.compare(both, "new", "old", method="vertical"))
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['new − old', '95 %: each point by itself', '95 %: FPR 2 to 50 % at once',
     'vertical averages: mean difference, 8 groups']
    """
    said = words_of(found, words)
    return draw(picture(found).titled(title), said, text_size=text_size, ax=ax)  # type: ignore[no-any-return]


def picture(found: Comparison | DifferenceCurve) -> Picture:
    """The curve of a comparison, or of itself; in the colour of the first model."""
    curve = _given(found)
    held = _RATES.get(curve.over)
    over, value = ("fpr", "tpr") if curve.over == "fpr" else ("tpr", "fpr")
    across, up = phrase("position along the direction"), phrase("gained along the direction")
    if held is not None:
        across = phrase("{rate:axis}", rate=Name(_RATES[over]))
        template = "{rate:axis} gained" if value == "tpr" else "{rate:axis} saved"
        up = phrase(template, rate=Name(_RATES[value]))
    limits = [
        (curve.simultaneous_lower, curve.simultaneous_upper, 0.13, "simultaneous"),
        (curve.lower, curve.upper, 0.24, "pointwise"),
    ]
    known = [own for own in limits if (np.isfinite(own[0]) & np.isfinite(own[1])).any()]
    hue = LOOKS[0]
    marks: list[Mark] = [Rule(y=0, look=QUIET, dash=(), name="zero")]
    marks += [
        difference_band(curve.position, low, high, look=hue, alpha=alpha, name=name)
        for low, high, alpha, name in known
    ]
    line = Line(curve.position, curve.difference, look=hue, width=1.5, name="difference")
    marks += [line, *side_labels(curve.a, curve.b)]
    level, why = Level(curve.confidence_level), phrase("nothing varies")
    told = {
        "pointwise": phrase("{level}: each point by itself", level=level),
        "simultaneous": phrase(
            "{level}: {where}", level=level, where=at_once(held, curve.range, curve.excluded, why=why)
        ),
    }
    samples = [
        Entry(told[name], Band(((), ()), ((), ()), look=hue, alpha=alpha)) for *_, alpha, name in known[::-1]
    ]
    names = dict(zip("ab", map(Quote, short_names([curve.a, curve.b], 40)), strict=True))
    panel = Panel(
        x=Axis(across, *curve.range),
        y=Axis(
            up, *around_zero([curve.difference, *(own for low, high, *_ in known for own in (low, high))])
        ),
        marks=tuple(marks),
        key=Key(
            (Entry(phrase("{a} − {b}", **names), line),), (*samples, *_averaged(found, curve)), corners=()
        ),
    )
    described_as = phrase("Difference of {a} and {b}", a=Model(curve.a), b=Model(curve.b))
    return Picture((panel,), description=described_as)


def difference_band(at: Floats, low: Floats, high: Floats, *, look: Hue, alpha: float, name: str) -> Band:
    """Limits around a difference; nothing where they are missing or infinite."""
    known = np.isfinite(low) & np.isfinite(high)
    return Band(
        (at, np.where(known, low, np.nan)),
        (at, np.where(known, high, np.nan)),
        look=look,
        alpha=alpha,
        name=name,
    )


def around_zero(values: list[Floats], *, below: float = 0.0) -> tuple[float, float]:
    """Limits of an axis that hold all finite values, zero, and words above and below them."""
    finite = np.concatenate([np.ravel(own)[np.isfinite(np.ravel(own))] for own in values])
    low, high = float(np.min(finite, initial=0.0)), float(np.max(finite, initial=0.0))
    size = (high - low) or 0.1
    return low - (_ROOM + below) * size, high + _ROOM * size


def side_labels(
    above: str, below: str, *, lowest: float = 0.0, looks: tuple[Hue, Hue] = (LOOKS[0], LOOKS[1])
) -> list[Mark]:
    """Who is better above the line, and who below it; `lowest` is where free room starts."""
    better, worse = (phrase("{name} better", name=Quote(own)) for own in short_names([above, below], 36))
    return [
        Label(0.015, 0.985, better, up="top", space="share", look=looks[0]),
        Label(0.015, lowest + 0.015, worse, up="bottom", space="share", look=looks[1]),
    ]


def _given(found: object) -> DifferenceCurve:
    """The curve, also if the comparison is given; RS002 otherwise."""
    curve: Any = found.curve if isinstance(found, Comparison) else found
    if isinstance(found, Comparisons):
        first = found[0]
        raise fail("RS002.two-models-drawn", found=found, pair=(first.a, first.b))
    if isinstance(found, Comparison) and curve is None:
        raise fail("RS002.no-average-drawn", found=found, a=found.a, b=found.b)
    way = "rs.plot.difference(rs.compare(score_set, 'a', 'b', method='vertical'))"
    return of_kind(DifferenceCurve, curve, "a comparison of two models, or its curve", way)


def _averaged(found: object, curve: DifferenceCurve) -> list[Entry]:
    """What was averaged, where that is known, over how many groups, and what is random if these are not."""
    of_cases = curve.facts.random != Random.GROUPS
    unit = plural(curve.unit) if not of_cases else "cases"
    told: list[Entry] = []
    if of_cases and curve.n_groups in (1, (1, 1)):  # every average of one curve is that curve
        cases: Item = _both(curve.n_cases, "case")
        told.append(Entry(phrase("{cases} of one {unit}, cases random", cases=cases, unit=Quote(curve.unit))))
    else:
        what = "mean difference" if isinstance(curve.n_groups, int) else "difference of means"
        kind = (
            Quote(f"{found.method.label} averages: ")
            if isinstance(found, Comparison) and found.method
            else None
        )
        text = "{kind}" + what + ", {groups}" + (", cases random" if of_cases else "")
        told.append(Entry(phrase(text, kind=kind, groups=_both(curve.n_groups, curve.unit))))
    if curve.smallest_pvalue > 1 - curve.confidence_level:
        told.append(Entry(phrase("too few {unit} for limits of the whole range", unit=Quote(unit))))
    return told


def _both(n: int | tuple[int, int], unit: str) -> Text:
    """How many of a sort; of each model where they are not the same."""
    if isinstance(n, int):
        return phrase("{n}", n=Count(n, unit))
    return phrase("{n} and {m}", n=Count(n[0], unit), m=Count(n[1]))
