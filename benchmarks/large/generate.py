"""``python -m benchmarks.large.generate FOLDER --rows N --groups G``: a seeded table in Parquet files.

One row is a scored case on a host: ``host`` ("host-0417"), ``label`` (0 or 1, about 2.81 % positive) and
``score`` (N(shift of the host + 1.5 label, 1)). Hosts differ in size, in share of positives and in the
level of their scores, and their rows are interleaved. A few have a single class and so no curve.

Every block of a million rows is drawn from its own stream: memory stays flat, files can be written side
by side, and a smaller table is the beginning of a larger one with as many groups.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

SEED = 20_260_901
ROWS_PER_BLOCK = 1_000_000
BLOCKS_PER_FILE = 10
ROWS_PER_FILE = ROWS_PER_BLOCK * BLOCKS_PER_FILE
PREVALENCE = 0.0281
CLASS_DISTANCE = 1.5
SINGLE_CLASS_SHARE = 0.007
"""Of the hosts; two of seven have no negatives, the others no positives."""
_SLOTS = 2**16
"""A 16-bit draw picks a slot and a slot belongs to a host: an uneven choice for the price of an even one."""
DESCRIPTION = "_dataset.json"  # readers of a folder pass over names that start with an underscore


@dataclass(frozen=True)
class Dataset:
    """A generated folder: what is in it, and where."""

    folder: Path
    rows: int
    groups: int
    positives: int
    lowest: float
    highest: float

    @property
    def files(self) -> list[Path]:
        """The Parquet files, in order."""
        n_files = -(-self.rows // ROWS_PER_FILE)
        return sorted(self.folder.glob("part-*.parquet"))[:n_files]

    def first_files(self, n_files: int) -> Dataset:
        """The beginning of the table; what is said of its scores still holds, if not tightly."""
        return replace(self, rows=min(self.rows, n_files * ROWS_PER_FILE))

    @staticmethod
    def read(folder: Path) -> Dataset | None:
        """The dataset in this folder; None when there is none or its writing was interrupted."""
        try:
            return Dataset(folder, **json.loads((folder / DESCRIPTION).read_text()))
        except FileNotFoundError:
            return None

    def write(self) -> None:
        """Keep what is known beside the files."""
        plain = {name: value for name, value in asdict(self).items() if name != "folder"}
        (self.folder / DESCRIPTION).write_text(json.dumps(plain, indent=2) + "\n")


@dataclass(frozen=True)
class Hosts:
    """How the hosts differ; drawn once, the same for every number of rows."""

    count: int

    @cached_property
    def _draws(self) -> NDArray[np.float64]:
        return np.random.default_rng([SEED, self.count]).standard_normal((3, self.count))

    @cached_property
    def names(self) -> pa.Array:
        """The name of each, all of one length so that they sort as their numbers do."""
        digits = max(4, len(str(self.count - 1)))
        return pa.array([f"host-{number:0{digits}d}" for number in range(self.count)])

    @cached_property
    def shifts(self) -> NDArray[np.float64]:
        """The level of each host's scores."""
        return 0.5 * self._draws[0]

    @cached_property
    def without_positives(self) -> slice:
        """The hosts that have negatives only."""
        n_single = max(2, round(SINGLE_CLASS_SHARE * self.count))
        return slice(self.count - n_single, self.count - self._n_without_negatives)

    @cached_property
    def without_negatives(self) -> slice:
        """The hosts that have positives only."""
        return slice(self.count - self._n_without_negatives, self.count)

    @property
    def _n_without_negatives(self) -> int:
        return max(1, round(SINGLE_CLASS_SHARE * self.count * 2 / 7))

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of the rows that each host has, in whole slots."""
        sizes = np.exp(0.4 * self._draws[1])
        sizes[self.without_negatives] *= 0.05  # else a few hosts would be most of the positives
        slots = np.maximum(1, np.floor(sizes / sizes.sum() * _SLOTS))
        slots[np.argmax(slots)] += _SLOTS - slots.sum()
        return slots / _SLOTS

    @cached_property
    def host_of_slot(self) -> NDArray[np.uint16]:
        """The host that a 16-bit draw stands for."""
        slots = np.rint(self.shares * _SLOTS).astype(np.int64)
        return np.repeat(np.arange(self.count, dtype=np.uint16), slots)

    @cached_property
    def prevalences(self) -> NDArray[np.float64]:
        """The share of positives in each host; weighted by the rows, they make the overall share."""
        prevalences = np.exp(0.6 * self._draws[2])
        prevalences[self.without_positives] = prevalences[self.without_negatives] = 0
        wanted = PREVALENCE - self.shares[self.without_negatives].sum()
        prevalences *= wanted / (prevalences @ self.shares)
        prevalences[self.without_negatives] = 1
        return prevalences


def generate(folder: Path, rows: int, groups: int) -> Dataset:
    """Write the table, or leave it when it is already there."""
    found = Dataset.read(folder)
    if found is not None:
        if (found.rows, found.groups) != (rows, groups):
            raise SystemExit(
                f"{folder} has {found.rows:,} rows of {found.groups:,} groups, not {rows:,} of {groups:,}; "
                "name another folder"
            )
        return found
    if not 10 <= groups <= _SLOTS // 8:
        raise SystemExit(f"--groups {groups}: between 10 and {_SLOTS // 8:,} can be drawn")
    folder.mkdir(parents=True, exist_ok=True)
    for left_over in folder.glob("part-*.parquet"):  # of a run that was interrupted
        left_over.unlink()
    hosts = Hosts(groups)
    n_blocks = -(-rows // ROWS_PER_BLOCK)
    starts = range(0, n_blocks, BLOCKS_PER_FILE)
    with ThreadPoolExecutor(min(len(starts), os.cpu_count() or 1)) as pool:
        written = list(pool.map(lambda start: _write_file(folder, hosts, start, rows), starts))
    positives, lowest, highest = zip(*written, strict=True)
    dataset = Dataset(folder, rows, groups, sum(positives), min(lowest), max(highest))
    dataset.write()  # last, so that a folder with a description is complete
    return dataset


def _write_file(folder: Path, hosts: Hosts, first_block: int, rows: int) -> tuple[int, float, float]:
    """The blocks of one file; its number of positives and the range of its scores."""
    schema = pa.schema([("host", pa.string()), ("label", pa.int8()), ("score", pa.float64())])
    positives, lowest, highest = 0, np.inf, -np.inf
    path = folder / f"part-{first_block // BLOCKS_PER_FILE:04d}.parquet"
    # Without Arrow's own schema the hosts are plain strings to every reader, stored by dictionary as usual.
    written = pa.schema(
        [schema.field("host").with_type(pa.dictionary(pa.int16(), pa.string())), *list(schema)[1:]]
    )
    with pq.ParquetWriter(
        path, written, compression="zstd", use_dictionary=["host", "label"], store_schema=False
    ) as writer:
        last_block = min(first_block + BLOCKS_PER_FILE, -(-rows // ROWS_PER_BLOCK))
        for block in range(first_block, last_block):
            size = min(ROWS_PER_BLOCK, rows - block * ROWS_PER_BLOCK)
            codes, labels, scores = draw_block(hosts, block, size)
            names = pa.DictionaryArray.from_arrays(codes.astype(np.int16), hosts.names)
            batch = pa.record_batch([names, pa.array(labels), pa.array(scores)], schema=written)
            writer.write_batch(batch, row_group_size=ROWS_PER_BLOCK)
            positives += int(labels.sum(dtype=np.int64))
            lowest, highest = min(lowest, scores.min()), max(highest, scores.max())
    return positives, float(lowest), float(highest)


def draw_block(
    hosts: Hosts, block: int, size: int
) -> tuple[NDArray[np.uint16], NDArray[np.int8], NDArray[np.float64]]:
    """Number of the host, label and score of the rows of one block."""
    stream = np.random.default_rng([SEED, hosts.count, block])
    codes = hosts.host_of_slot[stream.integers(0, _SLOTS, size, dtype=np.uint16)]
    labels = (stream.random(size) < hosts.prevalences[codes]).astype(np.int8)
    scores = stream.standard_normal(size)
    scores += hosts.shifts[codes]
    scores += CLASS_DISTANCE * labels
    return codes, labels, scores


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the folder and say what is in it."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.large.generate", description="Write a large table."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--groups", type=int, default=1_000)
    options = parser.parse_args(arguments)
    dataset = generate(options.folder, options.rows, options.groups)
    megabytes = sum(path.stat().st_size for path in dataset.files) / 1e6
    print(
        f"{dataset.folder}: {dataset.rows:,} rows, {dataset.groups:,} hosts, "
        f"{dataset.positives / dataset.rows:.2%} positive, {len(dataset.files)} files, {megabytes:,.0f} MB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
