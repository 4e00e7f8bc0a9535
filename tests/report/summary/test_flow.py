"""The flow of rows: losses add up, and every row is somewhere."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import DataError, RocsteadyWarning
from rocsteady.report.data import Finding
from rocsteady.report.summary import flow
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.settings import Settings

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.errors.RocsteadyWarning")


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.sampled_from([None, "groups", "rows"]), st.booleans())
@settings(max_examples=25, deadline=None)
def test_what_was_read_is_lost_or_used(seed, least, weigh, named) -> None:
    rng = np.random.default_rng(seed)
    n = 60
    table = {
        "y": rng.integers(0, 2, n).tolist(),
        "score": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)).tolist(),
        "host": rng.choice([*"abcdef"], n, p=[0.4, 0.3, 0.2, 0.05, 0.03, 0.02]).tolist(),
        "who": rng.choice(["x", "y"], n).tolist(),
    }
    rows = rs.ScoreSet.from_frame(
        table, label="y", score="score", group="host", model="who" if named else None, positive=1,
        on_missing="drop",
    )  # fmt: skip
    use = None if weigh is None else rs.Deployment("shared", weigh=weigh)
    try:
        material = Material(rows, use, Settings(min_per_class=least))
    except DataError:  # no host has so many cases
        reject()
    part = flow.make(material)
    first, *losses, last = part.steps
    assert first.n == n
    assert first.n - sum(step.n for step in losses if step.is_loss) == last.n == part.n_used
    if part.per_model:
        assert sum(own.n_rows for own in part.per_model) == last.n
        assert all(own.n_positives + own.n_negatives == own.n_rows for own in part.per_model)
    assert sum(part.causes.values()) == int(np.isnan(table["score"]).sum())
    json.dumps(part.to_dict(), allow_nan=False)


def test_the_words_of_every_step() -> None:
    table = {
        "y": ["attack", "normal"] * 10 + ["normal"] * 4 + ["attack", "normal"],
        "score": [float(i) for i in range(25)] + [None],
        "host": ["a"] * 10 + ["b"] * 10 + ["c"] * 4 + ["a"] * 2,
    }
    rows = rs.ScoreSet.from_frame(
        table, label="y", score="score", group="host", positive="attack", on_missing="drop"
    )
    part = flow.make(Material(rows, rs.Deployment("shared")))
    assert [(step.n, step.text) for step in part.steps] == [
        (26, "rows read"),
        (1, "without a score, dropped"),
        (4, "in 1 host with one class (c), left out"),
        (21, "rows used: 2 hosts, 11 attack cases and 10 normal cases"),
    ]
    pooled = flow.make(Material(rows, rs.Deployment("shared", weigh="rows")))
    assert [(step.n, step.is_loss) for step in pooled.steps] == [
        (26, False),
        (1, True),
        (4, False),
        (25, False),
    ]
    assert pooled.steps[-1].text == "rows used: 3 hosts, 11 attack cases and 14 normal cases"
    few = flow.make(Material(rows, rs.Deployment("shared"), Settings(min_per_class=2)))
    assert few.steps[2].text == "in 1 host with fewer than 2 cases of a class (c), left out"


def test_several_scores_of_a_row_are_counted_as_scores() -> None:
    rows = rs.ScoreSet.from_arrays([1, 0, 1, 0], {"old": [4, 3, 2, 1], "new": [4, 1, 3, 2]})
    part = flow.make(Material(rows))
    assert [(step.n, step.text) for step in part.steps] == [
        (8, "scores read"),
        (8, "scores used: 2 models, 2 positives and 2 negatives each"),
    ]
    assert part.per_model == ()


def test_warnings_say_what_to_type_where_it_is_typed() -> None:
    rng = np.random.default_rng(0)
    labels = np.tile(np.repeat([1, 0], [30, 30]), 9)
    shift = np.repeat(np.arange(9.0), 60)
    rows = rs.ScoreSet.from_arrays(labels, rng.normal(size=540) + labels + shift, shift, unit="host")
    for command, typed in (("rocsteady report x.csv", "--method vertical"), ("", "method='vertical'")):
        part = flow.make(Material(rows, rs.Deployment("shared"), Settings(command=command)))
        (shifted,) = [row for row in part.warnings if row.code == "RS301"]
        assert any(typed in remedy for remedy in shifted.remedies)
        assert shifted.to_dict()["text"].startswith(shifted.problem)


def test_classes_have_the_words_of_the_field() -> None:
    labels, gates = np.tile([1, 0, 0], 40), np.repeat(np.arange(4), 30)
    rows = rs.ScoreSet.from_arrays(labels, np.arange(120.0) + 50 * labels, gates, unit="gate")
    for words, classes in (
        ("biometric", "40 genuine comparisons and 80 impostor comparisons"),
        ("ml", "40 positives and 80 negatives"),
    ):
        part = flow.make(Material(rows, None, Settings(words=words, n_resamples=100)))
        assert part.steps[-1].text.endswith(classes)


def test_single_groups_are_looked_at_in_the_table() -> None:
    rows = rs.ScoreSet.from_arrays(
        np.tile([1, 0], 40), np.arange(80.0), np.repeat(np.arange(4), 20), unit="host"
    )
    made = Material(rows, None, Settings(n_resamples=100))
    warning = RocsteadyWarning(
        "RS258", "the false alarms are those of few hosts.", "", "look at each:  --json", "or not"
    )
    row = flow._warning(made, Finding(warning))
    assert row.remedies == ('look at each in the table "Host by host"', "or not")
