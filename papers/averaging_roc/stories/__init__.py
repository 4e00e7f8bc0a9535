"""The three hypothetical deployments of sections 1 and 4.2, each with a small simulated table."""

from __future__ import annotations

from papers.averaging_roc.stories.churn import churn
from papers.averaging_roc.stories.devices import devices
from papers.averaging_roc.stories.radiologists import radiologists
from papers.averaging_roc.stories.story import Story

STORIES = (devices, radiologists, churn)

__all__ = ["STORIES", "Story", "churn", "devices", "radiologists"]
