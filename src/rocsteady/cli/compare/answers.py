"""What a comparison answers with: JSON, a file, a table, a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocsteady.advice.deployment import Deployment
    from rocsteady.cli.compare.making import Compared, Settings
    from rocsteady.cli.requirements import Verdict
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.report.data import Finding
    from rocsteady.scores import ScoreSet


class Answer(Protocol):
    """One of models over groups, or one of a reader study."""

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """What was required and found; a reader study has no requirements."""

    def json(self, warned: Sequence[RocsteadyWarning], findings: Sequence[Finding], *, to_file: bool) -> str:
        """Everything, as JSON."""

    def content(self, kind: str, text: str) -> bytes:
        """What is written to a file of this kind; ``text`` is the JSON."""

    def show_table(self) -> None:
        """The numbers alone."""

    def show_page(self, typed: Sequence[str]) -> None:
        """All of it; ``typed`` is the file and its columns."""


@dataclass(frozen=True, eq=False)
class ModelsAnswer:
    """Models compared over groups or over cases; ``typed`` are the options that only this has."""

    found: Compared
    score_set: ScoreSet
    settings: Settings
    deployment: Deployment | None
    typed: Mapping[str, Any]
    verdicts: Sequence[Verdict] = ()

    def json(self, warned: Sequence[RocsteadyWarning], findings: Sequence[Finding], *, to_file: bool) -> str:
        """Everything; position by position in a file, or where a range was typed."""
        from rocsteady.cli.compare.files import as_json

        ranges = ("--fpr", "--tpr", "--costs", "--alerts")
        is_whole = to_file or any(self.typed[name] is not None for name in ranges)
        return as_json(
            self.score_set,
            self.deployment,
            self.settings,
            self.found,
            warned,
            findings,
            self.verdicts,
            is_whole=is_whole,
        )

    def content(self, kind: str, text: str) -> bytes:
        """What is written to a file of this kind; ``text`` is the JSON."""
        from rocsteady.cli.compare.files import content_of

        return content_of(kind, self.found, text)

    def show_table(self) -> None:
        """The numbers alone."""
        from rocsteady.cli.compare.tables import show_table

        show_table(self.found)

    def show_page(self, typed: Sequence[str]) -> None:
        """The tables, the sentences, a command to go on with; ``typed`` is the file and its columns."""
        from rocsteady.cli.compare.next_step import next_step
        from rocsteady.cli.compare.page import show_page

        show_page(
            self.found,
            is_declared=self.typed["--method"] is not None or self.deployment is not None,
            next_step=next_step(self.found, self.score_set, typed),
        )
