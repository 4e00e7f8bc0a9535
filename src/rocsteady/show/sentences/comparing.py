"""What comparisons say: who is better, by how much and how sure; for which use; what is treated as random.

Vocabularies turn numbers, so no template says "more" or "higher": ``{gap:compared}`` knows which it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocsteady.averaging.methods import AtAlarmRate, Horizontal, Method, Pooled, Threshold, Vertical
from rocsteady.curves.intervals import runs_of
from rocsteady.inference.differences import Budget, Compared, Test, leader
from rocsteady.inference.differences import Measure as Measured
from rocsteady.readers.margins import OfReaders, ReaderTest
from rocsteady.scores.design import Random
from rocsteady.show.sentences.averages import groups_are
from rocsteady.show.sentences.inference import measured as read_by
from rocsteady.show.sentences.inference import quantity_of as quantity_of_statistic
from rocsteady.text import (
    ALERTS,
    AREA,
    AUC,
    FPR,
    MEAN_AUC,
    MEAN_SMAUC,
    SMAUC,
    TPR,
    At,
    Count,
    Gap,
    Item,
    Level,
    Measure,
    Model,
    Name,
    Number,
    P,
    Quantity,
    Quote,
    Range,
    Rate,
    Ratio,
    Text,
    joined,
    listed,
    nouns,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.errors import RocsteadyError
    from rocsteady.inference.differences import Comparison, Comparisons, Difference, DifferenceCurve, Lead
    from rocsteady.inference.smauc import SmaucComparison, SmaucComparisons

_RATES = {Measured.FPR: FPR, Measured.TPR: TPR}
_MOST_RANGES = 4


# What was measured, for which use, by which test
# -----------------------------------------------


def quantity_of(of: Compared | OfReaders) -> Quantity:
    """What was measured, as numbers are shown."""
    if isinstance(of, OfReaders):
        return of_readers(of).quantity
    if of.measure is Measured.AREA:
        return AREA
    if of.measure is Measured.AUC:
        return AUC if of.is_one_dataset else MEAN_AUC
    if of.measure is Measured.SMAUC:
        return SMAUC if of.is_one_dataset else MEAN_SMAUC
    return _RATES[of.measure]


def quantity(of: Compared) -> Text:
    """What was measured, and where.

    >>> from rocsteady.places import Place
    >>> from rocsteady.scores.design import ASSUMED
    >>> from rocsteady.text import words_of
    >>> given = ("new", "old", "host", 23, Random.GROUPS, True, Threshold(), ASSUMED)
    >>> of = Compared(*given, measure=Measured.TPR, place=Place("fpr", 0.05), budget=Budget.SHARED)
    >>> quantity(of).plain(), held(of).plain(words_of(of))
    ('TPR at FPR 5 %', 'one threshold for all hosts, set to an FPR of 5 % on average')
    """
    is_given = of.budget is Budget.KEPT and of.place is None
    return quantity_at_thresholds(of) if is_given else phrase("{measure}", measure=_measure(of))


def quantity_at_thresholds(of: Compared) -> Text:
    """The same for pairs of models whose thresholds differ."""
    return phrase("{rate} at the given {thresholds}", rate=Name(quantity_of(of)))


def of_readers(of: OfReaders) -> Measure:
    """What was measured of readers, and where."""
    statistic = of.statistic
    if of.hold:
        return Measure(FPR if of.hold == "tpr" else TPR, At(of.hold, of.at))
    if statistic is None:
        return Measure(Quantity(of.measured))
    rate = {"sensitivity": TPR, "specificity": SPECIFICITY}.get(statistic.rate)
    if rate is not None and np.ndim(statistic.at) == 0:
        return Measure(rate, At(statistic.hold, statistic.at))
    found = read_by(statistic)
    if isinstance(found, Measure) and found.quantity == AUC:
        is_single = of.n_readers == 1 or of.test is ReaderTest.STANDALONE
        return Measure(AUC if is_single else MEAN_AUC)
    return found if isinstance(found, Measure) else Measure(quantity_of_statistic(statistic))


SPECIFICITY = Quantity("specificity", TPR.scale)
"""As a measure that somebody asked for by this name."""


def measure(found: Difference) -> Measure:
    """What a difference is of, and where."""
    return of_readers(found.facts) if isinstance(found.facts, OfReaders) else _measure(found.facts)


def _measure(of: Compared) -> Measure:
    return Measure(quantity_of(of), _place(of))


def _place(of: Compared) -> At | None:
    if of.place is None or of.measure in (Measured.AUC, Measured.AREA, Measured.SMAUC):
        return None
    if of.place.kind != "threshold":
        return At.of(of.place)
    one, other = of.place.of(of.a), of.place.of(of.b)
    return At("threshold", one if one == other else {of.a: one, of.b: other})


def held(of: Compared) -> Text:
    """The use that was compared, after "with"; nothing for the areas of groups."""
    if of.measure is Measured.AREA:
        return use(of.method)
    template, at = "", _place(of)
    values: dict[str, Item] = {"at": at, **nouns(of.unit)}
    if of.budget is Budget.KEPT:
        is_one = at is not None and not isinstance(at.value, dict)
        template = f"{{at}}{'' if of.is_one_dataset else ' for all {units}'}"
        template = template if is_one else "the {thresholds} kept as given"
    elif of.budget is not None and of.is_one_dataset:
        template = "the {threshold} at {at:a}"
    elif of.budget is Budget.SHARED:
        is_of_rows = isinstance(of.method, Pooled) or (at is not None and at.kind == "alerts")
        over = "over all rows" if is_of_rows else "on average"
        template = f"one {{threshold}} for all {{units}}, set to {{at:a}} {over}"
    elif of.budget is not None:
        template = "a {threshold} for each {unit}, set to {at:a}"
        if isinstance(of.method, AtAlarmRate) and at is not None and at.kind == "alerts":
            values["share"] = Level(of.method.prevalence)
            template += " at a prevalence of {share}"
    return phrase(template, **values)


def use(method: Method) -> Text:
    """Who shares a threshold under an average, in a table or after "with".

    >>> from rocsteady.text import ML
    >>> use(Vertical()).plain(ML.about(unit="host"))
    'a threshold for each host'
    """
    if isinstance(method, Pooled):
        return phrase("one {threshold} for all rows")
    if isinstance(method, Threshold):
        return phrase("one {threshold} for all {units}")
    if isinstance(method, Vertical | Horizontal | AtAlarmRate):
        return phrase("a {threshold} for each {unit}")
    return phrase("a {threshold} for each {unit} ({method} average)", method=Quote(method.label))


def test(of: Compared) -> Text:
    """Which test.

    >>> from rocsteady.scores.design import ASSUMED, Design
    >>> folds = Design.cross_validation(10)
    >>> given = ("new", "old", "fold", 10, Random.GROUPS, True, Vertical(), folds)
    >>> test(Compared(*given, test_train_ratio=1 / 9, df=9)).plain()
    'paired t test over folds, corrected for shared training cases (Nadeau & Bengio 2003)'
    """
    kind = "z" if np.isinf(of.df) else "t"
    paired = "paired" if of.paired else "unpaired"
    if of.test is Test.DELONG:
        return phrase(f"{paired} DeLong test")
    if of.test is Test.INFLUENCE:
        return phrase(f"{paired} {kind} test, standard error from what each case adds")
    if of.test is Test.PROPORTIONS:
        return phrase(f"{kind} test of {'paired' if of.paired else 'independent'} proportions")
    if of.test is Test.BOOTSTRAP:
        return phrase(f"{kind} test, standard error from a {paired} bootstrap of {of.random}")
    corrected = ", corrected for shared training cases (Nadeau & Bengio 2003)" if of.test_train_ratio else ""
    kind = "paired t test" if of.paired else "Welch's t test"
    return phrase(f"{kind} over {{units}}{corrected}", **nouns(of.unit))


def test_of_curve(of: Compared) -> Text:
    """Where the simultaneous limits of a difference curve come from."""
    if of.test is Test.BOOTSTRAP:
        return phrase(f"max-t, {'paired ' if of.paired else ''}bootstrap of {of.random}")
    if of.test is Test.NORMAL_MAXIMA:
        template = "max-t of {n} normal draws, corrected for shared training cases"
        return phrase(template, n=int(of.n_flips))
    signs = "signs" if of.paired else "signs of residuals"
    if not of.n_flips:
        return phrase(f"max-t, all flips of {signs}")
    return phrase(f"max-t, {{n}} random flips of {signs}", n=int(of.n_flips))


def random(of: Compared) -> Text:
    """What is treated as random: a sample of groups, or the cases of fixed ones; without a full stop."""
    n, unit = of.n_groups, of.unit
    if of.random is Random.GROUPS:
        if of.paired:
            return groups_are(of.design, n, unit)
        sizes = joined((Count(own, unit) for own in n), between=" and ")
        return phrase("the {n} are treated as two independent random samples", n=sizes)
    cases = phrase("the cases are treated as a random sample")
    if of.random is Random.CLUSTERS:
        template = "the {n} are treated as a random sample, each with all its rows"
        cases = phrase(template, n=Count(of.n_clusters, of.cluster_unit))
    paired = "" if of.by_name or not of.paired else ", paired by their order"
    if not of.paired:
        paired = ", separately for each model"
    if of.is_one_dataset:
        return phrase(f"{{cases}}{paired}", cases=cases)
    groups = joined((Count(own, unit) for own in dict.fromkeys(np.atleast_1d(n).tolist())), between=" and ")
    return phrase(f"{{cases}}{paired}; the result is about these {{groups}} only", cases=cases, groups=groups)


# Who is better
# -------------


def verdict(found: Difference, *, is_brief: bool = False, but: Text | None = None) -> Text:
    """Who is better, by how much, and how sure that is; ``is_brief``: the place has been said before.

    A larger smAUC makes no model better: that is said as it is, and ``but`` is what it is worth.
    """
    what = measure(found)
    is_of_smauc = what.quantity in (SMAUC, MEAN_SMAUC)
    leads, gap = found.better == found.a, Gap(what.quantity, found.difference, found.interval)
    return say(
        (_VERDICTS | _OF_SMAUC if is_of_smauc else _VERDICTS)[_kind(found)],
        but=but,
        a=Model(found.a),
        b=Model(found.b),
        best=Model(found.a if leads else found.b),
        other=Model(found.b if leads else found.a),
        measure=Name(what.quantity) if is_brief else what,
        value=Rate(what.quantity, found.a_value),
        gap=gap if leads else -gap,
        p=P(found.adjusted_pvalue),
        t=P(found.pvalue),
        flips=P(found.flip_pvalue),
    )


_UNDECIDED = "{best} is not significantly better than {other}: its {measure} is {gap:compared}, {p}"
_BETTER = "{best} is better than {other}: its {measure} is {gap:compared}, {p}"
_ADJUSTED = " (adjusted for the number of pairs)."
_VERDICTS = {
    "better": f"{_BETTER}.",
    "better, adjusted": _BETTER + _ADJUSTED,
    "undecided": f"{_UNDECIDED}.",
    "undecided, adjusted": _UNDECIDED + _ADJUSTED,
    "same": "{a} and {b} have the same {measure}, {value}.",
    "tests disagree": "it is unclear whether {best} is better than {other}: its {measure} is "
    "{gap:compared}. The two tests disagree: t test {t}, sign-flip test {flips}.",
    "no test": "the {measure} of {best} is {gap:compared} than that of {other}; nothing varies, so this "
    "cannot be tested.",
}
_LARGER = "{best} has the larger {measure}: {gap:compared}, {p}"
_NOT_LARGER = "{best} has the larger {measure}, but not significantly: {gap:compared}, {p}"
_OF_SMAUC = {
    "same": "{a} and {b} have the same {measure}, {value}{but}.",
    "no test": "the {measure} of {best} is {gap:compared} than that of {other}{but}; nothing varies, so this "
    "cannot be tested.",
    "better": _LARGER + "{but}.",
    "better, adjusted": _LARGER + _ADJUSTED.rstrip(".") + "{but}.",
    "undecided": _NOT_LARGER + "{but}.",
    "undecided, adjusted": _NOT_LARGER + _ADJUSTED.rstrip(".") + "{but}.",
    "tests disagree": "it is unclear whether {best} has the larger {measure}: {gap:compared}{but}. "
    "The two tests disagree: t test {t}, sign-flip test {flips}.",
}


def _kind(found: Difference) -> str:
    if found.difference == 0:
        return "same"
    if math.isnan(found.pvalue):
        return "no test"
    if found.tests_disagree:
        return "tests disagree"
    adjusted = "" if found.adjusted_pvalue == found.pvalue else ", adjusted"
    return f"{'better' if found.is_decided else 'undecided'}{adjusted}"


def both_rates(fpr: Difference, tpr: Difference) -> Text:
    """Two models at thresholds that stay: how both rates differ, and whether that makes one better."""
    found = [own for own in (tpr, fpr) if own.is_decided]
    winners = {own.better for own in found}
    parts: dict[str, Item] = {"a": Model(tpr.a), "b": Model(tpr.b)}
    for name, own in (("tpr", tpr), ("fpr", fpr)):
        gap, p = Gap(quantity_of(own.facts), own.difference, own.interval), P(own.adjusted_pvalue)
        parts[name] = phrase("{rate} {gap:compared}, {p}", rate=Name(gap.quantity), gap=gap, p=p)
    told = "neither difference is significant."
    if len(winners) > 1:
        told = "which model is better depends on the costs of the two errors."
    elif len(found) > 1:
        told = "{best} is better in both rates."
    elif found:
        told = "{best} is better in {rate}; the other difference is not significant."
    return paragraph(
        say("At {place}, {a} compared with {b}: {tpr}; {fpr}.", place=_place_of(tpr), **parts),
        say(
            told,
            best=Model(str(found[0].better)) if found else None,
            rate=Name(quantity_of(found[0].facts)) if found else None,
        ),
    )


def _place_of(found: Difference) -> Text:
    at = measure(found).at
    return phrase("{at}", at=at) if at is not None else phrase("the given {thresholds}")


def verdicts(found: Sequence[Difference]) -> list[Text]:
    """Of all differences; of both rates at a threshold together."""
    told: list[Text] = []
    rest = list(found)
    while rest:
        first, *rest = rest
        is_kept = isinstance(first.facts, Compared) and first.facts.budget is Budget.KEPT
        if is_kept and first.facts.measure is Measured.FPR and rest:
            second, *rest = rest
            told.append(both_rates(first, second))
        else:
            told.append(verdict(first))
    return told


def difference(found: Difference) -> Text:
    """One quantity: who is better, for which use, and what that rests on."""
    return paragraph(verdict(found), setting(found), *basis_of(found))


def setting(found: Difference) -> Text | None:
    """The use that was compared, in a sentence, and what its interval allows for."""
    of = found.facts
    if isinstance(of, OfReaders):
        return say("Each {unit} meets {at:a}.", at=At(of.hold, of.at)) if of.hold else None
    if of.budget is None and of.measure is not Measured.AREA:
        return None
    more = ""
    if of.budget is Budget.SHARED and of.random is Random.GROUPS:
        more = " The interval allows for setting the {threshold} again on other {units}."
    elif of.budget in (Budget.SHARED, Budget.OWN) and of.random is not Random.GROUPS:
        more = " The interval allows for setting the {threshold} again on other cases."
    return say(f"{{use}}.{more}", use=capital(held(of)), **nouns(of.unit))


def within(sentence: Text) -> Text:
    """A sentence as the end of another."""
    return Text(sentence.template, sentence.values, is_sentence=False)


def capital(text: Text) -> Text:
    """The same as the start of a sentence."""
    return Text(text.template, text.values)


def basis_of(found: Difference) -> list[Text]:
    """What is treated as random, and the test."""
    if isinstance(found.facts, OfReaders):
        return [say("{random}.", random=Quote(found.random))]
    return [say("{random}; {test}.", random=random(found.facts), test=test(found.facts))]


# Along the curves
# ----------------


def spot(over: str, position: float) -> Item:
    """A position on an axis: a rate, a share of alerts, a ratio of costs.

    >>> from rocsteady.text import ML
    >>> spot("fpr", 0.0296).spell(ML), spot("costs", 7.389).spell(ML, "short")
    ('3.0 %', '1 : 7.39')
    """
    if over == "costs":
        return Ratio(1.0, position) if position >= 1 else Ratio(1 / position, 1.0)
    return Rate(_ALONG[over], position) if over in _ALONG else Number(position)


_ALONG = {"fpr": FPR, "tpr": TPR, "alerts": ALERTS}


def span(over: str, low: float, high: float) -> Item:
    """A stretch of an axis."""
    if over in _ALONG:
        return Range(_ALONG[over], low, high) if low < high else spot(over, low)
    ends = {"low": spot(over, low), "high": spot(over, high)}
    return phrase("{low:short} to {high:short}", **ends) if low < high else phrase("{low:short}", **ends)


def axis(over: str) -> Text:
    """What positions are."""
    if over in _ALONG:
        return phrase("{rate}", rate=Name(_ALONG[over]))
    return phrase("costs" if over == "costs" else "position")


def wins(over: str, model: str, parts: Sequence[tuple[float, float]], share: float) -> Text:
    """Where a model is better: the parts of a range one by one, or how much of it many are together."""
    values: dict[str, Item] = {"model": Model(model), "axis": axis(over)}
    if len(parts) <= _MOST_RANGES:
        values["where"] = listed(span(over, *own) for own in parts)
        return phrase("{model} is better at {axis} {where}", **values)
    values |= {"share": Level(round(share, 2)), "where": span(over, parts[0][0], parts[-1][1])}
    return phrase("{model} is better on {share} of the range, within {axis} {where}", **values)


def curve(found: DifferenceCurve) -> Text:
    """Where one model is better over the range, the largest difference, and what the limits rest on."""
    over, (low, high) = found.over, found.range
    values: dict[str, Item] = {
        "axis": axis(over),
        "span": span(over, low, high),
        "level": Level(found.confidence_level),
        "a": Model(found.a),
        "b": Model(found.b),
    }
    if not np.nan_to_num(found.difference).any():
        return say("{a} and {b} have the same curve over {axis} {span}.", **values)
    at = int(np.nanargmax(np.abs(found.difference)))
    gain, what = float(found.difference[at]), {"fpr": TPR, "tpr": FPR}.get(over, Quantity("value"))
    largest = say(
        "Over {axis} {span} the largest difference is at {where}: the {rate} of {best} is {gap:compared}.",
        where=spot(over, float(found.position[at])),
        rate=Name(what),
        best=Model(found.a if gain > 0 else found.b),
        gap=Gap(what, -abs(gain) if over == "tpr" else abs(gain)),
        **values,
    )
    if np.isinf(found.factor):
        groups = joined(
            (Count(n, found.unit) for n in np.atleast_1d(found.n_groups).tolist()), between=" and "
        )
        tested = "" if math.isnan(found.pvalue) else " ({p}; {test})"
        template = f"{{groups}} are too few for limits over the whole range at {{level}} confidence{tested}."
        values |= {"p": P(found.pvalue), "test": test_of_curve(found.facts)}
        return paragraph(largest, say(template, groups=groups, **values))
    sides = ((found.a, found.simultaneous_lower > 0), (found.b, found.simultaneous_upper < 0))
    won = [
        wins(over, name, runs_of(found.position, chosen), float(chosen.mean()))
        for name, chosen in sides
        if chosen.any()
    ]
    sure = say(
        "With {level} confidence over the whole range, {who} ({p}; {test}).",
        who=listed(won) if won else phrase("neither is better anywhere"),
        p=P(found.pvalue),
        test=test_of_curve(found.facts),
        **values,
    )
    return paragraph(largest, sure, left_out_of_range(over, found.excluded))


def left_out_of_range(over: str, excluded: Sequence[tuple[float, float]]) -> Text | None:
    """Parts of a range without limits."""
    if not excluded:
        return None
    where = listed((span(over, *own) for own in excluded), most=_MOST_RANGES)
    return say("Left out, because nothing varies there: {axis} {where}.", axis=axis(over), where=where)


# A comparison, and several
# -------------------------


def comparison(found: Comparison) -> Text:
    """Operating points, areas, the curve, then what all of it rests on."""
    areas = (found.auc,) if found.area is None else (found.area, found.auc)
    use = setting(found.at[0]) if found.at else None
    along = None if found.curve is None else curve(found.curve)
    undeclared = None
    if found.method is None:
        undeclared = say(
            "No use is declared, so only AUCs are compared; for rates pass method= or a Deployment."
        )
    told = (*verdicts(found.at), use, *verdicts(areas))
    return paragraph(*told, of_ranks(found), along, *basis(found), undeclared)


def of_ranks(found: Comparison) -> Text | None:
    """The signed-rank test of the groups' AUCs; None where there is none."""
    w = found.wilcoxon
    if w is None or not w.n:
        return None
    leads = w.estimate >= 0
    return say(
        f"Signed-rank test of the {{units}}' AUCs: that of {{best}} is typically {{gap:compared}}, {{p}} "
        f"({'exact' if w.is_exact else 'normal approximation'}).",
        **nouns(found.unit),
        best=Model(found.a if leads else found.b),
        gap=Gap(AUC, abs(w.estimate)),
        p=P(w.pvalue),
    )


def basis(found: Comparison) -> list[Text]:
    """What is treated as random, the test, and what was left out."""
    own = found.at[0] if found.at else found.auc
    said = basis_of(own)
    if found.random == Random.GROUPS and found.design.shares_training and not found.test_train_ratio:
        said.append(
            say("The tests do not allow for the training cases that {units} share.", **nouns(found.unit))
        )
    gone = exclusion(found.undefined)
    return [*said, gone] if gone is not None else said


def refused(error: RocsteadyError) -> Text:
    """That models cannot be compared, and why."""
    text = "The models cannot be compared ({code}): {problem} {found}"
    return say(text, code=Quote(error.code), problem=Quote(error.problem), found=Quote(str(error.found)))


def exclusion(undefined: Sequence[str]) -> Text | None:
    """Groups without a curve, by name."""
    if not undefined:
        return None
    return say("Left out: {groups}.", groups=listed(map(Quote, undefined), most=4))


def smauc_comparison(found: SmaucComparison) -> Text:
    """Who has the larger smAUC, the chance levels, the ordinary AUC, the permutation, what all rests on."""
    return paragraph(
        larger_smauc(found),
        chance_levels([found]),
        verdict(found.auc),
        exchange(found),
        *basis_of_smauc(found),
    )


def smauc_comparisons(found: SmaucComparisons) -> Text:
    """Every pair with the largest difference first, then what all rest on."""
    ordered = sorted(found, key=lambda pair: -abs(pair.smauc.difference))
    told = [larger_smauc(pair) for pair in ordered]
    return paragraph(*told, chance_levels(ordered), *basis_of_smauc(ordered[0]))


def larger_smauc(found: SmaucComparison) -> Text:
    """Who has the larger smAUC, and whether that tells anything: it is above chance, Mid is within."""
    mid = None
    if found._outside:
        mid = phrase("; Mid lies outside 0 to 1 for {models}", models=listed(map(Model, found._outside)))
    how = "{mid}"
    if found.smauc.difference and found._larger_is_chance:
        link = "but" if found.smauc.is_decided else "and"
        tested = "" if math.isnan(found._chance_pvalue) else " ({p})"
        how = f", {link} its smAUC is not above chance{tested}{{mid}}"
    return verdict(found.smauc, but=phrase(how, p=P(found._chance_pvalue), mid=mid))


def chance_levels(pairs: Sequence[SmaucComparison]) -> Text:
    """What labels dealt at random would give each model."""
    levels: dict[str, float] = {}
    for own in pairs:
        levels |= {own.a: own.a_chance_smauc, own.b: own.b_chance_smauc}
    each = [
        phrase("{chance} for {model}", chance=Rate(SMAUC, level), model=Model(name))
        for name, level in levels.items()
    ]
    return say("Labels dealt at random would give a smAUC of about {levels}.", levels=listed(each))


def exchange(found: SmaucComparison) -> Text | None:
    """The permutation test: between what the models changed places."""
    own = found.exchanged
    if own is None or (own.of is Random.GROUPS and found.smauc.tests_disagree):  # the verdict has it
        return None
    where = {
        Random.GROUPS: "in whole {units}",
        Random.CASES: "in single cases",
        Random.CLUSTERS: "in whole clusters",
    }[own.of]
    if own.of is Random.CLUSTERS and found.design.repeats > 1 and found.smauc.facts.cluster_unit == "case":
        where = "for each case in all repeats at once"
    is_given = own.of is not Random.GROUPS and found.test_train_ratio
    fixed = "; the trained models are fixed" if is_given else ""
    template = f"Permutation test, the models exchanged {where} ({{n}}{fixed}): {{p}}."
    return say(template, n=Count(own.n_permutations, "exchange"), p=P(own.pvalue), **nouns(found.unit))


def basis_of_smauc(found: SmaucComparison) -> list[Text]:
    """What is treated as random, the test, and what was left out."""
    gone = exclusion(found.undefined)
    return [*basis_of(found.smauc), *([gone] if gone is not None else [])]


def comparisons(found: Comparisons) -> Text:
    """Who leads, every pair with the largest difference first, and what all rest on."""
    ordered = sorted(found, key=lambda pair: -abs(pair.auc.difference))
    told = [
        own for pair in ordered for own in verdicts((*pair.at, *pair.differences[: -len(pair.at) or None]))
    ]
    return paragraph(of_leader(list(found)), *told, *basis(ordered[0]))


def of_leader(pairs: Sequence[Comparison]) -> Text | None:
    """Who has the highest area, over whom that is not significant; None where models have no one value."""
    lead = leader(pairs)
    if lead is None:
        return None
    area = pairs[0].area or pairs[0].auc
    return leads(lead, Measure(quantity_of(area.facts)))


def leads(lead: Lead, measure: Measure) -> Text:
    """Who is first, before whom, and over whom the lead is not significant."""
    first, *others = lead.ordered
    values: dict[str, Item] = {
        "best": Model(first.model),
        "measure": measure,
        "value": Rate(measure.quantity, first.value),
        "others": listed(
            phrase("{model} ({value})", model=Model(own.model), value=Rate(measure.quantity, own.value))
            for own in others
        ),
        "near": listed(map(Model, lead.near)),
        "untested": listed(map(Model, lead.untested)),
    }
    alike = [own.model for own in lead.ordered if own.value == first.value]
    if len(alike) > 1:
        return say("{models} share the best {measure}, {value}.", models=listed(map(Model, alike)), **values)
    said = say("{best} has the best {measure}, {value}, before {others}.", **values)
    sure = "Its lead over {near} is not significant." if lead.near else "Its lead is significant."
    if lead.untested:
        sure = f"{sure if lead.near else ''} Its lead over {{untested}} was not tested.".lstrip()
    return paragraph(said, say(sure, **values))
