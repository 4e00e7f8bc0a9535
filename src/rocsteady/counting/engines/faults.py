"""Rows that cannot be counted: told, or left out and counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.caller import caller_level
from rocsteady.counting.engines.binning import BAD_WEIGHT, MISSING_LABEL, MISSING_SCORE
from rocsteady.counting.engines.plan import ZERO_WEIGHT
from rocsteady.errors import DataError, LabelError, Option, Remedy, counted, warn
from rocsteady.scores.arrays import Source, thousands
from rocsteady.scores.records import Dropped

_CAUSES = {
    MISSING_SCORE: "no score",
    MISSING_LABEL: "no label",
    BAD_WEIGHT: "no weight",
    ZERO_WEIGHT: "weight zero",
}


@dataclass
class Faults:
    """How many rows cannot be counted, by cause."""

    causes: Counter[str] = field(default_factory=Counter)

    @property
    def n_rows(self) -> int:
        """All of them."""
        return sum(self.causes.values())

    def note(
        self, codes: NDArray[Any], rows: NDArray[np.int64], members: NDArray[np.int64], keys: Any
    ) -> None:
        """Note the rows of cells with negative numbers, and of no member."""
        for code, cause in _CAUSES.items():
            n = int(rows[codes == code].sum())
            if n:
                self.causes[cause] += n
        homeless = int(rows[(codes >= 0) & (members < 0)].sum())
        if homeless:
            self.causes["no group" if "group_" in keys else "no model"] += homeless

    def settle(self, on_missing: str, source: Source, n_rows: int) -> Dropped:
        """What was left out; a coded error where rows lack a value and nobody said to drop them."""
        zero = self.causes.get("weight zero", 0)
        lacking = {cause: n for cause, n in self.causes.items() if cause != "weight zero"}
        if lacking and on_missing == "raise":
            cause = next(iter(lacking))
            raise _lacking(cause, lacking[cause], n_rows, source)
        if lacking:
            told = ", ".join(f"{counted(n, 'row')} without a {cause[3:]}" for cause, n in lacking.items())
            warn("RS102", f"{told} dropped{source.place}.", "", stacklevel=caller_level())
        return Dropped(sum(lacking.values()) + zero, dict(self.causes))


def _lacking(cause: str, n: int, n_rows: int, source: Source) -> DataError | LabelError:
    role = cause[3:]
    verb = "is" if n == 1 else "are"
    remedy: Remedy = ["drop those rows:  ", Option("on_missing", "drop"), "   (they are counted)"]
    found = f"in {source.column(role)}"
    if role == "label":
        problem = f"{thousands(n)} of {counted(n_rows, 'label')} {verb} missing{source.place}."
        return LabelError("RS023", problem, found, remedy)
    if role == "score":
        problem = f"{thousands(n)} of {counted(n_rows, 'score')} {verb} missing (NaN){source.place}."
        return DataError("RS031", problem, found, remedy)
    if role == "weight":
        lacks = f"{verb} missing, negative or infinite"
        problem = f"{thousands(n)} of {counted(n_rows, 'weight')} {lacks}{source.place}."
        return DataError("RS037", problem, found, "weights must be finite and not negative", remedy)
    problem = (
        f"{thousands(n)} of {counted(n_rows, 'row')} {'has' if n == 1 else 'have'} no {role}{source.place}."
    )
    return DataError("RS035", problem, found, remedy)
