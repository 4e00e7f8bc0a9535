"""The whole reproduction of Paclik and others: numbers, checks, claims, tables, figures.

    python -m papers.operating_points.run DIR

prints ``expected.json``, what the reproduction should find: closed forms, the specification's numbers, and a
long run of our own over other samples, with the digits from ``DIR/uci/mfeat-mor.csv``. It takes some minutes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from papers.operating_points import digits, two_classes
from papers.operating_points.claims import claims
from papers.operating_points.digits import GREEDY, HOW, SEARCHES, START, Digits
from papers.operating_points.two_classes import (
    CORRECTED,
    FIGURE_1_SIZE,
    FIGURE_2_SIZES,
    PRINTED,
    Floats,
    Integers,
    Sample,
)
from papers.paper import Figure, Progress, Reproduction, Steps, rounded, stored
from rocsteady.errors import FileError
from rocsteady.figures.class_errors import picture as flat_picture
from rocsteady.figures.class_errors import surface as surface_picture
from rocsteady.figures.operating_points import picture as points_picture
from rocsteady.figures.spec import Entry, Line, Panel, Picture
from rocsteady.figures.style import QUIET
from rocsteady.options import yes_or_no
from rocsteady.simulate import highleyman_rates
from rocsteady.text import Quote, phrase

PAPER = (
    "Paclik, Lai, Novovicova and Duin, Variance estimation for two-class and multi-class ROC analysis "
    "using operating point averaging"
)
FIGURES = ("figure_1", "figure_2", "figure_3")
N_REPLICATES, N_REPLICATES_QUICK = 2000, 300
N_LARGE_SAMPLES, N_LARGE_SAMPLES_QUICK = 100, 20
N_DRAWS, N_DRAWS_QUICK = 20, 5
N_TESTS, N_TESTS_QUICK = 200_000, 20_000
LONG_SEED, LONG_REPLICATES, LONG_DRAWS = 10**6, 20_000, 400


def reproduce_operating_points(
    *, quick: bool = False, data: str | os.PathLike[str] | None = None, progress: Progress | None = None
) -> Reproduction:
    """Compute the figures, the repeated studies, the errata and the claims; hold them against expectations.

    Parameters
    ----------
    quick : bool
        Repeat the study 300 times instead of 2,000, and draw fewer samples of everything.
    data : path, optional
        The folder that holds ``uci/mfeat-mor.csv``; by default that of the environment variable
        ROCSTEADY_DATA. Without it Figure 3 is left out, and so it is where the folder does not hold the file
        or the file holds something else. RS051 if a folder is named that does not exist.
    progress : callable, optional
        Told ``(done, total, what)`` while it goes on.
    """
    quick = yes_or_no("quick", quick)
    path = digits.digits_file(data)  # a folder that does not exist is said before the work
    read, damaged = _readable(path)
    expected, samples = stored(__file__), two_classes.samples()
    n_replicates = N_REPLICATES_QUICK if quick else N_REPLICATES
    steps = Steps(len(FIGURE_2_SIZES) * n_replicates + 2, progress)
    repeated = tuple(
        two_classes.replicates(
            size, n_replicates, after_each=partial(steps.step, f"studies with {size} per class")
        )
        for size in FIGURE_2_SIZES
    )
    n_large, n_tests = (N_LARGE_SAMPLES_QUICK, N_TESTS_QUICK) if quick else (N_LARGE_SAMPLES, N_TESTS)
    checks = two_classes.limit_checks(expected["limit"]["fpr"], n_large)
    checks += two_classes.sample_checks(samples.values())
    checks += two_classes.replicate_checks(repeated, expected["figure 2"])
    steps.step("digits")
    tables, notes, figures = [two_classes.replicate_table(repeated)], [], _figures(samples)
    numbers: dict[str, Any] = {
        "figure 1": samples[FIGURE_1_SIZE],
        "figure 2": [samples[size] for size in FIGURE_2_SIZES],
        "figure 2, repeated": repeated,
        "figure 3": None,
    }
    first = None
    if read is not None:
        first, scaled = (digits.first_digits(*read, scale=scale) for scale in (False, True))
        draws = digits.drawn_digits(*read, N_DRAWS_QUICK if quick else N_DRAWS)
        checks += digits.digit_checks(first, scaled, draws, expected["figure 3"])
        tables.append(digits.digit_table(first, scaled, draws))
        notes.append(digits.scaling_note(first, scaled))
        figures.append(_figure_3(first))
        readings = {"first 100": first.readings(), "first 100, scaled": scaled.readings(), "draws": draws}
        numbers["figure 3"] = readings
    checks += two_classes.errata_checks(expected["errata"], n_tests)
    steps.step("claims")
    return Reproduction(
        name="operating-points",
        paper=PAPER,
        is_quick=quick,
        checks=tuple(checks),
        claims=claims(samples, repeated, first),
        tables=tuple(tables),
        figures=tuple(figures),
        notes=tuple(notes),
        skipped=(digits.NEEDED,) if path is None else (),
        damaged=damaged,
        numbers=numbers,
    )


def _readable(path: Path | None) -> tuple[tuple[Floats, Integers] | None, tuple[str, ...]]:
    """The digits, or what is wrong with their file; Figures 1 and 2 do not need them."""
    if path is None:
        return None, ()
    try:
        return digits.read_digits(path), ()
    except FileError as error:
        found = f" {error.found}." if error.found else ""
        made = f"{HOW[:1].upper()}{HOW[1:]}"
        return None, (f"{error.code}: {error.problem}{found} Figure 3 was left out. {made}",)


# Figures ------------------------------------------------------------------------------------------------


def _figures(samples: Mapping[int, Sample]) -> list[Figure]:
    return [
        Figure(
            "figure_1",
            "Mean ROC with standard deviations of the mean estimated for the Gaussian detector on class 1 of "
            "the Highleyman problem.",
            "A sample of our own. The 30 thresholds are taken evenly by rank. Added: the curve of the "
            "detector whose model is the true one.",
            partial(picture_1, samples[FIGURE_1_SIZE]),
        ),
        Figure(
            "figure_2",
            "Testing statistical significance of differences between FPr of the manually-selected operating "
            "point at TPr=0.9 and the remaining points on the ROC with variances.",
            "Samples of our own. The selected point is the strictest with a mean TPR of at least 0.9. Left "
            "50 per class, right 200. Added: the lower row, by a test with n - 1 degrees of freedom that "
            "allows for the training cases which folds share.",
            partial(picture_2, [samples[size] for size in FIGURE_2_SIZES]),
        ),
    ]


def _figure_3(first: Digits) -> Figure:
    return Figure(
        "figure_3",
        "Testing significance of performance differences for three-class ROC.",
        "The first 100 of each digit; the paper does not say which it used. The selected point is the one "
        "whose largest class error is smallest. Above the 100 best of 1 000 random weight vectors, which "
        "look like the paper's figure; below those after five greedy steps. Added: the same errors flat, at "
        "the right.",
        partial(picture_3, first),
    )


def picture_1(sample: Sample) -> Picture:
    """Figure 1: means of ten folds with standard errors, beside the limit for ever more cases."""
    made = points_picture(sample.table)
    [panel] = made.panels
    limit = Line(*highleyman_rates(np.linspace(0.0, 8.0, 400)), look=QUIET, width=1.0, dash=(4, 2))
    assert panel.key is not None
    key = replace(panel.key, notes=(Entry(phrase("limit for many cases"), limit), *panel.key.notes))
    title = Quote(f"Gaussian detector on class 1, {sample.n_per_class} per class")
    return replace(made, panels=(replace(panel, marks=(limit, *panel.marks), key=key, title=title),))


def picture_2(samples: list[Sample]) -> Picture:
    """Figure 2: both sizes, under the test as printed and under one that allows for shared training cases."""
    panels: list[Panel] = []
    for test, words in ((PRINTED, "df 18, as printed"), (CORRECTED, "df 9, Nadeau-Bengio")):
        for own in samples:
            [panel] = points_picture(own.table, comparison=own.comparisons[test.name]).panels
            panels.append(replace(panel, title=Quote(f"{own.n_per_class} per class; {words}")))
    return Picture(tuple(panels), columns=2, width=7.2, description=phrase("Points that a test tells apart"))


def picture_3(found: Digits) -> Picture:
    """Figure 3: errors of the three digits in space and flat, before and after the greedy steps."""
    panels: list[Panel] = []
    for name in (START, GREEDY):
        own = found.surfaces[name]
        for draw in (surface_picture, flat_picture):
            [panel] = draw(own.table, comparison=own.comparisons[PRINTED.name]).panels
            panels.append(replace(panel, title=Quote(SEARCHES[name] if not len(panels) % 2 else "")))
    highest = max(panel.y.high or 0.0 for panel in panels[1::2])  # one scale for both rows
    panels[1::2] = [replace(panel, y=replace(panel.y, high=highest)) for panel in panels[1::2]]
    description = phrase("Errors of three classes at every operating point")
    return Picture(tuple(panels), columns=2, width=7.2, description=description)


# What should be found -----------------------------------------------------------------------------------


def expected(
    data: str | Path | None, n_replicates: int = LONG_REPLICATES, n_draws: int = LONG_DRAWS
) -> dict[str, Any]:
    """The numbers of ``expected.json`` again."""
    path = digits.digits_file(data)
    if path is None:
        raise SystemExit("name the folder that holds uci/mfeat-mor.csv")
    own = two_classes.expected(n_replicates, LONG_SEED)
    return {**own, "figure 3": digits.expected(path, n_draws, LONG_SEED)}


if __name__ == "__main__":
    print(json.dumps(rounded(expected(sys.argv[1] if len(sys.argv) > 1 else None)), indent=1))
