"""Methods for a paper: what was analysed, averaged, compared and excluded, each in a sentence.

A sentence comes with the keys of the references that it cites; the section lists these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocsteady.averaging.methods import Method, Pooled, Threshold
from rocsteady.inference.differences import Comparison, Comparisons
from rocsteady.readers.compare import ReaderComparison
from rocsteady.references import REFERENCES
from rocsteady.scores.design import Random
from rocsteady.show.sentences.comparing import measure, test
from rocsteady.show.sentences.readers import test as test_of_readers
from rocsteady.text import (
    At,
    Cases,
    Count,
    Item,
    Level,
    Model,
    Number,
    Quote,
    Reference,
    Text,
    listed,
    nouns,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.inference.smauc import SmaucSummary
    from rocsteady.places import Place
    from rocsteady.scores.design import Design

Cited = tuple[Text, tuple[str, ...]]
"""A sentence, and the keys of what it cites."""

TITLE = say("Text, references and how to reproduce it")
REFERENCES_TITLE = say("References")
AGAIN_TITLE = say("Reproduce")
_AVERAGED = {
    "threshold": "combined by threshold averaging: at each {threshold} both rates were averaged over "
    "{units}, each {unit} counting once",
    "pooled": "combined by pooling: the rows of all {units} give one curve, large {units} counting more",
    "vertical": "averaged vertically: the {tpr} was averaged over {units} at each {fpr}",
    "horizontal": "averaged horizontally: the {fpr} was averaged over {units} at each {tpr}",
    "diagonal": "averaged along the diagonal, at each difference of the two error rates",
    "radial": "averaged radially, at each ratio of the two error rates",
    "tangent": "combined by tangent averaging: the points of least cost of the {units} were averaged",
}
_TO_ADD = {
    "medical": "To be added (STARD 2015): how participants were chosen (items 6 to 9), index test and "
    "reference standard (10, 11), who knew the other result (13), indeterminate results (15), how the sample "
    "size was decided (18) and the interval between the tests (22).",
    "ml": "To be added: how cases were collected and labelled, what the models were trained on, and whether "
    "any of these rows had a part in choosing them.",
    "biometric": "To be added: how subjects were recruited, how many comparisons stem from one subject, the "
    "sensors and the time between samples.",
}


def by(key: str) -> Reference:
    """How a text names a reference in brackets.

    >>> by("hogan2023").text, by("delong1988").text
    ('Hogan & Adams 2023', 'DeLong et al. 1988')
    """
    found = REFERENCES[key]
    names = [author.split(",")[0] for author in found.authors]
    who = " & ".join(names) if len(names) < 3 else f"{names[0]} et al."
    return Reference(f"{who} {found.field('year')}")


def data(
    models: Sequence[str],
    n_groups: int,
    unit: str,
    sizes: tuple[int, int],
    *,
    n_cases: int,
    is_alike: bool,
    design: Design,
    is_reader_study: bool,
    higher_is_positive: bool,
    is_weighted: bool,
) -> Cited:
    """What was analysed."""
    whose = phrase(" of {models}", models=listed(map(Model, models))) if any(models) else None
    where = phrase(" {n:on}", n=Count(n_groups, unit)) if n_groups > 1 else None
    cases = Count(n_cases, "case")
    if design.kind == "cross-validation":
        again = "" if design.repeats == 1 else f", repeated {design.repeats} times"
        folds = Count(design.folds, "fold")
        where = phrase(f" from a cross-validation of {{cases}} ({{folds}}{again})", folds=folds, cases=cases)
    elif is_reader_study:
        where = phrase(" {n:on} and {cases}", n=Count(n_groups, unit), cases=cases)
    each = "" if len(models) < 2 or is_reader_study else " each" if is_alike else " in all"
    side = "higher" if higher_is_positive else "lower"
    said = say(
        f"Scores{{whose}}{{where}} were analysed ({{a}}, {{b}}{each}); {side} scores indicate {{positives}}"
        f"{'; rows were weighted' if is_weighted else ''}.",
        whose=whose,
        where=where,
        a=Cases(sizes[0], True),
        b=Cases(sizes[1], False),
    )
    return said, ()


def averaging(method: Method | None, *, is_alone: bool, are_counts: bool) -> Cited:
    """How one curve was made of many."""
    curves = "ROC curves of counts in cells were" if are_counts else "Empirical ROC curves were"
    if is_alone:
        return say(
            "The empirical ROC curve was used." if not are_counts else "Rows were counted in cells."
        ), ()
    if method is None:
        text = f"{curves} averaged in several ways ({{source}}); no use of the scores was declared."
        return say(text, source=by("hogan2023")), ("hogan2023",)
    how = _AVERAGED.get(str(method))
    text = f"{curves} {how}" if how else f"{curves} combined by the {{name}} average"
    return say(f"{text} ({{source}}).", name=Quote(method.label), source=by("hogan2023")), ("hogan2023",)


def intervals(
    level: float,
    design: Design,
    n_groups: int,
    unit: str,
    *,
    method: Method | None,
    is_reader_study: bool,
    is_alone: bool,
    is_weighted: bool,
    n_resamples: int,
    seed: int,
) -> list[Cited]:
    """What intervals treat as random, and how they were made."""
    said: list[Cited] = []
    confidence = Level(level)
    if is_reader_study:
        text = "Intervals ({level}) of mean AUCs treat {units} and cases as random ({a}; {b})."
        a, b = by("obuchowski1995"), by("hillis2007")
        return [(say(text, level=confidence, a=a, b=b), ("obuchowski1995", "hillis2007"))]
    if is_alone:
        said.append((say("Intervals ({level}) treat the cases as a random sample.", level=confidence), ()))
        if is_weighted:
            return said
        auc = say("That of the AUC uses DeLong's variance on the logit scale ({a}).", a=by("delong1988"))
        rates = say(
            "Those of rates are Wilson's; {thresholds} that optimise a criterion were chosen again in "
            "bootstrap samples ({b}; seed {seed}).",
            b=by("efron1993"),
            seed=seed,
        )
        return [*said, (auc, ("delong1988",)), (rates, ("efron1993",))]
    facts: dict[str, Item] = {
        "level": confidence,
        "groups": Count(n_groups, unit),
        "source": by("nadeau2003"),
    }
    text = "Intervals ({level}) treat the {groups} as a random sample of {units}."
    if design.shares_training:
        text = (
            "Intervals ({level}) are for models trained like these; they allow for the training cases that "
            "{units} share ({source})."
        )
    said.append((say(text, **facts), ("nadeau2003",) if design.shares_training else ()))
    how = "Those of rates and areas are by Student's t over {units} on the logit scale"
    if isinstance(method, Threshold | Pooled):
        text = f"{how}; those of {{thresholds}} are from {{n}} resamples of {{units}} ({{b}}; seed {{seed}})."
        said.append((say(text, n=n_resamples, b=by("efron1993"), seed=seed), ("efron1993",)))
    else:
        said.append((say(f"{how}."), ()))
    return said


def thresholds(place: Place | None, *, is_declared: bool, source: str | None) -> Cited | None:
    """Where thresholds come from; `source` names other rows."""
    if source is not None:
        named = phrase(" ({source})", source=Quote(source)) if source else None
        return say("{thresholds} were set on other rows{named}.", named=named), ()
    if place is None:
        return None
    at = At.of(place)
    if place.kind == "threshold":
        return say("The {threshold} was prespecified ({at}).", at=at), ()
    how = "declared beforehand" if is_declared else "asked for"
    text = (
        f"The operating point ({{at}}) was {how}; {{thresholds}} were found on the rows they are judged on."
    )
    return say(text, at=at), ()


def comparing(found: Any, level: float) -> Cited | None:
    """How models were compared."""
    if isinstance(found, ReaderComparison):
        first = found.differences[0] if found.differences else None
        if first is None:
            return None
        how, cited = test_of_readers(first.facts), ("obuchowski1995", "hillis2007")
        text = "Modalities were compared by {what} ({how}; {a}, {b})."
        sources = {"a": by(cited[0]), "b": by(cited[1])}
        return say(text, what=measure(first), how=how, **sources), cited
    pairs = (
        [found] if isinstance(found, Comparison) else list(found) if isinstance(found, Comparisons) else []
    )
    if not pairs:
        return None
    shown = pairs[0].at or pairs[0].differences[:1]
    keys: tuple[str, ...] = ("nadeau2003",) if shown[0].facts.test_train_ratio else ()
    if shown[0].facts.random is not Random.GROUPS:
        keys = (*keys, "delong1988") if not pairs[0].at else keys
    what: list[Item] = []
    for own in map(measure, shown):
        what += [own] if own not in what else []
    facts: dict[str, Item] = {"what": listed(what), "how": test(shown[0].facts), "alpha": Level(1 - level)}
    holm = None
    if len(pairs) > 1:
        holm, keys = (
            phrase("; p-values of several pairs are adjusted ({h})", h=by("holm1979")),
            (*keys, "holm1979"),
        )
    text = "Models were compared by {what} ({how}), two-sided at {alpha}{holm}."
    return say(text, **facts, holm=holm), keys


def smroc(own: SmaucSummary, *, is_compared: bool) -> Text:
    """From which score on scores were high, what the labels were dealt for, and how models were exchanged."""
    rules = {
        "paper": "the paper's (half the sum of the scores over the number of {positives})",
        "clipped": "the paper's, but at most 1",
        "given": "{mid}, prespecified",
    }
    dealt = ""
    if own.n_permutations:
        within = "" if own.n_groups == 1 else " within each {unit}"
        dealt = f"; smAUCs were tested against chance by {{n}} permutations of the labels{within}"
    text = (
        f"In smROC curves ({{source}}) scores from Mid on are high, Mid being {rules[own.mid_rule]}{dealt}."
    )
    compared = None
    if is_compared:
        compared = say("Models were also compared by smAUC, with a permutation that exchanges them.")
    first = say(
        text,
        source=by("klement2011"),
        mid=Number(float(own.per_group.mid[0]), is_declared=True),
        n=own.n_permutations,
        **nouns(own.unit),
    )
    return paragraph(first, compared)


def excluded(dropped: dict[str, int], left_out: Sequence[str], undefined: Sequence[str], least: int) -> Cited:
    """Rows and groups that are not among those analysed."""
    said: list[Item] = []
    if dropped:
        causes = listed(phrase("{cause}: {n}", cause=Quote(cause), n=n) for cause, n in dropped.items())
        said.append(phrase("{n} ({causes})", n=Count(sum(dropped.values()), "row"), causes=causes))
    for names, why in (
        (left_out, f"with fewer than {least} cases of a class"),
        (undefined, "of one class only"),
    ):
        if names:
            few = listed(map(Quote, names), most=4)
            said.append(
                phrase(f"{{n}} {{unit_}} {why} ({{few}})", n=len(names), unit_=_unit(len(names)), few=few)
            )
    return say("Excluded: {what}.", what=listed(said)) if said else say("No rows were excluded."), ()


def _unit(n: int) -> Text:
    return phrase("{unit}" if n == 1 else "{units}")


def software(version: str, seed: int) -> Text:
    """The program, its version and seed."""
    return say(f"Software: rocsteady{' ' + version if version else ''} for Python, seed {{seed}}.", seed=seed)


def to_add(words: str) -> Text:
    """What a reader will ask and the data do not know."""
    return say(_TO_ADD[words])


def together(cited: Sequence[Cited | None]) -> tuple[Text, tuple[str, ...]]:
    """One paragraph, and what it cites."""
    known = [own for own in cited if own is not None]
    keys = dict.fromkeys(key for _, own in known for key in own)
    return paragraph(*(text for text, _ in known)), tuple(keys)
