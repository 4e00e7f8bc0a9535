"""Methods, ready to paste: complete, and citing exactly what they name."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.references import REFERENCES
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.methods import methods
from rocsteady.report.summary.points import points
from rocsteady.report.summary.settings import Settings

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")

USES = {
    "threshold": rs.Deployment("shared", at={"fpr": 0.05}),
    "pooled": rs.Deployment("shared", weigh="rows", at={"fpr": 0.05}),
    "vertical": rs.Deployment("own", hold="fpr", at=0.05),
    "horizontal": rs.Deployment("own", hold="tpr", at=0.9),
    "diagonal": rs.Deployment("own", hold="balance"),
    "radial": rs.Deployment("own", hold="ratio", at=(1, 2)),
    "alerts": rs.Deployment("own", hold="alerts", at=0.1, prevalence=0.03),
    "cost": rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.03),
}
SAID = {
    "threshold": "combined by threshold averaging",
    "pooled": "pooled into one curve, each row counting once",
    "vertical": "the true positive rate was averaged over hosts at every false positive rate",
    "horizontal": "the false positive rate was averaged over hosts at every true positive rate",
    "diagonal": "at every difference of the two error rates",
    "radial": "at every ratio of the two error rates",
    "alerts": "for a prevalence of 3 %",
    "cost": "tangent averaging",
}


@pytest.fixture(scope="module")
def hosts() -> rs.ScoreSet:
    rng = np.random.default_rng(4)
    names = np.repeat([f"host-{i}" for i in range(10)], 30)
    labels = np.where(rng.random(300) < 0.4, "attack", "normal")
    labels[names == "host-2"] = "normal"
    scores = rng.normal(size=300) + np.where(labels == "attack", 1.5, 0.0)
    return rs.ScoreSet.from_arrays(labels, scores, names, positive="attack", unit="host")


@pytest.mark.parametrize("key", USES)
def test_every_use_says_which_average_and_what_is_random(hosts, key) -> None:
    part = methods.make(Material(hosts, USES[key], Settings(n_resamples=300, seed=7)))
    text = part.text
    assert SAID[key] in text
    assert "(Hogan & Adams 2023)" in text
    assert "all hosts of which these are taken as a random sample" in text
    assert "1 host with one class only" in text
    assert "host-2" in text
    is_shared = key in ("threshold", "pooled")
    assert ("300 bootstrap samples of whole hosts (Efron & Tibshirani 1993; seed 7)" in text) == is_shared
    assert {each.key for each in part.references} >= {"hogan2023", "delong1988"}
    assert ("efron1993" in {each.key for each in part.references}) == is_shared
    for each in part.references:
        assert each.text in text
        assert f"{{{each.key}," in part.bibtex
        assert each.short == REFERENCES[each.key].short


def test_results_quote_the_table(hosts) -> None:
    material = Material(hosts, USES["threshold"], Settings(n_resamples=200))
    table = points.make(material)
    part = methods.make(material, table)
    (row,) = [own for own in table.rows if own.is_declared]
    assert part.results.startswith("At mean FPR 5 %, the mean true positive rate was ")
    low, high = (f"{100 * limit:.1f}" for limit in row.tpr_limits)
    assert f"{100 * row.tpr:.1f} % (95 % CI {low} to {high} %), threshold {row.cell}." in part.results
    assert "the operating point (FPR 5 %) was declared beforehand" in part.text
    assert "on half of the hosts and tried on the others" in part.text
    assert "paclik2008" in {each.key for each in part.references}


@pytest.mark.parametrize(
    ("random", "is_met_again", "said", "key"),
    [
        ("groups", True, "counts that the operating point would be met again", "holm1979"),
        ("groups", False, "paired t test over hosts", "holm1979"),
        ("cases", False, "cases as the random sample", "holm1979"),
        ("readers and cases", False, "Obuchowski & Rockette 1995", "obuchowski1995"),
    ],
)
def test_the_comparison_says_how_it_was_made(hosts, random, is_met_again, said, key) -> None:
    pair, other = (
        SimpleNamespace(
            a="one", b=b, random=random, is_met_again=is_met_again, is_paired=True,
            sentence=("It is ", "+3", "."), measure=SimpleNamespace(name="true positive rate"),
        )
        for b in ("two", "three")
    )  # fmt: skip
    material = Material(hosts, USES["threshold"])
    empty = points.PointsPart((), "", None, None, ())
    part = methods.make(material, empty, SimpleNamespace(pairs=(pair, other)))
    assert said in part.text
    assert key in {each.key for each in part.references}
    assert part.results == "It is +3. It is +3."


def test_two_rates_of_one_pair_are_no_several_pairs(hosts) -> None:
    pairs = [
        SimpleNamespace(
            a="one", b="two", random="groups", is_met_again=False, is_paired=True, sentence=("It is so.",),
            measure=SimpleNamespace(name=name),
        )
        for name in ("false positive rate", "true positive rate")
    ]  # fmt: skip
    empty = points.PointsPart((), "", None, None, ())
    part = methods.make(Material(hosts, USES["threshold"]), empty, SimpleNamespace(pairs=pairs))
    assert "compared by false positive rate and true positive rate" in part.text
    assert "each by itself, without adjustment" in part.text
    assert "Holm" not in part.text


def test_thresholds_of_other_rows_are_kept_and_not_drawn_again(hosts) -> None:
    text = methods.make(Material(hosts, USES["threshold"], Settings(cutoff_from=hosts))).text
    assert "Rates at a threshold that is kept have intervals by Student's t over hosts" in text
    assert "met again" not in text


def test_a_pooled_curve_has_the_rows_of_groups_with_one_class() -> None:
    labels = np.array([1, 1, 0, 0] * 9 + [0, 0])
    groups = np.repeat(np.arange(10), [4] * 9 + [2])
    rows = rs.ScoreSet.from_arrays(labels, np.arange(38.0), groups, unit="host")
    pooled = methods.make(Material(rows, rs.Deployment("shared", weigh="rows"))).text
    mean = methods.make(Material(rows, rs.Deployment("shared"))).text
    assert "on 10 hosts (18 positives and 20 negatives)" in pooled
    assert "for all rows of all hosts" in pooled
    assert "on 9 hosts (18 positives and 18 negatives)" in mean


def test_an_undeclared_use_recommends_nothing(hosts) -> None:
    part = methods.make(Material(hosts))
    assert "was not declared" in part.text
    assert "none is recommended" in part.text


def test_one_dataset_is_about_its_cases() -> None:
    rng = np.random.default_rng(0)
    rows = rs.ScoreSet.from_arrays(np.repeat([1, 0], 20), rng.normal(size=40))
    part = methods.make(Material(rows, None, Settings(words="medical", command="rocsteady report x.csv")))
    assert "nothing was averaged" in part.text
    assert "for other cases like these" in part.text
    assert "hogan2023" not in {each.key for each in part.references}
    assert "No rows were excluded." in part.text
    assert part.command == "rocsteady report x.csv"
    assert "STARD 2015" in part.to_add
    json.dumps(part.to_dict(), allow_nan=False)


def test_exclusions_are_counted(hosts) -> None:
    table = {"y": [1, 0] * 30, "s": [None, None, *map(float, range(58))], "fold": ["a"] * 44 + ["b"] * 16}
    rows = rs.ScoreSet.from_frame(table, label="y", score="s", group="fold", positive=1, on_missing="drop")
    part = methods.make(Material(rows, USES["threshold"], Settings(min_per_class=9)))
    assert "Left out: 2 rows (no score: 2) and 1 fold with fewer than 9 cases of a class (b)." in part.text
    given = methods.make(Material(rows, rs.Deployment("shared", at=3.0)))
    assert "The threshold was prespecified." in given.text


def test_predictive_values_are_said_to_be_for_a_prevalence(hosts) -> None:
    said = rs.Deployment("own", hold="fpr", at=0.1, prevalence=0.02)
    for use, told in (
        (said, "Predictive values and accuracy are for a declared prevalence of 2 %."),
        (USES["threshold"], "Predictive values and accuracy are for the prevalence among these rows, "),
    ):
        material = Material(hosts, use, Settings(words="medical", n_resamples=50))
        assert told in methods.make(material, points.make(material)).text
    assert "revalence" not in methods.make(Material(hosts, USES["threshold"])).text
