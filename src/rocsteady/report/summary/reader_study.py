"""A reader study behind a report: readers and cases are random, and the limits that gives.

The averages of the report take groups for random and their cases as they are. Where several groups rated the
same cases, that is too narrow: what one case does to all of them is in no difference between them. Areas, and
rates where the other is held, have limits for other readers and other cases; nothing else has.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.readers.compare import (
    PerModality,
    ReaderComparison,
    ReaderSummary,
    compare_readers,
    summarize_readers,
)
from rocsteady.readers.curves import ReaderAverageCurve, average_curve
from rocsteady.readers.study import is_reader_study
from rocsteady.words import counted, printable

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.scores.score_set import ScoreSet

Floats = NDArray[np.float64]

MOST_RATINGS = 20_000_000
"""Modalities times readers times cases: what is held in memory at once."""
MOST_READERS = 300
"""Readers times modalities: their covariances are a square table."""
HELD = {"vertical": "fpr", "horizontal": "tpr"}
"""The averages whose rates have limits for other readers and cases, and what they hold."""
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class ReaderStudy:
    """What the analysis found.

    Attributes
    ----------
    summary : ReaderSummary
        Of every modality by itself.
    found : ReaderComparison or None
        Of several modalities; it may have left out readers who lack one.
    problem : str
        Why there is no analysis; nothing else is known then.
    """

    summary: ReaderSummary | None = None
    found: ReaderComparison | None = None
    problem: str = ""

    @property
    def means(self) -> PerModality:
        """Mean areas."""
        assert self.summary is not None
        return self.summary.per_modality if self.found is None else self.found.per_modality

    def area(self, name: str) -> tuple[float, float, float]:
        """The mean area of a modality and its limits, inside 0 to 1."""
        means = self.means
        place = means.modalities.index(name) if name in means.modalities else 0
        limits = (means.intervals if self.found is None else means.logit_intervals)[place]
        return float(means.value[place]), float(limits.low), float(limits.high)


def study_of(material: Material) -> ReaderStudy | None:
    """The analysis, made once; None unless named cases were rated by several groups."""
    found: ReaderStudy | None = material.once(("reader study",), lambda: _study(material))
    return found


def _study(material: Material) -> ReaderStudy | None:
    score_set, settings = material.score_set, material.settings
    if not is_reader_study(score_set):
        return None
    problem = _too_large(score_set)
    if problem:
        return ReaderStudy(problem=problem)
    settings.say("reader study")
    asked = _asked(material) | {"missing": "drop"}
    try:
        found = compare_readers(score_set, **asked) if len(score_set.models) > 1 else None
        return ReaderStudy(summarize_readers(score_set, **asked), found)
    except RocsteadyError as error:
        return ReaderStudy(problem=" ".join([error.problem, str(error.found)]))


def _asked(material: Material) -> dict[str, Any]:
    settings = material.settings
    return {
        "confidence_level": settings.confidence_level,
        "n_resamples": settings.n_resamples,
        "seed": settings.seed,
    }


def curve_of(material: Material, name: str, hold: str = "fpr") -> ReaderAverageCurve:
    """The average curve of a modality that was analysed."""
    study = study_of(material)
    assert study is not None
    assert not study.problem
    found = study.found

    def make() -> ReaderAverageCurve:
        if found is not None:
            return found.average_curve(name, hold=hold)
        return average_curve(material.score_set, hold=hold, **_asked(material))

    made: ReaderAverageCurve = material.once(("reader curve", name, hold), make)
    return made


def area_limits(material: Material, name: str, area: float) -> tuple[float, float] | None:
    """Limits of an area for other readers and cases; None where it is not the mean that was analysed."""
    study = study_of(material)
    if study is None or study.problem:
        return None
    mean, low, high = study.area(name)
    return (low, high) if abs(mean - area) < _SAME and low <= high else None


def rate_limits(
    material: Material, key: str, name: str, at: Sequence[float] | Floats
) -> tuple[Floats, Floats] | None:
    """Limits of the free rate where the other is held, for other readers and cases.

    None where there are none: for other averages, and where readers who lack a modality are not in the
    analysis. Near the corners, where hardly a case decides, they cover less than promised.
    """
    curve = curve_of_all(material, key, name)
    if curve is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        held: dict[str, Any] = {HELD[key]: np.asarray(at, dtype=np.float64)}
        interval = curve.at(**held).interval
    return np.asarray(interval.low), np.asarray(interval.high)


def is_sparse(material: Material, key: str, name: str, at: float) -> bool:
    """Whether hardly a case decides there, so that limits cover less than promised (RS220, RS221)."""
    curve = curve_of_all(material, key, name)
    return curve is not None and curve.is_sparse(at)


def curve_of_all(material: Material, key: str, name: str) -> ReaderAverageCurve | None:
    """The curve of the analysis that is the very average of the report; None where there is none."""
    study = study_of(material)
    if study is None or study.problem or key not in HELD or len(material.curves(name)) < 2:
        return None
    curve = curve_of(material, name, HELD[key])
    return curve if set(curve.readers) == set(material.curves(name).names) else None


def what_is_random(material: Material, key: str) -> str:
    """What the intervals of an average's rates take as random: ``"hosts"``, ``"readers and cases"``."""
    units = material.wording.units
    if material.is_alone:
        return "cases"
    if study_of(material) is None:
        return units
    known = all(curve_of_all(material, key, name) is not None for name in material.names)
    return f"{units} and cases" if known else f"{units}, these cases being fixed"


def _too_large(score_set: ScoreSet) -> str:
    """Why the ratings are more than a reader study can hold; empty if they are not."""
    assert score_set.cases is not None  # is_reader_study
    n_cells = len(score_set.groups) * max(len(score_set.models), 1)
    n_cases = len(score_set.cases)
    if n_cells <= MOST_READERS and n_cells * n_cases <= MOST_RATINGS:
        return ""
    units = counted(len(score_set.groups), printable(score_set.unit))
    return f"{units} with {counted(n_cases, 'case')} are more than a reader study is analysed for here."
