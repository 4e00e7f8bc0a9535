"""Values in a notebook: small, inert and well-formed, with the value's own numbers; a study shows its answer."""

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
from rocsteady.figures.spec import Faint, Line, Panel, Picture, share_axis
from rocsteady.show import notebook
from rocsteady.show.document import Table
from rocsteady.text import Quote, phrase

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

MOST_BYTES = 60_000
TAGS = {"div", "p", "code", "figure", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "ul"}
TAGS |= {"li", "svg", "g", "path", "text", "tspan", "circle", "rect", "title", "desc", "defs", "clipPath"}
TAGS |= {"pattern", "line", "polygon", "polyline", "caption"}
REFUSED = {
    "script",
    "style",
    "iframe",
    "object",
    "embed",
    "link",
    "img",
    "image",
    "foreignObject",
    "use",
    "a",
}


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


def test_every_page_is_well_formed_inert_and_small() -> None:
    for name, value in every_value().items():
        found = value._repr_html_()
        root = ElementTree.fromstring(found)
        tags = {local(own) for own in root.iter()}
        assert not tags & REFUSED, name
        assert tags <= TAGS, name
        attributes = {key for own in root.iter() for key in own.attrib}
        assert not [key for key in attributes if key.startswith("on") or "href" in key or key == "src"], name
        styles = " ".join(own.get("style", "") for own in root.iter())
        assert not re.search(r"url\(|javascript|expression|@import", styles), name
        assert len(found.encode()) < MOST_BYTES, name
        assert "\x1b" not in found, name
        assert notebook.FAILED not in found, name


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


def test_names_from_data_keep_their_letters_on_a_page() -> None:
    scores = rs.ScoreSet.from_arrays([0, 1, 0, 1], [1, 2, 3, 4], [0, 0, 1, 1], unit="n_site")
    assert texts(tree(rs.roc_curves(scores)), "th")[0] == "n_site"


def test_the_page_says_what_the_value_means_and_reads_it_at_five_rates() -> None:
    average = rs.average(one_model(), "vertical", undefined="drop")
    found = tree(average)
    interval = average.auc_interval()
    said = " ".join(texts(found, "p"))
    assert f"AUC {average.auc:.3f} (95 % CI {interval.low:.3f} to {interval.high:.3f})" in said
    assert repr(average) in said
    shown = texts(found, "tr")
    assert len(shown) == 1 + len(notebook.READ_AT)
    point = average.at(fpr=notebook.READ_AT[2])
    assert f"{100 * point.tpr:.1f} %" in shown[3]
    assert texts(found, "summary")[-1] == "1 undefined"
    assert "no positives" in texts(found, "li")[-1]


def test_a_curve_without_intervals_is_read_without_them() -> None:
    shown = texts(tree(rs.roc_curve([1, 0, 1, 1, 0], [5, 4, 3, 2, 1])), "tr")
    assert shown[-1].startswith("50.0 %100.0 %")
    hull = rs.roc_curve([1, 0, 1, 1, 0], [5, 4, 3, 2, 1]).hull()
    assert texts(tree(hull), "th") == ["FPR", "TPR"]  # the best corners were picked: no interval


def test_a_large_table_shows_five_rows_and_counts_the_others() -> None:
    found = tree(many_groups(30, 6))
    assert len(texts(found, "tr")) == 1 + 5 + 1
    assert "… and 25 more rows" in texts(found, "td")
    small = tree(many_groups(10, 6))
    assert len(texts(small, "tr")) == 11
    assert not any("more row" in text for text in texts(small, "td"))


def test_ten_thousand_groups_stay_small_and_are_not_resampled() -> None:
    average = rs.average(many_groups(10_000, 20), "threshold")
    written = average._repr_html_()
    assert len(written.encode()) < MOST_BYTES
    assert "pointwise" not in written
    assert " CI " not in " ".join(texts(ElementTree.fromstring(written), "p"))


def test_hundreds_of_thousands_of_vertices_stay_small() -> None:
    n = 300_000
    rng = np.random.default_rng(0)
    sick = np.arange(n) % 2 == 0
    curve = rs.roc_curve(sick, rng.normal(size=n) + sick)
    assert curve.fpr.size > n / 2
    for value in (curve, curve.precision_recall(), curve.det()):
        written = value._repr_html_()
        assert len(written.encode()) < MOST_BYTES
        assert "<svg" in written


def test_the_largest_page_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything at its limit at once: long names of the dearest characters, jagged curves, many notes."""

    class Largest:
        reading = '"' * 10_000
        undefined = tuple('"' * 1_000 + str(k) for k in range(50))
        notes = warnings = because = undefined

        def __repr__(self) -> str:
            return '"' * 10_000

    rng = np.random.default_rng(0)
    zigzag = [(np.linspace(0, 1, 250), rng.uniform(size=250)) for _ in range(100)]
    marks = (Faint(zigzag), Line(*zigzag[0]))
    picture = Picture((Panel(share_axis(None), share_axis(None), marks),), description=Quote('"' * 1_000))
    heads = tuple(phrase("{own}", own=Quote(f"{k}{chr(34) * 100}")) for k in range(40))
    made = Table(None, heads, tuple((Quote('"' * 200),) * 40 for _ in range(9)))
    monkeypatch.setattr(notebook, "picture_of", lambda value: picture)
    monkeypatch.setattr(notebook, "_rows", lambda value: (made, 0))
    found = notebook.page(Largest())
    assert "<svg" in found
    assert "more columns" in found
    ElementTree.fromstring(found)
    assert MOST_BYTES / 2 < len(found.encode()) < MOST_BYTES


def test_what_is_warned_of_while_showing_is_told_on_the_page() -> None:
    class Warning_:
        reading = "fine"

        def __repr__(self) -> str:
            from rocsteady.errors import RocsteadyWarning

            warnings.warn(RocsteadyWarning("RS212", "too few groups.", "found: 3"), stacklevel=2)
            return "Warning_()"

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = notebook.page(Warning_())
    assert "RS212 too few groups. found: 3" in found


def test_a_part_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(value: object) -> Any:
        raise ZeroDivisionError("for example <b>")

    monkeypatch.setattr(notebook, "picture_of", broken)
    found = tree(rs.roc_curve([0, 1, 0, 1], [1, 2, 3, 4]))
    assert "RocCurve(2 positives" in texts(found, "code")[0]
    assert len(texts(found, "tr")) == 6
    assert texts(found, "li") == [f"{notebook.FAILED}: ZeroDivisionError: for example <b>"]


@pytest.mark.parametrize("size", [1e-300, 1e308])
def test_scores_of_any_size_are_drawn(size: float) -> None:
    found = rs.score_densities([0, 1] * 30, np.linspace(-1.7, 1.7, 60) * size)._repr_html_()
    assert notebook.FAILED not in found
    assert not re.search(r"\b(nan|inf)\b", found.partition("<svg")[2])


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

    monkeypatch.setattr(notebook, "page", broken)
    assert one_model()._repr_html_() is None


def test_columns_whose_names_begin_alike_are_all_shown() -> None:
    names = [f"a name of a class that is longer than a cell, number_{k}" for k in range(3)]
    labels = np.arange(30) % 3
    found = tree(rs.MulticlassScores([names[k] for k in labels], np.eye(3)[labels], classes=names))
    assert len(texts(found, "th")) == len(set(rs.MulticlassScores([0, 1, 2], np.eye(3))._columns()))


def test_a_map_of_three_models_has_a_page() -> None:
    assert notebook.FAILED not in rs.winner_map(three_models())._repr_html_()


def test_a_study_shows_its_answer() -> None:
    rng = np.random.default_rng(0)
    truth, groups = np.tile([0, 1], 150), np.repeat(np.arange(6), 50)
    models = {f"{k}{HOSTILE}": truth + rng.normal(size=300) for k in "ab"}
    scores = rs.ScoreSet.from_arrays(truth, models, groups, unit="host")
    study = rs.Study(scores, rs.Deployment("shared", at={"fpr": 0.1}), words="medical")
    found = tree(study)
    assert "mathjax_ignore" in str(found.get("class"))
    assert not {local(own) for own in found.iter()} & REFUSED
    said = " ".join(found.itertext())
    assert "specificity" in said
    assert HOSTILE.split("\n")[0] in said
