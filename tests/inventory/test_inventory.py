"""Nothing that the package offers gets lost unnoticed, and no test about safety at all.

While the tree is restructured every line of inventory.txt is there, or accounts.toml says where it went or why it went.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import inventory

HERE = Path(__file__).parent
Accounts = dict[str, list[dict[str, Any]]]


@cache
def present() -> frozenset[str]:
    return frozenset(inventory.present())


@cache
def accounts() -> Accounts:
    found: Accounts = {}
    for path in sorted(HERE.glob("accounts*.toml")):
        for kind, own in tomllib.loads(path.read_text(encoding="utf-8")).items():
            found.setdefault(kind, []).extend(own)
    return found


def unaccounted(stored: list[str], now: frozenset[str], given: Accounts) -> list[str]:
    """Every line that is neither there nor accounted for, and every account that is not good enough."""
    faults, used = [], set()
    for line in stored:
        if inventory.is_there(line, now):
            continue
        moves = [own for own in given.get("moved", []) if line.startswith(own["from"])]
        drops = [
            own for own in given.get("dropped", []) if any(_is_like(line, like) for like in own["lines"])
        ]
        used |= {id(own) for own in (*moves, *drops)}
        if moves:
            targets = [own["to"] + line.removeprefix(own["from"]) for own in moves]
            if not any(inventory.is_there(target, now) for target in targets):
                faults.append(f"moved to something that is not there: {line}")
        elif line.startswith("safety "):
            faults.append(f"a test about safety is lost: {line}")
        elif not any(str(own["why"]).strip() for own in drops):
            faults.append(f"neither there nor accounted for: {line}")
    every = (*given.get("moved", []), *given.get("dropped", []))
    return faults + [f"an account that nothing needs: {own}" for own in every if id(own) not in used]


def _is_like(line: str, like: str) -> bool:
    return line.startswith(like[:-1]) if like.endswith("*") else line == like


def test_every_line_is_there_or_accounted_for() -> None:
    assert unaccounted(inventory.stored(), present(), accounts()) == []


def test_the_file_is_sorted_and_has_every_kind() -> None:
    stored = inventory.stored()
    assert stored == sorted(set(stored))
    kinds = " ".join(sorted({line.split(" ")[0] for line in stored}))
    assert kinds == "argument code command field figure method name option parameter safety section"


def test_every_test_that_is_listed_as_safety_is_there() -> None:
    listed = tomllib.loads(inventory.SAFETY.read_text(encoding="utf-8"))
    names = [own for tests in listed.values() for own in tests]
    lacking = [
        own for own in names if not any(f"{test}::".startswith(f"{own}::") for test in inventory.tests())
    ]
    assert lacking == []


def test_new_tests_about_safety_are_in_the_file() -> None:
    assert [line for line in inventory.safety() if line not in set(inventory.stored())] == []


GONE = "field Interval.width_in_furlongs"
LOST = "safety tests/test_errors.py::test_that_was_deleted"
KEPT = "safety tests/test_errors.py::test_near_match"


@pytest.mark.parametrize(
    ("stored", "given", "fault"),
    [
        ([GONE], {}, "neither there nor accounted for"),
        ([GONE], {"dropped": [{"lines": [GONE], "why": " "}]}, "neither there nor accounted for"),
        ([GONE], {"moved": [{"from": GONE, "to": "field Interval.width_in_ells"}]}, "is not there"),
        ([LOST], {}, "about safety is lost"),
        ([LOST], {"dropped": [{"lines": ["safety *"], "why": "no longer needed"}]}, "about safety is lost"),
        ([LOST], {"moved": [{"from": LOST, "to": LOST + "_too"}]}, "is not there"),
        ([KEPT], {"dropped": [{"lines": [GONE], "why": "who measures in furlongs?"}]}, "nothing needs"),
    ],
)  # fmt: skip
def test_what_is_lost_is_noticed(stored: list[str], given: Accounts, fault: str) -> None:
    (found,) = unaccounted(stored, present(), given)
    assert fault in found


@pytest.mark.parametrize(
    ("stored", "given"),
    [
        ([KEPT, "field Interval.low"], {}),
        ([GONE], {"dropped": [{"lines": ["field Interval.width*"], "why": "who measures in furlongs?"}]}),
        ([GONE], {"moved": [{"from": GONE, "to": "field Interval.high"}]}),
        ([LOST], {"moved": [{"from": LOST, "to": KEPT}]}),
    ],
)  # fmt: skip
def test_what_is_accounted_for_is_not_lost(stored: list[str], given: Accounts) -> None:
    assert unaccounted(stored, present(), given) == []
