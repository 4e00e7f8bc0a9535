"""``average_curve``: the average curve of a modality, whose area is the mean AUC of its readers.

Readers are averaged at equal false positive rates (vertically) or at equal true positive rates
(horizontally), which keeps the area (Chen & Samuelson 2014). What varies is the readers and the cases: at
every position as in Obuchowski and Rockette's analysis of a single modality. Cases (or patients) are drawn
with replacement, the same ones for every reader, and every reader's curve is read again at many positions at
once; the draws are those of ``covariance="bootstrap"``.

Intervals are made on the logit scale, where rates near 0 and 1 scatter evenly, around the middle of the jump
if readers' curves jump at that very rate: its top is where the luckiest of neighbouring thresholds would be.
They reach to the top at least, which is the estimate.
Measured on Roe and Metz's model (1000 studies each of 1, 3, 5 and 10 readers, 25 + 25 and 50 + 50 cases, AUC
.7 to .95, ratings of 5 steps and continuous) 95 % intervals cover 91 to 98 % where two cases or more are
left to be missed; on the raw scale around the top of the jump they cover 84 to 95 %.

References
----------
Chen & Samuelson (2014), British Journal of Radiology 87, 20140016 (area-preserving averages).
Hillis (2007), Statistics in Medicine 26, 596-619 (degrees of freedom).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Unpack

import numpy as np

from rocsteady.arrays import Floats, Mask
from rocsteady.averaging.average import average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import method_of
from rocsteady.curves.curve_set import CurveSet, roc_curves
from rocsteady.curves.intervals import Band, BandEdge, runs_of
from rocsteady.curves.readings import Path, scalar_or_array
from rocsteady.errors import fail, warn
from rocsteady.inference.differences import Difference
from rocsteady.options import one_of, one_rate, open_share
from rocsteady.places import RATES, Place, Where, keyword_place
from rocsteady.readers.margins import OfReaders, ReaderTest, tested_difference
from rocsteady.readers.study import Effect, ReaderRatings, Settings, reader_ratings
from rocsteady.results import TableResult
from rocsteady.scores.columns import unknown_name
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Drawn, Told, said
from rocsteady.statistics.limits import Interval, separated_limits
from rocsteady.statistics.obuchowski_rockette import limits_of_readers, single_modality
from rocsteady.statistics.reader_covariance import drawn_readings, of_drawn
from rocsteady.statistics.resampling import Readings
from rocsteady.words import class_cases, printable

HOLDS = {"fpr": "vertical", "tpr": "horizontal"}
_ELSEWHERE = {"vertical": "fpr", "specificity": "fpr", "horizontal": "tpr", "sensitivity": "tpr"}
_GRID = 101
"""Positions of a band around a curve with more bends than that."""
_FEW_BEYOND = 1.0
"""Cases beyond each reader's threshold; up to so many, 95 % intervals of ordinal ratings cover 88 to 92 %."""
_FEW_LEFT = 1.0
"""Cases of the other class missed (or caught) by the average reader; with fewer they cover 30 to 93 %."""


@dataclass(frozen=True, eq=False)
class _Held:
    """Readers' rates where the other rate is held, everybody's at the better end of a jump; their mean."""

    at: Floats
    values: Floats  # (r, n)
    mean: Floats
    standard_error: Floats  # Obuchowski and Rockette's
    df: Floats
    middle: Floats  # of jumps: around it intervals are made
    few_beyond: Mask  # hardly a case of the held class is beyond the readers' thresholds, if cases are random
    few_left: Mask  # the average reader misses hardly a case of the other class, or catches hardly one


@dataclass(frozen=True, eq=False, repr=False)
class ReaderCurvePoint(Told, TableResult, sentence="readers.point"):
    """A point of the average curve of one modality, with its interval.

    Attributes
    ----------
    modality : str
        Whose curve.
    hold : {"fpr", "tpr"}
        Which rate is the same for every reader.
    fpr, tpr : float (or array)
        The point; at a jump of the average its better end.
    interval : Interval
        Of the rate that is not held, under what is random; inside [0, 1].
    standard_error, df : float (or array)
        Of that rate: Obuchowski and Rockette's for a single modality.
    values : array
        That rate for every reader; ``(r,)``, or ``(r, n)``.
    readers : tuple of str
        Who they are.
    """

    _told: ClassVar = ("random",)
    _line = (
        "{modality}: fpr {fpr:.4f}{fpr_interval:?{fpr_interval:(.4f)}}, "
        "tpr {tpr:.4f}{tpr_interval:?{tpr_interval:(.4f)}}"
    )
    _lines = "{modality}, at {fpr:count position}"
    _in_frame = "fpr, tpr, standard_error, df, interval.low, interval.high"

    modality: str
    hold: str
    fpr: Any
    tpr: Any
    interval: Interval
    standard_error: Any
    df: Any
    values: Floats
    readers: tuple[str, ...]
    _curve: ReaderAverageCurve

    @property
    def random(self) -> str:
        """What is random, in words."""
        return self._curve.random

    @property
    def sensitivity(self) -> Any:
        """The true positive rate."""
        return self.tpr

    @property
    def specificity(self) -> Any:
        """One less the false positive rate."""
        return 1 - self.fpr

    @property
    def tpr_interval(self) -> Interval | None:
        """Of the sensitivity; None if it is held."""
        return self.interval if self.hold == "fpr" else None

    @property
    def fpr_interval(self) -> Interval | None:
        """Of the false positive rate; None if it is held."""
        return self.interval if self.hold == "tpr" else None

    def _better_rate(self) -> tuple[float, Interval]:
        """The rate that is not held as more of it is better, a sensitivity or a specificity; its interval."""
        own = self.interval
        if self.hold == "fpr":
            return self.tpr, own
        return 1 - self.fpr, Interval(1 - own.high, 1 - own.low, own.confidence_level, own.method)


@dataclass(frozen=True, eq=False, repr=False)
class ReaderAverageCurve(
    Told, Path, Drawn, TableResult, figure="reader_curves", sentence="readers.average_curve"
):
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
    readers_are, cases_are : Effect
        What intervals hold for; ``random`` says it in words.
    confidence_level : float
        Of points and bands for which no other is asked.
    """

    _told: ClassVar = ("random", "method", "auc", "fpr", "tpr")
    _untold: ClassVar = ("classes",)
    _line = "{modality}, {method}, {readers:count {unit}}, AUC {auc:.4f}"
    _in_frame = "fpr, tpr"

    modality: str
    hold: str
    readers: tuple[str, ...]
    unit: str
    classes: Classes
    n_positives: int
    n_negatives: int
    readers_are: Effect
    cases_are: Effect
    confidence_level: float
    _average: DirectionalAverage
    _study: ReaderRatings  # of this modality, with all cases
    _draws: dict[str, Any]

    @property
    def random(self) -> str:
        """What is random, in words."""
        return said("readers.random", self._facts(float("nan")))

    def _facts(self, at: float) -> OfReaders:
        """Of a difference from another curve, where the rate that is held has this value."""
        are = (self.unit, len(self.readers), self.readers_are, self.cases_are)
        has_patients = self._study.clusters is not None
        return OfReaders("", ReaderTest.CURVES, "bootstrap", *are, has_patients, self.hold, at)

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

    @cached_property
    def reader_curves(self) -> CurveSet:
        """The curves of the readers, in the order of ``readers``."""
        score_set = self._average._groups.score_set
        assert score_set is not None  # it was made from ratings
        return roc_curves(score_set)

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
        level, given = self._level(confidence_level), self._place(place, where)
        held = self._held(np.ravel(given))
        self._warn_of_few(held)
        shape = np.shape(given)

        def shaped(values: Any) -> Any:
            return scalar_or_array(np.reshape(values, shape), given)

        low, high = map(shaped, self._limits(held, level))
        rates = {self.hold: shaped(held.at), "tpr" if self.hold == "fpr" else "fpr": shaped(held.mean)}
        return ReaderCurvePoint(
            modality=self.modality,
            hold=self.hold,
            **rates,
            interval=Interval(low, high, level, "logit"),
            standard_error=shaped(held.standard_error),
            df=shaped(held.df),
            values=held.values.reshape(len(self.readers), *shape),
            readers=self.readers,
            _curve=self,
        )

    @cached_property
    def _sizes(self) -> list[int]:
        """Cases (patients) of the class whose rate is held, and of the other; of the reader with fewest."""
        return [int(self._study.n_units(positive=side == self.hold).min()) for side in ("tpr", "fpr")]

    def _warn_of_few(self, held: _Held) -> None:
        """RS220 and RS221 where intervals of this curve may cover less than promised."""
        unit, rate, (n_held, n_free) = printable(self.unit), self.hold.upper(), self._sizes
        of_held, of_free = (
            class_cases(
                self.classes.positive if is_positive else self.classes.negative, is_positive=is_positive
            )
            for is_positive in (self.hold == "tpr", self.hold == "fpr")
        )
        if held.few_beyond.any():
            at = float(held.at[held.few_beyond][0])
            of = {"cases": of_held, "rate": rate, "at": at, "unit": unit, "hold": self.hold}
            n = n_held * min(at, 1 - at)
            warn("RS220.beyond", **of, n=n, n_held=n_held, farther=min(2 / n_held, 0.5))
        elif held.few_left.any():
            at, share = (float(own[held.few_left][0]) for own in (held.at, held.mean))
            word, rest = ("negative", 1 - share) if share >= 0.5 else ("positive", share)
            of = {"cases": of_free, "rate": rate, "at": at, "unit": unit, "word": word}
            warn("RS221.left", **of, n=rest * n_free, n_free=n_free)

    def _place(self, place: object, where: Mapping[str, Any]) -> Any:
        """The held rate that was asked for."""
        found = keyword_place(place, where, among=RATES, call="curve.at({})", others=("confidence_level",))
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
        curves have it: the differences of the readers are one modality in Obuchowski and Rockette's analysis.
        For a study of two modalities it is that of
        ``compare_readers(..., measure={"specificity": ...})``.

        Parameters
        ----------
        other : ReaderAverageCurve
            Of the same study and readers.
        place, confidence_level, **where
            As for :meth:`at`; one place.
        """
        held_at, level = one_rate(self.hold, self._place(place, where)), self._level(confidence_level)
        self._require_alike(other)
        at = np.array([held_at])
        sign = 1.0 if self.hold == "fpr" else -1.0  # a specificity is one less an FPR
        values = sign * (self._both_ends(at)[0] - other._both_ends(at)[0])
        drawn = self._drawn(at) - other._drawn(at) if self.cases_are == "random" else None
        found = self._of_readers(values, drawn, self._study.units() | other._study.units())
        own = [
            curve.at({self.hold: held_at}, confidence_level=level)._better_rate() for curve in (self, other)
        ]
        return tested_difference(
            (self.modality, other.modality),
            (float(own[0][0]), float(own[1][0])),
            (own[0][1], own[1][1]),
            (float(found[0][0]), float(found[1][0]), float(found[2][0])),
            level,
            self._facts(held_at),
            lower_is_better=False,
        )

    def _require_alike(self, other: ReaderAverageCurve) -> None:
        """RS002 unless both hold the same rate of the same readers and study, with the same things random."""
        both = (self, other)
        what = "different studies"
        found: list[Any] = list(both)
        if not isinstance(other, ReaderAverageCurve):
            what, found = "different kinds", [self, type(other).__name__]
        elif self.hold != other.hold:
            what, found = "different rates", [own.hold for own in both]
        elif self.readers != other.readers:
            what, found = "different readers", [", ".join(own.readers[:4]) for own in both]
        elif (self._draws, self.readers_are, self.cases_are, self._study.cases) == (
            (other._draws, other.readers_are, other.cases_are, other._study.cases)
        ):
            of = [(own._study.truth, own._study.clusters) for own in both]
            if all(np.array_equal(a, b) for a, b in zip(*of, strict=True)):
                return
        raise fail("RS002.curves-apart", what=what, found=found)

    def _level(self, asked: float | None) -> float:
        return self.confidence_level if asked is None else open_share("confidence_level", asked)

    def _held(self, at: Floats) -> _Held:
        n_held, n_free = self._sizes
        values, worse = self._both_ends(at)
        is_random = self.cases_are == "random"
        mean, error, df = self._of_readers(
            values, self._drawn(at) if is_random else None, self._study.units()
        )
        return _Held(
            at=at,
            values=values,
            mean=mean,
            standard_error=error,
            df=df,
            # At the end where a curve begins the worse end of the jump is the corner that all curves have.
            middle=np.where(at == (0 if self.hold == "fpr" else 1), mean, (mean + worse.mean(axis=0)) / 2),
            few_beyond=(n_held * np.minimum(at, 1 - at) <= _FEW_BEYOND + 1e-9) & is_random,
            few_left=n_free * np.minimum(mean, 1 - mean) < _FEW_LEFT - 1e-9,
        )

    def _of_readers(self, values: Floats, drawn: Floats | None, units: Mask) -> tuple[Floats, Floats, Floats]:
        """Mean, standard error and df of readers' values, ``(r, n)``, from those of resampled cases."""
        n = len(self.readers)
        covariance = np.zeros((values.shape[1], n, n))
        if drawn is not None:
            kept = ~np.isnan(drawn).any(axis=(0, 2))  # resamples in which every reader has both classes
            covariance = of_drawn(np.ascontiguousarray(np.moveaxis(drawn[:, kept], 2, 0)), units[0])
        found = single_modality(values.T, covariance, readers=self.readers_are, cases=self.cases_are)
        mean, error, df = map(np.asarray, found)
        return mean, error, df

    def _limits(self, held: _Held, confidence_level: float) -> tuple[Floats, Floats]:
        """Limits of the mean, at each position by itself; inside [0, 1], and around the better end too."""
        m, n_free = held.middle, self._sizes[1]
        limits = limits_of_readers(m, held.standard_error, held.df, confidence_level)
        # No case is left to vary: the bound on what n cases without an exception leave possible.
        bounds = separated_limits(m, n_free, n_free, confidence_level)
        is_edge = ((m <= 0) | (m >= 1)) & ~np.isnan(held.standard_error)
        low, high = (np.where(is_edge, *pair) for pair in zip(bounds, limits, strict=True))
        return np.minimum(low, held.mean), np.maximum(high, held.mean)

    def is_sparse(self, at: float) -> bool:
        """Whether hardly a case decides there, so that limits cover less than promised (RS220, RS221)."""
        held = self._held(np.array([at]))
        return bool((held.few_beyond | held.few_left)[0])

    def _both_ends(self, at: Floats) -> tuple[Floats, Floats]:
        """The rate of every reader where the other is held, ``(r, n)``: the better and worse end of jumps."""
        rising, back = np.unique(at, return_inverse=True)
        ends = self._average._ends(rising)
        better, worse = (pick(*ends)[:, back.reshape(-1)] for pick in (np.maximum, np.minimum))
        return (better, worse) if self.hold == "fpr" else (0.0 - better, 0.0 - worse)

    def _drawn(self, at: Floats) -> Floats:
        """The same of resampled cases, ``(r, n_resamples, n)``; NaN where a reader has no case of a class."""
        readings = Readings(tpr_at=at) if self.hold == "fpr" else Readings(fpr_at=at)
        of, draws = self._study, self._draws
        drawn = [
            drawn_readings(own, of.truth, readings, clusters=of.clusters, **draws) for own in of.ratings[0]
        ]
        return np.stack([own.values for own in drawn])

    def band(self, confidence_level: float | None = None) -> Band:
        """Limits of the average at each position by itself, from what is random: readers, cases or both.

        There are none where intervals would not keep what they promise: see ``excluded``. The confidence
        level is that of the curve if left out.
        """
        level, held = self._level(confidence_level), self._along
        few = held.few_left | held.few_beyond | ~(held.standard_error > 0)
        low, high = (np.where(few, np.nan, limit) for limit in self._limits(held, level))
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
            _sentence="readers.band",
            _about=self,
        )

    @cached_property
    def _along(self) -> _Held:
        """The curve at its bends, or on a grid where there are many; between slopes limits bend, too."""
        positions = self._average._path[0]
        corners, times = np.unique(positions, return_counts=True)
        grid = np.linspace(0, 1, _GRID)
        if corners.size > _GRID:
            return self._held(grid)
        is_staircase = bool((times > 1)[1:-1].any())
        return self._held(corners if is_staircase else np.union1d(corners, grid[:: _GRID // 50]))


def average_curve(
    study: ReaderRatings | ScoreSet,
    modality: object = None,
    *,
    hold: str = "fpr",
    readers: str = "random",
    cases: str = "random",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderAverageCurve:
    """The average curve of one modality, whose area is the mean AUC of its readers.

    Parameters
    ----------
    study : ReaderRatings or ScoreSet
        Groups are readers, models modalities, cases are named.
    modality : str, optional
        Which one; not needed if there is one.
    hold : {"fpr", "tpr"}
        The rate that is the same for every reader: sensitivities are averaged at equal specificity, or
        specificities at equal sensitivity.
    readers, cases : {"random", "fixed"}
        What intervals hold for.
    confidence_level : float
        Of intervals and bands, unless these are asked for another one; between 0 and 1.
    n_resamples, seed, threads
        Of the bootstrap of cases, which are drawn for all readers together.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.repeat([1, 0], 40)
    >>> case, reader = np.tile(np.arange(80), 5), np.repeat(np.arange(5), 80)
    >>> ratings = np.tile(rng.normal(size=80) + 1.5 * sick, 5) + rng.normal(size=400)
    >>> study = rs.ScoreSet.from_arrays(np.tile(sick, 5), ratings, reader, cases=case, unit="reader")
    >>> curve = average_curve(study)
    >>> curve
    ReaderAverageCurve(all, vertical, 5 readers, AUC 0.8266)
    >>> point = curve.at(specificity=0.8)
    >>> round(point.sensitivity, 4), round(point.interval.low, 2), round(point.interval.high, 2)
    (0.71, 0.58, 0.8)
    """
    one_of("hold", hold, tuple(HOLDS), elsewhere=_ELSEWHERE)
    draws: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed, "threads": threads}
    settings = Settings(confidence_level, readers=readers, cases=cases, **draws)
    if not isinstance(study, ReaderRatings):
        study = reader_ratings(study, least_modalities=1, function="average_curve")
    names = study.modalities
    if modality is None and len(names) > 1:
        raise fail("RS002.average-curve", n=len(names), known=", ".join(names[:6]), first=names[0])
    if modality is not None and str(modality) not in names:
        raise unknown_name(str(modality), names, "modality")
    which = 0 if modality is None else names.index(str(modality))
    study = study.of_readers(np.flatnonzero(study.cells[which]), which)
    reader, case = np.nonzero(study.is_read[0])
    sign = 1.0 if study.higher_is_positive else -1.0  # ratings run as they did
    scores = ScoreSet.from_arrays(
        study.truth[case],
        sign * study.ratings[0, reader, case],
        np.array(study.readers, dtype=object)[reader],
        positive=True,
        higher_is_positive=study.higher_is_positive,
        unit=study.unit,
    )
    averaged = average(replace(scores, classes=study.classes), method_of(HOLDS[hold]), threads=threads)
    assert isinstance(averaged, DirectionalAverage)
    is_read = study.is_read.any(axis=(0, 1))
    return ReaderAverageCurve(
        modality=names[which],
        hold=hold,
        readers=study.readers,
        unit=study.unit,
        classes=study.classes,
        n_positives=int((is_read & study.truth).sum()),
        n_negatives=int((is_read & ~study.truth).sum()),
        readers_are=settings.readers,
        cases_are=settings.cases,
        confidence_level=settings.confidence_level,
        _average=averaged,
        _study=study,
        _draws=settings.draws,
    )
