"""compare_readers against the programs the field uses: every number of two studies.

VanDyke (2 modalities, 5 readers, 45 + 69 cases) and Franken (2, 4, 67 + 33). The numbers are those of Iowa's
OR-DBM MRMC 2.51, MRMCaov 0.3.0 and RJafroc, kept in golden/mrmc.json, which says how each was made.
"""

from __future__ import annotations

import csv
import json
import re

import numpy as np
import pytest

from conftest import skip_unless_required
from rocsteady.readers.compare import compare_readers
from rocsteady.scores.score_set import ScoreSet

STUDIES = ("VanDyke", "Franken")
COVARIANCES = {"jackknife": "jackknife", "DeLong": "delong", "unbiased": "unbiased"}
EXACT = 1e-9
"""Relative, for numbers kept with all their digits; what remains is the order of sums."""


@pytest.fixture(scope="module")
def golden(data_folder):
    path = data_folder / "golden" / "mrmc.json"
    if not path.exists():
        skip_unless_required(f"{path.name} is not there")
    return json.loads(path.read_text())


@pytest.fixture(scope="module")
def studies(data_folder):
    return {name: _read(data_folder / "scores" / f"mrmc_{name.lower()}.csv") for name in STUDIES}


def _read(path):
    with path.open() as lines:
        rows = list(csv.DictReader(lines))
    table = {name: [row[name] for row in rows] for name in ("reader", "treatment", "case")}
    table |= {name: [float(row[name]) for row in rows] for name in ("truth", "rating")}
    return ScoreSet.from_frame(
        table, label="truth", score="rating", group="reader", model="treatment", case="case"
    )


def printed(number: float | str) -> float:
    """Half a unit of the last digit of a number as it was printed."""
    mantissa, _, exponent = f"{number}".lower().partition("e")
    places = len(mantissa.partition(".")[2])
    return 0.500001 * 10.0 ** (int(exponent or 0) - places)


def close(found, wanted):
    """To half a unit of the last printed digit; JSON may have dropped a zero, which only makes it coarser."""
    assert found == pytest.approx(float(wanted), rel=0, abs=printed(wanted)), (found, wanted)


# Iowa


def test_iowa(golden, studies):
    iowa = golden["VanDyke"]["iowa_OR_DBM_2.51"]
    found = compare_readers(studies["VanDyke"], covariance="jackknife")
    for reader, row in enumerate(iowa["auc_reader_by_treatment"]):
        for modality, value in enumerate(row):
            close(found.values[modality, reader], value)
    for mean, value in zip(found.means, iowa["treatment_means"], strict=True):
        close(mean, value)
    of, parts, anova = found.components, iowa["OR_components"], iowa["anova"]
    close(of.ms_modality, anova["T"]["MS"])
    close(of.ms_reader, anova["R"]["MS"])
    close(of.ms_modality_reader, anova["T*R"]["MS"])
    names = {"Var(R)": "reader", "Var(T*R)": "modality_reader", "COV1": "cov1", "COV2": "cov2"}
    names |= {"COV3": "cov3", "Var(Error)": "var"}
    for theirs, ours in names.items():
        close(getattr(of, ours), parts[theirs])
    both = iowa["RRRC"]
    close(found.statistic, both["F"])
    close(found.pvalue, both["p"])
    close(found.df[1], both["ddf_H"])
    close(found.error_term, both["error_term"])
    (own,), (theirs,) = found.differences, both["differences"]
    pairs = [(own.difference, "diff"), (own.standard_error, "se"), (own.df, "df"), (own.statistic, "t")]
    for value, name in [*pairs, (own.pvalue, "p")]:
        close(value, theirs[name])
    close(own.interval.low, theirs["ci95"][0])
    close(own.interval.high, theirs["ci95"][1])
    fixed = compare_readers(studies["VanDyke"], covariance="jackknife", readers="fixed")
    close(fixed.statistic, iowa["FRRC"]["X2"])
    close(fixed.pvalue, iowa["FRRC"]["p"])
    assert fixed.df == iowa["FRRC"]["df"]
    on_these = compare_readers(studies["VanDyke"], cases="fixed")
    close(on_these.statistic, iowa["RRFC"]["F"])
    close(on_these.pvalue, iowa["RRFC"]["p"])
    assert on_these.df == (1, 4)


# MRMCaov


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_mrmcaov(golden, studies, study, covariance):
    theirs = golden[study]["MRMCaov"][covariance]
    found = compare_readers(studies[study], covariance=COVARIANCES[covariance])
    of, text = found.components, theirs["text"]
    names = {"reader": "reader", "treatment:reader": "modality_reader", "Error": "var"}
    names |= {"Cov1": "cov1", "Cov2": "cov2", "Cov3": "cov3"}
    for their_name, own_name in names.items():
        (value,) = re.findall(rf"^{re.escape(their_name)} +(\S+) ", text, re.MULTILINE)
        close(getattr(of, own_name), value)
        assert theirs[their_name] == float(value)
    test = theirs["global_test"]
    numbers = [found.components.ms_modality, of.ms_modality_reader, of.cov2, of.cov3, found.error_term]
    numbers += [found.statistic, *found.df, found.pvalue]
    for number, value in zip(numbers, test.values(), strict=True):
        assert number == pytest.approx(value, rel=5e-7)
    _mrmcaov_difference(found, text)
    _mrmcaov_modalities(found, text)


def _mrmcaov_difference(found, text):
    block = text.partition("pairwise differences:")[2].partition("95% treatment")[0]
    # A line of the table may wrap; each part starts with the number of the row.
    parts = re.findall(r"^1 +(.*)$", block, re.MULTILINE)
    values = " ".join(parts).removeprefix("1 - 2 ").split()
    (own,) = found.differences
    ours = [own.difference, own.standard_error, own.df, own.interval.low, own.interval.high]
    for number, value in zip([*ours, own.statistic, own.pvalue], values, strict=True):
        close(number, value)


def _mrmcaov_modalities(found, text):
    rows = re.findall(r"^[12] +(0\.8\d+|0\.9\d+)((?: +\S+){6})$", text, re.MULTILINE)
    assert len(rows) == 2
    per = found.per_modality
    for i, (estimate, others) in enumerate(rows):
        ours = [per.value, per.ms_reader, per.cov2, per.standard_error, per.df, per.low, per.high]
        for number, value in zip(ours, [estimate, *others.split()], strict=True):
            close(float(number[i]), value)


# RJafroc, with all digits


def _compare(studies, study, kind):
    options = {"RRRC": {}, "FRRC": {"readers": "fixed"}, "RRFC": {"cases": "fixed"}}[kind]
    return compare_readers(studies[study], covariance="jackknife", **options)


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("kind", ["RRRC", "FRRC", "RRFC"])
def test_rjafroc_tests(golden, studies, study, kind):
    theirs, found = golden[study]["RJafroc"]["OR"][kind], _compare(studies, study, kind)
    test = theirs["FTests"]
    statistic = next(test[name][0] for name in ("FStat", "Chisq", "F") if name in test)
    # RJafroc's F of fixed cases is rounded in VanDyke's file: 8.704.
    assert found.statistic == pytest.approx(statistic, rel=EXACT)
    assert found.pvalue == pytest.approx(test["p"][0], rel=EXACT)
    assert found.components.ms_modality == pytest.approx(test["MS"][0], rel=EXACT)
    assert found.error_term == pytest.approx(test["MS"][1], rel=EXACT)
    df = found.df if isinstance(found.df, tuple) else (found.df, None)
    assert df[0] == test["DF"][0]
    assert df[1] is None or df[1] == pytest.approx(test["DF"][1], rel=EXACT)


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("kind", ["RRRC", "FRRC", "RRFC"])
def test_rjafroc_difference(golden, studies, study, kind):
    theirs, found = golden[study]["RJafroc"]["OR"][kind]["ciDiffTrt"], _compare(studies, study, kind)
    (own,) = found.differences
    wanted = {"Estimate": own.difference, "StdErr": own.standard_error, "CILower": own.interval.low}
    wanted |= {"CIUpper": own.interval.high, "t": own.statistic, "z": own.statistic, "DF": own.df}
    wanted |= {"PrGTt": own.pvalue, "PrGTz": own.pvalue}
    read = [name for name in wanted if name in theirs]
    assert len(read) >= 6
    for name in read:
        assert wanted[name] == pytest.approx(theirs[name][0], rel=EXACT), name
    assert ("DF" in theirs) == np.isfinite(own.df)
    assert (found.difference, found.standard_error) == (own.difference, own.standard_error)


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("kind", ["RRRC", "FRRC", "RRFC"])
def test_rjafroc_modalities(golden, studies, study, kind):
    """Fixed readers: they print 113 or 99 degrees of freedom there, and use the normal distribution."""
    theirs, found = golden[study]["RJafroc"]["OR"][kind]["ciAvgRdrEachTrt"], _compare(studies, study, kind)
    per = found.per_modality
    names = {"Estimate": "value", "StdErr": "standard_error", "CILower": "low", "CIUpper": "high"}
    names |= {"DF": "df"} if kind != "FRRC" else {}
    for name, own in names.items():
        assert getattr(per, own) == pytest.approx(theirs[name], rel=EXACT), name
    if kind == "FRRC":
        assert np.isinf(per.df).all()


@pytest.mark.parametrize("study", STUDIES)
def test_rjafroc_readers(golden, studies, study):
    theirs = golden[study]["RJafroc"]["OR"]["FRRC"]
    found = _compare(studies, study, "RRRC")  # per reader it makes no difference what else is random
    per, each = found.per_reader, theirs["ciDiffTrtEachRdr"]
    names = {"Estimate": "difference", "StdErr": "standard_error", "CILower": "low", "CIUpper": "high"}
    names |= {"z": "statistic", "PrGTz": "pvalue"}
    for name, own in names.items():
        assert getattr(per, own) == pytest.approx(each[name], rel=EXACT), name
    own = found.covariances
    of_reader = np.array([own[:, j, :, j] for j in range(len(found.readers))])
    var = np.trace(of_reader, axis1=1, axis2=2) / 2
    assert var == pytest.approx(theirs["IndividualRdrVarCov1"]["varEachRdr"], rel=EXACT)
    assert of_reader[:, 0, 1] == pytest.approx(
        theirs["IndividualRdrVarCov1"]["cov1EachRdr"], rel=EXACT, abs=1e-15
    )


@pytest.mark.parametrize("study", STUDIES)
def test_rjafroc_anova(golden, studies, study):
    theirs, found = golden[study]["RJafroc"]["OR"], _compare(studies, study, "RRRC")
    assert found.values == pytest.approx(np.array(theirs["FOMs"]["foms"]), rel=EXACT)
    of = found.components
    ours = [of.ms_modality, of.ms_reader, of.ms_modality_reader]
    assert ours == pytest.approx(theirs["ANOVA"]["TRanova"]["MS"], rel=EXACT)
    # Where Cov2 < Cov3 (Franken), RJafroc's two variance components count their difference as 0, MRMCaov's
    # do not: ours are MRMCaov's. No test and no interval uses them.
    cut = max(of.cov3 - of.cov2, 0.0)
    assert (cut > 0) == (study == "Franken")
    ours = [of.reader - cut / 2, of.modality_reader + cut, of.cov1, of.cov2, of.cov3, of.var]
    assert ours == pytest.approx(theirs["ANOVA"]["VarCom"]["Estimates"], rel=EXACT)
    each = theirs["ANOVA"]["IndividualTrt"]
    assert of.ms_reader_each == pytest.approx(each["msREachTrt"], rel=EXACT)
    assert of.var_each == pytest.approx(each["varEachTrt"], rel=EXACT)
    assert of.cov2_each == pytest.approx(each["cov2EachTrt"], rel=EXACT)


@pytest.mark.parametrize("study", STUDIES)
def test_dorfman_berbaum_and_metz_find_the_same_in_pseudovalues(study, studies, golden):
    """RJafroc's other analysis: an ANOVA of jackknife pseudovalues (Hillis et al. 2005)."""
    dbm = golden[study]["RJafroc"]["DBM"]
    random, cases_fixed = (
        compare_readers(studies[study], covariance="jackknife", cases=cases) for cases in ("random", "fixed")
    )
    for found, block in ((random, dbm["RRRC"]), (cases_fixed, dbm["RRFC"])):
        test, pair, each = block["FTests"], block["ciDiffTrt"], block["ciAvgRdrEachTrt"]
        assert found.statistic == pytest.approx(test["FStat"][0], rel=EXACT)
        assert found.df == pytest.approx(test["DF"], rel=EXACT)
        assert found.pvalue == pytest.approx(test["p"][0], rel=EXACT)
        limits = (found.standard_error, found.interval.low, found.interval.high)
        assert limits == pytest.approx(
            tuple(pair[name][0] for name in ("StdErr", "CILower", "CIUpper")), rel=EXACT
        )
        assert found.per_modality.standard_error == pytest.approx(each["StdErr"], rel=EXACT)
        assert found.per_modality.df == pytest.approx(each["DF"], rel=EXACT)


def test_the_jackknife_of_a_sensitivity_leaves_out_positives_only(studies):
    """Error variance as published for VanDyke, ratings from 3 up called positive: 45 positives, not 114 cases."""
    of = compare_readers(studies["VanDyke"], measure={"threshold": 3, "rate": "sensitivity"}).components
    assert round(of.var, 7) == 0.0023681
    is_called, is_positive = (studies["VanDyke"].columns.scores >= 3), studies["VanDyke"].columns.labels == 1
    sizes = np.diff(studies["VanDyke"].columns.offsets)
    cell = np.repeat(np.arange(sizes.size), sizes)
    for measure, of_class in (
        ({"threshold": 3, "rate": "sensitivity"}, is_positive),
        ({"threshold": 3, "rate": "specificity"}, ~is_positive),
    ):
        own = [is_called[of_class & (cell == i)] for i in range(sizes.size)]
        expected = np.mean([calls.var(ddof=1) / calls.size for calls in own])
        found = compare_readers(studies["VanDyke"], measure=measure, covariance="jackknife").components.var
        assert found == pytest.approx(expected, rel=1e-12)
