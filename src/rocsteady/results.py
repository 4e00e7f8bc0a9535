"""What every result can do, written once: print on one line, become plain data, become a frame, be shown.

A result is a frozen dataclass. It says what it holds in class variables, and writes no method for it:

- An **estimate** is a :class:`Result`: a number, its ``interval``, perhaps its ``standard_error``. ``_line``
  is what is printed of it: ``"{model}, {quantity}: {value:.4f}{interval:(.4f)}"``.
- A **difference** is a :class:`Tested`: also a ``statistic``, its ``df`` and a ``pvalue``.
- A **curve with a band** is a :class:`TableResult` whose fields are arrays along positions, each a column.
- A **table of rows** is a :class:`TableResult` whose ``_in_frame`` names the columns; where its rows are
  values of their own, ``_of_each`` says which attribute has them.

``Told`` and ``Drawn`` (:mod:`rocsteady.showing`) add the sentence and the figure, ``Said`` further words.
Properties that belong to the plain data are listed in ``_told``, fields that do not in ``_untold``. Lines are
templates as those of messages (:func:`rocsteady.words.filled`), whose facts are the attributes.
"""

from __future__ import annotations

import dataclasses
import math
import string
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rocsteady.calling import ALIKE
from rocsteady.errors import fail, near_match
from rocsteady.options import Choice, one_of
from rocsteady.showing import Shown, Told
from rocsteady.words import filled, printable


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
    if isinstance(value, Choice):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return value.to_dict() if isinstance(value, Result) else plain_fields(value)
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
    "p": ("pvalue",),
    **dict.fromkeys(("F", "f", "t", "z"), ("statistic",)),
    **dict.fromkeys(("sensitivity", "recall"), ("tpr", "two_by_two()")),
    "specificity": ("two_by_two()",),
    "std": _SPREAD,
    "stderr": _SPREAD,
    "se": _SPREAD,
}
"""What values are called elsewhere, and what has them here, the best first."""


class _Attributes(dict[str, Any]):
    """The attributes of a value, by name."""

    def __init__(self, value: object) -> None:
        super().__init__(self=value)

    def __missing__(self, name: str) -> Any:
        return getattr(self["self"], name)


class Frozen:
    """A value whose arrays nobody writes to, however it came about: made, copied, or read from a pickle."""

    _line: ClassVar[str] = ""
    """What is printed in the brackets: ``"{quantity}, {a} less {b}: {difference:+.4f}{interval:(+.4f)}"``."""
    _lines: ClassVar[str] = ""
    """What is printed instead where a value in it is an array: ``"at {fpr:count position}"``."""

    def __repr__(self) -> str:
        """One line: the class and its ``_line``."""
        line, own = self._line, _Attributes(self)
        names = [name for _, name, _, _ in string.Formatter().parse(self._lines) if name]
        if any(np.ndim(own[name]) for name in names):
            line = self._lines
        return f"{type(self).__name__}({printable(filled(line, own))})"

    def __post_init__(self) -> None:
        """Arrays that are handed over stay as they are; what is kept are views that cannot be written to."""
        for name, own in self.__dict__.items():
            if isinstance(own, np.ndarray) and own.flags.writeable:
                self.__dict__[name] = read_only(own.view())

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Copies and pickles lose the mark."""
        self.__dict__.update(state)
        Frozen.__post_init__(self)


class Result(Frozen, Shown):
    """A result with plain data behind it."""

    _told: ClassVar[tuple[str, ...]] = ()
    """Properties that are part of the plain data, besides the fields."""
    _elsewhere: ClassVar[Mapping[str, str]] = {}
    """Names that this result has not, and where it has the value."""
    _untold: ClassVar[tuple[str, ...]] = ()
    """Fields that are not: facts from which such properties are written."""

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
            if name in self._elsewhere:
                raise fail("RS002.no-name", kind=kind, name=name, near=self._elsewhere[name])
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

    _in_frame: ClassVar[str] = ""
    """What has a column each, by default every field that is an array: ``"group=names, auc, interval.low"``.

    ``auc`` is column and attribute, ``interval.low`` the column ``low``, ``group=names`` the column ``group``
    from the attribute ``names``, ``{0.a} AUC=a_auc`` a column with the name of a model, ``{0.unit}=names``
    one with the word for a group. What is None has no column.
    """
    _usual_unit: ClassVar[str] = "group"
    """What that column is called where another one has the word."""
    _of_each: ClassVar[str] = ""
    """The attribute with a value for each row, where ``_in_frame`` is of these values."""

    def _columns(self) -> Mapping[str, Any]:
        """The columns of :meth:`to_frame`, by name."""
        if self._of_each:
            return columns_of(getattr(self, self._of_each), self._in_frame)
        columns: dict[str, Any] = {}
        for column, path in _named(self._in_frame or ", ".join(self._arrays())):
            own = _read(self, path)
            if own is not None:
                columns[column] = list(own) if isinstance(own, tuple) else np.atleast_1d(own)
        shown = {column: column.format(self) for column in columns}
        if unit := shown.get(UNIT):
            others = [own for column, own in shown.items() if column != UNIT]
            shown[UNIT] = unit_column(unit, others, self._usual_unit)
        return {shown[column]: own for column, own in columns.items()}

    def _arrays(self) -> list[str]:
        """The fields that are arrays."""
        names = [field.name for field in dataclasses.fields(self) if field.name[0] != "_"]  # type: ignore[arg-type]
        return [name for name in names if isinstance(getattr(self, name), np.ndarray)]


def columns_of(rows: Iterable[object], names: str) -> dict[str, list[Any]]:
    """Columns from attributes of values, one row for each value; named as in ``TableResult._in_frame``."""
    given = list(rows)
    return {column: [_read(own, path) for own in given] for column, path in _named(names)}


def unit_column(unit: str, others: Iterable[str], usual: str = "group") -> str:
    """What the column of groups is called: the word for one, unless another column has that name."""
    return usual if unit in others else unit


def _named(names: str) -> list[tuple[str, str]]:
    """Columns, and the paths of attributes that they are read from."""
    parts = [name.rpartition("=") for name in filter(None, names.split(", "))]
    return [(column or _SINGULAR.get(path, path.rpartition(".")[2]), path) for column, _, path in parts]


def _read(value: Any, path: str) -> Any:
    """An attribute of an attribute; None where one of them is."""
    for name in path.split("."):
        value = None if value is None else getattr(value, name)
    return value


UNIT = "{0.unit}"
_SINGULAR = {"thresholds": "threshold", "cutoffs": "cutoff"}


class Tested(Result):
    """A difference and its test: ``difference``, ``statistic``, ``df`` and ``pvalue``."""

    df: Any
    """Degrees of freedom; infinite where a standard error counts as known."""

    @property
    def _letter(self) -> str:
        """What the statistic is called."""
        return "z" if np.isinf(self.df) else "t"


def decides(pvalue: float, alpha: float) -> bool:
    """Whether a p-value decides at this level; a rounding error above it, it does."""
    return pvalue <= alpha * (1 + 1e-12)


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
