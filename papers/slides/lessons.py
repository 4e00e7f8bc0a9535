"""How a curve is made, and its special points: two populations divided, ten cases, guessing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import rocsteady as rs
from papers.paper import Check, Claim, Figure, Table, binomial, exact, simulated
from papers.slides import printed
from papers.slides.example import null_error
from papers.slides.normals import CutPoint, TwoNormals, dot, legendre_nodes, titled
from rocsteady.figures.densities import picture as densities_picture
from rocsteady.figures.roc import picture as curve_picture
from rocsteady.figures.roc_space import View
from rocsteady.figures.spec import Entry, Key, Line, Picture, Points
from rocsteady.figures.style import COLUMN, LOOKS, QUIET
from rocsteady.results import Result
from rocsteady.text import Quote

BY_CHANCE = 4.0
"""Standard errors."""

# Two populations and the threshold 4.5 --------------------------------------------------------------------

THRESHOLD = 4.5
POPULATIONS = TwoNormals(3.0, 1.0, 6.0, 1.5, "two populations")
"""Chosen: the slide names the threshold only."""
N_DIVIDED = 10_000
DIVIDED_SEED = 45
DIVIDED = "Two populations, threshold 4.5"


@dataclass(frozen=True, eq=False, repr=False)
class Divided(Result):
    """What the threshold makes of a sample: shares of the populations, and counts among the cases drawn."""

    shares: Mapping[str, float]
    counts: Mapping[str, int]
    scores: rs.Scores

    _untold = ("scores",)
    _line = "threshold 4.5: FPR {shares[FP]:.3f}, TPR {shares[TP]:.3f}"


def shares() -> dict[str, float]:
    """The four areas, in closed form."""
    cut = POPULATIONS.at(THRESHOLD)
    return {"TP": cut.tpr, "FN": 1 - cut.tpr, "FP": cut.fpr, "TN": 1 - cut.fpr}


def divided() -> Divided:
    """The areas, and a sample that is counted."""
    scores = rs.Scores(*POPULATIONS.draw(N_DIVIDED, N_DIVIDED, DIVIDED_SEED))
    table = rs.choose_cutoff(rs.roc_curve(scores), threshold=THRESHOLD).two_by_two()
    counts = {"TP": table.tp, "FN": table.fn, "FP": table.fp, "TN": table.tn}
    return Divided(shares(), counts, scores)


def divided_checks(found: Divided, expected: Mapping[str, float]) -> list[Check]:
    """The areas under the densities, by quadrature; the counts."""
    nodes, weights = legendre_nodes()
    half, integrated = 12.0, {}  # sds of the wider population on either side
    for side, names in ((-1, ("TN", "FN")), (1, ("FP", "TP"))):
        densities = POPULATIONS.densities(THRESHOLD + side * half * (nodes + 1) / 2)
        for name, density in zip(names, densities, strict=True):
            integrated[name] = float((weights * density).sum() * half / 2)
    results = [
        Check(DIVIDED, f"area {name}", expected[name], area, 1e-8, "quadrature; nine digits")
        for name, area in integrated.items()
    ]
    for name in ("TP", "FP"):
        share = found.counts[name] / N_DIVIDED
        results.append(binomial(DIVIDED, f"{name} in a sample", expected[name], share, N_DIVIDED))
    return results


def divided_claim(found: Divided) -> Claim:
    """That the areas are the rates."""
    off = max(abs(found.counts[name] / N_DIVIDED - found.shares[name]) for name in found.shares)
    error = max((share * (1 - share) / N_DIVIDED) ** 0.5 for share in found.shares.values())
    p = POPULATIONS
    return Claim(
        claim="A threshold of 4.5 divides both populations; TP/P is the sensitivity, FP/N is 1 - "
        "specificity.",
        where="ROC Analyses, threshold 4.5",
        measured=f"Of N({p.positive_mean:g}, {p.positive_sd:g}²) {found.shares['TP']:.3f} lie beyond it, of "
        f"N({p.negative_mean:g}, {p.negative_sd:g}²) {found.shares['FP']:.3f}. Counted among {N_DIVIDED} + "
        f"{N_DIVIDED} cases the shares differ by up to {off:.4f}.",
        holds=off <= BY_CHANCE * error,
        chosen_here=True,
    )


def divided_table(found: Divided) -> Table:
    """Truth in rows, test result in columns, with totals, as on the slide."""
    counts = found.counts
    rows: list[Sequence[Any]] = []
    for truth, positive, negative in (("positive", "TP", "FN"), ("negative", "FP", "TN")):
        n = counts[positive] + counts[negative]
        shown = (f"{found.shares[own]:.4f}" for own in (positive, negative))
        rows.append((truth, *shown, counts[positive], counts[negative], n))
    rows.append(("total", "–", "–", *(rows[0][k] + rows[1][k] for k in (3, 4, 5))))
    p = POPULATIONS
    return Table(
        f"Threshold 4.5: shares of each population, and counts of {N_DIVIDED} drawn from each. The slide "
        f"gives no parameters; chosen were normal N({p.negative_mean:g}, {p.negative_sd:g}²) and abnormal "
        f"N({p.positive_mean:g}, {p.positive_sd:g}²).",
        (
            "truth",
            "share called positive",
            "share called negative",
            "called positive",
            "called negative",
            "total",
        ),
        tuple(tuple(map(str, row)) for row in rows),
    )


def divided_figure(found: Divided) -> Figure:
    """The distributions with the threshold, and the point that it is on the curve."""
    scores = found.scores
    return Figure(
        "two_populations",
        "Distribution of Normal (healthy) and Abnormal (sick) patients. Division into Normal and Abnormal "
        "populations using a threshold of 4.5.",
        f"The slide's populations are not given; these are {N_DIVIDED} scores drawn from each of ours. "
        "Added: the curve, on which the threshold is a point.",
        lambda: densities_picture(
            rs.score_densities(scores.is_positive, scores.scores), thresholds=[THRESHOLD], kind="smooth"
        ),
    )


# Ten cases ------------------------------------------------------------------------------------------------

TEN = "Ten cases"
TIED = 0.85
FIRST, LAST, ONE_STEP = "positive first", "negatives first", "one step"
ORDERS = (FIRST, "positive in the middle", LAST)
CELLS = ("TP", "FP", "TN", "FN", "TPR", "FPR")


@dataclass(frozen=True)
class Column:
    """A column of the slide's table: its threshold, what is printed, and what is counted with ``>=``."""

    threshold: float
    shown: tuple[float, ...]
    counted: tuple[float, ...]

    @property
    def agrees(self) -> bool:
        """Whether both are the same."""
        return all(abs(a - b) < 1e-12 for a, b in zip(self.shown, self.counted, strict=True))


@dataclass(frozen=True, eq=False, repr=False)
class TenCases(Result):
    """The slide's columns, the area under their points, areas and curves with the tied cases in one step and
    in each order, and TP, FP, FN and TN at 0.76.
    """

    columns: tuple[Column, ...]
    printed_area: float
    areas: Mapping[str, float]
    arrows: tuple[int, ...]
    curves: Mapping[str, rs.RocCurve]

    _untold = ("curves",)
    _line = "AUC {areas[one step]:.2f}"

    @property
    def unreachable(self) -> tuple[Column, ...]:
        """The columns that no threshold gives."""
        return tuple(column for column in self.columns if not column.agrees)


def ten_cases() -> TenCases:
    """Count every column, and step through the tied cases in every order."""
    labels, scores = np.array(printed.TEN_LABELS), np.array(printed.TEN_SCORES)
    curves = {ONE_STEP: rs.roc_curve(labels, scores, positive="+")}
    made = curves[ONE_STEP].construction()
    steps = zip(made.tp, made.fp, made.tn, made.fn, made.tpr, made.fpr, strict=True)
    counted = {float(u): tuple(map(float, row)) for u, row in zip(made.thresholds, steps, strict=True)}
    counted[1.0] = counted.pop(math.inf)  # what the slide calls the threshold above all scores
    columns = tuple(Column(u, tuple(shown), counted[u]) for u, *shown in printed.TEN_COLUMNS)
    tied = np.flatnonzero(scores == TIED)
    positive, negatives = tied[labels[tied] == "+"], tied[labels[tied] == "-"]
    for place, name in enumerate(ORDERS):
        apart = scores.copy()
        ranked = np.insert(negatives, place, positive)
        apart[ranked] -= 0.001 * np.arange(ranked.size)  # apart from each other, past no other case
        curves[name] = rs.roc_curve(labels, apart, positive="+")
    points = np.array([column.shown[4:] for column in columns])[::-1]
    area = float(np.sum(np.diff(points[:, 1]) * (points[1:, 0] + points[:-1, 0]) / 2))
    at = rs.choose_cutoff(curves[ONE_STEP], threshold=printed.ARROWS[0]).two_by_two()
    areas = {name: float(own.auc) for name, own in curves.items()}
    return TenCases(columns, area, areas, (at.tp, at.fp, at.fn, at.tn), curves)


def ten_checks(found: TenCases, expected: Mapping[str, Any]) -> list[Check]:
    """Every cell of every column that a threshold gives; the areas."""
    results = []
    for column in found.columns:
        if column.threshold == TIED and column in found.unreachable:
            continue  # two of three have a threshold of their own on the slide only
        for name, shown, counted in zip(CELLS, column.shown, column.counted, strict=True):
            results.append(exact(TEN, f">= {column.threshold:.2f}: {name}", shown, counted))
    results.append(exact(TEN, "columns that no threshold gives", 2, len(found.unreachable)))
    results += [
        exact(TEN, f"area, {name}", own, found.areas[name]) for name, own in expected["areas"].items()
    ]
    mean = float(np.mean([found.areas[name] for name in ORDERS]))
    return [
        *results,
        exact(TEN, "area under the slide's table", expected["printed area"], found.printed_area),
        exact(TEN, "mean over the orders is the one step", expected["areas"][ONE_STEP], mean),
    ]


def ten_claims(found: TenCases) -> list[Claim]:
    """The arrows, and the table."""
    threshold, *shown = printed.ARROWS
    areas, n, n_wrong = found.areas, len(found.columns), len(found.unreachable)

    def paired(counts: Sequence[int]) -> str:
        return ", ".join(f"{name} {own}" for name, own in zip(("TP", "FP", "FN", "TN"), counts, strict=True))

    return [
        Claim(
            claim=f"At the threshold {threshold} there are {paired(shown)}.",
            where="How to construct an ROC curve, arrows",
            measured=f"Counted: {paired(found.arrows)}.",
            holds=tuple(shown) == found.arrows,
        ),
        Claim(
            claim='The table counts "at each unique value" (the area under its points is .60).',
            where="How to construct an ROC curve, table",
            measured=f"{n - n_wrong} of {n} columns are what their threshold gives. 0.85 has three; "
            f"{n_wrong} of them belong to no threshold. The area is {areas[ONE_STEP]:.2f}; "
            f"{areas[FIRST]:.2f} needs the tied positive first, negatives first it is {areas[LAST]:.2f}.",
            holds=not found.unreachable,
            instead="One step for the three cases at 0.85, and an area of .56.",
            erratum="S1",
        ),
    ]


def ten_tables(found: TenCases) -> list[Table]:
    """The slide's table turned, with what each threshold gives; and the areas."""
    rows = []
    for column in found.columns:
        counts, rates = (
            (f"{own:g}" for own in column.counted[:4]),
            (f"{own:.1f}" for own in column.counted[4:]),
        )
        point = "the same" if column.agrees else f"TP {column.shown[0]:g}, FP {column.shown[1]:g}"
        rows.append((f"{column.threshold:.2f}", *counts, *rates, point))
    return [
        Table(
            "Ten cases: what each threshold of the slide's table gives, and what the slide shows.",
            ("threshold ≥", *CELLS, "slide shows"),
            tuple(rows),
        ),
        Table(
            "Ten cases: the area, with the three cases at 0.85 in one step, or one at a time.",
            ("cases at 0.85", "area"),
            tuple((name, f"{area:.2f}") for name, area in found.areas.items()),
        ),
    ]


def ten_figure(found: TenCases) -> Figure:
    """An arrow for each step, and the two paths around the slanted one."""
    return Figure(
        "ten_cases",
        "How to construct an ROC curve.",
        "Arrows show the steps, a slanted one the three cases at 0.85. Added: the slide's path around it, "
        "the path with the negatives first, and the two columns that no threshold gives.",
        lambda: _drawn_ten(found),
    )


def _drawn_ten(found: TenCases) -> Picture:
    steps = curve_picture({"": found.curves[ONE_STEP]}, steps=True).panels[0]
    marks, entries = [], []
    for name, look, words in (
        (ONE_STEP, LOOKS[0], "one step at 0.85"),
        (FIRST, LOOKS[1], "positive first (the slide)"),
        (LAST, LOOKS[4], "negatives first"),
    ):
        curve = found.curves[name]
        marks.append(Line(curve.fpr, curve.tpr, look=look))
        entries.append(Entry(Quote(words), marks[-1], Quote(f"area {curve.auc:.2f}")))
    at = np.array([column.shown[4:] for column in found.unreachable])
    dots = Points(at[:, 1], at[:, 0], look=LOOKS[1], marker="X", size=6)
    key = Key((*entries, Entry(Quote("columns that no threshold gives"), dots)))
    paths = View().panel((*marks[::-1], dots))
    panels = titled(steps, "(a) Step by step"), titled(paths, "(b) Tied cases in three ways", key)
    return Picture(panels, columns=2, width=2 * COLUMN, description=Quote("Ten cases"))


# Corners, diagonal, ideal point ---------------------------------------------------------------------------

GUESSING = "Guessing"
GUESS_SEED = 5
CHANCES = (0.1, 0.25, 0.5, 0.75, 0.9)
"""How often a guesser says "positive"."""
RARE, COMMON = 100, 900
"""Positives and negatives of a sample in which equal rates are unequal counts."""


@dataclass(frozen=True)
class Guess:
    """Someone who says "positive" with a fixed chance, counted among 100 positives and 900 negatives."""

    chance: float
    true_positives: int
    false_positives: int

    @property
    def rates(self) -> tuple[float, float]:
        """FPR and TPR."""
        return self.false_positives / COMMON, self.true_positives / RARE


@dataclass(frozen=True, eq=False, repr=False)
class Guessing(Result):
    """The special points and lines of the square.

    Guessers; mean and spread of the areas of ``n_replicates`` useless scores; the areas of a constant and of
    a perfect score, and its point; of a real curve its ends, the largest TPR - FPR, and how many of its
    points are above the diagonal.
    """

    guesses: tuple[Guess, ...]
    useless_areas: tuple[float, float]
    constant_area: float
    ideal_area: float
    ideal_point: tuple[float, float]
    corners: tuple[tuple[float, float], tuple[float, float]]
    highest: float
    share_above: float
    n_replicates: int

    _line = "{n_replicates} useless scores"


def guessing(example: rs.RocCurve, n_replicates: int) -> Guessing:
    """Guess, score at random, score with one number, score perfectly; and look at a real curve's ends."""
    random, n = np.random.default_rng(GUESS_SEED), printed.N_PER_GROUP
    guesses = tuple(
        Guess(chance, int((random.random(RARE) < chance).sum()), int((random.random(COMMON) < chance).sum()))
        for chance in CHANCES
    )
    labels = np.arange(2 * n) < n
    areas = [rs.auc(labels, random.random(labels.size)) for _ in range(n_replicates)]
    ideal = rs.roc_curve(labels, labels + random.random(labels.size))
    best = int(np.argmax(ideal.tpr - ideal.fpr))
    ends = tuple((float(example.fpr[k]), float(example.tpr[k])) for k in (0, -1))
    return Guessing(
        guesses,
        (float(np.mean(areas)), float(np.std(areas, ddof=1))),
        rs.auc(labels, np.full(labels.size, 0.5)),
        float(ideal.auc),
        (float(ideal.fpr[best]), float(ideal.tpr[best])),
        (ends[0], ends[1]),
        float((example.tpr - example.fpr).max()),
        float((example.tpr > example.fpr)[1:-1].mean()),
        n_replicates,
    )


def guess_checks(found: Guessing, expected: Mapping[str, Any]) -> list[Check]:
    """Guessers lie on the straight line; areas are 1/2 and 1."""
    results = []
    for guess in found.guesses:
        for name, rate, n in zip(("TPR", "FPR"), guess.rates[::-1], (RARE, COMMON), strict=True):
            results.append(binomial(GUESSING, f"guesser at {guess.chance:g}: {name}", guess.chance, rate, n))
    (mean, sd), n, wanted = found.useless_areas, found.n_replicates, expected["sd of useless areas"]
    source = f"{n} samples"
    return [
        *results,
        simulated(GUESSING, "mean area of useless scores", 0.5, mean, wanted / math.sqrt(n), source),
        simulated(GUESSING, "sd of areas of useless scores", wanted, sd, wanted / math.sqrt(2 * n), source),
        exact(GUESSING, "area of one score for all", 0.5, found.constant_area),
        exact(GUESSING, "area of a perfect score", 1.0, found.ideal_area),
    ]


def guess_claims(found: Guessing, cuts: Sequence[CutPoint]) -> list[Claim]:
    """Ideal point, corners, diagonal; ``cuts`` are best cut-offs."""
    (fpr, tpr), (first, last), (mean, sd) = found.ideal_point, found.corners, found.useless_areas
    errors = [
        abs(rate - guess.chance) / (guess.chance * (1 - guess.chance) / n) ** 0.5
        for guess in found.guesses
        for rate, n in zip(guess.rates, (COMMON, RARE), strict=True)
    ]
    half = next(guess for guess in found.guesses if guess.chance == 0.5)
    apart, error = abs(half.rates[1] - half.rates[0]), (0.25 / RARE + 0.25 / COMMON) ** 0.5
    return [
        Claim(
            claim="The ideal classifier is at (0, 1) and has area 1.",
            where="ROC Analyses; Using ROC for Model Comparison",
            measured=f"Scores that separate the classes pass through ({fpr:g}, {tpr:g}); their area is "
            f"{found.ideal_area:g}.",
            holds=found.ideal_point == (0.0, 1.0) and found.ideal_area == 1,
        ),
        Claim(
            claim="(0, 0) has specificity 100 % and sensitivity 0 %, (1, 1) the reverse.",
            where="ROC Analyses",
            measured=f"The curve of the SPSS sample starts with specificity {100 * (1 - first[0]):.0f} % and "
            f"sensitivity {100 * first[1]:.0f} %, and ends with {100 * (1 - last[0]):.0f} % and "
            f"{100 * last[1]:.0f} %.",
            holds=first == (0.0, 0.0) and last == (1.0, 1.0),
        ),
        Claim(
            claim="All points on the curve that connects (0, 0) and (1, 1) are random guessing.",
            where="ROC Analyses",
            measured="The curve of the SPSS sample connects them too, with TPR - FPR up to "
            f"{found.highest:.2f}. The rates of {len(found.guesses)} guessers are within {max(errors):.1f} "
            "standard errors of the straight line.",
            holds=found.highest <= 0 and max(errors) <= BY_CHANCE,
            instead="All points on the straight line.",
            erratum="S5",
        ),
        Claim(
            claim="Such classifiers recognise equal amounts of TP and FP.",
            where="ROC Analyses",
            measured=f"Guessing half of {RARE} positives and {COMMON} negatives gave {half.true_positives} "
            f"TP and {half.false_positives} FP: rates {half.rates[1]:.2f} and {half.rates[0]:.2f}.",
            holds=half.true_positives == half.false_positives,
            caveat="With as many positives as negatives. It is the rates that are equal.",
            holds_with_caveat=apart <= BY_CHANCE * error,
            instead="Neither rates nor amounts.",
            erratum="S5",
        ),
        Claim(
            claim="One operates above the diagonal, where the TP rate is higher than the FP rate.",
            where="ROC Analyses",
            measured=f"Between its corners {100 * found.share_above:.0f} % of the points of the SPSS "
            f"sample are above it, and all {len(cuts)} best cut-offs are, by "
            f"{min(cut.youden for cut in cuts):.2f} or more.",
            holds=found.share_above == 1 and all(cut.youden > 0 for cut in cuts),
        ),
        Claim(
            claim="The area under the diagonal, and of random guessing, is 0.5.",
            where="ROC Analyses; Using ROC for Model Comparison",
            measured=f"One score for all cases has {found.constant_area:g}. Scores that know nothing have "
            f"{mean:.4f} on average of {found.n_replicates} samples, and one sample of 300 + 300 is off by "
            f"{sd:.3f}.",
            holds=found.constant_area == 0.5
            and abs(mean - 0.5) <= BY_CHANCE * null_error() / found.n_replicates**0.5,
        ),
    ]


def guess_table(found: Guessing) -> Table:
    """The guessers: equal rates, unequal counts."""
    rows = (
        (
            f"{own.chance:g}",
            f"{own.rates[1]:.3f}",
            f"{own.rates[0]:.3f}",
            str(own.true_positives),
            str(own.false_positives),
        )
        for own in found.guesses
    )
    return Table(
        f"Guessers of a fixed chance, on {RARE} positives and {COMMON} negatives: the rates are equal but "
        "for chance, the amounts are not.",
        ("chance", "TPR", "FPR", "TP", "FP"),
        tuple(rows),
    )


def guess_figure(found: Guessing, example: rs.RocCurve) -> Figure:
    """The straight line with guessers on it; another curve between the same corners; the ideal point."""
    return Figure(
        "guessing",
        "All points lying on the curve connecting the two points ((0,0) and (1,1)) represent random "
        "guessing.",
        "The slide has the sentence alone. Here: guessers, who are on the straight line, and another "
        "curve between the same corners, which is no guessing.",
        lambda: _drawn_guesses(found, example),
    )


def _drawn_guesses(found: Guessing, example: rs.RocCurve) -> Picture:
    straight = Line((0, 1), (0, 1), look=QUIET)
    other = Line(example.fpr, example.tpr, look=LOOKS[0], width=1.2)
    rates = np.array([own.rates for own in found.guesses])
    guessers = Points(rates[:, 0], rates[:, 1], look=LOOKS[1], marker="o", size=5)
    corners = Points((0, 1), (0, 1), look=LOOKS[3], marker="s", size=5)
    ideal = dot(found.ideal_point, LOOKS[2], "*", 9)
    entries = (
        Entry(Quote("guessing, area 0.5"), straight),
        Entry(Quote(f"another curve, area {example.auc:.3f}"), other),
        Entry(Quote(f"guessers, {RARE} + {COMMON} cases"), guessers),
        Entry(Quote("all negative, all positive"), corners),
        Entry(Quote("ideal"), ideal),
    )
    panel = View().panel((straight, other, guessers, corners, ideal), chance=False)
    return Picture((titled(panel, "Corners, diagonal and ideal point", Key(entries)),))
