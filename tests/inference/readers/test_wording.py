"""What is said of a reader study: the effect first, the p-value second, what is random, the methods."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.inference.readers.methods_text import (
    margin_methods,
    methods_of,
    results_of,
    standalone_methods,
    standalone_results,
)
from rocsteady.inference.readers.study import NO_NAME
from rocsteady.inference.readers.wording import of_comparison, of_design, of_pairs, statistic_words

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


def study(
    modalities: tuple[str, ...] = ("film", "digital"),
    *,
    gain: float = 0.0,
    n_readers: int = 5,
    n_cases: int = 60,
    unit: str = "reader",
    nested: bool = False,
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
        for reader in range(n_readers):
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
    text = of_comparison(found)
    assert text == found.reading
    assert text.startswith("digital has a higher mean AUC than film, by ")
    size, test = text.index(" against "), text.index("p < 0.0001")
    assert size < test < text.index("Readers and cases are random")


def test_a_difference_that_may_be_chance_is_said_to_be() -> None:
    text = rs.compare_readers(study(gain=0.3)).reading
    assert text.startswith("On these data ")
    assert "which cannot be told from no difference" in text


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
        ("random", "fixed"): ("readers taken as random and cases as fixed", "an F test;", "t distribution"),
    }[readers, cases]
    assert all(word in text for word in words), text
    assert "5 readers, 60 cases (20 sick and 40 well), 2 modalities (film and digital)" in text
    assert ("DeLong" in text) == (cases == "random")  # with fixed cases no covariance over cases enters


def test_the_methods_say_how_it_was_done() -> None:
    drawn = rs.compare_readers(
        study(), measure=rs.SensitivityAt(specificity=0.9), n_resamples=50, seed=7, confidence_level=0.9
    )
    words = ("sensitivity at specificity 0.9", "bootstrap of cases", "50 resamples, seed 7", "90 %")
    assert all(word in drawn.methods for word in words), drawn.methods
    three = study(("a", "b", "c"))
    assert "Holm (1979)" in rs.compare_readers(three).methods
    assert "Benjamini and Hochberg (1995)" in rs.compare_readers(three, adjust="bh").methods
    assert "not adjusted" in rs.compare_readers(three, adjust=None).methods
    assert "Hillis 2014" in rs.compare_readers(study(nested=True)).methods
    assert "Gallas" in rs.compare_readers(study(), method="u-statistics").methods
    clustered = rs.compare_readers(study(patients=True)).methods
    assert "20 patients" in clustered
    assert "readers and patients with their cases taken as random" in clustered
    assert "Obuchowski 1997" in clustered
    version = re.search(r"rocsteady (\S+) for Python", methods_of(drawn).replace("(version unknown)", "0.0"))
    assert version is not None


def test_missing_ratings_are_counted() -> None:
    text = rs.compare_readers(study(n_missing=3)).methods
    assert "(partly crossed). Of 600 ratings 3 were missing" in text


def test_the_result_has_estimates_intervals_and_the_test() -> None:
    found = rs.compare_readers(study(gain=2.0))
    text = results_of(found)
    for i, name in enumerate(found.modalities):
        low = found.per_modality.logit_intervals[i].low  # a plain one covers too little near 1
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
    found = rs.compare_standalone(study(system=True), "AI")
    assert "5 readers who read 60 cases (20 sick and 40 well) with film and digital" in standalone_methods(
        found
    )
    text = standalone_results(found)
    assert text.count("The AUC of AI was") == 2
    assert f"difference {found.differences[1].difference:+.3f}" in text


def test_one_modality_without_a_name_is_not_named() -> None:
    found = rs.compare_standalone(study(("film",), system=True), "AI")
    assert "with film" in standalone_methods(found)
    unnamed = replace(found, modalities=(NO_NAME,))
    assert NO_NAME not in f"{standalone_methods(unnamed)} {standalone_results(unnamed)}".split()


def test_designs_in_words() -> None:
    crossed = rs.compare_readers(study())
    assert of_design(crossed.design, "reader") in crossed.methods
    assert of_design("a design of its own", "reader") == "a design of its own"
    nested = rs.compare_readers(study(nested=True))
    assert "every reader read with one modality only" in nested.methods
