"""``rocsteady cutoff FILE``: choose a cut-off, say what it does, how sure it is, and what it is close to."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rocsteady.cli import columns
from rocsteady.cli.console import show_warnings, working
from rocsteady.cli.curve_files import as_csv, as_parquet, kind_of
from rocsteady.cli.cutoff import options
from rocsteady.cli.cutoff.criteria import usual, wanted_cutoffs
from rocsteady.cli.cutoff.files import as_json, table_of
from rocsteady.cli.cutoff.making import Made, Settings, make
from rocsteady.cli.cutoff.other_rows import (
    require_other_file,
    require_other_rows,
    require_something_to_choose,
)
from rocsteady.cli.deployment import Deploy, Weigh, share_of
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.plot.options import models_of
from rocsteady.cli.reading import output_flag, read_file, typed_again
from rocsteady.cli.shell_words import for_shell, says_what_to_type
from rocsteady.cli.vocabulary import Words, WordsOption, names_in, speaking
from rocsteady.cli.writing import write_file
from rocsteady.errors import Option, fail
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.scores import ScoreSet


@says_what_to_type
def cutoff(
    context: typer.Context,
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
    positive: columns.Positive = None,
    low_is_positive: columns.LowIsPositive = False,
    models: options.ModelsOption = None,
    criterion: options.CriterionOption = None,
    at: options.AtOption = None,
    costs: options.CostsOption = None,
    prevalence: options.PrevalenceOption = None,
    cutoff_from: options.FromOption = None,
    deploy: options.DeployOption = Deploy.SHARED,
    weigh: options.WeighOption = None,
    points: options.PointsOption = 30,
    nadeau_bengio: options.NadeauBengioOption = False,
    confidence_level: options.LevelOption = 0.95,
    boot: options.BootOption = 2000,
    seed: options.SeedOption = 0,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    allow_reversed: columns.AllowReversed = False,
    output: options.OutputOption = None,
    overwrite: Annotated[bool, output_flag("--overwrite", help="Replace a file that is there.")] = False,
    words: WordsOption = Words.ML,
    json: Annotated[bool, output_flag("--json", help="Print JSON on standard output, nothing else.")] = False,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[
        bool, output_flag("--quiet", "-q", help="Only errors, and the cut-offs, one number on each line.")
    ] = False,
) -> None:
    """Choose a cut-off: what it does, how sure it is, and which others cannot be told apart from it.

    Several groups share one cut-off unless --deploy own. Without a criterion the usual ones are compared.
    """
    columns.require_different(label=label, score=score, group=group, model=model)
    kind = kind_of(output)
    asked = wanted_cutoffs(criterion, at or [], costs)
    models_of(models)  # refuses an empty name before a large file is read
    settings = Settings(
        is_shared=deploy is Deploy.SHARED,
        weigh=(weigh or Weigh.GROUPS).value,
        prevalence=share_of("prevalence", prevalence),
        confidence_level=confidence_level,
        n_resamples=boot,
        seed=seed,
        n_points=points,
        only_overview=not asked,
    )
    _require_usable(settings, weigh)
    if cutoff_from is not None:
        require_something_to_choose(asked)
        require_other_file(file, cutoff_from)
    read = partial(
        read_file,
        allow_reversed=allow_reversed,
        group=group,
        label=label,
        score=columns.score_columns(score),
        model=model,
        case=case,
        weight=weight,
        repeat=repeat,
        design=columns.design_of(design, repeat, is_of_folds=nadeau_bengio),
        readings=columns.positive_readings(positive),
        higher_is_positive=not low_is_positive,
        on_missing=on_missing.value,
        quiet=quiet,
    )
    with collected_warnings() as warned:
        with working(f"Reading {printable(file)}"):
            score_set, summary = read(file)
            chosen_on = None if cutoff_from is None else read(cutoff_from)[0]
        if chosen_on is not None:
            require_other_rows(score_set, chosen_on)
        _require_groups(score_set, settings, weigh)
        with working("Choosing"):
            chosen = models_of(models, score_set.models)
            made = make(score_set, chosen_on, asked or usual(), settings, chosen)
    everything = [for_shell(warning) for warning in [*warned, *(f.warning for f in summary.findings)]]
    text = (
        as_json(made, settings, score_set, cutoff_from, warned, summary.findings)
        if json or kind == "json"
        else ""
    )
    if output is not None:
        _write(output, kind, made, text, overwrite=overwrite)
    if json:
        print(text, end="")
    elif quiet:
        print(*table_of(made)["threshold"], sep="\n")
    else:
        from rocsteady.cli.cutoff.page import show_page

        with speaking(words, names_in(score_set)):
            names = score or [score_set.columns_chosen["score"]]
            show_page(made, settings, summary, names, cutoff_from, typed_again(context))
            show_warnings(everything, written=output)
    raise typer.Exit(STRICT if strict and everything else DONE)


def _require_usable(settings: Settings, weigh: Weigh | None) -> None:
    """RS042 for numbers out of range, RS002 for what does not go together; before a large file is read."""
    from rocsteady.options import open_share, whole_number

    open_share("confidence_level", settings.confidence_level)
    if settings.n_resamples < 0 or settings.n_resamples == 1:
        where, n = "a whole number, at least 2, or 0 for no resamples", settings.n_resamples
        raise fail("RS042", name="--boot", where=where, found=n, ways=[Option("boot", 2000)])
    whole_number("seed", settings.seed, least=0, example=0)
    whole_number("points", settings.n_points, least=2, example=30)
    if weigh is not None and not settings.is_shared:
        raise fail("RS002.weigh-own", weigh=weigh.value)


def _require_groups(score_set: ScoreSet, settings: Settings, weigh: Weigh | None) -> None:
    """RS002 if something was said about groups and there are none."""
    if len(score_set.groups) > 1:
        return
    said = {
        "--deploy own": not settings.is_shared,
        f"--weigh {settings.weigh}": weigh is not None,
    }
    for option, is_said in said.items():
        if is_said:
            raise fail("RS002.one-group", option=option, name=option.split()[0])


def _write(output: Path, kind: str, made: list[Made], text: str, *, overwrite: bool) -> None:
    if kind == "json":
        content = text.encode()
    else:
        table = table_of(made)
        content = as_parquet(table) if kind == "parquet" else as_csv(table).encode()
    write_file(output, content, overwrite=overwrite)
