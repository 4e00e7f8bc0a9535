"""``rocsteady plan FILE``: how many more groups, or cases in each, would settle it."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns
from rocsteady.cli.console import say, show, show_warnings, working
from rocsteady.cli.curve_files import as_csv, as_parquet, kind_of
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.plan.numbers import Numbers, numbers_plan
from rocsteady.cli.plan.words import measure_of_place, typed_in_shell
from rocsteady.cli.reading import output_flag, read_file
from rocsteady.cli.shell_words import for_shell, says_what_to_type
from rocsteady.cli.writing import write_file
from rocsteady.errors import RocsteadyError, UsageError
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.inference.planning.plan import Plan
    from rocsteady.scores import ScoreSet

SCHEMA_VERSION = 1
_GOAL = "What is wanted"
_NUMBERS = "Without FILE, from numbers alone"


class Rate(StrEnum):
    """Which rate at a threshold."""

    TPR = "tpr"
    FPR = "fpr"


class Within(StrEnum):
    """Where the luck of the cases comes from."""

    FORMULA = "formula"
    BOOTSTRAP = "bootstrap"


def _option(*names: str, panel: str, help: str, metavar: str | None = None, default: bool = False) -> Any:
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=panel, show_default=default)


@says_what_to_type
def plan(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help='What there is now: CSV, TSV, Parquet or JSON lines, "-" for CSV from standard input. Or '
            "no file, and --auc.",
            show_default=False,
        ),
    ] = None,
    *,
    group: columns.Group = None,
    label: columns.Label = None,
    score: columns.Score = None,
    model: columns.Model = None,
    case: columns.Case = None,
    weight: columns.Weight = None,
    positive: columns.Positive = None,
    low_is_positive: columns.LowIsPositive = False,
    at: Annotated[
        str,
        _option(
            "--at",
            panel=_GOAL,
            metavar="PLACE",
            help="What is averaged over groups: auc; the TPR at fpr=0.05 (every group meets it itself); the "
            "FPR at tpr=0.9; a rate at t=0.5.",
            default=True,
        ),
    ] = "auc",
    rate: Annotated[
        Rate | None, _option("--rate", panel=_GOAL, help="Which rate at t=; the TPR unless said.")
    ] = None,
    models: Annotated[
        list[str] | None,
        _option(
            "--models",
            panel=_GOAL,
            metavar="A,B",
            help="Two models, to plan for their difference; or one of several. Names with commas: each with "
            "its own --models.",
        ),
    ] = None,
    half_width: Annotated[
        float | None,
        _option("--half-width", panel=_GOAL, metavar="NUMBER", help="Wanted of the interval for the mean."),
    ] = None,
    difference: Annotated[
        float | None,
        _option(
            "--difference",
            panel=_GOAL,
            metavar="NUMBER",
            help="True difference of two models that a test is to find; the one seen unless said.",
        ),
    ] = None,
    power: Annotated[
        float, _option("--power", panel=_GOAL, help="Chance that a test finds it.", default=True)
    ] = 0.8,
    assurance: Annotated[
        float | None,
        _option(
            "--assurance",
            panel=_GOAL,
            metavar="SHARE",
            help="Chance that the half-width comes out no wider than wanted, for example 0.9.",
        ),
    ] = None,
    auc: Annotated[
        float | None, _option("--auc", panel=_NUMBERS, metavar="AUC", help="The AUC that is expected.")
    ] = None,
    null: Annotated[
        float | None,
        _option("--null", panel=_NUMBERS, metavar="AUC", help="What it is tested against; 0.5 unless said."),
    ] = None,
    other_auc: Annotated[
        float | None,
        _option("--other-auc", panel=_NUMBERS, metavar="AUC", help="Of another model on the same cases."),
    ] = None,
    correlation: Annotated[
        float | None,
        _option(
            "--correlation",
            panel=_NUMBERS,
            metavar="R",
            help="Of the two AUCs over samples of cases: plan FILE --models A,B of a pilot says it; 0 for "
            "separate cases.",
        ),
    ] = None,
    n_positives: Annotated[
        int | None,
        _option("--n-positives", panel=_NUMBERS, metavar="N", help="To read the power of so many cases."),
    ] = None,
    n_negatives: Annotated[
        int | None, _option("--n-negatives", panel=_NUMBERS, metavar="N", help="The same.")
    ] = None,
    ratio: Annotated[
        float | None,
        _option("--ratio", panel=_NUMBERS, metavar="NUMBER", help="Negatives for each positive; 1."),
    ] = None,
    groups: Annotated[
        str | None,
        _option("--groups", panel="Table", metavar="N,N", help="Numbers of groups, for example 10,20,50."),
    ] = None,
    cases: Annotated[
        str | None,
        _option(
            "--cases", panel="Table", metavar="X,X", help="Times the present cases, for example 1,2,5,inf."
        ),
    ] = None,
    within: Annotated[
        Within,
        _option(
            "--within",
            panel="Uncertainty",
            help="Luck of the cases in a group: by formula, or by resampling them.",
            default=True,
        ),
    ] = Within.FORMULA,
    confidence_level: Annotated[
        float, _option("--confidence-level", panel="Uncertainty", help="Of the interval.", default=True)
    ] = 0.95,
    boot: Annotated[
        int, _option("--boot", panel="Uncertainty", metavar="N", help="Resamples.", default=True)
    ] = 2000,
    seed: Annotated[int, _option("--seed", panel="Uncertainty", help="Of resamples.", default=True)] = 0,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    unmatched: Annotated[
        columns.Unmatched,
        _option(
            "--unmatched",
            panel="Data handling",
            help="What to do with groups and cases that one of two models has not scored.",
            default=True,
        ),
    ] = columns.Unmatched.RAISE,
    allow_reversed: columns.AllowReversed = False,
    output: Annotated[
        Path | None,
        _option(
            "--output",
            "-o",
            panel="Output",
            metavar="PATH",
            help="Write the table to a file too, as its ending says: .csv, .json (everything) or .parquet.",
        ),
    ] = None,
    overwrite: Annotated[bool, output_flag("--overwrite", help="Replace a file that is there.")] = False,
    as_json: Annotated[
        bool, output_flag("--json", help="Print JSON on standard output, nothing else.")
    ] = False,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[
        bool,
        output_flag("--quiet", "-q", help="Only errors, and the groups (of one dataset: the cases) needed."),
    ] = False,
) -> None:
    """Plan how much more data would settle it: more groups, more cases in each, or neither.

    FILE is what there is now: several groups, or one dataset, whose cases are then planned. Without it --auc
    plans the cases of a single curve.
    """
    columns.require_different(label=label, score=score, group=group, model=model)
    kind = kind_of(output)
    numbers = Numbers(auc, null, other_auc, correlation, n_positives, n_negatives, ratio)
    if file is None:
        numbers.require(output)
        numbers_plan(numbers, half_width, power, confidence_level, as_json=as_json, quiet=quiet)
        raise typer.Exit(DONE)
    numbers.refuse()
    options: dict[str, Any] = {
        "measure": measure_of_place(at),
        "rate": None if rate is None else rate.value,
        "half_width": half_width,
        "difference": difference,
        "power": power,
        "assurance": assurance,
        "confidence_level": confidence_level,
        "within": within.value,
        "n_resamples": boot,
        "seed": seed,
        "unmatched": unmatched.value,
    }
    designs = _numbers("groups", groups, int), _numbers("cases", cases, float)
    _require_usable(models, options)
    with collected_warnings() as warned:
        with working(f"Reading {printable(file)}"):
            score_set, summary = read_file(
                file,
                allow_reversed=allow_reversed,
                group=group,
                label=label,
                score=columns.score_columns(score),
                model=model,
                case=case,
                weight=weight,
                readings=columns.positive_readings(positive),
                higher_is_positive=not low_is_positive,
                on_missing=on_missing.value,
            )
        with working("Planning"):
            found, table = _made(score_set, models, options, designs)
    findings = [finding for finding in summary.findings if finding.warning.code == "RS201"]
    told = [typed_in_shell(warning) for warning in [*warned, *(f.warning for f in findings)]]
    text = _as_json(found, table, score_set, told)
    if output is not None:
        content = text.encode() if kind == "json" else _written(table, kind)
        write_file(output, content, overwrite=overwrite)
    if as_json:
        print(text, end="")
    elif quiet:
        print(_needed(found))
    else:
        from rocsteady.cli.plan.page import show_plan
        from rocsteady.cli.reading import show_what_was_read

        show_what_was_read(summary, score_set, score or [score_set.columns_chosen["score"]])
        show()
        show_plan(found, table)
        if output is not None:
            say(f"{output}  written.")
        show_warnings([for_shell(warning) for warning in told])
    raise typer.Exit(STRICT if strict and told else DONE)


def _require_usable(models: list[str] | None, options: dict[str, Any]) -> None:
    """Errors about what is wanted, before a large file is read."""
    from rocsteady.inference.planning.measures import measure_of
    from rocsteady.inference.planning.plan import target_of

    names = ("half_width", "difference", "power", "confidence_level", "assurance")
    is_of_two = models is not None and (len(models) > 1 or "," in models[0])
    try:
        measure_of(options["measure"], options["rate"])
        target_of(models if is_of_two else None, *(options[name] for name in names))
    except RocsteadyError as error:
        raise typed_in_shell(error) from error


def _made(
    score_set: ScoreSet,
    models: list[str] | None,
    options: dict[str, Any],
    designs: tuple[list[Any] | None, list[Any] | None],
) -> tuple[Plan, Any]:
    """The plan and its table; what to type is typed in a shell."""
    from rocsteady.inference.planning.plan import plan as make_plan

    names = None if models is None else models[0].split(",") if len(models) == 1 else models
    if names is not None and models is not None and models[0] in score_set.models and len(models) == 1:
        names = models  # a comma may be part of a name
    try:
        if names is not None and len(names) == 1:
            score_set, names = score_set.model(names[0]), None
        found = make_plan(score_set, models=names, undefined="drop", **options)
        return found, found.table(*designs)
    except RocsteadyError as error:
        raise typed_in_shell(error) from error


def _needed(found: Plan) -> str:
    """Groups, of one dataset positives and negatives; without a target the half-width there is."""
    if found.groups_needed is not None:
        return f"{found.groups_needed:g}"
    cases = found.cases_needed
    return f"{found.half_width:g}" if cases is None else f"{cases.positives:g} {cases.negatives:g}"


def _numbers(name: str, text: str | None, kind: type) -> list[Any] | None:
    """``10,20,50`` as a list; RS042 for what is no number."""
    if text is None:
        return None
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        example = f"--{name} {'10,20,50' if kind is int else '1,2,5,inf'}"
        raise UsageError(
            "RS042", f"--{name} takes numbers with commas between them.", f"found: {text}", example
        ) from None


def _as_json(found: Plan, table: Any, score_set: ScoreSet, warned: list[RocsteadyWarning]) -> str:
    from rocsteady.counting.results import plain
    from rocsteady.report.data import Finding

    data = {
        "schema_version": SCHEMA_VERSION,
        "source": score_set.source,
        "columns_chosen": dict(score_set.columns_chosen),
        "positive": score_set.classes.positive,
        "negative": score_set.classes.negative,
        "plan": found.to_dict(),
        "table": {name: plain(values) for name, values in table._columns().items()},
        "groups": list(score_set.groups),
        "warnings": [Finding(warning).to_dict() for warning in warned],
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _written(table: Any, kind: str) -> bytes:
    columns_of = {name: values.tolist() for name, values in table._columns().items()}
    return as_parquet(columns_of) if kind == "parquet" else as_csv(columns_of).encode()
