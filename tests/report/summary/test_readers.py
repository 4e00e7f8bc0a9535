"""The reader-study part: its numbers are those of compare_readers and summarize_readers."""

import json

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.report.summary import reader_study, readers
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.settings import Settings
from rocsteady.simulate import reader_study as simulated

COLUMNS = {
    "label": "truth",
    "score": "rating",
    "group": "reader",
    "model": "modality",
    "case": "case",
    "positive": "cancer",
}


@pytest.fixture(scope="module")
def table():
    return simulated(standalone=False)


@pytest.fixture(scope="module")
def study(table) -> rs.ScoreSet:
    return rs.ScoreSet.from_frame(table, **COLUMNS)


@pytest.fixture(scope="module")
def part(study) -> readers.ReadersPart:
    made = readers.make(Material(study, None, Settings(n_resamples=200, confidence_level=0.9)))
    assert made is not None
    return made


def test_numbers_are_those_of_the_comparison(study, part):
    found = rs.compare_readers(study, confidence_level=0.9)
    assert part.values == pytest.approx(found.values)
    assert [own.mean for own in part.modalities] == pytest.approx(found.means)
    (difference,) = part.differences
    assert (difference.low, difference.high) == (found.interval.low, found.interval.high)
    assert difference.pvalue == pytest.approx(found.pvalue)
    by_name = {own.symbol: own.value for own in part.components}
    assert by_name["Cov2"] == found.components.cov2
    assert part.sentence.startswith("The difference in mean AUC, film minus digital, is −0.072 (")
    assert part.sentence.endswith("By AUC digital is better.")


def test_areas_are_not_the_declared_reading(study):
    use = rs.Deployment("own", hold="fpr", at=0.1)
    made = readers.make(Material(study, use, Settings(n_resamples=200)))
    assert made.sentence.endswith("By AUC, which is not the declared reading, digital is better.")


def test_means_and_curves_are_those_of_each_modality(study, part):
    summary = rs.summarize_readers(study, confidence_level=0.9)
    for own, low, sd in zip(part.modalities, summary.per_modality.low, summary.reader_sd, strict=True):
        assert own.low == pytest.approx(low)
        assert own.reader_sd == sd
    curve = rs.compare_readers(study).average_curve("film")
    film = part.modalities[0]
    assert film.tenths == pytest.approx(curve.tpr_at(np.arange(11) / 10))
    assert np.array_equal(film.fpr, curve.fpr)
    assert len(film.lines) == 6
    assert film.tenths[5] >= film.tpr_low[np.searchsorted(film.band_fpr, 0.5)]


def test_what_the_numbers_rest_on_is_said(part):
    said = " ".join(part.assumptions)
    assert "fully crossed" in said
    assert "Readers and cases are random" in said
    assert "logit_intervals" not in said


def test_the_part_is_plain_data_without_drawn_lines(part):
    data = json.loads(json.dumps(part.to_dict(), allow_nan=False))
    assert data["readers"][0] == "reader-1"
    assert not any("line" in name for name in data["modalities"][0])


def test_one_modality_is_summarized(study):
    made = readers.make(Material(study.model("film"), None, Settings(n_resamples=200)))
    assert made is not None
    assert made.differences == ()
    assert made.test == ""
    assert made.modalities[0].mean == pytest.approx(rs.summarize_readers(study, modalities=["film"]).means[0])
    assert made.sentence.startswith("The mean AUC of 6 readers")


def test_cases_without_names_or_of_one_reader_each_are_no_reader_study(table):
    unnamed = {role: column for role, column in COLUMNS.items() if role != "case"}
    assert readers.make(Material(rs.ScoreSet.from_frame(table, **unnamed))) is None
    apart = dict(table) | {
        "case": [f"{who}-{case}" for who, case in zip(table["reader"], table["case"], strict=True)]
    }
    assert readers.make(Material(rs.ScoreSet.from_frame(apart, **COLUMNS))) is None


def test_what_cannot_be_analysed_says_why(study, table, monkeypatch):
    monkeypatch.setattr(reader_study, "MOST_RATINGS", 100)
    made = readers.make(Material(study))
    assert made is not None
    assert "more than a reader study" in made.problem
    assert made.modalities == ()
    monkeypatch.undo()
    twice = {name: [*column, column[0]] for name, column in table.items()}
    with pytest.warns(rs.RocsteadyWarning, match="RS104"):
        doubled = rs.ScoreSet.from_frame(twice, **COLUMNS)
    made = readers.make(Material(doubled))
    assert made is not None
    assert "is rated 2 times" in made.problem


def test_few_readers_are_warned_of(table):
    keep = [i for i, who in enumerate(table["reader"]) if who in ("reader-1", "reader-2", "reader-3")]
    few = {name: [column[i] for i in keep] for name, column in table.items()}
    material = Material(rs.ScoreSet.from_frame(few, **COLUMNS), None, Settings(n_resamples=100))
    readers.make(material)
    assert "RS213" in {finding.warning.code for finding in material.warnings}
