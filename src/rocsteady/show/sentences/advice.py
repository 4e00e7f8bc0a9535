"""What an advice says: which average fits and why, what others answer, which model is better by it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rocsteady.advice.deployment import Line
from rocsteady.averaging.methods import (
    AlongDirection,
    AtAlarmRate,
    AtCosts,
    Binormal,
    Method,
    Pooled,
    Tangent,
    Threshold,
)
from rocsteady.text import (
    AUC,
    COST,
    FPR,
    TPR,
    At,
    Gap,
    Item,
    Level,
    Measure,
    Model,
    Number,
    Quantity,
    Quote,
    Rate,
    Ratio,
    Reference,
    Text,
    joined,
    listed,
    nouns,
    paragraph,
    phrase,
    say,
)

if TYPE_CHECKING:
    from rocsteady.advice.advise import Advice, Contest, CostDifference, CostRange, Reason
    from rocsteady.advice.deployment import Deployment

_PAPER = "Hogan & Adams 2023"
_RULES = {
    "RS330": (
        "One {threshold} is shared by all {units}, so rates are averaged at each {threshold}.",
        f"{_PAPER}, section 4",
    ),
    "RS331": (
        "Every {unit} counts once: the threshold average. In the pooled curve {units} with many rows count "
        "more.",
        f"{_PAPER}, section 4.2",
    ),
    "RS332": (
        "Every row counts once, whatever {unit} it comes from: the pooled curve.",
        f"{_PAPER}, section 3.1; errata H5",
    ),
    "RS333": (
        "{thresholds} differ between {units}, so curves are averaged in ROC space, at something that all "
        "{units} have in common.",
        f"{_PAPER}, sections 4 and 4.1",
    ),
    "RS334": (
        "The {fpr} is held: the vertical average, which reads the mean {tpr} of the {units} at it.",
        f"{_PAPER}, section 4.1",
    ),
    "RS335": (
        "The {tpr} is held: the horizontal average, which reads the mean {fpr} of the {units} at it.",
        f"{_PAPER}, sections 4.1 and 4.2",
    ),
    "RS336": (
        "The difference of the two error rates is held: the diagonal average. Where the difference is 0, it "
        "reads the mean equal error rate of the {units}.",
        f"{_PAPER}, section 4.1; errata H1",
    ),
    "RS337": (
        "The ratio of the two error rates is held: the radial average, along rays from (0, 1). The diagonal "
        "average holds their difference, which is the same only at 1 : 1.",
        "errata H1",
    ),
    "RS338": (
        "The share of cases called positive is held: the average at that alert rate, which depends on the "
        "prevalence ({prevalence}).",
        "Millard, Flach & Higgins 2014",
    ),
    "RS339": (
        "Every {unit} is tuned to the costs: the tangent average, whose least cost is the mean of the "
        "{units}' own least costs. The average along the direction of costs understates what tuned {units} "
        "achieve.{lacking}",
        "errata H2 and H3",
    ),
    "RS340": (
        "Averages along any direction have the same AUC, the mean AUC of the {units}; they differ in what "
        "they read at the operating point.",
        "Chen & Samuelson 2014; errata H4",
    ),
}
"""What every rule says, and where it comes from."""
_FREE = {"fpr": FPR, "tpr": TPR, "cost": COST}


def reason(own: Reason) -> Text:
    """The rule, followed by its source and code."""
    lacking = say(" Expected costs need the costs and the prevalence.")
    return say(
        f"{_RULES[own.code][0]} ({{source}}; {own.code})",
        **nouns(own.unit),
        prevalence=Level(own.deployment.prevalence or 0.0),
        lacking=lacking if own.deployment.lacks_costs else None,
        source=Reference(_RULES[own.code][1]),
    )


def source(code: str) -> Text:
    """Section of the paper, or erratum."""
    return phrase("{source}", source=Reference(_RULES[code][1]))


def question(method: Method, unit: str) -> Text:
    """What an average answers."""
    facts: dict[str, Item] = nouns(unit)
    if isinstance(method, Threshold):
        return phrase("one {threshold} for all, every {unit} counts once", **facts)
    if isinstance(method, Pooled):
        counts = "every {unit} counts once in each class" if method.balanced else "every row counts once"
        return phrase(f"one {{threshold}} for all, {counts}", **facts)
    if isinstance(method, Binormal):
        return phrase("a binormal curve for each {unit}, averaged over its parameters", **facts)
    return phrase("a {threshold} for each {unit}, {common}", **facts, common=_in_common(method))


def _in_common(method: Method) -> Text:
    """What all groups have in common when each has its own threshold."""
    if isinstance(method, AtAlarmRate):
        prevalence = Level(method.prevalence)
        return phrase("the same share called positive at a prevalence of {p}", p=prevalence)
    if isinstance(method, AtCosts):
        return phrase("the same position along the lines of equal cost")
    if isinstance(method, AlongDirection):
        return _along(method)
    if isinstance(method, Tangent):
        return phrase("the one that is best at the costs")
    return phrase("the same ratio of the error rates")


def _along(method: AlongDirection) -> Text:
    direction = method.direction
    if direction.is_vertical or direction.is_horizontal:
        return phrase("the same {rate}", rate=Measure(FPR if direction.is_vertical else TPR))
    if direction.cosine == direction.sine:
        return phrase("the same difference of the error rates")
    x, y = Number(direction.cosine), Number(direction.sine)
    return phrase("the same {x} × (false positive rate) + {y} × (true positive rate)", x=x, y=y)


def note(method: Method, unit: str) -> Text:
    """What to know before an average is used."""
    if isinstance(method, AtCosts):
        return say("its least cost is an upper bound of what each {unit} tuned to the costs would achieve "
                   "(errata H3)", **nouns(unit))  # fmt: skip
    return phrase("")


def measure(line: Line) -> Text:
    """What is read where a deployment operates."""
    if line.costs is not None:
        ratio = _costs((line.costs.false_positive, line.costs.false_negative))
        which = " in the middle of the range" if line.is_middle else ""
        return phrase(f"least expected cost per case at costs {{ratio}}{which}", ratio=ratio)
    return phrase("{measure}", measure=Measure(_FREE[line.free], place(line)))


def _costs(pair: tuple[float, float]) -> Ratio:
    """Three digits are enough to find them again."""
    first, second = (round(cost, 2 - math.floor(math.log10(cost))) if cost > 0 else cost for cost in pair)
    return Ratio(first, second)


def place(line: Line) -> At:
    """Where it is read."""
    if line.threshold is not None:
        return At("threshold", line.threshold)
    if line.held == "ratio":
        return At("ratio", (line.target, line.along[0]))
    if line.held == "balance":
        balance = line.target - 1
        return At("balance", balance) if balance else At("eer")
    return At(line.held, line.target)


def standings(found: Sequence[Contest]) -> Text:
    """Who is ahead under which average, a line each."""
    lines = (
        phrase(
            "{average}: {winner} by {gap}",
            average=Quote(own.method.label),
            winner=Model(own.winner or ""),
            gap=lead(own),
        )
        for own in found
    )
    return joined(lines, between="\n")


def _quantity(own: Contest) -> Quantity:
    return AUC if own.line is None else COST if own.line.costs is not None else _FREE[own.line.free]


def lead(own: Contest) -> Gap:
    """How far the winner's number is above that of the runner-up."""
    gap = Gap(_quantity(own), own.difference, own.interval)
    return -gap if _quantity(own).lower_is_better else gap


def gaps(found: CostRange) -> Text:
    """How far the two cheapest models are apart, a line for each pair of costs."""
    return joined(map(_gap, found.differences), between="\n")


def _gap(own: CostDifference) -> Text:
    costs = _costs(own.costs)
    if own.is_nothing:
        return phrase("at {costs} {models} cost the same", costs=costs, models=listed(map(Model, own.models)))
    return phrase(
        "at {costs} {better} is cheaper by {gap}",
        costs=costs,
        better=Model(own.models[0]),
        gap=Rate(COST, own.difference, own.interval),
    )


def changes(found: CostRange) -> list[Text]:
    """Which model is cheapest from where on, after the first."""
    return [
        phrase("{model} from {costs}", model=Model(name), costs=_costs(costs))
        for name, costs in zip(found.winners[1:], found.crossings, strict=True)
    ]


def cost_range(found: CostRange) -> Text:
    """What happens between the ends of a range of costs."""
    if not found.winners and not found.equals:  # one model
        points = (
            phrase(
                "{costs} cost {cost} at {fpr} {x} and {tpr} {y}",
                costs=_costs(own.costs),
                cost=Rate(COST, own.cost),
                x=Rate(FPR, own.fpr),
                y=Rate(TPR, own.tpr),
            )
            for own in found.points
        )
        return say("From one end of the costs to the other: {points}.", points=joined(points))
    first, last = _costs(found.points[0].costs), _costs(found.points[-1].costs)
    span = phrase("from costs {first} to {last}", first=first, last=last)
    if found.equals:
        return say("{models} cost the same {span}.", models=listed(map(Model, found.equals)), span=span)
    winner = Model(found.winners[0])
    if not found.changes:
        return say("{model} is cheapest {span}.", model=winner, span=span)
    later = joined(changes(found), between=", then ")
    return say("The cheapest model changes {span}: first {model}, then {later}.",
               span=span, model=winner, later=later)  # fmt: skip


def advice(own: Advice) -> Text:
    """The average and why; which model is better by it."""
    said: list[Text | None] = [
        say(
            "Use the {average} average: {why}.",
            average=Quote(own.method.label),
            why=_why(own.deployment, own.unit),
        )
    ]
    if own.contests:
        said.append(_outcome(own.contests[0]))
    elif len(own.answers) > 1:
        said.append(
            say("The models were not compared: no {unit} has a curve for every model.", **nouns(own.unit))
        )
    if own.cost_range is not None:
        said.append(cost_range(own.cost_range))
    return paragraph(*said)


def _outcome(right: Contest) -> Text:
    what = phrase("AUC") if right.line is None else measure(right.line)
    if right.winner is None:
        return say("{models} are equal in {what}.", models=listed(map(Model, right.equals)), what=what)
    how = "is better than" if right.is_decided else "is not significantly better than"
    return say(
        f"{{best}} {how} {{other}}: its {{what}} is {{gap:compared}}.",
        best=Model(right.winner),
        other=Model(right.runner_up or ""),
        what=what,
        gap=lead(right),
    )


def _why(deployment: Deployment, unit: str) -> Text:
    if deployment.is_shared:
        what = "every {unit}" if deployment.weigh == "groups" else "every row"
        return phrase(f"one {{threshold}} is shared by all {{units}}, and {what} counts once", **nouns(unit))
    held = {
        "fpr": "{fpr}",
        "tpr": "{tpr}",
        "balance": "difference of the error rates",
        "ratio": "ratio of the error rates",
        "alerts": "share called positive",
        "cost": "costs",
    }[str(deployment.hold)]
    return phrase(f"{{thresholds}} differ between {{units}}, and all have the same {held}", **nouns(unit))
