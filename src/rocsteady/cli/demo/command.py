"""``rocsteady demo``: an example table, its story, its report."""

from __future__ import annotations

import os
import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rocsteady.cli import program
from rocsteady.cli.console import show, show_command
from rocsteady.cli.demo.example_files import as_csv
from rocsteady.cli.demo.examples import CHURN, DEVICES, READERS
from rocsteady.cli.writing import write_file


class ExampleName(StrEnum):
    """The examples there are."""

    DEVICES = "devices"
    READERS = "readers"
    CHURN = "churn"


_EXAMPLES = {ExampleName.DEVICES: DEVICES, ExampleName.READERS: READERS, ExampleName.CHURN: CHURN}


def demo(
    example: Annotated[
        ExampleName,
        typer.Argument(
            metavar="EXAMPLE",
            help="devices: two detectors on 24 hosts, one alert level for all. readers: six radiologists, "
            "two kinds of images, the same cases. churn: models of three depths, ten folds.",
            show_default=True,
        ),
    ] = ExampleName.DEVICES,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write the example into.")
    ] = Path("rocsteady-demo"),
    overwrite: Annotated[
        bool, typer.Option("--overwrite", metavar="", help="Replace files that differ.")
    ] = False,
) -> None:
    """Write an example table and its report, and say what they show.

    The three examples are those of Hogan & Adams (2023), with simulated scores.
    """
    from rocsteady.cli import run

    own = _EXAMPLES[example]
    path = output / own.file_name
    is_new = write_file(path, as_csv(own.table()), overwrite=overwrite)
    for paragraph in own.story:
        show(paragraph)
        show()
    how = "written" if is_new else "was there already, the same"
    show(f"{path}  {how}; its scores are simulated. Its report:")
    table = [str(path), *own.columns.split()]
    page = path.with_suffix(".html")
    report = ["report", *table, *own.deployment.split(), *own.output.split(), "--output", str(page)]
    show_command(f"{program.typed()} {shlex.join(report)}")
    show()
    code = run([*report, *(["--overwrite"] if overwrite else [])])
    if code == 0:
        show()
        show("Next:")
        for command in own.others:
            typed = command.format(table=shlex.join(table), folder=shlex.quote(f"{output}{os.sep}"))
            show_command(f"{program.typed()} {typed}")
    raise typer.Exit(code)
