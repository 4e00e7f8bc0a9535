"""Settings shared by all tests: hypothesis profiles, the folder of real data, what CI must not skip."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
# The same examples on every run: a red build is red again when it is looked at.
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
# For a second run of the same tests, with other packages.
settings.register_profile("few", settings.get_profile("ci"), max_examples=15)
settings.load_profile(os.environ.get("ROCSTEADY_EXAMPLES") or ("ci" if os.environ.get("CI") else "default"))


# A shell starts background jobs deaf to Ctrl-C, and tests of interrupts would wait for one that never comes.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def skip_unless_required(reason: str) -> None:
    """Skip, except where ROCSTEADY_REQUIRE_ALL says that nothing may be missing."""
    if os.environ.get("ROCSTEADY_REQUIRE_ALL"):
        pytest.fail(f"must not be skipped here: {reason}")
    pytest.skip(reason)


def package(name: str) -> Any:
    """A package that a machine may lack; where nothing may be missing, that it is missing is a failure."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return skip_unless_required(f"{name} is not installed")


@pytest.fixture(autouse=True)
def _no_figures_of_others() -> None:
    """Pyplot holds on to figures, and some tests look that it holds none of theirs."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real data and golden numbers, named by ROCSTEADY_DATA."""
    named = os.environ.get("ROCSTEADY_DATA")
    if not named or not Path(named).is_dir():
        skip_unless_required("ROCSTEADY_DATA does not name the folder of real data")
    return Path(str(named))
