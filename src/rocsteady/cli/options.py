"""Every option, once: what it is called, what it says, and under which heading of the help it stands.

Options that belong together are a dataclass; a command takes it as one parameter, and :func:`command` shows
typer the options in it. Values that take more than a word (costs, shares, places) are read here too. Nothing
here needs NumPy: ``--help`` is fast.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from enum import Enum, StrEnum
from functools import cache, wraps
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, get_args, get_origin, get_type_hints

import typer

from rocsteady.cli.completion import complete_columns, complete_methods
from rocsteady.errors import Option, Remedy, UsageError, fail, near_match
from rocsteady.errors import typed as as_typed
from rocsteady.words import number_of

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment, Pair
    from rocsteady.averaging.methods import Method
    from rocsteady.counting.cells import Tolerance
    from rocsteady.places import Kind, Place
    from rocsteady.scores import ScoreSet

_COLUMNS = "Columns"
_USE = "Deployment (decides which average is used)"
_AVERAGE = "Average"
_MODELS = "Models"
_WHERE = "Where (each range has a map of who wins)"
STUDY = "Reader studies (--case: the same cases in several groups)"
_UNCERTAINTY = "Uncertainty"
_DATA = "Data handling"
_LARGE = "Large tables"
_CLASSES = "Several classes"
_OUTPUT = "Output"


def option(panel: str, *names: str, help: str, **more: Any) -> Any:
    """An option under a heading of the help; its default is not shown unless that is said."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **{"show_default": False, **more})


def flag(panel: str, *names: str, help: str) -> Any:
    """An option without a value, which typer would show with ``<bool>``."""
    return option(panel, *names, help=help, metavar="")


def column(*names: str, help: str) -> Any:
    """An option that names a column, which a shell can complete."""
    return option(_COLUMNS, *names, help=help, metavar="COLUMN", autocompletion=complete_columns)


# One parameter for many options -------------------------------------------------------------------------


def command(function: Callable[..., None]) -> Callable[..., None]:
    """A command for typer, whose parameters that are dataclasses become the options in them."""
    signature = inspect.signature(function)
    kinds = get_type_hints(function, include_extras=True)
    shown: dict[str, inspect.Parameter] = {}
    for name, own in signature.parameters.items():
        if is_dataclass(kinds[name]):
            shown |= _options_in(kinds[name])
        else:
            shown[name] = own.replace(annotation=_for_typer(name, kinds[name]), kind=own.KEYWORD_ONLY)

    @wraps(function)
    def call(**typed: Any) -> None:
        plain = {name: own.value if isinstance(own, Enum) else own for name, own in typed.items()}
        given: dict[str, Any] = {}
        for name in signature.parameters:
            kind = kinds[name]
            if is_dataclass(kind):
                given[name] = kind(**{own.name: plain[own.name] for own in fields(kind)})  # type: ignore[operator]
            else:
                given[name] = plain[name]
        function(**given)

    call.__signature__ = inspect.Signature(list(shown.values()))  # type: ignore[attr-defined]
    call.__annotations__ = {name: own.annotation for name, own in shown.items()}
    del call.__wrapped__
    return call


def _options_in(kind: type) -> dict[str, inspect.Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    return {
        own.name: inspect.Parameter(
            own.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if own.default is MISSING else own.default,
            annotation=_for_typer(own.name, hints[own.name]),
        )
        for own in fields(kind)
    }


def _for_typer(name: str, kind: Any) -> Any:
    """The same annotation with an enumeration in place of a Literal, which older typers do not know."""
    if get_origin(kind) is Annotated:
        return Annotated[(_for_typer(name, get_args(kind)[0]), *kind.__metadata__)]
    if get_origin(kind) is Literal:
        return _enumeration(name, get_args(kind))
    literals = [own for own in get_args(kind) if get_origin(own) is Literal]
    return _enumeration(name, get_args(literals[0])) | None if literals else kind


@cache
def _enumeration(name: str, choices: tuple[str, ...]) -> Any:
    return StrEnum(name, {own: own for own in choices})


# What is read -------------------------------------------------------------------------------------------

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV, TSV, Parquet or JSON lines, one row per scored case; .imrmc, a reader study of iMRMC. "
        'What "rocsteady count" wrote, a folder or a quoted pattern of Parquet files (report, average, '
        'count). "-" reads CSV from standard input.',
        show_default=False,
    ),
]


GroupColumn = Annotated[
    str | None,
    column("--group", "-g", help="Column naming the dataset, fold, reader, device or customer."),
]
LabelColumn = Annotated[str | None, column("--label", "-y", help="Column with the true class.")]
RepeatColumn = Annotated[
    str | None,
    column("--repeat", help="Column naming the repeat of a cross-validation; --group names its folds."),
]
OnMissing = Annotated[
    Literal["raise", "drop"],
    option(
        _DATA, "--on-missing", help="What to do with rows that lack a score or a label.",
        show_default=True,
    ),
]  # fmt: skip


@dataclass(frozen=True)
class Columns:
    """Which column is what."""

    group: GroupColumn = None
    label: LabelColumn = None
    score: Annotated[
        list[str] | None,
        column(
            "--score",
            "-s",
            help="Column with the score; several, each with its -s, are several models.",
        ),
    ] = None
    model: Annotated[
        str | None, column("--model", "-m", help="Column naming the model or modality, to compare them.")
    ] = None
    case: Annotated[
        str | None,
        column(
            "--case",
            help="Column naming the case, when the same cases occur in several groups (readers).",
        ),
    ] = None
    patient: Annotated[
        str | None,
        column(
            "--patient",
            "--cluster",  # what it is called in Python
            help="Column naming the patient, when patients have several cases (lesions, visits) each.",
        ),
    ] = None
    repeat: RepeatColumn = None
    design: Annotated[
        Literal["independent", "cross-validation", "readers"] | None,
        option(
            _COLUMNS,
            "--design",
            help="What the groups are: a random sample (independent), folds of one cross-validation, which "
            "share training cases, or readers of the same cases.",
        ),
    ] = None
    weight: Annotated[str | None, column("--weight", "-w", help="Column with row weights.")] = None
    positive: Annotated[
        list[str] | None,
        option(
            _COLUMNS,
            "--positive",
            "-p",
            metavar="LABEL[,LABEL]",
            help="Label of the positive class, for example 1, attack, disease; several are merged. One of "
            "more than two, against all others: with a comma behind it. Labels with commas: each with its "
            "own -p.",
        ),
    ] = None
    positive_name: Annotated[
        str,
        option(
            _COLUMNS,
            "--positive-name",
            metavar="NAME",
            help="What cases of the positive class are called, for example malignant; else as their label.",
        ),
    ] = ""
    low_is_positive: Annotated[
        bool,
        flag(_COLUMNS, "--low-is-positive", help="Lower scores mean positive (distances, p-values)."),
    ] = False

    def require_different(self) -> None:
        """RS002 if one column is named for two things."""
        role_of: dict[str, str] = {}
        for role in ("label", "score", "group", "model", "patient"):
            names = getattr(self, role)
            for name in [names] if isinstance(names, str) else names or []:
                if name in role_of:
                    ways = [f"or leave out  --{role}"] if role in ("group", "model") else []
                    other = role_of[name] if role_of[name] != role else None
                    raise fail("RS002.same-column", option=role, other=other, column=name, ways=ways)
                role_of[name] = role

    def named(self) -> dict[str, Any]:
        """As :func:`rocsteady.read_scores` takes them, without the positive class."""
        score = self.score
        return {
            "label": self.label,
            "score": score if score and len(score) > 1 else score[0] if score else None,
            "group": self.group,
            "model": self.model,
            "case": self.case,
            "cluster": self.patient,
            "repeat": self.repeat,
            "weight": self.weight,
            "design": self.design,
            "higher_is_positive": not self.low_is_positive,
        }

    def positive_readings(self) -> list[str | list[str] | None]:
        """What ``--positive`` may mean, likeliest first.

        ``-p attack`` is one label. ``-p II -p III`` is two, each taken as it stands: a comma may be part of
        it. ``-p II,III`` is two labels or, where the file has no such labels, the one label ``II,III``.
        ``-p II,`` is a list of one: that label against all others.
        """
        if not self.positive:
            return [None]
        if len(self.positive) > 1:
            return [list(dict.fromkeys(self.positive))]
        (text,) = self.positive
        if "," not in text:
            return [text]
        return [(text[:-1] if text.endswith(",") else text).split(","), text]


@dataclass(frozen=True)
class Rows:
    """Rows that are missing something, and scores that run the other way."""

    on_missing: OnMissing = "raise"
    allow_reversed: Annotated[
        bool,
        flag(_DATA, "--allow-reversed", help="Accept AUCs clearly below 0.5 instead of stopping."),
    ] = False


@dataclass(frozen=True)
class ClassColumns:
    """Which column is what where there are several classes."""

    group: GroupColumn = None
    label: LabelColumn = None
    repeat: RepeatColumn = None
    design: Annotated[
        Literal["independent", "cross-validation"] | None,
        option(
            _COLUMNS,
            "--design",
            help="What the groups are: folds of one cross-validation, which share training cases (the "
            "default for several), or a random sample (independent), such as hospitals.",
        ),
    ] = None
    on_missing: OnMissing = "raise"

    def named(self) -> dict[str, Any]:
        """As :func:`rocsteady.read_scores` takes them."""
        return dict(vars(self))


@dataclass(frozen=True)
class Classes:
    """The outputs of several classes, and how decisions are made of them."""

    outputs: Annotated[
        list[str] | None,
        option(
            _CLASSES,
            "--outputs",
            metavar="PATTERN",
            autocompletion=complete_columns,
            help='Columns with the output (posterior, votes) for each class: a pattern, "p_*", where * '
            "stands for the class; names of columns, cat,dog,eel, which are those of the classes; or "
            "cat=p1,dog=p2. Names with commas: each with its own --outputs.",
        ),
    ] = None
    class_weights: Annotated[
        list[str] | None,
        option(
            _CLASSES,
            "--class-weights",
            metavar="CLASS=WEIGHT",
            help="Decide by these weights, cat=1,dog=2.5, instead of searching for them: for the class with "
            "the largest product of output and weight. Only their ratios matter. Names with commas: each "
            "with its own --class-weights.",
        ),
    ] = None
    at_most: Annotated[
        list[str] | None,
        option(
            _CLASSES,
            "--at-most",
            metavar="CLASS=SHARE",
            help="Largest error that a class may have, dog=5%; of all weights that keep to it those are "
            "chosen whose largest error of the other classes is smallest. Repeatable.",
        ),
    ] = None
    exact: Annotated[
        bool,
        flag(
            _CLASSES,
            "--exact",
            help="Use the very best weights: two classes and up to 20,000 rows, three and up to 1,000.",
        ),
    ] = False
    no_nested: Annotated[
        bool,
        flag(
            _CLASSES,
            "--no-nested",
            help="Do not search again without each fold, which tells what to expect of searched weights on "
            "new cases.",
        ),
    ] = False

    @property
    def typed(self) -> list[str]:
        """Options that need outputs and were given."""
        given = {name: own for name, own in vars(self).items() if own and name != "outputs"}
        return [f"--{name.replace('_', '-')}" for name in given]

    def columns(self) -> str | list[str] | dict[str, str]:
        """A pattern, names of columns, or a column for each class.

        >>> [Classes([own]).columns() for own in ("p_*", "cat,dog", "cat=p1,dog=p2")]
        ['p_*', ['cat', 'dog'], {'cat': 'p1', 'dog': 'p2'}]
        """
        given = self.outputs or []
        names = [own.strip() for own in given[0].split(",")] if len(given) == 1 else list(given)
        pairs = [own.partition("=") for own in names]
        if len(names) > 1 and all(own[1] for own in pairs):
            found = {name.strip(): value.strip() for name, _, value in pairs}
            if len(found) < len(pairs):
                raise fail("RS002.outputs", found=",".join(given))
            return found
        return names[0] if len(names) == 1 else names

    def settings(self) -> dict[str, Any]:
        """As a study takes them; RS042 for what is none."""
        return {
            "class_weights": _by_class("class-weights", self.class_weights, "cat=1,dog=2.5"),
            "at_most": _by_class("at-most", self.at_most, "dog=5%", may_be_percent=True),
            "exact": self.exact,
            "nested": not self.no_nested,
        }


def _by_class(
    name: str, given: list[str] | None, example: str, *, may_be_percent: bool = False
) -> dict[str, float] | None:
    """``a=1,b=2`` as numbers by class, whose names may hold ``=``; RS042 for what is none."""
    if not given:
        return None
    found: dict[str, float] = {}
    for part in [part for text in given for part in pairs_of(text)]:
        own, _, value = part.rpartition("=")
        number = number_of(value, may_be_percent=may_be_percent)
        is_off = may_be_percent and not 0 <= number <= 1
        if not own.strip() or math.isnan(number) or own.strip() in found or is_off:
            what = "a share between 0 and 1" if may_be_percent else "a number"
            where, ways = f"{what} for each class, each class once", [f"--{name} {example}"]
            raise fail("RS042", name=f"--{name}", where=where, found=",".join(given), ways=ways)
        found[own.strip()] = number
    return found


def pairs_of(text: str) -> list[str]:
    """``a=1,b=2`` parted at its commas; one of a class whose name has a comma stays whole.

    >>> pairs_of("a=1,b=2"), pairs_of("a, or b=1")
    (['a=1', 'b=2'], ['a, or b=1'])
    """
    parts = text.split(",")
    return parts if all("=" in part for part in parts) else [text]


@dataclass(frozen=True)
class Minimum:
    """Groups that are too small."""

    min_per_class: Annotated[
        int,
        option(
            _DATA, "--min-per-class", metavar="N", show_default=True,
            help="Leave out groups with fewer positives or negatives than this.",
        ),
    ] = 1  # fmt: skip


@dataclass(frozen=True)
class OtherRows:
    """Rows on which thresholds are chosen."""

    cutoff_from: Annotated[
        str | None,
        option(
            _DATA,
            "--cutoff-from",
            metavar="FILE",
            help="Take thresholds from this file, with the same columns, so that they are not judged on the "
            "rows they were chosen on.",
        ),
    ] = None


MEMORY = "2GB"


@dataclass(frozen=True)
class Large:
    """How a table that does not fit into memory is dealt with."""

    engine: Annotated[
        Literal["memory", "duckdb", "polars", "dask", "spark"] | None,
        option(
            _LARGE,
            "--engine",
            metavar="ENGINE",
            help="What reads the rows: memory, duckdb, polars, dask or spark. Without it: memory if they "
            "fit, else duckdb.",
        ),
    ] = None
    tolerance: Annotated[
        list[str] | None,
        option(
            _LARGE,
            "--tolerance",
            metavar="X",
            help="How far areas and rates of any group may be from the truth where rows are counted: 0.001, "
            "or auc=1e-6, rate=1e-3; 0 asks for exact curves. Without it cells are counted once, and their "
            "bounds are reported.",
        ),
    ] = None
    memory: Annotated[
        str,
        option(
            _LARGE, "--memory", metavar="SIZE", show_default=True,
            help="Memory that may be used; what needs more is counted in place.",
        ),
    ] = MEMORY  # fmt: skip

    @property
    def is_asked(self) -> bool:
        """Whether rows are to be counted in any case."""
        return self.engine not in (None, "memory") or bool(self.tolerance)

    def most_uncertain(self) -> Tolerance | None:
        """``--tolerance``; RS042 for what is none, and for a memory that is no size."""
        from rocsteady.counting.cells import memory_of, tolerance_of

        memory_of(self.memory)
        asked: dict[str, float] = {}
        for part in [part for text in self.tolerance or [] for part in text.split(",")]:
            name, _, value = part.rpartition("=")
            for own in ("auc", "rate") if not name else (name.strip().casefold(),):
                asked[own] = number_of(value, may_be_percent=False)
        if not set(asked) <= {"auc", "rate"} or any(map(math.isnan, asked.values())):
            where = "a number from 0 to below 0.5, for areas (auc=) and rates (rate=) or for both"
            ways = ["--tolerance 0.001", "--tolerance auc=1e-6"]
            raise fail(
                "RS042", name="--tolerance", where=where, found=", ".join(self.tolerance or []), ways=ways
            )
        return tolerance_of(asked) if asked else None


# How the scores will be used ----------------------------------------------------------------------------

_POINTS = {None: "t=0.5", "fpr": "fpr=0.05", "tpr": "tpr=0.9", "balance": "eer", "ratio": "ratio=1:2"}
_POINTS |= {"alerts": "alerts=0.02", "cost": "cost=1:20"}
"""An operating point for everything that may be held, and for one threshold."""


@dataclass(frozen=True)
class Use:
    """The answers to the two questions, and where curves are read."""

    deploy: Annotated[
        Literal["shared", "own"] | None,
        option(_USE, "--deploy", help="Is one threshold shared by all groups, or does each get its own?"),
    ] = None
    hold: Annotated[
        Literal["fpr", "tpr", "balance", "ratio", "cost", "alerts"] | None,
        option(
            _USE,
            "--hold",
            help="With --deploy own: what is held fixed when the curve is read; follows from --at. With "
            "--deploy shared: the mean rate, fpr or tpr, that the threshold is set to.",
        ),
    ] = None
    weigh: Annotated[
        Literal["groups", "rows"] | None,
        option(
            _USE,
            "--weigh",
            help="With --deploy shared: count every group once (the default), or every row once (pooling).",
        ),
    ] = None
    costs: Annotated[
        str | None,
        option(
            _USE,
            "--costs",
            metavar="FP:FN",
            help="What a false positive and a false negative cost, or a range of that: 1:2..1:20.",
        ),
    ] = None
    prevalence: Annotated[
        str | None,
        option(
            _USE,
            "--prevalence",
            metavar="SHARE",
            help="Share of positives where the scores will be used: 0.03, or 3%.",
        ),
    ] = None
    at: Annotated[
        list[str] | None,
        option(
            _USE,
            "--at",
            metavar="POINT",
            help="Operating point: fpr=0.05, specificity=95%, tpr=0.9, t=0.5, alerts=1%, alerts=20000, eer, "
            "youden, ppv=90%, npv=99%, f1, accuracy, mcc, kappa, ratio=1:2, cost=1:20. The first that fits "
            "the deployment is the declared one. Repeatable.",
        ),
    ] = None

    @property
    def is_missing(self) -> bool:
        """Whether nobody said whose threshold it is."""
        return self.deploy is None

    @property
    def is_half(self) -> bool:
        """Whether the second question has no answer: own thresholds, and nothing that is held."""
        return self.deploy == "own" and self.hold is None and not self.at

    @property
    def share(self) -> float | None:
        """The prevalence; RS042 if it is none."""
        return share_of("prevalence", self.prevalence)

    def deployment(self) -> Deployment | None:
        """What was declared, at the first point that is one of it; the others are only read.

        RS002 for an answer to the second question alone; RS092 if groups have thresholds of their own and no
        point is one of what they hold: it would not be clear what the answer is about.
        """
        for name in ("hold", "weigh"):
            if self.is_missing and getattr(self, name) is not None:
                deploy = "own" if name == "hold" else "shared"
                raise fail("RS002.second-question", option=name, deploy=deploy, value=getattr(self, name))
        if self.is_missing:
            _ = costs_of(self.costs), self.share  # what is none is refused
            return None
        refused: UsageError | None = None
        is_cost = self.hold == "cost"
        for text in self.at or []:
            name, _, value = text.strip().partition("=")
            if is_cost and self.costs is None and name.strip().casefold() in ("cost", "costs"):
                return replace(self, costs=value)._made(None)
            try:
                return self._made(text.strip())
            except UsageError as error:
                if error.code != "RS092":
                    raise
                if error.entry != "RS092.count" or self.hold is None:  # a number is read on these cases
                    refused = refused or error
        is_held = self.hold is not None or self.deploy == "own"
        if refused is not None and is_held and not (is_cost and self.costs is not None):
            raise refused
        return self._made(None)

    def refuse_unreadable(self) -> None:
        """What does not fit together, and what is no share, no costs or no place: before a file is read."""
        if not self.is_half:
            self.deployment()
        self.places()
        share_of("prevalence", self.prevalence)

    def _made(self, at: str | None) -> Deployment:
        from rocsteady.advice.deployment import Deployment

        return Deployment(
            self.deploy or "",
            weigh=self.weigh or "groups",
            hold=self.hold,
            at=self._operating_point(at),
            costs=costs_of(self.costs),
            prevalence=self.share,
        )

    def _operating_point(self, text: str | None) -> Place | None:
        """A place of the deployment, or a bare number of what is held; RS092."""
        if text is None:
            return None
        from rocsteady.advice.deployment import ON_OWN, ON_SHARED
        from rocsteady.places import place_of

        typed = self._named(text)
        try:
            place = place_of(typed, among=ON_OWN if self.deploy == "own" else ON_SHARED, task="deploy at")
        except UsageError as error:
            if error.code != "RS092" or (self.hold is None and typed == text):  # it says what is known
                raise
            self._no_place(text)
        if self.hold not in (None, "balance" if place.kind == "eer" else place.kind):
            self._no_place(text)
        return place

    def _named(self, text: str) -> str:
        """A bare number with the name of what is held, as it is typed; all else as it is."""
        bare = self.hold or ("t" if self.deploy == "shared" else "")
        is_bare = "=" not in text and text.strip()[:1] in tuple("0123456789.+-")
        return f"{bare}={text.strip()}" if bare and is_bare else text

    def _no_place(self, text: str) -> NoReturn:
        held = "--deploy shared" if self.hold is None else f"--hold {self.hold}"
        remedies: list[Remedy] = [Option("at", _POINTS[self.hold])]
        if self.hold is not None:
            other = own_answer(text)
            remedies += [f"or say what is held at {text}:  {' '.join(other)}"] if other else []
            remedies += [f"or let all share one threshold, which may be set at {text}:  --deploy shared"]
        raise fail("RS092.held", text=text, held=held, ways=remedies)

    def places(
        self, among: Sequence[Kind] = (), task: str = "read a curve at", *, by_model: bool = False
    ) -> list[Place]:
        """The places that were typed; RS092 for what is none. A bare number is one of what is held."""
        from rocsteady.places import EVERYWHERE, places_of

        found: list[Place] = []
        for text in self.at or []:
            try:
                found += places_of(self._named(text), among=among or EVERYWHERE, task=task, by_model=by_model)
            except UsageError as error:
                if error.code != "RS092":
                    raise
                raise fail(error.entry, **{**error.facts, "given": f'"{text}"'}) from None
        return found

    def answers(self) -> list[list[str]]:
        """Answers to the two questions that somebody may mean who reads curves at these points."""
        own = own_answer(self.at[0]) if self.at else ["--deploy", "own", "--hold", "fpr"]
        return [["--deploy", "shared", "--weigh", "groups"], *([own] if own else [])]

    def added(self, before: Use) -> list[str]:
        """What has to be typed beside what was, to have these answers."""
        said: list[str] = []
        for name in ("deploy", "weigh", "hold", "costs", "prevalence"):
            value = getattr(self, name)
            said += [f"--{name}", value] if value is not None and value != getattr(before, name) else []
        return said


def own_answer(text: str) -> list[str]:
    """With thresholds of their own, what groups hold at this point; nothing where that takes a shared one."""
    from rocsteady.places import EVERYWHERE, place_of

    try:
        kind = place_of(text.strip(), among=EVERYWHERE).kind
    except UsageError:
        return []
    hold = {"eer": "balance", "costs": "cost"}.get(kind, kind)
    if hold not in _POINTS:
        return []
    return ["--deploy", "own", "--hold", hold, *(["--prevalence", "0.02"] if hold == "alerts" else [])]


def share_of(name: str, text: str | None) -> float | None:
    """``0.03`` or ``3%`` as a share strictly between 0 and 1; RS042 if it is none."""
    from rocsteady.options import open_share

    if text is None:
        return None
    share = number_of(text, may_be_percent=True)
    if math.isnan(share):
        where, ways = "a share, or a percentage", [Option(name, 0.03)]
        raise fail("RS042", name=f"--{name}", where=where, found=text, ways=ways)
    return open_share(name, share)


def costs_of(text: str | None) -> Pair | tuple[Pair, Pair] | None:
    """``1:20`` is a pair of costs, ``1:2..1:20`` a range of them; RS094 if it is neither."""
    if text is None:
        return None
    pairs = [tuple(number_of(x, may_be_percent=False) for x in own.replace(",", ":").split(":"))
             for own in text.split("..")]  # fmt: skip
    if len(pairs) not in (1, 2) or any(len(own) != 2 or any(map(math.isnan, own)) for own in pairs):
        raise fail("RS094.written", text=text)
    return pairs[0] if len(pairs) == 1 else (pairs[0], pairs[1])  # type: ignore[return-value]


def range_of(name: str, text: str | None) -> tuple[float, float] | None:
    """``0.02..0.5`` or ``1%..20%`` as two rates; RS042 if they are none."""
    from rocsteady.options import rate_range

    if text is None:
        return None
    example = {"fpr": "0.02..0.5", "tpr": "0.8..0.99", "alerts": "0.01..0.2"}[name]
    where = "two rates, LOW..HIGH, the lower one first"
    numbers = [number_of(part, may_be_percent=True) for part in text.split("..")]
    ways = [f"--{name} {example}"]
    if len(numbers) != 2 or any(map(math.isnan, numbers)):
        if len(numbers) == 1 and 0 <= numbers[0] <= 1:
            along = " --method alarm-rate --prevalence 0.03" if name == "alerts" else ""
            ways.append(f"a single one:  --at {name}={numbers[0]:g}{along}")
        raise fail("RS042", name=f"--{name}", where=where, found=text, ways=ways)
    try:
        return rate_range(name, numbers)
    except UsageError:
        raise fail("RS042", name=f"--{name}", where=where, found=text, ways=ways) from None


# An average by its name ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Named:
    """An average by its name, instead of a deployment."""

    method: Annotated[
        str | None,
        option(
            _AVERAGE,
            "--method",
            metavar="NAME",
            autocompletion=complete_methods,
            help="An average by its name, instead of --deploy: pooled, threshold, vertical, horizontal, "
            "diagonal, radial, tangent, binormal; alarm-rate (with --prevalence), costs (with --costs and "
            "--prevalence).",
        ),
    ] = None
    at_jumps: Annotated[
        Literal["upper", "mid"] | None,
        option(
            _AVERAGE,
            "--at-jumps",
            help="What vertical and horizontal averages read on a step: its better end (upper, the default) "
            "or its middle, which is less biased in small groups.",
        ),
    ] = None

    def average(self, use: Use, angle: str | None = None) -> Method | None:
        """The method that was named, with the values it needs; None if none was."""
        return self.with_jumps(self._average(use, angle))

    def with_jumps(self, method: Method | None) -> Method | None:
        """A method with what it reads on a step, where it has steps."""
        from rocsteady.averaging.methods import Horizontal, Vertical

        if self.at_jumps is None or method is None:
            return method
        if not isinstance(method, Vertical | Horizontal):
            raise fail("RS002.at-jumps", label=method.label)
        return type(method)(at_jumps=self.at_jumps)

    def _average(self, use: Use, angle: str | None) -> Method | None:
        from rocsteady.averaging.methods import PLAIN, AtAlarmRate, AtAngle, AtCosts

        name = self.method
        if angle is not None:
            if name not in (None, "angle"):
                raise fail("RS002.angle-and-method", method=name)
            return AtAngle(_radians(angle))
        if name == "angle":
            raise fail("RS002.no-angle")
        if name == "alarm-rate":
            return AtAlarmRate(prevalence=_needed("prevalence", use.share, "0.03"))
        if name == "costs":
            pair = costs_of(_needed("costs", use.costs, "1:20"))
            prevalence = _needed("prevalence", use.share, "0.03")
            if pair is None or isinstance(pair[0], tuple) or isinstance(pair[1], tuple):
                raise fail("RS094.one-pair", text=use.costs, example="--costs 1:20")
            return AtCosts(pair[0], pair[1], prevalence)
        if name is None or name in PLAIN:
            return None if name is None else PLAIN[name]
        known = [*PLAIN, "alarm-rate", "costs"]
        meant = near_match(name, known)
        ways: list[Remedy] = [Option("method", meant or "vertical")]
        ways += [] if meant else ["what fits:  rocsteady advise"]
        raise fail("RS001.none", what="average", name=name, known=known, ways=ways)


Angle = Annotated[
    str | None,
    option(
        _AVERAGE,
        "--angle",
        metavar="ANGLE",
        help="Average along any direction: 30deg, or radians; 0 is vertical, 90deg horizontal.",
    ),
]
GroupWeights = Annotated[
    Literal["positives", "negatives", "rows"] | None,
    option(
        _AVERAGE,
        "--group-weights",
        help="Let groups count by their positives, negatives or rows; all the same unless said.",
    ),
]
Band = Annotated[
    Literal["none", "pointwise", "simultaneous", "prediction"],
    option(_UNCERTAINTY, "--band", help="Band written as the lines lower and upper.", show_default=True),
]
Grid = Annotated[
    int | None,
    option(_OUTPUT, "--grid", metavar="N", help="Write N evenly chosen points of the curve instead of all."),
]


def _needed(name: str, value: Any, example: str) -> Any:
    if value is None:
        raise fail("RS091.needed", what="this method", option=name, example=example)
    return value


def _radians(text: str) -> float:
    """``30deg`` or ``0.5236``; RS080 for what is neither, or not between vertical and horizontal."""
    number = text.removesuffix("deg")
    value = number_of(number, may_be_percent=False)
    if math.isnan(value):
        raise fail("RS080.no-angle", text=text)
    angle = math.radians(value) if number != text else value
    if not -1e-12 < angle < math.pi / 2 + 1e-12:
        means_degrees = number == text and 0 < value <= 90
        degrees = value if means_degrees else 45
        raise fail("RS080.radians", text=text, is_radians=number == text, degrees=degrees)
    return angle


# Comparisons --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Models:
    """Which models are compared, and how they go together."""

    models: Annotated[
        list[str] | None,
        option(
            _MODELS,
            "--models",
            metavar="A,B",
            help="Two of the models; differences are A − B. One name: it against all others. Without it: "
            "all pairs. Names with commas: each with its own --models.",
        ),
    ] = None

    def names(self, known: Sequence[str] = ()) -> list[str]:
        """``a,b`` is two names, unless a model is called that; RS042 for more than two.

        >>> Models(["old, new"]).names(), Models(["b,c"]).names(["a", "b,c"]), Models(["a", "b,c"]).names()
        (['old', 'new'], ['b,c'], ['a', 'b,c'])
        """
        given = self.models or []
        is_list = len(given) == 1 and given[0] not in known
        names = [own.strip() for own in given[0].split(",")] if is_list else list(given)
        if len(names) > 2 or not all(names):
            example = Option("models", list(known[:2] if len(known) > 1 else ("old", "new")))
            ways: list[Remedy] = [["two of them:  ", example], "all pairs: leave out  --models"]
            where, found = "one name, or two with a comma between them", ", ".join(given)
            raise fail("RS042", name="--models", where=where, found=found, ways=ways)
        return names

    def require_readable(self) -> None:
        """RS042, before a large file is read, for what cannot be one name or two."""
        if self.models and (len(self.models) > 1 or self.models[0].count(",") < 2):
            self.names()


@dataclass(frozen=True)
class SomeModels:
    """Which models it is about."""

    models: Annotated[
        list[str] | None,
        option(
            _MODELS,
            "--models",
            metavar="A,B",
            help="Some of the models, in this order; all unless said. Names with commas: each with its own "
            "--models.",
        ),
    ] = None

    def names(self, known: Sequence[str] = ()) -> list[str]:
        """``a,b`` is two names, unless a model is called that; RS042 for an empty one."""
        given = self.models or []
        is_list = len(given) == 1 and given[0] not in known
        names = [own.strip() for own in given[0].split(",")] if is_list else list(given)
        if not all(names):
            where, found = "names with a comma between them", ", ".join(given)
            ways = ["all of them: leave out  --models"]
            raise fail("RS042", name="--models", where=where, found=found, ways=ways)
        return list(dict.fromkeys(names))

    def of(self, scores: ScoreSet) -> ScoreSet:
        """The scores of these models; RS001 for one that there is not."""
        names = self.names(scores.models)
        return scores.with_models(names) if names else scores


@dataclass(frozen=True)
class Matching:
    """Groups and cases that some model has no scores for."""

    unmatched: Annotated[
        Literal["raise", "drop"],
        option(
            _MODELS, "--unmatched", show_default=True,
            help="What to do about groups, and named cases, that some model has no scores for.",
        ),
    ] = "raise"  # fmt: skip
    unpaired: Annotated[
        bool,
        flag(
            _MODELS,
            "--unpaired",
            help="The models scored other groups, or other cases: compare them as independent samples.",
        ),
    ] = False


@dataclass(frozen=True)
class Ranges:
    """Over which rates it is asked who wins; costs and alerts are of the deployment."""

    fpr: Annotated[
        str | None,
        option(_WHERE, "--fpr", metavar="LOW..HIGH", help="Range of FPRs, 0.02..0.5 unless said."),
    ] = None
    tpr: Annotated[
        str | None,
        option(_WHERE, "--tpr", metavar="LOW..HIGH", help="Range of TPRs, for example 0.8..0.99."),
    ] = None
    alerts: Annotated[
        str | None,
        option(
            _WHERE,
            "--alerts",
            metavar="LOW..HIGH",
            help="Range of alert budgets, shares of cases called positive: 1%..20%. Say the --prevalence "
            "too. Needs several groups.",
        ),
    ] = None

    def asked(self, costs: str | None = None) -> dict[str, Any]:
        """The ranges that were typed, by name; ``--costs`` is one if it is a range."""
        found: dict[str, Any] = {
            name: range_of(name, getattr(self, name)) for name in ("fpr", "tpr", "alerts")
        }
        pairs = costs_of(costs)
        found["costs"] = pairs if pairs is not None and isinstance(pairs[0], tuple) else None
        return {name: own for name, own in found.items() if own is not None}


@dataclass(frozen=True)
class Testing:
    """What comparisons take as random."""

    random: Annotated[
        Literal["groups", "cases"] | None,
        option(
            _UNCERTAINTY,
            "--random",
            help="groups: what would other groups show? (the default for several). cases: these very groups, "
            "what would other cases show?",
        ),
    ] = None
    adjust: Annotated[
        Literal["holm", "bh", "none"],
        option(
            _UNCERTAINTY, "--adjust", show_default=True,
            help="How p-values are adjusted for the number of pairs, if there are several.",
        ),
    ] = "holm"  # fmt: skip
    nadeau_bengio: Annotated[
        bool,
        flag(
            _UNCERTAINTY,
            "--nadeau-bengio",
            help="The same as --design cross-validation: t tests are corrected for shared training cases.",
        ),
    ] = False


@dataclass(frozen=True)
class ReaderStudy:
    """What every command asks of a reader study; None where nothing was said."""

    readers: Annotated[
        Literal["random", "fixed"] | None,
        option(
            STUDY,
            "--readers",
            help="random: what would other readers find? (the default). fixed: these very readers.",
        ),
    ] = None
    covariance: Annotated[
        Literal["delong", "jackknife", "unbiased", "bootstrap"] | None,
        option(
            STUDY,
            "--covariance",
            help="How errors of readers who see the same cases go together; delong for the AUC unless said.",
        ),
    ] = None
    measure: Annotated[
        str | None,
        option(
            STUDY,
            "--measure",
            metavar="MEASURE",
            help="What each reader is measured by: auc (the default), pauc=fpr:0..0.1, sens@spec=0.9, "
            "spec@sens=0.9, sens@t=3 (ratings from 3 on are called positive), spec@t=3, tpr@fpr=0.1.",
        ),
    ] = None

    @property
    def typed(self) -> list[str]:
        """The options that were given."""
        given = {name: own for name, own in vars(self).items() if own is not None and own is not False}
        return [f"--{name.replace('_', '-')}" for name in given]


@dataclass(frozen=True)
class Readers(ReaderStudy):
    """How modalities of a reader study are compared."""

    cases: Annotated[
        Literal["random", "fixed"] | None,
        option(
            STUDY,
            "--cases",
            help="random: what would other cases show? (the default). fixed: these very cases.",
        ),
    ] = None
    margin: Annotated[
        float | None,
        option(
            STUDY,
            "--margin",
            metavar="NUMBER",
            help="Is the first modality not inferior to the second, within this margin, and are they "
            "equivalent? Say which is which:  --models NEW,REFERENCE.",
        ),
    ] = None
    standalone: Annotated[
        str | None,
        option(
            STUDY,
            "--standalone",
            metavar="MODEL",
            help="A model that scored each case once (AI, CAD), on its own scale: compare it with the "
            "readers.",
        ),
    ] = None
    standalone_threshold: Annotated[
        float | None,
        option(
            STUDY,
            "--standalone-threshold",
            metavar="NUMBER",
            help="With --standalone and a measure at a threshold: the threshold on the scale of that model.",
        ),
    ] = None

    @property
    def again(self) -> list[str]:
        """The options as they were typed."""
        values = [str(own) for own in vars(self).values() if own is not None]
        return [word for pair in zip(self.typed, values, strict=True) for word in pair]

    def require_standalone(self, analysis: str | None) -> None:
        """RS002 if an option of standalone systems comes without one, or an analysis that such have not."""
        if self.standalone is None and self.standalone_threshold is not None:
            raise fail("RS002.standalone-threshold")
        if self.standalone is not None and analysis == "u-statistics":
            raise fail("RS002.standalone-method")


_MEASURED = {"spec": "specificity", "sens": "sensitivity", "t": "threshold"}


def reader_measure(text: str | None) -> Any:
    """``sens@spec=0.9`` as the library takes it; RS042 for what is no measure."""
    from rocsteady.curves.statistics import PartialAuc, statistic_of

    if text is None or text.casefold() == "auc":
        return "auc"
    name, _, value = text.partition("=")
    what, _, where = name.casefold().partition("@")
    try:
        if what == "pauc" and not where:
            axis, _, span = value.partition(":")
            limits = [number_of(part, may_be_percent=True) for part in span.split("..")]
            if axis in ("fpr", "tpr") and len(limits) == 2 and not any(map(math.isnan, limits)):
                span_of = (limits[0], limits[1])
                return PartialAuc(fpr=span_of) if axis == "fpr" else PartialAuc(tpr=span_of)
            raise fail("RS042.reader-measure", text=text, example="pauc=fpr:0..0.1")
        number = number_of(value, may_be_percent=where != "t")
        if not math.isnan(number):
            if what in ("sens", "spec") and where == "t":
                return statistic_of({"threshold": number, "rate": _MEASURED[what]})
            if (what, where) in (("sens", "spec"), ("spec", "sens"), ("tpr", "fpr"), ("fpr", "tpr")):
                return statistic_of({_MEASURED.get(where, where): number})
    except UsageError as error:  # numbers it says to give stand behind --measure
        before = "".join(text.rpartition(":" if ":" in text else "=")[:2])
        told = [
            f"--measure {before}{as_typed(own.value, '..')}" if isinstance(own, Option) else own
            for own in error.remedies
        ]
        raise error.but(remedies=told) from None
    raise fail("RS042.reader-measure", text=text, example="sens@spec=0.9")


Mid = Annotated[
    str | None,
    option(
        "Figure",
        "--mid",
        metavar="MID",
        help="From which score on a smROC curve takes scores for high: paper (half the sum of all scores "
        "over the number of positives; unless said), clipped (that, but at most 1), or a number such as 0.5.",
    ),
]


def mid_of(text: str | None) -> str | float | None:
    """``paper``, ``clipped`` or a number; RS001 or RS042 for anything else.

    >>> mid_of("0.5"), mid_of("50%"), mid_of("clipped"), mid_of(None)
    (0.5, 0.5, 'clipped', None)
    """
    if text is None:
        return None
    from rocsteady.curves.smroc import require_mid

    number = number_of(text, may_be_percent=True)
    return require_mid(text if math.isnan(number) else number)


# Uncertainty and output ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Level:
    """The level of all intervals, and the seed of whatever is drawn."""

    confidence_level: Annotated[
        float, option(_UNCERTAINTY, "--confidence-level", help="Of all intervals.", show_default=True)
    ] = 0.95
    seed: Annotated[int, option(_UNCERTAINTY, "--seed", help="Of resamples.", show_default=True)] = 0


@dataclass(frozen=True)
class Drawn(Level):
    """The same with the number of resamples."""

    resamples: Annotated[
        int,
        option(
            _UNCERTAINTY, "--resamples", "--boot", metavar="N", show_default=True,
            help="Bootstrap resamples, or random flips of signs.",
        ),
    ] = 2000  # fmt: skip


@dataclass(frozen=True)
class Shown:
    """What goes where."""

    words: Annotated[
        Literal["ml", "medical", "biometric"],
        option(
            _OUTPUT, "--words", show_default=True,
            help="Vocabulary: ml (TPR, FPR), medical (sensitivity, specificity), biometric (FNMR, FMR).",
        ),
    ] = "ml"  # fmt: skip
    json: Annotated[bool, flag(_OUTPUT, "--json", help="Print JSON on standard output, nothing else.")] = (
        False
    )
    strict: Annotated[bool, flag(_OUTPUT, "--strict", help="Exit 4 if there are warnings.")] = False
    quiet: Annotated[
        bool, flag(_OUTPUT, "--quiet", "-q", help="Only errors, and what a script would read.")
    ] = False


Require = Annotated[
    list[str] | None,
    option(
        _OUTPUT,
        "--require",
        metavar="REQUIREMENT",
        help='Exit 1 unless this holds, e.g. "tpr@fpr=0.05 >= 0.6": judged on the lower bound of the '
        'interval (the upper one for <=). Of one model: "new: auc >= 0.8"; of a difference: '
        '"new - old: auc >= 0". Repeatable.',
    ),
]
Overwrite = Annotated[bool, flag(_OUTPUT, "--overwrite", help="Replace a file that is there.")]
Title = Annotated[str, option(_OUTPUT, "--title", metavar="TEXT", help="Of the page.")]
Sections = Annotated[
    str | None,
    option(
        _OUTPUT,
        "--sections",
        metavar="NAME,NAME",
        help="Sections of the page, in this order; an unknown name lists them. Without it: the usual ones.",
    ),
]
ClassSections = Annotated[
    str | None,
    option(
        _OUTPUT,
        "--sections",
        metavar="NAME,NAME",
        help="Sections of the page, in this order: answer, errors, confusion, search, surface, areas, data, "
        "methods. Without it: all of them.",
    ),
]
Short = Annotated[bool, flag(_OUTPUT, "--short", help="Two printed pages: the answer and its numbers.")]


def written(help: str, *, default: bool = False) -> Any:
    """``-o``, whose help differs between commands: ``Annotated[Path, written("...")]``."""
    return option(_OUTPUT, "--output", "-o", metavar="PATH", help=help, show_default=default)
