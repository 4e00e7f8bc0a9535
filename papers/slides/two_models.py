"""Two models whose curves cross: where, who is ahead on each side, and what one area does not show.

The slide has a figure and no numbers. Two normal models are taken here: in units of normal deviates their
curves are straight lines, ``a + b z``, which meet once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from papers.checks import Check, binomial, exact, simulated
from papers.reproduction import Tabulated
from papers.slides.normals import TwoNormals
from papers.slides.parameters import LARGE_FPR, MODELS, N_MODELS, SMALL_FPR
from rocsteady.curves.from_scores import roc_curve
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.statistics import Crossings, crossings
from rocsteady.results import Result

SEED = 1
"""Noise makes the curves of this sample cross three times next to where the true ones cross."""
REPEATED_SEED = 1000
N_LARGE = 4000
"""Cases of each class of each model where the crossing of a sample is held against the true one."""
SECTION = "Two models"
SHARES = (
    "larger area: M2",
    "larger area below the crossing: M1",
    "larger area above it: M2",
    "curves cross more than once",
)


@dataclass(frozen=True, eq=False, repr=False)
class TwoModels(Result):
    """Two models that cross.

    Attributes
    ----------
    crossing : (float, float)
        FPR and TPR where the curves of the populations meet.
    readings : mapping
        For each model its area, the area on either side of the crossing, and the TPR at a small and a large
        FPR.
    slope : float
        Of the line that touches both curves: where a false positive weighs more than so many false negatives
        (each times the share of its class), M1 is the cheaper one, elsewhere M2.
    sample : Crossings
        Of the curves of one sample, exactly.
    large_crossing : float
        FPR of the crossing of two large samples; the median, where chance makes them cross back and forth.
    repeated : mapping
        Shares of such samples: in which an area names a model, and whose curves cross more than once.
    n_replicates : int
        Number of those samples.
    """

    crossing: tuple[float, float]
    readings: Mapping[str, Mapping[str, float]]
    slope: float
    sample: Crossings
    large_crossing: float
    repeated: Mapping[str, float]
    n_replicates: int
    _curves: tuple[RocCurve, RocCurve]

    @property
    def curves(self) -> tuple[RocCurve, RocCurve]:
        """Those of the sample."""
        return self._curves

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        readings = {name: dict(own) for name, own in self.readings.items()}
        plain = {
            "crossing": list(self.crossing),
            "readings": readings,
            "slope": self.slope,
            "large_crossing": self.large_crossing,
        }
        repeated = {"n_replicates": self.n_replicates, **self.repeated}
        return {**plain, "sample": self.sample.to_dict(), "repeated": repeated}

    def __repr__(self) -> str:
        return f"TwoModels(crossing at FPR {self.crossing[0]:.3f}; {self.sample!r})"


def crossing_of(first: TwoNormals, second: TwoNormals) -> tuple[float, float]:
    """Where two binormal curves meet: two lines in normal deviates meet once."""
    lines = [(model.separation / model.ratio, 1 / model.ratio) for model in (first, second)]
    (a, b), (c, d) = lines
    z = (c - a) / (b - d)
    return float(ndtr(z)), float(ndtr(a + b * z))


def read(model: TwoNormals, at: float) -> dict[str, float]:
    """The numbers of one model, with the FPR that divides its area."""
    return {
        "area": model.auc,
        "area below the crossing": model.partial_auc(0.0, at),
        "area above the crossing": model.partial_auc(at, 1.0),
        f"tpr at {SMALL_FPR:g}": float(model.tpr_at(SMALL_FPR)),
        f"tpr at {LARGE_FPR:g}": float(model.tpr_at(LARGE_FPR)),
    }


def common_slope() -> float:
    """The slope of the line that touches both curves from above."""
    from scipy.optimize import brentq

    z = np.linspace(-8.0, 8.0, 20_001)
    fpr = ndtr(z)
    tprs = [model.tpr_at(fpr) for model in MODELS]

    def difference(slope: float) -> float:
        first, second = (float((tpr - slope * fpr).max()) for tpr in tprs)
        return first - second

    return float(brentq(difference, 0.05, 20.0, xtol=1e-12))


def numbers() -> dict[str, Any]:
    """What is stored: the populations in closed form."""
    at = crossing_of(*MODELS)
    return {
        "crossing": {"fpr": at[0], "tpr": at[1]},
        "readings": {model.name: read(model, at[0]) for model in MODELS},
        "slope": common_slope(),
    }


def sample_curves(n_per_class: int, seed: int) -> tuple[RocCurve, RocCurve]:
    """A curve of each model; each has cases of its own."""
    first, second = (
        roc_curve(*model.draw(n_per_class, n_per_class, [seed, i]), name=model.name)
        for i, model in enumerate(MODELS)
    )
    return first, second


def repeat(n_replicates: int, seed: int) -> dict[str, float]:
    """In how many samples each area names the model that is ahead there, and the curves cross repeatedly."""
    at = crossing_of(*MODELS)[0]
    rows = []
    for own in range(seed, seed + n_replicates):
        first, second = sample_curves(N_MODELS, own)
        below = [curve.partial_auc(fpr=(0, at)) for curve in (first, second)]
        above = [curve.partial_auc(fpr=(at, 1)) for curve in (first, second)]
        prefers = (first.auc < second.auc, below[0] > below[1], above[0] < above[1])
        rows.append((*prefers, len(crossings(first, second).points) > 1))
    return dict(zip(SHARES, np.mean(rows, axis=0).tolist(), strict=True))


def two_models(n_replicates: int) -> TwoModels:
    """The populations, one sample, and many."""
    stored = numbers()
    curves = sample_curves(N_MODELS, SEED)
    at = stored["crossing"]
    return TwoModels(
        (at["fpr"], at["tpr"]),
        stored["readings"],
        stored["slope"],
        crossings(*curves),
        float(np.median([fpr for fpr, _ in crossings(*sample_curves(N_LARGE, SEED)).points])),
        repeat(n_replicates, REPEATED_SEED),
        n_replicates,
        curves,
    )


def checks(found: TwoModels, expected: Mapping[str, Any]) -> list[Check]:
    """The populations by other means, the crossings of a sample, and the long run."""
    return [
        *_population(found, expected),
        *_exact_crossings(found),
        _large_sample(found),
        *_repeated(found, expected),
    ]


def _population(found: TwoModels, expected: Mapping[str, Any]) -> list[Check]:
    from scipy.optimize import brentq

    first, second = MODELS
    searched = brentq(lambda x: float(first.tpr_at(x) - second.tpr_at(x)), 0.01, 0.9, xtol=1e-14)
    stored, source = expected["crossing"], "root finding; nine digits"
    results = [Check(SECTION, "FPR of the crossing", stored["fpr"], float(searched), 1e-8, source)]
    for model in MODELS:
        wanted, own = expected["readings"][model.name], found.readings[model.name]
        name, height = f"TPR of {model.name} there", float(model.tpr_at(searched))
        results.append(Check(SECTION, name, stored["tpr"], height, 1e-8, source))
        results += [
            Check(SECTION, f"{model.name}: {name}", wanted[name], own[name], 1e-8, "nine digits")
            for name in wanted
        ]
        total = own["area below the crossing"] + own["area above the crossing"]
        results.append(exact(SECTION, f"{model.name}: both sides are the area", model.auc, total, 1e-10))
    source = "a grid of tangents; nine digits"
    results.append(Check(SECTION, "slope that touches both", expected["slope"], found.slope, 1e-6, source))
    return results


def _exact_crossings(found: TwoModels) -> list[Check]:
    """Every crossing lies on both curves, and the areas between them are the difference of the AUCs."""
    first, second = found.curves
    off = 0.0
    for fpr, tpr in found.sample.points:
        for curve in (first, second):
            low, high = curve.tpr_at(fpr, side="lower"), curve.tpr_at(fpr, side="upper")
            off = max(off, low - tpr, tpr - high)
    return [
        exact(SECTION, "crossings of a sample lie on both curves: largest gap", 0.0, max(off, 0.0)),
        exact(SECTION, "areas between the curves", first.auc - second.auc, found.sample.area),
    ]


def _large_sample(found: TwoModels) -> Check:
    name = f"FPR of the crossing, {N_LARGE} + {N_LARGE} cases"
    return simulated(
        SECTION, name, found.crossing[0], found.large_crossing, crossing_error(N_LARGE), "delta method"
    )


def crossing_error(n_per_class: int) -> float:
    """How much the FPR of the crossing of two samples scatters, to first order."""
    fpr, tpr = crossing_of(*MODELS)
    step = 1e-5
    slopes = [float(model.tpr_at(fpr + step) - model.tpr_at(fpr - step)) / (2 * step) for model in MODELS]
    variance = sum((tpr * (1 - tpr) + slope**2 * fpr * (1 - fpr)) / n_per_class for slope in slopes)
    return math.sqrt(variance) / abs(slopes[0] - slopes[1])


def _repeated(found: TwoModels, expected: Mapping[str, Any]) -> list[Check]:
    wanted = expected["repeated"]
    return [
        binomial(SECTION, f"share of samples, {name}", wanted[name], found.repeated[name], found.n_replicates)
        for name in SHARES
    ]


def tabulated(found: TwoModels) -> Tabulated:
    """The two models side by side."""
    first, second = (found.readings[model.name] for model in MODELS)
    rows = []
    for name in first:
        ahead = MODELS[0].name if first[name] > second[name] else MODELS[1].name
        rows.append(
            (
                name.replace("tpr", "TPR at FPR").replace("FPR at", "FPR"),
                f"{first[name]:.4f}",
                f"{second[name]:.4f}",
                ahead,
            )
        )
    return Tabulated(
        f"Two models that cross at FPR {found.crossing[0]:.4f}, TPR {found.crossing[1]:.4f} (populations). "
        "The slide gives no numbers; chosen were negatives N(0, 1²) and positives "
        + " and ".join(f"N({m.positive_mean:g}, {m.positive_sd:g}²) for {m.name}" for m in MODELS)
        + ".",
        ("", *(model.name for model in MODELS), "ahead"),
        (("", tuple(rows)),),
    )
