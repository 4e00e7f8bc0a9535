"""Letters that the font of a figure lacks."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from rocsteady.words import listed

_MISSING = re.compile(r"Glyph (\d+) .*missing from")


@contextmanager
def letters_missing() -> Iterator[list[str]]:
    """Collect the letters that Matplotlib has no shape for, each once; its other warnings are issued."""
    missing: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield missing
    for entry in caught:
        match = _MISSING.match(str(entry.message))
        if match is None:
            warnings.warn_explicit(entry.message, entry.category, entry.filename, entry.lineno)
        elif chr(int(match[1])) not in missing:
            missing.append(chr(int(match[1])))


def of_letters(missing: list[str], kind: str) -> str:
    """What to do about them; nothing where text stays text and whoever looks at it has the font.

    >>> of_letters(["神", "経"], "pdf")
    'The font of the figure lacks 神 and 経, which are drawn as boxes; a figure.svg keeps them as text.'
    >>> of_letters(["神"], "svg")
    ''
    """
    if not missing or kind == "svg":
        return ""
    boxes = "which are drawn as boxes" if len(missing) > 1 else "which is drawn as a box"
    them = "them" if len(missing) > 1 else "it"
    return f"The font of the figure lacks {listed(missing)}, {boxes}; a figure.svg keeps {them} as text."
