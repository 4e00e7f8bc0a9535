"""Sentences whose numbers stand out: plain and strong text in turn."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from rocsteady.results import plain

Phrase = tuple[str, ...]
"""Plain text, strong text, plain text and so on: ``("With a threshold of ", "1.64", " on every host.")``."""

Text = str | Phrase
"""A sentence of the report; a string where nothing stands out."""


def plain_text(text: Text) -> str:
    """The sentence without its emphasis.

    >>> plain_text(("It catches ", "68 %", " of its attacks."))
    'It catches 68 % of its attacks.'
    """
    return text if isinstance(text, str) else "".join(text)


def phrase(*parts: Text) -> Phrase:
    """Parts in a row as one phrase: strings are plain, phrases keep what is strong in them.

    >>> phrase("If so, ", ("it catches ", "68 %"), " of all", "", ".")
    ('If so, it catches ', '68 %', ' of all.')
    """
    joined: list[str] = [""]
    for part in parts:
        for place, text in enumerate((part,) if isinstance(part, str) else part):
            is_strong = place % 2 == 1
            if is_strong == (len(joined) % 2 == 0):
                joined[-1] += text
            else:
                joined.append(text)
    return tuple(joined)


def sentences(*parts: Text) -> Phrase:
    """Whole sentences in a row, with a blank between them; empty ones are left out.

    >>> sentences(("It costs ", "5 %", "."), "", "Not more.")
    ('It costs ', '5 %', '. Not more.')
    """
    said: list[Text] = []
    for part in parts:
        if plain_text(part):
            said += [" ", part] if said else [part]
    return phrase(*said)


def plain_part(part: Any) -> Any:
    """A part of a report as JSON can carry it: by its own ``to_dict``, else its fields, phrases as text."""
    if "to_dict" in type(part).__dict__:
        return part.to_dict()
    if is_dataclass(part) and not isinstance(part, type):
        shown = [field for field in fields(part) if not field.name.startswith("_")]
        return {field.name: _plain_field(str(field.type), getattr(part, field.name)) for field in shown}
    if isinstance(part, list | tuple):
        return [plain_part(own) for own in part]
    return plain(part)


def _plain_field(kind: str, value: Any) -> Any:
    """A field of this type, by which a phrase differs from a list of names."""
    is_text = any(name in kind.replace("|", " ").split() for name in ("Phrase", "Text"))
    return plain_text(value) if is_text and value is not None else plain_part(value)
