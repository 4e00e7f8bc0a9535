"""docs/errata.md is what the code computes, and every counter-example really is one."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from papers.errata.collection import SOURCES, errata, erratum
from papers.errata.erratum import STATUSES, Erratum
from papers.errata.page import WIDTH, errata_page, heading, wrapped
from papers.smroc.sets import all_of_table_1

PAGE = Path(__file__).resolve().parents[2] / "docs" / "errata.md"
HOW_MANY = {"H": 14, "P": 11, "K": 14, "S": 5, "T": 5}


def numbers(code: str) -> dict[str, float]:
    return dict(erratum(code).numbers)


def test_the_page_is_what_the_code_computes() -> None:
    assert errata_page() == PAGE.read_text(encoding="utf-8"), "run: python docs/make_errata.py"


def test_every_code_stands_once_and_in_order() -> None:
    expected = [f"{letter}{i}" for letter, n in HOW_MANY.items() for i in range(1, n + 1)]
    assert [entry.code for entry in errata()] == expected
    assert re.findall(r"^### ([A-Z]\d+)\. ", PAGE.read_text(encoding="utf-8"), flags=re.M) == expected
    assert [source.letter for source in SOURCES for _ in source.entries] == [code[0] for code in expected]


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(KeyError, match="H99"):
        erratum("H99")


@pytest.mark.parametrize("entry", errata(), ids=lambda entry: entry.code)
def test_an_entry_says_where_what_and_why(entry: Erratum) -> None:
    assert entry.status in STATUSES
    for words in (entry.where, entry.says, entry.instead, entry.because):
        assert words.strip() == words
        assert words
        assert not re.search(r"[{}]|nan|\binf\b", words)
    for text in (entry.instead, entry.because):
        assert text.endswith(".")
    assert entry.to_dict()["because"] == entry.because
    assert entry.code in repr(entry)


@pytest.mark.parametrize("entry", errata(), ids=lambda entry: entry.code)
@pytest.mark.parametrize("change", [1e-8, -1e-8])
def test_no_text_hangs_on_the_last_digits_of_a_number(entry: Erratum, change: float) -> None:
    """Otherwise another version of NumPy or SciPy might make another page."""
    moved = {
        name: value if isinstance(value, int) else value + (change if abs(value) > 1e-12 else abs(change))
        for name, value in entry.numbers.items()
    }
    assert replace(entry, compute=lambda: moved).because == entry.because


def test_links_point_to_headings_and_pages() -> None:
    text = PAGE.read_text(encoding="utf-8")
    slugs = {
        re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in text.splitlines()
        if line.startswith("#")
    }
    inside = re.findall(r"\]\(#([^)]+)\)", text)
    assert len(inside) == len(errata()) + len(SOURCES)
    assert set(inside) <= slugs
    pages = set(re.findall(r"\]\(([^)#]+)\)", text))
    assert pages
    assert {page for page in pages if not PAGE.with_name(page).is_file()} == set()


def test_no_line_is_taken_for_the_start_of_a_list() -> None:
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        assert len(line) <= WIDTH
        assert not re.match(r"\s*([+>]|\d+[.)])( |$)", line), line
        assert line.count("`") % 2 == 0, line  # code is not broken
        if line.lstrip().startswith("- "):
            assert line.startswith(("- **", "- [")), line


def test_wrapping_keeps_every_word() -> None:
    text = "- " + "x 1 - 2 + `a b c` > 3. " * 30
    assert wrapped(text, indent="  ").split() == text.split()


def test_functions_that_are_named_exist() -> None:
    import rocsteady as rs

    named = {name for entry in errata() for name in re.findall(r"`rs\.(\w+)", entry.here)}
    assert len(named) >= 12  # others are methods of what they read
    assert {name for name in named if not hasattr(rs, name)} == set()


def test_codes_of_errors_that_are_named_exist() -> None:

    from rocsteady.errors import catalogue

    named = {code for entry in errata() for code in re.findall(r"RS\d+", entry.here)}
    assert named
    assert named <= set(catalogue())


def test_headings_are_unlike_each_other() -> None:
    headings = [heading(entry) for entry in errata()]
    assert len(set(headings)) == len(headings)


# Hogan and Adams


def test_h1_equal_differences_are_unequal_ratios_and_rays_gain_area() -> None:
    h1 = numbers("H1")
    assert h1["second"] > 2 * h1["first"]
    assert h1["radial"] > h1["mean"] + 0.01
    assert h1["diagonal_eer"] == pytest.approx(h1["mean_eer"], abs=1e-12)


def test_h2_the_intersection_costs_more_than_the_optimum() -> None:
    h2 = numbers("H2")
    assert h2["optimum_cost"] < h2["all_negative_cost"] < h2["intersection_cost"]
    assert h2["intersection_tpr"] == pytest.approx(1 - h2["intersection_fpr"] / 4, abs=1e-10)
    assert h2["even_optimum_cost"] < h2["even_intersection_cost"] - 0.02
    assert round(h2["even_optimum_cost"], 3) == 0.230
    assert round(h2["even_intersection_cost"], 3) == 0.252


def test_h3_the_cost_direction_overstates_what_tuned_classifiers_cost() -> None:
    h3 = numbers("H3")
    assert h3["along"] > h3["own"] + 0.05
    assert h3["tangent"] == pytest.approx(h3["own"], abs=1e-12)


def test_h4_directions_keep_the_area_and_nothing_else_does() -> None:
    h4 = numbers("H4")
    for name in ("vertical", "diagonal", "horizontal"):
        assert h4[name] == pytest.approx(h4["mean"], abs=1e-12)
    for name in ("threshold", "radial", "tangent", "grid", "overwritten"):
        assert abs(h4[name] - h4["mean"]) > 2e-3, name
    assert h4["overwritten"] < h4["grid"]


def test_h5_two_perfect_datasets_are_not_perfect_when_pooled() -> None:
    h5 = numbers("H5")
    assert h5["own"] == 1
    assert h5["pooled"] == h5["from_pairs"] == 0.75


def test_h6_sizes_decide() -> None:
    h6 = numbers("H6")
    assert h6["equal"] < 1e-15
    assert h6["unequal"] > 0.05


def test_h7_there_is_an_interval() -> None:
    h7 = numbers("H7")
    assert 0 < h7["low"] < h7["auc"] < h7["high"] < 1


def test_h8_the_maximum_is_too_good_and_its_interval_misses() -> None:
    h8 = numbers("H8")
    assert h8["truth"] < h8["mid"] < h8["upper"]
    assert h8["covers_truth"] < 1
    assert 91 < h8["covers_mean"] < 99  # 95 less or more four binomial standard errors


def test_h9_z_covers_too_seldom() -> None:
    h9 = numbers("H9")
    assert h9["m3"] < h9["m5"] < h9["m10"] < 93


def test_h10_ranks_survive_a_change_of_scale() -> None:
    h10 = numbers("H10")
    assert h10["rank"] == h10["rank_raised"]
    assert abs(h10["value"] - h10["value_raised"]) > 0.1


def test_h11_the_printed_shares_do_not_add_up() -> None:
    h11 = numbers("H11")
    assert h11["above"] + h11["below"] < 1
    assert h11["at_least"] + h11["below"] == 1


def test_h13_the_design_decides() -> None:
    h13 = numbers("H13")
    assert 0 < h13["B"] < h13["A"] < 0.03
    assert h13["plain"] > 0.1


def test_h14_the_two_readings_differ() -> None:
    h14 = numbers("H14")
    assert h14["as_variance"] > h14["as_sd"] + 0.005


# Paclik and others


def test_p1_the_formula_is_the_paired_t_and_the_level_is_not_five() -> None:
    p1 = numbers("P1")
    assert p1["printed"] == pytest.approx(p1["paired"], abs=1e-12)
    assert p1["five"] > p1["ten"] > 6


def test_p3_some_points_do_not_vary() -> None:
    p3 = numbers("P3")
    assert 0 < p3["constant"] < p3["points"]
    assert (p3["p_equal"], p3["p_shifted"]) == (1, 0)


def test_p4_the_correction_is_larger_than_what_is_missing() -> None:
    p4 = numbers("P4")
    assert p4["factor"] == pytest.approx(math.sqrt(10 * (1 / 10 + 1 / 9)), abs=1e-12)
    assert 1 < p4["small"] < p4["factor"]
    assert 1 < p4["large"] < p4["factor"]


def test_p5_most_points_that_are_not_rejected_are_known_to_differ() -> None:
    p5 = numbers("P5")
    assert p5["kept"] / 2 < p5["known"] < p5["kept"]


def test_p6_an_adjustment_changes_the_picture() -> None:
    p6 = numbers("P6")
    assert (p6["tests"], p6["three_class_tests"]) == (29, 297)
    assert p6["holm"] > 2 * p6["plain"]


def test_p7_folds_of_unequal_size_have_another_mean() -> None:
    p7 = numbers("P7")
    assert p7["identity"] < 1e-12
    assert p7["gap"] > 1e-3


def test_p8_the_difference_lies_within_its_interval() -> None:
    p8 = numbers("P8")
    assert p8["low"] < 0 < p8["high"]
    assert p8["low"] < p8["delta"] < p8["high"]


def test_p9_a_larger_weight_on_a_negative_output_loses_the_case() -> None:
    p9 = numbers("P9")
    assert (p9["plain"], p9["heavier"]) == (1, 2)
    assert 0.25 <= p9["least"] < 0.25 + 0.01


def test_p10_chosen_errors_are_optimistic() -> None:
    p10 = numbers("P10")
    assert p10["chosen"] < p10["honest"]
    assert p10["distinct"] < 100


def test_p11_both_rules_give_the_same_points() -> None:
    p11 = numbers("P11")
    assert p11["points"] > 100
    assert p11["differing"] == 0


# Klement and others


def test_k1_only_the_ratio_of_classes_makes_equation_1_hold() -> None:
    k1 = numbers("K1")
    assert k1["ratio"] == pytest.approx(k1["mid"], abs=1e-15)
    assert k1["printed"] > k1["mid"] + 0.05


def test_k2_half_a_range_is_not_a_midpoint() -> None:
    k2 = numbers("K2")
    assert k2["mid"] == pytest.approx(0.5, abs=1e-15)
    assert k2["half_range"] < 0.5 < k2["midpoint"]


def test_k4_the_printed_algorithm_stops_short() -> None:
    k4 = numbers("K4")
    assert k4["at_mid"] > 0
    assert max(k4["end_up"], k4["end_right"]) < 1


def test_k5_and_k6_pairs_are_the_area_only_with_both_corrections() -> None:
    k5, k6 = numbers("K5"), numbers("K6")
    assert [round(k5[name], 4) for name in ("literal", "mended", "area")] == [0.2119, 0.5457, 0.5806]
    assert k6["pairs"] < k6["area"] - 0.05
    assert k6["with_ties"] == pytest.approx(k6["area"], abs=1e-12)


def test_k7_zeros_and_ones_reduce_to_roc_only_while_mid_is_in_range() -> None:
    k7 = numbers("K7")
    assert k7["mid"] > 1 >= k7["fair_mid"]
    assert (k7["smauc"], round(k7["auc"], 3)) == (0.75, 0.667)
    assert k7["fair_smauc"] == pytest.approx(k7["fair_auc"], abs=1e-15)


def test_k8_labels_do_not_matter_once_mid_exceeds_one() -> None:
    k8 = numbers("K8")
    assert k8["mid"] > 1
    assert k8["dealt"] > k8["auc"] + 0.05
    assert k8["smauc"] - k8["dealt"] < 0.02
    assert k8["dealt"] == pytest.approx(k8["chance"], abs=0.01)
    assert k8["even_dealt"] < k8["even"] - 0.1
    assert k8["even"] < k8["auc"]


def test_k9_chance_is_not_one_half() -> None:
    k9 = numbers("K9")
    assert k9["mid"] == pytest.approx(0.5, abs=0.01)
    assert k9["chance"] > 0.6
    assert k9["dealt"] == pytest.approx(k9["chance"], abs=0.01)
    assert k9["balanced"] == pytest.approx(0.5, abs=1e-12)


def test_k10_just_below_mid_earns_more() -> None:
    k10 = numbers("K10")
    assert k10["below"] - k10["above"] == pytest.approx(1 - 2 * 0.3, abs=1e-12)


def test_k11_there_is_a_case_without_area() -> None:
    k11 = numbers("K11")
    assert k11["mid"] > 1
    assert k11["debit"] == 0
    assert math.isnan(k11["smauc"])


def test_k12_neither_maps_nor_swaps_leave_it_alone() -> None:
    k12 = numbers("K12")
    assert k12["step"] < 0
    assert abs(k12["squared"] - k12["smauc"]) > 0.01
    assert abs(k12["turned"] - k12["smauc"]) > 0.005
    assert k12["even"] == pytest.approx(k12["even_turned"], abs=1e-12)


def test_k13_two_rows_of_table_1_do_not_add_up() -> None:
    k13 = numbers("K13")
    assert (k13["off"], k13["curves"]) == (2, 1040)
    assert k13["echo"] == k13["echo_n"] - 1
    assert k13["adlt"] == k13["adlt_n"] - 1


def test_k14_a_smaller_sd_tells_no_more() -> None:
    k14 = numbers("K14")
    assert k14["pressed_sd"] < k14["smauc_sd"] / 5 < k14["auc_sd"] / 5
    assert k14["pressed_ratio"] == pytest.approx(k14["smauc_ratio"], rel=0.02)


def test_k13_counts_the_files_and_not_the_table() -> None:
    k13, table = numbers("K13"), {one.abbr: one for one in all_of_table_1()}
    assert k13["hors"] - table["hors"].printed.n == 4
    assert k13["hors_pos"] + k13["hors_neg"] == k13["hors"]
    assert table["mush"].printed.features - k13["mush"] == 1


def test_thousands_are_set_apart_and_stay_on_one_line() -> None:
    assert "1 040 curves" in erratum("K13").because
    text = PAGE.read_text(encoding="utf-8")
    assert not re.search(r"\d,\d{3}", text)
    assert not re.search(r"\d\n *(?:\d{3}\b|%)", text)


# Slides and programs


def test_s1_the_order_of_tied_cases_makes_the_area() -> None:
    s1 = numbers("S1")
    assert s1["together"] == (s1["positives_first"] + s1["negatives_first"]) / 2
    assert s1["negatives_first"] < s1["together"] < s1["positives_first"]


def test_s2_only_one_formula_prints_007() -> None:
    s2 = numbers("S2")
    assert s2["least"] < s2["most"] < s2["nonparametric"] < s2["exponential"]
    assert f"{s2['exponential']:.3f}" != "0.007"
    assert 5 < s2["fits"] < 50  # per cent: neither rare nor usual


def test_s3_three_cutoffs_are_three() -> None:
    s3 = numbers("S3")
    assert (s3["youden"], s3["closest"]) == (1.4933, 1.5065)
    assert s3["population_equal"] < s3["population_closest"] < s3["population_youden"]


def test_s3_the_rows_shown_do_not_reach_equal_errors() -> None:
    s3 = numbers("S3")
    assert s3["above"] == s3["rows"] == 25
    assert s3["fpr"] > s3["fnr"]


def test_s4_no_cutoff_is_a_score() -> None:
    assert numbers("S4")["on_a_score"] == 0


def test_s5_a_curve_through_both_corners_beats_guessing() -> None:
    s5 = numbers("S5")
    assert s5["tpr"] > s5["fpr"]


def test_s5_equal_rates_are_not_equal_amounts() -> None:
    s5 = numbers("S5")
    assert s5["tp"] / s5["positives"] == s5["fp"] / s5["negatives"] == s5["half"]
    assert s5["tp"] != s5["fp"]


def test_programs_differ_from_the_definitions() -> None:
    t1, t2, t3, t4, t5 = (numbers(f"T{i}") for i in range(1, 6))
    assert t1["mean"] < t1["highest"]
    assert t1["mean_area"] < t1["area"]
    assert t2["line_fpr"] > t2["fpr"]
    assert t3["exact"] == pytest.approx(t3["mean"], abs=1e-12)
    assert abs(t3["recipe"] - t3["mean"]) > 1e-4
    assert t3["band"] > 2 * t3["error"]
    assert t4["tpr_sd"] > 2 * t4["fpr_sd"]
    assert (t5["collides"], t5["divides"]) == (1, 1)
