"""``--method``, ``--angle`` and ``--at-jumps``: an average as it is named on the command line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

from rocsteady.cli import deployment as deploying
from rocsteady.cli import program
from rocsteady.cli.averages import AtJumps, Weights
from rocsteady.cli.columns import panel_option
from rocsteady.cli.completion import complete_methods
from rocsteady.errors import Option, Remedy, RocsteadyError, fail, near_match

if TYPE_CHECKING:
    from rocsteady.averaging.methods import Method

_WITH_VALUES = ("alarm-rate", "costs")
_PANEL = "Average"

MethodOption = Annotated[
    str | None,
    panel_option(
        "--method",
        panel=_PANEL,
        metavar="NAME",
        help="pooled, threshold, vertical, horizontal, diagonal, radial, tangent, binormal; alarm-rate "
        "(with --prevalence), costs (with --costs and --prevalence). Instead of --deploy.",
        autocompletion=complete_methods,
    ),
]
AngleOption = Annotated[
    str | None,
    panel_option(
        "--angle",
        panel=_PANEL,
        metavar="ANGLE",
        help="Average along any direction: 30deg, or radians; 0 is vertical, 90deg horizontal.",
    ),
]
JumpsOption = Annotated[
    AtJumps | None,
    panel_option(
        "--at-jumps",
        panel=_PANEL,
        help="What vertical and horizontal averages read on a step: its better end (upper, the default) "
        "or its middle, which is less biased in small groups.",
    ),
]
WeightsOption = Annotated[
    Weights | None,
    panel_option(
        "--group-weights",
        panel=_PANEL,
        help="Let groups count by their positives, negatives or rows; all the same unless said.",
    ),
]


def undeclared_error(command: str, *others: str) -> RocsteadyError:
    """RS093 with what to type: how scores will be used, an average by its name, or ``others``."""
    error = deploying.undeclared_error("groups", command)
    named = f"or name an average:  {command} --method vertical"
    return fail("RS093.undeclared", **{**error.facts, "ways": [*error.remedies, named, *others]})


def method_of(name: str | None, angle: str | None, declared: deploying.Declared) -> Method | None:
    """The method that was named, with the values it needs; None if none was."""
    from rocsteady.averaging.methods import PLAIN, AtAlarmRate, AtAngle, AtCosts

    if angle is not None:
        if name not in (None, "angle"):
            raise fail("RS002.angle-and-method", method=name)
        return AtAngle(_radians(angle))
    if name == "angle":
        raise fail("RS002.no-angle")
    if name == "alarm-rate":
        return AtAlarmRate(prevalence=_needed("prevalence", declared.prevalence, "0.03"))
    if name == "costs":
        pair = deploying.costs_of(_needed("costs", declared.costs, "1:20"))
        prevalence = _needed("prevalence", declared.prevalence, "0.03")
        if pair is None or isinstance(pair[0], tuple) or isinstance(pair[1], tuple):
            raise fail("RS094.one-pair", text=declared.costs, example="--costs 1:20")
        return AtCosts(pair[0], pair[1], prevalence)
    if name is None or name in PLAIN:
        return None if name is None else PLAIN[name]
    known = [*PLAIN, *_WITH_VALUES]
    meant = near_match(name, known)
    ways: list[Remedy] = [Option("method", meant or "vertical")]
    ways += [] if meant else [f"what fits:  {program.NAME} advise"]
    raise fail("RS001.none", what="average", name=name, known=known, ways=ways)


def with_jumps(method: Method | None, at_jumps: AtJumps | None) -> Method | None:
    """The same method with what it reads on a step, where it has steps."""
    from rocsteady.averaging.methods import Horizontal, Vertical

    if at_jumps is None or method is None:
        return method
    if not isinstance(method, Vertical | Horizontal):
        raise fail("RS002.at-jumps", label=method.label)
    return type(method)(at_jumps=at_jumps.value)


def _needed(name: str, value: Any, example: str) -> Any:
    if value is None:
        raise fail("RS091.needed", what="this method", option=name, example=example)
    return value


def _radians(text: str) -> float:
    """``30deg`` or ``0.5236``; RS080 for what is neither, or not between vertical and horizontal."""
    number = text.removesuffix("deg")
    try:
        value = float(number)
    except ValueError:
        raise fail("RS080.no-angle", text=text) from None
    angle = math.radians(value) if number != text else value
    if not -1e-12 < angle < math.pi / 2 + 1e-12:
        means_degrees = number == text and 0 < value <= 90
        degrees = value if means_degrees else 45
        raise fail("RS080.radians", text=text, is_radians=number == text, degrees=degrees)
    return angle
