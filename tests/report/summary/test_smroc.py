"""The smROC part: its numbers are those of the averages, and it is there only where scores are shares of 1."""

import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.report.summary import smroc
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import plain_text
from rocsteady.report.summary.settings import Settings


def scored(n_groups: int = 6, *, factor: float = 1.0, n: int = 600) -> rs.ScoreSet:
    rng = np.random.default_rng(3)
    labels = (rng.random(n) < 0.3).astype(int)
    latent = rng.normal(size=n)
    scores = {
        name: factor / (1 + np.exp(-(latent + gain * labels - 1))) for name, gain in (("old", 1), ("new", 2))
    }
    return rs.ScoreSet.from_arrays(labels, scores, rng.integers(0, n_groups, n), unit="host")


@pytest.fixture(scope="module")
def study() -> rs.ScoreSet:
    return scored()


@pytest.fixture(scope="module")
def part(study) -> smroc.SmrocPart:
    made = smroc.make(Material(study, None, Settings(confidence_level=0.9)))
    assert made is not None
    return made


def test_numbers_are_those_of_the_averages(study, part):
    for own in part.models:
        curves = rs.smroc_curve(study.model(own.model))
        average = rs.average(curves, "vertical")
        assert own.smauc == average.auc
        assert (own.smauc_low, own.smauc_high) == pytest.approx(
            (average.auc_interval(0.9).low, average.auc_interval(0.9).high)
        )
        assert own.chance == average.chance_auc
        assert own.auc == pytest.approx(curves.roc_auc.mean())
        point = average.at(fpr=own.debit[[10, 50, 90]], confidence_level=0.9)
        assert own.credit[[10, 50, 90]] == pytest.approx(point.tpr)
        assert own.credit_low[[10, 50, 90]] == pytest.approx(point.tpr_interval.low, abs=0.004)
        assert own.chance_credit[50] == pytest.approx(average.chance_tpr_at(0.5))


def test_the_sentence_holds_the_area_against_chance(part):
    own = part.models[0]
    said = plain_text(own.sentence)
    assert said.startswith("The smAUC of old, averaged over 6 hosts, is ")
    assert f"{own.smauc:.3f}" in said
    assert f"give about {own.chance:.3f}" in said
    assert "90 % interval" in said


def test_the_part_is_plain_data(part):
    data = json.loads(json.dumps(part.to_dict(), allow_nan=False))
    assert data["unit"] == "host"
    assert data["models"][0]["sentence"].startswith("The smAUC of old")
    assert [own["model"] for own in data["models"]] == ["old", "new"]
    assert len(data["models"][0]["credit"]) == len(data["models"][0]["debit"]) == 101


def test_there_is_none_where_a_score_is_no_share_of_1():
    assert smroc.make(Material(scored(factor=1.5))) is None
    assert smroc.make(Material(rs.ScoreSet.from_arrays([0, 1, 0, 1], [-0.1, 0.5, 0.2, 0.9]))) is None


def test_one_dataset_has_no_interval():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 40)
    made = smroc.make(
        Material(rs.ScoreSet.from_arrays(labels, np.clip(rng.normal(0.4 + 0.2 * labels, 0.2), 0, 1)))
    )
    assert made is not None
    (own,) = made.models
    assert np.isnan([own.smauc_low, own.smauc_high]).all()
    assert np.isnan(own.credit_low).all()
    assert "interval" not in plain_text(own.sentence)


def test_a_mid_outside_the_scale_is_said_where_it_matters():
    rng = np.random.default_rng(1)
    labels = np.tile(np.arange(10) == 0, 12).astype(int)
    groups = rng.integers(0, 3, 120)
    material = Material(rs.ScoreSet.from_arrays(labels, np.full(120, 0.5), groups, unit="host"))
    made = smroc.make(material)
    assert made is not None
    assert "outside 0 to 1" in plain_text(made.models[0].sentence)
    assert "RS260" not in {finding.warning.code for finding in material.warnings}
    # Nothing varies, and an interval of no width would be taken for certainty.
    assert "interval" not in plain_text(made.models[0].sentence)


def test_of_very_many_groups_some_are_drawn_by_lot(study, monkeypatch):
    monkeypatch.setattr(smroc, "MOST_GROUPS", 4)
    made = [smroc.make(Material(study)) for _ in range(2)]
    assert made[0] is not None
    assert made[0].to_dict() == made[1].to_dict()
    own = made[0].models[0]
    assert (own.n_groups, own.n_all) == (4, 6)
    assert "averaged over 4 of 6 hosts drawn by lot, is" in plain_text(own.sentence)
