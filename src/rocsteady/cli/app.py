"""The commands and what they have in common."""

from __future__ import annotations

from typing import Annotated

import typer

from rocsteady.cli.advise import advise
from rocsteady.cli.average import average
from rocsteady.cli.careful_command import CarefulCommand
from rocsteady.cli.check import check
from rocsteady.cli.classes import classes
from rocsteady.cli.compare import compare
from rocsteady.cli.count import count
from rocsteady.cli.cutoff import cutoff
from rocsteady.cli.demo import demo
from rocsteady.cli.explain import explain
from rocsteady.cli.outcome import installed_version
from rocsteady.cli.plan import plan
from rocsteady.cli.plot import plot
from rocsteady.cli.report import report
from rocsteady.cli.smroc import smroc
from rocsteady.cli.teach import teach

app = typer.Typer(
    name="rocsteady",
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rocsteady {installed_version('rocsteady')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def rocsteady(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            metavar="",  # else a flag is shown with <bool>
            callback=_print_version,
            is_eager=True,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """One honest ROC curve from many: what it means, and how sure it is."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_ANSWERS = (report, average, compare, cutoff, classes, smroc, plot, plan, count, advise, check)
for command in (*_ANSWERS, teach, explain, demo):
    app.command(cls=CarefulCommand)(command)
