"""The options of ``rocsteady cutoff`` that no other command has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rocsteady.cli.columns import panel_option
from rocsteady.cli.deployment import Deploy, Weigh

_CUTOFF = "Cut-off"
_GROUPS = "Several groups"
_UNCERTAINTY = "Uncertainty"


ModelsOption = Annotated[
    list[str] | None,
    panel_option(
        "--models",
        panel=_CUTOFF,
        metavar="A,B",
        help="Some of the models, in this order; all unless said. Names with commas: each with its own "
        "--models.",
    ),
]
CriterionOption = Annotated[
    str | None,
    panel_option(
        "--criterion",
        panel=_CUTOFF,
        metavar="NAME",
        help="youden (largest TPR - FPR), closest (to FPR 0, TPR 1), eer (equal error rates). Without it, "
        "--at and --costs all three are shown.",
    ),
]
AtOption = Annotated[
    list[str] | None,
    panel_option(
        "--at",
        panel=_CUTOFF,
        metavar="POINT",
        help="fpr=0.05 or fpr=5% (at most), tpr=0.9 (at least), cost=1:20, youden, closest, eer; or t=0.5, "
        "a cut-off that is given. Repeatable.",
    ),
]
CostsOption = Annotated[
    str | None,
    panel_option(
        "--costs",
        panel=_CUTOFF,
        metavar="FP:FN",
        help="The smallest expected cost, where a false positive and a false negative cost this. "
        "Say the --prevalence too.",
    ),
]
PrevalenceOption = Annotated[
    str | None,
    panel_option(
        "--prevalence",
        panel=_CUTOFF,
        metavar="SHARE",
        help="Share of positives where the cut-off will be used: 0.03, or 3%. For costs and predictive "
        "values; without it the share in FILE.",
    ),
]
FromOption = Annotated[
    str | None,
    panel_option(
        "--cutoff-from",
        panel=_CUTOFF,
        metavar="FILE",
        help="Choose on this file, with the same columns, and judge on the other: rates on rows that chose "
        "nothing.",
    ),
]
DeployOption = Annotated[
    Deploy,
    panel_option(
        "--deploy",
        panel=_GROUPS,
        help="One cut-off shared by all groups, or one of its own for each.",
        show_default=True,
    ),
]
WeighOption = Annotated[
    Weigh | None,
    panel_option(
        "--weigh",
        panel=_GROUPS,
        help="With a shared cut-off: count every group once (the default), or every row once (pooling).",
    ),
]
PointsOption = Annotated[
    int,
    panel_option(
        "--points",
        panel=_GROUPS,
        metavar="N",
        help="How many other cut-offs are held against the chosen one: scores near it, then at growing "
        "distances by rank, up to both ends.",
        show_default=True,
    ),
]
NadeauBengioOption = Annotated[
    bool,
    panel_option(
        "--nadeau-bengio",
        panel=_GROUPS,
        metavar="",
        help="The groups are folds of one cross-validation: their training sets overlap, and the tests "
        "allow for it.",
    ),
]
LevelOption = Annotated[
    float,
    panel_option("--confidence-level", panel=_UNCERTAINTY, help="Of intervals and tests.", show_default=True),
]
BootOption = Annotated[
    int,
    panel_option(
        "--boot",
        panel=_UNCERTAINTY,
        metavar="N",
        help="Resamples, the cut-off chosen anew in each; 0 for none.",
        show_default=True,
    ),
]
SeedOption = Annotated[
    int, panel_option("--seed", panel=_UNCERTAINTY, help="Of resamples.", show_default=True)
]
OutputOption = Annotated[
    Path | None,
    panel_option(
        "--output",
        "-o",
        panel="Output",
        metavar="PATH",
        help="Write the cut-offs to a file too, as its ending says: .csv, .json or .parquet. Columns: "
        "..._low and ..._high are the ends of an interval, ..._corrected what to expect on new rows, "
        "..._anew_... with the cut-off chosen anew; "
        "alike_... the ends of the thresholds that decide the same; midpoint as SPSS prints it; value what "
        "the criterion gives where the cut-off was chosen, value_judged in FILE; tp, fp, fn, tn counts; "
        "the others as in the table on the screen.",
    ),
]
