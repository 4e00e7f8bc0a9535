"""Verdicts follow from numbers; pages show them whatever their words hold; docs/claims.md has the same."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import re
import runpy
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quick_runs
from papers.averaging_roc import claims as averaging_claims
from papers.averaging_roc.claims import Evidence
from papers.claims import VERDICTS, Claim, verdict_counts, verdicts_in_words
from papers.errata.collection import erratum
from papers.operating_points import claims as points_claims
from papers.pages.html import claims_html
from papers.pages.markdown import HEADINGS, claim_cells, claims_page
from papers.pages.summary import PaperSummary, overall, read_summaries
from rocsteady.words import printable

ROOT = Path(__file__).resolve().parents[2]
DOCS = runpy.run_path(str(ROOT / "docs" / "make_claims.py"))
PAGE = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")

CODE = re.compile(r"\b[HPKS]\d+\b")

texts = st.text(min_size=1, max_size=40) | st.sampled_from(
    ["<script>alert(1)</script>", "a | b", "\\|", "`x`", "](x)", "&lt;", "\x1b[2J", "*a* _b_", "|\n|", "# h"]
)
a_claim = st.builds(
    lambda claim, where, measured, holds, correction, corrected, erratum: Claim(
        claim=claim,
        where=where,
        measured=measured,
        holds=holds,
        correction=correction,
        holds_corrected=corrected,
        erratum=erratum,
    ),
    texts,
    texts,
    texts,
    st.booleans(),
    texts | st.just(""),
    st.booleans(),
    texts | st.just(""),
)


def summary(*claims: Claim, **values) -> PaperSummary:
    return PaperSummary(**{"name": "one", "paper": "A paper", "is_quick": False, "claims": claims, **values})


class Read(HTMLParser):
    """The tags of a page, the text of its cells, and its links."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.links: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attributes) -> None:
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("href", "src")]
        if tag == "td":
            self._inside = True
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "td"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.cells[-1] += data


@given(a_claim)
def test_a_verdict_needs_the_claim_or_a_correction_that_holds(claim: Claim) -> None:
    expected = (
        VERDICTS[0] if claim.holds else VERDICTS[1 if claim.correction and claim.holds_corrected else 2]
    )
    assert claim.verdict == expected
    again = Claim.from_dict(claim.to_dict())
    assert again.to_dict() == claim.to_dict()


@given(st.lists(a_claim, max_size=6))
def test_every_claim_is_counted_once(claims: list[Claim]) -> None:
    counts = verdict_counts(claims)
    assert tuple(counts) == VERDICTS
    assert sum(counts.values()) == len(claims)
    assert [int(n) for n in re.findall(r"\d+", verdicts_in_words(claims))] == [len(claims), *counts.values()]


@given(st.lists(a_claim, min_size=1, max_size=3))
def test_no_text_breaks_the_table_of_a_markdown_page(claims: list[Claim]) -> None:
    page = claims_page([summary(*claims)])
    rows = [line for line in page.split("\n") if line.startswith("| ")]
    assert len(rows) == 2 + len(claims)
    for row in rows:  # a bar that is escaped an even number of times ends a cell
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == len(HEADINGS) + 1
    assert not re.search(r"(?<!\\)(?:\\\\)*<", page)


@given(st.lists(a_claim, min_size=1, max_size=3), texts, texts)
def test_no_text_becomes_a_tag_and_every_text_is_shown(claims: list[Claim], skipped: str, name: str) -> None:
    plain, hostile = (
        Read(claims_html([summary(*own, paper=title, skipped=(left,), figures=(f"{figure}.png",))]))
        for own, title, left, figure in (
            ([Claim(claim="a", where="b", measured="c", holds=True)] * len(claims), "t", "s", "f"),
            (claims, name, skipped, name),
        )
    )
    assert hostile.tags == plain.tags
    for i, claim in enumerate(claims):
        cells = hostile.cells[i * len(HEADINGS) : (i + 1) * len(HEADINGS)]
        texts = (claim.claim, claim.where, claim.measured)
        assert cells[:3] == [printable(" ".join(text.split())) for text in texts]
        assert cells[3].endswith(claim.verdict)


def test_the_page_fetches_nothing_and_links_what_lies_beside_it() -> None:
    figures = ("smroc/figure 2.png", "smroc/figure 2.pdf", 'x"onload=.png')
    page = claims_html([summary(figures=figures), summary(name="two")])
    read = Read(page)
    assert {"script", "link", "iframe"}.isdisjoint(read.tags)
    assert "http" not in page
    assert read.links[:3] == ["results.json", "#one", "#two"]
    assert (
        read.links[3:] == ["smroc/figure%202.png"] * 2 + ["smroc/figure%202.pdf"] + ["x%22onload%3D.png"] * 2
    )
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


@given(st.lists(a_claim, max_size=2), texts)
def test_no_page_has_a_control_character(claims: list[Claim], text: str) -> None:
    """Folders are named by anyone: neither a terminal nor an encoding may stumble over a page."""
    text += "\x1b[31m\x9b\u202e\udcff"
    made = [summary(*claims, paper=text, damaged=(text,), skipped=(text,), notes=(text,), failed=(text,))]
    made.append(summary(name="two", error=text))
    for page in (claims_page(made), claims_html(made)):
        assert page.encode("utf-8")
        assert page.replace("\n", "").isprintable()
        assert page.count("\\x1b") + page.count("\\\\x1b") >= 6


def test_the_verdicts_are_defined_and_claims_on_parameters_of_ours_counted() -> None:
    plain = Claim(claim="a", where="b", measured="c", holds=True)
    ours = dataclasses.replace(plain, chosen_here=True)
    for page in (claims_page([summary(plain, ours)]), claims_html([summary(plain, ours)])):
        assert "Not reproduced: neither." in page
        assert "1 claim rests on data or parameters chosen here" in page
        assert page.count("c (Parameters chosen here.)") == 1
    assert "chosen here" not in claims_page([summary(plain)])


def test_no_erratum_of_a_page_of_its_own_is_a_dead_end() -> None:
    title = erratum("K8").title
    claim = Claim(claim="a", where="b", measured="c", holds=False, correction="d.", erratum="K8")
    made = [summary(claim, notes=("The learners are ours.",))]
    for page in (claims_page(made), claims_html(made)):
        assert f"d. (K8: {title})" in page
        assert page.index("Notes") < page.index("The learners are ours.") < page.index("Errata")
        assert page.index("Errata") < page.index("K8 (Equation 1")
        assert "](claims.md)" not in page
    within = claims_page(made, alone=False)  # as in the documentation, which links them
    assert "d. (K8)" in within
    assert "The learners are ours." in within
    assert "K8 (Equation 1" not in within


def test_the_first_line_says_what_is_missing() -> None:
    left, lost = summary(skipped=("x", "y"), n_checks=3), summary(name="two", damaged=("six files",))
    assert overall([left, lost])[1] == "3 checks, all passed; 2 parts left out; data damaged or missing."
    assert lost.outcome[1] == "0 checks, all passed; data damaged or missing."


@given(st.lists(a_claim, max_size=2), st.lists(texts, max_size=2))
def test_a_summary_survives_its_file(claims: list[Claim], lines: list[str]) -> None:
    made = summary(*claims, failed=tuple(lines), skipped=tuple(lines), damaged=tuple(lines), n_checks=3)
    [again] = read_summaries({"papers": [made.to_dict()]})
    assert again.to_dict() == made.to_dict()
    assert claims_page([again]) == claims_page([made])


@pytest.fixture
def averaged():
    """Four replicates: verdicts do not hang on their number."""
    return quick_runs.averaged()


@pytest.fixture
def pointed():
    return quick_runs.with_digits(os.environ.get("ROCSTEADY_DATA", ""))


@pytest.mark.parametrize("name", ["averaged", "pointed"])
def test_the_page_in_the_docs_says_what_a_quick_run_finds(name: str, request) -> None:
    found = request.getfixturevalue(name)
    made = PaperSummary.from_results(name, found.to_dict())
    assert len(made.claims) > 10
    assert DOCS["differences"]([made], PAGE) == []
    first, *others = made.claims
    other = dataclasses.replace(first, holds=not first.holds)
    changed = dataclasses.replace(made, claims=(other, *others))
    assert len(DOCS["differences"]([changed], PAGE)) == (1 if made.skipped else 2)


def test_the_page_in_the_docs_has_every_paper_and_no_pictures() -> None:
    rows = DOCS["rows_of"](PAGE)
    assert len(rows) == 4
    assert all(rows.values())
    assert "![" not in PAGE
    verdicts = [row[HEADINGS.index("verdict") - 1] for own in rows.values() for row in own]
    assert set(verdicts) <= set(VERDICTS)


def test_links_of_the_page_lead_to_entries_of_the_errata() -> None:
    errata = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    anchors = {DOCS["slug"](title) for title in re.findall(r"^#+ (.*)$", errata, flags=re.MULTILINE)}
    links = re.findall(r"\[(\w+)\]\(errata\.md#([^)]*)\)", PAGE)
    assert len(links) > 25
    for code, anchor in links:
        assert anchor in anchors
        assert anchor.startswith(f"{code.lower()}-")


def test_a_quick_run_is_not_written_to_the_docs(tmp_path, monkeypatch, capsys) -> None:
    results = tmp_path / "results.json"
    results.write_text(json.dumps({"papers": [summary(is_quick=True).to_dict()]}))
    monkeypatch.setitem(DOCS["main"].__globals__, "PAGE", tmp_path / "claims.md")
    monkeypatch.setattr("sys.argv", ["make_claims.py", str(results)])
    assert DOCS["main"]() == 2
    assert "quick" in capsys.readouterr().err
    results.write_text(json.dumps({"papers": [summary(is_quick=False).to_dict()]}))
    assert DOCS["main"]() == 0
    assert (tmp_path / "claims.md").read_text(encoding="utf-8").startswith("# What the papers claim")


def test_claims_are_sentences_with_places_and_numbers(averaged, pointed) -> None:
    for claim in (*averaged.claims, *pointed.claims):
        assert claim.claim.endswith((".", ")")), claim
        assert claim.where, claim
        assert re.search(r"\d", claim.measured), claim
        assert claim.correction == "" or claim.correction.endswith("."), claim
        assert len(set(claim_cells(claim)[:3])) == 3
        if claim.verdict != VERDICTS[0]:
            assert claim.erratum, claim


def test_what_the_errata_say_is_wrong_is_not_called_reproduced(averaged, pointed) -> None:
    wrong = {c.erratum for c in (*averaged.claims, *pointed.claims) if c.verdict != VERDICTS[0]}
    assert {"H1", "H2", "H3", "H5", "H6", "H7", "H8", "H13", "P1", "P4", "P5", "P6", "P7"} <= wrong


def test_every_erratum_that_a_claim_names_is_there(averaged, pointed) -> None:
    for claim in (*averaged.claims, *pointed.claims):
        for code in filter(None, claim.erratum.split(", ")):
            assert erratum(code).code == code
    on_page = {
        code for own in DOCS["rows_of"](PAGE).values() for row in own for code in CODE.findall(row[-1])
    }
    assert len(on_page) > 25
    for code in on_page:
        assert erratum(code).code == code


@functools.cache
def drawn():
    from papers.averaging_roc import figure_1, figure_2
    from papers.averaging_roc.parameters import DESIGNS

    return figure_1.figure_1(), {d.name: figure_2.figure_2(d, n_datasets=10) for d in DESIGNS}


def evidence(found, **other) -> Evidence:
    """What the claims of the first paper are judged by, some of it replaced."""
    from papers.averaging_roc import closed_forms

    made = Evidence(*drawn(), found.tallies, found.stories, closed_forms.stored(), found.checks.entries)
    return dataclasses.replace(made, **other)


def changed_verdicts(found, **other) -> set[str]:
    before, after = (averaging_claims.claims(evidence(found, **own)) for own in ({}, other))
    return {new.where for old, new in zip(before, after, strict=True) if old.verdict != new.verdict}


def test_other_numbers_give_other_verdicts(averaged) -> None:
    swapped = [
        dataclasses.replace(t, chose_first=0.1, undecided=0.1, mean_difference=0.5) for t in averaged.tallies
    ]
    assert changed_verdicts(averaged, tallies=swapped) == {"section 5, Figure 2", "section 5, scenario 1"}
    agreeing = [
        dataclasses.replace(story, wrong=(dataclasses.replace(story.right, method="other"),))
        for story in averaged.stories
    ]
    assert changed_verdicts(averaged, stories=agreeing) == {
        f"section 4.2, {story.title.lower()}" for story in averaged.stories
    }


def test_other_numbers_give_other_verdicts_of_operating_points(pointed) -> None:
    small, large = pointed.repeated
    told = {**large.mean, "neighbours told apart, df 18": 1.0, "known to differ": 0.0, "df 18": 9.0}
    samples, digits = pointed.samples, None if pointed.digits is None else pointed.digits.first
    changed = points_claims.claims(samples, (small, dataclasses.replace(large, mean=told)), digits)
    unlike = [
        old.claim for old, new in zip(pointed.claims, changed, strict=True) if old.verdict != new.verdict
    ]
    assert len(unlike) == 3
    assert points_claims.claims(samples, pointed.repeated, None)[-1].erratum == "P6"  # none on Figure 3
