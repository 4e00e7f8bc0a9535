"""``rocsteady advise``: two questions, the average that answers them, and what others would have said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import options, runner
from rocsteady.cli.options import Columns, Level, Named, Rows, Shown, Use, option
from rocsteady.cli.runner import Run

if TYPE_CHECKING:
    from rocsteady.advice.advise import Advice


@options.command
def advise(
    context: typer.Context,
    columns: Columns,
    rows: Rows,
    use: Use,
    named: Named,
    level: Level,
    shown: Shown,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]",
            help="Scores, to see how much other averages would change the answer; as for rocsteady check.",
            show_default=False,
        ),
    ] = None,
    folds: Annotated[
        bool | None,
        option(
            "Data handling",
            "--folds/--no-folds",
            help="Groups are folds of a cross-validation; by default where their column says so.",
        ),
    ] = None,
) -> None:
    """Two questions on how scores will be used; which average answers, and why.

    With FILE: what every other average says, and which model is better by it.
    """
    run = Run(context, shown)
    method = named.average(use)
    asks = (use.is_missing or use.is_half) and runner.can_ask() and not run.is_silent
    deployment = None if asks else use.deployment()
    if deployment is None and not asks:
        raise run.undeclared()
    study = None
    if file is not None:
        study = run.study(file, columns, rows, use=use, drawn=level, asks=True, needs_use=True)
        deployment = study.deployment
    elif asks:
        deployment = run.ask(use)
    made = _advice(run, deployment, study, method, folds, level)

    def data() -> dict[str, Any]:
        about: dict[str, Any] = {"schema_version": 2} if study is None else study.to_dict("check")
        told = [{"code": own.code, "problem": own.problem, "found": own.found} for own in made.warnings]
        found = made.to_dict()
        return about | {
            "deployment": found["deployment"],
            "recommended": found["method"],
            "advice": found,
            "warnings": [*about.get("warnings", []), *told],
        }

    def blocks() -> Any:
        from rocsteady.show.document import Command
        from rocsteady.show.sections import advice as section
        from rocsteady.text import say

        again = Command((*run.typed(), *run.added()))
        return [*section.blocks(made), *((say("The same without questions:"), again) if run.added() else ())]

    run.finish(study, data=data, blocks=blocks, warned=made.warnings)


def _advice(run: Run, deployment: Any, study: Any, method: Any, folds: bool | None, level: Level) -> Advice:
    from rocsteady.advice.advise import advise as give

    if study is not None and method is None and folds is None:
        found: Advice = study.advice
        return found
    with run.working("Averaging"):
        return give(
            deployment,
            None if study is None else study.scores,
            method=method,
            folds=folds,
            confidence_level=level.confidence_level,
            seed=level.seed,
        )
