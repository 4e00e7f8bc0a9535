"""Sections show what the summary says: the answer, the flow of rows, warnings, the plan, the methods."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import rocsteady as rs
from hostile_pages import made, scores
from page_structure import Element, Page
from rocsteady.report.html.sections import answer, data, groups, methods, plan
from rocsteady.report.summary.flow import ModelFlow, WarningRow
from rocsteady.report.summary.making import ReportSummary
from rocsteady.report.summary.phrases import plain_text
from rocsteady.report.summary.planning import PlanPart

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

MODELS = ("current", "candidate")


@pytest.fixture(scope="module")
def summary() -> ReportSummary:
    given = scores(tuple(f"host-{k:02d}" for k in range(9)), MODELS)
    use = rs.Deployment(threshold="own", hold="fpr", at=0.2)
    return made(given, use, command="rocsteady report <file>")[0]


def shown(section: Any, summary: ReportSummary) -> Page:
    return Page(section.render(summary, None, summary.wording))


def words(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def cells(table: Element, page: Page) -> list[list[str]]:
    rows = [row for row in page.all("tr") if table in row.parents]
    return [[own.text for own in page.all("th", "td") if own.parents[-1] is row] for row in rows]


def test_the_answer_is_the_sentence_of_the_summary_with_models_in_their_colours(
    summary: ReportSummary,
) -> None:
    page = shown(answer, summary)
    said = [words(own.text) for own in page.all("p")]
    assert said == [plain_text(own) for own in (summary.answer.sentence, summary.answer.other) if own]
    looks = {own.text: own.attributes["class"] for own in page.all("strong") if own.attributes}
    assert looks.items() <= {"current": "model m0", "candidate": "model m1"}.items()
    assert looks


def test_rows_flow_from_those_read_to_those_used(summary: ReportSummary) -> None:
    page = shown(data, summary)
    steps = [own for own in page.all("li") if own.parents[-1].attributes.get("class") == "flow"]
    assert [words(own.text) for own in steps] == [f"{own.n} {own.text}" for own in summary.data.steps]
    assert [own.attributes.get("class") for own in steps] == [
        "lost" if own.is_loss else "used" if own is summary.data.steps[-1] else None
        for own in summary.data.steps
    ]
    codes = [own.text for own in page.all("code")]
    assert codes == [own.code for own in summary.data.warnings]
    assert "RS201" in codes  # the last host has no attacks


def test_a_warning_starts_with_a_capital_unless_with_a_name(summary: ReportSummary) -> None:
    rows = (
        WarningRow("RS301", "scores shift.", "found: by 2\nby 3", ("type --this",), ("a", "b", "c")),
        WarningRow("RS201", "candidate has no <b>.", "", (), ()),
    )
    page = shown(data, replace(summary, data=replace(summary.data, warnings=rows)))
    assert [own.text for own in page.all("strong")][-2:] == ["Scores shift.", "candidate has no <b>."]
    said = [own.text for own in page.all("p")]
    assert "by 2\nby 3" in said
    assert "→ type --this" in said
    assert "a, b, c." in said
    assert [own.text for own in page.all("summary")] == ["These 3 hosts"]


def test_models_that_used_different_rows_are_told_apart(summary: ReportSummary) -> None:
    flows = tuple(ModelFlow(name, 100 + k, 30, 70 + k, 8, 5) for k, name in enumerate(MODELS))
    page = shown(data, replace(summary, data=replace(summary.data, per_model=flows)))
    (table,) = page.all("table")
    assert cells(table, page)[1:] == [
        ["current", "100", "30", "70", "8", "5"],
        ["candidate", "101", "30", "71", "8", "5"],
    ]


def test_no_warnings_are_said_to_be_none(summary: ReportSummary) -> None:
    page = shown(data, replace(summary, data=replace(summary.data, warnings=())))
    assert "There is nothing to warn about." in [own.text for own in page.all("p")]


def test_the_plan_has_groups_down_and_cases_across(summary: ReportSummary) -> None:
    part = summary.plan
    assert isinstance(part, PlanPart)
    assert part.measure is not None
    page = shown(plan, summary)
    (table,) = page.all("table")
    _, *rows = cells(table, page)
    widths = {(row.n_groups, row.times_cases): part.measure.size(row.half_width) for row in part.rows}
    times = sorted({row.times_cases for row in part.rows})
    for own in rows:
        n = int(own[0].removesuffix(" now"))
        for k, cell in enumerate(own[1:]):
            assert cell.startswith(f"± {widths[n, times[k]]} points")
            assert "chance" in cell
    assert [own[0].endswith("now") for own in rows] == [True, False, False]


def test_a_plan_that_cannot_be_made_says_why(summary: ReportSummary) -> None:
    assert isinstance(summary.plan, PlanPart)
    none = replace(summary.plan, problem="There is no <spread>.")
    page = shown(plan, replace(summary, plan=none))
    assert page.all("table") == []
    assert page.all("p")[-1].text == "There is no <spread>."
    assert plan.render(replace(summary, plan=None), None, summary.wording) == ""  # type: ignore[arg-type]


def test_what_is_pasted_is_the_text_of_the_summary(summary: ReportSummary) -> None:
    page = shown(methods, summary)
    pasted = page.by_id("methods-text")
    part = summary.methods
    said = [words(own.text) for own in page.all("p") if pasted in own.parents]
    assert said == [own for own in (*part.paragraphs, part.results) if own]
    assert page.by_id("methods-command").text == "rocsteady report <file>"
    assert [own.text for own in page.all("li")] == [own.text for own in part.references]
    # Without the script a button would do nothing, so it is not there.
    assert all("hidden" in own.attributes for own in page.all("button"))


@pytest.mark.parametrize(
    ("n_models", "widths"), [(1, ""), (2, "wide"), (4, "wide wider"), (6, "wide wider widest")]
)
def test_paper_shows_fewer_columns_the_more_models_there_are(
    summary: ReportSummary, n_models: int, widths: str
) -> None:
    part = summary.groups
    assert part is not None
    models = tuple(replace(part.models[k % 2], model=f"model {k}") for k in range(n_models))
    page = shown(groups, replace(summary, groups=replace(part, models=models)))
    (table,) = page.all("table")
    assert table.attributes["class"] == f"groups {widths}".strip()
    kinds = [own.attributes.get("class") for own in page.all("col")]
    assert kinds.count("limits") == kinds.count("threshold") == n_models
    assert kinds.count("rate") == 2 * n_models
    assert kinds.count("drawn") == (n_models <= groups.MOST_DRAWN)
    head, *rows = [own for own in cells(table, page) if len(own) == len(kinds)]
    assert len(rows) == len(part.groups)
    assert head[0] == "Host"
