"""A model that was named and is not there may be a column that was not asked for."""

from __future__ import annotations

import shlex
import warnings
from typing import Any

from rocsteady.cli.reading import read_file
from rocsteady.errors import Remedy, RocsteadyError


def with_column(
    error: RocsteadyError, file: str, read: dict[str, Any], names: tuple[str | None, str | None]
) -> RocsteadyError:
    """The error that there is no such model, with ``-s NAME`` to type where the file has that column.

    ``read`` is how the file was read; ``names`` are the models that were asked for.
    """
    if error.code != "RS001" or read["model"] is not None or file == "-":
        return error
    scores = read["score"] if isinstance(read["score"], list) else [read["score"]] if read["score"] else []
    missing = [name for name in names if name and name not in scores and _is_column(name, file, read)]
    if not missing:
        return error
    added = " ".join(f"-s {shlex.quote(name)}" for name in missing)
    remedies: list[Remedy] = [f"the file has a column of that name; add  {added}"]
    if not scores:  # the one that was taken by its name must now be named, too
        remedies = [f"the file has a column of that name; name every model's:  {added} -s COLUMN"]
    return type(error)(error.code, error.problem, error.found, *remedies)


def _is_column(name: str, file: str, read: dict[str, Any]) -> bool:
    """Whether the file can be read with the scores of this column."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read_file(file, allow_reversed=True, **(read | {"score": name}))
    except RocsteadyError:
        return False
    return True
