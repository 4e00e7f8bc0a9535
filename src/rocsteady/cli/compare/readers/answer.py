"""What a reader study answers with: JSON, a file, a table, a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocsteady.cli.compare.readers.options import refuse_requirements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady.cli.compare.answers import Answer
    from rocsteady.cli.compare.making import Settings
    from rocsteady.cli.compare.readers.making import StudyFound
    from rocsteady.cli.compare.readers.options import Study
    from rocsteady.cli.requirements import Requirement, Verdict
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.report.data import Finding
    from rocsteady.scores import ScoreSet


def study_answer(
    score_set: ScoreSet, study: Study, settings: Settings, required: Sequence[Requirement] = ()
) -> Answer:
    """Modalities compared; of one without a standalone system, what its readers are worth."""
    refuse_requirements(required)
    is_one = len(score_set.models) < 2 and settings.a in (None, *score_set.models) and settings.b is None
    if not is_one or study.standalone is not None:
        return StudyAnswer.of(score_set, study, settings)
    from rocsteady.cli.compare.readers.summary import SummaryAnswer

    return SummaryAnswer.of(score_set, study, settings)


@dataclass(frozen=True, eq=False)
class StudyAnswer:
    """Modalities compared over readers and cases."""

    found: StudyFound
    score_set: ScoreSet
    study: Study
    settings: Settings
    verdicts: tuple[Verdict, ...] = ()

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
        models = ["--models", ",".join(own)] if own else []
        show_study(self.found, typed, [*models, *self.study.again, *typed_again(self.settings)])


def typed_again(settings: Settings) -> list[str]:
    """What was said of a study beside its own options, where it is not what is taken anyway."""
    given = {
        "--unmatched": (settings.unmatched, "raise"),
        "--adjust": (settings.adjust or "none", "holm"),
        "--confidence-level": (settings.confidence_level, 0.95),
        "--boot": (settings.n_resamples, 2000),
        "--seed": (settings.seed, 0),
    }
    return [word for name, (value, usual) in given.items() if value != usual for word in (name, f"{value}")]
