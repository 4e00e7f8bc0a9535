"""The options that say which column is what: the same for every command that reads a file."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from rocsteady.cli.completion import complete_columns
from rocsteady.errors import fail

_PANEL = "Columns"


def _column(*names: str, help: str) -> Any:
    return typer.Option(
        *names,
        metavar="COLUMN",
        help=help,
        rich_help_panel=_PANEL,
        show_default=False,
        autocompletion=complete_columns,
    )


def panel_option(*names: str, panel: str, help: str, metavar: str | None = None, **more: Any) -> Any:
    """An option of one command, under a heading of its help; its default is not shown unless said."""
    return typer.Option(
        *names, metavar=metavar, help=help, rich_help_panel=panel, **{"show_default": False, **more}
    )


class OnMissing(StrEnum):
    """What to do with rows that lack a score or a label."""

    RAISE = "raise"
    DROP = "drop"


class Unmatched(StrEnum):
    """What to do about groups and cases that some model did not score."""

    RAISE = "raise"
    DROP = "drop"


File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV, TSV, Parquet or JSON lines; one row per scored case. Or .imrmc, a reader study of iMRMC. "
        '"-" reads CSV from standard input.',
        show_default=False,
    ),
]
Group = Annotated[
    str | None,
    _column("--group", "-g", help="Column naming the dataset, fold, reader, device or customer."),
]
Label = Annotated[str | None, _column("--label", "-y", help="Column with the true class.")]
Score = Annotated[
    list[str] | None,
    _column("--score", "-s", help="Column with the score; several, each with its -s, are several models."),
]
Model = Annotated[
    str | None, _column("--model", "-m", help="Column naming the model or modality, to compare them.")
]
Case = Annotated[
    str | None,
    _column("--case", help="Column naming the case, when the same cases occur in several groups (readers)."),
]
Patient = Annotated[
    str | None,
    _column(
        "--patient",
        "--cluster",  # what it is called in Python, and so in messages
        help="Column naming the patient, when patients have several cases (lesions) each.",
    ),
]
Repeat = Annotated[
    str | None,
    _column("--repeat", help="Column naming the repeat of a cross-validation; --group names its folds."),
]


class DesignName(StrEnum):
    """How the groups came about."""

    INDEPENDENT = "independent"
    CROSS_VALIDATION = "cross-validation"
    READERS = "readers"


Design = Annotated[
    DesignName | None,
    typer.Option(
        "--design",
        help="What the groups are: a random sample (independent), folds of one cross-validation, which share "
        "training cases, or readers of the same cases.",
        rich_help_panel="Data handling",
        show_default=False,
    ),
]
Weight = Annotated[str | None, _column("--weight", "-w", help="Column with row weights.")]
Positive = Annotated[
    list[str] | None,
    typer.Option(
        "--positive",
        "-p",
        metavar="LABEL[,LABEL]",
        help="Label of the positive class, for example 1, attack, disease; several are merged. One of more "
        "than two, against all others: with a comma behind it. Labels with commas: each with its own -p.",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
LowIsPositive = Annotated[
    bool,
    typer.Option(
        "--low-is-positive",
        metavar="",  # else a flag is shown with <bool>
        help="Lower scores mean positive (distances, p-values).",
        rich_help_panel=_PANEL,
        show_default=False,
    ),
]
Missing = Annotated[
    OnMissing,
    typer.Option(
        "--on-missing",
        help="What to do with rows that lack a score or a label.",
        rich_help_panel="Data handling",
    ),
]


AllowReversed = Annotated[
    bool,
    typer.Option(
        "--allow-reversed",
        metavar="",
        help="Accept AUCs clearly below 0.5 instead of stopping.",
        rich_help_panel="Data handling",
        show_default=False,
    ),
]


def design_of(design: DesignName | None, repeat: str | None, *, is_of_folds: bool) -> str | None:
    """``--nadeau-bengio`` says that groups are folds, unless more is known of them."""
    if design is None and repeat is None and is_of_folds:
        return DesignName.CROSS_VALIDATION.value
    return None if design is None else design.value


def score_columns(given: list[str] | None) -> str | list[str] | None:
    """``-s a -s b`` names two columns, ``-s a`` one, nothing none; a comma may be part of a name."""
    return given if given and len(given) > 1 else given[0] if given else None


def names_cases(file: str, case: str | None) -> bool:
    """Whether rows will have named cases: by ``--case``, or in a file of iMRMC, which always has them."""
    return case is not None or file.casefold().endswith((".imrmc", ".imrmc.gz"))


def require_different(**columns: str | list[str] | None) -> None:
    """RS002 if one column is named for two things."""
    role_of: dict[str, str] = {}
    for role, names in columns.items():
        for name in [names] if isinstance(names, str) else names or []:
            if name in role_of:
                ways = [f"or leave out  --{role}"] if role in ("group", "model") else []
                other = role_of[name] if role_of[name] != role else None
                raise fail("RS002.same-column", option=role, other=other, column=name, ways=ways)
            role_of[name] = role


def positive_readings(given: list[str] | None) -> list[str | list[str] | None]:
    """What ``--positive`` may mean, likeliest first.

    ``-p attack`` is one label. ``-p II -p III`` is two, each taken as it stands: a comma may be part of it.
    ``-p II,III`` is two labels or, where the file has no such labels, the one label ``II,III``. ``-p II,`` is
    a list of one: that label against all others.
    """
    if not given:
        return [None]
    if len(given) > 1:
        return [list(dict.fromkeys(given))]
    (text,) = given
    if "," not in text:
        return [text]
    return [(text[:-1] if text.endswith(",") else text).split(","), text]
