"""Intervals of differences cover: a reduced form of simulations/advice.py."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SIMULATION = Path(__file__).resolve().parents[2] / "simulations" / "advice.py"
REPLICATES = 120


@pytest.fixture(scope="module")
def covered():
    specification = importlib.util.spec_from_file_location("advice_simulation", SIMULATION)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.coverage(12, REPLICATES, seed=1, n=30, n_resamples=150)


@pytest.mark.parametrize("method", ["threshold", "horizontal", "diagonal", "radial", "tangent"])
def test_differences_at_the_operating_point(covered, method) -> None:
    assert 0.87 <= covered[method, "value"] <= 1.0


@pytest.mark.parametrize("method", ["vertical", "threshold", "horizontal", "diagonal", "radial", "tangent"])
def test_differences_between_models(covered, method) -> None:
    assert 0.87 <= covered[method, "models"] <= 1.0


def test_areas_along_directions_do_not_differ(covered) -> None:
    assert covered["horizontal", "auc"] == covered["diagonal", "auc"] == 1.0


@pytest.mark.parametrize("method", ["radial", "tangent"])
def test_differences_in_area_are_too_narrow_but_not_by_much(covered, method) -> None:
    """They are a kind of variance, and skewed; the docstring of the simulation says so."""
    assert 0.75 <= covered[method, "auc"] <= 0.99
