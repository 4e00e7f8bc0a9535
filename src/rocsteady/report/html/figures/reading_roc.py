"""The ROC plot of section 2: the averages, faint curves, and where every group stands at one setting.

Drawn here in full for the page as it opens, as it prints and as it is without script. The script moves the
marks, exchanges path data and, on a canvas behind this picture, draws the faint curves of the chosen model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.plots.parts.short_names import told_apart
from rocsteady.report.html.figures.reading_marks import absent, bars_at, guide_at
from rocsteady.report.html.figures.reading_paths import UNITS, Path, band_data, curve_data
from rocsteady.report.html.parts import look
from rocsteady.report.html.tags import Markup, tag
from rocsteady.report.svg import evenly

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.modes import Mode
    from rocsteady.report.summary.vocabulary import Wording

WIDTH, HEIGHT = 580, 572
LEFT, TOP, SIDE = 54, 12, 512
ZOOM = 0.2
"""The largest false positive rate of the zoomed plot."""
QUANTA = 65_535
"""The quantised one."""
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_MOST_PRINTED = 60
"""Faint curves that are drawn without script, of one model."""
_LONGEST_KEY = 22
_ALONG_A_DIRECTION = frozenset({"vertical", "horizontal", "diagonal", "alerts", "cost-direction"})
"""Averages whose area is the mean of the areas, in whichever direction they are taken."""
_KEY_ROW, _KEY_LINE = 26, 38
_LETTER = 9.6
"""How wide a letter of the key is at most, on a telephone."""


@dataclass(frozen=True)
class Lines:
    """Bold lines with their words in the key: one of every model, or one of every average.

    Attributes
    ----------
    kind : {"models", "averages"}
        What they are of.
    names : sequence of str
        Their whole names.
    words : sequence of str
        In the key, in the order of their looks.
    data : sequence of str
        Path data.
    is_shown : bool
        Whether the page opens with these.
    """

    kind: str
    names: Sequence[str]
    words: Sequence[str]
    data: Sequence[str]
    is_shown: bool


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
        [_key(own, note) for own in lines],
        tag("g", _marks(mode, drawing), clip_path="url(#r-clip-marks)", id="r-marks", class_=look(0)),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_labelledby="r-roc-title",
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
    return Lines("averages", [mode.name for mode in modes], average_words(modes, 0), data, True)


def model_words(mode: Mode, names: Sequence[str]) -> list[str]:
    """The key of an average: every model and its area."""
    short = told_apart(names, _LONGEST_KEY)
    return [_joined(name, _auc(mode, k)) for k, name in enumerate(short)]


def average_words(modes: Sequence[Mode], model: int) -> list[str]:
    """The key of a model: every average and its area; averages along a direction share theirs."""
    areas = {mode.key: mode.models[model].auc for mode in modes}
    first = next((key for key in areas if key in _ALONG_A_DIRECTION), "")
    words = []
    for mode in modes:
        is_shared = mode.key in _ALONG_A_DIRECTION and mode.key != first
        is_shared = is_shared and bool(np.isclose(areas[mode.key], areas[first], rtol=0, atol=1e-9))
        words.append(_joined(mode.name, "the same AUC" if is_shared else _auc(mode, model)))
    return words


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _auc(mode: Mode, model: int) -> str:
    auc = mode.models[model].auc
    return f"AUC {auc:.3f}" if auc is not None and np.isfinite(auc) else ""


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
            class_=f"r-line {look(k)}{' r-other' if is_of_models and k else ''}",
            data_line=k,
        )
        for k, data in enumerate(lines.data)
    ]
    # Of averages, which may coincide, the dashed ones lie over those that are whole.
    return tag(
        "g", paths[::-1] if is_of_models else paths, id=f"r-lines-{lines.kind}", hidden=not lines.is_shown
    )


def _key(lines: Lines, note: str) -> Markup:
    height = _KEY_ROW * len(lines.words) + 24
    top, right = TOP + SIDE - height - 14, LEFT + SIDE - 6
    longest = max([*map(len, lines.words), 0.9 * len(note) - 3])
    left = min(right - _KEY_LINE - _LETTER * longest, LEFT + 0.5 * SIDE)
    ground = tag("rect", x=left - 6, y=top, width=right - left + 6, height=height + 8, class_="r-ground")
    rows = []
    for k, (name, words) in enumerate(zip(lines.names, lines.words, strict=True)):
        y = top + _KEY_ROW * (k + 0.5)
        rows.append(tag("path", d=f"M{left:.1f} {y:g}h30", class_=f"r-line {look(k)}"))
        said = tag("tspan", words, data_key=k)
        whole = None if words.startswith(name) else tag("title", name)
        rows.append(tag("text", said, whole, x=left + _KEY_LINE, y=y + 5, class_=f"r-word {look(k)}"))
    below = tag("text", note, x=left, y=top + height - 2, class_="ax r-note-words")
    return tag("g", ground, rows, below, id=f"r-key-{lines.kind}", hidden=not lines.is_shown)


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


def _segment(ends: tuple[float, float, float, float] | None) -> str:
    if ends is None:
        return ""
    x1, y1, x2, y2 = ends
    return f"M{x_of(x1):.1f} {y_of(y1):.1f}L{x_of(x2):.1f} {y_of(y2):.1f}"
