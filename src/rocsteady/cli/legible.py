"""Signs of a report on terminals that lack them."""

from __future__ import annotations

from rocsteady.cli.console import can_show, console

_PLAINER = {
    "\u2212": "-", "\u2013": "-", "\u00d7": "x", "\u2265": ">=", "\u2264": "<=",
    "\u201c": '"', "\u201d": '"', "\u2019": "'", "\u202f": " ", "\u00a0": " ", "\u221e": "inf",
}  # fmt: skip
"""A minus, a dash, a times sign, two relations, quotation marks, blanks that keep numbers whole, infinity."""


def legible(text: str) -> str:
    """Text with plainer signs for those that the encoding of the terminal lacks."""
    screen = console()
    for sign, plainer in _PLAINER.items():
        if sign in text and not can_show(sign, screen):
            text = text.replace(sign, plainer)
    return text
