"""How many cases would tell two operating points apart."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.results import Result, plain
from rocsteady.statistics.groups import noncentrality
from rocsteady.words import counted, grouped, listed

if TYPE_CHECKING:
    from rocsteady.operating_points.tables.comparing import PointComparison

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class SeparatingCases(Result):
    """How many cases would tell two points apart.

    Attributes
    ----------
    index, other : int
        The points.
    measure : str
        The measure that needs the fewest cases (``combine="and"``), or the most (``"or"``).
    factor : float
        Times the present number of cases; below 1 fewer would do. Infinite if the points do not differ in
        this sample; NaN if the difference is the same in every fold (then the points are told apart already,
        and there is no spread to plan with), or could not be tested.
    cases : dict
        Cases that would be needed of each class that the measure depends on, all folds together.
    present : dict
        Cases there are.
    power, alpha : float
        Chance that a test at this level rejects.
    assumed : str
        What the numbers rest on.
    """

    index: int
    other: int
    measure: str
    factor: float
    cases: dict[str, float]
    present: dict[str, float]
    power: float
    alpha: float
    assumed: str

    def __repr__(self) -> str:
        needed = listed([f"{_amount(n)} {name}" for name, n in self.cases.items()])
        points = f"points {self.index} and {self.other} by {self.measure}"
        test = f"power {self.power:g} at {self.alpha:g}, unadjusted"
        return f"SeparatingCases({points}: {self.factor:.3g} × cases, {needed}; {test})"

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data that JSON can carry."""
        counts = {"cases": self.cases, "present": self.present}
        mapped = {name: {each: plain(n) for each, n in of.items()} for name, of in counts.items()}
        return super().to_dict() | mapped


def _amount(n: float) -> str:
    return grouped(int(n)) if math.isfinite(n) else f"{n:g}"


def cases_to_separate(comparison: PointComparison, other: int, power: float) -> SeparatingCases:
    """See :meth:`PointComparison.cases_to_separate`."""
    statistic = np.abs(np.atleast_1d(comparison.statistic[other]))
    df = np.atleast_1d(np.broadcast_to(comparison.df, comparison.statistic.shape)[other])
    own_df = np.atleast_1d(comparison.n_defined[other]) - 1  # of the spread, also where the test has 2n - 2
    tests = zip(statistic, df, own_df, strict=True)
    factors = np.array([_factor(*test, alpha=comparison.alpha, power=power) for test in tests])
    known = np.where(np.isnan(factors), np.inf if comparison.combine == "and" else -np.inf, factors)
    if comparison.combine == "and":
        known[np.isinf(statistic)] = -np.inf  # one measure tells the points apart already
    which = int(known.argmin() if comparison.combine == "and" else known.argmax())
    factor = float(factors[which])
    table, needs = comparison._table, comparison._needs[which]
    words = ("negative", "positive") if table.has_positive else table.class_words
    sizes = dict(zip(words, table.confusion.class_sizes.sum(axis=0).tolist(), strict=True))
    present = {name: size for name, size in sizes.items() if name in (needs or words)}
    assumed = (
        f"the same {counted(table.n_folds, table.unit)} with more cases in each, the difference as seen, its "
        f"variance falling like 1 / (number of cases), one test at level {comparison.alpha:g}"
    )
    return SeparatingCases(
        index=comparison.index,
        other=other,
        measure=comparison.measures[which],
        factor=factor,
        cases={name: _times(factor, size) for name, size in present.items()},
        present=present,
        power=power,
        alpha=comparison.alpha,
        assumed=assumed,
    )


def _times(factor: float, size: float) -> float:
    needed = factor * size
    return float(math.ceil(needed * (1 - 1e-12))) if math.isfinite(needed) else needed


def _factor(statistic: float, df: float, own_df: float, *, alpha: float, power: float) -> float:
    """By what the number of cases must grow, so that a t of this size would be one of that power."""
    if statistic == 0:
        return math.inf
    if not math.isfinite(statistic):
        return math.nan
    return (noncentrality(df, alpha, power, own_df=own_df) / statistic) ** 2
