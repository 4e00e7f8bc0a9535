"""What more readers, or more cases for all of them, would buy: readers share cases, so both are random."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsteady.arrays import Floats
from rocsteady.errors import RocsteadyWarning
from rocsteady.planning.plan import plan
from rocsteady.planning.readers import ReaderPlan
from rocsteady.report.summary.comparing.measure import line_of
from rocsteady.report.summary.comparing.pairs import Pair, readers_compared
from rocsteady.report.summary.comparing.setting import setting_of
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.plan_start import POWER


@dataclass(frozen=True)
class ReaderDesigns:
    """Designs of a reader study, as Obuchowski & Rockette have its variance.

    Attributes
    ----------
    plan : ReaderPlan
        For the difference that was seen; scaled so that the present design has the interval of the page.
    n_readers, n_cases : int, float
        That there are.
    promised : float
        The half-width that the components have before scaling.
    """

    plan: ReaderPlan
    n_readers: int
    n_cases: float
    promised: float

    def half_width(self, n_readers: int, times_cases: float) -> float:
        """Of the interval for the difference, with so many readers and times the cases."""
        return float(self.plan.half_widths(self.plan.components, n_readers, times_cases * self.n_cases))

    def power(self, n_readers: int, times_cases: float) -> float:
        """The chance to tell the models apart."""
        return float(self.chances(n_readers, times_cases * self.n_cases))

    def chances(self, n_readers: Any, n_cases: Any) -> Floats:
        """The same of many."""
        return self.plan.chances(self.plan.components, n_readers, n_cases)


def reader_designs(material: Material, pair: Pair) -> ReaderDesigns | None:
    """From the pair's own analysis; None where there is no spread to plan with."""
    found = readers_compared(material, setting_of(material, line_of(material)), pair.a, pair.b)
    width = (pair.high - pair.low) / 2
    if found is None or not width > 0 or pair.difference == 0:
        return None
    level = material.settings.confidence_level
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        made = plan(found, difference=abs(pair.difference), power=POWER, confidence_level=level)
    designs = ReaderDesigns(made, len(found.readers), float(made.n_cases), math.nan)
    promised = designs.half_width(designs.n_readers, 1.0)
    if not promised > 0:
        return None
    factor = (width / promised) ** 2
    names = ("modality_reader", "var", "cov1", "cov2", "cov3")
    scaled = {name: factor * getattr(made.components, name) for name in names}
    own = replace(made, components=replace(made.components, **scaled))
    return replace(designs, plan=own, promised=promised)


def readers_for(designs: ReaderDesigns) -> float:
    """The fewest readers of these cases with the wanted chance; infinite where none suffice."""
    numbers = np.arange(2, 1001)
    chance = designs.chances(numbers, designs.n_cases)
    enough = numbers[chance >= POWER]
    return float(enough[0]) if enough.size else math.inf


def times_cases_for(designs: ReaderDesigns) -> float:
    """How many times the cases these readers need; infinite where none suffice."""
    times = np.round(np.geomspace(1, 1000, 601), 2)
    chance = designs.chances(designs.n_readers, times * designs.n_cases)
    enough = times[chance >= POWER]
    return float(enough[0]) if enough.size else math.inf
