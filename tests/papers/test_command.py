"""`python -m papers PAPER` checks every number, writes what it drew, and says so by its exit code."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

import quick_runs
from papers.averaging_roc import figure_1, run
from papers.operating_points import run as points
from papers.paper import Figure, picture_files, stored
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


@pytest.fixture(scope="module")
def reproduced():
    """With very few replicates; most commands below only show it."""
    return dataclasses.replace(quick_runs.averaged(), figures=())  # drawing is the slow part


@pytest.fixture
def computed(reproduced, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(run, "reproduce_averaging", lambda *, quick, progress: reproduced)
    return reproduced


@pytest.fixture(scope="module")
def without_digits():
    """Operating points, with very few replicates and without the data of Figure 3."""
    return dataclasses.replace(quick_runs.without_digits(), figures=())


def test_the_quick_reproduction_from_end_to_end(call, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(run, "N_REPLICATES_QUICK", 2)
    for module in (run.figure_1, run.figure_2):  # test_averaging_roc.py draws them
        monkeypatch.setattr(module, "picture", lambda drawn: DRAWN.draw())
    shown = call("averaging", "--quick", "--output", tmp_path / "out")
    assert (shown.code, shown.err) == (0, STARTED)
    assert "checks, all passed." in shown.out
    assert "FAILED" not in shown.out
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == sorted(["claims.html", "claims.md", "results.json", *picture_files(run.FIGURES)])
    written = json.loads((tmp_path / "out" / "results.json").read_text())
    assert (written["passed"], written["is_quick"]) == (True, True)


@pytest.mark.parametrize("columns", [80, 160])
def test_checks_and_stories_fit_a_terminal(call, tmp_path, computed, monkeypatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert max(map(len, shown.out.splitlines())) <= columns
    words = set(shown.out.split())
    for check in computed.checks:
        assert f"{check.found:.4f}".replace("-", "−") in words
    for heading in ("tolerance", "Devices: comparing classifiers", "The right average: horizontal."):
        assert heading in shown.out
    flat = " ".join(shown.out.split())
    assert "H13 (Section 5, Figure 2)" in flat
    for claim in computed.claims:
        assert f"{claim.where}: {claim.claim}" in flat
    verdicts = dict.fromkeys(claim.verdict for claim in computed.claims)
    assert len(verdicts) == 4
    assert all(f"\nClaims: {verdict}\n" in shown.out for verdict in verdicts)


def test_json_is_json_and_nothing_else(call, tmp_path, computed) -> None:
    shown = call("averaging", "--quick", "--json", "-o", tmp_path)
    printed = json.loads(shown.out)
    assert (shown.code, shown.err) == (0, STARTED)
    assert printed == json.loads((tmp_path / "results.json").read_text())
    assert (printed["schema_version"], printed["reproduction"]) == (2, "averaging")
    assert [claim["verdict"] for claim in printed["claims"]] == [claim.verdict for claim in computed.claims]


def test_a_number_that_is_off_exits_1(call, tmp_path, reproduced, monkeypatch) -> None:
    wrong = stored(run.__file__)["figure 1"]
    wrong["auc 1"] += 0.5
    checks = (*reproduced.checks, *figure_1.checks(figure_1.figure_1(), wrong))
    off = dataclasses.replace(reproduced, checks=checks)
    monkeypatch.setattr(run, "reproduce_averaging", lambda **options: off)
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert shown.code == 1
    failed = [line for line in shown.out.splitlines() if "FAILED" in line]
    assert [line.split()[:2] for line in failed] == [["auc", "1"]]
    assert "1 failed." in shown.out
    quiet = call("averaging", "--quick", "-o", tmp_path / "quiet", "-q")
    assert (quiet.code, quiet.err, quiet.out.count("FAILED")) == (1, "", 1)
    assert quiet.out.startswith("FAILED: ")
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


def test_without_matplotlib_the_numbers_are_there_all_the_same(
    call, tmp_path, reproduced, monkeypatch
) -> None:
    drawn = dataclasses.replace(reproduced, figures=(DRAWN,))
    monkeypatch.setattr(run, "reproduce_averaging", lambda **options: drawn)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert shown.code == 0
    assert "RS061" in shown.err
    assert "all passed." in shown.out
    assert "pip install 'rocsteady[plot,sklearn]'" in shown.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["claims.html", "claims.md", "results.json"]
    assert "<img" not in (tmp_path / "claims.html").read_text(encoding="utf-8")


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
    done = subprocess.run(
        [sys.executable, "-m", "papers", "slides", "--cache", "x"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
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
    assert "--out DIR" in shown.err
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_could_be_made_is_not_left_behind(call, tmp_path, monkeypatch) -> None:
    def interrupted(**options):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "reproduce_averaging", interrupted)
    assert call("averaging", "--out", tmp_path / "a" / "b").code == 130
    assert list(tmp_path.iterdir()) == []


def test_what_is_left_out_is_said(call, tmp_path, without_digits, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(
        points, "reproduce_operating_points", lambda **options: asked.append(options) or without_digits
    )
    shown = call("operating-points", "--quick", "-o", tmp_path)
    assert (shown.code, shown.err) == (0, "operating-points: about ten seconds.\n")
    assert asked == [{"quick": True, "data": None, "progress": None}]
    assert "Left out" in shown.out
    assert "uci/mfeat-mor.csv" in shown.out
    assert "all passed; 1 part left out." in shown.out
    written = json.loads((tmp_path / "results.json").read_text())
    assert (written["reproduction"], len(written["skipped"])) == ("operating-points", 1)


@pytest.fixture
def few(monkeypatch) -> None:
    for name, n in quick_runs.FEW_POINTS.items():
        monkeypatch.setattr(points, name, n)
    monkeypatch.setattr(points, "_figures", lambda *drawn: [])
    monkeypatch.setattr(points, "_figure_3", lambda *drawn: DRAWN)


@pytest.mark.parametrize("name", ["nope", "file"])
def test_the_folder_of_the_data_is_passed_on_and_must_exist(call, tmp_path, name: str) -> None:
    (tmp_path / "file").write_text("mine")
    shown = call("operating-points", "--quick", "--data", tmp_path / name, "-o", tmp_path / "out")
    assert shown.code == 3
    assert "RS051" in shown.err
    assert "--data DIR" in shown.err
    assert not (tmp_path / "out").exists()


def test_a_folder_without_the_file_costs_figure_3_alone(call, tmp_path, few) -> None:
    shown = call("operating-points", "--quick", "--data", tmp_path, "-o", tmp_path / "out")
    assert shown.code == 3
    assert "all passed; data damaged or missing." in shown.out
    assert "RS051" in shown.out
    assert "fetching DIR mfeat-mor" in " ".join(shown.out.split())
    written = json.loads((tmp_path / "out" / "results.json").read_text())
    assert (len(written["damaged"]), written["skipped"]) == (1, [])
    assert len(written["claims"]) == len(quick_runs.without_digits().claims)


def test_damaged_data_exit_3_and_are_said(call, tmp_path, few) -> None:
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "mfeat-mor.csv").write_text("mor1,digit\nx,y\n")
    shown = call("operating-points", "--quick", "--data", tmp_path, "-o", tmp_path / "out")
    assert shown.code == 3
    assert "all passed; data damaged or missing." in shown.out
    assert "RS053" in shown.out
    written = json.loads((tmp_path / "out" / "results.json").read_text())
    assert len(written["damaged"]) == 1
    assert len(written["checks"]) > 50  # the rest was computed


def test_every_paper_has_a_folder_of_its_own(call, tmp_path, computed, without_digits, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(points, "reproduce_operating_points", lambda **options: without_digits)
    for paper in ("averaging", "operating-points"):
        assert call(paper, "--quick").code == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["rocsteady-averaging", "rocsteady-operating-points"]


def test_the_page_has_every_claim_and_the_captions_of_figures(
    call, tmp_path, reproduced, monkeypatch
) -> None:
    drawn = dataclasses.replace(reproduced, figures=(DRAWN,))
    monkeypatch.setattr(run, "reproduce_averaging", lambda **options: drawn)
    assert call("averaging", "--quick", "-o", tmp_path).code == 0
    page = (tmp_path / "claims.html").read_text(encoding="utf-8")
    assert all(f" {claim.verdict}</bdi>" in page for claim in drawn.claims)
    assert 'src="figure_1.png"' in page
    assert "It shows &lt;b&gt;.<br><b>Here:</b> Other data." in page
    for words in ("Radiologists: comparing datasets", "The numbers of Figure 1", "All 258 checks"):
        assert words in page
        assert words in (tmp_path / "claims.md").read_text(encoding="utf-8")
