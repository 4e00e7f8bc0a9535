"""Figures, drawn with Matplotlib: each draws what a value already holds, and gives back its axes.

Every figure takes these:

title : str
    Above the axes, at the left.
text_size : float
    Points: 8 for paper, 16 for a slide. Lines and markers go by it, and so does the size of a figure that is
    made, which is as wide as a column of a journal at 8.
ax : matplotlib Axes
    Where to draw. Without it a figure is made, which shows itself in a notebook and which
    ``rs.plot.save(axes, path)`` writes.

Nothing is shown in a window, no setting of Matplotlib is changed, pyplot is not used. Without Matplotlib they
raise RS061, which says what to install.
"""

from __future__ import annotations

from rocsteady.plots.agreement import agreement
from rocsteady.plots.appropriateness import appropriateness
from rocsteady.plots.average import average
from rocsteady.plots.averages import averages
from rocsteady.plots.class_errors import class_error_surface, class_errors
from rocsteady.plots.cost_curve import cost_curve
from rocsteady.plots.cross_auc import cross_auc
from rocsteady.plots.cutoffs import cutoffs
from rocsteady.plots.densities import densities
from rocsteady.plots.det import det
from rocsteady.plots.difference import difference
from rocsteady.plots.forest import forest
from rocsteady.plots.mid_profile import mid_profile
from rocsteady.plots.operating_points import operating_points
from rocsteady.plots.parts.saving import save
from rocsteady.plots.precision_recall import precision_recall
from rocsteady.plots.reader_curves import reader_curves
from rocsteady.plots.reader_values import reader_values
from rocsteady.plots.roc import roc
from rocsteady.plots.smroc import smroc
from rocsteady.plots.winner_map import winner_map

__all__ = [
    "agreement",
    "appropriateness",
    "average",
    "averages",
    "class_error_surface",
    "class_errors",
    "cost_curve",
    "cross_auc",
    "cutoffs",
    "densities",
    "det",
    "difference",
    "forest",
    "mid_profile",
    "operating_points",
    "precision_recall",
    "reader_curves",
    "reader_values",
    "roc",
    "save",
    "smroc",
    "winner_map",
]
