"""Figures, drawn with Matplotlib: each draws what a value already holds, and gives back its axes.

Every function takes ``ax``; without it a figure of its own is made, as wide as a column of a journal, which
``.figure.savefig(...)`` writes. Nothing is shown, no setting of Matplotlib is changed. Sizes of text, lines
and markers go by ``text_size``: 8 points for paper, 16 for a slide.
"""

from __future__ import annotations

from rocsteady.plots.agreement import agreement
from rocsteady.plots.appropriateness import appropriateness
from rocsteady.plots.class_errors import class_error_surface, class_errors
from rocsteady.plots.cutoffs import cutoffs
from rocsteady.plots.difference import difference
from rocsteady.plots.mid_profile import mid_profile
from rocsteady.plots.operating_points import operating_points
from rocsteady.plots.reader_curves import reader_curves
from rocsteady.plots.reader_values import reader_values
from rocsteady.plots.smroc import smroc
from rocsteady.plots.winner_map import winner_map

__all__ = [
    "agreement",
    "appropriateness",
    "class_error_surface",
    "class_errors",
    "cutoffs",
    "difference",
    "mid_profile",
    "operating_points",
    "reader_curves",
    "reader_values",
    "smroc",
    "winner_map",
]
