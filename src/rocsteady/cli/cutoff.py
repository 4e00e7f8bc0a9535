"""``rocsteady cutoff FILE``: choose a cut-off, say what it does, how sure it is, and what is as good."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import options
from rocsteady.cli.files import table_bytes
from rocsteady.cli.options import Columns, Drawn, OtherRows, Rows, Shown, SomeModels, Use, costs_of
from rocsteady.cli.runner import Run
from rocsteady.errors import UsageError, fail, typed

if TYPE_CHECKING:
    from rocsteady.places import Kind, Place
    from rocsteady.show.document import Block
    from rocsteady.study import Study

_USUAL: tuple[Kind, ...] = ("youden", "closest", "eer")
"""The criteria that are shown side by side where nothing was asked for."""
_ENDS = ("low", "high")
_COUNTS = ("tp", "fp", "fn", "tn", "ppv", "npv", "lr_positive", "lr_negative", "accuracy", "prevalence")


@options.command
def cutoff(
    context: typer.Context,
    file: options.File,
    columns: Columns,
    rows: Rows,
    models: SomeModels,
    use: Use,
    other: OtherRows,
    drawn: Drawn,
    shown: Shown,
    output: Annotated[
        Path | None,
        options.written(
            "Write the cut-offs to a file too, as its ending says: .csv, .json or .parquet. Columns: "
            "..._low and ..._high are the ends of an interval, ..._new what to expect on new rows, "
            "alike_... the ends of the thresholds that decide the same, best_... those of the best "
            "threshold in the population, midpoint as SPSS prints it; tp, fp, fn, tn count all rows."
        ),
    ] = None,
    overwrite: options.Overwrite = False,
) -> None:
    """Choose a cut-off: what it does, how sure it is, and which others are not statistically different.

    Several groups share one cut-off unless --deploy own. Without --at or --costs the usual ones are compared.
    """
    run = Run(context, shown, output=output, example="cutoffs.csv", overwrite=overwrite)
    places = _places(use)
    is_own = use.deploy == "own"
    if other.cutoff_from is not None and places and all(own.kind == "threshold" for own in places):
        raise fail("RS002.nothing-to-choose", points=" --at ".join(use.at or []))
    if is_own and use.weigh is not None:
        raise fail("RS002.weigh-own", weigh=use.weigh)
    study = run.study(
        file,
        columns,
        rows,
        use=_declared(use, places),
        drawn=drawn,
        cutoff_from=other.cutoff_from,
        models=models,
        at=places or list(_USUAL),
    )
    _require_groups(study, use)
    run.finish(
        study,
        data=lambda: {"cutoffs": _facts(study, is_own=is_own), **study.to_dict("models")},
        blocks=lambda: _blocks(study, is_own=is_own, is_overview=not places, again=run.typed()),
        quiet_blocks=lambda: _thresholds(study, is_own=is_own),
        content=lambda kind: table_bytes(_table(study, is_own=is_own), kind),
        warned=[own.warning for own in study.check.findings],
    )


def _places(use: Use) -> list[Place]:
    """What was asked for, each once; costs that are an option are a place too."""
    from rocsteady.places import CUTOFFS, Place

    found = use.places(among=CUTOFFS, task="choose a cut-off")
    if use.costs is not None:
        found.append(Place("costs", _pair(use.costs)))
    return list(dict.fromkeys(found))


def _pair(text: str) -> Any:
    """One pair of costs; RS094 for a range, and for what is none."""
    try:
        pair: Any = costs_of(text)
    except UsageError:
        pair = None
    if pair is None or isinstance(pair[0], tuple):
        raise fail("RS094.one-pair", text=text, example="--costs 1:20")
    return pair


def _declared(use: Use, places: list[Place]) -> Use:
    """A shared threshold unless said; own ones are declared where all groups hold what was asked for."""
    from rocsteady.places import RATES

    first = places[0].kind if places and use.at else ""
    if use.deploy != "own":  # the first place is the declared one, or none is
        is_held = first in (*RATES, "threshold")
        return replace(use, deploy="shared", at=use.at[:1] if use.at and is_held else None)
    is_held = use.hold is not None or first in RATES
    return use if is_held else replace(use, deploy=None, weigh=None)


def _require_groups(study: Study, use: Use) -> None:
    """RS002 if something was said about groups and there are none."""
    if len(study.scores.groups) > 1:
        return
    for name, is_said in {"--deploy own": use.deploy == "own", f"--weigh {use.weigh}": use.weigh}.items():
        if is_said:
            raise fail("RS002.one-group", option=name, name=name.split()[0])


def _blocks(study: Study, *, is_own: bool, is_overview: bool, again: list[str]) -> list[Block]:
    from rocsteady.show.sections import cutoff as section

    if is_own:
        return section.own(study)
    return section.overview(study, again) if is_overview else section.shared(study)


def _chosen(study: Study, *, is_own: bool) -> list[tuple[str, str | None, Place, Any]]:
    """Every cut-off with its model, its group and its place."""
    return [
        (model, group, place, found)
        for model in study.models
        for place in study.places
        for group, found in (
            study.own_cutoffs(model, place).items() if is_own else [(None, study.chosen(model, place))]
        )
    ]


def _thresholds(study: Study, *, is_own: bool) -> list[Block]:
    from rocsteady.text import Quote, joined

    chosen = _chosen(study, is_own=is_own)
    return [joined((Quote(repr(float(found.threshold))) for *_, found in chosen), between="\n")]


def _facts(study: Study, *, is_own: bool) -> list[dict[str, Any]]:
    """Every cut-off as its result has it, with what else the study knows of a shared one."""
    from rocsteady.results import plain

    made = []
    for model, group, place, found in _chosen(study, is_own=is_own):
        own = {"model": model, "group": group, "at": place.to_dict(), "cutoff": found}
        if not is_own:
            own["corrected"] = study.corrected(model, place)
            own["intervals"] = study.cutoff_intervals(model, place)
            own["two_by_two"] = study.two_by_two(model, place)
        own["realised"] = None if study.cutoff_from is not None else study.realised(model, place)
        made.append(plain(own))
    return made


def _table(study: Study, *, is_own: bool) -> dict[str, list[Any]]:
    """A row for each cut-off, with its rates, limits and counts."""
    made = []
    for model, group, place, found in _chosen(study, is_own=is_own):
        at = place.kind if place.value is None else f"{place.kind}={typed(place.value)}"
        rule = getattr(found, "rule", ">=" if study.scores.higher_is_positive else "<=")
        row = {"model": model, "group": group, "at": at, "rule": rule}
        row |= {"threshold": found.threshold, "midpoint": getattr(found, "midpoint", None)}
        row |= _limits("alike", getattr(found, "threshold_interval", None))
        kept = getattr(found, "kept", None) or found  # the rates of this threshold, not those asked for
        row |= {"value": getattr(found, "value", None), "fpr": kept.fpr, "tpr": kept.tpr}
        if not is_own:
            new, best = study.corrected(model, place), study.cutoff_intervals(model, place)
            table = study.two_by_two(model, place)
            row |= _limits("best", best and best.threshold)
            for name in ("fpr", "tpr"):
                row[f"{name}_new"] = new and getattr(new, name)
                row |= _limits(f"{name}_new", new and getattr(new, f"{name}_interval"))
            row |= {name: getattr(table, name) for name in _COUNTS}
        made.append(row)
    unnamed = {"model": len(study.models) == 1, "group": not is_own}
    return {name: [row[name] for row in made] for name in made[0] if not unnamed.get(name)}


def _limits(name: str, interval: Any) -> dict[str, float | None]:
    return {f"{name}_{end}": None if interval is None else float(getattr(interval, end)) for end in _ENDS}
