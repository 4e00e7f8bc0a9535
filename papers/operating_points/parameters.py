"""The settings of the reproduction: what the paper gives, and what it leaves open and was chosen here.

The paper gives the classes, the sizes, ten stratified folds, 30 operating points and the level of the tests.
It does not say how the 30 thresholds are taken from the outputs (here: evenly by rank, ends included), nor
which points were chosen by hand (here: the strictest with a TPR of at least 0.9; of three classes the first
point of the search).
"""

from __future__ import annotations

from dataclasses import dataclass

N_FOLDS = 10
N_POINTS = 30
LEVEL = 0.05
CHOSEN_TPR = 0.9
FIGURE_1_SIZE = 100
FIGURE_2_SIZES = (50, 200)
"""Cases of each class."""
LIMIT_TPRS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Where the detector is held against its limit for ever more cases."""


@dataclass(frozen=True)
class Test:
    """A way to test whether two points differ.

    Attributes
    ----------
    name : str
        For tables and files.
    df : str
        Degrees of freedom.
    test_train_ratio : float
        Test cases over training cases, where the variance allows for training cases that folds share
        (Nadeau and Bengio).
    adjust : str or None
        Whether p-values allow for the number of points.
    """

    name: str
    df: str = "n-1"
    test_train_ratio: float = 0.0
    adjust: str | None = None


PRINTED = Test("df 18", df="2n-2")
PLAIN = Test("df 9")
CORRECTED = Test("Nadeau-Bengio", test_train_ratio=1 / 9)
HOLM = Test("df 9, Holm", adjust="holm")
TESTS = (PRINTED, PLAIN, CORRECTED, HOLM)
"""The paper's test first."""
