"""Pages show claims whatever their words hold; verdicts hang on numbers; docs/claims.md has the same."""

from __future__ import annotations

import dataclasses
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
from papers.pages import CODE, HEADINGS, html, markdown, outcome, overall
from papers.paper import (
    CAVEAT,
    FALSE,
    REPRODUCED,
    VERDICTS,
    Check,
    Claim,
    Figure,
    Passage,
    Reproduction,
    Table,
)
from rocsteady.words import printable

ROOT = Path(__file__).resolve().parents[2]
DOCS = runpy.run_path(str(ROOT / "docs" / "make_claims.py"))
PAGE = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
PLAIN = Claim(claim="a", where="b", measured="c", holds=True)

texts = st.text(min_size=1, max_size=40) | st.sampled_from(
    ["<script>alert(1)</script>", "a | b", "\\|", "`x`", "](x)", "&lt;", "\x1b[2J", "*a* _b_", "|\n|", "# h"]
)
a_claim = st.builds(
    Claim,
    claim=texts,
    where=texts,
    measured=texts,
    holds=st.booleans(),
    caveat=texts | st.just(""),
    holds_with_caveat=st.booleans(),
    instead=texts | st.just(""),
    erratum=texts | st.just(""),
)


def paper(*claims: Claim, **values) -> Reproduction:
    return Reproduction(**{"name": "one", "paper": "A paper", "claims": claims, **values})


def figure(name: str, caption: str = "", differs: str = "") -> Figure:
    return Figure(name, caption, differs, lambda: pytest.fail("pages draw nothing"))


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
        if tag in ("td", "th"):
            self._inside = True
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.cells[-1] += data


@given(st.lists(a_claim, min_size=1, max_size=3), texts)
def test_no_text_breaks_the_table_of_a_markdown_page(claims: list[Claim], text: str) -> None:
    table = Table(text, ("set", text), (("iris", text),))
    page = markdown([paper(*claims, tables=(table,))])
    rows = [line for line in page.split("\n") if line.startswith("| ")]
    assert len(rows) == 2 + len(claims) + 3
    for i, row in enumerate(rows):  # a bar that is escaped an even number of times ends a cell
        n_columns = len(HEADINGS) if i < 2 + len(claims) else 2
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == n_columns + 1
    assert not re.search(r"(?<!\\)(?:\\\\)*<", page)


@given(st.lists(a_claim, min_size=1, max_size=3), texts, texts)
def test_no_text_becomes_a_tag_and_every_text_is_shown(claims: list[Claim], skipped: str, name: str) -> None:
    def made(own: list[Claim], title: str, left: str, words: str) -> Read:
        shown = {
            "skipped": (left,),
            "figures": (figure(words, words, words),),
            "passages": (Passage(words, (words,)),),
        }
        return Read(html([paper(*own, paper=title, **shown)]))

    like = [
        dataclasses.replace(PLAIN, holds=c.holds, erratum=c.erratum and "x", instead=c.remark and "x")
        for c in claims
    ]
    plain, hostile = made(like, "t", "s", "f"), made(claims, name, skipped, name)
    assert [tag for tag in hostile.tags if tag != "bdi"] == [tag for tag in plain.tags if tag != "bdi"]
    for i, claim in enumerate(claims, start=1):
        cells = hostile.cells[i * len(HEADINGS) : (i + 1) * len(HEADINGS)]
        expected = [printable(" ".join(text.split())) for text in (claim.claim, claim.where, claim.measured)]
        assert [own.replace("\xa0", " ") for own in cells[:3]] == [
            own.replace("\xa0", " ") for own in expected
        ]
        assert cells[3].endswith(claim.verdict)


def test_the_page_fetches_nothing_and_links_what_lies_beside_it() -> None:
    figures = (figure("figure 2", "It shows.", "Other data."), figure('x"onload='))
    page = html([paper(figures=figures), paper(name="two")], together=True)
    found = Read(page)
    assert {"script", "link", "iframe"}.isdisjoint(found.tags)
    assert "http:" not in page
    assert "https:" not in page
    assert found.links[:3] == ["#one", "#two", "results.json"]
    assert found.links[3:] == [
        *["one/figure%202.png"] * 2, "one/figure%202.pdf", *["one/x%22onload%3D.png"] * 2, "one/x%22onload%3D.pdf",
    ]  # fmt: skip
    assert "It shows.<br><b>Here:</b> Other data." in page
    assert "default-src 'none'" in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


@given(st.lists(a_claim, max_size=2), texts)
def test_no_page_has_a_control_character(claims: list[Claim], text: str) -> None:
    """Folders are named by anyone: neither a terminal nor an encoding may stumble over a page."""
    text += "\x1b[31m\x9b\u202e\udcff"
    lines = dict.fromkeys(("damaged", "skipped", "notes"), (text,))
    off = Check(text, text, 1.0, 2.0, 0.5, text)
    shown = {"checks": (off,), "passages": (Passage(text, (text,)),), "figures": (figure("f", text, text),)}
    tables = (Table(text, (text,), ((text,),)),)
    made = [paper(*claims, paper=text, tables=tables, **lines, **shown), paper(name="two", error=text)]
    for page in (markdown(made), html(made)):
        assert page.encode("utf-8")
        assert page.replace("\n", "").replace("\xa0", "").isprintable()
        assert page.count("\\x1b") + page.count("\\\\x1b") >= 9


def test_the_verdicts_are_defined_and_claims_on_parameters_of_ours_counted() -> None:
    ours = dataclasses.replace(PLAIN, chosen_here=True)
    for page in (markdown([paper(PLAIN, ours)]), html([paper(PLAIN, ours)])):
        for verdict in VERDICTS:
            assert f"{verdict.capitalize()}: " in page
        assert "1 claim rests on data or parameters chosen here" in page
        assert page.count("c (Parameters chosen here.)") == 1
    assert "because the paper gives none" not in markdown([paper(PLAIN)])


def test_no_erratum_of_a_page_of_its_own_is_a_dead_end() -> None:
    claim = dataclasses.replace(PLAIN, holds=False, instead="d.", erratum="K8")
    made = [paper(claim, notes=("The learners are ours.",))]
    for page in (markdown(made), html(made)):
        assert "d. (K8)" in page
        assert page.index("Notes") < page.index("The learners are ours.") < page.index("Errata")
        assert page.index("Errata") < page.index("K8 (Equation 1")
        assert "](claims.md)" not in page
    within = markdown(made, alone=False)  # as in the documentation, which links them
    assert "d. (K8)" in within
    assert "The learners are ours." in within
    assert "K8 (Equation 1" not in within


def test_the_first_line_says_what_is_missing() -> None:
    checks = (Check("s", "n", 1.0, 1.0, 0.1, "t"),) * 3
    left, lost = (
        paper(skipped=("x", "y"), checks=checks),
        paper(name="two", damaged=("six files",), checks=checks[:1]),
    )
    assert overall([left, lost])[1] == "4 checks, all passed; 2 parts left out; data damaged or missing."
    assert outcome(lost)[1] == "1 check, all passed; data damaged or missing."
    assert overall([paper(error="RS051: x")])[-1] == "Not computed: one."


# The page in the documentation


def pointed() -> Reproduction:
    return quick_runs.with_digits(os.environ.get("ROCSTEADY_DATA", ""))


@pytest.mark.parametrize("run", [quick_runs.averaged, quick_runs.slides, pointed])
def test_the_page_in_the_docs_says_what_a_quick_run_finds(run) -> None:
    """Verdicts do not hang on the number of replicates."""
    made = run()
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
    verdicts = {row[HEADINGS.index("verdict") - 1] for own in rows.values() for row in own}
    assert {verdict.partition(" ")[2] for verdict in verdicts} == set(VERDICTS)
    for words in ("Radiologists: comparing datasets", "The numbers of Figure 2", "### Figures"):
        assert words in PAGE


def test_every_erratum_that_the_page_names_is_linked_and_there() -> None:
    errata = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    anchors = {DOCS["slug"](title) for title in re.findall(r"^#+ (.*)$", errata, flags=re.MULTILINE)}
    links = dict(re.findall(r"\[(\w+)\]\(errata\.md#([^)]*)\)", PAGE))
    named = {code for own in DOCS["rows_of"](PAGE).values() for row in own for code in CODE.findall(row[-1])}
    assert len(named) > 25
    assert named == set(links)
    for code, anchor in links.items():
        assert anchor in anchors
        assert anchor.startswith(f"{code.lower()}-")


def test_a_quick_run_is_not_written_to_the_docs(tmp_path, monkeypatch, capsys) -> None:
    results = tmp_path / "results.json"
    results.write_text(json.dumps({"papers": [paper(PLAIN, is_quick=True).to_dict()]}))
    monkeypatch.setitem(DOCS["main"].__globals__, "PAGE", tmp_path / "claims.md")
    monkeypatch.setattr("sys.argv", ["make_claims.py", str(results)])
    assert DOCS["main"]() == 2
    assert "quick" in capsys.readouterr().err
    results.write_text(json.dumps({"papers": [paper(PLAIN).to_dict()]}))
    assert DOCS["main"]() == 0
    assert (tmp_path / "claims.md").read_text(encoding="utf-8").startswith("# What the papers claim")


# What claims are made of


def test_claims_are_sentences_with_places_and_numbers() -> None:
    for claim in (*quick_runs.averaged().claims, *quick_runs.slides().claims, *pointed().claims):
        assert claim.claim.endswith((".", ")")), claim
        assert claim.where, claim
        assert re.search(r"\d", claim.measured), claim
        assert claim.remark == "" or claim.remark.endswith("."), claim
        if claim.verdict in (CAVEAT, FALSE):
            assert claim.erratum or claim.chosen_here, claim
            assert claim.remark, claim


def test_what_the_errata_say_is_wrong_is_not_called_reproduced() -> None:
    claims = quick_runs.averaged().claims
    wrong = {code for own in claims if own.verdict in (CAVEAT, FALSE) for code in CODE.findall(own.erratum)}
    assert wrong == {"H1", "H2", "H3", "H5", "H6", "H7", "H8", "H13"}
    false = {claim.erratum for claim in claims if claim.verdict == FALSE}
    assert false == {"H1", "H2", "H7", "H8"}  # their corrections are their negations
    assert all(claim.verdict != REPRODUCED for claim in claims if claim.chosen_here)
    wrong = {claim.erratum for claim in pointed().claims if claim.verdict in (CAVEAT, FALSE)}
    assert {"P1", "P4", "P5", "P6", "P7"} <= {code for own in wrong for code in CODE.findall(own)}
