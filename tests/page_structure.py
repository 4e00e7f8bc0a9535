"""What a browser, a screen reader and a security policy would find wrong with a page."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"br", "col", "hr", "input", "link", "meta"}
REFERENCES = ("aria-labelledby", "aria-describedby", "aria-controls", "for", "data-copy")
SPEAKING = ("button", "a", "summary", "legend", "caption", "th", "dt", "option")


class Page(HTMLParser):
    """The elements of a page in their order, each with its attributes, its parents and its own text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.unbalanced: list[str] = []
        self.comments: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        element = Element(name, dict(attributes), list(self.open))
        self.elements.append(element)
        if name not in VOID:
            self.open.append(element)

    def handle_endtag(self, name: str) -> None:
        if not self.open or self.open[-1].name != name:
            self.unbalanced.append(f"</{name}> closes {self.open[-1].name if self.open else 'nothing'}")
            return
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def all(self, *names: str) -> list[Element]:
        """The elements of these names."""
        return [element for element in self.elements if element.name in names]

    def by_id(self, ident: str) -> Element:
        """The element of this id."""
        (found,) = [element for element in self.elements if element.attributes.get("id") == ident]
        return found


class Element:
    """One element."""

    def __init__(self, name: str, attributes: dict[str, str | None], parents: list[Element]) -> None:
        self.name, self.attributes, self.parents, self.text = name, attributes, parents, ""

    def within(self, name: str) -> bool:
        """Whether it stands in such an element."""
        return any(parent.name == name for parent in self.parents)


def problems(html: str) -> list[str]:
    """Everything that is wrong."""
    page = Page(html)
    found = [*page.unbalanced, *(f"a comment: {comment[:40]}" for comment in page.comments)]
    found += [f"<{element.name}> is not closed" for element in page.open]
    return [*found, *_unsafe(page), *_dangling(page), *_unsaid(page), *_headings(page), *_tables(page)]


def _unsafe(page: Page) -> Iterator[str]:
    (policy,) = [
        element.attributes["content"] or ""
        for element in page.all("meta")
        if element.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    if not policy.startswith("default-src 'none'") or "unsafe" in policy:
        yield f"the policy lets too much in: {policy}"
    for element in page.all("style", "script"):
        if (element.attributes.get("type") or "").startswith("application/"):
            continue  # data, which no browser runs
        digest = b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        if f"{element.name}-src 'sha256-{digest}'" not in policy:
            yield f"the {element.name} is not the one that the policy knows"
    for element in page.elements:
        for name, value in element.attributes.items():
            if name == "style" or name.startswith("on") or name in ("src", "srcset", "action"):
                yield f"<{element.name} {name}>"
            if name == "href" and not re.match(r"#|https://", value or ""):
                yield f"a link to {value}"
    yield from (
        f"<{element.name}>" for element in page.all("iframe", "object", "embed", "img", "form", "base")
    )


def _dangling(page: Page) -> Iterator[str]:
    idents = Counter(element.attributes["id"] for element in page.elements if "id" in element.attributes)
    yield from (f"id {ident} stands {n} times" for ident, n in idents.items() if n > 1)
    for element in page.elements:
        wanted = [word for name in REFERENCES for word in (element.attributes.get(name) or "").split()]
        href = element.attributes.get("href") or ""
        wanted += [href[1:]] if href.startswith("#") else []
        yield from (
            f"<{element.name}> refers to {word}, which is not there" for word in wanted if word not in idents
        )


def _unsaid(page: Page) -> Iterator[str]:
    """What a screen reader would have no words for."""
    labelled = {element.attributes.get("for") for element in page.all("label")}
    titled = {id(own.parents[-1]) for own in page.all("title") if own.text.strip()}
    for element in page.elements:
        own = element.attributes
        is_named = bool(own.get("aria-label") or own.get("aria-labelledby") or id(element) in titled)
        is_hidden = own.get("aria-hidden") == "true"
        if (
            element.name == "svg"
            and not is_hidden
            and not (own.get("role") in ("img", "application") and is_named)
        ):
            yield f"a picture without words: {own}"
        has_label = own.get("id") in labelled or element.within("label")
        if element.name == "input" and not has_label and not is_named:
            yield f"an input without a label: {own}"
        if element.name in SPEAKING and not element.text.strip() and not is_named:
            yield f"<{element.name}> says nothing: {own}"
        if element.name == "nav" and not is_named:
            yield "a navigation without a name"
    for name in ("main", "nav", "h1", "title"):
        n = sum(1 for element in page.all(name) if not element.within("svg"))
        if n != 1:
            yield f"{n} elements <{name}>"
    if page.all("html")[0].attributes.get("lang") != "en":
        yield "the page has no language"


def _headings(page: Page) -> Iterator[str]:
    levels = [int(element.name[1]) for element in page.all("h1", "h2", "h3", "h4", "h5", "h6")]
    yield from (f"h{b} follows h{a}" for a, b in pairwise(levels) if b > a + 1)


def _tables(page: Page) -> Iterator[str]:
    n_captions = Counter(
        id(table) for own in page.all("caption") for table in own.parents if table.name == "table"
    )
    for table in page.all("table"):
        if n_captions[id(table)] != 1:
            yield f"a table without a caption: {table.text[:60]}"
    yield from (
        f"th without scope: {own.text[:40]}" for own in page.all("th") if not own.attributes.get("scope")
    )
