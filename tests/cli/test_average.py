"""`rocsteady average`: the points of the curve, its band, and readings of it."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_hosts(path: Path, *, models=("scores",), n_hosts=10, reverse=False, apart=0.0) -> None:
    rng = np.random.default_rng(3)
    lines = ["host,label,score,model"]
    for model in models:
        for i in range(n_hosts):
            for label in ["attack"] * 12 + ["normal"] * 20:
                sign = -1 if reverse else 1
                score = rng.normal() + 2 * sign * (label == "attack") + apart * i
                lines.append(f"h{i},{label},{score:.3f},{model}")
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def hosts(folder: Path) -> str:
    write_hosts(folder / "hosts.csv")
    return "hosts.csv"


COLUMNS = ["-g", "host", "-p", "attack"]


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def line(text: str, name: str = "average", **where: str) -> np.ndarray:
    chosen = [r for r in table(text) if r["line"] == name and all(r[k] == v for k, v in where.items())]
    return np.array([[float(r[name] or "nan") for name in ("fpr", "tpr")] for r in chosen])


def read(name: str) -> rs.ScoreSet:
    return rs.read_scores(name, label="label", score="score", group="host", positive="attack")


@pytest.mark.parametrize(
    ("options", "method"),
    [
        (["--method", "vertical"], "vertical"),
        (["--method", "vertical", "--at-jumps", "mid"], rs.Vertical(at_jumps="mid")),
        (["--deploy", "own", "--hold", "tpr", "--at-jumps", "mid"], rs.Horizontal(at_jumps="mid")),
        (["--method", "radial"], "radial"),
        (["--deploy", "shared"], "threshold"),
        (["--deploy", "shared", "--weigh", "rows"], "pooled"),
        (["--deploy", "own", "--hold", "tpr"], "horizontal"),
        (["--deploy", "own", "--hold", "cost", "--costs", "1:20", "--prevalence", "0.1"], "tangent"),
        (["--deploy", "own", "--hold", "alerts", "--prevalence", "0.1"], rs.AtAlarmRate(prevalence=0.1)),
        (["--angle", "30deg"], rs.AtAngle(np.pi / 6)),
        (["--angle", "0.7"], rs.AtAngle(0.7)),
        (["--method", "alarm-rate", "--prevalence", "0.1"], rs.AtAlarmRate(prevalence=0.1)),
        (["--method", "costs", "--costs", "1:20", "--prevalence", "0.1"], rs.AtCosts(1.0, 20.0, 0.1)),
    ],
)
def test_the_points_are_those_of_the_average(call, hosts, options, method) -> None:
    shown = call("average", hosts, *COLUMNS, *options, "--quiet")
    assert (shown.code, shown.err) == (0, "")
    average = rs.average(read(hosts), method)
    np.testing.assert_array_equal(line(shown.out), np.column_stack([average.fpr, average.tpr]))
    for side in ("lower", "upper"):
        edge = getattr(average.band(), side)
        np.testing.assert_array_equal(line(shown.out, side), np.column_stack([edge.fpr, edge.tpr]))


def test_thresholds_are_written_where_they_are_shared(call, hosts) -> None:
    shown = call("average", hosts, *COLUMNS, "--deploy", "shared", "--band", "none", "-q")
    rows = table(shown.out)
    assert list(rows[0]) == ["line", "fpr", "tpr", "threshold"]
    assert rows[0]["threshold"] == "inf"
    assert [float(r["threshold"]) for r in rows] == rs.average(read(hosts), "threshold").thresholds.tolist()
    assert "threshold" not in call("average", hosts, *COLUMNS, "--method", "vertical", "-q").out


def test_several_models_are_written_one_after_the_other(call, folder) -> None:
    write_hosts(folder / "both.csv", models=("old", "=cmd|'calc'"))
    shown = call(
        "average", "both.csv", *COLUMNS, "-m", "model", "--method", "vertical", "--band", "none", "-q"
    )
    rows = table(shown.out)
    assert list(rows[0]) == ["model", "line", "fpr", "tpr"]
    assert list(dict.fromkeys(r["model"] for r in rows)) == ["old", "'=cmd|'calc'"]


def test_only_text_is_marked_as_text(call, folder) -> None:
    rows = [f"h{i % 8},{(i // 8) % 2},{-5 - i * 0.01}" for i in range(160)]
    (folder / "s.csv").write_text("host,label,score\n" + "\n".join(rows) + "\n")
    shown = call(
        "average", "s.csv", "-g", "host", "--deploy", "shared", "--band", "none", "-q", "--allow-reversed"
    )
    assert shown.code == 0
    assert ",-5.0" in shown.out
    assert "'" not in shown.out


@pytest.mark.parametrize(
    ("options", "at", "key"),
    [
        (["--method", "vertical"], "fpr=0.1", "tpr_interval"),
        (["--method", "horizontal"], "tpr=0.9", "fpr_interval"),
        (["--deploy", "shared"], "t=1.5", "tpr_interval"),
        (["--method", "diagonal"], "eer", "tpr_interval"),
        (["--method", "radial"], "eer", "tpr_interval"),
        (["--method", "alarm-rate", "--prevalence", "0.3"], "rate=0.2", "tpr_interval"),
        (["--method", "radial"], "ratio=1:2", "fpr_interval"),
        (["--method", "tangent", "--prevalence", "0.1"], "cost=1:20", "cost_interval"),
    ],
)
def test_places_are_read(call, hosts, options, at, key) -> None:
    shown = call("average", hosts, *COLUMNS, *options, "--at", at, "--json")
    assert (shown.code, shown.err) == (0, "")
    data = json.loads(shown.out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    (point,) = data["operating_points"]
    assert point[key]["low"] < point[key]["high"]


def test_the_equal_error_rate_of_the_diagonal_average_is_the_mean_of_the_groups(call, hosts) -> None:
    shown = call("average", hosts, *COLUMNS, "--method", "diagonal", "--at", "eer", "--json")
    (point,) = json.loads(shown.out)["operating_points"]
    expected = np.mean([curve.equal_error_rate for curve in rs.roc_curves(read(hosts))])
    assert point["fpr"] == pytest.approx(expected)


def test_json(call, hosts) -> None:
    shown = call("average", hosts, *COLUMNS, "--deploy", "shared", "--json", "--band", "simultaneous")
    data = json.loads(shown.out)
    assert data["schema_version"] == 2
    assert (data["recommended"], data["method"]) == ("threshold", "threshold")
    assert data["deployment"]["threshold"] == "shared"
    (average,) = data["averages"]
    assert average["threshold"][0] == "inf"
    assert average["band"]["kind"] == "simultaneous"
    assert (
        json.loads(call("average", hosts, *COLUMNS, "--method", "vertical", "--json").out)["recommended"]
        is None
    )


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_files_are_written_as_their_ending_says(call, hosts, folder, ending) -> None:
    name = f"curve.{ending}"
    given = ["average", hosts, *COLUMNS, "--deploy", "shared", "-o", name]
    shown = call(*given)
    assert shown.code == 0
    assert f"{name}  " in shown.err
    assert "-o curve.csv" not in shown.out  # only where nothing was written
    average = rs.average(read(hosts), "threshold")
    if ending == "csv":
        np.testing.assert_array_equal(line((folder / name).read_text())[:, 1], average.tpr)
    elif ending == "json":
        assert json.loads((folder / name).read_text())["averages"][0]["tpr"] == average.tpr.tolist()
    else:
        import duckdb

        found = duckdb.sql(f"SELECT tpr, threshold FROM '{name}' WHERE line = 'average'").fetchnumpy()
        np.testing.assert_array_equal(found["tpr"], average.tpr)
        missing = duckdb.sql(f"SELECT count(*) FROM '{name}' WHERE line = 'lower' AND threshold IS NULL")
        assert missing.fetchall()[0][0] > 0
    assert call(*given).code == 0  # the very same file may be written again
    other = [*given, "--confidence-level", "0.5"]
    assert call(*other).err.startswith("error RS003 ")
    assert call(*other, "--overwrite").code == 0
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_a_grid(call, hosts) -> None:
    for method in ("vertical", "threshold", "radial"):
        shown = call("average", hosts, *COLUMNS, "--method", method, "--grid", "5", "--band", "none", "-q")
        points = line(shown.out)
        assert 5 <= len(points) <= 6
        assert points[0].tolist()[0] == 0
        assert points[-1].tolist() == [1, 1]


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "prediction"])
@pytest.mark.parametrize("method", ["vertical", "horizontal", "diagonal", "threshold", "radial"])
def test_a_grid_thins_the_band_too(call, hosts, method, kind) -> None:
    if kind == "prediction" and method in ("threshold", "radial"):
        return
    given = ["average", hosts, *COLUMNS, "--method", method, "--band", kind, "-q"]
    shown = call(*given, "--grid", "7")
    band = rs.average(read(hosts), method).band(kind=kind)
    for side in ("lower", "upper"):
        points, edge = line(shown.out, side), getattr(band, side)
        assert len(points) == 7
        for index, end in ((0, 0), (-1, -1)):  # it begins and ends where the band does
            if kind == "simultaneous" or method in ("threshold", "radial"):
                assert points[index] == pytest.approx([edge.fpr[end], edge.tpr[end]], nan_ok=True)
    data = json.loads(call(*given, "--grid", "7", "--json").out)
    assert len(data["averages"][0]["band"]["lower"]["tpr"]) == 7


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")  # near the end most curves coincide
def test_a_thinned_band_is_the_band_at_the_points_of_the_grid(call, hosts) -> None:
    shown = call("average", hosts, *COLUMNS, "--method", "vertical", "--grid", "11", "-q")
    average = rs.average(read(hosts), "vertical")
    for i, fpr in enumerate(np.linspace(0, 1, 11)):
        interval = average.at(fpr=fpr).tpr_interval
        for side, limit in (("lower", interval.low), ("upper", interval.high)):
            assert line(shown.out, side)[i] == pytest.approx([fpr, limit], abs=1e-9)


def test_a_folder_that_is_not_there_is_not_made(call, hosts, folder) -> None:
    shown = call("average", hosts, *COLUMNS, "--method", "vertical", "-o", "missing/x.csv")
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith(
        "error RS055 missing/x.csv cannot be written.\n  there is no folder missing\n"
    )
    assert not (folder / "missing").exists()


@pytest.mark.parametrize(
    ("options", "at", "name"),
    [
        (["--deploy", "shared", "--hold", "fpr"], "0.1", "fpr"),
        (["--deploy", "shared", "--hold", "tpr"], "0.9", "tpr"),
        (["--deploy", "own", "--hold", "tpr"], "0.9", "tpr"),
        (["--deploy", "shared"], "1.5", "threshold"),
    ],
)
def test_a_number_without_a_name_is_one_of_what_is_held(call, hosts, options, at, name) -> None:
    shown = call("average", hosts, *COLUMNS, *options, "--at", at, "--json")
    (point,) = json.loads(shown.out)["operating_points"]
    assert point[name] == pytest.approx(float(at))


def test_a_prevalence_in_per_cent(call, hosts) -> None:
    given = ["average", hosts, *COLUMNS, "--method", "alarm-rate", "-q"]
    assert call(*given, "--prevalence", "10%").out == call(*given, "--prevalence", "0.1").out


@pytest.mark.parametrize("place", ["fpr={}", "tpr={}"])
def test_places_in_per_cent(call, hosts, place) -> None:
    given = ["average", hosts, *COLUMNS, "--method", "vertical", "--json", "--at"]
    if place.startswith("tpr"):
        given[given.index("vertical")] = "horizontal"
    both = [json.loads(call(*given, place.format(text)).out) for text in ("10%", "0.1")]
    (one,), (other,) = (found["operating_points"] for found in both)
    assert one == other
    declared = ["average", hosts, *COLUMNS, "--deploy", "own", "--hold", "fpr", "--json", "--at"]
    assert call(*declared, "10%").code == call(*declared, "0.1").code == 0
    assert call("average", hosts, *COLUMNS, "--method", "threshold", "--at", "t=10%").code == 2


def test_group_weights(call, hosts) -> None:
    given = ["average", hosts, *COLUMNS, "--method", "vertical", "--group-weights", "positives", "-q"]
    assert call(*given).code == 0
    shown = call("average", hosts, *COLUMNS, "--method", "pooled", "--group-weights", "rows")
    assert shown.code == 2
    assert shown.err.startswith("error RS083 ")


def test_groups_of_one_class_are_left_out_with_a_warning(call, folder) -> None:
    write_hosts(folder / "hosts.csv")
    with (folder / "hosts.csv").open("a") as file:
        file.writelines(f"quiet,normal,{i / 7},scores\n" for i in range(9))
    given = ["average", "hosts.csv", *COLUMNS]
    shown = call(*given, "--method", "vertical")
    assert shown.code == 0
    assert "warning RS201 host quiet has no attack cases; left out of every average." in shown.err
    assert "RS201" not in call(*given, "--method", "pooled").err
    data = json.loads(call(*given, "--method", "vertical", "--json").out)
    (told,) = [w for w in data["warnings"] if w["code"] == "RS201"]
    assert "quiet" in told["problem"]
    assert call(*given, "--method", "vertical", "--strict", "-q").code == 4


def test_folds_that_are_not_comparable_are_never_pooled_without_a_warning(call, folder) -> None:
    write_hosts(folder / "s.csv", apart=0.5)
    text = (folder / "s.csv").read_text().replace("host,", "fold,", 1)
    (folder / "s.csv").write_text(text)
    given = ["average", "s.csv", "-p", "attack", "--method"]
    for method in ("pooled", "threshold"):
        assert "warning RS311" in call(*given, method, "--design", "cross-validation").err
        shown = call(*given, method).err
        assert "RS311" not in shown
        assert "warning RS108" in shown
        assert "--design cross-validation" in shown
    assert "RS311" not in call(*given, "vertical", "--design", "cross-validation").err


def test_scores_that_run_the_other_way_stop(call, folder) -> None:
    write_hosts(folder / "hosts.csv", reverse=True)
    shown = call("average", "hosts.csv", *COLUMNS, "--method", "vertical")
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith("error RS041 ")
    assert call("average", "hosts.csv", *COLUMNS, "--method", "vertical", "--allow-reversed", "-q").code == 0


def test_a_method_that_contradicts_the_deployment(call, hosts) -> None:
    shown = call(
        "average", hosts, *COLUMNS, "--deploy", "own", "--hold", "fpr", "--method", "threshold", "--strict"
    )
    assert shown.code == 4
    assert "warning RS314 the threshold average does not answer" in shown.err
    assert "vertical average, the mean TPR" not in shown.err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--method", "verticle"], "RS001"),
        (["--angle", "3"], "RS080"),
        (["--angle", "steep"], "RS080"),
        (["--method", "angle"], "RS002"),
        (["--method", "vertical", "--angle", "0.5"], "RS002"),
        (["--method", "alarm-rate"], "RS091"),
        (["--method", "costs", "--costs", "1:20"], "RS091"),
        (["--method", "costs", "--costs", "0:0", "--prevalence", "0.1"], "RS081"),
        (["--method", "costs", "--costs", "1:2..1:3", "--prevalence", "0.1"], "RS094"),
        (["--method", "vertical", "--at", "height=3"], "RS092"),
        (["--method", "vertical", "--at", "t=0.5"], "RS084"),
        (["--method", "vertical", "--at", "ratio=1:2"], "RS084"),
        (["--method", "threshold", "--band", "prediction"], "RS086"),
        (["--method", "vertical", "-o", "curve.xlsx"], "RS054"),
        (["--at", "fpr=2"], "RS042"),  # before any question
        (["--method", "vertical", "--prevalence", "2"], "RS042"),
        (["--method", "vertical", "--prevalence", "x%"], "RS042"),
        (["--method", "vertical", "--at", "t=nan"], "RS092"),
        (["--method", "vertical", "--confidence-level", "95"], "RS042"),
        (["--method", "radial", "--grid", "1"], "RS042"),
        (["--weigh", "rows"], "RS002"),
        (["--method", "diagonal", "--at-jumps", "mid"], "RS002"),
    ],
)
def test_misuse_is_told(call, hosts, options, code) -> None:
    shown = call("average", hosts, *COLUMNS, *options)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error {code} ")


def test_standard_input_and_a_pipe(spawn, folder) -> None:
    write_hosts(folder / "hosts.csv")
    text = (folder / "hosts.csv").read_text()
    shown = spawn("average", "-", *COLUMNS, "--method", "vertical", "-q", stdin=text)
    assert shown.code == 0
    assert shown.out.startswith("line,fpr,tpr\naverage,0.0,0.0\n")


@pytest.mark.parametrize("words", ["ml", "medical", "biometric"])
def test_without_a_file_a_summary_is_printed(call, hosts, words) -> None:
    given = ["average", hosts, *COLUMNS, "--deploy", "own", "--at", "fpr=0.03", "--words", words]
    shown = call(*given)
    assert shown.code == 0
    assert len(shown.out.splitlines()) < 40
    rate = {"ml": "FPR 3 %", "medical": "specificity 97 %", "biometric": "FMR 3 %"}[words]
    assert rate in shown.out  # the declared point is a row of the table
    assert ("TPR" in shown.out) is (words == "ml")
    last = shown.out.strip().splitlines()[-1]
    assert call(*shlex.split(last.partition("rocsteady ")[2])).code == 0
    assert Path("curve.csv").is_file()


def test_nothing_is_averaged_unasked(call, hosts) -> None:
    shown = call("average", hosts, *COLUMNS)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS093 ")
    for line_of in shown.err.splitlines():
        if "rocsteady average" in line_of:
            assert call(*shlex.split(line_of.partition("rocsteady ")[2])).code == 0
