"""What a paper claims, and whether it came out: as printed, only when corrected, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from rocsteady.results import Result
from rocsteady.words import counted

REPRODUCED = "reproduced"
CORRECTED = "reproduced with a correction"
NOT_REPRODUCED = "not reproduced"
VERDICTS = (REPRODUCED, CORRECTED, NOT_REPRODUCED)
_SHORT = {REPRODUCED: "reproduced", CORRECTED: "with a correction", NOT_REPRODUCED: "not reproduced"}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Claim(Result):
    """One claim of a paper and what was measured.

    Attributes
    ----------
    claim : str
        What the paper says, in a sentence.
    where : str
        Where it says so.
    measured : str
        The numbers that were found, in a sentence.
    holds : bool
        Whether they bear out the claim as it is printed.
    correction : str
        What has to be read instead, if the claim as printed does not hold; empty if nothing helps.
    holds_corrected : bool
        Whether the numbers bear out the correction.
    erratum : str
        The entry of the errata that says more, such as ``"H3"``.
    chosen_here : bool
        Whether it rests on data or parameters that were chosen here, because the paper gives none.
    """

    claim: str
    where: str
    measured: str
    holds: bool
    correction: str = ""
    holds_corrected: bool = False
    erratum: str = ""
    chosen_here: bool = False

    @property
    def verdict(self) -> str:
        """One of :data:`VERDICTS`: it follows from the numbers."""
        if self.holds:
            return REPRODUCED
        return CORRECTED if self.correction and self.holds_corrected else NOT_REPRODUCED

    @property
    def remark(self) -> str:
        """The correction, and the entry of the errata that says more."""
        if not (self.correction and self.erratum):
            return self.correction or self.erratum
        return f"{self.correction} ({self.erratum})"

    def to_dict(self) -> dict[str, Any]:
        """The claim as plain data, with its verdict."""
        return {**super().to_dict(), "verdict": self.verdict}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Claim:
        """The claim again, from what :meth:`to_dict` made; its verdict follows from the rest."""
        return cls(**{field.name: plain[field.name] for field in fields(cls)})

    def __repr__(self) -> str:
        return f"Claim({self.where}: {self.claim} {self.verdict})"


def tiny(gap: float) -> str:
    """A gap that should be nothing, in words that do not pretend to digits.

    >>> tiny(0.0), tiny(1.3e-16), tiny(0.0022)
    ('0', '1e-16', '0.0022')
    """
    return f"{gap:.4f}" if gap >= 0.001 else f"{gap:.0e}" if gap else "0"


def verdict_counts(claims: Iterable[Claim]) -> dict[str, int]:
    """How many claims have each verdict; all three are named.

    >>> verdict_counts([Claim(claim="It rains.", where="p. 1", measured="It does.", holds=True)])
    {'reproduced': 1, 'reproduced with a correction': 0, 'not reproduced': 0}
    """
    found = [claim.verdict for claim in claims]
    return {verdict: found.count(verdict) for verdict in VERDICTS}


def verdicts_in_words(claims: Iterable[Claim]) -> str:
    """The counts as the rest of a sentence.

    >>> verdicts_in_words([Claim(claim="It rains.", where="p. 1", measured="It does.", holds=True)])
    '1 claim: 1 reproduced, 0 with a correction, 0 not reproduced'
    """
    counts = verdict_counts(claims)
    named = ", ".join(f"{n} {_SHORT[verdict]}" for verdict, n in counts.items())
    return f"{counted(sum(counts.values()), 'claim')}: {named}"
