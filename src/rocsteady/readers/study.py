"""``ReaderRatings``: the ratings of a study as an array of modalities, readers and cases, and who read what.

What keeps ratings from being a reader study is said here, with names and with what to type.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.curves.from_scores import described, is_score_set, refuse_counts
from rocsteady.curves.readings import alike_thresholds
from rocsteady.errors import Option, Remedy, RocsteadyError, fail
from rocsteady.options import one_of
from rocsteady.results import read_only
from rocsteady.scores.columns import require_distinct, unknown_name, word
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import class_cases, counted, named, plural, printable

NO_NAME = "all"
"""What the one modality of a set without models is called."""
_UNLIKE = 0.1
"""By which shares of common cases differ where modalities are partly paired."""
_COLUMNS = "label='truth', score='rating', group='reader', model='modality', case='case'"
_MOST = 8
"""Cells that a message names; the others are counted."""


class ReaderDesign(StrEnum):
    """Who read what."""

    CROSSED = "fully crossed"
    READERS_IN_MODALITIES = "readers nested in modalities"
    CASES_IN_READERS = "cases nested in readers"
    CASES_IN_MODALITIES = "cases nested in modalities"
    SPLIT_PLOT = "split-plot"
    PARTLY = "partly crossed"
    ALL_APART = "readers and cases nested in modalities"


@dataclass(frozen=True, eq=False, repr=False)
class ReaderRatings:
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
    left_out : tuple of str
        Readers left out, and why.
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
    design: str
    left_out: tuple[str, ...] = ()

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

    def of_readers(self, which: Iterable[int]) -> ReaderRatings:
        """The same of some readers, by number; cases and design stay."""
        chosen = list(which)
        return replace(
            self,
            readers=tuple(self.readers[j] for j in chosen),
            ratings=self.ratings[:, chosen],
            is_read=self.is_read[:, chosen],
        )

    def rated_by(
        self, readers: tuple[str, ...], ratings: Floats, *, left_out: tuple[str, ...] = (), n_systems: int = 0
    ) -> ReaderRatings:
        """Other readers on the cases that any of them read; the first are systems, no part of the design."""
        is_read = ~np.isnan(ratings)
        kept = np.flatnonzero(is_read.any(axis=(0, 1)))
        is_read = np.ascontiguousarray(is_read[..., kept])
        return replace(
            self,
            readers=readers,
            cases=tuple(self.cases[i] for i in kept),
            truth=read_only(self.truth[kept]),
            ratings=read_only(np.ascontiguousarray(ratings[..., kept])),
            is_read=read_only(is_read),
            clusters=None if self.clusters is None else _numbered(self.clusters[kept]),
            design=design_of(is_read[:, n_systems:]),
            left_out=left_out,
        )

    def __repr__(self) -> str:
        sizes = [counted(len(self.modalities), "modality"), counted(len(self.readers), printable(self.unit))]
        sizes += [counted(len(self.cases), "case"), f"{self.n_positives} positive", self.design]
        return f"ReaderRatings({', '.join(sizes)})"


def spoken(modality: str) -> str:
    """A modality in a sentence: its name, after the word where the name is a number.

    >>> spoken("2"), spoken("digital")
    ('modality 2', 'digital')
    """
    return printable(modality if any(c.isalpha() for c in modality) else f"modality {modality}")


def with_modality(name: str) -> str:
    """``" with film"``, ``" with modality 1"``, or nothing where the study names none."""
    return "" if name == NO_NAME else f" with {spoken(name)}"


def reader_column(unit: str, others: Iterable[str]) -> str:
    """What the column of readers is called: as in the data, unless another column has that name."""
    return "reader" if unit in others else unit


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

    Parameters
    ----------
    score_set : ScoreSet
        With named cases.
    modalities : sequence of str, optional
        Which ones, in this order; all of them if not given.
    missing : {"raise", "drop"}
        What to do about readers who lack a modality, or a class in one: an error that names them, or leave
        them out. Cases that some readers did not read are neither.
    least_modalities : int
        How many there must be: RS027 with fewer.
    allow_missing_cells : bool
        Take any pattern of cells, as U-statistics do.
    need_common_cases : bool
        Whether some case must have been read twice: RS027 if none was.
    function : str
        What is called, for messages.
    """
    one_of("missing", missing, ("raise", "drop"))
    score_set = require_reader_set(score_set, function)
    if least_modalities == 1:
        require_some_modality(modalities, score_set)
    names = _chosen(score_set, modalities)
    if len(names) < least_modalities:
        raise _one_modality(score_set, names, function)
    whole = _all_ratings(score_set, names)
    if not allow_missing_cells:
        whole = _complete_readers(whole, missing, function)
    if need_common_cases and whole.cells.sum() > 1 and not (whole.is_read.sum(axis=(0, 1)) > 1).any():
        raise fail("RS027.read-once", unit=printable(whole.unit), n=len(whole.cases))
    return whole


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


def require_some_modality(modalities: Any, score_set: ScoreSet) -> None:
    """RS027 if no modality at all is asked for."""
    if isinstance(modalities, Collection | np.ndarray) and len(modalities) == 0:
        raise fail("RS027.no-modality", models=score_set.models)


def _chosen(score_set: ScoreSet, modalities: Any) -> tuple[str, ...]:
    """The modalities asked for; RS001 for one that there is not."""
    known = score_set.models or (NO_NAME,)
    if modalities is None:
        return known
    is_one = isinstance(modalities, str) or not isinstance(modalities, Iterable)
    asked = [str(name) for name in ([modalities] if is_one else modalities)]
    for name in asked:
        if name not in known:
            raise unknown_name(name, known, "modality")
    require_distinct(asked, "modality")
    return tuple(asked)


def _one_modality(score_set: ScoreSet, chosen: Sequence[str], function: str) -> RocsteadyError:
    """RS027 for a single modality, or none."""
    models = score_set.models
    has_more = len(models) > len(chosen)
    return fail(
        "RS027.one-modality",
        function=function,
        chosen=[f'"{name}"' for name in chosen] or ["none"],
        models=models,
        example=list(models[:2]) if has_more else None,
        is_unnamed=not models,
        is_alone=not has_more,
    )


def _all_ratings(score_set: ScoreSet, names: tuple[str, ...]) -> ReaderRatings:
    """Everything that was rated with these modalities, cells that lack something included."""
    assert score_set.cases is not None  # require_reader_set
    rows, modality, reader = _rows_of(score_set, names)
    readers, reader = np.unique(reader, return_inverse=True)
    used, case = np.unique(score_set.cases.codes[rows], return_inverse=True)
    words = tuple(score_set.groups[i] for i in readers)
    cases = tuple(word(score_set.cases.values[i]) for i in used.tolist())
    require_distinct(cases, "case")  # 1 and "1": one reader's table has numbers, another's text
    scores = _as_floats(score_set.columns.scores[rows])
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
        truth=read_only(truth),
        ratings=read_only(ratings),
        is_read=read_only(is_read),
        clusters=None if clusters is None else _numbered(clusters),
        unit=score_set.unit,
        classes=score_set.classes,
        higher_is_positive=score_set.higher_is_positive,
        design=design_of(is_read),
    )


def _rows_of(score_set: ScoreSet, names: tuple[str, ...]) -> tuple[Integers, Integers, Integers]:
    """Rows read with these modalities; the modality and the reader of each, as numbers."""
    known = score_set.models or (NO_NAME,)
    of_member = score_set.model_index if score_set.models else np.zeros(len(score_set), dtype=np.int64)
    place = np.full(len(known), -1, dtype=np.int64)
    place[[known.index(name) for name in names]] = np.arange(len(names))
    member = np.repeat(np.arange(len(score_set)), np.diff(score_set.columns.offsets))
    rows = np.flatnonzero(place[of_member[member]] >= 0)
    return rows, place[of_member[member[rows]]], score_set.group_index[member[rows]]


def _as_floats(scores: NDArray[Any]) -> Floats:
    """Scores as floats; RS048 for integers that floats cannot tell apart."""
    floats = scores.astype(np.float64)
    if scores.dtype.kind in "iu" and np.abs(floats).max(initial=0) >= 2**53:
        exact, rounded = np.unique(scores), np.unique(floats)
        if rounded.size < exact.size:
            same = exact[1:][np.diff(exact.astype(np.float64)) == 0]
            raise alike_thresholds(float(same[0]))
    return floats


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
    lacking = lacking_a_class(whole)
    kept = np.asarray(~empty.any(axis=0))
    kept[[j for _, j, _ in lacking]] = False
    can_drop = bool(whole.cells[:, kept].any(axis=1).all())  # every modality keeps a reader
    missing_cells = [(whole.readers[j], whole.modalities[i]) for j, i in np.argwhere(empty.T)]
    if missing == "raise" and missing_cells:
        raise _missing_cells(missing_cells, whole, can_drop=can_drop, function=function)
    if lacking and (missing == "raise" or not can_drop):
        raise lacking_class(whole, lacking, can_drop=can_drop)
    if not can_drop:
        raise _missing_cells(missing_cells, whole, can_drop=False, function=function)
    if kept.all():
        return whole
    reasons = (
        *(
            f"{_name(whole, reader)}: no ratings with {spoken(modality)}"
            for reader, modality in missing_cells
        ),
        *_lacking_words(whole, lacking),
    )
    readers = tuple(whole.readers[j] for j in np.flatnonzero(kept))
    return whole.rated_by(readers, whole.ratings[:, kept], left_out=reasons)


def lacking_a_class(ratings: ReaderRatings) -> list[tuple[int, int, bool]]:
    """Cells with cases of one class only, reader by reader; the flag says whether positives are lacking."""
    has = [np.asarray((ratings.is_read & side).any(axis=2)) for side in (ratings.truth, ~ratings.truth)]
    lacks = ratings.cells & ~(has[0] & has[1])
    return [(int(i), int(j), not has[0][i, j]) for j, i in np.argwhere(lacks.T)]


def lacking_class(
    ratings: ReaderRatings, cells: Sequence[tuple[int, int, bool]], *, can_drop: bool
) -> RocsteadyError:
    """RS036: readers with cases of one class only."""
    unit = ratings.unit
    ways: list[Remedy] = ["give ratings of both classes"]
    if can_drop:
        ways.append((f"or leave such {plural(printable(unit))} out:  ", Option("missing", "drop")))
    words = _lacking_words(ratings, cells)
    if len(words) > _MOST + 1:
        words = [*words[:_MOST], f"{len(words) - _MOST} more"]
    reasons = "; ".join(words)
    return fail("RS036.readers", n=len(cells), unit=unit, reasons=reasons, ways=ways)


def _lacking_words(ratings: ReaderRatings, cells: Sequence[tuple[int, int, bool]]) -> list[str]:
    found = []
    for i, j, lacks_positives in cells:
        label = ratings.classes.positive if lacks_positives else ratings.classes.negative
        of_class = printable(class_cases(label, is_positive=lacks_positives))
        who = _name(ratings, ratings.readers[j])
        found.append(f"{who}: no {of_class}{with_modality(ratings.modalities[i])}")
    return found


def _missing_cells(
    cells: Sequence[tuple[str, str]], whole: ReaderRatings, *, can_drop: bool, function: str
) -> RocsteadyError:
    """RS028: readers who did not read with every modality."""
    unit = printable(whole.unit)
    remedies: list[Remedy] = []
    alone = read_by_one_of_its_own(whole)
    if alone and function in ("compare_readers", "plan_readers"):
        others = [name for name in whole.modalities if name not in alone]
        if len(others) > 1:
            remedies.append((f"the {plural(unit)} alone:  ", Option("modalities", others)))
        if function == "compare_readers":
            system = f"compare_standalone(score_set, {alone[0]!r})"
            remedies.append(f"one score of its own for each case:  {system}")
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
        missing=[f"{_name(whole, reader)} with {spoken(modality)}" for reader, modality in cells],
        ways=remedies or [f"give the ratings of these {plural(unit)}"],
    )


def read_by_one_of_its_own(whole: ReaderRatings) -> list[str]:
    """Modalities that one reader read, who read nothing else: a standalone system among readers."""
    only_here = whole.cells & (whole.cells.sum(axis=0) == 1)
    is_alone = (whole.cells.sum(axis=1) == 1) & only_here.any(axis=1)
    return [whole.modalities[i] for i in np.flatnonzero(is_alone)]


def _name(ratings: ReaderRatings, reader: str) -> str:
    return printable(named(ratings.unit, reader))


def _numbered(clusters: Integers) -> Integers | None:
    """Clusters as numbers from 0; None if every case is by itself."""
    values, codes = np.unique(clusters, return_inverse=True)
    return read_only(codes.reshape(-1)) if values.size < codes.size else None


# Who read what
# -------------


def is_nested(cells: Mask) -> bool:
    """Whether every reader has exactly one modality, and there are several."""
    return cells.shape[0] > 1 and bool((cells.sum(axis=0) == 1).all())


def is_partly_paired(is_read: Mask) -> bool:
    """Whether some two of three or more modalities share more of their cases than others do, ``(t, r, c)``.

    Ratings that are missing here and there do not count: shares must differ by a tenth.

    Examples
    --------
    >>> import numpy as np
    >>> own = np.zeros((3, 4, 10), dtype=bool)
    >>> own[:2, :, :6] = own[2, :, 4:] = True
    >>> is_partly_paired(own), is_partly_paired(own[:2]), is_partly_paired(np.ones((3, 4, 10), dtype=bool))
    (True, False, False)
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

    Examples
    --------
    >>> import numpy as np
    >>> design_of(np.ones((2, 3, 10), dtype=bool)).value
    'fully crossed'
    >>> own = np.zeros((2, 2, 4), dtype=bool)
    >>> own[:, 0, :2] = own[:, 1, 2:] = True
    >>> design_of(own).value
    'cases nested in readers'
    """
    if is_read.all():
        return ReaderDesign.CROSSED
    cells = np.asarray(is_read.any(axis=2))
    if is_nested(cells):
        return _of_nested_readers(is_read, cells)
    if not cells.all():
        return ReaderDesign.PARTLY
    if (is_read == is_read[:, :1]).all() and (is_read[:, 0].sum(axis=0) == 1).all():
        return ReaderDesign.CASES_IN_MODALITIES
    return _of_reader_cases(is_read[0]) if (is_read == is_read[:1]).all() else ReaderDesign.PARTLY


def _of_nested_readers(is_read: Mask, cells: Mask) -> ReaderDesign:
    """The design if every reader has one modality."""
    of_modality = np.asarray(is_read.any(axis=1))  # (t, c)
    if not all((is_read[i, cells[i]] == of_modality[i]).all() for i in range(len(cells))):
        return ReaderDesign.PARTLY
    if of_modality.all():
        return ReaderDesign.READERS_IN_MODALITIES
    return ReaderDesign.ALL_APART if (of_modality.sum(axis=0) == 1).all() else ReaderDesign.PARTLY


def _of_reader_cases(of_reader: Mask) -> ReaderDesign:
    """The design if a reader reads the same cases in every modality, from ``(r, c)``."""
    if (of_reader.sum(axis=0) == 1).all():
        return ReaderDesign.CASES_IN_READERS
    blocks = np.unique(of_reader, axis=0)  # two readers have all their cases in common, or none
    return ReaderDesign.SPLIT_PLOT if (blocks.sum(axis=0) == 1).all() else ReaderDesign.PARTLY


def to_be_read(is_read: Mask) -> Mask:
    """Which ratings the design asks for, ``(t, r, c)``: what is not there of these is missing.

    The design is what most ratings follow. If most cases were read with several modalities, each was to be
    read with all; otherwise with those that somebody read it with. Readers who have cases in common, directly
    or through others, are a block. If most of the ratings of a block are there, each of its cases was to be
    read by all of its readers; otherwise by those who read it with some modality.

    Examples
    --------
    Two readers with cases of their own; the first lacks one of hers with the second modality.

    >>> import numpy as np
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

    Examples
    --------
    >>> import numpy as np
    >>> truth = np.array([True, True, False, False])
    >>> count_alike(np.array([[[1, 1, 1, 1], [1, 1, 1, 0]]], dtype=bool), truth)
    False
    >>> count_alike(np.array([[[1, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]]], dtype=bool), truth)
    True
    """
    pairs = np.atleast_2d((is_read & truth).sum(axis=-1) * (is_read & ~truth).sum(axis=-1))
    return all(np.unique(own[own > 0]).size <= 1 for own in pairs)
