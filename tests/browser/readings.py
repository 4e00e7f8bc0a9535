"""Reports that are read by a slider, and what all moving parts of the page have to show of them."""

from __future__ import annotations

import re

import numpy as np

from browser.reports import same_words
from rocsteady.report.html.figures.reading.roc import QUANTA, x_of, y_of
from rocsteady.report.html.figures.reading.scores import ACROSS

HOSTS = tuple(f"host-{i}" for i in range(1, 7))


def places(visit, selector):
    """Where elements were moved to."""
    moved = visit.page.locator(selector).evaluate_all("all => all.map(own => own.getAttribute('transform'))")
    return np.array([[float(v) for v in re.findall(r"-?[\d.]+", own)] for own in moved])


def numbers(visit, selector):
    return [float(v) for v in re.findall(r"-?[\d.]+", visit.attribute(selector, "d"))]


def expected_dots(report, key, model, at, furthest=1.0):
    own = report.drawing.lines[key, model]
    fpr, tpr = own.own_fpr[:, at] / QUANTA, own.own_tpr[:, at] / QUANTA
    return np.column_stack([x_of(fpr, furthest), y_of(tpr)])


def shows(visit, report, key, model, at):
    """Whether every moving part stands at one setting of one average of one model."""
    reading = report.reading(key, model)
    assert same_words(visit.text("#r-sentence")) == same_words(reading.sentences[at])
    assert visit.attribute("#r-slider", "aria-valuetext") == reading.labels[at]
    assert visit.text("#r-value") == reading.labels[at]
    point = places(visit, "#r-point")
    np.testing.assert_allclose(point, [[x_of(reading.fpr[at]), y_of(reading.tpr[at])]], atol=0.06)
    # Quantised once more for the page, to an eighth of a pixel.
    np.testing.assert_allclose(
        places(visit, "#r-dots > circle"), expected_dots(report, key, model, at), atol=0.2
    )
    ticks = re.findall(r"M(\d+) ", visit.attribute("#r-strip-thresholds", "d"))
    thresholds = report.drawing.lines[key, model].own_threshold[:, at] / QUANTA
    np.testing.assert_allclose([float(tick) / 10 for tick in ticks], ACROSS * thresholds, atol=0.2)
    return True


def choose(visit, report, key):
    mode = report.mode(key)
    visit.page.locator(f"input[name=r-question][value={mode.question}]").check()
    visit.page.locator(f"input[value={key}]").check()
    visit.settle()
