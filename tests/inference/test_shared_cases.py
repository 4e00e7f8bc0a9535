"""Groups that judged the same cases are not independent: `compare` says so, and points to reader studies."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.inference.compare import compare
from rocsteady.inference.matching import shared_cases


def study(*, own_cases: bool, n_readers: int = 6, named: bool = True) -> rs.ScoreSet:
    """Readers who rate 40 cases with two modalities: the same cases, or others for every reader."""
    rng = np.random.default_rng(7)
    n = n_readers * 40
    labels = np.tile(np.repeat([1, 0], 20), n_readers)
    cases = np.arange(n) if own_cases else np.tile(np.arange(40), n_readers)
    scores = {name: rng.normal(size=n) + gain * labels for name, gain in (("film", 1.0), ("digital", 1.5))}
    readers = np.repeat([f"r{i}" for i in range(n_readers)], 40)
    named_cases = {"cases": cases} if named else {}
    return rs.ScoreSet.from_arrays(labels, scores, readers, unit="reader", **named_cases)


def repeated_folds() -> rs.ScoreSet:
    """Three folds, twice: every case is tested in two of six groups, in three of which nobody else is."""
    rng = np.random.default_rng(7)
    case = np.concatenate([rng.permutation(60), rng.permutation(60)])
    labels, fold = case % 2, np.repeat(np.arange(6), 20)
    scores = {name: rng.normal(size=120) + gain * labels for name, gain in (("old", 1.0), ("new", 1.5))}
    return rs.ScoreSet.from_arrays(labels, scores, fold, cases=case, unit="fold")


def codes_of(score_set: rs.ScoreSet, **options: object) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare(score_set, n_resamples=200, **options)
    return [entry.message.code for entry in caught]


@pytest.mark.parametrize("random", ["groups", "cases"])
def test_shared_cases_are_warned_of_whatever_is_random(random: str) -> None:
    with pytest.warns(rs.RocsteadyWarning, match="RS266") as caught:
        compare(study(own_cases=False), random=random, n_resamples=200, method="vertical")
    (told,) = [entry.message for entry in caught if entry.message.code == "RS266"]
    assert told.facts["are_fixed"] == (random == "groups")
    assert told.found == "40 of 40 cases are shared, for example 0"
    assert "compare_readers(score_set)" in str(told)


def test_it_is_said_once_for_all_pairs() -> None:
    two = study(own_cases=False)
    labels, groups = two.model("film").columns.labels, np.repeat(two.groups, 40)
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=240) + labels for name in "abc"}
    three = rs.ScoreSet.from_arrays(labels, scores, groups, cases=np.tile(np.arange(40), 6), unit="reader")
    assert codes_of(three).count("RS266") == 1


@pytest.mark.parametrize(
    ("score_set", "options"),
    [
        (study(own_cases=True), {}),  # every reader has other cases
        (study(own_cases=False, named=False), {}),  # rows of a frame of scores are cases of their own
        (study(own_cases=False, n_readers=1), {}),  # nobody to share them with
        (repeated_folds(), {"test_train_ratio": 0.2}),  # a correction for shared cases was asked for
    ],
)
def test_nothing_is_said_where_nothing_is_shared(score_set: rs.ScoreSet, options: dict[str, float]) -> None:
    assert "RS266" not in codes_of(score_set, **options)


def test_a_correction_for_folds_does_not_make_folds_of_readers() -> None:
    """Who reads all cases of everybody else is no fold: most cases would be tested more than trained on."""
    assert "RS266" not in codes_of(repeated_folds())  # their cases tell what they are
    assert "RS266" in codes_of(study(own_cases=False), test_train_ratio=0.2)


def test_one_case_in_two_groups_is_enough() -> None:
    labels, groups = [1, 0, 1, 0], ["a", "a", "b", "b"]
    assert shared_cases(rs.ScoreSet.from_arrays(labels, [3, 1, 2, 5], groups, cases=[1, 2, 1, 3])).size == 1
    assert shared_cases(rs.ScoreSet.from_arrays(labels, [3, 1, 2, 5], groups, cases=[1, 2, 4, 3])).size == 0
