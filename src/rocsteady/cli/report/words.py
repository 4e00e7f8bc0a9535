"""Messages of the library as somebody who makes a report would type what they advise."""

from __future__ import annotations

import re

from rocsteady.cli.shell_words import for_shell
from rocsteady.errors import Option, Remedy, RocsteadyWarning

_DEPLOYMENTS = {
    "threshold": "--deploy shared",
    "pooled": "--deploy shared --weigh rows",
    "vertical": "--deploy own --hold fpr",
    "horizontal": "--deploy own --hold tpr",
    "diagonal": "--deploy own --hold balance",
    "radial": "--deploy own --hold ratio",
    "tangent": "--deploy own --hold cost",
}
_METHOD = re.compile(rf"--method ({'|'.join(_DEPLOYMENTS)})\b")


def for_report(warning: RocsteadyWarning) -> RocsteadyWarning:
    """A warning whose advice names deployments: a report takes no average by its name."""
    spelled = for_shell(warning)
    remedies = [_remedy(remedy) for remedy in spelled.remedies]
    return RocsteadyWarning(spelled.code, spelled.problem, spelled.found, *remedies)


def _remedy(remedy: Remedy) -> Remedy:
    parts = [remedy] if isinstance(remedy, str | Option) else remedy
    return [_METHOD.sub(_deployment, part) if isinstance(part, str) else part for part in parts]


def _deployment(match: re.Match[str]) -> str:
    return _DEPLOYMENTS[match[1]]
