"""One number of a reproduction: what it should be, what was found, how far off it may be and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.results import Result, TableResult

MONTE_CARLO_FACTOR = 4.0
"""Standard errors that a simulated number may be off: one check in 16 000 fails by chance."""


@dataclass(frozen=True, eq=False, repr=False)
class Check(Result):
    """A number and its expectation.

    Attributes
    ----------
    section : str
        Which figure or claim it belongs to.
    name : str
        What was computed.
    expected, found : float
        What it should be; what it is.
    tolerance : float
        The largest difference that passes.
    tolerance_from : str
        Where the tolerance comes from.
    """

    section: str
    name: str
    expected: float
    found: float
    tolerance: float
    tolerance_from: str

    @property
    def passed(self) -> bool:
        """Whether the number is as close as it has to be; NaN never is."""
        return abs(self.found - self.expected) <= self.tolerance

    def to_dict(self) -> dict[str, Any]:
        """The check as plain data, with its outcome."""
        return {**super().to_dict(), "passed": self.passed}

    def __repr__(self) -> str:
        verdict = "passed" if self.passed else "FAILED"
        return (
            f"Check({self.section}, {self.name}: found {self.found:.6g}, expected {self.expected:.6g} "
            f"within {self.tolerance:.2g}, {verdict})"
        )


def simulated(
    section: str,
    name: str,
    expected: float,
    found: float,
    standard_error: float,
    source: str,
    df: float = np.inf,
) -> Check:
    """A check of a simulated number, whose tolerance is four of its Monte-Carlo standard errors.

    Where the standard error is itself estimated from few replicates, ``df`` says how well, and Student's t
    takes the place of the four so that chance fails the check no more often.
    """
    from scipy.special import ndtr, stdtrit

    factor = MONTE_CARLO_FACTOR if np.isinf(df) else float(-stdtrit(df, ndtr(-MONTE_CARLO_FACTOR)))
    tolerance, source = factor * float(standard_error), f"{factor:.3g} standard errors, {source}"
    return Check(section, name, float(expected), float(found), tolerance, source)


def binomial(section: str, name: str, expected: float, found: float, n: int) -> Check:
    """A check of a share of n independent replicates, as strict as four standard errors of a normal number.

    Near 0 and 1 a share is not normal, so the limits are those of the binomial distribution itself.
    """
    from scipy.special import bdtr, bdtrc, ndtr

    counts, chance = np.arange(n + 1), ndtr(-MONTE_CARLO_FACTOR)
    possible = (bdtr(counts, n, expected) >= chance) & (bdtrc(counts - 1, n, expected) >= chance)
    tolerance = float(np.abs(counts[possible] / n - expected).max())
    return Check(section, name, expected, found, tolerance, f"binomial limits, {n} replicates")


def exact(section: str, name: str, expected: float, found: float, tolerance: float = 1e-12) -> Check:
    """A check of an identity: only rounding may separate the two numbers."""
    return Check(section, name, float(expected), float(found), tolerance, "identity; rounding only")


@dataclass(frozen=True, eq=False, repr=False)
class Checks(TableResult):
    """All checks of a reproduction, in order."""

    entries: tuple[Check, ...]

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that did not pass."""
        return tuple(entry for entry in self.entries if not entry.passed)

    def sections(self) -> dict[str, list[Check]]:
        """The checks by section, in order of appearance."""
        found: dict[str, list[Check]] = {}
        for entry in self.entries:
            found.setdefault(entry.section, []).append(entry)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The checks as plain data."""
        return {"entries": [entry.to_dict() for entry in self.entries]}

    def _columns(self) -> dict[str, Sequence[Any]]:
        names = ("section", "name", "expected", "found", "tolerance", "tolerance_from", "passed")
        return {name: [getattr(entry, name) for entry in self.entries] for name in names}

    def __repr__(self) -> str:
        return f"Checks({len(self.entries)} checks, {len(self.failed)} failed)"
