"""What another use would change: who is shown to be better there, over whom, allowing for having picked them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import rocsteady as rs
from report.summary.made_hosts import compared, hosts, material, said
from rocsteady.report.summary.answer import other_uses
from rocsteady.report.summary.comparing import comparison as comparing
from rocsteady.report.summary.comparing.at_point import compared_at, point_of
from rocsteady.report.summary.comparing.comparison import ComparisonPart
from rocsteady.report.summary.comparing.measure import line_of
from rocsteady.report.summary.comparing.setting import Setting, setting_of
from rocsteady.report.summary.material import Material

OWN = rs.Deployment("own", hold="fpr", at=0.1)


def with_rows(part: ComparisonPart, **found: dict[str, Any]) -> ComparisonPart:
    """The part, some of its rows changed."""
    return replace(part, others=tuple(replace(row, **found.get(row.key, {})) for row in part.others))


FIRST = {"difference": 0.2, "low": 0.1, "high": 0.3, "is_decided": True}
SECOND = {"difference": -0.2, "low": -0.3, "high": -0.1, "is_decided": True}
NEITHER = {"difference": 0.1, "low": -0.1, "high": 0.3, "is_decided": False}


@pytest.mark.parametrize(
    ("shared", "own", "end"),
    [
        (FIRST, FIRST, "Either way baseline is better."),
        (FIRST, SECOND, "Which model is better depends on that choice."),
        (FIRST, NEITHER, "Only with one threshold for all hosts is baseline shown to be better."),
        (NEITHER, SECOND, "Only with a threshold of its own for each host is candidate shown to be better."),
        (NEITHER, NEITHER, "Either way the difference cannot be told from none."),
    ],
)
def test_the_choice_decides_only_between_two_shown_winners(shared: Any, own: Any, end: str) -> None:
    made, part = compared(None)
    text = said(other_uses.undeclared(made, with_rows(part, threshold=shared, vertical=own)))
    assert text.endswith(end)


@pytest.fixture(scope="module")
def three() -> tuple[Material, ComparisonPart]:
    own = material(hosts(models=3), OWN)
    part = comparing.make(own)
    assert part is not None
    return own, part


def told(three: tuple[Material, ComparisonPart], part: ComparisonPart) -> str:
    own = three[0]
    return said(other_uses.other_use(own, setting_of(own, line_of(own)), part) or "")


def test_of_many_models_the_rival_is_named(three: tuple[Material, ComparisonPart]) -> None:
    part = with_rows(three[1], threshold={"a": "third", "b": "candidate", **FIRST})
    assert "third would be better than candidate, by 20 points" in told(three, part)


def test_still_is_said_of_the_pair_of_the_answer_only(three: tuple[Material, ComparisonPart]) -> None:
    part = three[1]
    best, reference = part.standings[0].model, part.pairs[0].a
    (other,) = {own.model for own in part.standings} - {best, reference}
    decided = {pair.b: pair.is_decided for pair in part.pairs}
    assert best != reference
    assert not decided[best]
    same = with_rows(part, threshold={"a": best, "b": reference, **NEITHER})
    assert "could still not be told apart" in told(three, same)
    others = with_rows(part, threshold={"a": other, "b": reference, **NEITHER})
    assert "could not be told apart" in told(three, others)
    # What the answer has shown is not "still" undecided.
    shown = tuple(replace(pair, is_decided=True, better=best) for pair in part.pairs)
    assert "could not be told apart" in told(three, replace(same, pairs=shown))


def test_the_best_of_three_is_decided_allowing_for_having_been_picked() -> None:
    """A p-value between the level and half of it decides between two models, not between the best of three."""
    scores = hosts(models=3, seed=7)
    usual = material(scores, OWN)
    part = comparing.make(usual)
    assert part is not None
    row = next(own for own in part.others if own.is_declared)
    setting = Setting("vertical", line_of(usual))
    (found,) = compared_at(usual, setting, row.a, row.b, point_of(setting)).differences
    for share, decided in ((1.5, False), (2.5, True)):
        rows = comparing.make(material(scores, OWN, confidence_level=1 - share * found.pvalue))
        assert rows is not None
        declared = next(own for own in rows.others if own.is_declared)
        assert declared.low > 0 or declared.high < 0
        assert declared.is_decided is decided
        assert "that was allowed for" in said(rows.note)


def test_rows_of_resampled_groups_are_decided_alike() -> None:
    scores = hosts(models=3, seed=13)
    level = 0.4
    allowed, plain = (
        {own.key: own for own in comparing.make(material(scores, OWN, confidence_level=each)).others}  # type: ignore[union-attr]
        for each in (level, 1 - (1 - level) / 2)
    )
    for key in ("diagonal", "radial", "cost"):
        assert allowed[key].is_decided == (plain[key].low > 0 or plain[key].high < 0)
    assert not allowed["radial"].is_decided
    assert allowed["radial"].low > 0 or allowed["radial"].high < 0
