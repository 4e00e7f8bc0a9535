"""``--method``, ``--angle`` and ``--at-jumps``: an average as it is named on the command line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

from rocsteady.cli import deployment as deploying
from rocsteady.cli import program
from rocsteady.cli.averages import AtJumps, Weights
from rocsteady.cli.columns import panel_option
from rocsteady.cli.completion import complete_methods
from rocsteady.errors import Option, UsageError, near_match

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


def undeclared_error(command: str, *others: str) -> UsageError:
    """RS093 with what to type: how scores will be used, an average by its name, or ``others``."""
    error = deploying.undeclared_error("groups", command)
    named = f"or name an average:  {command} --method vertical"
    return UsageError(error.code, error.problem, error.found, *error.remedies, named, *others)


def method_of(name: str | None, angle: str | None, declared: deploying.Declared) -> Method | None:
    """The method that was named, with the values it needs; None if none was."""
    from rocsteady.averaging.methods import PLAIN, AtAlarmRate, AtAngle, AtCosts

    if angle is not None:
        if name not in (None, "angle"):
            raise UsageError(
                "RS002", f"--angle is a method of its own; --method {name} is another.", "", "leave out one"
            )
        return AtAngle(_radians(angle))
    if name == "angle":
        raise UsageError("RS002", "--method angle needs an angle.", "", "--angle 30deg")
    if name == "alarm-rate":
        return AtAlarmRate(prevalence=_needed("prevalence", declared.prevalence, "0.03"))
    if name == "costs":
        pair = deploying.costs_of(_needed("costs", declared.costs, "1:20"))
        prevalence = _needed("prevalence", declared.prevalence, "0.03")
        if pair is None or isinstance(pair[0], tuple) or isinstance(pair[1], tuple):
            raise UsageError(
                "RS094",
                "an average along the direction of costs needs one pair of costs.",
                "",
                "--costs 1:20",
            )
        return AtCosts(pair[0], pair[1], prevalence)
    if name is None or name in PLAIN:
        return None if name is None else PLAIN[name]
    known = [*PLAIN, *_WITH_VALUES]
    meant = near_match(name, known)
    raise UsageError(
        "RS001",
        f'there is no average "{name}".',
        f"known: {', '.join(known)}; any direction with --angle",
        Option("method", meant or "vertical"),
        *([] if meant else [f"what fits:  {program.NAME} advise"]),
    )


def with_jumps(method: Method | None, at_jumps: AtJumps | None) -> Method | None:
    """The same method with what it reads on a step, where it has steps."""
    from rocsteady.averaging.methods import Horizontal, Vertical

    if at_jumps is None or method is None:
        return method
    if not isinstance(method, Vertical | Horizontal):
        raise UsageError(
            "RS002", f"the {method.label} average has no choice of --at-jumps.", "", "leave out  --at-jumps"
        )
    return type(method)(at_jumps=at_jumps.value)


def _needed(name: str, value: Any, example: str) -> Any:
    if value is None:
        raise UsageError("RS091", f"this method needs --{name}.", "", f"--{name} {example}")
    return value


def _radians(text: str) -> float:
    """``30deg`` or ``0.5236``; RS080 for what is neither, or not between vertical and horizontal."""
    number = text.removesuffix("deg")
    try:
        value = float(number)
    except ValueError:
        raise UsageError(
            "RS080", f'"{text}" is no angle.', "", "--angle 30deg", "in radians:  --angle 0.5236"
        ) from None
    angle = math.radians(value) if number != text else value
    if not -1e-12 < angle < math.pi / 2 + 1e-12:
        means_degrees = number == text and 0 < value <= 90
        raise UsageError(
            "RS080",
            "an angle must lie between 0 (vertical) and 90deg (horizontal).",
            f"found: {text}" + (", which is in radians" if number == text else ""),
            f"--angle {value:g}deg" if means_degrees else "--angle 45deg",
        )
    return angle
