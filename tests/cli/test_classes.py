"""`rocsteady classes`: what it prints and writes, how outputs are named, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocsteady as rs
from class_sets import HOSTILE, class_scores, lacking, outputs, write
from page_structure import problems
from rocsteady.cli.options import Classes

NAMED = ("-y", "species", "--outputs", "p_*", "-g", "fold")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def animals(folder: Path) -> str:
    write(folder / "animals.csv", class_scores())
    return "animals.csv"


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_answer_comes_first(call, animals) -> None:
    shown = call("classes", animals, *NAMED)
    assert shown.code == 0
    read, _, answer, *_ = shown.out.splitlines()
    assert read == "Read 240 rows of animals.csv: 3 classes (cat, dog and eel), 5 folds."
    assert answer.startswith("With searched class weights the largest class error is ")
    study = rs.Study(class_scores())
    largest = study.search.nested.max_error
    assert f"{100 * largest:.1f} %" in answer
    for heading in ("Standard error", "Recall", "Precision", "Hand and Till"):
        assert heading.split()[0] in shown.out


def test_outputs_are_named_in_several_ways(call, animals) -> None:
    by_pattern = call("classes", animals, *NAMED, "--json").out
    facts = json.loads(by_pattern)
    assert facts["data"]["classes"] == ["cat", "dog", "eel"]
    pairs = call(
        "classes",
        animals,
        "-y",
        "species",
        "-g",
        "fold",
        "--outputs",
        "cat=p_cat,dog=p_dog,eel=p_eel",
        "--json",
    )
    assert json.loads(pairs.out)["search"] == facts["search"]
    write(Path("plain.csv"), class_scores(), start="")
    for typed in (["--outputs", "cat,dog,eel"], ["--outputs", "cat", "--outputs", "dog", "--outputs", "eel"]):
        assert (
            json.loads(call("classes", "plain.csv", "-y", "species", "-g", "fold", *typed, "--json").out)[
                "search"
            ]
            == facts["search"]
        )


def test_columns_that_nobody_named_are_said(call, animals) -> None:
    shown = call("classes", animals, "-y", "species", "--outputs", "p_*")
    assert "Columns taken by their names: fold (group)." in shown.out


def test_weights_for_a_script_can_be_typed_again(call, animals) -> None:
    quiet = call("classes", animals, *NAMED, "--quiet")
    assert quiet.err == ""
    typed = [word for line in quiet.out.split() for word in ("--class-weights", line)]
    again = json.loads(call("classes", animals, *NAMED, *typed, "--json").out)
    study = rs.Study(class_scores())
    assert again["errors"]["measure"]["stacked"][0] == study.errors.stacked[0].tolist()
    assert again["weights"]["origin"] == "given"


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_numbers_of_every_class_as_a_file(call, animals, kind) -> None:
    assert call("classes", animals, *NAMED, "-o", f"classes.{kind}", "--quiet").code == 0
    if kind == "csv":
        rows = rows_of(Path("classes.csv").read_text())
    else:
        pq = pytest.importorskip("pyarrow.parquet")
        rows = pq.read_table("classes.parquet").to_pylist()
    study = rs.Study(class_scores())
    assert [own["class"] for own in rows] == ["cat", "dog", "eel"]
    for name, expected in (
        ("weight", study.weights),
        ("error", study.errors.stacked[0]),
        ("nested_error", study.search.nested.stacked),
        ("equal_error", study.errors.stacked[1]),
        ("error_standard_error", study.errors.standard_error[0]),
        ("decided_dog", study.confusion().counts[:, 1]),
    ):
        assert [float(own[name]) for own in rows] == expected.tolist()


def test_json_as_a_file_is_that_of_the_terminal(call, animals) -> None:
    printed = call("classes", animals, *NAMED, "--json")
    assert call("classes", animals, *NAMED, "-o", "classes.json", "--quiet").code == 0
    assert Path("classes.json").read_text() == printed.out
    assert json.loads(printed.out)["schema_version"] == 2


def test_an_earlier_page_is_replaced_and_another_file_is_not(call, animals) -> None:
    for _ in range(2):
        assert call("classes", animals, *NAMED, "-o", "page.html", "--quiet").code == 0
    Path("page.html").write_text("mine")
    refused = call("classes", animals, *NAMED, "-o", "page.html")
    assert (refused.code, Path("page.html").read_text()) == (2, "mine")
    assert "RS003" in refused.err
    assert call("classes", animals, *NAMED, "-o", "page.html", "--overwrite", "--quiet").code == 0
    assert problems(Path("page.html").read_text()) == []


def test_sections_and_a_title_of_ones_own(call, animals) -> None:
    call(
        "classes",
        animals,
        *NAMED,
        "-o",
        "page.html",
        "--sections",
        "errors,areas",
        "--title",
        "Zoo",
        "--quiet",
    )
    page = Path("page.html").read_text()
    assert "<title>ROC report: Zoo</title>" in page
    assert '<section id="errors"' in page
    assert '<section id="confusion"' not in page
    refused = call("classes", "nowhere.csv", *NAMED, "--sections", "points")
    assert (refused.code, refused.err.split()[1]) == (2, "RS001")


def test_the_report_command_writes_the_same_page(call, animals) -> None:
    call("classes", animals, *NAMED, "-o", "one.html", "--quiet")
    call("report", animals, *NAMED, "-o", "two.html", "--quiet")
    one, two = (Path(own).read_text() for own in ("one.html", "two.html"))
    assert one.replace("rocsteady classes", "rocsteady report").replace("one.html", "two.html") == two


def test_limits_and_exact_weights(call, animals) -> None:
    bound = json.loads(call("classes", animals, *NAMED, "--at-most", "eel=20%", "--json").out)
    assert bound["settings"]["at_most"] == {"eel": 0.2}
    assert bound["errors"]["measure"]["stacked"][0][2] <= 0.2
    shown = call("classes", animals, *NAMED, "--at-most", "eel=20%", "--at-most", "cat=0.6").out
    assert "at most 20 % of class eel and 60 % of class cat" in " ".join(shown.split())
    exact = json.loads(call("classes", animals, *NAMED, "--exact", "--json").out)
    assert exact["weights"]["class_weights"] == exact["exact"]["class_weights"][0]
    without = json.loads(call("classes", animals, *NAMED, "--no-nested", "--json").out)
    assert without["search"]["nested"] is None


def test_a_fold_without_a_class_is_a_warning_and_strict_ends_with_4(call, folder) -> None:
    write(folder / "lacking.csv", lacking())
    shown = call("classes", "lacking.csv", *NAMED)
    assert shown.code == 0
    assert "warning RS253" in shown.err
    assert call("classes", "lacking.csv", *NAMED, "--strict", "--quiet").code == 4


def test_outputs_that_do_not_sum_to_one_are_used_and_said(call, folder) -> None:
    labels, found = outputs()
    names = np.array(["cat", "dog", "eel"], dtype=object)
    votes = rs.MulticlassScores(
        names[labels], np.round(50 * found), folds=np.arange(labels.size) % 5, classes=names.tolist()
    )
    write(folder / "votes.csv", votes)
    assert call("classes", "votes.csv", *NAMED, "-o", "page.html", "--quiet").code == 0
    assert "do not sum to one" in Path("page.html").read_text()


def broken(path: Path, change) -> str:
    """The file with other rows."""
    rows = rows_of(write(path, class_scores()).read_text())
    rows = change(rows)
    lines = [",".join(rows[0]), *(",".join(own.values()) for own in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path.name


@pytest.mark.parametrize(
    ("change", "typed", "code", "exit_code", "told"),
    [
        (
            lambda rows: [own | {"p_dog": "NaN"} if i == 4 else own for i, own in enumerate(rows)],
            (),
            "RS031",
            3,
            "line 6",
        ),
        (
            lambda rows: [{k: v for k, v in own.items() if k != "p_eel"} for own in rows],
            (),
            "RS025",
            2,
            "eel",
        ),
        (
            lambda rows: [own | {"species": "fox"} if i == 4 else own for i, own in enumerate(rows)],
            (),
            "RS025",
            2,
            "fox",
        ),
        (
            lambda rows: [own | {"p_dog": "-1"} if i == 4 else own for i, own in enumerate(rows)],
            (),
            "RS076",
            3,
            "row 4",
        ),
        (lambda rows: rows, ("--outputs", "q_*"), "RS011", 2, "--outputs"),
        (
            lambda rows: rows,
            ("--at-most", "eel=0", "--at-most", "cat=0", "--at-most", "dog=0"),
            "RS008",
            3,
            "--at-most",
        ),
        (lambda rows: rows, ("--at-most", "fox=5%"), "RS021", 2, "fox"),
        (lambda rows: rows, ("--at-most", "eel=500%"), "RS042", 2, "--at-most"),
        (lambda rows: rows, ("--at-most", "eel"), "RS042", 2, "--at-most dog=5%"),
        (lambda rows: rows, ("--class-weights", "eel=2"), "RS077", 2, "--class-weights cat=1,dog=1,eel=2"),
        (lambda rows: rows, ("--class-weights", "eel=two"), "RS042", 2, "--class-weights"),
        (lambda rows: rows, ("--class-weights", "cat=1,dog=1,eel=1", "--exact"), "RS002", 2, "--exact"),
        (lambda rows: rows, ("-o", "page.pdf"), "RS054", 2, ".html"),
    ],
)
def test_bad_input_is_refused_in_three_parts(call, folder, change, typed, code, exit_code, told) -> None:
    name = broken(folder / "broken.csv", change)
    named = NAMED if "--outputs" not in typed else (*NAMED[:2], *NAMED[4:])
    refused = call("classes", name, *named, *typed)
    assert refused.out == ""
    assert f"error {code}" in refused.err
    assert told in refused.err
    assert refused.code == exit_code
    assert "→" in refused.err or code == "RS021"


def test_rows_that_lack_an_output_may_be_dropped_and_are_counted(call, folder) -> None:
    name = broken(
        folder / "broken.csv",
        lambda rows: [own | {"p_dog": ""} if i == 4 else own for i, own in enumerate(rows)],
    )
    shown = call("classes", name, *NAMED, "--on-missing", "drop")
    assert shown.code == 0
    assert "Read 240 rows (1 dropped) of broken.csv" in shown.out


def test_without_outputs_it_says_which_columns_may_be_meant(call, animals, folder) -> None:
    refused = call("classes", animals, "-y", "species")
    assert (refused.code, "--outputs 'p_*'" in refused.err) == (2, True)
    write(folder / "plain.csv", class_scores(), start="")
    assert "--outputs cat,dog,eel" in call("classes", "plain.csv", "-y", "species").err


@pytest.mark.parametrize(
    ("command", "typed", "told"),
    [
        ("report", ("--outputs", "p_*", "--deploy", "shared"), "--deploy"),
        ("report", ("--outputs", "p_*", "-s", "p_cat"), "--score"),
        ("report", ("--outputs", "p_*", "--require", "auc >= 0.5"), "--require"),
        ("report", ("--class-weights", "cat=1"), "--class-weights"),
        ("report", ("--at-most", "cat=1%", "--exact"), "--at-most and --exact"),
    ],
)
def test_options_of_two_classes_and_of_several_do_not_mix(call, animals, command, typed, told) -> None:
    refused = call(command, animals, "-y", "species", "-g", "fold", *typed)
    assert (refused.code, refused.out) == (2, "")
    assert "RS002" in refused.err
    assert told in " ".join(refused.err.split())


def test_hostile_names_of_classes_do_no_harm(call, folder) -> None:
    names = (HOSTILE[0], "=cmd()", HOSTILE[2])
    write(folder / "hostile.csv", class_scores(names))
    shown = call("classes", "hostile.csv", *NAMED, "-o", "page.html")
    assert shown.code == 0
    assert "\x1b" not in shown.out
    page = Path("page.html").read_text()
    assert problems(page) == []
    assert "<script>alert" not in page
    assert call("classes", "hostile.csv", *NAMED, "-o", "classes.csv", "--quiet").code == 0
    assert [own["class"] for own in rows_of(Path("classes.csv").read_text())][1] == "'=cmd()"


def test_numbers_by_class_may_have_odd_names() -> None:
    assert Classes(class_weights=["a=b=1", "c = 2"]).settings()["class_weights"] == {"a=b": 1.0, "c": 2.0}


def test_a_class_with_a_comma_is_typed_as_it_is_printed(call, folder) -> None:
    frame = pd.DataFrame({"species": ["a, or b", "c", "d"] * 20, "fold": np.arange(60) // 12})
    shares = np.random.default_rng(3).dirichlet(np.ones(3), 60)
    for c, name in enumerate(("a, or b", "c", "d")):
        frame[f"p_{name}"] = (shares[:, c] + (frame["species"] == name)) / 2
    frame.to_csv("commas.csv", index=False)
    shown = call("classes", "commas.csv", *NAMED, "--at-most", "a, or b=50%", "--quiet")
    assert shown.code == 0
    typed = [own for line in shown.out.splitlines() for own in ("--class-weights", line)]
    again = call("classes", "commas.csv", *NAMED, *typed, "--quiet")
    assert (again.code, again.out) == (0, shown.out)


def test_a_class_with_two_columns_is_refused(call, animals) -> None:
    twice = call("classes", animals, "-y", "species", "--outputs", "cat=p_cat,cat=p_dog,eel=p_eel")
    assert twice.code == 2
    assert "RS002" in twice.err
