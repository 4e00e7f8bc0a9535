"""The first screen: one sentence for the declared use, the threshold to deploy with its digits, budgets kept."""

from __future__ import annotations

import numpy as np
import pytest
from tests.show.renderers import HOSTILE, Page, check, hosts, in_all_words, printed, reader_study

import rocsteady as rs
from rocsteady.show.document import Facts, Figure, Text, flat
from rocsteady.show.sections import answer
from rocsteady.study import Study
from rocsteady.text import Cut, Rate

SHARED = rs.Deployment("shared", at={"fpr": 0.05})
USES = {
    "shared": (SHARED, {}),
    "pooled": (rs.Deployment("shared", weigh="rows", at={"tpr": 0.8}), {}),
    "own": (rs.Deployment("own", at={"fpr": 0.05}), {}),
    "threshold": (rs.Deployment("shared", at={"threshold": 2}), {}),
    "budgets": (rs.Deployment("shared"), {"at": [{"alerts": 0.01}, {"alerts": 2000}]}),
    "found": (rs.Deployment("shared"), {"at": "eer"}),
    "costs": (rs.Deployment("own", hold="cost", costs=(1, 20), prevalence=0.1), {}),
    "no place": (rs.Deployment("shared"), {}),
    "undeclared": (None, {}),
}


@pytest.fixture(scope="module")
def scores() -> rs.ScoreSet:
    return hosts()


def facts(study: Study) -> list:
    return [row for own in flat(answer.make(study)) if isinstance(own, Facts) for row in own.rows]


def sentences(study: Study) -> list[str]:
    return [own.plain(study.words) for own in flat(answer.make(study)) if isinstance(own, Text)]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("models", [("current",), ("current", "candidate")])
def test_every_renderer_shows_the_same_numbers_in_every_vocabulary(scores, use, models):
    deployment, options = USES[use]
    own = scores if len(models) > 1 else scores.model(models[0])
    for study in in_all_words(own, deployment, **options):
        blocks = answer.make(study)
        check(blocks, study.words)
        assert sum(isinstance(block, Figure) for block in flat(blocks)) == 1


def test_nothing_is_recommended_where_no_use_is_declared(scores):
    for own in (scores, scores.model("current")):
        study = Study(own)
        assert sentences(study)[0].endswith("so nothing is recommended.")
        shared = [study.point(name, {"fpr": 0.05}, "threshold").threshold for name in study.models]
        assert [value.value for _, value, _ in facts(study)] == shared
        assert all("if all hosts share it" in label.plain(study.words) for label, *_ in facts(study))


def test_the_answer_is_one_sentence_and_another_where_the_use_would_change_it(scores):
    study = Study(scores, SHARED)
    first, second = sentences(study)
    assert first.startswith(
        "With one threshold for all hosts, set to an FPR of 5 % on average, current is not"
    )
    assert second.startswith(
        "The answer depends on the deployment. With a threshold for each host, candidate is better"
    )
    assert len(sentences(Study(scores.model("current"), SHARED))) == 1


def test_a_threshold_has_all_digits_that_decide_rows(scores):
    for deployment in (SHARED, rs.Deployment("shared", weigh="rows", at={"tpr": 0.8})):
        study = Study(scores, deployment)
        for model, (_, cut, _) in zip(study.models, facts(study), strict=True):
            assert isinstance(cut, Cut)
            shown = float(cut.spell(study.words).replace("−", "-"))
            rows = study.of(model).columns
            values = np.concatenate([np.asarray(own.thresholds)[1:] for own in study.curves(model)])
            assert rows.n_cases
            assert ((values >= shown) == (values >= study.threshold(model))).all()


def test_the_rates_are_those_of_keeping_the_threshold(scores):
    study = Study(scores, SHARED)
    (_, _, more), _ = facts(study)
    kept = rs.average(scores.model("current"), "threshold", undefined="drop").at(fpr=0.05).kept
    assert more is not None
    text = more.plain(study.words)
    for what, value, interval in (("x", kept.fpr, kept.fpr_interval), ("y", kept.tpr, kept.tpr_interval)):
        assert isinstance(more.values[what], Rate)
        assert (more.values[what].value, more.values[what].interval.low) == (value, interval.low)
    assert text.startswith("if kept (95 % CI): FPR ")


def test_thresholds_of_other_rows_are_applied_as_they_are(scores):
    earlier, later = scores.model("current"), scores.model("current")
    names = [name for name in earlier.groups if name != "host-23"]
    study = Study(later.take(names[:12]), SHARED, cutoff_from=earlier.take(names[12:]))
    ((_, cut, more),) = facts(study)
    assert cut.value == study.cutoff().threshold
    assert "chosen on other rows" in more.plain(study.words)


@pytest.mark.parametrize("budget", [0.001, 0.01, 0.1, 2, 100, 2000])
def test_budgets_are_never_exceeded(scores, budget):
    study = Study(scores, rs.Deployment("shared"), at={"alerts": budget})
    n = study.of("current").n_positives.sum() + study.of("current").n_negatives.sum()
    for model, (label, cut, more) in zip(study.models, facts(study), strict=True):
        table = study.two_by_two(model, study.place)
        alerts = table.tp + table.fp
        assert alerts <= (budget if isinstance(budget, int) else budget * n)
        assert label.plain(study.words).startswith("At most ")
        assert cut.value == study.cutoff(model, study.place).threshold
        assert f"{alerts} alerts" in more.plain(study.words)


def test_one_dataset_says_whom_intervals_are_for():
    rng = np.random.default_rng(4)
    labels = (rng.random(300) < 0.4).astype(int)
    scores = rs.ScoreSet.from_arrays(labels, labels + rng.normal(size=300))
    for study in in_all_words(scores, at={"fpr": 0.1}):
        text = check(answer.make(study), study.words)
        assert "There is one dataset: intervals are for other cases like these." in text.replace("\n", " ")
        ((_, cut, _),) = facts(study)
        assert cut.value == study.cutoff().threshold


def test_a_reader_study_answers_for_other_readers_and_cases():
    for study in in_all_words(reader_study()):
        text = check(answer.make(study), study.words)
        assert "digital is better than film: its mean AUC is 0.072 higher" in text
        assert "Readers and cases are treated as random samples." in text
    alone = Study(reader_study("film"))
    assert "The mean AUC of 6 readers with film is 0.816" in printed(answer.make(alone), alone.words)


def test_names_are_text():
    study = Study(hosts(candidate=HOSTILE), SHARED)
    blocks = answer.make(study)
    assert "script" not in Page(blocks, study.words).tags
    assert "\x1b" not in Page(blocks, study.words).markup + printed(blocks, study.words)
