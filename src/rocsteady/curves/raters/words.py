"""What the agreement of two raters comes to, in sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.words import percent

if TYPE_CHECKING:
    from rocsteady.curves.raters.agreement import RaterAgreement
    from rocsteady.curves.raters.measures import Judgement, SharedShare


def reading(agreement: RaterAgreement) -> str:
    """The verdict, what it rests on, and what the curves add to it."""
    tell = [_verdict, _decisions, _sides, _contradictions, _distances, _own, _crossed]
    if agreement.n_items == 1:  # no shares, and nothing to be shuffled
        tell = [_verdict, _contradictions, _distance]
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
    low, high = sorted(agreement.mid)
    middle = (
        f"{low:.3g}"
        if low == high
        else f"each rater's own Mid ({agreement.mid[0]:.3g}, {agreement.mid[1]:.3g})"
    )
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


def _distance(agreement: RaterAgreement) -> str:
    return f"The scores are {agreement.mean_gap:.3f} apart."


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
