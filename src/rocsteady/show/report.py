"""A report as a file: one page that needs nothing else, whole or not there."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.answers import Answers
from rocsteady.class_study import ClassStudy
from rocsteady.counting.counted import CountedScores, scores_of_counts
from rocsteady.curves.from_scores import described
from rocsteady.errors import Option, fail
from rocsteady.options import one_of, yes_or_no
from rocsteady.scores.multiclass import MulticlassScores
from rocsteady.scores.score_set import ScoreSet, takes_frames
from rocsteady.show.document import Beside, Block, Figure, Fold, Section
from rocsteady.show.sections import (
    answer,
    classes,
    comparability,
    comparison,
    data,
    groups,
    methods,
    plan,
    points,
    readers,
    reading,
    smroc,
    uses,
)
from rocsteady.show.sentences import classes as class_sentences
from rocsteady.show.sentences import report as sentences
from rocsteady.study import Study
from rocsteady.text import ML, Count, Quote, Size, Text, phrase
from rocsteady.whole_files import write_whole

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment
    from rocsteady.places import Place

_MAKERS = {
    "answer": answer.make,
    "uses": uses.make,
    "reading": reading.make,
    "comparison": comparison.make,
    "readers": readers.make,
    "comparability": comparability.make,
    "points": points.make,
    "groups": groups.make,
    "plan": plan.make,
    "smroc": smroc.make,
    "data": data.make,
    "methods": methods.make,
}
SECTIONS = tuple(
    Section(name, sentences.LINKS[name], sentences.TITLES[name], make) for name, make in _MAKERS.items()
)
"""In the order of the page; one that has nothing to say is left out, and the numbers close up."""
CLASS_SECTIONS = tuple(
    Section(name, class_sentences.LINKS[name], class_sentences.TITLES[name], make)
    for name, make in classes.MAKERS.items()
)
"""The same of a study of several classes."""
NAMES = tuple(own.ident for own in SECTIONS)
SHORT = ("answer", "comparison", "readers", "points", "data")
"""The sections of a short report; figures after the first section, and what is folded, are left out."""
LAST = ("data", "methods")
"""Made after all others: they tell of warnings and of what was done."""
_MARK = b'<meta name="generator" content="rocsteady'
"""What every report has near its start, and few other files."""
_START = 4096


@dataclass(frozen=True, eq=False, repr=False)
class WrittenReport:
    """A report that was written.

    Attributes
    ----------
    path : Path
        The file.
    n_bytes : int
        Its size.
    study : Study or ClassStudy
        What answered for it.
    """

    path: Path
    n_bytes: int
    study: Answers

    def __repr__(self) -> str:
        return f"WrittenReport({self.path}, {Size(self.n_bytes).spell(ML)})"


@takes_frames
def write_report(
    path: str | os.PathLike[str],
    score_set: ScoreSet | CountedScores | MulticlassScores,
    deployment: Deployment | None = None,
    *,
    at: Place | Mapping[str, Any] | str | Sequence[Any] = (),
    words: str = "ml",
    title: str = "",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    min_per_class: int = 1,
    cutoff_from: ScoreSet | None = None,
    sections: Sequence[str] | None = None,
    short: bool = False,
    overwrite: bool = True,
    progress: Callable[[str], None] | None = None,
) -> WrittenReport:
    """Write a report: what the scores are worth, how sure that is, and which model to use.

    One HTML page that opens without a network and prints. It answers for the declared deployment; without
    one it shows all averages and recommends none. The page is written under another name first, so a failure
    leaves an earlier file as it was. The same data, options and version give the same bytes.

    Parameters
    ----------
    path : str or path
        Where, for example ``"report.html"``; the folder must exist.
    score_set : ScoreSet, CountedScores or MulticlassScores
        Scores of one model or of several, in one group or in many; or counts of them; or a table, with the
        columns of :meth:`ScoreSet.from_frame`: ``label=``, ``score=``, ``group=`` ...; or the outputs of
        several classes, which have a page of their own and neither a deployment nor places.
    deployment : Deployment, optional
        How the scores will be used.
    at : place or sequence of places
        Operating points to report beside the declared one: ``{"fpr": 0.05}``, ``{"tpr": 0.9}``,
        ``{"threshold": 0.5}``, ``{"alerts": 0.02}``, ``{"costs": (1, 20)}``, ``"eer"``, ``"youden"``.
    words : {"ml", "medical", "biometric"}
        TPR and FPR, sensitivity and specificity, or FMR and FNMR.
    title : str
        Of the page.
    confidence_level : float
        Of all intervals.
    n_resamples, seed : int
        Of the bootstrap of groups.
    min_per_class : int
        Groups with fewer positives or negatives are left out, and counted.
    cutoff_from : ScoreSet, optional
        Other rows on which thresholds are found, so that they are not judged on the rows they were found on.
    sections : sequence of str, optional
        Which sections, by name: ``"answer"``, ``"uses"``, ``"reading"``, ``"comparison"``, ``"readers"``,
        ``"comparability"``, ``"points"``, ``"groups"``, ``"plan"``, ``"smroc"``, ``"data"``, ``"methods"``.
    short : bool
        A report of about two printed pages.
    overwrite : bool
        Whether a file that is there is replaced.
    progress : callable, optional
        Called with what is done next, in words.

    Returns
    -------
    WrittenReport
        With ``.path``, ``.n_bytes`` and ``.study``.

    Raises
    ------
    UsageError
        RS054 for another ending than ``.html``; RS003 for a file in the way.
    FileError
        RS055 if the file cannot be written.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> from tempfile import TemporaryDirectory
    >>> rng = np.random.default_rng(0)
    >>> labels, hosts = np.tile([0, 1], 200), np.repeat(np.arange(8), 50)
    >>> scores = rs.ScoreSet.from_arrays(labels, rng.normal(size=400) + labels, hosts, unit="host")
    >>> with TemporaryDirectory() as folder:
    ...     written = write_report(
    ...         f"{folder}/report.html", scores, rs.Deployment("own", hold="fpr", at=0.1), n_resamples=200
    ...     )
    >>> written.path.name
    'report.html'
    """
    place = require_path(path)
    is_of_classes = isinstance(score_set, MulticlassScores)
    chosen = section_names(sections, CLASS_SECTIONS if is_of_classes else SECTIONS)
    require_room(place, may_replace=yes_or_no("overwrite", overwrite))
    given = scores_of_counts(score_set) if isinstance(score_set, CountedScores) else score_set
    _require_kinds({"score_set": given, "cutoff_from": cutoff_from, "title": title, "at": at})
    own = {"deployment": deployment, "at": at, "n_resamples": n_resamples, "min_per_class": min_per_class}
    own["cutoff_from"] = cutoff_from
    if is_of_classes:  # which has none of these: what was asked for is refused
        own = {name: value for name, value in own.items() if value != _USUAL[name]}
    study = Study(
        given,
        words=words,
        title=title,
        confidence_level=confidence_level,
        seed=seed,
        progress=progress,
        **own,  # type: ignore[arg-type]
    )
    return write(place, study, sections=chosen, short=yes_or_no("short", short))


_USUAL = {"deployment": None, "at": (), "n_resamples": 2000, "min_per_class": 1, "cutoff_from": None}


def write(
    path: str | os.PathLike[str],
    study: Answers,
    *,
    sections: Sequence[str] | None = None,
    short: bool = False,
) -> WrittenReport:
    """The report of a study as a file."""
    place = require_path(path)
    require_room(place, may_replace=True)
    # A name may hold half a character (a lone surrogate), which no encoding has.
    content = page_of(study, sections=sections, short=short).encode("utf-8", errors="replace")
    try:
        write_whole(place, content)
    except OSError as error:
        raise fail("RS055.system", path=place, reason=error.strerror or error) from error
    return WrittenReport(place, len(content), study)


def page_of(study: Any, *, sections: Sequence[str] | None = None, short: bool = False) -> str:
    """The page of a study."""
    from rocsteady.show.html import page

    is_of_classes = isinstance(study, ClassStudy)
    all_of, few = (CLASS_SECTIONS, classes.SHORT) if is_of_classes else (SECTIONS, SHORT)
    wanted = section_names(sections, all_of) or (few if short else [own.ident for own in all_of])
    chosen = [own for own in all_of if own.ident in wanted]
    made: dict[str, Sequence[Block]] = {}
    for own in sorted(chosen, key=lambda own: own.ident in LAST):
        blocks = own.make(study)
        left_out = (Fold,) if own.ident == "answer" else (Fold, Figure)
        made[own.ident] = brief(blocks, without=left_out) if short else blocks
        if sections and not blocks:  # somebody asked for it
            made[own.ident] = [_why_empty(own, study)]
    study.say("writing the page")
    if is_of_classes:
        of_classes = [(own, made[own.ident]) for own in chosen if made[own.ident]]
        return page(_title_of_classes(study), classes.meta(study), of_classes, study.words)
    shown = [(titled(own, study), made[own.ident]) for own in chosen if made[own.ident]]
    return page(title_of(study), meta_of(study), shown, study.words)


def _why_empty(section: Section, study: Answers) -> Text:
    """Why a section that was asked for has nothing to say."""
    return smroc.why_empty(study) if section.ident == "smroc" else sentences.NOTHING  # type: ignore[arg-type]


def brief(blocks: Sequence[Block], *, without: tuple[type[Any], ...]) -> list[Block]:
    """The blocks, without those of some kinds."""
    found: list[Block] = []
    for own in blocks:
        if isinstance(own, Beside):
            columns = (tuple(brief(column, without=without)) for column in own.columns)
            found.append(Beside(tuple(column for column in columns if column)))
        elif not isinstance(own, without):
            found.append(own)
    return found


def titled(section: Section, study: Study) -> Section:
    """Of a single dataset nobody speaks of groups."""
    is_alone = section.ident == "groups" and study.is_alone
    return replace(section, title=sentences.THE_DATASET, link=sentences.THE_DATASET) if is_alone else section


def title_of(study: Study) -> Text:
    """The user's, else what is in it."""
    if study.title:
        return phrase("{title}", title=Quote(study.title))
    n_groups = len(study.curves(study.models[0]))
    is_of_readers = study.is_reader_study and len(study.models) > 1
    return sentences.title(len(study.models), n_groups, study.unit, is_reader_study=is_of_readers)


def _title_of_classes(study: ClassStudy) -> Text:
    if study.title:
        return phrase("{title}", title=Quote(study.title))
    return class_sentences.title(len(study.classes), len(study.scores.folds), study.unit)


def meta_of(study: Study) -> list[Text]:
    """What the report is about."""
    scores = study.scores
    n_curved = int(study.of(study.models[0]).has_curve.sum())
    n_groups = len(study.given.model(study.models[0]) if len(study.given.models) > 1 else study.given)
    return sentences.meta(
        n_rows=scores.columns.n_cases,
        n_cases=study.n_cases,
        patients=None if scores.clusters is None else Count(len(scores.clusters), scores.clusters.unit),
        n_left_out=n_groups - n_curved,
        unit=study.unit,
        design=scores.design,
        positive=scores.classes.positive,
        higher_is_positive=scores.higher_is_positive,
        level=study.confidence_level,
        random="cases" if study.is_alone else "readers" if study.is_reader_study else "groups",
    )


def section_names(given: Sequence[str] | None, known: Sequence[Section] = SECTIONS) -> tuple[str, ...]:
    """Names of sections; RS001 for one that is not known."""
    if given is None:
        return ()
    names = [given] if isinstance(given, str) else list(given)
    return tuple(one_of("sections", own, tuple(each.ident for each in known)) for own in names)


def is_report(path: Path) -> bool:
    """Whether a file is a report of rocsteady, which a new one may replace."""
    try:
        if not path.is_file():  # a pipe would wait for somebody to write into it
            return False
        with open(path, "rb") as file:
            return _MARK in file.read(_START)
    except OSError:
        return False


ENDINGS = (".html", ".htm")


def require_path(path: object) -> Path:
    """The path, if it is one; RS002 otherwise, RS054 for another ending."""
    given = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not (isinstance(given, str) and _is_encodable(given) and "\0" not in given and Path(given).name):
        way, found = "rs.write_report('report.html', score_set)", described(path)
        raise fail("RS002.kind", name="path", kind="the name of a file", found=found, ways=[way])
    place = Path(given)
    if place.suffix.casefold() not in ENDINGS:
        way = f"rs.write_report({str(place.with_suffix('.html'))!r}, score_set)"
        raise fail("RS054.ending", path=place, known=".html", ways=[way])
    return place


def _is_encodable(name: str) -> bool:
    """Whether a file can have this name: half a character cannot be written down."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return True


def require_room(path: Path, *, may_replace: bool) -> None:
    """RS055 without the folder, RS003 for what is in the way."""
    if not os.path.isdir(path.parent):  # also False of names that are too long
        raise fail("RS055.no-folder", path=path, folder=path.parent)
    if os.path.exists(path) and not (may_replace and path.is_file()):
        raise fail("RS003.exists", path=path, is_file=path.is_file())


def _require_kinds(given: dict[str, Any]) -> None:
    """RS002 for what is no score set and no text, RS092 for no place: before any work."""
    sets = ("rs.read_scores('scores.csv', ...)", "rs.ScoreSet.from_frame(frame, ...)")
    kinds: dict[str, tuple[Any, tuple[str | Option, ...]]] = {
        "score_set": (ScoreSet | MulticlassScores, sets),
        "cutoff_from": (ScoreSet | None, sets),
        "title": (str, (Option("title", "Hosts in May"),)),
        "at": (str | Mapping | Sequence, (Option("at", {"fpr": 0.05}),)),
    }
    for name, (kind, ways) in kinds.items():
        is_same = name == "cutoff_from" and given[name] is given["score_set"]  # no other rows at all
        if is_same or not isinstance(given[name], kind):
            raise fail(
                "RS092.report-takes" if name == "at" else "RS002.report-takes",
                name=name, found=described(given[name]), ways=ways,
            )  # fmt: skip
