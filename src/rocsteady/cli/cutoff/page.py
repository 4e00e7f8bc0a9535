"""What ``rocsteady cutoff`` prints: the decision, its 2x2 table, its rates, its neighbours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocsteady.cli.console import (
    LONGEST_NAME,
    console,
    fitting_name,
    plain_table,
    show,
    show_command,
    show_first_fitting,
)
from rocsteady.cli.cutoff.measures import CORRECTED, show_measures
from rocsteady.cli.cutoff.neighbours import show_neighbours, tests_words
from rocsteady.cli.cutoff.own import keeps_fpr, show_own, splits_words
from rocsteady.cli.cutoff.words import (
    BEYOND,
    apart,
    calls_nothing,
    cutoff_number,
    decision,
    level_words,
    limits_alike,
    near,
    share,
)
from rocsteady.cli.reading import show_what_was_read
from rocsteady.words import class_cases, counted, grouped, listed, percent, plural, printable

if TYPE_CHECKING:
    from rich.table import Table

    from rocsteady.cli.cutoff.making import Made, Settings, Shown
    from rocsteady.points.measures import TwoByTwo
    from rocsteady.report.data import DataSummary
    from rocsteady.scores.labels import Classes

_MOST_TIES = 5
_BESIDE_CLASSES, _SHORTEST_NAME = 30, 8  # columns of the 2x2 table


def show_page(
    made: list[Made],
    settings: Settings,
    summary: DataSummary,
    score_columns: list[str],
    cutoff_from: str | None,
    command: str,
) -> None:
    """Everything that was found, model after model."""
    show_what_was_read(summary, made[0].score_set, score_columns)
    said = _chosen_on_words(made[0], settings, cutoff_from)
    if said:
        show(said)
    for own in made:
        show()
        if own.model:
            show(f"Model {printable(own.model)}")
            show()
        if own.by_group:
            show_own(own, cutoff_from)
        else:
            score = own.model if len(score_columns) > 1 else score_columns[0]
            _show_shared(own, printable(score), settings, cutoff_from)
    notes = dict.fromkeys(line for own in made if own.shown for line in _footnotes(own, settings))
    if notes and not settings.only_overview:
        show()
        for line in notes:
            show(line)
    if settings.only_overview:
        show()
        typed = printable(command)
        show("They answer different questions. All about one of them:")
        show_command(f"{typed} --at youden")
        show("If errors have costs, or a rate must be kept, say so:")
        show_command(f"{typed} --costs 1:20{'' if settings.prevalence else ' --prevalence 0.03'}")
        show_command(f"{typed} --at fpr=0.05")


def _show_shared(own: Made, score: str, settings: Settings, cutoff_from: str | None) -> None:
    if settings.only_overview or len(own.shown) > 1:
        _show_side_by_side(own.shown)
    if settings.only_overview:
        return
    for i, one in enumerate(own.shown):
        if i or len(own.shown) > 1:
            show()
        _show_cutoff(one, own, score, settings, cutoff_from)


def _chosen_on_words(made: Made, settings: Settings, cutoff_from: str | None) -> str:
    """Which curve chooses, and what counts equally there."""
    own = made.score_set
    where = f" of {printable(cutoff_from)}" if cutoff_from else ""
    if len(own) == 1:
        return f"Chosen on the rows{where}, judged on these." if where else ""
    units = plural(printable(own.unit))
    if not settings.is_shared:
        return f"Every {printable(own.unit)} gets a cut-off of its own, chosen on its own rows{where}."
    if settings.weigh == "rows":
        how = f"the pooled curve{where}: every row counts once, so large {units} count more."
        other = "--weigh groups"
    else:
        how = f"the threshold average{where}: every {printable(own.unit)} counts once, however large."
        other = "--weigh rows"
    return (
        f"One cut-off for all {counted(len(own), printable(own.unit))}, chosen on {how} Other ways: {other}, "
        f"or --deploy own for one in every {printable(own.unit)}."
    )


def _show_side_by_side(shown: list[Shown]) -> None:
    """Several cut-offs, one row each."""
    wide = plain_table("", "cut-off", "TPR", "FPR", "looks for")
    narrow = plain_table("", "cut-off", "TPR", "FPR")
    wide.columns[-1].justify = "left"
    for one in shown:
        cells = [one.wanted.text, _decision(one), share(one.tpr), share(one.fpr)]
        wide.add_row(*cells, _aim(one))
        narrow.add_row(*cells)
    show_first_fitting(wide, narrow)


def _aim(one: Shown) -> str:
    return "given, not chosen" if one.cutoff is None else one.cutoff.criterion.aim


def _decision(one: Shown) -> str:
    if calls_nothing(one.threshold, one.tpr, one.fpr):
        return BEYOND
    return decision(one.rule, one.threshold, one.alike)


def _show_cutoff(one: Shown, made: Made, score: str, settings: Settings, cutoff_from: str | None) -> None:
    """Everything about one cut-off."""
    show(_headline(one, score))
    show(_sentence(one, made))
    for line in _about_the_choice(one, cutoff_from):
        show(line)
    show()
    if one.counts is not None:
        if one.table.tp is None:
            show("All rows together, at this cut-off:")
        show(_counts(one.counts, made.score_set.classes))
        show()
    show_measures(one, level_words(settings.confidence_level), is_elsewhere=cutoff_from is not None)
    show()
    show(_flattery(one, made, cutoff_from))
    if one.neighbourhood is not None:
        show()
        show_neighbours(one.neighbourhood, one, made)


def _headline(one: Shown, score: str) -> str:
    name = "given cut-off" if one.cutoff is None else one.wanted.text
    if calls_nothing(one.threshold, one.tpr, one.fpr):
        return f"{name}: call nothing positive (a cut-off {BEYOND})."
    return f"{name}: call positive when {score} {_decision(one)}."


def _sentence(one: Shown, made: Made) -> str:
    """Both rates, in the words of the file."""
    classes = made.score_set.classes
    positives = class_cases(printable(classes.positive), is_positive=True)
    negatives = class_cases(printable(classes.negative), is_positive=False)
    whose = "its " if len(made.score_set) > 1 and made.curve.method == "threshold" else "the "
    who = f"With it the average {printable(made.score_set.unit)}" if whose == "its " else "It"
    return (
        f"{who} catches {percent(one.tpr)} of {whose}{positives} and raises false alarms on "
        f"{percent(one.fpr)} of {whose}{negatives}."
    )


def _about_the_choice(one: Shown, cutoff_from: str | None) -> list[str]:
    """What was looked for, what ties with it, and which cut-offs decide alike."""
    if one.cutoff is None:
        return []
    cutoff = one.cutoff
    lines = [f"It was chosen for {cutoff.criterion.aim}{_values(one, cutoff_from)}."]
    if one.as_good:
        _, *thresholds = apart(one.threshold, *(threshold for threshold, _, _ in one.as_good))
        others = [
            f"{one.rule} {threshold} (TPR {percent(tpr)}, FPR {percent(fpr)})"
            for threshold, (_, fpr, tpr) in zip(thresholds, one.as_good, strict=True)
        ]
        lines.append(
            f"Exactly as good by that measure: {listed(others, most=_MOST_TIES)}. The strictest was taken."
        )
    lines.append(_same_decisions(one))
    return [line for line in lines if line]


def _values(one: Shown, cutoff_from: str | None) -> str:
    """What the criterion gives where the cut-off was chosen and, if that is elsewhere, where it is judged."""
    assert one.cutoff is not None
    if cutoff_from is None:
        return "" if one.wanted.name in ("fpr", "tpr") else f": {near(one.cutoff.value)}"
    assert one.value is not None
    at = ", both at that prevalence" if one.wanted.name == "cost" else ""
    name, write = {"fpr": ("TPR ", percent), "tpr": ("FPR ", percent)}.get(one.wanted.name, ("", near))
    chosen, judged = write(one.cutoff.value), write(one.value)
    return f": {name}{chosen} on the rows of {printable(cutoff_from)}, {judged} on these{at}"


def _same_decisions(one: Shown) -> str:
    alike = one.alike
    if alike is None or not math.isfinite(one.threshold) or alike.low == alike.high:
        return ""
    midpoint = one.cutoff.midpoint if one.cutoff is not None else math.nan
    middle = cutoff_number(midpoint, alike)
    shown = [
        float(cutoff_number(one.threshold, alike)),
        *([float(middle)] if math.isfinite(midpoint) else []),
    ]
    low, high = limits_alike(alike, *shown)
    if one.rule.startswith(">"):
        ends = f"above {low} and up to {high}" if math.isfinite(alike.low) else f"up to {high}"
    else:
        ends = f"from {low} to below {high}" if math.isfinite(alike.high) else f"from {low} on"
    spss = f" SPSS prints the midpoint, {middle}." if math.isfinite(midpoint) else ""
    return f"On the rows that chose it every cut-off {ends} decides the same.{spss}"


def _counts(t: TwoByTwo, classes: Classes) -> Table:
    """The 2x2 table."""
    most = min(max((console().width - _BESIDE_CLASSES) // 2, _SHORTEST_NAME), LONGEST_NAME)
    names = [fitting_name(printable(name), most) for name in (classes.positive, classes.negative)]
    table = plain_table("", *names, "all")

    def written(*numbers: Any) -> list[str]:
        return [grouped(n) if isinstance(n, int) else f"{n:.6g}" for n in numbers]

    table.add_row("called positive", *written(t.tp, t.fp, t.tp + t.fp))
    table.add_row("called negative", *written(t.fn, t.tn, t.fn + t.tn))
    return table


def _flattery(one: Shown, made: Made, cutoff_from: str | None) -> str:
    """Whether the rows that judge are those that chose, and what other rows say."""
    if one.cutoff is None:
        return "It was given, so the rows had no say in it: nothing flatters the rates."
    if cutoff_from is not None:
        return f"It was chosen on {printable(cutoff_from)}: nothing flatters the rates."
    said = "The rows that chose the cut-off also judge it, which flatters it."
    if one.corrected is not None:
        said += f" {_expected_words(one)}"
    if one.held_out is not None:
        r = one.held_out
        unit = "" if len(made.score_set) == 1 else f" of every {printable(made.score_set.unit)}"
        said += (
            f" Chosen on half of the rows{unit} and tried on the other half it gives TPR "
            f"{percent(r.tpr.mean)} and FPR {percent(r.fpr.mean)} {splits_words(r)}"
            f"{', the loosest cut-off that keeps the rate taken each time' if keeps_fpr(r) else ''}."
        )
    return f"{said} To choose on other rows: --cutoff-from FILE."


def _expected_words(one: Shown) -> str:
    """Both rates where the cut-off was chosen, and as they are expected elsewhere."""
    assert one.corrected is not None
    rates = [
        f"{name.upper()} {percent(getattr(one, name))} here, about {percent(getattr(one.corrected, name))} "
        "expected on new rows"
        for name in ("tpr", "fpr")
    ]
    return f"{rates[0]}; {rates[1]}."


def _footnotes(made: Made, settings: Settings) -> list[str]:
    """What the columns of the tables mean."""
    t, level = made.shown[0].table, level_words(settings.confidence_level)
    whose = "that of these rows; say another with --prevalence" if t.is_sample_prevalence else "as given"
    unit, is_grouped = printable(made.score_set.unit), len(made.score_set) > 1
    found = next((one.corrected for one in made.shown if one.corrected is not None), None)
    random = t.note  # why there is none
    if found is not None or is_grouped or t.sensitivity_interval is not None:
        drawn = plural(unit) if is_grouped else "cases"
        random = f"which {drawn if found is None else printable(found.random)} there are is random"
    lines = [f"PPV, NPV and accuracy: for a prevalence of {percent(t.prevalence)} ({whose})."]
    if any(one.fpr_interval is not None or one.tpr_interval is not None for one in made.shown):
        lines.append(f"{level} interval: for the rates of this very cut-off; {random}.")
    else:
        lines.append(f"No intervals: {t.note}.")
    if found is not None:
        lines.append(
            f"{CORRECTED.capitalize()}: what is left where what choosing adds is taken off; "
            f"{printable(found.random)} were drawn again {grouped(settings.n_resamples)} times and the "
            f"cut-off chosen again each time. Intervals are around that."
        )
    alike = [
        rate
        for rate in ("TPR", "FPR")
        if is_grouped and settings.n_resamples and any(_lacks(one, rate) for one in made.shown)
    ]
    if alike:
        lines.append(
            f"{' and '.join(alike)} without an interval: all {plural(unit)} have the same, and that they "
            f"agree does not tell how sure it is."
        )
    methods = {one.anew.method for one in made.shown if one.anew is not None}
    if methods:
        lines.append(_anew_words(methods, unit if is_grouped else "", settings))
    if any(one.neighbourhood is not None for one in made.shown):
        ratio = max(one.neighbourhood.by_fpr.test_train_ratio for one in made.shown if one.neighbourhood)
        lines.append(tests_words(unit, settings, ratio))
    return lines


def _anew_words(methods: set[str], unit: str, settings: Settings) -> str:
    """What the limits of the best cut-off mean, and how they were found."""
    drawn = f"whole {plural(unit)} were" if unit else "the cases were"
    times = f"{drawn} drawn again {grouped(settings.n_resamples)} times"
    ways = [f"{times} and the cut-off chosen again each time"] if methods - {"exact"} else []
    if "exact" in methods:
        ways.append("for a target rate order statistics give the limits, without resamples")
    of_all = f"all such {plural(unit) if unit else 'cases'}"
    return f"Chosen anew: where the best cut-off of {of_all} may lie, and its rates there; {'; '.join(ways)}."


def _lacks(one: Shown, rate: str) -> bool:
    return getattr(one, f"{rate.lower()}_interval") is None
