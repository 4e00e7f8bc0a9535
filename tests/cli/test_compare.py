"""`rocsteady compare`: the table, the sentences, files, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rocsteady as rs
from rocsteady.inference.compare import compare
from rocsteady.inference.winner_map import winner_map

PYTHON = re.compile(r"\w\(|\w+='|\w+=\(")
"""A call, a keyword argument: nothing that a shell would take."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_hosts(path: Path, *, models=("old", "new"), n_hosts=8, lonely=False, gain=1.2) -> None:
    rng = np.random.default_rng(3)
    lines = ["host,case,label,score,model"]
    for i in range(n_hosts):
        for j, label in enumerate(["attack"] * 25 + ["normal"] * 50):
            common = rng.normal()
            for k, model in enumerate(models):
                host = f"h{i}{model}" if lonely else f"h{i}"
                score = common + rng.normal() + (1.0 + gain * k) * (label == "attack")
                lines.append(f"{host},{i}-{j},{label},{score:.3f},{model}")
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def hosts(folder: Path) -> str:
    write_hosts(folder / "hosts.csv")
    return "hosts.csv"


COLUMNS = ["-g", "host", "-p", "attack", "-m", "model", "--case", "case"]


def read(name: str) -> rs.ScoreSet:
    columns = {"label": "label", "score": "score", "group": "host", "model": "model", "case": "case"}
    return rs.read_scores(name, positive="attack", **columns)


def test_the_page(call, hosts, snapshot) -> None:
    shown = call("compare", hosts, *COLUMNS, "--at", "fpr=0.1", "--at", "t=old:1,new:1.3")
    assert (shown.code, shown.err) == (0, "")
    snapshot("compare_two", shown.out)


@pytest.mark.parametrize("models", [("old", "new"), ("old", "new", "one with a name that is far too long")])
def test_the_page_on_a_narrow_terminal(call, folder, snapshot, monkeypatch, models) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    write_hosts(folder / "hosts.csv", models=models)
    shown = call("compare", "hosts.csv", *COLUMNS, "-q")
    assert max(map(len, shown.out.splitlines())) <= 40
    snapshot(f"compare_40_columns_{len(models)}", shown.out)


def test_the_page_of_all_maps_under_a_shared_threshold(call, hosts, snapshot) -> None:
    maps = ["--costs", "1:2..1:20", "--prevalence", "3%", "--alerts", "1%..20%"]
    shown = call("compare", hosts, *COLUMNS, "--deploy", "shared", "--at", "fpr=10%", *maps)
    assert (shown.code, shown.err) == (0, "")
    snapshot("compare_maps", shown.out)


def test_the_page_of_three_models(call, folder, snapshot) -> None:
    write_hosts(folder / "three.csv", models=("old", "new", "newer"))
    shown = call("compare", "three.csv", *COLUMNS, "--deploy", "own", "--hold", "fpr", "--fpr", "0.1..0.4")
    assert (shown.code, shown.err) == (0, "")
    snapshot("compare_three", shown.out)


def test_the_page_of_one_group(call, folder, snapshot) -> None:
    write_hosts(folder / "one.csv", n_hosts=1)
    shown = call("compare", "one.csv", *COLUMNS, "--boot", "300")
    assert (shown.code, shown.err) == (0, "")
    snapshot("compare_one", shown.out)


def test_few_groups_are_warned_of_once(call, folder, snapshot) -> None:
    write_hosts(folder / "few.csv", n_hosts=4)
    shown = call("compare", "few.csv", *COLUMNS, "--models", "new,old")
    assert shown.code == 0
    assert shown.err.count("RS275") == 1
    snapshot("compare_few", shown.out + shown.err)
    assert call("compare", "few.csv", *COLUMNS, "--strict", "-q").code == 4


def test_warnings_say_what_to_type_in_a_shell(call, folder) -> None:
    rng = np.random.default_rng(0)
    lines = ["host,label,old,new"]
    for host, shift in enumerate([4, 4.2, 0.5, 4.1, 3.9, 4, 4.3, 4]):  # one at which the old model fails
        for label in [0, 1] * 50:
            lines.append(
                f"{host},{label},{rng.normal() + shift * label:.3f},{rng.normal() + 2.5 * label:.3f}"
            )
    (folder / "skewed.csv").write_text("\n".join(lines) + "\n")
    shown = call(
        "compare",
        "skewed.csv",
        "-g",
        "host",
        "-s",
        "old",
        "-s",
        "new",
        "--costs",
        "1:2..1:9",
        "--prevalence",
        "0.5",
    )
    assert shown.code == 0
    assert shown.err.count("RS278") == 1
    assert "--json" in shown.err
    assert "per_group" not in shown.err


def test_json_has_what_the_library_gives(call, hosts) -> None:
    shown = call(
        "compare", hosts, *COLUMNS, "--at", "fpr=0.1", "--costs", "1:2..1:20", "--prevalence", "0.1", "--json"
    )
    assert (shown.code, shown.err) == (0, "")
    data = json.loads(shown.out)
    assert max(map(len, shown.out.splitlines())) > 1000  # a list of numbers is one line
    assert len(shown.out.splitlines()) < 400
    assert data["schema_version"] == 1
    assert (data["models"], data["method"], data["deployment"]) == (["old", "new"], "vertical", None)
    found = compare(read(hosts), at={"fpr": 0.1}, method="vertical")
    assert data["comparisons"] == [found.to_dict()]
    fpr, costs = data["winner_maps"]
    assert fpr == winner_map(read(hosts)).to_dict()
    assert costs == winner_map(read(hosts), over="costs", costs=((1, 2), (1, 20)), prevalence=0.1).to_dict()
    assert data["warnings"] == []


@pytest.mark.parametrize(
    ("options", "method", "over"),
    [
        (["--deploy", "shared"], "threshold", ["fpr"]),
        (["--deploy", "own", "--hold", "tpr"], "horizontal", ["tpr"]),
        (
            ["--method", "costs", "--costs", "1:20", "--prevalence", "0.1"],
            rs.AtCosts(1.0, 20.0, 0.1),
            ["fpr"],
        ),
        (["--method", "vertical", "--tpr", "0.8..0.95"], "vertical", ["fpr", "tpr"]),
        (["--method", "alarm-rate", "--prevalence", "5%"], rs.AtAlarmRate(prevalence=0.05), ["alerts"]),
        (
            ["--deploy", "own", "--hold", "cost", "--costs", "1:2..1:9", "--prevalence", "0.1"],
            "tangent",
            ["costs"],
        ),
    ],
)
def test_the_average_follows_from_the_deployment(call, hosts, options, method, over) -> None:
    shown = call("compare", hosts, *COLUMNS, *options, "--json")
    assert shown.code == 0, shown.err
    data = json.loads(shown.out)
    assert data["method"] == str(rs.average(read(hosts).model("old"), method).method)
    assert [own["over"] for own in data["winner_maps"]] == over


@pytest.mark.filterwarnings("ignore:RS279")
def test_folds_that_share_training_cases_and_other_ways(call, hosts) -> None:
    def pvalue(*options: str) -> float:
        data = json.loads(call("compare", hosts, *COLUMNS, *options, "--json").out)
        return data["comparisons"][0]["auc"]["pvalue"]

    both = read(hosts)
    assert (
        pvalue("--nadeau-bengio")
        == compare(both, test_train_ratio=1 / (len(both.groups) - 1), method="vertical").auc.pvalue
    )
    assert pvalue("--random", "cases") == compare(both, random="cases", method="vertical").auc.pvalue
    assert pvalue("--unpaired") == compare(both, paired=False, method="vertical").auc.pvalue
    assert compare(both, method="vertical").auc.pvalue not in (
        pvalue("--nadeau-bengio"),
        compare(both, paired=False, method="vertical").auc.pvalue,
    )


def test_one_name_is_compared_with_all_others(call, folder) -> None:
    write_hosts(folder / "three.csv", models=("old", "new", "newer"))
    data = json.loads(
        call("compare", "three.csv", *COLUMNS, "--models", "newer", "--adjust", "none", "--json").out
    )
    assert [(own["a"], own["b"]) for own in data["comparisons"]] == [("newer", "old"), ("newer", "new")]
    assert data["winner_maps"][0]["models"] == ["old", "new", "newer"]
    assert all(own["auc"]["adjusted_pvalue"] == own["auc"]["pvalue"] for own in data["comparisons"])


def test_the_differences_as_csv(call, hosts) -> None:
    shown = call("compare", hosts, *COLUMNS, "--at", "tpr=0.7", "-o", "differences.csv")
    assert (shown.code, shown.err) == (0, "differences.csv  written.\n")
    rows = list(csv.DictReader(io.StringIO(Path("differences.csv").read_text())))
    found = compare(read(hosts), at={"tpr": 0.7}, method="vertical")
    assert [float(row["difference"]) for row in rows] == [own.difference for own in found.differences]
    assert [row["quantity"] for row in rows] == [own.quantity for own in found.differences]
    again = call("compare", hosts, *COLUMNS, "-o", "differences.csv")
    assert (again.code, "RS003" in again.err) == (2, True)
    assert call("compare", hosts, *COLUMNS, "-o", "differences.csv", "--overwrite", "-q").err == ""


@pytest.mark.parametrize(
    "options", [[], ["--costs", "1:2..1:20", "--prevalence", "0.1"], ["--random", "cases"]]
)
def test_the_figure(call, hosts, options) -> None:
    shown = call("compare", hosts, *COLUMNS, *options, "-o", "figure.svg", "-q", "--boot", "200")
    assert (shown.code, shown.err) == (0, "")
    text = Path("figure.svg").read_text()
    assert text.count("false positive rate") == 1
    assert ("cost per case saved" in text) == ("--costs" in options)
    assert ("undecided" in text) == ("--random" not in options)


def test_a_figure_of_too_many_pairs_says_so(call, folder) -> None:
    write_hosts(folder / "many.csv", models=("a", "b", "c", "d", "e"), n_hosts=6)
    shown = call("compare", "many.csv", *COLUMNS, "--unpaired", "-o", "figure.png")
    assert (shown.code, shown.out) == (2, "")
    assert "RS042" in shown.err
    assert "--models a,b" in shown.err
    assert not Path("figure.png").exists()


def test_quiet_leaves_the_table(call, hosts) -> None:
    shown = call("compare", hosts, *COLUMNS, "-q")
    assert (shown.code, shown.err) == (0, "")
    assert [line.split()[0] for line in shown.out.splitlines()] == ["old", "mean", "95"]


def test_names_in_a_file_cannot_reach_the_terminal(call, folder) -> None:
    write_hosts(folder / "wicked.csv", models=("a\x1b[2J", "b"))
    shown = call("compare", "wicked.csv", *COLUMNS)
    assert shown.code == 0
    assert "\x1b" not in shown.out + shown.err
    assert "a\\x1b[2J" in shown.out


def test_models_on_other_hosts(call, folder, snapshot) -> None:
    write_hosts(folder / "lonely.csv", lonely=True)
    shown = call("compare", "lonely.csv", "-g", "host", "-p", "attack", "-m", "model")
    assert (shown.code, shown.err) == (0, "")
    snapshot("compare_unpaired", shown.out)


def remedies(text: str) -> list[str]:
    joined = re.sub(r"\n {4}(?! )", " ", text)  # lines that were wrapped
    lines = [line.strip().removeprefix("→ ") for line in joined.splitlines() if "→" in line]
    return [line.rsplit("  ", 1)[-1] for line in lines if "--" in line and "leave out" not in line]


@pytest.mark.parametrize(
    ("given", "mistake", "code"),
    [
        ([], ["--models", "a,b,c"], "RS042"),
        ([], ["--fpr", "0.5..0.1"], "RS042"),
        (["--prevalence", "3%"], ["--costs", "1:20"], "RS094"),
        (["--prevalence", "3%"], ["--costs", "0:2..1:20"], "RS081"),
        (["--costs", "1:2..1:20"], [], "RS091"),
        (["--alerts", "1%..20%"], [], "RS091"),
        ([], ["--at", "eer"], "RS092"),
        ([], ["--at", "t=new:3"], "RS002"),
        ([], ["--at", "t=new:x,old:2"], "RS092"),
        ([], ["-o", "x.txt"], "RS054"),
        ([], ["-o", "missing folder/x.png"], "RS055"),
    ],
)
def test_what_a_message_says_helps(call, hosts, given, mistake, code) -> None:
    shown = call("compare", hosts, *COLUMNS, *given, *mistake)
    assert (shown.code in (2, 3), shown.out) == (True, ""), shown
    assert code in shown.err
    assert not PYTHON.search(shown.err), shown.err
    for remedy in remedies(shown.err)[:1]:
        if remedy.endswith("...") or "mkdir" in remedy:
            continue
        options = shlex.split(remedy)
        prevalence = ["--prevalence", "3%"] if "--costs" in options and not given else []
        again = call("compare", hosts, *COLUMNS, *given, *options, *prevalence, "-q")
        assert again.code == 0, (remedy, again.err)


def test_what_cannot_be_told_from_one_group_is_refused(call, folder) -> None:
    write_hosts(folder / "one.csv", n_hosts=1)
    shown = call("compare", "one.csv", *COLUMNS, "--costs", "1:2..1:20", "--prevalence", "0.1")
    assert (shown.code, shown.out) == (2, "")
    assert "RS064" in shown.err
    assert "leave out  --costs" in shown.err


def test_a_map_over_tpr_of_one_group_is_over_its_cases(call, folder) -> None:
    write_hosts(folder / "one.csv", n_hosts=1)
    shown = call("compare", "one.csv", *COLUMNS, "--tpr", "0.7..0.9", "--boot", "200")
    assert shown.code == 0, shown.err
    wanted = winner_map(read("one.csv"), over="tpr", tpr=(0.7, 0.9), n_resamples=200)
    assert " ".join(wanted.reading.split()) in " ".join(shown.out.split())


def test_models_that_are_not_paired_have_no_map(call, folder) -> None:
    write_hosts(folder / "lonely.csv", lonely=True)
    columns = ["-g", "host", "-p", "attack", "-m", "model"]
    shown = call("compare", "lonely.csv", *columns, "--costs", "1:2..1:20", "--prevalence", "0.1")
    assert (shown.code, shown.out) == (2, "")
    assert "RS064" in shown.err
    assert "leave out  --costs" in shown.err


def test_one_model_is_told_to_name_the_column(call, folder) -> None:
    lines = [",".join(line.split(",")[:4]) for line in _old_only(folder)]
    (folder / "single.csv").write_text("\n".join(lines) + "\n")
    shown = call("compare", "single.csv", "-g", "host", "-p", "attack")
    assert (shown.code, shown.out) == (2, "")
    assert "RS060" in shown.err
    assert "--model COLUMN" in shown.err
    assert not PYTHON.search(shown.err.replace("(", "").replace("ScoreSet", "")), shown.err


def _old_only(folder: Path) -> list[str]:
    write_hosts(folder / "hosts.csv", models=("old",))
    return (folder / "hosts.csv").read_text().splitlines()


def test_unmatched_cases_are_named_and_can_be_left_out(call, hosts) -> None:
    lines = Path(hosts).read_text().splitlines()
    kept = [line for line in lines if not (line.startswith("h0,0-3,") and line.endswith(",new"))]
    Path("holes.csv").write_text("\n".join(kept) + "\n")
    shown = call("compare", "holes.csv", *COLUMNS)
    assert (shown.code, "RS063" in shown.err, "0-3" in shown.err) == (3, True, True)
    assert "--unmatched drop" in shown.err
    assert "--unpaired" in shown.err
    for option in (["--unmatched", "drop"], ["--unpaired"]):
        assert call("compare", "holes.csv", *COLUMNS, *option, "-q").code == 0
    shown = call("compare", "holes.csv", *COLUMNS, "--unpaired")
    assert shown.err.count("RS279") == 1
    assert "leave out  --unpaired  and say  --unmatched drop" in shown.err


def test_hosts_of_one_class_are_left_out_with_a_warning(call, hosts) -> None:
    lines = Path(hosts).read_text().splitlines()
    kept = [line for line in lines if not line.startswith("h7,") or ",normal," in line]
    Path("holes.csv").write_text("\n".join(kept) + "\n")
    shown = call("compare", "holes.csv", *COLUMNS)
    assert shown.code == 0
    assert "RS201" in shown.err
    assert "Over 7 hosts" in shown.out


def test_score_columns_are_models_too(call, folder) -> None:
    rng = np.random.default_rng(0)
    rows = [
        f"{i % 7},{i % 2},{rng.normal() + i % 2:.3f},{rng.normal() + 2 * (i % 2):.3f}" for i in range(420)
    ]
    (folder / "wide.csv").write_text("fold,label,first,second\n" + "\n".join(rows) + "\n")
    shown = call("compare", "wide.csv", "-s", "first", "-s", "second")
    assert shown.code == 0, shown.err
    assert shown.out.startswith("Read 420 rows of wide.csv: 7 folds, 2 models (first and second).")
    assert "RS108" in shown.err  # are they folds of one cross-validation?
    assert not PYTHON.search(shown.out)


def wide_file(folder: Path, *, n: int = 120, noise: tuple[float, ...] = (1.0, 0.9, 3.0)) -> str:
    """One dataset with a column of scores for each of three markers."""
    rng = np.random.default_rng(0)
    rows = []
    for i in range(n):
        known = rng.normal() + i % 2
        rows.append(",".join([str(i % 2), *(f"{known + sd * rng.normal():.4f}" for sd in noise)]))
    (folder / "markers.csv").write_text("outcome,s100b,ndka,wfns\n" + "\n".join(rows) + "\n")
    return "markers.csv"


MARKERS = ["-y", "outcome", "-s", "s100b", "-s", "ndka"]


def test_of_several_models_each_is_shown_and_who_leads(call, folder) -> None:
    shown = call("compare", wide_file(folder), *MARKERS, "-s", "wfns", "--at", "fpr=0.1", "--boot", "200")
    assert shown.code == 0, shown.err
    found = compare(
        rs.read_scores("markers.csv", label="outcome", score=["s100b", "ndka", "wfns"]), method="vertical"
    )
    lines = shown.out.splitlines()
    table = lines[lines.index("AUC") : lines.index("AUC") + 4]
    for line, own in zip(table[1:], found.standings, strict=True):
        low, high = own.interval.low, own.interval.high
        assert line.split() == [own.model, f"{own.value:.3f}", f"{low:.3f}", "to", f"{high:.3f}"]
    assert "TPR at FPR 0.1" in lines
    text = " ".join(shown.out.split())
    assert f"{found.standings[0].model} has the highest AUC, " in text
    assert "the AUCs correlate: s100b and ndka 0." in text
    assert "curves are not adjusted for the number of pairs" in text


def test_one_dataset_says_the_command_that_plans_more_cases(call, folder) -> None:
    shown = call("compare", wide_file(folder), *MARKERS, "--at", "fpr=10%", "--boot", "200")
    assert shown.code == 0, shown.err
    found = compare(
        rs.read_scores("markers.csv", label="outcome", score=["s100b", "ndka"]), method="vertical"
    )
    assert f"The two AUCs correlate at {found.auc_correlation:.2f}" in shown.out
    assert "cannot be told from chance" in " ".join(shown.out.split())
    (line,) = [line for line in shown.out.splitlines() if " plan " in line]
    words = shlex.split(line)[1:]
    words = words[words.index("plan") :]
    assert words[words.index("--correlation") + 1] == f"{found.auc_correlation:.2g}"
    assert words[words.index("--ratio") + 1] == "1"
    assert call(*words).code == 0


def test_groups_that_do_not_settle_it_say_the_command_too(call, folder) -> None:
    write_hosts(folder / "few hosts.csv", n_hosts=4, gain=0.2)
    shown = call("compare", "few hosts.csv", *COLUMNS, "--models", "new,old")
    (line,) = [line for line in shown.out.splitlines() if " plan " in line]
    words = shlex.split(line)[1:]
    again = call(*words[words.index("plan") :])
    assert again.code == 0, again.err
    write_hosts(folder / "hosts.csv")
    assert " plan " not in call("compare", "hosts.csv", *COLUMNS).out  # these settle it


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("spec=0.9", "fpr=0.1"),
        ("specificity=95%", "fpr=0.05"),
        ("FMR=1%", "fpr=0.01"),
        ("sens=0.9", "tpr=0.9"),
        ("fnmr=0.05", "tpr=0.95"),
    ],
)
def test_a_rate_by_another_name_is_the_same_place(call, hosts, typed, same) -> None:
    for command, own in (
        ("compare", ["--method", "vertical"]),
        ("cutoff", ["--boot", "100"]),
        ("plan", ["--models", "new"]),
    ):
        shown, expected = (call(command, hosts, *COLUMNS, *own, "--at", at, "-q") for at in (typed, same))
        assert shown.code == 0, shown.err
        assert shown.out == expected.out
    found, expected = (
        json.loads(call("average", hosts, *COLUMNS, "--method", "vertical", "--at", at, "--json").out)
        for at in (typed, same)
    )
    assert [own | {"at": ""} for own in found["operating_points"]] == [
        own | {"at": ""} for own in expected["operating_points"]
    ]


@pytest.mark.parametrize("command", ["compare", "average"])
def test_what_is_no_rate_is_refused(call, hosts, command) -> None:
    for typed, code, advice in (("height=3", "RS092", "fpr=0.05"), ("spec=90", "RS042", "spec=0.9")):
        shown = call(command, hosts, *COLUMNS, "--method", "vertical", "--at", typed)
        assert (shown.code, shown.out) == (2, "")
        assert code in shown.err
        assert shown.err.rstrip().endswith(f"--at {advice}")
        assert call(command, hosts, *COLUMNS, "--method", "vertical", "--at", advice, "-q").code == 0


def test_a_model_that_is_a_column_says_how_to_name_it(call, folder) -> None:
    shown = call("compare", wide_file(folder), *MARKERS, "--models", "s100b,wfns")
    assert (shown.code, shown.out) == (2, "")
    assert "RS001" in shown.err
    assert "add  -s wfns" in shown.err
    again = call(
        "compare", "markers.csv", *MARKERS, "--models", "s100b,wfns", "-s", "wfns", "--boot", "100", "-q"
    )
    assert again.code == 0
    wrong = call("compare", "markers.csv", *MARKERS, "--models", "s100b,nothing")
    assert ("RS001" in wrong.err, "-s nothing" in wrong.err) == (True, False)


def test_json_has_curves_position_by_position_where_asked(call, hosts) -> None:
    short, asked = (
        json.loads(call("compare", hosts, *COLUMNS, *options, "--json").out)
        for options in ([], ["--fpr", "0.02..0.5"])
    )
    whole = compare(read(hosts), method="vertical").to_dict()
    assert asked["comparisons"] == [whole]
    curve = short["comparisons"][0]["curve"]
    assert curve["n_positions"] == len(whole["curve"]["position"])
    assert curve == {name: whole["curve"][name] for name in curve if name != "n_positions"} | {
        "n_positions": 200
    }
    assert not {"position", "difference", "lower"} & set(curve)
    assert "regions" in short["winner_maps"][0]
    assert [own["model"] for own in short["standings"]] == ["new", "old"]
    assert call("compare", hosts, *COLUMNS, "-o", "all.json").code == 0  # a file has everything
    assert json.loads(Path("all.json").read_text())["comparisons"] == [whole]


def test_a_single_budget_of_alerts_is_no_range(call, hosts) -> None:
    shown = call("compare", hosts, *COLUMNS, "--alerts", "5%", "--prevalence", "3%")
    assert (shown.code, "RS042" in shown.err) == (2, True)
    (advice,) = [line.split(":  ")[1] for line in shown.err.splitlines() if "a single one" in line]
    assert call("compare", hosts, *COLUMNS, *advice.split(), "-q").code == 0


def test_a_shared_threshold_is_never_swapped_for_own_ones(call, hosts) -> None:
    costs = ["--costs", "1:2..1:20", "--prevalence", "0.1"]
    own = call("compare", hosts, *COLUMNS, *costs, "--json")
    shared = call("compare", hosts, *COLUMNS, "--deploy", "shared", *costs, "--json")
    assert shared.code == 0, shared.err
    maps = [json.loads(shown.out)["winner_maps"][-1] for shown in (own, shared)]
    assert [one["over"] for one in maps] == ["costs", "costs"]
    assert maps[0]["pairs"] != maps[1]["pairs"]


def test_one_model_against_all_says_what_the_map_compares(call, folder) -> None:
    write_hosts(folder / "three.csv", models=("old", "new", "newer"))
    some, every = (
        call("compare", "three.csv", *COLUMNS, *names).out for names in (["--models", "newer"], [])
    )
    assert "a map compares all 3 models" in some
    assert "a map compares" not in every


def test_an_alert_budget_of_one_threshold_says_what_answers_it(call, hosts) -> None:
    given = ["compare", hosts, *COLUMNS, "--deploy", "shared"]
    shown = call(*given, "--at", "rate=0.1", "--prevalence", "5%")
    assert (shown.code, "RS084" in shown.err) == (2, True)
    text = " ".join(shown.err.split())
    assert "every group with its own threshold: --method alarm-rate --prevalence 0.05" in text
    assert "one threshold for all: --alerts 1%..20% --prevalence 0.05" in text
    assert call(*given, "--alerts", "1%..20%", "--prevalence", "0.05", "-q").code == 0


def test_steps_are_read_in_the_middle_as_rs317_says(call, tmp_path) -> None:
    rng = np.random.default_rng(0)
    labels = np.tile(np.repeat([0, 1], 20), 12)
    table = {"host": np.repeat(np.arange(12), 40), "label": labels}
    table |= {name: (rng.normal(size=labels.size) + labels).round(3) for name in ("old", "new")}
    path = tmp_path / "few.csv"
    pd.DataFrame(table).to_csv(path, index=False)
    columns = [path, "-g", "host", "-y", "label", "-s", "old", "-s", "new"]
    for given, typed in (
        (["--method", "vertical", "--at", "fpr=0.05"], ["--at-jumps", "mid"]),
        (["--deploy", "own", "--at", "fpr=0.05"], ["--at-jumps", "mid"]),
        (["--method", "vertical", "--at", "tpr=0.95"], ["--method", "horizontal", "--at-jumps", "mid"]),
        (["--method", "diagonal", "--at", "fpr=0.05"], ["--method", "vertical", "--at-jumps", "mid"]),
    ):
        shown = call("compare", *columns, *given)
        assert "RS317" in shown.err
        assert f"the middle of the steps:  {' '.join(typed)}\n" in shown.err
        again = given[2:] if "--method" in typed else given
        shown = call("compare", *columns, *again, *typed)
        assert (shown.code, "RS317" in shown.err) == (0, False)
    scores = rs.read_scores(path, label="label", score=["old", "new"], group="host")
    found = json.loads(call("compare", *columns, "--at", "fpr=0.05", "--at-jumps", "mid", "--json").out)
    middle = rs.compare(scores, method=rs.Vertical(at_jumps="mid"), at={"fpr": 0.05})
    assert found["comparisons"][0]["at"][0]["difference"] == middle.at[0].difference
    shown = call("compare", *columns, "--method", "diagonal", "--at-jumps", "mid")
    assert (shown.code, "RS002" in shown.err) == (2, True)
