"""What a section is made of. Blocks hold facts and templates; how they look is the renderer's business."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rocsteady.text import NUMBERS, Item, Text, Words, joined, phrase


@dataclass(frozen=True)
class Heading:
    """A heading inside a section."""

    text: Text


@dataclass(frozen=True)
class Table:
    """Cells are values or texts; None is an empty cell.

    Attributes
    ----------
    caption : Text or None
    columns : tuple of Text
    rows : tuple of rows
    marked : int, optional
        The row that answers the question.
    name : str
        What the file is called that a reader of the page can save; no such button where it is empty.
    sorts : bool
        Whether readers of the page can sort it by its columns.
    most : int or tuple of int, optional
        How many rows are shown at first, or which; a renderer says how many more there are.
    over : tuple of (Text, int)
        Headings above those of the columns, each over so many of them; an empty text over the others.
    notes : tuple of Text
        Footnotes, a line each.
    """

    caption: Text | None
    columns: tuple[Text, ...]
    rows: tuple[tuple[Item, ...], ...]
    marked: int | None = None
    name: str = ""
    sorts: bool = False
    most: int | tuple[int, ...] | None = None
    over: tuple[tuple[Text, int], ...] = ()
    notes: tuple[Text, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("every row of a table has a cell for each of its columns")
        if self.over and sum(n for _, n in self.over) != len(self.columns):
            raise ValueError("the headings above a table are over all of its columns")

    def shown(self, usual: int | None = None) -> Sequence[int]:
        """The rows that are shown at first; ``usual`` is how many where the table does not say."""
        most = usual if self.most is None else self.most
        if isinstance(most, tuple):
            return most
        return range(len(self.rows) if most is None else min(most, len(self.rows)))

    @property
    def heads(self) -> tuple[Text, ...]:
        """The headings of the columns, each with what stands above it, for renderers of one line."""
        above = [text for text, n in self.over for _ in range(n)] or [phrase("")] * len(self.columns)
        pairs = zip(above, self.columns, strict=True)
        return tuple(joined([own, head], " ") if own.template else head for own, head in pairs)

    def is_numeric(self, column: int) -> bool:
        """Whether a column is set right."""
        return any(isinstance(row[column], (*NUMBERS, int)) for row in self.rows)


@dataclass(frozen=True)
class Figure:
    """A described figure (:mod:`rocsteady.figures.spec`) and what it shows."""

    picture: Any
    caption: Text | None = None


@dataclass(frozen=True)
class Note:
    """A coded caution, with what to do about it."""

    code: str
    text: Text


@dataclass(frozen=True)
class Command:
    """What to type to get this; it is quoted where it is shown."""

    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """Few names with their values: the first screen, the masthead.

    Each row is a name, a value, and a text that qualifies the value, or None.
    """

    rows: tuple[tuple[Text, Item, Text | None], ...]


@dataclass(frozen=True)
class Items:
    """A list, one text an item."""

    texts: tuple[Text, ...]


@dataclass(frozen=True)
class Beside:
    """Blocks that stand side by side where there is room."""

    columns: tuple[tuple[Block, ...], ...]


@dataclass(frozen=True)
class Fold:
    """Blocks behind a title: open only when asked for. A terminal shows the title's blocks only if asked."""

    title: Text
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Own:
    """A part of the page with a template of its own (``page/<template>.html``), and data for it.

    Other renderers show `instead`. What the page's script looks up, by the name of the template, is `script`.
    """

    template: str
    data: Any
    instead: tuple[Block, ...] = ()
    script: Any = None


Block: TypeAlias = Heading | Text | Table | Figure | Note | Command | Facts | Items | Beside | Fold | Own


@dataclass(frozen=True)
class Section:
    """A part of the report: a name to reach it by, what it is called, and how it is made of a study.

    ``make`` gives no blocks where there is nothing to say; the section is then left out.
    """

    ident: str
    link: Text
    title: Text
    make: Callable[[Any], Sequence[Block]]


def flat(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks one after the other, as a renderer without columns or folds shows them."""
    for block in blocks:
        match block:
            case Beside(columns):
                for column in columns:
                    yield from flat(column)
            case Fold(title, own):
                yield Heading(title)
                yield from flat(own)
            case Own():
                yield from flat(block.instead)
            case _:
                yield block


def plain(blocks: Sequence[Block], words: Words) -> str:
    """The sentences alone, for tests and for places that show nothing else."""
    return "\n".join(own.plain(words) for own in flat(blocks) if isinstance(own, Text))
