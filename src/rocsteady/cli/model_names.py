"""``--models``: names of models as they are typed, and as they are told to be typed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence

from rocsteady.errors import Option

LITERAL = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
"""A name in a message of the library, as Python writes it: one group of a pattern."""


def names_of(given: Sequence[str] | None, known: Iterable[str] = ()) -> list[str]:
    """``a,b`` is two names, unless a model is called that; ``--models a --models b,c`` each as it stands.

    >>> names_of(["old, new"]), names_of(["b,c"], known=["a", "b,c"]), names_of(["a", "b,c"]), names_of(None)
    (['old', 'new'], ['b,c'], ['a', 'b,c'], [])
    """
    if not given or len(given) > 1 or given[0] in known:
        return list(given or [])
    return [name.strip() for name in given[0].split(",")]


def typed_names(names: Iterable[str], option: str = "models") -> str:
    """What to type for these names, quoted for a shell.

    >>> typed_names(["old", "new"]), typed_names(["$HOME", "b,c"])
    ('--models old,new', "--models '$HOME' --models b,c")
    """
    return Option(option, list(names)).shell()


def spelling(option: str = "models") -> Callable[[re.Match[str]], str]:
    """What takes the place of a pattern whose groups are all :data:`LITERAL`."""
    return lambda match: typed_names(map(ast.literal_eval, match.groups()), option)
