"""The answer, before anything is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.report.html.parts import sentence
from rocsteady.report.html.tags import Markup, tag, text

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.vocabulary import Wording


def render(summary: ReportSummary, drawing: Drawing, wording: Wording) -> Markup:
    """One sentence; and what another use of the scores would change, smaller."""
    answer = summary.answer
    models = summary.about.models
    other = sentence(answer.other, "mut sm", models=models) if answer.other else None
    return text([tag("div", sentence(answer.sentence, "lead", models=models), class_="answer"), other])
