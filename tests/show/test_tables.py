"""Tables for papers: what is in the cells, and that names from data cannot break the markup."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from markdown_it import MarkdownIt

import rocsteady as rs
from every_value import every_value
from rocsteady.errors import UsageError
from rocsteady.show import tables
from rocsteady.show.document import Table
from rocsteady.show.tables import table
from rocsteady.text import MEDICAL, ML, Count, Gap, Limits, Number, P, Quote, Rate, phrase
from rocsteady.text import TPR as RATE

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

NASTY = [
    "a_b|c", "50 % & {x} #1 $y$", "<b>bold</b>", "[1] first", "two\nlines", "back\\slash~^", "*star* _under_",
    "漢字--é", "`code` <i>", "[text](link)", "a&lt;b", "~~out~~", "__init__", "a\\|b", "|", "$x$", "\x1b[2J",
]  # fmt: skip
SHOWN = [name.replace("\n", "\\n").replace("\x1b", "\\x1b") for name in NASTY]
CI = "(95\u00a0% CI)"


def nasty(caption: str = "") -> Table:
    """A table whose names try to break it, with numbers of every kind."""
    numbers = [
        Rate(RATE, 0.5, Limits(0.4, 0.6, 0.95)),
        P(1e-6),
        Gap(RATE, -0.1),
        Number(float("-inf")),
        Count(12345),
    ]
    rows = tuple((Quote(name), numbers[i % 5]) for i, name in enumerate(NASTY))
    heads = (phrase("{own}", own=Quote("na|me<b>\x1b")), phrase("{tpr}"))
    return Table(phrase("{own}", own=Quote(caption)) if caption else None, heads, rows)


@pytest.fixture(scope="module")
def scores():
    columns = rs.simulate.hosts(n_hosts=8, seed=1)
    return rs.ScoreSet.from_frame(
        columns, label="label", score="score", group="host", model="model", case="event", positive="attack"
    )


@pytest.fixture(scope="module")
def curves(scores):
    return rs.roc_curves(scores.model("current"), undefined="drop")


def rows_of(markdown):
    """Cells of a pipe table, headings first; a pipe within a cell is escaped."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    assert len({len(row) for row in cells}) == 1
    return [cells[0], *cells[2:]]


# What is in the cells


@pytest.mark.parametrize("format", ["markdown", "latex", "html", "text"])
def test_every_result_with_rows_is_a_table(format):
    refused = set()
    for name, value in every_value().items():
        try:
            written = table(value, format, n_rows=3)
        except UsageError:
            refused.add(name)
        else:
            assert "\x1b" not in written, name
            assert "nan" not in written.casefold().split(), name
            if format == "html":
                ElementTree.fromstring(written)
    assert refused <= {"CostRange"}


def test_curves_have_their_auc_with_its_interval_and_their_classes_are_called_by_their_labels(curves):
    headings, *rows = rows_of(table(curves))
    assert headings == ["host", "attack cases", "normal cases", f"AUC {CI}", "standard error"]
    limits = curves._columns()
    for i, row in enumerate(rows):
        assert row[0] == curves[i].name
        assert row[3].startswith(f"{curves.auc[i]:.3f} ({limits['low'][i]:.3f} to ")


def test_limits_belong_to_the_column_they_are_named_after_else_to_the_estimate_before_them(scores):
    compared = rs.compare(
        scores, "current", "candidate", at={"fpr": 0.05}, undefined="drop", method="vertical"
    )
    headings, *rows = rows_of(table(compared))
    assert headings == ["quantity", f"current {CI}", f"candidate {CI}", f"difference {CI}", "p"]
    assert [row[0] for row in rows] == ["mean AUC", "TPR at FPR 5\u00a0%"]
    chosen = rows_of(table(compared.at[0], columns=["df", "a_value", "a_low", "a_high"]))
    assert chosen[0] == ["df", f"current {CI}"]
    low, high = (100 * end for end in (compared.at[0].a_interval.low, compared.at[0].a_interval.high))
    assert chosen[1][1].endswith(f"({low:.1f} to {high:.1f})")


def test_a_vocabulary_turns_numbers_and_headings(scores):
    point = rs.average(scores.model("current"), "vertical", undefined="drop").at(fpr=0.05)
    headings, row = rows_of(table(point, words="medical"))
    assert headings == ["specificity", f"sensitivity {CI}"]
    assert row[0] == "95.0\u00a0%"
    headings, other = rows_of(table(point, words="biometric"))
    assert headings == ["FMR", f"FNMR {CI}"]
    assert float(row[1].split("\u00a0")[0]) + float(other[1].split("\u00a0")[0]) == pytest.approx(100)


def test_several_results_are_rows_with_their_names_and_their_levels(curves):
    average = rs.average(curves, "vertical")
    points = {"strict": average.at(fpr=0.05), "loose": average.at(fpr=0.2)}
    _, *rows = rows_of(table(points))
    assert [row[:2] for row in rows] == [["strict", "5.0\u00a0%"], ["loose", "20.0\u00a0%"]]
    _, *places = rows_of(table(average.at(fpr=[0.05, 0.2])))
    assert [place[0] for place in places] == [row[1] for row in rows]


def test_columns_are_chosen_in_order_and_headed(curves):
    shown = rows_of(table(curves, columns={"n_positives": "", "auc": "Area", "low": "", "high": ""}))
    assert shown[0] == ["attack cases", "Area"]
    assert rows_of(table(curves, columns=["auc", "host"]))[0] == ["AUC", "host"]


def test_rows_that_are_left_out_are_counted(curves):
    for format, said in (
        ("markdown", "… and 6 more rows"),
        ("text", "and 6 more rows"),
        ("html", "6 more rows"),
    ):
        assert said in table(curves, format, n_rows=len(curves) - 6)
    assert "more row" not in table(curves, n_rows=len(curves))
    assert r"\multicolumn{5}{c}{\ldots{} and 1 more row} \\" in table(curves, "latex", n_rows=len(curves) - 1)


def test_a_map_of_three_models_has_a_table():
    assert "advantage" in table(every_value()["WinnerMap"])


# Formats


def test_a_markdown_reader_shows_names_as_they_are():
    written = tables.markdown(nasty("1 * 2 * 3"), ML)
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(written)
    root = ElementTree.fromstring(f"<page>{page}</page>")
    assert "".join(root.find("p").itertext()) == "1 * 2 * 3"
    assert ["".join(cell.itertext()) for cell in root.iter("th")] == ["na|me<b>\\x1b", "TPR"]
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iterfind("table/tbody/tr")]
    assert [row[0] for row in rows] == SHOWN
    assert [row[1] for row in rows[:5]] == [
        "50.0\u00a0% (40.0 to 60.0)",
        "<\u00a00.001",
        "−10.0",
        "−∞",
        "12\u00a0345",
    ]


@pytest.mark.parametrize("caption", ["# x", "> x", "- x", "1. x", "12) x", "+ x", "[x]: y", "-----", "1.5 x"])
def test_a_caption_is_a_paragraph(caption):
    page = MarkdownIt("commonmark").enable("table").render(tables.markdown(nasty(caption), ML))
    root = ElementTree.fromstring(f"<page>{page}</page>")
    assert [own.tag for own in root] == ["p", "table"]
    assert "".join(root[0].itertext()) == caption


@pytest.mark.parametrize("format", ["markdown", "latex", "html", "text"])
def test_a_heading_and_a_name_stay_on_one_line(format, curves):
    one = table(curves, format, columns={"auc": "two lines"}, caption="one two", n_rows=2)
    assert table(curves, format, columns={"auc": "two\n\nlines"}, caption="one\n\ntwo", n_rows=2) == one
    assert len(tables.text(nasty(), ML).splitlines()) == 2 + len(NASTY)


def test_html_is_well_formed_and_shows_names_as_they_are():
    root = ElementTree.fromstring(tables.html(nasty("<i> & more"), ML, "tab:x"))
    assert root.get("id") == "tab:x"
    assert root.findtext("caption") == "<i> & more"
    assert [row[0].text for row in root.iter("tr")][1:] == SHOWN
    assert {own.tag for own in root.iter()} == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert {key for own in root.iter() for key in own.attrib} == {"class", "id", "scope", "style"}


def test_text_is_aligned():
    lines = tables.text(nasty("Of two"), MEDICAL).splitlines()
    assert lines[:2] == ["Of two", ""]
    assert lines[2].endswith("sensitivity")
    assert {len(line) for line in lines[2:4]} <= {tables._width(line) for line in lines[4:]}


def unescaped(latex, sign):
    return re.findall(rf"(?<!\\){re.escape(sign)}", latex)


def test_latex_has_the_rules_of_booktabs_and_as_many_cells_as_columns():
    lines = [line.strip() for line in tables.latex(nasty("100 % of $5"), ML, "tab:all_groups").splitlines()]
    assert lines[:6] == [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\caption{100 \% of \$5}",
        r"\label{tab:all_groups}",
        r"\begin{tabular}{lr}",
    ]
    assert [line for line in lines if line.endswith("rule")] == [r"\toprule", r"\midrule", r"\bottomrule"]
    assert lines[-2:] == [r"\end{tabular}", r"\end{table}"]
    body = [line for line in lines if line.endswith(r"\\")]
    assert len(body) == 1 + len(NASTY)
    for line in body:
        assert len(unescaped(line, "&")) == 1
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
        ("cafe\u0301", "caf\u00e9"),
    ],
)
def test_latex_spells_names_as_they_are(name, written):
    made = Table(None, (phrase("name"),), ((Quote(name),),))
    assert tables.latex(made, ML).splitlines()[-3].strip() == rf"{written} \\"


# Refusals


@pytest.mark.parametrize("value", [3, "text", [], {}, [1, 2], None, {"a": [1]}, np.eye(2), rs.RocCurve])
def test_what_has_no_rows_is_refused(value):
    with pytest.raises(rs.RocsteadyError, match="RS002: a table is made from a value with rows"):
        table(value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "md"}, "RS001.*\n.*\n.*format='markdown'"),
        ({"format": ".docx"}, r"(?s)RS001.*Word.*format='html'"),
        ({"columns": ["aus"]}, "RS001.*\n.*\n.*columns='auc'"),
        ({"columns": "auc"}, "RS002: columns must be a list"),
        ({"label": "a b"}, "RS001: a label"),
        ({"n_rows": 0}, "RS042: n_rows"),
        ({"caption": 3}, "RS002: caption must be a text"),
        ({"words": "legal"}, "RS001"),
    ],
)
def test_wrong_options_say_what_to_type(curves, options, message):
    with pytest.raises(rs.RocsteadyError, match=message):
        table(curves, **options)


def test_names_from_data_keep_their_letters():
    sick, groups = np.tile(np.arange(20) < 8, 8), np.repeat(np.arange(8), 20)
    noise = np.random.default_rng(0).normal(size=(2, 160))
    scores = {"n_trees": sick + noise[0], "auc_2": sick + noise[1]}
    both = rs.ScoreSet.from_arrays(sick, scores, groups, unit="site_id")
    assert rows_of(table(rs.roc_curves(both)))[0][1] == "site_id"
    compared = rs.compare(both, "n_trees", "auc_2", method="vertical").per_group
    assert rows_of(table(compared))[0] == ["site_id", "n_trees AUC", "auc_2 AUC", "difference"]
