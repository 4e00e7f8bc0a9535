"""What a description holds: marks by their names, the key and the ticks as words."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocsteady.figures.spec import Picture, spelled
from rocsteady.text import ML, Words


def marks(picture: Picture, name: str, panel: int = 0) -> list[Any]:
    """All marks of this name."""
    return [own for own in picture.panels[panel].marks if own.name == name]


def xy(picture: Picture, name: str, panel: int = 0) -> np.ndarray[Any, Any]:
    """Places of all points of this name."""
    found = marks(picture, name, panel)
    return np.concatenate([np.column_stack([np.ravel(own.x), np.ravel(own.y)]) for own in found])


def key(picture: Picture, words: Words = ML, panel: int = 0) -> list[str]:
    """Lines of the key."""
    own = picture.panels[panel].key or picture.key
    assert own is not None
    lines = [text for entry in (*own.entries, *own.notes) for text in (entry.text, entry.detail)]
    return [spelled(text, words) for text in lines if text is not None]


def names(picture: Picture, axis: str = "x", words: Words = ML) -> list[str]:
    """What stands at the ticks of an axis of names."""
    return [spelled(own, words) for own in getattr(picture.panels[0], axis).names or ()]


def labels(picture: Picture, name: str = "", words: Words = ML) -> list[str]:
    """Words inside the axes."""
    texts = [own for own in picture.panels[0].marks if hasattr(own, "text") and name in ("", own.name)]
    return [spelled(own.text, words) for own in texts]
