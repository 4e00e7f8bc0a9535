"""docs/messages.md is made from the catalogue."""

from __future__ import annotations

import runpy
from pathlib import Path

from rocsteady.errors import catalogue

DOCS = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_messages.py"))


def test_the_page_is_what_the_catalogue_is() -> None:
    written = DOCS["PAGE"].read_text(encoding="utf-8")
    assert DOCS["page"]() == written, "run: python docs/make_messages.py"
    assert written.count("\n## RS") == len(catalogue())
