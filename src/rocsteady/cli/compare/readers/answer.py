"""What a reader study answers with: JSON, a file, a table, a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady.cli.compare.making import Settings
    from rocsteady.cli.compare.readers.making import StudyFound
    from rocsteady.cli.compare.readers.options import Study
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.report.data import Finding
    from rocsteady.scores import ScoreSet


@dataclass(frozen=True, eq=False)
class StudyAnswer:
    """Modalities compared over readers and cases."""

    found: StudyFound
    score_set: ScoreSet
    study: Study
    settings: Settings

    @classmethod
    def of(cls, score_set: ScoreSet, study: Study, settings: Settings) -> StudyAnswer:
        """The answer to what was asked."""
        from rocsteady.cli.compare.readers.making import make_study

        return cls(make_study(score_set, study, settings), score_set, study, settings)

    def json(self, warned: Sequence[RocsteadyWarning], findings: Sequence[Finding], *, to_file: bool) -> str:
        """Everything, in a file as on the screen."""
        from rocsteady.cli.compare.readers.files import study_json

        return study_json(self.score_set, self.found, warned, findings)

    def content(self, kind: str, text: str) -> bytes:
        """What is written to a file of this kind; ``text`` is the JSON."""
        from rocsteady.cli.compare.readers.files import study_content

        return study_content(kind, self.found, text)

    def show_table(self) -> None:
        """The numbers alone."""
        from rocsteady.cli.compare.readers.tables import show_study_tables

        show_study_tables(self.found)

    def show_page(self, typed: Sequence[str]) -> None:
        """The answer, the tables, the methods, commands to go on with."""
        from rocsteady.cli.compare.readers.page import show_study

        own = [name for name in (self.settings.a, self.settings.b) if name is not None]
        show_study(self.found, typed, [*(["--models", ",".join(own)] if own else []), *self.study.again])
