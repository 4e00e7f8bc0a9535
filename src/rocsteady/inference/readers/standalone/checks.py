"""What is checked of a standalone system's own table before it is held against readers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.caller import caller_level
from rocsteady.curves.statistics import Statistic
from rocsteady.errors import DataError, Option, UsageError, warn
from rocsteady.inference.readers import direction
from rocsteady.inference.readers.study import ReaderRatings
from rocsteady.scores.grouping import word
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.words import class_cases, counted, listed, plural, printable

Floats = NDArray[np.float64]


def require_some_modality(modalities: Any, score_set: ScoreSet) -> None:
    """RS027 if no modality at all is asked for."""
    if isinstance(modalities, Collection | np.ndarray) and len(modalities) == 0:
        known = [printable(name) for name in score_set.models]
        raise DataError(
            "RS027",
            "no modality is named.",
            f"found: an empty modalities, of {listed(known)}" if known else "found: an empty modalities",
            Option("modalities", list(score_set.models[:1])) if known else "leave out  modalities",
        )


def require_system_classes(score_set: ScoreSet, name: str) -> None:
    """RS040 if the reader that stands for the system lacks a class."""
    own = np.flatnonzero(score_set.group_index == score_set.groups.index(name))
    for i in own:
        for counts, label, is_positive in (
            (score_set.n_positives, score_set.classes.positive, True),
            (score_set.n_negatives, score_set.classes.negative, False),
        ):
            if counts[i] == 0:
                raise DataError(
                    "RS040",
                    f'"{printable(name)}" has no score of {class_cases(label, is_positive=is_positive)}.',
                    f"found: {score_set[int(i)]!r}",
                    "a standalone system needs scores of cases of both classes",
                )


def require_others(others: Any, name: str, score_set: ScoreSet) -> None:
    """RS040 if the system is to be compared with itself, or with nobody."""
    names = [others] if isinstance(others, str) else [str(own) for own in others]
    if not names or name in names:
        raise UsageError(
            "RS040",
            f'"{printable(name)}" cannot be compared with itself.'
            if names
            else f'there is nobody to compare "{printable(name)}" with.',
            f"modalities: {listed([printable(own) for own in score_set.models])}",
            "name the modalities of the readers:  modalities=[...]"
            if len(score_set.models) > 1
            else "add the rows of the readers, with the name of their modality",
        )


def require_same_patients(standalone: ScoreSet | Scores, ratings: ReaderRatings) -> None:
    """RS050 unless a table of its own has the cases in the same patients as the readers' table."""
    if isinstance(standalone, ScoreSet):
        cases, clusters = standalone.cases, standalone.clusters
    else:
        cases, clusters = standalone._cases, standalone._clusters
    if clusters is None or cases is None:
        return
    names = [word(cases.values[code]) for code in cases.codes.tolist()]
    theirs = dict(zip(names, clusters.codes.tolist(), strict=True))
    common = [(i, theirs[case]) for i, case in enumerate(ratings.cases) if case in theirs]
    of_readers = None if ratings.clusters is None else ratings.clusters.tolist()
    # Patients may have other names there; who is with whom must be the same.
    owner: dict[tuple[str, int], tuple[int, str]] = {}
    for i, patient in common:
        own = i if of_readers is None else of_readers[i]
        for key, other in ((("theirs", patient), own), (("ours", own), patient)):
            before, first = owner.setdefault(key, (other, ratings.cases[i]))
            if before != other:
                raise DataError(
                    "RS050",
                    "the standalone scores have the cases in other patients than the readers have.",
                    f'found: the cases "{printable(first)}" and "{printable(ratings.cases[i])}" are of one '
                    f"patient for {'the system' if key[0] == 'theirs' else 'the readers'} only",
                    ("name the patients of the readers' rows, too:  ", Option("cluster", "...")),
                    "or leave them out of the standalone scores",
                )


def notes_of_groups(standalone: ScoreSet | Scores, name: str) -> tuple[str, ...]:
    """Whether the scores come from several groups with cases of their own, and are ordered as one list."""
    if isinstance(standalone, Scores) or standalone.cases is None or len(standalone.groups) < 2:
        return ()
    if np.unique(standalone.cases.codes).size < standalone.cases.codes.size:
        return ()  # the same cases again, with the same scores
    groups = counted(len(standalone.groups), printable(standalone.unit))
    return (
        f"The scores of {printable(name)} come from {groups} with cases of their own, and are ordered "
        f"across {plural(printable(standalone.unit))} as if all were on one scale",
    )


def warned_of_directions(
    ratings: ReaderRatings, values: Floats, covariances: Floats, measure: Statistic
) -> tuple[str, ...]:
    """RS219 where the ratings of the readers, or the scores of the system, may run the other way; as notes.

    The system is the first reader.
    """
    others = ratings.of_readers(range(1, len(ratings.readers)))
    readers = (others, values[:, 1:], covariances[:, 1:, :, 1:], measure)
    direction.warn_of_reversed(*readers)
    notes = direction.notes_of_reversed(*readers)
    alone = (ratings.of_readers([0]), values[:, :1], covariances[:, :1, :, :1], measure)
    if not direction.reversed_in(*alone):
        return notes
    name, low = printable(ratings.readers[0]), float(np.nanmin(values[:, 0]))
    warn(
        "RS219",
        f"the scores of {name} may run the other way: its AUC is clearly below 1/2.",
        f"found: AUC {low:.3f}",
        (
            "if its low scores mean positive, give them as a set of their own:  ",
            Option("higher_is_positive", False),
        ),
        "or see whether its classes are swapped",
        stacklevel=caller_level(),
    )
    return (*notes, f"The scores of {name} may run the other way: an AUC of {low:.3f} is clearly below 1/2")
