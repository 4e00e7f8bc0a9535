"""Write docs/errata.md: every number on it is computed here and now.

python docs/make_errata.py [file]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # where the papers are

from papers.errata import CHAPTERS
from papers.errata.erratum import page

PAGE = Path(__file__).with_name("errata.md")


def main() -> None:
    """Write the page, to another file if one is named."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    path.write_text(page(CHAPTERS), encoding="utf-8")
    print(path)


if __name__ == "__main__":
    main()
