"""A reader study of one modality: the mean of its readers, how sure it is, and the readers one by one."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.cli.compare.cells import limits, number
from rocsteady.cli.compare.readers.making import options_of
from rocsteady.cli.console import fitting_name, plain_table, show, show_command, show_first_fitting
from rocsteady.errors import fail
from rocsteady.statistics.limits import Interval
from rocsteady.words import plural, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from rocsteady.cli.compare.making import Settings
    from rocsteady.cli.compare.readers.options import Study
    from rocsteady.cli.requirements import Verdict
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.readers.compare import ReaderSummary
    from rocsteady.report.data import Finding
    from rocsteady.scores import ScoreSet

_NAME = 20


@dataclass(frozen=True, eq=False)
class SummaryAnswer:
    """The readers of one modality, with nothing to compare it with."""

    found: ReaderSummary
    score_set: ScoreSet
    study: Study
    settings: Settings
    verdicts: tuple[Verdict, ...] = ()

    @classmethod
    def of(cls, score_set: ScoreSet, study: Study, settings: Settings) -> SummaryAnswer:
        """The answer to what was asked."""
        from rocsteady.readers.compare import summarize_readers

        _refuse_comparing(study)
        found = summarize_readers(score_set, **options_of(study, settings))
        return cls(found, score_set, study, settings)

    def json(self, warned: Sequence[RocsteadyWarning], findings: Sequence[Finding], *, to_file: bool) -> str:
        """Everything, in a file as on the screen."""
        from rocsteady.cli.compare.readers.files import in_json

        own = {"comparison": None, "summary": self.found.to_dict(), "reading": self.found.reading}
        return in_json(self.score_set, own, warned, findings)

    def content(self, kind: str, text: str) -> bytes:
        """What is written to a file of this kind; ``text`` is the JSON."""
        from rocsteady.cli.compare.files import FIGURES
        from rocsteady.cli.compare.readers.files import table_content

        if kind in FIGURES:
            from rocsteady.plots import reader_values
            from rocsteady.plots.parts.style import rendered

            figure: Any = reader_values(self.found).figure
            return rendered(figure, kind)
        return table_content(kind, summary_table(self.found), text)

    def show_table(self) -> None:
        """The numbers alone."""
        show_first_fitting(*(_mean(self.found, errors=is_wide) for is_wide in (True, False)))
        if len(self.found.readers) > 1:
            show()
            show_first_fitting(*(_readers(self.found, interval=is_wide) for is_wide in (True, False)))

    def show_page(self, typed: Sequence[str]) -> None:
        """The answer, the tables, what is random, commands to go on with."""
        from rocsteady.cli import program
        from rocsteady.cli.compare.readers.answer import typed_again
        from rocsteady.cli.compare.words import translated
        from rocsteady.show.sentences.readers import of_modality, of_size, said

        own = self.found
        unit = printable(own.unit)
        positives, negatives = int(own.n_positives[0]), int(own.n_negatives[0])
        n_readers = len(own.readers)
        size = of_size(
            self.score_set.classes, positives, negatives, n_readers=n_readers, unit=unit, n_modalities=1
        )
        show()
        show(f"A reader study: {size}. Nothing to compare: this is how well the {plural(unit)} do.")
        show()
        show(translated(of_modality(own, 0)))  # notes, and what is random, stand under the tables
        show()
        self.show_table()
        show()
        for sentence in [own.random, *own.notes]:
            show(translated(said(printable(sentence))))
        show()
        show("Next:")
        asked = [*self.study.again, *typed_again(self.settings)]
        command = ["compare", *typed, *asked, "-o", "readers.png"]
        show_command(f"{program.typed()} {shlex.join(command)}")


def _refuse_comparing(study: Study) -> None:
    """RS002 for options that need something to compare."""
    given = {"--margin": study.margin, "--method u-statistics": study.method == "u-statistics" or None}
    for name, value in given.items():
        if value is not None:
            raise fail("RS002.one-modality", option=name)


def summary_table(found: ReaderSummary) -> dict[str, list[Any]]:
    """One row for the mean, then one for every reader; readers have no degrees of freedom."""
    from rocsteady.results import unit_column

    per, each = found.per_modality, found.per_reader
    word = unit_column(found.unit, ("quantity", *_BOTH, "df"), "reader")
    n = len(each)
    columns = {name: getattr(per, name).tolist() + getattr(each, name).tolist() for name in _BOTH}
    return {
        word: ["mean", *each.reader],
        "quantity": [per.quantity, *[found.measure] * n],
        **columns,
        "df": [float(per.df[0]), *[None] * n],
    }


_BOTH = ("value", "standard_error", "low", "high")


def _mean(found: ReaderSummary, *, errors: bool) -> Table:
    from rocsteady.cli.compare.readers.tables import error_cells, error_headings
    from rocsteady.readers.study import NO_NAME

    per = found.per_modality
    name = per.modalities[0]
    is_named = name != NO_NAME
    table = plain_table(
        "modality" if is_named else "", per.quantity, *error_headings(errors), _interval(found)
    )
    shown = fitting_name(printable(name), _NAME) if is_named else f"all {plural(printable(found.unit))}"
    cells = error_cells(per.standard_error[0], per.df[0]) if errors else []
    table.add_row(shown, number(float(per.value[0])), *cells, limits(per.intervals[0]))
    return table


def _readers(found: ReaderSummary, *, interval: bool) -> Table:
    each = found.per_reader
    table = plain_table(printable(found.unit), found.measure, *([_interval(found)] if interval else []))
    for i, reader in enumerate(each.reader):
        own = Interval(float(each.low[i]), float(each.high[i]), each.confidence_level, "logit")
        cells = [number(float(each.value[i])), *([limits(own)] if interval else [])]
        table.add_row(fitting_name(printable(reader), _NAME), *cells)
    return table


def _interval(found: ReaderSummary) -> str:
    return f"{100 * found.confidence_level:g} % interval"
