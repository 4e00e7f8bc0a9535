"""What a set remembers about its rows (their cases and clusters, which were left out), and unknown names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import UsageError, counted, near_match
from rocsteady.words import plural, printable


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

    @property
    def are_named(self) -> bool:
        """Whether a column named them; else rows of a table with several score columns are the cases."""
        return not isinstance(self.values, range)

    def part(self, start: int, stop: int) -> Self:
        """The cases of some of the rows, as a view."""
        return replace(self, codes=self.codes[start:stop])

    def taken(self, rows: NDArray[Any]) -> Self:
        """The cases of these rows."""
        return replace(self, codes=self.codes[rows])

    def with_several_rows(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Codes of the cases that have several rows in one member, rows ``offsets[i]:offsets[i + 1]``.

        Examples
        --------
        >>> import numpy as np
        >>> cases = Cases(np.array([0, 1, 1, 0, 1]), ("a", "b"))
        >>> cases.with_several_rows(np.array([0, 3, 5])).tolist()  # a is in both, once in each
        [1]
        """
        members = np.repeat(np.arange(offsets.size - 1), np.diff(offsets))
        pairs = members * np.int64(max(len(self), 1)) + self.codes
        if np.all(pairs[1:] > pairs[:-1]):  # as they come if no case has two rows
            return np.empty(0, dtype=np.int64)
        pairs.sort()
        again = pairs[1:][pairs[1:] == pairs[:-1]]
        return np.unique(again % max(len(self), 1))

    def listed(self) -> tuple[Any, ...]:
        """The case of each row."""
        return tuple(map(self.values.__getitem__, self.codes.tolist()))

    def __repr__(self) -> str:
        return f"Cases({counted(len(self), 'case')}, {counted(self.codes.size, 'row')})"


@dataclass(frozen=True, eq=False, repr=False)
class Clusters(Cases):
    """Which patient, user or site each row comes from: rows of one cluster are not independent.

    Attributes
    ----------
    codes, values
        As for :class:`Cases`. A case is in one cluster (RS050); a cluster may have cases of both classes.
    unit : str
        The word for a cluster: "patient".
    """

    unit: str = "cluster"

    @property
    def n_present(self) -> int:
        """How many clusters have rows."""
        return int(np.unique(self.codes).size)

    def __repr__(self) -> str:
        unit = printable(self.unit)
        return f"Clusters({counted(len(self), unit)}, {counted(self.codes.size, 'row')})"


def rows_together(clusters: Clusters | None, cases: Cases | None, offsets: NDArray[np.int64]) -> Cases | None:
    """What says which rows belong together: clusters, else cases; None where no two rows of a member do."""
    named = cases if clusters is None else clusters
    return named if named is not None and named.with_several_rows(offsets).size else None


def require_distinct(names: Sequence[str], what: str) -> None:
    """RS049 if two names are alike: members are asked for by name."""
    if len(set(names)) == len(names):
        return
    double = [name for name, n in Counter(names).items() if n > 1]
    shown = ", ".join(f'"{printable(name)}"' for name in double[:8])
    raise UsageError(
        "RS049",
        f"two {plural(printable(what))} have the same name.",
        f"{shown}{f' and {len(double) - 8} more' if len(double) > 8 else ''}",
        "rename one of them; as names the number 1 and the text '1' are alike",
    )


class MemberError(UsageError, IndexError, KeyError):
    """A position or name that is not in a set; also what Python expects of a sequence and a mapping."""


def no_member(index: int, n_members: int) -> MemberError:
    """RS001 for a position beyond the last."""
    return MemberError(
        "RS001",
        f"there is no member {index}.",
        f"{n_members} members",
        f"count from 0 to {n_members - 1}",
    )


def member_names(
    groups: Sequence[str], group_index: Any, models: Sequence[str], model_index: Any
) -> tuple[str, ...]:
    """What to call each member: its group, or ``"model / group"`` where there are several models."""
    own = [groups[i] for i in group_index]
    if len(models) <= 1:
        return tuple(own)
    return tuple(f"{models[i]} / {group}" for i, group in zip(model_index, own, strict=True))


_LACKING = ("positives", "negatives", "rows left")


def undefined_reasons(name: str) -> tuple[str, ...]:
    """All that may be said of a member without a curve."""
    return tuple(f"{name}: no {lacking}" for lacking in _LACKING)


def undefined_members(names: Sequence[str], n_positives: Any, n_negatives: Any) -> tuple[str, ...]:
    """Members without a curve, and why: ``('host-23: no positives',)``."""
    # Positives are lacking, or negatives, or both.
    lacking = np.where(n_positives == 0, np.where(n_negatives == 0, 2, 0), 1)
    which = np.flatnonzero((n_positives == 0) | (n_negatives == 0))
    return tuple(undefined_reasons(names[i])[lacking[i]] for i in which.tolist())


def nothing_left(model: str, dropped: Dropped) -> MemberError:
    """RS001 for a model whose rows were all dropped, with their groups."""
    return MemberError(
        "RS001",
        f'no row of the model "{printable(model)}" is left.',
        str(dropped),
        "mend its rows, or leave the model out",
    )


def unknown_name(name: str, known: tuple[str, ...], what: str) -> MemberError:
    """RS001, with the names that are known."""
    shown = printable(", ".join(known[:12])) + (f" and {len(known) - 12} more" if len(known) > 12 else "")
    close = near_match(name, known)
    remedy = f"did you mean  {close!r} ?" if close else "use one of these"
    return MemberError(
        "RS001", f'there is no {printable(what)} "{printable(name)}".', f"known: {shown or 'none'}", remedy
    )
