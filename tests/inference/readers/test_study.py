"""Ratings as an array of modalities, readers and cases: what is put where, which design it is, what is refused."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from reader_studies import made_study
from rocsteady.errors import DataError, UsageError
from rocsteady.readers.design import count_alike, design_of, to_be_read
from rocsteady.readers.study import reader_ratings
from rocsteady.scores.score_set import ScoreSet

MODALITIES, READERS = ("CT", "MRI", "US"), ("ann", "bob", "cy")


def rows_of(is_read, *, seed=0):
    """A row for every rating there is, as lists; cases c0, c1, ... are positive and negative in turn."""
    rng = np.random.default_rng(seed)
    rows = []
    for i, j, k in np.argwhere(is_read):
        rows.append((MODALITIES[i], READERS[j], f"c{k}", int(k % 2), float(rng.integers(1, 100))))
    return rows


def as_set(rows, **options):
    names = ("modality", "reader", "case", "truth", "rating")
    table = {name: [row[i] for row in rows] for i, name in enumerate(names)} | options.pop("extra", {})
    roles = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    return ScoreSet.from_frame(table, **{**roles, **options})


def crossed(t=2, r=3, c=8):
    return np.ones((t, r, c), dtype=bool)


def refused(code, rows, error=DataError, **options):
    with pytest.raises(error) as caught:
        reader_ratings(as_set(rows), **options)
    assert caught.value.code == code
    return str(caught.value)


# Laws


@st.composite
def patterns(draw):
    """Ratings with holes; every cell has both classes."""
    t, r, c = draw(st.tuples(st.integers(2, 3), st.integers(1, 3), st.integers(2, 4)))
    holes = draw(st.lists(st.booleans(), min_size=t * r * c, max_size=t * r * c))
    is_read = np.array(holes).reshape(t, r, c)
    return np.concatenate([crossed(t, r, 2), is_read], axis=2)


@settings(max_examples=60)
@given(patterns(), st.randoms(use_true_random=False), st.booleans())
def test_every_rating_is_where_it_belongs(is_read, random, higher_is_positive):
    rows = rows_of(is_read)
    random.shuffle(rows)
    found = reader_ratings(as_set(rows, higher_is_positive=higher_is_positive))
    assert int(found.is_read.sum()) == len(rows)
    sign = 1 if higher_is_positive else -1
    for modality, reader, case, truth, rating in rows:
        at = found.modalities.index(modality), found.readers.index(reader), found.cases.index(case)
        assert found.is_read[at]
        assert found.ratings[at] == sign * rating
        assert found.truth[at[2]] == bool(truth)
    assert np.isnan(found.ratings[~found.is_read]).all()
    assert (found.design == "fully crossed") == bool(found.is_read.all())
    assert found.n_positives + found.n_negatives == len(found.cases)


@settings(max_examples=60)
@given(patterns(), st.randoms(use_true_random=False))
def test_the_design_does_not_depend_on_order(is_read, random):
    word = design_of(is_read)
    for axis in range(3):
        order = list(range(is_read.shape[axis]))
        random.shuffle(order)
        is_read = np.take(is_read, order, axis=axis)
    assert design_of(is_read) == word


# Designs


def test_designs_have_names():
    own = np.zeros((2, 2, 8), dtype=bool)
    own[:, 0, :4] = own[:, 1, 4:] = True
    assert design_of(own) == "cases nested in readers"
    assert design_of(own.swapaxes(0, 1)) == "cases nested in modalities"
    assert design_of(np.repeat(own, 2, axis=1)) == "split-plot"
    readers = np.zeros((2, 4, 8), dtype=bool)
    readers[0, :2] = readers[1, 2:] = True
    assert design_of(readers) == "readers nested in modalities"
    apart = readers.copy()
    apart[0, :, 4:] = apart[1, :, :4] = False
    assert design_of(apart) == "readers and cases nested in modalities"
    holed = crossed()
    holed[0, 0, 0] = False
    assert design_of(holed) == "partly crossed"
    some = readers.copy()
    some[0, 0, 0] = False
    assert design_of(some) == "partly crossed"


def test_nested_readers_leave_cells_empty():
    is_read = np.zeros((2, 3, 6), dtype=bool)
    is_read[0, 0] = is_read[1, 1:] = True
    found = reader_ratings(as_set(rows_of(is_read)))
    assert found.is_nested
    assert found.cells.tolist() == [[True, False, False], [False, True, True]]
    assert found.design == "readers nested in modalities"


def test_modalities_are_chosen_and_ordered():
    rows = rows_of(crossed(3))
    rows.append(("PET", "robot", "c0", 0, 0.5))  # a reader of nothing that is asked for
    found = reader_ratings(as_set(rows), modalities=["US", "CT"])
    assert found.modalities == ("US", "CT")
    assert found.readers == READERS
    whole = reader_ratings(as_set(rows_of(crossed(3))))
    assert (found.ratings == whole.ratings[[2, 0]]).all()
    assert repr(found) == "ReaderRatings(2 modalities, 3 readers, 8 cases, 4 positive, fully crossed)"


def test_one_modality_needs_no_name():
    table = as_set(rows_of(crossed(1)), model=None)
    found = reader_ratings(table, least_modalities=1)
    assert found.ratings.shape == (1, 3, 8)


def test_clusters_are_numbered_and_forgotten_where_they_say_nothing():
    rows = rows_of(crossed())
    patients = [f"p{int(row[2][1:]) // 3}" for row in rows]
    found = reader_ratings(as_set(rows, cluster="patient", extra={"patient": patients}))
    assert found.clusters.tolist() == [0, 0, 0, 1, 1, 1, 2, 2]
    alone = reader_ratings(as_set(rows, cluster="patient", extra={"patient": [row[2] for row in rows]}))
    assert alone.clusters is None


def test_names_of_cases_may_be_anything():
    rows = [(*row[:2], int(row[2][1:]), *row[3:]) for row in rows_of(crossed())]
    assert reader_ratings(as_set(rows)).cases == tuple(map(str, range(8)))


# What is refused


def test_a_number_and_its_text_are_no_two_cases():
    """One reader's table has numbers, another's text: 8 cases would become 16 that nobody shares."""
    rows = [
        (modality, reader, case if reader == "ann" else int(case), truth, rating)
        for modality, reader, case, truth, rating in (
            (m, r, c.removeprefix("c"), t, s) for m, r, c, t, s in rows_of(crossed())
        )
    ]
    assert "two cases have the same name" in refused("RS049", rows, UsageError)


def test_not_a_set():
    for given_, wanted in (({"a": [1]}, "from_frame"), ("study.csv", "read_scores"), (3, "from_frame")):
        with pytest.raises(UsageError, match="RS002") as caught:
            reader_ratings(given_)
        assert wanted in str(caught.value)


def test_weights():
    rows = rows_of(crossed())
    weighted = as_set(rows, weight="weight", extra={"weight": [2.0] * len(rows)})
    with pytest.raises(UsageError, match="RS038"):
        reader_ratings(weighted)


def test_cases_without_names():
    with pytest.raises(DataError, match="RS027") as caught:
        reader_ratings(as_set(rows_of(crossed()), case=None))
    assert "case='...'" in str(caught.value)


def test_one_modality():
    assert "summarize_readers" in refused("RS027", rows_of(crossed(1)))
    with pytest.raises(DataError, match="RS027") as caught:
        reader_ratings(as_set(rows_of(crossed(1)), model=None))
    assert "model='...'" in str(caught.value)


def test_unknown_and_doubled_modalities():
    rows = rows_of(crossed())
    assert "'CT'" in refused("RS001", rows, UsageError, modalities=["CTT", "MRI"])
    refused("RS049", rows, UsageError, modalities=["CT", "CT"])
    refused("RS001", rows, UsageError, modalities=3)
    assert "modalities=['CT', 'MRI']" in refused("RS027", rows, modalities="MRI")
    assert "found: none of" in refused("RS027", rows, modalities=[])
    refused("RS001", rows, UsageError, missing="ignore")


@pytest.mark.filterwarnings("ignore:RS104")
def test_a_case_rated_twice_says_which():
    rows = rows_of(crossed())
    rows += [("MRI", "bob", "c3", 1, 7.5), ("MRI", "cy", "c4", 0, 1.0)]
    said = refused("RS029", rows)
    first = next(row[4] for row in rows if row[:3] == ("MRI", "bob", "c3"))
    assert 'the case "c3" is rated 2 times by reader bob with MRI' in said
    assert f"ratings: {first:g} and 7.5; 1 other case" in said


@pytest.mark.filterwarnings("ignore:RS104")
def test_equal_ratings_of_a_case_are_two_ratings_too():
    rows = rows_of(crossed())
    refused("RS029", [*rows, rows[0]])


def test_missing_cells_are_named():
    is_read = crossed()
    is_read[1, 2] = False
    said = refused("RS028", rows_of(is_read))
    assert "1 of 6 cells (2 modalities, 3 readers) has no ratings" in said
    assert "reader cy with MRI" in said
    assert "missing='drop'" in said
    assert "u-statistics" in said
    found = reader_ratings(as_set(rows_of(is_read)), missing="drop")
    assert found.readers == ("ann", "bob")
    assert found.left_out == ("reader cy: no ratings with MRI",)
    assert found.design == "fully crossed"
    any_cells = reader_ratings(as_set(rows_of(is_read)), allow_missing_cells=True)
    assert any_cells.readers == READERS


def test_no_reader_has_everything():
    is_read = crossed(3, 3)
    for i in range(3):
        is_read[i, i] = False
    said = refused("RS028", rows_of(is_read), missing="drop")
    assert "missing='drop'" not in said


def test_a_standalone_system_among_readers_is_recognised():
    is_read = crossed(3, 3)
    is_read[2, :2] = is_read[:2, 2] = False
    said = refused("RS028", rows_of(is_read))
    assert "modalities=['CT', 'MRI']" in said
    assert "standalone='US'" in said
    assert "u-statistics" not in said


@pytest.mark.parametrize(("lost", "word"), [(0, "negatives"), (1, "positives")])
def test_a_reader_without_a_class(lost, word):
    is_read = crossed()
    is_read[0, 1, lost::2] = False
    said = refused("RS036", rows_of(is_read))
    assert f"reader bob: no {word.removesuffix('s')} cases with CT" in said
    found = reader_ratings(as_set(rows_of(is_read)), missing="drop")
    assert found.readers == ("ann", "cy")
    assert found.left_out == (f"reader bob: no {word.removesuffix('s')} cases with CT",)


def test_nobody_has_both_classes():
    is_read = crossed()
    is_read[:, :, ::2] = False
    assert "missing='drop'" not in refused("RS036", rows_of(is_read), missing="drop")


def test_cases_that_only_a_left_out_reader_read_go_with_them():
    is_read = crossed()
    is_read[:, :2, 6:] = False
    is_read[1, 2] = False
    found = reader_ratings(as_set(rows_of(is_read)), missing="drop")
    assert len(found.cases) == 6
    assert found.design == "fully crossed"


def test_no_case_in_common():
    rows = [(*row[:2], f"{row[0]}{row[1]}{row[2]}", *row[3:]) for row in rows_of(crossed())]
    said = refused("RS027", rows)
    assert "no case was read twice" in said
    assert "48 cases" in said
    assert reader_ratings(as_set(rows), need_common_cases=False).design == "partly crossed"


def test_integers_that_floats_cannot_tell_apart():
    rows = [(*row[:4], 2**53 + k % 4) for k, row in enumerate(rows_of(crossed()))]
    refused("RS048", rows, UsageError)
    even = [(*row[:4], 2**53 + 2 * (k % 4)) for k, row in enumerate(rows_of(crossed()))]
    assert reader_ratings(as_set(even)).design == "fully crossed"


def test_infinite_ratings_are_ratings():
    rows = rows_of(crossed())
    rows[0] = (*rows[0][:4], float("-inf"))
    assert reader_ratings(as_set(rows)).ratings.min() == -np.inf


def test_readers_count_alike_where_they_read_as_many_pairs():
    truth = np.array([True, True, False, False])
    assert not count_alike(np.array([[[1, 1, 1, 1], [1, 1, 1, 0]]], dtype=bool), truth)
    assert count_alike(np.array([[[1, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]]], dtype=bool), truth)


def test_what_a_reader_of_own_cases_lacks_is_missing():
    own = np.zeros((2, 2, 4), dtype=bool)
    own[:, 0, :2] = own[:, 1, 2:] = True
    own[1, 0, 0] = False
    assert int((to_be_read(own) & ~own).sum()) == 1


@pytest.mark.parametrize("missing", ["raise", "drop"])
def test_a_modality_keeps_a_reader_or_nobody_is_left_out(missing):
    """Of readers with one modality each, the only one of "new" has cases of one class."""
    rng = np.random.default_rng(1)
    of = [("a", "old", 40, True), ("b", "old", 40, True), ("c", "new", 40, False)]
    columns = {name: [] for name in ("reader", "modality", "case", "truth", "rating")}
    for reader, modality, n, has_both in of:
        columns["reader"] += [reader] * n
        columns["modality"] += [modality] * n
        columns["case"] += [f"{reader}{i}" for i in range(n)]
        columns["truth"] += [int(has_both and i % 2 == 0) for i in range(n)]
        columns["rating"] += rng.normal(size=n).tolist()
    roles = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    study = rs.ScoreSet.from_frame(columns, **roles)
    with pytest.raises(rs.RocsteadyError) as caught:
        rs.compare_readers(study, missing=missing)
    assert "drop" not in str(caught.value)


@pytest.mark.parametrize("function", [rs.compare_readers, rs.summarize_readers])
def test_a_refusal_comes_without_a_warning_before_it(function) -> None:
    """RS270, of few resamples, was said of what is then refused."""
    reader, modality, case, truth, rating = zip(*made_study(1, (0.5, 1.0), 3, 5, 5), strict=True)
    rows = ScoreSet.from_arrays(truth, rating, reader, models=modality, cases=case, unit="reader")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UsageError, match="RS002"):
            function(rows, measure={"threshold": 0.5}, n_resamples=50)
