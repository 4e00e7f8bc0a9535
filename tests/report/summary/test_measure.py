"""How differences and their limits are written."""

from __future__ import annotations

from rocsteady.report.summary.comparing.measure import Measure


def test_a_limit_that_is_not_zero_is_not_written_as_zero() -> None:
    tpr = Measure("tpr", "true positive rate", "TPR", "", True, False, False)
    assert tpr.sizes(0.003, 0.14) == "0.3 to 14.0"
    assert tpr.size(0.07, 0.003, 0.14) == "7.0"
    assert tpr.limits(0.0004, 0.2009) == "+0.04 to +20.09"
    assert tpr.limits(-0.1, 0.2) == "\u221210.0 to +20.0"
    assert tpr.limits(0.0, 0.2) == "0.0 to +20.0"
    auc = Measure("auc", "mean AUC", "AUC", "", False, False, False)
    assert auc.limits(-0.08812, 0.00027) == "\u22120.0881 to +0.0003"
    assert auc.signed(-0.0439, -0.08812, 0.00027) == "\u22120.0439"
