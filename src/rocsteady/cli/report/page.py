"""What ``rocsteady report`` prints: the average and what it means, a small table, the answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.cli.console import console, show, show_command, show_first_fitting
from rocsteady.cli.legible import legible
from rocsteady.cli.report.tables import (
    caption,
    is_averaged,
    narrow_table,
    rows_of,
    shown_of,
    tall_table,
    undeclared_tables,
    wide_table,
)
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.phrases import Text


def show_page(summary: ReportSummary, commands: list[str], scores: str = "scores") -> None:
    """The average, the numbers at the operating point, the answer.

    ``commands`` are what was typed with answers to the two questions, ``scores`` what a model without a name
    is called.
    """
    is_undeclared = summary.recommended is None and is_averaged(summary)
    if not is_undeclared:
        _show_average(summary)
        shown = shown_of(summary, scores)
        show()
        if caption(shown):
            show(caption(shown))
        show_first_fitting(wide_table(shown), narrow_table(shown), tall_table(shown))
        _show_notes(summary)
    else:
        show()
        show_first_fitting(*undeclared_tables(summary))
    show()
    for text in (summary.answer.sentence, summary.answer.other):
        if text:
            _tell(text)
    if is_undeclared:
        show()
        show(f"To get one answer, say whether all {printable(summary.about.units)} share a threshold:")
        for command in commands:
            show_command(command)


def _show_notes(summary: ReportSummary) -> None:
    """What to know about the rows that are shown: whether a threshold has their rates, what costs are for."""
    from rocsteady.report.summary.comparing.measure import model_name

    rows = rows_of(summary)
    for note in dict.fromkeys(note for row in rows for note in row.notes):
        whose = [row.model for row in rows if note in row.notes]
        name = f"{model_name(whose[0])}: " if len(whose) == 1 < len(rows) else ""
        _tell(name + note)


def show_answers(summary: ReportSummary, command: str) -> None:
    """What to type instead of answering again, if something was; with a point to read if none was named."""
    if not command:
        return
    show()
    show("To have the same without questions:")
    show_command(command)
    at = _typed(summary.deployment.place)
    if at and not summary.deployment.place_is_declared:
        show("and at an operating point of yours, which the answer is then about:")
        show_command(f"{command} --at {at}")


def _typed(place: Any) -> str:
    """A place as it is typed; nothing where the deployment says it all."""
    if isinstance(place, str):
        return place
    ((name, value),) = place.items()
    if name in ("fpr", "tpr", "alerts"):
        return f"{name}={value:g}"
    return f"t={value:g}" if name == "threshold" else ""


def show_written(path: Path, n_bytes: int, seconds: float) -> None:
    """Where the page is, how large, and how long it took."""
    from rich.text import Text

    from rocsteady.report.writing import size_words

    took = f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"
    said = f"  {size_words(n_bytes)}, opens offline. {took}."
    show()
    # On one line however long: a broken path cannot be copied.
    console().print(Text.assemble(printable(str(path)), (said, "bright_black")), soft_wrap=True)


def in_short(warning: RocsteadyWarning) -> RocsteadyWarning:
    """A warning without its details: they are on the page, beside what they are about."""
    return warning.but(found="", remedies=())


def _show_average(summary: ReportSummary) -> None:
    """The name, in bold where that can be, then what it means."""
    from rich.text import Text

    mode = next((own for own in summary.averages if own.is_declared), summary.averages[0])
    name, meaning = f"{mode.name}.", legible(printable(mode.why))
    is_bold = console().is_terminal and console().color_system is not None
    show(Text.assemble((name, "bold"), f" {meaning}") if is_bold else f"{name} {meaning}")


def _tell(text: Text) -> None:
    from rocsteady.report.summary.phrases import plain_text

    # Blanks that keep numbers whole on a page are no letters to a terminal.
    said = plain_text(text).replace("\u202f", " ").replace("\u00a0", " ")
    show(legible(printable(said)))
