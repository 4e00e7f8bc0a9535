"""The two questions and the curve in a real browser: what is moved shows the numbers that Python computed."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from browser.readings import choose, numbers, places, shows
from browser.reports import HOSTS, made, same, scores, x_of, y_of


def test_the_page_opens_with_the_declared_setting(visit, declared):
    own = visit(declared.path)
    start = declared.reading("threshold").start
    assert shows(own, declared, "threshold", 0, start)
    assert own.text("#u-name") == "Threshold average."
    assert own.page.locator("#uses .tag").count() == 2
    assert not own.page.locator("[data-exploring]").locator("visible=true").count()


def test_the_script_moves_nothing_that_python_had_placed(visit, declared):
    with_script = visit(declared.path)
    without = visit(declared.path, java_script_enabled=False)
    for selector in ("#r-guide", "#r-bar", "#r-over", "#r-own", "#r-band", "#r-faint", "#r-positive"):
        np.testing.assert_allclose(numbers(with_script, selector), numbers(without, selector), atol=2)
    dots = "#r-dots > circle"
    np.testing.assert_allclose(places(with_script, dots), places(without, dots), atol=0.2)


@pytest.mark.parametrize(
    ("key", "model"), [("threshold", 0), ("vertical", 1), ("diagonal", 0), ("radial", 1), ("cost", 0)]
)
def test_the_slider_moves_sentence_dots_and_thresholds_together(visit, declared, key, model):
    own = visit(declared.path)
    choose(own, declared, key)
    own.page.locator(f"#r-models button[data-model='{model}']").click()
    last = len(declared.labels(key, model)) - 1
    for at in (0, last // 3, last):
        own.slide(at)
        assert shows(own, declared, key, model, at)


def test_the_figures_stay_where_they_are_while_the_slider_moves(visit, declared):
    own = visit(declared.path)
    tops = set()
    for at in range(0, len(declared.labels("threshold")), 9):
        own.slide(at)
        tops.add(own.page.evaluate("() => document.getElementById('r-figures').offsetTop"))
    assert len(tops) == 1


def test_the_slider_works_by_keyboard(visit, declared):
    own = visit(declared.path)
    labels, start = declared.labels("threshold"), declared.reading("threshold").start
    own.page.locator("#r-slider").focus()
    for key, at in (("ArrowRight", start + 1), ("ArrowLeft", start), ("Home", 0), ("End", len(labels) - 1)):
        own.page.keyboard.press(key)
        own.settle()
        assert own.attribute("#r-slider", "aria-valuetext") == labels[at]
    own.page.keyboard.press("Home")
    own.page.keyboard.press("PageUp")
    own.settle()
    assert own.attribute("#r-slider", "aria-valuetext") not in labels[:2]


def test_the_sentence_is_read_out_when_the_slider_rests(visit, declared):
    own = visit(declared.path)
    spoken = own.page.locator("#r-spoken")
    assert [spoken.get_attribute(name) for name in ("aria-live", "aria-atomic")] == ["polite", "true"]
    assert own.attribute("#r-roc", "aria-describedby") == "r-sentence"
    own.page.evaluate(
        """() => {
          window.heard = [];
          const seen = new MutationObserver(() => heard.push(document.getElementById('r-spoken').textContent));
          seen.observe(document.getElementById('r-spoken'), { childList: true });
        }"""
    )
    for at in (1, 2, 3):
        own.slide(at)
        assert same(own.text("#r-sentence")) == declared.sentence("threshold", 0, at)
    own.page.wait_for_function("() => heard.length > 0")
    own.page.wait_for_timeout(500)
    assert list(map(same, own.page.evaluate("heard"))) == [declared.sentence("threshold", 0, 3)]


def test_another_use_is_marked_as_exploring_with_a_way_back(visit, declared):
    own = visit(declared.path)
    words = declared.study.words
    for use in declared.moving.uses:
        choose(own, declared, use.key)
        assert shows(own, declared, use.key, 0, declared.reading(use.key).start)
        assert own.text("#u-name") == f"{use.name.plain(words)}."
        assert same(own.text("#u-meaning")) == same(use.meaning.plain(words))
        assert own.page.locator("#uses [data-exploring]").is_visible() != use.is_declared
        assert own.page.locator("fieldset[data-question]:visible").count() == 1
    assert "one threshold for all hosts" in own.text("#uses [data-exploring]")
    assert own.page.locator("#uses .tag").count() == 2  # the tags stay with what was declared
    own.page.locator("#uses [data-back]").click()
    assert own.page.locator("input[value=threshold]").is_checked()
    assert not own.page.locator("[data-exploring]").locator("visible=true").count()
    assert shows(own, declared, "threshold", 0, declared.reading("threshold").start)


def test_another_model_has_its_own_curve_scores_and_numbers(visit, declared):
    own = visit(declared.path)
    before = {name: own.attribute(name, "d") for name in ("#r-band", "#r-positive", "#r-half", "#r-faint")}
    own.page.locator("#r-models button").nth(1).click()
    own.settle()
    assert shows(own, declared, "threshold", 1, declared.reading("threshold", 1).start)
    for name, data in before.items():
        assert own.attribute(name, "d") != data
    assert own.page.locator("#r-models button[aria-pressed=true]").inner_text() == "candidate"
    assert "candidate" in own.page.locator("#r-axis").text_content()
    words = own.page.locator("#r-key [data-key]").all_text_contents()
    areas = [f"AUC {declared.study.average(name).auc:.3f}" for name in declared.study.models]
    assert [word.endswith(area) for word, area in zip(words, areas, strict=True)] == [True, True]


def test_many_models_are_chosen_from_a_list(visit, tmp_path):
    names = tuple(f"model {k}" for k in range(5))
    given = scores(HOSTS[:3], names, per_group=12)
    report = made(tmp_path / "five.html", given, rs.Deployment("shared", at={"fpr": 0.1}))
    own = visit(report.path)
    assert own.page.locator("#r-models").count() == 0
    own.page.locator("#r-model").select_option(label="model 4")
    own.settle()
    assert shows(own, report, "threshold", 4, report.reading("threshold", 4).start)
    assert own.page.locator("#r-lines path").last.get_attribute("data-line") == "4"  # over the others


def test_the_table_beside_the_figure_follows(visit, declared):
    own = visit(declared.path)
    own.page.locator("#r-models button").nth(1).click()
    choose(own, declared, "vertical")
    own.page.locator("#reading summary").click()
    assert own.text("#r-numbers caption") == "Vertical average, candidate"
    rows = list(map(same, own.page.locator("#r-numbers tbody tr").all_text_contents()))
    reading, words = declared.reading("vertical", 1), declared.study.words
    start = next(row for row in rows if row.startswith(same(declared.labels("vertical", 1)[reading.start])))
    assert same(reading.rate("tpr", reading.start).spell(words, "cell")) in start


def test_the_zoom_stretches_low_false_positive_rates(visit, declared):
    own = visit(declared.path)
    zoom = declared.moving.plane.zoom
    own.page.locator("#r-zoom").click()
    own.settle()
    at = declared.reading("threshold").start
    assert shows(own, declared, "threshold", 0, at, zoom)
    ticks = own.page.locator("#r-back .near text:visible").all_text_contents()
    assert ticks == [f"{100 * zoom * share:g}" for share in (0, 0.2, 0.4, 0.6, 0.8, 1)]
    assert own.attribute("#r-zoom", "aria-pressed") == "true"
    outside = int(np.flatnonzero(declared.reading("threshold").numbers["fpr"] > zoom + 0.02)[-1])
    own.slide(outside)  # what the zoom leaves outside is told at its edge
    assert own.page.locator("#r-beyond").is_visible()
    (x, y), *_ = places(own, "#r-beyond")
    assert (x, y) == pytest.approx(
        (x_of(1), y_of(declared.reading("threshold").numbers["tpr"][outside])), abs=0.1
    )
    own.page.locator("#r-zoom").click()
    own.settle()
    assert not own.page.locator("#r-beyond").is_visible()
    assert shows(own, declared, "threshold", 0, outside)


def test_without_a_declared_use_nothing_is_recommended(visit, undeclared):
    own = visit(undeclared.path)
    assert own.page.locator("#uses .tag").count() == 0
    assert own.page.locator("#uses input:checked").count() == 0
    assert "no average is recommended" in own.text("#u-meaning")
    assert not own.page.locator("#r-slider").is_visible()
    words = own.page.locator("#r-key [data-key]").all_text_contents()
    names = [use.name.plain(undeclared.study.words) for use in undeclared.moving.uses]
    assert [word.split(", ")[0] for word in words] == names[: len(words)]
    own.page.locator("input[value=own]").check()
    own.settle()
    assert own.text("#u-name") == ""  # one answer is not enough, and the other is not guessed
    assert own.page.locator("fieldset[data-question]:visible").count() == 1
    own.page.locator("input[value=vertical]").check()
    own.settle()
    assert shows(own, undeclared, "vertical", 0, undeclared.reading("vertical").start)
    assert "None was declared" in own.text("#uses [data-exploring]")
    own.page.locator("#reading [data-back]").click()
    own.settle()
    assert own.page.locator("#uses input:checked").count() == 0
    assert not own.page.locator("#r-slider").is_visible()


def test_more_of_a_specificity_lies_to_the_right(visit, undeclared):
    own = visit(undeclared.path)
    own.page.locator("input[value=vertical]").check()
    own.page.locator("#r-slider").focus()
    own.page.keyboard.press("End")
    own.settle()
    assert own.attribute("#r-slider", "aria-valuetext") == "specificity 100 %"
    assert shows(own, undeclared, "vertical", 0, 0)  # where no false positive is left
    assert "cut-off" in own.text("#uses legend >> nth=0")


def test_without_script_the_page_shows_the_declared_use(visit, declared):
    own = visit(declared.path, java_script_enabled=False)
    start = declared.reading("threshold").start
    assert same(own.text("#r-sentence")) == declared.sentence("threshold", 0, start)
    for name in ("#r-slider", "#r-buttons", "#r-return", "#r-lead"):
        assert not own.page.locator(name).is_visible()
    assert own.page.locator("#r-dots > circle:visible").count() == len(HOSTS)
    assert own.attribute("#r-faint", "d").count("M") == len(HOSTS)


def test_on_paper_controls_are_gone_and_exploring_is_said(visit, declared):
    own = visit(declared.path)
    assert own.page.locator("#r-lead").is_visible()
    own.page.locator("#uses input[value=own]").check()
    own.settle()
    own.page.emulate_media(media="print")
    for name in ("#r-slider", "#r-buttons", "#r-lead", "#uses [data-back]"):
        assert not own.page.locator(name).is_visible()
    assert own.page.locator("#uses [data-exploring]").is_visible()
