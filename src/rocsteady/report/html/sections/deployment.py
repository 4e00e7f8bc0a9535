"""Section 1: the two questions that decide which average is the right one, and what was declared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rocsteady.report.html.parts import declared
from rocsteady.report.html.tags import NOTHING, Child, Markup, joined, tag

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.modes.modes import Mode
    from rocsteady.report.summary.vocabulary import Wording

QUESTIONS = ("shared", "own")
"""Answers to the first question; each leads to a second one of its own."""
LEGENDS = {"shared": "What should count equally?", "own": "What is held fixed when you read the curve?"}
UNDECIDED = {
    "shared": "If yes, what should count equally?",
    "own": "If no, what is held fixed when you read the curve?",
}
"""As long as the first question has no answer, both ways are open."""


def render(summary: ReportSummary, drawing: Drawing, wording: Wording) -> Markup:
    """Two groups of radio buttons, the average that fits the answers, and a way back to what was declared."""
    modes = summary.averages
    if not modes:
        return NOTHING
    wording, chosen = alone(summary, wording), declared_mode(modes)
    asked = _two_questions if wording.is_grouped else _one_question
    return Markup(
        tag("p", _lead(chosen, wording), class_="lead-in")
        + asked(modes, chosen, wording)
        + _fitting(shown_first(modes, wording), wording)
        + _exploring(chosen, wording)
        + tag("noscript", tag("p", _without_script(chosen, wording), class_="r-note"))
    )


def shown_first(modes: tuple[Mode, ...], wording: Wording) -> Mode | None:
    """What the page opens with: the declared use, else all averages; a single curve is read in any case."""
    chosen = declared_mode(modes)
    if chosen is None and not wording.is_grouped:
        return next((mode for mode in modes if not mode.problem), None)
    return chosen


def declared_mode(modes: tuple[Mode, ...]) -> Mode | None:
    """The average of the declared use; None where nothing was declared."""
    return next((mode for mode in modes if mode.is_declared and not mode.problem), None)


def alone(summary: ReportSummary, wording: Wording) -> Wording:
    """The words of these two sections: one group is not spoken of as one of many."""
    return replace(wording, is_grouped=wording.is_grouped and summary.about.n_groups > 1)


def answers(mode: Mode, wording: Wording) -> str:
    """Both answers in a sentence, as they were given."""
    option = mode.option[:1].lower() + mode.option[1:]
    if not wording.is_grouped:
        return f"one {wording.cutoff_word}" if mode.key == "threshold" else f"{option} held fixed"
    if mode.question == "shared":
        return f"one {wording.cutoff_word} for all {wording.units}, {option} counting equally"
    return f"every {wording.unit} {wording.its} own {wording.cutoff_word}, with {option} held fixed"


def _lead(chosen: Mode | None, wording: Wording) -> Child:
    """What is asked; what to do is said where the script follows, and not on paper."""
    said = "Two answers decide which average is the right one. "
    if not wording.is_grouped:
        said, live = (
            "There is one dataset, so nothing is averaged.",
            "Choose what is held fixed when its curve is read.",
        )
    elif chosen is None:
        said += "None was given when this report was made, so no average is recommended."
        live = f"Answer here to see what would follow for these {wording.units}."
    else:
        said += "They were given when this report was made."
        live = "Change them here to see what would follow."
    return [said, " ", tag("span", live, class_="r-live")]


def _without_script(chosen: Mode | None, wording: Wording) -> str:
    shown = "all averages" if wording.is_grouped else "one reading of the curve"
    shown = shown if chosen is None else "the declared use"
    return f"Changing the answers needs JavaScript; without it this page shows {shown}."


def _two_questions(modes: tuple[Mode, ...], chosen: Mode | None, wording: Wording) -> Markup:
    second = [_second_question(modes, question, chosen) for question in QUESTIONS]
    return tag("div", _first_question(modes, chosen, wording), second, class_="r-questions")


def _one_question(modes: tuple[Mode, ...], chosen: Mode | None, wording: Wording) -> Markup:
    """For a single curve: who shares a threshold is no question."""
    word = wording.cutoff_word
    words = {"threshold": (f"The {word}", "A case is called positive from this score on.")}
    options = [
        _option(
            "choice-own",
            mode.key,
            *words.get(mode.key, (mode.option, mode.explanation)),
            is_chosen=mode is chosen,
            problem=mode.problem,
        )
        for mode in modes
        if mode.key != "pooled"
    ]
    return _question(LEGENDS["own"], options, id="r-first")


def _question(legend: Child, options: list[Markup], **attributes: str | bool) -> Markup:
    return tag("fieldset", tag("legend", legend), tag("div", options), class_="r-question", **attributes)


def _first_question(modes: tuple[Mode, ...], chosen: Mode | None, wording: Wording) -> Markup:
    words = {
        "shared": (
            f"Yes, one {wording.cutoff_word} everywhere",
            f"It is the same {wording.on} every {wording.unit}.",
        ),
        "own": (
            f"No, each {wording.unit} gets {wording.its} own",
            f"It is set separately {wording.on} each {wording.unit}.",
        ),
    }
    options = []
    for question in QUESTIONS:
        title, explanation = words[question]
        problems = [mode.problem for mode in modes if mode.question == question]
        options.append(
            _option(
                "question",
                question,
                title,
                explanation,
                is_chosen=chosen is not None and chosen.question == question,
                problem="" if not all(problems) else next(iter(problems), "Not available for these data."),
            )
        )
    legend = f"Is one {wording.cutoff_word} shared by all {wording.units}?"
    return _question(legend, options, id="r-first")


def _second_question(modes: tuple[Mode, ...], question: str, chosen: Mode | None) -> Markup:
    legend = LEGENDS[question] if chosen else UNDECIDED[question]
    options = [
        _option(
            f"choice-{question}",
            mode.key,
            mode.option,
            mode.explanation,
            is_chosen=chosen is mode,
            problem=mode.problem,
        )
        for mode in modes
        if mode.question == question
    ]
    is_hidden = chosen is not None and chosen.question != question
    return _question(legend, options, data_question=question, hidden=is_hidden)


def _option(
    name: str, value: str, title: Child, explanation: Child, *, is_chosen: bool, problem: str
) -> Markup:
    below = [tag("span", joined(explanation), class_="r-why")]
    if problem:
        below.append(tag("span", "Not available: ", joined(problem), class_="r-why r-problem"))
    # A browser that comes back to the page must not put old answers beside the figures of the declared use.
    button = tag(
        "input",
        type="radio",
        name=f"r-{name}",
        value=value,
        autocomplete="off",
        checked=is_chosen or None,
        disabled=bool(problem) or None,
    )
    words = tag("span", tag("b", title), [" ", declared()] if is_chosen else None, class_="r-option-title")
    return tag("label", button, words, below, class_="r-option r-off" if problem else "r-option")


def _fitting(shown: Mode | None, wording: Wording) -> Markup:
    """The name of the average and why it is the one; the script writes another there."""
    name = "None recommended" if shown is None else shown.name
    why = (
        "Without the two answers all averages are shown side by side below; they answer different questions."
        if shown is None
        else shown.why
    )
    title = tag("div", "Average that fits" if wording.is_grouped else "What is read", class_="mut sm")
    left = tag("div", title, tag("div", name, class_="big", id="r-name"))
    return tag(
        "div", left, tag("div", joined(why), id="r-meaning"), class_="card soft r-fitting", aria_live="polite"
    )


def strayed(chosen: Mode | None, wording: Wording) -> Markup:
    """The same beside the slider, where the answers may be out of sight."""
    words: Child = ["You are exploring. The report was made for ", _declared_use(chosen, wording), "."]
    back = "Back to the declared setting"
    if chosen is None:
        words, back = "You are trying out answers; none was declared.", "Show all averages again"
        if not wording.is_grouped:
            words, back = "You are trying out another reading of the curve.", "Back to the first one"
    button = tag("button", back, type="button", id="r-strayed-back")
    return tag("p", words, " ", button, class_="r-exploring noprint", id="r-strayed", hidden=True)


def _declared_use(chosen: Mode | None, wording: Wording) -> Child:
    return None if chosen is None else tag("b", answers(chosen, wording))


def _exploring(chosen: Mode | None, wording: Wording) -> Markup:
    """Seen only when the answers are not the declared ones."""
    if chosen is None:
        words: Child = (
            "You are trying out answers. None was declared when this report was made, "
            "so no average is recommended by it."
        )
        back = "Show all averages again"
        if not wording.is_grouped:
            words, back = "You are trying out other readings of the curve.", "Back to the first one"
    else:
        words = [
            "You are exploring: this section and the next show another use. The report was made for ",
            _declared_use(chosen, wording),
            ".",
        ]
        back = "Back to the declared use"
    button = tag("button", back, type="button", id="r-back")
    return tag("p", words, " ", button, class_="r-exploring", id="r-exploring", hidden=True)
