"""What is checked of a standalone system's own table before it is held against readers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.measures import Statistic
from rocsteady.errors import fail, warn
from rocsteady.inference.readers import direction
from rocsteady.inference.readers.study import ReaderRatings
from rocsteady.scores.columns import word
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.words import class_cases, counted, plural, printable

Floats = NDArray[np.float64]


def require_some_modality(modalities: Any, score_set: ScoreSet) -> None:
    """RS027 if no modality at all is asked for."""
    if isinstance(modalities, Collection | np.ndarray) and len(modalities) == 0:
        raise fail("RS027.no-modality", models=score_set.models)


def require_system_classes(score_set: ScoreSet, name: str) -> None:
    """RS040 if the reader that stands for the system lacks a class."""
    own = np.flatnonzero(score_set.group_index == score_set.groups.index(name))
    for i in own:
        for counts, label, is_positive in (
            (score_set.n_positives, score_set.classes.positive, True),
            (score_set.n_negatives, score_set.classes.negative, False),
        ):
            if counts[i] == 0:
                raise fail(
                    "RS040.lacks-class",
                    name=name,
                    cases=class_cases(label, is_positive=is_positive),
                    scores=score_set[int(i)],
                )


def require_others(others: Any, name: str, score_set: ScoreSet) -> None:
    """RS040 if the system is to be compared with itself, or with nobody."""
    names = [others] if isinstance(others, str) else [str(own) for own in others]
    if not names or name in names:
        raise fail("RS040.itself", name=name, models=score_set.models, is_named=bool(names))


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
                raise fail(
                    "RS050.patients", first=first, second=ratings.cases[i], is_system=key[0] == "theirs"
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
    warn("RS219.system", name=name, auc=low)
    return (*notes, f"The scores of {name} may run the other way: an AUC of {low:.3f} is clearly below 1/2")
