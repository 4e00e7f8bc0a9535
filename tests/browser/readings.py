"""What all moving parts of the page have to show of a report that is read by a slider."""

from __future__ import annotations

import re

import numpy as np

from browser.reports import same


def places(visit, selector):
    """Where elements were moved to."""
    moved = visit.page.locator(selector).evaluate_all("all => all.map(own => own.getAttribute('transform'))")
    return np.array([[float(v) for v in re.findall(r"-?[\d.]+", own)] for own in moved])


def numbers(visit, selector):
    """Those of a path."""
    return [float(v) for v in re.findall(r"-?[\d.]+", visit.attribute(selector, "d"))]


def shows(visit, report, key, model, at, furthest=1.0):
    """Whether every moving part stands at one setting of one average of one model."""
    label = report.labels(key, model)[at]
    assert same(visit.text("#r-sentence")) == report.sentence(key, model, at)
    assert visit.attribute("#r-slider", "aria-valuetext") == label
    assert same(visit.text("#r-value")) == same(label)
    point = report.point(key, model, at, furthest)
    np.testing.assert_allclose(places(visit, "#r-point"), [point], atol=0.06)
    # Quantised for the page, to a quarter of a pixel.
    dots = report.dots(key, model, at, furthest)
    np.testing.assert_allclose(places(visit, "#r-dots > circle"), dots, atol=0.2 / furthest)
    ticks = re.findall(r"M(\d+) ", visit.attribute("#r-own", "d"))
    np.testing.assert_allclose([float(tick) for tick in ticks], report.thresholds(key, model, at), atol=1.6)
    return True


def choose(visit, report, key):
    """Answer both questions."""
    question = next(use.question for use in report.moving.uses if use.key == key)
    visit.page.locator(f"input[name=u-question][value={question}]").check()
    visit.page.locator(f"input[value={key}]").check()
    visit.settle()
