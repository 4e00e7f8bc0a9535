"""ScoreSet: the scores of many groups, and of several models, in one flat table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, overload

import numpy as np

from rocsteady.calling import welcomes
from rocsteady.scores.columns import Columns, Integers
from rocsteady.scores.design import ASSUMED, Design, declared, of_cases
from rocsteady.scores.labels import Classes
from rocsteady.scores.records import (
    Cases,
    Clusters,
    Dropped,
    member_names,
    no_member,
    nothing_left,
    rows_together,
    undefined_members,
    unknown_name,
)
from rocsteady.scores.scores import Scores
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
        from rocsteady.scores.fold_pairs import set_from_folds

        return set_from_folds(
            pairs,
            names=names,
            positive=positive,
            sample_weight=sample_weight,
            higher_is_positive=higher_is_positive,
            unit=unit,
            repeats=repeats,
            design=design,
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
        from rocsteady.scores.building import set_from_arrays

        return set_from_arrays(
            labels,
            scores,
            groups,
            models=models,
            cases=cases,
            clusters=clusters,
            repeats=repeats,
            sample_weight=sample_weight,
            positive=positive,
            higher_is_positive=higher_is_positive,
            unit=unit,
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
        from rocsteady.scores.frames import set_from_frame

        roles = {"label": label, "score": score, "group": group, "model": model, "case": case}
        roles |= {"cluster": cluster, "repeat": repeat, "weight": weight}
        return set_from_frame(
            frame,
            roles,
            positive=positive,
            higher_is_positive=higher_is_positive,
            on_missing=on_missing,
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

    def explain_unclean(self) -> None:
        """Do nothing: a set is validated when it is made."""

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
        from rocsteady.scores.frames import set_to_frame

        return set_to_frame(self)


ScoreSet.__init__ = welcomes(  # type: ignore[method-assign]
    "ScoreSet.from_folds(pairs)",
    "ScoreSet.from_arrays(labels, scores, groups)",
    "ScoreSet.from_frame(frame, label=..., score=...)",
)(ScoreSet.__init__)
