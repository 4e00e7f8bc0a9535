"""A reader study as JSON, as rows of a table, and as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocsteady.cli.compare.files import FIGURES, SCHEMA_VERSION, compact_json
from rocsteady.cli.curve_files import as_csv, as_parquet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from rocsteady.cli.compare.readers.making import StudyFound
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.report.data import Finding
    from rocsteady.scores import ScoreSet


def study_content(kind: str, found: StudyFound, text: str) -> bytes:
    """What is written to a file of this kind; ``text`` is the JSON."""
    if kind in FIGURES:
        from rocsteady.plots.parts.style import rendered

        return rendered(study_figure(found), kind)
    return table_content(kind, study_table(found), text)


def table_content(kind: str, table: dict[str, list[Any]], text: str) -> bytes:
    """The table, or the JSON, as a file of this kind has it."""
    if kind == "json":
        return text.encode()
    return as_parquet(table) if kind == "parquet" else as_csv(table).encode()


_NAMES = ("quantity", "a", "b", "a_value", "b_value")
_NUMBERS = ("difference", "standard_error", "df", "low", "high", "statistic", "pvalue", "adjusted_pvalue")


def study_table(found: StudyFound) -> dict[str, list[Any]]:
    """One row for each difference: of the means, then of every reader; what there is not stays empty."""
    from rocsteady.results import unit_column

    own = found.main
    word = unit_column(own.unit, (*_NAMES, *_NUMBERS), "reader")
    rows: list[dict[str, Any]] = []
    for difference in own.differences:
        row = {name: getattr(difference, name, None) for name in (*_NAMES, *_NUMBERS)}
        rows.append({word: "mean", **row, "low": difference.interval.low, "high": difference.interval.high})
    for reader in _reader_rows(found):
        rows.append({word: reader.pop("reader"), "quantity": own.measure, **reader})
    return {name: [row.get(name) for row in rows] for name in (word, *_NAMES, *_NUMBERS)}


def _reader_rows(found: StudyFound) -> list[dict[str, Any]]:
    """Every reader's differences under the names of the table."""
    per = found.main.per_reader
    numbers = ("a_value", "b_value", "difference", "standard_error", "low", "high", "statistic", "pvalue")
    columns = {"reader": per.reader, "a": per.a, "b": per.b}
    columns |= {name: getattr(per, name).tolist() for name in numbers}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def study_figure(found: StudyFound) -> Figure:
    """The values of every reader, and beside them the curves where there are such."""
    from rocsteady.plots import reader_curves, reader_values
    from rocsteady.plots.parts.style import COLUMN, new_figure

    if found.comparison is None or found.comparison.measure != "AUC":
        figure: Any = reader_values(found.main).figure
        return figure  # type: ignore[no-any-return]
    figure = new_figure(2 * COLUMN, 1.1 * COLUMN)
    left, right = figure.subplots(1, 2)
    reader_values(found.comparison, ax=left)
    reader_curves(found.comparison, ax=right)
    return figure  # type: ignore[no-any-return]


def study_json(
    score_set: ScoreSet,
    found: StudyFound,
    warned: Sequence[RocsteadyWarning],
    findings: Sequence[Finding],
) -> str:
    """Everything that was found, as JSON; infinite numbers are strings."""
    from rocsteady.results import plain

    own = {
        "comparison": found.comparison and found.comparison.to_dict(),
        "standalone": found.standalone and found.standalone.to_dict(),
        "margins": [own.to_dict() for own in found.margins],
        "assumptions": [plain(own) for own in found.assumptions],
        "reading": found.main.reading,
        "methods": found.main.methods,
    }
    return in_json(score_set, own, warned, findings)


def in_json(
    score_set: ScoreSet,
    found: dict[str, Any],
    warned: Sequence[RocsteadyWarning],
    findings: Sequence[Finding],
) -> str:
    """What was found with what it was found in, and what was warned of."""
    from rocsteady.report.data import Finding

    data: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "kind": "reader study",
        "source": score_set.source,
        "columns_chosen": dict(score_set.columns_chosen),
        "positive": score_set.classes.positive,
        "negative": score_set.classes.negative,
        "unit": score_set.unit,
        "groups": list(score_set.groups),
        "models": list(score_set.models),
        **found,
        "warnings": [*(Finding(warning).to_dict() for warning in warned), *(f.to_dict() for f in findings)],
    }
    return compact_json(data) + "\n"
