"""The errata as a page in Markdown."""

from __future__ import annotations

import re
import textwrap

from papers.errata.collection import SOURCES, Source
from papers.errata.erratum import CHECKED, PROVED, READING, Erratum

WIDTH = 120
_GLUE = "\0"
"""A space at which no line may end."""

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


def errata_page() -> str:
    """The whole page."""
    parts = ["# Errata\n", *(wrapped(words) + "\n" for words in INTRODUCTION)]
    parts += ["".join(_line_of_contents(source) for source in SOURCES)]
    for source in SOURCES:
        parts += [f"## {source.title}\n", wrapped(source.reference) + "\n"]
        parts += [_entry(entry, source.verb) for entry in source.entries]
    return "\n".join(parts)


def _line_of_contents(source: Source) -> str:
    links = ", ".join(f"[{entry.code}](#{_slug(heading(entry))})" for entry in source.entries)
    return wrapped(f"- [{source.title}](#{_slug(source.title)}): {links}", indent="  ") + "\n"


def _entry(entry: Erratum, verb: str) -> str:
    said = entry.says if entry.says.endswith(".") else f"{entry.says}."
    items = {verb: said, "Instead": entry.instead, "Because": entry.because, "Here": entry.here}
    lines = [wrapped(f"- **{name}:** {words}", indent="  ") for name, words in items.items() if words]
    return "\n".join([f"### {heading(entry)}\n", f"*{entry.where}; {entry.status}.*\n", *lines]) + "\n"


def heading(entry: Erratum) -> str:
    """The heading of an entry, without the signs that make it one."""
    return f"{entry.code}. {entry.title}"


def _slug(text: str) -> str:
    """A heading as a link names it: lower case, no punctuation, hyphens for spaces."""
    kept = "".join(letter for letter in text.lower() if letter.isalnum() or letter in " -")
    return kept.replace(" ", "-")


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
