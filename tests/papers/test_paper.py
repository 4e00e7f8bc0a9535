"""Checks fail when they should, verdicts follow from numbers, and a reproduction survives its file."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quick_runs
from papers.pages import read
from papers.paper import (
    VERDICTS,
    Check,
    Claim,
    Figure,
    Passage,
    Reproduction,
    Steps,
    Table,
    binomial,
    exact,
    simulated,
    verdict_counts,
)
from rocsteady.figures.spec import Axis, Line, Panel, Picture


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(0, 10))
def test_a_check_passes_within_its_tolerance_and_not_beyond(expected, found, tolerance) -> None:
    check = Check("section", "name", expected, found, tolerance, "here")
    assert check.passed == (abs(found - expected) <= tolerance)


def test_what_is_not_a_number_never_passes() -> None:
    assert not Check("section", "name", 0.0, float("nan"), 1.0, "here").passed


def test_a_simulated_number_may_be_four_standard_errors_off() -> None:
    assert simulated("s", "n", 1.0, 1.039, 0.01, "seeds").passed
    assert not simulated("s", "n", 1.0, 1.041, 0.01, "seeds").passed
    assert simulated("s", "n", 1.0, 1.0, 0.01, "seeds").tolerance_from == "4 standard errors, seeds"


def test_few_replicates_get_more_room_for_the_error_of_their_error() -> None:
    many, some, few = (simulated("s", "n", 0.0, 0.0, 1.0, "seeds", df=df).tolerance for df in (1e6, 99, 4))
    assert many == pytest.approx(4, abs=1e-3)
    assert 4.1 < some < 4.3
    assert few > 10


@pytest.mark.parametrize("run", [quick_runs.averaged, quick_runs.slides])
def test_every_check_passes_and_fails_once_its_number_is_another(run) -> None:
    """None is so wide that anything passes."""
    for check in run().checks:
        assert check.passed
        assert not any(replace(check, found=check.expected + by).passed for by in (-0.9, 0.9)), check


def test_an_identity_allows_rounding_only() -> None:
    assert exact("s", "n", 0.3, 0.1 + 0.2).passed
    assert not exact("s", "n", 0.3, 0.3 + 1e-9).passed


@pytest.mark.parametrize("n", [20, 200])
@pytest.mark.parametrize("share", [1e-21, 0.025, 0.5, 0.98, 1 - 1e-12])
def test_a_share_may_be_what_a_binomial_count_can_be(n: int, share: float) -> None:
    drawn = np.random.default_rng(1).binomial(n, share, size=2000)
    assert all(binomial("s", "n", share, count / n, n).passed for count in np.unique(drawn))
    far = 0.95 if share < 0.6 else 0.05
    assert not binomial("s", "n", share, far, n).passed


def test_what_happens_always_may_not_fail_to_happen_once() -> None:
    assert binomial("s", "n", 1 - 1e-12, 1.0, 200).passed
    assert not binomial("s", "n", 1 - 1e-12, 199 / 200, 200).passed


texts = st.text(min_size=1, max_size=20)
a_claim = st.builds(
    Claim,
    claim=texts,
    where=texts,
    measured=texts,
    holds=st.booleans(),
    caveat=texts | st.just(""),
    holds_with_caveat=st.booleans(),
    instead=texts | st.just(""),
    erratum=texts | st.just(""),
    chosen_here=st.booleans(),
)


@given(a_claim)
def test_a_verdict_follows_from_what_holds(claim: Claim) -> None:
    reproduced, consistent, caveat, false = VERDICTS
    if claim.holds:
        assert claim.verdict == (consistent if claim.chosen_here else reproduced)
    else:
        assert claim.verdict == (caveat if claim.caveat and claim.holds_with_caveat else false)
    assert claim.remark in {"", claim.caveat if claim.verdict == caveat else claim.instead}


@given(st.lists(a_claim, max_size=6))
def test_every_claim_is_counted_once(claims: list[Claim]) -> None:
    counts = verdict_counts(claims)
    assert tuple(counts) == VERDICTS
    assert sum(counts.values()) == len(claims)


def drawn() -> Picture:
    return Picture((Panel(Axis(), Axis(), (Line((0, 1), (0, 1)),)),))


@given(st.lists(a_claim, max_size=2), st.lists(texts, max_size=2), st.floats())
def test_a_reproduction_survives_its_file(claims: list[Claim], lines: list[str], found: float) -> None:
    made = Reproduction(
        name="one",
        paper="A paper",
        checks=(Check("a", "one", 1.0, found, 0.5, "here"), exact("b", "two", 1.0, 1.0)),
        claims=tuple(claims),
        tables=(Table("caption", ("set", "AUC"), (("iris", "0.9"), ("", "–"))),),
        figures=(Figure("figure_1", "It shows.", "Other data.", drawn),),
        passages=(Passage("A story", tuple(lines)),),
        notes=tuple(lines),
        skipped=tuple(lines),
        damaged=tuple(lines),
        numbers={"points": np.array([0.1, np.inf])},
    )
    plain = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert plain["numbers"] == {"points": [0.1, "inf"]}
    [again], [other] = read(plain), read({"papers": [plain]})
    assert other.to_dict(numbers=False) == again.to_dict(numbers=False)
    assert again.to_dict(numbers=False) == made.to_dict(numbers=False)
    assert plain["passed"] == (abs(found - 1) <= 0.5)
    assert [check.name for check in again.failed] == ([] if plain["passed"] else ["one"])
    with pytest.raises(TypeError, match="compute the paper"):
        again.figures[0].draw()


def test_a_figure_is_written_in_every_format_under_its_name() -> None:
    figure = Figure("figure_1_weka", "caption", "", drawn)
    assert figure.title == "Figure 1 weka"
    files = dict(figure.pictures())
    assert tuple(files) == figure.files == ("figure_1_weka.png", "figure_1_weka.pdf")
    assert [content[:4] for content in files.values()] == [b"\x89PNG", b"%PDF"]


def test_a_table_has_whole_rows_and_knows_its_numbers() -> None:
    with pytest.raises(ValueError, match="each of"):
        Table("caption", ("set", "AUC"), (("iris",),))
    numbers = ("+0.1", "−3", "< 0.001", ".955", "12 %", "± 2", "–", "")
    made = Table("caption", ("words", "numbers", "mixed"), tuple(("x", own, own or "y") for own in numbers))
    assert made.numeric == (False, True, False)
    assert Table("none", ("a", "b"), ()).numeric == (False, False)


def test_steps_are_counted_for_whoever_wants_to_know() -> None:
    told: list[tuple[int, int, str]] = []
    steps = Steps(2, lambda *args: told.append(args))
    for doing in ("one", "two", "one too many"):
        steps.step(doing)
    assert told == [(1, 2, "one"), (2, 2, "two"), (2, 2, "one too many")]
    Steps(1, None).step("nobody listens")
