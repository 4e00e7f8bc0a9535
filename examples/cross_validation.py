"""How do I draw the ROC curve of a cross-validation?

In the way of scikit-learn, but with an average that is said by its name, and a band. Ten folds share
training data, so the band is about these folds; it is not a test.

    DirectionalAverage(vertical, 10 folds, AUC 0.8949)
    Mean over 10 folds: each fold sets its own threshold to the same FPR, and the TPR is averaged.
"""

import sys
from pathlib import Path

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold, cross_validate

import rocsteady as rs

features, is_first = rs.simulate.highleyman(400, seed=1)
folds = StratifiedKFold(10, shuffle=True, random_state=0)
found = cross_validate(
    LinearDiscriminantAnalysis(), features, is_first, cv=folds, return_estimator=True, return_indices=True
)
display = rs.RocAverageDisplay.from_cv_results(found, features, is_first, method="vertical", name="LDA")
print(display.average)
print(display.average.reading)

folder = sys.argv[1] if sys.argv[1:] else Path(__file__).parent
rs.plot.save(display.ax_, Path(folder) / "cross_validation.png", dpi=200)
