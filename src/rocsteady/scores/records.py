"""What a set remembers about its rows (their cases, and which were left out), and names it does not know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import UsageError, counted, near_match
from rocsteady.words import printable


@dataclass(frozen=True)
class Dropped:
    """Rows that were left out, and why. False when there are none.

    Attributes
    ----------
    n_rows : int
        A row with several causes counts once. Where each model has a score column of its own, a row of the
        table counts once for each model, as it does in the set.
    causes : mapping
        Cause to number of rows, for example ``{"no score": 37}``.
    """

    n_rows: int = 0
    causes: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.n_rows > 0

    def __str__(self) -> str:
        parts = [f"{cause}: {counted(n, 'row')}" for cause, n in self.causes.items()]
        return f"{counted(self.n_rows, 'row')} dropped" + (f" ({', '.join(parts)})" if parts else "")

    def times(self, n: int) -> Dropped:
        """The same rows, counted n times."""
        return Dropped(self.n_rows * n, {cause: count * n for cause, count in self.causes.items()})

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values."""
        return {"n_rows": self.n_rows, "causes": dict(self.causes)}


@dataclass(frozen=True, eq=False)
class Cases:
    """Which case each row is about: the same case is seen by several readers or models.

    Attributes
    ----------
    codes : int64 array
        One per row of the set, in its order.
    values : sequence
        The case that each code stands for, in order of appearance.
    """

    codes: NDArray[np.int64]
    values: Sequence[Any]

    def __len__(self) -> int:
        return len(self.values)

    def part(self, start: int, stop: int) -> Cases:
        """The cases of some of the rows, as a view."""
        return Cases(self.codes[start:stop], self.values)

    def listed(self) -> tuple[Any, ...]:
        """The case of each row."""
        return tuple(map(self.values.__getitem__, self.codes.tolist()))

    def __repr__(self) -> str:
        return f"Cases({counted(len(self), 'case')}, {counted(self.codes.size, 'row')})"


class MemberError(UsageError, IndexError, KeyError):
    """A position or name that is not in a set; also what Python expects of a sequence and a mapping."""


def unknown_name(name: str, known: tuple[str, ...], what: str) -> MemberError:
    """RS001, with the names that are known."""
    shown = printable(", ".join(known[:12])) + (f" and {len(known) - 12} more" if len(known) > 12 else "")
    close = near_match(name, known)
    remedy = f"did you mean  {close!r} ?" if close else "use one of these"
    return MemberError(
        "RS001", f'there is no {printable(what)} "{printable(name)}".', f"known: {shown or 'none'}", remedy
    )
