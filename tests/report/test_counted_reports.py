"""Reports of scores that were counted: the numbers of the rows where counts are exact, else their bounds."""

from __future__ import annotations

import json

import jsonschema
import numpy as np
import pytest
from tests.counted_rows import alike, counted, cut, distinct, together
from tests.page_structure import Page, problems

import rocsteady as rs
from rocsteady.advice.deployment import Deployment
from rocsteady.counting.counted import CountedScores, scores_of_counts
from rocsteady.report.summary.counting import make, threshold_bound
from rocsteady.report.summary.making import ReportSummary, schema, summarize, summarize_material
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.settings import Settings
from rocsteady.report.writing import page_of

EXACT_PARTS = ("answer", "averages", "operating_points", "groups", "det", "recommended")
USES = {
    "undeclared": None,
    "shared": Deployment("shared"),
    "pooled": Deployment("shared", weigh="rows"),
    "own": Deployment("own", hold="fpr", at=0.1),
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
def test_exact_counts_give_the_report_of_the_rows(use: str) -> None:
    made = groups()
    exact = counted(made, [distinct(scores) for _, scores in made])
    found = summarize(scores_of_counts(exact), USES[use], n_resamples=100).to_dict()
    truth = summarize(together(made), USES[use], n_resamples=100).to_dict()
    for part in (found, truth):
        part["operating_points"]["realised"] = None
    for name in EXACT_PARTS:
        alike(found[name], truth[name], name)
    assert [own["n"] for own in found["data"]["steps"]] == [own["n"] for own in truth["data"]["steps"]]
    assert truth["data"]["counting"] is None
    part = found["data"]["counting"]
    assert (part["auc_bound"], part["rate_bound"], part["threshold_bound"], part["areas"]) == (0, 0, 0, [])
    assert "are exact" in part["sentence"]


def test_what_needs_single_cases_says_so() -> None:
    found = _summary(in_cells(groups()), USES["shared"])
    assert found.comparability is not None
    assert found.comparability.problem == (
        "Rows were counted, and exchanging them between groups needs single rows."
    )
    assert found.plan is not None
    assert found.plan.problem == "A plan draws single cases, and here rows were counted."
    assert found.smroc is None
    assert found.operating_points.realised is None
    assert found.data.steps[0].text == "rows counted"


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("n_cells", [4, 15, 60])
def test_a_report_from_cells_lies_within_its_bounds(use: str, n_cells: int) -> None:
    made = groups()
    counts = in_cells(made, n_cells)
    found, truth = _summary(counts, USES[use]), summarize(together(made), USES[use], n_resamples=100)
    part = found.data.counting
    assert part is not None
    assert part.rate_bound == 2 * counts.rate_bound
    bounds = {own.key: own for own in part.areas}
    for own, exact in zip(found.averages, truth.averages, strict=True):
        if not exact.models:
            continue
        mine, right = own.models[0], exact.models[0]
        assert bounds[own.key].low - 1e-12 <= right.auc <= bounds[own.key].high + 1e-12, own.key
        assert bounds[own.key].auc == mine.auc
        if own.key == "vertical":
            assert np.abs(mine.tpr - right.tpr).max() <= part.rate_bound + 1e-12
        if own.key == "horizontal":
            assert np.abs(mine.fpr - right.fpr).max() <= part.rate_bound + 1e-12
    assert found.groups is not None
    assert truth.groups is not None
    aucs = found.groups.models[0].auc, truth.groups.models[0].auc
    assert np.abs(np.subtract(*aucs)).max() <= part.auc_bound + 1e-12


def test_the_curve_that_is_drawn_need_not_halve_the_distance_of_its_bounds() -> None:
    labels, scores = np.arange(200) < 100, np.arange(200.0)[::-1]
    counts = counted([(labels, scores)], [np.zeros(200, dtype=np.int64)])  # apart, but all in one cell
    part = _summary(counts).data.counting
    assert part is not None
    assert (counts.rate_bound, part.rate_bound) == (0.5, 1.0)
    drawn = rs.roc_curves(scores_of_counts(counts))[0].tpr_at(0.01)
    assert counts.rate_bound < 1 - drawn <= part.rate_bound


@pytest.mark.parametrize("n_cells", [4, 15, 60])
def test_rates_at_a_threshold_are_off_by_no_more_than_is_told(n_cells: int) -> None:
    made = groups()
    counts = in_cells(made, n_cells)
    scores = scores_of_counts(counts)
    largest = 0.0
    for k, (labels, own) in enumerate(made):
        columns = scores.columns
        start, stop = columns.offsets[k : k + 2]
        cells, weights = columns.scores[start:stop], columns.weights[start:stop]
        is_positive = columns.labels[start:stop] == columns.positive
        for t in np.unique(own):
            for chosen, cell in ((labels, is_positive), (~labels, ~is_positive)):
                rate = weights[cell & (cells >= t)].sum() / weights[cell].sum()
                largest = max(largest, abs(rate - np.mean(own[chosen] >= t)))
    assert 0 < largest <= threshold_bound(counts) + 1e-12


def test_the_page_says_how_certain_it_is() -> None:
    material = Material(scores_of_counts(in_cells(groups())), USES["own"], Settings(n_resamples=100))
    summary = summarize_material(material)
    html = page_of(material, summary).decode()
    assert problems(html) == []
    part = summary.data.counting
    assert part is not None
    page = Page(html)
    head = next(own for own in page.all("header") if "masthead" in (own.attributes.get("class") or ""))
    assert f"Counted{part.short}" in " ".join(head.text.split()).replace("Counted ", "Counted")
    (data,) = [own for own in page.all("section") if own.attributes.get("id") == "data"]
    assert "Rows were counted" in data.text
    assert "no AUC of a fold can be off by more than" in " ".join(data.text.split())
    for area in part.areas:
        assert f"{area.low:.6f}" in data.text
    assert part.methods in " ".join(summary.methods.paragraphs)
    assert "neither smoothed nor thinned" not in summary.methods.text


def test_the_plain_data_fit_the_schema() -> None:
    for counts in (in_cells(groups()), counted(groups(), [distinct(own) for _, own in groups()])):
        data = json.loads(json.dumps(_summary(counts).to_dict(), allow_nan=False))
        jsonschema.Draft202012Validator(schema()).validate(data)


def test_groups_that_are_left_out_leave_the_averages_without_bounds() -> None:
    made = [*groups(), (np.array([True, False, False]), np.array([1.0, 0.5, 2.0]))]
    counts = in_cells(made)
    material = Material(scores_of_counts(counts), None, Settings(n_resamples=100, min_per_class=5))
    part = make(material)
    assert part is not None
    assert part.areas == ()  # those of all groups are no bounds of the others
    assert part.auc_bound == counts.auc_bound


def test_one_dataset_without_groups() -> None:
    ((labels, scores),) = groups(1)
    found = _summary(in_cells([(labels, scores)]))
    truth = summarize(together([(labels, scores)]), n_resamples=100)
    part = found.data.counting
    assert part is not None
    assert abs(found.averages[0].models[0].auc - truth.averages[0].models[0].auc) <= part.auc_bound


def _summary(counts: CountedScores, use: Deployment | None = None) -> ReportSummary:
    return summarize(scores_of_counts(counts), use, n_resamples=100)
