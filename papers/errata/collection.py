"""All errata, paper by paper."""

from __future__ import annotations

from dataclasses import dataclass

from papers.errata import averaging_roc, operating_points, slides, smroc, software
from papers.errata.erratum import Erratum


@dataclass(frozen=True)
class Source:
    """A paper, or what else is corrected.

    Attributes
    ----------
    letter : str
        Its codes start with it.
    title : str
        A heading.
    reference : str
        Where to find it, and what was read of it.
    entries : tuple of Erratum
        In order.
    verb : str
        What it does with what it says.
    """

    letter: str
    title: str
    reference: str
    entries: tuple[Erratum, ...]
    verb: str = "Printed"


SOURCES = (
    Source(
        "H",
        "Hogan and Adams, averaging ROC curves",
        "J. Hogan, N. M. Adams, On averaging ROC curves, *Transactions on Machine Learning Research*, 2023; "
        "and the anonymous version that was reviewed.",
        averaging_roc.ENTRIES,
    ),
    Source(
        "P",
        "Paclik and others, operating point averaging",
        "P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin, Variance estimation for two-class and multi-class "
        "ROC analysis using operating point averaging, *ICPR*, 2008.",
        operating_points.ENTRIES,
    ),
    Source(
        "K",
        "Klement and others, smROC curves",
        "W. Klement, P. Flach, N. Japkowicz, S. Matwin, Smooth receiver operating characteristics (smROC) "
        "curves, *ECML PKDD*, 2011.",
        smroc.ENTRIES,
    ),
    Source(
        "S",
        "Sakellaropoulos, slides on ROC curves",
        "G. C. Sakellaropoulos, ROC (Receiver Operating Characteristic) curves, lecture slides.",
        slides.ENTRIES,
    ),
    Source(
        "T",
        "Other programs",
        "What widely used programs do where averages are concerned, by their source code and their issues.",
        software.ENTRIES,
        verb="Does",
    ),
)


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
    return tuple(entry for source in SOURCES for entry in source.entries)


def erratum(code: str) -> Erratum:
    """The entry with a code, such as ``"K8"``.

    Examples
    --------
    >>> erratum("S1").because[:21]
    'The area is 0.56; pos'
    """
    for entry in errata():
        if entry.code == code:
            return entry
    raise KeyError(
        f"there is no erratum {code!r}; the first is {errata()[0].code}, the last {errata()[-1].code}"
    )
