"""Two raters, the same items, a yes or no and a score for each: do they really disagree?

The example of Klement et al.: Anna recommends a film that she scores 0.52, Jan does not recommend it and
scores it 0.6. Their decisions differ, their scores hardly do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.caller import caller_level
from rocsteady.counting.results import TableResult, plain, read_only
from rocsteady.curves.raters.given import Ratings, given_ratings
from rocsteady.curves.raters.measures import (
    Judgement,
    SharedShare,
    centred_ranks,
    judged,
    mean_where,
    shared_share,
)
from rocsteady.curves.scored_auc import scored_auc
from rocsteady.curves.smroc.credit import credit
from rocsteady.curves.smroc.curve import require_mid
from rocsteady.errors import DataError, Option, UsageError, counted, warn
from rocsteady.showing import Drawn
from rocsteady.words import listed

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

KINDS = ("agree", "decision only", "side only", "decision and side")
"""In what two raters differ on an item."""


@dataclass(frozen=True, eq=False, repr=False)
class RaterAgreement(Drawn, TableResult, figure="agreement"):
    """How two raters agree, in decisions and in scores. Made by :func:`rocsteady.rater_agreement`.

    Arrays of two columns have the first rater in the first.

    Attributes
    ----------
    names : tuple of two str
        Of the raters.
    items : tuple
        Names of the items, or their numbers from 1.
    decisions : bool array of shape (items, 2)
        Whether each said yes.
    scores : float64 array of shape (items, 2)
        From 0 to 1.
    mid : tuple of two floats
        From which a score of each rater is high.
    credit : float64 array of shape (items, 2)
        Of each score, given the rater's own decision: the score where both agree, else one minus it.
    judgements : tuple of four Judgement
        Scores of the first by own decisions, of the second by own, then of each by the other's.
    """

    names: tuple[str, str]
    items: tuple[Any, ...]
    decisions: Flags
    scores: Floats
    mid: tuple[float, float]
    credit: Floats
    judgements: tuple[Judgement, Judgement, Judgement, Judgement]

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.items)

    @cached_property
    def is_high(self) -> Flags:
        """Which scores reach Mid, of shape (items, 2)."""
        return read_only(self.scores >= np.array(self.mid))

    @cached_property
    def same_decision(self) -> Flags:
        """On which items both decided alike."""
        return read_only(self.decisions[:, 0] == self.decisions[:, 1])

    @cached_property
    def same_side(self) -> Flags:
        """On which items both scores are high, or both are low."""
        return read_only(self.is_high[:, 0] == self.is_high[:, 1])

    @cached_property
    def contradicts_own(self) -> Flags:
        """Where a rater says yes to a low score, or no to a high one; of shape (items, 2)."""
        return read_only(self.decisions != self.is_high)

    @cached_property
    def gap(self) -> Floats:
        """The first rater's score less the second's, item by item."""
        return read_only(self.scores[:, 0] - self.scores[:, 1])

    @cached_property
    def kind(self) -> tuple[str, ...]:
        """In what the raters differ on each item: ``"agree"``, ``"decision only"`` and so on."""
        places = ~self.same_decision + 2 * ~self.same_side
        return tuple(KINDS[place] for place in places.tolist())

    @cached_property
    def n_of_kind(self) -> dict[str, int]:
        """How many items there are of each kind."""
        return {kind: self.kind.count(kind) for kind in KINDS}

    @cached_property
    def decision_agreement(self) -> SharedShare:
        """How often the decisions are the same."""
        return shared_share(self.decisions)

    @cached_property
    def side_agreement(self) -> SharedShare:
        """How often the scores are on the same side of Mid."""
        return shared_share(self.is_high)

    @cached_property
    def mean_gap(self) -> float:
        """How far apart the scores of an item are, on average."""
        return float(np.abs(self.gap).mean())

    @cached_property
    def expected_gap(self) -> float:
        """The mean of ``mean_gap`` over all ways of pairing one's items with the other's."""
        leads = scored_auc(np.repeat([True, False], self.n_items), self.scores.T.ravel())
        return leads.value + leads.reverse

    @property
    def gap_where_decisions_agree(self) -> float:
        """The mean distance on those items; NaN if there are none."""
        return mean_where(np.abs(self.gap), self.same_decision)

    @property
    def gap_where_decisions_differ(self) -> float:
        """The mean distance on those items; NaN if there are none."""
        return mean_where(np.abs(self.gap), ~self.same_decision)

    @cached_property
    def rank_correlation(self) -> float:
        """Spearman's, of the scores; NaN if a rater gave all items the same score."""
        first, second = (centred_ranks(column) for column in self.scores.T)
        size = math.sqrt(float(first @ first) * float(second @ second))
        return float(np.clip(first @ second / size, -1.0, 1.0)) if size > 0 else math.nan

    def own(self, rater: str) -> Judgement:
        """A rater's scores judged by their own decisions."""
        return self.judgements[self._place(rater)]

    def crossed(self, rater: str) -> Judgement:
        """A rater's scores judged by the other's decisions."""
        return self.judgements[2 + self._place(rater)]

    def _place(self, rater: str) -> int:
        if rater in self.names:
            return self.names.index(rater)
        raise UsageError(
            "RS001",
            f"there is no rater {rater!r}.",
            f"known: {listed(self.names)}",
            f"agreement.own({self.names[0]!r})",
        )

    @cached_property
    def reading(self) -> str:
        """The answer in words, with what smAUC can tell about it and what it cannot."""
        from rocsteady.curves.raters.words import reading

        return reading(self)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry; of the curves, only their areas."""
        numbers = {
            name: plain(getattr(self, name))
            for name in (
                "decision_agreement",
                "side_agreement",
                "mean_gap",
                "expected_gap",
                "gap_where_decisions_agree",
                "gap_where_decisions_differ",
                "rank_correlation",
                "kind",
                "reading",
            )
        }
        judged = [
            {name: plain(getattr(judgement, name)) for name in _JUDGED} for judgement in self.judgements
        ]
        names = [name if isinstance(name, str | int | float) else str(name) for name in self.items]
        items = {"items": plain(names), "n_of_kind": dict(self.n_of_kind)}
        return super().to_dict() | numbers | items | {"judgements": judged}

    def _columns(self) -> dict[str, Any]:
        named = list(enumerate(self.names))
        return {
            "item": np.array(self.items),
            **{f"decision_{name}": self.decisions[:, k] for k, name in named},
            **{f"score_{name}": self.scores[:, k] for k, name in named},
            **{f"credit_{name}": self.credit[:, k] for k, name in named},
            "gap": self.gap,
            "same_decision": self.same_decision,
            "same_side": self.same_side,
            "kind": np.array(self.kind),
        }

    def __repr__(self) -> str:
        same, sides = int(self.same_decision.sum()), int(self.same_side.sum())
        shares = f"same decision on {same}, same side on {sides}, scores {self.mean_gap:.3f} apart"
        return (
            f"RaterAgreement({self.names[0]} and {self.names[1]}, {counted(self.n_items, 'item')}: {shares})"
        )


_JUDGED = ("scores_of", "decisions_of", "auc", "smauc", "chance_smauc")


def rater_agreement(
    decisions: object,
    scores: object,
    *,
    positive: object = None,
    names: object = None,
    items: object = None,
    scale: object = (0, 1),
    mid: str | float = 0.5,
) -> RaterAgreement:
    """Compare two raters who gave each item a decision and a score: do they really disagree?

    Decisions are compared item by item, and so are scores: whether they lie on the same side of ``mid``, and
    how far apart they are; each with what shuffled items would give. Each rater's scores are judged by their
    own decisions, and by the other's, with a ROC and a smROC curve.

    What the curves can tell: how well scores separate yes from no. A rater's own two curves do not compare
    the raters, since they stay the same whatever the other one said. Curves by the other's decisions do.
    smAUC has no fixed chance level; it means something only beside ``chance_smauc``.

    Parameters
    ----------
    decisions : mapping of rater to array, or pair of arrays
        Of each item: bool, 0/1 or -1/1; any others need ``positive``. A data frame with a column for each
        rater is a mapping.
    scores : mapping of rater to array, or pair of arrays
        Of each item, in the same order; high is liking.
    positive : label or list of labels, optional
        Which decision is yes.
    names : pair of str, optional
        Of the raters, if they are given in order.
    items : array-like, optional
        Names of the items, each once.
    scale : pair of numbers
        The ends of the scale that both raters used, which become 0 and 1: ``(1, 5)`` for five stars.
    mid : float, or {"paper", "clipped"}
        From which a score counts as high, on the scale from 0 to 1: by default from its middle. The paper's
        rule depends on how many items a rater recommends, and can exceed 1; see
        :func:`rocsteady.smroc_curve`.

    Returns
    -------
    RaterAgreement

    Raises
    ------
    UsageError
        RS002 if there are not two raters.
    ColumnError
        RS013 if lengths differ.
    DataError
        RS087 for a score outside the scale; RS035 for an item without a name; RS024 if ``mid`` is the
        paper's and a rater never says yes.

    Warns
    -----
    RocsteadyWarning
        RS265 if a rater gave all items the same decision, by which nothing can be judged.

    References
    ----------
    W. Klement, P. Flach, N. Japkowicz, S. Matwin, "Smooth Receiver Operating Characteristics (smROC)
    Curves", ECML PKDD 2011, section 1.

    Examples
    --------
    >>> import rocsteady as rs
    >>> both = rs.rater_agreement(
    ...     {"Anna": [1, 1, 1, 0, 1, 0], "Jan": [0, 1, 1, 0, 0, 1]},
    ...     {"Anna": [0.52, 0.99, 0.7, 0.4, 0.6, 0.1], "Jan": [0.6, 0.9, 0.8, 0.3, 0.4, 0.7]},
    ... )
    >>> both
    RaterAgreement(Anna and Jan, 6 items: same decision on 3, same side on 4, scores 0.195 apart)
    >>> both.kind[0], round(float(both.gap[0]), 2)
    ('decision only', -0.08)
    >>> both.decision_agreement
    SharedShare(0.500, shuffled 0.500, kappa 0.000)
    >>> both.crossed("Jan")
    Judgement(scores of Jan by decisions of Anna: AUC 0.750, smAUC 0.689, chance about 0.532)
    """
    require_mid(mid)
    ratings = given_ratings(decisions, scores, positive=positive, names=names, items=items, scale=scale)
    _require_own_mids(ratings, mid)
    _warn_of_single_decisions(ratings)
    own_first, own_second, first, second = (
        judged(ratings, of, by, mid) for of, by in ((0, 0), (1, 1), (0, 1), (1, 0))
    )
    mids = _own_mid(ratings, 0, mid, own_first), _own_mid(ratings, 1, mid, own_second)
    columns = [credit(ratings.scores[:, k], ratings.decisions[:, k], mids[k]) for k in (0, 1)]
    return RaterAgreement(
        names=ratings.names,
        items=ratings.items,
        decisions=read_only(ratings.decisions),
        scores=read_only(ratings.scores),
        mid=mids,
        credit=read_only(np.column_stack(columns)),
        judgements=(own_first, own_second, first, second),
    )


def _require_own_mids(ratings: Ratings, mid: str | float) -> None:
    """RS024 if the paper's Mid is asked for and a rater has none."""
    n_yes = ratings.decisions.sum(axis=0).tolist()
    if isinstance(mid, str) and 0 in n_yes:
        raise DataError(
            "RS024",
            f"{ratings.names[n_yes.index(0)]} never says yes, so the paper's Mid divides by zero.",
            f"found: 0 of {counted(len(ratings.items), 'item')} recommended, mid={mid!r}",
            ["the middle of the scale:  ", Option("mid", 0.5)],
        )


def _own_mid(ratings: Ratings, rater: int, mid: str | float, own: Judgement) -> float:
    """From which a score of the rater is high, by their own decisions."""
    if not isinstance(mid, str):
        return float(mid)
    if own.smroc is not None:
        return own.smroc.mid
    return math.fsum(ratings.scores[:, rater].tolist()) / (2 * len(ratings.items))  # yes to all: at most 1/2


def _warn_of_single_decisions(ratings: Ratings) -> None:
    alike = np.all(ratings.decisions == ratings.decisions[0], axis=0).tolist()
    if not any(alike):
        return
    words = (ratings.classes.negative, ratings.classes.positive)
    found = [
        f"{name}: {words[int(said)]} for {counted(len(ratings.items), 'item')}"
        for name, said, is_alike in zip(ratings.names, ratings.decisions[0], alike, strict=True)
        if is_alike
    ]
    whose = listed([name for name, is_alike in zip(ratings.names, alike, strict=True) if is_alike])
    gave, by = ("each gave", "them") if all(alike) else ("gave", "it")
    warn(
        "RS265",
        f"{whose} {gave} one decision only, so no scores can be judged by {by}.",
        "; ".join(found),
        "add items on which the decisions differ; shares and distances hold as they are",
        stacklevel=caller_level(),
    )
