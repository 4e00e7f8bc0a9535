"""Groups whose own cut-off calls nothing, or everything, positive: told once, with their names."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rocsteady.cli.console import fitting_name
from rocsteady.errors import RocsteadyWarning, warn
from rocsteady.words import printable


@contextmanager
def trivial_together(unit: str, n_groups: int) -> Iterator[Callable[[str], AbstractContextManager[None]]]:
    """Make one warning out of those of all groups; other warnings pass."""
    found: dict[tuple[str, bool], list[tuple[str, RocsteadyWarning]]] = {}

    @contextmanager
    def in_group(name: str) -> Iterator[None]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", RocsteadyWarning)
            yield
        for entry in caught:
            message = entry.message
            if isinstance(message, RocsteadyWarning) and message.code in ("RS240", "RS241"):
                found.setdefault((message.code, message.facts["is_all"]), []).append((name, message))
            else:
                warnings.warn_explicit(message, entry.category, entry.filename, entry.lineno)

    yield in_group
    for (code, is_all), several in found.items():
        names = list(dict.fromkeys(fitting_name(printable(name)) for name, _ in several))
        is_target = code == "RS240"
        reasons = list(dict.fromkeys(message.found for _, message in several))
        warn(
            "RS240.in-groups" if is_target else "RS241.in-groups",
            n=len(names),
            n_groups=n_groups,
            unit=unit,
            is_all=is_all,
            names=names,
            reason=reasons[0] if len(reasons) == 1 else None,
            ways=several[0][1].remedies,
        )
