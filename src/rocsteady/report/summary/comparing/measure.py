"""What models are compared by: which number, where it is read, how it is written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocsteady.advice.deployment import Deployment, Line
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.report.summary.settings import Place as AskedPlace
from rocsteady.report.summary.vocabulary import MINUS, RateWord, Wording, percent
from rocsteady.results import Result
from rocsteady.words import printable

_LONGEST_NAME = 60
_MOST_PLACES = 12
_MOST_MORE, _NOTHING = 4, 1e-9
"""Places that are added for a limit near 0; what is below the second is a rounding error."""
_COMPUTED = {
    "tpr": {"name": "true positive rate", "short": "TPR"},
    "fpr": {"name": "false positive rate", "short": "FPR"},
}
_WIDE, _NARROW = 0.05, 0.005
"""Widths of an interval of rates; below them its limits need one place of a percentage point, or two."""


@dataclass(frozen=True)
class Measure(Result):
    """One number of a model. All numbers of a comparison are as computed; this says how they are shown.

    Attributes
    ----------
    kind : {"tpr", "fpr", "eer", "cost", "auc"}
        What is read.
    name, short : str
        In the words of the report: "true positive rate", "TPR".
    at : str
        Where it is read, in words; empty for an area.
    is_share : bool
        Whether it is written in per cent, and a difference in points.
    is_rest : bool
        Whether what is shown is one less the number.
    lower_is_better : bool
        Of the number as computed.
    """

    kind: str
    name: str
    short: str
    at: str
    is_share: bool
    is_rest: bool
    lower_is_better: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain data, in which numbers are as computed: so is their name, whatever the report shows."""
        found = super().to_dict()
        if self.is_rest:
            found |= _COMPUTED[self.kind]
        return found

    def shown(self, value: float) -> float:
        """The number that is spoken of."""
        return round(1 - value, 15) if self.is_rest else value

    def gap(self, difference: float) -> float:
        """A difference of what is shown.

        >>> fnmr = Measure("tpr", "false non-match rate", "FNMR", "", True, True, False)
        >>> fnmr.gap(0.25), fnmr.gap_limits(0.1, 0.4)
        (-0.25, (-0.4, -0.1))
        """
        return 0.0 - difference if self.is_rest else difference

    def gap_limits(self, low: float, high: float) -> tuple[float, float]:
        """Limits of a difference of what is shown, the lower first."""
        return (self.gap(high), self.gap(low)) if self.is_rest else (low, high)

    def text(self, value: float, places: int | None = None) -> str:
        """The number in a sentence: ``"68 %"``, ``"0.894"``; of shares as many places as asked for."""
        if math.isnan(value):
            return "unknown"
        if self.is_share:
            usual = 1 if self.kind in ("fpr", "eer") or self.is_rest else 0
            return percent(self.shown(value), usual if places is None else places)
        return _three(self.shown(value))

    def interval(self, low: float, high: float) -> str:
        """Limits of the number itself, as precise as each other: ``"62 to 74 %"``; nothing where unknown.

        >>> Measure("auc", "mean AUC", "AUC", "", False, False, False).interval(0.8911, 0.93)
        '0.891 to 0.930'
        """
        if math.isnan(low) or math.isnan(high):
            return ""
        if self.is_share:
            places = 1 if self.kind in ("fpr", "eer") or self.is_rest else 0
            return RateWord("", "", self.is_rest, places, "").interval(low, high)
        places = self._places(low, high, is_signed=False)
        return f"{_fixed(low, places, self)} to {_fixed(high, places, self)}"

    def bare(self, value: float) -> str:
        """The number in a cell, ``"68.2"`` or ``"0.894"``."""
        if math.isnan(value):
            return ""
        return (
            percent(self.shown(value), 1).removesuffix(" %") if self.is_share else _three(self.shown(value))
        )

    def size(self, difference: float, low: float = math.nan, high: float = math.nan) -> str:
        """How large a difference is, without its sign: ``"15"``; as precise as its limits."""
        if math.isnan(low) or math.isnan(high):
            return self._digits(abs(difference), math.nan)
        is_signed = low < 0 < high
        ends = (low, high) if is_signed else sorted((abs(low), abs(high)))
        return _fixed(abs(difference), self._places(*self._possible(*ends), is_signed=is_signed), self)

    def signed(self, difference: float, low: float = math.nan, high: float = math.nan) -> str:
        """A difference of what is shown with its sign and unit: ``"+14.7 points"``."""
        if math.isnan(low) or math.isnan(high):
            return self._signed(self.gap(difference)) + self.points
        places = self._places(*self._possible(low, high), is_signed=True)
        return _with_sign(self.gap(difference), places, self) + self.points

    def limits(self, low: float, high: float) -> str:
        """An interval of the difference shown, with signs: ``"+6.8 to +21.5"``; nothing where unknown."""
        if math.isnan(low) or math.isnan(high):
            return ""
        low, high = self._possible(low, high)
        places = self._places(low, high, is_signed=True)
        first, last = (_with_sign(limit, places, self) for limit in self.gap_limits(low, high))
        return f"{first} to {last}"

    def sizes(self, low: float, high: float) -> str:
        """An interval of how much better the better one is: ``"7 to 22"``.

        >>> tpr = Measure("tpr", "true positive rate", "TPR", "", True, False, False)
        >>> tpr.sizes(0.068, 0.215), tpr.sizes(0.0004, 0.141)
        ('7 to 22', '0.04 to 14.10')
        """
        low, high = self._possible(low, high)
        places = self._places(low, high, is_signed=False)
        return f"{_fixed(low, places, self)} to {_fixed(high, places, self)}"

    def _possible(self, low: float, high: float) -> tuple[float, float]:
        """No two rates and no two areas differ by more than 1."""
        return (low, high) if self.kind == "cost" else (max(low, -1.0), min(high, 1.0))

    def _places(self, low: float, high: float, *, is_signed: bool) -> int:
        """Places of an interval, the same for both limits; a limit that is not 0 is not written as 0.

        >>> auc = Measure("auc", "mean AUC", "AUC", "", False, False, False)
        >>> auc.limits(-0.08812, 0.00027), auc.limits(-0.0014, 0.0051), auc.limits(0.012, 0.0345)
        ('\u22120.0881 to +0.0003', '\u22120.0014 to +0.0051', '+0.012 to +0.035')
        """
        factor = 100 if self.is_share else 1
        ends = [factor * abs(end) for end in (low, high)]
        if self.is_share:
            width = high - low
            fewest = 1 if is_signed else 0
            places = 2 if width < _NARROW else 1 if width < _WIDE else fewest
        else:
            places = _places_of(max(ends))
        for more in range(_MOST_MORE + 1):
            if all(float(f"{end:.{places + more}f}") or end < _NOTHING for end in ends):
                return places + more
        return places

    @property
    def points(self) -> str:
        """The unit of differences, after a number."""
        return " points" if self.is_share else ""

    @property
    def axis(self) -> str:
        """The label of an axis."""
        name = self.name[:1].upper() + self.name[1:]
        return f"{name} (%)" if self.is_share else name

    def _digits(self, size: float, width: float) -> str:
        if not self.is_share:
            return _three(size)
        places = 1 if math.isnan(width) else 0 if width >= _WIDE else 1 if width >= _NARROW else 2
        return f"{100 * size:.{places}f}".replace("-", MINUS)

    def _signed(self, size: float) -> str:
        return _with_sign(size, 1 if self.is_share else _places_of(abs(size)), self)


def _fixed(size: float, places: int, measure: Measure) -> str:
    """A number of points, or of areas, with so many places."""
    return f"{(100 if measure.is_share else 1) * size:.{places}f}".replace("-", MINUS)


def _with_sign(size: float, places: int, measure: Measure) -> str:
    text = _fixed(abs(size), places, measure)
    sign = "" if not text.strip("0.") else MINUS if size < 0 else "+"
    return sign + text


def _three(value: float) -> str:
    """Three places, or two digits of something smaller.

    >>> _three(0.8942), _three(0.00512), _three(-2e-06), _three(0.0)
    ('0.894', '0.0051', '−0.0000020', '0.000')
    """
    return f"{value:.{_places_of(value)}f}".replace("-", MINUS)


def _places_of(value: float) -> int:
    if not 0 < abs(value) < 0.0095:
        return 3
    return min(1 - math.floor(math.log10(abs(value))), _MOST_PLACES)


def model_name(name: str) -> str:
    """A model in a sentence: printable, and not longer than a reader bears.

    >>> model_name("baseline"), model_name("2"), model_name(""), len(model_name("x" * 500))
    ('baseline', 'model 2', 'the classifier', 60)
    """
    said = printable(name)
    if said and not any(letter.isalpha() for letter in said):
        said = f"model {said}"
    if len(said) > _LONGEST_NAME:
        said = said[: _LONGEST_NAME - 1] + "\u2026"
    return said or "the classifier"


def line_of(material: Material) -> Line | None:
    """The declared operating point as a place that every average can be read at; None if there is none."""
    return _line(material.declared_place, material) if material.place_is_declared else None


def example_line(material: Material) -> Line | None:
    """The same where it is an example."""
    return _line(material.declared_place, material)


def _line(place: AskedPlace, material: Material) -> Line | None:
    prevalence = None if material.deployment is None else material.deployment.prevalence
    if isinstance(place, str):  # "youden" is a point that is chosen on each curve
        return Deployment("own", hold="balance").line if place == "eer" else None
    ((name, value),) = place.items()
    if name in ("alerts", "costs") and prevalence is None:
        return None
    uses: dict[str, dict[str, Any]] = {
        "threshold": {"threshold": "shared", "at": value},
        "alerts": {"threshold": "own", "hold": "alerts", "at": value, "prevalence": prevalence},
        "costs": {"threshold": "own", "hold": "cost", "costs": value, "prevalence": prevalence},
    }
    return Deployment(**uses.get(name, {"threshold": "own", "hold": name, "at": value})).line


def measure_of(material: Material, place: Line | None, key: str | None) -> Measure:
    """The number that models are compared by at a place; without one, the area under an average."""
    wording = material.wording
    if place is None or place.threshold is not None:
        is_shared = key in SHARED_KEYS and not material.is_alone
        name = "area under the average curve" if is_shared or key in ("radial", "cost") else "mean AUC"
        return Measure("auc", name if not material.is_alone else "AUC", "AUC", "", False, False, False)
    if place.free == "cost":
        return Measure(
            "cost", "expected cost per case", "cost", place_words(place, wording), False, False, True
        )
    if place.held == "balance" and place.target == 1:
        return Measure("eer", "equal error rate", "EER", "", True, False, True)
    rate = wording.tpr if place.free == "tpr" else wording.fpr
    return _rate_measure(place.free, rate, place_words(place, wording))


def _rate_measure(free: str, rate: RateWord, at: str) -> Measure:
    return Measure(free, rate.name, rate.short, at, True, rate.is_rest, free == "fpr")


def rate_measure(free: str, wording: Wording) -> Measure:
    """Of a rate at a threshold."""
    return _rate_measure(free, wording.tpr if free == "tpr" else wording.fpr, "")


def place_words(place: Line, wording: Wording) -> str:
    """Where something is read, after "at": ``FPR 5.0 %``."""
    costs, balance = place.costs, place.target - 1
    words = {
        "fpr": f"{wording.fpr.short} {wording.fpr.percent(place.target)}",
        "tpr": f"{wording.tpr.short} {wording.tpr.percent(place.target)}",
        "alerts": f"{percent(place.target, 1)} {'alerts' if wording.words == 'ml' else 'called positive'}",
        "balance": f"an error balance of {balance:+.3g}" if balance else "equal error rates",
        "ratio": f"error rates of {place.target:g} : {place.along[0]:g}",
        "threshold": f"a threshold of {wording.threshold(place.threshold or 0.0)}",
    }
    if costs is not None:
        return f"costs of {costs.false_positive:.3g} : {costs.false_negative:.3g}"
    return words[place.held]
