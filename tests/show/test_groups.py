"""The table of groups: worst first, each number the core's."""

from __future__ import annotations

import numpy as np
import pytest
from tests.show.renderers import HOSTILE, Page, check, hosts, in_all_words, printed

import rocsteady as rs
from rocsteady.show.document import Table
from rocsteady.show.sections import groups
from rocsteady.study import Study
from rocsteady.text import AUC, FPR, ML, TPR, Rate

SHARED = rs.Deployment("shared", at={"fpr": 0.05})
USES = [SHARED, rs.Deployment("own", at={"tpr": 0.8}), rs.Deployment("own", hold="ratio", at=(1, 2)), None]


@pytest.mark.parametrize("use", USES, ids=str)
def test_every_renderer_shows_the_same_numbers(use):
    for study in in_all_words(hosts(), use):
        check(groups.make(study), study.words)


def table_of(study: Study) -> Table:
    (table,) = (own for own in groups.make(study) if isinstance(own, Table))
    return table


def test_groups_open_worst_first_with_the_rates_of_the_average():
    scores = hosts().model("current")
    table = table_of(Study(scores, SHARED))
    average = rs.average(scores, "threshold", undefined="drop")
    own = average.group_points([average.at(fpr=0.05).threshold])
    order = np.argsort(own.tpr[:, 0], kind="stable")
    assert [row[0].name for row in table.rows][: order.size] == [average.members[i] for i in order]
    areas = rs.roc_curves(scores, undefined="drop")
    for row, i in zip(table.rows, order, strict=False):
        at = areas.names.index(average.members[i])
        interval = areas.auc_interval(0.95)
        assert (row[3].value, row[3].interval.low) == (areas.auc[at], np.asarray(interval.low)[at])
        assert (row[4], row[5]) == (Rate(FPR, own.fpr[i, 0]), Rate(TPR, own.tpr[i, 0]))
    assert table.sorts
    assert table.most == groups.MOST_OPEN


def test_few_cases_are_noted():
    table = table_of(Study(hosts().model("current"), SHARED))
    notes = {row[0].name: "" if row[-1] is None else row[-1].plain(ML) for row in table.rows}
    assert "no positives" in notes["host-23"]
    assert notes["host-12"] == ""


def test_a_group_of_one_class_has_no_area():
    table = table_of(Study(hosts().model("current"), SHARED))
    (row,) = (own for own in table.rows if own[0].name == "host-23")
    assert row[3].spell(ML, "cell") == "–"
    assert Rate(AUC, float("nan")).spell(ML, "cell") == "–"


def many_models() -> rs.ScoreSet:
    rng = np.random.default_rng(0)
    n, names = 120, ["x", "y", "z"]
    labels, sites = np.tile([0, 1], n // 2), np.repeat(["a", "b", "c", "d"], n // 4)
    table = {"y": np.tile(labels, 3), "site": np.tile(sites, 3), "m": np.repeat(names, n)}
    table["s"] = rng.normal(size=3 * n) + table["y"]
    table["y"][: n // 4] = 0
    return rs.ScoreSet.from_frame(table, label="y", score="s", group="site", model="m", positive=1)


def test_many_models_have_the_rate_that_is_not_set():
    study = Study(many_models(), SHARED)
    assert len(table_of(study).columns) == 3 + 2 * len(study.models)


def test_one_dataset_has_no_table_and_hostile_names_are_text():
    own = hosts().model("current")[0]
    assert groups.make(Study(rs.ScoreSet.from_arrays(own.is_positive.astype(int), own.scores))) == []
    study = Study(hosts(candidate=HOSTILE), SHARED)
    blocks = groups.make(study)
    assert "script" not in Page(blocks, study.words).tags
    assert "\x1b" not in printed(blocks, study.words)
