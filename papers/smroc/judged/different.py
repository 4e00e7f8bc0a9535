"""Claims about naive Bayes against the tree: Figures 6 and 7, the number of curves, the tests left out."""

from __future__ import annotations

import numpy as np

from papers.claims import Claim
from papers.smroc.analysis.results import AUC, Areas
from papers.smroc.analysis.significance import spread_questions
from papers.smroc.judged.rules import (
    FAR,
    SUBSTANTIAL,
    Booleans,
    Floats,
    clearly_below,
    most,
)
from papers.smroc.judged.similar import named, told
from papers.smroc.parameters import (
    FEWEST,
    FEWEST_SETS,
    HALF,
    LEARNERS,
    LEVEL,
    N_IN_PAPER,
    N_RUNS,
    NB,
    PAPER,
    PET,
    SHOWN_CURVES,
)
from rocsteady.words import counted, grouped


def claims(found: Areas, weka: Areas | None) -> list[Claim]:
    """All of them, in the order of the paper; of few sets only those about a set."""
    if len(found.sets) < FEWEST_SETS:
        return _figure_6(found)
    return [
        *_figure_6(found),
        *_agree_for_pet(found),
        *_larger_for_nb(found, weka),
        _spread_of_difference(found, weka),
    ]


def number_of_curves(n_sets: int, n_runs: int) -> Claim:
    """How many curves there are to look at (K13)."""
    per_set_and_run = 2 * len(LEARNERS)
    printed, ours = (per_set_and_run * n for n in (N_RUNS * N_IN_PAPER, n_runs * n_sets))
    return Claim(
        claim="The experiment gives over one thousand curves.",
        where="Section 4",
        measured=f"2 spaces, {len(LEARNERS)} learners, {N_RUNS} runs and {N_IN_PAPER} sets make "
        f"{grouped(printed)}: one stacked curve per run, not one per fold. Here: "
        f"{grouped(ours)}, of {counted(n_sets, 'set')} and {counted(n_runs, 'run')}.",
        holds=printed > 1000,
        erratum="K13",
    )


def _figure_6(found: Areas) -> list[Claim]:
    if SHOWN_CURVES not in found.sets:
        return []
    place = found.place(SHOWN_CURVES)
    auc, smauc, half = (float(found.difference(space)[place].mean()) for space in (AUC, PAPER, HALF))
    agreeing = {side: float(found.agreeing[NB][side][place].mean()) for side in ("positives", "negatives")}
    mid = float(found.mid[NB][place].mean())
    return [
        Claim(
            claim="On oz8h both learners have comparable ROC curves, and differ more in smROC space.",
            where="Section 4.2 and Figure 6",
            measured=f"NB less PET: AUC {auc:+.3f}, smAUC {smauc:+.3f}; but {half:+.3f} with Mid 1/2, in "
            f"favour of {PET if half < 0 else NB}.",
            holds=abs(auc) < FAR and abs(smauc) > abs(auc),
            erratum="K8",
        ),
        Claim(
            claim="There naive Bayes gives appropriate scores: high ones to positives, low ones to "
            "negatives.",
            where="Section 4.2 and Figure 6",
            measured=f"Under the paper's own Mid ({mid:.2f}) the scores of {100 * agreeing['positives']:.0f} "
            f"% of the positives are appropriate (Definition 1) and of {100 * agreeing['negatives']:.0f} % "
            "of the negatives.",
            holds=min(agreeing.values()) > 0.5,
            erratum="K8",
        ),
    ]


def _differences(found: Areas) -> dict[str, Floats]:
    return {space: found.difference(space).mean(axis=1) for space in (AUC, PAPER)}


def _agree_for_pet(found: Areas) -> list[Claim]:
    mean = _differences(found)
    wins = mean[PAPER] < 0
    if wins.sum() < FEWEST or wins.all():
        return []
    gap = np.abs(mean[PAPER] - mean[AUC])
    same_sign = (mean[AUC] < 0) & wins
    there, elsewhere = (float(np.median(gap[which])) for which in (wins, ~wins))
    agrees = most(int(same_sign.sum()), int(wins.sum()))
    return [
        Claim(
            claim="Where PET is better, the differences of AUC and of smAUC agree.",
            where="Section 4.2 and Figure 7",
            measured=f"By smAUC PET wins on {named(found.sets, wins)}; by AUC too on {int(same_sign.sum())} "
            f"of these {int(wins.sum())}. The two differences lie {there:.3f} apart there (median), "
            f"{elsewhere:.3f} where NB wins.",
            holds=agrees and there <= elsewhere,
            correction="They agree in sign on most of these sets, not in size.",
            holds_corrected=agrees,
        )
    ]


def _more_where_nb_wins(found: Areas) -> tuple[Booleans, Floats]:
    """The sets on which naive Bayes wins by smAUC, and by how much more than by AUC it does so there."""
    mean = _differences(found)
    wins = mean[PAPER] > 0
    return wins, (mean[PAPER] - mean[AUC])[wins]


def _larger_for_nb(found: Areas, weka: Areas | None) -> list[Claim]:
    wins, more = _more_where_nb_wins(found)
    if more.size < FEWEST:
        return []
    below = wins & (_differences(found)[AUC] < 0)
    much = np.zeros_like(wins)
    much[wins] = more >= SUBSTANTIAL
    lost = wins & (found.difference(HALF).mean(axis=1) <= 0)
    half = f" With Mid 1/2 NB does not win on {named(found.sets, lost)}." if lost.any() else ""
    measured_too, corrected_too = _in_weka(weka)
    is_clear = clearly_below(-more)
    return [
        Claim(
            claim="Where NB is better, smAUC shows a substantially larger difference; that of AUC is "
            "sometimes below zero.",
            where="Section 4.2 and Figure 7",
            measured=f"By smAUC NB wins on {counted(more.size, 'set')}; its difference is larger than that "
            f"of AUC on {int((more > 0).sum())} of these, by {np.median(more):.3f} in the median"
            f"{measured_too}; by {SUBSTANTIAL:g} or more on {named(found.sets, much)}. That of AUC is "
            f"below zero on {named(found.sets, below)}.{half}",
            holds=is_clear and float(np.median(more)) >= SUBSTANTIAL,
            correction=f"Larger on most of these sets, by {np.median(more):.3f} in the median{corrected_too}."
            if is_clear
            else "",
            holds_corrected=is_clear,
            erratum="K8" if half else "",
        )
    ]


def _in_weka(weka: Areas | None) -> tuple[str, str]:
    """The same from Weka's scores, at length and for short."""
    if weka is None:
        return "", ""
    more = _more_where_nb_wins(weka)[1]
    if not more.size:
        return "", ""
    middle = f"{np.median(more):.3f}"
    at_length = f" (from Weka's scores on {int((more > 0).sum())} of {more.size}, by {middle})"
    return at_length, f" ({middle} from Weka's scores)"


def _spread_of_difference(found: Areas, weka: Areas | None) -> Claim:
    key = "sd of the difference"
    own = spread_questions(found)[key]
    other = None if weka is None else spread_questions(weka)[key]
    return Claim(
        claim="The difference between the learners has a lower standard deviation in smAUC than in AUC.",
        where="Section 4.2 and Figure 7",
        measured=f"It is lower {told(own, other)}.",
        holds=most(own.n_lower, own.n) and own.pvalue <= LEVEL,
    )
