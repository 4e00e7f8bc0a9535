"""``rocsteady plan FILE --case ...``: readers and cases of a study in which readers share cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from rocsteady.cli.columns import panel_option
from rocsteady.cli.compare.readers.options import (
    PANEL,
    Effects,
    Typed,
    as_words,
    measure_of,
    require_modalities,
)
from rocsteady.cli.plan.words import typed_in_shell
from rocsteady.errors import RocsteadyError, fail

if TYPE_CHECKING:
    from rocsteady.planning.readers import ReaderPlan
    from rocsteady.scores import ScoreSet

_MOST_TIMES = 20
"""Nobody multiplies the present cases by more; it is a number of cases."""
EFFECTS = tuple(effect.value for effect in Effects)

MarginOption = Annotated[
    float | None,
    panel_option(
        "--margin",
        panel=PANEL,
        metavar="NUMBER",
        help="Plan to show that one modality is not inferior within this margin, not that they differ.",
    ),
]
EquivalenceOption = Annotated[
    bool,
    panel_option("--equivalence", panel=PANEL, metavar="", help="With --margin: that they are equivalent."),
]
ReadersOption = Annotated[
    Effects | None,
    panel_option(
        "--readers",
        panel=PANEL,
        help="random: for other readers too (the default). fixed: for these very readers. --cases the same.",
    ),
]
CasesNumberOption = Annotated[
    int | None,
    panel_option(
        "--n-cases", panel=PANEL, metavar="N", help="So many cases, to read how many readers they need."
    ),
]


@dataclass(frozen=True)
class Asked(Typed):
    """What was typed for a reader study."""

    readers: str | None = None
    cases: str | None = None
    covariance: str | None = None
    measure: str | None = None
    margin: float | None = None
    equivalence: bool | None = None
    n_cases: int | None = None


def asked_of(*, cases: str | None, equivalence: bool, **given: Any) -> Asked:
    """The options, enumerations as their words; ``--cases`` only where it is no list of numbers."""
    effect = cases if cases in EFFECTS else None
    return Asked(**as_words(given), cases=effect, equivalence=equivalence or None)


def refuse_without_study(asked: Asked, found: str) -> None:
    """RS002 if something of a reader study was asked of a file that is none, or of no file."""
    if asked.typed:
        raise fail("RS002.plan-of-readers", option=asked.typed[0], found=found)


def is_study(score_set: ScoreSet, names: list[str] | None, others: dict[str, Any]) -> bool:
    """Whether the file is planned as a reader study: shared cases, two modalities, nothing else wanted."""
    from rocsteady.inference.matching import is_like_a_reader_study

    is_of_one = len(score_set.models) < 2 or (names is not None and len(names) < 2)
    if is_of_one or any(value is not None for value in others.values()):
        return False
    return is_like_a_reader_study(score_set)


def refuse_numbers_of_cases(score_set: ScoreSet, wanted: list[float] | None) -> None:
    """RS002 if ``--cases`` has numbers of cases for a reader study, not times the present ones."""
    from rocsteady.inference.matching import is_like_a_reader_study

    numbers = [n for n in wanted or [] if _MOST_TIMES <= n < float("inf")]
    if numbers and len(score_set.models) > 1 and is_like_a_reader_study(score_set):
        raise fail("RS002.times-the-cases", n=numbers[0])


def plan_study(
    score_set: ScoreSet, names: list[str] | None, asked: Asked, options: dict[str, Any]
) -> ReaderPlan:
    """The plan; ``options`` are those that every plan has."""
    from rocsteady.planning.plan import plan

    require_modalities(names or [], score_set.models)
    try:
        found: ReaderPlan = plan(
            score_set,
            readers=asked.readers or "random",
            cases=asked.cases or "random",
            covariance=asked.covariance,
            measure=measure_of(asked.measure),
            margin=asked.margin,
            test="equivalence" if asked.equivalence else None,
            n_cases=asked.n_cases,
            modalities=None if names is None else tuple(names),
            **options,
        )
        return found
    except RocsteadyError as error:
        raise typed_in_shell(error) from error


def needed(plan: ReaderPlan) -> str:
    """What ``--quiet`` prints: the cases that the readers need, else the readers that the cases need."""
    number = plan.readers_needed if plan.n_readers is None else plan.cases_needed
    return f"{number:g}"
