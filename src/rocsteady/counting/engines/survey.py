"""The first look at a table: which members it has, how many rows of each label, which labels are positive."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.engines.members import MemberIndex, members_in
from rocsteady.counting.engines.plan import Question, labels
from rocsteady.counting.engines.tables import EngineTable
from rocsteady.errors import LabelError, counted
from rocsteady.scores.arrays import Source, no_rows
from rocsteady.scores.column_names import role_kind
from rocsteady.scores.grouping import Factor
from rocsteady.scores.labels import Classes, classes_among
from rocsteady.scores.text import typed_labels

Integers = NDArray[np.int64]
_LOOKED_AT, _MOST_LABELS = 2000, 100


@dataclass(frozen=True, eq=False)
class Survey:
    """What a table holds.

    Attributes
    ----------
    question : Question
        What to ask of it from now on.
    members : MemberIndex
        Who its rows belong to.
    n_positives, n_negatives : int64 arrays
        Rows of each class of every member, unusable scores included.
    n_rows : int
        All rows.
    classes : Classes
        The words for the two classes.
    """

    question: Question
    members: MemberIndex
    n_positives: Integers
    n_negatives: Integers
    n_rows: int
    classes: Classes

    @property
    def n_rarer(self) -> int:
        """Rows of the rarer class of every member, all together."""
        return int(np.minimum(self.n_positives, self.n_negatives).sum())


def surveyed(table: EngineTable, roles: tuple[str, ...], positive: object) -> Survey:
    """Look at labels and members; RS020 to RS022 if the labels do not say which rows are positive."""
    keys = tuple(f"{role}_" for role in ("model", "group") if role in roles)
    _require_few_labels(table, positive)
    found = table.collect(labels(table.frame().select("label_", *keys), keys), "Counting labels")
    n_rows = int(found.column("rows").to_numpy().sum()) if found.num_rows else 0
    if n_rows == 0:
        raise no_rows(table.source)
    spelled, counts, places = _distinct_labels(found)
    if not spelled:
        raise no_rows(table.source) if n_rows == 0 else _no_labels(n_rows, table.source)
    # 1.0 and 1 are one class, with one name.
    values = [int(own) if isinstance(own, float) and own.is_integer() else own for own in spelled]
    if table.source.text_labels and all(isinstance(value, str) for value in spelled):
        values = typed_labels(Factor(np.arange(len(spelled)), tuple(spelled))).array.tolist()
    source = _plain_source(table.source)
    is_positive, classes = classes_among(
        Factor(np.arange(len(values)), tuple(values), counts), positive, source
    )
    positives = tuple(value for value, yes in zip(spelled, is_positive, strict=True) if yes)
    members = members_in(found, keys)
    place = members.places(found)
    own = np.append(np.asarray(is_positive, dtype=np.int64), -1)[places]
    rows = found.column("rows").to_numpy()
    per_class = [
        np.bincount(place[(own == side) & (place >= 0)], rows[(own == side) & (place >= 0)], len(members))
        for side in (1, 0)
    ]
    question = Question(
        keys=members.keys,
        positives=positives or (_impossible(spelled),),
        is_weighted="weight" in roles,
        float_labels=_are_floats(found),
    )
    n_positives, n_negatives = (own.astype(np.int64) for own in per_class)
    return Survey(question, members, n_positives, n_negatives, n_rows, classes)


def _require_few_labels(table: EngineTable, positive: object) -> None:
    """RS022 at once where a column of names or numbers was taken for labels: all of them would be counted."""
    head = table.collect(table.frame().select("label_").head(_LOOKED_AT), "Looking at the first rows")
    present = head.column("label_").drop_null().value_counts().to_pylist()
    if len(present) > _MOST_LABELS:
        counts = np.array([own["counts"] for own in present], dtype=np.int64)
        values = tuple(own["values"] for own in present)
        classes_among(Factor(np.arange(len(values)), values, counts), positive, _plain_source(table.source))


def _no_labels(n_rows: int, source: Source) -> LabelError:
    return LabelError(
        "RS023",
        f"all of {counted(n_rows, 'label')} are missing{source.place}.",
        f"in {source.column('label')}",
        "name the column that holds the labels",
    )


def _plain_source(source: Source) -> Source:
    return Source(source.name, source.columns, text_labels=source.text_labels)


def _distinct_labels(found: Any) -> tuple[list[Any], Integers, Integers]:
    """Labels in order, how many rows each has, and for every row of the table which it is; -1 if missing."""
    listed = found.column("label_").to_pylist()
    rows = found.column("rows").to_numpy()
    present = [v for v in dict.fromkeys(listed) if v is not None and v == v]  # noqa: PLR0124 (NaN)
    present.sort(key=str)
    place = {value: i for i, value in enumerate(present)}
    places = np.array([place.get(value, -1) if value == value else -1 for value in listed], dtype=np.int64)  # noqa: PLR0124
    counts = np.bincount(places[places >= 0], rows[places >= 0], len(present)).astype(np.int64)
    return present, counts, places


def _are_floats(found: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_floating(found.schema.field("label_").type))


def _impossible(labels_found: list[Any]) -> Any:
    """A label of the same type that no row has: all rows are negative."""
    first = labels_found[0]
    if isinstance(first, bool):
        return not first
    if isinstance(first, str):
        return "".join(map(str, labels_found)) + "?"
    return max(labels_found) + 1


def survey_columns(survey: Survey, **columns: Any) -> Any:
    """The members as an Arrow table: their keys, and columns with one entry for each."""
    import pyarrow as pa

    members = np.arange(len(survey.members))
    named = {"member_": members, **columns}
    return pa.table(survey.members.columns(members) | {name: pa.array(own) for name, own in named.items()})


def rows_of(table: EngineTable, question: Question, score: str) -> Any:
    """The columns that a pass reads, the score called ``score_``."""
    weights = ["weight_"] if question.is_weighted else []
    frame = table.frame()
    own = nw.col(f"{score}_")
    others = [role for role in table.source.columns if role_kind(role) == "score" and role != score]
    if others:  # models are compared on the same rows: one that lacks a score lacks all
        numbers = [nw.col(f"{other}_").cast(nw.Float64) for other in others]
        missing = reduce(or_, [number.is_null() | number.is_nan() for number in numbers])
        own = nw.when(~missing).then(own)
    return frame.select("label_", own.alias("score_"), *question.keys, *weights)
