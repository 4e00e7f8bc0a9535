"""`rocsteady compare` of a reader study: the page, files, exit codes, and what is refused."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs

PYTHON = re.compile(r"\w\(|\w+='|\w+=\(|\w+=\[")
"""A call, a keyword argument: nothing that a shell would take."""
NAMED = ["-g", "reader", "-m", "modality", "--case", "case", "-p", "cancer", "-y", "truth", "-s", "rating"]
ROLES = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
HEADER = "reader,modality,case,truth,rating"


@pytest.fixture(autouse=True)
def some_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """The version stands in the methods; it is not the matter here."""
    monkeypatch.setattr("rocsteady.show.sentences.reader_methods._version", lambda: "1.2.3")


def rows_of(
    n_readers: int = 5, modalities: tuple[str, ...] = ("film", "digital"), ai: bool = False
) -> list[str]:
    """Ratings from 1 to 9 of 40 cases, the same for every reader and modality."""
    rng = np.random.default_rng(5)
    is_sick = np.arange(40) % 2 == 0
    base = rng.normal(size=40) + 1.6 * is_sick
    rows = []
    for m, modality in enumerate(modalities):
        for reader in range(n_readers):
            seen = base + 0.6 * m * is_sick + rng.normal(scale=0.9, size=40)
            ratings = np.clip(np.round(3 + 1.5 * seen), 1, 9).astype(int)
            rows += [
                f"R{reader + 1},{modality},c{i},{'cancer' if is_sick[i] else 'benign'},{ratings[i]}"
                for i in range(40)
            ]
    if ai:
        scores = base + rng.normal(size=40)
        rows += [f"AI,AI,c{i},{'cancer' if is_sick[i] else 'benign'},{scores[i]:.3f}" for i in range(40)]
    return rows


def write(rows: list[str], name: str = "study.csv") -> str:
    Path(name).write_text("\n".join([HEADER, *rows]) + "\n")
    return name


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty working folder with a study, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return write(rows_of())


def read(name: str = "study.csv") -> rs.ScoreSet:
    return rs.read_scores(name, positive="cancer", **ROLES)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([], {}),
        (["--readers", "fixed", "--confidence-level", "0.9"], {"readers": "fixed", "confidence_level": 0.9}),
        (["--measure", "sens@t=5", "--cases", "fixed"], {"measure": {"threshold": 5, "rate": "sensitivity"}}),
    ],
)
def test_files_of_one_modality_have_what_the_library_gives(call, study, options, arguments) -> None:
    write([row for row in rows_of() if "film" in row], "one.csv")
    if "--cases" in options:
        arguments = {**arguments, "cases": "fixed"}
    found = rs.summarize_readers(read("one.csv"), **arguments)
    data = json.loads(call("compare", "one.csv", *NAMED, *options, "--json").out)
    assert data["readers"]["comparison"] is None
    assert data["readers"]["summary"] == json.loads(json.dumps(found.to_dict()))
    for name in ("one_out.csv", "one_out.svg", "one_out.json"):
        shown = call("compare", "one.csv", *NAMED, *options, "-q", "-o", name)
        assert (shown.code, shown.err) == (0, "")
    rows = list(csv.DictReader(Path("one_out.csv").read_text().splitlines()))
    assert [row["reader"] for row in rows] == ["mean", *found.readers]
    assert [float(row["value"]) for row in rows] == [float(found.means[0]), *found.values[0].tolist()]
    assert json.loads(Path("one_out.json").read_text()) == data
    assert "film" in Path("one_out.svg").read_text()


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        (["--measure", "sens@spec=90"], "--measure sens@spec=0.9"),
        (["--measure", "tpr@fpr=20"], "--measure tpr@fpr=0.2"),
        (["--measure", "pauc=fpr:0.2..0.1"], "--measure pauc=fpr:0..0.1"),
        (["--measure", "pauc=0.1"], "--measure pauc=fpr:0..0.1"),
        (["--standalone", "AI", "--standalone-threshold", "3"], "--measure sens@t=3"),
        (["--standalone", "film"], "leave out  --standalone"),
        (["--models", "digital,digital"], "--models film,digital"),
        (["--models", "digital,fil"], "--models digital,film"),
        (["--standalone", "AI", "--models", "fil"], "--models film"),
        (["--standalone", "IA"], "--standalone AI ?"),
        (["--method", "u-statistic"], "--method u-statistics"),
        (["--method", "vertica"], "--method vertical"),
    ],
)
def test_a_remedy_can_be_typed(call, study, options, remedy) -> None:
    shown = call("compare", write(rows_of(ai=True), "ai.csv"), *NAMED, *options)
    assert shown.code in (2, 3)
    assert any(line.endswith(remedy) for line in shown.err.splitlines()), shown.err
    assert f"={remedy}" not in shown.err
    if remedy.startswith("--measure") and "--standalone" not in options:
        assert call("compare", study, *NAMED, *shlex.split(remedy)).code == 0


def test_a_system_that_is_named_among_the_modalities_is_the_system(call, study) -> None:
    """Who compares digital with the AI, and is told to add --standalone, need not take it back first."""
    ai = [write(rows_of(ai=True), "ai.csv"), *NAMED, "--standalone", "AI", "-q", "--models"]
    assert call("compare", *ai, "digital,AI").out == call("compare", *ai, "digital").out
    assert call("compare", *ai, "AI").code == 0


def with_gap() -> list[str]:
    return [row for row in rows_of() if not row.startswith("R2,film")]


@pytest.mark.parametrize(
    ("rows", "options"),
    [
        (with_gap(), ["--unmatched", "drop"]),
        (with_gap(), ["--method", "u-statistics"]),
        ([row.replace("R", "F") if "film" in row else row for row in rows_of()], []),  # readers nested
        (rows_of(), ["--confidence-level", "0.9", "--seed", "3", "--covariance", "jackknife"]),
        ([*rows_of(), "R1,film,c99,cancer,"], ["--on-missing", "drop"]),
        ([*[row for row in rows_of() if "film" in row], "R1,film,c99,cancer,"], ["--on-missing", "drop"]),
    ],
)
def test_commands_to_go_on_with_ask_the_same(call, study, rows, options) -> None:
    shown = call("compare", write(rows, "own.csv"), *NAMED, *options)
    assert shown.code == 0, shown.err
    told = [shlex.split(line.split("→ rocsteady ", 1)[1]) for line in shown.out.splitlines() if "→" in line]
    assert told[0][0] == "compare"
    assert told[0][-2:] == ["-o", "readers.png"]
    assert all(word in told[0] for word in options)
    again = call(*told[0][:-2])
    assert (again.code, again.out) == (0, shown.out)
    for command in told[1:]:
        assert call(*command).code == 0, command


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([], {}),
        (["--readers", "fixed"], {"readers": "fixed"}),
        (["--cases", "fixed", "--confidence-level", "0.9"], {"cases": "fixed", "confidence_level": 0.9}),
        (["--covariance", "jackknife", "--models", "digital,film"], {"covariance": "jackknife"}),
        (["--measure", "pauc=fpr:0..20%"], {"measure": rs.PartialAuc(fpr=(0, 0.2))}),
        (["--measure", "pauc=tpr:0.8..1"], {"measure": rs.PartialAuc(tpr=(0.8, 1))}),
        (["--measure", "sens@t=5"], {"measure": {"threshold": 5, "rate": "sensitivity"}}),
        (["--measure", "spec@t=5"], {"measure": {"threshold": 5, "rate": "specificity"}}),
        (
            ["--measure", "spec@sens=90%", "--boot", "50", "--seed", "3"],
            {"measure": {"sensitivity": 0.9}, "n_resamples": 50, "seed": 3},
        ),
        (["--method", "u-statistics"], {"method": "u-statistics"}),
    ],
)
@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_json_has_what_the_library_gives(call, study, options, arguments) -> None:
    shown = call("compare", study, *NAMED, *options, "--json")
    assert shown.code == 0, shown.err
    data = json.loads(shown.out)
    assert data["schema_version"] == 2
    modalities = ["digital", "film"] if "--models" in options else None
    found = rs.compare_readers(read(), modalities=modalities, **arguments)
    assert data["readers"]["comparison"] == json.loads(json.dumps(found.to_dict()))


def test_what_is_random_decides_how_sure_the_answer_is(call, study) -> None:
    """The page shows the test under every assumption; each is what the library says under that one."""
    data = json.loads(call("compare", study, *NAMED, "--json").out)
    told = {(own["readers"], own["cases"]): own["pvalue"] for own in data["assumptions"]}
    assert len(told) == 3
    for (readers, cases), pvalue in told.items():
        assert pvalue == rs.compare_readers(read(), readers=readers, cases=cases).pvalue


def test_other_data_and_other_questions_are_answered_as_before(call, study) -> None:
    """The readers' page is for shared cases, unless an option is for models over groups: then RS266."""
    own_cases = [re.sub(r",c(\d+),", rf",{row.split(',')[0]}-\1,", row) for row in rows_of(6)]
    shown = call("compare", write(own_cases, "own.csv"), *NAMED, "--json")
    assert "comparison" in json.loads(shown.out)
    for option in (
        ["--method", "vertical"],
        ["--random", "groups"],
        ["--at", "fpr=0.1"],
        ["--nadeau-bengio"],
    ):
        shown = call("compare", study, *NAMED, *option)
        assert shown.code == 0
        assert "modalities" not in shown.out
        assert shown.err.count("RS266") == 1
        assert "--readers random" in shown.err
    few = [row.replace(",R1-0,", ",c,").replace(",R2-0,", ",c,") for row in own_cases]
    shown = call("compare", write(few, "few.csv"), *NAMED)  # a case that happens to be in two groups
    assert shown.code == 0
    assert "1 of 239 cases is shared" in shown.err
    assert "modalities" not in shown.out


def test_folds_have_no_forgotten_cases(call, study) -> None:
    """They come again where a cross-validation was repeated."""
    without = [word for word in NAMED if word not in ("--case", "case")]
    assert "RS266" not in call("compare", study, *without, "--nadeau-bengio").err


@pytest.mark.parametrize("option", [[], ["--at", "fpr=0.1"]])
def test_cases_that_were_forgotten_are_asked_for(call, study, option) -> None:
    without = [word for word in NAMED if word not in ("--case", "case")]
    shown = call("compare", study, *without, *option)
    assert shown.code == 0
    assert shown.err.count("RS266") == 1
    told = " ".join(shown.err.split())
    assert 'groups are called "reader", and no cases were named' in told
    assert told.count("--case COLUMN") == 1


def test_files(call, study) -> None:
    for kind in ("csv", "parquet", "json"):
        assert call("compare", study, *NAMED, "-q", "-o", f"out.{kind}").code == 0
    rows = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
    assert [row["reader"] for row in rows] == ["mean", "R1", "R2", "R3", "R4", "R5"]
    found = rs.compare_readers(read())
    assert float(rows[0]["pvalue"]) == found.differences[0].pvalue
    assert [float(row["difference"]) for row in rows[1:]] == found.per_reader.difference.tolist()
    assert json.loads(Path("out.json").read_text())["readers"]["comparison"]["pvalue"] == found.pvalue
    assert Path("out.parquet").read_bytes().startswith(b"PAR1")


@pytest.mark.parametrize("measure", ["auc", "sens@t=5"])
def test_the_figure(call, study, measure) -> None:
    shown = call("compare", study, *NAMED, "--measure", measure, "-q", "-o", "out.svg")
    assert (shown.code, shown.err) == (0, "")
    text = Path("out.svg").read_text()
    assert "film" in text


def test_rows_of_a_standalone_system_as_a_table(call, study) -> None:
    write(rows_of(ai=True), "ai.csv")
    for name in ("out.csv", "out.svg"):
        options = ["--standalone", "AI", "--margin", "0.2", "-q", "-o", name]
        shown = call("compare", "ai.csv", *NAMED, *options)
        assert shown.code == 0, shown.err
    assert ">AI" in Path("out.svg").read_text()
    rows = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
    assert [row["reader"] for row in rows] == ["mean", "mean", *(2 * ["R1", "R2", "R3", "R4", "R5"])]
    assert {row["a"] for row in rows} == {"AI"}
    assert all(
        float(row["a_value"]) - float(row["b_value"]) == pytest.approx(float(row["difference"]))
        for row in rows
    )


def test_few_readers_are_warned_of(call, study) -> None:
    write(rows_of(3), "few.csv")
    shown = call("compare", "few.csv", *NAMED, "--strict")
    assert shown.code == 4
    assert shown.err.count("RS213") == 1
    assert "--readers fixed" in shown.err
    assert call("compare", "few.csv", *NAMED, "--strict", "--readers", "fixed").code == 0


def one_class(row: str) -> bool:
    return not (row.startswith("R2,film") and "cancer" in row)


BAD = {
    "a margin of one": ([row for row in rows_of() if "film" in row], ["--margin", "0.05"], 2, "RS002"),
    "u-statistics of one": (
        [row for row in rows_of() if "film" in row],
        ["--method", "u-statistics"],
        2,
        "RS002",
    ),
    "one reader of one": (
        [row for row in rows_of() if row.startswith("R1,film")],
        ["--readers", "random"],
        3,
        "RS027",
    ),
    "one reader": ([row for row in rows_of() if row.startswith("R1")], ["--readers", "random"], 3, "RS027"),
    "no cases": (rows_of(), ["no case", "--readers", "random"], 3, "RS027"),
    "a missing cell": ([row for row in rows_of() if not row.startswith("R2,film")], [], 3, "RS028"),
    "a case rated twice": ([*rows_of(), "R2,film,c0,cancer,9"], [], 3, "RS029"),
    "a case with two truths": ([*rows_of(), "R9,film,c0,benign,9"], [], 2, "RS026"),
    "a reader without a class": ([row for row in rows_of() if one_class(row)], [], 3, "RS036"),
    "nothing is random": (rows_of(), ["--readers", "fixed", "--cases", "fixed"], 2, "RS002"),
    "a covariance of the AUC": (rows_of(), ["--measure", "sens@t=5", "--covariance", "delong"], 2, "RS030"),
    "no such measure": (rows_of(), ["--measure", "sens@fpr=0.1"], 2, "RS042"),
    "no range": (rows_of(), ["--measure", "pauc=0.1"], 2, "RS042"),
    "a margin without a direction": (rows_of(), ["--margin", "0.05"], 2, "RS097"),
    "no margin": (rows_of(), ["--margin", "0", "--models", "film,digital"], 2, "RS097"),
    "no such modality": (rows_of(), ["--models", "film,digit"], 2, "RS001"),
    "no such system": (rows_of(ai=True), ["--standalone", "IA"], 2, "RS040"),
    "an undeclared system": (rows_of(ai=True), [], 3, "RS028"),
    "no system at all": (rows_of(), ["--standalone-threshold", "3"], 2, "RS002"),
    "no such analysis": (rows_of(ai=True), ["--standalone", "AI", "--method", "u-statistics"], 2, "RS002"),
    "two kinds of questions": (rows_of(), ["--readers", "random", "--at", "fpr=0.1"], 2, "RS002"),
}


@pytest.mark.parametrize("words", ["ml", "medical", "biometric"])
@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("rows", [rows_of(), rows_of(4, ("film", "digital", "one with a long name"))])
def test_the_answer_comes_first_and_fits(call, study, monkeypatch, words, width, rows) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    is_pair = len(rows) == len(rows_of())
    asked = ["--models", "digital,film", "--margin", "0.05"] if is_pair else []
    shown = call("compare", write(rows, "own.csv"), *NAMED, *asked, "--words", words)
    assert shown.code == 0, shown.err
    lines = [own for own in shown.out.splitlines() if "\N{RIGHTWARDS ARROW}" not in own]
    assert max(map(len, lines)) <= width
    text = " ".join(shown.out.split())
    assert "readers and cases are treated as random samples" in text.casefold()
    assert text.index("mean AUC") < text.index("Methods and results")
    if is_pair:
        assert "non-inferior" in text or "inferior" in text
        assert text.count("margin of 0.05") >= 2


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_done_is_said_with_what_to_type(call, study, case) -> None:
    rows, options, code, message = BAD[case]
    named = NAMED
    if options[:1] == ["no case"]:
        named, options = [word for word in NAMED if word not in ("--case", "case")], options[1:]
    shown = call("compare", write(rows, "bad.csv"), *named, *options)
    assert (shown.code, shown.out) == (code, ""), shown.err
    assert f"error {message} " in shown.err
    assert "→" in shown.err
    assert not PYTHON.search(shown.err.replace("ScoreSet(", "")), shown.err


@pytest.mark.parametrize("case", ["a missing cell", "a reader without a class", "an undeclared system"])
def test_what_a_message_says_helps(call, study, case) -> None:
    rows, options, _, _ = BAD[case]
    write(rows, "bad.csv")
    told = [line for line in call("compare", "bad.csv", *NAMED, *options).err.splitlines() if "--" in line]
    assert told
    for line in told:
        remedy = shlex.split(line.rsplit("  ", 1)[-1])
        assert call("compare", "bad.csv", *NAMED, *options, *remedy).code == 0, line


def test_patients_have_several_cases(call, study) -> None:
    lines = [f"{row},p{int(row.split(',')[2][1:]) // 4}" for row in rows_of()]
    Path("patients.csv").write_text("\n".join([f"{HEADER},patient", *lines]) + "\n")
    shown = call("compare", "patients.csv", *NAMED, "--patient", "patient")
    assert (shown.code, shown.err) == (0, "")
    assert "10 patients" in shown.out
    assert "--patient patient" in shown.out  # the command to go on with
    assert "Obuchowski" in shown.out


def test_a_file_of_imrmc_needs_no_options(call, study) -> None:
    rows = [row.split(",") for row in rows_of()]
    truths = {f"-1,{case},0,{int(truth == 'cancer')}" for _, _, case, truth, _ in rows}
    ratings = [f"{reader},{case},{modality},{rating}" for reader, modality, case, _, rating in rows]
    Path("study.imrmc").write_text("\n".join(["two displays", "BEGIN DATA:", *sorted(truths), *ratings]))
    shown = call("compare", "study.imrmc", "--quiet")
    assert shown.code == 0
    assert shown.out == call("compare", study, *NAMED, "--quiet").out
    page = call("compare", "study.imrmc").out
    assert "5 readers, 40 cases" in page
    assert "Columns of an iMRMC file: truth (label)" in page
    refused = call("compare", "study.imrmc", "--case", "case")
    assert refused.code == 2
    assert "leave out  --case case" in refused.err
