"""Places in a paper that should be read otherwise: words and numbers in one function each; their page.

>>> chapter = Chapter("X", "An example", "A. N. Author, *Examples*.")
>>> @chapter.entry
... def x1() -> Numbers:
...     '''What an entry is (proved)
...
...     Where: Section 1
...     Says: two and two are five
...     Instead: Four.
...     Because: 2 + 2 = {sum:d}, and 1000 times as much {large:grouped}0.
...     '''
...     return {"sum": 2 + 2, "large": 1000 * 4}
>>> [x1] = chapter.entries
>>> print(x1, "|", x1.because)
Erratum(X1: What an entry is; proved) | 2 + 2 = 4, and 1000 times as much 4 0000.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from string import Formatter
from typing import Any

from rocsteady.words import grouped

Numbers = Mapping[str, float]

PROVED, CHECKED, READING = "proved", "checked", "a reading"
STATUSES = (PROVED, CHECKED, READING)
"""By argument; by numbers; an open question that was settled by a choice."""
WIDTH = 120
_HEAD = re.compile(r"(?P<title>.*) \((?P<status>[a-z ]+)\)")
_PARTS = re.compile(r"^ *(Where|Says|Instead|Because|Here): ", re.MULTILINE)
_GLUE = "\0"
"""A space at which no line may end."""


class _WithThousands(Formatter):
    """As ``str.format``, with one more way to spell a whole number."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return grouped(value) if format_spec == "grouped" else str(super().format_field(value, format_spec))


@dataclass(frozen=True, repr=False, kw_only=True)
class Erratum:
    """One place in a paper that should be read otherwise; its code is such as ``"H2"``.

    ``where`` it is, what it ``says``, quoted or in our words, and what to read ``instead``; ``here`` is what
    does it right in this library. ``template`` is the proof or the counter-example, with a place for each
    number: ``{cost:.3f}``; ``{n:grouped}`` sets thousands apart.
    """

    code: str
    title: str
    where: str
    says: str
    instead: str
    template: str
    status: str
    here: str
    compute: Callable[[], Numbers]

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers behind it, by name."""
        return self.compute()

    @property
    def because(self) -> str:
        """The proof or the counter-example, with its numbers."""
        return _WithThousands().format(self.template, **self.numbers)

    @property
    def heading(self) -> str:
        """Its heading on a page."""
        return f"{self.code}. {self.title}"

    def __repr__(self) -> str:
        return f"Erratum({self.code}: {self.title}; {self.status})"


@dataclass(frozen=True)
class Chapter:
    """A paper, or what else is corrected; its codes start with the letter, its ``verb`` is what it does."""

    letter: str
    title: str
    reference: str
    verb: str = "Printed"
    entries: list[Erratum] = field(default_factory=list)

    def entry(self, compute: Callable[[], Numbers]) -> Callable[[], Numbers]:
        """Take in a function, whose docstring has the words and whose name is the code."""
        head, _, body = (compute.__doc__ or "").partition("\n")
        _, *parts = _PARTS.split(body)
        words = {
            name.lower(): " ".join(own.split()) for name, own in zip(parts[::2], parts[1::2], strict=True)
        }
        named = _HEAD.fullmatch(head)
        if named is None:
            raise ValueError(f"{compute.__name__}: a title is followed by its status, as in (proved)")
        words["template"] = words.pop("because")
        code = compute.__name__.upper()
        self.entries.append(Erratum(code=code, compute=compute, **{"here": ""} | words | named.groupdict()))
        return compute


# The page -----------------------------------------------------------------------------------------------

INTRODUCTION = (
    "The methods of this library come from papers, and papers have slips. Where the library does "
    "something else than the text says, this page tells what, and why. Most of it is small: a subscript, a "
    "letter, degrees of freedom. Some of it decides what a curve means (H1 to H3, H8), and some of it takes "
    "a finding away (K8).",
    "Each entry quotes or paraphrases what is printed, says what to read instead, and gives a proof in a "
    f"line or a counter-example. *{PROVED.capitalize()}* means by argument, *{CHECKED}* by numbers, "
    f"*{READING}* that the text leaves something open and a choice was made. Every result below is computed "
    "by the library when this page is made (`python docs/make_errata.py`), and a test makes it again. "
    "Whether the papers' experiments come out is another page: [claims](claims.md). Its numbers are of the "
    "samples that a reproduction draws. Here they are of populations, long runs or small examples, so the "
    "same quantity may differ there by what a sample is off.",
    "The papers were read in conversions to plain text. Where a slip may be the conversion's, the entry "
    "says so.",
)


def page(chapters: Sequence[Chapter]) -> str:
    """All errata in Markdown."""
    parts = ["# Errata\n", *(wrapped(words) + "\n" for words in INTRODUCTION)]
    parts += ["".join(_line_of_contents(chapter) for chapter in chapters)]
    for chapter in chapters:
        parts += [f"## {chapter.title}\n", wrapped(chapter.reference) + "\n"]
        parts += [_entry(entry, chapter.verb) for entry in chapter.entries]
    return "\n".join(parts)


def _line_of_contents(chapter: Chapter) -> str:
    links = ", ".join(f"[{entry.code}](#{slug(entry.heading)})" for entry in chapter.entries)
    return wrapped(f"- [{chapter.title}](#{slug(chapter.title)}): {links}", indent="  ") + "\n"


def _entry(entry: Erratum, verb: str) -> str:
    said = entry.says if entry.says.endswith(".") else f"{entry.says}."
    items = {verb: said, "Instead": entry.instead, "Because": entry.because, "Here": entry.here}
    lines = [wrapped(f"- **{name}:** {words}", indent="  ") for name, words in items.items() if words]
    return "\n".join([f"### {entry.heading}\n", f"*{entry.where}; {entry.status}.*\n", *lines]) + "\n"


def slug(heading: str) -> str:
    """A heading as a link names it: lower case, no punctuation, hyphens for spaces."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def wrapped(text: str, indent: str = "") -> str:
    """Lines of at most 120 letters, none of which Markdown takes for the start of something else.

    No line is broken within code or a number, nor before a sign or a number with a full stop that would
    begin a list.

    >>> print(wrapped("- a fairly long sentence that ends with what would become an item of a list, which is "
    ...     "x y z and `code with spaces` 1 - 2", indent="  "))
    - a fairly long sentence that ends with what would become an item of a list, which is x y z and
      `code with spaces` 1 - 2
    """
    start = 2 if text.startswith("- ") else 0
    body = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", _GLUE), text[start:])
    body = re.sub(r"(?<=\d) (?=\d{3}\b|%)", _GLUE, body)
    body = re.sub(r" (?=(?:[-+*#<>=/:~×≤≥≠]|\d+[.)])(?: |$))", _GLUE, body)
    filled = textwrap.fill(
        text[:start] + body, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return filled.replace(_GLUE, " ")
