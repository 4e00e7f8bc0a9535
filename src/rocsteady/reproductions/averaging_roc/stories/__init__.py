"""The three hypothetical deployments of sections 1 and 4.2, each with a small simulated table."""

from __future__ import annotations

from rocsteady.reproductions.averaging_roc.stories.churn import churn
from rocsteady.reproductions.averaging_roc.stories.devices import devices
from rocsteady.reproductions.averaging_roc.stories.radiologists import radiologists
from rocsteady.reproductions.averaging_roc.stories.story import Story

STORIES = (devices, radiologists, churn)

__all__ = ["STORIES", "Story", "churn", "devices", "radiologists"]
