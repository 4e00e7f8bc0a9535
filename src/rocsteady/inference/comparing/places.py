"""The operating points that a comparison is asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.counting.arguments import one_number, rates, real_numbers
from rocsteady.errors import UsageError, near_match
from rocsteady.words import counted, listed, printable

KINDS = ("fpr", "tpr", "threshold", "rate")
_EXAMPLES = ("at={'fpr': 0.05}", "several:  at=[{'fpr': 0.05}, {'tpr': 0.9}, {'threshold': 0.5}]")
_ELSEWHERE = {"sensitivity": "tpr", "recall": "tpr", "fall-out": "fpr", "cutoff": "threshold"}
_ELSEWHERE |= {"alerts": "rate", "alarm_rate": "rate", "thresholds": "threshold"}


@dataclass(frozen=True)
class Place:
    """One operating point.

    Attributes
    ----------
    kind : str
        "fpr", "tpr", "threshold" or "rate".
    value : float, or mapping of model to float
        Where; thresholds may differ between models, whose scores need not have the same scale.
    """

    kind: str
    value: Any

    def of(self, model: str) -> float:
        """The value for one model; RS002 if it has none."""
        if not isinstance(self.value, Mapping):
            return float(self.value)
        by_name = {str(name): value for name, value in self.value.items()}
        if model not in by_name:
            raise UsageError(
                "RS002",
                f'there is no threshold for the model "{printable(model)}".',
                f"found: thresholds for {printable(listed(list(by_name)))}",
                f"at={{'threshold': {{{model!r}: 0.5, ...}}}}",
            )
        return one_number("threshold", by_name[model])

    def words(self, a: str, b: str) -> str:
        """The value in a sentence."""
        one, other = self.of(a), self.of(b)
        if one == other:
            return f"{one:.6g}"
        return f"{one:.6g} ({printable(a)}) and {other:.6g} ({printable(b)})"


def places_of(at: object) -> tuple[Place, ...]:
    """The operating points named by one mapping or several; RS001, RS002 or RS042 if they cannot be read."""
    if at is None:
        return ()
    given = list(at) if isinstance(at, Sequence) and not isinstance(at, str | bytes) else [at]
    places: list[Place] = []
    for entry in given:
        if not isinstance(entry, Mapping) or not entry:
            raise UsageError(
                "RS002", "at names operating points by what they hold.", f"found: {entry!r:.60}", *_EXAMPLES
            )
        for kind, value in entry.items():
            if kind not in KINDS:
                raise _unknown(kind)
            places += _of_one_kind(kind, value)
    return tuple(places)


def declared_point(method: object) -> object:
    """The operating point that a deployment, or the advice for one, names beside its average; else None."""
    deployment = getattr(method, "deployment", method)
    at, hold = getattr(deployment, "at", None), getattr(deployment, "hold", None)
    if at is None or callable(at) or isinstance(at, Mapping):
        return at if isinstance(at, Mapping) else None
    if hold is None:
        return {"threshold": at}
    return {"rate" if hold == "alerts" else hold: at} if hold in ("fpr", "tpr", "alerts") else None


def _unknown(kind: object) -> UsageError:
    meant = _ELSEWHERE.get(str(kind).casefold()) or near_match(str(kind), KINDS)
    known = f"known: {', '.join(map(repr, KINDS))}"
    remedy = f"at={{{meant!r}: ...}}" if meant else _EXAMPLES[0]
    return UsageError("RS001", f"an operating point cannot hold {kind!r:.60}.", known, remedy)


def _of_one_kind(kind: str, value: Any) -> list[Place]:
    if kind == "threshold":
        if isinstance(value, Mapping):
            return [Place(kind, dict(value))]
        numbers = real_numbers(kind, value, example=0.5)
        if np.isnan(numbers).any():
            raise UsageError("RS042", "a threshold must be a number.", "found: nan", "at={'threshold': 0.5}")
    else:
        numbers = rates(kind, value)
    if numbers.ndim > 1:
        found = f"found: {counted(numbers.ndim, 'dimension')}"
        raise UsageError("RS042", f"{kind} must be one number or a list of them.", found, *_EXAMPLES)
    return [Place(kind, float(number)) for number in np.atleast_1d(numbers)]
