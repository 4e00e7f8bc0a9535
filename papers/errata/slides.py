"""Sakellaropoulos, slides on ROC curves: S1 to S5."""

from __future__ import annotations

from papers.errata.erratum import CHECKED, PROVED, Erratum
from papers.errata.numbers import slides as numbers

ENTRIES = (
    Erratum(
        code="S1",
        title="Tied scores are one step",
        where="How to construct an ROC curve, the table",
        says="the table steps through three tied scores of 0.85 one at a time, the positive first, though "
        'the slide before says "Apply threshold at each unique value"',
        instead="One threshold, one step: from (1, 2) to (3, 3) in counts of false and true positives, "
        "along a straight line.",
        template="The area is {together:.2f}; positives first make it {positives_first:.2f}, negatives "
        "first {negatives_first:.2f}: by sorting tied cases any classifier can be improved.",
        status=CHECKED,
        here="`rs.roc_curve` makes tied scores one vertex.",
        compute=numbers.s1,
    ),
    Erratum(
        code="S2",
        title="Which standard error SPSS prints",
        where="Area Under the Curve",
        says="area .955, standard error .007, 300 + 300 cases",
        instead='The "nonparametric" one, with counted pairs of pairs, as its footnote says. Hanley and '
        "McNeil's formula from the area alone (exponential scores) is another, and too large here.",
        template="At an area of .955 normal scores have a standard error of {nonparametric:.4f}; the "
        "printed interval implies {least:.4f} to {most:.4f}, which {fits:.0f} % of {samples:grouped} such "
        "samples have. The exponential formula gives {exponential:.4f} and would print {exponential:.3f}. "
        "The population's area is {population_auc:.4f}, its standard error {population_se:.4f}.",
        status=CHECKED,
        here='`curve.auc_standard_error("nonparametric")`, `"delong"`, `"hanley-mcneil"`.',
        compute=numbers.s2,
    ),
    Erratum(
        code="S3",
        title="The tangent is not the closest point",
        where="Finding the best cut-off value",
        says='"the tangent at 45 degrees parallel to the no-discrimination line that is closest to the '
        'error-free point (0,1)"',
        instead="The tangent at 45 degrees is Youden's cut-off (largest TPR - FPR). The point closest to "
        "(0, 1) is another one, and so is the point of equal errors, which the rows shown do not reach.",
        template="In the rows shown Youden's is {youden:.4f} (index {youden_j:.3f}), the closest is "
        "{closest:.4f}; it takes the counts of 300 to see it, three digits mislead. In the population: "
        "{population_youden:.4f} and {population_closest:.4f}, and {population_equal:.4f} for equal errors. "
        "In {above} of the {rows} rows FPR is above 1 - TPR, in the last by {fpr:.3f} to {fnr:.3f}.",
        status=CHECKED,
        here='`rs.choose_cutoff(curve, "youden")`, `"closest"`, `"eer"`.',
        compute=numbers.s3,
    ),
    Erratum(
        code="S4",
        title="Cut-offs that nobody scored",
        where="Coordinates of the Curve",
        says='"Positive if Greater Than or Equal To", from -.1701 on',
        instead="SPSS's cut-offs are midpoints of consecutive scores; the first is the least score less 1, "
        "the last the greatest plus 1. So ≥ or > makes no difference there.",
        template="The least score was {least_score:.4f}. Of the ten instances, whose cut-offs run from "
        "{first:.2f} to {last:.2f}, {on_a_score} are scores.",
        status=CHECKED,
        here="`curve.coordinates()` is that table.",
        compute=numbers.s4,
    ),
    Erratum(
        code="S5",
        title="Guessing is a straight line",
        where="ROC analyses",
        says='"All points lying on the curve connecting the two points ((0,0) and (1,1)) represent random '
        'guessing", and "would recognize equal amounts of TP and FP"',
        instead="On the straight line. Every ROC curve connects the two points. On that line the rates are "
        "equal, as the slide also says; the amounts are equal only if there are as many positives as "
        "negatives.",
        template="The ten instances' curve does, and passes through ({fpr:.1f}, {tpr:.1f}). At the point "
        "({half:.1f}, {half:.1f}) of {positives} positives and {negatives} negatives there are {tp:.0f} TP "
        "and {fp:.0f} FP.",
        status=PROVED,
        compute=numbers.s5,
    ),
)
