"""The compiled kernels; :mod:`rocsteady._kernels.reference` documents them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Progress = Callable[[int, int], object]

def other_label(labels: Array, positive: float) -> float | None: ...
def check(scores: Array, labels: Array, positive: float, negative: float, threads: int) -> None: ...
def count_curves(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    weights: Floats | None,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Floats, Array, Array, Integers]: ...
def count_wins(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Integers, Integers, Integers]: ...
def delong_moments(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Integers, Integers, Integers, Floats, Floats]: ...
def curve_moments(
    true_positives: Integers, false_positives: Integers, offsets: Integers
) -> tuple[Integers, Integers, Integers, Floats, Floats]: ...
def placements(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> Integers: ...
def delong_covariance(
    scores: list[Array],
    labels: Array,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Integers, int, int, Floats, Floats, Floats, Floats]: ...
def average_paths(
    true_positives: Array,
    false_positives: Array,
    offsets: Integers,
    weights: Floats,
    cosine: float,
    sine: float,
    threads: int,
) -> tuple[Floats, Floats, Floats]: ...
def read_paths(
    true_positives: Array,
    false_positives: Array,
    offsets: Integers,
    cosine: float,
    sine: float,
    positions: Floats,
    threads: int,
) -> tuple[Floats, Floats]: ...
def read_scores(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    cosine: float,
    sine: float,
    positions: Floats,
    threads: int,
) -> tuple[Floats, Floats]: ...
def share_curve(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    positive_shares: Floats,
    negative_shares: Floats,
    higher_is_positive: bool,
    threads: int,
) -> tuple[Floats, Floats, Floats]: ...
def exchange_groups(
    positive_groups: Integers,
    negative_groups: Integers,
    positives_at: Integers,
    negatives_at: Integers,
    n_groups: int,
    seed: int,
    n_permutations: int,
    threads: int,
) -> tuple[Floats, Floats]: ...
def score_ranks(
    scores: Array,
    labels: Array,
    offsets: Integers,
    positive: float,
    negative: float,
    higher_is_positive: bool,
    threads: int,
) -> Integers: ...
def resample_cases(
    positive_ranks: Integers,
    negative_ranks: Integers,
    positive_offsets: Integers,
    negative_offsets: Integers,
    positive_weights: Floats | None,
    negative_weights: Floats | None,
    group_weights: Floats,
    shared: bool,
    kinds: Integers,
    low: Floats,
    high: Floats,
    frozen: Integers,
    seed: int,
    n_resamples: int,
    threads: int,
    progress: Progress | None,
) -> Floats: ...
def resample_groups(
    positive_ranks: Integers,
    negative_ranks: Integers,
    positive_offsets: Integers,
    negative_offsets: Integers,
    positive_weights: Floats | None,
    negative_weights: Floats | None,
    positive_shares: Floats,
    negative_shares: Floats,
    kinds: Integers,
    low: Floats,
    high: Floats,
    frozen: Integers,
    seed: int,
    n_resamples: int,
    threads: int,
    progress: Progress | None,
) -> tuple[Floats, int]: ...
def count_errors(outputs: Floats, offsets: Integers, weights: Floats, threads: int) -> Integers: ...
def count_decisions(
    outputs: Floats, cells: Integers, n_cells: int, weights: Floats, threads: int
) -> Integers: ...
def cell_slots(
    scores: Floats,
    groups: Integers,
    starts: Floats,
    scales: Floats,
    firsts: Integers,
    sizes: Integers,
    stop: float,
    atoms: Floats,
    n_cells: int,
    nodes: Floats,
) -> Integers: ...
def anchor_slots(scores: Floats, groups: Integers, anchors: Floats, offsets: Integers) -> Integers: ...
def add_to_slots(
    slots: Integers, classes: NDArray[np.int8], scores: Floats, weights: Floats | None, sums: Floats
) -> None: ...
def order_by_group(groups: Integers, n_groups: int) -> Integers: ...
