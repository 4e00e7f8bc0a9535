"""A table in its engine: what the ladder asks of every one of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocsteady.counting.engines.footers import Footers
from rocsteady.scores.arrays import Source
from rocsteady.words import printable

Floats = NDArray[np.float64]
SAMPLE_ROWS = 200_000
"""Rows of a sample: enough to see where the cells of one in a thousand rows begin."""
Tell = Callable[[str, float | None], None]
"""Is told what is done, and how far it is (0 to 1, or None where nobody knows)."""


def say_nothing(what: str, share: float | None) -> None:
    """What is told to nobody."""


@dataclass
class EngineTable(ABC):
    """Rows that an engine can read as often as it is asked, with columns called by their roles.

    Attributes
    ----------
    engine : str
        Its name.
    source : Source
        How messages call the table and its columns.
    chosen : mapping
        Role to column, for columns that nobody named.
    n_rows : int or None
        If they are known without counting.
    integers : mapping
        Role of those scores that are whole numbers to the power of ten they are divided by, 0 or the scale of
        decimals: floats cannot tell them apart from 2**53 on.
    footers : Footers or None
        What the files say about themselves, if the rows come from Parquet files.
    """

    engine: str
    source: Source
    chosen: Mapping[str, str] = field(default_factory=dict)
    n_rows: int | None = None
    integers: Mapping[str, int] = field(default_factory=dict)
    tell: Tell = say_nothing
    footers: Footers | None = None
    streams: ClassVar[bool] = False

    @abstractmethod
    def frame(self) -> Any:
        """The table as a narwhals frame, to be read once."""

    @abstractmethod
    def small(self, table: Any) -> Any:
        """A small Arrow table as a narwhals frame of this engine."""

    def collect(self, frame: Any, what: str) -> Any:
        """Let the engine do its work; the result as an Arrow table."""
        import narwhals.stable.v2 as nw

        self.tell(what, None)
        if isinstance(frame, nw.LazyFrame):
            return frame.collect("pyarrow").to_native()
        return frame.to_arrow()

    def sample(self, score: str) -> Any:
        """Some rows as an Arrow table, label_ and score_; the more alike to all rows the better."""
        import narwhals.stable.v2 as nw

        rows = self.frame().select("label_", nw.col(score).alias("score_")).head(SAMPLE_ROWS)
        return self.collect(rows, "Looking at some rows")

    def stream(self, frame: Any) -> Iterator[Any]:
        """The record batches of a frame, as the engine makes them."""
        raise TypeError(f"{type(self).__name__} does not stream")

    def place(self, frame: Any, work: Callable[[Iterator[Any]], Any]) -> list[Any]:
        """Give the record batches of a frame to ``work``, where they are; what it returned, one by one."""
        raise TypeError(f"{type(self).__name__} does not place rows")

    def check(self, score: str, ends: tuple[float, float], n_rows: int, *, are_all: bool) -> None:
        """RS401 if what was read is not what the footers of the files say."""
        if self.footers is not None:
            self.footers.check(score, ends, n_rows, printable(self.source.name), are_all=are_all)


def strided(n_rows: int) -> int:
    """Every how many-th row makes a sample."""
    return max(1, n_rows // SAMPLE_ROWS)
