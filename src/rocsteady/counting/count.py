"""``count_scores``: tables of any size in, counts of every group out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocsteady.counting.cells import DEFAULT_MEMORY, Tolerance, from_counts, memory_of, tolerance_of
from rocsteady.counting.counted import CountedScores, How, added, is_counts
from rocsteady.counting.engines import files_named, is_path, opened, say_nothing
from rocsteady.counting.ladder import Climb, EngineClimb, StreamClimb, in_order, surveyed
from rocsteady.counting.table import FIRST_ROUNDED, count_table, score_ranks
from rocsteady.errors import fail, warn
from rocsteady.options import one_of, whole_number, yes_or_no
from rocsteady.scores.columns import (
    Dropped,
    require_distinct,
    role_kind,
    word,
)
from rocsteady.scores.files import read_scores
from rocsteady.scores.frames import read_names
from rocsteady.scores.score_set import ScoreSet

BASE_BYTES, BYTES_PER_VALUE = 120e6, 38.0
"""Memory of the program, and of every value read; measured at 1 and 4 million rows, CSV and Parquet."""
_PACKED = 6.0
"""Bytes of a value in a file of text, with its comma."""


def count_scores(
    source: Any,
    *,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    group: str | None = None,
    model: str | None = None,
    weight: str | None = None,
    positive: object = None,
    higher_is_positive: bool = True,
    on_missing: str = "raise",
    tolerance: float | Mapping[str, float] | None = None,
    memory: int | str = DEFAULT_MEMORY,
    engine: str | None = None,
    most_cells: int | None = None,
    like: CountedScores | None = None,
    progress: Callable[[str, float | None], None] | None = None,
) -> CountedScores:
    """Count the scores of a table of any size: exactly where that fits, else within certified bounds.

    Rows stay in the engine that has them. What leaves it is how many positives and negatives of every group
    lie between which scores: of every distinct score where they fit into memory; else, if a tolerance is
    asked for, of the commoner class between the scores of the rarer one, which gives exact curves; else in
    cells, about a thousand for each group (65,536 where there is one), which are split until the tolerance is
    met. One that cannot be met is told (RS410), and the bounds that were reached hold all the same.

    Parameters
    ----------
    source : path, paths or table
        A CSV, TSV, JSON lines or Parquet file; a folder or a pattern of Parquet files, or a list of them; a
        pandas, Polars (lazy or not), Arrow, DuckDB, Dask or Spark table; a dict of arrays.
    label, score, group, model, weight : str, optional
        Column names, as for :func:`rocsteady.read_scores`. Several score columns are several models.
    positive, higher_is_positive, on_missing
        As for :func:`rocsteady.read_scores`.
    tolerance : float or mapping, optional
        How far the AUC of any group may be from the truth, and half of how far apart the bounds of any rate
        may be where the other is held; or
        ``{"auc": 1e-6, "rate": 1e-3}``. 0 asks for exact curves. By default one pass is made over the rows,
        and what it reaches is told.
    memory : int or str
        Bytes that may be used, or text such as ``"2GB"``.
    engine : {"memory", "duckdb", "polars", "dask", "spark"}, optional
        What reads files: DuckDB by default. A table that is given stays where it is.
    most_cells : int, optional
        Cells at most, of all groups together; by default what fits into memory. Fewer make smaller files.
    like : CountedScores, optional
        Counts made before: cells are taken from them, so that both can be added without loss.
    progress : callable, optional
        Is told what is done, and how far it is (from 0 to 1, or None).

    Returns
    -------
    CountedScores
        For :func:`rocsteady.roc_curves` and :func:`rocsteady.average`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> table = {"host": ["a"] * 4 + ["b"] * 4, "label": [1, 0, 1, 0] * 2, "score": [9, 4, 3, 2, 8, 6, 5, 1]}
    >>> counts = rs.count_scores(table, label="label", score="score", group="host")
    >>> counts
    CountedScores(2 hosts, 8 rows, exact)
    >>> rs.average(counts, "vertical").auc
    0.75
    """
    one_of("on_missing", on_missing, ("raise", "drop"))
    yes_or_no("higher_is_positive", higher_is_positive)
    asked, budget = tolerance_of(tolerance), memory_of(memory)
    if like is not None and not isinstance(like, CountedScores):
        raise fail("RS002.like", kind=type(like).__name__)
    most = None if most_cells is None else whole_number("most_cells", most_cells, least=1000, example=10**6)
    if is_counts(source):
        raise fail("RS406.counts-already", source=source)
    names: dict[str, Any] = {"label": label, "score": score, "group": group, "model": model, "weight": weight}
    given = read_names(names, () if is_path(source) else ("label", "score"))
    is_plain = engine is None and like is None and most is None
    if engine == "memory" or (is_plain and fits(source, len(given), budget)):
        options = {"positive": positive, "higher_is_positive": higher_is_positive, "on_missing": on_missing}
        found = of_scores(_read_whole(source, names, options), asked)
    else:
        binning, parts, dropped = None if like is None else like.how.binning, [], None
        with opened(source, given, engine=engine, memory=budget, tell=progress or say_nothing) as table:
            survey = surveyed(table, tuple(table.source.columns), positive)
            way = StreamClimb if table.streams else EngineClimb
            for role in (role for role in table.source.columns if role_kind(role) == "score"):
                climb = way(table, survey, role, asked, budget, binning, most)
                counts = _climbed(climb, bool(higher_is_positive), on_missing, dropped)
                dropped = counts.dropped
                parts.append(counts)
        found = parts[0]
        for part in parts[1:]:
            found = replace(added(found, part), dropped=found.dropped)
    # The one column that the scores come from; several are models, and have their names.
    columns = [score] if isinstance(score, str) else list(score or ())
    chosen = str(found.columns_chosen.get("score", "")) if score is None else ""
    found = replace(found, score=str(columns[0]) if len(columns) == 1 else chosen)
    if not found.meets_tolerance:
        warn("RS410.missed", asked=asked, unit=found.unit, auc=found.auc_bound, rate=found.rate_bound)
    return found


def _climbed(
    climb: Climb, higher_is_positive: bool, on_missing: str, dropped: Dropped | None
) -> CountedScores:
    """The counts of one column of scores; rows that any column lacks are dropped for all, and told once."""
    cells, survey, table = climb.count(), climb.survey, climb.table
    if dropped is None:
        dropped = climb.faults.settle(on_missing, table.source, survey.n_rows)
    if not len(cells):
        raise fail("RS010.incomplete", place=table.source.place, n=survey.n_rows)
    members, roles = survey.members, table.source.columns
    values = dict(zip(members.keys, members.values, strict=True))
    codes = {key: members.codes[:, i] for i, key in enumerate(members.keys)}
    none, unit = np.zeros(len(members), dtype=np.int64), str(roles.get("group", "group"))
    groups = tuple(map(word, values.get("group_", ("all",))))
    models = tuple(map(word, values.get("model_", ()))) if climb.score == "score" else (roles[climb.score],)
    require_distinct(groups, unit)
    require_distinct(models, "model")
    how = How(climb.rung, table.engine, climb.n_passes, climb.tolerance, climb.binning)
    sources = (table.source.name,) if table.source.name else ()
    return CountedScores(
        cells, survey.classes, groups, codes.get("group_", none), models, codes.get("model_", none),
        unit, higher_is_positive, dropped, sources, dict(table.chosen), how,
    )  # fmt: skip


# In memory
# ---------


def of_scores(scores: ScoreSet, tolerance: Tolerance | None = None) -> CountedScores:
    """The counts of scores that are in memory; exact."""
    columns = scores.columns
    if columns.scores.dtype.kind in "iu" and columns.n_rows:
        low, high = int(columns.scores.min()), int(columns.scores.max())
        if max(abs(low), abs(high)) >= FIRST_ROUNDED:
            raise fail("RS403", column="the table", kind="integers", low=low, high=high)
    table, rows = count_table(scores), None
    if columns.weights is not None:
        first = table.offsets[:-1] - np.arange(len(table))  # without the infinite threshold of every member
        ranks = score_ranks(scores) + np.repeat(first, np.diff(columns.offsets))
        rows = np.bincount(ranks, minlength=table.thresholds.size - len(table))
    # Groups in the order in which engines give them.
    groups = in_order(scores.group_values or scores.groups, np.arange(len(scores.groups)))
    of_group = np.argsort(groups)[scores.group_index]
    members = np.lexsort((of_group, scores.model_index))
    return CountedScores(
        from_counts(table, rows).with_members(np.argsort(members)), scores.classes,
        tuple(scores.groups[i] for i in groups), of_group[members], scores.models,
        scores.model_index[members], scores.unit, scores.higher_is_positive, scores.dropped,
        (scores.source,) if scores.source else (), scores.columns_chosen,
        How("memory", "memory", 1, tolerance or Tolerance()),
    )  # fmt: skip


def fits(source: Any, n_columns: int, budget: int) -> bool:
    """Whether the rows fit into memory, as far as can be told without reading them."""
    library = type(source).__module__.split(".")[0]
    n_columns = max(n_columns, 3)
    if is_path(source):
        paths = [source] if source == "-" else files_named(source)
        if len(paths) > 1:
            return False
        n_values = _values_in(paths[0], n_columns)
    elif isinstance(source, Mapping):
        n_values = max((len(values) for values in source.values()), default=0) * n_columns
    elif library == "pandas" or (library == "polars" and type(source).__name__ == "DataFrame"):
        n_values = len(source) * n_columns
    elif library == "pyarrow" and hasattr(source, "num_rows"):
        n_values = source.num_rows * n_columns
    else:
        return False
    return bool(BASE_BYTES + BYTES_PER_VALUE * n_values <= budget)


def _values_in(path: str, n_columns: int) -> float:
    """About how many values a file holds; -inf if it cannot be told: reading it will say what is wrong."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = str(path).lower()
    try:
        if name.endswith(".parquet"):
            with pq.ParquetFile(path) as file:
                return float(file.metadata.num_rows * n_columns)
        packed = 8 if name.endswith(".gz") else 1
        return -np.inf if path == "-" else packed * os.path.getsize(path) / _PACKED
    except (OSError, ValueError, pa.ArrowException):
        return -np.inf


def _read_whole(source: Any, names: Mapping[str, Any], options: Mapping[str, Any]) -> ScoreSet:
    if not is_path(source):
        known = {role: name for role, name in names.items() if name is not None}
        return ScoreSet.from_frame(source, **known, **options)
    paths = [source] if source == "-" else files_named(source)
    if len(paths) > 1:
        raise fail("RS002.several-files", n=len(paths))
    read: ScoreSet = read_scores(paths[0], **names, **options)
    return read
