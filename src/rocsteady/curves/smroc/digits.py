"""Numbers with as many digits as it takes to see on which side of a bound they are."""

from __future__ import annotations


def telling(number: float, *marks: float, digits: int = 6) -> str:
    """The number, rounded, but not across any of the marks or onto one.

    >>> telling(1.00001, 0, 1, digits=4), telling(0.7272727, 0, 1, digits=4), telling(1.0, 0, 1)
    ('1.00001', '0.7273', '1')
    """
    for n_digits in range(digits, 18):
        text = f"{number:.{n_digits}g}"
        if all(_side(float(text), mark) == _side(number, mark) for mark in marks):
            return text
    return repr(number)


def mid_word(mid: float, *, digits: int = 4) -> str:
    """Mid in a sentence; whether it is outside (0, 1] can be seen."""
    return telling(mid, 0.0, 1.0, digits=digits)


def _side(number: float, mark: float) -> int:
    return (number > mark) - (number < mark)
