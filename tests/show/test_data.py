"""What was read and what is used: rows add up, and each warning stands once, with what to do."""

from __future__ import annotations

import numpy as np
import pytest
from tests.show.renderers import HOSTILE, Page, check, hosts, in_all_words, printed

import rocsteady as rs
from rocsteady.advice.check import MANY_GROUPS
from rocsteady.advice.check import check as check_data
from rocsteady.show.document import Items, Note
from rocsteady.show.sections import answer, data, groups, points
from rocsteady.study import Study

SHARED = rs.Deployment("shared", at={"fpr": 0.05})


def test_every_renderer_shows_the_same_numbers():
    for study in in_all_words(hosts(), SHARED):
        check(data.make(study), study.words)


def test_each_warning_stands_once_after_all_sections():
    study = Study(hosts(), SHARED)
    for section in (answer, points, groups):
        section.make(study)
    notes = [own for own in data.make(study) if isinstance(own, Note)]
    said = [own.text.plain(study.words) for own in notes]
    assert len(set(said)) == len(said)
    assert [own.code for own in notes].count("RS201") == 1
    assert any("What to do:" in own for own in said)


def test_a_step_of_a_rate_has_the_name_of_the_vocabulary():
    texts = {
        study.words.name: printed(data.make(study), study.words) for study in in_all_words(hosts(), SHARED)
    }
    assert "its TPR moves" in texts["ml"]
    assert "its sensitivity moves" in texts["medical"]
    assert "its FNMR moves" in texts["biometric"]


def test_groups_keep_the_case_of_their_names():
    study = Study(hosts(), SHARED)
    assert "RS201 host-23 has no attack cases" in printed(data.make(study), study.words)


def test_losses_add_up():
    scores = hosts()
    study = Study(scores, SHARED, min_per_class=12)
    found = study.check
    n_one_class = sum(own.n_one_class for own in found.models)
    assert found.n_read == found.n_left_out + found.n_rows == scores.columns.n_cases
    assert sum(own.n_rows for own in found.models) == found.n_rows
    (steps,) = (own for own in data.make(study) if isinstance(own, Items))
    text = " ".join(own.plain(study.words) for own in steps.texts)
    assert f"{found.n_rows - n_one_class:,}".replace(",", " ") in text
    assert set(found.left_out) == set(scores.groups) - set(study.scores.groups)


def test_models_that_differ_have_a_table():
    labels, names = [1, 0, 1, 0, 1, 0], list("aabbcc")
    table = {"y": labels * 2, "s": np.arange(12.0), "g": names * 2, "m": ["x"] * 6 + ["y"] * 6}
    table = {name: values[:10] for name, values in table.items()}
    scores = rs.ScoreSet.from_frame(table, label="y", score="s", group="g", model="m", positive=1)
    study = Study(scores)
    text = printed(data.make(study), study.words)
    assert "of 2 models" in text


def test_very_many_groups_with_few_cases_are_counted():
    n = MANY_GROUPS + 5
    groups_of = np.repeat(np.arange(n), 6)
    scores = rs.ScoreSet.from_arrays(np.tile([0, 1], 3 * n), np.arange(6.0 * n), groups_of)
    codes = [own.warning.code for own in check_data(scores).findings]
    assert codes == ["RS205"]
    assert len(check_data(scores).findings[0].groups) == n


@pytest.mark.parametrize("name", ["ml", "medical"])
def test_hostile_names_are_text(name):
    study = Study(hosts(candidate=HOSTILE), SHARED, words=name)
    blocks = data.make(study)
    assert "script" not in Page(blocks, study.words).tags
    assert "\x1b" not in printed(blocks, study.words)
