"""One browser for all tests of the page, without a network, and a watch on everything that should not happen."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import rocsteady as rs
from browser.reports import HOSTS, Report, made, scores
from conftest import skip_unless_required

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")


@dataclass
class Visit:
    """A page that was opened, what it asked of the network, and what went wrong."""

    page: Any
    asked: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def text(self, selector: str) -> str:
        """The text of one element, as it is seen."""
        return str(self.page.locator(selector).inner_text())

    def attribute(self, selector: str, name: str) -> str:
        return str(self.page.locator(selector).get_attribute(name))

    def slide(self, to: int) -> None:
        """Move the slider and wait until the page has drawn it."""
        self.page.locator("#r-slider").evaluate(
            "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')); }", to
        )
        self.settle()

    def settle(self) -> None:
        """Two frames: one may have been under way."""
        self.page.evaluate("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def overflow(self) -> float:
        """How far the page can be scrolled sideways."""
        return float(self.page.evaluate("() => document.documentElement.scrollWidth - innerWidth"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, or whichever is installed."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        skip_unless_required("playwright is not installed")
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        skip_unless_required("there is no Chromium")
    with sync_playwright() as playwright:
        own = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield own
        own.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Visit]]:
    """A function that opens a page; at the end nothing may have been asked, said or thrown."""
    contexts, visits = [], []

    def opened(path: Path, *, is_ready: bool = True, **options: Any) -> Visit:
        options = {"viewport": {"width": 1240, "height": 900}, **options}
        context = browser.new_context(**options)
        contexts.append(context)
        own = Visit(context.new_page())
        visits.append(own)
        address = path.resolve().as_uri()

        def answer(route: Any) -> None:
            if route.request.url == address:
                route.continue_()
            else:
                own.asked.append(route.request.url)
                route.abort()

        context.route("**/*", answer)
        own.page.on("console", lambda message: own.troubles.append(f"console: {message.text}"))
        own.page.on("pageerror", lambda error: own.troubles.append(f"error: {error}"))
        own.page.on("dialog", lambda dialog: (own.troubles.append("dialog"), dialog.dismiss()))
        own.page.goto(address)
        if is_ready and options.get("java_script_enabled", True):
            own.page.wait_for_selector("html[data-ready]", state="attached", timeout=10_000)
        return own

    yield opened
    for context in contexts:
        context.close()
    assert [trouble for own in visits for trouble in own.troubles] == []
    assert [address for own in visits for address in own.asked] == []


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report of a declared use."""
    path = tmp_path_factory.mktemp("declared") / "report.html"
    return made(path, scores(HOSTS), rs.Deployment("shared", at={"fpr": 0.05}))


@pytest.fixture(scope="module")
def undeclared(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """One of none."""
    path = tmp_path_factory.mktemp("undeclared") / "report.html"
    return made(path, scores(HOSTS), words="medical")
