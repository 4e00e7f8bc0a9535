"""Arguments that are one of a few words, yes or no, or a number in some range."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from functools import cached_property
from operator import index
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.errors import Option, Remedy, RocsteadyError, UsageError, fail, near_match, warn
from rocsteady.words import grouped, number_of

FEWEST_RESAMPLES = 100
"""With fewer, the limits of an interval are the whims of two or three resamples."""
MOST_RESAMPLES = 10**7
"""More only fill the memory: their own error is far below that of the cases."""
LARGEST_EXACT = 2**53
"""Up to it every integer is a float."""
QUANTILES = ("t", "normal")
SCALES = ("logit", "linear")
_EXAMPLES = {"confidence_level": 0.95, "power": 0.8, "assurance": 0.9, "auc": 0.8}


class Choice:
    """A way of doing something, as a frozen value; a plain one equals its name."""

    name: ClassVar[str]

    @cached_property
    def _typed(self) -> str:
        """Its name, or the call that makes it."""
        own = [f for f in fields(self) if f.name[0] != "_"]  # type: ignore[arg-type]
        special = [f"{f.name}={getattr(self, f.name)!r}" for f in own if getattr(self, f.name) != f.default]
        return f"{type(self).__name__}({', '.join(special)})" if special else self.name

    @property
    def _is_special(self) -> bool:
        """Whether it says something that its name does not."""
        return "(" in self._typed

    def __str__(self) -> str:
        return self._typed

    def __repr__(self) -> str:
        return self._typed if self._is_special else f"{type(self).__name__}()"

    def __eq__(self, other: object) -> bool:
        return self._typed == str(other) if isinstance(other, Choice | str) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._typed)


def one_of(
    name: str, value: object, choices: Sequence[str], *, elsewhere: Mapping[str, str] | None = None
) -> str:
    """``value`` if it is one of ``choices``, else a coded error that lists them.

    ``elsewhere`` has what other programs call some of the choices.
    """
    if isinstance(value, str) and value in choices:
        return value
    remedies: list[Remedy] = [Option(name, choice) for choice in choices]
    if isinstance(value, str):
        translated = (elsewhere or {}).get(value.casefold())
        meant = near_match(value, choices)
        if translated in choices:
            remedies = [("here that is  ", Option(name, translated))]
        elif meant:
            remedies = [Option(name, meant)]
    raise fail("RS001.choice", name=name, value=value, known=", ".join(map(repr, choices)), ways=remedies)


def yes_or_no(name: str, value: object) -> bool:
    """``value`` if it is True or False, else a coded error: the text ``"False"`` would count as true."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise fail("RS001.yes-or-no", name=name, value=value, ways=[Option(name, True), Option(name, False)])


def whole_number(name: str, value: object, *, least: int, example: int, most: float = math.inf) -> int:
    """``value`` as an integer not below ``least`` and not above ``most``, else a coded error."""
    try:
        number = None if isinstance(value, bool | np.bool_) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number < least:
        raise _out_of_range(name, value, f"a whole number, at least {least}", Option(name, example))
    if number > most:
        raise _out_of_range(name, value, f"at most {grouped(int(most))}", Option(name, example))
    return number


def resamples_asked(value: object, *, least: int = 2, name: str = "n_resamples") -> int:
    """``value`` as a number of resamples, else a coded error; RS270 where it is below a hundred."""
    number = whole_number(name, value, least=least, example=2000, most=MOST_RESAMPLES)
    if number < FEWEST_RESAMPLES:
        warn("RS270.few", n=number, share=0.025 * number, ways=[Option(name, 2000)])
    return number


def has_masked(value: object) -> bool:
    """Whether some numbers of a masked array are masked. Nobody has one before ``numpy.ma`` is loaded."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and bool(masked.is_masked(value))


def real_numbers(name: str, value: ArrayLike, example: object = 0.1) -> NDArray[np.float64]:
    """``value`` as floats if it is a number or an array of numbers, else a coded error."""
    try:
        array = np.asarray(value)
        if array.dtype.kind in "biufO" and not has_masked(value):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):  # rows of unequal lengths, no numbers, too large ones
        pass
    raise _out_of_range(name, value, "a number or an array of numbers", Option(name, example))


def one_number(name: str, value: Any, example: object = 0.5) -> float:
    """``value`` as a float if it is one number, else a coded error."""
    number = real_numbers(name, value, example)
    if number.ndim or isinstance(value, bool | np.bool_):  # True would count as 1
        raise _out_of_range(name, value, "one number", Option(name, example))
    return float(number)


def threshold_numbers(value: Any, example: str = "at={'threshold': 0.5}") -> NDArray[Any]:
    """Thresholds as floats, none NaN; as integers where floats would round them: scores are compared so."""
    numbers: NDArray[Any] = real_numbers("threshold", value, example=0.5)
    if np.isnan(numbers).any():
        raise fail("RS042.threshold", example=example)
    own = np.asarray(value)
    is_exact = own.dtype.kind in "iu" and bool((own > LARGEST_EXACT).any() or (own < -LARGEST_EXACT).any())
    return own if is_exact else numbers


def one_threshold(value: Any, example: str = "at={'threshold': 0.5}") -> float | int:
    """One threshold, as :func:`threshold_numbers`."""
    one_number("threshold", value)
    number: float | int = threshold_numbers(value, example).item()
    return number


def rates(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """``value`` as floats if all lie in [0, 1], else a coded error."""
    numbers = real_numbers(name, value)
    outside = ~((numbers >= 0) & (numbers <= 1))
    if outside.any():
        raise _out_of_range(name, numbers[outside].flat[0], "between 0 and 1", _as_share(name, numbers))
    return numbers


def one_rate(name: str, value: float | str) -> float:
    """``value`` if it is one number in [0, 1], or such a percentage, else a coded error."""
    value = _percentage(value)
    number = rates(name, value)
    if number.ndim or isinstance(value, bool | np.bool_):
        raise _out_of_range(name, value, "one number between 0 and 1", Option(name, 0.1))
    return float(number)


def rate_range(name: str, value: Any) -> tuple[float, float]:
    """``value`` as a pair ``low < high`` in [0, 1], else a coded error."""
    numbers = real_numbers(name, value, example=(0.0, 0.1))
    if numbers.shape == (2,):
        rates(name, numbers)
    if numbers.shape != (2,) or not numbers[0] < numbers[1]:
        raise _out_of_range(name, value, "a pair low < high", Option(name, (0.0, 0.1)))
    return float(numbers[0]), float(numbers[1])


def open_share(name: str, value: float | str) -> float:
    """``value``, a number or a percentage, if it lies strictly between 0 and 1, else a coded error."""
    value, where = _percentage(value), "strictly between 0 and 1"
    try:
        number = real_numbers(name, value)
    except UsageError:
        raise _out_of_range(name, value, where, _as_share(name, np.empty(0))) from None
    if number.ndim or not 0 < number < 1:
        raise _out_of_range(name, value, where, _as_share(name, number))
    return float(number)


def _percentage(value: Any) -> Any:
    """``"2%"`` as 0.02, as places have it; anything else as it is."""
    share = number_of(value, may_be_percent=True) if isinstance(value, str) and "%" in value else math.nan
    return value if math.isnan(share) else share


def _as_share(name: str, given: NDArray[Any]) -> Option:
    """What was meant if a percentage was given, else an example."""
    smallest = 50 if name == "confidence_level" else 1
    example = _EXAMPLES.get(name, 0.1)
    if given.size not in (1, 2) or not (np.all((given >= 0) & (given < 100)) and np.any(given > smallest)):
        return Option(name, example)
    shares = [float(f"{percentage / 100:.12g}") for percentage in given.ravel().tolist()]
    return Option(name, tuple(shares) if given.ndim else shares[0])


def _out_of_range(name: str, value: object, where: str, *remedies: Option) -> RocsteadyError:
    shown = value.item() if isinstance(value, np.generic) else value
    return fail("RS042", name=name, where=where, found=shown, ways=remedies)


@dataclass(frozen=True)
class How:
    """How an interval is wanted: validated once, and handed on as it is.

    Attributes
    ----------
    confidence_level : float
        Strictly between 0 and 1.
    quantile : {"t", "normal"}
        What a standard error is multiplied by.
    n_resamples, seed, threads : int
        Where something is drawn, and on how many threads.
    scale : {"logit", "linear"}
        On which limits of rates and areas are made.
    """

    confidence_level: float = 0.95
    quantile: str = "t"
    n_resamples: int = 2000
    seed: int = 0
    scale: str = "logit"
    threads: int | None = None

    def __post_init__(self) -> None:
        open_share("confidence_level", self.confidence_level)
        one_of("quantile", self.quantile, QUANTILES)
        one_of("scale", self.scale, SCALES)
        resamples_asked(self.n_resamples)
        whole_number("seed", self.seed, least=0, example=0)

    def with_seed(self, seed: int) -> How:
        """The same from another seed; nothing is checked, nor warned of, again."""
        other = copy(self)
        object.__setattr__(other, "seed", seed)
        return other

    def drawing(self, n_resamples: int) -> How:
        """The same from so many draws, which were asked for by another name and looked at there."""
        other = copy(self)
        object.__setattr__(other, "n_resamples", n_resamples)
        return other

    @property
    def draws(self) -> dict[str, Any]:
        """What a function needs that draws."""
        return {"n_resamples": self.n_resamples, "seed": self.seed, "threads": self.threads}

    @property
    def name(self) -> str:
        """The name of an interval over groups.

        >>> How().name, How(scale="linear").name
        ('logit t', 't')
        """
        return f"logit {self.quantile}" if self.scale == "logit" else self.quantile
