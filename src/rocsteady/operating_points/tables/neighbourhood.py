"""A cut-off among others: which of them a sample of groups can tell apart from it, by either rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from rocsteady.averaging.shared import only_members
from rocsteady.operating_points.tables.averaging import average_operating_points
from rocsteady.operating_points.tables.comparing import PointComparison
from rocsteady.operating_points.tables.nearby import nearby_thresholds
from rocsteady.operating_points.tables.table import OperatingPointTable
from rocsteady.scores.score_set import ScoreSet


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The chosen cut-off against others, by both rates.

    Attributes
    ----------
    table : OperatingPointTable
        All cut-offs, strictest first, the chosen one among them.
    by_fpr, by_tpr : PointComparison
        The chosen one against every other.
    """

    table: OperatingPointTable
    by_fpr: PointComparison
    by_tpr: PointComparison

    @property
    def index(self) -> int:
        """Where the chosen cut-off stands."""
        return self.by_fpr.index

    @property
    def span(self) -> tuple[int, int]:
        """From one before the first point that cannot be told apart to one after the last."""
        alike = [int(i) for comparison in (self.by_fpr, self.by_tpr) for i in comparison.neighbourhood]
        return max(min(alike) - 1, 0), min(max(alike) + 1, self.table.n_points - 1)

    def around(self, most: int = 12) -> list[int]:
        """The span, or some of it: its ends, those next to the chosen one, and some between them."""
        first, last = self.span
        half = most // 2
        return [
            *(self.index - i for i in reversed(_some(self.index - first, half))),
            self.index,
            *(self.index + i for i in _some(last - self.index, half)),
        ]

    @property
    def alike(self) -> tuple[float, float]:
        """The strictest and the loosest cut-off up to which none is told apart, by either rate.

        Cut-offs between two that were looked at decide between the two, so the range has no gaps.
        """
        same = self.by_fpr.indistinguishable & self.by_tpr.indistinguishable
        first = last = self.index
        while first > 0 and same[first - 1]:
            first -= 1
        while last + 1 < self.table.n_points and same[last + 1]:
            last += 1
        assert self.table.thresholds is not None
        return float(self.table.thresholds[first]), float(self.table.thresholds[last])


def _some(n: int, most: int) -> list[int]:
    """1 to n, or as many of these as may be, evenly and with both ends."""
    if n <= most:
        return list(range(1, n + 1))
    return [1 + round(i * (n - 1) / (most - 1)) for i in range(most)]


def only_with_curve(score_set: ScoreSet) -> ScoreSet:
    """The groups that have both classes, as in the average that a shared cut-off is chosen on."""
    has_both = (score_set.n_positives > 0) & (score_set.n_negatives > 0)
    if has_both.all():
        return score_set
    return cast("ScoreSet", only_members(score_set, np.flatnonzero(has_both)))


def neighbourhood_of(
    score_set: ScoreSet,
    threshold: float,
    *,
    rule: str | None = None,
    n_points: int = 30,
    alpha: float = 0.05,
    test_train_ratio: float | None = None,
) -> Neighbourhood | None:
    """The cut-off among others of the same scores; None where fewer than two groups have both classes.

    Parameters
    ----------
    score_set : ScoreSet
        Of one model.
    threshold : float
        The chosen cut-off.
    rule : str, optional
        What calls a score positive, ``">="`` or, where low scores are positive, ``"<="`` by default.
    n_points : int
        Others: the scores next to it, and ever further ones by rank, up to both ends.
    alpha : float
        Level of each test.
    test_train_ratio : float, optional
        For folds of one cross-validation, as in ``compare_to``.

    Examples
    --------
    >>> from rocsteady.simulate import ShiftedDatasets
    >>> hosts = ShiftedDatasets("C-2a", separation=3).draw(20, 40, 40, seed=1, unit="host")
    >>> found = neighbourhood_of(hosts, float(hosts.columns.scores[5]), n_points=10)
    >>> found.table.n_points, len(found.around(6)) <= 7
    (11, True)
    """
    with_curve = only_with_curve(score_set)
    if len(with_curve) < 2:
        return None
    at = nearby_thresholds(
        score_set.columns.scores, threshold, n_points, higher_is_positive=score_set.higher_is_positive
    )
    table = average_operating_points(with_curve, thresholds=at, rule=rule)
    assert table.thresholds is not None
    index = int(np.flatnonzero(table.thresholds == threshold)[0])
    by_fpr, by_tpr = (
        table.compare_to(index, rate, alpha=alpha, test_train_ratio=test_train_ratio)
        for rate in ("fpr", "tpr")
    )
    return Neighbourhood(table, by_fpr, by_tpr)
