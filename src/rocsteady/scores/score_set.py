"""ScoreSet: the scores of many groups, and of several models, in one flat table, and the ways to build it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, cast, overload
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from rocsteady.arrays import Array, Integers, Mask
from rocsteady.calling import F, welcomes
from rocsteady.errors import CallError, fail, warn
from rocsteady.options import one_of, yes_or_no
from rocsteady.results import Frozen, Tabular, read_only, unit_column
from rocsteady.scores.columns import (
    ARRAYS,
    NAMES,
    Cases,
    Cause,
    Clusters,
    Column,
    Columns,
    Dropped,
    Factor,
    Grouped,
    Source,
    factorize,
    gathering_order,
    missing_values,
    offsets_of,
    read_column,
    read_columns,
    require_distinct,
    role_kind,
    rows_of,
    rows_together,
    score_array,
    shown,
    taken,
    unknown_name,
    weight_array,
    word,
)
from rocsteady.scores.design import ASSUMED, Design, declared, of_cases
from rocsteady.scores.frames import read_names, read_table
from rocsteady.scores.labels import Classes, code_labels
from rocsteady.scores.scores import Scores, warn_of_decisions
from rocsteady.showing import Shown, averaged, draw_curves
from rocsteady.words import counted, printable


@dataclass(frozen=True, eq=False, repr=False)
class ScoreSet(Grouped, Frozen, Tabular, Shown, Sequence[Scores]):
    """Scores of many groups (folds, readers, hosts) and possibly several models.

    Build one with :meth:`from_folds`, :meth:`from_arrays`, :meth:`from_frame`, :meth:`from_cv_results`
    or :func:`rocsteady.read_scores`. It is a sequence of :class:`Scores`, one for each group (each pair
    of model and group, models first), by position or by name: a group called 3 is ``["3"]``.

    Rows keep the order of the table, unless their cases are named: then they stand in the order in which the
    cases first appear, and members with the same cases line up row by row.

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
    group_values : tuple
        What the groups are called in the data, where that is no text.
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
    @welcomes("ScoreSet.from_folds(pairs)")
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
            The word for a fold.
        repeats : int
            How often the cross-validation was repeated; the folds of a repeat follow one another.
        design : {"cross-validation", "independent", "readers"} or Design
            Folds of a cross-validation share training cases, and every interval allows for that; hospitals or
            hosts, each a sample of its own, are "independent"; random splits are ``Design.hold_out(0.25)``,
            with their test cases over training cases.

        Examples
        --------
        >>> import rocsteady as rs
        >>> folds = rs.ScoreSet.from_folds([([0, 1, 1], [0.1, 0.4, 0.3]), ([0, 0], [0.2, 0.6])])
        >>> folds
        ScoreSet(2 folds, 5 rows, 2 positives, 1 undefined)
        >>> folds.undefined
        ('fold 2: no positives',)
        """
        folds = []
        for i, pair in enumerate(pairs if isinstance(pairs, Iterable) else ()):
            try:
                labels, scores = pair
            except (TypeError, ValueError) as error:
                raise fail("RS034.pair", fold=i + 1, kind=type(pair).__name__) from error
            folds.append({"label": labels, "score": scores})
        if not folds:
            raise fail("RS010.folds")
        named = [f"{unit} {i + 1}" for i in range(len(folds))] if names is None else list(names)
        weights = None if sample_weight is None else list(sample_weight)
        for what, entries in (("names", named), ("sample_weight", weights)):
            if entries is not None and len(entries) != len(folds):
                raise fail("RS013.folds", what=what, n=len(entries), n_folds=len(folds))
        if weights is not None and all(own is None for own in weights):
            weights = None
        tables = []
        for i, fold in enumerate(folds):
            source = Source(name=word(named[i]))
            if weights is not None:
                fold["weight"] = read_column(weights[i], "weight", source)  # None has no rows
            tables.append(read_columns(fold, source))
        sizes = [len(table["label"]) for table in tables]
        starts = np.cumsum([0, *sizes])

        def spell(row: int) -> str:
            fold = int(np.searchsorted(starts, row, side="right")) - 1
            return f"row {row - starts[fold]} of {shown(named[fold])}"

        given: dict[str, object] = {role: stacked([own[role] for own in tables]) for role in tables[0]}
        given["group"] = Factor(np.repeat(np.arange(len(folds)), sizes), tuple(named))
        is_single = len(folds) == 1 and repeats == 1  # one dataset, nothing to share
        return set_from_columns(
            given,
            positive=positive,
            higher_is_positive=higher_is_positive,
            unit=unit,
            design=ASSUMED if is_single else declared(design, n_groups=len(folds), repeats=repeats),
            source=Source(row=spell),
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
            case, unless ``cases`` says otherwise.
        groups : array-like, optional
            The group of each row; without it all rows are one group named "all".
        models, cases, clusters : array-like, optional
            The model that gave the score; the case that was scored; the patient it comes from.
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
            Column names. Several score columns are several models: then there is no ``model``, and each row
            is a case, unless ``case`` says otherwise. ``cluster`` names the patient, where patients have
            several cases; ``repeat`` the repeat of a cross-validation.
        positive, higher_is_positive
            As for :class:`Scores`.
        on_missing : {"raise", "drop"}
            What to do with rows that lack a value. Those that lack one of several scores are dropped for all
            models; ``.dropped`` counts them.
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
        from rocsteady.scores.sklearn import rows_of_cv_results

        return cls.from_arrays(**rows_of_cv_results(cv_results, X, y, positive=positive))

    def __len__(self) -> int:
        return self.columns.n_groups

    @overload
    def __getitem__(self, key: int | str) -> Scores: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Scores]: ...
    def __getitem__(self, key: Any) -> Scores | Sequence[Scores]:
        if isinstance(key, slice):
            return [self[i] for i in range(*key.indices(len(self)))]
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise fail("RS001.position", index=int(key), n=len(self), last=len(self) - 1)
            index = int(key) % len(self)
        else:
            try:
                index = self._positions[key]
            except (KeyError, TypeError):  # not hashable
                if isinstance(key, str) and len(self.models) > 1 and key in self.models:
                    facts = {"known": self.names, "first": self.names[0]}
                    raise fail("RS001.model", name=key, what=self.unit, **facts) from None
                raise unknown_name(str(key), self.names, self.unit) from None
        return Scores.of_columns(classes=self.classes, name=self.names[index], **self._part(index, index + 1))

    def __iter__(self) -> Iterator[Scores]:
        return (self[i] for i in range(len(self)))

    def _part(self, start: int, stop: int) -> dict[str, Any]:
        """The columns, cases and clusters of the members ``start:stop``, as views."""
        rows = slice(*self.columns.offsets[[start, stop]].tolist())
        return self._of_rows(rows, self.columns.offsets[start : stop + 1] - rows.start)

    def _of_rows(self, rows: Any, offsets: Integers) -> dict[str, Any]:
        columns = self.columns.taken(rows, offsets)
        return {"columns": columns, "cases": taken(self.cases, rows), "clusters": taken(self.clusters, rows)}

    @cached_property
    def _together(self) -> Cases | None:
        """What says which rows belong together; None where each is a case of its own."""
        return rows_together(self.clusters, self.cases, self.columns.offsets)

    @cached_property
    def _positions(self) -> dict[Any, int]:
        """Names and original values to positions; a name wins over a value, and the first over later ones."""
        has_values = len(self.models) <= 1 and len(self.group_values) > 0
        values = [self.group_values[group] for group in self.group_index] if has_values else []
        return {key: i for known in (values, self.names) for i, key in reversed([*enumerate(known)])}

    @cached_property
    def n_positives(self) -> Integers:
        """Positive rows of each member."""
        return read_only(self.columns.cases_of_groups(1))

    @cached_property
    def n_negatives(self) -> Integers:
        """Negative rows of each member."""
        return read_only(self.columns.cases_of_groups(0))

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
        known = _models_in_use.setdefault(self, WeakValueDictionary())
        in_use = known.get(str(name))
        if in_use is not None:  # what has been counted of it need not be counted again
            return in_use
        members, own = self._one_model(name)
        known[str(name)] = found = replace(self, **own, **self._part(members.start, members.stop))
        return found

    def with_models(self, names: Sequence[str]) -> ScoreSet:
        """The scores of some of the models, in this order; RS001 for one that there is not.

        Examples
        --------
        >>> import rocsteady as rs
        >>> three = rs.ScoreSet.from_arrays([1, 0], {"x": [3, 1], "y": [2, 5], "z": [1, 4]})
        >>> three.with_models(["z", "x"]).models, three.with_models(["y"]).models
        (('z', 'x'), ('y',))
        """
        if tuple(names) == self.models:
            return self
        if len(names) == 1:
            return self.model(names[0])
        chosen = [self.models.index(own.models[0]) for own in map(self.model, names)]
        members = np.concatenate([np.flatnonzero(self.model_index == own) for own in chosen])
        place = np.full(len(self.models), -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        part = self._of_rows(*rows_of(self.columns.offsets, members))
        index = {"group_index": self.group_index[members], "model_index": place[self.model_index[members]]}
        return replace(self, models=tuple(names), **index, **part)

    def take(self, groups: Any) -> ScoreSet:
        """The rows of some of the groups, in this order, of every model.

        Parameters
        ----------
        groups : str, int, or a sequence or array of either or of bool
            Their names, their positions, or a mask of them; one name or position stands for a set of one.

        Raises
        ------
        MemberError
            RS001 for a name, a position or a mask that does not fit.

        Examples
        --------
        >>> import rocsteady as rs
        >>> hosts = rs.ScoreSet.from_arrays([1, 0, 1, 0, 1], [3, 1, 2, 5, 4], ["a", "a", "b", "b", "c"])
        >>> hosts.take(["c", "a"]).groups
        ('c', 'a')
        >>> hosts.take(hosts.has_curve)
        ScoreSet(2 groups, 4 rows, 2 positives)
        >>> hosts.take("b").groups, hosts.take([0, 1]).groups, hosts.take([True, False, False]).groups
        (('b',), ('a', 'b'), ('a',))
        """
        places = {name: place for place, name in enumerate(self.groups)}
        wanted = list(groups) if np.iterable(groups) and not isinstance(groups, str) else [groups]
        kinds = {isinstance(own, bool | np.bool_) for own in wanted}
        if len(kinds) == 1 and all(isinstance(own, int | np.integer | np.bool_) for own in wanted):
            try:
                chosen = np.arange(len(self.groups))[np.array(wanted)]
            except IndexError:
                last, n = len(self.groups) - 1, len(self.groups)
                raise fail("RS001.take", last=last, n=n, given=groups, first=self.groups[0]) from None
        else:
            strange = [str(name) for name in wanted if name not in places]
            if strange:
                raise unknown_name(strange[0], self.groups, self.unit)
            chosen = np.array([places[name] for name in wanted], dtype=np.int64)
        if np.array_equal(chosen, np.arange(len(self.groups))):
            return self
        named = self._named(chosen)
        require_distinct(named["groups"], self.unit)
        place = np.full(len(self.groups), -1, dtype=np.int64)
        place[chosen] = np.arange(chosen.size)
        models = self.model_index if self.model_index.size else np.zeros(len(self), dtype=np.int64)
        members = np.lexsort((place[self.group_index], models))
        members = members[place[self.group_index[members]] >= 0]
        part = self._of_rows(*rows_of(self.columns.offsets, members))
        return replace(
            self, **named, **part, group_index=place[self.group_index[members]], model_index=models[members]
        )

    def with_rows(self, rows: Integers, offsets: Integers) -> ScoreSet:
        """The same groups with these of their rows, in this order, dealt to them by these offsets."""
        return replace(self, **self._of_rows(rows, offsets))

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
        return self._facts() | {
            "names": list(self.names),
            "n_positives": self.n_positives.tolist(),
            "n_negatives": self.n_negatives.tolist(),
            "undefined": list(self.undefined),
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

    def plot(self, *, undefined: str = "raise", **options: Any) -> Any:
        """Draw the ROC curve of every group: ``rs.plot.roc(rs.roc_curves(score_set, undefined=...))``."""
        return draw_curves(self, undefined, **options)

    def _columns(self) -> dict[str, Any]:
        """One row per scored case."""
        sizes = np.diff(self.columns.offsets)
        others = ("model", "case", "cluster", "is_positive", "score", "weight")
        models = np.array(self.models, dtype=object)
        columns = {
            "model": np.repeat(models[self.model_index], sizes) if self.models else None,
            unit_column(self.unit, others): np.repeat(
                np.array(self.groups, dtype=object)[self.group_index], sizes
            ),
            "case": None if self.cases is None else self.cases.listed(),
            "cluster": None if self.clusters is None else self.clusters.listed(),
            "is_positive": self.columns.labels.view(np.bool_),
            "score": self.columns.scores,
            "weight": self.columns.weights,
        }
        return {name: own for name, own in columns.items() if own is not None}


_models_in_use: WeakKeyDictionary[ScoreSet, WeakValueDictionary[str, ScoreSet]] = WeakKeyDictionary()

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

    Where each model has scores of its own, several roles are scores (see :func:`role_kind`), and ``models``
    has their names if the source does not. ``unit`` and ``patient`` are the words for a group and a cluster.
    """
    higher_is_positive = yes_or_no("higher_is_positive", higher_is_positive)
    table = read_columns(given, source)
    wide = [role for role in table if role_kind(role) != role]
    models = tuple(source.columns[role] for role in wide) if source.columns else models
    if getattr(table["label"], "array", np.empty(0)).dtype.kind == "O":
        table["label"] = factorize(table["label"])
    rows, dropped = complete_rows(table, source, on_missing)
    design = number_folds(table, design)
    n_rows, model = len(table["label"]), table.pop("model", None)
    group = table.pop("group", None) or Factor(np.zeros(n_rows, dtype=np.int64), ("all",))
    members, present = _members(group, model)

    # Groups that lose all their rows stay: they are undefined.
    left, table = source.of_rows(rows), {role: taken(own, rows) for role, own in table.items()}
    scores = _concatenated([score_array(table[role], left.of_scores(role)) for role in wide or ["score"]])
    scores = scores.reshape(max(len(wide), 1), -1)
    labels, classes = code_labels(table["label"], positive, left, scores)
    own: dict[str, Any] = {"label": labels, "member": taken(members, rows)}
    own |= {role: table[role].codes for role in ("case", "cluster") if role in table}
    if "weight" in table:
        own["weight"] = weight_array(table["weight"], left)
        if own["weight"].min() == 0:
            kept = np.flatnonzero(own["weight"])
            n_zero = own["weight"].size - kept.size
            dropped = Dropped(dropped.n_rows + n_zero, {**dropped.causes, Cause.WEIGHT_ZERO: n_zero})
            scores, own = scores[:, kept], {role: values[kept] for role, values in own.items()}
            rows = kept if rows is None else rows[kept]
    values: dict[str, Any] = {role: table[role].values for role in ("case", "cluster") if role in table}
    if "case" in own:
        _require_consistent_cases(own, values, source.of_rows(rows))
    if wide:  # the rows once for each model; without other cases the case is the row
        n = len(wide)
        dropped = Dropped(n * dropped.n_rows, {cause: n * count for cause, count in dropped.causes.items()})
        model, present = Factor(np.arange(n), models), np.arange(n * present.size)
        if "case" not in own:
            own["case"], values["case"] = np.arange(n_rows) if rows is None else rows, range(n_rows)
        own = {role: np.tile(codes, n) for role, codes in own.items()}
        own["member"] += np.repeat(np.arange(n) * len(group.values), scores.shape[1])
    warn_of_decisions(scores.ravel())

    offsets = offsets_of(np.bincount(own["member"], minlength=present.size))
    order = paired_order(own["member"], present.size, own.get("case"), len(values.get("case", ())))
    columns = Columns(scores.ravel(), own["label"], offsets, own.get("weight"), higher_is_positive)
    cases, clusters = (taken(own.get(role), order) for role in ("case", "cluster"))
    patient = str(source.columns.get("cluster", patient))
    score_set = ScoreSet(
        columns=columns.taken(order, offsets).owned(c for c in table.values() if isinstance(c, Column)),
        classes=classes,
        groups=group.names,
        group_values=tuple(group.values),
        group_index=present % len(group.values),
        models=() if model is None else model.names,
        model_index=present // len(group.values),
        dropped=dropped,
        source=source.name,
        unit=str(unit if unit is not None else source.columns.get("group", "group")),
        cases=None if cases is None else Cases(cases, values["case"]),
        clusters=None if clusters is None else Clusters(clusters, values["cluster"], patient),
    )
    several = () if score_set.cases is None else score_set.cases.with_several_rows(score_set.columns.offsets)
    if score_set.cases is not None and len(several):  # most formulas take rows as independent
        warn(
            "RS104",
            several=len(several),
            n_cases=score_set.cases.n_present,
            unit=printable(score_set.unit),
            n_rows=score_set.columns.n_rows,
            models=len(score_set.models) if len(score_set.models) > 1 else None,
        )
    for names, what in (
        (score_set.groups, score_set.unit),
        (score_set.models, "model"),
        (score_set.names, "member"),
    ):
        require_distinct(names, what)
    if design == "cross-validation" and score_set.design.shares_training:
        design = score_set.design  # the cases tell how often it was repeated
    return replace(score_set, known_design=declared(design, n_groups=len(score_set.groups)))


def complete_rows(
    table: Mapping[str, Any], source: Source, on_missing: str, *, are_models: bool = True
) -> tuple[Integers | None, Dropped]:
    """Rows that lack nothing, None for all of them, and what was dropped; RS031, RS035 if nothing may be.

    Several scores of a row are those of several models, or else of several classes.
    """
    one_of("on_missing", on_missing, ("raise", "drop"))
    gaps = {role: mask for role, column in table.items() if (mask := column.gaps) is not None}
    if on_missing == "raise":
        for role in sorted(gaps, key=lambda role: role_kind(role) != "score"):  # other columns say it later
            if role in NAMES:
                raise missing_values(gaps[role], role, source)
            if role_kind(role) == "score" and table[role].array.dtype.kind != "O":
                is_wide = role != "score" and role in source.columns
                owner = f"all in {source.column(role)}" if is_wide else _owner(gaps[role], table)
                raise missing_values(gaps[role], "score", source.of_scores(role), owner=owner)
        return None, Dropped()
    if not gaps:
        return None, Dropped()
    kinds: dict[str, Mask] = {}
    for role, mask in gaps.items():
        kinds[role_kind(role)] = kinds.get(role_kind(role), mask) | mask
    is_left = ~np.logical_or.reduce(list(kinds.values()))
    n_left = np.count_nonzero(is_left)
    counts = {role: int(np.count_nonzero(mask)) for role, mask in kinds.items()}
    warn(
        "RS102",
        causes=", ".join(f"{counted(n, 'row')} without a {role}" for role, n in counts.items()),
        place=source.place,
        in_all=is_left.size - n_left if len(counts) > 1 else None,
        for_all_models=are_models and "score" not in table,
        owner=_owner(~is_left, table),
    )
    if n_left == 0:
        raise fail("RS010.incomplete", place=source.place, n=is_left.size)
    causes = {Cause(f"no {role}"): n for role, n in counts.items()}
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


def paired_order(
    members: Integers, n_members: int, cases: Integers | None = None, n_cases: int = 0
) -> Integers | None:
    """The stable order that brings members together, and in each the cases by code; None if they are so."""
    gathered = gathering_order(members, n_members)
    if cases is None:
        return gathered
    m, c = taken(members, gathered), taken(cases, gathered)
    if not np.any((c[1:] < c[:-1]) & (m[1:] == m[:-1])):
        return gathered
    by_case = gathering_order(cases, n_cases)
    by_member = gathering_order(taken(members, by_case), n_members)
    return cast("Integers", taken(by_case, by_member))


def _concatenated(arrays: list[Array]) -> Array:
    """All values in one array; RS033 if they have no type in common that keeps them as they are."""
    common = np.result_type(*arrays)
    for array in arrays:
        if array.dtype.kind in "iu" and common.kind == "f" and np.abs(array.astype(float)).max() >= 2**53:
            raise fail("RS033.types", kinds=", ".join(sorted({str(a.dtype) for a in arrays})))
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def stacked(columns: list[Column]) -> Column:
    """The columns of all folds as one; labels of different kinds stay what they are."""
    arrays = [column.array for column in columns]
    kinds = {"n" if a.dtype.kind in "biuf" else a.dtype.kind for a in arrays}
    if len(kinds) > 1:
        arrays = [a.astype(object) for a in arrays]
    missing = None
    if any(column.missing is not None for column in columns):
        missing = np.concatenate(
            [np.zeros(len(c), np.bool_) if c.missing is None else c.missing for c in columns]
        )
    return Column(_concatenated(arrays), missing)


def _name_of(given: object, usual: str) -> str:
    """The name that a Series has, as the word for a group or a cluster."""
    name = getattr(given, "name", None)
    return name if isinstance(name, str) and name else usual


# Folds of repeats
# ----------------


def number_folds(table: dict[str, Any], design: str | Design | None) -> str | Design | None:
    """Make a group of each fold of each repeat, where repeats are named, and give the design of them."""
    repeat, group = table.pop("repeat", None), table.get("group")
    if repeat is None:
        if (design.kind if isinstance(design, Design) else design) == "cross-validation":
            _warn_of_leakage(group, table.get("cluster"))
        return design
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
    table["group"] = Factor(made.codes, names)
    _warn_of_leakage(table["group"], table.get("cluster"), repeat)
    return design


# Cases have one truth and belong to one cluster; what rows that belong together mean
# -----------------------------------------------------------------------------------


def _require_consistent_cases(own: Mapping[str, Array], values: Mapping[str, Any], source: Source) -> None:
    """RS026 if a case is positive in one row and negative in another, RS050 if it comes from two patients."""
    cases = own["case"]
    for role in ("label", "cluster"):
        if role not in own:
            continue
        known = np.empty(len(values["case"]), dtype=np.int64)
        known[cases] = own[role]
        torn = np.unique(cases[known[cases] != own[role]])
        if not torn.size:
            continue
        rows = np.flatnonzero(cases == torn[0])
        second = rows[own[role][rows] != own[role][rows[0]]][0]
        found = {int(own[role][row]): source.row(int(row)) for row in (rows[0], second)}
        others = torn.size - 1 or None
        facts = {"case": shown(values["case"][torn[0]]), "place": source.place, "others": others}
        if role == "label":
            raise fail("RS026", positive=found[1], negative=found[0], **facts)
        named = [f'"{shown(values["cluster"][code])}" at {row}' for code, row in found.items()]
        raise fail("RS050", column=source.column("cluster"), rows=named, **facts)


def warn_of_clusters(scores: Scores | ScoreSet, what: str) -> bool:
    """RS104 if patients have several rows in one group; whether they have.

    ``what`` is the method that takes rows as independent, at the beginning of a sentence.
    """
    clusters = scores._together
    if not isinstance(clusters, Clusters):
        return False
    warn(
        "RS104.clusters",
        what=what,
        several=clusters.with_several_rows(scores.columns.offsets).size,
        n=clusters.n_present,
        n_rows=clusters.codes.size,
        patient=printable(clusters.unit),
        unit=printable(scores.unit) if isinstance(scores, ScoreSet) else "dataset",
    )
    return True


def _warn_of_leakage(groups: Factor | None, clusters: Factor | None, repeat: Factor | None = None) -> None:
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


# Doors that take scores in another form
# --------------------------------------

_OF_FRAMES = tuple(inspect.signature(ScoreSet.from_frame).parameters)[1:]
"""The keywords that name columns, and say how they are read."""


def with_enough_cases(score_set: ScoreSet, least: int) -> tuple[ScoreSet, tuple[str, ...]]:
    """The groups that have this many cases of each class in every model, and the names of the others."""
    if least <= 1:
        return score_set, ()
    fewest = np.minimum(score_set.n_positives, score_set.n_negatives)
    smallest = np.full(len(score_set.groups), np.iinfo(np.int64).max)
    np.minimum.at(smallest, score_set.group_index, fewest)
    kept = smallest >= least
    if kept.all():
        return score_set, ()
    left_out = tuple(name for name, is_kept in zip(score_set.groups, kept, strict=True) if not is_kept)
    if not kept.any():
        raise fail(
            "RS032.few-cases",
            unit=score_set.unit,
            least=least,
            most=int(smallest.max()),
            n_groups=len(kept),
            min_per_class=max(int(smallest.max()), 1),
        )
    return score_set.take(kept), left_out


def takes_frames(function: F) -> F:
    """Let a function of a set also take a table and the names of its columns, as ``from_frame`` does."""
    own = list(inspect.signature(function).parameters)
    place = next(i for i, name in enumerate(own) if name in ("x", "score_set"))

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if len(given) > place and ("label" in named or "score" in named):
            columns = {name: named.pop(name) for name in _OF_FRAMES if name in named and name not in own}
            try:
                score_set = ScoreSet.from_frame(given[place], **columns)
            except CallError as error:
                name = function.__name__
                ways = [f"{name}(frame, label='...', score='...', group='...')"]
                raise fail(error.entry, **{**error.facts, "name": name, "ways": ways}) from None
            given = (*given[:place], score_set, *given[place + 1 :])
        return function(*given, **named)

    return cast("F", call)


@welcomes(
    "cross_validated_scores(estimator, X, y)",
    instead={"repeats": "cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=5)  of scikit-learn"},
)
def cross_validated_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    folds: int = 10,
    seed: int = 0,
    positive: object = None,
    cv: Any = None,
    groups: object = None,
) -> ScoreSet:
    """Score every row by an estimator that has not seen it: stratified cross-validation.

    Parameters
    ----------
    estimator : scikit-learn classifier, or a dict of them
        Cloned and fitted once for each fold; needs ``decision_function`` or ``predict_proba``. Of a dict
        ``{name: estimator}`` each is a model, on the same folds.
    X, y : array-like
        Features and the two classes.
    folds, seed : int
        As for :func:`rocsteady.scores.stratified_folds`. Estimators have a ``random_state`` of their own.
    positive : label, optional
        The positive class; ``classes_[1]`` of the estimator if not given, as scikit-learn has it.
    cv : int, splitter of scikit-learn, or an iterable of (training rows, test rows), optional
        Other splits than our stratified folds: RepeatedStratifiedKFold, GroupKFold, ShuffleSplit ...
    groups : array-like, optional
        For splitters that keep groups of rows together; they are the clusters of the set.

    Returns
    -------
    ScoreSet
        One group for each fold; cases are the row numbers of X. Its design is that of the splits.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> rs.cross_validated_scores(GaussianNB(), X, y, folds=5)
    ScoreSet(5 folds, 569 rows, 357 positives)
    >>> tried = {"narrow": GaussianNB(), "wide": GaussianNB(var_smoothing=1e-3)}
    >>> rs.cross_validated_scores(tried, X, y, folds=5)
    ScoreSet(5 folds, 2 models, 1 138 rows, 714 positives)
    """
    from rocsteady.scores.sklearn import cross_validated_rows

    options = {"folds": folds, "seed": seed, "positive": positive, "cv": cv, "groups": groups}
    return ScoreSet.from_arrays(**cross_validated_rows(estimator, X, y, **options))
