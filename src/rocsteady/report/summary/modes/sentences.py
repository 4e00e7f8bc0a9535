"""What a point of an average means, in one or two sentences for every position of the slider."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from rocsteady.averaging.base import Average, AveragePoint
from rocsteady.averaging.methods import AtCosts
from rocsteady.report.summary.comparability import has_equal_groups
from rocsteady.report.summary.comparing.measure import model_name
from rocsteady.report.summary.material import SHARED_KEYS, Material
from rocsteady.report.summary.modes.positions import Positions, ratio_label
from rocsteady.report.summary.phrases import Phrase, Text, phrase, plain_text, sentences
from rocsteady.report.summary.points.of_other_rows import elsewhere_of, readings_elsewhere
from rocsteady.report.summary.points.readings import readings_on_rows
from rocsteady.report.summary.reader_study import what_is_random
from rocsteady.report.summary.vocabulary import BEYOND, RateWord, Wording, percent
from rocsteady.words import plural

Floats = NDArray[np.float64]

_FEW_SCORES, _SOME_CURVES = 12, 200
"""Thresholds of the median curve below which it has long steps; and of how many curves that is asked."""


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

    @cached_property
    def _random(self) -> str:
        return what_is_random(self.material, self.key)

    @cached_property
    def _has_few_scores(self) -> bool:
        """Whether curves have long steps, as ratings have: most of their points belong to no threshold."""
        sizes = [curve.thresholds.size for curve in islice(self.material.curves(self.model), _SOME_CURVES)]
        return float(np.median(sizes)) < _FEW_SCORES

    @property
    def subject(self) -> str:
        """Who is spoken of where there is one curve: the model, if it has a name."""
        return model_name(self.model)

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
        told[positions.start] = sentences(told[positions.start], self._anew(), self._given())
        return tuple(told)

    def _anew(self) -> Text:
        """What changes where the threshold is not kept, but set again to the declared rate."""
        point, place, words = self.met_again, self.material.declared_place, self.wording
        if self.is_alone:
            return self._anew_of_cases()
        if point is None or isinstance(place, str):
            return ""
        if "fpr" in place:
            how, rate, interval = phrase("to ", words.budget(place["fpr"])), words.tpr, point.tpr_interval
        else:
            how, rate, interval = phrase("to ", words.aim(place["tpr"])), words.fpr, point.fpr_interval
        if interval is None or not interval.low < interval.high:
            return ""
        within = rate.interval(interval.low, interval.high, words.both_places)
        again = f"If it is set again {plain_text(how)} on other {words.units}"
        return f"{again}, the interval of the {rate.name} is {within}."

    def _anew_of_cases(self) -> Text:
        """The same of one dataset, whose cases are random."""
        place, words = self.material.declared_place, self.wording
        is_kept = self.key != self.material.key or self.material.settings.cutoff_from is not None
        if is_kept or self.key not in SHARED_KEYS or isinstance(place, str):
            return ""
        reading = readings_on_rows(self.material, [place], self.model, self.key)[0]
        if not reading.held:
            return ""
        how, rate, limits = words.budget(reading.fpr), words.tpr, reading.tpr_limits
        if reading.held == "tpr":
            how, rate, limits = words.aim(reading.tpr, of="the"), words.fpr, reading.fpr_limits
        if not limits[0] < limits[1]:
            return ""
        within = rate.interval(*limits, words.both_places)
        again = f"If it is set again to {plain_text(how)} on other cases"
        return f"{again}, the interval of the {rate.name} is {within}."

    def _given(self) -> Text:
        """What thresholds do that other rows gave, where this average tunes them on these."""
        other, key, words = elsewhere_of(self.material), self.key, self.wording
        if other is None or key != self.material.key:
            return ""
        word = words.cutoff_word
        if key in SHARED_KEYS:
            return f"This {word} was found on other rows."
        place = self.material.declared_place
        (here,) = readings_elsewhere(self.material, other, [place], self.model, None)
        if here.problem:
            return ""
        (fpr_low, fpr_high), (tpr_low, tpr_high) = here.fpr_limits, here.tpr_limits
        number = {"fpr": here.fpr, "fpr_low": fpr_low, "fpr_high": fpr_high}
        number |= {"tpr": here.tpr, "tpr_low": tpr_low, "tpr_high": tpr_high}
        return phrase(
            f"With the {word}{'' if self.is_alone else 's'} found on other rows instead, ",
            f"{self.subject if self.is_alone else words.average_unit()} ",
            self.both(Point(0.0, "", number), of="the" if self.is_alone else words.its),
            ".",
        )

    def tell(self, point: Point) -> Phrase:
        """What one position means."""
        if self.is_alone:
            return self._alone(point)
        if self.key == "threshold":
            said = phrase(
                "With one ", self._threshold(point), f" {self.wording.on} {self.each}, ",
                self.wording.average_unit(), " ", self.both(point, of=self.wording.its), ".",
            )  # fmt: skip
            return sentences(
                said, self._singles(point), self._brackets(point, f"this {self.wording.cutoff_word} kept")
            )
        if self.key == "pooled":
            return self._pooled(point)
        return self._own(point)

    def _threshold(self, point: Point) -> Phrase:
        word, text = self.wording.cutoff_word, self.wording.cutoff(point.value)
        return (f"{word} ", text, "") if text == BEYOND else (f"{word} of ", text, "")

    def _pooled(self, point: Point) -> Phrase:
        units = self.wording.units
        said = phrase(
            "With one ", self._threshold(point), f", all {units} together ", self.both(point, of="all"), ".",
        )  # fmt: skip
        most = "" if has_equal_groups(self.material) else "with many rows count most."
        large = f"{units[:1].upper()}{units[1:]} {most}" if most else ""
        return sentences(
            said, large, self._singles(point), self._brackets(point, f"this {self.wording.cutoff_word} kept")
        )

    def _own(self, point: Point) -> Phrase:
        said = phrase(
            f"If {self.each} {self.wording.tunes} ", self._goal(point), ", ",
            self.wording.average_unit(), " ", self._free(point), ".",
        )  # fmt: skip
        again = f"every {self.wording.cutoff_word} set again"
        return sentences(said, self._thresholds_run(point), self._remark(point), self._brackets(point, again))

    def _alone(self, point: Point) -> Phrase:
        if self.key in SHARED_KEYS:
            said = phrase(
                "With a ", self._threshold(point), f", {self.subject} ", self.both(point, of="the"), "."
            )
            return sentences(said, self._brackets(point, f"this {self.wording.cutoff_word} kept"))
        said = phrase(
            f"If the {self.wording.cutoff_word} is set ",
            self._goal(point),
            f", {self.subject} ",
            self._free(point),
            ".",
        )
        return sentences(
            said,
            self._thresholds_run(point),
            self._remark(point),
            self._brackets(point, f"the {self.wording.cutoff_word} set again"),
        )

    def both(self, point: Point, of: str = "its") -> Phrase:
        """Both rates with their intervals."""
        n, words, places = point.number, self.wording, self.wording.both_places
        tpr = n["tpr"], n["tpr_low"], n["tpr_high"]
        fpr = n["fpr"], n["fpr_low"], n["fpr_high"]
        if words.words == "ml":
            caught, alarms = words.catches(*tpr, of=of, places=places), words.alarms(*fpr, of=of)
            if of == "all":  # several are spoken of
                caught, alarms = _plural(caught), _plural(alarms)
            return phrase(caught, " and ", alarms)
        has = "have" if of == "all" else "has"
        pairs = [(words.tpr, tpr), (words.fpr, fpr)]
        told = [
            (f"a {rate.name} of ", rate.percent(own[0], places), words.within(rate, *own[1:], places))
            for rate, own in pairs
        ]
        return phrase(f"{has} ", told[0], " and ", told[1])

    def _free(self, point: Point) -> Phrase:
        """What is not held."""
        n, words, of = point.number, self.wording, "the" if self.is_alone else self.wording.its
        if self.key == "vertical":
            return words.catches(n["tpr"], n["tpr_low"], n["tpr_high"], of=of)
        if self.key == "horizontal":
            return words.alarms(n["fpr"], n["fpr_low"], n["fpr_high"], of=of)
        return self.both(point, of=of)

    def _goal(self, point: Point) -> Phrase:
        """What thresholds are tuned to."""
        words, value = self.wording, point.value
        of = "the" if self.is_alone else words.its
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
        alarm, miss = self.wording.errors
        if self._where:
            return (f"to what costs least when a {alarm} and a {miss} cost ", point.label, self._where)
        alarms = f"{plural(alarm)} on all {self.wording.negatives}"
        misses = f"{plural(miss)} of all {self.wording.positives}"
        return (f"to what costs least when {alarms} and {misses} weigh ", point.label, "")

    def _remark(self, point: Point) -> str:
        which = f"{'the' if self.is_alone else 'every'} {self.wording.cutoff_word}"
        if self.key == "cost":
            return f"This is optimistic: {which} was set on the rows on which it is judged."
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
        word = self.wording.cutoff_word
        said = f"The {word}s needed run from {low} to {high}."
        if self.is_alone or low == high:
            said = f"The {word} needed is {high}."
        if not self._has_few_scores or self.key == "cost":  # where costs are least there is a threshold
            return said
        side = "looser" if self.key == "horizontal" else "stricter"
        return (
            f"{said} Scores are few, so this mostly lies between two {word}s, of which the {side} one is "
            "named; only deciding by lot between the two reaches it."
        )

    def _singles(self, point: Point) -> str:
        """How far single groups lie apart."""
        n, words = point.number, self.wording
        fpr = _run(words.fpr, n["fpr_least"], n["fpr_most"], words.both_places)
        tpr = _run(words.tpr, n["tpr_least"], n["tpr_most"], words.both_places)
        if n["fpr_least"] == n["fpr_most"] and n["tpr_least"] == n["tpr_most"]:
            return f"All {words.units} are alike here."
        if words.words == "ml":
            told = [f"{fpr} false alarms", f"{tpr} caught"]
        else:
            told = [f"{tpr} {words.tpr.name}", f"{fpr} {words.fpr.name}"]
        apart, alike = ([own for own in told if (" to " in own) == is_run] for is_run in (True, False))
        said = f"Single {words.units} range from {' and from '.join(apart)}" if apart else ""
        same = f"all have {' and '.join(alike)}" if alike else ""
        return ", ".join(filter(None, [said, same if said else f"A{same[1:]}"])) + "."

    def _brackets(self, point: Point, how: str) -> str:
        """What the intervals are about; nothing where there are none."""
        n = point.number
        if not (n["fpr_low"] < n["fpr_high"] or n["tpr_low"] < n["tpr_high"]):
            return ""
        level = percent(self.material.settings.confidence_level)
        random = "cases" if self.is_alone else self._random
        return f"In brackets: {level} intervals over {random}, {how}."


def _plural(told: Phrase) -> Phrase:
    """A verb for several subjects."""
    first = told[0].replace("catches ", "catch ").replace("raises ", "raise ")
    return (first, *told[1:])


def _run(rate: RateWord, least: float, most: float, places: int) -> str:
    first, last = sorted((rate.shown(least), rate.shown(most)))
    low, high = percent(first, places), percent(last, places)
    if low == high:
        return high
    return f"{low.removesuffix(' %')} to {high}"


def _balance(gap: float, wording: Wording) -> Phrase:
    """Which of the two errors is larger, and by how much."""
    if gap == 0:
        return ("", "both error rates are equal", "")
    size = f"{percent(abs(gap)).removesuffix(' %')} points"
    alarms, misses = (
        ("sensitivity", "specificity") if wording.words == "medical" else map(plural, wording.errors)
    )
    larger, smaller = (alarms, misses) if gap > 0 else (misses, alarms)
    exceeds = "exceeds" if wording.words == "medical" else "exceed"
    return (f"{larger} {exceeds} {smaller} by ", size, "")
