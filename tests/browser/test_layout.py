"""How the page lies: nothing to scroll sideways on a phone, nothing cut on paper, dark where asked, alive without script."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rocsteady as rs
from hostile_pages import hostile_report, made, scores

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

PHONE = {"width": 390, "height": 844}
PAPER = {"width": 688, "height": 1009}
"""A4 less the margins of the style sheet, in CSS pixels."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "hostile <b>&'.html"
    path.write_text(hostile_report()[1], encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    given = scores(tuple(f"host-{k:02d}" for k in range(12)), ("current", "candidate"))
    path.write_text(made(given, rs.Deployment(threshold="own", hold="fpr", at=0.1))[1], encoding="utf-8")
    return path


WIDER = """() => [...document.querySelectorAll('main *, header *, nav *')].filter((own) => {
  if (own.closest('.scroll, .tw, nav ul, .unseen, svg, details:not([open]), pre')) return false;
  const box = own.getBoundingClientRect();
  return box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5);
}).map((own) => `${own.tagName}.${own.className}: ${own.textContent.slice(0, 40)}`)"""


def test_a_phone_never_scrolls_sideways_whatever_the_names_are(
    visit: Callable[..., Any], hostile: Path
) -> None:
    seen = visit(hostile, viewport=PHONE)
    for width in (390, 320, 768):
        seen.page.set_viewport_size(PHONE | {"width": width})
        assert seen.overflow() <= 0
        assert seen.page.evaluate(WIDER) == []
    seen.page.set_viewport_size(PHONE)
    seen.page.evaluate("() => document.querySelectorAll('details').forEach((own) => { own.open = true; })")
    assert seen.overflow() <= 0  # the tables that were folded scroll by themselves


CUT = """() => [...document.querySelectorAll('main svg, main table')].filter((own) => {
  const box = own.getBoundingClientRect();
  return box.width > 0 && box.right > innerWidth + 1;
}).map((own) => `${own.tagName} ${own.getAttribute('aria-label') || own.textContent.slice(0, 60)}`)"""


def test_paper_cuts_nothing_off_and_is_light(visit: Callable[..., Any], usual: Path) -> None:
    seen = visit(usual, viewport=PAPER, color_scheme="dark")
    seen.page.emulate_media(media="print")
    assert seen.page.evaluate(CUT) == []
    assert seen.page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    shown = (
        "() => [...document.querySelectorAll('nav, main p button')].filter((own) => own.checkVisibility())"
    )
    assert seen.page.evaluate(f"{shown}.length") == 0
    printed = seen.page.pdf(prefer_css_page_size=True)
    assert 4 <= len(re.findall(rb"/Type ?/Page\b", printed)) <= 8


def test_the_page_is_dark_where_the_screen_is_and_the_keyboard_reaches_the_answer_first(
    visit: Callable[..., Any], usual: Path
) -> None:
    seen = visit(usual, color_scheme="dark")
    colours = "() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    assert seen.page.evaluate(colours) == ["rgb(20, 24, 31)", "rgb(230, 234, 240)"]
    seen.page.keyboard.press("Tab")
    focused = seen.page.locator(":focus")
    assert focused.get_attribute("href") == "#answer"
    assert focused.bounding_box()["x"] >= 0
    assert focused.evaluate("(own) => getComputedStyle(own).outlineWidth") == "3px"


def test_without_script_the_page_says_everything_but_offers_nothing(
    visit: Callable[..., Any], usual: Path
) -> None:
    seen = visit(usual, java_script_enabled=False)
    page = seen.page
    assert page.locator("#answer .lead").inner_text()
    assert page.locator("#r-sentence").inner_text()
    assert page.locator("#groups tbody tr").count() == 12
    assert page.locator("#methods button:visible").count() == 0
