"""The rows of a result as typed cells, and tables as Markdown, LaTeX, HTML and text.

Whatever comes from data is escaped by each format: a name with ``|``, ``_``, ``&`` or ``<`` is shown as it
is, and neither ends a cell nor becomes markup. Digits are those of :mod:`rocsteady.text`.
"""

from __future__ import annotations

import dataclasses
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocsteady.averaging.base import Average, AveragePoint
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.from_scores import described
from rocsteady.curves.smroc import SmrocCurve
from rocsteady.curves.statistics import Statistic
from rocsteady.errors import Option, RocsteadyError, fail
from rocsteady.inference.differences import Comparisons, Difference, DifferenceCurve, GroupDifferences
from rocsteady.options import one_of, whole_number
from rocsteady.points.measures import NAMES_OF_TABLE, TwoByTwo
from rocsteady.results import Result
from rocsteady.scores.score_set import ScoreSet
from rocsteady.show.document import Table
from rocsteady.show.html import templates
from rocsteady.show.sentences.comparing import measure
from rocsteady.show.sentences.inference import quantity_of
from rocsteady.statistics.limits import Interval
from rocsteady.text import (
    ACCURACY,
    AUC,
    COST,
    EER,
    ERROR,
    FNR,
    FPR,
    NAMES,
    NPV,
    PRECISION,
    PREVALENCE,
    SMAUC,
    TPR,
    Count,
    Cut,
    Gap,
    Item,
    Level,
    Limits,
    Model,
    Name,
    Number,
    P,
    Quantity,
    Quote,
    Range,
    Rate,
    Scale,
    Text,
    Words,
    joined,
    phrase,
    unbroken,
    words_of,
)
from rocsteady.words import counted

_ELSEWHERE = {"md": "markdown", "tex": "latex", "github": "markdown", "pipe": "markdown", "txt": "text"}
_PASTED = ("docx", "doc", "word", "odt", "rtf")
_NOTHING = "–"
_LEVEL_OF_CURVES = 0.95
"""Of the intervals that a set of curves puts into its frame."""


def table(
    value: Any,
    format: str = "markdown",
    *,
    columns: Sequence[str] | Mapping[str, str] | None = None,
    words: str = "ml",
    caption: str = "",
    label: str = "",
    n_rows: int | None = None,
) -> str:
    r"""The rows of a result as a table for a paper, a page or a letter.

    Numbers have the digits they have on the page: an estimate and its limits alike, p-values are never
    rounded across 0.05. What is not known is an en dash. Names are escaped.

    Parameters
    ----------
    value : result, list or mapping of results
        Whatever has rows: those of ``.to_frame()``. Of several results each is a row (or several); in a
        mapping their names come first.
    format : {"markdown", "latex", "html", "text"}
        LaTeX needs the package booktabs. For Word paste what a browser shows of the HTML.
    columns : sequence of str, or mapping
        Which columns, by their names in the frame, in this order; a mapping also has their headings. Limits
        are joined if they are among them. By default all; of comparisons those that a paper shows, without
        statistics and standard errors, and with the names of the two models as headings.
    words : {"ml", "medical", "biometric"}
        Whether rates are TPR and FPR, sensitivity and specificity, or FNMR and FMR.
    caption : str
        Above the table, as plain text.
    label : str
        The name for references: ``\label`` in LaTeX, ``id`` in HTML; the others have no place for it.
    n_rows : int
        How many rows at most. All, if not given.

    Returns
    -------
    str

    Raises
    ------
    UsageError
        RS002 if the value has no rows; RS001 for an unknown format or column, or a label that would break
        references; RS042 for a number that is too small.

    Examples
    --------
    >>> import rocsteady as rs
    >>> folds = [([0, 1, 0, 1, 1], [1, 4, 2, 3, 2]), ([0, 1, 1, 0, 0], [1, 2, 6, 3, 4])]
    >>> curves = rs.roc_curves(rs.ScoreSet.from_folds(folds))
    >>> print(rs.table(curves, "text", columns=["fold", "n_positives", "auc", "low", "high"]))
    fold    positives               AUC (95 % CI)
    ------  ---------  --------------------------
    fold 1          3   0.9167 (0.0532 to 0.9995)
    fold 2          2  0.667 (< 0.001 to > 0.999)
    """
    if isinstance(format, str) and format.casefold().removeprefix(".") in _PASTED:
        raise fail("RS001.word-processor", format=format)
    writer = _WRITERS[one_of("format", format, tuple(_WRITERS), elsewhere=_ELSEWHERE)]
    most = None if n_rows is None else whole_number("n_rows", n_rows, least=1, example=10)
    above, name = (_text_given(*own) for own in (("caption", caption), ("label", label)))
    if not re.fullmatch(r"[\w:.+/-]*", name):
        raise fail("RS001.table-label", label=name, signs=": . + / - _")
    made, n_more = rows_of(value, columns, most)
    if above:
        made = replace(made, caption=phrase("{caption}", caption=Quote(" ".join(above.split()))))
    return writer(made, words_of(value, words), name, n_more)


def _text_given(name: str, text: object) -> str:
    """RS002 unless it is text; None is none."""
    if text is None or isinstance(text, str):
        return text or ""
    ways = [Option(name, str(text))]
    raise fail("RS002.kind", name=name, kind="a text", found=f"{text!r:.60}", ways=ways)


# The columns of a result
# -----------------------

_SENTENCES = ("reading", "methods", "random", "held", "note", "lower_is_better", "confidence_level", "facts")
"""Fields of a single result that are sentences, or are said elsewhere: in the heading, by the quantity."""


def rows_of(
    value: Any, columns: Sequence[str] | Mapping[str, str] | None = None, most: int | None = None
) -> tuple[Table, int]:
    """The rows of a result as typed cells: limits beside what they limit, names of models in the headings.

    `columns` are names of the frame. Only the first `most` rows are made; gives how many more there are.
    RS002 for what has no rows.
    """
    whole = _columns_of(value)
    n = max(map(len, whole.values()))
    found = {name: _plain(column if most is None else column[:most]) for name, column in whole.items()}
    if columns is None:
        shown, named = _for_papers(value, found), {}
    elif isinstance(columns, str) or not isinstance(columns, Sequence | Mapping) or not columns:
        kind = "a list of names, or a mapping of names to headings"
        ways = [Option("columns", list(found)[:3])]
        raise fail("RS002.kind", name="columns", kind=kind, found=f"{columns!r:.60}", ways=ways)
    else:
        shown = {name: found[one_of("columns", name, tuple(found))] for name in columns}
        named = {name: str(columns[name] or "") for name in shown} if isinstance(columns, Mapping) else {}
    made = _Columns(value, shown, found, named)
    heads, cells = zip(*made.typed(), strict=True)
    rows = tuple(zip(*cells, strict=True))
    return Table(None, heads, rows), n - len(rows)


def _columns_of(value: Any) -> dict[str, Any]:
    """The columns of whatever has rows; RS002 for anything else."""
    found: dict[str, Any] = {}
    if isinstance(value, type):
        pass
    elif isinstance(value, ScoreSet) or callable(getattr(value, "_columns", None)):
        found = dict(value._columns())
        if _is_of_credit(value):  # shares of debit and of credit, not rates of alarms
            found = {
                re.sub("^(fpr|tpr)", lambda own: _OF_CREDIT[own[0]], name): own for name, own in found.items()
            }
    elif isinstance(value, Result) and dataclasses.is_dataclass(value):
        found = _joined([_one_result(value)])
    elif isinstance(value, Mapping) and value and all(isinstance(own, Result) for own in value.values()):
        rows = zip(value, map(_rows, value.values()), strict=True)
        found = _joined([{"": str(name), **row} for name, own in rows for row in own])
    elif isinstance(value, list | tuple) and value and all(isinstance(own, Result) for own in value):
        found = _joined([row for own in value for row in _rows(own)])
    if not found:
        raise fail("RS002.table-rows", found=described(value))
    return found


_OF_CREDIT = {"fpr": "share of debit", "tpr": "share of credit"}


def _is_of_credit(value: Any) -> bool:
    averaged = getattr(value, "averaged", None) if isinstance(value, Average | AveragePoint) else None
    return isinstance(value, SmrocCurve) or (averaged is not None and averaged.is_smroc)


def _rows(result: Any) -> list[dict[str, Any]]:
    columns = _columns_of(result)
    return [dict(zip(columns, row, strict=True)) for row in zip(*map(_plain, columns.values()), strict=True)]


def _one_result(result: Any) -> dict[str, Any]:
    """The fields of a result that fit into a row; of an interval its two limits."""
    row: dict[str, Any] = {}
    names = [*(result._told if result._untold else ()), *(field.name for field in dataclasses.fields(result))]
    for name in names:
        value = getattr(result, name)
        if name.startswith("_") or name in (*_SENTENCES, *result._untold):
            continue
        if isinstance(value, Interval):
            stem = name.removesuffix("interval")
            stem = f"{stem}_" if stem and not stem.endswith("_") else stem
            row |= {f"{stem}low": value.low, f"{stem}high": value.high}
        elif value is not None and not isinstance(value, Mapping | list | tuple | Result):
            row[name] = value
    return row


def _joined(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows as columns, in the order in which names appear. A result read at several places has arrays."""
    rows = [row for own in rows for row in _places(own)]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _places(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    arrays = {name: np.asarray(cell) for name, cell in row.items() if np.ndim(cell)}
    plain = {name: cell for name, cell in row.items() if name not in arrays}
    if not arrays or any(isinstance(cell, float | np.floating) for cell in plain.values()):
        return [plain]  # a list beside a single number, as of all optima, is no column
    n = max(array.shape[0] for array in arrays.values())
    fits = {name: array for name, array in arrays.items() if array.shape == (n,)}
    order = [name for name in row if name in plain or name in fits]
    return [{name: fits[name][i] if name in fits else plain[name] for name in order} for i in range(n)]


def _plain(column: Any) -> list[Any]:
    """Python's own values; None for NaN."""
    values = column.tolist() if isinstance(column, np.ndarray) else list(column)
    values = [own.item() if isinstance(own, np.generic) else own for own in values]
    return [None if isinstance(own, float) and math.isnan(own) else own for own in values]


def _for_papers(value: Any, found: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The columns that are printed where nobody has chosen: without what a class keeps for its frame."""
    left_out = {name for own in _entries(value) for name in getattr(type(own), "_not_for_papers", ())}
    if not left_out:
        return found
    if "a_value" in found and _only(found, "a") and _only(found, "b"):
        left_out |= {"a", "b"}
    if "standalone_value" in found and _only(found, "standalone"):
        left_out |= {"standalone"}
    if found.get("adjusted_pvalue") == found.get("pvalue"):
        left_out |= {"adjusted_pvalue"}
    return {name: column for name, column in found.items() if name not in left_out}


def _entries(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple | Comparisons) else [value]


def _only(found: Mapping[str, list[Any]], name: str) -> str:
    """What stands in all rows of a column, if it is the same; else nothing."""
    cells = found.get(name) or [None]
    return str(cells[0]) if cells[0] is not None and all(own == cells[0] for own in cells) else ""


# What a column holds
# -------------------

_QUANTITIES = {
    "fpr": FPR, "tpr": TPR, "fnr": FNR, "auc": AUC, "eer": EER, "smauc": SMAUC, "precision": PRECISION,
    "ppv": PRECISION, "npv": NPV, "prevalence": PREVALENCE, "accuracy": ACCURACY, "error": ERROR,
    "cost": COST,
}  # fmt: skip
_SHARES = ("sensitivity", "specificity", "ppv", "npv", "accuracy", "i_squared", "share", "coverage")
_OF_THE_RESULT = ("value", "a_value", "b_value", "estimate", "standalone_value", "mean", "lowest", "highest")
"""Columns whose quantity is that of the whole result."""
_GAPS = ("difference", "advantage")
_OVER = {"fpr": TPR, "tpr": FPR}
"""What two curves differ in, over what is held."""
_PLAIN = ("error", "sd", "var", "bias", "statistic", "weight", "se", "cov1", "cov2", "cov3")
"""Last words of columns that are plain numbers, whatever they are of."""
_MEASURES = {
    "ppv": "positive predictive value",
    "npv": "negative predictive value",
    "lr_positive": "positive likelihood ratio",
    "lr_negative": "negative likelihood ratio",
}
_HEADINGS = {
    "pvalue": "p", "p_value": "p", "flip_pvalue": "p (sign flips)", "adjusted": "adjusted p", "sd": "SD",
    "adjusted_pvalue": "adjusted p", "a_value": "first value", "b_value": "second value", "a": "first",
    "b": "second", "standalone_value": "standalone value",
}  # fmt: skip
_ENDS = (("low", "high"), ("lower", "upper"), ("at_least", "at_most"))


@dataclass
class _Columns:
    """Columns of plain values on their way to typed cells."""

    value: Any
    shown: dict[str, list[Any]]
    all: dict[str, list[Any]]
    named: Mapping[str, str]

    def __post_init__(self) -> None:
        n = len(next(iter(self.shown.values())))
        self.level = level_of(self.value)
        self.measures = [measure(own) for own in _differences(self.value)]
        has_measures = self.measures and len(self.measures) == n
        of_rows = [own.quantity for own in self.measures] if has_measures else _quantities(self.value, n)
        self.quantities = of_rows
        self.limits = self._limits()
        self.from_data = _names_from_data(self.value)

    def typed(self) -> Iterable[tuple[Text, list[Item]]]:
        """Heading and cells of each column that is printed."""
        ends = {name for pair in self.limits.values() for name in pair}
        for name, column in self.shown.items():
            if name in self.limits or name not in ends:
                yield self._heading(name), self._cells(name, column)

    # Limits

    def _limits(self) -> dict[str, tuple[str, str]]:
        """The columns that have limits, and those of their limits; a pair without one is under its first."""
        found: dict[str, tuple[str, str]] = {}
        for low, high in self._pairs():
            known = [own for own in (*self.shown[low], *self.shown[high]) if own is not None]
            owner = self._owner(low)
            found[low if owner is None or owner in found or not known else owner] = (low, high)
        return found

    def _pairs(self) -> list[tuple[str, str]]:
        pairs = []
        for low, high in _ENDS:
            for name in self.shown:
                other = re.sub(rf"(?<![a-z]){low}(?![a-z])", high, name)
                if other != name and other in self.shown:
                    pairs.append((name, other))
        return pairs

    def _owner(self, low: str) -> str | None:
        """What limits are of: the column with their name, else the estimate before them."""
        stem = self._stem(low)
        if stem:
            return next(
                (own for own in (f"{stem}_difference", f"{stem}_value", stem) if own in self.shown), None
            )
        names = list(self.shown)
        before = names[: names.index(low)][::-1]
        return next((own for own in before if self._kind(own) in ("rate", "gap")), None)

    @staticmethod
    def _stem(low: str) -> str:
        """What the name of a limit says besides: ``auc`` of ``auc_low``."""
        return re.sub(r"_?(?<![a-z])(low|lower|at_least)(?![a-z])_?", "", low)

    # Kinds

    def _kind(self, name: str) -> str:
        """What the cells of a column are."""
        column, last = self.shown[name], name.casefold().replace("_", " ").split(" ")[-1]
        known = [own for own in column if own is not None]
        if not known or not all(isinstance(own, int | float) and not isinstance(own, bool) for own in known):
            kind = "name"
        elif last in ("pvalue", "p", "adjusted"):
            kind = "p"
        elif (
            name == "df"
            or name.startswith("n_")
            or (all(isinstance(own, int) for own in known) and last not in _QUANTITIES)
        ):
            kind = "count"
        elif "difference" in name or last in _GAPS:
            kind = "gap"
        elif name in _OF_THE_RESULT or self._quantity(name) is not None:
            kind = "rate"
        else:
            kind = "number"
        return kind

    def _quantity(self, name: str) -> Quantity | None:
        """What a column is of, by its name: ``fpr``, ``one AUC``, ``auc_difference``."""
        *before, last = name.casefold().replace("_", " ").split(" ")
        if name == "position":
            return _QUANTITIES.get(str(getattr(self.value, "over", "")))
        if last in _PLAIN and (before or last != "error"):
            return None
        if last in _SHARES and last not in _QUANTITIES:
            return Quantity(name.replace("_", " "), Scale.SHARE)
        return _QUANTITIES.get(last) or (_QUANTITIES.get(before[0]) if before and last in _GAPS else None)

    # Headings and cells

    def _heading(self, name: str) -> Text:
        if self.named.get(name):
            return phrase("{own}", own=Quote(" ".join(self.named[name].split())))
        is_alone = name in self.limits and name in self.limits[name]  # limits of nothing in the table
        rest = self._stem(name) if is_alone else name
        words = [phrase("{own}", own=self._worded(rest) if is_alone else self._headed(name))] if rest else []
        if self._kind(name) == "gap":
            scales = {(self._quantity(name) or own).scale for own in self.quantities}
            words += [phrase("in points")] if scales == {Scale.SHARE} else []
        if name in self.limits:
            level = None if self.level is None else Level(self.level)
            of = "interval" if level is None else "{level} CI"
            of = "certain bounds" if self.limits[name][0].endswith("at_least") else of
            words.append(phrase(f"({of})" if words else of, level=level))
        return joined(words, between=" ")

    def _headed(self, name: str) -> Item:
        """The name of a column in words; of names that come from data not a letter is changed."""
        whole = {"a_value": "a", "b_value": "b", "standalone_value": "standalone"}.get(name)
        if whole and (model := _only(self.all, whole) or _name_of(self.value, whole)):
            return Model(model)
        if name in ("n_positives", "n_negatives") and name not in self.from_data:
            return phrase(f"{{{name.removeprefix('n_')}}}")
        for own in sorted(self.from_data, key=len, reverse=True):
            if name == own:
                return Quote(name)
            if name.endswith(f" {own}"):
                rest = self._headed(name.removesuffix(f" {own}"))
                return phrase("{rest} {own}", rest=rest, own=Quote(own))
            if name.startswith(f"{own} "):
                rest = self._headed(name.removeprefix(f"{own} "))
                return phrase("{own} {rest}", rest=rest, own=Quote(own))
        return self._worded(name)

    def _worded(self, name: str) -> Item:
        """The name of one of our columns."""
        if name in _HEADINGS and (len(name) > 1 or "a_value" in self.all):
            return phrase(_HEADINGS[name])
        parts: list[Item] = []
        for word in name.removeprefix("n_").replace("_", " ").split(" "):
            is_plain = word == "error" and name != "error"
            quantity = None if is_plain else _QUANTITIES.get(word.casefold())
            parts.append(Quote(_HEADINGS.get(word, word)) if quantity is None else Name(quantity))
        return joined(parts, between=" ")

    def _cells(self, name: str, column: list[Any]) -> list[Item]:
        kind, quantity = self._kind(name), self._quantity(name)
        if name in self.limits and name in self.limits[name]:
            low, high = (self.shown[own] for own in self.limits[name])
            quantity = self._quantity(self._stem(name)) or Quantity("limits")
            return [_range(quantity, *_sorted(a, b)) for a, b in zip(low, high, strict=True)]
        if name == "quantity" and len(self.measures) == len(column):
            return list(self.measures)
        if name == "half_width":  # of an interval, and no rate
            quantity = Quantity("half-width")
        intervals = self._intervals(name, len(column))
        cells = [
            self._cell(name, kind, own, quantity or self.quantities[i], intervals[i])
            for i, own in enumerate(column)
        ]
        are_points = [isinstance(own, Gap) and own.quantity.scale is Scale.SHARE for own in cells]
        if all(are_points) or not any(are_points):  # the heading has the unit
            return cells
        known = zip(cells, are_points, strict=True)
        return [phrase("{gap:cell} points", gap=own) if has_unit else own for own, has_unit in known]

    def _intervals(self, name: str, n: int) -> list[Limits | None]:
        """Of each cell; none where the rate itself is held, and has no width."""
        if name not in self.limits:
            return [None] * n
        low, high = (self.shown[own] for own in self.limits[name])
        pairs = [_sorted(a, b) for a, b in zip(low, high, strict=True)]
        return [
            None if None in pair or pair == (own, own) else Limits(*pair, self.level or math.nan)
            for pair, own in zip(pairs, self.shown[name], strict=True)
        ]

    def _cell(self, name: str, kind: str, own: Any, quantity: Quantity, interval: Limits | None) -> Item:
        if kind == "name" or own is None:
            return self._name(name, own) if kind == "name" else Number(math.nan)
        item: Item = Number(float(own), 4, is_declared=float(own).is_integer())
        if kind == "p":
            item = P(float(own))
        elif kind == "count" and math.isfinite(own):
            item = Count(own)
        elif kind == "gap":
            item = Gap(quantity, float(own), interval)
        elif kind == "rate" or interval is not None:
            item = Rate(quantity, float(own), interval)
        elif name == "threshold" and getattr(self.value, "beside", None) is not None:
            item = Cut(float(own), self.value.beside)
        return item

    def _name(self, name: str, own: Any) -> Item:
        if own is None:
            return None
        if isinstance(own, bool):
            return phrase("yes" if own else "no")
        if isinstance(own, int | float):
            return Number(float(own), 4)
        text = str(own)
        if name in ("model", "models", "modality", "winner", "a", "b"):
            return Model(text)
        return Quote(_MEASURES.get(text, text) if name == "measure" else text)


def _name_of(value: Any, which: str) -> str:
    """One of the two models that all rows are about."""
    own = next(iter(_held(value, which)), "") if isinstance(value, DifferenceCurve) else ""
    return own if isinstance(own, str) else ""


def _range(quantity: Quantity, low: Any, high: Any) -> Item:
    if low is None or high is None:
        return Number(math.nan)
    return Range(quantity, float(low), float(high))


def _sorted(low: Any, high: Any) -> tuple[Any, Any]:
    """The smaller limit first: the lower edge of a band is the worse one, and has the higher FPR."""
    return (high, low) if None not in (low, high) and high < low else (low, high)


def _quantities(value: Any, n: int) -> list[Quantity]:
    """What the rows of a result are of, where they are all alike or a difference each."""
    if isinstance(value, TwoByTwo):
        scales = {name: Scale.SHARE if name in _SHARES else Scale.NUMBER for name in NAMES_OF_TABLE}
        return [Quantity(name, scale) for name, scale in scales.items()][:n]
    for own in _held(value, "statistic", "_statistic"):
        if isinstance(own, Statistic):
            return [quantity_of(own)] * n
    if isinstance(value, GroupDifferences):
        return [AUC] * n
    return [_OVER.get(str(getattr(value, "over", "")), Quantity("value"))] * n


def _differences(value: Any) -> list[Difference]:
    """Those that the rows are of."""
    if isinstance(value, Difference):
        return [value]
    if isinstance(value, Mapping | list | tuple | Comparisons):
        return [own for entry in _entries(value) for own in _differences(entry)]
    found = value.differences if "differences" in dir(value) else ()
    return [own for own in found if isinstance(own, Difference)]


def _held(value: Any, *names: str) -> list[Any]:
    """What a value says of itself under these names; a map of three models has no first and second."""
    found = []
    for name in names:
        try:
            found.append(getattr(value, name, ()))
        except RocsteadyError:
            continue
    return found


def _names_from_data(value: Any) -> set[str]:
    """What groups, models and classes are called: columns may have these names."""
    if isinstance(value, Mapping | list | tuple):
        return {name for own in _entries(value) for name in _names_from_data(own)}
    held = _held(value, "unit", "a", "b", "models", "classes")
    names = [[own] if isinstance(own, str) else own for own in held if isinstance(own, str | list | tuple)]
    return {str(name) for own in names for name in own if str(name)}


def level_of(value: Any) -> float | None:
    """The confidence level of the intervals in a table, where all of them have the same one."""
    if isinstance(value, CurveSet):
        return _LEVEL_OF_CURVES
    found: set[float | None] = set()
    if isinstance(value, Interval):
        found = {value.confidence_level}
    elif isinstance(value, Result) or hasattr(value, "_columns"):
        inside = getattr(value, "__dict__", {}).values()
        found = {getattr(value, "confidence_level", None), *map(_level_inside, inside)}
    elif isinstance(value, Mapping | list | tuple):
        found = set(map(level_of, _entries(value)))
    known = {own for own in found if isinstance(own, float)}
    return known.pop() if len(known) == 1 else None


def _level_inside(inside: Any) -> float | None:
    """Of an interval, or of results that a result holds (the differences of a comparison)."""
    if isinstance(inside, Result) or (
        isinstance(inside, tuple) and any(isinstance(own, Result) for own in inside)
    ):
        return level_of(inside)
    return None


# Formats
# -------


def _spelled(item: Item, words: Words) -> str:
    if item is None:
        return _NOTHING
    if isinstance(item, int):
        return Count(item).spell(words)
    return item.plain(words) if isinstance(item, Text) else item.spell(words, "cell")


def _lines(
    made: Table, words: Words, escape: Callable[[str], str], number: Callable[[str], str] = str
) -> list[list[str]]:
    """All rows, the headings first, as a format has them."""
    shown = [[escape(number(_spelled(head, words))) for head in made.columns]]
    for row in made.rows:
        texts = (_spelled(own, words) for own in row)
        known = zip(texts, row, strict=True)
        shown.append([escape(own if isinstance(item, NAMES) else number(own)) for own, item in known])
    return shown


def _more(n: int) -> str:
    return f"and {counted(n, 'more row')}" if n else ""


def _padded(made: Table, rows: list[list[str]], least: int) -> list[int]:
    """Cells as wide as their column, numbers at the right; gives the widths."""
    widths = [max(least, *(_width(row[i]) for row in rows)) for i in range(len(made.columns))]
    for row in rows:
        for i, width in enumerate(widths):
            blanks = " " * (width - _width(row[i]))
            row[i] = blanks + row[i] if made.is_numeric(i) else row[i] + blanks
    return widths


def _width(text: str) -> int:
    """How many places of a terminal a text takes: two for a Chinese character, none for an accent."""
    without = [c for c in text if not unicodedata.combining(c) and c not in "\u200c\u200d"]
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in without)


def text(made: Table, words: Words, label: str = "", n_more: int = 0) -> str:
    """Columns apart by blanks, for terminals and letters."""
    rows, more = _lines(made, words, str), _more(n_more)
    widths = _padded(made, rows, 1)
    lines = ["  ".join(row).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    caption = [made.caption.plain(words), ""] if made.caption else []
    return "\n".join([*caption, *lines, *([more] if more else [])])


_MARKUP = re.compile(
    r"[\\`*<|~$]"  # anywhere
    r"|\](?=[(\[])"  # a link
    r"|&(?=#?\w+;)"  # an entity
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis, but not within a word
)


def markdown(made: Table, words: Words, label: str = "", n_more: int = 0) -> str:
    """A pipe table, as GitHub, pandoc and notebooks read it; columns padded, so it also reads as text."""
    rows = _lines(made, words, _in_markdown, unbroken)
    if n_more:
        rows.append([f"… {_more(n_more)}", *[""] * (len(made.columns) - 1)])
    widths = _padded(made, rows, 3)
    ends = [":" if made.is_numeric(i) else "-" for i in range(len(widths))]
    rules = ["-" * (width - 1) + end for width, end in zip(widths, ends, strict=True)]
    lines = [f"| {' | '.join(row)} |" for row in (rows[0], rules, *rows[1:])]
    caption = [_paragraph(_in_markdown(made.caption.plain(words))), ""] if made.caption else []
    return "\n".join([*caption, *lines])


def _in_markdown(shown: str) -> str:
    return _MARKUP.sub(lambda found: "\\" + found[0], shown)


def _paragraph(shown: str) -> str:
    """Text that begins neither a heading, a list, a quotation nor a definition."""
    return re.sub(r"^(\d*)([#>+=\[.)-])", r"\1\\\2", shown)


def html(made: Table, words: Words, label: str = "", n_more: int = 0, longest: int = 10_000) -> str:
    """A table element without scripts, colours or classes but one; it is also well-formed XML."""
    filled = templates().get_template("plain_table.html")
    return filled.render(table=made, n_more=n_more, words=words, label=label, longest=longest).strip()


_LATEX = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}", "−": "$-$", "–": "--",
    "∞": r"$\infty$", "≥": r"$\geq$", "≤": r"$\leq$", "±": r"$\pm$", "×": r"$\times$", "…": r"\ldots{}",
    "\N{NO-BREAK SPACE}": r"\,", "\0": "{}",
} | {c: "\\" + c for c in "{}$&#%_"}  # fmt: skip


def latex(made: Table, words: Words, label: str = "", n_more: int = 0) -> str:
    """A tabular with the rules of booktabs, in a table if there is a caption or a label."""
    sides = "".join("r" if made.is_numeric(i) else "l" for i in range(len(made.columns)))
    head, *rows = map(_latex_row, _lines(made, words, _in_latex, unbroken))
    if n_more:
        rows.append(rf"\multicolumn{{{len(made.columns)}}}{{c}}{{\ldots{{}} {_more(n_more)}}} \\")
    rows = [r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
    lines = [rf"\begin{{tabular}}{{{sides}}}", *(f"  {row}" for row in rows), r"\end{tabular}"]
    if made.caption or label:
        above = [rf"\caption{{{_in_latex(made.caption.plain(words))}}}"] if made.caption else []
        above += [rf"\label{{{label}}}"] if label else []
        inner = [r"\centering", *above, *lines]
        lines = [r"\begin{table}", *(f"  {line}" for line in inner), r"\end{table}"]
    return "\n".join([r"% \usepackage{booktabs}", *lines])


def _latex_row(cells: list[str]) -> str:
    # After the end of a row a bracket or a star would be taken as its option.
    first = re.sub(r"^([\[*])", r"{\1}", cells[0])
    return " & ".join([first, *cells[1:]]) + r" \\"


def _in_latex(shown: str) -> str:
    # Two hyphens of a name would become a dash: something empty stands between them.
    composed = unicodedata.normalize("NFC", shown)  # a letter and its accent as one: TeX knows no others
    return "".join(_LATEX.get(c, c) for c in re.sub(r"-(?=-)", "-\0", composed))


_WRITERS = {"markdown": markdown, "latex": latex, "html": html, "text": text}
