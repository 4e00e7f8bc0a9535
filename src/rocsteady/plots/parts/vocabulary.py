"""The same rates in the words of machine learning, of medicine and of biometrics."""

from __future__ import annotations

from dataclasses import dataclass

from rocsteady.options import one_of


@dataclass(frozen=True)
class Vocabulary:
    """What a field calls the rates.

    Attributes
    ----------
    fpr, tpr, fnr : str
        On an axis.
    fpr_short, tpr_short, fnr_short : str
        In a key.
    precision, recall : str
        On the axes of a precision-recall curve.
    fpr_at, tpr_at : (str, bool)
        Of a point, in a key: the rate that is named there, and whether that is one less the other.
    positives, negatives : str
        The cases of both classes.
    """

    fpr: str
    tpr: str
    fnr: str
    fpr_short: str
    tpr_short: str
    fnr_short: str
    precision: str
    recall: str
    fpr_at: tuple[str, bool]
    tpr_at: tuple[str, bool]
    positives: str = "positive"
    negatives: str = "negative"

    def at(self, rate: str, value: float) -> tuple[str, float]:
        """What is said of a rate at a point: its name, and how large it is.

        >>> vocabulary("biometric").at("tpr", 0.75), vocabulary("ml").at("tpr", 0.75)
        (('FNMR', 0.25), ('TPR', 0.75))
        """
        name, is_rest = self.fpr_at if rate == "fpr" else self.tpr_at
        return name, round(1 - value, 15) if is_rest else value


VOCABULARIES = {
    "ml": Vocabulary(
        fpr="false positive rate",
        tpr="true positive rate",
        fnr="false negative rate",
        fpr_short="FPR",
        tpr_short="TPR",
        fnr_short="FNR",
        precision="precision",
        recall="recall",
        fpr_at=("FPR", False),
        tpr_at=("TPR", False),
    ),
    "medical": Vocabulary(
        fpr="1 - specificity (false positive rate)",
        tpr="sensitivity (true positive rate)",
        fnr="1 - sensitivity (false negative rate)",
        fpr_short="1 - specificity",
        tpr_short="sensitivity",
        fnr_short="1 - sensitivity",
        precision="positive predictive value (precision)",
        recall="sensitivity (recall)",
        fpr_at=("specificity", True),
        tpr_at=("sensitivity", False),
    ),
    "biometric": Vocabulary(
        fpr="false match rate (FMR)",
        tpr="1 - FNMR",
        fnr="false non-match rate (FNMR)",
        fpr_short="FMR",
        tpr_short="1 - FNMR",
        fnr_short="FNMR",
        precision="precision",
        recall="1 - FNMR (recall)",
        fpr_at=("FMR", False),
        tpr_at=("FNMR", True),
        positives="genuine score",
        negatives="impostor score",
    ),
}
"""By the value of ``words``."""
_ELSEWHERE = {
    "medicine": "medical",
    "clinical": "medical",
    "diagnostic": "medical",
    "biometrics": "biometric",
    "machine learning": "ml",
}


def vocabulary(words: object) -> Vocabulary:
    """The words of a field; RS001 for a field that is not known.

    >>> vocabulary("medical").tpr
    'sensitivity (true positive rate)'
    """
    return VOCABULARIES[one_of("words", words, tuple(VOCABULARIES), elsewhere=_ELSEWHERE)]
