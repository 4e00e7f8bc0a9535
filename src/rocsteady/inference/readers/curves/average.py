"""``average_curve``: the average curve of a modality, whose area is the mean AUC of its readers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rocsteady.averaging.average import average
from rocsteady.averaging.directional import DirectionalAverage
from rocsteady.averaging.methods import method_of
from rocsteady.errors import fail
from rocsteady.inference.readers.asked import what_is_random
from rocsteady.inference.readers.covariance import Draws
from rocsteady.inference.readers.curves.curve import HOLDS, ReaderAverageCurve
from rocsteady.inference.readers.curves.errors import ModalityCases
from rocsteady.inference.readers.study import ReaderRatings, reader_ratings
from rocsteady.inference.readers.wording import random_words
from rocsteady.options import one_of, open_share, resamples_asked, whole_number
from rocsteady.scores.columns import unknown_name
from rocsteady.scores.score_set import ScoreSet

_ELSEWHERE = {"vertical": "fpr", "specificity": "fpr", "horizontal": "tpr", "sensitivity": "tpr"}


def average_curve(
    study: ReaderRatings | ScoreSet,
    modality: object = None,
    *,
    hold: str = "fpr",
    readers: str = "random",
    cases: str = "random",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 0,
    threads: int | None = None,
) -> ReaderAverageCurve:
    """The average curve of one modality, whose area is the mean AUC of its readers.

    Parameters
    ----------
    study : ReaderRatings or ScoreSet
        Groups are readers, models modalities, cases are named.
    modality : str, optional
        Which one; not needed if there is one.
    hold : {"fpr", "tpr"}
        The rate that is the same for every reader: sensitivities are averaged at equal specificity, or
        specificities at equal sensitivity.
    readers, cases : {"random", "fixed"}
        What intervals hold for.
    confidence_level : float
        Of intervals and bands, unless these are asked for another one; between 0 and 1.
    n_resamples, seed, threads
        Of the bootstrap of cases, which are drawn for all readers together.

    Examples
    --------
    >>> import numpy as np
    >>> import rocsteady as rs
    >>> rng = np.random.default_rng(1)
    >>> sick = np.repeat([1, 0], 40)
    >>> case, reader = np.tile(np.arange(80), 5), np.repeat(np.arange(5), 80)
    >>> ratings = np.tile(rng.normal(size=80) + 1.5 * sick, 5) + rng.normal(size=400)
    >>> study = rs.ScoreSet.from_arrays(np.tile(sick, 5), ratings, reader, cases=case, unit="reader")
    >>> curve = average_curve(study)
    >>> curve
    ReaderAverageCurve(all, vertical, 5 readers, AUC 0.8266)
    >>> point = curve.at(specificity=0.8)
    >>> round(point.sensitivity, 4), round(point.interval.low, 2), round(point.interval.high, 2)
    (0.71, 0.58, 0.8)
    """
    one_of("hold", hold, tuple(HOLDS), elsewhere=_ELSEWHERE)
    what_is_random(readers, cases)
    level = open_share("confidence_level", confidence_level)
    resamples_asked(n_resamples)
    whole_number("seed", seed, least=0, example=0)
    if not isinstance(study, ReaderRatings):
        study = reader_ratings(study, least_modalities=1, function="average_curve")
    which = _modality_index(study, modality)
    own = ModalityCases.of(study, which)
    averaged = average(_as_score_set(study, own), method_of(HOLDS[hold]), threads=threads)
    assert isinstance(averaged, DirectionalAverage)
    return ReaderAverageCurve(
        modality=study.modalities[which],
        hold=hold,
        readers=own.readers,
        unit=study.unit,
        classes=study.classes,
        n_positives=int((own.is_read.any(axis=0) & own.truth).sum()),
        n_negatives=int((own.is_read.any(axis=0) & ~own.truth).sum()),
        readers_are=readers,
        cases_are=cases,
        random=random_words(
            study.unit, readers, cases, len(own.readers), patients=study.clusters is not None
        ),
        confidence_level=level,
        _average=averaged,
        _cases=own,
        _draws=Draws(n_resamples, seed, threads),
    )


def _modality_index(study: ReaderRatings, modality: object) -> int:
    names = study.modalities
    if modality is None:
        if len(names) == 1:
            return 0
        raise fail("RS002.average-curve", n=len(names), known=", ".join(names[:6]), first=names[0])
    if str(modality) not in names:
        raise unknown_name(str(modality), names, "modality")
    return names.index(str(modality))


def _as_score_set(study: ReaderRatings, own: ModalityCases) -> ScoreSet:
    """One modality as scores, readers being the groups; ratings run as they did."""
    reader, case = np.nonzero(own.is_read)
    sign = 1.0 if study.higher_is_positive else -1.0
    made = ScoreSet.from_arrays(
        own.truth[case],
        sign * own.ratings[reader, case],
        np.array(own.readers, dtype=object)[reader],
        positive=True,
        higher_is_positive=study.higher_is_positive,
        unit=study.unit,
    )
    return replace(made, classes=study.classes)
