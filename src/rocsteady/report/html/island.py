"""The data that the script looks up: names and words as JSON, curves and settings compressed.

Everything is computed before; the script only puts a sentence in place of another and moves marks. The data
stand in elements that are not run. Nothing in them can end such an element: in JSON all angle brackets are
written as escapes, and what is compressed is written in base64.
"""

from __future__ import annotations

import json
import struct
import zlib
from base64 import b64encode
from functools import cache
from html import unescape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.report.html.figures.reading import key as reading_key
from rocsteady.report.html.figures.reading import roc as reading_roc
from rocsteady.report.html.figures.reading import scores as reading_scores
from rocsteady.report.html.figures.reading.key import average_words, below_plot, model_words
from rocsteady.report.html.figures.reading.marks import SLANTED, Segment, absent, guide_at
from rocsteady.report.html.figures.reading.paths import UNITS, band_data, curve_data, density_data, strip_data
from rocsteady.report.html.figures.reading.twin import rows_of_averages, twin_caption, twin_rows
from rocsteady.report.html.sections import groups
from rocsteady.report.html.sections.deployment import alone, declared_mode, shown_first
from rocsteady.report.html.sections.reading import available, model_names, note_of
from rocsteady.report.html.tags import Markup, text

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing, ModeDrawing
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.modes.modes import Mode
    from rocsteady.report.summary.modes.reading import ModeReading
    from rocsteady.report.summary.vocabulary import Wording

SCRIPTS = ("data.js", "figures.js", "questions.js", "reading.js", "tables.js", "exports.js", "start.js")
"""In the order in which they are joined."""
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
_OWN_QUANTA = 4_095
"""An eighth of a pixel: finer steps would only make the page larger."""
_FAINT_UNITS = 4_000
"""Faint curves are drawn more coarsely than averages: they are many, and a pixel wide."""


@cache
def script() -> str:
    """All of the page's script, one file after the other."""
    here = files("rocsteady.report.html").joinpath("script")
    parts = [here.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS]
    return "\n'use strict';\n(() => {\n" + "\n".join(parts) + "})();\n"


def render(summary: ReportSummary, drawing: Drawing, wording: Wording) -> Markup:
    """Two elements with data: what the page starts with, and what it moves to."""
    modes = available(summary)
    if not modes:
        return Markup("")
    wording = alone(summary, wording)
    heavy, numbers = _heavy(summary, modes, drawing, wording)
    words = json.dumps(_as_shown(heavy), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    packed = zlib.compress(struct.pack("<I", len(words)) + words + numbers, 6)
    light = escaped_json(_light(summary, modes, drawing, wording))
    return Markup(
        f'<script type="application/json" id="island">{light}</script>\n'
        f'<script type="application/octet-stream" id="island-packed">{b64encode(packed).decode()}</script>\n'
    )


def escaped_json(value: Any) -> str:
    r"""JSON in which nothing can be taken for markup.

    >>> print(escaped_json({"name": "</script><!-- & \u2028"}))
    {"name":"\u003c/script\u003e\u003c!-- \u0026 \u2028"}
    """
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return written.translate(_ESCAPES)


def _light(
    summary: ReportSummary, modes: tuple[Mode, ...], drawing: Drawing, wording: Wording
) -> dict[str, Any]:
    declared, first = declared_mode(summary.averages), shown_first(summary.averages, wording)
    return {
        "declared": None if declared is None else declared.key,
        "first": None if first is None else first.key,
        "isGrouped": wording.is_grouped,
        "models": [shown(name) for name in model_names(summary)],
        "modes": [mode.key for mode in modes],
        "nShown": len(drawing.names),
        "roc": {
            "left": reading_key.LEFT,
            "top": reading_key.TOP,
            "side": reading_key.SIDE,
            "width": reading_key.WIDTH,
            "height": reading_key.HEIGHT + below_plot(len(model_names(summary))),
            "zoom": reading_roc.ZOOM,
            "units": UNITS,
            "faintUnits": _FAINT_UNITS,
        },
        "scores": {
            "left": reading_scores.LEFT,
            "across": reading_scores.ACROSS,
            "top": reading_scores.DENSITY_TOP,
            "bottom": reading_scores.DENSITY_TOP + reading_scores.DENSITY_HEIGHT,
            "row": reading_scores.row_height(len(drawing.names)),
        },
        "quanta": _OWN_QUANTA,
    }


def _heavy(
    summary: ReportSummary, modes: tuple[Mode, ...], drawing: Drawing, wording: Wording
) -> tuple[dict[str, Any], bytes]:
    """What is looked up, and the arrays of single groups and faint curves behind it."""
    names = model_names(summary)
    numbers = Packed()
    words = {
        "modes": [
            {
                "key": mode.key,
                "question": mode.question,
                "name": mode.name,
                "why": mode.why,
                "slider": mode.slider,
                "isSlanted": mode.key in SLANTED,
                "note": note_of(mode, wording, summary.about.n_groups),
                "keyWords": model_words(mode, names),
                "readings": [
                    _reading(mode, k, name, drawing, wording, numbers) for k, name in enumerate(names)
                ],
            }
            for mode in modes
        ],
        "models": [
            {
                "key": average_words(modes, k),
                "rows": rows_of_averages(modes, k, wording),
                **_model(k, name, drawing, wording, numbers),
            }
            for k, name in enumerate(names)
        ],
        "rows": _rows(summary, wording),
    }
    return words, numbers.content()


def _rows(summary: ReportSummary, wording: Wording) -> list[list[Any]]:
    """All rows of the table of groups, where they do not all stand in the page."""
    rows = groups.rest(summary, wording)
    return [list(row) for row in rows] if len(rows) > groups.N_STATIC else []


def _as_shown(value: Any) -> Any:
    """Plain data in which every text is as the page shows it."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {key: _as_shown(own) for key, own in value.items()}
    if not isinstance(value, (list, tuple)) or (value and isinstance(value[0], float | int | None)):
        return value  # what starts with a number has no text in it, and may be long
    return [_as_shown(own) for own in value]


def shown(name: str) -> str:
    r"""A name as the page shows it: what cannot be shown is spelled out.

    >>> print(shown("a\u202eb <i>"))
    a\u202eb <i>
    """
    # Digits and blanks alone, as in paths and rows, are many and need no look.
    return name if name.isascii() and name.isprintable() else unescape(text(name))


def _reading(
    mode: Mode, model: int, name: str, drawing: Drawing, wording: Wording, numbers: Packed
) -> dict[str, Any]:
    reading, drawn = mode.models[model], drawing.lines[mode.key, model]
    settings = range(len(reading.labels))
    rate = {"vertical": wording.fpr, "horizontal": wording.tpr}.get(mode.key)
    return {
        "labels": list(reading.labels),
        "sentences": [list(own) if not isinstance(own, str) else [own] for own in reading.sentences],
        "start": int(reading.start),
        # Positions rise; to the right is more of what is held, by the name it has here.
        "turned": rate is not None and rate.is_rest,
        "numbers": _numbers(reading),
        "guides": [_flat(guide_at(mode.key, reading, k)) for k in settings],
        "beyond": [reading_roc.beyond_words(fpr, wording) for fpr in reading.fpr.tolist()],
        **_paths(drawn),
        "own": [numbers.add(_coarser(own)) for own in (drawn.own_fpr, drawn.own_tpr, drawn.own_threshold)],
        "caption": twin_caption(mode, name),
        "rows": twin_rows(reading, wording),
    }


def _paths(drawn: ModeDrawing) -> dict[str, str]:
    return {
        "line": curve_data(drawn.line),
        "pointwise": band_data(drawn.pointwise),
        "simultaneous": band_data(drawn.simultaneous),
    }


def _numbers(reading: ModeReading) -> dict[str, list[float | None]]:
    """Every number of the curve, for the marks and for the file that the page offers."""
    names = ("fpr", "fpr_low", "fpr_high", "tpr", "tpr_low", "tpr_high")
    columns = {name: _plain(np.round(getattr(reading, name), 6)) for name in names}
    # With fewer digits a threshold would come to lie on the other side of a score.
    whole = ("positions", "threshold_low", "threshold_high")
    return columns | {name.removesuffix("s"): _plain(getattr(reading, name)) for name in whole}


def _plain(values: NDArray[np.float64]) -> list[float | None]:
    return [v if np.isfinite(v) else None for v in values.tolist()]


def _model(model: int, name: str, drawing: Drawing, wording: Wording, numbers: Packed) -> dict[str, Any]:
    own = drawing.models[model]
    row = reading_scores.row_height(len(drawing.names))
    x = [np.asarray(fpr, dtype=np.float64) for fpr, _ in own.faint]
    y = [np.asarray(tpr, dtype=np.float64) for _, tpr in own.faint]
    empty = np.empty(0)
    return {
        "faint": [numbers.add(_on_grid(np.concatenate([empty, *v]))) for v in (x, y)],
        "lengths": [len(v) for v in x],
        "densities": density_data(
            own.densities, own.score_axis, width=reading_scores.ACROSS, height=reading_scores.DENSITY_HEIGHT
        ),
        "strips": strip_data(own.strips, own.score_axis, width=reading_scores.ACROSS, row=row),
        "absent": absent(drawing, model),
        "outside": reading_scores.outside_words(drawing, model),
        "scoreWords": reading_scores.score_words(drawing, wording, name),
    }


def _coarser(values: NDArray[np.uint16]) -> NDArray[np.uint16]:
    coarse: NDArray[np.uint16] = np.rint(values * (_OWN_QUANTA / reading_roc.QUANTA)).astype(np.uint16)
    return coarse


def _on_grid(rates: NDArray[np.float64]) -> NDArray[np.uint16]:
    return np.rint(_FAINT_UNITS * np.nan_to_num(rates)).astype(np.uint16)[None, :]


def _flat(segment: Segment | None) -> list[float]:
    return [] if segment is None else [round(v, 5) for v in segment]


class Packed:
    """Arrays of small whole numbers one after the other, each as steps along its rows, high bytes first.

    Curves are smooth, so most steps are small and the high bytes nearly all alike: this halves the page. A
    step down is written as an odd number, one up as an even one, so that both are small.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def add(self, values: NDArray[np.uint16]) -> list[int]:
        """Where it starts, how many rows and columns."""
        rows, columns = values.shape
        steps = np.diff(values.astype(np.int32), axis=1, prepend=0).ravel()
        halves = np.where(steps < 0, -2 * steps - 1, 2 * steps).astype("<u2").view(np.uint8).reshape(-1, 2)
        self._parts += [halves[:, 1].tobytes(), halves[:, 0].tobytes()]
        start, self._length = self._length, self._length + 2 * steps.size
        return [start, rows, columns]

    def content(self) -> bytes:
        """All of it."""
        return b"".join(self._parts)
