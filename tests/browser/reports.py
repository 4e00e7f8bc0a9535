"""Small reports for the browser, each with everything that it was made from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs
from rocsteady.report.drawing import Drawing, draw
from rocsteady.report.html import page
from rocsteady.report.summary.making import ReportSummary, summarize_material
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.modes.modes import Mode
from rocsteady.report.summary.modes.reading import ModeReading
from rocsteady.report.summary.phrases import Text, plain_text
from rocsteady.report.summary.settings import Settings

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><!--<img src=x onerror=alert(2)>",
    '=cmd("x")',
    "\"'><b>&amp;",
    "\u202eright to left אבג",
    "emoji 🎯 line\nbreak",
)


@dataclass(frozen=True)
class Report:
    """A page in a file, and what is in it."""

    path: Path
    summary: ReportSummary
    drawing: Drawing

    def mode(self, key: str) -> Mode:
        return next(mode for mode in self.summary.averages if mode.key == key)

    def reading(self, key: str, model: int = 0) -> ModeReading:
        return self.mode(key).models[model]


def made(path: Path, score_set: rs.ScoreSet, deployment: Any = None, **settings: Any) -> Report:
    """Write the report of some scores."""
    material = Material(score_set, deployment, Settings(**{"n_resamples": 200, **settings}))
    summary, drawing = summarize_material(material), draw(material)
    path.write_text(page.render(summary, drawing), encoding="utf-8")
    return Report(path, summary, drawing)


def scores(
    names: tuple[str, ...],
    models: tuple[str, ...] = ("baseline", "candidate"),
    *,
    per_group: int = 60,
    labels: tuple[str, str] = ("attack", "normal"),
    unit: str = "host",
) -> rs.ScoreSet:
    """Normal scores that sit at another level in every group, for the second model more so."""
    rng = np.random.default_rng(7)
    n, k = len(names), len(models)
    group = np.tile(np.repeat(np.arange(n), per_group), k)
    model = np.repeat(np.arange(k), n * per_group)
    is_positive = np.tile(np.arange(n * per_group) % 3 == 0, k)
    level = rng.normal(0, 0.2 + 0.5 * np.arange(k)[:, None], (k, n))
    values = rng.normal(level[model, group] + 1.8 * is_positive)
    return rs.ScoreSet.from_arrays(
        np.where(is_positive, *labels),
        values,
        np.array(names, dtype=object)[group],
        models=np.array(models, dtype=object)[model],
        positive=labels[0],
        unit=unit,
    )


def same_words(text: Text) -> str:
    """A sentence as it is compared: blanks of any kind are blanks."""
    return re.sub(r"\s+", " ", plain_text(text)).strip()
