"""``rocsteady plan FILE``: how many more groups, cases in each, or readers would settle it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer

from rocsteady.cli import options
from rocsteady.cli.files import table_bytes
from rocsteady.cli.options import STUDY, Columns, Drawn, Rows, Shown, SomeModels, Use, option, reader_measure
from rocsteady.cli.runner import Run
from rocsteady.errors import fail

if TYPE_CHECKING:
    from rocsteady.show.document import Block
    from rocsteady.study import Study

_GOAL = "What is wanted"
_NUMBERS = "Without FILE, from numbers alone"
_TABLE = "Table"
_EFFECTS = ("random", "fixed")
_MOST_TIMES = 20
"""Nobody multiplies the present cases by more; it is a number of cases."""


@dataclass(frozen=True)
class Goal:
    """What is wanted; None where it was not said."""

    rate: Annotated[
        Literal["tpr", "fpr"] | None,
        option(_GOAL, "--rate", help="Which rate at --at t=0.5; the TPR unless said."),
    ] = None
    half_width: Annotated[
        float | None,
        option(_GOAL, "--half-width", metavar="NUMBER", help="Wanted of the interval for the mean."),
    ] = None
    difference: Annotated[
        float | None,
        option(
            _GOAL,
            "--difference",
            metavar="NUMBER",
            help="True difference of two models that a test is to find: the smallest that would matter. "
            "Without it the one seen takes its place (RS297).",
        ),
    ] = None
    power: Annotated[
        float, option(_GOAL, "--power", help="Chance that a test finds it.", show_default=True)
    ] = 0.8
    assurance: Annotated[
        float | None,
        option(
            _GOAL,
            "--assurance",
            metavar="SHARE",
            help="Chance that the half-width comes out no wider than wanted, for example 0.9; it counts "
            "that what there is now is a small pilot.",
        ),
    ] = None
    within: Annotated[
        Literal["formula", "bootstrap"],
        option(
            "Uncertainty",
            "--within",
            help="Sampling error of the cases in a group: by formula, or by resampling them.",
            show_default=True,
        ),
    ] = "formula"


@dataclass(frozen=True)
class Numbers:
    """What is planned from in place of a file; the ratio of the classes is for reader studies too."""

    auc: Annotated[
        float | None, option(_NUMBERS, "--auc", metavar="AUC", help="The AUC that is expected.")
    ] = None
    null: Annotated[
        float | None,
        option(_NUMBERS, "--null", metavar="AUC", help="What it is tested against; 0.5 unless said."),
    ] = None
    other_auc: Annotated[
        float | None,
        option(_NUMBERS, "--other-auc", metavar="AUC", help="Of another model on the same cases."),
    ] = None
    correlation: Annotated[
        float | None,
        option(
            _NUMBERS,
            "--correlation",
            metavar="R",
            help="Of the two AUCs over samples of cases: plan FILE --models A,B of a pilot says it; 0 for "
            "separate cases.",
        ),
    ] = None
    n_positives: Annotated[
        int | None,
        option(_NUMBERS, "--n-positives", metavar="N", help="To read the power of so many cases."),
    ] = None
    n_negatives: Annotated[int | None, option(_NUMBERS, "--n-negatives", metavar="N", help="The same.")] = (
        None
    )
    ratio: Annotated[
        float | None,
        option(
            _NUMBERS,
            "--ratio",
            metavar="NUMBER",
            help="Negatives for each positive; 1, of a reader study as now.",
        ),
    ] = None


@dataclass(frozen=True)
class OfReaders(options.ReaderStudy):
    """What is for reader studies alone."""

    n_cases: Annotated[
        int | None,
        option(STUDY, "--n-cases", metavar="N", help="So many cases, to read how many readers they need."),
    ] = None
    margin: Annotated[
        float | None,
        option(
            STUDY,
            "--margin",
            metavar="NUMBER",
            help="Plan to show that one modality is not inferior within this margin, not that they differ.",
        ),
    ] = None
    equivalence: Annotated[
        bool, options.flag(STUDY, "--equivalence", help="With --margin: that they are equivalent.")
    ] = False


@dataclass(frozen=True)
class Sizes:
    """The rows and columns of the table."""

    groups: Annotated[
        str | None,
        option(
            _TABLE,
            "--groups",
            "--n-readers",
            metavar="N,N",
            help="Numbers of groups or readers, for example 10,20,50.",
        ),
    ] = None
    cases: Annotated[
        str | None,
        option(
            _TABLE,
            "--cases",
            metavar="X,X",
            help="Times the present cases, for example 1,2,5,inf. Of a reader study: random or fixed.",
        ),
    ] = None


@options.command
def plan(
    context: typer.Context,
    columns: Columns,
    rows: Rows,
    models: SomeModels,
    use: Use,
    goal: Goal,
    numbers: Numbers,
    study: OfReaders,
    sizes: Sizes,
    drawn: Drawn,
    shown: Shown,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="What there is now, as for rocsteady check: several groups, or one dataset. Or no file, and "
            "--auc.",
            show_default=False,
        ),
    ] = None,
    unmatched: Annotated[
        Literal["raise", "drop"],
        option(
            "Data handling",
            "--unmatched",
            show_default=True,
            help="What to do with groups and cases that one of two models has not scored.",
        ),
    ] = "raise",
    output: Annotated[
        Path | None,
        options.written("Write the table to a file too: .csv, .json (everything) or .parquet."),
    ] = None,
    overwrite: options.Overwrite = False,
) -> None:
    """Plan how much more data would settle it: more groups, more cases in each, or neither.

    FILE is what there is now: several groups, or one dataset, whose cases are then planned. Where groups
    share cases (--case), as readers do, it is a reader study, and readers and cases are planned. Without FILE
    --auc plans the cases of a single curve.
    """
    run = Run(context, shown, output=output, example="plan.csv", overwrite=overwrite)
    given = [name for name, value in asdict(numbers).items() if value is not None]
    if file is None:
        _from_numbers(run, numbers, goal, drawn, given, typed=_typed(study, sizes))
    others = [f"--{name.replace('_', '-')}" for name in given if name != "ratio"]
    if others:
        raise fail("RS002.plan-of-numbers", option=others[0], options=" and ".join(others))
    is_of_auc = not use.at or [own.strip().casefold() for own in use.at] == ["auc"]
    use = replace(use, at=None) if is_of_auc else use
    times = None if sizes.cases in _EFFECTS else _list("cases", sizes.cases, float)
    designs = _list("groups", sizes.groups, int), times
    options_of = {
        True: _options_of_study(study, sizes, goal, numbers, drawn, designs[0]),
        False: _options_of_groups(use, goal, drawn, models),
    }
    found = run.study(file, columns, rows, use=use, drawn=drawn, models=models)
    is_study = _is_study(found, study, sizes, designs, options_of[False], names=models.names())
    with run.working("Planning"), found.catching():
        made = _planned(found, is_study, options_of[is_study], unmatched, bool(models.models))
        table = made.table if is_study else made.table(*designs)
    columns_of = {name: list(values) for name, values in table._columns().items()}
    run.finish(
        found,
        data=lambda: found.to_dict("check") | _facts(made, columns_of),
        blocks=lambda: _blocks(made, table, has_cases=study.n_cases is not None),
        quiet_blocks=lambda: [_needed(made)],
        content=lambda kind: table_bytes(columns_of, kind),
        warned=[own.warning for own in found.check.findings if own.warning.code == "RS201"],
    )


def _from_numbers(
    run: Run, numbers: Numbers, goal: Goal, drawn: Drawn, given: list[str], *, typed: list[str]
) -> NoReturn:
    """The cases of a single curve."""
    from rocsteady.planning.plan import plan as make
    from rocsteady.show.sentences.planning import auc as reading
    from rocsteady.text import Quote, phrase

    if typed:
        raise fail("RS002.plan-of-readers", option=typed[0], found="no file")
    if numbers.auc is None:
        words = [f"--{name.replace('_', '-')}" for name in given]
        raise fail("RS002.plan-of-nothing", given=" and ".join(words) or "neither")
    if run.output is not None:
        raise fail("RS002.plan-table", output=run.output)
    wanted: dict[str, Any] = {name: own for name, own in asdict(numbers).items() if name != "auc"}
    wanted |= {"half_width": goal.half_width, "power": goal.power}
    made = make(numbers.auc, confidence_level=drawn.confidence_level, **wanted)
    needed = phrase("{n}", n=Quote(f"{made.n_positives:g} {made.n_negatives:g}"))
    run.finish(
        data=lambda: {"schema_version": 2, "plan": made.to_dict(), "warnings": []},
        blocks=lambda: [reading(made)],
        quiet_blocks=lambda: [needed],
    )


def _typed(study: OfReaders, sizes: Sizes) -> list[str]:
    """What was typed for reader studies."""
    return [*study.typed, *(["--cases"] if sizes.cases in _EFFECTS else [])]


def _options_of_study(
    study: OfReaders, sizes: Sizes, goal: Goal, numbers: Numbers, drawn: Drawn, n_readers: list[int] | None
) -> dict[str, Any]:
    return {
        "readers": study.readers or "random",
        "cases": sizes.cases if sizes.cases in _EFFECTS else "random",
        "covariance": study.covariance,
        "measure": reader_measure(study.measure),
        "margin": study.margin,
        "test": "equivalence" if study.equivalence else None,
        "n_cases": study.n_cases,
        "n_readers": n_readers,
        "ratio": numbers.ratio,
        "difference": goal.difference,
        "power": goal.power,
        "confidence_level": drawn.confidence_level,
        "n_resamples": drawn.resamples,
        "seed": drawn.seed,
    }


def _options_of_groups(use: Use, goal: Goal, drawn: Drawn, models: SomeModels) -> dict[str, Any]:
    """As the library's plan takes them; what cannot be is refused before a large file is read."""
    from rocsteady.places import ON_CURVES
    from rocsteady.planning.groups import measure_of, target_of

    places = use.places(among=ON_CURVES, task="plan for")
    options: dict[str, Any] = asdict(goal) | {
        "measure": places[0].to_dict() if places else "auc",
        "confidence_level": drawn.confidence_level,
        "n_resamples": drawn.resamples,
        "seed": drawn.seed,
    }
    measure_of(options["measure"], goal.rate)
    pair = models.names() if len(models.names()) == 2 else None
    difference = goal.difference if pair else None  # whether it needs two models, a file of readers decides
    wanted = (options[name] for name in ("power", "confidence_level", "assurance"))
    target_of(pair, goal.half_width, difference, *wanted)
    return options


def _is_study(
    found: Study, study: OfReaders, sizes: Sizes, designs: Any, options: dict[str, Any], *, names: list[str]
) -> bool:
    """Whether the file is planned as a reader study: shared cases, two modalities, nothing else wanted."""
    from rocsteady.inference.matching import is_like_a_reader_study

    typed, is_named = _typed(study, sizes), found.scores.cases is not None and found.scores.cases.are_named
    if typed and not is_named:
        raise fail("RS002.plan-of-readers", option=typed[0], found="no column of cases")
    usual = {"measure": "auc", "within": "formula"}
    others = any(
        options[name] != usual.get(name) for name in ("measure", "rate", "half_width", "assurance", "within")
    )
    if typed and others:
        name = next(
            own
            for own in ("half_width", "assurance", "rate", "within", "measure")
            if options[own] != usual.get(own)
        )
        option = {"half_width": "--half-width", "measure": "--at"}.get(name, f"--{name}")
        ways = [f"leave out  {option}", f"or leave out  {typed[0]}"]
        raise fail(
            "RS002.together", name=option, other="a plan of a reader study", value=options[name], ways=ways
        )
    is_like_one = len(found.scores.models) > 1 and is_like_a_reader_study(found.scores)
    times = [own for own in designs[1] or [] if _MOST_TIMES <= own < math.inf]
    if is_like_one and times:
        raise fail("RS002.times-the-cases", n=times[0])
    return bool(typed) or (is_like_one and not others and designs[1] is None)


def _planned(found: Study, is_study: bool, options: dict[str, Any], unmatched: str, is_named: bool) -> Any:
    from rocsteady.planning.plan import plan as make

    if is_study:
        names = found.scores.models if is_named else None
        return make(found.scores, modalities=names, missing=unmatched, **options)
    models = found.scores.models if is_named and len(found.scores.models) == 2 else None
    use = found.deployment
    is_shared = use is not None and use.is_shared and options["measure"] != "auc" and not found.is_alone
    method = ("pooled" if use.weigh == "rows" else "threshold") if is_shared and use is not None else None
    return make(found.scores, models=models, method=method, undefined="drop", unmatched=unmatched, **options)


def _list(name: str, text: str | None, kind: type) -> list[Any] | None:
    """``10,20,50`` as a list; RS042 for what is no number."""
    if text is None:
        return None
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        where, example = "numbers with commas between them", "10,20,50" if kind is int else "1,2,5,inf"
        ways = [f"--{name} {example}"]
        raise fail("RS042", name=f"--{name}", where=where, found=text, ways=ways) from None


def _facts(made: Any, table: dict[str, Any]) -> dict[str, Any]:
    from rocsteady.results import plain

    return {"plan": plain(made.to_dict()), "table": plain(table)}


def _blocks(made: Any, table: Any, *, has_cases: bool) -> list[Block]:
    from rocsteady.show.sections import plan as section

    return section.blocks(made, table, has_cases=has_cases)


def _needed(made: Any) -> Block:
    """What a script would read: groups, cases or readers; without a target the half-width there is."""
    from rocsteady.text import Quote, phrase

    cases = made.cases_needed
    if hasattr(made, "readers_needed"):
        found = [made.readers_needed if made.n_readers is None else cases]
    elif made.groups_needed is not None:
        found = [made.groups_needed]
    else:
        found = [made.half_width] if cases is None else [cases.positives, cases.negatives]
    return phrase("{n}", n=Quote(" ".join(f"{own:g}" for own in found)))
