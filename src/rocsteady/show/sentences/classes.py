"""Several classes: errors, the weights that make them, what was searched, which cases are taken for which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.scores.columns import word
from rocsteady.show.sentences.methods import Cited, by
from rocsteady.text import (
    AUC,
    ERROR,
    PRECISION,
    Count,
    Level,
    Name,
    Number,
    Quantity,
    Quote,
    Rate,
    Scale,
    Text,
    Word,
    joined,
    listed,
    paragraph,
    phrase,
    plural,
    say,
)

if TYPE_CHECKING:
    from rocsteady.advice.check import ClassData
    from rocsteady.errors import RocsteadyError
    from rocsteady.points.multiclass import ClassWeightPoint, ClassWeightSearch
    from rocsteady.scores.design import Design
    from rocsteady.scores.multiclass import MulticlassScores

RECALL = Quantity("recall", Scale.SHARE)

LINKS = {
    "answer": say("Answer"),
    "errors": say("Errors"),
    "confusion": say("Confusion matrix"),
    "search": say("Class weights"),
    "surface": say("Error surface"),
    "areas": say("AUC"),
    "data": say("Data"),
    "methods": say("Methods"),
}
TITLES = {
    "answer": say("Answer"),
    "errors": say("Errors of every class"),
    "confusion": say("Which classes are confused?"),
    "search": say("Could other class weights do better?"),
    "surface": say("Errors of three classes at every operating point"),
    "areas": say("How well are classes ranked, whatever the weights?"),
    "data": say("Data and warnings"),
    "methods": say("Methods, ready to paste"),
}


def title(n_classes: int, n_folds: int, unit: str) -> Text:
    """Without one of the user's: how many classes in how many folds."""
    classes = Count(n_classes, "class")
    if n_folds < 2:
        return say("{classes}", classes=classes)
    return say("{classes} {folds:on}", classes=classes, folds=Count(n_folds, unit))


def meta(n_rows: int, n_folds: int, unit: str, level: float, design: Design) -> list[Text]:
    """A few facts in one line."""
    found = [phrase("{rows}", rows=Count(n_rows, "case"))]
    if n_folds > 1:
        shared = " of one cross-validation" if design.shares_training else ""
        found.append(phrase(f"{{folds}}{shared}", folds=Count(n_folds, unit)))
    found.append(phrase("{level} intervals", level=Level(level)))
    return found


def a_class(name: str) -> Text:
    """A class in a sentence.

    >>> a_class("3").plain()
    'class 3'
    """
    return phrase("class {name}", name=Quote(name))


def weights(names: Sequence[str], values: Iterable[float], digits: int = 3) -> Text:
    """Class weights, each with so many digits, as a command takes them.

    >>> weights(["a", "b"], [0.25, 0.75]).plain()
    'a=0.250, b=0.750'
    """
    return joined(
        phrase("{name}={weight}", name=Quote(own), weight=Number(value, digits))
        for own, value in zip(names, values, strict=True)
    )


def rounded(digits: int) -> Text:
    """How the weights are shown."""
    return say(
        "Weights are shown with {n}, which decide every case here as the full ones do; only their ratios "
        "matter.",
        n=Count(digits, "digit"),
    )


# The answer
# ----------


def expected(worst: Rate, name: str, equal: Rate, other: str, unit: str, limits: Mapping[str, float]) -> Text:
    """The largest class error on rows that had no say, beside that of equal weights."""
    said = say(
        "With searched class weights{limits} the largest class error is {worst} ({which}), each {unit} "
        "judged by weights that were chosen on the others. With equal weights it is {equal} ({other}).",
        limits=_limited(limits),
        worst=worst,
        which=a_class(name),
        unit=Word(unit),
        equal=equal,
        other=a_class(other),
    )
    is_in_vain = worst.value >= equal.value and not limits
    return paragraph(said, say("The search gains nothing here.") if is_in_vain else None)


def _limited(limits: Mapping[str, float]) -> Text | None:
    """Between which commas the limits of class errors stand."""
    each = [phrase("{most} of {which}", most=Level(most), which=a_class(own)) for own, most in limits.items()]
    return phrase(" that decide at most {each} wrongly,", each=listed(each)) if each else None


def on_these_rows(
    origin: str, worst: Rate, name: str, equal: Rate, other: str, limits: Mapping[str, float]
) -> Text:
    """The same of given weights, or where no other rows judge the searched ones."""
    how = "the given class weights" if origin == "given" else "searched class weights"
    caution = None if origin == "given" else say("This is optimistic: the same rows chose the weights.")
    said = say(
        f"With {how}{{limits}} the largest class error is {{worst}} ({{which}}). With equal weights it is "
        "{equal} ({other}).",
        limits=_limited(limits),
        worst=worst,
        which=a_class(name),
        equal=equal,
        other=a_class(other),
    )
    return paragraph(said, caution)


def best_possible(largest: Rate) -> Text:
    """What the search finds, beside given weights."""
    return say("The search finds weights with a largest class error of {largest}.", largest=largest)


def kept(name: str, most: float, here: Rate, elsewhere: Rate | None) -> Text:
    """Whether a class keeps to the error that it may have, here and elsewhere."""
    if elsewhere is None:
        return phrase("{here} on these rows", here=here)
    verdict = "kept" if elsewhere.value <= most else "exceeded"
    return phrase(
        f"{{here}} on the rows that chose the weights, {{elsewhere}} on others: {verdict} there",
        here=here,
        elsewhere=elsewhere,
    )


def constraint(name: str, most: float) -> Text:
    """The error that a class may have."""
    return say("Error of {which} at most {most}", which=a_class(name), most=Level(most))


ORIGINS = {
    "given": phrase("as given"),
    "of the search": phrase("the best of the search"),
    "of the exact search": phrase("of the exact search: no other weights do better"),
}
OTHERS_BY_GREEDY = say("Weights for other {units} are those of the greedy search.")


# Errors
# ------


def about_errors(n_folds: int, unit: str, level: float, *, has_nested: bool) -> Text:
    """What the columns of the table are."""
    folds, nested = None, None
    if n_folds > 1:
        mean = "Mean and standard error are over {folds}, with {level} CI."
        folds = say(mean, folds=Count(n_folds, unit), level=Level(level))
    if has_nested:
        nested = say("On other {units}: each {unit} judged by weights that were chosen without it.")
    return paragraph(say("Share of the cases of each class that is decided wrongly."), folds, nested)


def heads_of_errors(*, is_folded: bool, has_nested: bool) -> Iterator[Text]:
    """The columns of the table of errors."""
    yield from map(say, ("class", "weight", "error"))
    if is_folded:
        yield from map(say, ("mean of {units}", "standard error"))
    if has_nested:
        yield say("on other {units}")
    yield say("equal weights")


def about_confusion(n_folds: int, unit: str) -> Text:
    """What is counted."""
    folds = None if n_folds < 2 else phrase(", {folds} together", folds=Count(n_folds, unit))
    return say("Cases by their class (rows) and by the class decided for (columns){folds}.", folds=folds)


def heads_of_confusion(names: Sequence[str]) -> tuple[Text, ...]:
    """The columns of the confusion matrix."""
    decided = (phrase("{name:short}", name=Quote(own)) for own in names)
    rates = (say("{rate}", rate=Name(own)) for own in (RECALL, PRECISION))
    return (say("class"), *decided, say("total"), *rates)


TOTAL = phrase("total")


def confused(true: str, decided: str, n: int, share: float) -> Text:
    """The commonest mistake: class, decided class, how often, of what share of the class."""
    if not n:
        return say("Every case is decided for its class.")
    return say(
        "The commonest mistake: {n} of {true} are decided for {decided} ({share} of them).",
        n=Count(n, "case"),
        true=a_class(true),
        decided=a_class(decided),
        share=Rate(ERROR, share),
    )


# The search
# ----------


def searched(found: ClassWeightSearch) -> Text:
    """How weights were searched, and what came of it."""
    what, steps = _made_small(found), Count(len(found.history) - 1, "step")
    first, last = (Rate(ERROR, float(found.history[k, 0])) for k in (0, -1))
    if first == last:
        return say(
            "The best random weight vector brings {what} to {least} over all cases; {steps} of "
            "improvement found none better.",
            what=what,
            least=last,
            steps=steps,
        )
    return say(
        "Random weight vectors were improved in {steps}: over all cases {what} fell from {first} to {last}.",
        what=what,
        steps=steps,
        first=first,
        last=last,
    )


def _made_small(found: ClassWeightSearch) -> Text:
    """What the search makes small: the error of a class that has a limit only has to keep to it."""
    is_limited = 0 < len(found.at_most) < len(found.classes)
    return phrase("the largest error of the other classes" if is_limited else "the largest class error")


def exact(found: ClassWeightSearch, greedy: ClassWeightSearch) -> Text:
    """What no weights can beat."""
    what, value = _made_small(found), float(found.history[-1, 0])
    least = Rate(ERROR, value)
    if value == greedy.history[-1, 0]:
        said = "An exact search confirms it: no weights{kept} make {what} smaller than {least}."
    else:
        said = "An exact search brings {what} down to {least}; no weights{kept} do better."
    kept = phrase(" that keep to the constraint") if found.at_most else None
    return say(said, what=what, kept=kept, least=least)


def cost_of_constraint(free: ClassWeightPoint, bound: ClassWeightPoint, limited: Iterable[int]) -> Text:
    """What keeping to it costs: errors of the classes that have a limit, and the largest of the others."""
    places = sorted(limited)
    return say(
        "Without the constraint errors would be {free}; with it they are {bound}.",
        free=_errors_of(free, places),
        bound=_errors_of(bound, places),
    )


def _errors_of(point: ClassWeightPoint, places: Sequence[int]) -> Text:
    own = [
        phrase(
            "{error} in {which}",
            error=Rate(ERROR, float(point.errors[c])),
            which=a_class(word(point.classes[c])),
        )
        for c in places
    ]
    others = np.delete(point.errors, places)
    if others.size:
        own.append(phrase("at most {error} in the others", error=Rate(ERROR, float(others.max()))))
    return listed(own)


def no_nested(error: RocsteadyError | None) -> Text:
    """Why errors on other rows are not known."""
    if error is None:
        return say("Errors on rows that did not choose the weights were not asked for.")
    return say(
        "Errors on rows that did not choose the weights cannot be given: {why}",
        why=Quote(error.problem),
    )


def neighbourhood(
    n_alike: int, n_others: int, by_class: Mapping[str, int], tests: Any, unit: str, n_folds: int
) -> Text:
    """How many points cannot be told apart from the one in use, and which classes tell the others."""
    what = phrase(
        "paired t tests over {folds}, level {alpha}{shared}",
        folds=Count(n_folds, unit),
        alpha=Level(tests.alpha),
        shared=phrase(", corrected for shared training cases") if tests.test_train_ratio else None,
    )
    said = say(
        f"{{n}} {'does' if n_alike == 1 else 'do'} not differ significantly from the weights in use in the "
        "error of any class ({what}).",
        n=Count(n_alike, "other weight vector", of=n_others),
        what=what,
    )
    named = [phrase("{which} ({n})", which=a_class(name), n=Count(n)) for name, n in by_class.items() if n]
    told = None
    if named:
        told = say("The others differ by {classes}; a vector may differ by several.", classes=listed(named))
    return paragraph(said, say("This does not show that they are equal.") if n_alike else None, told)


def equal_weights(names: Sequence[str]) -> Text:
    """By which classes equal weights differ from those in use."""
    if not names:
        return say("Equal weights do not differ significantly, either.")
    return say("Equal weights differ by {classes}.", classes=listed(map(a_class, names)))


HEADS_OF_POINTS = (say("largest error"), say("mean error"), say("differs by"))
NOT_DIFFERENT, IN_USE, EQUAL = phrase("not significant"), phrase("in use"), phrase("equal weights")
NOT_TESTED, MEAN = phrase("not tested"), phrase("mean")
NESTED_TITLE = say("Weights chosen without each {unit}, and their errors on it")
PAIRS_TITLE = say("AUC of every pair of classes")
POINTS_TITLE = say("All weight vectors that were compared")


def about_points(n_folds: int, unit: str) -> Text:
    """What the table of points shows."""
    return say(
        "Mean errors over {folds}. Differs by: classes whose error differs significantly from that of the "
        "weights in use.",
        folds=Count(n_folds, unit),
    )


def classes(names: Iterable[str]) -> Text:
    """Some classes, in a cell."""
    return listed(Quote(own) for own in names)


def errors_of(names: Sequence[str]) -> tuple[Text, ...]:
    """A column for the error of each class."""
    return tuple(phrase("error {name:short}", name=Quote(own)) for own in names)


def heads_of_nested(names: Sequence[str]) -> tuple[Text, ...]:
    """A fold, its weights, an error for each class."""
    return say("{unit}"), say("weights"), *errors_of(names)


# Areas
# -----


def hand_till(found: Any, interval: Any) -> Text:
    """One AUC for several classes."""
    return say(
        "Hand and Till's AUC is {auc}: the mean over pairs of classes of the probability that a case of one "
        "class has a larger output for it than a case of the other.",
        auc=Rate(AUC, found.mean, interval),
    )


def left_out(undefined: Sequence[str], unit: str, *, is_of_all: bool = False) -> Text | None:
    """Folds that have no such AUC; ``is_of_all`` of none that has, so that all rows are taken as one."""
    if is_of_all:
        return say("Every {unit} lacks a class, so all cases are taken as one.")
    if not undefined:
        return None
    folds = Count(len(undefined), unit)
    return say(
        "{folds} without a class {verb} left out.",
        folds=folds,
        verb=Word("is" if len(undefined) == 1 else "are"),
    )


def about_one_versus_rest(level: float) -> Text:
    """What the table shows."""
    return say("Each class against all others, by its own output: mean AUC ({level} CI).", level=Level(level))


def about_pairs(level: float) -> Text:
    """What the matrix shows."""
    return say(
        "Pairs of classes: how often the output of the class of the row is larger for a case of it than for "
        "a case of the class of the column ({level} CI).",
        level=Level(level),
    )


# Data
# ----


def data(found: ClassData, source: str, unit: str) -> Iterator[Text]:
    """What was read, and what the outputs are."""
    where = phrase(" of {file}", file=Quote(source)) if source else None
    yield phrase("{n} read{where}", n=Count(found.n_read, "row"), where=where)
    if found.n_read > found.n_rows:
        causes = [phrase("{cause}: {n}", cause=Quote(own), n=n) for own, n in found.dropped.items()]
        n_dropped = Count(found.n_read - found.n_rows, "row")
        yield phrase("{n} dropped ({causes})", n=n_dropped, causes=listed(causes))
    folds = None if len(found.folds) < 2 else phrase(", {folds}", folds=Count(len(found.folds), unit))
    classes = Count(len(found.classes), "class")
    yield phrase("{n} used: {classes}{folds}", n=Count(found.n_rows, "row"), classes=classes, folds=folds)
    if found.are_posteriors:
        yield phrase("outputs of every row sum to one")
    else:
        yield phrase(
            "outputs of {n} do not sum to one; they are used as they are, since decisions depend on their "
            "ratios alone",
            n=Count(found.n_off_one, "row", of=found.n_rows),
        )


ABOUT_CASES = say("Cases of each class.")


def heads_of_cases(names: Sequence[str]) -> tuple[Text, ...]:
    """A fold, its classes, all of them."""
    return say("{unit}"), *(phrase("{name:short}", name=Quote(own)) for own in names), say("total")


def read(scores: MulticlassScores) -> Text:
    """What was read, in a line."""
    n_folds, n_dropped = len(scores.folds), scores.dropped.n_rows
    return say(
        "Read {rows}{dropped}{source}: {classes} ({names}){folds}.",
        rows=Count(scores.n_rows + n_dropped, "row"),
        dropped=phrase(" ({n} dropped)", n=n_dropped) if n_dropped else None,
        source=phrase(" of {file}", file=Quote(scores.source)) if scores.source else None,
        classes=Count(scores.n_classes, "class"),
        names=listed(Quote(word(own)) for own in scores.classes),
        folds=phrase(", {folds}", folds=Count(n_folds, scores.unit)) if n_folds > 1 else None,
    )


# Methods
# -------


def used(names: Sequence[str], n_rows: int, n_folds: int, unit: str, design: Design) -> Cited:
    """What was analysed."""
    folds = None
    if n_folds > 1:
        shared = " of a cross-validation" if design.shares_training else ""
        folds = phrase(f" in {{folds}}{shared}", folds=Count(n_folds, unit))
    classes = listed(map(Quote, names), most=12)
    return say(
        "The outputs of a classifier for {n} ({classes}) were analysed on {cases}{folds}.",
        n=Count(len(names), "class"),
        classes=classes,
        cases=Count(n_rows, "case"),
        folds=folds,
    ), ()


def deciding(origin: str, at_most: Mapping[str, float] | None) -> Cited:
    """How decisions are made, and where the weights are from."""
    rule = "Each case is decided for the class with the largest product of output and class weight"
    if origin == "given":
        return say(f"{rule}; the weights were given beforehand ({{paclik}}).", paclik=by("paclik2008")), (
            "paclik2008",
        )
    least = "the largest error of a class is as small as possible"
    limits = None
    if at_most:
        least = "the largest error of the other classes is as small as possible"
        each = (
            phrase("the error of {which} is at most {most}", which=a_class(own), most=Level(x))
            for own, x in at_most.items()
        )
        limits = phrase("{each} and ", each=joined(each))
    how = "an exact search" if origin == "of the exact search" else "a greedy random search"
    return say(
        f"{rule}. Weights were found by {how} such that {{limits}}{least} ({{paclik}}).",
        limits=limits,
        paclik=by("paclik2008"),
    ), ("paclik2008",)


def judging(n_folds: int, unit: str, level: float, design: Design, *, has_nested: bool) -> Cited | None:
    """Where intervals and honest errors are from."""
    if n_folds < 2:
        return None
    nested = None
    if has_nested:
        nested = phrase(
            "; errors to be expected on new cases are those of {units} under weights that were chosen "
            "without them",
            units=Word(plural(unit)),
        )
    keys = ("nadeau2003",) if design.shares_training else ()
    shared = phrase(", corrected for shared training cases ({n})", n=by("nadeau2003")) if keys else None
    return say(
        "Errors were averaged over {folds}, with {level} t intervals{shared}{nested}. Weight vectors were "
        "compared by paired t tests of every class error.",
        folds=Count(n_folds, unit),
        level=Level(level),
        shared=shared,
        nested=nested,
    ), keys


def ranking() -> Cited:
    """The AUC of several classes."""
    return say("The AUC of several classes is that of {hand}.", hand=by("hand2001")), ("hand2001",)
