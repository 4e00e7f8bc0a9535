"""``rocsteady demo``: an example table, its story, its report."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rocsteady.cli import program
from rocsteady.cli.console import show_blocks
from rocsteady.cli.files import write_file


@dataclass(frozen=True)
class Example:
    """A table, and what to type.

    ``columns``, ``deployment`` and ``output`` are options of the report; in ``others``, commands to go on
    with, ``{table}`` is the file with its columns.
    """

    file_name: str
    table: Callable[[], Mapping[str, Sequence[object]]]
    columns: str
    deployment: str
    output: str
    others: tuple[str, ...]


def _hosts() -> Mapping[str, Sequence[object]]:
    from rocsteady.simulate import hosts

    return hosts()


def _reader_study() -> Mapping[str, Sequence[object]]:
    from rocsteady.simulate import reader_study

    table = reader_study(standalone=False)
    whole = [int(own) if float(own).is_integer() else own for own in table["rating"]]  # 30, not 30.0
    return {**table, "rating": whole}


def _subscribers() -> Mapping[str, Sequence[object]]:
    from rocsteady.simulate import subscribers

    return subscribers()


_EXAMPLES = {
    "devices": Example(
        file_name="hosts.csv",
        table=_hosts,
        columns="-g host -y label -s score -m model --case event -p attack",
        deployment="--deploy shared --at fpr=0.05",
        output="",
        others=(
            "check {table}",
            "advise {table} --deploy own --at fpr=0.05",
            "average {table} --deploy shared --output {folder}curves.csv",
            "compare {table} --deploy own --at fpr=0.05",
            "cutoff {table} --at fpr=0.05",
            "plot {table} --deploy shared --at fpr=0.05 --output {folder}hosts.pdf",
            "plan {table} --models candidate --at fpr=0.05 --half-width 0.02",
            "explain RS201",
        ),
    ),
    "readers": Example(
        file_name="readers.csv",
        table=_reader_study,
        columns="-g reader -y truth -s rating -m modality --case case -p cancer",
        deployment="--deploy own --at tpr=0.9",
        output="--words medical",
        others=(
            "check {table}",
            "compare {table} --models digital,film",
            "compare {table} --models digital,film --margin 0.05",
            "plot {table} --models digital,film --figure readers --output {folder}readers.pdf",
            "plan {table} --models digital,film --difference 0.05",
        ),
    ),
    "churn": Example(
        file_name="subscribers.csv",
        table=_subscribers,
        columns="-g fold -y outcome -s score -m model --case subscriber -p left",
        deployment="--deploy own --at fpr=0.1",
        output="",
        others=(
            "check {table}",
            "advise {table} --deploy own --at fpr=0.1",
            "compare {table} --deploy own --at fpr=0.1",
            "plot {table} --deploy own --at fpr=0.1 --output {folder}folds.pdf",
        ),
    ),
}
"""The three examples of Hogan & Adams (2023)."""


class ExampleName(StrEnum):
    """The examples there are."""

    DEVICES = "devices"
    READERS = "readers"
    CHURN = "churn"


def demo(
    context: typer.Context,
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
    from rocsteady.show.document import Command
    from rocsteady.show.sentences.commands import STORIES
    from rocsteady.text import ML, Quote, phrase, say

    own = _EXAMPLES[example]
    path = output / own.file_name
    is_new = write_file(path, _as_csv(own.table()), overwrite=overwrite)
    how = "written" if is_new else "was there already, the same"
    written = phrase(f"{{path}}  {how}; its scores are simulated. Its report:", path=Quote(str(path)))
    table = [str(path), *own.columns.split()]
    page = str(path.with_suffix(".html"))
    report = ["report", *table, *own.deployment.split(), *own.output.split(), "--output", page]
    start = program.arguments()
    show_blocks([*STORIES[example], written, Command((*start, *report))], ML)
    code = context.obj([*report, *(["--overwrite"] if overwrite else [])])
    if code == 0:
        folder = f"{output}{os.sep}"
        show_blocks([say("Next:")], ML, is_apart=False)
        for words in map(str.split, own.others):
            typed = [
                part
                for word in words
                for part in (table if word == "{table}" else [word.replace("{folder}", folder)])
            ]
            show_blocks([Command((*start, *typed))], ML, is_apart=False)
    raise typer.Exit(code)


def _as_csv(columns: Mapping[str, Sequence[object]]) -> bytes:
    """Rows under a header."""
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode("ascii")
