"""rs.plan: laws, then numbers from elsewhere, then the promise itself, then what is refused."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady.curves.statistics import PartialAuc
from rocsteady.planning.groups import measure_of, reading_of, variance_of
from rocsteady.planning.plan import plan
from rocsteady.statistics.power import Components, Target, between_range, fewest, half_width, power
from strategies import labelled_scores, rates_near

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS292", "ignore:RS297")

SCRIPT = Path(__file__).parents[2] / "simulations" / "planner.py"
MEASURES = ["auc", {"fpr": 0.1}, {"tpr": 0.8}, {"threshold": 1.0}]


def two_models(
    n_groups=12, sizes=(20, 50), *, seed=0, gap=0.3, spread=0.4, correlation=0.6, unit="host"
) -> rs.ScoreSet:
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    labels, group = np.tile(np.arange(n) < sizes[0], n_groups), np.repeat(np.arange(n_groups), n)
    separation = 1.5 + spread * rng.normal(size=n_groups)
    behind = separation - gap + spread / 2 * rng.normal(size=n_groups)
    shared, *own = rng.normal(size=(3, labels.size))
    noise = [np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * each for each in own]
    scores = {"new": labels * separation[group] + noise[0], "old": labels * behind[group] + noise[1]}
    return rs.ScoreSet.from_arrays(labels, scores, group, unit=unit)


def reordered(score_set: rs.ScoreSet, seed: int = 1) -> rs.ScoreSet:
    """The same groups in another order, and their rows too."""
    rng = np.random.default_rng(seed)
    pairs = [(own.is_positive, own.columns.scores) for own in score_set]
    names = list(score_set.groups)
    mixed = []
    for i in rng.permutation(len(pairs)):
        order = rng.permutation(pairs[i][0].size)
        mixed.append((names[i], (pairs[i][0][order], pairs[i][1][order])))
    return rs.ScoreSet.from_folds(
        [pair for _, pair in mixed], names=[name for name, _ in mixed], unit="host", design="independent"
    )


# Laws


@given(labelled_scores(min_per_class=2), st.data())
def test_a_rate_is_what_the_curve_has(scored, data) -> None:
    labels, scores = scored
    for higher in (True, False):
        own = rs.Scores(labels, scores, higher_is_positive=higher)
        curve = rs.roc_curve(own)
        fpr, tpr = data.draw(rates_near(curve.fpr)), data.draw(rates_near(curve.tpr))
        for given_as, value in (
            ({"fpr": fpr}, curve.tpr_at(fpr)),
            ({"tpr": tpr}, curve.fpr_at(tpr)),
        ):
            read = reading_of(own, measure_of(given_as))
            assert read.value == pytest.approx(value, abs=1e-12)
            variance = variance_of([read])
            assert np.isfinite(variance)
            assert variance >= 0
            assert variance_of([read, read]) == 0


@given(labelled_scores(kinds=("tied floats", "integers"), min_per_class=2), st.floats(-4, 4))
def test_a_rate_at_a_threshold_is_binomial(scored, threshold) -> None:
    labels, scores = scored
    own = rs.Scores(labels, scores)
    rates = rs.roc_curve(own).rates_at(threshold)
    for name, n in (("tpr", labels.sum()), ("fpr", (~labels).sum())):
        read = reading_of(own, measure_of({"threshold": threshold}, name))
        p = getattr(rates, name)
        assert read.value == p
        assert variance_of([read]) == pytest.approx(p * (1 - p) / (n - 1))


@pytest.mark.parametrize("within", ["formula", "bootstrap"])
@pytest.mark.parametrize("measure", MEASURES)
def test_the_order_of_groups_and_rows_does_not_matter(measure, within) -> None:
    scores = two_models().model("new")
    options = {"measure": measure, "half_width": 0.03, "within": within, "n_resamples": 200}
    one, other = plan(scores, **options), plan(reordered(scores), **options)
    for name in ("estimate", "between", "within", "half_width", "floor", "n_positives"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9), name
    assert one.groups_needed == other.groups_needed
    assert one.reading == other.reading


@pytest.mark.parametrize("within", ["formula", "bootstrap"])
@pytest.mark.parametrize("measure", [*MEASURES, PartialAuc(fpr=(0, 0.2))])
def test_models_exchanged_change_the_sign_and_nothing_else(measure, within) -> None:
    if isinstance(measure, PartialAuc) and within == "formula":
        with pytest.raises(rs.errors.UsageError, match="no formula"):
            plan(two_models(), models=("new", "old"), measure=measure, within=within)
        return
    one, other = (
        plan(two_models(), models=names, measure=measure, within=within, n_resamples=200)
        for names in (("new", "old"), ("old", "new"))
    )
    assert one.estimate == -other.estimate
    for name in ("between", "within", "power", "detectable", "difference"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-9), name
    assert one.groups_needed == other.groups_needed
    assert one.reading == other.reading  # who is ahead is said, whoever comes first


@pytest.mark.parametrize("within", ["formula", "bootstrap"])
@pytest.mark.parametrize("measure", MEASURES)
def test_identical_models_are_never_told_apart(measure, within) -> None:
    both = two_models()
    labels = np.concatenate([own.is_positive for own in both.model("new")])
    scores = both.model("new").columns.scores
    groups = np.repeat(both.groups, [own.columns.n_rows for own in both.model("new")])
    twins = rs.ScoreSet.from_arrays(labels, {"a": scores, "b": scores}, groups)
    found = plan(twins, models=("a", "b"), measure=measure, within=within, n_resamples=200)
    assert (found.estimate, found.between, found.within, found.difference) == (0, 0, 0, 0)
    assert found.groups_needed == math.inf
    assert found.cases_needed.factor == math.inf
    assert found.power == pytest.approx(0.05)
    assert "so no number of cases shows a difference" in found.reading


def test_equal_models_on_average_are_never_told_apart_either() -> None:
    """The difference is 0, the groups' differences are not."""
    labels = np.tile([True, True, False, False], 4)
    a = np.array([4, 2, 3, 1, 4, 3, 2, 1] * 2)
    b = np.array([4, 3, 2, 1, 4, 2, 3, 1] * 2)
    both = rs.ScoreSet.from_arrays(labels, {"a": a, "b": b}, np.repeat([0, 1, 2, 3], 4))
    with pytest.warns(rs.errors.RocsteadyWarning, match="RS291"):
        found = plan(both, models=("a", "b"))
    assert found.estimate == 0
    assert found.between + found.within > 0
    assert found.groups_needed == math.inf
    json.dumps(found.to_dict(), allow_nan=False)


@given(st.floats(0, 0.05), st.floats(1e-4, 0.05), st.floats(0.005, 0.3), st.sampled_from([None, 0.5, 0.9]))
@settings(deadline=None)
def test_the_number_of_groups_is_the_smallest_that_does(between, within, wanted, assurance) -> None:
    parts, target = Components(between, within), Target(wanted, math.nan, 0.8, 0.95, assurance)
    n = int(target.groups(parts, 10))
    assert half_width(parts.variance(), n, 0.95, assurance) <= wanted
    assert n == 2 or half_width(parts.variance(), n - 1, 0.95, assurance) > wanted
    times = target.times_cases(parts, n)
    assert times <= 1 + 1e-9
    fewer = int(target.groups(parts, 10, math.inf))
    assert fewer <= n
    if fewer > 2:
        assert target.times_cases(parts, fewer - 1) == math.inf


@given(st.floats(0, 0.02), st.floats(1e-4, 0.02), st.floats(0.02, 0.3), st.integers(3, 60))
@settings(deadline=None)
def test_so_many_times_the_cases_just_do(between, within, wanted, n) -> None:
    parts, target = Components(between, within), Target(wanted, math.nan, 0.8, 0.95, None)
    times = target.times_cases(parts, n)
    if math.isinf(times):
        assert half_width(between, n, 0.95, None) >= wanted
    else:
        assert half_width(parts.variance(times), n, 0.95, None) == pytest.approx(wanted)


@pytest.mark.parametrize(("difference", "variance"), [(0.05, 0.01), (0.01, 0.004), (0.3, 0.01)])
def test_the_number_of_groups_for_power_is_the_smallest_that_does(difference, variance) -> None:
    target = Target(None, difference, 0.8, 0.95, None)
    n = int(target.groups(Components(variance, 0.0), 10))
    assert power(difference, variance, n, 0.95) >= 0.8
    assert n == 2 or power(difference, variance, n - 1, 0.95) < 0.8
    assert power(difference, target.largest_variance(n), n, 0.95) == pytest.approx(0.8, abs=1e-6)


def test_none_is_enough_where_none_is() -> None:
    assert fewest(lambda n: False, 3) == math.inf
    assert Target(1e-12, math.nan, 0.8, 0.95, None).groups(Components(1.0, 0.0), 5) == math.inf


def test_more_of_either_never_widens() -> None:
    found = plan(two_models().model("new"), half_width=0.03)
    table = found.table([12, 13, 20, 100], [1, 2, 50, math.inf])
    widths = table.half_width.reshape(4, 4)
    assert (np.diff(widths, axis=0) < 0).all()
    assert (np.diff(widths, axis=1) < 0).all()
    assert widths[0, -1] == pytest.approx(found.floor)
    typical = math.sqrt(11 / 10.341)  # the median of chi-square with 11 degrees of freedom
    assert widths[0, 0] == pytest.approx(found.half_width * typical, rel=1e-5)
    assert ((table.half_width_low < table.half_width) & (table.half_width < table.half_width_high)).all()
    assert found.half_width_at(20, times_cases=2) == pytest.approx(widths[2, 1])


def test_the_half_width_now_is_that_of_the_average() -> None:
    scores = two_models().model("new")
    for measure, at in (
        ({"fpr": 0.1}, ("vertical", "fpr", 0.1, "tpr")),
        ({"tpr": 0.8}, ("horizontal", "tpr", 0.8, "fpr")),
    ):
        method, held, value, free = at
        point = rs.average(scores, method).at(**{held: value}, scale="linear")
        interval = getattr(point, f"{free}_interval")
        found = plan(scores, measure=measure)
        assert found.estimate == pytest.approx(getattr(point, free))
        assert found.half_width == pytest.approx((interval.high - interval.low) / 2)
        assert found.groups_needed is None
        assert found.cases_needed is None


def test_the_luck_of_the_cases_is_delongs() -> None:
    both = two_models()
    new, old = both.model("new"), both.model("old")
    errors = rs.roc_curves(new).auc_standard_error()
    assert plan(new).within == pytest.approx(np.mean(errors**2))
    paired = [rs.compare_auc(a, b) for a, b in zip(new, old, strict=True)]
    found = plan(both, models=("new", "old"))
    np.testing.assert_allclose(found.values, [each.difference for each in paired], atol=1e-15)
    np.testing.assert_allclose(found.variances, [each.standard_error**2 for each in paired], rtol=1e-12)
    seen = np.var([each.difference for each in paired], ddof=1)
    assert found.between == pytest.approx(max(seen - found.within, 0))


@pytest.mark.parametrize("measure", MEASURES)
def test_formula_and_bootstrap_agree(measure) -> None:
    """In large groups; in small ones the bootstrap of a rate at a rate is up to a quarter too large.

    A mean of 30 variances, each known to a factor of about 1.6, has an error of 9 %; that of 1000 resamples 4 %.
    """
    both = two_models(30, (150, 400))
    for models, scores in ((None, both.model("new")), (("new", "old"), both)):
        formula, drawn = (
            plan(scores, models=models, measure=measure, within=within, n_resamples=1000)
            for within in ("formula", "bootstrap")
        )
        exact = measure == "auc" or "threshold" in measure
        assert drawn.within == pytest.approx(formula.within, rel=0.12 if exact else 0.25)
        assert drawn.estimate == pytest.approx(formula.estimate, abs=1e-12)


def test_a_seed_gives_the_same_plan_with_any_number_of_threads() -> None:
    both = two_models()
    plans = [
        plan(both, models=("new", "old"), measure={"fpr": 0.1}, within="bootstrap", seed=s, threads=t)
        for s, t in ((3, 1), (3, 2), (4, 1))
    ]
    assert plans[0].to_dict() == plans[1].to_dict()
    assert plans[0].within != plans[2].within


def test_low_scores_may_be_positive() -> None:
    scores = two_models().model("new")
    turned = rs.ScoreSet.from_folds(
        [(own.is_positive, -own.columns.scores) for own in scores],
        higher_is_positive=False,
        design="independent",
    )
    for measure, other in (*((m, m) for m in MEASURES[:3]), ({"threshold": 1.0}, {"threshold": -1.0})):
        one, two = plan(scores, measure=measure), plan(turned, measure=other)
        assert (one.estimate, one.within) == (pytest.approx(two.estimate), pytest.approx(two.within))


def test_values_name_the_same_measures() -> None:
    scores = two_models().model("new")
    for value, given_as in (
        ({"fpr": 0.1}, {"fpr": 0.1}),
        ({"tpr": 0.8}, {"tpr": 0.8}),
        ({"threshold": 1}, {"threshold": 1}),
    ):
        assert plan(scores, measure=value).to_dict() == plan(scores, measure=given_as).to_dict()


def test_assurance_asks_for_more() -> None:
    scores = two_models().model("new")
    needed = [
        plan(scores, half_width=0.03, assurance=assurance).groups_needed for assurance in (None, 0.8, 0.99)
    ]
    assert needed[0] < needed[1] < needed[2]
    assert "with a chance of 80 %" in plan(scores, half_width=0.03, assurance=0.8).reading


# Numbers from elsewhere


def test_the_range_of_a_variance_is_that_of_the_chi_square_tables() -> None:
    """Three groups: sqrt(2 / 7.3778) and sqrt(2 / 0.050636)."""
    low, high = between_range(np.array([0.0, 1.0, 2.0]), 0.0, 0.95)
    assert (math.sqrt(low), math.sqrt(high)) == (
        pytest.approx(0.52066, abs=2e-5),
        pytest.approx(6.2847, abs=2e-4),
    )


def test_groups_for_a_half_width_are_those_of_the_tables() -> None:
    """sd 1, half-width 0.5: n = 18 by t (t17 = 2.1098, 0.4973; t16 = 2.1199 gives 0.5142), 16 by z."""
    assert Target(0.5, math.nan, 0.8, 0.95, None).groups(Components(1.0, 0.0), 10) == 18
    assert half_width(1.0, 18, 0.95, None) == pytest.approx(0.4973, abs=5e-5)


def test_power_is_that_of_the_tables() -> None:
    """Paired t, effect 0.5: 34 pairs for 80 % (Cohen 1988; R's power.t.test gives n = 33.37)."""
    assert Target(None, 0.5, 0.8, 0.95, None).groups(Components(1.0, 0.0), 10) == 34


# The promise, short


@pytest.fixture(scope="module")
def simulation():
    if not SCRIPT.exists():
        skip_unless_required("the simulations are not part of a source distribution")
    spec = importlib.util.spec_from_file_location("planner", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


QUICK = ("AUC", "TPR at FPR 0.1", "AUC, difference")


def test_the_half_width_promised_is_reached(simulation) -> None:
    """Within 10 %, with more groups and with more cases; three Monte-Carlo errors besides."""
    known = simulation.readings(1500, 1.0, seed=1, names=QUICK)
    studies = simulation.readings(1000, 4.0, seed=2, names=QUICK)
    for name in QUICK:
        parts = simulation.split_variance(*known[name])
        for n, times, values in ((30, 1.0, known[name][0]), (10, 4.0, studies[name][0])):
            promise = half_width(parts.variance(times), n, 0.95, None)
            seen = simulation.widths_seen(values, n)
            error = seen.std(ddof=1) / math.sqrt(seen.size) / promise
            assert abs(math.sqrt(np.mean(seen**2)) / promise - 1) < 0.1 + 3 * error, (name, n, times)


def test_pilots_promise_it_too(simulation) -> None:
    """The median of 150 pilots of 10 groups is within 10 %, and their ranges hold it nearly always."""
    pilots = simulation.readings(1500, 1.0, seed=3, names=("AUC",))["AUC"]
    seen = simulation.widths_seen(simulation.readings(1500, 4.0, seed=4, names=("AUC",))["AUC"][0], 30)
    found = simulation.pilot_promises(pilots, 10, (30, 4.0), seen)
    assert abs(found["median"] - 1) < 0.1 + 3 * 0.35 * 1.25 / math.sqrt(150)
    assert found["held"] > 0.95 - 3 * math.sqrt(0.05 * 0.95 / 150)
    assert found["low"] < 0.85 < 1.15 < found["high"]  # and a single pilot is rough


def test_the_luck_of_the_cases_is_what_alike_groups_scatter_by(simulation) -> None:
    """Groups that do not differ: stated over seen, three Monte-Carlo errors of 1000 groups, and 8 % besides."""
    for name, (values, variances) in simulation.readings(1000, 1.0, seed=5, of=simulation.ALIKE).items():
        assert abs(np.mean(variances) / values.var(ddof=1) - 1) < 0.08 + 3 * math.sqrt(2 / 1000), name


def test_what_is_simulated_is_what_the_public_function_gives(simulation) -> None:
    drawn = simulation.draw(10, 1.0, np.random.default_rng(9))
    for name, (measure, is_difference) in simulation.MEASURES.items():
        models = ("a", "b") if is_difference else None
        found = plan(drawn if is_difference else drawn.model("a"), models=models, measure=measure)
        promise = simulation.promised(found.values, found.variances, 30, 4.0)
        table = found.table([30], [4.0])
        stated = [table.half_width[0], table.half_width_low[0], table.half_width_high[0]]
        np.testing.assert_allclose(promise, stated, err_msg=name)


# What it says


def test_a_target_below_the_floor_takes_more_groups() -> None:
    found = plan(two_models(spread=0.8).model("new"), half_width=0.01)
    assert found.floor > 0.01
    assert found.cases_needed.factor == math.inf
    assert repr(found.cases_needed) == "CasesNeeded(inf × now, inf positives, inf negatives)"
    assert "no number of cases is enough" in found.reading
    assert found.n_groups < found.groups_at_least <= found.groups_needed
    assert found.groups_range[0] < found.groups_needed < found.groups_range[1]
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["cases_needed"]["factor"] == "inf"


def test_a_target_that_is_reached_already_says_so() -> None:
    found = plan(two_models().model("new"), half_width=0.2)
    assert found.groups_needed < found.n_groups
    assert found.cases_needed.factor < 1
    assert "are enough" in found.reading


def test_the_words() -> None:
    found = plan(two_models().model("new"), half_width=0.02)
    assert repr(found).startswith("Plan(AUC: 0.8")
    assert repr(found).endswith("12 hosts, 55 needed)")
    assert "The 12 hosts and their cases are treated as a random sample of hosts" in found.reading
    assert "20 positives and 50 negatives" in found.reading
    assert "estimated from 12 hosts" in found.reading
    of_two = plan(two_models(), models=("new", "old"), measure={"threshold": 1}, rate="fpr", difference=0.02)
    assert "A true difference of 2.0 points is found" in of_two.reading
    assert "limited number of cases (50 negatives per host)" in of_two.reading
    assert "half as large" not in of_two.reading
    assert of_two.cases_needed.positives == 20
    assert "PlanTable(" in repr(of_two.table())
    assert "power" in of_two.table().to_frame().columns
    assert "power" not in found.table().to_frame().columns
    with pytest.raises(TypeError, match="not a tuple"):
        tuple(found)


# What is refused, and what is warned of


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ({"half_width": 0}, "RS042", "half_width must be above 0"),
        ({"half_width": -0.1}, "RS042", "half_width=0.02"),
        ({"half_width": float("nan")}, "RS042", "half_width"),
        ({"half_width": "0.02"}, "RS042", "half_width"),
        ({"power": 1.0}, "RS042", "power"),
        ({"confidence_level": 95}, "RS042", "confidence_level=0.95"),
        ({"assurance": 0}, "RS042", "assurance"),
        ({"difference": 0.1}, "RS002", "models"),
        ({"measure": "f1"}, "RS001", "measure='auc'"),
        ({"measure": {"fpr": 5}}, "RS042", "fpr=0.05"),
        ({"measure": {"fpr": 0.1, "tpr": 0.2}}, "RS002", "one place is needed to plan for"),
        ({"measure": {"fpr": [0.1, 0.2]}}, "RS002", "one number"),
        ({"measure": {"threshold": [0.1, 0.2]}}, "RS002", "one number"),
        ({"rate": "tpr"}, "RS002", "leave out  rate"),
        ({"measure": {"threshold": 0}, "rate": "ppv"}, "RS001", "rate='tpr'"),
        ({"within": "delong"}, "RS001", "within='formula'"),
        ({"models": ("new", "old")}, "RS060", "two models are needed"),
        ({"undefined": "ignore"}, "RS001", "undefined"),
    ],
)
def test_bad_options(options, code, says) -> None:
    with pytest.raises(rs.errors.RocsteadyError) as error:
        plan(two_models().model("new"), **options)
    assert error.value.code == code
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        ({}, "RS044", "models=('new', 'old')"),
        ({"models": ("new",)}, "RS002", "models=('old', 'new')"),
        ({"models": "new"}, "RS002", "the two models to compare"),
        ({"models": ("new", "odl")}, "RS001", "did you mean  'old'"),
        ({"models": ("new", "new")}, "RS060", "with itself"),
        ({"models": ("new", "old"), "difference": 0}, "RS042", "a number other than 0"),
        ({"models": ("new", "old"), "difference": 0.1, "half_width": 0.1}, "RS002", "leave out  half_width"),
    ],
)
def test_bad_models(options, code, says) -> None:
    with pytest.raises(rs.errors.RocsteadyError) as error:
        plan(two_models(), **options)
    assert error.value.code == code
    assert says in str(error.value)


def test_no_set_is_refused() -> None:
    with pytest.raises(rs.errors.UsageError, match="takes a ScoreSet"):
        plan([0.1, 0.2])


def test_power_is_for_two_models() -> None:
    with pytest.raises(rs.errors.UsageError, match="this plan is about one"):
        plan(two_models().model("new")).power_at(20)
    found = plan(two_models(), models=("new", "old"))
    assert found.power_at() == pytest.approx(found.power)
    assert found.power_at(1000) > 0.99


def test_weights_are_refused() -> None:
    labels, scores, groups = [1, 0, 1, 0], [4, 1, 3, 2], ["a", "a", "b", "b"]
    weighted = rs.ScoreSet.from_arrays(labels, scores, groups, sample_weight=[1, 2, 1, 1])
    with pytest.raises(rs.errors.UsageError, match="RS038"):
        plan(weighted)


def test_groups_of_one_class_are_named() -> None:
    folds = [([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])] * 3 + [([1, 1], [1, 2])]
    scores = rs.ScoreSet.from_folds(folds, design="independent")
    with pytest.raises(rs.errors.DataError, match="RS036"):
        plan(scores)
    found = plan(scores, undefined="drop")
    assert found.n_groups == 6
    assert found.undefined == ("fold 7: no negatives",)


def test_single_cases_are_warned_of_or_refused() -> None:
    small = [([1, 0, 0], [2, 3, 1]), ([1, 0, 0], [3, 2, 1])]
    with (
        pytest.raises(rs.errors.DataError, match="RS069"),
        pytest.warns(rs.errors.RocsteadyWarning, match="RS291"),
    ):
        plan(rs.ScoreSet.from_folds(small, design="independent"))
    large = [([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [4, 1, 2, 3])] * 2
    with pytest.warns(rs.errors.RocsteadyWarning, match="RS290") as warned:
        found = plan(rs.ScoreSet.from_folds(small + large, design="independent"))
    assert len(warned) == 1
    assert "fold 1 and fold 2" in str(warned[0].message)
    assert np.isnan(found.variances[:2]).all()
    assert np.isfinite(found.within)


def test_a_single_case_drawn_again_is_no_certainty() -> None:
    """Resampling one case shows no luck; that is not the same as having none."""
    small = [([1, 0], [2, 1]), ([1, 0], [1, 2])] * 3
    for measure in ("auc", {"fpr": 0.05}):
        with pytest.raises(rs.errors.DataError, match="RS069"):
            plan(rs.ScoreSet.from_folds(small, design="independent"), measure=measure, within="bootstrap")
    large = [(own.is_positive, own.columns.scores) for own in two_models(6).model("new")]
    options = {"within": "bootstrap", "n_resamples": 200}
    with pytest.warns(rs.errors.RocsteadyWarning, match="RS290"):
        mixed = plan(rs.ScoreSet.from_folds(large + small, design="independent"), **options)
    assert np.isnan(mixed.variances[6:]).all()
    assert mixed.within == plan(rs.ScoreSet.from_folds(large, design="independent"), **options).within


@pytest.mark.filterwarnings("default:RS292")
def test_a_point_finer_than_the_cases_is_warned_of() -> None:
    scores = two_models().model("new")
    with pytest.warns(rs.errors.RocsteadyWarning, match="RS292.*FPR 1 %.*\n.*50 negatives") as warned:
        plan(scores, measure={"fpr": 0.01})
    assert "500 or more negatives" in str(warned[0].message)


@pytest.mark.filterwarnings("default:RS292")
def test_perfect_groups_are_no_certainty() -> None:
    perfect = rs.ScoreSet.from_folds([([1, 1, 0, 0], [4, 3, 2, 1])] * 6, design="independent")
    with pytest.warns(rs.errors.RocsteadyWarning, match=r"RS292.*exactly 0 or 1 in most folds"):
        found = plan(perfect, half_width=0.01)
    assert (found.half_width, found.groups_needed) == (0, 2)
    assert "no variance to plan with" in found.reading


def test_shared_cases_are_warned_of() -> None:
    labels, cases = [1, 1, 0, 0] * 6, [1, 2, 3, 4] * 6
    rng = np.random.default_rng(0)
    readers = rs.ScoreSet.from_arrays(
        labels, rng.normal(size=24) + labels, np.repeat(range(6), 4), cases=cases, unit="reader"
    )
    with pytest.warns(rs.errors.RocsteadyWarning, match="RS293.*readers share cases"):
        plan(readers)


def unpaired_rows(labels_b, **options) -> rs.ScoreSet:
    """Model a on six groups of four cases, and model b on rows that may be others."""
    labels_a = np.tile([1, 1, 0, 0], 6)
    scores = np.random.default_rng(5).normal(size=48) + np.concatenate([labels_a, labels_b])
    groups = np.tile(np.repeat(list("ghijkl"), 4), 2)
    return rs.ScoreSet.from_arrays(
        np.concatenate([labels_a, labels_b]), scores, groups, models=["a"] * 24 + ["b"] * 24, **options
    )


def test_cases_that_are_not_the_same_are_refused() -> None:
    same = np.tile([1, 1, 0, 0], 6)
    assert plan(unpaired_rows(same), models=("a", "b")).n_groups == 6
    other = np.concatenate([same[:20], [0, 0, 1, 1]])
    with pytest.raises(rs.errors.DataError, match=r"RS063.*\n.*labels differ in 1 group: l") as error:
        plan(unpaired_rows(other), models=("a", "b"))
    assert "paired=" not in str(error.value)
    cases = [*range(24), *range(23), 99]
    with pytest.raises(rs.errors.DataError, match=r"RS063.*\n.*99") as error:
        plan(unpaired_rows(same, cases=cases), models=("a", "b"))
    assert "paired=" not in str(error.value)
    assert "unmatched='drop'" in str(error.value)
    with pytest.warns(rs.errors.RocsteadyWarning, match=r"RS290.*\n.*single case of a class in l"):
        found = plan(unpaired_rows(same, cases=cases), models=("a", "b"), unmatched="drop")
    assert found.n_negatives < 2


def test_a_lucky_study_says_that_it_was_lucky() -> None:
    scores = two_models().model("new")
    now = plan(scores).half_width
    found = plan(scores, half_width=now * 1.001)
    assert found.groups_needed == found.n_groups + 1
    assert "are just enough; a new study needs 13" in found.reading


def test_one_case_is_not_counted_as_several() -> None:
    """It said "1 negatives"."""
    rows = rs.ScoreSet.from_arrays([1, 0, 1, 0] * 6, list(range(24)), np.repeat(list("abcdef"), 4))
    found = plan(rows, half_width=0.1)
    reading = dataclasses.replace(found, n_negatives=1.0).reading
    assert "2 positives and 1 negative" in reading
    assert "1 negatives" not in reading
