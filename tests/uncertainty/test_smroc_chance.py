"""A short, seeded run of simulations/smroc.py: the chance level of smAUC and the level of its test."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from scipy.special import bdtr

from conftest import skip_unless_required

SCRIPT = Path(__file__).parents[2] / "simulations" / "smroc.py"


@pytest.fixture(scope="module")
def simulation() -> dict[str, Any]:
    if not SCRIPT.exists():
        skip_unless_required("the simulations are not part of a source distribution")
    return runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize("shape", ["uniform", "timid", "polarised", "polarised, mostly high"])
@pytest.mark.parametrize(("n", "prevalence", "mid"), [(20, 0.1, "paper"), (100, 0.5, 0.5), (100, 0.1, 0.5)])
def test_the_plug_in_level_is_that_of_permutations_to_order_one_in_n(
    simulation, shape, n, prevalence, mid
) -> None:
    plug_in, mean, error = simulation["chance_levels"](shape, n, prevalence, mid, 4000, seed=5)
    assert abs(mean - plug_in) <= 0.35 / n + 4 * error


@pytest.mark.parametrize(("shape", "mid"), [("uniform", "paper"), ("polarised", 0.5)])
def test_the_permutation_test_keeps_its_level(simulation, shape, mid) -> None:
    replicates = 400
    rejected = simulation["rejections"](shape, 40, 0.3, mid, 0.0, replicates, seed=7)
    assert (
        bdtr(round(rejected * replicates) - 1, replicates, 0.05) < 1 - 1e-4
    )  # not more than 5 %, but for chance


def test_it_rejects_where_scores_tell_the_classes_apart(simulation) -> None:
    assert simulation["rejections"]("polarised", 100, 0.3, 0.5, 0.4, 60, seed=7) > 0.5
