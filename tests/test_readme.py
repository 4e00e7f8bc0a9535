"""What the pages show is what happens: their Python, their commands, their links, their figures."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import runpy
import shlex
import shutil
from pathlib import Path

import pytest

from rocsteady.cli import run

ROOT = Path(__file__).resolve().parents[1]
PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
WRITES_ITS_FILES = ["docs/teaching.md"]  # in its Python
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    """Every fenced block of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/operating_points.md",
        "docs/several_classes.md",
        "docs/smroc.md",
        "docs/teaching.md",
        "docs/comparing.md",
        "docs/readers.md",
        "docs/large_tables.md",
        "docs/figures.md",
        "docs/papers.md",
    ],
)
@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
def test_every_python_block_runs_and_prints_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # they write a file
    code = blocks("python", (ROOT / page).read_text(encoding="utf-8"))
    assert code
    assert all(block.startswith(">>> ") for block in code), "shown code without its output cannot be checked"
    test = doctest.DocTestParser().get_doctest("\n".join(code), {}, page, page, 0)
    printed: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=printed.append)
    assert results.attempted > 10
    assert results.failed == 0, "".join(printed)


def commands(page: str) -> list[tuple[str, str]]:
    """Each command of the console blocks with the output shown below it."""
    text = (ROOT / page).read_text(encoding="utf-8")
    pieces = re.split(r"^\$ ", "".join(blocks("console", text)), flags=re.MULTILINE)[1:]
    return [(command, shown) for command, _, shown in (piece.partition("\n") for piece in pieces)]


@pytest.fixture(scope="module")
def demos() -> dict[str, tuple[Path, str]]:
    """The folder that a demo has filled, and what it printed: pages begin with the same one."""
    return {}


@pytest.mark.parametrize(
    "page", ["README.md", "docs/readers.md", "docs/figures.md", "docs/papers.md", "docs/teaching.md"]
)
@pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")
def test_every_command_prints_what_it_shows(
    page: str, demos: dict[str, tuple[Path, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(commands(page)) >= 3
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rocsteady.cli.program.typed", lambda: "rocsteady")
    monkeypatch.setattr("rocsteady._kernels.is_native", True)  # RS103 is for other tests
    for name, value in {"COLUMNS": "80", "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    if page in WRITES_ITS_FILES:
        examples = doctest.DocTestParser().get_examples(
            "\n".join(blocks("python", (ROOT / page).read_text()))
        )
        exec("".join(own.source for own in examples), {})
    for command, shown in commands(page):
        program, *arguments = shlex.split(command)
        assert program == "rocsteady"
        if command in demos:
            folder, printed = demos[command]
            shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
        else:
            printed = printed_by(arguments)
        if arguments[0] == "demo":
            demos.setdefault(command, (tmp_path, printed))
        matches = doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS)
        assert matches, f"$ {command}\n{printed}"


def printed_by(arguments: list[str]) -> str:
    """What a command prints, on either stream."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        run(arguments)
    return printed.getvalue()


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?://)([^)#]+)", text)
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_make_targets_named_on_a_page_exist(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(
        re.findall(r"(?:^    |`)make ([a-z]+)", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert [target for target in named if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of matplotlib's own imports
def test_the_figure_is_made_by_code_that_runs(tmp_path: Path) -> None:
    module = runpy.run_path(str(ROOT / "docs" / "make_figures.py"))
    module["main"](tmp_path)
    made = {path.name for path in tmp_path.iterdir()}
    shown = set(re.findall(r"\(docs/images/([^)]+)\)", README))
    made.add("report.png")  # by a browser: tests/browser/test_picture.py
    assert shown <= made
    assert made == {path.name for path in (ROOT / "docs" / "images").iterdir()}


def test_the_architecture_page_knows_every_package_and_file_it_names() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "rocsteady"
    folders = {path.name for path in package.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert [folder for folder in folders if f"{folder}/" not in page] == []
    named = set(re.findall(r"\b([a-z_]+/[a-z_]+\.(?:py|hpp|cpp))\b", page))
    missing = [
        name
        for name in named
        if not any(
            (root / name).exists()
            for root in (
                package,
                package / "curves",
                package / "show",
                package / "inference",
                package / "plots",
                package / "report",
                package / "report" / "summary",
                ROOT,
                ROOT / "tests",
            )
        )
    ]
    assert missing == []
