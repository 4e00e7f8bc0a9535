"""What a report was asked for, beside the data and the deployment."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.counting.arguments import (
    one_number,
    one_rate,
    open_share,
    real_numbers,
    resamples_asked,
    whole_number,
)
from rocsteady.curves.given import described, is_score_set
from rocsteady.errors import Option, RocsteadyWarning, UsageError
from rocsteady.plots.parts.vocabulary import rate_of, vocabulary

if TYPE_CHECKING:
    from rocsteady.scores.score_set import ScoreSet

Place = str | Mapping[str, Any]
"""Where a curve is read: ``{"fpr": 0.05}``, ``{"tpr": 0.9}``, ``{"threshold": 0.5}``, ``{"rate": 0.02}``,
``{"balance": 0.1}``, ``{"ratio": (1, 2)}``, ``{"costs": (1, 20)}``, ``"eer"`` or ``"youden"``."""

_NAMED = ("eer", "youden")
_RATES = ("fpr", "tpr", "rate")
_PAIRS = ("ratio", "costs")


def _silent(text: str) -> None:
    """Nobody is told."""


@dataclass(frozen=True)
class Settings:
    """How a report is made.

    Attributes
    ----------
    confidence_level : float
        Of all intervals.
    n_resamples, seed : int
        Of the bootstrap of groups.
    at : tuple of Place
        Operating points that were asked for, beside the declared one.
    words : {"ml", "medical", "biometric"}
        Whose words for the rates.
    min_per_class : int
        Groups with fewer positives or negatives are left out.
    title : str
        Of the page; one is made where it is empty.
    command : str
        What was typed, for the methods.
    cutoff_from : ScoreSet or None
        Other rows, on which thresholds are found.
    progress : callable
        Called with what is done next.
    spelled : callable
        Turns a warning into the words of where it will be read: a command line has options, not arguments.
    """

    confidence_level: float = 0.95
    n_resamples: int = 2000
    seed: int = 0
    at: tuple[Place, ...] = ()
    words: str = "ml"
    min_per_class: int = 1
    title: str = ""
    command: str = ""
    cutoff_from: ScoreSet | None = None
    progress: Callable[[str], None] | None = None
    spelled: Callable[[RocsteadyWarning], RocsteadyWarning] | None = None

    def __post_init__(self) -> None:
        open_share("confidence_level", self.confidence_level)
        resamples_asked(self.n_resamples)
        whole_number("seed", self.seed, least=0, example=0)
        whole_number("min_per_class", self.min_per_class, least=1, example=10)
        vocabulary(self.words)
        for name, text in (("title", self.title), ("command", self.command)):
            if not isinstance(text, str):
                raise UsageError(
                    "RS002", f"{name} is a text.", f"found: {described(text)}", Option(name, str(text))
                )
        if self.cutoff_from is not None and not is_score_set(self.cutoff_from):
            found, way = described(self.cutoff_from), "cutoff_from=rs.read_scores('earlier.csv', ...)"
            raise UsageError("RS002", "cutoff_from is a ScoreSet.", f"found: {found}", way)
        places = (self.at,) if isinstance(self.at, str | Mapping) else tuple(self.at)
        object.__setattr__(self, "at", tuple(map(checked_place, places)))

    def say(self, text: str) -> None:
        """Tell what is done next."""
        (self.progress or _silent)(text)


def checked_place(place: Place) -> Place:
    """A place in its one form, rates by any field's names; RS092 for what is none.

    >>> checked_place({"specificity": 0.9}), checked_place("eer"), checked_place({"costs": [1, 20]})
    ({'fpr': 0.1}, 'eer', {'costs': (1.0, 20.0)})
    """
    if isinstance(place, str) and place in _NAMED:
        return place
    if isinstance(place, Mapping) and len(place) == 1:
        ((name, value),) = place.items()
        name, value = rate_of(str(name), value)
        if name in _RATES:
            return {name: one_rate(name, value)}
        if name in ("threshold", "balance"):
            return {name: one_number(name, value)}
        if name in _PAIRS:
            pair = real_numbers(name, value, example=(1, 20))
            if pair.shape == (2,) and all(0 <= own < math.inf for own in pair.tolist()) and pair.any():
                return {name: (float(pair[0]), float(pair[1]))}
    raise UsageError(
        "RS092",
        f"{place!r:.60} is no place to read a curve at.",
        "known: fpr, tpr, threshold, rate, balance, ratio and costs with a value; 'eer' and 'youden'",
        Option("at", [{"fpr": 0.05}]),
    )
