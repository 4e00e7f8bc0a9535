"""Are the printed numbers those of a sample? How often a sample is at least as far from its population."""

from __future__ import annotations

import math
from dataclasses import dataclass

from papers.checks import Check
from papers.reproduction import Tabulated
from papers.slides import printed
from papers.slides.normals import CutPoint
from papers.slides.parameters import EXAMPLE, PLAUSIBLE
from papers.slides.replicates import Replicates
from papers.slides.spss import first_scores

SECTION = "Printed numbers, how often a sample is as far out"
POPULATIONS = (
    (printed.HEALTHY, EXAMPLE.negative_mean, EXAMPLE.negative_sd),
    (printed.DISEASED, EXAMPLE.positive_mean, EXAMPLE.positive_sd),
)


@dataclass(frozen=True)
class Plausible:
    """A printed number.

    Attributes
    ----------
    name : str
        What it is.
    shown, usual : float
        As printed; what the population, or the mean of samples, has.
    chance : float
        How often a sample is at least as far out, on either side.
    source : str
        ``"exact"``, or the samples it was counted in.
    """

    name: str
    shown: float
    usual: float
    chance: float
    source: str

    @property
    def holds(self) -> bool:
        """Whether that is often enough."""
        return self.chance > PLAUSIBLE


def in_closed_form() -> list[Plausible]:
    """Means, standard deviations and the lowest score."""
    from scipy.special import chdtr, ndtr

    results = []
    for group, mean, sd in POPULATIONS:
        z = (group.mean - mean) / (sd / math.sqrt(group.n))
        chance = float(2 * ndtr(-abs(z)))
        results.append(Plausible(f"{group.name}: mean", group.mean, mean, chance, "exact"))
        below = float(chdtr(group.n - 1, (group.n - 1) * (group.sd / sd) ** 2))
        results.append(Plausible(f"{group.name}: sd", group.sd, sd, 2 * min(below, 1 - below), "exact"))
    lowest, n = first_scores()[0], printed.N_PER_GROUP
    below = float(ndtr((lowest - EXAMPLE.negative_mean) / EXAMPLE.negative_sd))
    lower = 1 - (1 - below) ** n
    results.append(Plausible("lowest score", lowest, usual_lowest(), 2 * min(lower, 1 - lower), "exact"))
    return results


def usual_lowest() -> float:
    """The median of the lowest of 300 healthy."""
    from scipy.special import ndtri

    share = 1 - 0.5 ** (1 / printed.N_PER_GROUP)
    return float(EXAMPLE.negative_mean + EXAMPLE.negative_sd * ndtri(share))


def plausibility(found: Replicates, youden: CutPoint) -> tuple[Plausible, ...]:
    """Every printed number that a sample decides; ``youden`` is the best of the rows shown."""
    source = f"{found.n_replicates} samples"
    counted = (
        ("area", "area", printed.AREA["area"], EXAMPLE.auc),
        ("largest J, of the rows shown", "youden index", youden.youden, found.mean["youden index"]),
        ("its cut-off", "youden cut-off", youden.threshold, found.mean["youden cut-off"]),
    )
    rows = [
        Plausible(name, shown, usual, found.tail(reading, shown), source)
        for name, reading, shown, usual in counted
    ]
    return (*in_closed_form(), *rows)


def checks(expected: dict[str, float]) -> list[Check]:
    """Those in closed form."""
    return [
        Check(SECTION, own.name, expected[own.name], own.chance, 1e-8, "closed form; nine digits")
        for own in in_closed_form()
    ]


def tabulated(rows: tuple[Plausible, ...]) -> Tabulated:
    """One printed number in a row."""
    cells = tuple(
        (own.name, f"{own.shown:.4f}", f"{own.usual:.4f}", f"{100 * own.chance:.0f} %", own.source)
        for own in rows
    )
    return Tabulated(
        "Are the printed numbers those of a sample of 300 + 300? How often one is at least as far out.",
        ("printed", "value", "population or mean", "as far out", "from"),
        (("", cells),),
    )
