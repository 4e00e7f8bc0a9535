"""Sections 1 and 2 in a real browser: what is moved shows the numbers that Python computed."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from browser.readings import HOSTS, choose, expected_dots, numbers, places, shows
from browser.reports import made, same_words, scores
from rocsteady.report.html.figures.reading.roc import ZOOM, x_of, y_of

FAINT_PIXELS = """() => {
  const canvas = document.getElementById('r-canvas');
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const pen = copy.getContext('2d', { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  const found = [0, 0, 0, 0];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 40) { found[0] += data[i]; found[1] += data[i + 1]; found[2] += data[i + 2]; found[3] += 1; }
  }
  return found;
}"""


def test_the_page_opens_with_the_declared_setting(visit, declared):
    own = visit(declared.path)
    start = declared.reading("threshold").start
    assert shows(own, declared, "threshold", 0, start)
    assert own.text("#r-name") == declared.mode("threshold").name
    assert own.page.locator("#deploy .tag.declared").count() == 2
    assert not own.page.locator("#r-exploring").is_visible()
    assert own.page.evaluate(FAINT_PIXELS)[3] > 500


def test_the_script_moves_nothing_that_python_had_placed(visit, declared):
    with_script = visit(declared.path)
    without = visit(declared.path, java_script_enabled=False)
    for selector in ("#r-guide", "#r-bar", "#r-density-thresholds", "#r-strip-thresholds", "#r-pointwise"):
        np.testing.assert_allclose(numbers(with_script, selector), numbers(without, selector), atol=1.5)
    np.testing.assert_allclose(
        places(with_script, "#r-dots > circle"), places(without, "#r-dots > circle"), atol=0.2
    )


@pytest.mark.parametrize(("key", "model"), [("threshold", 0), ("vertical", 1), ("diagonal", 0)])
def test_the_slider_moves_sentence_dots_and_thresholds_together(visit, declared, key, model):
    own = visit(declared.path)
    choose(own, declared, key)
    own.page.locator(f"#r-models button[data-model='{model}']").click()
    last = len(declared.reading(key, model).labels) - 1
    for at in (0, last // 3, last):
        own.slide(at)
        assert shows(own, declared, key, model, at)


def test_the_figures_stay_where_they_are_while_the_slider_moves(visit, declared):
    own = visit(declared.path)
    tops = set()
    for at in range(0, len(declared.reading("threshold").labels), 9):
        own.slide(at)
        tops.add(own.page.evaluate("() => document.getElementById('r-figures').offsetTop"))
    assert len(tops) == 1


def test_the_slider_works_by_keyboard(visit, declared):
    own = visit(declared.path)
    labels = declared.reading("threshold").labels
    start = declared.reading("threshold").start
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
    sentences = declared.reading("threshold").sentences
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
        assert same_words(own.text("#r-sentence")) == same_words(
            sentences[at]
        )  # what is seen follows at once
    own.page.wait_for_function("() => heard.length > 0")
    own.page.wait_for_timeout(500)
    assert [same_words(heard) for heard in own.page.evaluate("heard")] == [same_words(sentences[3])]


def test_another_use_is_marked_as_exploring_with_a_way_back(visit, declared):
    own = visit(declared.path)
    for mode in declared.summary.averages:
        if mode.problem:
            assert own.page.locator(f"input[value={mode.key}]").is_disabled()
            assert mode.problem in own.page.locator(f"label:has(input[value={mode.key}])").text_content()
            continue
        choose(own, declared, mode.key)
        assert shows(own, declared, mode.key, 0, mode.models[0].start)
        assert own.text("#r-name") == mode.name
        assert same_words(own.text("#r-meaning")) == same_words(mode.why)
        assert own.text("#r-held") == mode.slider
        assert own.page.locator("#r-exploring").is_visible() != mode.is_declared
        assert own.page.locator("fieldset[data-question]:visible").count() == 1
    assert "one threshold for all hosts" in own.text("#r-exploring")
    assert own.page.locator("#deploy .tag.declared").count() == 2  # the tags stay with what was declared
    own.page.locator("#r-back").click()
    assert own.page.locator("input[value=threshold]").is_checked()
    assert not own.page.locator("#r-exploring").is_visible()
    assert shows(own, declared, "threshold", 0, declared.reading("threshold").start)


def test_another_model_has_its_own_curve_scores_and_numbers(visit, declared):
    own = visit(declared.path)
    before = {name: own.attribute(name, "d") for name in ("#r-pointwise", "#r-positive", "#r-strip-half")}
    own.page.locator("#r-models button").nth(1).click()
    own.settle()
    assert shows(own, declared, "threshold", 1, declared.reading("threshold", 1).start)
    for name, data in before.items():
        assert own.attribute(name, "d") != data
    assert own.page.locator("#r-models button[aria-pressed=true]").inner_text() == "candidate"
    assert "(candidate)" in own.text("#read figcaption >> nth=0")
    words = own.page.locator("#r-key-models [data-key]").all_text_contents()
    aucs = [f"AUC {declared.reading('threshold', k).auc:.3f}" for k in (0, 1)]
    assert [word.endswith(auc) for word, auc in zip(words, aucs, strict=True)] == [True, True]


def test_many_models_are_chosen_from_a_list(visit, tmp_path):
    names = tuple(f"model {k}" for k in range(5))
    report = made(
        tmp_path / "five.html", scores(HOSTS[:3], names, per_group=12), rs.Deployment(threshold="shared")
    )
    own = visit(report.path)
    assert own.page.locator("#r-models").count() == 0
    own.page.locator("#r-model").select_option(label="model 4")
    own.settle()
    assert shows(own, report, "threshold", 4, report.reading("threshold", 4).start)
    assert own.page.locator("#r-lines-models path").last.get_attribute("data-line") == "4"  # over the others


def test_the_table_beside_the_figure_follows(visit, declared):
    own = visit(declared.path)
    own.page.locator("#r-models button").nth(1).click()
    choose(own, declared, "vertical")
    own.page.locator("#read summary").click()
    assert "Vertical average" in own.text("#r-twin-caption")
    assert "candidate" in own.text("#r-twin-caption")
    rows = own.page.locator("table.r-twin tbody tr").all_text_contents()
    reading, wording = declared.reading("vertical", 1), declared.summary.wording
    start = next(row for row in rows if row.startswith(reading.labels[reading.start]))
    assert wording.tpr.bare(float(reading.tpr[reading.start])) in start


def test_the_zoom_stretches_low_false_positive_rates(visit, declared):
    own = visit(declared.path)
    own.page.locator("#r-zoom").click()
    own.settle()
    reading = declared.reading("threshold")
    at = reading.start
    expected = [[x_of(reading.fpr[at], ZOOM), y_of(reading.tpr[at])]]
    np.testing.assert_allclose(places(own, "#r-point"), expected, atol=0.06)
    np.testing.assert_allclose(
        places(own, "#r-dots > circle"), expected_dots(declared, "threshold", 0, at, ZOOM), atol=0.7
    )
    ticks = own.page.locator("#r-axes text.r-zoomed:visible").all_text_contents()
    assert ticks == ["0", "4", "8", "12", "16", "20"]
    assert own.attribute("#r-zoom", "aria-pressed") == "true"
    own.page.locator("#r-zoom").click()
    own.settle()
    assert shows(own, declared, "threshold", 0, at)


def test_without_a_declared_use_nothing_is_recommended(visit, undeclared):
    own = visit(undeclared.path)
    assert own.page.locator("#deploy .tag.declared").count() == 0
    assert own.page.locator("#deploy input:checked").count() == 0
    assert own.text("#r-name") == "None recommended"
    assert not own.page.locator("#r-slider").is_visible()
    assert "none is recommended" in own.text("#r-controls")
    names = [mode.name for mode in undeclared.summary.averages if not mode.problem]
    words = own.page.locator("#r-key-averages [data-key]").all_text_contents()
    assert [word.split(", ")[0] for word in words] == names
    assert [word for word in words if word.endswith("the same AUC")] == [
        "Horizontal average, the same AUC",
        "Diagonal average, the same AUC",
    ]
    own.page.locator("input[value=own]").check()
    own.settle()
    assert own.text("#r-name") == "None recommended"  # one answer is not enough, and the other is not guessed
    own.page.locator("input[value=vertical]").check()
    own.settle()
    assert shows(own, undeclared, "vertical", 0, undeclared.reading("vertical").start)
    assert "None was declared" in own.text("#r-exploring")
    own.page.locator("#r-back").click()
    own.settle()
    assert own.page.locator("#deploy input:checked").count() == 0
    assert own.text("#r-name") == "None recommended"


def test_more_of_a_specificity_lies_to_the_right(visit, undeclared):
    own = visit(undeclared.path)
    own.page.locator("input[value=vertical]").check()
    own.page.locator("#r-slider").focus()
    own.page.keyboard.press("End")
    own.settle()
    assert own.attribute("#r-slider", "aria-valuetext") == "100 %"
    assert shows(own, undeclared, "vertical", 0, 0)  # where no false positive is left
    assert "Specificity" in own.text("#r-held")
    assert "cut-off" in own.text("#deploy legend >> nth=0")


def test_without_script_the_page_shows_the_declared_use(visit, declared):
    own = visit(declared.path, java_script_enabled=False)
    reading = declared.reading("threshold")
    assert same_words(own.text("#r-sentence")) == same_words(reading.sentences[reading.start])
    for name in ("#r-slider", "#r-buttons"):
        assert not own.page.locator(name).is_visible()
    assert own.page.locator(".r-faint:visible").count() == 1
    assert own.page.locator("#r-dots > circle:visible").count() == len(HOSTS)
    assert not own.page.locator("#r-lead").is_visible()  # there is no slider to drag
    assert own.page.locator("#r-paper").is_visible()


def test_on_paper_faint_curves_are_paths_and_controls_are_gone(visit, declared):
    own = visit(declared.path)
    assert own.page.locator("#r-lead").is_visible()
    own.page.emulate_media(media="print")
    assert not own.page.locator("#r-lead").is_visible()
    assert own.page.locator("#r-paper").is_visible()
    assert not own.page.locator("#r-canvas").is_visible()
    assert own.page.locator(".r-faint:visible").count() == 1
    for name in ("#r-slider", "#r-buttons"):
        assert not own.page.locator(name).is_visible()


def test_paper_says_that_somebody_explored(visit, declared):
    own = visit(declared.path)
    own.page.locator("#deploy input[value=own]").check()
    own.settle()
    own.page.emulate_media(media="print")
    assert own.page.locator("#r-exploring").is_visible()
    assert not own.page.locator("#r-back").is_visible()
    assert not own.page.locator(".r-live:visible").count()


def test_the_canvas_is_painted_anew_in_the_dark(visit, declared):
    own = visit(declared.path, color_scheme="light")
    light = np.array(own.page.evaluate(FAINT_PIXELS), dtype=float)
    own.page.emulate_media(color_scheme="dark")
    own.settle()
    dark = np.array(own.page.evaluate(FAINT_PIXELS), dtype=float)
    assert dark[1] / dark[3] > light[1] / light[3] + 20  # a lighter blue
