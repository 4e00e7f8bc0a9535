"""What a report is made from: averages by key, places, words, groups with too few cases."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import rocsteady as rs
from report.summary.made_hosts import hosts, material
from rocsteady.errors import DataError, UsageError
from rocsteady.scores.score_set import with_enough_cases
from rocsteady.report.summary.material import KEYS, Material
from rocsteady.report.summary.phrases import phrase, plain_text, sentences
from rocsteady.report.summary.settings import Settings
from rocsteady.report.summary.vocabulary import Wording, bare_percent, percent

OWN = {
    "fpr": ("vertical", {"fpr": 0.1}, 0.1),
    "tpr": ("horizontal", {"tpr": 0.8}, 0.8),
    "balance": ("diagonal", "eer", None),
    "ratio": ("radial", {"ratio": (1.0, 2.0)}, (1, 2)),
    "alerts": ("alerts", {"alerts": 0.02}, 0.02),
}


@pytest.mark.parametrize("hold", OWN)
def test_a_deployment_has_its_average_and_its_place(hold: str) -> None:
    key, place, at = OWN[hold]
    own = material(hosts(), rs.Deployment("own", hold=hold, at=at, prevalence=0.03))
    assert (own.declared_key, own.declared_place, own.place_is_declared) == (key, place, True)
    assert own.average(key, "baseline").method == own.deployment.method


def test_shared_deployments() -> None:
    rows = material(hosts(), rs.Deployment("shared", weigh="rows", at=0.5))
    assert (rows.declared_key, rows.declared_place) == ("pooled", {"threshold": 0.5})
    costs = material(hosts(), rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.03))
    assert (costs.declared_key, costs.declared_place) == ("cost", {"costs": (1.0, 20.0)})
    assert costs.keys == KEYS


def test_undeclared_recommends_nothing_and_reads_an_example() -> None:
    own = material(hosts())
    assert own.declared_key is None
    assert (own.declared_place, own.place_is_declared) == ({"fpr": 0.05}, False)
    assert own.advice is None
    assert material(hosts(), at=({"tpr": 0.8},)).declared_place == {"tpr": 0.8}


def test_modes_that_need_what_was_not_said_say_so() -> None:
    own = material(hosts())
    assert set(KEYS) - set(own.keys) == {"alerts", "cost-direction"}
    assert "prevalence" in own.problem("alerts")
    with pytest.raises(LookupError):
        own.average("alerts", "baseline")


def test_averages_are_made_once_and_equal_those_of_the_library() -> None:
    scores = hosts()
    own = material(scores)
    for key in ("threshold", "pooled", "vertical", "horizontal", "diagonal", "radial", "cost"):
        made = own.average(key, "candidate")
        assert made is own.average(key, "candidate")
        method = "tangent" if key == "cost" else key
        assert made.auc == pytest.approx(rs.average(scores.model("candidate"), method).auc, abs=1e-14)


def test_groups_with_too_few_cases_are_left_out_of_every_model() -> None:
    scores = hosts(5, sizes=[48, 48, 16, 48, 48])
    own = material(scores, min_per_class=5)
    assert own.left_out == ("host-02",)
    assert own.score_set.groups == ("host-00", "host-01", "host-03", "host-04")
    assert own.given is scores
    for name in own.names:
        kept = scores.model(name)
        for group in own.score_set.groups:
            assert np.array_equal(own.of_model(name)[group].scores, kept[group].scores)
    with pytest.raises(DataError, match="RS032"):
        with_enough_cases(scores, 1000)


def test_a_set_of_one_model_loses_groups_too() -> None:
    own = material(hosts(4, models=1, sizes=[48, 16, 48, 48]), min_per_class=5)
    assert len(own.curves("")) == 3
    assert own.summary.n_groups == 3


def test_no_groups() -> None:
    rng = np.random.default_rng(0)
    own = material(rs.ScoreSet.from_arrays(rng.integers(0, 2, 60), rng.normal(size=60)))
    assert not own.is_grouped
    assert own.is_alone
    assert "pooled" not in own.keys
    assert own.names == ("",)
    assert own.wording.average_unit() == "the classifier"


def test_comparability_is_that_of_the_advice_where_there_is_one() -> None:
    own = material(hosts(), rs.Deployment("shared", at={"fpr": 0.05}))
    assert own.comparability("candidate") is own.advice.comparability[1]
    weighted = rs.ScoreSet.from_arrays([1, 0] * 20, range(40), [0, 1] * 20, sample_weight=np.ones(40) * 2)
    assert material(weighted).comparability("") is None


def test_coded_warnings_are_kept_and_others_issued() -> None:
    own = material(hosts())
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        with own.catching():
            rs.average(own.of_model("baseline"), "vertical").at(fpr=0.9999)
            warnings.warn("mine", stacklevel=1)
    assert [str(each.message) for each in issued] == ["mine"]
    assert "RS210" in [found.warning.code for found in own.warnings]


def test_warnings_are_spelled_for_where_they_are_read() -> None:
    said = []
    own = material(hosts(), spelled=lambda warning: said.append(warning.code) or warning)
    assert [found.warning.code for found in own.warnings] == said
    assert "RS301" in said


def test_the_shown_groups_are_a_seeded_sample() -> None:
    scores = hosts(130, models=1, sizes=[8] * 130)
    own = material(scores)
    assert own.shown.size == 100
    assert np.array_equal(own.shown, material(scores).shown)
    assert not np.array_equal(own.shown, material(scores, seed=1).shown)
    assert (np.diff(own.shown) > 0).all()


def test_places_are_checked() -> None:
    assert Settings(at={"specificity": 0.9}).at == ({"fpr": 0.1},)
    for wrong in ("median", {"ratio": (0, 0)}, {"height": 3}, 0.05):
        with pytest.raises(UsageError, match="RS092"):
            Settings(at=(wrong,))
    with pytest.raises(UsageError, match="RS002"):
        Settings(at=({"fpr": 0.1, "tpr": 0.2},))
    with pytest.raises(UsageError, match="RS042"):
        Settings(at=({"fpr": 5},))
    with pytest.raises(UsageError, match="RS001"):
        Settings(words="klingon")


def test_rates_turn_round_with_their_limits() -> None:
    medical = Wording("medical", "reader", "readers", "disease", "healthy")
    assert medical.fpr.percent(0.05) == "95.0 %"
    assert medical.fpr.interval(0.041, 0.062) == "93.8 to 95.9 %"
    assert medical.cutoff(1.6432) == "\u2265 1.64"
    low = Wording("medical", "reader", "readers", "1", "0", higher_is_positive=False)
    assert low.cutoff(1.6432) == "\u2264 1.64"
    biometric = Wording("biometric", "sensor", "sensors", "1", "0")
    assert biometric.tpr.percent(0.9) == "10.0 %"
    assert biometric.positives == "genuine comparisons"


def test_infinite_thresholds_in_words() -> None:
    plain = Wording("ml", "host", "hosts", "1", "0")
    assert plain.threshold(math.inf) == "beyond every score"
    assert plain.threshold(-math.inf) == "\u2212\u221e"
    with_infinite = Wording("ml", "host", "hosts", "1", "0", has_infinite=True)
    assert with_infinite.threshold(math.inf) == "\u221e"


@pytest.mark.parametrize("share", [1e-7, 0.004, 0.0499, 0.5, 0.9949, 0.99996])
def test_a_percentage_is_neither_nothing_nor_all(share: float) -> None:
    shown = float(bare_percent(share))
    assert 0 < shown < 100
    assert shown == pytest.approx(100 * share, abs=0.5)
    assert percent(share).endswith(" %")


def test_phrases_keep_what_is_strong() -> None:
    assert phrase("a ", ("b ", "C", " d"), ("", "E", "")) == ("a b ", "C", " d", "E", "")
    assert plain_text(sentences(("x ", "Y", "."), "", "Z.")) == "x Y. Z."


def test_material_takes_hostile_names() -> None:
    rng = np.random.default_rng(0)
    names = np.array(["</script><!--", "x" * 500, "=cmd()", "a\nb"], dtype=object)
    scores = rs.ScoreSet.from_arrays(
        rng.integers(0, 2, 80), rng.normal(size=80), np.repeat(names, 20), unit="u" * 500
    )
    own = Material(scores)
    assert len(own.wording.unit) == 60
    assert own.curves("").names == tuple(names)


@pytest.mark.parametrize("wrong", [{"title": 5}, {"cutoff_from": "x.csv"}, {"command": None}])
def test_settings_refuse_other_values(wrong) -> None:
    with pytest.raises(UsageError, match="RS002"):
        Settings(**wrong)
