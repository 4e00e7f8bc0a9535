"""Two classifiers on patients with several rows each: patients are drawn whole, for both at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocsteady.curves.measures import Statistic
from rocsteady.errors import fail
from rocsteady.inference.bootstrapping.cautions import warn_in_one_cluster, warn_redrawn
from rocsteady.inference.bootstrapping.drawing import Drawn, Wanted
from rocsteady.inference.bootstrapping.limits import Resamples
from rocsteady.inference.bootstrapping.naming import Clusters, by_name_of_rows, numbered, require_several
from rocsteady.inference.bootstrapping.patients import drawn_rows
from rocsteady.scores.columns import index_of, require_one_index
from rocsteady.scores.scores import Scores
from rocsteady.words import counted, grouped


@dataclass(frozen=True)
class Drawing:
    """What is read off how many resamples."""

    statistic: Statistic
    n_resamples: int
    seed: int
    threads: int | None = None


def clusters_of_both(both: Sequence[Scores], clusters: Any, *, paired: bool) -> list[Clusters] | None:
    """The clusters of either classifier's rows; None where rows are taken as cases of their own."""
    if clusters is None:
        if paired:  # one of them may not know the cases or the patients
            patients, cases = (_first_known(both, field) for field in ("_clusters", "_cases"))
            named = [by_name_of_rows(patients, cases)] * 2
        else:
            named = [by_name_of_rows(own._clusters, own._cases) for own in both]
        if not any(own is not None and own.n < own.codes.size for own in named):
            return None
        made = [_each_its_own(rows) if own is None else own for own, rows in zip(named, both, strict=True)]
    elif paired:
        made = [_numbered(clusters, both[0])] * 2
    else:
        if not isinstance(clusters, list | tuple) or len(clusters) != 2 or np.ndim(clusters[0]) != 1:
            raise fail("RS058.two-sets")
        made = [_numbered(part, own) for part, own in zip(clusters, both, strict=True)]
    for own in made:
        require_several(own.n, own.codes.size)
    return made


def _numbered(clusters: Any, own: Scores) -> Clusters:
    named = numbered(clusters, own.columns.n_rows)
    require_one_index({"label": own._index, "cluster": index_of(clusters)})
    return named


def _first_known(both: Sequence[Scores], field: str) -> Any:
    return next((known for own in both if (known := getattr(own, field)) is not None), None)


def _each_its_own(own: Scores) -> Clusters:
    return Clusters(np.arange(own.columns.n_rows), own.columns.n_rows, "row")


def by_cluster(
    both: Sequence[Scores], named: Sequence[Clusters], drawing: Drawing, *, paired: bool
) -> tuple[float, float, str]:
    """The standard error of the difference, its degrees of freedom, and what was drawn in words."""
    wanted = Wanted(drawing.statistic, None, drawing.n_resamples, drawing.seed, drawing.threads)
    # The same seed and the same numbers of the clusters: both classifiers meet the same draws.
    a, b = (drawn_rows(own, clusters, wanted) for own, clusters in zip(both, named, strict=True))
    for drawn in (a,) if paired else (a, b):
        warn_redrawn(drawn.n_redrawn, drawing.n_resamples)
        warn_in_one_cluster(drawn.resamples)
    if paired:
        first = named[0]
        return *_of_differences(a, b), f"the {counted(first.n, first.unit)}, each with all its rows"
    errors = [float(drawn.resamples.standard_error[0]) for drawn in (a, b)]
    if named[0].unit == named[1].unit:
        words = f"{grouped(named[0].n)} and {counted(named[1].n, named[1].unit)}"
    else:
        words = " and ".join(counted(own.n, own.unit) for own in named)
    return *_of_two(errors, [a.resamples.df, b.resamples.df]), f"the {words}, each with all its rows"


def _of_differences(a: Drawn, b: Drawn) -> tuple[float, float]:
    one = a.resamples
    values = one.values - b.resamples.values
    if not values.any():  # the same classifier twice, also where clusters are too few for an error
        return 0.0, one.df
    differences = Resamples(one.estimate - b.resamples.estimate, values, one.n_drawn, one.df)
    return float(differences.standard_error[0]), one.df


def _of_two(errors: Sequence[float], dfs: Sequence[float]) -> tuple[float, float]:
    """Independent sets: variances add up, with Welch's degrees of freedom."""
    variances = np.square(errors)
    total = float(variances.sum())
    if total == 0:
        return 0.0, float(min(dfs))
    return float(np.sqrt(total)), total**2 / float(np.sum(variances**2 / np.asarray(dfs)))
