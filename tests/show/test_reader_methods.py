"""What a paper says of a reader study: the methods of the analysis that was made, and its result."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.readers.study import NO_NAME
from rocsteady.show.sentences.reader_methods import (
    margin_methods,
    of_standalone,
    results_of,
    standalone_results,
)
from rocsteady.show.sentences.readers import of_answer, of_pairs, statistic_words

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


def study(
    modalities: tuple[str, ...] = ("film", "digital"),
    *,
    gain: float = 0.0,
    n_readers: int = 5,
    unit: str = "reader",
    nested: bool = False,
    uneven: bool = False,
    patients: bool = False,
    system: bool = False,
    n_missing: int = 0,
) -> rs.ScoreSet:
    """Ratings of 60 cases that are sick or well; each further modality sees them better by ``gain``."""
    rng, n = np.random.default_rng(11), 60
    sick = np.arange(n) % 3 == 0
    base = rng.normal(size=n) + sick
    rows: dict[str, list[object]] = {name: [] for name in (unit, "modality", "case", "truth", "rating")}

    def add(reader: str, modality: str, ratings: np.ndarray) -> None:
        rows[unit] += [reader] * n
        rows["modality"] += [modality] * n
        rows["case"] += range(n)
        rows["truth"] += np.where(sick, "sick", "well").tolist()
        rows["rating"] += ratings.round(2).tolist()

    for m, modality in enumerate(modalities):
        for reader in range(n_readers - (uneven and m == 0)):
            name = f"{modality}-{reader}" if nested else f"{reader + 1}"
            add(name, modality, base + gain * m * sick + rng.normal(scale=0.7, size=n))
    if system:
        add("AI", "AI", base + rng.normal(size=n))
    if patients:
        rows["patient"] = [int(case) // 3 for case in rows["case"]]
    rows = {name: values[n_missing:] for name, values in rows.items()}  # ratings of the first reader
    columns = {"label": "truth", "score": "rating", "group": unit, "model": "modality", "case": "case"}
    return rs.ScoreSet.from_frame(
        rows, positive="sick", **columns, **({"cluster": "patient"} if patients else {})
    )


@pytest.mark.parametrize(
    ("are", "said"),
    [
        (
            ("random", "random"),
            ("readers and cases treated as random", "Hillis (2007)", "DeLong et al. (1988)"),
        ),
        (
            ("fixed", "random"),
            ("cases treated as random and readers as fixed", "chi-square", "DeLong et al. (1988)"),
        ),
        (
            ("random", "fixed"),
            ("readers treated as random and cases as fixed", "interaction of modalities and readers"),
        ),
    ],
)
def test_the_methods_say_who_is_random_and_by_which_test(are, said):
    text = rs.compare_readers(study(), readers=are[0], cases=are[1]).methods
    assert all(word in text for word in said), text
    assert "5 readers, 60 cases (20 sick, 40 well), 2 modalities (film and digital)" in text
    assert ("DeLong" in text) == (are[1] == "random")  # with fixed cases no covariance over cases enters


def test_the_methods_are_those_of_the_analysis():
    three = study(("a", "b", "c"))
    drawn = {"covariance": "bootstrap", "n_resamples": 50}
    for options, asked, said in (
        (
            {},
            {"measure": {"specificity": 0.9}, "n_resamples": 50, "seed": 7},
            ["TPR at FPR 10 %", "50 resamples, seed 7"],
        ),
        ({"nested": True}, {}, ["Hillis 2014", "read with one modality only"]),
        (
            {"patients": True},
            {},
            ["20 patients", "patients with their cases treated as random", "Obuchowski 1997"],
        ),
        ({"patients": True}, drawn, ["a bootstrap of patients (50 resamples"]),
        ({}, drawn, ["a bootstrap of cases within each class (50 resamples"]),
        ({"n_missing": 3}, {}, ["(partly crossed). 3 of 600 ratings were missing"]),
        ({"unit": "radiologist"}, {}, ["5 radiologists"]),
    ):
        text = rs.compare_readers(study(**options), **asked).methods
        assert all(word in text for word in said), text
        assert re.search(r"rocsteady \S+ for Python", text)
    assert "Holm (1979); intervals were not." in rs.compare_readers(three).methods
    assert "Benjamini and Hochberg (1995)" in rs.compare_readers(three, adjust="bh").methods
    assert "were not adjusted for their number" in rs.compare_readers(three, adjust=None).methods
    for own in (rs.compare_readers(study()), rs.compare_readers(study(gain=1.0))):
        assert ("Cov2 and Cov3 was set to 0" in own.methods) == (own.components.cov2 < own.components.cov3)


def test_the_methods_of_u_statistics_are_what_was_done():
    asked = {"method": "u-statistics"}
    crossed = rs.compare_readers(study(), **asked).methods
    holed = rs.compare_readers(study(n_missing=3), **asked)
    as_they_are = rs.compare_readers(study(n_missing=3), covariance="unbiased", **asked).methods
    for text in (crossed, holed.methods, as_they_are):
        assert "iMRMC (BDG" in text
        assert "Hillis" not in text
    by_pairs = "averaged over readers, who count by the pairs of a positive and a negative case"
    assert [by_pairs in text for text in (crossed, holed.methods, as_they_are)] == [False, True, True]
    assert ["centred:" in text for text in (crossed, holed.methods, as_they_are)] == [False, True, False]
    assert "Box (1954)" in rs.compare_readers(study(("a", "b", "c"), n_missing=3), **asked).methods


def test_unequal_numbers_of_nested_readers_are_tested_by_welch():
    even, uneven = (study(("a", "b", "c"), nested=True, uneven=own) for own in (False, True))
    assert "Welch" not in rs.compare_readers(even).methods
    assert "the F test of Welch (1951)" in rs.compare_readers(uneven).methods


def test_the_result_has_estimates_intervals_and_the_test():
    found = rs.compare_readers(study(gain=2.0))
    text = results_of(found).plain()
    for i, name in enumerate(found.modalities):
        own = found.per_modality.logit_intervals[i]  # those that tables and figures show
        assert f"with {name}" in text
        assert f"(95 % CI {own.low:.3f} to" in text
    assert "difference film − digital " in text
    assert statistic_words(found.statistic, found.df).plain() in text


def test_a_difference_without_error_is_not_tested():
    truth = np.tile([1, 1, 1, 0, 0, 0], 4)
    own = {"film": [3, 2, 1, 0, 0, 0.5], "digital": [3, 0.2, 1, 0, 0, 0.5], "CT": [3, 0.2, 0.3, 0, 0, 0.5]}
    readers, cases = np.repeat(list("abcd"), 6), np.tile(np.arange(6), 4)
    for names in (("film", "digital"), ("film", "digital", "CT")):
        ratings = {name: np.tile(own[name], 4) for name in names}
        alike = rs.ScoreSet.from_arrays(truth, ratings, readers, cases=cases, unit="reader")
        found = rs.compare_readers(alike, cases="fixed")
        assert found.error_term == 0
        assert "this cannot be tested" in of_answer(found).plain()
        assert "was not tested" in results_of(found).plain()
        assert "p <" not in found.reading + results_of(found).plain()


def test_several_modalities_start_with_the_test_of_all_and_name_the_largest_differences():
    found = rs.compare_readers(study(("a", "b", "c", "d"), gain=1.0))
    assert found.reading.startswith(
        f"The 4 modalities differ ({statistic_words(found.statistic, found.df).plain()}"
    )
    count, *told = (own.plain() for own in of_pairs(found.differences, "holm"))
    assert f"{sum(own.is_decided for own in found.differences)} of 6 pairs" in count
    assert len(told) == 3
    largest = max(found.differences, key=lambda own: abs(own.difference))
    assert told[0].startswith(f"{largest.better} is better than")
    alike = rs.compare_readers(study(("a", "b", "c")), adjust=None).reading
    assert "do not differ significantly" in alike
    assert "0 of 3 pairs (not adjusted)" in alike


def test_numbers_are_called_modalities_and_readers_by_their_word():
    assert rs.compare_readers(study(("1", "2"), gain=2.0)).reading.startswith(
        "Modality 2 is better than modality 1:"
    )
    found = rs.compare_readers(study(unit="radiologist"))
    assert not re.search(r"\breaders?\b", found.reading + found.methods)


def test_margins_and_a_standalone_system():
    found = rs.compare_readers(study(gain=2.0))
    text = margin_methods([found.non_inferior(0.04, new="digital"), found.equivalent(0.03, alpha=0.05)])
    assert text is not None
    assert "Non-inferiority of digital to film was tested one-sided at a level of 2.5 %" in text.plain()
    assert "two one-sided tests (Schuirmann 1987), each at a level of 5 %" in text.plain()
    assert margin_methods([]) is None
    ai = rs.compare_readers(study(system=True), standalone="AI")
    assert "5 readers read 60 cases (20 sick, 40 well) with film and digital" in of_standalone(ai).plain()
    assert standalone_results(ai).plain().count("The AUC of AI was") == 2
    unnamed = replace(
        rs.compare_readers(study(("film",), system=True), standalone="AI"), modalities=(NO_NAME,)
    )
    assert NO_NAME not in f"{of_standalone(unnamed).plain()} {standalone_results(unnamed).plain()}".split()
