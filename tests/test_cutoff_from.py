"""Thresholds that were found on other rows: a study reads and compares these rows at them, and says so."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

OWN = rs.Deployment("own", hold="fpr", at=0.1)
SHARED = rs.Deployment("shared", at={"fpr": 0.1})


def rows(seed: int, sites: str = "ABCDEF", models: tuple[str, ...] = ("old", "new")) -> rs.ScoreSet:
    rng = np.random.default_rng(seed)
    labels, groups = np.tile([0, 1], 40 * len(sites)), np.repeat(list(sites), 80)
    level = np.repeat([ord(own) - 65.0 for own in sites], 80)
    scores = {name: 1.5 * labels + 0.3 * level + rng.normal(size=labels.size) for name in models}
    given = scores if len(models) > 1 else scores[models[0]]
    return rs.ScoreSet.from_arrays(labels, given, groups, unit="site", design="independent")


def study(use: rs.Deployment | None, here: rs.ScoreSet, there: rs.ScoreSet) -> rs.Study:
    return rs.Study(here, use, cutoff_from=there, n_resamples=50)


@pytest.mark.parametrize("place", [{"fpr": 0.1}, {"tpr": 0.8}, {"costs": (1, 4)}, "eer"], ids=str)
def test_each_group_keeps_the_threshold_of_its_namesake(place: object) -> None:
    here, there = rows(1), rows(2)
    found = rs.Study(here, rs.Deployment("own", hold="fpr"), at=place, cutoff_from=there)
    point, groups = found.point("new", found.places[0]), found.group_points("new", found.places[0])
    assert isinstance(point.thresholds, tuple)
    for k, site in enumerate("ABCDEF"):
        threshold = groups.thresholds[k, 0]
        assert threshold in there[f"new / {site}"].scores
        rates = rs.roc_curve(here[f"new / {site}"]).rates_at(threshold)
        assert (groups.fpr[k, 0], groups.tpr[k, 0]) == (rates.fpr, rates.tpr)
    assert (point.fpr, point.tpr) == pytest.approx((groups.fpr.mean(), groups.tpr.mean()))
    assert point.fpr_interval.low < point.fpr < point.fpr_interval.high


def test_thresholds_of_groups_are_those_of_the_cutoffs() -> None:
    found = study(OWN, rows(1), rows(2))
    cutoffs = found.own_cutoffs("old")
    assert found.group_points("old").thresholds.ravel().tolist() == [
        own.threshold for own in cutoffs.values()
    ]


def test_models_are_compared_at_the_thresholds_of_their_groups() -> None:
    found = study(OWN, rows(1), rows(2))
    fpr, tpr = found.comparison.at
    for own, rate in ((fpr, "fpr"), (tpr, "tpr")):
        both = [getattr(found.group_points(name), rate).ravel() for name in ("old", "new")]
        test = rs.paired_t(*both)
        assert (own.difference, own.pvalue) == pytest.approx((test.difference, test.pvalue))
    three = study(OWN, rows(1, models=("a", "b", "c")), rows(2, models=("a", "b", "c")))
    assert len(three.comparison) == 3
    assert all(own.adjusted_pvalue >= own.pvalue for pair in three.comparison for own in pair.at)


def test_models_are_compared_at_the_one_threshold_of_each() -> None:
    here, there = rows(1), rows(2)
    found = study(SHARED, here, there)
    given = {
        name: rs.choose_cutoff(rs.average(there.model(name), "threshold"), fpr=0.1).threshold
        for name in ("old", "new")
    }
    expected = rs.compare(here, "old", "new", method="threshold", at={"threshold": given}).at
    assert [own.to_dict() for own in found.comparison.at] == [own.to_dict() for own in expected]
    assert {name: found.point(name).threshold for name in given} == given


def test_groups_that_the_other_rows_lack_are_left_out_and_told() -> None:
    found = study(OWN, rows(1), rows(2, "ABCD"))
    point = found.point("new")
    assert point.averaged.n_groups == 4
    assert ["E", "F"] in [own.facts["missing"] for own in found.warnings if own.code == "RS254"]
    assert found.comparison.at[0].facts.n_groups == 4
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        study(OWN, rows(1), rows(2, "UVW")).point("new")
    with pytest.raises(rs.RocsteadyError, match="RS068"):
        study(OWN, rows(1), rows(2, "AV")).comparison  # noqa: B018 - asked for


def test_other_rows_have_the_same_models_or_one_that_serves_one() -> None:
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        study(OWN, rows(1), rows(2, models=("old", "older")))
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        study(OWN, rows(1), rows(2, models=("old",)))
    one = study(OWN, rows(1).model("old"), rows(2, models=("whatever",)))
    assert one.point().held == "thresholds"


@pytest.mark.parametrize("use", [OWN, SHARED], ids=["own", "shared"])
def test_the_page_says_where_thresholds_are_from(use: rs.Deployment, tmp_path) -> None:
    page = tmp_path / "page.html"
    study(use, rows(1), rows(2)).report(page)
    assert "chosen on other rows" in page.read_text(encoding="utf-8")
