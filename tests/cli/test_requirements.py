"""`--require`: what can be typed, what it is held against, and what is said when it does not hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocsteady.averaging.average import average
from rocsteady.averaging.methods import PLAIN
from rocsteady.cli.requirements import Verdict, judge, requirements_of
from rocsteady.errors import UsageError
from rocsteady.inference.compare import compare
from rocsteady.scores import ScoreSet
from rocsteady.study import Study


def scores(n_groups: int, models: tuple[str, ...] = ("old", "new")) -> ScoreSet:
    random = np.random.default_rng(3)
    labels, groups = np.tile([0, 1], 60 * n_groups), np.repeat(np.arange(n_groups), 120)
    case = random.normal(size=labels.size) + 1.3 * labels
    made = {name: case + random.normal(size=labels.size) / (2 + number) for number, name in enumerate(models)}
    return ScoreSet.from_arrays(labels, made, groups, unit="host")


@pytest.fixture(scope="module")
def hosts() -> ScoreSet:
    return scores(9)


@pytest.mark.parametrize(
    ("text", "whose", "quantity", "place", "sign", "bound"),
    [
        ("auc >= 0.8", "", "auc", None, ">=", 0.8),
        ("AUC>80%", "", "auc", None, ">", 0.8),
        ("tpr@fpr=0.05 >= 0.6", "", "tpr", ("fpr", 0.05), ">=", 0.6),
        ("sensitivity@spec=95% ≥ 60 %", "", "tpr", ("fpr", 0.05), ">=", 0.6),
        ("fpr@tpr=0.9<=.1", "", "fpr", ("tpr", 0.9), "<=", 0.1),
        ("new: tpr@t=-0.5 > 0.6", "new", "tpr", ("threshold", -0.5), ">", 0.6),
        ("a:b: auc > 0.6", "a:b", "auc", None, ">", 0.6),
        ("new - old: fpr@tpr=0.9 < 0", "new - old", "fpr", ("tpr", 0.9), "<", 0.0),
        ("tpr@ratio=1:2 >= 0.6", "", "tpr", ("ratio", (1.0, 2.0)), ">=", 0.6),
        ("eer <= 0.1", "", "fpr", ("eer", None), "<=", 0.1),
    ],
)
def test_what_can_be_typed(text, whose, quantity, place, sign, bound) -> None:
    (own,) = requirements_of([text])
    assert (own.whose, own.quantity, own.sign, own.bound) == (whose, quantity, sign, bound)
    assert place == (None if own.place is None else (own.place.kind, own.place.value))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "a requirement has a measure, a sign"),
        ("auc", "a requirement has a measure, a sign"),
        ("auc >= high", '"high" is no number'),
        ("tpr >= 0.6", "it does not say where the tpr is read"),
        ("auc@fpr=0.1 >= 0.6", "auc is not read at a point"),
        ("tpr@tpr=0.9 >= 0.6", "tpr is what tpr=0.9 holds"),
        ("tqr@fpr=0.1 >= 0.6", "did you mean tpr?"),
        ("tpr@height=3 >= 0.6", '"height=3" is not a place'),
    ],
)
def test_what_cannot_be_read_says_why(text, found) -> None:
    with pytest.raises(UsageError, match="RS004") as caught:
        requirements_of([text])
    assert found in caught.value.found
    assert requirements_of([caught.value.remedies[0].removeprefix("--require ").strip('"')])


def study_of(scores: ScoreSet, **options: object) -> Study:
    return Study(scores, n_resamples=200, **options)


@pytest.mark.parametrize("method", ["threshold", "vertical"])
def test_values_are_those_of_the_average(hosts, method) -> None:
    required = requirements_of(
        ["auc >= 0.5", "tpr@fpr=0.1 >= 0.3", "fnr@fpr=0.1 <= 0.9", "spec@tpr=0.9 >= 0.1"]
    )
    found = judge(required, study_of(hosts), PLAIN[method])
    assert [own.whose for own in found] == ["old", "new"] * 4
    own = average(hosts.model("new"), method)
    at_fpr, at_tpr = (own.at(**place) for place in ({"fpr": 0.1}, {"tpr": 0.9}))
    auc, tpr, fnr, spec = found[1::2]
    assert (auc.value, tpr.value, tpr.low, tpr.high) == (
        own.auc, at_fpr.tpr, at_fpr.tpr_interval.low, at_fpr.tpr_interval.high,
    )  # fmt: skip
    assert (fnr.value, fnr.low, fnr.high) == (1 - tpr.value, 1 - tpr.high, 1 - tpr.low)
    assert (spec.value, spec.high) == (1 - at_tpr.fpr, 1 - at_tpr.fpr_interval.low)
    assert all((own.n, own.unit) == (9, "host") for own in found)


def test_a_difference_is_that_of_a_comparison(hosts) -> None:
    texts = ["new - old: auc > 0", "old - new: fnr@fpr=0.1 > 0", "new - old: fpr@tpr=0.9 < 0"]
    auc, fnr, fpr = judge(requirements_of(texts), study_of(hosts), PLAIN["vertical"])
    own = compare(hosts, "new", "old", method="vertical", at=[{"fpr": 0.1}, {"tpr": 0.9}], n_resamples=200)
    assert (auc.value, auc.low) == (own.auc.difference, own.auc.interval.low)
    assert fnr.value == pytest.approx(own.at[0].difference)
    assert (fnr.low, fnr.high) == pytest.approx((own.at[0].interval.low, own.at[0].interval.high))
    assert fpr.value == own.at[1].difference


def test_the_hard_bound_decides() -> None:
    more, less = requirements_of(["auc >= 0.7", "auc <= 0.8"])
    for own, low, high, holds in (
        (more, 0.7, 0.9, True),
        (more, 0.69, 0.9, False),
        (less, 0.7, 0.8, True),
        (less, 0.7, 0.81, False),
        (more, math.nan, math.nan, False),
    ):
        assert Verdict(own, "", 0.75, low, high, 0.95, 9, "host").holds is holds


def test_one_dataset_has_cases_to_vary() -> None:
    texts = ["auc >= 0.5", "tpr@fpr=0.1 >= 0.1", "fpr@tpr=0.9 <= 0.9", "tpr@t=0.5 >= 0.2"]
    found = judge(requirements_of(texts), study_of(scores(1, ("only",))))
    assert all(own.holds and (own.n, own.unit) == (120, "case") for own in found)
    assert all(own.low < own.value < own.high for own in found)


def test_an_unknown_model(hosts) -> None:
    with pytest.raises(UsageError, match="RS004") as caught:
        judge(requirements_of(["newest: auc > 0.5"]), study_of(hosts), PLAIN["vertical"])
    assert caught.value.found == "models: old and new"
    with pytest.raises(UsageError, match="none of that is taken at eer"):
        judge(requirements_of(["new - old: eer < 0"]), study_of(hosts), PLAIN["vertical"])


def test_what_is_said(hosts) -> None:
    missed, met = judge(requirements_of(["new: auc >= 0.99", "old: auc >= 0.5"]), study_of(hosts))
    error = missed.message()
    assert (error.code, error.problem) == ("RS005", 'new does not meet "new: auc >= 0.99".')
    assert error.found.startswith("auc 0.")
    assert error.found.endswith(", over 9 hosts; the lower limit counts")
    assert met.sentence.plain().startswith('old meets "old: auc >= 0.5": auc 0.')
