"""The options of ``rocsteady compare`` that no other command has, and what is typed behind them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from rocsteady.cli.columns import Unmatched, panel_option
from rocsteady.cli.deployment import Declared, costs_of
from rocsteady.cli.model_names import names_of, typed_names
from rocsteady.cli.points import places_of
from rocsteady.errors import Option, UsageError, fail
from rocsteady.words import number_of

_MODELS = "Models"
_RANGES = "Where (each has a map of who wins)"
_UNCERTAINTY = "Uncertainty"


class Random(StrEnum):
    """What is random."""

    GROUPS = "groups"
    CASES = "cases"


class Adjust(StrEnum):
    """How p-values of several pairs are adjusted."""

    HOLM = "holm"
    BH = "bh"
    NONE = "none"


ModelsOption = Annotated[
    list[str] | None,
    panel_option(
        "--models",
        panel=_MODELS,
        metavar="A,B",
        help="Two of the models; differences are A less B. One name: it against all others. Without it: all "
        "pairs. Names with commas: each with its own --models.",
    ),
]
UnmatchedOption = Annotated[
    Unmatched,
    panel_option(
        "--unmatched",
        panel=_MODELS,
        help="What to do about groups, and named cases, that some model has no scores for.",
        show_default=True,
    ),
]
UnpairedOption = Annotated[
    bool,
    panel_option(
        "--unpaired",
        panel=_MODELS,
        metavar="",
        help="The models scored other groups, or other cases: compare them as independent samples.",
    ),
]
AtOption = Annotated[
    list[str] | None,
    panel_option(
        "--at",
        panel=_RANGES,
        metavar="POINT",
        help="Operating point: fpr=0.05, tpr=0.9, alerts=0.02 (budgets, met again on other data); t=0.5, or "
        "t=old:0.5,new:2 (frozen thresholds). Repeatable.",
    ),
]
FprOption = Annotated[
    str | None,
    panel_option("--fpr", panel=_RANGES, metavar="LOW..HIGH", help="Range of FPRs, 0.02..0.5 unless said."),
]
TprOption = Annotated[
    str | None,
    panel_option("--tpr", panel=_RANGES, metavar="LOW..HIGH", help="Range of TPRs, for example 0.8..0.99."),
]
CostsOption = Annotated[
    str | None,
    panel_option(
        "--costs",
        panel=_RANGES,
        metavar="FP:FN..FP:FN",
        help="Range of costs, for example 1:2..1:20: who is cheaper if thresholds are tuned to them? Say the "
        "--prevalence too. Needs several groups.",
    ),
]
AlertsOption = Annotated[
    str | None,
    panel_option(
        "--alerts",
        panel=_RANGES,
        metavar="LOW..HIGH",
        help="Range of alert budgets, shares of cases called positive: 1%..20%. Say the --prevalence too. "
        "Needs several groups.",
    ),
]
RandomOption = Annotated[
    Random | None,
    panel_option(
        "--random",
        panel=_UNCERTAINTY,
        help="groups: what would other groups show? (the default for several). cases: these very groups, "
        "what would other cases show?",
    ),
]
AdjustOption = Annotated[
    Adjust,
    panel_option(
        "--adjust", panel=_UNCERTAINTY, help="For the number of pairs, if several.", show_default=True
    ),
]
SharedTrainingOption = Annotated[
    bool,
    panel_option(
        "--nadeau-bengio",
        panel=_UNCERTAINTY,
        metavar="",
        help="Groups are folds of one cross-validation and share training cases: correct t tests for that.",
    ),
]
LevelOption = Annotated[
    float,
    panel_option(
        "--confidence-level", panel=_UNCERTAINTY, help="Of intervals, bands and maps.", show_default=True
    ),
]
BootOption = Annotated[
    int,
    panel_option(
        "--boot", panel=_UNCERTAINTY, help="Resamples, or random flips of signs.", show_default=True
    ),
]
SeedOption = Annotated[
    int, panel_option("--seed", panel=_UNCERTAINTY, help="Of resamples.", show_default=True)
]
OutputOption = Annotated[
    Path | None,
    panel_option(
        "--output",
        "-o",
        panel="Output",
        metavar="PATH",
        help="Write to a file, as its ending says: .png, .pdf or .svg the figure; .csv or .parquet the "
        "differences; .json everything.",
    ),
]


def models_of(given: list[str] | None, known: Sequence[str] = ()) -> tuple[str | None, str | None]:
    """``a,b`` as two names, ``a`` as one; RS042 for more. A name that is ``known`` may have commas."""
    names = names_of(given, known)
    if len(names) > 2 or not all(names):
        example = typed_names(known[:2] if len(known) > 1 else ("old", "new"))
        ways = [f"two of them:  {example}", "all pairs: leave out  --models"]
        where, found = "one name, or two with a comma between them", ", ".join(given or [])
        raise fail("RS042", name="--models", where=where, found=found, ways=ways)
    first, second = [*names, None, None][:2]
    return first, second


def require_models(given: list[str] | None) -> None:
    """RS042, before a large file is read, for what cannot be one name or two; with commas it may be one."""
    if given is not None and (len(given) > 1 or given[0].count(",") < 2):
        models_of(given)


def require_thresholds(points: Sequence[dict[str, Any]], names: Sequence[str]) -> None:
    """RS002 if a model that is compared has none where others have one each."""
    for point in points:
        own: Any = point.get("threshold")
        missing = [name for name in names if name not in own] if isinstance(own, dict) else []
        if missing:
            example = next(iter(own.values()))
            every = ",".join(f"{name}:{own.get(name, example):g}" for name in names)
            ways = [Option("at", f"t={every}")]
            raise fail("RS002.threshold-of-model", model=missing[0], models=own, ways=ways)


def range_of(name: str, text: str | None) -> tuple[float, float] | None:
    """``0.02..0.5`` or ``1%..20%`` as two rates; RS042 if they are none."""
    from rocsteady.options import rate_range

    if text is None:
        return None
    example = {"fpr": "0.02..0.5", "tpr": "0.8..0.99", "alerts": "0.01..0.2"}[name]
    where = "two rates, LOW..HIGH, the lower one first"
    numbers = [number_of(part, may_be_percent=True) for part in text.split("..")]
    if len(numbers) != 2 or any(math.isnan(number) for number in numbers):
        remedies = [f"--{name} {example}"]
        if len(numbers) == 1 and 0 <= numbers[0] <= 1:
            along = " --method alarm-rate --prevalence 0.03" if name == "alerts" else ""
            remedies.append(f"a single one:  --at {name}={numbers[0]:g}{along}")
        raise fail("RS042", name=f"--{name}", where=where, found=text, ways=remedies)
    try:
        return rate_range(name, numbers)
    except UsageError:
        ways = [f"--{name} {example}"]
        raise fail("RS042", name=f"--{name}", where=where, found=text, ways=ways) from None


def cost_range_of(text: str | None) -> Any:
    """``1:2..1:20`` as two pairs; RS094 for a single one."""
    costs = costs_of(text)
    if costs is not None and not isinstance(costs[0], tuple):
        raise fail(
            "RS094.range-of-costs", text=text, false_positive=costs[0], lower=costs[1] / 2, upper=2 * costs[1]
        )
    return costs


def operating_points(given: list[str], declared: Declared) -> list[dict[str, Any]]:
    """``--at`` as the library takes it; RS092 for a point that models are not compared at."""
    from rocsteady.places import ON_AVERAGES

    places = places_of(given, declared, among=ON_AVERAGES, task="compare models at", by_model=True)
    return [place.to_dict() for place in places]
