"""``smroc_curve``: the curve of Klement et al., with its chance level."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.counting.arguments import one_number, one_of, rates
from rocsteady.counting.results import TableResult, plain, read_only
from rocsteady.curves.given import given_scores
from rocsteady.curves.reading import read_path, scalar_or_array
from rocsteady.curves.smroc.credit import area, chance_steps, credit, credit_steps, path
from rocsteady.curves.smroc.digits import mid_word
from rocsteady.curves.smroc.messages import warn_of_mid, warn_undefined
from rocsteady.curves.smroc.rows import SmrocRows, smroc_rows
from rocsteady.errors import Option, UsageError, near_match
from rocsteady.showing import Drawn
from rocsteady.words import counted, printable

if TYPE_CHECKING:
    from rocsteady.curves.roc import RocCurve
    from rocsteady.curves.smroc.appropriateness import Appropriateness
    from rocsteady.curves.smroc.chance import PermutedSmauc
    from rocsteady.curves.smroc.profile import MidProfile

Floats = NDArray[np.float64]

MIDS = ("paper", "clipped")


@dataclass(frozen=True, eq=False, repr=False)
class SmrocCurve(Drawn, TableResult, figure="smroc"):
    """A smROC curve: a ROC curve whose steps are as long as the scores are confident (Klement et al.).

    Made by :func:`rocsteady.smroc_curve`. Cases are met from the highest score to the lowest, as on a ROC
    curve, but each of them goes both up and right. A case whose score and label agree goes up by its score
    and right by one minus it; where they disagree it is the other way round. Whether they agree is
    decided by ``mid``: a score at or above it is high. What goes up is the case's *credit*.

    Attributes
    ----------
    thresholds : float64 array
        The distinct scores in your units, led by an infinite one; tied cases move together.
    credit_up, credit_right : float64 array
        Credit, and debit (one minus credit), of all cases at or beyond the threshold.
    credit : float64 array
        Of each case, in input order (cases of weight zero are left out); Theta in the paper.
    mid : float
        From which a score is high, on the scale from 0 to 1 that speaks for the positive class.
    mid_rule : {"paper", "clipped", "given"}
        Where it comes from.
    chance_auc : float
        About the smAUC that the same scores would have with labels dealt at random; it is not 1/2.
    name : str or None
        What tables and messages call the curve.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.smroc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1], mid=0.5)
    >>> curve
    SmrocCurve(3 positives, 2 negatives, Mid 0.5 (given), smAUC 0.792, chance about 0.506)
    >>> curve.credit.tolist()
    [0.9, 0.8, 0.4, 0.6, 0.1]
    >>> round(curve.roc_auc, 3)
    0.833
    """

    thresholds: Floats
    credit_up: Floats
    credit_right: Floats
    credit: Floats
    mid: float
    mid_rule: str
    chance_auc: float
    name: str | None
    _rows: SmrocRows

    @cached_property
    def fpr(self) -> Floats:
        """The horizontal axis: the share of all debit at or beyond each threshold.

        Not a false positive rate, except for scores that are all 0 or 1. NaN if there is no debit at all.
        """
        return _shares(self.credit_right)

    @cached_property
    def tpr(self) -> Floats:
        """The vertical axis: the share of all credit at or beyond each threshold.

        Not a true positive rate, except for scores that are all 0 or 1. NaN if there is no credit at all.
        """
        return _shares(self.credit_up)

    @cached_property
    def auc(self) -> float:
        """smAUC, the area under the curve; NaN where it is undefined.

        The share of pairs of credit and debit in which the credit is met first, ties half: over all ordered
        pairs of cases, themselves included, ``credit[i] * (1 - credit[j])`` counts in full if i outranks j.
        """
        return area(self.credit_up, self.credit_right)

    @cached_property
    def chance_path(self) -> tuple[Floats, Floats]:
        """About the ``fpr`` and ``tpr`` of labels dealt at random; the area is ``chance_auc``."""
        up, right = map(path, chance_steps(self._rows, self.mid))
        return _shares(right), _shares(up)

    @property
    def total_credit(self) -> float:
        """Credit of all cases; the normaliser of the vertical axis."""
        return float(self.credit_up[-1])

    @property
    def total_debit(self) -> float:
        """Debit of all cases; the normaliser of the horizontal axis."""
        return float(self.credit_right[-1])

    @property
    def scores(self) -> Floats:
        """Of each case, in input order: its score on the scale from 0 to 1 that ``mid`` is on."""
        return self._rows.scores

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        """Of each case, in input order."""
        return self._rows.is_positive

    @property
    def sample_weight(self) -> Floats | None:
        """Of each case, in input order, if there are weights."""
        return self._rows.weights

    @property
    def higher_is_positive(self) -> bool:
        """Whether high scores, in your units, speak for the positive class."""
        return self._rows.higher_is_positive

    @property
    def is_weighted(self) -> bool:
        """Whether cases have weights."""
        return self._rows.weights is not None

    @property
    def n_positives(self) -> Any:
        """Number of positives (their weight if weighted)."""
        return self._rows.n_positives

    @property
    def n_negatives(self) -> Any:
        """Number of negatives (their weight if weighted)."""
        return self._rows.n_negatives

    @property
    def roc_auc(self) -> float:
        """The ordinary AUC of the same scores, for contrast."""
        return self._rows.roc_auc

    @property
    def paper_mid(self) -> float:
        """The paper's Mid, ``sum(scores) / (2 * n_positives)``, whichever was used."""
        return self._rows.paper_mid

    def roc(self) -> RocCurve:
        """The ordinary ROC curve of the same cases; cut-offs, costs and rates are read from that."""
        from rocsteady.curves.roc import RocCurve

        counts = [read_only(np.append(0, np.cumsum(own)).astype(own.dtype)) for own in self._rows.by_class]
        return RocCurve(
            self.thresholds,
            true_positives=counts[0],
            false_positives=counts[1],
            higher_is_positive=self.higher_is_positive,
            name=self.name,
            _rows=self._rows.weighted,
        )

    def tpr_at(self, fpr: ArrayLike, side: str = "upper") -> Any:
        """The share of credit where the curve has a share of debit; on a jump its top or bottom."""
        end = {"upper": "last", "lower": "first"}[one_of("side", side, ("upper", "lower"))]
        return scalar_or_array(read_path(self.fpr, self.tpr, rates("fpr", fpr), end=end), fpr)

    def fpr_at(self, tpr: ArrayLike, side: str = "lower") -> Any:
        """The share of debit where the curve has a share of credit; on a jump its left or right end."""
        end = {"lower": "first", "upper": "last"}[one_of("side", side, ("lower", "upper"))]
        return scalar_or_array(read_path(self.tpr, self.fpr, rates("tpr", tpr), end=end), tpr)

    def with_mid(self, mid: str | float) -> SmrocCurve:
        """The curve of the same scores with another Mid: ``"paper"``, ``"clipped"`` or a number.

        Examples
        --------
        >>> import rocsteady as rs
        >>> curve = rs.smroc_curve([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1], mid=0.5)
        >>> curve.with_mid("paper")
        SmrocCurve(2 positives, 2 negatives, Mid 0.5 (paper), smAUC 0.775, chance about 0.500)
        """
        return _announced(curve_of(self._rows, mid, self.name))

    @property
    def appropriateness(self) -> Appropriateness:
        """Whose scores agree with their labels, at this Mid."""
        from rocsteady.curves.smroc.appropriateness import appropriateness

        return appropriateness(self._rows, self.mid)

    def mid_profile(self, mids: ArrayLike | None = None) -> MidProfile:
        """The smAUC and its chance level for every Mid in (0, 1], exactly; or at some.

        Parameters
        ----------
        mids : array-like, optional
            Where to look; any finite numbers. By default every piece of the profile: smAUC changes only
            where Mid passes a score.
        """
        from rocsteady.curves.smroc.profile import mid_profile

        return mid_profile(self, mids)

    def permuted(self, n_permutations: int = 1000, seed: int = 0) -> PermutedSmauc:
        """The smAUC with labels dealt at random, many times: its chance level by simulation, and a p-value.

        The mean differs from ``chance_auc`` by a term of order 1/n, about 0.006 for ten cases: there, every
        case has its mean credit; here, credit and the sums it is divided by vary together.

        Parameters
        ----------
        n_permutations, seed : int
            How many times labels are dealt, and the start of the random numbers.
        """
        from rocsteady.curves.smroc.chance import permuted_smauc

        return permuted_smauc(self, n_permutations, seed)

    @property
    def reading(self) -> str:
        """What the area means and what it is to be compared with."""
        from rocsteady.curves.smroc.sentences import describe_curve

        return describe_curve(self)

    def to_dict(self) -> dict[str, Any]:
        """The curve as plain data that JSON can carry; the infinite threshold is the string ``"inf"``."""
        numbers = {
            "fpr": self.fpr,
            "tpr": self.tpr,
            "auc": self.auc,
            "roc_auc": self.roc_auc,
            "n_positives": self.n_positives,
            "n_negatives": self.n_negatives,
            "higher_is_positive": self.higher_is_positive,
        }
        return super().to_dict() | {name: plain(value) for name, value in numbers.items()}

    def _columns(self) -> dict[str, Any]:
        credits = {"credit_up": self.credit_up, "credit_right": self.credit_right}
        return {"threshold": self.thresholds} | credits | {"fpr": self.fpr, "tpr": self.tpr}

    def __repr__(self) -> str:
        name = f"{printable(self.name)}: " if self.name is not None else ""
        if self.is_weighted:
            cases = f"weights {self.n_positives:g} positive and {self.n_negatives:g} negative"
        else:
            cases = f"{counted(self.n_positives, 'positive')}, {counted(self.n_negatives, 'negative')}"
        areas = f"smAUC {self.auc:.3f}, chance about {self.chance_auc:.3f}"
        return f"SmrocCurve({name}{cases}, Mid {mid_word(self.mid)} ({self.mid_rule}), {areas})"


def _shares(path: Floats) -> Floats:
    total = path[-1]
    return read_only(path / total if total > 0 else np.full(path.shape, np.nan))


def smroc_curve(
    labels: object,
    scores: object = None,
    *,
    mid: str | float = "paper",
    rescale: str | None = None,
    positive: object = None,
    sample_weight: object = None,
    higher_is_positive: bool = True,
    name: str | None = None,
) -> SmrocCurve:
    """The smROC curve of one set of scores (Klement, Flach, Japkowicz & Matwin).

    A ROC curve sees the order of the scores only. This one also sees how confident they are: each case goes
    up by its credit and right by the rest. Its area has no fixed chance level, so compare it with
    ``.chance_auc`` before anything else.

    Parameters
    ----------
    labels : array-like, or Scores
        The true class of each row: bool, 0/1 or -1/1; any other labels need ``positive``. A
        :class:`Scores` as the only argument brings its labels, scores, weights, direction and name along.
    scores : array-like of numbers from 0 to 1
        One per row: the probability of the positive class, or what stands for it.
    mid : {"paper", "clipped"} or float
        From which a score is high. The paper's is ``sum(scores) / (2 * n_positives)``, which can exceed 1;
        "clipped" is the smaller of that and 1.
    rescale : {"min-max"}, optional
        Stretch the scores so that the lowest becomes 0 and the highest 1. Thresholds stay in your units.
    positive, name : label, str
        As in :func:`rocsteady.roc_curve`.
    sample_weight : array-like, optional
        A weight counts as that many repetitions of the row.
    higher_is_positive : bool
        False where low scores speak for the positive class: one minus the score is then taken.

    Returns
    -------
    SmrocCurve

    Raises
    ------
    DataError
        RS087 for scores outside [0, 1].

    Warns
    -----
    RocsteadyWarning
        RS260 each time Mid lies outside (0, 1], with the chance level; RS261 if smAUC is undefined.

    References
    ----------
    W. Klement, P. Flach, N. Japkowicz, S. Matwin, "Smooth Receiver Operating Characteristics (smROC)
    Curves", ECML PKDD 2011.

    Examples
    --------
    >>> import rocsteady as rs
    >>> curve = rs.smroc_curve([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1])
    >>> round(curve.auc, 4), round(curve.chance_auc, 4), curve.roc_auc
    (0.775, 0.5, 0.75)
    """
    given = given_scores(
        "smroc_curve",
        labels,
        scores,
        positive=positive,
        sample_weight=sample_weight,
        higher_is_positive=higher_is_positive,
        name=name,
    )
    require_mid(mid)
    name = given.name if name is None else name
    return _announced(curve_of(smroc_rows(given, rescale, name), mid, name))


def require_mid(mid: object) -> str | float:
    """``mid`` if it is a known word or a finite number, else RS001 or RS042."""
    if isinstance(mid, str) and mid not in MIDS:
        known = f"known: {', '.join(map(repr, MIDS))}, or a number"
        choices: list[str | float] = [near_match(mid, MIDS) or MIDS[0], 0.5]
        raise UsageError("RS001", f"mid cannot be {mid!r}.", known, *(Option("mid", one) for one in choices))
    if isinstance(mid, str):
        return mid
    number = one_number("mid", mid)
    if not math.isfinite(number):
        raise UsageError("RS042", "mid must be a finite number.", f"found: {number}", Option("mid", 0.5))
    return number


def curve_of(rows: SmrocRows, mid: str | float, name: str | None) -> SmrocCurve:
    """The curve of checked rows; nothing is said about its Mid."""
    mid = require_mid(mid)
    rule = mid if isinstance(mid, str) else "given"
    if isinstance(mid, str):
        mid = rows.paper_mid if mid == "paper" else min(rows.paper_mid, 1.0)
    up, right = map(path, credit_steps(rows.levels, rows.positives, rows.negatives, mid))
    return SmrocCurve(
        thresholds=read_only(np.concatenate([[_beyond(rows)], rows.thresholds])),
        credit_up=up,
        credit_right=right,
        credit=read_only(credit(rows.scores, rows.is_positive, mid)),
        mid=float(mid),
        mid_rule=rule,
        chance_auc=area(*map(path, chance_steps(rows, mid))),
        name=name,
        _rows=rows,
    )


def _beyond(rows: SmrocRows) -> float:
    return math.inf if rows.higher_is_positive else -math.inf


def _announced(curve: SmrocCurve) -> SmrocCurve:
    """The curve, after its warnings."""
    warn_of_mid(curve.mid, curve.auc, curve.chance_auc, curve.name)
    warn_undefined(curve.total_credit, curve.total_debit, curve.name)
    return curve
