"""Which operating points a sample can tell apart from a chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index as as_index
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import counted, fail
from rocsteady.operating_points.tables.measures import Measure, measure_of
from rocsteady.operating_points.tables.planning import SeparatingCases, cases_to_separate
from rocsteady.operating_points.tables.significance import (
    adjusted,
    paired_tests,
    ratio_of,
    require_folds,
    warn_constant,
)
from rocsteady.options import one_of, open_share
from rocsteady.results import TableResult, read_only
from rocsteady.showing import Drawn
from rocsteady.words import grouped, listed, plural

if TYPE_CHECKING:
    from rocsteady.operating_points.tables.table import OperatingPointTable

Floats = NDArray[np.float64]

_PER_TEST = ("difference", "standard_error", "statistic", "pvalue", "adjusted_pvalue", "n_defined")


@dataclass(frozen=True, eq=False, repr=False)
class PointComparison(Drawn, TableResult, figure="operating_points"):
    """One operating point against all others: paired t tests over folds.

    Arrays have one entry per point; with several measures ``statistic``, ``pvalue``, ``adjusted_pvalue``,
    ``difference``, ``standard_error`` and ``n_defined`` are ``(n_points, n_measures)``.

    Attributes
    ----------
    index : int
        The point that the others were compared to.
    measures : tuple of str
        What was compared.
    difference, standard_error : array
        Mean over folds of (other point - this point), and its standard error.
    statistic, pvalue : array
        Of the paired t test; 0 and 1 for the point itself, NaN where fewer than two folds define the measure
        at both points.
    adjusted_pvalue : array
        For the number of tests; the same as ``pvalue`` without ``adjust``.
    df : float or array
        Degrees of freedom; an array where folds are undefined at some points only.
    n_defined : int array
        Folds in which the measure is defined at both points.
    indistinguishable : (n_points,) bool array
        Points that were tested and not told apart; the point itself is one.
    alpha, test_train_ratio : float
        Level of each test; what was added to 1 / n.
    adjust, combine : str or None
        As asked for.
    """

    index: int
    measures: tuple[str, ...]
    difference: Floats
    standard_error: Floats
    statistic: Floats
    pvalue: Floats
    adjusted_pvalue: Floats
    df: Any
    n_defined: NDArray[np.int64]
    indistinguishable: NDArray[np.bool_]
    alpha: float
    test_train_ratio: float
    adjust: str | None
    combine: str
    _table: OperatingPointTable
    _needs: tuple[tuple[str, ...] | None, ...]

    @property
    def neighbourhood(self) -> NDArray[np.intp]:
        """Indices of the points that cannot be told apart, the point itself among them."""
        return np.flatnonzero(self.indistinguishable)

    @property
    def untested(self) -> NDArray[np.intp]:
        """Indices of points where no measure could be tested."""
        return np.flatnonzero(np.isnan(self.pvalue).reshape(self._table.n_points, -1).all(axis=1))

    @property
    def reading(self) -> str:
        """What was tested, what was found, and what it does not mean."""
        table, others = self._table, self.neighbourhood.size - 1
        found = (
            f"{grouped(others)} of {counted(table.n_points - 1, 'other point')} cannot be told apart from "
            f"point {self.index} by this sample."
        )
        if self.untested.size:
            defined = f"too few {plural(table.unit)} define the measure"
            found += f" {counted(self.untested.size, 'point')} could not be tested: {defined}."
        return f"{_tested(self)}: {found} {_caveats(self)}"

    def cases_to_separate(self, other: int, power: float = 0.8) -> SeparatingCases:
        """How many cases would tell another point apart from this one.

        The number of folds stays, every fold gets more cases, and the variance of the difference between
        folds falls like 1 / (number of cases). The difference is taken as it was seen, and one test is made
        at ``alpha``, so for a point that was picked because it looked near or far this is a rough guide.

        Parameters
        ----------
        other : int
            The other point.
        power : float
            Chance that the test rejects.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(0)
        >>> labels, folds = np.tile([0, 1], 100), np.repeat(np.arange(10), 20)
        >>> scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=200) + labels, folds)
        >>> comparison = rs.average_operating_points(scores, thresholds=30).compare_to(22)
        >>> comparison.cases_to_separate(23)
        SeparatingCases(points 22 and 23 by fpr: 5.02 × cases, 503 negative; power 0.8 at 0.05, unadjusted)
        """
        place = point_index(other, self._table.n_points, "other")
        return cases_to_separate(self, place, open_share("power", power))

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"point": np.arange(self._table.n_points)}
        if self._table.thresholds is not None:
            columns["threshold"] = self._table.thresholds
        fields = ("difference", "standard_error", "statistic", "pvalue", "adjusted_pvalue")
        values = {field: getattr(self, field).reshape(self._table.n_points, -1) for field in fields}
        for i, name in enumerate(self.measures):
            prefix = "" if len(self.measures) == 1 else f"{name} "
            if f"{prefix}pvalue" in columns:  # every lambda has the same name
                prefix = f"{name} {i + 1} "
            columns |= {f"{prefix}{field}": of[:, i] for field, of in values.items()}
        return columns | {"indistinguishable": self.indistinguishable}

    def __repr__(self) -> str:
        others = self.neighbourhood.size - 1
        what = listed(list(self.measures)) if self.combine == "and" else " or ".join(self.measures)
        of = counted(self._table.n_points - 1, "other point")
        found = f"{grouped(others)} of {of} cannot be told apart from point {self.index}"
        return f"PointComparison({found} by {what}, alpha {self.alpha:g})"


def _tested(comparison: PointComparison) -> str:
    """What was tested, and how."""
    table, what = comparison._table, listed(list(comparison.measures))
    if len(comparison.measures) > 1:
        what += " (all of them)" if comparison.combine == "and" else " (at least one of them)"
    n_tested = int(comparison.n_defined.max())
    folds = counted(table.n_folds, table.unit)
    if n_tested < table.n_folds:  # the others lack a class, and with it the measure
        folds = f"{grouped(n_tested)} of {folds}"
    said = f"Paired t tests of {what} over {folds}, at level {comparison.alpha:g}"
    said += {None: " for each point by itself", "holm": ", adjusted by Holm"}.get(
        comparison.adjust, ", adjusted by Benjamini and Hochberg"
    )
    if comparison.test_train_ratio:
        ratio = f"(Nadeau and Bengio, {comparison.test_train_ratio:.3g})"
        said += f", with a correction for shared training data {ratio}"
    return said


def _caveats(comparison: PointComparison) -> str:
    """What a test that does not reject does not say (errata P4, P5)."""
    table = comparison._table
    said = "Not rejected is not equal: it means that this sample cannot size the difference."
    # Of one class a looser threshold calls more cases positive, or as many. A measure of both classes, like
    # the accuracy, may well be the same at two thresholds.
    is_nested = all(needs is not None and len(needs) == 1 for needs in comparison._needs)
    if table.thresholds is not None and is_nested:
        said = (
            "Not rejected is not equal: the decisions are nested, so the rates do differ unless no case "
            "lies between; this sample cannot size the difference."
        )
    if table.design.shares_training and not comparison.test_train_ratio:
        said += " The folds count as independent here, though they share training data."
    return said


def compare_points(
    table: OperatingPointTable,
    index: int,
    measure: Any,
    *,
    alpha: float,
    df: str,
    test_train_ratio: float | None,
    adjust: str | None,
    combine: str,
) -> PointComparison:
    """Compare one point of a table to all others; see :meth:`OperatingPointTable.compare_to`."""
    alpha = open_share("alpha", alpha)
    one_of("combine", combine, ("and", "or"))
    if adjust is not None:
        adjusted(np.empty(0), adjust)  # refuses an unknown name before anything is computed
    require_folds(table.n_folds, table.unit)
    place = point_index(index, table.n_points, "index")
    measures, values = _measured(table, measure)
    ratio = ratio_of(test_train_ratio, table.design)
    tests = paired_tests(
        values, np.broadcast_to(values[..., [place]], values.shape), df=df, test_train_ratio=ratio
    )
    warn_constant(tests, table.unit)
    statistic, pvalue = tests.statistic.copy(), tests.pvalue.copy()
    statistic[:, place], pvalue[:, place] = 0.0, 1.0
    corrected = pvalue.copy()
    others = np.arange(table.n_points) != place
    corrected[:, others] = adjusted(pvalue[:, others], adjust)
    accepted, tested = corrected > alpha, ~np.isnan(corrected)
    together = (
        (accepted | ~tested).all(axis=0) & tested.any(axis=0) if combine == "and" else accepted.any(axis=0)
    )
    freedom = np.unique(tests.df[~np.isnan(tests.df)])
    single = values.shape[1] == 1
    arrays = (tests.difference, tests.standard_error, statistic, pvalue, corrected, tests.n)
    shaped = [read_only(np.ascontiguousarray(array[0] if single else array.T)) for array in arrays]
    per_test = read_only(tests.df[0] if single else tests.df.T)
    return PointComparison(
        index=place,
        measures=tuple(m.name for m in measures),
        **dict(zip(_PER_TEST, shaped, strict=True)),
        df=float(freedom[0]) if freedom.size == 1 else per_test,
        indistinguishable=read_only(together | ~others),
        alpha=alpha,
        test_train_ratio=tests.test_train_ratio,
        adjust=adjust,
        combine=combine,
        _table=table,
        _needs=tuple(m.needs for m in measures),
    )


def _measured(table: OperatingPointTable, measure: Any) -> tuple[tuple[Measure, ...], Floats]:
    """The measures that were named, and their values ``(n_folds, n_measures, n_points)``."""
    several = isinstance(measure, Sequence) and not isinstance(measure, str)
    given = list(measure) if several else [measure]
    if not given:
        raise fail("RS002.no-measure")
    measures: list[Measure] = []
    values: list[Floats] = []
    for each in given:
        one = measure_of(each, has_positive=table.has_positive)
        found = one.of(table.confusion)
        if found.ndim == 2:
            measures.append(one)
            values.append(found)
            continue
        for c, label in enumerate(table.class_words):
            measures.append(
                Measure(f"{one.name} {label}", one.values, _side(table, c), is_share=one.is_share)
            )
            values.append(found[..., c])
    return tuple(measures), np.stack(values, axis=1)


def _side(table: OperatingPointTable, c: int) -> tuple[str, ...]:
    return (("negative", "positive")[c],) if table.has_positive else (table.class_words[c],)


def point_index(value: object, n_points: int, name: str) -> int:
    """A point's index, counted from the end if negative; RS042 if there is no such point."""
    try:
        place = None if isinstance(value, bool | np.bool_) else as_index(value)  # type: ignore[arg-type]
    except TypeError:
        place = None
    if place is None or not -n_points <= place < n_points:
        where, way = f"the number of a point, 0 to {n_points - 1}", "compare_to(table.nearest(tpr=0.9))"
        raise fail("RS042", name=name, where=where, found=value, ways=[way])
    return place % n_points
