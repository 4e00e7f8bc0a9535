"""``--at``: places where a curve is read, and what is read there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.cli.deployment import Declared, costs_of, named_value, number_of
from rocsteady.errors import UsageError
from rocsteady.words import percent

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.base import Average
    from rocsteady.averaging.certified.average import CertifiedAverage

_NAMES = {"fpr": "fpr", "tpr": "tpr", "t": "threshold", "threshold": "threshold", "rate": "rate"}
_LARGEST = 1e100  # costs are squared, for their spread between groups; only the ratio matters


@dataclass(frozen=True)
class Place:
    """One ``--at``."""

    text: str
    name: str
    value: Any
    prevalence: float | None = None


@dataclass(frozen=True, eq=False)
class Reading:
    """What a curve has there; ``found`` is the value it was read from."""

    at: str
    sentence: str
    values: dict[str, Any]
    found: Any

    def to_dict(self) -> dict[str, Any]:
        """The reading as plain data."""
        return {"at": self.at, **self.values, "reading": self.sentence}


def places_of(given: list[str], declared: Declared, *, also: str = "") -> list[Place]:
    """The places that were typed; RS092 for what is none. A bare number is one of what is held.

    ``also`` names places that whoever asks knows besides.
    """
    return [_place(text, declared, also) for text in given]


def _bare(declared: Declared) -> str:
    """What a number without a name is, by what was declared; nothing if that does not say."""
    if declared.hold is not None:
        return "rate" if declared.hold.value == "alerts" else declared.hold.value
    return "t" if declared.deploy is not None and declared.deploy.value == "shared" else ""


def _place(text: str, declared: Declared, also: str) -> Place:
    name, value = named_value(text)
    name = name or _bare(declared)
    if name == "eer" and not value:
        return Place(text, "eer", None)
    if name in ("ratio", "cost"):
        return Place(text, name, _parts(text, name, value), declared.prevalence)
    kind = _NAMES.get(name, "")
    number = number_of(value, may_be_percent=kind != "threshold")
    if not kind or math.isnan(number) or text.lstrip().startswith("="):
        raise UsageError(
            "RS092",
            f'"{text}" is no place to read a curve at.',
            f"known: fpr=, tpr=, t=, rate=, eer, {also}ratio=, cost=",
            "--at fpr=0.05",
        )
    if kind != "threshold":
        from rocsteady.counting.arguments import one_rate

        one_rate(name, number)
    return Place(text, kind, number)


def _parts(text: str, name: str, value: str) -> Any:
    """The two parts of a cost or of a ratio; RS092 if they are none."""
    try:
        parts: Any = costs_of(value) if ".." not in value else None
    except UsageError:
        parts = None
    if parts is None or not all(0 <= part <= _LARGEST for part in parts) or not any(parts):
        example, whose = ("cost=1:20", "costs, FP:FN") if name == "cost" else ("ratio=1:2", "parts, FPR:FNR")
        raise UsageError(
            "RS092",
            f'"{text}" is no place to read a curve at.',
            f"{name}= takes two {whose}: numbers from 0 to {_LARGEST:g}, not both 0",
            f"--at {example}",
        )
    return parts


def costs_as_place(deployment: Deployment, places: list[Place]) -> list[Place]:
    """The declared costs as a place of their own, unless places were named or costs are a range."""
    if deployment.hold != "cost" or places or deployment.cost_range is not None or deployment.lacks_costs:
        return []
    a, b = deployment.costs
    return [Place(f"cost={a:g}:{b:g}", "cost", deployment.costs, deployment.prevalence)]


def read_place(
    average: Average,
    place: Place,
    *,
    confidence_level: float,
    certified: CertifiedAverage | None = None,
) -> Reading:
    """Read an average, with its bounds where it is certified; what it cannot say is a coded error."""
    if place.name == "eer":
        return _equal_error(average, place, confidence_level)
    if place.name == "ratio":
        return _at_ratio(average, place, confidence_level)
    if place.name == "cost":
        return _at_costs(average, place, confidence_level)
    given = {place.name: place.value}
    found: Any = average.at(**given, confidence_level=confidence_level)
    if certified is not None:
        found = certified.at(**given, confidence_level=confidence_level)
    return _reading(place, found)


def _reading(place: Place, found: Any) -> Reading:
    data = found.to_dict()
    return Reading(place.text, data.pop("reading"), data, found)


def _equal_error(average: Average, place: Place, level: float) -> Reading:
    from rocsteady.averaging.base import AveragePoint

    if average.method == "diagonal":
        return _reading(place, average.at(rate=0.5, confidence_level=level))
    if average.method == "radial":
        return _at_ratio(average, Place(place.text, "ratio", (1.0, 1.0)), level)
    rate = average.equal_error_rate
    sentence = (
        f"The {average.method.label} average has both error rates at {percent(rate)}; this is not the mean "
        f"of the equal error rates of every {average.unit}, which the diagonal average has."
    )
    found = AveragePoint(rate, 1 - rate, None, None, None, level, sentence)
    return Reading(place.text, sentence, {"fpr": rate, "tpr": 1 - rate}, found)


def _at_ratio(average: Average, place: Place, level: float) -> Reading:
    if not hasattr(average, "at_error_ratio"):
        raise _only(average, "at a ratio of error rates", "radial", "ratio")
    return _reading(place, average.at_error_ratio(*place.value, confidence_level=level))


def _at_costs(average: Average, place: Place, level: float) -> Reading:
    if not hasattr(average, "at_costs"):
        raise _only(average, "at costs", "tangent", "cost")
    if place.prevalence is None:
        raise UsageError("RS091", "an expected cost needs the prevalence.", "", "--prevalence 0.03")
    false_positive, false_negative = place.value
    found = average.at_costs(
        false_positive=false_positive,
        false_negative=false_negative,
        prevalence=place.prevalence,
        confidence_level=level,
    )
    return _reading(place, found)


def _only(average: Average, what: str, method: str, hold: str) -> UsageError:
    return UsageError(
        "RS084",
        f"the {average.method.label} average cannot be read {what}.",
        "",
        f"--method {method}, or  --deploy own --hold {hold}",
    )
