"""The flow of rows from what was read to what is used, and everything that calls for care (as STARD asks)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.errors import RocsteadyWarning, caution
from rocsteady.report.data import Finding
from rocsteady.report.summary import counting
from rocsteady.report.summary.points.words import shown_name
from rocsteady.report.summary.vocabulary import count
from rocsteady.results import plain_fields
from rocsteady.scores.columns import Cause
from rocsteady.words import counted, listed, named, printable

if TYPE_CHECKING:
    from rocsteady.report.summary.material import Material
    from rocsteady.scores.score_set import ScoreSet

_ARROW = "  -> "


@dataclass(frozen=True)
class Step:
    """One step of the flow.

    Attributes
    ----------
    n : int
        Rows.
    text : str
        What became of them, after their number: ``"rows read"``.
    is_loss : bool
        Whether they are gone after it.
    """

    n: int
    text: str
    is_loss: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self)


@dataclass(frozen=True)
class ModelFlow:
    """What one model used, where models differ.

    Attributes
    ----------
    model : str
    n_rows, n_positives, n_negatives : int
        In groups that have both classes; in all groups where rows are pooled.
    n_groups : int
        Such groups.
    n_one_class : int
        Rows in groups of one class.
    """

    model: str
    n_rows: int
    n_positives: int
    n_negatives: int
    n_groups: int
    n_one_class: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return plain_fields(self)


@dataclass(frozen=True)
class WarningRow:
    """One coded message: what it says, what was found, what to type, and which groups it is about."""

    code: str
    problem: str
    found: str
    remedies: tuple[str, ...]
    groups: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry; ``text`` has the first two parts."""
        text = " ".join(filter(None, [self.problem, self.found]))
        return plain_fields(self) | {"text": text}


@dataclass(frozen=True)
class DataPart:
    """Rows and warnings.

    Attributes
    ----------
    steps : tuple of Step
        From rows read to rows used; losses in between add up.
    per_model : tuple of ModelFlow
        Empty where all models used alike.
    causes : dict
        Rows that were dropped when the data were read, by cause.
    warnings : tuple of WarningRow
    counting : CountingPart or None
        How rows were counted; None where they were read one by one.
    """

    steps: tuple[Step, ...]
    per_model: tuple[ModelFlow, ...]
    causes: dict[str, int]
    warnings: tuple[WarningRow, ...]
    counting: counting.CountingPart | None = None

    @property
    def n_used(self) -> int:
        """Rows used."""
        return self.steps[-1].n

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can carry."""
        return {
            "steps": [step.to_dict() for step in self.steps],
            "per_model": [own.to_dict() for own in self.per_model],
            "causes": dict(self.causes),
            "warnings": [row.to_dict() for row in self.warnings],
            "counting": None if self.counting is None else self.counting.to_dict(),
        }


def make(material: Material) -> DataPart:
    """Count the rows at every step, and list what computing the report met.

    To be made last: warnings are kept as parts are computed.
    """
    given, used = material.given, material.score_set
    noun = _noun(given)
    models = tuple(_of_model(material, name) for name in material.names)
    n_used = sum(own.n_rows for own in models)
    did = "read" if given.counted_from is None else "counted"
    steps = [Step(given.columns.n_cases + given.dropped.n_rows, f"{noun} {did}")]
    steps += _dropped(given)
    n_few = given.columns.n_cases - used.columns.n_cases
    if n_few:
        steps.append(Step(n_few, _few_words(material), is_loss=True))
    steps += _one_class(material, sum(own.n_one_class for own in models))
    steps.append(Step(n_used, _used_words(material, models, noun)))
    differ = len({(own.n_rows, own.n_positives, own.n_groups, own.n_one_class) for own in models}) > 1
    return DataPart(
        steps=tuple(steps),
        per_model=models if differ else (),
        causes={str(cause): int(n) for cause, n in given.dropped.causes.items()},
        warnings=tuple(_warning(material, finding) for finding in material.warnings),
        counting=counting.make(material),
    )


def _noun(score_set: ScoreSet) -> str:
    """Rows; scores, where a row of the table has one for each model."""
    counts = score_set.counted_from
    several = len(score_set.models) > 1 and (
        (score_set.cases is not None and not score_set.cases.are_named)
        if counts is None
        else not counts.score  # several columns of scores, not one beside a column of models
    )
    return "scores" if several else "rows"


def _of_model(material: Material, name: str) -> ModelFlow:
    own = material.of_model(name)
    has_curve = own.has_curve
    used = has_curve | (material.declared_key == "pooled")
    rows = own.n_positives + own.n_negatives
    return ModelFlow(
        model=name,
        n_rows=int(rows[used].sum()),
        n_positives=int(own.n_positives[used].sum()),
        n_negatives=int(own.n_negatives[used].sum()),
        n_groups=int(np.count_nonzero(used & (rows > 0))),
        n_one_class=int(rows[~has_curve].sum()),
    )


def _dropped(given: ScoreSet) -> list[Step]:
    """Rows that were dropped while reading; one step for each cause where a row has one cause only."""
    dropped = given.dropped
    if not dropped:
        return []
    causes = {_cause(cause): int(n) for cause, n in dropped.causes.items()}
    if sum(causes.values()) == dropped.n_rows:
        return [Step(n, f"{cause}, dropped", is_loss=True) for cause, n in causes.items()]
    several = listed([f"{cause}: {count(n)}" for cause, n in causes.items()])
    return [Step(dropped.n_rows, f"dropped ({several})", is_loss=True)]


def _cause(cause: Cause) -> str:
    """After a number of rows.

    >>> _cause(Cause.NO_SCORE)
    'without a score'
    """
    return f"without a {cause.role}" if cause.role else cause.value


def _few_words(material: Material) -> str:
    n, unit = len(material.left_out), material.given.unit
    return (
        f"in {counted(n, shown_name(unit))} with fewer than {material.settings.min_per_class} cases of a "
        f"class ({_names(material.left_out, unit)}), left out"
    )


def _names(names: Sequence[str], unit: str) -> str:
    """Groups by their names; bare numbers are none."""
    are_words = all(any(letter.isalpha() for letter in name) for name in names)
    return listed([shown_name(name if are_words else named(unit, name)) for name in names], most=3)


def _one_class(material: Material, n_rows: int) -> list[Step]:
    """Rows of groups that have one class: in no curve, but in the pooled one."""
    if not n_rows:
        return []
    score_set = material.score_set
    lacking = score_set.group_index[~score_set.has_curve]
    names = list(dict.fromkeys(score_set.groups[i] for i in lacking.tolist()))
    units = f"in {counted(len(names), shown_name(score_set.unit))} with one class"
    said = f"{units} ({_names(names, score_set.unit)})"
    if not material.is_grouped:
        return [Step(n_rows, "of one class only, left out", is_loss=True)]
    if material.declared_key == "pooled":
        return [Step(n_rows, f"{said}: they count in the pooled curve only")]
    return [Step(n_rows, f"{said}, left out", is_loss=True)]


def _used_words(material: Material, models: tuple[ModelFlow, ...], noun: str) -> str:
    wording, first = material.wording, models[0]
    groups = f": {counted(first.n_groups, shown_name(material.unit))}" if material.is_grouped else ""
    joined = " \u00d7" if groups else ":"
    times = f"{joined} {len(models)} models" if len(models) > 1 else ""
    if len({(own.n_positives, own.n_negatives, own.n_groups) for own in models}) > 1:
        return f"{noun} used{times and f': {len(models)} models'}"
    each = " each" if len(models) > 1 else ""
    classes = f"{_cases(wording.positives, first.n_positives)} and "
    classes += f"{_cases(wording.negatives, first.n_negatives)}{each}"
    return f"{noun} used{groups}{times}{',' if groups or times else ':'} {classes}"


def _cases(cases: str, n: int) -> str:
    """``2 664 attack cases``.

    >>> _cases("attack cases", 1), _cases("genuine comparisons", 480)
    ('1 attack case', '480 genuine comparisons')
    """
    return f"{count(n)} {shown_name(cases.removesuffix('s') if n == 1 else cases)}"


def _in_words(material: Material, warning: RocsteadyWarning) -> RocsteadyWarning:
    """RS203 with the rates as the report calls them: a step of a rate is one of what it leaves to 1, too."""
    if warning.code != "RS203":
        return warning
    rate = material.wording.tpr if warning.facts["rate"] == "TPR" else material.wording.fpr
    return caution(warning.entry, **{**warning.facts, "rate": rate.short})


def _warning(material: Material, finding: Finding) -> WarningRow:
    """The message, typed as where the report was asked for: in a shell if there was a command."""
    warning = finding.warning
    lines = warning.lines(shell=bool(material.settings.command))
    remedies = [line.removeprefix(_ARROW) for line in lines if line.startswith(_ARROW)]
    if warning.code == "RS258":  # the page has them, one by one
        unit = shown_name(material.unit)
        where = f'look at each in the table "{unit[:1].upper()}{unit[1:]} by {unit}"'
        remedies = [where if line.startswith("look at each") else line for line in remedies]
    return WarningRow(
        code=warning.code,
        problem=printable(_in_words(material, warning).problem),
        found="\n".join(printable(line) for line in warning.found.splitlines()),
        remedies=tuple(remedies),
        groups=finding.groups,
    )
