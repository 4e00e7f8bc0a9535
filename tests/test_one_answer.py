"""One question, one answer: the same bits from Python, the commands and the report.

What still differs is a strict expected failure; that list only shrinks.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.cli import run
from rocsteady.inference.compare import compare_at
from rocsteady.report.summary.making import summarize

PLACE = {"fpr": 0.1}
KEYS = ("threshold", "vertical")


def columns(n_groups: int, n: int, repeats: int = 1) -> dict[str, list]:
    """Two models on hosts, or on folds of a repeated cross-validation."""
    rng = np.random.default_rng(5)
    found: dict[str, list] = {name: [] for name in ("group", "repeat", "label", "old", "new")}
    for repeat in range(repeats):
        for group in range(n_groups):
            labels = np.arange(n) % 2
            base = 1.2 * labels + 0.3 * rng.normal() + rng.normal(size=n)
            found["group"] += [f"g{group}"] * n
            found["repeat"] += [f"r{repeat}"] * n
            found["label"] += labels.tolist()
            found["old"] += np.round(base + rng.normal(size=n), 3).tolist()
            found["new"] += np.round(base + 0.5 * rng.normal(size=n), 3).tolist()
    return found


SETS = {"hosts": columns(9, 120), "folds": columns(5, 100, repeats=3)}


@pytest.fixture(scope="module", params=sorted(SETS))
def asked(request, tmp_path_factory):
    """The scores, and what to type for them."""
    own = SETS[request.param]
    path = tmp_path_factory.mktemp(request.param) / "rows.csv"
    names = [name for name in own if name != "repeat" or request.param == "folds"]
    rows = zip(*(own[name] for name in names), strict=True)
    path.write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]) + "\n")
    roles = {"label": "label", "score": ["old", "new"], "group": "group"}
    typed = [str(path), "-g", "group", "-y", "label", "-s", "old", "-s", "new"]
    if request.param == "folds":
        return rs.read_scores(path, **roles, repeat="repeat"), [*typed, "--repeat", "repeat"]
    return rs.read_scores(path, **roles, design="independent"), [*typed, "--design", "independent"]


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, ...], str]:
    """What was typed and said: a report is asked for several of its numbers."""
    return {}


@pytest.fixture
def command(answers, capsys):
    """What a command says in JSON."""

    def say(*typed: str):
        if typed not in answers:
            assert run([*typed]) == 0
            answers[typed] = capsys.readouterr().out
        return json.loads(answers[typed])

    return say


def limits(interval) -> tuple[float, float]:
    return float(interval.low), float(interval.high)


def quietly(call, *given, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*given, **options)


DEPLOYED = {
    "threshold": ["--deploy", "shared", "--weigh", "groups"],
    "vertical": ["--deploy", "own", "--hold", "fpr"],
}


@pytest.mark.parametrize("key", KEYS)
def test_a_rate_at_a_place_and_the_difference_of_two(asked, command, key):
    scores, typed = asked
    average = rs.average(scores.model("old"), key)
    own = limits(average.at(**PLACE).tpr_interval)
    compared = quietly(rs.compare, scores, "old", "new", method=key, at=PLACE)
    (found,) = compared.at
    assert limits(found.a_interval) == pytest.approx(own, abs=1e-14)
    (again,) = compare_at(scores, "old", "new", method=key, at=PLACE).differences
    assert again.to_dict() == found.to_dict()
    said = command("compare", *typed, *DEPLOYED[key], "--at", "fpr=0.1", "--models", "old,new", "--json")
    (row,) = said["comparisons"][0]["at"]
    assert (row["difference"], row["pvalue"]) == (found.difference, found.pvalue)
    assert (row["a_interval"]["low"], row["a_interval"]["high"]) == limits(found.a_interval)
    page = command("report", *typed, *DEPLOYED[key], "--at", "fpr=0.1", "--json")
    (pair,) = page["comparison"]["pairs"]
    assert (pair["difference"], pair["pvalue"]) == (found.difference, found.pvalue)
    assert (pair["low"], pair["high"]) == limits(found.interval)
    assert tuple(pair["a_limits"]) == pytest.approx(limits(found.a_interval), abs=1e-14)


@pytest.mark.parametrize("key", KEYS)
def test_the_area_under_an_average(asked, command, key):
    scores, typed = asked
    average = rs.average(scores.model("old"), key)
    expected = (average.auc, *limits(average.auc_interval()))
    page = command("report", *typed, *DEPLOYED[key], "--at", "fpr=0.1", "--json")
    (mode,) = [own for own in page["averages"] if own["key"] == key]
    (model,) = [own for own in mode["models"] if own["model"] == "old"]
    assert (model["auc"], *model["auc_interval"]) == expected
    advice = quietly(rs.advise, page_deployment(key), scores.model("old"))
    assert limits(advice.answers[0].auc_interval) == pytest.approx(expected[1:], abs=1e-12)
    if key == "vertical":
        summary = quietly(rs.summarize_auc, scores.model("old"))
        assert limits(summary.interval) == pytest.approx(expected[1:], abs=1e-12)
        compared = quietly(rs.compare, scores, "old", "new")
        assert limits(compared.auc.a_interval) == pytest.approx(expected[1:], abs=1e-12)


def page_deployment(key: str) -> rs.Deployment:
    return (
        rs.Deployment("shared", at=PLACE) if key == "threshold" else rs.Deployment("own", hold="fpr", at=0.1)
    )


@pytest.mark.parametrize("key", KEYS)
def test_advice_reads_the_same_rate(asked, key):
    scores, _ = asked
    own = rs.average(scores.model("old"), key).at(**PLACE).tpr_interval
    (answer,) = quietly(rs.advise, page_deployment(key), scores.model("old")).answers
    assert limits(answer.value_interval) == pytest.approx(limits(own), abs=1e-12)


def test_a_shared_threshold_kept(asked, command):
    scores, typed = asked
    average = rs.average(scores.model("old"), "threshold")
    point = average.at(threshold=1.0)
    reading = average.at(**PLACE)
    kept = average.at(threshold=reading.threshold)
    assert limits(reading.kept.tpr_interval) == limits(kept.tpr_interval)
    assert limits(reading.kept.fpr_interval) == limits(kept.fpr_interval)
    said = command("average", *typed, "--method", "threshold", "--at", "t=1", "--json")
    (row,) = [own for own in said["operating_points"] if own["model"] == "old"]
    assert (row["tpr_interval"]["low"], row["tpr_interval"]["high"]) == limits(point.tpr_interval)


def test_one_dataset_has_one_interval_of_its_auc(command, tmp_path: Path):
    own = columns(1, 150)
    path = tmp_path / "one.csv"
    lines = [f"{a},{b}" for a, b in zip(own["label"], own["old"], strict=True)]
    path.write_text("\n".join(["label,score", *lines]) + "\n")
    curve = rs.roc_curve(own["label"], own["old"])
    expected = limits(curve.auc_interval())
    assert limits(rs.auc_interval(own["label"], own["old"])) == expected
    page = quietly(summarize, rs.read_scores(path)).to_dict()
    found = page["averages"][0]["models"][0]["auc_interval"]
    assert tuple(found) == pytest.approx(expected, abs=1e-14)
