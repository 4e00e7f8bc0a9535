"""The scores of a standalone system beside the ratings of readers: one for each case, on a scale of its own.

Only the order of the scores is kept. What readers and system have in common are the cases.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import described
from rocsteady.errors import RocsteadyError, fail, near_match, warn
from rocsteady.inference.readers import refusals
from rocsteady.inference.readers.designs import design_of
from rocsteady.inference.readers.standalone.checks import (
    notes_of_groups,
    require_others,
    require_same_patients,
    require_some_modality,
    require_system_classes,
)
from rocsteady.inference.readers.study import (
    NO_NAME,
    ReaderRatings,
    named_modality,
    numbered,
    reader_ratings,
)
from rocsteady.results import read_only
from rocsteady.scores.columns import Cases, shown, word
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.words import counted, listed, printable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StandaloneStudy:
    """Readers, and a standalone system as the first of them.

    Attributes
    ----------
    name : str
        Of the system.
    ratings : ReaderRatings
        The system is reader 0 with every modality, on the cases that were read there; the design is that of
        the others.
    notes : tuple of str
        What was left out.
    """

    name: str
    ratings: ReaderRatings
    notes: tuple[str, ...]

    @property
    def of_readers(self) -> ReaderRatings:
        """The ratings without the system."""
        return self.ratings.of_readers(range(1, len(self.ratings.readers)))

    def renamed(self, name: Any) -> StandaloneStudy:
        """The same with another name of the system; RS040 for one that a reader has."""
        if not isinstance(name, str) or not name or name in self.ratings.readers[1:]:
            raise fail("RS040.name", name=name)
        ratings = replace(self.ratings, readers=(name, *self.ratings.readers[1:]))
        return replace(self, name=name, ratings=ratings)


@dataclass(frozen=True, eq=False)
class _Alone:
    """Scores of the system by the name of the case, pointing upwards."""

    name: str
    scores: dict[str, float]
    truth: dict[str, bool]


def standalone_study(
    score_set: ScoreSet, standalone: Any, *, modalities: Any, missing: str, threshold: float | None
) -> StandaloneStudy:
    """The ratings with the system among them.

    ``threshold`` turns its scores into decisions, for measures at a threshold.
    """
    function = "compare_standalone"
    refusals.require_cases(refusals.require_reader_set(score_set, function))
    require_some_modality(modalities, score_set)
    own = standalone
    options: dict[str, Any] = {"missing": missing, "least_modalities": 1, "function": function}
    options["need_common_cases"] = False  # each may have one reader: the system sees it, too
    if isinstance(standalone, ScoreSet | Scores):
        ratings = reader_ratings(score_set, modalities=modalities, **options)
        alone = _given_apart(standalone, ordered=threshold is None)
        name, scores = _matched(alone, ratings)
        require_same_patients(standalone, ratings)
        up = standalone.higher_is_positive
    else:
        name, up = _name_of(standalone), score_set.higher_is_positive
        if name in score_set.models:
            others = [own for own in score_set.models if own != name] if modalities is None else modalities
            require_others(others, name, score_set)
            ratings = reader_ratings(score_set, modalities=others, **options)
            own = score_set.model(name)
            alone = _of_model(own, name, ordered=threshold is None)
            _, scores = _matched(alone, ratings)
        elif name in score_set.groups:
            require_system_classes(score_set, name)
            ratings, scores = _split(reader_ratings(score_set, modalities=modalities, **options), name)
        else:
            raise _unknown(name, score_set)
    if threshold is not None:
        scores = _decisions(scores, threshold if up else -threshold)
    else:
        _warn_of_decisions(name, scores)
        scores = _ranks(scores)
    ratings, scores, notes = _on_common_cases(name, ratings, scores, missing)
    if isinstance(own, ScoreSet | Scores):
        notes += notes_of_groups(own, name)
    return StandaloneStudy(name, _with_reader(name, ratings, scores), notes)


# -- where the scores are -----------------------------------------------------------------------------


def _name_of(standalone: Any) -> str:
    """The name of a modality or reader; RS040 for what is none."""
    if isinstance(standalone, str | int | float | np.number) and not isinstance(standalone, bool):
        return str(standalone)
    raise fail("RS040.not-named", given=described(standalone))


def _unknown(name: str, score_set: ScoreSet) -> RocsteadyError:
    modalities, readers = score_set.models, score_set.groups
    close = near_match(name, (*modalities, *readers))
    return fail(
        "RS040.unknown", name=name, modalities=modalities, unit=score_set.unit, readers=readers, close=close
    )


def _given_apart(standalone: ScoreSet | Scores, *, ordered: bool) -> _Alone:
    """Scores that came as a set of their own."""
    columns = standalone.columns
    cases = standalone.cases if isinstance(standalone, ScoreSet) else standalone._cases
    if columns.weights is not None:
        raise fail("RS038.counted", function="compare_standalone", scores=standalone)
    if cases is None:
        raise fail("RS040.no-cases", scores=standalone)
    if isinstance(standalone, Scores):
        return _one_each(standalone.name or "standalone", columns, cases, ordered=ordered)
    if len(standalone.models) > 1:
        raise fail("RS040.several", models=standalone.models, first=standalone.models[0])
    name = standalone.models[0] if standalone.models else standalone.groups[0]
    if not standalone.models and (len(standalone.groups) > 1 or name == NO_NAME):
        name = "standalone"
    return _one_each(name, columns, cases, ordered=ordered)


def _of_model(own: ScoreSet, name: str, *, ordered: bool) -> _Alone:
    assert own.cases is not None  # checked for the whole set
    return _one_each(name, own.columns, own.cases, ordered=ordered)


def _one_each(name: str, columns: Any, cases: Cases, *, ordered: bool) -> _Alone:
    """One score for each case, or its rank, pointing upwards; RS040 if a case has two that differ."""
    ranks = np.unique(columns.scores, return_inverse=True)[1].reshape(-1)  # of long integers, too
    values = (ranks if ordered else columns.scores).astype(np.float64)
    values = values if columns.higher_is_positive else -values
    order = np.argsort(cases.codes, kind="stable")
    codes, ranks = cases.codes[order], ranks[order]
    torn = np.flatnonzero((codes[1:] == codes[:-1]) & (ranks[1:] != ranks[:-1]))
    if torn.size:
        both = [f"{columns.scores[order[i]]:g}" for i in (torn[0], torn[0] + 1)]
        case, others = shown(cases.values[codes[torn[0]]]), np.unique(codes[torn]).size - 1
        raise fail("RS040.two-scores", name=name, case=case, scores=both, others=others or None)
    first = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    names = [word(cases.values[code]) for code in codes[first].tolist()]
    own = values[order[first]].tolist()
    truth = np.asarray(columns.labels == columns.positive)[order[first]].tolist()
    return _Alone(name, dict(zip(names, own, strict=True)), dict(zip(names, truth, strict=True)))


def _matched(alone: _Alone, ratings: ReaderRatings) -> tuple[str, Floats]:
    """The score of each case of the readers with each modality, NaN for none; RS040 for another truth."""
    own = np.array([alone.scores.get(case, np.nan) for case in ratings.cases])
    if np.isnan(own).all():
        theirs = [f"{listed(list(names)[:3])} ..." for names in (ratings.cases, alone.scores)]
        raise fail(
            "RS040.no-common-case", unit=ratings.unit, name=alone.name, read=theirs[0], scored=theirs[1]
        )
    torn = [
        case
        for case, truth in zip(ratings.cases, ratings.truth.tolist(), strict=True)
        if alone.truth.get(case, truth) != truth
    ]
    if torn:
        raise fail(
            "RS040.other-truth",
            case=torn[0],
            is_positive=alone.truth[torn[0]],
            others=len(torn) - 1 or None,
            positive=ratings.classes.positive,
        )
    return alone.name, np.broadcast_to(own, (len(ratings.modalities), own.size)).copy()


def _split(whole: ReaderRatings, name: str) -> tuple[ReaderRatings, Floats]:
    """The system is one of the readers: take it out."""
    if name not in whole.readers:
        raise fail("RS040.left-out", name=name, reasons=whole.left_out)
    if len(whole.readers) < 2:
        raise fail("RS040.nobody", name=name, given=whole)
    place = whole.readers.index(name)
    others = [j for j in range(len(whole.readers)) if j != place]
    return whole.of_readers(others), whole.ratings[:, place].copy()


# -- a scale of its own -------------------------------------------------------------------------------


def _ranks(scores: Floats) -> Floats:
    """The order of the scores, which is all that is kept."""
    found = np.full(scores.shape, np.nan)
    has = ~np.isnan(scores)
    found[has] = np.unique(scores[has], return_inverse=True)[1].reshape(-1)
    return found


def _decisions(scores: Floats, threshold: float) -> Floats:
    """Beyond every threshold of the readers, or short of all."""
    return np.where(np.isnan(scores), np.nan, np.where(scores >= threshold, np.inf, -np.inf))


def _warn_of_decisions(name: str, scores: Floats) -> None:
    values = np.unique(scores[~np.isnan(scores)])
    if values.size <= 2 and scores.shape[-1] >= 10:
        warn("RS227.few-values", name=name, n_values=values.size, n_cases=scores.shape[-1])


# -- the same cases -----------------------------------------------------------------------------------


def _on_common_cases(
    name: str, ratings: ReaderRatings, scores: Floats, missing: str
) -> tuple[ReaderRatings, Floats, tuple[str, ...]]:
    """Readers and system on the cases that both have; RS040 or RS226 for cases without a score."""
    is_read_at_all = ratings.is_read.any(axis=1)
    lacking = is_read_at_all & np.isnan(scores)
    scores = np.where(is_read_at_all, scores, np.nan)
    if not lacking.any():
        return ratings, scores, ()
    n_lacking = int(lacking.any(axis=0).sum())
    first = [ratings.cases[i] for i in np.flatnonzero(lacking.any(axis=0))[:3]]
    n_cases, without = len(ratings.cases), f"{listed(first)}{' ...' if n_lacking > 3 else ''}"
    if missing != "drop":
        raise fail("RS040.unscored", n=n_lacking, n_cases=n_cases, name=name, without=without)
    warn("RS226.left-out", n=n_lacking, n_cases=n_cases, name=name, without=without)
    is_read = ratings.is_read & ~lacking[:, np.newaxis]
    left = replace(ratings, is_read=is_read, ratings=np.where(is_read, ratings.ratings, np.nan))
    _require_both_classes(left)
    note = f"{counted(n_lacking, 'case')} without a score of {printable(name)}"
    return left, scores, (f"{note} {'was' if n_lacking == 1 else 'have been'} left out",)


def _require_both_classes(ratings: ReaderRatings) -> None:
    lacking: list[tuple[str, str, bool]] = []
    for i, j in np.argwhere(ratings.cells):
        own = ratings.truth[ratings.is_read[i, j]]
        if own.all() or not own.any():
            lacking.append((ratings.readers[j], named_modality(ratings.modalities[i]), not own.any()))
    if lacking:
        raise refusals.lacking_class(lacking, ratings.unit, ratings.classes, can_drop=False)


def _with_reader(name: str, ratings: ReaderRatings, scores: Floats) -> ReaderRatings:
    """The system as reader 0, on cases that anyone read."""
    values = np.concatenate([scores[:, np.newaxis], ratings.ratings], axis=1)
    is_read = ~np.isnan(values)
    cases = np.flatnonzero(is_read.any(axis=(0, 1)))
    return replace(
        ratings,
        readers=(name, *ratings.readers),
        cases=tuple(ratings.cases[i] for i in cases),
        truth=read_only(ratings.truth[cases]),
        ratings=read_only(values[..., cases]),
        is_read=read_only(is_read[..., cases]),
        clusters=None if ratings.clusters is None else numbered(ratings.clusters[cases]),
        design=design_of(is_read[:, 1:, cases]),  # the system has no part in it: it scored all of them
    )
