"""What a report was asked for, beside the data and the deployment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.curves.from_scores import described, is_score_set
from rocsteady.errors import Option, Remedy, RocsteadyWarning, fail
from rocsteady.options import one_number, open_share, resamples_asked, whole_number
from rocsteady.places import EVERYWHERE, place_of
from rocsteady.places import Place as At
from rocsteady.plots.parts.vocabulary import vocabulary

if TYPE_CHECKING:
    from rocsteady.scores.score_set import ScoreSet

Place = str | Mapping[str, Any]
"""Where a curve is read: ``{"fpr": 0.05}``, ``{"tpr": 0.9}``, ``{"threshold": 0.5}``, ``{"alerts": 0.02}``,
``{"balance": 0.1}``, ``{"ratio": (1, 2)}``, ``{"costs": (1, 20)}``, ``"eer"`` or ``"youden"``."""


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
                ways: list[Remedy] = [Option(name, str(text))]
                raise fail("RS002.kind", name=name, kind="a text", found=described(text), ways=ways)
        if self.cutoff_from is not None and not is_score_set(self.cutoff_from):
            ways, found = ["cutoff_from=rs.read_scores('earlier.csv', ...)"], described(self.cutoff_from)
            raise fail("RS002.kind", name="cutoff_from", kind="a ScoreSet", found=found, ways=ways)
        places = (self.at,) if isinstance(self.at, str | Mapping) else tuple(self.at)
        object.__setattr__(self, "at", tuple(map(checked_place, places)))

    def among(self, n_cases: float) -> Settings:
        """The same, with numbers of alerts as their shares of the cases."""
        at = tuple(checked_place(place_of(own, among=EVERYWHERE).among(n_cases)) for own in self.at)
        return self if at == self.at else replace(self, at=at)

    def say(self, text: str) -> None:
        """Tell what is done next."""
        (self.progress or _silent)(text)


def checked_place(place: Place | At) -> Place:
    """A place in its one form, rates by any field's names; RS092 for what is none.

    >>> checked_place({"specificity": 0.9}), checked_place("eer"), checked_place({"costs": [1, 20]})
    ({'fpr': 0.1}, 'eer', {'costs': (1.0, 20.0)})
    """
    found = place_of(place, among=EVERYWHERE)
    if np.ndim(found.value) and found.kind not in ("ratio", "costs"):
        one_number(found.kind, found.value)
    if found.kind == "threshold":
        return {"threshold": found.value}
    return found.kind if found.value is None else found.to_dict()
