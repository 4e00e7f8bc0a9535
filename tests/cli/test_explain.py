"""`rocsteady explain` says what a code means."""

from __future__ import annotations

import pytest

from rocsteady.errors import catalogue


@pytest.mark.parametrize("code", sorted(catalogue()))
def test_every_code_is_explained(call, code: str) -> None:
    shown = call("explain", code)
    assert (shown.code, shown.err) == (0, "")
    kind = "error" if code < "RS100" or "RS400" <= code < "RS410" else "warning"
    title, blank, *explanation = shown.out.splitlines()
    assert (title, blank) == (f"{code} {kind}: {catalogue()[code].title}", "")
    assert " ".join(explanation) == catalogue()[code].explanation
    assert max(map(len, explanation)) <= 100


def test_small_letters_will_do(call) -> None:
    assert call("explain", " rs203").out == call("explain", "RS203").out


def test_without_a_code_all_are_listed(call, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = call("explain").out.splitlines()
    assert [line.split()[0] for line in lines] == list(catalogue())
    assert not any(line.endswith(" ") for line in lines)


def test_a_narrow_terminal_shows_every_word(call, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = call("explain").out
    assert max(map(len, shown.splitlines())) <= 40
    words = {word for entry in catalogue().values() for word in entry.title.split()}
    assert words <= set(shown.split())


@pytest.mark.parametrize(("typed", "likely"), [("RS0211", "RS021"), ("RS22", "RS022"), ("S203", "RS203")])
def test_an_unknown_code_gets_a_near_match(call, typed: str, likely: str) -> None:
    shown = call("explain", typed)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err == (
        f'error RS001 there is no message with the code "{typed}".\n  → did you mean  rocsteady explain {likely} ?\n'
    )


def test_a_hopeless_code_leads_to_the_list(call, snapshot) -> None:
    shown = call("explain", "banana")
    assert shown.code == 2
    snapshot("explain_hopeless", shown.err)
