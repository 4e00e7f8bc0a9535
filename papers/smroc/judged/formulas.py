"""Claims that need no data: the formulas, the example of the movies."""

from __future__ import annotations

import numpy as np

from papers.claims import Claim
from papers.smroc import formulas
from papers.smroc.formulas import (
    MOVIE_LABELS,
    MOVIE_SCORES,
    OUTSIDE_LABELS,
    OUTSIDE_SCORES,
    TEN_LABELS,
    TEN_SCORES,
)
from papers.smroc.quiet_curves import quiet_curve
from rocsteady.curves.smroc import smroc_curve
from rocsteady.words import listed

_SAME = 1e-9


def claims() -> list[Claim]:
    """All of them, in the order of the paper."""
    return [
        _within_a_class(),
        _slopes(),
        _unbounded(),
        _ranking_analysis(),
        _ends_at_one(),
        _calibrated(),
        _equation_1(),
        _equation_6(),
        _zero_one(),
    ]


def _within_a_class() -> Claim:
    found = formulas.movies()
    gap, scored = abs(found.closer.auc - found.curve.auc), abs(found.scored_closer - found.scored)
    roc = abs(found.closer.roc_auc - found.curve.roc_auc)
    return Claim(
        claim="smAUC can tell points of one class apart; AUC cannot, and sAUC does not compare them.",
        where="Section 2 and Figure 2",
        measured=f"Two recommended movies of {MOVIE_SCORES[0]:g} and {MOVIE_SCORES[1]:g} moved 0.1 towards "
        f"each other: smAUC {found.curve.auc:.3f} becomes {found.closer.auc:.3f}; AUC {_change(roc)}, sAUC "
        f"{_change(scored)}. (These two scores are the paper's, in the text; the other four are ours.)",
        holds=gap > 1e-3 and roc < _SAME and scored < _SAME,
    )


def _change(gap: float) -> str:
    return "stays" if gap < _SAME else f"changes by {gap:.3f}"


def _slopes() -> Claim:
    slopes = formulas.movies().slopes
    of_scores = MOVIE_SCORES[0] / MOVIE_SCORES[1]
    odds = [s / (1 - s) for s in MOVIE_SCORES[:2]]
    return Claim(
        claim="Line segments have slopes proportional to the scores.",
        where="Section 2 and Figure 2",
        measured=f"Movies 1 and 2 have scores {MOVIE_SCORES[0]:g} and {MOVIE_SCORES[1]:g}, a ratio of "
        f"{of_scores:.2f}; their slopes have a ratio of {slopes[0] / slopes[1]:.1f}, that of the odds "
        f"{odds[0] / odds[1]:.1f}.",
        holds=abs(slopes[0] / slopes[1] / of_scores - 1) < _SAME,
        correction="Slopes are proportional to the odds of the credit, Θ / (1 - Θ).",
        holds_corrected=abs(slopes[0] / slopes[1] / (odds[0] / odds[1]) - 1) < _SAME,
    )


def _unbounded() -> Claim:
    scores = (2.0, 0.5, 1.5, 0.0)
    runs = [1 - s for s in scores if s > 1]
    stretched = smroc_curve([1, 0, 1, 0], scores, rescale="min-max")
    shifted = smroc_curve([1, 0, 1, 0], [*scores[:3], -1.0], rescale="min-max")
    return Claim(
        claim="The scores may be on any scale, which may be unbounded.",
        where="Section 1",
        measured=f"A score of {scores[0]:g} goes right by {runs[0]:g}, so the curve turns back; such scores "
        "are refused here (RS087) unless they are stretched to [0, 1] first. That changes the area with the "
        f"range: if the lowest score, a negative's, falls from 0 to -1, smAUC goes from {stretched.auc:.3f} "
        f"to {shifted.auc:.3f} and AUC stays at {shifted.roc_auc:.3f}.",
        holds=min(runs) >= 0,
        erratum="K12",
    )


def _ranking_analysis() -> Claim:
    squared = smroc_curve(MOVIE_LABELS, np.square(MOVIE_SCORES))
    plain = smroc_curve(MOVIE_LABELS, MOVIE_SCORES)
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
        erratum="K9",
    )


def _ends_at_one() -> Claim:
    never = formulas.end_of_algorithm_2((1, 0), (0.5, 0.5), 0.5)
    short = formulas.end_of_algorithm_2(TEN_LABELS, TEN_SCORES, 0.76)
    whole = quiet_curve(TEN_LABELS, TEN_SCORES, 0.76)
    return Claim(
        claim="Algorithm 2 with the factors of Equations 2 and 4 makes its way through the unit square.",
        where="Section 3, Algorithm 2",
        measured="No branch takes a score equal to Mid: one positive and one negative at 0.5 (Mid 0.5) end "
        f"at ({never[0]:g}, {never[1]:g}); ten instances with Mid at a score end at ({short[0]:.3f}, "
        f"{short[1]:.3f}).",
        holds=min(*never, *short) > 1 - _SAME,
        correction="Scores equal to Mid count as high, as in Definition 1.",
        holds_corrected=abs(whole.fpr[-1] - 1) < _SAME and abs(whole.tpr[-1] - 1) < _SAME,
        erratum="K4",
    )


def _calibrated() -> Claim:
    found = formulas.calibrated()
    shares = [f"{100 * share:.0f} %" for share in sorted(found)]
    mids = [own.right for own in found.values()]
    balanced = 2 * found[0.5].printed_ratio
    return Claim(
        claim="For calibrated scores and c = n+/n = 1, m+ + m-/c is 1, so that Mid is 1/2.",
        where="Section 3, before Equation 1",
        measured="c = 1 would leave no negatives; for calibrated scores of balanced classes, where c is "
        f"1/2, m+ + m-/c is {balanced:.3f}. Calibrated scores with {listed(shares)} positives have "
        f"Mid {listed(sorted({f'{mid:.3f}' for mid in mids}))}.",
        holds=abs(balanced - 1) < _SAME,
        correction="c is n+/n-, and for calibrated scores Mid is 1/2 whatever the class ratio.",
        holds_corrected=all(abs(own.other_ratio - 0.5) < _SAME for own in found.values()),
        erratum="K2",
    )


def _equation_1() -> Claim:
    found = formulas.midpoint(OUTSIDE_LABELS, OUTSIDE_SCORES)
    return Claim(
        claim="With c = n+/n, half of m+ + m-/c is sum(S) / (2 n+).",
        where="Equation 1",
        measured=f"One positive of 1, negatives of 1, 1 and 0: the left side is {found.printed_ratio:.3f}, "
        f"the right side {found.right:.3f}; with c = n+/n- the left side is {found.other_ratio:.3f}.",
        holds=abs(found.printed_ratio - found.right) < _SAME,
        correction="c is n+/n-.",
        holds_corrected=abs(found.other_ratio - found.right) < _SAME,
        erratum="K1",
    )


def _equation_6() -> Claim:
    found = formulas.pair_formulas(TEN_LABELS, TEN_SCORES)
    return Claim(
        claim="Equations 5 and 6 are the area under the curve.",
        where="Equations 5 and 6",
        measured=f"Ten instances, three of them tied: as printed {found.as_printed:.4f}, with 1 - Θ(x_j) "
        f"for 1 - Θ(x_i) {found.other_subscript:.4f}, with tied pairs counted half as well "
        f"{found.ties_half:.4f}; area {found.area:.4f}.",
        holds=abs(found.as_printed - found.area) < _SAME,
        correction="1 - Θ(x_j), and half of it wherever scores are tied.",
        holds_corrected=abs(found.ties_half - found.area) < _SAME,
        erratum="K5, K6",
    )


def _zero_one() -> Claim:
    outside = quiet_curve(OUTSIDE_LABELS, OUTSIDE_SCORES)
    tried = formulas.zero_one()
    return Claim(
        claim="For scores of 0 and 1, smROC and smAUC reduce to ROC and AUC.",
        where="Section 3, after Equation 6",
        measured=f"One positive of 1, negatives of 1, 1 and 0: Mid {outside.mid:.2f}, smAUC "
        f"{outside.auc:.3f}, AUC {outside.roc_auc:.3f}. Of all {tried.n_inside + tried.n_outside} such data "
        f"sets with at most {formulas.LARGEST_CLASS} cases per class, the {tried.n_inside} with Mid in (0, "
        f"1] {_agree(tried.largest_gap_inside)}; of the {tried.n_outside} others {tried.n_differ_outside} "
        f"differ (the scores of {tried.n_varied_outside} are not all the same).",
        holds=tried.n_differ_outside == 0 and tried.largest_gap_inside < _SAME,
        correction="They do if 0 < Mid <= 1: at least one score of 1, and at most two for each positive.",
        holds_corrected=tried.largest_gap_inside < _SAME,
        erratum="K7",
    )


def _agree(gap: float) -> str:
    return "agree" if gap < _SAME else f"differ by up to {gap:.3f}"
