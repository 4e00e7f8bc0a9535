"""Figures: each a description of what a value already holds, drawn by Matplotlib, and as SVG on pages.

Every figure takes the last three of these, figures of curves the others too:

confidence_level : float
    Of bands and intervals that are made for the figure.
seed : int
    Of whatever is resampled for it.
words : {"ml", "medical", "biometric"}
    What the rates are called.
zoom : float or (float, float), optional
    The largest false positive rate in view; or that, and the smallest true positive rate.
xscale : {"linear", "log"}
    Of the false positive rate. A log scale starts at about one false alarm of the largest group; points that
    lie left of that stand at its edge.
title : str
    Above the axes, at the left.
text_size : float
    Points: 8 for paper, 16 for a slide. Lines and markers go by it, and so does the size of a figure that is
    made, which is as wide as a column of a journal at 8.
ax : matplotlib Axes
    Where to draw. Without it pyplot makes a figure, which a notebook and ``plt.show()`` show and which
    ``rs.plot.save(axes, path)`` writes.

A model has one colour, one dash and one marker in all of them. No setting of Matplotlib is changed. Without
Matplotlib they raise RS061, which says what to install.
"""

from __future__ import annotations

from rocsteady.figures.agreement import agreement
from rocsteady.figures.appropriateness import appropriateness
from rocsteady.figures.average import average
from rocsteady.figures.averages import averages
from rocsteady.figures.class_errors import class_error_surface, class_errors
from rocsteady.figures.cost_curve import cost_curve
from rocsteady.figures.cross_auc import cross_auc
from rocsteady.figures.cutoffs import cutoffs
from rocsteady.figures.densities import densities
from rocsteady.figures.det import det
from rocsteady.figures.difference import difference
from rocsteady.figures.forest import forest
from rocsteady.figures.matplotlib import save
from rocsteady.figures.mid_profile import mid_profile
from rocsteady.figures.operating_points import operating_points
from rocsteady.figures.precision_recall import precision_recall
from rocsteady.figures.reader_curves import reader_curves
from rocsteady.figures.reader_values import reader_values
from rocsteady.figures.roc import roc
from rocsteady.figures.smroc import smroc
from rocsteady.figures.winner_map import winner_map

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
