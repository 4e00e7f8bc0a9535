"""The readers of one modality: laws, the numbers of other programs, and what is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import DataError, RocsteadyError, RocsteadyWarning
from rocsteady.scores import ScoreSet, read_scores
from rocsteady.statistics.obuchowski_rockette import limits_of_readers

pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS213", "ignore:RS215", "ignore:RS218")

ROLES = {"label": "truth", "score": "rating", "group": "reader", "model": "test", "case": "case"}
DATA = os.environ.get("ROCSTEADY_DATA")


def simulated(seed=2, n_readers=5, n_cases=60, tests=("film", "digital")):
    stream = np.random.default_rng(seed)
    truth = np.arange(n_cases) % 2
    case = stream.normal(size=n_cases) * 0.8 + 1.1 * truth
    rows = [(test, f"r{j}", c) for test in tests for j in range(n_readers) for c in range(n_cases)]
    noise = stream.normal(size=len(rows))
    return {
        "truth": np.array([truth[c] for _, _, c in rows]),
        "rating": np.digitize([case[c] for *_, c in rows] + noise, [-0.5, 0.3, 1, 2]) + 1,
        "reader": np.array([reader for _, reader, _ in rows]),
        "test": np.array([test for test, *_ in rows]),
        "case": np.array([c for *_, c in rows]),
    }


def study(table=None, **roles):
    return ScoreSet.from_frame(simulated() if table is None else table, **ROLES, **roles)


def rows(table, kept):
    return {name: values[kept] for name, values in table.items()}


# Laws


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"readers": "fixed"},
        {"cases": "fixed"},
        {"covariance": "jackknife"},
        {"covariance": "unbiased"},
        {"measure": rs.PartialAuc(fpr=(0, 0.2))},
        {"measure": {"specificity": 0.8}, "n_resamples": 100},
        {"confidence_level": 0.9},
    ],
)
def test_it_says_of_each_modality_what_a_comparison_says(options):
    found = rs.summarize_readers(study(), interval="t", **options)
    expected = rs.compare_readers(study(), **options)
    for name in ("value", "standard_error", "df", "low", "high", "ms_reader", "var", "cov2"):
        np.testing.assert_allclose(
            getattr(found.per_modality, name), getattr(expected.per_modality, name), rtol=1e-9, err_msg=name
        )
    np.testing.assert_array_equal(found.values, expected.values)
    assert found.random == expected.random


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=8)
def test_the_order_of_the_rows_does_not_matter(seed):
    table = simulated(n_cases=24)
    order = np.random.default_rng(seed).permutation(table["truth"].size)
    a, b = (rs.summarize_readers(study(own)) for own in (table, rows(table, order)))
    by_name = [a.modalities.index(name) for name in b.modalities]
    np.testing.assert_allclose(a.means[by_name], b.means, rtol=1e-12)
    np.testing.assert_allclose(
        a.per_modality.standard_error[by_name], b.per_modality.standard_error, rtol=1e-9
    )


def test_a_modality_by_itself_is_what_it_is_among_others():
    both, alone = rs.summarize_readers(study()), rs.summarize_readers(study(), modalities="digital")
    assert alone.modalities == ("digital",)
    assert alone.means[0] == both.means[1]
    assert alone.per_modality.low[0] == both.per_modality.low[1]
    unnamed = rows(simulated(), simulated()["test"] == "digital")
    roles = {role: column for role, column in ROLES.items() if role != "model"}
    nameless = rs.summarize_readers(ScoreSet.from_frame(unnamed, **roles))
    assert nameless.means[0] == alone.means[0]
    assert " with " not in nameless.reading.split(";")[0]


def test_one_fixed_reader_has_delongs_interval():
    table = simulated(n_readers=1, tests=("film",))
    found = rs.summarize_readers(study(table), readers="fixed", interval="t")
    curve = rs.roc_curve(table["truth"], table["rating"])
    assert found.means[0] == curve.auc
    expected = curve.auc_interval(method="delong")
    assert found.per_modality.low[0] == pytest.approx(expected.low, rel=1e-9)
    assert found.per_reader.low[0] == pytest.approx(curve.auc_interval(method="logit").low, rel=1e-9)
    assert np.isnan(found.reader_sd[0])
    assert found.reading.startswith("The AUC of the reader with film is 0.")
    with pytest.raises(DataError, match="readers='fixed'") as caught:
        rs.summarize_readers(study(table))
    assert caught.value.code == "RS027"


def test_readers_who_lack_a_modality_count_where_they_read():
    table = simulated()
    kept = ~((table["reader"] == "r4") & (table["test"] == "film"))
    found = rs.summarize_readers(study(rows(table, kept)))
    assert found.per_modality.n_readers.tolist() == [4, 5]
    assert np.isnan(found.values[0, list(found.readers).index("r4")])
    four = rs.summarize_readers(study(rows(table, table["reader"] != "r4")), modalities="film")
    assert found.means[0] == four.means[0]
    assert found.per_modality.df[0] == pytest.approx(four.per_modality.df[0])


def test_readers_that_are_alike_have_no_spread():
    table = simulated(tests=("film",))
    first = table["rating"][:60]
    found = rs.summarize_readers(study(table | {"rating": np.tile(first, 5)}))
    assert found.reader_sd[0] == 0
    assert "all readers have the same" in found.reading
    assert found.per_modality.df[0] == np.inf


def test_fixed_cases_need_no_more_than_one_of_a_class():
    table = simulated(tests=("film",), n_cases=13)
    kept = (table["truth"] == 0) | (table["case"] == 1)
    found = rs.summarize_readers(study(rows(table, kept)), cases="fixed")
    assert np.isnan(found.reader_sd[0])
    assert found.per_modality.standard_error[0] == pytest.approx(found.values[0].std(ddof=1) / np.sqrt(5))
    assert "beyond the luck" not in found.reading


def test_the_sd_of_readers_is_the_variance_component():
    found = rs.summarize_readers(study())
    own = found.per_modality
    component = own.ms_reader - own.var + own.cov2
    np.testing.assert_allclose(found.reader_sd, np.sqrt(np.maximum(component, 0)), rtol=1e-12)


def test_patients_with_several_cases_widen_the_interval():
    table = simulated(tests=("film",))
    alone = rs.summarize_readers(study(table))
    doubled = rows(table, np.repeat(np.arange(table["truth"].size), 3))
    lesion = np.tile([0, 1, 2], table["truth"].size)
    doubled |= {"patient": doubled["case"], "case": doubled["case"] * 3 + lesion}
    found = rs.summarize_readers(study(doubled, cluster="patient"))
    naive = rs.summarize_readers(study(doubled))
    assert found.means[0] == pytest.approx(alone.means[0], rel=1e-12)
    assert found.per_modality.cov2[0] == pytest.approx(alone.per_modality.cov2[0], rel=0.05)
    assert naive.per_modality.cov2[0] < 0.5 * found.per_modality.cov2[0]
    assert "60 patients" in found.reading


def test_limits_are_made_on_the_logit_scale_unless_plain_ones_are_asked_for():
    found, plain = (rs.summarize_readers(study(), interval=kind).per_modality for kind in ("logit", "t"))
    for i, mean in enumerate(found.value):
        factor = (plain.high[i] - mean) / (mean * (1 - mean))
        for side, limit in ((-1, found.low[i]), (1, found.high[i])):
            assert np.log(limit / (1 - limit)) == pytest.approx(np.log(mean / (1 - mean)) + side * factor)
    assert {interval.method for interval in found.intervals} == {"logit"}
    assert {interval.method for interval in plain.intervals} == {"t"}
    own = rs.summarize_readers(study(), readers="fixed", modalities="film").per_modality
    assert own.intervals[0].low > 0


def test_one_reader_has_the_logit_interval_of_its_curve():
    table = simulated(n_readers=1, tests=("film",))
    found = rs.summarize_readers(study(table), readers="fixed")
    expected = rs.roc_curve(table["truth"], table["rating"]).auc_interval(method="logit")
    assert found.per_modality.low[0] == pytest.approx(expected.low, rel=1e-9)
    assert found.per_modality.high[0] == pytest.approx(expected.high, rel=1e-9)


def test_a_function_of_a_curve_has_plain_limits():
    found = rs.summarize_readers(study(), measure=lambda curve: 3 * curve.auc, covariance="jackknife")
    expected = rs.summarize_readers(study(), covariance="jackknife", interval="t")
    for own, plain in ((found.per_modality, expected.per_modality), (found.per_reader, expected.per_reader)):
        np.testing.assert_allclose(own.value, 3 * plain.value, rtol=1e-12)
        np.testing.assert_allclose(own.standard_error, 3 * plain.standard_error, rtol=1e-9)
        middle = (own.low + own.high) / 2
        np.testing.assert_allclose(middle, own.value, rtol=1e-12)
        assert (own.low < own.value).all()
    np.testing.assert_allclose(found.per_modality.low, 3 * expected.per_modality.low, rtol=1e-9)
    assert {interval.method for interval in found.per_modality.intervals} == {"t"}


@pytest.mark.parametrize("range_", [{"fpr": (0, 0.1)}, {"tpr": (0.9, 1)}])
def test_limits_of_a_partial_area_stay_below_the_largest(range_):
    found = rs.summarize_readers(study(), measure=rs.PartialAuc(**range_))
    for own in (found.per_modality, found.per_reader):
        inside = (own.value > 0) & (own.standard_error > 0)
        assert inside.any()
        assert (own.low[inside] > 0).all()
        assert (own.low[inside] < own.value[inside]).all()
        assert (own.value[inside] < own.high[inside]).all()
        assert (own.high[inside] < 0.1).all()


@given(st.floats(0.01, 0.99), st.floats(0.001, 0.2), st.floats(0.01, 50))
def test_a_scaled_measure_has_scaled_limits(share, error, largest):
    whole = limits_of_readers(share, error, 7.0, 0.95)
    own = limits_of_readers(largest * share, largest * error, 7.0, 0.95, largest=largest)
    np.testing.assert_allclose(own, [largest * float(limit) for limit in whole], rtol=1e-9)


@pytest.mark.parametrize("kind", ["logit", "t"])
@pytest.mark.parametrize("readers", ["random", "fixed"])
def test_separated_readers_have_the_bound_that_one_has(kind, readers):
    table = simulated(tests=("film",))
    table |= {"rating": table["truth"] * 10 + table["rating"]}
    found = rs.summarize_readers(study(table), readers=readers, interval=kind)
    interval = found.per_modality.intervals[0]
    assert found.means[0] == 1
    assert (interval.low, interval.high) == (pytest.approx(0.05 ** (1 / 30)), 1)
    assert interval.low == pytest.approx(found.per_reader.low[0])
    assert interval.method == "separated"
    assert "Nothing varies in the mean of film" in found.reading
    assert "0.905 to 1.000" in found.reading
    fixed = rs.summarize_readers(study(table), cases="fixed")
    assert np.isnan(fixed.per_modality.low[0])
    assert "so it has no interval" in fixed.reading


def test_fixed_cases_have_no_patients_that_are_random():
    table = simulated(tests=("film",))
    clustered = study(table | {"patient": table["case"] // 2}, cluster="patient")
    assert "patients are treated" in rs.summarize_readers(clustered).random
    fixed = rs.summarize_readers(clustered, cases="fixed")
    assert "patients are" not in fixed.reading
    assert "other patients" not in fixed.random


def test_ratings_that_run_the_other_way_are_pointed_out():
    table = simulated(tests=("film",))
    table |= {"rating": -table["rating"]}
    with pytest.warns(RocsteadyWarning, match="RS219"):
        found = rs.summarize_readers(study(table))
    assert "Ratings may run the other way" in found.reading


# Numbers of other programs


@pytest.mark.skipif(DATA is None, reason="needs ROCSTEADY_DATA")
@pytest.mark.parametrize(
    ("covariance", "errors", "dfs", "lows", "highs"),
    [
        # MRMCaov 0.3.0, summary(mrmc(...)): "each analysis based only on data for the specified treatment"
        (
            "jackknife",
            (0.03317360, 0.02156637),
            (12.74465, 12.71019),
            (0.8252236, 0.8941378),
            (0.9688505, 0.9875369),
        ),
        (
            "delong",
            (0.03307642, 0.02150464),
            (12.59597, 12.56530),
            (0.8253461, 0.8942155),
            (0.9687280, 0.9874592),
        ),
        (
            "unbiased",
            (0.0330712, 0.0214912),
            (12.58802, 12.53391),
            (0.8253526, 0.8942323),
            (0.9687214, 0.9874424),
        ),
    ],
)
def test_van_dyke_by_mrmcaov(covariance, errors, dfs, lows, highs):
    path = Path(str(DATA), "scores", "mrmc_vandyke.csv")
    roles = {"label": "truth", "score": "rating", "group": "reader", "model": "treatment", "case": "case"}
    found = rs.summarize_readers(read_scores(path, **roles), covariance=covariance, interval="t").per_modality
    np.testing.assert_allclose(found.value, [0.89703704, 0.94083736], atol=5e-9)
    np.testing.assert_allclose(found.standard_error, errors, atol=5e-8)
    np.testing.assert_allclose(found.df, dfs, atol=5e-6)
    np.testing.assert_allclose(found.low, lows, atol=6e-8)
    np.testing.assert_allclose(found.high, highs, atol=6e-8)


# The result


def test_the_result_is_plain_data_and_one_line():
    found = rs.summarize_readers(study())
    data = json.loads(json.dumps(found.to_dict()))
    assert data["reading"] == found.reading
    assert data["per_modality"]["value"] == found.means.tolist()
    assert repr(found) == "ReaderSummary(mean AUC, 2 modalities, 5 readers)"
    assert repr(rs.summarize_readers(study(), modalities=["film"])).startswith("ReaderSummary(mean AUC 0.")
    with pytest.raises(TypeError, match="not a tuple"):
        iter(found)
    assert found.to_frame()["modality"].tolist() == ["film", "digital"]
    assert (found.to_frame()["highest"] >= found.to_frame()["lowest"]).all()
    frame = found.per_reader.to_frame()
    assert frame.columns.tolist() == [
        "modality",
        "reader",
        "value",
        "standard_error",
        "low",
        "high",
        "n_cases",
    ]
    assert len(frame) == 10
    assert "The mean AUC of 5 readers with film is" in found.reading
    assert "compare_readers" in found.reading


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: rs.summarize_readers([1, 2]), "RS002"),
        (lambda: rs.summarize_readers(study(), modalities=["mri"]), "RS001"),
        (lambda: rs.summarize_readers(study(), readers="fixed", cases="fixed"), "RS002"),
        (lambda: rs.summarize_readers(study(), readers="some"), "RS001"),
        (lambda: rs.summarize_readers(study(), modalities=[]), "RS027"),
        (lambda: rs.summarize_readers(study(), modalities=1.5), "RS001"),
        (lambda: rs.summarize_readers(study(), modalities=object()), "RS001"),
        (lambda: rs.summarize_readers(study(), interval="basic"), "RS001"),
        (
            lambda: rs.summarize_readers(ScoreSet.from_arrays([1, 0, 1, 0], [1, 2, 3, 4], list("aabb"))),
            "RS027",
        ),
        (lambda: rs.summarize_readers(study(rows(simulated(), simulated()["truth"] == 1))), "RS036"),
    ],
)
def test_what_cannot_be_summarized_is_refused(call, code):
    with pytest.raises(RocsteadyError) as caught:
        call()
    assert caught.value.code == code
