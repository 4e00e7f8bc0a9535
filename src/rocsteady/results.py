"""What every result can do: become plain data for JSON, become a data frame, show itself in a notebook."""

from __future__ import annotations

import dataclasses
import math
import string
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady.calling import ALIKE
from rocsteady.errors import fail, near_match
from rocsteady.options import one_of
from rocsteady.showing import Shown, Told
from rocsteady.words import printable


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
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain_fields(value)
    return value


def plain_fields(result: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, private ones and those of ``_untold`` left out; and its sentence."""
    hidden = getattr(result, "_untold", ())
    names = [own.name for own in dataclasses.fields(result) if own.name[0] != "_" and own.name not in hidden]
    names += [*(["reading"] if isinstance(result, Told) else []), *getattr(result, "_told", ())]
    return {name: plain(getattr(result, name)) for name in names}


_SPREAD = ("standard_error", "band()")
_ELSEWHERE = {
    "auc_ci": ("auc_interval()",),
    "ci": ("interval",),
    "conf_int": ("interval",),
    "pval": ("pvalue",),
    "p_value": ("pvalue",),
    "std": _SPREAD,
    "stderr": _SPREAD,
    "se": _SPREAD,
}
"""What values are called elsewhere, and what has them here, the best first."""


class Frozen:
    """A value whose arrays nobody writes to, however it came about: made, copied, or read from a pickle."""

    def __post_init__(self) -> None:
        """Arrays that are handed over stay as they are; what is kept are views that cannot be written to."""
        for name, own in self.__dict__.items():
            if isinstance(own, np.ndarray) and own.flags.writeable:
                self.__dict__[name] = read_only(own.view())

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Copies and pickles lose the mark."""
        self.__dict__.update(state)
        Frozen.__post_init__(self)


class _Line(string.Formatter):
    """Fields are attributes of a value; texts may be names of users, and are made printable."""

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:
        return args[0] if key == "self" else getattr(args[0], str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        return format(printable(value) if isinstance(value, str) else value, format_spec)


class Result(Frozen, Shown):
    """A result with plain data behind it."""

    _told: ClassVar[tuple[str, ...]] = ()
    """Properties that are part of the plain data, besides the fields."""
    _untold: ClassVar[tuple[str, ...]] = ()
    """Fields that are not: facts from which such properties are written."""
    _line: ClassVar[str] = ""
    """What is printed in the brackets: ``"{quantity}, {a} less {b}: {difference:+.4f}{interval:(+.4f)}"``."""

    def __repr__(self) -> str:
        """One line: the class and its ``_line``."""
        return f"{type(self).__name__}({_Line().vformat(self._line, (self,), {})})"

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data that JSON can carry (infinities as strings, NaN as None)."""
        return plain_fields(self)

    if not TYPE_CHECKING:  # for a type checker a result has no iterator at all

        def __iter__(self):
            """Refuse ``low, high = interval``: which value comes first is not to be remembered."""
            fields = [f".{f.name}" for f in dataclasses.fields(self) if not f.name.startswith("_")]
            raise fail("RS002.no-tuple", kind=type(self).__name__, fields=", ".join(fields))

        def __getitem__(self, key):
            """Refuse ``interval[0]``, too."""
            return iter(self)

        def __getattr__(self, name):
            """A name that it does not have: which one is near."""
            kind = type(self).__name__
            known = {*dir(type(self)), *(f.name for f in dataclasses.fields(self))}
            near = []
            if not name.startswith("_") and name not in known:  # protocols ask for the first
                alike = near_match(name, [own for own in known if own[0] != "_"], ALIKE)
                near = [*_ELSEWHERE.get(name, ()), *([alike] if alike else [])]
            for own in near:
                if own.partition("(")[0] in known:
                    raise fail("RS002.no-name", kind=kind, name=name, near=own)
            raise AttributeError(f"{kind!r} object has no attribute {name!r}")


def to_frame(columns: Mapping[str, Any], library: str | None = None) -> Any:
    """A pandas frame, or a Polars one where pandas is not installed or ``library`` says so; else RS061."""
    try:
        if library != "polars":
            import pandas as pd

            return pd.DataFrame(dict(columns))
    except ImportError:
        if library == "pandas":
            raise
    try:
        import polars as pl
    except ImportError as error:
        raise fail("RS061.frame") from error
    # Polars would keep an object array as opaque objects; from a list it finds the type.
    lists = {name: list(v) for name, v in columns.items() if np.asarray(v).dtype.kind == "O"}
    return pl.DataFrame(dict(columns) | lists)


class Tabular:
    """A value with rows, whose columns are those of its ``_columns``."""

    def _columns(self) -> Mapping[str, Any]:
        """The columns of :meth:`to_frame`, by name."""
        raise NotImplementedError

    def to_frame(self, library: str | None = None) -> Any:
        """The rows as a data frame: pandas if it is installed, else Polars; or as ``library`` says."""
        if library is not None:
            one_of("library", library, ("pandas", "polars"))
        return to_frame(dict(self._columns()), library)


class TableResult(Tabular, Result):
    """A result with rows."""

    _in_frame: ClassVar[tuple[str, ...]] = ()
    """What has a column each; by default every field that is an array."""

    def _columns(self) -> Mapping[str, Any]:
        """The columns of :meth:`to_frame`, by name."""
        names = self._in_frame or tuple(
            field.name
            for field in dataclasses.fields(self)  # type: ignore[arg-type]
            if isinstance(getattr(self, field.name), np.ndarray) and not field.name.startswith("_")
        )
        return {_SINGULAR.get(name, name): np.atleast_1d(getattr(self, name)) for name in names}


_SINGULAR = {"thresholds": "threshold", "cutoffs": "cutoff"}


class Area(float):
    """An area that is an attribute of a curve: whoever calls it is told so."""

    __slots__ = ()

    def __call__(self) -> None:
        """Refuse ``curve.auc()``."""
        raise fail("RS002.no-method", value=float(self))


def read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same array, no longer writeable: results do not change once they are made."""
    array.flags.writeable = False
    return array
