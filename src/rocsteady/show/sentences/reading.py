"""What one setting of an average means: the sentence that follows the slider."""

from __future__ import annotations

from rocsteady.text import (
    AREA,
    AUC,
    FPR,
    THRESHOLD,
    TPR,
    At,
    Count,
    Cut,
    Item,
    Level,
    Model,
    Name,
    Range,
    Rate,
    Text,
    paragraph,
    phrase,
    say,
)

LIVE = say("Move the slider; the curve, the scores and the {units} follow.")
LIVE_ALONE = say("Move the slider; the curve and the scores follow.")
ALL = say("All averages of these curves. Answer the two questions above to read one of them.")
ABOUT_TABLE = say("The numbers of this figure")
EVERYWHERE, SHARED, ALONE = say("{on} every {unit}"), say("For all {units}"), say("Read at")
_OPEN = {
    "threshold": "With {at:a} {on} every {unit}, the average {unit} has ",
    "pooled": "With {at:a}, all {units} together have ",
    "own": "If the {threshold} is set to {at:a} {on} every {unit}, the average {unit} has ",
    "balance": "If the {threshold} is set to {at} {on} every {unit}, the average {unit} has ",
}
_BOTH = "{tpr_name:a} of {tpr_value} and {fpr_name:a} of {fpr_value}"
_HELD_RATE = {"vertical": "{tpr_name:a} of {tpr_value}", "horizontal": "{fpr_name:a} of {fpr_value}"}


def held(*, is_shared: bool, is_alone: bool) -> Text:
    """Where the slider's value holds."""
    return ALONE if is_alone else SHARED if is_shared else EVERYWHERE


def means(
    key: str,
    at: At,
    fpr: Rate,
    tpr: Rate,
    *,
    singles: tuple[Range, Range] | None,
    thresholds: Range | None,
    model: Model | None,
) -> Text:
    """What the average has there, how far single groups lie apart, and which thresholds that takes."""
    names: dict[str, Item] = {
        "tpr_name": Name(TPR),
        "fpr_name": Name(FPR),
        "tpr_value": tpr,
        "fpr_value": fpr,
        "at": at,
    }
    if model is not None:
        return say("At {at:a}, {model} has " + _HELD_RATE.get(key, _BOTH) + ".", model=model, **names)
    opening = _OPEN.get(key) or _OPEN["balance" if key in ("diagonal", "radial", "cost") else "own"]
    first = say(opening + _HELD_RATE.get(key, _BOTH) + ".", **names)
    return paragraph(first, _singles(singles), _thresholds(thresholds))


def _singles(found: tuple[Range, Range] | None) -> Text | None:
    if found is None:
        return None
    tpr, fpr = found
    return say(
        "Single {units}: {tpr_name} {tpr_range}, {fpr_name} {fpr_range}.",
        tpr_name=Name(TPR),
        tpr_range=tpr,
        fpr_name=Name(FPR),
        fpr_range=fpr,
    )


def _thresholds(found: Range | None) -> Text | None:
    if found is None:
        return None
    value = Cut(found.low) if found.low == found.high else found
    return say("{thresholds} needed: {range}.", range=value)


def run(low: float, high: float) -> Range:
    """Of thresholds, from the lowest to the highest."""
    return Range(THRESHOLD, low, high)


def key_line(model: Model | Text, area: float, *, is_alone: bool) -> Text:
    """A line's words in the key of the figure."""
    return phrase("{who}, AUC {area}", who=model, area=Rate(AUC if is_alone else AREA, area))


def random(level: float, *, is_alone: bool, is_reader_study: bool) -> Text:
    """What the intervals treat as a random sample."""
    if is_alone:
        return say("Intervals: {level}, over cases.", level=Level(level))
    if is_reader_study:
        return say("Intervals: {level}; where a rate is held, over {units} and cases.", level=Level(level))
    return say("Intervals: {level}, over {units}.", level=Level(level))


def note(name: Text | None, n_groups: int, unit: str) -> Text:
    """Which average of how many groups, below the key."""
    if n_groups == 1:
        return phrase("one dataset")
    over = Count(n_groups, unit)
    return (
        phrase("{name} of {over}", name=name, over=over)
        if name
        else phrase("all averages of {over}", over=over)
    )


def roc_caption(level: float, n_thin: int, n_shown: int, n_groups: int, unit: str) -> Text:
    """What is drawn, where one average is read."""
    if n_groups == 1:
        return say("Band: {level} at each point. The bars show the interval.", level=Level(level))
    dots = phrase("{n} of the {units}", n=n_shown) if n_shown < n_groups else phrase("the {units}")
    return say(
        "Thin lines: {which}. Thick line: the average, with its {level} band at each point. "
        "Open dots: {dots} at this setting.",
        which=_some(n_thin, n_groups, unit),
        dots=dots,
        level=Level(level),
    )


def all_caption(n_thin: int, n_groups: int, unit: str) -> Text:
    """What is drawn, where all averages are."""
    return say("Thin lines: {which}. Thick lines: the averages.", which=_some(n_thin, n_groups, unit))


def _some(n: int, of: int, unit: str) -> Count:
    return Count(n, unit, of=None if n == of else of)


def strip_caption(n_shown: int, n_groups: int, unit: str) -> Text:
    """What the rows of scores show."""
    row = (
        phrase("One row for each {unit}" if n_shown == n_groups else "One row for each of {which}",
               which=Count(n_shown, unit, of=n_groups))
        if n_groups > 1
        else None
    )  # fmt: skip
    said = "grey, the {negatives}: 5 to 95 % of scores, the middle half thick; dot: median of the {positives}"
    if row is None:
        return say(f"{said.capitalize()}; upright: the {{threshold}}.")
    return say(f"{{row}}; {said}; upright: its {{threshold}}.", row=row)


def outside(n_positives: int, n_negatives: int) -> Text | None:
    """What the densities leave out."""
    n = n_positives + n_negatives
    if not n:
        return None
    return say("Not drawn: {cases} far outside.", cases=Count(n, "case"))


def score_axis(model: str, *, is_alone: bool) -> Text:
    """Below the axis of scores."""
    if not model:
        return phrase("score") if is_alone else phrase("score ({units} weighted equally)")
    if is_alone:
        return phrase("score of {model:short}", model=Model(model))
    return phrase("score of {model:short} ({units} weighted equally)", model=Model(model))


def zoom(limit: float) -> Text:
    """On the button that stretches the low end of the axis."""
    return say("Zoom to {at}", at=At("fpr", limit))


def beyond(fpr: Rate) -> Text:
    """At the edge of the zoomed figure, of a point outside of it."""
    return phrase("average at {name} {value}", name=Name(FPR), value=fpr)


def tick(*, is_declared: bool) -> Text:
    """Below the slider, where the report reads the curve."""
    return phrase("declared") if is_declared else phrase("in this report")


def way_back(*, is_declared: bool) -> Text:
    """On the button that leads there."""
    return say("Back to declared") if is_declared else say("Back to start")
