"""The best point of a table: what a criterion chooses by its mean over folds, and what that is worth.

Every criterion that chooses on curves chooses here. What is compared is the mean over folds, as in
:meth:`OperatingPointTable.measure`, to 12 digits; on an average it is the criterion at the mean rates. The
two are the same unless the criterion is curved: the mean of the folds' F1 is not the F1 of mean rates. Points
that fewer folds define than others are no candidates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import nan
from numbers import Real
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rocsteady.arrays import Floats, Indices, Mask, over_folds
from rocsteady.averaging.base import FEWEST_GROUPS
from rocsteady.errors import fail, warn
from rocsteady.options import one_threshold, open_share, resamples_asked, whole_number
from rocsteady.places import CUTOFFS, is_place, keyword_place
from rocsteady.points.criteria import (
    PLACES,
    AlertBudget,
    Criterion,
    GivenThreshold,
    Maximum,
    TargetRate,
    criterion_at,
    criterion_of,
    with_prevalence,
)
from rocsteady.points.cutoffs import (
    CorrectedCutoff,
    CutoffIntervals,
    Limits,
    corrected_at,
    expected_rates,
    fewest_groups,
    limits_over_groups,
    with_corrected,
    worth_in_groups,
)
from rocsteady.points.measures import Basis, TwoByTwo, two_by_two
from rocsteady.results import Result, read_only
from rocsteady.showing import Told
from rocsteady.statistics.folds import error_factor
from rocsteady.statistics.groups import t_limits
from rocsteady.statistics.limits import Interval, t_quantile
from rocsteady.statistics.resampling import drawn_counts, expanded_tail
from rocsteady.words import plural


@dataclass(frozen=True, eq=False, repr=False)
class ChosenPoint(Told, Result, sentence="points.chosen_point"):
    """The operating point of a table that is best by a criterion, made by :func:`rocsteady.choose_cutoff`.

    Numbers are means over the folds that chose it, and flatter it; ``.corrected()`` has what to expect.

    Attributes
    ----------
    index : int
        The point; the first of ``all_optima``. What ``table.compare_to`` and all others take.
    point : Any
        What it is: a threshold, class weights, or what was given.
    threshold : float
        If the points are thresholds, else NaN.
    rule : str
        What calls a score positive, if the points are thresholds.
    fpr, tpr : float
        Mean rates over folds; NaN of classes none of which is positive.
    value : float
        The mean over folds of what the criterion gives.
    criterion : Criterion
        What was optimised.
    all_optima : intp array
        All points as good, in the order of the table.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(0)
    >>> labels, folds = np.tile([0, 1], 100), np.repeat(np.arange(10), 20)
    >>> scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=200) + labels, folds)
    >>> table = rs.average_operating_points(scores, thresholds=30)
    >>> chosen = rs.choose_cutoff(table, "mcc")
    >>> chosen
    ChosenPoint(mcc, point 14: 0.5070, fpr 0.2200, tpr 0.7100)
    >>> round(float(table.measure("mcc").mean[chosen.index]), 4)
    0.507
    """

    _line: ClassVar = "{criterion}, point {index}: {_numbers}"

    index: int
    point: Any
    threshold: float
    rule: str
    fpr: float
    tpr: float
    value: float
    criterion: Criterion
    all_optima: Indices
    _table: Any
    _drawn: dict[Any, Floats] = field(default_factory=dict)  # in resamples of folds, by their number and seed

    @property
    def _numbers(self) -> str:
        rates = f"fpr {self.fpr:.4f}, tpr {self.tpr:.4f}"
        held = isinstance(self.criterion, TargetRate | AlertBudget | GivenThreshold)
        value = "" if held else f"{self.value:.4f}"
        return value if np.isnan(self.fpr) else ", ".join(filter(None, (value, rates)))

    def corrected(
        self, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
    ) -> CorrectedCutoff:
        """What to expect of this point on new folds, with intervals, as :meth:`Cutoff.corrected`.

        In every resample of the folds the point is chosen again; what that adds to the mean rates and to the
        mean value is taken off. The folds are what is random; those of a cross-validation share training
        cases, which the intervals allow for.
        """
        of = self._of_two_classes()
        level = open_share("confidence_level", confidence_level)
        seed = whole_number("seed", seed, least=0, example=0)
        n_resamples, table = resamples_asked(n_resamples), self._table
        if table.n_folds < FEWEST_GROUPS:
            warn("RS242.few", unit=table.unit, n=table.n_folds, needed=FEWEST_GROUPS)
        drawn = self._chosen_again(n_resamples, seed)
        rates, worth = expected_rates(self, drawn), (nan, nan)
        value, interval = self.value, None
        if drawn.size:
            sizes, here = table.confusion.class_sizes, [of.fpr[:, self.index], of.tpr[:, self.index]]
            worth = worth_in_groups(
                rates,
                drawn,
                level,
                most=sizes.sum(axis=0).tolist(),
                errors=[float(table.measure(name).standard_error[self.index]) for name in ("fpr", "tpr")],
                weights=[np.isfinite(own) / np.isfinite(own).sum() for own in here],
                ratio=table.design.test_train_ratio,
            )
            value, interval = self._expected_value(of, drawn, level)
        how: dict[str, Any] = {"confidence_level": level, "n_resamples": n_resamples, "seed": seed}
        how |= {"value": value, "of_value": interval, "random": plural(table.unit), "of_groups": True}
        return corrected_at(self, rates, worth, **how)

    def _expected_value(self, of: _Folds, drawn: Floats, level: float) -> tuple[float, Interval | None]:
        """The mean value less what choosing added, and Student's t over folds around it."""
        if isinstance(self.criterion, TargetRate | AlertBudget):  # the rate that was free
            return nan, None
        least, most = self.criterion.range
        added = drawn[:, 7] - drawn[:, 8]
        value = float(np.clip(self.value - added.mean(), least, most))
        n, ratio = int(np.isfinite(of.value[:, self.index]).sum()), self._table.design.test_train_ratio
        if n < 2:
            return value, None
        here = float(np.nanstd(of.value[:, self.index], ddof=1)) * np.sqrt(1 / n + ratio)
        error = max(here, float(added.std()) * np.sqrt(n / (n - 1)) * error_factor(n, ratio))
        if not error > 0:
            return value, None
        width, half = most - least, t_quantile(n - 1, level) * error
        if not np.isfinite(width):
            return value, Interval(value - half, value + half, level, "t, corrected")
        low, high = (least + width * float(end) for end in t_limits((value - least) / width, half / width))
        return value, Interval(low, high, level, "logit t, corrected")

    def intervals(
        self, confidence_level: float = 0.95, n_resamples: int = 2000, seed: int = 0
    ) -> CutoffIntervals:
        """Intervals of the threshold and its rates, chosen again in resamples of the folds.

        As :meth:`Cutoff.intervals` of an average: for the point that is best in the population. Points that
        are no thresholds have the rates' intervals alone.
        """
        self._of_two_classes()
        level = open_share("confidence_level", confidence_level)
        seed = whole_number("seed", seed, least=0, example=0)
        n_resamples, table = resamples_asked(n_resamples), self._table
        n = table.n_folds
        if n < (needed := fewest_groups(self.criterion)):
            warn("RS242.few", unit=table.unit, n=n, needed=needed)
        drawn = self._chosen_again(n_resamples, seed)
        limits = np.full((2, 3), nan)
        if drawn.size:
            inner = 1 - 2 * expanded_tail(level, n, n - 1)
            limits = limits_over_groups(drawn[:, :3], inner, n, table.design.test_train_ratio)
        found: dict[str, Any] = {}
        for name, (low, high) in zip(("threshold", "fpr", "tpr"), limits.T.tolist(), strict=True):
            own = getattr(self, name)
            ends = min(low, own), max(high, own)  # hold the estimate
            found[name] = None if name == self.criterion.held else Interval(*ends, level, "bootstrap, groups")
        return CutoffIntervals(**found, confidence_level=level, n_resamples=n_resamples, seed=seed,
                               method=Limits.GROUPS, unit=table.unit)  # fmt: skip

    def two_by_two(
        self,
        prevalence: float | str | None = None,
        *,
        confidence_level: float = 0.95,
        n_resamples: int = 2000,
        seed: int = 0,
    ) -> TwoByTwo:
        """The counts of all folds at this point, with what is expected on new folds beside every measure."""
        of, k = self._of_two_classes(), self.index
        stacked = self._table.confusion.stacked().one(0, k)
        counts = [float(own) for own in (stacked.tp, stacked.fp, stacked.fn, stacked.tn)]
        is_whole = not self._table.is_weighted
        cells: Any = tuple(map(int, counts)) if is_whole else tuple(counts)
        positives, negatives = counts[0] + counts[2], counts[1] + counts[3]
        share = positives / (positives + negatives)
        table = two_by_two(
            cells, counts[1] / negatives, counts[0] / positives, share, prevalence,
            confidence_level=confidence_level, method="clopper-pearson",
            basis=Basis.ROWS_OF_GROUPS if is_whole else Basis.WEIGHTS,
        )  # fmt: skip
        if n_resamples == 0 or isinstance(self.criterion, GivenThreshold) or len(of.fpr) < 2:
            return table
        return with_corrected(
            table, self.corrected(confidence_level, n_resamples, seed), confidence_level, prevalence
        )

    def _of_two_classes(self) -> _Folds:
        if not self._table.has_positive:
            raise fail("RS002.of-two-classes", n=self._table.confusion.n_classes)
        return _of_folds(self._table, self.criterion)

    def _chosen_again(self, n_resamples: int, seed: int) -> Floats:
        """Threshold, rates in the resample, those of all folds, those of this point; values of both."""
        if (n_resamples, seed) in self._drawn or self._table.n_folds < 2:
            return self._drawn.get((n_resamples, seed), np.empty((0, 9)))
        table, of, k = self._table, _of_folds(self._table, self.criterion), self.index
        thresholds = np.full(table.n_points, nan) if table.thresholds is None else table.thresholds
        everywhere, blocks = of.means(np.ones((1, table.n_folds))), []
        for counts in drawn_counts(table.n_folds, n_resamples, seed):
            for drawn in np.array_split(counts, -(-counts.shape[0] * table.n_points // _BLOCK)):
                here = of.means(drawn)
                is_usable = np.isfinite(here.fpr[:, k]) & np.isfinite(here.tpr[:, k])
                here = _Folds(*(own[is_usable] for own in here))
                best = _optima(self.criterion, here).argmax(axis=1)
                row = np.arange(best.size)
                columns = [
                    thresholds[best], here.fpr[row, best], here.tpr[row, best], everywhere.fpr[0, best],
                    everywhere.tpr[0, best], here.fpr[:, k], here.tpr[:, k], here.value[row, best],
                    everywhere.value[0, best],
                ]  # fmt: skip
                blocks.append(np.stack(columns, axis=1))
        self._drawn[n_resamples, seed] = np.concatenate(blocks)
        return self._drawn[n_resamples, seed]


_BLOCK = 2**22  # cells held at once; bounds the memory and does not change the answer


class _Folds(NamedTuple):
    """What a criterion looks at, of every fold (or of their means) at every point; NaN where undefined."""

    fpr: Floats
    tpr: Floats
    kept: Floats  # of a target or a budget
    value: Floats

    def means(self, counts: Floats) -> _Folds:
        """Means over the folds that define it, each counted so often."""
        found = []
        for own in self:
            is_defined = np.isfinite(own)
            n = counts @ is_defined
            with np.errstate(divide="ignore", invalid="ignore"):
                found.append(np.round(counts @ np.where(is_defined, own, 0.0) / n, PLACES))
        return _Folds(*found)


def where_most_define(per_fold: Floats) -> Floats:
    """NaN at points that fewer folds define than others: means over fewer folds are another thing."""
    n_defined = np.isfinite(per_fold).sum(axis=0)
    return np.where(n_defined == n_defined.max(), per_fold, nan)


def _of_folds(table: Any, criterion: Criterion) -> _Folds:
    """What counts of a table."""
    fpr, tpr, kept, value = _by_folds(table, criterion)
    return _Folds(fpr, tpr, where_most_define(kept), where_most_define(value))


def _by_folds(table: Any, criterion: Criterion) -> _Folds:
    """The two rates, what is kept, and what the criterion gives, fold by fold."""
    confusion, shape = table.confusion, (table.n_folds, table.n_points)
    nothing = np.full(shape, nan)
    own = criterion.measure if isinstance(criterion, Maximum) and criterion.prevalence is None else None
    if not table.has_positive:
        if own is None:
            raise fail("RS001.needs-positive", name=str(criterion), known="'accuracy', 'mcc', 'kappa'")
        return _Folds(nothing, nothing, nothing, table.measure(own).per_fold)
    fpr, tpr = (table.measure(name).per_fold for name in ("fpr", "tpr"))
    sizes = confusion.class_sizes
    n_cases = sizes.sum(axis=1, keepdims=True)
    prevalence = sizes[:, 1:] / n_cases
    if isinstance(criterion, TargetRate):
        return _Folds(fpr, tpr, criterion.attained(fpr, tpr, prevalence), tpr if criterion.is_of_tpr else fpr)
    if isinstance(criterion, AlertBudget):
        return _Folds(fpr, tpr, table.measure("alarm_rate").per_fold, tpr)
    if callable(own):
        return _Folds(fpr, tpr, nothing, table.measure(own).per_fold)
    if isinstance(criterion, Maximum) and callable(criterion.measure):
        of_each = [
            criterion.at_prevalence(Fraction(1, 2), float(n)).values(x, y, np.array(nan))
            for x, y, n in zip(fpr, tpr, n_cases[:, 0], strict=True)
        ]
        return _Folds(fpr, tpr, nothing, np.array(of_each))
    return _Folds(fpr, tpr, nothing, np.asarray(criterion.values(fpr, tpr, prevalence)) + 0 * fpr)


def _optima(criterion: Criterion, means: _Folds) -> Mask:
    """The best points of every row; where nothing keeps a target those that come nearest."""
    if isinstance(criterion, TargetRate | AlertBudget):
        is_most = isinstance(criterion, AlertBudget) or criterion.kept == "fpr"
        limit = criterion.share if isinstance(criterion, AlertBudget) else criterion.rate
        kept = -means.kept if is_most else means.kept
        kept = np.where(np.isnan(kept), -np.inf, kept)
        permitted = kept >= np.round(-limit if is_most else limit, PLACES)
        best = _largest(kept, ~permitted.any(axis=1, keepdims=True) | permitted)
        if isinstance(criterion, AlertBudget):
            return np.where(permitted.any(axis=1, keepdims=True), _largest(means.kept, permitted), best)
        goal = means.tpr if criterion.is_of_tpr else -means.fpr
        found = _largest(goal, permitted)
        if not criterion.is_of_tpr:
            found = _largest(means.tpr, found)
        return np.where(permitted.any(axis=1, keepdims=True), found, best)
    gain = means.value if criterion.is_gain else -means.value
    return _largest(gain, np.isfinite(gain) | np.isposinf(gain))


def _largest(values: Floats, among: Mask) -> Mask:
    own = np.where(among & ~np.isnan(values), values, -np.inf)
    return np.asarray(among & (own == own.max(axis=1, keepdims=True)))


def chosen_point(
    table: Any, criterion: object, prevalence: float | None, where: Mapping[str, Any]
) -> ChosenPoint:
    """The best point of a table by a criterion or a place, as :func:`rocsteady.choose_cutoff` is asked."""
    if isinstance(criterion, Real) and not isinstance(criterion, bool | np.bool_):
        where, criterion = {"threshold": one_threshold(criterion, "choose_cutoff(table, 0.5)")}, None
    if criterion is None or is_place(criterion):
        asked: Any = {
            "task": "choose a point at",
            "call": "choose_cutoff(table, {})",
            "others": ("prevalence",),
        }
        place = keyword_place(criterion, where, among=CUTOFFS, **asked)
        if place.kind == "threshold":
            return _given(table, place.value)
        n_cases = float(table.confusion.class_sizes.sum())
        criterion = criterion_at(place.among(n_cases) if place.is_count else place)
    chosen = with_prevalence(criterion_of(criterion), prevalence)
    folds = _of_folds(table, chosen)
    means = folds.means(np.ones((1, table.n_folds)))
    if isinstance(chosen, TargetRate | AlertBudget):
        _require_kept(table, chosen, means.kept[0])
    elif not np.isfinite(means.value).any():
        raise fail("RS073.nowhere", name=str(chosen))
    optima = np.flatnonzero(_optima(chosen, means)[0])
    return _at(table, chosen, optima, folds)


def _at(table: Any, criterion: Criterion, optima: Indices, folds: _Folds) -> ChosenPoint:
    index = int(optima[0])
    fpr, tpr, _, value = (float(over_folds(own)[0][index]) for own in folds)
    threshold = nan if table.thresholds is None else float(table.thresholds[index])
    where = index, table.points[index], threshold, table.rule or ""
    return ChosenPoint(*where, fpr, tpr, value, criterion, read_only(optima), _table=table)


def _given(table: Any, threshold: float) -> ChosenPoint:
    """The point of a threshold that is one of the table's."""
    known = np.empty(0) if table.thresholds is None else table.thresholds
    optima = np.flatnonzero(known == threshold)
    if not optima.size:
        raise fail("RS042.no-such-point", threshold=threshold)
    fpr, tpr = (table.measure(name).per_fold for name in ("fpr", "tpr"))
    nothing = np.full(fpr.shape, nan)
    return _at(table, GivenThreshold(threshold=threshold), optima, _Folds(fpr, tpr, nothing, nothing))


def _require_kept(table: Any, criterion: TargetRate | AlertBudget, kept: Floats) -> None:
    """RS007 if no point keeps a target."""
    if isinstance(criterion, TargetRate):
        name, limit = str(criterion.kept), criterion.rate
    else:
        name, limit = "alerts", criterion.share
    is_least = name not in ("fpr", "alerts")
    off = kept - round(limit, PLACES)
    if ((off >= 0) if is_least else (off <= 0)).any():
        return
    best = float((np.nanmax if is_least else np.nanmin)(kept))
    can_be = float((np.floor if is_least else np.ceil)(best * 1e4) / 1e4)
    facts = {"name": name, "value": limit, "is_least": is_least, "best": best, "is_defined": True}
    facts["index"] = int(np.flatnonzero(kept == best)[0])
    raise fail("RS007.points", **facts, ways=[f"choose_cutoff(table, {name}={can_be!r})"])
