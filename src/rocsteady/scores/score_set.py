"""ScoreSet: the scores of many groups, and of several models, in one flat table, and the ways to build it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, overload
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from rocsteady.arrays import Array, Integers, Mask
from rocsteady.calling import welcomes
from rocsteady.errors import fail, warn
from rocsteady.options import yes_or_no
from rocsteady.scores.columns import (
    ARRAYS,
    NAMES,
    Cases,
    Clusters,
    Column,
    Columns,
    Dropped,
    Factor,
    Source,
    factorize,
    gathering_order,
    member_names,
    missing_values,
    no_member,
    no_rows,
    nothing_left,
    read_columns,
    require_distinct,
    require_known_handling,
    role_kind,
    rows_together,
    score_array,
    shown,
    undefined_members,
    unknown_name,
    weight_array,
    word,
)
from rocsteady.scores.design import ASSUMED, Design, declared, of_cases
from rocsteady.scores.labels import Classes, code_labels
from rocsteady.scores.scores import Scores, warn_of_decisions
from rocsteady.showing import Shown, averaged, draw_curves
from rocsteady.words import counted, printable


@dataclass(frozen=True, eq=False, repr=False)
class ScoreSet(Shown, Sequence[Scores]):
    """Scores of many groups (folds, readers, hosts) and possibly several models.

    Build one with :meth:`from_folds`, :meth:`from_arrays`, :meth:`from_frame`, :meth:`from_cv_results`
    or :func:`rocsteady.read_scores`. It is a sequence of :class:`Scores`, one for each group (each pair
    of model and group, models first): ``len``, iteration, ``[i]`` and ``["name"]``. Names are text, so
    a group called 3 is ``["3"]``; ``[3]`` is the fourth.

    Rows keep the order of the table, unless their cases are named: then they stand in the order in which the
    cases first appear, and members with the same cases line up row by row; ``[i].cases`` tells which.

    Attributes
    ----------
    columns : Columns
        All rows, group after group; labels are 1 and 0.
    classes : Classes
        The words for the two classes.
    groups, models : tuple of str
        Their names in order of appearance; ``models`` is empty if none were named.
    group_index, model_index : int64 arrays
        For each member of the sequence, its place in ``groups`` and ``models``.
    unit : str
        The word for a group: "fold", "reader".
    cases : Cases or None
        Which case each row is about. A case is positive in all its rows or in none (RS026).
    clusters : Clusters or None
        Which patient each row comes from. All rows of a case are of one patient (RS050).
    dropped : Dropped
        Rows left out, and why.
    source : str
        The file the rows came from, if any.
    columns_chosen : mapping
        Role to name, for columns taken because of their conventional names.
    counted_from : CountedScores or None
        The counts whose cells are the rows, if an engine counted them.
    known_design : Design or None
        How the rows came about, where it was said; ``design`` tells in any case.
    """

    columns: Columns
    classes: Classes
    groups: tuple[str, ...]
    group_index: Integers
    models: tuple[str, ...] = ()
    model_index: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    unit: str = "group"
    cases: Cases | None = None
    clusters: Clusters | None = None
    dropped: Dropped = field(default_factory=Dropped)
    source: str = ""
    columns_chosen: Mapping[str, str] = field(default_factory=dict)
    group_values: tuple[Any, ...] = ()
    counted_from: Any = None
    known_design: Design | None = None

    @classmethod
    def from_folds(
        cls,
        pairs: Iterable[tuple[object, object]],
        *,
        names: Iterable[object] | None = None,
        positive: object = None,
        sample_weight: Iterable[object] | None = None,
        higher_is_positive: bool = True,
        unit: str = "fold",
        repeats: int = 1,
        design: str | Design = "cross-validation",
    ) -> ScoreSet:
        """Take one pair (labels, scores) for each fold; a fold of one class is kept, as undefined.

        Parameters
        ----------
        pairs : iterable of (labels, scores)
            Array-likes, as for :class:`Scores`. Labels are read together: a label may be absent from a fold.
        names : iterable, optional
            Names of the folds; "fold 1", "fold 2", ... if not given, with ``unit`` as the word for "fold".
        positive, higher_is_positive
            As for :class:`Scores`.
        sample_weight : iterable of array-likes, optional
            One for each fold.
        unit : str
            The word for a fold. It changes no number.
        repeats : int
            How often the cross-validation was repeated; the folds of a repeat follow one another.
        design : {"cross-validation", "independent", "readers"} or Design
            What the pairs are. Folds of a cross-validation share training cases, and every interval allows
            for that; pairs of hospitals or hosts, each a sample of its own, are "independent"; random splits
            are ``Design.hold_out(0.25)``, with their test cases over training cases.

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = rs.ScoreSet.from_folds([([0, 1, 1], [0.1, 0.4, 0.3]), ([0, 0], [0.2, 0.6])])
        >>> folds
        ScoreSet(2 folds, 5 rows, 2 positives, 1 undefined)
        >>> folds.undefined
        ('fold 2: no positives',)
        """
        folds = [_fold(pair, i) for i, pair in enumerate(pairs)]
        if not folds:
            raise fail("RS010.folds")
        named = [f"{unit} {i + 1}" for i in range(len(folds))] if names is None else list(names)
        weights = None if sample_weight is None else list(sample_weight)
        for what, entries in (("names", named), ("sample_weight", weights)):
            if entries is not None and len(entries) != len(folds):
                raise fail("RS013.folds", what=what, n=len(entries), n_folds=len(folds))
        tables = [
            read_columns(
                {"label": labels, "score": scores, "weight": None if weights is None else weights[i]},
                Source(name=word(named[i])),
            )
            for i, (labels, scores) in enumerate(folds)
        ]
        sizes = [len(table["label"]) for table in tables]
        starts = np.cumsum([0, *sizes])

        def spell(row: int) -> str:
            fold = int(np.searchsorted(starts, row, side="right")) - 1
            return f"row {row - starts[fold]} of {shown(named[fold])}"

        source, rows = Source(row=spell), np.arange(starts[-1])
        arrays = [
            score_array(table["score"], source.of_rows(rows[start:]))
            for table, start in zip(tables, starts, strict=False)
        ]
        given: dict[str, object] = {"score": Column(concatenated(arrays, "folds"))}
        given |= {role: _stacked([own[role] for own in tables]) for role in tables[0] if role != "score"}
        given["group"] = Factor(np.repeat(np.arange(len(folds)), sizes), tuple(named))
        is_single = len(folds) == 1 and repeats == 1  # one dataset, nothing to share
        return set_from_columns(
            given,
            positive=positive,
            higher_is_positive=higher_is_positive,
            unit=unit,
            design=ASSUMED if is_single else declared(design, n_groups=len(folds), repeats=repeats),
            source=source,
        )

    @classmethod
    def from_arrays(
        cls,
        labels: object,
        scores: object,
        groups: object = None,
        *,
        models: object = None,
        cases: object = None,
        clusters: object = None,
        repeats: object = None,
        sample_weight: object = None,
        positive: object = None,
        higher_is_positive: bool = True,
        unit: str | None = None,
        design: str | Design | None = None,
    ) -> ScoreSet:
        """Take arrays with one entry per row; groups come in order of appearance.

        Parameters
        ----------
        labels, scores : array-like
            As for :class:`Scores`. Scores may be a dict of arrays, one for each model: then each row is a
            case (unless ``cases`` says otherwise), and all models have scored it.
        groups : array-like, optional
            The group of each row; without it all rows are one group named "all".
        models, cases, clusters : array-like, optional
            The model that gave the score; the case that was scored; the patient it comes from, where
            patients have several cases.
        repeats : array-like, optional
            The repeat of a cross-validation that each row belongs to; groups are its folds.
        sample_weight, positive, higher_is_positive
            As for :class:`Scores`.
        unit : str, optional
            The word for a group; the name of the ``groups`` column if it has one, else "group".
        design : {"independent", "cross-validation", "readers"} or Design, optional
            How the rows came about. Without it groups are taken as a random sample, unless ``repeats`` or
            ``cases`` show the repeats of a cross-validation.

        Examples
        --------
        >>> import rocsteady as rs
        >>> hosts = rs.ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], ["b", "a", "b", "a"], unit="host")
        >>> hosts.groups
        ('b', 'a')
        >>> hosts["a"]
        Scores(a: 0 positives, 2 negatives)
        """
        given: dict[str, object] = {"label": labels}
        if isinstance(scores, Mapping):
            if not scores:
                raise fail("RS002.no-models")
            if models is not None:
                raise fail("RS002.models-twice", models=list(map(str, scores)))
            given |= {f"scores[{name!r}]": values for name, values in scores.items()}
        else:
            given["score"] = scores
        given |= {"group": groups, "model": models, "case": cases, "cluster": clusters, "repeat": repeats}
        return set_from_columns(
            given | {"weight": sample_weight},
            positive=positive,
            higher_is_positive=higher_is_positive,
            unit=_name_of(groups, "group") if unit is None else str(unit),
            patient=_name_of(clusters, "cluster"),
            models=tuple(scores) if isinstance(scores, Mapping) else (),
            design=design,
        )

    @classmethod
    @welcomes("ScoreSet.from_frame(frame, label='truth', score='score', group='hospital')")
    def from_frame(
        cls,
        frame: object,
        *,
        label: str,
        score: str | Sequence[str],
        group: str | None = None,
        model: str | None = None,
        case: str | None = None,
        cluster: str | None = None,
        repeat: str | None = None,
        weight: str | None = None,
        positive: object = None,
        higher_is_positive: bool = True,
        on_missing: str = "raise",
        design: str | Design | None = None,
    ) -> ScoreSet:
        """Take columns of a table: pandas, Polars (eager or lazy), Arrow, DuckDB, or a dict of arrays.

        Only the named columns are read. The group column's name becomes the ``unit``.

        Parameters
        ----------
        frame : table
            One row for each scored case.
        label, score, group, model, case, cluster, repeat, weight : str
            Column names. Several score columns are several models, called as their columns: then there is
            no ``model``, and each row is a case, unless ``case`` says otherwise. ``cluster`` names the
            patient, where patients have several cases; ``repeat`` the repeat of a cross-validation.
        positive, higher_is_positive
            As for :class:`Scores`.
        on_missing : {"raise", "drop"}
            What to do with rows that lack one of the named values; what was dropped is in ``.dropped``. A
            row that lacks one of several scores is dropped for all models.
        design
            As in :meth:`from_arrays`.

        Examples
        --------
        >>> import rocsteady as rs
        >>> table = {"y": ["sick", "well", "sick"], "rating": [4, 2, 5], "reader": [1, 1, 2]}
        >>> rs.ScoreSet.from_frame(table, label="y", score="rating", group="reader", positive="sick")
        ScoreSet(2 readers, 3 rows, 2 positives, 1 undefined)
        >>> table = {"y": [1, 0, 1], "old": [0.4, 0.2, 0.1], "new": [0.9, 0.3, 0.5]}
        >>> rs.ScoreSet.from_frame(table, label="y", score=["old", "new"]).names
        ('old / all', 'new / all')
        """
        from rocsteady.scores.frames import read_names, read_table

        roles = {"label": label, "score": score, "group": group, "model": model, "case": case}
        roles |= {"cluster": cluster, "repeat": repeat, "weight": weight}
        named = read_names(roles, required=("label", "score"))
        return set_from_columns(
            read_table(frame, named),
            positive=positive,
            higher_is_positive=higher_is_positive,
            on_missing=on_missing,
            source=Source(columns=named),
            design=design,
        )

    @classmethod
    def from_cv_results(
        cls, cv_results: Mapping[Any, Any], X: Any, y: Any, *, positive: object = None
    ) -> ScoreSet:
        """Score the test folds of scikit-learn's ``cross_validate``.

        Parameters
        ----------
        cv_results : dict
            Of ``cross_validate(..., return_estimator=True, return_indices=True)``, or such by model.
        X, y : array-like
            What was passed to ``cross_validate``.
        positive : label, optional
            The positive class; ``classes_[1]`` of the estimator if not given, as scikit-learn has it.
        """
        from rocsteady.scores.sklearn import set_from_cv_results

        return set_from_cv_results(cv_results, X, y, positive=positive)

    def __len__(self) -> int:
        return self.columns.n_groups

    @overload
    def __getitem__(self, key: int | str) -> Scores: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Scores]: ...
    def __getitem__(self, key: Any) -> Scores | Sequence[Scores]:
        if isinstance(key, slice):
            return [self[i] for i in range(*key.indices(len(self)))]
        index = self._find(key)
        start, stop = self.columns.offsets[index : index + 2]
        part = self.columns.part(index, index + 1)
        cases = None if self.cases is None else self.cases.part(start, stop)
        clusters = None if self.clusters is None else self.clusters.part(start, stop)
        return Scores.of_columns(part, self.classes, self.names[index], cases=cases, clusters=clusters)

    def __iter__(self) -> Iterator[Scores]:
        return (self[i] for i in range(len(self)))

    def _find(self, key: Any) -> int:
        """The position that an index, a name or a group's original value stands for."""
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise no_member(int(key), len(self))
            return int(key) % len(self)
        try:
            index = self._positions.get(key)
        except TypeError:  # not hashable
            index = None
        if index is None:
            raise unknown_name(str(key), self.names, self.unit)
        return index

    @cached_property
    def _together(self) -> Cases | None:
        """What says which rows belong together; None where each is a case of its own."""
        return rows_together(self.clusters, self.cases, self.columns.offsets)

    @cached_property
    def _positions(self) -> dict[Any, int]:
        """Names and original values to positions; a name wins over a value, and the first over later ones."""
        positions: dict[Any, int] = {}
        for i, name in enumerate(self.names):
            positions.setdefault(name, i)
        if len(self.models) <= 1:
            for i, group in enumerate(self.group_index):
                positions.setdefault(self.groups[group], i)
                if self.group_values:
                    positions.setdefault(self.group_values[group], i)
        return positions

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What to call each member: its group, or "model / group" where there are several models."""
        return member_names(self.groups, self.group_index, self.models, self.model_index)

    @cached_property
    def n_positives(self) -> Integers:
        """Positive rows of each member."""
        return self.columns.sums_of_labels()

    @cached_property
    def n_negatives(self) -> Integers:
        """Negative rows of each member."""
        return np.asarray(self.columns.cases_of_groups() - self.n_positives, dtype=np.int64)

    @cached_property
    def undefined(self) -> tuple[str, ...]:
        """Members without a curve, and why: ``('host-23: no positives',)``."""
        return undefined_members(self.names, self.n_positives, self.n_negatives)

    @cached_property
    def design(self) -> Design:
        """How the rows came about: as it was said, as named cases show for certain, else assumed.

        Examples
        --------
        >>> import rocsteady as rs
        >>> pairs = [([1, 0], [2, 1]), ([1, 0], [3, 4]), ([1, 0], [2, 2]), ([0, 1], [0, 1])]
        >>> rs.ScoreSet.from_folds(pairs, repeats=2).design
        Design(cross-validation, 2 folds, 2 repeats, test_train_ratio 1)
        >>> rs.ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], ["b", "a", "b", "a"]).design
        Design(independent, assumed)
        """
        if self.known_design is not None:
            return self.known_design
        if self.cases is None or not self.cases.are_named or len(self.groups) < 4:
            return ASSUMED
        groups = np.repeat(self.group_index, np.diff(self.columns.offsets))
        return of_cases(self.cases.codes, groups, len(self.groups))

    def with_design(self, design: str | Design, *, repeats: int = 1) -> ScoreSet:
        """The same rows, said to have come about in this way; nothing is copied.

        Examples
        --------
        >>> import rocsteady as rs
        >>> four = rs.ScoreSet.from_arrays([1, 0] * 4, range(8), [1, 1, 2, 2, 3, 3, 4, 4])
        >>> four.with_design("cross-validation").design
        Design(cross-validation, 4 folds, 1 repeat, test_train_ratio 0.3333)
        """
        return replace(self, known_design=declared(design, n_groups=len(self.groups), repeats=repeats))

    @property
    def higher_is_positive(self) -> bool:
        """Whether high scores speak for the positive class."""
        return self.columns.higher_is_positive

    def model(self, name: object) -> ScoreSet:
        """The scores of one model, as a set of its own; nothing is copied.

        Examples
        --------
        >>> import rocsteady as rs
        >>> both = rs.ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], ["a"] * 4, models=["x", "x", "y", "y"])
        >>> both.names
        ('x / a', 'y / a')
        >>> both.model("y").columns.scores
        array([2, 5])
        """
        if str(name) not in self.models:
            raise unknown_name(str(name), self.models, "model")
        chosen = np.flatnonzero(self.model_index == self.models.index(str(name)))
        if chosen.size == 0:
            raise nothing_left(str(name), self.dropped)
        start, stop = int(chosen[0]), int(chosen[-1]) + 1  # members are sorted by model
        first, last = self.columns.offsets[start], self.columns.offsets[stop]
        used = list(dict.fromkeys(self.group_index[start:stop].tolist()))
        return replace(
            self,
            columns=self.columns.part(start, stop),
            groups=tuple(self.groups[i] for i in used),
            group_values=tuple(self.group_values[i] for i in used),
            group_index=np.arange(len(used), dtype=np.int64),
            models=(str(name),),
            model_index=np.zeros(stop - start, dtype=np.int64),
            cases=None if self.cases is None else self.cases.part(first, last),
            clusters=None if self.clusters is None else self.clusters.part(first, last),
        )

    def __repr__(self) -> str:
        parts = [counted(len(self.groups), printable(self.unit))]
        if len(self.models) > 1:
            parts.append(counted(len(self.models), "model"))
        parts += [counted(self.columns.n_cases, "row"), counted(int(self.n_positives.sum()), "positive")]
        if self.clusters is not None:
            parts.append(counted(self.clusters.n_present, printable(self.clusters.unit)))
        if self.undefined:
            parts.append(f"{len(self.undefined)} undefined")
        if self.dropped:
            parts.append(str(self.dropped))
        return f"ScoreSet({', '.join(parts)})"

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values: what is in the set, without its rows."""
        return {
            "unit": self.unit,
            "groups": list(self.groups),
            "models": list(self.models),
            "names": list(self.names),
            "n_positives": self.n_positives.tolist(),
            "n_negatives": self.n_negatives.tolist(),
            "positive": self.classes.positive,
            "negative": self.classes.negative,
            "higher_is_positive": self.higher_is_positive,
            "undefined": list(self.undefined),
            "dropped": self.dropped.to_dict(),
            "design": self.design.to_dict(),
            "source": self.source,
        }

    def average(self, method: Any = None, **options: Any) -> Any:
        """One ROC curve from many: :func:`rocsteady.average` of this set.

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = rs.ScoreSet.from_folds([([1, 0, 1, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [4, 3, 2, 1])])
        >>> folds.average("vertical").auc
        0.875
        """
        return averaged(self, *(() if method is None else (method,)), **options)

    def plot(self, **options: Any) -> Any:
        """Draw the ROC curve of every group: ``rs.plot.roc(rs.roc_curves(score_set))``."""
        return draw_curves(self, **options)

    def to_frame(self) -> Any:
        """One row per scored case, as a pandas or Polars frame."""
        from rocsteady.scores.frames import set_columns, to_frame

        return to_frame(set_columns(self))


ScoreSet.__init__ = welcomes(  # type: ignore[method-assign]
    "ScoreSet.from_folds(pairs)",
    "ScoreSet.from_arrays(labels, scores, groups)",
    "ScoreSet.from_frame(frame, label=..., score=...)",
)(ScoreSet.__init__)


# Building a set: the one way from columns of a table to rows brought together by model and group
# -----------------------------------------------------------------------------------------------


def set_from_columns(
    given: Mapping[str, object],
    *,
    positive: object = None,
    higher_is_positive: bool = True,
    on_missing: str = "raise",
    unit: str | None = None,
    patient: str = "cluster",
    models: tuple[object, ...] = (),
    design: str | Design | None = None,
    source: Source = ARRAYS,
) -> ScoreSet:
    """Build a set from columns by role; all doors lead here.

    Parameters
    ----------
    given : mapping
        Role ("label", "score", "group", "model", "case", "cluster", "repeat", "weight") to a column. Where
        each model has scores of its own, several roles are scores (see :func:`role_kind`).
    on_missing : {"raise", "drop"}
        What to do with rows that lack a value. A row that lacks one of several scores is dropped for all
        models: otherwise they would not be compared on the same cases.
    unit, patient : str, optional
        The words for a group and a cluster, if the source does not name their columns.
    models : tuple
        Names of the models, for several scores of a source without columns.
    """
    higher_is_positive = yes_or_no("higher_is_positive", higher_is_positive)
    table = read_columns(given, source)
    wide = [role for role in table if role_kind(role) != role]
    models = tuple(source.columns[role] for role in wide) if source.columns else models
    if getattr(table["label"], "array", np.empty(0)).dtype.kind == "O":
        table["label"] = factorize(table["label"])
    rows, dropped = _complete_rows(table, source, on_missing)
    design = _number_folds(table, design)
    n_rows = len(table["label"])
    group = table.pop("group", None) or Factor(np.zeros(n_rows, dtype=np.int64), ("all",))
    model = table.pop("model", None)
    members, present = _members(group, model)

    # Groups that lose all their rows stay: they are undefined.
    left, table, members = source.of_rows(rows), _taken(table, rows), _taken(members, rows)
    scores = concatenated(
        [score_array(table[role], left.of_scores(role)) for role in wide or ["score"]], "models"
    )
    labels, classes = code_labels(table["label"], positive, left)
    weights = weight_array(table["weight"], left) if "weight" in table else None
    cases, clusters = table.get("case"), table.get("cluster")
    if weights is not None and weights.min() == 0:
        kept = np.flatnonzero(weights)
        n_zero = weights.size - kept.size
        dropped = Dropped(dropped.n_rows + n_zero, {**dropped.causes, "weight zero": n_zero})
        scores = scores.reshape(-1, weights.size)[:, kept].ravel()
        labels, weights, members = labels[kept], weights[kept], members[kept]
        cases, clusters = _taken(cases, kept), _taken(clusters, kept)
        rows = kept if rows is None else rows[kept]
        left = source.of_rows(rows)
    if cases is not None:
        require_one_truth(cases, labels, left)
        require_one_cluster(cases, clusters, left)
    if wide:  # the rows once for each model; without other cases the case is the row
        n = len(wide)
        dropped = Dropped(n * dropped.n_rows, {cause: n * count for cause, count in dropped.causes.items()})
        model = Factor(np.arange(n), models)
        present = np.arange(n * present.size)
        members = (np.arange(n)[:, np.newaxis] * len(group.values) + members).ravel()
        cases = cases or Factor(np.arange(n_rows) if rows is None else rows, range(n_rows))
        cases = Factor(np.tile(cases.codes, n), cases.values)
        clusters = clusters and Factor(np.tile(clusters.codes, n), clusters.values)
        labels, weights = np.tile(labels, n), None if weights is None else np.tile(weights, n)
    warn_of_decisions(scores)

    order, offsets = _gathered(members, present.size, cases)
    columns = Columns(scores, labels, offsets, weights, higher_is_positive).taken(order, offsets)
    patient = str(source.columns.get("cluster", patient))
    score_set = ScoreSet(
        columns=columns.owned(own for own in table.values() if isinstance(own, Column)),
        classes=classes,
        groups=group.names,
        group_values=tuple(group.values),
        group_index=present % len(group.values),
        models=() if model is None else model.names,
        model_index=present // len(group.values),
        cases=None if cases is None else Cases(_taken(cases.codes, order), cases.values),
        clusters=None
        if clusters is None
        else Clusters(_taken(clusters.codes, order), clusters.values, patient),
        dropped=dropped,
        source=source.name,
        unit=str(unit if unit is not None else source.columns.get("group", "group")),
    )
    warn_of_several_rows(score_set)
    require_distinct(score_set.groups, score_set.unit)
    require_distinct(score_set.models, "model")
    require_distinct(score_set.names, "member")
    return replace(score_set, known_design=_design_of(design, score_set))


def _taken(values: Any, rows: Integers | None) -> Any:
    """These rows of an array, of a column, or of all columns of a table; None for all rows."""
    if rows is None or values is None:
        return values
    if isinstance(values, Mapping):
        return {role: column[rows] for role, column in values.items()}
    return values[rows]


def _complete_rows(
    table: Mapping[str, Any], source: Source, on_missing: str
) -> tuple[Integers | None, Dropped]:
    """Rows that lack nothing, None for all of them, and what was dropped; RS031, RS035 if nothing may be."""
    require_known_handling(on_missing)
    gaps = {role: mask for role, column in table.items() if (mask := column.gaps) is not None}
    if on_missing == "raise":
        for role in sorted(gaps, key=lambda role: role_kind(role) != "score"):  # other columns say it later
            owner = _owner(gaps[role], table) if role == "score" else f"all in {source.column(role)}"
            if role in NAMES:
                raise missing_values(gaps[role], role, source)
            if role_kind(role) == "score" and table[role].array.dtype.kind != "O":
                left = source if source.columns else source.of_scores(role)
                raise missing_values(gaps[role], "score", left, owner=owner if source.columns else "")
        return None, Dropped()
    if not gaps:
        return None, Dropped()
    kinds: dict[str, Mask] = {}
    for role, mask in gaps.items():
        kinds[role_kind(role)] = kinds.get(role_kind(role), mask) | mask
    is_left = ~np.logical_or.reduce(list(kinds.values()))
    n_left = np.count_nonzero(is_left)
    counts = {role: int(np.count_nonzero(mask)) for role, mask in kinds.items()}
    owner = _owner(~is_left, table)
    warn(
        "RS102",
        causes=", ".join(f"{counted(n, 'row')} without a {role}" for role, n in counts.items()),
        place=source.place,
        in_all=f" ({counted(is_left.size - n_left, 'row')} in all)" if len(counts) > 1 else "",
        models=" for all models" if "score" not in table else "",
        owner=f", {owner}" if owner else "",
    )
    if n_left == 0:
        found = f"{counted(is_left.size, 'row')} read, none of them complete"
        raise no_rows(source, found, "check the columns that are named")
    causes = {f"no {role}": n for role, n in counts.items()}
    return np.flatnonzero(is_left), Dropped(int(is_left.size - n_left), causes)


def _owner(mask: Mask, table: Mapping[str, Any]) -> str:
    """``all in model "candidate"`` if the rows have a model or group in common, and others exist."""
    for role in ("model", "group"):
        if role in table:
            codes = table[role].codes
            inside = np.unique(codes[mask])
            if inside.size == 1 and inside[0] >= 0 and (codes != inside[0]).any():
                return f'all in {role} "{shown(table[role].values[inside[0]])}"'
    return ""


def _members(group: Factor, model: Factor | None) -> tuple[Integers, Integers]:
    """The member of each row, -1 for none, and the pair model * n_groups + group of each member."""
    n_groups = len(group.values)
    if model is None:
        return group.codes, np.arange(n_groups)
    pairs = np.where((group.codes < 0) | (model.codes < 0), -1, model.codes * n_groups + group.codes)
    present = np.flatnonzero(np.bincount(pairs[pairs >= 0], minlength=n_groups * len(model.values)))
    rank = np.full(n_groups * len(model.values) + 1, -1, dtype=np.int64)
    rank[present] = np.arange(present.size)
    return rank[pairs], present


def _gathered(members: Integers, n_members: int, cases: Factor | None) -> tuple[Integers | None, Integers]:
    """The order that brings the rows of each member together, None for that they have, and the offsets."""
    offsets = np.zeros(n_members + 1, dtype=np.int64)
    np.cumsum(np.bincount(members, minlength=n_members), out=offsets[1:])
    if cases is None:
        return gathering_order(members, n_members), offsets
    return paired_order(members, n_members, cases.codes, len(cases.values)), offsets


def paired_order(members: Integers, n_members: int, cases: Integers, n_cases: int) -> Integers | None:
    """The stable order that brings members together and, in each, the cases into the order of their codes.

    None if the rows are in that order already. Codes come in order of appearance, so they are unless the
    table was shuffled or sorted by something else.
    """
    gathered = gathering_order(members, n_members)
    m, c = _taken(members, gathered), _taken(cases, gathered)
    if not np.any((c[1:] < c[:-1]) & (m[1:] == m[:-1])):
        return gathered
    by_case = gathering_order(cases, n_cases)
    if by_case is None:
        return gathered
    by_member = gathering_order(members[by_case], n_members)
    return by_case if by_member is None else by_case[by_member]


def concatenated(arrays: list[Array], what: str) -> Array:
    """All scores in one array; RS033 if they have no type in common that keeps them as they are."""
    common = np.result_type(*arrays)
    for array in arrays:
        if array.dtype.kind in "iu" and common.kind == "f" and np.abs(array.astype(float)).max() >= 2**53:
            kinds = sorted({str(a.dtype) for a in arrays})
            raise fail("RS033.types", what=what, kinds=", ".join(kinds))
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def _fold(pair: Any, index: int) -> tuple[object, object]:
    try:
        labels, scores = pair
    except (TypeError, ValueError) as error:
        raise fail("RS034.pair", fold=index + 1, kind=type(pair).__name__) from error
    return labels, scores


def _stacked(columns: list[Column]) -> Column:
    """All rows in one column; labels of different kinds stay what they are."""
    arrays = [column.array for column in columns]
    kinds = {"n" if a.dtype.kind in "biuf" else a.dtype.kind for a in arrays}
    if len(kinds) > 1:
        arrays = [a.astype(object) for a in arrays]
    missing = None
    if any(column.missing is not None for column in columns):
        missing = np.concatenate(
            [np.zeros(len(c), np.bool_) if c.missing is None else c.missing for c in columns]
        )
    return Column(np.concatenate(arrays), missing)


def _name_of(given: object, usual: str) -> str:
    """The name that a Series has, as the word for a group or a cluster."""
    name = getattr(given, "name", None)
    return name if isinstance(name, str) and name else usual


# Design: as it was said, or as repeats tell
# ------------------------------------------


def _design_of(design: str | Design | None, score_set: ScoreSet) -> Design | None:
    """The design as it was said; how often a cross-validation was repeated its cases may tell."""
    if isinstance(design, str) and _is_cross_validation(design) and score_set.design.shares_training:
        return score_set.design
    return declared(design, n_groups=len(score_set.groups))


def _is_cross_validation(design: str | Design | None) -> bool:
    found = declared(design, n_groups=2) if isinstance(design, str) else design
    return found is not None and found.kind == "cross-validation"


def _number_folds(table: dict[str, Any], design: str | Design | None) -> str | Design | None:
    """Make a group of each fold of each repeat, where repeats are named, and give the design of them."""
    repeat = table.pop("repeat", None)
    if repeat is not None:
        table["group"], design = _folds_of_repeats(table.get("group"), repeat, design)
    if repeat is not None or _is_cross_validation(design):
        warn_of_leakage(table.get("group"), table.get("cluster"), repeat)
    return design


def _folds_of_repeats(
    group: Factor | None, repeat: Factor, design: str | Design | None
) -> tuple[Factor, Design | str]:
    """A group for each fold of each repeat, and the design that they make."""
    if group is None:
        raise fail("RS002.repeat", n=len(repeat.values))
    n_repeats = max(len(repeat.values), 1)
    pairs = Column(group.codes * n_repeats + repeat.codes, (group.codes < 0) | (repeat.codes < 0))
    made = factorize(pairs)  # in order of appearance, as other names are
    folds, repeats = np.divmod(np.array(made.values, dtype=np.int64), n_repeats)
    # Folds that are numbered through all repeats have names of their own already.
    is_apart = np.unique(folds).size == folds.size
    names = tuple(
        group.values[f] if is_apart else f"{word(group.values[f])} of repeat {word(repeat.values[r])}"
        for f, r in zip(folds, repeats, strict=True)
    )
    per_repeat = np.bincount(repeats, minlength=n_repeats)
    if design is None:
        if (per_repeat != per_repeat[0]).any() or per_repeat[0] < 2:
            raise fail("RS067.repeats", least=per_repeat.min(), most=per_repeat.max())
        design = Design.cross_validation(int(per_repeat[0]), repeats=n_repeats)
    return Factor(made.codes, names), design


# Cases have one truth and belong to one cluster; what rows that belong together mean
# -----------------------------------------------------------------------------------


def require_one_truth(cases: Factor, labels: Array, source: Source) -> None:
    """RS026 if a case is positive in one row and negative in another."""
    seen = np.zeros((2, len(cases.values)), dtype=np.bool_)
    seen[labels, cases.codes] = True
    torn = np.flatnonzero(seen.all(axis=0))
    if torn.size:
        own = np.flatnonzero(cases.codes == torn[0])
        positive, negative = (source.row(int(own[labels[own] == side][0])) for side in (1, 0))
        raise fail(
            "RS026",
            case=shown(cases.values[torn[0]]),
            place=source.place,
            positive=positive,
            negative=negative,
            others=_as_well(torn.size),
        )


def require_one_cluster(cases: Factor, clusters: Factor | None, source: Source) -> None:
    """RS050 if a case belongs to one patient in one row and to another in the next."""
    if clusters is None:
        return
    owner = np.empty(len(cases.values), dtype=np.int64)
    owner[cases.codes] = clusters.codes
    torn = np.unique(cases.codes[owner[cases.codes] != clusters.codes])
    if torn.size:
        own = np.flatnonzero(cases.codes == torn[0])
        second = own[np.flatnonzero(clusters.codes[own] != clusters.codes[own[0]])[0]]
        found = [
            f'"{shown(clusters.values[clusters.codes[i]])}" at {source.row(int(i))}' for i in (own[0], second)
        ]
        raise fail(
            "RS050",
            case=shown(cases.values[torn[0]]),
            place=source.place,
            column=source.column("cluster"),
            rows=found,
            others=_as_well(torn.size),
        )


def _as_well(n: int) -> str:
    return f"; {counted(n - 1, 'other case')} as well" if n > 1 else ""


def warn_of_several_rows(score_set: ScoreSet) -> None:
    """RS104 if cases have several rows in one group: most formulas take rows as independent."""
    cases = score_set.cases
    several = () if cases is None else cases.with_several_rows(score_set.columns.offsets)
    if cases is not None and len(several):
        warn(
            "RS104",
            several=len(several),
            n_cases=np.unique(cases.codes).size,
            unit=printable(score_set.unit),
            n_rows=score_set.columns.n_rows,
            models=f" ({counted(len(score_set.models), 'model')})" if len(score_set.models) > 1 else "",
        )


def warn_of_clusters(score_set: ScoreSet, what: str) -> None:
    """RS104 if patients have several rows in one group, for a method that takes rows as independent."""
    told = told_of_clusters(score_set.clusters, score_set.columns.offsets, what, score_set.unit)
    if told is not None:
        warn("RS104.clusters", **told)


def told_of_clusters(
    clusters: Clusters | None, offsets: Integers, what: str, unit: str = "group"
) -> dict[str, Any] | None:
    """The facts of RS104.clusters: patients with several rows in one group; None if there are none.

    Parameters
    ----------
    clusters : Clusters or None
        Of all rows.
    offsets : int64 array
        Group ``g`` owns the rows ``offsets[g]:offsets[g + 1]``.
    what : str
        The method that takes rows as independent, at the beginning of a sentence: ``"DeLong's formula"``.
    unit : str
        The word for a group.
    """
    several = 0 if clusters is None else clusters.with_several_rows(offsets).size
    if clusters is None or several == 0:
        return None
    facts = {"what": what, "several": several, "n": clusters.n_present, "n_rows": clusters.codes.size}
    return facts | {"patient": printable(clusters.unit), "unit": printable(unit)}


def warn_of_leakage(groups: Factor | None, clusters: Factor | None, repeat: Factor | None) -> None:
    """RS109 if a patient is in several folds of one repeat: models were tested on patients they had seen."""
    if groups is None or clusters is None:
        return
    times = np.zeros_like(groups.codes) if repeat is None else repeat.codes
    n_repeats = 1 if repeat is None else max(len(repeat.values), 1)
    n_groups = max(len(groups.values), 1)
    is_known = (clusters.codes >= 0) & (groups.codes >= 0) & (times >= 0)
    owners = clusters.codes * np.int64(n_repeats) + times
    owners = np.unique(owners[is_known] * np.int64(n_groups) + groups.codes[is_known]) // n_groups
    again = owners[1:][owners[1:] == owners[:-1]]
    torn = np.unique(again // n_repeats)
    if torn.size:
        example = shown(clusters.values[int(torn[0])])
        warn("RS109", n=torn.size, total=len(clusters.values), example=example)


# The scores of one model, made once while somebody uses them, so that they are counted once
# ------------------------------------------------------------------------------------------

_made: WeakKeyDictionary[ScoreSet, WeakValueDictionary[str, ScoreSet]] = WeakKeyDictionary()


def single_model(score_set: ScoreSet, name: str) -> ScoreSet:
    """What ``score_set.model(name)`` gives; the very same set as long as an earlier one is in use.

    >>> both = ScoreSet.from_arrays([1, 0, 1, 0], [3, 1, 2, 5], ["a"] * 4, models=["x", "x", "y", "y"])
    >>> kept = single_model(both, "y")
    >>> single_model(both, "y") is kept, kept.names
    (True, ('a',))
    """
    known = _made.setdefault(score_set, WeakValueDictionary())
    own = known.get(name)
    if own is None:
        known[name] = own = score_set.model(name)
    return own
