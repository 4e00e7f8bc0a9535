"""Hulls of many curves at once are the hulls of each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.curves import readings
from rocsteady.curves.readings import hull_vertices, hull_vertices_of_all


def curves(seed: int, n_curves: int, most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    steps = [rng.integers(0, 4, (2, int(rng.integers(2, most)))) for _ in range(n_curves)]
    paths = [np.concatenate([np.zeros((2, 1), np.int64), np.cumsum(own, axis=1)], axis=1) for own in steps]
    offsets = np.cumsum([0, *(own.shape[1] for own in paths)])
    tp, fp = np.concatenate(paths, axis=1)
    return tp, fp, offsets


@pytest.mark.parametrize("passes", [1, 30])
@given(seed=st.integers(0, 2**32 - 1), most=st.sampled_from([4, 30]))
def test_all_hulls_are_those_of_each(passes: int, seed: int, most: int) -> None:
    tp, fp, offsets = curves(seed, 5, most)
    known = readings._MOST_PASSES
    readings._MOST_PASSES = passes  # whatever passes leave is scanned
    try:
        found = hull_vertices_of_all(tp, fp, offsets)
        weighted = hull_vertices_of_all(tp / 2, fp / 2, offsets)
    finally:
        readings._MOST_PASSES = known
    for i, j, own, of_weights in zip(offsets[:-1], offsets[1:], found, weighted, strict=True):
        assert own.tolist() == of_weights.tolist() == hull_vertices(tp[i:j], fp[i:j]).tolist()
