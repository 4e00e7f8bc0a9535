"""What the papers print that should be read otherwise, each with its proof or a counter-example."""

from __future__ import annotations

from papers.errata import averaging_roc, operating_points, slides, smroc, software
from papers.errata.erratum import Erratum

CHAPTERS = tuple(own.CHAPTER for own in (averaging_roc, operating_points, smroc, slides, software))


def errata() -> tuple[Erratum, ...]:
    """Every entry, in order; numbers are computed when they are asked for.

    Examples
    --------
    >>> entries = errata()
    >>> entries[1]
    Erratum(H2: The threshold of least cost; proved)
    >>> round(entries[1].numbers["intersection_cost"], 3)
    0.46
    """
    return tuple(entry for chapter in CHAPTERS for entry in chapter.entries)


def erratum(code: str) -> Erratum:
    """The entry with a code, such as ``"K8"``.

    Examples
    --------
    >>> erratum("S1").because[:21]
    'The area is 0.56; pos'
    """
    found = {entry.code: entry for entry in errata()}
    if code not in found:
        first, *_, last = found
        raise KeyError(f"there is no erratum {code!r}; the first is {first}, the last {last}")
    return found[code]
