"""Messages of the library as somebody who makes a report would type what they advise."""

from __future__ import annotations

import re
from typing import TypeVar

from rocsteady.cli.shell_words import for_shell
from rocsteady.errors import Option, Remedy, RocsteadyError, RocsteadyWarning

_DEPLOYMENTS = {
    "threshold": "--deploy shared",
    "pooled": "--deploy shared --weigh rows",
    "vertical": "--deploy own --hold fpr",
    "horizontal": "--deploy own --hold tpr",
    "diagonal": "--deploy own --hold balance",
    "radial": "--deploy own --hold ratio",
    "tangent": "--deploy own --hold cost",
}
_MESSAGE = TypeVar("_MESSAGE", RocsteadyError, RocsteadyWarning)
_METHOD = re.compile(rf"--method ({'|'.join(_DEPLOYMENTS)})\b")


def for_report(message: _MESSAGE) -> _MESSAGE:
    """A message whose advice names deployments: a report takes no average by its name, and no weights."""
    spelled = for_shell(message)
    remedies = [_remedy(remedy) for remedy in spelled.remedies]
    return type(message)(spelled.code, spelled.problem, spelled.found, *remedies)


def _remedy(remedy: Remedy) -> Remedy:
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    said = [_METHOD.sub(_deployment, part) if isinstance(part, str) else part for part in parts]
    if str(said[-1]).startswith("--group-weights"):
        return str(said[0]).partition(";")[0]
    return said


def _deployment(match: re.Match[str]) -> str:
    return _DEPLOYMENTS[match[1]]
