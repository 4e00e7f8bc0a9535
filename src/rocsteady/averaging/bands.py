"""Bands around an average: each point by itself, the whole curve at once, or for one more group.

What is random is the groups. A simultaneous band holds over a declared range of false positive rates, because
near the corners most curves coincide and no band can be honest there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.averaging.across import mostly_alike, reading_limits
from rocsteady.averaging.along_direction import DirectionalAverage
from rocsteady.averaging.base import FEWEST_GROUPS, Asked, Average
from rocsteady.caller import caller_level
from rocsteady.counting.arguments import rate_range, rates
from rocsteady.curves.bands import Band as Band  # noqa: PLC0414 - handed out by averages
from rocsteady.curves.bands import BandEdge as BandEdge  # noqa: PLC0414 - as is this
from rocsteady.errors import Option, UsageError, warn
from rocsteady.uncertainty.clusters import drawn_counts, drawn_standard_errors
from rocsteady.uncertainty.normal_maxima import largest_of_normal
from rocsteady.uncertainty.spread import Spread, spread, two_sided_quantile, weighted_mean
from rocsteady.words import counted, plural

Floats = NDArray[np.float64]

KINDS = ("pointwise", "simultaneous", "prediction")
_GRID = 200
_RARE = 5e-4
_LEAST_ERROR = 1 / 3
"""Of a resample, as a share of the usual one: less is met by one in a thousand of eight normal values."""


def band_of(
    average: Average, kind: str, fpr: tuple[float, float], at: ArrayLike | None, asked: Asked
) -> Band:
    """The band of one kind around an average, at these false positive rates or on a grid."""
    declared = rate_range("fpr", fpr)
    wanted = None if at is None else np.unique(rates("at", at))
    if wanted is not None and not (isinstance(average, DirectionalAverage) and kind != "simultaneous"):
        wanted = wanted[(wanted >= declared[0]) & (wanted <= declared[1])]
    if kind == "simultaneous":
        _warn_if_few(average)
    if kind == "prediction" and average.design.shares_training:
        units = plural(average.unit)
        raise UsageError(
            "RS086",
            f"there is no other {average.unit} to predict: the {units} are parts of one data set.",
            f"found: {average.design!r}",
            "where the mean curve lies:  band(kind='simultaneous')",
            [
                f"{units} that are a random sample:  ",
                Option("design", "independent"),
                "  where the set is made",
            ],
        )
    if isinstance(average, DirectionalAverage):
        if kind != "prediction":
            average._warn_of_steps()
        if kind == "simultaneous":
            return _simultaneous(average, declared, wanted, asked)
        return _by_formula(average, kind, wanted, asked)
    if kind == "prediction":
        raise UsageError(
            "RS086",
            f"the {average.method.label} average has no prediction band.",
            f"one more {average.unit} scatters in both rates around every point of this curve",
            "its spread at a point:  .rates_at(t) (threshold, pooled), .at_error_ratio(1, 2) (radial)",
            "a band along one direction:  average(x, 'vertical').band(kind='prediction')",
        )
    return _read_vertically(average, kind, declared, wanted, asked)


def _warn_if_few(average: Average) -> None:
    n_groups = average.n_groups
    if 1 < n_groups < FEWEST_GROUPS and not average._ratio:
        warn(
            "RS212",
            f"a simultaneous band from {counted(n_groups, average.unit)} is not reliable.",
            f"resampling needs {FEWEST_GROUPS} or more",
            "each point by itself:  band(kind='pointwise')",
            stacklevel=caller_level(),
        )


def _by_formula(average: DirectionalAverage, kind: str, wanted: Floats | None, asked: Asked) -> Band:
    at, values = average._band_values(None if wanted is None else _positions(average, wanted))
    found, alike = spread(values, average.weights, average._ratio), mostly_alike(values)
    factor = two_sided_quantile(asked.quantile, asked.confidence_level, average.degrees_of_freedom)
    if kind == "prediction":
        half = factor * found.sd * np.sqrt(1 + 1 / average.effective_groups)
        low, high = found.mean - half, found.mean + half
    else:
        low, high = pointwise_limits(average, at, found, asked, alike)
    lines = _up_to_the_corner(average, np.array([at, found.mean, low, high]), asked, alike, kind)
    return Band(
        **_edges(average, *lines),
        kind=kind,
        confidence_level=asked.confidence_level,
        factor=factor,
        fpr=None,
        excluded=_fpr_ranges(average, at, alike),
        reading=_promise(average, kind, asked, None),
    )


def pointwise_limits(
    average: DirectionalAverage, at: Floats, found: Spread, asked: Asked, alike: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Limits of the mean along the direction, as those of a point there."""
    asked = replace(asked, scale=average._scale(asked))
    alike = alike & ~average._at_corner(at, found.mean)
    if average.direction.is_horizontal:  # the value is that of the FPR, turned round: less is better
        low, high = average._limits("fpr", 0.0 - found.mean, found.standard_error, asked, alike)
        return 0.0 - high, 0.0 - low
    return average._limits("tpr", found.mean, found.standard_error, asked, alike)


def _up_to_the_corner(
    average: DirectionalAverage, lines: Floats, asked: Asked, alike: NDArray[np.bool_], kind: str
) -> Floats:
    """Position, mean and limits; twice at a corner that groups run into alike: just before it, and at it."""
    direction = average.direction
    end = -1 if direction.is_vertical else 0
    is_run_into = alike[end] and average._at_corner(*lines[:2, [end]])[0]
    if kind == "prediction" or average._scale(asked) == "linear" or not is_run_into:
        return lines
    before = lines[:, end].copy()
    rate = "tpr" if direction.is_vertical else "fpr"
    low, high = average._limits(rate, abs(before[1]), 0.0, asked, alike=True)
    before[2:] = (low, high) if direction.is_vertical else (0.0 - high, 0.0 - low)
    return np.insert(lines, lines.shape[1] - 1 if end else 1, before, axis=1)


def _positions(average: DirectionalAverage, fpr: Floats) -> Floats:
    """Where the average has these false positive rates, along its direction; both ends of its jumps."""
    if average.direction.is_vertical:
        return fpr
    c, s = average.direction.cosine, average.direction.sine
    ends = [c * fpr + s * np.asarray(average.tpr_at(fpr, side=side)) for side in ("lower", "upper")]
    return np.unique(np.clip(ends, 0.0, average.direction.length))


def _simultaneous(
    average: DirectionalAverage, declared: tuple[float, float], wanted: Floats | None, asked: Asked
) -> Band:
    ends = declared
    if not average.direction.is_vertical:
        c, s = average.direction.cosine, average.direction.sine
        ends = tuple(c * x + s * float(average.tpr_at(x)) for x in declared)  # type: ignore[assignment]
    at, is_shown = _with_grid(ends, None if wanted is None else _positions(average, wanted))
    values = average._values(at)
    half, factor, left_out = half_width(values, average.weights, asked, average._ratio)
    excluded = _fpr_ranges(average, at, left_out)
    mean, half = weighted_mean(values, average.weights)[is_shown], half[is_shown]
    return Band(
        **_edges(average, at[is_shown], mean, mean - half, mean + half),
        kind="simultaneous",
        confidence_level=asked.confidence_level,
        factor=factor,
        fpr=declared,
        excluded=excluded,
        reading=_promise(average, "simultaneous", asked, declared, excluded),
    )


def _with_grid(ends: tuple[float, float], wanted: Floats | None) -> tuple[Floats, NDArray[np.bool_]]:
    """Positions over the whole declared range, which a simultaneous band is about, and those to be shown."""
    grid = np.linspace(*ends, _GRID)
    if wanted is None:
        return grid, np.ones(_GRID, dtype=np.bool_)
    at = np.union1d(grid, wanted)
    return at, np.isin(at, wanted)


def half_width(
    values: Floats, weights: Floats, asked: Asked, ratio: float = 0.0
) -> tuple[Floats, float, NDArray[np.bool_]]:
    """Half the width of a simultaneous band, its factor, and where there is none.

    ``values`` are what every group adds to the curve, ``(n_groups, n)``. Where groups share training cases
    (``ratio``) they cannot be drawn again; then the factor is that of normal values as alike as these.
    """
    found = spread(values, weights, ratio)
    # A resample that draws only curves that coincide at a position has no error there. The more positions
    # where that may happen, the more resamples would ask for an infinite band.
    share = min(0.5, _RARE ** (1 / values.shape[0]))
    left_out = mostly_alike(values, share) | ~(found.standard_error > 0)
    half, factor = np.full(values.shape[1], np.nan), float("nan")
    if not left_out.all():
        kept = ~left_out
        away = values[:, kept] - found.mean[kept]
        if ratio:
            maxima = largest_of_normal(away, n_draws=asked.n_resamples, seed=asked.seed)
            factor = float(np.quantile(maxima, asked.confidence_level, method="higher"))
        else:
            factor = _studentised_factor(away, found.standard_error[kept], weights, asked)
        half[kept] = factor * found.standard_error[kept]
    return half, factor, left_out


def _studentised_factor(deviations: Floats, usual_error: Floats, weights: Floats, asked: Asked) -> float:
    """How many standard errors hold the largest deviation of a resampled mean, each with its own error."""
    largest = []
    for counts in drawn_counts(deviations.shape[0], asked.n_resamples, asked.seed):
        mean, error = drawn_standard_errors(deviations, weights, counts)
        # A resample that drew nearly only curves that coincide here has next to no error, which says nothing.
        largest.append((np.abs(mean) / np.maximum(error, _LEAST_ERROR * usual_error)).max(axis=1))
    return float(np.quantile(np.concatenate(largest), asked.confidence_level, method="higher"))


def _read_vertically(
    average: Average, kind: str, declared: tuple[float, float], wanted: Floats | None, asked: Asked
) -> Band:
    """A curve without a direction: limits of the true positive rate at each false positive rate.

    Pointwise they are those of a reading there; simultaneously, studentised as along a direction, of what
    every group adds to the true positive rate.
    """
    at, is_shown = _with_grid(declared, wanted)
    if kind == "pointwise":
        at, is_shown = at[is_shown], is_shown[is_shown]
    middle, factor = np.asarray(average.tpr_at(at)), float("nan")
    if kind == "pointwise":
        low, high, left_out = reading_limits(average, "fpr", at, middle, asked)
    else:
        values = average._linearised(at)
        n_groups = values.shape[0]
        half, factor, left_out = half_width(values, np.full(n_groups, 1 / n_groups), asked, average._ratio)
        low, high = middle - half, middle + half
    excluded = runs_of(at, left_out)
    return Band(
        lower=BandEdge(at[is_shown], low[is_shown]),
        upper=BandEdge(at[is_shown], high[is_shown]),
        middle=BandEdge(at[is_shown], middle[is_shown]),
        kind=kind,
        confidence_level=asked.confidence_level,
        factor=factor,
        fpr=declared,
        excluded=excluded,
        reading=_promise(average, kind, asked, declared, excluded),
    )


def _edges(
    average: DirectionalAverage, at: Floats, mean: Floats, low: Floats, high: Floats
) -> dict[str, BandEdge]:
    sides = {"lower": low, "upper": high, "middle": mean}
    return {name: BandEdge(*map(np.array, average._turned_back(at, side))) for name, side in sides.items()}


def _fpr_ranges(
    average: DirectionalAverage, at: Floats, chosen: NDArray[np.bool_]
) -> tuple[tuple[float, float], ...]:
    """Chosen positions as ranges of the average's false positive rate; its fixed ends do not count."""
    inside = chosen & (at > 0) & (at < average.direction.length)
    if average.direction.is_vertical:
        return runs_of(at, inside)
    fpr, _ = average._turned_back(at, average.weights @ average._values(at))
    return runs_of(fpr, inside)


def runs_of(at: Floats, chosen: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """Runs of chosen positions, each as its first and last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]])))
    return tuple((float(at[i]), float(at[j - 1])) for i, j in zip(edges[::2], edges[1::2], strict=True))


def _promise(
    average: Average,
    kind: str,
    asked: Asked,
    declared: tuple[float, float] | None,
    excluded: tuple[tuple[float, float], ...] = (),
) -> str:
    level = f"{100 * asked.confidence_level:g} %"
    groups = plural(average.unit)
    if average.n_groups < 2:
        return f"With a single {average.unit} there is no spread between {groups} to judge by."
    if kind == "prediction":
        return (
            f"At each position, the curve of one more {average.unit} like these lies in the band with "
            f"{level} probability."
        )
    random = average.design.phrase(average.n_groups, average.unit)
    if kind == "pointwise":
        each = "At each position by itself, the mean over"
        return f"{each} {groups} lies in the band with {level} confidence; {random}."
    low, high = declared or (0.0, 1.0)
    left = ""
    if excluded:
        left = "; left out, because most curves coincide there: " + ", ".join(
            f"{a:.3g} to {b:.3g}" for a, b in excluded
        )
    return (
        f"The whole mean curve from {average._fpr_word} {low:g} to {high:g} lies in the band with {level} "
        f"confidence; {random}{left}."
    )
