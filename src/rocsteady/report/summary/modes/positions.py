"""Where the slider of a report stops: positions of what an average holds fixed, with their labels.

They are numbers that people would say, finer where rates are small, and exactly those that were declared or
asked for. Thresholds are placed so that they cover the average curve evenly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import AtCosts
from rocsteady.averaging.shared_threshold import SharedThresholdAverage
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.report.summary.points.of_other_rows import given_thresholds
from rocsteady.report.summary.points.places import prevalence_of, shared_threshold
from rocsteady.report.summary.vocabulary import Wording, count, percent
from rocsteady.words import plural

Floats = NDArray[np.float64]

_STEPS = ((0.01, 0.001), (0.1, 0.005), (0.5, 0.01), (0.9, 0.02), (1.0, 0.01))
_RARE = (1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4)
_ROUND = (1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3.2, 3.6, 4, 4.5, 5, 5.6, 6.3, 7, 8, 9)
_DECADES = range(-4, 5)
_MOST_RATIOS, _ENDS = 100, 0.004
_ALONG, _LOW_RATES = 91, 0.1


@dataclass(frozen=True, eq=False)
class Positions:
    """Where an average is read.

    Attributes
    ----------
    values : float64 array
        Rising; in the words of the slider: a threshold, a rate, FPR - FNR, FPR / FNR, a ratio of costs.
    at : float64 array
        The same as ``Average.group_points`` takes them.
    labels : tuple of str
    start : int
        Which of them is shown first.
    """

    values: Floats
    at: Floats
    labels: tuple[str, ...]
    start: int


def positions_of(material: Material, key: str, name: str) -> Positions:
    """The positions of one model's average."""
    average = material.average(key, name)
    if key in SHARED_KEYS and isinstance(average, SharedThresholdAverage):
        return _thresholds(material, key, name, average)
    makers: dict[str, Callable[[Material], Positions]] = {
        "vertical": _of_fpr,
        "horizontal": _of_tpr,
        "diagonal": _of_balance,
        "radial": _of_ratio,
        "alerts": _of_rate,
        "cost": _of_costs,
    }
    return makers[key](material) if key in makers else _along_costs(average)


def _rates(is_fine: bool) -> list[float]:
    """Rates from 0 to 1, in steps that people would take."""
    found, start = [0.0, *(_RARE if is_fine else ())], 0.0
    for end, step in _STEPS:
        found += [start + step * i for i in range(1, round((end - start) / step) + 1)]
        start = end
    return [round(rate, 6) for rate in found]


def _asked(material: Material, name: str) -> list[float]:
    """Values of a kind of place, the declared one first."""
    own = [place[name] for place in material.places if not isinstance(place, str) and name in place]
    return [float(value) for value in own]


def _finished(
    values: list[float], first: float, at: Callable[[Floats], Floats], label: Callable[[float], str]
) -> Positions:
    rising = np.unique(np.array([*values, first]))
    start = int(np.flatnonzero(rising == first)[0])
    return Positions(rising, at(rising), tuple(label(value) for value in rising.tolist()), start)


def _as_they_are(values: Floats) -> Floats:
    return values


def _of_fpr(material: Material) -> Positions:
    wording, asked = material.wording, _asked(material, "fpr")
    grid = _rates(is_fine=wording.words == "biometric") + asked
    return _finished(grid, [*asked, 0.05][0], _as_they_are, wording.fpr.percent)


def _of_tpr(material: Material) -> Positions:
    asked = _asked(material, "tpr")
    grid = [round(1 - rate, 6) for rate in _rates(is_fine=False)] + asked
    return _finished(grid, [*asked, 0.9][0], _as_they_are, material.wording.tpr.percent)


def _of_rate(material: Material) -> Positions:
    asked = _asked(material, "alerts")
    prevalence = material.deployment.prevalence if material.deployment else None
    first = [*asked, 0.05 if prevalence is None else prevalence][0]
    return _finished(_rates(is_fine=False) + asked, first, _as_they_are, lambda rate: percent(rate, 1))


def _of_balance(material: Material) -> Positions:
    asked = _asked(material, "balance")
    if "eer" in material.places:
        asked = [0.0, *asked] if material.declared_place == "eer" else [*asked, 0.0]
    near = [i / 100 for i in range(-20, 21)]
    grid = [i / 50 for i in range(-50, 51)] + near + asked
    return _finished(
        grid, [*asked, 0.0][0], lambda gap: (gap + 1) / 2, lambda gap: balance_label(gap, material.wording)
    )


def balance_label(gap: float, wording: Wording) -> str:
    """Which error is larger, and by how much."""
    if gap == 0:
        return "both errors equal"
    size = percent(abs(gap)).removesuffix(" %")
    more = (
        ("sensitivity", "specificity") if wording.words == "medical" else tuple(map(plural, wording.errors))
    )
    return f"{size} points more {more[0] if gap > 0 else more[1]}"


def _of_ratio(material: Material) -> Positions:
    pairs = [place["ratio"] for place in material.places if not isinstance(place, str) and "ratio" in place]
    asked = [a / b if b else math.inf for a, b in pairs]
    grid = [own for own in _ratios() if 0.01 <= own <= 100]
    shares: Callable[[Floats], Floats] = lambda ratio: np.where(  # noqa: E731 - it goes where functions go
        np.isinf(ratio), 1.0, ratio / (1 + np.where(np.isinf(ratio), 0.0, ratio))
    )
    return _finished(grid + asked, [*asked, 1.0][0], shares, ratio_label)


def _ratios() -> list[float]:
    """Ratios that people would say, and their inverses."""
    above = [own * 10.0**decade for decade in _DECADES if decade >= 0 for own in _ROUND]
    return sorted({round(own, 6) for own in above} | {1 / own for own in above})


def ratio_label(ratio: float) -> str:
    """A ratio with its smaller part 1.

    >>> ratio_label(0.05), ratio_label(2.5), ratio_label(0.0)
    ('1 : 20', '2.5 : 1', '0 : 1')
    """
    if ratio in (0, math.inf):
        return "0 : 1" if ratio == 0 else "1 : 0"
    large = max(ratio, 1 / ratio)
    text = f"{large:.3g}" if large < 100 else count(round(large))
    return f"{text} : 1" if ratio >= 1 else f"1 : {text}"


def _of_costs(material: Material) -> Positions:
    """Cost of a miss over that of a false alarm; without a prevalence, of all misses and all false alarms."""
    pairs = [place["costs"] for place in material.places if not isinstance(place, str) and "costs" in place]
    asked = [b / a for a, b in pairs if a]
    prevalence = material.deployment.prevalence if material.deployment else None
    odds = 1.0 if prevalence is None else prevalence / (1 - prevalence)
    shares: Callable[[Floats], Floats] = lambda ratio: ratio * odds / (1 + ratio * odds)  # noqa: E731
    grid = [own for own in _ratios() if _ENDS <= own * odds / (1 + own * odds) <= 1 - _ENDS]
    if len(grid) > _MOST_RATIOS:
        grid = [own for i, own in enumerate(grid) if i % 2 == 0]
    grid = grid or [1 / odds]  # so rare a class needs ratios that nobody would say
    first = [*asked, min(grid, key=lambda own: abs(math.log(own * odds)))][0]
    return _finished(grid + asked, first, shares, lambda ratio: ratio_label(1 / ratio) if ratio else "1 : 0")


def _along_costs(average: Average) -> Positions:
    """Shares of the way along the direction of costs, from the least cost of the average on."""
    method = average.method
    first = 0.5
    if isinstance(method, AtCosts):
        of_misses, of_alarms = method.expected
        best = int(np.argmin(of_misses * (1 - average.tpr) + of_alarms * average.fpr))
        d = method.direction
        along = (d.cosine * average.fpr[best] + d.sine * average.tpr[best]) / d.length
        first = min(max(float(along), 0.0), 1.0)
    return _finished([i / 100 for i in range(101)], first, _as_they_are, lambda share: f"{share:.3f}")


def _thresholds(material: Material, key: str, name: str, average: SharedThresholdAverage) -> Positions:
    """Thresholds that cover the average evenly, finer at low FPR, and those of the places asked for."""
    fpr, tpr, thresholds = average.fpr, average.tpr, average.thresholds
    along = fpr + tpr
    low = [rate for rate in _rates(is_fine=material.wording.words == "biometric") if rate <= _LOW_RATES]
    vertex = np.concatenate(
        [
            np.searchsorted(along, np.linspace(0, 2, _ALONG)),
            np.searchsorted(fpr, np.array(low), side="right") - 1,
        ]
    )
    vertex = np.unique(vertex.clip(1, thresholds.size - 1))  # the first is beyond every score
    rising = np.unique(_rounded(thresholds[vertex], material.wording.places))
    prevalence, _ = prevalence_of(material, name)
    asked = given_thresholds(material, material.places, name, key)
    if asked is None:  # no other rows say which thresholds are used
        asked = [shared_threshold(average, place, prevalence) for place in material.places]
    if not material.place_is_declared and math.isinf(asked[0]) and thresholds.size > 1:
        asked[0] = float(thresholds[1])  # an example that calls nothing positive would show nothing
    rising = np.unique(np.append(rising, asked))
    start = int(np.flatnonzero(rising == asked[0])[0])
    return Positions(rising, rising, tuple(map(material.wording.threshold, rising.tolist())), start)


def _rounded(thresholds: Floats, places: int) -> Floats:
    """Thresholds as they are written, unless that would bring too many of them together."""
    rounded = np.round(thresholds, places) + 0.0
    enough = np.unique(rounded).size >= 0.8 * np.unique(thresholds).size
    return rounded if enough else thresholds
