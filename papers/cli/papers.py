"""What can be reproduced; a paper's code is loaded when it is asked for, and not before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from rocsteady.errors import MissingPackageError, fail

if TYPE_CHECKING:
    from papers.reproduction import Reproduction

Progress = Callable[[int, int, str], None]
EXTRA = "pip install 'rocsteady[plot,sklearn]'"
_PACKAGES = {"sklearn": "scikit-learn", "matplotlib": "Matplotlib", "joblib": "joblib", "pandas": "pandas"}


class Choice(StrEnum):
    """What a user can name."""

    AVERAGING = "averaging"
    OPERATING_POINTS = "operating-points"
    SMROC = "smroc"
    SLIDES = "slides"
    ALL = "all"


@dataclass(frozen=True)
class Paper:
    """A paper, and how it is reproduced.

    Attributes
    ----------
    name : str
        On the command line.
    title : str
        In a few words, for where its code could not even be loaded.
    module, function : str
        What computes it.
    takes : frozenset of str
        Which of ``data``, ``cache`` and ``progress`` the function has.
    quick, full : str
        About how long it takes, in words.
    """

    name: str
    title: str
    module: str
    function: str
    takes: frozenset[str]
    quick: str
    full: str

    def picture_names(self) -> list[str]:
        """The files its figures are written to."""
        with _missing_packages(self.name):
            names: list[str] = import_module(self.module).picture_names()
        return names

    def reproduced(self, *, quick: bool, options: Mapping[str, Any]) -> Reproduction:
        """Compute it; options that it does not take are left out.

        Raises
        ------
        MissingPackageError
            RS061 if a package is not installed.
        """
        with _missing_packages(self.name):
            function = getattr(import_module(self.module), self.function)
            used = {name: value for name, value in options.items() if name in self.takes}
            return cast("Reproduction", function(quick=quick, **used))


def _paper(name: str, title: str, place: str, function: str, takes: str, quick: str, full: str) -> Paper:
    module = f"papers.{place}.run"
    return Paper(name, title, module, function, frozenset(takes.split()), quick, full)


PAPERS = {
    paper.name: paper
    for paper in (
        _paper(
            "averaging",
            "Hogan and Adams, On Averaging ROC Curves",
            "averaging_roc",
            "reproduce_averaging",
            "progress",
            "ten seconds",
            "a minute",
        ),
        _paper(
            "operating-points",
            "Paclik and others, operating point averaging",
            "operating_points",
            "reproduce_operating_points",
            "data progress",
            "ten seconds",
            "a minute",
        ),
        _paper(
            "smroc",
            "Klement and others, smooth ROC curves",
            "smroc",
            "reproduce_smroc",
            "data cache progress",
            "half a minute",
            "three minutes",
        ),
        _paper(
            "slides",
            "Sakellaropoulos, lecture slides",
            "slides",
            "reproduce_slides",
            "",
            "five seconds",
            "five seconds",
        ),
    )
}
"""By name, in the order in which ``all`` goes through them."""


def chosen(choice: Choice) -> list[Paper]:
    """The papers that were asked for."""
    return list(PAPERS.values()) if choice is Choice.ALL else [PAPERS[choice.value]]


def with_extra(error: MissingPackageError) -> MissingPackageError:
    """The same error, with the one line that installs whatever a reproduction needs."""
    return MissingPackageError(error.code, error.problem, error.found, EXTRA)


@contextmanager
def _missing_packages(paper: str) -> Iterator[None]:
    """RS061 for whatever is not installed, however that came out."""
    try:
        yield
    except MissingPackageError as error:
        raise with_extra(error) from error
    except ModuleNotFoundError as error:
        package = _PACKAGES.get((error.name or "").partition(".")[0])
        if package is None:
            raise
        raise fail("RS061.paper", paper=paper, package=package, extra=EXTRA) from error
