"""What is said of a reader study: the effect first, the p-value second, what is random, the methods."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.readers.study import NO_NAME
from rocsteady.show.sentences.reader_methods import (
    margin_methods,
    of_comparison,
    of_standalone,
    results_of,
    standalone_results,
)
from rocsteady.show.sentences.readers import comparison, of_design, of_pairs, statistic_words

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


def study(
    modalities: tuple[str, ...] = ("film", "digital"),
    *,
    gain: float = 0.0,
    n_readers: int = 5,
    n_cases: int = 60,
    unit: str = "reader",
    nested: bool = False,
    uneven: bool = False,
    patients: bool = False,
    system: bool = False,
    n_missing: int = 0,
) -> rs.ScoreSet:
    """Ratings of cases that are sick or well; each further modality sees them better by ``gain``."""
    rng = np.random.default_rng(11)
    sick = np.arange(n_cases) % 3 == 0
    base = rng.normal(size=n_cases) + sick
    rows: dict[str, list[object]] = {name: [] for name in (unit, "modality", "case", "truth", "rating")}

    def add(reader: str, modality: str, ratings: np.ndarray) -> None:
        rows[unit] += [reader] * n_cases
        rows["modality"] += [modality] * n_cases
        rows["case"] += range(n_cases)
        rows["truth"] += np.where(sick, "sick", "well").tolist()
        rows["rating"] += ratings.round(2).tolist()

    for m, modality in enumerate(modalities):
        for reader in range(n_readers - (uneven and m == 0)):
            name = f"{modality}-{reader}" if nested else f"{reader + 1}"
            add(name, modality, base + gain * m * sick + rng.normal(scale=0.7, size=n_cases))
    if system:
        add("AI", "AI", base + rng.normal(size=n_cases))
    if patients:
        rows["patient"] = [int(case) // 3 for case in rows["case"]]
    rows = {name: values[n_missing:] for name, values in rows.items()}  # ratings of the first reader
    columns = {"label": "truth", "score": "rating", "group": unit, "model": "modality", "case": "case"}
    return rs.ScoreSet.from_frame(
        rows, positive="sick", **columns, **({"cluster": "patient"} if patients else {})
    )


def test_the_effect_comes_before_its_pvalue_and_what_is_random_last() -> None:
    found = rs.compare_readers(study(gain=2.0))
    text = comparison(found)
    assert text == found.reading
    assert text.startswith("digital has a higher mean AUC than film, by ")
    size, test = text.index(" against "), text.index("p < 0.0001")
    assert size < test < text.index("Readers and cases are random")


def test_a_difference_that_may_be_chance_is_said_to_be() -> None:
    text = rs.compare_readers(study(gain=0.3)).reading
    assert text.startswith("On these data ")
    assert "which cannot be told from no difference" in text


@pytest.mark.parametrize("modalities", [("film", "digital"), ("film", "digital", "CT")])
def test_a_difference_without_error_is_no_finding(modalities: tuple[str, ...]) -> None:
    """Readers who all show the same, on fixed cases: p = 0 has nothing behind it, and is not said."""
    truth = np.tile([1, 1, 1, 0, 0, 0], 4)
    own = {"film": [3, 2, 1, 0, 0, 0.5], "digital": [3, 0.2, 1, 0, 0, 0.5], "CT": [3, 0.2, 0.3, 0, 0, 0.5]}
    ratings = {name: np.tile(own[name], 4) for name in modalities}
    readers, cases = np.repeat(list("abcd"), 6), np.tile(np.arange(6), 4)
    alike = rs.ScoreSet.from_arrays(truth, ratings, readers, cases=cases, unit="reader")
    found = rs.compare_readers(alike, cases="fixed")
    assert found.error_term == 0
    answer = found.reading.split(". ")[0]
    assert answer.endswith("nothing varies, so there is no test of it")
    assert (
        "0.778 (CT) to 1.000 (film)" in answer
        or "film has a higher mean AUC than digital, by 0.111" in answer
    )
    for text in (found.reading, results_of(found)):
        assert "p < 0.0001" not in text
        assert "told apart" not in text
        assert "inf" not in text
    same = rs.ScoreSet.from_arrays(
        truth, {"a": ratings["film"], "b": ratings["film"]}, readers, cases=cases, unit="reader"
    )
    assert "have the same mean AUC" in rs.compare_readers(same, cases="fixed").reading


def test_bounds_of_separated_classes_are_said_to_be_such() -> None:
    truth = np.tile([1, 1, 1, 0, 0, 0], 4)
    ratings = {"film": np.tile([3, 2, 1, 0, 0, 0.5], 4), "digital": np.tile([3, 0.2, 1, 0, 0, 0.5], 4)}
    readers, cases = np.repeat(list("abcd"), 6), np.tile(np.arange(6), 4)
    found = rs.compare_readers(rs.ScoreSet.from_arrays(truth, ratings, readers, cases=cases, unit="reader"))
    separated = "where all readers separated the classes, the interval is the bound that one reader has"
    assert separated in found.methods
    assert separated not in rs.compare_readers(study()).methods
    low = found.per_modality.low[0]
    assert 0 < low < 1
    assert f"1.000 with film (95 % CI {low:.3f} to 1.000)" in results_of(found)
    assert "interval (bound at 0 or 1, normal)" in str(
        [text.get_text() for text in rs.plot.reader_values(found).get_legend().get_texts()]
    )


def test_numbers_are_called_modalities() -> None:
    text = rs.compare_readers(study(("1", "2"), gain=2.0)).reading
    assert text.startswith("modality 2 has a higher mean AUC than modality 1, by ")


def test_the_word_for_a_reader_comes_from_the_data() -> None:
    found = rs.compare_readers(study(unit="radiologist"))
    assert "radiologist" in found.reading
    assert "radiologist" in found.methods
    assert not re.search(r"\breaders?\b", found.reading + found.methods)


def test_three_modalities_start_with_the_test_of_all() -> None:
    apart = rs.compare_readers(study(("a", "b", "c"), gain=2.0))
    assert re.match(r"The mean AUC runs from 0\.\d+ \(a\) to .* \(c\) over 3 modalities: the", apart.reading)
    assert f"{statistic_words(apart.statistic, apart.df)}, p < 0.0001" in apart.reading
    n = sum(own.is_decided for own in apart.differences)
    assert n > 0
    assert f"{n} of 3 pairs {'is' if n == 1 else 'are'} told apart, adjusted" in apart.reading
    alike = rs.compare_readers(study(("a", "b", "c")), adjust=None)
    assert "cannot be told from no difference" in alike.reading
    assert "None of the 3 differences between two of them is told from 0." in alike.reading


def test_at_most_three_pairs_are_told_the_largest_first() -> None:
    found = rs.compare_readers(study(("a", "b", "c", "d"), gain=1.0, n_cases=240))
    count, _, *told = of_pairs(found.differences, "holm")
    assert int(count.split()[0]) > 3
    sizes = sorted((abs(own.difference) for own in found.differences), reverse=True)
    assert len(told) == 3
    assert f"by {sizes[0]:.3f} " in told[0]


@pytest.mark.parametrize("readers", ["random", "fixed"])
@pytest.mark.parametrize("cases", ["random", "fixed"])
def test_the_methods_say_who_is_random_and_by_which_test(readers: str, cases: str) -> None:
    if readers == cases == "fixed":
        return
    text = rs.compare_readers(study(), readers=readers, cases=cases).methods
    words = {
        ("random", "random"): ("readers and cases taken as random", "Hillis (2007)", "DeLong et al. (1988)"),
        ("fixed", "random"): (
            "cases taken as random and readers as fixed",
            "chi-square",
            "DeLong et al. (1988)",
        ),
        ("random", "fixed"): (
            "readers taken as random and cases as fixed",
            "an F test with the degrees of freedom of the interaction of modalities and readers;",
            "t distribution",
        ),
    }[readers, cases]
    assert all(word in text for word in words), text
    assert "5 readers, 60 cases (20 sick and 40 well), 2 modalities (film and digital)" in text
    assert ("DeLong" in text) == (cases == "random")  # with fixed cases no covariance over cases enters


def test_the_methods_say_how_it_was_done() -> None:
    drawn = rs.compare_readers(
        study(), measure={"specificity": 0.9}, n_resamples=50, seed=7, confidence_level=0.9
    )
    words = ("sensitivity at specificity 0.9", "bootstrap of cases", "50 resamples, seed 7", "90 %")
    assert all(word in drawn.methods for word in words), drawn.methods
    three = study(("a", "b", "c"))
    assert drawn.methods.count("seed") == 1
    assert "Holm (1979); their intervals were not." in rs.compare_readers(three).methods
    assert "Benjamini and Hochberg (1995)" in rs.compare_readers(three, adjust="bh").methods
    unadjusted = "P-values and intervals of the 3 comparisons were not adjusted"
    assert unadjusted in rs.compare_readers(three, adjust=None).methods
    cut = "a negative difference of Cov2 and Cov3 was taken as 0"
    for own in (rs.compare_readers(study()), rs.compare_readers(study(gain=1.0))):
        assert (cut in own.methods) == (own.components.cov2 < own.components.cov3)
    assert cut in rs.compare_readers(study()).methods
    assert "Hillis 2014" in rs.compare_readers(study(nested=True)).methods
    assert "Gallas" in rs.compare_readers(study(), method="u-statistics").methods
    clustered = rs.compare_readers(study(patients=True)).methods
    assert "20 patients" in clustered
    assert "readers and patients with their cases taken as random" in clustered
    assert "Obuchowski 1997" in clustered
    version = re.search(
        r"rocsteady (\S+) for Python", of_comparison(drawn).replace("(version unknown)", "0.0")
    )
    assert version is not None


@pytest.mark.parametrize(("gain", "is_near"), [(0.0, False), (2.0, True)])
def test_intervals_of_means_are_said_to_be_what_they_are(gain: float, is_near: bool) -> None:
    """Plain t as in the tables, unless a note says that these cover too little: then by logit."""
    found = rs.compare_readers(study(gain=gain))
    assert any("logit" in note for note in found.notes) == is_near
    plain = "intervals of single means rest on the t distribution"
    by_logit = "intervals of single means, of which some come near to 0 or 1, were made on the logit scale"
    assert ((plain in found.methods), (by_logit in found.methods)) == (not is_near, is_near)
    per = found.per_modality
    used = per.logit_intervals if is_near else per.intervals
    for i, own in enumerate(used):
        assert (own.low, own.high) != (per.intervals if is_near else per.logit_intervals)[i]
        assert f"(95 % CI {own.low:.3f} to {own.high:.3f})" in results_of(found)
    fixed = rs.compare_readers(study(), readers="fixed").methods
    assert "intervals of differences and single means rest on the normal distribution" in fixed


def test_the_methods_of_u_statistics_are_what_was_done() -> None:
    asked = {"method": "u-statistics"}
    crossed = rs.compare_readers(study(), **asked).methods
    holed = rs.compare_readers(study(n_missing=3), **asked)
    as_they_are = rs.compare_readers(study(n_missing=3), covariance="unbiased", **asked).methods
    for text in (crossed, holed.methods, as_they_are):
        assert "degrees of freedom of the program iMRMC (BDG" in text
        assert "Hillis" not in text
    assert "averaged over readers." in crossed
    by_pairs = "averaged over readers, who count by the pairs of a positive and a negative case that they"
    assert by_pairs in holed.methods
    assert by_pairs in as_they_are
    assert holed.means[0] != np.mean(holed.values[0])  # so it is true
    centred = "every comparison of two cases was taken less the mean of its modality"
    assert [centred in text for text in (crossed, holed.methods, as_they_are)] == [False, True, False]
    three = rs.compare_readers(study(("a", "b", "c"), n_missing=3), **asked).methods
    assert "those of the numerator after Box (1954)" in three
    assert "Box" not in crossed


def test_patients_are_drawn_whole_and_cases_within_classes() -> None:
    drawn = {"covariance": "bootstrap", "n_resamples": 50}
    of_cases, of_patients = (
        rs.compare_readers(study(patients=patients), **drawn).methods for patients in (False, True)
    )
    assert "a bootstrap of cases within each class (50 resamples" in of_cases
    assert "a bootstrap of patients (50 resamples" in of_patients


def test_unequal_numbers_of_nested_readers_are_tested_by_welch() -> None:
    """Variances are then those of each modality; with equal numbers they are pooled."""
    even = study(("a", "b", "c"), nested=True)
    uneven = study(("a", "b", "c"), nested=True, uneven=True)
    assert "Welch" not in rs.compare_readers(even).methods
    text = rs.compare_readers(uneven).methods
    assert "the F test of Welch (1951) for unequal variances, as numbers of readers differ" in text
    assert "chi-square" in rs.compare_readers(uneven, readers="fixed").methods


def test_missing_ratings_are_counted() -> None:
    text = rs.compare_readers(study(n_missing=3)).methods
    assert "(partly crossed). Of 600 ratings 3 were missing" in text


def test_the_result_has_estimates_intervals_and_the_test() -> None:
    found = rs.compare_readers(study(gain=2.0))
    text = results_of(found)
    for i, name in enumerate(found.modalities):
        low = found.per_modality.logit_intervals[i].low  # a plain one covers too little so near to 1
        assert f"{found.means[i]:.3f} with {name} (95 % CI {low:.3f} to " in text
    assert (
        f"difference (film less digital) {found.difference:+.3f} (95 % CI {found.interval.low:+.3f} to"
        in text
    )
    assert statistic_words(found.statistic, found.df) in text


def test_margins_are_part_of_the_methods() -> None:
    found = rs.compare_readers(study(gain=2.0))
    text = margin_methods([found.non_inferior(0.04, new="digital"), found.equivalent(0.03, alpha=0.05)])
    assert (
        "Non-inferiority of digital to film was tested one-sided at a level of 2.5 %, with a margin of 0.04"
        in text
    )
    assert "two one-sided tests (Schuirmann 1987), each at a level of 5 %, with a margin of 0.03" in text
    assert margin_methods([]) == ""


def test_a_standalone_system_is_held_against_readers() -> None:
    found = rs.compare_readers(study(system=True), standalone="AI")
    assert "5 readers who read 60 cases (20 sick and 40 well) with film and digital" in of_standalone(found)
    text = standalone_results(found)
    assert text.count("The AUC of AI was") == 2
    assert f"difference {found.differences[1].difference:+.3f}" in text


def test_one_modality_without_a_name_is_not_named() -> None:
    found = rs.compare_readers(study(("film",), system=True), standalone="AI")
    assert "with film" in of_standalone(found)
    unnamed = replace(found, modalities=(NO_NAME,))
    assert NO_NAME not in f"{of_standalone(unnamed)} {standalone_results(unnamed)}".split()


def test_designs_in_words() -> None:
    crossed = rs.compare_readers(study())
    assert of_design(crossed.design, "reader") in crossed.methods
    nested = rs.compare_readers(study(nested=True))
    assert "every reader read with one modality only" in nested.methods
