"""The frozen calls, by capability: each yields a name that stays and numbers, reached by attribute, never words.

Calls may be renamed with the functions they call; their names in numbers.json and their values may not change. Codes of warnings, names
of winners and of groups left out are decisions and are frozen, too. A key that starts with ``threshold`` is compared exactly.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import rocsteady as rs
from frozen import calls_of_averages, calls_of_curves, calls_of_doors, calls_of_inference
from frozen.calling import GROUPS
from frozen.store import TOLERANCE, Near, plain

PARTS = (calls_of_curves, calls_of_averages, calls_of_inference, calls_of_doors)
"""Each adds its groups to ``GROUPS`` where it is imported."""


def run(name: str) -> Iterator[tuple[str, Any, float]]:
    """Every call of a group: its name, its numbers, how near they must be."""
    with warnings.catch_warnings():
        # Numbers are the matter here; which warnings there are is tested elsewhere.
        warnings.simplefilter("ignore", rs.RocsteadyWarning)
        for own, found in GROUPS[name]():
            near = found if isinstance(found, Near) else Near(found, TOLERANCE, "")
            yield f"{name}/{own}", plain(near.numbers), near.tolerance
