"""Fetching the data of Table 1, with a network of the tests' own making: nothing here leaves the machine."""

from __future__ import annotations

import hashlib
import io
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from papers.smroc import fetching
from papers.smroc.fetching import Outcome, fetch, named, normalised
from papers.smroc.sets import DataFile, all_of_table_1, others, table_1, unavailable
from rocsteady.errors import FileError, UsageError

SETS: dict[str, DataFile] = {one.abbr: one for one in (*table_1(), *others())}
RAW, CHANGED = b"30,64,1,1\n34,59,0,2\n", b"30,64,1,1\n34,58,0,2\n"
MADE = b"age,year,nodes,class\n30,64,1,0\n34,59,0,1\n"
# Haberman's data as if they had only two rows.
SHORT = replace(SETS["habr"], sha256=hashlib.sha256(MADE).hexdigest(), n=2)
PLAIN, ARCHIVE = (address.url for address in SHORT.addresses)

Answer = bytes | Exception


class Network:
    """Answers to the two addresses; anything else cannot be reached."""

    def __init__(self, plain: Answer | None = None, archive: Answer | None = None) -> None:
        self.answers = {PLAIN: plain, ARCHIVE: archive}
        self.asked: list[str] = []

    def __call__(self, request: urllib.request.Request, timeout: float) -> io.BytesIO:
        assert 0 < timeout < 120
        self.asked.append(request.full_url)
        answer = self.answers[request.full_url]
        if answer is None or isinstance(answer, Exception):
            raise answer or urllib.error.URLError("Name or service not known")
        return io.BytesIO(answer)


def zipped(content: bytes = RAW, name: str = "folder/haberman.data", way: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", way) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def one_outcome(folder: Path, network: Network | None = None, **options: object) -> Outcome:
    [outcome] = fetch(folder, [SHORT], opener=network or Network(), **options)  # type: ignore[arg-type]
    return outcome


def refused(folder: Path, network: Network) -> str:
    """What is said of a set that could not be had; nothing is written."""
    outcome = one_outcome(folder, network)
    assert outcome.error is not None
    assert outcome.error.code == "RS098"
    assert files_below(folder) == []
    return "\n".join(outcome.lines())


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_the_file_is_made_checked_written_and_not_downloaded_again(tmp_path: Path) -> None:
    network = Network(plain=RAW)
    for words in ("written to", "was there already"):
        outcome = one_outcome(tmp_path, network)
        assert outcome.error is None
        assert words in outcome.words
        assert network.asked == [PLAIN]  # the second address is not bothered
    assert files_below(tmp_path) == ["uci/habr.csv"]
    assert (tmp_path / "uci" / "habr.csv").read_bytes() == MADE


@pytest.mark.parametrize("first", [None, ConnectionResetError("reset"), b"<html>moved</html>", CHANGED])
def test_the_next_address_is_tried_when_the_first_fails(tmp_path: Path, first: Answer | None) -> None:
    network = Network(plain=first, archive=zipped())
    assert one_outcome(tmp_path, network).error is None
    assert network.asked == [PLAIN, ARCHIVE]
    assert (tmp_path / "uci" / "habr.csv").read_bytes() == MADE


def test_all_reasons_are_given_when_no_address_answers(tmp_path: Path) -> None:
    gone = urllib.error.HTTPError(PLAIN, 404, "Not Found", None, None)  # type: ignore[arg-type]
    said = refused(tmp_path, Network(plain=gone))
    for words in ("404: Not Found", "Name or service not known", "--from FOLDER"):
        assert words in said


def test_a_download_that_is_cut_short_is_not_used(tmp_path: Path) -> None:
    outcome = one_outcome(tmp_path, Network(plain=RAW[: len(RAW) // 2]))
    assert outcome.differs
    assert files_below(tmp_path) == []


def test_a_download_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "LARGEST", 50_000)
    large = zipped(b"0" * 100_000, way=zipfile.ZIP_DEFLATED)  # small, and its member is not
    said = refused(tmp_path, Network(plain=b"0" * 50_001, archive=large))
    assert said.count("nothing so large was expected") == 2


DAMAGED = zipped().replace(b"34,59", b"34,58")
WAYS = [zipped(RAW * 100, way=way) for way in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)]


@pytest.mark.parametrize(
    "archive",
    [
        b"no archive",
        zipped(name="other.data"),
        zipped()[:-30],
        DAMAGED,
        *(own.replace(own[60:70], b"\xff" * 10) for own in WAYS),
    ],
)
def test_a_damaged_archive_is_refused(tmp_path: Path, archive: bytes) -> None:
    network = Network(archive=archive)
    assert ARCHIVE in refused(tmp_path, network)
    network.answers[PLAIN] = RAW
    first, second = fetch(tmp_path, [replace(SHORT, addresses=SHORT.addresses[1:]), SHORT], opener=network)
    assert first.error is not None
    assert second.error is None  # the others go on


def test_a_file_with_another_checksum_is_not_written(tmp_path: Path) -> None:
    outcome = one_outcome(tmp_path, Network(plain=CHANGED))
    assert outcome.differs
    assert outcome.error is not None
    assert PLAIN in outcome.error.problem
    assert "found 2 rows; expected 2" in outcome.error.found
    assert files_below(tmp_path) == []


def test_another_file_in_the_way_is_replaced_only_when_told(tmp_path: Path) -> None:
    path = tmp_path / "uci" / "habr.csv"
    path.parent.mkdir()
    path.write_text("mine\n")
    outcome = one_outcome(tmp_path, Network(plain=RAW))
    assert outcome.error is not None
    assert outcome.error.code == "RS003"
    assert path.read_text() == "mine\n"
    assert one_outcome(tmp_path, Network(plain=RAW), overwrite=True).error is None
    assert path.read_bytes() == MADE
    path.unlink()
    path.mkdir()
    assert "RS053" in str(one_outcome(tmp_path, Network(plain=RAW), overwrite=True).error)


def test_nothing_half_written_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    outcome = one_outcome(tmp_path, Network(plain=RAW))
    assert outcome.error is not None
    assert outcome.error.code == "RS055"
    assert "No space left on device" in outcome.error.problem
    assert files_below(tmp_path) == []


@pytest.mark.parametrize("name", ["haberman.data", "haberman+s+survival.zip"])
def test_originals_are_taken_from_a_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(zipped() if name.endswith("zip") else RAW)
    network = Network()
    assert one_outcome(tmp_path / "data", network, source=tmp_path).error is None
    assert network.asked == []


def test_sets_are_named_by_their_abbreviations() -> None:
    assert named([]) == (*table_1(), *others())
    assert [one.abbr for one in named(["tic", "ads", "mfeat-mor", "tic"])] == ["tic", "ads", "mfeat-mor"]
    with pytest.raises(UsageError, match=r"(?s)RS001.*did you mean habr"):
        named(["haber"])


def test_every_address_is_https_and_archives_name_their_member() -> None:
    for one in (*table_1(), *others()):
        assert one.addresses
        for address in one.addresses:
            assert address.url.startswith("https://")
            assert address.url.endswith(".zip") == (address.member is not None)


# The command.

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command, knowing only the short set and the one without a copy."""
    monkeypatch.setattr(fetching, "table_1", lambda: (SHORT,))
    monkeypatch.setattr(fetching, "all_of_table_1", lambda: (SHORT, *unavailable()))
    monkeypatch.setattr(fetching, "others", tuple)

    def result(*options: str, network: Network | None = None) -> tuple[int, str, str]:
        code = fetching.main([str(tmp_path / "data\x1b[2J"), *options], opener=network or Network())
        said = capsys.readouterr()
        return code, said.out, said.err

    return result


def test_the_command_says_what_happened_with_each_set_and_goes_on(run: Run) -> None:
    code, out, err = run(network=Network(plain=RAW))
    assert (code, err) == (0, "")
    first, second, third, fourth = out.splitlines()
    assert first.startswith("habr      written to ")
    assert second.startswith("ads       left out. Not available")
    assert third == "1 of 1 sets are in place and checked."
    assert fourth.startswith("use them:  python -m papers all --data ")
    code, out, _ = run("ads", "habr", network=Network(plain=RAW))
    assert code == 3
    assert "1 of 2 sets" in out


def test_a_checksum_that_differs_is_exit_code_1(run: Run) -> None:
    code, out, _ = run("ads", "habr", network=Network(plain=CHANGED))
    assert code == 1  # although ads could not be had either
    assert "RS099" in out
    assert "use them" not in out


def test_wrong_use_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    code, out, err = run("habbr")
    assert (code, out) == (2, "")
    assert "did you mean habr?" in err
    assert run("--from", str(tmp_path / "nowhere"))[0] == 2


def test_names_of_folders_are_quoted_and_printable(run: Run, tmp_path: Path) -> None:
    out = run(network=Network(plain=RAW))[1]
    assert "\x1b" not in out
    assert out.endswith("data\\x1b[2J'\n")
    assert "\x1b" not in run("--from", str(tmp_path / "\x1bx"))[2]


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there is no such signal")
def test_a_reader_who_stops_ends_it_quietly(tmp_path: Path) -> None:
    arguments = [sys.executable, "-m", fetching.__name__, str(tmp_path), "--from", str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        started.stdout.close()
        assert started.stderr.read() == b""
        assert started.wait() == -signal.SIGPIPE


# From the originals to the files: lines of some as the repository has them, and what becomes of them.

PIECES = {
    "prom": (
        "+,S10,\t\ttactagcaatacgcttgcgttcggtggttaagtatgtataatgcgcgggcttgtcgt\n",
        ",".join("tactagcaatacgcttgcgttcggtggttaagtatgtataatgcgcgggcttgtcgt1") + "\n",
    ),
    "echo": (
        "19,0,72,0,0.380,6,4.100,14,1.700,0.588,name,1,0\n"
        ",?,?,77,?,?,?,?,?,2,?,name,2,?\n"  # so it stands there, and has no class
        ".03,1,?,0,0.26,19.4,4.77,21,2.1,0.714,name,2,1\n",
        "72,0,0.38,6.0,4.1,14,1.7,0\n,0,0.26,19.4,4.77,21,2.1,1\n",
    ),
    "hrth": (
        "28,1,2,130,132,0,2,185,0,0,?,?,?,0\n47,1,4,150,226,0,0,98,1,1.5,2,0,7,1\n",
        "28,male,atyp_angina,130,132,f,left_vent_hyper,185,no,0.0,,,,1\n"
        "47,male,asympt,150,226,f,normal,98,yes,1.5,flat,0,reversable_defect,0\n",
    ),
    "hors": (
        "2 1 530101 38.50 66 28 3 3 ? 2 5 4 4 ? ? ? 3 5 45.00 8.40 ? ? 2 2 11300 00000 00000 2 \n"
        "1 1 529893 38.00 86 24 4 3 4 1 2 4 4 1 1 ? 4 5 45.00 5.50 1 10.10 2 1 03111 00000 00000 1 \n",
        "2,1,38.5,66,28,3,3,,2,5,4,4,,,,3,5,45,8.4,,,0\n1,1,38.0,86,24,4,3,4,1,2,4,4,1,1,,4,5,45,5.5,1,10.1,1\n",
    ),
    "blod": (
        'Recency (months),Frequency,Monetary,Time,"whether he/she\tdonated"\r\n2 ,50,12500,98 ,1\r\n',
        "2,50,12500,98,1\n",
    ),
    "mamo": ("5,67,3,5,3,1\n6,63,1,1,3,0\n4,43,1,1,?,1\n0,45,2,4,3,0\n", "5,67,3,5,3,1\n4,43,1,1,,1\n"),
    "mush": (
        "e,x,s,n,f,n,a,c,b,y,e,?,s,s,o,o,p,o,o,p,o,c,l\n",
        "x,s,n,f,n,a,c,b,y,e,,s,s,o,o,p,o,o,p,o,c,l,0\n",
    ),
    "adlt": (
        "54, ?, 180211, Some-college, 10, Married, ?, Husband, White, Male, 0, 0, 60, South, >50K\n\n",
        "54,,180211,Some-college,10,Married,,Husband,White,Male,0,0,60,South,1\n",
    ),
    "mfeat-mor": (" 1   0   0 133.150 1.31170 1620.20\n", "1,0,0,133.15,1.3117,1620.2,0\n"),
}


@pytest.mark.parametrize("abbr", PIECES)
def test_a_piece_of_the_original_becomes_the_rows_of_the_file(abbr: str) -> None:
    raw, expected = PIECES[abbr]
    header, rows = normalised(raw.encode(), SETS[abbr]).decode().split("\n", maxsplit=1)
    assert rows == expected
    assert header == ",".join([*SETS[abbr].features, SETS[abbr].class_column])


def rebuilt(of: DataFile, lines: list[str]) -> str:
    """An original from the file: every number spelled at length, lines ended as on Windows."""
    layout = of.layout
    made = ["a line that names the fields"] * layout.header
    places = [i for i in range(layout.fields) if i != layout.label and i not in layout.dropped]
    for line in lines:
        *features, label = line.split(",")
        fields = ["0"] * layout.fields
        for place, cell in zip(places, ["".join(features)] if layout.spelled else features, strict=True):
            codes = {name: code for code, name in layout.names.get(str(place), {}).items()}
            at_length = f"{float(cell):.9f}" if cell[-1:].isdigit() and cell[:1] in "-.0123456789" else cell
            fields[place] = codes.get(cell, at_length or "?")
        if layout.label is not None:
            fields[layout.label] = layout.positive if label == "1" else layout.negative
        made.append(("  " if layout.blanks else ",").join(fields))
    return "\r\n".join(made) + "\r\n"


@pytest.mark.parametrize("abbr", [abbr for abbr, one in SETS.items() if one.n <= 3000])
def test_the_real_file_comes_back_byte_for_byte(abbr: str, data_folder: Path) -> None:
    one = SETS[abbr]
    content = (data_folder / "uci" / str(one.file)).read_bytes()
    lines = content.decode().splitlines()[1:]
    assert one.holds(content)
    assert normalised(rebuilt(one, lines).encode(), one) == content
    lines[0], lines[-1] = lines[-1], lines[0]
    assert not one.holds(normalised(rebuilt(one, lines).encode(), one))  # the order of rows matters


def test_table_1_is_complete_and_says_where_a_copy_differs() -> None:
    assert len(all_of_table_1()) == 26
    assert [one.abbr for one in unavailable()] == ["ads"]
    for one in table_1():
        same = (one.n, one.n_positives, one.n_negatives, len(one.features)) == one.printed[:4]
        assert same != bool(one.differs), one.abbr
        assert set(one.nominal) <= set(one.features)
        assert round(100 * one.printed.positives / one.printed.n) == one.printed.percent_positive


@pytest.mark.parametrize(
    ("raw", "abbr", "found"),
    [
        ("<html><body>Not found</body></html>", "habr", "line 1 has 1 fields, not 4"),
        ("30,64,1,1\n30,62,3\n", "habr", "line 2 has 3 fields, not 4"),
        ("30,64,1,3\n", "habr", "line 1: '3' is no class"),
        ("\n\n", "habr", "0 features, not 3"),
        ("\x89PNG\r\n\x1a\0", "habr", "fields, not 4|NUL"),
        ("+,S10,tact\n", "prom", "4 features, not 57"),
        ("+,S10,tact\n-,867,tac\n", "prom", "shorter"),
    ],
)
def test_another_file_is_refused_with_the_line_at_fault(raw: str, abbr: str, found: str) -> None:
    with pytest.raises(FileError, match=rf"(?s)RS053.*({found})"):
        normalised(raw.encode("latin-1"), SETS[abbr])
