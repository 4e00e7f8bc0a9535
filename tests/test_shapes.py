"""The shapes of results: what a class variable says is printed, told and has a column."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from rocsteady.averaging.methods import AtAngle, Vertical
from rocsteady.errors import RocsteadyWarning
from rocsteady.options import Choice, How
from rocsteady.results import Result, TableResult, Tested, columns_of, decides, plain, unit_column
from rocsteady.showing import Said
from rocsteady.words import filled


@dataclass(frozen=True, eq=False, repr=False)
class Limits(Result):
    low: float
    high: float
    source: Any = None


@dataclass(frozen=True, eq=False, repr=False)
class Rows(TableResult):
    names: tuple[str, ...]
    value: Any
    limits: Limits | None = None
    unit: str = "host"
    a: str = "one"
    method: Any = None
    hidden: int = 0

    _line = "{names:count {unit}}{limits:?, {limits.low:.2f} to {limits.high:.2f}}"
    _lines = "{value:count value}"
    _in_frame = "{0.unit}=names, {0.a} AUC=value, limits.low, most=limits.high"
    _told = ("n_names",)
    _untold = ("hidden",)

    @property
    def n_names(self) -> int:
        return len(self.names)


class Tables(TableResult):
    tables: tuple[Rows, ...] = ()

    _of_each = "tables"
    _in_frame = "unit, least=limits.low"


def test_a_line_counts_and_leaves_out() -> None:
    assert repr(Rows(("x", "y"), 1.0)) == "Rows(2 hosts)"
    assert repr(Rows(("x",), 1.0, Limits(0.1, 0.25))) == "Rows(1 host, 0.10 to 0.25)"
    assert repr(Rows((), 1.0, unit="a\nb")) == "Rows(0 a\\nbs)"


def test_arrays_have_a_line_of_their_own() -> None:
    assert repr(Rows(("x",), np.zeros((2, 3)))) == "Rows(6 values)"
    assert repr(Rows(("x",), np.zeros(0))) == "Rows(0 values)"


@pytest.mark.parametrize(("n", "said"), [(2.5, "2.5 rows"), (math.inf, "inf rows"), ("ab", "2 rows")])
def test_a_count_is_the_number_that_it_is(n: Any, said: str) -> None:
    assert filled("{n:count row}", {"n": n}) == said


def test_columns_are_attributes_of_attributes() -> None:
    columns = Rows(("x", "y"), np.array([1.0, 2.0]), Limits(0.1, 0.2))._columns()
    assert {name: list(own) for name, own in columns.items()} == {
        "host": ["x", "y"],
        "one AUC": [1.0, 2.0],
        "low": [0.1],
        "most": [0.2],
    }
    assert list(Rows(("x",), np.ones(1))._columns()) == ["host", "one AUC"]  # what is None has no column


def test_the_column_of_groups_gives_way() -> None:
    assert list(Rows(("x",), np.ones(1), unit="one AUC")._columns()) == ["group", "one AUC"]
    assert unit_column("modality", ("modality",), "reader") == "reader"


def test_rows_may_be_values() -> None:
    several = Tables()
    several.__dict__["tables"] = (Rows((), 0.0, Limits(0.5, 1.0)), Rows((), 0.0, unit="day"))
    assert several._columns() == {"unit": ["host", "day"], "least": [0.5, None]}
    assert columns_of(iter(several.tables), "a") == {"a": ["one", "one"]}


def test_plain_data_have_what_is_told_and_nothing_else() -> None:
    found = Rows(("x",), 1.0, Limits(math.nan, math.inf, Vertical()), method=AtAngle(0.5), hidden=3).to_dict()
    assert found["limits"] == {"low": None, "high": "inf", "source": "vertical"}
    assert found["method"] == "AtAngle(angle=0.5)"
    assert found["n_names"] == 1
    assert "hidden" not in found


def test_a_result_inside_a_result_tells_itself_as_it_does_alone() -> None:
    class Own(Limits):
        def to_dict(self) -> dict[str, Any]:
            return {"only": self.low}

    assert plain([Own(1.0, 2.0)]) == [{"only": 1.0}]


def test_a_plain_choice_equals_its_name_and_no_other_choice() -> None:
    @dataclass(frozen=True, eq=False, repr=False)
    class Gentle(Choice):
        name = "gentle"
        share: float = 0.5
        _kept: int = 0

    assert Gentle() == "gentle" == str(Gentle(_kept=1))
    assert repr(Gentle()) == "Gentle()"
    assert repr(Gentle(0.2)) == "Gentle(share=0.2)" != Gentle()
    assert {Gentle(), Gentle(0.5), "gentle"} == {"gentle"}
    assert (Gentle() == 0.5) is False


@pytest.mark.parametrize(("df", "letter"), [(math.inf, "z"), (4.0, "t")])
def test_a_statistic_with_known_error_is_a_z(df: float, letter: str) -> None:
    found = Tested()
    found.__dict__["df"] = df
    assert found._letter == letter


def test_what_decides_is_the_level_and_a_rounding_error() -> None:
    assert decides(0.05 * (1 + 1e-13), 0.05)
    assert not decides(0.0501, 0.05)
    assert not decides(math.nan, 0.05)


def test_further_words_are_said_of_a_value_or_of_its_facts() -> None:
    class Spoken:
        facts = "RS330"
        source = Said("advice.source", of="facts")

    assert Spoken().source
    assert isinstance(Spoken.source, property)


def test_another_seed_is_neither_checked_nor_warned_of_again() -> None:
    with pytest.warns(RocsteadyWarning, match="RS270"):
        how = How(n_resamples=50, threads=2)
    assert how.with_seed(3).draws == {
        "n_resamples": 50,
        "seed": 3,
        "threads": 2,
    }  # a warning is an error here
    assert how.seed == 0
