"""Limits of mean rates over groups: on the logit scale, and where groups agree."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, t

import rocsteady as rs
from rocsteady.statistics.groups import case_limits, t_limits

SHARES = st.floats(0, 1)


@given(mean=SHARES, half=st.floats(0, 10))
def test_limits_stay_between_0_and_1_and_hold_the_mean(mean, half):
    low, high = t_limits(mean, half)
    assert 0 <= low <= mean + 1e-15
    assert mean - 1e-15 <= high <= 1


@given(mean=st.floats(0.01, 0.99), half=st.floats(1e-9, 1e-5))
def test_both_scales_agree_where_little_varies(mean, half):
    for a, b in zip(t_limits(mean, half), t_limits(mean, half, "linear"), strict=True):
        assert a == pytest.approx(b, abs=half / 50)


@given(mean=st.floats(0.001, 0.999), half=st.floats(1e-6, 5))
def test_errors_have_the_mirrored_limits(mean, half):
    low, high = t_limits(mean, half)
    mirrored = t_limits(1 - mean, half)
    assert 1 - low == pytest.approx(mirrored[1], abs=1e-12)
    assert 1 - high == pytest.approx(mirrored[0], abs=1e-12)


def test_unknown_spreads_have_unknown_limits():
    assert np.isnan(t_limits(0.5, np.nan)).all()
    assert np.isnan(t_limits(1.0, np.nan)).all()


@given(n=st.integers(1, 500), found=st.data())
def test_many_groups_that_agree_have_the_limits_of_clopper_and_pearson(n, found):
    k = found.draw(st.integers(0, n))
    low, high = case_limits(k / n, np.ones(1), np.array([n]), 0.95, df=np.inf)
    exact = binomtest(k, n).proportion_ci(method="exact")
    assert low == pytest.approx(exact.low, abs=1e-9)
    assert high == pytest.approx(exact.high, abs=1e-9)


def test_five_perfect_groups_of_20_are_worth_fewer_than_100_cases():
    """Korn & Graubard 1998: .930, where plain pooling claims .964."""
    low, high = case_limits(1.0, np.full(5, 0.2), np.full(5, 20), 0.95, df=4)
    assert low == pytest.approx(0.930, abs=5e-4)
    assert high == 1
    worth = 100 * (t.ppf(0.975, 99) / t.ppf(0.975, 4)) ** 2
    assert low == pytest.approx(0.025 ** (1 / worth), abs=1e-12)


def test_repeats_do_not_make_more_cases():
    once = case_limits(1.0, np.full(10, 0.1), np.full(10, 20), 0.95, df=9)
    again = case_limits(1.0, np.full(50, 0.02), np.full(50, 20), 0.95, df=9, repeats=5)
    assert once[0] == pytest.approx(again[0], abs=1e-12)


def perfect(n_groups, n=20, **options):
    pair = ([1] * n + [0] * n, [*np.linspace(2, 3, n), *np.linspace(0, 1, n)])
    return rs.ScoreSet.from_folds([pair] * n_groups, **options)


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: rs.average(s, "vertical").at(fpr=0.1).tpr_interval,
        lambda s: rs.average(s, "vertical").at(fpr=0).tpr_interval,
        lambda s: rs.average(s, "vertical").auc_interval(),
        lambda s: rs.average(s, "threshold").auc_interval(),
        lambda s: rs.average(s, "threshold").at(threshold=1.5).tpr_interval,
        lambda s: rs.average(s, "threshold").at(fpr=0.1).tpr_interval,
        lambda s: rs.average(s, "pooled").at(threshold=1.5).tpr_interval,
        lambda s: rs.average(s, "radial").at_error_ratio(1, 1).tpr_interval,
    ],
)
def test_perfect_groups_have_limits_from_their_cases_at_every_door(ask):
    with pytest.warns(rs.RocsteadyWarning, match="RS210"):
        interval = ask(perfect(5, design="independent"))
    assert interval.low == pytest.approx(0.930, abs=5e-4)
    assert interval.high == 1


def test_perfect_groups_have_false_positive_rates_with_limits():
    with pytest.warns(rs.RocsteadyWarning, match="RS210"):
        interval = rs.average(perfect(5, design="independent"), "horizontal").at(tpr=0.9).fpr_interval
    assert interval.low == 0
    assert interval.high == pytest.approx(0.070, abs=5e-4)


def test_the_cases_of_a_repeated_cross_validation_count_once():
    once = rs.average(perfect(10), "vertical")
    again = rs.average(perfect(50, repeats=5), "vertical")
    with pytest.warns(rs.RocsteadyWarning, match="RS210"):
        few, many = (own.auc_interval() for own in (once, again))
    assert few.low < many.low < 0.025 ** (1 / 200) + 1e-3  # more degrees of freedom, not more cases


def test_a_band_counts_cases_where_groups_agree():
    band = rs.average(perfect(5, design="independent"), "vertical").band(at=[0.3])
    assert band.lower.tpr[0] == pytest.approx(0.930, abs=5e-4)


def test_RS210_says_what_was_done_about_it():
    """Cases are counted on the logit scale, weighted rows by Kish's number; on the linear one nothing is done."""
    average = rs.average(perfect(5, design="independent"), "vertical")
    with pytest.warns(rs.RocsteadyWarning, match=r"RS210.*counts their cases"):
        average.at(fpr=0.1)
    with pytest.warns(rs.RocsteadyWarning, match=r"RS210.*too narrow"):
        plain = average.at(fpr=0.1, scale="linear").tpr_interval
    assert plain.low == plain.high == 1
    weighted = rs.average(perfect(5, design="independent", sample_weight=[[0.5, 1] * 20] * 5), "vertical")
    with pytest.warns(rs.RocsteadyWarning, match=r"RS210.*counts their cases"):
        assert weighted.auc_interval().low < 1


def test_a_table_of_points_has_the_intervals_of_the_threshold_average():
    rng = np.random.default_rng(3)
    pairs = [(np.arange(40) % 2, rng.normal(size=40) + 3 * (np.arange(40) % 2)) for _ in range(8)]
    for design in ("independent", "cross-validation"):
        scores = rs.ScoreSet.from_folds(pairs, design=design)
        average, thresholds = rs.average(scores, "threshold"), [-1.5, 0.5, 1.5, 2.5, 9.0]
        table = rs.average_operating_points(scores, thresholds=thresholds)
        for name in ("fpr", "tpr"):
            found = table.measure(name).interval()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", rs.RocsteadyWarning)
                points = [average.at(threshold=own) for own in table.thresholds.tolist()]
            wanted = [getattr(own, f"{name}_interval") for own in points]
            np.testing.assert_allclose(found.low, [own.low for own in wanted], rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(found.high, [own.high for own in wanted], rtol=1e-9, atol=1e-12)
        assert found.low[0] < 1  # all folds agree, and the cases speak


def test_RS289_is_said_at_every_door():
    rng = np.random.default_rng(1)
    pairs = [
        (np.arange(60) % 2, rng.normal(size=60) + apart * (np.arange(60) % 2))
        for apart in (5.0, 5.0, 4.0, 4.5, 0.8)
    ]
    hospitals = rs.ScoreSet.from_folds(pairs, unit="hospital", design="independent")
    doors = [
        lambda: rs.summarize_auc(hospitals, "t"),
        lambda: rs.average(hospitals, "vertical").auc_interval(),
        lambda: rs.average(hospitals, "threshold").auc_interval(),
    ]
    for door in doors:
        with pytest.warns(rs.RocsteadyWarning, match="RS289"):
            door()


@pytest.mark.parametrize(
    ("method", "close"),
    [
        ("tangent", 0.05),
        ("binormal", 0.05),
        ("threshold", 0.4),
        ("pooled", 0.4),
        ("radial", 0.4),
        ("diagonal", 0.4),
    ],
)
@pytest.mark.parametrize("place", [{"fpr": 0.2}, {"tpr": 0.7}])
@pytest.mark.filterwarnings("ignore:RS230")
def test_linearised_errors_are_those_of_leaving_groups_out(method, close, place):
    """Nearly the same for smooth averages; the jackknife of a step function is rough."""
    rng = np.random.default_rng(4)
    labels = np.arange(120) % 2
    pairs = [
        (labels, rng.normal(size=120) + (1.5 + 0.4 * rng.normal()) * labels + 0.3 * rng.normal())
        for _ in range(14)
    ]
    free = "tpr" if "fpr" in place else "fpr"

    def point(own):
        return rs.average(rs.ScoreSet.from_folds(own, design="independent"), method).at(
            **place, scale="linear"
        )

    interval = getattr(point(pairs), f"{free}_interval")
    error = (interval.high - interval.low) / 2 / t.ppf(0.975, 13)
    without = np.array([getattr(point(pairs[:i] + pairs[i + 1 :]), free) for i in range(14)])
    assert error == pytest.approx(np.sqrt(13 / 14 * ((without - without.mean()) ** 2).sum()), rel=close)
