"""The same analysis of scores that Weka gave: NaiveBayes and J48 -U -A on ten of the sets."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from papers.smroc.analysis.results import Areas, gathered
from papers.smroc.experiment.files import WEKA, place_of
from papers.smroc.experiment.run import measured
from papers.smroc.parameters import LEARNERS

SHA256 = "f68358cf6a90224236904af408fe8bd77cbbe3823236f8f110f8b85a1d8cbab5"
NEEDED = (
    f"The same analysis of Weka's scores needs {'/'.join(WEKA)} (columns set, method, run, fold, label, "
    "score); it cannot be fetched, and nothing else depends on it."
)


def find(folder: Path | None) -> tuple[Path | None, str]:
    """The file, if it is there and as it should be, and what is wrong with it otherwise."""
    path = None if folder is None else place_of(folder, *WEKA)
    if path is None:
        return None, ""
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        return None, f"Weka's scores: {path} cannot be read ({error.strerror or error}); they are left out."
    if digest != SHA256:
        return None, f"Weka's scores: the sha256 of {path} is not {SHA256[:12]}…; they are left out."
    return path, ""


def areas(path: Path, only: tuple[str, ...] | None = None, n_runs: int | None = None) -> Areas:
    """Areas from the scores in the file; of all sets and runs unless fewer are asked for."""
    columns = _columns(path)
    names = [name for name in dict.fromkeys(columns["set"].tolist()) if only is None or name in only]
    runs = sorted(set(columns["run"].tolist()))[:n_runs]
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for name in names:
        of_set = {column: values[columns["set"] == name] for column, values in columns.items()}
        for run in runs:
            found[name].append({learner: _measured(of_set, learner, run) for learner in LEARNERS})
    return gathered("Weka 3.6.14", found)


def _columns(path: Path) -> dict[str, Any]:
    import duckdb

    with duckdb.connect() as connection:
        query = (
            "select set::varchar as set, method::varchar as method, run::int as run, fold::int as fold, "
            "label::int as label, score from read_parquet(?)"
        )
        found: dict[str, Any] = connection.execute(query, [str(path)]).fetchnumpy()
    return {name: np.asarray(values) for name, values in found.items()}


def _measured(of_set: dict[str, Any], learner: str, run: int) -> dict[str, Any]:
    rows = (of_set["method"] == learner) & (of_set["run"] == run)
    return measured(of_set["label"][rows] == 1, of_set["score"][rows], of_set["fold"][rows], seed=run)
