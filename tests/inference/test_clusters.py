"""Patients with several rows each: drawn whole, by the bootstrap and by the test of two classifiers."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady import PartialAuc, bootstrap, bootstrap_test
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS104", "ignore:RS151", "ignore:RS27[1-4]")

STATISTICS = ["auc", PartialAuc(fpr=(0, 0.3)), {"fpr": 0.2}, {"tpr": 0.8}]


def clinic(
    n_patients: int = 40, rows: int = 4, alike: float = 0.6, seed: object = 0
) -> dict[str, np.ndarray]:
    """Two models of equal worth; ``alike`` is the correlation of the rows of a patient."""
    stream = np.random.default_rng(seed)
    patient = np.repeat(np.arange(n_patients), rows)
    sick = patient % 2
    scores = [
        1.2 * sick
        + np.sqrt(alike) * stream.normal(size=n_patients)[patient]
        + np.sqrt(1 - alike) * stream.normal(size=patient.size)
        for _ in range(2)
    ]
    return {"sick": sick, "a": scores[0], "b": scores[1], "patient": patient}


def read(table: dict[str, np.ndarray], **roles: str) -> rs.ScoreSet:
    return rs.ScoreSet.from_frame(table, label="sick", score=["a", "b"], case="patient", **roles)


# Laws of the bootstrap


@pytest.mark.parametrize("statistic", [*STATISTICS, {"fpr": [0.1, 0.5]}])
def test_named_cases_are_the_clusters(statistic) -> None:
    table = clinic()
    score_set = read(table)
    expected = bootstrap(rs.Scores(table["sick"], table["a"]), statistic, clusters=table["patient"])
    for given_scores in (score_set["a / all"], score_set.model("a"), [score_set["a / all"]]):
        for random in (None, "clusters"):  # cases that repeat are drawn whole without being asked
            found = bootstrap(given_scores, statistic, random=random)
            np.testing.assert_array_equal(found.values, expected.values)
            np.testing.assert_array_equal(found.interval.low, expected.interval.low)
            assert "40 cases" in found.random
            assert "all its rows" in found.random


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_the_order_of_the_table_does_not_matter(seed) -> None:
    table = clinic(12, 3)
    order = np.random.default_rng(seed).permutation(table["sick"].size)
    shuffled = read({name: column[order] for name, column in table.items()})
    own = read(table)
    a, b = (bootstrap(one.model("a"), n_resamples=100) for one in (own, shuffled))
    np.testing.assert_array_equal(a.values, b.values)
    tests = [bootstrap_test(*one, n_resamples=100) for one in (own, shuffled)]
    assert tests[0].to_dict() == tests[1].to_dict()


@pytest.mark.parametrize("statistic", STATISTICS)
def test_rows_that_are_doubled_within_their_patient_change_nothing(statistic) -> None:
    table = clinic(30, 2)
    own, doubled = read(table), read({name: np.repeat(column, 2) for name, column in table.items()})
    a, b = (bootstrap(one.model("a"), statistic) for one in (own, doubled))
    np.testing.assert_allclose(a.values, b.values, rtol=1e-12)
    assert b.interval.low == pytest.approx(a.interval.low, rel=1e-12)
    assert b.interval.high == pytest.approx(a.interval.high, rel=1e-12)
    first, second = (bootstrap_test(*one, statistic=statistic) for one in (own, doubled))
    assert second.pvalue == pytest.approx(first.pvalue, rel=1e-9)
    with pytest.warns(rs.RocsteadyWarning, match="drawn one by one"):
        singly = bootstrap(doubled.model("a"), statistic, random="cases")
    assert singly.standard_error < 0.8 * b.standard_error


def test_patients_with_one_row_each_are_cases() -> None:
    """Clusters are drawn whatever their class, cases within it: the same spread but for Monte Carlo error."""
    table = clinic(400, 1)
    scores = read(table)["a / all"]
    cases, patients = (
        bootstrap(scores, n_resamples=4000),
        bootstrap(scores, random="clusters", n_resamples=4000),
    )
    assert "within each class" in cases.random  # no case has two rows
    assert patients.standard_error == pytest.approx(cases.standard_error, rel=0.06)
    assert patients.interval.low == pytest.approx(cases.interval.low, abs=0.005)
    assert patients.interval.high == pytest.approx(cases.interval.high, abs=0.005)
    given_rows = (table["sick"], table["a"], table["b"])
    by_case = bootstrap_test(*given_rows, n_resamples=4000)
    by_patient = bootstrap_test(*given_rows, clusters=table["patient"], n_resamples=4000)
    assert by_patient.standard_error == pytest.approx(by_case.standard_error, rel=0.06)
    assert by_patient.pvalue == pytest.approx(by_case.pvalue, abs=0.03)


def test_many_datasets_are_drawn_whole_unless_cases_are_asked_for() -> None:
    table = clinic(40, 3)
    table["site"] = table["patient"] // 10
    score_set = read(table, group="site").model("a")
    assert re.search("4 sites.*drawn whole", bootstrap(score_set).random)
    within = bootstrap(score_set, random="clusters")
    assert re.search("40 cases.*within each site", within.random)
    patients = [np.repeat(np.arange(10 * i, 10 * i + 10), 3) for i in range(4)]
    np.testing.assert_array_equal(bootstrap(score_set, clusters=patients).values, within.values)


# Laws of the test


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("statistic", STATISTICS)
def test_changing_places_changes_the_sign_only(statistic, paired) -> None:
    t, other = clinic(20), clinic(15, seed=1)
    how = {"statistic": statistic, "paired": paired}
    if paired:
        how["clusters"] = t["patient"]
        first, second = (bootstrap_test(t["sick"], t[x], t[y], **how) for x, y in ("ab", "ba"))
    else:
        first, second = (
            bootstrap_test(
                (x["sick"], y["sick"]), x["a"], y["a"], clusters=(x["patient"], y["patient"]), **how
            )
            for x, y in ((t, other), (other, t))
        )
    assert first.difference == -second.difference
    assert first.pvalue == second.pvalue
    assert first.interval.low == pytest.approx(-second.interval.high)
    assert first.df == second.df < np.inf


def test_sets_of_their_own_patients_are_drawn_apart() -> None:
    """Variances of two bootstraps add up, with Welch's degrees of freedom."""
    t, other = clinic(20), clinic(15, 3, seed=1)
    draws = [bootstrap(rs.Scores(x["sick"], x["a"]), clusters=x["patient"], seed=3) for x in (t, other)]
    found = bootstrap_test(
        (t["sick"], other["sick"]),
        t["a"],
        other["a"],
        clusters=(t["patient"], other["patient"]),
        paired=False,
        seed=3,
    )
    variances = np.array([own.standard_error**2 for own in draws])
    assert found.standard_error == pytest.approx(np.sqrt(variances.sum()), rel=1e-12)
    dfs = np.array([own._resamples.df for own in draws])
    assert found.df == pytest.approx(variances.sum() ** 2 / (variances**2 / dfs).sum(), rel=1e-12)
    assert re.search("20 clusters.*15 clusters", found.random)


@pytest.mark.filterwarnings("ignore:RS279")
def test_patients_of_one_set_and_rows_of_the_other_are_named_apart() -> None:
    patients, rows = read(clinic(20))["a / all"], clinic(30, 1, seed=1)
    alone = rs.Scores(rows["sick"], rows["a"])
    assert re.search("20 cases.*30 rows", bootstrap_test(patients, alone, paired=False).random)
    assert re.search("30 rows.*20 cases", bootstrap_test(alone, patients, paired=False).random)


@given(labelled_scores(kinds=("tied floats",)), st.data())
@settings(max_examples=15)
def test_equal_models_have_p_of_exactly_one(given_scores, data) -> None:
    labels, scores = given_scores
    n = labels.size
    clusters = data.draw(
        st.lists(st.integers(0, 4), min_size=n, max_size=n).filter(lambda c: len(set(c)) > 1)
    )
    assert bootstrap_test(labels, scores, scores, clusters=clusters, n_resamples=100).pvalue == 1


def test_the_difference_is_that_of_the_same_draws() -> None:
    """The standard error of the difference is that of two bootstraps with one seed, draw by draw."""
    t = clinic(25)
    a, b = (
        bootstrap(rs.Scores(t["sick"], t[own]), {"fpr": 0.2}, clusters=t["patient"], seed=3)
        for own in ("a", "b")
    )
    found = bootstrap_test(t["sick"], t["a"], t["b"], statistic={"fpr": 0.2}, clusters=t["patient"], seed=3)
    n = a._resamples.n_drawn
    expected = np.std(a.values - b.values, ddof=1) * np.sqrt(n / (n - 1))
    assert found.standard_error == pytest.approx(expected, rel=1e-12)
    assert found.difference == a.estimate - b.estimate


def test_the_level_is_kept_by_patients_and_not_by_rows() -> None:
    """Models of equal worth, 40 patients with 4 alike rows each: 5 % of the tests may say otherwise.

    In 600 runs it was 3.8 to 5.3 % of the four statistics by patients, and 18 to 25 % by rows.
    """
    n_runs, by_patient, by_row = 200, 0, 0
    for run in range(n_runs):
        t = clinic(seed=[1, run])
        how = {"n_resamples": 200, "seed": run}
        by_patient += bootstrap_test(t["sick"], t["a"], t["b"], clusters=t["patient"], **how).pvalue < 0.05
        by_row += bootstrap_test(t["sick"], t["a"], t["b"], **how).pvalue < 0.05
    assert abs(by_patient / n_runs - 0.05) < 3 * np.sqrt(0.05 * 0.95 / n_runs)
    assert by_row / n_runs > 0.15


@pytest.mark.filterwarnings("ignore:RS279")
def test_scores_that_know_their_cases_need_no_clusters() -> None:
    table = clinic()
    score_set = read(table)
    found = bootstrap_test(*score_set)
    asked = bootstrap_test(table["sick"], table["a"], table["b"], clusters=table["patient"])
    assert found.pvalue == asked.pvalue
    assert "40 cases" in found.reading
    assert "40 clusters" in asked.random
    assert "t = " in repr(found)
    half = bootstrap_test(
        score_set["a / all"], rs.Scores(score_set["b / all"].is_positive, score_set["b / all"].scores)
    )
    assert half.pvalue == found.pvalue
    apart = bootstrap_test(*score_set, paired=False)
    assert "40 cases of the first" in apart.reading
    once = read(clinic(40, 1))
    assert "all its rows" not in bootstrap_test(*once).random
    assert np.isinf(bootstrap_test(*once).df)


def test_three_classifiers_know_their_clusters_as_two_do() -> None:
    rng, sick, patient = np.random.default_rng(0), np.arange(120) % 2, np.arange(120) // 3
    scores = [rng.normal(sick) for _ in range(3)]
    table = {"sick": [*sick] * 3, "score": np.concatenate(scores), "model": np.repeat(list("abc"), 120)}
    table |= {"case": [*range(120)] * 3, "patient": [*patient] * 3}
    read = rs.ScoreSet.from_frame(
        table, label="sick", score="score", model="model", case="case", cluster="patient"
    )
    found, asked = rs.compare_auc(*read), rs.compare_auc(sick, *scores, clusters=patient)
    assert (found.pvalue, found.error_df) == (asked.pvalue, asked.error_df)
    assert found.pvalue != rs.compare_auc(sick, *scores).pvalue


# What is said


def test_cases_with_several_rows_are_told_once_when_they_are_read() -> None:
    with pytest.warns(
        rs.RocsteadyWarning, match="RS104: 40 of 40 cases have several rows in one group"
    ) as told:
        read(clinic())
    assert len(told) == 1
    assert "random='clusters'" in str(told[0].message)


@pytest.mark.filterwarnings("error:RS104")
def test_a_case_in_several_groups_and_models_is_no_matter() -> None:
    table = clinic(20, 3)
    table["repeat"] = np.tile(np.arange(3), 20)
    assert len(read(table, group="repeat")) == 6


def test_one_case_with_two_rows_is_told() -> None:
    with pytest.warns(rs.RocsteadyWarning, match="RS104: 1 of 3 cases has several rows in one ward"):
        rs.ScoreSet.from_arrays([1, 1, 0, 0], [4, 3, 2, 1], [0] * 4, cases=[7, 7, 8, 9], unit="ward")


def test_patients_with_both_classes_are_told_of_clusters() -> None:
    with pytest.raises(rs.RocsteadyError, match=r"RS026[\s\S]*clusters=patients"):
        rs.ScoreSet.from_arrays([1, 0], [2, 1], cases=["p", "p"])


TABLE = clinic(6, 2)


@pytest.mark.parametrize(
    ("call", "code", "text"),
    [
        (lambda s, a, b, p: bootstrap(s, a), "RS002", "bootstrap(Scores(labels, scores))"),
        (lambda s, a, b, p: bootstrap(s.tolist(), a.tolist()), "RS002", "bootstrap(Scores(labels, scores))"),
        (lambda s, a, b, p: bootstrap(rs.Scores(s, a), random="clusters"), "RS058", "cluster='patient'"),
        (lambda s, a, b, p: bootstrap_test(s, a, b, clusters=p[:3]), "RS013", "clusters: 3, rows: 12"),
        (lambda s, a, b, p: bootstrap_test(s, a, b, clusters=0 * p), "RS057", "all rows are one cluster"),
        (
            lambda s, a, b, p: bootstrap_test((s, s), a, b, clusters=p, paired=False),
            "RS058",
            "clusters=(patients_a, patients_b)",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(call, code, text) -> None:
    with pytest.raises(rs.RocsteadyError) as caught:
        call(TABLE["sick"], TABLE["a"], TABLE["b"], TABLE["patient"])
    assert caught.value.code == code
    assert text in str(caught.value)


def test_a_class_in_one_cluster_is_told() -> None:
    t = clinic(20, 1)
    clusters = np.where(t["sick"] == 1, 0, np.arange(1, 21))
    with pytest.warns(rs.RocsteadyWarning, match="RS274"):
        found = bootstrap_test(t["sick"], t["a"], t["b"], clusters=clusters)
    assert np.isnan(found.pvalue)


@pytest.mark.parametrize("order", [1, -1])
def test_a_class_in_one_cluster_of_either_set_is_told(order) -> None:
    t = clinic(20, 2)
    one_cluster = np.where(t["sick"] == 1, 0, t["patient"] + 1)
    with pytest.warns(rs.RocsteadyWarning, match="RS274") as told:
        bootstrap_test(
            (t["sick"], t["sick"]),
            t["a"],
            t["b"],
            clusters=(one_cluster, t["patient"])[::order],
            paired=False,
        )
    assert len([own for own in told if "RS274" in str(own.message)]) == 1


def test_what_both_classifiers_share_is_told_once_and_many_clusters_tell_nothing() -> None:
    t = clinic(20, 1)
    few = np.where(t["sick"] == 1, t["patient"] % 4 // 2, np.arange(2, 22))  # two clusters with the sick
    with pytest.warns(rs.RocsteadyWarning, match="RS273") as told:
        bootstrap_test(t["sick"], t["a"], t["b"], clusters=few)
    assert [str(own.message)[:5] for own in told].count("RS273") == 1
    plenty = clinic()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bootstrap_test(plenty["sick"], plenty["a"], plenty["b"], clusters=plenty["patient"])


def test_sets_of_one_group_are_classifiers() -> None:
    table = clinic(20, 1)
    score_set = read(table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "RS156")
        found = rs.compare_auc(score_set.model("a"), score_set.model("b"))
    assert found.pvalue == rs.compare_auc(table["sick"], table["a"], table["b"]).pvalue
    table["site"] = table["patient"] % 4 // 2
    sites = read(table, group="site")
    with pytest.raises(rs.RocsteadyError) as caught:
        rs.venkatraman_test(sites.model("a"), sites.model("b"))
    assert "venkatraman_test(score_set['a / 0'], score_set['b / 0'])" in str(caught.value)


# Where rows are taken as independent, patients of the set are pointed out


def read_patients(table: dict[str, np.ndarray], **roles: str) -> rs.ScoreSet:
    return rs.ScoreSet.from_frame(table, label="sick", score=["a", "b"], cluster="patient", **roles)


@pytest.mark.filterwarnings("error:RS104")
def test_methods_that_take_rows_as_independent_say_so() -> None:
    score_set = read_patients(clinic())
    alone = read_patients(clinic() | {"patient": np.arange(160)})
    calls = {
        "a plan": lambda own: rs.plan(own.model("a"), half_width=0.1),
        "venkatraman_test": lambda own: rs.venkatraman_test(*own, n_permutations=100),
    }
    for what, call in calls.items():
        with pytest.warns(rs.RocsteadyWarning, match=f"{what} takes rows as independent"):
            call(score_set)
        call(alone)  # patients with one row each: RS104 would be an error here
    bootstrap(score_set["a / all"], n_resamples=100)
    bootstrap_test(*score_set, n_resamples=100)
    rs.compare_auc(*score_set)  # allow for it
    rs.compare(score_set, "a", "b", at={"fpr": 0.1}, n_resamples=100)


@pytest.mark.filterwarnings("error:RS104", "ignore:RS28[5-9]")
def test_a_summary_over_groups_takes_their_spread_as_it_is() -> None:
    table = clinic(120) | {"site": np.repeat(np.arange(6), 80)}
    sites = read_patients(table, group="site").model("a")
    rs.summarize_auc(sites)
    with pytest.warns(rs.RocsteadyWarning, match="summarize_auc by cv-influence takes rows as independent"):
        rs.summarize_auc(sites, "cv-influence")
    for method in ("t", "random-effects"):  # the error of every site allows for its patients
        found = rs.summarize_auc(sites, method).per_group
        curves = rs.roc_curves(sites)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "RS157")
            np.testing.assert_allclose(found.standard_error, curves.auc_standard_error())
            np.testing.assert_allclose(found.interval.low, curves.auc_interval().low)
    both = read_patients(table, group="site")
    rs.compare(both, "a", "b", method="vertical")  # sites are random, whatever their rows have in common
    with pytest.warns(rs.RocsteadyWarning, match="a comparison at points"):
        rs.compare(both, "a", "b", random="cases", n_resamples=100, method="vertical")


@pytest.mark.filterwarnings("error:RS104", "ignore:RS157")
def test_patients_keep_their_rows_where_cases_are_left_out() -> None:
    table = clinic(30, 2, seed=5)
    rows = np.arange(60)
    long = {
        "sick": np.tile(table["sick"], 2),
        "score": np.concatenate([table["a"], table["b"]]),
        "model": np.repeat(["a", "b"], 60),
        "row": np.tile(rows, 2),
        "patient": np.tile(table["patient"], 2),
    }
    roles = {"label": "sick", "score": "score", "model": "model", "case": "row", "cluster": "patient"}
    kept = (long["model"] == "a") | (long["row"] % 2 == 0)  # b scored one row of every patient
    both = rs.ScoreSet.from_frame({name: column[kept] for name, column in long.items()}, **roles)
    found = rs.compare(both, "a", "b", unmatched="drop", n_resamples=100, method="vertical")
    assert found.auc.a_value == rs.auc(table["sick"][::2], table["a"][::2])
    whole = rs.compare(rs.ScoreSet.from_frame(long, **roles), "a", "b", n_resamples=100, method="vertical")
    assert "the 30 patients are treated as a random sample, each with all its rows" in whole.auc.random


def test_a_comparison_of_one_dataset_draws_whole_patients() -> None:
    """At a budget, at a threshold and along the curve rows were drawn one by one."""
    table = clinic(60, 4)
    own, rows = read_patients(table), read_patients(table | {"patient": np.arange(240)})
    asked = {"at": [{"fpr": 0.2}, {"threshold": 0.5}], "n_resamples": 400}
    by_patient, by_row = (rs.compare(of, "a", "b", **asked, method="vertical") for of in (own, rows))
    for a, b in zip(by_patient.at, by_row.at, strict=True):
        assert a.difference == b.difference
        assert np.isfinite(a.df)
        assert np.isinf(b.df)
        assert a.a_interval.high - a.a_interval.low > b.a_interval.high - b.a_interval.low
    assert "bootstrap of clusters" in by_patient.curve.method
    again = read_patients({name: column[::-1] for name, column in table.items()})
    assert (
        rs.compare(again, "a", "b", **asked, method="vertical").at[0].standard_error
        == by_patient.at[0].standard_error
    )


def test_two_samples_have_the_errors_of_both_where_rows_of_one_belong_together():
    """The variance of the sample whose rows are independent was once left out."""
    rng = np.random.default_rng(7)
    labels = np.concatenate([np.repeat(np.tile([1, 0], 30), 2), np.tile([1, 0], 60)])
    rows = {
        "label": labels,
        "score": rng.normal(size=240) + 1.5 * labels,
        "case": [*np.repeat(np.arange(60), 2), *range(1000, 1120)],  # two rows of each, then one
        "model": ["twice"] * 120 + ["once"] * 120,
    }
    scores = rs.ScoreSet.from_frame(rows, label="label", score="score", case="case", model="model")
    found = rs.compare(scores, "twice", "once", paired=False, random="cases", n_resamples=200)
    variances = [rs.roc_curve(scores[name]).auc_standard_error() ** 2 for name in scores.names]
    assert found.auc.standard_error**2 == pytest.approx(sum(variances), rel=1e-9)
