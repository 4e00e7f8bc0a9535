"""Where a curve is read: one value, which means the same in every function, figure and command.

``at={"fpr": 0.05}``, ``at={"specificity": 0.95}`` and ``--at spec=95%`` are the same place. A place is one of
a few kinds; rates by the names of other fields are turned into the two that curves have, as decimals: of a
specificity of 0.9 the FPR is 0.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.calling import OURS, no_such_keyword
from rocsteady.errors import Option, RocsteadyError, UsageError, fail, near_match
from rocsteady.options import one_number, one_rate, one_threshold, rates, real_numbers, threshold_numbers
from rocsteady.words import EXACTLY, number_of, spelled

Kind = Literal[
    "fpr", "tpr", "ppv", "npv", "threshold", "alerts", "balance", "ratio", "costs",
    "eer", "youden", "closest", "f1", "accuracy", "mcc", "kappa",
]  # fmt: skip

_NAMES: dict[Kind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "fpr": (("fpr", "fmr", "far", "fall-out", "fallout"), ("specificity", "spec", "tnr", "selectivity")),
    "tpr": (("tpr", "sensitivity", "sens", "recall", "tar"), ("fnr", "fnmr", "frr", "miss")),
    "ppv": (("ppv", "precision"), ("fdr",)),
    "npv": (("npv",), ()),
    "threshold": (("threshold", "t", "cutoff", "thresholds"), ()),
    "alerts": (("alerts", "rate", "alarm_rate"), ()),
    "balance": (("balance",), ()),
    "ratio": (("ratio",), ()),
    "costs": (("costs", "cost"), ()),
    "eer": (("eer",), ()),
    "youden": (("youden",), ()),
    "closest": (("closest",), ()),
    "f1": (("f1",), ()),
    "accuracy": (("accuracy",), ()),
    "mcc": (("mcc",), ()),
    "kappa": (("kappa",), ()),
}
"""What each kind is called, and what its rest to 1 is called."""
NAMES = {name: kind for kind, (own, rest) in _NAMES.items() for name in (*own, *rest)}
RESTS = {name for _, rest in _NAMES.values() for name in rest}
"""Names of what is left to 1."""
MAXIMA: tuple[Kind, ...] = ("f1", "accuracy", "mcc", "kappa")
"""Points where a measure of the 2x2 table is largest."""
_NAMED = ("eer", "youden", "closest", *MAXIMA)
"""Points that have a name and no number."""
_PARTS = {"ratio": "parts, FPR:FNR", "costs": "costs, FP:FN"}
"""Pairs of numbers, and what they are."""
_SHOWN = {"fpr": "fpr (fmr, specificity)", "tpr": "tpr (sensitivity, fnmr, fnr)", "ppv": "ppv (precision)"}
EXAMPLES: dict[str, Any] = {
    "fpr": 0.05,
    "tpr": 0.9,
    "ppv": 0.9,
    "npv": 0.99,
    "threshold": 0.5,
    "alerts": 0.02,
    "ratio": (1.0, 2.0),
}
EXAMPLES |= {"costs": (1.0, 20.0), "balance": 0.0}
"""A value of each kind, for messages."""
_ALIKE = 0.65
"""How near a misspelt name is: "frp" is "fpr", but "precision" is not "specificity"."""
_LARGEST = 1e100  # costs are squared, for their spread between groups; only the ratio matters

RATES: tuple[Kind, ...] = ("fpr", "tpr")
TARGETS: tuple[Kind, ...] = (*RATES, "ppv", "npv")
"""What a threshold can keep: rates, and predictive values."""
ON_CURVES: tuple[Kind, ...] = ("fpr", "tpr", "threshold")
ON_AVERAGES: tuple[Kind, ...] = ("fpr", "tpr", "threshold", "alerts")
OPTIMA: tuple[Kind, ...] = ("eer", "youden", "closest", *MAXIMA)
CUTOFFS: tuple[Kind, ...] = (*ON_AVERAGES, "ppv", "npv", "costs", *OPTIMA)
"""Places of a threshold: one is given, or chosen for them."""
EVERYWHERE: tuple[Kind, ...] = (*CUTOFFS, "balance", "ratio")


class Where(TypedDict, total=False):
    """A place as keywords: give one of them. Lists of numbers are read one by one.

    Attributes
    ----------
    fpr, fmr, specificity : float or array-like
        Where the false positive rate (false match rate) has this value; or the specificity, the rest.
    tpr, sensitivity, fnr, fnmr : float or array-like
        Where the true positive rate (sensitivity) has it; or the rate of misses, which is the rest.
    threshold : float or array-like
        Where this threshold is used.
    alerts, rate : float, int or str
        Where this share of all cases is called positive: a share, ``"2%"``, or a number of cases, 2 or more.
    """

    fpr: ArrayLike | None
    fmr: ArrayLike | None
    specificity: ArrayLike | None
    tpr: ArrayLike | None
    sensitivity: ArrayLike | None
    fnr: ArrayLike | None
    fnmr: ArrayLike | None
    threshold: ArrayLike | None
    alerts: ArrayLike | None
    rate: ArrayLike | None


class Chosen(Where, total=False):
    """A place that a threshold is chosen for, as keywords: give one of them.

    Attributes
    ----------
    ppv, precision, npv : float
        The predictive value that is kept: at least so large.
    costs : pair
        What a false positive and a false negative cost.
    """

    ppv: float | None
    precision: float | None
    npv: float | None
    costs: tuple[float, float] | None


@dataclass(frozen=True)
class Place:
    """One place.

    Attributes
    ----------
    kind : str
        What is held there: "fpr", "tpr", "threshold", "alerts", "balance" (FPR - FNR), "ratio" (FPR : FNR),
        "costs"; what is kept: "ppv", "npv"; or a point that is looked for: "eer", "youden", "closest", and
        where a measure is largest: "f1", "accuracy", "mcc", "kappa".
    value : float, int, array, pair or mapping
        How large. Thresholds may differ between models, whose scores need not have the same scale. An integer
        is a number of alerts, whose share depends on the number of cases (:meth:`among`).
    said : str
        As it was named, for messages and tables.
    name : str
        What it was named by: "specificity" of a place of kind "fpr".
    count : int, optional
        The number of alerts that a share of them was asked for as.
    """

    kind: Kind
    value: Any = None
    said: str = field(default="", compare=False)
    name: str = field(default="", compare=False, repr=False)
    count: int | None = field(default=None, compare=False, repr=False)

    @property
    def is_count(self) -> bool:
        """Whether it is a number of alerts, and no share yet."""
        return self.kind == "alerts" and isinstance(self.value, int)

    def among(self, n_cases: float | Mapping[str, float]) -> Place:
        """The same place with a number of alerts as their share; RS042 for more than all cases."""
        if not self.is_count:
            return self
        if isinstance(n_cases, Mapping):
            shares = {name: self.among(n).value for name, n in n_cases.items()}
            is_one = len(set(shares.values())) == 1
            share = next(iter(shares.values())) if is_one else shares
            return replace(self, value=share, count=self.value)
        if self.value > n_cases:
            raise fail("RS042.alerts-of", count=self.value, n=n_cases)
        return replace(self, value=self.value / n_cases, count=self.value)

    def of(self, model: str) -> float | int:
        """The value for one model; RS002 if it has none."""
        if not isinstance(self.value, Mapping):
            return self.value if self.kind == "threshold" else float(self.value)
        by_name = {str(name): value for name, value in self.value.items()}
        if model not in by_name:
            ways = [f"at={{'threshold': {{{model!r}: 0.5, ...}}}}"]
            raise fail("RS002.threshold-of-model", model=model, models=list(by_name), ways=ways)
        own = by_name[model]
        return one_threshold(own) if self.kind == "threshold" else one_number(self.kind, own)

    def each(self) -> Iterator[Place]:
        """Places of one number each."""
        if isinstance(self.value, np.ndarray):
            yield from (replace(self, value=own) for own in self.value.ravel().tolist())
        else:
            yield self

    def to_dict(self) -> dict[str, Any]:
        """As it may be given again."""
        return {self.kind: self.value}


def is_place(given: object) -> bool:
    """Whether it names a place: a mapping, or a text such as ``"fpr=0.05"``."""
    return isinstance(given, Place | Mapping) or (isinstance(given, str) and "=" in given)


def places_of(
    at: object,
    *,
    among: Sequence[Kind] = ON_AVERAGES,
    task: str = "read a curve at",
    by_model: bool = False,
) -> tuple[Place, ...]:
    """The places that a mapping, a text such as ``"fpr=0.05"``, or a list of these names.

    Parameters
    ----------
    at : mapping, str, Place, sequence of these, or None
        What was given.
    among : sequence of str
        The kinds that whoever asks can hold; RS092 names them where it is another.
    task : str
        What the place is for, in that message.
    by_model : bool
        Whether every model may have a threshold of its own.

    Examples
    --------
    >>> places_of([{"specificity": 0.9}, "t=2"])
    (Place(kind='fpr', value=0.1, said='specificity=0.9'), Place(kind='threshold', value=2.0, said='t=2'))
    >>> places_of(["fnmr=1%", {"alerts": 50}])[1].among(1000).value
    0.05
    """
    if at is None:
        return ()
    if isinstance(at, Mapping) and at:
        found = tuple(_named(str(name), value, among, task) for name, value in at.items())
    elif isinstance(at, Place):
        found = (at,)
    elif isinstance(at, str):  # ``spec=95%``, ``t=old:0.5,new:2`` or ``eer``
        name, equals, value = (part.strip() for part in at.partition("="))
        found = (_named(name.casefold(), value if equals else None, among, task, typed=at),)
    elif isinstance(at, Sequence) and not isinstance(at, bytes):
        return tuple(
            place for own in at for place in places_of(own, among=among, task=task, by_model=by_model)
        )
    else:
        raise _no_place(at, among, task)
    for place in found:
        if place.kind not in among or (isinstance(place.value, Mapping) and not by_model):
            raise _no_place(at if isinstance(at, str | Mapping) else place.to_dict(), among, task)
    return found


def place_of(at: object, *, among: Sequence[Kind] = ON_AVERAGES, task: str = "read a curve at") -> Place:
    """The one place that is named; RS002 for several."""
    found = places_of(at, among=among, task=task)
    if len(found) != 1:
        raise _not_one(among, task, [own.said for own in found])
    return found[0]


def keyword_place(
    at: object,
    where: Mapping[str, Any],
    *,
    among: Sequence[Kind] = ON_AVERAGES,
    task: str = "read a curve at",
    call: str,
    others: Sequence[str] = (),
) -> Place:
    """The one place of a call ``read({"fpr": 0.05})`` or ``read(fpr=0.05)``; RS002 for none or several.

    ``call`` is the call with braces where the place stands, ``others`` are keywords it has besides.
    """
    said = {name: value for name, value in where.items() if value is not None}
    is_named = isinstance(at, Place | Mapping | str)
    found = [*([] if at is None or is_named else [f"{at!r:.60}"]), *said]
    try:
        for name, value in said.items():
            if name not in NAMES:
                function = call.partition("(")[0]
                if name in OURS and OURS[name] in others:
                    raise no_such_keyword(name, where, others, function)
                raise _no_place(said, among, task, name, value, function)
        if is_named + len(said) != 1 or len(found) > len(said):
            raise _not_one(among, task, found)
        places = places_of(said if at is None else at, among=among, task=task)
        if len(places) != 1:
            raise _not_one(among, task, [own.said for own in places])
        return places[0]
    except UsageError as error:
        raise error.but(remedies=[_called(own, call) for own in error.remedies]) from None


def _called(remedy: Any, call: str) -> Any:
    """``at={"fpr": 0.05}`` as the keyword of a call."""
    if not isinstance(remedy, Option) or not isinstance(remedy.value, dict):
        return remedy
    return call.format(", ".join(f"{name}={value!r}" for name, value in remedy.value.items()))


def _not_one(among: Sequence[Kind], task: str, found: list[str]) -> RocsteadyError:
    facts = {"known": _known(among), "found": ", ".join(found) or "none of them"}
    return fail("RS002.place-needed", task=task, ways=[Option("at", {among[0]: EXAMPLES[among[0]]})], **facts)


def _named(name: str, value: Any, among: Sequence[Kind], task: str, *, typed: str = "") -> Place:
    """The place of a name and a value; a text that was typed is what messages show."""
    kind = NAMES.get(name)
    if typed and value is None and kind in _NAMED and kind in among:
        return Place(kind, None, name)
    if typed and not (name and value):
        raise _no_place(typed, among, task, name)
    shown = typed or {name: value}
    if kind is None or kind in _NAMED or (typed and kind not in among):
        raise _no_place(shown, among, task, name, value)
    try:
        return Place(kind, _value_of(name, kind, value), typed or f"{name}={_brief(value)}", name)
    except _NoNumberError:
        if not typed:
            real_numbers(name, value, EXAMPLES[kind])
        raise _no_place(shown, among, task, name, value) from None


class _NoNumberError(Exception):
    """A text that is no number."""


def _value_of(name: str, kind: Kind, value: Any) -> Any:
    if kind == "threshold":
        return _threshold(value)
    if kind in _PARTS:
        return _pair(kind, value)
    if isinstance(value, str):
        value = _number(value)
    if kind == "balance":
        balance = one_number(name, value, example=0.0)
        if not -1 <= balance <= 1:
            raise _NoNumberError
        return balance
    is_truth = isinstance(value, bool | np.bool_)
    if kind == "alerts" and isinstance(value, int | float | np.number) and not is_truth:
        if isinstance(value, int | np.integer) and value >= 2:
            return int(value)
        if not 0 <= value <= 1:
            raise fail("RS042.alerts", found=value)
    shares = rates(name, value)
    if is_truth:
        one_rate(name, value)
    if name in RESTS:
        shares = np.array([rest(own) for own in shares.ravel().tolist()]).reshape(shares.shape)
    return shares if shares.ndim else float(shares)


def rest(rate: float) -> float:
    """``1 - rate`` as it is written down: of 0.9 it is 0.1, where floats would miss a jump at FPR 0.1.

    >>> rest(0.9), 1 - 0.9
    (0.1, 0.09999999999999998)
    """
    return float(EXACTLY.subtract(Decimal(1), Decimal(repr(float(rate)))))


def _threshold(value: Any) -> Any:
    if isinstance(value, str):
        if ":" not in value:
            return one_threshold(_number(value, may_be_percent=False))
        parts = [part.rpartition(":") for part in value.split(",")]
        value = {model.strip(): one_threshold(_number(own, may_be_percent=False)) for model, _, own in parts}
        if "" in value or len(value) < len(parts):
            raise _NoNumberError
    if isinstance(value, Mapping):
        return dict(value)
    numbers = threshold_numbers(value)
    return numbers if numbers.ndim else numbers.item()


def _pair(kind: Kind, value: Any) -> tuple[float, float]:
    """The two parts of a ratio, or of costs."""
    if isinstance(value, str):
        value = [_number(part, may_be_percent=False) for part in value.replace(",", ":").split(":")]
    pair = real_numbers(kind, value, example=EXAMPLES[kind])
    if pair.shape != (2,) or not ((pair >= 0) & (pair <= _LARGEST)).all() or not pair.any():
        raise _NoNumberError
    return float(pair[0]), float(pair[1])


def _number(text: str, *, may_be_percent: bool = True) -> float | int:
    digits = text.strip().removeprefix("-")
    if digits.isdecimal() and len(digits) < 400:  # of more, floats are infinite
        return int(text)
    parts = digits.split("/")  # an FMR of 1/1000
    if len(parts) == 2 and all(part.isdecimal() and len(part) < 20 for part in parts) and int(parts[1]):
        return int(parts[0]) / int(parts[1]) * (-1 if text.strip().startswith("-") else 1)
    number = number_of(text, may_be_percent=may_be_percent)
    if number != number:  # noqa: PLR0124 - NaN
        raise _NoNumberError
    return number


def _brief(value: object) -> str:
    if isinstance(value, float | np.floating):
        return f"{value:g}"
    if isinstance(value, tuple):
        return ":".join(map(_brief, value))
    return spelled(value)[:40] if not isinstance(value, str) else value


def _known(among: Sequence[Kind]) -> str:
    return ", ".join(_SHOWN.get(kind, kind) for kind in among)


def _no_place(
    given: object, among: Sequence[Kind], task: str, name: str = "", value: object = None, function: str = ""
) -> RocsteadyError:
    """RS092: what can be held here, and what was meant."""
    every = [own for own, kind in NAMES.items() if kind in among]
    is_misspelt = bool(name) and name not in NAMES
    close = (near_match(name, among, _ALIKE) or near_match(name, every, _ALIKE)) if is_misspelt else None
    meant = name if name in every else close
    example: Any = EXAMPLES.get(among[0]) if meant is None else _example(meant, value)
    best = meant or among[0]
    facts: dict[str, Any] = {
        "ways": [Option("at", best if example is None else {best: example})],
        "task": task,
    }
    if function:
        return fail("RS092.keyword", function=function, word=name, known=_known(among), **facts)
    is_typed = isinstance(given, str)
    facts["given"] = f'"{given}"' if is_typed else f"{given!r:.60}"
    if name == meant and name in _PARTS:
        shown = f"{name}=" if is_typed else name
        return fail("RS092.pair", name=shown, parts=_PARTS[name], most=_LARGEST, **facts)
    return fail("RS092.place", known=_known(among), **facts)


def _example(name: str, value: Any) -> Any:
    """The value that was given where it can stand under this name, else a usual one."""
    kind = NAMES[name]
    try:
        number = _number(value, may_be_percent=kind != "threshold") if isinstance(value, str) else value
        if isinstance(number, int | float):
            _value_of(name, kind, number)
            return number
    except (_NoNumberError, UsageError):
        pass
    return rest(EXAMPLES[kind]) if name in RESTS else EXAMPLES.get(kind)
