"""Readers and cases: the numbers of the analysis in all renderers, and everything a study has to say."""

from __future__ import annotations

import numpy as np
import pytest
from tests.show.renderers import Page, check, hosts, in_all_words, printed, reader_study

import rocsteady as rs
from rocsteady.show.document import Figure, Table, flat
from rocsteady.show.sections import readers
from rocsteady.show.sentences import readers as sentences
from rocsteady.study import Study
from rocsteady.text import FPR, MEAN_AUC, MEDICAL, TPR, Rate


def table(blocks, name: str) -> Table:
    (found,) = [own for own in flat(blocks) if isinstance(own, Table) and own.name == name]
    return found


def test_every_renderer_shows_the_same_numbers_in_every_vocabulary():
    for study in in_all_words(reader_study(), at={"fpr": 0.1}):
        blocks = readers.make(study)
        check(blocks, study.words)
        assert sum(isinstance(own, Figure) for own in flat(blocks)) == 1


def test_the_means_are_those_of_the_summary():
    study = Study(reader_study(), at={"fpr": 0.1})
    found = rs.summarize_readers(study.scores)
    for i, row in enumerate(table(readers.make(study), "modalities").rows):
        own = found.per_modality.intervals[i]
        (mean,) = [cell for cell in row if isinstance(cell, Rate) and cell.quantity == MEAN_AUC]
        assert (mean.value, mean.interval.low, mean.interval.high) == (found.means[i], own.low, own.high)
        (point,) = [cell for cell in row if isinstance(cell, Rate) and cell.quantity == TPR]
        curve = rs.compare_readers(study.scores).average_curve(found.modalities[i])
        assert point.value == curve.at(fpr=0.1).tpr
    assert len(table(readers.make(study), "readers").rows) == len(found.readers)


def test_a_specificity_has_the_limits_of_its_rest():
    study = Study(reader_study(), at={"sensitivity": 0.8}, words="medical")
    rows = table(readers.make(study), "modalities").rows
    for row in rows:
        (point,) = [cell for cell in row if isinstance(cell, Rate) and cell.quantity == FPR]
        shown = Rate(FPR, point.value, point.interval).spell(MEDICAL, "cell")
        assert shown in printed(readers.make(study), study.words)


def test_there_is_no_section_without_readers():
    assert readers.make(Study(hosts())) == []


def test_one_modality_is_summarised():
    study = Study(reader_study("film"))
    text = check(readers.make(study), study.words)
    assert "The mean AUC of 6 readers with film is 0.816" in text
    assert len(table(readers.make(study), "modalities").rows) == 1


def test_what_cannot_be_analysed_says_why():
    study = Study(reader_study("film", "digital", "AI"))
    text = printed(readers.make(study), study.words)
    assert "RS027" in text or "RS028" in text


def test_names_are_text():
    scores = reader_study()
    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    rows = rs.simulate.reader_study()
    kept = [i for i, name in enumerate(rows["modality"]) if name != "AI"]
    rows = {name: [own[i] for i in kept] for name, own in rows.items()}
    rows["reader"] = [f"<script>{name}\x1b[2J" for name in rows["reader"]]
    study = Study(rs.ScoreSet.from_frame(rows, **columns, positive="cancer"))
    blocks = readers.make(study)
    assert "script" not in Page(blocks, study.words).tags
    assert "\x1b" not in Page(blocks, study.words).markup + printed(blocks, study.words)
    assert scores.unit == study.unit


@pytest.mark.parametrize(
    ("are", "said"),
    [
        (("random", "random"), "Readers and cases are treated as random samples."),
        (
            ("fixed", "random"),
            "Cases are treated as a random sample; the result is about these 6 readers only.",
        ),
        (
            ("random", "fixed"),
            "Readers are treated as a random sample; the result is about these cases only.",
        ),
    ],
)
def test_what_is_treated_as_random_is_always_said(are, said):
    for found in (
        rs.compare_readers(reader_study(), readers=are[0], cases=are[1]),
        rs.summarize_readers(reader_study(), readers=are[0], cases=are[1]),
    ):
        assert found.reading.endswith(said)
        assert said.lower().startswith(found.random.lower())


def test_components_are_named_with_their_meaning():
    found = rs.compare_readers(reader_study())
    shown = {name: value for name, value, _ in sentences.components(found)}
    of = found.components
    assert list(shown.values()) == [of.reader, of.modality_reader, of.var, of.cov1, of.cov2, of.cov3]
    assert {"Var", "Cov1", "Cov2", "Cov3", "reader", "reader × modality"} == set(shown)


def test_readers_who_differ_by_no_more_than_sampling_error_are_said_to():
    rng = np.random.default_rng(0)
    truth = np.tile(np.arange(60) % 2, 4)
    rating = np.tile(np.arange(60) % 2 + rng.normal(size=60), 4)
    scores = rs.ScoreSet.from_arrays(
        truth, rating + 1e-3 * rng.normal(size=240), np.repeat(list("abcd"), 60), cases=np.tile(np.arange(60), 4), unit="reader"
    )  # fmt: skip
    assert (
        "within sampling error" in rs.summarize_readers(scores).reading
        or "have the same" in rs.summarize_readers(scores).reading
    )
