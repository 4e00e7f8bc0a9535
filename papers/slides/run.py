"""The whole reproduction of Sakellaropoulos's slides: numbers, checks, claims, notes, figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from papers.checks import Check, Checks
from papers.reproduction import Reproduction, Tabulated, picture_files
from papers.slides import (
    best_cutoffs,
    claims,
    draw_curves,
    drawings,
    expectations,
    guessing,
    plausibility,
    populations,
    replicates,
    spss,
    ten_cases,
    two_models,
)
from papers.slides.best_cutoffs import BestCutoffs
from papers.slides.guessing import Guessing
from papers.slides.plausibility import Plausible
from papers.slides.populations import Divided
from papers.slides.replicates import Replicates
from papers.slides.spss import SpssTables
from papers.slides.ten_cases import TenCases
from papers.slides.two_models import TwoModels
from rocsteady.options import yes_or_no

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N_REPLICATES, N_REPLICATES_QUICK = 20_000, 4000
N_MODEL_REPLICATES, N_MODEL_REPLICATES_QUICK = 200, 40
N_USELESS, N_USELESS_QUICK = 2000, 400
FIGURES = (
    "two_populations",
    "example_curve",
    "standard_error",
    "best_cutoffs",
    "ten_cases",
    "two_models",
    "guessing",
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SlidesReproduction(Reproduction):
    """What was computed again.

    Attributes
    ----------
    is_quick, checks, notes, claims, skipped
        As for every reproduction.
    divided : Divided
        Two populations and the threshold 4.5.
    sample, alike : SpssTables
        SPSS's tables of a sample, and of the first sample that prints the slides' area table.
    repeated : Replicates
        The example again and again.
    plausible : tuple of Plausible
        Each printed number as that of a sample.
    ten : TenCases
        The ten cases.
    cutoffs : BestCutoffs
        By three rules.
    models : TwoModels
        That cross.
    guesses : Guessing
        Corners, diagonal, ideal point.
    """

    paper: ClassVar[str] = "Sakellaropoulos, ROC (Receiver Operating Characteristic) curves, slides"
    divided: Divided
    sample: SpssTables
    alike: SpssTables
    repeated: Replicates
    plausible: tuple[Plausible, ...]
    ten: TenCases
    cutoffs: BestCutoffs
    models: TwoModels
    guesses: Guessing

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            **super().to_dict(),
            "two populations": self.divided.to_dict(),
            "SPSS tables": self.sample.to_dict(),
            "SPSS tables, printed alike": self.alike.to_dict(),
            "repeated": self.repeated.to_dict(),
            "plausible": [vars(own) for own in self.plausible],
            "ten cases": self.ten.to_dict(),
            "best cut-offs": self.cutoffs.to_dict(),
            "two models": self.models.to_dict(),
            "guessing": self.guesses.to_dict(),
        }

    def tables(self) -> list[Tabulated]:
        """The slides' tables, with ours beside them."""
        return [
            populations.tabulated(self.divided),
            *spss.tabulated(self.sample, self.alike),
            plausibility.tabulated(self.plausible),
            best_cutoffs.tabulated(self.cutoffs),
            *ten_cases.tabulated(self.ten),
            two_models.tabulated(self.models),
            guessing.tabulated(self.guesses),
        ]


def picture_names() -> list[str]:
    """The files that :meth:`SlidesReproduction.pictures` makes."""
    return picture_files(FIGURES)


def reproduce_slides(*, quick: bool = False) -> SlidesReproduction:
    """Compute the slides' figures, tables and claims, and hold them against the stored expectations.

    Parameters
    ----------
    quick : bool
        Draw 4,000 samples of the SPSS example instead of 20,000, and fewer of everything else.
    """
    quick = yes_or_no("quick", quick)
    expected = expectations.stored()
    sample, alike = spss.spss_tables(), spss.first_alike()
    cutoffs = best_cutoffs.best_cutoffs(sample)
    repeated = replicates.replicates(N_REPLICATES_QUICK if quick else N_REPLICATES)
    parts: dict[str, Any] = {
        "divided": populations.divided(),
        "sample": sample,
        "alike": alike,
        "repeated": repeated,
        "plausible": plausibility.plausibility(repeated, cutoffs.shown["youden"]),
        "ten": ten_cases.ten_cases(),
        "cutoffs": cutoffs,
        "models": two_models.two_models(N_MODEL_REPLICATES_QUICK if quick else N_MODEL_REPLICATES),
        "guesses": guessing.guessing(sample.curve, N_USELESS_QUICK if quick else N_USELESS),
    }
    return SlidesReproduction(
        is_quick=quick,
        checks=Checks(tuple(_checks(parts, expected))),
        notes=(),
        claims=tuple(claims.claims(parts, expected["repeated"])),
        _drawings=_drawings(parts),
        **parts,
    )


def _checks(parts: dict[str, Any], expected: dict[str, Any]) -> list[Check]:
    return [
        *populations.checks(parts["divided"], expected["two populations"]["shares"]),
        *spss.checks(parts["sample"]),
        *spss.population_checks(expected["example"]),
        *plausibility.checks(expected["plausibility"]["chances"]),
        *replicates.checks(parts["repeated"], expected["repeated"]),
        *best_cutoffs.checks(parts["cutoffs"], expected["cut-offs"]),
        *ten_cases.checks(parts["ten"], expected["ten cases"]),
        *two_models.checks(parts["models"], expected["two models"]),
        *guessing.checks(parts["guesses"], expected["guessing"]),
    ]


def _drawings(parts: dict[str, Any]) -> dict[str, Callable[[], Figure]]:
    made: tuple[Callable[[], Figure], ...] = (
        partial(drawings.draw_populations, parts["divided"]),
        partial(drawings.draw_example, parts["sample"]),
        partial(drawings.draw_standard_error, parts["repeated"]),
        partial(drawings.draw_cutoffs, parts["cutoffs"]),
        partial(draw_curves.draw_ten_cases, parts["ten"]),
        partial(draw_curves.draw_models, parts["models"]),
        partial(draw_curves.draw_guessing, parts["guesses"], parts["sample"]),
    )
    return dict(zip(FIGURES, made, strict=True))
