"""The schema of a study's data is generated from its types: real studies follow it, and broken ones do not."""

from __future__ import annotations

import copy
import json
from functools import cache

import jsonschema
import numpy as np
import pytest

import rocsteady as rs
from every_value import counts, readers_only
from rocsteady.results import plain
from rocsteady.show.schema import _Schemas, schema

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


@cache
def validator() -> jsonschema.Draft202012Validator:
    found = json.loads(json.dumps(schema()))
    jsonschema.Draft202012Validator.check_schema(found)
    return jsonschema.Draft202012Validator(found)


def scores(n_models: int, n_groups: int, **design: str) -> rs.ScoreSet:
    rng = np.random.default_rng(0)
    truth, groups = np.tile([0, 1], 30 * n_groups), np.repeat(np.arange(n_groups), 60)
    values = {name: truth + rng.normal(size=truth.size) for name in "abc"[:n_models]}
    values = {name: 1 / (1 + np.exp(-own)) for name, own in values.items()}
    given = values if n_models > 1 else values["a"]
    return rs.ScoreSet.from_arrays(truth, given, groups if n_groups > 1 else None, unit="clinic", **design)


def weighted(n_groups: int) -> rs.ScoreSet:
    rng = np.random.default_rng(1)
    labels = np.tile([0, 1], 30 * n_groups)
    table = {"label": labels, "weight": rng.integers(1, 4, labels.size)}
    table |= {name: labels + rng.normal(size=labels.size) for name in "ab"}
    table |= {"clinic": np.repeat(np.arange(n_groups), 60)} if n_groups > 1 else {}
    roles = {"group": "clinic"} if n_groups > 1 else {}
    return rs.ScoreSet.from_frame(table, label="label", score=["a", "b"], weight="weight", **roles)


STUDIES = {
    "shared": lambda: rs.Study(scores(2, 6), rs.Deployment("shared", at={"fpr": 0.05}), at="youden"),
    "rows": lambda: rs.Study(scores(1, 6), rs.Deployment("shared", weigh="rows", at={"tpr": 0.8})),
    "own": lambda: rs.Study(scores(2, 6), rs.Deployment("own", hold="balance")),
    "costs": lambda: rs.Study(
        scores(2, 6), rs.Deployment("own", hold="cost", costs=((1, 2), (1, 20)), prevalence=0.3)
    ),
    "alerts": lambda: rs.Study(scores(1, 6), rs.Deployment("shared"), at={"alerts": 20}),
    "folds": lambda: rs.Study(scores(3, 5, design="cross-validation"), rs.Deployment("own", at={"fpr": 0.1})),
    "undeclared": lambda: rs.Study(scores(2, 4)),
    "one dataset": lambda: rs.Study(scores(2, 1), at=[{"fpr": 0.1}, {"threshold": 0.5}]),
    "weighted groups": lambda: rs.Study(weighted(5), rs.Deployment("own", at={"fpr": 0.1}), n_resamples=50),
    "weighted rows": lambda: rs.Study(weighted(1), at={"fpr": 0.1}, n_resamples=50),
    "readers": lambda: rs.Study(readers_only(), n_resamples=200),
    "counted": lambda: rs.Study(counts(), rs.Deployment("shared", at={"fpr": 0.1})),
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_follows_the_schema(name: str) -> None:
    data = json.loads(json.dumps(STUDIES[name]().to_dict(), allow_nan=False))
    errors = [f"{list(own.absolute_path)}: {own.message:.200}" for own in validator().iter_errors(data)]
    assert not errors
    assert validator().is_valid({key: own for key, own in data.items() if key not in ("models", "plan")})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema_version",), 1),
        (("settings", "seed"), "0"),
        (("models", "a", "auc"), "0.9"),
        (("models", "a", "auc_interval", "confidence_level"), "95 %"),
        (("comparison", "auc", "pvalue"), [0.1]),
        (("comparison", "auc", "surprise"), 1),
        (("plan", "estimate"), "much"),
        (("advice", "method"), 3),
        (("warnings",), [{"code": "RS001"}]),
        (("surprise",), 1),
    ],
)
def test_what_no_class_declares_is_refused(path: tuple[str, ...], value: object) -> None:
    data = copy.deepcopy(_shared())
    *way, last = path
    inner = data
    for name in way:
        inner = inner[name]
    inner[last] = value
    assert not validator().is_valid(data)


@cache
def _shared() -> dict:
    return json.loads(json.dumps(STUDIES["shared"]().to_dict(), allow_nan=False))


def test_what_json_lacks_is_written_as_plain_data_has_it() -> None:
    made = _Schemas()
    number = jsonschema.Draft202012Validator(made.of(float) | {"$defs": schema()["$defs"]})
    for value in (0.5, float("inf"), float("-inf"), float("nan")):
        assert number.is_valid(plain(value))
    assert not number.is_valid("infinite")


def test_a_named_class_is_described_once() -> None:
    defs = schema()["$defs"]
    assert {"Interval", "Comparison", "WinnerMap", "Plan", "ReaderComparison", "Cutoff"} <= set(defs)
    assert defs["Interval"]["additionalProperties"] is False
    assert set(defs["Interval"]["required"]) == set(plain(rs.auc_interval([0, 1, 0, 1, 1], [1, 2, 3, 4, 2])))
