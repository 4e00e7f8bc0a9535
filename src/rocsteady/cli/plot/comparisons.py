"""Figures of models against each other, and of reader studies."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rocsteady.cli.compare.making import Settings, make
from rocsteady.cli.compare.words import translated
from rocsteady.cli.model_names import typed_names
from rocsteady.cli.plot.panels import (
    Drawn,
    chosen_models,
    figure_of,
    head,
    of_models,
    panels,
    require_groups,
    room,
)
from rocsteady.errors import fail
from rocsteady.words import counted, printable

if TYPE_CHECKING:
    from rocsteady.cli.compare.making import Compared
    from rocsteady.cli.plot.asked import Asked
    from rocsteady.scores import ScoreSet

_N_RESAMPLES = 2000


def draw_difference(score_set: ScoreSet, asked: Asked) -> Drawn:
    """The difference of two models along the curve, with its bands; a panel for each pair."""
    from rocsteady.plots.difference import difference

    found = _compared(score_set, asked)
    pairs = {f"{pair.a} less {pair.b}": pair for pair in found.pairs if pair.curve is not None}
    if not pairs:
        raise fail("RS064.along-the-curve")
    told = [_what("the difference of", found, asked)]
    told += [translated(pair.curve.reading) for pair in pairs.values() if pair.curve is not None]
    if len(pairs) == 1 and not asked.models:
        (pair,) = pairs.values()
        told.append(f"The other way round: {typed_names([pair.b, pair.a])}")
    return Drawn(panels(pairs, partial(difference, **asked.vocabulary), asked), told)


def draw_winners(score_set: ScoreSet, asked: Asked) -> Drawn:
    """Who wins where, and where that is undecided."""
    from rocsteady.plots.winner_map import winner_map

    require_groups(score_set, "of one dataset:  --figure difference")
    found = _compared(score_set, asked)
    told = [_what("who wins where:", found, asked), *(translated(own.reading) for own in found.maps)]
    draw = partial(winner_map, **asked.vocabulary)
    return Drawn(panels({own.over: own for own in found.maps}, draw, asked), told)


def _compared(score_set: ScoreSet, asked: Asked) -> Compared:
    from rocsteady.averaging.methods import Vertical

    a, b = _two(score_set, asked)
    costs: Any = asked.deployment.cost_range if asked.deployment is not None else None
    settings = Settings(
        a=a,
        b=b,
        method=asked.method or Vertical(),
        at=[],
        ranges={"fpr": None, "tpr": None, "costs": costs, "alerts": None},
        prevalence=asked.declared.prevalence,
        random=None,
        is_unpaired=False,
        unmatched="raise",
        adjust="holm",
        confidence_level=asked.confidence_level,
        n_resamples=_N_RESAMPLES,
        seed=asked.seed,
    )
    return make(score_set, settings)


def _two(score_set: ScoreSet, asked: Asked) -> tuple[str | None, str | None]:
    """Two models that were named, or neither for all; RS042 for any other number of them."""
    names = chosen_models(score_set, asked) if asked.models else ()
    if not names or set(names) == set(score_set.models):
        return (names[0], names[1]) if len(names) == 2 else (None, None)
    if len(names) != 2:
        ways = [typed_names(score_set.models[:2]), "all of them: leave out  --models"]
        found = ", ".join(names)
        raise fail("RS042", name="--models", where="two models, or all of them", found=found, ways=ways)
    return names[0], names[1]


def _what(what: str, found: Compared, asked: Asked) -> str:
    first = found.pairs[0]
    names = list(dict.fromkeys(printable(name) for pair in found.pairs for name in (pair.a, pair.b)))
    models = of_models(names).removeprefix(" of ")
    if first.n_groups in (1, (1, 1)):
        return f"Drawn: {what} {models}."
    n = first.n_groups if isinstance(first.n_groups, int) else sum(first.n_groups)
    assert first.method is not None  # the command names one
    by = f"by the {first.method.label} average over {counted(n, printable(first.unit))}"
    if asked.method is not None:
        return f"Drawn: {what} {models}, {by}."
    # As rocsteady compare has it.
    own = f"every {printable(first.unit)} sets its own threshold; for one that all share: --deploy shared"
    return f"Drawn: {what} {models}, {by}: {own}."


def draw_readers(score_set: ScoreSet, asked: Asked) -> Drawn:
    """What every reader had in every modality, and the average curves of the readers."""
    from rocsteady.plots.parts.style import new_figure
    from rocsteady.plots.reader_curves import reader_curves
    from rocsteady.plots.reader_values import reader_values

    found = _study(score_set, asked)
    readers = counted(len(found.readers), printable(found.unit))
    if asked.standalone is not None:
        what = f"the AUCs of {readers}{of_models(found.modalities)}, and of {printable(asked.standalone)}"
        return Drawn(figure_of(reader_values(found, **asked.look)), [f"Drawn: {what}.", found.reading])
    sizes = [room(draw, found, asked) for draw in (reader_values, reader_curves)]
    figure = new_figure(sum(size[0] for size in sizes), max(size[1] for size in sizes))
    left, right = figure.subplots(1, 2, width_ratios=[size[0] for size in sizes])
    look = asked.look | {"title": ""}
    reader_values(found, ax=left, **look)
    reader_curves(found, ax=right, **look, **asked.vocabulary)
    head(figure, asked)
    what = f"the AUCs and the average curves of {readers}{of_models(found.modalities)}"
    return Drawn(figure, [f"Drawn: {what}.", found.reading])


def _study(score_set: ScoreSet, asked: Asked) -> Any:
    """The modalities against each other, or a system that scored the cases by itself against the readers."""
    from rocsteady.readers.compare import compare_readers

    named = chosen_models(score_set, asked) if asked.models else None
    options: Any = {"modalities": named, "confidence_level": asked.confidence_level, "seed": asked.seed}
    return compare_readers(score_set, standalone=asked.standalone, **options)
