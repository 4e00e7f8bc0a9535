"""Cells of tables that several sections share: models in their colours, numbers with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

from rocsteady.report.html.parts import LONGEST_NAME, look
from rocsteady.report.html.tags import NOTHING, Child, Markup, named, tag
from rocsteady.words import p_words


def capital(said: str) -> str:
    """With a capital first; the rest stays as it is.

    >>> capital("sensitivity"), capital("hosts of ICUs")
    ('Sensitivity', 'Hosts of ICUs')
    """
    return said[:1].upper() + said[1:]


def place_of(name: str, models: Sequence[str]) -> int:
    """The place of a model among all of them, which has its colour; the first for one that has no name.

    >>> place_of("b", ("a", "b")), place_of("", ("",))
    (1, 0)
    """
    return list(models).index(name) if name in models else 0


def coloured(name: str, models: Sequence[str], *, longest: int = LONGEST_NAME) -> Markup:
    """The name of a model in its colour.

    >>> coloured("b", ("a", "b"))
    '<span class="model m1"><bdi>b</bdi></span>'
    """
    return tag("span", named(name, longest=longest), class_=f"model {look(place_of(name, models))}")


def titled(what: str, name: str, models: Sequence[str]) -> Child:
    """A heading after the name of a model, if it has one."""
    return [coloured(name, models), f" {what}"] if name else capital(what)


def bracketed(limits: str) -> Markup:
    """An interval in quiet brackets after a number; nothing where there is none.

    >>> bracketed("1.2 to 3.4")
    '<span class="ci"> [1.2, 3.4]</span>'
    """
    return tag("span", f" [{limits.replace(' to ', ', ')}]", class_="ci") if limits else NOTHING


def over(number: Child, limits: str) -> list[Child]:
    """A number with its interval below it, where a table has to be narrow."""
    return [tag("strong", number), [tag("br"), bracketed(limits)] if limits else None]


def p_cell(pvalue: float) -> str:
    """A p-value in a cell.

    >>> p_cell(0.0312), p_cell(2e-9), p_cell(1.0), p_cell(float("nan"))
    ('0.031', '< 0.0001', '1', '–')
    """
    said = p_words(pvalue)
    return "–" if not said.startswith("p ") else said.removeprefix("p ").removeprefix("= ")
