"""The files of examples, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def as_csv(columns: Mapping[str, Sequence[object]]) -> bytes:
    r"""Rows under a header.

    >>> as_csv({"host": ["a", "b"], "score": [3.0, 4.5]})
    b'host,score\na,3.0\nb,4.5\n'
    """
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode("ascii")


def whole_numbers(values: Sequence[object]) -> list[object]:
    """Ratings as people write them: 30, not 30.0.

    >>> whole_numbers([30.0, 0.25])
    [30, 0.25]
    """
    return [int(v) if isinstance(v, float) and v.is_integer() else v for v in values]
