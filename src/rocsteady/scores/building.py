"""Building a ScoreSet: rows of one flat table are brought together by model and group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocsteady.caller import caller_level
from rocsteady.errors import DataError, Option, Remedy, UsageError, counted
from rocsteady.scores.arrays import (
    ARRAYS,
    Array,
    Column,
    Source,
    no_rows,
    read_column,
    require_equal_lengths,
    thousands,
)
from rocsteady.scores.columns import Columns, check_missing_scores, owned, score_array
from rocsteady.scores.design import Design, declared
from rocsteady.scores.grouping import Factor, factorize, gathering_order, word
from rocsteady.scores.pairing import (
    paired_order,
    require_one_cluster,
    require_one_truth,
    warn_of_leakage,
    warn_of_several_rows,
)
from rocsteady.scores.records import Cases, Clusters, Dropped, require_distinct
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.scores import Rows, read_rows, warn_of_decisions

Integers = NDArray[np.int64]


def set_from_arrays(
    labels: object,
    scores: object,
    groups: object = None,
    *,
    models: object = None,
    cases: object = None,
    clusters: object = None,
    repeats: object = None,
    sample_weight: object = None,
    positive: object = None,
    higher_is_positive: bool = True,
    unit: str | None = None,
    design: str | Design | None = None,
    source: Source = ARRAYS,
    dropped: Dropped | None = None,
    keep: NDArray[np.bool_] | None = None,
) -> ScoreSet:
    """See :meth:`ScoreSet.from_arrays`; rows outside ``keep`` only tell which groups there are."""
    names = {"group": groups, "model": models, "case": cases, "cluster": clusters, "repeat": repeats}
    table = _read_table(labels, scores, names, sample_weight, source)
    left = source
    if keep is None:
        for role, factor in table.factors.items():
            _require_names(factor, role, source)
    elif keep.any():
        table, left = table.of_rows(keep), _counting_dropped(source, keep)
    else:
        found = f"{counted(table.n_rows, 'row')} read, none of them complete"
        raise no_rows(source, found, "check the columns that are named")
    numbers = [_clean_scores(column, role, left) for role, column in table.scores.items()]
    rows = read_rows(
        table.labels,
        Column(numbers[0]),
        positive=positive,
        sample_weight=table.weights,
        higher_is_positive=higher_is_positive,
        source=left,
    )
    factors, n_rows = dict(table.factors), table.n_rows
    repeat = factors.pop("repeat", None)
    if repeat is not None:
        factors["group"], design = _folds_of_repeats(factors.get("group"), repeat, design)
    if repeat is not None or _is_cross_validation(design):
        warn_of_leakage(factors, repeat, stacklevel=caller_level() + 1)
    counts = _with_zero_weights(dropped or Dropped(), rows)
    kept = _kept_rows(keep, rows.kept)
    if "case" in factors:
        require_one_truth(factors["case"], rows.is_positive, kept, source)
        require_one_cluster(factors["case"], factors.get("cluster"), kept, source)
    if isinstance(scores, Mapping):
        rows = _stacked_rows(rows, concatenated(numbers, "models"))
        factors, kept = _stacked_names(factors, tuple(scores), n_rows, kept)
        n_rows, counts = n_rows * len(scores), counts.times(len(scores))
    warn_of_decisions(rows.columns.scores, stacklevel=caller_level() + 1)
    gathered = replace(_gather(rows, factors, n_rows, kept), unit=_unit_of(groups, "group", unit))
    patient = _unit_of(clusters, "cluster", source.columns.get("cluster"))
    warn_of_several_rows(gathered, stacklevel=caller_level() + 1)
    given = [*table.scores.values(), *([] if table.weights is None else [table.weights])]
    return named_apart(
        replace(
            gathered,
            columns=owned(gathered.columns, given),
            clusters=gathered.clusters and replace(gathered.clusters, unit=patient),
            dropped=counts,
            source=source.name,
            known_design=_design_of(design, gathered),
        )
    )


def _design_of(design: str | Design | None, gathered: ScoreSet) -> Design | None:
    """The design as it was said; how often a cross-validation was repeated its cases may tell."""
    if isinstance(design, str) and _is_cross_validation(design) and gathered.design.shares_training:
        return gathered.design
    return declared(design, n_groups=len(gathered.groups))


def _is_cross_validation(design: str | Design | None) -> bool:
    found = declared(design, n_groups=2) if isinstance(design, str) else design
    return found is not None and found.kind == "cross-validation"


def _folds_of_repeats(
    group: Factor | None, repeat: Factor, design: str | Design | None
) -> tuple[Factor, Design | str]:
    """A group for each fold of each repeat, and the design that they make."""
    if group is None:
        raise UsageError(
            "RS002",
            "a repeat has folds, and no column of folds is named.",
            f"found: {counted(len(repeat.values), 'repeat')}",
            ["name their column:  ", Option("group", "fold")],
        )
    n_repeats = max(len(repeat.values), 1)
    pairs = np.where((group.codes < 0) | (repeat.codes < 0), -1, group.codes * n_repeats + repeat.codes)
    present, first, codes = np.unique(pairs[pairs >= 0], return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # of appearance, as other names are
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    numbered = np.full(pairs.shape, -1, dtype=np.int64)
    numbered[pairs >= 0] = rank[codes]
    folds, repeats = present[order] // n_repeats, present[order] % n_repeats
    # Folds that are numbered through all repeats have names of their own already.
    is_apart = np.unique(folds).size == folds.size
    names = [
        group.values[f] if is_apart else f"{word(group.values[f])} of repeat {word(repeat.values[r])}"
        for f, r in zip(folds, repeats, strict=True)
    ]
    per_repeat = np.bincount(repeats, minlength=n_repeats)
    made = Factor(numbered, tuple(names))
    if design is not None:
        return made, design
    if (per_repeat != per_repeat[0]).any() or per_repeat[0] < 2:
        raise DataError(
            "RS067",
            "every repeat of a cross-validation must have the same number of folds, two or more.",
            f"found: {per_repeat.min()} to {per_repeat.max()}",
            "name the columns of folds and repeats:  group='fold', repeat='repeat'",
            ["or say what the groups are:  ", Option("design", "independent")],
        )
    return made, Design.cross_validation(int(per_repeat[0]), repeats=n_repeats)


def _unit_of(given: object, usual: str, said: object = None) -> str:
    """The word for a group or a cluster: as it was said, else the name that a Series has."""
    if said is not None:
        return str(said)
    name = getattr(given, "name", None)
    return name if isinstance(name, str) and name else usual


@dataclass(frozen=True, eq=False)
class _Table:
    """What was given, as columns of equal length; the names belong to all rows, also to dropped ones."""

    labels: Column
    scores: Mapping[str, Column]
    weights: Column | None
    factors: Mapping[str, Factor]
    n_rows: int

    def of_rows(self, keep: NDArray[np.bool_]) -> _Table:
        return replace(
            self,
            labels=self.labels[keep],
            scores={role: column[keep] for role, column in self.scores.items()},
            weights=None if self.weights is None else self.weights[keep],
        )


def _read_table(
    labels: object, scores: object, names: Mapping[str, object], sample_weight: object, source: Source
) -> _Table:
    truth = read_column(labels, "label", source)
    by_model = _read_scores(scores, names["model"], source)
    weights = None if sample_weight is None else read_column(sample_weight, "weight", source)
    weighed = {} if weights is None else {"weight": weights}
    given = {role: _read_names(v, role, source) for role, v in names.items() if v is not None}
    n_rows = require_equal_lengths({"label": truth, **by_model, **weighed, **given}, source)
    factors = {role: v if isinstance(v, Factor) else factorize(v) for role, v in given.items()}
    return _Table(truth, by_model, weights, factors, n_rows)


def _read_names(values: object, role: str, source: Source) -> Column | Factor:
    return values if isinstance(values, Factor) else read_column(values, role, source)


# -- one array of scores for each model ---------------------------------------------------------------


def _read_scores(scores: object, models: object, source: Source) -> dict[str, Column]:
    """The scores under the names that messages have for them; several if there are some for each model."""
    if not isinstance(scores, Mapping):
        return {"score": read_column(scores, "score", source)}
    if models is not None or not scores:
        raise UsageError(
            "RS002",
            "a dict of scores names the models, so models must be left out."
            if scores
            else "the dict of scores is empty.",
            f"models of the dict: {', '.join(map(str, scores)) or 'none'}",
            "pass  {'model a': scores_a, 'model b': scores_b},  without  models",
        )
    keys = [f"score_{i}" if source.columns else f"scores[{name!r}]" for i, name in enumerate(scores)]
    return {
        key: read_column(values, "score", _source_of(key, source))
        for key, values in zip(keys, scores.values(), strict=True)
    }


def _source_of(key: str, source: Source) -> Source:
    """The source, for messages about the scores of one of several models."""
    if key == "score":
        return source
    if key in source.columns:
        return replace(source, columns={**source.columns, "score": source.columns[key]})
    return replace(source, name=key)


def _clean_scores(column: Column, key: str, source: Source) -> Array:
    numbers = score_array(column, _source_of(key, source))
    if key != "score":  # the first of them would be checked with the labels, the others would not
        check_missing_scores(numbers, _source_of(key, source))
    return numbers


def _stacked_rows(rows: Rows, scores: Array) -> Rows:
    """The rows once for each model: ``scores`` holds those of the first model, then of the second ..."""
    columns = rows.columns
    n_models = scores.size // rows.n_given
    if rows.kept is not None:
        scores = scores.reshape(n_models, -1)[:, rows.kept].ravel()
    stacked = replace(
        columns,
        scores=scores,
        labels=np.tile(columns.labels, n_models),
        offsets=np.array([0, scores.size], dtype=np.int64),
        weights=None if columns.weights is None else np.tile(columns.weights, n_models),
    )
    return replace(rows, columns=stacked)


def _stacked_names(
    factors: Mapping[str, Factor], models: tuple[Any, ...], n_rows: int, kept: Integers | None
) -> tuple[dict[str, Factor], Integers | None]:
    """Names of the stacked rows, and which are left; without other cases the case is the row."""
    n_models = len(models)
    stacked = {role: Factor(np.tile(f.codes, n_models), f.values) for role, f in factors.items()}
    stacked["model"] = Factor(np.repeat(np.arange(n_models), n_rows), models)
    if "case" not in stacked:
        stacked["case"] = Factor(np.tile(np.arange(n_rows), n_models), range(n_rows))
    if kept is None:
        return stacked, None
    return stacked, (n_rows * np.arange(n_models)[:, np.newaxis] + kept).ravel()


def concatenated(arrays: list[Array], what: str) -> Array:
    """All scores in one array; RS033 if they have no type in common that keeps them as they are."""
    common = np.result_type(*arrays)
    for array in arrays:
        if array.dtype.kind in "iu" and common.kind == "f" and np.abs(array.astype(float)).max() >= 2**53:
            raise DataError(
                "RS033",
                f"the {what} hold scores of different types, and some integers are too large for floats.",
                ", ".join(sorted({str(a.dtype) for a in arrays})),
                f"give all {what} the same type",
            )
    return np.concatenate(arrays)


# -- bringing rows together ---------------------------------------------------------------------------


def _counting_dropped(source: Source, keep: NDArray[np.bool_]) -> Source:
    """The same source, for messages about what is left of it: rows keep their old numbers."""
    positions = np.flatnonzero(keep)
    return replace(source, row=lambda row: source.row(int(positions[row])))


def _require_names(factor: Factor, role: str, source: Source) -> None:
    missing = np.flatnonzero(factor.missing)
    if missing.size == 0:
        return
    remedy: Remedy = "name them, or drop those rows before this call"
    if source.columns:
        remedy = ["drop those rows:  ", Option("on_missing", "drop"), "   (they are counted)"]
    raise DataError(
        "RS035",
        f"{thousands(missing.size)} of {counted(factor.codes.size, 'row')} "
        f"{'has' if missing.size == 1 else 'have'} no {role}{source.place}.",
        f"{source.column(role)}: first at {source.row(int(missing[0]))}",
        remedy,
    )


def _gather(rows: Rows, factors: Mapping[str, Factor], n_rows: int, kept: Integers | None) -> ScoreSet:
    """Bring the rows of each (model, group) together, models first, and name the members."""
    group = factors.get("group") or Factor(np.zeros(n_rows, dtype=np.int64), ("all",))
    model = factors.get("model")
    n_groups = len(group.values)
    pairs = group.codes if model is None else model.codes * n_groups + group.codes
    named = group.codes >= 0 if model is None else (group.codes >= 0) & (model.codes >= 0)
    # A pair keeps its place even if all its rows were dropped, so that it can be listed as undefined.
    present = np.arange(n_groups) if model is None else np.unique(pairs[named])
    rank = np.full(n_groups * (1 if model is None else len(model.values)), -1, dtype=np.int64)
    rank[present] = np.arange(present.size)

    members = rank[_taken(pairs, kept)]
    cases, clusters = factors.get("case"), factors.get("cluster")
    if cases is None:
        order = gathering_order(members, present.size)
    else:
        case_codes = _taken(cases.codes, kept)
        order = paired_order(members, present.size, case_codes, len(cases.values))
    offsets = np.zeros(present.size + 1, dtype=np.int64)
    np.cumsum(np.bincount(members, minlength=present.size), out=offsets[1:])
    return ScoreSet(
        columns=_gathered(rows, offsets, order),
        classes=rows.classes,
        groups=group.names,
        group_values=tuple(group.values),
        group_index=present % n_groups,
        models=() if model is None else model.names,
        model_index=np.zeros(present.size, dtype=np.int64) if model is None else present // n_groups,
        cases=None if cases is None else Cases(_taken(case_codes, order), cases.values),
        clusters=None
        if clusters is None
        else Clusters(_taken(_taken(clusters.codes, kept), order), clusters.values),
    )


def _kept_rows(keep: NDArray[np.bool_] | None, kept: Integers | None) -> Integers | None:
    """Rows of the table that are left after dropping, as positions in it; None for all."""
    if keep is None:
        return kept
    positions = np.flatnonzero(keep)
    return positions if kept is None else positions[kept]


def _taken(array: Array, order: Integers | None) -> Array:
    return array if order is None else array[order]


def _gathered(rows: Rows, offsets: Integers, order: Integers | None) -> Columns:
    columns = rows.columns
    return Columns(
        scores=_taken(columns.scores, order),
        labels=_taken(rows.is_positive.view(np.uint8), order),
        offsets=offsets,
        positive=1.0,
        negative=0.0,
        weights=None if columns.weights is None else _taken(columns.weights, order),
        higher_is_positive=columns.higher_is_positive,
    )


def _with_zero_weights(dropped: Dropped, rows: Rows) -> Dropped:
    if rows.kept is None:
        return dropped
    n_zero = rows.n_given - rows.kept.size
    return Dropped(dropped.n_rows + n_zero, {**dropped.causes, "weight zero": n_zero})


def named_apart(score_set: ScoreSet) -> ScoreSet:
    """The set itself; RS049 if two of its groups, models or members have the same name."""
    require_distinct(score_set.groups, score_set.unit)
    require_distinct(score_set.models, "model")
    require_distinct(score_set.names, "member")
    return score_set
