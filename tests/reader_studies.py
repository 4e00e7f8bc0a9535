"""Reader studies made from a seed, whose numbers other programs were asked for: rows of plain Python.

The generator is written out, so the data stay what they were whatever a library does to its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

Row = tuple[str, str, str, int, float]
"""Reader, modality, case, truth, rating."""


class _Stream:
    """Knuth's 64-bit linear congruential generator; sums of twelve uniforms stand for normal numbers."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def uniform(self) -> float:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) / 2**31

    def normal(self) -> float:
        return sum(self.uniform() for _ in range(12)) - 6.0


def made_study(
    seed: int,
    lifts: tuple[float, ...],
    n_readers: int,
    n_positives: int,
    n_negatives: int,
    *,
    is_read: Callable[[int, int, int], bool] = lambda modality, reader, case: True,
    levels: int | None = None,
) -> list[Row]:
    """Ratings of a crossed study, of which those are kept that ``is_read(modality, reader, case)`` keeps.

    ``lifts`` are what positives score more with each modality. ``levels`` cuts ratings into so many levels.
    """
    return list(_rows(_Stream(seed), lifts, n_readers, n_positives, n_negatives, is_read, levels))


def _rows(
    stream: _Stream,
    lifts: tuple[float, ...],
    n_readers: int,
    n_positives: int,
    n_negatives: int,
    is_read: Callable[[int, int, int], bool],
    levels: int | None,
) -> Iterator[Row]:
    n_cases = n_positives + n_negatives
    skills = [[0.25 * stream.normal() for _ in range(n_readers)] for _ in lifts]
    of_case = [0.6 * stream.normal() for _ in range(n_cases)]
    for j in range(n_readers):
        shared = [0.4 * stream.normal() for _ in range(n_cases)]
        for i, lift in enumerate(lifts):
            for k in range(n_cases):
                positive = k < n_positives
                raw = of_case[k] + shared[k] + 0.7 * stream.normal() + positive * (lift + skills[i][j])
                rating = round(raw, 4) if levels is None else _level(raw, levels)
                if is_read(i, j, k):
                    yield f"R{j + 1}", f"M{i + 1}", f"c{k + 1}", int(positive), rating


def _level(raw: float, levels: int) -> float:
    return float(min(max(int(raw * 1.25 + levels / 2), 0), levels - 1) + 1)


def _some(modality: int, reader: int, case: int) -> bool:
    return (7 * case + 3 * reader + 5 * modality) % 5 != 0


def _blocks(modality: int, reader: int, case: int) -> bool:
    return (case % 2) == (reader % 2)


def _some_cells(modality: int, reader: int, case: int) -> bool:
    is_cell = reader < 3 or (modality == 0) == (reader == 3)
    return is_cell and (case + reader) % 6 != 0


STUDIES: dict[str, list[Row]] = {
    "three_ordinal": made_study(11, (1.1, 1.5, 1.7), 5, 30, 40, levels=5),
    "five_continuous": made_study(12, (1.0, 1.3, 1.6, 1.2, 1.4), 4, 25, 25),
    "partly_paired": made_study(13, (1.2, 1.8), 6, 25, 35, is_read=_some),
    "partly_paired_ordinal": made_study(14, (1.2, 1.3, 1.9), 5, 30, 30, is_read=_some, levels=6),
    "cases_in_readers": made_study(15, (1.0, 1.6), 5, 50, 50, is_read=lambda i, j, k: k % 5 == j),
    "cases_in_modalities": made_study(16, (1.0, 1.7), 4, 40, 50, is_read=lambda i, j, k: k % 2 == i),
    "split_plot": made_study(17, (1.1, 1.5), 6, 40, 40, is_read=_blocks, levels=7),
    "some_cells": made_study(18, (1.1, 1.6), 6, 30, 36, is_read=_some_cells),
    "readers_in_modalities": made_study(19, (1.0, 1.8), 8, 30, 30, is_read=lambda i, j, k: j % 2 == i),
}
