"""Bad input that reader studies really have, each refused or warned of by name; and a trap of another program."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.errors import DataError, LabelError, UsageError
from rocsteady.simulate import RoeMetz

STUDY = RoeMetz(auc=(0.75, 0.85))
N = 30


def table(*, n_readers=5, n_modalities=2, names=("film", "digital")):
    """A clean study: one row per rating, as lists that a test can spoil."""
    study = STUDY if n_modalities == 2 else RoeMetz(auc=(0.8,) * n_modalities)
    drawn = study.draw_arrays(n_readers, N, N, seed=5)
    ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1).round(2)
    columns = {"reader": [], "modality": [], "case": [], "truth": [], "rating": []}
    for m in range(n_modalities):
        for r in range(n_readers):
            for c in range(2 * N):
                row = (
                    f"Dr {chr(65 + r)}",
                    names[m],
                    c + 1,
                    "cancer" if c < N else "normal",
                    ratings[m, r, c],
                )
                for column, value in zip(columns.values(), row, strict=True):
                    column.append(value)
    return columns


def kept(columns, keep):
    """The rows for which ``keep`` holds."""
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return {name: [row[name] for row in rows if keep(row)] for name in columns}


def as_set(columns, **roles):
    names = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    given = {role: name for role, name in (names | roles).items() if name is not None}
    return rs.ScoreSet.from_frame(columns, **given, positive="cancer")


def compared(columns, **options):
    return rs.compare_readers(as_set(columns), **options)


def refusal(error, columns, **options):
    with pytest.raises(error) as caught:
        compared(columns, **options)
    return caught.value, str(caught.value)


def test_one_reader():
    columns = table(n_readers=1)
    error, text = refusal(DataError, columns)
    assert error.code == "RS027"
    assert "Dr A" in text
    assert "readers='fixed'" in text
    found = compared(columns, readers="fixed")
    of = [np.array(columns["rating"])[i * 2 * N : (i + 1) * 2 * N] for i in range(2)]
    known = rs.compare_auc(np.array(columns["truth"][: 2 * N]) == "cancer", *of, reference="normal")
    assert found.pvalue == pytest.approx(known.pvalue)


def test_one_modality():
    error, text = refusal(DataError, kept(table(), lambda row: row["modality"] == "film"))
    assert error.code == "RS027"
    assert '"film"' in text
    assert "summarize_readers" in text


def test_no_column_of_modalities():
    columns = kept(table(), lambda row: row["modality"] == "film")
    with pytest.raises(DataError, match="two modalities") as caught:
        rs.compare_readers(as_set(columns, model=None))
    assert caught.value.code == "RS027"
    assert "model=" in str(caught.value)


def test_a_case_with_two_truths():
    columns = table()
    columns["truth"][2 * N + 6] = "normal"  # case 7 of the second reader
    with pytest.raises(LabelError) as caught:
        as_set(columns)
    assert caught.value.code == "RS026"
    assert '"7"' in str(caught.value)


@pytest.mark.parametrize(("lost", "word"), [("cancer", "cancer"), ("normal", "normal")])
def test_a_reader_without_a_class(lost, word):
    def keep(row):
        return (row["reader"], row["modality"], row["truth"]) != ("Dr C", "digital", lost)

    columns = kept(table(), keep)
    _, text = refusal(DataError, columns)
    for said in ("Dr C", "digital", word, "missing='drop'"):
        assert said in text
    assert "Dr A" not in text
    found = compared(columns, missing="drop")
    assert found.readers == ("Dr A", "Dr B", "Dr D", "Dr E")
    expected = compared(kept(table(), lambda row: row["reader"] != "Dr C"))
    np.testing.assert_array_equal(found.values, expected.values)
    assert found.pvalue == expected.pvalue


@pytest.mark.filterwarnings("ignore:RS104")
def test_the_same_case_rated_twice():
    columns = table()
    again = [i for i, case in enumerate(columns["case"]) if case in (9, 12)][:2]
    for column in columns.values():
        column.extend([column[i] for i in again])
    columns["rating"][-2] = 9.25
    error, text = refusal(DataError, columns)
    assert error.code == "RS029"
    for said in ('"9"', "Dr A", "film", "9.25", f"{columns['rating'][again[0]]:g}", "1 other case"):
        assert said in text


@pytest.mark.filterwarnings("ignore:RS104")
def test_rows_doubled_by_a_join_are_refused_even_if_equal():
    columns = {name: column + column for name, column in table().items()}
    error, text = refusal(DataError, columns)
    assert error.code == "RS029"
    assert "599 other cases" in text


def test_a_missing_cell_is_named():
    columns = kept(table(), lambda row: (row["reader"], row["modality"]) != ("Dr B", "film"))
    error, text = refusal(DataError, columns)
    assert error.code == "RS028"
    for said in ("Dr B", "film", "missing='drop'", "u-statistics"):
        assert said in text
    assert "Dr A" not in text
    assert compared(columns, missing="drop").readers == ("Dr A", "Dr C", "Dr D", "Dr E")


def test_cases_without_names():
    with pytest.raises(DataError) as caught:
        rs.compare_readers(as_set(table(), case=None))
    assert caught.value.code == "RS027"
    assert "case=" in str(caught.value)


def test_cases_numbered_anew_by_every_reader_have_nothing_in_common():
    columns = table()
    columns["case"] = [
        f"{r}-{m}-{c}"
        for r, m, c in zip(columns["reader"], columns["modality"], columns["case"], strict=True)
    ]
    error, _ = refusal(DataError, columns)
    assert error.code == "RS027"


@pytest.mark.parametrize("n_readers", [2, 3])
def test_fewer_than_four_readers_are_warned_of(n_readers):
    with pytest.warns(rs.RocsteadyWarning, match="RS213") as caught:
        compared(table(n_readers=n_readers))
    assert str(n_readers) in str(caught[0].message)


def test_four_readers_are_not_warned_of_nor_fixed_ones():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compared(table(n_readers=4))
        compared(table(n_readers=2), readers="fixed")


def test_nothing_random_is_refused():
    error, _ = refusal(UsageError, table(), readers="fixed", cases="fixed")
    assert error.code == "RS002"


def test_weights_are_refused():
    columns = table()
    columns["weight"] = [1.0 + (i % 2) for i in range(len(columns["rating"]))]
    with pytest.raises(rs.RocsteadyError, match="weight"):
        rs.compare_readers(as_set(columns, weight="weight"))


@pytest.mark.parametrize("broken", [float("nan"), None])
def test_a_rating_that_is_missing_is_refused_where_it_is_read(broken):
    columns = table()
    columns["rating"][3] = broken
    with pytest.raises(rs.RocsteadyError):
        as_set(columns)


def test_infinite_ratings_are_ratings():
    columns = table()
    limit = max(columns["rating"])
    top = columns["rating"].index(limit)
    columns["rating"][top] = float("inf")
    np.testing.assert_array_equal(compared(columns).values, compared(table()).values)


@pytest.mark.filterwarnings("ignore:RS101", "ignore:RS151")
def test_perfect_readers_do_not_divide_by_zero():
    columns = table()
    columns["rating"] = [float(truth == "cancer") for truth in columns["truth"]]
    with pytest.warns(rs.RocsteadyWarning, match="RS214"):
        found = compared(columns)
    assert (found.difference, found.pvalue) == (0, 1)
    assert found.means.tolist() == [1, 1]


# T10: iMRMC looks for a modality by the beginning of its name, and "A1" grabs "A10" as well


def test_T10_names_that_begin_alike_are_different():
    plain = compared(table(n_modalities=3, names=("x", "y", "z")))
    alike = compared(table(n_modalities=3, names=("A1", "A10", "A100")))
    np.testing.assert_array_equal(plain.values, alike.values)
    assert alike.modalities == ("A1", "A10", "A100")
    assert (plain.statistic, plain.pvalue) == (alike.statistic, alike.pvalue)
    chosen = as_set(table(n_modalities=3, names=("A1", "A10", "A100"))).model("A1")
    assert set(chosen.names) == set(plain.readers)


def test_T10_readers_and_cases_that_begin_alike_are_different():
    columns = table()
    plain = compared(columns)
    names = {"Dr A": "1", "Dr B": "10", "Dr C": "100", "Dr D": "01", "Dr E": "1.0"}
    columns["reader"] = [names[reader] for reader in columns["reader"]]
    alike = compared(columns)
    assert alike.readers == tuple(names.values())
    np.testing.assert_array_equal(plain.values, alike.values)
    assert plain.pvalue == alike.pvalue


def test_ties_are_half_a_win_and_not_broken_at_random():
    """iMRMC moves tied thresholds by nine machine epsilons; ratings that differ by less are different here."""
    columns = table()
    columns["rating"] = [round(value) for value in columns["rating"]]
    twice = [compared(columns) for _ in range(2)]
    np.testing.assert_array_equal(twice[0].values, twice[1].values)
    of = np.array(columns["rating"][: 2 * N], dtype=float)
    wins = (of[:N, None] > of[N:]) + 0.5 * (of[:N, None] == of[N:])
    assert twice[0].values[0, 0] == pytest.approx(wins.mean(), abs=1e-15)
    columns["rating"] = [value * 2.0**-52 + 1 for value in columns["rating"]]
    np.testing.assert_array_equal(compared(columns).values, twice[0].values)
