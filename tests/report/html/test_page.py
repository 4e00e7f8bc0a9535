"""The whole page: safe whatever the data are called, in order for screen readers, the same bytes each time."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from hostile_pages import ATTACK, NAMES, TITLE, hostile_report, made, scores
from page_structure import Page, problems
from rocsteady.report.html import page
from rocsteady.report.html.sections import groups
from rocsteady.report.summary.making import ReportSummary

HOOKS = {"points", "r-twin", "r-ticks", "r-roc-figure"}
"""Names for the script or for readers of the page's source, without a look of their own."""

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


@pytest.fixture(scope="module")
def hostile() -> tuple[ReportSummary, str]:
    return hostile_report()


@pytest.fixture(scope="module")
def plain() -> tuple[ReportSummary, str]:
    return made(scores(("a", "b", "c", "d"), ("",)))


def test_nothing_is_wrong_with_a_page_of_hostile_names(hostile: tuple[ReportSummary, str]) -> None:
    assert problems(hostile[1]) == []


def test_nothing_is_wrong_with_a_page_without_a_declared_use(plain: tuple[ReportSummary, str]) -> None:
    assert problems(plain[1]) == []


def test_hostile_names_are_shown_and_run_nowhere(hostile: tuple[ReportSummary, str]) -> None:
    seen = Page(hostile[1])
    kinds = [element.attributes.get("type") for element in seen.all("script")]
    assert len(kinds) - len([kind for kind in kinds if kind]) == 1
    (title,) = [element for element in seen.all("title") if not element.within("svg")]
    assert title.text == f"ROC report: {TITLE}"
    assert seen.all("h1")[0].text == TITLE
    cells = [element.text for element in seen.all("th") if element.attributes.get("scope") == "row"]
    for name in NAMES:
        shown = name.replace("\u202e", "\\u202e").replace("\n", "\\n").replace("\x1b", "\\x1b")
        assert (shown if len(shown) <= 40 else shown[:39] + "…") in cells
    assert "\u202e" not in hostile[1]
    assert seen.by_id("methods-command").text == ATTACK


def test_data_in_the_page_cannot_end_their_element(hostile: tuple[ReportSummary, str]) -> None:
    for element in Page(hostile[1]).all("script"):
        if element.attributes.get("type") == "application/json":
            json.loads(element.text)
        assert "</" not in element.text


def test_the_script_is_refused_if_it_could_end_early() -> None:
    with pytest.raises(ValueError, match="would end before its end"):
        page._raw("script", "let a = '</SCRIPT>'")


def test_sections_without_anything_to_show_are_left_out(plain: tuple[ReportSummary, str]) -> None:
    seen = Page(plain[1])
    idents = [element.attributes["id"] for element in seen.all("section")]
    assert "compare" not in idents  # there is one model
    assert "readers" not in idents
    assert idents[0] == "answer"
    assert idents[-1] == "methods"
    linked = [str(element.attributes["href"])[1:] for element in seen.all("a") if element.within("nav")]
    assert linked == idents
    # Numbers come from the style sheet, which counts the headings that are seen.
    numbered = [element for element in seen.all("h2") if element.attributes.get("class") != "unseen"]
    assert len(numbered) == len(idents) - 1


def test_the_same_summary_gives_the_same_bytes_and_says_what_made_it() -> None:
    score_set = scores(("a", "b", "c"), ("",))
    one, other = made(score_set)[1], made(score_set)[1]
    assert one == other
    assert '<meta name="generator" content="rocsteady' in one[:1000]


def test_every_class_of_the_page_is_known(hostile: tuple[ReportSummary, str]) -> None:
    """A misspelled class would leave a thing without its look, and nobody would notice."""
    known = set(re.findall(r"\.([a-zA-Z][\w-]*)", page._style()))
    used = {word for own in Page(hostile[1]).elements for word in (own.attributes.get("class") or "").split()}
    assert used - known - HOOKS == set()


def test_of_many_groups_the_first_stand_in_the_page(plain: tuple[ReportSummary, str]) -> None:
    summary = plain[0]
    part = summary.groups
    assert part is not None
    n = 10_000
    own = part.models[0]
    columns = {
        name: np.resize(getattr(own, name), n) for name in ("auc", "low", "high", "fpr", "tpr", "threshold")
    }
    counts = {name: np.resize(getattr(own, name), n) for name in ("n_positives", "n_negatives")}
    many = replace(
        part,
        groups=tuple(f"host {i}" for i in range(n)),
        models=(replace(own, **columns, **counts),),
        flags=((),) * n,
        **counts,
    )
    summary = replace(summary, groups=many)
    html = groups.render(summary, None, summary.wording)  # type: ignore[arg-type]
    assert html.count("<tr") == groups.N_STATIC + 1
    assert len(html) < 200_000
    rows = groups.rest(summary, summary.wording)
    assert len(rows) == n
    assert "Show all 10\u202f000" in html
    n_columns = html[: html.index("</thead>")].count('scope="col"')
    assert {len(row) for row in rows} == {n_columns + 1}  # the class of a row comes first


def test_the_table_of_groups_holds_the_numbers_of_the_summary(hostile: tuple[ReportSummary, str]) -> None:
    summary, html = hostile
    part = summary.groups
    assert part is not None
    rows = groups.rest(summary, summary.wording)
    first = rows[0]
    assert first[1] == part.groups[0]
    assert first[2] == str(part.n_positives[0])
    aucs = [f"{own.auc[0]:.3f}" for own in part.models]
    assert [cell for cell in first if cell in aucs] == aucs
    assert f"<td>{aucs[0]}</td>" in html
    assert rows[-1][0] == "flag"  # it has no positives
    assert groups.UNKNOWN in rows[-1]
