"""What blocks look like in each renderer, and what no sentence may say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from io import StringIO

from rich.console import Console

import rocsteady as rs
from rocsteady.show import html, terminal
from rocsteady.show.document import Block
from rocsteady.study import Study
from rocsteady.text import Words

HOSTILE = "<script>alert('$x_y$')</script>\x1b[m [bold]{best}"
"""The name of a model, without a digit: numbers are compared."""
OUT_OF_USE = (
    "told apart", "cannot be told", "is told", "anew", "luck", "is no ", "are no ", "What is random", "beyond chance",
    " less ", "meanwhile", "in the way", "so many", "by lot",
)  # fmt: skip
"""What ENGLISH.md writes otherwise."""
COLUMNS = {"label": "label", "score": "score", "group": "host", "model": "model", "case": "event"}


def hosts(*, candidate: str = "candidate") -> rs.ScoreSet:
    """The two detectors of the documentation; one may be renamed."""
    table = rs.simulate.hosts()
    table["model"] = [candidate if name == "candidate" else name for name in table["model"]]
    return rs.ScoreSet.from_frame(table, **COLUMNS, positive="attack")


def reader_study(*modalities: str) -> rs.ScoreSet:
    """Radiologists with film and digital images."""
    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    table = rs.simulate.reader_study()
    kept = [i for i, name in enumerate(table["modality"]) if name in (modalities or ("film", "digital"))]
    rows = {name: [own[i] for i in kept] for name, own in table.items()}
    return rs.ScoreSet.from_frame(rows, **columns, positive="cancer")


def printed(blocks: Sequence[Block], words: Words, width: int = 400) -> str:
    """On a terminal."""
    console = Console(file=StringIO(), width=width, force_terminal=False)
    terminal.show(blocks, words, console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


class Page(HTMLParser):
    """Text and tags of a fragment, without figures and what stands in buttons."""

    def __init__(self, blocks: Sequence[Block], words: Words) -> None:
        super().__init__()
        self.markup = html.fragment(blocks, words)
        self.tags: set[str] = set()
        self.text: list[str] = []
        self._skipped = 0
        self.feed(re.sub(r"<svg.*?</svg>|<figcaption.*?</figcaption>", "", self.markup, flags=re.DOTALL))

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def numbers(text: str) -> list[str]:
    """All numbers, sorted: renderers may order blocks otherwise."""
    return sorted(re.findall(r"[+−]?\d+(?:\.\d+)?", text))


def in_all_words(
    scores: rs.ScoreSet, deployment: rs.Deployment | None = None, **options: object
) -> list[Study]:
    """A study in three vocabularies."""
    return [Study(scores, deployment, words=name, **options) for name in ("ml", "medical", "biometric")]  # type: ignore[arg-type]


def check(blocks: Sequence[Block], words: Words) -> str:
    """The laws of every section: all renderers show the same numbers, and nothing is said as it was. Its text."""
    wide = printed(blocks, words)
    own = numbers(wide)
    assert own
    assert numbers(" ".join(Page(blocks, words).text)) == own
    narrow = numbers(printed(blocks, words, width=72))  # nothing is cut; headings may be repeated
    assert set(narrow) == set(own)
    assert len(narrow) >= len(own)
    said = [old for old in OUT_OF_USE if old.casefold() in wide.casefold()]
    assert not said, said
    return wide
