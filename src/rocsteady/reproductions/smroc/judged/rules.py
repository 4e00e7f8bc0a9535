"""How words of the paper become numbers: most, the same, low, substantial."""

from __future__ import annotations

MOST = 2 / 3
"""More than this share of the sets are most of them."""
SAME = 0.002
"""Areas and spreads that differ by less are the same: about what can be seen in the figures."""
LOW = 0.005
"""A standard deviation below this is low."""
SUBSTANTIAL = 0.02
"""Of a difference between differences of areas."""


def most(count: int, n: int) -> bool:
    """Whether so many of n sets are most of them.

    >>> most(2, 3), most(7, 10), most(0, 0)
    (False, True, False)
    """
    return bool(count > MOST * n)


def about_half(count: int, n: int) -> bool:
    """Whether neither these sets nor the others are most of them.

    >>> about_half(7, 12), about_half(11, 12), about_half(1, 12)
    (True, False, False)
    """
    return n > 0 and not most(count, n) and not most(n - count, n)
