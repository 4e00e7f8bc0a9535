"""iMRMC files: what they mean is what iMRMC takes them for, and what is wrong with one is said by its line."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import DataError, FileError, LabelError, RocsteadyError, UsageError

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS213")

HEADER = "A study of two displays\nNR: 2\n\nBEGIN DATA:\n"
TRUTHS = "-1,c1,0,0\n-1,c2,0,0\n-1,c3,0,1\n-1,c4,0,1\n"
SCORES = {("r1", "old"): (1, 3, 2, 4), ("r1", "new"): (1, 2, 3, 4), ("r2", "old"): (2, 2, 1, 3)}
RATINGS = "".join(
    f"{reader},c{i},{modality},{score}\n"
    for (reader, modality), scores in SCORES.items()
    for i, score in enumerate(scores, 1)
)


def write(folder: Path, text: str | bytes, name: str = "study.imrmc") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def table(score_set: rs.ScoreSet) -> set[tuple[object, ...]]:
    frame = score_set.to_frame()
    columns = [frame[name] for name in ("reader", "model", "case", "is_positive", "score")]
    return set(zip(*columns, strict=True))


def expected() -> set[tuple[object, ...]]:
    return {
        (reader, modality, f"c{i}", i > 2, score)
        for (reader, modality), scores in SCORES.items()
        for i, score in enumerate(scores, 1)
    }


def test_readers_are_groups_and_modalities_are_models(tmp_path):
    score_set = rs.read_scores(write(tmp_path, HEADER + TRUTHS + RATINGS))
    assert (score_set.groups, score_set.models, score_set.unit) == (("r1", "r2"), ("old", "new"), "reader")
    assert score_set.source == "study.imrmc"
    assert score_set.columns_chosen["case"] == "case"
    assert table(score_set) == expected()


@pytest.mark.parametrize(
    "text",
    [
        "BEGIN DATA:\n" + TRUTHS + RATINGS,
        HEADER + RATINGS + TRUTHS,  # the truth may come last
        (HEADER + TRUTHS + RATINGS).replace("\n", "\r\n"),
        "\ufeff" + HEADER + TRUTHS + RATINGS,
        HEADER + TRUTHS.replace("-1,", "truth,").replace(",0,", ",truth,") + RATINGS,
        HEADER + TRUTHS.replace(",0,", ",any modality,") + RATINGS,
        HEADER + TRUTHS.replace("\n", ".0\n") + RATINGS,
        HEADER.replace("\n", ",,,\n")
        + TRUTHS
        + RATINGS.replace("\n", ",,\n")
        + ",,,\n\n",  # of a spreadsheet
        HEADER + "".join(f'"{line}"\n'.replace(",", '","') for line in (TRUTHS + RATINGS).split()),
        HEADER + TRUTHS + RATINGS.replace("r1,", " r1 ,", 3).replace("r1,c4", " r 1,c 4"),
        HEADER.lower() + TRUTHS + RATINGS,
        b"by M\xfcller\n" + (HEADER + TRUTHS + RATINGS).encode(),  # above the data anything may stand
        HEADER + "-1,never read,0,1\n" + TRUTHS + RATINGS,
    ],
)
def test_the_same_study_is_written_in_many_ways(tmp_path, text):
    assert table(rs.read_scores(write(tmp_path, text))) == expected()


def test_it_may_be_gzipped(tmp_path):
    packed = gzip.compress((HEADER + TRUTHS + RATINGS).encode())
    assert table(rs.read_scores(write(tmp_path, packed, "study.imrmc.gz"))) == expected()
    with pytest.raises(FileError, match="RS053"):
        rs.read_scores(write(tmp_path, packed[:-12], "study.imrmc.gz"))


def test_a_name_is_kept_as_it_was_written_first(tmp_path):
    spaced = RATINGS.replace("r1,", "reader 1,", 1).replace("r1,", "reader1,").replace("r2,", "reader2 ,")
    assert rs.read_scores(write(tmp_path, HEADER + TRUTHS + spaced)).groups == ("reader 1", "reader2")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(st.permutations((TRUTHS + RATINGS).splitlines()))
def test_the_order_of_lines_does_not_matter(tmp_path, lines):
    assert table(rs.read_scores(write(tmp_path, HEADER + "\n".join(lines)))) == expected()


@pytest.mark.parametrize(
    ("text", "error", "code", "found"),
    [
        (TRUTHS + RATINGS, FileError, "RS053", 'no line "BEGIN DATA:" among its 16 lines'),
        ("", FileError, "RS053", "among its 0 lines"),
        (HEADER, DataError, "RS010", "0 lines of truth"),
        (HEADER + TRUTHS, DataError, "RS010", "4 lines of truth"),
        (HEADER + TRUTHS + RATINGS + "r2,c1,new\n", FileError, "RS053", "line 21 has 3 fields"),
        (HEADER + TRUTHS + RATINGS + "r2,c1,new,0,5\n", FileError, "RS053", "line 21 has 5 fields"),
        (HEADER + TRUTHS + RATINGS + "r2,c1,new,high\n", DataError, "RS033", 'line 21, reader "r2"'),
        (HEADER + TRUTHS + RATINGS + "r2,c1,new,1_0\n", DataError, "RS033", "'1_0'"),
        (HEADER + TRUTHS + RATINGS + "r2,c9x,new,1\n", LabelError, "RS023", "line 21; in all 1 such case"),
        (HEADER + TRUTHS + "-1,c5,0,\nr2,c5,new,1\n", LabelError, "RS023", "line 10; in all 1 such case"),
        (HEADER + TRUTHS + "-1,c2,0,1\n" + RATINGS, DataError, "RS026", "0 in line 6, 1 in line 9"),
        (HEADER + TRUTHS + "-1,c 2,0,0\n" + RATINGS, DataError, "RS026", "0 in line 6, 0 in line 9"),
        (HEADER + "-1,c0,0,2\n" + TRUTHS + RATINGS, FileError, "RS053", "line 5: the truth"),
        (HEADER + "-1,c0,0,yes\n" + TRUTHS + RATINGS, FileError, "RS053", "is 'yes'"),
        (HEADER + TRUTHS + RATINGS + "r2,c1,new,NA\n", DataError, "RS031", "first at line 21"),
        ((HEADER + TRUTHS).encode() + b"r\xfc,c1,old,1\n", FileError, "RS053", "line 9 is not UTF-8"),
    ],
)
def test_what_is_wrong_is_said_by_its_line(tmp_path, text, error, code, found):
    with pytest.raises(error) as caught:
        rs.read_scores(write(tmp_path, text))
    assert caught.value.code == code
    assert found in caught.value.found
    assert "study.imrmc" in caught.value.problem
    assert caught.value.remedies


def test_a_name_is_missing(tmp_path):
    with pytest.raises(RocsteadyError, match="line 21"):
        rs.read_scores(write(tmp_path, HEADER + TRUTHS + RATINGS + ",c1,new,3\n"))


def test_a_case_that_is_written_otherwise_is_recognised(tmp_path):
    truths = TRUTHS.replace("c4", "case_four")
    ratings = RATINGS.replace("c4", "case_fuor")
    with pytest.raises(LabelError, match='did you mean case "case_four"'):
        rs.read_scores(write(tmp_path, HEADER + truths + ratings))


def test_ratings_that_lack_something_are_dropped_when_told(tmp_path):
    more = "r2,c9,old,1\nr2,c1,new,NA\nr2,,new,3\n"
    with pytest.warns(rs.RocsteadyWarning, match="RS102"):
        score_set = rs.read_scores(write(tmp_path, HEADER + TRUTHS + RATINGS + more), on_missing="drop")
    assert table(score_set) == expected()
    assert score_set.dropped.n_rows == 3


@pytest.mark.parametrize(
    "named",
    [{"case": "caseID"}, {"group": "reader"}, {"score": ["a", "b"]}, {"weight": "w"}, {"cluster": "p"}],
)
def test_there_are_no_columns_to_name(tmp_path, named):
    with pytest.raises(UsageError, match="leave out") as caught:
        rs.read_scores(write(tmp_path, HEADER + TRUTHS + RATINGS), **named)
    assert caught.value.code == "RS002"


def test_the_other_class_and_the_other_direction_can_be_asked_for(tmp_path):
    path = write(tmp_path, HEADER + TRUTHS + RATINGS)
    assert not rs.read_scores(path, higher_is_positive=False).columns.higher_is_positive
    assert rs.read_scores(path, positive=0).to_frame()["is_positive"].sum() == 6


def test_the_numbers_are_those_of_imrmc(tmp_path):
    """A study of decisions in the repository DIDSR/iMRMC (Accudata/home, fakepilot2), and what iMRMC 4.0.0 wrote.

    150 positive cases come before 150 negative ones, and each reader calls the first n positive. Its p-values
    rest on whole degrees of freedom, and are not compared.
    """
    last = {
        ("1", "A"): 171,
        ("2", "A"): 204,
        ("3", "A"): 138,
        ("1", "B"): 282,
        ("2", "B"): 288,
        ("3", "B"): 282,
    }
    truths = "".join(f"truth,{i},truth,{int(i <= 150)}\n" for i in range(1, 301))
    ratings = itertools.chain.from_iterable(
        (f"{reader},{i},{modality},{int(i <= n)}\n" for i in range(1, 301))
        for (reader, modality), n in last.items()
    )
    study = rs.read_scores(write(tmp_path, "BEGIN DATA:,,,\n" + truths + "".join(ratings)))
    found = rs.compare_readers(study, method="u-statistics")
    np.testing.assert_allclose(found.means, [9.03333333e-1, 5.53333333e-1], rtol=1e-8)
    np.testing.assert_allclose(found.standard_error**2, 1.42393736e-3, rtol=1e-8)
    np.testing.assert_allclose(found.df[1], 2.39887433, rtol=1e-8)
    variances = np.square(found.per_modality.to_dict()["standard_error"])
    np.testing.assert_allclose(variances, [1.86122297e-3, 1.82252051e-4], rtol=1e-8)
    np.testing.assert_allclose(found.per_modality.to_dict()["df"], [2.11212165, 29.4284717], rtol=1e-8)
    hillis = rs.compare_readers(study, covariance="unbiased")
    np.testing.assert_allclose(hillis.standard_error**2, 1.42393736e-3, rtol=1e-8)
    np.testing.assert_allclose(hillis.df[1], 2.39952379, rtol=1e-8)
