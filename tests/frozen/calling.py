"""What the lists of frozen calls are written with."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import rocsteady as rs

Calls = Iterator[tuple[str, Any]]
GROUPS: dict[str, Callable[[], Calls]] = {}


def group(make: Callable[[], Calls]) -> Callable[[], Calls]:
    """One of the groups in which calls are made and compared."""
    GROUPS[make.__name__] = make
    return make


def of(value: Any, *names: str) -> dict[str, Any]:
    """The named attributes of a value."""
    return {name: getattr(value, name) for name in names}


def warned(make: Callable[[], Any]) -> list[str]:
    """The codes of the warnings that a call gives."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        make()
    return sorted({own.message.code for own in seen if isinstance(own.message, rs.RocsteadyWarning)})
