"""`rocsteady plan --case`: what it prints, writes and refuses about reader studies."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.simulate import RoeMetz

COLUMNS = ["-g", "reader", "-m", "modality", "--case", "case", "-y", "truth", "-s", "rating", "-p", "disease"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def study(folder: Path) -> str:
    """Five readers, two modalities, 100 cases."""
    population = RoeMetz(auc=(0.76, 0.84), var_r=0.03, var_tr=0.03)
    drawn = population.draw_arrays(5, 40, 60, seed=7)
    ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)
    lines = ["reader,modality,case,truth,rating"]
    for (modality, reader, case), rating in np.ndenumerate(ratings):
        truth = "disease" if case < 40 else "healthy"
        lines.append(f"r{reader + 1},{('film', 'digital')[modality]},{case + 1},{truth},{rating:.3f}")
    (folder / "study.csv").write_text("\n".join(lines) + "\n")
    return "study.csv"


def read() -> rs.ScoreSet:
    return rs.read_scores(
        "study.csv",
        label="truth",
        score="rating",
        group="reader",
        model="modality",
        case="case",
        positive="disease",
    )


def test_the_page(call, study, snapshot) -> None:
    shown = call("plan", study, *COLUMNS, "--difference", "0.05")
    assert (shown.code, shown.err) == (0, "")
    snapshot("plan_readers", shown.out)
    found = rs.plan(read(), difference=0.05)
    assert " ".join(shown.out.split()).count(" ".join(found.reading.split())) == 1


def test_a_margin_in_a_narrow_terminal(call, study, snapshot, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    options = ("--margin", "0.05", "--n-cases", "150", "--n-readers", "4,8,12", "--ratio", "1")
    snapshot("plan_readers_margin", call("plan", study, *COLUMNS, *options).out)


def test_json_and_files_say_the_same(call, study) -> None:
    options = ("--difference", "0.05", "--groups", "6,8", "--power", "0.9", "--confidence-level", "0.9")
    shown = call("plan", study, *COLUMNS, *options, "--json", "-o", "plan.csv")
    data = json.loads(shown.out)
    found = rs.plan(read(), difference=0.05, n_readers=[6, 8], power=0.9, confidence_level=0.9)
    assert data["plan"]["reading"] == found.reading
    assert float(data["plan"]["readers_needed"]) == found.readers_needed
    assert data["table"]["n_cases"] == found.table.n_cases.tolist()
    rows = list(csv.DictReader(io.StringIO(Path("plan.csv").read_text())))
    assert [float(row["n_cases"]) for row in rows] == found.table.n_cases.tolist()
    assert call("plan", study, *COLUMNS, *options, "-o", "plan.json").code == 0
    assert json.loads(Path("plan.json").read_text())["plan"] == data["plan"]


@pytest.mark.parametrize(
    ("options", "python"),
    [
        (["--readers", "fixed"], {"readers": "fixed"}),
        (["--cases", "fixed"], {"cases": "fixed"}),
        (["--covariance", "jackknife"], {"covariance": "jackknife"}),
        (["--measure", "spec@t=0.5"], {"measure": {"threshold": 0.5, "rate": "specificity"}}),
        (["--models", "digital,film"], {"modalities": ("digital", "film")}),
        (["--margin", "0.1", "--equivalence"], {"margin": 0.1, "test": "equivalence", "difference": 0.05}),
    ],
)
def test_options_are_those_of_python(call, study, options, python) -> None:
    shown = call("plan", study, *COLUMNS, "--difference", "0.05", "--n-readers", "8", *options, "-q")
    found = rs.plan(read(), **({"difference": 0.05, "n_readers": 8} | python))
    assert shown.out == f"{found.cases_needed:g}\n"


def test_other_plans_stay_as_they_were(call, study) -> None:
    """A half-width, one modality, or a rate at the other: readers as groups, with a word about shared cases."""
    for options in (
        ["--models", "film", "--half-width", "0.05"],
        ["--models", "film,digital", "--half-width", "0.05"],
        ["--models", "film,digital", "--at", "fpr=0.2"],
    ):
        shown = call("plan", study, *COLUMNS, *options)
        assert shown.code == 0
        assert "RS293" in shown.err
        assert "Obuchowski" not in shown.out


def test_one_number_in_two_groups_is_no_reader_study(call, folder) -> None:
    """Each host has events of its own; that two of them have an event 1 makes no readers of them."""
    rng = np.random.default_rng(2)
    lines = ["host,event,label,old,new"]
    for host in range(6):
        for i in range(30):
            case = "1" if i == 0 and host < 2 else f"{host}-{i}"
            label = i % 2 if case != "1" else 1
            old, new = (label * gap + rng.normal() for gap in (1.0, 1.5))
            lines.append(f"h{host},{case},{label},{old:.3f},{new:.3f}")
    (folder / "hosts.csv").write_text("\n".join(lines) + "\n")
    columns = ["-g", "host", "-y", "label", "-s", "new", "-s", "old", "-p", "1", "--case", "event"]
    shown = call("plan", "hosts.csv", *columns, "--models", "new,old", "--difference", "0.05")
    assert shown.code == 0
    assert "on average over 6 hosts" in " ".join(shown.out.split())
    assert "Obuchowski" not in shown.out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--difference", "5"], ["RS039", "--difference 0.05", "found: --difference 5"]),
        (["--difference", "nan"], ["RS039", "found: --difference nan"]),
        (["--difference", "0.03", "--cases", "200,400"], ["RS002", "--n-cases 200"]),
        (["--difference", "0.05", "--n-readers", "5,x"], ["RS042", "--n-readers 10,20,50"]),
        (["--difference", "0.05", "--models", "digital,fil"], ["RS001", "--models digital,film"]),
        (["--margin", "0"], ["RS097", "--margin 0.05"]),
        (["--margin", "0.05", "--half-width", "0.02"], ["RS002", "leave out  --half-width"]),
        (["--margin", "0.05", "--cases", "1,2"], ["RS002", "leave out  --cases"]),
        (["--equivalence"], ["RS002", "--margin 0.05"]),
        (["--readers", "fixed", "--cases", "fixed"], ["RS002", "--cases random"]),
        (["--n-readers", "1", "--difference", "0.05"], ["RS042", "--n-readers 6"]),
        (["--measure", "kappa", "--difference", "0.05"], ["RS042", "--measure sens@spec=0.9"]),
        (["--measure", "sens@t=1", "--difference", "0.1", "--ratio", "2"], ["RS039", "leave out  --ratio"]),
        (["--auc", "0.8"], ["RS002", "leave out  --auc"]),
    ],
)
def test_what_is_refused(call, study, options, says) -> None:
    shown = call("plan", study, *COLUMNS, *options)
    assert shown.code in (2, 3)
    assert all(words in shown.err for words in says), shown.err
    assert shown.out == ""


@pytest.mark.parametrize("width", [30, 40, 50, 60, 100])
def test_the_readers_are_there_in_every_terminal(call, study, monkeypatch, width) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = call("plan", study, *COLUMNS, "--difference", "0.05", "--n-readers", "3,12").out.splitlines()
    assert any(line.startswith("readers ") and "cases" in line for line in lines)
    assert any(line.startswith("3 ") and "none suffice" in line for line in lines)
    assert any(line.startswith("12 ") and " 565" in line for line in lines)


def test_what_is_assumed_follows_the_design(call, study, folder) -> None:
    head, *rows = Path(study).read_text().splitlines()
    own = [row for row in rows if int(row.split(",")[2]) % 5 == int(row[1]) - 1]
    (folder / "nested.csv").write_text("\n".join([head.replace("reader", "host"), *own]) + "\n")
    columns = ["host" if word == "reader" else word for word in COLUMNS]
    out = " ".join(call("plan", "nested.csv", *columns, "--margin", "0.05").out.split())
    assert "cases nested in hosts" in out
    assert "Every host reads every case" not in out
    assert "two hosts, one modality" in out


def test_options_of_reader_studies_need_one(call, study) -> None:
    no_cases = [word for word in COLUMNS if word not in ("--case", "case")]
    shown = call("plan", study, *no_cases, "--margin", "0.05")
    assert shown.code == 2
    assert "--case case" in shown.err
    alone = call("plan", "--auc", "0.8", "--readers", "fixed")
    assert alone.code == 2
    assert "leave out  --readers" in alone.err
    ratio = call("plan", study, *no_cases, "--ratio", "2")
    assert ratio.code == 2
    assert "leave out  --ratio" in ratio.err
    unshared = call("plan", study, *no_cases, "--difference", "0.05")
    assert unshared.code == 2
    assert "--models" in unshared.err


def test_a_file_of_imrmc_is_a_reader_study(call, study) -> None:
    rows = [line.split(",") for line in Path(study).read_text().splitlines()[1:]]
    truths = {f"-1,{case},0,{int(truth == 'disease')}" for _, _, case, truth, _ in rows}
    ratings = [f"{reader},{case},{modality},{rating}" for reader, modality, case, _, rating in rows]
    Path("study.imrmc").write_text("\n".join(["BEGIN DATA:", *sorted(truths), *ratings]))
    shown = call("plan", "study.imrmc", "--difference", "0.05", "--quiet")
    assert shown.out == call("plan", study, *COLUMNS, "--difference", "0.05", "--quiet").out
