"""Reader studies whose truth is known: the model of Roe and Metz (1997).

The rating of a case is a sum of effects: how far apart the classes are in this modality, what this reader
does with this class, how hard this case is, and their interactions. Effects of the two classes are
independent. Averages over readers and cases are normal integrals, so the truth has a closed form, also where
ratings are cut into categories and where the positives spread more than the negatives (Hillis 2012).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocsteady.arrays import Floats, Integers, Mask
from rocsteady.scores.score_set import ScoreSet
from rocsteady.simulate.datasets import add_rows, normal_below, normal_quantile_at

STRUCTURES = ("HL", "LL", "HH", "LH")
"""Correlation of the ratings of a case (high or low), then spread of the readers (low or high)."""
_CASES = {"H": (0.3, 0.3, 0.2, 0.2), "L": (0.1, 0.1, 0.2, 0.6)}
_READERS = {"L": (0.0055, 0.0055, 0.0055), "H": (0.011, 0.030, 0.056)}
SEPARATIONS = (0.75, 1.5, 2.5)


@dataclass(frozen=True)
class DrawnReaders:
    """Ratings of one study, or of many at once (then with a first axis of studies).

    Attributes
    ----------
    positives, negatives : float array, (..., modalities, readers, cases)
    auc : float array, (..., modalities, readers)
        What each of these readers reaches in cases without number.
    case_positives, case_negatives : float array, (..., modalities, cases)
        The mean rating of each of these cases, over readers without number.
    standalone_positives, standalone_negatives : float array, (..., cases)
        Scores of a program for the same cases.
    """

    positives: Floats
    negatives: Floats
    auc: Floats
    case_positives: Floats
    case_negatives: Floats
    standalone_positives: Floats
    standalone_negatives: Floats


@dataclass(frozen=True)
class RoeMetz:
    """A population of readers and cases, rated in several modalities.

    Roe and Metz let the last four variances add up to 1.

    Parameters
    ----------
    auc : sequence of float
        The true AUC of each modality, averaged over readers without number. Equal ones make the null
        hypothesis true.
    var_r, var_tr : float
        Variance of the readers, and of readers within modalities.
    var_c, var_tc : float
        Variance of the cases, and of cases within modalities.
    var_rc, var_trc : float
        Variance of cases within readers, and of what is left: another reading of the same case by the same
        reader in the same modality.
    ratio : float
        Standard deviation of the positives over that of the negatives, for one reader. Where it is not 1, the
        variances of cases are those of the negatives, and those of the positives are ``ratio**2`` times as
        large (Hillis 2012). The variances of readers are the same for both.
    standalone_auc : float
        The true AUC of a program that scores the same cases.

    Examples
    --------
    >>> study = RoeMetz(auc=(0.80, 0.86))
    >>> study.draw(n_readers=5, n_positives=50, n_negatives=50, seed=1)
    ScoreSet(5 readers, 2 models, 1 000 rows, 500 positives)
    >>> RoeMetz.preset("HH", separation=1.5).true_auc().round(4)
    array([0.8485, 0.8485])
    """

    auc: Sequence[float] = (0.8, 0.8)
    var_r: float = 0.0055
    var_tr: float = 0.0055
    var_c: float = 0.3
    var_tc: float = 0.3
    var_rc: float = 0.2
    var_trc: float = 0.2
    ratio: float = 1.0
    standalone_auc: float = 0.8

    def __post_init__(self) -> None:
        if not all(0 < area < 1 for area in (*self.auc, self.standalone_auc)):
            raise ValueError(f"every AUC lies between 0 and 1, got {tuple(self.auc)}, {self.standalone_auc}")
        if min(self.var_r, self.var_tr, self.var_c, self.var_tc, self.var_rc, self.var_trc) < 0:
            raise ValueError("a variance must not be negative")
        if self._case_variance <= 0 or self.ratio <= 0:
            raise ValueError("the ratings of a class must spread, and ratio must be positive")

    @classmethod
    def preset(cls, structure: str, *, separation: float = 1.5, n_modalities: int = 2) -> RoeMetz:
        """One of the twelve populations of Roe and Metz, in which the modalities do not differ.

        Parameters
        ----------
        structure : {"HL", "LL", "HH", "LH"}
            High or low correlation of the ratings of a case; low or high spread of the readers.
        separation : {0.75, 1.5, 2.5}
            Distance of the classes in standard deviations: an AUC of about 0.70, 0.86 and 0.96.
        n_modalities : int
            How many modalities.

        Examples
        --------
        >>> RoeMetz.preset("HL", separation=2.5).var_c, RoeMetz.preset("LH", separation=2.5).var_r
        (0.3, 0.056)
        """
        if structure not in STRUCTURES:
            raise ValueError(f"structure is one of {', '.join(map(repr, STRUCTURES))}, got {structure!r}")
        if separation not in SEPARATIONS:
            raise ValueError(f"separation is one of {', '.join(map(str, SEPARATIONS))}, got {separation}")
        spread = _READERS[structure[1]][SEPARATIONS.index(separation)]
        area = float(normal_below(separation / math.sqrt(2 * (1 + 2 * spread))))
        return cls((area,) * n_modalities, spread, spread, *_CASES[structure[0]])

    # The truth

    @property
    def _case_variance(self) -> float:
        return self.var_c + self.var_tc + self.var_rc + self.var_trc

    @property
    def _reader_variance(self) -> float:
        return self.var_r + self.var_tr

    @property
    def _spread(self) -> float:
        """Standard deviation of the distance of a positive and a negative of one reader."""
        return math.sqrt(2 * self._reader_variance + (1 + self.ratio**2) * self._case_variance)

    def _spread_of(self, ratio: float) -> float:
        """Standard deviation of the ratings of a class, over all readers."""
        return math.sqrt(self._reader_variance + ratio**2 * self._case_variance)

    @property
    def separation(self) -> Floats:
        """Mean of the positives less mean of the negatives, in every modality."""
        return np.asarray(normal_quantile_at(np.asarray(self.auc)) * self._spread)

    def true_auc(self, categories: int | None = None) -> Floats:
        """AUC of every modality, averaged over readers without number.

        ``categories`` is as for :meth:`draw`: ratings that tie cost a little. A reader's effects on the two
        classes are independent, so the mean of a reader's AUC needs only how often each class gets each
        category, over all readers.

        Examples
        --------
        >>> RoeMetz(auc=(0.8, 0.9)).true_auc(5).round(4)
        array([0.7839, 0.8842])
        """
        if categories is None:
            return np.asarray(self.auc, dtype=np.float64)
        cuts = self.cuts(categories)
        below_negative = np.concatenate([[0.0], normal_below(cuts / self._spread_of(1.0)), [1.0]])
        areas = []
        for center in self.separation:
            inner = normal_below((cuts - center) / self._spread_of(self.ratio))
            below = np.concatenate([[0.0], inner, [1.0]])
            areas.append(np.diff(below) @ (below_negative[1:] + below_negative[:-1]) / 2)
        return np.array(areas)

    def mean_tpr(self, fpr: ArrayLike) -> Floats:
        """TPR of the readers without number where each has this FPR: (modalities, ...).

        Examples
        --------
        >>> RoeMetz(auc=(0.8, 0.9)).mean_tpr(0.1).round(4)
        array([0.4666, 0.7036])
        """
        threshold = math.sqrt(self._case_variance) * normal_quantile_at(np.asarray(fpr, dtype=np.float64))
        spread = math.sqrt(2 * self._reader_variance + self.ratio**2 * self._case_variance)
        return np.asarray(normal_below(np.add.outer(self.separation, threshold) / spread))

    def auc_of_cases(self, drawn: DrawnReaders) -> Floats:
        """AUC of every modality on these very cases, averaged over readers without number: (..., modalities).

        Examples
        --------
        >>> study = RoeMetz(auc=(0.8, 0.8))
        >>> study.auc_of_cases(study.draw_arrays(5, 50, 50, seed=1)).round(3)
        array([0.817, 0.782])
        """
        between = drawn.case_positives[..., :, None] - drawn.case_negatives[..., None, :]
        left = self.var_rc + self.var_trc
        spread = math.sqrt(2 * self._reader_variance + (1 + self.ratio**2) * left)
        return np.asarray(normal_below(between / spread).mean(axis=(-2, -1)))

    def cuts(self, categories: int) -> Floats:
        """Where ratings are cut into so many categories: equally far apart, over both classes."""
        if categories < 2:
            raise ValueError(f"ratings need at least 2 categories, got {categories}")
        low = -1.5 * self._spread_of(1.0)
        high = float(self.separation.mean()) + 1.5 * self._spread_of(self.ratio)
        return np.linspace(low, high, categories + 1)[1:-1]

    # Drawing

    def draw(
        self,
        n_readers: int,
        n_positives: int,
        n_negatives: int,
        *,
        seed: int,
        design: str = "crossed",
        paired: float = 0.5,
        categories: int | None = None,
        rows_per_patient: int = 1,
        mixed_patients: bool = True,
        standalone: bool = False,
    ) -> ScoreSet:
        """Draw a study as a set of scores: groups are readers, models are modalities.

        Parameters
        ----------
        n_readers, n_positives, n_negatives : int
            Readers, and cases of each class in the whole study.
        seed : int
            The same seed gives the same study.
        design : str
            ``"crossed"``: everyone reads everything. ``"nested in readers"``: each reader has cases of their
            own, read in all modalities. ``"nested in modalities"``: each modality has cases of its own, read
            by all readers. ``"partially paired"``: a share ``paired`` of the cases is read in all modalities,
            the others in one. ``"readers nested"``: each modality has ``n_readers`` readers of its own.
        paired : float
            For ``"partially paired"``.
        categories : int, optional
            Cut the ratings into 1, 2, ..., categories.
        rows_per_patient, mixed_patients
            As for :meth:`draw_arrays`. With two rows or more, patients are the clusters of the set.
        standalone : bool
            Add a program, as model ``"AI"`` with one group ``"AI"``, that scores every case between 0 and 1.
        """
        drawn = self.draw_arrays(
            n_readers,
            n_positives,
            n_negatives,
            seed=seed,
            design=design,
            rows_per_patient=rows_per_patient,
            mixed_patients=mixed_patients,
        )
        ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)
        if categories is not None:
            ratings = np.searchsorted(self.cuts(categories), ratings) + 1.0
        is_read = read_cells(len(self.auc), n_readers, n_positives, n_negatives, design=design, paired=paired)
        modality, reader, case = np.nonzero(is_read)
        scores = ratings[modality, reader, case]
        names = np.array([f"modality {i + 1}" for i in range(len(self.auc))])[modality].tolist()
        readers = np.array([f"reader {i + 1}" for i in range(ratings.shape[1])])[reader].tolist()
        if standalone:
            own = np.concatenate([drawn.standalone_positives, drawn.standalone_negatives])
            scores = np.concatenate([scores, normal_below(own)])
            names += ["AI"] * own.size
            readers += ["AI"] * own.size
            case = np.concatenate([case, np.arange(own.size)])
        patients = None
        if rows_per_patient > 1:
            numbers = patients_of(n_positives, n_negatives, rows_per_patient, mixed=mixed_patients)
            patients = numbers[case] + 1
        return ScoreSet.from_arrays(
            case < n_positives,
            scores,
            readers,
            models=names,
            cases=case + 1,
            clusters=patients,
            positive=True,
            unit="reader",
            design="readers",
        )

    def draw_arrays(
        self,
        n_readers: int,
        n_positives: int,
        n_negatives: int,
        *,
        seed: int,
        design: str = "crossed",
        n_studies: int | None = None,
        rows_per_patient: int = 1,
        mixed_patients: bool = True,
    ) -> DrawnReaders:
        """Draw the ratings of every reader, modality and case; :func:`read_cells` says which are looked at.

        Parameters
        ----------
        n_readers, n_positives, n_negatives, seed
            As for :meth:`draw`.
        design : str
            As for :meth:`draw`; only ``"readers nested"`` makes a difference here: ``n_readers`` readers for
            each modality are drawn.
        n_studies : int, optional
            Draw so many studies at once, as the first axis.
        rows_per_patient : int
            So many successive cases of each class are of one patient, and have half of the variance of their
            case effects in common: lesions, and places without any.
        mixed_patients : bool
            Whether patients have cases of both classes, or of one only.
        """
        n_modalities = len(self.auc)
        n_drawn = n_readers * n_modalities if design == "readers nested" else n_readers
        shape = () if n_studies is None else (n_studies,)
        random = np.random.default_rng(seed)
        patients = None
        if rows_per_patient > 1:
            patients = patients_of(n_positives, n_negatives, rows_per_patient, mixed=mixed_patients)
        effects = _CaseEffects(random, shape, n_modalities, patients)
        classes, levels, means, standalone = [], [], [], []
        for which, scale, center, own in (
            (slice(0, n_positives), self.ratio, self.separation, self._standalone_separation),
            (slice(n_positives, n_positives + n_negatives), 1.0, np.zeros(n_modalities), 0.0),
        ):
            n = which.stop - which.start
            level = math.sqrt(self.var_r) * random.standard_normal((*shape, 1, n_drawn))
            level = level + math.sqrt(self.var_tr) * random.standard_normal((*shape, n_modalities, n_drawn))
            level = center[:, None] + level
            ease = math.sqrt(self.var_c) * effects.of_cases(which)
            cases = ease + math.sqrt(self.var_tc) * effects.of_cases(which, by_modality=True)
            means.append(center[:, None] + scale * cases[..., 0, :])
            cases = cases + math.sqrt(self.var_rc) * random.standard_normal((*shape, 1, n_drawn, n))
            noise = random.standard_normal((*shape, n_modalities, n_drawn, n))
            classes.append(level[..., None] + scale * (cases + math.sqrt(self.var_trc) * noise))
            levels.append(level)
            rest = math.sqrt(self._case_variance - self.var_c) * random.standard_normal((*shape, n))
            standalone.append(own + scale * (ease[..., 0, 0, :] + rest))
        spread = math.sqrt((1 + self.ratio**2) * self._case_variance)
        auc = np.asarray(normal_below((levels[0] - levels[1]) / spread))
        parts = (*classes, auc, *means, *standalone)
        return DrawnReaders(*parts)

    @property
    def _standalone_separation(self) -> float:
        spread = math.sqrt((1 + self.ratio**2) * self._case_variance)
        return float(normal_quantile_at(self.standalone_auc)) * spread


class _CaseEffects:
    """Standard normal effects of cases; those of one patient have half of their variance in common."""

    def __init__(
        self,
        random: np.random.Generator,
        shape: tuple[int, ...],
        n_modalities: int,
        patients: Integers | None,
    ) -> None:
        self.random, self.shape, self.n_modalities = random, shape, n_modalities
        self.patients = patients
        if patients is not None:  # drawn once, since both classes may be of the same patients
            n = int(patients.max()) + 1
            self.shared = [self._drawn(by_modality, n) for by_modality in (False, True)]

    def _drawn(self, by_modality: bool, n: int) -> Floats:
        return self.random.standard_normal((*self.shape, self.n_modalities if by_modality else 1, 1, n))

    def of_cases(self, which: slice, *, by_modality: bool = False) -> Floats:
        """Effects of some of the cases: (..., 1 or modalities, 1, cases)."""
        own = self._drawn(by_modality, which.stop - which.start)
        if self.patients is None:
            return own
        return (own + self.shared[by_modality][..., self.patients[which]]) / math.sqrt(2)


# Who reads which case in which modality, and which cases are of one patient
# --------------------------------------------------------------------------


DESIGNS = ("crossed", "nested in readers", "nested in modalities", "partially paired", "readers nested")
"""Who reads what; see :meth:`rocsteady.simulate.RoeMetz.draw`."""


def read_cells(
    n_modalities: int,
    n_readers: int,
    n_positives: int,
    n_negatives: int,
    *,
    design: str = "crossed",
    paired: float = 0.5,
) -> Mask:
    """Which reader reads which case in which modality: (modalities, readers, cases), the positives first.

    Examples
    --------
    >>> read_cells(2, 3, 4, 4, design="nested in modalities")[:, 0].astype(int)
    array([[1, 0, 1, 0, 1, 0, 1, 0],
           [0, 1, 0, 1, 0, 1, 0, 1]])
    """
    if design not in DESIGNS:
        raise ValueError(f"design is one of {', '.join(map(repr, DESIGNS))}, got {design!r}")
    # Numbered within the class, so that every reader and every modality gets both.
    number = np.concatenate([np.arange(n_positives), np.arange(n_negatives)])
    modality, reader = np.arange(n_modalities)[:, None, None], np.arange(n_readers)[None, :, None]
    if design == "readers nested":
        owner = np.repeat(np.arange(n_modalities), n_readers)[None, :, None]
        return np.broadcast_to(owner == modality, (n_modalities, owner.size, number.size))
    here: Any = True
    if design == "nested in readers":
        here = number % n_readers == reader
    elif design == "nested in modalities":
        here = number % n_modalities == modality
    elif design == "partially paired":
        size = np.where(np.arange(number.size) < n_positives, n_positives, n_negatives)
        here = (number < paired * size) | (number % n_modalities == modality)
    return np.broadcast_to(here, (n_modalities, n_readers, number.size))


def patients_of(n_positives: int, n_negatives: int, rows_per_patient: int, *, mixed: bool = True) -> Integers:
    """The patient of each case, the positives first: so many successive ones of a class are of the same.

    ``mixed`` patients have positives and negatives, others are of one class.

    Examples
    --------
    >>> patients_of(4, 3, 2).tolist(), patients_of(4, 3, 2, mixed=False).tolist()
    ([0, 0, 1, 1, 0, 0, 1], [0, 0, 1, 1, 2, 2, 3])
    """
    positives, negatives = (
        np.arange(n, dtype=np.int64) // rows_per_patient for n in (n_positives, n_negatives)
    )
    first = 0 if mixed else -(-n_positives // rows_per_patient)
    return np.concatenate([positives, first + negatives])


# The reader study of the documentation: six readers, two modalities, a program that scores all cases
# ---------------------------------------------------------------------------------------------------


_MODALITIES = ("film", "digital")
_N_READERS = 6
_STUDY = RoeMetz(
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
_SCALE = 100


def reader_study(
    *, n_positives: int = 50, n_negatives: int = 70, seed: int = 16, standalone: bool = True
) -> dict[str, list[Any]]:
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
    drawn = _STUDY.draw_arrays(_N_READERS, n_positives, n_negatives, seed=seed)
    random = np.random.default_rng([seed, 1])
    # Cases come in no order of the truth, as in a reading room.
    order = random.permutation(n_positives + n_negatives)
    ratings = np.concatenate([drawn.positives, drawn.negatives], axis=-1)[..., order]
    truths = np.where(order < n_positives, "cancer", "normal").tolist()
    cases = [f"case-{i + 1:03d}" for i in range(order.size)]
    scale = 0.5 + np.tanh((ratings - _STUDY.separation.mean() / 2) / 2) / 2
    shown = np.clip(5 * np.round(_SCALE * scale / 5), 1, _SCALE)
    columns: dict[str, list[Any]] = {}

    def add(reader: str, modality: str, values: Floats) -> None:
        names = {"reader": [reader] * order.size, "modality": [modality] * order.size}
        add_rows(columns, **names, case=cases, truth=truths, rating=values.tolist())

    for m, modality in enumerate(_MODALITIES):
        for r in range(_N_READERS):
            add(f"reader-{r + 1}", modality, shown[m, r])
    if standalone:
        own = np.concatenate([drawn.standalone_positives, drawn.standalone_negatives])[order]
        add("AI", "AI", (1 / (1 + np.exp(1.5 - 1.5 * own))).round(3))
    return columns
