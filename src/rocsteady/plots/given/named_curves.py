"""One value, a few with their names, or a set of curves: what figures with a line for each were handed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.from_scores import described
from rocsteady.errors import counted, fail
from rocsteady.plots.parts.curve_lines import HowMany, Path
from rocsteady.plots.parts.style import LOOKS
from rocsteady.words import grouped, printable


def named_curves(
    given: object, kinds: tuple[type, ...], *, what: str, way: str, most: int = len(LOOKS)
) -> list[tuple[str, Any]]:
    """Names and values, in order; several without a name are numbered, a single one has an empty name.

    Parameters
    ----------
    given : value, mapping from names to values, or sequence of values
        What the caller handed over. A :class:`CurveSet` is such a sequence.
    kinds : tuple of types
        What the values may be.
    what, way : str
        For the message: what is drawn, and how it is called.
    most : int
        How many can be told apart.

    Raises
    ------
    UsageError
        RS002 for anything else; RS042 for none of them, or too many.
    """
    if isinstance(given, kinds):
        found: list[tuple[str, Any]] = [(_own_name(given), given)]
    elif isinstance(given, Mapping):
        found = [(str(name), value) for name, value in given.items()]
    elif isinstance(given, Sequence) and not isinstance(given, str | bytes):
        found = [(_own_name(value) or f"curve {k}", value) for k, value in enumerate(given, start=1)]
    else:
        raise fail("RS002.drawn-from", what=what, found=described(given), ways=[way])
    for _, value in found:
        if not isinstance(value, kinds):
            raise fail("RS002.drawn-from", what=what, found=described(value), ways=[way])
    if not 0 < len(found) <= most:
        ways = [
            "some of them:  list(curves)[:4]",
            "many curves of one model, all alike and faint:  rs.roc_curves(score_set)",
        ]
        raise fail("RS042.room", most=most, what="curves", n=len(found), ways=ways)
    return found


def is_crowd(given: object) -> bool:
    """Whether it is a set of more curves than can be told apart: they are drawn alike, and faint."""
    return isinstance(given, CurveSet) and len(given) > len(LOOKS)


def crowd_words(drawn: HowMany, unit: str) -> str:
    """How many curves of a crowd are drawn, for the key.

    >>> crowd_words(HowMany(300, 10000), "host"), crowd_words(HowMany(23, 23), "host")
    ('300 of 10 000 hosts', '23 hosts')
    """
    of = "" if drawn.n == drawn.n_all else f"{grouped(drawn.n)} of "
    return of + counted(drawn.n_all, printable(unit))


def _own_name(value: Any) -> str:
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else ""


@dataclass(frozen=True)
class Paths:
    """Curves in other coordinates, each made when it is drawn: of ten thousand few are."""

    curves: Sequence[Any]
    path_of: Callable[[Any], Path]

    def __len__(self) -> int:
        return len(self.curves)

    def __getitem__(self, place: int) -> Path:
        return self.path_of(self.curves[place])
