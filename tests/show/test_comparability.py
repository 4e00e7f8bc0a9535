"""Whether scores mean the same in all groups: the core's price, in all renderers and vocabularies."""

from __future__ import annotations

import numpy as np
import pytest
from tests.show.renderers import HOSTILE, Page, check, hosts, in_all_words, printed

import rocsteady as rs
from rocsteady.show.sections import comparability
from rocsteady.show.sentences.comparability import price
from rocsteady.study import Study
from rocsteady.text import ML

SHARED = rs.Deployment("shared", at={"fpr": 0.05})


@pytest.mark.parametrize("use", [SHARED, rs.Deployment("own", at={"fpr": 0.05}), None], ids=str)
def test_every_renderer_shows_the_same_numbers(use):
    for study in in_all_words(hosts(), use):
        text = check(comparability.make(study), study.words)
        assert "scores of candidate shift" in text.casefold()
        is_own = use is not None and not use.is_shared
        assert ("costs nothing there" in text) == is_own
        assert ("could win this back" in text) != is_own


def test_the_price_is_that_of_the_core():
    scores = hosts()
    study = Study(scores, SHARED)
    text = printed(comparability.make(study), study.words)
    for model in study.models:
        found = rs.comparability(scores.model(model))
        assert study.comparability(model).to_dict() == found.to_dict()
        assert price(found).spell(ML, "cell") in text
    assert study.advice.comparability[0] is study.comparability(study.models[0])


def test_pooling_is_said_to_follow_large_groups():
    study = Study(hosts(), rs.Deployment("shared", weigh="rows", at={"fpr": 0.05}))
    assert "The declared use pools" in printed(comparability.make(study), study.words)


def test_weights_are_refused_and_one_dataset_has_nothing_to_say():
    rng = np.random.default_rng(0)
    labels, groups = np.tile([0, 1], 40), np.repeat(np.arange(4), 20)
    given = {"sample_weight": rng.random(80) + 0.5}
    weighted = rs.ScoreSet.from_arrays(labels, rng.normal(size=80) + labels, groups, **given)
    text = printed(comparability.make(Study(weighted)), Study(weighted).words)
    assert text.startswith("Rows have weights")
    assert comparability.make(Study(rs.ScoreSet.from_arrays(labels, rng.normal(size=80)))) == []


def test_hostile_names_are_text():
    study = Study(hosts(candidate=HOSTILE), SHARED)
    blocks = comparability.make(study)
    assert "script" not in Page(blocks, study.words).tags
    assert "\x1b" not in printed(blocks, study.words)
