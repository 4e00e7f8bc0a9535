"""`python -m papers PAPER` checks every number, writes what it drew, and says so by its exit code."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

import quick_runs
from papers.averaging_roc import run
from papers.operating_points import run as points
from papers.paper import Check, Figure, picture_files
from rocsteady.figures.spec import Axis, Line, Panel, Picture

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")

ROOT = Path(__file__).resolve().parents[2]
STARTED = "averaging: about ten seconds.\n"
DRAWN = Figure(
    "figure_1",
    "It shows <b>.",
    "Other data.",
    lambda: Picture((Panel(Axis(), Axis(), (Line((0, 1), (0, 1)),)),)),
)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch):
    """With very few replicates and one figure, which is soon drawn."""
    found = dataclasses.replace(quick_runs.averaged(), figures=(DRAWN,))
    monkeypatch.setattr(run, "reproduce_averaging", lambda **options: found)
    return found


def test_a_paper_from_end_to_end(call, tmp_path: Path, computed) -> None:
    shown = call("averaging", "--quick", "--output", tmp_path / "out")
    assert (shown.code, shown.err) == (0, STARTED)
    assert "258 checks, all passed." in shown.out
    assert "FAILED" not in shown.out
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == sorted(["claims.html", "claims.md", "results.json", *picture_files(["figure_1"])])
    written = json.loads((tmp_path / "out" / "results.json").read_text())
    assert (written["passed"], written["is_quick"]) == (True, True)
    assert (written["schema_version"], written["reproduction"]) == (2, "averaging")
    assert [claim["verdict"] for claim in written["claims"]] == [claim.verdict for claim in computed.claims]
    page = (tmp_path / "out" / "claims.html").read_text(encoding="utf-8")
    assert all(f" {claim.verdict}</bdi>" in page for claim in computed.claims)
    assert 'src="figure_1.png"' in page
    assert "It shows &lt;b&gt;.<br><b>Here:</b> Other data." in page
    for words in ("Radiologists: comparing datasets", "The numbers of Figure 1", "All 258 checks"):
        assert words in page
        assert words in (tmp_path / "out" / "claims.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [80, 160])
def test_checks_and_stories_fit_a_terminal(call, tmp_path, computed, monkeypatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert max(map(len, shown.out.splitlines())) <= columns
    words, flat = set(shown.out.split()), " ".join(shown.out.split())
    assert all(f"{check.found:.4f}".replace("-", "−") in words for check in computed.checks)
    for heading in ("tolerance", "Devices: comparing classifiers", "The right average: horizontal."):
        assert heading in shown.out
    assert "H13 (Section 5, Figure 2)" in flat
    for claim in computed.claims:
        assert f"{claim.where}: {claim.claim}" in flat
        assert f"\nClaims: {claim.verdict}\n" in shown.out


def test_a_number_that_is_off_exits_1(call, tmp_path, computed, monkeypatch) -> None:
    off = dataclasses.replace(computed, checks=(*computed.checks, Check("s", "wrong", 1.0, 2.0, 0.1, "t")))
    monkeypatch.setattr(run, "reproduce_averaging", lambda **options: off)
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert shown.code == 1
    assert [line.split()[0] for line in shown.out.splitlines() if "FAILED" in line] == ["wrong"]
    assert "1 failed." in shown.out
    assert json.loads((tmp_path / "results.json").read_text())["passed"] is False


def test_results_that_are_there_are_not_replaced_unasked(call, tmp_path, computed) -> None:
    mine = tmp_path / "results.json"
    mine.write_text("mine")
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert shown.code == 2
    assert "RS003" in shown.err
    assert "--overwrite" in shown.err
    assert mine.read_text() == "mine"
    assert call("averaging", "--quick", "-o", tmp_path, "--overwrite").code == 0
    assert mine.read_text() != "mine"


def test_pictures_in_the_way_are_noticed_too(call, tmp_path) -> None:
    (tmp_path / "figure_3.pdf").write_text("mine")
    shown = call("operating-points", "--quick", "-o", tmp_path)
    assert shown.code == 2
    assert "figure_3.pdf" in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("averages",), ()),
        (("averaging", "--data", "x"), ("operating-points",)),
        (("averaging", "--cache", "x"), ("averaging keeps nothing", "python -m papers smroc")),
    ],
)
def test_what_makes_no_sense_is_refused(call, arguments, said) -> None:
    shown = call(*arguments)
    assert shown.code == 2
    assert "RS002" in shown.err
    assert all(words in " ".join(shown.err.split()) for words in said)


def test_it_is_a_program_of_the_folder_that_holds_the_papers() -> None:
    typed = [sys.executable, "-m", "papers", "slides", "--cache", "x"]
    done = subprocess.run(typed, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "RS002 slides keeps nothing between runs." in done.stderr


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("file", "file is a file, not a folder."),
        ("file/out", "file is a file, not a folder."),
        ("x" * 300, "cannot be written to: File name too long."),
    ],
)
def test_a_folder_that_cannot_be_made_is_said_before_the_work(
    call, tmp_path, monkeypatch, name: str, problem: str
) -> None:
    monkeypatch.setattr(run, "reproduce_averaging", lambda **options: pytest.fail("worked first"))
    (tmp_path / "file").write_text("mine")
    shown = call("averaging", "--quick", "-o", tmp_path / name)
    assert shown.code == 3
    assert "RS055" in shown.err
    assert problem in " ".join(shown.err.split())
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_could_be_made_is_not_left_behind(call, tmp_path, monkeypatch) -> None:
    def interrupted(**options):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "reproduce_averaging", interrupted)
    assert call("averaging", "--out", tmp_path / "a" / "b").code == 130
    assert list(tmp_path.iterdir()) == []


def test_every_paper_has_a_folder_of_its_own_and_what_is_left_out_is_said(
    call, tmp_path, computed, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = dataclasses.replace(quick_runs.without_digits(), figures=())
    monkeypatch.setattr(points, "reproduce_operating_points", lambda **options: found)
    assert call("averaging", "--quick").code == 0
    shown = call("operating-points", "--quick")
    assert (shown.code, shown.err) == (0, "operating-points: about ten seconds.\n")
    assert "uci/mfeat-mor.csv" in shown.out
    assert "all passed; 1 part left out." in shown.out
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["rocsteady-averaging", "rocsteady-operating-points"]


@pytest.mark.parametrize("name", ["nope", "file"])
def test_the_folder_of_the_data_is_passed_on_and_must_exist(call, tmp_path, name: str) -> None:
    (tmp_path / "file").write_text("mine")
    shown = call("operating-points", "--quick", "--data", tmp_path / name, "-o", tmp_path / "out")
    assert shown.code == 3
    assert "RS051" in shown.err
    assert "--data DIR" in shown.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("content", "code"), [(None, "RS051"), ("mor1,digit\nx,y\n", "RS053")])
def test_damaged_data_exit_3_and_are_said(call, tmp_path, monkeypatch, content: str | None, code) -> None:
    """They cost Figure 3 alone."""
    for name, n in quick_runs.FEW_POINTS.items():
        monkeypatch.setattr(points, name, n)
    monkeypatch.setattr(points, "_figures", lambda *drawn: [])
    monkeypatch.setattr(points, "_figure_3", lambda *drawn: DRAWN)
    (tmp_path / "uci").mkdir()
    if content:
        (tmp_path / "uci" / "mfeat-mor.csv").write_text(content)
    shown = call("operating-points", "--quick", "--data", tmp_path, "-o", tmp_path / "out")
    assert shown.code == 3
    assert "all passed; data damaged or missing." in shown.out
    assert code in shown.out
    written = json.loads((tmp_path / "out" / "results.json").read_text())
    assert (len(written["damaged"]), written["skipped"]) == (1, [])
    assert len(written["claims"]) == len(quick_runs.without_digits().claims)
