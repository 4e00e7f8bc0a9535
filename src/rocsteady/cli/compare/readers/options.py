"""The options of a reader study, and what is typed behind them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from rocsteady.cli.columns import panel_option
from rocsteady.errors import Option, RocsteadyError, UsageError, fail, near_match
from rocsteady.words import number_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocsteady.scores import ScoreSet

ANALYSES = ("obuchowski-rockette", "u-statistics")
PANEL = "Reader studies (--case: the same cases in several groups)"
_PLACES = {"spec": "specificity", "sens": "sensitivity", "t": "threshold"}


class Effects(StrEnum):
    """What readers or cases are taken for."""

    RANDOM = "random"
    FIXED = "fixed"


class Covariance(StrEnum):
    """How the luck of the cases is estimated."""

    DELONG = "delong"
    JACKKNIFE = "jackknife"
    UNBIASED = "unbiased"
    BOOTSTRAP = "bootstrap"


ReadersOption = Annotated[
    Effects | None,
    panel_option(
        "--readers",
        panel=PANEL,
        help="random: what would other readers find? (the default). fixed: these very readers.",
    ),
]
CasesOption = Annotated[
    Effects | None,
    panel_option(
        "--cases",
        panel=PANEL,
        help="random: what would other cases show? (the default). fixed: these very cases.",
    ),
]
CovarianceOption = Annotated[
    Covariance | None,
    panel_option(
        "--covariance",
        panel=PANEL,
        help="How errors of readers who see the same cases go together; delong for the AUC unless said.",
    ),
]
MeasureOption = Annotated[
    str | None,
    panel_option(
        "--measure",
        panel=PANEL,
        metavar="MEASURE",
        help="What each reader is measured by: auc (the default), pauc=fpr:0..0.1, sens@spec=0.9, "
        "spec@sens=0.9, sens@t=3 (ratings from 3 on are called positive), spec@t=3, tpr@fpr=0.1.",
    ),
]
MarginOption = Annotated[
    float | None,
    panel_option(
        "--margin",
        panel=PANEL,
        metavar="NUMBER",
        help="Is the first modality not inferior to the second, within this margin, and are they equivalent? "
        "Say which is which:  --models NEW,REFERENCE.",
    ),
]
StandaloneOption = Annotated[
    str | None,
    panel_option(
        "--standalone",
        panel=PANEL,
        metavar="MODEL",
        help="A model that scored each case once (AI, CAD), on its own scale: compare it with the readers.",
    ),
]
StandaloneThresholdOption = Annotated[
    float | None,
    panel_option(
        "--standalone-threshold",
        panel=PANEL,
        metavar="NUMBER",
        help="With --standalone and a measure at a threshold: the threshold on the scale of that model.",
    ),
]


class Typed:
    """Fields named like the options that they were typed with; None where nothing was said."""

    @property
    def typed(self) -> list[str]:
        """The options that were given."""
        return [f"--{name.replace('_', '-')}" for name, value in vars(self).items() if value is not None]


@dataclass(frozen=True)
class Study(Typed):
    """What was asked of a reader study."""

    readers: str | None = None
    cases: str | None = None
    covariance: str | None = None
    method: str | None = None
    measure: str | None = None
    margin: float | None = None
    standalone: str | None = None
    standalone_threshold: float | None = None

    @property
    def again(self) -> list[str]:
        """The options as they were typed."""
        values = [f"{value}" for value in vars(self).values() if value is not None]
        return [word for pair in zip(self.typed, values, strict=True) for word in pair]


def study_of(method: str | None, **given: Any) -> Study:
    """The options, enumerations as their words; of methods only those of reader studies."""
    return Study(**as_words(given), method=method if method in ANALYSES else None)


def as_words(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options with enumerations as the words that they stand for."""
    return {name: getattr(value, "value", value) for name, value in given.items()}


def with_analyses(error: RocsteadyError, name: str | None) -> RocsteadyError:
    """RS001 of an unknown ``--method``, with the analyses of reader studies among the known."""
    if error.entry != "RS001.none":
        return error
    meant = near_match(f"{name}", ANALYSES)
    ways = [Option("method", meant)] if meant else error.remedies
    known = [*error.facts["known"], *ANALYSES]
    return fail("RS001.none", what="average or analysis", name=name, known=known, ways=ways)


def require_standalone(study: Study) -> None:
    """RS002 if an option of standalone systems comes without one, or an analysis that such have not."""
    if study.standalone is None and study.standalone_threshold is not None:
        raise fail("RS002.standalone-threshold")
    if study.standalone is not None and study.method == "u-statistics":
        raise fail("RS002.standalone-method")


def refuse_both(study: Typed, others: Mapping[str, Any], *, what: str) -> None:
    """RS002 if options of reader studies and others are given; ``what`` says what the others are for."""
    other = [name for name, value in others.items() if value is not None]
    if not (study.typed and other):
        return
    raise fail("RS002.for-readers", option=study.typed[0], other=other[0], purpose=what)


def refuse_requirements(required: Sequence[object]) -> None:
    """RS002 if something is required of a reader study: requirements are about averages over groups."""
    if required:
        raise fail("RS002.required-of-readers")


def is_study_meant(score_set: ScoreSet, study: Study, others: Mapping[str, Any]) -> bool:
    """Whether the readers' page is meant: by its options, or as groups share cases and nothing says other."""
    from rocsteady.inference.matching import is_like_a_reader_study

    if study.typed:
        return True
    return all(value is None for value in others.values()) and is_like_a_reader_study(score_set)


def measure_of(text: str | None) -> Any:
    """``sens@spec=0.9`` as the library takes it; RS042 for what is no measure."""
    if text is None or text.casefold() == "auc":
        return "auc"
    try:
        return _measure(text)
    except UsageError as error:
        raise _typed_here(error, text) from None


def _measure(text: str) -> Any:
    from rocsteady.curves.statistics import PartialAuc, statistic_of

    name, _, value = text.partition("=")
    what, _, where = name.casefold().partition("@")
    if what == "pauc" and not where:
        axis, _, span = value.partition(":")
        limits = [number_of(part, may_be_percent=True) for part in span.split("..")]
        if axis in ("fpr", "tpr") and len(limits) == 2 and not any(map(math.isnan, limits)):
            span_of = (limits[0], limits[1])
            return PartialAuc(fpr=span_of) if axis == "fpr" else PartialAuc(tpr=span_of)
        raise fail("RS042.reader-measure", text=text, example="pauc=fpr:0..0.1")
    number = number_of(value, may_be_percent=where != "t")
    if not math.isnan(number):
        if what in ("sens", "spec") and where == "t":
            return statistic_of({"threshold": number, "rate": _PLACES[what]})
        if (what, where) in (("sens", "spec"), ("spec", "sens"), ("tpr", "fpr"), ("fpr", "tpr")):
            return statistic_of({_PLACES.get(where, where): number})
    raise fail("RS042.reader-measure", text=text, example="sens@spec=0.9")


def _typed_here(error: UsageError, text: str) -> UsageError:
    """The same error; numbers it says to give stand behind ``--measure``."""
    before = "".join(text.rpartition(":" if ":" in text else "=")[:2])

    def told(remedy: Any) -> Any:
        if not isinstance(remedy, Option):
            return remedy
        pair = remedy.value if isinstance(remedy.value, tuple) else (remedy.value,)
        return f"--measure {before}{'..'.join(f'{value:g}' for value in pair)}"

    return UsageError(error.code, error.problem, error.found, *map(told, error.remedies))


def require_modalities(named: Sequence[str], known: Sequence[str]) -> None:
    """RS001 for a modality that there is not, with all of ``--models`` to type; for the pages of a study."""
    for name in named if known else ():
        if name in known:
            continue
        others = [own for own in known if own not in named]
        meant = near_match(name, others) or (others[0] if len(others) == 1 else None)
        right = Option("models", [meant if own == name else own for own in named])
        ways = [right if meant else "name those with --models"]
        raise fail("RS001.none", what="modality", name=name, known=known, ways=ways)
