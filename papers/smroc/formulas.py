"""What the paper's formulas give on small examples, where they are misprinted and as meant; Figures 2 and 3.

Counter-examples are those of the errata, which compute them.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.errata import smroc as errata
from papers.errata.samples import TEN_LABELS, TEN_SCORES
from papers.paper import Check, Claim, Figure, exact
from papers.smroc.runs import quiet_curve
from rocsteady.curves.smroc import SmrocCurve, scored_auc, smroc_curve
from rocsteady.figures.spec import Axis, Label, Line, Panel, Picture, Points
from rocsteady.figures.style import LOOKS
from rocsteady.text import Quote, phrase
from rocsteady.words import listed

Floats = NDArray[np.float64]
MOVIE_SCORES, MOVIE_LABELS = (0.99, 0.70, 0.60, 0.52, 0.25, 0.04), (1, 1, 0, 1, 0, 0)
"""Anna's six movies of Figure 2, which prints no values: two that the text names (.99 and .7), one of .52
that she recommends all the same, and a plausible rest."""
CELLS = (("positive", 1, 0.8), ("negative", 0, 0.2), ("positive", 1, 0.3), ("negative", 0, 0.7))
"""A case of every kind in Figure 3, which prints no values: class, label, score."""
LARGEST_CLASS = 4
"""Of the data sets with scores of 0 and 1, all of which are tried."""
_SAME = 1e-9


def corrected_pairs(curve: SmrocCurve) -> float:
    """Equations 5 and 6 with 1 - Theta of the lower case, and half of it for every tied pair (K5, K6)."""
    above = np.sign(np.subtract.outer(curve.scores, curve.scores)) / 2 + 0.5
    pairs = np.outer(curve.credit, 1 - curve.credit) * above
    return float(pairs.sum() / (curve.total_credit * curve.total_debit))


@cache
def zero_one() -> dict[bool, list[float]]:
    """How far smAUC and AUC lie apart where scores are 0 and 1, by whether Mid is in (0, 1] (K7).

    Of all data sets with at most ``LARGEST_CLASS`` cases of each class; NaN where there is no smAUC.
    """
    gaps: dict[bool, list[float]] = {True: [], False: []}
    for sizes in itertools.product(range(1, LARGEST_CLASS + 1), repeat=2):
        for ones in itertools.product(*(range(n + 1) for n in sizes)):
            scores = [float(i < k) for n, k in zip(sizes, ones, strict=True) for i in range(n)]
            curve = quiet_curve([1] * sizes[0] + [0] * sizes[1], scores)
            gaps[0 < curve.mid <= 1].append(abs(curve.auc - curve.roc_auc))
    return gaps


def calibrated() -> dict[float, tuple[float, float, float]]:
    """Mid, m+ and m- of calibrated scores, by the share of positives (K2): of cases at p a share p is."""
    levels, found = np.array([0.1, 0.4, 0.8]), {}
    for sizes in ((10, 10, 35), (10, 20, 20), (100, 10, 10), (400, 10, 5)):
        n, n_positives = np.array(sizes), levels @ sizes
        high, low = levels @ (levels * n) / n_positives, levels @ ((1 - levels) * n) / (n.sum() - n_positives)
        found[float(n_positives / n.sum())] = (float(levels @ n / (2 * n_positives)), float(high), float(low))
    return found


def movies(moved: float = 0.0) -> SmrocCurve:
    """Figure 2; the first two movies may be moved towards each other."""
    first, second, *rest = MOVIE_SCORES
    return smroc_curve(MOVIE_LABELS, (first - moved, second + moved, *rest), name="Anna")


def checks() -> list[Check]:
    """The identities behind the corrected formulas, and the numbers of the errata."""
    pairs, ratio, outside = errata.k5(), errata.k1(), errata.k7()
    ten = quiet_curve(TEN_LABELS, TEN_SCORES)
    identities = {
        "equation 5, corrected, less the area (ten instances)": (0.0, corrected_pairs(ten) - ten.auc),
        "equation 1 with c = n+/n-, left less right": (0.0, ratio["ratio"] - ratio["mid"]),
        "scores of 0 and 1, Mid in (0, 1]: largest gap": (0.0, max(zero_one()[True])),
        "counter-example, Mid 1.5: smAUC": (0.75, outside["smauc"]),
        "counter-example, Mid 1.5: AUC": (2 / 3, outside["auc"]),
        "Mid of calibrated scores, largest gap to 1/2": (
            0.0,
            max(abs(mid - 0.5) for mid, *_ in calibrated().values()),
        ),
    }
    given = {
        "equation 6 as printed (ten instances)": (0.2119, pairs["literal"]),
        "equation 6 with the other subscript (ten instances)": (0.5457, pairs["mended"]),
        "area under the curve (ten instances)": (0.5806, pairs["area"]),
    }
    source = "four digits in the errata"
    return [
        *(exact("Formulas", name, *pair) for name, pair in identities.items()),
        *(Check("Formulas", name, *pair, 5e-5, source) for name, pair in given.items()),
    ]


# Claims that need no data -------------------------------------------------------------------------------


def claims() -> list[Claim]:
    """All of them, in the order of the paper."""
    return [*_about_movies(), *_about_scores(), *_about_formulas()]


def _about_movies() -> list[Claim]:
    (curve, closer), (first, second) = (movies(), movies(0.1)), MOVIE_SCORES[:2]
    scored = [scored_auc(MOVIE_LABELS, own.scores).value for own in (curve, closer)]
    gap, of_roc, of_scored = (
        abs(a - b) for a, b in ((curve.auc, closer.auc), (curve.roc_auc, closer.roc_auc), scored)
    )
    slopes = np.diff(curve.tpr) / np.diff(curve.fpr)
    ratio, of_odds = slopes[0] / slopes[1], first / (1 - first) / (second / (1 - second))
    return [
        Claim(
            claim="smAUC can tell points of one class apart; AUC cannot, and sAUC does not compare them.",
            where="Section 2 and Figure 2",
            measured=f"Two recommended movies of {first:g} and {second:g} moved 0.1 towards each other: "
            f"smAUC {curve.auc:.3f} becomes {closer.auc:.3f}; AUC {_change(of_roc)}, sAUC "
            f"{_change(of_scored)}. (These two scores are the paper's, in its text; four are ours.)",
            holds=gap > 1e-3 and of_roc < _SAME and of_scored < _SAME,
            chosen_here=True,
        ),
        Claim(
            claim="Line segments have slopes proportional to the scores.",
            where="Section 2 and Figure 2",
            measured=f"Movies 1 and 2 have scores {first:g} and {second:g}, a ratio of {first / second:.2f}; "
            f"their slopes have a ratio of {ratio:.1f}, that of the odds {of_odds:.1f}.",
            holds=abs(ratio / (first / second) - 1) < _SAME,
            instead="Slopes are proportional to the odds of the credit, Θ / (1 - Θ)."
            if abs(ratio / of_odds - 1) < _SAME
            else "",
        ),
    ]


def _change(gap: float) -> str:
    return "stays" if gap < _SAME else f"changes by {gap:.3f}"


def _about_scores() -> list[Claim]:
    scale, no_level = errata.k12(), errata.k9()
    stretched, shifted = (
        smroc_curve([1, 0, 1, 0], [2.0, 0.5, 1.5, lowest], rescale="min-max") for lowest in (0.0, -1.0)
    )
    return [
        Claim(
            claim="The scores may be on any scale, which may be unbounded.",
            where="Section 1",
            measured=f"A positive at 1.4 goes right by {scale['step']:.1f}, so the curve turns back; such "
            "scores are refused here (RS087) unless they are stretched to [0, 1] first. That changes the "
            "area with the range: if the lowest of four scores, a negative's, falls from 0 to -1, smAUC goes "
            f"from {stretched.auc:.3f} to {shifted.auc:.3f} and AUC stays at {shifted.roc_auc:.3f}.",
            holds=scale["step"] >= 0,
            instead="Scores must lie in [0, 1].",
            erratum="K12",
        ),
        Claim(
            claim="The modification preserves properties and characteristics of the ROC curve, so that ROC "
            "analysis remains valid.",
            where="Section 3",
            measured="Squaring five scores keeps their order and moves smAUC from "
            f"{scale['smauc']:.3f} to {scale['squared']:.3f}. Calibrated scores, one positive in ten, with "
            f"labels dealt at random give {no_level['chance']:.3f}, not 1/2. No point of the curve is the "
            "rate of a threshold.",
            holds=abs(scale["squared"] - scale["smauc"]) < _SAME and abs(no_level["chance"] - 0.5) < 0.01,
            instead="It rises from (0, 0) to (1, 1) as a ROC curve does. Its points are no rates, its area "
            "has no chance level of 1/2 and changes under monotone maps.",
            erratum="K9",
        ),
    ]


def _about_formulas() -> list[Claim]:
    end, ratio, pairs, outside = errata.k4(), errata.k1(), errata.k5(), errata.k7()
    whole, ten = quiet_curve([1, 1, 0, 0], [1.0, 0.5, 0.5, 0.0]), quiet_curve(TEN_LABELS, TEN_SCORES)
    found, gaps = calibrated(), zero_one()
    _, high, low = found[0.5]
    balanced, ties_half = high + low / 0.5, corrected_pairs(ten)
    n_differ = sum(not gap <= 1e-12 for gap in gaps[False])  # an undefined smAUC differs too
    agree = max(gaps[True]) < _SAME
    shares = listed([f"{100 * share:.0f} %" for share in sorted(found)])
    mids = listed(sorted({f"{mid:.3f}" for mid, *_ in found.values()}))
    return [
        Claim(
            claim="Algorithm 2 with the factors of Equations 2 and 4 makes its way through the unit square.",
            where="Section 3, Algorithm 2",
            measured="No branch takes a score equal to Mid: positives of 1 and 0.5, negatives of 0.5 and 0 "
            f"(Mid {end['mid']:g}) end at ({end['end_right']:.3f}, {end['end_up']:.3f}); where such scores "
            f"count as high, at ({whole.fpr[-1]:g}, {whole.tpr[-1]:g}).",
            holds=min(end["end_right"], end["end_up"]) > 1 - _SAME,
            caveat="Where no score equals Mid, or where such scores count as high, as in Definition 1.",
            holds_with_caveat=abs(min(whole.fpr[-1], whole.tpr[-1]) - 1) < _SAME,
            erratum="K4",
        ),
        Claim(
            claim="For calibrated scores and c = n+/n = 1, m+ + m-/c is 1, so that Mid is 1/2.",
            where="Section 3, before Equation 1",
            measured="c = 1 would leave no negatives; for calibrated scores of balanced classes, where c is "
            f"1/2, m+ + m-/c is {balanced:.3f}. Calibrated scores with {shares} positives have Mid {mids}.",
            holds=abs(balanced - 1) < _SAME,
            instead="c is n+/n-, and for calibrated scores Mid is 1/2 whatever the class ratio."
            if all(abs(mid - 0.5) < _SAME for mid, *_ in found.values())
            else "",
            erratum="K1, K2",
        ),
        Claim(
            claim="With c = n+/n, half of m+ + m-/c is sum(S) / (2 n+).",
            where="Equation 1",
            measured=f"One positive of 0.8, three negatives of 0.2: the left side is {ratio['printed']:.3f}, "
            f"the right side {ratio['mid']:.3f}; with c = n+/n- the left side is {ratio['ratio']:.3f}.",
            holds=abs(ratio["printed"] - ratio["mid"]) < _SAME,
            instead="c is n+/n-." if abs(ratio["ratio"] - ratio["mid"]) < _SAME else "",
            erratum="K1",
        ),
        Claim(
            claim="Equations 5 and 6 are the area under the curve.",
            where="Equations 5 and 6",
            measured=f"Ten instances, three of them tied: as printed {pairs['literal']:.4f}, with 1 - Θ(x_j) "
            f"for 1 - Θ(x_i) {pairs['mended']:.4f}, with tied pairs counted half as well {ties_half:.4f}; "
            f"area {pairs['area']:.4f}.",
            holds=abs(pairs["literal"] - pairs["area"]) < _SAME,
            instead="They are with 1 - Θ(x_j), and half of it wherever scores are tied."
            if abs(ties_half - pairs["area"]) < _SAME
            else "",
            erratum="K5, K6",
        ),
        Claim(
            claim="For scores of 0 and 1, smROC and smAUC reduce to ROC and AUC.",
            where="Section 3, after Equation 6",
            measured=f"One positive of 1, negatives of 1, 1 and 0: Mid {outside['mid']:.2f}, smAUC "
            f"{outside['smauc']:.3f}, AUC {outside['auc']:.3f}. Of all data sets with at most "
            f"{LARGEST_CLASS} cases per class, the {len(gaps[True])} with Mid in (0, 1] "
            f"{'agree' if agree else f'differ by up to {max(gaps[True]):.3f}'}; of the {len(gaps[False])} "
            f"others {n_differ} differ.",
            holds=n_differ == 0 and agree,
            caveat="If 0 < Mid <= 1: at least one score of 1, and at most two for each positive.",
            holds_with_caveat=agree,
            erratum="K7",
        ),
    ]


def numbers() -> dict[str, Any]:
    """The curve of Figure 2."""
    curve = movies()
    scored = scored_auc(MOVIE_LABELS, MOVIE_SCORES).value
    return {"curve": curve.to_dict(), "sAUC": scored, "appropriateness": curve.appropriateness.to_dict()}


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
    smroc = movies()
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
