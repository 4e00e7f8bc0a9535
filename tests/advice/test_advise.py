"""Advice: the paper's own deployments, the warnings, and that nothing is recommended unasked."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.advice.advise import Advice
from rocsteady.errors import UsageError

DEVICES = rs.Deployment("shared", weigh="groups", at={"fpr": 0.05})
READERS = rs.Deployment("own", hold="tpr", at=0.9)


def hosts(sizes, *, shift=0.0, separation=1.5, unit="host", seed=1, rounded=False) -> rs.ScoreSet:
    """Groups of normal scores, ``sizes`` cases of each class, at levels that scatter by ``shift``."""
    rng = np.random.default_rng(seed)
    pairs = []
    for n in sizes:
        labels = np.arange(2 * n) < n
        scores = rng.normal(size=2 * n) + separation * labels + shift * rng.normal()
        pairs.append((labels, np.clip(np.round(2 * scores), -4, 5) if rounded else scores))
    return rs.ScoreSet.from_folds(pairs, unit=unit, design="independent")


def codes(advice: Advice) -> list[str]:
    return [warning.code for warning in advice.warnings]


# The paper's section 4.2.


def test_devices_under_one_threshold_are_averaged_by_threshold_not_pooled() -> None:
    advice = rs.advise(DEVICES, hosts([20] * 9 + [400]))
    assert advice.method == "threshold"
    assert advice.method != "pooled"
    assert [reason.code for reason in advice.because] == ["RS330", "RS331"]
    assert "Hogan & Adams 2023, section 4.2" in str(advice.because[1])
    assert "RS310" not in codes(advice)
    assert "RS310" in codes(rs.advise(DEVICES, hosts([20] * 9 + [400]), method="pooled"))
    assert "RS314" in codes(rs.advise(DEVICES, method="pooled"))


def test_radiologists_are_averaged_horizontally() -> None:
    advice = rs.advise(READERS)
    assert advice.method == "horizontal"
    assert "section" in advice.because[1].source
    assert codes(advice) == []


@pytest.mark.parametrize("method", ["pooled", "threshold", rs.Pooled(balanced=True)])
@pytest.mark.parametrize("deployment", [DEVICES, READERS, rs.Deployment("shared", weigh="rows")])
def test_folds_that_are_not_comparable_are_never_put_under_one_threshold_without_a_warning(
    deployment, method
) -> None:
    assert "RS311" in codes(rs.advise(deployment, method=method, folds=True))
    alike = hosts([30] * 10, unit="fold").with_design("cross-validation")
    assert "RS311" not in codes(rs.advise(deployment, alike, method=method))
    moved = hosts([30] * 10, unit="fold", shift=1.0).with_design("cross-validation")
    assert {"RS301", "RS311"} <= set(codes(rs.advise(deployment, moved, method=method)))
    assert "RS311" not in codes(rs.advise(deployment, moved, method=method, folds=False))


def test_folds_recommended_a_shared_threshold_are_warned_of_too() -> None:
    assert codes(rs.advise(DEVICES, folds=True)) == ["RS311"]
    assert codes(rs.advise(READERS, folds=True)) == []


@pytest.mark.parametrize("unit", ["fold", "outer_fold", "host"])
def test_folds_are_known_by_their_design_and_not_by_their_word(unit) -> None:
    groups = hosts([30] * 10, unit=unit, shift=1.0)
    assert "RS311" not in codes(rs.advise(DEVICES, groups))
    assert "RS311" in codes(rs.advise(DEVICES, groups.with_design("cross-validation")))


# Warnings about the question.


@pytest.mark.parametrize("method", ["vertical", rs.Vertical(at_jumps="mid")])
def test_how_jumps_are_read_is_no_contradiction(method) -> None:
    assert codes(rs.advise(rs.Deployment("own", hold="fpr"), method=method)) == []


def test_a_ratio_is_not_a_difference_of_error_rates() -> None:
    assert codes(rs.advise(rs.Deployment("own", hold="ratio"), method="diagonal")) == ["RS315"]
    assert codes(rs.advise(rs.Deployment("own", hold="balance"), method="radial")) == ["RS315"]


def test_the_cost_direction_is_labelled() -> None:
    costs = rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.1)
    direction = rs.AtCosts(false_positive=1, false_negative=20, prevalence=0.1)
    assert codes(rs.advise(costs, method=direction)) == ["RS316"]
    offered = rs.advise(costs, hosts([30] * 10)).alternatives
    assert [other.note != "" for other in offered if isinstance(other.method, rs.AtCosts)] == [True]


def test_a_balanced_pool_answers_what_the_threshold_average_answers() -> None:
    assert codes(rs.advise(DEVICES, method=rs.Pooled(balanced=True))) == []


def test_nothing_is_recommended_unasked() -> None:
    with pytest.raises(UsageError, match="RS093") as refused:
        rs.advise(None, hosts([30] * 10))
    text = str(refused.value)
    assert "Is one threshold shared by all groups?" in text
    assert "What should count equally?" in text
    assert "What is held fixed when you read the curve?" in text


@pytest.mark.parametrize(
    ("arguments", "options", "code"),
    [
        (("shared",), {}, "RS002"),
        ((DEVICES, [1, 2]), {}, "RS002"),
        ((DEVICES,), {"method": "verticle"}, "RS001"),
        ((DEVICES,), {"folds": "yes"}, "RS001"),
        ((DEVICES,), {"confidence_level": 95}, "RS042"),
        ((DEVICES,), {"seed": -1}, "RS042"),
    ],
)
def test_misuse_is_told(arguments, options, code) -> None:
    with pytest.raises(UsageError, match=code):
        rs.advise(*arguments, **options)


# Warnings about the data.


def test_few_groups() -> None:
    assert "RS312" in codes(rs.advise(DEVICES, hosts([30] * 7)))
    assert "RS312" not in codes(rs.advise(DEVICES, hosts([30] * 8)))
    advice = rs.advise(DEVICES, hosts([30]))
    assert "RS312" in codes(advice)
    assert all(np.isnan(other.auc_interval.low) for other in advice.alternatives)


@pytest.mark.parametrize(
    ("unit", "rounded", "warned"),
    [("reader", False, True), ("radiologist", True, True), ("host", True, True), ("host", False, False)],
)
def test_ratings_under_one_threshold(unit, rounded, warned) -> None:
    rated = hosts([40] * 10, unit=unit, rounded=rounded)
    assert ("RS313" in codes(rs.advise(DEVICES, rated))) == warned
    assert "RS313" not in codes(rs.advise(READERS, rated))


def test_incomparable_scores_are_told_only_under_one_threshold() -> None:
    shifted = hosts([60] * 12, shift=1.5)
    assert "RS301" in codes(rs.advise(DEVICES, shifted))
    assert "RS301" in codes(rs.advise(READERS, shifted, method="pooled"))
    assert "RS301" not in codes(rs.advise(READERS, shifted))
    assert "RS301" not in codes(rs.advise(DEVICES, hosts([60] * 12)))


def test_groups_of_one_class_and_groups_the_wrong_way_round() -> None:
    good = hosts([40] * 9)
    pairs = [(one.is_positive, one.scores) for one in good]
    pairs += [(~pairs[0][0], pairs[0][1]), (np.ones(5, dtype=bool), np.arange(5.0))]
    mixed = rs.ScoreSet.from_folds(pairs, unit="host", design="independent")
    advice = rs.advise(READERS, mixed)
    told = {warning.code: str(warning) for warning in advice.warnings}
    assert "host 11" in told["RS201"]
    assert "host 10" in told["RS318"]
    assert "RS201" not in codes(rs.advise(rs.Deployment("shared", weigh="rows"), mixed))


def test_the_better_end_of_steps_is_told_with_its_size() -> None:
    small = hosts([20] * 30)
    (told,) = [
        w for w in rs.advise(rs.Deployment("own", hold="fpr", at=0.05), small).warnings if w.code == "RS317"
    ]
    upper = rs.average(small, "vertical").at_position(0.05).tpr
    middle = rs.average(small, rs.Vertical(at_jumps="mid")).at_position(0.05).tpr
    assert (told.facts["upper"], told.facts["middle"]) == pytest.approx((upper, middle))
    for quiet in (
        rs.advise(rs.Deployment("own", hold="fpr", at=0.05), small, method=rs.Vertical(at_jumps="mid")),
        rs.advise(rs.Deployment("own", hold="fpr", at=0.05), hosts([2000] * 8)),
        rs.advise(rs.Deployment("own", hold="balance"), small),
    ):
        assert "RS317" not in codes(quiet)
    assert "RS317" in codes(rs.advise(rs.Deployment("own", hold="tpr"), small))


def test_equal_sizes_may_be_pooled() -> None:
    rows = rs.Deployment("shared", weigh="rows")
    assert "RS310" not in codes(rs.advise(rows, hosts([30] * 10)))
    (told,) = [w for w in rs.advise(rows, hosts([10] * 9 + [910])).warnings if w.code == "RS310"]
    assert "91.0 % of all" in str(told)
    effective = 1 / (9 * 0.01**2 + 0.91**2)
    assert f"as unequal as {effective:.1f} of 10 hosts" in str(told)


# What an advice is.


def test_warnings_are_kept_not_issued(recwarn) -> None:
    advice = rs.advise(DEVICES, hosts([60] * 12, shift=1.5), method="pooled")
    assert len(advice.warnings) >= 2
    assert all(isinstance(warning, rs.RocsteadyWarning) for warning in advice.warnings)
    assert list(recwarn) == []


def test_a_reason_is_a_sentence_with_its_code_and_source() -> None:
    reason = rs.advise(DEVICES).because[1]
    assert str(reason) == reason.reading
    assert str(reason).endswith("(Hogan & Adams 2023, section 4.2; RS331)")
    again = pickle.loads(pickle.dumps(reason))
    assert (again, again.code, again.source) == (reason, "RS331", "Hogan & Adams 2023, section 4.2")


@pytest.mark.parametrize("hold", ["fpr", "tpr", "balance", "ratio", "cost", "alerts"])
def test_every_reason_names_where_it_comes_from(hold) -> None:
    deployment = rs.Deployment("own", hold=hold, costs=(1, 2), prevalence=0.2)
    for reason in rs.advise(deployment).because:
        assert reason.code in rs.advise(deployment).to_dict()["because"][0]["code"] or reason.code > "RS333"
        assert any(word in reason.source for word in ("section", "errata", "20"))


def test_it_becomes_plain_data_and_a_table() -> None:
    advice = rs.advise(rs.Deployment("own", hold="fpr", at=0.1), hosts([30] * 9))
    data = json.loads(json.dumps(advice.to_dict(), allow_nan=False))
    assert data["method"] == "vertical"
    assert {other["method"] for other in data["alternatives"]} == {
        "pooled", "threshold", "horizontal", "diagonal", "radial", "tangent",
    }  # fmt: skip
    assert next(iter(advice.to_frame()["method"])) == "vertical"
    assert repr(advice).startswith("Advice(vertical, ")


def test_advice_without_data_is_an_empty_table() -> None:
    frame = rs.advise(DEVICES).to_frame()
    assert len(frame) == 0
    assert list(frame) == list(rs.advise(DEVICES, hosts([30] * 9)).to_frame())


def test_people_are_no_its() -> None:
    readers = hosts([30] * 9, unit="reader")
    for deployment in (*(rs.Deployment("own", hold=hold) for hold in ("fpr", "tpr", "ratio")), DEVICES):
        advice = rs.advise(deployment, readers)
        said = [advice.reading, *map(str, (*advice.because, *advice.warnings))]
        said += [row.question for row in [*advice.answers, *advice.alternatives]]
        assert not [text for text in said if "reader has its" in text or "its own" in text]


def test_a_method_is_named_in_words() -> None:
    deployment = rs.Deployment("own", hold="alerts", prevalence=0.03)
    assert rs.advise(deployment).reading.startswith("Use the alarm-rate (prevalence 3 %) average: ")
    told = str(rs.advise(deployment, method=rs.AtAngle(np.pi / 6)).warnings[0])
    assert "the 30-degree average does not answer" in told


def rated(n_rows: int, highest: int, unit: str) -> rs.ScoreSet:
    rng = np.random.default_rng(2)
    pairs = [(np.arange(n_rows) % 2, rng.integers(1, highest + 1, n_rows)) for _ in range(9)]
    return rs.ScoreSet.from_folds(pairs, unit=unit, design="independent")


def test_ratings_are_recognised() -> None:
    for unit, n_rows, highest, is_told in (
        ("clinic", 40, 5, True),
        ("reader", 40, 5, True),
        ("reader", 40, 1000, True),
        ("clinic", 40, 1000, False),
        ("clinic", 4, 12, False),  # few different scores because there are few
    ):
        assert ("RS313" in codes(rs.advise(DEVICES, rated(n_rows, highest, unit)))) == is_told, (unit, n_rows)
    # A model's scores, however few there are.
    folds = rated(40, 5, "fold").with_design("cross-validation")
    assert "RS313" not in codes(rs.advise(DEVICES, folds))


def test_the_words_are_the_readers_own() -> None:
    advice = rs.advise(DEVICES, hosts([30] * 9, unit="device"))
    assert "every device counts once" in advice.reading
    assert "Every device counts once" in str(advice.because[1])
