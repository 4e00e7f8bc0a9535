"""Reader studies: who read what, what is measured of each reader, and how that moves with the cases.

``ReaderRatings`` are ratings as an array of modalities, readers and cases. What keeps scores from being a
reader study is said here, with names and with what to type; so is how a study is analysed (``Settings``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.curves.from_scores import described, is_score_set, refuse_counts
from rocsteady.curves.readings import alike_thresholds
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.statistics import Auc, PartialAuc, Statistic, statistic_of
from rocsteady.errors import Option, Remedy, RocsteadyError, UsageError, fail, warn
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.results import Frozen
from rocsteady.scores.columns import require_distinct, unknown_name, word
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import notes
from rocsteady.statistics import reader_covariance
from rocsteady.statistics.delong import Leveled, Read, values_without_each
from rocsteady.statistics.multiplicity import adjusted
from rocsteady.statistics.reader_covariance import case_order, drawn_readings, placed
from rocsteady.words import listed, named, plural, printable

NO_NAME = "all"
"""What the one modality of a set without models is called."""
_UNLIKE = 0.1
"""By which shares of common cases differ where modalities are partly paired."""
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


MOST_LOST = 0.05
"""Share of resamples that may lack a class in some cell."""


_EXAMPLES = (
    "for example  PartialAuc(fpr=(0, 0.1)), {'specificity': 0.9}, {'threshold': 3, 'rate': 'sensitivity'}"
)


LARGEST = 1e100
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


class Covariance(StrEnum):
    """How covariances over cases are estimated; U-statistics are centred, or unbiased without centring."""

    DELONG = "delong"
    JACKKNIFE = "jackknife"
    UNBIASED = "unbiased"
    BOOTSTRAP = "bootstrap"
    CENTRED = "centred"


class ReaderDesign(StrEnum):
    """Who read what."""

    CROSSED = "fully crossed"
    READERS_IN_MODALITIES = "readers nested in modalities"
    CASES_IN_READERS = "cases nested in readers"
    CASES_IN_MODALITIES = "cases nested in modalities"
    SPLIT_PLOT = "split-plot"
    PARTLY = "partly crossed"
    ALL_APART = "readers and cases nested in modalities"


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
    modalities, readers, cases : tuple of str
        Their names, in order of appearance.
    truth : (c,) bool array
        Whether a case is positive.
    ratings : (t, r, c) float64 array
        Higher speaks for the positive class: ratings that run the other way have their sign changed. NaN
        where there is none.
    is_read : (t, r, c) bool array
        Whether there is a rating.
    clusters : (c,) int64 array or None
        The patient of each case, as a number from 0; None if every case is by itself.
    unit : str
        The word for a reader.
    classes : Classes
        The words for the two classes.
    higher_is_positive : bool
        Which way the ratings ran before.
    design : ReaderDesign
        Who read what.
    lacking : tuple of Lack
        Why readers were left out; ``left_out`` says it in words.
    """

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    cases: tuple[str, ...]
    truth: Mask
    ratings: Floats
    is_read: Mask
    clusters: Integers | None
    unit: str
    classes: Classes
    higher_is_positive: bool
    design: ReaderDesign
    lacking: tuple[Lack, ...] = ()

    _line = (
        "{modalities:count modality}, {readers:count {unit}}, {cases:count case}, "
        "{n_positives} positive, {design}"
    )

    @cached_property
    def cells(self) -> Mask:
        """Which reader read which modality, ``(t, r)``."""
        return np.asarray(self.is_read.any(axis=2))

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

    def of_readers(self, which: Iterable[int]) -> ReaderRatings:
        """The same of some readers, by number; cases and design stay."""
        chosen = list(which)
        readers = tuple(self.readers[j] for j in chosen)
        return replace(
            self, readers=readers, ratings=self.ratings[:, chosen], is_read=self.is_read[:, chosen]
        )

    def rated_by(
        self, readers: tuple[str, ...], ratings: Floats, *, lacking: tuple[Lack, ...] = (), n_systems: int = 0
    ) -> ReaderRatings:
        """Other readers on the cases that any of them read; the first are systems, no part of the design."""
        is_read = ~np.isnan(ratings)
        kept = np.flatnonzero(is_read.any(axis=(0, 1)))
        is_read = np.ascontiguousarray(is_read[..., kept])
        return replace(
            self,
            readers=readers,
            cases=tuple(self.cases[i] for i in kept),
            truth=self.truth[kept],
            ratings=np.ascontiguousarray(ratings[..., kept]),
            is_read=is_read,
            clusters=None if self.clusters is None else _numbered(self.clusters[kept]),
            design=design_of(is_read[:, n_systems:]),
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
    """The ratings of a set whose groups are readers and whose models are modalities.

    ``missing`` says what to do about readers who lack a modality, or a class in one: an error that names
    them (``"raise"``), or leave them out (``"drop"``); cases that some readers did not read are neither.
    RS027 with fewer than ``least_modalities``, and if no case was read twice where that is needed.
    U-statistics take any pattern of cells. ``function`` is what was called, for messages.
    """
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
    _require_single(scores, (modality, reader, case), (names, words, cases), score_set.unit)
    shape = (len(names), readers.size, used.size)
    ratings, is_read = np.full(shape, np.nan), np.zeros(shape, dtype=np.bool_)
    ratings[modality, reader, case] = scores if score_set.higher_is_positive else -scores
    is_read[modality, reader, case] = True
    truth = np.zeros(used.size, dtype=np.bool_)
    truth[case] = score_set.columns.labels[rows] == score_set.columns.positive
    clusters = None
    if score_set.clusters is not None:
        clusters = np.empty(used.size, dtype=np.int64)
        clusters[case] = score_set.clusters.codes[rows]
    return ReaderRatings(
        modalities=names,
        readers=words,
        cases=cases,
        truth=truth,
        ratings=ratings,
        is_read=is_read,
        clusters=None if clusters is None else _numbered(clusters),
        unit=score_set.unit,
        classes=score_set.classes,
        higher_is_positive=score_set.higher_is_positive,
        design=design_of(is_read),
    )


def _require_single(
    scores: Floats,
    at: tuple[Integers, Integers, Integers],
    names: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]],
    unit: str,
) -> None:
    """RS029 if a reader rated a case twice with one modality: names the first, counts the others."""
    key = np.ravel_multi_index(at, tuple(map(len, names)))
    _, first, n_ratings = np.unique(key, return_index=True, return_counts=True)
    doubled = n_ratings > 1
    if not doubled.any():
        return
    chosen = first[doubled].min()  # the first in the order of the rows
    modality, reader, case = (own[part[chosen]] for own, part in zip(names, at, strict=True))
    ratings, n_others = scores[key == key[chosen]].tolist(), int(doubled.sum()) - 1
    raise fail(
        "RS029.twice",
        case=case,
        n=len(ratings),
        unit=unit,
        reader=reader,
        modality=None if modality == NO_NAME else spoken(modality),
        ratings=[f"{value:g}" for value in ratings],
        others=n_others or None,
    )


def _complete_readers(whole: ReaderRatings, missing: str, function: str) -> ReaderRatings:
    """Readers with both classes in their cells; RS028 or RS036 if others may not be left out."""
    empty = np.zeros_like(whole.cells) if whole.is_nested else ~whole.cells
    without_class = lacking_a_class(whole)
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
    if kept.all():
        return whole
    readers = tuple(whole.readers[j] for j in np.flatnonzero(kept))
    return whole.rated_by(readers, whole.ratings[:, kept], lacking=(*cells, *without_class))


def lacking_a_class(ratings: ReaderRatings) -> list[Lack]:
    """Cells with cases of one class only, reader by reader."""
    has = [np.asarray((ratings.is_read & side).any(axis=2)) for side in (ratings.truth, ~ratings.truth)]
    lacks = ratings.cells & ~(has[0] & has[1])
    return [
        Lack(ratings.readers[j], ratings.modalities[i], not has[0][i, j]) for j, i in np.argwhere(lacks.T)
    ]


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


def _numbered(clusters: Integers) -> Integers | None:
    """Clusters as numbers from 0; None if every case is by itself."""
    values, codes = np.unique(clusters, return_inverse=True)
    return codes.reshape(-1) if values.size < codes.size else None


# Who read what
# -------------


def is_nested(cells: Mask) -> bool:
    """Whether every reader has exactly one modality, and there are several."""
    return cells.shape[0] > 1 and bool((cells.sum(axis=0) == 1).all())


def is_partly_paired(is_read: Mask) -> bool:
    """Whether some two of three or more modalities share more of their cases than others do, ``(t, r, c)``.

    Ratings that are missing here and there do not count: shares must differ by a tenth.
    """
    of = is_read
    if is_nested(
        np.asarray(is_read.any(axis=2))
    ):  # no reader has two: what counts is which cases anybody read
        of = np.asarray(is_read.any(axis=1, keepdims=True))
    shares = [
        float((of[i] & of[j]).sum() / (of[i] | of[j]).sum()) for i, j in combinations(range(len(of)), 2)
    ]
    return len(shares) > 1 and max(shares) - min(shares) > _UNLIKE


def design_of(is_read: Mask) -> ReaderDesign:
    """The design of a study, from ``(t, r, c)`` whether there is a rating.

    Cells that a design of nested readers leaves empty do not count.
    """
    if is_read.all():
        return ReaderDesign.CROSSED
    cells = np.asarray(is_read.any(axis=2))
    of_modality, of_reader = np.asarray(is_read.any(axis=1)), is_read[0]
    if is_nested(cells):
        if not all((is_read[i, cells[i]] == of_modality[i]).all() for i in range(len(cells))):
            return ReaderDesign.PARTLY
        apart = ReaderDesign.ALL_APART if (of_modality.sum(axis=0) == 1).all() else ReaderDesign.PARTLY
        return ReaderDesign.READERS_IN_MODALITIES if of_modality.all() else apart
    if cells.all() and (is_read == is_read[:, :1]).all() and (of_modality.sum(axis=0) == 1).all():
        return ReaderDesign.CASES_IN_MODALITIES
    if not (cells.all() and (is_read == of_reader).all()):
        return ReaderDesign.PARTLY
    blocks = np.unique(of_reader, axis=0)  # two readers have all their cases in common, or none
    shared = ReaderDesign.SPLIT_PLOT if (blocks.sum(axis=0) == 1).all() else ReaderDesign.PARTLY
    return ReaderDesign.CASES_IN_READERS if (of_reader.sum(axis=0) == 1).all() else shared


def to_be_read(is_read: Mask) -> Mask:
    """Which ratings the design asks for, ``(t, r, c)``: what is not there of these is missing.

    The design is what most ratings follow. If most cases were read with several modalities, each was to be
    read with all; otherwise with those that somebody read it with. Readers who have cases in common, directly
    or through others, are a block. If most of the ratings of a block are there, each of its cases was to be
    read by all of its readers; otherwise by those who read it with some modality.

    Two readers with cases of their own; the first lacks one of hers with the second modality.

    >>> own = np.zeros((2, 2, 4), dtype=bool)
    >>> own[:, 0, :2] = own[:, 1, 2:] = True
    >>> own[1, 0, 0] = False
    >>> int((to_be_read(own) & ~own).sum())
    1
    """
    of_modality, of_reader = np.asarray(is_read.any(axis=1)), np.asarray(is_read.any(axis=0))
    if np.mean(of_modality.sum(axis=0) > 1) > 0.5:
        of_modality = np.ones_like(of_modality)
    asked = np.asarray(is_read.any(axis=2))[:, :, None] & of_modality[:, None, :]
    by = of_reader.copy()
    for block in _blocks(of_reader):
        cases = of_reader[block].any(axis=0)
        own = asked[:, block][:, :, cases]
        if 2 * np.count_nonzero(is_read[:, block]) > np.count_nonzero(own):
            by[np.ix_(block, cases)] = True
    return np.asarray(asked & by)


def _blocks(of_reader: Mask) -> list[Integers]:
    """Readers who have cases in common, directly or through others, from ``(r, c)``."""
    left, blocks = np.arange(len(of_reader)), []
    while left.size:
        inside = np.zeros(left.size, dtype=np.bool_)
        inside[0] = True
        while True:
            shares = of_reader[left][:, of_reader[left[inside]].any(axis=0)].any(axis=1) | inside
            if (shares == inside).all():
                break
            inside = shares
        blocks.append(left[inside])
        left = left[~inside]
    return blocks


def count_alike(is_read: Mask, truth: Mask) -> bool:
    """Whether all readers of a modality read as many pairs, so that weighing by pairs changes nothing.

    >>> truth = np.array([True, True, False, False])
    >>> count_alike(np.array([[[1, 1, 1, 1], [1, 1, 1, 0]]], dtype=bool), truth)
    False
    >>> count_alike(np.array([[[1, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]]], dtype=bool), truth)
    True
    """
    pairs = np.atleast_2d((is_read & truth).sum(axis=-1) * (is_read & ~truth).sum(axis=-1))
    return all(np.unique(own[own > 0]).size <= 1 for own in pairs)


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
        if not np.isfinite(number) or (number and not 1 / LARGEST < abs(number) < LARGEST):
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
        return placed(flat, ratings.truth).auc.reshape(ratings.ratings.shape[:2])
    found = np.full(len(flat), np.nan)
    for number, own in enumerate(flat):
        is_read = ~np.isnan(own)
        if not is_read.any():
            continue
        cell = Leveled.of(own[is_read], ratings.truth[is_read])
        tp, fp = cell.counts()
        if tp[0, -1] and fp[0, -1]:
            curve = _curve(cell, tp[0], fp[0], higher_is_positive=ratings.higher_is_positive)
            found[number] = measure.read(curve)
    return found.reshape(ratings.ratings.shape[:2])


def reader_of(measure: Statistic, *, higher_is_positive: bool = True) -> Read:
    """What reads the measure off many curves of counts at once; AUCs have quicker ways (``placed``)."""

    def read(cell: Leveled, tp: Integers, fp: Integers) -> Floats:
        if not measure.hold and not isinstance(measure, PartialAuc):
            return _one_by_one(measure, cell, tp, fp, higher_is_positive=higher_is_positive)
        with np.errstate(divide="ignore", invalid="ignore"):  # a class that died out: NaN
            x, y = fp / fp[:, -1:], tp / tp[:, -1:]
        if isinstance(measure, PartialAuc):
            held, free = (x, y) if measure.tpr is None else (y, 1 - x)
            found = _area_over(held, free, *measure.range)[:, None]
        elif measure.hold == "fpr":
            found = _read_at(x, y, float(measure.at), last=True)[:, None]
        elif measure.hold == "tpr":
            found = _read_at(y, x, float(measure.at), last=False)[:, None]
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


def _curve(cell: Leveled, tp: Integers, fp: Integers, *, higher_is_positive: bool) -> RocCurve:
    """The curve with the ratings as they were given; ratings that no case has are left out."""
    kept = np.append(True, (np.diff(tp) > 0) | (np.diff(fp) > 0))
    thresholds = np.append(np.inf, cell.levels)
    if not higher_is_positive:
        thresholds = 0.0 - thresholds
    return RocCurve(thresholds[kept], tp[kept], fp[kept], higher_is_positive=higher_is_positive)


def _one_by_one(
    measure: Statistic, cell: Leveled, tp: Integers, fp: Integers, *, higher_is_positive: bool
) -> Floats:
    found = np.full(len(tp), np.nan)
    for number, (own_tp, own_fp) in enumerate(zip(tp, fp, strict=True)):
        if own_tp[-1] and own_fp[-1]:
            curve = _curve(cell, own_tp, own_fp, higher_is_positive=higher_is_positive)
            found[number] = measure.read(curve)
    return found


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


def _read_at(held: Floats, free: Floats, at: float, *, last: bool) -> Floats:
    """What is free where many paths have ``held == at``, the last or the first point met there."""
    if last:
        before = vertex = (held <= at).sum(axis=1) - 1
    else:
        vertex = (held < at).sum(axis=1).clip(0, held.shape[1] - 1)
        before = np.maximum(vertex - 1, 0)
    rows = np.arange(len(held))
    after = np.minimum(before + 1, held.shape[1] - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (at - held[rows, before]) / (held[rows, after] - held[rows, before])
    start, stop = free[rows, before], free[rows, after]
    between = np.clip(start + share * (stop - start), np.minimum(start, stop), np.maximum(start, stop))
    return np.asarray(np.where(held[rows, vertex] == at, free[rows, vertex], between))


# How values move with the cases
# ------------------------------


def default_covariance(measure: Statistic) -> Covariance:
    """How covariances are estimated if nobody says.

    DeLong's for the AUC, the bootstrap for a rate at a rate, which leaving out single cases does not move
    enough; the jackknife for everything else.

    >>> measures = Auc(), PartialAuc(fpr=(0, 0.2)), measure_of({"fpr": 0.1})
    >>> [default_covariance(measure).value for measure in measures]
    ['delong', 'jackknife', 'bootstrap']
    """
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

    Any two cells may share all cases, some or none; cells without a common case have the covariance 0. With
    ``ratings.clusters`` patients are what is random, each with all cases. A cell with one case (or patient)
    of a class, or none, is an error, or with ``undefined="nan"`` NaN, without a warning of few cases.
    ``draws`` are those of the bootstrap: cases are drawn within their class, patients whole, the same for all
    cells. RS030 if the estimate is not for this measure or these cases.

    The jackknife leaves out every case (or patient) that the measure depends on. A sensitivity at a threshold
    is a share of the positives, so only positives are left out, and the result is the usual covariance of
    shares; likewise a specificity and the negatives.
    """
    method = default_covariance(measure).value if method is None else method
    one_of("covariance", method, COVARIANCES, elsewhere=_OTHER_COVARIANCES)
    if method in ("delong", "unbiased") and not isinstance(measure, Auc):
        covariance = "DeLong" if method == "delong" else method
        known = default_covariance(measure).value
        raise fail("RS030.auc-only", covariance=covariance, measure=measure.label, known=known)
    if method == "bootstrap" and isinstance(measure, CurveMeasure):
        raise fail("RS030.function", measure=measure.label)
    study = Cells.of(ratings)
    if method == "unbiased" and study.clusters is not None:  # it counts pairs of independent cases
        raise fail("RS030.patients", n=study.truth.size, n_patients=int(study.clusters.max()) + 1)
    if undefined == "nan":
        has_several = [study.n_touched(positive=positive) > 1 for positive in (True, False)]
        study = study.only(has_several[0] & has_several[1])
    else:
        _require_cases(ratings, study)
    if method == "jackknife" and measure.hold in ("fpr", "tpr"):
        warn("RS217.jackknife", measure=measure.label)
    whole = np.full((study.is_cell.size,) * 2, np.nan)
    if study.is_cell.any():
        whole[np.ix_(study.is_cell, study.is_cell)] = _estimated(study, measure, method, draws)
    return whole.reshape(ratings.ratings.shape[:2] * 2)


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells that hold ratings, cases in the order of their names: so a shuffled file is drawn alike.

    Attributes
    ----------
    ratings : (k, c) float64 array
        Higher for the positive class; NaN where there is none.
    truth : (c,) bool array
        Whether a case is positive.
    names : tuple of str
        Of the cases.
    clusters : (c,) int64 array or None
        The patient of each case, numbered in order of appearance.
    is_cell : (t r,) bool array
        Which cells of the study these are.
    higher_is_positive : bool
        Which way the ratings ran before.
    """

    ratings: Floats
    truth: Mask
    names: tuple[str, ...]
    clusters: Integers | None
    is_cell: Mask
    higher_is_positive: bool

    @classmethod
    def of(cls, study: ReaderRatings) -> Cells:
        """Of a study."""
        order = case_order(study.cases)
        flat = study.ratings.reshape(-1, len(study.cases))[:, order]
        is_cell = np.asarray(~np.isnan(flat).all(axis=1))
        names = tuple(study.cases[i] for i in order.tolist())
        patients = None
        if study.clusters is not None:
            _, first, codes = np.unique(study.clusters[order], return_index=True, return_inverse=True)
            if first.size < order.size:
                patients = np.argsort(np.argsort(first))[codes.reshape(-1)]
        return cls(flat[is_cell], study.truth[order], names, patients, is_cell, study.higher_is_positive)

    def only(self, kept: Mask) -> Cells:
        """Some of these cells; all cases stay, so that they meet the same draws."""
        is_cell = self.is_cell.copy()
        is_cell[is_cell] = kept
        return replace(self, ratings=self.ratings[kept], is_cell=is_cell)

    def is_of(self, other: Cells) -> bool:
        """Whether both are of the same cases and patients."""
        if self.names != other.names or not np.array_equal(self.truth, other.truth):
            return False
        if self.clusters is None or other.clusters is None:
            return self.clusters is other.clusters
        return np.array_equal(self.clusters, other.clusters)

    @property
    def is_read(self) -> Mask:
        """Whether there is a rating, ``(k, c)``."""
        return ~np.isnan(self.ratings)

    def is_touched(self, which: Mask | None = None) -> Mask:
        """Which cases, or patients, a cell has, ``(k, n)``; of some cases only."""
        is_read = self.is_read if which is None else self.is_read & which
        if self.clusters is None:
            return is_read
        n = int(self.clusters.max()) + 1
        return reader_covariance.sums_of_patients(is_read.astype(np.int64), self.clusters, n) > 0

    def n_touched(self, *, positive: bool) -> Integers:
        """How many cases, or patients, of a class every cell has."""
        return np.asarray(self.is_touched(self.truth == positive).sum(axis=1))

    def with_common(self, covariance: Floats) -> Floats:
        """Covariances ``(..., k, k)``, 0 for cells that share no case and no patient."""
        return np.where(reader_covariance.have_common(self.is_touched()), covariance, 0.0)


def _estimated(study: Cells, measure: Statistic, method: str, draws: dict[str, Any]) -> Floats:
    """Covariances of the cells that hold ratings, ``(k, k)``."""
    truth, clusters, is_up = study.truth, study.clusters, study.higher_is_positive
    if method == "unbiased":
        return reader_covariance.unbiased(study.ratings, truth)
    if method == "delong":
        return reader_covariance.delong(study.ratings, truth, clusters)
    if isinstance(measure, Auc) and method == "jackknife":
        return reader_covariance.jackknife(study.ratings, truth, clusters)
    ratings = decided_at(measure, study.ratings, higher_is_positive=is_up)
    if method == "bootstrap":
        return _bootstrapped(study, ratings, measure, draws)
    left_out = values_without_each(ratings, truth, reader_of(measure, higher_is_positive=is_up), clusters)
    decisive = None  # the cases that the measure depends on, if those are of one class
    if measure.hold == "threshold":
        decisive = truth if measure.rate in ("tpr", "sensitivity") else ~truth
    return reader_covariance.of_left_out(left_out, study.is_touched(decisive))


def _bootstrapped(study: Cells, ratings: Floats, measure: Statistic, draws: dict[str, Any]) -> Floats:
    columns, redrawn = [], []
    for own in ratings:
        vertex = None
        if measure.hold == "threshold":  # decided_at
            vertex = np.array([(np.unique(own[~np.isnan(own)]) > 0).sum()], dtype=np.int64)
        drawn = drawn_readings(own, study.truth, measure.readings(vertex), clusters=study.clusters, **draws)
        columns.append(measure.resampled(drawn.values)[:, 0])
        redrawn.append(drawn.redrawn)
    values = np.array(columns)
    # A resample is one of all readers at once where it was drawn equally often for each of them.
    lost = np.isnan(values).any(axis=0) | (np.array(redrawn) != redrawn[0]).any(axis=0)
    if lost.mean() > MOST_LOST:
        raise fail("RS030.lost", n=int(lost.sum()), n_resamples=lost.size)
    around = reader_covariance.around_means(values[:, ~lost])
    return study.with_common(reader_covariance.products(around) / (around.shape[1] - 1))


def _require_cases(ratings: ReaderRatings, study: Cells) -> None:
    """RS030 where a cell has one case, or one patient, of a class; RS218 where it has few."""
    words = ratings.classes.positive, ratings.classes.negative
    few = []
    for positive, label in zip((True, False), words, strict=True):
        n_cases = study.is_read[:, study.truth == positive].sum(axis=1)
        lonely = np.flatnonzero(study.n_touched(positive=positive) < 2)
        if lonely.size:
            cell = int(np.flatnonzero(study.is_cell)[lonely[0]])
            modality, reader = divmod(cell, len(ratings.readers))
            raise fail(
                "RS030.one-case",
                is_patient=study.clusters is not None,
                unit=ratings.unit,
                reader=ratings.readers[reader],
                modality=ratings.modalities[modality],
                n=int(n_cases[lonely[0]]),
                label=label,
            )
        if n_cases.min() < FEWEST_CASES:
            few.append(f"{int(n_cases.min())} of class {printable(label)}")
    if few:
        warn("RS218.few", unit=ratings.unit, fewest=", ".join(few))


# Whether ratings seem to run the other way: AUCs that are clearly below one half
# -------------------------------------------------------------------------------


@dataclass(frozen=True)
class BelowHalf:
    """An AUC that is clearly below 1/2: of one reader, or the mean of a modality's."""

    auc: float
    modality: str
    reader: str | None = None


def below_half(
    ratings: ReaderRatings, values: Floats, covariances: Floats, measure: Statistic
) -> tuple[BelowHalf, ...]:
    """Modalities whose mean AUC, and single cells of the others whose AUC is clearly below 1/2.

    ``values`` and ``covariances`` are ``(t, r)`` and ``(t, r, t, r)``, over cases; NaN where unknown. Nothing
    is said of other measures than the AUC.
    """
    if not isinstance(measure, Auc):
        return ()
    means, of_means = np.zeros(len(values), dtype=np.bool_), []
    fewest = np.minimum(*((ratings.is_read & side).sum(axis=2) for side in (ratings.truth, ~ratings.truth)))
    for i, own in enumerate(~np.isnan(values)):
        if own.any():  # for these very readers
            variance = covariances[i, own][:, i, own].mean()
            means[i] = _is_below(values[i, own].mean(), variance, fewest[i, own].min())
        if means[i]:
            of_means.append(BelowHalf(float(np.nanmean(values[i])), ratings.modalities[i]))
    cells = _is_below(values, np.einsum("ijij->ij", covariances), fewest) & ~means[:, None]
    of_cells = [
        BelowHalf(float(values[i, j]), ratings.modalities[i], ratings.readers[j])
        for i, j in np.argwhere(cells)
    ]
    return (*of_means, *of_cells)


def _is_below(value: Floats, variance: Floats, n_rarer: Integers) -> Mask:
    error = np.sqrt(np.maximum(variance, 0.0))
    is_none = (value == 0) & (n_rarer >= _FEWEST_AT_ZERO)
    with np.errstate(invalid="ignore"):  # NaN: not known to be below
        return np.asarray(np.where(variance > 0, value < 0.5 - _CLEARLY * error, is_none))


def warn_of_reversed(ratings: ReaderRatings, below: Sequence[BelowHalf]) -> None:
    """RS219 where the AUC of a cell, or the mean of a modality, is clearly below 1/2."""
    if not below:
        return
    cells = notes("readers.values_below_half", ratings, below)
    if sum(own.reader is None for own in below) == len(ratings.modalities):
        warn("RS219.all", cells=cells, turned=not ratings.higher_is_positive)
    else:
        warn("RS219.some", cells=cells)


# How a study is analysed
# -----------------------


@dataclass(frozen=True)
class Settings:
    """How the analysis of a reader study is wanted, checked.

    Attributes
    ----------
    readers, cases : Effect
        What the result is to hold for.
    measure : Statistic
        What is read off every reader's curve.
    covariance : Covariance
        How covariances of these over cases are estimated.
    method : Analysis
        Whose analysis it is.
    adjust, confidence_level, n_resamples, seed, threads
        As for :func:`rocsteady.compare_readers`.
    """

    readers: Any = Effect.RANDOM
    cases: Any = Effect.RANDOM
    measure: Any = "auc"
    covariance: Any = None
    confidence_level: float = 0.95
    method: Any = Analysis.OBUCHOWSKI_ROCKETTE
    adjust: str | None = "holm"
    n_resamples: int = 2000
    seed: int = 0
    threads: int | None = None

    def __post_init__(self) -> None:
        what_is_random(self.readers, self.cases)
        one_of("method", self.method, tuple(own.value for own in Analysis), elsewhere=_OTHER_METHODS)
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
        object.__setattr__(self, "readers", Effect(self.readers))
        object.__setattr__(self, "cases", Effect(self.cases))
        object.__setattr__(self, "measure", measure)
        object.__setattr__(self, "method", Analysis(self.method))
        object.__setattr__(self, "covariance", Covariance(covariance or default_covariance(measure)))
        open_share("confidence_level", self.confidence_level)
        resamples_asked(self.n_resamples)
        whole_number("seed", self.seed, least=0, example=0)

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

    @property
    def draws(self) -> dict[str, Any]:
        """How cases are drawn."""
        return {"n_resamples": self.n_resamples, "seed": self.seed, "threads": self.threads}

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
