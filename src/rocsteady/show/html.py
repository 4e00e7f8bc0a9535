"""Blocks as HTML, with Jinja2: autoescaped, one file, no request, a strict content policy."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, get_args

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rocsteady.figures.style import LOOKS
from rocsteady.results import plain
from rocsteady.show.citing import program_version
from rocsteady.show.document import Block, Own, Section, Table
from rocsteady.text import (
    NAMES,
    NUMBERS,
    Cut,
    Gap,
    Item,
    Model,
    P,
    Range,
    Rate,
    Text,
    Words,
    phrase,
    shell,
    thousands,
    unbroken,
)

MOST_ROWS = 200
"""Of a table without a limit of its own that stand in the page; the script has the others."""
FEWEST_SAVED = 6
"""Rows of a table that is offered as a file."""
_KINDS: dict[str, Any] = {kind.__name__.lower(): kind for kind in get_args(Block)}
FINDINGS = (Rate, Gap, P, Cut, Range)
"""Numbers that stand out in a sentence; levels and counts do not."""
_KINDS |= {"name": NAMES, "number": (*NUMBERS, int), "finding": FINDINGS, "model": Model}


def page(
    title: Text, meta: Sequence[Text], sections: Sequence[tuple[Section, Sequence[Block]]], words: Words
) -> str:
    """A whole page: it asks nothing of anybody, and its policy knows its style sheet and its script.

    Parameters
    ----------
    title : Text
    meta : sequence of Text
        What the report is about, in one line below the title.
    sections : sequence of (Section, blocks)
    words : Words

    Returns
    -------
    str
        The same bytes for the same blocks: neither the time nor the machine is in it.
    """
    filling = Filling(words)
    html = templates().get_template("page.html")
    has_curves = any(
        isinstance(block, Own) and block.template == "reading" for _, own in sections for block in own
    )
    return html.render(
        title=title, meta=meta, sections=sections, words=words, filling=filling, has_curves=has_curves,
        style=style(), script=_inlined("script.js"), island=filling.island, version=program_version(),
    )  # fmt: skip


def fragment(blocks: Sequence[Block], words: Words) -> str:
    """The blocks alone, as a notebook shows them."""
    html = templates().get_template("fragment.html")
    return html.render(blocks=blocks, words=words, filling=Filling(words), title=phrase("Table"))


@cache
def templates() -> Environment:
    """The templates of the page; everything that is filled into them is escaped."""
    found = Environment(
        loader=PackageLoader("rocsteady.show", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(unbroken=unbroken, shell=shell, thousands=thousands, digest=_digest)
    found.globals["looks"] = len(LOOKS)
    found.tests["kind"] = lambda value, name: isinstance(value, _KINDS[name])
    return found


class Filling:
    """What a page is filled with while it is rendered: pictures, parts of their own, rows for the script."""

    def __init__(self, words: Words) -> None:
        self._words, self._n = words, 0
        self._scripted: dict[str, Any] = {}
        self._rows: dict[str, list[list[str]]] = {}

    def number(self) -> int:
        """One that no other part of the page has."""
        self._n += 1
        return self._n

    def draw(self, picture: Any) -> Markup:
        """A described figure."""
        from rocsteady.figures.svg import svg

        return Markup(svg(picture, self._words))  # escaped by ElementTree

    def own(self, block: Own) -> Markup:
        """A part of the page with a template of its own."""
        if block.script is not None:
            self._scripted[block.template] = block.script
        html = templates().get_template(f"{block.template}.html")
        return Markup(html.render(data=block.data, words=self._words, filling=self))

    def split(self, table: Table, number: int) -> tuple[Sequence[int], bool]:
        """Which rows stand in the page, and whether the script has more of them."""
        shown = table.shown(MOST_ROWS)
        if len(shown) == len(table.rows):
            return shown, False
        self._rows[f"table{number}"] = [[self._spelled(value) for value in row] for row in table.rows]
        return shown, True

    @staticmethod
    def can_save(table: Table) -> bool:
        """Whether it is worth a file: short ones are read where they stand."""
        return bool(table.name) and len(table.rows) >= FEWEST_SAVED

    def _spelled(self, value: Item) -> str:
        if value is None:
            return ""
        if isinstance(value, int):
            return thousands(value)
        return value.plain(self._words) if isinstance(value, Text) else value.spell(self._words, "cell")

    def island(self) -> Markup:
        """What the script looks up, compressed: one string, in which nothing can be taken for markup."""
        data = {"tables": self._rows, **self._scripted}
        options: Any = {"ensure_ascii": False, "separators": (",", ":"), "allow_nan": False}
        try:
            text = json.dumps(data, **options)
        except ValueError:  # places of scores that are almost too large for a float
            text = json.dumps(plain(data), **options)
        packed = zlib.compress(text.encode("utf-8", errors="replace"), 7)
        return Markup(json.dumps(b64encode(packed).decode()))


@cache
def style() -> Markup:
    """The style sheet of the page: the looks of models, those of figures, and the page's own."""
    from rocsteady.figures.svg import style_sheet

    rules = []
    for k, look in enumerate(LOOKS):
        dashes = " ".join(f"{2.6 * own:g}" for own in look.dash) or "none"
        rules.append(f".m{k}{{--model:{look.colour};--model-text:{look.text};--dash:{dashes}}}")
    dark = "".join(f".m{k}{{--model:{look.dark};--model-text:{look.dark}}}" for k, look in enumerate(LOOKS))
    models = "\n".join([*rules, f"@media screen and (prefers-color-scheme:dark){{{dark}}}"])
    return Markup(f"{models}\n{style_sheet()}{_inlined('style.css')}")


@cache
def _inlined(name: str) -> Markup:
    """The style sheet or the script, which is not escaped: so it must not hold the end of its own element."""
    text = files("rocsteady.show").joinpath(f"page/{name}").read_text(encoding="utf-8")
    if re.search(r"</(style|script)|<!--", text, re.IGNORECASE):
        raise ValueError(f"{name} would end before its end")
    return Markup(text)


def _digest(text: str) -> str:
    """What lets an inline style sheet or script through the policy."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
