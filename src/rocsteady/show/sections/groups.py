"""Every group by itself, worst first: its cases, how well each model does there, what to be careful about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocsteady.advice.check import FEW_CASES
from rocsteady.arrays import Floats
from rocsteady.places import RATES
from rocsteady.show.document import Block, Table
from rocsteady.show.sentences import groups as sentences
from rocsteady.study import Study
from rocsteady.text import (
    AUC,
    FPR,
    TPR,
    Count,
    Group,
    Item,
    Limits,
    Model,
    Name,
    Number,
    Rate,
    Text,
    joined,
    phrase,
    say,
)

MOST_OPEN = 30
"""Rows that are shown at first."""
_MOST_WITH_BOTH = 2
"""Models of which both rates are shown."""
_QUANTITIES = {"fpr": FPR, "tpr": TPR}


def make(study: Study) -> list[Block]:
    """The section; none of one dataset."""
    if study.is_alone:
        return []
    names = study.scores.groups
    found = {model: _of_model(study, model) for model in study.models}
    is_own = not study.is_shared and study.deployment is not None
    rates, has_thresholds = _shown_rates(study, is_own), is_own and len(study.models) <= _MOST_WITH_BOTH
    notes = _notes(study)
    order = _worst_first(study, found)
    columns = [phrase("{unit}"), phrase("{positives}"), phrase("{negatives}")]
    for model in study.models:
        heads: list[Item] = [phrase("AUC"), *([phrase("{threshold}")] if has_thresholds else [])]
        heads += [Name(_QUANTITIES[rate]) for rate in rates]
        several = len(study.models) > 1
        columns += [
            phrase("{model:short}, {head}", model=Model(model), head=own)
            if several
            else phrase("{head}", head=own)
            for own in heads
        ]
    columns += [phrase("note")] if any(notes.values()) else []
    counts = _counts(study)
    rows = []
    for name in (names[i] for i in order):
        row: list[Item] = [Group(name), *(Count(own[name]) for own in counts)]
        for own in found.values():
            facts = own.get(name, {})
            interval = facts.get("interval")
            row.append(Rate(AUC, facts.get("auc", np.nan), interval))
            row += [Number(facts.get("threshold", np.nan))] if has_thresholds else []
            row += [Rate(_QUANTITIES[rate], facts.get(rate, np.nan)) for rate in rates]
        row += [notes[name]] if any(notes.values()) else []
        rows.append(tuple(row))
    table = Table(
        None, tuple(say("{column}", column=own) for own in columns), tuple(rows), name="groups", sorts=True,
        most=MOST_OPEN,
    )  # fmt: skip
    setting = sentences.setting(study.shown_place, study.confidence_level, is_shared=not is_own)
    few = sentences.few(FEW_CASES) if any(notes.values()) else None
    return [joined((own for own in (setting, few) if own is not None), " "), table]


def _shown_rates(study: Study, is_own: bool) -> tuple[str, ...]:
    """Both rates; where groups set one of them, and of many models, the one that is not set."""
    is_set = is_own and study.shown_place.kind in RATES
    if len(study.models) <= _MOST_WITH_BOTH and not is_set:
        return RATES
    return ("fpr",) if study.shown_place.kind == "tpr" else ("tpr",)


def _of_model(study: Study, model: str) -> dict[str, dict[str, Any]]:
    """What is known of each group: its AUC with an interval, its rates and threshold at the shown place."""
    curves = study.curves(model)
    areas = zip(curves.names, curves.auc.tolist(), strict=True)
    found: dict[str, dict[str, Any]] = {name: {"auc": auc} for name, auc in areas}
    summary = study.reader_summary
    if summary is not None and summary.measure == "AUC":  # whose readers are judged by the same cases
        per = summary.per_reader
        own_rows = [i for i, each in enumerate(per.modality) if each in (model, "")]
        limits = [(per.reader[i], float(per.low[i]), float(per.high[i])) for i in own_rows]
    elif (own := study.group_aucs(model)) is not None:
        low, high = np.asarray(own.low).tolist(), np.asarray(own.high).tolist()
        limits = list(zip(curves.names, low, high, strict=True))
    else:
        limits = []
    for name, start, end in limits:
        if name in found:
            found[name]["interval"] = Limits(start, end, study.confidence_level)
    method = study.method if study.deployment is not None else "threshold"
    points = study.group_points(model, method=method)
    if points is not None:
        members = study.average(model, method).members
        at = (points.fpr[:, 0], points.tpr[:, 0], points.thresholds[:, 0])
        for name, fpr, tpr, threshold in zip(members, *(own.tolist() for own in at), strict=True):
            found.setdefault(name, {}).update(fpr=fpr, tpr=tpr, threshold=threshold)
    return found


def _counts(study: Study) -> tuple[dict[str, int], dict[str, int]]:
    """Positives and negatives of every group, of the model that scored most."""
    scores, most = study.scores, [np.zeros(len(study.scores.groups), dtype=np.int64) for _ in range(2)]
    for own, counts in zip(most, (scores.n_positives, scores.n_negatives), strict=True):
        np.maximum.at(own, scores.group_index, counts)
    first, second = (dict(zip(scores.groups, own.tolist(), strict=True)) for own in most)
    return first, second


def _notes(study: Study) -> dict[str, Text | None]:
    """What calls for care in a group: few cases of a class, or none."""
    positives, negatives = _counts(study)
    return {name: sentences.note(positives[name], negatives[name], FEW_CASES) for name in study.scores.groups}


def _worst_first(study: Study, found: dict[str, dict[str, dict[str, Any]]]) -> Sequence[int]:
    """Groups in the order of the rate that is not set, on average over models; without one of their AUC."""
    names = study.scores.groups
    is_fpr = study.shown_place.kind == "tpr"

    def values(key: str) -> Floats:
        own = [[facts.get(name, {}).get(key, np.nan) for name in names] for facts in found.values()]
        known = np.array(own, dtype=np.float64)
        n = np.isfinite(known).sum(axis=0)
        return np.asarray(
            np.divide(np.nansum(known, axis=0), n, out=np.full(len(names), np.nan), where=n > 0)
        )

    rate = values("fpr" if is_fpr else "tpr")
    if np.isnan(rate).all():
        rate, is_fpr = values("auc"), False
    order: list[int] = np.argsort(-rate if is_fpr else rate, kind="stable").tolist()
    return order
