"""``rocsteady plan --auc 0.8``: cases of a single curve, without data."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rocsteady.cli.console import show
from rocsteady.cli.plan.words import typed_in_shell
from rocsteady.errors import RocsteadyError, fail

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Numbers:
    """What was typed in place of a file."""

    auc: float | None
    null: float | None
    other_auc: float | None
    correlation: float | None
    n_positives: int | None
    n_negatives: int | None
    ratio: float | None

    def given(self) -> list[str]:
        """The options that were typed."""
        return [f"--{name.replace('_', '-')}" for name, value in asdict(self).items() if value is not None]

    def require(self, output: Path | None) -> None:
        """RS002 if there is neither a file nor an AUC, or if a table is to be written: there is none."""
        if self.auc is None:
            raise fail("RS002.plan-of-nothing", given=" and ".join(self.given()) or "neither")
        if output is not None:
            raise fail("RS002.plan-table", output=output)

    def refuse(self, *but: str) -> None:
        """RS002 if there is a file as well, and more than ``but``."""
        given = [name for name in self.given() if name.removeprefix("--") not in but]
        if given:
            raise fail("RS002.plan-of-numbers", option=given[0], options=" and ".join(given))


def numbers_plan(
    numbers: Numbers,
    half_width: float | None,
    power: float,
    confidence_level: float,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the plan."""
    from rocsteady.planning.plan import plan

    options: dict[str, Any] = asdict(numbers)
    wanted: dict[str, Any] = {"half_width": half_width, "power": power, "confidence_level": confidence_level}
    try:
        found = plan(options.pop("auc"), **options, **wanted)
    except RocsteadyError as error:
        raise typed_in_shell(error) from error
    if as_json:
        data = {"schema_version": SCHEMA_VERSION, "plan": found.to_dict(), "warnings": []}
        print(json.dumps(data, indent=2, allow_nan=False))
    elif quiet:
        print(f"{found.n_positives:g} {found.n_negatives:g}")
    else:
        show(found.reading)
