"""The runs behind Figures 4 to 7: files, one run, the cache, processes, going on after a stop."""

from __future__ import annotations

import math
import multiprocessing
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import rocsteady as rs
from papers.learners import NaiveBayes
from papers.smroc import runs
from papers.smroc import sets as files
from papers.smroc.runs import MIDS, N_FOLDS, N_PERMUTATIONS, NB, Cache, Task, do, key_of, run_all
from rocsteady.errors import FileError, MissingFileError, UsageError
from rocsteady.scores import stratified_folds
from smroc_sets import tiny_set

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def no_folders(monkeypatch) -> None:
    for name in ("ROCSTEADY_DATA", "ROCSTEADY_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def sets(tmp_path):
    return tuple(tiny_set(name, tmp_path / "data", n=n) for name, n in (("a", 60), ("b", 80), ("c", 70)))


@pytest.fixture
def tasks(sets, tmp_path) -> list[Task]:
    places = [(own, tmp_path / "data" / "uci" / str(own.file)) for own in sets]
    return [
        Task(own.abbr, (own, path), seed, keeps_scores=own.abbr == "c")
        for own, path in places
        for seed in (1, 2)
    ]


# Files.


def test_a_table_has_numbers_codes_and_nan(tmp_path) -> None:
    own = tiny_set("a", tmp_path)
    path = tmp_path / "uci" / "a.csv"
    table = files.read_table(own, path)
    rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
    assert table.features.shape == (60, 3)
    assert table.nominal == (2,)
    for i, cells in enumerate(rows):
        wanted = [
            *(float(c) if c else math.nan for c in cells[:2]),
            {"no": 0.0, "yes": 1.0}.get(cells[2], math.nan),
        ]
        np.testing.assert_array_equal(table.features[i], wanted)
        assert table.is_positive[i] == (cells[3] == "1")
    assert np.isnan(table.features).sum() == 6


@pytest.mark.parametrize(
    "content",
    [
        "first,second,class\n1,2,1\n",
        "first,second,answer,class\n1,2,yes,2\n",
        "first,second,answer,class\n1,x,yes,1\n",
        "first,second,answer,class\n1,2,yes\n",
        "",
    ],
    ids=["column missing", "another class", "not a number", "short row", "empty"],
)
def test_a_file_that_holds_something_else_is_refused(tmp_path, content) -> None:
    own, path = tiny_set("a", tmp_path), tmp_path / "other.csv"
    path.write_text(content)
    with pytest.raises(FileError, match="RS053"):
        files.read_table(own, path)


def test_a_damaged_and_a_missing_file_are_named_and_the_others_go_on(sets, tmp_path) -> None:
    data = tmp_path / "data"
    with (data / "uci" / "a.csv").open("a") as file:
        file.write("0,0,yes,1\n")
    (data / "uci" / "b.csv").unlink()
    found = files.find(sets, data)
    assert list(found.paths) == ["c"]
    assert found.missing == ("b",)
    assert len(found.damaged) == 1
    assert str(data / "uci" / "a.csv") in found.damaged[0]
    assert "sha256" in found.damaged[0]
    (said,) = files.needed(found, sets)
    assert "uci/b.csv is not in" in said
    assert "a.csv" not in said
    assert files.FETCHING in said


def test_a_file_that_cannot_be_read_is_damaged(sets, tmp_path) -> None:
    path = tmp_path / "data" / "uci" / "a.csv"
    path.unlink()
    path.mkdir()
    found = files.find(sets, tmp_path / "data")
    assert list(found.paths) == ["b", "c"]
    assert "cannot be read" in found.damaged[0]


@pytest.mark.parametrize("how", ["argument", "environment"])
@pytest.mark.parametrize("what", ["absent", "empty", "a file"])
def test_a_named_folder_without_any_set_is_an_error(sets, tmp_path, monkeypatch, how, what) -> None:
    place = tmp_path / "named"
    if what == "empty":
        place.mkdir()
    if what == "a file":
        place.write_text("")
    monkeypatch.setenv("ROCSTEADY_DATA", str(place if how == "environment" else tmp_path / "data"))
    with pytest.raises(MissingFileError, match="RS051") as caught:
        files.find(sets, place if how == "argument" else None)
    assert str(place) in str(caught.value)


@pytest.mark.parametrize("data", [None, ""])
def test_without_a_folder_the_files_that_are_needed_are_said(sets, no_folders, data) -> None:
    found = files.find(sets, data)
    assert found.folder is None
    (said,) = files.needed(found, sets)
    assert all(f"uci/{own.file}" in said for own in sets)
    assert files.VARIABLE in said
    assert files.FETCHING in said


# One run.


def test_the_numbers_of_a_run_are_those_of_its_stacked_curve() -> None:
    random = np.random.default_rng(3)
    is_positive = np.arange(100) % 4 == 0
    scores = np.round(np.clip(0.6 * random.random(100) + 0.3 * is_positive, 0, 1), 2)
    folds = stratified_folds(is_positive, N_FOLDS, seed=1)
    found = runs.measured(is_positive, scores, folds, seed=5)
    assert found["auc"] == rs.auc(is_positive, scores)
    for name, mid in MIDS.items():
        curve = rs.smroc_curve(is_positive, scores, mid=mid)
        assert found[name] == curve.auc
        assert found[f"chance, {name}"] == curve.chance_auc
        assert found[f"permuted, {name}"] == curve.permuted(N_PERMUTATIONS, seed=5).mean
    assert found["mid"] == pytest.approx(scores.sum() / (2 * 25))
    for name, mid in (("paper", found["mid"]), ("half", 0.5)):
        high = scores >= mid
        assert found[f"positives, {name}"] == pytest.approx(high[is_positive].mean())
        assert found[f"negatives, {name}"] == pytest.approx(1 - high[~is_positive].mean())
    for fold in range(N_FOLDS):
        own = folds == fold
        assert found["fold auc"][fold] == rs.auc(is_positive[own], scores[own])
        curve = rs.smroc_curve(is_positive[own], scores[own], mid=found["mid"])
        assert found["fold smauc"][fold] == curve.auc


# The cache.


def test_an_entry_comes_back_as_it_was(tmp_path) -> None:
    content = {"NB": {"auc": 0.1 + 0.2, "fold_smauc": [1 / 3, math.inf]}}
    Cache(tmp_path).write("key", content)
    assert Cache(tmp_path).read("key") == content
    assert Cache(tmp_path).read("other") is None
    assert [path.name for path in tmp_path.iterdir()] == ["key.json"]


@pytest.mark.parametrize(
    "harm", ["cut short", "empty", "a number changed", "another key", "not a dict", "binary"]
)
def test_an_entry_that_was_harmed_is_not_trusted(tmp_path, harm) -> None:
    cache = Cache(tmp_path)
    cache.write("key", {"NB": {"auc": 0.75}})
    path = tmp_path / "key.json"
    text = path.read_text()
    harmed = {
        "cut short": text[:-9],
        "empty": "",
        "a number changed": text.replace("0.75", "0.76"),
        "another key": text.replace('"key": "key"', '"key": "yek"'),
        "not a dict": "[1, 2]",
    }
    if harm == "binary":
        path.write_bytes(b"\xff\xfe\x00")
    else:
        assert harmed[harm] != text
        path.write_text(harmed[harm])
    assert cache.read("key") is None


def test_a_cache_that_vanished_loses_entries_and_nothing_else(tmp_path) -> None:
    cache = Cache(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    cache.write("key", {"NB": 1})
    assert cache.read("key") is None
    Cache(None).write("key", {"NB": 1})
    assert Cache(None).read("key") is None


def test_the_key_changes_with_everything_the_numbers_depend_on(tasks, monkeypatch) -> None:
    task = tasks[0]
    keys = {key_of(task.parameters())}
    of, path = task.data
    others = (
        replace(task, seed=7),
        replace(task, keeps_scores=True),
        replace(task, n_folds=5),
        replace(task, learners={NB: NaiveBayes()}),
        replace(task, data=(replace(of, sha256="0" * 64), path)),
        replace(task, data=(replace(of, nominal=()), path)),
        replace(task, data=files.read_table(of, path)),
    )
    for other in others:
        keys.add(key_of(other.parameters()))
    monkeypatch.setattr(runs, "N_PERMUTATIONS", 5)
    keys.add(key_of(task.parameters()))
    monkeypatch.undo()
    monkeypatch.setattr(runs, "code_digest", lambda: "other code")
    keys.add(key_of(task.parameters()))
    monkeypatch.undo()
    monkeypatch.setattr(runs, "versions", lambda: {"numpy": "0.1"})
    keys.add(key_of(task.parameters()))
    assert len(keys) == 4 + len(others)
    monkeypatch.undo()
    assert key_of(task.parameters()) in keys
    assert (
        key_of(replace(task, data=(of, Path("elsewhere.csv"))).parameters()) in keys
    )  # the place does not matter


def test_nothing_is_kept_unless_it_was_asked_for(tmp_path, monkeypatch, no_folders) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert Cache().folder is None
    assert Cache("").folder is None
    monkeypatch.setenv("ROCSTEADY_CACHE", str(tmp_path / "own"))
    assert Cache().folder == Cache("").folder == tmp_path / "own"
    assert Cache(tmp_path / "named").folder == tmp_path / "named"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["named", "own"]


@pytest.mark.parametrize("by", ["argument", "environment"])
def test_a_named_cache_that_cannot_be_written_is_an_error(tmp_path, monkeypatch, by) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ROCSTEADY_CACHE", str(tmp_path / "file") if by == "environment" else "")
    with pytest.raises(FileError, match="RS055"):
        Cache(tmp_path / "file" if by == "argument" else None)


# Many runs.


def test_two_processes_find_what_one_finds(tasks, tmp_path) -> None:
    (tmp_path / "cache").mkdir()
    told: list[tuple[int, int, str]] = []
    alone = run_all(tasks, cache=Cache(None), workers=1)
    shared = run_all(
        tasks, cache=Cache(tmp_path / "cache"), workers=2, progress=lambda *what: told.append(what)
    )
    assert shared == alone
    assert [done for done, *_ in told] == list(range(len(tasks) + 1))
    assert {total for _, total, _ in told} == {len(tasks)}
    assert len(list((tmp_path / "cache").iterdir())) == len(tasks)


class StoppedError(Exception):
    """Raised by a listener that has heard enough."""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_stopped_run_goes_on_with_the_same_numbers(tasks, tmp_path, monkeypatch, workers) -> None:
    (tmp_path / "cache").mkdir()
    cache = Cache(tmp_path / "cache")

    def stop_after_two(done: int, total: int, what: str) -> None:
        if done == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        run_all(tasks, cache=cache, workers=workers, progress=stop_after_two)
    assert multiprocessing.active_children() == []
    kept = sorted((tmp_path / "cache").iterdir())
    assert len(kept) == 2
    kept[0].write_text(kept[0].read_text()[:100])  # one entry is harmed meanwhile

    told, done_now = [], []
    monkeypatch.setattr(runs, "do", lambda task: done_now.append(task) or do(task))
    found = run_all(tasks, cache=cache, workers=1, progress=lambda *what: told.append(what))
    assert told[0][0] == 1
    assert "known from before" in told[0][2]
    assert len(done_now) == len(tasks) - 1
    assert found == {name: [do(task) for task in tasks if task.name == name] for name in "abc"}
    assert run_all(tasks, cache=cache, workers=1) == found
    assert len(done_now) == len(tasks) - 1


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "2"])
def test_workers_are_a_whole_number(tasks, workers) -> None:
    with pytest.raises(UsageError, match="RS042"):
        run_all(tasks, cache=Cache(None), workers=workers)


def test_processes_that_cannot_start_are_said(tmp_path) -> None:
    """A script without a guard is imported by its own processes, which must not start more of them."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        f"sys.path[:0] = {[str(ROOT / 'src'), str(ROOT), str(ROOT / 'tests')]!r}\n"
        "from pathlib import Path\n"
        "from smroc_sets import tiny_set\n"
        "from rocsteady.errors import RocsteadyError\n"
        "from papers.smroc.runs import Cache, Task, run_all\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "own = tiny_set('a', folder)\n"
        "tasks = [Task('a', (own, folder / 'uci' / 'a.csv'), seed) for seed in (1, 2)]\n"
        "try:\n"
        "    run_all(tasks, cache=Cache(None), workers=2)\n"
        "except RocsteadyError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False
    )
    assert "RS096" in done.stdout
    assert "__main__" in done.stdout
    assert "workers=1" in done.stdout


# The real files.
