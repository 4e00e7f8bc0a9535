"""Blocks as HTML, with Jinja2: autoescaped, one file, no request, a strict content policy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, get_args

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rocsteady.show.document import Block
from rocsteady.text import NAMES, NUMBERS, Words, shell, thousands

_KINDS: dict[str, Any] = {kind.__name__.lower(): kind for kind in get_args(Block)}
_KINDS |= {"name": NAMES, "number": (*NUMBERS, int)}
_BESIDE_A_NUMBER = re.compile(r"(?<=\d) (?=%|\d{3}(?!\d))|(?<=[≥≤<>=±]) (?=[\d−])|(?<=\bp) (?=[<=>])")


def unbroken(text: str) -> str:
    r"""Text whose numbers keep to their units and signs at the end of a line.

    >>> unbroken("5 % of 23 802 rows, p = 0.03")
    '5\xa0% of 23\xa0802 rows, p\xa0=\xa00.03'
    """
    return _BESIDE_A_NUMBER.sub("\N{NO-BREAK SPACE}", text)


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
    found.filters.update(unbroken=unbroken, shell=shell, thousands=thousands)
    found.tests["kind"] = lambda value, name: isinstance(value, _KINDS[name])
    return found


def fragment(blocks: Sequence[Block], words: Words) -> str:
    """The blocks alone, as a notebook shows them."""
    return templates().get_template("blocks.html").render(blocks=blocks, words=words, draw=_drawing(words))


def _drawing(words: Words) -> Any:
    from rocsteady.figures.svg import svg

    def draw(picture: Any) -> Markup:
        return Markup(svg(picture, words))  # escaped by ElementTree

    return draw


def style() -> str:
    """The style sheet of the page."""
    return files("rocsteady.show").joinpath("page/style.css").read_text(encoding="utf-8")
