"""One place in a paper that should be read otherwise, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from string import Formatter
from typing import Any

from rocsteady.results import Result
from rocsteady.words import grouped

Numbers = Mapping[str, float]

PROVED, CHECKED, READING = "proved", "checked", "a reading"
STATUSES = (PROVED, CHECKED, READING)
"""By argument; by numbers; an open question that was settled by a choice."""


def no_numbers() -> Numbers:
    """For what is proved in words."""
    return {}


class _WithThousands(Formatter):
    """As ``str.format``, with one more way to spell a whole number."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "grouped":
            return grouped(value)
        return str(super().format_field(value, format_spec))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Erratum(Result):
    """One place in a paper that should be read otherwise.

    Attributes
    ----------
    code : str
        Such as ``"H2"``: the letter stands for the paper.
    title : str
        What it is about.
    where : str
        Where in the paper.
    says : str
        What stands there, quoted or in our words.
    instead : str
        What to read.
    template : str
        The proof or the counter-example, with a place for each number: ``{cost:.3f}``; ``{n:grouped}`` sets
        thousands apart.
    status : {"proved", "checked", "a reading"}
        How it is known.
    here : str
        What does it right in this library.
    compute : callable
        Computes the numbers.
    """

    code: str
    title: str
    where: str
    says: str
    instead: str
    template: str
    status: str
    here: str = ""
    compute: Callable[[], Numbers] = no_numbers

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers behind it, by name."""
        return self.compute()

    @property
    def because(self) -> str:
        """The proof or the counter-example, with its numbers."""
        return _WithThousands().format(self.template, **self.numbers)

    def to_dict(self) -> dict[str, Any]:
        """The entry as plain data, numbers included."""
        words = {
            name: getattr(self, name) for name in ("code", "title", "where", "says", "instead", "because")
        }
        return words | {"status": self.status, "here": self.here, "numbers": dict(self.numbers)}

    def __repr__(self) -> str:
        return f"Erratum({self.code}: {self.title}; {self.status})"
