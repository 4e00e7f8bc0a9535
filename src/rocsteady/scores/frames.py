"""Tables: which column is what; any data frame in, through narwhals or DuckDB; pandas or Polars out."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase as fnmatch
from typing import Any, cast

import numpy as np

from rocsteady.errors import Option, Remedy, fail, first_line
from rocsteady.scores.columns import (
    ARRAYS,
    NAMES,
    NUMERIC,
    Column,
    Factor,
    Source,
    gathering_order,
    index_of,
    no_rows,
    read_column,
    require_one_index,
    role_kind,
    some,
    taken,
    warn_of_rounding,
)
from rocsteady.words import near_match, printable

CONVENTIONS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "label": (("label", "y_true", "target", "is_positive"), ("truth", "is_*")),  # is_positive: to_frame()
    "score": (("score", "y_score", "y_prob"), ("rating", "proba")),
    "group": (("fold", "group", "dataset", "reader"), ("site", "hospital")),
    "model": (("model",),),  # rows of two models must not end on one curve because nobody named the column
}
"""Names that a column is taken by without being named; the first ones before those that are less usual."""
UNSURE: Mapping[str, tuple[str, ...]] = {"score": ("pred",), "group": ("split",)}
"""Names that may mean something else, decisions or halves for training: taken last, with a warning."""
_ORDER = ("label", "score", "group", "model", "case", "cluster", "repeat", "weight")
_COLUMNS_SHOWN = 30


# Which column is what
# --------------------


def read_names(given: Mapping[str, object], required: Iterable[str] = ()) -> dict[str, str]:
    """The column names that a caller gave, by role; a list of scores becomes score_0, score_1, ... RS002."""
    names: dict[str, str] = {}
    for role, value in given.items():
        several = _listed(value) if role == "score" else None
        if several is None:
            names |= {role: _require_name(value, role)} if value is not None or role in required else {}
            continue
        names |= {f"score_{i}": _require_name(name, role) for i, name in enumerate(several)}
        if not several or len(set(several)) < len(several):
            raise fail("RS002.scores", scores=list_columns(several))
        if given.get("model") is not None:
            raise fail("RS002.wide", scores=list_columns(several), model=printable(str(given["model"])))
    return names


def _listed(value: Any) -> list[Any] | None:
    """What a list, a tuple or a pandas Index holds; None for anything else."""
    if isinstance(value, list | tuple):
        return list(value)
    return value.tolist() if type(value).__name__ == "Index" and hasattr(value, "tolist") else None


def _require_name(value: Any, role: str) -> str:
    # pandas calls columns by numbers, too; whether this table does will turn out.
    if isinstance(value, str) or (isinstance(value, int | np.integer) and not isinstance(value, bool)):
        return value  # type: ignore[return-value]
    remedy: Remedy = ["pass the column's name:  ", Option(role, "...")]
    several = _listed(value) or []
    if len(several) == 1 and isinstance(several[0], str):
        remedy = ["pass the name itself:  ", Option(role, several[0])]
    elif len(several) > 1 and role in NAMES:
        remedy = f"join them into one column first:  {several[0]} + ' ' + {several[1]}"
    text = repr(value)
    found = text if len(text) <= 60 and text.isprintable() else type(value).__name__
    raise fail("RS002.column", role=role, found=found, ways=[remedy])


def choose_columns(
    names: Sequence[str], given: Mapping[str, Any], file: str, *, unsure: bool = False
) -> tuple[dict[str, str], dict[str, str]]:
    """Column names by role: all of them, and those taken for their conventional names; RS011, 12 and 14.

    With ``unsure`` names that may mean something else are taken too; whoever asks so warns of them. The role
    ``outputs`` becomes score_0, score_1, ... of a single model (:func:`output_columns`).
    """
    has_outputs = "outputs" in given
    if has_outputs:
        named = {role: name for role, name in given.items() if role != "outputs"}
        columns = output_columns(names, given["outputs"], named.values(), file)
        given = named | {f"score_{i}": name for i, name in enumerate(columns.values())}
    kinds = {role_kind(role) for role in given}
    chosen: dict[str, str] = {}
    for role, conventional in CONVENTIONS.items():
        if role in kinds:
            continue
        others = [name for name in dict.fromkeys(names) if name not in given.values()]
        tiers = (*conventional, UNSURE.get(role, ()) if unsure else ())
        found = ([name for name in others if any(fnmatch(name, own) for own in tier)] for tier in tiers)
        candidates = next((own for own in found if own), [])
        if role == "model" and candidates and "score_0" in given and not has_outputs:
            raise fail("RS002.wide-file", file=printable(file), column=candidates[0])
        if len(candidates) == 1:
            chosen[role] = candidates[0]
        elif candidates or role in ("label", "score"):
            require_columns(names, given, file)  # a misspelt name is the better explanation
            ways = [["name it:  ", Option(role, name)] for name in candidates or ["..."]]
            raise fail("RS014", role=role, file=printable(file), columns=list_columns(names), ways=ways)
    roles = dict(sorted({**given, **chosen}.items(), key=lambda item: _ORDER.index(role_kind(item[0]))))
    require_columns(names, roles, file)
    return roles, chosen


def output_columns(
    names: Sequence[Any], outputs: object, taken: Iterable[object] = (), file: str = ""
) -> dict[Any, Any]:
    """Column names by class, of a classifier's outputs: as a pattern, a list or a mapping says; RS002, RS011.

    A class is what the ``*`` of a pattern stands for, else it is called like its column.

    >>> output_columns(["id", "p_cat", "p_dog"], "p_*")
    {'cat': 'p_cat', 'dog': 'p_dog'}
    """
    place = f" in {printable(file)}" if file else ""
    if isinstance(outputs, Mapping):
        found = dict(outputs)
    elif isinstance(outputs, str):
        own = [name for name in names if fnmatch(str(name), outputs) and name not in set(taken)]
        if not own:
            near = near_match(outputs.strip("*?"), map(str, names))
            ways = [["a pattern with *:  ", Option("outputs", f"{near}*" if near else "p_*")]]
            facts = {"asked": outputs, "place": place, "columns": list_columns(names), "ways": ways}
            raise fail("RS011.outputs", **facts)
        start, star, end = outputs.partition("*")
        is_affix = bool(star) and not set("*?[") & set(start + end)
        found = {str(n)[len(start) : len(str(n)) - len(end)] if is_affix else n: n for n in own}
        if len(found) < len(own):  # a column is there twice, and require_columns says which
            require_columns(names, dict(enumerate(own)), file)  # type: ignore[arg-type]
    else:
        own = [_require_name(name, "outputs") for name in _listed(outputs) or ()]
        found = {name: name for name in own}
        if len(found) < len(own) or not own:
            raise fail("RS002.outputs", found=outputs)
    if len(found) < 2 or len(set(found.values())) < len(found):
        raise fail("RS034.one-output", place=place, found=list(found.values()), columns=list_columns(names))
    return found


def require_columns(present: Sequence[Any], named: Mapping[str, str], file: str = "") -> None:
    """RS011 for a column that is not there, RS012 for one that is there twice."""
    counts = Counter(present)
    for role, name in named.items():
        if counts[name] == 1:
            continue
        place = f" in {printable(file)}" if file else ""
        facts = {"name": printable(str(name)), "place": place, "columns": list_columns(present)}
        if counts[name] > 1:
            raise fail("RS012", n=counts[name], **facts)
        close = near_match(str(name), map(str, counts))
        # Of several scores one is mended, and the others stay as they are.
        option = Option(role, close or "...") if role_kind(role) == role else repr(close or "...")
        raise fail("RS011", ways=[["did you mean  ", option, " ?"] if close else option], **facts)
    if not counts:
        raise no_rows()


def list_columns(columns: Iterable[Any]) -> str:
    """``fold, y_true, y_prob``; a long list is cut."""
    names = [printable(str(column)) for column in columns]
    more = len(names) - _COLUMNS_SHOWN
    return ", ".join(names[:_COLUMNS_SHOWN]) + (f" and {more} more" if more > 0 else "") or "none"


# Tables in
# ---------


def columns_of(frame: Any) -> list[Any]:
    """The names of the columns of any table; nothing of anything else."""
    if hasattr(frame, "to_native"):  # of narwhals
        frame = frame.to_native()
    if isinstance(frame, Mapping):
        return list(frame)
    if hasattr(frame, "collect_schema"):  # a lazy frame of Polars, which warns of .columns
        return list(frame.collect_schema().names())
    names = getattr(frame, "column_names", None)  # of Arrow, whose .columns are the columns themselves
    if names is None:
        names = getattr(getattr(frame, "schema", None), "names", None)
    if names is None or callable(names):
        names = getattr(frame, "columns", ())
    return list(names) if isinstance(names, Iterable) else []


def read_table(frame: Any, named: Mapping[str, str]) -> dict[str, Column]:
    """The needed columns by role of any table: of narwhals, of DuckDB, or a dict of arrays."""
    source = Source(columns=named)
    if isinstance(frame, Mapping):
        require_columns(list(frame), named)
        require_one_index({role: index_of(frame[name]) for role, name in named.items()}, source)
        return {role: read_column(frame[name], role_kind(role), source) for role, name in named.items()}
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    if hasattr(frame, "to_native"):  # a narwhals frame, of whichever of its versions
        frame = frame.to_native()
    # Never imported to look at it. While another thread imports it, it may lack the class: then this is none.
    relation: Any = getattr(sys.modules.get("duckdb"), "DuckDBPyRelation", ())
    if isinstance(frame, relation):
        require_columns(frame.columns, named)
        return fetch_columns(frame, named, source)
    names = list(dict.fromkeys(named.values()))
    arrow: Any = sys.modules.get("pyarrow")
    batched = tuple(getattr(arrow, name, ()) for name in ("RecordBatch", "RecordBatchReader"))
    if isinstance(frame, batched):
        require_columns(frame.schema.names, named)
        is_reader = isinstance(frame, arrow.RecordBatchReader)
        schema = arrow.schema([frame.schema.field(name) for name in names])
        batches = [batch.select(names) for batch in (frame if is_reader else [frame])]
        frame = arrow.Table.from_batches(batches, schema)
        if frame.num_rows == 0 and is_reader:
            raise fail("RS010.reader")
    try:
        table: Any = nw.from_native(frame)
    except DuplicateError:
        is_arrow = hasattr(frame, "column_names")
        require_columns(list(frame.column_names if is_arrow else frame.columns), named)
        # The double is none of ours: leave it behind before narwhals sees it.
        table = nw.from_native(frame.select(names) if is_arrow else frame[names])
    except TypeError as error:
        kind = f"{type(frame).__module__}.{type(frame).__qualname__}"
        path = str(frame) if isinstance(frame, str | os.PathLike) else None
        raise fail("RS001.table", kind=kind, path=path) from error
    require_columns(table.collect_schema().names(), named)
    chosen = table.select(nw.col(name) for name in names)
    chosen = chosen.collect() if isinstance(chosen, nw.LazyFrame) else chosen
    return {
        role: read_column(chosen.get_column(name), role_kind(role), source) for role, name in named.items()
    }


# Tables of DuckDB
# ----------------


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C be what it is everywhere else: DuckDB makes a RuntimeError of it."""
    try:
        yield
    except Exception as error:
        if str(error) == "Query interrupted" or type(error).__name__ == "InterruptException":
            raise KeyboardInterrupt from error
        raise


def quoted(name: str) -> str:
    """A column name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def sql_text(value: str) -> str:
    """A text as SQL has it."""
    return "'" + value.replace("'", "''") + "'"


def fetch_columns(relation: Any, columns: Mapping[str, str], source: Source = ARRAYS) -> dict[str, Column]:
    """Columns of a DuckDB relation, by role, straight into NumPy: narwhals would need pyarrow here."""
    types = dict(zip(relation.columns, map(str, relation.types), strict=True))
    chosen = []
    for i, (role, name) in enumerate(columns.items()):
        column, kind = quoted(name), types[name]
        text = f"CAST({column} AS VARCHAR)"
        if kind in ("HUGEINT", "UHUGEINT"):  # sums of integers; NumPy would get rounded floats
            column = f"CAST({column} AS BIGINT)"
        elif kind.startswith("DECIMAL") and role_kind(role) in NUMERIC:
            column = f"CAST({text} AS DOUBLE)"  # through text: DuckDB's own cast is off by a bit now and then
            if role_kind(role) == "score":
                with interruptible():
                    pairs = relation.project(f"{column} AS number, {text} AS value")
                    texts = pairs.aggregate("number, array_agg(DISTINCT value) AS own", "number")
                    become = texts.filter("len(own) > 1").fetchall()
                warn_of_rounding(((number, value) for number, own in become for value in own), role, source)
        elif kind.startswith(("DECIMAL", "ENUM")):
            column = text
        chosen.append(f"{column} AS c{i}")
    try:
        with interruptible():
            arrays = relation.project(", ".join(chosen)).fetchnumpy()
    except Exception as error:
        if type(error).__name__ != "ConversionException":
            raise
        raise fail("RS033.hugeint", reason=first_line(error)) from error
    # The mask tells all that is missing: objects need not be searched.
    return {
        role: Column(np.ma.getdata(arrays[f"c{i}"]), some(np.ma.getmaskarray(arrays[f"c{i}"])))
        for i, role in enumerate(columns)
    }


def fetch_coded(database: Any, expressions: Mapping[str, str]) -> dict[str, Column | Factor]:
    """Columns of the table ``clean`` by role, in the order of the file; text comes as codes.

    ``expressions`` are SQL by role. DuckDB keeps the order of rows in the plain scan that made the table, and
    loses it in a join; so the row numbers that come with the columns have the last word.
    """
    table = database.table("clean")
    types = dict(zip(table.columns, map(str, table.types), strict=True))
    picked, joins, values = ["clean.rowid AS row_"], ["clean"], {}
    for role, expression in expressions.items():
        if (role != "label" and role not in NAMES) or types[f"{role}_"] != "VARCHAR":
            picked.append(f"{expression} AS {role}_")
            continue
        # Distinct values in order of appearance, in a table: Python would need an object for each row.
        first = (
            f"SELECT {role}_ AS value, min(rowid) AS first FROM clean WHERE {role}_ IS NOT NULL GROUP BY ALL"
        )
        code = "CAST(row_number() OVER (ORDER BY first) - 1 AS BIGINT) AS code"
        database.execute(f"CREATE TEMP TABLE code_of_{role} AS SELECT value, {code} FROM ({first})")
        distinct = database.execute(f"SELECT value FROM code_of_{role} ORDER BY code").fetchnumpy()
        values[role] = tuple(distinct["value"].tolist())
        picked.append(f"code_of_{role}.code AS {role}_")
        joins.append(f"code_of_{role} ON clean.{role}_ = code_of_{role}.value")
    relation = database.sql(f"SELECT {', '.join(picked)} FROM {' LEFT JOIN '.join(joins)}")
    columns = fetch_columns(relation, {role: f"{role}_" for role in ("row", *expressions)})
    rows = columns.pop("row").array
    order = gathering_order(rows, rows.size)
    fetched: dict[str, Column | Factor] = {role: taken(own, order) for role, own in columns.items()}
    for role, distinct in values.items():
        own = cast("Column", fetched[role])
        codes = own.array if own.missing is None else np.where(own.missing, -1, own.array)
        fetched[role] = Factor(np.asarray(codes, dtype=np.int64), distinct)
    return fetched
