"""Sections about models: comparison, comparability, operating points, smROC and readers, from real parts."""

from types import SimpleNamespace

import numpy as np
import pytest

import rocsteady as rs
from page_structure import Page
from rocsteady.report.html.sections import comparability, comparison, points, readers, smroc
from rocsteady.report.summary import comparability as levels
from rocsteady.report.summary import readers as reader_study
from rocsteady.report.summary import smroc as smroc_part
from rocsteady.report.summary.comparing import comparison as comparing
from rocsteady.report.summary.material import Material
from rocsteady.report.summary.points import det
from rocsteady.report.summary.points import points as operating_points
from rocsteady.report.summary.settings import Settings
from rocsteady.simulate import reader_study as simulated_readers

HOSTILE = ("<script>alert(1)</script>", "</section><!-- \"'&\u202e\n")
SECTIONS = {"comparison": comparison, "comparability": comparability, "operating_points": points}
PARTS = {"comparison": comparing, "comparability": levels, "operating_points": operating_points, "det": det}


def scored(n_models: int, *, names=(), n_groups: int = 7) -> rs.ScoreSet:
    rng = np.random.default_rng(5)
    n = 60 * n_groups
    labels = (rng.random(n) < 0.4).astype(int)
    groups = np.repeat([f"host-{i:02d}" for i in range(n_groups)], 60)
    shift = np.repeat(rng.normal(size=n_groups), 60)
    names = names or [f"model {k}" for k in range(n_models)]
    scores = {
        name: rng.normal(size=n) + 1.5 * labels + (k % 2) * shift for k, name in enumerate(names[:n_models])
    }
    return rs.ScoreSet.from_arrays(labels, scores if n_models > 1 else scores[names[0]], groups, unit="host")


def summary_of(score_set: rs.ScoreSet, deployment=None, parts=tuple(PARTS), **settings) -> SimpleNamespace:
    material = Material(score_set, deployment, Settings(n_resamples=100, **settings))
    made = {name: PARTS[name].make(material) for name in parts}
    about = SimpleNamespace(models=material.names)
    key = material.declared_key
    averages = () if key is None else (SimpleNamespace(key=key, is_declared=True),)
    return SimpleNamespace(about=about, averages=averages, wording=material.wording, **made)


def rendered(summary: SimpleNamespace, name: str) -> Page:
    """One section as a page reads it; it has to be whole and to carry no style, script or handler."""
    body = SECTIONS[name].render(summary, None, summary.wording)
    page = Page(body)
    assert not page.unbalanced
    assert not page.open
    assert not page.comments
    assert not page.all("script", "style", "img")
    assert not [
        key for own in page.elements for key in own.attributes if key == "style" or key.startswith("on")
    ]
    return page


SHARED = rs.Deployment("shared", at={"fpr": 0.1})


@pytest.fixture(scope="module")
def two() -> SimpleNamespace:
    return summary_of(scored(2), SHARED)


def cells(page: Page) -> list[str]:
    found = [own.text.strip() for own in page.all("td", "th")]
    return [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in found]


def test_two_models_are_a_pair_with_its_numbers(two):
    page = rendered(two, "comparison")
    pair = two.comparison.pairs[0]
    said = cells(page)
    assert pair.measure.bare(pair.value_a) in said
    assert any(pair.measure.signed(pair.difference) in cell for cell in said)
    pictures = [own for own in page.all("svg") if own.attributes.get("role") == "img"]
    assert len(pictures) == 2  # the pair, and who wins where
    assert len(page.all("details")) == 2  # each beside its table
    declared = [
        own for own in page.all("tr") if own.attributes.get("class") == "declared" and "declared" in own.text
    ]
    assert len(declared) == 1
    assert "Threshold average" in declared[0].text


def test_nothing_declared_recommends_nothing():
    summary = summary_of(scored(2), parts=("comparison", "operating_points"))
    page = rendered(summary, "comparison")
    assert not [own for own in page.all("span") if "declared" in (own.attributes.get("class") or "")]
    assert "Under every average" in [own.text for own in page.all("h3")]
    titles = [own.text for own in rendered(summary, "operating_points").all("h3")]
    assert titles[:2] == ["One threshold for all hosts", "A threshold for every host"]


@pytest.mark.parametrize("n_models", [3, 9])
def test_more_models_stand_against_the_first(n_models):
    own = rs.Deployment("own", hold="fpr", at=0.1)
    summary = summary_of(scored(n_models, n_groups=5), own, ("comparison", "comparability"))
    page = rendered(summary, "comparison")
    heading = next(own for own in page.all("h3") if "minus each of the others" in own.text)
    assert heading.text.startswith("model 0")
    assert cells(page).count("p (Holm)") == 1
    folded = [own for own in page.all("summary") if own.text == "Each comparison, host by host"]
    assert len(folded) == 1
    pictures = [
        own.attributes["aria-label"] for own in page.all("svg") if own.attributes.get("role") == "img"
    ]
    assert sum("one line per host" in label for label in pictures) == n_models - 1
    ridges = [
        own for own in rendered(summary, "comparability").all("svg") if own.attributes.get("role") == "img"
    ]
    assert len(ridges) == n_models


def test_one_model_has_no_comparison_and_one_dataset_no_groups():
    alone = summary_of(scored(1))
    assert comparison.render(alone, None, alone.wording) == ""
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 50)
    single = summary_of(rs.ScoreSet.from_arrays(labels, rng.normal(size=100) + labels))
    assert comparability.render(single, None, single.wording) == ""
    assert not any("Worst" in cell for cell in cells(rendered(single, "operating_points")))


def test_comparability_shows_what_was_computed(two):
    page = rendered(two, "comparability")
    big = [own.text for own in page.all("div") if own.attributes.get("class") == "big"]
    assert big[0] == f"{two.comparability.models[0].shift:.2f}"
    assert big[2] == f"{two.comparability.models[0].price:.3f}".replace("-", "−")
    threshold = two.wording.threshold(two.comparability.models[0].threshold)
    assert any(f"threshold {threshold}" in own.text for own in page.all("text"))
    assert two.comparability.groups[0] in cells(page)


def test_operating_points_show_what_was_computed(two):
    page = rendered(two, "operating_points")
    said = " ".join(cells(page))
    for row in two.operating_points.rows:
        assert row.cell in said
        assert two.wording.tpr.bare(row.tpr) in said
    spans = [own for own in page.all("th") if own.attributes.get("scope") == "rowgroup"]
    assert all(own.attributes["rowspan"] == "2" for own in spans)
    assert any("declared" in own.text for own in spans)
    assert "held" in said


def test_words_of_medicine_and_biometrics():
    few = {"score_set": scored(2, n_groups=4), "deployment": SHARED, "parts": ("operating_points", "det")}
    medical = rendered(summary_of(**few, words="medical"), "operating_points")
    said = " ".join(cells(medical))
    assert "Mean specificity %" in said
    assert "≥ " in said
    assert "positive likelihood ratio" in said
    assert "Coordinates of the curve" in [own.text for own in medical.all("summary")]
    biometric = rendered(summary_of(**few, words="biometric"), "operating_points")
    assert "Both error rates (DET)" in [own.text for own in biometric.all("h3")]
    assert "FNMR" in " ".join(cells(biometric))


def test_names_from_the_data_stay_names():
    summary = summary_of(scored(2, names=HOSTILE, n_groups=4), SHARED)
    for name in SECTIONS:
        assert "alert(1)" in " ".join(own.text for own in rendered(summary, name).all("div"))


def test_smroc_and_readers():
    rng = np.random.default_rng(2)
    labels = np.tile([0, 1], 120)
    shares = np.clip(rng.normal(0.4 + 0.2 * labels, 0.2), 0, 1)
    material = Material(rs.ScoreSet.from_arrays(labels, shares, np.repeat(np.arange(4), 60), unit="host"))
    about = SimpleNamespace(models=material.names)
    part = smroc_part.make(material)
    page = Page(smroc.render(SimpleNamespace(smroc=part, about=about), None, material.wording))
    assert not page.unbalanced
    assert f"{100 * part.models[0].credit[50]:.1f}" in " ".join(cells(page))
    assert smroc.render(SimpleNamespace(smroc=None, about=about), None, material.wording) == ""
    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    study = rs.ScoreSet.from_frame(simulated_readers(standalone=False), **columns, positive="cancer")
    material = Material(study, None, Settings(n_resamples=100))
    summary = SimpleNamespace(
        readers=reader_study.make(material), about=SimpleNamespace(models=material.names)
    )
    page = Page(readers.render(summary, None, material.wording))
    assert not page.unbalanced
    assert "0.816" in cells(page)
    assert len([own for own in page.all("svg") if own.attributes.get("role") == "img"]) == 2
    refused = SimpleNamespace(
        readers=reader_study.ReadersPart("reader", (), problem="Too few."), about=summary.about
    )
    assert "Too few." in readers.render(refused, None, material.wording)


def test_at_a_threshold_each_rate_is_called_by_its_own_name():
    own = summary_of(scored(3, n_groups=5), rs.Deployment("shared", at=1.0), ("comparison",), words="medical")
    page = rendered(own, "comparison")
    (label,) = [
        each.attributes["aria-label"]
        for each in page.all("svg")
        if "every model" in each.attributes.get("aria-label", "")
    ]
    of_second = {pair.measure.name: pair for pair in own.comparison.pairs}
    assert label == "sensitivity of every model with its interval"
    said = cells(page)
    assert any(cell.endswith(", specificity") for cell in said)
    assert of_second["sensitivity"].measure.bare(of_second["sensitivity"].value_a) in said


def test_predictive_values_say_for_which_prevalence():
    own = rs.Deployment("shared", at={"fpr": 0.1}, prevalence=0.02)
    asked = {"score_set": scored(2, n_groups=4), "parts": ("operating_points",), "words": "medical"}
    page = rendered(summary_of(**asked, deployment=own), "operating_points")
    said = cells(page)
    assert "positive predictive value at a prevalence of 2 %" in said
    words = " ".join(each.text for each in page.all("p"))
    assert "for a prevalence of 2\N{NO-BREAK SPACE}%, as declared." in words
    sampled = rendered(summary_of(**asked, deployment=SHARED), "operating_points")
    assert "as in these rows" in " ".join(each.text for each in sampled.all("p"))


def test_cases_are_counted_at_the_cutoff_that_is_named():
    summary = summary_of(scored(1, n_groups=4), None, ("operating_points",), words="medical")
    page = rendered(summary, "operating_points")
    example = next(row for row in summary.operating_points.rows if row.status == "example")
    opened = [each.text for each in page.all("p") if each.text.startswith(example.label)]
    assert opened[0].endswith(f"cut-off {example.two_by_two.cell}")
    assert f"positive ({example.two_by_two.cell})" in cells(page)


def test_rates_of_all_rows_together_are_no_mean():
    pooled = rs.Deployment("shared", weigh="rows", at=1.0)
    summary = summary_of(scored(2, n_groups=5), pooled, ("comparison", "operating_points"))
    said = cells(rendered(summary, "comparison"))
    assert "All hosts together" in said
    assert "The average host" not in said
    heads = cells(rendered(summary, "operating_points"))
    assert "Overall FPR %" in heads
    assert not [cell for cell in heads if cell.startswith("Mean")]


def test_groups_that_lack_a_class_were_not_drawn_by_lot():
    labels = np.tile([0, 1], 120)
    labels[:60] = 0
    rng = np.random.default_rng(1)
    groups = np.repeat([f"host-{i}" for i in range(4)], 60)
    single = rs.ScoreSet.from_arrays(labels, rng.normal(size=240) + labels, groups, unit="host")
    page = rendered(summary_of(single, SHARED, ("comparability",)), "comparability")
    words = " ".join(each.text for each in page.all("p"))
    assert "by lot" not in words


def test_an_area_under_one_threshold_is_that_of_a_curve():
    summary = summary_of(scored(2, n_groups=5), rs.Deployment("shared"), ("comparison",))
    said = cells(rendered(summary, "comparison"))
    assert "The average curve" in said
    assert "The average host" not in said
    assert "host-00" not in said
