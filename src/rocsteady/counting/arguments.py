"""Arguments that are one of a few words, or a number between 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocsteady.errors import Option, Remedy, UsageError, near_match


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
    listed = ", ".join(repr(choice) for choice in choices)
    raise UsageError("RS001", f"{name} cannot be {value!r}.", f"known: {listed}", *remedies)


def rates(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """``value`` as floats if all lie in [0, 1], else a coded error."""
    numbers = np.asarray(value, dtype=np.float64)
    outside = ~((numbers >= 0) & (numbers <= 1))
    if outside.any():
        raise _out_of_range(name, numbers[outside].flat[0], "between 0 and 1", _as_share(name, numbers))
    return numbers


def rate_range(name: str, value: Any) -> tuple[float, float]:
    """``value`` as a pair ``low < high`` in [0, 1], else a coded error."""
    numbers = rates(name, value)
    if numbers.shape != (2,) or not numbers[0] < numbers[1]:
        raise _out_of_range(name, value, "a pair low < high", Option(name, (0.0, 0.1)))
    return float(numbers[0]), float(numbers[1])


def open_share(name: str, value: float) -> float:
    """``value`` if it lies strictly between 0 and 1, else a coded error."""
    if not 0 < value < 1:
        raise _out_of_range(name, value, "strictly between 0 and 1", _as_share(name, np.asarray(value)))
    return float(value)


def _as_share(name: str, given: NDArray[Any]) -> Option:
    """What was meant if a percentage was given, else an example."""
    is_level = name == "confidence_level"
    smallest, example = (50, 0.95) if is_level else (1, 0.1)
    if given.size > 2 or not (np.all((given >= 0) & (given < 100)) and np.any(given > smallest)):
        return Option(name, example)
    shares = [float(f"{percentage / 100:.12g}") for percentage in given.ravel().tolist()]
    return Option(name, tuple(shares) if given.ndim else shares[0])


def _out_of_range(name: str, value: object, where: str, *remedies: Option) -> UsageError:
    shown = value.item() if isinstance(value, np.generic) else value
    return UsageError("RS042", f"{name} must be {where}.", f"found: {shown!r}", *remedies)
