"""Where the difference of two averages changes its sign: on their straight pieces, not on a grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.curves.readings import read_path

Floats = NDArray[np.float64]

_NOTHING = 1e-12
"""Of the largest value: a smaller difference is a rounding error, and must not seem to change sides."""


@dataclass(frozen=True, eq=False)
class Path:
    """What an average is worth along an axis: straight between points, two of them at a jump.

    Attributes
    ----------
    at : float64 array
        Not falling.
    worth : float64 array
        The larger the better.
    """

    at: Floats
    worth: Floats

    def read(self, at: Floats, *, end: str = "last") -> Floats:
        """The worth at places; on a jump where the path comes from (first) or goes on (last)."""
        return read_path(self.at, self.worth, at, end=end)


def sign_changes(first: Path, second: Path, low: float, high: float) -> tuple[float, ...]:
    """Places between ``low`` and ``high`` where the better of two paths changes, in rising order.

    Where both run together before they change places it is the end of that stretch. To touch is not to cross.

    Examples
    --------
    >>> import numpy as np
    >>> rising = Path(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    >>> jumping = Path(np.array([0.0, 0.25, 0.25, 1.0]), np.array([0.5, 0.5, 0.75, 0.75]))
    >>> sign_changes(rising, jumping, 0.0, 1.0)
    (0.75,)
    """
    at, difference = _difference(first, second, low, high)
    standing = np.flatnonzero(difference)
    turns = np.flatnonzero(np.sign(difference[standing[1:]]) != np.sign(difference[standing[:-1]]))
    found = []
    for before, after in zip(standing[turns], standing[turns + 1], strict=True):
        if after > before + 1:  # both run together in between
            found.append(float(at[after - 1]))
            continue
        share = difference[before] / (difference[before] - difference[after])
        found.append(float(at[before] + share * (at[after] - at[before])))
    return tuple(found)


def _difference(first: Path, second: Path, low: float, high: float) -> tuple[Floats, Floats]:
    """Both ends of the difference at every place where either path bends, within the range."""
    bends = np.concatenate([first.at, second.at, [low, high]])
    places = np.unique(bends[(bends >= low) & (bends <= high)])
    worth = np.stack([[own.read(places, end=end) for end in ("first", "last")] for own in (first, second)])
    difference = (worth[0] - worth[1]).T.ravel()
    difference[np.abs(difference) <= _NOTHING * np.abs(worth).max(initial=0.0)] = 0.0
    at = np.repeat(places, 2)
    return at[1:], difference[1:]  # what the paths come from at the lower end is no part of the range


def leaders(paths: list[Path], changes: list[float], low: float, high: float) -> tuple[float, ...]:
    """Those of the places where pairs of paths change sides at which the best of all changes."""
    edges = np.unique(np.array([low, *changes, high]))
    middles = (edges[1:] + edges[:-1]) / 2
    if not middles.size:
        return ()
    worth = np.array([own.read(middles) for own in paths])
    is_best = worth >= worth.max(axis=0) - _NOTHING * np.abs(worth).max(initial=0.0)
    found, alive = [], is_best[:, 0]
    for place, best in zip(edges[1:-1], is_best.T[1:], strict=True):
        if not (alive & best).any():  # whoever leads does so until somebody is ahead
            found.append(float(place))
            alive = best
        alive = alive & best
    return tuple(found)
