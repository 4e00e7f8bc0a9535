"""In a reader study limits take readers and cases as random where they are known so, and else say what not."""

from __future__ import annotations

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.inference.readers.results import ReaderComparison
from rocsteady.report.summary import making, reader_study
from rocsteady.report.summary.making import ReportSummary
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.settings import Settings
from rocsteady.simulate import reader_study as simulated

OWN = rs.Deployment("own", hold="fpr", at=0.1)
COLUMNS = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}


pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


@pytest.fixture(scope="module")
def study() -> rs.ScoreSet:
    return rs.ScoreSet.from_frame(simulated(standalone=False), **COLUMNS, positive="cancer")


@pytest.fixture(scope="module")
def summary(study: rs.ScoreSet) -> ReportSummary:
    return making.summarize(study, OWN, n_resamples=200, words="medical")


@pytest.fixture(scope="module")
def found(study: rs.ScoreSet) -> ReaderComparison:
    return rs.compare_readers(study, n_resamples=200)


def test_a_mean_area_has_one_interval(summary: ReportSummary, found: ReaderComparison) -> None:
    means = dict(zip(found.per_modality.modalities, found.per_modality.logit_intervals, strict=True))
    of_area = [mode for mode in summary.averages if mode.key in ("vertical", "horizontal", "diagonal")]
    assert len(of_area) == 3
    assert summary.readers is not None
    for mode in of_area:
        for own, modality in zip(mode.models, summary.readers.modalities, strict=True):
            assert own.auc_interval == (means[own.model].low, means[own.model].high)
            assert own.auc_interval == (modality.low, modality.high)


def test_rates_where_one_is_held_take_cases_as_random(
    summary: ReportSummary, found: ReaderComparison
) -> None:
    vertical = next(mode for mode in summary.averages if mode.key == "vertical")
    film = vertical.models[0]
    interval = found.average_curve("film").at(fpr=film.positions).interval
    assert np.array_equal(film.tpr_low, interval.low)
    assert np.array_equal(film.tpr_high, interval.high)
    rows = {(row.model, row.place["fpr"]): row for row in summary.operating_points.blocks[0].rows[:6]}
    at = film.start
    assert any("Hardly a case decides" in note for note in rows["film", 0.01].notes)
    assert not any("Hardly a case decides" in note for note in rows["film", 0.1].notes)
    assert rows["film", 0.1].tpr_limits == (film.tpr_low[at], film.tpr_high[at])
    horizontal = next(mode for mode in summary.averages if mode.key == "horizontal").models[0]
    other = found.average_curve("film", hold="tpr").at(tpr=horizontal.positions).interval
    assert np.array_equal(horizontal.fpr_high, other.high)


def test_what_is_random_is_said_at_each_place(summary: ReportSummary) -> None:
    said = {mode.key: mode.random for mode in summary.averages}
    assert summary.about.random == said["vertical"] == said["horizontal"] == "readers and cases"
    assert said["threshold"] == said["diagonal"] == "readers, these cases being fixed"
    for mode in summary.averages:
        for own in mode.to_dict()["models"]:
            assert f"intervals over {mode.random}," in own["sentence"]
    assert (
        "in all others readers are, and these cases are fixed"
        in summary.operating_points.blocks[0].explanation
    )
    assert "in which readers and cases are random" in summary.methods.text
    assert "were not drawn again" not in summary.methods.text


def test_readers_without_a_model_leave_the_limits_over_readers(study: rs.ScoreSet) -> None:
    table = simulated(standalone=False)
    kept = [
        i
        for i, (who, what) in enumerate(zip(table["reader"], table["modality"], strict=True))
        if (who, what) != ("reader-1", "film")
    ]
    scores = rs.ScoreSet.from_frame(
        {name: [column[i] for i in kept] for name, column in table.items()}, **COLUMNS, positive="cancer"
    )
    material = Material(scores, OWN, Settings(n_resamples=100))
    assert reader_study.what_is_random(material, "vertical") == "readers, these cases being fixed"
    assert reader_study.rate_limits(material, "vertical", "digital", [0.1]) is None
    assert reader_study.area_limits(material, "digital", material.average("vertical", "digital").auc) is None


def test_other_studies_are_over_groups(study: rs.ScoreSet) -> None:
    table = dict(simulated(standalone=False))
    unnamed = {role: column for role, column in COLUMNS.items() if role != "case"}
    material = Material(rs.ScoreSet.from_frame(table, **unnamed, positive="cancer"), OWN, Settings())
    assert reader_study.study_of(material) is None
    assert reader_study.what_is_random(material, "vertical") == "readers"


def test_a_repeated_cross_validation_is_no_reader_study() -> None:
    """Cases come again with every repeat, and are counted once."""
    rng = np.random.default_rng(2)
    labels, folds, repeats = (
        np.tile(np.arange(60) % 2, 2),
        np.tile(np.arange(60) // 12, 2),
        np.repeat([1, 2], 60),
    )
    scores = {name: rng.normal(size=120) + labels for name in ("a", "b")}
    own = rs.ScoreSet.from_arrays(
        labels,
        scores,
        folds,
        repeats=repeats,
        cases=[f"c{i}" for i in np.tile(np.arange(60), 2)],
        unit="fold",
    )
    made = making.summarize(own, rs.Deployment("shared"), n_resamples=200)
    data = made.to_dict()
    assert data["readers"] is None
    assert (data["about"]["n_cases"], data["about"]["design"]["repeats"]) == (60, 2)
    assert data["about"]["title"] == "2 models on a cross-validation of 60 cases"
    assert not {"RS108", "RS215", "RS266"} & {warning["code"] for warning in data["warnings"]}
    text = " ".join(data["methods"]["paragraphs"])
    assert "a cross-validation of 60 cases" in text
    assert "each counted once; 5 folds, repeated 2 times" in text
    assert "random sample" not in text
    assert "saw the same cases" not in str(data)
