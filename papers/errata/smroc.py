"""Klement, Flach, Japkowicz and Matwin, smROC curves: K1 to K14."""

from __future__ import annotations

from papers.errata.erratum import CHECKED, PROVED, Erratum
from papers.errata.numbers import smroc as numbers

ENTRIES = (
    Erratum(
        code="K1",
        title="The class ratio c",
        where="Section 3, before equation 1",
        says="c = n⁺ / n, and c = 1 for balanced classes",
        instead="c = n⁺ / n⁻. With n⁺ / n, c = 1 would mean that there are no negatives.",
        template="Only then is (m⁺ + m⁻ / c) / 2 the sum of the scores over 2 n⁺, as equation 1 goes on. "
        "One positive at 0.8 and three negatives at 0.2: equation 1 gives {ratio:.1f} either way with n⁺ / "
        "n⁻, but {printed:.1f} on its left side with n⁺ / n.",
        status=PROVED,
        here='`rs.smroc_curve(..., mid="paper")` takes the sum.',
        compute=numbers.k1,
    ),
    Erratum(
        code="K2",
        title="When Mid is one half",
        where="Section 3, before equation 1",
        says="calibrated scores and c = 1 give Mid = 1/2; the natural midpoint is (max(S) - min(S)) / 2",
        instead="Whenever the scores sum to n⁺, Mid is 1/2, for every class ratio. The midpoint is (max + "
        "min) / 2; half the range is the same only if the least score is 0.",
        template="n⁺ / (2 n⁺) = 1/2. One positive at 0.55 and nine negatives at 0.05: Mid = {mid:.2f}. Of "
        "scores from 0.5 to 0.9 half the range is {half_range:.1f}, below all of them, and the midpoint "
        "{midpoint:.1f}.",
        status=PROVED,
        here="`rs.smroc_curve(..., mid=0.5)`.",
        compute=numbers.k2,
    ),
    Erratum(
        code="K3",
        title="Two sets changed places",
        where="Section 3, before equation 2",
        says="L⁺ and H⁻ are listed as negatives with S ≥ Mid and positives with S < Mid",
        instead="L⁺ are the positives with low scores, H⁻ the negatives with high ones, as lines 11 and 13 "
        "of Algorithm 2 have it.",
        template="No number changes: cases of both sets contribute 1 - S.",
        status=PROVED,
        here="`curve.appropriateness` counts all four.",
    ),
    Erratum(
        code="K4",
        title="A score that equals Mid",
        where="Algorithm 2, lines 3 to 14",
        says="there are branches for S > Mid and for S < Mid",
        instead="S = Mid is high, as Definition 1 says. Without a branch for it the case does not move and "
        "the curve stops short of (1, 1).",
        template="Positives 1 and 0.5, negatives 0.5 and 0: Mid = {mid:.1f}, {at_mid} cases do not move, "
        "and the curve ends at ({end_right:.1f}, {end_up:.1f}).",
        status=CHECKED,
        here="`rs.smroc_curve` takes S ≥ Mid as high.",
        compute=numbers.k4,
    ),
    Erratum(
        code="K5",
        title="A subscript in the pair formula",
        where="Equation 6",
        says="Ψ(x_i, x_j) = 1 - Θ(x_i) where S_i > S_j",
        instead="1 - Θ(x_j): the credit of the higher case against the debit of the lower.",
        template="On the ten instances of the slides equation 5 gives {literal:.4f} as printed, "
        "{mended:.4f} with x_j, and the area under the curve is {area:.4f}; what is still missing is K6.",
        status=CHECKED,
        here="`curve.auc` is the area, and the corrected pair formula to rounding error.",
        compute=numbers.k5,
    ),
    Erratum(
        code="K6",
        title="Ties in the pair formula",
        where="Equation 6",
        says="Ψ = (1 - Θ(x_i)) / 2 for i = j, 0 for other pairs of equal scores",
        instead="(1 - Θ(x_j)) / 2 whenever S_i = S_j, also within a class: Algorithm 2 joins tied cases by "
        "one segment, and the area under a segment counts half.",
        template="Two positives at 0.8 and a negative at 0.2: pairs without ties give {pairs:.4f}, with "
        "ties {with_ties:.4f}; the area is {area:.4f}.",
        status=PROVED,
        here="Tied cases move together in `rs.smroc_curve`.",
        compute=numbers.k6,
    ),
    Erratum(
        code="K7",
        title="Scores of zero and one",
        where="Section 3, at the end",
        says='when scores "are zeros and ones, the smROC and the smAUC will reduce to the standard ROC and '
        'the standard AUC"',
        instead="If 0 < Mid ≤ 1, that is if there are between 1 and 2 n⁺ ones. Beyond that the curves agree "
        "for constant scores only.",
        template="Ones high and zeros low give Θ = 1 to positives and 0 to negatives. But a positive at 1 "
        "and negatives at 1, 1, 0 have Mid = {mid:.1f}, smAUC {smauc:.3f} and AUC {auc:.3f}; with negatives "
        "at 1, 0, 0 Mid is {fair_mid:.0f} and both areas are {fair_auc:.3f}.",
        status=PROVED,
        here='`mid="clipped"` or a number keeps Mid in range; RS260 warns where it is not.',
        compute=numbers.k7,
    ),
    Erratum(
        code="K8",
        title="Mid beyond the scores",
        where="Equation 1; section 4.1, Figures 5 and 6",
        says='on the two ozone sets "the average smAUC is substantially higher than the standard AUC", so '
        'score magnitudes "produce better class separation"',
        instead="Mid is not confined to [0, 1]: it exceeds 1 when the scores sum to more than 2 n⁺. Then "
        "every positive is inappropriate and every negative appropriate: confident false positives climb, "
        "true positives run right. Polarised scores have a high smAUC then, whatever the labels.",
        template="100 positives and 1 500 negatives with scores near 0 or 1: Mid {mid:.1f}, AUC {auc:.2f}, "
        "smAUC {smauc:.2f}; with the labels dealt at random still {dealt:.2f}. With Mid = 0.5: {even:.2f}, "
        "dealt {even_dealt:.2f}. The ozone sets themselves behave so ([claims](claims.md)); the authors' "
        "own code could not be run.",
        status=CHECKED,
        here="`curve.chance_auc` is always there; RS260 warns; `curve.mid_profile()` shows smAUC for every "
        "Mid.",
        compute=numbers.k8,
    ),
    Erratum(
        code="K9",
        title="No chance level of one half",
        where="Sections 3 and 4",
        says="smAUC is read like AUC; no chance level is given",
        instead="The smAUC of scores that know nothing about the labels is 1/2 for balanced classes with "
        "Mid = 1/2, and not in general. Report it beside the smAUC.",
        template="Calibrated scores, one positive in ten, Mid {mid:.2f}: smAUC {smauc:.2f}, with labels "
        "dealt at random {dealt:.2f} on average, by formula {chance:.2f}. Balanced: {balanced:.2f}.",
        status=CHECKED,
        here="`curve.chance_auc` by formula, `curve.permuted()` by dealing, with a p-value "
        "([smROC](smroc.md)).",
        compute=numbers.k9,
    ),
    Erratum(
        code="K10",
        title="What a contribution is",
        where="Equation 3",
        says="Θ is S for appropriate scores and 1 - S for inappropriate ones",
        instead="With Mid = 1/2 that is 1/2 + |S - 1/2| for positives and 1/2 - |S - 1/2| for negatives: "
        "the label gives the direction, confidence the size. With another Mid it jumps by |1 - 2 Mid| "
        "there, in the wrong direction if Mid < 1/2.",
        template="With Mid = 0.3 a positive at 0.301 earns {above:.3f}, one at 0.299 earns {below:.3f}.",
        status=PROVED,
        here="`curve.credit` has Θ of each case.",
        compute=numbers.k10,
    ),
    Erratum(
        code="K11",
        title="When there is no area",
        where="Equations 2 and 4",
        says="both axes are normalised by α_v and α_h",
        instead="Both are positive if 0 < Mid ≤ 1. With equation 1's Mid α_v always is, but α_h is 0 if all "
        "positives score 0, all negatives 1, and n⁻ > 2 n⁺.",
        template="Credit is 0 for a positive only if it scores 0 and is high, or scores 1 and is low; "
        "neither happens in (0, 1], and negatives mirror it. A positive at 0 and three negatives at 1: Mid "
        "{mid:.1f}, α_h = {debit:.0f}, no smAUC.",
        status=PROVED,
        here="NaN and the warning RS261.",
        compute=numbers.k11,
    ),
    Erratum(
        code="K12",
        title="Which scores, which symmetries",
        where="Section 1",
        says='"The scale may be unbounded"',
        instead="Scores must lie in [0, 1], else steps are negative. smAUC changes under monotone maps. It "
        "is sure to stay the same when classes are swapped and S becomes 1 - S only if n⁺ = n⁻, the scores "
        "sum to n⁺, or Mid is fixed at 1/2 (and, unless Mid = 1/2, no score equals Mid).",
        template="A positive at 1.4 would run right by {step:.1f}. Positives .9, .6 and negatives .7, .2, "
        ".1: smAUC {smauc:.3f}, of squared scores {squared:.3f}, swapped {turned:.3f}; with Mid = 0.5 "
        "{even:.3f} both ways. Swapping turns Mid into 1 - Mid exactly if (n⁺ - n⁻)(sum S - n⁺) = 0.",
        status=PROVED,
        here='RS087 refuses other scores; `rescale="min-max"` is said openly.',
        compute=numbers.k12,
    ),
    Erratum(
        code="K13",
        title="Table 1 and the number of curves",
        where="Table 1, section 4",
        says="echocardiogram 43 + 88 of 132, census adult 7841 + 24720 of 32562, horse-colic 188 + 108 of "
        '296, mushroom with 23 features; "over one thousand curves"',
        instead="One echocardiogram has no label; adult has 32 561 rows. The horse-colic file has four rows "
        "more than the paper, which does not say which it left out. Mushrooms have 22 features and a class. "
        "Positive in heart disease hungarian are the *healthy*. One curve was made per run, of all folds "
        "stacked.",
        template="{off} of {sets} rows do not add up: {echo} of {echo_n}, {adlt:grouped} of "
        "{adlt_n:grouped}. The file of hors has {hors} rows ({hors_pos} + {hors_neg}), that of mush {mush} "
        "columns beside the class. {healthy} of hungarian's patients are healthy, as many as Table 1 calls "
        "positive. Two curves × two learners × ten runs × {sets} sets are {curves:grouped} curves; per fold "
        "they would be ten times as many.",
        status=CHECKED,
        here="`python -m papers smroc`.",
        compute=numbers.k13,
    ),
    Erratum(
        code="K14",
        title="A smaller standard deviation",
        where="Sections 4.1 and 5",
        says='lower standard deviations of smAUC mean that "the smROC captures more similarity than the '
        'standard ROC"',
        instead="A change of scale lowers them as well, and a constant has none. Compare effects in units "
        "of their standard deviation.",
        template="200 samples of 50 + 50: sd {auc_sd:.3f} for AUC, {smauc_sd:.3f} for smAUC, "
        "{pressed_sd:.4f} once all scores are pressed to a tenth of their distance from 0.5. Distance from "
        "chance over sd: {auc_ratio:.1f}, {smauc_ratio:.1f}, {pressed_ratio:.1f}.",
        status=CHECKED,
        here="`python -m papers smroc` makes the paired tests that the paper leaves out.",
        compute=numbers.k14,
    ),
)
