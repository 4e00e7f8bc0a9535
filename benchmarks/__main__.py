"""``python -m benchmarks``: print today's ratios beside the targets; exit code 1 if a gate fails."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.targets import TARGETS, Target
from benchmarks.verdicts import QUICK_SECONDS, Outcome, Stopwatch, settle, title

PEER_PACKAGES = ("numpy", "scipy", "scikit-learn", "polars", "confidenceinterval", "MLstatkit")
TARGET_THREADS = 2  # the targets were set with two
_LINE = "{:<16}{:<40}{:<20}{:>8}{:>8}{:>7}{:>9}  {:<13}{}"
_HEADINGS = ("row", "work", "peer", "best", "median", "gate", "stretch", "verdict", "ours and theirs")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen rows and print the table."""
    options = _options(arguments)
    os.environ.setdefault("ROCSTEADY_THREADS", str(min(TARGET_THREADS, os.cpu_count() or 1)))
    settings = environment()
    print("\n".join(f"{name}: {value}" for name, value in settings.items()), end="\n\n")
    print(_LINE.format(*_HEADINGS))

    chosen = [t for t in TARGETS if not options.row or t.row in options.row]
    stopwatch = Stopwatch(QUICK_SECONDS) if options.quick else Stopwatch()
    outcomes = []
    for target in chosen:
        outcome = settle(target, stopwatch, quick=options.quick, named=bool(options.row))
        print(line(outcome), flush=True)
        outcomes.append(outcome)

    failed = [o for o in outcomes if o.fails(require_all=options.require_all)]
    print("\n" + summary(outcomes, failed))
    if options.json:
        report = {"environment": settings, "quick": options.quick, "rows": [o.to_dict() for o in outcomes]}
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    return 1 if failed else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    names = [target.row for target in TARGETS]
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description="Time rocsteady beside its peers.",
        epilog="rows: " + ", ".join(names),
    )
    parser.add_argument("--quick", action="store_true", help="end within two minutes; says what is left out")
    parser.add_argument("--row", nargs="+", action="extend", choices=names, metavar="NAME", help="only these")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every number to this file too")
    parser.add_argument("--require-all", action="store_true", help="a gate that cannot be measured fails")
    return parser.parse_args(arguments)


def environment() -> dict[str, str]:
    """The machine, the threads and the versions: what a ratio depends on."""
    from rocsteady import _kernels

    threads = f"rocsteady {_kernels.thread_count()}, peers as they choose"
    try:
        import polars

        threads += f" (polars {polars.thread_pool_size()}); targets were set with {TARGET_THREADS}"
    except ModuleNotFoundError:
        pass
    return {
        "machine": f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "kernels": "compiled"
        if _kernels.is_native
        else "NumPy twins, not compiled: the gates are not meant for these",
        "threads": threads,
        "peers": ", ".join(f"{package} {_version(package)}" for package in PEER_PACKAGES),
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def line(outcome: Outcome) -> str:
    """One line of the table."""
    target, found = outcome.target, outcome.measurement
    note = outcome.note
    if outcome.reruns:
        note += f"; rerun {outcome.reruns}x"
    if outcome.verdict == "UNSTABLE" and found:
        note += f"; spread {found.spread:.0%}"
    return _LINE.format(
        target.row,
        title(target),
        target.peer,
        _number(found.best if found else None, target),
        _number(found.median if found else None, target),
        _number(target.gate, target),
        _number(target.stretch, target),
        outcome.verdict,
        note,
    ).rstrip()


def _number(value: float | None, target: Target) -> str:
    if value is None:
        return "-"
    mark = {"x": "x", "ms": "ms", "B/score": "B", "yards": "y"}[target.unit]
    return f"{value:.0f}{mark}" if abs(value) >= 100 or value == int(value) else f"{value:.1f}{mark}"


def summary(outcomes: Sequence[Outcome], failed: Sequence[Outcome]) -> str:
    """What failed, what is missing, in words."""
    held = [o.target.row for o in outcomes if o.verdict in ("pass", "stretch")]
    lines = [
        f"gates that hold: {len(held)}",
        f"failed: {', '.join(o.target.row for o in failed) or 'none'}",
    ]
    for verdict in ("not measured", "left out"):
        missing = [f"{o.target.row} ({o.note})" for o in outcomes if o.verdict == verdict]
        if missing:
            lines.append(f"{verdict}: {', '.join(missing)}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
