"""What ``rocsteady plan FILE`` asks of the library, and what comes back: a plan of groups or of a study."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocsteady.cli.compare.readers.options import refuse_both
from rocsteady.cli.curve_files import as_csv, as_parquet
from rocsteady.cli.model_names import names_of
from rocsteady.cli.plan import readers as studies
from rocsteady.cli.plan.numbers import Numbers
from rocsteady.cli.plan.words import typed_in_shell
from rocsteady.errors import RocsteadyError, fail

if TYPE_CHECKING:
    from rocsteady.errors import RocsteadyWarning
    from rocsteady.planning.groups import Plan
    from rocsteady.scores import ScoreSet

SCHEMA_VERSION = 1
_OF_GROUPS = {"measure": "at", "rate": "rate", "half_width": "half-width", "assurance": "assurance"}


@dataclass(frozen=True)
class Wanted:
    """What was typed.

    Attributes
    ----------
    models : list of str, or None
        Behind ``--models``.
    options : dict
        As the library's ``plan`` takes them.
    designs : pair of lists, or None
        Numbers of groups or readers, and times the present cases, for the table.
    asked : Asked
        What is for reader studies alone.
    numbers : Numbers
        What is for plans without a file; of these the ratio of the classes is for reader studies too.
    """

    models: list[str] | None
    options: dict[str, Any]
    designs: tuple[list[Any] | None, list[Any] | None]
    asked: studies.Asked
    numbers: Numbers

    @property
    def of_groups(self) -> dict[str, Any]:
        """What is no part of a reader study, by the option it was typed with; None where it was not."""
        given = {f"--{typed}": self.options[name] for name, typed in _OF_GROUPS.items()}
        is_default = {"--at": "auc"}
        found = {name: None if value == is_default.get(name) else value for name, value in given.items()}
        within = None if self.options["within"] == "formula" else self.options["within"]
        return found | {"--cases": self.designs[1], "--within": within}

    def require_usable(self, *, has_cases: bool) -> None:
        """Errors about what is wanted, before a large file is read."""
        from rocsteady.planning.groups import measure_of, target_of

        refuse_both(self.asked, self.of_groups, what="groups with cases of their own")
        names = ("half_width", "difference", "power", "confidence_level", "assurance")
        is_of_two = self.models is not None and (len(self.models) > 1 or "," in self.models[0])
        # Whether a difference needs two models to be named, a file of readers decides.
        values = [None if has_cases and name == "difference" else self.options[name] for name in names]
        try:
            measure_of(self.options["measure"], self.options["rate"])
            target_of(self.models if is_of_two else None, *values)
        except RocsteadyError as error:
            raise typed_in_shell(error) from error


@dataclass(frozen=True)
class Made:
    """A plan and its table."""

    plan: Any
    table: Any
    is_study: bool
    has_cases_asked: bool

    @property
    def needed(self) -> str:
        """What ``--quiet`` prints."""
        return studies.needed(self.plan) if self.is_study else _needed(self.plan)

    def show(self) -> None:
        """The page."""
        from rocsteady.cli.plan.page import show_plan
        from rocsteady.cli.plan.reader_page import show_reader_plan

        if self.is_study:
            show_reader_plan(self.plan, asked_cases=self.has_cases_asked)
        else:
            show_plan(self.plan, self.table)

    def as_json(self, score_set: ScoreSet, warned: list[RocsteadyWarning]) -> str:
        """Everything."""
        from rocsteady.report.data import Finding
        from rocsteady.results import plain

        data = {
            "schema_version": SCHEMA_VERSION,
            "source": score_set.source,
            "columns_chosen": dict(score_set.columns_chosen),
            "positive": score_set.classes.positive,
            "negative": score_set.classes.negative,
            "plan": {name: value for name, value in self.plan.to_dict().items() if name != "table"},
            "table": {name: plain(values) for name, values in self.table._columns().items()},
            "groups": list(score_set.groups),
            "warnings": [Finding(warning).to_dict() for warning in warned],
        }
        return json.dumps(data, indent=2, allow_nan=False) + "\n"

    def written(self, kind: str | None) -> bytes:
        """The table as a file."""
        columns_of = {name: values.tolist() for name, values in self.table._columns().items()}
        return as_parquet(columns_of) if kind == "parquet" else as_csv(columns_of).encode()


def make(score_set: ScoreSet, wanted: Wanted, *, has_cases: bool) -> Made:
    """The plan of a reader study where groups share named cases, else of groups."""
    asked, names = wanted.asked, _names(score_set, wanted.models)
    if has_cases and (asked.typed or studies.is_study(score_set, names, wanted.of_groups)):
        options = {
            name: wanted.options[name]
            for name in ("difference", "power", "confidence_level", "n_resamples", "seed")
        }
        options |= {"missing": wanted.options["unmatched"]}
        options |= {"ratio": wanted.numbers.ratio, "n_readers": wanted.designs[0]}
        study = studies.plan_study(score_set, names, asked, options)
        return Made(study, study.table, True, asked.n_cases is not None)
    if has_cases:
        studies.refuse_numbers_of_cases(score_set, wanted.designs[1])
    studies.refuse_without_study(asked, "no column of cases")
    wanted.numbers.refuse()
    found, table = _of_groups(score_set, names, wanted)
    return Made(found, table, False, False)


def _names(score_set: ScoreSet, models: list[str] | None) -> list[str] | None:
    """The models that were typed; a comma may be part of a name."""
    return None if models is None else names_of(models, score_set.models)


def _of_groups(score_set: ScoreSet, names: list[str] | None, wanted: Wanted) -> tuple[Plan, Any]:
    """The plan and its table; what to type is typed in a shell."""
    from rocsteady.planning.plan import plan as make_plan

    try:
        if names is not None and len(names) == 1:
            score_set, names = score_set.model(names[0]), None
        found = make_plan(score_set, models=names, undefined="drop", **wanted.options)
        return found, found.table(*wanted.designs)
    except RocsteadyError as error:
        raise typed_in_shell(error) from error


def _needed(found: Plan) -> str:
    """Groups, of one dataset positives and negatives; without a target the half-width there is."""
    if found.groups_needed is not None:
        return f"{found.groups_needed:g}"
    cases = found.cases_needed
    return f"{found.half_width:g}" if cases is None else f"{cases.positives:g} {cases.negatives:g}"


def numbers_of(name: str, text: str | None, kind: type) -> list[Any] | None:
    """``10,20,50`` as a list; RS042 for what is no number."""
    if text is None:
        return None
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        where, example = "numbers with commas between them", "10,20,50" if kind is int else "1,2,5,inf"
        ways = [f"--{name} {example}"]
        raise fail("RS042", name=f"--{name}", where=where, found=text, ways=ways) from None
