"""The whole reproduction of Paclik and others: numbers, checks, notes, figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from papers.checks import Check, Checks
from papers.operating_points import (
    claims,
    errata,
    expectations,
    figure_3,
    figures,
    limit,
    replicates,
)
from papers.operating_points.digits import (
    HOW,
    NEEDED,
    Floats,
    Integers,
    digits_file,
    read_digits,
)
from papers.operating_points.drawings import draw_figure_1, draw_figure_2, draw_figure_3
from papers.operating_points.figure_3 import Digits
from papers.operating_points.figures import Sample
from papers.operating_points.parameters import FIGURE_1_SIZE, FIGURE_2_SIZES
from papers.operating_points.replicates import Replicates
from papers.reproduction import (
    Progress,
    Reproduction,
    Steps,
    Tabulated,
    picture_files,
)
from rocsteady.errors import FileError
from rocsteady.options import yes_or_no

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N_REPLICATES, N_REPLICATES_QUICK = 2000, 300
N_LARGE_SAMPLES, N_LARGE_SAMPLES_QUICK = 100, 20
N_DRAWS, N_DRAWS_QUICK = 20, 5
N_TESTS, N_TESTS_QUICK = 200_000, 20_000
FIGURES = ("figure_1", "figure_2", "figure_3")


@dataclass(frozen=True)
class ThreeClasses:
    """Figure 3: the first 100 of each digit, the same with scaled features, and random draws."""

    first: Digits
    scaled: Digits
    draws: tuple[Mapping[str, float], ...]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OperatingPointsReproduction(Reproduction):
    """What was computed again.

    Attributes
    ----------
    is_quick, checks, notes, skipped
        As for every reproduction; Figure 3 is left out where its data are missing.
    samples : dict
        The samples of Figures 1 and 2, by cases per class.
    repeated : tuple of Replicates
        Figure 2 again and again, for both sizes.
    digits : ThreeClasses or None
        Figure 3.
    """

    paper: ClassVar[str] = (
        "Paclik, Lai, Novovicova and Duin, Variance estimation for two-class and multi-class ROC analysis "
        "using operating point averaging"
    )
    samples: dict[int, Sample]
    repeated: tuple[Replicates, ...]
    digits: ThreeClasses | None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            **super().to_dict(),
            "figure 1": _plain_sample(self.samples[FIGURE_1_SIZE]),
            "figure 2": [_plain_sample(self.samples[size]) for size in FIGURE_2_SIZES],
            "figure 2, repeated": [own.to_dict() for own in self.repeated],
            "figure 3": None if self.digits is None else _plain_digits(self.digits),
        }

    def tables(self) -> list[Tabulated]:
        """Points not told apart: over repeated studies of two classes, and for the digits."""
        found = [replicates.tabulated(self.repeated)]
        if self.digits is not None:
            found.append(figure_3.tabulated(self.digits.first, self.digits.scaled, self.digits.draws))
        return found


def _plain_sample(sample: Sample) -> dict[str, Any]:
    compared = {
        name: {"chosen": comparison.index, "not rejected": int(comparison.indistinguishable.sum()) - 1}
        for name, comparison in sample.comparisons.items()
    }
    return {"n_per_class": sample.n_per_class, "table": sample.table.to_dict(), "comparisons": compared}


def _plain_digits(digits: ThreeClasses) -> dict[str, Any]:
    return {
        "first 100": digits.first.readings(),
        "first 100, scaled": digits.scaled.readings(),
        "draws": [dict(draw) for draw in digits.draws],
    }


def picture_names() -> list[str]:
    """The files that :meth:`OperatingPointsReproduction.pictures` makes; the last where its data are."""
    return picture_files(FIGURES)


def reproduce_operating_points(
    *,
    quick: bool = False,
    data: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> OperatingPointsReproduction:
    """Compute the figures, the repeated studies, the errata and the claims; hold them against expectations.

    Parameters
    ----------
    quick : bool
        Repeat the study 300 times instead of 2,000, and draw fewer samples of everything.
    data : path, optional
        The folder that holds ``uci/mfeat-mor.csv``; by default that of the environment variable
        ROCSTEADY_DATA. Without it Figure 3 is left out, and so it is where the folder does not hold the file
        or the file holds something else.
    progress : callable, optional
        Told ``(done, total, what)`` while it goes on.

    Raises
    ------
    MissingFileError
        RS051 if a folder is named that does not exist.
    """
    quick = yes_or_no("quick", quick)
    path = digits_file(data)  # a folder that does not exist is said before the work
    digits_read, damaged = _readable(path)
    expected = expectations.stored()
    samples = figures.samples()
    n_replicates = N_REPLICATES_QUICK if quick else N_REPLICATES
    steps = Steps(len(FIGURE_2_SIZES) * n_replicates + 2, progress)
    repeated = tuple(
        replicates.replicates(
            size, n_replicates, after_each=partial(steps.step, f"studies with {size} per class")
        )
        for size in FIGURE_2_SIZES
    )
    checks: list[Check] = limit.checks(
        expected["limit"]["fpr"], N_LARGE_SAMPLES_QUICK if quick else N_LARGE_SAMPLES
    )
    checks += figures.checks(samples)
    checks += replicates.checks(repeated, expected["figure 2"])
    steps.step("digits")
    digits = None if digits_read is None else _three_classes(*digits_read, quick)
    if digits is not None:
        checks += figure_3.checks(digits.first, digits.scaled, digits.draws, expected["figure 3"])
    checks += errata.checks(expected["errata"], N_TESTS_QUICK if quick else N_TESTS)
    steps.step("claims")
    first, scaled = (None, None) if digits is None else (digits.first, digits.scaled)
    return OperatingPointsReproduction(
        is_quick=quick,
        checks=Checks(tuple(checks)),
        claims=claims.claims(samples, repeated, first),
        notes=tuple(errata.notes(first, scaled)),
        skipped=(NEEDED,) if path is None else (),
        damaged=damaged,
        samples=samples,
        repeated=repeated,
        digits=digits,
        _drawings=_drawings(samples, first),
    )


def _readable(path: Path | None) -> tuple[tuple[Floats, Integers] | None, tuple[str, ...]]:
    """The digits, or what is wrong with their file; Figures 1 and 2 do not need them."""
    if path is None:
        return None, ()
    try:
        return read_digits(path), ()
    except FileError as error:
        found = f" {error.found}." if error.found else ""
        made = f"{HOW[:1].upper()}{HOW[1:]}"
        return None, (f"{error.code}: {error.problem}{found} Figure 3 was left out. {made}",)


def _three_classes(features: Floats, classes: Integers, quick: bool) -> ThreeClasses:
    return ThreeClasses(
        figure_3.first_digits(features, classes),
        figure_3.first_digits(features, classes, scale=True),
        tuple(figure_3.drawn_digits(features, classes, N_DRAWS_QUICK if quick else N_DRAWS)),
    )


def _drawings(samples: dict[int, Sample], digits: Digits | None) -> dict[str, Callable[[], Figure]]:
    found: dict[str, Callable[[], Figure]] = {
        "figure_1": partial(draw_figure_1, samples[FIGURE_1_SIZE]),
        "figure_2": partial(draw_figure_2, [samples[size] for size in FIGURE_2_SIZES]),
    }
    if digits is not None:
        found["figure_3"] = partial(draw_figure_3, digits)
    return found
