"""``rocsteady compare FILE``: which model is better, by how much, where, and how sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocsteady.cli import files, options
from rocsteady.cli.options import (
    Columns,
    Drawn,
    Matching,
    Minimum,
    Models,
    Named,
    Ranges,
    Readers,
    Rows,
    Shown,
    Testing,
    Use,
)
from rocsteady.cli.runner import Run
from rocsteady.errors import Option, RocsteadyError, fail, near_match

if TYPE_CHECKING:
    from rocsteady.show.document import Block
    from rocsteady.study import Study

ANALYSES = ("obuchowski-rockette", "u-statistics")
_ENDINGS = (*files.FIGURES, *files.TABLES, "tex")


@options.command
def compare(
    context: typer.Context,
    file: options.File,
    columns: Columns,
    models: Models,
    matching: Matching,
    named: Named,
    use: Use,
    ranges: Ranges,
    readers: Readers,
    testing: Testing,
    drawn: Drawn,
    rows: Rows,
    minimum: Minimum,
    shown: Shown,
    output: Annotated[
        Path | None,
        options.written(
            "Write to a file, as its ending says: .png, .pdf or .svg the figure; .csv or .parquet the "
            "differences; .tex their table; .json everything."
        ),
    ] = None,
    overwrite: options.Overwrite = False,
    require: options.Require = None,
) -> None:
    """Compare the models in FILE: AUC, operating points, and who wins where.

    Models are named by a column (-m), or have a column of scores each (-s old -s new).

    Groups that share cases (--case), as readers do, are a reader study; --method is then obuchowski-rockette
    or u-statistics.
    """
    from rocsteady.averaging.methods import Vertical

    run = Run(
        context, shown, output=output, endings=_ENDINGS, example="comparison.png", overwrite=overwrite,
        require=require,
    )  # fmt: skip
    analysis = named.method if named.method in ANALYSES else None
    others = _of_groups(named, use, ranges, testing, matching, analysis)
    asked = [*readers.typed, *(["--method"] if analysis else [])]
    if asked and others:
        purpose = "models over groups"
        raise fail("RS002.for-readers", option=asked[0], other=others[0], purpose=purpose)
    readers.require_standalone(analysis)
    measure = options.reader_measure(readers.measure)  # refuses an unknown one before a large file is read
    models.require_readable()
    method = None if analysis else _method(named, use)
    wanted = ranges.asked(use.costs)
    _require_range(use, named)
    if testing.nadeau_bengio and columns.design is None and columns.repeat is None:
        columns = replace(columns, design="cross-validation")
    places = use.places(among=("fpr", "tpr", "threshold", "alerts"), task="compare models at", by_model=True)
    study = run.study(
        file, columns, rows, use=use, drawn=drawn, method=method, at=places,
        asks=bool(use.at) and method is None, random=testing.random, min_per_class=minimum.min_per_class,
        as_readers=True if asked else False if others else None,
        comparing=_comparing(matching, testing, ranges),
    )  # fmt: skip
    if study.method is None and study.places and not study.is_alone:  # which is said
        study.named = Vertical()
    study.named = named.with_jumps(study.method)
    _name_models(study, models, readers)
    if study.is_reader_study:
        if readers.measure is None:  # that of the declared use
            measure = study.reading.get("measure", measure)
        study.reading |= _reading(readers, analysis, measure, matching, testing)
        if run.requirements:
            raise fail("RS002.required-of-readers")
        _require_two(study, readers, analysis)
    with run.working("Comparing"), study.catching():
        maps = [] if study.is_reader_study else _maps(study, wanted, use.share)

    def blocks() -> Sequence[Block]:
        from rocsteady.show.sections import comparison, reader_study
        from rocsteady.show.sentences import text_of

        if study.is_reader_study:
            return [*reader_study.make(study, readers.margin), *_next_of_readers(run, study)]
        return [*comparison.make(study), *map(text_of, maps), *_next(run, study)]

    run.finish(
        study,
        data=lambda: _data(study, maps, readers.margin),
        blocks=blocks,
        quiet_blocks=lambda: [own for own in blocks() if hasattr(own, "rows")],
        content=lambda kind: _content(study, kind, maps),
        warned=() if study.is_reader_study else study.cautions(),
        method=study.method or "vertical",
    )


# What was typed -----------------------------------------------------------------------------------------


_OF_USE = ("deploy", "hold", "weigh", "prevalence", "at", "costs")


def _of_groups(
    named: Named, use: Use, ranges: Ranges, testing: Testing, matching: Matching, analysis: str | None
) -> list[str]:
    """Options that only models over groups have, as they were typed."""
    is_of_readers = use.deploy == "own" and use.hold in (None, "fpr", "tpr")  # each sets a rate
    of_use = ("weigh", "prevalence", "costs") if is_of_readers else _OF_USE
    given = {
        "--method": None if analysis else named.method,
        "--at-jumps": named.at_jumps,
        **{f"--{name}": getattr(use, name) for name in of_use},
        **{f"--{name}": getattr(ranges, name) for name in ("fpr", "tpr", "alerts")},
        "--random": testing.random,
        "--unpaired": matching.unpaired or None,
        "--nadeau-bengio": testing.nadeau_bengio or None,
    }
    return [name for name, own in given.items() if own]


def _method(named: Named, use: Use) -> Any:
    """The average that was named; analyses of reader studies are among those known."""
    try:
        return named.average(use)
    except RocsteadyError as error:
        if error.entry != "RS001.none":
            raise
        meant = near_match(f"{named.method}", ANALYSES)
        ways = [Option("method", meant)] if meant else error.remedies
        known = [*error.facts["known"], *ANALYSES]
        raise fail(
            "RS001.none", what="average or analysis", name=named.method, known=known, ways=ways
        ) from None


def _require_range(use: Use, named: Named) -> None:
    """RS094 for one pair of costs that nothing holds: who is cheaper is asked over a range of them."""
    pair: Any = options.costs_of(use.costs)
    if pair is not None and not isinstance(pair[0], tuple) and use.is_missing and named.method != "costs":
        facts = {"false_positive": pair[0], "lower": pair[1] / 2, "upper": 2 * pair[1]}
        raise fail("RS094.range-of-costs", text=use.costs, **facts)


def _comparing(matching: Matching, testing: Testing, ranges: Ranges) -> dict[str, Any]:
    """What :func:`rocsteady.compare` is asked beside what the study asks."""
    asked: dict[str, Any] = {
        "unmatched": matching.unmatched,
        "adjust": None if testing.adjust == "none" else testing.adjust,
    }
    if matching.unpaired:
        asked["paired"] = False
    if (fpr := options.range_of("fpr", ranges.fpr)) is not None:
        asked["fpr"] = fpr
    return asked


def _reading(
    readers: Readers, analysis: str | None, measure: Any, matching: Matching, testing: Testing
) -> dict[str, Any]:
    """What :func:`rocsteady.compare_readers` is asked beside what the study asks."""
    asked: dict[str, Any] = {
        "readers": readers.readers or "random",
        "cases": readers.cases or "random",
        "covariance": readers.covariance,
        "measure": measure,
        "missing": matching.unmatched,
        "adjust": None if testing.adjust == "none" else testing.adjust,
    }
    if analysis is not None:
        asked["method"] = analysis
    if readers.standalone is not None:
        asked |= {"standalone": readers.standalone, "standalone_threshold": readers.standalone_threshold}
    return asked


def _name_models(study: Study, models: Models, readers: Readers) -> None:
    """Which models are compared; RS002 if one has no threshold where others have one each."""
    known = study.scores.models
    names = models.names(known)
    if not study.is_reader_study:
        study.comparing |= dict(zip(("a", "b"), names, strict=False))
        if set(names) <= set(known):  # else that is the matter
            _require_thresholds(study, names if len(names) == 2 else known)
        return
    for name in names if known else ():
        if name not in known:
            others = [own for own in known if own not in names]
            meant = near_match(name, others) or (others[0] if len(others) == 1 else None)
            right = Option("models", [meant if own == name else own for own in names])
            ways: list[Any] = [right if meant else "name those with --models"]
            raise fail("RS001.none", what="modality", name=name, known=known, ways=ways)
    if len(names) == 2 and names[0] == names[1]:
        two = list(known[:2])
        raise fail("RS060.same-modality", modality=names[0], modalities=known, two=two)
    if readers.standalone is not None:
        names = [own for own in dict.fromkeys(names) if own != readers.standalone]
    elif len(names) == 1:  # one by itself is compared with all others
        names = [*names, *(own for own in known if own not in names)]
    if names:
        study.reading["modalities"] = tuple(names)


def _require_thresholds(study: Study, names: Sequence[str]) -> None:
    for place in study.places:
        own: Any = place.value
        missing = [name for name in names if name not in own] if isinstance(own, Mapping) else []
        if missing:
            example = next(iter(own.values()))
            every = ",".join(f"{name}:{own.get(name, example):g}" for name in names)
            ways = [Option("at", f"t={every}")]
            raise fail("RS002.threshold-of-model", model=missing[0], models=list(own), ways=ways)


# What is found ------------------------------------------------------------------------------------------


def _require_two(study: Study, readers: Readers, analysis: str | None) -> None:
    """RS002 for options that need something to compare."""
    given = {"--margin": readers.margin, "--method u-statistics": analysis == "u-statistics" or None}
    for name, own in given.items():
        if own is not None and len(study.models) < 2 and readers.standalone is None:
            raise fail("RS002.one-modality", option=name)


def _maps(study: Study, wanted: Mapping[str, Any], share: float | None) -> list[Any]:
    """A map of who wins over every range that was typed; RS064 where that cannot be told."""
    from rocsteady.inference.compare import compare as compare_models

    whole: Any = study.comparison
    if whole is None:  # it says what is missing
        compare_models(study.scores)
    first = whole if hasattr(whole, "paired") else whole[0]
    if not wanted:
        return []
    if not (first.paired and first.random == "groups"):
        for over in ("costs", "alerts", *(() if first.paired else ("tpr",))):
            if over in wanted:
                n = first.n_groups if isinstance(first.n_groups, int) else sum(first.n_groups)
                facts = {"over": over, "unit": first.unit, "n": n, "is_paired": first.paired}
                raise fail("RS064.map-of-cases", **facts)
        wanted = {name: own for name, own in wanted.items() if name == "tpr" and first.paired}
    used = {over: {"prevalence": share} if over in ("costs", "alerts") else {} for over in wanted}
    return [
        study.winner_map(first.a, first.b, over=over, **{over: own}, **used[over])
        for over, own in wanted.items()
    ]


def _data(study: Study, maps: Sequence[Any], margin: float | None) -> dict[str, Any]:
    """What ``--json`` prints."""
    from rocsteady.results import plain
    from rocsteady.show.sections.reader_study import margins

    if study.is_reader_study:
        found = study.to_dict("readers")
        every = [plain(own) for own in getattr(study.readers, "assumptions", ())]
        tests = [plain(own.to_dict()) for own in margins(study, margin)]
        return found | {"margins": tests, "assumptions": every}
    return study.to_dict("comparison", "winner_map") | {"winner_maps": [plain(own.to_dict()) for own in maps]}


def _content(study: Study, kind: str, maps: Sequence[Any]) -> bytes:
    """What is written to a file of this kind."""
    from rocsteady.inference.differences import OF_DIFFERENCES
    from rocsteady.results import columns_of

    found: Any = study.comparison
    if kind == "tex":
        from rocsteady.show.tables import table as written

        words: Any = study.words  # with the label of the positives
        return f"{written(study.reader_summary if found is None else found, 'latex', words=words)}\n".encode()
    if kind not in files.FIGURES:
        pairs = found if isinstance(found, Sequence) else [found]
        every = (own for pair in pairs for own in pair.differences)
        if study.is_reader_study:
            from rocsteady.show.sections.reader_study import table

            return files.table_bytes(table(study), kind)
        return files.table_bytes(
            {name: list(own) for name, own in columns_of(every, OF_DIFFERENCES).items()}, kind
        )
    from rocsteady.figures.matplotlib import figure, rendered
    from rocsteady.figures.reader_values import picture as readers_picture
    from rocsteady.figures.winner_map import picture as map_picture

    if study.is_reader_study:
        shown: Any = study.reader_summary if found is None else found
        picture = readers_picture(shown)
    else:
        first = found if hasattr(found, "paired") else found[0]
        picture = map_picture(maps[0] if maps else study.winner_map(first.a, first.b))
    return rendered(figure(picture, study.words), kind)


def _next(run: Run, study: Study) -> list[Block]:
    """How to plan for what would settle it, where the areas are not told apart."""
    from rocsteady.show.document import Command
    from rocsteady.text import say

    found: Any = study.comparison
    pairs = [found] if hasattr(found, "paired") else list(found)
    pair = min(pairs, key=lambda own: abs(own.auc.difference))
    if not pair.paired or pair.random != "groups" or pair.auc.is_decided:
        return []
    typed = ("plan", *run.read_again(), "--models", f"{pair.a},{pair.b}", "--difference", "0.02")
    return [
        say("How much data would settle it, for the smallest difference that would matter in place of 0.02:"),
        Command((*run.program, *typed)),
    ]


_FOR_PLANS = ("models", "covariance", "unmatched")


def _next_of_readers(run: Run, study: Study) -> list[Block]:
    """The figure; and a plan, where two modalities are not told apart in a way that one can be made for."""
    from rocsteady.show.document import Command
    from rocsteady.show.sentences import commands
    from rocsteady.text import say

    found: Any = study.readers
    blocks: list[Block] = [say("Next:"), Command((*run.typed(), "-o", "readers.png"))]
    is_pair = getattr(found, "method", "") == "obuchowski-rockette" and len(found.differences) == 1
    if not is_pair or len(found.readers) < 2 or found.measure != "AUC" or found.differences[0].is_decided:
        return blocks
    if found.ratings.is_nested:  # plans are of crossed studies
        return blocks
    typed = (*run.program, "plan", *run.read_again(*_FOR_PLANS), "--difference", "0.05")
    return [*blocks, Command(typed), commands.PUT_WHAT_MATTERS]
