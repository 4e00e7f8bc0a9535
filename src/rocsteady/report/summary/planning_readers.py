"""What more readers, or more cases for all of them, would buy: readers share cases, so both are random."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace

import numpy as np

from rocsteady.errors import RocsteadyWarning
from rocsteady.readers.plan import plan_readers
from rocsteady.readers.power import Question, StudyComponents
from rocsteady.report.summary.comparing.measure import line_of
from rocsteady.report.summary.comparing.pairs import Pair, readers_compared
from rocsteady.report.summary.comparing.setting import setting_of
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.plan_start import POWER
from rocsteady.statistics.intervals import t_quantile


@dataclass(frozen=True)
class ReaderDesigns:
    """Designs of a reader study, as Obuchowski & Rockette have its variance.

    Attributes
    ----------
    components : StudyComponents
        Scaled so that the present design has the interval of the page.
    question : Question
        The difference that was seen.
    n_readers, n_cases : int, float
        That there are.
    promised : float
        The half-width that the components have before scaling.
    """

    components: StudyComponents
    question: Question
    n_readers: int
    n_cases: float
    promised: float

    def half_width(self, n_readers: int, times_cases: float) -> float:
        """Of the interval for the difference, with so many readers and times the cases."""
        variance, df = self.question.error_and_df(self.components, n_readers, times_cases * self.n_cases)
        return _half_width(float(variance), float(df), self.question.alpha)

    def power(self, n_readers: int, times_cases: float) -> float:
        """The chance to tell the models apart."""
        return float(self.question.power(self.components, n_readers, times_cases * self.n_cases))


def _half_width(variance: float, df: float, alpha: float) -> float:
    return float(t_quantile(df, 1 - alpha)) * math.sqrt(variance)


def reader_designs(material: Material, pair: Pair) -> ReaderDesigns | None:
    """From the pair's own analysis; None where there is no spread to plan with."""
    found = readers_compared(material, setting_of(material, line_of(material)), pair.a, pair.b)
    width = (pair.high - pair.low) / 2
    if found is None or not width > 0 or pair.difference == 0:
        return None
    alpha = 1 - material.settings.confidence_level
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        made = plan_readers(found, difference=abs(pair.difference), power=POWER, alpha=alpha)
    question = Question("difference", abs(pair.difference), math.nan, alpha)
    n_readers, n_cases = len(found.readers), float(made.n_cases)
    now, df = question.error_and_df(made.components, n_readers, n_cases)
    promised = _half_width(float(now), float(df), alpha)
    if not promised > 0:
        return None
    factor = (width / promised) ** 2
    names = ("modality_reader", "var", "cov1", "cov2", "cov3")
    scaled = {name: factor * getattr(made.components, name) for name in names}
    return ReaderDesigns(replace(made.components, **scaled), question, n_readers, n_cases, promised)


def readers_for(designs: ReaderDesigns) -> float:
    """The fewest readers of these cases with the wanted chance; infinite where none suffice."""
    numbers = np.arange(2, 1001)
    chance = designs.question.power(designs.components, numbers, designs.n_cases)
    enough = numbers[chance >= POWER]
    return float(enough[0]) if enough.size else math.inf


def times_cases_for(designs: ReaderDesigns) -> float:
    """How many times the cases these readers need; infinite where none suffice."""
    times = np.round(np.geomspace(1, 1000, 601), 2)
    chance = designs.question.power(designs.components, designs.n_readers, times * designs.n_cases)
    enough = times[chance >= POWER]
    return float(enough[0]) if enough.size else math.inf
