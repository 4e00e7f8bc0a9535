"""The answer: the setting, what every model does, and never more sure than the interval."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from report.summary.made_hosts import compared, hosts, material, said, two_models
from rocsteady.report.summary.answer import answer
from rocsteady.report.summary.answer.answer import Answer
from rocsteady.report.summary.comparing import comparison as comparing

SHARED = rs.Deployment("shared", at={"fpr": 0.1})
OWN = rs.Deployment("own", hold="fpr", at=0.1)


_ANSWERED: dict[Any, tuple[rs.ScoreSet, Answer]] = {}  # scores are kept, so that no other gets their id


def answered(scores: rs.ScoreSet, deployment: rs.Deployment | None, **settings: Any) -> Answer:
    """The answer, made once for each question."""
    question = (id(scores), str(deployment), str(settings))
    if question not in _ANSWERED:
        if scores is two_models():
            own, part = compared(deployment, **settings)
        else:
            own = material(scores, deployment, **settings)
            part = comparing.make(own)
        _ANSWERED[question] = scores, answer.make(own, part)
    return _ANSWERED[question][1]


@pytest.fixture(scope="module")
def two() -> rs.ScoreSet:
    return two_models()


@pytest.fixture(scope="module")
def one() -> rs.ScoreSet:
    return hosts(models=1)


SETTINGS = [
    (SHARED, "With one threshold for all hosts and a budget of 10 % false alarms, baseline catches "),
    (rs.Deployment("shared", at={"tpr": 0.9}), "With one threshold for all hosts set to catch 90 % of attack "
     "cases on average, baseline raises false alarms on "),
    (rs.Deployment("shared", at=1.2), "With one threshold of 1.20 for all hosts, baseline catches "),
    (rs.Deployment("shared"), "With one threshold for all hosts, baseline has an area under the average curve of "),
    (rs.Deployment("shared", weigh="rows", at={"fpr": 0.1}), "With one threshold for all hosts, every case "
     "counting once, and a budget of 10 % false alarms, baseline catches "),
    (OWN, "If every host tunes its own threshold to 10 % false alarms, baseline catches "),
    (rs.Deployment("own", hold="tpr", at=0.9), "If every host tunes its own threshold to catch 90 % of its "
     "attack cases, baseline raises false alarms on "),
    (rs.Deployment("own", hold="fpr"), "If every host has its own threshold, baseline has a mean AUC of "),
    (rs.Deployment("own", hold="balance"), "If every host tunes its own threshold to equal error rates, "
     "baseline has a mean equal error rate of "),
    (rs.Deployment("own", hold="balance", at=0.1), "If every host tunes its own threshold to a false positive "
     "rate 10 points above its false negative rate, baseline raises false alarms on "),
    (rs.Deployment("own", hold="ratio", at=(1, 2)), "If every host tunes its own threshold to error rates "
     "(false positive to false negative) of 1 : 2, baseline raises false alarms on "),
    (rs.Deployment("own", hold="alerts", at=0.2, prevalence=0.1), "If every host tunes its own threshold to raise "
     "alerts on 20 % of cases, at a prevalence of 10 %, baseline catches "),
    (rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.05), "If every host tunes its own threshold "
     "to costs (false positive to false negative) of 1 : 20, at a prevalence of 5 %, baseline costs "),
]  # fmt: skip


@pytest.mark.parametrize(("deployment", "start"), SETTINGS, ids=lambda own: str(own)[:60])
def test_every_deployment_is_said(two: rs.ScoreSet, deployment: rs.Deployment, start: str) -> None:
    found = answered(two, deployment)
    assert said(found.sentence).startswith(start)
    assert found.is_declared
    assert "equal" not in said(found.sentence).replace("equal error rate", "")
    assert "95 % interval" in said(found.sentence)


@pytest.mark.parametrize("deployment", [SHARED, OWN], ids=str)
def test_the_verdict_follows_the_interval(deployment: rs.Deployment) -> None:
    own, part = compared(deployment)
    (pair,) = part.pairs
    text = said(answer.make(own, part).sentence)
    if pair.low > 0 or pair.high < 0:
        assert f"Of the two, {pair.better} is better by" in text
    else:
        assert "The two cannot be told apart with these 10 hosts: the difference, baseline minus" in text
    assert pair.measure.text(pair.value_a) in text
    assert pair.measure.text(pair.value_b) in text


def test_both_verdicts_occur(two: rs.ScoreSet) -> None:
    assert "is better by" in said(answered(two, SHARED).sentence)
    assert "cannot be told apart" in said(answered(two, OWN).sentence)


def test_the_other_use_is_told_where_it_changes_the_answer(two: rs.ScoreSet) -> None:
    shared, own = answered(two, SHARED), answered(two, OWN)
    assert said(shared.other).startswith(
        "If each host had its own threshold, the two could not be told apart"
    )
    assert said(own.other).startswith(
        "With one threshold for all hosts instead, baseline would be better, by"
    )
    assert said(own.other).endswith("The scores of candidate sit at a different level on each host.")


def test_nothing_else_is_told_where_nothing_changes() -> None:
    rng = np.random.default_rng(0)
    labels, host = np.tile([1, 0, 0], 160), np.repeat(np.arange(8), 60)
    both = {"a": rng.normal(size=480) + 3 * labels, "b": rng.normal(size=480) + labels}
    found = answered(rs.ScoreSet.from_arrays(labels, both, host, unit="host"), SHARED)
    assert "a is better by" in said(found.sentence)
    assert found.other is None


def test_which_interval_it_is_stands_in_the_comparison(two: rs.ScoreSet) -> None:
    kept = rs.Deployment("shared", at=1.2)
    told = {
        SHARED: "The interval allows for a threshold that is set again to meet the budget.",
        OWN: "Every host meets the budget itself",
        kept: "The threshold stays as it is.",
    }
    for deployment, words in told.items():
        plain = said(answered(two, deployment).sentence)
        assert "95 % interval" in plain
        assert "resample" not in plain
        assert ";" not in plain[plain.index("95 % interval") :].split(")")[0]
        assert words in said(compared(deployment)[1].sentence)


def test_undeclared_recommends_nothing(two: rs.ScoreSet) -> None:
    found = answered(two, None)
    text = said(found.sentence)
    assert text.startswith(
        "How the scores will be used was not declared, so no average is recommended. As an"
    )
    assert "with one threshold for all hosts" in text
    assert "if every host tunes its own threshold" in text
    assert text.endswith("Only with one threshold for all hosts is baseline shown to be better.")
    assert not found.is_declared
    assert found.other is None


@pytest.mark.parametrize("key", ["threshold", "vertical"])
def test_one_model_has_the_average_and_its_interval(one: rs.ScoreSet, key: str) -> None:
    found = answered(one, SHARED if key == "threshold" else OWN)
    point = rs.average(one, key).at(fpr=0.1)
    low, high = (f"{100 * limit:.0f}" for limit in (point.tpr_interval.low, point.tpr_interval.high))
    assert f"the classifier catches {100 * point.tpr:.0f} % of attack cases on the average host" in said(
        found.sentence
    )
    assert f"95 % interval {low} to {high} %" in said(found.sentence)
    assert "Single hosts range from" in said(found.sentence)


def test_one_model_without_a_point_has_an_area_and_an_example(one: rs.ScoreSet) -> None:
    text = said(answered(one, rs.Deployment("shared")).sentence)
    assert f"{rs.average(one, 'threshold').auc:.3f}" in text
    assert (
        "No operating point was declared. As an example: with one threshold for all hosts and a budget of 5 %"
        in text
    )


def test_one_model_undeclared(one: rs.ScoreSet) -> None:
    text = said(answered(one, None).sentence)
    assert text.count("the classifier catches") == 2
    assert text.count("95 % interval") == 2


def test_many_models_are_ranked() -> None:
    scores = hosts(models=4)
    own = material(scores, SHARED)
    part = comparing.make(own)
    assert part is not None
    text = said(answer.make(own, part).sentence)
    best = part.standings[0]
    assert f"{best.model} catches {part.measure.text(best.value)}" in text
    places = [text.index(each.model) for each in part.standings]
    assert places == sorted(places)
    assert "Of all, " in text


def test_one_dataset_speaks_of_no_average() -> None:
    rng = np.random.default_rng(3)
    labels = np.arange(150) % 3 == 0
    both = {"a": rng.normal(size=150) + 2 * labels, "b": rng.normal(size=150) + 2 * labels}
    scores = rs.ScoreSet.from_arrays(labels, both)
    for deployment in (None, SHARED, OWN, rs.Deployment("own", hold="balance")):
        text = said(answered(scores, deployment).sentence)
        assert "average" not in text
        assert "cases" in text
        assert said(answered(scores, deployment).other).startswith(
            "There is one dataset, so nothing is averaged."
        )
    assert "cannot be told apart with these cases" in said(answered(scores, None).sentence)
    assert "compared by AUC" in said(answered(scores, rs.Deployment("own", hold="balance")).sentence)


@pytest.mark.parametrize(
    ("words", "start"),
    [("medical", "With one cut-off for all hosts set to a mean specificity of 90 %, baseline has a mean sensitivity"),
     ("biometric", "With one threshold for all hosts set to a mean false match rate of 10 %, baseline has a mean "
      "false non-match rate of")],
)  # fmt: skip
def test_other_fields_have_their_words(two: rs.ScoreSet, words: str, start: str) -> None:
    text = said(answered(two, SHARED, words=words).sentence)
    assert text.startswith(start)
    assert "baseline is better by" in text
    assert "false alarm" not in text


def test_models_that_agree_everywhere_do_not_differ(two: rs.ScoreSet) -> None:
    own = two.model("baseline").columns
    groups = [f"host-{i}" for i in np.repeat(np.arange(10), 48)]
    same = rs.ScoreSet.from_arrays(own.labels, {"a": own.scores, "b": own.scores}, groups, unit="host")
    assert "On these 10 hosts the two do not differ in this at all." in said(answered(same, OWN).sentence)


def test_a_single_host_with_a_curve_is_one_dataset() -> None:
    rng = np.random.default_rng(0)
    labels = np.concatenate([np.tile([1, 0], 20), np.zeros(20, dtype=int)])
    both = {"a": rng.normal(size=60) + labels, "b": rng.normal(size=60) + labels}
    scores = rs.ScoreSet.from_arrays(labels, both, np.repeat([0, 1], [40, 20]), unit="host")
    text = said(answered(scores, SHARED).sentence)
    assert text.startswith("With a threshold set to 10 % false alarms, a catches ")
    assert "with these cases" in text or "resample of cases" in text


def test_a_range_of_costs_is_read_in_its_middle(two: rs.ScoreSet) -> None:
    deployment = rs.Deployment("own", hold="cost", costs=((1, 2), (1, 18)), prevalence=0.1)
    text = said(answered(two, deployment).sentence)
    assert (
        "of 1 : 6, at a prevalence of 10 % (the costs in the middle of the declared range, 1 : 2 to 1 : 18)"
        in text
    )


def test_youden_is_told_with_both_rates_and_why_areas_are_compared(two: rs.ScoreSet) -> None:
    own = material(two, rs.Deployment("shared"), at=("youden",))
    text = said(answer.make(own, comparing.make(own)).sentence)
    cut = rs.choose_cutoff(rs.average(two.model("baseline"), "threshold"), "youden")
    rates = rs.average(two.model("baseline"), "threshold").rates_at(cut.threshold)
    assert "where TPR \u2212 FPR is highest (Youden), baseline catches " in text
    assert f"{100 * float(rates.fpr):.1f} % of normal cases" in text
    assert "so the two are compared by area under the average curve." in text


def test_nothing_is_still_so_that_was_not(two: rs.ScoreSet) -> None:
    own = material(two, OWN, cutoff_from=hosts(seed=60))
    part = comparing.make(own)
    assert part is not None
    decided = {pair.better for pair in part.pairs if pair.is_decided}
    other = said(answer.make(own, part).other)
    assert ("would still be better" in other) <= (len(decided) == 1)


def test_what_is_on_a_host_is_for_a_customer() -> None:
    text = answered(hosts(unit="customer", models=1), OWN)
    assert "for the average customer" in said(text.sentence)


def test_a_cost_has_an_interval(one: rs.ScoreSet) -> None:
    costs = rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.05)
    text = said(answered(one, costs).sentence)
    point = rs.average(one, "tangent").at_costs(false_positive=1, false_negative=20, prevalence=0.05)
    assert f" costs {point.cost:.3f} per case on the average host (95 % interval 0." in text


def test_rows_count_by_their_weights(two: rs.ScoreSet) -> None:
    rng = np.random.default_rng(0)
    labels, groups = np.tile([1, 0, 0], 160), np.repeat(np.arange(8), 60)
    both = {name: rng.normal(size=480) + labels for name in "ab"}
    weights = rng.uniform(1, 2, size=480)
    pooled = rs.Deployment("shared", weigh="rows", at={"fpr": 0.1})
    found = {
        "once": rs.ScoreSet.from_arrays(labels, both, groups, unit="host"),
        "by its weight": rs.ScoreSet.from_arrays(labels, both, groups, unit="host", sample_weight=weights),
    }
    for counting, rows in found.items():
        assert f"every case counting {counting}, and a budget" in said(answered(rows, pooled).sentence)


@pytest.mark.parametrize(
    ("words", "unit", "start"),
    [
        ("biometric", "gate", "If every gate has its own threshold, set to error rates (false match to false "
         "non-match) of 1 : 2, "),
        ("medical", "reader", "If every reader has their own cut-off, set to error rates (false positive to "
         "false negative) of 1 : 2, "),
    ],
)  # fmt: skip
def test_the_words_of_the_field_name_the_errors(words: str, unit: str, start: str) -> None:
    ratio = rs.Deployment("own", hold="ratio", at=(1, 2))
    assert said(answered(hosts(unit=unit, models=1), ratio, words=words).sentence).startswith(start)
    alerts = rs.Deployment("own", hold="alerts", at=0.3, prevalence=0.2)
    text = said(answered(hosts(unit=unit, models=1), alerts, words=words).sentence)
    assert "set to call 30 % of cases positive" in text
    assert "alert" not in text


def test_both_rates_of_a_sentence_have_as_many_places(one: rs.ScoreSet) -> None:
    text = said(answered(one, rs.Deployment("shared", at=1.2)).sentence)
    rates = rs.average(one, "threshold").rates_at(1.2)
    assert f"catches {100 * float(rates.tpr):.1f} % of attack cases" in text
    assert f"false alarms on {100 * float(rates.fpr):.1f} % of normal cases" in text
