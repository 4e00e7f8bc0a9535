"""How certain a count must be, and how much memory it may take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.errors import Option, UsageError

DEFAULT_MEMORY = "2GB"
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {
    "KIB": 2**10,
    "MIB": 2**20,
    "GIB": 2**30,
    "TIB": 2**40,
    "K": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
}
SMALLEST_MEMORY = 10**8


@dataclass(frozen=True)
class Tolerance:
    """Half of how far numbers of any group may be from the truth; None where nothing was asked.

    Attributes
    ----------
    auc : float or None
        Of areas.
    rate : float or None
        Of a rate where the other is held.
    """

    auc: float | None = None
    rate: float | None = None

    @property
    def is_asked(self) -> bool:
        """Whether anything was asked for."""
        return self.auc is not None or self.rate is not None

    @property
    def is_exact(self) -> bool:
        """Whether nothing but the truth will do."""
        return self.auc == 0 or self.rate == 0

    def is_met(self, auc: float, rate: float) -> bool:
        """Whether these half-widths are narrow enough."""
        return (self.auc is None or auc <= self.auc) and (self.rate is None or rate <= self.rate)

    def __str__(self) -> str:
        asked = [
            f"{name} {value:g}"
            for name, value in (("AUC", self.auc), ("rates", self.rate))
            if value is not None
        ]
        return ", ".join(asked) or "none"


def tolerance_of(value: Any) -> Tolerance:
    """A number for areas and rates alike, or a mapping with one for each, else RS042."""
    if value is None or isinstance(value, Tolerance):
        return value or Tolerance()
    given = value if isinstance(value, Mapping) else {"auc": value, "rate": value}
    if not given or not set(given) <= {"auc", "rate"}:
        raise _no_tolerance(value)
    return Tolerance(**{name: _half_width(own, value) for name, own in given.items()})


def _half_width(number: Any, whole: Any) -> float:
    is_number = isinstance(number, int | float | np.integer | np.floating) and not isinstance(number, bool)
    if not is_number or not 0 <= float(number) < 0.5:
        raise _no_tolerance(whole)
    return float(number)


def _no_tolerance(value: Any) -> UsageError:
    return UsageError(
        "RS042",
        "tolerance must be a number from 0 (exact) to below 0.5, or a mapping with auc and rate.",
        f"found: {value!r:.60}",
        Option("tolerance", 0.001),
    )


def memory_of(value: Any) -> int:
    """Bytes from a number or from text such as ``"2GB"`` or ``"500 MB"``, else RS042.

    >>> memory_of("1.5GB"), memory_of(2_000_000_000)
    (1500000000, 2000000000)
    """
    number: float | None = None
    if isinstance(value, str):
        read = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([A-Za-z]*)\s*", value)
        if read and read[2].upper() in _UNITS:
            number = float(read[1]) * _UNITS[read[2].upper()]
    elif isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool):
        number = float(value)
    if number is None or not SMALLEST_MEMORY <= number < 1e18:
        raise UsageError(
            "RS042",
            "memory must be a size of at least 100 MB.",
            f"found: {value!r:.60}",
            Option("memory", DEFAULT_MEMORY),
        )
    return int(number)
