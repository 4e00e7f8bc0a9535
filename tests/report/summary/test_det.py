"""The DET part: error rates of the declared average where biometrics reads them."""

import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.phrases import plain_text
from rocsteady.report.summary.points import det
from rocsteady.report.summary.settings import Settings


@pytest.fixture(scope="module")
def material() -> Material:
    rng = np.random.default_rng(2)
    genuine = np.repeat([1, 0], [200, 1800])
    scores = {"old": rng.normal(size=2000) + 2 * genuine, "new": rng.normal(size=2000) + 3 * genuine}
    gates = rs.ScoreSet.from_arrays(genuine, scores, rng.integers(0, 5, 2000), unit="gate")
    return Material(gates, rs.Deployment("shared", at={"fpr": 0.01}), Settings(words="biometric"))


def test_rates_are_read_off_the_declared_average(material):
    part = det.make(material)
    assert part is not None
    assert part.least_fmr == pytest.approx(1 / 1800)
    for own in part.models:
        average = rs.average(material.score_set.model(own.model), "threshold")
        assert own.fmr[0] == pytest.approx(1 / 1800)  # below it nothing is known
        assert own.fnmr == pytest.approx(1 - average.tpr_at(own.fmr))
        assert own.tabled == pytest.approx(1 - average.tpr_at(np.array(part.tabled_at)))
        assert own.eer == average.equal_error_rate
    assert min(part.tabled_at) == 0.001
    assert part.models[1].eer < part.models[0].eer
    assert "(old) and " in plain_text(part.sentence)
    assert part.average == "threshold average over 5 gates"
    data = json.loads(json.dumps(part.to_dict(), allow_nan=False))
    assert data["sentence"] == plain_text(part.sentence)


@pytest.mark.parametrize("words", ["ml", "medical"])
def test_other_fields_have_none(material, words):
    assert det.make(Material(material.score_set, None, Settings(words=words))) is None
