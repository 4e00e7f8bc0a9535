"""Write the frozen numbers, or say which have moved.

    python tools/freeze.py                  write tests/frozen/numbers.json; what has not moved stays as it is
    python tools/freeze.py --check          write nothing; exit 1 if a number has moved
    python tools/freeze.py compare plan     only these groups of calls

Every line that changes is printed: write down why in tests/frozen/CHANGES.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from frozen import store
from frozen.calls import GROUPS, run


def main(arguments: list[str] | None = None) -> int:
    """Compute, compare, print, and write unless told not to."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a number has moved")
    parser.add_argument("--times", action="store_true", help="print how long every group takes")
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(GROUPS)}")
    asked = parser.parse_args(arguments)
    before = store.read() if store.STORED.exists() else {}
    chosen = asked.groups or list(GROUPS)
    now = {name: own for name, own in before.items() if name.split("/")[0] not in chosen}
    moved = 0
    for group in chosen:
        start = time.perf_counter()
        found = list(run(group))
        if asked.times:
            print(f"{time.perf_counter() - start:6.2f} s, {len(found)} calls: {group}")
        for name, numbers, tolerance in found:
            if name in now:
                raise ValueError(f"two calls are called {name}")
            now[name], own = _kept(name, numbers, tolerance, before)
            moved += own
        lost = [name for name in before if name.split("/")[0] == group and name not in now]
        moved += len(lost)
        print("".join(f"- {name}\n" for name in lost), end="")
    if not asked.check:
        store.STORED.write_text("\n".join(store.lines(now)) + "\n", encoding="utf-8")
    print(f"{len(now)} calls, {moved} of them new, moved or lost")
    return int(asked.check and moved > 0)


def _kept(name: str, numbers: Any, tolerance: float, before: dict[str, Any]) -> tuple[Any, int]:
    """What to store for a call: the numbers that are there unless they have moved, which is printed."""
    if name not in before:
        print(f"+ {name}")
        return numbers, 1
    found = list(store.differences(before[name], numbers, tolerance))
    print("".join(f"* {name}{line}\n" for line in found), end="")
    return (numbers, 1) if found else (before[name], 0)


if __name__ == "__main__":
    sys.exit(main())
