"""`python -m papers PAPER` checks every number, writes what it drew, and says so by its exit code."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import pytest

import quick_runs
from papers.averaging_roc import closed_forms, figure_1, run
from papers.checks import Checks
from papers.drawing import new_figure
from papers.operating_points import run as points

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:matplotlib")

ROOT = Path(__file__).resolve().parents[2]
STARTED = "averaging: about ten seconds.\n"


@pytest.fixture(scope="module")
def reproduced():
    """With very few replicates; most commands below only show it."""
    return dataclasses.replace(quick_runs.averaged(), _drawings={})  # drawing is the slow part


@pytest.fixture
def computed(reproduced, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(run, "reproduce_averaging", lambda *, quick, progress: reproduced)
    return reproduced


@pytest.fixture(scope="module")
def without_digits():
    """Operating points, with very few replicates and without the data of Figure 3."""
    return dataclasses.replace(quick_runs.without_digits(), _drawings={})


def test_the_quick_reproduction_from_end_to_end(call, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(run, "N_REPLICATES_QUICK", 2)
    for figure in ("draw_figure_1", "draw_figure_2"):  # test_figures.py draws them
        monkeypatch.setattr(run, figure, lambda drawn: new_figure(1, 1))
    shown = call("averaging", "--quick", "--output", tmp_path / "out")
    assert (shown.code, shown.err) == (0, STARTED)
    assert "checks, all passed." in shown.out
    assert "FAILED" not in shown.out
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == sorted(["claims.html", "claims.md", "results.json", *run.picture_names()])
    written = json.loads((tmp_path / "out" / "results.json").read_text())
    assert written["passed"] is True
    assert written["is_quick"] is True


def test_the_table_fits_a_terminal_and_the_stories_follow(call, tmp_path, computed) -> None:
    shown = call("averaging", "--quick", "-o", tmp_path)
    table = shown.out.split("Which classifier")[0].splitlines()
    assert max(map(len, table)) <= 80
    assert table[0].split() == ["check", "expected", "found", "tolerance"]
    for check in computed.checks.entries:
        assert f"  {check.name}"[:36] in shown.out
    for word in ("Devices", "Radiologists", "Churn", "The right average: horizontal.", "H13 (Section 5"):
        assert word in shown.out


def test_a_wide_terminal_also_shows_where_tolerances_come_from(call, tmp_path, computed, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert "tolerance from" in shown.out
    assert "4 standard errors, spread over the datasets" in shown.out


def test_json_is_json_and_nothing_else(call, tmp_path, computed) -> None:
    shown = call("averaging", "--quick", "--json", "-o", tmp_path)
    printed = json.loads(shown.out)
    assert (shown.code, shown.err) == (0, STARTED)
    assert printed == json.loads((tmp_path / "results.json").read_text())
    assert printed["schema_version"] == 1
    assert printed["reproduction"] == "averaging"


def test_a_number_that_is_off_exits_1(call, tmp_path, reproduced, monkeypatch) -> None:
    wrong = {**closed_forms.stored()["figure 1"]}
    wrong["auc 1"] += 0.5
    checks = Checks((*reproduced.checks.entries, *figure_1.checks(figure_1.figure_1(), wrong)))
    monkeypatch.setattr(
        run, "reproduce_averaging", lambda **options: dataclasses.replace(reproduced, checks=checks)
    )
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert shown.code == 1
    failed = [line for line in shown.out.splitlines() if "FAILED" in line]
    assert [line.split()[:2] for line in failed] == [["auc", "1"]]
    assert "1 failed." in shown.out
    quiet = call("averaging", "--quick", "-o", tmp_path / "quiet", "-q")
    assert (quiet.code, quiet.err, quiet.out.count("FAILED")) == (1, "", 1)
    assert quiet.out.startswith("FAILED: ")
    assert json.loads((tmp_path / "results.json").read_text())["passed"] is False


def test_results_that_are_there_are_not_replaced_unasked(call, tmp_path, computed, monkeypatch) -> None:
    mine = tmp_path / "results.json"
    mine.write_text("mine")
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert shown.code == 2
    assert "RS003" in shown.err
    assert "--overwrite" in shown.err
    assert mine.read_text() == "mine"
    assert call("averaging", "--quick", "-o", tmp_path, "--overwrite").code == 0
    assert mine.read_text() != "mine"


def test_without_matplotlib_the_numbers_are_there_all_the_same(
    call, tmp_path, reproduced, monkeypatch
) -> None:
    drawn = dataclasses.replace(reproduced, _drawings={"figure_1": lambda: new_figure(1, 1)})
    monkeypatch.setattr(run, "reproduce_averaging", lambda **options: drawn)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    shown = call("averaging", "--quick", "-o", tmp_path)
    assert shown.code == 0
    assert "RS061" in shown.err
    assert "all passed." in shown.out
    assert "pip install 'rocsteady[plot,sklearn]'" in shown.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["claims.html", "claims.md", "results.json"]


def test_an_unknown_paper_is_refused(call) -> None:
    shown = call("averages")
    assert shown.code == 2
    assert "RS002" in shown.err


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
    assert "python -m papers smroc" in done.stderr


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
    assert written["reproduction"] == "operating-points"
    assert len(written["skipped"]) == 1
    assert "mfeat-mor.csv" in written["skipped"][0]


def test_operating_points_are_printed_with_their_counts_and_errata(
    call, tmp_path, without_digits, monkeypatch
) -> None:
    monkeypatch.setattr(points, "reproduce_operating_points", lambda **options: without_digits)
    shown = call("operating-points", "--quick", "-o", tmp_path)
    table = shown.out.split("How many of the 29")[0].splitlines()
    assert max(map(len, table)) <= 80
    for line in (
        "Nadeau-Bengio",
        "neighbours told apart, df 18",
        "P1 (Section 4.2). Degrees of freedom.",
        "P7 (Section 3). Means of folds",
    ):
        assert line in shown.out
    for size in (50, 200):
        assert f"{size} per class" in shown.out


@pytest.fixture
def few(monkeypatch) -> None:
    for name, n in quick_runs.FEW_POINTS.items():
        monkeypatch.setattr(points, name, n)
    monkeypatch.setattr(points, "_drawings", lambda *drawn: {})


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
    assert len(written["damaged"]) == 1
    assert (written["figure 3"], written["skipped"]) == (None, [])
    assert len(written["claims"]) == len(quick_runs.without_digits().claims)


def test_a_paper_without_data_refuses_them(call, tmp_path) -> None:
    shown = call("averaging", "--data", tmp_path)
    assert shown.code == 2
    assert "RS002" in shown.err
    assert "operating-points" in shown.err


def test_every_paper_has_a_folder_of_its_own(call, tmp_path, computed, without_digits, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(points, "reproduce_operating_points", lambda **options: without_digits)
    for paper in ("averaging", "operating-points"):
        assert call(paper, "--quick").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "rocsteady-averaging",
        "rocsteady-operating-points",
    ]


def test_pictures_in_the_way_are_noticed_too(call, tmp_path) -> None:
    (tmp_path / "figure_3.pdf").write_text("mine")
    shown = call("operating-points", "--quick", "-o", tmp_path)
    assert shown.code == 2
    assert "figure_3.pdf" in shown.err


@pytest.mark.parametrize("option", ["--out", "--output", "-o"])
def test_the_folder_has_three_spellings(call, tmp_path, computed, option: str) -> None:
    assert call("averaging", "--quick", option, tmp_path / "here").code == 0
    assert (tmp_path / "here" / "results.json").is_file()


def test_the_claims_are_shown_by_verdict_and_written_with_their_numbers(call, tmp_path, computed) -> None:
    computed._drawings["figure_1"] = lambda: new_figure(1, 1)
    shown = call("averaging", "--quick", "-o", tmp_path)
    flat = " ".join(shown.out.split())
    for claim in computed.claims:
        assert f"- {claim.where}: {claim.claim}" in flat
    order = [
        shown.out.index(f"Claims {verdict}\n")
        for verdict in dict.fromkeys(c.verdict for c in computed.claims)
    ]
    assert len(order) == 3
    written = json.loads((tmp_path / "results.json").read_text())
    assert [claim["verdict"] for claim in written["claims"]] == [claim.verdict for claim in computed.claims]
    page = (tmp_path / "claims.html").read_text(encoding="utf-8")
    assert page.count("<tr>") == 1 + len(computed.claims)
    assert 'src="figure_1.png"' in page
    del computed._drawings["figure_1"]


def test_damaged_data_exit_3_and_are_said(call, tmp_path, few) -> None:
    (tmp_path / "uci").mkdir()
    (tmp_path / "uci" / "mfeat-mor.csv").write_text("mor1,digit\nx,y\n")
    shown = call("operating-points", "--quick", "--data", tmp_path, "-o", tmp_path / "out")
    assert shown.code == 3
    assert "all passed; data damaged or missing." in shown.out
    assert "RS053" in shown.out
    written = json.loads((tmp_path / "out" / "results.json").read_text())
    assert len(written["damaged"]) == 1
    assert written["figure 3"] is None
    assert len(written["figure 1"]["table"]["thresholds"]) == 30  # the rest was computed


def test_a_cache_that_nothing_uses_is_refused(call, tmp_path) -> None:
    shown = call("averaging", "--cache", tmp_path)
    assert shown.code == 2
    assert "RS002" in shown.err
    assert "python -m papers smroc" in shown.err
