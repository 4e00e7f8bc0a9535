"""How a curve is made, and its special points: two populations divided, ten cases, guessing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import rocsteady as rs
from papers.paper import Check, Claim, Figure, Part, Table, binomial, exact, simulated
from papers.slides import printed
from papers.slides.example import null_error
from papers.slides.normals import CutPoint, TwoNormals, dot, legendre_nodes, titled
from rocsteady.figures.densities import picture as densities_picture
from rocsteady.figures.roc import picture as curve_picture
from rocsteady.figures.roc_space import View
from rocsteady.figures.spec import Entry, Key, Line, Picture, Points
from rocsteady.figures.style import COLUMN, LOOKS, QUIET
from rocsteady.results import Result
from rocsteady.statistics.limits import trapezoids
from rocsteady.text import Quote

BY_CHANCE = 4.0
"""Standard errors."""

# Two populations and the threshold 4.5 --------------------------------------------------------------------

THRESHOLD = 4.5
POPULATIONS = TwoNormals(3.0, 1.0, 6.0, 1.5, "two populations")
"""Chosen: the slide names the threshold only."""
N_DIVIDED, DIVIDED_SEED = 10_000, 45
DIVIDED = "Two populations, threshold 4.5"


def divided() -> Part:
    """The four areas of the two populations, and a sample that is counted."""
    cut = POPULATIONS.at(THRESHOLD)
    shares = {"TP": cut.tpr, "FN": 1 - cut.tpr, "FP": cut.fpr, "TN": 1 - cut.fpr}
    scores = rs.Scores(*POPULATIONS.draw(N_DIVIDED, N_DIVIDED, DIVIDED_SEED))
    table = rs.choose_cutoff(rs.roc_curve(scores), threshold=THRESHOLD).two_by_two()
    counts = {"TP": table.tp, "FN": table.fn, "FP": table.fp, "TN": table.tn}
    off = max(abs(counts[name] / N_DIVIDED - shares[name]) for name in shares)
    error = max((share * (1 - share) / N_DIVIDED) ** 0.5 for share in shares.values())
    normal, abnormal = (
        f"N({mean:g}, {sd:g}²)"
        for mean, sd in (
            (POPULATIONS.negative_mean, POPULATIONS.negative_sd),
            (POPULATIONS.positive_mean, POPULATIONS.positive_sd),
        )
    )
    claim = Claim(
        claim="A threshold of 4.5 divides both populations; TP/P is the sensitivity, FP/N is 1 - "
        "specificity.",
        where="ROC Analyses, threshold 4.5",
        measured=f"Of {abnormal} {shares['TP']:.3f} lie beyond it, of {normal} {shares['FP']:.3f}. Counted "
        f"among {N_DIVIDED} + {N_DIVIDED} cases the shares differ by up to {off:.4f}.",
        holds=off <= BY_CHANCE * error,
        chosen_here=True,
    )
    figure = Figure(
        "two_populations",
        "Distribution of Normal (healthy) and Abnormal (sick) patients. Division into Normal and Abnormal "
        "populations using a threshold of 4.5.",
        f"The slide's populations are not given; these are {N_DIVIDED} scores drawn from each of ours. "
        "Added: the curve, on which the threshold is a point.",
        lambda: densities_picture(
            rs.score_densities(scores.is_positive, scores.scores), thresholds=[THRESHOLD], kind="smooth"
        ),
    )
    shown = Table(
        f"Threshold 4.5: shares of each population, and counts of {N_DIVIDED} drawn from each. The slide "
        f"gives no parameters; chosen were normal {normal} and abnormal {abnormal}.",
        (
            *("truth", "share called positive", "share called negative"),
            *("called positive", "called negative", "total"),
        ),
        tuple(_two_by_two(shares, counts)),
    )
    numbers = {"two populations": {"shares": shares, "counts": counts}}
    return Part(_divided_checks(shares, counts), (claim,), (shown,), (figure,), numbers)


def _two_by_two(shares: Mapping[str, float], counts: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Truth in rows, test result in columns, with totals, as on the slide."""
    for truth, cells in (("positive", ("TP", "FN")), ("negative", ("FP", "TN"))):
        own = [counts[cell] for cell in cells]
        yield (truth, *(f"{shares[cell]:.4f}" for cell in cells), *map(str, (*own, sum(own))))
    called = counts["TP"] + counts["FP"], counts["FN"] + counts["TN"]
    yield ("total", "–", "–", *map(str, (*called, sum(called))))


def _divided_checks(shares: Mapping[str, float], counts: Mapping[str, int]) -> list[Check]:
    """The areas under the densities, by quadrature; the counts."""
    nodes, weights = legendre_nodes()
    half, source, results = 12.0, "quadrature; nine digits", []  # sds of the wider population on either side
    for side, names in ((-1, ("TN", "FN")), (1, ("FP", "TP"))):
        densities = POPULATIONS.densities(THRESHOLD + side * half * (nodes + 1) / 2)
        for name, density in zip(names, densities, strict=True):
            area = float((weights * density).sum() * half / 2)
            results.append(Check(DIVIDED, f"area {name}", shares[name], area, 1e-8, source))
    return results + [
        binomial(DIVIDED, f"{name} in a sample", shares[name], counts[name] / N_DIVIDED, N_DIVIDED)
        for name in ("TP", "FP")
    ]


# Ten cases ------------------------------------------------------------------------------------------------

TEN = "Ten cases"
TIED = 0.85
FIRST, LAST, ONE_STEP = "positive first", "negatives first", "one step"
ORDERS = (FIRST, "positive in the middle", LAST)
CELLS = ("TP", "FP", "TN", "FN", "TPR", "FPR")
TEN_AREAS = {ONE_STEP: 0.56, FIRST: 0.60, LAST: 0.52}
"""By the specification."""


class Column(NamedTuple):
    """A column of the slide's table: its threshold, what is printed, and what is counted with ``>=``."""

    threshold: float
    shown: tuple[float, ...]
    counted: tuple[float, ...]

    @property
    def agrees(self) -> bool:
        """Whether both are the same."""
        return all(abs(a - b) < 1e-12 for a, b in zip(self.shown, self.counted, strict=True))


@cache
def ten_curves() -> dict[str, rs.RocCurve]:
    """The curve with the tied cases in one step, and in each order."""
    labels, scores = np.array(printed.TEN_LABELS), np.array(printed.TEN_SCORES)
    curves = {ONE_STEP: rs.roc_curve(labels, scores, positive="+")}
    tied = np.flatnonzero(scores == TIED)
    positive, negatives = tied[labels[tied] == "+"], tied[labels[tied] == "-"]
    for place, name in enumerate(ORDERS):
        apart = scores.copy()
        ranked = np.insert(negatives, place, positive)
        apart[ranked] -= 0.001 * np.arange(ranked.size)  # apart from each other, past no other case
        curves[name] = rs.roc_curve(labels, apart, positive="+")
    return curves


def ten_areas() -> dict[str, float]:
    """The areas of :func:`ten_curves`."""
    return {name: float(own.auc) for name, own in ten_curves().items()}


def ten_columns() -> tuple[Column, ...]:
    """The columns of the slide, counted again."""
    made = ten_curves()[ONE_STEP].construction()
    steps = zip(made.tp, made.fp, made.tn, made.fn, made.tpr, made.fpr, strict=True)
    counted = {float(u): tuple(map(float, row)) for u, row in zip(made.thresholds, steps, strict=True)}
    counted[1.0] = counted.pop(math.inf)  # what the slide calls the threshold above all scores
    return tuple(Column(u, tuple(shown), counted[u]) for u, *shown in printed.TEN_COLUMNS)


def ten_cases() -> Part:
    """Count every column, and step through the tied cases in every order."""
    columns, areas = ten_columns(), ten_areas()
    at = rs.choose_cutoff(ten_curves()[ONE_STEP], threshold=printed.ARROWS[0]).two_by_two()
    figure = Figure(
        "ten_cases",
        "How to construct an ROC curve.",
        "Arrows show the steps, a slanted one the three cases at 0.85. Added: the slide's path around it, "
        "the path with the negatives first, and the two columns that no threshold gives.",
        lambda: _drawn_ten(columns),
    )
    tables = (
        Table(
            "Ten cases: what each threshold of the slide's table gives, and what the slide shows.",
            ("threshold ≥", *CELLS, "slide shows"),
            tuple(map(_ten_row, columns)),
        ),
        Table(
            "Ten cases: the area, with the three cases at 0.85 in one step, or one at a time.",
            ("cases at 0.85", "area"),
            tuple((name, f"{area:.2f}") for name, area in areas.items()),
        ),
    )
    claims = ten_claims(columns, areas, (at.tp, at.fp, at.fn, at.tn))
    return Part(_ten_checks(columns, areas), claims, tables, (figure,), {"ten cases": {"areas": areas}})


def _ten_row(column: Column) -> tuple[str, ...]:
    counts = [f"{own:g}" for own in column.counted[:4]]
    rates = [f"{own:.1f}" for own in column.counted[4:]]
    point = "the same" if column.agrees else f"TP {column.shown[0]:g}, FP {column.shown[1]:g}"
    return f"{column.threshold:.2f}", *counts, *rates, point


def _ten_checks(columns: Sequence[Column], areas: Mapping[str, float]) -> list[Check]:
    """Every cell of every column that a threshold gives; the areas."""
    unreachable = [column for column in columns if not column.agrees]
    points = np.array([column.shown[4:] for column in columns])[::-1]
    area = trapezoids(points[:, 1], points[:, 0])
    results = [
        exact(TEN, f">= {column.threshold:.2f}: {name}", shown, counted)
        for column in columns
        if column.agrees or column.threshold != TIED  # two of three are a threshold on the slide only
        for name, shown, counted in zip(CELLS, column.shown, column.counted, strict=True)
    ]
    mean = float(np.mean([areas[name] for name in ORDERS]))
    return [
        *results,
        exact(TEN, "columns that no threshold gives", 2, len(unreachable)),
        *(exact(TEN, f"area, {name}", own, areas[name]) for name, own in TEN_AREAS.items()),
        exact(TEN, "area under the slide's table", 0.60, area),
        exact(TEN, "mean over the orders is the one step", TEN_AREAS[ONE_STEP], mean),
    ]


def ten_claims(
    columns: Sequence[Column], areas: Mapping[str, float], arrows: tuple[int, ...]
) -> tuple[Claim, ...]:
    """The arrows, and the table."""
    threshold, *shown = printed.ARROWS
    n, n_wrong = len(columns), sum(not column.agrees for column in columns)

    def paired(counts: Sequence[int]) -> str:
        return ", ".join(f"{name} {own}" for name, own in zip(("TP", "FP", "FN", "TN"), counts, strict=True))

    return (
        Claim(
            claim=f"At the threshold {threshold} there are {paired(shown)}.",
            where="How to construct an ROC curve, arrows",
            measured=f"Counted: {paired(arrows)}.",
            holds=tuple(shown) == arrows,
        ),
        Claim(
            claim='The table counts "at each unique value" (the area under its points is .60).',
            where="How to construct an ROC curve, table",
            measured=f"{n - n_wrong} of {n} columns are what their threshold gives. 0.85 has three; "
            f"{n_wrong} of them belong to no threshold. The area is {areas[ONE_STEP]:.2f}; "
            f"{areas[FIRST]:.2f} needs the tied positive first, negatives first it is {areas[LAST]:.2f}.",
            holds=not n_wrong,
            instead="One step for the three cases at 0.85, and an area of .56.",
            erratum="S1",
        ),
    )


def _drawn_ten(columns: Sequence[Column]) -> Picture:
    """An arrow for each step, and the two paths around the slanted one."""
    steps = curve_picture({"": ten_curves()[ONE_STEP]}, steps=True).panels[0]
    marks, entries = [], []
    for name, look, words in (
        (ONE_STEP, LOOKS[0], "one step at 0.85"),
        (FIRST, LOOKS[1], "positive first (the slide)"),
        (LAST, LOOKS[4], "negatives first"),
    ):
        curve = ten_curves()[name]
        marks.append(Line(curve.fpr, curve.tpr, look=look))
        entries.append(Entry(Quote(words), marks[-1], Quote(f"area {curve.auc:.2f}")))
    at = np.array([column.shown[4:] for column in columns if not column.agrees])
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


class Guess(NamedTuple):
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
    """Guessers; areas of useless scores; areas of a constant and of a perfect score, and its best point."""

    guesses: tuple[Guess, ...]
    useless_areas: tuple[float, ...]
    constant_area: float
    ideal_area: float
    ideal_point: tuple[float, float]

    _untold = ("useless_areas",)
    _line = "{constant_area:.1f} and {ideal_area:.1f}"


def guessed(n_replicates: int) -> Guessing:
    """Guess, score at random, score with one number, score perfectly."""
    random, n = np.random.default_rng(GUESS_SEED), printed.N_PER_GROUP
    guesses = tuple(
        Guess(chance, int((random.random(RARE) < chance).sum()), int((random.random(COMMON) < chance).sum()))
        for chance in CHANCES
    )
    labels = np.arange(2 * n) < n
    areas = tuple(rs.auc(labels, random.random(labels.size)) for _ in range(n_replicates))
    ideal = rs.roc_curve(labels, labels + random.random(labels.size))
    best = int(np.argmax(ideal.tpr - ideal.fpr))
    point = float(ideal.fpr[best]), float(ideal.tpr[best])
    return Guessing(guesses, areas, rs.auc(labels, np.full(labels.size, 0.5)), float(ideal.auc), point)


def guessing(example: rs.RocCurve, cuts: Sequence[CutPoint], n_replicates: int) -> Part:
    """The special points and lines of the square; ``cuts`` are best cut-offs."""
    found = guessed(n_replicates)
    rows = tuple(
        (f"{own.chance:g}", *(f"{rate:.3f}" for rate in own.rates[::-1]), *map(str, own[1:]))
        for own in found.guesses
    )
    table = Table(
        f"Guessers of a fixed chance, on {RARE} positives and {COMMON} negatives: the rates are equal but "
        "for chance, the amounts are not.",
        ("chance", "TPR", "FPR", "TP", "FP"),
        rows,
    )
    figure = Figure(
        "guessing",
        "All points lying on the curve connecting the two points ((0,0) and (1,1)) represent random "
        "guessing.",
        "The slide has the sentence alone. Here: guessers, who are on the straight line, and another "
        "curve between the same corners, which is no guessing.",
        lambda: _drawn_guesses(found, example),
    )
    claims = guess_claims(found, example, cuts)
    return Part(_guess_checks(found), claims, (table,), (figure,), {"guessing": found})


def _guess_checks(found: Guessing) -> list[Check]:
    """Guessers lie on the straight line; areas are 1/2 and 1."""
    results = []
    for guess in found.guesses:
        for name, rate, n in zip(("TPR", "FPR"), guess.rates[::-1], (RARE, COMMON), strict=True):
            results.append(binomial(GUESSING, f"guesser at {guess.chance:g}: {name}", guess.chance, rate, n))
    areas, n, wanted = np.array(found.useless_areas), len(found.useless_areas), null_error()
    mean, sd, source = float(areas.mean()), float(areas.std(ddof=1)), f"{n} samples"
    return [
        *results,
        simulated(GUESSING, "mean area of useless scores", 0.5, mean, wanted / math.sqrt(n), source),
        simulated(GUESSING, "sd of areas of useless scores", wanted, sd, wanted / math.sqrt(2 * n), source),
        exact(GUESSING, "area of one score for all", 0.5, found.constant_area),
        exact(GUESSING, "area of a perfect score", 1.0, found.ideal_area),
    ]


def guess_claims(found: Guessing, example: rs.RocCurve, cuts: Sequence[CutPoint]) -> tuple[Claim, ...]:
    """Ideal point, corners, diagonal."""
    (fpr, tpr), areas = found.ideal_point, np.array(found.useless_areas)
    first, last = ((float(example.fpr[k]), float(example.tpr[k])) for k in (0, -1))
    highest = float((example.tpr - example.fpr).max())
    share_above = float((example.tpr > example.fpr)[1:-1].mean())
    errors = [
        abs(rate - guess.chance) / (guess.chance * (1 - guess.chance) / n) ** 0.5
        for guess in found.guesses
        for rate, n in zip(guess.rates, (COMMON, RARE), strict=True)
    ]
    half = next(guess for guess in found.guesses if guess.chance == 0.5)
    apart, error = abs(half.rates[1] - half.rates[0]), (0.25 / RARE + 0.25 / COMMON) ** 0.5
    return (
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
            f"{highest:.2f}. The rates of {len(found.guesses)} guessers are within {max(errors):.1f} "
            "standard errors of the straight line.",
            holds=highest <= 0 and max(errors) <= BY_CHANCE,
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
            measured=f"Between its corners {100 * share_above:.0f} % of the points of the SPSS "
            f"sample are above it, and all {len(cuts)} best cut-offs are, by "
            f"{min(cut.youden for cut in cuts):.2f} or more.",
            holds=share_above == 1 and all(cut.youden > 0 for cut in cuts),
        ),
        Claim(
            claim="The area under the diagonal, and of random guessing, is 0.5.",
            where="ROC Analyses; Using ROC for Model Comparison",
            measured=f"One score for all cases has {found.constant_area:g}. Scores that know nothing have "
            f"{areas.mean():.4f} on average of {areas.size} samples, and one sample of 300 + 300 is off by "
            f"{areas.std(ddof=1):.3f}.",
            holds=found.constant_area == 0.5
            and abs(areas.mean() - 0.5) <= BY_CHANCE * null_error() / areas.size**0.5,
        ),
    )


def _drawn_guesses(found: Guessing, example: rs.RocCurve) -> Picture:
    """The straight line with guessers on it; another curve between the same corners; the ideal point."""
    rates = np.array([own.rates for own in found.guesses])
    marks: list[tuple[str, Any]] = [
        ("guessing, area 0.5", Line((0, 1), (0, 1), look=QUIET)),
        (
            f"another curve, area {example.auc:.3f}",
            Line(example.fpr, example.tpr, look=LOOKS[0], width=1.2),
        ),
        (
            f"guessers, {RARE} + {COMMON} cases",
            Points(rates[:, 0], rates[:, 1], look=LOOKS[1], marker="o", size=5),
        ),
        ("all negative, all positive", Points((0, 1), (0, 1), look=LOOKS[3], marker="s", size=5)),
        ("ideal", dot(found.ideal_point, LOOKS[2], "*", 9)),
    ]
    panel = View().panel([mark for _, mark in marks], chance=False)
    key = Key(tuple(Entry(Quote(words), mark) for words, mark in marks))
    return Picture((titled(panel, "Corners, diagonal and ideal point", key),))
