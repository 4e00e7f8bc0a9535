"""Names of models, groups and columns are never read out of sentences."""

import numpy as np
import pytest

import rocsteady as rs


def two_models(names, *, lacking=((4, 0), (4, 1)), groups=tuple("abcdefghi"), unit="host"):
    """Two models in nine groups; ``lacking`` are the groups in which a model has no positives."""
    rng = np.random.default_rng(0)
    rows = {unit: [], "model": [], "y": [], "s": []}
    for g, group in enumerate(groups):
        for k, model in enumerate(names):
            labels = np.arange(20) % 2 if (g, k) not in lacking else np.zeros(20, dtype=int)
            rows[unit] += [group] * 20
            rows["model"] += [model] * 20
            rows["y"] += labels.tolist()
            rows["s"] += (rng.normal(size=20) + labels).tolist()
    return rs.ScoreSet.from_frame(rows, label="y", score="s", group=unit, model="model")


@pytest.mark.parametrize("names", [("old", "new"), ("CNN (v1)", "CNN (v2)"), ("a: no positives (b)", "b")])
def test_groups_that_all_models_lack_are_told_once_whatever_models_are_called(names):
    found = rs.compare(two_models(names), *names, method="vertical", undefined="drop")
    assert found.undefined == ("e: no positives",)
    one = two_models(names, lacking=[(4, 0), (4, 1), (5, 1)])
    found = rs.compare(one, *names, method="vertical", undefined="drop", random="groups")
    assert found.undefined == ("e: no positives", f"f: no positives ({names[1]})")
    assert rs.winner_map(one, *names, undefined="drop", random="groups").undefined == found.undefined


def test_a_group_is_not_taken_for_another_whose_name_begins_like_its_own():
    groups = ("a", "a: b", *"cdefghi")
    curves = rs.roc_curves(
        two_models(("m", "n"), groups=groups, lacking=[(1, 0), (1, 1)]).model("m"), undefined="drop"
    )
    assert curves.undefined == ("a: b: no positives",)
    with pytest.raises(KeyError, match="has no curve"):
        curves["a: b"]
    without_a = rs.roc_curves(
        two_models(("m", "n"), groups=("a: b", *"cdefghij"), lacking=[(0, 0), (0, 1)]).model("m"),
        undefined="drop",
    )
    with pytest.raises(KeyError, match="there is no curve"):
        without_a["a"]


def test_advice_names_groups_as_they_are_called():
    groups = ("a", "b: no positives", *"cdefghi")
    scores = two_models(("m", "n"), groups=groups, lacking=[(1, 0), (1, 1)]).model("m")
    advice = rs.advise(rs.Deployment(threshold="own", hold="fpr", at=0.05), scores)
    (left_out,) = [warning for warning in advice.warnings if warning.code == "RS201"]
    assert left_out.found == "b: no positives"


@pytest.mark.parametrize("unit", ["scaffold", "cv_fold", "outerFold", "Fold01"])
def test_no_word_for_a_group_makes_it_a_fold(unit):
    names = ("old", "new")
    found = rs.compare(two_models(names, lacking=(), unit=unit), *names, method="vertical")
    assert "share training" not in found.reading
    assert found.test_train_ratio == 0
    said = two_models(names, lacking=(), unit=unit).with_design("cross-validation")
    assert "shared training" in rs.compare(said, *names, method="vertical").reading
    advice = rs.advise(rs.Deployment(threshold="shared"), two_models(names, unit=unit).model("old"))
    assert "RS311" not in {warning.code for warning in advice.warnings}
