"""What a plan promises: an assurance that counts the pilot, folds that are not more data, what is assumed."""

import math
import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import f as fisher

import rocsteady as rs
from rocsteady.errors import DataError, RocsteadyError, RocsteadyWarning
from rocsteady.simulate import ShiftedDatasets
from rocsteady.statistics.power import (
    Components,
    Target,
    half_width,
    planned_components,
    promised_half_width,
)

FEW = settings(max_examples=60, deadline=None)
VARIANCES = st.floats(1e-4, 1.0)
SHARES = st.floats(0.05, 0.99)
CODES = ("RS291", "RS292", "RS108")
pytestmark = pytest.mark.filterwarnings(*(f"ignore:{code}" for code in CODES))


def sites(n_groups=12, unit="site"):
    return ShiftedDatasets("C-1", separation=1.2, separation_sd=0.3).draw(n_groups, 30, 40, seed=1, unit=unit)


def two_models(n_groups=12):
    rng = np.random.default_rng(4)
    labels = np.tile(np.arange(70) < 30, n_groups)
    new = rng.normal(size=labels.size) + 1.3 * labels
    old = 0.7 * new + 0.7 * rng.normal(size=labels.size)
    return rs.ScoreSet.from_arrays(
        labels, {"new": new, "old": old}, np.repeat(np.arange(n_groups), 70), unit="site"
    )


@FEW
@given(VARIANCES, st.integers(1, 40), st.integers(2, 200), SHARES)
def test_with_the_same_cases_an_assurance_is_a_quantile_of_F(seen, df, n_groups, assurance):
    """Two sample variances of the same size of group: nothing else is uncertain."""
    found = promised_half_width(Components(math.nan, 0.1, seen, df), 1.0, n_groups, 0.95, assurance)
    of_seen = half_width(seen, n_groups, 0.95, None)
    assert found == pytest.approx(of_seen * math.sqrt(fisher.ppf(assurance, n_groups - 1, df)), rel=1e-9)


@FEW
@given(VARIANCES, VARIANCES, st.integers(2, 40), st.integers(2, 60), SHARES)
def test_an_assured_half_width_falls_with_cases_and_with_what_the_pilot_knows(
    seen, within, df, n_groups, assurance
):
    def width(times, df=df, n=n_groups):
        return promised_half_width(Components(math.nan, within, seen, df), times, n, 0.95, assurance)

    widths = [width(times) for times in (0.5, 1.0, 2.0, 10.0, math.inf)]
    assert all(b <= a * (1 + 1e-4) for a, b in pairwise(widths))
    assert width(2.0, n=n_groups + 5) <= width(2.0) * (1 + 1e-9)


@pytest.mark.parametrize("times", [0.5, 1.0, 4.0])
def test_an_assured_variance_is_what_drawing_pilots_and_studies_gives(times):
    """Brute force: every true variance that a pilot may come from, split, and a study from it."""
    rng = np.random.default_rng(3)
    seen, within, df, n = 0.02, 0.012, 7, 15
    true = seen * df / rng.chisquare(df, 400_000)
    noise = np.minimum(within, true)
    study = (true - noise + noise / times) * rng.chisquare(n - 1, true.size) / (n - 1)
    found = promised_half_width(Components(math.nan, within, seen, df), times, n, 0.95, 0.8)
    assert found == pytest.approx(half_width(float(np.quantile(study, 0.8)), n, 0.95, None), rel=5e-3)


def test_an_assurance_is_kept_though_the_pilot_is_uncertain():
    """0.8 was promised, and 0.58 to 0.64 of studies kept it."""
    rng = np.random.default_rng(8)
    target = Target(0.05, math.nan, 0.8, 0.95, 0.8)
    met = {True: [], False: []}
    for _ in range(400):
        pilot = 0.8 + 0.1 * rng.normal(size=8)
        parts = planned_components(pilot, 0.004)
        for counts, used in ((True, parts), (False, Components(parts.between, parts.within))):
            n = int(target.groups(used, 8))
            variance = 0.01 * rng.chisquare(n - 1) / (n - 1)
            met[counts].append(half_width(variance, n, 0.95, None) <= 0.05)
    assert np.mean(met[True]) == pytest.approx(0.8, abs=0.05)
    assert np.mean(met[False]) < 0.72


@pytest.mark.parametrize("times", [1.0, 3.0])
def test_the_cases_that_an_assured_plan_asks_for_are_just_enough(times):
    parts = Components(math.nan, 0.02, 0.03, 11)
    wanted = promised_half_width(parts, times, 12, 0.95, 0.8)
    target = Target(wanted, math.nan, 0.8, 0.95, 0.8)
    assert target.times_cases(parts, 12) == pytest.approx(times, rel=1e-3)
    floor = promised_half_width(parts, math.inf, 12, 0.95, 0.8)
    assert math.isinf(Target(0.9 * floor, math.nan, 0.8, 0.95, 0.8).times_cases(parts, 12))
    plan = rs.plan(sites(), half_width=0.03, assurance=0.8)
    assert (
        plan.half_width_at(int(plan.groups_needed)) <= 0.03 < plan.half_width_at(int(plan.groups_needed) - 1)
    )


@pytest.mark.filterwarnings("ignore:RS296")
def test_more_folds_are_not_offered():
    """Ten folds are parts of the same cases: a hundred folds know no more."""
    folds = sites(10, "fold").with_design("cross-validation")
    plan = rs.plan(folds, half_width=0.02)
    assert plan.plans_cases
    assert plan.groups_needed is plan.groups_range is plan.groups_at_least is None
    assert "More folds do not help" in plan.reading
    assert "With any number of repeats the half-width stays above" in plan.reading
    assert set(plan.table().n_groups.tolist()) == {10}
    for ask in (lambda: plan.half_width_at(20), lambda: plan.table(groups=[20])):
        with pytest.raises(DataError, match=r"RS068.*more folds do not help"):
            ask()
    with pytest.raises(DataError, match=r"RS068.*how much a half-width varies"):
        rs.plan(folds, half_width=0.02, assurance=0.8)


@pytest.mark.filterwarnings("ignore:RS296")
@pytest.mark.parametrize("design", ["cross-validation", rs.Design.hold_out(0.25)])
def test_a_plan_of_folds_starts_from_the_interval_that_a_summary_has(design):
    """Twice too narrow before: training cases that folds share were not counted."""
    folds = sites(10, "fold").with_design(design)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        summary = rs.summarize_auc(folds, scale="linear")
    plan = rs.plan(folds, half_width=0.02)
    half = (summary.interval.high - summary.interval.low) / 2
    assert plan.half_width == pytest.approx(half)
    assert plan.half_width_at(times_cases=4) == pytest.approx(half / 2)
    assert plan.cases_needed.factor == pytest.approx((half / 0.02) ** 2)
    assert plan.half_width_at(times_cases=plan.cases_needed.factor) == pytest.approx(0.02)
    ratio = folds.design.test_train_ratio
    sd = summary.per_group.auc.std(ddof=1)
    assert plan.half_width_of_repeats == pytest.approx(1.959964 * sd * math.sqrt(ratio), rel=1e-6)


def test_a_plan_of_folds_says_what_helps_with_a_code():
    folds = sites(10, "fold").with_design("cross-validation")
    with pytest.warns(
        RocsteadyWarning, match=r"RS296.*parts of the same cases(.|\n)*more cases do(.|\n)*to a point"
    ):
        rs.plan(folds, half_width=0.02)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rs.plan(sites(), half_width=0.02)


def test_a_difference_is_asked_for():
    """Planned with the one seen, a plan is as uncertain as the pilot: that is said, with what to type."""
    both = two_models()
    with pytest.warns(RocsteadyWarning, match=r"RS297.*was not given(.|\n)*difference=0.02"):
        found = rs.plan(both, models=("new", "old"))
    assert found.is_seen_difference
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        given_one = rs.plan(both, models=("new", "old"), difference=0.03)
        rs.plan(both, models=("new", "old"), half_width=0.03)
    assert (given_one.difference, given_one.is_seen_difference) == (0.03, False)


@pytest.mark.parametrize(
    ("measure", "average"),
    [
        ("auc", "vertical"),
        ({"fpr": 0.1}, "vertical"),
        ({"tpr": 0.8}, "horizontal"),
        ({"threshold": 1}, "threshold"),
    ],
)
def test_a_plan_says_which_average_it_assumes(measure, average):
    found = rs.plan(sites(), measure=measure, half_width=0.05)
    assert (found.average, found.is_assumed_average) == (average, True)
    own = (
        "one threshold is used for all sites"
        if average == "threshold"
        else "every site sets its own threshold"
    )
    assert f"No deployment was declared; the plan assumes that {own}" in found.reading
    assert f"({average} average)" in found.reading


def test_a_comparison_is_no_pilot_and_that_is_said_first():
    """It said 'no models', and with models that it takes a ScoreSet."""
    both = two_models()
    found = rs.compare(both, "new", "old")
    for pilot in (found, found.auc):
        for options in ({"difference": 0.03}, {"models": ("new", "old"), "difference": 0.03}):
            with pytest.raises(RocsteadyError, match="RS002: plan takes the scores") as caught:
                rs.plan(pilot, **options)
            assert "plan(score_set, models=('new', 'old'), difference=0.03)" in str(caught.value)


def test_one_model_has_no_seen_difference():
    found = rs.plan(sites(), half_width=0.02)
    assert (found.difference, found.is_seen_difference) == (None, False)


def test_a_deployment_that_is_no_measure_is_spelled_out():
    """It was cut within its brackets."""
    deployment = rs.Deployment("shared", hold="fpr", at=0.05)
    with pytest.raises(RocsteadyError, match="RS001") as caught:
        rs.plan(sites(), measure=deployment)
    assert f"cannot be for {deployment!r}." in str(caught.value)


def test_every_plan_is_a_frame_with_whole_numbers_of_cases():
    published = {"modality_reader": 2e-4, "var": 8e-4, "cov1": 3.5e-4, "cov2": 3.4e-4, "cov3": 2.4e-4}
    of_readers = rs.plan(published | {"n_cases": 114, "n_readers": 5}, difference=0.05, n_readers=[6, 8])
    of_groups, of_auc = rs.plan(sites(), half_width=0.02), rs.plan(0.8, null=0.7)
    for table in (of_groups.table(), of_readers.table):
        plan = of_groups if table.unit == "site" else of_readers
        assert plan.to_frame().equals(table.to_frame())
    frame = of_auc.to_frame()
    assert frame.n_positives.tolist() == [96, 192, 384, 960]
    assert (frame.power[0], frame.half_width[0]) == (of_auc.power, of_auc.half_width)
    assert frame.power[1] == of_auc.power_at(192, 192)
    assert {frame[name].dtype.kind for name in ("n_positives", "n_negatives")} == {"i"}
    assert of_readers.to_frame().n_cases.dtype.kind == "i"
    assert "96 positives, 96 negatives" in repr(of_auc)
    few = rs.plan(published | {"n_cases": 114, "n_readers": 5}, difference=0.05, n_readers=[2, 8])
    assert math.isinf(few.to_frame().n_cases[0])  # so the column has to be one of floats
