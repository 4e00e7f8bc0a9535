"""The average curve of a modality, with points, bands and differences.

Readers are averaged at equal false positive rates (vertically) or at equal true positive rates
(horizontally), which keeps the area (Chen & Samuelson 2014). What varies is the readers and the cases: at
every position as in Obuchowski and Rockette's analysis of a single modality.

References
----------
Chen & Samuelson (2014), British Journal of Radiology 87, 20140016 (area-preserving averages).
Hillis (2007), Statistics in Medicine 26, 596-619 (degrees of freedom).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.curves.uncertainty import Band, BandEdge, runs_of
from rocsteady.errors import fail
from rocsteady.inference.comparing.results import Difference
from rocsteady.inference.readers.covariance import Draws
from rocsteady.inference.readers.curves.errors import ModalityCases
from rocsteady.inference.readers.curves.points import (
    HELD_AND_FREE,
    Held,
    ReaderCurvePoint,
    point_of,
    warn_of,
)
from rocsteady.inference.readers.pairs_read import count_alike
from rocsteady.inference.readers.study import with_modality
from rocsteady.options import one_rate, open_share
from rocsteady.places import RATES, Place, Where, keyword_place
from rocsteady.results import TableResult, plain
from rocsteady.scores.labels import Classes
from rocsteady.showing import Drawn
from rocsteady.statistics.obuchowski_rockette import single_modality
from rocsteady.statistics.resampling import Readings
from rocsteady.words import counted, plural, printable

Floats = NDArray[np.float64]

HOLDS = {"fpr": "vertical", "tpr": "horizontal"}
_GRID = 101
"""Positions of a band around a curve with more bends than that."""


@dataclass(frozen=True, eq=False, repr=False)
class ReaderAverageCurve(Drawn, TableResult, figure="reader_curves"):
    """The average curve of the readers of one modality.

    Attributes
    ----------
    modality : str
        Whose curve.
    hold : {"fpr", "tpr"}
        Which rate is the same for every reader: the mean is vertical or horizontal.
    readers : tuple of str
        Who is in it.
    unit : str
        The word for a reader.
    classes : Classes
        The words for the two classes.
    n_positives, n_negatives : int
        Cases that anyone read with this modality.
    readers_are, cases_are : {"random", "fixed"}
        What intervals hold for.
    random : str
        The same in words.
    confidence_level : float
        Of points and bands for which no other is asked.
    """

    modality: str
    hold: str
    readers: tuple[str, ...]
    unit: str
    classes: Classes
    n_positives: int
    n_negatives: int
    readers_are: str
    cases_are: str
    random: str
    confidence_level: float
    _average: DirectionalAverage
    _cases: ModalityCases
    _draws: Draws = field(default_factory=Draws)

    @property
    def method(self) -> str:
        """``"vertical"`` or ``"horizontal"``."""
        return HOLDS[self.hold]

    @property
    def fpr(self) -> Floats:
        """False positive rate at every vertex."""
        return self._average.fpr

    @property
    def tpr(self) -> Floats:
        """True positive rate at every vertex."""
        return self._average.tpr

    @property
    def auc(self) -> float:
        """Area under the curve: the plain mean of the readers' AUCs, however many cases each read."""
        return self._average.auc

    def tpr_at(self, fpr: ArrayLike, side: str = "upper") -> Any:
        """The true positive rate at a false positive rate; on a jump its top or bottom."""
        return self._average.tpr_at(fpr, side)

    def fpr_at(self, tpr: ArrayLike, side: str = "lower") -> Any:
        """The false positive rate at a true positive rate; on a jump its left or right end."""
        return self._average.fpr_at(tpr, side)

    @cached_property
    def reader_curves(self) -> CurveSet:
        """The curves of the readers, in the order of ``readers``."""
        score_set = self._average._groups.score_set
        assert score_set is not None  # it was made from ratings
        return roc_curves(score_set)

    @property
    def reading(self) -> str:
        """What is held and what is averaged, and that the area is kept."""
        unit, name = printable(self.unit), with_modality(self.modality)
        held, free = HELD_AND_FREE[self.hold]
        area = "the mean AUC"
        if not count_alike(self._cases.is_read, self._cases.truth):  # U-statistics have another mean then
            area = f"the plain mean of the {plural(unit)}' AUCs"
        return (
            f"Average curve of {counted(len(self.readers), unit)}{name}: every {unit} sets an own threshold "
            f"so that the {held} is the same for all, and the mean {free} is what the curve shows. "
            f"The area under it is {area}, {self.auc:.4f}."
        )

    def at(
        self,
        place: Place | Mapping[str, Any] | None = None,
        *,
        confidence_level: float | None = None,
        **where: Unpack[Where],
    ) -> ReaderCurvePoint:
        """A point of the curve with its interval, from what is random: readers, cases or both.

        Parameters
        ----------
        place : mapping, optional
            Where, as it is written elsewhere: ``{"specificity": 0.9}``; or as a keyword:
        **where
            ``fpr``, ``fmr`` or ``specificity`` of a curve that holds the false positive rate; ``tpr``,
            ``sensitivity``, ``fnr`` or ``fnmr`` of one that holds the true positive rate.
        confidence_level : float, optional
            Between 0 and 1; that of the curve if left out.

        Warns
        -----
        RocsteadyWarning
            RS220 where hardly a case is beyond the readers' thresholds, RS221 where the average reader misses
            or catches hardly a case: intervals cover less than promised there.
        """
        level, value = self._level(confidence_level), self._place(place, where)
        held = self._held(np.ravel(value))
        warn_of(self, held)
        return point_of(self, held, value, level)

    def _place(self, place: object, where: Mapping[str, Any]) -> Any:
        """The held rate that was asked for."""
        found = keyword_place(
            place, where, among=RATES, task="read a curve at", example="curve.at(specificity=0.9)"
        )
        if found.kind != self.hold:
            other = "tpr" if self.hold == "fpr" else "fpr"
            raise fail("RS084.reader-rate", held=self.hold, name=found.kind, unit=self.unit, other=other)
        return found.value

    def less(
        self,
        other: ReaderAverageCurve,
        place: Place | Mapping[str, Any] | None = None,
        *,
        confidence_level: float | None = None,
        **where: Unpack[Where],
    ) -> Difference:
        """How much better this modality is than another where both hold the same rate.

        The difference in mean sensitivity (or specificity), with readers, cases or both as random, as the
        curves have it. For a study of two modalities it is that of
        ``compare_readers(..., measure=SensitivityAt(specificity=...))``.

        Parameters
        ----------
        other : ReaderAverageCurve
            Of the same study and readers.
        place, confidence_level, **where
            As for :meth:`at`; one place.
        """
        from rocsteady.inference.readers.curves.differences import difference_at

        at = one_rate(self.hold, self._place(place, where))
        return difference_at(self, other, at, self._level(confidence_level))

    def _level(self, asked: float | None) -> float:
        return self.confidence_level if asked is None else open_share("confidence_level", asked)

    def _held(self, at: Floats) -> Held:
        n = len(self.readers)
        covariance = np.zeros((at.size, n, n))
        if self.cases_are == "random":
            covariance = self._cases.covariance(self._readings(at), self._draws)
        asked = {"readers": self.readers_are, "cases": self.cases_are}
        values, worse = self._both_ends(at)
        mean, error, df = map(np.asarray, single_modality(values.T, covariance, **asked))
        return Held(
            at=at,
            values=values,
            mean=mean,
            standard_error=error,
            df=df,
            # At the end where a curve begins the worse end of the jump is the corner that all curves have.
            middle=np.where(at == (0 if self.hold == "fpr" else 1), mean, (mean + worse.mean(axis=0)) / 2),
            n_held=self._cases.fewest(positive=self.hold == "tpr"),
            n_free=self._cases.fewest(positive=self.hold == "fpr"),
        )

    def _both_ends(self, at: Floats) -> tuple[Floats, Floats]:
        """The rate of every reader where the other is held, ``(r, n)``: the better and worse end of jumps."""
        rising, back = np.unique(at, return_inverse=True)
        ends = self._average._ends(rising)
        better, worse = (pick(*ends)[:, back.reshape(-1)] for pick in (np.maximum, np.minimum))
        return (better, worse) if self.hold == "fpr" else (0.0 - better, 0.0 - worse)

    def _readings(self, at: Floats) -> Readings:
        return Readings(tpr_at=at) if self.hold == "fpr" else Readings(fpr_at=at)

    def _drawn(self, at: Floats) -> Floats:
        """The same of resampled cases, ``(r, n_resamples, n)``."""
        return self._cases.drawn(self._readings(at), self._draws)

    def band(self, confidence_level: float | None = None) -> Band:
        """Limits of the average at each position by itself, from what is random: readers, cases or both.

        There are none where intervals would not keep what they promise: see ``excluded``. The confidence
        level is that of the curve if left out.
        """
        level, held = self._level(confidence_level), self._along
        low, high = held.limits(level)
        few = held.few_left() | ~(held.standard_error > 0)
        few |= held.few_beyond() & (self.cases_are == "random")
        low, high = (np.where(few, np.nan, limit) for limit in (low, high))
        if self.hold == "fpr":
            worse, middle, better = ((held.at, own) for own in (low, held.middle, high))
        else:
            worse, middle, better = ((own, held.at) for own in (high, held.middle, low))
        runs = runs_of(middle[0], few)
        excluded = tuple(run for run in runs if run not in ((0.0, 0.0), (1.0, 1.0)))  # all curves meet there
        return Band(
            lower=BandEdge(*worse),
            upper=BandEdge(*better),
            middle=BandEdge(*middle),
            kind="pointwise",
            confidence_level=level,
            factor=float("nan"),  # degrees of freedom differ from place to place
            fpr=None,
            excluded=excluded,
            _sentence="averages.reader_band",
            _about=self,
        )

    @cached_property
    def _along(self) -> Held:
        """The curve at its bends, or on a grid where there are many.

        Between bends the limits bend too, unless the curve is a staircase, on which there is nothing between.
        """
        positions = self._average._path[0]
        corners, times = np.unique(positions, return_counts=True)
        grid = np.linspace(0, 1, _GRID)
        if corners.size > _GRID:
            return self._held(grid)
        is_staircase = bool((times > 1)[1:-1].any())
        return self._held(corners if is_staircase else np.union1d(corners, grid[:: _GRID // 50]))

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data that JSON can carry."""
        names = ("modality", "hold", "method", "readers", "unit", "n_positives", "n_negatives")
        more = ("readers_are", "cases_are", "random", "confidence_level", "auc", "reading", "fpr", "tpr")
        return {name: plain(getattr(self, name)) for name in names + more}

    def _columns(self) -> dict[str, Any]:
        return {"fpr": self.fpr, "tpr": self.tpr}

    def __repr__(self) -> str:
        readers = counted(len(self.readers), printable(self.unit))
        return f"ReaderAverageCurve({printable(self.modality)}, {self.method}, {readers}, AUC {self.auc:.4f})"
