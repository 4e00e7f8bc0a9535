"""`rocsteady plan`: what it prints, writes and refuses."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.planning.plan import plan as make_plan


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def hosts(folder: Path) -> str:
    """Twelve hosts, two models on the same events."""
    rng = np.random.default_rng(3)
    lines = ["host,label,old,new"]
    for i in range(12):
        separation = 1.5 + 0.4 * rng.normal()
        for label in ["attack"] * 30 + ["normal"] * 60:
            shared = rng.normal()
            old, new = (
                (label == "attack") * gap + 0.7 * shared + 0.7 * rng.normal()
                for gap in (separation, separation + 0.3)
            )
            lines.append(f"h{i},{label},{old:.3f},{new:.3f}")
    (folder / "hosts.csv").write_text("\n".join(lines) + "\n")
    return "hosts.csv"


ONE = ["-g", "host", "-p", "attack", "-s", "new"]
BOTH = [*ONE, "-s", "old"]


def read(*scores: str) -> rs.ScoreSet:
    return rs.read_scores(
        "hosts.csv",
        label="label",
        score=list(scores) if len(scores) > 1 else scores[0],
        group="host",
        positive="attack",
    )


def test_a_half_width(call, hosts, snapshot) -> None:
    shown = call("plan", hosts, *ONE, "--half-width", "0.02")
    assert (shown.code, shown.err) == (0, "")
    snapshot("plan_half_width", shown.out)
    found = make_plan(read("new"), half_width=0.02)
    assert " ".join(shown.out.split()).count(" ".join(found.reading.split())) == 1


def test_two_models(call, hosts, snapshot) -> None:
    shown = call("plan", hosts, *BOTH, "--models", "new,old", "--at", "fpr=0.1")
    assert shown.code == 0
    assert shown.err.startswith("warning RS297 ")
    assert "--difference 0.02" in shown.err
    snapshot("plan_two_models", shown.out)


def test_a_narrow_terminal(call, hosts, snapshot, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    snapshot("plan_40_columns", call("plan", hosts, *ONE, "--at", "t=1", "--rate", "fpr").out)


def test_one_dataset(call, hosts, snapshot) -> None:
    shown = call("plan", hosts, "-p", "attack", "-s", "new", "-s", "old", "--models", "new,old")
    assert shown.code == 0
    assert shown.err.startswith("warning RS297 ")
    snapshot("plan_one_dataset", shown.out)
    one = rs.read_scores("hosts.csv", label="label", score=["new", "old"], positive="attack")
    with pytest.warns(UserWarning, match="RS297"):
        found = make_plan(one, models=("new", "old"))
    assert " ".join(found.reading.split()) in " ".join(shown.out.split())
    options = ["-p", "attack", "-s", "new", "-s", "old", "--models", "new,old"]
    quiet = call("plan", hosts, *options, "-q")
    assert quiet.out == f"{found.cases_needed.positives:g} {found.cases_needed.negatives:g}\n"
    data = json.loads(call("plan", hosts, *options, "--json").out)
    assert data["plan"] == found.to_dict()
    assert (data["plan"]["between"], data["plan"]["groups_needed"]) == (None, None)
    assert "half_width_low" not in data["table"]


def test_what_an_error_says_to_type_works(call, hosts) -> None:
    """One dataset and two score columns: the first answer leads to a plan, not to the next error."""
    first = call("plan", hosts, "-p", "attack", "-s", "new", "-s", "old")
    assert first.code == 2
    assert "--models new,old" in first.err
    assert call("plan", hosts, "-p", "attack", "-s", "new", "-s", "old", "--models", "new,old").code == 0
    assert "--models new" in first.err
    assert call("plan", hosts, "-p", "attack", "-s", "new", "-s", "old", "--models", "new").code == 0


def test_numbers_alone(call, folder, snapshot) -> None:
    shown = call("plan", "--auc", "0.8", "--null", "0.7")
    assert (shown.code, shown.err) == (0, "")
    snapshot("plan_numbers", shown.out)
    quiet = call("plan", "--auc", "0.8", "--other-auc", "0.75", "--correlation", "0.5", "--ratio", "3", "-q")
    wanted = make_plan(0.8, other_auc=0.75, correlation=0.5, ratio=3)
    assert quiet.out == f"{wanted.n_positives:g} {wanted.n_negatives:g}\n"
    data = json.loads(call("plan", "--auc", "0.8", "--n-positives", "50", "--json").out)
    assert data["schema_version"] == 1
    assert data["plan"] == make_plan(0.8, n_positives=50).to_dict()


@pytest.mark.parametrize(
    ("options", "measure", "others"),
    [
        ([], "auc", {}),
        (["--at", "fpr=10%"], {"fpr": 0.1}, {}),
        (["--at", "tpr=0.8", "--assurance", "0.9"], {"tpr": 0.8}, {"assurance": 0.9}),
        (["--at", "t=1"], {"threshold": 1.0}, {}),
        (["--at", "t=1", "--rate", "fpr"], {"threshold": 1.0}, {"rate": "fpr"}),
        (["--within", "bootstrap", "--boot", "150", "--seed", "7"], "auc",
         {"within": "bootstrap", "n_resamples": 150, "seed": 7}),
        (["--confidence-level", "0.9"], "auc", {"confidence_level": 0.9}),
    ],
)  # fmt: skip
def test_json_has_everything_and_nothing_else(call, hosts, options, measure, others) -> None:
    shown = call("plan", hosts, *ONE, "--half-width", "0.03", *options, "--json")
    assert (shown.code, shown.err) == (0, "")
    data = json.loads(shown.out)
    assert data["schema_version"] == 1
    found = make_plan(read("new"), measure=measure, half_width=0.03, **others)
    assert data["plan"] == found.to_dict()
    assert data["plan"]["reading"] == found.reading
    assert data["table"]["n_groups"] == found.table().n_groups.tolist()
    assert data["warnings"] == []


def test_two_models_in_json(call, hosts) -> None:
    options = ["--models", "old", "--models", "new", "--power", "0.9", "--difference", "0.02"]
    data = json.loads(call("plan", hosts, *BOTH, *options, "--json").out)
    found = make_plan(read("old", "new"), models=("old", "new"), power=0.9, difference=0.02)
    assert data["plan"] == found.to_dict()
    assert len(data["table"]["power"]) == len(found.table())


def test_one_of_two_models(call, hosts) -> None:
    shown = call("plan", hosts, *BOTH, "--models", "old", "--half-width", "0.02", "-q")
    assert shown.out == f"{make_plan(read('old'), half_width=0.02).groups_needed:g}\n"
    nothing_wanted = call("plan", hosts, *ONE, "--quiet")
    assert float(nothing_wanted.out) == pytest.approx(make_plan(read("new")).half_width, rel=1e-5)


def test_the_table_goes_to_a_file(call, hosts, folder) -> None:
    shown = call("plan", hosts, *ONE, "--groups", "10,20", "--cases", "1,inf", "-o", "plan.csv")
    assert shown.code == 0
    assert "plan.csv  written." in shown.err
    rows = list(csv.DictReader(io.StringIO((folder / "plan.csv").read_text())))
    table = make_plan(read("new")).table([10, 20], [1, np.inf])
    assert [float(row["half_width"]) for row in rows] == table.half_width.tolist()
    assert [row["times_cases"] for row in rows] == ["1.0", "inf"] * 2
    again = call("plan", hosts, *ONE, "-o", "plan.csv")
    assert again.code == 2
    assert "RS003" in again.err
    assert call("plan", hosts, *ONE, "-o", "plan.json", "-q").code == 0
    assert json.loads((folder / "plan.json").read_text())["schema_version"] == 1


def test_warnings_go_to_standard_error(call, hosts, folder, snapshot) -> None:
    lines = (folder / "hosts.csv").read_text().splitlines()
    few = [line for line in lines if line.split(",")[0] in ("host", "h0", "h1", "h2")]
    (folder / "few.csv").write_text("\n".join([*few, "h9,normal,0.1,0.2"]) + "\n")
    shown = call("plan", "few.csv", *ONE, "--at", "fpr=0.01")
    assert shown.code == 0
    snapshot("plan_warnings", shown.err)
    assert call("plan", "few.csv", *ONE, "--strict", "-q").code == 4
    data = json.loads(call("plan", "few.csv", *ONE, "--at", "fpr=0.01", "--json").out)
    assert [warning["code"] for warning in data["warnings"]] == ["RS291", "RS292", "RS201"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "rocsteady plan --auc 0.8 --null 0.7"),
        (["--null", "0.6"], 2, "found: --null"),
        (["--auc", "0.8", "-o", "plan.csv"], 2, "no table to write"),
        (["--auc", "0.5"], 2, "cannot be told apart by any number of cases"),
        (["hosts.csv", *ONE, "--auc", "0.8"], 2, "--auc is for a plan from numbers alone"),
        (["hosts.csv", *BOTH], 2, "--models new,old"),
        (["hosts.csv", *BOTH, "--models", "new,odl"], 2, "did you mean"),
        (["hosts.csv", *ONE, "--models", "new,old"], 2, "RS060"),
        (["hosts.csv", *BOTH, "--models", "new,old", "--difference", "0"], 2, "--difference 0.02"),
        (["hosts.csv", *ONE, "--half-width", "0"], 2, "--half-width 0.02"),
        (["hosts.csv", *ONE, "--half-width", "0.02", "--difference", "0.1"], 2, "--models old,new"),
        (["hosts.csv", *ONE, "--at", "youden"], 2, "--at fpr=0.05"),
        (["hosts.csv", *ONE, "--at", "spec=90"], 2, "--at spec=0.9"),
        (["hosts.csv", *ONE, "--at", "fpr=5"], 2, "--at fpr=0.05"),
        (["hosts.csv", *ONE, "--rate", "tpr"], 2, "leave out  --rate"),
        (["hosts.csv", *ONE, "--groups", "many"], 2, "--groups 10,20,50"),
        (["hosts.csv", *ONE, "--groups", "1"], 2, "at least 2"),
        (["hosts.csv", *ONE, "--cases", "0"], 2, "above 0"),
        (["hosts.csv", "-p", "attack", "-s", "new", "--groups", "10,20"], 3, "leave out  --groups"),
        (["hosts.csv", "-p", "attack", "-s", "new", "--assurance", "0.9"], 3, "leave out  --assurance"),
        (["--auc", "0.8", "--other-auc", "0.7"], 2, "rocsteady plan FILE --models A,B"),
        (["hosts.csv", *ONE, "-o", "plan.txt"], 2, "RS054"),
        (["nothing.csv", *ONE], 3, "RS051"),
        (["nothing.csv", *ONE, "--half-width", "-1"], 2, "--half-width must be above 0"),
        (["nothing.csv", *ONE, "--assurance", "90"], 2, "--assurance 0.9"),
    ],
)
def test_what_is_refused_says_what_to_type(call, hosts, arguments, code, says) -> None:
    shown = call("plan", *arguments)
    assert (shown.code, shown.out) == (code, "")
    flat = " ".join(shown.err.split())
    assert " ".join(says.split()) in flat
    for python in ("plan(0", "score_set", "models=", "half_width", "from_frame"):
        assert python not in flat


def test_cases_that_differ_are_refused_with_options(call, folder) -> None:
    rows = ["host,event,label,score,model"]
    rng = np.random.default_rng(1)
    for model in ("old", "new"):
        for i in range(6):
            for event in range(8):
                if (model, i, event) != ("new", 2, 7):
                    rows.append(f"h{i},h{i}-{event},{event % 2},{rng.normal() + event % 2:.3f},{model}")
    (folder / "events.csv").write_text("\n".join(rows) + "\n")
    options = ["-g", "host", "-m", "model", "-s", "score", "-y", "label", "--models", "old,new"]
    unnamed = call("plan", "events.csv", *options)
    assert unnamed.code == 3
    assert "--case COLUMN" in unnamed.err
    named = call("plan", "events.csv", *options, "--case", "event")
    assert named.code == 3
    assert "h2-7" in named.err
    assert "--unmatched drop" in named.err
    assert "paired" not in named.err
    assert call("plan", "events.csv", *options, "--case", "event", "--unmatched", "drop", "-q").code == 0


def test_help_lists_the_options(call) -> None:
    shown = call("plan", "--help")
    assert shown.code == 0
    for option in ("--half-width", "--models", "--auc", "--json", "--strict"):
        assert option in shown.out


def repeated_folds(folder):
    """Two repeats of five folds, and two models that are hardly told apart."""
    rng = np.random.default_rng(6)
    label = rng.permutation(np.arange(200) < 90)
    rows = []
    for repeat in (1, 2):
        fold = rng.permutation(np.arange(200) % 5)
        for case in range(200):
            scores = [label[case] + rng.normal() + 0.2 * repeat for _ in range(2)]
            rows.append(f"{case},{repeat},{fold[case]},{int(label[case])},{scores[0]:.4f},{scores[1]:.4f}")
    path = folder / "cv.csv"
    path.write_text("\n".join(["case,round,fold,label,old,new", *rows]) + "\n", encoding="utf-8")
    return path


def test_the_plan_that_a_comparison_suggests_reads_the_repeats(call, tmp_path) -> None:
    """Without --repeat two rows of a case in one fold would be taken for one fold twice as large."""
    columns = ["-g", "fold", "--repeat", "round", "-y", "label", "-p", "1", "-s", "old", "-s", "new"]
    shown = call("compare", repeated_folds(tmp_path), *columns)
    (line,) = [line for line in shown.out.splitlines() if " plan " in line]
    typed = shlex.split(line.strip().removeprefix("→ rocsteady "))
    assert typed[typed.index("--repeat") + 1] == "round"
    assert "--difference" in typed
    assert "the smallest difference that would matter" in shown.out
    planned = call(*typed)
    assert planned.code == 0
    assert "RS296" in planned.err
    assert "--repeat" not in planned.err
    said = " ".join(planned.out.split())
    assert "More folds do not help, because they are parts of the same cases; more cases do." in said
    assert "More repeats help only to a point" in said
    assert "No deployment was declared" in said
    assert " 20 (" not in planned.out
