"""Questions, their cells, and the file that keeps what was counted in them."""

from __future__ import annotations

import json
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Setting = dict[str, Any]
Shares = dict[str, NDArray[Any]]
Measure = Callable[..., Shares]


@dataclass(frozen=True)
class Question:
    """Something to be measured in several settings.

    Attributes
    ----------
    name : str
        In the file of results, and after ``--only``.
    nominal : float
        What every share should be: 0.95 for intervals, 0.05 for tests.
    settings : tuple of dict
        What is varied.
    measure : callable
        ``measure(**setting, replicates=, seed=)`` gives, for every method, which replicates covered (or
        were rejected). Methods may have more replicates than were asked for, where they are cheap. Arrays
        of floats are widths of intervals; their mean is stored. Under the code of a warning: which
        replicates it was given in.
    replicates : int
        As many as are asked for by default: fewer where each is dear.
    """

    name: str
    nominal: float
    settings: tuple[Setting, ...]
    measure: Measure
    replicates: int = 2000


def grid(**varied: tuple[Any, ...]) -> tuple[Setting, ...]:
    """Every combination, the last name varying fastest; a pair under ``a__b`` gives both of them."""
    settings = []
    for values in product(*varied.values()):
        setting: Setting = {}
        for names, value in zip(varied, values, strict=True):
            if "__" in names:
                setting |= dict(zip(names.split("__"), value, strict=True))
            else:
                setting[names] = value
        settings.append(setting)
    return tuple(settings)


def seed_of(question: str, setting: Setting, seed: int) -> int:
    """A seed for each cell: adding a cell, or computing them in another order, changes no other."""
    return zlib.crc32(f"{seed} {question} {_key(setting)}".encode())


def counted_cell(question: Question, setting: Setting, replicates: int, seed: int) -> dict[str, Any]:
    """One cell, as it is stored: how many replicates held, of how many."""
    found = question.measure(**setting, replicates=replicates, seed=seed_of(question.name, setting, seed))
    cell: dict[str, Any] = {"setting": setting, "seed": seed, "replicates": replicates, "shares": {}}
    for method, values in found.items():
        if is_code(method):
            cell.setdefault("warned", {})[method] = [int(np.count_nonzero(values)), int(values.size)]
        elif values.dtype == np.bool_:
            cell["shares"][method] = [int(np.count_nonzero(values)), int(values.size)]
        else:
            cell.setdefault("widths", {})[method] = float(f"{np.mean(values):.4g}")
    return cell


def is_code(name: str) -> bool:
    """Whether a share is that of a warning, like RS289."""
    return name.startswith("RS") and name[2:].isdigit()


def monte_carlo_error(share: float, replicates: int) -> float:
    """Standard error of a share of independent replicates.

    >>> round(monte_carlo_error(0.95, 2000), 4)
    0.0049
    """
    return float(np.sqrt(share * (1 - share) / replicates))


class Results:
    """The file of results; several runs may add to it at the same time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, Any]:
        """Everything that has been stored."""
        if not self.path.exists():
            return {}
        return dict(json.loads(self.path.read_text(encoding="utf-8")))

    def has(self, question: Question, setting: Setting, replicates: int, seed: int) -> bool:
        """Whether a cell is there, from at least so many replicates."""
        cells = self.read().get(question.name, {}).get("cells", [])
        return any(
            cell["setting"] == setting and cell["seed"] == seed and cell["replicates"] >= replicates
            for cell in cells
        )

    def add(self, question: Question, *cells: dict[str, Any]) -> None:
        """Store cells in place of older ones, in the order of the settings; those no longer asked for go."""
        with self._alone():
            stored = self.read()
            old = stored.get(question.name, {}).get("cells", [])
            known = {_key(cell["setting"]): cell for cell in [*old, *cells]}
            kept = [known[_key(setting)] for setting in question.settings if _key(setting) in known]
            stored[question.name] = {"nominal": question.nominal, "cells": kept}
            new = self.path.with_suffix(f".{os.getpid()}")
            new.write_text(_as_text(stored), encoding="utf-8", newline="\n")
            os.replace(new, self.path)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold others back until this one has written."""
        import fcntl

        with (Path(tempfile.gettempdir()) / "rocsteady-coverage.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _key(setting: Setting) -> str:
    return json.dumps(setting, sort_keys=True)


def _as_text(stored: dict[str, Any]) -> str:
    """JSON with one line for each cell, so that a change shows where it is."""
    parts = []
    for name in sorted(stored):
        cells = ",\n".join("    " + json.dumps(cell) for cell in stored[name]["cells"])
        nominal = json.dumps(stored[name]["nominal"])
        parts.append(f'  {json.dumps(name)}: {{"nominal": {nominal}, "cells": [\n{cells}\n  ]}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"
