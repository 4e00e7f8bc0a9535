"""What was read, what of it is used, and everything that calls for care, each once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocsteady.advice.check import Finding
from rocsteady.answers import Answers
from rocsteady.errors import RocsteadyWarning
from rocsteady.show.document import Block, Fold, Heading, Items, Note, Table
from rocsteady.show.sentences import data as sentences
from rocsteady.study import Study
from rocsteady.text import AREA, Item, Model, Rate, say

_FEW_NAMES = 7
"""Groups that the message itself names."""


def make(study: Study) -> list[Block]:
    """The section; to be made last, since warnings are met as answers are made."""
    return [*flow(study), *counted(study), *cautions(study)]


def flow(study: Study) -> list[Block]:
    """The rows from those read to those used, as STARD asks; and each model where they differ."""
    found, counts = study.check, study.given.counted_from
    is_wide = study.given.cases is not None and not study.given.cases.are_named and len(study.models) > 1
    steps = sentences.steps(
        found,
        study.min_per_class,
        noun="score" if is_wide else "row",
        verb="read" if counts is None else "counted",
        is_pooled=study.method == "pooled",
    )
    blocks: list[Block] = [Items(tuple(steps))]
    if len({(own.n_rows, own.n_positives, own.n_groups, own.n_one_class) for own in found.models}) > 1:
        heads = (
            "model",
            "rows used",
            "{positives}",
            "{negatives}",
            "{units}",
            "rows in {units} of one class",
        )
        rows = tuple(sentences.used(own, found.unit) for own in found.models)
        blocks.append(Table(None, tuple(map(say, heads)), rows, name="data"))
    return blocks


def counted(study: Study) -> list[Block]:
    """Between which values areas certainly lie where rows were counted in cells."""
    if study.given.counted_from is None:
        return []
    rows = []
    for model in study.models:
        curve: Any = study.curves(model)[0] if study.is_alone else study.average(model)
        bounds = curve.auc_bounds
        areas = (Rate(AREA, float(x)) for x in (curve.auc, bounds.low, bounds.high))
        row: tuple[Item, ...] = (Model(model), *areas)
        rows.append(row)
    heads = ("model", "AUC", "at least", "at most")
    lead = say("Rows were counted in cells. The area of all rows certainly lies between these values.")
    return [lead, Table(None, tuple(map(say, heads)), tuple(rows), name="counted")]


def cautions(study: Study) -> list[Block]:
    """Every coded message once, with what to do about it."""
    return notes(warnings(study), study, (*study.given.groups, *study.models))


def notes(findings: Sequence[Finding], study: Answers, names: Sequence[str]) -> list[Block]:
    """Messages with the groups that each is about; `names` keep their first letter."""
    if not findings:
        return [say("No warnings.")]
    blocks: list[Block] = [Heading(say("Warnings"))]
    for own in findings:
        text = sentences.message(own.warning, study.words, names, shell=bool(study.command))
        blocks.append(Note(own.warning.code, text))
        if len(own.groups) > _FEW_NAMES:
            title, listing = sentences.groups_of(own.groups, study.words.unit)
            blocks.append(Fold(title, (listing,)))
    return blocks


def warnings(study: Study) -> tuple[Finding, ...]:
    """What the data lack, what answers met, what speaks against the declared use: each once."""
    levels = [] if study.is_alone else [study.comparability(name) for name in study.models]
    others = [*study.warnings, *(own for level in levels if level is not None for own in level.warnings)]
    others += study.cautions()
    return each_once(study.check.findings, others)


def each_once(findings: Sequence[Finding], others: Sequence[RocsteadyWarning]) -> tuple[Finding, ...]:
    """Findings, and what else was warned of, each once."""
    found = list(findings)
    codes = {own.warning.code for own in found}
    met: set[tuple[str, str]] = set()
    for own in others:
        key = (own.code, own.problem)
        if own.code not in codes and key not in met:
            met.add(key)
            found.append(Finding(own))
    return tuple(found)
