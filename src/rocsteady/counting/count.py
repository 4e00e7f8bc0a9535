"""``count_scores``: tables of any size in, counts of every group out."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.counting import engines
from rocsteady.counting.cells import DEFAULT_MEMORY, Tolerance, from_counts, memory_of, tolerance_of
from rocsteady.counting.counted import CountedScores, How, added
from rocsteady.counting.engines import (
    DaskTable,
    EngineTable,
    FrameTable,
    PolarsTable,
    SparkTable,
    Tell,
    engine_failures,
    first_line,
    footers_of,
    metadata_of,
    spark_settings,
)
from rocsteady.counting.survey import in_order
from rocsteady.counting.table import count_table, score_ranks
from rocsteady.errors import fail, warn
from rocsteady.options import one_of, whole_number, yes_or_no
from rocsteady.scores.columns import (
    Source,
    index_of,
    require_distinct,
    require_one_index,
    role_kind,
    word,
)
from rocsteady.scores.files import File, located, open_database, read_scores, require_sound_pages
from rocsteady.scores.frames import (
    choose_columns,
    list_columns,
    read_names,
    require_columns,
)
from rocsteady.scores.score_set import ScoreSet

if TYPE_CHECKING:
    from rocsteady.counting.cells import Binning
    from rocsteady.counting.engines import EngineTable
    from rocsteady.counting.ladder import Climb


ENGINES = ("memory", "duckdb", "polars", "dask", "spark")
"""Which can be asked for; a frame that is given stays in its own unless another is named."""
_TEXT = (".csv", ".tsv", ".jsonl", ".ndjson")
_ENDINGS = (".parquet", *_TEXT, *(f"{ending}.gz" for ending in _TEXT))
_LIBRARIES = {"pyspark": "spark", "dask": "dask", "dask_expr": "dask", "polars": "polars"}


def is_path(source: object) -> bool:
    """Whether files were named: a path, a pattern, a folder or a list of paths."""
    if isinstance(source, str | bytes | os.PathLike):
        return True
    return isinstance(source, list | tuple) and all(isinstance(part, str | os.PathLike) for part in source)


def files_named(source: Any) -> list[str]:
    """The paths that a path, a pattern, a folder or a list of them stands for.

    A pattern may name a folder and what is in it: each file is counted once. One that is named twice in a
    list is no accident of a pattern, and is counted as often.
    """
    if isinstance(source, list | tuple):
        if not source:
            raise fail("RS001.no-file")
        return [path for part in source for path in files_named(part)]
    name = os.fsdecode(source)
    if os.path.isdir(name):
        inside = sorted(
            str(path)
            for path in Path(name).rglob("*")
            if path.is_file() and path.name.lower().endswith(_ENDINGS) and not _is_hidden(path, Path(name))
        )
        if not inside:
            raise fail("RS052.no-scores", name=name)
        return _once(inside)
    if os.path.exists(name) or not glob.has_magic(name):
        return [name]
    found = [own for own in sorted(glob.glob(name, recursive=True)) if not _is_left_behind(own, name)]
    if not found:
        raise fail("RS051.pattern", pattern=name)
    return _once([path for part in found for path in files_named(part)])


def _once(paths: list[str]) -> list[str]:
    """Each file once, whatever links lead to it."""
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def _is_hidden(path: Path, folder: Path) -> bool:
    """Spark leaves _SUCCESS and .crc files beside its parts."""
    return any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)


def _is_left_behind(path: str, pattern: str) -> bool:
    """Whether a pattern met what nobody named: files that are being written, and notes beside them."""
    asked = pattern.split("/")
    return any(part.startswith(("_", ".")) and part not in asked for part in path.split("/")) or (
        os.path.isfile(path) and not path.lower().endswith(_ENDINGS) and "**" in pattern
    )


@contextmanager
def opened(
    source: Any, given: Mapping[str, str], *, engine: str | None, memory: int, tell: Tell
) -> Iterator[EngineTable]:
    """The table in its engine, until the block ends."""
    engine = None if engine is None else one_of("engine", engine, ENGINES)
    if is_path(source):
        with _opened_files(
            files_named(source), given, engine=engine or "duckdb", memory=memory, tell=tell
        ) as table:
            yield table
        return
    with _opened_frame(source, given, engine=engine, memory=memory, tell=tell) as table:
        yield table


@contextmanager
def _opened_files(
    paths: list[str], given: Mapping[str, str], *, engine: str, memory: int, tell: Tell
) -> Iterator[EngineTable]:
    with ExitStack() as stack:
        files = [stack.enter_context(located(path)) for path in paths]
        _require_one_kind(files)
        is_parquet = files[0].kind == "Parquet"
        if engine == "duckdb":
            read = engines.of_parquet if is_parquet else engines.of_text
            yield stack.enter_context(read(files, given, memory=memory, tell=tell))
            return
        if not is_parquet:
            raise fail("RS002.only-parquet", asked=engine, kind=files[0].kind)
        metadata = metadata_of(files)
        with engine_failures(engine.capitalize()):
            frame = _scanned([str(file.path.absolute()) for file in files], engine)
            names = _columns_of(frame)
        roles, chosen = choose_columns(names, given, files[0].name)
        footers = footers_of(files, metadata, roles)
        for file in files:
            with open_database(file) as database:
                require_sound_pages(database, file, roles.values())
        table = stack.enter_context(_opened_frame(frame, roles, engine=None, memory=memory, tell=tell))
        table.chosen, table.footers = chosen, footers
        table.source = replace(table.source, name=files[0].name)
        yield table


def _require_one_kind(files: Sequence[File]) -> None:
    kinds = sorted({file.kind for file in files})
    if len(kinds) > 1:
        raise fail("RS054.kinds", kinds=", ".join(kinds))
    if kinds == ["iMRMC"]:
        raise fail("RS054.reader-study")


def _scanned(paths: list[str], engine: str) -> Any:
    try:
        if engine == "polars":
            import polars as pl

            return pl.scan_parquet(paths, glob=False)
        if engine == "dask":
            import dask.dataframe as dd

            return dd.read_parquet([glob.escape(path) for path in paths])
        from pyspark.sql import SparkSession

        with spark_settings():
            session = SparkSession.builder.getOrCreate()
            return session.read.parquet(*(re.sub(r"([\\*?\[\]{},])", r"\\\1", path) for path in paths))
    except ImportError as error:
        raise fail("RS061.engine", engine=engine) from error


def _columns_of(frame: Any) -> list[str]:
    import narwhals.stable.v2 as nw

    return list(nw.from_native(frame).collect_schema().names())


@contextmanager
def _opened_frame(
    frame: Any, named: Mapping[str, str], *, engine: str | None, memory: int, tell: Tell
) -> Iterator[EngineTable]:
    import narwhals.stable.v2 as nw

    if hasattr(frame, "to_native"):  # a narwhals frame, of whichever of its versions
        frame = frame.to_native()
    library = _LIBRARIES.get(type(frame).__module__.split(".")[0], "duckdb")
    if isinstance(frame, Mapping):
        indexes = {role: index_of(frame[name]) for role, name in named.items() if name in frame}
        require_one_index(indexes, Source(columns=named))
        frame, library = _as_arrow(frame), "duckdb"
    if engine not in (None, library, "duckdb") or (engine == "duckdb" and library in ("dask", "spark")):
        raise fail("RS002.other-engine", engine=engine, kind=type(frame), library=library)
    if library == "duckdb" or engine == "duckdb":
        names = _frame_columns(frame)
        require_columns(names, named)
        if _is_relation(frame):
            yield engines.of_relation(frame, named, tell=tell)
            return
        with engines.of_frame(frame, names, named, memory=memory, tell=tell) as table:
            yield table
        return
    try:
        whole = nw.from_native(frame)
    except TypeError as error:
        raise fail("RS001.no-table", kind=type(frame)) from error
    schema = whole.collect_schema()
    require_columns(schema.names(), named)
    source = Source(columns=named)
    _require_numeric(schema, named, source)
    _require_plain_names(named, library)
    own = whole.select(*(nw.col(name).alias(f"{role}_") for role, name in named.items()))
    kinds = {"polars": PolarsTable, "dask": DaskTable, "spark": SparkTable}
    yield kinds.get(library, FrameTable)(
        library,
        source,
        {},
        None,
        _whole_numbers(schema, named, frame),
        tell,
        native=frame,
        own=own,
    )


def _require_plain_names(named: Mapping[str, str], library: str) -> None:
    """RS034 for names that an engine takes for something else: fields of a column, patterns of names."""
    for name in named.values():
        is_read_so = "." in name or "`" in name
        if (library == "spark" and is_read_so) or (library == "polars" and name[:1] + name[-1:] == "^$"):
            raise fail("RS034.column-name", engine=library.capitalize(), name=name)


def _whole_numbers(schema: Any, named: Mapping[str, str], frame: Any) -> dict[str, int]:
    """Scores that are integers or decimals, and how many digits the latter have behind the point."""
    found = {}
    for role in engines.score_roles(named):
        kind = schema[named[role]]
        if kind.is_decimal() and not hasattr(kind, "scale") and hasattr(frame, "collect_schema"):
            kind = frame.collect_schema()[named[role]]  # Polars knows; older versions of narwhals do not tell
            found[role] = int(kind.scale)
        elif kind.is_integer() or kind.is_decimal():
            found[role] = int(getattr(kind, "scale", 0) or 0)
    return found


def _frame_columns(frame: Any) -> list[Any]:
    if _is_relation(frame):
        return list(frame.columns)
    from narwhals.exceptions import DuplicateError

    try:
        return _columns_of(frame)
    except TypeError as error:
        raise fail("RS001.no-table", kind=type(frame)) from error
    except DuplicateError as error:
        raise fail("RS012.engine", reason=" ".join(str(error).split())) from error


def _is_relation(frame: Any) -> bool:
    # Never imported to look at it. While another thread imports it, it may lack the class: then this is none.
    return isinstance(frame, getattr(sys.modules.get("duckdb"), "DuckDBPyRelation", ()))


def _as_arrow(columns: Mapping[str, Any]) -> Any:
    import pyarrow as pa

    try:
        return pa.table({str(name): pa.array(values) for name, values in columns.items()})
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise fail("RS034.columns", reason=first_line(error)) from error


def _require_numeric(schema: Any, named: Mapping[str, str], source: Source) -> None:
    for role in named:
        if role_kind(role) in ("score", "weight") and not schema[named[role]].is_numeric():
            kind = f"{schema[named[role]]}; columns: {list_columns(schema.names())}"
            raise engines.not_numeric(source, role, kind)


# ``count_scores``: tables of any size in, counts of every group out
# ------------------------------------------------------------------

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
    from rocsteady.counting.counted import is_counts

    one_of("on_missing", on_missing, ("raise", "drop"))
    yes_or_no("higher_is_positive", higher_is_positive)
    asked, budget = tolerance_of(tolerance), memory_of(memory)
    if like is not None and not isinstance(like, CountedScores):
        raise fail("RS002.like", kind=type(like).__name__)
    names = {"label": label, "score": score, "group": group, "model": model, "weight": weight}
    options = {"positive": positive, "higher_is_positive": higher_is_positive, "on_missing": on_missing}
    most = None if most_cells is None else whole_number("most_cells", most_cells, least=1000, example=10**6)
    is_plain = engine is None and like is None and most is None
    if is_counts(source):
        raise fail("RS406.counts-already", source=source)
    if engine == "memory" or (is_plain and _fits(source, read_names(names), budget)):
        found = of_scores(_read_whole(source, names, options), asked)
    else:
        binning = None if like is None else like.how.binning
        found = _in_engine(source, names, options, progress, engine, (asked, budget, binning), most)
    found = replace(found, score=_score_column(score, found))
    if not found.meets_tolerance:
        warn("RS410.missed", asked=asked, unit=found.unit, auc=found.auc_bound, rate=found.rate_bound)
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
            raise fail("RS403.in-memory", largest=largest)
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

    if not is_path(source):
        known = {role: name for role, name in names.items() if name is not None or role in ("label", "score")}
        return ScoreSet.from_frame(source, **known, **options)
    paths = [source] if source == "-" else files_named(source)
    if len(paths) == 1:
        return read_scores(paths[0], **names, **options)
    raise fail("RS002.several-files", n=len(paths))


# -- in an engine -------------------------------------------------------------------------------------------


def _in_engine(
    source: Any,
    names: Mapping[str, Any],
    options: Mapping[str, Any],
    progress: Callable[[str, float | None], None] | None,
    engine: str | None,
    limits: tuple[Tolerance, int, Binning | None],
    most_cells: int | None,
) -> CountedScores:
    from rocsteady.counting.engines import say_nothing
    from rocsteady.counting.ladder import climb_of
    from rocsteady.counting.survey import surveyed

    required = () if is_path(source) else ("label", "score")
    given = read_names(names, required)
    tell, parts, dropped = progress or say_nothing, [], None
    with opened(source, given, engine=engine, memory=limits[1], tell=tell) as table:
        roles = dict(table.source.columns)
        survey = surveyed(table, tuple(roles), options["positive"])
        for role in (role for role in roles if role_kind(role) == "score"):
            climb = climb_of(table, survey, role, *limits)
            climb.cell_limit = most_cells
            cells = climb.count()
            if dropped is None:  # what one model lacks is dropped for all, and told once
                dropped = climb.faults.settle(str(options["on_missing"]), table.source, survey.n_rows)
            if not len(cells):
                raise fail("RS010.incomplete", place=table.source.place, n=survey.n_rows)
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
