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

from PIL import Image
from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parent / "images" / "report.png"
WIDTH, HEIGHT = 1240, 1760
"""Down to the end of the section that reads the curve."""


def main() -> None:
    """Write the demo's report, open it, take a picture of its beginning."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rocsteady", "demo", "--output", folder]
        subprocess.run(command, check=True, capture_output=True)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.goto(Path(folder, "hosts.html").as_uri())
            page.wait_for_selector("html[data-ready]")
            page.screenshot(path=PICTURE)
            browser.close()
    picture = (
        Image.open(PICTURE)
        .convert("RGB")
        .quantize(128, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    )
    picture.save(PICTURE, optimize=True)
    print(f"{PICTURE}  {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
