"""Figure 3: digits 2, 3 and 5, three principal components, a quadratic classifier, class weights.

The paper does not say which 100 of the 200 digits of each class it used, so the first 100 are taken, and 20
random draws beside them. Nor does it say which point was chosen by hand: here it is the first of the search,
the one whose largest class error is smallest. Points are compared with it by one test for each class; a point
is circled if none of the three rejects.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rocsteady as rs
from papers.checks import Check, simulated
from papers.operating_points.digits import DIGITS, drawn_of_each, first_of_each
from papers.operating_points.models import quadratic_outputs
from papers.operating_points.parameters import LEVEL, N_FOLDS, PRINTED, TESTS, Test
from papers.reproduction import Tabulated
from rocsteady.errors import RocsteadyWarning
from rocsteady.points.multiclass import (
    ClassWeightSearch,
    NestedErrors,
    average_multiclass_points,
    search_class_weights,
)
from rocsteady.points.tables import OperatingPointTable, PointTests
from rocsteady.results import Result
from rocsteady.scores import stratified_folds
from rocsteady.words import listed

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
STEPS = {"5 steps": 5, "no step": 0}
"""The 100 best of the search, and the 100 best of the 1 000 vectors that it starts with."""
SEARCHES = {"5 steps": "100 best after 5 greedy steps", "no step": "100 best of 1 000 random vectors"}
"""The same in words."""
GREEDY, START = STEPS
"""Points that are compared with the chosen one."""


@dataclass(frozen=True, eq=False, repr=False)
class Surface(Result):
    """The 100 best weight vectors of a search, with their errors over folds and tests against the first.

    Attributes
    ----------
    search : ClassWeightSearch
        What was kept, best first.
    table : OperatingPointTable
        Errors of each class, over folds.
    comparisons : dict
        The first point against the others by the three class errors, by the name of the test.
    """

    search: ClassWeightSearch
    table: OperatingPointTable
    comparisons: dict[str, PointTests]

    def n_indistinguishable(self, test: str) -> int:
        """How many of the other points the test does not tell from the chosen one."""
        return int(self.comparisons[test].indistinguishable.sum()) - 1

    def __repr__(self) -> str:
        return f"Surface({self.search!r})"


@dataclass(frozen=True, eq=False, repr=False)
class Digits(Result):
    """One dataset of 100 digits of each class.

    Attributes
    ----------
    scores : MulticlassScores
        The classifier's posteriors, fold by fold.
    surfaces : dict
        By ``STEPS``.
    nested : NestedErrors
        The errors of a point that is chosen anew without the fold it is judged on.
    """

    scores: rs.MulticlassScores
    surfaces: dict[str, Surface]
    nested: NestedErrors

    def readings(self) -> dict[str, float]:
        """The numbers that are compared with what they should be."""
        numbers: dict[str, float] = {}
        for name, surface in self.surfaces.items():
            numbers[f"distinct error vectors, {name}"] = surface.search.n_distinct
            numbers |= {
                f"not rejected, {name}, {test.name}": surface.n_indistinguishable(test.name) for test in TESTS
            }
        best = self.surfaces[GREEDY].search.best
        numbers |= {
            f"error of {digit} at the chosen point": float(error)
            for digit, error in zip(DIGITS, best.errors, strict=True)
        }
        numbers["largest class error, as chosen"] = best.max_error
        numbers["largest class error, nested"] = self.nested.max_error
        return {name: float(number) for name, number in numbers.items()}

    def __repr__(self) -> str:
        return f"Digits({self.scores!r})"


def classify(
    features: Floats, classes: Integers, rows: Integers, seed: int, *, scale: bool = False
) -> rs.MulticlassScores:
    """Cross-validate the classifier on these rows; principal components are those of each training part."""
    folds = stratified_folds(classes[rows], N_FOLDS, seed=seed)
    outputs = quadratic_outputs(features[rows], classes[rows], folds, scale=scale)
    labels = np.array([str(digit) for digit in DIGITS])[classes[rows]]
    return rs.MulticlassScores(labels, outputs, folds=folds, classes=[str(digit) for digit in DIGITS])


def analyse(scores: rs.MulticlassScores, seed: int = 0) -> Digits:
    """Search, test, and estimate the errors of the chosen point on folds it was not chosen on."""
    surfaces = {}
    for name, n_steps in STEPS.items():
        search = search_class_weights(scores, n_steps=n_steps, seed=seed, nested=name == GREEDY)
        table = average_multiclass_points(scores, search.class_weights)
        surfaces[name] = Surface(search, table, {test.name: _compared(table, test) for test in TESTS})
    nested = surfaces[GREEDY].search.nested
    assert nested is not None
    return Digits(scores, surfaces, nested)


def _compared(table: OperatingPointTable, test: Test, chosen: int = 0) -> PointTests:
    with warnings.catch_warnings():
        # An error may differ by the same amount in every fold, by one case of ten for example: RS245.
        warnings.simplefilter("ignore", RocsteadyWarning)
        return table.compare_to(
            chosen,
            "class_error",
            alpha=LEVEL,
            df=test.df,
            test_train_ratio=test.test_train_ratio,
            adjust=test.adjust,
            combine="and",
        )


def first_digits(features: Floats, classes: Integers, *, scale: bool = False) -> Digits:
    """The first 100 of each digit."""
    return analyse(classify(features, classes, first_of_each(classes), 0, scale=scale))


def drawn_digits(features: Floats, classes: Integers, n_draws: int, seed: int = 0) -> list[dict[str, float]]:
    """What random draws of 100 of each digit give; every draw has its own folds and its own search."""
    return [
        analyse(classify(features, classes, drawn_of_each(classes, seed + i), seed + i), seed + i).readings()
        for i in range(n_draws)
    ]


def other_choices(surface: Surface, test: Test = PRINTED) -> Integers:
    """How many points could not be told apart had each of the 100 points been the chosen one."""
    return np.array(
        [_compared(surface.table, test, i).indistinguishable.sum() - 1 for i in range(len(surface.search))]
    )


def long_run(readings: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Means and standard deviations of what many draws gave."""
    names = list(readings[0])
    columns = {name: np.array([reading[name] for reading in readings]) for name in names}
    return {
        "n_draws": len(readings),
        "mean": {name: float(values.mean()) for name, values in columns.items()},
        "sd": {name: float(values.std(ddof=1)) for name, values in columns.items()},
    }


def checks(
    first: Digits, scaled: Digits, draws: Sequence[Mapping[str, float]], expected: Mapping[str, Any]
) -> list[Check]:
    """The first 100 of each digit, exactly; means over random draws, within their Monte-Carlo error."""
    results = []
    for own, name, section in (
        (first, "first 100", "Figure 3, the first 100 of each digit"),
        (scaled, "first 100, scaled", "Figure 3, the first 100, features scaled first"),
    ):
        for reading, value in own.readings().items():
            # Counts and multiples of 0.01: half a step is more than rounding can do.
            tolerance = 0.005 if "error of" in reading or "class error" in reading else 0.5
            source = "half a step; the seed decides all"
            results.append(Check(section, reading, expected[name][reading], value, tolerance, source))
    long = expected["draws"]
    section = f"Figure 3, {len(draws)} draws of 100 of each digit"
    for reading in draws[0]:
        found = float(np.mean([draw[reading] for draw in draws]))
        error = long["sd"][reading] * np.sqrt(1 / len(draws) + 1 / long["n_draws"])
        source = f"{len(draws)} draws and {long['n_draws']} of the long run"
        check = simulated(section, reading, long["mean"][reading], found, error, source)
        results.append(replace(check, tolerance=check.tolerance + 1e-9))
    return results


def tabulated(first: Digits, scaled: Digits, draws: Sequence[Mapping[str, float]]) -> Tabulated:
    """The readings side by side, as a table to print."""
    spread = long_run(draws)
    columns = (first.readings(), scaled.readings(), spread["mean"], spread["sd"])
    sections: dict[str, list[tuple[str, ...]]] = {}
    for name in columns[0]:
        heading = next((words for key, words in SEARCHES.items() if f", {key}" in name), "errors")
        shown = name
        for key in STEPS:
            shown = shown.replace(f", {key}", "")
        places = (2, 2, 3, 3) if heading == "errors" else (0, 0, 1, 1)
        cells = [f"{column[name]:.{n}f}" for column, n in zip(columns, places, strict=True)]
        sections.setdefault(heading, []).append((shown, *cells))
    return Tabulated(
        f"Digits {listed([str(digit) for digit in DIGITS])}, 100 of each: how many of the 99 other points "
        "can the sample not tell from the chosen one (the first of the search), and how large are the errors "
        "there?",
        ("", "first 100", "scaled", f"{len(draws)} draws", "sd"),
        tuple((heading, tuple(rows)) for heading, rows in sections.items()),
    )
