"""The whole report as plain data: its parts, its JSON, what is in it for any data."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import numpy as np
import pytest

import rocsteady as rs
from report.summary.made_hosts import hosts, said
from rocsteady.report.summary.making import ReportSummary, schema, summarize

SHARED = rs.Deployment("shared", at={"fpr": 0.05})


@pytest.fixture(scope="module")
def validator() -> Any:
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(schema())


@pytest.fixture(scope="module")
def summary() -> ReportSummary:
    return summarize(hosts(9), SHARED, n_resamples=200, at=("youden",), title="Detectors")


def test_what_it_is_about(summary: ReportSummary) -> None:
    about = summary.about
    assert (about.title, about.unit, about.units) == ("Detectors", "host", "hosts")
    assert (about.models, about.n_groups, about.n_rows) == (("baseline", "candidate"), 9, 9 * 48 * 2)
    assert (summary.schema_version, summary.recommended) == (1, "threshold")
    assert summary.deployment.place_is_declared


def test_the_parts_agree_with_each_other(summary: ReportSummary) -> None:
    """The point of section 2, the declared row of section 5 and the comparison are one."""
    threshold = summary.averages[0]
    for own, name in zip(threshold.models, summary.about.models, strict=True):
        row = next(row for row in summary.operating_points.rows if row.is_declared and row.model == name)
        assert row.threshold == own.positions[own.start]
        assert row.tpr == pytest.approx(own.tpr[own.start], abs=0.05)
    assert summary.comparison is not None
    pair = summary.comparison.pairs[0]
    rows = {row.model: row for row in summary.operating_points.rows if row.is_declared}
    assert pair.value_a == pytest.approx(rows["baseline"].tpr, abs=1e-12)
    assert pair.value_b == pytest.approx(rows["candidate"].tpr, abs=1e-12)


def test_json_keeps_to_the_schema(summary: ReportSummary, validator: Any) -> None:
    data = summary.to_dict()
    validator.validate(data)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert set(data) == set(schema()["properties"]) - {"requirements"}


def test_the_schema_refuses_what_is_wrong(summary: ReportSummary, validator: Any) -> None:
    data = summary.to_dict()
    for broken in (
        data | {"schema_version": 2},
        data | {"recommended": "best"},
        data | {"answer": {"sentence": ["in", "pieces"], "other": None, "is_declared": True}},
        data | {"extra": 1},
        {name: part for name, part in data.items() if name != "averages"},
        data | {"warnings": [{"code": "X", "text": "", "groups": []}]},
    ):
        assert not validator.is_valid(broken)


def test_same_data_same_report(summary: ReportSummary) -> None:
    again = summarize(hosts(9), SHARED, n_resamples=200, at=("youden",), title="Detectors")
    assert json.dumps(again.to_dict()) == json.dumps(summary.to_dict())  # no date, no time, no luck


def test_undeclared_recommends_nothing(validator: Any) -> None:
    made = summarize(hosts(5, models=1), n_resamples=200)
    data = made.to_dict()
    validator.validate(data)
    assert data["deployment"] is data["recommended"] is data["comparison"] is None
    assert not any(mode.is_declared for mode in made.averages)
    assert "no average is recommended" in said(made.answer.sentence)
    assert made.about.title == "Scores on 5 hosts"


def _odd() -> dict[str, tuple[rs.ScoreSet, rs.Deployment | None, dict[str, Any]]]:
    rng = np.random.default_rng(0)
    labels, scores = np.tile([0, 1, 0], 40), rng.normal(size=120)
    groups, infinite = np.repeat(list("abcd"), 30), scores.copy()
    infinite[::9], infinite[::11] = np.inf, -np.inf
    names = np.repeat(np.array(["</script><!--", "=cmd()", "x" * 500, "\u202eabc\n"], dtype=object), 30)
    make, own = rs.ScoreSet.from_arrays, rs.Deployment
    weights = rng.random(120) + 0.5
    one_class = np.where(groups == "a", 0, labels)
    nine = {f"m{i}": scores + i * labels for i in range(9)}
    return {
        "no groups": (make(labels, scores), None, {}),
        "no groups, weighted": (make(labels, scores, sample_weight=weights), SHARED, {}),
        "weighted": (make(labels, scores, groups, sample_weight=weights), SHARED, {}),
        "infinite": (make(labels, infinite, groups), own("own", hold="fpr", at=0.1), {}),
        "low is positive": (make(labels, infinite, groups, higher_is_positive=False), SHARED, {}),
        "tied": (make(labels, np.zeros(120), groups), SHARED, {}),
        "one class": (make(one_class, scores, groups), own("shared", weigh="rows", at=0.1), {}),
        "hostile": (make(labels, scores, names, unit="<b>"), SHARED, {"title": "</script>"}),
        "nine models": (make(labels, nine, groups), None, {}),
        "alerts": (make(labels, scores, groups), own("own", hold="alerts", at=0.1, prevalence=0.1), {}),
        "costs": (
            make(labels, {"x": scores, "y": -scores}, groups),
            own("own", hold="cost", costs=((1, 2), (1, 20)), prevalence=0.1),
            {"words": "medical"},
        ),
        "ratio": (make(labels, scores, groups), own("own", hold="ratio", at=(1, 2)), {"words": "biometric"}),
    }


@pytest.mark.parametrize("name", _odd())
def test_any_data_become_a_report(name: str, validator: Any) -> None:
    scores, deployment, settings = _odd()[name]
    made = summarize(scores, deployment, n_resamples=100, **settings)
    data = made.to_dict()
    json.dumps(data, allow_nan=False)
    validator.validate(data)
    for mode in made.averages:
        assert bool(mode.problem) != bool(mode.models)
    assert " nan" not in json.dumps(data)


def test_progress_is_told() -> None:
    told: list[str] = []
    summarize(hosts(3, models=1), n_resamples=100, progress=told.append)
    assert "threshold average" in told
    assert len(told) >= 8
