"""What every value promises: one line when printed, plain data, a frame where it has rows, a page, a figure."""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
from collections.abc import Iterator
from typing import Any

import narwhals.stable.v2 as nw
import pytest

import rocsteady as rs
from every_value import every_value
from rocsteady import figures
from rocsteady.results import Frozen, Result, TableResult
from rocsteady.showing import Drawn, Shown
from rocsteady.statistics.limits import Interval
from rocsteady.words import filled

# Small data are made here by the dozen, and some of them are warned about.
pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

LONGEST = 400
BASES = {
    "TunedPoint",
    "Pairs",
    "TableResult",
    "Average",
    "SharedThresholdAverage",
    "AgainstMargin",
    "StudyResult",
    "ComparedStudy",
    "Curves",
}
BASES |= {"Chosen", "_OfCriterion", "_OfAverage", "Planned", "DesignTable", "Question", "Tested"}
"""What other results are made from; nobody is given one of these."""
NOT_OURS = ("cli", "__main__", "_native")


def subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for own in kind.__subclasses__():
        yield own
        yield from subclasses(own)


def every_class() -> set[str]:
    for module in pkgutil.walk_packages(rs.__path__, "rocsteady."):
        if not any(part in module.name.split(".") for part in NOT_OURS):
            importlib.import_module(module.name)
    # Other tests and the papers have kinds of their own.
    ours = {own.__name__ for own in subclasses(Shown) if own.__module__.startswith("rocsteady.")}
    return ours - BASES - {"Result", "Drawn", "Printed"}


@pytest.fixture(scope="module")
def values() -> dict[str, Any]:
    return every_value()


def test_every_kind_of_value_is_looked_at(values: dict[str, Any]) -> None:
    assert every_class() - set(values) == set()


def test_a_value_prints_on_one_line_whatever_its_names_hold(values: dict[str, Any]) -> None:
    shown = {name: repr(value) for name, value in values.items()}
    assert {name: text for name, text in shown.items() if not text.isprintable()} == {}
    plain = {"DataSummary"}  # what rocsteady check has for its JSON
    assert {name: text for name, text in shown.items() if len(text) > LONGEST and name not in plain} == {}
    assert {name: text for name, text in shown.items() if not text.startswith(f"{name}(")} == {}
    assert [name for name, text in shown.items() if text == f"{name}()"] == []


def test_who_has_a_line_prints_it() -> None:
    every_class()  # imports all
    kinds = [own for own in subclasses(Frozen) if own.__module__.startswith("rocsteady.")]
    assert len(kinds) > 80
    assert [own.__name__ for own in kinds if "_line" in vars(own) and "__repr__" in vars(own)] == []


def test_a_value_becomes_plain_data(values: dict[str, Any]) -> None:
    for value in values.values():
        assert json.loads(json.dumps(value.to_dict(), allow_nan=False))


def test_a_value_with_rows_becomes_a_frame(values: dict[str, Any]) -> None:
    with_rows = {name: value for name, value in values.items() if isinstance(value, TableResult)}
    assert {"RocCurve", "CurveSet", "Band", "OperatingPointTable", "GroupAucs"} <= set(with_rows)
    for name, value in with_rows.items():
        frame = nw.from_native(value.to_frame(), eager_only=True)
        columns = value._columns()
        assert frame.columns == list(columns), name
        assert {len(column) for column in columns.values()} == {len(frame)}, name


def test_only_what_is_a_value_is_not_a_result(values: dict[str, Any]) -> None:
    others = {name for name, value in values.items() if not isinstance(value, Result)}
    assert others == {"ScoreSet", "Scores", "MulticlassScores"}
    assert all(hasattr(values[name], "to_frame") for name in others)


def test_every_plot_method_has_its_figure(values: dict[str, Any]) -> None:
    drawn = {name: value._figure for name, value in values.items() if isinstance(value, Drawn)}
    assert {figure for figure in drawn.values() if figure not in figures.__all__} == set()
    assert {"RocCurve": "roc", "CurveSet": "roc", "ThresholdAverage": "average"}.items() <= drawn.items()
    assert "Interval" not in drawn


def test_a_plot_method_hands_on_its_options(values: dict[str, Any]) -> None:
    axes = values["MidProfile"].plot(title="as it is", text_size=10)
    assert axes.get_title(loc="left") == "as it is"
    assert axes.figure.axes == [axes]


def test_no_minus_before_what_is_printed_as_zero() -> None:
    interval = Interval(-1e-6, 0.25, 0.95, "t")
    assert repr(interval) == "Interval(0.0000 to 0.2500, confidence level 0.95, t)"
    assert f"{interval:(+.4f)}" == " (+0.0000 to +0.2500)"
    assert filled("{x:.3f}, {x:+.3f}, {x:.1e}", {"x": -1e-6}) == "0.000, +0.000, -1.0e-06"
    folds = [([0, 1, 0, 1], [1, 2, 3, 4]), ([0, 1, 0, 1], [1, 2, 3, 4])]
    found = rs.comparability(rs.ScoreSet.from_folds(folds, design="independent"), n_permutations=99)
    assert "costs 0.000 AUC" in repr(dataclasses.replace(found, price=-1e-9))
