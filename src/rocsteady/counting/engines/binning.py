"""From a score to the number of its cell: straight pieces between a few knots, chosen on a sample.

Only comparisons, one subtraction, one product and a floor: arithmetic that every engine rounds alike, so all
of them put a row into the same cell. A bad sample costs certainty, never correctness: what is certain is told
by the lowest and the highest score of a cell, whichever rows are in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_QUANTILES = (0, 0.002, 0.01, 0.04, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.96, 0.99, 0.998, 1)
"""Where the pieces end, closer towards the ends: tails are long."""
_FEWEST = 4
"""Cells of a piece, however few rows of the sample are in it."""
_MOST_ATOMS = 8
MISSING_SCORE, MISSING_LABEL, BAD_WEIGHT = -1, -2, -4
"""Cells of rows that cannot be counted."""
LOWEST_INFINITE = 0
"""The cell of -inf; below the knots is 1, then come the pieces, then all above them, then +inf."""


@dataclass(frozen=True)
class Piece:
    """Scores from ``start`` on, up to the next piece: cell ``first + floor((score - start) * scale)``."""

    start: float
    scale: float
    first: int
    n_cells: int


@dataclass(frozen=True)
class Binning:
    """Which cell a score belongs to.

    Attributes
    ----------
    pieces : tuple of Piece
        From the lowest to the highest score.
    stop : float
        Where the last piece ends; scores above share one cell.
    atoms : tuple of float
        Scores so frequent that each has a cell of its own.
    """

    pieces: tuple[Piece, ...]
    stop: float
    atoms: tuple[float, ...] = ()

    @property
    def n_cells(self) -> int:
        """All cells: of the pieces, those beyond them, the atoms and the two infinities."""
        return self._above + 2 + len(self.atoms)

    @property
    def _above(self) -> int:
        return self.pieces[-1].first + self.pieces[-1].n_cells if self.pieces else 2

    def to_dict(self) -> dict[str, Any]:
        """Plain values, from which :meth:`from_dict` makes it again, to the last bit."""
        pieces = [[piece.start.hex(), piece.scale.hex(), piece.first, piece.n_cells] for piece in self.pieces]
        return {"pieces": pieces, "stop": self.stop.hex(), "atoms": [atom.hex() for atom in self.atoms]}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Binning:
        """The binning that :meth:`to_dict` wrote down."""
        read = float.fromhex
        pieces = tuple(Piece(read(a), read(k), int(first), int(n)) for a, k, first, n in plain["pieces"])
        return cls(pieces, read(plain["stop"]), tuple(map(read, plain["atoms"])))

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """Starts, scales, first cells and sizes of pieces, where they stop, and the atoms, for a kernel."""
        return (
            np.array([piece.start for piece in self.pieces]),
            np.array([piece.scale for piece in self.pieces]),
            np.array([piece.first for piece in self.pieces], dtype=np.int64),
            np.array([piece.n_cells for piece in self.pieces], dtype=np.int64),
            self.stop,
            np.array(self.atoms),
        )

    def expression(self, score: Any, when: Callable[..., Any], literal: Callable[..., Any]) -> Any:
        """The same as an expression over a column, made of ``when`` and ``literal`` of narwhals."""
        finite = _nested(self.pieces, self.stop, self._above, score, when, literal)
        first_atom = self._above + 1
        for i, atom in reversed(list(enumerate(self.atoms))):
            finite = when(score == atom).then(literal(float(first_atom + i))).otherwise(finite)
        above = when(score == np.inf).then(literal(float(first_atom + len(self.atoms)))).otherwise(finite)
        return when(score == -np.inf).then(literal(float(LOWEST_INFINITE))).otherwise(above)


def _nested(pieces: tuple[Piece, ...], stop: float, above: int, score: Any, when: Any, literal: Any) -> Any:
    """A search by halves: each row meets few comparisons, and an engine computes only its own piece."""
    starts = [*((piece.start, piece) for piece in pieces), (stop, None)]

    def within(piece: Piece | None) -> Any:
        if piece is None or piece.n_cells == 1:  # products of infinities would be NaN
            return literal(float(above if piece is None else piece.first))
        # Clipped first: Spark's floor gives a whole number of 64 bits, and refuses what does not fit into it.
        inside = ((score - piece.start) * piece.scale).clip(0.0, float(piece.n_cells - 1))
        return inside.floor() + float(piece.first)

    def search(low: int, high: int) -> Any:
        if high - low == 1:
            return within(starts[low][1])
        middle = (low + high) // 2
        return when(score < starts[middle][0]).then(search(low, middle)).otherwise(search(middle, high))

    return when(score < starts[0][0]).then(literal(1.0)).otherwise(search(0, len(starts)))


def binning_of(positives: Floats, negatives: Floats, n_cells: int) -> Binning:
    """Cells of about equal weight, half of it the positives' and half the negatives', from a sample.

    Parameters
    ----------
    positives, negatives : float64 arrays
        Scores of the sample, infinite and NaN ones included; they are left out.
    n_cells : int
        About how many; a few more or less.
    """
    samples = [np.sort(own[np.isfinite(own)]) for own in (positives, negatives)]
    samples = [own for own in samples if own.size]
    if not samples:
        return Binning((), 0.0)
    scores = np.concatenate(samples)
    weights = np.concatenate([np.full(own.size, 1.0 / (own.size * len(samples))) for own in samples])
    order = np.argsort(scores, kind="stable")
    scores, weights = scores[order], weights[order]
    atoms = _atoms(scores, weights, n_cells)
    rest = ~np.isin(scores, atoms)
    scores, weights = scores[rest], weights[rest]
    if not scores.size:
        return Binning((), float(atoms[-1]), tuple(atoms))
    reached = np.cumsum(weights) / weights.sum()
    knots = scores[np.searchsorted(reached, _QUANTILES, side="left").clip(0, scores.size - 1)]
    knots[0], knots[-1] = scores[0], scores[-1]
    return _between(np.unique(knots), scores, reached, n_cells, atoms)


def _between(knots: Floats, scores: Floats, reached: Floats, n_cells: int, atoms: list[float]) -> Binning:
    below = np.append(0.0, reached)[np.searchsorted(scores, knots, side="left")]
    below[-1] = 1.0
    pieces: list[Piece] = []
    first = 2
    for start, stop, share in zip(knots[:-1].tolist(), knots[1:].tolist(), np.diff(below), strict=True):
        n = max(_FEWEST, round(share * n_cells))
        width = stop - start
        scale = n / width if width > 0 else np.inf
        if not (np.isfinite(scale) and np.isfinite(width)):  # as wide as floats go, or narrower than they can
            n, scale = 1, 0.0
        pieces.append(Piece(start, scale, first, n))
        first += n
    return Binning(tuple(pieces), float(knots[-1]), tuple(atoms))


def _atoms(scores: Floats, weights: Floats, n_cells: int) -> list[float]:
    """Scores that would fill more than a cell by themselves, at most a few."""
    values, first, counts = np.unique(scores, return_index=True, return_counts=True)
    weight = np.add.reduceat(weights, first)
    heavy = (counts >= 4) & (weight > 2.0 / n_cells)
    chosen = np.flatnonzero(heavy)[np.argsort(-weight[heavy], kind="stable")[:_MOST_ATOMS]]
    return sorted(float(value) + 0.0 for value in values[chosen])
