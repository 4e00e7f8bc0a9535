"""What two raters are compared by: shares of agreement, and scores judged by decisions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.results import Result
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.raters.given import Ratings
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.smroc.curve import SmrocCurve, smroc_curve

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, repr=False)
class SharedShare(Result):
    """How often two raters say the same, and how often they would if their items were shuffled.

    Attributes
    ----------
    observed : float
        The share of items on which both say the same.
    expected : float
        The mean of that share over all ways of pairing one's items with the other's.
    kappa : float
        Cohen's: ``(observed - expected) / (1 - expected)``. 1 is full agreement, 0 what shuffled items give;
        NaN where both say the same of everything.
    """

    observed: float
    expected: float
    kappa: float

    def __repr__(self) -> str:
        return f"SharedShare({self.observed:.3f}, shuffled {self.expected:.3f}, kappa {self.kappa:.3f})"


@dataclass(frozen=True, eq=False, repr=False)
class Judgement(Result):
    """One rater's scores, judged by decisions: their own, or the other's.

    Attributes
    ----------
    scores_of, decisions_of : str
        Whose scores, by whose decisions.
    roc : RocCurve or None
        How the scores separate yes from no; None if all decisions are alike.
    smroc : SmrocCurve or None
        The same, weighted by the scores.
    """

    scores_of: str
    decisions_of: str
    roc: RocCurve | None
    smroc: SmrocCurve | None

    @property
    def is_own(self) -> bool:
        """Whether the decisions are the rater's own."""
        return self.scores_of == self.decisions_of

    @property
    def auc(self) -> float:
        """The share of pairs of a yes and a no in which the yes has the higher score; chance is 1/2."""
        return math.nan if self.roc is None else self.roc.auc

    @property
    def smauc(self) -> float:
        """The area under the smROC curve; chance is ``chance_smauc``."""
        return math.nan if self.smroc is None else self.smroc.auc

    @property
    def chance_smauc(self) -> float:
        """About the smAUC of the same scores if the same decisions were dealt at random."""
        return math.nan if self.smroc is None else self.smroc.chance_auc

    def __repr__(self) -> str:
        areas = f"AUC {self.auc:.3f}, smAUC {self.smauc:.3f}, chance about {self.chance_smauc:.3f}"
        return f"Judgement(scores of {self.scores_of} by decisions of {self.decisions_of}: {areas})"


def judged(ratings: Ratings, of: int, by: int, mid: str | float) -> Judgement:
    """The scores of one by the decisions of one."""
    scorer, decider = ratings.names[of], ratings.names[by]
    labels, scores = ratings.decisions[:, by], ratings.scores[:, of]
    if labels.all() or not labels.any():
        return Judgement(scorer, decider, None, None)
    name = scorer if of == by else f"{scorer} by {decider}"
    return Judgement(
        scorer,
        decider,
        roc_curve(labels, scores, name=name),
        smroc_curve(labels, scores, mid=mid, name=name),
    )


def shared_share(flags: Flags) -> SharedShare:
    """How often two columns are the same, whatever they say of an item."""
    n_items = flags.shape[0]
    first, second = (int(n) for n in flags.sum(axis=0))
    same = int(np.count_nonzero(flags[:, 0] == flags[:, 1]))
    # In whole numbers until the last division, so that full agreement is 1 and none is 0.
    n_pairs, expected = n_items * n_items, first * second + (n_items - first) * (n_items - second)
    kappa = (same * n_items - expected) / (n_pairs - expected) if expected < n_pairs else math.nan
    return SharedShare(same / n_items, expected / n_pairs, kappa)


def mean_where(values: Floats, where: Flags) -> float:
    """The mean of some values; NaN if there are none."""
    return float(values[where].mean()) if where.any() else math.nan


def centred_ranks(values: Floats) -> Floats:
    """Ranks, ties sharing their mean, less the mean of all."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(ranks[place] - (values.size + 1) / 2)
