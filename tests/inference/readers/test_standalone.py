"""A standalone system against readers: laws, RJafroc's numbers, and what is refused."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.errors import DataError, RocsteadyError, RocsteadyWarning, UsageError
from rocsteady.scores import ScoreSet

# Few readers and cases are the point of small examples.
pytestmark = pytest.mark.filterwarnings("ignore:RS101", "ignore:RS213", "ignore:RS218", "ignore:RS227")

ROLES = {"label": "truth", "score": "rating", "group": "reader", "case": "case"}


def simulated(seed=7, n_readers=5, n_positives=40, n_negatives=55, ordinal=True):
    """Truth, ratings of readers and scores of a system: correlated through the cases."""
    stream = np.random.default_rng(seed)
    truth = np.repeat([1, 0], [n_positives, n_negatives])
    case = stream.normal(size=truth.size) * 0.8 + 1.3 * truth
    skill = stream.normal(size=n_readers) * 0.25
    readers = case + skill[:, None] * truth + stream.normal(size=(n_readers, truth.size))
    if ordinal:
        readers = np.digitize(readers, [-0.8, 0.1, 0.9, 1.9]) + 1.0
    return truth, readers, 1 / (1 + np.exp(-(case * 1.2 + stream.normal(size=truth.size) * 1.1)))


def table_of(truth, readers, system, name="AI", **more):
    """Long rows; the system is one of the readers."""
    n = truth.size
    names = [f"r{j}" for j in range(len(readers))]
    table = {
        "truth": np.tile(truth, len(readers) + 1),
        "rating": np.concatenate([*readers, system]),
        "reader": np.repeat([*names, name], n),
        "case": np.tile(np.arange(n), len(readers) + 1),
    }
    return table | {key: np.tile(values, len(readers) + 1) for key, values in more.items()}


def as_reader(truth, readers, system, **more):
    roles = {"cluster": "patient"} if "patient" in more else {}
    return ScoreSet.from_frame(table_of(truth, readers, system, **more), **ROLES, **roles)


def as_modality(truth, readers, system, *, repeated=False):
    """The system is a modality with one reader, or with the same scores under every reader."""
    names = [f"r{j}" for j in range(len(readers))]
    owners = names if repeated else ["the machine"]
    n = truth.size
    table = {
        "truth": np.tile(truth, len(names) + len(owners)),
        "rating": np.concatenate([*readers, *[system] * len(owners)]),
        "reader": np.repeat([*names, *owners], n),
        "test": np.repeat(["film"] * len(names) + ["AI"] * len(owners), n),
        "case": np.tile(np.arange(n), len(names) + len(owners)),
    }
    return ScoreSet.from_frame(table, **ROLES, model="test")


def told(found, *left_out):
    """All numbers of the difference; its sentence names the models."""
    own = found.difference.to_dict()
    return {key: value for key, value in own.items() if key not in ("b", "reading", *left_out)}


# Laws


@given(st.integers(0, 2**32 - 1), st.sampled_from(["exp", "cube", "ranks", "huge", "float32"]))
@settings(max_examples=12)
def test_the_scale_of_the_system_does_not_matter(seed, scale):
    truth, readers, system = simulated(seed, 3, 12, 15)
    steps = np.unique(np.round(system, 2), return_inverse=True)
    system = steps[0][steps[1].reshape(-1)]
    others = {
        "exp": np.exp(9 * system) - 40,
        "cube": (system - 0.5) ** 3,
        "ranks": steps[1].reshape(-1).astype(float),
        "huge": system * 1e300,
        "float32": system.astype(np.float32).astype(float),
    }
    a, b = (
        rs.compare_readers(as_reader(truth, readers, own), standalone="AI") for own in (system, others[scale])
    )
    assert told(a) == told(b)
    assert a.per_reader.to_dict() == b.per_reader.to_dict()


@pytest.mark.parametrize("covariance", ["delong", "jackknife", "unbiased"])
def test_however_the_system_is_given_the_answer_is_the_same(covariance):
    truth, readers, system = simulated()
    own = as_reader(truth, readers, system)
    expected = rs.compare_readers(own, standalone="AI", covariance=covariance)
    alone = ScoreSet.from_arrays(truth, system, cases=np.arange(truth.size))
    turned = ScoreSet.from_arrays(truth, -system, cases=np.arange(truth.size), higher_is_positive=False)
    only_readers = as_modality(truth, readers, system).model("film")
    found = [
        rs.compare_readers(as_modality(truth, readers, system), standalone="AI", covariance=covariance),
        rs.compare_readers(
            as_modality(truth, readers, system, repeated=True), standalone="AI", covariance=covariance
        ),
        rs.compare_readers(only_readers, standalone=alone, covariance=covariance),
        rs.compare_readers(only_readers, standalone=alone[0], covariance=covariance),
        rs.compare_readers(only_readers, standalone=turned, covariance=covariance),
    ]
    for one in found:
        assert told(one, "a") == told(expected, "a")
    assert [one.standalone for one in found] == ["AI", "AI", "standalone", "all", "standalone"]


@pytest.mark.parametrize("options", [{}, {"readers": "fixed"}, {"cases": "fixed"}])
@pytest.mark.parametrize("covariance", ["delong", "jackknife", "unbiased"])
def test_it_is_the_comparison_of_two_modalities_where_every_reader_repeats_the_system(options, covariance):
    truth, readers, system = simulated()
    both = as_modality(truth, readers, system, repeated=True)
    expected = rs.compare_readers(both, modalities=["AI", "film"], covariance=covariance, **options)
    found = rs.compare_readers(both, standalone="AI", covariance=covariance, **options).difference
    (own,) = expected.differences
    for name in ("difference", "standard_error", "df", "statistic", "pvalue", "a_value", "b_value"):
        assert getattr(found, name) == pytest.approx(getattr(own, name), rel=1e-9), name
    assert found.statistic**2 == pytest.approx(expected.statistic, rel=1e-9)
    assert found.interval.low == pytest.approx(own.interval.low, rel=1e-9)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=8)
def test_the_order_of_the_rows_does_not_matter(seed):
    truth, readers, system = simulated(3, 4, 12, 14)
    table = table_of(truth, readers, system)
    order = np.random.default_rng(seed).permutation(table["truth"].size)
    shuffled = {name: values[order] for name, values in table.items()}
    a, b = (
        rs.compare_readers(ScoreSet.from_frame(own, **ROLES), standalone="AI") for own in (table, shuffled)
    )
    assert a.difference.difference == pytest.approx(b.difference.difference, rel=1e-12)
    assert a.difference.pvalue == pytest.approx(b.difference.pvalue, rel=1e-9)


@pytest.mark.parametrize("options", [{}, {"readers": "fixed"}, {"cases": "fixed"}])
@pytest.mark.parametrize("measure", ["auc", rs.PartialAuc(fpr=(0, 0.3)), {"specificity": 0.8}])
def test_a_system_that_rates_as_every_reader_does_is_no_different(options, measure):
    truth, readers, _ = simulated()
    found = rs.compare_readers(
        as_reader(truth, [readers[0]] * 5, readers[0]),
        standalone="AI",
        measure=measure,
        n_resamples=100,
        **options,
    )
    assert found.difference.difference == 0
    assert found.difference.pvalue == 1
    assert "have the same" in found.reading


def test_one_fixed_reader_is_delongs_test():
    truth, readers, system = simulated()
    study = as_reader(truth, readers[:1], system)
    found = rs.compare_readers(study, standalone="AI", readers="fixed")
    expected = rs.compare_auc(truth, system, readers[0], reference="normal")
    assert found.difference.pvalue == pytest.approx(float(expected.pvalue), rel=1e-9)
    assert found.difference.difference == pytest.approx(float(expected.difference), rel=1e-12)
    assert found.difference.b == "reader r0"
    assert found.difference.df == np.inf
    with pytest.raises(DataError, match="readers='fixed'") as caught:
        rs.compare_readers(study, standalone="AI")
    assert caught.value.code == "RS027"


def test_each_reader_by_itself_is_delongs_test():
    truth, readers, system = simulated()
    found = rs.compare_readers(as_reader(truth, readers, system), standalone="AI").per_reader
    for j, own in enumerate(readers):
        expected = rs.compare_auc(truth, system, own, reference="normal")
        assert found.pvalue[j] == pytest.approx(float(expected.pvalue), rel=1e-9)
        assert found.low[j] == pytest.approx(float(expected.interval.low), rel=1e-9)
    assert found.reader == tuple(f"r{j}" for j in range(5))


def test_the_system_has_its_own_interval():
    truth, readers, system = simulated()
    found = rs.compare_readers(as_reader(truth, readers, system), standalone="AI").difference
    expected = rs.roc_curve(truth, system).auc_interval(method="logit")
    assert found.a_interval.low == pytest.approx(expected.low, rel=1e-9)
    assert found.a_interval.high == pytest.approx(expected.high, rel=1e-9)
    fixed = rs.compare_readers(as_reader(truth, readers, system), standalone="AI", cases="fixed").difference
    assert np.isnan(fixed.a_interval.low)


def test_a_perfect_system_has_the_bound_for_separated_classes():
    truth, readers, _ = simulated()
    found = rs.compare_readers(
        as_reader(truth, readers, truth * 2.0 + np.arange(truth.size) / 1e3), standalone="AI"
    )
    assert found.difference.a_value == 1
    assert found.difference.a_interval.low == pytest.approx(0.05 ** (1 / 40))
    assert found.difference.a_interval.method == "separated"


def test_separated_readers_have_the_bound_that_one_has():
    truth, readers, system = simulated()
    found = rs.compare_readers(as_reader(truth, readers + 20 * truth, system), standalone="AI")
    own = found.difference.b_interval
    assert (own.low, own.high, own.method) == (pytest.approx(0.05 ** (1 / 40)), 1, "separated")
    assert "Nothing varies in the mean of the average reader" in found.reading
    nothing = rs.compare_readers(as_reader(truth, readers + 20 * truth, np.ones(truth.size)), standalone="AI")
    assert nothing.difference.standard_error == 0
    assert "so their difference cannot be tested" in nothing.reading
    assert np.isnan([nothing.difference.pvalue, nothing.difference.interval.low]).all()
    assert "p <" not in nothing.reading
    assert np.isnan(nothing.per_reader.low).all()
    assert np.isnan(nothing.per_reader.pvalue).all()


def test_a_function_of_a_curve_has_plain_limits():
    truth, readers, system = simulated()
    plain = rs.compare_readers(as_reader(truth, readers, system), standalone="AI", covariance="jackknife")
    options = {"measure": lambda curve: 3 * curve.auc, "covariance": "jackknife"}
    found = rs.compare_readers(as_reader(truth, readers, system), standalone="AI", **options).difference
    assert found.difference == pytest.approx(3 * plain.difference.difference)
    for own in (found.a_interval, found.b_interval):
        assert own.method in ("t", "z")
        assert own.high - own.low > 0.1
    assert (found.a_interval.low + found.a_interval.high) / 2 == pytest.approx(found.a_value)
    assert (found.b_interval.low + found.b_interval.high) / 2 == pytest.approx(found.b_value)
    assert found.a_value > 1


def test_where_less_is_better_it_is_better_than_some():
    truth, readers, _ = simulated()
    perfect = truth * 2.0 + np.arange(truth.size) / 1e3
    options = {"measure": {"tpr": 0.8}, "n_resamples": 200}
    found = rs.compare_readers(as_reader(truth, readers, perfect), standalone="AI", **options)
    assert (found.values > 0).all()
    assert "it is better than 5 of 5 readers" in found.reading
    assert "exceeds" not in found.reading


def test_patients_are_named_where_cases_are_random_only():
    truth, readers, system = simulated()
    study = as_reader(truth, readers, system, patient=np.arange(truth.size) // 2)
    assert "patients are treated" in rs.compare_readers(study, standalone="AI").random
    fixed = rs.compare_readers(study, standalone="AI", cases="fixed")
    assert "patients are" not in fixed.reading


def test_patients_of_the_system_are_those_of_the_readers():
    truth, readers, system = simulated()
    cases = np.arange(truth.size)
    table = table_of(truth, readers, system, patient=cases // 2)
    table = {name: values[: truth.size * len(readers)] for name, values in table.items()}
    study = ScoreSet.from_frame(table, **ROLES, cluster="patient")
    expected = rs.compare_readers(study, standalone=ScoreSet.from_arrays(truth, system, cases=cases))
    renamed = ScoreSet.from_arrays(truth, system, cases=cases, clusters=1000 - cases // 2)
    assert told(rs.compare_readers(study, standalone=renamed)) == told(expected)
    for other in (cases // 3, (cases + 1) // 2, np.zeros(truth.size)):
        with pytest.raises(DataError, match="in other patients") as caught:
            rs.compare_readers(
                study, standalone=ScoreSet.from_arrays(truth, system, cases=cases, clusters=other)
            )
        assert caught.value.code == "RS050"


def test_scores_of_several_folds_are_pointed_out():
    truth, readers, system = simulated()
    study = as_modality(truth, readers, system).model("film")
    cases = np.arange(truth.size)
    folds = ScoreSet.from_arrays(truth, system, groups=cases % 5, cases=cases)
    assert "come from 5 groups with different cases" in rs.compare_readers(study, standalone=folds).reading
    whole = ScoreSet.from_arrays(truth, system, cases=cases)
    assert "different cases" not in rs.compare_readers(study, standalone=whole).reading


def test_cases_that_nobody_read_do_not_count():
    truth, readers, system = simulated()
    alone = ScoreSet.from_arrays(
        np.append(truth, [0, 1, 1]), np.append(system, [9, -9, -9]), cases=np.arange(truth.size + 3)
    )
    own = as_modality(truth, readers, system)
    expected = rs.compare_readers(own, standalone="AI")
    found = rs.compare_readers(own.model("film"), standalone=alone)
    assert told(found, "a") == told(expected, "a")
    assert found.n_cases == truth.size


def test_cases_without_a_score_are_named_or_left_out_for_everybody():
    truth, readers, system = simulated()
    study = as_modality(truth, readers, system).model("film")
    kept = np.arange(truth.size) % 10 > 0
    alone = ScoreSet.from_arrays(truth[kept], system[kept], cases=np.arange(truth.size)[kept])
    with pytest.raises(DataError, match="10 of 95 cases have no score of standalone") as caught:
        rs.compare_readers(study, standalone=alone)
    assert caught.value.code == "RS040"
    assert "missing='drop'" in str(caught.value)
    with pytest.warns(RocsteadyWarning, match="RS226"):
        found = rs.compare_readers(study, standalone=alone, missing="drop")
    expected = rs.compare_readers(as_reader(truth[kept], readers[:, kept], system[kept]), standalone="AI")
    assert told(found, "a") == told(expected, "a")
    assert found.n_cases == 85
    assert "10 cases without a score of standalone left out" in found.reading


def test_readers_with_cases_of_their_own_have_the_system_in_common():
    truth, readers, system = simulated()
    study = as_modality(truth, readers, system)
    table = study.to_frame()
    own = [
        model == "AI" or case % 5 == int(who[1:])
        for model, who, case in table[["model", "reader", "case"]].values
    ]
    nested = ScoreSet.from_frame(
        table[own], label="is_positive", score="score", group="reader", model="model", case="case"
    )
    found = rs.compare_readers(nested, standalone="AI")
    mean = np.mean([rs.auc(truth[j::5], readers[j, j::5]) for j in range(5)])
    assert found.means[0] == pytest.approx(mean)
    assert found.standalone_values[0] == pytest.approx(rs.auc(truth, system))
    # Readers share no cases, but all of them share the system's.
    assert found.cov2[0] > 0
    # What the system scored is not what a reader read.
    assert found.design == "cases nested in readers"
    assert found.notes == ()


def test_patients_are_what_is_random():
    truth, readers, system = simulated()
    alone = rs.compare_readers(as_reader(truth, readers, system), standalone="AI")
    by_itself = rs.compare_readers(
        as_reader(truth, readers, system, patient=np.arange(truth.size)), standalone="AI"
    )
    assert told(by_itself) == told(alone)
    lesions = np.repeat(np.arange(truth.size), 3)
    doubled = as_reader(truth[lesions], readers[:, lesions], system[lesions], patient=lesions)
    found = rs.compare_readers(doubled, standalone="AI").difference
    # Every lesion of a patient is the same: patients are all there is to know.
    assert found.difference == pytest.approx(alone.difference.difference, rel=1e-12)
    assert found.standard_error == pytest.approx(alone.difference.standard_error, rel=0.02)
    naive = rs.compare_readers(
        as_reader(truth[lesions], readers[:, lesions], system[lesions]), standalone="AI"
    )
    assert naive.difference.standard_error < 0.8 * found.standard_error


def test_a_margin_is_held_against_the_difference():
    truth, readers, system = simulated()
    found = rs.compare_readers(as_reader(truth, readers, system), standalone="AI")
    own, test = found.difference, found.non_inferior(0.15)
    assert test.statistic == pytest.approx((own.difference + 0.15) / own.standard_error)
    assert (test.new, test.reference) == ("AI", "the average reader")
    assert test.interval.low == pytest.approx(own.interval.low)
    assert test.is_shown == (own.interval.low > -0.15)
    assert found.equivalent(0.15).is_shown == (max(-own.interval.low, own.interval.high) < 0.15)


# RJafroc


RJAFROC = {
    # simulated() and simulated(8, 4, 30, 30, ordinal=False) as matrices of truth, system and readers, through
    # RJafroc's R/StSignificanceTestingCadVsRad.R (commit 10e875ed) in R 4: SingleModalityRRRC and
    # SingleModalityRRFC with FOM = "Wilcoxon", alpha = 0.05; its UtilPseudoValues replaced by leaving out one
    # row after the other. RJafroc takes readers less CAD, so signs are changed here.
    (7, 5, 40, 55, True): {
        "difference": -0.0169545454545,
        "interval": (-0.1317703657730, 0.0978612748639),
        "ms_reader": 0.00363464876033,
        "var": 0.00452712384066,
        "cov2": 0.00260674419488,
        "t": -0.293646338857,
        "df": 84.1242770376,
        "p": 0.769751400763,
        "fixed cases": (-0.628839666768, 4, 0.563577756318, -0.0918120444735, 0.0579029535644),
    },
    (8, 4, 30, 30, False): {
        "difference": -0.0775,
        "interval": (-0.2076193237571, 0.0526193237571),
        "ms_reader": 0.00507932098765,
        "var": 0.00483475470119,
        "cov2": 0.00279825824636,
        "t": -1.21508457222,
        "df": 30.7900718722,
        "p": 0.233569673748,
        "fixed cases": (-2.17484779553, 3, 0.117917862275, -0.1909054480349, 0.0359054480349),
    },
}


@pytest.mark.parametrize("arguments", sorted(RJAFROC))
def test_rjafroc_finds_the_same(arguments):
    expected = RJAFROC[arguments]
    study = as_reader(*simulated(*arguments))
    found = rs.compare_readers(study, standalone="AI", covariance="jackknife")
    own = found.difference
    assert own.difference == pytest.approx(expected["difference"], rel=1e-10)
    assert (own.interval.low, own.interval.high) == pytest.approx(expected["interval"], rel=1e-9)
    assert (own.statistic, own.df, own.pvalue) == pytest.approx(
        (expected["t"], expected["df"], expected["p"]), rel=1e-9
    )
    for name in ("ms_reader", "var", "cov2"):
        assert getattr(found, name)[0] == pytest.approx(expected[name], rel=1e-9)
    fixed = rs.compare_readers(study, standalone="AI", cases="fixed").difference
    numbers = (fixed.statistic, fixed.df, fixed.pvalue, fixed.interval.low, fixed.interval.high)
    assert numbers == pytest.approx(expected["fixed cases"], rel=1e-9)


# At thresholds


def test_a_threshold_of_the_readers_needs_one_of_the_system():
    truth, readers, system = simulated()
    study = as_reader(truth, readers, system)
    found = rs.compare_readers(
        study, standalone="AI", measure={"threshold": 3, "rate": "sensitivity"}, standalone_threshold=0.6
    )
    assert found.standalone_values[0] == pytest.approx((system[truth == 1] >= 0.6).mean())
    np.testing.assert_allclose(found.values[0], (readers[:, truth == 1] >= 3).mean(axis=1))
    assert found.measure == "sensitivity at threshold 3 (AI: 0.6)"
    paired = (system >= 0.6).astype(float) - (readers[0] >= 3)
    error = paired[truth == 1].std(ddof=1) / np.sqrt(40)  # as McNemar's: the jackknife of a mean
    assert found.per_reader.standard_error[0] == pytest.approx(error, rel=0.03)
    for measure, options, remedy in (
        ({"threshold": 3, "rate": "sensitivity"}, {}, "standalone_threshold=0.5"),
        ("auc", {"standalone_threshold": 0.5}, "leave it out"),
    ):
        with pytest.raises(UsageError, match="RS040") as caught:
            rs.compare_readers(study, standalone="AI", measure=measure, **options)
        assert remedy in str(caught.value)
    with pytest.raises(UsageError, match="RS042"):
        rs.compare_readers(
            study,
            standalone="AI",
            measure={"threshold": 3, "rate": "sensitivity"},
            standalone_threshold=float("nan"),
        )


def test_scores_that_run_the_other_way_are_pointed_out():
    truth, readers, system = simulated()
    with pytest.warns(RocsteadyWarning, match="RS219: the scores of AI"):
        found = rs.compare_readers(as_reader(truth, readers, -system), standalone="AI")
    assert "The scores of AI may run the other way" in found.reading
    with pytest.warns(RocsteadyWarning, match="RS219: the ratings"):
        found = rs.compare_readers(as_reader(truth, -readers, system), standalone="AI")
    assert "Ratings may run the other way" in found.reading
    assert "scores of AI may" not in found.reading


def test_the_system_may_be_given_a_name():
    truth, readers, system = simulated()
    study = as_modality(truth, readers, system).model("film")
    alone = ScoreSet.from_arrays(truth, system, cases=np.arange(truth.size))
    found = rs.compare_readers(study, standalone=alone, standalone_name="CAD 2")
    assert (found.standalone, found.difference.a) == ("CAD 2", "CAD 2")
    assert "CAD 2 has" in found.reading
    assert "standalone" not in found.reading
    assert told(found, "a") == told(rs.compare_readers(study, standalone=alone), "a")
    for name in ("r1", "", 3):
        with pytest.raises(UsageError, match="RS040"):
            rs.compare_readers(study, standalone=alone, standalone_name=name)


def test_no_modality_is_none():
    study = as_modality(*simulated())
    for own in ("AI", "the machine"):
        with pytest.raises(RocsteadyError, match="no modality is named") as caught:
            rs.compare_readers(study, standalone=own, modalities=[])
        assert caught.value.code == "RS027"


def test_a_score_at_the_threshold_is_positive():
    truth, readers, system = simulated()
    own = np.round(system, 1)
    found = rs.compare_readers(
        as_reader(truth, readers, own),
        standalone="AI",
        measure={"threshold": 3, "rate": "sensitivity"},
        standalone_threshold=0.7,
    )
    assert (own == 0.7).any()
    assert found.standalone_values[0] == pytest.approx((own[truth == 1] >= 0.7).mean())


def test_low_scores_have_low_thresholds():
    truth, readers, system = simulated()
    high, low = as_reader(truth, readers, system), table_of(truth, -readers, -system)
    turned = ScoreSet.from_frame(low, **ROLES, higher_is_positive=False)
    a = rs.compare_readers(
        high, standalone="AI", measure={"threshold": 3, "rate": "specificity"}, standalone_threshold=0.6
    )
    b = rs.compare_readers(
        turned, standalone="AI", measure={"threshold": -3, "rate": "specificity"}, standalone_threshold=-0.6
    )
    assert told(a, "quantity") == told(b, "quantity")


# Several modalities


def test_each_modality_is_compared_and_pvalues_are_adjusted():
    truth, readers, system = simulated()
    _, more, _ = simulated(11)
    names = [f"r{j}" for j in range(5)]
    n = truth.size
    table = {
        "truth": np.tile(truth, 11),
        "rating": np.concatenate([*readers, *more, system]),
        "reader": np.repeat([*names, *names, "AI"], n),
        "test": np.repeat(["film"] * 5 + ["digital"] * 5 + ["AI"], n),
        "case": np.tile(np.arange(n), 11),
    }
    study = ScoreSet.from_frame(table, **ROLES, model="test")
    found = rs.compare_readers(study, standalone="AI")
    assert found.modalities == ("film", "digital")
    alone = [
        rs.compare_readers(study, standalone="AI", modalities=[name]).difference for name in found.modalities
    ]
    pvalues = [one.pvalue for one in alone]
    assert [one.pvalue for one in found.differences] == pvalues
    assert max(one.adjusted_pvalue for one in found.differences) == max(*pvalues, min(1, 2 * min(pvalues)))
    assert found.non_inferior(0.2, modality="digital").reference == "the average reader with digital"
    frame = found.to_frame()
    assert frame["modality"].tolist() == ["film", "digital"]
    assert frame["low"].tolist() == [one.interval.low for one in found.differences]
    for call in (lambda: found.difference, lambda: found.non_inferior(0.1, modality="mri")):
        with pytest.raises(UsageError, match="RS040"):
            call()


def test_a_modality_with_cases_of_its_own_is_compared_on_these():
    truth, readers, system = simulated()
    half = np.arange(truth.size) % 2 == 0
    frame = as_modality(truth, readers, system).to_frame()
    film = frame[(frame["model"] == "film") & (frame["case"] % 2 == 0)]
    digital = frame[(frame["model"] == "film") & (frame["case"] % 2 == 1)].assign(model="digital")
    rows = {"label": "is_positive", "score": "score", "group": "reader", "model": "model", "case": "case"}
    table = {
        name: np.concatenate([part[name] for part in (film, digital, frame[frame["model"] == "AI"])])
        for name in ("is_positive", "score", "reader", "model", "case")
    }
    found = rs.compare_readers(ScoreSet.from_frame(table, **rows), standalone="AI")
    own = [rs.auc(truth[half], system[half]), rs.auc(truth[~half], system[~half])]
    np.testing.assert_allclose(found.standalone_values, own, rtol=1e-12)
    alone = rs.compare_readers(as_reader(truth[half], readers[:, half], system[half]), standalone="AI")
    assert found.differences[0].pvalue == pytest.approx(alone.difference.pvalue, rel=1e-9)
    assert "on the cases of digital" in found.reading


def test_fixed_cases_say_nothing_of_a_single_reader():
    found = rs.compare_readers(as_reader(*simulated()), standalone="AI", cases="fixed").per_reader
    assert np.isnan(found.standard_error).all()
    assert np.isnan(found.pvalue).all()
    assert not np.isnan(found.difference).any()


def test_the_result_is_plain_data_and_one_line():
    found = rs.compare_readers(as_reader(*simulated()), standalone="AI")
    data = json.loads(json.dumps(found.to_dict()))
    assert data["difference"] is not None if "difference" in data else data["differences"][0]["a"] == "AI"
    assert data["reading"] == found.reading
    assert "ratings" not in data
    assert repr(found) == "StandaloneComparison(AUC, AI 0.6682, readers 0.6851, p 0.769)"
    assert "\n" not in repr(found.per_reader)
    with pytest.raises(TypeError, match="not a tuple"):
        iter(found)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.standalone = "other"
    assert len(found.per_reader.to_frame()) == 5
    assert found.reading.endswith("Readers and cases are treated as random samples.")


# What is refused


def refused(call, code="RS040"):
    with pytest.raises(RocsteadyError) as caught:
        call()
    assert caught.value.code == code
    return str(caught.value)


def test_an_unknown_system_is_said_with_what_there_is():
    study = as_reader(*simulated())
    said = refused(lambda: rs.compare_readers(study, standalone="IA"))
    assert "did you mean  'AI' ?" in said
    assert "r0, r1" in said
    only = as_modality(*simulated()).model("AI")
    assert "nobody to compare" in refused(lambda: rs.compare_readers(only, standalone="AI"))
    both = as_modality(*simulated())
    assert "with itself" in refused(lambda: rs.compare_readers(both, standalone="AI", modalities=["AI"]))


def test_a_system_with_two_scores_for_a_case_is_refused():
    truth, readers, system = simulated()
    study = as_modality(truth, readers, system, repeated=True)
    columns = study.columns
    scores = columns.scores.copy()
    row = int(np.flatnonzero(study.model_index == study.models.index("AI"))[1])
    scores[columns.offsets[row] + 4] += 1
    torn = dataclasses.replace(study, columns=dataclasses.replace(columns, scores=scores))
    said = refused(lambda: rs.compare_readers(torn, standalone="AI"))
    assert 'two scores for the case "4"' in said
    assert "compare_readers" in said


def test_another_truth_of_a_case_is_refused():
    truth, readers, system = simulated()
    other = truth.copy()
    other[[3, 50]] = 1 - other[[3, 50]]
    alone = ScoreSet.from_arrays(other, system, cases=np.arange(truth.size))
    study = as_modality(truth, readers, system).model("film")
    said = refused(lambda: rs.compare_readers(study, standalone=alone))
    assert 'the case "3" has another truth' in said
    assert "1 other case as well" in said


def test_scores_without_cases_weights_and_several_models_are_refused():
    truth, readers, system = simulated()
    study = as_modality(truth, readers, system).model("film")
    assert "case=" in refused(lambda: rs.compare_readers(study, standalone=rs.Scores(truth, system)))
    two = ScoreSet.from_arrays(truth, {"a": system, "b": system})
    assert "one standalone system" in refused(lambda: rs.compare_readers(study, standalone=two))
    weighted = ScoreSet.from_arrays(truth, system, cases=np.arange(95), sample_weight=np.full(95, 2.0))
    refused(lambda: rs.compare_readers(study, standalone=weighted), "RS038")
    refused(lambda: rs.compare_readers(study, standalone="AI", readers="fixed", cases="fixed"), "RS002")


def test_what_is_no_name_and_no_set_is_refused():
    truth, readers, system = simulated()
    study = as_reader(truth, readers, system)
    for given_as in (1j, ["AI"], system, {"AI": system}):
        assert "standalone='AI'" in refused(lambda g=given_as: rs.compare_readers(study, standalone=g))


def test_cases_under_other_names_are_shown():
    truth, readers, system = simulated()
    alone = ScoreSet.from_arrays(truth, system, cases=[f"c{i}" for i in range(truth.size)])
    study = as_modality(truth, readers, system).model("film")
    for missing in ("raise", "drop"):
        said = refused(lambda m=missing: rs.compare_readers(study, standalone=alone, missing=m))
        assert "read: 0, 1 and 2 ...; that were scored: c0, c1 and c2 ..." in said


def test_a_system_that_lacks_a_class_is_refused():
    truth, readers, system = simulated()
    table = table_of(truth, readers, system)
    kept = (table["reader"] != "AI") | (table["truth"] == 0)
    study = ScoreSet.from_frame({name: values[kept] for name, values in table.items()}, **ROLES)
    assert '"AI" has no score of positives' in refused(lambda: rs.compare_readers(study, standalone="AI"))


def test_decisions_are_pointed_out():
    truth, readers, system = simulated()
    with pytest.warns(RocsteadyWarning, match="the same score for every case"):
        rs.compare_readers(as_reader(truth, readers, np.zeros(truth.size)), standalone="AI")
    with pytest.warns(RocsteadyWarning, match="RS227"):
        rs.compare_readers(as_reader(truth, readers, (system > 0.6).astype(float)), standalone="AI")
