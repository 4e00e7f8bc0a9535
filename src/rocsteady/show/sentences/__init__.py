"""What results mean, in words: one chapter a folder of the core, written from the facts of a result."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rocsteady.text import Quote, Text, phrase


def text_of(value: Any) -> Text:
    """What a result's ``.reading`` says, as a text that can be told in any vocabulary."""
    chapter, _, name = value._sentence.partition(".")
    found: Text | str = getattr(import_module(f"rocsteady.show.sentences.{chapter}"), name)(value)
    return found if isinstance(found, Text) else phrase("{said}", said=Quote(found))
