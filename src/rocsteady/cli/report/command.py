"""``rocsteady report FILE``: the main job, a table of scores in, the answer out."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns
from rocsteady.cli import deployment as deploying
from rocsteady.cli.compare.readers.forgotten import of_forgotten_cases
from rocsteady.cli.console import console, show, show_warnings, working
from rocsteady.cli.files import require_other_file, require_other_rows
from rocsteady.cli.large_options import (
    MEMORY,
    EngineOption,
    LargeFile,
    MemoryOption,
    ToleranceOption,
    large_of,
)
from rocsteady.cli.outcome import collected_warnings
from rocsteady.cli.reading import (
    output_flag,
    read_file,
    score_names,
    show_what_was_read,
    typed_again,
)
from rocsteady.cli.report import options
from rocsteady.cli.report.making import command_of, is_typed, make
from rocsteady.cli.report.page import in_short, show_answers, show_page, show_written
from rocsteady.cli.report.several_classes import pointing_on
from rocsteady.cli.report.words import for_report, told_for_report
from rocsteady.cli.requirements import RequireOption, exit_code, requirements_of, show_verdicts
from rocsteady.cli.vocabulary import Words, names_in, speaking
from rocsteady.cli.writing import write_file
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from rocsteady.report.data import DataSummary
    from rocsteady.scores import ScoreSet


@told_for_report
def report(
    context: typer.Context,
    file: LargeFile,
    *,
    group: columns.Group = None,
    label: columns.Label = None,
    score: columns.Score = None,
    model: columns.Model = None,
    case: columns.Case = None,
    weight: columns.Weight = None,
    repeat: columns.Repeat = None,
    design: columns.Design = None,
    positive: columns.Positive = None,
    low_is_positive: columns.LowIsPositive = False,
    deploy: deploying.DeployOption = None,
    hold: deploying.HoldOption = None,
    weigh: deploying.WeighOption = None,
    costs: deploying.CostsOption = None,
    prevalence: deploying.PrevalenceOption = None,
    at: options.AtOption = None,
    confidence_level: options.LevelOption = 0.95,
    boot: options.BootOption = 2000,
    seed: options.SeedOption = 0,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    engine: EngineOption = None,
    tolerance: ToleranceOption = None,
    memory: MemoryOption = MEMORY,
    min_per_class: options.MinimumOption = 1,
    cutoff_from: options.FromOption = None,
    allow_reversed: columns.AllowReversed = False,
    output: options.OutputOption = Path("report.html"),
    overwrite: Annotated[bool, output_flag("--overwrite", help="Replace a file that is no report.")] = False,
    title: options.TitleOption = "",
    words: options.WordsOption = Words.ML,
    json: Annotated[bool, output_flag("--json", help="Print JSON on standard output, nothing else.")] = False,
    require: RequireOption = None,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[bool, output_flag("--quiet", "-q", help="Only errors.")] = False,
) -> None:
    """Average, compare and explain the ROC curves in FILE; write a self-contained HTML report.

    If you do not say how the scores will be used (--deploy), you are asked on a terminal; elsewhere all
    averages are shown and none is recommended.
    """
    from rocsteady.report.summary.settings import Settings

    began = time.perf_counter()
    columns.require_different(label=label, score=score, group=group, model=model)
    options.require_page(output, overwrite=overwrite)
    requirements, points = requirements_of(require), at or []
    share = deploying.share_of("prevalence", prevalence)
    declared = options.checked(deploying.Declared(deploy, hold, weigh, costs, share), points)
    asked: dict[str, Any] = {
        "confidence_level": confidence_level,
        "n_resamples": boot,
        "seed": seed,
        "at": tuple(options.places_asked(points, declared)),
        "words": words.value,
        "min_per_class": min_per_class,
        "title": title,
    }
    read: dict[str, Any] = {
        "group": group,
        "label": label,
        "score": columns.score_columns(score),
        "model": model,
        "case": case,
        "weight": weight,
        "repeat": repeat,
        "design": None if design is None else design.value,
        "readings": columns.positive_readings(positive),
        "higher_is_positive": not low_is_positive,
        "on_missing": on_missing.value,
        "allow_reversed": allow_reversed,
        "large": large_of(engine, tolerance, memory),
    }
    with collected_warnings() as warned, working(f"Reading {printable(file)}") as tell:
        read["large"] = replace(read["large"], tell=tell)
        Settings(**asked)  # refuses what is no number before a large file is read
        score_set, data, other = _read(file, cutoff_from, read, quiet=json or quiet)
        asked |= {} if other is None else {"cutoff_from": other}
    named = score_names(score, score_set)
    if not (is_silent := json or quiet):
        show_what_was_read(data, score_set, named, file, read)
    answered = declared
    if declared.is_half or (declared.is_missing and data.is_grouped and data.n_groups > 1):
        stopped = time.perf_counter()
        answered = _answered(
            declared, score_set, points, context, can_ask=not is_silent, must=bool(requirements)
        )
        began += time.perf_counter() - stopped  # how long somebody thinks is not how long this takes
    asked["command"] = command_of(context, answered, declared)
    with collected_warnings(), working("Averaging") as tell:  # the report keeps its own warnings
        deployment = None if answered.is_missing else answered.deployment()
        settings = Settings(**asked, progress=tell, spelled=for_report)
        warned = [*warned, *of_forgotten_cases(score_set)]
        made = make(score_set, deployment, settings, warned, requirements)
        # Somebody who asks for JSON and names no file wants JSON and no file.
        is_written = not json or is_typed(context, "output")
        content = made.page() if is_written else b""
    if is_written:
        write_file(output, content, overwrite=True)
    warned = [finding.warning for finding in made.summary.warnings]
    if json:
        print(made.json(), end="")
    elif not quiet:
        show_page(
            made.summary, [f"{typed_again(context)} {own}" for own in deploying.answers_at(points)], named[0]
        )
        show_answers(made.summary, asked["command"] if answered is not declared else "")
        if warned and console().is_terminal:  # elsewhere warnings go another way
            show()
    with speaking(words, names_in(score_set)):
        # Where no warning may be, one is an error.
        show_warnings([] if is_silent and not strict else map(in_short, warned))
        show_verdicts(made.verdicts, quiet=is_silent)
    if not is_silent:
        show_written(output, len(content), time.perf_counter() - began)
    raise typer.Exit(exit_code(made.verdicts, is_strict=strict, has_warnings=bool(warned)))


def _answered(
    declared: deploying.Declared,
    score_set: ScoreSet,
    points: list[str],
    context: typer.Context,
    *,
    can_ask: bool,
    must: bool,
) -> deploying.Declared:
    """What was declared and what is answered when somebody is there; RS093 if an answer ``must`` be had."""
    units = printable(plural(score_set.unit))
    if can_ask and deploying.can_ask():
        return deploying.with_point(deploying.ask(units, declared), points)
    if must or declared.is_half:  # which of the averages would have to meet what is required?
        raise deploying.undeclared_error(units, typed_again(context), points)
    return declared


def _read(
    file: str, cutoff_from: str | None, read: dict[str, Any], *, quiet: bool
) -> tuple[ScoreSet, DataSummary, ScoreSet | None]:
    """The rows, what is in them, and those that thresholds are found on; RS002 if they are the same."""
    if cutoff_from is not None:
        require_other_file(file, cutoff_from)
    scores = read["score"]
    with pointing_on([scores] if isinstance(scores, str) else scores or []):
        score_set, data = read_file(file, quiet=quiet, **read)
    if cutoff_from is None:
        return score_set, data, None
    other, _ = read_file(cutoff_from, quiet=quiet, **read)
    require_other_rows(score_set, other)
    return score_set, data, other
