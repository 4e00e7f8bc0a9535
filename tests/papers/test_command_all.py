"""`python -m papers all`: every paper in its folder, one page of claims, and no paper stops another."""

from __future__ import annotations

import json
import re
import signal
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from papers import command, files
from papers.paper import Check, Claim, Figure, Reproduction
from rocsteady.cli.files import write_file
from rocsteady.errors import MissingFileError
from rocsteady.figures.spec import Axis, Line, Panel, Picture

GOOD = Check("section", "number", 1.0, 1.0, 0.1, "the test")
OFF = Check("section", "another", 1.0, 2.0, 0.1, "the test")
HOSTILE = "<script>alert(1)</script> | \x1b[2J"


def made(*checks: Check, **values) -> Reproduction:
    claim = Claim(claim="It holds.", where="p. 1", measured="It does.", holds=True)
    values = {"name": "one", "paper": "A paper", "is_quick": True, "claims": (claim,), **values}
    return Reproduction(checks=checks or (GOOD,), **values)


def figure(name: str = "figure", draw: Callable[[], object] | None = None) -> Figure:
    return Figure(name, "", "", draw or (lambda: Picture((Panel(Axis(), Axis(), (Line((0, 1), (0, 1)),)),))))


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[dict]]:
    """Put papers made of functions in the place of the real ones; what they were called with."""

    def register(takes: str = "", **functions: Callable[..., Reproduction]) -> list[dict]:
        asked: list[dict] = []
        monkeypatch.setattr(command, "PAPERS", found := {})
        for name, function in functions.items():
            module = types.ModuleType(f"made_up_{name}")
            module.FIGURES = ("figure",)
            module.compute = lambda function=function, **options: asked.append(options) or function()
            monkeypatch.setitem(sys.modules, module.__name__, module)
            found[name] = command.Paper(name, f"Paper {name}", module.__name__, "compute", takes, "a", "b")
        return asked

    return register


def raising(error: BaseException) -> Callable[[], Reproduction]:
    def function() -> Reproduction:
        raise error

    return function


def results(folder: Path) -> dict:
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def test_every_paper_has_its_folder_and_all_have_one_page(call, tmp_path, register) -> None:
    register(one=made, two=made)
    shown = call("all", "--quick", "--out", tmp_path)
    assert (shown.code, shown.err) == (0, "one: about a.\ntwo: about a.\n")
    assert (
        len(shown.out.splitlines()) <= 15 + len(str(tmp_path)) // 70
    )  # its folder may need lines of its own
    counts = "2 reproduced, 0 consistent with, 0 hold with a caveat, 0 false as printed"
    assert f"2 claims: {counts}. 2 checks, all passed." in " ".join(shown.out.split())
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*"))
    own = ("claims.html", "claims.md", "results.json")
    assert names == sorted([*own, *(f"{paper}/{name}" for paper in ("one", "two") for name in own)])
    assert [paper["name"] for paper in results(tmp_path)["papers"]] == ["one", "two"]
    assert results(tmp_path)["passed"] is True
    assert results(tmp_path / "one")["reproduction"] == "one"


def test_no_paper_means_all_and_figures_are_linked_from_the_one_page(
    call, tmp_path, register, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    register(one=lambda: made(figures=(figure("figure_1"),)), two=made)
    assert call("--quick").code == 0
    folder = tmp_path / "rocsteady-all"
    page = (folder / "claims.html").read_text(encoding="utf-8")
    linked = re.findall(r'(?:src|href)="([^"#]+)"', page)
    assert sorted(set(linked)) == ["one/figure_1.pdf", "one/figure_1.png", "results.json"]
    assert all((folder / link).is_file() for link in linked)
    assert 'src="figure_1.png"' in (folder / "one" / "claims.html").read_text(encoding="utf-8")


def test_an_error_in_one_paper_does_not_stop_the_others(call, tmp_path, register) -> None:
    missing = MissingFileError("RS051", "x.csv does not exist.", HOSTILE, "name it:  --data DIR")
    register(one=raising(missing), two=made)
    shown = call("all", "--out", tmp_path)
    assert shown.code == 3
    assert "RS051" in shown.err
    assert "Not computed: RS051." in shown.out
    assert "Not computed: one." in shown.out
    assert "claims.md, claims.html, results.json and two/." in " ".join(shown.out.split())
    assert "\x1b" not in shown.out + shown.err
    assert (tmp_path / "two" / "results.json").is_file()
    first, second = results(tmp_path)["papers"]
    assert "RS051" in first["error"]
    assert (first["passed"], second["passed"], results(tmp_path)["passed"]) == (False, True, False)
    assert "RS051" in (tmp_path / "claims.md").read_text(encoding="utf-8")
    assert "<script" not in (tmp_path / "claims.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("made_of", "code"),
    [
        ({"checks": (GOOD, OFF)}, 1),
        ({"damaged": ("x.csv differs",)}, 3),
        ({"checks": (OFF,), "damaged": ("x.csv differs",)}, 1),
        ({"skipped": ("Figure 3 needs data.",)}, 0),
    ],
)
def test_exit_codes_and_what_is_said(call, tmp_path, register, made_of: dict, code: int) -> None:
    checks = made_of.pop("checks", ())
    register(one=lambda: made(*checks, **made_of), two=made)
    shown = call("all", "--out", tmp_path)
    assert shown.code == code
    said = [*(f"FAILED: {c.section}, {c.name}" for c in checks if not c.passed)]
    said += [f"Damaged or missing: {line}" for line in made_of.get("damaged", ())]
    said += [f"Left out: {line}" for line in made_of.get("skipped", ())]
    for line in said:
        assert line in shown.out
    page = (tmp_path / "claims.md").read_text(encoding="utf-8")
    assert ("### Damaged or missing" in page, "### Left out" in page) == (
        "damaged" in made_of,
        "skipped" in made_of,
    )


@pytest.mark.parametrize(
    ("package", "word"), [("sklearn.tree", "scikit-learn"), ("matplotlib", "Matplotlib")]
)
def test_a_missing_package_is_named_with_what_installs_it(call, tmp_path, register, package, word) -> None:
    register(one=raising(ModuleNotFoundError(f"No module named {package!r}", name=package)), two=made)
    shown = call("all", "--out", tmp_path)
    assert shown.code == 2
    assert "RS061" in shown.err
    assert word in shown.err
    assert "pip install 'rocsteady[plot,sklearn]'" in shown.err
    assert (tmp_path / "two" / "results.json").is_file()


def test_figures_that_cannot_be_drawn_are_said_once(call, tmp_path, register, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    drawn = made(figures=(figure(),))
    register(one=lambda: drawn, two=lambda: drawn)
    shown = call("all", "--out", tmp_path)
    assert shown.code == 0
    assert shown.err.count("RS061") == 1
    assert "pip install 'rocsteady[plot,sklearn]'" in shown.err
    assert "<img" not in (tmp_path / "claims.html").read_text(encoding="utf-8")
    assert results(tmp_path)["papers"][1]["figures"] == []


def test_a_module_of_our_own_that_is_missing_is_a_bug(call, tmp_path, register, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    register(one=raising(ModuleNotFoundError("No module named 'rocsteady.x'", name="rocsteady.x")), two=made)
    shown = call("all", "--out", tmp_path / "out")
    assert shown.code == 70
    assert "RS070" in shown.err
    assert "No module named" in results(tmp_path / "out")["papers"][0]["error"]
    assert (tmp_path / "out" / "two" / "results.json").is_file()


@pytest.mark.parametrize("cache", [("--cache", "kept"), ()])
def test_an_interrupt_keeps_what_is_there_and_says_so(call, tmp_path, register, cache) -> None:
    register(one=made, two=raising(KeyboardInterrupt()), three=made, takes="cache")
    shown = call("all", "--out", tmp_path, *cache)
    assert shown.code == 130
    assert "Interrupted." in shown.err
    assert "holds one. Not finished: two and three." in " ".join(shown.err.split())
    goes_on = "What two has computed is kept: run it again and it goes on from there."
    lost = "What two has computed is lost; with --cache DIR it is kept."
    assert (goes_on if cache else lost) in " ".join(shown.err.split())
    assert [paper["name"] for paper in results(tmp_path)["papers"]] == ["one"]
    assert (tmp_path / "one" / "claims.html").is_file()
    assert not (tmp_path / "three").exists()


def test_an_interrupt_that_a_library_wraps_is_one_all_the_same(call, tmp_path, register) -> None:
    def wrapped() -> Reproduction:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as interrupt:
            raise ImportError("halted") from interrupt

    register(one=wrapped, two=made)
    shown = call("all", "--out", tmp_path / "out")
    assert shown.code == 130
    assert "Nothing was written. Not finished: one and two." in " ".join(shown.err.split())
    assert not (tmp_path / "out").exists()


def test_an_interrupt_of_one_paper_says_that_nothing_was_written(
    call, tmp_path, monkeypatch, register
) -> None:
    register(averaging=raising(KeyboardInterrupt()))
    shown = call("averaging", "--out", tmp_path / "out")
    assert shown.code == 130
    assert "Nothing was written. Not finished: averaging." in " ".join(shown.err.split())
    assert not (tmp_path / "out").exists()


def interrupting() -> Callable[[], object]:
    """A drawing during which somebody presses Ctrl-C."""

    def draw() -> object:
        signal.raise_signal(signal.SIGINT)
        return figure().draw()

    return draw


def test_an_interrupt_while_figures_are_drawn_leaves_no_half_of_a_folder(call, tmp_path, register) -> None:
    register(
        one=lambda: made(figures=(figure(),)),
        two=lambda: made(figures=(figure(), figure("other", interrupting()))),
    )
    shown = call("all", "--out", tmp_path)
    assert shown.code == 130
    said = " ".join(shown.err.split())
    assert "holds one. Not finished: two. The same folder can be used again with --overwrite." in said
    assert not (tmp_path / "two").exists()
    assert [paper["name"] for paper in results(tmp_path)["papers"]] == ["one"]
    register(one=made, two=made)
    assert call("all", "--out", tmp_path, "--overwrite").code == 0


@pytest.mark.parametrize("paper", ["averaging", "all"])
def test_after_an_interrupt_of_the_first_figures_the_next_run_just_starts(
    call, tmp_path, register, paper: str
) -> None:
    register(averaging=lambda: made(figures=(figure(), figure("other", interrupting()))))
    shown = call(paper, "--out", tmp_path / "out")
    assert shown.code == 130
    assert "Nothing was written. Not finished: averaging." in " ".join(shown.err.split())
    assert not (tmp_path / "out").exists()
    register(averaging=made)
    assert call(paper, "--out", tmp_path / "out").code == 0


@pytest.mark.parametrize("paper", ["averaging", "all"])
def test_an_interrupt_while_files_are_written_waits_for_the_last(
    call, tmp_path, register, monkeypatch, paper: str
) -> None:
    def interrupted(path: Path, content: bytes, *, overwrite: bool) -> bool:
        if path.name == "results.json":
            signal.raise_signal(signal.SIGINT)
        return write_file(path, content, overwrite=overwrite)

    register(averaging=lambda: made(figures=(figure(),)))
    monkeypatch.setattr(files, "write_file", interrupted)
    before = signal.getsignal(signal.SIGINT)
    shown = call(paper, "--out", tmp_path)
    assert (shown.code, signal.getsignal(signal.SIGINT)) == (130, before)
    assert "holds averaging." in " ".join(shown.err.split())
    assert "Not finished" not in shown.err
    folder = tmp_path / "averaging" if paper == "all" else tmp_path
    names = {path.name for path in folder.iterdir() if path.is_file()}
    assert names == {"claims.html", "claims.md", "results.json", "figure.png", "figure.pdf"}


def test_a_figure_that_cannot_be_drawn_does_not_cost_the_numbers(
    call, tmp_path, register, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    register(
        one=lambda: made(figures=(figure(), figure("other", raising(ValueError("no such colour"))))), two=made
    )
    shown = call("all", "--out", tmp_path / "out")
    assert shown.code == 70
    assert "no such colour" in shown.err
    assert results(tmp_path / "out" / "one")["passed"] is True
    assert (tmp_path / "out" / "one" / "figure.png").is_file()
    assert results(tmp_path / "out")["papers"][0]["error"] == ""


def test_old_pictures_do_not_stay_beside_new_claims(call, tmp_path, register) -> None:
    register(one=lambda: made(figures=(figure(),)))
    assert call("all", "--out", tmp_path).code == 0
    (tmp_path / "one" / "mine.png").write_bytes(b"mine")
    register(one=made)
    assert call("all", "--out", tmp_path, "--overwrite").code == 0
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == ["claims.html", "claims.md", "mine.png", "results.json"]


def test_every_papers_folder_is_looked_at_before_the_work(call, tmp_path, register) -> None:
    asked = register(one=made, two=made)
    (tmp_path / "two").write_text("mine")
    shown = call("all", "--out", tmp_path)
    assert (shown.code, asked) == (3, [])
    assert "two is a file, not a folder." in " ".join(shown.err.split())
    assert [path.name for path in tmp_path.iterdir()] == ["two"]


@pytest.mark.parametrize("name", ["results.json", "one/claims.md", "one/figure.png"])
def test_a_folder_in_the_place_of_a_file_is_said_before_the_work(call, tmp_path, register, name) -> None:
    asked = register(one=made)
    (tmp_path / name).mkdir(parents=True)
    shown = call("all", "--out", tmp_path, "--overwrite")
    assert (shown.code, asked) == (2, [])
    assert "RS003" in shown.err
    assert name in shown.err
    assert "--overwrite" not in shown.err


def test_papers_get_only_what_they_take(call, tmp_path, register, monkeypatch) -> None:
    monkeypatch.delenv("ROCSTEADY_CACHE", raising=False)
    asked = register(one=made, takes="data cache")
    named = ("--data", tmp_path, "--cache", tmp_path / "c")
    call("all", "--quick", "--out", tmp_path / "1", *named)
    call("all", "--out", tmp_path / "2")
    monkeypatch.setenv("ROCSTEADY_CACHE", str(tmp_path / "d"))
    call("all", "--out", tmp_path / "3")
    assert asked == [
        {"quick": True, "data": tmp_path, "cache": tmp_path / "c"},
        {"quick": False, "data": None, "cache": None},  # nothing is kept unasked
        {"quick": False, "data": None, "cache": tmp_path / "d"},
    ]
    asked = register(one=made)
    call("all", "--out", tmp_path / "4")
    assert asked == [{"quick": False}]


@pytest.mark.parametrize("name", ["claims.html", "results.json", "two/results.json", "one/claims.md"])
def test_nothing_is_replaced_unasked(call, tmp_path, register, name: str) -> None:
    asked = register(one=made, two=made)
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    shown = call("all", "--out", tmp_path)
    assert shown.code == 2
    assert "RS003" in shown.err
    assert name in shown.err
    assert (mine.read_text(), asked) == ("mine", [])
    assert call("all", "--out", tmp_path, "--overwrite").code == 0
    assert mine.read_text() != "mine"


def test_the_papers_of_the_command_are_those_of_the_package() -> None:
    named = [choice.value for choice in command.Choice if choice is not command.Choice.ALL]
    assert list(command.PAPERS) == named


def test_names_of_any_bytes_can_be_written(call, tmp_path, register) -> None:
    register(one=lambda: made(damaged=("data\udcff\x1b[31m/x.csv differs",)))
    assert call("all", "--out", tmp_path).code == 3
    assert results(tmp_path)["papers"][0]["damaged"] == ["data\udcff\x1b[31m/x.csv differs"]
    assert "\x1b" not in (tmp_path / "claims.md").read_text(encoding="utf-8")
