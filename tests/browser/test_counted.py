"""Reports of scores that were counted, in a real browser: they move like any other, and say how certain they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rocsteady as rs
from browser.readings import choose, shows
from browser.reports import Report, made
from rocsteady.counting.counted import CountedScores, scores_of_counts
from rocsteady.text import AREA, ML, Rate

PHONE = {"width": 390, "height": 844}
ASKED = {"in cells": {"most_cells": 1200}, "anchored": {"tolerance": 0, "most_cells": 1200}}


def counts(asked: dict[str, Any]) -> CountedScores:
    """Six hosts, each at another level, with infinite scores; too many to keep every one of them."""
    rng = np.random.default_rng(3)
    host, attack = rng.integers(6, size=30_000), rng.random(30_000) < 0.1
    score = rng.normal(0.3 * host + 1.5 * attack)
    score[:20] = np.where(attack[:20], np.inf, -np.inf)
    label = np.where(attack, "attack", "normal")
    table = pa.table({"host": [f"host-{own}" for own in host], "label": label, "score": score})
    columns = {"label": "label", "score": "score", "group": "host", "positive": "attack"}
    return rs.count_scores(table, **columns, engine="duckdb", memory="100MB", **asked)


@pytest.fixture(scope="module", params=ASKED)
def counted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A report of counts: of cells, and of curves that are exact while rates at a threshold are not."""
    path = tmp_path_factory.mktemp("counted") / "report.html"
    found = counts(ASKED[request.param])
    assert (found.how.rung, found.knows_thresholds) == (request.param.removeprefix("in "), False)
    return made(path, scores_of_counts(found), rs.Deployment("shared", at={"fpr": 0.05}))


@pytest.mark.parametrize("key", ["threshold", "vertical", "pooled"])
def test_the_slider_moves_a_counted_report(visit: Callable[..., Any], counted: Report, key: str) -> None:
    own = visit(counted.path)
    choose(own, counted, key)
    last = len(counted.labels(key)) - 1
    for at in (0, last // 2, last):
        own.slide(at)
        assert shows(own, counted, key, 0, at)


def test_the_page_says_how_certain_it_is_where_it_is_seen(visit: Callable[..., Any], counted: Report) -> None:
    own = visit(counted.path)
    bounds = counted.study.average().auc_bounds
    seen = own.text("main")
    assert "nan" not in seen.casefold().split()
    assert "cells" in own.text("#data")
    assert all(Rate(AREA, float(area)).spell(ML) in seen for area in (bounds.low, bounds.high))


def test_a_counted_report_fits_a_phone(visit: Callable[..., Any], counted: Report) -> None:
    own = visit(counted.path, viewport=PHONE)
    own.page.evaluate("() => document.querySelectorAll('details').forEach((own) => { own.open = true; })")
    assert own.overflow() <= 0


def test_a_counted_report_without_script(visit: Callable[..., Any], counted: Report) -> None:
    own = visit(counted.path, java_script_enabled=False)
    assert "cells" in own.text("#data")
    assert own.text("#r-sentence")
