"""Compute the cells that are missing."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from simulations.coverage import cells, questions

RESULTS = Path(__file__).parents[2] / "docs" / "coverage.json"


def shown(cell: dict[str, object], nominal: float) -> str:
    """A cell on one line: every share with its Monte-Carlo standard error; a star where it is off."""
    setting = ", ".join(f"{name} {value}" for name, value in cell["setting"].items())  # type: ignore[attr-defined]
    words = []
    for method, (held, of) in cell["shares"].items():  # type: ignore[attr-defined]
        star = "*" if abs(held / of - nominal) > 0.02 else ""
        words.append(f"{method} {held / of:.3f}{star} ({cells.monte_carlo_error(held / of, of):.3f})")
    words += [f"{code} {said / of:.2f}" for code, (said, of) in cell.get("warned", {}).items()]  # type: ignore[attr-defined]
    return f"{setting}:  " + "  ".join(words)


def check(results: cells.Results, names: list[str]) -> bool:
    """Whether the cheapest stored cell of every question comes out the same to the last replicate."""
    stored, same = results.read(), True
    for name in names:
        question = questions.BY_NAME[name]
        known = [own for own in stored.get(name, {}).get("cells", []) if own["setting"] in question.settings]
        if not known:
            continue
        cell = min(known, key=lambda own: (own["replicates"], _size(own["setting"])))
        start = time.perf_counter()
        again = cells.counted_cell(question, cell["setting"], cell["replicates"], cell["seed"])
        is_same = again == cell
        same &= is_same
        print(
            f"{name}: {'equal' if is_same else f'{again} is not {cell}'}   "
            f"[{time.perf_counter() - start:.1f} s]",
            flush=True,
        )
    return same


def _size(setting: dict[str, object]) -> float:
    """Of all numbers of a setting together: that of its cases, in the main."""
    return sum(float(own) for own in setting.values() if isinstance(own, int | float))


def main() -> None:
    """Print every cell as it is done."""
    parser = argparse.ArgumentParser(description="How often intervals cover and tests reject.")
    parser.add_argument("--only", nargs="+", choices=sorted(questions.BY_NAME), metavar="QUESTION")
    parser.add_argument("--replicates", type=int, help="of each cell; by default 2000, or fewer where dear")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="also the cells that are stored")
    parser.add_argument("--check", action="store_true", help="one stored cell of each question again")
    parser.add_argument("--results", type=Path, default=RESULTS, help="docs/coverage.json if not said")
    asked = parser.parse_args()
    results = cells.Results(asked.results)
    if asked.check:
        raise SystemExit(0 if check(results, asked.only or list(questions.BY_NAME)) else 1)
    for name in asked.only or questions.BY_NAME:
        question = questions.BY_NAME[name]
        print(f"{name}: shares of replicates, nominal {question.nominal} (Monte-Carlo standard error)")
        results.add(question)  # drops what is no longer asked for
        replicates = asked.replicates or question.replicates
        for setting in question.settings:
            if not asked.again and results.has(question, setting, replicates, asked.seed):
                continue
            start = time.perf_counter()
            cell = cells.counted_cell(question, setting, replicates, asked.seed)
            results.add(question, cell)
            print(
                f"  {shown(cell, question.nominal)}   [{time.perf_counter() - start:.1f} s]",
                flush=True,
            )


if __name__ == "__main__":
    main()
