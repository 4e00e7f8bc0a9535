"""Which bins the scores of both classes are counted in.

Round widths (1, 2 or 5 times a power of ten), so that scores that were rounded to some digit fall evenly into
them; a bar for each value where scores are few; and a range that a single far score cannot stretch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import real_numbers, whole_number
from rocsteady.errors import Option, UsageError

Floats = NDArray[np.float64]

MOST_VALUES = 40
"""Different scores that get a bar each."""
_FEWEST, _MOST = 16, 60
"""Bins that are chosen by themselves."""
_MOST_ASKED = 10_000
_FENCE = 4.0
"""Inner ranges beyond which a score is far out."""
_MOST_HIDDEN = 0.01
"""Share of a class that may lie outside the bins at either end."""
_CLOSEST = 1e-12
"""Of the largest place on a scale: scores that differ by less have the same."""
_WORTH_CUTTING = 3.0
"""How many times wider the whole range must be before its ends are cut off."""


@dataclass(frozen=True)
class Scale:
    """How scores are spaced: along themselves, their logarithms, or their log-odds.

    Attributes
    ----------
    name : str
    forward, backward : function
        From scores to the spacing, and back.
    lowest, highest : float
        Between which scores must lie.
    """

    name: str
    forward: Callable[[Floats], Floats]
    backward: Callable[[Floats], Floats]
    lowest: float = -math.inf
    highest: float = math.inf


def _log_odds(share: Floats) -> Floats:
    return np.asarray(np.log(share) - np.log1p(-share))


def _share(log_odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-log_odds)))


SCALES = {
    "linear": Scale("linear", np.asarray, np.asarray),
    "log": Scale("log", np.log10, lambda power: np.power(10.0, power), 0.0),
    "log-odds": Scale("log-odds", _log_odds, _share, 0.0, 1.0),
}


@dataclass(frozen=True)
class Bins:
    """Ends of the bins in the units of the scores; alike where a bar stands for one value."""

    low: Floats
    high: Floats
    is_discrete: bool


def chosen_bins(
    values: Floats, shares: list[Floats], n_cases: list[float], bins: object, scale: Scale
) -> Bins:
    """The bins that were asked for, or those that suit the scores.

    ``values`` are the different scores, rising; ``shares`` how much of each class has them, in any unit;
    ``n_cases`` how many cases of each class there are.
    """
    _require_on_scale(values, scale)
    values, shares = _placed(values, shares, scale)
    if isinstance(bins, str) and bins == "values":
        _require_few(values)
        return Bins(values, values, is_discrete=True)
    if bins is None or isinstance(bins, str):
        return _suited(values, shares, n_cases, bins, scale)
    if np.ndim(bins) == 0:  # type: ignore[arg-type]
        return _so_many(values, bins, scale)
    edges = _given_edges(bins)
    _require_on_scale(edges, scale)
    if not (scale.lowest < edges[0] and edges[-1] < scale.highest):
        raise UsageError(
            "RS042",
            f"an end of the bins is infinitely far away on a {scale.name} scale.",
            f"found: bins from {edges[0]:g} to {edges[-1]:g}",
            Option("scale", "linear"),
        )
    return _from_edges(edges)


def _suited(
    values: Floats, shares: list[Floats], n_cases: list[float], bins: str | None, scale: Scale
) -> Bins:
    if bins is not None:
        raise UsageError(
            "RS042",
            "bins must be a number of bins, their ends, or 'values'.",
            f"found: {bins!r:.60}",
            Option("bins", 30),
            ["one bar for each score:  ", Option("bins", "values")],
        )
    if values.size == 0 or _is_counted_by_value(values, n_cases, scale):
        return Bins(values, values, is_discrete=True)
    places = _places_on(scale, values)
    low, high = _range(places, shares, n_cases)
    edges = np.unique(scale.backward(round_edges(low, high, _number(min(n_cases)))))
    inside = values[(places >= low) & (places <= high)]
    # There and back again may have moved an end by its last digit.
    edges[0], edges[-1] = min(edges[0], inside[0]), max(edges[-1], inside[-1])
    return _from_edges(edges)


def _places_on(scale: Scale, values: Floats) -> Floats:
    """Several scores along a scale; RS042 where it cannot tell the lowest from the highest."""
    places = scale.forward(values)
    if scale.name != "linear" and places[-1] - places[0] <= _CLOSEST * np.max(np.abs(places)):
        raise UsageError(
            "RS042",
            f"the scores are too close together for a {scale.name} scale.",
            f"found: {float(values[0])!r} to {float(values[-1])!r}",
            Option("scale", "linear"),
        )
    return places


def _so_many(values: Floats, bins: object, scale: Scale) -> Bins:
    n_bins = whole_number("bins", bins, least=1, example=30)
    if n_bins > _MOST_ASKED:
        raise UsageError(
            "RS042", f"there can be at most {_MOST_ASKED} bins.", f"found: {n_bins}", Option("bins", 30)
        )
    if values.size < 2:
        return Bins(values, values, is_discrete=True)
    places = _places_on(scale, values)
    edges = scale.backward(_even(places[0], places[-1], n_bins))
    edges[0], edges[-1] = values[0], values[-1]
    return _from_edges(np.unique(edges))


def _from_edges(edges: Floats) -> Bins:
    return Bins(edges[:-1], edges[1:], is_discrete=False)


def _given_edges(bins: object) -> Floats:
    """Ends of bins that were given: rising and finite; RS042 otherwise."""
    edges = real_numbers("bins", bins, example=30)  # type: ignore[arg-type]
    is_list = edges.ndim == 1 and 2 <= edges.size <= _MOST_ASKED + 1
    if is_list and np.isfinite(edges).all() and (np.diff(edges) > 0).all():
        return edges
    raise UsageError(
        "RS042",
        f"the ends of bins must be 2 to {_MOST_ASKED + 1} finite numbers that rise.",
        f"found: {bins!r:.60}",
        Option("bins", [0.0, 0.25, 0.5, 0.75, 1.0]),
        ["a number of bins is enough:  ", Option("bins", 30)],
    )


def _require_on_scale(values: Floats, scale: Scale) -> None:
    """RS042 if a score has no place on the scale; its two ends are infinitely far away, but legal."""
    finite = values[np.isfinite(values)]
    outside = finite[(finite < scale.lowest) | (finite > scale.highest)]
    if outside.size:
        where = "from 0 to 1" if scale.highest == 1 else "of 0 or more"
        raise UsageError(
            "RS042",
            f"a {scale.name} scale needs scores {where}.",
            f"found: {outside[0]:g}",
            Option("scale", "linear"),
        )


def _placed(values: Floats, shares: list[Floats], scale: Scale) -> tuple[Floats, list[Floats]]:
    """The scores that have a finite place on the scale."""
    has_place = np.isfinite(values)
    has_place &= (values > scale.lowest) & (values < scale.highest)
    return values[has_place], [own[has_place] for own in shares]


def _require_few(values: Floats) -> None:
    most = 50 * MOST_VALUES
    if values.size > most:
        raise UsageError(
            "RS042",
            f"bars for single values can be drawn for up to {most} of them.",
            f"found: {values.size} different scores",
            Option("bins", 30),
        )


def _is_counted_by_value(values: Floats, n_cases: list[float], scale: Scale) -> bool:
    """Whether scores are so few, or so often the same, that each has a bar of its own."""
    if scale.name != "linear" and values.size > 1:
        return False
    if values.size == 1:
        return True
    is_whole = bool((values == np.floor(values)).all()) and values[-1] / 2 - values[0] / 2 < MOST_VALUES / 2
    return is_whole or (values.size <= MOST_VALUES and 3 * values.size <= sum(n_cases))


def _range(places: Floats, shares: list[Floats], n_cases: list[float]) -> tuple[float, float]:
    """From where to where bins are worth having, both classes considered."""
    fences = [_fences(places, own, n) for own, n in zip(shares, n_cases, strict=True) if own.any()]
    low = max(min(fence[0] for fence in fences), places[0])
    high = min(max(fence[1] for fence in fences), places[-1])
    if low < high and places[-1] / 8 - places[0] / 8 > _WORTH_CUTTING * (high / 8 - low / 8):
        inside = places[(places >= low) & (places <= high)]
        return float(inside[0]), float(inside[-1])
    return float(places[0]), float(places[-1])


def _fences(places: Floats, shares: Floats, n_cases: float) -> tuple[float, float]:
    """Beyond which a class has few cases, far from its bulk."""
    hidden = max(_MOST_HIDDEN, 1 / max(n_cases, 1))
    low, high = _quantile(places, shares, hidden), _quantile(places, shares, 1 - hidden)
    for tail in (0.25, 0.1, 0.05):
        left, right = _quantile(places, shares, tail), _quantile(places, shares, 1 - tail)
        if right > left:
            far = _FENCE * (right / 2 - left / 2) * 2
            return min(low, left - far), max(high, right + far)
    return low, high


def _quantile(places: Floats, shares: Floats, at: float) -> float:
    """The place with no more than ``at`` of a class below it, and no more than the rest above."""
    sums = np.cumsum(shares)
    # Above the middle the larger of two candidates would call the only far case of a class typical of it.
    side = "right" if at < 0.5 else "left"
    aim = at * sums[-1] * (1 + 1e-12 if at < 0.5 else 1 - 1e-12)
    vertex = int(np.searchsorted(sums, aim, side=side))  # type: ignore[call-overload]
    return float(places[min(vertex, places.size - 1)])


def _number(n_cases: float) -> int:
    """How many bins at most: four times the cube root of the cases of the smaller class."""
    return int(np.clip(math.ceil(4 * max(n_cases, 1.0) ** (1 / 3)), _FEWEST, _MOST))


def round_edges(low: float, high: float, most: int) -> Floats:
    """Multiples of 1, 2 or 5 times a power of ten from ``low`` down to ``high`` up, in at most so many bins.

    >>> round_edges(0.03, 0.97, 12).tolist()
    [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    """
    width = high / most - low / most
    largest = max(abs(low), abs(high))
    if not (math.isfinite(width) and width > 1e-12 * largest and width > 1e-300 and largest < 1e300):
        return _even(low, high, most)
    power = math.floor(math.log10(width))
    digit = next(own for own in (1, 2, 5, 10) if own * 10.0**power >= width * (1 - 1e-12))
    step = digit * 10.0**power
    first, last = math.floor(low / step), math.ceil(high / step)
    # As text: 3 * 0.1 is not the 0.3 that scores are.
    edges = np.array([float(f"{digit * place}e{power}") for place in range(first, max(last, first + 1) + 1)])
    return edges[(edges > -math.inf) & (edges < math.inf)]


def _even(low: ArrayLike, high: ArrayLike, n_bins: int) -> Floats:
    """Evenly spaced ends; no difference is taken that may overflow."""
    part = np.linspace(0, 1, n_bins + 1)
    return np.asarray(np.multiply(low, 1 - part) + np.multiply(high, part))
