"""What of an average is drawn: bands and points, asked for by a word or given as values, and its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.base import FEWEST_GROUPS, Average, AveragePoint
from rocsteady.averaging.directional import SmrocAverage
from rocsteady.averaging.shared_threshold import Ellipse, ThresholdAverage
from rocsteady.curves.intervals import Band
from rocsteady.errors import fail
from rocsteady.options import one_of, open_share
from rocsteady.places import places_of
from rocsteady.plots.given.values import of_kind
from rocsteady.plots.keys.words_of_bands import BY_ITSELF, at_once
from rocsteady.plots.parts.curve_lines import in_view
from rocsteady.plots.parts.roc_axes import lowest_rate
from rocsteady.plots.parts.vocabulary import Vocabulary, vocabulary
from rocsteady.statistics.limits import Interval
from rocsteady.words import counted, percent, plural, printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = ("both", "pointwise", "simultaneous", "prediction", "none")
_SHARES = ("share of debit", "share of credit")
LONGEST_UNIT = 18
"""Letters of the word for a group in a key."""
_LONGEST_LINE = 42
"""Letters of what a key says about an average; more have two lines."""
_FINE = 400
"""Corners of an average in view that all have limits; of more, a grid has half as many."""


def given_average(average: object) -> Average:
    """The average, if it is one; RS002 otherwise."""
    return of_kind(Average, average, "an average", "rs.plot.average(rs.average(score_set, 'vertical'))")


def bands_of(
    average: Average,
    band: object,
    *,
    confidence_level: float = 0.95,
    seed: int = 0,
    furthest: float = 1.0,
    lowest: float | None = None,
) -> list[Band]:
    """The bands that were asked for; none that the groups are too few for.

    Parameters
    ----------
    average : Average
        Whose bands.
    band : {"both", "pointwise", "simultaneous", "prediction", "none"}, None, Band, or a sequence of these
        Which. Of fewer than eight groups there is none over a range at once, of one none at all.
    confidence_level, seed : float, int
        Of the bands.
    furthest : float
        The largest false positive rate that is shown.
    lowest : float, optional
        Where a log scale starts.
    """
    if band is None or isinstance(band, Band):
        return [] if band is None else [band]
    if isinstance(band, Sequence) and not isinstance(band, str):
        asked: Any = {"confidence_level": confidence_level, "seed": seed}
        view: Any = {"furthest": furthest, "lowest": lowest}
        return [own for one in band for own in bands_of(average, one, **asked, **view)]
    word = one_of("band", band, KINDS)
    kinds = {"both": ("pointwise", "simultaneous"), "none": ()}.get(word, (word,))
    found = []
    for kind in kinds:
        if average.n_groups < (FEWEST_GROUPS if kind == "simultaneous" else 2):
            continue
        if kind == "simultaneous":
            # Over the usual range, unless less than that is in view.
            declared = (0.02, 0.5) if furthest > 0.1 else (furthest / 50, furthest)
            at = None
        else:
            declared, at = (0.0, furthest), _places(average, furthest, lowest)
        found.append(average.band(confidence_level, kind, fpr=declared, at=at, seed=seed))
    return found


def _places(average: Average, furthest: float, lowest: float | None) -> Any:
    """Where limits are wanted so that they are as fine as what is in view; None for the whole square."""
    if furthest == 1 and lowest is None:
        return None
    corners = np.unique(average.fpr[average.fpr <= furthest])
    if corners.size <= _FINE:
        return np.append(corners, furthest)
    even = np.linspace(0, furthest, _FINE // 2)
    return even if lowest is None else np.append([0.0], np.geomspace(lowest, furthest, _FINE // 2))


def points_of(average: Average, at: object, *, confidence_level: float = 0.95) -> list[AveragePoint]:
    """The points that were asked for; RS092 for what is no place.

    ``at`` is a place such as ``{"fpr": 0.05}``, a point that was made of the average, or several of these.
    """
    if isinstance(at, AveragePoint):
        return [at]
    if isinstance(at, Sequence) and not isinstance(at, str):
        return [point for one in at for point in points_of(average, one, confidence_level=confidence_level)]
    return [average.at(place, confidence_level=confidence_level) for place in places_of(at, task="mark")]


def ellipses_of(average: Average, points: Sequence[AveragePoint], level: object) -> list[Ellipse]:
    """A region of both rates around every point with a threshold that all groups share."""
    if level is None or level is False:
        return []
    level = open_share("ellipse", level)  # type: ignore[arg-type]
    if not isinstance(average, ThresholdAverage):
        raise fail("RS002.ellipse-threshold", label=average.method.label, average=average)
    thresholds = [
        float(own) for point in points if point.threshold is not None for own in np.ravel(point.threshold)
    ]
    return [average.ellipse(own, level) for own in thresholds]


def ellipse_words(ellipse: Ellipse) -> str:
    """What a region is, in a key."""
    return f"{100 * ellipse.confidence_level:g} %: both rates at once"


def unit_of(average: Average) -> str:
    """The word for a group; a long one would not fit into a key."""
    unit = printable(average.unit)
    return unit if len(unit) <= LONGEST_UNIT else "group"


def kind_words(average: Average) -> str:
    """The kind of average and how many groups are in it.

    >>> import rocsteady as rs
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> kind_words(rs.average(rs.ScoreSet.from_folds(folds), "vertical"))
    'vertical average, 2 folds'
    """
    if average.n_groups == 1:
        return f"one {unit_of(average)}: nothing is averaged"
    of_what = " of smROC curves" if isinstance(average, SmrocAverage) else ""
    kind, groups = f"{average.method.label} average{of_what},", counted(average.n_groups, unit_of(average))
    return f"{kind} {groups}" if len(kind) + len(groups) < _LONGEST_LINE else f"{kind}\n{groups}"


def area_words(average: Average, confidence_level: float = 0.95) -> tuple[str, str, str]:
    """The name of the area, the area, and its interval where there is one."""
    word = "smAUC" if isinstance(average, SmrocAverage) else "AUC"
    interval = average.auc_interval(confidence_level)
    low, high = np.clip([interval.low, interval.high], 0, 1)  # limits are numbers; no area lies outside
    limits = f"{low:.3f} to {high:.3f}" if np.isfinite(low) else ""
    return word, f"{average.auc:.3f}", limits


def band_words(band: Band, unit: str = "group", said: Vocabulary | None = None) -> str:
    """A band in a key: what it holds, and where."""
    level = f"{100 * band.confidence_level:g} %"
    if band.kind == "prediction":
        return f"{level}: one more {unit}"
    if band.kind == "pointwise":
        return f"{level}: {BY_ITSELF}"
    rate = "FPR" if said is None else said.fpr_short
    few = "too few cases" if unit == "case" else f"most {plural(unit)} coincide"
    return f"{level}: {at_once(rate, band.fpr, band.excluded, why=few)}"


def point_words(point: Any, said: Vocabulary, ax: Axes | None = None) -> str:
    """A point in a key: both rates, with the limits of those that are free; two lines where both are.

    With ``ax`` it says so if the point lies outside these axes.
    """
    words = _rates_of(point, said)
    if ax is None or np.ndim(point.fpr) or in_view(ax, float(point.fpr), float(point.tpr)):
        return words
    return f"{words},\noutside these axes"


def _rates_of(point: Any, said: Vocabulary) -> str:
    if np.ndim(point.fpr):
        return f"{counted(int(np.size(point.fpr)), 'point')}, {100 * point.confidence_level:g} % intervals"
    fpr = rate_in_words(said, "fpr", point.fpr, point.fpr_interval)
    tpr = rate_in_words(said, "tpr", point.tpr, point.tpr_interval)
    if point.fpr_interval is not None and point.tpr_interval is None:
        return f"{tpr}: {fpr}"
    are_both_free = point.fpr_interval is not None and point.tpr_interval is not None
    return f"{fpr},\n{tpr}" if are_both_free else f"{fpr}: {tpr}"


def rate_in_words(said: Vocabulary, rate: str, value: float, interval: Interval | None = None) -> str:
    """A rate at a point in the words of a field, in per cent; with its limits, or round where it is held.

    >>> rate_in_words(vocabulary("medical"), "fpr", 0.1), rate_in_words(vocabulary("ml"), "fpr", 0.0001)
    ('specificity 90 %', 'FPR 0.01 %')
    """
    name, own = said.at(rate, float(value))
    if interval is None:
        return f"{name} {percent(own).replace('.0 %', ' %')}"
    if not np.isfinite(interval.low):
        return f"{name} {percent(own)}"
    low, high = sorted(said.at(rate, limit)[1] for limit in np.clip([interval.low, interval.high], 0, 1))
    return f"{name} {percent(own)} ({100 * low:.1f} to {100 * high:.1f})"


def lowest_of(average: Any) -> float:
    """Where a log scale of an average starts."""
    return lowest_rate(average._groups.n_negatives)


def rate_words(average: Average) -> tuple[str, str] | None:
    """What stands at the axes where they are no rates."""
    return _SHARES if isinstance(average, SmrocAverage) else None


def said_of(average: Average, words: str) -> Vocabulary:
    """What the rates of an average are called: the words of a field, unless they are no rates."""
    said = vocabulary(words)
    if isinstance(average, SmrocAverage):
        shares: Any = {"fpr_at": ("debit", False), "tpr_at": ("credit", False)}
        return replace(said, fpr_short="debit", tpr_short="credit", **shares)
    return said
