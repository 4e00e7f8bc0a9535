"""Hypothesis strategies for scores, weights and rates.

Small sizes and few distinct values on purpose: ties, one-case classes and infinities are where curves go wrong.
"""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

_TIED = st.integers(-3, 3).map(float)
_FLOATS = st.floats(allow_nan=False, width=64)
_SPECIAL = st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 5e-324, 1.0, 1.0 + 2**-52, 1e300, np.inf])

SCORE_VALUES = {
    "tied floats": (_TIED, np.float64),
    "any floats": (_FLOATS, np.float64),
    "special floats": (_SPECIAL, np.float64),
    "float32": (st.floats(allow_nan=False, width=32), np.float32),
    "integers": (st.integers(-4, 4), np.int64),
    "integers above 2**53": (st.integers(2**53 - 2, 2**53 + 4), np.int64),
    "unsigned": (st.integers(0, 5), np.uint64),
}


@st.composite
def labelled_scores(draw, kinds=tuple(SCORE_VALUES), min_per_class=1, max_per_class=9):
    """Labels (both classes present) and scores of one of several types."""
    values, dtype = SCORE_VALUES[draw(st.sampled_from(kinds))]
    n_positives = draw(st.integers(min_per_class, max_per_class))
    n_negatives = draw(st.integers(min_per_class, max_per_class))
    n = n_positives + n_negatives
    scores = np.array(draw(st.lists(values, min_size=n, max_size=n)), dtype=dtype)
    labels = np.array(draw(st.permutations([True] * n_positives + [False] * n_negatives)))
    return labels, scores


FLOAT_KINDS = ("tied floats", "any floats", "special floats")


@st.composite
def weighted_scores(draw, **options):
    """Labels, scores and weights over many orders of magnitude."""
    labels, scores = draw(labelled_scores(**options))
    weight = st.one_of(st.sampled_from([0.25, 0.5, 1.0, 3.0]), st.floats(1e-4, 1e12))
    weights = np.array(draw(st.lists(weight, min_size=labels.size, max_size=labels.size)))
    return labels, scores, weights


@st.composite
def rates_near(draw, values):
    """A rate in [0, 1]: any, or one of ``values`` (a curve's own rates), or a float beside one."""
    own = float(draw(st.sampled_from(list(values))))
    beside = [own, float(np.nextafter(own, 0.0)), float(np.nextafter(own, 1.0))]
    return draw(st.one_of(st.sampled_from(beside), st.floats(0, 1)))


def _alike(draw, groups):
    """The same group several times."""
    return [groups[0]] * draw(st.integers(2, 4))


def _separated(draw, groups):
    """Perfect and worst curves among the others."""
    labels = np.array([True, True, False, False, False])
    perfect = (labels, np.array([3.0, 2.0, 1.0, 0.0, -1.0]))
    worst = (~labels, np.array([3.0, 2.0, 1.0, 0.0, -1.0]))
    return draw(st.permutations([*groups, perfect, worst]))


@st.composite
def grouped_scores(draw, kinds=FLOAT_KINDS, min_groups=1, max_groups=4, max_per_class=6):
    """Some groups as (labels, scores), each with both classes; now and then all alike, perfect or worst."""
    kind = draw(st.sampled_from(kinds))
    one = labelled_scores(kinds=(kind,), max_per_class=max_per_class)
    groups = draw(st.lists(one, min_size=min_groups, max_size=max_groups))
    special = draw(st.sampled_from([None, None, None, _alike, _separated]))
    return groups if special is None else special(draw, groups)


@st.composite
def equal_sized_groups(draw, kinds=FLOAT_KINDS, max_groups=4, max_per_class=6):
    """Groups with the same number of positives and the same number of negatives."""
    values, dtype = SCORE_VALUES[draw(st.sampled_from(kinds))]
    n_positives, n_negatives = draw(st.integers(1, max_per_class)), draw(st.integers(1, max_per_class))
    n, labels = n_positives + n_negatives, [True] * n_positives + [False] * n_negatives
    return [
        (
            np.array(draw(st.permutations(labels))),
            np.array(draw(st.lists(values, min_size=n, max_size=n)), dtype=dtype),
        )
        for _ in range(draw(st.integers(1, max_groups)))
    ]


@st.composite
def group_weights(draw, n_groups):
    """Weights of groups, some of them zero, none so small that its share is lost."""
    weight = st.one_of(st.just(0.0), st.sampled_from([0.5, 1.0, 2.0]), st.floats(0.01, 100))
    weights = draw(st.lists(weight, min_size=n_groups, max_size=n_groups))
    weights[draw(st.integers(0, n_groups - 1))] = 1.0
    return np.array(weights)


ANGLES = st.one_of(
    st.sampled_from([0.0, np.pi / 4, np.pi / 2, np.pi / 6, 1e-9, np.pi / 2 - 1e-9]), st.floats(0, np.pi / 2)
)
