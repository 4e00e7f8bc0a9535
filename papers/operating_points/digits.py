"""Figure 3: digits 2, 3 and 5, three principal components, a quadratic classifier, class weights.

The paper does not say which 100 of the 200 digits of each class it used, so the first 100 are taken, and 20
random draws beside them. Nor does it say which point was chosen by hand: here it is the first of the search,
the one whose largest class error is smallest. Points are compared with it by one test for each class; a point
is circled if none of the three rejects.

The digits (Multiple Features, six morphological features) are not part of the package. They are read from a
folder that the user names, or that the environment variable ROCSTEADY_DATA names.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs
from papers.operating_points.two_classes import (
    N_FOLDS,
    PRINTED,
    TESTS,
    Floats,
    Integers,
    Test,
    compared,
    log_density,
)
from papers.paper import Check, Table, simulated
from rocsteady.errors import fail
from rocsteady.points.multiclass import ClassWeightSearch
from rocsteady.points.tables import OperatingPointTable, PointTests
from rocsteady.results import Result
from rocsteady.scores import stratified_folds

# The data -----------------------------------------------------------------------------------------------

DIGITS, N_OF_EACH = (2, 3, 5), 100
FILE, VARIABLE = Path("uci") / "mfeat-mor.csv", "ROCSTEADY_DATA"
HOW = "the file is made from UCI's original by  python -m papers.smroc.fetching DIR mfeat-mor"
NEEDED = (
    f"Figure 3 needs {FILE.as_posix()}: the 2 000 digits of Multiple Features (UCI), columns mor1 to mor6 "
    f"and digit. Name the folder that holds it with --data DIR or the environment variable {VARIABLE}; {HOW}"
)
_SHAPE, _N_OF_EACH_DIGIT = (2000, 7), 200


def digits_file(data: str | os.PathLike[str] | None) -> Path | None:
    """Where the file is, or should be, in the named folder, else that of the environment; None without one.

    RS051 if the folder that was named does not exist.
    """
    named = data or os.environ.get(VARIABLE)  # an empty name, as of a variable that is not set, is none
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        facts: dict[str, Any] = {"folder": folder, "file": FILE.as_posix(), "variable": VARIABLE}
        raise fail("RS051.digits-file" if folder.exists() else "RS051.digits-folder", **facts)
    places = (folder / FILE, folder / FILE.name)
    return next((path for path in places if path.exists()), places[0])


def read_digits(path: Path) -> tuple[Floats, Integers]:
    """The features of digits 2, 3 and 5, 200 of each in the order of the file, and each row's class, 0 to 2.

    RS051 if there is no such file, RS053 if it holds something else.
    """
    if not path.exists():
        raise fail("RS051.digits", path=path, how=HOW)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of NumPy, about a file without rows: refused below
            numbers = np.loadtxt(path, delimiter=",", skiprows=1)
    except (OSError, ValueError) as error:
        raise fail("RS053.digits", path=path, found=str(error), needed=NEEDED) from error
    if numbers.shape != _SHAPE:
        found = f"{numbers.shape} rows and columns instead of {_SHAPE}"
        raise fail("RS053.digits", path=path, found=found, needed=NEEDED)
    rows = [np.flatnonzero(numbers[:, -1] == digit) for digit in DIGITS]
    if any(of_digit.size != _N_OF_EACH_DIGIT for of_digit in rows):
        found = f"not {_N_OF_EACH_DIGIT} rows of each digit in the last column"
        raise fail("RS053.digits", path=path, found=found, needed=NEEDED)
    return numbers[np.concatenate(rows), :-1], np.repeat(np.arange(len(DIGITS)), _N_OF_EACH_DIGIT)


def first_of_each(classes: Integers) -> Integers:
    """The rows of the first 100 of each class."""
    return np.concatenate([np.flatnonzero(classes == c)[:N_OF_EACH] for c in range(len(DIGITS))])


def drawn_of_each(classes: Integers, seed: int) -> Integers:
    """The rows of 100 of each class, drawn without replacement."""
    random = np.random.default_rng(seed)
    rows = (np.flatnonzero(classes == c) for c in range(len(DIGITS)))
    return np.concatenate([random.choice(own, N_OF_EACH, replace=False) for own in rows])


# The classifier: whatever is estimated is estimated on the training rows of a fold alone ----------------


def principal_components(training: Floats, *, scale: bool, n_components: int = 3) -> tuple[Floats, Floats]:
    """Where the training rows lie, and the directions in which they vary most, one column each.

    With ``scale`` every feature is divided by its standard deviation first (a constant one is left as it
    is), and the directions take that in.
    """
    center = training.mean(axis=0)
    sd = training.std(axis=0, ddof=1) if scale else np.ones(training.shape[1])
    sd = np.where(sd > 0, sd, 1.0)
    _, vectors = np.linalg.eigh(np.cov((training - center) / sd, rowvar=False))  # by rising variance
    return center, vectors[:, ::-1][:, :n_components] / sd[:, None]


def quadratic_outputs(features: Floats, classes: Integers, folds: Integers, *, scale: bool = False) -> Floats:
    """Each row's posteriors under a normal model of each class fitted without its fold; priors are equal."""
    logs = np.empty((len(features), int(classes.max()) + 1))
    for fold in np.unique(folds):
        is_test = folds == fold
        center, directions = principal_components(features[~is_test], scale=scale)
        training, rows = ((features[own] - center) @ directions for own in (~is_test, is_test))
        for c in range(logs.shape[1]):
            logs[is_test, c] = log_density(training[classes[~is_test] == c], rows)
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def classify(
    features: Floats, classes: Integers, rows: Integers, seed: int, *, scale: bool = False
) -> rs.MulticlassScores:
    """Cross-validate the classifier on these rows."""
    folds = stratified_folds(classes[rows], N_FOLDS, seed=seed)
    outputs = quadratic_outputs(features[rows], classes[rows], folds, scale=scale)
    names = [str(digit) for digit in DIGITS]
    return rs.MulticlassScores(np.array(names)[classes[rows]], outputs, folds=folds, classes=names)


# The search and its neighbourhoods ----------------------------------------------------------------------

GREEDY, START = "5 steps", "no step"
STEPS = {GREEDY: 5, START: 0}
"""The 100 best of the search, and the 100 best of the 1 000 vectors that it starts with."""
SEARCHES = {GREEDY: "100 best after 5 greedy steps", START: "100 best of 1 000 random vectors"}


@dataclass(frozen=True, eq=False, repr=False)
class Surface(Result):
    """The 100 best weight vectors of a search, best first: errors over folds, tests against the first."""

    search: ClassWeightSearch
    table: OperatingPointTable
    comparisons: dict[str, PointTests]

    def n_indistinguishable(self, test: Test) -> int:
        """How many of the other points the test does not tell from the first."""
        return int(self.comparisons[test.name].indistinguishable.sum()) - 1

    def other_choices(self, test: Test = PRINTED) -> Integers:
        """How many points could not be told apart had each of the 100 points been the chosen one."""
        tests = (compared(self.table, i, "class_error", test) for i in range(len(self.search)))
        return np.array([own.indistinguishable.sum() - 1 for own in tests])


@dataclass(frozen=True, eq=False, repr=False)
class Digits(Result):
    """One dataset of 100 digits of each class: the posteriors, and the surfaces of ``STEPS``."""

    scores: rs.MulticlassScores
    surfaces: dict[str, Surface]

    @property
    def chosen_error(self) -> float:
        """The largest class error at the chosen point, as the search sees it."""
        return float(self.surfaces[GREEDY].search.best.max_error)

    @property
    def nested_error(self) -> float:
        """The same if each fold is decided by weights that were chosen without it."""
        nested = self.surfaces[GREEDY].search.nested
        assert nested is not None
        return float(nested.max_error)

    def readings(self) -> dict[str, float]:
        """The numbers that are compared with what they should be."""
        numbers: dict[str, float] = {}
        for name, own in self.surfaces.items():
            numbers[f"distinct error vectors, {name}"] = own.search.n_distinct
            numbers |= {f"not rejected, {name}, {test.name}": own.n_indistinguishable(test) for test in TESTS}
        errors = zip(DIGITS, self.surfaces[GREEDY].search.best.errors, strict=True)
        numbers |= {f"error of {digit} at the chosen point": error for digit, error in errors}
        numbers["largest class error, as chosen"] = self.chosen_error
        numbers["largest class error, nested"] = self.nested_error
        return {name: float(number) for name, number in numbers.items()}


def analyse(scores: rs.MulticlassScores, seed: int = 0) -> Digits:
    """Search, test, and estimate the errors of the chosen point on folds it was not chosen on."""
    surfaces = {}
    for name, n_steps in STEPS.items():
        search = rs.search_class_weights(scores, n_steps=n_steps, seed=seed, nested=name == GREEDY)
        table = rs.average_multiclass_points(scores, search.class_weights)
        tests = {test.name: compared(table, 0, "class_error", test) for test in TESTS}
        surfaces[name] = Surface(search, table, tests)
    return Digits(scores, surfaces)


def first_digits(features: Floats, classes: Integers, *, scale: bool = False) -> Digits:
    """The first 100 of each digit."""
    return analyse(classify(features, classes, first_of_each(classes), 0, scale=scale))


def drawn_digits(features: Floats, classes: Integers, n_draws: int, seed: int = 0) -> list[dict[str, float]]:
    """What random draws of 100 of each digit give; every draw has its own folds and its own search."""
    return [
        analyse(classify(features, classes, drawn_of_each(classes, own), own), own).readings()
        for own in range(seed, seed + n_draws)
    ]


def long_run(readings: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Means and standard deviations of what many draws gave."""
    columns = {name: np.array([reading[name] for reading in readings]) for name in readings[0]}
    return {
        "n_draws": len(readings),
        "mean": {name: float(values.mean()) for name, values in columns.items()},
        "sd": {name: float(values.std(ddof=1)) for name, values in columns.items()},
    }


def digit_checks(
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
            step, source = (
                (0.005 if "error of" in reading or "class error" in reading else 0.5),
                "half a step",
            )
            source = f"{source}; the seed decides all"
            results.append(Check(section, reading, expected[name][reading], value, step, source))
    long = expected["draws"]
    section = f"Figure 3, {len(draws)} draws of 100 of each digit"
    source = f"{len(draws)} draws and {long['n_draws']} of the long run"
    for reading in draws[0]:
        found = float(np.mean([draw[reading] for draw in draws]))
        error = long["sd"][reading] * np.sqrt(1 / len(draws) + 1 / long["n_draws"])
        check = simulated(section, reading, long["mean"][reading], found, error, source)
        results.append(replace(check, tolerance=check.tolerance + 1e-9))
    return results


def digit_table(first: Digits, scaled: Digits, draws: Sequence[Mapping[str, float]]) -> Table:
    """The readings side by side."""
    spread = long_run(draws)
    columns = (first.readings(), scaled.readings(), spread["mean"], spread["sd"])
    rows = []
    for name in columns[0]:
        places = (2, 2, 3, 3) if "class error" in name or "error of" in name else (0, 0, 1, 1)
        cells = (f"{column[name]:.{n}f}" for column, n in zip(columns, places, strict=True))
        said = name
        for steps, words in SEARCHES.items():
            said = said.replace(f", {steps}", f", {words}")
        rows.append((said, *cells))
    return Table(
        "Figure 3: how many of the 99 other points the sample cannot tell from the chosen one (the first of "
        "the search), and the errors there. Digits 2, 3 and 5, 100 of each.",
        ("", "first 100", "scaled", f"{len(draws)} draws", "sd"),
        tuple(rows),
    )


def scaling_note(first: Digits, scaled: Digits) -> str:
    """What the paper leaves open and the numbers depend on."""
    return (
        "Scaling (section 4.3). Nothing is said about the scales of the six features, which differ by a "
        "factor of 40 000. Components of the raw features, as here, are in effect the sixth, the fourth, "
        "and the sum of the second and third; the largest class error at the chosen point is "
        f"{first.chosen_error:.2f}. With every feature divided by its standard deviation first it is "
        f"{scaled.chosen_error:.2f}: the third component is then a feature that is constant but for a case "
        "or two. Without components there is no quadratic classifier, because that feature has no variance "
        "within two of the classes."
    )


def expected(path: Path, n_draws: int, seed: int) -> dict[str, Any]:
    """The numbers that are stored, each with where it comes from."""
    features, classes = read_digits(path)
    own, long = (
        "our own, seed 0: nothing else is random",
        long_run(drawn_digits(features, classes, n_draws, seed)),
    )
    return {
        "first 100": {"source": own, **first_digits(features, classes).readings()},
        "first 100, scaled": {"source": own, **first_digits(features, classes, scale=True).readings()},
        "draws": {"source": f"our own long run, seeds from {seed}; sd / sqrt(n_draws) is its error", **long},
    }
