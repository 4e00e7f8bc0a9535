"""What a report is about: its title, and the line below it; and what its sections are called."""

from __future__ import annotations

from rocsteady.scores.design import Design
from rocsteady.text import Count, Level, Quote, Text, listed, phrase, say

LINKS = {
    "answer": say("Answer"),
    "uses": say("Use"),
    "reading": say("Curve"),
    "comparison": say("Comparison"),
    "readers": say("Readers and cases"),
    "comparability": say("Comparability"),
    "points": say("Operating points"),
    "groups": say("{units}"),
    "plan": say("More data"),
    "smroc": phrase("smROC"),
    "data": say("Data"),
    "methods": say("Methods"),
}
TITLES = {
    "answer": say("Answer"),
    "uses": say("How will the scores be used?"),
    "reading": say("Reading the curve"),
    "comparison": say("Is one model better?"),
    "readers": say("Readers and cases"),
    "comparability": say("Do scores mean the same {on} every {unit}?"),
    "points": say("Operating points"),
    "groups": say("{unit} by {unit}"),
    "plan": say("What more data would show"),
    "smroc": say("Curves that use the size of the scores"),
    "data": say("Data and warnings"),
    "methods": say("Methods, ready to paste"),
}
NOTHING = say("Nothing to say here of these scores.")
THE_DATASET = say("The dataset")


def title(n_models: int, n_groups: int, unit: str, *, is_reader_study: bool) -> Text:
    """Without one of the user's: how many models on how many groups."""
    if is_reader_study:
        modalities, readers = Count(n_models, "modality"), Count(n_groups, unit)
        return say("{modalities}, {readers}", modalities=modalities, readers=readers)
    if n_groups > 1:
        if n_models == 1:
            return say("One model {groups:on}", groups=Count(n_groups, unit))
        return say("{models} {groups:on}", models=Count(n_models, "model"), groups=Count(n_groups, unit))
    if n_models == 1:
        return say("ROC curve of one dataset")
    return say("{models} on one dataset", models=Count(n_models, "model"))


def meta(
    *,
    n_rows: float,
    n_cases: int,
    patients: Count | None,
    n_left_out: int,
    unit: str,
    design: Design,
    positive: str,
    higher_is_positive: bool,
    level: float,
    random: str,
) -> list[Text]:
    """A few facts in one line."""
    found: list[Text] = []
    if design.kind == "cross-validation":
        repeats = [] if design.repeats == 1 else [Count(design.repeats, "repeat")]
        found.append(
            phrase(
                "{cases}, {folds}",
                cases=Count(n_cases, "case"),
                folds=listed([Count(design.folds, "fold"), *repeats], last="in"),
            )
        )
    elif random == "readers":
        found.append(phrase("{cases}", cases=Count(n_cases, "case")))
    found.append(phrase("{rows}", rows=Count(n_rows, "score")))
    if patients is not None:
        found.append(phrase("{patients}", patients=patients))
    if n_left_out:
        found.append(phrase("{groups} left out", groups=Count(n_left_out, unit)))
    found.append(phrase("positive: {label}", label=Quote(positive)))
    if not higher_is_positive:
        found.append(phrase("low scores mean positive"))
    random_ = {"cases": "{level} intervals over cases", "readers": "{level} intervals over {units} and cases"}
    found.append(phrase(random_.get(random, "{level} intervals over {units}"), level=Level(level)))
    return found
