"""A reader study as ``rocsteady compare`` prints it: the answer, modalities, readers, margins, methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocsteady.readers.compare import ReaderComparison, StandaloneComparison
from rocsteady.show.document import Block, Heading, Table
from rocsteady.show.sections import comparison
from rocsteady.show.sentences import comparing, reader_methods
from rocsteady.show.sentences import readers as sentences
from rocsteady.study import Study
from rocsteady.text import Gap, Item, Level, Limits, Model, P, Quote, Rate, Text, paragraph, phrase, say


def make(study: Study, margin: float | None = None) -> list[Block]:
    """Modalities against each other, or against a standalone system; of one modality how well readers do."""
    found: Any = study.readers
    if found is None:
        return _of_one(study)
    tests = margins(study, margin)
    more = reader_methods.margin_methods(tests)
    if isinstance(found, StandaloneComparison):
        blocks: list[Block] = [
            sentences.of_system(found),
            _differences(found),
            _readers(found),
            sentences.random_sentence(found),
        ]
        methods = reader_methods.of_standalone(found, more), reader_methods.standalone_results(found)
    else:
        blocks = [*comparison.of_readers(found), _modalities(found), _readers(found), *_assumptions(found)]
        methods = reader_methods.of_comparison(found, more), reader_methods.results_of(found)
    return [
        *blocks[:1],
        *map(sentences.of_margin, tests),
        *blocks[1:],
        *_notes(found),
        Heading(say("Methods and results, ready to paste")),
        *methods,
    ]


def margins(study: Study, margin: float | None) -> list[Any]:
    """Non-inferiority of the first modality that was named, then equivalence."""
    found: Any = study.readers
    if margin is None or found is None:
        return []
    alpha = (1 - study.confidence_level) / 2
    if isinstance(found, StandaloneComparison):
        return [
            test(margin, modality=name, alpha=alpha)
            for name in found.modalities
            for test in (found.non_inferior, found.equivalent)
        ]
    named: Sequence[str] = study.reading.get("modalities") or ()
    if len(named) != 2:
        first, second = found.modalities[:2]
        from rocsteady.errors import fail

        one, other = [first, second], [second, first]
        raise fail("RS097.direction-typed", modalities=found.modalities, one_way=one, other_way=other)
    new, reference = named
    return [
        found.non_inferior(margin, new=new, reference=reference, alpha=alpha),
        found.equivalent(margin, modalities=(new, reference), alpha=alpha),
    ]


def table(study: Study) -> dict[str, list[Any]]:
    """The differences, or of one modality its mean and its readers, for a file."""
    from rocsteady.results import unit_column

    found: Any = study.readers
    if found is not None:
        return _rows_of(found)
    summary: Any = study.reader_summary
    per, each = summary.per_modality, summary.per_reader
    names = ("value", "standard_error", "low", "high")
    word = unit_column(summary.unit, ("quantity", *names, "df"), "reader")
    columns = {name: getattr(per, name).tolist() + getattr(each, name).tolist() for name in names}
    quantities = [per.quantity, *[summary.measure] * len(each)]
    df = [float(per.df[0]), *[None] * len(each)]
    return {word: ["mean", *each.reader], "quantity": quantities, **columns, "df": df}


_NAMES = ("quantity", "a", "b", "a_value", "b_value")
_NUMBERS = ("difference", "standard_error", "df", "low", "high", "statistic", "pvalue", "adjusted_pvalue")


def _rows_of(found: Any) -> dict[str, list[Any]]:
    """One row for each difference: of the means, then of every reader; what there is not stays empty."""
    from rocsteady.results import unit_column

    word = unit_column(found.unit, (*_NAMES, *_NUMBERS), "reader")
    rows: list[dict[str, Any]] = []
    for own in found.differences:
        row = {name: getattr(own, name, None) for name in (*_NAMES, *_NUMBERS)}
        rows.append({word: "mean", **row, "low": own.interval.low, "high": own.interval.high})
    per = found.per_reader
    for i, reader in enumerate(per.reader):
        row = {name: float(getattr(per, name)[i]) for name in (*_NAMES[3:], *_NUMBERS) if hasattr(per, name)}
        rows.append({word: reader, "quantity": found.measure, "a": per.a[i], "b": per.b[i], **row})
    return {name: [row.get(name) for row in rows] for name in (word, *_NAMES, *_NUMBERS)}


def _of_one(study: Study) -> list[Block]:
    """The readers of one modality, with nothing to compare it with."""
    found: Any = study.reader_summary
    per, each = found.per_modality, found.per_reader
    what = sentences.measure_of_values(found).quantity
    level = found.confidence_level
    rows: list[tuple[Item, ...]] = [
        (phrase("mean"), Rate(what, float(per.value[0]), per.intervals[0])),
        *(
            (
                Quote(name),
                Rate(what, float(each.value[i]), Limits(float(each.low[i]), float(each.high[i]), level)),
            )
            for i, name in enumerate(each.reader)
        ),
    ]
    heads = (say("{unit}"), phrase("{what} ({level} CI)", what=_name(found), level=Level(level)))
    notes = list(sentences.notes_of_summary(found))
    return [
        sentences.of_modality(found, 0),
        Table(None, heads, tuple(rows), marked=0, name="readers"),
        paragraph(sentences.random_sentence(found), *notes),
    ]


def _name(found: Any) -> Item:
    return sentences.measure_of_values(found)


def _modalities(found: ReaderComparison) -> Table:
    """Every modality's own mean, as in its summary."""
    per = found.per_modality
    what, intervals = sentences.measure_of_values(found).quantity, per.logit_intervals
    rows = tuple(
        (Model(name), Rate(what, float(per.value[i]), intervals[i])) for i, name in enumerate(per.modalities)
    )
    level = Level(found.confidence_level)
    mean = phrase("{what}, mean over {units} ({level} CI)", what=_name(found), level=level)
    return Table(None, (say("modality"), mean), rows, name="modalities")


def _differences(found: StandaloneComparison) -> Table:
    what = comparing.measure(found.differences[0]).quantity
    rows = tuple(
        (
            sentences.modality(name),
            Rate(what, own.a_value, own.a_interval),
            Rate(what, own.b_value, own.b_interval),
            Gap(what, own.difference, own.interval),
            P(own.adjusted_pvalue),
        )
        for name, own in zip(found.modalities, found.differences, strict=True)
    )
    heads = (
        say("modality"),
        phrase("{system}", system=Model(found.standalone)),
        phrase("mean {unit}"),
        say("difference"),
        phrase("p"),
    )
    return Table(None, heads, rows, name="differences")


def _readers(found: Any) -> Table:
    """Every reader's values, and of two modalities their difference."""
    per = found.per_reader
    what = sentences.measure_of_values(found).quantity
    is_pair = isinstance(found, StandaloneComparison) or (len(found.differences) == 1 and len(per) > 0)
    if not is_pair:
        heads: tuple[Text, ...] = (say("{unit}"), *(phrase("{m}", m=Model(own)) for own in found.modalities))
        rows: list[tuple[Item, ...]] = [
            (Quote(name), *(Rate(what, float(value)) for value in found.values[:, j]))
            for j, name in enumerate(found.readers)
        ]
        return Table(None, heads, tuple(rows), name="readers", sorts=True)
    level = per.confidence_level
    each: list[tuple[Item, ...]] = []
    for i, name in enumerate(per.reader):
        gap = Gap(what, float(per.difference[i]), Limits(float(per.low[i]), float(per.high[i]), level))
        values = (Rate(what, float(per.a_value[i])), Rate(what, float(per.b_value[i])))
        each.append((Quote(name), *values, gap, P(float(per.pvalue[i]))))
    a, b = per.a[0], per.b[0]
    first, second = (phrase("{m}", m=Model(own)) for own in (a, b))
    heads = (say("{unit}"), first, second, phrase("difference ({level} CI)", level=Level(level)), phrase("p"))
    caption = say("Of these very {units}, for other cases; not adjusted for their number.")
    return Table(caption, heads, tuple(each), name="readers", sorts=True)


def _assumptions(found: ReaderComparison) -> list[Block]:
    """The test with other things random; the one that was asked is marked."""
    every = found.assumptions
    if len(every) < 2:
        return []
    words = {
        ("random", "random"): say("{units} and cases"),
        ("fixed", "random"): say("cases"),
        ("random", "fixed"): say("{units}"),
    }
    rows = tuple(
        (words[own.readers, own.cases], sentences.statistic_words(own.statistic, own.df), P(own.pvalue))
        for own in every
    )
    asked = (found.readers_are, found.cases_are)
    marked = next((i for i, own in enumerate(every) if (own.readers, own.cases) == asked), None)
    return [Table(None, (say("random"), say("test"), phrase("p")), rows, marked=marked, name="assumptions")]


def _notes(found: Any) -> list[Block]:
    is_system = isinstance(found, StandaloneComparison)
    notes = sentences.notes_of_standalone(found) if is_system else sentences.notes_of_comparison(found)
    found_notes = list(notes)
    return [paragraph(*found_notes)] if found_notes else []
