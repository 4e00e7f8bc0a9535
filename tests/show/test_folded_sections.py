"""More data, smROC curves and methods: what they say follows the core's results, in the words of the trade."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

import rocsteady as rs
from every_value import HOSTILE, readers_only
from rocsteady.show import html
from rocsteady.show.document import Command, Figure, Fold, Items, Table, flat, plain
from rocsteady.show.report import page_of
from rocsteady.show.sections import methods, plan, smroc
from rocsteady.show.tables import text as as_text
from rocsteady.text import SMAUC, Rate

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")


@cache
def study(kind: str = "shared", words: str = "ml", n_models: int = 2, mid: float | None = None) -> rs.Study:
    rng = np.random.default_rng(0)
    n_groups = 1 if kind == "one" else 8
    truth, groups = np.tile([0, 1], 25 * n_groups), np.repeat(np.arange(n_groups), 50)
    values = {
        f"{k}{HOSTILE}": 1 / (1 + np.exp(-truth - rng.normal(size=truth.size))) for k in range(n_models)
    }
    design = "cross-validation" if kind == "folds" else "independent"
    scores = rs.ScoreSet.from_arrays(
        truth, values if n_models > 1 else values["0" + HOSTILE], None if n_groups == 1 else groups,
        unit=f"host{HOSTILE}", design=None if n_groups == 1 else design,
    )  # fmt: skip
    uses = {
        "shared": rs.Deployment("shared", at={"fpr": 0.1}),
        "own": rs.Deployment("own", at={"fpr": 0.1}),
        "folds": rs.Deployment("own", at={"fpr": 0.1}),
        "balance": rs.Deployment("own", hold="balance"),
    }
    at = {"fpr": 0.1} if kind == "one" else ()
    command = "rocsteady report 'a b.csv' --seed 0"
    return rs.Study(scores, uses.get(kind), at=at, words=words, mid=mid, command=command)


AREA = ("estimate", "interval")
KINDS = ("shared", "own", "folds", "balance", "one", "undeclared")


@pytest.mark.parametrize("section", [plan, smroc, methods])
@pytest.mark.parametrize("words", ["ml", "medical", "biometric"])
@pytest.mark.parametrize("kind", KINDS)
def test_they_are_said_in_three_vocabularies_and_obey_no_name(section, words, kind) -> None:
    found = study(kind, words)
    blocks = section.make(found)
    said = plain(blocks, found.words) + "".join(
        as_text(own, found.words) for own in flat(blocks) if isinstance(own, Table)
    )
    assert not re.search(r"[{}]|\bnan\b|\bNone\b|not known", said.replace(HOSTILE, ""))
    assert "\x1b" not in said
    if words != "ml":
        assert not re.search(r"\b(TPR|FPR)\b", said)
    written = html.fragment(blocks, found.words)
    assert "<script" not in written
    assert "\x1b" not in written


def test_a_plan_is_that_of_the_core() -> None:
    found = study("own")
    core = rs.plan(
        found.scores, measure={"fpr": 0.1}, models=found.models, undefined="drop", unmatched="drop"
    )
    assert found.plan == core or found.plan.to_dict() == core.to_dict()
    lead, fold = plan.make(found)
    assert isinstance(fold, Fold)
    table = next(own for own in fold.blocks if isinstance(own, Table))
    assert [row[0].n for row in table.rows] == [8, 16, 32]
    width = table.rows[0][1].values["width"].value
    assert width == core.table([8], [1.0]).half_width[0]
    assert "16" in lead.plain(found.words)


def test_a_plan_of_readers_has_a_row_for_each_number_of_them() -> None:
    found = rs.Study(readers_only(), n_resamples=200)
    (table,) = (own for own in flat(plan.make(found)) if isinstance(own, Table))
    assert len(table.rows) == len(found.plan.table)
    assert table.rows[table.marked][0].n == found.plan.n_readers
    assert len(plan.blocks(found.plan)) == 2


def test_no_plan_says_why() -> None:
    rows = rs.ScoreSet.from_arrays([0, 1, 0, 1], [1, 2, 3, 4], list("aabb"), unit="host")
    (said,) = plan.make(rs.Study(rows))
    assert "RS069" in said.plain()


def test_smroc_curves_are_only_of_probabilities() -> None:
    found = study("own")
    blocks = list(flat(smroc.make(found)))
    (table,) = (own for own in blocks if isinstance(own, Table))
    assert table.rows[0][1] == Rate(SMAUC, *(getattr(found.smroc_area(found.models[0]), own) for own in AREA))
    assert found.smroc_area(found.models[0]).estimate == pytest.approx(found.smroc(found.models[0]).auc)
    assert sum(isinstance(own, Figure) for own in blocks) == 1
    scores = found.scores.columns
    other = rs.ScoreSet.from_arrays(scores.labels, 10 * scores.scores)
    assert smroc.make(rs.Study(other)) == []


def test_nothing_is_said_where_mid_is_outside_unless_a_mid_is_named() -> None:
    rare = rs.ScoreSet.from_arrays(np.arange(400) < 60, np.linspace(0.9, 0.3, 400))
    with warnings.catch_warnings(record=True) as met:
        found = rs.Study(rare)
        assert (smroc.make(found), found.smroc_models, found.to_dict("smroc")["smroc"]) == ([], (), None)
    assert not met
    assert not found.warnings
    assert [own.code for own in _asked(rs.Study(rare, mid="paper")).warnings] == ["RS260"]
    assert smroc.make(rs.Study(rare, mid=0.5))


def _asked(found: rs.Study) -> rs.Study:
    assert smroc.make(found)
    return found


def test_models_are_compared_by_their_smaucs() -> None:
    for kind, n_models in (("own", 2), ("folds", 2), ("one", 2), ("folds", 3)):
        found = study(kind, n_models=n_models)
        said = plain(smroc.make(found), found.words)
        if n_models == 2:
            assert "Permutation test, the models exchanged in" in said
            assert f"has the larger {'' if kind == 'one' else 'mean '}smAUC, but not significantly: " in said
            assert ("the trained models are fixed" in said) == (kind == "folds")
        else:
            tables = [own for own in flat(smroc.make(found)) if isinstance(own, Table)]
            assert [own.name for own in tables] == ["smroc", "smauc"]
            assert len(tables[1].rows) == 3


def overconfident(names: Sequence[str] = ("sure", "timid")) -> rs.ScoreSet:
    """Few positives: "sure" is nearly 0 or 1 whatever the label, so its Mid is beyond 1."""
    rng, sick = np.random.default_rng(4), np.arange(240) % 12 == 0
    timid = np.where(sick, rng.uniform(0.2, 0.9, 240), rng.uniform(0.0, 0.1, 240))
    made = {"sure": rng.choice([0.01, 0.99], 240), "timid": timid}
    return rs.ScoreSet.from_arrays(sick, {name: made[name] for name in names})


def test_a_model_without_a_smroc_curve_is_named_with_its_mid() -> None:
    found = rs.Study(overconfident())
    assert found.smroc_models == ("timid",)
    said = plain(smroc.make(found), found.words)
    mid = 0.5 * overconfident().model("sure").columns.scores.sum() / 20
    assert f"No smROC curve is shown of sure ({mid:.3g}): the paper's Mid leaves 0 to 1" in said
    assert "No smROC curve" not in plain(smroc.make(rs.Study(overconfident(["timid"]))), found.words)


def test_a_section_that_was_asked_for_says_why_it_is_empty() -> None:
    left_out = rs.Study(overconfident(["sure"]))
    (mids,) = left_out.smroc_left_out.values()
    assert (mids > 1).any()
    assert left_out.smroc_left_out is left_out.smroc_left_out
    assert rs.Study(overconfident(["sure"]), mid=0.5).smroc_left_out == {}
    assert "No smROC curve is shown of" in page_of(left_out, sections=["smroc"])
    assert "No smROC curve" not in page_of(left_out)
    given = overconfident(["sure"]).columns
    nameless = rs.Study(rs.ScoreSet.from_arrays(given.labels, given.scores))
    assert "The paper&#39;s Mid is " in page_of(nameless, sections=["smroc"])
    scores = overconfident(["timid"]).columns
    others = rs.Study(rs.ScoreSet.from_arrays(scores.labels, 10 * scores.scores))
    assert "they need scores from 0 to 1" in page_of(others, sections=["smroc"])
    assert "Nothing to say here of these scores" in page_of(others, sections=["readers"])


def test_methods_name_smroc_where_the_page_has_it() -> None:
    for kind, n_models in (("own", 2), ("folds", 3)):
        found = study.__wrapped__(kind, n_models=n_models)
        assert "Klement" not in plain(methods.make(found), found.words)
        smroc.make(found)
        said = plain(methods.make(found), found.words)
        assert (
            "In smROC curves (Klement et al. 2011) scores from Mid on are high, Mid being the paper's" in said
        )
        assert "permutations of the labels" in said
        blocks = flat(methods.make(found))
        listed = [own.plain() for block in blocks if isinstance(block, Items) for own in block.texts]
        assert any(own.startswith("Klement, William") for own in listed)
        assert "Models were also compared by smAUC" in said
        found = study(kind, n_models=n_models, mid=0.25)
        smroc.make(found)
        assert "Mid being 0.25, prespecified" in plain(methods.make(found), found.words)


def test_models_at_chance_are_named_below_a_table_of_pairs() -> None:
    rng, given = np.random.default_rng(4), overconfident(["sure"]).columns
    own = {name: overconfident().model(name).columns.scores for name in ("sure", "timid")}
    three = rs.ScoreSet.from_arrays(given.labels, own | {"third": rng.uniform(0.0, 0.3, 240)})
    found = rs.Study(three, mid="clipped")
    said = plain(smroc.make(found), found.words)
    assert re.search(r"Not above chance by smAUC: .*sure \(p = 0\.\d+\)", said)
    assert "timid (p" not in said


def test_methods_cite_what_they_list_and_say_how_to_make_it_again() -> None:
    for kind in KINDS:
        found = study(kind, n_models=3 if kind == "folds" else 2)
        blocks = list(flat(methods.make(found)))
        said = plain(blocks, found.words)
        listed = [own for block in blocks if isinstance(block, Items) for own in block.texts]
        years = {re.search(r"\((\d{4})\)", own.plain())[1] for own in listed}
        assert years <= set(re.findall(r"\d{4}", said))
        assert set(re.findall(r"[A-Z]\w+ (?:et al\. )?(\d{4})", said.partition("To be added")[0])) <= years
        (command,) = (own for own in blocks if isinstance(own, Command))
        assert command.arguments == ("rocsteady", "report", "a b.csv", "--seed", "0")
    assert "adjusted (Holm 1979)" in plain(methods.make(study("folds", n_models=3)), found.words)
