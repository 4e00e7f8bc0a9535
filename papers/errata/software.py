"""What other programs do, where it differs from the definitions: T1 to T5."""

from __future__ import annotations

from papers.errata.erratum import CHECKED, PROVED, Erratum
from papers.errata.numbers import software as numbers

ENTRIES = (
    Erratum(
        code="T1",
        title="ROCR, vertical averages",
        where='ROCR 1.0-11, plot(perf, avg = "vertical")',
        says="where a curve rises straight up, the *mean* TPR of its vertices there is taken (approxfun "
        "with ties = mean), and points are joined by lines",
        instead="The maximum, as Provost, Fawcett & Kohavi (1998) and the paper above define it, or openly "
        "the middle of the jump; and the jumps belong to the curve.",
        template="Positives .9, .8, .7, .4 and negatives .6, .5, .3, .2: at FPR 0 the curve reaches "
        "{highest:.2f}, ROCR's rule reads {mean:.3f}. The area falls from {area:.3f} to {mean_area:.3f}.",
        status=CHECKED,
        here='`rs.average(x, "vertical")`, `rs.Vertical(at_jumps="mid")`.',
        compute=numbers.t1,
    ),
    Erratum(
        code="T2",
        title="ROCR, threshold averages",
        where='ROCR 1.0-11, plot(perf, avg = "threshold")',
        says="rates between two scores are interpolated linearly, on thresholds evenly spaced by value; the "
        "default places of the error bars are taken from the range of the x axis, then used as thresholds",
        instead="Rates are step functions of the threshold: between two scores nothing changes. Error bars "
        "belong at thresholds.",
        template="The curve of T1 at the threshold 0.65: FPR {fpr:.3f}, TPR {tpr:.2f}; a line between its "
        "neighbours 0.7 and 0.6 says FPR {line_fpr:.3f}. And thresholds between 0 and 1 mean nothing for "
        "scores on another scale.",
        status=CHECKED,
        here='`rs.average(x, "threshold")`, `.rates_at(t)`.',
        compute=numbers.t2,
    ),
    Erratum(
        code="T3",
        title="scikit-learn, the cross-validation example",
        where='gallery example "ROC with cross-validation"',
        says="curves are read on 100 FPRs with np.interp, TPR 0 is written over FPR 0, the trapezium rule "
        "gives the area, and the grey band is one standard deviation of the curves",
        instead="The area of that polygon is not the mean AUC, and the band is not a confidence band: it "
        "does not narrow as folds are added.",
        template="{folds} simulated folds of 25 + 25: the recipe's area is {recipe:.4f}, the mean area "
        "{mean:.4f}, that of the exact average {exact:.4f}. At FPR 0.1 the band is ±{band:.3f}, the "
        "standard error {error:.3f}.",
        status=CHECKED,
        here='`rs.average(x, "vertical")` and `.band()`.',
        compute=numbers.t3,
    ),
    Erratum(
        code="T4",
        title="Orange, error bars of threshold averages",
        where="biolab/orange3 #7013, repaired by #7014 in early 2025",
        says="the standard deviation of the FPR stood in for that of the TPR",
        instead="Each rate has its own spread, and the two are correlated.",
        template="The folds of T3 at the threshold 2: the sd of the FPR is {fpr_sd:.3f}, that of the TPR "
        "{tpr_sd:.3f}.",
        status=CHECKED,
        here="`.rates_at(t)` has both and their covariance.",
        compute=numbers.t4,
    ),
    Erratum(
        code="T5",
        title="pROC, averages and midpoints",
        where="xrobin/pROC #41 and #25",
        says="averages of curves are an open request (#41); thresholds are midpoints of consecutive scores",
        instead="Midpoints of nearly equal scores can coincide with one of them in floating point (#25), "
        "and then > and ≥ count it differently.",
        template="Between 0.6 and the next float there is no other, so their midpoint rounds to one of the "
        "two. Here the threshold is then the upper score itself, with ≥, which still divides them.",
        status=PROVED,
        here="`curve.thresholds` are the scores themselves; `curve.coordinates()` are midpoints that divide.",
        compute=numbers.t5,
    ),
)
