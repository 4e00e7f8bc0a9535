"""The options that say how scores will be used, and the two questions asked where they are missing."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from rocsteady.errors import Option, Remedy, RocsteadyError, UsageError, fail
from rocsteady.words import number_of

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment, Pair
    from rocsteady.places import Place

_PANEL = "Deployment (decides which average is used)"


class Deploy(StrEnum):
    """Whose threshold it is."""

    SHARED = "shared"
    OWN = "own"


class Weigh(StrEnum):
    """What counts equally."""

    GROUPS = "groups"
    ROWS = "rows"


class Hold(StrEnum):
    """What is held fixed when the curve is read."""

    FPR = "fpr"
    TPR = "tpr"
    BALANCE = "balance"
    RATIO = "ratio"
    COST = "cost"
    ALERTS = "alerts"


def option(*names: str, help: str, metavar: str | None = None, **more: Any) -> Any:
    """An option in the panel of the deployment."""
    return typer.Option(
        *names, metavar=metavar, help=help, rich_help_panel=_PANEL, show_default=False, **more
    )


DeployOption = Annotated[
    Deploy | None,
    option("--deploy", help="Is one threshold shared by all groups, or does each get its own?"),
]
HoldOption = Annotated[
    Hold | None,
    option(
        "--hold",
        help="With --deploy own: what is held fixed when the curve is read. With --deploy shared: the mean "
        "rate, fpr or tpr, that the threshold is set to.",
    ),
]
WeighOption = Annotated[
    Weigh | None,
    option(
        "--weigh",
        help="With --deploy shared: count every group once (the default), or every row once (pooling).",
    ),
]
CostsOption = Annotated[
    str | None,
    option(
        "--costs",
        metavar="FP:FN",
        help="What a false positive and a false negative cost, or a range of that: 1:2..1:20.",
    ),
]
PrevalenceOption = Annotated[
    str | None,
    option(
        "--prevalence",
        metavar="SHARE",
        help="Share of positives where the scores will be used: 0.03, or 3%.",
    ),
]


@dataclass(frozen=True)
class Declared:
    """The answers as they were typed."""

    deploy: Deploy | None
    hold: Hold | None
    weigh: Weigh | None
    costs: str | None
    prevalence: float | None
    at: str | None = None

    @property
    def is_missing(self) -> bool:
        """Whether nobody said whose threshold it is."""
        return self.deploy is None

    @property
    def is_half(self) -> bool:
        """Whether the second question has no answer: own thresholds, and nothing that is held."""
        return self.deploy is Deploy.OWN and self.hold is None and self.at is None

    def deployment(self) -> Deployment:
        """The same as a value."""
        from rocsteady.advice.deployment import Deployment

        if self.deploy is None:
            raise TypeError("nothing was declared")
        hold = None if self.hold is None else self.hold.value
        return Deployment(
            self.deploy.value,
            weigh=(self.weigh or Weigh.GROUPS).value,
            hold=hold,
            at=operating_point(self.at, self.deploy, hold),
            costs=costs_of(self.costs),
            prevalence=self.prevalence,
        )


def with_point(declared: Declared, given: Sequence[str]) -> Declared:
    """What was declared, with the first point that is an operating point of it; the others are only read.

    RS002 for an answer to the second question alone. RS092 if groups have thresholds of their own and no
    point is one of what they hold: it would not be clear what the answer is about.
    """
    require_deploy(declared)
    if declared.is_missing:
        return declared
    is_cost = declared.hold is Hold.COST
    refused: UsageError | None = None
    for text in given:
        name, _, value = text.strip().partition("=")
        if is_cost and declared.costs is None and name.strip().casefold() in ("cost", "costs"):
            return replace(declared, costs=value)
        named = replace(declared, at=text.strip())
        try:
            named.deployment()
        except UsageError as error:
            if error.code != "RS092":
                raise
            if error.entry != "RS092.count" or declared.hold is None:  # a number is read on these cases
                refused = refused or error
        else:
            return named
    is_said = is_cost and declared.costs is not None
    if refused is not None and (declared.hold is not None or declared.is_half) and not is_said:
        raise refused
    return declared


def share_of(name: str, text: str | None) -> float | None:
    """``0.03`` or ``3%`` as a share strictly between 0 and 1; RS042 if it is none."""
    from rocsteady.options import open_share

    if text is None:
        return None
    share = number_of(text, may_be_percent=True)
    if math.isnan(share):
        where, ways = "a share, or a percentage", [Option(name, 0.03)]
        raise fail("RS042", name=f"--{name}", where=where, found=text, ways=ways)
    return open_share(name, share)


def require_deploy(declared: Declared) -> None:
    """RS002 if an answer to the second question comes without one to the first."""
    for name in ("hold", "weigh"):
        value = getattr(declared, name)
        if declared.is_missing and value is not None:
            deploy = "own" if name == "hold" else "shared"
            raise fail("RS002.second-question", option=name, deploy=deploy, value=value.value)


def costs_of(text: str | None) -> Pair | tuple[Pair, Pair] | None:
    """``1:20`` is a pair of costs, ``1:2..1:20`` a range of them; RS094 if it is neither."""
    if text is None:
        return None
    pairs = [_pair(part) for part in text.split("..")]
    if len(pairs) not in (1, 2) or None in pairs:
        raise fail("RS094.written", text=text)
    known = [pair for pair in pairs if pair is not None]
    return known[0] if len(known) == 1 else (known[0], known[1])


def _pair(text: str) -> Pair | None:
    parts = text.replace(",", ":").split(":")
    try:
        first, second = (float(part) for part in parts)
    except ValueError:
        return None
    return first, second


def operating_point(text: str | None, deploy: Deploy, hold: str | None) -> Place | None:
    """What ``--at`` means under a deployment: a place, or a bare number of what is held."""
    if text is None:
        return None
    from rocsteady.advice.deployment import ON_OWN, ON_SHARED
    from rocsteady.places import place_of

    is_shared = deploy is Deploy.SHARED
    typed = named(text, deploy, hold)
    try:
        place = place_of(typed, among=ON_SHARED if is_shared else ON_OWN, task="deploy at")
    except UsageError as error:
        if error.code != "RS092" or (hold is None and typed == text):  # it says what is known
            raise
        _no_place(text, hold)
    if hold not in (None, "balance" if place.kind == "eer" else place.kind):
        _no_place(text, hold)
    return place


def named(text: str, deploy: Deploy | None, hold: str | None) -> str:
    """A bare number with the name of what is held, as it is typed; all else as it is."""
    bare = hold or ("t" if deploy is Deploy.SHARED else "")
    return (
        f"{bare}={text.strip()}" if bare and "=" not in text and text.strip()[:1] in "0123456789.+-" else text
    )


def _no_place(text: str, hold: str | None) -> NoReturn:
    held = "--deploy shared" if hold is None else f"--hold {hold}"
    remedies: list[Remedy] = [Option("at", _POINTS[hold])]
    if hold is not None:
        other = own_answer(text)
        remedies += [f"or say what is held at {text}:  {other}"] if other else []
        remedies += [f"or let all share one threshold, which may be set at {text}:  --deploy shared"]
    raise fail("RS092.held", text=text, held=held, ways=remedies)


def own_answer(text: str) -> str:
    """With thresholds of their own, what groups hold at this point; nothing where that takes a shared one."""
    from rocsteady.places import EVERYWHERE, place_of

    try:
        kind = place_of(text.strip(), among=EVERYWHERE).kind
    except UsageError:
        return ""
    hold = {"eer": "balance", "costs": "cost"}.get(kind, kind)
    if hold not in _POINTS:
        return ""
    return f"--deploy own --hold {hold}{' --prevalence 0.02' if hold == 'alerts' else ''}"


_POINTS = {None: "t=0.5", "fpr": "fpr=0.05", "tpr": "tpr=0.9", "balance": "eer", "ratio": "ratio=1:2"}
_POINTS |= {"alerts": "alerts=0.02", "cost": "cost=1:20"}
"""An operating point for everything that may be held, and for one threshold."""


def can_ask() -> bool:
    """Whether somebody sits there who could answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def answers_at(points: list[str]) -> list[str]:
    """Answers to the two questions that somebody may mean who reads curves at these points."""
    own = own_answer(points[0]) if points else "--deploy own --hold fpr"
    return ["--deploy shared --weigh groups", *([own] if own else [])]


def undeclared_error(units: str, command: str, points: list[str] | None = None) -> RocsteadyError:
    """RS093 with what to type."""
    ways = [f"{command} {answer}" for answer in answers_at(points or [])]
    return fail("RS093.undeclared", units=units, ways=ways)


def ask(units: str, declared: Declared) -> Declared:
    """The two questions, on the terminal; only the second where the first was answered."""
    unit = units[:-1] if units.endswith("s") else units
    first = [("shared", "yes, one threshold for all"), ("own", f"no, one for every {unit}")]
    deploy = declared.deploy or Deploy(_choice(f"Is one threshold shared by all {units}?", first))
    costs, prevalence = declared.costs, declared.prevalence
    if deploy is Deploy.SHARED:
        counts = [("groups", f"every {unit}"), ("rows", "every row")]
        weigh = Weigh(_choice("What should count equally?", counts))
        return Declared(deploy, None, weigh, costs, prevalence, declared.at)
    held = [
        ("fpr", "the false positive rate"),
        ("tpr", "the true positive rate"),
        ("balance", "the balance of both errors (their difference; equal error rate)"),
        ("ratio", "the ratio of both errors"),
        ("alerts", "the number of alerts"),
        ("cost", "the cost of errors"),
    ]
    hold = Hold(_choice("What is held fixed when you read the curve?", held))
    if hold is Hold.COST and costs is None:
        costs = _asked_costs()
    if hold in (Hold.COST, Hold.ALERTS) and prevalence is None:
        prevalence = _asked_share()
    return Declared(deploy, hold, None, costs, prevalence, declared.at)


def _asked_share() -> float | None:
    """The prevalence; asked again while it is none."""
    while True:
        typed = typer.prompt("Share of the cases that will be positive, as 0.02 or 2%", err=True)
        try:
            return share_of("prevalence", typed)
        except UsageError:
            typer.echo("Type a share between 0 and 1, or a percentage.", err=True)


def _asked_costs() -> str:
    """What errors cost; asked again while it is no pair."""
    while True:
        typed = str(typer.prompt("Cost of a false positive and of a false negative, as 1:20", err=True))
        try:
            costs_of(typed)
        except UsageError:
            typer.echo("Type two numbers with a colon between them.", err=True)
        else:
            return typed


def _choice(question: str, choices: list[tuple[str, str]]) -> str:
    typer.echo(question, err=True)
    for number, (_, words) in enumerate(choices, start=1):
        typer.echo(f"  {number}  {words}", err=True)
    while True:
        typed = typer.prompt(f"1 to {len(choices)}", err=True).strip().casefold()
        for number, (word, words) in enumerate(choices, start=1):
            if typed in (str(number), word) or (
                typed in ("y", "yes", "n", "no") and words.startswith(typed[0])
            ):
                typer.echo("", err=True)
                return word
        typer.echo(f"Type a number from 1 to {len(choices)}.", err=True)


def as_options(answered: Declared, declared: Declared) -> str:
    """The answers as they would be typed, so that they need not be given again; not what was typed before."""
    said = [
        (name, getattr(answered, name))
        for name in ("deploy", "weigh", "hold", "costs", "prevalence")
        if getattr(answered, name) != getattr(declared, name)
    ]
    return " ".join(f"--{name} {value}" for name, value in said if value is not None)
