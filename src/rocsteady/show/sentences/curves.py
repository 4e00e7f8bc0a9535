"""What single curves, their bands, and two raters say."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.words import counted, listed, percent, plural, printable

if TYPE_CHECKING:
    from rocsteady.curves.densities import OutsideScores, ScoreDensities
    from rocsteady.curves.intervals import CurveBand
    from rocsteady.curves.raters import Judgement, RaterAgreement, SharedShare
    from rocsteady.curves.roc import RocCurve
    from rocsteady.curves.smroc import ScoredAuc, SmrocCurve
    from rocsteady.curves.statistics import HMeasure


def h_measure(found: HMeasure) -> str:
    """What the number means, and at which costs."""
    alpha, beta = found.prior
    ratio = (alpha - 1) / (beta - 1) if alpha > 1 and beta > 1 else None
    likely = "" if ratio is None else f", most likely {ratio:.3g} times that of a false negative"
    return (
        f"Of the loss that is left without scores, the best thresholds avoid {percent(found.value)}. "
        f"The cost of a false positive is taken as uncertain{likely} (Beta({alpha:.4g}, {beta:.4g}) "
        f"for its share of the two costs), at {percent(found.prevalence)} positives."
    )


def scored_auc(found: ScoredAuc) -> str:
    """How often positives lead, and by how much."""
    ahead = found.at_margin(0.0)
    mean_lead = f" and leads by {found.value / ahead:.3f} on average when it does" if ahead else ""
    return (
        f"The positive has the higher score in {percent(ahead)} of the pairs of a positive and a "
        f"negative{mean_lead}: sAUC {found.value:.3f}. Pairs within a class are not compared. "
        "Two sAUCs can be compared only if both sets of scores use the same scale."
    )


def smroc_curve(curve: SmrocCurve) -> str:
    """What the area is, what it is to be compared with, and whether Mid makes sense."""
    from rocsteady.curves.smroc import mid_word

    mid = mid_word(curve.mid)
    if math.isnan(curve.auc):
        return f"With Mid {mid} all steps go one way, so smAUC is undefined."
    said = (
        f"smAUC is {curve.auc:.3f}; labels dealt at random to the same scores would give about "
        f"{curve.chance_auc:.3f}. The ordinary AUC, which sees the order of the scores only, is "
        f"{curve.roc_auc:.3f}."
    )
    if not 0 < curve.mid <= 1:
        side = "high" if curve.mid <= 0 else "low"
        return f"{said} Mid is {mid}, outside (0, 1]: all scores count as {side}."
    share = percent(curve.appropriateness.share)
    return f"{said} With Mid {mid}, {share} of the scores agree with their labels."


def band(found: CurveBand) -> str:
    """What a band of one curve promises, and where it does not."""
    curve: RocCurve = found._about
    what = "The whole curve" if found.kind == "simultaneous" else "At each FPR by itself, the TPR"
    cases = "the cases are taken as a random sample"
    if not curve.is_weighted:
        cases = (
            f"the {counted(curve.n_positives, 'positive')} and {counted(curve.n_negatives, 'negative')} are "
            f"taken as random samples"
        )
    left = ""
    if found.excluded:
        ranges = ", ".join(f"{a:.3g} to {b:.3g}" for a, b in found.excluded)
        left = f"; left out, because too few cases to resample are on one side there: FPR {ranges}"
    level = f"{100 * found.confidence_level:g} %"
    return f"{what} of all such cases lies in the band with {level} confidence; {cases}{left}."


# How scores are spread
# ---------------------


def score_densities(found: ScoreDensities) -> str:
    """What the shares are shares of, and what is not in the bins."""
    n = found.low.size
    bins = counted(n, "value" if found.is_discrete else "bin")
    sentences = ["No score is finite."]
    if n:
        ends = f"scores from {found.low[0]:.4g} to {found.high[-1]:.4g}"
        sentences = [f"Shares of each class in {bins} of {ends} ({what_counts(found)})."]
    if found.outside:
        sentences.append(f"Outside lie {listed([f'{cases_outside(o)} {o.where}' for o in found.outside])}.")
    if found.undefined:
        sentences.append(f"{counted(len(found.undefined), printable(found.unit))} of one class left out.")
    return " ".join(sentences)


def what_counts(found: ScoreDensities) -> str:
    """What counts once: ``"23 hosts, each counting once"`` or ``"18 590 cases of 23 hosts"``."""
    groups = counted(found.n_groups, printable(found.unit))
    if found.per_group:
        return f"{groups}, each counting once"
    n = found.curve.n_positives + found.curve.n_negatives
    cases = f"cases of weight {n:.6g}" if found.curve.is_weighted else counted(int(n), "case")
    return cases if found.n_groups == 1 else f"{cases} of {groups}"


def cases_outside(found: OutsideScores) -> str:
    """Positives and negatives, where there are some."""
    both = ((found.n_positives, "positive"), (found.n_negatives, "negative"))
    return " and ".join(number_of(n, word) for n, word in both if n > 0)


def number_of(n: float, word: str) -> str:
    """Cases, or their weight."""
    return counted(n, word) if isinstance(n, int) else f"weight {n:.4g} of {plural(word)}"


# What the agreement of two raters comes to, in sentences
# -------------------------------------------------------


def rater_agreement(agreement: RaterAgreement) -> str:
    """The verdict, what it rests on, and what the curves add to it."""
    tell = [_verdict, _decisions, _sides, _contradictions, _distances, _own, _crossed]
    if agreement.n_items == 1:  # no shares, and nothing to be shuffled
        apart = f"The scores are {agreement.mean_gap:.3f} apart."
        return " ".join(filter(None, (_verdict(agreement), _contradictions(agreement), apart)))
    return " ".join(filter(None, (part(agreement) for part in tell)))


def _verdict(agreement: RaterAgreement) -> str:
    """Do they really disagree?"""
    kinds, n = agreement.n_of_kind, agreement.n_items
    n_different, milder = n - int(agreement.same_decision.sum()), kinds["decision only"]
    pair = " and ".join(agreement.names)
    everywhere, among = ("", "") if n == 1 else (" on every item", f" on {n_different} of {n} items")
    if not n_different:
        if kinds["side only"]:
            where = "though" if n == 1 else f"though on {kinds['side only']} of {n}"
            return f"{pair} decide alike{everywhere}, {where} only one of the two scores is high."
        return f"{pair} agree{everywhere}, in the decision and in the side of the score."
    if milder == n_different:
        where = "" if n == 1 else " there" if n_different == 1 else " on each of these"
        return (
            f"{pair} decide differently{among}, but{where} the scores are on the same side: they differ in "
            "what they recommend, not in what they like."
        )
    both = np.array(agreement.kind) == "decision and side"
    apart = f"{np.abs(agreement.gap[both]).mean():.2f} apart{' on average' if both.sum() > 1 else ''}"
    if not milder:
        return (
            f"{pair} really disagree{among}: the decision and the side of the score both differ, with scores "
            f"{apart}."
        )
    return (
        f"{pair} decide differently{among}. On {milder} of these the scores are on the same side, so only "
        f"the recommendation differs; on {n_different - milder} they really disagree, in the decision and in "
        f"the side of the score, with scores {apart}."
    )


def _decisions(agreement: RaterAgreement) -> str:
    shares = agreement.decisions.mean(axis=0).tolist()
    yes = ", ".join(f"{name} {percent(share)}" for name, share in zip(agreement.names, shares, strict=True))
    return f"The decision is the same on {_compared(agreement.decision_agreement)}; said yes to: {yes}."


def _sides(agreement: RaterAgreement) -> str:
    first, second = agreement.mid
    middle = f"{first:.3g}" if first == second else f"each rater's own Mid ({first:.3g}, {second:.3g})"
    return f"The scores are on the same side of {middle} on {_compared(agreement.side_agreement)}."


def _contradictions(agreement: RaterAgreement) -> str:
    """How often decisions and scores of one rater point different ways."""
    counts = agreement.contradicts_own.sum(axis=0).tolist()
    if not any(counts):
        return ""
    what = "against the rater's own score, a yes to a low one or a no to a high one"
    if agreement.n_items == 1:
        whose = [name for name, n in zip(agreement.names, counts, strict=True) if n]
        return f"The decision of {' and of '.join(whose)} goes {what}."
    found = ", ".join(f"{name} on {n}" for name, n in zip(agreement.names, counts, strict=True))
    return f"Some decisions go {what}: {found}."


def _compared(shared: SharedShare) -> str:
    kappa = "undefined" if math.isnan(shared.kappa) else f"{shared.kappa:.2f}"
    return (
        f"{percent(shared.observed)} of the items ({percent(shared.expected)} if items were shuffled; "
        f"kappa {kappa})"
    )


def _distances(agreement: RaterAgreement) -> str:
    gap, shuffled = agreement.mean_gap, agreement.expected_gap
    if shuffled == 0:
        return "All scores of both are equal."
    words = f"Scores are {gap:.3f} apart on average, {shuffled:.3f} if items were shuffled"
    differ, agree = agreement.gap_where_decisions_differ, agreement.gap_where_decisions_agree
    if not math.isnan(differ) and not math.isnan(agree):
        words += f"; {differ:.3f} where decisions differ, {agree:.3f} where they are the same"
    if math.isnan(agreement.rank_correlation):
        return f"{words}."
    return f"{words}. Their rank correlation is {agreement.rank_correlation:.2f}."


def _own(agreement: RaterAgreement) -> str:
    found = [_areas(agreement.own(name)) for name in agreement.names if agreement.own(name).smroc is not None]
    if not found:
        return ""
    return (
        f"By their own decisions: {'; '.join(found)}. This tells how well a rater's scores fit the same "
        "rater's decisions and nothing about the other: it would stay the same if the other's items were "
        "shuffled."
    )


def _crossed(agreement: RaterAgreement) -> str:
    judged = [agreement.crossed(name) for name in agreement.names]
    found = [_areas(judgement) for judgement in judged if judgement.smroc is not None]
    if not found:
        return ""
    return (
        f"By the other's decisions: {'; '.join(found)}. This does compare them. An smAUC is to be held "
        "against the chance level beside it, which need not be 1/2; the difference is what the decisions add."
    )


def _areas(judgement: Judgement) -> str:
    return (
        f"scores of {judgement.scores_of} have AUC {judgement.auc:.3f} (chance 0.5), smAUC "
        f"{judgement.smauc:.3f} (chance about {judgement.chance_smauc:.3f})"
    )
