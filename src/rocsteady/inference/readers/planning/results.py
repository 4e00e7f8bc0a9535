"""What a plan of a reader study holds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.errors import Option, fail
from rocsteady.inference.readers.planning import wording
from rocsteady.inference.readers.planning.pilots import Pilot
from rocsteady.inference.readers.planning.power import (
    MOST_READERS,
    Question,
    StudyComponents,
    cases_needed,
    readers_needed,
)
from rocsteady.options import whole_number
from rocsteady.results import Result, TableResult, plain
from rocsteady.words import counted, grouped, plural, printable

Floats = NDArray[np.float64]

MOST_ASKED = 10**9
"""Cases that a plan may be asked about."""


@dataclass(frozen=True, eq=False, repr=False)
class ReaderPlanTable(TableResult):
    """What numbers of readers would need: one entry of every array for each.

    Attributes
    ----------
    n_readers : int64 array
        How many readers.
    n_cases, n_positives, n_negatives : float64 arrays
        Cases that each of them reads in each modality: the fewest that reach the power, infinite where none
        do; the same for all where a number of cases was asked about.
    power : float64 array
        Chance that the test then shows what it is to show; where no number of cases suffices, that of cases
        without limit.
    most_power : float64 array
        The most that any number of cases gives so many readers.
    unit : str
        The word for a reader.
    """

    n_readers: NDArray[np.int64]
    n_cases: Floats
    n_positives: Floats
    n_negatives: Floats
    power: Floats
    most_power: Floats
    unit: str

    def __len__(self) -> int:
        return self.n_readers.size

    def __repr__(self) -> str:
        first, last = int(self.n_readers[0]), int(self.n_readers[-1])
        span = f"{first} to {last}" if last > first else f"{first}"
        enough = np.isfinite(self.n_cases)
        most = "no number of" if not enough.any() else f"{grouped(int(self.n_cases[enough].max()))} to"
        least = "" if not enough.any() else f" {grouped(int(self.n_cases[enough].min()))}"
        return f"ReaderPlanTable({span} {plural(printable(self.unit))}: {most}{least} cases)"

    def _columns(self) -> Mapping[str, Any]:
        names = ("n_readers", "n_cases", "n_positives", "n_negatives", "power", "most_power")
        columns = {name: getattr(self, name) for name in names}
        return {name: values for name, values in columns.items() if not np.isnan(values).all()}


@dataclass(frozen=True, eq=False, repr=False)
class ReaderPlan(Result):
    """How many readers and cases a study needs, made by :func:`rocsteady.plan_readers`.

    Attributes
    ----------
    quantity : str
        What is measured.
    test : {"difference", "non-inferiority", "equivalence"}
        What the study is to show.
    difference : float
        The true difference it is planned for; for non-inferiority of the new modality less the reference.
    is_seen_difference : bool
        Whether that is the one seen in the pilot, for lack of a better.
    margin : float
        Of non-inferiority and equivalence; NaN for a difference.
    power_wanted, alpha : float
        The chance to show it; the level of the two-sided test (one-sided tests have half of it).
    readers_are, cases_are : {"random", "fixed"}
        What is random; ``random`` says it in words.
    n_readers : int or None
        Readers of the design in question: as asked, else of the pilot; None where neither is known.
    n_cases : float
        Cases of that design, in the same way.
    ratio : float
        Negatives for each positive; NaN if not known.
    power : float
        The chance of that design; NaN where it is not known how many readers.
    power_range : pair of float, or None
        The same at the 95 % limits of how much modalities differ within readers: how rough the plan is.
    detectable : float
        The difference that this design finds with the wanted chance (not for equivalence: NaN).
    cases_needed : float
        Cases that ``n_readers`` need, each reading all of them in every modality; infinite if none suffice.
    readers_needed : float
        Readers that ``n_cases`` need; infinite if none suffice, NaN from a pilot of one reader.
    readers_at_least : float
        Readers below which no number of cases suffices; NaN from a pilot of one reader.
    components : StudyComponents
        Of the pilot, as estimated, at the ratio of the planned study.
    set_to_zero : tuple of str
        Those that came out negative and count as 0.
    table : ReaderPlanTable
        Numbers of readers, and what each needs.
    random : str
        What is random, in words.
    notes : tuple of str
        What else is to be known.
    """

    quantity: str
    test: str
    difference: float
    is_seen_difference: bool
    margin: float
    power_wanted: float
    alpha: float
    readers_are: str
    cases_are: str
    n_readers: int | None
    n_cases: float
    ratio: float
    power: float
    power_range: tuple[float, float] | None
    detectable: float
    cases_needed: float
    readers_needed: float
    readers_at_least: float
    components: StudyComponents
    set_to_zero: tuple[str, ...]
    table: ReaderPlanTable
    random: str
    notes: tuple[str, ...]
    _pilot: Pilot

    @cached_property
    def _question(self) -> Question:
        lower = self._pilot.lower_is_better
        effects = self.readers_are, self.cases_are
        return Question(self.test, self.difference, self.margin, self.alpha, *effects, lower)

    @property
    def unit(self) -> str:
        """The word for a reader."""
        return self._pilot.unit

    @property
    def reading(self) -> str:
        """The plan in plain sentences."""
        return wording.reading(self, self._pilot)

    def power_at(self, n_readers: int, n_cases: float) -> float:
        """The chance to show it with so many readers, who each read so many cases in every modality."""
        readers, cases = self._readers(n_readers), whole_cases(n_cases)
        return float(self._question.power(self.components, readers, cases))

    def cases_for(self, n_readers: int) -> float:
        """The fewest cases with which so many readers reach the wanted power; infinite if none suffice."""
        readers = self._readers(n_readers)
        return float(cases_needed(self._question, self.components, readers, self.power_wanted)[0][0])

    def readers_for(self, n_cases: float) -> float:
        """The fewest readers who reach the wanted power with so many cases; infinite if none do.

        NaN from a pilot of one reader, which does not show it.
        """
        cases = whole_cases(n_cases)
        if self._pilot.is_single:
            return math.nan
        return readers_needed(self._question, self.components, cases, self.power_wanted)

    def _readers(self, given: int) -> int:
        least = 1 if self.readers_are == "fixed" else 2
        number = whole_readers(given, least)
        if self._pilot.is_single:
            require_one([number], self._pilot)
        return number

    def to_frame(self) -> Any:
        """The table as a data frame: pandas if it is installed, else Polars."""
        return self.table.to_frame()

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain data that JSON can carry."""
        rows = {name: plain(values) for name, values in self.table._columns().items()}
        return super().to_dict() | {"table": rows, "reading": self.reading}

    def __repr__(self) -> str:
        what = f"difference {self.difference:.3g}"
        if self.test != "difference":
            what = f"{self.test}, margin {self.margin:g}"
        if self.n_readers is None:
            number = "no number of" if math.isinf(self.readers_needed) else f"{self.readers_needed:g}"
            needed = f"{number} {plural(printable(self.unit))} for {self.n_cases:.0f} cases"
        else:
            who = counted(self.n_readers, printable(self.unit))
            verb = "needs" if self.n_readers == 1 else "need"
            needed = f"{who} {verb} {self.cases_needed:.0f} cases"
            if math.isinf(self.cases_needed):
                needed = f"no number of cases is enough with {who}"
        return f"ReaderPlan({self.quantity}, {what}: for power {self.power_wanted:g}, {needed})"


def require_one(sizes: list[int], pilot: Pilot) -> None:
    """RS039 for more readers than one, planned from a pilot of one."""
    if sizes == [1]:
        return
    raise fail("RS039.one-of-many", unit=pilot.unit, n_readers=sizes[0] if len(sizes) == 1 else sizes)


def whole_cases(given: float) -> float:
    """A number of cases, or infinitely many; RS042 for what is none."""
    if isinstance(given, float) and given == math.inf:
        return given
    if isinstance(given, float) and not given.is_integer():
        where = "a whole number, at least 4"
        raise fail("RS042", name="n_cases", where=where, found=given, ways=[Option("n_cases", 200)])
    whole = int(given) if isinstance(given, float) else given
    return float(_not_above(MOST_ASKED, "n_cases", whole_number("n_cases", whole, least=4, example=200)))


def whole_readers(given: Any, least: int) -> int:
    """A number of readers; RS042 for what is none."""
    return _not_above(MOST_READERS, "n_readers", whole_number("n_readers", given, least=least, example=6))


def _not_above(most: int, name: str, number: int) -> int:
    if number > most:
        ways = [Option(name, 6 if name == "n_readers" else 200)]
        raise fail("RS042", name=name, where=f"at most {grouped(most)}", found=number, ways=ways)
    return number
