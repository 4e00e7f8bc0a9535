"""A system that reads by itself (AI, CAD) among the readers of a study.

The system has one score for each case, on a scale of its own: only the order of its scores is kept. What
readers and system have in common are the cases.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.curves.from_scores import described
from rocsteady.curves.statistics import Statistic
from rocsteady.errors import Option, fail, near_match, warn
from rocsteady.options import one_number
from rocsteady.readers.study import (
    NO_NAME,
    ReaderRatings,
    lacking_a_class,
    lacking_class,
    reader_ratings,
    require_reader_set,
    require_some_modality,
)
from rocsteady.scores.columns import shown, word
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.words import class_cases, listed

_FUNCTION = "compare_readers"


@dataclass(frozen=True, eq=False)
class StandaloneStudy:
    """Readers, and a standalone system as the first of them, with every modality."""

    name: str
    ratings: ReaderRatings
    n_unscored: int
    groups: tuple[int, str] | None

    @cached_property
    def of_readers(self) -> ReaderRatings:
        """The ratings without the system."""
        return self.ratings.of_readers(range(1, len(self.ratings.readers)))


def standalone_study(
    score_set: ScoreSet,
    standalone: Any,
    *,
    modalities: Any,
    missing: str,
    threshold: float | None,
    called: Any,
) -> StandaloneStudy:
    """The ratings with the system among them; a ``threshold`` turns its scores into decisions."""
    require_reader_set(score_set, _FUNCTION)
    require_some_modality(modalities, score_set)
    options: dict[str, Any] = {"missing": missing, "least_modalities": 1, "function": _FUNCTION}
    options["need_common_cases"] = False  # each may have one reader: the system sees it, too
    name, table = _system_of(score_set, standalone)
    if table is not None and table is not standalone:  # a modality of the study
        if modalities is None:
            modalities = [own for own in score_set.models if own != name]
        others = [modalities] if isinstance(modalities, str) else [str(own) for own in modalities]
        if not others or name in others:  # it would be compared with itself, or with nobody
            raise fail("RS040.itself", name=name, models=score_set.models, is_named=bool(others))
    ratings = reader_ratings(score_set, modalities=modalities, **options)
    if table is None:
        ratings, scores = _split(ratings, name)
    else:
        scores = _matched(name, table, ratings, ordered=threshold is None)
    if threshold is not None:
        is_up = (score_set if table is None else table).higher_is_positive
        is_positive = scores >= (threshold if is_up else -threshold)
        # Beyond every threshold of the readers, or short of all.
        scores = np.where(np.isnan(scores), np.nan, np.where(is_positive, np.inf, -np.inf))
    else:
        scores = _ranks(name, scores)
    ratings, scores, n_unscored = _on_common_cases(name, ratings, scores, missing)
    together = np.concatenate([scores[:, np.newaxis], ratings.ratings], axis=1)
    if called is not None:
        if not isinstance(called, str) or not called or called in ratings.readers:
            raise fail("RS040.name", name=called)
        name = called
    with_system = ratings.rated_by((name, *ratings.readers), together, ratings.lacking)
    return StandaloneStudy(name, with_system, n_unscored, _groups_of(table))


def _system_of(score_set: ScoreSet, standalone: Any) -> tuple[str, ScoreSet | Scores | None]:
    """Its name and its table; no table if it is one of the readers."""
    if isinstance(standalone, ScoreSet | Scores):
        return _name_in(standalone), standalone
    if not isinstance(standalone, str | int | float | np.number) or isinstance(standalone, bool):
        raise fail("RS040.not-named", given=described(standalone))
    name, modalities, readers = str(standalone), score_set.models, score_set.groups
    if name in modalities:
        return name, score_set.model(name)
    if name in readers:
        _require_system_classes(score_set, name)
        return name, None
    close, unit = near_match(name, (*modalities, *readers)), score_set.unit
    raise fail("RS040.unknown", name=name, modalities=modalities, unit=unit, readers=readers, close=close)


def _name_in(table: ScoreSet | Scores) -> str:
    """What the system of a table of its own is called; RS038 or RS040 for a table that is none."""
    if table.columns.weights is not None:
        raise fail("RS038.counted", function=_FUNCTION, scores=table)
    if (table.cases if isinstance(table, ScoreSet) else table._cases) is None:
        raise fail("RS040.no-cases", scores=table)
    if isinstance(table, Scores):
        return table.name or "standalone"
    if len(table.models) > 1:
        raise fail("RS040.several", models=table.models, first=table.models[0])
    if table.models:
        return table.models[0]
    return "standalone" if len(table.groups) > 1 or table.groups[0] == NO_NAME else table.groups[0]


def _require_system_classes(score_set: ScoreSet, name: str) -> None:
    """RS040 if the reader that stands for the system lacks a class."""
    sides = (
        (score_set.n_positives, score_set.classes.positive, True),
        (score_set.n_negatives, score_set.classes.negative, False),
    )
    for i in np.flatnonzero(score_set.group_index == score_set.groups.index(name)):
        for counts, label, is_positive in sides:
            if counts[i] == 0:
                cases = class_cases(label, is_positive=is_positive)
                raise fail("RS040.lacks-class", name=name, cases=cases, scores=score_set[int(i)])


def _matched(name: str, table: ScoreSet | Scores, ratings: ReaderRatings, *, ordered: bool) -> Floats:
    """The score of each case with each modality, or its rank, pointing upwards; NaN for none."""
    columns = table.columns
    of: Any = table
    is_set = isinstance(of, ScoreSet)
    cases, clusters = (of.cases, of.clusters) if is_set else (of._cases, of._clusters)
    ranks = np.unique(columns.scores, return_inverse=True)[1].reshape(-1)  # of long integers, too
    order = np.argsort(cases.codes, kind="stable")
    codes, own_ranks = cases.codes[order], ranks[order]
    torn = np.flatnonzero((codes[1:] == codes[:-1]) & (own_ranks[1:] != own_ranks[:-1]))
    if torn.size:
        both = [f"{columns.scores[order[i]]:g}" for i in (torn[0], torn[0] + 1)]
        case, others = shown(cases.values[codes[torn[0]]]), np.unique(codes[torn]).size - 1
        raise fail("RS040.two-scores", name=name, case=case, scores=both, others=others or None)
    first = order[np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))]
    row_of = {word(cases.values[code]): row for code, row in zip(cases.codes[first], first, strict=True)}
    rows = np.array([row_of.get(case, -1) for case in ratings.cases])
    if (rows < 0).all():
        theirs = [f"{listed(list(names)[:3])} ..." for names in (ratings.cases, row_of)]
        raise fail("RS040.no-common-case", unit=ratings.unit, name=name, read=theirs[0], scored=theirs[1])
    truth = np.asarray(columns.labels == columns.positive)[rows]
    other = np.flatnonzero((rows >= 0) & (truth != ratings.truth))
    if other.size:
        raise fail(
            "RS040.other-truth",
            case=ratings.cases[other[0]],
            is_positive=bool(truth[other[0]]),
            others=other.size - 1 or None,
            positive=ratings.classes.positive,
        )
    if clusters is not None:
        _require_same_patients(clusters.codes[rows], rows >= 0, ratings)
    scores = (ranks if ordered else columns.scores).astype(np.float64)[rows]
    scores = np.where(rows < 0, np.nan, scores if columns.higher_is_positive else -scores)
    return np.broadcast_to(scores, (len(ratings.modalities), scores.size)).copy()


def _require_same_patients(theirs: Any, is_known: Any, ratings: ReaderRatings) -> None:
    """RS050 unless the system's table has the cases in the same patients as the readers' table."""
    of_readers = np.arange(is_known.size) if ratings.clusters is None else ratings.clusters
    # Patients may have other names there; who is with whom must be the same.
    owner: dict[tuple[str, int], tuple[int, str]] = {}
    for i in np.flatnonzero(is_known):
        own, patient, case = int(of_readers[i]), int(theirs[i]), ratings.cases[i]
        for key, other in ((("theirs", patient), own), (("ours", own), patient)):
            before, first = owner.setdefault(key, (other, case))
            if before != other:
                raise fail("RS050.patients", first=first, second=case, is_system=key[0] == "theirs")


def _split(whole: ReaderRatings, name: str) -> tuple[ReaderRatings, Floats]:
    """The system is one of the readers: take it out."""
    if name not in whole.readers:
        raise fail("RS040.left-out", name=name, reasons=whole.left_out)
    if len(whole.readers) < 2:
        raise fail("RS040.nobody", name=name, given=whole)
    place = whole.readers.index(name)
    others = [j for j in range(len(whole.readers)) if j != place]
    return whole.of_readers(others), whole.ratings[:, place].copy()


def _ranks(name: str, scores: Floats) -> Floats:
    """The order of the scores, which is all that is kept; RS227 if there are two only."""
    found = np.full(scores.shape, np.nan)
    has = ~np.isnan(scores)
    distinct, place = np.unique(scores[has], return_inverse=True)
    found[has] = place.reshape(-1)
    n_values, n_cases = distinct.size, scores.shape[-1]
    if n_values <= 2 and n_cases >= 10:
        warn("RS227.few-values", name=name, n_values=n_values, n_cases=n_cases)
    return found


def _on_common_cases(
    name: str, ratings: ReaderRatings, scores: Floats, missing: str
) -> tuple[ReaderRatings, Floats, int]:
    """Readers and system on the cases that both have; RS040 or RS226 for cases without a score."""
    is_read_at_all = ratings.is_read.any(axis=1)
    lacking = is_read_at_all & np.isnan(scores)
    scores = np.where(is_read_at_all, scores, np.nan)
    unscored = np.flatnonzero(lacking.any(axis=0))
    if not unscored.size:
        return ratings, scores, 0
    without = f"{listed([ratings.cases[i] for i in unscored[:3]])}{' ...' if unscored.size > 3 else ''}"
    n, n_cases = unscored.size, len(ratings.cases)
    if missing != "drop":
        raise fail("RS040.unscored", n=n, n_cases=n_cases, name=name, without=without)
    warn("RS226.left-out", n=n, n_cases=n_cases, name=name, without=without)
    left = replace(ratings, ratings=np.where(lacking[:, np.newaxis], np.nan, ratings.ratings))
    one_class = lacking_a_class(left)
    if one_class:
        raise lacking_class(left, one_class, can_drop=False)
    return left, scores, n


def _groups_of(table: ScoreSet | Scores | None) -> tuple[int, str] | None:
    """Whether scores come from several groups with cases of their own, and are ordered as one list."""
    if not isinstance(table, ScoreSet) or table.cases is None or len(table.groups) < 2:
        return None
    is_again = np.unique(table.cases.codes).size < table.cases.codes.size  # the same cases, the same scores
    return None if is_again else (len(table.groups), table.unit)


def standalone_threshold_of(measure: Statistic, given: float | None) -> float | None:
    """The threshold of the system; RS040 unless the measure has one and so has the system."""
    of_readers = measure.at if measure.hold == "threshold" else None
    if of_readers is None and given is None:
        return None
    if of_readers is None:
        raise fail("RS040.no-threshold", measure=measure.label, given=given)
    if given is None:
        raise fail("RS040.threshold", measure=measure.label)
    number = one_number("standalone_threshold", given, 0.5)
    if np.isnan(number):
        ways = [Option("standalone_threshold", 0.5)]
        raise fail("RS042", name="standalone_threshold", where="a number", found=given, ways=ways)
    return number
