"""What every value says of itself, in three vocabularies and in plain English."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pytest

from every_value import HOSTILE, every_value
from rocsteady.showing import Told
from rocsteady.text import Text, words_of

pytestmark = pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")

ODD = r"\b(anew|told apart|be told|luck|lucky|beyond chance|is no|are no|what is random|so many|foretold)\b"
"""What the house does not say."""


def sentence_of(value: Any) -> Text:
    chapter, _, name = value._sentence.partition(".")
    return getattr(import_module(f"rocsteady.show.sentences.{chapter}"), name)(value)


@pytest.fixture(scope="module")
def tellers() -> dict[str, Any]:
    found = {name: value for name, value in every_value().items() if isinstance(value, Told)}
    assert len(found) > 40
    return found


def test_sentences_are_of_typed_values_and_follow_the_vocabulary(tellers: dict[str, Any]) -> None:
    faults = []
    for name, value in tellers.items():
        found = sentence_of(value)
        if not isinstance(found, Text):
            faults.append(f"{name}: not a Text")
            continue
        for words in ("ml", "medical", "biometric"):
            said = found.plain(words_of(value, words)).replace(HOSTILE, "")
            odd = [r"[{}\x1b]|\b(nan|None)\b", ODD, *([] if words == "ml" else [r"\b(TPR|FPR|FNR)\b"])]
            faults += [f"{name}, {words}: {said}" for own in odd if re.search(own, said)]
    assert faults == []
