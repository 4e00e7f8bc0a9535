"""SPSS's three tables of the example, for a sample of our own: groups, area, coordinates of the curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from papers.checks import Check, exact
from papers.reproduction import Tabulated
from papers.slides import printed
from papers.slides.parameters import EXAMPLE
from papers.slides.printed import Group
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.readings import Coordinates
from rocsteady.curves.roc import RocCurve
from rocsteady.results import Result
from rocsteady.simulate import standard_normal_nodes
from rocsteady.statistics.limits import t_quantile

Floats = NDArray[np.float64]
SEED = 0
MOST_SAMPLES = 2000
"""Where the search for a sample that prints like the slides' ends; a few in a thousand do."""
PRINTED = "SPSS tables, as printed"


@dataclass(frozen=True, eq=False, repr=False)
class SpssTables(Result):
    """A sample of the example, and what SPSS would print of it.

    Attributes
    ----------
    seed : int
        Of the sample.
    groups : (Group, Group)
        Healthy and diseased: number, mean, standard deviation, standard error of the mean.
    area, standard_error, pvalue, low, high : float
        The area, its nonparametric standard error, the test against 1/2 and the 95 % interval.
    coordinates : Coordinates
        The curve at its cut-offs.
    """

    seed: int
    groups: tuple[Group, Group]
    area: float
    standard_error: float
    pvalue: float
    low: float
    high: float
    coordinates: Coordinates
    _curve: RocCurve

    @property
    def curve(self) -> RocCurve:
        """The curve itself."""
        return self._curve

    def prints_alike(self) -> bool:
        """Whether the table of the area shows the numbers that the slides show."""
        return all(
            in_spss(getattr(self, name), printed.AREA_PLACES) == in_spss(value, printed.AREA_PLACES)
            for name, value in printed.AREA.items()
        )

    def __repr__(self) -> str:
        return (
            f"SpssTables(sample {self.seed}: area {self.area:.3f}, standard error {self.standard_error:.4f})"
        )


def in_spss(value: float, places: int) -> str:
    """A number as SPSS writes it: no 0 before the point.

    >>> in_spss(0.955, 3), in_spss(-0.1701, 4), in_spss(1.3218, 4)
    ('.955', '-.1701', '1.3218')
    """
    text = f"{value:.{places}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 and not text.lstrip("-").startswith("1") else text


def spss_tables(seed: int = SEED) -> SpssTables:
    """Draw 300 healthy and 300 diseased, and make the three tables."""
    n = printed.N_PER_GROUP
    labels, scores = EXAMPLE.draw(n, n, seed)
    curve = roc_curve(labels, scores)
    error = curve.auc_standard_error("nonparametric")
    half = t_quantile(np.inf, 0.95) * error
    return SpssTables(
        seed,
        (_group("Healthy", scores[~labels]), _group("Diseased", scores[labels])),
        curve.auc,
        error,
        curve.auc_null_test().pvalue,
        max(curve.auc - half, 0.0),
        min(curve.auc + half, 1.0),
        curve.coordinates(),
        curve,
    )


def _group(name: str, values: Floats) -> Group:
    sd = float(values.std(ddof=1))
    return Group(name, values.size, float(values.mean()), sd, sd / math.sqrt(values.size))


def first_alike() -> SpssTables:
    """The first of samples 0, 1, 2, ... whose table of the area looks like the slides'."""
    for seed in range(MOST_SAMPLES):
        tables = spss_tables(seed)
        if tables.prints_alike():
            return tables
    raise RuntimeError(f"none of {MOST_SAMPLES} samples prints the area table of the slides")


def implied_standard_error() -> tuple[float, float]:
    """The standard errors that fit the printed interval: between these two, by its rounding."""
    z, half = float(ndtri(0.975)), 0.5 * 10.0**-printed.AREA_PLACES
    width = printed.AREA["high"] - printed.AREA["low"]
    return (width - 2 * half) / (2 * z), (width + 2 * half) / (2 * z)


def printed_counts(rows: tuple[tuple[float, float, float], ...]) -> tuple[list[int], list[int]]:
    """The positives and negatives beyond each printed cut-off: the rates are of 300 cases."""
    n = printed.N_PER_GROUP
    return [round(n * row[1]) for row in rows], [round(n * row[2]) for row in rows]


def first_scores() -> list[float]:
    """The lowest scores, worked back from the first cut-offs: min - 1, then one midpoint after the other."""
    cutoffs = [row[0] for row in printed.FIRST_ROWS]
    found = [cutoffs[0] + 1]
    for middle in cutoffs[1:]:
        found.append(2 * middle - found[-1])
    return found


def checks(sample: SpssTables) -> list[Check]:
    """What the printed tables say about each other, and that our table is made in the same way."""
    results = []
    for group in (printed.HEALTHY, printed.DISEASED):
        name = f"{group.name}: standard error of the mean is sd / sqrt(n)"
        found = group.sd / math.sqrt(group.n)
        results.append(Check(PRINTED, name, group.standard_error, found, 5.3e-6, "rounding of both"))
    tp, fp = printed_counts(printed.CORNER_ROWS)
    steps = [a - b + c - d for a, b, c, d in zip(tp, tp[1:], fp, fp[1:], strict=False)]
    largest = max(abs(rate - round(300 * rate) / 300) for _, *rates in printed.CORNER_ROWS for rate in rates)
    results += [
        Check(PRINTED, "rates are shares of 300: largest gap", 0.0, largest, 5e-4 + 1e-9, "three digits"),
        exact(PRINTED, "cases between neighbouring rows, smallest", 1, min(steps)),
        exact(PRINTED, "cases between neighbouring rows, largest", 1, max(steps)),
    ]
    table, scores = sample.coordinates, np.sort(sample.curve.thresholds[1:])
    middles = (scores[:-1] + scores[1:]) / 2
    ours = "SPSS tables, a sample of ours"
    strictly = sample.curve.rates_at(table.cutoffs, rule=">")
    loosely = sample.curve.rates_at(table.cutoffs)
    gap = max(np.abs(strictly.tpr - loosely.tpr).max(), np.abs(strictly.fpr - loosely.fpr).max())
    return [
        *results,
        exact(ours, "cut-offs: one more than scores", scores.size + 1, table.cutoffs.size),
        exact(ours, "first cut-off is the lowest score - 1", scores[0] - 1, table.cutoffs[0]),
        exact(ours, "last cut-off is the highest score + 1", scores[-1] + 1, table.cutoffs[-1]),
        exact(ours, "others are midpoints: largest gap", 0.0, np.abs(table.cutoffs[1:-1] - middles).max()),
        exact(ours, ">= and > at the cut-offs: largest gap", 0.0, float(gap)),
    ]


def population_checks(expected: Mapping[str, Any]) -> list[Check]:
    """The closed forms, and the same by quadrature."""
    n, section = printed.N_PER_GROUP, "SPSS example, population"
    specified, source = expected["specification"], "six digits of the specification"
    area, error = EXAMPLE.partial_auc(0.0, 1.0), EXAMPLE.auc_standard_error(n, n)
    by_quadrature = "quadrature; nine digits"
    return [
        Check(section, "area", specified["area"], EXAMPLE.auc, 6e-7, source),
        Check(section, "standard error, 300 + 300", specified["standard error"], error, 6e-7, source),
        Check(section, "area, by quadrature", expected["area"], area, 1e-8, by_quadrature),
        Check(
            section,
            "standard error, by quadrature",
            expected["standard error"],
            _integrated_error(n),
            1e-8,
            by_quadrature,
        ),
    ]


def _integrated_error(n: int) -> float:
    """The standard error of the area from the chances that two pairs share a case, each integrated."""
    points, weights = standard_normal_nodes()
    at_negatives = EXAMPLE.tpr(EXAMPLE.negative_mean + EXAMPLE.negative_sd * points)
    at_positives = 1 - EXAMPLE.fpr(EXAMPLE.positive_mean + EXAMPLE.positive_sd * points)
    area = float((weights * at_negatives).sum())
    excess = float((weights * (at_negatives**2 + at_positives**2)).sum()) - 2 * area**2
    return math.sqrt((area * (1 - area) + (n - 1) * excess) / n**2)


def tabulated(sample: SpssTables, alike: SpssTables) -> list[Tabulated]:
    """The three tables in SPSS's layout, what the slides printed beside ours."""
    return [_groups(sample), _areas(sample, alike), _coordinates(sample)]


def _groups(sample: SpssTables) -> Tabulated:
    n = printed.N_PER_GROUP
    population = (
        Group("Healthy", n, EXAMPLE.negative_mean, EXAMPLE.negative_sd, EXAMPLE.negative_sd / n**0.5),
        Group("Diseased", n, EXAMPLE.positive_mean, EXAMPLE.positive_sd, EXAMPLE.positive_sd / n**0.5),
    )
    sections = (
        ("printed on the slides", (printed.HEALTHY, printed.DISEASED)),
        (f"sample {sample.seed} of ours", sample.groups),
        ("population", population),
    )
    return Tabulated(
        "Group Statistics: the blood substance by real state.",
        ("State.real", "N", "Mean", "Std. Deviation", "Std. Error Mean"),
        tuple((heading, tuple(_group_cells(group) for group in groups)) for heading, groups in sections),
    )


def _group_cells(group: Group) -> tuple[str, ...]:
    numbers = (in_spss(group.mean, 4), in_spss(group.sd, 5), in_spss(group.standard_error, 5))
    return (group.name, str(group.n), *numbers)


def _areas(sample: SpssTables, alike: SpssTables) -> Tabulated:
    names, places = tuple(printed.AREA), printed.AREA_PLACES
    n = printed.N_PER_GROUP
    population = (in_spss(EXAMPLE.auc, 6), in_spss(EXAMPLE.auc_standard_error(n, n), 6), "", "", "")
    rows = (
        ("printed on the slides", *(in_spss(printed.AREA[name], places) for name in names)),
        *(
            (f"sample {own.seed} of ours", *(in_spss(getattr(own, name), places) for name in names))
            for own in dict.fromkeys((sample, alike))
        ),
        ("population", *population),
    )
    return Tabulated(
        "Area Under the Curve. Standard error under the nonparametric assumption; null hypothesis: true "
        f"area = 0.5; asymptotic 95 % interval. Sample {alike.seed} is the first that prints what the slides "
        "print.",
        ("blood substance", "Area", "Std. Error", "Asymptotic Sig.", "Lower", "Upper"),
        (("", rows),),
    )


def _coordinates(sample: SpssTables) -> Tabulated:
    table = sample.coordinates
    rows = list(
        zip(
            table.cutoffs.tolist(),
            table.sensitivity.tolist(),
            table.one_minus_specificity.tolist(),
            strict=True,
        )
    )
    start = int(np.abs(table.cutoffs - printed.CORNER_ROWS[0][0]).argmin())
    corner = rows[start : start + len(printed.CORNER_ROWS)]
    return Tabulated(
        f"Coordinates of the Curve: sample {sample.seed} of ours, and what the slides printed. Cut-offs are "
        "midpoints of neighbouring scores, the first is the lowest score - 1, the last the highest + 1.",
        (
            "Positive if ≥",
            "Sensitivity",
            "1 - Specificity",
            "slides: ≥",
            "Sens.",
            "1 - Spec.",
        ),
        (
            ("first rows", _beside(rows[: len(printed.FIRST_ROWS)], printed.FIRST_ROWS)),
            ("around the corner", _beside(corner, printed.CORNER_ROWS)),
            ("last row", ((*_coordinate_cells(rows[-1]), "not shown", "", ""),)),
        ),
    )


def _beside(
    own: list[tuple[float, float, float]], theirs: tuple[tuple[float, float, float], ...]
) -> tuple[tuple[str, ...], ...]:
    pairs = zip(own, theirs, strict=True)
    return tuple((*_coordinate_cells(left), *_coordinate_cells(right)) for left, right in pairs)


def _coordinate_cells(row: tuple[float, float, float]) -> tuple[str, str, str]:
    return in_spss(row[0], printed.CUTOFF_PLACES), in_spss(row[1], 3), in_spss(row[2], 3)
