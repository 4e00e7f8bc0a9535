"""Whether scores mean the same in all groups, and what one shared threshold costs if they do not.

References
----------
Parker, Günter & Bedo (2007), BMC Bioinformatics 8, 326: pooling test scores of folds whose scores are not
comparable. The test here exchanges rows between groups.
Kruskal & Wallis (1952), Journal of the American Statistical Association 47, 583-621.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rocsteady import _kernels
from rocsteady._kernels.resample import running_sum
from rocsteady.arrays import Array, Floats, Integers
from rocsteady.averaging.average import require_one_model
from rocsteady.calling import welcomes
from rocsteady.counting.table import count_wins, score_ranks
from rocsteady.curves.curve_set import roc_curves
from rocsteady.curves.from_scores import described, is_score_set, refuse_counts
from rocsteady.curves.readings import unit_scaled
from rocsteady.errors import RocsteadyWarning, caution, fail
from rocsteady.options import open_share, whole_number
from rocsteady.results import Result, TableResult
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.showing import Said, Told
from rocsteady.statistics.group_permutation import midranks
from rocsteady.statistics.groups import effective_number
from rocsteady.statistics.limits import Interval, t_quantile
from rocsteady.words import counted

_LEAST_SHIFT = 0.005
"""Below it the level stays, and something else about the distributions differs."""
LEAST_PRICE = 0.01
"""A cost in AUC that matters wherever it occurs."""
LEAST_SMALL_PRICE, LEAST_RELATIVE_PRICE = 0.001, 0.25
"""A smaller cost matters too where it adds this share to the pairs in the wrong order within groups."""
_ALIKE = 1e-12
"""Differences of AUCs closer than this are ties: sums of the same terms in another order."""
_METHOD = "jackknife over groups"
_PERMUTATIONS, _FEWEST_PERMUTATIONS = ((200_000, 999), (5_000_000, 199)), 99
"""Up to how many rows how often they are exchanged."""


class Moving(StrEnum):
    """Which class is seen to score on other levels from group to group."""

    BOTH = "both"
    POSITIVES = "positives"
    NEGATIVES = "negatives"
    EITHER = "either"  # a shared threshold costs more than by chance, and which class makes it is not seen
    NEITHER = "neither"
    UNKNOWN = "unknown"  # with a single group


@dataclass(frozen=True, eq=False, repr=False)
class Balance(Result):
    """How many groups of equal size would share the rows as unequally: 1 / sum(share ** 2).

    Attributes
    ----------
    positives, negatives, rows : float
        Between 1 (one group has nearly all) and the number of groups (all have as many). Pooling counts every
        row once, so this is how many groups a pooled curve is really made of.
    """

    _line = (
        "effective number of groups: positives {positives:.1f}, negatives {negatives:.1f}, rows {rows:.1f}"
    )
    positives: float
    negatives: float
    rows: float


@dataclass(frozen=True, eq=False, repr=False)
class LevelShift(Result):
    """How far the level of the scores moves between groups, in standard deviations within a group.

    Attributes
    ----------
    overall, positives, negatives : float
        Standard deviation of the level between groups over the standard deviation within a group, of both
        classes and of each. 0 where groups differ no more than chance makes them; NaN with one group, or
        where no group has two rows of the class.
    """

    _line = "{overall:.2f}: positives {positives:.2f}, negatives {negatives:.2f}"
    overall: float
    positives: float
    negatives: float


@dataclass(frozen=True, eq=False, repr=False)
class RankTest(Result):
    """Kruskal and Wallis' test that the scores of a class are alike in all groups.

    Attributes
    ----------
    statistic : float
        H, corrected for ties.
    df : float
        Groups less one, of the chi-square distribution that H is held against.
    pvalue : float
        NaN with one group.
    """

    _line = "H = {statistic:.1f}, df = {df:g}, p = {pvalue:.3g}"
    statistic: float
    df: float
    pvalue: float


@dataclass(frozen=True, eq=False, repr=False)
class Comparability(Told, TableResult, sentence="comparability.reading"):
    """What :func:`comparability` found.

    Attributes
    ----------
    price : float
        ``own_auc - shared_auc``: the AUC that one shared threshold costs.
    price_interval : Interval
        By leaving out one group at a time, with Student's t on a square-root scale; the groups are random.
        NaN with fewer than three, and where leaving out any group changes nothing: that tells nothing about
        other groups. Its target is the price expected of as many groups as these.
    pvalue : float
        Of the hypothesis that each class has one distribution in all groups: the share of ``n_permutations``
        exchanges of rows between groups, within a class, that cost at least as much. One-sided.
    own_auc, shared_auc : float
        The mean AUC of the groups; the AUC under one threshold, every group counting once (the mean of
        :func:`rocsteady.cross_auc`).
    delta : float
        Mean AUC within groups less mean AUC between different groups: ``price * M / (M - 1)``, the price for
        very many groups.
    delta_interval : Interval
        The same, scaled.
    level_shift : LevelShift
        Standard deviation of the level between groups over that within a group: ``.overall``, ``.positives``,
        ``.negatives``.
    positives_test, negatives_test : RankTest
        Which class moves: Kruskal and Wallis' test of each.
    balance : Balance
        Effective number of groups if rows are pooled.
    warnings : tuple of RocsteadyWarning
        RS301 if a shared threshold costs enough to matter; kept here, not issued.
    members, undefined : tuple of str
        The groups compared; those left out because they have one class, and which.
    unit : str
        The word for a group.
    n_permutations : int
        How often rows were exchanged.
    aucs : float64 array
        Of every member, on its own.
    positive_aucs, negative_aucs : float64 arrays
        The positives of each member against the negatives of all members; the negatives of each against the
        positives of all. A member whose two numbers lie far apart scores high or low as a whole.
    """

    price: float
    price_interval: Interval
    pvalue: float
    own_auc: float
    shared_auc: float
    delta: float
    delta_interval: Interval
    level_shift: LevelShift
    positives_test: RankTest
    negatives_test: RankTest
    balance: Balance
    warnings: tuple[RocsteadyWarning, ...]
    members: tuple[str, ...]
    undefined: tuple[str, ...]
    unit: str
    n_permutations: int
    aucs: Floats
    positive_aucs: Floats
    negative_aucs: Floats
    _classes: Classes
    _shares_training: bool
    _told: ClassVar[tuple[str, ...]] = ("movement",)
    _line = "{_members}: {_cost}"
    _in_frame = "group=members, auc=aucs, positive_auc=positive_aucs, negative_auc=negative_aucs"

    @property
    def moving(self) -> Moving:
        """Which class moves; the test of both is that of a cost, whichever class makes it."""
        if math.isnan(self.positives_test.pvalue):
            return Moving.UNKNOWN
        alpha = 1 - self.price_interval.confidence_level
        # Two tests, one statement: each has half the share of false alarms.
        found = [test.pvalue <= alpha / 2 for test in (self.positives_test, self.negatives_test)]
        if any(found):
            return Moving.BOTH if all(found) else Moving.POSITIVES if found[0] else Moving.NEGATIVES
        return Moving.EITHER if self.pvalue <= alpha else Moving.NEITHER

    movement = Said("comparability.movement")
    """Which class moves, in words, for example ``"both positive cases and negative cases move"``."""

    @property
    def _members(self) -> str:
        return counted(len(self.members), self.unit)

    @property
    def _cost(self) -> str:
        if math.isnan(self.price):
            return "nothing to compare"
        shift = f"level shift {self.level_shift.overall:.2f}"
        return f"a shared threshold costs {self.price:z.3f} AUC, p = {self.pvalue:.3g}, {shift}"

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry; of a warning its code and its text."""
        kept = [{"code": warning.code, "text": warning.problem} for warning in self.warnings]
        return super().to_dict() | {"warnings": kept}


@welcomes("comparability(score_set)")
def comparability(
    score_set: ScoreSet,
    *,
    n_permutations: int | None = None,
    confidence_level: float = 0.95,
    seed: int = 0,
    threads: int | None = None,
) -> Comparability:
    """Whether scores mean the same in all groups, and what one shared threshold costs.

    Pooled curves and threshold averages rank the positives of one group above the negatives of another, which
    is fair only if a score means the same in both. This compares the AUC within groups with that between
    them: the size of the difference first, then whether chance could have made it.

    Parameters
    ----------
    score_set : ScoreSet
        What one classifier said, group by group. Groups with one class are left out and listed. Row weights
        are refused (RS095): exchanging rows needs rows that count alike.
    n_permutations : int, optional
        How often rows are exchanged between groups; the smallest p-value is ``1 / (n_permutations + 1)``. By
        default 999 times, of more than 200 000 rows 199 times and of more than five million 99 times: a
        million rows take about 8 ms each on one core.
    confidence_level : float
        Of the intervals; a p-value of at most one less this counts as a rejection.
    seed : int
        The same seed gives the same p-value, with any number of threads.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    Comparability

    Notes
    -----
    The p-value asks whether the distributions differ at all, and with very many rows they always do: read the
    price. Folds of a cross-validation share training rows, so they are only nearly exchangeable even where
    all is well. Readers of the same cases agree more than readers of different cases would: there the test
    rejects too seldom. A price is a kind of variance between groups; its interval is made on a square-root
    scale, and was simulated to cover 0.92 to 0.99 instead of 0.95, with 3 to 30 groups.

    RS301 is kept in ``.warnings`` when the test rejects and the price is at least 0.01, or at least 0.001 and
    a quarter of ``1 - own_auc``, the share of pairs in the wrong order within groups.

    Examples
    --------
    >>> import rocsteady as rs
    >>> ratings = [([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [8, 6, 7, 5])]
    >>> found = rs.comparability(rs.ScoreSet.from_folds(ratings, unit="reader"), n_permutations=99)
    >>> found.own_auc, found.shared_auc, found.price
    (0.75, 0.625, 0.125)
    """
    if n_permutations is not None:
        whole_number("n_permutations", n_permutations, least=1, example=999)
    seed = whole_number("seed", seed, least=0, example=0)
    level = open_share("confidence_level", confidence_level)
    score_set = set_of_one_model("comparability", score_set)
    if score_set.columns.weights is not None:
        raise fail("RS095.comparability", n=score_set.columns.weights.size)
    if not score_set.has_curve.any():
        roc_curves(score_set)  # raises RS032, which says what is missing
    undefined, score_set = score_set.undefined, score_set.take(score_set.has_curve)
    n_rows = score_set.columns.n_cases
    if n_permutations is None:
        n_permutations = next((n for most, n in _PERMUTATIONS if n_rows <= most), _FEWEST_PERMUTATIONS)
    positives, negatives, n_distinct = ranked_rows(score_set)
    wins, n_positives, n_negatives = count_wins(score_set, threads=threads)
    aucs = wins / (2 * n_positives * n_negatives)
    positive_aucs, negative_aucs = _against_all(positives, negatives, n_distinct)
    n = positives.n.size
    if n == 1:
        own = shared = float(aucs[0])
        price = delta = pvalue = low = high = scale = math.nan
    else:
        drawing = seed % 2**64, n_permutations, _kernels.thread_count(threads)
        own, shared, pvalue, spread = _exchanged(positives, negatives, n_distinct, *drawing)
        price = own - shared if abs(own - shared) > _ALIKE else 0.0
        scale = n / (n - 1)  # the diagonal is a share 1 / n of the whole matrix
        delta = price * scale
        error = delta_error(aucs, positive_aucs, negative_aucs)
        low, high = delta_limits(delta, error, spread * scale, n, level)
    interval = Interval(low / scale + 0.0, high / scale + 0.0, level, _METHOD)
    shift = level_shift(positives, negatives)
    sizes = positives.n, negatives.n, positives.n + negatives.n
    warnings: tuple[RocsteadyWarning, ...] = ()
    if pvalue <= 1 - level and matters(price, own):  # NaN is not
        about = caution(
            "RS301.shift",
            model=score_set.models[0] if score_set.models else None,
            is_shift=shift.overall >= _LEAST_SHIFT,
            shift=shift.overall if math.isfinite(shift.overall) else None,
            own_auc=own,
            shared_auc=shared,
            price=price,
            low=None if math.isnan(interval.low) else round(interval.low, 3) + 0.0,
            high=round(interval.high, 3) + 0.0,
            level=100 * level,
            pvalue=pvalue,
            unit=score_set.unit,
        )
        warnings = (about,)
    return Comparability(
        price=price,
        price_interval=interval,
        pvalue=pvalue,
        own_auc=own,
        shared_auc=shared,
        delta=delta,
        delta_interval=Interval(low + 0.0, high + 0.0, level, _METHOD),
        level_shift=shift,
        positives_test=rank_test(positives),
        negatives_test=rank_test(negatives),
        balance=Balance(*(effective_number(of / of.sum()) for of in sizes)),
        warnings=warnings,
        members=score_set.names,
        undefined=undefined,
        unit=score_set.unit,
        n_permutations=n_permutations,
        aucs=aucs,
        positive_aucs=positive_aucs,
        negative_aucs=negative_aucs,
        _classes=score_set.classes,
        _shares_training=score_set.design.shares_training,
    )


def matters(price: float, own_auc: float) -> bool:
    """Whether a price is large enough to be told, whatever the test says.

    >>> matters(0.02, 0.80), matters(0.004, 0.80), matters(0.004, 0.99), matters(0.0005, 1.0)
    (True, False, True, False)
    """
    is_relatively_large = price >= LEAST_RELATIVE_PRICE * (1 - own_auc)
    return price >= LEAST_PRICE or (price >= LEAST_SMALL_PRICE and is_relatively_large)


# Rows of all groups in one order
# -------------------------------


class Ranked(NamedTuple):
    """The rows of one class, group after group."""

    ranks: Integers  # among the distinct scores of all groups and both classes, 0 for the strictest
    groups: Integers  # of every row, numbered from 0 without gaps
    n: Integers  # rows of every group


def ranked_rows(score_set: ScoreSet) -> tuple[Ranked, Ranked, int]:
    """Positives and negatives of all groups, ranked together; and how many distinct scores there are."""
    c, ranks = score_set.columns, score_ranks(score_set, shared=True)
    is_positive, groups = c.labels == c.positive, np.repeat(np.arange(c.n_groups), np.diff(c.offsets))
    positives, negatives = (
        Ranked(ranks[own], groups[own], np.bincount(groups[own], minlength=c.n_groups))
        for own in (is_positive, ~is_positive)
    )
    return positives, negatives, int(ranks.max(initial=-1)) + 1


def set_of_one_model(function: str, score_set: object) -> ScoreSet:
    """``score_set`` if it is a set with one model; else RS002 or RS044, with what to type."""
    refuse_counts(score_set, function)
    if not is_score_set(score_set):
        ways = [
            f"{function}(ScoreSet.from_arrays(labels, scores, groups))",
            f"one pair (labels, scores) for each fold:  {function}(ScoreSet.from_folds(pairs))",
        ]
        raise fail("RS002.set-of-scores", function=function, found=described(score_set), ways=ways)
    require_one_model(score_set.models, function)
    return score_set


# What one shared threshold costs, its interval over groups, and the test by exchanging rows
# ------------------------------------------------------------------------------------------


def _exchanged(
    positives: Ranked, negatives: Ranked, n_distinct: int, seed: int, n_permutations: int, threads: int
) -> tuple[float, float, float, float]:
    """Deal the rows of each class to the groups by chance; how often does that cost as much?

    The mean AUC of the groups and that of all ordered pairs of groups, the p-value against a cost, and the
    standard deviation of the difference after exchanging rows; NaN for a single exchange.
    """
    groups = [own.groups[np.lexsort((own.groups, own.ranks))] for own in (positives, negatives)]
    at = [np.bincount(own.ranks, minlength=n_distinct) for own in (positives, negatives)]
    own, shared = _kernels.kernels.exchange_groups(
        *groups, *at, positives.n.size, seed, n_permutations, threads
    )
    costs = own - shared
    as_large = int(np.count_nonzero(costs[1:] >= costs[0] - _ALIKE))
    spread = float(np.std(costs[1:], ddof=1)) if n_permutations > 1 else math.nan
    return float(own[0]), float(shared[0]), (1 + as_large) / (n_permutations + 1), spread


def _against_all(positives: Ranked, negatives: Ranked, n_distinct: int) -> tuple[Floats, Floats]:
    """Row and column means of the matrix of AUCs between groups, without the matrix.

    The positives of each group against the negatives of all groups, and the negatives of each against the
    positives of all, every group counting once.
    """
    shares: list[Any] = [
        np.bincount(own.ranks, 1 / (own.n.size * own.n[own.groups]), minlength=n_distinct)
        for own in (positives, negatives)
    ]
    positives_at, negatives_at = shares
    beaten = running_sum(negatives_at[::-1])[::-1] - negatives_at / 2
    beating = running_sum(positives_at) - positives_at / 2
    return (
        np.bincount(positives.groups, beaten[positives.ranks]) / positives.n,
        np.bincount(negatives.groups, beating[negatives.ranks]) / negatives.n,
    )


def delta_error(aucs: Floats, positive_aucs: Floats, negative_aucs: Floats) -> float:
    """Standard error of ``delta`` by leaving out one group at a time; NaN with fewer than three groups.

    ``delta`` is the mean AUC within groups less the mean AUC between different groups. Every leave-one-out
    value follows from the row and column means of the matrix, so that this takes O(M).
    """
    n = aucs.size
    if n < 3:
        return math.nan
    whole = n * float(positive_aucs.sum())  # of the matrix
    inside = aucs.sum() - aucs
    between = (whole - n * (positive_aucs + negative_aucs) + aucs - inside) / ((n - 1) * (n - 2))
    left = inside / (n - 1) - between
    return float(np.sqrt((n - 1) / n * np.sum((left - left.mean()) ** 2)))


def delta_limits(
    delta: float, error: float, spread: float, n_groups: int, confidence_level: float
) -> tuple[float, float]:
    """Limits of ``delta`` by Student's t, made on a square-root scale.

    ``delta`` behaves like a variance between groups with the part that chance alone gives taken off: it is
    skewed, and its error grows with its size. So the part is put back, the limits are made where variances
    scatter evenly, and it is taken off again. Chance alone would scatter like a chi-square with M - 1 degrees
    of freedom, whose mean is sqrt((M - 1) / 2) of its standard deviations (``spread``).

    NaN where leaving out any group changes nothing: that is not certainty about other groups.
    """
    if error < _ALIKE:
        return math.nan, math.nan
    half = float(t_quantile(n_groups - 1, confidence_level)) * error if n_groups > 2 else math.nan
    by_chance = spread * math.sqrt((n_groups - 1) / 2)
    if not delta + by_chance > 0:  # far below what chance gives, or only one exchange to learn that from
        return delta - half, delta + half
    root = math.sqrt(delta + by_chance)
    step = half / (2 * root)
    return max(root - step, 0.0) ** 2 - by_chance, (root + step) ** 2 - by_chance


# Which class moves between groups, and how far
# ---------------------------------------------
#
# Everything is computed from ranks within a class, pooled over the groups, so that infinite scores are legal
# and no increasing transform of the scores changes an answer.


def level_shift(positives: Ranked, negatives: Ranked) -> LevelShift:
    """The shift of each class and of both, by variance components of the normal scores of ranks."""
    if positives.n.size < 2:
        return LevelShift(math.nan, math.nan, math.nan)
    components = np.array([_class_components(own) for own in (positives, negatives)])
    known = components[~np.isnan(components[:, 1])]
    both = known.sum(axis=0) if known.size else components[0]
    between, within = np.stack([both, *components], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):  # all rows of a group may score alike
        ratios = np.where((between == 0) & (within == 0), 0.0, between / within)
    return LevelShift(*np.sqrt(ratios).tolist())


def rank_test(rows: Ranked) -> RankTest:
    """Kruskal and Wallis' test of one class."""
    from scipy.special import chdtrc

    n_groups, sizes = rows.n.size, rows.n
    if n_groups < 2:
        return RankTest(math.nan, math.nan, math.nan)
    ranks, tied = midranks(rows.ranks)
    n, df = ranks.size, float(n_groups - 1)
    centred = np.bincount(rows.groups, ranks - (n + 1) / 2)
    spread = (float(n) ** 3 - n - float(np.sum(tied.astype(float) ** 3 - tied))) / 12
    if spread <= 0:  # all scores of the class are equal, or there is only one
        return RankTest(0.0, df, 1.0)
    statistic = float((n - 1) * np.sum(centred**2 / sizes) / spread)
    return RankTest(statistic, df, float(chdtrc(df, statistic)))


def _class_components(rows: Ranked) -> tuple[float, float]:
    """Variance between and within groups of the normal scores of one class, as of equal groups (ANOVA)."""
    from scipy.special import ndtri

    groups, sizes, (ranks, _) = rows.groups, rows.n, midranks(rows.ranks)
    n, n_groups = ranks.size, sizes.size
    if n == n_groups:  # nobody has a neighbour in his own group
        return math.nan, math.nan
    values = ndtri((ranks - 0.5) / n)
    means = np.bincount(groups, values) / sizes
    within = float(np.sum((values - means[groups]) ** 2) / (n - n_groups))
    around = float(np.sum(sizes * (means - values.mean()) ** 2) / (n_groups - 1))
    typical_size = (n - float(np.sum(sizes.astype(float) ** 2)) / n) / (n_groups - 1)
    return max(0.0, (around - within) / typical_size), within


# The AUC of one group's positives against another group's negatives
# ------------------------------------------------------------------


def cross_auc(score_set: ScoreSet) -> Floats:
    """The AUC of the positives of each group against the negatives of each group.

    Where scores mean the same in all groups, the entries of the matrix differ only by chance. The mean of its
    diagonal is the mean AUC; the mean of all entries is the AUC under one threshold shared by all groups, and
    their mean weighted by class sizes is the AUC of the pooled rows. :func:`rocsteady.comparability` compares
    the first two, without this matrix.

    Parameters
    ----------
    score_set : ScoreSet
        What one classifier said, group by group; row weights count.

    Returns
    -------
    (M, M) float64 array
        ``[i, j]`` is the chance that a positive of group i outscores a negative of group j, ties counting
        half; NaN where i has no positives or j no negatives. Groups stand in the order of
        ``score_set.names``.

    See Also
    --------
    rocsteady.comparability : What the matrix says, with a test, for any number of groups.

    Notes
    -----
    Time grows with groups times rows, memory with the square of the number of groups.

    Examples
    --------
    The second reader gives higher ratings to everyone:

    >>> import rocsteady as rs
    >>> readers = rs.ScoreSet.from_folds([([1, 1, 0, 0], [4, 2, 3, 1]), ([1, 1, 0, 0], [8, 6, 7, 5])])
    >>> rs.cross_auc(readers)
    array([[0.75, 0.  ],
           [1.  , 0.75]])
    """
    score_set = set_of_one_model("cross_auc", score_set)
    columns = score_set.columns
    positives, negatives, n_distinct = ranked_rows(score_set)
    areas = np.full((positives.n.size, positives.n.size), np.nan)
    # Rows without weights are summed as floats, too: whole numbers, and exact.
    weights = np.ones(columns.n_rows) if columns.weights is None else unit_scaled(columns.weights)
    is_positive = columns.labels == columns.positive
    of_positives, of_negatives = weights[is_positive], weights[~is_positive]
    # reduceat gives nonsense for empty groups, so it sees only the others.
    has_negatives = np.flatnonzero(negatives.n)
    starts = (np.cumsum(negatives.n) - negatives.n)[has_negatives]

    def over_negatives(value_at: Array) -> Array:
        return np.add.reduceat(value_at[negatives.ranks] * of_negatives, starts)

    ends = np.cumsum(positives.n)
    for i in np.flatnonzero(positives.n if has_negatives.size else []).tolist():
        own = slice(ends[i] - positives.n[i], ends[i])
        above = np.cumsum(np.bincount(positives.ranks[own], of_positives[own], minlength=n_distinct))
        before = np.append(0.0, above[:-1])
        wins = over_negatives(before + above)
        losses = over_negatives((above[-1] - above) + (above[-1] - before))
        # Both are sums of terms that are not negative, so 0 and 1 come out exactly.
        areas[i, has_negatives] = wins / (wins + losses)
    return areas
