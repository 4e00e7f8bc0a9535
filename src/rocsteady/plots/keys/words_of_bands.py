"""What bands hold, in the same words in every key."""

from __future__ import annotations

from collections.abc import Sequence

Range = tuple[float, float]

BY_ITSELF = "each point by itself"
_MOST_PARTS = 2
"""Parts of a range that a key names one by one."""
_NARROW = 0.01
"""Share of a range: a gap that nobody sees."""


def at_once(rate: str, declared: Range | None, excluded: Sequence[Range] = (), *, why: str = "") -> str:
    r"""A band that holds over a range at once: where it does, and why not elsewhere.

    Parameters
    ----------
    rate : str
        What the range is of: ``"FPR"``.
    declared : (float, float), optional
        Where the band was wanted; without it, everywhere.
    excluded : sequence of (float, float)
        Where in that range there is none.
    why : str
        The reason.

    Examples
    --------
    >>> at_once("FPR", (0.02, 0.5))
    'FPR 0.02 to 0.5 at once'
    >>> at_once("FPR", (0.02, 0.5), [(0.14, 0.5)], why="most folds coincide")
    'FPR 0.02 to 0.14 at once;\nelsewhere most folds coincide'
    """
    if declared is None:
        return "whole curve at once"
    parts = _left(declared, excluded)
    if not parts:
        return f"{rate} {_span(declared, declared)} at once"
    is_named = len(parts) <= _MOST_PARTS
    spans = [_span(own, declared) for own in (parts if is_named else [declared])]
    where = f"{rate} {', '.join(spans)}"
    where = where if is_named else f"{len(parts)} parts of {where}"
    elsewhere = f";\nelsewhere {why}" if why and parts != [declared] else ""
    return f"{where} at once{elsewhere}"


def _left(declared: Range, excluded: Sequence[Range]) -> list[Range]:
    """The parts of a range between those that are excluded."""
    parts, start = [], declared[0]
    narrowest = _NARROW * (declared[1] - declared[0])
    for low, high in sorted(own for own in excluded if own[1] - own[0] >= narrowest):
        if low > start:
            parts.append((start, low))
        start = max(start, high)
    return [*parts, (start, declared[1])] if start < declared[1] else parts


def _span(own: Range, declared: Range) -> str:
    """Ends that were chosen as they are; those of a part, which are found, in a few digits."""
    low, high = (f"{end:.4g}" if end in declared else f"{end:.2g}" for end in own)
    return f"{low} to {high}"
