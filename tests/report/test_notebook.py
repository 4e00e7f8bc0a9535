"""Values in a notebook: what the page holds equals the value's numbers; it is small, inert and well-formed."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import rocsteady as rs
from every_value import HOSTILE, every_value, one_model, three_models
from rocsteady.report import svg
from rocsteady.report.notebook import notes, page, pictures, rows
from rocsteady.report.svg import Axis, Picture

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

MOST_BYTES = 60_000
TAGS = {"div", "p", "code", "figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td", "sup"}
TAGS |= {"details", "summary", "ul", "li", "svg", "g", "path", "text", "circle"}
ATTRIBUTES = {
    "style",
    "class",
    "scope",
    "colspan",
    "xmlns",
    "role",
    "aria-label",
    "width",
    "height",
    "viewBox",
}
ATTRIBUTES |= {"fill", "transform", "stroke", "d", "x", "y", "cx", "cy", "r", "font-size", "font-family"}
ATTRIBUTES |= {"text-anchor", "fill-opacity", "opacity"}
ATTRIBUTES |= {f"stroke-{part}" for part in ("opacity", "width", "dasharray", "linejoin")}


def tree(value: Any) -> ElementTree.Element:
    """The page, read by a parser that forgives nothing."""
    return ElementTree.fromstring(value._repr_html_())


def local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def texts(element: ElementTree.Element, tag: str) -> list[str]:
    found = ["".join(own.itertext()) for own in element.iter() if local(own) == tag]
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]


def many_groups(n_groups: int, n_rows: int) -> rs.ScoreSet:
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(n_groups), n_rows)
    sick = np.tile(np.arange(n_rows) < n_rows // 2, n_groups)
    return rs.ScoreSet.from_arrays(sick, sick + rng.normal(size=groups.size), groups, unit="host")


def drawn_points(data: str) -> np.ndarray[Any, Any]:
    """The corners of a path, in steps of the grid from the upper left."""
    at, points = np.zeros(2), []
    for letter, numbers in re.findall(r"([Mlhvz])([^Mlhvz]*)", data):
        if letter == "z":
            continue
        found = [float(own) for own in re.findall(r"-?\d+", numbers)]
        step = {"h": [found[0], 0.0], "v": [0.0, found[0]]}.get(letter, found)
        at = np.array(step) if letter == "M" else at + step
        points.append(at)
    return np.array(points)


def boldest(element: ElementTree.Element) -> np.ndarray[Any, Any]:
    """The first bold line, in rates."""
    path = next(own for own in element.iter() if own.get("stroke") == svg.BLUE)
    return drawn_points(path.get("d", "")) * [1, -1] / 880 + [0, 1]


def test_every_page_is_well_formed_inert_and_small() -> None:
    for name, value in every_value().items():
        found = value._repr_html_()
        root = ElementTree.fromstring(found)
        assert {local(own) for own in root.iter()} <= TAGS, name
        assert {key for own in root.iter() for key in own.attrib} <= ATTRIBUTES, name
        assert not re.search(
            r"url\(|javascript|expression|@import", " ".join(own.get("style", "") for own in root.iter())
        )
        assert len(found.encode()) < MOST_BYTES, name
        assert "\x1b" not in found, name
        assert page.FAILED not in found, name


def test_an_html_parser_reads_the_same_elements() -> None:
    class Counting(HTMLParser):
        opened: list[str] = []

        def handle_starttag(self, tag: str, attrs: Any) -> None:
            self.opened.append(tag)

    found = rs.average(one_model(), "vertical", undefined="drop")._repr_html_()
    parser = Counting()
    parser.feed(found)
    assert [tag.lower() for tag in parser.opened] == [
        local(own).lower() for own in ElementTree.fromstring(found).iter()
    ]


def test_names_are_shown_and_not_obeyed() -> None:
    found = tree(one_model())
    first = HOSTILE.split("\n")[0]
    assert any(first in cell for cell in texts(found, "td"))
    assert not any(local(own) in {"script", "b"} for own in found.iter())


def test_dollar_signs_start_no_formula() -> None:
    assert "mathjax_ignore" in str(tree(one_model()).get("class")).split()


@pytest.fixture(scope="module")
def averaged() -> tuple[Any, ElementTree.Element]:
    """An average without formulas, and its page: both are resampled, which takes a while."""
    average = rs.average(one_model(), "threshold", undefined="drop")
    return average, tree(average)


def test_the_curve_of_the_page_is_the_curve(averaged: tuple[Any, ElementTree.Element]) -> None:
    average, found = averaged
    drawn = boldest(found)
    assert drawn[0].tolist() == [0, 0]
    assert drawn[-1].tolist() == [1, 1]
    # Every corner lies on the average, and the average nowhere off the line through them.
    lowest, highest = (
        average.tpr_at(np.clip(drawn[:, 0] - 0.002, 0, 1), "lower"),
        average.tpr_at(np.clip(drawn[:, 0] + 0.002, 0, 1)),
    )
    assert np.all((drawn[:, 1] >= lowest - 0.003) & (drawn[:, 1] <= highest + 0.003))
    off = np.abs(np.interp(average.fpr + average.tpr, drawn.sum(axis=1), drawn[:, 1]) - average.tpr)
    assert off.max() < 0.005


def test_the_band_of_the_page_is_the_band(averaged: tuple[Any, ElementTree.Element]) -> None:
    average, found = averaged
    path = next(own for own in found.iter() if own.get("fill") == svg.BLUE)
    corners = drawn_points(path.get("d", "")) * [1, -1] / 880 + [0, 1]
    band = average.band()
    edges = [np.column_stack([edge.fpr, np.clip(edge.tpr, 0, 1)]) for edge in (band.lower, band.upper)]
    is_on = [np.abs(corners[:, None] - edge).max(axis=2).min(axis=1) < 1 / 880 for edge in edges]
    assert np.all(is_on[0] | is_on[1])
    assert min(own.sum() for own in is_on) > 5
    assert (corners[:, 0].min(), corners[:, 0].max()) == pytest.approx(band.fpr, abs=0.002)


def test_the_table_of_a_curve_is_what_it_reads() -> None:
    # The curve rises straight up at an FPR of 0.5: what is read there is the top.
    shown = texts(tree(rs.roc_curve([1, 0, 1, 1, 0], [5, 4, 3, 2, 1])), "tr")
    assert shown[-1].startswith("0.5001.000")
    hull = rs.roc_curve([1, 0, 1, 1, 0], [5, 4, 3, 2, 1]).hull()
    assert texts(tree(hull), "th") == ["FPR", "TPR"]  # the best corners were picked: no interval


def test_the_table_of_an_average_is_what_it_reads() -> None:
    average = rs.average(one_model(), "vertical", undefined="drop")
    shown = texts(tree(average), "tr")
    assert len(shown) == 1 + len(rows.READ_AT)
    point = average.at(fpr=rows.READ_AT[2])
    assert point.tpr_interval is not None
    assert f"{point.tpr:.3f} ({point.tpr_interval.low:.3f} to {point.tpr_interval.high:.3f})" in shown[3]


def test_the_page_says_what_the_value_means_and_how_sure_it_is() -> None:
    average = rs.average(one_model(), "vertical", undefined="drop")
    found = tree(average)
    said = " ".join(texts(found, "p"))
    interval = average.auc_interval()
    assert f"AUC {average.auc:.3f} (95 % interval {interval.low:.3f} to {interval.high:.3f})" in said
    assert repr(average) in said
    assert texts(found, "summary")[-1] == "1 undefined"
    assert "no positives" in texts(found, "li")[-1]


def test_a_caption_counts_the_curves_of_several_models() -> None:
    shown = texts(tree(rs.roc_curves(three_models())), "figcaption")
    assert shown == ["the curves of 3 models (24 curves)"]


def test_a_large_table_shows_five_rows_and_counts_the_others() -> None:
    found = tree(many_groups(30, 6))
    assert len(texts(found, "tr")) == 6
    assert "and 25 more rows" in texts(found, "p")


@pytest.mark.parametrize("n", [6, 10])
def test_a_small_table_shows_all_rows(n: int) -> None:
    found = tree(many_groups(n, 6))
    assert len(texts(found, "tr")) == n + 1
    assert not any("more row" in text for text in texts(found, "p"))


def test_ten_thousand_groups_stay_small_and_draw_sixty() -> None:
    average = rs.average(many_groups(10_000, 20), "vertical")
    written = average._repr_html_()
    assert len(written.encode()) < MOST_BYTES
    found = ElementTree.fromstring(written)
    assert "60 of the curves of 10 000 hosts" in texts(found, "figcaption")[0]
    faint = next(own for own in found.iter() if own.get("opacity") == ".3")
    assert len(faint) == 60
    first = average.curves[0]
    corners = drawn_points(faint[0].get("d", "")) * [1, -1] / 880 + [0, 1]
    assert np.allclose(corners[[0, -1]], [[0, 0], [1, 1]])
    assert np.all(np.isclose(corners[:, :1], first.fpr, atol=0.01).any(axis=1))


def test_hundreds_of_thousands_of_vertices_stay_small() -> None:
    n = 300_000
    rng = np.random.default_rng(0)
    sick = np.arange(n) % 2 == 0
    curve = rs.roc_curve(sick, rng.normal(size=n) + sick)
    assert curve.fpr.size > n / 2
    for value in (curve, curve.precision_recall(), curve.det()):
        written = value._repr_html_()
        assert len(written.encode()) < MOST_BYTES
        assert (
            len(boldest(ElementTree.fromstring(written))) > 1
        )  # a DET curve of normal scores is a straight line


def test_the_largest_page_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything at its limit at once: long names of the dearest characters, jagged curves, many notes."""

    class Largest:
        reading = '"' * 10_000
        undefined = tuple('"' * 1_000 + str(k) for k in range(50))
        notes = warnings = because = undefined

        def __repr__(self) -> str:
            return '"' * 10_000

    rng = np.random.default_rng(0)
    zigzag = [(np.linspace(0, 1, 2_500), rng.uniform(size=2_500)) for _ in range(2)]
    picture = Picture(zigzag, zigzag, [(zigzag[0], zigzag[1])] * 2, title='"' * 1_000)
    columns = {f"{k}{chr(34) * 100}": ['"' * 200] * 9 for k in range(40)}
    monkeypatch.setattr(page, "picture_of", lambda value: picture)
    monkeypatch.setattr(page, "rows_of", lambda value: rows.Rows(columns, 9))
    found = page.page(Largest())
    ElementTree.fromstring(found)
    assert 0.75 * MOST_BYTES < len(found.encode()) < MOST_BYTES


def test_what_is_warned_of_while_showing_is_told_on_the_page() -> None:
    class Warning_:
        reading = "fine"

        def __repr__(self) -> str:
            from rocsteady.errors import RocsteadyWarning

            warnings.warn(RocsteadyWarning("RS212", "too few groups.", "found: 3"), stacklevel=2)
            return "Warning_()"

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = page.page(Warning_())
    assert "RS212 too few groups. found: 3" in found


def test_a_part_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(value: object) -> Any:
        raise ZeroDivisionError("for example <b>")

    monkeypatch.setattr(page, "picture_of", broken)
    found = tree(rs.roc_curve([0, 1, 0, 1], [1, 2, 3, 4]))
    assert "RocCurve(2 positives" in texts(found, "code")[0]
    assert len(texts(found, "tr")) == 6
    assert texts(found, "li") == [f"{page.FAILED}: ZeroDivisionError: for example <b>"]


def test_many_groups_are_not_resampled_to_show_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_MOST_RESAMPLED", 20)
    found = tree(rs.average(many_groups(21, 4), "threshold"))
    assert "only when asked" in texts(found, "figcaption")[0]
    assert not any(own.get("fill") == svg.BLUE for own in found.iter())
    assert not any("interval" in text for text in texts(found, "p"))


@pytest.mark.parametrize("size", [1e-300, 1e308])
def test_scores_of_any_size_are_drawn(size: float) -> None:
    densities = rs.score_densities([0, 1] * 30, np.linspace(-1.7, 1.7, 60) * size)
    drawn = boldest(tree(densities))
    assert np.isfinite(drawn).all()
    assert len(drawn) > 4


def test_missing_numbers_interrupt_a_line_and_a_band() -> None:
    x = np.linspace(0, 1, 11)
    y = np.where(np.arange(11) == 5, np.nan, x)
    found = svg.svg(Picture([(x, y)], bands=[((x, y - 0.1), (x, y + 0.1))], reference=None))
    band, line = re.findall(r'<path d="(M[^"]*)" (?:fill|stroke)="#', found)
    assert line.count("M") == 2
    assert band.count("M") == band.count("z") == 2
    empty = svg.svg(Picture([(x, np.full(11, np.nan))], bands=[((x, x * np.nan), (x, x))], reference=None))
    assert ElementTree.fromstring(empty) is not None


def test_drawing_leaves_out_only_what_is_not_seen() -> None:
    x = np.sort(np.random.default_rng(1).uniform(size=3_000))
    y = np.sqrt(x)
    found = svg.svg(Picture([(x, y)], reference=None))
    drawn = boldest(ElementTree.fromstring(found))
    assert len(drawn) < 200
    assert np.abs(np.interp(x, drawn[:, 0], drawn[:, 1]) - y)[x > 0.01].max() < 3 / 880


def test_an_axis_cuts_off_what_lies_beyond_it() -> None:
    assert Axis("x", -1.0, 1.0).on_grid(np.array([-9.0, 0.0, 9.0])).tolist() == [0, 440, 880]
    assert Axis("x", 1.0, 1.0).on_grid(np.array([1.0])).tolist() == [0]


def test_notes_are_counted_under_their_headings() -> None:
    curves = rs.roc_curves(one_model(), undefined="drop")
    assert list(notes.notes_of(curves)) == ["1 undefined"]
    assert notes.notes_of(curves.auc_interval()) == {}


def test_a_page_needs_no_plotting_library() -> None:
    code = (
        "import sys, rocsteady as rs\n"
        "curve = rs.roc_curve([0, 1, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6])\n"
        "assert '<svg' in curve._repr_html_()\n"
        "print({'matplotlib', 'pandas', 'polars', 'sklearn', 'IPython'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_page_that_cannot_be_made_leaves_the_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(value: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(page, "page", broken)
    assert one_model()._repr_html_() is None


def test_columns_whose_names_begin_alike_are_all_shown() -> None:
    names = [f"a name of a class that is longer than a cell, number_{k}" for k in range(3)]
    labels = np.arange(30) % 3
    outputs = np.eye(3)[labels]
    found = tree(rs.MulticlassScores([names[k] for k in labels], outputs, classes=names))
    assert len(texts(found, "th")) == 4
    assert texts(found, "td")[1:4] == ["1.000", "0.000", "0.000"]


def test_a_map_of_three_models_has_a_page_and_a_table() -> None:
    found = rs.winner_map(three_models())
    assert page.FAILED not in found._repr_html_()
    assert "advantage" in rs.table(found)


def test_names_from_data_keep_their_letters_on_a_page() -> None:
    scores = rs.ScoreSet.from_arrays([0, 1, 0, 1], [1, 2, 3, 4], [0, 0, 1, 1], unit="n_site")
    assert texts(tree(rs.roc_curves(scores)), "th")[0] == "n_site"
