"""Two populations and the threshold 4.5: the four areas, and the point that they are on the curve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from papers.checks import Check, binomial
from papers.reproduction import Tabulated
from papers.slides.normals import TwoNormals, legendre_nodes
from papers.slides.parameters import DIVIDED, N_DIVIDED, THRESHOLD
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.roc import RocCurve
from rocsteady.results import Result

SECTION = "Two populations, threshold 4.5"
SEED = 45
AREAS = ("TP", "FN", "FP", "TN")


@dataclass(frozen=True, eq=False, repr=False)
class Divided(Result):
    """What a threshold makes of two populations.

    Attributes
    ----------
    threshold : float
        From the slide.
    shares : mapping
        TP and FN as shares of the abnormal, FP and TN as shares of the normal population.
    counts : mapping
        The same, counted in a sample of ``n_per_group`` each.
    """

    threshold: float
    shares: Mapping[str, float]
    counts: Mapping[str, int]
    n_per_group: int
    _curve: RocCurve

    @property
    def model(self) -> TwoNormals:
        """The two populations."""
        return DIVIDED

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        shares, counts = dict(self.shares), dict(self.counts)
        return {"threshold": self.threshold, "shares": shares, "counts": counts, "n": self.n_per_group}

    def __repr__(self) -> str:
        point = f"FPR {self.shares['FP']:.3f}, TPR {self.shares['TP']:.3f}"
        return f"Divided(threshold {self.threshold:g}: {point})"


def shares() -> dict[str, float]:
    """The four areas, in closed form."""
    cut = DIVIDED.at(THRESHOLD)
    return {"TP": cut.tpr, "FN": 1 - cut.tpr, "FP": cut.fpr, "TN": 1 - cut.fpr}


def divided() -> Divided:
    """The areas, and a sample that is counted."""
    labels, scores = DIVIDED.draw(N_DIVIDED, N_DIVIDED, SEED)
    curve = roc_curve(labels, scores)
    rates = curve.rates_at(THRESHOLD)
    tp, fp = (round(rate * N_DIVIDED) for rate in (rates.tpr, rates.fpr))
    counts = {"TP": tp, "FN": N_DIVIDED - tp, "FP": fp, "TN": N_DIVIDED - fp}
    return Divided(THRESHOLD, shares(), counts, N_DIVIDED, curve)


def checks(found: Divided, expected: Mapping[str, float]) -> list[Check]:
    """The areas under the densities, by quadrature; the counts; the area under the curve."""
    results = []
    for name, area in _integrated().items():
        results.append(Check(SECTION, f"area {name}", expected[name], area, 1e-8, "quadrature; nine digits"))
    for name in ("TP", "FP"):
        share = found.counts[name] / found.n_per_group
        results.append(binomial(SECTION, f"{name} in a sample", expected[name], share, found.n_per_group))
    return results


def _integrated() -> dict[str, float]:
    """The same areas from the densities alone, as the figure shows them."""
    nodes, weights = legendre_nodes()
    half = 12.0  # sds of the wider population on either side
    results: dict[str, float] = {}
    for side, names in ((-1, ("TN", "FN")), (1, ("FP", "TP"))):
        distances = half * (nodes + 1) / 2
        densities = DIVIDED.densities(THRESHOLD + side * distances)
        results |= {
            name: float((weights * density).sum() * half / 2)
            for name, density in zip(names, densities, strict=True)
        }
    return results


def tabulated(found: Divided) -> Tabulated:
    """Truth in rows, test result in columns, as on the slide."""
    rows = (
        ("abnormal: TP, FN", *_cells(found, "TP"), *_cells(found, "FN")),
        ("normal: FP, TN", *_cells(found, "FP"), *_cells(found, "TN")),
    )
    return Tabulated(
        f"Threshold {found.threshold:g}: shares of each population, and counts of {found.n_per_group} drawn "
        f"from each. The slide gives no parameters; chosen were normal N({DIVIDED.negative_mean:g}, "
        f"{DIVIDED.negative_sd:g}²) and abnormal N({DIVIDED.positive_mean:g}, {DIVIDED.positive_sd:g}²).",
        ("truth", "positive", "counted", "negative", "counted"),
        (("", rows),),
    )


def _cells(found: Divided, name: str) -> tuple[str, str]:
    return f"{found.shares[name]:.4f}", str(found.counts[name])
