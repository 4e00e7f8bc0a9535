"""``rocsteady smroc`` and its figure: what is printed, written and refused."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs

COLUMNS = ("-y", "truth", "-s", "sure", "-s", "timid", "-g", "fold", "--design", "cross-validation")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return written(tmp_path / "shares.csv")


def written(path: Path, n: int = 240, **others: Any) -> str:
    rng = np.random.default_rng(0)
    truth = np.arange(n) % 10 < 4
    seen = rng.normal(np.where(truth, 1.0, -1.0))
    columns = {
        "fold": [f"f{i // (n // 6)}" for i in range(n)],
        "truth": truth.astype(int).tolist(),
        "sure": np.round(1 / (1 + np.exp(-3 * seen)), 3).tolist(),
        "timid": np.round(1 / (1 + np.exp(-0.5 * seen - 0.5 * rng.normal(size=n))), 3).tolist(),
    } | others
    with path.open("w", newline="") as opened:
        rows = csv.writer(opened)
        rows.writerow(columns)
        rows.writerows(zip(*columns.values(), strict=True))
    return path.name


def one_dataset(file: str) -> str:
    """The same rows without their folds, which would be taken by their name."""
    rows = [line.split(",", 1)[1] for line in Path(file).read_text().splitlines()]
    Path("alone.csv").write_text("\n".join(rows) + "\n")
    return "alone.csv"


def test_it_says_how_large_the_smaucs_are_and_who_is_better(call, file: str) -> None:
    shown = call("smroc", file, *COLUMNS, "--mid", "0.5")
    assert shown.code == 0
    assert "Areas, 95 % CI over folds; chance level: labels at random" in shown.out
    assert "sure has the larger mean smAUC: 0." in " ".join(shown.out.split())
    assert "the trained models are fixed" in " ".join(shown.out.split())
    assert "warning RS299 " in shown.err
    assert "mean AUC is" in " ".join(shown.out.split())


def test_its_json_is_what_python_has(call, file: str) -> None:
    shown = call("smroc", file, *COLUMNS, "--mid", "50%", "--random", "cases", "--seed", "3", "--json")
    data = json.loads(shown.out)["smroc"]
    roles = {"label": "truth", "score": ["sure", "timid"], "group": "fold", "design": "cross-validation"}
    scores = rs.read_scores(file, **roles)
    own = rs.summarize_smauc(scores.model("sure"), mid=0.5, random="cases", seed=3)
    assert data["models"]["sure"] == json.loads(json.dumps(own.to_dict()))
    both = rs.compare_smauc(scores, mid=0.5, random="cases", seed=3)
    assert data["comparison"] == json.loads(json.dumps(both.to_dict()))


def test_one_model_has_no_comparison_and_no_column_for_its_name(call, file: str) -> None:
    shown = call("smroc", file, "-y", "truth", "-s", "sure", "-q")
    assert shown.code == 0
    assert "model" not in shown.out.casefold()
    assert "smAUC" in shown.out
    assert (
        json.loads(call("smroc", file, "-y", "truth", "-s", "sure", "--json").out)["smroc"]["comparison"]
        is None
    )


@pytest.mark.parametrize("ending", ["csv", "parquet", "json", "png", "svg", "pdf"])
def test_it_writes_figures_and_tables(call, file: str, ending: str) -> None:
    shown = call("smroc", file, *COLUMNS, "--mid", "0.5", "-q", "-o", f"out.{ending}")
    assert shown.code == 0
    assert Path(f"out.{ending}").stat().st_size > 500
    if ending == "csv":
        rows = list(csv.DictReader(io.StringIO(Path("out.csv").read_text())))
        assert len(rows) == 12
        assert list(rows[0])[:3] == ["model", "fold", "smauc"]
        assert "auc" not in rows[0]
    assert call("smroc", file, *COLUMNS, "-o", f"out.{ending}").code != 0  # it is there


def test_a_mid_outside_is_warned_of_and_shown_all_the_same(call, file: str) -> None:
    shown = call("smroc", file, *COLUMNS, "--mid", "1.5")
    assert shown.code == 0
    assert "warning RS260 " in shown.err
    assert "--mid clipped" in shown.err
    assert "Mid lies outside 0 to 1" in " ".join(shown.out.split())
    assert call("smroc", file, *COLUMNS, "--mid", "1.5", "--strict").code == 4


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("--mid", "0.5"), r"Mid: 0\.5, given\."),
        ((), r"Mid: the paper's \(0\.\d+ to 0\.\d+ for sure, 0\.\d+ to 0\.\d+ for timid\)\."),
        (("--mid", "clipped"), r"Mid: the paper's, but at most 1 \(0\.\d+ to 0\.\d+ for sure, "),
    ],
)
def test_it_says_which_mid(call, file: str, typed: tuple[str, ...], said: str) -> None:
    shown = " ".join(call("smroc", file, *COLUMNS, *typed).out.split())
    assert re.search(said, shown)
    alone = " ".join(call("smroc", one_dataset(file), "-y", "truth", "-s", "sure").out.split())
    assert re.search(r"Mid: the paper's \(0\.\d+\)\.", alone)


def test_one_dataset_whose_mid_is_outside_is_spoken_of_as_one(call, file: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    truth = (np.arange(240) % 12 == 0).astype(int).tolist()
    rare = written(tmp_path / "rare.csv", truth=truth, sure=rng.choice([0.01, 0.99], 240).tolist())
    shown = call("smroc", one_dataset(rare), "-y", "truth", "-s", "sure", "-s", "timid")
    said = " ".join(shown.out.split())
    assert re.search(r"sure: its Mid is [2-9]\.\d+, outside 0 to 1, so all its scores count as low\.", said)
    assert "in 1 group" not in said
    warned = " ".join(shown.err.split())
    assert "all scores are low" in warned
    assert "all: " not in warned
    assert "of 1 smROC curves" not in warned
    given = r"sure has the larger smAUC: 0\.\d+ higher \(.*\), p < 0\.001, but its smAUC is not above chance \(p = "
    assert re.search(given + r"0\.\d+\); Mid lies outside 0 to 1 for sure and timid\.", said)


def test_the_figure_says_whose_curves_it_has(call, file: str) -> None:
    for name, columns in ((file, COLUMNS), (one_dataset(file), COLUMNS[:6])):
        shown = call("plot", name, *columns, "--figure", "smroc", "--mid", "0.5", "-o", f"{len(columns)}.svg")
        assert "Drawn: smROC curves of sure and timid." in shown.out


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (("--mid", "middle"), "RS001"),
        (("--mid", "inf"), "RS042"),
        (("--random", "rows"), "RS002"),
        (("-s", "nothing"), "RS011"),
    ],
)
def test_what_is_refused(call, file: str, typed: tuple[str, ...], code: str) -> None:
    shown = call("smroc", file, *COLUMNS, *typed)
    assert shown.code != 0
    assert f"error {code} " in shown.err
    assert shown.out == ""


def test_scores_that_are_no_probabilities_are_refused(call, file: str, tmp_path: Path) -> None:
    other = written(tmp_path / "others.csv", timid=(5.0 + np.arange(240) % 10 * -0.5).tolist())
    for command in (("smroc", other), ("plot", other, "--figure", "smroc", "-o", "x.png")):
        shown = call(*command, *COLUMNS)
        assert shown.code == 3
        assert "error RS087 " in shown.err
    assert not Path("x.png").exists()


def test_the_figure_has_all_models(call, file: str) -> None:
    shown = call("plot", file, *COLUMNS, "--figure", "smroc", "--mid", "0.5", "-o", "both.svg")
    assert shown.code == 0
    drawn = Path("both.svg").read_text()
    assert "sure" in drawn
    assert "chance" in drawn
    refused = call("plot", file, *COLUMNS, "--figure", "curves", "--mid", "0.5")
    assert "error RS002 " in refused.err
    assert "--figure smroc" in refused.err


def test_models_that_share_no_fold_are_two_samples_or_refused(call, file: str, tmp_path: Path) -> None:
    rows = ["model,fold,truth,score"]
    rng = np.random.default_rng(1)
    for k in range(8):
        for i in range(30):
            rows.append(f"{'ab'[k // 4]},f{k},{int(i % 3 == 0)},{rng.beta(2, 3):.3f}")
    (tmp_path / "apart.csv").write_text("\n".join(rows) + "\n")
    typed = (
        "apart.csv",
        "-y",
        "truth",
        "-s",
        "score",
        "-m",
        "model",
        "-g",
        "fold",
        "--design",
        "independent",
    )
    shown = call("smroc", *typed, "--mid", "0.5")
    assert shown.code == 0
    assert "Welch" in shown.out
