"""`rocsteady explain K8` prints an entry of the errata."""

from __future__ import annotations

import pytest

from rocsteady.reproductions.errata.collection import errata


@pytest.mark.parametrize("entry", errata(), ids=lambda entry: entry.code)
def test_every_erratum_is_explained(call, entry) -> None:
    shown = call("explain", entry.code.lower())
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith(f"{entry.code} ")
    flat = " ".join(shown.out.split())
    assert entry.title in flat
    assert f"Instead: {entry.instead[:20].split('[')[0]}" in flat
    assert "](" not in shown.out


@pytest.mark.parametrize("code", ["K99", "H0", "X1"])
def test_an_erratum_that_is_not_there_is_an_unknown_code(call, code: str) -> None:
    shown = call("explain", code)
    assert (shown.code, shown.out) == (2, "")
    assert "RS001" in shown.err
