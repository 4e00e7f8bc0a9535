"""Arguments out of range or misspelt: the message says what to type."""

import pytest

import rocsteady as rs
from rocsteady.errors import UsageError
from rocsteady.options import one_of, open_share, rate_range, rates, resamples_asked


@pytest.mark.parametrize(
    ("call", "typed"),
    [
        (lambda: open_share("confidence_level", 95), "confidence_level=0.95"),
        (lambda: open_share("confidence_level", 99.9), "confidence_level=0.999"),
        (lambda: open_share("confidence_level", 1.0), "confidence_level=0.95"),
        (lambda: open_share("confidence_level", 1.96), "confidence_level=0.95"),
        (lambda: rates("fpr", 5), "fpr=0.05"),
        (lambda: rates("fpr", -0.1), "fpr=0.1"),
        (lambda: rates("prevalence", [0.5, 1.5, 0.1]), "prevalence=0.1"),
        (lambda: rate_range("fpr", (0, 10)), "fpr=(0.0, 0.1)"),
        (lambda: rate_range("fpr", (0.5, 0.1)), "fpr=(0.0, 0.1)"),
    ],
)
def test_what_to_type_is_in_range(call, typed):
    with pytest.raises(UsageError, match="RS042") as caught:
        call()
    assert str(caught.value).splitlines()[-1] == f"  -> {typed}"


def test_every_number_out_of_range_has_a_remedy():
    curve = rs.roc_curve([1, 1, 0, 0], [4, 2, 3, 1])
    for call in (
        lambda: curve.auc_interval(method="bootstrap", n_resamples=0),
        lambda: curve.rates_at(float("nan")),
        lambda: curve.cost_curve().expected_cost(false_positive=-1, false_negative=1, prevalence=0.1),
        lambda: rs.compare_auc([1, 1, 0, 0], [4, 2, 3, 1], [1, 2, 3, 4], confidence_level=95),
    ):
        with pytest.raises(UsageError, match="RS042") as caught:
            call()
        assert caught.value.remedies


@pytest.mark.parametrize(
    ("word", "meant"), [("spss", "nonparametric"), ("SPSS", "nonparametric"), ("wald", "delong")]
)
def test_names_of_other_programs_are_translated(word, meant):
    curve = rs.roc_curve([1, 1, 0, 0], [4, 2, 3, 1])
    calls = [curve.auc_standard_error, curve.auc_null_test]
    if meant == "delong":
        calls += [
            curve.auc_interval,
            lambda method: rs.auc_interval([1, 1, 0, 0], [4, 2, 3, 1], method=method),
        ]
    for call in calls:
        with pytest.raises(UsageError, match="RS001") as caught:
            call(method=word)
        assert str(caught.value).endswith(f"-> here that is  method='{meant}'")


def test_a_translation_must_be_among_the_choices():
    with pytest.raises(UsageError) as caught:
        one_of("method", "percentile", ("logit", "delong"), elsewhere={"percentile": "bootstrap"})
    assert "bootstrap" not in str(caught.value)


def test_a_number_of_resamples_that_no_memory_holds():
    with pytest.raises(UsageError, match="RS042") as caught:
        resamples_asked(10**13)
    assert "at most 10 000 000" in str(caught.value)
    assert resamples_asked(10**7) == 10**7
