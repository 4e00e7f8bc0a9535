"""A study asks the core, once; it computes nothing, and refuses what is no study."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import rocsteady as rs
from rocsteady import study as module

SHARED = rs.Deployment("shared", at={"fpr": 0.1})


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(4)
    labels, groups = np.arange(900) % 3 == 0, np.repeat(np.arange(9), 100)
    base = labels + 0.3 * rng.normal(size=9)[groups] + rng.normal(size=900)
    return rs.ScoreSet.from_arrays(
        labels, {"old": base + rng.normal(size=900), "new": base}, groups, unit="site"
    )


@pytest.fixture
def study(scores):
    return rs.Study(scores, SHARED, at=["youden", {"alerts": 40}])


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s.average("old"),
        lambda s: s.point("old"),
        lambda s: s.auc("old"),
        lambda s: s.compare("old", "new"),
        lambda s: s.winner_map("old", "new"),
        lambda s: s.cutoff("old", "youden"),
        lambda s: s.comparability("old"),
        lambda s: s.plan,
        lambda s: s.advice,
    ],
)
def test_each_answer_is_made_once(study, ask):
    assert ask(study) is ask(study) is not None


def test_nothing_is_asked_before_it_is_needed(scores, monkeypatch):
    monkeypatch.setattr(module, "roc_curves", lambda *_, **__: pytest.fail("a curve was made"))
    assert rs.Study(scores, SHARED).models == ("old", "new")


def test_warnings_are_kept_and_not_issued(scores):
    few = scores.take(scores.groups[:2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study = rs.Study(few, SHARED)
        study.average("old").auc_interval()
        assert study.compare("old", "new") is study.compare("old", "new")
    codes = [own.code for own in study.warnings]
    assert codes
    assert len({(own.code, own.problem) for own in study.warnings}) == len(codes)


def test_a_number_of_alerts_is_of_the_cases_of_one_model(study):
    assert study.places[2].value == 40 / 900
    assert study.two_by_two("new", {"alerts": 40}).tp + study.two_by_two("new", {"alerts": 40}).fp <= 40


def test_facts_are_plain_and_only_those_that_are_asked_for(study):
    found = study.to_dict("comparison")
    json.dumps(found, allow_nan=False)
    assert "comparison" in found
    assert not {"models", "plan", "readers"} & found.keys()
    with pytest.raises(rs.RocsteadyError, match="RS001"):
        study.to_dict("averages")


def test_a_figure_is_that_of_the_study(study):
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    _, ax = plt.subplots()
    assert study.plot("average", ax=ax) is ax
    assert len(ax.lines) >= 2
    with pytest.raises(rs.RocsteadyError, match="RS001"):
        study.plot("avarage")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (lambda s: rs.Study([1, 0], SHARED), "RS002"),
        (lambda s: rs.Study(s, "shared"), "RS002"),
        (lambda s: rs.Study(s, SHARED, cutoff_from=s), "RS002"),
        (lambda s: rs.Study(s, SHARED, title=3), "RS002"),
        (lambda s: rs.Study(s, SHARED, at={"lift": 0.9}), "RS092"),
        (lambda s: rs.Study(s, SHARED, at={"alerts": 1000}), "RS042"),
        (lambda s: rs.Study(s, SHARED, confidence_level=95), "RS042"),
        (lambda s: rs.Study(s, SHARED, words="french"), "RS001"),
        (lambda s: rs.Study(s, SHARED, at=5), "RS092"),
        (lambda s: rs.Study(s, SHARED, progress=3), "RS002"),
        (lambda s: rs.Study(s, SHARED).average(), "RS001"),
        (lambda s: rs.Study(s, SHARED).average("newest"), "RS001"),
    ],
)
def test_what_is_no_study_is_refused(scores, given, code):
    with pytest.raises(rs.RocsteadyError) as caught:
        given(scores)
    assert caught.value.code == code
    assert caught.value.remedies


def test_several_values_of_a_place_are_several_places(scores):
    found = rs.Study(scores, at={"fpr": [0.1, 0.2]})
    assert [own.value for own in found.places] == [0.1, 0.2]
    assert rs.Study(scores, at=None).places == ()


@pytest.mark.parametrize("method", ["radial", "tangent", "binormal"])
def test_an_average_that_shares_no_threshold_is_compared_without_one(scores, method):
    """Its page and its command ended in a TypeError."""
    from rocsteady.show.document import plain
    from rocsteady.show.sections import comparison

    study = rs.Study(scores, method=method, at={"fpr": 0.1})
    assert "new is" in plain(comparison.make(study), study.words)


def test_few_resamples_are_said_by_the_study_and_not_by_python(scores):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study = rs.Study(scores, SHARED, n_resamples=50)
    assert [own.code for own in study.warnings] == ["RS270"]
