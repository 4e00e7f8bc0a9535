"""The plan: from a table of any engine to cells, in the few words that all engines understand alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import narwhals.stable.v2 as nw

from rocsteady.counting.cells import Binning
from rocsteady.scores.columns import SMALLEST_WEIGHT

MISSING_SCORE, MISSING_LABEL, BAD_WEIGHT, ZERO_WEIGHT = -1, -2, -4, -5
"""Cells of rows that cannot be counted."""
LARGEST_WEIGHT = 1e300
NO_CLASS = 2
"""The class of a row without a label; positives are 1, negatives 0."""


@dataclass(frozen=True)
class Question:
    """What is asked of a table with the columns label_, score_ and, if any, group_, model_, weight_."""

    keys: tuple[str, ...] = ()  # of group_ and model_: which curve a row belongs to
    positives: tuple[Any, ...] = (1,)  # all other labels that are not missing mean negative; maybe none
    is_weighted: bool = False
    float_labels: bool = False  # NaN is a missing one


def labels(frame: Any, keys: Sequence[str]) -> Any:
    """How often each label occurs, by key; missing ones are null or NaN."""
    counted_labels = frame.group_by("label_", *keys).agg(nw.len().alias("rows"))
    return counted_labels.select("label_", *keys, nw.col("rows").cast(nw.Int64))


def rows_of(frame: Any, question: Question, score: str, other_scores: Sequence[str]) -> Any:
    """The columns that a pass reads, the score called ``score_``."""
    own = nw.col(score)
    if other_scores:  # models are compared on the same rows: one that lacks a score lacks all
        numbers = [nw.col(other).cast(nw.Float64) for other in other_scores]
        missing = reduce(or_, [number.is_null() | number.is_nan() for number in numbers])
        own = nw.when(~missing).then(own)
    return frame.select("label_", own.alias("score_"), *question.keys, *_weight(question))


def _weight(question: Question) -> list[str]:
    return ["weight_"] if question.is_weighted else []


def _classes(question: Question) -> tuple[Any, Any]:
    """Which rows are positive, and which have no label."""
    label = nw.col("label_")
    no_label = label.is_null() | label.is_nan() if question.float_labels else label.is_null()
    is_positive = reduce(or_, [label == value for value in question.positives], no_label & ~no_label)
    return is_positive, no_label


def coded(frame: Any, question: Question) -> Any:
    """Scores as floats without negative zero, classes and weights as numbers, unusable rows marked."""
    score, weight, zero = nw.col("score_"), nw.col("weight_"), nw.lit(0.0)
    is_positive, no_label = _classes(question)
    frame = frame.with_columns((score.cast(nw.Float64) + 0.0).alias("score_"))
    frame = frame.with_columns(
        nw.when(is_positive).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64).alias("positive_")
    )
    fault = nw.when(score.is_null() | score.is_nan()).then(nw.lit(float(MISSING_SCORE))).otherwise(zero)
    fault = nw.when(no_label).then(nw.lit(float(MISSING_LABEL))).otherwise(fault)
    if question.is_weighted:
        frame = frame.with_columns(weight.cast(nw.Float64).alias("weight_"))
        usable = (weight >= SMALLEST_WEIGHT) & (weight <= LARGEST_WEIGHT) & ~weight.is_nan()
        is_zero = nw.when(weight == 0.0).then(nw.lit(float(ZERO_WEIGHT)))
        fault = nw.when(usable).then(fault).otherwise(is_zero.otherwise(nw.lit(float(BAD_WEIGHT))))
        of_positives = nw.when(nw.col("positive_") == 1).then(weight).otherwise(zero)
        of_negatives = nw.when(nw.col("positive_") == 1).then(zero).otherwise(weight)
        frame = frame.with_columns(
            of_positives.alias("weight_of_positives_"), of_negatives.alias("weight_of_negatives_")
        )
    return frame.with_columns(fault.alias("fault_"))


def numbered(frame: Any, binning: Binning) -> Any:
    """Rows with the number of their cell; unusable ones have negative numbers."""
    inside = binning.expression(nw.col("score_"), nw.when, nw.lit)
    cell = nw.when(nw.col("fault_") < 0.0).then(nw.col("fault_")).otherwise(inside)
    return frame.with_columns(cell.cast(nw.Int64).alias("cell_"))


def split(frame: Any, level: Any, keys: Sequence[str]) -> Any:
    """Rows of some cells with the number of the smaller cell that they belong to.

    ``level`` is a table of the engine with the keys, ``cell_`` and, for each cell that is split, ``start_``,
    ``scale_``, ``last_`` and ``first_``: the new number is ``first_ + floor((score - start_) * scale_)``, at
    most ``first_ + last_``. Rows of all other cells fall out.
    """
    inside, last = nw.col("inside_"), nw.col("last_")
    frame = frame.join(level, on=[*keys, "cell_"], how="inner")
    frame = frame.with_columns(((nw.col("score_") - nw.col("start_")) * nw.col("scale_")).alias("inside_"))
    frame = frame.with_columns(nw.when(inside < 0.0).then(nw.lit(0.0)).otherwise(inside).alias("inside_"))
    # The floor comes last: Spark's gives a whole number of 64 bits, and refuses what does not fit into it.
    frame = frame.with_columns(nw.when(inside > last).then(last).otherwise(inside).alias("inside_"))
    frame = frame.with_columns((inside.floor() + nw.col("first_")).cast(nw.Int64).alias("cell_"))
    return frame.drop("start_", "scale_", "last_", "first_", "inside_")


def counts_by(frame: Any, question: Question, *, by: Sequence[str] = ("cell_",)) -> Any:
    """Counts of every cell (or of whatever ``by`` names), with its lowest and its highest score."""
    keys = [*question.keys, *by]
    sums = [nw.col("positive_").sum().alias("positives")]
    if question.is_weighted:
        sums = [
            nw.col("weight_of_positives_").sum().alias("positives"),
            nw.col("weight_of_negatives_").sum().alias("negatives"),
        ]
    ends = [nw.col("score_").min().alias("lowest"), nw.col("score_").max().alias("highest")]
    grouped = frame.group_by(*keys).agg(
        *sums, nw.len().alias("rows"), *([] if "score_" in by else ends)
    )  # fmt: skip
    number = nw.Float64 if question.is_weighted else nw.Int64
    chosen = [nw.col("positives").cast(number), nw.col("rows").cast(nw.Int64)]
    chosen += [nw.col("negatives")] if question.is_weighted else []
    return grouped.select(*keys, *chosen, *([] if "score_" in by else ["lowest", "highest"]))


def streamed(frame: Any, question: Question, members: Any) -> Any:
    """All rows as they are: member_, class_, score_ and, if any, weight_; for whoever counts them himself.

    ``members`` is a table of the engine, the keys and ``member_``; without keys there is one member.
    """
    is_positive, no_label = _classes(question)
    of_class = nw.when(is_positive).then(nw.lit(1)).otherwise(nw.lit(0))
    frame = frame.with_columns(
        nw.when(no_label).then(nw.lit(NO_CLASS)).otherwise(of_class).cast(nw.Int8).alias("class_"),
        *[nw.col(name).cast(nw.Float64).alias(name) for name in ("score_", *_weight(question))],
    )
    if question.keys:
        frame = frame.join(members, on=list(question.keys), how="left")
    else:
        frame = frame.with_columns(nw.lit(0).cast(nw.Int64).alias("member_"))
    return frame.select("member_", "class_", "score_", *_weight(question))


def of_rarer_class(frame: Any, question: Question, members: Any) -> Any:
    """Member and score (and weight) of the usable rows of the rarer class of their member.

    ``members`` has the keys, ``member_``, and ``rarer_``, 1 where positives are rarer.
    """
    frame = coded(frame, question).filter(nw.col("fault_") == 0.0)
    if question.keys:
        frame = frame.join(members, on=list(question.keys), how="inner")
    else:
        frame = frame.join(members, how="cross")
    frame = frame.filter(nw.col("positive_") == nw.col("rarer_"))
    return frame.select("member_", "score_", *_weight(question))
