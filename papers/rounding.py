"""Numbers as they are stored: with so few digits that another machine finds the same."""

from __future__ import annotations

from typing import Any

DIGITS = 9


def rounded(value: Any) -> Any:
    """The floats of a tree of dictionaries with nine digits; the last bits of a machine do not show.

    >>> rounded({"mean": {"area": 1 / 3}, "source": "closed form"})
    {'mean': {'area': 0.333333333}, 'source': 'closed form'}
    """
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
