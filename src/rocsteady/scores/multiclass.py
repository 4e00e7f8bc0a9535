"""MulticlassScores: the outputs of a classifier of several classes, one column per class, with folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from rocsteady.arrays import Floats, Integers
from rocsteady.errors import Option, fail, warn
from rocsteady.options import one_of
from rocsteady.results import Frozen, Tabular, plain_fields, unit_column
from rocsteady.scores.columns import (
    Column,
    Dropped,
    Factor,
    LeftOut,
    Source,
    factorize,
    index_of,
    known_names,
    missing_values,
    read_column,
    read_columns,
    require_distinct,
    score_array,
    shown,
    taken,
    unknown_name,
    word,
)
from rocsteady.scores.design import ASSUMED, Design, declared
from rocsteady.scores.frames import columns_of, output_columns, read_names, read_table
from rocsteady.scores.labels import one_spelling, typed_labels, whole
from rocsteady.scores.score_set import ScoreSet, complete_rows, number_folds
from rocsteady.showing import Shown, class_auc
from rocsteady.words import listed, named, near_match


@dataclass(frozen=True, eq=False, repr=False, init=False)
class MulticlassScores(Frozen, Tabular, Shown):
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
        The classes in the order of the columns. If not given: the column names of a frame, else the sorted
        labels, as scikit-learn has it.
    design : {"cross-validation", "independent", "hold-out"} or Design, optional
        How the folds came about. Without it they are those of one cross-validation;
        ``Design.cross_validation(10, repeats=5)`` says that it was repeated, ``"independent"`` that they are
        no folds but groups of rows, such as hospitals.

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
    unit : str
        The word for a fold.
    known_design : Design or None
        How the rows came about, where it was said; ``design`` tells in any case.
    dropped : Dropped
        Rows left out, and why.
    source : str
        The file the rows came from, if any.
    columns_chosen : mapping
        Role to name, for columns taken because of their conventional names.

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
    unit: str = "fold"
    known_design: Design | None = None
    dropped: Dropped = field(default_factory=Dropped)
    source: str = ""
    columns_chosen: Mapping[str, str] = field(default_factory=dict)

    _line = "{classes:count class}, {label_index:count row}, {folds:count {unit}}"
    _untold = ("unit", "known_design", "dropped", "source", "columns_chosen")

    def __init__(
        self,
        labels: object,
        outputs: object,
        *,
        folds: object = None,
        classes: object = None,
        design: str | Design | None = None,
    ) -> None:
        matrix, names = read_outputs(outputs)
        outcome = Column(matrix[:, 0], None, index_of(outputs))
        given = read_columns({"label": labels, "outcome": outcome, "fold": folds})
        known = names
        if classes is not None:
            array = read_column(classes, "label").array
            known = tuple(array if array.dtype.kind in "mM" else array.tolist())
            columns, wanted = list(map(word, names or ())), list(map(word, known))
            if columns != wanted and set(columns) == set(wanted):
                raise fail("RS025.columns", columns=columns, classes=wanted)
        label_index, known = _index_labels(given["label"], known, matrix.shape[1])
        if classes is None and names is None:
            _warn_of_another_order(matrix, label_index, known)
        found = Factor(np.zeros(len(matrix), dtype=np.int64), ("all",))
        if "fold" in given:
            found = known_names(given["fold"], "fold")
        require_distinct(found.names, "fold")
        known_design = _declared(design, len(found.names))
        own = (known, matrix, label_index, found.names, found.codes)
        self._fill(own, known_design=known_design, dropped=Dropped(), columns_chosen={})

    def _fill(self, of_rows: Iterable[Any], **others: Any) -> MulticlassScores:
        """The fields of the rows in their order, and others by name; it is frozen."""
        vars(self).update(zip([own.name for own in fields(self)], of_rows, strict=False))
        vars(self).update(others)
        self.__post_init__()
        return self

    def _other(self, of_rows: Iterable[Any], **others: Any) -> MulticlassScores:
        """Another one of these rows, which is as this one in all else."""
        known = {own.name: getattr(self, own.name) for own in fields(self)[5:]}
        return MulticlassScores.__new__(MulticlassScores)._fill(of_rows, **(known | others))

    @classmethod
    def from_frame(
        cls,
        frame: object,
        *,
        label: str,
        outputs: str | Sequence[str] | Mapping[Any, str],
        group: str | None = None,
        repeat: str | None = None,
        on_missing: str = "raise",
        design: str | Design | None = None,
    ) -> MulticlassScores:
        """Take columns of a table: pandas, Polars (eager or lazy), Arrow, DuckDB, or a dict of arrays.

        Parameters
        ----------
        frame : table
            One row for each case, one column for each class.
        label : str
            The column of the true classes.
        outputs : str, list of str, or dict
            The columns of outputs. A pattern, where a class is what ``*`` stands for (``"p_*"`` takes the
            column p_cat for the class cat); their names, which are then those of the classes; or class to
            column, ``{"cat": "score of cats"}``.
        group, repeat : str, optional
            Columns of the fold and of the repeat of a cross-validation. The group column's name becomes the
            ``unit``.
        on_missing : {"raise", "drop"}
            What to do with rows that lack a value; ``.dropped`` counts them.
        design
            As for :class:`MulticlassScores`.

        Warns
        -----
        RocsteadyWarning
            RS252 if a class has a column and no row.

        Examples
        --------
        >>> import rocsteady as rs
        >>> table = {"animal": ["cat", "dog", "cat"], "p_cat": [0.9, 0.2, 0.6], "p_dog": [0.1, 0.8, 0.4]}
        >>> rs.MulticlassScores.from_frame(table, label="animal", outputs="p_*").classes
        ('cat', 'dog')
        """
        named = read_names({"label": label, "group": group, "repeat": repeat}, required=("label",))
        columns = output_columns(columns_of(frame), outputs, named.values())
        named |= {f"score_{i}": name for i, name in enumerate(columns.values())}
        table, source = read_table(frame, named), Source(columns=named)
        return multiclass_from_columns(
            table, source, tuple(columns), outputs, on_missing=on_missing, design=design
        )

    @classmethod
    def cross_validated(
        cls, estimator: Any, X: Any, y: Any, *, folds: int = 10, seed: int = 0
    ) -> MulticlassScores:
        """The outputs for every row of an estimator that has not seen it: stratified cross-validation.

        Parameters
        ----------
        estimator : scikit-learn classifier
            Cloned and fitted once for each fold. Needs ``predict_proba``, or a ``decision_function`` with one
            column per class and no negative value: class weights multiply outputs.
        X, y : array-like
            Features and the classes, two or more.
        folds, seed : int
            As for :func:`rocsteady.cross_validated_scores`.

        Returns
        -------
        MulticlassScores
            Rows in the order of X; classes, and so the columns, in the order of the estimator's ``classes_``.

        Examples
        --------
        >>> import rocsteady as rs
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_iris(return_X_y=True)
        >>> rs.MulticlassScores.cross_validated(GaussianNB(), X, y, folds=5)
        MulticlassScores(3 classes, 150 rows, 5 folds)
        """
        from rocsteady.scores.sklearn import cross_validated_matrix

        labels, outputs, dealt, classes = cross_validated_matrix(estimator, X, y, folds=folds, seed=seed)
        return cls(labels, outputs, folds=dealt, classes=classes)

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
        return tuple(
            LeftOut(named(self.unit, fold), listed([word(self.classes[c]) for c in np.flatnonzero(lacks)]))
            for fold, lacks in zip(self.folds, self.class_counts == 0, strict=True)
            if lacks.any()
        )

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
                raise unknown_name(str(name), self.folds, "fold")
        if not asked or len(set(asked)) < len(asked):
            raise fail("RS001.folds", folds=listed([repr(f) for f in asked]) or "none")
        fold_index = np.array([asked.index(f) if f in asked else -1 for f in self.folds])[self.fold_index]
        rows = np.flatnonzero(fold_index >= 0)
        own = (self.classes, self.outputs[rows], self.label_index[rows], asked, fold_index[rows])
        return self._other(own)

    def with_design(self, design: str | Design, *, repeats: int = 1) -> MulticlassScores:
        """The same rows, said to have come about in this way; nothing is copied.

        Examples
        --------
        >>> import rocsteady as rs
        >>> scores = rs.MulticlassScores([0, 1, 0, 1], [[0.8, 0.2]] * 4, folds=["a", "a", "b", "b"])
        >>> scores.design, scores.with_design("independent").design
        (Design(cross-validation, 2 folds, 1 repeat, test_train_ratio 1), Design(independent))
        """
        own = [getattr(self, own.name) for own in fields(self)[:5]]
        known = _declared(design, len(self.folds), repeats)
        return self._other(own, known_design=known)

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
        if one not in self.classes:
            classes = list(map(shown, self.classes))
            raise fail("RS021.class", name=shown(one), classes=classes, first=self.classes[0])
        place = self.classes.index(one)
        return ScoreSet.from_arrays(
            self.label_index == place,
            self.outputs[:, place],
            Factor(self.fold_index, self.folds),
            positive=True,
            unit=self.unit,
            design=self.design if len(self.folds) > 1 else None,
        )

    @property
    def rows_off_one(self) -> Integers:
        """Rows whose outputs do not sum to one, by more than outputs that were written with so many decimals
        can be off; and rows with a negative output.
        """
        outputs, decimals = self.outputs, 1
        with np.errstate(over="ignore"):
            while decimals < _MOST_DECIMALS and not np.array_equal(outputs, outputs.round(decimals)):
                decimals += 1
            off = np.abs(outputs.sum(axis=1) - 1) > self.n_classes * 0.5001 * 10.0**-decimals
        return np.flatnonzero(off | (outputs < 0).any(axis=1))

    @property
    def are_posteriors(self) -> bool:
        """Whether the outputs of every row are shares that sum to one, up to rounding.

        Nothing requires it: votes and densities are outputs, too.

        Examples
        --------
        >>> import rocsteady as rs
        >>> rs.MulticlassScores(["a", "b"], [[0.67, 0.34], [0.2, 0.8]]).are_posteriors
        True
        >>> rs.MulticlassScores(["a", "b"], [[12, 3], [1, 14]]).are_posteriors
        False
        """
        return self.rows_off_one.size == 0

    def auc(
        self,
        method: str = "hand-till",
        *,
        weigh: str = "classes",
        undefined: str = "raise",
        threads: int | None = None,
    ) -> Any:
        """One AUC for several classes, in each fold.

        Parameters
        ----------
        method : {"hand-till", "one-versus-rest"}
            Hand and Till's M: the mean over pairs of classes of how well the two outputs tell the two classes
            apart. It does not depend on how frequent classes are. One versus rest: how well each output tells
            its class from all others; there frequent classes dominate the rest.
        weigh : {"classes", "rows"}
            Whether every class (every pair) counts alike, or by its rows in the fold (both classes of a
            pair).
        undefined : {"raise", "drop"}
            What to do about folds that lack a class.
        threads : int, optional
            Default: ROCSTEADY_THREADS, else all cores.

        Returns
        -------
        MulticlassAuc
            ``mean``, ``sd`` and ``standard_error``, ``per_fold``, ``stacked`` (all folds taken as one) and
            ``parts`` (of classes or pairs); ``.interval()`` and ``.part_intervals()``.

        Raises
        ------
        DataError
            RS078 if a fold lacks a class.

        Notes
        -----
        Only the order within each column of outputs matters; they may be negative. For posteriors of two
        classes all of these are the AUC. scikit-learn's ``roc_auc_score`` with ``multi_class="ovo"`` and
        ``"ovr"`` gives the same numbers for one fold, ``average="weighted"`` those of ``weigh="rows"``.

        References
        ----------
        D. J. Hand, R. J. Till, A simple generalisation of the area under the ROC curve for multiple class
        classification problems, Machine Learning 45 (2001).

        Examples
        --------
        >>> import rocsteady as rs
        >>> outputs = [[0.6, 0.3, 0.1], [0.3, 0.5, 0.2], [0.4, 0.3, 0.3], [0.7, 0.2, 0.1]]
        >>> scores = rs.MulticlassScores(["a", "b", "c", "b"], outputs)
        >>> scores.auc()
        MulticlassAuc(hand-till: 0.75, 3 classes, 1 fold)
        >>> scores.auc("one-versus-rest").parts.round(3).tolist()
        [0.667, 0.5, 1.0]
        """
        return class_auc(self, method, weigh=weigh, undefined=undefined, threads=threads)

    @property
    def design(self) -> Design:
        """How the rows came about: as it was said, else in folds of one cross-validation if in several."""
        if self.known_design is not None:
            return self.known_design
        return Design.cross_validation(len(self.folds)) if len(self.folds) > 1 else ASSUMED

    def __len__(self) -> int:
        return self.n_rows

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values."""
        return plain_fields(self)

    def _columns(self) -> dict[str, Any]:
        """Fold and label of each row, and one column per class."""
        columns: dict[str, Any] = {
            unit_column(self.unit, ["label"], "fold"): np.array(self.folds, dtype=object)[self.fold_index],
            "label": [self.classes[i] for i in self.label_index],
        }
        return columns | {f"output {word(c)}": self.outputs[:, i] for i, c in enumerate(self.classes)}


def _declared(design: str | Design | None, n_folds: int, repeats: int = 1) -> Design | None:
    """The design that a caller named; of readers nothing here is known."""
    found = declared(design, n_groups=n_folds, repeats=repeats)
    if found is not None:
        one_of("design", found.kind, _DESIGNS)
    return found


_DESIGNS = ("cross-validation", "independent", "hold-out")
_MOST_DECIMALS = 5
"""Outputs that were written with more of them sum to one as if they had so many."""


def multiclass_from_columns(
    given: Mapping[str, Any],
    source: Source,
    classes: tuple[Any, ...],
    outputs: object,
    *,
    on_missing: str = "raise",
    design: str | Design | None = None,
    chosen: Mapping[str, str] | None = None,
) -> MulticlassScores:
    """Outputs from columns by role: score_0 is that of the first class, and so on.

    ``outputs`` is what the caller named the columns by, for messages; ``chosen`` what nobody named.
    """
    table = read_columns(given, source)
    if (model := table.pop("model", None)) is not None and len(model.values) > 1:
        raise fail("RS002.outputs-model", column=source.column("model"), models=model.names)
    table["label"] = factorize(table["label"])
    rows, dropped = complete_rows(table, source, on_missing, are_models=False)
    if table["label"].gaps is not None and rows is None:
        raise missing_values(table["label"].gaps, "label", source)
    design = number_folds(table, design)
    left = source.of_rows(rows)
    roles = [f"score_{i}" for i in range(len(classes))]
    arrays = [score_array(taken(table[role], rows), left.of_scores(role)) for role in roles]
    matrix = np.column_stack([array.astype(np.float64) for array in arrays])
    bad = np.argwhere(np.isinf(matrix))
    if len(bad):
        first, column = left.row(int(bad[0, 0])), source.column(roles[bad[0, 1]])
        raise fail("RS033.infinite", n=len(bad), first=first, column=column)
    labels = taken(table["label"], rows)
    label_index, classes = _match_labels(labels, classes, outputs, left)
    group = taken(table.get("group"), rows) or Factor(np.zeros(len(matrix), dtype=np.int64), ("all",))
    require_distinct(group.names, source.columns.get("group", "fold"))
    return MulticlassScores.__new__(MulticlassScores)._fill(
        (classes, matrix, label_index, group.names, group.codes),
        unit=str(source.columns.get("group", "fold")),
        known_design=_declared(design, len(group.names)),
        dropped=dropped,
        source=source.name,
        columns_chosen=dict(chosen or {}),
    )


def _match_labels(
    labels: Factor, columns: tuple[Any, ...], outputs: object, source: Source
) -> tuple[Integers, tuple[Any, ...]]:
    """The place of each row's class, and the classes, called as labels are; RS025 without a column for one.

    A name of a column is text, and a label may be what it spells: a number, True or False.
    """
    words = tuple(map(word, columns))
    is_text = all(isinstance(value, str) for value in labels.values)
    spell = word if is_text else one_spelling
    keys = tuple(map(spell, words))
    require_distinct(keys, "class")
    values = {spell(whole(value)): whole(value) for value in labels.values}
    lacking = {key: word(value) for key, value in values.items() if key not in keys}
    if lacking:
        ours = np.array([spell(whole(value)) in lacking for value in labels.values])[labels.codes]
        affixed = _affixed(words, map(word, values.values())) if not isinstance(outputs, str) else None
        ways = [["what stands for the class is  *:  ", Option("outputs", affixed)]] if affixed else []
        close = next((near for own in lacking.values() if (near := near_match(own, words, 0.7))), None)
        raise fail(
            "RS025.outputs",
            n=len(lacking),
            missing=list(lacking.values()),
            n_rows=int(ours.sum()),
            first=source.row(int(ours.argmax())),
            place=source.place,
            classes=words,
            close=close,
            ways=ways,
        )
    empty = [own for own, key in zip(words, keys, strict=True) if key not in values]
    if empty:
        found = list(map(word, values.values()))
        warn("RS252", n=len(empty), missing=empty, labels=found, place=source.place)
    typed = columns if is_text else typed_labels(words)
    classes = tuple(values.get(key, other) for key, other in zip(keys, typed, strict=True))
    place = np.array([keys.index(spell(whole(value))) for value in labels.values], dtype=np.int64)
    return place[labels.codes], classes


def _affixed(columns: Sequence[str], labels: Iterable[str]) -> str | None:
    """The pattern of columns that are called like labels, with the same text around each; None for none."""
    labels = list(labels)
    for label in labels:
        for column in columns:
            start, found, end = column.partition(label)
            if found and start + end and {f"{start}{own}{end}" for own in labels} <= set(columns):
                return f"{start}*{end}"
    return None


def folds_that_count(scores: MulticlassScores, undefined: str, *remedies: str) -> MulticlassScores:
    """All folds (``"keep"``), or those with every class; RS078 if some lack one, or a class is empty."""
    empty = np.flatnonzero(scores.class_counts.sum(axis=0) == 0)
    if empty.size:
        raise fail("RS078.classes", n=empty.size, missing=[shown(scores.classes[c]) for c in empty])
    lacking = scores.undefined
    if not lacking or undefined == "keep":
        return scores
    if undefined == "raise":
        raise fail("RS078.folds", n=len(lacking), lacking=lacking, ways=remedies)
    whole = np.flatnonzero((scores.class_counts > 0).all(axis=1))
    if not whole.size:
        raise fail("RS078.every-fold", undefined=lacking)
    return scores.select([scores.folds[f] for f in whole])


def all_as_one(scores: MulticlassScores) -> MulticlassScores:
    """The same rows as one fold."""
    fold = ("all",), np.zeros_like(scores.fold_index)
    return scores._other((scores.classes, scores.outputs, scores.label_index, *fold), known_design=None)


def read_outputs(outputs: object) -> tuple[Floats, tuple[Any, ...] | None]:
    """The outputs as a matrix of its own, and the column names if they came in a frame."""
    names = None
    if not isinstance(outputs, np.ndarray | list | tuple):
        import narwhals.stable.v2 as nw

        columns = getattr(outputs, "columns", ())
        columns = list(columns) if isinstance(columns, Iterable) else []
        double = [name for name, n in Counter(map(word, columns)).items() if n > 1]
        if double:
            raise fail("RS012.outputs", name=shown(double[0]), columns=", ".join(map(shown, columns[:20])))
        table = nw.from_native(outputs, eager_only=True, pass_through=True)
        if isinstance(table, nw.DataFrame):
            names = tuple(table.columns)
            outputs = table.to_numpy()
    try:
        matrix = np.asarray(outputs)
    except ValueError as error:
        raise fail("RS034.ragged", reason=error) from error
    if matrix.ndim != 2 or matrix.shape[1] < 2:
        raise fail("RS034.outputs", shape=matrix.shape)
    if matrix.dtype.kind not in "biuf" or matrix.dtype.itemsize > 8:
        raise fail("RS033.outputs", kind=matrix.dtype)
    numbers = np.array(matrix, dtype=np.float64, order="C")
    if isinstance(outputs, np.ma.MaskedArray):
        numbers[np.ma.getmaskarray(outputs)] = np.nan  # what is masked is missing, whatever stands there
    is_nan = bool(np.isnan(numbers).any())
    bad = np.argwhere(np.isnan(numbers) if is_nan else np.isinf(numbers))
    if len(bad):
        row, column = (int(place) for place in bad[0])
        if is_nan:
            raise fail("RS031.outputs", n=len(bad), row=row, column=column)
        raise fail("RS033.infinite", n=len(bad), first=f"row {row}", column=f"column {column}")
    return numbers, names


def _index_labels(
    labels: Column, classes: tuple[Any, ...] | None, n_columns: int
) -> tuple[Integers, tuple[Any, ...]]:
    """The place of each row's class; classes that nobody named are the sorted labels."""
    found = known_names(labels, "label")
    if classes is None:
        try:
            classes = tuple(sorted(found.values, key=lambda v: (word(type(v)), v)))
        except TypeError as error:
            raise fail("RS025.order", kind=type(found.values[0]).__name__) from error
    shown_classes = ", ".join(map(shown, classes[:20]))
    if len(classes) != n_columns or len(set(classes)) != len(classes):
        raise fail("RS013.classes", n=n_columns, classes=shown_classes)
    require_distinct(tuple(map(word, classes)), "class")
    strange = [value for value in found.values if value not in classes]
    if strange:
        first = int(np.flatnonzero(found.codes == found.values.index(strange[0]))[0])
        raise fail("RS025", label=shown(strange[0]), first=first, classes=shown_classes)
    place = np.array([classes.index(value) for value in found.values], dtype=np.int64)
    return place[found.codes], classes


def _warn_of_another_order(outputs: Floats, label_index: Integers, classes: tuple[Any, ...]) -> None:
    """RS251 if outputs of two classes are smaller for their own rows than for others, by three errors."""
    n_reversed = 0
    for place in range(len(classes)):
        own, other = (outputs[(label_index == place) == is_own, place] for is_own in (True, False))
        if min(own.size, other.size) >= 10:
            with np.errstate(all="ignore"):  # of outputs near the largest float nothing is said
                error = np.sqrt(own.var(ddof=1) / own.size + other.var(ddof=1) / other.size)
                n_reversed += bool(own.mean() - other.mean() < -3 * error)
    if n_reversed > 1:
        warn("RS251", n=n_reversed, classes=[shown(c) for c in classes])
