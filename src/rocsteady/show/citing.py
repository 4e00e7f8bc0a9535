"""What to cite for a result: the papers behind it and this program, as BibTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rocsteady.advice.advise import Advice
from rocsteady.advice.deployment import Deployment
from rocsteady.averaging.base import Average
from rocsteady.averaging.binormal import BinormalFit
from rocsteady.averaging.methods import Binormal, Method
from rocsteady.curves.curve_set import CurveSet
from rocsteady.curves.intervals import NullTest
from rocsteady.curves.multiclass import MulticlassAuc
from rocsteady.curves.roc import RocCurve
from rocsteady.curves.smroc import SmrocCurve, SmrocCurves
from rocsteady.curves.statistics import HMeasure, PartialAuc
from rocsteady.errors import fail, near_match
from rocsteady.inference.bootstrap import Bootstrap
from rocsteady.inference.comparability import Comparability
from rocsteady.inference.differences import Comparison, Comparisons
from rocsteady.inference.smauc import SmaucComparison, SmaucComparisons, SmaucSummary
from rocsteady.inference.summarize import AucSummary
from rocsteady.inference.tests_on_cases import AucComparison, BootstrapTest, VenkatramanTest
from rocsteady.inference.winner_map import WinnerMap
from rocsteady.planning.groups import Plan
from rocsteady.planning.readers import Goal, ReaderPlan
from rocsteady.points.cutoffs import CorrectedCutoff, Cutoff
from rocsteady.points.multiclass import ClassWeightSearch
from rocsteady.points.tables import OperatingPointTable, PointMeasure, PointTests
from rocsteady.readers.compare import ReaderComparison, StudyResult
from rocsteady.readers.curves import ReaderAverageCurve
from rocsteady.readers.margins import Equivalence, NonInferiority
from rocsteady.readers.study import Analysis, Effect
from rocsteady.references import REFERENCES
from rocsteady.scores.design import Random
from rocsteady.statistics.limits import Interval

Keys = Iterable[str]

_COVARIANCES: dict[str, Keys] = {
    "delong": ("delong1988",),
    "unbiased": ("gallas2006",),
    "bootstrap": ("efron1993",),
}
_ADJUSTMENTS: dict[str, Keys] = {"holm": ("holm1979",), "bh": ("benjamini1995",)}
_AUC_METHODS = {
    **dict.fromkeys(("delong", "guarded", "logit"), ("delong1988",)),
    "bootstrap": ("efron1993",),
}
_SUMMARIES = {
    "random-effects": ("dersimonian1986", "hartung2001"),
    "cv-influence": ("ledell2015",),
    "nadeau-bengio": ("nadeau2003",),
}


def cite(*values: object) -> str:
    r"""BibTeX of the papers behind some results or methods, and of this program.

    Parameters
    ----------
    *values
        Results (comparisons, averages, intervals, plans, ...), methods such as ``rs.Vertical()``, or keys of
        references such as ``"delong1988"``. Without any: this program only.

    Examples
    --------
    >>> import rocsteady as rs
    >>> print(rs.cite(rs.Vertical()).split("\n\n")[0])
    @article{hogan2023,
      author = {Hogan, Jack and Adams, Niall M.},
      title = {{On averaging ROC curves}},
      journal = {Transactions on Machine Learning Research},
      year = {2023},
    }
    """
    keys = dict.fromkeys(key for value in values for key in references_of(value))
    return "\n\n".join([*(REFERENCES[key].bibtex for key in keys), _program()]) + "\n"


def references_of(value: object) -> tuple[str, ...]:
    """The keys of the papers behind a result or a method; RS002 for what nothing is known about."""
    if isinstance(value, str):
        if value in REFERENCES:
            return (value,)
        meant = near_match(value, REFERENCES, 0.6)
        raise fail("RS002.reference-key", key=value, meant=meant, known=", ".join(REFERENCES))
    for kind, known in _OF_KIND.items():
        if isinstance(value, kind):
            return tuple(dict.fromkeys(known(value) if callable(known) else known))
    raise fail("RS002.no-papers", kind=type(value).__name__)


def _of_readers(found: Any) -> Keys:
    ratings = getattr(found, "ratings", None)
    if getattr(found, "method", None) == Analysis.U_STATISTICS:
        yield from ("gallas2006", "gallas2009")
    else:
        yield from ("obuchowski1995", "hillis2007")
        if getattr(ratings, "is_nested", False):
            yield from ("hillis2014", "welch1951") if len(found.modalities) > 2 else ("hillis2014",)
        if found.cases_are == Effect.RANDOM:
            yield from _COVARIANCES.get(found.covariance, ())
    if getattr(ratings, "clusters", None) is not None:
        yield "obuchowski1997"
    if isinstance(found, ReaderComparison) and len(found.differences) > 1:
        yield from _ADJUSTMENTS.get(found.adjust or "", ())


def _of_plan_of_readers(found: ReaderPlan) -> Keys:
    yield from ("hillis2011", "obuchowski1995", "hillis2007")
    if found.test != Goal.DIFFERENCE:
        yield "schuirmann1987"


def _of_average(found: Average) -> Keys:
    yield "hogan2023"
    if isinstance(found.method, Binormal):
        yield "dorfman1969"


def _of_comparison(found: Comparison) -> Keys:
    yield "hogan2023"
    if found.test_train_ratio:
        yield "nadeau2003"
    is_of_cases = found.auc.facts.random is not Random.GROUPS
    yield from ("delong1988", "efron1993") if is_of_cases else ("westfall1993",)


def _of_smauc(found: SmaucComparison) -> Keys:
    yield "klement2011"
    if found.test_train_ratio:
        yield "nadeau2003"


def _of_comparisons(found: Comparisons) -> Keys:
    yield from (key for pair in found for key in _of_comparison(pair))
    yield from _ADJUSTMENTS.get(found.adjust or "", ())


def _of_point_tests(found: PointTests) -> Keys:
    yield "paclik2008"
    if found.test_train_ratio:
        yield "nadeau2003"
    yield from _ADJUSTMENTS.get(found.adjust or "", ())


_OF_KIND: dict[type, Sequence[str] | Callable[[Any], Keys]] = {
    RocCurve: ("fawcett2006",),
    CurveSet: ("fawcett2006",),
    Interval: lambda found: _AUC_METHODS.get(found.method, ()),
    AucComparison: ("delong1988", "sun2014"),
    NullTest: ("delong1988",),
    PartialAuc: lambda found: ("mcclish1989",) if found.standardized else (),
    HMeasure: ("hand2009",),
    BinormalFit: ("dorfman1969",),
    VenkatramanTest: lambda found: ("venkatraman1996",) if found.paired else ("venkatraman2000",),
    BootstrapTest: ("efron1993",),
    Bootstrap: ("efron1993",),
    Method: ("hogan2023",),
    Deployment: ("hogan2023",),
    Advice: ("hogan2023",),
    Average: _of_average,
    Comparability: ("hogan2023",),
    Comparison: _of_comparison,
    Comparisons: _of_comparisons,
    WinnerMap: ("hogan2023", "westfall1993"),
    AucSummary: lambda found: _SUMMARIES.get(found.method, ()),
    Plan: ("hogan2023",),
    Cutoff: lambda found: ("youden1950",) if found.criterion == "youden" else ("fawcett2006",),
    CorrectedCutoff: ("efron1983",),
    OperatingPointTable: ("paclik2008",),
    PointMeasure: ("paclik2008",),
    PointTests: _of_point_tests,
    ClassWeightSearch: ("paclik2008",),
    MulticlassAuc: ("hand2001",),
    SmrocCurve: ("klement2011",),
    SmrocCurves: ("klement2011",),
    SmaucSummary: lambda found: ("klement2011", *(["nadeau2003"] if found.test_train_ratio else [])),
    SmaucComparison: _of_smauc,
    SmaucComparisons: lambda found: (
        [key for pair in found for key in _of_smauc(pair)] + list(_ADJUSTMENTS.get(found.adjust or "", ()))
    ),
    ReaderAverageCurve: ("chen2014", "obuchowski1995", "hillis2007"),
    StudyResult: _of_readers,
    ReaderPlan: _of_plan_of_readers,
    NonInferiority: ("schuirmann1987",),
    Equivalence: ("schuirmann1987",),
}
"""By the class of a value, or one that it is derived from: keys, or what reads them off it."""


def spelled(key: str) -> str:
    """A reference as the list at the end of a text has it.

    >>> spelled("holm1979")
    'Holm, Sture (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of \
Statistics 6(2), 65-70.'
    """
    found = REFERENCES[key]
    *first, last = found.authors
    authors = f"{', '.join(first)} & {last}" if first else last
    venue = found.field("journal") or found.field("booktitle") or found.field("publisher")
    number, pages, doi = (found.field(name) for name in ("number", "pages", "doi"))
    volume = found.field("volume") + (f"({number})" if number else "")
    where = " ".join(filter(None, [venue, volume])) + (f", {pages}" if pages else "")
    link = f" https://doi.org/{doi}" if doi else ""
    return f"{authors} ({found.field('year')}). {found.field('title')}. {where}.{link}"


def program_version() -> str:
    """The version of this program; empty if it is run from its folder, without an installation."""
    try:
        return version("rocsteady")
    except PackageNotFoundError:
        return ""


def _program() -> str:
    number = program_version()
    lines = ["@software{rocsteady,", "  title = {rocsteady},"]
    return "\n".join([*lines, *([f"  version = {{{number}}},"] if number else []), "}"])
