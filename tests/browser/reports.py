"""Small reports for the browser, each with the study that it was made from."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs
from rocsteady.show.report import page_of
from rocsteady.show.sections import reading_geometry as geometry
from rocsteady.show.sections.reading import Page, Reading

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><!--<img src=x onerror=alert(2)>",
    '=cmd("x")',
    "\"'><b>&amp;",
    "\u202eright to left אבג",
    "emoji 🎯 line\nbreak",
)
HOSTS = tuple(f"host-{i}" for i in range(1, 7))


@dataclass(frozen=True)
class Report:
    """A page in a file, and what is in it."""

    path: Path
    study: rs.Study

    @cached_property
    def moving(self) -> Page:
        """What the script looks up, before it is packed."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.RocsteadyWarning)  # as the section does
            return Page(self.study)

    def reading(self, key: str, model: int = 0) -> Reading:
        """One model under one use."""
        return self.moving.readings[key, self.study.models[model]]

    def labels(self, key: str, model: int = 0) -> list[str]:
        """What the slider says at each of its positions."""
        return [place.spell(self.study.words) for place in self.reading(key, model).places]

    def sentence(self, key: str, model: int, at: int) -> str:
        """What stands below the slider."""
        return same(self.reading(key, model).sentence(at).plain(self.study.words))

    def point(self, key: str, model: int, at: int, furthest: float = 1.0) -> list[float]:
        """Where the point of the average stands in the picture."""
        found = self.moving._marks(self.reading(key, model), at)["point"]
        return [x_of(found[0] / geometry.UNITS, furthest), y_of(1 - found[1] / geometry.UNITS)]

    def dots(self, key: str, model: int, at: int, furthest: float = 1.0) -> Any:
        """Where its groups stand."""
        own = self.reading(key, model)
        return np.column_stack([x_of(own.own_fpr[:, at], furthest), y_of(own.own_tpr[:, at])])

    def thresholds(self, key: str, model: int, at: int) -> Any:
        """How far along the axis of scores theirs are, in tenths."""
        own = self.reading(key, model)
        return 10 * geometry.ACROSS * self.moving._scores(own.model).place(own.own_threshold[:, at])


def x_of(share: Any, furthest: float = 1.0) -> Any:
    """Across the picture."""
    return geometry.LEFT + geometry.SIDE * share / furthest


def y_of(tpr: Any) -> Any:
    """Down the picture."""
    return geometry.TOP + geometry.SIDE * (1 - tpr)


def made(path: Path, score_set: rs.ScoreSet, deployment: Any = None, **settings: Any) -> Report:
    """Write the report of some scores."""
    study = rs.Study(score_set, deployment, **{"n_resamples": 200, **settings})
    path.write_text(page_of(study), encoding="utf-8")
    return Report(path, study)


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


def same(text: str) -> str:
    """A sentence as it is compared: blanks of any kind are blanks."""
    return re.sub(r"\s+", " ", text).strip()
