"""What messages about reader studies say to type, as it is typed in a shell."""

from __future__ import annotations

import re
from typing import Any

from rocsteady.cli.model_names import LITERAL, spelling
from rocsteady.errors import Option

SPELLINGS: tuple[tuple[str, Any], ...] = (
    (r"^(?:compare_readers|summarize_readers) (?=needs|takes|counts)", "a reader study "),
    (r"it is a modality:  compare_readers\(score_set\)", "it is a modality: leave out  --standalone"),
    (r"compare_readers\(score_set\)", "--readers random, in place of options for models over groups"),
    (r"(?<!\w)compare\(score_set\)", "--random groups"),
    (r"^if its scores are in a table of their own.*", "its scores are rows of FILE, with its name in -m"),
    (rf"modalities=[\[(]{LITERAL}, {LITERAL}[\])]", spelling()),
    (r"modalities=\[\.\.\.\]", "--models A,B"),
    (rf"\bstandalone={LITERAL}", spelling("standalone")),
    (r"\b(readers|cases|covariance|method)='([^']*)'", r"--\1 \2"),
    (r"\bstandalone_threshold=([\d.]+)", r"--standalone-threshold \1"),
    (r"\bmissing='drop'", "--unmatched drop"),
    (r"bootstrap\(\.\.\., clusters=patients\)", "--case LESION --patient COLUMN"),
    (r"per_modality\.logit_intervals hold", "those by logit hold"),
    (r"\bper_reader has no error", "The table of readers has no error"),
    (r"measure='auc'", "--measure auc"),
    (r"measure=(?=\{|PartialAuc)", ""),
    (r"\{'specificity': ([\d.]+)\}", r"--measure sens@spec=\1"),
    (r"\{'sensitivity': ([\d.]+)\}", r"--measure spec@sens=\1"),
    (r"\{'threshold': ([\d.]+), 'rate': 'sensitivity'\}", r"--measure sens@t=\1"),
    (r"\{'threshold': ([\d.]+), 'rate': 'specificity'\}", r"--measure spec@t=\1"),
    (r"PartialAuc\(fpr=\(([\d.]+), ([\d.]+)\)\)", r"--measure pauc=fpr:\1..\2"),
    (r"leave (covariance|measure|margin) out", r"leave out  --\1"),
    (r":  \.(?:values|per_reader|differences)$", ":  --json"),
)
"""Pattern and what stands for it, in order."""


def of_system(text: str) -> str:
    """The same remedy where the name that was meant is one of a standalone system."""
    return re.sub(rf"(?<=did you mean  ){LITERAL}(?= \?)", spelling("standalone"), text)


def study_option(option: Option) -> str | None:
    """An option that has another name here; None for all others."""
    if option.name == "missing":
        return f"--unmatched {option.value}"
    if option.name == "modalities":
        return Option("models", option.value).shell()
    if option.name == "cluster":
        return "--patient COLUMN"
    if option.value == "..." and option.name in ("case", "model", "group"):
        return f"--{option.name} COLUMN"
    return None
