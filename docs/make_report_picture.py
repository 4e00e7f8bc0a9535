"""Make docs/images/report.png: the top of the report that ``rocsteady demo`` writes, as Chromium shows it.

The data are simulated. Run it after the page has changed: ``python docs/make_report_picture.py``. It needs
playwright, Pillow and Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

PICTURE = Path(__file__).parent / "images" / "report.png"
WIDTH, HEIGHT = 1240, 1790
"""Down to the end of the section that reads the curve."""


def take(browser: Any, path: Path) -> None:
    """Write the demo's report, open it, take a picture of its beginning."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rocsteady", "demo", "--output", folder]
        subprocess.run(command, check=True, capture_output=True)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(Path(folder, "hosts.html").as_uri())
        page.wait_for_selector("html[data-ready]")
        page.screenshot(path=path)
        page.close()
    with Image.open(path) as shot:
        few = shot.convert("RGB").quantize(128, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def main() -> None:
    """Take it with Debian's Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        take(browser, PICTURE)
        browser.close()
    print(f"{PICTURE}  {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
