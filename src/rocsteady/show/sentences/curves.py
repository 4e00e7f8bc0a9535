"""What single curves, their bands, and two raters say."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.text import (
    AUC,
    PREVALENCE,
    SMAUC,
    Count,
    Item,
    Level,
    Number,
    Quantity,
    Quote,
    Rate,
    Scale,
    Text,
    joined,
    listed,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.curves.densities import OutsideScores, ScoreDensities
    from rocsteady.curves.intervals import CurveBand
    from rocsteady.curves.raters import Judgement, RaterAgreement, SharedShare
    from rocsteady.curves.roc import RocCurve
    from rocsteady.curves.smroc import ScoredAuc, SmrocCurve
    from rocsteady.curves.statistics import HMeasure

_SHARE, _GAP = Quantity("share", Scale.SHARE), Quantity("distance", Scale.AREA)


def h_measure(found: HMeasure) -> Text:
    """What the number means, and at which costs."""
    alpha, beta = found.prior
    likely = None
    if alpha > 1 and beta > 1:
        times = Number((alpha - 1) / (beta - 1))
        likely = phrase(", most likely {times} times that of a false negative", times=times)
    return say(
        "The best thresholds avoid {value} of the expected loss of a decision without scores. The cost of a "
        "false positive is uncertain{likely}: its share of both costs follows Beta({alpha}, {beta}), at a "
        "prevalence of {prevalence}.",
        value=Rate(_SHARE, found.value),
        likely=likely,
        alpha=Number(alpha),
        beta=Number(beta),
        prevalence=Rate(PREVALENCE, found.prevalence),
    )


def scored_auc(found: ScoredAuc) -> Text:
    """How often positives lead, and by how much."""
    ahead, lead = found.at_margin(0.0), None
    if ahead:
        lead = phrase(" and leads by {lead} on average when it does", lead=Rate(_GAP, found.value / ahead))
    return say(
        "In {ahead} of the pairs of a positive and a negative, the positive has the higher score{lead}: sAUC "
        "{value}. Two sAUCs can be compared only on the same scale of scores.",
        ahead=Rate(_SHARE, ahead),
        lead=lead,
        value=Rate(AUC, found.value),
    )


def smroc_curve(curve: SmrocCurve) -> Text:
    """What the area is, what it is to be compared with, and whether Mid makes sense."""
    from rocsteady.curves.smroc import mid_word

    mid = Quote(mid_word(curve.mid))
    if math.isnan(curve.auc):
        return say("With Mid {mid} all steps go one way, so smAUC is undefined.", mid=mid)
    said = say(
        "smAUC is {area}; random labels of the same scores would give about {chance}. The ordinary AUC, "
        "which depends on the order of the scores only, is {auc}.",
        area=Rate(SMAUC, curve.auc),
        chance=Rate(SMAUC, curve.chance_auc),
        auc=Rate(AUC, curve.roc_auc),
    )
    if not 0 < curve.mid <= 1:
        side = "high" if curve.mid <= 0 else "low"
        return paragraph(said, say(f"Mid is {{mid}}, outside (0, 1]: all scores count as {side}.", mid=mid))
    share = Rate(_SHARE, curve.appropriateness.share)
    return paragraph(
        said, say("With Mid {mid}, {share} of the scores agree with their labels.", mid=mid, share=share)
    )


def band(found: CurveBand) -> Text:
    """What a band of one curve promises, and where it does not."""
    curve: RocCurve = found._about
    what = "the whole curve" if found.kind == "simultaneous" else "at each position by itself, the curve"
    cases = phrase("the cases are treated as a random sample")
    if not curve.is_weighted:
        cases = phrase(
            "the {positives} and {negatives} are treated as random samples",
            positives=Count(curve.n_positives, "positive"),
            negatives=Count(curve.n_negatives, "negative"),
        )
    left_out = None
    if found.excluded:
        stretches = joined(phrase("{a} to {b}", a=Number(a), b=Number(b)) for a, b in found.excluded)
        template = "; left out, because too few cases are on one side there: {axis} {stretches}"
        left_out = phrase(template, axis=phrase("false positive rate"), stretches=stretches)
    return say(
        f"{what} of the population lies in the band with {{level}} confidence; {{cases}}{{left_out}}.",
        level=Level(found.confidence_level),
        cases=cases,
        left_out=left_out,
    )


# How scores are spread
# ---------------------


def score_densities(found: ScoreDensities) -> Text:
    """What the shares are shares of, and what is not in the bins."""
    said, n = say("No score is finite."), found.low.size
    if n:
        said = say(
            "Shares of each class in {bins} of scores from {low} to {high} ({cases}).",
            bins=Count(n, "value" if found.is_discrete else "bin"),
            low=Number(found.low[0], 4),
            high=Number(found.high[-1], 4),
            cases=what_counts(found),
        )
    outside = lacking = None
    if found.outside:
        parts = (phrase(f"{{cases}} {own.where}", cases=cases_outside(own)) for own in found.outside)
        outside = say("Outside lie {parts}.", parts=listed(parts))
    if found.undefined:
        lacking = say("{n} of one class left out.", n=Count(len(found.undefined), found.unit))
    return paragraph(said, outside, lacking)


def what_counts(found: ScoreDensities) -> Text:
    """What counts once: ``23 hosts, each counting once`` or ``18 590 cases of 23 hosts``."""
    groups = Count(found.n_groups, found.unit)
    if found.per_group:
        return phrase("{groups}, each counting once", groups=groups)
    n = found.curve.n_positives + found.curve.n_negatives
    cases: Item = Count(int(n), "case")
    if found.curve.is_weighted:
        cases = phrase("cases of weight {n}", n=Number(n, 6))
    return phrase("{cases}" if found.n_groups == 1 else "{cases} of {groups}", cases=cases, groups=groups)


def cases_outside(found: OutsideScores) -> Text:
    """Positives and negatives, where there are some."""
    both = ((found.n_positives, "positive"), (found.n_negatives, "negative"))
    return joined((number_of(n, word) for n, word in both if n > 0), " and ")


def number_of(n: float, word: str) -> Text:
    """Cases, or their weight."""
    if isinstance(n, int):
        return phrase("{n}", n=Count(n, word))
    return phrase(f"weight {{n}} of {word}s", n=Number(n, 4))


# What the agreement of two raters comes to, in sentences
# -------------------------------------------------------


def rater_agreement(agreement: RaterAgreement) -> Text:
    """The verdict, what it rests on, and what the curves add to it."""
    if agreement.n_items == 1:  # no shares, and nothing to be shuffled
        apart = say("The scores are {gap} apart.", gap=Rate(_GAP, agreement.mean_gap))
        return paragraph(_verdict(agreement), _contradictions(agreement), apart)
    parts = (_verdict, _decisions, _sides, _contradictions, _distances, _own, _crossed)
    return paragraph(*(part(agreement) for part in parts))


def _verdict(agreement: RaterAgreement) -> Text:
    """Do they disagree in what they see, or only in what they recommend?"""
    kinds, n = agreement.n_of_kind, agreement.n_items
    n_different, milder = n - int(agreement.same_decision.sum()), kinds["decision only"]
    both = np.array(agreement.kind) == "decision and side"
    gap = float(np.abs(agreement.gap[both]).mean()) if both.any() else math.nan
    values: dict[str, Item] = {
        "pair": joined(map(Quote, agreement.names), " and "),
        "different": Count(n_different, "item", of=n),
        "milder": milder,
        "others": n_different - milder,
        "sides": Count(kinds["side only"], "item"),
        "gap": Rate(_GAP, gap),
    }
    on_average = " on average" if both.sum() > 1 else ""
    if not n_different:
        if kinds["side only"]:
            return say(
                "{pair} make the same decisions; on {sides} only one of the two scores is high.", **values
            )
        return say("{pair} agree on every item, in the decision and in the side of the score.", **values)
    start = "{pair} make different decisions on {different}"
    if milder == n_different:
        text = "with scores on the same side: they differ in what they recommend, not in how they score."
        return say(f"{start}, {text}", **values)
    text = f"in the decision and in the side of the score, with scores {{gap}} apart{on_average}."
    if not milder:
        return say(f"{{pair}} disagree on {{different}}, {text}", **values)
    return say(
        f"{start}. On {{milder}} of these the scores are on the same side; on {{others}} they disagree "
        f"{text}",
        **values,
    )


def _decisions(agreement: RaterAgreement) -> Text:
    shares = agreement.decisions.mean(axis=0).tolist()
    yes = joined(
        phrase("{name} {share}", name=Quote(name), share=Rate(_SHARE, share))
        for name, share in zip(agreement.names, shares, strict=True)
    )
    same = _compared(agreement.decision_agreement)
    return say("The decision is the same on {same}; share of yes: {yes}.", same=same, yes=yes)


def _sides(agreement: RaterAgreement) -> Text:
    first, second = map(Number, agreement.mid)
    middle = phrase("{first}", first=first)
    if first != second:
        middle = phrase("each rater's own Mid ({first}, {second})", first=first, second=second)
    same = _compared(agreement.side_agreement)
    return say("The scores are on the same side of {middle} on {same}.", middle=middle, same=same)


def _contradictions(agreement: RaterAgreement) -> Text | None:
    """How often decisions and scores of one rater point different ways."""
    counts = agreement.contradicts_own.sum(axis=0).tolist()
    if not any(counts):
        return None
    found = joined(
        phrase("{name} on {n}", name=Quote(name), n=n)
        for name, n in zip(agreement.names, counts, strict=True)
    )
    text = (
        "Some decisions contradict the rater's own score (a yes to a low one, a no to a high one): {found}."
    )
    return say(text, found=found)


def _compared(shared: SharedShare) -> Text:
    kappa: Item = phrase("undefined") if math.isnan(shared.kappa) else Number(shared.kappa, 2)
    return phrase(
        "{observed} of the items ({expected} if items were shuffled; kappa {kappa})",
        observed=Rate(_SHARE, shared.observed),
        expected=Rate(_SHARE, shared.expected),
        kappa=kappa,
    )


def _distances(agreement: RaterAgreement) -> Text:
    if agreement.expected_gap == 0:
        return say("All scores of both are equal.")
    differ, agree = agreement.gap_where_decisions_differ, agreement.gap_where_decisions_agree
    by_decision = rank = None
    if not math.isnan(differ) and not math.isnan(agree):
        template = "; {differ} where decisions differ, {agree} where they are the same"
        by_decision = phrase(template, differ=Rate(_GAP, differ), agree=Rate(_GAP, agree))
    if not math.isnan(agreement.rank_correlation):
        rank = phrase(" Their rank correlation is {rank}.", rank=Number(agreement.rank_correlation, 2))
    return say(
        "Scores are {gap} apart on average, {shuffled} if items were shuffled{by_decision}.{rank}",
        gap=Rate(_GAP, agreement.mean_gap),
        shuffled=Rate(_GAP, agreement.expected_gap),
        by_decision=by_decision,
        rank=rank,
    )


def _own(agreement: RaterAgreement) -> Text | None:
    return _judged(
        [agreement.own(name) for name in agreement.names],
        "By their own decisions: {areas}. This tells how well a rater's scores fit the same rater's "
        "decisions, and nothing about the other rater.",
    )


def _crossed(agreement: RaterAgreement) -> Text | None:
    return _judged(
        [agreement.crossed(name) for name in agreement.names],
        "By the other's decisions: {areas}. This compares the raters. Compare an smAUC with the chance level "
        "beside it, which need not be 1/2.",
    )


def _judged(judgements: list[Judgement], template: str) -> Text | None:
    areas = [_areas(own) for own in judgements if own.smroc is not None]
    return say(template, areas=joined(areas, "; ")) if areas else None


def _areas(judgement: Judgement) -> Text:
    return phrase(
        "scores of {name} have AUC {auc} (chance 0.5), smAUC {smauc} (chance about {chance})",
        name=Quote(judgement.scores_of),
        auc=Rate(AUC, judgement.auc),
        smauc=Rate(SMAUC, judgement.smauc),
        chance=Rate(SMAUC, judgement.chance_smauc),
    )
