"""The scored AUC of Wu, Flach and Ferri: by how much positives outscore negatives, not only how often."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.arrays import Floats
from rocsteady.curves.from_scores import given_scores
from rocsteady.curves.readings import compensated_sum, scalar_or_array
from rocsteady.curves.smroc import SmrocRows, smroc_rows
from rocsteady.errors import fail
from rocsteady.options import real_numbers
from rocsteady.results import Result
from rocsteady.showing import Told
from rocsteady.words import printable


@dataclass(frozen=True, eq=False, repr=False)
class ScoredAuc(Told, Result, sentence="curves.scored_auc"):
    """The scored AUC (sAUC) of one set of scores. Made by :func:`rocsteady.scored_auc`.

    Attributes
    ----------
    value : float
        The sAUC: the mean, over all pairs of a positive and a negative, of the lead of the positive; a pair
        in which it does not lead counts 0. Between 0 and 1.
    reverse : float
        The same for pairs in the wrong order: the mean lead of the negative.
    auc : float
        The ordinary AUC, which counts pairs and not leads.
    n_positives, n_negatives : int
        Cases (their weight if weighted).
    name : str or None
        What messages call the scores.
    """

    value: float
    reverse: float
    auc: float
    n_positives: Any
    n_negatives: Any
    name: str | None
    # Distinct scores of each class, high ones speaking for the positive, and how many cases have them.
    _positives: tuple[Floats, NDArray[Any]]
    _negatives: tuple[Floats, NDArray[Any]]

    @property
    def mean_difference(self) -> float:
        """Mean score of the positives less that of the negatives: the leads of both signs together."""
        return self.value - self.reverse

    def at_margin(self, margin: ArrayLike) -> Any:
        """The share of pairs in which the positive leads by more than a margin.

        The area under this share, over margins from 0 to 1, is the sAUC (Wu, Flach & Ferri 2007): how fast
        the AUC falls when all positives lose some of their score. At margin 0 ties do not count, so it may
        be below the AUC, in which they count half.

        Parameters
        ----------
        margin : float or array-like
            Below 0: the negative may lead by less than that.

        Examples
        --------
        >>> import rocsteady as rs
        >>> leads = rs.scored_auc([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.2])
        >>> leads.at_margin([0, 0.25, 0.5, 1]).tolist()
        [0.75, 0.75, 0.25, 0.0]
        """
        margins = real_numbers("margin", margin)
        if np.isnan(margins).any():
            raise fail("RS042", name="a margin", where="a number", found=np.nan, ways=["at_margin(0.1)"])
        shares = np.array([self._share_beyond(one) for one in margins.ravel().tolist()])
        return scalar_or_array(shares.reshape(margins.shape), margin)

    def _share_beyond(self, margin: float) -> float:
        (highs, n_high), (lows, n_low) = self._positives, self._negatives
        n_below = np.concatenate([n_low[:1] * 0, np.cumsum(n_low)])[_count_beyond(highs, lows, margin)]
        if n_high.dtype.kind == "f":
            share = compensated_sum((n_high / self.n_positives) * (n_below / self.n_negatives))
            return min(share, 1.0)
        return float(int(n_high @ n_below) / (self.n_positives * self.n_negatives))

    def __repr__(self) -> str:
        name = f"{printable(self.name)}: " if self.name is not None else ""
        return f"ScoredAuc({name}{self.value:.4f}, AUC {self.auc:.4f})"


def _count_beyond(highs: Floats, lows: Floats, margin: float) -> NDArray[np.int64]:
    """For each of ``highs``, how many of ``lows`` (rising) have ``high - low > margin``.

    A search by halves on that very difference: ``low < high - margin`` rounds at another place, and then
    pairs that lead by exactly the margin fall on either side.
    """
    first, last = np.zeros(highs.size, dtype=np.int64), np.full(highs.size, lows.size, dtype=np.int64)
    for _ in range(lows.size.bit_length()):
        middle = (first + last) // 2
        is_open = first < last
        is_beyond = is_open & (highs - lows[np.minimum(middle, lows.size - 1)] > margin)
        first = np.where(is_beyond, middle + 1, first)
        last = np.where(is_open & ~is_beyond, middle, last)
    return first


def scored_auc(
    labels: object,
    scores: object = None,
    *,
    rescale: str | None = None,
    positive: object = None,
    sample_weight: object = None,
    higher_is_positive: bool = True,
    name: str | None = None,
) -> ScoredAuc:
    """The scored AUC: the mean lead of a positive over a negative, pairs in the wrong order counting 0.

    The AUC counts in how many pairs the positive outscores the negative; the sAUC adds up by how much. It
    equals ``integral of tpr(t) * (1 - fpr(t)) dt`` over all thresholds, by which it is computed, in
    O(n log n).

    Like the AUC it compares positives with negatives only. The smAUC of :func:`rocsteady.smroc_curve`
    compares all pairs, also within a class. If one positive gains 0.1 and another loses 0.1, both staying
    above all negatives, the sAUC is the same and the smAUC is not.

    Parameters
    ----------
    labels : array-like, or Scores
        As in :func:`rocsteady.roc_curve`.
    scores : array-like of real numbers
        Between 0 and 1.
    rescale : {"min-max"}, optional
        Map the lowest score to 0 and the highest to 1 first.
    positive, sample_weight, higher_is_positive, name
        As in :func:`rocsteady.roc_curve`.

    Returns
    -------
    ScoredAuc

    Raises
    ------
    DataError
        RS087 for scores outside [0, 1] if ``rescale`` does not allow for them.

    References
    ----------
    Wu, S., Flach, P. A., & Ferri, C. (2007). An improved model selection heuristic for AUC. ECML 2007,
    LNCS 4701, 478-489.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.scored_auc([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.2])
    ScoredAuc(0.3500, AUC 0.8750)
    >>> rs.scored_auc([1, 1, 0, 0], [0.98, 0.96, 0.95, 0.94]).value < 0.03
    True
    """
    given = given_scores("scored_auc", labels, scores, positive, sample_weight, higher_is_positive, name)
    name = given.name if name is None else name
    rows = smroc_rows(given, rescale, name)
    won, lost = _mean_leads(rows)
    positives, negatives = (
        (rows.levels[counts > 0][::-1], counts[counts > 0][::-1])  # levels fall
        for counts in (rows.positives, rows.negatives)
    )
    return ScoredAuc(
        value=won,
        reverse=lost,
        auc=rows.roc_auc,
        n_positives=rows.n_positives,
        n_negatives=rows.n_negatives,
        name=name,
        _positives=positives,
        _negatives=negatives,
    )


def _mean_leads(rows: SmrocRows) -> tuple[float, float]:
    """Of positives over negatives, and of negatives over positives.

    A pair leads across each gap between neighbouring scores that lies between its two. All terms are
    positive, so nothing cancels.
    """
    gaps = -np.diff(rows.levels)
    above, below = (
        [_shares(counts[direction])[:-1][direction] for counts in (rows.positives, rows.negatives)]
        for direction in (slice(None), slice(None, None, -1))
    )
    won, lost = gaps * above[0] * below[1], gaps * above[1] * below[0]
    return math.fsum(won.tolist()), math.fsum(lost.tolist())


def _shares(counts: NDArray[Any]) -> Floats:
    """The share of cases up to each place."""
    total = np.cumsum(counts)
    return np.asarray(total / total[-1])
