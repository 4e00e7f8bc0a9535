"""Arbitrary operating points: a caller's function decides, fold by fold, and its decisions are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.arrays import Floats, Mask
from rocsteady.averaging.members import Members, members_of
from rocsteady.averaging.shared import only_members, ranks
from rocsteady.counting.table import CountTable
from rocsteady.curves.readings import alike_thresholds, vertex_at
from rocsteady.errors import Option, RocsteadyError, UsageError, counted, fail
from rocsteady.options import one_of, real_numbers, whole_number
from rocsteady.points.measures import TwoClassConfusion, require_room
from rocsteady.points.tables import OperatingPointTable, PointComparison
from rocsteady.results import read_only
from rocsteady.scores.columns import word
from rocsteady.scores.labels import Classes
from rocsteady.scores.score_set import ScoreSet
from rocsteady.words import named, printable

_FLAGS = {"1": True, "0": False, "True": True, "False": False}


def points_of(points: Iterable[Any]) -> list[Any]:
    """The operating points as a list, whatever they came in; RS002 if they came in nothing."""
    is_scalar = isinstance(points, np.ndarray) and points.ndim == 0
    if isinstance(points, Iterable) and not isinstance(points, str | bytes | Mapping) and not is_scalar:
        points = list(points)
        if points:
            return points
    way = "points=[0.2, 0.5, 0.8], decide=..."
    found = f"{points!r:.60}"
    raise fail("RS002.kind", name="points", kind="a list of operating points", found=found, ways=[way])


def decided(groups: Members, points: list[Any], decide: Callable[[Any, Any], Any]) -> TwoClassConfusion:
    """The confusion matrices of decisions that a function makes; what it raises comes through unchanged."""
    scores = groups.score_set
    if scores is None:
        raise fail("RS002.decide-curves", n=len(groups))
    shape = (len(groups), len(points))
    tp, fp, sizes = np.zeros(shape), np.zeros(shape), np.zeros((2, len(groups), 1))
    for i, member in enumerate(groups.chosen):
        fold = scores[int(member)]
        weights = np.ones(fold.scores.size) if fold.sample_weight is None else fold.sample_weight
        of_positives = np.where(fold.is_positive, weights, 0.0)
        of_negatives = np.where(fold.is_positive, 0.0, weights)
        sizes[0, i], sizes[1, i] = of_positives.sum(), of_negatives.sum()
        units = fold.scores.view()
        units.flags.writeable = False  # what one point does to them must not reach the next
        for j, point in enumerate(points):
            given = decide(units, point) if units.size else np.empty(0, dtype=np.bool_)
            called = _called_positive(given, fold.scores.size, groups.classes)
            if not isinstance(called, np.ndarray):
                where = f"{named(groups.unit, groups.names[i])}, point {j} ({point!r:.40})"
                raise _unusable(called, where, groups.classes)
            # Sums over all rows, whoever was called: weights are then rounded as in the size of the class.
            tp[i, j], fp[i, j] = (np.where(called, of, 0.0).sum() for of in (of_positives, of_negatives))
    words = (groups.classes.negative, groups.classes.positive)
    return TwoClassConfusion(words, *(read_only(array) for array in (tp, fp, sizes[0], sizes[1])))


def _called_positive(given: Any, n: int, classes: Classes) -> Mask | str:
    """Which cases a result calls positive; or what is wrong with it."""
    if given is None:
        return "None"
    if isinstance(given, np.ma.MaskedArray) and np.ma.getmaskarray(given).any():
        return "masked decisions"
    try:
        array = np.asarray(given)
    except ValueError:
        return "rows of different lengths"
    if array.shape != (n,):
        return f"shape {array.shape} for {counted(n, 'score')}"
    if array.dtype.kind == "b":
        return array
    return _from_labels(array, classes)


def _from_labels(array: NDArray[Any], classes: Classes) -> Mask | str:
    """The same for numbers and words: 1 and 0, or the labels, unless a value is one and means the other."""
    if array.dtype.kind in "OUS":
        array = np.array([_label_word(value) for value in array.tolist()], dtype=np.str_)
        values = np.unique(array)
    elif array.dtype.kind in "iuf":
        values = np.unique([array.min(), array.max()])
        if not (is_known := np.isin(array, values)).all():
            values = np.append(values, array[~is_known][:1])
    else:
        return f"values of type {array.dtype}"
    words = [_label_word(value) for value in values[:3].tolist()]
    labels = {classes.positive: True, classes.negative: False}
    for meaning, other in ((_FLAGS, labels), (labels, _FLAGS)):
        if values.size > 2 or not all(each in meaning for each in words):
            continue
        clash = [each for each in words if other.get(each, meaning[each]) != meaning[each]]
        if clash:
            return f"{clash[0]}, which as a label is one class and as a flag the other"
        positive = [value for value, each in zip(values, words, strict=True) if meaning[each]]
        return np.isin(array, positive)
    strange = [each for each in words if each not in _FLAGS and each not in labels]
    return f"the value {printable((strange or words)[0]):.60}"


def _label_word(value: object) -> str:
    """A decision as the word for a class is written: 1.0 is 1."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return word(int(value))
    return word(value)


def _unusable(found: str, where: str, classes: Classes) -> RocsteadyError:
    return fail(
        "RS073.decide", fault=found, where=where, positive=classes.positive, negative=classes.negative
    )


_SOME = Option("thresholds", 30)


def average_operating_points(
    score_set: object,
    *,
    thresholds: int | ArrayLike | None = None,
    points: Iterable[Any] | None = None,
    decide: Callable[[NDArray[Any], Any], Any] | None = None,
    rule: str | None = None,
    undefined: str = "raise",
    threads: int | None = None,
) -> OperatingPointTable:
    """Every measure at every operating point, with its mean and spread over folds (or datasets, readers).

    An operating point is a way to decide, the same in every fold: a threshold on the scores, or anything that
    a function can apply. Its confusion matrix is counted fold by fold, so that any measure of it has a mean,
    a standard deviation and a standard error over folds. For thresholds this is the threshold average
    (:func:`rocsteady.average` with ``"threshold"``), with every other measure beside the two rates. One
    threshold for all folds is meaningful only if the scores of the folds are on one scale; see
    :func:`rocsteady.comparability`.

    Parameters
    ----------
    score_set : ScoreSet, CurveSet, or sequence of RocCurve or Scores
        Scores of one model; its groups are the folds.
    thresholds : None, int or array-like
        None: every distinct score of all folds together, and the infinite end at which nothing is called
        positive (under ``">"`` everything). A whole number m: m of these points, the end and m - 1 scores
        chosen evenly by rank. Both strictest first. An array: as given.
    points, decide : iterable, function
        Instead of thresholds: any operating points, and ``decide(scores, point)``, which is called with the
        scores of one fold and gives one decision for each: True or False, 1 or 0, or the two labels.
    rule : {">=", ">"}
        What calls a score positive; ``">="`` by default. Where low scores are positive ``"<="`` (default)
        or ``"<"``. Under both rules the points are the same decisions in the same order; the thresholds
        are +inf, u1, u2, ... under ``">="`` and u1, u2, ..., -inf under ``">"``.
    undefined : {"raise", "drop"}
        What to do about folds that lack a class. ``"drop"`` leaves each out of the measures that are not
        defined without that class, and lists it in ``.undefined``: a fold without negatives has a TPR and no
        FPR. ``n_defined`` of a measure says how many folds count. (``"keep"`` is another word for it.) Folds
        that were left out of a CurveSet before count nowhere.
    threads : int, optional
        Default: ROCSTEADY_THREADS, else all cores.

    Returns
    -------
    OperatingPointTable
        With ``.measure(...)``, ``.between(x, y)``, ``.nearest(...)`` and ``.compare_to(...)``.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
    >>> table = average_operating_points(folds)
    >>> table
    OperatingPointTable(5 points, 2 folds, 2 classes)
    >>> table.thresholds.tolist(), table.measure("tpr").mean.tolist()
    ([inf, 4.0, 3.0, 2.0, 1.0], [0.0, 0.5, 0.75, 1.0, 1.0])
    >>> band = average_operating_points(
    ...     folds, points=[(2, 3), (1, 4)], decide=lambda s, p: (s >= p[0]) & (s <= p[1])
    ... )
    >>> band.measure("accuracy").mean.tolist()
    [0.5, 0.5]
    """
    one_of("undefined", undefined, ("raise", "drop", "keep"))
    _require_one_kind(thresholds, points, decide, rule)
    groups = members_of(
        score_set,
        undefined="raise" if undefined == "raise" else "drop",
        all_rows_count=undefined != "raise",
        threads=threads,
        function="average_operating_points",
    )
    about: dict[str, Any] = {"folds": groups.names, "unit": groups.unit, "undefined": groups.undefined}
    about |= {"design": groups.design, "is_weighted": groups.curves.is_weighted}
    if points is not None and decide is not None:
        given = points_of(points)
        require_room(len(groups), len(given), unit=groups.unit)
        return OperatingPointTable(confusion=decided(groups, given, decide), points=tuple(given), **about)
    at, rule, confusion = _at_thresholds(groups, thresholds, rule)
    return OperatingPointTable(
        confusion=confusion, points=tuple(at.tolist()), thresholds=read_only(at), rule=rule, **about
    )


def _require_one_kind(thresholds: object, points: object, decide: object, rule: object) -> None:
    """RS002 unless there are thresholds, or points with a function to decide by them."""
    if points is None and decide is None:
        return
    found = {"thresholds": thresholds, "points": points, "decide": decide, "rule": rule}
    if thresholds is None and rule is None and points is not None and callable(decide):
        return
    raise fail(
        "RS002.points-or-thresholds",
        given=", ".join((name for name, value in found.items() if value is not None)),
    )


def _at_thresholds(
    groups: Members, thresholds: Any, rule: str | None
) -> tuple[Floats, str, TwoClassConfusion]:
    table = groups.table
    higher = table.higher_is_positive
    rules = (">=", ">") if higher else ("<=", "<")
    rule = rules[0] if rule is None else one_of("rule", rule, rules)
    if thresholds is None or not hasattr(thresholds, "__len__") or _is_scalar_array(thresholds):
        observed = distinct_scores(groups)
        vertex = np.arange(observed.size + 1)
        if thresholds is not None:
            n_scores = _number_of(thresholds) - 1
            chosen = ranks(observed.size, max(n_scores, 2))[-n_scores:]  # of a single one the loosest
            vertex = np.append(0, 1 + chosen)
        require_room(len(table), vertex.size, Option("thresholds", 100), unit=groups.unit)
        # The point at index 0 calls nothing positive, also where a score is infinite itself; so the counts
        # are read at scores only, by one rule, and the other rule is another name for the same points.
        confusion = _counts_at(groups, observed[vertex[1:] - 1], rules[0], beyond_everything=True)
        end = np.inf if higher else -np.inf
        named = np.append(end, observed) if rule == rules[0] else np.append(observed, -end)
        return named[vertex], rule, confusion
    at = np.array(_given(thresholds))
    require_room(len(table), at.size, Option("thresholds", 100), unit=groups.unit)
    _require_apart(groups, at)
    return at, rule, _counts_at(groups, at, rule, beyond_everything=False)


def _is_scalar_array(thresholds: Any) -> bool:
    return isinstance(thresholds, np.ndarray) and thresholds.ndim == 0


def _number_of(thresholds: Any) -> int:
    try:
        return whole_number("thresholds", thresholds, least=2, example=30)
    except UsageError as error:
        where = "a whole number of at least 2, or an array of thresholds"
        ways = [_SOME, ("one threshold is an array of one:  ", Option("thresholds", [0.5]))]
        raise fail("RS042", name="thresholds", where=where, found=error.facts["found"], ways=ways) from None


def _given(thresholds: ArrayLike) -> Floats:
    at = real_numbers("thresholds", thresholds, example=[0.2, 0.5, 0.8])
    if at.ndim != 1 or not at.size or np.isnan(at).any():
        ways = [Option("thresholds", [0.2, 0.5, 0.8]), _SOME]
        raise fail("RS042", name="thresholds", where="a list of numbers", found=thresholds, ways=ways)
    return at


def _require_apart(groups: Members, at: Floats) -> None:
    """RS048 if a threshold stands for several integer scores, be they of different groups."""
    if groups.score_set is None or groups.score_set.columns.scores.dtype.kind == "f":
        return
    exact = np.unique(groups.score_set.columns.scores)
    rounded = exact.astype(np.float64)
    alike = np.intersect1d(at, rounded[1:][rounded[1:] == rounded[:-1]])
    if alike.size:
        raise alike_thresholds(alike[0])


def distinct_scores(groups: Members) -> Floats:
    """Every distinct score of all groups that count, strictest first.

    RS048 if floats cannot tell them apart.
    """
    table = groups.table
    if groups.score_set is None:
        rows = np.ones(table.thresholds.size, dtype=np.bool_)
        rows[table.offsets[:-1]] = False  # the leading threshold of each group is no score
        exact: NDArray[Any] = np.unique(table.thresholds[rows])
    else:
        columns = groups.score_set.columns
        chosen = np.zeros(columns.n_groups, dtype=np.bool_)
        chosen[groups.chosen] = True
        exact = np.unique(columns.scores[np.repeat(chosen, np.diff(columns.offsets))])
    rising = exact.astype(np.float64) + 0.0
    alike = rising[1:] == rising[:-1]
    if alike.any():
        raise alike_thresholds(rising[1:][alike][0])
    return rising[::-1] if table.higher_is_positive else rising


def _counts_at(groups: Members, at: Floats, rule: str, *, beyond_everything: bool) -> TwoClassConfusion:
    """What every group counts at thresholds, led by a point that calls nothing positive if that is wanted."""
    table: CountTable = groups.table
    lead = int(beyond_everything)
    tp, fp = np.zeros((len(table), lead + at.size)), np.zeros((len(table), lead + at.size))
    for i, (start, stop) in enumerate(zip(table.offsets[:-1], table.offsets[1:], strict=True)):
        vertex, _ = vertex_at(table.thresholds[start:stop], at, rule, table.higher_is_positive)
        tp[i, lead:] = table.true_positives[start + vertex]
        fp[i, lead:] = table.false_positives[start + vertex]
    sizes = [np.asarray(n, dtype=np.float64)[:, None] for n in (table.n_positives, table.n_negatives)]
    words = (groups.classes.negative, groups.classes.positive)
    return TwoClassConfusion(words, *(read_only(array) for array in (tp, fp, *sizes)))


def nearby_thresholds(
    scores: NDArray[Any], chosen: float, n: int, *, higher_is_positive: bool
) -> NDArray[np.float64]:
    """The chosen threshold and ``n`` others, strictest first.

    They are scores at geometrically growing distances from the chosen one, by rank among the different scores
    and on both sides: the next one, and so on up to the ends, where nothing and everything is called
    positive. A side that has too few leaves its share to the other.

    >>> nearby_thresholds(np.arange(1000), 10.0, 8, higher_is_positive=True)
    array([ inf, 109.,  20.,  11.,  10.,   9.,   8.,   5.,   0.])
    """
    nothing = np.inf if higher_is_positive else -np.inf
    rising = np.union1d(np.asarray(scores, dtype=np.float64), [nothing, chosen])
    every = rising[::-1] if higher_is_positive else rising
    at = int(np.flatnonzero(every == chosen)[0])
    n_stricter, n_looser = at, every.size - 1 - at
    n_looser = min(n_looser, n - min(n_stricter, n // 2))
    n_stricter = min(n_stricter, n - n_looser)
    stricter, looser = growing(at, n_stricter), growing(every.size - 1 - at, n_looser)
    return np.concatenate([every[at - stricter[::-1]], every[[at]], every[at + looser]])


def growing(longest: int, n: int) -> NDArray[np.intp]:
    """``n`` different distances from 1 to ``longest``, each about the same factor longer than the last.

    >>> growing(1000, 4), growing(5, 5), growing(9, 1), growing(3, 0)
    (array([   1,   10,  100, 1000]), array([1, 2, 3, 4, 5]), array([1]), array([], dtype=int64))
    """
    if n < 2:
        return np.arange(1, n + 1, dtype=np.intp)
    wanted = np.rint(longest ** (np.arange(n) / (n - 1))).astype(np.intp)
    steps = np.arange(n)
    apart = np.maximum.accumulate(wanted - steps) + steps  # at least one more than the last
    return np.minimum(apart, longest - steps[::-1])  # with room for those to come


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
    has_both = score_set.has_curve
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
