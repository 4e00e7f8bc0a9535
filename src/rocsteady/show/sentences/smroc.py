"""What smROC curves say of a study: what they are, how large their areas are, and what to know about Mid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.curves.smroc import mid_word
from rocsteady.results import decides
from rocsteady.text import (
    AUC,
    SMAUC,
    THRESHOLD,
    Count,
    Gap,
    Item,
    Level,
    Model,
    P,
    Quote,
    Range,
    Rate,
    Text,
    joined,
    listed,
    nouns,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.arrays import Floats
    from rocsteady.averaging.directional import SmrocAverage
    from rocsteady.inference.smauc import SmaucComparison, SmaucSummary

TITLE = say("Areas and smROC curves")
EXPLANATION = say(
    "A smROC curve (Klement et al. 2011) uses the size of the scores, not only their order: a score that "
    "agrees with its label counts as credit, one that disagrees as debit. No operating point can be read "
    "from it, and it is compared with its own chance level, not with the diagonal. Of two models that rank "
    "the cases alike the surer one has the larger area, whether or not it is right to be so sure."
)
HEADS = phrase("smAUC"), say("chance level"), say("permutation of the labels"), say("AUC")
PAIRS = say("Pairs of models; p-values are adjusted for the number of pairs")
PAIR_HEADS = (
    say("pair"),
    say("difference of smAUC"),
    phrase("p"),
    say("models exchanged"),
    say("difference of AUC"),
)


def areas(own: SmaucSummary) -> tuple[Item, ...]:
    """The area, that of labels at random, the permutation, and the ordinary area."""
    p = None if np.isnan(own.pvalue) else P(own.pvalue)
    return Rate(SMAUC, own.estimate, own.interval), Rate(SMAUC, own.chance_smauc), p, Rate(AUC, own.roc_auc)


def pair(own: SmaucComparison) -> tuple[Item, ...]:
    """Two models in a table of pairs."""
    a, b = own.differences
    exchanged = None if own.exchanged is None else P(own.exchanged.pvalue)
    return (
        phrase("{a} − {b}", a=Model(own.a), b=Model(own.b)),
        Gap(SMAUC, a.difference, a.interval),
        P(a.adjusted_pvalue),
        exchanged,
        Gap(AUC, b.difference, b.interval),
    )


def about_areas(level: float, *, is_alone: bool) -> Text:
    """What stands in the table."""
    over = "" if is_alone else " over {units}"
    return say(f"Areas, {{level}} CI{over}; chance level: labels at random", level=Level(level))


def about_chance(own: SmaucSummary | None) -> Text | None:
    """What the permutation of the labels tests."""
    if own is None or own.permuted is None:
        return None
    within = "" if own.n_groups == 1 else " within each {unit}"
    return say(
        f"The permutation deals the labels{within} {{n}} times; it tests whether the scores are related to "
        "the labels at all.",
        n=own.n_permutations,
        **nouns(own.unit),
    )


def about_mid(areas: Mapping[str, SmaucSummary]) -> Text:
    """From which score on scores were taken for high, and by which rule."""
    first = next(iter(areas.values()))
    if first.mid_rule == "given":
        return say("Mid: {mid}, given.", mid=_mid(float(first.per_group.mid[0])))
    each = []
    for name, own in areas.items():
        whose = phrase(" for {model}", model=Model(name)) if len(areas) > 1 else None
        each.append(phrase("{mids}{whose}", mids=_mids(own.per_group.mid), whose=whose))
    rule = "the paper's" if first.mid_rule == "paper" else "the paper's, but at most 1"
    return say(f"Mid: {rule} ({{each}}).", each=joined(each))


def _mids(mids: Floats) -> Text:
    """One, or the range of those of groups."""
    low, high = _mid(float(mids.min())), _mid(float(mids.max()))
    return phrase("{low}" if low == high else "{low} to {high}", low=low, high=high)


def _mid(mid: float) -> Quote:
    """With as many digits as it takes to see whether it is outside (0, 1]."""
    return Quote(mid_word(mid, digits=3))


def left_out(mids: Mapping[str, Floats]) -> Text | None:
    """Models without smROC curves, for their Mid is outside and nobody named one; None if there are none."""
    if not mids:
        return None
    if list(mids) == [""]:
        text = "The paper's Mid is {mid}, outside 0 to 1, so no smROC curve is shown ({how} has others)."
        return say(text, mid=_mids(mids[""]), how=_OTHERS)
    each = [phrase("{model} ({mid})", model=Model(name), mid=_mids(own)) for name, own in mids.items()]
    text = "No smROC curve is shown of {models}: the paper's Mid leaves 0 to 1 ({how} has others)."
    return say(text, models=listed(each), how=_OTHERS)


_OTHERS = Quote("rocsteady smroc --mid 0.5")
NO_SHARES = say("No smROC curves: they need scores from 0 to 1, of which some are credit and some debit.")


def at_chance(areas: Mapping[str, SmaucSummary]) -> Text | None:
    """Models in a table of pairs whose smAUCs say nothing; None if there are none."""
    each = [
        phrase("{model} ({p})", model=Model(name), p=P(own.pvalue))
        for name, own in areas.items()
        if not (np.isnan(own.pvalue) or decides(own.pvalue, 1 - own.interval.confidence_level))
    ]
    return say("Not above chance by smAUC: {models}.", models=listed(each)) if each else None


def about_picture(found: Sequence[SmrocAverage]) -> Text:
    """Whose curves they are, and of how many groups."""
    first = found[0]
    if first.n_groups == 1:
        return phrase("smROC curves beside the ROC curves of the same scores")
    return say("Average smROC curves over {n}", n=Count(first.n_groups, first.unit))


def notes(found: Mapping[str, Any]) -> Iterator[Text]:
    """Groups in which all scores count alike, and groups without a curve."""
    for name, own in found.items():
        mids = np.array([curve.mid for curve in own.curves])
        n_outside = int(np.count_nonzero((mids <= 0) | (mids > 1)))
        whose = phrase("{model}: ", model=Model(name)) if name else None
        if n_outside and own.n_groups == 1:
            yield say(
                "{whose}its Mid is {mid}, outside 0 to 1, so all its scores count as "
                f"{'low' if mids.max() > 1 else 'high'}.",
                whose=whose,
                mid=_mid(float(mids[0])),
            )
        elif n_outside:
            yield say(
                "{whose}in {n} Mid lies outside 0 to 1 (Mid: {range}), so all scores there count as "
                f"{'low' if mids.max() > 1 else 'high'}.",
                whose=whose,
                n=Count(n_outside, own.unit),
                range=Range(THRESHOLD, float(mids.min()), float(mids.max())),
            )
        if own.undefined:
            yield say("{whose}{n} without a smROC curve.", whose=whose, n=Count(len(own.undefined), own.unit))
