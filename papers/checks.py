"""One number of a reproduction: what it should be, what was found, how far off it may be and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from papers.paper import Check, binomial, exact, simulated
from rocsteady.results import TableResult

__all__ = ["Check", "Checks", "binomial", "exact", "simulated"]


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
