"""Operating points: thresholds with their rates, what a threshold is worth, and which others are as good."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rocsteady.averaging.base import GroupPoints
from rocsteady.averaging.methods import Method
from rocsteady.figures.cutoffs import neighbours as neighbours_figure
from rocsteady.figures.det import picture as det_picture
from rocsteady.places import RATES, Place
from rocsteady.points.cutoffs import AppliedCutoff, Cutoff
from rocsteady.points.measures import NAMES_OF_TABLE, TwoByTwo, upper_limit_of_none
from rocsteady.show.document import Beside, Block, Figure, Fold, Heading, Items, Table
from rocsteady.show.sentences import points as sentences
from rocsteady.study import Study
from rocsteady.text import (
    ACCURACY,
    FNR,
    FPR,
    LR_NEGATIVE,
    LR_POSITIVE,
    NPV,
    PRECISION,
    PREVALENCE,
    THRESHOLD,
    TPR,
    YOUDEN,
    At,
    Count,
    Cut,
    Group,
    Item,
    Level,
    Limits,
    Model,
    Name,
    Number,
    Quote,
    Range,
    Rate,
    Text,
    paragraph,
    phrase,
    say,
)

_OWN, _HELD = {"ratio": "radial", "balance": "diagonal"}, {"fpr": "vertical", "tpr": "horizontal"}
"""Averages that hold a place which no shared threshold is chosen for, and those that hold a rate."""
_QUANTITIES = {"fpr": FPR, "tpr": TPR}
_OF_BIOMETRICS = (0.01, 0.001, 0.0001)
"""False match rates at which the other error is tabled."""
_FEWEST_ERRORS, _MOST_RATINGS = 30, 12
_MOST_COORDINATES = 60


def make(study: Study) -> list[Block]:
    """The section."""
    blocks = [*tables(study), *budgets(study)]
    if study.words.name == "medical":
        blocks += two_by_twos(study)
    blocks += [*errors_seen(study), *tried(study), *neighbours(study), *coordinates(study)]
    return blocks


def places(study: Study) -> tuple[Place, ...]:
    """The declared and the asked places, or an example."""
    return study.places or (study.shown_place,)


# Thresholds and their rates
# --------------------------


def tables(study: Study) -> list[Block]:
    """A table of places and models, for the declared use; where none was declared for both uses."""
    if study.is_alone:
        return [_of_one_dataset(study), *_remarks(study, None)]
    if study.deployment is not None:
        return [_of_groups(study, None), *_remarks(study, None)]
    shared, own = _of_groups(study, "threshold"), _of_groups(study, "")
    lead = say("No use was declared: both are shown, and none is recommended.")
    return [lead, shared, *_remarks(study, "threshold"), *([own] if own.rows else [])]


def _of_groups(study: Study, method: str | None) -> Table:
    """Of several groups: one threshold for all, or one for each."""
    found = [
        (
            place,
            model,
            study.point(model, place, how),
            study.average(model, how).members,
            study.group_points(model, place, how),
        )
        for place in places(study)
        if (how := _method_at(study, place, method)) is not None
        for model in study.models
    ]
    is_shared = study.is_shared if method is None else method == "threshold"
    is_given = study.cutoff_from is not None  # and kept as they are
    row = _shared_row if is_shared else _own_row
    columns = [*_named(study), phrase("{Threshold}" if is_shared else "{thresholds} of {units}")]
    columns += [Name(FPR), Name(TPR)]
    columns += [phrase("if set again")] if is_shared and not is_given else []
    columns += [phrase("worst {unit}, {fpr}"), phrase("worst {unit}, {tpr}")]
    caption = sentences.kept(study.confidence_level, is_given=is_given)
    if not is_shared:
        caption = sentences.own(
            study.confidence_level, is_reader_study=study.is_reader_study, is_given=is_given
        )
    most = 3 if is_given else 4
    rows = tuple(
        (*_names(study, place, model), *row(study, place, model, point)[:most], *_worst(members, point, own))
        for place, model, point, members, own in found
    )
    return Table(caption, tuple(map(_head, columns)), rows, marked=_marked(study), name="operating-points")


def _method_at(study: Study, place: Place, method: str | None) -> Method | str | None:
    """The average to read; for own thresholds that nobody declared the one that holds the place."""
    if method == "threshold":
        return None if place.kind in _OWN else method
    return study.method_at(place) if method is None else _OWN.get(place.kind, _HELD.get(place.kind))


def _shared_row(study: Study, place: Place, model: str, found: Any) -> tuple[Item, ...]:
    if found.threshold is None:  # a place that only thresholds of their own have
        return (*_own_row(study, place, model, found), None)
    if isinstance(found, Cutoff):  # found on the curve, as Youden's: corrected for its choice
        new = study.corrected(model, place)
        rates = _rates(found if new is None else new)
        return sentences.cut_of(found), *rates, None
    kept, again, cut = found.kept or found, None, Cut(found.threshold, found.beside)
    if place.kind == "alerts":  # the threshold that does not exceed the budget
        chosen = study.cutoff(model, place)
        kept, cut = study.point(model, Place("threshold", chosen.threshold)), sentences.cut_of(chosen)
    if found.kept is not None:
        free = "fpr" if found.held == "tpr" else "tpr"
        value = Rate(_QUANTITIES[free], getattr(found, free), getattr(found, f"{free}_interval"))
        again = phrase("{name} {value:cell}", name=Name(_QUANTITIES[free]), value=value)
    return cut, *_rates(kept), again


def _own_row(study: Study, place: Place, model: str, found: Any) -> tuple[Item, ...]:
    if getattr(found, "threshold", None) is not None:  # a place that only one threshold for all has
        return _shared_row(study, place, model, found)[:3]
    low, high = found.thresholds or (np.nan, np.nan)
    is_of_readers = study.is_reader_study and place.kind in RATES and found.held != "thresholds"
    curve = study.reader_curve(model, place.kind) if is_of_readers else None
    read = found if curve is None else curve.at(place.to_dict(), confidence_level=study.confidence_level)
    return Range(THRESHOLD, low, high), *_rates(read)


def _rates(found: Any) -> tuple[Rate, Rate]:
    return (
        Rate(FPR, found.fpr, sentences.with_width(getattr(found, "fpr_interval", None))),
        Rate(TPR, found.tpr, sentences.with_width(getattr(found, "tpr_interval", None))),
    )


def _worst(names: Sequence[str], found: Any, own: GroupPoints | None) -> tuple[Item, ...]:
    """The highest FPR and the lowest TPR of single groups; none where all hold the rate."""
    if own is None:
        return None, None
    cells: list[Item] = []
    for rate, rates, pick in (("fpr", own.fpr[:, 0], np.nanargmax), ("tpr", own.tpr[:, 0], np.nanargmin)):
        is_held = found.threshold is None and rate == getattr(found, "held", "")
        if is_held or np.isnan(rates).all():
            cells.append(None)
            continue
        at = int(pick(rates))
        value = Rate(_QUANTITIES[rate], float(rates[at]))
        cells.append(phrase("{value:bare} ({group:short})", value=value, group=Group(names[at])))
    return tuple(cells)


def _of_one_dataset(study: Study) -> Table:
    """Of one dataset: the cut-off, its rates on these rows and on new ones."""
    columns = [*_named(study), phrase("{Threshold}")]
    columns += [phrase("{fpr}, these rows"), phrase("{tpr}, these rows")]
    columns += [
        phrase("{fpr}, new rows"),
        phrase("{tpr}, new rows"),
        phrase("best {threshold} in the population"),
    ]
    rows = []
    for place in places(study):
        for model in study.models:
            found = study.cutoff(model, place)
            new, best = study.corrected(model, place), study.cutoff_intervals(model, place)
            cells: tuple[Item, ...] = (None, None, None)
            if new is not None and best is not None:
                cells = (*_rates(new), Range(THRESHOLD, best.threshold.low, best.threshold.high))
            elif isinstance(found, AppliedCutoff):
                table = study.two_by_two(model, place)
                cells = (*_rates_of(table), None)
            here = Rate(FPR, found.fpr), Rate(TPR, found.tpr)
            rows.append((*_names(study, place, model), sentences.cut_of(found), *here, *cells))
    is_chosen = any(place.kind != "threshold" for place in places(study)) and study.cutoff_from is None
    caption = sentences.of_one_dataset(study.confidence_level, is_chosen=is_chosen)
    return Table(
        caption, tuple(map(_head, columns)), tuple(rows), marked=_marked(study), name="operating-points"
    )


def _rates_of(table: TwoByTwo) -> tuple[Rate, Rate]:
    """Both rates of a 2x2 table."""
    own = table.specificity_interval
    limits = None if own is None else Limits(1 - own.high, 1 - own.low, own.confidence_level)
    return Rate(FPR, 1 - table.specificity, limits), Rate(TPR, table.sensitivity, table.sensitivity_interval)


def _named(study: Study) -> list[Item]:
    """The first columns: the place, and the model if there are several."""
    return [phrase("operating point"), *([phrase("model")] if len(study.models) > 1 else [])]


def _names(study: Study, place: Place, model: str) -> list[Item]:
    return [At.of(place), *([Model(model)] if len(study.models) > 1 else [])]


def _head(column: Item) -> Text:
    return say("{column}", column=column)


def _marked(study: Study) -> int | None:
    """The row of the declared place, where one model has it."""
    is_declared = study.deployment is not None and study.deployment.place is not None
    return 0 if is_declared and len(study.models) == 1 and len(study.places) > 1 else None


def _remarks(study: Study, method: str | None) -> Iterator[Block]:
    """Whether thresholds were chosen beforehand, and whether scores are too coarse for them."""
    asked = places(study)
    if study.cutoff_from is not None:
        source = study.cutoff_from.source
        where = phrase(" ({file})", file=Quote(source)) if source else None
        yield say("The {thresholds} were chosen on other rows{where}.", where=where)
    elif any(own.kind != "threshold" for own in asked):
        chosen = [own for own in asked if own.kind != "threshold"]
        yield sentences.flattered([own for own in chosen if _is_corrected(study, own, method)], len(chosen))
    told = [own for place in asked if (own := _coarse(study, place, method)) is not None]
    if told:
        yield paragraph(*told)


def _is_corrected(study: Study, place: Place, method: str | None) -> bool:
    """Whether its rates are those to expect on new rows: a criterion chose for all groups."""
    is_shared = study.is_shared if method is None else method == "threshold"
    if study.is_alone or not is_shared or place.kind in _OWN:
        return False
    name = study.models[0]
    found = study.point(name, place, _method_at(study, place, method))
    return isinstance(found, Cutoff) and study.corrected(name, place) is not None


def _coarse(study: Study, place: Place, method: str | None) -> Text | None:
    """That no threshold has the rate that is asked for."""
    if place.kind not in RATES or study.cutoff_from is not None:
        return None
    is_coarse = any(own.n_distinct <= _MOST_RATINGS for own in study.check.models)
    if not is_coarse:
        return None
    return say("The ratings are coarse: no {threshold} gives exactly {at}.", at=At.of(place))


# Budgets of alerts
# -----------------


def budgets(study: Study) -> list[Block]:
    """How many alerts a budget makes, how many of them are right, and what they find."""
    asked = [own for own in places(study) if own.kind == "alerts"]
    if not asked or not study.is_shared:
        return []
    rows = []
    for place in asked:
        for model in study.models:
            table = study.two_by_two(model, place)
            found = study.cutoff(model, place)
            alerts, positives = table.tp + table.fp, table.tp + table.fn
            rows.append(
                (
                    *_names(study, place, model),
                    sentences.cut_of(found),
                    Count(alerts),
                    Rate(PRECISION, table.ppv),
                    Count(table.tp, of=positives),
                    Rate(TPR, table.tp / positives if positives else np.nan),
                )
            )
    columns = [*_named(study), phrase("{Threshold}"), phrase("{alert}s, at most"), Name(PRECISION)]
    columns += [phrase("{positives} found"), Name(TPR)]
    caption = say("Budgets: the loosest {threshold} that does not exceed them. All rows are counted.")
    return [Table(caption, tuple(map(_head, columns)), tuple(rows), name="budgets")]


# The 2x2 table
# -------------

_MEASURES = {
    "sensitivity": TPR,
    "specificity": FPR,
    "ppv": PRECISION,
    "npv": NPV,
    "lr_positive": LR_POSITIVE,
    "lr_negative": LR_NEGATIVE,
    "accuracy": ACCURACY,
}


def two_by_twos(study: Study) -> list[Block]:
    """Cases counted at one threshold, with predictive values and likelihood ratios: one for each row."""
    if not study.is_shared:
        return []
    shown: list[tuple[Text, tuple[Block, ...]]] = []
    for place in (own for own in places(study) if own.kind not in _OWN):
        for model in study.models:
            found = study.cutoff(model, place) if study.is_alone else study.point(model, place)
            title = phrase("{at}: {cut}", at=At.of(place), cut=sentences.cut_of(found))
            if len(study.models) > 1:
                title = phrase("{model}, {title}", model=Model(model), title=title)
            shown.append((say("{title}", title=title), two_by_two(study, model, place)))
    if not shown:
        return []
    first, *others = shown
    blocks: list[Block] = [
        Heading(say("2 × 2 table, predictive values and likelihood ratios")),
        first[0],
        *first[1],
    ]
    if others:
        parts = tuple(block for title, own in others for block in (title, *own))
        blocks.append(Fold(say("The same for the other {thresholds} of the table"), parts))
    return blocks


def counted(table: TwoByTwo) -> Table:
    """The four counts with their totals."""
    rows = ((phrase("positive"), table.tp, table.fp), (phrase("negative"), table.fn, table.tn))
    total = (phrase("total"), table.tp + table.fn, table.fp + table.tn)
    return Table(
        None,
        (say("called"), phrase("{positives}"), phrase("{negatives}"), phrase("total")),
        tuple((name, Count(a), Count(b), Count(a + b)) for name, a, b in (*rows, total)),
    )


def printed(table: TwoByTwo) -> list[Block]:
    """A 2 x 2 table by itself."""
    known = (own for name in NAMES_OF_TABLE if (own := getattr(table, f"{name}_interval")) is not None)
    level = next((own.confidence_level for own in known), None)
    return [*([counted(table)] if table.tp is not None else []), measures(table), _about(table, level)]


def two_by_two(study: Study, model: str, place: Place) -> tuple[Block, ...]:
    """The counts and what follows from them."""
    table = study.two_by_two(model, place)
    return Beside(((counted(table),), (measures(table),))), _about(table, study.confidence_level)


def measures(table: TwoByTwo) -> Table:
    """What follows from the counts, of these rows and, where the cut-off was chosen on them, of new ones."""
    has_new = table.corrected is not None
    rows = []
    for name in NAMES_OF_TABLE:
        quantity, interval = _MEASURES[name], getattr(table, f"{name}_interval")
        value, new = getattr(table, name), getattr(table.corrected, name, np.nan)
        if name == "specificity":
            value, new = 1 - value, 1 - new
            interval = (
                None
                if interval is None
                else Limits(1 - interval.high, 1 - interval.low, interval.confidence_level)
            )
        expected = (Rate(quantity, new, interval),) if has_new else ()
        rows.append((Name(quantity), Rate(quantity, value, None if has_new else interval), *expected))
    heads = [phrase("measure"), phrase("these rows"), *([phrase("expected on new rows")] if has_new else [])]
    return Table(None, tuple(map(_head, heads)), tuple(rows))


def _about(table: TwoByTwo, level: float | None) -> Text:
    """What the intervals are for, and the prevalence."""
    whose = "that of these rows" if table.is_sample_prevalence else "declared"
    return say(
        f"{{level}}{{note}}. Predictive values and accuracy are for a prevalence of {{share}} ({whose}).",
        level=None if level is None else phrase("{level} CI; ", level=Level(level)),
        note=sentences.table_note(table),
        share=Rate(PREVALENCE, table.prevalence),
    )


# Error rates of biometrics, and how many errors they rest on
# -----------------------------------------------------------


def errors_seen(study: Study) -> list[Block]:
    """FNMR at the false match rates of the trade, and how many errors were seen there."""
    if study.words.name != "biometric":
        return []
    method = None if study.is_shared else "threshold"
    rows: list[tuple[Item, ...]] = []
    notes: list[Text] = []
    for place in (Place("fpr", rate) for rate in _OF_BIOMETRICS):
        for model in study.models:
            found: Any = study.point(model, place, method)
            if isinstance(found, Cutoff | AppliedCutoff):
                rates = _rates_of(study.two_by_two(model, place))
            else:
                rates = _rates(found.kept or found)
            rows.append((*_names(study, place, model), sentences.cut_of(found), *rates))
            notes += [own for own in _few_errors(study, model, place) if own not in notes]
    columns = [*_named(study), phrase("{Threshold}"), Name(FPR), Name(TPR)]
    caption = say(
        "Both error rates, the {threshold} kept as it is ({level} CI)", level=Level(study.confidence_level)
    )
    table = Table(caption, tuple(map(_head, columns)), tuple(rows), name="error-rates")
    curves = {
        name: study.curves(name)[0] if study.is_alone else study.average(name, method)
        for name in study.models
    }
    figure = Figure(det_picture(curves), say("Both error rates on normal-deviate axes (DET)."))
    return [Beside(((figure,), (table, *([Items(tuple(notes))] if notes else []))))]


def _few_errors(study: Study, model: str, place: Place) -> Iterator[Text]:
    """How many errors a rate rests on: the rule of 3 where none was seen, their number where few were."""
    if study.scores.columns.has_weights:
        return
    table, level = study.two_by_two(model, place), study.confidence_level
    for quantity, n, of in ((FPR, table.fp, table.fp + table.tn), (FNR, table.fn, table.fn + table.tp)):
        values: dict[str, Item] = {"at": At.of(place), "name": Name(quantity), "n": Count(n, of=of)}
        values["error"] = phrase("{alarms}" if quantity is FPR else "{misses}")
        who = "{model}: at" if model else "At"
        if n == 0:
            limit = Rate(quantity, upper_limit_of_none(of, level))
            yield say(
                f"{who} {{at}} there is not one of the {{error}} among {{of}} comparisons: the {{name}} is "
                f"below "
                "{limit} with {level} confidence (rule of 3), if comparisons are independent.",
                **values | {"of": int(of), "limit": limit, "level": Level(level), "model": Model(model)},
            )
        elif n < _FEWEST_ERRORS:
            text = (
                f"{who} {{at}} the {{name}} rests on {{n}} comparisons, fewer than {_FEWEST_ERRORS} errors."
            )
            yield say(text, **values | {"model": Model(model)})


# Chosen on one half, tried on the other
# --------------------------------------


def tried(study: Study) -> list[Block]:
    """What thresholds did on rows that had no say in them."""
    place = study.shown_place
    if study.cutoff_from is not None or study.scores.columns.are_counts:
        return []
    found = [
        (model, split, own)
        for split in ("rows", "groups")
        for model in study.models
        if (own := study.realised(model, place, split)) is not None
    ]
    if not found:
        return []
    columns = [*([phrase("model")] if len(study.models) > 1 else []), phrase("tried on")]
    for quantity in (FPR, TPR):
        columns += [
            phrase("{name}, where set", name=Name(quantity)),
            phrase("{name}, on others", name=Name(quantity)),
        ]
    columns += [] if study.is_alone else [phrase("{units} that miss it")]
    rows = []
    for model, split, own in found:
        part = own.promise_on_part
        cells: list[Item] = [*([Model(model)] if len(study.models) > 1 else [])]
        where = (
            "other {units}"
            if split == "groups"
            else "other rows"
            if study.is_alone
            else "other rows of each {unit}"
        )
        cells.append(phrase(where))
        for quantity, before, after in ((FPR, part.fpr, own.fpr), (TPR, part.tpr, own.tpr)):
            cells += [
                Rate(quantity, before),
                Rate(quantity, after.mean, sentences.with_width(after.interval)),
            ]
        cells += [] if study.is_alone else [Rate(sentences.SHARE, own.share_over_budget)]
        rows.append(tuple(cells))
    most = max(own.n_repeats for _, _, own in found)
    lead = say(
        "For {at}: {thresholds} set on one half at random and tried on the other, {n}. The intervals average "
        "over all splits; they exclude the variability of choosing one {threshold}.",
        at=At.of(place),
        n=Count(most, "time"),
    )
    table = Table(None, tuple(map(_head, columns)), tuple(rows), name="tried")
    return [Fold(say("{thresholds} set on one half and tried on the other"), (lead, table))]


# Which others are as good
# ------------------------


def neighbours(study: Study) -> list[Block]:
    """Which other thresholds are not statistically different from the shared one."""
    if study.is_alone or not study.is_shared or study.shown_place.kind in _OWN:
        return []
    blocks: list[Block] = []
    for model in study.models:
        found = study.neighbours(model)
        if found is None:
            continue
        name = model if len(study.models) > 1 else ""
        blocks += [sentences.neighbours(found, name), Figure(neighbours_figure(found, model=model))]
    if not blocks:
        return []
    blocks.append(say("Not statistically different does not mean equal."))
    return [Fold(say("Which other {thresholds} are as good?"), tuple(blocks))]


# The curve as a table
# --------------------


def coordinates(study: Study) -> list[Block]:
    """The coordinates of a curve, as statistical packages print them, in medical words."""
    if study.words.name != "medical" or not study.is_alone:
        return []
    heads = ("{Threshold}", "{tpr}", "{fpr}", "{youden}", "{of_lr}", "{of_lr_negative}")
    names = {"of_lr": Name(LR_POSITIVE), "of_lr_negative": Name(LR_NEGATIVE)}
    blocks: list[Block] = []
    for model in study.models:
        curve = study.curves(model)[0]
        found = curve.coordinates()
        rows = tuple(
            (
                Number(float(cut), 6),
                Rate(TPR, float(tpr)),
                Rate(FPR, float(fpr)),
                Rate(YOUDEN, float(tpr - fpr)),
                Number(float(tpr / fpr) if fpr else np.inf),
                Number(float((1 - tpr) / (1 - fpr)) if fpr < 1 else np.nan),
            )
            for cut, tpr, fpr in zip(
                found.cutoffs, found.sensitivity, found.one_minus_specificity, strict=True
            )
        )
        caption = say("{model}", model=Model(model)) if model else None
        columns = tuple(say(head, **names) for head in heads)
        blocks.append(Table(caption, columns, rows, name="coordinates", most=_MOST_COORDINATES))
    return [Fold(say("Coordinates of the curve"), tuple(blocks))]
