"""What the slides print, number by number, and what these numbers imply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import ndtri

from rocsteady.text import ML, Spss

N_PER_GROUP = 300
VARIABLE, STATE = "Normal.mix", "State.real"
"""What the slides call the test result and the state in SPSS."""


@dataclass(frozen=True)
class Group:
    """A row of SPSS's "Group Statistics"."""

    name: str
    n: int
    mean: float
    sd: float
    standard_error: float


HEALTHY = Group("Healthy", N_PER_GROUP, 1.3218, 0.16016, 0.00925)
DISEASED = Group("Diseased", N_PER_GROUP, 1.7288, 0.17743, 0.01024)

AREA = {"area": 0.955, "standard_error": 0.007, "pvalue": 0.0, "low": 0.941, "high": 0.969}
"""SPSS's "Area Under the Curve"."""
AREA_PLACES = 3
CUTOFF_PLACES = 4

FIRST_ROWS = ((-0.1701, 1.0, 1.0), (0.8657, 1.0, 0.997), (0.9194, 1.0, 0.993), (0.9585, 1.0, 0.990))
"""The start of "Coordinates of the Curve": cut-off, sensitivity, 1 - specificity."""
CORNER_ROWS = (
    (1.4761, 0.920, 0.177),
    (1.4773, 0.920, 0.173),
    (1.4791, 0.917, 0.173),
    (1.4807, 0.913, 0.173),
    (1.4816, 0.913, 0.170),
    (1.4821, 0.913, 0.167),
    (1.4838, 0.913, 0.163),
    (1.4856, 0.913, 0.160),
    (1.4869, 0.913, 0.157),
    (1.4886, 0.910, 0.157),
    (1.4894, 0.910, 0.153),
    (1.4897, 0.910, 0.150),
    (1.4899, 0.910, 0.147),
    (1.4911, 0.910, 0.143),
    (1.4933, 0.910, 0.140),
    (1.4952, 0.907, 0.140),
    (1.4974, 0.903, 0.140),
    (1.4991, 0.903, 0.137),
    (1.5006, 0.900, 0.137),
    (1.5028, 0.900, 0.133),
    (1.5035, 0.897, 0.133),
    (1.5037, 0.897, 0.130),
    (1.5051, 0.893, 0.130),
    (1.5065, 0.893, 0.127),
    (1.5070, 0.890, 0.127),
)
"""The rows of the same table that the slide shows around the corner of the curve; it leaves out others."""

TEN_SCORES = (0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25)
TEN_LABELS = ("+", "+", "-", "-", "-", "+", "-", "+", "-", "+")
TEN_COLUMNS = (
    # threshold, TP, FP, TN, FN, TPR, FPR; the loosest first, as on the slide
    (0.25, 5, 5, 0, 0, 1.0, 1.0),
    (0.43, 4, 5, 0, 1, 0.8, 1.0),
    (0.53, 4, 4, 1, 1, 0.8, 0.8),
    (0.76, 3, 4, 1, 2, 0.6, 0.8),
    (0.85, 3, 3, 2, 2, 0.6, 0.6),
    (0.85, 3, 2, 3, 2, 0.6, 0.4),
    (0.85, 3, 1, 4, 2, 0.6, 0.2),
    (0.87, 2, 1, 4, 3, 0.4, 0.2),
    (0.93, 2, 0, 5, 3, 0.4, 0.0),
    (0.95, 1, 0, 5, 4, 0.2, 0.0),
    (1.00, 0, 0, 5, 5, 0.0, 0.0),
)
"""The table "How to construct an ROC curve", a row here for a column there."""
ARROWS = (0.76, 3, 4, 2, 1)
"""The threshold whose cases the slide marks with arrows; how many are TP, FP, FN and TN."""


# What follows ---------------------------------------------------------------------------------------------


def spelled(value: float, places: int) -> str:
    """A number with SPSS's digits.

    >>> spelled(0.955, 3), spelled(-0.1701, 4), spelled(1.3218, 4)
    ('.955', '-.1701', '1.3218')
    """
    return Spss(float(value), places).spell(ML)


def implied_standard_error() -> tuple[float, float]:
    """The standard errors that fit the printed interval: between these two, by its rounding."""
    z, half = float(ndtri(0.975)), 0.5 * 10.0**-AREA_PLACES
    width = AREA["high"] - AREA["low"]
    return (width - 2 * half) / (2 * z), (width + 2 * half) / (2 * z)


def printed_counts(rows: Sequence[tuple[float, float, float]]) -> tuple[list[int], list[int]]:
    """The positives and negatives beyond each printed cut-off: the rates are of 300 cases."""
    return [round(N_PER_GROUP * row[1]) for row in rows], [round(N_PER_GROUP * row[2]) for row in rows]


def first_scores() -> list[float]:
    """The lowest scores, worked back from the first cut-offs: min - 1, then one midpoint after the other."""
    found = [FIRST_ROWS[0][0] + 1]
    for middle, *_ in FIRST_ROWS[1:]:
        found.append(2 * middle - found[-1])
    return found
