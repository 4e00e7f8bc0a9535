"""What the slides say differently, in our words, with the numbers (S1 to S5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocsteady.reproductions.slides.parameters import COMMON, RARE
from rocsteady.reproductions.slides.replicates import FITS, PRINTS
from rocsteady.reproductions.slides.spss import first_scores, implied_standard_error
from rocsteady.reproductions.slides.ten_cases import FIRST, LAST, ONE_STEP


def notes(parts: Mapping[str, Any], long_run: Mapping[str, Any]) -> list[str]:
    """All of them, in order; few samples have the printed area, so those of the long run are described."""
    return [_s1(parts), _s2(long_run["given_area"]), _s3(parts), _s4(), _s5(parts)]


def _s1(parts: Mapping[str, Any]) -> str:
    areas = parts["ten"].areas
    return (
        "S1 (How to construct an ROC curve). Three cases share the score 0.85. The rule of the slide, a "
        "threshold at each unique value, makes one oblique step of them, from (FPR 0.2, TPR 0.4) to (0.6, "
        f"0.6), and an area of {areas[ONE_STEP]:.2f}. The table takes them one at a time, the positive "
        f"first, which no threshold does, and gets {areas[FIRST]:.2f}; the negatives first it would be "
        f"{areas[LAST]:.2f}. The one step is also the mean over all orders."
    )


def _s2(given: Mapping[str, float]) -> str:
    low, high = implied_standard_error()
    return (
        "S2 (Area Under the Curve). The standard error .007 is SPSS's nonparametric one, as its footnote "
        "says, and not that of Hanley and McNeil's formula, which has it from the area alone and would print "
        f".009. Samples with an area of .955 have {given['mean']:.4f} on average (sd {given['sd']:.4f}); "
        f"{100 * given[PRINTS]:.0f} % of them print .007. The printed interval says more: it needs "
        f"{low:.4f} to {high:.4f}, which {100 * given[FITS]:.0f} % have."
    )


def _s3(parts: Mapping[str, Any]) -> str:
    cuts, share = parts["cutoffs"], parts["repeated"].share["youden is closest"]
    shown, population = cuts.shown, cuts.population
    return (
        "S3 (Finding the best cut-off value). The tangent at 45 degrees touches where sensitivity + "
        "specificity is largest (Youden); the point closest to (0, 1) is another. In the rows shown Youden "
        f"has {shown['youden'].threshold:.4f} (J = {shown['youden'].youden:.3f}), the closest point is "
        f"{shown['closest'].threshold:.4f}; in the population they are "
        f"{population['youden'].threshold:.4f} and {population['closest'].threshold:.4f}. They are the same "
        f"in {100 * share:.0f} % of samples. Equal errors lie at {population['eer'].threshold:.4f}, and in "
        "the slides' sample beyond the last row shown."
    )


def _s4() -> str:
    return (
        "S4 (Coordinates of the Curve). Cut-offs are midpoints of neighbouring scores; the first is the "
        "lowest score - 1, the last the highest + 1. No case has such a score, so >= and > give the same "
        "rows. From the first four the lowest scores follow: "
        + ", ".join(f"{score:.4f}" for score in first_scores())
        + "."
    )


def _s5(parts: Mapping[str, Any]) -> str:
    guesses = parts["guesses"]
    return (
        "S5 (ROC Analyses). Guessing lies on the straight line from (0, 0) to (1, 1). Every ROC curve "
        f"connects these points, also one with TPR - FPR = {guesses.highest:.2f}. On the line the rates are "
        f"equal, not the amounts: of {RARE} positives and {COMMON} negatives one who guesses half of the "
        f"time calls {RARE // 2} and {COMMON // 2} positive."
    )
