"""What every result can do: become plain data for JSON, become a data frame, show itself in a notebook."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import CallError, MissingNameError, near_match
from rocsteady.showing import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping


def plain(value: Any) -> Any:
    """A value as JSON can carry it.

    JSON has no infinity and no NaN, and Python's ``json`` writes tokens that other readers refuse. Infinite
    numbers become the strings ``"inf"`` and ``"-inf"``, which ``float()`` reads back; NaN becomes None.

    Examples
    --------
    >>> import numpy as np
    >>> plain(np.array([np.inf, 0.5, np.nan]))
    ['inf', 0.5, None]
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain_fields(value)
    return value


def plain_fields(result: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, those that start with an underscore left out."""
    names = [field.name for field in dataclasses.fields(result) if not field.name.startswith("_")]
    return {name: plain(getattr(result, name)) for name in names}


_ELSEWHERE = {"auc_ci": "auc_interval()", "ci": "interval", "conf_int": "interval", "pval": "pvalue"}
_ELSEWHERE |= {
    "p_value": "pvalue",
    "std": "standard_error",
    "stderr": "standard_error",
    "se": "standard_error",
}
"""What values are called elsewhere."""


class Result(Shown):
    """A result with plain data behind it."""

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry (infinities as strings, NaN as None)."""
        return plain_fields(self)

    if not TYPE_CHECKING:  # for a type checker a result has no iterator at all

        def __iter__(self):
            """Refuse ``low, high = interval``: which value comes first is not to be remembered."""
            fields = [f.name for f in dataclasses.fields(self) if not f.name.startswith("_")]
            named = ", ".join(f".{name}" for name in fields)
            kind = type(self).__name__
            raise CallError("RS002", f"{kind} is not a tuple.", "", f"take its values by name:  {named}")

        def __getattr__(self, name):
            """A name that it does not have: which one is near."""
            kind = type(self).__name__
            known = {*dir(type(self)), *(f.name for f in dataclasses.fields(self))}
            near = None
            if not name.startswith("_") and name not in known:  # protocols ask for the first
                near = _ELSEWHERE.get(name) or near_match(name, [own for own in known if own[0] != "_"])
            if near is None or near.partition("(")[0] not in known:
                raise AttributeError(f"{kind!r} object has no attribute {name!r}")
            raise MissingNameError("RS002", f"{kind} has no {name}.", "", f".{near}")


class TableResult(Result):
    """A result with rows."""

    def _columns(self) -> Mapping[str, Any]:
        """The columns of :meth:`to_frame`, by name."""
        raise TypeError(f"{type(self).__name__} does not name its columns")

    def to_frame(self) -> Any:
        """The rows as a data frame: pandas if it is installed, else Polars."""
        from rocsteady.scores.frames import to_frame

        return to_frame(dict(self._columns()))


def read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same array, no longer writeable: results do not change once they are made."""
    array.flags.writeable = False
    return array
