"""Klement and others, smooth ROC curves: computed again, and their experiment on data of your own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from papers.smroc.own import Study, experiment

__all__ = ["Study", "experiment"]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """What is public here is loaded when it is asked for: data are fetched without any of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from papers.smroc import own

    return getattr(own, name)
