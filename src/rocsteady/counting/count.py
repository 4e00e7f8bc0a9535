"""``count_scores``: tables of any size in, counts of every group out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.caller import caller_level
from rocsteady.counting.adding import added
from rocsteady.counting.arguments import whole_number, yes_or_no
from rocsteady.counting.cells.table import from_counts
from rocsteady.counting.counted import CountedScores, How
from rocsteady.counting.engines.members import in_order
from rocsteady.counting.table import count_table, score_ranks
from rocsteady.counting.tolerance import DEFAULT_MEMORY, Tolerance, memory_of, tolerance_of
from rocsteady.errors import DataError, Option, UsageError, warn
from rocsteady.errors import counted as words_counted
from rocsteady.scores.arrays import no_rows
from rocsteady.scores.column_names import read_names, role_kind
from rocsteady.scores.files import read_scores
from rocsteady.scores.frames import require_known_handling
from rocsteady.scores.grouping import word
from rocsteady.scores.records import require_distinct
from rocsteady.scores.score_set import ScoreSet

if TYPE_CHECKING:
    from rocsteady.counting.engines.binning import Binning
    from rocsteady.counting.engines.ladder import Climb
    from rocsteady.counting.engines.tables import EngineTable

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
    from rocsteady.counting.cells.saving import is_counts

    require_known_handling(on_missing)
    yes_or_no("higher_is_positive", higher_is_positive)
    asked, budget = tolerance_of(tolerance), memory_of(memory)
    _require_like(like)
    names = {"label": label, "score": score, "group": group, "model": model, "weight": weight}
    options = {"positive": positive, "higher_is_positive": higher_is_positive, "on_missing": on_missing}
    most = None if most_cells is None else whole_number("most_cells", most_cells, least=1000, example=10**6)
    is_plain = engine is None and like is None and most is None
    if is_counts(source):
        raise UsageError(
            "RS406", "this file holds counts already.", f"found: {source}", "read them:  open_counts(path)"
        )
    if engine == "memory" or (is_plain and _fits(source, read_names(names), budget)):
        found = of_scores(_read_whole(source, names, options), asked)
    else:
        settings = _Settings(asked, budget, engine, most, None if like is None else like.how.binning)
        found = _in_engine(source, names, options, settings, progress)
    found = replace(found, score=_score_column(score, found))
    if not found.meets_tolerance:
        warn(
            "RS410",
            f"the tolerance asked for ({asked}) was not reached.",
            f"reached in every {found.unit}: AUC ± {found.auc_bound:.2g}, rates ± {found.rate_bound:.2g}",
            [
                "exact curves, if the rarer classes fit:  ",
                Option("tolerance", 0),
                "  with more  ",
                Option("memory", "8GB"),
            ],
            stacklevel=caller_level(),
        )
    return found


def _score_column(score: str | Sequence[str] | None, found: CountedScores) -> str:
    """The one column that the scores come from; several are models, and have their names."""
    if score is None:
        return str(found.columns_chosen.get("score", ""))
    columns = [score] if isinstance(score, str) else list(score)
    return str(columns[0]) if len(columns) == 1 else ""


def of_scores(scores: ScoreSet, tolerance: Tolerance | None = None) -> CountedScores:
    """The counts of scores that are in memory; exact."""
    columns = scores.columns
    if columns.scores.dtype.kind in "iu" and columns.n_rows:
        largest = max(abs(int(columns.scores.min())), abs(int(columns.scores.max())))
        if largest >= 2**53:
            raise DataError(
                "RS403",
                "the scores are integers that floats cannot tell apart.",
                f"found: scores up to {largest}",
                "a ScoreSet compares them as integers:  read_scores(path, ...)",
                "or subtract an offset, which changes no order",
            )
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
        scores.model_index[members], scores.unit, scores.higher_is_positive, scores.dropped, scores.source,
        scores.columns_chosen, How("memory", "memory", 1, tolerance or Tolerance()),
    )  # fmt: skip


# -- in memory ----------------------------------------------------------------------------------------------


def _fits(source: Any, names: Mapping[str, str], budget: int) -> bool:
    """Whether the rows fit into memory, as far as can be told without reading them."""
    from rocsteady.counting.engines.opening import files_named, is_path

    if is_path(source):
        paths = [source] if source == "-" else files_named(source)
        return len(paths) == 1 and fits(paths[0], len(names), budget)
    n_rows = _known_rows(source)
    return n_rows is not None and BASE_BYTES + BYTES_PER_VALUE * n_rows * max(len(names), 3) <= budget


def fits(path: str, n_columns: int, budget: int) -> bool:
    """Whether the rows of a file fit into memory; what is wrong with it, reading it will say."""
    if path == "-":
        return True
    try:
        size = os.path.getsize(path)
        if str(path).lower().endswith(".parquet"):
            import pyarrow as pa
            import pyarrow.parquet as pq

            try:
                with pq.ParquetFile(path) as opened:
                    n_values = opened.metadata.num_rows * max(n_columns, 3)
            except pa.ArrowException:
                return True
        else:
            packed = 8 if str(path).lower().endswith(".gz") else 1
            n_values = packed * size / _PACKED
    except (OSError, ValueError):
        return True
    return bool(BASE_BYTES + BYTES_PER_VALUE * n_values <= budget)


def _known_rows(frame: Any) -> int | None:
    """The rows of a table that is in memory; None of one that is not."""
    if isinstance(frame, Mapping):
        return max((len(values) for values in frame.values()), default=0)
    library = type(frame).__module__.split(".")[0]
    if library in ("pandas", "pyarrow") or (library == "polars" and type(frame).__name__ == "DataFrame"):
        return getattr(frame, "num_rows", None) if library == "pyarrow" else len(frame)
    return None


def _read_whole(source: Any, names: Mapping[str, Any], options: Mapping[str, Any]) -> ScoreSet:
    from rocsteady.counting.engines.opening import files_named, is_path

    if not is_path(source):
        return ScoreSet.from_frame(source, **_as_frame_names(names), **options)
    paths = [source] if source == "-" else files_named(source)
    if len(paths) == 1:
        return read_scores(paths[0], **names, **options)
    raise UsageError(
        "RS002",
        "several files are not read into memory.",
        f"found: {len(paths)} files",
        ["let DuckDB count them:  ", Option("engine", "duckdb")],
    )


def _as_frame_names(names: Mapping[str, Any]) -> dict[str, Any]:
    return {role: name for role, name in names.items() if name is not None or role in ("label", "score")}


# -- in an engine -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Settings:
    tolerance: Tolerance
    memory: int
    engine: str | None
    most_cells: int | None
    binning: Binning | None


def _in_engine(
    source: Any,
    names: Mapping[str, Any],
    options: Mapping[str, Any],
    settings: _Settings,
    progress: Callable[[str, float | None], None] | None,
) -> CountedScores:
    from rocsteady.counting.engines.climbs import climb_of
    from rocsteady.counting.engines.opening import is_path, opened
    from rocsteady.counting.engines.survey import surveyed
    from rocsteady.counting.engines.tables import say_nothing

    required = () if is_path(source) else ("label", "score")
    given = read_names(names, required)
    tell, parts, dropped = progress or say_nothing, [], None
    with opened(source, given, engine=settings.engine, memory=settings.memory, tell=tell) as table:
        roles = dict(table.source.columns)
        survey = surveyed(table, tuple(roles), options["positive"])
        for role in (role for role in roles if role_kind(role) == "score"):
            climb = climb_of(table, survey, role, settings.tolerance, settings.memory, settings.binning)
            climb.cell_limit = settings.most_cells
            cells = climb.count()
            if dropped is None:  # what one model lacks is dropped for all, and told once
                dropped = climb.faults.settle(str(options["on_missing"]), table.source, survey.n_rows)
            if not len(cells):
                told = f"{words_counted(survey.n_rows, 'row')} read, none of them complete"
                raise no_rows(table.source, told, "check the columns that are named")
            name = roles[role] if role != "score" else None
            parts.append(_counts(cells, climb, table, dropped, name, bool(options["higher_is_positive"])))
    found = parts[0]
    for part in parts[1:]:
        found = replace(added(found, part), dropped=found.dropped)
    return found


def _counts(
    cells: Any, climb: Climb, table: EngineTable, dropped: Any, model: str | None, higher_is_positive: bool
) -> CountedScores:
    members, roles = climb.survey.members, table.source.columns
    values = dict(zip(members.keys, members.values, strict=True))
    codes = {key: members.codes[:, i] for i, key in enumerate(members.keys)}
    none = np.zeros(len(members), dtype=np.int64)
    groups = tuple(map(word, values.get("group_", ("all",))))
    models = (model,) if model is not None else tuple(map(word, values.get("model_", ())))
    require_distinct(groups, str(roles.get("group", "group")))
    require_distinct(models, "model")
    keeps = climb.rung == "cells" and not climb.is_split
    how = How(climb.rung, table.engine, climb.n_passes, climb.tolerance, climb.binning if keeps else None)
    return CountedScores(
        cells, climb.survey.classes, groups, codes.get("group_", none), models, codes.get("model_", none),
        str(roles.get("group", "group")), higher_is_positive, dropped, table.source.name,
        dict(table.chosen), how,
    )  # fmt: skip


def _require_like(like: object) -> None:
    if like is not None and not isinstance(like, CountedScores):
        raise UsageError(
            "RS002", "like must be counts made before.", f"found: {type(like).__name__}", "open_counts(path)"
        )
