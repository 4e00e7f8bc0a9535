"""What a point of an average means, in one or two sentences for every position of the slider."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import Average, AveragePoint
from rocsteady.averaging.methods import AtCosts
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.report.summary.phrases import Phrase, Text, phrase, plain_text, sentences
from rocsteady.report.summary.positions import Positions, ratio_label
from rocsteady.report.summary.vocabulary import RateWord, Wording, percent

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Point:
    """One position of the slider: what is held there, and the numbers that go into its sentence."""

    value: float
    label: str
    number: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Teller:
    """Tells what the points of one average mean.

    Attributes
    ----------
    met_again : AveragePoint or None
        Under a shared threshold that was declared by a rate: the average where that rate is met, the
        threshold being set anew in every resample.
    """

    material: Material
    key: str
    model: str
    average: Average
    met_again: AveragePoint | None = None

    @property
    def wording(self) -> Wording:
        """The words of the report."""
        return self.material.wording

    @cached_property
    def is_alone(self) -> bool:
        """Whether there is a single curve, so that nobody speaks of groups."""
        return len(self.material.curves(self.model)) == 1

    @property
    def cutoff(self) -> str:
        """The word for a threshold."""
        return "cut-off" if self.wording.words == "medical" else "threshold"

    @property
    def each(self) -> str:
        """Who has a threshold: ``every host``."""
        return f"every {self.wording.unit}"

    def all(self, positions: Positions, numbers: Mapping[str, Floats]) -> tuple[Phrase, ...]:
        """A sentence for every position."""
        columns = {name: values.tolist() for name, values in numbers.items()}
        held = zip(positions.values.tolist(), positions.labels, strict=True)
        rows = [
            Point(value, label, {name: values[i] for name, values in columns.items()})
            for i, (value, label) in enumerate(held)
        ]
        told = list(map(self.tell, rows))
        told[positions.start] = sentences(told[positions.start], self._anew())
        return tuple(told)

    def _anew(self) -> Text:
        """What changes where the threshold is not kept, but set again to the declared rate."""
        point, place, words = self.met_again, self.material.declared_place, self.wording
        if point is None or isinstance(place, str):
            return ""
        if "fpr" in place:
            how, rate, interval = phrase("to ", words.budget(place["fpr"])), words.tpr, point.tpr_interval
        else:
            how, rate, interval = phrase("to ", words.aim(place["tpr"])), words.fpr, point.fpr_interval
        within = "" if interval is None else rate.interval(interval.low, interval.high)
        if not within:
            return ""
        again = f"If it is set again {plain_text(how)} on other {words.units}"
        return f"{again}, the interval of the {rate.name} is {within}."

    def tell(self, point: Point) -> Phrase:
        """What one position means."""
        if self.is_alone:
            return self._alone(point)
        if self.key == "threshold":
            said = phrase(
                f"With one {self.cutoff} of ", ("", self._threshold(point), ""), f" on {self.each}, ",
                self.wording.average_unit(), " ", self.both(point), ".",
            )  # fmt: skip
            return sentences(said, self._singles(point), self._brackets(f"this {self.cutoff} kept"))
        if self.key == "pooled":
            return self._pooled(point)
        return self._own(point)

    def _threshold(self, point: Point) -> str:
        return self.wording.cutoff(point.value)

    def _pooled(self, point: Point) -> Phrase:
        units = self.wording.units
        said = phrase(
            f"With one {self.cutoff} of ", ("", self._threshold(point), ""), f", all {units} together ",
            self.both(point, of="all"), ".",
        )  # fmt: skip
        large = f"Large {units} count more."
        return sentences(said, large, self._singles(point), self._brackets(f"this {self.cutoff} kept"))

    def _own(self, point: Point) -> Phrase:
        said = phrase(
            f"If {self.each} tunes its own {self.cutoff} ", self._goal(point), ", ",
            self.wording.average_unit(), " ", self._free(point), ".",
        )  # fmt: skip
        return sentences(
            said, self._thresholds_run(point), self._remark(point), self._brackets("each tuned again")
        )

    def _alone(self, point: Point) -> Phrase:
        if self.key in SHARED_KEYS:
            said = phrase(
                f"With a {self.cutoff} of ", ("", self._threshold(point), ""), ", the classifier ",
                self.both(point, of="the"), ".",
            )  # fmt: skip
            return sentences(said, self._brackets(f"this {self.cutoff} kept"))
        said = phrase(
            f"If the {self.cutoff} is tuned ", self._goal(point), ", the classifier ", self._free(point), "."
        )
        return sentences(
            said,
            self._thresholds_run(point),
            self._remark(point),
            self._brackets(f"the {self.cutoff} tuned again"),
        )

    def both(self, point: Point, of: str = "its") -> Phrase:
        """Both rates with their intervals."""
        n, words = point.number, self.wording
        tpr = n["tpr"], n["tpr_low"], n["tpr_high"]
        fpr = n["fpr"], n["fpr_low"], n["fpr_high"]
        if words.words == "ml":
            caught, alarms = words.catches(*tpr, of=of), words.alarms(*fpr, of=of)
            if of == "all":  # several are spoken of
                caught, alarms = _plural(caught), _plural(alarms)
            return phrase(caught, " and ", alarms)
        has = "have" if of == "all" else "has"
        pairs = [(words.tpr, tpr), (words.fpr, fpr)]
        told = [
            (f"a {rate.name} of ", rate.percent(own[0]), words.within(rate, *own[1:])) for rate, own in pairs
        ]
        return phrase(f"{has} ", told[0], " and ", told[1])

    def _free(self, point: Point) -> Phrase:
        """What is not held."""
        n, words, of = point.number, self.wording, "the" if self.is_alone else "its"
        if self.key == "vertical":
            return words.catches(n["tpr"], n["tpr_low"], n["tpr_high"], of=of)
        if self.key == "horizontal":
            return words.alarms(n["fpr"], n["fpr_low"], n["fpr_high"], of=of)
        return self.both(point, of=of)

    def _goal(self, point: Point) -> Phrase:
        """What thresholds are tuned to."""
        words, value = self.wording, point.value
        of = "the" if self.is_alone else "its"
        ratio = {
            "ml": "the rates of false alarms and of misses are",
            "medical": "1 \u2212 specificity and 1 \u2212 sensitivity are",
            "biometric": "false match rate and false non-match rate are",
        }[words.words]
        goals: dict[str, Callable[[], Phrase]] = {
            "vertical": lambda: phrase("to ", words.budget(value)),
            "horizontal": lambda: phrase("to ", words.aim(value, of=of)),
            "diagonal": lambda: phrase("so that ", _balance(value, words)),
            "radial": lambda: (f"so that {ratio} as ", ratio_label(value), ""),
            "alerts": lambda: ("so that ", point.label, f" of all cases are called positive{self._where}"),
            "cost": lambda: self._costs(point),
            "cost-direction": lambda: ("to the position ", point.label, " along the lines of equal cost"),
        }
        return goals[self.key]()

    @property
    def _where(self) -> str:
        deployment = self.material.deployment
        if deployment is None or deployment.prevalence is None:
            return ""
        return f" (prevalence {percent(deployment.prevalence, 1)})"

    def _costs(self, point: Point) -> Phrase:
        costs = ("", point.label, "")
        if self._where:
            return phrase("to what costs least when a false alarm and a miss cost ", costs, self._where)
        return phrase("to what costs least when false alarms on all ", self.wording.negatives,
                      " and misses of all ", self.wording.positives, " weigh ", costs)  # fmt: skip

    def _remark(self, point: Point) -> str:
        unit = "it" if self.is_alone else f"each {self.wording.unit}"
        if self.key == "cost":
            return f"This is optimistic: {unit} was tuned on the rows on which it is judged."
        method = self.average.method
        if self.key == "cost-direction" and isinstance(method, AtCosts):
            of_misses, of_alarms = method.expected
            cost = of_misses * (1 - point.number["tpr"]) + of_alarms * point.number["fpr"]
            return f"The expected cost is {cost:.3g} per case."
        return ""

    def _thresholds_run(self, point: Point) -> str:
        low, high = (
            self.wording.threshold(point.number[name]) for name in ("threshold_low", "threshold_high")
        )
        if self.is_alone or low == high:
            return f"The {self.cutoff} needed is {high}."
        return f"The {self.cutoff}s needed run from {low} to {high}."

    def _singles(self, point: Point) -> str:
        """How far single groups lie apart."""
        n, words = point.number, self.wording
        fpr = _run(words.fpr, n["fpr_least"], n["fpr_most"])
        tpr = _run(words.tpr, n["tpr_least"], n["tpr_most"])
        if words.words == "ml":
            return f"Single {words.units} range from {fpr} false alarms and from {tpr} caught."
        return f"Single {words.units} range from {tpr} {words.tpr.name} and from {fpr} {words.fpr.name}."

    def _brackets(self, how: str) -> str:
        """What the intervals are about."""
        level = percent(self.material.settings.confidence_level)
        if self.is_alone:
            is_known = self.key in SHARED_KEYS or self.key in ("vertical", "horizontal")
            return f"In brackets: {level} intervals over cases, {how}." if is_known else ""
        return f"In brackets: {level} intervals over {self.wording.units}, {how}."


def _plural(told: Phrase) -> Phrase:
    """A verb for several subjects."""
    first = told[0].replace("catches ", "catch ").replace("raises ", "raise ")
    return (first, *told[1:])


def _run(rate: RateWord, least: float, most: float) -> str:
    first, last = sorted((rate.shown(least), rate.shown(most)))
    low, high = percent(first, rate.places), percent(last, rate.places)
    return f"{low.removesuffix(' %')} to {high}"


def _balance(gap: float, wording: Wording) -> Phrase:
    """Which of the two errors is larger, and by how much."""
    if gap == 0:
        return ("", "both error rates are equal", "")
    size = f"{percent(abs(gap)).removesuffix(' %')} points"
    larger, smaller = {
        "ml": ("false alarms", "misses"),
        "medical": ("sensitivity", "specificity"),
        "biometric": ("false matches", "false non-matches"),
    }[wording.words][:: 1 if gap > 0 else -1]
    exceeds = "exceeds" if wording.words == "medical" else "exceed"
    return (f"{larger} {exceeds} {smaller} by ", size, "")
