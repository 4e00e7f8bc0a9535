"""docs/commands.md is made from the commands, and says what they take."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
import typer

from rocsteady.cli.app import app

ROOT = Path(__file__).parents[2]
DOCS = runpy.run_path(str(ROOT / "docs" / "make_commands.py"))
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def page() -> str:
    return DOCS["page"]()


def test_the_page_is_what_the_commands_are(page: str) -> None:
    assert page == DOCS["PAGE"].read_text(encoding="utf-8"), "run: python docs/make_commands.py"


def test_every_option_is_on_it_once_in_its_section(page: str) -> None:
    sections = {part.split("\n", 1)[0]: part for part in page.split("\n## ")[1:]}
    for name, command in COMMANDS.items():
        rows = [line for line in sections[name].splitlines() if line.startswith(("| `-", "`"))]
        for parameter in command.params:
            if parameter.param_type_name == "option" and "--help" not in parameter.opts:
                typed = f"`{max(parameter.opts, key=len)}`"
                (row,) = [line for line in rows if typed in line.split(" | ")[0]]
                assert parameter.help.split(" ")[0].replace("|", r"\|") in row


def test_a_page_that_is_out_of_date_is_found(monkeypatch, tmp_path) -> None:
    main = DOCS["main"]
    monkeypatch.setitem(main.__globals__, "PAGE", tmp_path / "commands.md")
    monkeypatch.setattr("sys.argv", ["make_commands.py"])
    main()
    monkeypatch.setattr("sys.argv", ["make_commands.py", "--check"])
    main()
    (tmp_path / "commands.md").write_text("# Commands\n")
    with pytest.raises(SystemExit, match=r"docs/commands\.md"):
        main()
