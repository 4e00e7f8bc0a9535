"""What the paper's formulas give on small examples, as printed and as meant; Figures 2 and 3."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papers.paper import Check, Claim, Figure, exact
from papers.smroc.runs import quiet_curve
from rocsteady.curves.smroc import SmrocCurve, scored_auc, smroc_curve
from rocsteady.figures.spec import Axis, Label, Line, Panel, Picture, Points
from rocsteady.figures.style import LOOKS
from rocsteady.text import Quote, phrase
from rocsteady.words import listed

Floats = NDArray[np.float64]
TEN_SCORES = (0.95, 0.93, 0.87, 0.85, 0.85, 0.85, 0.76, 0.53, 0.43, 0.25)
TEN_LABELS = (1, 1, 0, 0, 0, 1, 0, 1, 0, 1)
"""Ten instances with a tie across the classes, from a lecture on ROC curves (Sakellaropoulos)."""
MOVIE_SCORES, MOVIE_LABELS = (0.99, 0.70, 0.60, 0.52, 0.25, 0.04), (1, 1, 0, 1, 0, 0)
"""Anna's six movies of Figure 2, which prints no values: two that the text names (.99 and .7), one of .52
that she recommends all the same, and a plausible rest."""
OUTSIDE_LABELS, OUTSIDE_SCORES = (1, 0, 0, 0), (1.0, 1.0, 1.0, 0.0)
"""Scores of 0 and 1 whose Mid is above 1."""
CELLS = (("positive", 1, 0.8), ("negative", 0, 0.2), ("positive", 1, 0.3), ("negative", 0, 0.7))
"""A case of every kind in Figure 3, which prints no values: class, label, score."""
LARGEST_CLASS = 4
"""Of the data sets with scores of 0 and 1, all of which are tried."""
_SAME = 1e-9


class PairFormulas(NamedTuple):
    """Equations 5 and 6 on one example, beside the area under the curve of Algorithm 2.

    ``as_printed`` has 1 - Theta(x_i) and nothing for tied pairs, ``other_subscript`` 1 - Theta(x_j),
    ``ties_half`` also half of it for every tied pair.
    """

    area: float
    as_printed: float
    other_subscript: float
    ties_half: float


def pair_formulas(labels: Sequence[int], scores: Sequence[float]) -> PairFormulas:
    """Equations 5 and 6, pair by pair."""
    curve = quiet_curve(labels, scores)
    theta, s = curve.credit, np.asarray(scores)
    higher, tied = (s[:, None] > s[None, :]).astype(float), (s[:, None] == s[None, :]).astype(float)
    of_i, of_j, self_only = (1 - theta)[:, None], (1 - theta)[None, :], np.eye(len(s))
    psis = (of_i * (higher + self_only / 2), of_j * (higher + self_only / 2), of_j * (higher + tied / 2))
    total = theta.sum() * (1 - theta).sum()
    return PairFormulas(curve.auc, *(float((theta[:, None] * psi).sum() / total) for psi in psis))


class ZeroOne(NamedTuple):
    """All data sets with scores of 0 and 1 and at most a few cases of each class.

    How many have their Mid in (0, 1] and how many not; the largest gap between smAUC and AUC over the former;
    of the latter, in how many the two areas differ, and in how many the scores are not all the same.
    """

    n_inside: int
    n_outside: int
    largest_gap_inside: float
    n_differ_outside: int
    n_varied_outside: int


@cache
def zero_one() -> ZeroOne:
    """Is smAUC the AUC where scores are 0 and 1? (K7)"""
    gaps: dict[bool, list[float]] = {True: [], False: []}
    n_varied = 0
    for sizes in itertools.product(range(1, LARGEST_CLASS + 1), repeat=2):
        for ones in itertools.product(*(range(n + 1) for n in sizes)):
            scores = [float(i < k) for n, k in zip(sizes, ones, strict=True) for i in range(n)]
            curve = quiet_curve([1] * sizes[0] + [0] * sizes[1], scores)
            is_inside = 0 < curve.mid <= 1
            gaps[is_inside].append(abs(curve.auc - curve.roc_auc))
            n_varied += not is_inside and len(set(scores)) > 1
    differ = sum(not gap <= 1e-12 for gap in gaps[False])  # an undefined smAUC differs too
    return ZeroOne(len(gaps[True]), len(gaps[False]), max(gaps[True]), differ, n_varied)


class Midpoint(NamedTuple):
    """Equation 1: its right side ``sum(S) / (2 n+)``, its left side with c = n+ / n (printed) and n+ / n-."""

    right: float
    printed_ratio: float
    other_ratio: float


def midpoint(labels: Sequence[int], scores: Sequence[float]) -> Midpoint:
    """Both sides of Equation 1 (K1)."""
    is_positive, s = np.asarray(labels) == 1, np.asarray(scores)
    n, n_positives = len(s), int(is_positive.sum())
    high, low = s[is_positive].mean(), s[~is_positive].mean()
    left = [0.5 * (high + low / c) for c in (n_positives / n, n_positives / (n - n_positives))]
    return Midpoint(float(s.sum() / (2 * n_positives)), *map(float, left))


def calibrated() -> dict[float, Midpoint]:
    """Equation 1 for calibrated scores, by the share of positives (K2): of cases at p a share p is."""
    levels, found = (0.1, 0.4, 0.8), {}
    for sizes in ((10, 10, 35), (10, 20, 20), (100, 10, 10), (400, 10, 5)):
        labels: list[int] = []
        for level, size in zip(levels, sizes, strict=True):
            n_positives = round(level * size)
            labels += [1] * n_positives + [0] * (size - n_positives)
        found[sum(labels) / len(labels)] = midpoint(labels, np.repeat(levels, sizes).tolist())
    return found


def end_of_algorithm_2(labels: Sequence[int], scores: Sequence[float], mid: float) -> tuple[float, float]:
    """Where the curve ends if a score equal to Mid is met by none of the branches (K4)."""
    curve = quiet_curve(labels, scores, mid)
    moves = np.asarray(scores) != mid
    up, right = curve.credit[moves].sum(), (1 - curve.credit)[moves].sum()
    return float(right / curve.total_debit), float(up / curve.total_credit)


@dataclass(frozen=True)
class Movies:
    """Anna's six movies, and the same with the first two moved towards each other; sAUC of both."""

    curve: SmrocCurve
    closer: SmrocCurve
    scored: float
    scored_closer: float

    @property
    def slopes(self) -> Floats:
        """Of the six segments of the curve."""
        return np.diff(self.curve.tpr) / np.diff(self.curve.fpr)


def movies() -> Movies:
    """Figure 2, and what changes if two recommended movies come closer together."""
    first, second, *rest = MOVIE_SCORES
    closer = (first - 0.1, second + 0.1, *rest)
    return Movies(
        smroc_curve(MOVIE_LABELS, MOVIE_SCORES, name="Anna"),
        smroc_curve(MOVIE_LABELS, closer, name="Anna, closer"),
        scored_auc(MOVIE_LABELS, MOVIE_SCORES).value,
        scored_auc(MOVIE_LABELS, closer).value,
    )


def checks() -> list[Check]:
    """The identities behind the corrected formulas, and the numbers of the errata."""
    pairs, outside = pair_formulas(TEN_LABELS, TEN_SCORES), quiet_curve(OUTSIDE_LABELS, OUTSIDE_SCORES)
    of_mid, tried = midpoint(OUTSIDE_LABELS, OUTSIDE_SCORES), zero_one()
    furthest = max(abs(own.right - 0.5) for own in calibrated().values())
    identities = {
        "equation 5, corrected, less the area (ten instances)": (0.0, pairs.ties_half - pairs.area),
        "equation 1 with c = n+/n-, left less right": (0.0, of_mid.other_ratio - of_mid.right),
        "scores of 0 and 1, Mid in (0, 1]: largest gap": (0.0, tried.largest_gap_inside),
        "counter-example, Mid 1.5: smAUC": (0.75, outside.auc),
        "counter-example, Mid 1.5: AUC": (2 / 3, outside.roc_auc),
        "Mid of calibrated scores, largest gap to 1/2": (0.0, furthest),
    }
    given = {
        "equation 6 as printed (ten instances)": (0.2119, pairs.as_printed),
        "equation 6 with the other subscript (ten instances)": (0.5457, pairs.other_subscript),
        "area under the curve (ten instances)": (0.5806, pairs.area),
    }
    source = "four digits in the errata"
    return [
        *(exact("Formulas", name, *pair) for name, pair in identities.items()),
        *(Check("Formulas", name, *pair, 5e-5, source) for name, pair in given.items()),
    ]


# Claims that need no data -------------------------------------------------------------------------------


def claims() -> list[Claim]:
    """All of them, in the order of the paper."""
    return [*_about_movies(), _unbounded(), _ranking_analysis(), _ends_at_one(), *_equations(), _zero_one()]


def _about_movies() -> list[Claim]:
    found, (first, second) = movies(), MOVIE_SCORES[:2]
    gap, scored = abs(found.closer.auc - found.curve.auc), abs(found.scored_closer - found.scored)
    roc = abs(found.closer.roc_auc - found.curve.roc_auc)
    ratio, of_odds = found.slopes[0] / found.slopes[1], first / (1 - first) / (second / (1 - second))
    is_of_odds = abs(ratio / of_odds - 1) < _SAME
    return [
        Claim(
            claim="smAUC can tell points of one class apart; AUC cannot, and sAUC does not compare them.",
            where="Section 2 and Figure 2",
            measured=f"Two recommended movies of {first:g} and {second:g} moved 0.1 towards each other: "
            f"smAUC {found.curve.auc:.3f} becomes {found.closer.auc:.3f}; AUC {_change(roc)}, sAUC "
            f"{_change(scored)}. (These two scores are the paper's, in the text; the other four are ours.)",
            holds=gap > 1e-3 and roc < _SAME and scored < _SAME,
            chosen_here=True,
        ),
        Claim(
            claim="Line segments have slopes proportional to the scores.",
            where="Section 2 and Figure 2",
            measured=f"Movies 1 and 2 have scores {first:g} and {second:g}, a ratio of {first / second:.2f}; "
            f"their slopes have a ratio of {ratio:.1f}, that of the odds {of_odds:.1f}.",
            holds=abs(ratio / (first / second) - 1) < _SAME,
            instead="Slopes are proportional to the odds of the credit, Θ / (1 - Θ)." if is_of_odds else "",
        ),
    ]


def _change(gap: float) -> str:
    return "stays" if gap < _SAME else f"changes by {gap:.3f}"


def _unbounded() -> Claim:
    scores = (2.0, 0.5, 1.5, 0.0)
    runs = [1 - s for s in scores if s > 1]
    stretched, shifted = (
        smroc_curve([1, 0, 1, 0], [*scores[:3], lowest], rescale="min-max") for lowest in (scores[3], -1.0)
    )
    return Claim(
        claim="The scores may be on any scale, which may be unbounded.",
        where="Section 1",
        measured=f"A score of {scores[0]:g} goes right by {runs[0]:g}, so the curve turns back; such scores "
        "are refused here (RS087) unless they are stretched to [0, 1] first. That changes the area with the "
        f"range: if the lowest score, a negative's, falls from 0 to -1, smAUC goes from {stretched.auc:.3f} "
        f"to {shifted.auc:.3f} and AUC stays at {shifted.roc_auc:.3f}.",
        holds=min(runs) >= 0,
        instead="Scores must lie in [0, 1].",
        erratum="K12",
    )


def _ranking_analysis() -> Claim:
    squared, plain = (smroc_curve(MOVIE_LABELS, np.power(MOVIE_SCORES, power)) for power in (2, 1))
    few = quiet_curve([1, 1, *[0] * 18], [((i + 0.5) / 20) ** 2 for i in reversed(range(20))], mid=0.5)
    return Claim(
        claim="The modification preserves properties and characteristics of the ROC curve, so that ROC "
        "analysis remains valid.",
        where="Section 3",
        measured="Squaring the scores of the six movies keeps their order and moves smAUC from "
        f"{plain.auc:.3f} to {squared.auc:.3f}. With 2 positives among 20 scores, most of them low, and Mid "
        f"1/2, labels dealt at random give {few.chance_auc:.3f}, not 1/2. No point of the curve is the rate "
        "of a threshold.",
        holds=abs(squared.auc - plain.auc) < _SAME and abs(few.chance_auc - 0.5) < 0.01,
        instead="It rises from (0, 0) to (1, 1) as a ROC curve does. Its points are no rates, its area has "
        "no chance level of 1/2 and changes under monotone maps.",
        erratum="K9",
    )


def _ends_at_one() -> Claim:
    never = end_of_algorithm_2((1, 0), (0.5, 0.5), 0.5)
    short = end_of_algorithm_2(TEN_LABELS, TEN_SCORES, 0.76)
    whole, apart = (quiet_curve(TEN_LABELS, TEN_SCORES, mid) for mid in (0.76, 0.77))
    ends = [end_of_algorithm_2(TEN_LABELS, TEN_SCORES, 0.77), (whole.fpr[-1], whole.tpr[-1])]
    return Claim(
        claim="Algorithm 2 with the factors of Equations 2 and 4 makes its way through the unit square.",
        where="Section 3, Algorithm 2",
        measured="No branch takes a score equal to Mid: one positive and one negative at 0.5 (Mid 0.5) end "
        f"at ({never[0]:g}, {never[1]:g}); ten instances with Mid at a score end at ({short[0]:.3f}, "
        f"{short[1]:.3f}), with Mid {apart.mid:g} between scores at ({ends[0][0]:g}, {ends[0][1]:g}).",
        holds=min(*never, *short) > 1 - _SAME,
        caveat="Where no score equals Mid, or where such scores count as high, as in Definition 1.",
        holds_with_caveat=all(abs(value - 1) < _SAME for end in ends for value in end),
        erratum="K4",
    )


def _equations() -> list[Claim]:
    found = calibrated()
    balanced = 2 * found[0.5].printed_ratio
    mids = listed(sorted({f"{own.right:.3f}" for own in found.values()}))
    mid, pairs = midpoint(OUTSIDE_LABELS, OUTSIDE_SCORES), pair_formulas(TEN_LABELS, TEN_SCORES)
    return [
        Claim(
            claim="For calibrated scores and c = n+/n = 1, m+ + m-/c is 1, so that Mid is 1/2.",
            where="Section 3, before Equation 1",
            measured="c = 1 would leave no negatives; for calibrated scores of balanced classes, where c is "
            f"1/2, m+ + m-/c is {balanced:.3f}. Calibrated scores with "
            f"{listed([f'{100 * share:.0f} %' for share in sorted(found)])} positives have Mid {mids}.",
            holds=abs(balanced - 1) < _SAME,
            instead="c is n+/n-, and for calibrated scores Mid is 1/2 whatever the class ratio."
            if all(abs(own.other_ratio - 0.5) < _SAME for own in found.values())
            else "",
            erratum="K1, K2",
        ),
        Claim(
            claim="With c = n+/n, half of m+ + m-/c is sum(S) / (2 n+).",
            where="Equation 1",
            measured=f"One positive of 1, negatives of 1, 1 and 0: the left side is {mid.printed_ratio:.3f}, "
            f"the right side {mid.right:.3f}; with c = n+/n- the left side is {mid.other_ratio:.3f}.",
            holds=abs(mid.printed_ratio - mid.right) < _SAME,
            instead="c is n+/n-." if abs(mid.other_ratio - mid.right) < _SAME else "",
            erratum="K1",
        ),
        Claim(
            claim="Equations 5 and 6 are the area under the curve.",
            where="Equations 5 and 6",
            measured=f"Ten instances, three of them tied: as printed {pairs.as_printed:.4f}, with 1 - Θ(x_j) "
            f"for 1 - Θ(x_i) {pairs.other_subscript:.4f}, with tied pairs counted half as well "
            f"{pairs.ties_half:.4f}; area {pairs.area:.4f}.",
            holds=abs(pairs.as_printed - pairs.area) < _SAME,
            instead="They are with 1 - Θ(x_j), and half of it wherever scores are tied."
            if abs(pairs.ties_half - pairs.area) < _SAME
            else "",
            erratum="K5, K6",
        ),
    ]


def _zero_one() -> Claim:
    outside, tried = quiet_curve(OUTSIDE_LABELS, OUTSIDE_SCORES), zero_one()
    gap = tried.largest_gap_inside
    agree = "agree" if gap < _SAME else f"differ by up to {gap:.3f}"
    return Claim(
        claim="For scores of 0 and 1, smROC and smAUC reduce to ROC and AUC.",
        where="Section 3, after Equation 6",
        measured=f"One positive of 1, negatives of 1, 1 and 0: Mid {outside.mid:.2f}, smAUC "
        f"{outside.auc:.3f}, AUC {outside.roc_auc:.3f}. Of all {tried.n_inside + tried.n_outside} such data "
        f"sets with at most {LARGEST_CLASS} cases per class, the {tried.n_inside} with Mid in (0, "
        f"1] {agree}; of the {tried.n_outside} others {tried.n_differ_outside} "
        f"differ (the scores of {tried.n_varied_outside} are not all the same).",
        holds=tried.n_differ_outside == 0 and gap < _SAME,
        caveat="If 0 < Mid <= 1: at least one score of 1, and at most two for each positive.",
        holds_with_caveat=gap < _SAME,
        erratum="K7",
    )


# Figures 2 and 3 ----------------------------------------------------------------------------------------


def figures() -> list[Figure]:
    """Both figures that need no data; Figure 1 of the paper is a list of words."""
    return [
        Figure(
            "figure_2",
            "In the ROC space, it's difficult to distinguish between movies 1 and 2. Anna recommends both "
            "but she likes movie 1 almost 30% more than 2. The smROC plots the line segments with slopes "
            "proportional to the scores. Visually, movies 1 and 2 have different slopes in the smROC space. "
            "Similarly, scores of movies 5 and 6 result in different slopes. Anna likes movie 1 the most and "
            "6 the least.",
            "The paper prints no scores: 0.99 and 0.7 are in its text, the other four are ours. Slopes are "
            "proportional to the odds of the credit, not to the scores.",
            picture_2,
        ),
        Figure(
            "figure_3",
            "The modified step size is based on score appropriateness",
            "The paper prints no values; one case of each kind with Mid 0.5, in the paper's order. The steps "
            "are those of rs.smroc_curve, before they are divided by the sums of all credits and debits.",
            picture_3,
        ),
    ]


def picture_2() -> Picture:
    """Anna's six movies in both spaces; each segment has the number of its movie."""
    smroc = movies().curve
    roc = smroc.roc()
    spaces = (
        (roc.fpr, roc.tpr, f"ROC, AUC {roc.auc:.3f}", "false positive rate", "true positive rate"),
        (
            smroc.fpr,
            smroc.tpr,
            f"smROC, smAUC {smroc.auc:.3f} (Mid {smroc.mid:.3f})",
            "share of debit",
            "share of credit",
        ),
    )
    panels = []
    for x, y, title, across, up in spaces:
        numbers = []
        for i, (dx, dy) in enumerate(zip(np.diff(x).tolist(), np.diff(y).tolist(), strict=True)):
            away = 0.045 / float(np.hypot(dx, dy))  # on the lower right
            at = (float(x[i]) + dx / 2 + away * dy, float(y[i]) + dy / 2 - away * dx)
            numbers.append(Label(*at, Quote(str(i + 1)), across="middle"))
        marks = (Line(x, y, look=LOOKS[0]), Points(x, y, look=LOOKS[0], size=3), *numbers)
        axes = [Axis(Quote(label), 0.0, 1.0) for label in (across, up)]
        panels.append(Panel(axes[0], axes[1], marks, title=Quote(title), aspect=1.0))
    scores = zip(MOVIE_SCORES, MOVIE_LABELS, strict=True)
    movies_said = ", ".join(f"{score:g}{'+' if label else '−'}" for score, label in scores)
    description = phrase("Six movies in ROC and smROC space")
    return Picture(
        tuple(panels), Quote(f"Six movies: {movies_said}"), columns=2, width=6.6, description=description
    )


def picture_3() -> Picture:
    """A step of each of four kinds: appropriate scores climb by S and run by 1 - S, others the other way."""
    curve = smroc_curve([own[1] for own in CELLS], [own[2] for own in CELLS], mid=0.5)
    panels = []
    for (name, label, score), credit in zip(CELLS, curve.credit.tolist(), strict=True):
        is_appropriate = bool(label) == (score >= curve.mid)
        look = LOOKS[0 if is_appropriate else 1]
        legs = Line([0, 0, 1 - credit], [0, credit, credit], look=look, width=0.9, dash=(2, 2), name="legs")
        step = Line([0, 1 - credit], [0, credit], look=look, width=2.2, dash=(), name="step")
        rise, run = ("S", "1 − S") if is_appropriate else ("1 − S", "S")
        words = (
            Label(-0.04, credit / 2, Quote(f"{rise} = {credit:.1f}"), across="right"),
            Label(
                (1 - credit) / 2,
                credit + 0.05,
                Quote(f"{run} = {1 - credit:.1f}"),
                across="middle",
                up="bottom",
            ),
        )
        marks = (legs, step, Points([1 - credit], [credit], look=look, size=5), *words)
        x, y = (
            Axis(None, -0.55, 1.0, ticks=(), is_shown=False),
            Axis(None, -0.05, 1.0, ticks=(), is_shown=False),
        )
        kind, sign = "appropriate" if is_appropriate else "inappropriate", ">" if score > curve.mid else "<"
        title = Quote(f"{name}, S {sign} Mid: {kind}")
        panels.append(Panel(x, y, marks, title=title, aspect=0.7))
    return Picture(
        tuple(panels), columns=2, width=6.6, description=phrase("The steps of four kinds of cases")
    )
