"""What the page of a report draws: lines without what the eye cannot see, and the points of single groups.

No number is read off a drawing; all that are printed stand in the summary, and come from full data.
"""

from rocsteady.report.drawing.drawing import Drawing, ModeDrawing, ModelDrawing, draw
from rocsteady.report.drawing.scores import Densities, ScoreAxis

__all__ = ["Densities", "Drawing", "ModeDrawing", "ModelDrawing", "ScoreAxis", "draw"]
