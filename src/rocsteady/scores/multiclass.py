"""MulticlassScores: the outputs of a classifier of several classes, one column per class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import ColumnError, DataError, LabelError, UsageError, counted, near_match
from rocsteady.scores.arrays import Array, Column, index_of, no_rows, read_column, require_one_index
from rocsteady.scores.class_order import require_same_order, warn_of_another_order
from rocsteady.scores.design import ASSUMED, Design
from rocsteady.scores.grouping import factorize, shown, word
from rocsteady.scores.records import require_distinct
from rocsteady.showing import Shown
from rocsteady.words import listed, named

if TYPE_CHECKING:
    from rocsteady.scores.score_set import ScoreSet

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False, init=False)
class MulticlassScores(Shown):
    """Outputs of a classifier of several classes, with the true class and the fold of each row.

    Parameters
    ----------
    labels : array-like
        The true class of each row.
    outputs : array-like of shape (n_rows, n_classes), or a frame
        One column per class: posteriors, votes, any finite numbers. The column names of a frame are
        its classes.
    folds : array-like, optional
        The fold of each row; without it all rows are one fold named "all".
    classes : sequence, optional
        The classes in the order of the columns. If not given: the column names of a frame (the safest way
        to say which column is which), else the
        sorted labels, as scikit-learn has it.

    Attributes
    ----------
    classes : tuple
    outputs : ndarray of float64, (n_rows, n_classes), read-only
    label_index : ndarray of int64
        The true class of each row, as its place in ``classes``.
    folds : tuple of str
        Names in order of appearance.
    fold_index : ndarray of int64
        The fold of each row, as its place in ``folds``.

    Raises
    ------
    LabelError
        RS025 if a label is not among the classes, RS023 if one is missing.
    DataError, ColumnError
        Outputs or folds that cannot be used.

    Examples
    --------
    >>> import rocsteady as rs
    >>> rs.MulticlassScores(["a", "b", "c"], [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.5, 0.1, 0.4]])
    MulticlassScores(3 classes, 3 rows, 1 fold)
    """

    classes: tuple[Any, ...]
    outputs: Floats
    label_index: Integers
    folds: tuple[str, ...]
    fold_index: Integers

    def __init__(
        self, labels: object, outputs: object, *, folds: object = None, classes: object = None
    ) -> None:
        matrix, names = read_outputs(outputs)
        given = read_column(labels, "label")
        columns = {"labels": len(given), "outputs": matrix.shape[0]}
        fold_column = None if folds is None else read_column(folds, "fold")
        if fold_column is not None:
            columns["folds"] = len(fold_column)
        if len(set(columns.values())) > 1:
            raise ColumnError(
                "RS013",
                " and ".join(columns) + " have different lengths.",
                ", ".join(f"{name}: {counted(n, 'row')}" for name, n in columns.items()),
                "pass one row of each for every case",
            )
        if len(given) == 0:
            raise no_rows()
        indexes = {"label": given.index, "outcome": index_of(outputs)}
        require_one_index(indexes if fold_column is None else {**indexes, "fold": fold_column.index})
        known = tuple(_listed(classes)) if classes is not None else names
        if classes is not None and names is not None:
            require_same_order(names, known or ())
        label_index, known = _index_labels(given, known, matrix.shape[1])
        if classes is None and names is None:
            warn_of_another_order(matrix, label_index, known)
        self._set(known, matrix, label_index, *_index_folds(fold_column, len(given)))

    def _set(self, *values: Any) -> None:
        for field, value in zip(
            ("classes", "outputs", "label_index", "folds", "fold_index"), values, strict=True
        ):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, field, value)  # the dataclass is frozen

    @classmethod
    def _checked(cls, *values: Any) -> MulticlassScores:
        """The fields as they are, for rows that have been checked before."""
        scores = cls.__new__(cls)
        scores._set(*values)
        return scores

    @property
    def n_rows(self) -> int:
        """Rows of all folds."""
        return int(self.outputs.shape[0])

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def class_counts(self) -> Integers:
        """Rows of each class in each fold, (n_folds, n_classes)."""
        cells = self.fold_index * self.n_classes + self.label_index
        counts = np.bincount(cells, minlength=len(self.folds) * self.n_classes)
        return counts.reshape(len(self.folds), self.n_classes)

    @property
    def undefined(self) -> tuple[str, ...]:
        """The folds that lack a class, and which: their errors of that class are 0/0."""
        lacking = self.class_counts == 0
        found = []
        for f in np.flatnonzero(lacking.any(axis=1)):
            missing = [word(self.classes[c]) for c in np.flatnonzero(lacking[f])]
            found.append(f"{named('fold', self.folds[f])}: no {listed(missing)}")
        return tuple(found)

    def select(self, folds: Sequence[str]) -> MulticlassScores:
        """The rows of some folds, in the order of those folds.

        Examples
        --------
        >>> import rocsteady as rs
        >>> scores = rs.MulticlassScores([0, 1, 0, 1], [[0.8, 0.2]] * 4, folds=["a", "a", "b", "c"])
        >>> scores.select(["c", "a"]), scores.select(["c", "a"]).folds
        (MulticlassScores(2 classes, 3 rows, 2 folds), ('c', 'a'))
        """
        asked = (folds,) if isinstance(folds, str) else tuple(folds)
        for name in asked:
            if name not in self.folds:
                meant = near_match(str(name), self.folds)
                raise UsageError(
                    "RS001",
                    f"there is no fold {name!r}.",
                    f"folds: {listed(self.folds)}",
                    *([f"{meant!r}"] if meant else []),
                )
        if not asked or len(set(asked)) < len(asked):
            raise UsageError(
                "RS001",
                "name each fold once.",
                f"found: {listed([repr(f) for f in asked]) or 'none'}",
                ".folds",
            )
        place = np.full(len(self.folds), -1, dtype=np.int64)
        place[[self.folds.index(name) for name in asked]] = np.arange(len(asked))
        fold_index = place[self.fold_index]
        rows = np.flatnonzero(fold_index >= 0)
        return self._checked(
            self.classes, self.outputs[rows], self.label_index[rows], asked, fold_index[rows]
        )

    def one_versus_rest(self, one: object) -> ScoreSet:
        """The outputs of one class as scores for it against all others, fold by fold.

        Examples
        --------
        >>> import rocsteady as rs
        >>> outputs = [[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.5, 0.1, 0.4]]
        >>> scores = rs.MulticlassScores(["a", "b", "c"], outputs)
        >>> scores.one_versus_rest("a")
        ScoreSet(1 fold, 3 rows, 1 positive)
        """
        from rocsteady.scores.building import set_from_arrays

        if one not in self.classes:
            raise LabelError(
                "RS021",
                f'there is no class "{shown(one)}".',
                f"classes: {listed([shown(c) for c in self.classes])}",
                f"one_versus_rest({self.classes[0]!r})",
            )
        place = self.classes.index(one)
        names = np.array(self.folds, dtype=object)[self.fold_index]
        return set_from_arrays(
            self.label_index == place,
            self.outputs[:, place],
            names,
            positive=True,
            unit="fold",
            design=self.design if len(self.folds) > 1 else None,
        )

    @property
    def design(self) -> Design:
        """Folds of one cross-validation, where there are several."""
        return Design.cross_validation(len(self.folds)) if len(self.folds) > 1 else ASSUMED

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        parts = ((self.n_classes, "class"), (self.n_rows, "row"), (len(self.folds), "fold"))
        return f"MulticlassScores({', '.join(counted(n, noun) for n, noun in parts)})"

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values."""
        return {
            "classes": list(self.classes),
            "folds": list(self.folds),
            "label_index": self.label_index.tolist(),
            "fold_index": self.fold_index.tolist(),
            "outputs": self.outputs.tolist(),
        }

    def to_frame(self) -> Any:
        """One row per case, as a pandas or Polars frame: fold, label and one column per class."""
        from rocsteady.scores.frames import to_frame

        return to_frame(self._columns())

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {
            "fold": np.array(self.folds, dtype=object)[self.fold_index],
            "label": [self.classes[i] for i in self.label_index],
        }
        return columns | {f"output {word(c)}": self.outputs[:, i] for i, c in enumerate(self.classes)}


def _listed(classes: object) -> list[Any]:
    array = read_column(classes, "label").array
    return list(array) if array.dtype.kind in "mM" else array.tolist()


def read_outputs(outputs: object) -> tuple[Floats, tuple[Any, ...] | None]:
    """The outputs as a matrix of its own, and the column names if they came in a frame."""
    names = None
    if not isinstance(outputs, np.ndarray | list | tuple):
        import narwhals.stable.v2 as nw

        _require_different(getattr(outputs, "columns", ()))
        table = nw.from_native(outputs, eager_only=True, pass_through=True)
        if isinstance(table, nw.DataFrame):
            names = tuple(table.columns)
            outputs = table.to_numpy()
    try:
        matrix = np.asarray(outputs)
    except ValueError as error:
        raise DataError(
            "RS034", "outputs have rows of different lengths.", str(error), "pass a matrix"
        ) from error
    if matrix.ndim != 2 or matrix.shape[1] < 2:
        raise DataError(
            "RS034",
            "outputs must have one row per case and one column per class.",
            f"shape {matrix.shape}",
            "of two classes pass both columns; for one score per row use rs.Scores",
        )
    if matrix.dtype.kind not in "biuf" or matrix.dtype.itemsize > 8:
        raise DataError("RS033", "outputs are not real numbers.", f"type {matrix.dtype}", "pass floats")
    numbers = np.array(matrix, dtype=np.float64, order="C")
    if isinstance(outputs, np.ma.MaskedArray):
        numbers[np.ma.getmaskarray(outputs)] = np.nan  # what is masked is missing, whatever stands there
    _require_finite(numbers)
    return numbers, names


def _require_different(names: Any) -> None:
    """RS012 if two columns of a frame have the same name."""
    listed = list(names) if isinstance(names, Iterable) else []
    double = [name for name, n in Counter(map(word, listed)).items() if n > 1]
    if double:
        raise ColumnError(
            "RS012",
            f'two columns of outputs are called "{shown(double[0])}".',
            f"columns: {', '.join(map(shown, listed[:20]))}",
            "name each column after its class",
        )


def _require_finite(numbers: Floats) -> None:
    for code, text, bad in (
        ("RS031", "missing (NaN)", np.isnan(numbers)),
        ("RS033", "infinite", np.isinf(numbers)),
    ):
        if bad.any():
            row, column = (int(i) for i in np.argwhere(bad)[0])
            n_bad = int(bad.sum())
            raise DataError(
                code,
                f"{counted(n_bad, 'output')} {'is' if n_bad == 1 else 'are'} {text}.",
                f"first at row {row}, column {column}",
                "outputs are multiplied by class weights, so all must be finite numbers",
            )


def _in_order(values: Sequence[Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(values, key=lambda v: (word(type(v)), v)))
    except TypeError as error:
        raise LabelError(
            "RS025",
            "the classes have no order, so they must be named.",
            f"labels of type {type(values[0]).__name__}",
            "name the classes in the order of the columns:  classes=[...]",
        ) from error


def _index_labels(
    labels: Column, classes: tuple[Any, ...] | None, n_columns: int
) -> tuple[Integers, tuple[Any, ...]]:
    found = factorize(labels)
    if found.missing.any():
        rows = np.flatnonzero(found.missing)
        raise LabelError(
            "RS023",
            f"{counted(rows.size, 'label')} {'is' if rows.size == 1 else 'are'} missing.",
            f"first at row {rows[0]}",
            "drop those rows before this call",
        )
    if classes is None:
        classes = _in_order(found.values)
    if len(classes) != n_columns or len(set(classes)) != len(classes):
        raise ColumnError(
            "RS013",
            "outputs need one column for each class.",
            f"{counted(n_columns, 'column')}; classes: {', '.join(map(shown, classes[:20]))}",
            "name the classes in the order of the columns:  classes=[...]",
        )
    require_distinct(tuple(map(word, classes)), "class")
    strange = [value for value in found.values if value not in classes]
    if strange:
        first = int(np.flatnonzero(found.codes == found.values.index(strange[0]))[0])
        raise LabelError(
            "RS025",
            f'the label "{shown(strange[0])}" is not among the classes.',
            f"first at row {first}; classes: {', '.join(map(shown, classes[:20]))}",
            "name all classes in the order of the columns:  classes=[...]",
        )
    place: Array = np.array([classes.index(value) for value in found.values], dtype=np.int64)
    return place[found.codes], classes


def _index_folds(column: Column | None, n_rows: int) -> tuple[tuple[str, ...], Integers]:
    if column is None:
        return ("all",), np.zeros(n_rows, dtype=np.int64)
    found = factorize(column)
    if found.missing.any():
        rows = np.flatnonzero(found.missing)
        raise DataError(
            "RS035",
            f"{counted(rows.size, 'row')} {'has' if rows.size == 1 else 'have'} no fold.",
            f"first at row {rows[0]}",
            "name the fold of every row",
        )
    require_distinct(found.names, "fold")
    return found.names, found.codes
