"""Section 2: the curve read at one setting, which a slider moves; drawn here as the page opens and prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocsteady.report.drawing.drawing import MOST_FAINT
from rocsteady.report.html.figures.reading.roc import ZOOM, lines_of_averages, lines_of_models, roc_figure
from rocsteady.report.html.figures.reading.scores import density_figure, outside_words, strip_figure
from rocsteady.report.html.figures.reading.twin import twin_of_averages, twin_of_one
from rocsteady.report.html.parts import LONGEST_NAME, figure, look, twin
from rocsteady.report.html.sections.deployment import alone, declared_mode, shown_first, strayed
from rocsteady.report.html.tags import NOTHING, Child, Markup, joined, named, phrase, tag
from rocsteady.report.summary.comparing.measure import model_name
from rocsteady.report.summary.material import MOST_SHOWN
from rocsteady.report.summary.vocabulary import count

if TYPE_CHECKING:
    from rocsteady.report.drawing import Drawing
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.modes.modes import Mode
    from rocsteady.report.summary.vocabulary import Wording

MOST_BUTTONS = 4
"""Models that are chosen by buttons; of more, one is chosen from a list."""


def render(summary: ReportSummary, drawing: Drawing, wording: Wording) -> Markup:
    """The slider with its sentence, and the three figures that move with it."""
    modes = available(summary)
    if not modes:
        return NOTHING
    wording = alone(summary, wording)
    mode = shown_first(summary.averages, wording)
    names = model_names(summary)
    scores = tag(
        "div",
        figure(
            density_figure(mode, drawing, wording, model=names[0]),
            tag("span", outside_words(drawing, 0), id="r-outside"),
        ),
        figure(strip_figure(mode, drawing, wording), _strip_caption(summary, drawing, wording)),
        class_="r-scores",
    )
    left = figure(
        tag("div", _canvas(), _roc(modes, mode, summary, drawing, wording), class_="r-stack"),
        _roc_caption(summary, drawing, wording, names[0]),
        twin=_twin(mode, modes, names[0], wording),
        class_="r-roc-figure",
    )
    return Markup(
        _lead(mode)
        + _controls(mode, names, summary, wording)
        + tag("div", left, scores, class_="r-figures" if mode else "r-figures r-all", id="r-figures")
    )


def _lead(mode: Mode | None) -> Markup:
    """What to do here, where the script follows; without it, and on paper, what is to be seen."""
    live = "Drag the quantity that is held fixed. The figures of this section move with it, no others."
    still = "The curve, read at one setting; the sentence says which."
    if mode is None:
        still = "All averages of these curves, side by side."
        live = f"{still} Answer the two questions above to read one of them."
    return tag(
        "p",
        tag("span", live, class_="r-live", id="r-lead"),
        tag("span", still, class_="r-still", id="r-paper"),
        class_="lead-in",
    )


def available(summary: ReportSummary) -> tuple[Mode, ...]:
    """The averages that these data have."""
    return tuple(mode for mode in summary.averages if not mode.problem and mode.models)


def model_names(summary: ReportSummary) -> tuple[str, ...]:
    """Of every model; one empty name where none is named."""
    return tuple(summary.about.models) or ("",)


def note_of(mode: Mode | None, wording: Wording, n_groups: int) -> str:
    """Which average, over how many groups."""
    if not wording.is_grouped:
        return "one dataset, nothing is averaged"
    over = f"{count(n_groups)} {wording.units if n_groups != 1 else wording.unit}"
    return f"all averages over {over}" if mode is None else f"{mode.name.lower()} over {over}"


def _canvas() -> Markup:
    """For the faint curves; what it shows is said by the picture over it."""
    return tag("canvas", id="r-canvas", aria_hidden="true")


def _roc(
    modes: tuple[Mode, ...], mode: Mode | None, summary: ReportSummary, drawing: Drawing, wording: Wording
) -> Markup:
    names = model_names(summary)
    lines = [lines_of_models(mode, modes, names, drawing)]
    if mode is None:
        lines.append(lines_of_averages(modes, drawing))
    return roc_figure(lines, mode, drawing, wording, note=note_of(mode, wording, summary.about.n_groups))


def _controls(mode: Mode | None, names: tuple[str, ...], summary: ReportSummary, wording: Wording) -> Markup:
    """What is held, the slider, whose model, the sentence that follows from them, and ways back."""
    reading = None if mode is None else mode.models[0]
    at = 0 if reading is None else reading.start
    last = 0 if reading is None else len(reading.labels) - 1
    # The value stands beside the label, not in it: the slider says it itself.
    label = tag(
        "span",
        tag("label", "" if mode is None else mode.slider, for_="r-slider", id="r-held"),
        " ",
        tag("span", "" if reading is None else reading.labels[at], id="r-value", class_="mut"),
        # Its place is kept while there is nothing to go back from, so that nothing jumps.
        tag(
            "button",
            "Back to declared" if summary.deployment.place_is_declared else "Back to start",
            type="button",
            id="r-return",
            class_="r-idle noprint",
            hidden=True,
        ),
    )
    slider = tag(
        "input",
        type="range",
        id="r-slider",
        min=0,
        max=last,
        step=1,
        value=at,
        autocomplete="off",
        aria_valuetext="" if reading is None else reading.labels[at],
        hidden=True,
        class_="noprint",
    )
    top = tag("div", label, _buttons(names, wording), class_="r-top")
    sentence = tag("p", None if reading is None else phrase(reading.sentences[at]), id="r-sentence")
    # What is read out waits until the slider rests; else every step on the way would be.
    spoken = tag("p", id="r-spoken", class_="unseen", aria_live="polite", aria_atomic="true")
    return tag(
        "div",
        strayed(declared_mode(summary.averages), wording),
        top,
        slider,
        _tick(summary),
        sentence,
        spoken,
        class_="card r-controls",
        id="r-controls",
        hidden=mode is None or None,
    )


def _tick(summary: ReportSummary) -> Markup:
    """Below the slider, where the report reads the curve; the script puts it there."""
    word = "declared" if summary.deployment.place_is_declared else "in this report"
    return tag(
        "div",
        tag("span", word, id="r-tick"),
        class_="r-declared noprint",
        id="r-declared",
        aria_hidden="true",
        hidden=True,
    )


def _buttons(names: tuple[str, ...], wording: Wording) -> Markup:
    """Zoom and choice of the model; hidden until the script can follow them."""
    zoom = tag("button", zoom_words(wording), type="button", id="r-zoom", aria_pressed="false")
    return tag("span", zoom, _models(names), class_="r-buttons noprint", hidden=True, id="r-buttons")


def zoom_words(wording: Wording) -> str:
    """What the zoom shows: the left fifth of the plot, in the words of the field."""
    limit = wording.fpr.shown(ZOOM)
    name = wording.fpr.short[:1].upper() + wording.fpr.short[1:]
    return f"{name} {'from' if wording.fpr.is_rest else 'up to'} {100 * limit:g} %"


def _models(names: tuple[str, ...]) -> Child:
    if len(names) == 1:
        return None
    if len(names) > MOST_BUTTONS:
        options = [tag("option", named_plainly(button_name(name)), value=k) for k, name in enumerate(names)]
        words = tag("span", "Model", class_="unseen")
        return tag("label", words, tag("select", options, id="r-model", autocomplete="off"))
    buttons = [
        tag(
            "button",
            named(shown, longest=LONGEST_NAME),
            type="button",
            data_model=k,
            aria_pressed="true" if k == 0 else "false",
            class_=look(k),
        )
        for k, shown in enumerate(map(button_name, names))
    ]
    return tag("span", buttons, role="group", aria_label="Model", class_="r-models", id="r-models")


def button_name(name: str) -> str:
    """A model where nothing around it says that it is one: a bare number needs the word.

    >>> button_name("2"), button_name("baseline")
    ('model 2', 'baseline')
    """
    return name if any(letter.isalpha() for letter in name) else model_name(name)


def named_plainly(name: str) -> str:
    """A name where no markup can stand, cut to what a list has room for."""
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _roc_caption(summary: ReportSummary, drawing: Drawing, wording: Wording, model: str) -> Child:
    level = f"{100 * summary.about.confidence_level:g} %"
    bands = f" Dark band: {level} at each point{_wide_band(drawing, level)}."
    if summary.readers is not None:
        bands += " Bands take as random what the sentence names."
    bar = f"{level} interval along what is free to vary."
    zoom = tag("span", " Zoomed in: what lies beyond the right edge is not drawn.", class_="r-zoom-note")
    if not wording.is_grouped:
        return _captions([f"The curve of the one dataset.{bands} The bar shows the {bar}", zoom], None)
    own = tag("span", named(model, longest=LONGEST_NAME), data_name=True)
    thin = ["Thin lines: ", _how_many(drawing.n_faint, MOST_FAINT, summary, f"one per {wording.unit}")]
    thin += [" (", own, ")"] if model else []
    dots = _how_many(len(drawing.names), MOST_SHOWN, summary, f"every {wording.unit}")
    marks = f" Open dots: {dots} at the chosen setting. The bar on the average shows its {bar}"
    return _captions(
        [thin, f". Thick: the average.{bands}{marks}", zoom],
        [thin, ". Thick: the averages; each answers another question.", zoom],
    )


def _how_many(n: int, most: int, summary: ReportSummary, all_of_them: str) -> str:
    """All groups, or so many of them: where there are too many to draw, or some lack the curve of a model."""
    n_groups, units = summary.about.n_groups, summary.wording.units
    if n >= n_groups:
        return all_of_them
    at_random = ", drawn at random" if n >= most else ""
    return f"{count(n)} of the {count(n_groups)} {units}{at_random}"


def _wide_band(drawing: Drawing, level: str) -> str:
    """Few groups have no band for a whole stretch of the curve."""
    is_drawn = any(own.simultaneous is not None for own in drawing.lines.values())
    return f"; light band: {level} for all of the curve where it is drawn" if is_drawn else ""


def _strip_caption(summary: ReportSummary, drawing: Drawing, wording: Wording) -> Child:
    grey = f"Grey, {wording.negatives}: 5 to 95 % of their scores, the middle half thick"
    dot, cut = f"dot, median score of the {wording.positives}", wording.cutoff_word
    if not wording.is_grouped:
        return _captions(f"{grey}; {dot}; upright, the {cut}.", f"{grey}; {dot}.")
    rows = _how_many(len(drawing.names), MOST_SHOWN, summary, f"every {wording.unit}")
    start = f"One row for {rows}. {grey}; {dot}"
    return _captions(f"{start}; upright, the {cut} in use on that {wording.unit}.", f"{start}.")


def _captions(of_one: Child, of_all: Child) -> Markup:
    """What to see where one average is read, and where all are shown; the style sheet shows one of them."""
    shown = zip((of_one, of_all), ("r-of-one", "r-of-all"), strict=True)
    return Markup("".join(tag("span", joined(own), class_=class_) for own, class_ in shown))


def _twin(mode: Mode | None, modes: tuple[Mode, ...], model: str, wording: Wording) -> Markup:
    """The numbers of one average, and of all where none was declared; the style sheet shows one of them."""
    shown = twin_of_one(mode or modes[0], model, wording)
    if mode is not None:
        return twin(shown)
    every = twin_of_averages(modes, model, wording)
    return twin(Markup(tag("div", shown, class_="r-of-one") + tag("div", every, class_="r-of-all")))
