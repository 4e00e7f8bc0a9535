"""What the paper claims, with what was measured: every verdict follows from the numbers."""

from __future__ import annotations

from dataclasses import replace

from papers.claims import Claim
from papers.smroc.analysis.results import Areas
from papers.smroc.judged import conclusions, different, formulas, similar
from papers.smroc.parameters import FEWEST_SETS


def claims(found: Areas | None, weka: Areas | None = None) -> tuple[Claim, ...]:
    """All claims that can be judged.

    Parameters
    ----------
    found : Areas or None
        Of our learners; without them Weka's scores stand in, and without both only the formulas are judged.
        Of few sets only what is said of single sets is judged.
    weka : Areas or None
        From Weka's scores, told beside.
    """
    judged = formulas.claims()
    areas = found if found is not None else weka
    if areas is None:
        return tuple(judged)
    beside = weka if found is not None else None
    if len(areas.sets) >= FEWEST_SETS:
        judged.append(different.number_of_curves(len(areas.sets), areas.n_runs))
    sections = (similar, different, conclusions)
    judged += [claim for section in sections for claim in section.claims(areas, beside)]
    return tuple(replace(claim, correction="") if claim.holds else claim for claim in judged)
