"""The catalogue of message codes: what ``rocsteady explain`` tells about each.

RS0xx are errors: 00x arguments and requirements, 01x columns, 02x labels, 03x data, 04x arguments that do not
fit the data, 05x files, 06x packages, 070 a bug, 071 to 079 operating points, 080 to 086 averages, 087 to 089
smROC curves, 090 to 095 deployments and comparability, 096 to 099 reproductions and their data. The others
are warnings: RS1xx about single curves, RS2xx about groups, their averages, operating points, smROC curves
and raters, RS3xx about how the scores will be used. Tables that an engine counts have RS40x for errors and
RS41x for warnings.
Codes are stable; a new message gets a new one here first.
"""

from __future__ import annotations

from rocsteady.codes import (
    advice,
    agreement,
    averages,
    comparability,
    comparing,
    cutoffs,
    fetching,
    general,
    large_tables,
    multiclass,
    operating_points,
    parametric,
    planning,
    readers,
    realised,
    reproductions,
    requirements,
    resampling,
    single_curve,
    smroc,
    summaries,
    winner_map,
)
from rocsteady.codes.entry import Entry as Entry

_AREAS = (
    general,
    averages,
    parametric,
    comparability,
    advice,
    cutoffs,
    operating_points,
    multiclass,
    realised,
    reproductions,
    fetching,
    smroc,
    agreement,
    resampling,
    comparing,
    winner_map,
    summaries,
    planning,
    single_curve,
    readers,
    requirements,
    large_tables,
)

CODES: dict[str, Entry] = dict(sorted(item for area in _AREAS for item in area.ENTRIES.items()))
