"""``rocsteady compare FILE``: which model is better, by how much, where, and how sure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns
from rocsteady.cli import deployment as deploying
from rocsteady.cli.averages import AtJumps
from rocsteady.cli.compare import options
from rocsteady.cli.compare.answers import Answer, ModelsAnswer
from rocsteady.cli.compare.files import kind_of
from rocsteady.cli.compare.making import Settings, make, verdicts_of
from rocsteady.cli.compare.missing_models import with_models
from rocsteady.cli.compare.next_step import typed_columns
from rocsteady.cli.compare.readers import options as study_options
from rocsteady.cli.compare.readers.answer import study_answer
from rocsteady.cli.compare.readers.forgotten import of_forgotten_cases, told_to_leave, with_same_names
from rocsteady.cli.compare.words import for_terminal, said_once, says_what_to_type, with_prevalence
from rocsteady.cli.completion import complete_methods
from rocsteady.cli.console import show_warnings, working
from rocsteady.cli.methods import JumpsOption, method_of, with_jumps
from rocsteady.cli.outcome import collected_warnings
from rocsteady.cli.reading import output_flag, read_file, show_what_was_read
from rocsteady.cli.requirements import RequireOption, exit_code, requirements_of, show_verdicts
from rocsteady.cli.vocabulary import Words, WordsOption, names_in, speaking
from rocsteady.cli.writing import write_file
from rocsteady.errors import RocsteadyError, UsageError
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.methods import Method


@says_what_to_type
def compare(
    file: columns.File,
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
    models: options.ModelsOption = None,
    unmatched: options.UnmatchedOption = columns.Unmatched.RAISE,
    unpaired: options.UnpairedOption = False,
    method: Annotated[
        str | None,
        deploying.option(
            "--method",
            metavar="NAME",
            help="The average that is compared, instead of --deploy: vertical, horizontal, threshold, "
            "pooled, diagonal, radial, tangent, alarm-rate (with --prevalence). Of reader studies: "
            "obuchowski-rockette or u-statistics.",
            autocompletion=complete_methods,
        ),
    ] = None,
    at_jumps: JumpsOption = None,
    deploy: deploying.DeployOption = None,
    hold: deploying.HoldOption = None,
    weigh: deploying.WeighOption = None,
    prevalence: deploying.PrevalenceOption = None,
    at: options.AtOption = None,
    fpr: options.FprOption = None,
    tpr: options.TprOption = None,
    costs: options.CostsOption = None,
    alerts: options.AlertsOption = None,
    readers: study_options.ReadersOption = None,
    cases: study_options.CasesOption = None,
    covariance: study_options.CovarianceOption = None,
    measure: study_options.MeasureOption = None,
    margin: study_options.MarginOption = None,
    standalone: study_options.StandaloneOption = None,
    standalone_threshold: study_options.StandaloneThresholdOption = None,
    random: options.RandomOption = None,
    adjust: options.AdjustOption = options.Adjust.HOLM,
    nadeau_bengio: options.SharedTrainingOption = False,
    confidence_level: options.LevelOption = 0.95,
    boot: options.BootOption = 2000,
    seed: options.SeedOption = 0,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    allow_reversed: columns.AllowReversed = False,
    output: options.OutputOption = None,
    overwrite: Annotated[bool, output_flag("--overwrite", help="Replace a file that is there.")] = False,
    words: WordsOption = Words.ML,
    json: Annotated[bool, output_flag("--json", help="Print JSON on standard output, nothing else.")] = False,
    require: RequireOption = None,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[bool, output_flag("--quiet", "-q", help="Only errors, and the table.")] = False,
) -> None:
    """Compare the models in FILE: AUC, operating points, and who wins where.

    Models are named by a column (-m), or have a column of scores each (-s old -s new).

    Groups that share cases (--case), as readers do, are a reader study.
    """
    columns.require_different(label=label, score=score, group=group, model=model, patient=patient)
    kind = kind_of(output)
    study = study_options.study_of(
        method,
        readers=readers,
        cases=cases,
        covariance=covariance,
        measure=measure,
        margin=margin,
        standalone=standalone,
        standalone_threshold=standalone_threshold,
    )
    method = method if study.method is None else None
    others = {
        "--method": method,
        "--at-jumps": at_jumps,
        "--deploy": deploy,
        "--hold": hold,
        "--weigh": weigh,
        "--prevalence": prevalence,
        "--at": at,
        "--fpr": fpr,
        "--tpr": tpr,
        "--costs": costs,
        "--alerts": alerts,
        "--random": random,
        "--unpaired": unpaired or None,
        "--nadeau-bengio": nadeau_bengio or None,
    }
    study_options.refuse_both(study, others, what="models over groups")
    study_options.require_standalone(study)
    study_options.measure_of(study.measure)  # refuses an unknown one before a large file is read
    requirements = requirements_of(require)
    share = deploying.share_of("prevalence", prevalence)
    declared = deploying.with_point(deploying.Declared(deploy, hold, weigh, costs, share), at or [])
    ranges: dict[str, Any] = {
        name: options.range_of(name, text) for name, text in (("fpr", fpr), ("tpr", tpr))
    }
    ranges |= {
        # Along the direction of costs they are one pair, and part of the average.
        "costs": None if method == "costs" else options.cost_range_of(costs),
        "alerts": options.range_of("alerts", alerts),
    }
    deployment = None if declared.is_missing else declared.deployment()
    options.require_models(models)
    settings = Settings(
        a=None,
        b=None,
        method=_method(method, at_jumps, declared, deployment),
        at=options.operating_points(at or [], declared),
        ranges=ranges,
        prevalence=share,
        random=None if random is None else random.value,
        is_unpaired=unpaired,
        unmatched=unmatched.value,
        adjust=None if adjust is options.Adjust.NONE else adjust.value,
        confidence_level=confidence_level,
        n_resamples=boot,
        seed=seed,
    )
    read: dict[str, Any] = {
        "group": group,
        "label": label,
        "score": columns.score_columns(score),
        "model": model,
        "case": case,
        "weight": weight,
        "repeat": repeat,
        "design": columns.design_of(design, repeat, is_of_folds=nadeau_bengio),
        "cluster": patient,
        "readings": columns.positive_readings(positive),
        "higher_is_positive": not low_is_positive,
        "on_missing": on_missing.value,
    }
    with collected_warnings() as warned:
        with working(f"Reading {printable(file)}"):
            score_set, summary = read_file(file, allow_reversed=allow_reversed, quiet=quiet, **read)
        settings = settings.of_models(*options.models_of(models, score_set.models))
        is_study = study_options.is_study_meant(score_set, study, others)
        with working("Comparing"):
            try:
                answer: Answer = (
                    study_answer(score_set, study, settings, requirements)
                    if is_study
                    else ModelsAnswer(
                        make(score_set, settings),
                        score_set,
                        settings,
                        deployment,
                        others,
                        verdicts_of(score_set, settings, requirements),
                    )
                )
            except RocsteadyError as error:
                raise with_prevalence(
                    with_same_names(with_models(error, score_set, file, read, settings), score_set), share
                ) from error
    told = [*warned, *([] if is_study else of_forgotten_cases(score_set))]
    warned = [for_terminal(told_to_leave(own, others), settings.method) for own in said_once(told)]
    everything = [*warned, *(for_terminal(finding.warning) for finding in summary.findings)]
    text = answer.json(warned, summary.findings, to_file=kind == "json") if json or kind == "json" else ""
    if output is not None:
        with working("Drawing"):
            write_file(output, answer.content(kind, text), overwrite=overwrite)
    if json:
        print(text, end="")
    with speaking(words, names_in(score_set)):
        if quiet and not json:
            answer.show_table()
        elif not json:
            show_what_was_read(summary, score_set, score or [score_set.columns_chosen["score"]])
            named = {
                "-g": group, "-y": label, "-s": score, "-m": model, "--case": case, "--patient": patient,
                "--repeat": repeat, "--design": read["design"],
            }  # fmt: skip
            drops = {} if on_missing is columns.OnMissing.RAISE else {"--on-missing": on_missing.value}
            flags = {"--low-is-positive": low_is_positive, "--allow-reversed": allow_reversed}
            answer.show_page(typed_columns(file, {**named, "-p": positive, **drops}, flags=flags))
            show_warnings(everything, written=output)
        show_verdicts(answer.verdicts, quiet=quiet or json)
    raise typer.Exit(exit_code(answer.verdicts, is_strict=strict, has_warnings=bool(everything)))


def _method(
    name: str | None,
    at_jumps: AtJumps | None,
    declared: deploying.Declared,
    deployment: Deployment | None,
) -> Method:
    """The average that was named or follows from the deployment; else the vertical one, which is said."""
    from rocsteady.averaging.methods import Vertical

    try:
        named = method_of(name, None, declared)
    except UsageError as error:
        raise study_options.with_analyses(error, name) from None
    if named is None:
        named = Vertical() if deployment is None else deployment.method
    return with_jumps(named, at_jumps) or named
