"""`rocsteady check` says what a file holds, and refuses what cannot be analysed."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len

from rocsteady.cli.options import Columns

SMALL = """\
host,label,score,model
a,attack,3.5,old
a,normal,1,old
a,normal,0.5,old
b,attack,2,old
b,normal,2,old
c,normal,1.5,old
a,attack,4.5,new
a,normal,2,new
a,normal,inf,new
b,attack,1,new
b,normal,-inf,new
c,normal,0.25,new
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def small(folder: Path) -> str:
    (folder / "small.csv").write_text(SMALL)
    return "small.csv"


def write_groups(path: Path, sizes: dict[str, tuple[int, int]]) -> None:
    """A file with the given numbers of positives and negatives in each group."""
    lines = ["fold,y_true,y_prob"]
    for group, (n_positives, n_negatives) in sizes.items():
        lines += [f"{group},1,{0.5 + i / 1000}" for i in range(n_positives)]
        lines += [f"{group},0,{0.4 + i / 1000}" for i in range(n_negatives)]
    path.write_text("\n".join(lines) + "\n")


def test_results_go_to_stdout_and_warnings_to_stderr(call, small) -> None:
    shown = call("check", small, "-g", "host", "-p", "attack")
    assert "warning" not in shown.out
    assert all(line.startswith(("warning RS201", "warning RS203", "  ")) for line in shown.err.splitlines())


def test_standard_input(spawn) -> None:
    shown = spawn("check", "-", "-g", "host", "-p", "attack", stdin=SMALL)
    assert shown.code == 0
    said = " ".join(shown.out.split())
    assert said.startswith(
        "Read 12 rows of standard input: 3 hosts, 2 models (old and new). Positive: attack"
    )


def test_json_is_all_there_is_on_stdout(call, small) -> None:
    shown = call("check", small, "-g", "host", "-p", "attack", "--json")
    assert (shown.code, shown.err) == (0, "")
    data = json.loads(shown.out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert data["schema_version"] == 2
    about, found = data["data"], data["check"]
    assert about["source"] == "small.csv"
    assert about["columns_chosen"] == {"label": "label", "score": "score", "model": "model"}
    assert about["groups"] == ["a", "b", "c"]
    assert (found["n_rows"], found["n_groups"], found["n_members"], found["n_curves"]) == (12, 3, 6, 4)
    assert (found["positive"], found["negative"], found["higher_is_positive"]) == ("attack", "normal", True)
    assert (found["one_class"], found["n_dropped"]) == (["c"], 0)
    second = found["models"][1]
    assert (second["name"], second["n_rows"], second["lowest"], second["highest"]) == (
        "new",
        6,
        "-inf",
        "inf",
    )
    assert (found["models"][0]["n_distinct"], found["models"][0]["n_ties"]) == (5, 1)
    assert [(w["code"], w["groups"]) for w in found["findings"]] == [
        ("RS201", ["c"]),
        ("RS203", ["a", "b"]),
        ("RS203", ["a", "b"]),
    ]
    assert [w["code"] for w in data["warnings"]] == ["RS201", "RS203", "RS203"]


def test_strict_exits_with_4(call, small, folder) -> None:
    shown = call("check", small, "-g", "host", "-p", "attack", "--strict")
    assert shown.code == 4
    assert "Read 12 rows" in shown.out
    write_groups(folder / "clean.csv", {"1": (12, 15)})
    assert call("check", "clean.csv", "--strict").code == 0


def test_quiet_prints_nothing_but_errors(call, small) -> None:
    shown = call("check", small, "-g", "host", "-p", "attack", "-q")
    assert (shown.code, shown.out, shown.err) == (0, "", "")
    strict = call("check", small, "-g", "host", "-p", "attack", "-q", "--strict")
    assert (strict.code, strict.out, strict.err[:8]) == (
        4,
        "",
        "warning ",
    )  # where none may be it is an error
    assert call("check", small, "-g", "hots", "-p", "attack", "-q").err.startswith("error RS011 ")


def test_models_that_differ_are_named(call, folder) -> None:
    rows = [f"x,{m},{label},{i}" for m in ("m1", "m2") for label in (0, 1) for i in range(12)]
    rows += [f"y,m1,{label},{i}" for label in (0, 1) for i in range(12)] + [f"y,m2,0,{i}" for i in range(12)]
    (folder / "s.csv").write_text("\n".join(["group,model,label,score", *rows]) + "\n")
    assert (
        call("check", "s.csv").err
        == "warning RS201 m2 / y has no positive cases; left out of every average.\n"
    )


def test_several_positive_labels(call, folder) -> None:
    stages = ["0", "I", "II", "III"]
    (folder / "s.csv").write_text("stage,score\n" + "".join(f"{stages[i % 4]},{i}\n" for i in range(48)))
    for given in (["-p", "II,III"], ["-p", "II", "-p", "III"]):
        shown = call("check", "s.csv", "-y", "stage", "--json", *given)
        assert shown.code == 0
        assert json.loads(shown.out)["check"]["models"][0]["n_positives"] == 24


def test_one_label_against_all_others(call, folder) -> None:
    """What the error for four labels says first can be typed, also where a comma is in the label."""
    stages = ["0", "I", "II,b", "III"]
    rows = [f'"{stages[i % 4]}",{i}' for i in range(48)]
    (folder / "s.csv").write_text("stage,score\n" + "\n".join(rows) + "\n")
    for stage in stages:
        shown = call("check", "s.csv", "-y", "stage", "-p", stage)
        assert (shown.code, shown.err[:12]) == (2, "error RS022 ")
        lines = [line for line in shown.err.splitlines() if "→" in line]
        assert "one label against all others, as a list of one:" in lines[0]
        given = shlex.split(lines[0].rsplit("  ", 1)[1])
        assert given == (["--positive", f"{stage},"] if "," not in stage else ["--positive", stage] * 2)
        again = call("check", "s.csv", "-y", "stage", "--json", *given)
        assert again.code == 0, again.err
        assert json.loads(again.out)["check"]["models"][0]["n_positives"] == 12
    assert call("check", "s.csv", "-y", "stage", "-p", "IV,").err.startswith("error RS021 ")


@pytest.mark.parametrize(
    ("given", "readings"),
    [
        (["M"], ["M"]),
        (["M,"], [["M"], "M,"]),
        (["M,VF"], [["M", "VF"], "M,VF"]),
        (["M,VF,"], [["M", "VF"], "M,VF,"]),
        (["M", "M"], [["M"]]),
        (None, [None]),
    ],
)
def test_what_positive_may_mean(given, readings) -> None:
    assert Columns(positive=given).positive_readings() == readings


@pytest.mark.parametrize("name", ["x" * 120, "模型" * 40])
def test_long_and_wide_names_fit(call, folder, name) -> None:
    rows = [f"{name}{m},{i % 2},{i % 2 + i % 7}" for m in "ab" for i in range(60)]
    (folder / "s.csv").write_text("\n".join(["model,y,s", *rows]) + "\n")
    page = call("check", "s.csv", "-m", "model", "-y", "y", "-s", "s").out
    tables = [line for line in page.splitlines() if re.search(r"\S {2,}\S", line)]
    assert tables
    assert max(map(cell_len, tables)) <= 80
    assert f"{name[:5]}" in page


def test_low_is_positive(call, small) -> None:
    shown = call("check", small, "-g", "host", "-p", "attack", "--low-is-positive")
    assert "where score is low" in " ".join(shown.out.split())


def test_rows_dropped_are_counted(call, folder) -> None:
    rows = "".join(f"{i % 2},{'' if i == 5 else i}\n" for i in range(30))
    (folder / "s.csv").write_text("label,score\n" + rows)
    shown = call("check", "s.csv", "--on-missing", "drop")
    assert shown.code == 0
    assert shown.out.startswith("Read 30 rows (1 dropped) of s.csv.")
    assert "Dropped: 1 row" in shown.out
    assert shown.err.startswith("warning RS102 1 ")
    found = json.loads(call("check", "s.csv", "--on-missing", "drop", "--json").out)["check"]
    assert (found["n_read"], found["n_dropped"], found["n_rows"]) == (30, 1, 29)


def test_weights_and_cases_are_read(call, folder) -> None:
    rows = "".join(f"{i % 2},{i},{i % 3},{i}\n" for i in range(60))
    (folder / "s.csv").write_text("label,score,w,id\n" + rows)
    data = json.loads(call("check", "s.csv", "-w", "w", "--case", "id", "--json").out)
    assert (data["check"]["n_rows"], data["check"]["n_dropped"]) == (40, 20)


def test_several_score_columns_are_several_models(call, folder) -> None:
    rows = "".join(f"{i % 2},{i},{i // 3},{'' if i == 5 else -i % 7}\n" for i in range(48))
    (folder / "wide.csv").write_text("sick,lr,rf,svm\n" + rows)
    given = ["check", "wide.csv", "-y", "sick", "-s", "lr", "-s", "rf"]
    shown = call(*given)
    assert (shown.code, shown.err) == (0, "")
    missing = call(*given, "-s", "svm", "--on-missing", "drop")
    assert missing.code == 0
    assert missing.out.startswith("Read 48 rows (1 dropped) of wide.csv: 3 models (lr, rf and svm).")
    assert json.loads(call(*given, "--json").out)["check"]["models"][1]["name"] == "rf"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-g", "host", "-m", "host"], 'the column "host" is named twice, by --group and --model.'),
        (["-y", "score", "-s", "score"], 'the column "score" is named twice, by --label and --score.'),
        (["-s", "score", "-s", "score"], 'the column "score" is named twice, by --score.'),
        (
            ["-s", "score", "-s", "label", "-g", "label"],
            'the column "label" is named twice, by --score and --group.',
        ),
    ],
)
def test_a_column_is_one_thing_only(call, small, options, problem) -> None:
    shown = call("check", small, "-p", "attack", *options)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error RS002 {problem}\n  → name another column:  --")


def test_rows_without_groups_are_not_called_a_group(call, folder) -> None:
    rows = "".join(f"{int(i < 8)},{-i}\n" for i in range(40))
    (folder / "s.csv").write_text("label,score\n" + rows)
    shown = call("check", "s.csv")
    assert shown.out.startswith("Read 40 rows of s.csv. ")
    assert shown.err == "warning RS203 there are 8 positive cases; the TPR moves in steps of 12 points.\n"
    assert "ties in" not in shown.out
    (folder / "s.csv").write_text("label,score\n1,2\n1,3\n")
    shown = call("check", "s.csv")
    assert shown.code == 3
    assert shown.err.startswith("error RS032 there are no negatives, so no ROC curve can be drawn.\n")
    assert "group" not in shown.err


def test_scores_that_run_the_other_way_stop_it(call, folder) -> None:
    rng = np.random.default_rng(0)
    rows = "".join(f"{i // 2 % 12},{i % 2},{rng.normal() - 2 * (i % 2):.4f}\n" for i in range(600))
    (folder / "s.csv").write_text("reader,label,score\n" + rows)
    shown = call("check", "s.csv")
    assert (shown.code, shown.out) == (3, "")
    assert shown.err.startswith("error RS041 AUC is below 0.5 in 12 of 12 readers")
    assert call("check", "s.csv", "--json").out == ""
    for options in (["--low-is-positive"], ["-p", "0"], ["--allow-reversed"]):
        assert call("check", "s.csv", *options).code == 0, options


def test_prose_in_a_pipe_has_at_most_100_columns(call, folder) -> None:
    sizes = {f"a very long name of a fold, number {i}": (3, 4) for i in range(30)}
    sizes |= {f"one class, number {i}": (1, 0) for i in range(30)}
    names = ",".join(f"column_{i}" for i in range(40))
    with (folder / "s.csv").open("w") as file:
        write_groups(folder / "folds.csv", {name.replace(",", ";"): n for name, n in sizes.items()})
        file.write(names + "\n" + ",".join("1" * 40) + "\n")
    for arguments in (["folds.csv"], ["s.csv"], ["s.csv", "-y", "columns"]):
        shown = call("check", *arguments)
        assert max(map(len, (shown.out + shown.err).splitlines())) <= 100, arguments


def test_names_with_control_characters_are_harmless(call, folder) -> None:
    rows = "".join(f'"e\x1b[31mvil",{i % 2},{i}\n' for i in range(6))
    (folder / "s.csv").write_text("fold,label,score\n" + rows)
    shown = call("check", "s.csv")
    assert "\x1b" not in shown.out + shown.err
    assert "e\\x1b[31mvil" in shown.err


# -- what is refused ------------------------------------------------------------------------------------

N = 30
LABELS = "".join(f"{'attack' if i % 3 else 'normal'},{i},h{i % 2}\n" for i in range(N))
HEADER = "is_attack,y_prob,host\n"
BAD = {
    "missing_column": (HEADER + LABELS, ["-y", "is_attack", "-s", "probability"], "RS011", 2),
    "unnamed_label": (HEADER.replace("is_", "") + LABELS, [], "RS014", 2),
    "unknown_positive": (HEADER + LABELS, ["-y", "is_attack", "-p", "positive"], "RS021", 2),
    "no_positive": (HEADER + LABELS, ["-y", "is_attack"], "RS020", 2),
    "four_labels": (
        "stage,score\n" + "".join(f"{['0', 'I', 'II', 'III'][i % 4]},{i}\n" for i in range(N)),
        ["-y", "stage", "-p", "III"],
        "RS022",
        2,
    ),
    "missing_scores": (
        "label,score,model\n"
        + "".join(f"{i % 2},{'' if i > 20 else i},{'new' if i > 14 else 'old'}\n" for i in range(N)),
        [],
        "RS031",
        3,
    ),
    "missing_labels": ("label,score\n1,1\n,2\n0,3\n", [], "RS023", 2),
    "no_group_has_both": (
        "fold,label,score\n" + "".join(f"{i % 10},{int(i % 10 >= 4)},{i}\n" for i in range(N)),
        [],
        "RS032",
        3,
    ),
    "empty_table": ("label,score\n", [], "RS010", 3),
    "empty_file": ("", [], "RS010", 3),
    "double_column": ("label,score,score\n1,2,3\n0,1,2\n", [], "RS012", 2),
    "text_scores": ("label,score\n1,high\n0,low\n", [], "RS033", 3),
    "negative_weight": ("label,score,w\n1,2,1\n0,1,-3\n", ["-w", "w"], "RS037", 3),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_with_a_code(call, folder, name: str) -> None:
    text, options, code, exit_code = BAD[name]
    (folder / "scores.csv").write_text(text)
    shown = call("check", "scores.csv", *options)
    assert shown.out == ""
    assert shown.err.startswith(f"error {code} ")
    assert shown.code == exit_code
    assert "→" in shown.err or code == "RS032"


def write(name: str, header: str, rows: str) -> str:
    Path(name).write_text(f"{header}\n{rows}")
    return name


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("truth,rating,hospital", {"label": "truth", "score": "rating", "group": "hospital"}),
        ("is_fraud,proba,site", {"label": "is_fraud", "score": "proba", "group": "site"}),
        ("label,is_late,score", {"label": "label", "score": "score"}),  # usual names go first
        ("y_true,proba,score", {"label": "y_true", "score": "score"}),
        ("target,pred,split", {"label": "target", "score": "pred", "group": "split"}),
    ],
)
def test_names_that_are_less_usual_are_taken_too(call, folder, header: str, chosen: dict[str, str]) -> None:
    place = {name: i for i, name in enumerate(header.split(","))}
    rows = ""
    for i in range(60):
        cells = [""] * 3
        for role, name in chosen.items():
            value = {"label": i % 2, "score": i % 7 + i % 2, "group": f"g{i % 3}"}[role]
            cells[place[name]] = str(value)
        rows += ",".join(own or "7" for own in cells) + "\n"
    shown = call("check", write("s.csv", header, rows), "--json")
    assert json.loads(shown.out)["data"]["columns_chosen"] == chosen
    told = call("check", "s.csv").err
    assert told.count("RS110") == ("pred" in header) + ("split" in header)
    if "pred" in header:
        assert "its values: 0, 4, " in told
        assert "its values: g0, g1 and g2" in told
        assert "RS110" not in call("check", "s.csv", "-s", "pred", "-g", "split").err


def test_a_column_that_nobody_named_yields_a_command_to_copy(call, folder) -> None:
    rows = "".join(f"{i},{['ok', 'it is'][i % 2]},{i % 5 + i % 2}.5,c{i % 3}\n" for i in range(40))
    write("my scores.csv", "nr,the outcome,p(sick),centre", rows)
    shown = call("check", "my scores.csv", "-p", "it is", "-g", "centre")
    assert (shown.code, shown.err[:12]) == (2, "error RS014 ")
    (line,) = [own for own in shown.err.splitlines() if "perhaps" in own]
    given = shlex.split(line.partition("rocsteady ")[2])
    assert given[-4:] == ["--label", "the outcome", "--score", "p(sick)"]
    assert call(*given).code == 0
    unsure = call("check", write("few.csv", "a,b", "x,1\ny,2\nz,3\n"))
    assert "perhaps" not in unsure.err
    assert "--label COLUMN" in unsure.err


@pytest.mark.parametrize("words", ["ml", "medical", "biometric"])
@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_it_fits_and_says_the_words_of_a_trade(call, small, monkeypatch, words, width) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = call("check", small, "-g", "host", "-p", "attack", "--words", words)
    assert shown.code == 0
    assert max(map(cell_len, shown.out.splitlines())) <= width
    rate = {"ml": "TPR", "medical": "sensitivity", "biometric": "FNMR"}[words]
    assert f"their {rate} can only be 0 or 1" in " ".join(shown.err.split())


def test_files_that_are_not_there_or_not_what_they_say(call, folder) -> None:
    (folder / "scores.csv").write_text(SMALL)
    (folder / "folder").mkdir()
    (folder / "notes.txt").write_text(SMALL)
    (folder / "binary.csv").write_bytes(bytes(range(256)) * 20)
    (folder / "cut.parquet").write_bytes(b"PAR1" + bytes(100))
    expected = {
        "sores.csv": "RS051",
        "folder": "RS052",
        "binary.csv": "RS053",
        "cut.parquet": "RS053",
        "notes.txt": "RS054",
    }
    for name, code in expected.items():
        shown = call("check", name)
        assert (shown.code, shown.out) == (3, ""), name
        assert shown.err.startswith(f"error {code} "), name


def test_a_parquet_file(call, folder) -> None:
    import pandas

    frame = pandas.DataFrame(
        {"label": np.arange(40) % 2, "score": np.arange(40.0), "fold": np.arange(40) // 20}
    )
    frame.to_parquet(folder / "s.parquet")
    shown = call("check", "s.parquet")
    assert shown.code == 0
    assert shown.out.startswith("Read 40 rows of s.parquet: 2 folds.")
