"""The best cut-off by three rules: in the rows that the slide shows, in a sample of ours, in the population.

The slide describes the tangent at 45 degrees, which is Youden's rule, as the point closest to (0, 1). Those
are two rules, and they choose two cut-offs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import rocsteady as rs
from papers.paper import Check, Claim, Figure, Table, exact
from papers.slides import printed
from papers.slides.normals import EXAMPLE, CutPoint, curve_of, dot, titled
from papers.slides.printed import spelled
from rocsteady.figures.spec import Axis, Entry, Key, Line, Mark, Panel, Picture
from rocsteady.figures.style import COLUMN, LOOKS, QUIET
from rocsteady.results import Result
from rocsteady.text import FPR, TPR, Name, Quote

WORDS = {"youden": "Youden (tangent at 45°)", "closest": "closest to (0, 1)", "eer": "equal errors"}
SECTION = "Best cut-offs"
SEARCHED = "Best cut-offs, population, by search"


@dataclass(frozen=True, eq=False, repr=False)
class BestCutoffs(Result):
    """The cut-offs by rule: in the slide's rows, in a sample (midpoints, as in SPSS), in the population.

    ``errors_cross_in_rows`` is whether FPR and FNR become equal within the rows shown.
    """

    shown: Mapping[str, CutPoint]
    sample: Mapping[str, CutPoint]
    population: Mapping[str, CutPoint]
    errors_cross_in_rows: bool

    _line = "population: {population[youden].threshold:.4f}, {population[closest].threshold:.4f}"


def population_cutoffs() -> dict[str, CutPoint]:
    """All three in the population."""
    found = (EXAMPLE.youden_cutoff(), EXAMPLE.closest_cutoff(), EXAMPLE.equal_errors_cutoff())
    return dict(zip(WORDS, found, strict=True))


def best_cutoffs(sample: rs.RocCurve) -> BestCutoffs:
    """Choose by each rule; the rows around the corner are a curve, which the first row of the table ends."""
    rows = (*printed.CORNER_ROWS[::-1], printed.FIRST_ROWS[0])
    shown = rs.RocCurve.from_counts([row[0] for row in rows], *printed.printed_counts(rows))
    chosen, own = {}, {}
    for rule in WORDS:
        cutoff = rs.choose_cutoff(shown, rule)
        chosen[rule] = CutPoint(cutoff.threshold, cutoff.tpr, cutoff.fpr)
        cutoff = rs.choose_cutoff(sample, rule)
        own[rule] = CutPoint(cutoff.midpoint, cutoff.tpr, cutoff.fpr)
    excess = [fpr - (1 - tpr) for _, tpr, fpr in printed.CORNER_ROWS]
    return BestCutoffs(chosen, own, population_cutoffs(), min(excess) <= 0 <= max(excess))


def checks(found: BestCutoffs, expected: Mapping[str, Any]) -> list[Check]:
    """The rows shown, the population in closed form, and the population by a search."""
    from scipy.optimize import minimize_scalar

    results = []
    for rule, values in expected["shown"].items():
        for name, value in values.items():
            results.append(
                exact(SECTION, f"rows shown, {rule}: {name}", value, getattr(found.shown[rule], name), 1e-9)
            )
    for rule, values in expected["specification"].items():
        for name, value in values.items():
            got, source = getattr(found.population[rule], name), "six digits of the specification"
            results.append(Check(SECTION, f"population, {rule}: {name}", value, got, 6e-7, source))
    losses = {
        "youden": lambda cut: -cut.youden,
        "closest": lambda cut: cut.distance,
        "eer": lambda cut: abs(cut.fpr - (1 - cut.tpr)),
    }
    for rule, loss in losses.items():
        best = minimize_scalar(
            lambda t, loss=loss: loss(EXAMPLE.at(t)),
            bounds=(1.4, 1.6),
            method="bounded",
            options={"xatol": 1e-10},
        )
        wanted = expected["population"][rule]["threshold"]
        # A minimum is flat: its place is known to the root of the precision.
        results.append(Check(SEARCHED, rule, wanted, float(best.x), 2e-7, "precision of a search"))
    return results


def claim(found: BestCutoffs) -> Claim:
    """That the tangent at 45 degrees is the point closest to (0, 1)."""
    pairs = [(own["youden"], own["closest"]) for own in (found.shown, found.population)]
    (youden, closest), (population_youden, population_closest) = pairs
    return Claim(
        claim="The best cut-off is where the tangent at 45 degrees touches, the point closest to (0, 1).",
        where="Finding the best cut-off value",
        measured=f"In the rows shown the tangent has {youden.threshold:.4f} (J = {youden.youden:.3f}) and "
        f"the closest point is {closest.threshold:.4f} (J = {closest.youden:.3f}); in the population "
        f"{population_youden.threshold:.4f} and {population_closest.threshold:.4f}.",
        holds=all(first.threshold == second.threshold for first, second in pairs),
        instead="The tangent is Youden's rule, the largest sensitivity + specificity; the closest point "
        "is another rule with another cut-off.",
        erratum="S3",
    )


def table(found: BestCutoffs) -> Table:
    """Rules in rows."""
    rows = []
    for where, own in (
        ("rows shown on the slide", found.shown),
        ("a sample of ours", found.sample),
        ("population", found.population),
    ):
        for rule, cut in own.items():
            beyond = own is found.shown and rule == "eer" and not found.errors_cross_in_rows
            numbers = (spelled(x, 3) for x in (cut.tpr, cut.fpr, cut.youden))
            rule_name = f"{WORDS[rule]}{'; beyond the last row' if beyond else ''}"
            rows.append((where, rule_name, spelled(cut.threshold, 4), *numbers, spelled(cut.distance, 4)))
    return Table(
        "Best cut-offs by three rules. J is sensitivity + specificity - 1, distance that to (0, 1).",
        ("where", "rule", "cut-off", "Sensitivity", "1 - Specificity", "J", "distance"),
        tuple(rows),
    )


def figure(found: BestCutoffs) -> Figure:
    """The corner of the curve, with what each rule is best by."""
    return Figure(
        "best_cutoffs",
        "The intercept of the ROC curve with the tangent at 45 degrees parallel to the no-discrimination "
        "line that is closest to the error-free point (0,1).",
        "The corner alone: the slide's rows, and the populations. Added: the circle around (0, 1) and the "
        "point of equal errors, which are other cut-offs.",
        lambda: _drawn(found),
    )


def _drawn(found: BestCutoffs) -> Picture:
    tpr, fpr = (np.array(own) / printed.N_PER_GROUP for own in printed.printed_counts(printed.CORNER_ROWS))
    shown = {rule: own for rule, own in found.shown.items() if rule != "eer" or found.errors_cross_in_rows}
    panels = (
        _corner(
            "(a) Rows shown on the slide", Line(fpr, tpr, look=QUIET), shown, (0.12, 0.185), (0.875, 0.94)
        ),
        _corner(
            "(b) Population", curve_of(EXAMPLE, look=QUIET), found.population, (0.085, 0.15), (0.845, 0.91)
        ),
    )
    return Picture(panels, columns=2, width=2 * COLUMN, description=Quote("Best cut-offs by three rules"))


def _corner(
    title: str,
    curve: Line,
    cuts: Mapping[str, CutPoint],
    fprs: tuple[float, float],
    tprs: tuple[float, float],
) -> Panel:
    marks: list[Mark] = [curve]
    entries = []
    for rule, look, marker in zip(WORDS, (LOOKS[1], LOOKS[2], LOOKS[4]), "osD", strict=True):
        if rule not in cuts:
            continue
        cut = cuts[rule]
        along = np.linspace(-0.06, 0.06, 50)
        if rule == "youden":
            x, y = cut.fpr + along, cut.tpr + along
        elif rule == "closest":
            angle = np.linspace(-np.pi / 2, 0, 2000)
            x, y = cut.distance * np.cos(angle), 1 + cut.distance * np.sin(angle)
        else:
            x, y = cut.fpr + along / 5, cut.tpr - along / 5
        seen = (fprs[0] <= x) & (x <= fprs[1]) & (tprs[0] <= y) & (y <= tprs[1])
        marks += [Line(x[seen], y[seen], look=look, width=0.9), dot((cut.fpr, cut.tpr), look, marker)]
        entries.append(Entry(Quote(f"{WORDS[rule]}: {cut.threshold:.4f}"), marks[-1]))
    panel = Panel(Axis(Name(FPR), *fprs), Axis(Name(TPR), *tprs), tuple(marks), aspect=1.0)
    return titled(panel, title, Key(tuple(entries)))
