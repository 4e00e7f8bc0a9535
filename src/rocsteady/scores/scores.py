"""Scores: what one classifier said about one set of cases, validated once."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady._kernels import kernels, thread_count
from rocsteady.errors import Option, UsageError, counted, warn
from rocsteady.scores.arrays import ARRAYS, Array, Column, Source, read_column, require_equal_lengths
from rocsteady.scores.columns import (
    Columns,
    Floats,
    check_missing_scores,
    looks_like_decisions,
    owned,
    score_array,
    weight_array,
)
from rocsteady.scores.grouping import word
from rocsteady.scores.labels import Classes, code_labels, explain_labels
from rocsteady.scores.records import Cases, Clusters, rows_together
from rocsteady.showing import Shown
from rocsteady.words import printable


@dataclass(frozen=True, eq=False)
class _Given:
    """What the caller passed, kept to explain what a kernel refuses."""

    labels: Column
    positive: object
    source: Source


@dataclass(frozen=True, eq=False)
class Rows:
    """Clean columns, the words for the classes, and which of the given rows they are (None: all)."""

    columns: Columns
    classes: Classes
    kept: NDArray[np.int64] | None
    n_given: int
    given: _Given | None = None

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        """Which rows are positive."""
        return np.asarray(self.columns.labels == self.columns.positive)


def read_rows(
    labels: object,
    scores: object,
    *,
    positive: object = None,
    sample_weight: object = None,
    higher_is_positive: bool = True,
    source: Source = ARRAYS,
    deferred: bool = False,
    copy: bool = False,
) -> Rows:
    """Read labels, scores and weights into columns of one group.

    With ``deferred`` the values of scores and numeric labels are not looked at, unless there are weights;
    with ``copy`` nothing is left in the memory of the caller.
    """
    require_direction(higher_is_positive)
    given = {"label": read_column(labels, "label", source), "score": read_column(scores, "score", source)}
    if sample_weight is not None:
        given["weight"] = read_column(sample_weight, "weight", source)
    n_rows = require_equal_lengths(given, source)
    numbers = score_array(given["score"], source)
    coded = code_labels(given["label"], positive, source)
    columns = Columns(
        scores=numbers,
        labels=coded.array,
        offsets=np.array([0, n_rows], dtype=np.int64),
        positive=coded.positive,
        negative=coded.negative,
        weights=None,
        higher_is_positive=bool(higher_is_positive),
    )
    rows = Rows(columns, coded.classes, None, n_rows, _Given(given["label"], positive, source))
    if not deferred or sample_weight is not None:
        check_values(rows)
    if sample_weight is not None:
        rows = _weigh(rows, weight_array(given["weight"], source))
    return replace(rows, columns=owned(rows.columns, given.values())) if copy else rows


def require_direction(higher_is_positive: object) -> None:
    """RS001 unless ``higher_is_positive`` is True or False: the text "False" would be true."""
    if not isinstance(higher_is_positive, bool | np.bool_):
        raise UsageError(
            "RS001",
            "higher_is_positive must be True or False.",
            f"found: {higher_is_positive!r}",
            ["where low scores speak for the positive class:  ", Option("higher_is_positive", False)],
        )


def check_values(rows: Rows) -> None:
    """Raise the coded error for a NaN score or a label that is neither of the two."""
    columns, threads = rows.columns, thread_count()
    try:
        kernels.check(columns.scores, columns.labels, columns.positive, columns.negative, threads)
    except ValueError:
        explain_values(columns, rows.given)
        raise


def explain_values(columns: Columns, given: _Given | None) -> None:
    """Find out what a kernel refused, and raise the coded error for it."""
    source = ARRAYS if given is None else given.source
    check_missing_scores(columns.scores, source)
    if given is not None:
        explain_labels(given.labels, given.positive, source)


def _weigh(rows: Rows, weights: Floats) -> Rows:
    """Attach weights; rows of weight zero drop out."""
    columns, kept = rows.columns, None
    if weights.min() == 0:
        kept = np.flatnonzero(weights)
        weights = weights[kept]
    everything: Any = slice(None) if kept is None else kept
    weighed = Columns(
        scores=columns.scores[everything],
        labels=columns.labels[everything],
        offsets=np.array([0, weights.size], dtype=np.int64),
        positive=columns.positive,
        negative=columns.negative,
        weights=weights,
        higher_is_positive=columns.higher_is_positive,
    )
    return Rows(weighed, rows.classes, kept, rows.n_given)


def warn_of_decisions(scores: Array, stacklevel: int = 4) -> None:
    """RS101 if the scores are hard decisions."""
    if looks_like_decisions(scores):
        low, high = np.unique(scores)
        warn(
            "RS101",
            "the scores take only two values; they look like decisions, not scores.",
            f"{low} and {high} in {counted(scores.size, 'row')}",
            "pass probabilities or distances, for example  predict_proba(X)[:, 1]",
            stacklevel=stacklevel,
        )


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Scores(Shown):
    """Scores of one classifier on one set of cases.

    Everything is checked and copied once, here, so later changes of the caller's arrays do not matter. One
    class is legal: such scores count in a pooled curve, though they have no curve of their own.

    Parameters
    ----------
    labels : array-like
        The true class of each row: bool, 0/1 or -1/1; any other labels need ``positive``.
    scores : array-like of real numbers
        One per row. Infinite scores are legal, NaN is not. Integers are compared as integers; decimals
        are rounded to float64.
    positive : label or list of labels, optional
        Which labels are positive. A list merges labels; all others are negative.
    sample_weight : array-like of numbers, optional
        Finite and not negative; rows of weight zero drop out.
    name : str, optional
        What tables and messages call these scores.
    higher_is_positive : bool
        False where low scores speak for the positive class (distances, p-values).

    Attributes
    ----------
    scores : ndarray
        float64, float32, int64 or uint64; read-only, as are the others.
    is_positive : ndarray of bool
    sample_weight : ndarray of float64, or None
    n_positives, n_negatives : int
        Rows of either class.
    classes : Classes
        The words for the classes, ``.positive`` and ``.negative``.
    cases : tuple, or None
        The case of each row, in a member of a :class:`ScoreSet` that was made with cases.
    clusters : tuple, or None
        The patient of each row, in a member of a :class:`ScoreSet` that was made with clusters.
    columns : Columns
        The arrays as the kernels read them.

    Raises
    ------
    LabelError, DataError, ColumnError
        Coded; each names the rows or labels it is about.

    Warns
    -----
    RocsteadyWarning
        RS101 if ten or more scores take exactly two values.

    Examples
    --------
    >>> import rocsteady as rs
    >>> scores = rs.Scores(["sick", "well", "well"], [0.9, 0.4, 0.1], positive="sick", name="reader 1")
    >>> scores
    Scores(reader 1: 1 positive, 2 negatives)
    >>> scores.is_positive.tolist()
    [True, False, False]
    >>> scores.classes.negative
    'well'
    """

    columns: Columns
    classes: Classes
    name: str | None
    _given: _Given | None
    _cases: Cases | None
    _clusters: Clusters | None

    def __init__(
        self,
        labels: object,
        scores: object,
        *,
        positive: object = None,
        sample_weight: object = None,
        name: str | None = None,
        higher_is_positive: bool = True,
    ) -> None:
        rows = read_rows(
            labels,
            scores,
            positive=positive,
            sample_weight=sample_weight,
            higher_is_positive=higher_is_positive,
            copy=True,
        )
        warn_of_decisions(rows.columns.scores)
        self._fill(rows.columns, rows.classes, name)

    def _fill(
        self,
        columns: Columns,
        classes: Classes,
        name: str | None,
        given: _Given | None = None,
        cases: Cases | None = None,
        clusters: Clusters | None = None,
    ) -> None:
        values = {"columns": columns, "classes": classes, "name": name, "_given": given}
        values |= {"_cases": cases, "_clusters": clusters}
        for field, value in values.items():
            object.__setattr__(self, field, value)  # the dataclass is frozen

    @classmethod
    def deferred(
        cls,
        labels: object,
        scores: object,
        *,
        positive: object = None,
        sample_weight: object = None,
        name: str | None = None,
        higher_is_positive: bool = True,
    ) -> Scores:
        """Like the constructor, but NaN scores and stray labels are left for the kernel to find.

        For callers that hand the columns to a kernel at once and call :meth:`explain_unclean` when it
        refuses them: the rows are then read once instead of twice.
        """
        rows = read_rows(
            labels,
            scores,
            positive=positive,
            sample_weight=sample_weight,
            higher_is_positive=higher_is_positive,
            deferred=True,
            copy=sample_weight is not None,  # curves with weights keep their rows
        )
        return cls.of_columns(rows.columns, rows.classes, name, rows.given)

    @classmethod
    def of_columns(
        cls,
        columns: Columns,
        classes: Classes,
        name: str | None = None,
        given: _Given | None = None,
        cases: Cases | None = None,
        clusters: Clusters | None = None,
    ) -> Scores:
        """Wrap columns of one group that are clean already; nothing is copied or checked."""
        scores = cls.__new__(cls)
        scores._fill(columns, classes, name, given, cases, clusters)
        return scores

    def explain_unclean(self) -> None:
        """Raise the coded error for what a kernel refused; return if nothing is wrong."""
        explain_values(self.columns, self._given)

    @property
    def scores(self) -> Array:
        """The scores, read-only."""
        return _read_only(self.columns.scores)

    @cached_property
    def is_positive(self) -> NDArray[np.bool_]:
        """Which rows are positive, read-only."""
        return _read_only(self.columns.labels == self.columns.positive)

    @property
    def sample_weight(self) -> Floats | None:
        """The weights, read-only; None if there are none."""
        return None if self.columns.weights is None else _read_only(self.columns.weights)

    @cached_property
    def cases(self) -> tuple[Any, ...] | None:
        """The case of each row; None if the cases were not named."""
        return None if self._cases is None else self._cases.listed()

    @cached_property
    def clusters(self) -> tuple[Any, ...] | None:
        """The patient of each row; None if the clusters were not named."""
        return None if self._clusters is None else self._clusters.listed()

    @cached_property
    def _together(self) -> Cases | None:
        """What says which rows belong together; None where each is a case of its own."""
        return rows_together(self._clusters, self._cases, self.columns.offsets)

    @property
    def higher_is_positive(self) -> bool:
        """Whether high scores speak for the positive class."""
        return self.columns.higher_is_positive

    @cached_property
    def n_positives(self) -> int:
        """Rows of the positive class."""
        return int(np.count_nonzero(self.is_positive))

    @property
    def n_negatives(self) -> int:
        """Rows of the negative class."""
        return self.columns.n_rows - self.n_positives

    def __repr__(self) -> str:
        name = "" if self.name is None else f"{printable(str(self.name))}: "
        weighted = "" if self.columns.weights is None else ", weighted"
        direction = "" if self.higher_is_positive else ", low is positive"
        counts = f"{counted(self.n_positives, 'positive')}, {counted(self.n_negatives, 'negative')}"
        return f"Scores({name}{counts}{weighted}{direction})"

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can carry: infinite scores are the strings ``"inf"`` and ``"-inf"``."""
        return {
            "name": self.name,
            "positive": self.classes.positive,
            "negative": self.classes.negative,
            "higher_is_positive": self.higher_is_positive,
            "n_positives": self.n_positives,
            "n_negatives": self.n_negatives,
            "cases": None if self.cases is None else list(map(_plain, self.cases)),
            "clusters": None if self.clusters is None else list(map(_plain, self.clusters)),
            "is_positive": self.is_positive.tolist(),
            "scores": list(map(_plain, self.columns.scores.tolist())),
            "sample_weight": None if self.columns.weights is None else self.columns.weights.tolist(),
        }

    def to_frame(self) -> Any:
        """One row per case, as a pandas or Polars frame: class and score; any case, cluster and weight."""
        from rocsteady.scores.frames import to_frame

        return to_frame(self._columns())

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {} if self.cases is None else {"case": self.cases}
        columns |= {} if self.clusters is None else {"cluster": self.clusters}
        columns |= {"is_positive": self.is_positive, "score": self.columns.scores}
        weights = self.columns.weights
        return columns if weights is None else columns | {"weight": weights}


def _plain(value: Any) -> Any:
    """A score or case as JSON can carry it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if isinstance(value, str | int) else word(value)


def _read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view
