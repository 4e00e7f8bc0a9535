"""rs.plan of reader studies: laws, then published numbers, then the promise itself, then what is refused."""

from __future__ import annotations

import importlib.util
import json
import math
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady.errors import RocsteadyError, RocsteadyWarning
from rocsteady.planning.plan import plan as plan_study
from rocsteady.planning.readers import (
    Question,
    StudyComponents,
    cases_needed,
    of_each_class,
    readers_needed,
)
from rocsteady.scores import ScoreSet
from rocsteady.simulate import RoeMetz
from rocsteady.statistics.power import chances_of_tests, rejection_chance, spread_quantiles
from rocsteady.statistics.reader_covariance import class_parts, delong

SCRIPT = Path(__file__).parents[2] / "simulations" / "reader_planner.py"

# The study of Van Dyke et al., jackknife, as RJafroc and the Iowa programs print it.
VAN_DYKE = {
    "VarTR": 0.000200402523581458,
    "Cov1": 0.000346613709440732,
    "Cov2": 0.000344074828860889,
    "Cov3": 0.000239028370892154,
    "Var": 0.000802288265572067,
    "KStar": 114,
    "JStar": 5,
}
SEEN = 0.0438003220611917
DIGITS = 1e-8
"""That quantiles of Student's t have in SciPy 1.11."""

parts = st.builds(
    lambda own, var, r1, r2, r3: StudyComponents(own, var, r1 * var, r2 * var, r2 * r3 * var, 100),
    st.floats(0, 1e-3),
    st.floats(1e-4, 2e-3),
    st.floats(0, 0.45),
    st.floats(0, 0.45),
    st.floats(0, 1),
)
effects = st.sampled_from([("random", "random"), ("fixed", "random"), ("random", "fixed")])
sizes = st.tuples(st.integers(2, 30), st.integers(10, 2000))


def question(test="difference", difference=0.05, margin=math.nan, alpha=0.05, effects=("random", "random")):
    return Question(test, difference, margin, 1 - alpha, *effects, lower_is_better=False)


def study(seed=3, *, n_readers=5, sizes=(20, 30), **options):
    return RoeMetz(auc=(0.75, 0.82), var_r=0.05, var_tr=0.05).draw(n_readers, *sizes, seed=seed, **options)


# Laws


@given(parts, sizes, effects, st.sampled_from([0.01, 0.05, 0.2]))
def test_without_a_difference_the_power_is_the_level(of, size, effects, alpha):
    found = question(difference=0.0, alpha=alpha, effects=effects).chances(of, *size)
    assert float(found) == pytest.approx(alpha, abs=DIGITS)


@given(parts, sizes, effects)
def test_at_the_margin_the_power_is_half_the_level(of, size, effects):
    found = question("non-inferiority", -0.05, 0.05, effects=effects).chances(of, *size)
    assert float(found) == pytest.approx(0.025, abs=DIGITS)


@given(parts, sizes, effects, st.floats(0.001, 0.2), st.floats(1.001, 3))
def test_larger_differences_and_margins_are_easier(of, size, effects, difference, times):
    small, large = (question(difference=d, effects=effects) for d in (difference, times * difference))
    assert large.chances(of, *size) >= small.chances(of, *size) - 1e-12
    for test in ("non-inferiority", "equivalence"):
        narrow, wide = (question(test, 0.0, m, effects=effects) for m in (difference, times * difference))
        assert wide.chances(of, *size) >= narrow.chances(of, *size) - 1e-12


@given(parts, sizes, effects, st.floats(0.001, 0.2))
def test_the_power_is_that_of_a_noncentral_f(of, size, effects, difference):
    asked = question(difference=difference, effects=effects)
    variance, df = (float(x) for x in asked.error_and_df(of, *size))
    noncentrality = difference**2 / variance
    if df > 1e6 or noncentrality > 400:  # SciPy's noncentral F is not for these
        return
    if noncentrality < 60:
        with np.errstate(divide="ignore"):  # SciPy 1.11 divides by 0 on its way
            expected = stats.ncf.sf(stats.f.isf(0.05, 1, df), 1, df, noncentrality)
        assert float(asked.chances(of, *size)) == pytest.approx(expected, abs=2e-7)
    limit = float(stats.t.isf(0.025, df))
    other = rejection_chance(math.sqrt(noncentrality), limit, *spread_quantiles(df))
    assert float(asked.chances(of, *size)) == pytest.approx(other, abs=DIGITS)


@given(parts, sizes, st.floats(0.001, 0.2))
def test_fixed_readers_have_a_noncentral_chi_square(of, size, difference):
    asked = question(difference=difference, effects=("fixed", "random"))
    noncentrality = difference**2 / float(asked.error_and_df(of, *size)[0])
    expected = stats.ncx2.sf(stats.chi2.isf(0.05, 1), 1, min(noncentrality, 1e4))
    assert float(asked.chances(of, *size)) == pytest.approx(expected, abs=1e-9)


@given(parts, sizes, effects, st.floats(0.5, 20))
def test_only_cases_beside_those_of_the_pilot_count(of, size, effects, times):
    smaller = replace(of, **{name: getattr(of, name) / times for name in ("var", "cov1", "cov2", "cov3")})
    smaller = replace(smaller, n_cases=of.n_cases * times)
    one, other = (float(question(effects=effects).chances(own, *size)) for own in (of, smaller))
    assert one == pytest.approx(other, abs=1e-9)


@settings(max_examples=30)
@given(parts, effects, st.integers(2, 12), st.sampled_from([0.5, 0.8, 0.9]))
def test_one_case_less_is_too_few(of, effects, n_readers, power):
    asked = question(effects=effects)
    needed, most = (float(x[0]) for x in cases_needed(asked, of, n_readers, power))
    if math.isfinite(needed):
        assert float(asked.chances(of, n_readers, needed)) >= power
        assert needed == 4 or float(asked.chances(of, n_readers, needed - 1)) < power
        assert readers_needed(asked, of, needed, power) <= n_readers
        assert readers_needed(asked, of, None, power) <= n_readers
    else:
        assert (asked.chances(of, n_readers, np.geomspace(4, 1e6, 200).round()) < power).all()
    assert most >= float(asked.chances(of, n_readers, 1000)) - 1e-3


def test_more_cases_may_give_less_power():
    """The degrees of freedom fall with the luck of the cases: 400 cases find more than any larger number."""
    of = StudyComponents(0.001, 0.0011, 0.0003, 0.0005, 0.0, 100)
    few, many = (float(question(difference=0.1).chances(of, 3, n)) for n in (400, 100_000))
    assert few > many + 0.1
    needed, most = cases_needed(question(difference=0.1), of, 3, 0.6)
    assert needed[0] < 200
    assert few - 1e-3 < most[0] < 0.67


def test_the_most_power_is_not_missed_between_numbers_of_cases():
    """It was looked for among 36 numbers, and found up to 0.0012 too low."""
    of = StudyComponents(0.001, 0.0011, 0.0003, 0.0005, 0.0, 100)
    asked = question(difference=0.1)
    _, most = cases_needed(asked, of, 3, 0.6)
    best = float(asked.chances(of, 3, np.arange(100, 3000.0)).max())
    assert best - 1e-4 < most[0] <= best + 1e-12


@given(st.integers(0, 10**6), st.integers(3, 12), st.integers(3, 12))
@settings(max_examples=15)
def test_the_classes_add_what_their_placements_vary_by(seed, n_positives, n_negatives):
    rng = np.random.default_rng(seed)
    truth = np.arange(n_positives + n_negatives) < n_positives
    ratings = rng.integers(0, 6, size=(2, 3, truth.size)) + truth
    rows = ratings.reshape(6, -1).astype(float)
    positives, negatives = rows[:, truth, None], rows[:, None, ~truth]
    wins = (positives > negatives) + (positives == negatives) / 2
    expected = [np.cov(wins.mean(axis=2)) / n_positives, np.cov(wins.mean(axis=1)) / n_negatives]
    assert np.allclose(class_parts(rows, truth), expected, atol=1e-12)
    assert np.allclose(delong(rows, truth), sum(expected), atol=1e-12)


@given(parts, st.floats(0.1, 10), st.floats(0.1, 10), st.floats(0, 1))
def test_another_ratio_there_and_back(of, ratio, other, share):
    whole = np.array([of.var, of.cov1, of.cov2, of.cov3])
    own = replace(of, ratio=ratio, from_positives=tuple((share * whole).tolist()))
    back = own.with_ratio(other).with_ratio(ratio)
    assert [back.var, back.cov1, back.cov2, back.cov3] == pytest.approx(whole, rel=1e-9, abs=1e-15)
    assert own.with_ratio(other).n_cases == of.n_cases


def test_neither_order_nor_names_matter():
    drawn = RoeMetz(auc=(0.75, 0.82), var_r=0.05, var_tr=0.05).draw_arrays(5, 20, 30, seed=3)
    ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)
    modality, reader, case = (index.ravel() for index in np.indices(ratings.shape))
    rows = (case < 20, ratings.ravel(), reader, np.array(["x", "y"])[modality], case)
    order = np.random.default_rng(5).permutation(case.size)
    sets = [
        rs.ScoreSet.from_arrays(labels, scores, who, models=which, cases=of, unit="reader")
        for labels, scores, who, which, of in (rows, tuple(column[order] for column in rows))
    ]
    one, other = (plan_study(own, difference=0.05, n_readers=8) for own in sets)
    assert other.power == pytest.approx(one.power, abs=1e-12)
    assert other.cases_needed == one.cases_needed
    swapped = plan_study(sets[0], difference=0.05, n_readers=8, modalities=("y", "x"))
    assert swapped.power == pytest.approx(one.power, abs=1e-12)


def test_a_comparison_and_its_ratings_give_one_plan():
    drawn = study()
    compared = rs.compare_readers(drawn, covariance="jackknife")
    of_both = [plan_study(compared), plan_study(drawn, covariance="jackknife")]
    assert of_both[0].to_dict() == of_both[1].to_dict()
    assert of_both[0].difference == pytest.approx(abs(compared.difference))
    assert of_both[0].is_seen_difference
    found = compared.components
    named = {
        "modality_reader": found.ms_modality_reader - found.var + found.cov1 + max(found.cov2 - found.cov3, 0)
    } | {name: getattr(found, name) for name in ("var", "cov1", "cov2", "cov3")}
    by_hand = plan_study(named | {"n_cases": 50, "n_readers": 5}, difference=compared.difference)
    assert by_hand.power == pytest.approx(of_both[0].power, abs=1e-12)
    same_ratio = plan_study(compared, ratio=1.5)
    assert same_ratio.cases_needed == of_both[0].cases_needed


# Published numbers: tests/testthat/test-SsSampleSizeRoc.R of RJafroc (commit 0b362c1c), which follow Hillis,
# Obuchowski & Berbaum (2011) and Hillis & Schartz (2018)


def test_powers_that_rjafroc_tests():
    plan = plan_study(VAN_DYKE, difference=0.043800322)
    assert plan.power_at(10, 165) == pytest.approx(0.80541995, abs=1e-8)
    fixed = plan_study(VAN_DYKE, difference=0.043800322, readers="fixed")
    assert fixed.power_at(10, 131) == pytest.approx(0.80091813, abs=1e-8)
    cases = plan_study(VAN_DYKE, difference=0.043800322, cases="fixed")
    assert cases.power_at(10, 53) == pytest.approx(0.80496663, abs=1e-8)
    assert (fixed.cases_for(10), cases.cases_for(10)) == (131, 53)
    seen = plan_study(VAN_DYKE, difference=SEEN)
    assert seen.power_at(6, 111) == pytest.approx(0.5526116, abs=5e-8)
    assert seen.cases_for(6) == 251
    assert round(seen.power_at(6, 251), 3) == 0.801


def reader_data(folder: Path, name: str) -> rs.ScoreSet:
    roles = {"label": "truth", "score": "rating", "group": "reader", "model": "treatment", "case": "case"}
    return rs.read_scores(folder / "scores" / f"mrmc_{name}.csv", positive=1, **roles)


def test_van_dyke_from_its_ratings(data_folder):
    plan = plan_study(reader_data(data_folder, "vandyke"), covariance="jackknife")
    assert plan.difference == pytest.approx(SEEN, abs=1e-12)
    assert plan.cases_for(6) == 251
    assert plan.power_at(10, 165) == pytest.approx(0.80541995, abs=1e-8)
    assert plan.set_to_zero == ()


@pytest.mark.filterwarnings("ignore:RS223")
def test_franken_has_components_below_zero(data_folder):
    plan = plan_study(
        reader_data(data_folder, "franken"), difference=0.05, n_readers=6, covariance="jackknife"
    )
    assert plan.cases_needed == 121
    assert plan.power_at(6, 121) == pytest.approx(0.8004469, abs=1e-7)
    assert plan.set_to_zero == ("the variance of modalities within readers", "Cov2 − Cov3")
    assert "came out negative and were set to 0" in plan.reading


def test_the_power_of_non_inferiority_is_a_noncentral_t():
    """R 4: pt(qt(.975, 12.5), 12.5, ncp = (0.01 + 0.05) / 0.02, lower = FALSE)."""
    chance = chances_of_tests("non-inferiority", 0.01, 0.05, np.array([0.02**2]), np.array([12.5]), 0.95)
    assert float(chance[0]) == pytest.approx(0.7891911765, abs=1e-9)


@pytest.mark.parametrize(("df", "error"), [(2.0, 0.02), (7.3, 0.02), (7.3, 0.03), (60.0, 0.024), (1, 0.004)])
@pytest.mark.parametrize("shift", [0.0, 0.02, -0.05])
def test_the_power_of_equivalence_is_an_integral(df, error, shift):
    """Over the estimated error, as far as two one-sided tests can reject at all: a kink, not a smooth end."""
    limit, room = stats.t.ppf(0.975, df), 0.06 / error

    def chance(ratio):
        inner = room - limit * ratio
        both = stats.norm.cdf(inner - shift / error) - stats.norm.cdf(-inner - shift / error)
        return both * stats.chi.pdf(ratio * math.sqrt(df), df) * math.sqrt(df)

    cuts = np.linspace(0, min(room / limit, 1 + 12 / math.sqrt(df)), 9)
    expected = sum(integrate.quad(chance, low, high, epsabs=1e-13)[0] for low, high in pairwise(cuts))
    found = chances_of_tests("equivalence", shift, 0.06, np.array([error**2]), np.array([df]), 0.95)
    assert float(found[0]) == pytest.approx(expected, abs=10 * DIGITS)


# The promise


@pytest.fixture(scope="module")
def script():
    if not SCRIPT.exists():
        skip_unless_required("the simulations are not part of a source distribution")
    spec = importlib.util.spec_from_file_location("reader_planner", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["reader_planner"] = module
    spec.loader.exec_module(module)
    return module


def test_the_power_promised_comes_out(script):
    """Of 300 studies, within four Monte-Carlo errors; both must be able to fail."""
    of = script.population("LL", script.DIFFERENT)
    known = script.known_components(of, 300, 1)
    asked = question(difference=0.06)
    met, error = script.share_shown(script.studies(of, (8, 50, 50), 300, 2), asked)
    promised = float(asked.chances(known, 8, 100))
    assert abs(met - promised) < 4 * error
    assert abs(met - float(asked.chances(known, 8, 200))) > 4 * error


# Results and words


def test_the_plan_of_a_pilot():
    plan = plan_study(study(), difference=0.05)
    assert (plan.n_readers, plan.n_cases, plan.ratio) == (5, 50, 1.5)
    assert plan.power == pytest.approx(plan.power_at(5, 50))
    assert plan.table.n_readers.tolist() == list(range(3, 21))
    assert plan.table.n_cases[2] == plan.cases_needed
    assert (plan.table.n_positives + plan.table.n_negatives == plan.table.n_cases).all()
    low, high = plan.power_range
    assert low <= plan.power <= high
    found = plan_study(study(), difference=plan.detectable)
    assert found.power == pytest.approx(0.8, abs=1e-9)
    data = json.loads(json.dumps(plan.to_dict(), allow_nan=False))
    assert data["reading"] == plan.reading
    assert len(data["table"]["n_readers"]) == 18
    assert len(plan.to_frame()) == 18
    assert "\n" not in repr(plan)
    assert "\n" not in repr(plan.table)
    with pytest.raises(TypeError, match="not a tuple"):
        list(plan)


def test_a_number_of_cases_asks_for_readers():
    plan = plan_study(VAN_DYKE, difference=0.05, n_cases=165)
    assert set(plan.table.n_cases) == {165}
    needed = int(plan.readers_needed)
    assert plan.power_at(needed, 165) >= 0.8 > plan.power_at(needed - 1, 165)
    assert f"165 cases need {needed} readers" in plan.reading
    assert "no number of readers is enough" in plan_study(VAN_DYKE, difference=0.05, n_cases=40).reading


def test_what_a_reading_says():
    with_margin = plan_study(VAN_DYKE, margin=0.05, n_readers=6)
    assert "non-inferiority" in with_margin.reading
    assert "one-sided test at 2.5 %" in with_margin.reading
    two_sided = plan_study(VAN_DYKE, difference=0.05, n_readers=6)
    assert 0 < two_sided.power - with_margin.power < 1e-4  # the chance to reject on the wrong side
    both = plan_study(VAN_DYKE, margin=0.05, test="equivalence", n_readers=6)
    assert both.power < with_margin.power
    assert math.isnan(both.detectable)
    few = plan_study(VAN_DYKE, difference=0.03, n_readers=3)
    assert "no number of cases is enough with 3 readers" in few.reading
    assert math.isinf(few.cases_needed)
    fixed = plan_study(VAN_DYKE, difference=0.05, readers="fixed")
    assert fixed.power_range is None
    assert "5 readers are fixed" in fixed.reading
    assert "the one observed in the pilot" in plan_study(study()).reading


def test_where_less_is_better_a_difference_above_zero_is_worse():
    pilot = rs.compare_readers(study(), measure={"tpr": 0.8}, n_resamples=200)
    worse, same, better = (
        plan_study(pilot, margin=0.1, difference=own, n_readers=6) for own in (0.02, 0.0, -0.02)
    )
    assert worse.power < same.power < better.power
    assert worse.power_at(6, 50) == pytest.approx(worse.power)
    assert "if the new modality is worse by 0.02" in worse.reading
    assert "if the new modality is better by 0.02" in better.reading
    # The same sign as the test has: a difference at the margin is the worst that may be.
    tested = pilot.non_inferior(0.1, new=pilot.modalities[1])
    assert tested.lower_is_better
    with pytest.raises(RocsteadyError, match="RS039"):
        plan_study(pilot, margin=0.1, difference=0.1)
    assert plan_study(pilot, margin=0.1, difference=-0.1, n_readers=6).power > better.power
    upwards = plan_study(VAN_DYKE, margin=0.1, difference=-0.02, n_readers=6)
    assert "if the new modality is worse by 0.02" in upwards.reading


def test_patients_of_the_pilot_are_those_of_the_plan():
    table = study(sizes=(20, 30)).to_frame()
    table["patient"] = table["case"].map({name: i // 2 for i, name in enumerate(table["case"].unique())})
    roles = {"label": "is_positive", "score": "score", "group": "reader", "model": "model", "case": "case"}
    plan = plan_study(ScoreSet.from_frame(table, **roles, cluster="patient"), difference=0.05)
    assert "as many cases for each patient as the pilot: 2." in plan.reading
    assert "patients are treated as random samples" in plan.random
    assert "as many cases for each patient" not in plan_study(study(), difference=0.05).reading


@pytest.mark.filterwarnings("ignore:RS214")
def test_a_modality_that_was_read_in_twice_tells_nothing():
    table = study().model(study().models[0]).to_frame()
    twice = pd.concat([table.assign(model=name) for name in ("film", "digital")])
    roles = {"label": "is_positive", "score": "score", "group": "reader", "model": "model", "case": "case"}
    with pytest.raises(RocsteadyError, match="does not vary at all") as caught:
        plan_study(ScoreSet.from_frame(twice, **roles), difference=0.05)
    assert caught.value.code == "RS039"


def test_a_pilot_of_three_modalities_is_planned_for_a_pair():
    drawn = RoeMetz(auc=(0.75, 0.8, 0.82), var_r=0.05, var_tr=0.05).draw(5, 20, 30, seed=3)
    assert "of one pair, not adjusted" in plan_study(drawn, difference=0.05).reading
    assert "of one pair" not in plan_study(study(), difference=0.05).reading


def test_one_reader_is_planned_for_as_it_is():
    plan = plan_study(study(n_readers=1), difference=0.1, readers="fixed")
    assert plan.table.n_readers.tolist() == [1]
    assert math.isnan(plan.readers_needed)
    assert plan.power_at(1, plan.cases_needed) >= 0.8
    with pytest.raises(RocsteadyError, match="RS039"):
        plan.power_at(2, 100)


@pytest.mark.filterwarnings("ignore:RS215")
def test_other_designs_keep_their_design():
    drawn = study(sizes=(80, 120), design="nested in readers")
    plan = plan_study(drawn, difference=0.1)
    assert plan.n_cases == 40
    assert "cases nested in readers" in plan.reading
    with pytest.raises(RocsteadyError, match=r"RS039.*fully crossed"):
        plan_study(drawn, difference=0.1, ratio=3.0)


def test_a_machine_among_the_modalities_is_left_out_by_hand():
    with pytest.raises(RocsteadyError, match="RS028") as caught:
        plan_study(study(standalone=True), difference=0.05)
    assert "modalities=" in str(caught.value)
    assert "u-statistics" not in str(caught.value)
    assert plan_study(study(standalone=True), difference=0.05, modalities=("modality 1", "modality 2"))


def test_cases_of_each_class_are_at_least_one():
    assert of_each_class(4, 1000.0) == (1, 3)
    assert of_each_class(4, 0.001) == (3, 1)


def test_no_variance_within_readers_is_warned_of():
    with pytest.warns(RocsteadyWarning, match="RS223"):
        plan_study(VAN_DYKE | {"VarTR": -0.0001}, difference=0.05)


@pytest.mark.parametrize(
    ("given", "options", "code", "says"),
    [
        (VAN_DYKE, {"difference": math.nan}, "RS039", "difference=nan"),
        (VAN_DYKE, {"difference": 0.05, "n_readers": 10**400}, "RS042", "at most"),
        (VAN_DYKE, {"difference": 0.05, "n_cases": 10**400}, "RS042", "at most"),
        (VAN_DYKE, {"difference": 0.05, "n_readers": b"x"}, "RS042", "n_readers=6"),
        (VAN_DYKE, {"difference": 0.05, "covariance": "jackknife"}, "RS002", "leave out  covariance"),
        (VAN_DYKE, {"difference": 0.05, "modalities": ["a", "b"]}, "RS002", "leave out  modalities"),
        (VAN_DYKE | {"Cov3": 1e300}, {"difference": 0.05}, "RS039", "no covariance larger"),
        (VAN_DYKE | {"Cov2": -1.0}, {"difference": 0.05}, "RS039", "no covariance larger"),
        (VAN_DYKE | {"KStar": 1e-320}, {"difference": 0.05}, "RS039", "n_cases 1 or more"),
        (VAN_DYKE | {"foo": 1}, {"difference": 0.05}, "RS039", "plan({"),
        ({}, {"difference": 0.05}, "RS039", "missing"),
        ({"var": 0.001}, {"difference": 0.05}, "RS039", "cov1"),
        (VAN_DYKE | {"cov4": 1}, {"difference": 0.05}, "RS039", "known: modality_reader"),
        (VAN_DYKE | {"Var": -1}, {"difference": 0.05}, "RS039", "above 0"),
        (VAN_DYKE | {"Cov1": math.nan}, {"difference": 0.05}, "RS039", "cannot be components"),
        (VAN_DYKE | {"Var": "x"}, {"difference": 0.05}, "RS042", "number"),
        (VAN_DYKE, {}, "RS039", "difference=0.05"),
        (VAN_DYKE, {"difference": 0}, "RS039", "would matter"),
        (VAN_DYKE, {"difference": 5}, "RS039", "difference=0.05"),
        (VAN_DYKE, {"margin": 0.05, "difference": -0.05}, "RS039", "differ by the margin"),
        (VAN_DYKE, {"margin": 0.05, "test": "equivalence", "difference": 0.06}, "RS039", "equivalence"),
        (VAN_DYKE, {"margin": 5}, "RS097", "margin=0.05"),
        (VAN_DYKE, {"test": "equivalence"}, "RS002", "margin=0.05"),
        (VAN_DYKE, {"difference": 0.05, "test": "difference", "margin": 0.1}, "RS002", "leave out  margin"),
        (VAN_DYKE, {"difference": 0.05, "test": "superior"}, "RS001", "'difference'"),
        (VAN_DYKE, {"difference": 0.05, "ratio": 2}, "RS039", "ratings of a pilot"),
        (VAN_DYKE, {"difference": 0.05, "ratio": 0}, "RS042", "ratio=2.0"),
        (VAN_DYKE, {"difference": 0.05, "n_readers": 1}, "RS042", "at least 2"),
        (VAN_DYKE, {"difference": 0.05, "n_readers": []}, "RS042", "n_readers=6"),
        (VAN_DYKE, {"difference": 0.05, "n_cases": 3}, "RS042", "n_cases=200"),
        (VAN_DYKE, {"difference": 0.05, "n_cases": 99.5}, "RS042", "n_cases=200"),
        (VAN_DYKE, {"difference": 0.05, "power": 80}, "RS042", "power=0.8"),
        (VAN_DYKE, {"difference": 0.05, "readers": "fixed", "cases": "fixed"}, "RS002", "cases='random'"),
        (VAN_DYKE, {"difference": 0.05, "readers": "some"}, "RS001", "readers='random'"),
        ([1, 2], {"margin": 0.05}, "RS039", "found: list"),
    ],
)
def test_what_is_refused(given, options, code, says):
    with pytest.raises(RocsteadyError) as caught:
        plan_study(given, **options)
    assert caught.value.code == code
    assert says in str(caught.value)


def test_pilots_that_tell_nothing():
    perfect = rs.ScoreSet.from_arrays(
        [1, 1, 0, 0] * 4,
        [3, 4, 1, 2] * 4,
        np.repeat(["a", "b"], 8),
        models=np.tile(np.repeat(["x", "y"], 4), 2),
        cases=[1, 2, 3, 4] * 4,
        unit="reader",
    )
    with pytest.raises(RocsteadyError, match=r"RS039.*no sampling error"), pytest.warns(RocsteadyWarning):
        plan_study(perfect, difference=0.05)
    nested = study(design="readers nested")
    with pytest.raises(RocsteadyError, match=r"RS039.*one modality each"):
        plan_study(nested, difference=0.05)
    without = replace(rs.compare_readers(study()), components=None)
    with pytest.raises(RocsteadyError, match="RS039: a plan needs the variance"):
        plan_study(without, difference=0.05)
