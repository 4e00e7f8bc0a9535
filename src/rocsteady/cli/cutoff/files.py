"""Cut-offs as JSON, and as rows of a CSV or Parquet file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocsteady.cli.cutoff.making import Made, Settings, Shown
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.points.tables import Neighbourhood
    from rocsteady.report.data import Finding
    from rocsteady.scores import ScoreSet

SCHEMA_VERSION = 1
_TABLE = ("tp", "fp", "fn", "tn", "ppv", "npv", "lr_positive", "lr_negative", "accuracy", "prevalence")


def rows_of(made: list[Made]) -> list[tuple[str, str | None, Shown]]:
    """Every cut-off with its model and its group, as they are written."""
    found: list[tuple[str, str | None, Shown]] = []
    for own in made:
        found += [(own.model, None, one) for one in own.shown]
        found += [(own.model, group, one) for group, several in own.by_group for one in several]
    return found


def table_of(made: list[Made]) -> dict[str, list[Any]]:
    """One row for each cut-off."""
    rows = [{"model": model, "group": group, **_row(one)} for model, group, one in rows_of(made)]
    if len(made) == 1:
        rows = [{name: value for name, value in row.items() if name != "model"} for row in rows]
    if not made[0].by_group:
        rows = [{name: value for name, value in row.items() if name != "group"} for row in rows]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _row(one: Shown) -> dict[str, Any]:
    anew = one.anew
    row: dict[str, Any] = {"criterion": one.wanted.text, "rule": one.rule, "threshold": one.threshold}
    row |= _limits("threshold", None if anew is None else anew.threshold)
    row |= {"alike_low": one.alike and one.alike.low, "alike_high": one.alike and one.alike.high}
    row |= {"value": one.cutoff and one.cutoff.value, "value_judged": one.value}
    row["value_corrected"] = one.corrected and one.corrected.value
    row["midpoint"] = one.cutoff and one.cutoff.midpoint
    for name in ("fpr", "tpr"):
        row[name] = getattr(one, name)
        row[f"{name}_corrected"] = one.corrected and getattr(one.corrected, name)
        row |= _limits(name, getattr(one, f"{name}_interval"))
        row |= _limits(f"{name}_anew", None if anew is None else getattr(anew, name))
    return row | {name: getattr(one.table, name) for name in _TABLE}


def _limits(name: str, interval: Any) -> dict[str, Any]:
    return {f"{name}_{end}": interval and float(getattr(interval, end)) for end in ("low", "high")}


def as_json(
    made: list[Made],
    settings: Settings,
    score_set: ScoreSet,
    cutoff_from: str | None,
    warned: list[RocsteadyWarning],
    findings: Sequence[Finding],
) -> str:
    """Everything that was found, as JSON; infinite numbers are strings."""
    from rocsteady.report.data import Finding

    data = {
        "schema_version": SCHEMA_VERSION,
        "source": score_set.source,
        "columns_chosen": dict(score_set.columns_chosen),
        "cutoff_from": cutoff_from,
        "judged_on": _judged_on(made, cutoff_from),
        "deploy": "shared" if settings.is_shared else "own",
        "weigh": settings.weigh if settings.is_shared and len(score_set.groups) > 1 else None,
        "positive": score_set.classes.positive,
        "negative": score_set.classes.negative,
        "confidence_level": settings.confidence_level,
        "n_resamples": settings.n_resamples,
        "seed": settings.seed,
        "cutoffs": [{"model": model, "group": group, **_cutoff(one)} for model, group, one in rows_of(made)],
        "realised": [
            {"model": own.model, **realised.to_dict()}
            for own in made
            for realised in own.realised
            if realised is not None
        ],
        "groups": list(score_set.groups),
        "warnings": [*(Finding(warning).to_dict() for warning in warned), *(f.to_dict() for f in findings)],
    }
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _judged_on(made: list[Made], cutoff_from: str | None) -> str:
    if all(one.cutoff is None for _, _, one in rows_of(made)):
        return "rows that chose nothing"
    return "rows that chose the cut-off" if cutoff_from is None else "other rows"


def _cutoff(one: Shown) -> dict[str, Any]:
    from rocsteady.results import plain

    cutoff = one.cutoff
    data: dict[str, Any] = {
        "at": one.wanted.text,
        "criterion": cutoff and str(cutoff.criterion),
        "threshold": plain(one.threshold),
        "rule": one.rule,
        "fpr": plain(one.fpr),
        "tpr": plain(one.tpr),
        "corrected": one.corrected and one.corrected.to_dict(),
        "fpr_interval": plain(one.fpr_interval),
        "tpr_interval": plain(one.tpr_interval),
        "value": cutoff and plain(cutoff.value),
        "value_judged": plain(one.value),
        "as_good": [
            {"threshold": plain(threshold), "fpr": fpr, "tpr": tpr} for threshold, fpr, tpr in one.as_good
        ],
        "threshold_interval": None,
        "midpoint": cutoff and plain(cutoff.midpoint),
        "two_by_two": one.table.to_dict(),
        "chosen_anew": one.anew and one.anew.to_dict(),
        "held_out": one.held_out and one.held_out.to_dict(),
        "neighbourhood": one.neighbourhood and _neighbourhood(one.neighbourhood),
    }
    if one.alike is not None:
        low, high = plain(list(one.alike))
        data["threshold_interval"] = {"low": low, "high": high, "closed": one.alike.closed}
    return data


def _neighbourhood(found: Neighbourhood) -> dict[str, Any]:
    from rocsteady.results import plain

    table = found.table
    data: dict[str, Any] = {
        "index": found.index,
        "thresholds": plain(table.thresholds),
        "n_groups": table.n_folds,
        "test_train_ratio": found.by_fpr.test_train_ratio,
        "alpha": found.by_fpr.alpha,
    }
    for name, comparison in (("fpr", found.by_fpr), ("tpr", found.by_tpr)):
        data[name] = {
            "mean": plain(table.measure(name).mean),
            "pvalue": plain(comparison.pvalue),
            "cannot_be_told_apart": plain(comparison.indistinguishable),
        }
    return data
