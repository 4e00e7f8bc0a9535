"""``rocsteady count``: small files that hold what curves need, made of files of any size, and added up."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocsteady as rs
from conftest import package
from rocsteady.cli import count as command
from rocsteady.cli import outcome
from rocsteady.counting import ladder
from rocsteady.counting.counted import CountedScores

COLUMNS = ["-g", "host", "-p", "attack"]


def rows(seed: int, n: int = 600, *, places: int = 1) -> pa.Table:
    rng = np.random.default_rng(seed)
    is_attack = np.arange(n) % 3 == 0
    score = np.round(rng.normal(size=n) + is_attack, places)
    host = [f"h{i}" for i in [*range(4), *rng.integers(0, 4, n - 4)]]
    label = np.where(is_attack, "attack", "normal")
    other = np.round(score + rng.normal(size=n), places)
    weight = rng.integers(1, 5, n)
    return pa.table({"host": host, "label": label, "score": score, "other": other, "weight": weight})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "days").mkdir()
    for day in range(3):
        pq.write_table(rows(day), f"days/day-{day}.parquet")
    return tmp_path


@pytest.fixture
def few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of counts stay smaller than their scores are many."""
    monkeypatch.setattr(command, "_MOST_CELLS", 1000)
    monkeypatch.setattr(ladder, "CELLS_OF_A_GROUP", 64)
    monkeypatch.setattr(ladder, "_FEW_DISTINCT", 0)
    pq.write_table(rows(7, 6000, places=9), "fine.parquet")


def exactly(*names: str) -> CountedScores:
    return rs.count_scores([*names], label="label", score="score", group="host", positive="attack")


def test_a_small_file_is_counted_exactly(call) -> None:
    shown = call("count", "days/day-0.parquet", *COLUMNS)
    assert shown.code == 0
    assert shown.err.startswith("counts.parquet  ")
    n_cells = len(exactly("days/day-0.parquet").cells)
    said = " ".join(shown.out.split())
    assert said.startswith(f"Counted 600 rows of day-0.parquet: 4 hosts, in {n_cells} cells. Exact: every")
    assert "Columns taken by their names: label and score." in said
    assert shown.out.rstrip().endswith("  → rocsteady report counts.parquet")
    found = rs.open_counts("counts.parquet")
    assert found.knows_thresholds
    assert rs.average(found, "vertical").auc == rs.average(exactly("days/day-0.parquet"), "vertical").auc


@pytest.mark.parametrize("given", ["days", "days/*.parquet", "days/day-?.parquet"])
def test_folders_and_patterns(call, given: str) -> None:
    shown = call("count", given, *COLUMNS)
    assert shown.code == 0
    assert f"Counted 1800 rows of {given}: 4 hosts" in " ".join(shown.out.split())
    assert rs.open_counts("counts.parquet").source == given
    assert call("count", "nights/*.parquet", *COLUMNS).err.startswith("error RS051 no file fits nights/")


def test_a_csv_file_and_standard_input(call, spawn, folder) -> None:
    text = "host,label,score\n" + "".join(f"h{i % 2},{i // 2 % 2},{i / 7 + i // 2 % 2}\n" for i in range(40))
    (folder / "s.csv").write_text(text)
    given = ("-g", "host", "-o", "c.parquet", "--overwrite")
    for shown in (call("count", "s.csv", *given), spawn("count", "-", *given, stdin=text)):
        assert shown.code == 0, shown.err
        assert "Counted 40 rows of s" in " ".join(shown.out.split())
        assert rs.open_counts(folder / "c.parquet").n_rows == 40


@pytest.mark.usefixtures("few_cells")
def test_a_larger_one_in_cells_within_bounds_that_are_told(call) -> None:
    shown = call("count", "fine.parquet", *COLUMNS)
    found, truth = rs.open_counts("counts.parquet"), exactly("fine.parquet")
    assert not found.is_exact
    assert len(found.cells) <= 1000
    bounds = f"AUC within ± {found.auc_bound:#.2g}, rates within ± {found.rate_bound:#.2g}"
    assert f"Certain for every host: {bounds} of the middle of their bounds." in " ".join(shown.out.split())
    low, high = found.auc_bounds
    assert ((low <= truth.auc_bounds[0]) & (truth.auc_bounds[0] <= high)).all()


@pytest.mark.usefixtures("few_cells")
def test_json_has_the_bounds_and_nothing_beside_it(call) -> None:
    shown = call("count", "fine.parquet", *COLUMNS, "--json")
    data = json.loads(shown.out)
    found = rs.open_counts("counts.parquet")
    assert shown.err == ""
    assert (data["schema_version"], data["output"], data["n_rows"]) == (2, "counts.parquet", 6000)
    assert (data["auc_bound"], data["rate_bound"]) == (found.auc_bound, found.rate_bound)
    assert data["auc_bound"] > 0
    assert (data["groups"], data["undefined"], data["warnings"]) == (["h0", "h1", "h2", "h3"], [], [])


def test_quiet_is_quiet(call) -> None:
    assert call("count", "days", *COLUMNS, "-q") == type(call("explain", "RS001"))(0, "", "")
    assert Path("counts.parquet").exists()


def test_a_tolerance_that_is_not_met_is_a_warning(call, monkeypatch) -> None:
    monkeypatch.setattr(ladder, "BYTES_PER_CELL", 10**8 // 200)
    monkeypatch.setattr(ladder, "BYTES_PER_ANCHOR", 10**18)
    pq.write_table(rows(7, 4000, places=9), "fine.parquet")
    given = ["count", "fine.parquet", *COLUMNS, "--tolerance", "auc=1e-9", "--memory", "100MB", "--overwrite"]
    shown = call(*given)
    assert shown.code == 0
    assert "warning RS410 the tolerance asked for (AUC 1e-09) was not reached." in shown.err
    assert call(*given, "--strict").code == 4
    assert [own["code"] for own in json.loads(call(*given, "--json").out)["warnings"]] == ["RS410"]


def test_nothing_to_warn_about_is_no_4(call) -> None:
    assert call("count", "days", *COLUMNS, "--strict").code == 0


def test_wrong_places_to_write_to(call, folder) -> None:
    wrong = call("count", "days", *COLUMNS, "-o", "counts.csv")
    assert (wrong.code, wrong.out) == (2, "")
    assert wrong.err.splitlines()[0].startswith("error RS054 ")
    assert "→ --output counts.parquet" in wrong.err
    before = Path("days/day-0.parquet").read_bytes()
    given = ["count", "days/day-0.parquet", *COLUMNS, "--overwrite", "-o"]
    assert call(*given, "days/day-0.parquet").err.startswith("error RS003 ")
    assert Path("days/day-0.parquet").read_bytes() == before
    for name in ("days/day-1.parquet", "days/counts.parquet"):
        among = call("count", "days", *COLUMNS, "--overwrite", "-o", name)
        assert (among.code, among.out) == (2, "")
        assert among.err.startswith(f"error RS003 {name} would lie among the files that are counted.")
    among = call("count", "days/*.parquet", *COLUMNS, "--overwrite", "-o", "days/day-1.parquet")
    assert among.err.startswith("error RS003 ")
    assert call(*given, "nowhere/counts.parquet").err.startswith("error RS055 ")
    assert sorted(os.listdir()) == ["days"]


def test_what_is_there_is_not_replaced_unasked(call) -> None:
    Path("counts.parquet").write_text("mine")
    shown = call("count", "days", *COLUMNS)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS003 ")
    assert Path("counts.parquet").read_text() == "mine"
    assert call("count", "days", *COLUMNS, "--overwrite").code == 0
    assert rs.open_counts("counts.parquet").n_rows == 1800


def test_counts_are_added(call) -> None:
    call("count", "days/day-0.parquet", *COLUMNS, "-o", "all.parquet", "-q")
    before = Path("all.parquet").read_bytes()
    given = ["count", "days/day-1.parquet", *COLUMNS, "--add", "all.parquet", "-o"]
    shown = call(*given, "all.parquet", "--overwrite")
    assert (shown.code, shown.err[:12]) == (2, "error RS003 ")
    assert "is what is read; it is never written over." in " ".join(shown.err.split())
    assert Path("all.parquet").read_bytes() == before
    shown = call(*given, "sum.parquet")
    assert shown.code == 0
    assert "Counted 600 rows of day-1.parquet. With those of all.parquet: 1200 rows, 4 hosts" in " ".join(
        shown.out.split()
    )
    call("count", "days/day-[01].parquet", *COLUMNS, "-o", "both.parquet", "-q")
    together, at_once = (rs.open_counts(name) for name in ("sum.parquet", "both.parquet"))
    for own in ("member", "positives", "negatives", "rows", "lowest", "highest"):
        assert np.array_equal(getattr(together.cells, own), getattr(at_once.cells, own)), own
    # Counts can be counted, too: nothing is read again.
    call("count", "days/day-2.parquet", *COLUMNS, "-o", "third.parquet", "-q")
    assert call("count", "third.parquet", "--add", "sum.parquet", "-o", "three.parquet", "-q").code == 0
    assert rs.open_counts("three.parquet").n_rows == 1800


@pytest.mark.usefixtures("few_cells")
def test_cells_are_taken_from_what_is_added_to(call) -> None:
    pq.write_table(rows(8, 6000, places=9), "finer.parquet")
    call("count", "fine.parquet", *COLUMNS, "-o", "a.parquet", "-q")
    call("count", "finer.parquet", *COLUMNS, "--add", "a.parquet", "-o", "b.parquet", "-q")
    first, both = rs.open_counts("a.parquet"), rs.open_counts("b.parquet")
    assert (both.n_rows, both.how.binning) == (12_000, first.how.binning)
    assert both.auc_bound < 2 * first.auc_bound
    truth = exactly("fine.parquet", "finer.parquet").auc_bounds[0]
    assert ((both.auc_bounds[0] <= truth) & (truth <= both.auc_bounds[1])).all()


def test_counts_that_mean_something_else_are_not_added(call) -> None:
    call("count", "days/day-0.parquet", *COLUMNS, "-o", "all.parquet", "-q")
    turned = ["-g", "host", "-p", "normal", "--low-is-positive"]
    shown = call("count", "days/day-1.parquet", *turned, "--add", "all.parquet")
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith("error RS404 these counts cannot be added.")
    assert "positive label: attack in one, normal in the other" in " ".join(shown.err.split())
    shown = call("count", "days/day-1.parquet", *COLUMNS, "-w", "weight", "--add", "all.parquet")
    assert (shown.code, shown.err[:12]) == (3, "error RS404 ")
    assert not Path("counts.parquet").exists()


@pytest.mark.parametrize("content", [b"", b"PAR1 nothing PAR1", None])
def test_a_broken_file_of_counts(call, content: bytes | None) -> None:
    call("count", "days/day-0.parquet", *COLUMNS, "-o", "all.parquet", "-q")
    Path("all.parquet").write_bytes(Path("all.parquet").read_bytes()[:-40] if content is None else content)
    shown = call("count", "days/day-1.parquet", *COLUMNS, "--add", "all.parquet")
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith("error RS053 all.parquet cannot be read as Parquet.")
    shown = call("count", "days/day-1.parquet", *COLUMNS, "--add", "days/day-0.parquet")
    assert (shown.code, shown.err[:12]) == (3, "error RS405 ")


def test_several_scores_missing_ones_and_one_class(call) -> None:
    table = rows(5).to_pydict()
    table["score"][:7] = [None] * 7
    table["host"] = ["lonely" if label == "normal" and i < 60 else host
                     for i, (host, label) in enumerate(zip(table["host"], table["label"], strict=True))]  # fmt: skip
    pq.write_table(pa.table(table), "odd.parquet")
    shown = call("count", "odd.parquet", *COLUMNS)
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith("error RS031 7 of 600 scores are missing")
    shown = call("count", "odd.parquet", *COLUMNS, "--on-missing", "drop")
    assert shown.code == 0
    assert "Counted 593 rows (7 more dropped) of odd.parquet: 5 hosts" in " ".join(shown.out.split())
    assert "1 curve cannot be drawn: one class only." in " ".join(shown.out.split())
    assert rs.open_counts("counts.parquet").dropped.n_rows == 7
    shown = call("count", "days", *COLUMNS, "-s", "score", "-s", "other", "-o", "two.parquet")
    assert "Counted 1800 rows of days: 4 hosts, 2 models" in " ".join(shown.out.split())
    assert rs.open_counts("two.parquet").models == ("score", "other")


@pytest.mark.parametrize("engine", ["memory", "duckdb", "polars"])
def test_engines_count_alike(call, engine: str) -> None:
    package(engine if engine != "memory" else "duckdb")
    assert call("count", "days/day-0.parquet", *COLUMNS, "--engine", engine, "-q").code == 0
    found, truth = rs.open_counts("counts.parquet"), exactly("days/day-0.parquet")
    assert (found.how.engine, len(found.cells)) == (engine, len(truth.cells))
    assert np.array_equal(found.cells.positives, truth.cells.positives)


SLOW = """
import sys, time
from rocsteady import whole_files
from rocsteady.cli import main

def replace(source, target):
    print("writing", flush=True)
    time.sleep(30)

whole_files.os.replace = replace
sys.argv = ["rocsteady", *sys.argv[1:]]
main()
"""
ENDLESS = """
import sys, time
from rocsteady.cli import main
from rocsteady.counting import ladder

def count(self):
    print("writing", flush=True)
    time.sleep(30)

ladder.Climb.count = count
sys.argv = ["rocsteady", *sys.argv[1:]]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    ("program", "number", "code"),
    [(SLOW, signal.SIGTERM, 143), (ENDLESS, signal.SIGTERM, 143), (ENDLESS, signal.SIGINT, 130)],
    ids=["while writing", "while counting", "by hand while counting"],
)
def test_a_signal_leaves_nothing_behind_and_says_so(folder, number: int, code: int, program: str) -> None:
    given = [sys.executable, "-c", program, "count", "days", *COLUMNS, "-o", "out.parquet", "-q"]
    with subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        process.send_signal(number)
        began = time.monotonic()
        _, said = process.communicate(timeout=20)
    assert time.monotonic() - began < 15
    assert (process.returncode, said) == (code, "interrupted; out.parquet was not changed\n")
    assert os.listdir() == ["days"]


def test_a_signal_that_somebody_kept_to_himself_ends_the_count_all_the_same(call, monkeypatch) -> None:
    """An extension that is loaded may clear what a signal raised; the count must not go on for hours."""
    monkeypatch.setattr(outcome, "_interrupts", [signal.SIGTERM])
    shown = call("count", "days", *COLUMNS, "-o", "out.parquet")
    assert (shown.code, shown.err) == (130, "interrupted; out.parquet was not changed\n")
    assert os.listdir() == ["days"]


@pytest.mark.usefixtures("few_cells")
def test_a_sum_that_is_less_certain_than_was_asked_is_told(call) -> None:
    pq.write_table(rows(7, 4000, places=9), "fine.parquet")
    assert call("count", "fine.parquet", *COLUMNS, "--memory", "100MB", "-o", "a.parquet", "-q").code == 0
    given = ["count", "fine.parquet", *COLUMNS, "--memory", "100MB", "--add", "a.parquet", "-o", "b.parquet"]
    shown = call(*given, "--tolerance", "auc=1e-3")
    assert "RS410 the tolerance asked for (AUC 0.001) was not reached by the sum." in shown.err


def test_a_pattern_that_would_name_the_counts_the_next_time(call) -> None:
    shown = call("count", "days/*.parquet", *COLUMNS, "-o", "days/counts.parquet")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS003 days/counts.parquet would lie among the files")


def test_counts_of_weights_are_not_sent_to_a_report(call) -> None:
    pq.write_table(rows(7).append_column("w", pa.array([1.5] * 600)), "weighted.parquet")
    shown = call("count", "weighted.parquet", *COLUMNS, "-w", "w")
    assert (shown.code, "report" in shown.out + shown.err) == (0, False)
