"""Klement, Flach, Japkowicz and Matwin, smROC curves: K1 to K14."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papers.errata.erratum import Chapter, Numbers
from papers.errata.samples import TEN_LABELS, TEN_SCORES, normal_quantiles
from papers.smroc.sets import all_of_table_1
from rocsteady.curves.smroc import SmrocCurve, smroc_curve
from rocsteady.errors import RocsteadyWarning

Floats = NDArray[np.float64]

CHAPTER = Chapter(
    "K",
    "Klement and others, smROC curves",
    "W. Klement, P. Flach, N. Japkowicz, S. Matwin, Smooth receiver operating characteristics (smROC) "
    "curves, *ECML PKDD*, 2011.",
)


def quiet(positives: ArrayLike, negatives: ArrayLike, mid: str | float = "paper") -> SmrocCurve:
    """The curve of the scores of both classes, without the warnings that these examples are about."""
    classes = [np.asarray(scores, dtype=np.float64) for scores in (positives, negatives)]
    labels = np.repeat([1, 0], [scores.size for scores in classes])
    return _quietly(labels, np.concatenate(classes), mid)


def _quietly(labels: ArrayLike, scores: ArrayLike, mid: str | float = "paper") -> SmrocCurve:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocsteadyWarning)
        return smroc_curve(labels, scores, mid=mid)


@CHAPTER.entry
def k1() -> Numbers:
    """The class ratio c (proved)

    Where: Section 3, before equation 1
    Says: c = n⁺ / n, and c = 1 for balanced classes
    Instead: c = n⁺ / n⁻. With n⁺ / n, c = 1 would mean that there are no negatives.
    Because: Only then is (m⁺ + m⁻ / c) / 2 the sum of the scores over 2 n⁺, as equation 1 goes on. One
        positive at 0.8 and three negatives at 0.2: equation 1 gives {ratio:.1f} either way with n⁺ / n⁻,
        but {printed:.1f} on its left side with n⁺ / n.
    Here: `rs.smroc_curve(..., mid="paper")` takes the sum.
    """
    m_plus, m_minus, n_plus, n_minus = 0.8, 0.2, 1, 3
    found = {
        name: (m_plus + m_minus / c) / 2
        for name, c in (("printed", n_plus / (n_plus + n_minus)), ("ratio", n_plus / n_minus))
    }
    return found | {"mid": quiet([0.8], [0.2, 0.2, 0.2]).mid}


@CHAPTER.entry
def k2() -> Numbers:
    """When Mid is one half (proved)

    Where: Section 3, before equation 1
    Says: calibrated scores and c = 1 give Mid = 1/2; the natural midpoint is (max(S) - min(S)) / 2
    Instead: Whenever the scores sum to n⁺, Mid is 1/2, for every class ratio. The midpoint is (max + min) /
        2; half the range is the same only if the least score is 0.
    Because: n⁺ / (2 n⁺) = 1/2. One positive at 0.55 and nine negatives at 0.05: Mid = {mid:.2f}. Of scores
        from 0.5 to 0.9 half the range is {half_range:.1f}, below all of them, and the midpoint
        {midpoint:.1f}.
    Here: `rs.smroc_curve(..., mid=0.5)`.
    """
    return {
        "mid": quiet([0.55], [0.05] * 9).mid,
        "half_range": (0.9 - 0.5) / 2,
        "midpoint": (0.9 + 0.5) / 2,
    }


@CHAPTER.entry
def k3() -> Numbers:
    """Two sets changed places (proved)

    Where: Section 3, before equation 2
    Says: L⁺ and H⁻ are listed as negatives with S ≥ Mid and positives with S < Mid
    Instead: L⁺ are the positives with low scores, H⁻ the negatives with high ones, as lines 11 and 13 of
        Algorithm 2 have it.
    Because: No number changes: cases of both sets contribute 1 - S.
    Here: `curve.appropriateness` counts all four.
    """
    return {}


@CHAPTER.entry
def k4() -> Numbers:
    """A score that equals Mid (checked)

    Where: Algorithm 2, lines 3 to 14
    Says: there are branches for S > Mid and for S < Mid
    Instead: S = Mid is high, as Definition 1 says. Without a branch for it the case does not move and the
        curve stops short of (1, 1).
    Because: Positives 1 and 0.5, negatives 0.5 and 0: Mid = {mid:.1f}, {at_mid} cases do not move, and the
        curve ends at ({end_right:.1f}, {end_up:.1f}).
    Here: `rs.smroc_curve` takes S ≥ Mid as high.
    """
    curve = quiet([1.0, 0.5], [0.5, 0.0])
    moves = curve.scores != curve.mid
    return {
        "mid": curve.mid,
        "at_mid": int((~moves).sum()),
        "end_up": float(curve.credit[moves].sum() / curve.total_credit),
        "end_right": float((1 - curve.credit[moves]).sum() / curve.total_debit),
    }


@CHAPTER.entry
def k5() -> Numbers:
    """A subscript in the pair formula (checked)

    Where: Equation 6
    Says: Ψ(x_i, x_j) = 1 - Θ(x_i) where S_i > S_j
    Instead: 1 - Θ(x_j): the credit of the higher case against the debit of the lower.
    Because: On the ten instances of the slides equation 5 gives {literal:.4f} as printed, {mended:.4f} with
        x_j, and the area under the curve is {area:.4f}; what is still missing is K6.
    Here: `curve.auc` is the area, and the corrected pair formula to rounding error.
    """
    curve = _quietly(TEN_LABELS, TEN_SCORES)
    return {"literal": pairs(curve, "i"), "mended": pairs(curve, "j"), "area": curve.auc}


def pairs(curve: SmrocCurve, subscript: str) -> float:
    """Equations 5 and 6, with 1 - Theta of the higher (i, as printed) or of the lower (j) case of a pair."""
    theta, scores = curve.credit, curve.scores
    above = np.where(np.eye(scores.size, dtype=bool), 0.5, scores[:, None] > scores[None, :])
    debit = 1 - (theta[:, None] if subscript == "i" else theta[None, :])
    return float((theta[:, None] * debit * above).sum() / (curve.total_credit * curve.total_debit))


@CHAPTER.entry
def k6() -> Numbers:
    """Ties in the pair formula (proved)

    Where: Equation 6
    Says: Ψ = (1 - Θ(x_i)) / 2 for i = j, 0 for other pairs of equal scores
    Instead: (1 - Θ(x_j)) / 2 whenever S_i = S_j, also within a class: Algorithm 2 joins tied cases by one
        segment, and the area under a segment counts half.
    Because: Two positives at 0.8 and a negative at 0.2: pairs without ties give {pairs:.4f}, with ties
        {with_ties:.4f}; the area is {area:.4f}.
    Here: Tied cases move together in `rs.smroc_curve`.
    """
    curve = quiet([0.8, 0.8], [0.2])
    tied = np.equal.outer(curve.scores, curve.scores) & ~np.eye(3, dtype=bool)
    lost = (np.outer(curve.credit, 1 - curve.credit) * tied).sum() / 2
    mended = pairs(curve, "j")
    return {
        "pairs": mended,
        "with_ties": mended + float(lost) / (curve.total_credit * curve.total_debit),
        "area": curve.auc,
    }


@CHAPTER.entry
def k7() -> Numbers:
    """Scores of zero and one (proved)

    Where: Section 3, at the end
    Says: when scores "are zeros and ones, the smROC and the smAUC will reduce to the standard ROC and the
        standard AUC"
    Instead: If 0 < Mid ≤ 1, that is if there are between 1 and 2 n⁺ ones. Beyond that the curves agree for
        constant scores only.
    Because: Ones high and zeros low give Θ = 1 to positives and 0 to negatives. But a positive at 1 and
        negatives at 1, 1, 0 have Mid = {mid:.1f}, smAUC {smauc:.3f} and AUC {auc:.3f}; with negatives at 1,
        0, 0 Mid is {fair_mid:.0f} and both areas are {fair_auc:.3f}.
    Here: `mid="clipped"` or a number keeps Mid in range; RS260 warns where it is not.
    """
    curve = quiet([1.0], [1.0, 1.0, 0.0])
    fair = quiet([1.0], [1.0, 0.0, 0.0])
    return {
        "mid": curve.mid,
        "smauc": curve.auc,
        "auc": curve.roc_auc,
        "fair_mid": fair.mid,
        "fair_smauc": fair.auc,
        "fair_auc": fair.roc_auc,
    }


def polarised() -> tuple[NDArray[np.int64], Floats]:
    """100 positives and 1,500 negatives with scores near 0 or 1, as an overconfident learner gives them."""
    logits = 8 * np.concatenate([normal_quantiles(100, 0.9), normal_quantiles(1500, -0.4)])
    return np.repeat([1, 0], [100, 1500]), 1 / (1 + np.exp(-logits))


@CHAPTER.entry
def k8() -> Numbers:
    """Mid beyond the scores (checked)

    Where: Equation 1; section 4.1, Figures 5 and 6
    Says: on the two ozone sets "the average smAUC is substantially higher than the standard AUC", so score
        magnitudes "produce better class separation"
    Instead: Mid is not confined to [0, 1]: it exceeds 1 when the scores sum to more than 2 n⁺. Then every
        positive is inappropriate and every negative appropriate: confident false positives climb, true
        positives run right. Polarised scores have a high smAUC then, whatever the labels.
    Because: 100 positives and 1 500 negatives with scores near 0 or 1: Mid {mid:.1f}, AUC {auc:.2f}, smAUC
        {smauc:.2f}; with the labels dealt at random still {dealt:.2f}. With Mid = 0.5: {even:.2f}, dealt
        {even_dealt:.2f}. The ozone sets themselves behave so ([claims](claims.md)); the authors' own code
        could not be run.
    Here: `curve.chance_auc` is always there; RS260 warns; `curve.mid_profile()` shows smAUC for every Mid.
    """
    labels, scores = polarised()
    dealt = np.random.default_rng(8).permutation(labels)
    curve, even = _quietly(labels, scores), _quietly(labels, scores, 0.5)
    return {
        "mid": curve.mid,
        "auc": curve.roc_auc,
        "smauc": curve.auc,
        "dealt": _quietly(dealt, scores).auc,
        "chance": curve.chance_auc,
        "even": even.auc,
        "even_dealt": _quietly(dealt, scores, 0.5).auc,
    }


def calibrated(n_positives: int, n_negatives: int) -> tuple[NDArray[np.int64], Floats]:
    """Posteriors of two normal classes one and a half standard deviations apart."""
    apart, odds = 1.5, n_positives / n_negatives
    z = np.concatenate([normal_quantiles(n_positives, apart), normal_quantiles(n_negatives)])
    return np.repeat([1, 0], [n_positives, n_negatives]), 1 / (1 + np.exp(apart**2 / 2 - apart * z) / odds)


@CHAPTER.entry
def k9() -> Numbers:
    """No chance level of one half (checked)

    Where: Sections 3 and 4
    Says: smAUC is read like AUC; no chance level is given
    Instead: The smAUC of scores that know nothing about the labels is 1/2 for balanced classes with Mid =
        1/2, and not in general. Report it beside the smAUC.
    Because: Calibrated scores, one positive in ten, Mid {mid:.2f}: smAUC {smauc:.2f}, with labels dealt at
        random {dealt:.2f} on average, by formula {chance:.2f}. Balanced: {balanced:.2f}.
    Here: `curve.chance_auc` by formula, `curve.permuted()` by dealing, with a p-value ([smROC](smroc.md)).
    """
    curve = _quietly(*calibrated(100, 900))
    dealt = curve.permuted(n_permutations=100, seed=9)
    return {
        "mid": curve.mid,
        "smauc": curve.auc,
        "chance": curve.chance_auc,
        "dealt": dealt.mean,
        "balanced": _quietly(*calibrated(100, 100), 0.5).chance_auc,
    }


@CHAPTER.entry
def k10() -> Numbers:
    """What a contribution is (proved)

    Where: Equation 3
    Says: Θ is S for appropriate scores and 1 - S for inappropriate ones
    Instead: With Mid = 1/2 that is 1/2 + |S - 1/2| for positives and 1/2 - |S - 1/2| for negatives: the
        label gives the direction, confidence the size. With another Mid it jumps by |1 - 2 Mid| there, in
        the wrong direction if Mid < 1/2.
    Because: With Mid = 0.3 a positive at 0.301 earns {above:.3f}, one at 0.299 earns {below:.3f}.
    Here: `curve.credit` has Θ of each case.
    """
    curve = quiet([0.301, 0.299], [0.1], 0.3)
    return {"above": float(curve.credit[0]), "below": float(curve.credit[1])}


@CHAPTER.entry
def k11() -> Numbers:
    """When there is no area (proved)

    Where: Equations 2 and 4
    Says: both axes are normalised by α_v and α_h
    Instead: Both are positive if 0 < Mid ≤ 1. With equation 1's Mid α_v always is, but α_h is 0 if all
        positives score 0, all negatives 1, and n⁻ > 2 n⁺.
    Because: Credit is 0 for a positive only if it scores 0 and is high, or scores 1 and is low; neither
        happens in (0, 1], and negatives mirror it. A positive at 0 and three negatives at 1: Mid {mid:.1f},
        α_h = {debit:.0f}, no smAUC.
    Here: NaN and the warning RS261.
    """
    curve = quiet([0.0], [1.0, 1.0, 1.0])
    return {"mid": curve.mid, "debit": curve.total_debit, "smauc": curve.auc}


@CHAPTER.entry
def k12() -> Numbers:
    """Which scores, which symmetries (proved)

    Where: Section 1
    Says: "The scale may be unbounded"
    Instead: Scores must lie in [0, 1], else steps are negative. smAUC changes under monotone maps. It is
        sure to stay the same when classes are swapped and S becomes 1 - S only if n⁺ = n⁻, the scores sum
        to n⁺, or Mid is fixed at 1/2 (and, unless Mid = 1/2, no score equals Mid).
    Because: A positive at 1.4 would run right by {step:.1f}. Positives .9, .6 and negatives .7, .2, .1:
        smAUC {smauc:.3f}, of squared scores {squared:.3f}, swapped {turned:.3f}; with Mid = 0.5 {even:.3f}
        both ways. Swapping turns Mid into 1 - Mid exactly if (n⁺ - n⁻)(sum S - n⁺) = 0.
    Here: RS087 refuses other scores; `rescale="min-max"` is said openly.
    """
    positives, negatives = np.array([0.9, 0.6]), np.array([0.7, 0.2, 0.1])
    turned = quiet(1 - negatives, 1 - positives)
    curve, even = quiet(positives, negatives), quiet(positives, negatives, 0.5)
    squared = quiet(positives**2, negatives**2)
    return {
        "step": 1 - 1.4,
        "smauc": curve.auc,
        "squared": squared.auc,
        "turned": turned.auc,
        "even": even.auc,
        "even_turned": quiet(1 - negatives, 1 - positives, 0.5).auc,
    }


@CHAPTER.entry
def k13() -> Numbers:
    """Table 1 and the number of curves (checked)

    Where: Table 1, section 4
    Says: echocardiogram 43 + 88 of 132, census adult 7841 + 24720 of 32562, horse-colic 188 + 108 of 296,
        mushroom with 23 features; "over one thousand curves"
    Instead: One echocardiogram has no label; adult has 32 561 rows. The horse-colic file has four rows more
        than the paper, which does not say which it left out. Mushrooms have 22 features and a class.
        Positive in heart disease hungarian are the *healthy*. One curve was made per run, of all folds
        stacked.
    Because: {off} of {sets} rows do not add up: {echo} of {echo_n}, {adlt:grouped} of {adlt_n:grouped}. The
        file of hors has {hors} rows ({hors_pos} + {hors_neg}), that of mush {mush} columns beside the
        class. {healthy} of hungarian's patients are healthy, as many as Table 1 calls positive. Two curves
        × two learners × ten runs × {sets} sets are {curves:grouped} curves; per fold they would be ten
        times as many.
    Here: `python -m papers smroc`.
    """
    sets = {one.abbr: one for one in all_of_table_1()}
    hors, table = sets["hors"], {abbr: one.printed for abbr, one in sets.items()}
    off = [abbr for abbr, own in table.items() if own.positives + own.negatives != own.n]
    sums = {abbr: table[abbr].positives + table[abbr].negatives for abbr in ("echo", "adlt")}
    return {
        "off": len(off),
        "sets": len(table),
        "echo": sums["echo"],
        "echo_n": table["echo"].n,
        "adlt": sums["adlt"],
        "adlt_n": table["adlt"].n,
        "hors": hors.n,
        "hors_pos": hors.n_positives,
        "hors_neg": hors.n_negatives,
        "mush": len(sets["mush"].features),
        "curves": 2 * 2 * 10 * len(table),
        "healthy": table["hrth"].positives,
    }


@CHAPTER.entry
def k14() -> Numbers:
    """A smaller standard deviation (checked)

    Where: Sections 4.1 and 5
    Says: lower standard deviations of smAUC mean that "the smROC captures more similarity than the standard
        ROC"
    Instead: A change of scale lowers them as well, and a constant has none. Compare effects in units of
        their standard deviation.
    Because: 200 samples of 50 + 50: sd {auc_sd:.3f} for AUC, {smauc_sd:.3f} for smAUC, {pressed_sd:.4f}
        once all scores are pressed to a tenth of their distance from 0.5. Distance from chance over sd:
        {auc_ratio:.1f}, {smauc_ratio:.1f}, {pressed_ratio:.1f}.
    Here: `python -m papers smroc` makes the paired tests that the paper leaves out.
    """
    random, n, n_samples = np.random.default_rng(14), 50, 200
    labels = np.repeat([1, 0], n)
    found = []
    for _ in range(n_samples):
        scores = 1 / (1 + np.exp(-2 * (random.standard_normal(2 * n) + labels - 0.5)))
        plain = _quietly(labels, scores, 0.5)
        found.append((plain.roc_auc, plain.auc, _quietly(labels, 0.5 + (scores - 0.5) / 10, 0.5).auc))
    values = np.array(found)
    sd, effect = values.std(axis=0, ddof=1), values.mean(axis=0) - 0.5
    names = ("auc", "smauc", "pressed")
    return {f"{name}_sd": float(one) for name, one in zip(names, sd, strict=True)} | {
        f"{name}_ratio": float(one) for name, one in zip(names, effect / sd, strict=True)
    }
