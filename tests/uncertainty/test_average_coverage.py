"""A short, seeded run of simulations/average_intervals.py, and that it tries what the public functions give."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady.averaging.base import Average
from rocsteady.simulate import ShiftedDatasets

SCRIPT = Path(__file__).parents[2] / "simulations" / "average_intervals.py"
REPLICATES = 3000
ERROR = np.sqrt(0.05 * 0.95 / REPLICATES)  # Monte-Carlo error of a share near 0.95


@pytest.fixture(scope="module")
def simulation():
    if not SCRIPT.exists():
        skip_unless_required("the simulations are not part of a source distribution")
    spec = importlib.util.spec_from_file_location("average_intervals", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_target_is_the_one_of_the_beta_formula(simulation):
    """Errata H8: 0.369 where the curve of very many cases is at 0.290; and what is drawn is around it."""
    assert simulation.expected(0.02) == pytest.approx(0.369, abs=5e-4)
    assert simulation.POPULATION.vertical_tpr(0.02) == pytest.approx(0.290, abs=5e-4)
    jumps = simulation.drawn_jumps(1, 20_000, seed=1)
    for rule in ("upper", "mid"):
        values = simulation.read(jumps, rule)[0]
        errors = values.std(axis=0) / np.sqrt(20_000)
        targets = [simulation.expected(place, rule=rule) for place in simulation.PLACES]
        assert (np.abs(values.mean(axis=0) - targets) < 4 * errors).all()


@pytest.mark.filterwarnings("ignore:RS210")
def test_the_simulated_intervals_are_those_of_the_public_functions(simulation):
    """The shares are counted from arrays; here one replicate is made into an average."""
    n_groups, n = 5, 50
    for rule in ("upper", "mid"):
        values = simulation.read(simulation.drawn_jumps(n_groups, 1, seed=3), rule)[:, 0]
        scores, labels, offsets = simulation.draw(np.random.default_rng(3), np.full(n_groups, n), n)
        drawn = rs.ScoreSet.from_arrays(labels, scores, np.repeat(np.arange(n_groups), np.diff(offsets)))
        average = rs.average(drawn, rs.Vertical(at_jumps=rule))
        point = average.at(fpr=np.array(simulation.PLACES), scale="linear")
        np.testing.assert_allclose(point.tpr, values.mean(axis=0), atol=1e-14)
        for share, low, high in zip(values.T, point.tpr_interval.low, point.tpr_interval.high, strict=True):
            column = share[:, None, None]
            weights = np.full(n_groups, 1 / n_groups)
            inside, outside = low + 1e-9, high + 1e-9
            assert simulation.covered(column, weights, np.array([inside])) == 1
            assert simulation.covered(column, weights, np.array([outside])) == 0


@pytest.mark.parametrize(("n_groups", "replicates"), [(3, 4000), (5, 4000), (10, 4000), (100, 1500)])
def test_pointwise_t_intervals_cover_as_often_as_they_say(simulation, n_groups, replicates):
    shares = simulation.pointwise(n_groups, replicates, seed=11)
    for rule in ("upper", "mid"):
        assert (shares[f"{rule}, t"] > 0.93).all()
        assert (shares[f"{rule}, t"] < 0.965).all()


def test_normal_intervals_fail_with_few_groups(simulation):
    """Why t is the default (errata H9)."""
    shares = simulation.pointwise(3, REPLICATES, seed=12)
    assert (shares["upper, normal"] < 0.85).all()


def test_intervals_are_for_the_mean_of_finite_groups_and_not_for_the_curve_of_all_cases(simulation):
    """Errata H8: the bias of the upper rule does not shrink with more groups; the middle rule has less of it."""
    shares = simulation.pointwise(100, 1000, seed=13)
    assert shares["upper, t, population"][0] < 0.01
    assert shares["upper, t, population"][1] < 0.65
    assert (shares["mid, t, population"][:2] > shares["upper, t, population"][:2] + 0.3).all()


@pytest.mark.parametrize("sizes", ["10 to 160", "10 or 200"])
@pytest.mark.parametrize("n_groups", [20, 30])
def test_weighted_intervals_cover_where_small_groups_scatter_more(simulation, sizes, n_groups):
    """Very unequal groups have few degrees of freedom; the intervals know it."""
    shares = simulation.weighted(sizes, n_groups, REPLICATES, seed=14)
    assert (shares > 0.93).all()
    assert (shares < 0.97).all()


def test_weighted_intervals_of_few_groups_are_rather_too_wide(simulation):
    assert (simulation.weighted("10 to 160", 5, REPLICATES, seed=15) > 0.95).all()


@pytest.mark.parametrize("n_groups", [5, 20])
def test_prediction_intervals_hold_one_more_group(simulation, n_groups):
    shares = simulation.predicted(n_groups, REPLICATES, seed=15)
    assert (shares > 0.93).all()
    assert (shares < 0.98).all()


@pytest.mark.parametrize("n_groups", [5, 20, 100])
def test_intervals_and_the_ellipse_at_one_threshold(simulation, n_groups):
    """Rates are skewed, and five groups do not tell by how much; from twenty on all is as promised."""
    shares = simulation.shared_threshold(n_groups, REPLICATES, seed=16)
    least = 0.90 if n_groups == 5 else 0.93
    for name, share in shares.items():
        assert least < share < 0.97, name


def test_rates_at_one_threshold_are_those_of_the_model(simulation):
    """The closed form that the intervals are to hold, against a large draw through the public functions."""
    model = ShiftedDatasets("C-2a", separation=1.5, shift_sd=0.5)
    rates = rs.average(model.draw(2000, 50, 50, seed=2), "threshold").rates_at(0.75)
    assert abs(rates.fpr - model.fpr_beyond(0.75)) < 4 * rates.fpr_standard_error
    assert abs(rates.tpr - model.tpr_beyond(0.75)) < 4 * rates.tpr_standard_error


BANDS = 300
BAND_ERROR = np.sqrt(0.05 * 0.95 / BANDS)


@pytest.mark.parametrize("n_groups", [20, 100])
def test_simultaneous_bands_hold_the_whole_curve(simulation, n_groups, monkeypatch):
    monkeypatch.setattr(simulation, "RESAMPLES", 200)
    share = np.mean(simulation.simultaneous(n_groups, 50, 0, BANDS, 17))
    assert 0.95 - 3 * BAND_ERROR < share < 0.95 + 3 * BAND_ERROR


def test_pointwise_bands_do_not_hold_the_whole_curve(simulation, monkeypatch):
    """Else the simultaneous band would be for nothing."""
    real = Average.band

    def pointwise(self, level, kind, fpr, n_resamples, seed):
        band = real(self, level, kind, fpr=fpr, n_resamples=n_resamples, seed=seed)
        shrink = 2.093 / band.factor  # t with 19 degrees of freedom
        half = (band.upper.tpr - band.middle.tpr) * shrink
        object.__setattr__(band, "lower", type(band.lower)(band.lower.fpr, band.middle.tpr - half))
        object.__setattr__(band, "upper", type(band.upper)(band.upper.fpr, band.middle.tpr + half))
        return band

    monkeypatch.setattr(simulation, "RESAMPLES", 100)
    monkeypatch.setattr(Average, "band", pointwise)
    assert np.mean(simulation.simultaneous(20, 50, 0, 150, 18)) < 0.8


@pytest.mark.parametrize("method", ["threshold", "pooled"])
def test_the_bootstrap_of_groups_covers_under_a_shared_threshold(simulation, method, monkeypatch):
    monkeypatch.setattr(simulation, "RESAMPLES", 200)
    replicates = 150
    shares = np.mean(simulation.shifted(20, method, 0, replicates, 19), axis=0)
    error = np.sqrt(0.05 * 0.95 / replicates)
    assert (shares > 0.95 - 3 * error).all()
    assert (shares[:3] < 0.99).all()


@pytest.mark.parametrize("method", ["threshold", "pooled"])
def test_readings_across_cover_with_few_groups(simulation, method, monkeypatch):
    """Three groups have ten resamples, so the limits must not come from them: those covered 70 %."""
    monkeypatch.setattr(simulation, "RESAMPLES", 200)
    shares = np.mean(simulation.shifted(3, method, 0, BANDS, 20), axis=0)
    assert (shares[:3] > 0.95 - 3 * BAND_ERROR).all()


@pytest.mark.parametrize("method", ["vertical", "threshold"])
@pytest.mark.parametrize("n_groups", [3, 10])
def test_the_interval_of_the_area_covers(simulation, method, n_groups):
    share = np.mean(simulation.areas(n_groups, method, 0, 300, 21))
    assert abs(share - 0.95) < 3.5 * np.sqrt(0.95 * 0.05 / 300)
