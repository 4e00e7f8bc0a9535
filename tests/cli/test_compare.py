"""`rocsteady compare`: what it answers, writes and refuses."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.results import plain

PYTHON = re.compile(r"\w\(|\w+='|\w+=\(")
"""A call, a keyword argument: nothing that a shell would take."""
COLUMNS = ["-g", "host", "-p", "attack", "-m", "model", "--case", "case"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_hosts(path: Path, *, models=("old", "new"), n_hosts=8, lonely=False, gain=1.2) -> str:
    rng = np.random.default_rng(3)
    lines = ["host,case,label,score,model"]
    quoted = [f'"{model}"' if "," in model else model for model in models]
    for i in range(n_hosts):
        for j, label in enumerate(["attack"] * 25 + ["normal"] * 50):
            common = rng.normal()
            for k, model in enumerate(quoted):
                host = f"h{i}{model}" if lonely else f"h{i}"
                score = common + rng.normal() + (1.0 + gain * k) * (label == "attack")
                lines.append(f"{host},{i}-{j},{label},{score:.3f},{model}")
    path.write_text("\n".join(lines) + "\n")
    return path.name


@pytest.fixture
def hosts(folder: Path) -> str:
    return write_hosts(folder / "hosts.csv")


def read(name: str) -> rs.ScoreSet:
    columns = {"label": "label", "score": "score", "group": "host", "model": "model", "case": "case"}
    return rs.read_scores(name, positive="attack", **columns)


def answer(call, *given: str) -> dict:
    shown = call("compare", *given, "--json")
    assert (shown.code, shown.err) == (0, ""), shown.err
    return json.loads(shown.out)


def said(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("words", ["ml", "medical", "biometric"])
@pytest.mark.parametrize("width", ["40", "80", "120"])
def test_the_answer_comes_first_and_fits(call, hosts, monkeypatch, words, width) -> None:
    monkeypatch.setenv("COLUMNS", width)
    shown = call("compare", hosts, *COLUMNS, "--deploy", "own", "--at", "fpr=0.1", "--words", words)
    assert shown.code == 0
    assert max(map(len, shown.out.splitlines())) <= max(int(width), 80 if "→" in shown.out else 0)
    text = said(shown.out)
    better = {"ml": "TPR at FPR 10 % is", "medical": "sensitivity at specificity 90 % is"}
    better["biometric"] = "FNMR at FMR 10 % is"
    assert "new is better than old: its" in text
    assert better[words] in text
    assert ("lower (95 % CI" in text) is (words == "biometric")
    assert text.index("new is better than old") < text.index("In other deployments")


def test_json_has_what_the_library_gives(call, hosts) -> None:
    data = answer(call, hosts, *COLUMNS, "--method", "vertical", "--at", "fpr=0.1", "--tpr", "0.8..0.95")
    assert data["schema_version"] == 2
    assert (data["data"]["models"], data["deployment"]) == (["old", "new"], None)
    found = rs.compare(read(hosts), at={"fpr": 0.1}, method="vertical")
    assert data["comparison"] == plain(found)
    (tpr,) = data["winner_maps"]
    assert tpr == plain(rs.winner_map(read(hosts), over="tpr", tpr=(0.8, 0.95), method="vertical"))
    assert data["warnings"] == []
    costs = ["--deploy", "shared", "--costs", "1:2..1:20", "--prevalence", "10%"]
    (shared,) = answer(call, hosts, *COLUMNS, *costs)["winner_maps"]
    over = {"over": "costs", "costs": ((1, 2), (1, 20)), "prevalence": 0.1}
    assert shared == plain(rs.winner_map(read(hosts), method="threshold", **over))


@pytest.mark.parametrize(
    ("options", "method", "place"),
    [
        (["--deploy", "shared", "--at", "fpr=0.1"], "threshold", {"fpr": 0.1}),
        (["--deploy", "own", "--at", "fpr=0.1"], "vertical", {"fpr": 0.1}),
        (["--deploy", "own", "--hold", "tpr", "--at", "0.9"], "horizontal", {"tpr": 0.9}),
        (["--at", "fpr=0.1"], "vertical", {"fpr": 0.1}),  # which is said
        (["--at", "fpr=0.1", "--at-jumps", "mid"], rs.Vertical(at_jumps="mid"), {"fpr": 0.1}),
        (["--method", "alarm-rate", "--prevalence", "5%", "--at", "alerts=0.1"],
         rs.AtAlarmRate(prevalence=0.05), {"alerts": 0.1}),
        (["--deploy", "shared", "--at", "t=old:1,new:1.3"], "threshold",
         {"threshold": {"old": 1.0, "new": 1.3}}),
    ],
)  # fmt: skip
def test_the_average_follows_from_the_deployment(call, hosts, options, method, place) -> None:
    given = options if "--at-jumps" not in options else [*options, "--method", "vertical"]
    found = rs.compare(read(hosts), method=method, at=place)
    assert answer(call, hosts, *COLUMNS, *given)["comparison"] == plain(found)


@pytest.mark.filterwarnings("ignore:RS279")
def test_folds_that_share_training_cases_and_other_ways(call, hosts) -> None:
    def pvalue(*options: str) -> float:
        return answer(call, hosts, *COLUMNS, *options)["comparison"]["auc"]["pvalue"]

    both = read(hosts)
    folds = rs.compare(both, test_train_ratio=1 / (len(both.groups) - 1)).auc.pvalue
    assert pvalue("--nadeau-bengio") == pvalue("--design", "cross-validation") == folds
    assert pvalue("--random", "cases") == rs.compare(both, random="cases").auc.pvalue
    assert rs.compare(both).auc.pvalue != folds
    shown = json.loads(call("compare", hosts, *COLUMNS, "--unpaired", "--json").out)
    assert shown["comparison"]["auc"]["pvalue"] == rs.compare(both, paired=False).auc.pvalue


def test_names_of_models(call, folder) -> None:
    write_hosts(folder / "three.csv", models=("old", "new", "a,b"))
    own = answer(call, "three.csv", *COLUMNS, "--models", "a,b", "--adjust", "none")["comparison"]
    assert [(row["a"], row["b"]) for row in own["comparisons"]] == [("a,b", "old"), ("a,b", "new")]
    pair = answer(call, "three.csv", *COLUMNS, "--models", "new,old")["comparison"]
    assert (pair["a"], pair["b"]) == ("new", "old")
    pair = answer(call, "three.csv", *COLUMNS, "--models", "a,b", "--models", "new")["comparison"]
    assert (pair["a"], pair["b"]) == ("a,b", "new")
    shown = call("compare", "three.csv", *COLUMNS)
    assert "new has" in shown.out or "a,b has" in shown.out
    assert "All pairs" in shown.out


def test_a_difference_turns_with_the_order_of_the_names(call, hosts) -> None:
    one, other = (
        answer(call, hosts, *COLUMNS, "--models", names)["comparison"]["auc"]["difference"]
        for names in ("old,new", "new,old")
    )
    assert one == -other


def test_few_groups_are_warned_of_once(call, folder) -> None:
    write_hosts(folder / "few.csv", n_hosts=4)
    shown = call("compare", "few.csv", *COLUMNS, "--models", "new,old")
    assert shown.code == 0
    assert shown.err.count("RS275") == 1
    assert call("compare", "few.csv", *COLUMNS, "--strict", "-q").code == 4
    assert call("compare", "few.csv", *COLUMNS, "-q").err == ""


def test_the_differences_as_files(call, hosts) -> None:
    given = ["compare", hosts, *COLUMNS, "--at", "tpr=0.7", "-o"]
    assert call(*given, "d.csv").code == 0
    rows = list(csv.DictReader(io.StringIO(Path("d.csv").read_text())))
    found = rs.compare(read(hosts), at={"tpr": 0.7}, method="vertical")
    assert [float(row["difference"]) for row in rows] == [own.difference for own in found.differences]
    assert [row["quantity"] for row in rows] == [own.quantity for own in found.differences]
    again = call("compare", hosts, *COLUMNS, "-o", "d.csv")
    assert (again.code, "RS003" in again.err) == (2, True)
    assert call("compare", hosts, *COLUMNS, "-o", "d.csv", "--overwrite", "-q").err == ""
    assert call(*given, "d.json").code == 0
    assert json.loads(Path("d.json").read_text())["comparison"] == plain(found)
    assert call(*given, "d.tex", "--words", "medical").code == 0
    assert Path("d.tex").read_text() == f"{rs.table(found, 'latex', words='medical')}\n"


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_figure(call, hosts, kind) -> None:
    given = ["compare", hosts, *COLUMNS, "--tpr", "0.7..0.95", "-o", f"figure.{kind}", "-q"]
    assert call(*given, "--boot", "200").code == 0
    first = Path(f"figure.{kind}").read_bytes()
    assert first.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[kind])


def test_quiet_leaves_the_tables(call, hosts) -> None:
    shown = call("compare", hosts, *COLUMNS, "-q")
    assert (shown.code, shown.err) == (0, "")
    assert "old" in shown.out
    assert "is better than" not in shown.out


def test_models_on_other_hosts(call, folder) -> None:
    write_hosts(folder / "lonely.csv", lonely=True)
    columns = ["lonely.csv", "-g", "host", "-p", "attack", "-m", "model"]
    shown = call("compare", *columns)
    assert shown.code == 0, shown.err
    assert "Welch" in shown.out or "unpaired" in shown.out
    for asked in (["--costs", "1:2..1:20", "--prevalence", "0.1"], ["--tpr", "0.7..0.9"]):
        refused = call("compare", *columns, *asked)
        assert (refused.code, refused.out, refused.err[:12]) == (2, "", "error RS064 ")
        assert f"leave out  {asked[0]}" in refused.err


def remedies(text: str) -> list[str]:
    joined = re.sub(r"\n {4}(?! )", " ", text)  # lines that were wrapped
    lines = [line.strip().removeprefix("→ ") for line in joined.splitlines() if "→" in line]
    return [
        line.rsplit("  ", 1)[-1].removesuffix(" ?")
        for line in lines
        if "--" in line and "leave out" not in line
    ]


@pytest.mark.parametrize(
    ("given", "mistake", "code"),
    [
        ([], ["--models", "a,b,c"], "RS042"),
        ([], ["--models", "old,newest"], "RS001"),
        ([], ["--fpr", "0.5..0.1"], "RS042"),
        (["--prevalence", "3%"], ["--costs", "1:20"], "RS094"),
        (["--prevalence", "3%"], ["--costs", "0:2..1:20"], "RS081"),
        (["--costs", "1:2..1:20"], [], "RS091"),
        (["--alerts", "1%..20%"], [], "RS091"),
        ([], ["--at", "eer"], "RS092"),
        ([], ["--at", "height=3"], "RS092"),
        ([], ["--at", "spec=90"], "RS042"),
        ([], ["--at", "t=new:3"], "RS002"),
        ([], ["--at", "t=new:x,old:2"], "RS092"),
        ([], ["-o", "x.txt"], "RS054"),
        ([], ["-o", "missing folder/x.png"], "RS055"),
        ([], ["--method", "diagonal", "--at-jumps", "mid"], "RS002"),
        ([], ["--method", "obuchowski"], "RS001"),
    ],
)
def test_what_a_message_says_helps(call, hosts, given, mistake, code) -> None:
    shown = call("compare", hosts, *COLUMNS, *given, *mistake)
    assert (shown.code in (2, 3), shown.out) == (True, ""), shown
    assert code in shown.err
    assert not PYTHON.search(shown.err), shown.err
    for remedy in remedies(shown.err)[:1]:
        if remedy.endswith("...") or "mkdir" in remedy or "obuchowski" in remedy:
            continue
        options = shlex.split(remedy)
        prevalence = ["--prevalence", "3%"] if "--costs" in options and not given else []
        again = call("compare", hosts, *COLUMNS, *given, *options, *prevalence, "-q")
        assert again.code == 0, (remedy, again.err)


def test_one_group_is_compared_over_its_cases(call, folder) -> None:
    write_hosts(folder / "one.csv", n_hosts=1)
    refused = call("compare", "one.csv", *COLUMNS, "--costs", "1:2..1:20", "--prevalence", "0.1")
    assert (refused.code, refused.err[:12]) == (2, "error RS064 ")
    assert "leave out  --costs" in refused.err
    data = answer(call, "one.csv", *COLUMNS, "--tpr", "0.7..0.9", "--boot", "200")
    wanted = rs.winner_map(read("one.csv"), over="tpr", tpr=(0.7, 0.9), n_resamples=200)
    assert data["winner_maps"] == [plain(wanted)]
    assert data["comparison"]["auc"]["facts" if "facts" in data["comparison"]["auc"] else "random"]


def test_one_model_is_told_to_name_the_column(call, folder) -> None:
    write_hosts(folder / "hosts.csv", models=("old",))
    lines = [",".join(own.split(",")[:4]) for own in Path("hosts.csv").read_text().splitlines()]
    Path("single.csv").write_text("\n".join(lines) + "\n")
    shown = call("compare", "single.csv", "-g", "host", "-p", "attack")
    assert (shown.code, shown.out) == (2, "")
    assert "RS060" in shown.err
    assert "--model COLUMN" in shown.err
    assert not PYTHON.search(shown.err), shown.err


def test_unmatched_cases_are_named_and_can_be_left_out(call, hosts) -> None:
    lines = Path(hosts).read_text().splitlines()
    kept = [own for own in lines if not (own.startswith("h0,0-3,") and own.endswith(",new"))]
    Path("holes.csv").write_text("\n".join(kept) + "\n")
    shown = call("compare", "holes.csv", *COLUMNS)
    assert (shown.code, shown.out, "RS063" in shown.err, "0-3" in shown.err) == (3, "", True, True)
    assert "--unmatched drop" in shown.err
    assert "--unpaired" in shown.err
    for option in (["--unmatched", "drop"], ["--unpaired"]):
        assert call("compare", "holes.csv", *COLUMNS, *option, "-q").code == 0
    assert call("compare", "holes.csv", *COLUMNS, "--unpaired").err.count("RS279") == 1


def test_hosts_of_one_class_are_left_out_with_a_warning(call, hosts) -> None:
    lines = Path(hosts).read_text().splitlines()
    Path("holes.csv").write_text(
        "\n".join(own for own in lines if not own.startswith("h7,") or ",normal," in own) + "\n"
    )
    shown = call("compare", "holes.csv", *COLUMNS)
    assert shown.code == 0
    assert shown.err.count("RS201") == 1
    assert "7 hosts" in said(shown.out)


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


def test_score_columns_are_models_too(call, folder) -> None:
    given = [wide_file(folder), *MARKERS, "-s", "wfns", "--at", "fpr=0.1", "--boot", "200"]
    own = answer(call, *given)["comparison"]
    scores = rs.read_scores("markers.csv", label="outcome", score=["s100b", "ndka", "wfns"])
    assert own == plain(rs.compare(scores, at={"fpr": 0.1}, n_resamples=200))
    shown = call("compare", *given)
    assert shown.out.startswith("Read 120 rows of markers.csv: 3 models (s100b, ndka and wfns).")


def test_what_does_not_settle_it_says_the_command_that_plans(call, folder) -> None:
    write_hosts(folder / "few hosts.csv", n_hosts=4, gain=0.2)
    shown = call("compare", "few hosts.csv", *COLUMNS, "--models", "new,old")
    (line,) = [own for own in shown.out.splitlines() if " plan " in own]
    words = shlex.split(line)[1:]
    again = call(*words[words.index("plan") :])
    assert again.code == 0, again.err
    write_hosts(folder / "hosts.csv")
    assert " plan " not in call("compare", "hosts.csv", *COLUMNS).out  # these settle it


@pytest.mark.parametrize(
    ("typed", "same"),
    [("spec=0.9", "fpr=0.1"), ("FMR=1%", "fpr=0.01"), ("sens=0.9", "tpr=0.9"), ("fnmr=0.05", "tpr=0.95")],
)
def test_a_rate_by_another_name_is_the_same_place(call, hosts, typed, same) -> None:
    for command, own in (("compare", []), ("average", ["--method", "vertical"]), ("cutoff", [])):
        shown, expected = (call(command, hosts, *COLUMNS, *own, "--at", at, "-q") for at in (typed, same))
        assert shown.code == 0, shown.err
        assert shown.out == expected.out


def test_a_requirement_of_a_difference(call, hosts) -> None:
    given = ["compare", hosts, *COLUMNS, "--at", "fpr=0.1", "--require"]
    assert call(*given, "new - old: tpr@fpr=0.1 >= 0.1").code == 0
    shown = call(*given, "new - old: tpr@fpr=0.1 >= 0.6")
    assert shown.code == 1
    assert "error RS005" in shown.err


def test_steps_are_read_in_the_middle_as_rs317_says(call, folder) -> None:
    rng = np.random.default_rng(0)
    labels = np.tile(np.repeat([0, 1], 20), 12)
    table = [np.repeat(np.arange(12), 40), labels]
    table += [(rng.normal(size=labels.size) + labels).round(3) for _ in range(2)]
    rows = "\n".join(",".join(map(str, own)) for own in zip(*table, strict=True))
    Path("few.csv").write_text(f"host,label,old,new\n{rows}\n")
    given = ["few.csv", "-g", "host", "-s", "old", "-s", "new", "--deploy", "own", "--at", "fpr=0.05"]
    shown = call("compare", *given)
    assert "RS317" in shown.err
    assert "--at-jumps mid" in shown.err
    again = call("compare", *given, "--at-jumps", "mid")
    assert (again.code, "RS317" in again.err) == (0, False)
    scores = rs.read_scores("few.csv", label="label", score=["old", "new"], group="host")
    middle = rs.compare(scores, method=rs.Vertical(at_jumps="mid"), at={"fpr": 0.05})
    found = json.loads(call("compare", *given, "--at-jumps", "mid", "--json").out)
    assert found["comparison"]["at"][0]["difference"] == middle.at[0].difference


def test_a_shared_threshold_is_never_swapped_for_own_ones(call, hosts) -> None:
    """Another model may win under one threshold for all; the map of costs keeps to what was declared."""
    costs = ["--costs", "1:2..1:20", "--prevalence", "0.1"]
    (own,) = answer(call, hosts, *COLUMNS, *costs)["winner_maps"]
    (shared,) = answer(call, hosts, *COLUMNS, "--deploy", "shared", *costs)["winner_maps"]
    assert own["over"] == shared["over"] == "costs"
    assert own["pairs"] != shared["pairs"]


def test_names_in_a_file_cannot_reach_the_terminal(call, folder) -> None:
    write_hosts(folder / "wicked.csv", models=("a\x1b[2J", "b"))
    shown = call("compare", "wicked.csv", *COLUMNS)
    assert shown.code == 0
    assert "\x1b" not in shown.out + shown.err
    assert "a\\x1b[2J" in shown.out
