"""`rocsteady cutoff`: the library's answers, files, mistakes, names."""

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
from rich.cells import cell_len

import rocsteady as rs
from rocsteady.points.criteria import MinimumCost, TargetRate
from rocsteady.points.cutoffs import choose_cutoff
from rocsteady.points.realised import realise
from rocsteady.results import plain

CRITERIA = [
    (["--at", "youden"], "youden"),
    (["--at", "closest"], "closest"),
    (["--at", "EER"], "eer"),
    (["--at", "fpr=10%"], TargetRate(fpr=0.1)),
    (["--at", "specificity=0.9"], TargetRate(fpr=0.1)),
    (["--at", "tpr=0.8"], TargetRate(tpr=0.8)),
    (
        ["--costs", "1:20", "--prevalence", "3%"],
        MinimumCost(false_positive=1, false_negative=20, prevalence=0.03),
    ),
    (["--at", "cost=5:1"], MinimumCost(false_positive=5, false_negative=1)),
]
QUICK = ("--boot", "100")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_patients(name: str, *, seed: int = 12, low: bool = False) -> str:
    rng = np.random.default_rng(seed)
    lines = ["disease,marker"]
    for label, n in (("ill", 24), ("healthy", 36)):
        values = rng.normal(size=n) + 1.5 * (label == "ill")
        lines += [f"{label},{(-1 if low else 1) * value:.1f}" for value in values]
    Path(name).write_text("\n".join(lines) + "\n")
    return name


def write_hosts(name: str, *, n_hosts: int = 10, models: tuple[str, ...] = ()) -> str:
    rng = np.random.default_rng(5)
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
    return rs.roc_curves(rs.read_scores(name, label="disease", score="marker", positive="ill"))[0]


def read_hosts(name: str = "hosts.csv") -> rs.ScoreSet:
    return rs.read_scores(name, label="label", score="score", group="host", positive="attack")


def as_json(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    return found


def said(text: str) -> str:
    return " ".join(text.split())


# What is chosen


@pytest.mark.parametrize(("options", "criterion"), CRITERIA)
def test_the_cutoff_of_a_curve_is_that_of_the_library(call, patients, options, criterion) -> None:
    shown = call("cutoff", *patients, *options, "--json", *QUICK)
    assert (shown.code, shown.err) == (0, "")
    (found,) = as_json(shown.out)["cutoffs"]
    expected = choose_cutoff(read_patients(), criterion)
    assert found["cutoff"] == plain(expected)
    assert found["corrected"] == plain(expected.corrected(n_resamples=100))
    assert found["intervals"] == plain(expected.intervals(n_resamples=100))
    prevalence = 0.03 if "--prevalence" in options else None
    assert found["two_by_two"] == plain(expected.two_by_two(prevalence, n_resamples=100))


@pytest.mark.filterwarnings("ignore:RS210")
@pytest.mark.parametrize("weigh", ["groups", "rows"])
@pytest.mark.parametrize(("options", "criterion"), CRITERIA[::3])
def test_groups_share_a_cutoff(call, hosts, options, criterion, weigh) -> None:
    data = as_json(call("cutoff", *hosts, *options, "--weigh", weigh, "--json", *QUICK).out)
    (found,) = data["cutoffs"]
    average = rs.average(read_hosts(), "threshold" if weigh == "groups" else "pooled")
    chosen = choose_cutoff(average, criterion)
    held = getattr(criterion, "held", "")
    expected = average.at({held: criterion.rate}) if held else chosen
    assert (data["deployment"]["threshold"], data["deployment"]["weigh"]) == ("shared", weigh)
    assert found["cutoff"] == plain(expected)
    assert found["corrected"] == plain(chosen.corrected(n_resamples=100))
    assert data["models"][""]["points"][0]["point"]["threshold"] == found["cutoff"]["threshold"]


@pytest.mark.parametrize("typed", ["alerts=10%", "alerts=24"])
def test_a_budget_of_alerts(call, patients, typed) -> None:
    shown = call("cutoff", *patients, "--at", typed, *QUICK)
    assert shown.code == 0
    (found,) = as_json(call("cutoff", *patients, "--at", typed, "--json", *QUICK).out)["cutoffs"]
    budget = 6 if "%" in typed else 24
    table = found["two_by_two"]
    assert table["tp"] + table["fp"] <= budget
    looser = choose_cutoff(read_patients(), threshold=found["cutoff"]["threshold_interval"][0])
    assert (looser.fpr * 36 + looser.tpr * 24) > budget
    assert "Budgets: the loosest threshold that does not exceed them." in said(shown.out)


def test_a_given_cutoff_is_not_chosen(call, patients) -> None:
    (found,) = as_json(call("cutoff", *patients, "--at", "t=0.75", "--json").out)["cutoffs"]
    rates = read_patients().rates_at(0.75)
    own = found["cutoff"]
    assert (own["threshold"], own["fpr"], own["tpr"]) == (0.75, rates.fpr, rates.tpr)
    assert [found[name] for name in ("corrected", "intervals", "realised")] == [None] * 3
    page = call("cutoff", *patients, "--at", "t=0.75").out
    assert "score ≥ 0.75 is called positive." in page
    assert "were chosen on these rows" not in page


def test_a_file_has_the_rates_of_the_threshold_itself(call, hosts) -> None:
    """Groups share it, and its TPR is 0.9 or a little more: the table says how much."""
    for rate in ("tpr=0.9", "fpr=0.1"):
        assert call("cutoff", *hosts, "--at", rate, "-o", "chosen.csv", "--overwrite", *QUICK).code == 0
        (row,) = csv.DictReader(Path("chosen.csv").read_text().splitlines())
        average = rs.average(read_hosts(), "threshold")
        rates = average.rates_at(float(row["threshold"]))
        assert (float(row["fpr"]), float(row["tpr"])) == (rates.fpr, rates.tpr)


def test_own_cutoffs(call, hosts) -> None:
    given = ["cutoff", *hosts, "--at", "fpr=0.1", "--at", "youden", "--deploy", "own", "--seed", "4"]
    data = as_json(call(*given, "--json").out)
    curves = rs.roc_curves(read_hosts())
    at_rate = [own for own in data["cutoffs"] if own["at"] == {"fpr": 0.1}]
    assert [own["group"] for own in at_rate] == [f"h{i}" for i in range(10)]
    expected = [choose_cutoff(curve, TargetRate(fpr=0.1)) for curve in curves]
    assert [own["cutoff"] for own in at_rate] == plain(expected)
    assert at_rate[0]["realised"] == plain(realise(read_hosts(), TargetRate(fpr=0.1), seed=4))
    page = said(call(*given).out)
    assert "Each host has its own threshold." in page
    assert len(re.findall(r" h\d ", page)) >= 10


def test_a_point_that_no_deployment_holds_needs_none(call, hosts) -> None:
    """Youden's point may be sought in every group, though nobody holds it."""
    data = as_json(call("cutoff", *hosts, "--at", "youden", "--deploy", "own", "--json").out)
    assert data["deployment"] is None
    expected = [choose_cutoff(curve, "youden") for curve in rs.roc_curves(read_hosts())]
    assert [own["cutoff"] for own in data["cutoffs"]] == plain(expected)


# Other rows


def test_a_cutoff_from_another_file(call, patients) -> None:
    write_patients("other.csv", seed=8)
    given = ["cutoff", *patients, "--at", "youden", "--cutoff-from", "other.csv", *QUICK]
    (found,) = as_json(call(*given, "--json").out)["cutoffs"]
    applied = choose_cutoff(read_patients("other.csv"), "youden").on(read_patients())
    assert found["cutoff"] == plain(applied)
    assert found["two_by_two"] == plain(applied.two_by_two())
    assert (found["realised"], found["corrected"]) == (None, None)
    page = said(call(*given).out)
    assert "chosen on other rows (other.csv)" in page
    assert "optimistic" not in page.partition("chosen on other rows")[0].partition("called positive")[0]


def test_own_cutoffs_from_another_file_are_those_of_its_groups(call, hosts) -> None:
    lines = Path("hosts.csv").read_text().splitlines()
    moved = [f"{','.join(own.split(',')[:2])},{float(own.split(',')[2]) * 2:.3f}" for own in lines[1:]]
    Path("other.csv").write_text("\n".join([lines[0], *moved]) + "\n")
    given = ["cutoff", *hosts, "--at", "youden", "--deploy", "own", "--cutoff-from", "other.csv", "--json"]
    data = as_json(call(*given).out)
    there, here = (rs.roc_curves(read_hosts(name)) for name in ("other.csv", "hosts.csv"))
    expected = [
        choose_cutoff(own, "youden").on(here[name]) for name, own in zip(there.names, there, strict=True)
    ]
    assert [own["cutoff"] for own in data["cutoffs"]] == plain(expected)


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
    assert shown.code == 2
    assert shown.err.startswith("error RS002 ")
    assert "--cutoff-from OTHER" in shown.err


def test_other_rows_must_have_something_to_choose_and_the_same_groups_and_models(
    call, patients, hosts
) -> None:
    write_patients("other.csv", seed=8)
    given = call("cutoff", *patients, "--at", "t=0.5", "--cutoff-from", "other.csv")
    assert (given.code, given.out) == (2, "")
    assert given.err.startswith("error RS002 --cutoff-from says where a cut-off is chosen")
    write_hosts("few.csv", n_hosts=4)
    shown = call("cutoff", *hosts, "--at", "youden", "--deploy", "own", "--cutoff-from", "few.csv")
    assert shown.code == 2
    assert "missing: h4, h5, h6, h7, h8 and h9" in shown.err
    assert call("cutoff", *hosts, "--at", "youden", "--cutoff-from", "few.csv", *QUICK).code == 0


# The page


def test_page_of_a_curve(call, patients, snapshot) -> None:
    shown = call("cutoff", *patients, "--at", "youden", "--boot", "200")
    assert (shown.code, shown.err) == (0, "")
    snapshot("cutoff_youden", shown.out)


def test_page_of_groups_in_the_words_of_medicine(call, hosts, snapshot) -> None:
    shown = call("cutoff", *hosts, "--at", "fpr=0.05", "--prevalence", "1%", "--words", "medical", *QUICK)
    assert shown.code == 0
    assert not re.search(r"\b[FT]PR\b", shown.out)
    snapshot("cutoff_groups", shown.out)


def test_page_without_a_criterion_leads_on(call, patients) -> None:
    page = call("cutoff", *patients, "--prevalence", "5%", *QUICK)
    assert (page.code, page.err) == (0, "")
    typed = [line.split("→ ")[1] for line in page.out.splitlines() if "→" in line]
    assert len(typed) == 3
    for line in typed:
        assert line.count("--prevalence") == 1
        assert call(*shlex.split(line)[1:]).code == 0


def test_without_resamples_there_are_no_intervals_of_what_was_chosen(call, patients) -> None:
    """Wilson's, which take the cut-off for given, held 88 %."""
    (found,) = as_json(call("cutoff", *patients, "--at", "youden", "--boot", "0", "--json").out)["cutoffs"]
    assert (found["corrected"], found["intervals"]) == (None, None)
    assert found["two_by_two"]["sensitivity_interval"] is None
    assert "nothing was resampled" in said(call("cutoff", *patients, "--at", "youden", "--boot", "0").out)


def test_ties_are_said(call) -> None:
    rows = zip("110100", "987631", strict=True)
    Path("tied.csv").write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in rows))
    page = call("cutoff", "tied.csv", "-y", "y", "-s", "s", "--at", "youden", "--boot", "0").out
    assert "; 1 other vertex as good." in said(page)


def test_tests_of_folds_allow_for_shared_training_data(call, hosts) -> None:
    Path("folds.csv").write_text(Path("hosts.csv").read_text().replace("host,", "fold,", 1))
    given = ["cutoff", "folds.csv", "-g", "fold", "-p", "attack", "--at", "youden", "--boot", "0"]
    told = "corrected for shared training cases"
    assert told not in said(call(*given).out)
    assert told in said(call(*given, "--design", "cross-validation").out)


def test_low_scores_are_positive(call) -> None:
    write_patients("low.csv", low=True)
    given = ["cutoff", "low.csv", "-y", "disease", "-s", "marker", "-p", "ill", "--low-is-positive"]
    (found,) = as_json(call(*given, "--at", "youden", "--boot", "0", "--json").out)["cutoffs"]
    assert found["cutoff"]["rule"] == "<="
    assert "score ≤ " in call(*given, "--at", "youden", "--boot", "0").out


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_shown_cutoff_decides_alike(call, seed, low) -> None:
    """Whoever types the number that is shown gets the rates that are shown."""
    rng = np.random.default_rng(seed)
    rows = [f"{i % 2},{(1 - 2 * low) * (rng.normal() + i % 2) / 7!r}" for i in range(400)]
    Path("fine.csv").write_text("y,s\n" + "\n".join(rows) + "\n")
    given = ["cutoff", "fine.csv", "-y", "y", "-s", "s", "--boot", "0", *["--low-is-positive"] * low]
    shown = re.search(r"score [≥≤] (\S+) is called positive", said(call(*given, "--at", "youden").out))
    assert shown
    number = shown[1].replace("−", "-")
    (chosen,) = as_json(call(*given, "--at", "youden", "--json").out)["cutoffs"]
    (typed,) = as_json(call(*given, "--at", f"t={number}", "--json").out)["cutoffs"]
    for name in ("fpr", "tpr"):
        assert typed["cutoff"][name] == chosen["cutoff"][name]
    assert len(number) <= len(repr(chosen["cutoff"]["threshold"]))


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize(
    "options", [[], ["--at", "youden", "--at", "t=1"], ["--deploy", "own", "--at", "eer"]]
)
def test_no_line_is_broken_by_the_terminal(call, hosts, monkeypatch, width, options) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    shown = call("cutoff", *hosts, *options, "--boot", "0")
    assert shown.code == 0
    lines = [line for line in shown.out.splitlines() if "→" not in line]
    assert max(map(cell_len, lines)) <= width


def test_several_models_and_some_of_them(call) -> None:
    table = [write_hosts("two.csv", models=("old", "new")), "-g", "host", "-p", "attack", "-m", "model"]
    options = ["--at", "fpr=0.1", "--boot", "0", "--json"]
    every, turned, one = (
        as_json(call("cutoff", *table, *options, *own).out)["cutoffs"]
        for own in ([], ["--models", "new,old"], ["--models", "new"])
    )
    assert [own["model"] for own in every] == ["old", "new"]
    assert [own["model"] for own in turned] == ["new", "old"]
    assert one == [own for own in every if own["model"] == "new"]
    shown = call("cutoff", *table, *options, "--models", "newer")
    assert (shown.code, shown.err[:11]) == (2, "error RS001")
    assert call("cutoff", *table, *options, "--models", "new,").code == 2


# Groups


def test_a_group_of_one_class_is_left_out(call, hosts) -> None:
    with open("hosts.csv", "a") as file:
        file.write("lonely,normal,0.3\n")
    for options in ([], ["--at", "youden"], ["--at", "eer", "--deploy", "own"]):
        shown = call("cutoff", *hosts, *options, "--boot", "0")
        assert shown.code == 0
        assert shown.err.count("warning RS201 ") == 1


def test_groups_that_call_nothing_positive_are_named_once(call) -> None:
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
    names = [one["group"] for one in own if one["cutoff"]["threshold"] == "inf"]
    assert len(names) > 5
    assert shown.err.count("warning RS241 ") == 1
    assert f"in {len(names)} of 20 customers the best cut-off calls nothing positive." in said(shown.err)
    assert shown.out.count("calls nothing") == len(names)


def test_a_target_that_only_calling_nothing_positive_keeps(call) -> None:
    Path("tied.csv").write_text("y,s\n" + "".join(f"{i % 2},{i // 2}\n" for i in range(40)))
    shown = call("cutoff", "tied.csv", "-y", "y", "-s", "s", "--at", "fpr=0", *QUICK)
    assert shown.code == 0
    assert "nothing is called positive" in shown.out
    assert "warning RS240 " in shown.err


# Files and streams


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_files(call, hosts, ending) -> None:
    name = f"cutoffs.{ending}"
    given = ["cutoff", *hosts, "--at", "youden", "--at", "t=inf", *QUICK, "-o", name]
    shown = call(*given)
    assert shown.code == 0
    assert name in shown.err
    expected = choose_cutoff(rs.average(read_hosts(), "threshold"), "youden")
    if ending == "csv":
        first, second = csv.DictReader(io.StringIO(Path(name).read_text()))
        assert float(first["threshold"]) == expected.threshold
        assert float(first["best_low"]) == expected.intervals(n_resamples=100).threshold.low
        assert (second["at"], second["threshold"], second["best_low"]) == ("threshold=inf", "inf", "")
    elif ending == "json":
        found = as_json(Path(name).read_text())["cutoffs"]
        assert [own["cutoff"]["threshold"] for own in found] == [expected.threshold, "inf"]
    else:
        import duckdb

        rows = duckdb.sql(f'SELECT "at", threshold, midpoint FROM "{name}"').fetchall()
        assert rows == [("youden", expected.threshold, expected.midpoint), ("threshold=inf", math.inf, None)]
    before = Path(name).read_bytes()
    assert call(*given, "--confidence-level", "0.8").err.startswith("error RS003 ")
    assert Path(name).read_bytes() == before


def test_names_in_a_file_start_no_formula(call, hosts) -> None:
    Path("evil.csv").write_text(Path("hosts.csv").read_text().replace("h1,", "=cmd(),"))
    call("cutoff", "evil.csv", *hosts[1:], "--at", "youden", "--deploy", "own", "-o", "own.csv", "-q")
    rows = list(csv.DictReader(io.StringIO(Path("own.csv").read_text())))
    assert [row["group"] for row in rows][1] == "'=cmd()"
    assert len(rows) == 10


def test_quiet(call, patients) -> None:
    shown = call("cutoff", *patients, "--at", "youden", "--at", "t=0.5", "--boot", "0", "-q")
    assert (shown.code, shown.err) == (0, "")
    expected = [choose_cutoff(read_patients(), "youden").threshold, 0.5]
    assert [float(line) for line in shown.out.splitlines()] == expected


def test_standard_input(spawn) -> None:
    name = write_patients("patients.csv")
    given = ["-y", "disease", "-s", "marker", "-p", "ill", "--at", "youden", "-q", "--boot", "0"]
    shown = spawn("cutoff", "-", *given, stdin=Path(name).read_text())
    assert (shown.code, shown.err) == (0, "")
    assert float(shown.out) == choose_cutoff(read_patients(), "youden").threshold
    assert spawn("cutoff", "-", *given, "--cutoff-from", "-", stdin="").code == 2


def test_strict(call) -> None:
    given = [
        "cutoff",
        write_hosts("few.csv", n_hosts=5),
        "-g",
        "host",
        "-p",
        "attack",
        "--at",
        "youden",
        *QUICK,
    ]
    shown = call(*given)
    assert shown.code == 0
    assert "warning RS242 " in shown.err
    assert call(*given, "--strict").code == 4
    assert "RS242" in [warning["code"] for warning in as_json(call(*given, "--json").out)["warnings"]]


def test_colours_and_escapes_of_a_file_do_not_reach_the_terminal(call) -> None:
    lines = [f"a\x1b[2J{i % 3},{i % 2},{i % 2 + i / 7:.2f}" for i in range(40)]
    Path("odd.csv").write_text("gr\x1boup,y,s\n" + "\n".join(lines) + "\n")
    for options in (["--at", "youden", "--boot", "100"], ["--deploy", "own"]):
        shown = call("cutoff", "odd.csv", "-g", "gr\x1boup", "-y", "y", "-s", "s", *options)
        assert shown.code == 0
        assert "\x1b" not in shown.out + shown.err


# Mistakes


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--at", "0.5"], "RS092"),
        (["--at", "yuden"], "RS092"),
        (["--at", "t=nan"], "RS092"),
        (["--at", "t=50%"], "RS092"),
        (["--at", "fpr="], "RS092"),
        (["--at", "fpr=5%%"], "RS092"),
        (["--at", "fpr=2"], "RS042"),
        (["--costs", "1:2..1:5"], "RS094"),
        (["--costs", "1"], "RS094"),
        (["--costs", "0:0"], "RS081"),
        (["--costs", "1:-2"], "RS081"),
        (["--prevalence", "2"], "RS042"),
        (["--prevalence", "often"], "RS042"),
        (["--confidence-level", "95"], "RS042"),
        (["--boot", "1"], "RS042"),
        (["--seed", "-1"], "RS042"),
        (["--weigh", "rows", "--deploy", "own"], "RS002"),
    ],
)
def test_a_mistake_is_told_with_what_to_type(call, hosts, options, code) -> None:
    shown = call("cutoff", *hosts, *options)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error {code} ")
    assert not re.search(r"\w\(|\w+='|\w+=\(", shown.err), shown.err
    told = re.sub(r"\n {4}(?! )", " ", shown.err)
    ways = [
        line.rsplit("  ", 1)[-1].strip("→ ?") for line in told.splitlines() if "→" in line and "--" in line
    ]
    assert ways
    for way in ways:
        if way == "--weigh":  # to be left out
            continue
        again = call("cutoff", *hosts, "--at", "t=1", *shlex.split(way), "-q")
        assert again.code == 0, (way, again.err)


def test_what_is_about_groups_needs_groups(call, patients) -> None:
    for option in (["--deploy", "own"], ["--weigh", "rows"]):
        shown = call("cutoff", *patients, *option, "--at", "fpr=0.1")
        assert shown.code == 2
        assert shown.err.startswith(f"error RS002 {' '.join(option)} is about several groups")


def test_files_that_cannot_be_read_or_written(call, patients) -> None:
    assert call("cutoff", "nothing.csv").code == 3
    assert call("cutoff", *patients, "--at", "youden", "--cutoff-from", "nothing.csv").code == 3
    assert call("cutoff", *patients, "-o", "cutoffs.txt").code == 2
    assert call("cutoff", *patients, "-o", "no folder/cutoffs.csv").code == 3
    assert call("cutoff", "patients.csv", "-y", "disease", "-s", "nothing").code == 2
    write_patients("low.csv", low=True)
    assert call("cutoff", "low.csv", *patients[1:]).err.startswith("error RS041 ")
