"""What is cited: keys exist, methods are told apart, unknown things are refused, BibTeX is well formed."""

from __future__ import annotations

import re
from functools import cache

import pytest

import rocsteady as rs
from rocsteady.references import REFERENCES
from rocsteady.show.citing import _OF_KIND, references_of
from rocsteady.simulate import reader_study

LABELS, A, B = [1, 1, 0, 0, 1, 0], [5, 4, 3, 2, 1, 2], [5, 3, 4, 2, 1, 1]


@cache
def study(**options):
    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    table = reader_study(standalone=False)
    return rs.compare_readers(rs.ScoreSet.from_frame(table, **columns, positive="cancer"), **options)


def drawn(**design):
    return rs.compare_readers(rs.simulate.RoeMetz.preset("LL").draw(4, 20, 20, seed=0, **design))


def test_every_named_key_exists():
    fixed = [keys for keys in _OF_KIND.values() if isinstance(keys, tuple)]
    assert {key for keys in fixed for key in keys} <= set(REFERENCES)


@pytest.mark.parametrize("key", REFERENCES)
def test_entries_are_well_formed(key):
    entry = REFERENCES[key].bibtex
    assert re.match(r"@(article|book|inproceedings)\{" + key + ",\n", entry)
    assert entry.count("{") == entry.count("}")
    assert re.search(r"year = \{(19|20)\d\d\}", entry)
    assert key.endswith(REFERENCES[key].field("year"))
    assert key.startswith(REFERENCES[key].authors[0].split(",")[0].casefold().replace("-", ""))


@pytest.mark.parametrize(
    ("made", "keys"),
    [
        (lambda: rs.compare_auc(LABELS, A, B), ("delong1988", "sun2014")),
        (rs.Vertical, ("hogan2023",)),
        (lambda: rs.PartialAuc(fpr=(0, 0.1), standardized=True), ("mcclish1989",)),
        (lambda: rs.PartialAuc(fpr=(0, 0.1)), ()),
        (lambda: rs.choose_cutoff(rs.roc_curve(LABELS, A), "youden"), ("youden1950",)),
        (
            lambda: rs.average(
                rs.ScoreSet.from_folds([(LABELS, A), (LABELS, B)], design="independent"), "vertical"
            ),
            ("hogan2023",),
        ),
        (
            lambda: rs.summarize_auc(
                rs.ScoreSet.from_folds([(LABELS, A), (LABELS, B)], design="independent")
            ),
            (),
        ),
        (study, ("obuchowski1995", "hillis2007", "delong1988")),
        (
            lambda: rs.plan(study(), difference=0.05, n_readers=[6]),
            ("hillis2011", "obuchowski1995", "hillis2007"),
        ),
        (
            lambda: rs.plan(study(), margin=0.05, test="equivalence", n_readers=[6]),
            ("hillis2011", "obuchowski1995", "hillis2007", "schuirmann1987"),
        ),
        (lambda: study(covariance="jackknife"), ("obuchowski1995", "hillis2007")),
        (lambda: study(cases="fixed"), ("obuchowski1995", "hillis2007")),
        (lambda: study(method="u-statistics"), ("gallas2006", "gallas2009")),
        (
            lambda: drawn(design="readers nested"),
            ("obuchowski1995", "hillis2007", "hillis2014", "delong1988"),
        ),
        (lambda: drawn(rows_per_patient=2), ("obuchowski1995", "hillis2007", "delong1988", "obuchowski1997")),
    ],
)
@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_what_is_cited_follows_what_was_done(made, keys):
    assert references_of(made()) == keys


def test_entries_come_once_and_the_program_last():
    text = rs.cite(rs.compare_auc(LABELS, A, B), "delong1988", rs.Vertical())
    assert re.findall(r"@\w+\{(\w+)", text) == ["delong1988", "sun2014", "hogan2023", "rocsteady"]


@pytest.mark.parametrize("value", ["delong", 3, [1, 2], rs.Scores(LABELS, A)])
def test_what_is_not_known_is_refused(value):
    with pytest.raises(rs.RocsteadyError, match="RS002"):
        rs.cite(value)


def test_a_key_without_its_year_is_told_whole():
    with pytest.raises(rs.RocsteadyError, match=r"did you mean  rs\.cite\('delong1988'\) \?"):
        rs.cite("delong")
