"""Answers that are made when they are first asked for and kept, with the warnings that were met on the way.

Studies are made of this: :class:`rocsteady.Study` of scores, :class:`~rocsteady.class_study.ClassStudy` of
the outputs of several classes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any, ClassVar, TypeVar

import numpy as np

from rocsteady.curves.from_scores import described
from rocsteady.errors import Option, RocsteadyWarning, fail
from rocsteady.options import one_of
from rocsteady.results import plain
from rocsteady.showing import Shown, reported
from rocsteady.text import Words

_Answer = TypeVar("_Answer")
SCHEMA_VERSION = 2


class Answers:
    """What studies share: each answer once, warnings kept, plain data, a report."""

    PARTS: ClassVar[tuple[str, ...]] = ()
    """What :meth:`to_dict` can leave out."""
    _said_once: ClassVar[Collection[str]] = ()
    """Codes of warnings that several answers have to say; once is enough."""

    words: Words
    title: str
    command: str

    def __new__(cls, scores: Any = None, *given: Any, **options: Any) -> Any:
        """A study of these scores, which may be one of another kind."""
        other = cls._other(scores, given, options)
        return super().__new__(cls) if other is None else other

    @classmethod
    def _other(cls, scores: Any, given: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """The study that scores of another kind have."""
        return None

    def __init__(self, progress: Callable[[str], None] | None, **texts: str) -> None:
        for name, text in texts.items():
            if not isinstance(text, str):
                ways, found = [Option(name, str(text))], described(text)
                raise fail("RS002.kind", name=name, kind="a text", found=found, ways=ways)
        if progress is not None and not callable(progress):
            ways, found = ["progress=print"], described(progress)
            raise fail("RS002.kind", name="progress", kind="a function", found=found, ways=ways)
        self._progress = progress
        self._kept: dict[Any, Any] = {}
        self._met: list[RocsteadyWarning] = []

    _repr_html_ = Shown._repr_html_
    """A notebook shows the answer."""

    @property
    def warnings(self) -> tuple[RocsteadyWarning, ...]:
        """What the answers so far have warned of, each once."""
        found: dict[Any, RocsteadyWarning] = {}
        for own in self._met:
            found.setdefault(own.code if own.code in self._said_once else (own.code, own.problem), own)
        return tuple(found.values())

    def report(
        self, path: str | PathLike[str], *, sections: Sequence[str] | None = None, short: bool = False
    ) -> Any:
        """Write the report as one HTML page: :func:`rocsteady.write_report` of this study.

        Parameters
        ----------
        path : str or path
        sections : sequence of str, optional
            Which sections, by name.
        short : bool
            About two printed pages.

        Returns
        -------
        WrittenReport
            With ``.path`` and ``.n_bytes``.
        """
        return reported(self, path, sections=sections, short=short)

    def say(self, text: str) -> None:
        """Tell whoever waits what is done next."""
        if self._progress is not None:
            self._progress(text)

    @contextmanager
    def catching(self) -> Iterator[None]:
        """Keep coded warnings for :attr:`warnings` instead of issuing them; others are issued as ever."""
        with warnings.catch_warnings(record=True) as met:
            warnings.simplefilter("always")
            yield
        for each in met:
            if isinstance(each.message, RocsteadyWarning):
                self._met.append(each.message)
            else:
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)

    def _once(self, key: Any, make: Callable[[], _Answer]) -> _Answer:
        """An answer, made when it is first asked for; its coded warnings are kept, not issued."""
        if key not in self._kept:
            with self.catching():
                self._kept[key] = make()
        found: _Answer = self._kept[key]
        return found

    def _facts(
        self, parts: Sequence[str], about: Callable[[], dict[str, Any]], made: Mapping[str, Callable[[], Any]]
    ) -> dict[str, Any]:
        """What it is about, the parts that are asked for, and the warnings, which were met by then."""
        asked = [one_of("parts", own, self.PARTS) for own in parts] or self.PARTS
        found = {name: plain(made[name]()) for name in self.PARTS if name in asked}
        return {"schema_version": SCHEMA_VERSION} | about() | found | {"warnings": self._told()}

    def _told(self) -> list[dict[str, Any]]:
        """The warnings as facts."""
        return [
            {"code": own.code, "problem": own.problem, "found": own.found, "facts": plain(_json(own.facts))}
            for own in self.warnings
        ]


def _json(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts of a message; what is no plain value as it prints itself."""
    kinds = (str, int, float, bool, list, tuple, dict, np.ndarray, np.generic, type(None))
    return {name: own if isinstance(own, kinds) else str(own) for name, own in facts.items()}
