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

import rocsteady as rs
from papers.paper import Check, Claim, Figure, Table, binomial, exact, simulated
from papers.slides.normals import TwoNormals, curve_of, dot, titled
from rocsteady.curves.statistics import Crossings
from rocsteady.figures.roc_space import View
from rocsteady.figures.spec import Entry, Key, Line, Mark, Panel, Picture, Points, Rule
from rocsteady.figures.style import COLUMN, GUIDE, INK, LOOKS
from rocsteady.results import Result
from rocsteady.text import Quote

MODELS = (TwoNormals(0.0, 1.0, 1.6, 1.6, "M1"), TwoNormals(0.0, 1.0, 1.1, 0.7, "M2"))
"""Chosen so that M1 is ahead at small FPRs, M2 at large ones, and M2 has the larger area."""
N_CASES, N_LARGE = 100, 4000
"""Cases of each class of each model: in a sample, and where the crossing is held against the true one."""
SMALL, LARGE = "tpr at 0.05", "tpr at 0.5"
SEED, REPEATED_SEED = 1, 1000
"""Noise makes the curves of this sample cross three times next to where the true ones cross."""
SECTION = "Two models"
BELOW, ABOVE = "area below the crossing", "area above the crossing"
SHARES = (
    "larger area: M2",
    "larger area below the crossing: M1",
    "larger area above it: M2",
    "curves cross more than once",
)


@dataclass(frozen=True, eq=False, repr=False)
class TwoModels(Result):
    """Two models that cross.

    Where the populations' curves meet; each model's areas and TPRs; the slope of the line that touches both
    curves (where a false positive weighs more than so many false negatives, each times the share of its
    class, M1 is the cheaper one); the crossings of a sample, and of two large ones (the median); and in how
    many samples an area names a model, and curves cross more than once.
    """

    crossing: tuple[float, float]
    readings: Mapping[str, Mapping[str, float]]
    slope: float
    sample: Crossings
    large_crossing: float
    repeated: Mapping[str, float]
    n_replicates: int
    curves: tuple[rs.RocCurve, rs.RocCurve]

    _untold = ("curves",)
    _line = "crossing at FPR {crossing[0]:.3f}"


def numbers() -> dict[str, Any]:
    """What is stored: the populations in closed form."""
    (a, b), (c, d) = ((model.separation / model.ratio, 1 / model.ratio) for model in MODELS)
    z = (c - a) / (b - d)  # two lines meet once
    fpr, tpr = float(ndtr(z)), float(ndtr(a + b * z))
    readings = {
        model.name: {
            "area": model.auc,
            BELOW: model.partial_auc(0.0, fpr),
            ABOVE: model.partial_auc(fpr, 1.0),
            SMALL: float(model.tpr_at(0.05)),
            LARGE: float(model.tpr_at(0.5)),
        }
        for model in MODELS
    }
    return {"crossing": {"fpr": fpr, "tpr": tpr}, "readings": readings, "slope": _common_slope()}


def _common_slope() -> float:
    """The slope of the line that touches both curves from above."""
    from scipy.optimize import brentq

    fpr = ndtr(np.linspace(-8.0, 8.0, 20_001))
    tprs = [model.tpr_at(fpr) for model in MODELS]

    def difference(slope: float) -> float:
        first, second = (float((tpr - slope * fpr).max()) for tpr in tprs)
        return first - second

    return float(brentq(difference, 0.05, 20.0, xtol=1e-12))


def sample_curves(n_per_class: int, seed: int) -> tuple[rs.RocCurve, rs.RocCurve]:
    """A curve of each model; each has cases of its own."""
    first, second = (
        rs.roc_curve(*model.draw(n_per_class, n_per_class, [seed, i]), name=model.name)
        for i, model in enumerate(MODELS)
    )
    return first, second


def repeat(n_replicates: int, seed: int) -> dict[str, float]:
    """In how many samples each area names the model that is ahead there, and the curves cross repeatedly."""
    at = numbers()["crossing"]["fpr"]
    rows = []
    for own in range(seed, seed + n_replicates):
        first, second = curves = sample_curves(N_CASES, own)
        below, above = ([own.partial_auc(fpr=ends) for own in curves] for ends in ((0, at), (at, 1)))
        prefers = (first.auc < second.auc, below[0] > below[1], above[0] < above[1])
        rows.append((*prefers, len(first.crossings(second).points) > 1))
    return dict(zip(SHARES, np.mean(rows, axis=0).tolist(), strict=True))


def two_models(n_replicates: int) -> TwoModels:
    """The populations, one sample, and many."""
    stored = numbers()
    first, second = curves = sample_curves(N_CASES, SEED)
    large = sample_curves(N_LARGE, SEED)
    at = stored["crossing"]
    return TwoModels(
        (at["fpr"], at["tpr"]),
        stored["readings"],
        stored["slope"],
        first.crossings(second),
        float(np.median([fpr for fpr, _ in large[0].crossings(large[1]).points])),
        repeat(n_replicates, REPEATED_SEED),
        n_replicates,
        curves,
    )


def checks(found: TwoModels, expected: Mapping[str, Any]) -> list[Check]:
    """The populations by other means, the crossings of a sample, and the long run."""
    from scipy.optimize import brentq

    (m1, m2), (first, second) = MODELS, found.curves
    searched = float(brentq(lambda x: float(m1.tpr_at(x) - m2.tpr_at(x)), 0.01, 0.9, xtol=1e-14))
    stored, source = expected["crossing"], "root finding; nine digits"
    results = [Check(SECTION, "FPR of the crossing", stored["fpr"], searched, 1e-8, source)]
    for model in MODELS:
        wanted, own = expected["readings"][model.name], found.readings[model.name]
        height = float(model.tpr_at(searched))
        results.append(Check(SECTION, f"TPR of {model.name} there", stored["tpr"], height, 1e-8, source))
        results += [
            Check(SECTION, f"{model.name}: {name}", wanted[name], own[name], 1e-8, "nine digits")
            for name in wanted
        ]
        total = own[BELOW] + own[ABOVE]
        results.append(exact(SECTION, f"{model.name}: both sides are the area", model.auc, total, 1e-10))
    off = max(
        max(curve.tpr_at(fpr, side="lower") - tpr, tpr - curve.tpr_at(fpr, side="upper"), 0.0)
        for fpr, tpr in found.sample.points
        for curve in found.curves
    )
    name, source = f"FPR of the crossing, {N_LARGE} + {N_LARGE} cases", "a grid of tangents; nine digits"
    error = crossing_error(N_LARGE)
    return [
        *results,
        Check(SECTION, "slope that touches both", expected["slope"], found.slope, 1e-6, source),
        exact(SECTION, "crossings of a sample lie on both curves: largest gap", 0.0, off),
        exact(SECTION, "areas between the curves", first.auc - second.auc, found.sample.area),
        simulated(SECTION, name, found.crossing[0], found.large_crossing, error, "delta method"),
        *(
            binomial(SECTION, f"share of samples, {own}", wanted, found.repeated[own], found.n_replicates)
            for own, wanted in expected["repeated"].items()
        ),
    ]


def crossing_error(n_per_class: int) -> float:
    """How much the FPR of the crossing of two samples scatters, to first order."""
    (fpr, tpr), step = numbers()["crossing"].values(), 1e-5
    slopes = [float(model.tpr_at(fpr + step) - model.tpr_at(fpr - step)) / (2 * step) for model in MODELS]
    variance = sum((tpr * (1 - tpr) + slope**2 * fpr * (1 - fpr)) / n_per_class for slope in slopes)
    return math.sqrt(variance) / abs(slopes[0] - slopes[1])


def claims(found: TwoModels) -> list[Claim]:
    """That the larger area is better, and that no model is consistently so."""
    first, second, (fpr, tpr) = found.readings["M1"], found.readings["M2"], found.crossing
    better = second["area"] > first["area"]
    return [
        Claim(
            claim="The larger the area the better the classifier.",
            where="ROC Analyses, Area Under Curve",
            measured=f"Of two models that cross, M2 has the larger area ({second['area']:.3f} and "
            f"{first['area']:.3f}), but at FPR 0.05 M1 finds {100 * first[SMALL]:.0f} % and M2 "
            f"{100 * second[SMALL]:.0f} %. M1 is the cheaper one where the slope of equal costs is above "
            f"{found.slope:.2f}.",
            holds=better and second[SMALL] >= first[SMALL],
            caveat="On average over all FPRs. Where curves cross, the FPR or the costs decide.",
            holds_with_caveat=better and first[BELOW] > second[BELOW] and second[ABOVE] > first[ABOVE],
            instead="Not even on average over all FPRs.",
            chosen_here=True,
        ),
        Claim(
            claim="No model is consistently better: M1 is better for small FPR, M2 for large FPR.",
            where="Using ROC for Model Comparison",
            measured=f"The curves of the two models cross once, at FPR {fpr:.3f} and TPR {tpr:.3f}. At FPR "
            f"0.05 M1 has TPR {first[SMALL]:.2f} and M2 {second[SMALL]:.2f}, at FPR 0.5 {first[LARGE]:.2f} "
            f"and {second[LARGE]:.2f}.",
            holds=first[SMALL] > second[SMALL] and second[LARGE] > first[LARGE] and 0.05 < fpr < 0.5,
            chosen_here=True,
        ),
    ]


def table(found: TwoModels) -> Table:
    """The two models side by side."""
    first, second = found.readings.values()
    rows = (
        (
            name.replace("tpr at", "TPR at FPR"),
            f"{first[name]:.4f}",
            f"{second[name]:.4f}",
            MODELS[first[name] < second[name]].name,
        )
        for name in first
    )
    chosen = (f"N({m.positive_mean:g}, {m.positive_sd:g}²) for {m.name}" for m in MODELS)
    return Table(
        f"Two models that cross at FPR {found.crossing[0]:.4f}, TPR {found.crossing[1]:.4f} (populations). "
        f"The slide gives no numbers; chosen were negatives N(0, 1²) and positives {' and '.join(chosen)}.",
        ("reading", "M1", "M2", "ahead"),
        tuple(rows),
    )


def figure(found: TwoModels) -> Figure:
    """Left the populations, right a sample with all its crossings."""
    return Figure(
        "two_models",
        "Using ROC for Model Comparison. No model consistently outperform the other: M1 is better for "
        "small FPR, M2 is better for large FPR.",
        "The slide's data are not given; two normal models were chosen. Added: where they cross, and a "
        f"sample of {N_CASES} + {N_CASES} cases each, which cross more often.",
        lambda: _drawn(found),
    )


def _drawn(found: TwoModels) -> Picture:
    fpr, tpr = found.crossing
    cross = dot((fpr, tpr), INK)
    where = Entry(Quote(f"crossing: FPR {fpr:.3f}, TPR {tpr:.3f}"), cross)
    populations = [curve_of(model, look=look) for model, look in zip(MODELS, LOOKS, strict=False)]
    names = [(model.name, model.auc) for model in MODELS]
    left = _panel("(a) Populations", names, populations, [Rule(x=fpr, look=GUIDE), cross], where)
    points = np.array(found.sample.points).reshape(-1, 2)
    several = Points(points[:, 0], points[:, 1], look=INK, marker="o", size=4, name="crossings")
    where = Entry(Quote(f"{len(points)} crossings, exact"), several)
    lines = [Line(own.fpr, own.tpr, look=look) for own, look in zip(found.curves, LOOKS, strict=False)]
    names = [(str(own.name), float(own.auc)) for own in found.curves]
    right = _panel(f"(b) A sample, {N_CASES} + {N_CASES} cases each", names, lines, [several], where)
    return Picture((left, right), columns=2, width=2 * COLUMN, description=Quote("Two models that cross"))


def _panel(
    title: str, names: list[tuple[str, float]], lines: list[Line], marks: list[Mark], where: Entry
) -> Panel:
    entries = [
        Entry(Quote(f"{name}, AUC {area:.3f}"), line) for (name, area), line in zip(names, lines, strict=True)
    ]
    return titled(View().panel((*lines, *marks)), title, Key((*entries, where)))
