"""``rocsteady plan FILE``: how many more groups, or cases in each, would settle it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rocsteady.cli import columns
from rocsteady.cli.compare.readers.options import CovarianceOption, MeasureOption
from rocsteady.cli.console import show, show_warnings, working
from rocsteady.cli.curve_files import kind_of
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.plan import readers as studies
from rocsteady.cli.plan.making import Wanted, make, numbers_of
from rocsteady.cli.plan.numbers import Numbers, numbers_plan
from rocsteady.cli.plan.words import measure_of_place, typed_in_shell
from rocsteady.cli.reading import output_flag, read_file
from rocsteady.cli.shell_words import for_shell, says_what_to_type
from rocsteady.cli.vocabulary import Words, WordsOption, names_in, speaking
from rocsteady.cli.writing import write_file
from rocsteady.words import printable

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
    repeat: columns.Repeat = None,
    design: columns.Design = None,
    patient: columns.Patient = None,
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
            help="True difference of two models that a test is to find: the smallest that would matter. "
            "Without it the one seen takes its place (RS297).",
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
            help="Chance that the half-width comes out no wider than wanted, for example 0.9; it counts that "
            "what there is now is a small pilot.",
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
        _option(
            "--ratio",
            panel=_NUMBERS,
            metavar="NUMBER",
            help="Negatives for each positive; 1, of a reader study as now.",
        ),
    ] = None,
    margin: studies.MarginOption = None,
    equivalence: studies.EquivalenceOption = False,
    readers: studies.ReadersOption = None,
    n_cases: studies.CasesNumberOption = None,
    measure: MeasureOption = None,
    covariance: CovarianceOption = None,
    groups: Annotated[
        str | None,
        _option(
            "--groups",
            "--n-readers",
            panel="Table",
            metavar="N,N",
            help="Numbers of groups or readers, for example 10,20,50.",
        ),
    ] = None,
    cases: Annotated[
        str | None,
        _option(
            "--cases",
            panel="Table",
            metavar="X,X",
            help="Times the present cases, for example 1,2,5,inf. Of a reader study: random or fixed.",
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
    words: WordsOption = Words.ML,
    as_json: Annotated[
        bool, output_flag("--json", help="Print JSON on standard output, nothing else.")
    ] = False,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[
        bool,
        output_flag(
            "--quiet",
            "-q",
            help="Only errors, and the groups (of one dataset or some readers: the cases) needed.",
        ),
    ] = False,
) -> None:
    """Plan how much more data would settle it: more groups, more cases in each, or neither.

    FILE is what there is now: several groups, or one dataset, whose cases are then planned. Where groups
    share cases (--case), as readers do, it is a reader study, and readers and cases are planned. Without FILE
    --auc plans the cases of a single curve.
    """
    columns.require_different(label=label, score=score, group=group, model=model, patient=patient)
    kind = kind_of(output)
    numbers = Numbers(auc, null, other_auc, correlation, n_positives, n_negatives, ratio)
    asked = studies.asked_of(
        readers=readers, cases=cases, covariance=covariance, measure=measure, margin=margin,
        equivalence=equivalence, n_cases=n_cases,
    )  # fmt: skip
    if file is None:
        studies.refuse_without_study(asked, "no file")
        numbers.require(output)
        numbers_plan(numbers, half_width, power, confidence_level, as_json=as_json, quiet=quiet)
        raise typer.Exit(DONE)
    has_cases = columns.names_cases(file, case)
    numbers.refuse(*(["ratio"] if has_cases else []))
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
    times = None if asked.cases else numbers_of("cases", cases, float)
    sizes = numbers_of("n-readers" if has_cases else "groups", groups, int)
    wanted = Wanted(models, options, (sizes, times), asked, numbers)
    wanted.require_usable(has_cases=has_cases)
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
                repeat=repeat,
                design=None if design is None else design.value,
                cluster=patient,
                readings=columns.positive_readings(positive),
                higher_is_positive=not low_is_positive,
                on_missing=on_missing.value,
                quiet=quiet,
            )
        with working("Planning"):
            made = make(score_set, wanted, has_cases=has_cases)
    findings = [finding for finding in summary.findings if finding.warning.code == "RS201"]
    told = [typed_in_shell(warning) for warning in [*warned, *(f.warning for f in findings)]]
    text = made.as_json(score_set, told)
    if output is not None:
        write_file(output, text.encode() if kind == "json" else made.written(kind), overwrite=overwrite)
    if as_json:
        print(text, end="")
    elif quiet:
        print(made.needed)
    else:
        from rocsteady.cli.reading import show_what_was_read

        with speaking(words, names_in(score_set)):
            show_what_was_read(summary, score_set, score or [score_set.columns_chosen["score"]])
            show()
            made.show()
            show_warnings([for_shell(warning) for warning in told], written=output)
    raise typer.Exit(STRICT if strict and told else DONE)
