"""What ``rocsteady report`` prints: the average and what it means, a small table, the answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocsteady.cli.console import console, show, show_first_fitting
from rocsteady.cli.report.tables import narrow_table, shown_of, tall_table, undeclared_tables, wide_table
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.phrases import Text


def show_page(summary: ReportSummary) -> None:
    """The average, the numbers at the operating point, the answer."""
    _show_average(summary)
    show()
    if summary.recommended is None and summary.about.is_grouped:
        show_first_fitting(*undeclared_tables(summary))
    else:
        shown = shown_of(summary)
        show_first_fitting(wide_table(shown), narrow_table(shown), tall_table(shown))
    show()
    for text in (summary.answer.sentence, summary.answer.other):
        if text:
            _tell(text)
    show()


def show_written(path: Path, n_bytes: int, seconds: float) -> None:
    """Where the page is, how large, and how long it took."""
    from rich.text import Text

    from rocsteady.report.writing import size_words

    took = f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"
    said = f"  {size_words(n_bytes)}, opens offline. {took}."
    # On one line however long: a broken path cannot be copied.
    console().print(Text.assemble(printable(str(path)), (said, "bright_black")), soft_wrap=True)


def _show_average(summary: ReportSummary) -> None:
    """The name in bold, then what it means."""
    from rich.text import Text

    for mode in summary.averages:
        if mode.is_declared:
            show(Text.assemble((f"{mode.name}.", "bold"), f" {printable(_plain(mode.why))}"))
            return


def _tell(text: Text) -> None:
    show(printable(_plain(text)))


def _plain(text: Text) -> str:
    from rocsteady.report.summary.phrases import plain_text

    return plain_text(text)
