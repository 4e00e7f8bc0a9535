"""One AUC for several classes, in each fold, with intervals from the design.

References
----------
D. J. Hand, R. J. Till, A simple generalisation of the area under the ROC curve for multiple class
classification problems, Machine Learning 45 (2001).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rocsteady import _kernels
from rocsteady.arrays import Floats, Integers, over_folds
from rocsteady.counting.table import Moments
from rocsteady.curves.intervals import quiet_intervals
from rocsteady.errors import counted, warn
from rocsteady.options import one_of, open_share
from rocsteady.results import TableResult
from rocsteady.scores.design import Design
from rocsteady.scores.multiclass import MulticlassScores, folds_that_count
from rocsteady.statistics.delong import SHARE, AddedByClass, guarded_limits_of_classes
from rocsteady.statistics.folds import share_of_variance
from rocsteady.statistics.groups import is_skewed, limits_of_mean, mostly_alike
from rocsteady.statistics.limits import Interval, separated_limits
from rocsteady.words import printable

AUCS = ("hand-till", "one-versus-rest")
_ELSEWHERE = {
    "hand_till": "hand-till", "handtill": "hand-till", "ovo": "hand-till", "one-versus-one": "hand-till",
    "ovr": "one-versus-rest", "one-vs-rest": "one-versus-rest", "one_versus_rest": "one-versus-rest",
    "macro": "one-versus-rest", "ova": "one-versus-rest",
}  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassAuc(TableResult):
    """An AUC of several classes in each fold, and how it varies from fold to fold.

    Attributes
    ----------
    method, weigh : str
        How the AUCs of single classes or pairs make one.
    classes : tuple
    folds : tuple of str
        Names of the folds that count.
    mean, sd : float
        Over folds; the sd is NaN for a single fold.
    standard_error : float
        Of the mean. Folds of one cross-validation share training cases, which it allows for. Of a single
        fold it is that of its cases, the trained model being fixed.
    per_fold : (n_folds,) float64 array
    stacked : float
        Of all folds taken as one. That compares outputs of different folds with each other.
    parts : (C,) or (C, C) float64 array
        What the mean over folds is made of. One versus rest: the AUC of each class. Hand and Till:
        ``[i, j]`` is the chance that output i is larger for a case of class i than for one of class j, ties
        half; NaN on the diagonal. Means over folds.
    parts_per_fold : (n_folds, ...) float64 array
    undefined : tuple of str
        Folds that were left out, and why.
    unit : str
        The word for a fold.
    design : Design
        How the folds came about.
    """

    _line: ClassVar = "{method}: {mean:.4g}, {self._sizes}"
    _in_frame = "{0.unit}=folds, auc=per_fold"

    method: str
    weigh: str
    classes: tuple[Any, ...]
    folds: tuple[str, ...]
    mean: float
    sd: float
    standard_error: float
    per_fold: Floats
    stacked: float
    parts: Floats
    parts_per_fold: Floats
    undefined: tuple[str, ...]
    unit: str
    design: Design
    _sizes_per_fold: Integers
    _cases: _Cases | None

    @property
    def _sizes(self) -> str:
        return f"{counted(len(self.classes), 'class')}, {counted(len(self.folds), printable(self.unit))}"

    def interval(self, confidence_level: float = 0.95) -> Interval:
        """The interval of the mean, from the design.

        Over folds or groups Student's t on the logit scale; folds of a cross-validation share training
        cases, which it allows for. In a single fold the cases are random and the trained model is fixed: its
        error is made of what every case adds by all pairs it is in, as DeLong's, guarded as that of
        :meth:`RocCurve.auc_interval`.

        Warns
        -----
        RocsteadyWarning
            RS151 an AUC of 0 or 1, RS287 folds without a spread, RS289 independent groups whose AUCs are
            skewed.

        Examples
        --------
        >>> import numpy as np
        >>> import rocsteady as rs
        >>> rng = np.random.default_rng(1)
        >>> labels = np.arange(300) % 3
        >>> outputs = np.exp(rng.normal(size=(300, 3)) + np.eye(3)[labels])
        >>> rs.MulticlassScores(labels, outputs).auc().interval()
        Interval(0.7227 to 0.7892, confidence level 0.95, guarded)
        >>> rs.MulticlassScores(labels, outputs, folds=np.arange(300) // 3 % 10).auc().interval()
        Interval(0.7215 to 0.7944, confidence level 0.95, logit t)
        """
        level = open_share("confidence_level", confidence_level)
        if self._cases is None:
            return self._over_folds(level)
        if self.mean in (0.0, 1.0):
            warn("RS151.separated", n=1, auc=self.mean)
            rarest = int(self._sizes_per_fold.min())
            low, high = separated_limits(np.array(self.mean), rarest, rarest, level)
            return Interval(float(low), float(high), level, "separated")
        return Interval(*guarded_limits_of_classes(self._cases.added, level), level, "guarded")

    def part_intervals(self, confidence_level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper limits of every one of ``parts``, by itself and in their shape."""
        level = open_share("confidence_level", confidence_level)
        if self._cases is not None:
            made = quiet_intervals(self._cases.moments, level)
            return self._placed(made.low), self._placed(made.high)
        low, high = np.full(self.parts.shape, np.nan), np.full(self.parts.shape, np.nan)
        for place, rarer in self._rarer():
            of_part = np.moveaxis(self.parts_per_fold, 0, -1)[place]
            low[place], high[place] = self._limits(of_part, rarer, level)
        return low, high

    def _over_folds(self, level: float) -> Interval:
        """Folds are random, and say nothing where they are alike."""
        sd, ratio = self.sd, self.design.test_train_ratio
        if sd == 0:
            warn("RS287.equal", n=len(self.folds), unit=self.unit, auc=self.mean)
        if not ratio and is_skewed(self.per_fold):
            warn("RS289.classes", unit=self.unit, mean=self.mean, sd=sd, n=len(self.folds))
        low, high = self._limits(self.per_fold, self._sizes_per_fold.min(axis=1), level)
        return Interval(low, high, level, "logit t")

    def _limits(self, per_fold: Floats, rarer: Integers, level: float) -> tuple[float, float]:
        """Limits of the mean over folds; ``rarer`` are the cases of the rarer class of each."""
        n = len(self.folds)
        mean, sd, _ = over_folds(per_fold)
        low, high = limits_of_mean(
            mean,
            sd * np.sqrt(share_of_variance(1 / n, self.design.test_train_ratio)),
            mostly_alike(per_fold[:, None])[0],
            np.full(n, 1 / n),
            rarer.astype(np.float64),
            level,
            df=n - 1,
            repeats=self.design.repeats,
        )
        return float(low), float(high)

    def _rarer(self) -> Iterator[tuple[tuple[int, ...], Integers]]:
        """The place of each part, and the cases of its rarer side in every fold."""
        sizes = self._sizes_per_fold
        for one, others, place in _comparisons(len(self.classes), self.method):
            yield place, np.minimum(sizes[:, one], sizes[:, others].sum(axis=1))

    def _placed(self, values: Floats) -> Floats:
        """Values of the comparisons in the shape of the parts."""
        found = np.full(self.parts.shape, np.nan)
        for (_, _, place), own in zip(_comparisons(len(self.classes), self.method), values, strict=True):
            found[place] = own
        return found


def _comparisons(n_classes: int, method: str) -> Iterator[tuple[int, list[int], tuple[int, ...]]]:
    """A class, the classes that it is compared with by its own output, and where that stands in ``parts``."""
    for one in range(n_classes):
        others = [c for c in range(n_classes) if c != one]
        if method == "one-versus-rest":
            yield one, others, (one,)
        else:
            yield from ((one, [other], (one, other)) for other in others)


def class_auc(
    scores: MulticlassScores,
    method: str = "hand-till",
    *,
    weigh: str = "classes",
    undefined: str = "raise",
    threads: int | None = None,
) -> MulticlassAuc:
    """What :meth:`MulticlassScores.auc` gives."""
    method = one_of("method", method, AUCS, elsewhere=_ELSEWHERE)
    one_of("weigh", weigh, ("classes", "rows"))
    one_of("undefined", undefined, ("raise", "drop"))
    lacking = scores.undefined
    scores = folds_that_count(scores, undefined, "leave them out:  undefined='drop'")
    sizes = scores.class_counts
    parts = _aucs(scores, scores.fold_index, len(scores.folds), method, threads)
    per_fold = _one_auc(parts, sizes, weigh)
    together = _aucs(scores, np.zeros_like(scores.fold_index), 1, method, threads)
    mean, sd, n = over_folds(per_fold)
    cases, error = None, sd * np.sqrt(share_of_variance(1 / n, scores.design.test_train_ratio))
    if len(scores.folds) == 1:
        cases = _cases_of_fold(scores, method, weigh, threads)
        error = np.sqrt(cases.added[0].components.sum())
    return MulticlassAuc(
        method=method,
        weigh=weigh,
        classes=scores.classes,
        folds=scores.folds,
        mean=float(mean),
        sd=float(sd),
        standard_error=float(error),
        per_fold=per_fold,
        stacked=float(_one_auc(together, sizes.sum(axis=0, keepdims=True), weigh)[0]),
        parts=over_folds(parts)[0],
        parts_per_fold=parts,
        undefined=lacking,
        unit=scores.unit,
        design=scores.design,
        _sizes_per_fold=sizes,
        _cases=cases,
    )


def _aucs(
    scores: MulticlassScores, folds: Integers, n_folds: int, method: str, threads: int | None
) -> Floats:
    """The AUCs of classes or pairs in each fold: (n_folds, C), or (n_folds, C, C)."""
    n_classes = scores.n_classes
    cells = folds * n_classes + scores.label_index
    order = np.argsort(cells, kind="stable")
    rows = np.split(order, np.searchsorted(cells[order], np.arange(1, n_folds * n_classes)))  # of each cell
    against_all = method == "one-versus-rest"
    aucs = np.full((n_folds, n_classes) if against_all else (n_folds, n_classes, n_classes), np.nan)
    for one in range(n_classes):
        others = [c for c in range(n_classes) if c != one]
        groups = [
            np.concatenate([rows[f * n_classes + c] for c in (one, *rivals)])
            for f in range(n_folds)
            for rivals in ([others] if against_all else [[other] for other in others])
        ]
        order = np.concatenate(groups)
        wins, n_positives, n_negatives = _kernels.kernels.count_wins(
            np.ascontiguousarray(scores.outputs[order, one]),
            scores.label_index[order] == one,
            np.cumsum([0, *(group.size for group in groups)], dtype=np.int64),
            1.0,
            0.0,
            True,
            _kernels.thread_count(threads),
        )
        won = np.asarray(wins / (2 * n_positives * n_negatives))
        if against_all:
            aucs[:, one] = won
        else:
            aucs[:, one, others] = won.reshape(n_folds, -1)
    return aucs


def _one_auc(parts: Floats, sizes: Integers, weigh: str) -> Floats:
    """The mean over classes, or over pairs of classes; both directions of a pair count alike."""
    if parts.ndim == 3:
        first, second = np.triu_indices(sizes.shape[1], k=1)
        parts = (parts[:, first, second] + parts[:, second, first]) / 2
        sizes = sizes[:, first] + sizes[:, second]
    shares = np.ones_like(parts) if weigh == "classes" else sizes.astype(np.float64)
    return np.asarray((parts * shares).sum(axis=1) / shares.sum(axis=1))


# A single fold: what every case adds
# -----------------------------------


class _Cases(NamedTuple):
    """What the cases of a single fold tell of its AUC and of its parts."""

    added: tuple[AddedByClass, ...]  # without a share of a case that says nothing, and with one
    moments: Moments  # of every part, in the order of the comparisons


def _cases_of_fold(scores: MulticlassScores, method: str, weigh: str, threads: int | None) -> _Cases:
    """Placements of every case in all comparisons that it is in.

    A comparison adds to the mean what it counts there. A case of its class adds its placement among the
    others over their number, and each of the others its own: their classes share that side by their sizes.
    """
    sizes, labels = scores.class_counts[0], scores.label_index
    compared = list(_comparisons(sizes.size, method))
    against_all = method == "one-versus-rest"
    counts = [
        1.0 if weigh == "classes" else float(sizes[one] if against_all else sizes[one] + sizes[others[0]])
        for one, others, _ in compared
    ]
    shares, moments = (0.0, SHARE), []
    of_cases, of_classes = np.zeros((2, scores.n_rows)), np.zeros((2, sizes.size))
    centers = np.zeros(2)
    for (one, others, _), count in zip(compared, counts, strict=True):
        rows = np.flatnonzero(np.isin(labels, [one, *others]))
        is_one = labels[rows] == one
        outputs, offsets = np.ascontiguousarray(scores.outputs[rows, one]), np.array([0, rows.size])
        given = outputs, is_one, offsets, 1.0, 0.0, True, _kernels.thread_count(threads)
        moments.append([own[0] for own in _kernels.kernels.delong_moments(*given)])
        wins, n, n_others = (int(own) for own in moments[-1][:3])
        rivals = np.where(is_one, n_others, n)
        above = _kernels.kernels.placements(*given) / (2 * rivals) - 0.5
        apart, counts_for = wins / (2 * n * n_others) - 0.5, count / sum(counts)
        # Each class has one side of the comparison, or its share of the side of the others.
        part = np.zeros(sizes.size)
        part[others], part[one] = sizes[others] / n_others, 1.0
        for s, share in enumerate(shares):
            shrunk = np.where(np.arange(sizes.size) == one, n_others / (n_others + share), n / (n + share))
            of_class = counts_for * part * shrunk
            of_cases[s, rows] += of_class[labels[rows]] * above
            of_classes[s] += of_class * apart
            centers[s] += counts_for * apart * (n / (n + share)) * (n_others / (n_others + share))
    squares = [
        np.bincount(labels, weights=(own - mean[labels]) ** 2, minlength=sizes.size).astype(np.float64)
        for own, mean in zip(of_cases, of_classes, strict=True)
    ]
    added = tuple(
        AddedByClass(float(centers[s]), squares[s], of_classes[s], sizes, share)
        for s, share in enumerate(shares)
    )
    columns: Any = [np.array(own) for own in zip(*moments, strict=True)]
    return _Cases(added, Moments(*columns))
