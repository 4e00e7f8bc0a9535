"""What is predicted of a group that is not there yet: laws, brute force, coverage, folds."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import chdtri, expit, logit, ndtr, ndtri

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.statistics.limits import t_quantile
from rocsteady.statistics.random_effects import predicted_limits, random_effects

NUMBERS = st.floats(-4, 4)
GROUPS = st.lists(st.tuples(NUMBERS, st.floats(0.01, 2)), min_size=3, max_size=12)
LEVELS = st.floats(0.5, 0.99)
FEW = settings(max_examples=50, deadline=None)
quiet = pytest.mark.filterwarnings("ignore:RS")


def arrays(groups):
    return tuple(np.array(column) for column in zip(*groups, strict=True))


@FEW
@given(GROUPS, LEVELS, st.floats(-50, 50))
def test_a_prediction_moves_with_the_values(groups, level, offset):
    values, variances = arrays(groups)
    here, there = (predicted_limits(values + by, variances, level) for by in (0, offset))
    assert np.subtract(there, offset) == pytest.approx(here, abs=1e-6)


@FEW
@given(GROUPS, LEVELS)
def test_a_prediction_is_wider_at_a_higher_level_and_the_same_in_the_mirror(groups, level):
    values, variances = arrays(groups)
    low, high = predicted_limits(values, variances, level)
    wider = predicted_limits(values, variances, (1 + level) / 2)
    assert wider[0] < low < high < wider[1]
    assert predicted_limits(-values, variances, level) == pytest.approx((-high, -low), rel=1e-6, abs=1e-6)


@FEW
@given(st.lists(NUMBERS, min_size=3, max_size=30), LEVELS)
def test_exact_values_give_the_t_interval_of_one_more(values, level):
    """With very many cases nothing but the groups is random."""
    values = np.array(values)
    sd = values.std(ddof=1)
    if sd < 0.01:
        return
    half = t_quantile(values.size - 1, level) * sd * np.sqrt(1 + 1 / values.size)
    found = predicted_limits(values, np.full(values.size, 1e-12), level)
    assert found == pytest.approx((values.mean() - half, values.mean() + half), rel=1e-5, abs=1e-5)


@FEW
@given(GROUPS, LEVELS)
def test_the_centre_is_never_surer_than_if_all_groups_were_alike(groups, level):
    """Q below its degrees of freedom: the Hartung-Knapp error would be narrower than the common effect's."""
    values, variances = arrays(groups)
    fitted = random_effects(values, variances, "reml").guarded()
    low, high = fitted.limits(level)
    common = ndtri((1 + level) / 2) / np.sqrt((1 / variances).sum())
    assert high - low >= 2 * common * (1 - 1e-12)


def test_Q_below_its_degrees_of_freedom_no_longer_narrows_the_interval():
    values, variances = np.array([1.0, 1.01, 0.99, 1.0, 1.02]), np.full(5, 0.1)
    plain = random_effects(values, variances, "reml")
    assert plain.q < plain.df
    assert plain.standard_error < plain.common_error == pytest.approx(np.sqrt(0.1 / 5))
    assert plain.guarded().standard_error == plain.common_error
    spread = random_effects(np.arange(5.0), variances, "reml")
    assert spread.guarded().standard_error == spread.standard_error


@pytest.mark.parametrize(("n", "spread"), [(4, 0.0), (6, 0.5), (15, 0.2)])
def test_a_prediction_is_what_drawing_tau_and_a_new_group_gives(n, spread):
    """Brute force: a chi-square number, the tau that makes Q equal to it, a centre, a new value."""
    rng = np.random.default_rng(n)
    variances = rng.gamma(4, 0.03, n)
    values = 2 + rng.normal(size=n) * np.sqrt(spread**2 + variances)

    def excess(tau_squared, wanted):
        weights = 1 / (variances + tau_squared)
        return weights @ (values - weights @ values / weights.sum()) ** 2 - wanted

    drawn = []
    for share in rng.uniform(size=4000):
        wanted = chdtri(n - 1, share)
        tau_squared = 0.0 if excess(0.0, wanted) <= 0 else brentq(excess, 0, 1e6, args=(wanted,))
        weights = 1 / (variances + tau_squared)
        center = weights @ values / weights.sum() + rng.normal(size=50) / np.sqrt(weights.sum())
        drawn.append(center + np.sqrt(tau_squared) * rng.normal(size=50))
    low, high = predicted_limits(values, variances, 0.9)
    assert np.mean(np.concatenate(drawn) < low) == pytest.approx(0.05, abs=0.012)
    assert np.mean(np.concatenate(drawn) > high) == pytest.approx(0.05, abs=0.012)


def hospitals(n_groups, sizes, center, tau, rng):
    """Hospitals whose true AUCs are normal on the logit scale."""
    apart = np.sqrt(2) * ndtri(expit(logit(center) + tau * rng.normal(size=n_groups)))
    n = sum(sizes)
    labels = np.tile(np.arange(n) < sizes[0], n_groups)
    scores = rng.normal(size=labels.size) + labels * np.repeat(apart, n)
    return rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_groups), n), unit="hospital")


@pytest.mark.parametrize(
    ("n_groups", "sizes", "center", "tau"),
    [
        (5, (50, 50), 0.9, 0.4),
        (10, (20, 20), 0.96, 0.4),
        (10, (50, 50), 0.75, 0.15),
        (30, (20, 20), 0.96, 0.8),
    ],
)
def test_a_new_hospital_is_where_it_is_predicted(n_groups, sizes, center, tau):
    """0.92 of true AUCs at least; with tau taken as known it was 0.82 to 0.89 here."""
    rng = np.random.default_rng([n_groups, *sizes])
    held = {"guarded": [], "hartung-knapp": []}
    for _ in range(60):
        drawn = hospitals(n_groups, sizes, center, tau, rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for interval, shares in held.items():
                found = rs.summarize_auc(drawn, "random-effects", interval=interval).logit.prediction_interval
                ends = ndtr((np.array([found.low, found.high]) - logit(center)) / tau)
                shares.append(ends[1] - ends[0])
    error = np.std(held["guarded"]) / np.sqrt(60)
    assert np.mean(held["guarded"]) > 0.92 - 2 * error
    assert np.mean(held["hartung-knapp"]) < np.mean(held["guarded"]) - 0.02


@quiet
@pytest.mark.parametrize("interval", ["guarded", "hartung-knapp"])
@pytest.mark.parametrize("center", [0.5, 0.9, 0.999])
def test_the_prediction_holds_the_interval_of_the_centre(center, interval):
    rng = np.random.default_rng(3)
    for n_groups in (3, 5, 12):
        found = rs.summarize_auc(
            hospitals(n_groups, (12, 15), center, 0.2, rng), "random-effects", interval=interval
        )
        wide, narrow = found.prediction_interval, found.interval
        assert 0 <= wide.low <= narrow.low <= narrow.high <= wide.high <= 1


@quiet
def test_no_other_fold_is_predicted():
    """Folds are parts of one data set: there is no population of folds that one more would come from."""
    sites = hospitals(8, (30, 30), 0.85, 0.3, np.random.default_rng(1))
    for design in ("cross-validation", rs.Design.hold_out(0.25)):
        folds = sites.with_design(design)
        for method in ("t", "random-effects"):
            found = rs.summarize_auc(folds, method)
            assert found.prediction_interval is None
            assert "parts of one data set, so no other hospital is predicted" in found.reading
            assert found.plot() is not None
        with pytest.raises(UsageError, match=r"RS086.*parts of one data set"):
            rs.average(folds, "vertical").band(kind="prediction")
    assert rs.summarize_auc(sites, test_train_ratio=0.25).prediction_interval is None
    assert rs.summarize_auc(sites).prediction_interval is not None
