"""The reader study of the documentation: six readers, two modalities, and a program that scores all cases."""

from __future__ import annotations

import numpy as np

from rocsteady.simulate.roe_metz import RoeMetz

MODALITIES = ("film", "digital")
N_READERS = 6
STUDY = RoeMetz(
    auc=(0.82, 0.88),
    var_r=0.03,
    var_tr=0.03,
    var_c=0.45,
    var_tc=0.1,
    var_rc=0.2,
    var_trc=0.25,
    ratio=1.2,
    standalone_auc=0.87,
)
SCALE = 100


def reader_study(
    *, n_positives: int = 50, n_negatives: int = 70, seed: int = 16, standalone: bool = True
) -> dict[str, list[str] | list[int] | list[float]]:
    """Draw the reader study of the documentation: six readers, two modalities, the same cases throughout.

    Every reader rates every case in both modalities from 1 (surely normal) to 100 (surely cancer), in steps
    of five, as people do. A program, ``AI``, scores each case once, between 0 and 1, so its scores cannot be
    held against the readers' ratings; its ROC curve can. In the population the mean AUC of the readers rises
    by about 0.06 from film to digital.

    Parameters
    ----------
    n_positives, n_negatives : int
        Cases with and without cancer.
    seed : int
        The same seed gives the same study.
    standalone : bool
        Whether the program's rows are there, as modality ``AI`` of reader ``AI``.

    Returns
    -------
    dict
        Columns ``reader``, ``modality``, ``case``, ``truth`` and ``rating``, one row per rating.

    Examples
    --------
    >>> table = reader_study()
    >>> {name: column[0] for name, column in table.items()}
    {'reader': 'reader-1', 'modality': 'film', 'case': 'case-001', 'truth': 'cancer', 'rating': 30.0}
    >>> len(table["rating"])
    1560
    """
    drawn = STUDY.draw_arrays(N_READERS, n_positives, n_negatives, seed=seed)
    random = np.random.default_rng([seed, 1])
    # Cases come in no order of the truth, as in a reading room.
    order = random.permutation(n_positives + n_negatives)
    ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)[..., order]
    truths = np.where(order < n_positives, "cancer", "normal").tolist()
    cases = [f"case-{i + 1:03d}" for i in range(order.size)]
    scale = 0.5 + np.tanh((ratings - STUDY.separation.mean() / 2) / 2) / 2
    shown = np.clip(5 * np.round(SCALE * scale / 5), 1, SCALE)
    columns: dict[str, list[str]] = {"reader": [], "modality": [], "case": [], "truth": []}
    values: list[float] = []
    for m, modality in enumerate(MODALITIES):
        for r in range(N_READERS):
            _add(columns, f"reader-{r + 1}", modality, cases, truths)
            values += shown[m, r].tolist()
    if standalone:
        own = np.concatenate([drawn.standalone_positives, drawn.standalone_negatives])[order]
        _add(columns, "AI", "AI", cases, truths)
        values += (1 / (1 + np.exp(1.5 - 1.5 * own))).round(3).tolist()
    return {**columns, "rating": values}


def _add(
    columns: dict[str, list[str]], reader: str, modality: str, cases: list[str], truths: list[str]
) -> None:
    """Another block of rows: every case once."""
    columns["reader"] += [reader] * len(cases)
    columns["modality"] += [modality] * len(cases)
    columns["case"] += cases
    columns["truth"] += truths
