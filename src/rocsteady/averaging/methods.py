"""The ways of averaging, as values: a plain one has a name, the others say what they hold fixed.

Each is computed by a class of its family, which :func:`rocsteady.average` looks up: along a direction
(``directional``), at one threshold for all (``shared_threshold``), tuned to a ratio of errors or of costs
(``radial_tangent``), or of fitted curves (``binormal``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from rocsteady.errors import Option, fail, near_match
from rocsteady.options import Choice, one_of, open_share, real_numbers, yes_or_no

_EXACT = 1e-12  # angles this close to 0, 45 and 90 degrees are meant to be them
_LARGEST_COST = 1e100
"""The spread of costs between groups squares them; only their ratio matters."""

MethodName = Literal[
    "pooled", "threshold", "vertical", "horizontal", "diagonal", "radial", "tangent", "binormal"
]
"""What a plain method is called."""


@dataclass(frozen=True)
class Direction:
    """A direction from vertical (0) to horizontal (pi/2); its ends and its middle are exact."""

    angle: float
    cosine: float
    sine: float
    length: float  # the position of (1, 1)
    is_vertical: bool  # the false positive rate is held
    is_horizontal: bool  # the true positive rate is held
    is_oblique: bool  # neither of them is


def direction_of(cosine: float, sine: float) -> Direction:
    """The direction of a vector with no negative part and not both parts 0."""
    angle, length, half = math.atan2(sine, cosine), math.hypot(cosine, sine), math.sqrt(0.5)
    c, s = cosine / length, sine / length
    for exact, parts in ((0.0, (1.0, 0.0)), (math.pi / 4, (half, half)), (math.pi / 2, (0.0, 1.0))):
        if abs(angle - exact) < _EXACT:
            angle, (c, s) = exact, parts
    return Direction(angle, c, s, c + s, s == 0, c == 0, s != 0 != c)


class Method(Choice):
    """A way of averaging. A plain one equals its name: ``Vertical() == "vertical"``."""

    @property
    def label(self) -> str:
        """The method in a sentence: "the 30-degree average"."""
        return self.name

    @property
    def keyword(self) -> str:
        """What the name of an average has in it that says this method: "30 degrees", "fixed costs"."""
        return self.name

    @property
    def typed(self) -> str:
        """What to type for it: its name in quotes, or the call that makes it."""
        return str(self) if self._is_special else repr(self.name)

    def holds(self, name: str) -> bool:
        """Whether every group has a point of its own where this ("fpr", "threshold" ...) has a value."""
        return name == "threshold" and isinstance(self, Pooled | Threshold)


class AlongDirection(Method):
    """A method that holds a position along a direction fixed."""

    at_jumps: str = "upper"
    _parts: tuple[float, float]  # what the FPR, and what the TPR counts in the position that is held

    @cached_property
    def direction(self) -> Direction:
        """The direction that is free to vary."""
        return direction_of(*self._parts)

    @cached_property
    def jumps_to_mid(self) -> bool:
        """Whether a reading on a jump is its middle instead of its better end."""
        return self.at_jumps == "mid"

    def holds(self, name: str) -> bool:
        """Whether this rate ("fpr", "tpr", or "alerts", the share called positive) is held fixed."""
        direction = self.direction
        if name == "alerts":
            is_share = direction.is_oblique and isinstance(self, AtAngle | Diagonal)
            return is_share or isinstance(self, AtAlarmRate)
        return (direction.is_vertical and name == "fpr") or (direction.is_horizontal and name == "tpr")


@dataclass(frozen=True, eq=False, repr=False)
class Pooled(Method):
    """All rows together, as if they came from one group.

    Attributes
    ----------
    balanced : bool
        Let every group count the same in each class, however many rows it has. Where all groups have both
        classes this is the threshold average; here a group of one class still counts in that class.
    """

    name: ClassVar[str] = "pooled"
    balanced: bool = False

    def __post_init__(self) -> None:
        yes_or_no("balanced", self.balanced)

    @property
    def label(self) -> str:
        """The method in a sentence."""
        return "balanced pooled" if self.balanced else self.name


@dataclass(frozen=True, eq=False, repr=False)
class Threshold(Method):
    """The mean of both rates at every threshold: one threshold for all groups, each group counting once."""

    name: ClassVar[str] = "threshold"


@dataclass(frozen=True, eq=False, repr=False)
class _Straight(AlongDirection):
    """Along an axis, where curves jump."""

    at_jumps: str = "upper"

    def __post_init__(self) -> None:
        one_of("at_jumps", self.at_jumps, ("upper", "mid"))

    @property
    def label(self) -> str:
        """With what is read on a jump, unless that is its better end."""
        return f"{self.name} (middle of jumps)" if self.jumps_to_mid else self.name


@dataclass(frozen=True, eq=False, repr=False)
class Vertical(_Straight):
    """The mean true positive rate at every false positive rate; thresholds differ between groups.

    Attributes
    ----------
    at_jumps : {"upper", "mid"}
        What a group's curve is worth where it rises straight up: the top (the best that this false positive
        rate affords) or the middle, which is less biased in small groups (errata H8).
    """

    name: ClassVar[str] = "vertical"
    _parts = (1.0, 0.0)


@dataclass(frozen=True, eq=False, repr=False)
class Horizontal(_Straight):
    """The mean false positive rate at every true positive rate; thresholds differ between groups.

    Attributes
    ----------
    at_jumps : {"upper", "mid"}
        What a group's curve is worth where it runs straight right: the left end (the better one) or the
        middle.
    """

    name: ClassVar[str] = "horizontal"
    _parts = (0.0, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class Diagonal(AlongDirection):
    """The mean along the diagonal: every group has the same FPR + TPR, the same balance of its errors."""

    name: ClassVar[str] = "diagonal"
    _parts = (1.0, 1.0)


@dataclass(frozen=True, eq=False, repr=False)
class AtAngle(AlongDirection):
    """The mean along any direction between vertical (0) and horizontal (pi/2).

    Attributes
    ----------
    angle : float
        In radians; ``cos(angle) * fpr + sin(angle) * tpr`` is held fixed.
    """

    angle: float

    def __post_init__(self) -> None:
        number = real_numbers("angle", self.angle, example=0.5)
        if isinstance(self.angle, bool) or number.ndim or not -_EXACT < number < math.pi / 2 + _EXACT:
            if not number.ndim and math.pi / 2 < number <= 90:
                raise fail("RS080.degrees", found=self.angle)
            raise fail("RS080", found=self.angle)
        object.__setattr__(self, "angle", float(number) + 0.0)

    @property
    def label(self) -> str:
        """In degrees."""
        return f"{self.keyword}-degree"

    @property
    def keyword(self) -> str:
        """The degrees."""
        return f"{math.degrees(self.angle):.4g}"

    @property
    def _parts(self) -> tuple[float, float]:  # type: ignore[override]
        return max(math.cos(self.angle), 0.0), max(math.sin(self.angle), 0.0)


@dataclass(frozen=True, eq=False, repr=False)
class AtAlarmRate(AlongDirection):
    """The mean at a fixed share of cases called positive, in a population of this prevalence.

    Attributes
    ----------
    prevalence : float
        Share of positives where the classifier will be used, strictly between 0 and 1.
    """

    prevalence: float
    keyword: ClassVar[str] = "alarm"

    def __post_init__(self) -> None:
        object.__setattr__(self, "prevalence", open_share("prevalence", self.prevalence))

    @property
    def label(self) -> str:
        """With its prevalence."""
        return f"alarm-rate (prevalence {100 * self.prevalence:.4g} %)"

    @property
    def _parts(self) -> tuple[float, float]:  # type: ignore[override]
        return 1 - self.prevalence, self.prevalence


@dataclass(frozen=True, eq=False, repr=False)
class AtCosts(AlongDirection):
    """The mean along the direction in which only the expected cost changes (Hogan & Adams, section 4.1).

    The best point of this average costs more than the mean of the groups' own best costs, unless their
    optima share a position (errata H3). For groups that are tuned to the costs use ``"tangent"``.

    Attributes
    ----------
    false_positive, false_negative : float
        Cost of each error; not negative, not both 0.
    prevalence : float
        Share of positives where the classifier will be used, strictly between 0 and 1.
    """

    false_positive: float
    false_negative: float
    prevalence: float
    keyword: ClassVar[str] = "cost"

    def __post_init__(self) -> None:
        for name in ("false_positive", "false_negative"):
            object.__setattr__(self, name, cost(name, getattr(self, name)) + 0.0)
        if self.false_positive == 0 == self.false_negative:
            raise fail("RS081.zero")
        largest = max(self.false_positive, self.false_negative)
        if largest > _LARGEST_COST:
            raise fail("RS081.large", most=_LARGEST_COST, found=largest)
        object.__setattr__(self, "prevalence", open_share("prevalence", self.prevalence))

    @property
    def label(self) -> str:
        """With its costs and its prevalence."""
        costs = f"{self.false_positive:.4g} : {self.false_negative:.4g}"
        return f"cost-direction ({costs} at prevalence {100 * self.prevalence:.4g} %)"

    @property
    def expected(self) -> tuple[float, float]:
        """Expected cost of missing every positive, and of a false alarm on every negative."""
        return self.prevalence * self.false_negative, (1 - self.prevalence) * self.false_positive

    _parts = expected


@dataclass(frozen=True, eq=False, repr=False)
class Radial(Method):
    """The mean of the points at a fixed ratio of the two error rates: along rays from (0, 1)."""

    name: ClassVar[str] = "radial"


@dataclass(frozen=True, eq=False, repr=False)
class Tangent(Method):
    """The mean of the points that are best at fixed costs: every group tuned to its own optimum."""

    name: ClassVar[str] = "tangent"


@dataclass(frozen=True, eq=False, repr=False)
class Binormal(Method):
    """The binormal curve with the mean of the groups' fitted parameters (Metz 1989)."""

    name: ClassVar[str] = "binormal"


PLAIN: dict[str, Method] = {
    own.name: own() for own in (Pooled, Threshold, Vertical, Horizontal, Diagonal, Radial, Tangent, Binormal)
}
"""The methods that need no parameters, by name."""


def method_of(method: object) -> Method:
    """The method that a name or a value stands for, else RS001."""
    if isinstance(method, Method):
        return method
    if isinstance(getattr(method, "method", None), Method):  # a deployment or an advice names its average
        return method.method  # type: ignore[attr-defined, no-any-return]
    if isinstance(method, str) and method in PLAIN:
        return PLAIN[method]
    if isinstance(method, type) and issubclass(method, Method):
        raise fail("RS001.kind-of-method", name=method.__name__)
    meant = near_match(method, PLAIN) if isinstance(method, str) else None
    ways = [Option("method", name) for name in ([meant] if meant else PLAIN)]
    raise fail("RS001.method", method=method, names=", ".join(map(repr, PLAIN)), ways=ways)


def cost(name: str, value: object) -> float:
    """A cost as a float that is finite and not negative, else RS081."""
    number = real_numbers(name, value, example=1)  # type: ignore[arg-type]
    if number.ndim or not 0 <= number < math.inf:
        raise fail("RS081.cost", name=name, found=value, ways=[Option(name, 1)])
    return float(number)
