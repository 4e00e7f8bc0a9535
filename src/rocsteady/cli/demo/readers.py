"""The example of ``rocsteady demo readers``: a reader study, with an AI that read the same cases."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from rocsteady.cli import program
from rocsteady.cli.compare.readers.making import StudyFound
from rocsteady.cli.compare.readers.tables import show_study_tables
from rocsteady.cli.console import console, show, show_command, show_warnings, working
from rocsteady.cli.demo.example_files import as_csv, whole_numbers
from rocsteady.cli.outcome import collected_warnings
from rocsteady.cli.writing import write_file
from rocsteady.words import counted, listed

FILE_NAME = "readers.csv"
_COLUMNS: dict[str, Any] = {
    "label": "truth",
    "score": "rating",
    "group": "reader",
    "model": "modality",
    "case": "case",
    "positive": "cancer",
}
_STANDALONE = "AI"
_MARGIN = 0.05


def show_readers(output: Path, *, overwrite: bool) -> None:
    """Write the example, compare its modalities over readers and cases, and say what to type next."""
    from rocsteady.inference.readers.comparing import compare_readers
    from rocsteady.inference.readers.wording import of_answer
    from rocsteady.scores.files import read_scores
    from rocsteady.simulate import reader_study

    path = output / FILE_NAME
    table = reader_study()
    content = as_csv({**table, "rating": whole_numbers(table["rating"])})
    is_new = write_file(path, content, overwrite=overwrite)
    with collected_warnings() as warned, working("comparing"):
        score_set = read_scores(path, **_COLUMNS)
        modalities = [name for name in score_set.models if name != _STANDALONE][::-1]
        found = compare_readers(score_set, modalities=modalities)
    _show_what_it_is(found, modalities)
    show()
    show(of_answer(found))
    show()
    show_study_tables(StudyFound(comparison=found))
    show()
    _show_assumptions(found)
    show()
    show_warnings(warned)
    if warned and console().is_terminal:  # elsewhere the warnings are in another stream
        show()
    _say_what_next(path, modalities, is_new)


def _show_what_it_is(found: Any, modalities: list[str]) -> None:
    classes = found.ratings.classes
    show(
        f"{counted(len(found.readers), found.unit)} rated the same {counted(found.n_cases, 'case')} "
        f"({found.n_positives} {classes.positive}, {found.n_negatives} {classes.negative}) with "
        f"{listed(modalities)}; an AI scored them too, on its own scale (simulated)."
    )


def _show_assumptions(found: Any) -> None:
    """The point of it all: what is random decides how sure the answer is."""
    from rocsteady.cli.compare.readers.making import assumptions_of
    from rocsteady.cli.compare.readers.tables import assumption_words

    show("How sure it is depends on whom and what the result is to be about:")
    for own in assumptions_of(found):
        show(f"- {assumption_words(own, found.unit)}")


def _say_what_next(path: Path, modalities: list[str], is_new: bool) -> None:
    show(f"{path}  {'written' if is_new else 'was there already, the same'}. Next:")
    named = f"{shlex.quote(str(path))} -g reader -m modality --case case -y truth -s rating -p cancer"
    pair = ",".join(modalities)
    for command in (
        f"check {named}",
        f"compare {named} --models {pair}",
        f"compare {named} --models {pair} --margin {_MARGIN:g}",
        f"compare {named} --standalone {_STANDALONE}",
        f"plot {named} --models {pair} --figure readers --output readers.pdf",
        f"plan {named} --models {pair} --difference 0.05",
        "explain RS266",
    ):
        show_command(f"{program.typed()} {command}")
