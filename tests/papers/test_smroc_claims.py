"""Claims of the smROC paper: verdicts follow from numbers, and from enough of them."""

from __future__ import annotations

import json

import numpy as np

from papers.paper import CAVEAT, CONSISTENT, FALSE, REPRODUCED, VERDICTS, Claim
from papers.smroc import claims as judged
from papers.smroc.areas import Areas
from papers.smroc.claims import FEWEST_SETS, claims, conclusions, different, similar
from papers.smroc.run import LEARNERS, QUICK_SETS, notes
from papers.smroc.runs import AUC, HALF, NB, PAPER, PET
from papers.smroc.sets import table_1
from smroc_sets import NAMES, made_areas


def verdicts(found: tuple[Claim, ...]) -> dict[str, str]:
    return {claim.claim: claim.verdict for claim in found}


def test_every_claim_is_said_with_a_place_and_numbers() -> None:
    found = claims(made_areas(1))
    assert len(verdicts(found)) == len(found) >= 20
    for claim in found:
        assert claim.verdict in VERDICTS
        assert claim.where
        assert any(letter.isdigit() for letter in claim.measured)
        assert "nan" not in claim.measured
        json.dumps(claim.to_dict(), allow_nan=False)


def test_verdicts_of_claims_about_runs_follow_from_the_numbers() -> None:
    """Over areas that nobody measured, each claim comes out sometimes and sometimes not."""
    outcomes: dict[str, set[bool]] = {}
    for seed in range(60):
        found = made_areas(seed)
        for claim in (own for part in (similar, different, conclusions) for own in part(found)):
            outcomes.setdefault(claim.claim, set()).add(claim.verdict == REPRODUCED)
    assert len(outcomes) == 17
    assert [claim for claim, own in outcomes.items() if own != {True, False}] == []


def test_without_ozone_nothing_is_said_of_it() -> None:
    found = claims(made_areas(1, names=NAMES[:-2]))
    assert not [claim for claim in found if "oz8h" in claim.claim]
    one_of_two = claims(made_areas(1, names=NAMES[:-1]))
    assert [claim.where for claim in one_of_two if "oz8h" in claim.claim] == [
        "Section 4.2 and Figure 6"  # which is about oz8h alone
    ]
    assert not [claim for claim in one_of_two if claim.claim.startswith("There the magnitudes")]


def test_of_few_sets_only_claims_about_a_set_are_judged() -> None:
    assert len(QUICK_SETS) < FEWEST_SETS <= len(NAMES)
    for names, n_about_sets in ((NAMES[-FEWEST_SETS + 1 :], 4), (NAMES[3:-1], 2), (NAMES[:5], 0)):
        found = claims(made_areas(1, names=names))
        assert len(found) == len(claims(None)) + n_about_sets
        assert not [claim for claim in found if "most" in claim.caveat and "sets" in claim.caveat]
        assert not [claim for claim in found if claim.where == "Section 5"]


def with_spreads(ratio: dict[str, float], auc: dict[str, float]) -> Areas:
    """Areas whose sds over runs are as given, those of AUC by set and those of smAUC by their ratio to them."""
    found = made_areas(2)
    runs = np.array([-1.0, -1, -1, 1, 1, 1])
    runs /= runs.std(ddof=1)
    for i, name in enumerate(NAMES):
        for own in found.values.values():
            own[AUC][i] = 0.8 + auc[name] * runs
            own[PAPER][i] = 0.7 + ratio[name] * auc[name] * runs
    return found


def about_spreads(found: Areas, learner: str) -> dict[str, Claim]:
    own = [claim for claim in similar(found) if claim.claim.endswith(f"({learner}).")]
    return {word: claim for word in ("is higher", "is low,") for claim in own if word in claim.claim}


HIGHER, LOW = NAMES[:7], NAMES[7:]
SPREADS = {name: 0.02 - 0.001 * i for i, name in enumerate(NAMES)}


def test_higher_and_low_spreads_are_judged_on_different_sets() -> None:
    """A change on one side of the median changes nothing on the other."""
    as_printed = dict.fromkeys(HIGHER, 0.7) | dict.fromkeys(LOW, 1.0)
    for learner in LEARNERS:
        own = about_spreads(with_spreads(as_printed, SPREADS), learner)
        assert [claim.verdict for claim in own.values()] == [REPRODUCED, REPRODUCED]
        low_half = about_spreads(with_spreads(as_printed | dict.fromkeys(LOW, 0.1), SPREADS), learner)
        assert low_half["is higher"].to_dict() == own["is higher"].to_dict()
        assert low_half["is low,"].verdict == FALSE  # a tenth is not the same, however small
        upper = about_spreads(with_spreads(as_printed | dict.fromkeys(HIGHER, 1.1), SPREADS), learner)
        assert upper["is low,"].to_dict() == own["is low,"].to_dict()
        assert upper["is higher"].verdict == FALSE


def test_the_same_spread_is_a_matter_of_the_ratio() -> None:
    """0.0017 and 0.0002 are not the same, 0.017 and 0.016 are."""
    low = dict.fromkeys(NAMES, 0.02) | dict.fromkeys(LOW, 0.0017)
    ratio = dict.fromkeys(NAMES, 0.5) | dict.fromkeys(LOW, 0.95)
    assert about_spreads(with_spreads(ratio, low), NB)["is low,"].verdict == REPRODUCED
    one_off = about_spreads(with_spreads(ratio | {LOW[0]: 0.0002 / 0.0017}, low), NB)["is low,"]
    assert (one_off.verdict, one_off.remark) == (CAVEAT, "On most of these sets.")
    assert f"not on {LOW[0]} (0.12)" in one_off.measured


def test_a_majority_is_no_clear_one() -> None:
    ratio = dict.fromkeys(NAMES, 1.0)
    for n_lower, verdict in ((4, FALSE), (5, FALSE), (7, REPRODUCED)):
        own = ratio | {name: 0.7 if i < n_lower else 1.2 for i, name in enumerate(HIGHER)}
        claim = about_spreads(with_spreads(own, SPREADS), NB)["is higher"]
        assert claim.verdict == verdict
        assert f"it is lower on {n_lower} " in claim.measured
    assert not judged.clearly_below(np.array([-1.0, -2, -3, -4, 5, 6]))
    assert judged.clearly_below(-np.arange(1.0, 7))
    assert not judged.clearly_below(-np.arange(1.0, 6))  # of five no test says anything


def test_a_set_whose_auc_does_not_vary_is_named_and_left_out() -> None:
    found = with_spreads(dict.fromkeys(NAMES, 0.95), SPREADS | {"oz1h": 0.0})
    assert "not oz1h, where AUC does not vary" in about_spreads(found, PET)["is low,"].measured
    (variation,) = [claim for claim in conclusions(found) if "less variation" in claim.claim]
    assert "of 13 (p =" in variation.measured
    assert "not of oz1h" in variation.measured
    assert "On oz1h AUC of PET never varies" in " ".join(notes(found, None, table_1()))


def test_what_is_false_says_what_is_true_and_a_caveat_is_no_negation() -> None:
    for seed in range(6):
        for claim in claims(made_areas(seed)):
            assert bool(claim.remark) == (claim.verdict in (CAVEAT, FALSE)), claim
            assert not claim.caveat.lower().startswith(("not", "no ", "never"))


def test_notes_say_whose_learners_and_data_they_are() -> None:
    found = made_areas(1, names=tuple(own.abbr for own in table_1()))
    text = " ".join(notes(found, made_areas(2, names=NAMES[:10]), table_1()))
    for words in ("written here", "Weka 3.6.14", "J48 -U -A", "not public", "hors: 300 rows", "mush: 22 features",
                  "ads (internet ad) is left out", "32 561", "Nadeau", "tic tic-tac-toe"):  # fmt: skip
        assert words in text
    assert "Weka" not in " ".join(notes(found, None, table_1()))
    assert len(notes(None, None, table_1())) == 1


def on_ozone(found: Areas) -> dict[str, Claim]:
    """What is said of naive Bayes where areas are those of the ozone sets."""
    levels = {PAPER: 0.94, AUC: 0.82, HALF: 0.8, "permuted, paper": 0.93, "mid": 2.9}
    levels |= {
        "positives, paper": 0.0,
        "negatives, paper": 1.0,
        "positives, half": 0.85,
        "negatives, half": 0.66,
    }
    for quantity, level in levels.items():
        own = found.values[NB][quantity]
        own[-2:] = level + (0.001 * np.arange(6) if quantity in (AUC, HALF) else 0)
    return {claim.claim[:20]: claim for claim in claims(found)}


def test_the_artefact_of_mid_is_no_better_separation() -> None:
    found = made_areas(1)
    by_text = on_ozone(found)
    assert by_text["On oz1h and oz8h nai"].verdict == REPRODUCED
    better = by_text["There the magnitudes"]
    assert better.verdict == FALSE
    assert better.remark.startswith("Mid lies above 1")
    found.values[NB]["permuted, paper"][-2:] = 0.5  # had the labels mattered, it would be
    found.values[NB]["mid"][-2:] = 0.5
    assert {c.claim[:20]: c for c in claims(found)}["There the magnitudes"].verdict == REPRODUCED


def test_appropriateness_stands_under_both_mids() -> None:
    found = made_areas(1)
    claim = on_ozone(found)["There naive Bayes gi"]
    assert claim.verdict == CAVEAT
    assert "own Mid (2.90) the scores of 0 % of the positives" in claim.measured
    assert "with Mid 1/2 of 85 % and 66 %" in claim.measured
    found.values[NB]["negatives, half"][-2:] = 0.4
    assert {c.claim[:20]: c for c in claims(found)}["There naive Bayes gi"].verdict == FALSE
    found.values[NB]["positives, paper"][-2:] = 0.9
    assert {c.claim[:20]: c for c in claims(found)}["There naive Bayes gi"].verdict == REPRODUCED


def test_verdicts_of_formulas() -> None:
    """Misprints are false as printed, conditions are caveats, what rests on scores of ours is consistent."""
    wanted = [CONSISTENT, FALSE, FALSE, FALSE, CAVEAT, FALSE, FALSE, FALSE, CAVEAT]
    assert [claim.verdict for claim in claims(None)] == wanted
