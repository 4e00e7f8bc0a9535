"""Two raters, the same items, a yes or no and a score for each: do they really disagree?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Mask
from rocsteady.curves.from_scores import described, roc_curve
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.smroc import (
    SmrocCurve,
    credit,
    require_mid,
    scored_auc,
    smroc_curve,
    stretched,
    telling,
)
from rocsteady.errors import Option, counted, fail, warn
from rocsteady.options import real_numbers
from rocsteady.results import Result, TableResult, plain, read_only
from rocsteady.scores.columns import Column, Source, read_column, read_columns, score_array
from rocsteady.scores.labels import code_labels
from rocsteady.scores.score_set import stacked
from rocsteady.showing import Drawn, Told
from rocsteady.statistics.group_permutation import midranks
from rocsteady.words import listed, printable


def _two_raters(value: Any, what: str) -> Any:
    """By name, or in order."""
    found: dict[Any, Any] | Sequence[Any] | None = None
    if isinstance(value, Mapping):
        found = dict(value)
    elif hasattr(type(value), "columns") and hasattr(type(value), "__len__"):  # not a lazy frame
        found = {name: value[name] for name in value.columns}
    elif isinstance(value, list | tuple) and all(map(_is_many, value)):
        found = value
    if found is None:
        raise fail("RS002.two-raters", what=what, found=described(value))
    if len(found) != 2:
        names = tuple(printable(str(name)) for name in found) if isinstance(found, dict) else ()
        whose = f": {listed(names)}" if names else ""
        if len(names) > 2:
            raise fail("RS002.many-raters", what=what, n=len(found), whose=whose, pair=tuple(found)[:2])
        raise fail("RS002.raters", what=what, n=len(found), whose=whose)
    return found


def _is_many(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


def _rater_names(decided: Any, scored: Any, names: Any) -> tuple[str, str]:
    if isinstance(decided, dict) != isinstance(scored, dict):
        raise fail("RS002.raters-named-once")
    named: list[Any] = ["rater 1", "rater 2"]
    if isinstance(decided, dict):
        if set(decided) != set(scored):
            raise fail("RS002.other-raters", decisions=decided, scores=scored)
        if names is not None:
            raise fail("RS002.raters-named-twice", names=names)
        named = list(decided)
    elif names is not None:
        named = list(names) if _is_many(names) else []
        if len(named) != 2:
            raise fail("RS002.rater-names", found=names)
    first, second = (printable(str(name)) for name in named)
    if first == second:
        raise fail("RS049.raters", name=first)
    return first, second


def _item_names(column: Column) -> tuple[Any, ...]:
    """RS035 or RS049 for names that do not do."""
    if column.gaps is not None:
        raise fail("RS035.items", n=int(column.gaps.sum()), first=int(np.argmax(column.gaps)))
    named = tuple(column.array.tolist())
    twice = [name for name, n in Counter(map(str, named)).items() if n > 1]
    if twice:
        raise fail("RS049.items", items=twice)
    return named


def _unit_scores(column: Column, rater: str, source: Source, low: float, high: float) -> Floats:
    numbers = score_array(column, source).astype(np.float64)
    outside = (numbers < low) | (numbers > high)
    if outside.any():
        first = int(np.argmax(outside))
        found = map(float, (numbers[first], numbers.min(), numbers.max()))
        beyond, lowest, highest = (telling(number, low, high) for number in found)
        ends = {"low": low, "high": high, "lowest": lowest, "highest": highest}
        raise fail("RS087.scale", rater=rater, found=beyond, row=first, **ends)
    return stretched(numbers, low, high)


# What two raters are compared by: shares of agreement, and scores judged by decisions
# ------------------------------------------------------------------------------------


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

    _line = "{observed:.3f}, shuffled {expected:.3f}, kappa {kappa:.3f}"

    @classmethod
    def _of(cls, flags: Mask) -> SharedShare:
        """How often two columns are the same, whatever they say of an item."""
        n_items = flags.shape[0]
        first, second = flags.sum(axis=0).tolist()
        same = int(np.count_nonzero(flags[:, 0] == flags[:, 1]))
        # In whole numbers until the last division, so that full agreement is 1 and none is 0.
        n_pairs, expected = n_items * n_items, first * second + (n_items - first) * (n_items - second)
        kappa = (same * n_items - expected) / (n_pairs - expected) if expected < n_pairs else math.nan
        return cls(same / n_items, expected / n_pairs, kappa)


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

    _line = (
        "scores of {scores_of} by decisions of {decisions_of}: "
        "AUC {auc:.3f}, smAUC {smauc:.3f}, chance about {chance_smauc:.3f}"
    )

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


# Two raters, the same items, a yes or no and a score for each: do they really disagree?
# --------------------------------------------------------------------------------------

KINDS = ("agree", "decision only", "side only", "decision and side")
"""In what two raters differ on an item."""


@dataclass(frozen=True, eq=False, repr=False)
class RaterAgreement(Told, Drawn, TableResult, figure="agreement", sentence="curves.rater_agreement"):
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
    decisions: Mask
    scores: Floats
    mid: tuple[float, float]
    credit: Floats
    judgements: tuple[Judgement, Judgement, Judgement, Judgement]

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.items)

    @cached_property
    def is_high(self) -> Mask:
        """Which scores reach Mid, of shape (items, 2)."""
        return read_only(self.scores >= np.array(self.mid))

    @cached_property
    def same_decision(self) -> Mask:
        """On which items both decided alike."""
        return read_only(self.decisions[:, 0] == self.decisions[:, 1])

    @cached_property
    def same_side(self) -> Mask:
        """On which items both scores are high, or both are low."""
        return read_only(self.is_high[:, 0] == self.is_high[:, 1])

    @cached_property
    def contradicts_own(self) -> Mask:
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
        return SharedShare._of(self.decisions)

    @cached_property
    def side_agreement(self) -> SharedShare:
        """How often the scores are on the same side of Mid."""
        return SharedShare._of(self.is_high)

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
        return self._mean_gap(self.same_decision)

    @property
    def gap_where_decisions_differ(self) -> float:
        """The mean distance on those items; NaN if there are none."""
        return self._mean_gap(~self.same_decision)

    def _mean_gap(self, where: Mask) -> float:
        return float(np.abs(self.gap[where]).mean()) if where.any() else math.nan

    @cached_property
    def rank_correlation(self) -> float:
        """Spearman's, of the scores; NaN if a rater gave all items the same score."""
        first, second = (midranks(column)[0] - (self.n_items + 1) / 2 for column in self.scores.T)
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
        raise fail("RS001.rater", found=rater, known=self.names, first=self.names[0])

    _told = (
        *("decision_agreement", "side_agreement", "mean_gap", "expected_gap", "gap_where_decisions_agree"),
        *("gap_where_decisions_differ", "rank_correlation", "kind", "n_of_kind"),
    )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry; of the curves, only their areas."""
        told = ("scores_of", "decisions_of", "auc", "smauc", "chance_smauc")
        judged = [{name: plain(getattr(own, name)) for name in told} for own in self.judgements]
        items = [name if isinstance(name, str | int | float) else str(name) for name in self.items]
        return super().to_dict() | {"items": plain(items), "judgements": judged}

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
    own decisions, and by the other's, with a ROC and a smROC curve. A rater's own two curves stay the same
    whatever the other one said, so only curves by the other's decisions compare the raters. smAUC has no
    fixed chance level; read it beside ``chance_smauc``.

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
        rule depends on how many items a rater recommends; see :func:`rocsteady.smroc_curve`.

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
    decided, scored = _two_raters(decisions, "decisions"), _two_raters(scores, "scores")
    raters = _rater_names(decided, scored, names)
    # Scores may name the raters in another order.
    keys: list[Any] = list(decided) if isinstance(decided, dict) else [0, 1]
    sources = [Source(row=lambda row, name=name: f"row {row} of {name}") for name in raters]  # type: ignore[misc]
    said = [read_column(decided[keys[k]], "label", sources[k]) for k in (0, 1)]
    rated = [read_column(scored[keys[k]], "score", sources[k]) for k in (0, 1)]
    columns = {
        f"{what}[{own!r}]": column
        for what, both in (("decisions", said), ("scores", rated))
        for own, column in zip(raters, both, strict=True)
    }
    if items is not None:
        columns["items"] = read_column(items, "item")
    read_columns(columns)  # equally long, with one index
    n_items = len(said[0])
    ends = real_numbers("scale", scale, example=(0, 1))  # type: ignore[arg-type]
    if ends.shape != (2,) or not np.isfinite(ends).all() or not ends[0] < ends[1]:
        ways = [Option("scale", (1, 5))]
        raise fail("RS042", name="scale", where="a pair low < high", found=scale, ways=ways)
    low, high = ends.tolist()
    units = np.column_stack([_unit_scores(rated[k], raters[k], sources[k], low, high) for k in (0, 1)])
    # Coded together: one rater alone may have said only yes, or only no.
    source = Source(row=lambda row: f"row {row % n_items} of {raters[row // n_items]}")
    labels, classes = code_labels(stacked(said), positive, source)
    flags = labels.view(np.bool_).reshape(2, n_items).T
    named = tuple(range(1, n_items + 1)) if items is None else _item_names(columns["items"])
    n_yes = flags.sum(axis=0).tolist()
    if isinstance(mid, str) and 0 in n_yes:
        raise fail("RS024.no-mid", rater=raters[n_yes.index(0)], n=n_items, mid=mid)
    alike = [k for k in (0, 1) if n_yes[k] in (0, n_items)]
    words, n = (classes.negative, classes.positive), counted(n_items, "item")
    told = "; ".join(f"{raters[k]}: {words[bool(n_yes[k])]} for {n}" for k in alike)
    if len(alike) == 2:
        warn("RS265.both", raters=raters, said=told)
    elif alike:
        warn("RS265.one", rater=raters[alike[0]], said=told)

    def judged(of: int, by: int) -> Judgement:
        """The scores of one by the decisions of one."""
        if n_yes[by] in (0, n_items):
            return Judgement(raters[of], raters[by], None, None)
        name = raters[of] if of == by else f"{raters[of]} by {raters[by]}"
        roc = roc_curve(flags[:, by], units[:, of], name=name)
        smroc = smroc_curve(flags[:, by], units[:, of], mid=mid, name=name)
        return Judgement(raters[of], raters[by], roc, smroc)

    def own_mid(rater: int) -> float:
        """From which a score of the rater is high, by their own decisions."""
        if not isinstance(mid, str):
            return float(mid)
        own = judgements[rater].smroc
        if own is not None:
            return own.mid
        return math.fsum(units[:, rater].tolist()) / (2 * n_items)  # yes to all: at most 1/2

    judgements = (judged(0, 0), judged(1, 1), judged(0, 1), judged(1, 0))
    mids = own_mid(0), own_mid(1)
    earned = np.column_stack([credit(units[:, k], flags[:, k], mids[k]) for k in (0, 1)])
    arrays = read_only(flags), read_only(units), mids, read_only(earned)
    return RaterAgreement(raters, named, *arrays, judgements)
