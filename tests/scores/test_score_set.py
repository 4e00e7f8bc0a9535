"""ScoreSet: rows brought together by model and group, whatever their order."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import DataError, RocsteadyWarning, UsageError
from rocsteady.scores import Scores, ScoreSet

# Small examples look like decisions now and then, and repeat their cases.
pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS104")

rows_of_groups = st.lists(
    st.tuples(
        st.booleans(),  # label
        st.integers(-3, 3).map(float),  # score
        st.sampled_from(["a", "b", "c", "d"]),  # group
        st.sampled_from(["x", "y"]),  # model
        st.integers(0, 4),  # case; positives are even, because a case has one truth
        st.sampled_from([0.0, 0.5, 2.0]),  # weight
    ).map(lambda row: (*row[:4], 2 * row[4] + (not row[0]), row[5])),
    min_size=1,
    max_size=40,
)


def unzip(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def members(score_set: ScoreSet) -> dict[str, list[tuple[object, ...]]]:
    """Each member's rows, in order, as plain values."""
    return {
        s.name: [
            tuple(row)
            for row in zip(
                s.is_positive.tolist(),
                s.scores.tolist(),
                [1.0] * s.columns.n_rows if s.sample_weight is None else s.sample_weight.tolist(),
                strict=True,
            )
        ]
        for s in score_set
    }


@given(rows_of_groups)
def test_each_group_gets_its_own_rows_in_their_order(rows):
    labels, scores, groups, *_ = unzip(rows)
    score_set = ScoreSet.from_arrays(labels, scores, groups)
    assert score_set.groups == score_set.names == tuple(dict.fromkeys(groups))
    assert members(score_set) == {
        name: [(y, s, 1.0) for y, s, g in zip(labels, scores, groups, strict=True) if g == name]
        for name in score_set.names
    }
    assert score_set.columns.offsets[-1] == len(rows)
    assert score_set.columns.labels.dtype == np.uint8
    assert (score_set.columns.positive, score_set.columns.negative) == (1.0, 0.0)


@given(rows_of_groups, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows, random):
    rows = [(*row[:5], max(row[5], 0.5)) for row in rows]
    shuffled = random.sample(rows, len(rows))
    sets = []
    for some in (rows, shuffled):
        labels, scores, groups, _, _, weights = unzip(some)
        sets.append(ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights))
    assert {k: sorted(v) for k, v in members(sets[0]).items()} == {
        k: sorted(v) for k, v in members(sets[1]).items()
    }
    assert sets[0].n_positives.sum() == sets[1].n_positives.sum()


@given(rows_of_groups)
def test_models_come_first_and_groups_in_order_of_appearance(rows):
    labels, scores, groups, models, cases, _ = unzip(rows)
    score_set = ScoreSet.from_arrays(labels, scores, groups, models=models, cases=cases)
    model_names, group_names = tuple(dict.fromkeys(models)), tuple(dict.fromkeys(groups))
    assert (score_set.models, score_set.groups) == (model_names, group_names)
    pairs = sorted(
        set(zip(models, groups, strict=True)),
        key=lambda p: (model_names.index(p[0]), group_names.index(p[1])),
    )
    assert len(score_set) == len(pairs)
    sizes = np.diff(score_set.columns.offsets)
    stops = score_set.columns.offsets[1:]
    for i, (model, group) in enumerate(pairs):
        own = [r for r in rows if (r[3], r[2]) == (model, group)]
        expected = f"{model} / {group}" if len(model_names) > 1 else group
        assert score_set.names[i] == expected
        own.sort(key=lambda r: cases.index(r[4]))
        assert score_set[i].scores.tolist() == [r[1] for r in own]
        assert score_set[i].cases == tuple(r[4] for r in own)
        codes = score_set.cases.codes[stops[i] - sizes[i] : stops[i]]
        assert [score_set.cases.values[c] for c in codes] == [r[4] for r in own]


@given(rows_of_groups)
def test_one_model_is_the_set_of_its_rows(rows):
    labels, scores, groups, models, cases, _ = unzip(rows)
    score_set = ScoreSet.from_arrays(labels, scores, groups, models=models, cases=cases)
    for name in score_set.models:
        one = score_set.model(name)
        own = unzip([row for row in rows if row[3] == name])
        alone = ScoreSet.from_arrays(own[0], own[1], own[2], cases=own[4])
        assert one.models == (name,)
        assert {k: sorted(v) for k, v in members(one).items()} == {
            k: sorted(v) for k, v in members(alone).items()
        }
        assert set(one.undefined) == set(alone.undefined)
        assert np.shares_memory(one.columns.scores, score_set.columns.scores)
        named = [one.cases.values[c] for c in one.cases.codes]
        assert sorted(named) == sorted(own[4])


@given(rows_of_groups)
def test_rows_of_weight_zero_drop_out_but_their_group_stays(rows):
    rows = [*rows, (True, 1.0, "a", "x", 0, 1.0)]
    labels, scores, groups, _, cases, weights = unzip(rows)
    score_set = ScoreSet.from_arrays(labels, scores, groups, cases=cases, sample_weight=weights)
    assert score_set.groups == tuple(dict.fromkeys(groups))
    for name, values in members(score_set).items():
        own = [r for r in rows if r[2] == name and r[5] > 0]
        own.sort(key=lambda r: cases.index(r[4]))
        assert values == [(r[0], r[1], r[5]) for r in own]
    n_zero = weights.count(0.0)
    assert score_set.dropped.n_rows == n_zero
    assert score_set.dropped.causes == ({"weight zero": n_zero} if n_zero else {})
    for name in score_set.groups:
        if not members(score_set)[name]:
            assert f"{name}: no rows left" in score_set.undefined


@given(rows_of_groups)
def test_folds_are_arrays_with_the_fold_as_group(rows):
    labels, scores, groups, *_ = unzip(rows)
    by_arrays = ScoreSet.from_arrays(labels, scores, groups)
    pairs = [(s.is_positive, s.scores) for s in by_arrays]
    by_folds = ScoreSet.from_folds(pairs, names=by_arrays.names)
    assert members(by_folds) == members(by_arrays)
    assert by_folds.undefined == by_arrays.undefined


@given(rows_of_groups, st.booleans())
def test_undefined_groups_are_kept_and_listed(rows, higher):
    labels, scores, groups, *_ = unzip(rows)
    score_set = ScoreSet.from_arrays(labels, scores, groups, higher_is_positive=higher)
    expected = []
    for name in score_set.names:
        kinds = {y for y, g in zip(labels, groups, strict=True) if g == name}
        if len(kinds) == 1:
            expected.append(f"{name}: no {'negatives' if True in kinds else 'positives'}")
    assert score_set.undefined == tuple(expected)
    assert score_set.higher_is_positive is higher
    assert all(s.higher_is_positive is higher for s in score_set)


def test_folds_read_labels_together():
    folds = ScoreSet.from_folds([(["a", "b"], [1, 2]), (["b", "b"], [3, 4])], positive="a")
    assert folds.names == ("fold 1", "fold 2")
    assert folds.unit == "fold"
    assert folds.undefined == ("fold 2: no positives",)
    assert folds.classes.negative == "b"


@pytest.mark.parametrize(
    "kinds",
    [
        ([True, False], [1, 0]),
        (np.array([1, 0], np.int8), [1.0, 0.0]),
        (np.array([True, False], object), [1, 0]),
        (pd.Series([1, 0], dtype="Int8"), np.array([1, 0], np.uint64)),
    ],
)
def test_folds_may_hold_labels_of_different_types(kinds):
    folds = ScoreSet.from_folds([(labels, [1, 2]) for labels in kinds])
    assert folds.n_positives.tolist() == [1, 1]


def test_folds_of_text_and_numbers_do_not_turn_numbers_into_text():
    folds = ScoreSet.from_folds([(["1", "0"], [1, 2]), ([2, 0], [3, 4])], positive=["1", 2])
    assert folds.n_positives.tolist() == [1, 1]


def test_folds_of_integers_stay_integers():
    folds = ScoreSet.from_folds([([0, 1], [2**53, 2**53 + 1]), ([0, 1], np.array([1, 2], np.int8))])
    assert folds.columns.scores.tolist() == [2**53, 2**53 + 1, 1, 2]


def test_without_groups_there_is_one_group():
    score_set = ScoreSet.from_arrays([0, 1], [1, 2])
    assert (score_set.names, score_set.unit, score_set.models) == (("all",), "group", ())
    models = ScoreSet.from_arrays([0, 1], [1, 2], models=["x", "y"])
    assert models.names == ("x / all", "y / all")


def test_lookup_by_position_name_and_value():
    score_set = ScoreSet.from_arrays([0, 1, 1], [1, 2, 3], [2.5, 7.0, 9.0])
    assert [score_set[key].scores.tolist() for key in (0, -1, "7.0", 7.0, np.int64(1))] == [
        [1],
        [3],
        [2],
        [2],
        [2],
    ]
    assert [s.name for s in score_set[1:]] == ["7.0", "9.0"]
    assert [s.name for s in score_set] == list(score_set.names)
    numbers = ScoreSet.from_arrays([0, 1, 1], [1, 2, 3], [2, 1, 0])
    assert numbers["2"].scores.tolist() == [1]
    assert numbers[2].scores.tolist() == [3]
    dates = ScoreSet.from_arrays([0, 1], [1, 2], np.array(["2020-01-01", "2021-01-01"], "M8[ns]"))
    assert dates.names == ("2020-01-01", "2021-01-01")
    assert dates["2021-01-01"].scores.tolist() == [2]
    assert dates[np.datetime64("2021-01-01", "ns")].scores.tolist() == [2]


def test_model_by_value():
    score_set = ScoreSet.from_arrays([0, 1], [1, 2], ["a", "a"], models=[0.1, 10])
    assert score_set.model(0.1).columns.scores.tolist() == [1]
    assert score_set.model("10.0").columns.scores.tolist() == [2]


@pytest.mark.parametrize("named", [pd.Series(["a", "b"], name="host"), pl.Series("host", ["a", "b"])])
def test_the_unit_is_the_name_of_the_group_column(named):
    assert ScoreSet.from_arrays([0, 1], [1, 2], named).unit == "host"
    assert ScoreSet.from_arrays([0, 1], [1, 2], named, unit="device").unit == "device"


def test_members_are_views_of_the_set():
    models = ["x"] * 4 + ["y"] * 4
    score_set = ScoreSet.from_arrays([0, 1] * 4, np.arange(8.0), ["b", "b", "a", "a"] * 2, models=models)
    assert np.shares_memory(score_set[1].scores, score_set.columns.scores)
    assert np.shares_memory(score_set.model("y").columns.scores, score_set.columns.scores)


@pytest.mark.parametrize("ordered", [True, False])
def test_a_set_does_not_change_with_the_arrays_it_was_made_of(ordered):
    groups = ["b", "b", "b", "a", "a", "a"] if ordered else ["b", "a"] * 3

    def arrays():
        return [np.array([0, 1, 0, 1, 0, 1], dtype=kind) for kind in (np.uint8, float, float)]

    def by_arrays(labels, scores, weights):
        return ScoreSet.from_arrays(labels, scores, groups, sample_weight=weights + 1)

    def by_folds(labels, scores, weights):
        return ScoreSet.from_folds([(labels, scores)], sample_weight=[weights + 1])

    def by_frame(labels, scores, weights):
        table = {"y": labels, "s": scores, "g": groups, "w": weights + 1}
        return ScoreSet.from_frame(table, label="y", score="s", group="g", weight="w")

    def by_models(labels, scores, weights):
        return ScoreSet.from_arrays(labels, {"m": scores}, groups, sample_weight=weights + 1)

    for build in (by_arrays, by_folds, by_frame, by_models):
        given_arrays = arrays()
        score_set = build(*given_arrays)
        before = [part.to_dict() for part in score_set]
        for array in given_arrays:
            array[:] = 7
        assert [part.to_dict() for part in score_set] == before


def test_a_set_owns_its_weights():
    weights = np.array([1.0, 2.0])
    score_set = ScoreSet.from_arrays([0, 1], [0.1, 0.2], sample_weight=weights)
    weights[:] = 9
    assert score_set.columns.weights.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("build", "named"),
    [
        (lambda y, s: ScoreSet.from_arrays(y, s, [1, "1"] * 2), '"1"'),
        (lambda y, s: ScoreSet.from_arrays(y, s, models=[1, 1, "1", "1"]), '"1"'),
        (lambda y, s: ScoreSet.from_arrays(y, {1: s, "1": s}), '"1"'),
        (lambda y, s: ScoreSet.from_folds([(y, s), (y, s)], names=["a", "a"]), '"a"'),
        (lambda y, s: ScoreSet.from_folds([(y, s), (y, s)], names=[2, "2"]), '"2"'),
        (
            lambda y, s: ScoreSet.from_arrays(
                y, s, ["c", "c", "b / c", "b / c"], models=["a / b", "a / b", "a", "a"]
            ),
            '"a / b / c"',
        ),
    ],
)
def test_two_members_of_one_name_are_refused(build, named):
    with pytest.raises(UsageError, match="RS049") as caught:
        build([0, 1, 0, 1], [1, 2, 3, 4])
    assert named in str(caught.value)


def test_many_groups_are_built_without_a_loop_over_rows():
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 70_000, 300_000)
    labels, scores = rng.random(groups.size) < 0.5, rng.normal(size=groups.size)
    score_set = ScoreSet.from_arrays(labels, scores, groups)
    order = np.argsort(groups, kind="stable")
    group = int(groups[0])
    assert score_set.names[0] == str(group)
    assert score_set[0].scores.tolist() == scores[groups == group].tolist()
    by_value = {int(name): n for name, n in zip(score_set.names, score_set.n_positives, strict=True)}
    expected = np.bincount(groups[order], weights=labels[order])
    assert all(expected[value] == n for value, n in by_value.items())


def test_the_same_case_may_occur_twice_in_a_group():
    score_set = ScoreSet.from_arrays([1, 1], [1, 2], ["a", "a"], cases=["p1", "p1"])
    assert score_set.cases.codes.tolist() == [0, 0]
    assert repr(score_set.cases) == "Cases(1 case, 2 rows)"


def test_hard_decisions_are_warned_of_once():
    with pytest.warns(RocsteadyWarning, match="RS101") as caught:
        ScoreSet.from_arrays([0, 1] * 6, [0, 1] * 6, ["a", "b", "c"] * 4)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with pytest.warns(RocsteadyWarning, match="RS101"):
        ScoreSet.from_folds([([0, 1] * 3, [0, 1] * 3)] * 2)


def test_printing_and_plain_values():
    score_set = ScoreSet.from_arrays(
        [0, 1, 1], [1, 2, 3], ["a", "a", "b"], models=["x", "x", "y"], sample_weight=[1, 1, 2], unit="host"
    )
    assert repr(score_set) == "ScoreSet(2 hosts, 2 models, 3 rows, 2 positives, 1 undefined)"
    plain = score_set.to_dict()
    assert plain["names"] == ["x / a", "y / b"]
    assert plain["n_negatives"] == [1, 0]
    assert plain["undefined"] == ["y / b: no negatives"]
    frame = score_set.to_frame()
    assert frame.to_dict("list") == {
        "model": ["x", "x", "y"],
        "host": ["a", "a", "b"],
        "is_positive": [False, True, True],
        "score": [1, 2, 3],
        "weight": [1.0, 1.0, 2.0],
    }
    with pytest.raises(AttributeError):
        score_set.unit = "fold"


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_sets_can_be_copied_and_sent(copied):
    score_set = ScoreSet.from_arrays([0, 1, 0], [1, 2, 3], ["a", "a", "b"], cases=[1, 2, 1])
    twin = copied(score_set)
    assert members(twin) == members(score_set)
    assert twin.cases.values == (1, 2)
    assert copied(score_set[0]).cases == (1, 2)


def test_members_are_scores():
    score_set = ScoreSet.from_arrays(["s", "w"], [1, 2], positive="s")
    assert isinstance(score_set[0], Scores)
    assert score_set[0].classes.positive == "s"


@pytest.mark.parametrize("unit", ["model", "case", "score", "is_positive", "weight"])
def test_no_column_of_the_frame_is_lost_to_the_unit(unit):
    score_set = ScoreSet.from_arrays([0, 1], [3, 4], ["a", "b"], models=["m", "m"], cases=[1, 2], unit=unit)
    frame = score_set.to_frame()
    assert frame["group"].tolist() == ["a", "b"]
    assert frame["score"].tolist() == [3, 4]
    assert frame["case"].tolist() == [1, 2]


@pytest.mark.parametrize("copied", [lambda own: pickle.loads(pickle.dumps(own)), copy.deepcopy, copy.copy])
def test_a_set_that_has_been_read_can_be_pickled_and_copied(copied):
    rng = np.random.default_rng(0)
    labels, scores = np.arange(40) % 2, {name: rng.normal(size=40) for name in ("old", "new")}
    patients = np.arange(40) // 2
    whole = ScoreSet.from_arrays(labels, scores, np.repeat(["a", "b"], 20), clusters=patients)
    assert whole.model("old")["a"].cases
    rs.roc_curves(whole)
    for own in (whole, whole.model("old"), whole["old / a"]):
        made = copied(own)
        assert repr(made) == repr(own)
        assert made.to_dict() == own.to_dict()
        assert made.to_frame().equals(own.to_frame())
    assert copied(whole).model("old").columns.scores.tolist() == whole.model("old").columns.scores.tolist()


@pytest.mark.parametrize("weights", [[None, [1, 2]], [[1, 2], None]])
def test_a_fold_without_weights_beside_weighted_ones_is_told(weights) -> None:
    """They were left out, or a KeyError."""
    with pytest.raises(DataError, match="RS034"):
        ScoreSet.from_folds([([0, 1], [1, 2])] * 2, sample_weight=weights)


def test_folds_that_all_have_no_weights_are_unweighted() -> None:
    """``sample_weight=[None, None]`` was refused, as weights that cannot be read."""
    pairs = [([0, 1], [1, 2]), ([0, 1, 1], [3, 1, 2])]
    folds = ScoreSet.from_folds(pairs, sample_weight=[None, None])
    assert folds.columns.weights is None
    with pytest.raises(DataError, match="RS034"):
        ScoreSet.from_folds(pairs, sample_weight=[[1, 2], None])
