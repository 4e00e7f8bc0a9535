"""A model that was named and is not there may be a column that was not asked for."""

from __future__ import annotations

import shlex
import warnings
from typing import TYPE_CHECKING, Any

from rocsteady.cli.reading import read_file
from rocsteady.errors import Remedy, RocsteadyError
from rocsteady.words import counted, grouped, listed, printable

if TYPE_CHECKING:
    from rocsteady.cli.compare.making import Settings
    from rocsteady.scores import ScoreSet


def with_models(
    error: RocsteadyError, score_set: ScoreSet, file: str, read: dict[str, Any], settings: Settings
) -> RocsteadyError:
    """The error with what the file has of the models that are missing, in it or in some groups."""
    told = with_column(error, file, read, (settings.a, settings.b))
    return with_all_groups(told, score_set, settings.b)


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
    return error.but(remedies=remedies)


def with_all_groups(error: RocsteadyError, score_set: ScoreSet, other: str | None) -> RocsteadyError:
    """RS062 about all models where all pairs are compared: the library finds it in the first pair.

    ``other`` is the second of two models that were named.
    """
    if error.code != "RS062" or other is not None or len(score_set.models) < 3:
        return error
    groups = {name: set(score_set.model(name).groups) for name in score_set.models}
    lonely = [group for group in score_set.groups if not all(group in own for own in groups.values())]
    told = [
        f"{printable(name)} has no scores of {printable(listed(missing))}"
        for name, own in groups.items()
        if (missing := [group for group in score_set.groups if group not in own])
    ]
    if not lonely:
        return error
    unit, verb = printable(score_set.unit), "has" if len(lonely) == 1 else "have"
    of_all = f"{counted(len(lonely), unit)} of {grouped(len(score_set.groups))}"
    problem = f"{of_all} {verb} no scores of some model."
    return error.but(problem=problem, found="; ".join(told))


def _is_column(name: str, file: str, read: dict[str, Any]) -> bool:
    """Whether the file can be read with the scores of this column."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read_file(file, allow_reversed=True, **(read | {"score": name}))
    except RocsteadyError:
        return False
    return True
