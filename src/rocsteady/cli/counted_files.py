"""Files that are counted instead of read: tables of counts, folders, and what does not fit into memory."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from glob import has_magic
from typing import TYPE_CHECKING, Any

from rocsteady.cli import program
from rocsteady.cli.large_options import Large
from rocsteady.cli.outcome import end_if_interrupted
from rocsteady.errors import LabelError, Option, Remedy, fail, warn
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.counting.counted import CountedScores
    from rocsteady.scores import ScoreSet

_NAMES = ("label", "score", "group", "model", "weight")


def is_counted(file: str, large: Large, options: Mapping[str, Any]) -> bool:
    """Whether rows are counted: that is asked, files are many, or they do not fit into memory."""
    from rocsteady.counting.cells import memory_of
    from rocsteady.counting.count import fits
    from rocsteady.counting.counted import is_counts
    from rocsteady.counting.engines import files_named

    if file == "-":
        return False
    if is_counts(file):
        return True
    if not os.path.exists(file):
        return has_magic(file) and len(files_named(file)) > 0
    if os.path.isdir(file) or large.is_asked:
        return True
    if large.engine == "memory":
        return False
    named = {role: options[role] for role in _NAMES if options.get(role)}
    return not fits(file, len(named), memory_of(large.memory))


def require_rows(file: str) -> None:
    """Refuse what only counting commands take, where single rows are read: counts, a folder, a pattern."""
    from rocsteady.counting.counted import is_counts

    if file == "-":
        return
    if is_counts(file):
        typed = f"{program.typed()} report {shlex.quote(file)}"
        raise fail("RS406.single-rows", file=file, report=typed)
    is_pattern = has_magic(file) and not os.path.exists(file)
    if os.path.isdir(file) or is_pattern:
        typed = f"{program.typed()} report {shlex.quote(file)}"
        raise fail("RS052.pattern", file=file, is_pattern=is_pattern, report=typed)


def counted_scores(file: str, readings: list[Any], options: Mapping[str, Any], large: Large) -> ScoreSet:
    """The scores as a report reads them, from counts; RS411 tells within which bounds they are right."""
    from rocsteady.counting.counted import is_counts, scores_of_counts

    if options.get("weight") and not is_counts(file):
        raise fail("RS406.weight", column=options["weight"], file=None, ways=_in_memory(file))
    counts = counted_file(file, readings, options, large)
    if counts.is_weighted:
        raise fail("RS406.weight", column=None, file=file, ways=[])
    _tell_bounds(counts, is_read=is_counts(file))
    return scores_of_counts(counts)


def _in_memory(file: str) -> list[Remedy]:
    """What can be read whole: one file."""
    return [["or read all rows, if they fit:  ", Option("engine", "memory")]] if os.path.isfile(file) else []


def _tell_bounds(counts: CountedScores, *, is_read: bool) -> None:
    """RS411, where not everything is known exactly."""
    from rocsteady.report.summary.counting import threshold_bound

    if counts.knows_thresholds:
        return
    facts: dict[str, Any] = {"unit": counts.unit, "n_rows": counts.n_rows, "n_cells": len(counts.cells)}
    facts["is_read"] = is_read
    if counts.is_exact:
        warn("RS411.thresholds", bound=threshold_bound(counts), **facts)
    else:  # the middle curve need not halve the distance between the bounds of a rate
        warn("RS411.cells", auc_bound=counts.auc_bound, rate_bound=2 * counts.rate_bound, **facts)


def counted_file(
    file: str,
    readings: list[Any],
    options: Mapping[str, Any],
    large: Large,
    *,
    like: Any = None,
    most_cells: int | None = None,
) -> CountedScores:
    """The counts in a file of counts, or of the rows in a file; the first meaning of --positive that fits."""
    from rocsteady.counting.count import count_scores
    from rocsteady.counting.counted import is_counts

    if options.get("case"):
        ways: list[Remedy] = ["or name the file that was counted"] if is_counts(file) else _in_memory(file)
        raise fail("RS406.cases", column=printable(str(options["case"])), ways=ways)
    if is_counts(file):
        return _opened(file, readings, options, large)
    asked: dict[str, Any] = {role: options.get(role) for role in _NAMES}
    asked |= {name: options[name] for name in ("higher_is_positive", "on_missing") if name in options}
    for reading in readings:
        try:
            counts = count_scores(
                file, positive=reading, tolerance=large.tolerance, memory=large.memory, engine=large.engine,
                like=like, most_cells=most_cells, progress=_progress(large), **asked,
            )  # fmt: skip
        except LabelError as error:
            if error.code != "RS021" or reading is readings[-1]:
                raise
        else:
            # Sums, of several columns of scores, do not know their passes; only counts made before have none.
            how = replace(counts.how, n_passes=max(counts.how.n_passes, 1))
            sources = counts.sources if os.path.isfile(file) or file == "-" else (file,)
            return replace(counts, how=how, sources=sources)
    raise AssertionError("unreachable: the last meaning was read or raised")


def _opened(file: str, readings: list[Any], options: Mapping[str, Any], large: Large) -> CountedScores:
    """Counts made before; RS002 if something else is asked of them than what was counted."""
    from rocsteady.counting.counted import open_counts

    counts = open_counts(file)
    others = _others(counts, readings, options)
    if others:
        raise fail(
            "RS002.counted",
            file=file,
            asked=others,
            n_groups=len(counts.groups),
            n_models=len(counts.models) or None,
            unit=counts.unit,
            positive=printable(counts.classes.positive),
            is_high=counts.higher_is_positive,
            options=[own.split()[0] for own in others],
        )
    asked = large.tolerance
    if asked is not None and not asked.is_met(counts.auc_bound, counts.rate_bound):
        warn(
            "RS410.counted-before",
            asked=asked,
            file=file,
            unit=printable(counts.unit),
            auc_bound=counts.auc_bound,
            rate_bound=counts.rate_bound,
        )
    return counts


def _others(counts: CountedScores, readings: list[Any], options: Mapping[str, Any]) -> list[str]:
    """Options that ask for something else than what was counted; names of columns that agree do no harm."""
    found = []
    if options.get("group") not in (None, counts.unit):
        found.append(f"--group {options['group']}")
    if options.get("model") and not counts.models:
        found.append(f"--model {options['model']}")
    if options.get("weight") and not counts.is_weighted:
        found.append(f"--weight {options['weight']}")
    scores = options.get("score")
    if isinstance(scores, list) and tuple(scores) != counts.models:
        found += [f"--score {name}" for name in scores]
    elif isinstance(scores, str) and counts.score and scores != counts.score:
        found.append(f"--score {scores}")
    if readings != [None] and counts.classes.positive not in map(_label, readings):
        found.append(f"--positive {_label(readings[-1])}")
    if not options.get("higher_is_positive", True) and counts.higher_is_positive:
        found.append("--low-is-positive")
    return [printable(own) for own in found]


def _label(reading: Any) -> str:
    """A meaning of --positive as counts name it."""
    return " or ".join(map(str, reading)) if isinstance(reading, list | tuple) else str(reading)


def _progress(large: Large) -> Any:
    """Tells on a terminal what is done; wherever it is, counting ends here if a signal came in."""
    is_seen = large.tell is not None and sys.stderr.isatty()

    def tell(what: str, share: float | None) -> None:
        end_if_interrupted()
        if is_seen:
            large.tell(what if share is None else f"{what} ({100 * share:.0f} %)")

    return tell
