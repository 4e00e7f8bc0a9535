"""Messages of the library as somebody who makes a report would type what they advise."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from rocsteady.cli.shell_words import telling, told_of, where_nothing_averages
from rocsteady.errors import Remedy, RocsteadyError, RocsteadyWarning

_DEPLOYMENTS = {
    "threshold": "--deploy shared",
    "pooled": "--deploy shared --weigh rows",
    "vertical": "--deploy own --hold fpr",
    "horizontal": "--deploy own --hold tpr",
    "diagonal": "--deploy own --hold balance",
    "radial": "--deploy own --hold ratio",
    "tangent": "--deploy own --hold cost",
}
_GIVEN = ParamSpec("_GIVEN")
_MESSAGE = TypeVar("_MESSAGE", RocsteadyError, RocsteadyWarning)
_METHOD = re.compile(rf"--method ({'|'.join(_DEPLOYMENTS)})\b")


def for_report(message: _MESSAGE) -> _MESSAGE:
    """A message whose advice names deployments: a report takes no average by its name, and no weights."""
    spelled = where_nothing_averages(message)
    remedies = [_remedy(remedy) for remedy in spelled.remedies]
    return spelled.but(remedies=remedies)


def told_for_report(command: Callable[_GIVEN, None]) -> Callable[_GIVEN, None]:
    """A command whose errors name what a report knows."""
    return telling(for_report, command)


def _remedy(remedy: Remedy) -> str:
    said = _METHOD.sub(_deployment, told_of(remedy))
    return said.partition(";")[0] if "--group-weights" in said else said


def _deployment(match: re.Match[str]) -> str:
    return _DEPLOYMENTS[match[1]]
