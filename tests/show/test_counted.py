"""Reports of scores that were counted: the numbers of the rows where counts are exact, else their bounds."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.counted_rows import counted, cut, distinct, together
from tests.page_structure import Page, problems

import rocsteady as rs
from rocsteady.counting.counted import CountedScores
from rocsteady.show.report import page_of
from rocsteady.show.sections import reading

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

USES = {
    "undeclared": None,
    "shared": rs.Deployment("shared", at={"fpr": 0.1}),
    "pooled": rs.Deployment("shared", weigh="rows", at={"threshold": 1.0}),
    "own": rs.Deployment("own", hold="fpr", at=0.1),
}


def groups(n_groups: int = 6, n: int = 300) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(4)
    made = []
    for _ in range(n_groups):
        labels = rng.random(n) < 0.4
        made.append((labels, np.round(rng.normal(size=n) + 1.2 * labels, 3)))
    return made


def in_cells(made: list, n_cells: int = 60) -> CountedScores:
    cuts = np.linspace(-2.5, 3.5, n_cells)
    return counted(made, [cut(scores, cuts) for _, scores in made])


@pytest.mark.parametrize("use", USES)
def test_exact_counts_move_like_the_rows(use: str) -> None:
    made = groups()
    exact = counted(made, [distinct(scores) for _, scores in made])
    of_counts, of_rows = (
        reading.Page(rs.Study(scores, USES[use], n_resamples=50)) for scores in (exact, together(made))
    )
    for key, truth in of_rows.readings.items():
        found = of_counts.readings[key]
        places = [np.array([own.value for own in each.places]) for each in (found, truth)]
        np.testing.assert_allclose(*places, atol=1e-9)
        for name, numbers in truth.numbers.items():
            np.testing.assert_allclose(found.numbers[name], numbers, atol=1e-9, err_msg=f"{key} {name}")


@pytest.mark.parametrize("use", USES)
def test_nothing_is_wrong_with_a_page_of_counts(use: str) -> None:
    study = rs.Study(in_cells(groups()), USES[use], n_resamples=50)
    page = page_of(study)
    assert problems(page) == []
    text = Page(page).by_id("data").text
    assert "cells" in text
    bounds = study.average().auc_bounds
    assert f"{bounds.low:.3f}" in text
    assert "nan" not in text.casefold().split()


def test_what_counts_cannot_say_is_left_out(tmp_path: Any) -> None:
    written = rs.write_report(tmp_path / "report.html", in_cells(groups()), USES["own"], n_resamples=50)
    assert written.n_bytes == (tmp_path / "report.html").stat().st_size
    assert json.dumps(written.study.to_dict())
