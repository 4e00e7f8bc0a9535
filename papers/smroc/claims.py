"""What the paper claims of its experiment, with what was measured: every verdict follows from the numbers.

A claim about sets that says neither "most" nor "generally" must hold on every one of them; where it holds on
most, that is the caveat. "Higher" and "low" standard deviations are the two sides of one line, the median
over sets, so that the two claims about them are judged on different sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from papers.paper import Claim
from papers.smroc import formulas
from papers.smroc.areas import (
    LEVEL,
    Areas,
    Floats,
    OverSets,
    PerSet,
    equal_spreads,
    per_set,
    ratios,
    signed_ranks,
    spread_questions,
)
from papers.smroc.runs import AUC, CLIPPED, HALF, NB, PAPER, PET
from papers.smroc.shown import FEWEST
from rocsteady.words import counted, grouped, listed

Booleans = NDArray[np.bool_]
N_RUNS, N_IN_PAPER = 10, 26
"""Of the paper; one of its sets cannot be had."""
SHOWN, OZONE = "oz8h", ("oz8h", "oz1h")
"""The set whose curves Figure 6 draws; those whose Mid lies above 1."""
FEWEST_SETS = 2 * FEWEST
"""Sets in all, if claims about most of them are to be judged: some are about half of them."""
MOST = 2 / 3
"""More than this share of the sets are most of them."""
SAME_AREA = 0.002
"""Average areas that differ by less are the same: about what can be seen in the figures."""
SAME_FACTOR = 1.25
"""Standard deviations within this factor of each other are the same: ten runs can tell little less."""
SUBSTANTIAL = 0.02
"""Of a difference between differences of areas."""
FAR = 0.05
"""Areas closer than this are comparable; substantially higher is by more."""
MUCH_LOWER = 0.5
"""A standard deviation is substantially lower if it is below this share of the other."""
ON_MOST = "On most of these sets."


def claims(found: Areas | None) -> tuple[Claim, ...]:
    """All claims that can be judged, in the order of the paper.

    Without areas only the formulas are; of few sets only what is said of single sets.
    """
    judged: list[Claim] = []
    if found is not None and len(found.sets) < FEWEST_SETS:
        judged = [*_ozone(found), *_figure_6(found)]
    elif found is not None:
        judged = [_number_of_curves(found), *similar(found), *different(found), *conclusions(found)]
    return (*formulas.claims(), *judged)


# Words of the paper as numbers --------------------------------------------------------------------------


def most(count: int, n: int) -> bool:
    """Whether so many of n sets are most of them.

    >>> most(2, 3), most(7, 10), most(0, 0)
    (False, True, False)
    """
    return bool(count > MOST * n)


def higher(spreads: Floats) -> Booleans:
    """Which standard deviations are the higher ones: above their median. All others are the low ones.

    >>> higher(np.array([0.01, 0.002, 0.004])).tolist()
    [True, False, False]
    """
    return np.asarray(spreads > np.median(spreads))


def same(ratio: Floats) -> Booleans:
    """Which ratios are those of two spreads that are the same.

    >>> same(np.array([0.9, 0.11, 1.3, np.nan])).tolist()
    [True, False, False, False]
    """
    return np.asarray((ratio <= SAME_FACTOR) & (ratio >= 1 / SAME_FACTOR))


def clearly_below(differences: Floats) -> bool:
    """Whether most are negative, and more so than signs and sizes are by chance."""
    return most(int((differences < 0).sum()), differences.size) and signed_ranks(differences) <= LEVEL


def _told(question: OverSets) -> str:
    """On how many sets, with the test over sets."""
    return f"on {question.n_lower} of {counted(question.n, 'set')} (signed ranks: p = {question.pvalue:.2g})"


def _named(sets: Sequence[str], where: Booleans) -> str:
    """The sets for which something is so."""
    chosen = [name for name, is_so in zip(sets, where, strict=True) if is_so]
    return listed(chosen, most=8) if chosen else "none"


def _number_of_curves(found: Areas) -> Claim:
    printed, ours = (2 * 2 * n for n in (N_RUNS * N_IN_PAPER, found.n_runs * len(found.sets)))
    return Claim(
        claim="The experiment gives over one thousand curves.",
        where="Section 4",
        measured=f"2 spaces, 2 learners, {N_RUNS} runs and {N_IN_PAPER} sets make "
        f"{grouped(printed)}: one stacked curve per run, not one per fold. Here: "
        f"{grouped(ours)}, of {counted(len(found.sets), 'set')} and {counted(found.n_runs, 'run')}.",
        holds=printed > 1000,
        erratum="K13",
    )


# Models of one learner: Figures 4 and 5 -----------------------------------------------------------------


def similar(found: Areas) -> list[Claim]:
    """The claims of section 4.1."""
    mean = found.mean(PET, PAPER) - found.mean(PET, AUC) >= SAME_AREA
    sd = ratios(found.sd(PET, AUC), found.sd(PET, PAPER)) > SAME_FACTOR
    pet, gap = spread_questions(found)[f"mean, {PET}"], found.mean(NB, PAPER) - found.mean(NB, AUC)
    return [
        Claim(
            claim="For PET both plots show smAUC consistently below AUC, or the same.",
            where="Section 4.1 and Figure 4",
            measured=f"Of {counted(len(found.sets), 'set')}, the mean of smAUC is above that of AUC by "
            f"{SAME_AREA:g} or more on {_named(found.sets, mean)}; its sd is above that of AUC by more than "
            f"a factor of {SAME_FACTOR:g} on {_named(found.sets, sd)}.",
            holds=not (mean.any() or sd.any()),
            caveat="On most sets.",
            instead="On a third of the sets or more one of the two is above.",
            holds_with_caveat=all(most(int((~above).sum()), above.size) for above in (mean, sd)),
        ),
        *(_higher_spreads(found, learner) for learner in (PET, NB)),
        *(claim for learner in (PET, NB) for claim in _low_spreads(found, learner)),
        Claim(
            claim=f"The average smAUC is generally lower than the average AUC ({PET}).",
            where="Section 4.1 and Figure 4",
            measured=f"It is lower {_told(pet)}; the median difference is {pet.median:+.3f}.",
            holds=clearly_below(found.mean(PET, PAPER) - found.mean(PET, AUC)),
            instead=f"It is lower on {pet.n_lower} of {pet.n}.",
        ),
        Claim(
            claim="The average smAUC is the same as the average AUC, or less, for most sets (NB).",
            where="Section 4.1 and Figure 5",
            measured=f"It is the same (within {SAME_AREA:g}) or less on {int((gap < SAME_AREA).sum())} of "
            f"{counted(gap.size, 'set')}; above on {_named(found.sets, gap >= SAME_AREA)}.",
            holds=most(int((gap < SAME_AREA).sum()), gap.size),
            instead="It is above on a third of the sets or more.",
        ),
        *_ozone(found),
    ]


def _figure(learner: str) -> str:
    return f"Section 4.1 and Figure {4 if learner == PET else 5}"


def _higher_spreads(found: Areas, learner: str) -> Claim:
    auc, smauc = (found.sd(learner, space) for space in (AUC, PAPER))
    upper = higher(auc)
    n, n_lower = int(upper.sum()), int((smauc < auc)[upper].sum())
    rejected = equal_spreads(found.values[learner][AUC], found.values[learner][PAPER]) <= LEVEL
    is_clear = clearly_below((smauc - auc)[upper])
    return Claim(
        claim=f"Where the standard deviation is higher, that of smAUC is lower than that of AUC ({learner}).",
        where=_figure(learner),
        measured=f"On the {n} sets whose AUC has an sd above the median ({np.median(auc):.4f}), that of "
        f"smAUC is {np.median(ratios(auc, smauc)[upper]):.2f} times as high (median); it is lower "
        f"on {n_lower} (signed ranks: p = {signed_ranks((smauc - auc)[upper]):.2g}), and on "
        f"{int(((smauc < auc) & upper & rejected).sum())} of these Pitman and Morgan's test tells the two "
        f"apart at 5 %.",
        holds=is_clear and n_lower == n,
        caveat=ON_MOST,
        holds_with_caveat=is_clear,
        instead=f"It is lower on {n_lower} of these {n} sets.",
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
    constant = _named(found.sets, np.isnan(ratio))
    left_out = "" if constant == "none" else f"; not {constant}, where AUC does not vary"
    others = [f"{name} ({ratio[i]:.2f})" for i, name in enumerate(found.sets) if unlike[i]]
    exceptions = f", not on {listed(others, most=8)}" if others else ""
    return [
        Claim(
            claim=f"Where the standard deviation is low, AUC and smAUC show "
            f"{'the same low' if learner == PET else 'a similar low'} one ({learner}).",
            where=_figure(learner),
            measured=f"On the {n} sets whose AUC has an sd up to the median ({np.median(auc):.4f}{left_out})"
            f", that of smAUC is {np.median(ratio[low]):.2f} times as high (median); it is within a factor "
            f"of {SAME_FACTOR:g} on {n_same}{exceptions}.",
            holds=n_same == n,
            caveat=ON_MOST,
            holds_with_caveat=most(n_same, n),
            instead=f"They are within a factor of {SAME_FACTOR:g} on {n_same} of these {n} sets.",
        )
    ]


def _ozone(found: Areas) -> list[Claim]:
    """Both claims are about both sets: one of them alone is not judged."""
    if not set(OZONE) <= set(found.sets):
        return []
    at = [found.sets.index(name) for name in OZONE]

    def of(quantity: str) -> Floats:
        return found.mean(NB, quantity)[at]

    auc, smauc, half, clipped, mid = (of(name) for name in (AUC, PAPER, HALF, CLIPPED, "mid"))
    shuffled, at_half = of(f"permuted, {PAPER}"), of(f"permuted, {HALF}")
    sd_auc, sd_smauc = (found.sd(NB, space)[at] for space in (AUC, PAPER))
    beyond, plain = smauc - shuffled, auc - 0.5
    why = []
    if (mid > 1).all():
        why.append("Mid lies above 1, so no positive counts as high and confident false positives climb")
    if (beyond < plain / 2).all():
        why.append("most of what smAUC has above 1/2 is there without the labels")
    if (half < auc).all():
        why.append("with Mid 1/2 it is below AUC")
    told = [
        f"{name}: smAUC {smauc[i]:.3f} (sd {sd_smauc[i]:.4f}), AUC {auc[i]:.3f} (sd {sd_auc[i]:.4f})"
        for i, name in enumerate(OZONE)
    ]
    told_more = [
        f"{name}: Mid {mid[i]:.2f}, smAUC {smauc[i]:.3f}, {shuffled[i]:.3f} with the labels shuffled; with "
        f"Mid 1/2 {half[i]:.3f} ({at_half[i]:.3f} shuffled), with Mid clipped at 1 {clipped[i]:.3f}; AUC "
        f"{auc[i]:.3f}"
        for i, name in enumerate(OZONE)
    ]
    return [
        Claim(
            claim="On oz1h and oz8h naive Bayes has a substantially higher smAUC than AUC, with a "
            "substantially lower standard deviation.",
            where="Section 4.1 and Figure 5",
            measured="; ".join(told) + ".",
            holds=bool((smauc > auc + FAR).all() and (sd_smauc < MUCH_LOWER * sd_auc).all()),
            instead="smAUC is not that much higher on both, or does not vary that much less.",
            erratum="K8",
        ),
        Claim(
            claim="There the magnitudes of the scores, with the ranking, separate the classes better than "
            "the ranking does.",
            where="Section 4.1",
            measured="; ".join(told_more) + ".",
            holds=bool((beyond > plain).all() or ((mid <= 1).all() and (smauc > auc).all())),
            instead=f"{'; '.join(why)}." if why else "They do not.",
            erratum="K8",
        ),
    ]


# Naive Bayes against the tree: Figures 6 and 7 ----------------------------------------------------------


def different(found: Areas) -> list[Claim]:
    """The claims of section 4.2."""
    own = spread_questions(found)["sd of the difference"]
    spread = Claim(
        claim="The difference between the learners has a lower standard deviation in smAUC than in AUC.",
        where="Section 4.2 and Figure 7",
        measured=f"It is lower {_told(own)}.",
        holds=most(own.n_lower, own.n) and own.pvalue <= LEVEL,
        instead=f"It is lower on {own.n_lower} of {own.n}.",
    )
    return [*_figure_6(found), *_agree_for_pet(found), *_larger_for_nb(found), spread]


def _figure_6(found: Areas) -> list[Claim]:
    if SHOWN not in found.sets:
        return []
    at = found.sets.index(SHOWN)
    auc, smauc, half = (float(found.difference(space)[at].mean()) for space in (AUC, PAPER, HALF))
    agreeing: dict[str, tuple[float, ...]] = {
        mid: tuple(100 * float(found.mean(NB, f"{side}, {mid}")[at]) for side in ("positives", "negatives"))
        for mid in (PAPER, HALF)
    }
    own, usual = agreeing[PAPER], agreeing[HALF]
    return [
        Claim(
            claim="On oz8h both learners have comparable ROC curves, and differ more in smROC space.",
            where="Section 4.2 and Figure 6",
            measured=f"NB less PET: AUC {auc:+.3f}, smAUC {smauc:+.3f}; but {half:+.3f} with Mid 1/2, in "
            f"favour of {PET if half < 0 else NB}.",
            holds=abs(auc) < FAR and abs(smauc) > abs(auc),
            instead="Their AUCs are not comparable, or differ no less than their smAUCs.",
            erratum="K8",
        ),
        Claim(
            claim="There naive Bayes gives appropriate scores: high ones to positives, low ones to "
            "negatives.",
            where="Section 4.2 and Figure 6",
            measured=f"Under the paper's own Mid ({found.mean(NB, 'mid')[at]:.2f}) the scores of "
            f"{own[0]:.0f} % of the positives are appropriate (Definition 1) and of {own[1]:.0f} % of the "
            f"negatives; with Mid 1/2 of {usual[0]:.0f} % and {usual[1]:.0f} %.",
            holds=min(own) > 50,
            caveat="With Mid 1/2, and of the larger part of both classes; under the Mid that the paper uses "
            "not one positive has a high score.",
            holds_with_caveat=min(usual) > 50,
            instead="Naive Bayes does not: of one class most scores disagree with the label.",
            erratum="K8",
        ),
    ]


def _agree_for_pet(found: Areas) -> list[Claim]:
    auc, smauc = (found.difference(space).mean(axis=1) for space in (AUC, PAPER))
    wins = smauc < 0
    if wins.sum() < FEWEST or wins.all():
        return []
    there, elsewhere = (float(np.median(np.abs(smauc - auc)[which])) for which in (wins, ~wins))
    n_same = int(((auc < 0) & wins).sum())
    agrees = most(n_same, int(wins.sum()))
    return [
        Claim(
            claim="Where PET is better, the differences of AUC and of smAUC agree.",
            where="Section 4.2 and Figure 7",
            measured=f"By smAUC PET wins on {_named(found.sets, wins)}; by AUC too on {n_same} "
            f"of these {int(wins.sum())}. The two differences lie {there:.3f} apart there (median), "
            f"{elsewhere:.3f} where NB wins.",
            holds=agrees and there <= elsewhere,
            caveat="In sign, on most of these sets; in size they lie further apart than where NB is better.",
            holds_with_caveat=agrees,
            instead="By AUC PET is better on no more than two thirds of these sets.",
        )
    ]


def _larger_for_nb(found: Areas) -> list[Claim]:
    auc, smauc = (found.difference(space).mean(axis=1) for space in (AUC, PAPER))
    wins, more = smauc > 0, (smauc - auc)[smauc > 0]
    if more.size < FEWEST:
        return []
    below, much = wins & (auc < 0), wins & (smauc - auc >= SUBSTANTIAL)
    lost = wins & (found.difference(HALF).mean(axis=1) <= 0)
    half = f" With Mid 1/2 NB does not win on {_named(found.sets, lost)}." if lost.any() else ""
    is_clear, middle = clearly_below(-more), float(np.median(more))
    return [
        Claim(
            claim="Where NB is better, smAUC shows a substantially larger difference; that of AUC is "
            "sometimes below zero.",
            where="Section 4.2 and Figure 7",
            measured=f"By smAUC NB wins on {counted(more.size, 'set')}; its difference is larger than that "
            f"of AUC on {int((more > 0).sum())} of these, by {middle:.3f} in the median; by "
            f"{SUBSTANTIAL:g} or more on {_named(found.sets, much)}. That of AUC is "
            f"below zero on {_named(found.sets, below)}.{half}",
            holds=is_clear and middle >= SUBSTANTIAL,
            instead=f"It is larger on most of these sets, but not substantially: by {middle:.3f} in the "
            "median."
            if is_clear
            else "It is not larger on most of these sets, or no more than by chance.",
            erratum="K8" if half else "",
        )
    ]


# Section 5 ----------------------------------------------------------------------------------------------


def conclusions(found: Areas) -> list[Claim]:
    """Less variation, significance, differences found more consistently."""
    asked, tests = spread_questions(found), per_set(found)
    return [
        _less_variation(found, asked),
        _significant(found, tests),
        _more_consistently(asked["difference / sd"], tests),
    ]


def _less_variation(found: Areas, asked: Mapping[str, OverSets]) -> Claim:
    own = {learner: asked[f"sd, {learner}"] for learner in (NB, PET)}
    sure = {name: most(q.n_lower, q.n) and max(q.t_pvalue, q.pvalue) <= LEVEL for name, q in own.items()}
    parts = []
    for name, question in own.items():
        ratio = asked[f"excess over chance / sd, {name}"]
        constant = np.minimum(found.sd(name, AUC), found.sd(name, PAPER)) <= 1e-12
        without = (
            f"; not of {_named(found.sets, constant)}, where an area does not vary" if constant.any() else ""
        )
        parts.append(
            f"{name}: the sd of smAUC is lower {_told(question)}, paired t "
            f"over sets p = {question.t_pvalue:.2g}; what it measures beyond chance, divided by the sd, is "
            f"larger on {ratio.n - ratio.n_lower} of {ratio.n} (p = {ratio.pvalue:.2g}{without})"
        )
    return Claim(
        claim="smROC measures performance with less variation than ROC, which a paired t test finds "
        "significant.",
        where="Section 5",
        measured=". ".join(parts) + ". A lower sd alone is a change of scale: a constant has none.",
        holds=all(sure.values()),
        caveat="For PET; for NB it is not significant.",
        holds_with_caveat=sure[PET],
        instead="Its standard deviation is not significantly lower.",
        erratum="K14",
    )


def _significant(found: Areas, tests: Mapping[str, PerSet]) -> Claim:
    own = {space: tests[f"{NB} less {PET}, {space}"] for space in ("AUC", "smAUC")}
    plain, corrected = ([q.n_significant(which) for q in own.values()] for which in ("plain", "corrected"))
    told = [
        f"{space} {question.n_significant('plain')} by the plain test over runs, "
        f"{question.n_significant('corrected')} corrected for repeated cross-validation"
        for space, question in own.items()
    ]
    on_most = most(min(plain), len(found.sets))
    return Claim(
        claim="The results are significant by the paired t test (not shown in the paper).",
        where="Section 5",
        measured=f"Sets on which NB and PET differ at 5 %: {'; '.join(told)}; of {len(found.sets)}. Runs "
        "split the same rows again and again, so a test over runs finds differences that a new sample need "
        "not show.",
        holds=on_most and corrected == plain,
        caveat="Over runs of the same rows, on most sets; corrected for shared rows on fewer.",
        holds_with_caveat=on_most,
        instead="Not on most sets.",
    )


def _more_consistently(own: OverSets, tests: Mapping[str, PerSet]) -> Claim:
    n_auc, n_smauc = (tests[f"{NB} less {PET}, {s}"].n_significant("corrected") for s in ("AUC", "smAUC"))
    return Claim(
        claim="smROC detects differences between the learners more consistently than ROC.",
        where="Section 5",
        measured=f"The size of the difference over its sd is larger in smAUC on {own.n - own.n_lower} of "
        f"{counted(own.n, 'set')} (signed ranks: p = {own.pvalue:.2g}); corrected tests find it on "
        f"{n_smauc} sets by smAUC and {n_auc} by AUC.",
        holds=most(own.n - own.n_lower, own.n) and own.pvalue <= LEVEL and n_smauc >= n_auc,
        instead=f"Relative to its sd the difference is larger on {own.n - own.n_lower} of {own.n} sets.",
        erratum="K14",
    )
