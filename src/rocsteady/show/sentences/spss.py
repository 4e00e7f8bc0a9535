"""SPSS's own words around its tables, and what we say beside them."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from rocsteady.show.sentences.points import decision
from rocsteady.text import AUC, ML, At, Count, Name, Number, Quote, Rate, Text, joined, paragraph, phrase, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocsteady.curves.spss import Construction, SpssTables
    from rocsteady.places import Place
    from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
    from rocsteady.statistics.limits import Interval

# What SPSS writes. It is quoted: no vocabulary changes it.
CASES = phrase("Case Processing Summary")
GROUPS = phrase("Group Statistics")
AREA = phrase("Area Under the Curve")
COORDINATES = phrase("Coordinates of the Curve")
VALID = phrase("Valid N (listwise)")
OF_CASES = (phrase("Positiveᵃ"), phrase("Negative"))
OF_GROUPS = (phrase("N"), phrase("Mean"), phrase("Std. Deviation"), phrase("Std. Error Mean"))
OF_AREA = (
    phrase("Area"),
    phrase("Std. Errorᵃ"),
    phrase("Asymptotic Sig.ᵇ"),
    phrase("Lower Bound"),
    phrase("Upper Bound"),
)
RATES = (phrase("Sensitivity"), phrase("1 - Specificity"))
NONPARAMETRIC = phrase("a. Under the nonparametric assumption")
NULL = phrase("b. Null hypothesis: true area = 0.5")
CUT_OFFS = phrase(
    "a. The smallest cutoff value is the minimum observed test value minus 1, and the largest cutoff value "
    "is the maximum observed test value plus 1. All the other cutoff values are the averages of two "
    "consecutive ordered observed test values."
)


def captioned(title: Text, found: SpssTables) -> Text:
    """A table's heading with the variable that it is about."""
    return phrase("{title}. Test Result Variable(s): {name}", title=title, name=Quote(found.variable))


def direction(found: SpssTables) -> Text:
    """Which scores speak for the positive state."""
    size = "Larger" if found.higher_is_positive else "Smaller"
    return phrase(
        f"{size} values of the test result variable(s) indicate stronger evidence for a positive actual "
        "state."
    )


def state(found: SpssTables) -> Text:
    """Which class is the positive one."""
    return phrase("a. The positive actual state is {name}.", name=Quote(found.positive))


def level(confidence_level: float) -> Text:
    """The heading above both limits."""
    share = Number(round(100 * confidence_level, 9), 4, is_declared=True)
    return phrase("Asymptotic {share}% Confidence Interval", share=share)


def rule(found: SpssTables) -> Text:
    """The heading of the cut-offs."""
    side = "Greater" if found.higher_is_positive else "Less"
    return phrase(f"Positive if {side} Than or Equal Toᵃ")


def ties(found: SpssTables, *, of_area: bool) -> tuple[Text, ...]:
    """SPSS's warning of a score that occurs in both classes; below the area it says more."""
    biased = " Statistics may be biased." if of_area else ""
    text = (
        "The test result variable(s): {name} has at least one tie between the positive actual state group "
        f"and the negative actual state group.{biased}"
    )
    return (phrase(text, name=Quote(found.variable)),) if found.has_ties else ()


# What we say --------------------------------------------------------------------------------------------

LINKS = {
    "scores": say("Scores"),
    "construction": say("Construction"),
    "area": say("Area"),
    "coordinates": say("Coordinates"),
    "cutoff": say("Cut-off"),
}
TITLES = {
    "scores": say("The scores of both classes"),
    "construction": say("How the curve is made"),
    "area": say("The area under the curve, as SPSS prints it"),
    "coordinates": say("The coordinates of the curve, as SPSS prints them"),
    "cutoff": say("One {threshold}: the 2 × 2 table"),
}
ABOUT_SCORES = say("The scores of both classes; a {threshold} divides them. Where they overlap, it errs.")
ABOUT_CONSTRUCTION = say(
    "One row for each distinct score, the strictest {threshold} first. Tied cases are one step: no "
    "{threshold} lies between them."
)


FREQUENCIES = say("Weights are taken as frequencies, as SPSS takes them: a row counts so many times.")


def about_steps(found: Construction) -> Text:
    """What the directions of the steps mean."""
    slanted = say(" A score of both classes gives a slanted step.") if found.tied else None
    return say(
        "From the strictest {threshold} to the loosest: up for a case of {positive}, right for one of "
        "{negative}.{slanted} The dotted line is guessing.",
        positive=Quote(found.positive),
        negative=Quote(found.negative),
        slanted=slanted,
    )


def scores(found: Construction) -> list[Number]:
    """The score of each step, with as many digits as tell all of them apart."""
    values = found.thresholds.tolist()
    distinct = sorted({own for own in values if math.isfinite(own)})  # equal spellings are neighbours
    for significant in (4, 6, 9, 12, 17):
        spelled = (Number(own, significant, is_declared=True).spell(ML) for own in distinct)
        if all(one != other for one, other in itertools.pairwise(spelled)):
            break
    return [Number(own, significant, is_declared=True) for own in values]


def at(place: Place, found: Cutoff | AppliedCutoff, variable: str = "") -> Text:
    """Which cut-off a table is of."""
    rule = decision(found, variable=variable)
    if place.kind == "threshold":
        return say("Given: {rule}.", rule=rule)
    return say("{at}: {rule}.", at=At.of(place), rule=rule)


def about_cutoffs(found: Mapping[Place, Cutoff | AppliedCutoff]) -> Text:
    """Where a cut-off lies, and the line of Youden's."""
    tangent = say(" The dashed line, at 45 degrees, touches the curve where Youden's J is largest.")
    is_there = any(place.kind == "youden" for place in found)
    return say("A {threshold} is a point of the curve.{tangent}", tangent=tangent if is_there else None)


def own_interval(area: float, interval: Interval | None) -> Text:
    """The interval that we give, beside SPSS's, and which standard error is whose."""
    null = say("The significance is tested with another standard error, that under the null hypothesis.")
    own = Rate(AUC, area, interval)
    if interval is not None and interval.low == interval.high:  # every case stands alike among the others
        text = (
            "Every case stands alike among those of the other class, so the interval that rocsteady gives "
            "has no width: {name} {area}. Do not report it as certainty."
        )
        return paragraph(null, say(text, name=Name(AUC), area=own))
    text = (
        "For a paper take the interval that rocsteady gives: {name} {area}. SPSS's is symmetric, and too "
        "narrow where the area is near 1."
    )
    return paragraph(null, say(text, name=Name(AUC), area=own))


def cases_at(found: Construction, step: int) -> Text | None:
    """Which cases have a score: one by the name of its class, several counted; none above all scores."""
    both = ((found.positives[step], found.positive), (found.negatives[step], found.negative))
    there = [(float(n), Quote(name)) for n, name in both if n]
    if len(there) == 1 and there[0][0] == 1:
        return phrase("{name}", name=there[0][1])
    cases = [phrase("{n} {name}", n=Count(n), name=name) for n, name in there]
    return joined(cases) if cases else None
