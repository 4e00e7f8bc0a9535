"""Two models whose curves cross: where, who is ahead on each side, and what one area does not show.

The slide has a figure and no numbers. Two normal models are taken here: in units of normal deviates their
curves are straight lines, ``a + b z``, which meet once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

import rocsteady as rs
from papers.paper import Check, Claim, Figure, Part, Table, binomial, exact, simulated
from papers.slides.normals import TwoNormals, curve_of, dot, titled
from rocsteady.figures.roc_space import View
from rocsteady.figures.spec import Entry, Key, Line, Mark, Panel, Picture, Points, Rule
from rocsteady.figures.style import COLUMN, GUIDE, INK, LOOKS
from rocsteady.statistics.limits import trapezoids
from rocsteady.text import Quote

MODELS = (TwoNormals(0.0, 1.0, 1.6, 1.6, "M1"), TwoNormals(0.0, 1.0, 1.1, 0.7, "M2"))
"""Chosen so that M1 is ahead at small FPRs, M2 at large ones, and M2 has the larger area."""
N_CASES, N_LARGE = 100, 4000
"""Cases of each class of each model: in a sample, and where the crossing is held against the true one."""
SEED, REPEATED_SEED = 1, 1000
"""Noise makes the curves of this sample cross three times next to where the true ones cross."""
SECTION = "Two models"
AREA, BELOW, ABOVE = "area", "area below the crossing", "area above the crossing"
SMALL, LARGE = 0.05, 0.5
SHARES = (
    "larger area: M2",
    "larger area below the crossing: M1",
    "larger area above it: M2",
    "curves cross more than once",
)
Readings = Mapping[str, Mapping[str, float]]


def crossing() -> tuple[float, float]:
    """FPR and TPR where the populations' curves meet: two lines, in normal deviates."""
    (a, b), (c, d) = ((model.separation / model.ratio, 1 / model.ratio) for model in MODELS)
    z = (c - a) / (b - d)
    return float(ndtr(z)), float(ndtr(a + b * z))


def readings() -> Readings:
    """Each model's areas and TPRs."""
    fpr, _ = crossing()
    return {
        model.name: {
            AREA: model.auc,
            BELOW: model.partial_auc(0.0, fpr),
            ABOVE: model.partial_auc(fpr, 1.0),
            **{f"tpr at {at:g}": float(model.tpr_at(at)) for at in (SMALL, LARGE)},
        }
        for model in MODELS
    }


def common_slope() -> float:
    """The slope of the line that touches both curves from above.

    Where a false positive weighs more than so many false negatives, each times the share of its class, M1 is
    the cheaper one.
    """
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
    at, _ = crossing()
    rows = []
    for own in range(seed, seed + n_replicates):
        first, second = curves = sample_curves(N_CASES, own)
        below, above = ([own.partial_auc(fpr=ends) for own in curves] for ends in ((0, at), (at, 1)))
        prefers = (first.auc < second.auc, below[0] > below[1], above[0] < above[1])
        rows.append((*prefers, len(first.crossings(second).points) > 1))
    return dict(zip(SHARES, np.mean(rows, axis=0).tolist(), strict=True))


def two_models(n_replicates: int, stored: Mapping[str, Any]) -> Part:
    """The populations, one sample, and many; ``stored`` is the slope, and the shares of a long run."""
    slope, repeated = common_slope(), repeat(n_replicates, REPEATED_SEED)
    source = "a grid of tangents; nine digits"
    return Part(
        checks=(
            *_population_checks(),
            Check(SECTION, "slope that touches both", stored["slope"], slope, 1e-6, source),
            *_sample_checks(),
            *(
                binomial(SECTION, f"share of samples, {name}", stored["repeated"][name], share, n_replicates)
                for name, share in repeated.items()
            ),
        ),
        claims=claims(readings(), slope),
        tables=(_table(),),
        figures=(_figure(),),
        numbers={"two models": {"crossing": crossing(), "readings": readings(), "repeated": repeated}},
    )


def _population_checks() -> list[Check]:
    """The crossing by a search, areas by the trapezium rule, TPRs from thresholds."""
    from scipy.optimize import brentq

    (m1, m2), (fpr, tpr) = MODELS, crossing()
    ranges = {AREA: (0.0, 1.0), BELOW: (0.0, fpr), ABOVE: (fpr, 1.0)}
    searched = float(brentq(lambda x: float(m1.tpr_at(x) - m2.tpr_at(x)), 0.01, 0.9, xtol=1e-14))
    source = "root finding; nine digits"
    results = [Check(SECTION, "FPR of the crossing", fpr, searched, 1e-8, source)]
    for model, own in zip(MODELS, readings().values(), strict=True):
        height = float(model.tpr_at(searched))
        results.append(Check(SECTION, f"TPR of {model.name} there", tpr, height, 1e-8, source))
        again = {name: _trapezium(model, *ends) for name, ends in ranges.items()}
        for at in (SMALL, LARGE):
            threshold = model.negative_mean - model.negative_sd * ndtri(at)
            again[f"tpr at {at:g}"] = float(model.tpr(threshold))
        results += [
            Check(SECTION, f"{model.name}: {name}", own[name], found, 1e-8, "nine digits")
            for name, found in again.items()
        ]
        total = own[BELOW] + own[ABOVE]
        results.append(exact(SECTION, f"{model.name}: both sides are the area", model.auc, total, 1e-10))
    return results


def _trapezium(model: TwoNormals, low: float, high: float) -> float:
    """The area under a range of the curve, on a grid that is even in normal deviates."""
    first, last = np.clip(ndtri([low, high]), -9, 9)
    fpr = ndtr(np.linspace(float(first), float(last), 200_001))
    return trapezoids(fpr, model.tpr_at(fpr))


def _sample_checks() -> list[Check]:
    """Crossings lie on both curves, areas between them add up, and large samples cross near the truth."""
    first, second = sample_curves(N_CASES, SEED)
    found = first.crossings(second)
    off = max(
        max(curve.tpr_at(fpr, side="lower") - tpr, tpr - curve.tpr_at(fpr, side="upper"), 0.0)
        for fpr, tpr in found.points
        for curve in (first, second)
    )
    one, other = sample_curves(N_LARGE, SEED)
    median = float(np.median([fpr for fpr, _ in one.crossings(other).points]))
    name = f"FPR of the crossing, {N_LARGE} + {N_LARGE} cases"
    return [
        exact(SECTION, "crossings of a sample lie on both curves: largest gap", 0.0, off),
        exact(SECTION, "areas between the curves", first.auc - second.auc, found.area),
        simulated(SECTION, name, crossing()[0], median, crossing_error(N_LARGE), "delta method"),
    ]


def crossing_error(n_per_class: int) -> float:
    """How much the FPR of the crossing of two samples scatters, to first order."""
    (fpr, tpr), step = crossing(), 1e-5
    slopes = [float(model.tpr_at(fpr + step) - model.tpr_at(fpr - step)) / (2 * step) for model in MODELS]
    variance = sum((tpr * (1 - tpr) + slope**2 * fpr * (1 - fpr)) / n_per_class for slope in slopes)
    return math.sqrt(variance) / abs(slopes[0] - slopes[1])


def claims(read: Readings, slope: float) -> tuple[Claim, ...]:
    """That the larger area is better, and that no model is consistently so."""
    (first, second), (fpr, tpr) = read.values(), crossing()
    small, large = ([own[f"tpr at {at:g}"] for own in (first, second)] for at in (SMALL, LARGE))
    better = second[AREA] > first[AREA]
    return (
        Claim(
            claim="The larger the area the better the classifier.",
            where="ROC Analyses, Area Under Curve",
            measured=f"Of two models that cross, M2 has the larger area ({second[AREA]:.3f} and "
            f"{first[AREA]:.3f}), but at FPR 0.05 M1 finds {100 * small[0]:.0f} % and M2 "
            f"{100 * small[1]:.0f} %. M1 is the cheaper one where the slope of equal costs is above "
            f"{slope:.2f}.",
            holds=better and small[1] >= small[0],
            caveat="On average over all FPRs. Where curves cross, the FPR or the costs decide.",
            holds_with_caveat=better and first[BELOW] > second[BELOW] and second[ABOVE] > first[ABOVE],
            instead="Not even on average over all FPRs.",
            chosen_here=True,
        ),
        Claim(
            claim="No model is consistently better: M1 is better for small FPR, M2 for large FPR.",
            where="Using ROC for Model Comparison",
            measured=f"The curves of the two models cross once, at FPR {fpr:.3f} and TPR {tpr:.3f}. At FPR "
            f"0.05 M1 has TPR {small[0]:.2f} and M2 {small[1]:.2f}, at FPR 0.5 {large[0]:.2f} "
            f"and {large[1]:.2f}.",
            holds=small[0] > small[1] and large[1] > large[0] and SMALL < fpr < LARGE,
            chosen_here=True,
        ),
    )


def _table() -> Table:
    """The two models side by side."""
    first, second = readings().values()
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
    fpr, tpr = crossing()
    return Table(
        f"Two models that cross at FPR {fpr:.4f}, TPR {tpr:.4f} (populations). "
        f"The slide gives no numbers; chosen were negatives N(0, 1²) and positives {' and '.join(chosen)}.",
        ("reading", "M1", "M2", "ahead"),
        tuple(rows),
    )


def _figure() -> Figure:
    """Left the populations, right a sample with all its crossings."""
    return Figure(
        "two_models",
        "Using ROC for Model Comparison. No model consistently outperform the other: M1 is better for "
        "small FPR, M2 is better for large FPR.",
        "The slide's data are not given; two normal models were chosen. Added: where they cross, and a "
        f"sample of {N_CASES} + {N_CASES} cases each, which cross more often.",
        _drawn,
    )


def _drawn() -> Picture:
    fpr, tpr = crossing()
    cross = dot((fpr, tpr), INK)
    truth = [(model.name, model.auc, curve_of(model, look=LOOKS[i])) for i, model in enumerate(MODELS)]
    where = Entry(Quote(f"crossing: FPR {fpr:.3f}, TPR {tpr:.3f}"), cross)
    left = _panel("(a) Populations", truth, [Rule(x=fpr, look=GUIDE), cross], where)
    curves = sample_curves(N_CASES, SEED)
    points = np.array(curves[0].crossings(curves[1]).points).reshape(-1, 2)
    several = Points(points[:, 0], points[:, 1], look=INK, marker="o", size=4, name="crossings")
    drawn = [
        (str(own.name), float(own.auc), Line(own.fpr, own.tpr, look=LOOKS[i])) for i, own in enumerate(curves)
    ]
    where = Entry(Quote(f"{len(points)} crossings, exact"), several)
    right = _panel(f"(b) A sample, {N_CASES} + {N_CASES} cases each", drawn, [several], where)
    return Picture((left, right), columns=2, width=2 * COLUMN, description=Quote("Two models that cross"))


def _panel(title: str, own: Sequence[tuple[str, float, Line]], marks: list[Mark], where: Entry) -> Panel:
    entries = [Entry(Quote(f"{name}, AUC {area:.3f}"), line) for name, area, line in own]
    lines = [line for _, _, line in own]
    return titled(View().panel((*lines, *marks)), title, Key((*entries, where)))
