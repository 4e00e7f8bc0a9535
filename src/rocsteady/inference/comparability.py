"""Whether scores mean the same in all groups, and what one shared threshold costs if they do not.

References
----------
Parker, Günter & Bedo (2007), BMC Bioinformatics 8, 326: pooling test scores of folds whose scores are not
comparable. The test here exchanges rows between groups.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocsteady.counting.table import count_wins
from rocsteady.curves.curve_set import roc_curves
from rocsteady.errors import RocsteadyWarning, fail
from rocsteady.inference.comparability_reading import movement, reading, warnings_about
from rocsteady.inference.exchange import ALIKE, against_all, delta_error, delta_limits, exchange_test
from rocsteady.inference.level_shift import LevelShift, RankTest, level_shift, rank_test
from rocsteady.inference.ranked import Floats, Integers, RankedRows, ranked_rows, set_of_one_model
from rocsteady.options import open_share, whole_number
from rocsteady.results import Result, TableResult, plain, read_only
from rocsteady.scores.score_set import ScoreSet
from rocsteady.statistics.groups import effective_number
from rocsteady.statistics.intervals import Interval
from rocsteady.words import counted, printable

_METHOD = "jackknife over groups"


@dataclass(frozen=True, eq=False, repr=False)
class Balance(Result):
    """How many groups of equal size would share the rows as unequally: 1 / sum(share ** 2).

    Attributes
    ----------
    positives, negatives, rows : float
        Between 1 (one group has nearly all) and the number of groups (all have as many). Pooling counts every
        row once, so this is how many groups a pooled curve is really made of.
    """

    positives: float
    negatives: float
    rows: float

    def __repr__(self) -> str:
        of = f"positives {self.positives:.1f}, negatives {self.negatives:.1f}, rows {self.rows:.1f}"
        return f"Balance(effective number of groups: {of})"


@dataclass(frozen=True, eq=False, repr=False)
class Comparability(TableResult):
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
    movement : str
        The same in words, for example ``"both positive cases and negative cases move"``.
    balance : Balance
        Effective number of groups if rows are pooled.
    reading : str
        What all this says, in plain sentences.
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
    movement: str
    balance: Balance
    reading: str
    warnings: tuple[RocsteadyWarning, ...]
    members: tuple[str, ...]
    undefined: tuple[str, ...]
    unit: str
    n_permutations: int
    aucs: Floats
    positive_aucs: Floats
    negative_aucs: Floats

    def __repr__(self) -> str:
        size = counted(len(self.members), printable(self.unit))
        if math.isnan(self.price):
            return f"Comparability({size}: nothing to compare)"
        shift = f"level shift {self.level_shift.overall:.2f}"
        return (
            f"Comparability({size}: a shared threshold costs {self.price:.3f} AUC, "
            f"p = {self.pvalue:.3g}, {shift})"
        )

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry; of a warning its code and its text."""
        kept = [{"code": warning.code, "text": warning.problem} for warning in self.warnings]
        named = {name: plain(getattr(self, name)) for name in self.__dataclass_fields__ if name != "warnings"}
        return named | {"warnings": kept}

    def _columns(self) -> Mapping[str, Any]:
        return {
            "group": list(self.members),
            "auc": self.aucs,
            "positive_auc": self.positive_aucs,
            "negative_auc": self.negative_aucs,
        }


def comparability(
    score_set: ScoreSet,
    *,
    n_permutations: int = 999,
    confidence_level: float = 0.95,
    seed: int = 0,
    threads: int | None = None,
) -> Comparability:
    """Whether scores mean the same in all groups, and what one shared threshold costs.

    Pooled curves and threshold averages rank the positives of one group above the negatives of another. That
    is fair only if a score means the same in both. This compares the AUC within groups with the AUC between
    them: the size of the difference first, then whether chance could have made it.

    Parameters
    ----------
    score_set : ScoreSet
        What one classifier said, group by group. Groups with one class are left out and listed. Row weights
        are refused (RS095): exchanging rows needs rows that count alike.
    n_permutations : int
        How often rows are exchanged between groups; the smallest p-value is ``1 / (n_permutations + 1)``. A
        million rows take about 8 ms each on one core, ten million 0.1 s: lower it for those.
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
    price. Only a cost counts against the hypothesis. Folds of a cross-validation share training rows, so they
    are only nearly exchangeable even where all is well. Readers who score the same cases agree more than
    readers of different cases would: there the test rejects too seldom, the more so the more they agree.

    A price is a kind of variance between groups, so with few groups it is skewed; the interval is made on a
    square-root scale for that reason. Simulated 95 % intervals cover 0.92 to 0.99, with 3 to 30 groups
    (``simulations/comparability.py``).

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
    whole_number("n_permutations", n_permutations, least=1, example=999)
    seed = whole_number("seed", seed, least=0, example=0)
    level = open_share("confidence_level", confidence_level)
    score_set = set_of_one_model("comparability", score_set)
    if score_set.columns.weights is not None:
        raise fail("RS095.comparability", n=score_set.columns.weights.size)
    kept = (score_set.n_positives > 0) & (score_set.n_negatives > 0)
    if not kept.any():
        roc_curves(score_set)  # raises RS032, which says what is missing
    rows = ranked_rows(score_set.columns, kept)
    wins, n_positives, n_negatives = (counts[kept] for counts in count_wins(score_set, threads=threads))
    aucs = wins / (2 * n_positives * n_negatives)
    positive_aucs, negative_aucs = against_all(rows)
    numbers = _numbers(rows, (aucs, positive_aucs, negative_aucs), (n_permutations, seed, threads), level)
    tests = numbers["positives_test"], numbers["negatives_test"], numbers["pvalue"]
    numbers["movement"] = movement(score_set, *tests, level)
    members = tuple(name for name, is_kept in zip(score_set.names, kept, strict=True) if is_kept)
    return Comparability(
        **numbers,
        reading=reading(score_set, len(members), **numbers),
        warnings=warnings_about(score_set, level, **numbers),
        members=members,
        undefined=score_set.undefined,
        unit=score_set.unit,
        n_permutations=n_permutations,
        aucs=read_only(aucs),
        positive_aucs=read_only(positive_aucs),
        negative_aucs=read_only(negative_aucs),
    )


def _numbers(
    rows: RankedRows, aucs: tuple[Floats, Floats, Floats], drawing: tuple[int, int, int | None], level: float
) -> dict[str, Any]:
    """The fields that are computed rather than told; NaN for every comparison of a single group."""
    n = rows.n_groups
    if n == 1:
        own = shared = float(aucs[0][0])
        price = delta = pvalue = low = high = scale = math.nan
    else:
        exchanged = exchange_test(rows, *drawing)
        own, shared, pvalue = exchanged.own, exchanged.shared, exchanged.pvalue
        price = own - shared if abs(own - shared) > ALIKE else 0.0
        scale = n / (n - 1)  # the diagonal is a share 1 / n of the whole matrix
        delta = price * scale
        low, high = delta_limits(delta, delta_error(*aucs), exchanged.spread * scale, n, level)
    return {
        "price": price,
        "price_interval": Interval(low / scale + 0.0, high / scale + 0.0, level, _METHOD),
        "pvalue": pvalue,
        "own_auc": own,
        "shared_auc": shared,
        "delta": delta,
        "delta_interval": Interval(low + 0.0, high + 0.0, level, _METHOD),
        "level_shift": level_shift(rows),
        "positives_test": rank_test(rows, True),
        "negatives_test": rank_test(rows, False),
        "balance": Balance(
            _effective_number(rows.n_positives),
            _effective_number(rows.n_negatives),
            _effective_number(rows.n_positives + rows.n_negatives),
        ),
    }


def _effective_number(sizes: Integers) -> float:
    return effective_number(sizes / sizes.sum())
