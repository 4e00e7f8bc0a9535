"""What ``rocsteady report`` makes of a file: everything computed once, the page, JSON, the verdicts."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rocsteady.cli import deployment as deploying
from rocsteady.cli import program
from rocsteady.cli.reading import typed_again

if TYPE_CHECKING:
    import typer

    from rocsteady.advice.deployment import Deployment
    from rocsteady.cli.requirements import Requirement, Verdict
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.settings import Settings
    from rocsteady.scores import ScoreSet


@dataclass(frozen=True, eq=False)
class Made:
    """A report before it is shown."""

    material: Material
    judged: list[Verdict]

    @cached_property
    def summary(self) -> ReportSummary:
        """Everything that it says."""
        from rocsteady.report.summary.making import summarize_material

        return summarize_material(self.material)

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """On what was required; a difference that the report shows is judged as it is shown."""
        return [_as_shown(verdict, self.summary) for verdict in self.judged]

    def page(self) -> bytes:
        """As HTML."""
        from rocsteady.report.writing import page_of

        return page_of(self.material, self.summary)

    def json(self) -> str:
        """As JSON, with the verdicts where something was required."""
        data = self.summary.to_dict()
        if self.verdicts:
            data["requirements"] = [verdict.to_dict() for verdict in self.verdicts]
        return json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False) + "\n"


def make(
    score_set: ScoreSet,
    deployment: Deployment | None,
    settings: Settings,
    warned: Sequence[RocsteadyWarning],
    requirements: Sequence[Requirement],
) -> Made:
    """Judge first: a requirement that names no model should not wait for the page."""
    from rocsteady.report.summary.material import Material

    material = Material(score_set, deployment, settings)
    with material.catching():  # what was met while the file was read belongs on the page too
        for warning in warned:
            warnings.warn(warning, stacklevel=2)
    return Made(material, _verdicts(material, requirements) if requirements else [])


def _verdicts(material: Material, requirements: Sequence[Requirement]) -> list[Verdict]:
    from rocsteady.averaging.methods import Vertical
    from rocsteady.cli.judging import judged
    from rocsteady.report.summary.comparing.setting import test_train_ratio

    settings, deployment, used = material.settings, material.deployment, material.score_set
    key, names = material.declared_key, material.names
    made = {} if key is None else {name: material.average(key, name) for name in names}
    if made and len(names) == 1:  # the only model needs no name
        made = dict.fromkeys([""], *made.values())
    with material.catching():
        return judged(
            requirements,
            used,
            Vertical() if deployment is None else deployment.method,
            averages=made,
            confidence_level=settings.confidence_level,
            n_resamples=settings.n_resamples,
            seed=settings.seed,
            test_train_ratio=test_train_ratio(material),
        )


def _as_shown(verdict: Verdict, summary: ReportSummary) -> Verdict:
    """The same verdict on what the report shows: thresholds may come from elsewhere, cases may be random."""
    own, use = verdict.requirement, summary.deployment
    asked = None if own.place is None else own.place.kind if own.place.kind == "eer" else own.place.to_dict()
    if use.deployment is None or asked is None:
        return verdict
    models = summary.about.models
    whose = models[0] if len(models) == 1 else verdict.whose  # the only model needs no name
    for row in summary.operating_points.rows if verdict.pair is None else ():
        if row.place == asked and row.model == whose:
            value, limits = getattr(row, own.quantity), getattr(row, f"{own.quantity}_limits")
            turned = [1 - value, 1 - limits[1], 1 - limits[0]] if own.is_rest else [value, *limits]
            return replace(verdict, value=turned[0], low=turned[1], high=turned[2])
    if summary.comparison is None or asked != use.place:
        return verdict
    for pair in summary.comparison.pairs:
        sign = {(pair.a, pair.b): 1, (pair.b, pair.a): -1}.get(verdict.pair or ("", ""), 0)
        if sign and pair.measure.kind == own.quantity:
            sign = -sign if own.is_rest else sign
            low, high = sorted((sign * pair.low, sign * pair.high))
            basis = (
                f"{verdict.basis} and their cases" if pair.random == "readers and cases" else verdict.basis
            )
            return replace(verdict, value=sign * pair.difference, low=low, high=high, basis=basis)
    return verdict


def command_of(context: typer.Context, answered: deploying.Declared, declared: deploying.Declared) -> str:
    """What makes this report again: what was typed, and what was answered."""
    typed = program.NAME + typed_again(context).removeprefix(program.typed())
    piped = "< FILE" if context.params.get("file") == "-" else ""  # what was read has no name to give again
    return " ".join(filter(None, [typed, deploying.as_options(answered, declared), piped]))


def is_typed(context: typer.Context, name: str) -> bool:
    """Whether an option was given, and is not merely what is taken without it."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
