"""How each original is laid out: what separates its fields, which are features, which is the class."""

from __future__ import annotations

from dataclasses import dataclass, field

MISSING = "?"


@dataclass(frozen=True)
class Layout:
    """The layout of one original.

    Attributes
    ----------
    n_fields : int
        Fields in a row.
    label : int or None
        The place of the class among them, from 0; None if rows come class by class.
    positive, negative : str
        How the two classes are written.
    rows_of_each : int
        Where rows come class by class: how many there are of each; classes count from 0.
    dropped : tuple of int
        The places of fields that are no features.
    separator : str or None
        What separates fields; None for blanks (commas there count as blanks).
    header : bool
        Whether the first row names the fields.
    spelled : bool
        Whether the one feature field is a word, each letter of which is a feature.
    stray_comma : bool
        Whether a row may start with a comma too many.
    unlabelled_dropped : bool
        Whether rows without a class are left out; otherwise they are refused.
    left_out : dict
        Rows are left out where the field at this place has one of these values.
    names : dict
        The fields whose codes get names, by place.
    """

    n_fields: int
    label: int | None
    positive: str = ""
    negative: str = ""
    rows_of_each: int = 0
    dropped: tuple[int, ...] = ()
    separator: str | None = ","
    header: bool = False
    spelled: bool = False
    stray_comma: bool = False
    unlabelled_dropped: bool = False
    left_out: dict[int, frozenset[str]] = field(default_factory=dict)
    names: dict[int, dict[str, str]] = field(default_factory=dict)

    @property
    def features(self) -> tuple[int, ...]:
        """The places of the feature fields."""
        return tuple(
            place for place in range(self.n_fields) if place != self.label and place not in self.dropped
        )


_HUNGARIAN_NAMES = {
    1: {"0": "female", "1": "male"},
    2: {"1": "typ_angina", "2": "atyp_angina", "3": "non_anginal", "4": "asympt"},
    5: {"0": "f", "1": "t"},
    6: {"0": "normal", "1": "st_t_wave_abnormality", "2": "left_vent_hyper"},
    8: {"0": "no", "1": "yes"},
    10: {"1": "up", "2": "flat", "3": "down"},
    12: {"3": "normal", "6": "fixed_defect", "7": "reversable_defect"},
}
_OZONE = Layout(74, 73, "1", "0", dropped=(0,))  # the date

LAYOUTS: dict[str, Layout] = {
    "prom": Layout(3, 0, "+", "-", dropped=(1,), spelled=True),
    # survival comes first and alive-at-1 last: both tell the class. Line 50 starts with a comma.
    "echo": Layout(13, 1, "1", "0", dropped=(0, 9, 10, 11, 12), stray_comma=True, unlabelled_dropped=True),
    "hepa": Layout(20, 0, "1", "2"),
    "prks": Layout(24, 17, "1", "0", dropped=(0,), header=True),
    "hart": Layout(14, 13, "2", "1", separator=None),
    "hrth": Layout(14, 13, "0", "1", names=_HUNGARIAN_NAMES),
    # the hospital number; then the outcome, the types of lesion and whether pathology data exist
    "hors": Layout(28, 23, "1", "2", dropped=(2, 22, 24, 25, 26, 27), separator=None),
    "habr": Layout(4, 3, "2", "1"),
    "iono": Layout(35, 34, "g", "b"),
    "vots": Layout(17, 0, "republican", "democrat"),
    "jcrx": Layout(16, 15, "+", "-"),
    "aust": Layout(15, 14, "1", "0", separator=None),
    "wisc": Layout(11, 10, "4", "2", dropped=(0,)),
    "blod": Layout(5, 4, "1", "0", header=True),
    "diab": Layout(9, 8, "1", "0"),
    # assessments go from 1 to 5; without those of 0 and 6 the counts are those of Table 1
    "mamo": Layout(6, 5, "1", "0", left_out={0: frozenset("06")}),
    "tic": Layout(10, 9, "positive", "negative"),
    "ger": Layout(21, 20, "1", "2", separator=None),
    "oz8h": _OZONE,
    "oz1h": _OZONE,
    "chss": Layout(37, 36, "won", "nowin"),
    "spam": Layout(58, 57, "1", "0"),
    "mush": Layout(23, 0, "p", "e"),
    "mgic": Layout(11, 10, "g", "h"),
    "adlt": Layout(15, 14, ">50K", "<=50K"),
    "mfeat-mor": Layout(6, None, rows_of_each=200, separator=None),
}
"""By the abbreviations; internet-ad has none, for want of a copy to check against."""
