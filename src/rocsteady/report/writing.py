"""A report as a file: one page that needs nothing else, whole or not there."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocsteady.counting.counted import CountedScores, scores_of_counts
from rocsteady.curves.from_scores import described
from rocsteady.errors import Option, fail
from rocsteady.options import yes_or_no
from rocsteady.scores.score_set import ScoreSet, takes_frames
from rocsteady.whole_files import write_whole

if TYPE_CHECKING:
    from rocsteady.advice.deployment import Deployment
    from rocsteady.report.summary.making import ReportSummary
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.settings import Place

ENDINGS = (".html", ".htm")
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
    summary : ReportSummary
        Everything that it says, as plain data.
    """

    path: Path
    n_bytes: int
    summary: ReportSummary

    def __repr__(self) -> str:
        return f"WrittenReport({self.path}, {size_words(self.n_bytes)})"


@takes_frames
def write_report(
    path: str | os.PathLike[str],
    score_set: ScoreSet | CountedScores,
    deployment: Deployment | None = None,
    *,
    at: Place | Sequence[Place] = (),
    words: str = "ml",
    title: str = "",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    min_per_class: int = 1,
    cutoff_from: ScoreSet | None = None,
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
    score_set : ScoreSet or CountedScores
        Scores of one model or of several, in one group or in many; or counts of them; or a table, with the
        columns of :meth:`ScoreSet.from_frame`: ``label=``, ``score=``, ``group=`` ...
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
    overwrite : bool
        Whether a file that is there is replaced.
    progress : callable, optional
        Called with what is done next, in words.

    Returns
    -------
    WrittenReport
        With ``.path``, ``.n_bytes`` and ``.summary``.

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
    from rocsteady.report.summary.making import summarize_material
    from rocsteady.report.summary.material import Material
    from rocsteady.report.summary.settings import Settings

    place = _given_path(path)
    if isinstance(score_set, CountedScores):
        score_set = scores_of_counts(score_set)
    _require_values(
        {
            "score_set": score_set,
            "deployment": deployment,
            "at": at,
            "title": title,
            "cutoff_from": cutoff_from,
        }
    )
    _require_room(place, may_replace=yes_or_no("overwrite", overwrite))
    settings = Settings(
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        seed=seed,
        at=at,  # type: ignore[arg-type]  # a single place becomes a tuple
        words=words,
        min_per_class=min_per_class,
        title=title,
        cutoff_from=cutoff_from,
        progress=progress,
    )
    material = Material(score_set, deployment, settings)
    summary = summarize_material(material)
    content = page_of(material, summary)
    try:
        write_whole(place, content)
    except OSError as error:
        raise fail("RS055.system", path=place, reason=error.strerror or error) from error
    return WrittenReport(place, len(content), summary)


def page_of(material: Material, summary: ReportSummary) -> bytes:
    """The page of a report, from what it says and what it draws."""
    from rocsteady.report.drawing import draw
    from rocsteady.report.html.page import render

    drawing = draw(material)
    material.settings.say("writing the page")
    # A name may hold half a character (a lone surrogate), which no encoding has.
    return render(summary, drawing).encode("utf-8", errors="replace")


def is_report(path: Path) -> bool:
    """Whether a file is a report of rocsteady, which a new one may replace."""
    try:
        if not path.is_file():  # a pipe would wait for somebody to write into it
            return False
        with open(path, "rb") as file:
            return _MARK in file.read(_START)
    except OSError:
        return False


def size_words(n_bytes: int) -> str:
    """The size of a file.

    >>> size_words(398_200), size_words(1_940_000), size_words(900)
    ('398 kB', '1.9 MB', '0.9 kB')
    """
    kilobytes = n_bytes / 1000
    if kilobytes >= 999.5:
        return f"{kilobytes / 1000:.1f} MB"
    return f"{kilobytes:.0f} kB" if kilobytes >= 9.95 else f"{kilobytes:.1f} kB"


def _given_path(path: object) -> Path:
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


def _require_values(given: dict[str, object]) -> None:
    """RS002 for what is no score set, no deployment and no text, RS092 for no place: before any work."""
    from rocsteady.advice.deployment import Deployment

    sets = ("rs.read_scores('scores.csv', ...)", "rs.ScoreSet.from_frame(frame, ...)")
    kinds: dict[str, tuple[Any, tuple[str | Option, ...]]] = {
        "score_set": (ScoreSet, sets),
        "cutoff_from": (ScoreSet | None, sets),
        "deployment": (Deployment | None, ("rs.Deployment('own', hold='fpr', at=0.05)",)),
        "title": (str, (Option("title", "Hosts in May"),)),
        "at": (str | Mapping | Sequence, (Option("at", {"fpr": 0.05}),)),
    }
    for name, (kind, ways) in kinds.items():
        is_same = name == "cutoff_from" and given[name] is given["score_set"]  # no other rows at all
        if is_same or not isinstance(given[name], kind):
            raise fail(
                "RS092.report-takes" if name == "at" else "RS002.report-takes",
                name=name,
                found=described(given[name]),
                ways=ways,
            )


def _require_room(path: Path, *, may_replace: bool) -> None:
    if not os.path.isdir(path.parent):  # also False of names that are too long
        raise fail("RS055.no-folder", path=path, folder=path.parent)
    if os.path.exists(path) and not (may_replace and path.is_file()):
        raise fail("RS003.exists", path=path, is_file=path.is_file())
