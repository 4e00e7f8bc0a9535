"""The tables beside the ROC plot of section 2: one average at some settings, or all averages at one each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.report.html.parts import LONGEST_NAME, Column, table
from rocsteady.report.html.tags import Markup, named, tag
from rocsteady.report.svg import evenly

if TYPE_CHECKING:
    from rocsteady.report.summary.modes.modes import Mode
    from rocsteady.report.summary.modes.reading import ModeReading
    from rocsteady.report.summary.vocabulary import RateWord, Wording

SAME = "r-same"
"""The class of a table whose second column, the threshold, is what is held: the style sheet hides it."""
_ROWS = 12


def twin_of_one(mode: Mode, model: str, wording: Wording) -> Markup:
    """One average at some settings; the script replaces the rows for another average or model."""
    columns: list[Column | str] = [Column(mode.slider, is_text=True), *_columns(wording)]
    caption = tag("span", twin_caption(mode, model), id="r-twin-caption")
    return table(
        caption,
        columns,
        twin_rows(mode.models[0], wording),
        class_=f"r-twin {SAME}" if mode.question == "shared" else "r-twin",
        shows_caption=True,
    )


def twin_of_averages(modes: Sequence[Mode], model: str, wording: Wording) -> Markup:
    """All averages that are drawn, each at the setting at which it would be read first."""
    _, *rates = _columns(wording)
    columns = [Column("Average", is_text=True), "AUC", *rates, Column("Read at", is_text=True)]
    whose = [", ", named(model, longest=LONGEST_NAME)] if model else None
    caption = tag("span", "All averages, each at one setting", whose, id="r-twin-all-caption")
    rows = rows_of_averages(modes, 0, wording)
    return table(caption, columns, rows, class_="r-twin-all", shows_caption=True)


def rows_of_averages(modes: Sequence[Mode], model: int, wording: Wording) -> list[list[str]]:
    """One row for every average of a model."""
    rows = []
    for mode in modes:
        reading = mode.models[model]
        known = reading.auc is not None and np.isfinite(reading.auc)
        area = f"{reading.auc:.3f}" if known else "–"
        label, _, *rates = _row(reading, reading.start, wording)
        rows.append([mode.name, area, *rates, f"{mode.slider}: {label}"])
    return rows


def twin_rows(reading: ModeReading, wording: Wording) -> list[list[str]]:
    """Some settings with their numbers, the one shown first among them."""
    chosen = sorted({*evenly(len(reading.labels), _ROWS).tolist(), int(reading.start)})
    return [_row(reading, at, wording) for at in chosen]


def twin_caption(mode: Mode, model: str) -> str:
    """Of the table of one average."""
    return mode.name + (f", {_short(model)}" if model else "")


def _columns(wording: Wording) -> list[Column | str]:
    rates = (f"{rate.short[:1].upper()}{rate.short[1:]} %" for rate in (wording.fpr, wording.tpr))
    return [wording.cutoff_word.capitalize(), *rates]


def _row(reading: ModeReading, at: int, wording: Wording) -> list[str]:
    lowest, highest = reading.threshold_low[at], reading.threshold_high[at]
    thresholds = [wording.threshold(float(lowest)), wording.threshold(float(highest))]
    return [
        reading.labels[at],
        thresholds[0] if thresholds[0] == thresholds[1] else " to ".join(thresholds),
        _with_limits(wording.fpr, reading.fpr[at], reading.fpr_low[at], reading.fpr_high[at]),
        _with_limits(wording.tpr, reading.tpr[at], reading.tpr_low[at], reading.tpr_high[at]),
    ]


def _with_limits(rate: RateWord, value: float, low: float, high: float) -> str:
    limits = rate.bare_interval(float(low), float(high))
    return rate.bare(float(value)) + (f" ({limits})" if limits else "")


def _short(name: str) -> str:
    """A name where no markup can stand."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
