"""How the page lies: the answer in sight, nothing to scroll sideways on a phone, nothing cut on paper, dark where asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rocsteady as rs
from hostile_pages import hostile_report, made, scores
from rocsteady.text import ML, Cut

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

PHONE = {"width": 390, "height": 844}
PAPER = {"width": 688, "height": 1009}
"""A4 less the margins of the style sheet, in CSS pixels."""
MODELS = ("current", "candidate")
OWN = rs.Deployment(threshold="own", hold="fpr", at=0.1)
SHARED = rs.Deployment("shared", at={"fpr": 0.1})


def hosts(n: int) -> tuple[str, ...]:
    return tuple(f"host-{k:02d}" for k in range(n))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "hostile <b>&'.html"
    path.write_text(hostile_report()[1], encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(made(scores(hosts(12), MODELS), OWN)[1], encoding="utf-8")
    return path


FIRST = """() => {
  const seen = (own) => own && own.getBoundingClientRect().bottom <= innerHeight && own.checkVisibility();
  const answer = document.querySelector('#answer');
  return {
    sentence: seen(answer.querySelector('p')),
    figure: seen(answer.querySelector('svg')),
    all: answer.getBoundingClientRect().bottom <= innerHeight,
  };
}"""


@pytest.mark.parametrize("use", [SHARED, OWN, None])
@pytest.mark.parametrize("models", [("",), MODELS, ("A", "B", "C")])
def test_the_first_screen_holds_the_answer(
    visit: Callable[..., Any], tmp_path: Path, use: rs.Deployment | None, models: tuple[str, ...]
) -> None:
    path = tmp_path / "report.html"
    study, page = made(scores(hosts(12), models), use)
    path.write_text(page, encoding="utf-8")
    seen = visit(path, viewport={"width": 1280, "height": 800})
    if use is SHARED:  # the threshold to deploy, with all digits that decide rows
        cuts = [Cut(study.point(name).threshold, study.point(name).beside).spell(ML) for name in study.models]
        assert all(cut in seen.text("#answer") for cut in cuts)
    assert seen.page.evaluate(FIRST) == {"sentence": True, "figure": True, "all": True}


WIDER = """() => [...document.querySelectorAll('main *, header *, nav *')].filter((own) => {
  if (own.closest('.scroll, nav ul, .unseen, svg, details:not([open]), pre')) return false;
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
    assert 3 <= len(re.findall(rb"/Type ?/Page\b", printed)) <= 6


def test_a_short_report_has_two_printed_pages(visit: Callable[..., Any], tmp_path: Path) -> None:
    study = made(scores(hosts(12), MODELS), SHARED)[0]
    seen = visit(study.report(tmp_path / "short.html", short=True).path, viewport=PAPER)
    printed = seen.page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type ?/Page\b", printed)) <= 2


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six models, 44 hosts."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    given = scores(hosts(44), tuple(f"model_{k}" for k in "ABCDEF"))
    path.write_text(made(given, OWN)[1], encoding="utf-8")
    return path


LETTERS = """() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, own = node.parentElement, range = document.createRange();
    range.selectNodeContents(node);
    if (!node.textContent.trim() || own.closest('script, title, .unseen, .scroll') || !range.getBoundingClientRect().width) continue;
    if (own.closest('svg:not(.picture)')) continue;
    const scale = own.getScreenCTM?.();
    const size = parseFloat(getComputedStyle(own).fontSize) * (scale ? Math.hypot(scale.a, scale.b) : 1);
    found.push([size, `${own.tagName}.${own.getAttribute('class')}: ${node.textContent.slice(0, 30)}`]);
  }
  return found;
}"""


def test_letters_on_paper_have_7_points(visit: Callable[..., Any], usual: Path, many: Path) -> None:
    for path in (usual, many):
        seen = visit(path)
        seen.page.set_viewport_size(PAPER)
        seen.page.emulate_media(media="print")
        assert [own for own in seen.page.evaluate(LETTERS) if own[0] < 7 / 0.75 - 0.05] == []


def test_paper_tells_the_declared_answers_only(visit: Callable[..., Any], usual: Path) -> None:
    seen = visit(usual, viewport=PAPER)
    seen.page.emulate_media(media="print")
    assert seen.page.locator("#uses .card:visible").count() == 2
    assert seen.page.locator("#uses .card:visible .tag").count() == 2
    assert seen.page.locator("#groups tbody tr:visible").count() == 12


CLIPPED = """() => [...document.querySelectorAll('nav a')].filter((own) => {
  const box = own.getBoundingClientRect(), room = own.closest('nav').getBoundingClientRect();
  return box.right > innerWidth || box.bottom > room.bottom;
}).map((own) => own.textContent)"""


def test_all_sections_can_be_seen_in_the_bar_or_it_fades_out(visit: Callable[..., Any], usual: Path) -> None:
    seen = visit(usual)
    # Those that only some reports have.
    seen.page.evaluate(
        """() => {
          for (const words of ['Readers', 'smROC']) {
            const entry = document.querySelector('nav li').cloneNode(true);
            entry.firstChild.textContent = words;
            document.querySelector('nav ul').append(entry);
          }
        }"""
    )
    for width in (1240, 1000, 910):
        seen.page.set_viewport_size({"width": width, "height": 900})
        assert seen.page.evaluate(CLIPPED) == []
        bar = seen.page.locator("nav").bounding_box()["height"]
        seen.page.locator("nav a[href='#groups']").click()
        seen.page.wait_for_timeout(1200)  # it scrolls there
        assert seen.page.locator("#groups h2").bounding_box()["y"] >= bar
    seen.page.set_viewport_size({"width": 768, "height": 900})
    assert "gradient" in seen.page.locator("nav ul").evaluate("own => getComputedStyle(own).maskImage")


def test_tables_show_all_rows_or_are_cut_so_that_it_is_seen(
    visit: Callable[..., Any], usual: Path, many: Path
) -> None:
    table = "#groups .scroll"
    taller = "own => own.scrollHeight > own.clientHeight + 2"
    assert visit(usual).page.locator(table).first.evaluate(taller) is False
    seen = visit(many)
    seen.page.locator("#groups [data-all]").click()
    assert seen.page.locator(table).first.evaluate(taller) is True
    # Whose row it is stays in sight.
    first = f"{table} tbody th >> nth=0"
    before = seen.page.locator(first).bounding_box()["x"]
    seen.page.locator(table).first.evaluate("own => { own.scrollLeft = 400; }")
    assert seen.page.locator(first).bounding_box()["x"] == pytest.approx(before, abs=2)


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
    assert page.locator("#answer p").first.inner_text()
    assert page.locator("#r-sentence").inner_text()
    assert page.locator("#groups tbody tr").count() == 12
    assert page.locator("p.buttons button:visible").count() == 0
