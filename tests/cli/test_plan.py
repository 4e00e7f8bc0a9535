"""`rocsteady plan`: the library's plans, what is written and what is refused."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.results import plain
from rocsteady.simulate import RoeMetz

ONE = ["-g", "host", "-p", "attack", "-s", "new"]
BOTH = [*ONE, "-s", "old"]
STUDY = ["-g", "reader", "-m", "modality", "--case", "case", "-y", "truth", "-s", "rating", "-p", "disease"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def hosts() -> str:
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
    Path("hosts.csv").write_text("\n".join(lines) + "\n")
    return "hosts.csv"


@pytest.fixture
def study() -> str:
    """Five readers, two modalities, 100 cases."""
    drawn = RoeMetz(auc=(0.76, 0.84), var_r=0.03, var_tr=0.03).draw_arrays(5, 40, 60, seed=7)
    ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)
    lines = ["reader,modality,case,truth,rating"]
    for (modality, reader, case), rating in np.ndenumerate(ratings):
        truth = "disease" if case < 40 else "healthy"
        lines.append(f"r{reader + 1},{('film', 'digital')[modality]},{case + 1},{truth},{rating:.3f}")
    Path("study.csv").write_text("\n".join(lines) + "\n")
    return "study.csv"


def read(*scores: str, group: str | None = "host") -> rs.ScoreSet:
    own = list(scores) if len(scores) > 1 else scores[0]
    return rs.read_scores("hosts.csv", label="label", score=own, group=group, positive="attack")


def read_study() -> rs.ScoreSet:
    roles = {"group": "reader", "model": "modality", "case": "case", "positive": "disease"}
    return rs.read_scores("study.csv", label="truth", score="rating", **roles)


# The same plans as in Python


@pytest.mark.parametrize(
    ("options", "measure", "others"),
    [
        ([], "auc", {}),
        (["--at", "fpr=10%"], {"fpr": 0.1}, {}),
        (["--at", "tpr=0.8", "--assurance", "0.9"], {"tpr": 0.8}, {"assurance": 0.9}),
        (["--at", "t=1", "--rate", "fpr"], {"threshold": 1.0}, {"rate": "fpr"}),
        (["--deploy", "shared", "--at", "fpr=0.1"], {"fpr": 0.1}, {"method": "threshold"}),
        (
            ["--within", "bootstrap", "--boot", "150", "--seed", "7"],
            "auc",
            {"within": "bootstrap", "n_resamples": 150, "seed": 7},
        ),
        (["--confidence-level", "0.9"], "auc", {"confidence_level": 0.9}),
    ],
)
def test_a_plan_of_groups_is_that_of_the_library(call, hosts, options, measure, others) -> None:
    shown = call("plan", hosts, *ONE, "--half-width", "0.03", *options, "--json")
    assert (shown.code, shown.err) == (0, "")
    data = json.loads(shown.out)
    found = rs.plan(read("new"), measure=measure, half_width=0.03, **others)
    assert data["schema_version"] == 2
    assert data["plan"] == plain(found.to_dict())
    assert data["table"]["n_groups"] == found.table().n_groups.tolist()
    assert data["warnings"] == []


def test_two_models_one_of_two_and_what_a_script_reads(call, hosts) -> None:
    options = ["--models", "old", "--models", "new", "--power", "0.9", "--difference", "0.02"]
    data = json.loads(call("plan", hosts, *BOTH, *options, "--json").out)
    found = rs.plan(read("old", "new"), models=("old", "new"), power=0.9, difference=0.02)
    assert data["plan"] == plain(found.to_dict())
    one = call("plan", hosts, *BOTH, "--models", "old", "--half-width", "0.02", "-q")
    assert one.out == f"{rs.plan(read('old'), half_width=0.02).groups_needed:g}\n"
    nothing_wanted = call("plan", hosts, *ONE, "--quiet")
    assert float(nothing_wanted.out) == pytest.approx(rs.plan(read("new")).half_width, rel=1e-5)


@pytest.mark.filterwarnings("ignore:RS297")
def test_one_dataset(call, hosts) -> None:
    given = ["plan", hosts, "-p", "attack", "-y", "label", "-s", "new", "-s", "old", "--models", "new,old"]
    Path("one.csv").write_text(re.sub(r"(?m)^[^,]+,", "", Path("hosts.csv").read_text()))
    given[1] = "one.csv"
    shown = call(*given)
    assert shown.code == 0
    assert shown.err.startswith("warning RS297 ")
    assert "--difference 0.02" in shown.err
    found = rs.plan(read("new", "old", group=None), models=("new", "old"))
    quiet = call(*given, "-q")
    assert quiet.out == f"{found.cases_needed.positives:g} {found.cases_needed.negatives:g}\n"


def test_numbers_alone(call) -> None:
    shown = call("plan", "--auc", "0.8", "--null", "0.7")
    assert (shown.code, shown.err) == (0, "")
    assert "96 positives and 96 negatives" in " ".join(shown.out.split())
    quiet = call("plan", "--auc", "0.8", "--other-auc", "0.75", "--correlation", "0.5", "--ratio", "3", "-q")
    wanted = rs.plan(0.8, other_auc=0.75, correlation=0.5, ratio=3)
    assert quiet.out == f"{wanted.n_positives:g} {wanted.n_negatives:g}\n"
    data = json.loads(call("plan", "--auc", "0.8", "--n-positives", "50", "--json").out)
    assert data["plan"] == plain(rs.plan(0.8, n_positives=50).to_dict())


@pytest.mark.parametrize(
    ("options", "python"),
    [
        ([], {}),
        (["--readers", "fixed"], {"readers": "fixed"}),
        (["--cases", "fixed"], {"cases": "fixed"}),
        (["--covariance", "jackknife"], {"covariance": "jackknife"}),
        (["--measure", "spec@t=0.5"], {"measure": {"threshold": 0.5, "rate": "specificity"}}),
        (["--models", "digital,film"], {"modalities": ("digital", "film")}),
        (["--margin", "0.1", "--equivalence"], {"margin": 0.1, "test": "equivalence"}),
    ],
)
def test_a_plan_of_readers_is_that_of_the_library(call, study, options, python) -> None:
    given = ("plan", study, *STUDY, "--difference", "0.05", "--n-readers", "8", *options)
    found = rs.plan(read_study(), **({"difference": 0.05, "n_readers": [8]} | python))
    data = json.loads(call(*given, "--json").out)
    assert data["plan"] == plain(found.to_dict())
    assert call(*given, "-q").out == f"{found.cases_needed:g}\n"


def test_other_plans_of_readers_take_them_as_groups(call, study) -> None:
    """A half-width, one modality, or a rate at the other: with a word about shared cases."""
    for options in (
        ["--models", "film", "--half-width", "0.05"],
        ["--models", "film,digital", "--half-width", "0.05"],
        ["--models", "film,digital", "--at", "fpr=0.2"],
    ):
        shown = call("plan", study, *STUDY, *options)
        assert shown.code == 0
        assert "RS293" in shown.err


def test_a_file_of_imrmc_is_a_reader_study(call, study) -> None:
    rows = [line.split(",") for line in Path(study).read_text().splitlines()[1:]]
    truths = {f"-1,{case},0,{int(truth == 'disease')}" for _, _, case, truth, _ in rows}
    ratings = [f"{reader},{case},{modality},{rating}" for reader, modality, case, _, rating in rows]
    Path("study.imrmc").write_text("\n".join(["BEGIN DATA:", *sorted(truths), *ratings]))
    shown = call("plan", "study.imrmc", "--difference", "0.05", "--quiet")
    assert shown.out == call("plan", study, *STUDY, "--difference", "0.05", "--quiet").out


# The page


@pytest.mark.parametrize("words", ["ml", "medical", "biometric"])
def test_the_page(call, hosts, snapshot, words) -> None:
    options = ["--models", "new,old", "--at", "fpr=0.1", "--difference", "0.05", "--words", words]
    shown = call("plan", hosts, *BOTH, *options)
    assert (shown.code, shown.err) == (0, "")
    snapshot(f"plan_{words}", shown.out)


@pytest.mark.parametrize("width", [44, 100])
def test_the_page_of_a_reader_study(call, study, snapshot, monkeypatch, width) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = call("plan", study, *STUDY, "--difference", "0.05", "--n-readers", "3,12", "--words", "medical")
    assert (shown.code, shown.err) == (0, "")
    assert max(map(len, shown.out.splitlines())) <= width
    snapshot(f"plan_readers_{width}", shown.out)


def test_warnings_go_to_standard_error(call, hosts) -> None:
    lines = Path("hosts.csv").read_text().splitlines()
    few = [line for line in lines if line.split(",")[0] in ("host", "h0", "h1", "h2")]
    Path("few.csv").write_text("\n".join([*few, "h9,normal,0.1,0.2"]) + "\n")
    given = ["plan", "few.csv", *ONE, "--at", "fpr=0.01"]
    shown = call(*given)
    assert shown.code == 0
    codes = re.findall(r"^warning (RS\d+) ", shown.err, re.MULTILINE)
    assert sorted(codes) == sorted(set(codes)) == ["RS201", "RS291", "RS292"]
    assert call(*given, "--strict", "-q").code == 4
    data = json.loads(call(*given, "--json").out)
    assert {"RS291", "RS292"} <= {warning["code"] for warning in data["warnings"]}


# Files


def test_the_table_goes_to_a_file(call, hosts) -> None:
    shown = call("plan", hosts, *ONE, "--groups", "10,20", "--cases", "1,inf", "-o", "plan.csv")
    assert shown.code == 0
    assert "plan.csv" in shown.err
    rows = list(csv.DictReader(io.StringIO(Path("plan.csv").read_text())))
    table = rs.plan(read("new")).table([10, 20], [1, np.inf])
    assert [float(row["half_width"]) for row in rows] == table.half_width.tolist()
    assert [row["times_cases"] for row in rows] == ["1.0", "inf"] * 2
    before = Path("plan.csv").read_bytes()
    again = call("plan", hosts, *ONE, "-o", "plan.csv")
    assert (again.code, "RS003" in again.err) == (2, True)
    assert Path("plan.csv").read_bytes() == before
    assert call("plan", hosts, *ONE, "-o", "plan.json", "-q").code == 0
    assert json.loads(Path("plan.json").read_text())["schema_version"] == 2


# What is refused


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "rocsteady plan --auc 0.8 --null 0.7"),
        (["--null", "0.6"], 2, "found: --null"),
        (["--auc", "0.8", "-o", "plan.csv"], 2, "no table to write"),
        (["--auc", "0.5"], 2, "RS042"),
        (["--auc", "0.8", "--readers", "fixed"], 2, "leave out --readers"),
        (["--auc", "0.8", "--other-auc", "0.7"], 2, "RS002"),
        (["hosts.csv", *ONE, "--auc", "0.8"], 2, "--auc is for a plan from numbers alone"),
        (["hosts.csv", *BOTH], 2, "--models new,old"),
        (["hosts.csv", *BOTH, "--models", "new,odl"], 2, "RS001"),
        (["hosts.csv", *BOTH, "--models", "new,old", "--difference", "0"], 2, "--difference 0.02"),
        (["hosts.csv", *ONE, "--half-width", "0"], 2, "--half-width 0.02"),
        (["hosts.csv", *ONE, "--half-width", "0.02", "--difference", "0.1"], 2, "--models old,new"),
        (["hosts.csv", *ONE, "--at", "youden"], 2, "--at fpr=0.05"),
        (["hosts.csv", *ONE, "--at", "fpr=5"], 2, "--at fpr=0.05"),
        (["hosts.csv", *ONE, "--rate", "tpr"], 2, "leave out --rate"),
        (["hosts.csv", *ONE, "--groups", "many"], 2, "--groups 10,20,50"),
        (["hosts.csv", *ONE, "--groups", "1"], 2, "at least 2"),
        (["hosts.csv", *ONE, "--cases", "0"], 2, "above 0"),
        (["hosts.csv", *ONE, "--margin", "0.05"], 2, "--case case"),
        (["hosts.csv", *ONE, "-o", "plan.txt"], 2, "RS054"),
        (["nothing.csv", *ONE], 3, "RS051"),
        (["nothing.csv", *ONE, "--half-width", "-1"], 2, "--half-width must be above 0"),
        (["nothing.csv", *ONE, "--assurance", "90"], 2, "--assurance 0.9"),
        (["study.csv", *STUDY, "--difference", "5"], 2, "--difference 0.05"),
        (["study.csv", *STUDY, "--difference", "0.03", "--cases", "200,400"], 2, "--n-cases 200"),
        (["study.csv", *STUDY, "--margin", "0"], 2, "--margin 0.05"),
        (["study.csv", *STUDY, "--margin", "0.05", "--half-width", "0.02"], 2, "--half-width"),
        (["study.csv", *STUDY, "--equivalence"], 2, "--margin 0.05"),
        (["study.csv", *STUDY, "--measure", "kappa", "--difference", "0.05"], 2, "--measure sens@spec=0.9"),
    ],
)
def test_what_is_refused_says_what_to_type(call, hosts, study, arguments, code, says) -> None:
    shown = call("plan", *arguments)
    assert shown.code == code, shown.err
    flat = " ".join(shown.err.split())
    assert says in flat
    for python in ("plan(0", "score_set", "models=", "half_width", "from_frame"):
        assert python not in flat


def test_cases_that_differ_are_refused_with_options(call) -> None:
    rows = ["host,event,label,score,model"]
    rng = np.random.default_rng(1)
    for model in ("old", "new"):
        for i in range(6):
            for event in range(8):
                if (model, i, event) != ("new", 2, 7):
                    rows.append(f"h{i},h{i}-{event},{event % 2},{rng.normal() + event % 2:.3f},{model}")
    Path("events.csv").write_text("\n".join(rows) + "\n")
    options = ["-g", "host", "-m", "model", "-s", "score", "-y", "label", "--models", "old,new"]
    unnamed = call("plan", "events.csv", *options)
    assert (unnamed.code, "--case COLUMN" in unnamed.err) == (3, True)
    named = call("plan", "events.csv", *options, "--case", "event")
    assert named.code == 3
    assert "h2-7" in named.err
    assert "--unmatched drop" in named.err
    assert call("plan", "events.csv", *options, "--case", "event", "--unmatched", "drop", "-q").code == 0
