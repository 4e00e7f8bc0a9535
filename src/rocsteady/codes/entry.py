"""One entry of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """What ``rocsteady explain`` prints about a code."""

    title: str
    explanation: str
