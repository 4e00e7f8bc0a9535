"""A figure as a file, which is whole or not there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.curves.from_scores import described
from rocsteady.errors import Option, fail
from rocsteady.options import whole_number, yes_or_no
from rocsteady.plots.parts.style import FORMATS, rendered
from rocsteady.whole_files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_DOTS = 2400


def save(
    drawn: Axes | Figure | Any, path: str | os.PathLike[str], *, dpi: int = 300, overwrite: bool = True
) -> Path:
    """Write a figure to a file; its ending says what kind: ``.png``, ``.pdf`` or ``.svg``.

    Text stays text in PDF and SVG, and a figure that is made again gives the same bytes. The file is written
    under another name first, so nobody ever sees half of one.

    Parameters
    ----------
    drawn : Axes, Figure or display
        What a function of ``rs.plot`` gave, or any figure of Matplotlib; of several axes their figure. A
        :class:`rocsteady.RocAverageDisplay`, or one of scikit-learn's.
    path : str or path
        Where; the folder must exist.
    dpi : int
        Dots per inch of a PNG.
    overwrite : bool
        Whether a file that is there is replaced.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    UsageError
        RS002 for anything but axes or a figure; RS054 for another ending; RS003 for a file in the way; RS042
        for a number of dots that is none.
    FileError
        RS055 if the file cannot be written.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from tempfile import TemporaryDirectory
    >>> from rocsteady.plots.roc import roc
    >>> axes = roc(rs.roc_curve([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]), interval=False)
    >>> with TemporaryDirectory() as folder:
    ...     save(axes, f"{folder}/curve.pdf").name
    'curve.pdf'
    """
    figure = _figure_of(drawn)
    path = _given_path(path)
    kind = _kind_of(path)
    dots = whole_number("dpi", dpi, least=1, example=300)
    if dots > _MOST_DOTS:
        ways = [Option("dpi", 300)]
        raise fail("RS042", name="dpi", where=f"at most {_MOST_DOTS}", found=dots, ways=ways)
    _require_room(path, yes_or_no("overwrite", overwrite))
    content = rendered(figure, kind, dpi=dots)
    try:
        write_whole(path, content)
    except OSError as error:
        raise fail("RS055.system", path=path, reason=error.strerror or error) from error
    return path


def _figure_of(drawn: Any) -> Figure:
    """The figure of axes, of an array of axes of one figure, of a display, or the figure itself."""
    if isinstance(drawn, np.ndarray | list | tuple) and len(drawn):
        drawn = np.ravel(np.asarray(drawn, dtype=object))[0]
    drawn = getattr(drawn, "figure_", drawn)
    root: Any = drawn.get_figure() if hasattr(drawn, "get_figure") else drawn
    while root is not None and not hasattr(root, "savefig"):  # axes of a part of a figure
        parent = getattr(root, "figure", None)
        root = None if parent is root else parent
    if root is None:
        way, found = "rs.plot.save(rs.plot.roc(curve), 'curve.pdf')", described(drawn)
        raise fail("RS002.kind", name="what is saved", kind="axes or a figure", found=found, ways=[way])
    return root  # type: ignore[no-any-return]


def _given_path(path: object) -> Path:
    """The path, if it is one; RS002 otherwise."""
    if isinstance(path, str | os.PathLike) and "\0" not in os.fspath(path) and Path(path).name:
        return Path(path)
    way, found = "rs.plot.save(axes, 'curve.pdf')", described(path)
    raise fail("RS002.kind", name="path", kind="the name of a file", found=found, ways=[way])


def _kind_of(path: Path) -> str:
    kind = path.suffix.removeprefix(".").casefold()
    if kind not in FORMATS:
        way = f"rs.plot.save(axes, {str(path.with_suffix('.pdf'))!r})"
        raise fail("RS054.ending", path=path, known=", ".join(f".{own}" for own in FORMATS), ways=[way])
    return kind


def _require_room(path: Path, overwrite: bool) -> None:
    if not os.path.isdir(path.parent):  # also False of names that are too long
        raise fail("RS055.no-folder", path=path, folder=path.parent)
    if os.path.exists(path) and not (overwrite and path.is_file()):
        raise fail("RS003.exists", path=path, is_file=path.is_file())
