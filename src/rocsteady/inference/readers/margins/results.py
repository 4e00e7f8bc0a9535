"""What a test against a margin found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocsteady.inference.readers import wording
from rocsteady.results import Result
from rocsteady.statistics.intervals import Interval
from rocsteady.words import printable


@dataclass(frozen=True, eq=False, repr=False)
class AgainstMargin(Result):
    """A difference held against a margin: what both kinds of tests have in common.

    Attributes
    ----------
    quantity : str
        What was measured.
    difference, standard_error, df : float
        Of the first modality less the second; infinite ``df`` for a normal test.
    margin : float
        The margin, on the scale of the quantity.
    statistic, pvalue : float
        NaN, as the limits of the interval are, where the standard error is 0: nothing is shown then.
    alpha : float
        Level of a one-sided test.
    interval : Interval
        Lies on the near side of the margin exactly where the test rejects.
    random : str
        What is random.
    """

    quantity: str
    difference: float
    standard_error: float
    df: float
    margin: float
    statistic: float
    pvalue: float
    alpha: float
    interval: Interval
    random: str

    @property
    def is_shown(self) -> bool:
        """Whether what was to be shown is shown, at the level ``alpha``."""
        return self.pvalue <= self.alpha * (1 + 1e-12)

    @property
    def reading(self) -> str:
        """The difference, the margin, and what follows."""
        raise TypeError(f"{type(self).__name__} has no words")

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry."""
        return super().to_dict() | {"is_shown": self.is_shown, "reading": self.reading}

    def _without_error(self, new: str, reference: str, verdict: str) -> str:
        """The sentence where the standard error is 0."""
        new, reference = (printable(wording.spoken(name)) for name in (new, reference))
        size = wording.how_far(self.difference, reference)
        return (
            f"The {self.quantity} of {new} is {size}, with a standard error of 0: "
            f"nothing varies, as where every AUC is 1, so there is no test, and {verdict} within a margin of "
            f"{self.margin:g} is not shown. {wording.said(self.random)}"
        )


@dataclass(frozen=True, eq=False, repr=False)
class NonInferiority(AgainstMargin):
    """Whether one modality is shown to be not worse than another by a margin.

    Attributes
    ----------
    quantity : str
        What was measured.
    new, reference : str
        The modality that must not be worse, and the one that it is held against.
    difference, standard_error, df : float
        ``new`` less ``reference``; infinite ``df`` for a normal test.
    margin : float
        How much worse still counts as not worse.
    statistic, pvalue : float
        One-sided, against the hypothesis that ``new`` is worse by the margin or more. NaN, as the limit of
        the interval is, where the standard error is 0: nothing is shown then.
    alpha : float
        Level of that test.
    interval : Interval
        One-sided, of level ``1 - alpha``: its finite limit is on the near side of the margin exactly where
        the test rejects. It is also a limit of the two-sided interval of level ``1 - 2 * alpha``.
    lower_is_better : bool
        Whether less is better, as of false positive rates; worse is then higher.
    random : str
        What is random.
    """

    new: str
    reference: str
    lower_is_better: bool

    @property
    def is_superior(self) -> bool:
        """Whether the interval leaves out 0 too: then ``new`` is shown to be better, at the same level."""
        limit = -self.interval.high if self.lower_is_better else self.interval.low
        return bool(limit > 0)

    @property
    def reading(self) -> str:
        """The difference, how much worse it may be at most, and what follows."""
        if self.standard_error == 0:
            return self._without_error(self.new, self.reference, "that it is not inferior")
        return wording.of_non_inferiority(
            new=self.new,
            reference=self.reference,
            quantity=self.quantity,
            difference=self.difference,
            bound=self.interval.high if self.lower_is_better else self.interval.low,
            margin=self.margin,
            pvalue=self.pvalue,
            is_shown=self.is_shown,
            confidence_level=self.interval.confidence_level,
            random=self.random,
            lower_is_better=self.lower_is_better,
        )

    def __repr__(self) -> str:
        of = f"{self.quantity}, {printable(self.new)} against {printable(self.reference)}"
        word = f"margin {self.margin:g}: {'shown' if self.is_shown else 'not shown'}"
        return f"NonInferiority({of}, {word}, {self.difference:+.4f}, one-sided p {self.pvalue:.3g})"


@dataclass(frozen=True, eq=False, repr=False)
class Equivalence(AgainstMargin):
    """Whether two modalities are shown to differ by less than a margin, by two one-sided tests.

    Attributes
    ----------
    quantity, a, b : str
        What was measured, of which two.
    difference, standard_error, df : float
        ``a`` less ``b``.
    margin : float
        Differences below it count as none, either way.
    statistic, pvalue : float
        Of the one of the two tests that is less sure. NaN, as the interval is, where the standard error is 0:
        nothing is shown then.
    alpha : float
        Level of each of them.
    interval : Interval
        Two-sided, of level ``1 - 2 * alpha``: it lies within the margin exactly where both tests reject.
    random : str
        What is random.
    """

    a: str
    b: str

    @property
    def reading(self) -> str:
        """The difference with its interval, and whether it lies within the margin."""
        if self.standard_error == 0:
            return self._without_error(self.a, self.b, "that the two are equivalent")
        return wording.of_equivalence(
            a=self.a,
            b=self.b,
            quantity=self.quantity,
            difference=self.difference,
            interval=self.interval,
            margin=self.margin,
            pvalue=self.pvalue,
            is_shown=self.is_shown,
            random=self.random,
        )

    def __repr__(self) -> str:
        of = f"{self.quantity}, {printable(self.a)} and {printable(self.b)}, margin {self.margin:g}"
        word = "shown" if self.is_shown else "not shown"
        return f"Equivalence({of}: {word}, {self.difference:+.4f}, p {self.pvalue:.3g})"
