"""Cut-offs beside a chosen one: near ones always, far ones too."""

from __future__ import annotations

import numpy as np
import pytest

from rocsteady.points.tables import growing, nearby_thresholds


def test_near_cutoffs_are_always_among_those_compared() -> None:
    """A hundred thousand scores and a chosen one near an end: its next scores, and some at every distance."""
    scores = np.random.default_rng(2).normal(size=100_000)
    strictest_first = np.append(np.inf, np.sort(scores)[::-1])
    for rank, n in ((1000, 30), (1, 30), (100_000, 7), (50_000, 12)):
        chosen = strictest_first[rank]
        found = nearby_thresholds(scores, chosen, n, higher_is_positive=True)
        assert found.size == n + 1
        ranks = [int(np.flatnonzero(strictest_first == one)[0]) for one in found]
        assert ranks == sorted(ranks)
        assert {0, 100_000, rank, rank - 1} <= set(ranks)
        assert rank == 100_000 or rank + 1 in ranks
        for side in (1, -1):
            distances = [side * (r - rank) for r in ranks if side * (r - rank) > 0][::side]
            gaps = np.diff(distances)
            assert np.all(gaps[1:] >= gaps[:-1] - 1)
    low = nearby_thresholds(-scores, -strictest_first[1000], 30, higher_is_positive=False)
    assert (
        low.tolist()
        == (-nearby_thresholds(scores, strictest_first[1000], 30, higher_is_positive=True)).tolist()
    )


@pytest.mark.parametrize(
    ("longest", "n"), [(1, 1), (2, 2), (30, 15), (16, 15), (15, 15), (10**6, 15), (9, 3)]
)
def test_distances_grow_from_the_next_to_the_last(longest, n) -> None:
    distances = growing(longest, n).tolist()
    assert len(set(distances)) == n
    assert distances == sorted(distances)
    assert distances[0] == 1
    assert n == 1 or distances[-1] == longest
