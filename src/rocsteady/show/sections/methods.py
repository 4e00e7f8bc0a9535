"""Methods, ready to paste, with references and what it takes to make the report again; folded."""

from __future__ import annotations

import shlex

from rocsteady.show.citing import program_version, references_of, spelled
from rocsteady.show.document import Block, Command, Fold, Heading, Items
from rocsteady.show.sentences import methods as sentences
from rocsteady.study import Study
from rocsteady.text import Reference, Text, phrase


def make(study: Study) -> list[Block]:
    """The section."""
    text, keys = _text(study)
    blocks: list[Block] = [text, sentences.to_add(study.words.name)]
    if keys:
        listed = (phrase("{text}", text=Reference(spelled(key))) for key in keys)
        blocks += [Heading(sentences.REFERENCES_TITLE), Items(tuple(listed))]
    if study.command:
        blocks += [Heading(sentences.AGAIN_TITLE), Command(tuple(shlex.split(study.command)))]
    return [Fold(sentences.TITLE, tuple(blocks))]


def _text(study: Study) -> tuple[Text, tuple[str, ...]]:
    """One paragraph, and the keys of what it cites."""
    rows, first = study.given, study.of(study.models[0])
    has_curve = first.has_curve | (study.method == "pooled")  # where groups of one class count, too
    sizes = [[int(own.n_positives.sum()), int(own.n_negatives.sum())] for own in map(study.of, study.models)]
    counts = [n[has_curve] for n in (first.n_positives, first.n_negatives)]
    positives, negatives = (
        int(n[0]) if study.is_reader_study else int(n.sum()) // first.design.repeats for n in counts
    )
    lacking = dict.fromkeys(first.groups[i] for i in first.group_index[~has_curve].tolist())
    said = [
        sentences.data(
            study.models,
            int(has_curve.sum()),
            study.unit,
            (positives, negatives),
            n_cases=study.n_cases,
            is_alike=all(own == sizes[0] for own in sizes),
            design=rows.design,
            is_reader_study=study.is_reader_study,
            higher_is_positive=rows.higher_is_positive,
            is_weighted=rows.columns.has_weights,
        ),
        sentences.averaging(study.method, is_alone=study.is_alone, are_counts=rows.columns.are_counts),
        *sentences.intervals(
            study.confidence_level,
            rows.design,
            int(has_curve.sum()),
            study.unit,
            method=study.method,
            is_reader_study=study.is_reader_study,
            is_alone=study.is_alone,
            is_weighted=rows.columns.has_weights,
            n_resamples=study.n_resamples,
            seed=study.seed,
        ),
        sentences.thresholds(
            study.place,
            is_declared=study.deployment is not None and study.deployment.place is not None,
            source=None if study.cutoff_from is None else str(study.cutoff_from.source or ""),
        ),
        sentences.comparing(study.comparison_if_any, study.confidence_level),
        _of_smroc(study),
        sentences.excluded(
            {str(cause): int(n) for cause, n in rows.dropped.causes.items()},
            study.left_out,
            tuple(lacking),
            study.min_per_class,
        ),
        (sentences.software(program_version(), study.seed), ()),
    ]
    return sentences.together(said)


def _of_smroc(study: Study) -> sentences.Cited | None:
    """How smROC curves were made, where the page has some."""
    if not study.smroc_was_asked:
        return None
    (first, *_) = (own for name in study.smroc_models if (own := study.smroc_area(name)) is not None)
    is_compared = study.smroc_comparison is not None
    keys = dict.fromkeys(key for own in (first, study.smroc_comparison) if own for key in references_of(own))
    return sentences.smroc(first, is_compared=is_compared), tuple(keys)
