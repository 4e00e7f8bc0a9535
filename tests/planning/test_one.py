"""rs.plan of a single dataset: its cases are what is random, and it agrees with the tests of one dataset."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.planning.plan import plan
from rocsteady.statistics.power import noncentrality, power
from strategies import labelled_scores

pytestmark = pytest.mark.filterwarnings(
    "ignore:RS101", "ignore:RS292", "ignore:RS297", "ignore:RS151", "ignore:RS154"
)

MEASURES = ["auc", {"fpr": 0.1}, {"tpr": 0.8}, {"threshold": 1.0}]


def dataset(n_positives=60, n_negatives=120, *, seed=0, gap=0.5, correlation=0.3, times=1) -> rs.ScoreSet:
    """Models new and old on the same cases; every case so many times."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n_positives + n_negatives) < n_positives
    shared, *own = rng.normal(size=(3, labels.size))
    noise = [np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * each for each in own]
    scores = {"new": 1.5 * labels + noise[0], "old": (1.5 - gap) * labels + noise[1]}
    return rs.ScoreSet.from_arrays(
        np.tile(labels, times), {name: np.tile(own, times) for name, own in scores.items()}
    )


# Laws


@settings(max_examples=40)
@given(labelled_scores(min_per_class=2), st.integers(0, 99))
def test_now_is_what_delongs_test_says(scored, seed) -> None:
    labels, a = scored
    b = np.random.default_rng(seed).permutation(np.asarray(a))
    found = plan(rs.ScoreSet.from_arrays(labels, {"a": a, "b": b}), models=("a", "b"))
    tested = rs.compare_auc(labels, a, b, reference="normal")
    assert found.estimate == tested.difference
    assert found.half_width == pytest.approx((tested.interval.high - tested.interval.low) / 2, abs=1e-12)
    assert found.means == tuple(tested.aucs)
    assert found.half_width_at() == found.half_width == found.table(times_cases=[1]).half_width[0]
    if found.within > 0:
        assert found.correlation == pytest.approx(tested.correlation, abs=1e-9, nan_ok=True)


@settings(max_examples=40)
@given(labelled_scores(min_per_class=2))
def test_one_auc_has_the_interval_of_its_curve(scored) -> None:
    labels, scores = scored
    found = plan(rs.ScoreSet.from_arrays(labels, scores))
    curve = rs.roc_curve(labels, scores)
    assert found.estimate == curve.auc
    assert found.half_width == pytest.approx(1.959963984540054 * math.sqrt(found.within))
    if 0 < curve.auc < 1 and found.within > 0:
        interval = rs.auc_interval(labels, scores, method="delong")
        if interval.low > 0 and interval.high < 1:
            assert found.half_width == pytest.approx((interval.high - interval.low) / 2)


@pytest.mark.parametrize("within", ["formula", "bootstrap"])
@pytest.mark.parametrize("measure", MEASURES)
def test_models_exchanged_change_the_sign_and_nothing_else(measure, within) -> None:
    one, other = (
        plan(dataset(), models=names, measure=measure, within=within, n_resamples=200)
        for names in (("new", "old"), ("old", "new"))
    )
    assert one.estimate == -other.estimate
    for name in ("within", "power", "detectable", "difference", "correlation", "half_width"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9), name
    assert one.cases_needed.to_dict() == pytest.approx(other.cases_needed.to_dict())


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("wanted", [{"half_width": 0.05}, {"difference": 0.08}, {"power": 0.9}])
def test_the_cases_needed_just_do(measure, wanted) -> None:
    found = plan(dataset(), models=("new", "old"), measure=measure, **wanted)
    factor = found.cases_needed.factor
    if "half_width" in wanted:
        assert found.half_width_at(times_cases=factor) == pytest.approx(wanted["half_width"])
    else:
        assert found.power_at(times_cases=factor) == pytest.approx(wanted.get("power", 0.8))
        assert found.power == found.power_at()
    sizes = {"positives": 60, "negatives": 120}
    for name, size in sizes.items():
        expected = math.ceil(factor * size) if name in found.classes_that_matter else size
        assert getattr(found.cases_needed, name) == expected


def test_a_difference_that_can_be_detected_is() -> None:
    found = plan(dataset(), models=("new", "old"), power=0.9)
    again = plan(dataset(), models=("new", "old"), difference=found.detectable, power=0.9)
    assert again.power == pytest.approx(0.9)
    assert again.cases_needed.factor == pytest.approx(1)


@pytest.mark.parametrize("within", ["formula", "bootstrap"])
@pytest.mark.parametrize("measure", MEASURES)
def test_identical_models_are_never_told_apart(measure, within) -> None:
    one = dataset().model("new")
    labels, scores = one[0].is_positive, one.columns.scores
    twins = rs.ScoreSet.from_arrays(labels, {"a": scores, "b": scores})
    found = plan(twins, models=("a", "b"), measure=measure, within=within, n_resamples=200)
    assert (found.estimate, found.within, found.difference) == (0, 0, 0)
    assert found.cases_needed.factor == math.inf
    assert found.correlation == 1


@pytest.mark.parametrize("measure", MEASURES)
def test_formula_and_bootstrap_agree(measure) -> None:
    options = {"models": ("new", "old"), "measure": measure}
    one = plan(dataset(150, 300, seed=3), **options)
    other = plan(dataset(150, 300, seed=3), **options, within="bootstrap", n_resamples=1000)
    assert other.within == pytest.approx(one.within, rel=0.35)
    assert other.correlation == pytest.approx(one.correlation, abs=0.2)


def test_more_cases_are_worth_what_the_plan_says() -> None:
    """Every case four times over has a quarter of the variance, but for the divisors n - 1."""
    found = plan(dataset(), models=("new", "old"))
    larger = plan(dataset(times=4), models=("new", "old"))
    assert larger.half_width == pytest.approx(found.half_width_at(times_cases=4), rel=0.02)


def test_power_promised_is_power_met() -> None:
    """A pilot so large that it knows the variance; then the test itself on 400 studies of the size planned."""
    pilot = plan(dataset(2000, 2000, gap=0.4), models=("new", "old"), power=0.8)
    n = math.ceil(pilot.cases_needed.positives)
    seeds = range(1, 401)
    found = [rs.compare_auc(*dataset(n, n, gap=0.4, seed=seed)[:2]).pvalue < 0.05 for seed in seeds]
    # The pilot's own difference is within 0.02 of the truth: 0.8 plus or minus 0.09, and binomial noise.
    assert np.mean(found) == pytest.approx(0.8, abs=0.13)


# Numbers from elsewhere


def test_power_of_a_normal_test_is_that_of_the_tables() -> None:
    """Of 2.8016 standard errors 0.8, of 3.2415 0.9 (two-sided at 5 %; Cohen's tables give 2.80 and 3.24)."""
    assert noncentrality(math.inf, 0.05, 0.8) == pytest.approx(2.8016, abs=1e-4)
    assert noncentrality(math.inf, 0.05, 0.9) == pytest.approx(3.2415, abs=1e-4)
    assert power(noncentrality(math.inf, 0.01, 0.8), 1.0, 1, 0.99) == pytest.approx(0.8)
    assert noncentrality(math.inf, 0.05, 0.04) == 0
    # Over many groups Student's t is the normal one.
    assert noncentrality(4999, 0.05, 0.8) == pytest.approx(noncentrality(math.inf, 0.05, 0.8), rel=1e-3)


# What is said


def test_the_words() -> None:
    found = plan(dataset(), models=("new", "old"))
    assert found.random == "The cases are treated as a random sample."
    assert f"the two numbers correlate at {found.correlation:.2f}" in found.reading
    assert "over 60 positives and 120 negatives" in found.reading
    assert "One dataset does not show how much datasets differ" in found.reading
    assert "half as large" in found.reading
    assert math.isnan(found.between)
    assert found.groups_needed is None
    assert repr(found).endswith("× the cases needed)")
    assert found.to_dict()["between"] is None
    table = found.table()
    assert found.cases_needed.factor in table.times_cases
    assert list(table.to_frame().columns)[-2:] == ["half_width", "power"]
    enough = plan(dataset().model("new"), half_width=0.3)
    assert "these cases are enough" in enough.reading
    assert "× the cases needed" in repr(enough)


def test_a_named_group_keeps_its_word() -> None:
    labels = [1, 1, 0, 0, 0]
    one = rs.ScoreSet.from_arrays(labels, [3, 1, 2, 0, 1], ["x"] * 5, unit="hospital")
    assert "One hospital does not show how much hospitals differ" in plan(one).reading


def test_one_dataset_says_nothing_about_others() -> None:
    found = plan(dataset().model("new"))
    for ask in (lambda: found.half_width_at(20), lambda: found.table([10, 20])):
        with pytest.raises(
            rs.errors.DataError, match=r"RS068: one group does not show how much groups differ"
        ):
            ask()
    with pytest.raises(
        rs.errors.DataError, match=r"RS068.*how much a half-width varies(.|\n)*leave out  assur"
    ):
        plan(dataset().model("new"), half_width=0.05, assurance=0.9)
    assert found.half_width_at(1) == found.half_width


def test_single_cases_are_refused() -> None:
    for within in ("formula", "bootstrap"):
        with pytest.raises(rs.errors.DataError, match=r"RS069(.|\n)*found: 1 positive, 3 negatives"):
            plan(rs.ScoreSet.from_arrays([1, 0, 0, 0], [3, 1, 2, 4]), within=within)


def test_a_group_that_others_left_is_pointed_out() -> None:
    left = rs.ScoreSet.from_arrays([1, 1, 0, 0, 0], [3, 1, 2, 0, 1], ["x", "x", "x", "x", "y"])
    with pytest.warns(rs.errors.RocsteadyWarning, match=r"RS291.*a single group is left(.|\n)*left out: .*y"):
        plan(left, undefined="drop")


@pytest.mark.filterwarnings("default:RS292")
def test_a_perfect_dataset_is_no_certainty() -> None:
    perfect = rs.ScoreSet.from_arrays([1, 1, 0, 0], {"a": [4, 3, 2, 1], "b": [9, 8, 2, 1]})
    with pytest.warns(rs.errors.RocsteadyWarning, match=r"RS292.*exactly 1"):
        found = plan(perfect.model("a"), half_width=0.01)
    assert "no variance to plan with" in found.reading
    with pytest.warns(rs.errors.RocsteadyWarning, match=r"RS292.*exactly 1"):
        plan(perfect, models=("a", "b"))


def test_a_rate_set_by_few_cases_is_warned_of() -> None:
    with pytest.warns(
        rs.errors.RocsteadyWarning, match=r"RS292(.|\n)*found: 120 negatives, 1.2 of them beyond"
    ):
        plan(dataset().model("new"), measure={"fpr": 0.01})
