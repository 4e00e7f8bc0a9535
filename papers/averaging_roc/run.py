"""The whole reproduction of Hogan and Adams, "On Averaging ROC Curves".

What should be found is known in closed form.
"""

from __future__ import annotations

from functools import partial

from papers.averaging_roc import figure_1, figure_2, scenarios, section_4, stories
from papers.averaging_roc.figure_2 import DESIGNS
from papers.averaging_roc.scenarios import Tally
from papers.paper import Check, Progress, Reproduction, Steps
from rocsteady.options import yes_or_no

N_REPLICATES, N_REPLICATES_QUICK = 200, 20
N_DATASETS_OF_ERRATA, N_DATASETS_OF_ERRATA_QUICK = 2000, 500
FIGURES = ("figure_1", *(f"figure_2_design_{design.name}" for design in DESIGNS))


def reproduce_averaging(*, quick: bool = False, progress: Progress | None = None) -> Reproduction:
    """Compute the figures, scenarios, stories, errata and claims, and check every number.

    Parameters
    ----------
    quick : bool
        Repeat the study 20 times instead of 200, and draw fewer datasets for the errata.
    progress : callable, optional
        Told ``(done, total, what)`` while it goes on.
    """
    quick = yes_or_no("quick", quick)
    n_replicates = N_REPLICATES_QUICK if quick else N_REPLICATES
    steps = Steps(len(DESIGNS) * (n_replicates + 1) + 4, progress)
    checks: list[Check] = figure_2.population_checks()
    first = figure_1.figure_1()
    checks += figure_1.checks(first)
    steps.step("figure 2")
    second = {}
    for design in DESIGNS:
        second[design.name] = figure_2.figure_2(design)
        checks += figure_2.checks(second[design.name])
        steps.step("figure 2")
    tallies: list[Tally] = []
    for design in DESIGNS:
        after_each = partial(steps.step, f"choices, design {design.name}")
        tallies += scenarios.tallies(design, n_replicates, after_each=after_each)
    checks += scenarios.checks(tallies)
    steps.step("errata")
    n_datasets = N_DATASETS_OF_ERRATA_QUICK if quick else N_DATASETS_OF_ERRATA
    checks += section_4.h2_checks()
    checks += section_4.h8_checks(n_datasets)
    checks += figure_2.h13_checks(n_datasets)
    steps.step("stories")
    told = stories.stories()
    checks += [check for story in told for check in story.checks]
    steps.step("claims")
    return Reproduction(
        name="averaging",
        paper="Hogan and Adams, On Averaging ROC Curves",
        is_quick=quick,
        checks=tuple(checks),
        claims=(
            *figure_1.claims(first),
            *section_4.claims(first, second, checks),
            *(story.judged for story in told),
            figure_2.normal_intervals(),
            *scenarios.claims(tallies),
            *figure_2.claims(second),
        ),
        tables=(
            figure_1.table(first),
            *figure_2.tables(second),
            scenarios.table(tallies),
            stories.table(told),
        ),
        figures=(figure_1.figure(first), *map(figure_2.figure, second.values())),
        passages=tuple(story.passage for story in told),
        notes=(figure_2.note(),),
        numbers={"tallies": tallies, "stories": told},
    )
