"""Scores: what one classifier said about one set of cases, validated once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.arrays import Array, Floats
from rocsteady.errors import warn
from rocsteady.options import yes_or_no
from rocsteady.results import Frozen, Tabular, plain, read_only
from rocsteady.scores.columns import (
    Cases,
    Clusters,
    Columns,
    read_columns,
    rows_together,
    score_array,
    weight_array,
    word,
)
from rocsteady.scores.labels import Classes, code_labels
from rocsteady.showing import Shown


def warn_of_decisions(scores: Array) -> None:
    """RS101 if ten or more scores take exactly two values; reads on only while they might."""
    if scores.size < 10:
        return
    for own in (scores[:1000], scores):
        low, high = own.min(), own.max()
        if not ((own == low) | (own == high)).all():
            return
    if low < high:
        warn("RS101", low=low, high=high, n=scores.size)


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Scores(Frozen, Tabular, Shown):
    """Scores of one classifier on one set of cases.

    Everything is checked and copied once, here. One class is legal: such scores count in a pooled curve,
    though they have no curve of their own.

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
    columns : Columns
        The arrays as the kernels read them.
    classes : Classes
        The words for the classes, ``.positive`` and ``.negative``.

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
    name: str | None = None
    _cases: Cases | None = None
    _clusters: Clusters | None = None
    _index: Any = None

    _line = (
        "{name:?{name}: }{n_positives:count positive}, {n_negatives:count negative}"
        "{columns.weights:?, weighted}{higher_is_positive:|, low is positive}"
    )

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
        made = self.in_place(
            labels, scores, positive=positive, sample_weight=sample_weight, name=name,
            higher_is_positive=higher_is_positive, copy=True,
        )  # fmt: skip
        vars(self).update(vars(made))  # it is frozen
        warn_of_decisions(self.columns.scores)

    @classmethod
    def in_place(
        cls,
        labels: object,
        scores: Any,
        *,
        positive: object = None,
        sample_weight: Any = None,
        name: str | None = None,
        higher_is_positive: bool = True,
        copy: bool = False,
    ) -> Scores:
        """Like the constructor, but scores stay where they are, and decisions are not warned of.

        For callers that count them at once; curves with weights keep their rows, so these are copied.
        """
        higher_is_positive = yes_or_no("higher_is_positive", higher_is_positive)
        table = read_columns({"label": labels, "score": scores, "weight": sample_weight})
        scores = score_array(table["score"])
        codes, classes = code_labels(table["label"], positive, scores=scores)
        weights = weight_array(table["weight"]) if "weight" in table else None
        kept = None if weights is None or weights.min() > 0 else np.flatnonzero(weights)
        offsets = np.array([0, scores.size if kept is None else kept.size], dtype=np.int64)
        columns = Columns(scores, codes, offsets, weights, higher_is_positive).taken(kept, offsets)
        columns = columns.owned(table.values()) if copy or weights is not None else columns
        made = cls.of_columns(columns, classes, name)
        vars(made).update(_index=table["label"].index)
        return made

    @classmethod
    def of_columns(
        cls,
        columns: Columns,
        classes: Classes,
        name: str | None = None,
        cases: Cases | None = None,
        clusters: Clusters | None = None,
    ) -> Scores:
        """Wrap columns of one group that are clean already; nothing is copied or checked."""
        made = cls.__new__(cls)
        vars(made).update(columns=columns, classes=classes, name=name, _cases=cases, _clusters=clusters)
        return made

    @property
    def scores(self) -> Array:
        """The scores as float64, float32, int64 or uint64, read-only."""
        return read_only(self.columns.scores.view())

    @cached_property
    def is_positive(self) -> NDArray[np.bool_]:
        """Which rows are positive, read-only."""
        return read_only(self.columns.labels.view(np.bool_))

    @property
    def sample_weight(self) -> Floats | None:
        """The weights, read-only; None if there are none."""
        return None if self.columns.weights is None else read_only(self.columns.weights.view())

    @cached_property
    def cases(self) -> tuple[Any, ...] | None:
        """The case of each row, in a member of a set whose cases are named; else None."""
        return None if self._cases is None else self._cases.listed()

    @cached_property
    def clusters(self) -> tuple[Any, ...] | None:
        """The patient of each row, in a member of a set whose clusters are named; else None."""
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values that JSON can carry: infinite scores are the strings ``"inf"`` and ``"-inf"``."""
        return {
            "name": self.name,
            "positive": self.classes.positive,
            "negative": self.classes.negative,
            "higher_is_positive": self.higher_is_positive,
            "n_positives": self.n_positives,
            "n_negatives": self.n_negatives,
            "cases": _names(self.cases),
            "clusters": _names(self.clusters),
            "is_positive": self.is_positive.tolist(),
            "scores": plain(self.columns.scores),
            "sample_weight": plain(self.columns.weights),
        }

    def _columns(self) -> dict[str, Any]:
        """Class and score of each row; any case, cluster and weight."""
        named = {"case": self.cases, "cluster": self.clusters, "is_positive": self.is_positive}
        columns = named | {"score": self.columns.scores, "weight": self.columns.weights}
        return {role: values for role, values in columns.items() if values is not None}


def _names(values: tuple[Any, ...] | None) -> list[Any] | None:
    """Cases or clusters as JSON can carry them."""
    if values is None:
        return None
    return [plain(v) if isinstance(v, str | int | float) else word(v) for v in values]
