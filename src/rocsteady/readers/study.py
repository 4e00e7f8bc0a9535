"""Reader studies: who read what, what is measured of each reader, and how that moves with the cases.

``ReaderRatings`` are ratings as an array of modalities, readers and cases. What keeps scores from being a
reader study is said here, with names and with what to type; so is how a study is analysed (``Settings``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from rocsteady import _kernels
from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.curves.from_scores import described, is_score_set, refuse_counts
from rocsteady.curves.readings import alike_thresholds
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.statistics import Auc, PartialAuc, Statistic, statistic_of
from rocsteady.errors import Option, Remedy, RocsteadyError, UsageError, fail, warn
from rocsteady.inference.matching import by_name
from rocsteady.options import How, one_of
from rocsteady.readers.design import ReaderDesign, design_of, is_nested
from rocsteady.results import Frozen
from rocsteady.scores.columns import require_distinct, unknown_name, word
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import notes
from rocsteady.statistics import reader_covariance
from rocsteady.statistics.delong import Leveled, Read, values_without_each
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.statistics.reader_covariance import drawn_readings, placed
from rocsteady.words import listed, named, plural, printable

NO_NAME = "all"
"""What the one modality of a set without models is called."""
_COLUMNS = "label='truth', score='rating', group='reader', model='modality', case='case'"
_MOST = 8
"""Cells that a message names; the others are counted."""
_OTHER_METHODS = {
    **dict.fromkeys(("or", "orh", "dbm", "dbmh", "obuchowski", "anova"), "obuchowski-rockette"),
    **dict.fromkeys(("bdg", "imrmc", "gallas", "ustat", "one-shot"), "u-statistics"),
}
COVARIANCES = ("delong", "jackknife", "unbiased", "bootstrap")
_OTHER_COVARIANCES = {
    "ustat": "unbiased",
    "u-statistics": "unbiased",
    "gallas": "unbiased",
    "jack": "jackknife",
}
FEWEST_READERS = 4
"""With fewer, how much readers differ is hardly seen (RS213)."""
FEWEST_CASES = 10
"""Of a class in every cell: with fewer, a variance estimated from them is mostly luck (RS218)."""
_MOST_LOST = 0.05
"""Share of resamples that may lack a class in some cell."""
_EXAMPLES = (
    "for example  PartialAuc(fpr=(0, 0.1)), {'specificity': 0.9}, {'threshold': 3, 'rate': 'sensitivity'}"
)
_LARGEST = 1e100
"""Of a measure: squares of larger numbers, and of ones as small, are not numbers any more."""
_CLEARLY = 3.0
"""Standard errors over cases below 1/2: of readers who guess, one in 700 is so far off."""
_FEWEST_AT_ZERO = 5
"""Cases of the rarer class at an AUC of 0, which has no error: fewer are told apart by guessing, too."""


class Effect(StrEnum):
    """What readers, or cases, are: a sample of others like these, or these very ones."""

    RANDOM = "random"
    FIXED = "fixed"


class Analysis(StrEnum):
    """Whose analysis it is."""

    OBUCHOWSKI_ROCKETTE = "obuchowski-rockette"
    U_STATISTICS = "u-statistics"


_METHODS = tuple(own.value for own in Analysis)


class Covariance(StrEnum):
    """How covariances over cases are estimated; U-statistics are centred, or unbiased without centring."""

    DELONG = "delong"
    JACKKNIFE = "jackknife"
    UNBIASED = "unbiased"
    BOOTSTRAP = "bootstrap"
    CENTRED = "centred"


@dataclass(frozen=True)
class Lack:
    """What a reader lacks with a modality: every rating, or those of one class."""

    reader: str
    modality: str
    is_positive: bool | None = None  # which class; None: everything


@dataclass(frozen=True, eq=False, repr=False)
class ReaderRatings(Frozen):
    """The ratings of a reader study, modality by reader by case.

    Attributes
    ----------
    modalities, readers : tuple of str
        Their names, in order of appearance.
    cases : tuple of str
        Theirs, short ones first: draws go by position, and a shuffled file is drawn alike.
    truth : (c,) bool array
        Whether a case is positive.
    ratings : (t, r, c) float64 array
        Higher speaks for the positive class: ratings that run the other way have their sign changed. NaN
        where there is none.
    clusters : (c,) int64 array or None
        The patient of each case, numbered in order of appearance; None if every case is by itself.
    unit : str
        The word for a reader.
    classes : Classes
        The words for the two classes.
    higher_is_positive : bool
        Which way the ratings ran before.
    lacking : tuple of Lack
        Why readers were left out; ``left_out`` says it in words.
    """

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    cases: tuple[str, ...]
    truth: Mask
    ratings: Floats
    clusters: Integers | None
    unit: str
    classes: Classes
    higher_is_positive: bool
    lacking: tuple[Lack, ...] = ()

    _line = (
        "{modalities:count modality}, {readers:count {unit}}, {cases:count case}, "
        "{n_positives} positive, {design}"
    )

    def __post_init__(self) -> None:
        """Cases and patients in an order of their own."""
        order = by_name(self.cases)
        clusters = self.clusters
        if clusters is not None:
            _, first, codes = np.unique(clusters[order], return_index=True, return_inverse=True)
            rank = np.argsort(np.argsort(first))
            clusters = rank[codes.reshape(-1)] if first.size < codes.size else None
        self.__dict__.update(
            cases=tuple(self.cases[i] for i in order),
            truth=self.truth[order],
            ratings=np.ascontiguousarray(self.ratings[..., order]),
            clusters=clusters,
        )
        super().__post_init__()

    @cached_property
    def is_read(self) -> Mask:
        """Whether there is a rating, ``(t, r, c)``."""
        return ~np.isnan(self.ratings)

    @cached_property
    def cells(self) -> Mask:
        """Which reader read which modality, ``(t, r)``."""
        return np.asarray(self.is_read.any(axis=2))

    @cached_property
    def design(self) -> ReaderDesign:
        """Who read what."""
        return design_of(self.is_read)

    @property
    def is_nested(self) -> bool:
        """Whether every reader read one modality only, and there are several."""
        return is_nested(self.cells)

    @property
    def n_positives(self) -> int:
        """Positive cases that anyone read."""
        return int(self.truth.sum())

    @property
    def n_negatives(self) -> int:
        """Negative cases that anyone read."""
        return int((~self.truth).sum())

    @property
    def left_out(self) -> tuple[str, ...]:
        """Readers left out, and why."""
        return notes("readers.lacks", self, self.lacking)

    def units(self, which: Mask | bool = True) -> Mask:
        """Which cases, or patients, a cell has, ``(t, r, n)``; of some cases only."""
        is_read = self.is_read & which
        if self.clusters is None:
            return is_read
        n = int(self.clusters.max()) + 1
        rows = is_read.reshape(-1, len(self.cases)).astype(np.int64)
        sums = reader_covariance.sums_of_patients(rows, self.clusters, n)
        return np.asarray(sums.reshape(*self.cells.shape, n) > 0)

    def n_units(self, *, positive: bool) -> Integers:
        """How many cases, or patients, of a class every cell has."""
        return np.asarray(self.units(self.truth == positive).sum(axis=2))

    def of_readers(self, which: Iterable[int], modality: int | None = None) -> ReaderRatings:
        """The same of some readers, by number, or of one modality; all cases stay."""
        chosen, own = list(which), slice(None) if modality is None else slice(modality, modality + 1)
        readers = tuple(self.readers[j] for j in chosen)
        return replace(
            self, modalities=self.modalities[own], readers=readers, ratings=self.ratings[own, chosen]
        )

    def rated_by(
        self, readers: tuple[str, ...], ratings: Floats, lacking: tuple[Lack, ...] = ()
    ) -> ReaderRatings:
        """Other readers, on the cases that any of them read."""
        kept = np.flatnonzero(~np.isnan(ratings).all(axis=(0, 1)))
        return replace(
            self,
            readers=readers,
            cases=tuple(self.cases[i] for i in kept),
            truth=self.truth[kept],
            ratings=ratings[..., kept],
            clusters=None if self.clusters is None else self.clusters[kept],
            lacking=lacking,
        )


def spoken(modality: str) -> str:
    """A modality in a sentence: its name, after the word where the name is a number.

    >>> spoken("2"), spoken("digital")
    ('modality 2', 'digital')
    """
    return printable(modality if any(c.isalpha() for c in modality) else f"modality {modality}")


def with_modality(name: str) -> str:
    """``" with film"``, ``" with modality 1"``, or nothing where the study names none."""
    return "" if name == NO_NAME else f" with {spoken(name)}"


# From a set of scores
# --------------------


def reader_ratings(
    score_set: ScoreSet,
    *,
    modalities: Any = None,
    missing: str = "raise",
    least_modalities: int = 2,
    allow_missing_cells: bool = False,
    need_common_cases: bool = True,
    function: str = "compare_readers",
) -> ReaderRatings:
    """The ratings of a set whose groups are readers and whose models are modalities, or a coded error."""
    one_of("missing", missing, ("raise", "drop"))
    score_set = require_reader_set(score_set, function)
    if least_modalities == 1:
        require_some_modality(modalities, score_set)
    models = score_set.models
    known = models or (NO_NAME,)
    if modalities is None:
        names = known
    else:
        is_one = isinstance(modalities, str) or not isinstance(modalities, Iterable)
        names = tuple(str(name) for name in ([modalities] if is_one else modalities))
        for name in names:
            if name not in known:
                raise unknown_name(name, known, "modality")
        require_distinct(names, "modality")
    if len(names) < least_modalities:
        has_more = len(models) > len(names)
        raise fail(
            "RS027.one-modality",
            function=function,
            chosen=[f'"{name}"' for name in names] or ["none"],
            models=models,
            example=list(models[:2]) if has_more else None,
            is_unnamed=not models,
            is_alone=not has_more,
        )
    whole = _all_ratings(score_set, names)
    if not allow_missing_cells:
        whole = _complete_readers(whole, missing, function if least_modalities > 1 else "")
    if need_common_cases and whole.cells.sum() > 1 and not (whole.is_read.sum(axis=(0, 1)) > 1).any():
        raise fail("RS027.read-once", unit=printable(whole.unit), n=len(whole.cases))
    return whole


def require_some_modality(modalities: Any, score_set: ScoreSet) -> None:
    """RS027 if no modality at all is asked for."""
    if isinstance(modalities, Collection | np.ndarray) and len(modalities) == 0:
        raise fail("RS027.no-modality", models=score_set.models)


def require_reader_set(value: Any, function: str) -> ScoreSet:
    """``value`` if it is a set of scores with cases and without weights; else RS002, RS027 or RS038."""
    refuse_counts(value, function)
    if not is_score_set(value):
        made_by = "read_scores(path" if isinstance(value, str) else "ScoreSet.from_frame(table"
        call = f"{made_by}, {_COLUMNS})"
        raise fail("RS002.reader-set", function=function, found=described(value), call=call)
    if value.columns.weights is not None:
        raise fail("RS038.counted", function=function, scores=value)
    cases = value.cases  # the rows of one reader's table are its cases
    if cases is None or (not cases.are_named and len(value.groups) > 1):
        raise fail("RS027.no-cases", scores=value, are_numbered=cases is not None)
    return value


def _all_ratings(score_set: ScoreSet, names: tuple[str, ...]) -> ReaderRatings:
    """Everything that was rated with these modalities, cells that lack something included."""
    assert score_set.cases is not None  # require_reader_set
    known = score_set.models or (NO_NAME,)
    of_member = score_set.model_index if score_set.models else np.zeros(len(score_set), dtype=np.int64)
    place = np.full(len(known), -1, dtype=np.int64)
    place[[known.index(name) for name in names]] = np.arange(len(names))
    member = np.repeat(np.arange(len(score_set)), np.diff(score_set.columns.offsets))
    rows = np.flatnonzero(place[of_member[member]] >= 0)
    modality = place[of_member[member[rows]]]
    readers, reader = np.unique(score_set.group_index[member[rows]], return_inverse=True)
    used, case = np.unique(score_set.cases.codes[rows], return_inverse=True)
    words = tuple(score_set.groups[i] for i in readers)
    cases = tuple(word(score_set.cases.values[i]) for i in used.tolist())
    require_distinct(cases, "case")  # 1 and "1": one reader's table has numbers, another's text
    given = score_set.columns.scores[rows]
    scores = given.astype(np.float64)
    if given.dtype.kind in "iu" and np.abs(scores).max(initial=0) >= 2**53:
        exact = np.unique(given)
        same = exact[1:][np.diff(exact.astype(np.float64)) == 0]
        if same.size:  # integers that floats cannot tell apart
            raise alike_thresholds(float(same[0]))
    ratings = np.full((len(names), readers.size, used.size), np.nan)
    key = np.ravel_multi_index((modality, reader, case), ratings.shape)
    _, first, n_ratings = np.unique(key, return_index=True, return_counts=True)
    doubled = first[n_ratings > 1]
    if doubled.size:  # the first in the order of the rows is named, the others are counted
        row = doubled.min()
        same, name = scores[key == key[row]].tolist(), names[modality[row]]
        raise fail(
            "RS029.twice",
            case=cases[case[row]],
            n=len(same),
            unit=score_set.unit,
            reader=words[reader[row]],
            modality=None if name == NO_NAME else spoken(name),
            ratings=[f"{value:g}" for value in same],
            others=doubled.size - 1 or None,
        )
    ratings[modality, reader, case] = scores if score_set.higher_is_positive else -scores
    truth, clusters = np.zeros(used.size, dtype=np.bool_), None
    truth[case] = score_set.columns.labels[rows] == score_set.columns.positive
    if score_set.clusters is not None:
        clusters = np.empty(used.size, dtype=np.int64)
        clusters[case] = score_set.clusters.codes[rows]
    return ReaderRatings(
        modalities=names,
        readers=words,
        cases=cases,
        truth=truth,
        ratings=ratings,
        clusters=clusters,
        unit=score_set.unit,
        classes=score_set.classes,
        higher_is_positive=score_set.higher_is_positive,
    )


def _complete_readers(whole: ReaderRatings, missing: str, function: str) -> ReaderRatings:
    """Readers with both classes in their cells; RS028 or RS036 if others may not be left out."""
    empty = np.zeros_like(whole.cells) if whole.is_nested else ~whole.cells
    without_class = lacking_a_class(whole)
    if not (empty.any() or without_class):
        return whole
    kept = np.asarray(~empty.any(axis=0))
    kept[[whole.readers.index(own.reader) for own in without_class]] = False
    can_drop = bool(whole.cells[:, kept].any(axis=1).all())  # every modality keeps a reader
    cells = [Lack(whole.readers[j], whole.modalities[i]) for j, i in np.argwhere(empty.T)]
    if missing == "raise" and cells:
        raise _missing_cells(cells, whole, can_drop=can_drop, function=function)
    if without_class and (missing == "raise" or not can_drop):
        raise lacking_class(whole, without_class, can_drop=can_drop)
    if not can_drop:
        raise _missing_cells(cells, whole, can_drop=False, function=function)
    readers = tuple(whole.readers[j] for j in np.flatnonzero(kept))
    return whole.rated_by(readers, whole.ratings[:, kept], lacking=(*cells, *without_class))


def lacking_a_class(ratings: ReaderRatings) -> list[Lack]:
    """Cells with cases of one class only, reader by reader."""
    has_positives = ratings.n_units(positive=True) > 0
    lacks = ratings.cells & ~(has_positives & (ratings.n_units(positive=False) > 0))
    found = []
    for j, i in np.argwhere(lacks.T):
        found.append(Lack(ratings.readers[j], ratings.modalities[i], not has_positives[i, j]))
    return found


def lacking_class(ratings: ReaderRatings, cells: Sequence[Lack], *, can_drop: bool) -> RocsteadyError:
    """RS036: readers with cases of one class only."""
    ways: list[Remedy] = ["give ratings of both classes"]
    if can_drop:
        ways.append((f"or leave such {plural(printable(ratings.unit))} out:  ", Option("missing", "drop")))
    words = [*notes("readers.lacks", ratings, cells)]
    if len(words) > _MOST + 1:
        words = [*words[:_MOST], f"{len(words) - _MOST} more"]
    return fail("RS036.readers", n=len(cells), unit=ratings.unit, reasons="; ".join(words), ways=ways)


def _missing_cells(
    cells: Sequence[Lack], whole: ReaderRatings, *, can_drop: bool, function: str
) -> RocsteadyError:
    """RS028: readers who did not read with every modality."""
    unit = printable(whole.unit)
    remedies: list[Remedy] = []
    alone = read_by_one_of_its_own(whole)
    if alone and function:
        others = [name for name in whole.modalities if name not in alone]
        if len(others) > 1:
            remedies.append((f"the {plural(unit)} alone:  ", Option("modalities", others)))
        if function == "compare_readers":
            remedies.append(("one score of its own for each case:  ", Option("standalone", alone[0])))
    elif can_drop:
        remedies.append((f"leave these {plural(unit)} out:  ", Option("missing", "drop")))
    if function == "compare_readers" and not alone:
        remedies.append(("an analysis for any pattern:  ", Option("method", "u-statistics")))
    return fail(
        "RS028.cells",
        n=len(cells),
        n_cells=whole.cells.size,
        n_modalities=len(whole.modalities),
        n_readers=len(whole.readers),
        unit=unit,
        missing=[f"{printable(named(whole.unit, own.reader))} with {spoken(own.modality)}" for own in cells],
        ways=remedies or [f"give the ratings of these {plural(unit)}"],
    )


def read_by_one_of_its_own(whole: ReaderRatings) -> list[str]:
    """Modalities that one reader read, who read nothing else: a standalone system among readers."""
    only_here = whole.cells & (whole.cells.sum(axis=0) == 1)
    is_alone = (whole.cells.sum(axis=1) == 1) & only_here.any(axis=1)
    return [whole.modalities[i] for i in np.flatnonzero(is_alone)]


# What is measured
# ----------------


@dataclass(frozen=True)
class CurveMeasure(Statistic):
    """Any function that takes a curve and gives a number; what it raises is passed on."""

    function: Callable[[RocCurve], float]

    @property
    def label(self) -> str:
        """The name of the function."""
        name = str(getattr(self.function, "__name__", "measure"))
        return "measure" if name == "<lambda>" else name.replace("_", " ")

    def read(self, curve: Any) -> float:
        """What the function gives; RS002 if that is not one number."""
        value = self.function(curve)
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not np.isfinite(number) or (number and not 1 / _LARGEST < abs(number) < _LARGEST):
            raise fail("RS002.measure", value=value, curve=curve)
        return number


def measure_of(given: Any) -> Statistic:
    """The measure that is meant: ``"auc"``, a statistic of one number, or a function of a curve.

    >>> measure_of("auc").label, measure_of({"specificity": 0.9}).label
    ('AUC', 'sensitivity at specificity 0.9')
    """
    if callable(given) and not isinstance(given, type):
        return CurveMeasure(given)
    try:
        measure = statistic_of(given)
    except UsageError as error:
        if error.code != "RS001":
            raise
        raise fail("RS001.measure", given=given, examples=_EXAMPLES) from None
    if not measure.is_scalar:
        raise fail("RS002.scalar", measure=measure.label, examples=_EXAMPLES)
    return measure


def values(ratings: ReaderRatings, measure: Statistic) -> Floats:
    """The measure of every reader with every modality, ``(t, r)``; NaN where nothing was read."""
    flat = ratings.ratings.reshape(-1, len(ratings.truth))
    if isinstance(measure, Auc):
        return placed(flat, ratings.truth).auc.reshape(ratings.cells.shape)
    found = np.full(len(flat), np.nan)
    for number, own in enumerate(flat):
        is_read = ~np.isnan(own)
        if is_read.any():
            cell = Leveled.of(own[is_read], ratings.truth[is_read])
            (found[number],) = _one_by_one(measure, cell, *cell.counts(), ratings.higher_is_positive)
    return found.reshape(ratings.cells.shape)


def reader_of(measure: Statistic, *, higher_is_positive: bool = True) -> Read:
    """What reads the measure off many curves of counts at once; AUCs have quicker ways (``placed``)."""

    def read(cell: Leveled, tp: Integers, fp: Integers) -> Floats:
        if measure.hold in ("fpr", "tpr"):
            found = _at_rate(tp, fp, measure.hold, float(measure.at))
        elif not measure.hold and not isinstance(measure, PartialAuc):
            return _one_by_one(measure, cell, tp, fp, higher_is_positive)
        else:
            with np.errstate(divide="ignore", invalid="ignore"):  # a class that died out: NaN
                x, y = fp / fp[:, -1:], tp / tp[:, -1:]
            if isinstance(measure, PartialAuc):
                held, free = (x, y) if measure.tpr is None else (y, 1 - x)
                found = _area_over(held, free, *measure.range)[:, None]
            else:
                vertex = int((cell.levels > 0).sum())  # decided_at
                found = np.stack([x[:, vertex], y[:, vertex]], axis=1)
        return measure.resampled(found)[:, 0]

    return read


def decided_at(measure: Statistic, ratings: Floats, *, higher_is_positive: bool = True) -> Floats:
    """Ratings as two values, which make short curves, if a threshold is all that counts; else as they are."""
    if measure.hold != "threshold":
        return ratings
    threshold = float(measure.at) if higher_is_positive else -float(measure.at)
    return np.where(np.isnan(ratings), np.nan, np.where(ratings >= threshold, np.inf, -np.inf))


def _one_by_one(measure: Statistic, cell: Leveled, tp: Integers, fp: Integers, is_up: bool) -> Floats:
    """The measure of curves with both classes, whose ratings are as they were given."""
    found = np.full(len(tp), np.nan)
    thresholds = np.append(np.inf, cell.levels)
    if not is_up:
        thresholds = 0.0 - thresholds
    for number, own in enumerate(zip(tp, fp, strict=True)):
        if own[0][-1] and own[1][-1]:
            kept = np.append(True, np.diff(own, axis=1).any(axis=0))  # ratings that some case has
            counts = own[0][kept], own[1][kept]
            found[number] = measure.read(RocCurve(thresholds[kept], *counts, higher_is_positive=is_up))
    return found


def _at_rate(tp: Integers, fp: Integers, hold: str, at: float) -> Floats:
    """The better end of many curves where one rate is held, ``(n, 1)``; NaN where a class died out."""
    found = np.full((len(tp), 1), np.nan)
    whole = (tp[:, -1] > 0) & (fp[:, -1] > 0)
    offsets = np.arange(whole.sum() + 1) * tp.shape[1]
    direction = (1.0, 0.0) if hold == "fpr" else (0.0, 1.0)
    ends = _kernels.kernels.read_paths(
        tp[whole].ravel(), fp[whole].ravel(), offsets, *direction, np.array([at]), 1
    )
    found[whole] = np.maximum(*ends)
    return found if hold == "fpr" else 0.0 - found


def _area_over(held: Floats, free: Floats, low: float, high: float) -> Floats:
    """Areas under many paths over a range of what is held."""
    reached = np.flatnonzero((held[:, 1:] >= low).any(axis=0) & (held[:, :-1] <= high).any(axis=0))
    near = slice(reached[0], reached[-1] + 2) if reached.size else slice(0, 1)
    held, free = held[:, near], free[:, near]
    start, stop = held[:, :-1], held[:, 1:]
    run = stop - start
    a, b = np.clip(start, low, high), np.clip(stop, low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = np.where(run > 0, np.diff(free) / run, 0.0)
    heights = 2 * free[:, :-1] + slope * ((a - start) + (b - start))
    return np.asarray(((b - a) * heights).sum(axis=1) / 2)


# How values move with the cases
# ------------------------------


def default_covariance(measure: Statistic) -> Covariance:
    """DeLong's for the AUC, the bootstrap for a rate at a rate, which single cases hardly move."""
    if isinstance(measure, Auc):
        return Covariance.DELONG
    return Covariance.BOOTSTRAP if measure.hold in ("fpr", "tpr") else Covariance.JACKKNIFE


def error_covariance(
    ratings: ReaderRatings,
    measure: Statistic,
    method: str | None = None,
    *,
    undefined: str = "raise",
    **draws: Any,
) -> Floats:
    """Covariances of the values of all cells over the cases, ``(t, r, t, r)``; NaN where nothing was read.

    Any two cells may share all cases (or patients), some or none. A cell with one of a class is an error,
    or with ``undefined="nan"`` NaN. RS030 if the estimate is not for this measure or these cases. The
    jackknife leaves out those that the measure depends on: of a sensitivity at a threshold, which is a
    share, only positives.
    """
    method = default_covariance(measure).value if method is None else method
    one_of("covariance", method, COVARIANCES, elsewhere=_OTHER_COVARIANCES)
    if method in ("delong", "unbiased") and not isinstance(measure, Auc):
        covariance = "DeLong" if method == "delong" else method
        known = default_covariance(measure).value
        raise fail("RS030.auc-only", covariance=covariance, measure=measure.label, known=known)
    if method == "bootstrap" and isinstance(measure, CurveMeasure):
        raise fail("RS030.function", measure=measure.label)
    if method == "unbiased" and ratings.clusters is not None:  # it counts pairs of independent cases
        raise fail("RS030.patients", n=ratings.truth.size, n_patients=int(ratings.clusters.max()) + 1)
    usable = ratings.cells
    if undefined == "nan":
        usable = (ratings.n_units(positive=True) > 1) & (ratings.n_units(positive=False) > 1)
    else:
        _require_cases(ratings)
    if method == "jackknife" and measure.hold in ("fpr", "tpr"):
        warn("RS217.jackknife", measure=measure.label)
    whole = np.full((usable.size,) * 2, np.nan)
    if usable.any():
        whole[np.ix_(usable.ravel(), usable.ravel())] = _estimated(ratings, usable, measure, method, draws)
    return whole.reshape(usable.shape * 2)


def _estimated(
    ratings: ReaderRatings, usable: Mask, measure: Statistic, method: str, draws: dict[str, Any]
) -> Floats:
    """Covariances of some cells, ``(k, k)``."""
    rows, truth, clusters = ratings.ratings[usable], ratings.truth, ratings.clusters
    if method == "unbiased":
        return reader_covariance.unbiased(rows, truth)
    if method == "delong":
        return reader_covariance.delong(rows, truth, clusters)
    if isinstance(measure, Auc) and method == "jackknife":
        return reader_covariance.jackknife(rows, truth, clusters)
    is_up = ratings.higher_is_positive
    rows = decided_at(measure, rows, higher_is_positive=is_up)
    if method == "bootstrap":
        drawn = _drawn_values(rows, truth, clusters, measure, draws)
        return reader_covariance.of_drawn(drawn, ratings.units()[usable])
    depends: Mask | bool = True  # on cases of one class only, where a threshold is held
    if measure.hold == "threshold":
        depends = truth if measure.rate in ("tpr", "sensitivity") else ~truth
    left_out = values_without_each(rows, truth, reader_of(measure, higher_is_positive=is_up), clusters)
    return reader_covariance.of_left_out(left_out, ratings.units(depends)[usable])


def _drawn_values(
    rows: Floats, truth: Mask, clusters: Integers | None, measure: Statistic, draws: dict[str, Any]
) -> Floats:
    """The measure of every cell in resamples of all readers at once, ``(k, n_resamples)``."""
    columns, redrawn = [], []
    for own in rows:
        vertex = None
        if measure.hold == "threshold":  # decided_at
            vertex = np.array([(np.unique(own[~np.isnan(own)]) > 0).sum()], dtype=np.int64)
        drawn = drawn_readings(own, truth, measure.readings(vertex), clusters=clusters, **draws)
        columns.append(measure.resampled(drawn.values)[:, 0])
        redrawn.append(drawn.redrawn)
    values = np.array(columns)
    # A resample is one of all readers at once where it was drawn equally often for each of them.
    lost = np.isnan(values).any(axis=0) | (np.array(redrawn) != redrawn[0]).any(axis=0)
    if lost.mean() > _MOST_LOST:
        raise fail("RS030.lost", n=int(lost.sum()), n_resamples=lost.size)
    return np.asarray(values[:, ~lost])


def _require_cases(ratings: ReaderRatings) -> None:
    """RS030 where a cell has one case, or one patient, of a class; RS218 where it has few."""
    few = []
    for positive, label in ((True, ratings.classes.positive), (False, ratings.classes.negative)):
        n_cases = (ratings.is_read & (ratings.truth == positive)).sum(axis=2)
        for modality, reader in np.argwhere(ratings.cells & (ratings.n_units(positive=positive) < 2)):
            raise fail(
                "RS030.one-case",
                is_patient=ratings.clusters is not None,
                unit=ratings.unit,
                reader=ratings.readers[reader],
                modality=ratings.modalities[modality],
                n=int(n_cases[modality, reader]),
                label=label,
            )
        fewest = int(n_cases[ratings.cells].min())
        if fewest < FEWEST_CASES:
            few.append(f"{fewest} of class {printable(label)}")
    if few:
        warn("RS218.few", unit=ratings.unit, fewest=", ".join(few))


# Whether ratings seem to run the other way: AUCs that are clearly below one half
# -------------------------------------------------------------------------------


Below = tuple[float, str, str | None]
"""An AUC that is clearly below 1/2, the modality, and the reader; None for the mean of the modality's."""


def below_half(
    ratings: ReaderRatings, values: Floats, covariances: Floats, measure: Statistic
) -> list[Below]:
    """Modalities whose mean AUC, and single cells of the others whose AUC is clearly below 1/2."""
    if not isinstance(measure, Auc):
        return []
    found: list[Below] = []
    n_positives = (ratings.is_read & ratings.truth).sum(axis=2)
    rarer = np.minimum(n_positives, ratings.is_read.sum(axis=2) - n_positives)
    cells = _is_below(values, np.einsum("ijij->ij", covariances), rarer)
    for i, own in enumerate(~np.isnan(values)):
        if own.any():  # for these very readers
            variance = covariances[i, own][:, i, own].mean()
            if _is_below(values[i, own].mean(), variance, rarer[i, own].min()):
                found.append((float(np.nanmean(values[i])), ratings.modalities[i], None))
                cells[i] = False
    for i, j in np.argwhere(cells):
        found.append((float(values[i, j]), ratings.modalities[i], ratings.readers[j]))
    return found


def _is_below(value: Floats, variance: Floats, n_rarer: Integers) -> Mask:
    error = np.sqrt(np.maximum(variance, 0.0))
    is_none = (value == 0) & (n_rarer >= _FEWEST_AT_ZERO)
    with np.errstate(invalid="ignore"):  # NaN: not known to be below
        return np.asarray(np.where(variance > 0, value < 0.5 - _CLEARLY * error, is_none))


def warn_of_reversed(ratings: ReaderRatings, below: Sequence[Below]) -> None:
    """RS219 where the AUC of a cell, or the mean of a modality, is clearly below 1/2."""
    if not below:
        return
    cells = notes("readers.values_below_half", ratings, below)
    if sum(reader is None for _, _, reader in below) == len(ratings.modalities):
        warn("RS219.all", cells=cells, turned=not ratings.higher_is_positive)
    else:
        warn("RS219.some", cells=cells)


# How a study is analysed
# -----------------------


@dataclass(frozen=True, kw_only=True)
class Settings(How):
    """How a reader study is to be analysed: arguments of :func:`rocsteady.compare_readers`, checked."""

    readers: Any = Effect.RANDOM
    cases: Any = Effect.RANDOM
    measure: Any = "auc"
    covariance: Any = None
    method: Any = Analysis.OBUCHOWSKI_ROCKETTE
    adjust: str | None = "holm"

    def __post_init__(self) -> None:
        what_is_random(self.readers, self.cases)
        one_of("method", self.method, _METHODS, elsewhere=_OTHER_METHODS)
        adjusted(np.array([0.5]), self.adjust)  # refuses an unknown way before anything is computed
        covariance = self.covariance
        if covariance is not None:
            one_of("covariance", covariance, COVARIANCES, elsewhere=_OTHER_COVARIANCES)
        if self.is_by_u_statistics:
            for name, wanted in (("readers", "random"), ("cases", "random"), ("measure", "auc")):
                value = getattr(self, name)
                if value != wanted:
                    ways = [("or leave it:  ", Option(name, wanted))]
                    raise fail("RS002.u-statistics", name=name, value=value, ways=ways)
            if covariance not in (None, "unbiased"):
                analysis = Analysis.OBUCHOWSKI_ROCKETTE.value
                raise fail("RS002.u-covariance", covariance=covariance, analysis=analysis)
            covariance = covariance or Covariance.CENTRED
        measure = measure_of(self.measure)
        super().__post_init__()  # warns, so it comes after all that may refuse
        self.__dict__.update(
            readers=Effect(self.readers),
            cases=Effect(self.cases),
            measure=measure,
            method=Analysis(self.method),
            covariance=Covariance(covariance or default_covariance(measure)),
        )

    @property
    def is_by_u_statistics(self) -> bool:
        """Whether the analysis is Gallas', not Obuchowski and Rockette's."""
        return bool(self.method == Analysis.U_STATISTICS)

    def quantity(self, n_readers: int) -> str:
        """What is compared: the mean over readers, or what the one reader has."""
        label: str = self.measure.label
        return label if n_readers == 1 else f"mean {label}"

    @property
    def random(self) -> dict[str, str]:
        """What is random, as tests take it."""
        return {"readers": self.readers, "cases": self.cases}

    def covariances_of(self, ratings: ReaderRatings) -> Floats:
        """Of the values over cases; NaN where there are too few, if the analysis does without."""
        does_without = self.is_by_u_statistics or self.cases == "fixed"
        return error_covariance(
            ratings,
            self.measure,
            "unbiased" if self.covariance is Covariance.CENTRED else self.covariance,
            undefined="nan" if does_without else "raise",
            **self.draws,
        )

    def require_readers(self, ratings: ReaderRatings) -> None:
        """RS027 if readers are random and a modality has one, who says nothing of others; RS213 if few."""
        n_readers = ratings.cells.sum(axis=1)
        fewest = int(n_readers.min())
        if self.readers == "fixed" or fewest >= FEWEST_READERS:
            return
        if fewest > 1:
            each = " in a modality" if ratings.is_nested else ""
            fixed = None if self.is_by_u_statistics else "fixed"
            warn("RS213.few", n=fewest, unit=printable(ratings.unit), each=each, fixed=fixed)
            return
        unit = printable(ratings.unit)
        # What cannot be asked together with fixed readers has to be said as well.
        fixed_readers: tuple[Any, ...] = (Option("readers", "fixed"),)
        if self.cases == "fixed":
            fixed_readers += (", ", Option("cases", "random"))
        if self.is_by_u_statistics:
            fixed_readers += (", ", Option("method", Analysis.OBUCHOWSKI_ROCKETTE.value))
        if len(ratings.readers) == 1:
            found = f"one {unit}, {printable(named(ratings.unit, ratings.readers[0]))}"
            ways: list[Remedy] = [
                (f"about this very {unit}, on other cases (DeLong's test):  ", *fixed_readers),
                ("if there were several, name the column that says who read:  ", Option("group", "...")),
            ]
        else:
            few = [printable(ratings.modalities[i]) for i in np.flatnonzero(n_readers < 2)]
            found = f"one {unit} with {listed(few)}, and each {unit} read with one modality only"
            ways = [(f"about these very {plural(unit)}, on other cases:  ", *fixed_readers)]
            alone = read_by_one_of_its_own(ratings)
            if alone and n_readers.max() > 1:
                ways.insert(0, ("one score of its own for each case:  ", Option("standalone", alone[0])))
        raise fail("RS027.one-reader", unit=unit, found=found, ways=ways)


def what_is_random(readers: str, cases: str) -> None:
    """RS001 or RS002 unless readers, cases or both are random."""
    for name, value in (("readers", readers), ("cases", cases)):
        one_of(name, value, ("random", "fixed"))
    if readers == cases == "fixed":
        raise fail("RS002.nothing-random")


def is_reader_study(score_set: ScoreSet) -> bool:
    """Whether some named case was rated in more than one group.

    Examples
    --------
    >>> import rocsteady as rs
    >>> labels, scores, reader = [1, 0, 1, 0], [3, 1, 2, 1], ["ann", "ann", "bob", "bob"]
    >>> is_reader_study(rs.ScoreSet.from_arrays(labels, scores, reader, cases=["x", "y", "x", "y"]))
    True
    >>> is_reader_study(rs.ScoreSet.from_arrays(labels, scores, reader, cases=["x", "y", "z", "w"]))
    False
    """
    cases = score_set.cases
    if cases is None or not cases.are_named or len(score_set.groups) < 2:
        return False
    if score_set.design.shares_training:  # cases come again because the cross-validation was repeated
        return False
    group = np.repeat(score_set.group_index, np.diff(score_set.columns.offsets))
    first = np.full(len(cases), -1, dtype=np.int64)
    first[cases.codes[::-1]] = group[::-1]
    return bool((group != first[cases.codes]).any())
