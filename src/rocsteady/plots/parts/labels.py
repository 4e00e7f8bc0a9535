"""Names beside points, put where they cover neither each other nor a point, as far as there is room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

_WIDTH = 0.56
"""Of a letter, in sizes of the text, on average."""
_HEIGHT = 1.35
"""Of a line, in sizes of the text."""
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
"""Where a name may stand beside its point, the best first: right, left, above, below, corners."""


@dataclass(frozen=True)
class Label:
    """A name and the point it belongs to, in units of the axes from 0 to 1."""

    text: str
    x: float
    y: float


def place_labels(ax: Axes, labels: list[Label], points: Floats, size: float, mark: float) -> None:
    """Write each label at the side of its point where it covers least.

    Parameters
    ----------
    ax : Axes
        From 0 to 1 in both directions.
    labels : list of Label
        Placed in this order.
    points : array of shape (points, 2)
        What labels should not cover.
    size, mark : float
        Of the text and of the marks, in points.
    """
    side = side_in_points(ax)
    marks = [_box(x * side, y * side, mark, mark) for x, y in points.tolist()]
    written: list[tuple[float, float, float, float]] = []
    for label in labels:
        width, height = _WIDTH * size * len(label.text), _HEIGHT * size
        boxes = [_beside(label, where, side, width, height, mark) for where in _SIDES]
        costs = [
            100 * _outside(box, side) + 10 * _covered(box, written) + _covered(box, marks) for box in boxes
        ]
        best = int(np.argmin(costs))
        written.append(boxes[best])
        _write(ax, label, _SIDES[best], size, mark)


def side_in_points(ax: Axes) -> float:
    """How long the shorter side of the axes is, about; a layout that is still to come makes it shorter."""
    figure = ax.figure
    assert figure is not None
    box = ax.get_position()
    width, height = figure.get_size_inches() if hasattr(figure, "get_size_inches") else (4.0, 4.0)
    return float(72 * min(box.width * width, box.height * height))


def _box(x: float, y: float, width: float, height: float) -> tuple[float, float, float, float]:
    """Around a middle."""
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _beside(
    label: Label, where: tuple[int, int], side: float, width: float, height: float, mark: float
) -> tuple[float, float, float, float]:
    right, up = where
    across, upward = right * (width + mark + 2) / 2, up * (height + mark + 2) / 2
    return _box(label.x * side + across, label.y * side + upward, width, height)


def _outside(box: tuple[float, ...], side: float) -> float:
    """How much of it leaves the axes."""
    return max(0, -box[0]) + max(0, -box[1]) + max(0, box[2] - side) + max(0, box[3] - side)


def _covered(box: tuple[float, ...], others: list[tuple[float, float, float, float]]) -> float:
    """The area it shares with others."""
    return sum(
        max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
        * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
        for other in others
    )


def _write(ax: Axes, label: Label, where: tuple[int, int], size: float, mark: float) -> None:
    right, up = where
    gap = mark / 2 + 1
    aligned: Any = {
        "ha": {1: "left", 0: "center", -1: "right"}[right],
        "va": {1: "bottom", 0: "center", -1: "top"}[up],
    }
    ax.annotate(
        label.text,
        (label.x, label.y),
        xytext=(gap * right, gap * up),
        textcoords="offset points",
        fontsize=size,
        zorder=5,
        annotation_clip=False,
        **aligned,
    )
