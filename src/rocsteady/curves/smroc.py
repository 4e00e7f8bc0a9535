"""smROC curves: magnitudes of scores as well as their order (Klement et al.); the scored AUC of Wu et al."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady._kernels.reference import Long
from rocsteady.arrays import Counts, Floats, Mask
from rocsteady.counting.table import count_table
from rocsteady.curves.curve_set import Curves, refuse_undefined
from rocsteady.curves.from_scores import given_scores, is_score_set
from rocsteady.curves.readings import (
    Path,
    cases_of,
    compensated_sum,
    require_both_classes,
    scalar_or_array,
)
from rocsteady.curves.roc import RocCurve
from rocsteady.errors import (
    Option,
    Remedy,
    RocsteadyError,
    RocsteadyWarning,
    caller_level,
    caution,
    fail,
    near_match,
)
from rocsteady.options import one_number, one_of, real_numbers, whole_number
from rocsteady.results import Result, TableResult, read_only
from rocsteady.scores.columns import Lack, LeftOut, require_single_cases, unknown_name
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Scores
from rocsteady.showing import Drawn, Told
from rocsteady.words import counted, grouped, percent, printable

MIDS = ("paper", "clipped")
_LEAST_WEIGHT = 1e-290
"""Of a class: products of less with a score would lose digits."""


_CALLED = {"auc": "smauc", "chance_auc": "chance_smauc", "own_auc": "own_smauc"}


class SmaucNamed:
    """A value whose area is a smAUC, and so called in its plain data."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry; areas are called ``smauc``, ``roc_auc`` is the ordinary one."""
        found: dict[str, Any] = super().to_dict()  # type: ignore[misc]
        return {_CALLED.get(name, name): own for name, own in found.items()}


def telling(number: float, *marks: float, digits: int = 6) -> str:
    """The number, rounded, but not across any of the marks or onto one.

    >>> telling(1.00001, 0, 1, digits=4), telling(0.7272727, 0, 1, digits=4), telling(1.0, 0, 1)
    ('1.00001', '0.7273', '1')
    """
    for n_digits in range(digits, 18):
        text = f"{number:.{n_digits}g}"
        if all((float(text) > mark, float(text) < mark) == (number > mark, number < mark) for mark in marks):
            return text
    return repr(number)


def mid_word(mid: float, *, digits: int = 4) -> str:
    """Mid in a sentence; whether it is outside (0, 1] can be seen."""
    return telling(mid, 0.0, 1.0, digits=digits)


def is_outside(mid: Floats) -> Mask:
    """Which Mids leave (0, 1], so that all scores are on one side.

    >>> is_outside(np.array([0.0, 0.5, 1.0, 1.5])).tolist()
    [True, False, False, True]
    """
    return np.asarray((mid <= 0) | (mid > 1))


# Rows as smROC needs them: scores in [0, 1] that speak for the positive class, counted by distinct score
# -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SmrocRows:
    """Scores in [0, 1] of one set of cases, and how many of each class have each distinct one.

    Cases are in input order; ``levels`` are the distinct scores on that scale, falling; ``roc`` is the
    ordinary curve of the same cases, its thresholds in the caller's units.
    """

    scores: Floats
    is_positive: Mask
    weights: Floats | None
    levels: Floats
    roc: RocCurve

    @cached_property
    def counts(self) -> tuple[Counts, Counts]:
        """Positives and negatives with each distinct score, or their weight."""
        return np.diff(self.roc.true_positives), np.diff(self.roc.false_positives)

    @cached_property
    def paper_mid(self) -> float:
        """The paper's Mid: half the sum of all scores over the number of positives."""
        weights = np.ones(self.scores.size) if self.weights is None else self.weights
        # A power of two keeps the largest from overflow; products and what they round away are both summed,
        # so that weights count as repetitions do.
        weights = np.ldexp(weights, -max(int(np.frexp(weights.max())[1]) - 900, 0))
        products = np.concatenate(Long(weights, np.zeros_like(weights)).times(self.scores))
        exact = _exact_sum(products) / (2 * _exact_sum(weights[self.is_positive]))
        try:
            mid = float(exact)
        except OverflowError:  # next to no weight of positives
            return math.inf
        # A score at Mid is high, so one below it must not come to lie at it by rounding.
        return math.nextafter(mid, math.inf) if mid < exact and (self.levels == mid).any() else mid


def _exact_sum(values: Floats) -> Fraction:
    """The sum, to twice the digits of a float: rounded, and what that left over."""
    terms = values.tolist()
    total = math.fsum(terms)
    return Fraction(total) + Fraction(math.fsum([*terms, -total]))


def smroc_rows(given: Scores, rescale: str | None, name: str | None) -> SmrocRows:
    """Check and count the rows.

    RS087 if a score lies outside [0, 1] and no rescaling is asked for; RS088 if the scores cannot be
    rescaled; RS024 if a class is missing, RS037 if it weighs next to nothing.
    """
    if rescale is not None:
        one_of("rescale", rescale, ("min-max",))
    require_single_cases(given.columns, "smROC curves use the scores of")
    table, columns = count_table(given), given.columns
    roc = RocCurve._of_table(table, name, given)
    require_both_classes(roc.n_positives, roc.n_negatives, name)
    lightest = min(roc.n_positives, roc.n_negatives)
    if lightest < _LEAST_WEIGHT:
        raise fail("RS037.light", name=name, weight=lightest)
    low, high = sorted((float(table.thresholds[1]), float(table.thresholds[-1])))
    can_stretch = math.isfinite(low) and math.isfinite(high) and low < high
    if rescale is not None and not can_stretch:
        raise fail("RS088.stretch", whose=name or "the scores", low=low, high=high)
    if rescale is None:
        if low < 0 or high > 1:
            facts = {"name": name, "low": telling(low, 0, 1), "high": telling(high, 0, 1)}
            raise fail("RS087.stretchable" if can_stretch else "RS087.outside", **facts)
        low, high = 0.0, 1.0

    def levels(scores: NDArray[Any]) -> Floats:
        found = stretched(scores.astype(np.float64), low, high)
        return read_only(found if columns.higher_is_positive else 1.0 - found)

    is_positive = read_only(columns.labels == columns.positive)
    return SmrocRows(levels(columns.scores), is_positive, columns.weights, levels(table.thresholds[1:]), roc)


def stretched(scores: Floats, low: float, high: float) -> Floats:
    """Finite scores on a scale from 0 to 1, of which ``low`` and ``high`` are the ends."""
    if (low, high) == (0.0, 1.0):
        return scores  # to the last digit
    if not math.isfinite(high - low):
        scores, low, high = scores / 2, low / 2, high / 2
    return np.clip((scores - low) / (high - low), 0.0, 1.0)


# Credit: how much of a case's step goes up. The rest, its debit, goes right
# --------------------------------------------------------------------------


def credit(scores: Floats, is_positive: NDArray[np.bool_], mid: float) -> Floats:
    """The credit of every case; Theta in the paper (Definition 1)."""
    return np.where(is_positive == (scores >= mid), scores, 1.0 - scores)


def credit_steps(levels: Floats, positives: Any, negatives: Any, mid: float) -> tuple[Floats, Floats]:
    """How far up and how far right each distinct score goes: the credit and the debit of all its cases."""
    is_high = levels >= mid
    of_positives = np.where(is_high, levels, 1.0 - levels)
    of_negatives = np.where(is_high, 1.0 - levels, levels)  # what a positive here would not earn
    up = positives * of_positives + negatives * of_negatives
    right = positives * of_negatives + negatives * of_positives
    return up, right


def chance_steps(rows: SmrocRows, mid: float) -> tuple[Floats, Floats]:
    """The same if labels had nothing to do with scores: every case earns what it would on average."""
    cases, n_cases = rows.counts[0] + rows.counts[1], rows.roc.n_positives + rows.roc.n_negatives
    # Not one minus the other: the rarer class would vanish beside a very heavy one.
    positive, negative = rows.roc.n_positives / n_cases, rows.roc.n_negatives / n_cases
    return credit_steps(rows.levels, cases * positive, cases * negative, mid)


def path(steps: Floats) -> Floats:
    """Sums of steps, from 0."""
    return read_only(np.concatenate([[0.0], np.cumsum(steps)]))


def enlarged(up: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Steps times a power of two, which changes no digit: products of the smallest would vanish."""
    exponent = np.frexp(up.sum(axis=-1, keepdims=True) + right.sum(axis=-1, keepdims=True))[1]
    return np.ldexp(up, 400 - exponent), np.ldexp(right, 400 - exponent)


def area(up: Floats, right: Floats) -> float:
    """The area under a path, NaN if it does not go both up and right."""
    if not (up[-1] > 0 and right[-1] > 0):
        return math.nan
    # Each axis by itself to about 1: a debit may be as small as a float can be.
    up, right = (np.ldexp(steps, -math.frexp(steps[-1])[1]) for steps in (up, right))
    won = float(np.sum(np.diff(right) * (up[1:] + up[:-1])))
    lost = float(np.sum(np.diff(up) * (right[1:] + right[:-1])))
    return won / (won + lost)


# Appropriateness: whose scores agree with their labels (Figure 3 of Klement et al.)
# ----------------------------------------------------------------------------------

_CELLS = ("high_positives", "low_negatives", "low_positives", "high_negatives")


@dataclass(frozen=True, eq=False, repr=False)
class Appropriateness(Drawn, TableResult, figure="appropriateness"):
    """How many scores agree with their labels: high positives and low negatives do.

    Attributes
    ----------
    high_positives, low_negatives : int (float if weighted)
        Appropriate; H+ and L- in the paper. They earn their score.
    low_positives, high_negatives : int (float if weighted)
        Inappropriate; L+ and H-. They earn one minus their score.
    credits : dict of str to float
        What all cases of each kind earn: how far they go up. They go right by what is missing to their
        number.
    mid : float
        From which a score is high.

    Examples
    --------
    >>> import rocsteady as rs
    >>> found = rs.smroc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1], mid=0.5).appropriateness
    >>> found
    Appropriateness(60.0 % appropriate at Mid 0.5: H+ 2, L- 1, L+ 1, H- 1)
    >>> found.appropriate.tolist(), found.inappropriate.tolist()
    ([[2, 0], [0, 1]], [[0, 1], [1, 0]])
    """

    high_positives: Any
    low_negatives: Any
    low_positives: Any
    high_negatives: Any
    credits: dict[str, float]
    mid: float

    @property
    def appropriate(self) -> NDArray[Any]:
        """The confusion matrix of the appropriate scores: rows high, low; columns positive, negative."""
        return np.array([[self.high_positives, 0], [0, self.low_negatives]])

    @property
    def inappropriate(self) -> NDArray[Any]:
        """The confusion matrix of the inappropriate scores: rows high, low; columns positive, negative."""
        return np.array([[0, self.high_negatives], [self.low_positives, 0]])

    @property
    def share(self) -> float:
        """The share of cases whose scores are appropriate."""
        found = self.high_positives + self.low_negatives
        return float(found / (found + self.low_positives + self.high_negatives))

    @property
    def share_of_positives(self) -> float:
        """The share of positives whose scores are high."""
        return float(self.high_positives / (self.high_positives + self.low_positives))

    @property
    def share_of_negatives(self) -> float:
        """The share of negatives whose scores are low."""
        return float(self.low_negatives / (self.low_negatives + self.high_negatives))

    _told = ("share", "share_of_positives", "share_of_negatives")

    def _columns(self) -> dict[str, Any]:
        counts, earned = ([own[cell] for cell in _CELLS] for own in (vars(self), self.credits))
        return {
            "cases": list(_CELLS),
            "is_positive": [True, False, True, False],
            "is_high": [True, False, False, True],
            "is_appropriate": [True, True, False, False],
            "count": counts,
            "credit": earned,
            "debit": [float(count - own) for count, own in zip(counts, earned, strict=True)],
        }

    def __repr__(self) -> str:
        names = ("H+", "L-", "L+", "H-")
        counts = ", ".join(f"{n} {getattr(self, c):g}" for n, c in zip(names, _CELLS, strict=True))
        return f"Appropriateness({percent(self.share)} appropriate at Mid {mid_word(self.mid)}: {counts})"


# What smAUC is by chance: the scores as they are, the labels dealt at random
# ---------------------------------------------------------------------------

_BLOCK = 2_000_000  # labels held at a time
_ALIKE = 1e-12  # areas this close are equal, and differ by rounding


@dataclass(frozen=True, eq=False, repr=False)
class PermutedSmauc(SmaucNamed, Result):
    """smAUC with labels dealt at random.

    Attributes
    ----------
    values : float64 array
        One per permutation; NaN where it is undefined.
    mean, sd : float
        Of the defined values.
    auc : float
        smAUC with the labels as they are.
    pvalue : float
        The share of permutations that do as well or better, the actual labels counted as one of them; an
        undefined value counts as better. NaN if smAUC itself is undefined.
    seed : int
        Of the random numbers.
    """

    values: Floats
    mean: float
    sd: float
    auc: float
    pvalue: float
    seed: int

    _line = "{values:count permutation}: mean {mean:.4f}, sd {sd:.4f}, p = {pvalue:.3g}"


def share_as_large(values: Floats, actual: float) -> float:
    """The share of areas as large as the actual one, which counts among them."""
    if np.isnan(actual):
        return np.nan
    worse = int(np.sum(values < actual - _ALIKE))
    return (1 + values.size - worse) / (1 + values.size)  # one division: 1 - 190/200 exceeds 0.05


def _drawn_positives(
    rng: np.random.Generator, cases: NDArray[np.int64], n_positives: int, n_draws: int
) -> NDArray[np.int64]:
    """How many positives each distinct score gets, ``(n_draws, n_distinct)``."""
    if cases.size < cases.sum() / 4:
        return rng.multivariate_hypergeometric(cases, n_positives, size=n_draws, method="marginals")
    labels = np.zeros((n_draws, int(cases.sum())), dtype=np.int64)
    labels[:, :n_positives] = 1
    dealt = rng.permuted(labels, axis=1)
    return np.add.reduceat(dealt, np.cumsum(cases) - cases, axis=1)


def areas_of_counts(levels: Floats, positives: Counts, negatives: Counts, mid: Any) -> Floats:
    """The smAUC of each row of counts; ``mid`` is one for all, or a column."""
    up, right = enlarged(*credit_steps(levels, positives, negatives, mid))
    before = np.cumsum(up, axis=1) - up / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((before * right).sum(axis=1) / (up.sum(axis=1) * right.sum(axis=1)))


# smAUC as Mid sweeps from 0 to 1: constant between scores, so exact with one value per distinct score
# ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class MidProfile(SmaucNamed, Drawn, TableResult, figure="mid_profile"):
    """smAUC, and its chance level, for every Mid.

    Attributes
    ----------
    mid : float64 array
        Those asked for. Of an exact profile the last Mid of each piece, rising: all Mids above ``after`` and
        up to this one give the same curve.
    after : float64 array or None
        Of an exact profile, where each piece begins; it does not belong to it. None at chosen Mids.
    auc, chance_auc : float64 array
        smAUC, and about what labels dealt at random would give; NaN where it is undefined.
    own_mid, own_auc : float
        Of the curve that the profile is of.
    roc_auc : float
        The ordinary AUC, which needs no Mid.
    name : str or None
        Of the curve.
    """

    mid: Floats
    after: Floats | None
    auc: Floats
    chance_auc: Floats
    own_mid: float
    own_auc: float
    roc_auc: float
    name: str | None

    _in_frame = "after, mid, smauc=auc, chance_smauc=chance_auc"

    @property
    def is_exact(self) -> bool:
        """Whether it holds every piece of the profile rather than some Mids."""
        return self.after is not None

    def __repr__(self) -> str:
        name = f"{printable(self.name)}: " if self.name is not None else ""
        defined = self.auc[~np.isnan(self.auc)]
        areas = f"smAUC {defined.min():.3f} to {defined.max():.3f}" if defined.size else "smAUC undefined"
        return f"MidProfile({name}{counted(self.mid.size, 'piece' if self.is_exact else 'Mid')}, {areas})"


def _profile_areas(up: Floats, right: Floats) -> Floats:
    """The area if the lowest 0, 1, ... distinct scores are low, from the steps if all are high."""
    up, right = enlarged(up[::-1], right[::-1])  # lowest score first, to follow a rising Mid
    high_up, high_right = path(up[::-1])[::-1], path(right[::-1])[::-1]
    low_up, low_right = path(right), path(up)  # low: the two change places
    within_high = path((right * (high_up[1:] + up / 2))[::-1])[::-1]
    within_low = path(right * (low_right[:-1] + up / 2))
    won = within_low + high_up * low_right + within_high
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(won / ((high_up + low_up) * (high_right + low_right)))


# ``smroc_curve``: the curve of Klement et al., with its chance level
# -------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class SmrocCurve(SmaucNamed, Path, Told, Drawn, TableResult, figure="smroc", sentence="curves.smroc_curve"):
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
    >>> curve.credit.tolist(), round(curve.roc_auc, 3)
    ([0.9, 0.8, 0.4, 0.6, 0.1], 0.833)
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
        """The share of all debit at or beyond each threshold; NaN without any. No false positive rate."""
        return _shares(self.credit_right)

    @cached_property
    def tpr(self) -> Floats:
        """The share of all credit at or beyond each threshold; NaN without any. No true positive rate."""
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
        return self._rows.roc.higher_is_positive

    @property
    def is_weighted(self) -> bool:
        """Whether cases have weights."""
        return self._rows.weights is not None

    @property
    def n_positives(self) -> Any:
        """Number of positives (their weight if weighted)."""
        return self._rows.roc.n_positives

    @property
    def n_negatives(self) -> Any:
        """Number of negatives (their weight if weighted)."""
        return self._rows.roc.n_negatives

    @property
    def roc_auc(self) -> float:
        """The ordinary AUC of the same scores, for contrast."""
        return self._rows.roc.auc

    def roc(self) -> RocCurve:
        """The ordinary ROC curve of the same cases; cut-offs, costs and rates are read from that."""
        return self._rows.roc

    def with_mid(self, mid: str | float) -> SmrocCurve:
        """The curve of the same scores with another Mid: ``"paper"``, ``"clipped"`` or a number."""
        return _announced(curve_of(self._rows, mid, self.name))

    @property
    def appropriateness(self) -> Appropriateness:
        """Whose scores agree with their labels, at this Mid."""
        levels, (positives, negatives) = self._rows.levels, self._rows.counts
        is_high = levels >= self.mid
        cases = (positives * is_high, negatives * ~is_high, positives * ~is_high, negatives * is_high)
        worth = (levels, levels, 1.0 - levels, 1.0 - levels)
        earned = [float((own * each).sum()) for own, each in zip(cases, worth, strict=True)]
        counts: dict[str, Any] = {cell: own.sum().item() for cell, own in zip(_CELLS, cases, strict=True)}
        return Appropriateness(**counts, credits=dict(zip(_CELLS, earned, strict=True)), mid=self.mid)

    def mid_profile(self, mids: ArrayLike | None = None) -> MidProfile:
        """The smAUC and its chance level for every Mid in (0, 1], exactly; or at some.

        Parameters
        ----------
        mids : array-like, optional
            Where to look; any finite numbers. By default every piece of the profile: smAUC changes only
            where Mid passes a score.

        Examples
        --------
        >>> import rocsteady as rs
        >>> profile = rs.smroc_curve([1, 0, 1, 0], [0.9, 0.6, 0.4, 0.1]).mid_profile()
        >>> profile
        MidProfile(5 pieces, smAUC 0.500 to 0.803)
        >>> profile.mid.tolist(), profile.auc.round(3).tolist()
        ([0.1, 0.4, 0.6, 0.9, 1.0], [0.5, 0.803, 0.775, 0.803, 0.5])
        """
        rows, after = self._rows, None
        rising = rows.levels[::-1]
        if mids is None:
            # A Mid equal to a score leaves it high, so a piece ends at its score.
            ends = np.unique(np.append(rising[rising > 0], 1.0))
            after = read_only(np.concatenate([[0.0], ends[:-1]]))
        else:
            ends = np.atleast_1d(real_numbers("mids", mids, example=[0.25, 0.5, 0.75])).ravel()
            if not ends.size or not np.isfinite(ends).all():
                raise fail("RS042.mids", found=mids)
        n_low = np.searchsorted(rising, ends, side="left")
        steps = credit_steps(rows.levels, *rows.counts, -np.inf), chance_steps(rows, -np.inf)
        auc, chance_auc = (read_only(_profile_areas(*own)[n_low]) for own in steps)
        own = (self.mid, self.auc, self.roc_auc, self.name)
        return MidProfile(read_only(ends), after, auc, chance_auc, *own)

    def permuted(self, n_permutations: int = 1000, seed: int = 0) -> PermutedSmauc:
        """The smAUC with labels dealt at random, many times: its chance level by simulation, and a p-value.

        The mean differs from ``chance_auc`` by a term of order 1/n, about 0.006 for ten cases: there, every
        case has its mean credit; here, credit and the sums it is divided by vary together.

        Parameters
        ----------
        n_permutations, seed : int
            How many times labels are dealt, and the start of the random numbers.

        Examples
        --------
        >>> import rocsteady as rs
        >>> curve = rs.smroc_curve([1, 1, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1])
        >>> dealt = curve.permuted(500)
        >>> bool(abs(dealt.mean - curve.chance_auc) < 0.02), dealt.pvalue < 0.1
        (True, True)
        """
        n_permutations = whole_number("n_permutations", n_permutations, least=1, example=1000)
        seed = whole_number("seed", seed, least=0, example=0)
        rows = self._rows
        if rows.weights is not None:
            raise fail("RS088.weighted")
        # Mid stays, because the sum of scores and the number of positives do.
        cases, rng = rows.counts[0] + rows.counts[1], np.random.default_rng(seed)
        block = max(1, _BLOCK // int(cases.sum()))
        sizes = (min(block, n_permutations - start) for start in range(0, n_permutations, block))
        drawn = (_drawn_positives(rng, cases, self.n_positives, n) for n in sizes)
        values = np.concatenate([areas_of_counts(rows.levels, own, cases - own, self.mid) for own in drawn])
        actual = float(areas_of_counts(rows.levels, rows.counts[0][None], rows.counts[1][None], self.mid)[0])
        defined = values[~np.isnan(values)]
        mean = float(defined.mean()) if defined.size else np.nan
        sd = float(defined.std(ddof=1)) if defined.size > 1 else np.nan
        return PermutedSmauc(read_only(values), mean, sd, self.auc, share_as_large(values, actual), seed)

    _told = ("fpr", "tpr", "auc", "roc_auc", "n_positives", "n_negatives", "higher_is_positive")
    _in_frame = "thresholds, credit_up, credit_right, fpr, tpr"

    def __repr__(self) -> str:
        areas = f"smAUC {self.auc:.3f}, chance about {self.chance_auc:.3f}"
        return f"SmrocCurve({cases_of(self)}, Mid {mid_word(self.mid)} ({self.mid_rule}), {areas})"


def _shares(path: Floats) -> Floats:
    total = path[-1]
    return read_only(path / total if total > 0 else np.full(path.shape, np.nan))


@overload
def smroc_curve(  # type: ignore[overload-overlap]
    labels: ScoreSet,
    *,
    mid: str | float = "paper",
    rescale: str | None = None,
    undefined: str = "raise",
) -> SmrocCurves: ...
@overload
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
    undefined: str = "raise",
) -> SmrocCurve: ...
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
    undefined: str = "raise",
) -> SmrocCurve | SmrocCurves:
    """The smROC curve of one set of scores, or of every group (Klement, Flach, Japkowicz & Matwin).

    A ROC curve sees the order of the scores only. This one also sees how confident they are: each case goes
    up by its credit and right by the rest. Its area has no fixed chance level, so compare it with
    ``.chance_auc`` before anything else.

    Parameters
    ----------
    labels : array-like, Scores or ScoreSet
        The true class of each row: bool, 0/1 or -1/1; any other labels need ``positive``. A
        :class:`Scores` as the only argument brings its labels, scores, weights, direction and name along; a
        :class:`ScoreSet` has a curve for each group, with its own Mid unless one is given.
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
    undefined : {"raise", "drop"}
        Of many groups: what to do about those with one class, which have no curve, and about curves whose
        area is undefined: an error that names them, or leave them out and list them in ``.undefined``.

    Returns
    -------
    SmrocCurve, or SmrocCurves

    Raises
    ------
    DataError
        RS087 for scores outside [0, 1].

    Warns
    -----
    RocsteadyWarning
        RS260 each time (once for a set) Mid lies outside (0, 1], with the chance level; RS261 if smAUC is
        undefined.

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
    >>> folds = [([1, 0, 1, 0], [0.9, 0.4, 0.3, 0.2]), ([1, 1, 0, 0], [0.8, 0.6, 0.6, 0.1])]
    >>> rs.smroc_curve(rs.ScoreSet.from_folds(folds), mid=0.5)
    SmrocCurves(2 folds, mean smAUC 0.745, chance about 0.500)
    """
    if is_score_set(labels) and (scores, positive, sample_weight, name) == (None,) * 4 and higher_is_positive:
        return _of_groups(labels, mid, rescale, undefined)
    given = given_scores("smroc_curve", labels, scores, positive, sample_weight, higher_is_positive, name)
    require_mid(mid)
    name = given.name if name is None else name
    return _announced(curve_of(smroc_rows(given, rescale, name), mid, name))


def require_mid(mid: object) -> str | float:
    """``mid`` if it is a known word or a finite number, else RS001 or RS042."""
    if isinstance(mid, str) and mid not in MIDS:
        ways = [Option("mid", near_match(mid, MIDS) or MIDS[0]), Option("mid", 0.5)]
        known = f"{', '.join(map(repr, MIDS))}, or a number"
        raise fail("RS001.choice", name="mid", value=mid, known=known, ways=ways)
    if isinstance(mid, str):
        return mid
    number = one_number("mid", mid)
    if not math.isfinite(number):
        raise fail("RS042", name="mid", where="a finite number", found=number, ways=[Option("mid", 0.5)])
    return number


def curve_of(rows: SmrocRows, mid: str | float, name: str | None) -> SmrocCurve:
    """The curve of checked rows; nothing is said about its Mid."""
    mid = require_mid(mid)
    rule = mid if isinstance(mid, str) else "given"
    if isinstance(mid, str):
        mid = rows.paper_mid if mid == "paper" else min(rows.paper_mid, 1.0)
    up, right = map(path, credit_steps(rows.levels, *rows.counts, mid))
    return SmrocCurve(
        thresholds=rows.roc.thresholds,
        credit_up=up,
        credit_right=right,
        credit=read_only(credit(rows.scores, rows.is_positive, mid)),
        mid=float(mid),
        mid_rule=rule,
        chance_auc=area(*map(path, chance_steps(rows, mid))),
        name=name,
        _rows=rows,
    )


def _announced(curve: SmrocCurve) -> SmrocCurve:
    """The curve, after its warnings: RS260 if Mid is outside (0, 1], RS261 if there is no area."""
    if not 0 < curve.mid <= 1:
        _warn_of_mid(curve, curve.name)
    if math.isnan(curve.auc):
        lacking, other = ("right", "up") if curve.total_credit > 0 else ("up", "right")
        weight = max(curve.total_credit, curve.total_debit)
        _loudly(caution("RS261", name=curve.name, lacking=lacking, other=other, weight=weight))
    return curve


def _warn_of_mid(curve: SmrocCurve, name: str | None) -> None:
    """RS260 for one curve."""
    side, other = ("high", "negative") if curve.mid <= 0 else ("low", "positive")
    facts = {"auc": _number(curve.auc), "chance_auc": _number(curve.chance_auc), "mid": mid_word(curve.mid)}
    _loudly(caution("RS260.one", name=name, side=side, inappropriate=other, **facts))


def _number(area: Any) -> str:
    return "undefined" if math.isnan(area) else f"{area:.4f}"


def _loudly(warning: RocsteadyWarning) -> None:
    """Warn at the caller's line each time, not once for the line; filters apply."""
    frame = sys._getframe(caller_level() - 2)  # a stacklevel of 2 is this very function
    warnings.warn_explicit(
        warning,
        category=RocsteadyWarning,
        filename=frame.f_code.co_filename,
        lineno=frame.f_lineno,
        module=frame.f_globals.get("__name__", "<unknown>"),
    )


# The smROC curve of every group of a set
# ---------------------------------------------------------

_OF_EACH = ("n_positives", "n_negatives", "mid", "auc", "chance_auc", "roc_auc")
_MOST_MODELS = 4  # whose means fit on one line


@dataclass(frozen=True, eq=False, repr=False)
class SmrocCurves(Curves[SmrocCurve], figure="smroc"):
    """The smROC curves of a set of groups, made by :func:`rocsteady.smroc_curve`.

    A sequence: ``len``, iteration, ``curves[0]`` and ``curves["fold 3"]`` give :class:`SmrocCurve`.

    Attributes
    ----------
    curves, names : tuples
        One per group that has a curve.
    undefined : tuple of str
        Groups without a curve, or without an area, and why.
    unit : str
        The word for a group.
    classes : Classes or None
        The words for the two classes.
    models, groups : tuple of str
        The model and the group of each curve; ``models`` is empty if none were named.
    design : Design
        How the scores came about.

    Examples
    --------
    >>> import rocsteady as rs
    >>> sick, score = [1, 0, 1, 0], {"old": [0.9, 0.6, 0.4, 0.1], "new": [0.9, 0.3, 0.8, 0.2]}
    >>> curves = rs.smroc_curve(rs.ScoreSet.from_arrays(sick, score), mid=0.5)
    >>> curves
    SmrocCurves(2 models, smAUC: old 0.775, new 0.828; chance about 0.500, 0.500)
    >>> curves.model("new").auc.round(3).tolist()
    [0.828]
    """

    curves: tuple[SmrocCurve, ...]
    names: tuple[str, ...]
    undefined: tuple[str, ...]
    unit: str
    classes: Classes | None
    models: tuple[str, ...]
    groups: tuple[str, ...]
    design: Design = ASSUMED

    @classmethod
    def of(cls, curves: Sequence[SmrocCurve]) -> SmrocCurves:
        """Curves of nobody knows what, each by its name."""
        names = tuple(own.name or f"curve {i}" for i, own in enumerate(curves, start=1))
        return cls(tuple(curves), names, (), "curve", None, (), names)

    def _each(self, name: str) -> NDArray[Any]:
        return read_only(np.array([getattr(own, name) for own in self.curves]))

    @cached_property
    def n_positives(self) -> NDArray[Any]:
        """Positives of every curve (their weight if weighted)."""
        return self._each("n_positives")

    @cached_property
    def n_negatives(self) -> NDArray[Any]:
        """Negatives of every curve (their weight if weighted)."""
        return self._each("n_negatives")

    @cached_property
    def mid(self) -> Floats:
        """Mid of every curve."""
        return self._each("mid")

    @cached_property
    def auc(self) -> Floats:
        """The smAUC of every curve; in frames and tables it is called ``smauc``."""
        return self._each("auc")

    @cached_property
    def chance_auc(self) -> Floats:
        """About what labels dealt at random would give every curve."""
        return self._each("chance_auc")

    @cached_property
    def roc_auc(self) -> Floats:
        """The ordinary AUC of the same scores, of every curve."""
        return self._each("roc_auc")

    def _curve(self, i: int) -> SmrocCurve:
        return self.curves[i]

    def take(self, chosen: Sequence[int]) -> SmrocCurves:
        """Some of the curves, by position, in this order."""
        curves = tuple(self.curves[i] for i in chosen)
        names, groups = (tuple(own[i] for i in chosen) for own in (self.names, self.groups))
        models = tuple(self.models[i] for i in chosen) if self.models else ()
        return replace(self, curves=curves, names=names, groups=groups, models=models)

    def model(self, name: object) -> SmrocCurves:
        """The curves of one model, as a set of its own."""
        known = self.by_model()
        if str(name) not in known:
            raise unknown_name(str(name), tuple(known), "model")
        return known[str(name)]

    def by_model(self) -> dict[str, SmrocCurves]:
        """The curves of each model, in the order of the models; one without a name where none were named."""
        if len(set(self.models)) < 2:
            return {self.models[0] if self.models else "": self}
        found = {}
        for name in dict.fromkeys(self.models):
            own = self.take([i for i, model in enumerate(self.models) if model == name])
            lacking = tuple(lack for lack in self.undefined if _is_of(lack, name))
            found[name] = replace(own, names=own.groups, undefined=lacking)
        return found

    def _pairs(self) -> list[tuple[str, str]]:
        return list(zip(self.models or [""] * len(self), self.groups, strict=True))

    def _columns(self) -> dict[str, Any]:
        return self._named(_OF_EACH) | {_CALLED.get(name, name): getattr(self, name) for name in _OF_EACH}

    def __repr__(self) -> str:
        left_out = f", {grouped(len(self.undefined))} without a curve" if self.undefined else ""
        sets, unit = self.by_model(), printable(self.unit)
        if len(sets) < 2:
            areas = f"mean smAUC {self.auc.mean():.3f}, chance about {self.chance_auc.mean():.3f}"
            return f"SmrocCurves({counted(len(self), unit)}{left_out}, {areas})"
        shown, n_groups = list(sets.items())[:_MOST_MODELS], max(map(len, sets.values()))
        more = ", ..." if len(sets) > _MOST_MODELS else ""
        means = ", ".join(f"{printable(name)} {own.auc.mean():.3f}" for name, own in shown)
        chance = ", ".join(f"{own.chance_auc.mean():.3f}" for _, own in shown)
        size = counted(len(sets), "model") + (f" x {counted(n_groups, unit)}" if n_groups > 1 else "")
        word = "mean smAUC" if n_groups > 1 else "smAUC"
        return f"SmrocCurves({size}{left_out}, {word}: {means}{more}; chance about {chance}{more})"


def _is_of(lack: str, model: str) -> bool:
    """Whether what has no curve is of this model."""
    return getattr(lack, "name", str(lack)).startswith(f"{model} / ")


def _of_groups(score_set: ScoreSet, mid: str | float, rescale: str | None, undefined: str) -> SmrocCurves:
    one_of("undefined", undefined, ("raise", "drop"))
    require_mid(mid)
    has_curve = score_set.has_curve
    if not has_curve.any() or (undefined == "raise" and not has_curve.all()):
        raise refuse_undefined(score_set)
    members, found = np.flatnonzero(has_curve), []
    for i in members.tolist():
        name = score_set.names[i]
        found.append(curve_of(smroc_rows(score_set[i], rescale, name), mid, name))
    nameless = without_area((str(curve.name), curve) for curve in found)
    curves = tuple(curve for curve in found if not math.isnan(curve.auc))
    if not curves or (undefined == "raise" and nameless):
        raise refuse_undefined_areas(nameless, len(found), score_set.unit, Option("mid", 0.5))
    _warn_of_mids(found, score_set.models)
    members = members[[not math.isnan(curve.auc) for curve in found]]
    return SmrocCurves(
        curves=curves,
        names=tuple(str(curve.name) for curve in curves),
        undefined=score_set.undefined + nameless,
        unit=score_set.unit,
        classes=score_set.classes,
        models=tuple(score_set.models[i] for i in score_set.model_index[members]) if score_set.models else (),
        groups=tuple(score_set.groups[i] for i in score_set.group_index[members]),
        design=score_set.design,
    )


def without_area(named: Iterable[tuple[str, SmrocCurve]]) -> tuple[LeftOut, ...]:
    """Those whose smAUC is undefined, and what they lack."""
    return tuple(
        LeftOut(name, Lack.CREDIT if curve.total_credit == 0 else Lack.DEBIT)
        for name, curve in named
        if math.isnan(curve.auc)
    )


def _warn_of_mids(curves: Sequence[SmrocCurve], models: Sequence[str]) -> None:
    """RS260 for many curves at once; the areas are means over those whose Mid is outside (0, 1]."""
    outside = [curve for curve in curves if not 0 < curve.mid <= 1]
    if not outside:
        return
    if len(curves) == 1:
        _warn_of_mid(curves[0], next(iter(models), None))
        return
    defined = [curve for curve in outside if not math.isnan(curve.auc)] or outside
    areas = {of: _number(np.mean([getattr(curve, of) for curve in defined])) for of in ("auc", "chance_auc")}
    low, high = min(curve.mid for curve in outside), max(curve.mid for curve in outside)
    start = "is" if low == high else "goes up to" if low > 1 else f"goes from {mid_word(low)} to"
    facts = {"n": len(outside), "of": len(curves), **areas}
    _loudly(caution("RS260.several", start=start, high=mid_word(high), **facts))


def refuse_undefined_areas(
    undefined: tuple[str, ...], n_curves: int, unit: str, with_middle: Option | str
) -> RocsteadyError:
    """RS036: groups whose steps all go one way; ``with_middle`` is what gives them the Mid 1/2."""
    ways: list[Remedy] = [("the middle of the scale, where it is always defined:  ", with_middle)]
    if len(undefined) < n_curves:
        ways.insert(0, ("leave them out and list them on every result:  ", Option("undefined", "drop")))
    return fail("RS036.smauc", n=len(undefined), of=n_curves, unit=unit, undefined=undefined, ways=ways)


# The scored AUC of Wu, Flach and Ferri: by how much positives outscore negatives, not only how often
# ---------------------------------------------------------------------------------------------------


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
    _rows: SmrocRows

    _line = "{name:?{name}: }{value:.4f}, AUC {auc:.4f}"

    @property
    def mean_difference(self) -> float:
        """Mean score of the positives less that of the negatives: the leads of both signs together."""
        return self.value - self.reverse

    def at_margin(self, margin: ArrayLike) -> Any:
        """The share of pairs in which the positive leads by more than a margin.

        The area under this share, over margins from 0 to 1, is the sAUC (Wu, Flach & Ferri 2007): how fast
        the AUC falls when all positives lose some of their score. At margin 0 ties do not count, so it may
        be below the AUC, in which they count half. Below 0, the negative may lead by less than that.

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
        # Distinct scores of each class, rising, and how many cases have them.
        (highs, n_high), (lows, n_low) = (
            (self._rows.levels[own > 0][::-1], own[own > 0][::-1]) for own in self._rows.counts
        )
        n_below = np.concatenate([n_low[:1] * 0, np.cumsum(n_low)])[_count_beyond(highs, lows, margin)]
        if n_high.dtype.kind == "f":
            share = compensated_sum((n_high / self.n_positives) * (n_below / self.n_negatives))
            return min(share, 1.0)
        return float(int(n_high @ n_below) / (self.n_positives * self.n_negatives))


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
    # A pair leads across each gap between neighbouring scores that lies between its two. All terms are
    # positive, so nothing cancels.
    gaps, roc = -np.diff(rows.levels), rows.roc
    tpr_below, fpr_below = ((np.cumsum(own[::-1]) / own.sum())[:-1][::-1] for own in rows.counts)
    value = math.fsum((gaps * roc.tpr[1:-1] * fpr_below).tolist())
    reverse = math.fsum((gaps * roc.fpr[1:-1] * tpr_below).tolist())
    return ScoredAuc(value, reverse, roc.auc, roc.n_positives, roc.n_negatives, name, rows)
