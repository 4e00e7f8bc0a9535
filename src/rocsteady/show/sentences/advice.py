"""What an advice says: why an average is the right one, what others answer, which model is better by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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
from rocsteady.words import listed, percent, plural, printable

if TYPE_CHECKING:
    from rocsteady.advice.advise import Advice, Contest, CostDifference, CostRange, Reason
    from rocsteady.advice.deployment import Deployment, Line

_PAPER = "Hogan & Adams"
_RULES = {
    "RS330": (
        "One threshold is shared by all {units}, so rates are averaged at each threshold.",
        f"{_PAPER}, section 4",
    ),
    "RS331": (
        "Every {unit} counts once: the threshold average. Pooling would draw the curve towards the {units} "
        "with most rows.",
        f"{_PAPER}, section 4.2",
    ),
    "RS332": (
        "Every row counts once, whichever {unit} it comes from: the pooled curve.",
        f"{_PAPER}, section 3.1; errata H5",
    ),
    "RS333": (
        "Thresholds differ between {units}, so curves are averaged in ROC space, at something that all "
        "{units} have in common.",
        f"{_PAPER}, sections 4 and 4.1",
    ),
    "RS334": (
        "The false positive rate is held: the vertical average, the mean TPR of the {units} at it.",
        f"{_PAPER}, section 4.1",
    ),
    "RS335": (
        "The true positive rate is held: the horizontal average, the mean FPR of the {units} at it.",
        f"{_PAPER}, sections 4.1 and 4.2",
    ),
    "RS336": (
        "The balance of the two error rates is held: the diagonal average. It holds their difference; where "
        "that is 0 it reads the mean of the {units}' equal error rates.",
        f"{_PAPER}, section 4.1; errata H1",
    ),
    "RS337": (
        "The ratio of the two error rates is held: the radial average, along rays from (0, 1). The diagonal "
        "average holds their difference, which is the same only at 1 : 1.",
        "errata H1",
    ),
    "RS338": (
        "The share of cases called positive is held: the average at that alarm rate, which depends on the "
        "prevalence, here {prevalence}.",
        "Millard, Flach & Higgins 2014",
    ),
    "RS339": (
        "Every {unit} is tuned to the costs: the tangent average, whose least cost is the mean of the "
        "{units}' own least costs. The average along the direction of costs is offered beside it; its "
        "minimum understates what tuned {units} achieve.{lacking}",
        "errata H2 and H3",
    ),
    "RS340": (
        "Averages along any direction have the same AUC, the mean of the AUCs, so the AUC does not tell them "
        "apart; what is read at the operating point does.",
        "Chen & Samuelson 2014; errata H4",
    ),
}
"""What every rule says, and where it comes from."""


def reason(own: Reason) -> str:
    """The rule, followed by its source and code."""
    said = _RULES[own.code][0].format(
        unit=own.unit,
        units=plural(own.unit),
        prevalence=percent(own.deployment.prevalence or 0.0),
        lacking=" Expected costs need the costs and the prevalence." if own.deployment.lacks_costs else "",
    )
    return f"{said} ({source(own.code)}; {own.code})"


def source(code: str) -> str:
    """Section of the paper, or erratum."""
    return _RULES[code][1]


def question(method: Method, unit: str) -> str:
    """What an average answers."""
    if isinstance(method, Threshold):
        return f"one threshold for all, every {unit} counts once"
    if isinstance(method, Pooled):
        counts = f"every {unit} counts once in each class" if method.balanced else "every row counts once"
        return f"one threshold for all, {counts}"
    if isinstance(method, Binormal):
        return f"each {unit} a binormal curve, with the mean of their parameters"
    return f"a threshold for each {unit}, {_in_common(method)}"


def _in_common(method: Method) -> str:
    """What all groups have in common when each has its own threshold."""
    if isinstance(method, AtAlarmRate):
        return f"the same share called positive at a prevalence of {percent(method.prevalence)}"
    if isinstance(method, AtCosts):
        return "the same position along the lines of equal cost"
    if isinstance(method, AlongDirection):
        direction = method.direction
        names = f"{direction.cosine:.3g} FPR + {direction.sine:.3g} TPR"
        if direction.is_vertical or direction.is_horizontal:
            names = "FPR" if direction.is_vertical else "TPR"
        return f"the same {'difference of the error rates' if direction.cosine == direction.sine else names}"
    if isinstance(method, Tangent):
        return "the one that is best at the costs"
    return "the same ratio of the error rates"


def note(method: Method, unit: str) -> str:
    """What to know before an average is used."""
    if isinstance(method, AtCosts):
        return f"its least cost is never below what each {unit} tuned to the costs would achieve (errata H3)"
    return ""


def measure(line: Line) -> str:
    """What is read where a deployment operates."""
    if line.costs is not None:
        ratio = f"{line.costs.false_positive:.3g} : {line.costs.false_negative:.3g}"
        which = " in the middle of the range" if line.is_middle else ""
        return f"least expected cost per case at costs {ratio}{which}"
    if line.threshold is not None:
        return f"TPR at the FPR that a threshold of {line.threshold:g} gives"
    if line.held == "ratio":
        return f"FPR where FPR : FNR = {line.target:g} : {line.along[0]:g}"
    if line.held == "balance":
        balance = line.target - 1
        return "equal error rate" if balance == 0 else f"FPR where FPR - FNR = {balance:g}"
    if line.held == "alerts":
        return f"TPR where {percent(line.target)} of all cases are called positive"
    return f"{line.free.upper()} at {line.held.upper()} {percent(line.target)}"


def standings(found: Sequence[Contest]) -> str:
    """Who is ahead under which average, a line each."""
    return "\n".join(
        f"{own.method.label}: {own.winner} by {own.difference:.3g} ({_limits(own)})" for own in found
    )


def gaps(found: CostRange) -> str:
    """How far the two cheapest models are apart, a line for each pair of costs."""
    return "\n".join(
        f"at {own.costs[0]:.3g} : {own.costs[1]:.3g} "
        + (
            f"{listed(own.models)} cost the same"
            if own.is_nothing
            else f"{own.better} is cheaper by {own.difference:.3g} ({_limits(own)})"
        )
        for own in found.differences
    )


def _limits(own: Contest | CostDifference) -> str:
    interval = own.interval
    if interval.low != interval.low:
        return "no interval"
    return f"{100 * interval.confidence_level:g} % CI {interval.low:.3g} to {interval.high:.3g}"


def changes(found: CostRange) -> list[str]:
    """Which model is cheapest from where on, after the first."""
    return [
        f"{name} from {a:.3g} : {b:.3g}"
        for name, (a, b) in zip(found.winners[1:], found.crossings, strict=True)
    ]


def cost_range(found: CostRange) -> str:
    """What happens between the ends of a range of costs."""
    if not found.winners and not found.equals:  # one model
        said = ", ".join(
            f"{p.costs[0]:.3g} : {p.costs[1]:.3g} cost {p.cost:.3g} at FPR {p.fpr:.3f} and TPR {p.tpr:.3f}"
            for p in found.points
        )
        return f"From one end of the costs to the other: {said}."
    (a, b), (c, d) = found.points[0].costs, found.points[-1].costs
    span = f"from costs {a:g} : {b:g} to {c:g} : {d:g}"
    if found.equals:
        return f"{listed(found.equals)} cost the same {span}."
    if not found.changes:
        return f"{found.winners[0]} is cheapest {span}."
    later = ", then ".join(changes(found))
    return f"The cheapest model changes {span}: first {found.winners[0]}, then {later}."


def advice(own: Advice) -> str:
    """The average and why; which model is better by it."""
    said = [f"Use the {own.method.label} average: {_why(own.deployment, own.unit)}."]
    if own.contests:
        said.append(_outcome(own.contests[0]))
    elif len(own.answers) > 1:
        said.append(f"The models were not compared: no {own.unit} has a curve for every one of them.")
    if own.cost_range is not None:
        said.append(own.cost_range.reading)
    return printable(" ".join(said))


def _outcome(right: Contest) -> str:
    if right.winner is None:
        return f"By it {listed(right.equals)} are equal in {right.measure}."
    decided = "" if right.is_decided else ", which the data do not decide"
    ahead = "better than" if right.is_decided else "ahead of"
    return (
        f"By it {right.winner} is {ahead} {right.runner_up} in {right.measure} by "
        f"{right.difference:.3g} ({_limits(right)}){decided}."
    )


def _why(deployment: Deployment, unit: str) -> str:
    if deployment.is_shared:
        what = f"every {unit}" if deployment.weigh == "groups" else "every row"
        return f"one threshold is shared by all {plural(unit)}, and {what} counts once"
    held = {
        "fpr": "the false positive rate",
        "tpr": "the true positive rate",
        "balance": "the difference of the error rates",
        "ratio": "the ratio of the error rates",
        "alerts": "the share called positive",
        "cost": "the costs",
    }[str(deployment.hold)]
    return f"thresholds differ between {plural(unit)}, and all have {held} in common"
