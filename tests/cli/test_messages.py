"""The messages of the design: what is wrong, what was found, what to type; the same from every command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rocsteady.errors import catalogue

COMMANDS = {
    "check": [],
    "average": ["--method", "vertical", "--grid", "5", "--band", "none", "-o", "curve.csv", "--overwrite"],
    "compare": ["--method", "vertical"],
    "cutoff": ["--at", "youden", "--boot", "0"],
    "plan": [],
    "advise": ["--deploy", "shared"],
    "plot": ["--figure", "curves", "--dpi", "50", "--overwrite"],
}


def write(name: str, header: str, rows: list[str]) -> None:
    Path(name).write_text("\n".join([header, *rows]) + "\n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)

    def scores(n: int, shift: float = 0.0) -> list[float]:
        return [round(float(x), 3) for x in rng.normal(size=n) + shift]

    plain = [
        f"{i % 10},{int(i % 3 == 0)},{s},{'candidate' if i % 2 else 'current'}"
        for i, s in enumerate(scores(120))
    ]
    write("scores.csv", "fold,y_true,y_prob,model", plain)
    write(
        "events.csv",
        "host,is_attack,score",
        [f"h{i % 4},{'attack' if i % 7 == 0 else 'normal'},{i}" for i in range(70)],
    )
    write(
        "reads.csv",
        "stage,score",
        [f"{['0', 'I', 'II', 'III'][i % 4]},{s}" for i, s in enumerate(scores(40))],
    )
    missing = [
        row.replace(row.split(",")[2], "NaN") if i % 2 and i > 80 else row for i, row in enumerate(plain)
    ]
    write("folds.csv", "fold,y_true,y_prob,model", missing)
    write(
        "sorted.csv",
        "fold,y_true,y_prob",
        [f"{i // 10},{int(i >= 40)},{s}" for i, s in enumerate(scores(100))],
    )
    scans = [f"{i % 12},{int(i % 2)},{s - 2 * (i % 2)}" for i, s in enumerate(scores(240))]
    write(
        "scans.csv",
        "reader,label,score",
        [row.replace(f"{i % 12},", f"{i // 20},", 1) for i, row in enumerate(scans)],
    )
    hosts = []
    for host in range(23):
        level = 3 * rng.normal()
        n_attacks = 0 if host == 22 else 9 if host == 16 else 20
        hosts += [f"host-{host + 1:02},attack,{s}" for s in scores(n_attacks, level + 2)]
        hosts += [f"host-{host + 1:02},normal,{s}" for s in scores(30, level)]
    write("hosts.csv", "host,label,score", hosts)


ERRORS = {
    "RS011": (["scores.csv", "--score", "probability"], 2),
    "RS021": (["events.csv", "-g", "host", "-y", "is_attack", "-p", "positive"], 2),
    "RS022": (["reads.csv", "-y", "stage"], 2),
    "RS031": (["folds.csv", "-p", "1"], 3),
    "RS032": (["sorted.csv", "-p", "1"], 3),
    "RS041": (["scans.csv", "-p", "1"], 3),
}


TYPED = {
    "RS011": ["did you mean  --score y_prob ?"],
    "RS021": ["use  --positive attack   or   --positive normal"],
    "RS022": ["--positive III,"],
    "RS031": ["--on-missing drop"],
    "RS032": ["→"],
    "RS041": ["--low-is-positive, or --positive 0, or --allow-reversed"],
}
"""What each says to type."""


@pytest.mark.parametrize("code", list(ERRORS))
def test_every_command_says_the_same(call, code: str) -> None:
    given, exit_code = ERRORS[code]
    said = {}
    for name, options in COMMANDS.items():
        shown = call(name, *given, *options)
        assert (shown.code, shown.out) == (exit_code, ""), name
        said[name] = shown.err
    assert set(said.values()) == {said["check"]}
    first, *rest = said["check"].splitlines()
    assert first.startswith(f"error {code} ")
    assert any(line.startswith("  → ") for line in rest)
    assert any(remedy in said["check"] for remedy in TYPED[code])


def test_warnings(call) -> None:
    dropped = call("check", "folds.csv", "-p", "1", "--on-missing", "drop", "--allow-reversed")
    assert dropped.code == 0
    assert dropped.err.startswith("warning RS102 ")
    given = ["hosts.csv", "-g", "host", "-p", "attack"]
    hosts = call("average", *given, "--deploy", "shared", *COMMANDS["average"][2:])
    for code in ("RS201", "RS301", "RS203"):
        assert hosts.err.count(f"warning {code} ") == 1
    assert "--method vertical" in hosts.err


@pytest.mark.parametrize("code", [*ERRORS, "RS102", "RS201", "RS203", "RS301", "RS004", "RS005"])
def test_each_is_explained(call, code: str) -> None:
    shown = call("explain", code)
    assert (shown.code, shown.err) == (0, "")
    assert catalogue()[code].title in shown.out
    assert len(shown.out.splitlines()) > 2


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "compare"])  # one model
@pytest.mark.filterwarnings("error:RS106")
def test_reversed_scores_are_said_once(call, command: str) -> None:
    """As an error; accepted, they are not said again as Python says them."""
    options = [command, *ERRORS["RS041"][0], *COMMANDS[command]]
    shown = call(*options)
    assert (shown.code, shown.err.count("RS041"), shown.err.count("RS106")) == (3, 1, 0)
    assert "RS106" not in call(*options, "--allow-reversed").err
