"""``python -m benchmarks.large``: what large tables cost beside a bare count; exit code 1 if a gate fails."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from benchmarks.large.contestants import CORES
from benchmarks.large.generate import generate
from benchmarks.large.rounds import (
    FIXED_SECONDS,
    GIGABYTE,
    MEGABYTE,
    YARD,
    Arena,
    Outcome,
    Target,
    flat_memory,
    settle,
)

TARGETS = (
    Target("averages", "1,024 cells a host; three averages", 1.5, 1.0 * GIGABYTE),
    Target("exact", "every host exactly", 3.0, 1.2 * GIGABYTE),
    Target("pooled", "all rows together, AUC within 1e-6", 3.0, None),
    Target("pooled-rates", "the same, and every rate", None, None, is_usual=False),
)
ROWS = (YARD, *(target.row for target in TARGETS), "flat")
UNUSUAL = tuple(target.row for target in TARGETS if not target.is_usual)
FLAT_FACTOR, FLAT_MARGIN = 1.15, 50 * MEGABYTE
_LINE = "{:<14}{:<38}{:>7}{:>8}{:>7}{:>9}{:>9}  {:<10}{}"
_HEADINGS = ("row", "work", "best", "median", "most", "peak GB", "most GB", "verdict", "seconds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the tables where they are missing, run the chosen rows and print the table."""
    options = _options(arguments)
    rows = options.rows or (10_000_000 if options.quick else 100_000_000)
    n_rounds = options.rounds or (1 if options.quick else 3)
    groups = min(1_000, max(200, rows // 100_000))
    home = Path(tempfile.gettempdir()) / "rocsteady-large"
    dataset = generate(options.folder or home / f"{rows // 10**6}m", rows, groups)
    small = generate(home / "small", 1_000_000, 1_000)

    settings = {
        "machine": f"{platform.platform()}, {os.cpu_count()} cores, {CORES} used",
        "versions": ", ".join(f"{name} {version(name)}" for name in ("rocsteady", "duckdb", "numpy")),
        "table": f"{dataset.folder}: {rows:,} rows, {groups:,} hosts, {dataset.positives:,} positives",
    }
    if options.quick:
        settings["quick"] = (
            f"gates on CPU are wider by {FIXED_SECONDS} s, as what does not grow with the rows (planning, "
            "averaging, starting threads) weighs more beside a short count; a single round has no spread"
        )
    print("\n".join(f"{name}: {value}" for name, value in settings.items()), end="\n\n")
    print(_LINE.format(*_HEADINGS), flush=True)

    arena = Arena(dataset, small)
    wanted = options.only or [row for row in ROWS if row not in UNUSUAL]
    outcomes = []
    if set(wanted) != {"flat"}:
        targets = [target for target in TARGETS if target.row in wanted]
        outcomes += settle(arena, targets, n_rounds, quick=options.quick)
    if "flat" in wanted:
        outcomes.append(flat_memory(arena, factor=FLAT_FACTOR, margin=FLAT_MARGIN))
    for outcome in outcomes:
        print(line(outcome))
    failed = [outcome.row for outcome in outcomes if outcome.fails]
    print(f"\nfailed: {', '.join(failed) or 'none'}")
    if options.json:
        report = {"environment": settings, "rows": [outcome.to_dict() for outcome in outcomes]}
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    return 1 if failed else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.large",
        description="Count tables larger than memory beside a bare count by DuckDB.",
        epilog=f"rows: {', '.join(ROWS)}; only when named: {', '.join(UNUSUAL)}",
    )
    parser.add_argument("--quick", action="store_true", help="10 million rows, once; says what is looser")
    parser.add_argument("--rows", type=int, metavar="N", help="100 million unless given")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the table is, or is to be written")
    parser.add_argument("--rounds", type=int, metavar="K", help="3 unless given")
    parser.add_argument("--only", nargs="+", action="extend", choices=ROWS, help="only these", metavar="NAME")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number to this file too")
    return parser.parse_args(arguments)


def line(outcome: Outcome) -> str:
    """One line of the table."""
    found = outcome.measurement
    return _LINE.format(
        outcome.row,
        outcome.title,
        _number(found and found.best, "x"),
        _number(found and found.median, "x"),
        _number(outcome.most_ratio, "x"),
        _number(outcome.peak_bytes and outcome.peak_bytes / GIGABYTE),
        _number(outcome.most_bytes and outcome.most_bytes / GIGABYTE),
        outcome.verdict,
        outcome.note,
    ).rstrip()


def _number(value: float | None, unit: str = "") -> str:
    return "-" if value is None else f"{value:.2f}{unit}"


if __name__ == "__main__":
    sys.exit(main())
