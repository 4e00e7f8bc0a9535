"""What keeps ratings from being a reader study: said with names, and with what to type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.given import described, is_score_set, is_table, refuse_counts
from rocsteady.errors import DataError, Option, Remedy, UsageError
from rocsteady.inference.readers.wording import spoken
from rocsteady.words import class_cases, counted, grouped, listed, named, plural, printable

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
        remedy = f"ScoreSet.from_frame(table, {_COLUMNS})"
        if isinstance(value, str):
            remedy = f"read_scores(path, {_COLUMNS})"
        elif is_table(value):
            remedy = f"name its columns:  {remedy}"
        raise UsageError(
            "RS002",
            f"{function} takes a ScoreSet whose groups are readers and whose models are modalities.",
            f"found: {described(value)}",
            remedy,
        )
    if value.columns.weights is not None:
        raise UsageError(
            "RS038",
            f"{function} counts cases and does not take weights.",
            f"found: {value!r}",
            "leave the weights out",
        )
    return value


def require_cases(score_set: ScoreSet) -> None:
    """RS027 if cases are not named; the rows of one reader's table are its cases."""
    cases = score_set.cases
    if cases is None or (not cases.are_named and len(score_set.groups) > 1):
        how = "without cases" if cases is None else "whose rows are told apart by their place only"
        raise DataError(
            "RS027",
            "a reader study needs to know which case each rating is about.",
            f"found: {score_set!r} {how}",
            ("name the column that says it:  ", Option("case", "...")),
        )


def one_modality(score_set: ScoreSet, chosen: Sequence[str], function: str) -> DataError:
    """RS027 for a single modality, or none."""
    alone = "its mean over readers, with an interval:  summarize_readers(score_set)"
    remedies: list[Remedy] = [alone]
    if not score_set.models:
        found = "no column of modalities was named"
        by_column: Remedy = (
            "name the column that says with what each case was read:  ",
            Option("model", "..."),
        )
        remedies = [by_column, f"or, of one modality,  {alone}"]
    elif len(score_set.models) > len(chosen):
        found = (
            f"{', '.join(map(repr, chosen)) or 'none'} of {listed([repr(name) for name in score_set.models])}"
        )
        remedies = [Option("modalities", list(score_set.models[:2]))]
    else:
        found = f'"{printable(chosen[0])}"'
    return DataError("RS027", f"{function} needs two modalities or more.", f"found: {found}", *remedies)


def require_random_readers(ratings: ReaderRatings, wanted: Asked) -> None:
    """RS027 if readers are random and a modality has one, whose spread says nothing of other readers."""
    n_readers = ratings.cells.sum(axis=1)
    if wanted.readers == "fixed" or n_readers.min() >= 2:
        return
    unit = printable(ratings.unit)
    if len(ratings.readers) == 1:
        found = f"found: one {unit}, {_name(ratings.unit, ratings.readers[0])}"
    else:
        few = [printable(ratings.modalities[i]) for i in np.flatnonzero(n_readers < 2)]
        found = f"found: one {unit} with {listed(few)}, and each {unit} read with one modality only"
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
    units = plural(unit)
    problem = f"with one {unit} of a modality nothing can be said of other {units}."
    raise DataError("RS027", problem, found, *remedies)


def require_known_errors(wanted: Asked, errors: Iterable[tuple[float, float]]) -> None:
    """RS030 where the variance of a difference came out below 0, which an unbiased estimate may."""
    errors = list(errors)
    n_unknown = sum(bool(np.isnan(error)) for error, _ in errors)
    if n_unknown:
        raise UsageError(
            "RS030",
            f"the {wanted.covariance} covariance of these cases gives a difference a variance below 0.",
            f"found: {n_unknown} of {counted(len(errors), 'difference')}; such an estimate says nothing",
            Option("covariance", "delong"),
        )


def require_common_cases(is_read: NDArray[np.bool_], unit: str) -> None:
    """RS027 if every rating has a case of its own."""
    if is_read.any(axis=2).sum() < 2 or (is_read.sum(axis=(0, 1)) > 1).any():
        return
    unit = printable(unit)
    raise DataError(
        "RS027",
        f"no case was read twice: by two {plural(unit)}, or with two modalities.",
        f"found: {counted(int(is_read.any(axis=(0, 1)).sum()), 'case')}, one rating each",
        ("the same case must have the same name wherever it was read:  ", Option("case", "...")),
        f"if all cases differ, the {plural(unit)} are independent groups:  compare(score_set)",
    )


def rated_twice(
    case: str, reader: str, modality: str, ratings: Sequence[float], *, unit: str, n_others: int
) -> DataError:
    """RS029: a reader rated a case more than once with one modality."""
    times = "twice" if len(ratings) == 2 else f"{len(ratings)} times"
    more = f"; {counted(n_others, 'other case')} as well, by this reader or another" if n_others else ""
    with_modality = f" with {_modality(modality)}" if modality else ""
    return DataError(
        "RS029",
        f'the case "{printable(case)}" is rated {times} by {_name(unit, reader)}{with_modality}.',
        f"ratings: {listed([f'{value:g}' for value in ratings])}{more}",
        "keep one rating, if rows were doubled",
        ("if they are sessions or devices, name them as modalities:  ", Option("model", "...")),
        (
            "if they are lesions of a patient, name each as a case, and the patient:  ",
            Option("cluster", "..."),
        ),
    )


def missing_cells(
    cells: Sequence[tuple[str, str]], whole: ReaderRatings, *, can_drop: bool, function: str
) -> DataError:
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
    sizes = f"{counted(len(whole.modalities), 'modality')}, {counted(len(whole.readers), unit)}"
    return DataError(
        "RS028",
        f"{grouped(len(cells))} of {grouped(whole.cells.size)} cells ({sizes}) "
        f"{'has' if len(cells) == 1 else 'have'} no ratings.",
        f"missing: {listed(shown, most=_MOST)}",
        *(remedies or [f"give the ratings of these {plural(unit)}"]),
    )


def _read_by_one_of_its_own(whole: ReaderRatings) -> list[str]:
    """Modalities that one reader read, who read nothing else: a standalone system among readers."""
    only_here = whole.cells & (whole.cells.sum(axis=0) == 1)
    is_alone = (whole.cells.sum(axis=1) == 1) & only_here.any(axis=1)
    return [whole.modalities[i] for i in np.flatnonzero(is_alone)]


def lacking_class(
    cells: Sequence[tuple[str, str, bool]], unit: str, classes: Classes, *, can_drop: bool
) -> DataError:
    """RS036: readers with cases of one class only; the flag says whether positives are lacking."""
    one = printable(unit)
    problem = (
        f"a {one} has cases of one class only, so there is no curve."
        if len(cells) == 1
        else f"{grouped(len(cells))} cells of {one} and modality have cases of one class only, so there is "
        "no curve."
    )
    remedies: list[Remedy] = ["give ratings of both classes"]
    if can_drop:
        remedies.append((f"or leave such {plural(one)} out:  ", Option("missing", "drop")))
    return DataError("RS036", problem, "; ".join(_few(_lacking(cells, unit, classes))), *remedies)


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
