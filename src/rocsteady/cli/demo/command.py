"""``rocsteady demo``: which example."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Example(StrEnum):
    """The examples there are."""

    HOSTS = "hosts"
    READERS = "readers"


def demo(
    example: Annotated[
        Example,
        typer.Argument(
            metavar="EXAMPLE",
            help="hosts: two detectors on 24 hosts. readers: six readers and an AI, two modalities, the same "
            "cases.",
            show_default=True,
        ),
    ] = Example.HOSTS,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder to write the example into.")
    ] = Path("rocsteady-demo"),
    overwrite: Annotated[
        bool, typer.Option("--overwrite", metavar="", help="Replace an example file that differs.")
    ] = False,
) -> None:
    """Write an example score file and show what is in it."""
    if example is Example.READERS:
        from rocsteady.cli.demo.readers import show_readers

        show_readers(output, overwrite=overwrite)
    else:
        from rocsteady.cli.demo.hosts import show_hosts

        show_hosts(output, overwrite=overwrite)
