"""The two questions that decide which average is right: their answers, and when to choose each."""

from __future__ import annotations

from rocsteady.text import Level, Text, phrase, say

FIRST = say("Do all {units} use the same {threshold}?")
SHARED, OWN = phrase("Yes, one {threshold}"), phrase("No, each {unit} has {its} own")
SECOND = {"shared": say("What should count equally?"), "own": say("What does each {unit} hold fixed?")}
ALONE = say("What is held fixed when the curve is read?")
TITLES = {
    "threshold": phrase("Every {unit}"),
    "pooled": phrase("Every row"),
    "vertical": phrase("The {fpr}"),
    "horizontal": phrase("The {tpr}"),
    "diagonal": phrase("The balance of both errors"),
    "radial": phrase("The ratio of both errors"),
    "alerts": phrase("The {alerts}"),
    "cost": phrase("The cost of errors"),
}
NAMES = {
    "threshold": say("Threshold average"),
    "pooled": say("Pooled curve"),
    "vertical": say("Vertical average"),
    "horizontal": say("Horizontal average"),
    "diagonal": say("Diagonal average"),
    "radial": say("Radial average"),
    "alerts": say("Alarm-rate average"),
    "cost": say("Tangent average"),
}
_PEOPLE = say("Everyone works by one rule, such as a {threshold} in a guideline.")
_SETTING = say("One setting is shipped to every {unit}: a vendor default, a company-wide rule.")
_OF_PEOPLE = say("A score of one {unit} is not the same as that of another, as with ratings.")
_OF_FOLDS = say("A model is trained again for every {unit}, and its {threshold} is set again with it.")
_OF_SITES = say("Someone sets the {threshold} {on} each {unit}, with data from there.")
_WHEN = {
    "threshold": say("You promise something to each {unit}: how well does it work {on} a typical one?"),
    "pooled": say("Only totals matter: one team works through all that is flagged."),
    "vertical": say("There is a budget of {alarms}: only so many can be looked into."),
    "horizontal": say("So many {positives} have to be found, whatever it costs."),
    "diagonal": say("Both errors are equally bad, as in an equal error rate."),
    "radial": say("One error may be so many times as frequent as the other."),
    "alerts": say("A fixed share of all cases can be followed up, the highest scores first."),
    "cost": say("A {alarm} and a {miss} each have a known price."),
}
_OF_ONE = {"threshold": say("The {threshold} is set once and kept.")}
_MEANING = {
    "threshold": say(
        "The rates of all {units} at the same {threshold} are averaged; every {unit} counts once."
    ),
    "pooled": say("All rows are put together under one {threshold}; {units} with many rows count most."),
    "vertical": say(
        "Each {unit} sets {its} {threshold} to the same {fpr}; the {tpr} values found are averaged."
    ),
    "horizontal": say(
        "Each {unit} sets {its} {threshold} to the same {tpr}; the {fpr} values found are averaged."
    ),
    "diagonal": say("Each {unit} sets {its} {threshold} to the same difference of both error rates."),
    "radial": say("Each {unit} sets {its} {threshold} to the same ratio of both error rates."),
    "alerts": say("Each {unit} sets {its} {threshold} so that the same share of all cases is flagged."),
    "cost": say("Each {unit} sets {its} {threshold} to the lowest expected cost."),
}
UNDECIDED = say("No use was declared, so no average is recommended. The averages answer different questions.")
DECLARED = phrase("declared")


def lead(*, is_declared: bool, is_alone: bool) -> Text:
    """What the answers do."""
    if is_alone:
        return say("There is one dataset, so nothing is averaged.")
    if is_declared:
        return say("Two answers decide which average is right. They were given when this report was made.")
    return say("Two answers decide which average is right. None was given when this report was made.")


def when(question: str, kind: str) -> Text:
    """A situation in which to answer the first question so."""
    if question == "shared":
        return _PEOPLE if kind == "people" else _SETTING
    return {"people": _OF_PEOPLE, "folds": _OF_FOLDS}.get(kind, _OF_SITES)


def when_held(key: str, *, is_alone: bool) -> Text:
    """A situation in which to answer the second one so."""
    return _OF_ONE.get(key, _WHEN[key]) if is_alone else _WHEN[key]


def meaning(key: str, *, is_alone: bool) -> Text:
    """What the average is."""
    return say("The curve of the one dataset.") if is_alone else _MEANING[key]


def answers(key: str, *, is_shared: bool, is_alone: bool) -> Text:
    """Both answers in a few words."""
    if is_alone:
        return phrase("{what}", what=TITLES[key]) if key != "threshold" else phrase("one {threshold}")
    if is_shared:
        counts = "every {unit} counts once" if key == "threshold" else "every row counts once"
        return phrase("one {threshold} for all {units}, " + counts)
    what = {
        "vertical": "the {fpr} is held fixed",
        "horizontal": "the {tpr} is held fixed",
        "diagonal": "the balance of both errors is held fixed",
        "radial": "the ratio of both errors is held fixed",
        "alerts": "the {alerts} is held fixed",
        "cost": "the costs of errors are held fixed",
    }
    return phrase("each {unit} has {its} own {threshold}, and " + what[key])


def exploring(declared: Text | None) -> Text:
    """What is said when another use is looked at."""
    if declared is None:
        return say("You are trying out answers. None was declared, so no average is recommended.")
    return say("You are exploring another use. This report was made for: {use}.", use=declared)


def back(*, is_declared: bool, is_alone: bool) -> Text:
    """On the button that leads back."""
    if is_declared:
        return say("Back to the declared use")
    return say("Back to the first reading") if is_alone else say("Show all averages")


def without_script(*, is_declared: bool) -> Text:
    """Where nothing can be changed."""
    if is_declared:
        return say("Changing the answers needs JavaScript; the declared use is shown.")
    return say("Changing the answers needs JavaScript; all averages are shown.")


def at_prevalence(prevalence: float) -> Text:
    """Of what costs and shares of alerts are."""
    return phrase("at a prevalence of {share}", share=Level(prevalence))
