"""Tables for papers: what is in the cells, and that names from data cannot break the markup."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import rocsteady as rs
from rocsteady.advice.advise import CostRange
from rocsteady.errors import UsageError
from rocsteady.report.tables import table
from rocsteady.statistics.limits import Interval

NASTY = [
    "a_b|c",
    "50 % & {x} #1 $y$",
    "<b>bold</b>",
    "[1] first",
    "two\nlines",
    "back\\slash~^",
    "*star* _under_",
    "漢字--é",
]


@pytest.fixture(scope="module")
def scores():
    columns = rs.simulate.hosts(n_hosts=8, seed=1)
    return rs.ScoreSet.from_frame(
        columns, label="label", score="score", group="host", model="model", case="event", positive="attack"
    )


@pytest.fixture(scope="module")
def curves(scores):
    return rs.roc_curves(scores.model("current"), undefined="drop")


DIFFERENCE = ["difference", "low", "high"]


def headings_of(value):
    return rows_of(table(value))[0]


def rows_of(markdown):
    """Cells of a pipe table, headings first; a pipe within a cell is escaped."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    assert len({len(row) for row in cells}) == 1
    return [cells[0], *cells[2:]]


# -- what is in the cells ---------------------------------------------------------------------------------


def test_curves_have_their_auc_with_its_interval(curves):
    headings, *rows = rows_of(table(curves))
    assert headings == ["host", "positives", "negatives", "AUC (95\u00a0% interval)", "standard error"]
    limits = curves._columns()
    for i, row in enumerate(rows):
        expected = f"{curves.auc[i]:.3f} ({limits['low'][i]:.3f} to {limits['high'][i]:.3f})"
        assert row[:4] == [curves[i].name, str(curves.n_positives[i]), str(curves.n_negatives[i]), expected]


def test_limits_belong_to_the_column_they_are_named_after_else_to_the_estimate_before_them(scores):
    compared = rs.compare(scores, "current", "candidate", undefined="drop", method="vertical")
    found = compared.differences[0]
    assert table(compared).splitlines()[0].count("95\u00a0% interval") == 3
    assert headings_of(compared) == headings_of([found])
    headings, row = rows_of(table([found], columns=["df", "a_value", "a_low", "a_high", *DIFFERENCE]))
    cells = dict(zip(headings, row, strict=True))
    limits = f"({found.a_interval.low:.3f} to {found.a_interval.high:.3f})"
    assert cells["current (95\u00a0% interval)"] == f"{found.a_value:.3f} {limits}"
    low, high = (f"{own:.3f}".replace("-", "−") for own in (found.interval.low, found.interval.high))
    assert cells["difference (95\u00a0% interval)"].endswith(f" ({low} to {high})")
    assert cells["df"] == f"{found.df:.0f}"


def test_a_comparison_has_the_columns_of_a_paper_and_its_models_in_the_headings(scores):
    level = "(95\u00a0% interval)"
    pair = rs.compare(scores, "current", "candidate", at={"fpr": 0.05}, undefined="drop", method="vertical")
    expected = [f"{word} {level}" for word in ("current", "candidate", "difference")]
    assert headings_of(pair) == ["quantity", *expected, "p"]
    assert headings_of({"here": pair}) == ["", "quantity", *expected, "p"]
    assert rows_of(table(pair, columns=["a", "statistic"]))[0] == ["first", "statistic"]
    several = rs.compare(three_models(scores), undefined="drop", method="vertical")
    found = headings_of(several)
    assert found[:4] == ["quantity", "first", "second", f"first value {level}"]
    assert found[-2:] == ["p", "adjusted p"]
    assert {"statistic", "method"} <= set(several.to_frame().columns)


def three_models(scores):
    rows = scores.to_frame()
    third = rows[rows["model"] == "current"].assign(model="third")
    third["score"] = third["score"].round(1)
    names = {"label": "is_positive", "score": "score", "group": "host", "model": "model", "case": "case"}
    return rs.ScoreSet.from_frame(pd.concat([rows, third]), **names)


def test_reader_studies_have_the_columns_of_a_paper():
    rng = np.random.default_rng(0)
    reader, modality, case = (own.ravel() for own in np.indices((4, 3, 40)))
    rows = {"reader": reader, "modality": np.array(["film", "CT", "AI"])[modality], "case": case}
    rows |= {"label": case % 2, "score": case % 2 + rng.normal(size=480)}
    rows = {name: own[(modality < 2) | (reader == 0)] for name, own in rows.items()}
    study = rs.ScoreSet.from_frame(
        rows, label="label", score="score", group="reader", model="modality", case="case"
    )
    level = "(95\u00a0% interval)"
    alone = rs.compare_readers(study, standalone="AI")
    mean = ["mean of readers", f"difference {level}"]
    assert headings_of(alone) == ["modality", "AI", *mean, "p", "adjusted p"]
    pair = ["first", "second", "first value", "second value"]
    assert headings_of(alone.per_reader) == ["reader", *pair, mean[1], "p"]
    compared = rs.compare_readers(study, modalities=["film", "CT"])
    values = [f"{name} {level}" for name in ("film", "CT", "difference")]
    assert headings_of(compared) == ["quantity", *values, "p"]
    assert headings_of(compared.per_reader) == ["reader", "film", "CT", values[-1], "p"]
    assert headings_of(compared.per_modality) == ["modality", f"value {level}", "readers"]


def test_a_cutoff_and_its_measures_are_spelled_out():
    labels = np.arange(40) % 2
    cut = rs.choose_cutoff(rs.roc_curve(labels, np.arange(40) % 7 + 2 * labels), "youden")
    level = "(95\u00a0% interval)"
    found = headings_of(cut.intervals(n_resamples=400))
    assert found[0] == f"threshold {level}"
    assert f"FPR {level}" in found
    measures = [row[0] for row in rows_of(table(cut.two_by_two()))[1:]]
    assert measures[2:6] == [
        "positive predictive value",
        "negative predictive value",
        "positive likelihood ratio",
        "negative likelihood ratio",
    ]


def test_decimals_beside_limits_are_fixed():
    given = {"difference": [0.00029], "low": [-0.103], "high": [0.104]}
    assert rows_of(table(given))[1] == ["0.000 (−0.103 to 0.104)"]


@pytest.mark.parametrize("format", ["docx", "Word", ".odt"])
def test_word_processors_take_html(format):
    with pytest.raises(UsageError, match=r"(?s)RS001.*Word.*format='html'"):
        table({"a": [1]}, format)


def test_limits_right_after_a_column_of_the_same_stem_are_its_own():
    given = {"auc": [0.9], "auc_difference": [-0.1], "auc_low": [-0.2], "auc_high": [0.0]}
    assert rows_of(table(given))[1] == ["0.900", "−0.100 (−0.200 to 0.000)"]


def test_limits_are_never_of_a_count_or_a_standard_error():
    given = {
        "auc": [0.9],
        "standard_error": [0.1],
        "n_positives": [3.5],
        "df": [2.5],
        "low": [0.7],
        "high": [1.0],
    }
    assert rows_of(table(given))[1] == ["0.900 (0.700 to 1.000)", "0.100", "3.500", "2.5"]


def test_a_single_result_is_a_row_of_its_numbers_without_its_sentences_and_lists(curves):
    cutoff = rs.choose_cutoff(curves[0], "youden")
    headings, row = rows_of(table(cutoff))
    assert headings[:3] == ["threshold", "FPR", "TPR"]
    assert "all optima" not in headings
    assert row[1:3] == [f"{cutoff.fpr:.3f}", f"{cutoff.tpr:.3f}"]
    interval = Interval(0.25, 0.75, 0.9, "t")
    assert rows_of(table(interval)) == [["90\u00a0% interval", "method"], ["0.250 to 0.750", "t"]]


def test_the_smaller_limit_comes_first_also_where_worse_is_higher():
    assert rows_of(table({"fpr": [0.1], "lower_fpr": [0.2], "upper_fpr": [0.05]}))[1] == [
        "0.100 (0.050 to 0.200)"
    ]


def test_limits_of_nothing_in_the_table_are_a_column_of_their_own():
    headings, row = rows_of(table({"auc": [0.5], "simultaneous_lower": [0.25], "simultaneous_upper": [0.75]}))
    assert headings == ["auc", "simultaneous (interval)"]
    assert row == ["0.500", "0.250 to 0.750"]


def test_no_brackets_where_limits_are_not_known_or_the_rate_is_held(curves):
    unknown = {"auc": [0.5, 0.6], "low": [np.nan, 0.4], "high": [np.nan, 0.7]}
    assert [row[0] for row in rows_of(table(unknown))] == [
        "auc (interval)",
        "0.500",
        "0.600 (0.400 to 0.700)",
    ]
    assert rows_of(table({"auc": [0.5], "low": [np.nan], "high": [np.nan]})) == [["auc"], ["0.500"]]
    band = rs.average(curves, "vertical").band()
    headings, *_ = rows_of(table(band, n_rows=9))
    assert headings == ["FPR", "TPR (95\u00a0% interval)"]


@pytest.mark.parametrize(
    ("name", "values", "cells"),
    [
        ("pvalue", [0.0004, 0.04, 1.0, np.nan], ["< 0.001", "0.040", "1.000", "–"]),
        ("n", [1, 18590, None, -5], ["1", "18\u00a0590", "–", "−5"]),
        ("threshold", [np.inf, 2.25, -np.inf], ["∞", "2.250", "−∞"]),
        ("threshold", [np.inf, 5.0, 1.0], ["∞", "5", "1"]),
        ("fpr", [0.0, 0.00037, 1.0], ["0.000", "0.00037", "1.000"]),
        ("fpr", [2e-8, 0.5], ["2.0 × 10<sup>−8</sup>", "0.500"]),
        ("tpr", [0.0, 1.0], ["0.000", "1.000"]),
        ("score", [1234.5678], ["1\u00a0234.57"]),
        ("score", [12345.678, 0.5], ["12\u00a0345.7", "0.5"]),
        ("score", [0.00012345, 0.00002], ["0.000123", "0.000020"]),
        ("difference", [-0.0, -1e-17, -0.25], ["0.000", "0.000", "−0.250"]),
        ("difference", [0.00029, -0.00002, -0.25], ["0.000", "0.000", "−0.250"]),
        ("same", [True, np.False_, None], ["yes", "no", "–"]),
        ("p", [0, 1], ["< 0.001", "1.000"]),
        ("day", np.array(["2020-01-01", "NaT"], "M8[ns]"), ["2020-01-01", "–"]),
        ("time", np.array(["2020-01-01T10:30", "NaT"], "M8[ns]"), ["2020-01-01 10:30:00", "–"]),
        ("masked", np.ma.array([1.5, 2.0], mask=[0, 1]), ["1.500", "–"]),
        ("long", np.array([0.1], np.longdouble), ["0.100"]),
        ("joined", ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645\u200c"], ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"]),
        ("df", [21.4567, np.inf], ["21.5", "∞"]),
        ("mixed", ["a", 0.5, 2], ["a", "0.500", "2"]),
    ],
)  # fmt: skip
def test_numbers_as_papers_print_them(name, values, cells):
    _, *rows = rows_of(table({name: values}))
    assert [row[0] for row in rows] == cells


def test_digits_are_decimals_and_the_bound_of_p_values_goes_with_them():
    _, row = rows_of(table({"auc": [0.98765], "pvalue": [0.004]}, digits=2))
    assert row == ["0.99", "< 0.01"]
    assert rows_of(table({"pvalue": [0.4, 0.004]}, digits=0))[1:] == [["0.40"], ["< 0.01"]]


@pytest.mark.parametrize(
    ("digits", "cell"), [(0, "0.12"), (1, "0.1"), (6, "0.123457"), (12, "0.123456789012")]
)
def test_more_digits_are_more_digits(digits, cell):
    assert rows_of(table({"auc": [0.123456789012, 5.5]}, digits=digits))[1] == [cell]


def test_first_and_last_rows_and_how_many_are_between():
    _, *rows = rows_of(table({"i": np.arange(100) * 0.5, "j": list(range(100))}, n_rows=5))
    assert [row[1] for row in rows] == ["0", "1", "2", "", "98", "99"]
    assert rows[3][0] == "… and 95 more rows"
    assert "more row" not in table({"i": range(5)}, n_rows=5)
    assert rows_of(table({"i": range(3)}, n_rows=1))[1:] == [["0"], ["… and 2 more rows"]]


def test_columns_are_chosen_in_order_and_headed():
    given = {"auc": [0.5], "low": [0.4], "high": [0.6], "n": [3]}
    assert rows_of(table(given, columns=["n", "auc"])) == [["n", "auc"], ["3", "0.500"]]
    headed = table(given, columns={"auc": "Area", "low": "", "high": None})
    assert rows_of(headed) == [["Area"], ["0.500 (0.400 to 0.600)"]]


def test_results_by_name_and_results_at_several_places(curves):
    average = rs.average(curves, "vertical")
    points = {"strict": average.at(fpr=0.05), "loose": average.at(fpr=0.2)}
    _, *rows = rows_of(table(points))
    assert [row[:2] for row in rows] == [["strict", "0.050"], ["loose", "0.200"]]
    _, *places = rows_of(table(average.at(fpr=[0.05, 0.2])))
    assert [place[:2] for place in places] == [row[1:3] for row in rows]


def test_data_frames_and_their_index():
    import polars as pl

    frame = pd.DataFrame({"model": ["a", "a", "b"], "auc": [0.5, 0.6, np.nan], "when": pd.NaT})
    assert rows_of(table(frame))[3] == ["b", "–", "–"]
    assert table(pl.from_pandas(frame)) == table(frame) == table(pl.from_pandas(frame).lazy())
    assert rows_of(table(frame.groupby("model")[["auc"]].mean()))[1] == ["a", "0.550"]
    assert rows_of(table({"auc": frame["auc"][::-1]}))[1] == ["–"]


def test_any_name_of_a_pandas_column():

    columns = pd.MultiIndex.from_tuples([("auc", "mean"), ("auc", 2)])
    assert rows_of(table(pd.DataFrame([[0.5, 1]], columns=columns)))[0] == ["auc mean", "auc 2"]
    for doubled in (
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        pd.DataFrame({"a": [1]}, index=pd.Index(["x"], name="a")),
        {"1": [1], 1: [2]},
    ):
        with pytest.raises(
            rs.RocsteadyError, match=r"RS002: two columns of a table have one name\.\n  found: (a|1)\n"
        ):
            table(doubled)


@pytest.mark.parametrize(
    "limits", [{"low": ["c", "d"], "high": ["e", "f"]}, {"low": ["c", 0.5], "high": [0.6, "f"]}]
)
def test_only_numbers_are_limits(limits):
    assert rows_of(table({"auc": [0.5, 0.6]} | limits))[0] == ["auc", "low", "high"]


def test_a_plan_has_the_rows_of_its_table_also_without_pandas(monkeypatch):
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
    of_pilot = {"modality_reader": 0.0002, "var": 0.0008, "cov1": 0.00035, "cov2": 0.00034, "cov3": 0.00024}
    plan = rs.plan(of_pilot | {"n_cases": 114, "n_readers": 5}, difference=0.05, n_readers=[6, 8])
    assert rows_of(table(plan))[1:] == rows_of(table(plan.table))[1:]


def test_scores_have_one_row_per_case(scores):
    assert "… and " in table(scores, n_rows=2)
    headings, *_ = rows_of(table(scores[0], n_rows=2))
    assert headings[-1] == "score"


# -- formats ----------------------------------------------------------------------------------------------


def test_a_markdown_reader_shows_names_as_they_are():
    from markdown_it import MarkdownIt

    names = [
        *NASTY,
        "`code` <i>",
        "[text](link)",
        "a&lt;b",
        "~~out~~",
        "__init__",
        "a\\|b",
        "1 < 2",
        "|",
        "$x$",
    ]
    text = table(
        {"na|me": names, "auc": np.linspace(0, 1, len(names)), "q": [2e-8] * len(names)}, caption="1 * 2 * 3"
    )
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text)
    root = ElementTree.fromstring(f"<page>{page}</page>")
    assert "".join(root.find("p").itertext()) == "1 * 2 * 3"
    assert ["".join(cell.itertext()) for cell in root.iter("th")] == ["na|me", "auc", "q"]
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iterfind("table/tbody/tr")]
    assert [row[0] for row in rows] == [" ".join(name.split()) for name in names]
    assert rows[0][1:] == ["0.000", "2.00 × 10−8"]
    assert text.count(r"\$x\$") == 1  # mathematics in notebooks and on GitHub
    assert {cell.get("style") for cell in root.iterfind("table/tbody/tr/td[2]")} == {"text-align:right"}


@pytest.mark.parametrize("format", ["markdown", "latex", "html", "text"])
def test_a_heading_and_a_name_stay_on_one_line(format):
    broken = table({"two\n\nlines\x1b[2J": ["a\r\nb\u2028c", "d\te\x00"]}, format, caption="one\n\ntwo\x1b")
    whole = table({"two lines[2J": ["a b c", "d e"]}, format, caption="one two")
    assert broken == whole


@pytest.mark.parametrize("caption", ["# x", "> x", "- x", "1. x", "12) x", "+ x", "[x]: y", "-----", "1.5 x"])
def test_a_caption_is_a_paragraph(caption):
    from markdown_it import MarkdownIt

    page = MarkdownIt("commonmark").enable("table").render(table({"a": [1]}, caption=caption))
    root = ElementTree.fromstring(f"<page>{page}</page>")
    assert [own.tag for own in root] == ["p", "table"]
    assert "".join(root[0].itertext()) == caption


def test_html_is_well_formed_and_shows_names_as_they_are():
    given = {"name": NASTY, "auc": np.linspace(0, 1, len(NASTY)), "p|value": [1e-9] * len(NASTY)}
    root = ElementTree.fromstring(table(given, "html", caption="<i> & more", label="tab:x"))
    assert root.get("id") == "tab:x"
    assert root.findtext("caption") == "<i> & more"
    shown = [row[0].text for row in root.iter("tr")][1:]
    assert shown == [" ".join(name.split()) for name in NASTY]
    assert {cell.get("style") for cell in root.iterfind("tbody/tr/td[2]")} == {
        "text-align:right;white-space:nowrap"
    }
    assert root.findtext("tbody/tr/td[3]/sup") == "−9"


def test_html_of_a_notebook_has_five_rows_and_the_number_of_the_others(curves):
    root = ElementTree.fromstring(table(curves[0], "html", n_rows=5))
    rows = list(root.iterfind("tbody/tr"))
    assert len(rows) == 6
    assert rows[3][0].text == f"… and {len(curves[0].fpr) - 5} more rows"
    assert rows[3][0].get("colspan") == "5"
    assert [cell.text for cell in root.iterfind("thead/tr/th")][3:] == ["FPR", "TPR"]


def test_text_is_aligned_and_without_special_signs_in_numbers():
    given = {
        "name": ["漢字", "b", "–"],
        "t": [np.inf, -0.5, np.nan],
        "p": [2e-8, 0.5, 0.25],
        "q": [2e-8, 1, 0.5],
    }
    lines = table(given, "text", caption="Of two").splitlines()
    assert lines[:2] == ["Of two", ""]
    assert lines[2:] == [
        "name       t        p       q",
        "----  ------  -------  ------",
        "漢字     inf  < 0.001  2.0e-8",
        "b     -0.500    0.500   1.000",
        "-          -    0.250   0.500",
    ]


def unescaped(latex, sign):
    return re.findall(rf"(?<!\\){re.escape(sign)}", latex)


def test_latex_has_the_rules_of_booktabs_and_as_many_cells_as_columns():
    n = len(NASTY)
    given = {"name": NASTY, "auc": np.linspace(0, 1, n), "threshold": [np.inf, -np.inf, *[1.5] * (n - 2)]}
    latex = table(given, "latex", n_rows=6, caption="100 % of $5", label="tab:all_groups")
    lines = [line.strip() for line in latex.splitlines()]
    assert lines[:6] == [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\caption{100 \% of \$5}",
        r"\label{tab:all_groups}",
        r"\begin{tabular}{lrr}",
    ]
    assert [line for line in lines if line.endswith("rule")] == [r"\toprule", r"\midrule", r"\bottomrule"]
    assert lines[-2:] == [r"\end{tabular}", r"\end{table}"]
    body = [line for line in lines if line.endswith(r"\\")]
    assert len(body) == 1 + 6 + 1
    assert body[4] == rf"\multicolumn{{3}}{{c}}{{\ldots{{}} and {n - 6} more rows}} \\"
    for line in body:
        spans = r"\multicolumn{3}{c}" in line
        assert len(unescaped(line, "&")) == (0 if spans else 2)
        assert not unescaped(line, "%")
        assert len(unescaped(line, "$")) % 2 == 0
        assert len(unescaped(line, "{")) == len(unescaped(line, "}"))
        assert not re.match(r"[\[*]", line)  # would be taken as an option of the row before


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("[1] first", "{[}1] first"),
        ("*star*", "{*}star*"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("2019–2021", "2019--2021"),
        ("back\\slash~^", r"back\textbackslash{}slash\textasciitilde{}\textasciicircum{}"),
        ("x_1 < {y}", r"x\_1 \textless{} \{y\}"),
        ("#1 & 50 % of $2", r"\#1 \& 50 \% of \$2"),
    ],
)
def test_latex_spells_names_as_they_are(name, written):
    assert table({"name": [name]}, "latex").splitlines()[-3].strip() == rf"{written} \\"


def test_latex_numbers():
    line = table(
        {"t": [np.inf], "u": [-np.inf], "v": [-0.5], "w": [2e-8], "n": [12345], "z": [np.nan], "i": [0]},
        "latex",
    )
    cells = line.splitlines()[-3].strip().removesuffix(r" \\").split(" & ")
    assert cells == [r"$\infty$", r"$-$$\infty$", "$-$0.500", r"$2.00 \times 10^{-8}$", r"12\,345", "--", "0"]
    assert table({"a": [1]}, "latex").startswith("% \\usepackage{booktabs}\n\\begin{tabular}{r}\n")


# -- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [3, "text", [], {}, [1, 2], None, {"a": 3}, {"a": "text"}, np.eye(2)])
def test_what_has_no_rows_is_refused(value):
    with pytest.raises(rs.RocsteadyError, match="RS002: a table is made from a value with rows"):
        table(value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "md"}, "RS001.*\n.*\n.*format='markdown'"),
        ({"columns": ["aus"]}, "RS001.*\n.*\n.*columns='auc'"),
        ({"columns": "auc"}, "RS002: columns must be a list"),
        ({"label": "a b"}, "RS001: a label"),
        ({"n_rows": 0}, "RS042: n_rows"),
        ({"digits": 1.5}, "RS042: digits"),
        ({"digits": 16}, "RS042: digits must be at most 15"),
        ({"caption": 3}, "RS002: caption must be a text"),
        ({"label": 3}, "RS002: label must be a text"),
    ],
)
def test_wrong_options_say_what_to_type(curves, options, message):
    with pytest.raises(rs.RocsteadyError, match=message):
        table(curves, **options)


def test_no_caption_and_no_columns():

    assert table({"a": [1]}, "latex", caption=None, label=None) == table({"a": [1]}, "latex")
    with pytest.raises(rs.RocsteadyError, match="RS002: a table is made from a value with rows"):
        table(pd.DataFrame())
    with pytest.raises(rs.RocsteadyError, match="RS002: a table is made from a value with rows"):
        table(CostRange((), (), (), ()))


def test_columns_of_unequal_length_are_refused():
    with pytest.raises(rs.RocsteadyError, match="RS002: the columns of a table are equally long"):
        table({"a": [1], "b": [1, 2]})


# -- names and limits that look like others ---------------------------------------------------------------


def test_names_from_data_keep_their_letters():
    sick, groups = np.tile(np.arange(20) < 8, 8), np.repeat(np.arange(8), 20)
    noise = np.random.default_rng(0).normal(size=(2, 160))
    scores = {"n_trees": sick + noise[0], "auc_2": sick + noise[1]}
    both = rs.ScoreSet.from_arrays(sick, scores, groups, unit="site_id")
    assert rows_of(table(rs.roc_curves(both)))[0][1] == "site_id"
    compared = rs.compare(both, "n_trees", "auc_2", method="vertical").per_group
    assert rows_of(table(compared))[0] == ["site_id", "n_trees AUC", "auc_2 AUC", "difference"]
    named = rs.ScoreSet.from_arrays(sick, scores, groups, unit="difference")
    found = rs.compare(named, "n_trees", "auc_2", method="vertical").per_group.to_frame()
    assert found.shape == (8, 4)  # the groups and the differences are two columns


def test_levels_that_differ_are_a_column(curves):
    several = {"wide": curves[0].auc_interval(0.99), "usual": curves[0].auc_interval()}
    headings, *rows = rows_of(table(several))
    assert headings[-1] == "confidence level"
    assert [row[-1] for row in rows] == ["0.990", "0.950"]
    assert "confidence level" not in rows_of(table(dict.fromkeys(several, several["usual"])))[0]


@pytest.mark.parametrize(
    ("columns", "headings"),
    [
        ({"low": [1.5], "medium": [2.5], "high": [3.5]}, ["low", "medium", "high"]),
        ({"auc": [0.5], "n": [20.0], "low": [0.4], "high": [0.6]}, ["auc (interval)", "n"]),
        ({"auc": [0.5], "auc_sd": [0.1], "auc_low": [0.4], "auc_high": [0.6]}, ["auc (interval)", "auc_sd"]),
        (
            {"tpr": [0.5], "tpr_low": [0.4], "tpr_high": [0.6], "low": [0.1], "high": [0.2]},
            ["tpr (interval)", "interval"],
        ),
    ],
)
def test_limits_are_of_an_estimate_that_lies_between_them(columns, headings):
    assert rows_of(table(columns))[0] == headings


def test_an_index_of_several_levels_without_names():
    index = pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])
    assert rows_of(table(pd.DataFrame({"auc": [0.5, 0.6]}, index=index)))[0] == ["level 0", "level 1", "auc"]


def test_a_class_has_no_rows_and_an_accent_is_one_letter_with_its_own():
    for nothing in (rs.RocCurve, {"auc": np.array(0.5)}, {"auc": b"text"}):
        with pytest.raises(rs.RocsteadyError, match="RS002"):
            table(nothing)
    assert "caf\u00e9" in table({"name": ["cafe\u0301"]}, "latex")
