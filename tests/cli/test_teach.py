"""`rocsteady teach`: a lesson from one's own data, on the terminal, as a page, as a table, as JSON."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from page_structure import problems

LABELS = list("++---+-+-+")
SCORES = [0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25]
COLUMNS = ("-y", "True Class", "-s", "P(+|A)", "-p", "+")


@pytest.fixture
def ten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    rows = [f"{score},{label}" for label, score in zip(LABELS, SCORES, strict=True)]
    Path("ten.csv").write_text("\n".join(["P(+|A),True Class", *rows]))
    return "ten.csv"


def test_the_lesson_on_a_terminal(ten, call, snapshot) -> None:
    found = call("teach", ten, *COLUMNS, "--at", "t=0.76")
    assert found.code == 0
    snapshot("teach_ten", found.out)


def test_what_is_printed_is_what_python_gives(ten, call) -> None:
    found = json.loads(call("teach", ten, *COLUMNS, "--json", "--at", "t=0.76").out)
    curve = rs.roc_curve(LABELS, SCORES, positive="+")
    lesson = found["lessons"][""]
    own = curve.spss(variable="P(+|A)", state="True Class").to_dict()
    assert lesson["spss"] == json.loads(json.dumps(own))
    assert lesson["construction"] == json.loads(json.dumps(curve.construction().to_dict()))
    (table,) = lesson["two_by_two"]
    assert table["at"] == {"threshold": 0.76}
    assert [table["table"][name] for name in ("tp", "fp", "fn", "tn")] == [3, 4, 2, 1]
    assert found["schema_version"] == 2


def test_a_table_has_every_step_with_spss_cut_off(ten, call) -> None:
    assert call("teach", ten, *COLUMNS, "-o", "steps.csv", "-q").code == 0
    with open("steps.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    curve = rs.roc_curve(LABELS, SCORES, positive="+")
    table = curve.coordinates()
    assert [float(own["cutoff"]) for own in rows] == table.cutoffs[::-1].tolist()
    assert [float(own["tpr"]) for own in rows] == table.sensitivity[::-1].tolist() == curve.tpr.tolist()
    assert [own["threshold"] for own in rows][:2] == ["inf", "0.95"]


def test_low_scores_and_two_models(ten, call) -> None:
    low = [1 - own for own in SCORES]
    rows = [f"{a},{b},{label}" for label, a, b in zip(LABELS, low, low[::-1], strict=True)]
    Path("low.csv").write_text("\n".join(["one,two,y", *rows]))
    options = (
        *("low.csv", "-s", "one", "-s", "two", "-y", "y", "-p", "+"),
        *("--low-is-positive", "--allow-reversed"),
    )
    found = call("teach", *options, "-o", "steps.csv", "--overwrite")
    assert found.code == 0
    assert "Less" in found.out
    assert "Greater" not in found.out
    assert "Test Result Variable(s): one" in found.out
    assert "Test Result Variable(s): two" in found.out
    with open("steps.csv", newline="") as file:
        made = list(csv.DictReader(file))
    assert [own["model"] for own in made] == ["one"] * 9 + ["two"] * 9
    first = [own for own in made if own["model"] == "one"]
    assert [float(own["tpr"]) for own in first] == rs.roc_curve(LABELS, SCORES, positive="+").tpr.tolist()
    assert float(first[0]["cutoff"]) < float(first[1]["cutoff"])  # the strictest is the lowest


def test_the_page_holds_the_lesson(ten, call) -> None:
    assert call("teach", ten, *COLUMNS, "-o", "lesson.html", "--at", "t=0.76", "--at", "youden").code == 0
    page = Path("lesson.html").read_text()
    assert problems(page) == []
    for words in ("Group Statistics", "Area Under the Curve", "Coordinates of the Curve", "-.7500"):
        assert words in page
    assert 'colspan="2" class="spanning">Asymptotic 95% Confidence Interval' in page
    assert page.count("<svg") == 3
    assert "The largest Youden&#39;s J: P(+|A) ≥" in re.sub("<[^>]*>", "", page)
    assert 'href="#scores"' in page


def test_several_groups_are_refused(ten, call) -> None:
    rows = [f"{score},{label},{k % 2}" for k, (label, score) in enumerate(zip(LABELS, SCORES, strict=True))]
    Path("folds.csv").write_text("\n".join(["s,y,fold", *rows]))
    found = call("teach", "folds.csv", "-s", "s", "-y", "y", "-p", "+", "-g", "fold", "--allow-reversed")
    assert found.code == 2
    assert "RS002" in found.err
    assert "SPSS's tables and the steps of a curve are of one dataset" in found.err
    assert found.out == ""
    study = rs.Study(rs.read_scores("folds.csv", label="y", score="s", group="fold", positive="+"))
    for ask in (study.spss, study.construction):
        with pytest.raises(rs.RocsteadyError, match="one dataset"):
            ask()


def test_weights_are_frequencies_and_said(ten, call) -> None:
    rows = [f"{score},{label},2" for label, score in zip(LABELS, SCORES, strict=True)]
    Path("weighted.csv").write_text("\n".join(["s,y,w", *rows]))
    found = call("teach", "weighted.csv", "-s", "s", "-y", "y", "-p", "+", "-w", "w", "--at", "t=0.5")
    assert found.code == 0
    assert "Weights are taken as frequencies" in found.out
    assert ["s", "-", "10", ".7520"] in [own.split()[:4] for own in found.out.splitlines()]
    Path("weighted.csv").write_text("\n".join(["s,y,w", *(own.replace(",2", ",0.5") for own in rows)]))
    found = call("teach", "weighted.csv", "-s", "s", "-y", "y", "-p", "+", "-w", "w", "--at", "t=0.5")
    assert found.code == 2
    assert "RS038 SPSS takes weights for frequencies" in found.err


@pytest.mark.parametrize(
    ("options", "code"),
    [(["--decimals", "20"], "RS042"), (["--at", "nonsense"], "RS092"), (["-o", "lesson.pdf"], "RS054")],
)
def test_what_is_typed_wrong(ten, call, options, code) -> None:
    found = call("teach", ten, *COLUMNS, *options)
    assert found.code != 0
    assert code in found.err


def test_the_study_answers_once(ten) -> None:
    study = rs.Study(rs.read_scores(ten, label="True Class", score="P(+|A)", positive="+"))
    assert study.spss(variable="x") is study.spss(variable="x")
    assert study.construction() is study.construction()
    assert np.isclose(study.spss().area.area, study.area()[0])


def test_columns_are_proposed_where_one_class_stands_first(ten, call) -> None:
    lines = [
        "State.real,Normal.mix",
        *(f"{'well' if k < 300 else 'sick'},{(k * 37 % 600) / 7}" for k in range(600)),
    ]
    Path("sorted.csv").write_text("\n".join(lines))
    found = call("teach", "sorted.csv", "-p", "sick")
    assert found.code == 2
    assert "--label State.real --score Normal.mix" in found.err
    Path("well.csv").write_text(
        "\n".join(lines[:300])
    )  # no column can be the label: half a command would fail
    found = call("teach", "well.csv", "-p", "sick")
    assert "RS014" in found.err
    assert "perhaps" not in found.err


def test_pictures_name_the_column_and_do_not_count_a_single_group(ten, call) -> None:
    assert call("teach", ten, *COLUMNS, "-o", "lesson.html", "--at", "t=0.76").code == 0
    page = re.sub("<[^>]*>", "", Path("lesson.html").read_text())
    assert "P(+|A) (high: positive)" in page
    assert "counting once" not in page
    assert "The dotted line is guessing." in page
