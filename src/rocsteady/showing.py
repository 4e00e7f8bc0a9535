"""The one door from a value to later layers: its words, its page, its figure, the average of scores.

Values know nothing of sentences, pages and figures, which are made in later layers. A user or a notebook
asks the value itself, though, so the value asks here, and the later layer is called by name, when somebody
looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar


def page_of(value: object) -> str:
    """The value as HTML for a notebook cell."""
    page: str = import_module("rocsteady.show.notebook").page(value)
    return page


def reported(study: object, path: Any, **options: Any) -> Any:
    """The report of a study as a file."""
    return import_module("rocsteady.show.report").write(path, study, **options)


def draw_study(study: Any, figure: str, title: str, ax: Any, options: Mapping[str, Any]) -> Any:
    """A figure of a study; gives the axes."""
    studies = import_module("rocsteady.figures.studies")
    picture = studies.picture(study, figure, studies.Drawn(**options), title)
    return import_module("rocsteady.figures.matplotlib").draw(picture, study.words, ax=ax)


def said(sentence: str, *facts: Any) -> str:
    """What a function of :mod:`rocsteady.show.sentences`, as ``"curves.what_counts"``, says of facts."""
    chapter, _, name = sentence.partition(".")
    return _plain(getattr(import_module(f"rocsteady.show.sentences.{chapter}"), name)(*facts), *facts)


def notes(sentences: str, *facts: Any) -> tuple[str, ...]:
    """Several sentences, each by itself, of a function as above."""
    chapter, _, name = sentences.partition(".")
    found = getattr(import_module(f"rocsteady.show.sentences.{chapter}"), name)(*facts)
    return tuple(_plain(own, *facts) for own in found)


def _plain(sentence: Any, value: object = None, *_: object) -> str:
    """A sentence in the words of machine learning, and what the value calls its groups and classes."""
    if isinstance(sentence, str):
        return sentence
    words: str = sentence.plain(import_module("rocsteady.text").words_of(value))
    return words


def averaged(value: object, *method: Any, **options: Any) -> Any:
    """One curve from many, by the function of that name."""
    return import_module("rocsteady.averaging.average").average(value, *method, **options)


def class_auc(value: object, *method: Any, **options: Any) -> Any:
    """The AUC of several classes of outputs."""
    return import_module("rocsteady.curves.multiclass").class_auc(value, *method, **options)


def draw_curves(value: object, undefined: str, **options: Any) -> Any:
    """The ROC curves of scores; gives the axes."""
    curves = import_module("rocsteady.curves.curve_set").roc_curves(value, undefined=undefined)
    return draw(curves, "roc", **options)


def draw(value: object, figure: str, **options: Any) -> Any:
    """The value as the figure of :mod:`rocsteady.plot` that has this name; gives the axes."""
    return getattr(import_module("rocsteady.figures"), figure)(value, **options)


class Shown:
    """A value that a notebook shows as HTML: a sentence, a picture where there is a curve, some rows."""

    def _repr_html_(self) -> str | None:
        try:
            return page_of(self)
        except Exception:  # whatever it is, a notebook then shows the repr, and not a traceback
            return None


class Printed(Shown):
    """A value that ``print`` shows as tables: ``class SpssTables(Printed, tables="spss.tables")``.

    The function of that name in :mod:`rocsteady.show.sections` makes them. Its ``repr`` stays one line.
    """

    _tables: ClassVar[str]

    def __init_subclass__(cls, *, tables: str | None = None, **others: Any) -> None:
        super().__init_subclass__(**others)
        if tables is not None:
            cls._tables = tables

    def __str__(self) -> str:
        printed: str = import_module("rocsteady.show.terminal").printed(self)
        return printed


def tables_of(value: Printed, **options: Any) -> Any:
    """The blocks of a value that prints as tables."""
    section, _, name = value._tables.partition(".")
    return getattr(import_module(f"rocsteady.show.sections.{section}"), name)(value, **options)


class Told:
    """A value with a sentence, named with its class: ``class AveragePoint(Told, sentence="averages.point")``.

    It carries facts; the function of that name in :mod:`rocsteady.show.sentences` says what they mean. Where
    values of one class say different things, the name is a field of theirs.
    """

    _sentence: str

    def __init_subclass__(cls, *, sentence: str | None = None, **others: Any) -> None:
        super().__init_subclass__(**others)
        if sentence is not None:
            cls._sentence = sentence

    @property
    def reading(self) -> str:
        """What it means, in words."""
        return said(self._sentence, self)


class Said(property):
    """Further words of a value, ``random = Said("inference.drawn")``; ``of`` names what has the facts."""

    def __init__(self, sentence: str, *, of: str = "") -> None:
        super().__init__(lambda value: said(sentence, getattr(value, of) if of else value))

    def __get__(self, value: Any, kind: type | None = None) -> str:  # type: ignore[override]  # of a value
        found: str = super().__get__(value, kind)
        return found


class Drawn(Shown):
    """A value with a figure of its own, named with its class: ``class RocCurve(Drawn, figure="roc")``."""

    _figure: ClassVar[str]

    def __init_subclass__(cls, *, figure: str | None = None, **others: Any) -> None:
        super().__init_subclass__(**others)
        if figure is not None:
            cls._figure = figure

    def plot(self, **options: Any) -> Any:
        """Draw it with the figure of :mod:`rocsteady.plot` that is made for it.

        Parameters
        ----------
        **options
            Those of the figure, for example ``ax``, ``title`` and ``text_size``.

        Returns
        -------
        Axes
            What was drawn in.
        """
        return draw(self, self._figure, **options)
