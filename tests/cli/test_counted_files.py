"""``report`` and ``average`` of what was counted: files of counts, folders, patterns, what is too large."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest
from tests.counted_rows import alike
from tests.page_structure import problems

from conftest import package
from rocsteady.cli import files
from rocsteady.counting import count as counting
from rocsteady.counting import ladder

COLUMNS = ["-g", "host", "-p", "attack"]
REPORT = ["--deploy", "own", "--hold", "fpr", "--boot", "100", "--json"]
AVERAGE = ["--method", "vertical", "--band", "none", "--at", "fpr=0.1", "--json"]


def rows(seed: int = 1, n: int = 2400, *, lonely: bool = False) -> dict[str, list]:
    rng = np.random.default_rng(seed)
    # Groups appear in the order of their names: resampling draws them by their places.
    host = np.array([f"h{i}" for i in [*range(8), *rng.integers(0, 8, n - 8)]], dtype=object)
    is_attack = np.arange(n) % 3 == 0
    if lonely:
        host[(~is_attack) & (np.arange(n) >= 8) & (np.arange(n) < 98)] = "quiet"
    common = rng.normal(size=n) + is_attack
    return {
        "host": host.tolist(),
        "label": np.where(is_attack, "attack", "normal").tolist(),
        "score": np.round(common + 0.3 * rng.normal(size=n), 5).tolist(),
        "other": np.round(common + rng.normal(size=n), 5).tolist(),
        "weight": rng.integers(1, 4, n).tolist(),
        "case": list(range(n)),
    }


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    table = pa.table(rows())
    pq.write_table(table, "whole.parquet")
    pc.write_csv(table, "whole.csv")
    Path("parts").mkdir()
    for k in range(3):
        pq.write_table(table.slice(800 * k, 800), f"parts/{k}.parquet")
    return tmp_path


@pytest.fixture
def in_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fits into 100 MB is little: some cells, and no anchors."""
    monkeypatch.setattr(ladder, "BYTES_PER_CELL", 10**8 // 600)
    monkeypatch.setattr(ladder, "BYTES_PER_ANCHOR", 10**18)
    monkeypatch.setattr(ladder, "CELLS_OF_A_GROUP", 64)
    monkeypatch.setattr(ladder, "_FEW_DISTINCT", 0)


@pytest.fixture
def too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file fits into 100 MB."""
    monkeypatch.setattr(counting, "BYTES_PER_VALUE", 10**6)
    monkeypatch.setattr(files, "LARGE", 100)
    monkeypatch.setattr(files, "_SMALL", 0)


def counts(call, *given: str) -> str:
    assert call("count", *(given or ("whole.parquet",)), *COLUMNS, "-q").code == 0
    return "counts.parquet"


def the_same(found: dict, expected: dict) -> None:
    """Areas, points and comparisons of two reports, number by number; what needs single rows set aside."""
    for own in [*found["models"].values(), *expected["models"].values()]:
        own["comparability"] = None
    for part in ("models", "comparison", "recommended", "places"):
        alike(found[part], expected[part], part)


@pytest.mark.parametrize("given", ["counts", "parts", "parts/*.parquet", "whole.parquet", "whole.csv"])
def test_a_report_of_counts_has_the_numbers_of_the_rows(call, given: str) -> None:
    truth = json.loads(call("report", "whole.parquet", *COLUMNS, *REPORT).out)
    file = counts(call) if given == "counts" else given
    columns = [] if given == "counts" else COLUMNS
    engine = ["--engine", "duckdb"] if given.startswith("whole") else []
    shown = call("report", file, *columns, *REPORT, *engine)
    assert (shown.code, shown.err) == (0, "")
    found = json.loads(shown.out)
    the_same(found, truth)
    assert found["data"]["counting"]["auc_bound"] == 0
    assert truth["data"]["counting"] is None


@pytest.mark.parametrize("given", ["counts", "parts", "parts/*.parquet"])
def test_an_average_too(call, given: str) -> None:
    truth = json.loads(call("average", "whole.parquet", *COLUMNS, *AVERAGE).out)
    file = counts(call) if given == "counts" else given
    found = json.loads(call("average", file, *([] if given == "counts" else COLUMNS), *AVERAGE).out)
    for name in ("auc", "fpr", "tpr"):
        alike(found["averages"][0][name], truth["averages"][0][name], name)
    alike(found["operating_points"], truth["operating_points"], "points")


@pytest.mark.usefixtures("in_cells", "too_large")
@pytest.mark.parametrize("file", ["whole.parquet", "whole.csv"])
def test_what_is_too_large_is_counted_in_cells(call, file: str) -> None:
    truth = json.loads(call("report", file, *COLUMNS, *REPORT, "--engine", "memory").out)
    shown = call("report", file, *COLUMNS, *REPORT[:-1], "--memory", "100MB", "-o", "r.html")
    assert shown.code == 0
    said = " ".join(shown.err.split())
    assert "Rows are counted in place, within 100MB of memory (--memory)." in said
    assert "warning RS411 rows were counted in cells: no AUC of a host can be off by more than 0.0" in said
    assert f"Counted 2400 rows of {file}: 8 hosts." in shown.out
    found = json.loads(call("report", file, *COLUMNS, *REPORT, "--memory", "100MB").out)
    part = found["data"]["counting"]
    assert 0 < part["auc_bound"] < part["rate_bound"] < 0.2
    assert {own["code"] for own in found["warnings"]} - {"RS317"} == {"RS411"}
    (own,), (exact,) = found["models"].values(), truth["models"].values()
    assert abs(own["average"]["auc"] - exact["average"]["auc"]) <= part["auc_bound"]
    assert abs(own["auc"] - exact["auc"]) <= part["auc_bound"]
    page = Path("r.html").read_text(encoding="utf-8")
    assert problems(page) == []
    assert "counted" in page


@pytest.mark.usefixtures("in_cells")
def test_an_average_in_cells_has_its_bounds(call) -> None:
    given = [*COLUMNS, *AVERAGE[2:]]
    for method in ("vertical", "threshold", "pooled"):
        own = [*given, "--method", method]
        found = json.loads(call("average", "parts", *own, "--memory", "100MB").out)
        truth = json.loads(call("average", "whole.parquet", *own).out)
        low, high = found["averages"][0]["auc_bounds"].values()
        assert low <= truth["averages"][0]["auc"] <= high
        assert high - low < 0.1
        assert [own["code"] for own in found["warnings"]][:1] == ["RS411"]


@pytest.mark.parametrize("tolerance", ["0", "auc=1e-4", "auc=1e-3,rate=0.02"])
def test_tolerances(call, tolerance: str) -> None:
    found = json.loads(call("report", "whole.parquet", *COLUMNS, *REPORT, "--tolerance", tolerance).out)
    assert found["data"]["counting"]["auc_bound"] <= 1e-3


@pytest.mark.parametrize("command", ["report", "average", "count"])
@pytest.mark.parametrize(
    ("option", "value", "code"),
    [
        ("--tolerance", "nonsense", "RS042"),
        ("--tolerance", "area=1", "RS042"),
        ("--tolerance", "-1", "RS042"),
        ("--tolerance", "0.5", "RS042"),
        ("--memory", "much", "RS042"),
        ("--memory", "1MB", "RS042"),
        ("--engine", "nonsense", "RS002"),
    ],
)
def test_nonsense_is_refused_before_anything_is_read(
    call, command: str, option: str, value: str, code: str
) -> None:
    more = ["--method", "vertical"] if command == "average" else []
    shown = call(command, "no-such-file.parquet", *more, f"{option}={value}")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error {code} ")
    assert option in shown.err


def test_engines(call) -> None:
    package("polars")
    truth = json.loads(call("average", "whole.parquet", *COLUMNS, *AVERAGE).out)
    found = json.loads(call("average", "whole.parquet", *COLUMNS, *AVERAGE, "--engine", "polars").out)
    alike(found["averages"], truth["averages"], "averages")
    shown = call("average", "whole.csv", *COLUMNS, *AVERAGE, "--engine", "polars")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS002 ")
    assert "--engine duckdb" in shown.err


@pytest.mark.parametrize("command", ["report", "average"])
def test_counts_know_neither_cases_nor_weights(call, command: str) -> None:
    more = REPORT if command == "report" else AVERAGE
    for file in (counts(call), "parts", "whole.parquet"):
        columns = [] if file == "counts.parquet" else COLUMNS
        asked = ["--engine", "duckdb"] if file == "whole.parquet" else []
        for option, column in (("--case", "case"), ("--weight", "weight")):
            shown = call(command, file, *columns, *more, *asked, option, column)
            assert (shown.code, shown.out) == ((2, "") if "RS002" in shown.err else (3, ""))
            said = " ".join(shown.err.split())
            assert f"leave out {option}" in said
            assert ("--engine memory" in said) is (file == "whole.parquet")
            assert "RS406" in said or file == "counts.parquet"
    assert call("count", "parts", *COLUMNS, "-w", "weight", "-o", "w.parquet", "-q").code == 0
    shown = call(command, "w.parquet", *more)
    assert (shown.code, shown.err[:12]) == (3, "error RS406 ")


@pytest.mark.parametrize(
    "asked",
    [["-g", "label"], ["-p", "normal"], ["--low-is-positive"], ["-m", "host"], ["-s", "a", "-s", "b"]],
)
def test_counts_answer_nothing_else_than_what_was_counted(call, asked: list[str]) -> None:
    shown = call("average", counts(call), *AVERAGE, *asked)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS002 counts.parquet holds counts, of which this cannot be asked")
    assert "counted were: 8 hosts; positive: attack, where scores are high" in " ".join(shown.err.split())


def test_what_was_counted_may_be_named_again(call) -> None:
    given = [counts(call), *AVERAGE]
    again = call("average", *given, *COLUMNS, "-y", "label", "-s", "score", "--engine", "memory")
    assert (again.code, again.out) == (0, call("average", *given).out)


@pytest.mark.usefixtures("in_cells")
def test_counts_that_are_too_coarse_say_so(call) -> None:
    call("count", "whole.parquet", *COLUMNS, "--memory", "100MB", "-q")
    found = json.loads(call("average", "counts.parquet", *AVERAGE, "--tolerance", "0").out)
    assert [own["code"] for own in found["warnings"]] == ["RS410", "RS411"]
    shown = call("average", "counts.parquet", *AVERAGE[:-1], "--tolerance", "0", "--strict", "-o", "a.csv")
    assert shown.code == 4
    assert "count the rows again" in shown.err


def test_curves_that_are_exact_with_thresholds_that_are_not(call, monkeypatch) -> None:
    monkeypatch.setattr(ladder, "BYTES_PER_CELL", 10**8 // 1200)
    given = ["whole.parquet", *COLUMNS, "--tolerance", "0", "--memory", "100MB"]
    found = json.loads(call("report", *given, *REPORT).out)
    truth = json.loads(call("report", "whole.parquet", *COLUMNS, *REPORT).out)
    part = found["data"]["counting"]
    assert part["auc_bound"] == part["rate_bound"] == 0 < part["threshold_bound"]
    (own,), (exact,) = found["models"].values(), truth["models"].values()
    assert own["average"]["auc"] == pytest.approx(exact["average"]["auc"], abs=1e-12)
    (warning,) = [own for own in found["warnings"] if own["code"] == "RS411"]
    assert "curves are exact, but rates of a host at a given threshold can be off" in warning["problem"]


def test_several_scores_are_models_that_are_compared(call) -> None:
    given = [*COLUMNS, *REPORT, "-s", "score", "-s", "other"]
    truth = json.loads(call("report", "whole.parquet", *given).out)
    found = json.loads(call("report", "parts", *given).out)
    assert found["data"]["models"] == truth["data"]["models"] == ["score", "other"]
    alike(found["comparison"]["auc"], truth["comparison"]["auc"], "auc")
    shown = call("report", "parts", *given[:-5], "-s", "score", "-s", "other", "-o", "r.html", "--overwrite")
    assert "Counted 2400 rows of parts: 8 hosts, 2 models (score and other)." in " ".join(shown.out.split())


def test_low_is_positive_missing_scores_and_one_class(call) -> None:
    table = rows(lonely=True)
    table["score"] = [-own for own in table["score"]]
    table["score"][100:105] = [None] * 5
    Path("odd").mkdir()
    pq.write_table(pa.table(table), "odd/a.parquet")
    given = [*COLUMNS, *REPORT, "--low-is-positive"]
    assert call("report", "odd", *given).err.startswith("error RS031 5 of 2 400 scores are missing")
    given += ["--on-missing", "drop"]
    found = json.loads(call("report", "odd", *given).out)
    truth = json.loads(call("report", "odd/a.parquet", *given).out)
    the_same(found, truth)
    assert found["data"]["higher_is_positive"] is False
    assert found["check"]["n_dropped"] == truth["check"]["n_dropped"] == 5
    assert {own["code"] for own in found["warnings"]} >= {"RS102", "RS201"} & {
        own["code"] for own in truth["warnings"]
    }


@pytest.mark.parametrize("command", ["check", "compare", "cutoff", "plot", "plan", "advise"])
def test_commands_that_need_rows_say_what_to_do_with_counts(call, command: str) -> None:
    more = {"compare": ["--method", "vertical"], "advise": ["--deploy", "own", "--hold", "fpr"]}
    shown = call(command, counts(call), *more.get(command, []))
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith("error RS406 counts.parquet holds counts, and this command needs")
    assert "  → rocsteady report counts.parquet\n" in shown.err
    for file, what in (("parts", "directory"), ("parts/*.parquet", "pattern")):
        shown = call(command, file, *COLUMNS, *more.get(command, []))
        assert (shown.code, shown.out) == (3, "")
        said = " ".join(shown.err.split())
        assert said.startswith(f"error RS052 {file} is a {what}, and this command reads one file.")
        quoted = "'parts/*.parquet'" if what == "pattern" else file
        assert f"→ or rocsteady report {quoted}" in said


def test_cut_offs_of_other_counts(call) -> None:
    pq.write_table(pa.table(rows(2)), "before.parquet")
    call("count", "before.parquet", *COLUMNS, "-o", "before-counts.parquet", "-q")
    given = ["--deploy", "own", "--hold", "fpr", "--at", "fpr=0.1", "--boot", "100", "--json"]
    shown = call("report", counts(call), *given, "--cutoff-from", "before-counts.parquet")
    assert shown.code == 0, shown.err
    assert (
        call("report", "counts.parquet", *given, "--cutoff-from", "counts.parquet").err[:12] == "error RS002 "
    )


@pytest.mark.parametrize("damage", [b"", None])
def test_broken_files(call, damage: bytes | None) -> None:
    path = Path(counts(call))
    path.write_bytes(path.read_bytes()[:-40] if damage is None else damage)
    shown = call("report", path, *REPORT)
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith("error RS05")
    Path("empty").mkdir()
    shown = call("report", "empty", *REPORT)
    assert (shown.code, shown.err[:12]) == (3, "error RS052 ")


def test_one_group_of_counts_has_no_columns_that_were_not_used(call) -> None:
    assert call("count", "whole.parquet", "-p", "attack", "-q").code == 0
    shown = call("report", "counts.parquet", "--boot", "100")
    assert shown.code == 0, shown.err
    assert "Not used" not in shown.out
    assert "Read the counts of 2400 rows of whole.parquet. Positive: attack" in " ".join(shown.out.split())


def test_another_column_of_scores_than_was_counted_is_refused(call) -> None:
    file = counts(call)
    shown = call("average", file, "-s", "other", "--method", "vertical")
    assert shown.code == 2
    assert shown.err.startswith(f"error RS002 {file} holds counts, of which this cannot be asked any more")
    assert call("average", file, "-s", "score", "--method", "vertical", "-q").code == 0


def test_a_binormal_curve_is_not_fitted_to_cells(call, in_cells) -> None:
    given = [*COLUMNS, "--method", "binormal", "--engine", "duckdb", "--memory", "100MB"]
    shown = call("average", "whole.parquet", *given)
    assert (shown.code, shown.out) == (3, "")
    assert "RS406" in shown.err


@pytest.mark.parametrize("command", ["report", "average", "count"])
@pytest.mark.parametrize("given", ["parts", "parts/*.parquet"])
def test_several_files_are_not_read_into_memory(call, command: str, given: str) -> None:
    more = ["--method", "vertical"] if command == "average" else []
    shown = call(command, given, *COLUMNS, *more, "--engine", "memory")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.splitlines()[0] == "error RS002 several files are not read into memory."
    assert shown.err.splitlines()[-1] == "  \u2192 let DuckDB count them:  --engine duckdb"


def test_files_that_a_shell_spelled_out(call) -> None:
    shown = call("average", "parts/0.parquet", "parts/1.parquet", *COLUMNS, "--method", "vertical")
    assert shown.code == 2
    assert "by a pattern in quotes" in shown.err
