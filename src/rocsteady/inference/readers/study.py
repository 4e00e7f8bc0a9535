"""``ReaderRatings``: the ratings of a study as an array of modalities, readers and cases, checked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.readings import alike_thresholds
from rocsteady.inference.readers import refusals
from rocsteady.inference.readers.designs import CROSSED, cells_of, design_of, is_nested
from rocsteady.inference.readers.wording import spoken
from rocsteady.options import one_of
from rocsteady.results import read_only
from rocsteady.scores.columns import require_distinct, unknown_name, word
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import counted, printable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

NO_NAME = "all"
"""What the one modality of a set without models is called."""


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
    design : str
        ``"fully crossed"``, ``"cases nested in readers"``, ``"cases nested in modalities"``,
        ``"split-plot"``, ``"readers nested in modalities"``, ``"readers and cases nested in modalities"`` or
        ``"partly crossed"``.
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

    @property
    def is_crossed(self) -> bool:
        """Whether every reader read every case in every modality."""
        return self.design == CROSSED

    @cached_property
    def cells(self) -> Mask:
        """Which reader read which modality, ``(t, r)``."""
        return cells_of(self.is_read)

    @property
    def is_nested(self) -> bool:
        """Whether every reader read one modality only."""
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

    def __repr__(self) -> str:
        sizes = [counted(len(self.modalities), "modality"), counted(len(self.readers), printable(self.unit))]
        sizes += [counted(len(self.cases), "case"), f"{self.n_positives} positive", self.design]
        return f"ReaderRatings({', '.join(sizes)})"


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
    score_set = refusals.require_reader_set(score_set, function)
    refusals.require_cases(score_set)
    names = _chosen(score_set, modalities)
    if len(names) < least_modalities:
        raise refusals.one_modality(score_set, names, function)
    whole = _all_ratings(score_set, names)
    every = np.ones(len(whole.readers), dtype=np.bool_)
    kept, reasons = (every, ()) if allow_missing_cells else _complete_readers(whole, missing, function)
    if need_common_cases:
        refusals.require_common_cases(whole.is_read[:, kept], whole.unit)
    return whole if kept.all() else _only_readers(whole, kept, reasons)


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


def _all_ratings(score_set: ScoreSet, names: tuple[str, ...]) -> ReaderRatings:
    """Everything that was rated with these modalities, cells that lack something included."""
    assert score_set.cases is not None  # require_cases
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
        clusters=numbered(clusters),
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
    raise refusals.rated_twice(
        case,
        reader,
        named_modality(modality),
        scores[key == key[chosen]].tolist(),
        unit=unit,
        n_others=int(doubled.sum()) - 1,
    )


def _complete_readers(whole: ReaderRatings, missing: str, function: str) -> tuple[Mask, tuple[str, ...]]:
    """Readers with both classes in all cells they should have, and why others lack them; RS028 or RS036."""
    has = [np.asarray((whole.is_read & side).any(axis=2)) for side in (whole.truth, ~whole.truth)]
    cells, nested = whole.cells, whole.is_nested
    empty = np.zeros_like(cells) if nested else ~cells
    one_class = cells & ~(has[0] & has[1])
    kept = np.asarray(~(empty | one_class).any(axis=0))
    left = whole.cells[:, kept]
    can_drop = bool(left.any(axis=1).all())  # every modality keeps a reader
    names = [(whole.readers[j], whole.modalities[i]) for j, i in np.argwhere(empty.T)]
    lacking = [
        (whole.readers[j], named_modality(whole.modalities[i]), not has[0][i, j])
        for j, i in np.argwhere(one_class.T)
    ]
    if missing == "raise" and names:
        raise refusals.missing_cells(names, whole, can_drop=can_drop, function=function)
    if lacking and (missing == "raise" or not can_drop):
        raise refusals.lacking_class(lacking, whole.unit, whole.classes, can_drop=can_drop)
    if not can_drop:
        raise refusals.missing_cells(names, whole, can_drop=False, function=function)
    return kept, tuple(refusals.reasons(names, lacking, whole.unit, whole.classes))


def _only_readers(whole: ReaderRatings, kept: Mask, reasons: tuple[str, ...]) -> ReaderRatings:
    """Some of the readers, and the cases that they read."""
    is_read = whole.is_read[:, kept]
    cases = np.flatnonzero(is_read.any(axis=(0, 1)))
    is_read = np.ascontiguousarray(is_read[..., cases])
    return replace(
        whole,
        readers=tuple(whole.readers[j] for j in np.flatnonzero(kept)),
        cases=tuple(whole.cases[i] for i in cases),
        truth=read_only(whole.truth[cases]),
        ratings=read_only(np.ascontiguousarray(whole.ratings[:, kept][..., cases])),
        is_read=read_only(is_read),
        clusters=None if whole.clusters is None else numbered(whole.clusters[cases]),
        design=design_of(is_read),
        left_out=reasons,
    )


def numbered(clusters: Integers | None) -> Integers | None:
    """Clusters as numbers from 0; None if every case is by itself."""
    if clusters is None:
        return None
    values, codes = np.unique(clusters, return_inverse=True)
    return read_only(codes.reshape(-1)) if values.size < codes.size else None


def named_modality(modality: str) -> str:
    """The name of a modality; nothing where the study names none."""
    return "" if modality == NO_NAME else modality


def with_modality(name: str) -> str:
    """``" with film"``, ``" with modality 1"``, or nothing where the study names none."""
    return "" if name == NO_NAME else f" with {printable(spoken(name))}"


def reader_column(unit: str, others: Iterable[str]) -> str:
    """What the column of readers is called: as in the data, unless another column has that name."""
    return "reader" if unit in others else unit
