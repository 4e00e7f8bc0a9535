"""Which average answers the question of a use, why, and what others would have said."""

from __future__ import annotations

from rocsteady.advice.advise import Advice, Alternative, Answer
from rocsteady.averaging.methods import AtAlarmRate, AtAngle, AtCosts, Method, Pooled
from rocsteady.show.document import Block, Heading, Items, Table
from rocsteady.show.sentences import advice as sentences
from rocsteady.text import (
    AREA,
    COST,
    FPR,
    TPR,
    Gap,
    Item,
    Level,
    Model,
    Quantity,
    Quote,
    Rate,
    Ratio,
    Text,
    phrase,
    say,
)

_FREE = {"fpr": FPR, "tpr": TPR, "cost": COST}


def blocks(advice: Advice) -> list[Block]:
    """The advice; with data, what every other average says."""
    found: list[Block] = [
        sentences.advice(advice),
        Heading(say("Why")),
        Items(tuple(map(sentences.reason, advice.because))),
    ]
    if not advice.answers:
        return found
    found.append(Heading(say("How much the answer changes with another average")))
    return [*found, *_answers(advice), _questions(advice), *_contests(advice), *_costs(advice)]


def _answers(advice: Advice) -> list[Block]:
    """The recommended average, then the others with their differences to it, for each model."""
    made: list[Block] = []
    first = advice.answers[0]
    level = Level(first.auc_interval.confidence_level)
    read = None
    if first.line is not None:
        read = phrase(" and {measure}", measure=sentences.measure(first.line))
    lead = say(
        "AUC{read}. Differences are to the first row, with {level} CI, paired over {units}.",
        read=read,
        level=level,
    )
    for own in advice.answers:
        rows = [own, *(other for other in advice.alternatives if other.model == own.model)]
        quantity = _quantity(own)
        columns = [say("average"), phrase("AUC"), say("difference")]
        columns += [say("{name}", name=_name(quantity)), say("difference")] if quantity else []
        caption = say("{model}", model=Model(own.model)) if len(advice.answers) > 1 else None
        cells = tuple(_row(row, quantity, is_first=row is own) for row in rows)
        made.append(Table(caption, tuple(columns), cells, marked=0))
    return [lead, *made]


def _row(row: Answer, quantity: Quantity | None, *, is_first: bool) -> tuple[Item, ...]:
    cells: list[Item] = [Quote(_short(row.method)), Rate(AREA, row.auc), None]
    if isinstance(row, Alternative):
        cells[2] = Gap(AREA, row.auc_difference, row.auc_interval)
    elif is_first:
        cells[2] = phrase("recommended")
    if quantity is not None:
        cells += [None if row.value is None else Rate(quantity, row.value), None]
        if isinstance(row, Alternative) and row.value_difference is not None:
            cells[4] = Gap(quantity, row.value_difference, row.value_interval)
    return tuple(cells)


def _quantity(own: Answer) -> Quantity | None:
    return None if own.line is None else _FREE[own.line.free]


def _name(quantity: Quantity) -> Text:
    return phrase("expected cost") if quantity is COST else phrase(f"{{{quantity.key}}}")


def _questions(advice: Advice) -> Table:
    """What each average answers."""
    first = advice.answers[0]
    rows: list[tuple[Item, ...]] = []
    for row in [first, *(other for other in advice.alternatives if other.model == first.model)]:
        answer = sentences.question(row.method, row.unit)
        note = sentences.note(row.method, row.unit) if isinstance(row.method, AtCosts) else None
        rows.append(
            (
                Quote(_short(row.method)),
                phrase("{answer}{note}", answer=answer, note=note and phrase("; {note}", note=note)),
            )
        )
    return Table(None, (say("average"), say("answers")), tuple(rows), marked=0)


def _contests(advice: Advice) -> list[Block]:
    """Which model is better under which average."""
    if not advice.contests:
        return []
    first = advice.contests[0]
    what = phrase("AUC") if first.line is None else sentences.measure(first.line)
    rows = tuple(
        (
            Quote(_short(own.method)),
            phrase("equal") if own.winner is None else Model(own.winner),
            None if own.winner is None else sentences.lead(own),
            phrase("") if own.is_decided or own.winner is None else phrase("not significant"),
        )
        for own in advice.contests
    )
    columns = (say("average"), say("better"), say("by"), phrase(""))
    marked = next((i for i, own in enumerate(advice.contests) if own.is_recommended), None)
    return [Table(say("Which model is better, by {what}", what=what), columns, rows, marked=marked)]


def _costs(advice: Advice) -> list[Block]:
    """What models cost between the ends of a range of costs."""
    found = advice.cost_range
    if found is None:
        return []
    columns = (phrase("Costs, {costs}"), say("model"), say("expected cost"), say("{fpr}"), say("{tpr}"))
    rows = tuple(
        (
            Ratio(*own.costs),
            Model(own.model),
            Rate(COST, own.cost, own.interval),
            Rate(FPR, own.fpr),
            Rate(TPR, own.tpr),
        )
        for own in found.points
    )
    caption = say("Between the ends of the costs, every {unit} tuned to them")
    return [Table(caption, columns, rows)]


def _short(method: Method) -> str:
    """A method in a table: without its values, which the deployment has."""
    if isinstance(method, AtAlarmRate | AtCosts):
        return "alarm-rate" if isinstance(method, AtAlarmRate) else "costs"
    return str(method.label if isinstance(method, AtAngle | Pooled) else method.name)
