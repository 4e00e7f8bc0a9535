"""``rocsteady advise``: two questions, the average that answers them, and what others would have said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import columns
from rocsteady.cli import deployment as deploying
from rocsteady.cli.completion import complete_methods
from rocsteady.cli.console import (
    console,
    dash,
    fitting_name,
    plain_table,
    show,
    show_command,
    show_first_fitting,
    show_warnings,
    working,
)
from rocsteady.cli.methods import method_of
from rocsteady.cli.outcome import DONE, STRICT, collected_warnings
from rocsteady.cli.reading import output_flag, read_file, typed_again
from rocsteady.cli.shell_words import says_what_to_type, where_nothing_averages
from rocsteady.cli.vocabulary import Words, WordsOption, names_in, speaking
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from rocsteady.advice.advise import Advice, Answer
    from rocsteady.advice.deployment import Deployment
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.scores import ScoreSet
    from rocsteady.statistics.limits import Interval

SCHEMA_VERSION = 1


@says_what_to_type
def advise(
    context: typer.Context,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="Scores, to see how much other averages would change the answer; as for rocsteady check.",
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
    positive: columns.Positive = None,
    low_is_positive: columns.LowIsPositive = False,
    deploy: deploying.DeployOption = None,
    hold: deploying.HoldOption = None,
    weigh: deploying.WeighOption = None,
    costs: deploying.CostsOption = None,
    prevalence: deploying.PrevalenceOption = None,
    at: Annotated[
        str | None,
        deploying.option(
            "--at",
            metavar="POINT",
            help="The operating point: fpr=0.05, tpr=0.9, t=0.5, eer, alerts=0.02, or 1:2 with --hold ratio.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        deploying.option(
            "--method",
            metavar="NAME",
            help="An average you mean to use, to be warned where it does not fit.",
            autocompletion=complete_methods,
        ),
    ] = None,
    folds: Annotated[
        bool | None,
        typer.Option(
            "--folds/--no-folds",
            help="Groups are folds of a cross-validation; by default where their column says so.",
            rich_help_panel="Data handling",
            show_default=False,
        ),
    ] = None,
    on_missing: columns.Missing = columns.OnMissing.RAISE,
    allow_reversed: columns.AllowReversed = False,
    confidence_level: Annotated[
        float, typer.Option("--confidence-level", help="Of all intervals.", rich_help_panel="Uncertainty")
    ] = 0.95,
    seed: Annotated[int, typer.Option("--seed", help="Of resamples.", rich_help_panel="Uncertainty")] = 0,
    words: WordsOption = Words.ML,
    as_json: Annotated[
        bool, output_flag("--json", help="Print JSON on standard output, nothing else.")
    ] = False,
    strict: Annotated[bool, output_flag("--strict", help="Exit 4 if there are warnings.")] = False,
    quiet: Annotated[bool, output_flag("--quiet", "-q", help="Only errors.")] = False,
) -> None:
    """Two questions on how scores will be used; which average answers, and why.

    With FILE: what every other average says, and which model it has ahead.
    """
    from rocsteady.advice.advise import advise as give_advice

    columns.require_different(label=label, score=score, group=group, model=model)
    share = deploying.share_of("prevalence", prevalence)
    declared = answered = deploying.Declared(deploy, hold, weigh, costs, share, at)
    deploying.require_deploy(declared)
    named = method_of(method, None, declared)
    asks = declared.is_missing and deploying.can_ask() and not as_json
    command = typed_again(context)
    if declared.is_missing and not asks:
        raise deploying.undeclared_error("groups", command)
    chosen = declared.deployment() if not declared.is_missing else None
    score_set: ScoreSet | None = None
    with collected_warnings() as warned:
        if file is not None:
            with working(f"Reading {printable(file)}"):
                score_set, _ = read_file(
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
                    readings=columns.positive_readings(positive),
                    higher_is_positive=not low_is_positive,
                    on_missing=on_missing.value,
                    quiet=quiet,
                )
        if chosen is None:
            units = plural(score_set.unit) if score_set is not None else "groups"
            answered = deploying.ask(printable(units), declared)
            chosen = answered.deployment()
        with working("Averaging"):
            advice = give_advice(
                chosen,
                score_set,
                method=named,
                folds=folds,
                confidence_level=confidence_level,
                seed=seed,
            )
    everything = [where_nothing_averages(warning) for warning in [*warned, *advice.warnings]]
    if as_json:
        print(json.dumps(_as_json(advice, score_set, everything), indent=2, allow_nan=False))
    elif not quiet:
        with speaking(words, names_in(score_set) if score_set is not None else []):
            _print(advice)
            if asks:
                show("The same without questions:")
                show_command(f"{command} {deploying.as_options(answered, declared)}")
                show()
            show_warnings(everything)
    raise typer.Exit(STRICT if strict and everything else DONE)


def _print(advice: Advice) -> None:
    show(printable(advice.reading))
    show()
    show("Why:")
    for reason in advice.because:
        show(f"  {printable(str(reason))}")
    show()
    if not advice.answers:
        return
    several = len(advice.answers) > 1
    level = f"{100 * advice.answers[0].auc_interval.confidence_level:g} %"
    measure = advice.answers[0].measure
    read = f"AUC and {measure}" if measure else "AUC"
    paired = f"{level} intervals, paired over {plural(advice.unit)}"
    show(f"How much the answer changes with another average ({paired}):")
    show(f"{read}.")
    show()
    for own in advice.answers:
        if several:
            show(printable(own.model))
        wide, narrow = (_table(advice, own, heading) for heading in _headings(advice.deployment))
        show_first_fitting(wide, narrow, wide)
        show()
    show(_questions(advice))
    show()
    if advice.contests:
        show(f"Which model wins, by {advice.contests[0].measure}:")
        show()
        show(_contests(advice))
        show()
    if advice.cost_range is not None:
        show(f"Between the ends of the costs, every {printable(advice.unit)} tuned to them:")
        show()
        show(_costs(advice))
        show()


def _headings(deployment: Deployment) -> tuple[str, str]:
    """What is read at the operating point, by its name and by a shorter one."""
    line = deployment.line
    if line is None:
        return "", ""
    if line.free == "cost":
        return "cost", "cost"
    is_error = line.held == "balance" and deployment.at == 0
    return ("error", "error") if is_error else (line.free.upper(), "rate")


def _table(advice: Advice, own: Answer, heading: str) -> Table:
    """The recommended average, then the others with their differences to it."""
    rows = [own, *(other for other in advice.alternatives if other.model == own.model)]
    has_value = own.value is not None
    table = plain_table("average", "AUC", "difference", *([heading, "difference"] if has_value else []))
    for row in rows:
        cells = [f"{row.auc:.3f}", _gap(row, "auc", row is own)]
        if has_value:
            cells += [f"{row.value:.3f}", _gap(row, "value", row is own)]
        table.add_row(short_name(row.method), *cells, style="bold" if row is own else None)
    return table


def _questions(advice: Advice) -> Table:
    """What each average answers."""
    table = plain_table("average", "answers")
    table.columns[1].justify = "left"
    table.columns[1].no_wrap = False
    first = advice.answers[0]
    for row in [first, *(other for other in advice.alternatives if other.model == first.model)]:
        note = getattr(row, "note", "")
        table.add_row(short_name(row.method), f"{row.question}; {note}" if note else row.question)
    return table


def short_name(method: Any) -> str:
    """A method in a table: without its values, which the deployment has."""
    from rocsteady.averaging.methods import AtAlarmRate, AtAngle, AtCosts, Pooled

    if isinstance(method, AtAlarmRate | AtCosts):
        return "alarm-rate" if isinstance(method, AtAlarmRate) else "costs"
    return str(method.label if isinstance(method, AtAngle | Pooled) else method.name)


def _gap(row: Answer, name: str, is_first: bool) -> str:
    interval: Interval | None = getattr(row, f"{name}_interval")
    if is_first or interval is None:
        return "recommended" if is_first else dash(console())
    gap = getattr(row, f"{name}_difference")
    if gap == 0 and interval.low == 0 == interval.high:
        return "the same"
    return f"{signed(gap)} {limits(interval)}".rstrip()


def signed(number: float) -> str:
    """Three places and a sign; none for what rounds to nothing."""
    rounded = round(number, 3) + 0.0
    return f"{rounded:+.3f}" if rounded else "0.000"


def limits(interval: Interval) -> str:
    """The ends of an interval in brackets; nothing where it is not known."""
    if interval.low != interval.low:
        return ""
    return f"({signed(interval.low)} to {signed(interval.high)})"


def _contests(advice: Advice) -> RenderableType:
    table = plain_table("average", "winner", "", "ahead by")
    table.columns[1].justify = "left"
    for own in advice.contests:
        ahead = f"{own.difference:.3f} {limits(own.interval)}".rstrip()
        table.add_row(
            short_name(own.method),
            fitting_name(printable(own.winner or "equal")),
            "" if own.is_decided or own.winner is None else "undecided",
            dash(console()) if own.winner is None else ahead,
            style="bold" if own.is_recommended else None,
        )
    return table


def _costs(advice: Advice) -> RenderableType:
    table = plain_table("costs FP : FN", "model", "expected cost", "FPR", "TPR")
    for point in advice.cost_range.points if advice.cost_range else ():
        a, b = point.costs
        table.add_row(
            f"{a:.3g} : {b:.3g}",
            fitting_name(printable(point.model)) or "scores",
            _with_limits(point.cost, point.interval),
            f"{point.fpr:.3f}",
            f"{point.tpr:.3f}",
        )
    return table


def _with_limits(number: float, interval: Interval) -> str:
    if interval.low != interval.low:
        return f"{number:.4g}"
    return f"{number:.4g} ({interval.low:.4g} to {interval.high:.4g})"


def _as_json(advice: Advice, score_set: ScoreSet | None, warned: list[RocsteadyWarning]) -> dict[str, Any]:
    from rocsteady.report.data import Finding

    data = advice.to_dict()
    return {
        "schema_version": SCHEMA_VERSION,
        "source": score_set.source if score_set is not None else None,
        "deployment": data["deployment"],
        "recommended": data["method"],
        "chosen": data["chosen"],
        "reading": data["reading"],
        "because": data["because"],
        "averages": data["answers"],
        "alternatives": data["alternatives"],
        "comparison": data["contests"],
        "cost_range": data["cost_range"],
        "comparability": data["comparability"],
        "groups": list(score_set.groups) if score_set is not None else [],
        "warnings": [Finding(warning).to_dict() for warning in warned],
    }
