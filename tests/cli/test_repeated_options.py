"""An option that takes one value drops none: two different ones are refused, by every command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer.main

from rocsteady.cli.app import app

COMMANDS: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
SINGLE = [
    (command, name)
    for command, own in COMMANDS.items()
    for option in own.params
    if option.param_type_name == "option" and not option.multiple and not option.is_flag
    for name in option.opts
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{i % 3},{i % 2},{i % 2},{i * 7 % 11}" for i in range(60)]
    Path("scores.csv").write_text("\n".join(["host,site,y,s", *rows]) + "\n")


@pytest.mark.parametrize(("command", "name"), SINGLE)
def test_an_option_with_two_values_is_refused(call: Any, command: str, name: str) -> None:
    done = call(command, "scores.csv", name, "1", name, "2")
    assert done.code == 2
    assert "RS002" in done.err
    assert "takes one value and was given 2" in done.err
    assert done.out == ""


def test_two_columns_of_groups_are_told_apart_from_one(call: Any) -> None:
    options = ["check", "scores.csv", "-y", "y", "-s", "s", "-p", "1"]
    done = call(*options, "-g", "host", "--group=site")
    assert "found: --group host and --group site" in done.err
    assert "write the columns into one" in done.err
    twice_the_same = call(*options, "-g", "host", "--group", "host")
    assert twice_the_same.out == call(*options, "-g", "host").out


def test_a_flag_and_its_opposite_are_refused(call: Any) -> None:
    done = call("advise", "scores.csv", "--folds", "--no-folds")
    assert done.code == 2
    assert "found: --folds and --no-folds" in done.err
