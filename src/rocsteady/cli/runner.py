"""What all commands share: one :class:`Run` from what was typed to the exit code.

A command says what it wants of a study, and prints its blocks::

    run = Run(context, shown, output=output, endings=TABLES)
    study = run.study(file, columns, rows, use=use, drawn=drawn)
    run.show(*comparison.make(study))
    run.finish(study, parts=("comparison",), content=lambda kind: table_bytes(..., kind))

The numbers come from the study and the words from its sections; neither is made here.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from rocsteady.cli import console, files, program
from rocsteady.cli.options import (
    ClassColumns,
    Classes,
    Columns,
    Large,
    Level,
    Rows,
    Shown,
    SomeModels,
    Use,
    costs_of,
    share_of,
)
from rocsteady.cli.outcome import DONE, REQUIREMENT_FAILED, STRICT, collected_warnings
from rocsteady.cli.requirements import Requirement, Verdict, judge, requirements_of
from rocsteady.errors import (
    ColumnError,
    Line,
    Remedy,
    RocsteadyError,
    RocsteadyWarning,
    UsageError,
    fail,
)
from rocsteady.words import printable

if TYPE_CHECKING:
    from rocsteady.class_study import ClassStudy
    from rocsteady.scores import ScoreSet
    from rocsteady.scores.multiclass import MulticlassScores
    from rocsteady.show.document import Block
    from rocsteady.study import Study
    from rocsteady.text import Text, Words


class Run:
    """One run of a command.

    Parameters
    ----------
    context : typer.Context
    shown : Shown
        ``--words``, ``--json``, ``--strict`` and ``--quiet``.
    output : Path, optional
        What is to be written; refused here, before anything is read, where that cannot be.
    endings : sequence of str
        Which kinds of files there are, as ``("csv", "json")``.
    example : str
        A name for the file, for messages.
    overwrite : bool
    is_slow : bool
        Whether a file in the way is refused before the work; else the very same file may be written again.
    require : list of str, optional
        ``--require``.
    tells : bool
        Whether what was read is printed before the results; not where these go to a pipe as a table.
    """

    def __init__(
        self,
        context: typer.Context,
        shown: Shown,
        *,
        output: Path | None = None,
        endings: Sequence[str] = files.TABLES,
        example: str = "table.csv",
        overwrite: bool = False,
        is_slow: bool = False,
        require: list[str] | None = None,
        tells: bool = True,
    ) -> None:
        self.context, self.shown, self.output, self.overwrite = context, shown, output, overwrite
        self.requirements: list[Requirement] = requirements_of(require)
        self.kind = ""
        if output is not None and endings:
            self.kind = files.require_output(
                output, endings, example=example, overwrite=overwrite or not is_slow
            )
        self.tells = tells and not self.is_silent
        self.began = time.perf_counter()
        self.met: list[RocsteadyWarning] = []
        self.words: Words | None = None
        self.use: Use = Use()
        self.verdicts: list[Verdict] = []
        self._read: list[Text] = []
        self._declared: Use | None = None

    @property
    def is_silent(self) -> bool:
        """Whether nothing is said beside JSON, errors, and what a script would read."""
        return self.shown.json or self.shown.quiet

    # In --------------------------------------------------------------------------------------------------

    def study(
        self,
        file: str,
        columns: Columns,
        rows: Rows,
        *,
        use: Use | None = None,
        drawn: Level | None = None,
        large: Large | None = None,
        cutoff_from: str | None = None,
        needs_use: bool = False,
        asks: bool = False,
        models: SomeModels | None = None,
        at: Sequence[Any] | None = None,
        **options: Any,
    ) -> Study:
        """The scores in a file, how they will be used, and every question about them.

        Parameters
        ----------
        use : Use, optional
            ``--deploy`` and its like; what does not fit together is refused before the file is read.
        drawn : Level or Drawn, optional
            The confidence level, the seed, and perhaps the number of resamples.
        large : Large, optional
            For commands that know how to count what does not fit into memory.
        cutoff_from : str, optional
            Another file with the same columns.
        needs_use : bool
            Whether there is no answer without a deployment: RS093 where nobody can be asked.
        asks : bool
            Whether somebody at a terminal is asked how several groups will be used.
        models : SomeModels, optional
            Which of the models it is about.
        at : places, optional
            In place of those in ``use``.
        **options
            Of :class:`rocsteady.Study`.
        """
        from rocsteady.study import Study

        columns.require_different()
        if models is not None:
            models.names()  # refuses an empty name before a large file is read
        self.use = use or Use()
        deployment = None if self.use.is_half and asks and can_ask() else self.use.deployment()
        places = self.use.places() if at is None else at
        if cutoff_from is not None:
            files.require_other_file(file, cutoff_from)
        drawn = drawn or Level()
        options |= {"confidence_level": drawn.confidence_level, "seed": drawn.seed}
        if hasattr(drawn, "resamples"):
            options["n_resamples"] = drawn.resamples
        _require_sound(options)
        with self.working(f"Reading {printable(file)}") as tell:
            announced = None if self.shown.quiet else tell
            try:
                scores = files.read(file, columns, rows, large, tell=announced)
            except ColumnError as error:
                raise self._named(error, file, columns) from error
            if cutoff_from is not None:
                other = files.read(cutoff_from, columns, rows, large)
                files.require_other_rows(scores, other)
                options["cutoff_from"] = other
        self.words = words_for(scores, self.shown.words, columns.positive_name)
        self._read = _what_was_read(scores, columns, file) if self.tells else []
        scores = scores if models is None else models.of(scores)
        is_open = self.use.is_half or self.use.is_missing
        if is_open and (asks or needs_use) and len(scores.groups) > 1:
            stopped = time.perf_counter()
            deployment = self._answered(asks=asks, must=needs_use)
            self.began += time.perf_counter() - stopped  # how long somebody thinks is not how long this takes
        study = Study(
            scores,
            deployment,
            at=places,
            words=self.shown.words,
            positive_name=columns.positive_name,
            command=self.command,
            **options,
        )
        self.words = study.words
        with study.catching():  # what was met while the file was read belongs to its report too
            for own in self.met:
                warnings.warn(own, stacklevel=1)
        return study

    def class_study(
        self, file: str, columns: ClassColumns, classes: Classes, drawn: Level, **options: Any
    ) -> ClassStudy:
        """The outputs of several classes in a file, and every question about them."""
        from rocsteady.class_study import ClassStudy

        settings: dict[str, Any] = {"confidence_level": drawn.confidence_level, "seed": drawn.seed}
        _require_sound(settings)
        settings |= classes.settings()
        if classes.outputs is None:
            raise self._without_outputs(file, columns)
        with self.working(f"Reading {printable(file)}") as tell:
            scores = files.read_outputs(file, columns, classes, tell=None if self.shown.quiet else tell)
        self.words = words_for(scores, self.shown.words, "")
        self._read = _classes_read(scores) if self.tells else []
        study = ClassStudy(scores, words=self.shown.words, command=self.command, **settings, **options)
        with study.catching():  # what was met while the file was read belongs to its report too
            for own in self.met:
                warnings.warn(own, stacklevel=1)
        return study

    def _without_outputs(self, file: str, columns: ClassColumns) -> RocsteadyError:
        """RS002 with the columns that are called like the labels, as far as a look at the file tells."""
        guessed = files.guessed_outputs(file, columns)
        ways = [Line((*self.typed(), "--outputs", guessed), "perhaps  ")] if guessed else []
        return fail("RS002.no-outputs", ways=ways)

    def _named(self, error: ColumnError, file: str, columns: Columns) -> ColumnError:
        """RS014 with the command filled in, as far as a look at the file tells which columns may be meant."""
        if error.code != "RS014":
            return error
        guessed = files.guessed_columns(file, columns)
        if not guessed:
            return error
        added = [word for role, name in guessed.items() for word in (f"--{role}", name)]
        return error.but(remedies=[Line((*self.typed(), *added), "perhaps  "), *error.remedies])

    def _answered(self, *, asks: bool, must: bool) -> Any:
        """What is declared once somebody was asked; RS093 if there ``must`` be an answer and nobody is."""
        if asks and not self.is_silent and can_ask():
            assert self.words is not None
            self._show_read()
            self._declared, self.use = self.use, ask(self.use, self.words)
            return self.use.deployment()
        if must or self.use.is_half:  # which of the averages would have to meet what is required?
            raise self.undeclared()
        return None

    def ask(self, use: Use) -> Any:
        """The two questions without a file."""
        from rocsteady.text import vocabulary

        self.words = vocabulary(self.shown.words)
        self._declared, self.use = use, ask(use, self.words)
        return self.use.deployment()

    def _show_read(self) -> None:
        """What was read, once; not before it is known that there are results, or questions."""
        if self._read:
            self.show(*self._read, is_apart=False)
            sys.stdout.write("\n")
            sys.stdout.flush()  # questions go to standard error
        self._read = []

    def undeclared(self, *others: Remedy) -> RocsteadyError:
        """RS093 with what to type: how scores will be used, or ``others``."""
        units = self.words.lookup("units") if self.words is not None else "groups"
        ways = [Line((*self.typed(), *own)) for own in self.use.answers()]
        return fail("RS093.undeclared", units=units, ways=[*ways, *others])

    def added(self) -> list[str]:
        """The answers that were given to questions, as they would be typed."""
        return [] if self._declared is None else self.use.added(self._declared)

    @property
    def command(self) -> str:
        """What makes the same again: what was typed, and what was answered."""
        typed = _shell([program.NAME, str(self.context.command.name), *self._parameters(), *self.added()])
        piped = self.context.params.get("file") == "-"  # what was read has no name to give again
        return f"{typed} < FILE" if piped else typed

    @property
    def program(self) -> list[str]:
        """What a command to copy begins with."""
        return program.arguments()

    def typed(self) -> list[str]:
        """The command as it was typed, so that something can be added to it."""
        return [*self.program, str(self.context.command.name), *self._parameters()]

    def read_again(self, *more: str) -> list[str]:
        """The file and its columns as they were typed, for another command; and more parameters, by name."""
        names = [own.name for kind in (Columns, Rows) for own in fields(kind)]
        return self._parameters(("file", *names, *more))

    def _parameters(self, among: Sequence[str] = ()) -> list[str]:
        found: list[str] = []
        for own in sorted(self.context.command.params, key=lambda own: own.param_type_name != "argument"):
            source = self.context.get_parameter_source(str(own.name))
            if source is None or source.name != "COMMANDLINE" or (among and own.name not in among):
                continue
            given = self.context.params[str(own.name)]
            for value in given if isinstance(given, list | tuple) else [given]:
                found += _again(own, value)
        return found

    # Out -------------------------------------------------------------------------------------------------

    @contextmanager
    def working(self, what: str) -> Iterator[Callable[[str], None]]:
        """Do what may take long: it is said on a terminal, and coded warnings are kept for the end."""
        with console.working(what) as tell, collected_warnings() as warned:
            yield tell
        self.met += [own for own in warned if str(own) not in map(str, self.met)]

    def show(self, *blocks: Block, is_apart: bool = True) -> None:
        """Print blocks on standard output, in the words that were asked for."""
        from rocsteady.text import ML

        console.show_blocks(blocks, self.words or ML, is_apart=is_apart)

    def judged(self, study: Study, method: Any = None) -> list[Verdict]:
        """What was required, held against what the study answers."""
        if self.requirements:
            with self.working("Judging"), study.catching():
                self.verdicts = judge(self.requirements, study, method)
        return self.verdicts

    def finish(
        self,
        study: Any = None,
        *,
        parts: Sequence[str] = (),
        data: Callable[[], dict[str, Any]] | None = None,
        blocks: Callable[[], Sequence[Block]] | None = None,
        quiet_blocks: Callable[[], Sequence[Block]] | None = None,
        content: Callable[[str], bytes] | None = None,
        warned: Sequence[RocsteadyWarning] = (),
        in_short: bool = False,
        method: Any = None,
    ) -> NoReturn:
        """Print what was asked for, write the file, say each warning once, and end with the exit code.

        Parameters
        ----------
        study : Study or ClassStudy, optional
        parts : sequence of str
            Of :meth:`Study.to_dict`, for ``--json``.
        data : callable, optional
            What ``--json`` prints, in place of parts.
        blocks, quiet_blocks : callable, optional
            What is printed, and what of that even under ``--quiet``.
        content : callable, optional
            Makes what is written to a file of a kind, ``"csv"``; of ``"json"`` that is what is printed.
        warned : sequence of RocsteadyWarning
            Beside those of the study.
        in_short : bool
            Whether warnings have their first line alone, because a page has the rest.
        method : Method, optional
            What requirements are about, where that is not the deployment's average.
        """
        if study is not None:
            with study.catching():  # page and JSON tell of these too
                for own in warned:
                    warnings.warn(own, stacklevel=1)
            self.judged(study, method)
        with self.working("Computing"):
            wanted = None if self.shown.json else quiet_blocks if self.shown.quiet else blocks
            printed = list(wanted()) if wanted is not None else []
            text = ""
            if self.shown.json or self.kind == "json":
                made = data() if data is not None else study.to_dict(*parts) if study is not None else {}
                if self.verdicts:
                    made = made | {"requirements": [own.to_dict() for own in self.verdicts]}
                text = files.as_json(made) + "\n"
            written = None
            if self.output is not None and content is not None:
                written = text.encode() if self.kind == "json" else content(self.kind)
        if self.output is not None and written is not None:
            files.write_file(self.output, written, overwrite=self.overwrite)
        if self.shown.json:
            sys.stdout.write(text)
        elif printed:
            self._show_read()
            self.show(*printed, is_apart=not self.shown.quiet)
        met = {str(own): own for own in [*self.met, *(study.warnings if study else ()), *warned]}
        self._tell(list(met.values()), None if written is None else len(written), in_short=in_short)
        self.end(has_warnings=bool(met))

    def _tell(self, met: Sequence[RocsteadyWarning], n_bytes: int | None, *, in_short: bool) -> None:
        """On standard error: the file, the warnings, what was required."""
        if self.output is not None and n_bytes is not None and not self.is_silent:
            console.say_written(self.output, n_bytes, time.perf_counter() - self.began)
        if not self.is_silent or self.shown.strict:  # where no warning may be, one is an error
            for own in met:
                console.show_message(own.but(found="", remedies=()) if in_short else own, self.words)
        for verdict in self.verdicts:
            if not verdict.holds:
                console.show_message(verdict.message(), self.words)
            elif not self.is_silent:
                console.say(verdict.sentence)

    def end(self, *, has_warnings: bool) -> NoReturn:
        """Exit: 1 if a requirement failed, 4 for warnings where none may be, else 0."""
        if not all(own.holds for own in self.verdicts):
            raise typer.Exit(REQUIREMENT_FAILED)
        raise typer.Exit(STRICT if self.shown.strict and has_warnings else DONE)


def words_for(scores: Any, vocabulary: str, positive_name: str) -> Words:
    """The vocabulary with what these data call their groups and classes."""
    from rocsteady.text import words_of

    return words_of(scores, vocabulary, positive_name)


def _require_sound(options: dict[str, Any]) -> None:
    """RS042 for numbers out of range, before a large file is read."""
    from rocsteady.options import open_share, resamples_asked, whole_number

    open_share("confidence_level", options["confidence_level"])
    whole_number("seed", options["seed"], least=0, example=0)
    if options.get("n_resamples", 2000) != 0:  # for none
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RocsteadyWarning)  # the study says it
            resamples_asked(options.get("n_resamples", 2000))
    whole_number("min_per_class", options.get("min_per_class", 1), least=1, example=10)


def _shell(arguments: Sequence[str]) -> str:
    from rocsteady.text import shell

    return shell(arguments)


def _again(parameter: Any, value: Any) -> list[str]:
    """A parameter as it was typed."""
    if parameter.param_type_name == "argument":
        return [str(value)]
    if value is False:
        return [parameter.secondary_opts[0]]
    name = min(parameter.opts, key=len)
    return [name] if value is True else [name, str(getattr(value, "value", value))]


# What was read ------------------------------------------------------------------------------------------


def _what_was_read(scores: ScoreSet, columns: Columns, file: str) -> list[Text]:
    """The rows, their classes, the direction, columns that were taken by their names, and those left over."""
    from rocsteady.text import Count, Model, Quote, joined, listed, phrase, say

    named = columns.score or [scores.columns_chosen.get("score", "score")]
    counts = scores.counted_from
    verb = "Read" if counts is None else "Counted" if counts.how.n_passes else "Read the counts of"
    n_dropped = scores.dropped.n_rows // len(named)  # each row is there once for each column of scores
    n_rows = int(counts.n_rows if counts is not None else scores.columns.n_rows) // len(named) + n_dropped
    parts: list[Any] = [Count(len(scores.groups), scores.unit)] if len(scores.groups) > 1 else []
    if len(scores.models) > 1:
        parts.append(
            phrase(
                "{n} ({names})", n=Count(len(scores.models), "model"), names=listed(map(Model, scores.models))
            )
        )
    read = say(
        f"{verb} {{rows}}{{dropped}}{{source}}{{division}}. Positive: {{positive}}, where {{scores}} "
        f"{'is' if len(named) == 1 else 'are'} {'high' if scores.higher_is_positive else 'low'}.",
        rows=Count(n_rows, "row"),
        dropped=phrase(" ({n} dropped)", n=n_dropped) if n_dropped else None,
        source=phrase(" of {file}", file=Quote(scores.source)) if scores.source else None,
        division=phrase(": {parts}", parts=joined(parts)) if parts else None,
        positive=Quote(str(scores.classes.positive)),
        scores=listed(map(Quote, named)),
    )
    return [read, *columns_taken(scores), *_not_used(scores, columns, file)]


def _classes_read(scores: MulticlassScores) -> list[Text]:
    """The rows, their classes and their folds, and columns that were taken by their names."""
    from rocsteady.show.sentences import classes as sentences

    return [sentences.read(scores), *columns_taken(scores)]


def columns_taken(scores: Any) -> list[Text]:
    """The columns that nobody named: usual names, or what an iMRMC file always has."""
    from rocsteady.text import Quote, listed, phrase, say

    taken = scores.columns_chosen
    if not taken:
        return []
    chosen = [
        Quote(role) if name == role else phrase(f"{{name}} ({role})", name=Quote(name))
        for role, name in taken.items()
    ]
    # No name is a convention for cases: only a file that always has them brings them by itself.
    how = "of an iMRMC file" if "case" in taken else "taken by their names"
    return [say(f"Columns {how}: {{chosen}}.", chosen=listed(chosen))]


def _not_used(scores: ScoreSet, columns: Columns, file: str) -> list[Text]:
    """Columns that nothing was asked of, where rows are not told apart by any."""
    from rocsteady.cli.completion import columns_of
    from rocsteady.text import Quote, listed, say

    is_divided = len(scores.groups) > 1 or len(scores.models) > 1
    if file == "-" or is_divided or scores.counted_from is not None:
        return []
    taken = {own for own in columns.named().values() if isinstance(own, str)}
    taken |= {*(columns.score or []), *scores.columns_chosen.values()}
    rest = [Quote(name) for name in dict.fromkeys(columns_of(file)) if name not in taken]
    text = "Not used: {rest}. (-g names groups, -m models, --case cases that occur several times.)"
    return [say(text, rest=listed(rest))] if rest else []


# Asking -------------------------------------------------------------------------------------------------


def can_ask() -> bool:
    """Whether somebody sits there who could answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def ask(use: Use, words: Words) -> Use:
    """The two questions, on the terminal, as on the page; only the second where the first was answered."""
    from rocsteady.show.sentences import commands, uses
    from rocsteady.text import say

    def spelled(template: str) -> str:
        return say(template).plain(words)

    kind = "people" if words.lookup("its") == "their" else ""
    first = {"shared": uses.SHARED, "own": uses.OWN}
    deploy = use.deploy or _choice(
        uses.FIRST.plain(words),
        [(own, said.plain(words), uses.when(own, kind).plain(words)) for own, said in first.items()],
    )
    keys = _SECOND[deploy]
    answers = [
        (name, uses.TITLES[key].plain(words), uses.when_held(key, is_alone=False).plain(words))
        for name, key in keys.items()
    ]
    second: Any = _choice(uses.SECOND[deploy].plain(words), answers)
    if deploy == "shared":
        return replace(use, deploy="shared", hold=None, weigh=second)
    use = replace(use, deploy="own", hold=second, weigh=None)
    if second == "cost" and use.costs is None:
        question = spelled("Costs of a {alarm} and of a {miss}, as 1:20")
        again = commands.TYPE_COSTS
        use = replace(use, costs=_typed_value(question, costs_of, again))
    if second in ("cost", "alerts") and use.prevalence is None:
        question = spelled("Share of the cases that will be positive, as 0.02 or 2%")
        again = commands.TYPE_SHARE
        use = replace(
            use, prevalence=_typed_value(question, lambda text: share_of("prevalence", text), again)
        )
    return use


_SECOND = {
    "shared": {"groups": "threshold", "rows": "pooled"},
    "own": {
        "fpr": "vertical",
        "tpr": "horizontal",
        "balance": "diagonal",
        "ratio": "radial",
        "alerts": "alerts",
        "cost": "cost",
    },
}
"""What answers the second question, by what is typed and by the card of the page that says it."""


def _typed_value(question: str, read: Callable[[str], Any], again: str) -> str:
    """What was typed; asked again while it cannot be read."""
    while True:
        typed = str(typer.prompt(question, err=True))
        try:
            read(typed)
        except UsageError:
            typer.echo(again, err=True)
        else:
            return typed


def _choice(question: str, choices: Sequence[tuple[str, str, str]]) -> str:
    """A word out of several, each with what it is called and when to choose it."""
    from rocsteady.show.sentences import commands

    typer.echo(question, err=True)
    for number, (_, said, when) in enumerate(choices, start=1):
        typer.echo(f"  {number}  {said}", err=True)
        console.say(when, indent=5)
    while True:
        typed = typer.prompt(f"1 to {len(choices)}", err=True).strip().casefold()
        for number, (word, said, _) in enumerate(choices, start=1):
            is_yes = typed in ("y", "yes", "n", "no") and said.casefold().startswith(typed[0])
            if typed in (str(number), word) or is_yes:
                typer.echo("", err=True)
                return word
        typer.echo(commands.type_number(len(choices)), err=True)
