"""The rest of the script: sorting, all rows, what can be taken away; and names that want to be run."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

import rocsteady as rs
from browser.reports import HOSTILE, made, scores
from rocsteady.report.html.sections import groups

MANY = groups.N_STATIC + 7
FORMULA = f"{HOSTILE[2]}\u202e"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Hostile group names, model names, class labels, unit and title."""
    long = "a very long name " * 30
    own = scores((*HOSTILE, long), (FORMULA, HOSTILE[0]), labels=(HOSTILE[1], HOSTILE[3]), unit=HOSTILE[0])
    path = tmp_path_factory.mktemp("hostile") / "<img onerror=alert(1)>.html"
    return made(path, own, rs.Deployment(threshold="shared"), title=HOSTILE[1])


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """More groups than rows that stand in the page."""
    names = tuple(f"host-{i:03d}" for i in range(1, MANY + 1))
    path = tmp_path_factory.mktemp("many") / "report.html"
    return made(path, scores(names, ("",), per_group=9), rs.Deployment(threshold="shared"))


def column(visit, k):
    return visit.page.locator("table.groups tbody tr").evaluate_all(
        "(rows, k) => rows.map((row) => row.cells[k].textContent)", k
    )


def heading(visit, words, nth=0):
    return visit.page.locator("table.groups thead th", has=visit.page.locator("button", has_text=words)).nth(
        nth
    )


def test_a_click_on_a_heading_sorts(visit, hostile):
    own = visit(hostile.path)
    part = hostile.summary.groups
    auc = heading(own, "AUC")
    k = auc.evaluate("own => own.cellIndex")
    assert auc.get_attribute("aria-sort") == "none"
    auc.locator("button").click()
    assert auc.get_attribute("aria-sort") == "ascending"
    assert column(own, k) == [f"{area:.3f}" for area in np.sort(part.models[0].auc)]
    auc.locator("button").focus()
    own.page.keyboard.press("Enter")
    assert auc.get_attribute("aria-sort") == "descending"
    assert column(own, k) == [f"{area:.3f}" for area in np.sort(part.models[0].auc)[::-1]]
    other = heading(own, "AUC", nth=1)
    other.locator("button").click()
    assert [auc.get_attribute("aria-sort"), other.get_attribute("aria-sort")] == ["none", "ascending"]


def test_sorting_goes_over_rows_that_are_not_in_the_page(visit, many):
    own = visit(many.path)
    part = many.summary.groups
    k = heading(own, "AUC").evaluate("own => own.cellIndex")
    assert len(column(own, 0)) == groups.N_STATIC
    heading(own, "AUC").locator("button").click()
    heading(own, "AUC").locator("button").click()
    best = np.sort(part.models[0].auc)[::-1][: groups.N_STATIC]
    assert column(own, k) == [f"{area:.3f}" for area in best]
    own.page.locator("[data-show-all]").click()
    assert sorted(column(own, 0)) == list(part.groups)
    assert not own.page.locator("[data-show-all]").is_visible()
    by_name = dict(zip(column(own, 0), column(own, k), strict=True))
    assert by_name == {name: f"{auc:.3f}" for name, auc in zip(part.groups, part.models[0].auc, strict=True)}
    # The small pictures of rows that the script wrote stand where Python would have put them.
    lowest = own.page.locator("table.groups tbody tr").last
    places = lowest.locator("[data-x=cx]").get_attribute("cx")
    row = next(row for row in groups.rest(many.summary, many.summary.wording) if row[1] == column(own, 0)[-1])
    assert float(places) == pytest.approx(next(cell for cell in row if isinstance(cell, tuple))[2])


def test_numbers_sort_as_numbers_and_names_as_people_count(visit, many):
    own = visit(many.path)
    found = own.page.evaluate(
        """() => {
          const table = document.querySelector('table.groups');
          return [...table.querySelectorAll('th button[data-sort]')].map((button) => button.dataset.sort);
        }"""
    )
    assert set(found) == {"number", "text"}
    name = heading(own, "Host")
    name.locator("button").click()
    name.locator("button").click()
    assert column(own, 0)[0] == f"host-{MANY:03d}"


def test_hostile_names_are_shown_and_nothing_runs(visit, hostile):
    own = visit(hostile.path)
    for radio in own.page.locator("#deploy input[type=radio]:visible:enabled").all():
        radio.check()
    for radio in own.page.locator("#deploy input[type=radio]:visible:enabled").all():
        radio.check()
    own.page.locator("#r-models button").nth(1).click()
    own.slide(3)
    heading(own, "AUC").locator("button").click()
    shown = own.page.locator("body").text_content()
    for name in (
        "<script>alert(1)</script>",
        "</script><!--<img src=x onerror=alert(2)>",
        '=cmd("x")',
        "\"'><b>&amp;",
    ):
        assert name in shown
    assert "\\u202eright to left" in shown  # spelled out, so that it turns nothing round
    assert "\u202e" not in shown
    assert own.page.locator("body img, body b b, script[src]").count() == 0
    assert own.page.evaluate("() => document.scripts.length") == 3  # two of data, one of ours
    # The fixture holds that no dialog was opened and nothing was asked of the network.


def test_curves_are_offered_as_a_file_that_no_spreadsheet_runs(visit, hostile):
    own = visit(hostile.path, accept_downloads=True)
    with own.page.expect_download() as waiting:
        own.page.locator("[data-csv=curves]").click()
    with open(waiting.value.path(), encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(io.StringIO(file.read(), newline="")))
    models = {row["model"] for row in rows}
    assert models == {'\'=cmd("x")\\u202e', "<script>alert(1)</script>"}
    assert not [cell for row in rows for cell in row.values() if re.match(r"[=+@\t\r]|-\D", cell)]
    reading = hostile.reading("vertical", 1)
    own_rows = [row for row in rows if row["average"] == "vertical" and row["model"].startswith("<")]
    np.testing.assert_allclose([float(row["fpr"]) for row in own_rows], reading.fpr, atol=1e-6)
    np.testing.assert_allclose([float(row["tpr"]) for row in own_rows], reading.tpr, atol=1e-6)
    assert [float(row["threshold_low"] or "nan") for row in own_rows] == pytest.approx(
        np.where(np.isfinite(reading.threshold_low), reading.threshold_low, np.nan), rel=0, abs=0, nan_ok=True
    )
    assert {row["fpr_low"] for row in own_rows} == {""}  # what is held has no interval


def test_the_methods_are_copied_or_at_least_selected(visit, hostile):
    own = visit(hostile.path)
    button = own.page.locator("[data-copy]").first
    expected = own.text(f"#{button.get_attribute('data-copy')}")
    button.click()
    own.page.wait_for_function("() => document.querySelector('[data-status]').textContent !== ''")
    selected = own.page.evaluate("() => getSelection().toString()")
    said = own.text("[data-status] >> nth=0")
    assert said.startswith("Copied") or selected.split() == expected.split()


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("desktop", {}),
        ("dark", {"color_scheme": "dark"}),
        ("phone", {"viewport": {"width": 390, "height": 800}}),
    ],
)
def test_the_page_fits_its_window(visit, hostile, tmp_path, kind, options):
    own = visit(hostile.path, **options)
    assert own.overflow() <= 0
    own.page.locator("#read summary").click()
    assert own.overflow() <= 0
    own.page.screenshot(path=tmp_path / f"{kind}.png", full_page=True)
    assert (tmp_path / f"{kind}.png").stat().st_size > 50_000


def test_the_page_prints(visit, many, tmp_path):
    own = visit(many.path)
    own.page.pdf(path=tmp_path / "report.pdf", format="A4")
    pages = re.findall(rb"/Type\s*/Page\b", (tmp_path / "report.pdf").read_bytes())
    assert 3 <= len(pages) <= 16
