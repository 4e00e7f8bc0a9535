"""The literature behind the methods: ``references.bib``, one entry for each paper."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Reference:
    """One publication, as BibTeX reads it."""

    bibtex: str

    def field(self, name: str) -> str:
        """A field of the entry without the marks of BibTeX; empty if it has none."""
        found = re.search(rf"^  {name} = {{{{?(.*?)}}?}},$", self.bibtex, re.MULTILINE)
        return found[1].replace(r"\&", "&").replace("--", "-") if found else ""

    @property
    def authors(self) -> list[str]:
        """Last name first."""
        return self.field("author").split(" and ")

    @cached_property
    def short(self) -> str:
        """How a text names it.

        Examples
        --------
        >>> REFERENCES["delong1988"].short
        'DeLong, DeLong & Clarke-Pearson (1988)'
        """
        names = [author.split(",")[0] for author in self.authors]
        if len(names) > 4:
            names = [f"{names[0]} et al."]
        several = f"{', '.join(names[:-1])} & " if names[:-1] else ""
        return f"{several}{names[-1]} ({self.field('year')})"


def _read() -> dict[str, Reference]:
    text = Path(__file__).with_name("references.bib").read_text("utf-8")
    found = re.finditer(r"^@\w+{(\w+),\n.*?^}", text, re.MULTILINE | re.DOTALL)
    return {entry[1]: Reference(entry[0]) for entry in found}


REFERENCES: dict[str, Reference] = _read()
