"""From a target to a verdict: prepare, check the answers, measure, hold against the gate."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from benchmarks.cold_start import cold_start
from benchmarks.commands import COMMANDS, command_in_yards
from benchmarks.data import Sample
from benchmarks.measurement import Measurement, NotMeasuredError, measure_until_steady
from benchmarks.memory import extra_bytes
from benchmarks.slider_step import slider_step
from benchmarks.speed import race
from benchmarks.targets import Target, Unit
from benchmarks.tasks import TASKS

QUICK_SECONDS = 120
_ROW_SECONDS = 20  # with less than this left, --quick starts no further row


@dataclass(frozen=True)
class Outcome:
    """A target with what was found.

    ``verdict`` is "pass", "stretch" (the stretch target is reached), "info" (there is no gate), "FAIL",
    "UNSTABLE" (the rounds differ too much, still after the reruns), "WRONG" (the answers differ, nothing
    was timed), "ERROR", "not measured" or "left out".
    """

    target: Target
    verdict: str
    note: str = ""
    measurement: Measurement | None = None
    reruns: int = 0

    def fails(self, *, require_all: bool = False) -> bool:
        """Whether the benchmark as a whole fails because of this row."""
        if self.verdict in ("WRONG", "ERROR"):
            return True
        if self.target.gate is None:
            return False
        return self.verdict in ("FAIL", "UNSTABLE") or (require_all and self.verdict == "not measured")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the JSON file."""
        target, found = self.target, self.measurement
        plain: dict[str, Any] = {"row": target.row, "work": title(target), "peer": target.peer}
        plain |= {"unit": target.unit, "gate": target.gate, "stretch": target.stretch}
        plain |= {"verdict": self.verdict, "note": self.note, "reruns": self.reruns}
        if found is not None:
            plain |= {"best": found.best, "median": found.median, "spread": found.spread}
            plain |= {"rounds": found.rounds, "raw": found.raw}
        return plain


class Stopwatch:
    """The time that is left."""

    def __init__(self, seconds: float = float("inf")) -> None:
        self._end = time.perf_counter() + seconds

    def has_time(self, seconds: float) -> bool:
        """Whether something that takes so long would still end in time."""
        return time.perf_counter() + seconds < self._end


_IN_MILLISECONDS = {
    "import": "import rocsteady over numpy",
    "first-use": "loading rs.auc over numpy",
    "slider": "one step of the report's slider",
}


def title(target: Target) -> str:
    """The work in words."""
    if target.unit == "ms":
        return _IN_MILLISECONDS[target.task]
    if target.unit == "yards":
        return COMMANDS[target.task]
    work = f"{TASKS[target.task].title}, {target.size:.0e}".replace("e+0", "e")
    if target.peer_times > 1:
        work += f" (peer x{target.peer_times})"
    return f"extra memory: {work}" if target.unit == "B/score" else work


def settle(target: Target, stopwatch: Stopwatch, *, quick: bool, named: bool) -> Outcome:
    """Measure one target. Whatever goes wrong becomes its verdict, so that the other rows still run.

    A row asked for by name is measured in quick mode too.
    """
    if quick and not (target.quick or named):
        return Outcome(target, "left out", "too slow for --quick")
    if not stopwatch.has_time(0 if named else _ROW_SECONDS):
        return Outcome(target, "not measured", "out of time")
    try:
        measure = _MEASURES[target.unit](target, quick)
        found, reruns = measure_until_steady(measure, stopwatch.has_time)
    except NotMeasuredError as reason:
        return Outcome(target, "not measured", str(reason))
    except AssertionError as difference:
        return Outcome(target, "WRONG", _first_line(difference))
    except Exception as error:
        return Outcome(target, "ERROR", f"{type(error).__name__}: {_first_line(error)}")
    return Outcome(target, judge(target, found), found.note, found, reruns)


def judge(target: Target, found: Measurement) -> str:
    """The verdict on numbers; an unsteady number proves nothing, however good it looks."""
    if not found.is_steady:
        return "UNSTABLE"
    if target.gate is None:
        return "info"
    if target.reaches(found.median, target.stretch):
        return "stretch"
    return "pass" if target.reaches(found.median, target.gate) else "FAIL"


def _ratio(target: Target, quick: bool) -> Callable[[], Measurement]:
    task, sample = TASKS[target.task], _draw(target.size)
    prepare_theirs, agree = task.peers[target.peer]
    ours = task.ours(sample)
    try:
        theirs = prepare_theirs(sample)
    except ModuleNotFoundError as error:
        raise NotMeasuredError(f"{error.name} is not installed") from error
    agree(ours(), theirs(), sample)
    rounds = _rounds(target, quick)
    return race(ours, theirs, peer=target.peer, rounds=rounds, peer_times=target.peer_times)


def _milliseconds(target: Target, quick: bool) -> Callable[[], Measurement]:
    if target.task == "slider":
        return lambda: slider_step(_rounds(target, quick))
    return lambda: cold_start(target.task, _rounds(target, quick))


def _yards(target: Target, quick: bool) -> Callable[[], Measurement]:
    return lambda: command_in_yards(target.task, _rounds(target, quick))


def _bytes_per_score(target: Target, quick: bool) -> Callable[[], Measurement]:
    return lambda: extra_bytes(target.task, target.size, target.peer, with_peer=not quick)


_MEASURES: dict[Unit, Callable[[Target, bool], Callable[[], Measurement]]] = {
    "x": _ratio,
    "ms": _milliseconds,
    "yards": _yards,
    "B/score": _bytes_per_score,
}


@lru_cache(maxsize=1)  # ten million rows are too many to keep several
def _draw(size: int) -> Sample:
    return Sample(size)


def _rounds(target: Target, quick: bool) -> int:
    return target.quick_rounds if quick else target.rounds


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return "; ".join(lines[:3])
