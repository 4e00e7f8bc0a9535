"""From a deployment to its average: the rules, each with a code and where it comes from."""

from __future__ import annotations

from typing import Any

from rocsteady.advice.deployment import Deployment
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
from rocsteady.words import percent, plural

PAPER = "Hogan & Adams"


class Reason(str):
    """A sentence that speaks for an average, with the code of its rule and where the rule comes from.

    Attributes
    ----------
    code : str
        ``rocsteady explain RS331`` tells more.
    source : str
        Section of the paper, or erratum.
    """

    code: str
    source: str

    __slots__ = ("code", "source")

    def __new__(cls, code: str, sentence: str, source: str) -> Reason:
        """The sentence, followed by its source and code."""
        reason = super().__new__(cls, f"{sentence} ({source}; {code})")
        reason.code, reason.source = code, source
        return reason

    def __reduce__(self) -> tuple[Any, ...]:
        sentence = str(self).removesuffix(f" ({self.source}; {self.code})")
        return Reason, (self.code, sentence, self.source)


def reasons(deployment: Deployment, unit: str) -> tuple[Reason, ...]:
    """Why the deployment's average is the right one."""
    units = plural(unit)
    if deployment.is_shared:
        return _shared_reasons(deployment, unit, units)
    return (
        Reason(
            "RS333",
            f"Thresholds differ between {units}, so curves are averaged in ROC space, at something that all "
            f"{units} have in common.",
            f"{PAPER}, sections 4 and 4.1",
        ),
        *_held_reasons(deployment, unit, units),
    )


def _shared_reasons(deployment: Deployment, unit: str, units: str) -> tuple[Reason, ...]:
    shared = Reason(
        "RS330",
        f"One threshold is shared by all {units}, so rates are averaged at each threshold.",
        f"{PAPER}, section 4",
    )
    if deployment.weigh == "groups":
        return shared, Reason(
            "RS331",
            f"Every {unit} counts once: the threshold average. Pooling would draw the curve towards the "
            f"{units} with most rows.",
            f"{PAPER}, section 4.2",
        )
    return shared, Reason(
        "RS332",
        f"Every row counts once, whichever {unit} it comes from: the pooled curve.",
        f"{PAPER}, section 3.1; errata H5",
    )


def _held_reasons(deployment: Deployment, unit: str, units: str) -> tuple[Reason, ...]:
    one_auc = Reason(
        "RS340",
        "Averages along any direction have the same AUC, the mean of the AUCs, so the AUC does not tell them "
        "apart; what is read at the operating point does.",
        "Chen & Samuelson 2014; errata H4",
    )
    prevalence = percent(deployment.prevalence or 0.0)
    rules = {
        "fpr": Reason(
            "RS334",
            f"The false positive rate is held: the vertical average, the mean TPR of the {units} at it.",
            f"{PAPER}, section 4.1",
        ),
        "tpr": Reason(
            "RS335",
            f"The true positive rate is held: the horizontal average, the mean FPR of the {units} at it.",
            f"{PAPER}, sections 4.1 and 4.2",
        ),
        "balance": Reason(
            "RS336",
            "The balance of the two error rates is held: the diagonal average. It holds their difference; "
            f"where that is 0 it reads the mean of the {units}' equal error rates.",
            f"{PAPER}, section 4.1; errata H1",
        ),
        "ratio": Reason(
            "RS337",
            "The ratio of the two error rates is held: the radial average, along rays from (0, 1). The "
            "diagonal average holds their difference, which is the same only at 1 : 1.",
            "errata H1",
        ),
        "alerts": Reason(
            "RS338",
            "The share of cases called positive is held: the average at that alarm rate, which depends on "
            f"the prevalence, here {prevalence}.",
            "Millard, Flach & Higgins 2014",
        ),
        "cost": Reason(
            "RS339",
            f"Every {unit} is tuned to the costs: the tangent average, whose least cost is the mean of the "
            f"{units}' own least costs. The average along the direction of costs is offered beside it; its "
            f"minimum understates what tuned {units} achieve."
            + (" Expected costs need the costs and the prevalence." if deployment.lacks_costs else ""),
            "errata H2 and H3",
        ),
    }
    held = str(deployment.hold)
    return (rules[held],) if held in ("ratio", "cost") else (rules[held], one_auc)


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
    if isinstance(method, AlongDirection):
        return f"the same {_held_along(method)}"
    if isinstance(method, Tangent):
        return "the one that is best at the costs"
    return "the same ratio of the error rates"


def _held_along(method: AlongDirection) -> str:
    direction = method.direction
    if isinstance(method, AtCosts):
        return "position along the lines of equal cost"
    if direction.is_vertical or direction.is_horizontal:
        return "FPR" if direction.is_vertical else "TPR"
    if direction.cosine == direction.sine:
        return "difference of the error rates"
    return f"{direction.cosine:.3g} FPR + {direction.sine:.3g} TPR"


def candidates(deployment: Deployment) -> tuple[Method, ...]:
    """The averages that a deployment could be read off, the right one first.

    The binormal average is not among them: it is a model of curves, not an answer to another question.
    """
    from rocsteady.averaging.methods import PLAIN

    found = [deployment.method]
    found += [method for name, method in PLAIN.items() if name != "binormal"]
    if deployment.prevalence is not None:
        found.append(AtAlarmRate(prevalence=deployment.prevalence))
    if deployment.cost_direction is not None:
        found.append(deployment.cost_direction)
    return tuple(dict.fromkeys(found))


def is_about_shared_threshold(method: Method) -> bool:
    """Whether scores of different groups are compared with each other."""
    return isinstance(method, Threshold | Pooled)
