"""The score figures of section 2: densities of both classes, one strip for every group, and thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.plots.parts.short_names import told_apart
from rocsteady.report.html.figures.reading.marks import absent
from rocsteady.report.html.figures.reading.paths import TENTHS, density_data, placed, strip_data
from rocsteady.report.html.figures.reading.roc import QUANTA
from rocsteady.report.html.parts import look
from rocsteady.report.html.tags import Markup, tag
from rocsteady.words import class_word

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.modes.modes import Mode
    from rocsteady.report.summary.vocabulary import Wording

WIDTH = 500
LEFT, ACROSS = 82, 406
"""Where the score axis starts, and how long it is."""
DENSITY_TOP, DENSITY_HEIGHT = 26, 112
_DENSITY_ROOM = 172
_ROOM = 520
"""About the height of all strips, so that they end where the ROC plot does."""
_HIGHEST_ROW, _LOWEST_ROW, _NAMED_ROW = 22.0, 5.2, 13.0
_LONGEST_NAME = 10
_LETTER = 9.0
"""How wide a letter of the axis is at most."""


def row_height(n: int) -> float:
    """Of one strip: less where there are many."""
    return min(max(_ROOM / max(n, 1), _LOWEST_ROW), _HIGHEST_ROW)


def density_figure(mode: Mode | None, drawing: Drawing, wording: Wording, *, model: str) -> Markup:
    """Both classes over the score axis, groups weighted equally, with the threshold or thresholds in use."""
    own = drawing.models[0]
    negative, positive = density_data(own.densities, own.score_axis, width=ACROSS, height=DENSITY_HEIGHT)
    bottom = DENSITY_TOP + DENSITY_HEIGHT
    areas = tag(
        "g",
        tag("path", d=negative, class_="r-negative", id="r-negative"),
        tag("path", d=positive, class_=f"r-positive {look(0)}", id="r-positive"),
        transform=f"translate({LEFT} {DENSITY_TOP}) scale({1 / TENTHS})",
    )
    words = class_words(wording)
    key = [
        tag("rect", x=LEFT, y=3, width=18, height=12, class_="r-negative"),
        tag("text", words[0], x=LEFT + 24, y=13.5),
        tag(
            "rect",
            x=LEFT + ACROSS - 18,
            y=3,
            width=18,
            height=12,
            class_=f"r-positive {look(0)}",
            id="r-swatch",
        ),
        tag("text", words[1], x=LEFT + ACROSS - 24, y=13.5, text_anchor="end", class_="strong"),
    ]
    axis = tag("path", d=f"M{LEFT} {bottom}h{ACROSS}", class_="r-frame")
    return tag(
        "svg",
        _hatching(),
        key,
        areas,
        axis,
        _ticks(drawing, bottom + 16),
        tag(
            "text",
            score_words(drawing, wording, model),
            x=LEFT + ACROSS / 2,
            y=bottom + 33,
            text_anchor="middle",
            class_="ax",
            id="r-score-words",
        ),
        tag(
            "path",
            d=_thresholds_over_density(mode, drawing),
            class_="r-thresholds" if mode is None or mode.question == "own" else "r-thresholds r-one",
            id="r-density-thresholds",
        ),
        viewBox=f"0 0 {WIDTH} {_DENSITY_ROOM}",
        role="img",
        aria_label="How the scores of both classes are spread, and what is called positive",
        class_="r-picture",
    )


def strip_figure(mode: Mode | None, drawing: Drawing, wording: Wording) -> Markup:
    """One row for every shown group: its negatives, its median positive, the threshold it uses."""
    own, n = drawing.models[0], len(drawing.names)
    row = row_height(n)
    whole, half, positive = strip_data(own.strips, own.score_axis, width=ACROSS, row=row)
    strips = tag(
        "g",
        tag("path", d=whole, class_="r-strip", id="r-strip-whole"),
        tag("path", d=half, class_="r-strip r-half", id="r-strip-half"),
        tag("path", d=positive, class_=f"r-median {look(0)}", id="r-strip-positive"),
        tag(
            "path",
            d=_thresholds_on_strips(mode, drawing),
            class_="r-thresholds r-one",
            id="r-strip-thresholds",
        ),
        transform=f"translate({LEFT} 0) scale({1 / TENTHS})",
    )
    short = told_apart(drawing.names, _LONGEST_NAME)
    names = [
        tag("text", words, x=LEFT - 8, y=f"{row * (i + 0.5) + 4.3:.1f}", text_anchor="end", class_="ax small")
        for i, words in enumerate(short)
        if row >= _NAMED_ROW and n > 1
    ]
    # Something to point at in every row, which then says its whole name.
    rows = [
        tag(
            "rect",
            tag("title", name),
            x=0,
            y=f"{row * i:.1f}",
            width=WIDTH,
            height=f"{row:.1f}",
            class_="r-row",
        )
        for i, name in enumerate(drawing.names)
    ]
    return tag(
        "svg",
        names,
        strips,
        rows,
        viewBox=f"0 0 {WIDTH} {row * n + 4:.1f}",
        role="img",
        aria_label=_strip_words(wording),
        class_="r-picture" if row >= _NAMED_ROW else "r-picture r-dense",
    )


def _strip_words(wording: Wording) -> str:
    if not wording.is_grouped:
        return f"Scores and {wording.cutoff_word}"
    return f"Scores and {wording.cutoff_word} of each {wording.unit}"


def class_words(wording: Wording) -> tuple[str, str]:
    """What the two areas are called, negatives first."""
    return (
        class_word(wording.negative, is_positive=False)[:24],
        class_word(wording.positive, is_positive=True)[:24],
    )


def score_words(drawing: Drawing, wording: Wording, model: str) -> str:
    """Below the axis: whose scores these are."""
    weighted = f"{wording.units} weighted equally" if drawing.n_groups > 1 else ""
    said = ", ".join(told for told in ("" if not model else told_apart([model], 24)[0], weighted) if told)
    return f"score ({said})" if said else "score"


def outside_words(drawing: Drawing, model: int) -> str:
    """What the densities leave out, nothing where they hold all."""
    outside = drawing.models[model].densities.outside
    said = "; ".join(outside).replace("at -inf", "at −∞").replace("at inf", "at ∞")
    return f"Not drawn: {said}." if outside else ""


def ticks_of(drawing: Drawing, model: int) -> list[tuple[float, str]]:
    """Places and words of the score axis."""
    axis = drawing.models[model].score_axis
    values = np.array([value for value, _ in axis.ticks], dtype=np.float64)
    places = LEFT + placed(values, axis, ACROSS)
    found: list[tuple[float, str]] = []
    for x, (_, words) in zip(places.tolist(), axis.ticks, strict=True):
        # Very large and very small numbers have long names; those that would touch are left out.
        if not found or x - found[-1][0] > _LETTER * (len(words) + len(found[-1][1])) / 2:
            found.append((round(x, 1), words))
    return found


def _ticks(drawing: Drawing, y: float) -> Markup:
    """Of every model, because scores of one are not those of another; the script shows one."""
    groups = []
    for k in range(len(drawing.models)):
        words = [
            tag("text", said, x=x, y=y, text_anchor="middle", class_="ax") for x, said in ticks_of(drawing, k)
        ]
        groups.append(tag("g", words, data_model=k, class_="r-ticks", hidden=k > 0 or None))
    return tag("g", groups)


def _hatching() -> Markup:
    stripe = tag("path", d="M0 0v6", class_="r-stripe")
    return tag(
        "defs",
        tag(
            "pattern",
            stripe,
            id="r-hatch",
            width=6,
            height=6,
            patternUnits="userSpaceOnUse",
            patternTransform="rotate(45)",
        ),
        # Inside the areas lengths are tenths.
        tag(
            "pattern",
            stripe,
            id="r-hatch-fine",
            width=6,
            height=6,
            patternUnits="userSpaceOnUse",
            patternTransform=f"scale({TENTHS}) rotate(45)",
        ),
    )


def _thresholds_over_density(mode: Mode | None, drawing: Drawing) -> str:
    """One long line where all groups share a threshold, else a short one for each."""
    bottom = DENSITY_TOP + DENSITY_HEIGHT
    shares = list(_thresholds(mode, drawing))
    top = bottom - 26
    if mode is not None and mode.question == "shared":
        shares, top = shares[:1], DENSITY_TOP - 6
    return "".join(f"M{LEFT + ACROSS * share:.1f} {top}V{bottom}" for _, share in shares)


def _thresholds_on_strips(mode: Mode | None, drawing: Drawing) -> str:
    row = TENTHS * row_height(len(drawing.names))
    return "".join(
        f"M{TENTHS * ACROSS * share:.0f} {row * (i + 0.1):.0f}v{0.8 * row:.0f}"
        for i, share in _thresholds(mode, drawing)
    )


def _thresholds(mode: Mode | None, drawing: Drawing) -> Iterator[tuple[int, float]]:
    """Every shown group that has a threshold, and how far along the axis that is, as the page opens."""
    if mode is None:
        return
    own, at = drawing.lines[mode.key, 0].own_threshold, mode.models[0].start
    missing = set(absent(drawing, 0))
    yield from ((i, int(q) / QUANTA) for i, q in enumerate(own[:, at]) if i not in missing)
