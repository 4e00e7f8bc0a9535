"""`rs.write_report`: the page of the command line, from Python; whole or not there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rocsteady.advice.deployment import Deployment
from rocsteady.errors import FileError, UsageError
from rocsteady.scores import ScoreSet
from rocsteady.show.report import is_report, page_of, write_report
from rocsteady.study import Study
from rocsteady.text import ML, Size
from rocsteady.whole_files import write_whole

USE = Deployment("own", hold="fpr", at=0.1)


@pytest.fixture(scope="module")
def scores() -> ScoreSet:
    random = np.random.default_rng(1)
    labels, groups = np.tile([0, 1], 160), np.repeat(np.arange(8), 40)
    return ScoreSet.from_arrays(labels, random.normal(size=320) + labels, groups, unit="ward")


def test_the_page_and_what_it_says(scores, tmp_path) -> None:
    told: list[str] = []
    options: dict[str, Any] = {"n_resamples": 100, "title": "Wards"}
    path = tmp_path / "report.html"
    written = write_report(path, scores, USE, at="eer", progress=told.append, **options)
    page = path.read_bytes()
    assert (written.path, written.n_bytes) == (path, len(page))
    assert page.startswith(b"<!doctype html>")
    assert b"Wards" in page
    assert is_report(written.path)
    assert repr(written) == f"WrittenReport({written.path}, {Size(len(page)).spell(ML)})"
    assert told[-1] == "writing the page"
    study = Study(scores, USE, at="eer", **options)
    assert page_of(study).encode() == page
    assert page_of(written.study).encode() == page  # everything has been answered, and nothing is added
    written = study.report(str(path))
    assert path.read_bytes() == page  # the same data and options, the same bytes
    short = study.report(tmp_path / "short.html", short=True)
    assert short.n_bytes < written.n_bytes
    assert b'id="reading"' not in short.path.read_bytes()


@pytest.mark.parametrize(
    ("path", "error", "code"),
    [
        ("report.pdf", UsageError, "RS054"),
        ("no/folder/report.html", FileError, "RS055"),
        ("folder.html", UsageError, "RS003"),
        ("", UsageError, "RS002"),
        ("a\0b.html", UsageError, "RS002"),
        (7, UsageError, "RS002"),
    ],
)
def test_where_nothing_can_be_written(scores, tmp_path, monkeypatch, path: Any, error, code) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.html").mkdir()
    with pytest.raises(error, match=code):
        write_report(path, scores, USE)
    with pytest.raises(error, match=code):
        Study(scores, USE).report(path)
    assert os.listdir() == ["folder.html"]


def test_a_file_that_is_there(scores, tmp_path) -> None:
    path = tmp_path / "report.html"
    path.write_text("mine")
    assert not is_report(path)
    with pytest.raises(UsageError, match=r"(?s)RS003.*overwrite=True"):
        write_report(path, scores, USE, overwrite=False)
    assert path.read_text() == "mine"


def test_a_full_disk_leaves_the_earlier_report(scores, tmp_path, monkeypatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("before")
    monkeypatch.setattr("rocsteady.show.report.page_of", lambda study, **options: "page")

    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rocsteady.whole_files.os.replace", full)
    with pytest.raises(FileError, match=r"(?s)RS055.*No space left"):
        write_report(path, scores, USE)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["report.html"]


def test_a_name_as_long_as_a_name_can_be(tmp_path) -> None:
    path = tmp_path / ("n" * 250 + ".html")
    write_whole(path, b"whole")
    assert path.read_bytes() == b"whole"
    assert len(os.listdir(tmp_path)) == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"score_set": None}, "RS002"),
        ({"score_set": [1, 2]}, "RS002"),
        ({"deployment": "own"}, "RS002"),
        ({"deployment": Deployment}, "RS002"),
        ({"at": 0.5}, "RS092"),
        ({"at": None}, "RS092"),
        ({"title": 5}, "RS002"),
        ({"cutoff_from": "x.csv"}, "RS002"),
        ({"sections": ["answers"]}, "RS001"),
        ({"path": "a\ud800.html"}, "RS002"),
    ],
)
def test_what_is_no_score_set_no_deployment_no_place_and_no_name(scores, tmp_path, given, code) -> None:
    with pytest.raises(UsageError, match=code):
        write_report(**{"path": tmp_path / "report.html", "score_set": scores, **given})
    assert not os.listdir(tmp_path)
