"""The best cut-off by three rules: in the rows that the slide shows, in a sample of ours, in the population.

The slide describes the tangent at 45 degrees, which is Youden's rule, as the point closest to (0, 1). Those
are two rules, and they choose two cut-offs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

import rocsteady as rs
from papers.paper import Check, Claim, Figure, Part, Table, exact
from papers.slides import printed
from papers.slides.normals import EXAMPLE, CutPoint, curve_of, dot, titled
from papers.slides.printed import spelled
from rocsteady.figures.spec import Axis, Entry, Key, Line, Mark, Panel, Picture
from rocsteady.figures.style import COLUMN, LOOKS, QUIET
from rocsteady.text import FPR, TPR, Name, Quote

WORDS = {"youden": "Youden (tangent at 45°)", "closest": "closest to (0, 1)", "eer": "equal errors"}
SECTION = "Best cut-offs"
SEARCHED = "Best cut-offs, population, by search"
SPECIFIED = {
    "youden": {"threshold": 1.516695, "tpr": 0.870651, "fpr": 0.109472, "youden": 0.761179},
    "closest": {"threshold": 1.511740},
    "eer": {"threshold": 1.508235, "fpr": 0.119703},
}
"""By the specification, in the population; and in the rows shown."""
SPECIFIED_ROWS = {"youden": {"threshold": 1.4933, "youden": 0.77}, "closest": {"threshold": 1.5065}}
LOSSES = {
    "youden": lambda cut: -cut.youden,
    "closest": lambda cut: cut.distance,
    "eer": lambda cut: abs(cut.fpr - (1 - cut.tpr)),
}
Cutoffs = Mapping[str, CutPoint]


@cache
def in_population() -> Cutoffs:
    """All three in closed form."""
    found = (EXAMPLE.youden_cutoff(), EXAMPLE.closest_cutoff(), EXAMPLE.equal_errors_cutoff())
    return dict(zip(WORDS, found, strict=True))


@cache
def in_rows() -> Cutoffs:
    """All three in the rows around the corner; they are a curve, which the first row of the table ends."""
    rows = (*printed.CORNER_ROWS[::-1], printed.FIRST_ROWS[0])
    shown = rs.RocCurve.from_counts([row[0] for row in rows], *printed.printed_counts(rows))
    chosen = {rule: rs.choose_cutoff(shown, rule) for rule in WORDS}
    return {rule: CutPoint(own.threshold, own.tpr, own.fpr) for rule, own in chosen.items()}


def errors_cross_in_rows() -> bool:
    """Whether FPR and FNR become equal within the rows shown."""
    excess = [fpr - (1 - tpr) for _, tpr, fpr in printed.CORNER_ROWS]
    return min(excess) <= 0 <= max(excess)


def best_cutoffs(sample: rs.RocCurve) -> Part:
    """Cut-offs of a sample are midpoints, as in SPSS."""
    chosen = {rule: rs.choose_cutoff(sample, rule) for rule in WORDS}
    own = {rule: CutPoint(cut.midpoint, cut.tpr, cut.fpr) for rule, cut in chosen.items()}
    found = {"rows shown on the slide": in_rows(), "a sample of ours": own, "population": in_population()}
    figure = Figure(
        "best_cutoffs",
        "The intercept of the ROC curve with the tangent at 45 degrees parallel to the no-discrimination "
        "line that is closest to the error-free point (0,1).",
        "The corner alone: the slide's rows, and the populations. Added: the circle around (0, 1) and the "
        "point of equal errors, which are other cut-offs.",
        _drawn,
    )
    claims = (claim(in_rows(), in_population()),)
    return Part(_checks(), claims, (_table(found),), (figure,), {"best cut-offs": found})


def _checks() -> list[Check]:
    """The rows shown, the population in closed form, and the population by a search."""
    from scipy.optimize import minimize_scalar

    results = [
        exact(SECTION, f"rows shown, {rule}: {name}", value, getattr(in_rows()[rule], name), 1e-9)
        for rule, values in SPECIFIED_ROWS.items()
        for name, value in values.items()
    ]
    source = "six digits of the specification"
    results += [
        Check(
            SECTION, f"population, {rule}: {name}", value, getattr(in_population()[rule], name), 6e-7, source
        )
        for rule, values in SPECIFIED.items()
        for name, value in values.items()
    ]
    for rule, loss in LOSSES.items():
        best = minimize_scalar(
            lambda t, loss=loss: loss(EXAMPLE.at(t)),
            bounds=(1.4, 1.6),
            method="bounded",
            options={"xatol": 1e-10},
        )
        wanted = in_population()[rule].threshold
        # A minimum is flat: its place is known to the root of the precision.
        results.append(Check(SEARCHED, rule, wanted, float(best.x), 2e-7, "precision of a search"))
    return results


def claim(shown: Cutoffs, population: Cutoffs) -> Claim:
    """That the tangent at 45 degrees is the point closest to (0, 1)."""
    pairs = [(own["youden"], own["closest"]) for own in (shown, population)]
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


def _table(found: Mapping[str, Cutoffs]) -> Table:
    """Rules in rows."""
    rows = []
    for where, own in found.items():
        for rule, cut in own.items():
            beyond = own is in_rows() and rule == "eer" and not errors_cross_in_rows()
            numbers = (spelled(x, 3) for x in (cut.tpr, cut.fpr, cut.youden))
            rule_name = f"{WORDS[rule]}{'; beyond the last row' if beyond else ''}"
            rows.append((where, rule_name, spelled(cut.threshold, 4), *numbers, spelled(cut.distance, 4)))
    return Table(
        "Best cut-offs by three rules. J is sensitivity + specificity - 1, distance that to (0, 1).",
        ("where", "rule", "cut-off", "Sensitivity", "1 - Specificity", "J", "distance"),
        tuple(rows),
    )


def _drawn() -> Picture:
    """The corner of the curve, with what each rule is best by."""
    tpr, fpr = (np.array(own) / printed.N_PER_GROUP for own in printed.printed_counts(printed.CORNER_ROWS))
    shown = {rule: own for rule, own in in_rows().items() if rule != "eer" or errors_cross_in_rows()}
    rows, curve = Line(fpr, tpr, look=QUIET), curve_of(EXAMPLE, look=QUIET)
    panels = (
        _corner("(a) Rows shown on the slide", rows, shown, (0.12, 0.185), (0.875, 0.94)),
        _corner("(b) Population", curve, in_population(), (0.085, 0.15), (0.845, 0.91)),
    )
    return Picture(panels, columns=2, width=2 * COLUMN, description=Quote("Best cut-offs by three rules"))


def _corner(
    title: str, curve: Line, cuts: Cutoffs, fprs: tuple[float, float], tprs: tuple[float, float]
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
