"""The whole reproduction of Hogan and Adams, "On Averaging ROC Curves": numbers, checks, stories, figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from papers.averaging_roc import claims, closed_forms, decisions, errata, figure_1, figure_2
from papers.averaging_roc.decisions import Tally
from papers.averaging_roc.draw_figure_1 import draw_figure_1
from papers.averaging_roc.draw_figure_2 import draw_figure_2
from papers.averaging_roc.half_widths import HalfWidth, half_widths
from papers.averaging_roc.parameters import DESIGNS
from papers.averaging_roc.stories import STORIES, Story
from papers.checks import Check, Checks
from papers.reproduction import Progress, Reproduction, Steps, Tabulated, picture_files
from rocsteady.options import yes_or_no

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N_REPLICATES, N_REPLICATES_QUICK = 200, 20
N_DATASETS_OF_ERRATA, N_DATASETS_OF_ERRATA_QUICK = 2000, 500
FIGURES = ("figure_1", *(f"figure_2_design_{design.name}" for design in DESIGNS))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AveragingReproduction(Reproduction):
    """What was computed again.

    Attributes
    ----------
    is_quick, checks, notes, skipped
        As for every reproduction.
    tallies : tuple of Tally
        Which classifier each average chooses, how often.
    stories : tuple of Story
        The three deployments.
    half_widths : tuple of HalfWidth
        Of the intervals in Figure 2, normal as in the paper and by Student's t.
    """

    paper: ClassVar[str] = "Hogan and Adams, On Averaging ROC Curves"
    tallies: tuple[Tally, ...]
    stories: tuple[Story, ...]
    half_widths: tuple[HalfWidth, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            **super().to_dict(),
            "tallies": [tally.to_dict() for tally in self.tallies],
            "half_widths": [width.to_dict() for width in self.half_widths],
            "stories": [story.to_dict() for story in self.stories],
        }

    def tables(self) -> list[Tabulated]:
        """Which classifier is chosen how often."""
        return [decisions.tabulated(self.tallies)]

    def passages(self) -> list[tuple[str, Sequence[str]]]:
        """The stories, then the notes."""
        return [*((story.title, story.lines()) for story in self.stories), *super().passages()]


def picture_names() -> list[str]:
    """The files that :meth:`AveragingReproduction.pictures` makes."""
    return picture_files(FIGURES)


def reproduce_averaging(*, quick: bool = False, progress: Progress | None = None) -> AveragingReproduction:
    """Compute the figures, decisions, stories, errata and claims; hold them against stored expectations.

    Parameters
    ----------
    quick : bool
        Repeat the study 20 times instead of 200, and draw fewer datasets for the errata.
    progress : callable, optional
        Told ``(done, total, what)`` while it goes on.
    """
    quick = yes_or_no("quick", quick)
    expected = closed_forms.stored()
    n_replicates = N_REPLICATES_QUICK if quick else N_REPLICATES
    steps = Steps(len(DESIGNS) * (n_replicates + 1) + 4, progress)
    checks: list[Check] = figure_2.population_checks(expected["figure 2"])
    first = figure_1.figure_1()
    checks += figure_1.checks(first, expected["figure 1"])
    steps.step("figure 2")
    second = {}
    for design in DESIGNS:
        second[design.name] = figure_2.figure_2(design)
        checks += figure_2.checks(second[design.name], expected["figure 2"][design.name])
        steps.step("figure 2")
    tallies: list[Tally] = []
    for design in DESIGNS:
        doing = f"choices, design {design.name}"
        tallies += decisions.tallies(design, n_replicates, after_each=partial(steps.step, doing))
    checks += decisions.checks(tallies, expected["decisions"])
    steps.step("errata")
    checks += errata.checks(expected["errata"], N_DATASETS_OF_ERRATA_QUICK if quick else N_DATASETS_OF_ERRATA)
    steps.step("stories")
    stories = tuple(story() for story in STORIES)
    checks += [check for story in stories for check in story.checks]
    steps.step("claims")
    widths = [width for panels in second.values() for panel in panels for width in half_widths(panel)]
    drawings: dict[str, Callable[[], Figure]] = {"figure_1": partial(draw_figure_1, first)}
    drawings |= {f"figure_2_design_{name}": partial(draw_figure_2, panels) for name, panels in second.items()}
    return AveragingReproduction(
        is_quick=quick,
        checks=Checks(tuple(checks)),
        claims=claims.claims(
            claims.Evidence(first, second, tuple(tallies), stories, expected, tuple(checks))
        ),
        tallies=tuple(tallies),
        stories=stories,
        notes=tuple(errata.notes()),
        half_widths=tuple(widths),
        _drawings=drawings,
    )
