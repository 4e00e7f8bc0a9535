"""What ``rocsteady compare`` prints of a reader study: the answer, the tables, the methods, what is next."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocsteady.cli import program
from rocsteady.cli.compare.readers.tables import show_study_tables
from rocsteady.cli.compare.words import translated
from rocsteady.cli.console import show, show_command
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from rocsteady.cli.compare.readers.making import StudyFound

_FOR_PLANS = ("--models", "--covariance", "--unmatched")
_EXAMPLE = "0.05"
"""A difference to plan for; nobody but the reader knows which one matters."""


def show_study(found: StudyFound, typed: Sequence[str], asked: Sequence[str]) -> None:
    """The answer first; ``typed`` is the file and its columns, ``asked`` the options of the study."""
    from rocsteady.show.sentences.readers import said

    show()
    for sentence in _answer(found):
        _tell(translated(sentence))
    show()
    show_study_tables(found)
    show()
    show(said(printable(found.main.random)))
    if _has_single_readers(found):
        show(_of_single_readers(found.main))
    for note in found.main.notes:
        show(translated(said(note)))
    show()
    _show_methods(found)
    _show_next(found, typed, asked)


def _tell(sentence: str) -> None:
    """A paragraph; tests like F(1, 15.1) = 4.48 and p = 0.05 stay on one line."""
    whole = re.sub(r"F\((\S+), (\S+)\) = ", "F(\\1,\u00a0\\2)\u00a0=\u00a0", sentence)
    show(re.sub(r"\bp ([=<>]) ", "p\u00a0\\1\u00a0", whole))


def _answer(found: StudyFound) -> list[str]:
    from rocsteady.show.sentences.readers import of_answer, of_design, of_margin, of_size, of_system

    own = found.main
    size = of_size(
        own.ratings.classes,
        own.n_positives,
        own.n_negatives,
        n_readers=len(own.readers),
        unit=own.unit,
        n_modalities=len(own.modalities),
    )
    if found.comparison is None:
        answer = [f"{printable(own.standalone)} against {plural(printable(own.unit))}: {size}.", ""]
        answer.append(of_system(own))  # notes, and what is random, stand under the tables
    else:
        answer = [f"A reader study: {size}; {of_design(own.design, own.unit)}.", "", of_answer(own)]
    for test in found.margins:
        answer += ["", of_margin(test)]
    return answer


def _has_single_readers(found: StudyFound) -> bool:
    """Whether the tables have tests of single readers."""
    own = found.comparison
    if own is None:
        return True
    return len(own.readers) > 1 and len(own.differences) == 1 and len(own.per_reader) > 0


def _of_single_readers(own: Any) -> str:
    unit = printable(own.unit)
    return (
        f"What is said of a single {unit} is about that very {unit} and other cases; these p-values are not "
        f"adjusted for the number of {plural(unit)}."
    )


def _show_methods(found: StudyFound) -> None:
    from rocsteady.show.sentences.reader_methods import (
        TO_ADD,
        margin_methods,
        of_comparison,
        of_standalone,
        results_of,
        standalone_results,
    )

    show("Methods and results, ready to paste:")
    show()
    of_margin = margin_methods(found.margins)
    if found.comparison is None:
        show(of_standalone(found.standalone, of_margin))
        results = standalone_results(found.standalone)
    else:
        show(of_comparison(found.comparison, of_margin))
        results = results_of(found.comparison)
    show()
    _tell(results)
    show()
    show(TO_ADD)


def _show_next(found: StudyFound, typed: Sequence[str], asked: Sequence[str]) -> None:
    """Commands to go on with: the figure, a plan."""
    commands = [["compare", *typed, *asked, "-o", "readers.png"]]
    is_open = _is_worth_planning(found)
    if is_open:
        pairs = zip(asked[::2], asked[1::2], strict=True)
        kept = [word for pair in pairs if pair[0] in _FOR_PLANS for word in pair]
        commands.append(["plan", *typed, *kept, "--difference", _EXAMPLE])
    show()
    show("Next:")
    for command in commands:
        show_command(f"{program.typed()} {shlex.join(command)}")
    if is_open:  # planning for what was seen is planning for luck
        show(f"In place of {_EXAMPLE} put the smallest difference that would matter, not the one seen.")


def _is_worth_planning(found: StudyFound) -> bool:
    """Whether two modalities are not told apart, in a way that a plan can be made for."""
    own: Any = found.comparison
    if own is None or len(own.differences) != 1 or len(own.readers) < 2 or own.measure != "AUC":
        return False
    if own.method == "u-statistics" or own.ratings.is_nested:  # plans are of crossed studies
        return False
    return not own.differences[0].is_decided
