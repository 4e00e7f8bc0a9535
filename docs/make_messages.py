"""Write docs/messages.md: every code with what it means, from the catalogue.

    python docs/make_messages.py            write the page
    python docs/make_messages.py --check    exit 1 if it would change

The titles and explanations are those that ``rocsteady explain`` prints.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rocsteady.cli.explain import kind
from rocsteady.errors import catalogue

PAGE = Path(__file__).with_name("messages.md")
INTRODUCTION = """\
# Messages

Made by docs/make_messages.py from src/rocsteady/messages.toml. `rocsteady explain CODE` says the same.

Every error and warning has a code, which is stable. It says what is wrong, what was found, and what to type.
In Python they are `rs.RocsteadyError` and `rs.RocsteadyWarning`, with `.code`, `.problem`, `.found`,
`.remedies` and `.facts`, the values that the message was made from.
"""


def page() -> str:
    """The whole page."""
    sections = [
        f"## {code}: {entry.title}\n\n{kind(code).capitalize()}. {_escaped(entry.explanation.strip())}\n"
        for code, entry in catalogue().items()
    ]
    return "\n".join([INTRODUCTION, *sections])


def _escaped(text: str) -> str:
    return text.replace("|", r"\|").replace("<", "&lt;").replace("*", r"\*")


def main() -> None:
    """Write the page, or compare."""
    text = page()
    if sys.argv[1:] == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != text:
            raise SystemExit("docs/messages.md is not what the catalogue is: python docs/make_messages.py")
        return
    PAGE.write_text(text, encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
