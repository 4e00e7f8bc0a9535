"""What an advice says of the averages and models that it compared, in sentences and as findings."""

from __future__ import annotations

from collections.abc import Sequence

from rocsteady.advice.alternatives import Alternative, Answer, Contest
from rocsteady.advice.costs import CostDifference, CostRange
from rocsteady.advice.deployment import Deployment
from rocsteady.advice.readings import ROUNDING
from rocsteady.advice.rules import candidates
from rocsteady.errors import RocsteadyWarning, caution
from rocsteady.words import listed, plural, printable


def about_unread(
    deployment: Deployment, answers: Sequence[Answer], others: Sequence[Alternative]
) -> list[RocsteadyWarning]:
    """RS048 for averages that were left out: their thresholds are integers that no float can tell apart."""
    read = {own.method for own in [*answers, *others]}
    missing = [method.label for method in candidates(deployment) if method not in read]
    if not answers or not missing:
        return []
    return [caution("RS048.averages", averages=missing)]


def about_models(found: Sequence[Contest], costs: CostRange | None) -> list[RocsteadyWarning]:
    """RS319 if another model is ahead under another average, RS320 if one is cheapest at another cost."""
    warned = []
    if found:
        right = found[0]
        others = [own for own in found[1:] if _disagrees(own, right)]
        if others:
            said = "\n".join(
                f"{own.method.label}: {own.winner} by {own.difference:.3g} ({_limits(own)})"
                for own in [right, *others]
            )
            warned.append(
                caution(
                    "RS319.ahead",
                    averages=[own.method.label for own in others],
                    winner=right.winner,
                    measure=right.measure,
                    standings=said,
                )
            )
    if costs is not None and costs.changes:
        gaps = "\n".join(map(_gap, costs.differences))
        later = [
            f"{name} from {a:.3g} : {b:.3g}"
            for name, (a, b) in zip(costs.winners[1:], costs.crossings, strict=True)
        ]
        warned.append(caution("RS320.changes", winners=costs.winners, others=later, gaps=gaps))
    return warned


def _disagrees(own: Contest, right: Contest) -> bool:
    """Whether another average has another winner, and at least one of the two says so surely."""
    if own.winner is None or right.winner is None or own.winner == right.winner:
        return False
    return own.is_decided or right.is_decided


def _gap(own: CostDifference) -> str:
    at = f"at {own.costs[0]:.3g} : {own.costs[1]:.3g}"
    if abs(own.difference) <= ROUNDING:
        return f"{at} {own.better} and {own.worse} cost the same"
    return f"{at} {own.better} is cheaper by {own.difference:.3g} ({_limits(own)})"


def _limits(own: Contest | CostDifference) -> str:
    interval = own.interval
    if interval.low != interval.low:
        return "no interval"
    return f"{100 * interval.confidence_level:g} % CI {interval.low:.3g} to {interval.high:.3g}"


def reading(
    deployment: Deployment, unit: str, n_models: int, found: Sequence[Contest], costs: CostRange | None
) -> str:
    """The advice in a few sentences: the average and why, which model is better by it."""
    said = [f"Use the {deployment.method.label} average: {_why(deployment, unit)}."]
    if found:
        said.append(_outcome(found[0]))
    elif n_models > 1:
        said.append(f"The models were not compared: no {unit} has a curve for every one of them.")
    if costs is not None:
        said.append(costs.reading)
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
