"""Claims about models of one learner from ten runs: Figures 4 and 5, and the exception of the ozone sets.

A claim about sets of which there are none is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocsteady.reproductions.claims import Claim
from rocsteady.reproductions.smroc.analysis.results import AUC, Areas
from rocsteady.reproductions.smroc.analysis.significance import OverSets, equal_spreads, spread_questions
from rocsteady.reproductions.smroc.judged.rules import LOW, SAME, about_half, most
from rocsteady.reproductions.smroc.parameters import (
    CLIPPED,
    FEWEST_SETS,
    HALF,
    LEVEL,
    NB,
    PAPER,
    PET,
)
from rocsteady.words import counted, listed

OZONE = ("oz8h", "oz1h")


def claims(found: Areas, weka: Areas | None) -> list[Claim]:
    """All of them, in the order of the paper; of few sets only those about a set."""
    if len(found.sets) < FEWEST_SETS:
        return _ozone(found)
    questions = spread_questions(found)
    others = {} if weka is None else spread_questions(weka)
    return [
        _consistently_below(found),
        *(_higher_spreads(found, learner, weka) for learner in (PET, NB)),
        *(claim for learner in (PET, NB) for claim in _low_spreads(found, learner)),
        _generally_lower(PET, questions, others),
        _same_or_less(found, others),
        *_ozone(found),
    ]


def told(question: OverSets, weka: OverSets | None = None) -> str:
    """On how many sets, with the test over sets."""
    text = f"on {question.n_lower} of {counted(question.n, 'set')} (signed ranks: p = {question.pvalue:.2g})"
    return text if weka is None else f"{text}; from Weka's scores on {weka.n_lower} of {weka.n}"


def named(sets: Sequence[str], where: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
    """The sets for which something is so."""
    chosen = [name for name, is_so in zip(sets, where, strict=True) if is_so]
    return listed(chosen, most=8) if chosen else "none"


def _consistently_below(found: Areas) -> Claim:
    above = {
        what: function(PET, PAPER) - function(PET, AUC)
        for what, function in (("sd", found.sd), ("mean", found.mean))
    }
    where = {what: gap >= SAME for what, gap in above.items()}
    return Claim(
        claim="For PET both plots show smAUC consistently below AUC, or the same.",
        where="Section 4.1 and Figure 4",
        measured=f"smAUC is above AUC by {SAME:g} or more on {named(found.sets, where['mean'])} (mean) and "
        f"on {named(found.sets, where['sd'])} (sd), of {counted(len(found.sets), 'set')}.",
        holds=not any(is_above.any() for is_above in where.values()),
        correction="Below or the same on most sets.",
        holds_corrected=all(most(int((~so).sum()), so.size) for so in where.values()),
    )


def _halves(found: Areas, learner: str) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.bool_]], float]:
    """Which sets have the higher spreads of AUC, and from which on."""
    sd = found.sd(learner, AUC)
    return sd > np.median(sd), float(np.median(sd))


def _higher_spreads(found: Areas, learner: str, weka: Areas | None) -> Claim:
    upper, median = _halves(found, learner)
    lower = found.sd(learner, PAPER) < found.sd(learner, AUC)
    rejected = equal_spreads(found.areas[learner][AUC], found.areas[learner][PAPER]) <= LEVEL
    n, n_lower = int(upper.sum()), int((lower & upper).sum())
    of_weka = ""
    if weka is not None:
        in_weka = (weka.sd(learner, PAPER) < weka.sd(learner, AUC))[_halves(weka, learner)[0]]
        of_weka = f" From Weka's scores: {in_weka.sum()} of {in_weka.size}."
    return Claim(
        claim=f"Where the standard deviation is higher, that of smAUC is lower than that of AUC ({learner}).",
        where=f"Section 4.1 and Figure {_figure(learner)}",
        measured=f"Of the {n} sets whose AUC has an sd above the median ({median:.4f}), smAUC has the lower "
        f"one on {n_lower}; on {int((lower & upper & rejected).sum())} of these Pitman "
        f"and Morgan's test tells the two apart at 5 %. Of all sets it is lower on {int(lower.sum())} of "
        f"{lower.size}.{of_weka}",
        holds=most(n_lower, n),
        correction="On about half of these sets.",
        holds_corrected=about_half(n_lower, n),
    )


def _low_spreads(found: Areas, learner: str) -> list[Claim]:
    low = found.sd(learner, AUC) < LOW
    gap = np.abs(found.sd(learner, PAPER) - found.sd(learner, AUC))[low]
    if not gap.size:
        return []
    return [
        Claim(
            claim=f"Where the standard deviation is low, AUC and smAUC show the same low one ({learner}).",
            where=f"Section 4.1 and Figure {_figure(learner)}",
            measured=f"On the {counted(gap.size, 'set')} whose AUC has an sd below {LOW:g} the two differ by "
            f"{gap.max():.4f} at most.",
            holds=bool(gap.max() < SAME),
        )
    ]


def _figure(learner: str) -> int:
    return 4 if learner == PET else 5


def _generally_lower(learner: str, questions: dict[str, OverSets], others: dict[str, OverSets]) -> Claim:
    key = f"mean, {learner}"
    own = questions[key]
    return Claim(
        claim=f"The average smAUC is generally lower than the average AUC ({learner}).",
        where=f"Section 4.1 and Figure {_figure(learner)}",
        measured=f"It is lower {told(own, others.get(key))}; the median difference is {own.median:+.3f}.",
        holds=most(own.n_lower, own.n),
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
        measured=f"It is the same (within {SAME:g}) or less on {int((gap < SAME).sum())} of "
        f"{counted(gap.size, 'set')}; above on {named(found.sets, gap >= SAME)}.{of_weka}",
        holds=most(int((gap < SAME).sum()), gap.size),
    )


def _ozone(found: Areas) -> list[Claim]:
    present = [name for name in OZONE if name in found.sets]
    if not present:
        return []
    places = [found.place(name) for name in present]
    return [_exception(found, present, places), _better_separation(found, present, places)]


def _exception(found: Areas, present: list[str], places: list[int]) -> Claim:
    auc, smauc = (found.mean(NB, space)[places] for space in (AUC, PAPER))
    sd_auc, sd_smauc = (found.sd(NB, space)[places] for space in (AUC, PAPER))
    told_of = [
        f"{name}: smAUC {smauc[i]:.3f} (sd {sd_smauc[i]:.4f}), AUC {auc[i]:.3f} (sd {sd_auc[i]:.4f})"
        for i, name in enumerate(present)
    ]
    return Claim(
        claim="On oz1h and oz8h naive Bayes has a substantially higher smAUC than AUC, with a substantially "
        "lower standard deviation.",
        where="Section 4.1 and Figure 5",
        measured="; ".join(told_of) + ".",
        holds=bool((smauc > auc + 0.05).all() and (sd_smauc < sd_auc / 2).all()),
    )


def _better_separation(found: Areas, present: list[str], places: list[int]) -> Claim:
    auc, smauc, half, clipped = (found.mean(NB, space)[places] for space in (AUC, PAPER, HALF, CLIPPED))
    mid = found.mid[NB][places].mean(axis=1)
    shuffled, at_half = (found.permuted[NB][name][places].mean(axis=1) for name in (PAPER, HALF))
    told_of = [
        f"{name}: Mid {mid[i]:.2f}, smAUC {smauc[i]:.3f}, {shuffled[i]:.3f} with the labels shuffled; with "
        f"Mid 1/2 {half[i]:.3f} ({at_half[i]:.3f} shuffled), with Mid clipped at 1 {clipped[i]:.3f}; AUC "
        f"{auc[i]:.3f}"
        for i, name in enumerate(present)
    ]
    beyond, plain = smauc - shuffled, auc - 0.5
    return Claim(
        claim="There the magnitudes of the scores, with the ranking, separate the classes better than the "
        "ranking does.",
        where="Section 4.1",
        measured="; ".join(told_of)
        + ". Mid lies above 1, so no positive counts as high and confident false positives climb; nearly all "
        "of the area is there without the labels, and with Mid 1/2 it is "
        + ("below AUC." if (half < auc).all() else "not below AUC."),
        holds=bool((beyond > plain).all() or ((mid <= 1).all() and (smauc > auc).all())),
        erratum="K8",
    )
