"""Of tables of any size, estimators, commands and the report."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

import rocsteady as rs
from frozen import data
from frozen.calling import Calls, group, of
from rocsteady import simulate
from rocsteady.counting.counted import CountedScores

# Tables of any size


@group
def count_scores() -> Calls:
    table = {name: data.few_hosts_table()[name] for name in ("host", "model", "label", "score")}
    roles = {"label": "label", "score": "score", "group": "host", "model": "model", "positive": "attack"}
    exact = rs.count_scores(table, **roles)
    yield "exact", of(exact, "n_rows", "n_positives", "n_negatives", "is_exact", "groups", "undefined")
    own = exact.model("candidate")
    yield "exact/auc", rs.roc_curves(own, undefined="drop").auc
    for method in ("vertical", "threshold", "pooled"):
        average = rs.average(own, method, undefined="drop")
        yield (
            f"exact/{method}",
            {**of(average, "auc"), **of(average.at(fpr=0.05), "tpr", "tpr_interval")},
        )
    added = rs.count_scores(_part(table, 0), **roles) + rs.count_scores(_part(table, 1), **roles)
    yield (
        "added",
        {
            **of(added, "n_rows", "is_exact"),
            "auc": rs.roc_curves(added.model("current"), undefined="drop").auc,
        },
    )
    cells = _in_cells(table, roles)
    yield "cells", of(cells, "n_rows", "is_exact", "auc_bound", "rate_bound", "auc_half_widths")
    one = cells.model("current")
    curves = rs.roc_curves(one, undefined="drop")
    yield "cells/auc", {"auc": curves.auc, "low": curves.auc_bounds.low, "high": curves.auc_bounds.high}
    first = curves[0]
    yield (
        "cells/rates",
        {
            "tpr": first.tpr_bounds_at([0.05, 0.2]),
            "fpr": first.fpr_bounds_at([0.8, 0.9]),
            "auc": first.auc_bounds,
        },
    )
    for method in ("vertical", "threshold"):
        average = rs.average(one, method, undefined="drop")
        point = average.at(fpr=0.1)
        yield (
            f"cells/{method}",
            {**of(average, "auc", "auc_bounds"), **of(point, "tpr", "tpr_bounds", "tpr_interval")},
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "counts.parquet"
        cells.save(path)
        again = rs.open_counts(path)
    yield "cells/opened again", of(again, "n_rows", "auc_bound", "rate_bound")


def _part(table: dict[str, list[Any]], which: int) -> dict[str, list[Any]]:
    return {name: values[which::2] for name, values in table.items()}


def _in_cells(table: dict[str, list[Any]], roles: dict[str, str]) -> CountedScores:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        pq.write_table(pa.table(table), path)
        return rs.count_scores(path, **roles, engine="duckdb", most_cells=1000)


# Estimators


@group
def estimators() -> Calls:
    features, is_first = simulate.highleyman(30, seed=5)
    features = features.round(3)
    own = rs.cross_validated_scores(data.NearestMean(), features, is_first, folds=5, seed=2)
    yield (
        "cross-validated scores",
        {"thresholds": np.concatenate([one.scores for one in own]), "auc": [rs.auc(one) for one in own]},
    )
    rows = np.arange(60)
    tests = [rows[k::3] for k in range(3)]
    trained = [np.setdiff1d(rows, test) for test in tests]
    fitted = [data.NearestMean().fit(features[train], is_first[train]) for train in trained]
    results = {"estimator": fitted, "indices": {"train": trained, "test": tests}}
    yield (
        "from_cv_results",
        {"auc": [rs.auc(one) for one in rs.ScoreSet.from_cv_results(results, features, is_first)]},
    )
    outputs = rs.MulticlassScores.cross_validated(data.NearestMean(), features, is_first, folds=4, seed=1)
    yield "cross-validated outputs", {"outputs": outputs.outputs, "folds": outputs.fold_index}


# The doors: what commands and the report print is what the functions above give


@group
def doors() -> Calls:
    """Numbers of the core in the JSON of every command and of the report."""
    with tempfile.TemporaryDirectory() as folder:
        hosts, readers = Path(folder) / "hosts.csv", Path(folder) / "readers.csv"
        _write(hosts, data.few_hosts_table())
        _write(readers, simulate.reader_study(standalone=False))
        for name, command, paths in _doors(hosts, readers, Path(folder)):
            found = _json(command)
            yield name, {path: _reached(found, path) for path in paths}
        written = rs.write_report(
            Path(folder) / "python.html",
            data.few_hosts(),
            rs.Deployment("shared", at={"fpr": 0.05}),
            n_resamples=200,
        )
        facts = written.study.to_dict()
        yield "write_report", {path: _reached(facts, path) for path in REPORT}


REPORT = (
    *("recommended", "data.models", "check.models[0].n_groups", "check.one_class"),
    *(f"models.{model}.average.auc" for model in ("current", "candidate")),
    *(f"advice.alternatives[{6 * m + k}].auc" for k in range(4) for m in range(2)),
    *(f"comparison.at[0].{name}" for name in ("a_value", "b_value", "difference")),
    "comparison.n_groups",
    *(f"models.{model}.points[0].groups.tpr" for model in ("current", "candidate")),
    *(
        f"models.{model}.comparability.{name}"
        for model in ("current", "candidate")
        for name in ("own_auc", "shared_auc", "price", "level_shift.overall")
    ),
    *(
        f"models.{model}.groups.{name}"
        for model in ("current", "candidate")
        for name in ("auc", "n_positives", "n_negatives")
    ),
)
AUC_DIFFERENCE = tuple(
    f"comparison.auc.{name}"
    for name in (
        "a_value",
        "b_value",
        "difference",
        "standard_error",
        "statistic",
        "df",
        "pvalue",
        "interval",
    )
)


def _doors(hosts: Path, readers: Path, folder: Path) -> Iterator[tuple[str, list[str], tuple[str, ...]]]:
    of_hosts = [
        str(hosts),
        *["-g", "host", "-y", "label", "-s", "score", "-m", "model", "--case", "event", "-p", "attack"],
    ]
    of_readers = [
        str(readers),
        *["-g", "reader", "-y", "truth", "-s", "rating", "-m", "modality", "--case", "case", "-p", "cancer"],
    ]
    few = ["--boot", "200"]
    models = ("n_rows", "n_positives", "n_negatives", "lowest", "highest", "n_distinct", "n_ties")
    yield (
        "check",
        ["check", *of_hosts],
        tuple(
            f"check.{name}"
            for name in ("n_rows", "n_groups", "n_curves", *(f"models[1].{own}" for own in models))
        ),
    )
    yield (
        "advise",
        ["advise", *of_hosts, *["--deploy", "own", "--hold", "fpr", "--at", "fpr=0.05"]],
        ("recommended", *(f"advice.answers[{k}].{name}" for k in range(2) for name in ("auc", "value"))),
    )
    yield (
        "average",
        ["average", *of_hosts, *["--method", "vertical", "--at", "fpr=0.05"]],
        (
            "method",
            *(
                f"averages[{k}].{name}"
                for k in range(2)
                for name in ("auc", "fpr", "tpr", "weights", "members")
            ),
        ),
    )
    yield (
        "compare",
        ["compare", *of_hosts, *["--method", "vertical", "--at", "fpr=0.05"], *few],
        (
            *AUC_DIFFERENCE,
            *(
                "comparison.at[0].a_value",
                "comparison.at[0].b_value",
                "comparison.wilcoxon.pvalue",
            ),
        ),
    )
    yield (
        "cutoff",
        ["cutoff", *of_hosts, *["--at", "tpr=0.9"], *few],
        tuple(
            f"cutoffs[{k}].{name}"
            for k in range(2)
            for name in ("cutoff.threshold", "cutoff.kept.fpr", "cutoff.kept.tpr", "corrected.apparent_value")
        ),
    )
    yield (
        "plan",
        ["plan", *of_hosts, *["--models", "candidate", "--at", "fpr=0.05", "--half-width", "0.02"]],
        tuple(f"plan.{name}" for name in ("estimate", "n_groups", "n_positives", "n_negatives", "values")),
    )
    yield (
        "compare readers",
        ["compare", *of_readers, *["--models", "digital,film", "--margin", "0.05"]],
        (
            *(
                f"readers.comparison.{name}"
                for name in (
                    "means",
                    "statistic",
                    "df",
                    "pvalue",
                    "components.cov1",
                    "components.cov2",
                    "values",
                )
            ),
            *("margins[0].pvalue", "margins[1].pvalue"),
        ),
    )
    yield (
        "plan readers",
        ["plan", *of_readers, *["--models", "digital,film", "--difference", "0.05"]],
        tuple(f"plan.{name}" for name in ("power", "detectable", "readers_at_least", "components.var")),
    )
    page = str(folder / "report.html")
    yield (
        "report",
        ["report", *of_hosts, *["--deploy", "shared", "--at", "fpr=0.05", "--output"], page, *few],
        REPORT,
    )
    of_counts = [
        str(hosts),
        *["-g", "host", "-y", "label", "-s", "score", "-m", "model", "-p", "attack", "--output"],
        str(folder / "counts.parquet"),
    ]
    yield "count", ["count", *of_counts], ("n_rows", "n_cells", "undefined")


# Several classes


@group
def class_study() -> Calls:
    settings: dict[str, dict[str, Any]] = {
        "search": {},
        "exact": {"exact": True},
        "limit": {"at_most": {"2": 0.3}},
        "given": {"class_weights": [1, 2, 3]},
    }
    for name, own in settings.items():
        study = rs.Study(data.three_classes(), **own)
        errors = study.errors
        yield (
            name,
            {
                "weights": study.weights,
                "errors": errors.stacked[:2],
                "standard_error": errors.standard_error[:2],
                "low": study.error_intervals.low[:2],
                "counts": study.confusion().counts,
                "digits": study.digits,
            },
        )


def _write(path: Path, table: Any) -> None:
    rows = zip(*table.values(), strict=True)
    lines = [",".join(table), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _json(command: list[str]) -> Any:
    """What a command prints with ``--json``."""
    from rocsteady.cli import run as run_command

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run_command([*command, "--json"])
    if code != 0:
        raise AssertionError(f"rocsteady {' '.join(command)} exits with {code}: {err.getvalue()}")
    return json.loads(out.getvalue())


def _reached(found: Any, path: str) -> Any:
    for part in path.replace("[", ".[").split("."):
        found = found[int(part[1:-1])] if part.startswith("[") else found[part]
    return found
