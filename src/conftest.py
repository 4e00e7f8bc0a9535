"""What examples in docstrings share with the tests."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture(autouse=True)
def _no_figures_of_others() -> None:
    """Pyplot holds on to figures, and some tests look that it holds none of theirs."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
