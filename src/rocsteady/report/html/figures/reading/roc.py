"""The ROC plot of section 2: the averages, faint curves, and where every group stands at one setting.

Drawn here in full for the page as it opens, as it prints and as it is without script. The script moves the
marks, exchanges path data and, on a canvas behind this picture, draws the faint curves of the chosen model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rocsteady.report.html.figures.reading.key import (
    HEIGHT,
    LEFT,
    SIDE,
    TOP,
    WIDTH,
    Lines,
    average_words,
    below_plot,
    key_of,
    model_words,
)
from rocsteady.report.html.figures.reading.marks import absent, bars_at, guide_at
from rocsteady.report.html.figures.reading.paths import UNITS, Path, band_data, curve_data
from rocsteady.report.html.parts import look
from rocsteady.report.html.tags import Markup, tag
from rocsteady.report.svg import evenly

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.modes.modes import Mode
    from rocsteady.report.summary.vocabulary import Wording

ZOOM = 0.2
"""The largest false positive rate of the zoomed plot."""
QUANTA = 65_535
"""The quantised one."""
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_MOST_PRINTED = 60
"""Faint curves that are drawn without script, of one model."""


def roc_figure(
    lines: Sequence[Lines], mode: Mode | None, drawing: Drawing, wording: Wording, *, note: str
) -> Markup:
    """The picture as the page opens.

    Parameters
    ----------
    lines : sequence of Lines
        Of every model; and, where nothing was declared, of every average.
    mode : Mode or None
        What is read; its marks are left out where nothing was declared.
    drawing, wording
        Of the report.
    note : str
        Which average this is, and of how many groups.
    """
    plane = tag(
        "g",
        tag("path", class_="r-chance", d=f"M0 {UNITS}L{UNITS} 0"),
        _faint(drawing),
        _bands(mode, drawing),
        [_bold(own) for own in lines],
        id="r-plane",
        transform=f"translate({LEFT} {TOP}) scale({SIDE / UNITS:.6g})",
    )
    clips = tag(
        "defs",
        # The bold line keeps its width along the upper edge, and so do dots on the edges.
        _clip("r-clip", LEFT, TOP - 3, SIDE, SIDE + 3),
        _clip("r-clip-marks", LEFT - 8, TOP - 8, SIDE + 16, SIDE + 16),
    )
    return tag(
        "svg",
        tag("title", _title(mode, wording), id="r-roc-title"),
        clips,
        _axes(wording),
        tag("g", plane, clip_path="url(#r-clip)"),
        [key_of(own, note) for own in lines],
        tag("g", _marks(mode, drawing), clip_path="url(#r-clip-marks)", id="r-marks", class_=look(0)),
        _beyond(),
        viewBox=f"0 0 {WIDTH} {HEIGHT + below_plot(len(drawing.models))}",
        role="img",
        aria_labelledby="r-roc-title",
        aria_describedby="r-sentence",
        class_="r-picture",
        id="r-roc",
    )


def lines_of_models(
    mode: Mode | None, modes: Sequence[Mode], names: Sequence[str], drawing: Drawing
) -> Lines:
    """The average of every model under one use; empty where none was declared, for the script to fill."""
    data = ["" if mode is None else curve_data(drawing.lines[mode.key, k].line) for k in range(len(names))]
    return Lines("models", names, model_words(mode or modes[0], names), data, mode is not None)


def lines_of_averages(modes: Sequence[Mode], drawing: Drawing) -> Lines:
    """Every average of the first model: where nothing was declared none stands out."""
    data = [curve_data(drawing.lines[mode.key, 0].line) for mode in modes]
    # In other colours than those of the models, which their scores and single curves have beside them.
    first = len(drawing.models)
    return Lines("averages", [mode.name for mode in modes], average_words(modes, 0), data, True, first)


def beyond_words(fpr: float, wording: Wording) -> str:
    """What is said at the edge of the zoomed plot of a point that lies outside of it; else nothing."""
    if not fpr > ZOOM:
        return ""
    rate = wording.fpr
    whose = "average at " if wording.is_grouped else ""
    name = rate.short if whose else rate.short[:1].upper() + rate.short[1:]
    return f"{whose}{name} {rate.percent(fpr)}"


def x_of(fpr: float, furthest: float = 1.0) -> float:
    """Across the picture."""
    return LEFT + SIDE * fpr / furthest


def y_of(tpr: float) -> float:
    """Down the picture."""
    return TOP + SIDE * (1 - tpr)


def _title(mode: Mode | None, wording: Wording) -> str:
    what = "every average of them" if mode is None else "their average"
    return f"ROC curves of single {wording.units} and {what}" if wording.is_grouped else "ROC curve"


def _clip(name: str, x: float, y: float, width: float, height: float) -> Markup:
    return tag("clipPath", tag("rect", x=x, y=y, width=width, height=height), id=name)


def _axes(wording: Wording) -> Markup:
    bottom = TOP + SIDE
    ticks, words = [], []
    for tick in _TICKS:
        x, y = x_of(tick), y_of(tick)
        ticks.append(f"M{x:g} {bottom}v5M{LEFT} {y:g}h-5")
        # Both scales are written; the style sheet shows one of them.
        for furthest, class_ in ((1.0, "r-whole"), (ZOOM, "r-zoomed")):
            shown = f"{100 * tick * furthest:g}"
            words.append(tag("text", shown, x=x, y=bottom + 20, text_anchor="middle", class_=f"ax {class_}"))
        words.append(tag("text", f"{100 * tick:g}", x=LEFT - 9, y=y + 4, text_anchor="end", class_="ax"))
    middle = TOP + SIDE / 2
    across = tag("text", f"{wording.fpr.axis} (%)", x=x_of(0.5), y=HEIGHT - 6, text_anchor="middle")
    up = tag(
        "text",
        f"{wording.tpr.axis} (%)",
        transform=f"translate(15 {middle}) rotate(-90)",
        text_anchor="middle",
    )
    frame = tag("path", class_="r-frame", d=f"M{LEFT} {TOP}h{SIDE}v{SIDE}h-{SIDE}z{''.join(ticks)}")
    return tag("g", frame, words, across, up, id="r-axes")


def _faint(drawing: Drawing) -> list[Markup]:
    """Some curves of every model for paper; those of the models that are not shown are hidden."""
    drawn = []
    for k, model in enumerate(drawing.models):
        chosen = evenly(len(model.faint), _MOST_PRINTED)
        data = "".join(curve_data(model.faint[int(i)]) for i in chosen)
        drawn.append(tag("path", d=data, class_=f"r-faint {look(k)}", data_model=k, hidden=k > 0 or None))
    return drawn


def _bands(mode: Mode | None, drawing: Drawing) -> list[Markup]:
    sides: dict[str, tuple[Path, Path] | None] = {"simultaneous": None, "pointwise": None}
    if mode is not None:
        own = drawing.lines[mode.key, 0]
        sides = {"simultaneous": own.simultaneous, "pointwise": own.pointwise}
    return [
        tag("path", d=band_data(edges), class_=f"r-band r-{kind} {look(0)}", id=f"r-{kind}")
        for kind, edges in sides.items()
    ]


def _bold(lines: Lines) -> Markup:
    """The first is drawn last, over the others; those of other models are thinner."""
    is_of_models = lines.kind == "models"
    paths = [
        tag(
            "path",
            d=data,
            class_=f"r-line {look(lines.first_look + k)}{' r-other' if is_of_models and k else ''}",
            data_line=k,
        )
        for k, data in enumerate(lines.data)
    ]
    # Of averages, which may coincide, the dashed ones lie over those that are whole.
    return tag(
        "g", paths[::-1] if is_of_models else paths, id=f"r-lines-{lines.kind}", hidden=not lines.is_shown
    )


def _marks(mode: Mode | None, drawing: Drawing) -> list[Markup]:
    """Every shown group, the average and its interval at the setting that is shown first."""
    if mode is None:
        reading, at = None, 0
    else:
        reading = mode.models[0]
        at = reading.start
    dots, missing = [], set(absent(drawing, 0))
    own = None if mode is None else drawing.lines[mode.key, 0]
    for i, name in enumerate(drawing.names):
        x, y = (0.0, 0.0) if own is None else (own.own_fpr[i, at] / QUANTA, own.own_tpr[i, at] / QUANTA)
        place = f"translate({x_of(x):.1f} {y_of(y):.1f})"
        dot = tag("circle", tag("title", name), r=3.4, transform=place, class_="r-dot", hidden=i in missing)
        dots.append(dot)
    bars = [] if reading is None or mode is None else bars_at(mode.key, reading, at)
    segments = [*bars, None, None][:2]
    guide = None if reading is None or mode is None else guide_at(mode.key, reading, at)
    point = "" if reading is None else f"translate({x_of(reading.fpr[at]):.1f} {y_of(reading.tpr[at]):.1f})"
    return [
        tag("path", d=_segment(guide), class_="r-guide", id="r-guide"),
        tag("g", dots, id="r-dots", hidden=mode is None or None),
        tag("path", d="".join(_segment(own_bar) for own_bar in segments), class_="r-bar", id="r-bar"),
        tag(
            "circle",
            r=6.5,
            class_="r-point",
            id="r-point",
            transform=point or None,
            hidden=mode is None or None,
        ),
    ]


def _beyond() -> Markup:
    """At the right edge, where the zoom leaves the point of the average outside; the script fills it."""
    sign = tag("path", d="M-10 -6L0 0L-10 6z")
    said = tag("text", id="r-beyond-words", x=-16, y=5, text_anchor="end")
    return tag("g", sign, said, id="r-beyond", class_="r-beyond", hidden=True)


def _segment(ends: tuple[float, float, float, float] | None) -> str:
    if ends is None:
        return ""
    x1, y1, x2, y2 = ends
    return f"M{x_of(x1):.1f} {y_of(y1):.1f}L{x_of(x2):.1f} {y_of(y2):.1f}"
