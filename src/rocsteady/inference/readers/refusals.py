"""What keeps ratings from being a reader study: said with names, and with what to type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.from_scores import described, is_score_set, refuse_counts
from rocsteady.errors import Option, Remedy, RocsteadyError, fail
from rocsteady.inference.readers.wording import spoken
from rocsteady.words import class_cases, listed, named, plural, printable

if TYPE_CHECKING:
    from rocsteady.inference.readers.asked import Asked
    from rocsteady.inference.readers.study import ReaderRatings
    from rocsteady.scores.labels import Classes
    from rocsteady.scores.score_set import ScoreSet

_COLUMNS = "label='truth', score='rating', group='reader', model='modality', case='case'"
_MOST = 8
"""Cells that a message names; the others are counted."""


def require_reader_set(value: Any, function: str) -> ScoreSet:
    """``value`` if it is a set of scores without weights; else RS002 or RS038."""
    refuse_counts(value, function)
    if not is_score_set(value):
        made_by = "read_scores(path" if isinstance(value, str) else "ScoreSet.from_frame(table"
        call = f"{made_by}, {_COLUMNS})"
        raise fail("RS002.reader-set", function=function, found=described(value), call=call)
    if value.columns.weights is not None:
        raise fail("RS038.counted", function=function, scores=value)
    return value


def require_cases(score_set: ScoreSet) -> None:
    """RS027 if cases are not named; the rows of one reader's table are its cases."""
    cases = score_set.cases
    if cases is None or (not cases.are_named and len(score_set.groups) > 1):
        raise fail("RS027.no-cases", scores=score_set, are_numbered=cases is not None)


def one_modality(score_set: ScoreSet, chosen: Sequence[str], function: str) -> RocsteadyError:
    """RS027 for a single modality, or none."""
    models = score_set.models
    has_more = len(models) > len(chosen)
    return fail(
        "RS027.one-modality",
        function=function,
        chosen=chosen,
        models=models,
        example=list(models[:2]) if has_more else None,
        is_unnamed=not models,
        is_alone=not has_more,
    )


def require_random_readers(ratings: ReaderRatings, wanted: Asked) -> None:
    """RS027 if readers are random and a modality has one, whose spread says nothing of other readers."""
    n_readers = ratings.cells.sum(axis=1)
    if wanted.readers == "fixed" or n_readers.min() >= 2:
        return
    unit = printable(ratings.unit)
    if len(ratings.readers) == 1:
        found = f"one {unit}, {_name(ratings.unit, ratings.readers[0])}"
    else:
        few = [printable(ratings.modalities[i]) for i in np.flatnonzero(n_readers < 2)]
        found = f"one {unit} with {listed(few)}, and each {unit} read with one modality only"
    # What cannot be asked together with fixed readers has to be said as well.
    fixed: tuple[Any, ...] = (Option("readers", "fixed"),)
    if wanted.cases == "fixed":
        fixed += (", ", Option("cases", "random"))
    if wanted.method == "u-statistics":
        fixed += (", ", Option("method", "obuchowski-rockette"))
    remedies: list[Remedy] = [(f"about these very {plural(unit)}, on other cases:  ", *fixed)]
    alone = _read_by_one_of_its_own(ratings)
    if alone and n_readers.max() > 1:
        remedies.insert(
            0, f"one score of its own for each case:  compare_standalone(score_set, {alone[0]!r})"
        )
    if len(ratings.readers) == 1:
        remedies = [
            (f"about this very {unit}, on other cases (DeLong's test):  ", *fixed),
            ("if there were several, name the column that says who read:  ", Option("group", "...")),
        ]
    raise fail("RS027.one-reader", unit=unit, found=found, ways=remedies)


def require_known_errors(wanted: Asked, errors: Iterable[tuple[float, float]]) -> None:
    """RS030 where the variance of a difference came out below 0, which an unbiased estimate may."""
    errors = list(errors)
    n_unknown = sum(bool(np.isnan(error)) for error, _ in errors)
    if n_unknown:
        raise fail("RS030.negative", covariance=wanted.covariance, n=n_unknown, n_differences=len(errors))


def require_common_cases(is_read: NDArray[np.bool_], unit: str) -> None:
    """RS027 if every rating has a case of its own."""
    if is_read.any(axis=2).sum() < 2 or (is_read.sum(axis=(0, 1)) > 1).any():
        return
    unit = printable(unit)
    raise fail("RS027.read-once", unit=unit, n=int(is_read.any(axis=(0, 1)).sum()))


def rated_twice(
    case: str, reader: str, modality: str, ratings: Sequence[float], *, unit: str, n_others: int
) -> RocsteadyError:
    """RS029: a reader rated a case more than once with one modality."""
    return fail(
        "RS029.twice",
        case=case,
        n=len(ratings),
        unit=unit,
        reader=reader,
        modality=_modality(modality) if modality else None,
        ratings=[f"{value:g}" for value in ratings],
        others=n_others or None,
    )


def missing_cells(
    cells: Sequence[tuple[str, str]], whole: ReaderRatings, *, can_drop: bool, function: str
) -> RocsteadyError:
    """RS028: readers who did not read with every modality."""
    unit = printable(whole.unit)
    shown = [f"{_name(whole.unit, reader)} with {_modality(modality)}" for reader, modality in cells]
    remedies: list[Remedy] = []
    alone = _read_by_one_of_its_own(whole)
    if alone and function == "compare_readers":
        others = [name for name in whole.modalities if name not in alone]
        if len(others) > 1:
            remedies.append((f"the {plural(unit)} alone:  ", Option("modalities", others)))
        remedies.append(f"one score of its own for each case:  compare_standalone(score_set, {alone[0]!r})")
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
        missing=shown,
        ways=remedies or [f"give the ratings of these {plural(unit)}"],
    )


def _read_by_one_of_its_own(whole: ReaderRatings) -> list[str]:
    """Modalities that one reader read, who read nothing else: a standalone system among readers."""
    only_here = whole.cells & (whole.cells.sum(axis=0) == 1)
    is_alone = (whole.cells.sum(axis=1) == 1) & only_here.any(axis=1)
    return [whole.modalities[i] for i in np.flatnonzero(is_alone)]


def lacking_class(
    cells: Sequence[tuple[str, str, bool]], unit: str, classes: Classes, *, can_drop: bool
) -> RocsteadyError:
    """RS036: readers with cases of one class only; the flag says whether positives are lacking."""
    ways: list[Remedy] = ["give ratings of both classes"]
    if can_drop:
        ways.append((f"or leave such {plural(printable(unit))} out:  ", Option("missing", "drop")))
    reasons = "; ".join(_few(_lacking(cells, unit, classes)))
    return fail("RS036.readers", n=len(cells), unit=unit, reasons=reasons, ways=ways)


def reasons(
    empty: Sequence[tuple[str, str]], lacking: Sequence[tuple[str, str, bool]], unit: str, classes: Classes
) -> list[str]:
    """Why readers were left out."""
    return [
        *(f"{_name(unit, reader)}: no ratings with {_modality(modality)}" for reader, modality in empty),
        *_lacking(lacking, unit, classes),
    ]


def _lacking(cells: Sequence[tuple[str, str, bool]], unit: str, classes: Classes) -> list[str]:
    found = []
    for reader, modality, lacks_positives in cells:
        label = classes.positive if lacks_positives else classes.negative
        of_class = printable(class_cases(label, is_positive=lacks_positives))
        found.append(
            f"{_name(unit, reader)}: no {of_class}{f' with {_modality(modality)}' if modality else ''}"
        )
    return found


def _few(found: list[str]) -> list[str]:
    return found if len(found) <= _MOST + 1 else [*found[:_MOST], f"{len(found) - _MOST} more"]


def _name(unit: str, reader: str) -> str:
    return printable(named(unit, reader))


def _modality(name: str) -> str:
    return printable(spoken(name))
