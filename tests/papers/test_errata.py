"""docs/errata.md is what the code computes, and every counter-example really is one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

import rocsteady as rs
from papers.errata import CHAPTERS, errata, erratum
from papers.errata.erratum import STATUSES, WIDTH, Chapter, Erratum, page, slug, wrapped
from papers.smroc.sets import all_of_table_1
from rocsteady.errors import catalogue

approx = pytest.approx
PAGE = Path(__file__).resolve().parents[2] / "docs" / "errata.md"
HOW_MANY = {"H": 14, "P": 11, "K": 14, "S": 5, "T": 5}


# The page


def test_the_page_is_what_the_code_computes() -> None:
    assert page(CHAPTERS) == PAGE.read_text(encoding="utf-8"), "run: python docs/make_errata.py"


def test_every_code_stands_once_and_in_order() -> None:
    expected = [f"{letter}{i}" for letter, n in HOW_MANY.items() for i in range(1, n + 1)]
    assert [entry.code for entry in errata()] == expected
    assert re.findall(r"^### ([A-Z]\d+)\. ", PAGE.read_text(encoding="utf-8"), flags=re.M) == expected
    assert [chapter.letter for chapter in CHAPTERS for _ in chapter.entries] == [code[0] for code in expected]
    assert len({entry.heading for entry in errata()}) == len(expected)
    with pytest.raises(KeyError, match="H99"):
        erratum("H99")


@pytest.mark.parametrize("entry", errata(), ids=lambda entry: entry.code)
def test_an_entry_says_where_what_and_why(entry: Erratum) -> None:
    assert entry.status in STATUSES
    for words in (entry.where, entry.says, entry.instead, entry.because):
        assert words.strip() == words
        assert words
        assert not re.search(r"[{}]|nan|\binf\b", words)
    assert entry.instead.endswith(".")
    assert entry.because.endswith(".")
    assert entry.code in repr(entry)
    for change in (1e-8, -1e-8):  # else another version of NumPy or SciPy might make another page
        moved = {
            name: value if isinstance(value, int) else value + (change if abs(value) > 1e-12 else abs(change))
            for name, value in entry.numbers.items()
        }
        assert replace(entry, compute=lambda moved=moved: moved).because == entry.because


def test_a_title_without_a_status_is_refused() -> None:
    with pytest.raises(ValueError, match="x1: a title is followed by its status"):

        @Chapter("X", "An example", "Nowhere.").entry
        def x1() -> dict[str, float]:
            """What an entry is"""
            return {}


def test_links_point_to_headings_and_pages() -> None:
    text = PAGE.read_text(encoding="utf-8")
    slugs = {slug(line.lstrip("# ")) for line in text.splitlines() if line.startswith("#")}
    inside = re.findall(r"\]\(#([^)]+)\)", text)
    assert len(inside) == len(errata()) + len(CHAPTERS)
    assert set(inside) <= slugs
    pages = set(re.findall(r"\]\(([^)#]+)\)", text))
    assert pages
    assert {own for own in pages if not PAGE.with_name(own).is_file()} == set()


def test_no_line_is_taken_for_the_start_of_a_list_and_numbers_are_whole() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for line in text.splitlines():
        assert len(line) <= WIDTH
        assert not re.match(r"\s*([+>]|\d+[.)])( |$)", line), line
        assert line.count("`") % 2 == 0, line  # code is not broken
        if line.lstrip().startswith("- "):
            assert line.startswith(("- **", "- [")), line
    assert "1 040 curves" in erratum("K13").because
    assert not re.search(r"\d,\d{3}", text)
    assert not re.search(r"\d\n *(?:\d{3}\b|%)", text)
    words = "- " + "x 1 - 2 + `a b c` > 3. " * 30
    assert wrapped(words, indent="  ").split() == words.split()


def test_functions_and_codes_that_are_named_exist() -> None:
    named = {name for entry in errata() for name in re.findall(r"`rs\.(\w+)", entry.here)}
    assert len(named) >= 12  # others are methods of what they read
    assert {name for name in named if not hasattr(rs, name)} == set()
    codes = {code for entry in errata() for code in re.findall(r"RS\d+", entry.here)}
    assert codes
    assert codes <= set(catalogue())


# The numbers: what must be so of them, for each entry that computes any

PLAIN = ("vertical", "diagonal", "horizontal")
OTHERS = ("threshold", "radial", "tangent", "grid", "overwritten")
TRUE: dict[str, Callable[[SimpleNamespace], list[bool]]] = {
    # Equal differences are unequal ratios, and rays gain area.
    "H1": lambda n: [n.second > 2 * n.first, n.radial > n.mean + 0.01, same(n.diagonal_eer, n.mean_eer)],
    # The intersection costs more than the optimum, also at 1 : 1.
    "H2": lambda n: [
        n.optimum_cost < n.all_negative_cost < n.intersection_cost,
        n.intersection_tpr == approx(1 - n.intersection_fpr / 4, abs=1e-10),
        n.even_optimum_cost < n.even_intersection_cost - 0.02,
        (round(n.even_optimum_cost, 3), round(n.even_intersection_cost, 3)) == (0.230, 0.252),
    ],
    # The cost direction overstates what tuned classifiers cost.
    "H3": lambda n: [n.along > n.own + 0.05, same(n.tangent, n.own)],
    # Directions keep the area, and nothing else does.
    "H4": lambda n: [
        *(same(getattr(n, name), n.mean) for name in PLAIN),
        *(abs(getattr(n, name) - n.mean) > 2e-3 for name in OTHERS),
        n.overwritten < n.grid,
    ],
    # Two perfect datasets are not perfect when pooled.
    "H5": lambda n: [n.own == 1, n.pooled == n.from_pairs == 0.75],
    "H6": lambda n: [n.equal < 1e-15, n.unequal > 0.05],
    "H7": lambda n: [0 < n.low < n.auc < n.high < 1],
    # The maximum is too good, and its interval misses; 95 less or more four binomial standard errors.
    "H8": lambda n: [n.truth < n.mid < n.upper, n.covers_truth < 1, 91 < n.covers_mean < 99],
    "H9": lambda n: [n.m3 < n.m5 < n.m10 < 93],
    # Ranks survive a change of scale.
    "H10": lambda n: [n.rank == n.rank_raised, abs(n.value - n.value_raised) > 0.1],
    "H11": lambda n: [n.above + n.below < 1, n.at_least + n.below == 1],
    "H13": lambda n: [0 < n.B < n.A < 0.03, n.plain > 0.1],
    "H14": lambda n: [n.as_variance > n.as_sd + 0.005],
    # The formula is the paired t, and the level is not five.
    "P1": lambda n: [same(n.printed, n.paired), n.five > n.ten > 6],
    "P2": lambda n: [same(n.factor, math.sqrt(10))],
    "P3": lambda n: [0 < n.constant < n.points, (n.p_equal, n.p_shifted) == (1, 0)],
    # The correction is larger than what is missing.
    "P4": lambda n: [
        same(n.factor, math.sqrt(10 * (1 / 10 + 1 / 9))), 1 < n.small < n.factor, 1 < n.large < n.factor,
    ],
    "P5": lambda n: [n.kept / 2 < n.known < n.kept],
    "P6": lambda n: [(n.tests, n.three_class_tests) == (29, 297), n.holm > 2 * n.plain],
    "P7": lambda n: [n.identity < 1e-12, n.gap > 1e-3],
    "P8": lambda n: [n.low < 0 < n.high, n.low < n.delta < n.high],
    # A larger weight on a negative output loses the case.
    "P9": lambda n: [(n.plain, n.heavier) == (1, 2), 0.25 <= n.least < 0.25 + 0.01],
    "P10": lambda n: [n.chosen < n.honest, n.distinct < 100],
    "P11": lambda n: [n.points > 100, n.differing == 0],
    # Only the ratio of classes makes equation 1 hold.
    "K1": lambda n: [same(n.ratio, n.mid), n.printed > n.mid + 0.05],
    "K2": lambda n: [same(n.mid, 0.5), n.half_range < 0.5 < n.midpoint],
    "K4": lambda n: [n.at_mid > 0, max(n.end_up, n.end_right) < 1],
    "K5": lambda n: [[round(own, 4) for own in (n.literal, n.mended, n.area)] == [0.2119, 0.5457, 0.5806]],
    "K6": lambda n: [n.pairs < n.area - 0.05, same(n.with_ties, n.area)],
    # Zeros and ones reduce to ROC only while Mid is in range.
    "K7": lambda n: [
        n.mid > 1 >= n.fair_mid, (n.smauc, round(n.auc, 3)) == (0.75, 0.667), same(n.fair_smauc, n.fair_auc),
    ],
    # Labels do not matter once Mid exceeds one.
    "K8": lambda n: [
        n.mid > 1, n.dealt > n.auc + 0.05, n.smauc - n.dealt < 0.02, n.dealt == approx(n.chance, abs=0.01),
        n.even_dealt < n.even - 0.1, n.even < n.auc,
    ],
    # Chance is not one half.
    "K9": lambda n: [
        n.mid == approx(0.5, abs=0.01), n.chance > 0.6, n.dealt == approx(n.chance, abs=0.01), same(n.balanced, 0.5),
    ],
    "K10": lambda n: [same(n.below - n.above, 1 - 2 * 0.3)],
    "K11": lambda n: [n.mid > 1, n.debit == 0, math.isnan(n.smauc)],
    # Neither maps nor swaps leave it alone.
    "K12": lambda n: [
        n.step < 0, abs(n.squared - n.smauc) > 0.01, abs(n.turned - n.smauc) > 0.005, same(n.even, n.even_turned),
    ],
    # Two rows of Table 1 do not add up; the files are counted, not the table.
    "K13": lambda n: [
        (n.off, n.curves) == (2, 1040), n.echo == n.echo_n - 1, n.adlt == n.adlt_n - 1,
        n.hors - TABLE["hors"].n == 4, n.hors_pos + n.hors_neg == n.hors, TABLE["mush"].features - n.mush == 1,
    ],
    # A smaller sd tells no more.
    "K14": lambda n: [
        n.pressed_sd < n.smauc_sd / 5 < n.auc_sd / 5, n.pressed_ratio == approx(n.smauc_ratio, rel=0.02),
    ],
    # The order of tied cases makes the area.
    "S1": lambda n: [
        n.together == (n.positives_first + n.negatives_first) / 2, n.negatives_first < n.positives_first,
    ],
    # Only one formula prints .007; the printed interval is neither rare nor usual, in per cent.
    "S2": lambda n: [
        n.least < n.most < n.nonparametric < n.exponential, f"{n.exponential:.3f}" != "0.007", 5 < n.fits < 50,
    ],
    # Three cut-offs are three, and the rows shown do not reach equal errors.
    "S3": lambda n: [
        (n.youden, n.closest) == (1.4933, 1.5065), n.above == n.rows == 25, n.fpr > n.fnr,
        n.population_equal < n.population_closest < n.population_youden,
    ],
    "S4": lambda n: [n.on_a_score == 0],
    # A curve through both corners beats guessing; equal rates are not equal amounts.
    "S5": lambda n: [n.tpr > n.fpr, n.tp / n.positives == n.fp / n.negatives == n.half, n.tp != n.fp],
    "T1": lambda n: [n.mean < n.highest, n.mean_area < n.area],
    "T2": lambda n: [n.line_fpr > n.fpr],
    "T3": lambda n: [same(n.exact, n.mean), abs(n.recipe - n.mean) > 1e-4, n.band > 2 * n.error],
    "T4": lambda n: [n.tpr_sd > 2 * n.fpr_sd],
    "T5": lambda n: [(n.collides, n.divides) == (1, 1)],
}  # fmt: skip
TABLE = {own.abbr: own.printed for own in all_of_table_1()}


def same(one: float, other: float) -> bool:
    return one == approx(other, abs=1e-12)


@pytest.mark.parametrize("code", TRUE)
def test_a_counter_example_is_one(code: str) -> None:
    numbers = erratum(code).numbers
    found = TRUE[code](SimpleNamespace(**numbers))
    assert all(found), (found, numbers)


def test_what_has_no_numbers_is_proved_in_words() -> None:
    assert {own.code for own in errata() if not own.numbers} == {"H12", "K3"}
    assert {own.code for own in errata() if own.numbers} == set(TRUE)
