"""The comparison: the same numbers in all renderers and vocabularies, the core's own, and only what was asked."""

from __future__ import annotations

import numpy as np
import pytest
from tests.show.renderers import HOSTILE, Page, check, hosts, in_all_words, numbers, printed, reader_study

import rocsteady as rs
from rocsteady.inference.differences import Budget, Difference
from rocsteady.show.document import Figure, Table, flat
from rocsteady.show.sections import comparison
from rocsteady.show.sentences import comparing
from rocsteady.study import Study
from rocsteady.text import BIOMETRIC, FPR, MEDICAL, ML, TPR, Gap, Rate

SHARED = rs.Deployment("shared", at={"fpr": 0.05})
USES = {
    "shared": (SHARED, {}),
    "own": (rs.Deployment("own", at={"fpr": 0.05}), {}),
    "pooled": (rs.Deployment("shared", weigh="rows", at={"tpr": 0.8}), {}),
    "threshold": (rs.Deployment("shared", at={"threshold": 2}), {}),
    "budget": (rs.Deployment("shared"), {"at": {"alerts": 0.01}}),
    "found": (rs.Deployment("shared"), {"at": "eer"}),
    "undeclared": (None, {}),
}


@pytest.fixture(scope="module")
def scores() -> rs.ScoreSet:
    return hosts()


@pytest.mark.parametrize("use", USES)
def test_every_renderer_and_vocabulary_shows_the_same_numbers(scores, use):
    deployment, options = USES[use]
    of_differences = []
    for study in in_all_words(scores, deployment, **options):
        blocks = comparison.make(study)
        text = check(blocks, study.words)
        of_differences.append([own for own in numbers(text) if own[0] in "+−"])
    as_size = [sorted(own.lstrip("+−") for own in each) for each in of_differences]
    # a complement turns signs, not sizes; the example of biometrics is another one
    assert as_size[0] == as_size[1]
    assert use == "undeclared" or as_size[1] == as_size[2]


def test_the_section_shows_what_compare_gives(scores):
    study = Study(scores, SHARED, words="medical")
    text = printed(comparison.make(study), study.words)
    found = rs.compare(scores, *study.models, method=SHARED, at={"fpr": 0.05}, undefined="drop")
    for own in (found.at[0], found.area):
        quantity = comparing.measure(own).quantity
        assert Gap(quantity, own.difference, own.interval).spell(MEDICAL, "cell") in text
    assert Rate(TPR, found.at[0].a_value, found.at[0].a_interval).spell(MEDICAL, "cell") in text


def test_a_false_positive_rate_becomes_a_specificity_with_its_limits(scores):
    ml, medical, _ = (study for study in in_all_words(scores, rs.Deployment("shared", at={"tpr": 0.8})))
    own = ml.compare(*ml.models).at[0]
    rate, gap = Rate(FPR, own.a_value, own.a_interval), Gap(FPR, own.difference, own.interval)
    for study, words in ((ml, ML), (medical, MEDICAL)):
        text = printed(comparison.make(study), study.words)
        assert rate.spell(words, "cell") in text
        assert gap.spell(words, "cell") in text
    turned = [
        float(part)
        for part in rate.spell(MEDICAL, "cell").replace("%", "").replace("(", "").rstrip(")").split()
        if part != "to"
    ]
    plain = [
        float(part)
        for part in rate.spell(ML, "cell").replace("%", "").replace("(", "").rstrip(")").split()
        if part != "to"
    ]
    assert np.allclose(turned, [100 - plain[0], 100 - plain[2], 100 - plain[1]])


def test_the_better_model_is_named_first_and_differences_are_a_less_b(scores):
    for models in (("candidate", "current"), ("current", "candidate")):
        own = rs.compare(scores, *models, method="vertical", at={"fpr": 0.05}, undefined="drop").at[0]
        text = comparing.verdict(own).plain()
        assert text.startswith("candidate is better than current: its TPR at FPR 5 % is 7.2 points higher")
        assert (own.difference > 0) == (models[0] == "candidate")
    assert "FNMR at FPR" not in comparing.verdict(own).plain(BIOMETRIC)
    assert "FNMR at FMR 5 % is 7.2 points lower" in comparing.verdict(own).plain(BIOMETRIC)


def difference(scores: rs.ScoreSet, **changes) -> Difference:
    from dataclasses import replace

    own = rs.compare(
        scores, "current", "candidate", method="vertical", at={"fpr": 0.05}, undefined="drop"
    ).at[0]
    return replace(own, **changes)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"pvalue": 0.062, "adjusted_pvalue": 0.062, "flip_pvalue": 0.017},
            "The two tests disagree: t test p = 0.062, sign-flip test p = 0.017.",
        ),
        (
            {"pvalue": 0.017, "adjusted_pvalue": 0.017, "flip_pvalue": 0.062},
            "The two tests disagree: t test p = 0.017, sign-flip test p = 0.062.",
        ),
        ({"pvalue": 0.2, "adjusted_pvalue": 0.2, "flip_pvalue": 0.3}, "is not significantly better than"),
        ({"pvalue": 0.01, "adjusted_pvalue": 0.03}, "p = 0.030 (adjusted for the number of pairs)"),
        (
            {"pvalue": float("nan"), "adjusted_pvalue": float("nan")},
            "nothing varies, so this cannot be tested",
        ),
        (
            {"difference": 0.0, "pvalue": 1.0, "adjusted_pvalue": 1.0, "flip_pvalue": 1.0},
            "have the same TPR at FPR 5 %",
        ),
    ],
)
def test_how_sure_it_is(scores, changes, said):
    found = difference(scores, **changes)
    assert said in comparing.verdict(found).plain()
    assert found.tests_disagree == ("disagree" in said)


def test_flips_of_so_few_groups_that_they_never_decide_do_not_disagree(scores):
    from dataclasses import replace

    found = difference(scores, pvalue=0.01, adjusted_pvalue=0.01, flip_pvalue=0.125)
    few = replace(found, facts=replace(found.facts, n_groups=4))
    assert not few.tests_disagree
    assert found.tests_disagree


def test_only_the_declared_row_is_marked_and_it_is_the_verdict(scores):
    study = Study(scores, SHARED)
    (table,) = [
        own for own in flat(comparison.make(study)) if isinstance(own, Table) and own.name == "deployments"
    ]
    assert table.marked == 0
    declared = study.compare(*study.models).at[0]
    assert Gap(TPR, declared.difference, declared.interval) in table.rows[0]
    undeclared = [
        own
        for own in flat(comparison.make(Study(scores)))
        if isinstance(own, Table) and own.name == "deployments"
    ]
    assert [own.marked for own in undeclared] == [None]


def test_another_deployment_that_changes_the_answer_is_said(scores):
    study = Study(scores, SHARED)
    changed = comparison.changed(study, study.compare(*study.models))
    assert changed is not None
    assert "With a threshold for each host, candidate is better" in changed.plain(study.words)
    one = rs.simulate.ShiftedDatasets("C-2a", separation=2).draw(12, 40, 60, seed=1, unit="host")
    assert comparison.make(Study(one, SHARED)) == []


def test_a_budget_is_within_its_limit_in_the_comparison_too(scores):
    study = Study(scores, rs.Deployment("shared"), at={"alerts": 2000})
    (table,) = [
        own for own in flat(comparison.make(study)) if isinstance(own, Table) and own.name == "models"
    ]
    for name, row in zip(study.models, table.rows, strict=True):
        found = study.two_by_two(name, {"threshold": row[1].value})
        assert found.tp + found.fp <= 2000


def test_a_winner_map_follows_a_low_operating_point(scores):
    low = Study(scores, rs.Deployment("shared", at={"fpr": 0.001})).winner_map("current", "candidate")
    assert (low.position[0], low.position[-1]) == pytest.approx((0.0002, 0.02))
    alerts = Study(scores, rs.Deployment("shared"), at={"alerts": 0.01}).winner_map("current", "candidate")
    assert alerts.over == "alerts"
    held = Study(scores, rs.Deployment("own", at={"tpr": 0.9})).winner_map("current", "candidate")
    assert held.over == "tpr"


def test_several_models_are_ordered_by_what_was_declared():
    rng = np.random.default_rng(4)
    labels = (rng.random(900) < 0.3).astype(int)
    base, folds = labels + rng.normal(size=900), np.arange(900) % 10
    columns = {name: base + 0.3 * k * labels + rng.normal(size=900) for k, name in enumerate("abc")}
    scores = rs.ScoreSet.from_arrays(labels, columns, folds, unit="fold", design="independent")
    for study in in_all_words(scores, rs.Deployment("own", at={"fpr": 0.1})):
        blocks = comparison.make(study)
        text = check(blocks, study.words)
        order = comparison.standings(study.comparison).ordered
        values = {own.model: own.value for own in order}
        assert list(values) == sorted(columns, key=lambda name: -values[name])
        assert text.startswith(order[0].model)
        (pairs,) = [own for own in flat(blocks) if isinstance(own, Table) and own.name == "pairs"]
        assert len(pairs.rows) == 3


def test_a_lead_over_models_that_were_not_compared_is_not_called_significant():
    rng = np.random.default_rng(0)
    labels, sites = np.tile([0, 1], 400), np.repeat(np.arange(10), 80)
    columns = {name: k * labels + rng.normal(size=800) for name, k in zip("abc", (1, 1.95, 2), strict=True)}
    scores = rs.ScoreSet.from_arrays(labels, columns, sites, unit="site", design="independent")
    against = rs.compare(scores, "a", method="vertical")
    first, second, last = (own.model for own in comparison.standings(against).ordered)
    assert last == "a"
    assert comparison.standings(against).untested == (second,)
    assert f"Its lead over {second} was not tested" in against.reading
    assert "Its lead is significant" not in against.reading
    study = Study(scores, rs.Deployment("own", at={"fpr": 0.1}), comparing={"a": "a"})
    text = check(comparison.make(study), study.words)
    assert text.startswith(first)


def test_one_dataset_has_no_other_deployments():
    rng = np.random.default_rng(4)
    labels = (rng.random(300) < 0.4).astype(int)
    base = labels + rng.normal(size=300)
    scores = rs.ScoreSet.from_arrays(labels, {"old": base, "new": base + 0.5 * rng.normal(size=300)})
    study = Study(scores, at={"fpr": 0.1})
    assert study.compare("old", "new").at[0].facts.budget is not Budget.SHARED
    text = check(comparison.make(study), study.words)
    assert "other deployments" not in text
    assert "host" not in text


def test_a_reader_study_shows_its_own_analysis_and_no_test_of_groups():
    for study in in_all_words(reader_study()):
        blocks = comparison.make(study)
        text = check(blocks, study.words)
        found = rs.compare_readers(study.scores)
        assert (
            Gap(comparing.measure(found.differences[0]).quantity, found.difference, found.interval).spell(
                study.words, "cell"
            )
            in text
        )
        assert "Obuchowski-Rockette" in text
        assert not any(
            word in text for word in ("t test", "flips", "threshold for", "cut-off for", "deployments")
        )


def test_partly_paired_modalities_are_said_to_be_so():
    rng = np.random.default_rng(1)
    rows: dict[str, list] = {name: [] for name in ("reader", "modality", "case", "truth", "rating")}
    for k, modality in enumerate(("film", "digital", "CT")):
        for reader in range(4):
            for case in range(80):
                if modality == "CT" and case % 2:
                    continue
                truth = case % 4 < 2
                row = (f"r{reader}", modality, case, int(truth), truth * (1 + k) + rng.normal())
                for name, value in zip(rows, row, strict=True):
                    rows[name].append(value)
    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    study = Study(rs.ScoreSet.from_frame(rows, **columns, positive=1))
    assert "partly paired" in printed(comparison.make(study), study.words)


def test_names_are_text_wherever_they_stand():
    study = Study(hosts(candidate=HOSTILE), SHARED)
    blocks = comparison.make(study)
    page = Page(blocks, study.words)
    assert "script" not in page.tags
    assert "\x1b" not in page.markup + printed(blocks, study.words)
    assert numbers(" ".join(page.text)) == numbers(printed(blocks, study.words))
    assert any(isinstance(own, Figure) for own in flat(blocks))


def test_what_cannot_be_compared_says_why():
    apart = rs.ScoreSet.from_frame(
        {"label": [0, 1] * 8, "score": list(range(16)), "model": ["a"] * 8 + ["b"] * 8, "host": list("wwwwxxxxyyyyzzzz")},
        label="label", score="score", model="model", group="host", positive=1,
    )  # fmt: skip
    study = Study(apart, SHARED, random="cases")
    text = printed(comparison.make(study), study.words)
    assert text.strip()
