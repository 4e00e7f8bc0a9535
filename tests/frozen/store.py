"""Numbers as they are stored, read again and compared.

A line of numbers.json is one call: its name and the numbers it gave. Values are made plain first: intervals are pairs, long arrays
their shape, their exact sum and some entries, NaN and infinities their names.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

STORED = Path(__file__).with_name("numbers.json")
TOLERANCE = 1e-12
"""Of floats, relative or absolute. Everything else is exact, and so is what is called threshold."""
LONGEST = 12
"""Longer arrays are summarised."""


@dataclass(frozen=True)
class Near:
    """Numbers that are no more exact than this, and why; for as few calls as can be."""

    numbers: Any
    tolerance: float
    why: str


def plain(value: Any) -> Any:
    """A value as JSON can carry it, without a word that is no decision."""
    if isinstance(value, list | tuple) and len({np.shape(own) for own in value}) > 1:
        return [plain(own) for own in value]
    if isinstance(value, np.ndarray | list | tuple):
        return _array(np.asarray(value))
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, Mapping):
        return {str(name): plain(own) for name, own in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "low") and hasattr(value, "high"):
        return plain([value.low, value.high])
    raise TypeError(f"{type(value).__name__} is no number: take its numbers by name")


def _array(values: np.ndarray) -> Any:
    if values.dtype == object and any(hasattr(own, "low") for own in values.flat):
        values = np.array([[own.low, own.high] for own in values.flat])
    if values.size <= LONGEST:
        return _listed(values.tolist())
    flat = values.ravel()
    places = sorted({*range(3), *(len(flat) * k // 7 for k in range(1, 7)), *range(len(flat) - 3, len(flat))})
    found: dict[str, Any] = {"shape": list(values.shape), "some": [plain(flat[k]) for k in places]}
    if values.dtype.kind in "biuf":
        numbers = flat.astype(float)
        finite = numbers[np.isfinite(numbers)]
        found |= {"n_finite": int(finite.size), "sum": math.fsum(finite.tolist())}
    return found


def _listed(values: Any) -> Any:
    return [_listed(own) for own in values] if isinstance(values, list) else plain(values)


def differences(before: Any, now: Any, tolerance: float, name: str = "") -> Iterator[str]:
    """What differs between stored and present numbers of a call."""
    if isinstance(before, dict) and isinstance(now, dict) and before.keys() == now.keys():
        for key in before:
            yield from differences(before[key], now[key], tolerance, f"{name}.{key}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for k, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from differences(old, new, tolerance, f"{name}[{k}]")
    elif not _are_alike(before, now, 0.0 if ".threshold" in name else tolerance):
        yield f"{name}: {json.dumps(before)} -> {json.dumps(now)}"


def _are_alike(before: Any, now: Any, tolerance: float) -> bool:
    if isinstance(before, float) and isinstance(now, float):
        return math.isclose(before, now, rel_tol=tolerance, abs_tol=tolerance)
    is_word = isinstance(before, str) and isinstance(now, str)  # an enumeration is its word
    return (is_word or type(before) is type(now)) and before == now


def read() -> dict[str, Any]:
    """Every stored call with its numbers."""
    return dict(json.loads(STORED.read_text(encoding="utf-8")))


def lines(calls: Mapping[str, Any]) -> Iterator[str]:
    """The file, line by line: one call each, sorted, so that a difference of two files shows single calls."""
    written = [f"{json.dumps(name)}: {json.dumps(calls[name])}" for name in sorted(calls)]
    yield from ("{", *(f"{line}," for line in written[:-1]), *written[-1:], "}")
