"""The rest of the script: sorting, all rows, what can be taken away; and names that want to be run."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest

import rocsteady as rs
from browser.reports import HOSTILE, made, scores
from rocsteady.show import html
from rocsteady.show.sections.spss import Lesson
from rocsteady.text import phrase

MANY = html.MOST_ROWS + 7
FORMULA = f"{HOSTILE[2]}\u202e"
TABLE = "#groups table"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Hostile group names, model names, class labels, unit and title."""
    long = "a very long name " * 30
    own = scores((*HOSTILE, long), (FORMULA, HOSTILE[0]), labels=(HOSTILE[1], HOSTILE[3]), unit=HOSTILE[0])
    path = tmp_path_factory.mktemp("hostile") / "<img onerror=alert(1)>.html"
    return made(path, own, rs.Deployment(threshold="shared", at={"fpr": 0.1}), title=HOSTILE[1])


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """More groups than rows that stand in the page."""
    names = tuple(f"host-{i:03d}" for i in range(1, MANY + 1))
    path = tmp_path_factory.mktemp("many") / "report.html"
    return made(path, scores(names, ("",), per_group=9), rs.Deployment("shared", at={"fpr": 0.1}))


def column(visit, k):
    return (
        visit.page.locator(f"{TABLE} >> nth=0")
        .locator("tbody tr")
        .evaluate_all("(rows, k) => rows.map((row) => row.cells[k].textContent.trim())", k)
    )


def heading(visit, words, nth=0):
    button = visit.page.locator("button", has_text=words)
    return visit.page.locator(f"{TABLE} >> nth=0").locator("thead th", has=button).nth(nth)


def leading(cells):
    """The numbers that cells start with."""
    return [float(cell.split()[0].replace("−", "-")) for cell in cells if re.match(r"[\d−]", cell)]


def test_a_click_on_a_heading_sorts(visit, hostile):
    own = visit(hostile.path)
    auc = heading(own, "AUC")
    k = auc.evaluate("own => own.cellIndex")
    expected = [round(float(area), 3) for area in hostile.study.curves(FORMULA).auc]
    assert auc.get_attribute("aria-sort") == "none"
    auc.locator("button").click()
    assert auc.get_attribute("aria-sort") == "ascending"
    assert leading(column(own, k)) == sorted(expected)
    auc.locator("button").focus()
    own.page.keyboard.press("Enter")
    assert auc.get_attribute("aria-sort") == "descending"
    assert leading(column(own, k)) == sorted(expected, reverse=True)
    other = heading(own, "AUC", nth=1)
    other.locator("button").click()
    assert [auc.get_attribute("aria-sort"), other.get_attribute("aria-sort")] == ["none", "ascending"]


def test_sorting_goes_over_rows_that_are_not_in_the_page(visit, many):
    own = visit(many.path)
    k = heading(own, "AUC").evaluate("own => own.cellIndex")
    areas = [round(float(area), 3) for area in many.study.curves().auc]
    shown = len(column(own, 0))
    assert shown < MANY
    for _ in range(2):
        heading(own, "AUC").locator("button").click()
    assert leading(column(own, k)) == sorted(areas, reverse=True)[:shown]
    own.page.locator("#groups [data-all]").click()
    assert sorted(column(own, 0)) == sorted(many.study.curves().names)
    assert own.page.locator("#groups [data-all]").count() == 0
    found = {name: leading([cell])[0] for name, cell in zip(column(own, 0), column(own, k), strict=True)}
    assert found == dict(zip(many.study.curves().names, areas, strict=True))


def test_numbers_sort_as_numbers_and_names_as_people_count(visit, many):
    own = visit(many.path)
    kinds = own.page.locator("#groups th button").evaluate_all("all => all.map((own) => own.dataset.sort)")
    assert set(kinds) == {"number", "text"}
    name = heading(own, "Host")
    for _ in range(2):
        name.locator("button").click()
    assert column(own, 0)[0] == f"host-{MANY:03d}"


def test_hostile_names_are_shown_and_nothing_runs(visit, hostile):
    own = visit(hostile.path)
    for _ in range(2):
        for radio in own.page.locator("#uses input[type=radio]:visible").all():
            radio.check()
    own.page.locator("#r-models button").nth(1).click()
    own.slide(3)
    heading(own, "AUC").locator("button").click()
    shown = own.page.locator("body").text_content()
    for name in HOSTILE[:4]:
        assert name in shown
    assert "\\u202eright to left" in shown  # spelled out, so that it turns nothing round
    assert "\u202e" not in shown
    assert own.page.locator("body img, body b b, script[src]").count() == 0
    assert own.page.evaluate("() => document.scripts.length") == 2  # one of data, one of ours
    # The fixture holds that no dialog was opened and nothing was asked of the network.


def saved(visit, selector):
    """The rows of a file that a button offers."""
    with visit.page.expect_download() as waiting:
        visit.page.locator(selector).first.click()
    with open(waiting.value.path(), encoding="utf-8-sig", newline="") as file:
        return waiting.value.suggested_filename, list(csv.DictReader(io.StringIO(file.read(), newline="")))


def test_curves_are_offered_as_a_file_that_no_spreadsheet_runs(visit, hostile):
    own = visit(hostile.path, accept_downloads=True)
    name, rows = saved(own, "[data-curves]")
    assert name == "curves.csv"
    models = {row["model"] for row in rows}
    assert models == {'\'=cmd("x")\\u202e', "<script>alert(1)</script>"}
    assert not [cell for row in rows for cell in row.values() if re.match(r"[=+@\t\r]|-\D", cell)]
    reading = hostile.reading("vertical", 1)
    own_rows = [row for row in rows if row["average"] == "vertical" and row["model"].startswith("<")]
    for rate in ("fpr", "tpr"):
        np.testing.assert_allclose([float(row[rate]) for row in own_rows], reading.numbers[rate], atol=1e-5)
    low = reading.numbers["threshold_low"]
    assert [float(row["threshold_low"] or "nan") for row in own_rows] == pytest.approx(
        np.where(np.isfinite(low), low, np.nan), rel=0, abs=0, nan_ok=True
    )
    assert {row["fpr_low"] for row in own_rows} == {""}  # what is held has no interval


def test_a_table_is_offered_with_all_of_its_rows(visit, many, hostile):
    own = visit(many.path, accept_downloads=True)
    _, rows = saved(own, "#groups [data-save]")
    assert len(rows) == MANY
    assert {next(iter(row.values())) for row in rows} == set(many.study.curves().names)
    own = visit(hostile.path, accept_downloads=True)
    _, rows = saved(own, "#groups [data-save]")
    assert '\'=cmd("x")' in {next(iter(row.values())) for row in rows}
    assert not [cell for row in rows for cell in row.values() if re.match(r"[=+@\t\r]|-\D", cell)]


def test_the_methods_are_copied_or_at_least_selected(visit, hostile):
    own = visit(hostile.path)
    button = own.page.locator("[data-copy=methods]")
    button.click()
    status = "p.buttons:has([data-copy=methods]) [role=status]"
    own.page.wait_for_function(f"() => document.querySelector('{status}').textContent !== ''")
    selected = own.page.evaluate("() => getSelection().toString()")
    assert own.text(status).startswith("Copied") or own.text("#methods p >> nth=0")[:40] in selected


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
    own.page.locator("#reading summary").click()
    assert own.overflow() <= 0
    own.page.screenshot(path=tmp_path / f"{kind}.png", full_page=True)
    assert (tmp_path / f"{kind}.png").stat().st_size > 50_000


def test_the_page_prints(visit, many, tmp_path):
    own = visit(many.path)
    own.page.pdf(path=tmp_path / "report.pdf", format="A4")
    pages = re.findall(rb"/Type\s*/Page\b", (tmp_path / "report.pdf").read_bytes())
    assert 3 <= len(pages) <= 16


def test_a_table_around_a_cut_off_shows_and_saves_every_row(visit, tmp_path):
    rng = np.random.default_rng(3)
    labels = np.arange(200) % 2
    marker = rng.normal(size=200) + labels
    study = rs.Study(rs.ScoreSet.from_folds([(labels, marker)]), at=["youden"], n_resamples=200)
    parts = list(Lesson(study).sections())
    (tmp_path / "lesson.html").write_text(html.page(phrase("lesson"), [], parts, study.words))
    own = visit(tmp_path / "lesson.html")
    table = own.page.locator('table[data-name="coordinates"]')
    before = table.locator("tbody tr").count()
    assert before < 30
    assert table.locator("tr.gap").count() == 2
    name = table.get_attribute("id")
    with own.page.expect_download() as saved:
        own.page.locator(f'[data-save="{name}"]').click()
    lines = list(csv.reader(io.StringIO(saved.value.path().read_text(encoding="utf-8-sig"))))
    own.page.locator(f'[data-all="{name}"]').click()
    assert table.locator("tr.gap").count() == 0
    cutoffs = [float(cell) for cell in table.locator("tbody tr > :first-child").all_inner_texts()]
    assert cutoffs == [float(line[0]) for line in lines[1:]] == sorted(cutoffs)
    assert len(cutoffs) == 201
    assert cutoffs[0] < 0  # "-.1234", a number without a zero, is not taken for a formula
