"""Where a warning belongs: at the line of the caller's code, however deep in the package it was found."""

from __future__ import annotations

import sys
from types import FrameType


def caller_level() -> int:
    """The ``stacklevel`` for :func:`rocsteady.errors.warn` that names the first line outside the package.

    Python shows a warning once per line. A line of the package would stand for all callers, and only the
    first of them would ever see it.
    """
    frame: FrameType | None = sys._getframe(1)
    level = 2  # 1 would be errors.warn itself
    while frame is not None and frame.f_globals.get("__name__", "").startswith(("rocsteady.", "contextlib")):
        frame, level = frame.f_back, level + 1
    return level


_DOORS = ("rocsteady.calling", "rocsteady.showing", "rocsteady.scores.score_set")
"""Modules through which a user's call passes on its way to a function."""


def is_asked_by_the_user() -> bool:
    """Whether whoever called the function that asks this is no part of the package."""
    frame = sys._getframe(2).f_back
    while frame is not None and frame.f_globals.get("__name__", "") in _DOORS:
        frame = frame.f_back
    return frame is None or not frame.f_globals.get("__name__", "").startswith("rocsteady.")
