"""The best cut-off by three rules: in the rows that the slide shows, in a sample of ours, in the population.

The slide describes the tangent at 45 degrees, which is Youden's rule, as the point closest to (0, 1). Those
are two rules, and they choose two cut-offs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from papers.checks import Check, exact
from papers.reproduction import Tabulated
from papers.slides import printed
from papers.slides.normals import CutPoint
from papers.slides.parameters import EXAMPLE
from papers.slides.spss import SpssTables, in_spss, printed_counts
from rocsteady.curves.roc import RocCurve
from rocsteady.points.cutoffs import choose_cutoff
from rocsteady.results import Result

RULES = ("youden", "closest", "eer")
WORDS = {"youden": "Youden (tangent at 45°)", "closest": "closest to (0, 1)", "eer": "equal errors"}
SECTION = "Best cut-offs"
SEARCHED = "Best cut-offs, population, by search"


@dataclass(frozen=True, eq=False, repr=False)
class BestCutoffs(Result):
    """The cut-offs by rule.

    Attributes
    ----------
    shown, sample, population : mapping of str to CutPoint
        In the slide's rows, in a sample (midpoints, as SPSS gives them), in the population.
    errors_cross_in_rows : bool
        Whether FPR and FNR become equal within the rows shown.
    """

    shown: Mapping[str, CutPoint]
    sample: Mapping[str, CutPoint]
    population: Mapping[str, CutPoint]
    errors_cross_in_rows: bool
    _curve: RocCurve

    @property
    def curve(self) -> RocCurve:
        """That of the sample."""
        return self._curve

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        whose = {"shown": self.shown, "sample": self.sample, "population": self.population}
        cuts = {name: {rule: _plain(cut) for rule, cut in own.items()} for name, own in whose.items()}
        return {**cuts, "errors_cross_in_rows": self.errors_cross_in_rows}

    def __repr__(self) -> str:
        cuts = ", ".join(f"{rule} {cut.threshold:.4f}" for rule, cut in self.population.items())
        return f"BestCutoffs(population: {cuts})"


def _plain(cut: CutPoint) -> dict[str, float]:
    return {"threshold": cut.threshold, "tpr": cut.tpr, "fpr": cut.fpr, "youden": cut.youden}


def population_cutoffs() -> dict[str, CutPoint]:
    """All three in the population."""
    found = (EXAMPLE.youden_cutoff(), EXAMPLE.closest_cutoff(), EXAMPLE.equal_errors_cutoff())
    return dict(zip(RULES, found, strict=True))


def shown_curve() -> RocCurve:
    """The rows around the corner as a curve; the first row of the table ends it."""
    rows = (*printed.CORNER_ROWS[::-1], printed.FIRST_ROWS[0])
    true_positives, false_positives = printed_counts(rows)
    return RocCurve.from_counts([row[0] for row in rows], true_positives, false_positives, name="rows shown")


def best_cutoffs(sample: SpssTables) -> BestCutoffs:
    """Choose by each rule."""
    shown = shown_curve()
    chosen, own = {}, {}
    for rule in RULES:
        cutoff = choose_cutoff(shown, rule)
        chosen[rule] = CutPoint(cutoff.threshold, cutoff.tpr, cutoff.fpr)
        cutoff = choose_cutoff(sample.curve, rule)
        own[rule] = CutPoint(cutoff.midpoint, cutoff.tpr, cutoff.fpr)
    excess = [fpr - (1 - tpr) for _, tpr, fpr in printed.CORNER_ROWS]
    return BestCutoffs(chosen, own, population_cutoffs(), min(excess) <= 0 <= max(excess), sample.curve)


def checks(found: BestCutoffs, expected: Mapping[str, Any]) -> list[Check]:
    """The rows shown, the population in closed form, and the population by a search."""
    results = []
    for rule, values in expected["shown"].items():
        cut = found.shown[rule]
        results += [
            exact(SECTION, f"rows shown, {rule}: {n}", v, getattr(cut, n), 1e-9) for n, v in values.items()
        ]
    for rule, values in expected["specification"].items():
        for name, value in values.items():
            got = getattr(found.population[rule], name)
            source = "six digits of the specification"
            results.append(Check(SECTION, f"population, {rule}: {name}", value, got, 6e-7, source))
    return [*results, *_searched(expected["population"])]


def _searched(expected: Mapping[str, Mapping[str, float]]) -> list[Check]:
    """Each rule's best threshold without its formula."""
    from scipy.optimize import minimize_scalar

    losses = {
        "youden": lambda cut: -cut.youden,
        "closest": lambda cut: cut.distance,
        "eer": lambda cut: abs(cut.fpr - (1 - cut.tpr)),
    }
    results = []
    for rule, loss in losses.items():
        best = minimize_scalar(
            lambda t, loss=loss: loss(EXAMPLE.at(t)),
            bounds=(1.4, 1.6),
            method="bounded",
            options={"xatol": 1e-10},
        )
        wanted = expected[rule]["threshold"]
        # A minimum is flat: its place is known to the root of the precision.
        results.append(Check(SEARCHED, rule, wanted, float(best.x), 2e-7, "precision of a search"))
    return results


def tabulated(found: BestCutoffs) -> Tabulated:
    """Rules in rows."""
    sections = []
    for heading, own in (
        ("rows shown on the slide", found.shown),
        ("a sample of ours", found.sample),
        ("population", found.population),
    ):
        rows = []
        for rule, cut in own.items():
            beyond = own is found.shown and rule == "eer" and not found.errors_cross_in_rows
            name = f"{WORDS[rule]}{'; beyond the last row' if beyond else ''}"
            numbers = (
                in_spss(cut.tpr, 3),
                in_spss(cut.fpr, 3),
                in_spss(cut.youden, 3),
                in_spss(cut.distance, 4),
            )
            rows.append((name, in_spss(cut.threshold, 4), *numbers))
        sections.append((heading, tuple(rows)))
    return Tabulated(
        "Best cut-offs by three rules. J is sensitivity + specificity - 1.",
        ("rule", "cut-off", "Sensitivity", "1 - Specificity", "J", "distance"),
        tuple(sections),
    )
