"""Nothing from data becomes markup, whatever it is called."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocsteady.report.html.parts import Column, Row, marker, model_key, sentence, table
from rocsteady.report.html.tags import Markup, named, phrase, svg, tag, text

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><!--",
    "=cmd()",
    "\"'`&amp;",
    "👩‍💻 שלום",
    "\u202eright to left",
    "line\nbreak\x00\x1b[2J",
    "\ud800 alone",
    "x" * 500,
    "",
)
ELEMENTS = {"bdi", "span", "svg", "path", "p", "strong", "div", "table", "caption", "thead", "tbody"} | {
    "tr",
    "th",
    "td",
    "button",
}


class Seen(HTMLParser):
    """What a browser would make of it: elements, attributes, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.written = ""
        self.comments: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((name, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.written += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@given(st.text())
def test_text_is_read_back_and_is_never_an_element(words: str) -> None:
    seen = Seen(tag("p", words, title=words))
    assert [name for name, _ in seen.elements] == ["p"]
    assert seen.comments == []
    shown = seen.elements[0][1]["title"]
    assert shown == seen.written
    if words.isprintable():
        assert shown == words


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    made = [
        named(name),
        named(name, longest=20),
        model_key(1, name),
        sentence(("of ", name)),
        phrase((name, name)),
    ]
    made += [
        table(name, ["", Column(name, sort="text")], [Row([name, named(name)])]),
        svg(1, 1, name, label=name),
    ]
    for own in made:
        seen = Seen(own)
        names = {element for element, _ in seen.elements}
        assert names <= ELEMENTS
        own.encode()  # a file can hold it


def test_what_turns_text_round_or_cannot_be_shown_is_spelled_out() -> None:
    assert named("a\u202eb\nc\x00") == "<bdi>a\\u202eb\\nc\\x00</bdi>"
    assert text("two\nlines") == "two\nlines"
    assert named("👩‍💻") == "<bdi>👩‍💻</bdi>"
    assert named("") == "<bdi>“”</bdi>"


def test_a_cut_name_keeps_its_accents_and_says_the_whole_in_its_title() -> None:
    name = "e\u0301" * 10
    assert named(name, longest=6) == f'<bdi title="{name}">{name[:4]}…</bdi>'


@pytest.mark.parametrize(
    "attributes",
    [
        {"style": "color:red"},
        {"onclick": "alert(1)"},
        {"onLoad": "alert(1)"},
        {"href": "javascript:alert(1)"},
        {"href": "data:text/html,x"},
        {"href": "//elsewhere"},
        {"a b": "c"},
    ],
)
def test_what_the_policy_forbids_cannot_be_written(attributes: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="the page has no"):
        tag("a", **attributes)


def test_an_element_needs_a_name() -> None:
    with pytest.raises(ValueError, match="no name of an element"):
        tag("p><script")


def test_markup_is_taken_as_it_is_and_joined_text_is_not() -> None:
    assert tag("p", [Markup("<hr>"), "<hr>", None, 3]) == "<p><hr>&lt;hr&gt;3</p>"
    # Text that was joined to markup by hand is text again.
    assert tag("p", Markup("<hr>") + "<b>") == "<p>&lt;hr&gt;&lt;b&gt;</p>"


def test_every_table_has_a_caption_and_headings_with_their_scope() -> None:
    seen = Seen(
        table("Hosts", [Column("Host", sort="text"), "AUC"], [["a", "0.9"], Row(["b", "0.8"], "flag")])
    )
    scopes = [own["scope"] for name, own in seen.elements if name == "th"]
    assert scopes == ["col", "col", "row", "row"]
    assert [name for name, _ in seen.elements].count("caption") == 1
    assert ("tr", {"class": "flag"}) in seen.elements


def test_a_row_of_another_length_than_its_table_is_noticed() -> None:
    with pytest.raises(ValueError, match="zip"):
        table("Hosts", ["Host"], [["a", "b"]])


def test_nine_models_differ_by_their_marker_too() -> None:
    shapes = {marker(k, 0, 0).split(" d=")[1] for k in range(9)}
    assert len(shapes) == 9
