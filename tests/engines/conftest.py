"""What tests of the engines share: frames of every library, the ladder forced to a rung, narrow filters of warnings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engines.backends import BACKENDS, Backend
from rocsteady.counting import ladder

# Of other packages, and of nothing that we do: PySpark and Dask look at pandas while they are imported or shut down.
_OF_OTHERS = (
    "ignore:PySpark does not yet fully support pandas:FutureWarning",
    "ignore:.*distutils.*:DeprecationWarning:pyspark",
    "ignore:unclosed .*socket.*:ResourceWarning",
    "ignore:subprocess .* is still running:ResourceWarning",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    places = [i for i, item in enumerate(items) if item.path.parent == here]
    own = [items[i] for i in places]
    for item in own:
        for spelled in _OF_OTHERS:
            item.add_marker(pytest.mark.filterwarnings(spelled))
    # First, so that they stay together: workers are dealt large pieces in the beginning, and one session is enough.
    own.sort(key=lambda item: item.path.name != "test_spark.py")
    for i, item in zip(places, own, strict=True):
        items[i] = item


@pytest.fixture(params=BACKENDS, ids=lambda backend: backend.name)
def backend(request: pytest.FixtureRequest) -> Backend:
    """Every library that needs no server; Spark runs the same checks in a module of its own."""
    chosen: Backend = request.param
    chosen.require()
    return chosen


@pytest.fixture(params=BACKENDS[:5], ids=lambda backend: backend.name)
def quick(request: pytest.FixtureRequest) -> Backend:
    """All but Dask, which counts as pandas does and takes a second for every graph."""
    chosen: Backend = request.param
    chosen.require()
    return chosen


@pytest.fixture(params=BACKENDS[2:5], ids=lambda backend: backend.name)
def way(request: pytest.FixtureRequest) -> Backend:
    """One library for each way up the ladder: cells by the engine, a stream of our DuckDB, one of somebody else's."""
    chosen: Backend = request.param
    chosen.require()
    return chosen


@pytest.fixture
def force(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make small tables large: so many cells fit into 100 MB, and so many anchors."""

    def forced(*, cells: int = 10**9, anchors: int = 0) -> None:
        monkeypatch.setattr(ladder, "BYTES_PER_CELL", 10**8 // cells if cells < 10**8 else 1)
        monkeypatch.setattr(ladder, "BYTES_PER_ANCHOR", 10**8 // anchors if anchors else 10**18)

    return forced
