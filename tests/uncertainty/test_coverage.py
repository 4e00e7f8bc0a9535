"""A short, seeded run of simulations/auc_intervals.py."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from conftest import skip_unless_required

SCRIPT = Path(__file__).parents[2] / "simulations" / "auc_intervals.py"
REPLICATES = 2000
ERROR = np.sqrt(0.05 * 0.95 / REPLICATES)  # Monte-Carlo error of a share near 0.95


@pytest.fixture(scope="module")
def simulation():
    if not SCRIPT.exists():
        skip_unless_required("the simulations are not part of a source distribution")
    spec = importlib.util.spec_from_file_location("auc_intervals", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("area", [0.6, 0.8, 0.95])
@pytest.mark.parametrize("n", [20, 100])
def test_the_default_interval_covers_as_often_as_it_says(simulation, area, n):
    shares = simulation.coverage(area, n, REPLICATES, seed=7)
    assert 0.95 - 4 * ERROR < shares["logit"] < 0.985


def test_wald_intervals_fall_short_where_the_logit_interval_does_not(simulation):
    """Why intervals are made on the logit scale."""
    shares = simulation.coverage(0.95, 20, REPLICATES, seed=8)
    assert shares["delong"] < 0.90
    assert shares["logit"] > 0.94


@pytest.mark.parametrize("sizes", [(2, 2), (5, 5), (10, 40)])
def test_the_interval_at_one_misses_no_more_often_than_allowed(simulation, sizes):
    bound, share = simulation.separated_noncoverage(*sizes, REPLICATES, seed=9)
    assert bound == pytest.approx(0.05 ** (1 / min(sizes)))
    assert share < 0.05


def test_tests_reject_equal_classifiers_one_time_in_twenty(simulation):
    shares = simulation.rejections(50, REPLICATES, seed=10)
    for name, share in shares.items():
        assert 0.05 - 5 * ERROR < share < 0.05 + 4 * ERROR, name
