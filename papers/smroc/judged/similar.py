"""Claims about models of one learner from ten runs: Figures 4 and 5, and the exception of the ozone sets.

"Higher" and "low" standard deviations are the two sides of one line, the median over sets, so that the two
claims about them are judged on different sets.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from papers.claims import Claim
from papers.smroc.analysis.results import AUC, Areas
from papers.smroc.analysis.significance import (
    OverSets,
    equal_spreads,
    signed_ranks,
    spread_questions,
)
from papers.smroc.judged.rules import (
    FAR,
    MUCH_LOWER,
    SAME_AREA,
    SAME_FACTOR,
    Booleans,
    Floats,
    clearly_below,
    higher,
    most,
    ratios,
    same,
)
from papers.smroc.parameters import (
    CLIPPED,
    FEWEST,
    FEWEST_SETS,
    HALF,
    LEVEL,
    NB,
    OZONE,
    PAPER,
    PET,
)
from rocsteady.words import counted, listed

ON_MOST = "On most of these sets."


def claims(found: Areas, weka: Areas | None) -> list[Claim]:
    """All of them, in the order of the paper; of few sets only those about a set."""
    if len(found.sets) < FEWEST_SETS:
        return _ozone(found)
    others = {} if weka is None else spread_questions(weka)
    return [
        _consistently_below(found),
        *(_higher_spreads(found, learner, weka) for learner in (PET, NB)),
        *(claim for learner in (PET, NB) for claim in _low_spreads(found, learner)),
        _generally_lower(found, others),
        _same_or_less(found, others),
        *_ozone(found),
    ]


def told(question: OverSets, weka: OverSets | None = None) -> str:
    """On how many sets, with the test over sets."""
    text = f"on {question.n_lower} of {counted(question.n, 'set')} (signed ranks: p = {question.pvalue:.2g})"
    return text if weka is None else f"{text}; from Weka's scores on {weka.n_lower} of {weka.n}"


def named(sets: Sequence[str], where: Booleans) -> str:
    """The sets for which something is so."""
    chosen = [name for name, is_so in zip(sets, where, strict=True) if is_so]
    return listed(chosen, most=8) if chosen else "none"


def _consistently_below(found: Areas) -> Claim:
    mean = found.mean(PET, PAPER) - found.mean(PET, AUC) >= SAME_AREA
    sd = ratios(found.sd(PET, AUC), found.sd(PET, PAPER)) > SAME_FACTOR
    return Claim(
        claim="For PET both plots show smAUC consistently below AUC, or the same.",
        where="Section 4.1 and Figure 4",
        measured=f"Of {counted(len(found.sets), 'set')}, the mean of smAUC is above that of AUC by "
        f"{SAME_AREA:g} or more on {named(found.sets, mean)}; its sd is above that of AUC by more than a "
        f"factor of {SAME_FACTOR:g} on {named(found.sets, sd)}.",
        holds=not (mean.any() or sd.any()),
        correction="Below or the same on most sets.",
        holds_corrected=all(most(int((~above).sum()), above.size) for above in (mean, sd)),
    )


def _higher_spreads(found: Areas, learner: str, weka: Areas | None) -> Claim:
    auc, smauc = (found.sd(learner, space) for space in (AUC, PAPER))
    upper = higher(auc)
    n, n_lower = int(upper.sum()), int((smauc < auc)[upper].sum())
    rejected = equal_spreads(found.areas[learner][AUC], found.areas[learner][PAPER]) <= LEVEL
    is_clear = clearly_below((smauc - auc)[upper])
    of_weka = ""
    if weka is not None:
        in_weka = (weka.sd(learner, PAPER) < weka.sd(learner, AUC))[higher(weka.sd(learner, AUC))]
        of_weka = f" From Weka's scores: on {in_weka.sum()} of {in_weka.size}."
    return Claim(
        claim=f"Where the standard deviation is higher, that of smAUC is lower than that of AUC ({learner}).",
        where=f"Section 4.1 and Figure {_figure(learner)}",
        measured=f"On the {n} sets whose AUC has an sd above the median ({np.median(auc):.4f}), that of "
        f"smAUC is {np.median(ratios(auc, smauc)[upper]):.2f} times as high (median); it is lower "
        f"on {n_lower} (signed ranks: p = {signed_ranks((smauc - auc)[upper]):.2g}), and on "
        f"{int(((smauc < auc) & upper & rejected).sum())} of these Pitman and Morgan's test tells the two "
        f"apart at 5 %.{of_weka}",
        holds=is_clear and n_lower == n,
        correction=ON_MOST if is_clear else "",
        holds_corrected=is_clear,
        erratum="K14",
    )


def _low_spreads(found: Areas, learner: str) -> list[Claim]:
    auc, smauc = (found.sd(learner, space) for space in (AUC, PAPER))
    ratio = ratios(auc, smauc)
    low = ~higher(auc) & ~np.isnan(ratio)
    unlike = low & ~same(ratio)
    n, n_same = int(low.sum()), int(low.sum() - unlike.sum())
    if n < FEWEST:
        return []
    constant = named(found.sets, np.isnan(ratio))
    left_out = "" if constant == "none" else f"; not {constant}, where AUC does not vary"
    word = "the same low" if learner == PET else "a similar low"
    return [
        Claim(
            claim=f"Where the standard deviation is low, AUC and smAUC show {word} one ({learner}).",
            where=f"Section 4.1 and Figure {_figure(learner)}",
            measured=f"On the {n} sets whose AUC has an sd up to the median ({np.median(auc):.4f}{left_out})"
            f", that of smAUC is {np.median(ratio[low]):.2f} times as high (median); it is within a factor "
            f"of {SAME_FACTOR:g} on {n_same}{_exceptions(found.sets, unlike, ratio)}.",
            holds=n_same == n,
            correction=ON_MOST,
            holds_corrected=most(n_same, n),
        )
    ]


def _exceptions(sets: Sequence[str], where: Booleans, ratio: Floats) -> str:
    told_of = [f"{name} ({ratio[i]:.2f})" for i, name in enumerate(sets) if where[i]]
    return f", not on {listed(told_of, most=8)}" if told_of else ""


def _figure(learner: str) -> int:
    return 4 if learner == PET else 5


def _generally_lower(found: Areas, others: dict[str, OverSets]) -> Claim:
    key = f"mean, {PET}"
    own = spread_questions(found)[key]
    return Claim(
        claim=f"The average smAUC is generally lower than the average AUC ({PET}).",
        where=f"Section 4.1 and Figure {_figure(PET)}",
        measured=f"It is lower {told(own, others.get(key))}; the median difference is {own.median:+.3f}.",
        holds=clearly_below(found.mean(PET, PAPER) - found.mean(PET, AUC)),
    )


def _same_or_less(found: Areas, others: dict[str, OverSets]) -> Claim:
    gap = found.mean(NB, PAPER) - found.mean(NB, AUC)
    key = f"mean, {NB}"
    of_weka = (
        f" From Weka's scores it is lower on {others[key].n_lower} of {others[key].n}." if others else ""
    )
    return Claim(
        claim="The average smAUC is the same as the average AUC, or less, for most sets (NB).",
        where="Section 4.1 and Figure 5",
        measured=f"It is the same (within {SAME_AREA:g}) or less on {int((gap < SAME_AREA).sum())} of "
        f"{counted(gap.size, 'set')}; above on {named(found.sets, gap >= SAME_AREA)}.{of_weka}",
        holds=most(int((gap < SAME_AREA).sum()), gap.size),
    )


def _ozone(found: Areas) -> list[Claim]:
    """Both claims are about both sets: one of them alone is not judged."""
    if not set(OZONE) <= set(found.sets):
        return []
    places = [found.place(name) for name in OZONE]
    return [_exception(found, places), _better_separation(found, places)]


def _exception(found: Areas, places: list[int]) -> Claim:
    auc, smauc = (found.mean(NB, space)[places] for space in (AUC, PAPER))
    sd_auc, sd_smauc = (found.sd(NB, space)[places] for space in (AUC, PAPER))
    told_of = [
        f"{name}: smAUC {smauc[i]:.3f} (sd {sd_smauc[i]:.4f}), AUC {auc[i]:.3f} (sd {sd_auc[i]:.4f})"
        for i, name in enumerate(OZONE)
    ]
    return Claim(
        claim="On oz1h and oz8h naive Bayes has a substantially higher smAUC than AUC, with a substantially "
        "lower standard deviation.",
        where="Section 4.1 and Figure 5",
        measured="; ".join(told_of) + ".",
        holds=bool((smauc > auc + FAR).all() and (sd_smauc < MUCH_LOWER * sd_auc).all()),
        erratum="K8",
    )


def _better_separation(found: Areas, places: list[int]) -> Claim:
    auc, smauc, half, clipped = (found.mean(NB, space)[places] for space in (AUC, PAPER, HALF, CLIPPED))
    mid = found.mid[NB][places].mean(axis=1)
    shuffled, at_half = (found.permuted[NB][name][places].mean(axis=1) for name in (PAPER, HALF))
    told_of = [
        f"{name}: Mid {mid[i]:.2f}, smAUC {smauc[i]:.3f}, {shuffled[i]:.3f} with the labels shuffled; with "
        f"Mid 1/2 {half[i]:.3f} ({at_half[i]:.3f} shuffled), with Mid clipped at 1 {clipped[i]:.3f}; AUC "
        f"{auc[i]:.3f}"
        for i, name in enumerate(OZONE)
    ]
    beyond, plain = smauc - shuffled, auc - 0.5
    return Claim(
        claim="There the magnitudes of the scores, with the ranking, separate the classes better than the "
        "ranking does.",
        where="Section 4.1",
        measured="; ".join(told_of) + "." + _why(mid, beyond, plain, half - auc),
        holds=bool((beyond > plain).all() or ((mid <= 1).all() and (smauc > auc).all())),
        erratum="K8",
    )


def _why(mid: Floats, beyond: Floats, plain: Floats, half: Floats) -> str:
    """What the numbers mean, as far as they do."""
    parts = []
    if (mid > 1).all():
        parts.append("Mid lies above 1, so no positive counts as high and confident false positives climb")
    if (beyond < plain / 2).all():
        parts.append("most of what smAUC has above 1/2 is there without the labels")
    if (half < 0).all():
        parts.append("with Mid 1/2 it is below AUC")
    return f" {'; '.join(parts)}." if parts else ""
