"""The picture of the report in the README comes from code that runs."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]


def test_the_picture_is_made_by_code_that_runs(tmp_path: Path, browser: Any) -> None:
    path = tmp_path / "report.png"
    runpy.run_path(str(ROOT / "docs" / "make_report_picture.py"))["take"](browser, path)
    with Image.open(path) as made, Image.open(ROOT / "docs/images/report.png") as shown:
        assert made.size == shown.size
        assert len(made.convert("RGB").getcolors(1 << 24)) > 50  # something was drawn
