"""Where a reader has gone astray: back to what was declared, and to all averages."""

from __future__ import annotations

import pytest

from browser.readings import choose, shows


def test_after_the_slider_there_is_a_way_back_to_the_declared_setting(visit, declared):
    own = visit(declared.path)
    start, back = declared.reading("threshold").start, own.page.locator("#r-return")
    box = own.page.locator("#r-slider").bounding_box()
    share = start / (len(declared.labels("threshold")) - 1)
    tick = own.page.locator("#r-tick").evaluate(
        "own => [getComputedStyle(own).left, own.parentElement.clientWidth]"
    )
    assert float(tick[0].removesuffix("px")) == pytest.approx(share * tick[1], abs=1)
    assert tick[1] == pytest.approx(box["width"] - 16, abs=1)  # as far as the middle of the thumb can go
    assert not back.is_visible()
    own.slide(start + 5)
    assert back.is_visible()
    assert not own.page.locator("#reading [data-exploring]").is_visible()  # the use is the declared one
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
    choose(own, declared, "vertical")
    own.page.locator("#r-models button").nth(1).click()
    own.slide(3)
    assert "one threshold for all hosts" in own.text("#reading [data-exploring]")
    assert not own.page.locator("#r-tick").is_visible()
    own.page.locator("#reading [data-back]").click()
    own.settle()
    assert shows(own, declared, "threshold", 0, declared.reading("threshold").start)
    assert not own.page.locator("[data-exploring]").locator("visible=true").count()
    other = visit(undeclared.path)
    other.page.locator("input[value=vertical]").check()
    assert "None was declared" in other.text("#reading [data-exploring]")
    other.page.locator("#reading [data-back]").click()
    assert other.text("#u-name") == ""
    assert not other.page.locator("#r-controls").is_visible()


def test_the_table_of_all_averages_has_a_row_for_each(visit, undeclared):
    own = visit(undeclared.path)
    own.page.locator("#reading summary").click()
    words = undeclared.study.words
    rows = own.page.locator("#r-numbers tbody tr")
    names = [
        f"{use.name.plain(words)}, {model}"
        for model in undeclared.study.models
        for use in undeclared.moving.uses
    ]
    assert rows.locator("th").all_text_contents() == names
    areas = [f"{undeclared.reading(use.key).area:.3f}" for use in undeclared.moving.uses]
    assert rows.locator("td:nth-child(2)").all_text_contents()[: len(areas)] == areas
    choose(own, undeclared, "threshold")
    # What is held is the threshold, and need not be told twice.
    assert own.page.locator("#r-numbers tbody tr:first-child > *").count() == 3
    choose(own, undeclared, "vertical")
    assert own.page.locator("#r-numbers tbody tr:first-child > *").count() == 4
