"""The whole page: safe whatever the data are called, in order for screen readers, the same bytes each time."""

from __future__ import annotations

import itertools
import json
import math
import re
import zlib
from base64 import b64decode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocsteady as rs
from hostile_pages import MODELS, NAMES, TITLE, hostile_report, made, scores
from page_structure import Page, problems
from rocsteady.figures.style import LOOKS
from rocsteady.show import html
from rocsteady.show.document import Beside, Command, Facts, Fold, Heading, Items, Note, Table
from rocsteady.show.report import brief, page_of
from rocsteady.text import ML, Count, Group, Model, Quote, phrase, say
from rocsteady.words import printable

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

OF_FIGURES = re.compile(r"[sft]-|figure|key")
"""Classes that figures have for those who look for their parts."""


@pytest.fixture(scope="module")
def hostile() -> str:
    return hostile_report()[1]


@pytest.fixture(scope="module")
def plain() -> tuple[rs.Study, str]:
    return made(scores(("a", "b", "c", "d"), ("",)))


def looked_up(page: str) -> Any:
    """What the script unpacks."""
    return json.loads(zlib.decompress(b64decode(json.loads(Page(page).by_id("island").text))))


def test_nothing_is_wrong_with_a_page_of_hostile_names(hostile: str) -> None:
    assert problems(hostile) == []


def test_nothing_is_wrong_with_a_page_without_a_declared_use(plain: tuple[rs.Study, str]) -> None:
    assert problems(plain[1]) == []


def test_hostile_names_are_shown_and_run_nowhere(hostile: str) -> None:
    seen = Page(hostile)
    assert [own.attributes.get("type") for own in seen.all("script")] == ["application/json", None]
    (title,) = [own for own in seen.all("title") if not own.within("svg")]
    assert title.text == f"ROC report: {TITLE}"
    assert seen.all("h1")[0].text == TITLE
    for name in NAMES:
        shown = printable(name)
        assert shown in seen.all("main")[0].text
    assert "\u202e" not in hostile
    assert "\u202e" not in json.dumps(looked_up(hostile), ensure_ascii=False)
    assert not [own for own in seen.all("b", "bdi", "img") if own.name == "img" or own.attributes.get("src")]


def test_data_in_the_page_cannot_end_their_element(hostile: str) -> None:
    (island,) = [own for own in Page(hostile).all("script") if own.attributes.get("type")]
    assert re.fullmatch(r'"[A-Za-z0-9+/=]*"', island.text)
    assert MODELS[0] in looked_up(hostile)["reading"]["models"]


def test_the_script_is_refused_if_it_could_end_early(monkeypatch: pytest.MonkeyPatch) -> None:
    class File:
        def joinpath(self, name: str) -> File:
            return self

        def read_text(self, encoding: str) -> str:
            return "let a = '</SCRIPT>'"

    monkeypatch.setattr(html, "files", lambda package: File())
    with pytest.raises(ValueError, match="would end before its end"):
        html._inlined.__wrapped__("script.js")


def test_the_script_writes_text_and_asks_nobody() -> None:
    script = str(html._inlined("script.js"))
    for word in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "fetch(", "XMLHttp"):
        assert word not in script
    assert re.findall(r"import\(|http(?!://www.w3.org/2000/svg)", script) == []
    assert script.count("'use strict'") == 1


def test_templates_escape_everything_and_quote_every_attribute() -> None:
    for name in ("page.html", "blocks.html", "fragment.html", "uses.html", "reading.html"):
        source = html.templates().loader.get_source(html.templates(), name)[0]  # type: ignore[union-attr]
        assert not re.search(r"\|\s*safe|autoescape|\bstyle=|\son\w+=", source), name
        markup = re.sub(r"\{#.*?#\}|\{%.*?%\}", "", source, flags=re.DOTALL)
        unquoted = re.findall(r"<[a-z][^<>]*=", re.sub(r'="[^"]*"', "", markup))
        assert unquoted == [], name
        scripts = re.findall(r"<script[^>]*>(.*?)</script>", source, re.DOTALL)
        assert set(scripts) <= {"{{ script }}", "{{ island() }}"}


@given(st.text(min_size=1))
def test_text_is_read_back_and_is_never_an_element(words: str) -> None:
    usual, own = (Page(html.fragment(blocks_of(text), ML)) for text in ("x", words))
    assert [element.name for element in own.elements] == [element.name for element in usual.elements]
    assert own.comments == own.unbalanced == []
    assert [sorted(e.attributes) for e in own.elements] == [sorted(e.attributes) for e in usual.elements]


def blocks_of(words: str) -> list[Any]:
    """All kinds of blocks with these words wherever words of data may stand."""
    quote = phrase("{own}", own=Quote(words))
    return [
        Heading(quote),
        say("{own} and {group}", own=Model(words), group=Group(words)),
        Table(quote, (quote,), ((Quote(words),),)),
        Note("RS001", quote),
        Command((words,)),
        Facts(((quote, Quote(words), quote),)),
        Items((quote,)),
        Fold(quote, ()),
    ]


def test_a_row_of_another_length_than_its_table_is_noticed() -> None:
    with pytest.raises(ValueError, match="a cell for each"):
        Table(None, (say("host"),), ((Quote("a"), Quote("b")),))


def test_sections_without_anything_to_show_are_left_out(plain: tuple[rs.Study, str]) -> None:
    seen = Page(plain[1])
    idents = [own.attributes["id"] for own in seen.all("section")]
    assert "comparison" not in idents  # there is one model
    assert "readers" not in idents
    assert (idents[0], idents[-1]) == ("answer", "methods")
    linked = [str(own.attributes["href"])[1:] for own in seen.all("a") if own.within("nav")]
    assert linked == idents
    # Numbers come from the style sheet, which counts the headings that are seen.
    numbered = [own for own in seen.all("h2") if own.attributes.get("class") != "unseen"]
    assert len(numbered) == len(idents) - 1


def test_the_same_study_gives_the_same_bytes_and_says_what_made_it() -> None:
    score_set = scores(("a", "b", "c"), ("",))
    one, other = made(score_set)[1], made(score_set)[1]
    assert one == other
    assert '<meta name="generator" content="rocsteady' in one[:1500]


def test_every_class_of_the_page_is_known(hostile: str, plain: tuple[rs.Study, str]) -> None:
    """A misspelled class would leave a thing without its look, and nobody would notice."""
    known = set(re.findall(r"\.([a-zA-Z][\w-]*)", str(html.style())))
    for page in (hostile, plain[1]):
        own = [
            e
            for e in Page(page).elements
            if not any("figure" in str(p.attributes.get("class")) for p in e.parents)
        ]
        used = {word for e in own for word in (e.attributes.get("class") or "").split()}
        assert {word for word in used - known if not OF_FIGURES.match(word)} == set()


def test_chosen_sections_and_a_short_report(plain: tuple[rs.Study, str]) -> None:
    study = plain[0]
    seen = Page(page_of(study, sections=["points", "answer"]))
    assert [own.attributes["id"] for own in seen.all("section")] == ["answer", "points"]
    with pytest.raises(rs.RocsteadyError, match="RS001"):
        page_of(study, sections=["answers"])
    short = Page(page_of(study, short=True))
    assert {own.attributes["id"] for own in short.all("section")} <= {"answer", "points", "data"}
    assert short.all("details") == []
    folded = Beside(((Fold(phrase("more"), ()), say("seen")), (Fold(phrase("more"), ()),)))
    assert brief([folded], without=(Fold,)) == [Beside(((say("seen"),),))]


def test_of_many_rows_the_first_stand_in_the_page() -> None:
    n = 1000
    rows = tuple((Group(f"<{k}>"), Count(k)) for k in range(n))
    table = Table(None, (phrase("host"), phrase("n")), rows, name="hosts", sorts=True)
    page = html.page(phrase("t"), [], [], ML)
    assert looked_up(page) == {"tables": {}}
    filling = html.Filling(ML)
    first, has_more = filling.split(table, 7)
    assert (len(first), has_more) == (html.MOST_ROWS, True)
    packed = json.loads(zlib.decompress(b64decode(json.loads(filling.island()))))
    assert packed["tables"]["table7"][5] == ["<5>", "5"]
    assert len(packed["tables"]["table7"]) == n
    assert "The first 200 of 1000 rows." in html.fragment([table], ML)


# The style sheet ----------------------------------------------------------------------------------------

GROUNDS = ("paper", "soft", "marked", "notice")


def colours(scheme: str) -> dict[str, str]:
    """The custom properties of a scheme, with the colours of the models."""
    light, dark = re.findall(r":root \{(.*?)\}", str(html.style()), re.DOTALL)[:2]
    found = [dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for block in (light, dark)]
    assert found[0].keys() == found[1].keys()
    models = {
        "light": {f"m{k}": own.colour for k, own in enumerate(LOOKS)}
        | {f"t{k}": own.text for k, own in enumerate(LOOKS)},
        "dark": {f"{kind}{k}": own.dark for k, own in enumerate(LOOKS) for kind in "mt"},
    }
    return found[scheme == "dark"] | models[scheme]


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_words_and_shapes_stand_out_from_every_ground(scheme: str, ground: str) -> None:
    own = colours(scheme)
    words = ("ink", "mut", "acc", "link", "warn", *(f"t{k}" for k in range(len(LOOKS))))
    shapes = ("control", "tick", "focus", "acc", *(f"m{k}" for k in range(len(LOOKS))))
    assert {name for name in words if contrast(own[name], own[ground]) < 4.5} == set()
    assert {name for name in shapes if contrast(own[name], own[ground]) < 3} == set()
    assert contrast(own["on-acc"], own["acc"]) >= 4.5


def lab(colour: str) -> tuple[float, float, float]:
    """CIELAB, in which a distance of about 20 is another colour and not another shade."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    x, y, z = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_two_models_have_nearly_one_colour_or_one_dash(scheme: str) -> None:
    own = colours(scheme)
    for one, other in itertools.combinations(range(len(LOOKS)), 2):
        assert math.dist(lab(own[f"m{one}"]), lab(own[f"m{other}"])) > 20, (one, other)
    assert len({look.dash for look in LOOKS}) == len({look.marker for look in LOOKS}) == len(LOOKS)


def test_colours_are_named_in_one_place_and_nothing_is_fetched() -> None:
    sheet = str(html._inlined("style.css"))
    rules = re.sub(r":root \{.*?\}", "", sheet, flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", rules) == []
    assert re.findall(r"url\((?!#)|@import|@font-face|</", str(html.style())) == []
