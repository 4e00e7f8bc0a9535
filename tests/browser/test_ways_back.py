"""Section 2 where a reader has gone astray: back to what was declared, to what the zoom hides, to all averages."""

from __future__ import annotations

import numpy as np
import pytest

from browser.readings import choose, places, shows
from rocsteady.report.html.figures.reading.roc import ZOOM, x_of, y_of


def test_after_the_slider_there_is_a_way_back_to_the_declared_setting(visit, declared):
    own = visit(declared.path)
    start, back = declared.reading("threshold").start, own.page.locator("#r-return")
    box = own.page.locator("#r-slider").bounding_box()
    share = start / (len(declared.reading("threshold").labels) - 1)
    tick = own.page.locator("#r-tick").evaluate(
        "own => [getComputedStyle(own).left, own.parentElement.clientWidth]"
    )
    assert float(tick[0].removesuffix("px")) == pytest.approx(share * tick[1], abs=1)
    assert tick[1] == pytest.approx(box["width"] - 16, abs=1)  # as far as the middle of the thumb can go
    assert not back.is_visible()
    own.slide(start + 5)
    assert back.is_visible()
    assert not own.page.locator("#r-strayed").is_visible()  # the use is the declared one
    back.click()
    own.settle()
    assert shows(own, declared, "threshold", 0, start)
    assert not back.is_visible()
    assert own.page.evaluate("() => document.activeElement.id") == "r-slider"
    own.page.locator("#r-models button").nth(1).click()
    back.click()
    own.settle()
    assert shows(own, declared, "threshold", 0, start)


def test_the_slider_itself_says_that_somebody_explores(visit, declared, undeclared):
    own = visit(declared.path)
    assert not own.page.locator("#r-strayed").is_visible()
    choose(own, declared, "vertical")
    own.page.locator("#r-models button").nth(1).click()
    own.slide(3)
    assert "one threshold for all hosts" in own.text("#read #r-strayed")
    assert not own.page.locator("#r-tick").is_visible()
    own.page.locator("#r-strayed-back").click()
    own.settle()
    assert shows(own, declared, "threshold", 0, declared.reading("threshold").start)
    assert not own.page.locator("#r-exploring, #r-strayed").locator("visible=true").count()
    other = visit(undeclared.path)
    other.page.locator("input[value=vertical]").check()
    assert "none was declared" in other.text("#r-strayed")
    other.page.locator("#r-strayed-back").click()
    assert other.text("#r-name") == "None recommended"
    assert not other.page.locator("#r-strayed").is_visible()


def test_a_point_outside_the_zoom_is_told_at_its_edge(visit, declared):
    own = visit(declared.path)
    reading, note = declared.reading("threshold"), own.page.locator("#r-beyond")
    outside = int(np.flatnonzero(reading.fpr > ZOOM + 0.02)[-1])
    own.slide(outside)
    assert not note.is_visible()  # it is in the picture
    own.page.locator("#r-zoom").click()
    own.settle()
    assert note.is_visible()
    assert declared.summary.wording.fpr.percent(float(reading.fpr[outside])) in note.text_content()
    (at,) = places(own, "#r-beyond")
    np.testing.assert_allclose(at, [x_of(1), y_of(reading.tpr[outside])], atol=0.1)
    assert "beyond the right edge" in own.text("#read figcaption >> nth=0")
    own.slide(reading.start)
    assert reading.fpr[reading.start] < ZOOM
    assert not note.is_visible()
    own.slide(outside)
    own.page.locator("#r-zoom").click()
    own.settle()
    assert not note.is_visible()


def test_the_table_of_all_averages_has_a_row_for_each(visit, undeclared, declared):
    own = visit(undeclared.path)
    own.page.locator("#read summary").click()
    modes = [mode for mode in undeclared.summary.averages if not mode.problem]
    for model in (0, 1):
        own.page.locator("#r-models button").nth(model).click()
        rows = own.page.locator("table.r-twin-all tbody tr")
        assert rows.locator("th").all_text_contents() == [mode.name for mode in modes]
        areas = [f"{mode.models[model].auc:.3f}" for mode in modes]
        assert rows.locator("td:nth-child(2)").all_text_contents() == areas
    assert not own.page.locator("table.r-twin").is_visible()
    own.page.locator("input[value=threshold]").check()
    assert own.page.locator("table.r-twin").is_visible()
    assert not own.page.locator("table.r-twin-all").is_visible()
    # What is held is the threshold, and need not be told twice.
    assert own.page.locator("table.r-twin tbody tr:first-child > :visible").count() == 3
    choose(own, undeclared, "vertical")
    assert own.page.locator("table.r-twin tbody tr:first-child > :visible").count() == 4
    assert visit(declared.path).page.locator("table.r-twin-all").count() == 0
