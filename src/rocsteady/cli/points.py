"""``--at``: places where a curve is read, and what is read there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.cli.deployment import Declared, named
from rocsteady.errors import UsageError, fail

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment
    from rocsteady.averaging.base import Average
    from rocsteady.places import Kind, Place


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


def places_of(
    given: Sequence[str],
    declared: Declared,
    *,
    among: Sequence[Kind] = ("fpr", "tpr", "threshold", "alerts", "eer", "ratio", "costs"),
    task: str = "read a curve at",
    by_model: bool = False,
) -> list[Place]:
    """The places that were typed; RS092 for what is none. A bare number is one of what is held."""
    from rocsteady import places

    hold = None if declared.hold is None else declared.hold.value
    found: list[Place] = []
    for text in given:
        try:
            typed = named(text, declared.deploy, hold)
            found += places.places_of(typed, among=among, task=task, by_model=by_model)
        except UsageError as error:
            if error.code != "RS092":
                raise
            raise fail(error.entry, **{**error.facts, "given": f'"{text}"'}) from None
    return found


def costs_as_place(deployment: Deployment, places: list[Place]) -> list[Place]:
    """The declared costs as a place of their own, unless places were named or costs are a range."""
    if deployment.hold != "cost" or places or deployment.cost_range is not None or deployment.lacks_costs:
        return []
    from rocsteady.places import Place

    a, b = deployment.costs
    return [Place("costs", deployment.costs, f"cost={a:g}:{b:g}")]


def read_place(
    average: Average,
    place: Place,
    *,
    confidence_level: float,
    certified: Average | None = None,
    prevalence: float | None = None,
) -> Reading:
    """Read an average, with its bounds where it is certified; what it cannot say is a coded error."""
    if place.kind == "eer":
        return _equal_error(average, place, confidence_level)
    if place.kind == "ratio":
        return _at_ratio(average, place, confidence_level)
    if place.kind == "costs":
        return _at_costs(average, place, prevalence, confidence_level)
    found: Any = average.at(place, confidence_level=confidence_level)
    if certified is not None:
        found = certified.at(place, confidence_level=confidence_level)
    return _reading(place, found)


def _reading(place: Place, found: Any) -> Reading:
    data = found.to_dict()
    return Reading(place.said, data.pop("reading"), data, found)


def _equal_error(average: Average, place: Place, level: float) -> Reading:
    from rocsteady.averaging.base import AveragePoint

    if average.method == "diagonal":
        return _reading(place, average.at(alerts=0.5, confidence_level=level))
    if average.method == "radial":
        from rocsteady.places import Place

        return _at_ratio(average, Place("ratio", (1.0, 1.0), place.said), level)
    rate = average.equal_error_rate
    found = AveragePoint(
        fpr=rate,
        tpr=1 - rate,
        fpr_interval=None,
        tpr_interval=None,
        confidence_level=level,
        held="eer",
        _averaged=average.averaged,
    )
    return Reading(place.said, found.reading, {"fpr": rate, "tpr": 1 - rate}, found)


def _at_ratio(average: Average, place: Place, level: float) -> Reading:
    if not hasattr(average, "at_error_ratio"):
        facts = {"what": "at a ratio of error rates", "instead": "radial", "hold": "ratio"}
        raise fail("RS084.read-at", method=average.method.label, **facts)
    return _reading(place, average.at_error_ratio(*place.value, confidence_level=level))


def _at_costs(average: Average, place: Place, prevalence: float | None, level: float) -> Reading:
    if not hasattr(average, "at_costs"):
        facts = {"what": "at costs", "instead": "tangent", "hold": "cost"}
        raise fail("RS084.read-at", method=average.method.label, **facts)
    if prevalence is None:
        raise fail("RS091.needed", what="an expected cost", option="prevalence", example="0.03")
    false_positive, false_negative = place.value
    found = average.at_costs(
        false_positive=false_positive,
        false_negative=false_negative,
        prevalence=prevalence,
        confidence_level=level,
    )
    return _reading(place, found)
