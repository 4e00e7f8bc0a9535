"""`rocsteady cutoff`: the chosen cut-off, what it does, how sure it is, what cannot be told apart from it."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import rocsteady as rs
from rocsteady.cli.cutoff.words import cutoff_number, limits_alike
from rocsteady.points.criteria import MinimumCost, TargetRate
from rocsteady.points.cutoffs import ThresholdInterval, choose_cutoff
from rocsteady.points.realised import realise
from rocsteady.points.tables import average_operating_points

PYTHON = re.compile(r"\w\(|\w+='|\w+=\(|\.to_frame|TargetRate|MinimumCost")
"""Nothing that a shell would take."""

CRITERIA = [
    (["--criterion", "youden"], "youden"),
    (["--at", "closest"], "closest"),
    (["--at", "EER"], "eer"),
    (["--at", "fpr=0.1"], TargetRate(fpr=0.1)),
    (["--at", "tpr=0.8"], TargetRate(tpr=0.8)),
    (
        ["--costs", "1:20", "--prevalence", "3%"],
        MinimumCost(false_positive=1, false_negative=20, prevalence=0.03),
    ),
    (["--at", "cost=5:1"], MinimumCost(false_positive=5, false_negative=1)),
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_patients(
    name: str, *, seed: int = 12, n_ill: int = 24, n_healthy: int = 36, low: bool = False
) -> str:
    rng = np.random.default_rng(seed)
    lines = ["disease,marker"]
    for label, n in (("ill", n_ill), ("healthy", n_healthy)):
        values = rng.normal(size=n) + 1.5 * (label == "ill")
        lines += [f"{label},{(-1 if low else 1) * value:.1f}" for value in values]
    Path(name).write_text("\n".join(lines) + "\n")
    return name


def write_hosts(name: str, *, seed: int = 5, n_hosts: int = 10, models: tuple[str, ...] = ()) -> str:
    rng = np.random.default_rng(seed)
    lines = ["host,label,score" + (",model" if models else "")]
    for model in models or ("",):
        for i in range(n_hosts):
            for label in ["attack"] * 12 + ["normal"] * (20 + i):
                value = f"{rng.normal() + 2 * (label == 'attack'):.3f}"
                lines.append(f"h{i},{label},{value}" + (f",{model}" if models else ""))
    Path(name).write_text("\n".join(lines) + "\n")
    return name


@pytest.fixture
def patients() -> list[str]:
    return [write_patients("patients.csv"), "-y", "disease", "-s", "marker", "-p", "ill"]


@pytest.fixture
def hosts() -> list[str]:
    return [write_hosts("hosts.csv"), "-g", "host", "-p", "attack"]


def read_patients(name: str = "patients.csv") -> rs.RocCurve:
    scores = rs.read_scores(name, label="disease", score="marker", positive="ill")
    return rs.roc_curves(scores)[0]


def read_hosts(name: str = "hosts.csv") -> rs.ScoreSet:
    return rs.read_scores(name, label="label", score="score", group="host", positive="attack")


def as_json(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    return found


# What is chosen


@pytest.mark.parametrize(("options", "criterion"), CRITERIA)
def test_the_cutoff_of_a_curve_is_that_of_the_library(call, patients, options, criterion) -> None:
    shown = call("cutoff", *patients, *options, "--json", "--boot", "100")
    assert (shown.code, shown.err) == (0, "")
    (found,) = as_json(shown.out)["cutoffs"]
    expected = choose_cutoff(read_patients(), criterion)
    assert found["criterion"] == str(expected.criterion)
    for name in ("threshold", "rule", "fpr", "tpr", "value", "midpoint"):
        assert found[name] == getattr(expected, name), name
    alike = expected.threshold_interval
    assert found["threshold_interval"] == {"low": alike.low, "high": alike.high, "closed": alike.closed}
    assert len(found["as_good"]) == expected.all_optima.size - 1
    prevalence = 0.03 if "--prevalence" in options else None
    assert found["two_by_two"] == expected.two_by_two(prevalence, n_resamples=100).to_dict()
    assert found["tpr_interval"] == found["two_by_two"]["sensitivity_interval"]
    specificity = found["two_by_two"]["specificity_interval"]
    assert found["fpr_interval"]["low"] == pytest.approx(1 - specificity["high"], abs=1e-12)
    corrected = expected.corrected(n_resamples=100)
    assert found["corrected"] == corrected.to_dict()
    assert found["fpr_interval"] == corrected.fpr_interval.to_dict()
    assert found["chosen_anew"] == expected.intervals(n_resamples=100).to_dict()
    assert found["neighbourhood"] is None


@pytest.mark.filterwarnings("ignore:RS210")
@pytest.mark.parametrize("weigh", ["groups", "rows"])
@pytest.mark.parametrize(("options", "criterion"), CRITERIA)
def test_groups_share_a_cutoff(call, hosts, options, criterion, weigh) -> None:
    shown = call("cutoff", *hosts, *options, "--weigh", weigh, "--json", "--boot", "100")
    data = as_json(shown.out)
    (found,) = data["cutoffs"]
    average = rs.average(read_hosts(), "threshold" if weigh == "groups" else "pooled")
    expected = choose_cutoff(average, criterion)
    assert (data["deploy"], data["weigh"]) == ("shared", weigh)
    assert found["threshold"] == expected.threshold
    corrected = expected.corrected(n_resamples=100)
    assert found["corrected"] == corrected.to_dict()
    assert found["fpr_interval"] == corrected.fpr_interval.to_dict()
    assert found["tpr_interval"] == corrected.tpr_interval.to_dict()
    given = as_json(
        call("cutoff", *hosts, "--at", f"threshold={expected.threshold!r}", "--weigh", weigh, "--json").out
    )
    point = average.at(threshold=expected.threshold)
    assert given["cutoffs"][0]["fpr_interval"] == point.fpr_interval.to_dict()
    assert given["cutoffs"][0]["corrected"] is None
    assert found["chosen_anew"] == expected.intervals(n_resamples=100).to_dict()


def test_a_given_cutoff_is_not_chosen(call, patients) -> None:
    shown = call("cutoff", *patients, "--at", "t=0.75", "--json")
    (found,) = as_json(shown.out)["cutoffs"]
    rates = read_patients().rates_at(0.75)
    assert (found["threshold"], found["fpr"], found["tpr"]) == (0.75, rates.fpr, rates.tpr)
    assert {found[name] for name in ("criterion", "value", "chosen_anew", "held_out", "midpoint")} == {None}
    assert found["two_by_two"]["tp"] == rates.tpr * 24
    page = call("cutoff", *patients, "--at", "t=0.75").out
    assert "given cut-off: call positive when marker >= 0.75." in page
    assert "nothing flatters" in page


def test_a_cutoff_from_another_file(call, patients) -> None:
    write_patients("other.csv", seed=8)
    shown = call(
        "cutoff", *patients, "--at", "youden", "--cutoff-from", "other.csv", "--json", "--boot", "100"
    )
    data = as_json(shown.out)
    (found,) = data["cutoffs"]
    chosen = choose_cutoff(read_patients("other.csv"), "youden")
    applied = chosen.on(read_patients())
    assert (found["threshold"], found["fpr"], found["tpr"]) == (applied.threshold, applied.fpr, applied.tpr)
    assert found["two_by_two"] == applied.two_by_two().to_dict()
    assert found["held_out"] is None
    assert (data["cutoff_from"], data["judged_on"]) == ("other.csv", "other rows")
    page = call("cutoff", *patients, "--at", "youden", "--cutoff-from", "other.csv", "--boot", "100").out
    assert "It was chosen on other.csv: nothing flatters the rates." in page
    assert "flatters it" not in page


@pytest.mark.parametrize("how", ["same", "dot", "absolute", "link", "hard link", "copy", "shuffled"])
def test_rows_that_choose_are_not_called_other_rows(call, patients, how) -> None:
    """Whatever the file is called, its own rows flatter a cut-off that they chose."""
    text = Path("patients.csv").read_text()
    other = {"same": "patients.csv", "dot": "./patients.csv", "absolute": str(Path("patients.csv").resolve())}
    name = other.get(how, "other.csv")
    if how == "link":
        Path(name).symlink_to("patients.csv")
    elif how == "hard link":
        Path(name).hardlink_to("patients.csv")
    elif how == "copy":
        Path(name).write_text(text)
    elif how == "shuffled":
        head, *rows = text.splitlines()
        Path(name).write_text("\n".join([head, *rows[::-1]]) + "\n")
    shown = call("cutoff", *patients, "--at", "youden", "--cutoff-from", name)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS002 ")
    assert "choose on other rows:  --cutoff-from OTHER" in " ".join(shown.err.split(" "))


def test_one_row_more_is_another_file(call, patients) -> None:
    Path("more.csv").write_text(Path("patients.csv").read_text() + "ill,2.2\n")
    given = ["cutoff", *patients, "--at", "youden", "--boot", "0", "--cutoff-from"]
    assert call(*given, "more.csv").code == 0
    text = Path("patients.csv").read_text()
    Path("moved.csv").write_text(text.replace("ill,", "ill,1", 1))
    assert call(*given, "moved.csv").code == 0


def test_a_given_cutoff_is_not_chosen_on_another_file_either(call, patients) -> None:
    write_patients("other.csv", seed=8)
    given = ["cutoff", *patients, "--at", "t=0.5", "--cutoff-from", "other.csv", "--boot", "0"]
    shown = call(*given)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS002 --cutoff-from says where a cut-off is chosen")
    assert call(*given, "--at", "youden").code == 0
    assert as_json(call(*given[:-4], "--json").out)["judged_on"] == "rows that chose nothing"


def test_resamples_may_be_none(call, patients) -> None:
    for n in ("-1", "1"):
        shown = call("cutoff", *patients, "--boot", n)
        assert "--boot must be a whole number, at least 2, or 0 for no resamples." in " ".join(
            shown.err.split()
        )


def test_groups_that_agree_do_not_make_a_rate_certain(call, hosts) -> None:
    """Every host has all its attacks above the cut-off: a standard error of 0 is no certainty."""
    given = ["cutoff", *hosts, "--at", "cost=1:10000", "--boot", "100"]
    page = call(*given).out
    line = next(line for line in page.splitlines() if line.startswith("TPR"))
    assert line.split()[-4:] == ["to", "100", "%", "–"]
    assert "100 to 100 %" not in page
    kept = call("cutoff", *hosts, "--at", "threshold=-9").out
    assert "100 to 100 %" not in kept  # their cases give limits
    assert "without an interval" not in kept
    (found,) = as_json(call(*given, "--json").out)["cutoffs"]
    assert (found["tpr"], found["tpr_interval"]["high"], found["chosen_anew"]["tpr"]) == (1.0, 1.0, None)
    assert found["tpr_interval"]["low"] < found["corrected"]["tpr"] < 1
    own = call("cutoff", *hosts, "--at", "tpr=0", "--deploy", "own").out
    assert "0 to 0 %" not in own


def test_cutoffs_from_another_file_need_its_groups_and_models(call, hosts) -> None:
    write_hosts("few.csv", n_hosts=4)
    shown = call("cutoff", *hosts, "--at", "youden", "--deploy", "own", "--cutoff-from", "few.csv")
    assert (shown.code, shown.out) == (2, "")
    assert "missing: h4, h5, h6, h7, h8 and h9" in shown.err
    assert call("cutoff", *hosts, "--at", "youden", "--cutoff-from", "few.csv").code == 0
    write_hosts("both.csv", models=("old", "new"))
    write_hosts("one.csv", models=("old",))
    both = ["cutoff", "both.csv", *hosts[1:], "-m", "model", "--cutoff-from", "one.csv"]
    assert "missing: new" in call(*both).err


def test_own_cutoffs(call, hosts) -> None:
    shown = call("cutoff", *hosts, "--at", "fpr=0.1", "--deploy", "own", "--json", "--seed", "4")
    data = as_json(shown.out)
    curves = rs.roc_curves(read_hosts())
    assert [found["group"] for found in data["cutoffs"]] == [f"h{i}" for i in range(10)]
    assert [found["threshold"] for found in data["cutoffs"]] == [
        choose_cutoff(curve, TargetRate(fpr=0.1)).threshold for curve in curves
    ]
    (realised,) = data["realised"]
    expected = realise(read_hosts(), TargetRate(fpr=0.1), seed=4).to_dict()
    assert {name: realised[name] for name in expected} == expected
    assert data["weigh"] is None


def test_groups_too_small_to_be_split_have_cutoffs_all_the_same(call) -> None:
    Path("tiny.csv").write_text(
        "host,y,s\n" + "".join(f"h{i},{y},{i + 3 * y}\n" for i in range(9) for y in (0, 1))
    )
    shown = call(
        "cutoff", "tiny.csv", "-g", "host", "-y", "y", "-s", "s", "--at", "youden", "--deploy", "own"
    )
    assert shown.code == 0
    assert "h8 >= 11 100 % 0 %" in " ".join(shown.out.split())
    assert "too few rows" in shown.out


def test_low_scores_are_positive(call) -> None:
    write_patients("low.csv", low=True)
    given = ["cutoff", "low.csv", "-y", "disease", "-s", "marker", "-p", "ill", "--low-is-positive"]
    shown = call(*given, "--at", "youden", "--boot", "100")
    expected = choose_cutoff(
        rs.roc_curves(
            rs.read_scores(
                "low.csv", label="disease", score="marker", positive="ill", higher_is_positive=False
            )
        )[0],
        "youden",
    )
    assert f"call positive when marker <= {expected.threshold:g}." in shown.out
    assert f"every cut-off from {expected.threshold_interval.low:g} to below" in shown.out
    assert "where marker is low" in shown.out


# Neighbours


@pytest.mark.parametrize(
    "options", [[], ["--nadeau-bengio"], ["--points", "12", "--confidence-level", "0.9"]]
)
def test_neighbours_are_those_of_the_table(call, hosts, options) -> None:
    shown = call("cutoff", *hosts, "--at", "youden", "--json", "--boot", "0", *options)
    (found,) = as_json(shown.out)["cutoffs"]
    near, own = found["neighbourhood"], read_hosts()
    assert near["thresholds"][0] == "inf"
    thresholds = [float(t) for t in near["thresholds"]]
    assert thresholds == sorted(thresholds, reverse=True)
    assert thresholds[near["index"]] == found["threshold"]
    n_points = 12 if "--points" in options else 30
    assert len(set(thresholds)) == len(thresholds) == n_points + 1
    assert set(thresholds) <= {math.inf, *own.columns.scores.tolist()}
    table = average_operating_points(own, thresholds=thresholds)
    ratio = 1 / (table.n_folds - 1) if "--nadeau-bengio" in options else None
    for name in ("fpr", "tpr"):
        alpha = near["alpha"]
        expected = table.compare_to(near["index"], name, alpha=alpha, test_train_ratio=ratio)
        assert near[name]["cannot_be_told_apart"] == expected.indistinguishable.tolist()
        assert near[name]["pvalue"] == pytest.approx(expected.pvalue.tolist())
    assert near["alpha"] == pytest.approx(0.1 if "--points" in options else 0.05)


@pytest.mark.parametrize(("n_points", "expected"), [("2", 2), ("1000", 365)])
def test_as_many_others_as_there_are(call, hosts, n_points, expected) -> None:
    given = ["cutoff", *hosts, "--at", "youden", "--json", "--boot", "0", "--points", n_points]
    (found,) = as_json(call(*given).out)["cutoffs"]
    n_scores = len(np.unique(read_hosts().columns.scores))
    assert len(found["neighbourhood"]["thresholds"]) - 1 == min(expected, n_scores)


def test_tests_of_folds_allow_for_shared_training_data(call, hosts) -> None:
    Path("folds.csv").write_text(Path("hosts.csv").read_text().replace("host,", "fold,", 1))
    given = ["cutoff", "folds.csv", "-g", "fold", "-p", "attack", "--at", "youden", "--boot", "0"]
    said = "corrected for training data that folds share (Nadeau and Bengio)"
    assert said not in " ".join(call(*given).out.split())
    for option in (["--nadeau-bengio"], ["--design", "cross-validation"]):
        assert said in " ".join(call(*given, *option).out.split())
    assert said not in " ".join(call("cutoff", *hosts, "--at", "youden", "--boot", "0").out.split())


def test_never_equal(call, hosts) -> None:
    page = call("cutoff", *hosts, "--at", "youden", "--boot", "0").out
    assert "cannot be told apart" in page
    assert "is not equal" in page
    assert "are equal" not in page


# The page


def test_how_limits_were_found_is_said(call, patients) -> None:
    pages = {
        at: " ".join(call("cutoff", *patients, "--boot", "100", *at).out.split())
        for at in (("--at", "youden"), ("--at", "fpr=0.4"), ("--at", "youden", "--at", "fpr=0.4"))
    }
    said = [
        ("and the cut-off chosen again each time; for" in page, "order statistics" in page)
        for page in pages.values()
    ]
    assert said == [(False, False), (False, True), (True, True)]
    assert all(
        "On new rows: what is left where what choosing adds is taken off" in page for page in pages.values()
    )


def test_page_of_a_curve(call, patients, snapshot) -> None:
    shown = call("cutoff", *patients, "--at", "youden", "--boot", "200")
    assert (shown.code, shown.err) == (0, "")
    snapshot("cutoff_youden", shown.out)


def test_without_resamples_there_are_no_intervals_of_what_was_chosen(call, patients, hosts) -> None:
    """Wilson's, which take the cut-off for given, held 88 %."""
    for rows in (patients, hosts):
        page = " ".join(call("cutoff", *rows, "--at", "youden", "--boot", "0").out.split())
        assert "No intervals: nothing was drawn again" in page
        assert "95 % interval" not in page
        assert "on new rows" not in page.lower().replace("expected on new rows", "")
        (found,) = as_json(call("cutoff", *rows, "--at", "youden", "--boot", "0", "--json").out)["cutoffs"]
        assert (found["corrected"], found["tpr_interval"], found["fpr_interval"]) == (None, None, None)


def test_page_without_a_criterion(call, patients, snapshot) -> None:
    shown = call("cutoff", *patients)
    assert (shown.code, shown.err) == (0, "")
    snapshot("cutoff_usual", shown.out)
    typed = [line.split("→ ")[1] for line in shown.out.splitlines() if "→" in line]
    assert len(typed) == 3
    for line in typed:
        assert call(*shlex.split(line)[1:], "--boot", "100").code == 0


def test_page_of_groups(call, hosts, snapshot) -> None:
    shown = call("cutoff", *hosts, "--at", "fpr=0.05", "--prevalence", "1%", "--boot", "200")
    assert (shown.code, shown.err) == (0, "")
    snapshot("cutoff_groups", shown.out)


def test_page_of_own_cutoffs(call, hosts, snapshot) -> None:
    shown = call("cutoff", *hosts, "--at", "fpr=0.1", "--deploy", "own")
    assert shown.code == 0
    snapshot("cutoff_own", shown.out)


def test_page_of_a_phone(call, patients, snapshot, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    snapshot("cutoff_40_columns", call("cutoff", *patients, "--at", "youden", "--boot", "200").out)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--at", "youden", "--at", "t=1", "--boot", "100"],
        ["--deploy", "own", "--at", "eer"],
        ["--weigh", "rows"],
    ],
)
def test_no_table_is_broken(call, hosts, monkeypatch, width, options) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = call("cutoff", *hosts, *options)
    assert shown.code == 0
    tables = [line for line in shown.out.splitlines() if re.search(r"\S {2,}\S", line)]
    assert tables
    assert max(map(len, tables)) <= width


def test_resamples_are_shown_beside_the_rates(call, patients) -> None:
    page = call("cutoff", *patients, "--at", "youden", "--boot", "100").out
    anew = choose_cutoff(read_patients(), "youden").intervals(n_resamples=100)
    (line,) = [line for line in page.splitlines() if line.startswith("cut-off")]
    assert line.split()[-3:] == [f"{anew.threshold.low:.4g}", "to", f"{anew.threshold.high:.4g}"]
    assert "drawn again 100 times" in page.replace("\n", " ")
    assert "chosen anew" not in call("cutoff", *patients, "--at", "youden", "--boot", "0").out


def test_flattery_is_told_with_what_held_out_rows_say(call, patients) -> None:
    page = " ".join(call("cutoff", *patients, "--at", "youden", "--boot", "0").out.split())
    held_out = realise(rs.ScoreSet.from_frame(_frame(), label="disease", score="marker", positive="ill"), "youden",
                       threshold="shared")  # fmt: skip
    assert "The rows that chose the cut-off also judge it, which flatters it." in page
    assert f"gives TPR {100 * held_out.tpr.mean:.1f} % and FPR {100 * held_out.fpr.mean:.1f} % on" in page
    assert f"on average over {held_out.n_repeats} random splits." in page


@pytest.mark.parametrize("deploy", ["shared", "own"])
def test_which_cutoff_of_a_budget_was_tried_is_told(call, hosts, deploy) -> None:
    """The list has the strictest of equally good ones, other rows were met by the loosest."""
    given = ["cutoff", *hosts, "--deploy", deploy, "--boot", "0", "--at"]
    assert "the loosest cut-off that keeps" in " ".join(call(*given, "fpr=0.1").out.split())
    for other in ("tpr=0.8", "youden"):
        assert "loosest" not in call(*given, other).out


def _frame() -> Any:
    with open("patients.csv") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] if name == "disease" else float(row[name]) for row in rows] for name in rows[0]}


def test_several_models(call, hosts) -> None:
    write_hosts("both.csv", models=("old", "new"))
    given = ["cutoff", "both.csv", *hosts[1:], "-m", "model", "--at", "youden", "--boot", "100"]
    page = call(*given).out
    assert page.index("Model old") < page.index("Model new")
    assert page.count("PPV, NPV and accuracy") == 1
    found = as_json(call(*given, "--json").out)["cutoffs"]
    assert [one["model"] for one in found] == ["old", "new"]


def test_ties_are_named_with_their_rates(call) -> None:
    Path("tied.csv").write_text(
        "y,s\n" + "".join(f"{y},{s}\n" for y, s in zip("110100", "987631", strict=True))
    )
    page = call("cutoff", "tied.csv", "-y", "y", "-s", "s", "--at", "youden", "--boot", "0").out
    joined = " ".join(page.split())
    assert "Exactly as good by that measure: >= 6 (TPR 100 %, FPR 33.3 %). The strictest was taken." in joined


# Numbers that can be typed


@pytest.mark.parametrize(
    ("threshold", "alike", "expected"),
    [
        (0.22, (0.19, 0.22), "0.22"),
        (1 / 3, (0.3, 1 / 3), "0.3333"),
        (2 / 3, (0.6, 2 / 3), "0.6666666666666666"),
        (math.inf, (0.9, math.inf), "inf"),
        (123456.789, None, "123456.789"),
    ],
)
def test_a_shown_cutoff_decides_alike(threshold, alike, expected) -> None:
    interval = None if alike is None else ThresholdInterval(*alike)
    text = cutoff_number(threshold, interval)
    assert text == expected
    assert float(text) == threshold or float(text) in interval


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_every_cutoff_within_the_shown_limits_decides_the_same(call, seed, low) -> None:
    rng = np.random.default_rng(seed)
    rows = [f"{i % 2},{(1 - 2 * low) * (rng.normal() + i % 2) / 7!r}" for i in range(400)]
    Path("fine.csv").write_text("y,s\n" + "\n".join(rows) + "\n")
    given = ["cutoff", "fine.csv", "-y", "y", "-s", "s", "--boot", "0", *["--low-is-positive"] * low]
    page = " ".join(call(*given, "--at", "youden").out.split())
    pattern = r"above (\S+) and up to (\S+) d" if not low else r"from (\S+) to below (\S+) d"
    match = re.search(rf"every cut-off {pattern}ecides the same. SPSS prints the midpoint, (\S+)\.", page)
    assert match, page
    first, last, middle = map(float, match.groups())
    (chosen,) = as_json(call(*given, "--at", "youden", "--json").out)["cutoffs"]
    open_end, closed_end = (last, first) if low else (first, last)
    inside = float(np.nextafter(open_end, closed_end))
    assert first <= min(middle, inside) <= max(middle, inside) <= last
    shown = re.search(r"call positive when s [<>]= (\S+)\. ", page)
    assert first <= float(shown[1]) <= last
    for at in (closed_end, inside, middle, float(shown[1])):
        (found,) = as_json(call(*given, "--at", f"t={at!r}", "--json").out)["cutoffs"]
        assert (found["fpr"], found["tpr"]) == (chosen["fpr"], chosen["tpr"]), at


@given(
    ends=st.tuples(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300)).filter(lambda e: e[0] < e[1]),
    near_by=st.booleans(),
)
def test_shown_limits_are_not_beyond_the_real_ones(ends, near_by) -> None:
    low, high = ends
    if near_by:
        low = float(np.nextafter(high, -np.inf))
    shown = [float(text) for text in limits_alike(ThresholdInterval(low, high))]
    assert low <= shown[0] < shown[1] <= high


@pytest.mark.parametrize("option", ["youden", "cost=1:20", "fpr=0.2", "tpr=0.9", "closest"])
def test_other_rows_have_their_own_value(call, patients, option) -> None:
    write_patients("other.csv", seed=8)
    given = ["cutoff", *patients, "--at", option, "--cutoff-from", "other.csv", "--boot", "0"]
    criterion = {
        "cost=1:20": MinimumCost(false_positive=1, false_negative=20),
        "fpr=0.2": TargetRate(fpr=0.2),
        "tpr=0.9": TargetRate(tpr=0.9),
    }.get(option, option)
    chosen = choose_cutoff(read_patients("other.csv"), criterion)
    applied = chosen.on(read_patients())
    assert applied.value != chosen.value
    (found,) = as_json(call(*given, "--json").out)["cutoffs"]
    assert (found["value"], found["value_judged"]) == (chosen.value, applied.value)
    call(*given, "-o", "cutoffs.csv")
    (row,) = csv.DictReader(io.StringIO(Path("cutoffs.csv").read_text()))
    assert (float(row["value"]), float(row["value_judged"])) == (chosen.value, applied.value)
    page = " ".join(call(*given).out.split())
    write = (lambda x: f"{100 * x:.1f} %") if option in ("fpr=0.2", "tpr=0.9") else (lambda x: f"{x:.4g}")
    assert f"{write(chosen.value)} on the rows of other.csv, {write(applied.value)} on these" in page
    assert ("both at that prevalence" in page) is (option == "cost=1:20")


@pytest.mark.parametrize(("typed", "number"), [("fpr=10%", 0.1), ("tpr=0.7 %", 0.007), ("fpr=0%", 0.0)])
def test_rates_in_per_cent(call, patients, typed, number) -> None:
    given = ["cutoff", *patients, "--boot", "0", "--json", "--at"]
    plain = f"{typed[:3]}={number}"
    both = [as_json(call(*given, text).out)["cutoffs"][0] for text in (typed, plain)]
    assert {one["at"] for one in both} == {typed, plain}
    assert both[0] | {"at": ""} == both[1] | {"at": ""}
    for wrong in ("t=50%", "fpr=x%", "fpr=%", "fpr=5%%"):
        assert call(*given, wrong).err.startswith("error RS092 ")
    assert call(*given, "fpr=200%").err.startswith("error RS042 ")


def test_what_to_type_repeats_no_option(call, patients) -> None:
    page = call("cutoff", *patients, "--prevalence", "5%").out
    typed = [line.split("→ ")[1] for line in page.splitlines() if "→" in line]
    assert len(typed) == 3
    for line in typed:
        assert line.count("--prevalence 5%") == line.count("--prevalence") == 1
        assert call(*shlex.split(line)[1:], "--boot", "0").code == 0


def test_groups_that_call_nothing_positive_are_named(call) -> None:
    rng = np.random.default_rng(4)
    rows = [
        f"c{k},{i % 4 == 0:d},{rng.normal() + 4 * (k < 3) * (i % 4 == 0):.3f}"
        for k in range(20)
        for i in range(40)
    ]
    Path("some.csv").write_text("customer,y,s\n" + "\n".join(rows) + "\n")
    options = ["-y", "y", "-s", "s", "-g", "customer", "--deploy", "own", "--costs", "90:1"]
    shown = call("cutoff", "some.csv", *options)
    assert shown.code == 0
    own = as_json(call("cutoff", "some.csv", *options, "--json").out)["cutoffs"]
    names = [one["group"] for one in own if one["threshold"] == "inf"]
    assert len(names) > 5
    assert shown.err.count("warning RS241 ") == 1
    err = " ".join(shown.err.split())
    assert f"in {len(names)} of 20 customers the best cut-off calls nothing positive." in err
    assert f"customers: {', '.join(names[:4])}" in err
    assert shown.out.count("calls nothing") == len(names)
    assert ">= inf" not in shown.out


@pytest.mark.parametrize("name", ["x" * 120, "顧客" * 40])
@pytest.mark.parametrize(
    "options", [["--at", "youden"], ["--deploy", "own", "--at", "youden"], ["--deploy", "own"]]
)
def test_long_and_wide_names_fit(call, name, options) -> None:
    rng = np.random.default_rng(1)
    rows = [
        f"{name}{k},{name if i % 2 else 'no' + name},{rng.normal() + 2 * (i % 2):.3f}"
        for k in range(9)
        for i in range(30)
    ]
    Path("long.csv").write_text("group,y,s\n" + "\n".join(rows) + "\n")
    shown = call(
        "cutoff", "long.csv", "-g", "group", "-y", "y", "-s", "s", "-p", name, "--boot", "0", *options
    )
    assert shown.code == 0
    tables = [line for line in shown.out.splitlines() if re.search(r"\S {2,}\S", line)]
    assert tables
    assert max(map(cell_len, tables)) <= 80
    if "own" in options:  # names that differ at their end are still told apart
        firsts = [line.split()[0] for line in tables if "…" in line]
        assert len(set(firsts)) == 9


# Files and streams


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_files(call, hosts, ending) -> None:
    name = f"cutoffs.{ending}"
    given = ["cutoff", *hosts, "--at", "youden", "--at", "t=inf", "--boot", "100", "-o", name]
    shown = call(*given)
    assert shown.code == 0
    assert f"{name}  written." in shown.err
    assert "youden" in shown.out
    expected = choose_cutoff(rs.average(read_hosts(), "threshold"), "youden")
    if ending == "csv":
        first, second = csv.DictReader(io.StringIO(Path(name).read_text()))
        assert float(first["threshold"]) == expected.threshold
        assert float(first["threshold_low"]) == expected.intervals(n_resamples=100).threshold.low
        assert (second["criterion"], second["threshold"], second["threshold_low"], second["tp"]) == (
            "t=inf",
            "inf",
            "",
            "",
        )
    elif ending == "json":
        found = as_json(Path(name).read_text())["cutoffs"]
        assert (found[0]["threshold"], found[1]["threshold"]) == (expected.threshold, "inf")
    else:
        import duckdb

        rows = duckdb.sql(f"SELECT criterion, threshold, midpoint FROM '{name}'").fetchall()
        assert rows == [("youden", expected.threshold, expected.midpoint), ("t=inf", math.inf, None)]
    assert call(*given, "--confidence-level", "0.8").err.startswith("error RS003 ")


def test_own_cutoffs_in_a_file_name_their_groups(call, hosts) -> None:
    call("cutoff", *hosts, "--at", "youden", "--deploy", "own", "-o", "own.csv", "-q")
    rows = list(csv.DictReader(io.StringIO(Path("own.csv").read_text())))
    assert [row["group"] for row in rows] == [f"h{i}" for i in range(10)]
    assert "tp" in rows[0]
    assert rows[0]["tp"] != ""


def test_quiet(call, patients) -> None:
    shown = call("cutoff", *patients, "--at", "youden", "--at", "t=0.5", "--boot", "0", "-q")
    assert (shown.code, shown.err) == (0, "")
    assert [float(line) for line in shown.out.splitlines()] == [
        choose_cutoff(read_patients(), "youden").threshold,
        0.5,
    ]


def test_it_is_among_the_commands(call) -> None:
    assert " cutoff " in call("--help").out
    for option in (
        "alike_",
        "_anew_",
        "value_judged",
        "--criterion",
        "--at",
        "--costs",
        "--prevalence",
        "--cutoff-from",
        "--weigh",
        "--boot",
    ):
        assert option in call("cutoff", "--help").out


def test_strict(call) -> None:
    write_hosts("few.csv", n_hosts=5)
    given = ["cutoff", "few.csv", "-g", "host", "-p", "attack", "--at", "youden", "--boot", "100"]
    shown = call(*given)
    assert shown.code == 0
    assert "warning RS242 " in shown.err
    assert call(*given, "--strict").code == 4
    assert "RS242" in [warning["code"] for warning in as_json(call(*given, "--json").out)["warnings"]]


def test_a_group_of_one_class_is_left_out(call, hosts) -> None:
    with open("hosts.csv", "a") as file:
        file.write("lonely,normal,0.3\n")
    for options in ([], ["--at", "youden", "--boot", "0"], ["--at", "eer", "--deploy", "own"]):
        shown = call("cutoff", *hosts, *options)
        assert shown.code == 0
        assert "warning RS201 " in shown.err


def test_colours_and_escapes_of_a_file_do_not_reach_the_terminal(call) -> None:
    lines = [f"a\x1b[2J{i % 3},{i % 2},{i % 2 + i / 7:.2f}" for i in range(40)]
    Path("odd.csv").write_text("gr\x1boup,y,s\n" + "\n".join(lines) + "\n")
    for options in (["--at", "youden", "--boot", "100"], ["--deploy", "own"]):
        shown = call("cutoff", "odd.csv", "-g", "gr\x1boup", "-y", "y", "-s", "s", *options)
        assert shown.code == 0
        assert "\x1b" not in shown.out + shown.err


def test_standard_input(spawn) -> None:
    name = write_patients("patients.csv")
    given = ["-y", "disease", "-s", "marker", "-p", "ill", "--at", "youden", "-q", "--boot", "0"]
    shown = spawn("cutoff", "-", *given, stdin=Path(name).read_text())
    assert (shown.code, shown.err) == (0, "")
    assert float(shown.out) == choose_cutoff(read_patients(), "youden").threshold
    twice = spawn("cutoff", "-", *given, "--cutoff-from", "-", stdin="")
    assert twice.code == 2


# Mistakes


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--at", "0.5"], "RS092"),
        (["--at", "50"], "RS092"),
        (["--at", "rate=0.1"], "RS092"),
        (["--at", "yuden"], "RS092"),
        (["--at", "t=nan"], "RS092"),
        (["--at", "fpr="], "RS092"),
        (["--at", "fpr=2"], "RS042"),
        (["--criterion", "yuden"], "RS092"),
        (["--criterion", "fpr=0.1"], "RS092"),
        (["--costs", "1:2..1:5"], "RS094"),
        (["--costs", "1"], "RS094"),
        (["--at", "cost="], "RS094"),
        (["--costs", "0:0"], "RS081"),
        (["--costs", "1:-2"], "RS081"),
        (["--costs", "inf:2"], "RS081"),
        (["--prevalence", "2"], "RS042"),
        (["--prevalence", "often"], "RS042"),
        (["--confidence-level", "95"], "RS042"),
        (["--boot", "1"], "RS042"),
        (["--boot", "-5"], "RS042"),
        (["--seed", "-1"], "RS042"),
        (["--points", "1"], "RS042"),
        (["--weigh", "rows", "--deploy", "own"], "RS002"),
    ],
)
def test_a_mistake_is_told_with_what_to_type(call, hosts, options, code) -> None:
    shown = call("cutoff", *hosts, *options)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error {code} ")
    assert not PYTHON.search(shown.err), shown.err
    joined = re.sub(r"\n {4}(?! )", " ", shown.err)
    remedies = [
        line.rsplit("  ", 1)[-1].strip("→ ?") for line in joined.splitlines() if "→" in line and "--" in line
    ]
    assert remedies
    for remedy in remedies:
        if remedy == "--weigh":  # to be left out
            continue
        quick = [] if "--boot" in remedy else ["--boot", "0"]
        again = call("cutoff", *hosts, "--at", "t=1", *quick, *shlex.split(remedy), "-q")
        assert again.code == 0, (remedy, again.err)


@pytest.mark.parametrize("option", [["--deploy", "own"], ["--weigh", "rows"]])
def test_what_is_about_groups_needs_groups(call, patients, option) -> None:
    shown = call("cutoff", *patients, *option)
    assert shown.code == 2
    assert shown.err.startswith(f"error RS002 {' '.join(option)} is about several groups")
    shown = call("cutoff", *patients, "--nadeau-bengio")
    assert shown.code == 2
    assert shown.err.startswith("error RS067 ")


def test_files_that_cannot_be_read_or_written(call, patients) -> None:
    assert call("cutoff", "nothing.csv").code == 3
    assert call("cutoff", *patients, "--cutoff-from", "nothing.csv").code == 3
    assert call("cutoff", *patients, "-o", "cutoffs.txt").code == 2
    assert call("cutoff", *patients, "-o", "no folder/cutoffs.csv").code == 3
    assert call("cutoff", "patients.csv", "-y", "disease", "-s", "nothing").code == 2
    write_patients("low.csv", low=True)
    assert call("cutoff", "low.csv", *patients[1:]).err.startswith("error RS041 ")
    assert call("cutoff", *patients, "--cutoff-from", "low.csv").err.startswith("error RS041 ")


def test_a_target_that_only_calling_nothing_positive_keeps(call) -> None:
    lines = [f"{i % 2},{i // 2}" for i in range(40)]
    Path("tied.csv").write_text("y,s\n" + "\n".join(lines) + "\n")
    shown = call("cutoff", "tied.csv", "-y", "y", "-s", "s", "--at", "fpr=0", "--boot", "100")
    assert shown.code == 0
    assert "fpr=0: call nothing positive (a cut-off beyond every score)." in shown.out
    assert "warning RS240 " in shown.err


def test_warnings_of_small_groups_say_what_to_type(call, hosts) -> None:
    shown = call("cutoff", *hosts, "--at", "fpr=0.01", "--deploy", "own")
    assert "warning RS256 " in shown.err
    assert "for the largest TPR with FPR at most 0.01, 10 hosts can keep to that" in " ".join(
        shown.err.split()
    )
    assert "--deploy shared" in shown.err
    assert not PYTHON.search(shown.err), shown.err


@pytest.mark.parametrize(
    ("typed", "meant"), [("specifity=.9", "specificity=0.9"), ("yuden", "youden"), ("fpr=", "fpr=0.05")]
)
def test_a_misspelt_place_names_the_near_one(call, patients, typed: str, meant: str) -> None:
    shown = call("cutoff", *patients, "--at", typed)
    assert shown.code == 2
    assert shown.err.startswith(f'error RS092 "{typed}"')
    assert shown.err.endswith(f"--at {meant}\n")


def test_some_of_the_models(call, hosts) -> None:
    table = [write_hosts("two.csv", models=("old", "new")), "-g", "host", "-p", "attack", "-m", "model"]
    options = ["--at", "fpr=0.1", "--boot", "0", "--json"]
    every, one = (
        as_json(call("cutoff", *table, *options, *own).out)["cutoffs"] for own in ([], ["--models", "new"])
    )
    assert one == [own for own in every if own["model"] == "new"]
    assert len(one) == 1
    shown = call("cutoff", *table, *options, "--models", "newer")
    assert (shown.code, shown.err[:11]) == (2, "error RS001")
    assert call("cutoff", *table, *options, "--models", "new,").code == 2
    assert call("cutoff", *table, "--at", "fpr=0.1", "--boot", "0", "--models", "new").code == 0
