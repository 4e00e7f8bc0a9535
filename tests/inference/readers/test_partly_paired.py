"""Modalities that share only some of their cases or readers: every pair has its own error."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocsteady as rs
from rocsteady.readers.design import is_partly_paired

CASES, READERS = 80, 5
pytestmark = pytest.mark.filterwarnings("ignore:RS21", "ignore:RS262")


def read(seed=0, *, reader_sd=0.2, cases_of=None, skipped=()):
    """A and B on the same cases, C on half of them and as many others; ``skipped`` cells were not read."""
    rng = np.random.default_rng(seed)
    n = CASES + CASES // 2
    truth = np.arange(n) % 2 == 0
    case, by_reader = rng.normal(size=n), reader_sd * rng.normal(size=READERS)
    which = cases_of or {"A": range(CASES), "B": range(CASES), "C": range(CASES // 2, n)}
    rows = {name: [] for name in ("truth", "rating", "reader", "modality", "case")}
    for modality, chosen in which.items():
        own = np.asarray(chosen)
        for reader in range(READERS):
            if (modality, reader) in skipped:
                continue
            noise = rng.normal(size=n) * 0.7
            rating = (1.2 + by_reader[reader]) * truth + case + noise
            rows["truth"].append(truth[own])
            rows["rating"].append(rating[own])
            rows["reader"].append(np.full(own.size, f"r{reader}"))
            rows["modality"].append(np.full(own.size, modality))
            rows["case"].append(own)
    columns = {name: np.concatenate(parts) for name, parts in rows.items()}
    import pandas

    return rs.ScoreSet.from_frame(
        pandas.DataFrame(columns), label="truth", score="rating", group="reader", model="modality", case="case",
        positive=True,
    )  # fmt: skip


def errors(found):
    return {(own.a, own.b): (own.standard_error, own.df) for own in found.differences}


@pytest.mark.parametrize("covariance", ["delong", "jackknife", "unbiased"])
@pytest.mark.parametrize(
    ("readers", "cases"), [("random", "random"), ("fixed", "random"), ("random", "fixed")]
)
def test_every_pair_has_the_error_that_it_has_by_itself(covariance, readers, cases):
    """Before, A less B had an error with the covariances of C in it."""
    study = read(3)
    within = 0.01 if covariance == "jackknife" else 1e-12  # n / (n - 1) of all cases, not of the pair's
    how = {"covariance": covariance, "readers": readers, "cases": cases}
    found = rs.compare_readers(study, **how)
    assert any("every difference has its own standard error" in note for note in found.notes)
    for (a, b), (error, df) in errors(found).items():
        alone = rs.compare_readers(study, modalities=[a, b], **how).differences[0]
        assert (error, df) == pytest.approx((alone.standard_error, alone.df), rel=within)


def test_crossed_studies_keep_the_one_error_of_all_modalities():
    everything = dict.fromkeys("ABC", range(CASES))
    found = rs.compare_readers(read(3, cases_of=everything))
    assert len(set(errors(found).values())) == 1
    own_cases = {name: range(30 * i, 30 * i + 30) for i, name in enumerate("ABC")}
    found = rs.compare_readers(read(3, cases_of=own_cases))
    assert len(set(errors(found).values())) == 1
    assert not any("its own error" in note for note in found.notes)


def test_each_pairs_error_is_how_much_it_varies_over_samples_of_cases():
    """Brute force: studies drawn again, of fixed readers, so that cases alone make differences vary."""
    drawn, stated = {}, {}
    for seed in range(250):
        found = rs.compare_readers(read(seed, reader_sd=0.0), readers="fixed")
        for own in found.differences:
            drawn.setdefault((own.a, own.b), []).append(own.difference)
            stated.setdefault((own.a, own.b), []).append(own.standard_error**2)
    for pair, differences in drawn.items():
        ratio = np.mean(stated[pair]) / np.var(differences, ddof=1)
        assert ratio == pytest.approx(1, abs=4 * np.sqrt(2 / 250)), pair
    assert np.mean(stated["A", "C"]) > 1.3 * np.mean(stated["A", "B"])  # one error for all was in between


def test_covariances_come_from_the_shared_cases_alone():
    """DeLong's, counted case by case: those that only one of two cells has add nothing."""
    found = rs.compare_readers(read(5))
    ratings = found.ratings
    truth = ratings.truth
    cells = [(i, k) for i in range(3) for k in range(READERS)]
    placements = {}
    for i, k in cells:
        is_read, values = ratings.is_read[i, k], ratings.ratings[i, k]
        own = np.full(truth.size, np.nan)
        for c in np.flatnonzero(is_read):
            rivals = values[is_read & (truth != truth[c])]
            wins = np.mean((values[c] > rivals) + 0.5 * (values[c] == rivals))
            own[c] = wins if truth[c] else 1 - wins
        placements[i, k] = own
    for one, other in combinations(cells, 2):
        total = 0.0
        for of_class in (truth, ~truth):
            x, y = placements[one][of_class], placements[other][of_class]
            both = ~np.isnan(x) & ~np.isnan(y)
            deviations = (x[both] - np.nanmean(x)) * (y[both] - np.nanmean(y))
            n, m = np.count_nonzero(~np.isnan(x)), np.count_nonzero(~np.isnan(y))
            total += deviations.sum() / np.sqrt(n * (n - 1) * m * (m - 1)) if both.any() else 0.0
        assert found.covariances[one + other] == pytest.approx(total, rel=1e-9, abs=1e-14)


def test_readers_who_lack_a_modality_change_only_its_pairs():
    """U-statistics: A less B does not mind who did not read C; C's pairs do."""
    skipped = [("C", 0), ("C", 1)]
    some = rs.compare_readers(read(4, skipped=skipped), method="u-statistics")
    everybody = rs.compare_readers(read(4), method="u-statistics")
    assert errors(some)["A", "B"] == pytest.approx(errors(everybody)["A", "B"], rel=1e-12)
    assert errors(some)["A", "C"][0] != pytest.approx(errors(everybody)["A", "C"][0], rel=1e-3)
    for (a, b), own in errors(some).items():
        alone = rs.compare_readers(read(4, skipped=skipped), modalities=[a, b], method="u-statistics")
        assert own == pytest.approx(errors(alone)[a, b], rel=1e-12)
    with pytest.raises(rs.errors.DataError, match="RS028"):
        rs.compare_readers(read(4, skipped=skipped))


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(2, 5), st.integers(1, 4))
def test_two_modalities_and_equal_ones_are_never_partly_paired(seed, n_modalities, n_readers):
    rng = np.random.default_rng(seed)
    is_read = rng.random((n_modalities, n_readers, 12)) < 0.6
    is_read[:, :, 0] = True
    assert not is_partly_paired(is_read[:2])
    assert not is_partly_paired(np.repeat(is_read[:1], n_modalities, axis=0))
    assert is_partly_paired(is_read) == is_partly_paired(is_read[::-1])
